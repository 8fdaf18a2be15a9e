// Why an action is not offered: the conditions once more, each with its place.
#include "compiler/lower/why.h"

#include <algorithm>

#include "compiler/lower/asked.h"
#include "compiler/lower/choices.h"
#include "compiler/lower/constants.h"
#include "compiler/lower/events.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/narrowing.h"
#include "compiler/lower/metadata.h"
#include "compiler/lower/offers.h"
#include "compiler/lower/windows.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// why(me, card): 0 if the action could be offered, else 1 + the reason: the first part of its condition that fails.
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
    // nobody is told more than by the options
    const FunctionContext code =
        unasked.asked(unit.facts.offers.may_be_wrong(index) ? Asking{me, Asking::Mode::may} : Asking{});
    bind(code, action.head.me, me);
    if (action.head.self.valid()) bind(code, action.head.self, card);
    code.env().facts = code.unit.facts.offers.facts_of(action);
    auto fails = [&](BlockIndex no, std::string text, std::string words, Range where) {
      BlockIndex on = code.add_block();
      code.jump(on);
      code.go_to(no);
      code.program.reasons.push_back({std::move(text), std::move(words), where});
      code.effect(Op::ret_int, {code.constant(Int(code.program.reasons.size()))});
      code.go_to(on);
    };
    if (action.head.carrier.kind == CarrierKind::character) {
      BlockIndex yes = code.add_block(), no = code.add_block();
      if (!asking(code) || code.unit.facts.secrecy.is_known_whose(action.head, code.env().facts))
        code.branch(carrier_in_force(code, action.head, me), yes, no);
      else
        code.jump(yes);
      code.go_to(yes);
      fails(no, "", "it is another character's ability", action.head.range);
    }
    static const char* scopes[] = {"window", "phase", "turn", "round", "game"};
    for (std::size_t l = 0; l < action.limits.size(); ++l) {
      const LimitUse& use = code.unit.limits.of_action.at({index, l});
      if (use.per_target) continue;
      BlockIndex yes = code.add_block(), no = code.add_block();
      code.branch(use.cards
                      ? code.integer(Op::set_has, {code.set(Op::load_set, {use.variable, code.constant(0)}), card}, 1)
                      : limit_used(code, use, me),
                  no, yes);
      code.go_to(yes);
      fails(no, "",
            fmt::format("it was used already, and may be used once per {}", scopes[int(action.limits[l].scope)]),
            action.head.range);
    }
    Group g;
    g.action = &action;
    g.index = index;
    g.me = me;
    std::vector<const model::Expr*> parts;
    if (action.head.when) parts = conjuncts(*action.head.when);
    bool parameters_read = false;
    for (const model::Expr* part : parts) {
      bool reads = false;
      for (std::size_t i = action.play ? 1 : 0; i < action.parameters.size(); ++i)
        reads = reads || mentions(*part, action.parameters[i].local);
      parameters_read = parameters_read || reads;
      if (reads) continue;
      BlockIndex yes = code.add_block(), no = code.add_block();
      branch_on(code, *part, yes, no);
      code.go_to(yes);
      fails(no, part->text.empty() ? reason_text(code.unit, part->range) : "", part->text, part->range);
    }
    if (!forbid_reads_parameters(code.unit, index) && forbidden_somewhere(code.unit, index)) {
      BlockIndex no = code.add_block();
      forbids(code, index, me, {}, {}, no);
      fails(no, "", "another rule forbids it", action.head.range);
    }
    for (std::size_t i = 0; i < action.parameters.size(); ++i) {
      const ActionParameter& p = action.parameters[i];
      if (is_walked(p)) break;
      bool cards = is_wide_element(code.unit, p.type);
      if (action.play && i == 0) {
        if (p.where) {
          for (const model::Expr* part : conjuncts(*p.where)) {
            BlockIndex yes = code.add_block(), no = code.add_block();
            bind(code, p.element.valid() ? p.element : p.local, card);
            branch_on(code, *part, yes, no);
            code.go_to(yes);
            fails(no, part->text.empty() ? reason_text(code.unit, part->range) : "", part->text, part->range);
          }
        }
        continue;
      }
      model::LocalId element = p.count == PickCount::one ? p.local : p.element;
      Offered domain = elements_offered(code, p, element);
      const auto all = [&] {
        return domain.unseen == ir::kNoRegister ? domain.fitting
                                                : code.set(Op::set_or, {domain.fitting, domain.unseen});
      };
      const auto some = [&] {
        return cards ? code.integer(Op::set_any, {all()}, 1)
                     : code.integer(Op::ne, {domain.fitting, code.constant(0)}, 1);
      };
      if (p.domain) {
        BlockIndex yes = code.add_block(), no = code.add_block();
        code.branch(some(), yes, no);
        code.go_to(yes);
        fails(no, reason_text(code.unit, p.domain->range), "there is none to choose", p.domain->range);
      }
      if (p.where) {
        for (const model::Expr* part : conjuncts(*p.where)) {
          domain = offered_of(code, domain, cards, element, part);
          BlockIndex yes = code.add_block(), no = code.add_block();
          code.branch(some(), yes, no);
          code.go_to(yes);
          fails(no, reason_text(code.unit, part->range), "it holds for none that could be chosen", part->range);
        }
      }
      if (p.count == PickCount::exactly) {
        BlockIndex yes = code.add_block(), no = code.add_block();
        const Register wanted = as_known(code, *p.amount, [&] { return code.constant(0); });
        code.branch(code.integer(Op::le, {wanted, code.integer(cards ? Op::set_count : Op::mask_count, {all()})}, 1),
                    yes, no);
        code.go_to(yes);
        fails(no, reason_text(code.unit, p.amount->range), "there are too few", p.amount->range);
      }
      break;   // later parameters may depend on the choice
    }
    code.effect(Op::ret_int, {code.constant(0)});
  });
}

bool forbidden_somewhere(const ProgramContext& unit, std::size_t action) {
  return std::any_of(unit.model.forbids.begin(), unit.model.forbids.end(), [&](const model::Forbid& f) {
    return std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
  });
}

}  // namespace cardwright::lower
