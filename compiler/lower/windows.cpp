// Windows: who is asked and what comes after an answer; windows and actions as functions, and their limits. What is
//          offered
// is in offers.cpp.
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// ---------------------------------------------------------------- ask

// The asked player's hand is read once per decision, not once per card that could be played.
void Lowering::keep_hand(const std::vector<Group>& groups, Register player) {
  auto play = std::find_if(groups.begin(), groups.end(), [](const Group& g) { return g.action->play; });
  if (plain_ || play == groups.end() || !model_.zones[play->action->from.index].per_player) return;
  Register cards = zone_set(play->action->from.index, zone_instance(play->action->from, player));
  kept_zone_ = {play->action->from.index, player, cards};
}

// One player is asked: once, or again and again. Returns a register: 1 if they acted (0: passed, out or nothing
// offered).
Register Lowering::ask_player(const model::Stmt& s, Register player, bool again, BlockIndex close) {
  const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  bool may_pass = (s.value & (8 | 32 | 64)) || (until && !(s.value & 16)) || (until && (s.value & 32));
  model::WindowId window{s.ref};
  Register acted = b().make(int_type(1));
  b().assign_constant(acted, 0);
  BlockIndex head = b().add_block(), in_game = b().add_block(), asking = b().add_block(), over = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in_game, over);
  b().go_to(in_game);
  const BlockIndex reached = until ? b().add_block() : close;
  if (until) {
    branch_on(*until, reached, asking);
    b().go_to(reached);
    if (env().window_reached != ir::kNoRegister) b().assign_constant(env().window_reached, 1);
    b().jump(close);
  } else {
    b().jump(asking);
  }
  b().go_to(asking);
  bool flow = env().flow;
  Int site = begin_site(model_.windows[window.index].name, nullptr, flow, s.range);
  const model::Expr* pass_when = s.exprs.size() > 3 ? s.exprs[3] : nullptr;
  const Register sensible = sensible_in(window);
  Offers offers = offers_for(window, player, sensible);
  keep_hand(offers.groups, player);
  const Register declared = count_sensible(offers, site, sensible, may_pass, pass_when);
  const auto unseen = [&](const Group& g) { return hangs_on_unseen(*g.action); };
  program_.sites[site].unseen = std::any_of(offers.groups.begin(), offers.groups.end(), unseen) || is_unseen(pass_when);
  BlockIndex offered = b().add_block(), nothing = program_.sites[site].unseen ? b().add_block() : over;
  b().branch(declared, offered, nothing);
  if (nothing != over) note_asked_in_vain(nothing, player, over);
  b().go_to(offered);
  Register can_pass = ir::kNoRegister;
  if (may_pass && pass_when) {
    can_pass = b().make(site_local(int_type(1)));
    look_whether_may_pass(s, player, can_pass);
  }
  Register n = !may_pass
                   ? declared
                   : b().integer(Op::add_small, {declared, can_pass != ir::kNoRegister ? can_pass : b().constant(1)});
  const Int pass_id = program_.actions[pass_action_].base;
  list_options([&] {
    list_offers(offers);
    kept_zone_ = {};
    if (can_pass != ir::kNoRegister) list_option_if(can_pass, b().constant(pass_id));
    else if (may_pass) list_option(b().constant(pass_id));
  });
  Register k = b().make_int();
  b().put(Op::decide, k, {player, n, site});
  if (may_pass) program_.sites[site].actions.push_back(pass_action_);
  BlockIndex after = b().add_block(), after_free = b().add_block();
  choose_offer(offers, k, [&](Group& g) {
    b().at(s.range);
    do_group(g, k, flow);
    unwind_after_action(s, player, close, acted, g.action->free);
    b().jump(g.action->free ? after_free : after);
  });
  if (may_pass) b().effect(Op::chosen, {b().constant(pass_id)});
  b().jump(over);

  b().go_to(after);
  b().assign_constant(acted, 1);
  if (env().window_acted != ir::kNoRegister) b().assign_constant(env().window_acted, 1);
  settle_after_action(player, again || (s.value & (16 | 64)), until, reached);
  b().jump(again ? head : over);
  b().go_to(after_free);
  settle_after_action(player, true, until, reached);
  b().jump(head);
  b().go_to(over);
  return acted;
}

