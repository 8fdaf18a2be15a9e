// Windows where several answer at once; and how an answer that was kept takes effect, which real time needs too.
//
// Who has still to answer is a mask; the site asks one of them after the other, all on the state as it was when the
// window opened, and keeps the answers. When all are in they take effect one by one, each looked at again.
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

const ActionParameter* Lowering::set_taken(const model::Action& action) const {
  const auto set = std::find_if(action.parameters.begin(), action.parameters.end(),
                                [](const ActionParameter& p) { return p.count != PickCount::one; });
  return set == action.parameters.end() ? nullptr : &*set;
}

Lowering::SetSort Lowering::sort_of_set(const model::Type& element) const {
  if (!is_wide_element(element)) return kSetOfOthers;
  return element.kind == TypeKind::card ? kSetOfCards : kSetOfCells;
}

// A variable for each sort of set that the actions take. Of cells and cards one would not do: who exchanges hidden
// cards looks for them there.
std::vector<Int> Lowering::declare_picked(Answers& answers, const std::string& where,
                                          const std::function<bool(std::size_t action)>& may_be_kept) {
  std::vector<Int> declared;
  for (std::size_t a = 0; a < model_.actions.size(); ++a) {
    const ActionParameter* set = may_be_kept(a) ? set_taken(model_.actions[a]) : nullptr;
    if (!set || answers.sets[sort_of_set(set->type)] >= 0) continue;
    Int& variable = answers.sets[sort_of_set(set->type)];
    if (is_wide_element(set->type)) variable = add_scratch_sets("picked " + where, set->type, model_.players);
    else variable = add_scratch("picked " + where, 0, (Int{1} << 62) - 1, 0, model_.players);
    declared.push_back(variable);
  }
  return declared;
}

bool Lowering::fits_answers(std::size_t action) const {
  return possible(model_.actions[action]) && by_id(model_.actions[action]);
}

void Lowering::declare_answers() {
  for (std::size_t a = 0; a < model_.actions.size(); ++a) {
    const bool kept = fits_answers(a);
    const model::Action& action = model_.actions[a];
    const bool looked_at = kept || (possible(action) && offers_.may_be_wrong(a));
    holds_function_.push_back(looked_at ? new_function(action.name, ir::Returns::integer, action.head.range) : 0);
    land_function_.push_back(kept ? new_function(action.name, ir::Returns::integer, action.head.range, false) : 0);
  }
}

Register Lowering::holds(std::size_t action, const std::vector<Register>& arguments) {
  return call(holds_function_[action], arguments);
}

// Parameters of the functions of an action: me, the card that carries it, what was chosen. Bound in the current Env.
std::vector<Register> Lowering::action_arguments(const model::Action& action) {
  std::vector<Register> all{parameter(simple(TypeKind::player))};
  bind(action.head.me, all[0]);
  if (action.head.carrier.kind == CarrierKind::card) {
    all.push_back(parameter(simple(TypeKind::card)));
    bind(action.head.self, all.back());
  }
  for (const ActionParameter& p : action.parameters) {
    if (p.count == PickCount::one) {
      all.push_back(parameter(p.type));
    } else {
      all.push_back(set_parameter(p.type));
    }
    bind(p.local, all.back());
    if (p.count != PickCount::one) break;
  }
  return all;
}

Register Lowering::set_parameter(const model::Type& element) {
  const Register set = b().make(is_wide_element(element) ? set_of(element) : int_type(8));
  b().function().parameters.push_back(set);
  return set;
}

