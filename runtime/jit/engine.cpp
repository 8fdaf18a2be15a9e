// Implements Engine with the JIT, and the functions that the module exports.
//
// A playout form is compiled for the first playout, and the traced form for the first traced one. The stepwise form is
// compiled function by function as games reach them. Functions that can't be compiled are interpreted.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "runtime/jit/compile.h"
#include "runtime/jit/jit.h"
#include "runtime/interp/interp.h"
#include "runtime/passes/passes.h"
#include "runtime/ops/frames.h"
#include "runtime/ops/memory.h"

namespace cardwright::jit {

namespace {

class Jit final : public CompilingEngine {
 public:
  Jit(const Program& program, JitOptions options)
      : CompilingEngine(program),
        options_(with_environment(options)),
        step_functions_(program.step.functions.size()),
        entries_(program.step.functions.size()),
        at_waits_(program.waits.size()),
        merges_similar_(passes::merges_similar(program)),
        fallback_(make_interpreter(program)) {}

  // Returns false and sets `error` if the playout form can't be compiled, or LLVM can't be started. Compiles no
  // function yet.
  bool start(std::string& error) {
    return can_compile_playout(program(), options_, error) &&
           (step_ = CompiledForm::make(program(), Form::step, options_, error)) != nullptr;
  }

  Status playout(Game& g, Byte* s) override {
    begin_playout(g);
    const bool traced = g.trace != nullptr || g.log != nullptr;
    EntryFunction* const entry = playout_entry(traced ? traced_ : playout_);
    return entry ? static_cast<Status>(entry(&g, s, nullptr, nullptr)) : fallback_->playout(g, s);
  }

  Status play_game(Game& g, Byte* s, Word run, Word game_index) override {
    const bool other_form = g.trace != nullptr || g.log != nullptr || program().race;
    EntryFunction* const entry = other_form ? nullptr : playout_entry(game_);
    if (entry == nullptr) return Engine::play_game(g, s, run, game_index);
    begin_playout(g);
    const Int key[] = {static_cast<Int>(run), static_cast<Int>(game_index)};
    const auto status = static_cast<Status>(entry(&g, s, key, nullptr));
    // Merged functions trap at the place of any of them, so the interpreter finds the place.
    return status == Status::trapped && merges_similar_ ? fallback_->play_game(g, s, run, game_index) : status;
  }

  Status call(Game& g, Byte* s, ir::FunctionIndex function, std::span<const Int> arguments, Int* result) override {
    begin(g, kAllKnowledge);
    EntryFunction* const entry = entry_of(function);
    if (entry == nullptr) return fallback_->call(g, s, function, arguments, result);
    return static_cast<Status>(entry(&g, s, arguments.data(), result));
  }

  Status play_on(Game& g, Byte* s) override {
    const Finish* const finish = g.trace == nullptr && g.log == nullptr ? finishing() : nullptr;
    if (finish == nullptr) return Engine::play_on(g, s);
    begin_playout(g);
    while (const Int top = top_frame(s, program().layout)) {
      EntryFunction* const entry = finish->entries[program().waits[static_cast<std::size_t>(frame_wait(s, top))]];
      // Without an entry, for example in a game without decisions, the stepwise form plays the game.
      if (entry == nullptr) return Engine::play_on(g, s);
      const auto status = static_cast<Status>(entry(&g, s, nullptr, nullptr));
      if (status == Status::trapped) push_frames_below(g, program(), s);
      if (status != Status::ok) return status;
    }
    return Status::done;
  }

  bool prepare_playout(std::string& error) override {
    if (playout_entry(usual_form())) return true;
    error = usual_form().error;
    return false;
  }
  bool find_playout() override { return make_playout_entry(usual_form(), false) != nullptr; }
  CompilerWork playout_work() override {
    const std::lock_guard lock(usual_form().mutex);
    return usual_form().code && !usual_form().done ? usual_form().code->work() : CompilerWork{};
  }
  bool prepare_step(ir::FunctionIndex function, std::string& error) override {
    return step_function(function, error) != nullptr;
  }

 protected:
  // Runs step functions until one is not compiled or the game returns to the host. A move runs about a dozen of them.
  Status run_top(Game& g, Byte* s) override {
    const Layout& l = program().layout;
    StepFunction* code = at_wait(frame_wait(s, top_frame(s, l)));
    if (code == nullptr) return fallback_->run_top(g, s);
    for (;;) {
      const auto status = static_cast<Status>(code(&g, s));
      const Int top = top_frame(s, l);
      if (status != Status::ok || top == 0) return status;
      code = at_waits_[static_cast<std::size_t>(frame_wait(s, top))].load(std::memory_order_acquire);
      if (code == nullptr) return status;
    }
  }

 private:
  static JitOptions with_environment(JitOptions options) {
    if (std::getenv("CARDWRIGHT_JIT_TIMES")) options.time_phases = true;
    if (std::getenv("CARDWRIGHT_JIT_PERF")) options.perf_map = true;
    return options;
  }

