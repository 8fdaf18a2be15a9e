// Implements Engine with the interpreter.
#include "runtime/interp/interp.h"

#include <mutex>

#include "runtime/passes/passes.h"
#include "runtime/interp/execute.h"
#include "runtime/ops/frames.h"

namespace cardwright {

namespace {

using interp::Form;

class Decoding final : public Interpreter {
 public:
  using Interpreter::Interpreter;

  Status playout(Game& g, Byte* s) override {
    const bool traced = g.trace != nullptr || g.log != nullptr;
    begin_playout(g);
    return interp::execute(program(), code(traced ? Form::traced_playout : Form::playout), g, s, program().main, {},
                           nullptr);
  }
  Status call(Game& g, Byte* s, ir::FunctionIndex function, std::span<const Int> arguments, Int* result) override {
    begin(g, kAllKnowledge);
    return interp::execute(program(), code(Form::step), g, s, function, arguments, result);
  }

  std::size_t playout_size() override { return code(Form::playout).size; }

  Status run_top(Game& g, Byte* s) override {
    const auto function = program().waits[static_cast<std::size_t>(frame_wait(s, top_frame(s, program().layout)))];
    return interp::execute(program(), code(Form::step), g, s, function, {}, nullptr);
  }

 private:
  struct Decoded {
    std::once_flag once;
    interp::Code code;
  };
  const interp::Code& code(Form form) {
    Decoded& decoded = forms_[static_cast<std::size_t>(form)];
    std::call_once(decoded.once, [&] {
      const void* const* const handlers = interp::handlers_for(program().layout.words);
      if (form == Form::step)
        interp::decode(program(), program().step, form, handlers, decoded.code);
      else
        interp::decode(program(), passes::as_playout(program(), form == Form::traced_playout), form, handlers,
                       decoded.code);
    });
    return decoded.code;
  }
  Decoded forms_[3];
};

}   // namespace

std::unique_ptr<Interpreter> make_interpreter(const Program& program) { return std::make_unique<Decoding>(program); }

}   // namespace cardwright