// Does the action hold now, with these arguments? All that an offer looks at, on the truth.
void Lowering::lower_holds(std::size_t index) {
  const model::Action& action = model_.actions[index];
  Group g;
  g.action = &action;
  g.index = index;
  bind_locals(g.env, action.body);
  write_function(holds_function_[index], g.env, [&] {
    const std::vector<Register> arguments = action_arguments(action);
    g.me = arguments[0];
    BlockIndex no = b().add_block();
    auto need = [&](Register condition) {
      BlockIndex yes = b().add_block();
      b().branch(condition, yes, no);
      b().go_to(yes);
    };
    std::size_t at = 1;
    g.levels = levels_of(action);
    if (action.head.carrier.kind == CarrierKind::card)
      need(b().integer(Op::set_has, {carrier_cards(action.head, g.me), arguments[at++]}, 1));
    action_conditions(index, g.me, no);
    for (std::size_t level = 0; level < g.levels.size(); ++level) {
      Level& l = g.levels[level];
      if (!l.parameter) {
        extra_conditions(g, level, arguments[1], no);
        continue;
      }
      const ActionParameter& p = *l.parameter;
      const Register value = arguments[at++];
      const bool cards = is_wide_element(p.type);
      if (p.count == PickCount::one) {
        if (p.domain) need(b().integer(cards ? Op::set_has : Op::mask_has, {expr(*p.domain), value}, 1));
        else if (p.type.kind == TypeKind::player)
          need(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), value}, 1));
        const Taken taken(*this, l.local, p.domain);
        element_conditions(g, level, value, no);
        continue;
      }
      if (p.domain) {
        Register left = cards ? b().set(Op::set_without, {value, expr(*p.domain)})
                              : b().integer(Op::mask_without, {value, expr(*p.domain)});
        need(b().integer(
            Op::not_, {cards ? b().integer(Op::set_any, {left}, 1) : b().integer(Op::ne, {left, b().constant(0)}, 1)},
            1));
      }
      const Register size = b().integer(cards ? Op::set_count : Op::mask_count, {value});
      if (p.count == PickCount::exactly) need(b().integer(Op::eq, {size, expr(*p.amount)}, 1));
      if (p.count == PickCount::up_to) need(b().integer(Op::le, {size, expr(*p.amount)}, 1));
      if (p.where || has_extra(g, level))
        for_each(value, cards, [&](Register element) { element_conditions(g, level, element, no); });
      if (p.keeping) {
        BlockIndex yes = b().add_block();
        branch_on(*p.keeping, yes, no);
        b().go_to(yes);
      }
    }
    b().effect(Op::ret_int, {b().constant(1)});
    b().go_to(no);
    b().effect(Op::ret_int, {b().constant(0)});
  });
}

// (player, option id, did it hold when it was decided, and if it takes a set, what was picked): kNotLanded, or how long
// it keeps them busy.
void Lowering::lower_land(std::size_t index) {
  const model::Action& action = model_.actions[index];
  const Int info = action_info_[index];
  Env at;
  bind_locals(at, action.body);
  write_function(land_function_[index], at, [&] {
    Register me = parameter(simple(TypeKind::player)), id = b().make_int();
    b().function().parameters.push_back(id);
    const Register held = parameter(simple(TypeKind::boolean));
    const ActionParameter* set = set_taken(action);
    const Register picked = set ? set_parameter(set->type) : ir::kNoRegister;
    bind(action.head.me, me);
    // the digits, the last parameter first
    std::vector<std::pair<model::Type, bool>> wanted;      // its type, is it a set
    if (action.head.carrier.kind == CarrierKind::card) wanted.push_back({simple(TypeKind::card), false});
    for (const ActionParameter& p : action.parameters) {
      wanted.push_back({p.type, p.count != PickCount::one});
      if (p.count != PickCount::one) break;
    }
    Register rest = b().integer(Op::sub_small, {id, b().constant(program_.actions[info].base)});
    std::vector<Register> arguments(wanted.size());
    for (std::size_t i = wanted.size(); i-- > 0;) {
      const ParameterInfo& its = program_.actions[info].parameters[i];
      const Register count = b().constant(its.count);
      Register value = b().make(register_type(wanted[i].first));
      b().put(Op::mod_small, value, {rest, count});
      if (its.first != 0) b().put(Op::add_small, value, {value, b().constant(its.first)});
      if (i > 0) rest = b().integer(Op::div_small, {rest, count});
      arguments[i] = wanted[i].second ? picked : value;
    }
    arguments.insert(arguments.begin(), me);
    std::size_t next = 1;
    if (action.head.carrier.kind == CarrierKind::card) bind(action.head.self, arguments[next++]);
    for (const ActionParameter& p : action.parameters) {
      bind(p.local, arguments[next++]);
      if (p.count != PickCount::one) break;
    }
    BlockIndex done = b().add_block(), fizzled = b().add_block();
    b().branch(holds(index, arguments), done, fizzled);
    b().go_to(done);
    note_landed(0, me, id, action);
    call(action_function_[index], arguments);
    check_unwind(action_function_[index]);
    b().effect(Op::ret_int, {action.busy ? expr(*action.busy) : b().constant(0)});
    b().go_to(fizzled);
    if (action.has_late || action.has_wrong) {
      BlockIndex late = b().add_block(), wrong = b().add_block(), after = b().add_block();
      b().branch(held, late, wrong);
      b().go_to(late);
      note_landed(1, me, id, action);
      block(action.late);
      b().jump(after);
      b().go_to(wrong);
      use_up_limits_by(index, arguments);
      note_landed(2, me, id, action);
      block(action.wrong);
      b().jump(after);
      b().go_to(after);
    } else {
      note_landed(1, me, id, action);
      if (!action.limits.empty()) {
        BlockIndex wrong = b().add_block(), after = b().add_block();
        b().branch(held, after, wrong);
        b().go_to(wrong);
        use_up_limits_by(index, arguments);
        b().jump(after);
        b().go_to(after);
      }
    }
    b().effect(Op::ret_int, {b().constant(kNotLanded)});
  });
}

