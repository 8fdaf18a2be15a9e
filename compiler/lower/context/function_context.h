// Defines the context of one IR function under construction: a Builder that also has access to the Model and to the
// names of the rule. Each function needs its own context, even if it is emitted while another function is still under
// construction.
#pragma once

#include <set>
#include <vector>

#include "compiler/lower/context/env.h"
#include "compiler/lower/context/program_context.h"
#include "compiler/plan/planning.h"

namespace cardwright::lower {

// Determines how conditions are evaluated while options are computed, so that options depend only on the deciding
// player's knowledge.
struct Asking {
  enum class Mode : std::uint8_t {
    // If the result of a condition is unknown, the code jumps to `unknown`.
    sure,
    // Three-valued conditions. With `may`, a condition is true if it is possible based on the player's knowledge; with
    // `must`, only if it is certain.
    may,
    must,
  };
  Register player = ir::kNoRegister;
  Mode mode = Mode::sure;
  BlockIndex unknown = 0;
};

// A zone that has already been read at this decision site.
struct CachedZone {
  std::uint32_t zone = 0;
  Register player = ir::kNoRegister, cards = ir::kNoRegister;
};

// A loop without side effects. Expressions that do not depend on its element are evaluated only once, when they are
// first needed.
struct HoistScope {
  BlockIndex before = 0;   // the block before the loop, which clears the flags of evaluated expressions
  std::size_t at = 0;   // position in `before` at which the code that clears the flags is inserted
  std::set<Register> varying;   // the loop's element, and registers computed from it
};

// The context at one position in the code. To change the context, make a modified copy; all copies append to the same
// function.
struct FunctionContext : Builder {
  FunctionContext(ProgramContext& of, Writing& writing, ir::FunctionIndex number)
      : Builder(writing), unit(of), model(of.model), program(of.program), index(number) {}

  Env& env() const { return *environment; }

  // Returns a context with the locals in `names`, in which conditions do not record explanations.
  [[nodiscard]] FunctionContext in(Env& names) const { return with(&FunctionContext::environment, &names).quiet(); }
  [[nodiscard]] FunctionContext asked(Asking now) const { return with(&FunctionContext::asking, now); }
  [[nodiscard]] FunctionContext asked(Asking::Mode mode) const { return asked({asking.player, mode, asking.unknown}); }
  // Returns a context that evaluates conditions on the actual state instead of the deciding player's knowledge.
  [[nodiscard]] FunctionContext unasked() const { return asked(Asking{}); }
  [[nodiscard]] FunctionContext hoisting(HoistScope* to) const { return with(&FunctionContext::hoist, to); }
  [[nodiscard]] FunctionContext holding(CachedZone zone) const { return with(&FunctionContext::cached_zone, zone); }
  // Returns a context without the cached results of earlier reads.
  [[nodiscard]] FunctionContext without_caches() const { return hoisting(nullptr).holding({}); }
  [[nodiscard]] FunctionContext deeper() const { return with(&FunctionContext::called_deep, called_deep + 1); }
  [[nodiscard]] FunctionContext inlined(std::uint32_t function) const {
    FunctionContext inner = *this;
    inner.inlining.push_back(function);
    return inner;
  }
  [[nodiscard]] FunctionContext asking_whether(const model::Expr* condition) const {
    return with(&FunctionContext::only_whether, condition);
  }
  [[nodiscard]] FunctionContext in_text() const { return with(&FunctionContext::writes_text, true); }
  [[nodiscard]] FunctionContext with_explanations() const { return with(&FunctionContext::explains, true); }
  [[nodiscard]] FunctionContext quiet() const { return with(&FunctionContext::explains, false); }

  ProgramContext& unit;
  const model::Model& model;   // same as unit.model
  Program& program;   // same as unit.program
  const ir::FunctionIndex index;
  Env* environment = nullptr;

  Asking asking;
  HoistScope* hoist = nullptr;
  const plan::TakenElement* taken = nullptr;
  CachedZone cached_zone;
  int called_deep = 0;   // nesting depth of inlined values
  std::vector<std::uint32_t> inlining;   // the functions that are being inlined, outermost first
  // For this condition, only existence matters: the result must be nonzero exactly if any element satisfies it.
  const model::Expr* only_whether = nullptr;
  bool writes_text = false;   // true in a string, where an unset variable is not an error
  bool explains = false;   // true if conditions record why they are true or false

 private:
  template <class T>
  FunctionContext with(T FunctionContext::*member, T value) const {
    FunctionContext changed = *this;
    changed.*member = value;
    return changed;
  }
};

// A copy of the context for evaluating a condition on `element`, which is taken from `zone`.
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

// Restores the source location of emitted code at the end of the scope.
class LocationGuard {
 public:
  explicit LocationGuard(const FunctionContext& code) : code_(code), outer_(code.where()) {}
  ~LocationGuard() { code_.at(outer_); }
  LocationGuard(const LocationGuard&) = delete;
  LocationGuard& operator=(const LocationGuard&) = delete;

 private:
  const FunctionContext& code_;
  const Range outer_;
};

// ---- queries about the deciding player

inline bool asking(const FunctionContext& code) { return code.asking.player != ir::kNoRegister; }

// Returns whether the deciding player, or the reader of a string, may not know the value of `e`. In a string, this
// includes the top of a shuffled pile: its order is not decided yet.
inline bool reads(const FunctionContext& code, const model::Expr& e) {
  if (code.unit.facts.secrecy.reads(e, code.env().facts)) return true;
  bool undecided = false;
  if (code.writes_text)
    model::for_each_expr(&e, [&](const model::Expr& part) {
      const bool looks = part.kind == model::ExprKind::zone_top || part.kind == model::ExprKind::zone_top_n ||
                         part.kind == model::ExprKind::zone_bottom;
      undecided = undecided || (looks && !code.unit.facts.always_ordered[part.ref] &&
                                code.model.zones[part.ref].visibility != model::Visibility::hidden);
    });
  return undecided;
}

inline bool reads(const FunctionContext& code, const model::Expr* e) { return e && reads(code, *e); }

inline Fact fact(const FunctionContext& code, const model::Expr& e) {
  return code.unit.facts.secrecy.fact(e, code.env().facts);
}

}   // namespace cardwright::lower
