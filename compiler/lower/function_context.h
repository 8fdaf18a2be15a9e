// One IR function while it is written: a Builder that knows the Model and what the names of the rule mean. What holds
// in one function says nothing of the next, also where one is written in the middle of another.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lower/env.h"
#include "compiler/lower/program_context.h"
#include "compiler/plan/planning.h"

namespace cardwright::lower {

// While something is offered: what is looked at is what the asked player may know.
struct Asking {
  enum class Mode : std::uint8_t {
    // what is not known leads to `unknown`
    sure,
    // of conditions: could it be so for all that is known, or must it be
    may,
    must,
  };
  Register player = ir::kNoRegister;
  Mode mode = Mode::sure;
  BlockIndex unknown = 0;
};

// A zone already read at this decision site.
struct KeptZone {
  std::uint32_t zone = 0;
  Register player = ir::kNoRegister, cards = ir::kNoRegister;
};

// A loop that only looks: what does not depend on its element is worked out when it is first needed, once.
struct HoistScope {
  BlockIndex before = 0;   // where the flags of what is known begin as 0 …
  std::size_t at = 0;   // … before this instruction
  std::set<Register> varying;   // the element, and what is computed from it
};

// What holds where code is written is a value: who changes it has a context of their own, which writes the same
// function.
struct FunctionContext : Builder {
  FunctionContext(ProgramContext& of, Writing& writing, ir::FunctionIndex number)
      : Builder(writing), unit(of), model(of.model), program(of.program), index(number) {}

  Env& env() const { return *environment; }

  // ---- the same, but …
  // … names mean what `names` says; conditions there don't say why they are so
  [[nodiscard]] FunctionContext in(Env& names) const { return with(&FunctionContext::environment, &names).quiet(); }
  [[nodiscard]] FunctionContext asked(Asking now) const { return with(&FunctionContext::asking, now); }
  [[nodiscard]] FunctionContext asked(Asking::Mode mode) const { return asked({asking.player, mode, asking.unknown}); }
  // … worked out as it is, whoever is asked
  [[nodiscard]] FunctionContext unasked() const { return asked(Asking{}); }
  [[nodiscard]] FunctionContext hoisting(HoistScope* to) const { return with(&FunctionContext::hoist, to); }
  [[nodiscard]] FunctionContext holding(KeptZone zone) const { return with(&FunctionContext::kept_zone, zone); }
  // … nothing that was read before holds
  [[nodiscard]] FunctionContext afresh() const { return hoisting(nullptr).holding({}); }
  [[nodiscard]] FunctionContext deeper() const { return with(&FunctionContext::called_deep, called_deep + 1); }
  [[nodiscard]] FunctionContext inlined(std::uint32_t function) const {
    FunctionContext inner = *this;
    inner.inlining.push_back(function);
    return inner;
  }
  [[nodiscard]] FunctionContext asking_whether(const model::Expr* condition) const {
    return with(&FunctionContext::only_whether, condition);
  }
  [[nodiscard]] FunctionContext in_text() const { return with(&FunctionContext::telling, true); }
  [[nodiscard]] FunctionContext aloud() const { return with(&FunctionContext::explains, true); }
  [[nodiscard]] FunctionContext quiet() const { return with(&FunctionContext::explains, false); }

  ProgramContext& unit;
  const model::Model& model;   // the unit's
  Program& program;   // the unit's
  const ir::FunctionIndex index;
  Env* environment = nullptr;

  Asking asking;
  HoistScope* hoist = nullptr;
  const plan::TakenElement* taken = nullptr;
  KeptZone kept_zone;
  int called_deep = 0;   // values written where they are called, one inside the other
  std::vector<std::uint32_t> inlining;   // functions, outermost first
  // of this condition it is asked only whether any element has it, so any mask but 0 says so
  const model::Expr* only_whether = nullptr;
  bool telling = false;   // a variable that is not set is no error in a text
  bool explains = false;   // conditions say why they are so

 private:
  template <class T>
  FunctionContext with(T FunctionContext::*member, T value) const {
    FunctionContext changed = *this;
    changed.*member = value;
    return changed;
  }
};

// The same, while an element of a zone is looked at.
class Taken : public FunctionContext {
 public:
  Taken(const FunctionContext& code, model::LocalId element, const model::Expr* zone)
      : FunctionContext(code), here_{code.taken, code.environment, element, zone} {
    taken = &here_;
  }
  Taken(const Taken&) = delete;

 private:
  const plan::TakenElement here_;
};

// Until it goes out of scope; then what is written stands where it did before.
class Standing {
 public:
  explicit Standing(const FunctionContext& code) : code_(code), outer_(code.where()) {}
  ~Standing() { code_.at(outer_); }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  const FunctionContext& code_;
  const Range outer_;
};

ir::FunctionIndex new_function(ProgramContext& unit, std::string name, ir::Returns returns, Range where,
                               bool shown = true);
// Writes the body of a function, in which names mean what `environment` says.
void write_function(ProgramContext& unit, ir::FunctionIndex index, Env& environment,
                    const std::function<void(const FunctionContext& code)>& write);

// ---- types as registers
RegisterType set_of(const model::Type& element);
Register empty_set(const FunctionContext& code, const model::Type& element);
// All values of a type that actions choose from.
Register universe(const FunctionContext& code, const model::Type& element);
RegisterType register_type(const ProgramContext& unit, const model::Type& type);
ir::Returns returns_of(const ProgramContext& unit, const model::Type& type);
RegisterType local_type(ProgramContext& unit, const model::Body& body, model::LocalId local);

// ---- locals and parameters
// What a name of the rule at hand stands for.
Register read_local(const FunctionContext& code, model::LocalId local);
void write_local(const FunctionContext& code, model::LocalId local, Register value);
bool lies_in_state(const FunctionContext& code, model::LocalId local);
Register default_value(const FunctionContext& code, const model::Type& type);
void bind_constant(const FunctionContext& code, model::LocalId local, Int value);
void bind_locals(Env& e, const model::Body& body);
void bind(const FunctionContext& code, model::LocalId local, Register reg);
Register parameter(const FunctionContext& code, const model::Type& type);
Register parameter(const FunctionContext& code, const model::Body& body, model::LocalId local);
Register parameter(const FunctionContext& code, const model::Type& type, RegisterType as);

inline void fuel(const FunctionContext& code, Int steps = 1) { code.effect(Op::fuel, {steps}); }
// The game ends here.
inline void fail(const FunctionContext& code, Trap trap, About about, Register a, Register other) {
  code.effect(Op::fail, {Int(trap), Int(about), a, other});
  code.effect(Op::trap, {Int(trap)});
}

}   // namespace cardwright::lower