// What everybody reads of an answer that was kept until now: the label, or what the option is called.
void Lowering::note_landed(int how, Register player, Register option, const model::Action& action) {
  static const char* const ends[] = {"", ", but too late", ", and is wrong"};
  const Label label = label_of(action, true);
  const std::string words = tell(label.pattern, label.parts);
  b().effect(Op::log_value, {player});
  b().effect(Op::log_value, {option});
  const std::size_t n = label.parts.size();
  const std::string text = words.empty() || action.play ? fmt::format("{{{}:player}}{{{}:answer}}", n, n + 1)
                                                        : fmt::format("{{{}:player}}{{{}:taken}}: {}", n, n + 1, words);
  b().effect(Op::log_text, {text_index(text + ends[how])});
}

void Lowering::lower_landings() {
  for (std::size_t a = 0; a < model_.actions.size(); ++a) {
    if (holds_function_[a] != 0) lower_holds(a);
    if (land_function_[a] != 0) lower_land(a);
  }
}

void Lowering::keep_answer(const Answers& answers, const Group& g, const Chosen& chosen) {
  b().effect(Op::store, {answers.option, g.me, chosen.truth});
  if (const ActionParameter* set = set_taken(*g.action))
    b().effect(is_wide_element(set->type) ? Op::store_set : Op::store,
               {answers.sets[sort_of_set(set->type)], g.me, chosen.arguments.back()});
  const Register mine = b().integer(Op::mask_of, {g.me}, 4),
                 held = b().integer(Op::load_raw, {answers.held, b().constant(0)});
  if (!offers_.may_be_wrong(g.index)) {
    b().effect(Op::store, {answers.held, b().constant(0), b().integer(Op::mask_or, {held, mine})});
    return;
  }
  const Register truth = this->holds(g.index, chosen.arguments);
  b().effect(Op::store, {answers.held, b().constant(0),
                         b().integer(Op::select, {truth, b().integer(Op::mask_or, {held, mine}),
                                                  b().integer(Op::mask_without, {held, mine})})});
}

Register Lowering::load_picked(const Answers& answers, const model::Type& element, Register player) {
  const Int variable = answers.sets[sort_of_set(element)];
  if (!is_wide_element(element)) return b().integer(Op::load_raw, {variable, player});
  const Register picked = b().make(set_of(element));
  b().put(Op::load_set, picked, {variable, player});
  return picked;
}

