// Lowers windows. Emits the functions of windows and actions, and the code that asks players in order, settles rules
// after each answer, and applies limits. offers.cpp determines the options.
#include "compiler/lower/windows/windows.h"

#include <algorithm>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/families.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/offers/perform.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/weights.h"
#include "compiler/lower/sets/guesses.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/text/option_ids.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

static void check_may_pass(const FunctionContext& code, const model::Stmt& s, Register player, Register can_pass);
static void unwind_after_action(const FunctionContext& code, const model::Stmt& s, Register player, BlockIndex close,
                                Register acted, bool free);
static void ask_players(const FunctionContext& code, const model::Stmt& s, BlockIndex close);
static void play_to(const FunctionContext& code, const model::Action& action, Register self);

// ---------------------------------------------------------------- ask

// Reads the deciding player's hand once per decision instead of once per playable card.
static CachedZone cached_hand(const FunctionContext& code, const std::vector<Group>& groups, Register player) {
  auto play = std::find_if(groups.begin(), groups.end(), [](const Group& g) { return g.action->play; });
  if (code.unit.plain || play == groups.end() || !code.model.zones[play->action->from.index].per_player) return {};
  Register cards = zone_set(code, play->action->from.index, zone_instance(code, play->action->from, player));
  return {play->action->from.index, player, cards};
}

// Returns whether passing is offered. Without passing, `ask p until C` might never end, so p may pass even without `or
// pass`. `ask each of … until C` asks each player once, so passing is offered only with `or pass`.
static bool offers_pass(const model::Stmt& s, bool again) {
  const view::ask its(s);
  return its.or_pass() || its.until_pass() || its.until_all_pass() || (its.until() && again && !its.again());
}

// Asks one player, once or repeatedly. Returns 1 if the player acted, or 0 if the player passed, is eliminated or had
// no options.
static Register ask_player(const FunctionContext& code, const model::Stmt& s, Register player, bool again,
                           BlockIndex close) {
  const view::ask its(s);
  const model::Expr* until = its.until();
  const bool may_pass = offers_pass(s, again);
  model::WindowId window{s.ref};
  Register acted = code.make(int_type(1));
  code.assign_constant(acted, 0);
  BlockIndex head = code.add_block(), in_game = code.add_block(), asking = code.add_block(), over = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in_game, over);
  code.go_to(in_game);
  if (until)
    branch_on(code, *until, close, asking);
  else
    code.jump(asking);
  code.go_to(asking);
  bool flow = code.env().flow;
  Int site = begin_site(code, code.model.windows[window.index].name, its.prompt(), flow, s.range);
  const model::Expr* pass_when = its.pass_when();
  const Register sensible = sensible_in(code, window, player);
  const Register avoids_pass = may_pass ? avoids_passing(code, player) : ir::kNoRegister;
  Offers offers = offers_for(code, window, player, sensible);
  form_families(code, offers);
  const FunctionContext offering = code.holding(cached_hand(code, offers.groups, player));
  const Register declared = count_sensible(offering, offers, site, sensible, avoids_pass, may_pass, pass_when);
  const auto unknown = [&](const Group& g) { return depends_on_unknown(code.unit, *g.action); };
  code.program.sites[site].hidden_basis =
      std::any_of(offers.groups.begin(), offers.groups.end(), unknown) || is_unknown(code.unit, pass_when);
  BlockIndex offered = code.add_block(), nothing = code.program.sites[site].hidden_basis ? code.add_block() : over;
  code.branch(declared, offered, nothing);
  if (nothing != over) note_without_options(code, nothing, player, over);
  code.go_to(offered);
  Register can_pass = ir::kNoRegister;
  if (may_pass && pass_when) {
    can_pass = code.make(site_local(int_type(1)));
    check_may_pass(offering, s, player, can_pass);
  }
  if (avoids_pass != ir::kNoRegister) can_pass = passes_after_all(code, can_pass, avoids_pass, sensible);
  Register n = !may_pass
                   ? declared
                   : code.integer(Op::add_small, {declared, can_pass != ir::kNoRegister ? can_pass : code.constant(1)});
  const Int pass_id = code.program.actions[code.unit.ids.pass].base;
  list_options(
      code,
      [&] {
        list_offers(offering, offers);
        if (can_pass != ir::kNoRegister)
          list_option_if(code, can_pass, code.constant(pass_id));
        else if (may_pass)
          list_option(code, code.constant(pass_id));
      },
      text_logger(code, {its.prompt()}));
  Register k = code.make_int();
  code.put(Op::decide, k, {player, n, site});
  note_offered(code, offers);
  if (may_pass) code.program.sites[site].actions.push_back(code.unit.ids.pass);
  lean(code, offers, player, k, n, may_pass);
  BlockIndex after = code.add_block(), after_free = code.add_block();
  const auto act = [&](const Group& g, const std::function<void()>& perform) {
    code.at(s.range);
    perform();
    unwind_after_action(code, s, player, close, acted, g.action->free);
    code.jump(g.action->free ? after_free : after);
  };
  choose_offer(
      code, offers, k, [&](Group& g) { act(g, [&] { do_group(code, g, k, flow); }); },
      [&](const GroupRun& family) {
        act(offers.groups[family.first], [&] { perform_in_family(code, offers, family, k, flow); });
      });
  if (may_pass) code.effect(Op::chosen, {code.constant(pass_id)});
  code.jump(over);

  code.go_to(after);
  code.assign_constant(acted, 1);
  if (code.env().window_acted != ir::kNoRegister) code.assign_constant(code.env().window_acted, 1);
  settle_after_action(code, player, again || view::ask(s).again() || view::ask(s).until_all_pass(), until, close);
  mark_flow(code);
  code.jump(again ? head : over);
  code.go_to(after_free);
  settle_after_action(code, player, true, until, close);
  mark_flow(code);
  code.jump(head);
  code.go_to(over);
  return acted;
}

