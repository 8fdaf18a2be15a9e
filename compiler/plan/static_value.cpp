// Evaluates an expression for one element of a domain at compile time, with compiler/analysis/evaluate.h.
#include "compiler/analysis/constants.h"
#include "compiler/analysis/evaluate.h"
#include "compiler/plan/facts.h"

namespace cardwright::plan {

namespace {

constexpr int kMostSteps = 10'000;

analysis::ConstantValue unpacked(Int mask) {
  analysis::ConstantValue set;
  for (Int i = 0; i <= model::kMostInSet; ++i)
    if (mask >> i & 1) set.values.push_back(i);
  return set;
}

class OneElement : public analysis::EvaluationContext {
 public:
  OneElement(const ProgramFacts& game, const Names* names, model::LocalId local, Int element)
      : EvaluationContext(game.model), game_(game), names_(names), local_(local), element_(element) {}

  bool count_step() override { return ++steps_ <= kMostSteps; }
  bool prepare(const model::Expr& call) override { return plain_body(game_, call) != nullptr; }
  // If the evaluation would trap, the result is unknown, and the trap occurs at run time.
  std::optional<Int> compute(model::ExprKind kind, Int a, Int b, Range) override { return analysis::known(kind, a, b); }
  analysis::MaybeConstant local(const model::Expr& e) override {
    if (e.local == local_ && element_ >= 0) return analysis::ConstantValue{element_, {}, {}};
    const auto constant = names_ ? names_->constant(e.local) : std::nullopt;
    if (!constant) return std::nullopt;
    return e.type.kind == model::TypeKind::set ? unpacked(*constant) : analysis::ConstantValue{*constant, {}, {}};
  }
  bool is_possible(const model::Modifier& m) override { return possible(game_, m.head); }
  Int card_id(Int card) override { return game_.ids.of_card[card]; }
  Int card_of(Int id) override { return game_.ids.card[id]; }

 private:
  const ProgramFacts& game_;
  const Names* names_;
  const model::LocalId local_;
  const Int element_;
  int steps_ = 0;
};

}   // namespace

std::optional<Int> static_value(const ProgramFacts& game, const Names* names, const model::Expr& e,
                                model::LocalId local, Int element) {
  if (is_array(e.type) || is_wide(game, e.type)) return std::nullopt;
  OneElement context(game, names, local, element);
  analysis::Frame frame;
  const auto result = analysis::evaluate(context, e, frame);
  if (!result || e.type.kind != model::TypeKind::set) return result ? std::optional(result->value) : std::nullopt;
  Int mask = 0;
  for (const Int i : result->values) mask |= Int{1} << i;
  return mask;
}

}   // namespace cardwright::plan