void Lowering::land(const Answers& answers, model::WindowId window, Register player,
                    const std::function<void(std::size_t, Register)>& then) {
  Register id = b().make_int(), held = b().make(int_type(1));
  b().assign(id, b().integer(Op::load_raw, {answers.option, player}));
  b().put(Op::mask_has, held, {b().integer(Op::load_raw, {answers.held, b().constant(0)}), player});
  b().effect(Op::store, {answers.option, player, b().constant(kNone)});
  BlockIndex after = b().add_block();
  for (std::size_t a = 0; a < model_.actions.size(); ++a) {
    if (land_function_[a] == 0 || !model::is_in(model_.actions[a], window)) continue;
    const ActionInfo& info = program_.actions[action_info_[a]];
    BlockIndex mine = b().add_block(), next = b().add_block();
    const Register offset = b().integer(Op::sub_small, {id, b().constant(info.base)});
    const Register in = b().integer(Op::and_,
                                    {b().integer(Op::lt_small, {b().constant(-1), offset}, 1),
                                     b().integer(Op::lt_small, {offset, b().constant(info.count)}, 1)},
                                    1);
    b().branch(in, mine, next);
    b().go_to(mine);
    std::vector<Register> arguments{player, id, held};
    if (const ActionParameter* set = set_taken(model_.actions[a]))
      arguments.push_back(load_picked(answers, set->type, player));
    then(a, call(land_function_[a], arguments));
    b().jump(after);
    b().go_to(next);
  }
  b().jump(after);
  b().go_to(after);
}

// ---------------------------------------------------------------- at once