// Who does not know whether they may pass may.
void Lowering::look_whether_may_pass(const model::Stmt& s, Register player, Register can_pass) {
  const model::Expr& when = *s.exprs[3];
  env().facts = facts_of_choice(s.exprs[0], s);
  const Asked asked(*this, reads(when) ? Asking{player, Asking::Mode::may} : Asking{});
  BlockIndex yes = b().add_block(), after = b().add_block();
  b().assign_constant(can_pass, 0);
  branch_on(when, yes, after);
  b().go_to(yes);
  b().assign_constant(can_pass, 1);
  b().jump(after);
  b().go_to(after);
}

// After an action: if it ended this window, close it; if it ended something beyond, leave.
void Lowering::unwind_after_action(const model::Stmt& s, Register player, BlockIndex close, Register acted, bool free) {
  Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
  BlockIndex left = b().add_block(), on = b().add_block();
  b().branch(ending, left, on);
  b().go_to(left);
  BlockIndex mine = b().add_block(), other = b().add_block();
  Register target = b().integer(Op::mod_small, {ending, b().constant(kSayer)});
  b().branch(b().integer(Op::eq, {target, b().constant(kEndFirst + Int(model_.events.size()) + Int(s.ref))}, 1), mine,
             other);
  b().go_to(mine);
  b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
  if (!free) {
    b().assign_constant(acted, 1);
    if (env().window_acted != ir::kNoRegister) b().assign_constant(env().window_acted, 1);
  }
  settle_after_action(player, false);
  if (env().window.valid()) leave_window();
  else b().jump(close);
  b().go_to(other);
  leave_function(ir::kNoRegister);
  b().go_to(on);
}

// After an action all settles if the flow opened the window; else, where the same player will be asked again, that
// player's own `whenever`s. Nobody is asked again once `until` holds: then the window closes and nothing settles.
void Lowering::settle_after_action(Register player, bool again, const model::Expr* until, BlockIndex reached) {
  if (env().flow) return settle();
  auto own = [&] {
    if (!again || !has_settle_player_) return;
    if (until) {
      const BlockIndex goes_on = b().add_block();
      branch_on(*until, reached, goes_on);
      b().go_to(goes_on);
    }
    settle_one(player);
  };
  if (env().from_flow == ir::kNoRegister) return own();
  BlockIndex all = b().add_block(), not_flow = b().add_block(), after = b().add_block();
  b().branch(env().from_flow, all, not_flow);
  b().go_to(all);
  settle();
  b().jump(after);
  b().go_to(not_flow);
  own();
  b().jump(after);
  b().go_to(after);
}