// Sets `can_pass` to 1 if passing is offered. A player who does not know whether the condition for passing is true may
// pass.
static void check_may_pass(const FunctionContext& code, const model::Stmt& s, Register player, Register can_pass) {
  const view::ask its(s);
  const model::Expr& when = *its.pass_when();
  code.env().facts = facts_of_choice(code, its.whom(), s);
  BlockIndex yes = code.add_block(), after = code.add_block();
  code.assign_constant(can_pass, 0);
  branch_on(code.asked(reads(code, when) ? Asking{player, Asking::Mode::may} : Asking{}), when, yes, after);
  code.go_to(yes);
  code.assign_constant(can_pass, 1);
  code.jump(after);
  code.go_to(after);
}

// Handles an `end` after an action. If this window is the target, closes it; otherwise, leaves the function.
static void unwind_after_action(const FunctionContext& code, const model::Stmt& s, Register player, BlockIndex close,
                                Register acted, bool free) {
  Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
  BlockIndex left = code.add_block(), on = code.add_block();
  code.branch(ending, left, on);
  code.go_to(left);
  BlockIndex mine = code.add_block(), other = code.add_block();
  Register target = code.integer(Op::mod_small, {ending, code.constant(kEndedBy)});
  code.branch(code.integer(Op::eq, {target, code.constant(kEndFirst + Int(code.model.events.size()) + Int(s.ref))}, 1),
              mine, other);
  code.go_to(mine);
  code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
  if (!free) {
    code.assign_constant(acted, 1);
    if (code.env().window_acted != ir::kNoRegister) code.assign_constant(code.env().window_acted, 1);
  }
  settle_after_action(code, player, false);
  if (code.env().window.valid()) {
    note_whether_reached(code, s);
    leave_window(code);
  } else {
    code.jump(close);
  }
  code.go_to(other);
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
}

// Settles after an action. If the window was opened while no event was in progress, all rules settle. Otherwise, if the
// same player will be asked again, only that player's own `whenever` rules settle. If `until` is true, no player is
// asked again: the window closes and nothing settles.
void settle_after_action(const FunctionContext& code, Register player, bool again, const model::Expr* until,
                         BlockIndex reached) {
  if (code.env().flow) return settle(code);
  auto own = [&] {
    if (!again || !code.unit.functions.has_settle_player) return;
    if (until) {
      const BlockIndex continues = code.add_block();
      branch_on(code, *until, reached, continues);
      code.go_to(continues);
    }
    settle_one(code, player);
  };
  if (code.env().from_flow == ir::kNoRegister) return own();
  BlockIndex all = code.add_block(), not_flow = code.add_block(), after = code.add_block();
  code.branch(code.env().from_flow, all, not_flow);
  code.go_to(all);
  settle(code);
  code.jump(after);
  code.go_to(not_flow);
  own();
  code.jump(after);
  code.go_to(after);
}

// Records whether the `until` condition is true when the window closes, because the last answer may have made it true.
// If so, the window returns 1.
void note_whether_reached(const FunctionContext& code, const model::Stmt& s) {
  const model::Expr* until = view::ask(s).until();
  if (!until || code.env().window_reached == ir::kNoRegister) return;
  const BlockIndex reached = code.add_block(), after = code.add_block();
  branch_on(code, *until, reached, after);
  code.go_to(reached);
  code.assign_constant(code.env().window_reached, 1);
  code.jump(after);
  code.go_to(after);
}

