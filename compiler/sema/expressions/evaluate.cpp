// Evaluates checked expressions with compiler/analysis/evaluate.h. Called values and functions are built first, and a
// trap is recorded for the error message.
#include "compiler/sema/expressions/evaluate.h"

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/options/arithmetic.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

namespace {

constexpr std::int64_t kMostSteps = 2'000'000;   // limit for all evaluations together; a message names it

class BeforeGame : public analysis::EvaluationContext {
 public:
  explicit BeforeGame(SemaContext& sema) : EvaluationContext(sema.model), sema_(sema) {}

  bool count_step() override { return ++sema_.evaluation.steps <= kMostSteps; }
  bool prepare(const Expr& call) override {
    if (call.kind == ExprKind::call_function) {
      sema_.builders.function(sema_, call.ref);
      return sema_.rules.functions[call.ref].state == Callable::State::done;
    }
    sema_.builders.value(sema_, call.ref);
    sema_.builders.modifiers(sema_, call.ref);
    return sema_.rules.values[call.ref].state == Callable::State::done;
  }
  std::optional<Int> compute(ExprKind kind, Int a, Int b, Range range) override {
    return sema::compute(sema_, kind, a, b, range);
  }
  void trap(Trap trap, Range range) override {
    if (!sema_.evaluation.trapped) sema_.evaluation.trapped = {trap, range};
  }
  bool is_current_card(const Expr& card, const analysis::Frame& frame) override {
    return sema_.cards.copy && card.kind == ExprKind::local && !frame.contains(card.local.index);
  }
  std::optional<Int> attribute_of_current_card(const Expr& attribute) override {
    return attribute_of_copy(sema_, attribute.ref, attribute.range);
  }
  std::optional<Int> kind_of_current_card() override { return sema_.cards.copy->kind.index; }
  bool is_before_game() override { return true; }

 private:
  SemaContext& sema_;
};

}   // namespace

std::optional<ConstantValue> evaluate(SemaContext& sema, const Expr& e) {
  sema.evaluation.trapped.reset();
  BeforeGame context(sema);
  analysis::Frame frame;
  return analysis::evaluate(context, e, frame);
}

void not_known(SemaContext& sema, Range range, std::string message, std::string help) {
  const auto trapped = std::exchange(sema.evaluation.trapped, std::nullopt);
  if (trapped)
    error(sema, "out_of_range"_code, trapped->range, std::string(trap_message(trapped->trap)));
  else if (sema.evaluation.steps > kMostSteps)
    error(sema, "limit_exceeded"_code, range, "the value takes too many steps to compute before the game",
          "the limit is 2,000,000 steps for all `const`s, attributes and counts together");
  else
    error(sema, "not_constant"_code, range, std::move(message), std::move(help));
}

// ---------------------------------------------------------------- attributes of the current copy

static const Expr* default_of(SemaContext& sema, std::uint32_t attribute, model::CardTypeId type) {
  std::uint32_t t = type.index;
  for (std::size_t steps = 0; steps <= sema.types.cards.size() && t < sema.types.cards.size(); ++steps) {
    auto it = sema.types.cards[t].initial.find(attribute);
    if (it != sema.types.cards[t].initial.end()) {
      auto [made, fresh] = sema.cards.defaults.try_emplace({t, attribute}, nullptr);
      if (fresh) {
        Body* body = &sema.scratch.emplace_back();
        RuleContext rule(sema);
        rule.body = body;
        rule.pure = true;
        const Expr* result = nullptr;
        const LocalId self = add_local(rule, "this", card_type(t), it->second->range);
        rule.elements.push_back({local(rule, self, it->second->range), false});
        const Type wanted = sema.model.attributes[attribute].type;
        result = convert(rule, expr(rule, it->second, &wanted), wanted, sema.model.attributes[attribute].name);
        made->second = result;
      }
      return made->second;
    }
    if (!sema.model.card_types[t].base) break;
    t = sema.model.card_types[t].base->index;
  }
  return nullptr;
}

bool needs_value(SemaContext& sema, std::uint32_t attribute, std::uint32_t kind) {
  const Type& type = sema.model.attributes[attribute].type;
  return !type.optional && type.kind != TypeKind::set && type.kind != TypeKind::poison &&
         !sema.types.kinds[kind].wrong && !sema.types.kinds[kind].attributes.contains(attribute) &&
         !default_of(sema, attribute, sema.model.kinds[kind].type);
}

std::optional<Int> attribute_of_copy(SemaContext& sema, std::uint32_t attribute, Range range) {
  if (auto it = sema.cards.copy->attributes.find(attribute); it != sema.cards.copy->attributes.end()) return it->second;
  const KindInfo& kind = sema.types.kinds[sema.cards.copy->kind.index];
  if (auto it = kind.attributes.find(attribute); it != kind.attributes.end()) return it->second;
  const Expr* initial = default_of(sema, attribute, sema.model.kinds[sema.cards.copy->kind.index].type);
  const model::Attribute& a = sema.model.attributes[attribute];
  if (!initial) {
    if (a.type.optional) return kNone;
    if (a.type.kind == TypeKind::set) return 0;
    const Range at = sema.cards.copy->range.known() ? sema.cards.copy->range : range;
    if (a.type.kind != TypeKind::poison && !kind.wrong)
      error(sema, "bad_attribute"_code, at,
            fmt::format("`{}` has no value for the attribute `{}`", sema.model.kinds[sema.cards.copy->kind.index].name,
                        a.name),
            "set it in the deck or in the card, or declare a default");
    return std::nullopt;
  }
  if (is_poison(initial)) return std::nullopt;
  if (!sema.cards.computing.insert(attribute).second) {
    error(sema, "circular"_code, initial->range,
          fmt::format("circular attribute `{}`: it is computed from itself", a.name));
    return std::nullopt;
  }
  const auto before = sema.errors;
  auto value = evaluate(sema, *initial);
  sema.cards.computing.erase(attribute);
  if (!value && (sema.errors != before || kind.wrong)) return std::nullopt;   // another error is the cause
  if (!value) {
    not_known(sema, initial->range, fmt::format("the attribute `{}` must be known before the game starts", a.name),
              "it may use other attributes, options, `const`s, and values that no rule changes during the game");
    return std::nullopt;
  }
  if (a.type.kind == TypeKind::set) {
    Int mask = 0;
    for (const Int e : value->values) mask |= Int{1} << e;
    return mask;
  }
  if (!fits_attribute(sema, a.type, a.name, value->value, initial->range)) return std::nullopt;
  return value->value;
}

}   // namespace cardwright::sema