void Lowering::ask_at_once(const model::Stmt& s) {
  const model::WindowId window{s.ref};
  const model::Window& w = model_.windows[s.ref];
  const bool may_pass = s.value & 8;
  const Register zero = b().constant(0);
  const Int everybody = (Int{1} << model_.players) - 1;
  Answers answers;
  AtOnceInfo info;
  info.asked = add_scratch("asked in " + w.name, 0, everybody, 0);
  info.pending = add_scratch("pending in " + w.name, 0, everybody, 0);
  info.first = add_scratch("first in " + w.name, 0, model_.players - 1, kNone);
  info.answers = answers.option = add_scratch("answers in " + w.name, 0, kUnlimited, kNone, model_.players);
  info.held = answers.held = add_scratch("held in " + w.name, 0, everybody, 0);
  info.sets =
      declare_picked(answers, "in " + w.name, [&](std::size_t a) { return model::is_in(model_.actions[a], window); });
  const Int depth = add_scratch("depth of " + w.name, 0, 1, 0);
  program_.at_once.push_back(info);

  // its own effects may not open it again: the answers lie in one place
  b().effect(Op::enter, {depth, 1});
  Register members = b().make_int(4);
  b().assign(members, expr(*s.exprs[0]));
  b().effect(Op::store, {info.asked, zero, members});
  b().effect(Op::store, {info.pending, zero, members});
  b().effect(Op::store, {info.first, zero, b().constant(kNone)});
  b().effect(Op::clear, {answers.option});
  BlockIndex head = b().add_block(), all_in = b().add_block(), asking = b().add_block(), not_asked = b().add_block(),
             answered = b().add_block();
  b().jump(head);
  b().go_to(head);
  const Int site = begin_site(w.name, nullptr, env().flow, s.range);
  SiteInfo& described = program_.sites[static_cast<std::size_t>(site)];
  described.secret = true;
  if (w.at_once) {
    if (w.at_once->within) described.within = constant_value(*w.at_once->within);
    if (w.at_once->together) described.together = constant_value(*w.at_once->together);
    if (w.at_once->missing == model::AtOnce::Missing::random) described.missing = kAnyOption;
    if (w.at_once->missing == model::AtOnce::Missing::pass) described.missing = program_.actions[pass_action_].base;
    if (w.at_once->missing == model::AtOnce::Missing::action)
      described.missing = program_.actions[action_info_[w.at_once->action.index]].base;
  }
  const Register pending = b().integer(Op::load_raw, {info.pending, zero}, 4),
                 first = b().integer(Op::load_raw, {info.first, zero}, 1);
  Register player = b().make(int_type(1));
  b().put(Op::select, player,
          {b().integer(Op::mask_has, {pending, first}, 1), first, b().integer(Op::mask_first, {pending}, 1)});
  b().branch(b().integer(Op::ne, {pending, zero}, 1), asking, all_in);
  b().go_to(asking);
  const Register sensible = sensible_in(window);
  Offers offers = offers_for(window, player, sensible);
  const Register declared = count_sensible(offers, site, sensible, may_pass, nullptr);
  BlockIndex offered = b().add_block();
  b().branch(declared, offered, not_asked);
  b().go_to(offered);
  const Register n = may_pass ? b().integer(Op::add_small, {declared, b().constant(1)}) : declared;
  const Int pass_id = program_.actions[pass_action_].base;
  list_options([&] {
    list_offers(offers);
    if (may_pass) list_option(b().constant(pass_id));
  });
  Register k = b().make_int();
  b().put(Op::decide, k, {player, n, site});
  if (may_pass) program_.sites[static_cast<std::size_t>(site)].actions.push_back(pass_action_);
  Register me = b().make(int_type(1));
  b().assign(me, player);
  choose_offer(offers, k, [&](Group& g) {
    const Chosen chosen = pick_arguments(g, k, env().flow);
    keep_answer(answers, g, chosen);
    b().jump(answered);
  });
  if (may_pass) b().effect(Op::chosen, {b().constant(pass_id)});
  b().jump(answered);
  b().go_to(not_asked);
  b().assign(me, player);
  b().jump(answered);
  b().go_to(answered);
  const Register left = b().integer(Op::load_raw, {info.pending, zero}, 4);
  b().effect(Op::store,
             {info.pending, zero, b().integer(Op::mask_without, {left, b().integer(Op::mask_of, {me}, 4)}, 4)});
  b().jump(head);

  // All are in.
  b().go_to(all_in);
  BlockIndex close = b().add_block();
  Register in_then = b().make_int(4), start = b().make(int_type(1));
  b().put(Op::players_in, in_then, {});
  b().put(Op::load_raw, start, {active_, zero});
  clockwise(members, start, false, [&](Register p, BlockIndex next) {
    // whoever an earlier answer put out does nothing any more
    BlockIndex still = b().add_block(), acts = b().add_block();
    const Register gone = b().integer(Op::mask_without, {in_then, b().integer(Op::players_in, {}, 4)}, 4);
    b().branch(b().integer(Op::mask_has, {gone, p}, 1), next, still);
    b().go_to(still);
    b().branch(b().integer(Op::eq, {b().integer(Op::load_raw, {answers.option, p}), b().constant(kNone)}, 1), next,
               acts);
    b().go_to(acts);
    if (env().window_acted != ir::kNoRegister) b().assign_constant(env().window_acted, 1);
    land(answers, window, p, [&](std::size_t, Register) {
      const Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
      BlockIndex left_early = b().add_block(), on = b().add_block();
      b().branch(ending, left_early, on);
      b().go_to(left_early);
      b().effect(Op::leave, {depth});
      b().effect(Op::clear, {answers.option});
      close_if_ended(s, close);
      b().go_to(on);
    });
  });
  b().effect(Op::leave, {depth});
  settle_after_action(b().constant(kNone), false);
  if (const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
      until && env().window_reached != ir::kNoRegister) {
    BlockIndex reached = b().add_block(), not_reached = b().add_block();
    branch_on(*until, reached, not_reached);
    b().go_to(reached);
    b().assign_constant(env().window_reached, 1);
    b().jump(not_reached);
    b().go_to(not_reached);
  }
  b().jump(close);
  b().go_to(close);
}

// Something is being left: if it is this window, close it; if it is something beyond, leave.
void Lowering::close_if_ended(const model::Stmt& s, BlockIndex close) {
  BlockIndex mine = b().add_block(), other = b().add_block();
  const Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
  const Register target = b().integer(Op::mod_small, {ending, b().constant(kSayer)});
  b().branch(b().integer(Op::eq, {target, b().constant(kEndFirst + Int(model_.events.size()) + Int(s.ref))}, 1), mine,
             other);
  b().go_to(mine);
  b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
  settle_after_action(b().constant(kNone), false);
  b().jump(close);
  b().go_to(other);
  leave_function(ir::kNoRegister);
}

}  // namespace cardwright::lower
