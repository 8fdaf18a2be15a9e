#include "compiler/lower/rules/modifiers.h"

#include <algorithm>

#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/rules/patterns.h"

namespace cardwright::lower {

using model::CarrierKind;

// Applies a modifier to the result, once for each carrier of the modifier.
void apply_modifier(const FunctionContext& code, const model::Modifier& m, Op op, Register result,
                    const std::vector<Register>& arguments, Facts facts) {
  const auto names_card = [&](const model::Expr* e) { return e && mentions(*e, m.head.self); };
  const bool selects_card =
      m.head.self.valid() &&
      (names_card(m.head.when) || names_card(m.amount) ||
       std::any_of(m.patterns.begin(), m.patterns.end(), [&](const model::Pattern& p) { return names_card(p.value); }));
  // If the amount does not depend on the card, it is computed once for all cards.
  const bool together = m.head.carrier.kind == CarrierKind::card && !selects_card && pure(code.unit, *m.amount);
  Env inner;
  bind_locals(inner, m.body);
  inner.facts = std::move(facts);
  const FunctionContext rule = code.in(inner);
  const auto i = me_argument(m.head, m.patterns);
  const CarrierQuery query{.me = i ? arguments[*i] : ir::kNoRegister, .together = together};
  carriers(rule, m.head, query, [&](Register me, Register self) {
    BlockIndex no = code.add_block();
    if (me != ir::kNoRegister) bind(rule, m.head.me, me);
    if (self != ir::kNoRegister && !together) bind(rule, m.head.self, self);
    guard(rule, m.head, m.patterns, arguments, no);
    note_reached(rule, m.head.range);
    Register amount = expr(rule, *m.amount);
    if (together && op == Op::add) amount = code.integer(Op::mul, {amount, code.integer(Op::set_count, {self})});
    code.put(op, result, {result, amount});
    code.jump(no);
    code.go_to(no);
  });
}

}   // namespace cardwright::lower
