#include "compiler/lower/plans/narrowing.h"

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/plans/emit_plan.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

// Returns the planning scope at the current position.
static plan::Scope scope_of(const FunctionContext& code, std::size_t& registers) {
  registers = code.function().registers.size();
  return {&code.unit, code.environment, code.taken, code.called_deep, code.inlining, code.only_whether, &registers};
}

static void note_plan(const FunctionContext& code, const model::Expr& condition, const plan::Plan& plan) {
  if (code.unit.planned)
    code.unit.planned->push_back({code.function().name, condition.range, print(code.model, plan, code.env().body)});
}

Register narrowed(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  std::vector<const model::Expr*>& parts) {
  const bool has_type = code.environment->body && local.index < code.environment->body->locals.size();
  if (code.unit.plain || !(cards || has_type)) return domain;
  const FunctionContext unasked = code.unasked();
  plan::Domain left{cards, cards && code.type(domain).holds_card};
  if (const auto* among = code.among(domain)) left.among = *among;
  std::size_t done = 0;
  for (; done < parts.size(); ++done) {
    const model::Expr& part = *parts[done];
    const bool as_known = asking(code) && reads(code, part);
    std::size_t registers = 0;
    const plan::Scope scope = scope_of(unasked, registers);
    const plan::PlanRef how = !as_known ? plan_where(scope, part, local, left)
                              : cards   ? nullptr
                                        : plan_as_known(scope, part, local);
    if (!how) break;
    note_plan(code, part, *how);
    domain = emit_plan(as_known ? code : unasked, *how, local, domain);
    left.among = how->among;
  }
  if (left.among) code.set_among(domain, *left.among);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(done));
  return domain;
}

// A sum is computed by counting, for each binary digit, the cards whose number contains it. A maximum or minimum is
// found by testing, for each number, whether a card shows it.
std::optional<Register> printed_total(const FunctionContext& code, const model::Expr& aggregate, Register domain) {
  std::size_t registers = 0;
  const auto plan = plan_total(scope_of(code, registers), aggregate);
  if (!plan) return std::nullopt;
  const bool sum = plan->kind == plan::Total::Kind::sum;
  const Register total = code.make_int();
  code.assign_constant(total, sum ? 0 : kNone);
  for (const auto& [number, ids] : plan->cards) {
    const Register those = code.set(Op::set_and, {domain, const_cards(code, ids)});
    if (sum)
      code.put(Op::add_small, total,
               {total, code.integer(Op::mul_small, {code.integer(Op::set_count, {those}), code.constant(number)})});
    else
      code.put(Op::select, total, {code.integer(Op::set_any, {those}, 1), code.constant(number), total});
  }
  return total;
}

Register filtered(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  const model::Expr* where) {
  if (!where) return domain;
  std::vector<const model::Expr*> parts = conjuncts(*where);
  domain = narrowed(code, domain, cards, local, parts);
  if (parts.empty()) return domain;
  Register found = code.make(code.type(domain));
  if (cards)
    code.put(Op::set_empty, found, {});
  else
    code.assign_constant(found, 0);
  look_through(code, domain, [&](const FunctionContext& code, Register element) {
    bind(code, local, element);
    BlockIndex next = code.add_block();
    for (const model::Expr* part : parts) {
      BlockIndex yes = code.add_block();
      branch_on(code, *part, yes, next);
      code.go_to(yes);
    }
    if (cards)
      code.put(Op::set_add, found, {found, element});
    else
      code.put(Op::mask_or, found, {found, code.integer(Op::mask_of, {element})});
    code.jump(next);
    code.go_to(next);
  });
  return found;
}

}   // namespace cardwright::lower
