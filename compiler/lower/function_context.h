// The context of one IR function under construction: a Builder that also has access to the Model and the names of the
// rule. Information valid in one function does not carry over to another, even if that one is emitted in the middle of
// the first.
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

// Restricts conditions to the information of the deciding player while options are computed.
struct Asking {
  enum class Mode : std::uint8_t {
    // unknown results branch to `unknown`
    sure,
    // three-valued conditions: true if possible given what is known, or only if certain
    may,
    must,
  };
  Register player = ir::kNoRegister;
  Mode mode = Mode::sure;
  BlockIndex unknown = 0;
};

// A zone that has already been read at this decision site.
struct KeptZone {
  std::uint32_t zone = 0;
  Register player = ir::kNoRegister, cards = ir::kNoRegister;
};

// A loop without side effects: expressions that do not depend on its element are evaluated once, when first needed.
struct HoistScope {
  BlockIndex before = 0;   // the block that clears the flags of evaluated expressions
  std::size_t at = 0;   // the instruction before which they are inserted
  std::set<Register> varying;   // the element, and registers computed from it
};

// Everything valid at a point of the code is part of this value: to change something, make a modified copy, which
// appends to the same function.
struct FunctionContext : Builder {
  FunctionContext(ProgramContext& of, Writing& writing, ir::FunctionIndex number)
      : Builder(writing), unit(of), model(of.model), program(of.program), index(number) {}

  Env& env() const { return *environment; }

  // ---- modified copies
  // Names have the meaning in `names`; conditions do not record explanations.
  [[nodiscard]] FunctionContext in(Env& names) const { return with(&FunctionContext::environment, &names).quiet(); }
  [[nodiscard]] FunctionContext asked(Asking now) const { return with(&FunctionContext::asking, now); }
  [[nodiscard]] FunctionContext asked(Asking::Mode mode) const { return asked({asking.player, mode, asking.unknown}); }
  // Evaluates on the actual state instead of the knowledge of the deciding player.
  [[nodiscard]] FunctionContext unasked() const { return asked(Asking{}); }
  [[nodiscard]] FunctionContext hoisting(HoistScope* to) const { return with(&FunctionContext::hoist, to); }
  [[nodiscard]] FunctionContext holding(KeptZone zone) const { return with(&FunctionContext::kept_zone, zone); }
  // Discards everything cached from earlier reads.
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
  int called_deep = 0;   // nesting depth of inlined values
  std::vector<std::uint32_t> inlining;   // functions, outermost first
  // this condition only needs to be nonzero if any element satisfies it
  const model::Expr* only_whether = nullptr;
  bool telling = false;   // an unset variable is not an error in a text
  bool explains = false;   // conditions record why they are true or false

 private:
  template <class T>
  FunctionContext with(T FunctionContext::*member, T value) const {
    FunctionContext changed = *this;
    changed.*member = value;
    return changed;
  }
};

// The same context, while an element of a zone is evaluated.
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

// Restores the source location of emitted code when it goes out of scope.
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
// Emits the body of a function with the names of `environment`.
void write_function(ProgramContext& unit, ir::FunctionIndex index, Env& environment,
                    const std::function<void(const FunctionContext& code)>& write);

// ---- types as registers
RegisterType set_of(const model::Type& element);
Register empty_set(const FunctionContext& code, const model::Type& element);
// All values of a type from which actions choose.
Register universe(const FunctionContext& code, const model::Type& element);
RegisterType register_type(const ProgramContext& unit, const model::Type& type);
ir::Returns returns_of(const ProgramContext& unit, const model::Type& type);
RegisterType local_type(ProgramContext& unit, const model::Body& body, model::LocalId local);

// ---- locals and parameters
// Reads the value that a name of the current rule is bound to.
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
// Ends the game with an error.
inline void fail(const FunctionContext& code, Trap trap, About about, Register a, Register other) {
  code.effect(Op::fail, {Int(trap), Int(about), a, other});
  code.effect(Op::trap, {Int(trap)});
}

}   // namespace cardwright::lower