void Lowering::ask(const model::Stmt& s) {
  if (s.ref < model_.windows.size() && model_.windows[s.ref].phase) reset_window_limits(s.ref, false);
  BlockIndex close = b().add_block();
  const model::Expr& whom = *s.exprs[0];
  const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const model::Expr* from = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  if (s.value & 2) return ask_at_once(s);
  if (s.value & 4) return ask_in_real_time(s);
  if (whom.type.kind == TypeKind::player) {
    Register player = b().make(int_type(1));
    b().assign(player, expr(whom));
    bool again = (s.value & (16 | 32)) || until;
    ask_player(s, player, again, close);
    b().jump(close);
    b().go_to(close);
    return;
  }
  Register members = b().make_int(4), start = b().make(int_type(1));
  b().assign(members, expr(whom));
  b().assign(start, from ? expr(*from) : b().constant(0));
  bool rounds = s.value & (16 | 64);
  if (!rounds) {
    clockwise(members, start, false, [&](Register player, BlockIndex) { ask_player(s, player, false, close); });
    b().jump(close);
    b().go_to(close);
    return;
  }
  Register passed = b().make_int(4), quiet = b().make(int_type(1));  // who has passed since somebody acted
  b().assign_constant(passed, 0);
  BlockIndex round = b().add_block(), end_of_round = b().add_block();
  b().jump(round);
  b().go_to(round);
  fuel();
  b().assign_constant(quiet, 1);
  clockwise(members, start, false, [&](Register player, BlockIndex) {
    Register acted = ask_player(s, player, false, close);
    BlockIndex yes = b().add_block(), no = b().add_block(), next = b().add_block();
    b().branch(acted, yes, no);
    b().go_to(yes);
    b().assign_constant(quiet, 0);
    b().assign_constant(passed, 0);
    b().jump(next);
    b().go_to(no);
    if (s.value & 64) {
      b().put(Op::mask_or, passed, {passed, b().integer(Op::mask_of, {player})});
      Register in = b().integer(Op::mask_and, {members, b().integer(Op::players_in, {}, 4)}, 4);
      b().branch(b().integer(Op::mask_without, {in, passed}, 4), next, close);
    } else {
      b().jump(next);
    }
    b().go_to(next);
  });
  b().jump(end_of_round);
  b().go_to(end_of_round);
  b().branch(quiet, close, round);                         // a round in which nobody did anything ends it
  b().go_to(close);
}

// ---------------------------------------------------------------- windows and actions as functions

void Lowering::declare_windows() {
  for (const model::Window& w : model_.windows) {
    window_gives_.emplace_back();
    for (const model::Type& type : w.gives) window_gives_.back().push_back(add_scratch_for("given by " + w.name, type));
    window_function_.push_back(w.phase ? 0 : new_function("window " + w.name, ir::Returns::integer, w.range));
  }
  for (std::size_t a = 0; a < model_.actions.size(); ++a) {
    const model::Action& action = model_.actions[a];
    action_function_.push_back(possible(action) ? new_function(action.name, ir::Returns::nothing, action.head.range)
                                                : 0);
    for (std::size_t l = 0; l < action.limits.size() && possible(action); ++l) make_limit(a, l);
    ActionInfo info;
    info.kind = action.play ? ActionKind::play : action.passes ? ActionKind::pass : ActionKind::use;
    info.name = action.name;
    info.label = action.label;
    info.secret = action.secret;
    info.where = action.head.range;
    if (action.play) info.card_kind = action.kind.index;
    if (action.head.carrier.kind == CarrierKind::card) info.parameters.push_back(whose_card(action));
    Facts facts = offers_.facts_of(action);
    for (const ActionParameter& p : action.parameters) {
      info.parameters.push_back(parameter_of(action, p, offers_.may_be_unseen(p, facts)));
      if (p.count != PickCount::one) break;
    }
    action_info_.push_back(add_action(std::move(info)));
  }
  ActionInfo yes_no;
  yes_no.kind = ActionKind::yes_no;
  yes_no.name = "yes or no";
  yes_no_action_ = add_action(std::move(yes_no));
  ActionInfo pass;
  pass.kind = ActionKind::pass;
  pass.name = "pass";
  pass_action_ = add_action(std::move(pass));
}

// Does it hang on what not everybody sees whether, or with what, this is offered?
bool Lowering::hangs_on_unseen(const model::Action& action) const {
  if (action.play && model_.zones[action.from.index].visibility != model::Visibility::open) return true;
  if (is_unseen(action.head.when) || is_forbidden_unseen(action)) return true;
  if (action.head.carrier.kind == CarrierKind::character &&
      model_.variables[action.head.carrier.character_variable.index].visibility != model::Visibility::open)
    return true;
  return std::any_of(action.parameters.begin(), action.parameters.end(),
                     [&](const ActionParameter& p) { return is_unseen(p.domain) || is_unseen(p.where); });
}

