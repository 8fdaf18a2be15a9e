// Why an action is not offered: the conditions once more, each with its place.
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// why(me, card): 0 if the action could be offered, else 1 + the reason: the first part of its condition that fails.
void Lowering::lower_why(std::size_t index) {
  const model::Action& action = model_.actions[index];
  if (!possible(action)) return;
  ir::FunctionIndex f = new_function("why " + action.name, ir::Returns::integer, action.head.range, false);
  program_.actions[action_info_[index]].why = f;
  Env at;
  bind_locals(at, action.body);
  write_function(f, at, [&] {
    Register me = parameter(simple(TypeKind::player));
    Register card = parameter(simple(TypeKind::card, true));
    bind(action.head.me, me);
    if (action.head.self.valid()) bind(action.head.self, card);
    env().facts = offers_.facts_of(action);
    // nobody is told more than by the options
    const Asked asked(*this, offers_.may_be_wrong(index) ? Asking{me, Asking::Mode::may} : Asking{});
    auto fails = [&](BlockIndex no, std::string text, std::string words, Range where) {
      BlockIndex on = b().add_block();
      b().jump(on);
      b().go_to(no);
      program_.reasons.push_back({std::move(text), std::move(words), where});
      b().effect(Op::ret_int, {b().constant(Int(program_.reasons.size()))});
      b().go_to(on);
    };
    if (action.head.carrier.kind == CarrierKind::character) {
      BlockIndex yes = b().add_block(), no = b().add_block();
      if (!asking() || secrecy_.is_known_whose(action.head, env().facts))
        b().branch(carrier_in_force(action.head, me), yes, no);
      else b().jump(yes);
      b().go_to(yes);
      fails(no, "", "it is another character's ability", action.head.range);
    }
    static const char* scopes[] = {"window", "phase", "turn", "round", "game"};
    for (std::size_t l = 0; l < action.limits.size(); ++l) {
      const LimitUse& use = limits_.at({index, l});
      if (use.per_target) continue;
      BlockIndex yes = b().add_block(), no = b().add_block();
      b().branch(use.cards ? b().integer(Op::set_has, {b().set(Op::load_set, {use.variable, b().constant(0)}), card}, 1)
                           : limit_used(use, me),
                 no, yes);
      b().go_to(yes);
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
      BlockIndex yes = b().add_block(), no = b().add_block();
      branch_on(*part, yes, no);
      b().go_to(yes);
      fails(no, part->text.empty() ? reason_text(part->range) : "", part->text, part->range);
    }
    if (!forbid_reads_parameters(index) && forbidden_somewhere(index)) {
      BlockIndex no = b().add_block();
      forbids(index, me, {}, {}, no);
      fails(no, "", "another rule forbids it", action.head.range);
    }
    for (std::size_t i = 0; i < action.parameters.size(); ++i) {
      const ActionParameter& p = action.parameters[i];
      if (is_walked(p)) break;
      bool cards = is_wide_element(p.type);
      if (action.play && i == 0) {
        if (p.where) {
          for (const model::Expr* part : conjuncts(*p.where)) {
            BlockIndex yes = b().add_block(), no = b().add_block();
            bind(p.element.valid() ? p.element : p.local, card);
            branch_on(*part, yes, no);
            b().go_to(yes);
            fails(no, part->text.empty() ? reason_text(part->range) : "", part->text, part->range);
          }
        }
        continue;
      }
      model::LocalId element = p.count == PickCount::one ? p.local : p.element;
      Offered domain = elements_offered(p, element);
      const auto all = [&] {
        return domain.unseen == ir::kNoRegister ? domain.fitting : b().set(Op::set_or, {domain.fitting, domain.unseen});
      };
      const auto some = [&] {
        return cards ? b().integer(Op::set_any, {all()}, 1) : b().integer(Op::ne, {domain.fitting, b().constant(0)}, 1);
      };
      if (p.domain) {
        BlockIndex yes = b().add_block(), no = b().add_block();
        b().branch(some(), yes, no);
        b().go_to(yes);
        fails(no, reason_text(p.domain->range), "there is none to choose", p.domain->range);
      }
      if (p.where) {
        for (const model::Expr* part : conjuncts(*p.where)) {
          domain = offered_of(domain, cards, element, part);
          BlockIndex yes = b().add_block(), no = b().add_block();
          b().branch(some(), yes, no);
          b().go_to(yes);
          fails(no, reason_text(part->range), "it holds for none that could be chosen", part->range);
        }
      }
      if (p.count == PickCount::exactly) {
        BlockIndex yes = b().add_block(), no = b().add_block();
        const Register wanted = as_known(*p.amount, [&] { return b().constant(0); });
        b().branch(b().integer(Op::le, {wanted, b().integer(cards ? Op::set_count : Op::mask_count, {all()})}, 1), yes,
                   no);
        b().go_to(yes);
        fails(no, reason_text(p.amount->range), "there are too few", p.amount->range);
      }
      break;                                               // later parameters may depend on the choice
    }
    b().effect(Op::ret_int, {b().constant(0)});
  });
}

bool Lowering::forbidden_somewhere(std::size_t action) const {
  return std::any_of(model_.forbids.begin(), model_.forbids.end(), [&](const model::Forbid& f) {
    return std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
  });
}

}  // namespace cardwright::lower