void ask_in_turn(const FunctionContext& code, const model::Stmt& s) {
  const BlockIndex close = code.add_block();
  ask_players(code, s, close);
  code.go_to(close);
  note_whether_reached(code, s);
}

// Asks one player or several players one after another, and then jumps to `close`.
static void ask_players(const FunctionContext& code, const model::Stmt& s, BlockIndex close) {
  const view::ask its(s);
  const model::Expr& whom = *its.whom();
  const model::Expr* from = its.from();
  if (whom.type.kind == TypeKind::player) {
    Register player = code.make(int_type(1));
    code.assign(player, expr(code, whom));
    bool again = its.again() || its.until_pass() || its.until();
    ask_player(code, s, player, again, close);
    code.jump(close);
    return;
  }
  Register members = code.make_int(4), start = code.make(int_type(1));
  code.assign(members, expr(code, whom));
  code.assign(start, from ? expr(code, *from) : code.constant(0));
  bool rounds = its.again() || its.until_all_pass();
  if (!rounds) {
    clockwise(code, members, start, false,
              [&](Register player, BlockIndex) { ask_player(code, s, player, false, close); });
    code.jump(close);
    return;
  }
  // The players who have passed since the last action.
  Register passed = code.make_int(4), quiet = code.make(int_type(1));
  code.assign_constant(passed, 0);
  BlockIndex round = code.add_block(), end_of_round = code.add_block();
  code.jump(round);
  code.go_to(round);
  fuel(code);
  code.assign_constant(quiet, 1);
  clockwise(code, members, start, false, [&](Register player, BlockIndex) {
    Register acted = ask_player(code, s, player, false, close);
    BlockIndex yes = code.add_block(), no = code.add_block(), next = code.add_block();
    code.branch(acted, yes, no);
    code.go_to(yes);
    code.assign_constant(quiet, 0);
    code.assign_constant(passed, 0);
    code.jump(next);
    code.go_to(no);
    if (its.until_all_pass()) {
      code.put(Op::mask_or, passed, {passed, code.integer(Op::mask_of, {player})});
      Register in = code.integer(Op::mask_and, {members, code.integer(Op::players_in, {}, 4)}, 4);
      code.branch(code.integer(Op::mask_without, {in, passed}, 4), next, close);
    } else {
      code.jump(next);
    }
    code.go_to(next);
  });
  code.jump(end_of_round);
  code.go_to(end_of_round);
  code.branch(quiet, close, round);   // a round without actions closes the window
}

// ---------------------------------------------------------------- windows and actions as functions

void declare_windows(ProgramContext& unit) {
  for (const model::Window& w : unit.model.windows) {
    unit.variables.window_gives.emplace_back();
    for (const model::Type& type : w.gives)
      unit.variables.window_gives.back().push_back(add_scratch_for(unit, "given by " + w.name, type));
    unit.functions.window.push_back(w.phase ? 0
                                            : new_function(unit, "window " + w.name, ir::Returns::integer, w.range));
  }
  for (std::size_t a = 0; a < unit.model.actions.size(); ++a) {
    const model::Action& action = unit.model.actions[a];
    unit.functions.action.push_back(
        possible(unit, action) ? new_function(unit, action.name, ir::Returns::nothing, action.head.range) : 0);
    for (std::size_t l = 0; l < action.limits.size() && possible(unit, action); ++l) make_limit(unit, a, l);
    ActionInfo info;
    info.kind = action.play ? ActionKind::play : action.passes ? ActionKind::pass : ActionKind::use;
    info.name = action.name;
    info.label = action.label;
    info.secret = action.secret;
    info.where = action.head.range;
    if (action.play) info.card_kind = action.kind.index;
    if (action.play && action.to)
      info.to_open = unit.model.zones[action.to->zone.index].visibility == model::Visibility::open;
    if (action.head.carrier.kind == CarrierKind::card) info.parameters.push_back(whose_card(unit, action));
    Facts facts = unit.facts.offers.facts_of(action);
    for (const ActionParameter& p : action.parameters) {
      info.parameters.push_back(parameter_of(unit, action, p, unit.facts.offers.may_be_unknown(p, facts)));
    }
    unit.ids.action.push_back(add_action(unit, std::move(info)));
  }
  ActionInfo yes_no;
  yes_no.kind = ActionKind::yes_no;
  yes_no.name = "yes or no";
  unit.ids.yes_no = add_action(unit, std::move(yes_no));
  ActionInfo pass;
  pass.kind = ActionKind::pass;
  pass.name = "pass";
  unit.ids.pass = add_action(unit, std::move(pass));
}