// … by a rule that forbids it, or allows it nevertheless.
bool Lowering::is_forbidden_unseen(const model::Action& action) const {
  return std::any_of(model_.forbids.begin(), model_.forbids.end(), [&](const model::Forbid& f) {
    const model::Carrier& by = f.head.carrier;
    const auto is_it = [&](model::ActionId id) { return &model_.actions[id.index] == &action; };
    if (std::none_of(f.actions.begin(), f.actions.end(), is_it)) return false;
    if (is_unseen(f.head.when) ||
        std::any_of(f.patterns.begin(), f.patterns.end(), [&](const model::Pattern& p) { return is_unseen(p.value); }))
      return true;
    if (by.kind == CarrierKind::character)
      return model_.variables[by.character_variable.index].visibility != model::Visibility::open;
    return by.kind == CarrierKind::card && by.zone.valid() &&
           model_.zones[by.zone.index].visibility != model::Visibility::open;
  });
}

// Where it is remembered that an action was used: a bit per player, a set of cards for actions of cards, or per target.
void Lowering::make_limit(std::size_t a, std::size_t l) {
  const model::Action& action = model_.actions[a];
  const model::Limit& limit = action.limits[l];
  bool rules = limit.scope != model::Scope::window;
  LimitUse use{};
  use.per_target = limit.per_target.has_value();
  use.cards = !use.per_target && !limit.group && action.head.carrier.kind == CarrierKind::card;
  if (limit.group) {
    auto key = std::pair{limit.group->index, int(limit.scope)};
    auto it = group_limits_.find(key);
    if (it == group_limits_.end())
      it = group_limits_.emplace(key, add_scratch("used " + model_.groups[limit.group->index], 0, 0xffff, 0, 1, rules))
               .first;
    else {
      use.variable = it->second;
      limits_[{a, l}] = use;
      return remember_limit(limit.scope, action, use);
    }
    use.variable = it->second;
  } else if (const auto same = same_limit(a, l)) {
    use.variable = *same;
  } else if (use.cards) {
    use.variable = add_scratch_sets("used " + action.name, simple(TypeKind::card), 1, rules);
  } else {
    use.variable = add_scratch("used " + action.name, 0, use.per_target ? 1 : 0xffff, 0,
                               use.per_target ? model_.players * most_targets() : 1, rules);
  }
  limits_[{a, l}] = use;
  remember_limit(limit.scope, action, use);
}

// An action in `while in hand, shown` is one action, and one limit, wherever its card lies.
std::optional<Int> Lowering::same_limit(std::size_t a, std::size_t l) const {
  const model::Action& action = model_.actions[a];
  if (!action.head.carrier.zone.valid()) return std::nullopt;
  for (std::size_t before = 0; before < a; ++before) {
    const model::Action& other = model_.actions[before];
    const bool same = other.name == action.name && other.head.range == action.head.range &&
                      other.head.carrier.kind == action.head.carrier.kind;
    if (const auto made = limits_.find({before, l}); same && made != limits_.end()) return made->second.variable;
  }
  return std::nullopt;
}

void Lowering::remember_limit(model::Scope scope, const model::Action& action, const LimitUse& use) {
  if (scope != model::Scope::window) {
    auto& cleared = scope_limits_[scope];
    if (std::find(cleared.begin(), cleared.end(), use.variable) == cleared.end()) cleared.push_back(use.variable);
    return;
  }
  for (std::size_t w = 0; w < model_.windows.size(); ++w)
    if (model::is_in(action, model::WindowId{std::uint32_t(w)})) window_limits_[std::uint32_t(w)].insert(use.variable);
}

Register Lowering::limit_used(const LimitUse& use, Register me) {
  return b().integer(Op::mask_has, {b().integer(Op::load_raw, {use.variable, b().constant(0)}), me}, 1);
}