  struct Playout {
    explicit Playout(Form of) : form(of) {}
    const Form form;
    std::atomic<EntryFunction*> entry = nullptr;
    std::mutex mutex;   // guards the following members
    std::unique_ptr<CompiledForm> code;
    bool done = false;   // true if there is an entry, or there will never be one
    std::string error;   // why there is no entry
  };
  // In games with races, the host sets speeds in the State before the game begins, so the code must not create the
  // State.
  Playout& usual_form() { return program().race ? playout_ : game_; }
  EntryFunction* playout_entry(Playout& form) {
    EntryFunction* const entry = form.entry.load(std::memory_order_acquire);
    return entry ? entry : make_playout_entry(form);
  }
  // Not inlined, because otherwise each game would save the registers that this function needs.
  [[gnu::noinline, gnu::cold]] EntryFunction* make_playout_entry(Playout& form, bool compile = true) {
    const std::lock_guard lock(form.mutex);
    if (!form.done && !form.code) form.code = CompiledForm::open(program(), form.form, options_, form.error);
    if (form.done || (form.code && !form.code->is_ready() && !compile))
      return form.entry.load(std::memory_order_acquire);
    form.done = true;
    if (form.code && form.code->compile(form.error))
      form.entry.store(form.code->entry(program().main, form.error), std::memory_order_release);
    if (!form.entry.load() && !is_stopped())
      std::fprintf(stderr, "cardwright: the playout form is interpreted: %s\n", form.error.c_str());
    return form.entry.load(std::memory_order_acquire);
  }

  // Entries that finish a game from the middle: one for each function, which starts at a frame of that function. `code`
  // is null if this form can't be compiled.
  struct Finish {
    std::once_flag once;
    std::unique_ptr<CompiledForm> code;
    std::vector<EntryFunction*> entries;
  };
  const Finish* finishing() {
    std::call_once(finish_.once, [&] {
      std::string error;
      finish_.code = CompiledForm::make(program(), Form::finish, options_, error);
      if (!finish_.code) return;   // the stepwise form is used instead
      finish_.entries.assign(program().playout.functions.size(), nullptr);
      for (std::size_t f = 0; f < finish_.entries.size(); ++f)
        if (const ir::FunctionIndex made = finish_.code->finishing(static_cast<ir::FunctionIndex>(f)); made != 0)
          finish_.entries[f] = finish_.code->entry(made, error);
    });
    return finish_.code ? &finish_ : nullptr;
  }

  bool is_stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

  StepFunction* step_function(ir::FunctionIndex function, std::string& error) {
    std::atomic<StepFunction*>& known = step_functions_[function];
    if (StepFunction* const there = known.load(std::memory_order_acquire)) return there;
    StepFunction* const made = step_->step_function(function, error);
    known.store(made, std::memory_order_release);
    return made;
  }

  // Returns the entry of a function. Entries are cached, because a search calls payoff after each playout.
  EntryFunction* entry_of(ir::FunctionIndex function) {
    std::atomic<EntryFunction*>& known = entries_[function];
    if (EntryFunction* const there = known.load(std::memory_order_acquire)) return there;
    std::string error;
    EntryFunction* const made = step_->entry(function, error);
    known.store(made, std::memory_order_release);
    return made;
  }

  StepFunction* at_wait(Int wait) {
    std::atomic<StepFunction*>& known = at_waits_[static_cast<std::size_t>(wait)];
    if (StepFunction* const there = known.load(std::memory_order_acquire)) return there;
    const ir::FunctionIndex function = program().waits[static_cast<std::size_t>(wait)];
    std::string error;
    StepFunction* const made = step_function(function, error);
    // Only suspending functions are cached, because the host has to pop the frame of any other function.
    if (program().step.functions[function].suspends) known.store(made, std::memory_order_release);
    return made;
  }

  const JitOptions options_;
  Playout playout_{Form::playout}, traced_{Form::traced}, game_{Form::game};
  Finish finish_;
  std::unique_ptr<CompiledForm> step_;
  std::vector<std::atomic<StepFunction*>> step_functions_;
  std::vector<std::atomic<EntryFunction*>> entries_;   // by function: the entry, once the host has called it
  std::vector<std::atomic<StepFunction*>> at_waits_;   // by suspend point: the step function, once it has run
  const bool merges_similar_;
  std::unique_ptr<Engine> fallback_;
};

void report(const std::string& message, char* error, std::size_t size) {
  if (error != nullptr && size > 0) std::snprintf(error, size, "%s", message.c_str());
}

}   // namespace

}   // namespace cardwright::jit

#define CARDWRIGHT_EXPORT extern "C" __attribute__((visibility("default")))

CARDWRIGHT_EXPORT cardwright::CompilingEngine* cardwright_make_jit(const cardwright::Program* program,
                                                                   const cardwright::JitOptions* options, char* error,
                                                                   std::size_t error_size) {
  auto engine = std::make_unique<cardwright::jit::Jit>(*program, options ? *options : cardwright::JitOptions{});
  std::string why;
  if (engine->start(why)) return engine.release();
  cardwright::jit::report(why, error, error_size);
  return nullptr;
}

CARDWRIGHT_EXPORT int cardwright_print_llvm(const cardwright::Program* program, int form, int optimized,
                                            void (*write)(void*, const char*, std::size_t), void* to, char* error,
                                            std::size_t error_size) {
  using cardwright::jit::Form;
  const Form forms[] = {program->race ? Form::playout : Form::game, Form::traced, Form::step};
  std::string why, text;
  text = cardwright::jit::CompiledForm::print(*program, forms[form < 0 || form > 2 ? 0 : form], optimized != 0, why);
  if (why.empty())
    write(to, text.data(), text.size());
  else
    cardwright::jit::report(why, error, error_size);
  return why.empty() ? 0 : 1;
}