void lower_window(ProgramContext& unit, std::size_t index) {
  const model::Window& window = unit.model.windows[index];
  if (window.phase) return;
  Env at;
  bind_locals(at, window.body);
  at.window = model::WindowId{std::uint32_t(index)};
  at.gives = unit.variables.window_gives[index];
  write_function(unit, unit.functions.window[index], at, [&](const FunctionContext& code) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : window.parameters) {
      arguments.push_back(parameter(code, window.body.locals[p.local.index].type));
      bind(code, p.local, arguments.back());
    }
    code.env().from_flow = parameter(code, simple(TypeKind::boolean));
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (auto field = code.unit.variables.window_field.find({std::uint32_t(index), -1 - Int(i)});
          field != code.unit.variables.window_field.end())
        save_and_set(code, field->second, arguments[i]);
    for (std::size_t i = 0; i < window.variables.size(); ++i)
      if (auto field = code.unit.variables.window_field.find({std::uint32_t(index), Int(i)});
          field != code.unit.variables.window_field.end()) {
        const model::Type& type = window.body.locals[window.variables[i].index].type;
        save_and_set(code, field->second, default_value(code, type));
        code.env().places[window.variables[i].index] = {Place::Kind::variable, ir::kNoRegister, field->second};
      }
    if (auto depth = code.unit.variables.window_depth.find(std::uint32_t(index));
        depth != code.unit.variables.window_depth.end()) {
      Register old = code.integer(Op::load_raw, {depth->second, code.constant(0)});
      save_and_set(code, depth->second, code.integer(Op::add_small, {old, code.constant(1)}));
    }
    reset_window_limits(code, std::uint32_t(index), true);
    code.env().window_acted = code.make(int_type(1));
    code.env().window_reached = code.make(int_type(1));
    code.assign_constant(code.env().window_acted, 0);
    code.assign_constant(code.env().window_reached, 0);
    fuel(code);
    note_reached(code, window.range);
    block(code, window.body.block);
    leave_window(code);
  });
}

void lower_action(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  if (!possible(unit, action)) return;
  Env at;
  bind_locals(at, action.body);
  write_function(unit, unit.functions.action[index], at, [&](const FunctionContext& code) {
    Register me = parameter(code, simple(TypeKind::player));
    bind(code, action.head.me, me);
    Register self = ir::kNoRegister;
    if (action.head.carrier.kind == CarrierKind::card) {
      self = parameter(code, simple(TypeKind::card));
      bind(code, action.head.self, self);
    }
    std::vector<Register> arguments;
    for (const ActionParameter& p : action.parameters) {
      model::Type type = p.type;
      const auto parameter_of = [&](Register r) {
        code.function().parameters.push_back(r);
        return r;
      };
      const Register r = p.count == PickCount::one          ? parameter(code, type)
                         : is_wide_element(code.unit, type) ? parameter_of(code.make(set_of(type)))
                                                            : parameter_of(code.make_int());
      arguments.push_back(r);
      bind(code, p.local, r);
    }
    fuel(code);
    note_reached(code, action.head.range);
    if (action.play && !arguments.empty()) self = arguments[0];
    use_up_limits(code, index, me, self, arguments);
    if (action.play && action.to) play_to(code, action, self);
    block(code, action.body.block);
  });
}

// Moves the played card to the target zone of the play. Cards that it replaces are moved first.
static void play_to(const FunctionContext& code, const model::Action& action, Register self) {
  Register to = zone_instance(code, action.to->zone.index, action.to->owner, action.to->copy);
  if (!action.replacing.empty()) {
    Register old = code.set(
        Op::set_and, {code.set(Op::zone_cards, {to}), const_cards(code, cards_of_kinds(code.unit, action.replacing))});
    Register place =
        zone_instance(code, action.replaced_to->zone.index, action.replaced_to->owner, action.replaced_to->copy);
    code.effect(Op::note_move, {old, to, place, 0});
    code.effect(Op::move_cards, {old, to, place, 0});
  }
  const Register likely = action.parameters.empty() ? code.constant(kNone) : guess(code, action.parameters[0].local);
  room_in_slot(code, action.to->zone.index, to, self);
  code.effect(Op::note_move, {code.set(Op::set_of, {self}), code.integer(Op::zone_of, {self, likely}), to, 0});
  code.effect(Op::move_card, {self, likely, to, 0});
  touch(code, code.unit.watching.zones);
}

}   // namespace cardwright::lower
