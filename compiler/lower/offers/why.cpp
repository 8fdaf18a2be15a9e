// Emits the reasons why an action is not offered: the code repeats the action's conditions, each with its source
// position.
#include "compiler/lower/offers/why.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/unknown_cards.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// Emits the code at `no`, which returns the reason.
static void give_reason(const FunctionContext& code, BlockIndex no, std::string text, std::string words, Range where) {
  BlockIndex on = code.add_block();
  code.jump(on);
  code.go_to(no);
  code.program.reasons.push_back({std::move(text), std::move(words), where});
  code.effect(Op::ret_int, {code.constant(Int(code.program.reasons.size()))});
  code.go_to(on);
}

// Tests a part of a condition. The reason for its failure is its explanation text or its source.
static void why_part(const FunctionContext& code, const model::Expr& part) {
  BlockIndex yes = code.add_block(), no = code.add_block();
  branch_on(code, part, yes, no);
  code.go_to(yes);
  give_reason(code, no, part.text.empty() ? reason_text(code.unit, part.range) : "", part.text, part.range);
}

static void why_carrier(const FunctionContext& code, const model::RuleHead& head, Register me) {
  if (head.carrier.kind != CarrierKind::character) return;
  BlockIndex yes = code.add_block(), no = code.add_block();
  if (!asking(code) || code.unit.facts.secrecy.is_known_whose(head, code.env().facts))
    code.branch(carrier_in_force(code, head, me), yes, no);
  else
    code.jump(yes);
  code.go_to(yes);
  give_reason(code, no, "", "it is another character's ability", head.range);
}

static void why_limits(const FunctionContext& code, std::size_t index, Register me, Register card) {
  static const char* scopes[] = {"window", "phase", "turn", "round", "game"};
  const model::Action& action = code.model.actions[index];
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = code.unit.limits.of_action.at({index, l});
    if (use.per_target) continue;
    BlockIndex yes = code.add_block(), no = code.add_block();
    code.branch(use.cards
                    ? code.integer(Op::set_has, {code.set(Op::load_set, {use.variable, code.constant(0)}), card}, 1)
                    : limit_used(code, use, me),
                no, yes);
    code.go_to(yes);
    give_reason(code, no, "",
                fmt::format("it has already been used; the limit is once per {}", scopes[int(action.limits[l].scope)]),
                action.head.range);
  }
}

// Tests the parts of `when` that do not depend on choices. The card to be played is known.
static void why_when(const FunctionContext& code, const model::Action& action) {
  if (!action.head.when) return;
  const auto chosen = std::span(action.parameters).subspan(action.play && !action.parameters.empty() ? 1 : 0);
  for (const model::Expr* part : conjuncts(*action.head.when)) {
    const auto named = [&](const ActionParameter& p) { return mentions(*part, p.local); };
    if (std::none_of(chosen.begin(), chosen.end(), named)) why_part(code, *part);
  }
}

static void why_forbidden(const FunctionContext& code, std::size_t index, Register me) {
  if (forbid_reads_parameters(code.unit, index) || !forbidden_somewhere(code.unit, index)) return;
  BlockIndex no = code.add_block();
  forbids(code, index, me, {}, {}, no);
  give_reason(code, no, "", "another rule forbids it", code.model.actions[index].head.range);
}

static void why_card(const FunctionContext& code, const ActionParameter& p, Register card) {
  if (!p.where) return;
  for (const model::Expr* part : conjuncts(*p.where)) {
    BlockIndex yes = code.add_block(), no = code.add_block();
    bind(code, p.element.valid() ? p.element : p.local, card);
    branch_on(code, *part, yes, no);
    code.go_to(yes);
    give_reason(code, no, part->text.empty() ? reason_text(code.unit, part->range) : "", part->text, part->range);
  }
}

// Tests whether there are enough elements to choose.
static void why_chosen(const FunctionContext& code, const ActionParameter& p) {
  const bool cards = is_wide_element(code.unit, p.type);
  const model::LocalId element = p.count == PickCount::one ? p.local : p.element;
  Offered domain = elements_offered(code, p, element);
  const auto all = [&] {
    return domain.unknown == ir::kNoRegister ? domain.fitting : code.set(Op::set_or, {domain.fitting, domain.unknown});
  };
  const auto some = [&] {
    return cards ? code.integer(Op::set_any, {all()}, 1) : code.integer(Op::ne, {domain.fitting, code.constant(0)}, 1);
  };
  const auto need = [&](const std::function<Register()>& holds, const model::Expr& where, const char* words) {
    BlockIndex yes = code.add_block(), no = code.add_block();
    code.branch(holds(), yes, no);
    code.go_to(yes);
    give_reason(code, no, reason_text(code.unit, where.range), words, where.range);
  };
  if (p.domain) need(some, *p.domain, "there is nothing to choose");
  if (p.where) {
    for (const model::Expr* part : conjuncts(*p.where)) {
      domain = offered_of(code, domain, cards, element, part);
      need(some, *part, "no available choice satisfies this condition");
    }
  }
  if (p.count == PickCount::exactly) {
    const auto enough = [&] {
      const Register wanted = as_known(code, *p.amount, [&] { return code.constant(0); }),
                     there = code.integer(cards ? Op::set_count : Op::mask_count, {all()});
      return code.integer(Op::le, {wanted, there}, 1);
    };
    need(enough, *p.amount, "there are not enough");
  }
}

// Emits the function why(me, card). It returns 0 if the action could be offered, otherwise 1 + the index of the reason,
// which is the first part of the conditions that fails.
void lower_why(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  if (!possible(unit, action)) return;
  ir::FunctionIndex f = new_function(unit, "why " + action.name, ir::Returns::integer, action.head.range, false);
  unit.program.actions[unit.ids.action[index]].why = f;
  Env at;
  bind_locals(at, action.body);
  write_function(unit, f, at, [&](const FunctionContext& unasked) {
    Register me = parameter(unasked, simple(TypeKind::player));
    Register card = parameter(unasked, simple(TypeKind::card, true));
    // Evaluated with the player's knowledge, like the options, so the reason reveals no more than the options do.
    const FunctionContext code =
        unasked.asked(unit.facts.offers.may_be_wrong(index) ? Asking{me, Asking::Mode::may} : Asking{});
    bind(code, action.head.me, me);
    if (action.head.self.valid()) bind(code, action.head.self, card);
    code.env().facts = code.unit.facts.offers.facts_of(action);
    why_carrier(code, action.head, me);
    why_limits(code, index, me, card);
    why_when(code, action);
    why_forbidden(code, index, me);
    for (const ActionParameter& p : action.parameters) {
      if (is_walked(code.unit, p)) break;
      if (action.play && &p == &action.parameters.front()) {
        why_card(code, p, card);
        continue;
      }
      why_chosen(code, p);
      break;   // later parameters may depend on the choice
    }
    code.effect(Op::ret_int, {code.constant(0)});
  });
}

}   // namespace cardwright::lower
