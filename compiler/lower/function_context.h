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

// A loop that only looks: what does not hang on its element is worked out when it is first needed, once.
struct HoistScope {
  BlockIndex before = 0;   // where the flags of what is known begin as 0 …
  std::size_t at = 0;   // … before this instruction
  std::set<Register> varying;   // the element, and what is computed from it
};

struct FunctionContext;

// While it is looked at, an element lies in the zone out of which it is taken.
struct Taken {
  Taken(FunctionContext& code, model::LocalId element, const model::Expr* zone);
  ~Taken();
  Taken(const Taken&) = delete;
  FunctionContext& of;
  const Taken* outer;
  const Env* env;
  model::LocalId element;
  const model::Expr* zone;
};

struct FunctionContext : Builder {
  FunctionContext(ProgramContext& of, ir::Function& written, ir::FunctionIndex number)
      : Builder(written), unit(of), model(of.model), program(of.program), index(number) {}
  FunctionContext(const FunctionContext&) = delete;

  Env& env() const { return *environment; }

  ProgramContext& unit;
  const model::Model& model;   // the unit's
  Program& program;   // the unit's
  const ir::FunctionIndex index;
  Env* environment = nullptr;

  Asking asking;
  HoistScope* hoist = nullptr;
  const Taken* taken = nullptr;
  KeptZone kept_zone;
  int called_deep = 0;   // values written where they are called, one inside the other
  std::vector<std::uint32_t> inlining;   // functions, outermost first
  // of this condition it is asked only whether any element has it, so any mask but 0 says so
  const model::Expr* only_whether = nullptr;
  Register collected = ir::kNoRegister;   // carriers(): only cards that were there when the event began …
  bool recheck = false;   // … and are still there when their turn comes
  bool all_cards = false;   // carrier_cards(): also those for which `in force while C` does not hold now
  bool telling = false;   // a variable that is not set is no error in a text
  // where it is only asked whether there is an option: where to go with the first
  std::optional<BlockIndex> first_option;
  // while all are looked at: whether the last `whenever` holds; none where it was not looked at
  Register whenever_said = ir::kNoRegister;
  std::optional<Int> within_ending;   // while the block of an `end when` is written: which of Program::endings
  std::vector<BlockIndex> allowed_ends;
};

// While it is worked out as it is, whoever is asked.
struct Unasked {
  explicit Unasked(FunctionContext& code) : of(code), asking(std::exchange(of.asking, {})) {}
  ~Unasked() { of.asking = asking; }
  Unasked(const Unasked&) = delete;
  FunctionContext& of;
  Asking asking;
};

// While a player is asked.
struct Asked {
  Asked(FunctionContext& code, Asking now) : of(code), outer(std::exchange(code.asking, now)) {}
  ~Asked() { of.asking = outer; }
  Asked(const Asked&) = delete;
  FunctionContext& of;
  Asking outer;
};

// Until it goes out of scope; then what is written stands where it did before.
class Standing {
 public:
  explicit Standing(FunctionContext& code) : code_(code), outer_(code.where()) {}
  ~Standing() { code_.at(outer_); }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  FunctionContext& code_;
  const Range outer_;
};

ir::FunctionIndex new_function(ProgramContext& unit, std::string name, ir::Returns returns, Range where,
                               bool shown = true);
// Writes the body of a function, in which names mean what `environment` says.
void write_function(ProgramContext& unit, ir::FunctionIndex index, Env& environment,
                    const std::function<void(FunctionContext& code)>& write);
// The same for a part of a function.
void with_env(FunctionContext& code, Env& environment, const std::function<void()>& write);

// ---- types as registers
RegisterType set_of(const model::Type& element);
Register empty_set(FunctionContext& code, const model::Type& element);
// All values of a type that actions choose from.
Register universe(FunctionContext& code, const model::Type& element);
RegisterType register_type(const ProgramContext& unit, const model::Type& type);
ir::Returns returns_of(const ProgramContext& unit, const model::Type& type);
RegisterType local_type(ProgramContext& unit, const model::Body& body, model::LocalId local);
// Sets of cards and of cells have a bit for each, however many there are; other sets are masks.
inline bool is_wide_element(const ProgramContext& unit, const model::Type& t) {
  return t.kind == model::TypeKind::card || (t.kind == model::TypeKind::enumeration && unit.model.enums[t.ref].cells);
}
inline bool is_wide(const ProgramContext& unit, const model::Type& t) {
  return t.kind == model::TypeKind::set && t.elem && is_wide_element(unit, *t.elem);
}
inline bool is_mask(const ProgramContext& unit, const model::Type& t) {
  return t.kind == model::TypeKind::set && !is_wide(unit, t);
}

// ---- locals and parameters
// What a name of the rule at hand stands for.
Register read_local(FunctionContext& code, model::LocalId local);
void write_local(FunctionContext& code, model::LocalId local, Register value);
bool lies_in_state(FunctionContext& code, model::LocalId local);
Register default_value(FunctionContext& code, const model::Type& type);
void bind_constant(FunctionContext& code, model::LocalId local, Int value);
void bind_locals(Env& e, const model::Body& body);
void bind(FunctionContext& code, model::LocalId local, Register reg);
Register parameter(FunctionContext& code, const model::Type& type);
Register parameter(FunctionContext& code, const model::Body& body, model::LocalId local);
Register parameter(FunctionContext& code, const model::Type& type, RegisterType as);

inline void fuel(FunctionContext& code, Int steps = 1) { code.effect(Op::fuel, {steps}); }
// The game ends here.
inline void fail(FunctionContext& code, Trap trap, About about, Register a, Register other) {
  code.effect(Op::fail, {Int(trap), Int(about), a, other});
  code.effect(Op::trap, {Int(trap)});
}

}  // namespace cardwright::lower