// 64, or the cells of the board, or the cards where some limit counts per card.
Int Lowering::most_targets() const {
  Int most = 64;
  for (const model::Enum& e : model_.enums) most = std::max(most, Int(e.constants.size()));
  for (const model::Action& a : model_.actions)
    for (const model::Limit& l : a.limits)
      if (l.per_target && a.parameters[*l.per_target].type.kind == TypeKind::card)
        most = std::max(most, program_.layout.card_ids);
  return most;
}

Register Lowering::limit_index(Register me, Register target) {
  return b().integer(Op::add_small, {b().integer(Op::mul_small, {me, b().constant(most_targets())}),
                                     b().integer(Op::mod_small, {target, b().constant(most_targets())})});
}

// Limits per window begin anew; a nested window of the same kind puts the outer one's back.
void Lowering::reset_window_limits(std::uint32_t window, bool nested) {
  auto it = window_limits_.find(window);
  if (it == window_limits_.end()) return;
  for (Int variable : it->second) {
    bool set = program_.variables[variable].is_set;
    if (nested && (set || program_.variables[variable].count == 1))
      save_and_set(variable, set ? b().set(Op::set_empty, {}) : b().constant(0));
    else if (set) b().effect(Op::store_set, {variable, b().constant(0), b().set(Op::set_empty, {})});
    else b().effect(Op::clear, {variable});
  }
}

void Lowering::lower_window(std::size_t index) {
  const model::Window& window = model_.windows[index];
  if (window.phase) return;
  Env at;
  bind_locals(at, window.body);
  at.window = model::WindowId{std::uint32_t(index)};
  at.gives = window_gives_[index];
  write_function(window_function_[index], at, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : window.parameters) {
      arguments.push_back(parameter(window.body.locals[p.local.index].type));
      bind(p.local, arguments.back());
    }
    env().from_flow = parameter(simple(TypeKind::boolean));
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (auto field = window_field_.find({std::uint32_t(index), -1 - Int(i)}); field != window_field_.end())
        save_and_set(field->second, arguments[i]);
    for (std::size_t i = 0; i < window.variables.size(); ++i)
      if (auto field = window_field_.find({std::uint32_t(index), Int(i)}); field != window_field_.end()) {
        const model::Type& type = window.body.locals[window.variables[i].index].type;
        save_and_set(field->second, default_value(type));
        env().places[window.variables[i].index] = {Place::Kind::variable, ir::kNoRegister, field->second};
      }
    if (auto depth = window_depth_.find(std::uint32_t(index)); depth != window_depth_.end()) {
      Register old = b().integer(Op::load_raw, {depth->second, b().constant(0)});
      save_and_set(depth->second, b().integer(Op::add_small, {old, b().constant(1)}));
    }
    reset_window_limits(std::uint32_t(index), true);
    env().window_acted = b().make(int_type(1));
    env().window_reached = b().make(int_type(1));
    b().assign_constant(env().window_acted, 0);
    b().assign_constant(env().window_reached, 0);
    fuel();
    block(window.body.block);
    leave_window();
  });
}

// The end of a window: its truth is whether its `until` was reached, or else whether somebody acted.
void Lowering::leave_window() {
  const model::Window& window = model_.windows[env().window.index];
  for (std::size_t i = 0; i < window.variables.size(); ++i)
    if (auto left = window_left_.find({env().window.index, Int(i)}); left != window_left_.end())
      put_scratch(left->second, read_local(window.variables[i])), touch(watch_always_);
  leave_function(window.result.kind != TypeKind::nothing ? b().constant(kNone)
                 : asks_until(window.body.block)         ? env().window_reached
                                                         : env().window_acted);
}

bool Lowering::asks_until(const model::Block& statements) {
  for (const model::Stmt* s : statements) {
    if (s->kind == model::StmtKind::ask && s->exprs.size() > 1 && s->exprs[1]) return true;
    for (const model::Block& inner : s->blocks)
      if (asks_until(inner)) return true;
  }
  return false;
}

// It was done or tried: that was the one time.
void Lowering::use_up_limits(std::size_t index, Register me, Register self, std::span<const Register> arguments) {
  const model::Action& action = model_.actions[index];
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = limits_.at({index, l});
    if (use.cards) {
      Register used = b().set(Op::load_set, {use.variable, b().constant(0)});
      b().effect(Op::store_set, {use.variable, b().constant(0), b().set(Op::set_add, {used, self})});
    } else if (use.per_target) {
      b().effect(Op::store, {use.variable, limit_index(me, arguments[*action.limits[l].per_target]), b().constant(1)});
    } else {
      Register used = b().integer(Op::load_raw, {use.variable, b().constant(0)});
      b().effect(Op::store,
                 {use.variable, b().constant(0), b().integer(Op::mask_or, {used, b().integer(Op::mask_of, {me})})});
    }
  }
}

// `arguments` as the functions of an action take them: the player, the card that carries it, what was chosen.
void Lowering::use_up_limits_by(std::size_t index, std::span<const Register> arguments) {
  const model::Action& action = model_.actions[index];
  const bool carried = action.head.carrier.kind == CarrierKind::card,
             of_card = carried || (action.play && arguments.size() > 1);
  use_up_limits(index, arguments[0], of_card ? arguments[1] : ir::kNoRegister, arguments.subspan(carried ? 2 : 1));
}

void Lowering::lower_action(std::size_t index) {
  const model::Action& action = model_.actions[index];
  if (!possible(action)) return;
  Env at;
  bind_locals(at, action.body);
  write_function(action_function_[index], at, [&] {
    Register me = parameter(simple(TypeKind::player));
    bind(action.head.me, me);
    Register self = ir::kNoRegister;
    if (action.head.carrier.kind == CarrierKind::card) {
      self = parameter(simple(TypeKind::card));
      bind(action.head.self, self);
    }
    std::vector<Register> arguments;
    for (const ActionParameter& p : action.parameters) {
      model::Type type = p.type;
      const auto parameter_of = [&](Register r) {
        b().function().parameters.push_back(r);
        return r;
      };
      const Register r = p.count == PickCount::one ? parameter(type)
                         : is_wide_element(type)   ? parameter_of(b().make(set_of(type)))
                                                   : parameter_of(b().make_int());
      arguments.push_back(r);
      bind(p.local, r);
      if (p.count != PickCount::one) break;
    }
    fuel();
    if (action.play && !arguments.empty()) self = arguments[0];
    use_up_limits(index, me, self, arguments);
    if (action.play && action.to) play_to(action, self);
    block(action.body.block);
  });
}

// The played card goes where its type says; what it replaces leaves first.
void Lowering::play_to(const model::Action& action, Register self) {
  Register to = zone_instance(action.to->zone.index, action.to->owner, action.to->copy);
  if (!action.replacing.empty()) {
    Register old = b().set(Op::set_and, {b().set(Op::zone_cards, {to}), const_cards(cards_of_kinds(action.replacing))});
    Register place = zone_instance(action.replaced_to->zone.index, action.replaced_to->owner, action.replaced_to->copy);
    b().effect(Op::note_move, {old, to, place, 0});
    b().effect(Op::move_cards, {old, to, place, 0});
  }
  const Register likely = action.parameters.empty() ? b().constant(kNone) : guess(action.parameters[0].local);
  room_in_slot(action.to->zone.index, to, self);
  b().effect(Op::note_move, {b().set(Op::set_of, {self}), b().integer(Op::zone_of, {self, likely}), to, 0});
  b().effect(Op::move_card, {self, likely, to, 0});
  touch(watch_zones_);
}

}  // namespace cardwright::lower
