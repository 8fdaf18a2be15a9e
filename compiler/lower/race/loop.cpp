// Emits the loop of a window in real time. docs/reference/language/real_time.md describes the timing model.
//
// The next event is the one with the lowest key. A key consists of the time, then a class (0: end of a pause, 1:
// timers, 2: landings, 3: decisions), then a rank (the seats in order, starting from a random seat). A decision at time
// T by a player with a reaction lag of s is an event at T - s, which uses the state at that time. Its action begins at
// T, so no past states are stored.
#include <algorithm>
#include <bit>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/offers/perform.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/weights.h"
#include "compiler/lower/race/times.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/option_ids.h"
#include "compiler/lower/windows/at_once.h"

namespace cardwright::lower {

using model::TypeKind;

namespace {

constexpr Int kTimerEvents = 16;   // class 1 and rank 0, as the part of a key below the time
constexpr Int kPlayerEvents = 32;   // this bit is set in the keys of classes 2 and 3
constexpr Int kDecides = 16;   // among the keys of classes 2 and 3, this bit is set only in class 3

// ---------------------------------------------------------------- functions that the loop calls

// Returns the estimated cost of testing whether the group has an option. Nested loops dominate the cost.
std::size_t effort(const Group& g) {
  return 4 * g.levels.size() + (g.action->sensible ? 2 : 0) + (set_taken(*g.action) ? 1 : 0);
}

// Emits a function that returns whether the window has an option for a player. If `counting` is true, it considers only
// actions that count for a stalemate.
void write_offers(ProgramContext& unit, ir::FunctionIndex function, model::WindowId window,
                  const std::vector<model::ActionId>* counting) {
  Env at;
  write_function(unit, function, at, [&](const FunctionContext& code) {
    const Register player = parameter(code, simple(TypeKind::player));
    std::vector<Group> groups = groups_for(code.unit, window, player, code.constant(1));
    // One option is enough, so the groups that are cheapest to test come first.
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const Group& g, const Group& h) { return effort(g) < effort(h); });
    const BlockIndex some = code.add_block();
    for (Group& g : groups) {
      if (counting && !counting->empty() &&
          std::none_of(counting->begin(), counting->end(), [&](model::ActionId a) { return a.index == g.index; }))
        continue;
      BlockIndex none = code.add_block();
      code.branch(count_group(code, g, some), some, none);
      code.go_to(none);
    }
    code.effect(Op::ret_int, {code.constant(0)});
    code.go_to(some);
    code.effect(Op::ret_int, {code.constant(1)});
  });
}

// Emits the function think(player): the player starts thinking about the current state and decides later.
void write_think(ProgramContext& unit, ir::FunctionIndex function, const model::Race& race) {
  Env at;
  write_function(unit, function, at, [&](const FunctionContext& code) {
    const RaceInfo& r = *code.program.race;
    // The host calls this function too, so the argument is not guaranteed to be a player.
    const Int seats = static_cast<Int>(std::bit_ceil(static_cast<Word>(code.model.players)));
    const Register player =
        code.integer(Op::mask_and, {parameter(code, simple(TypeKind::player)), code.constant(seats - 1)}, 1);
    BlockIndex thinks = code.add_block(), live = code.add_block();
    code.branch(code.integer(Op::mask_has, {load_raw(code, r.live), player}, 1), live, thinks);
    code.go_to(thinks);
    set_mode(code, player, r.thinking, {r.waiting});
    const Register now = load_raw(code, r.time);
    const Register ready = code.integer(Op::add_small, {now, at_speed(code, timing(code, race.think, player), player)});
    const Register seen =
        code.integer(Op::sub_small, {load_raw(code, r.free, player), scaled(code, timing(code, race.sight, player))});
    race_store(code, r.due, race_key(code, larger(code, larger(code, ready, seen), now), 3, player), player);
    code.effect(Op::ret, {});
    code.go_to(live);
    set_mode(code, player, -1, {r.waiting});
    code.effect(Op::ret, {});
  });
}

// Emits a rule of the window as a function. `held` lists the variables that store the values of the rule's names.
ir::FunctionIndex write_rule(ProgramContext& unit, const model::Body& rule, const std::string& name, Range range,
                             const std::vector<std::pair<model::LocalId, Int>>& held = {}) {
  const ir::FunctionIndex f = new_function(unit, name, ir::Returns::nothing, range);
  Env at;
  bind_locals(at, rule);
  write_function(unit, f, at, [&](const FunctionContext& code) {
    for (const auto& [local, variable] : held) bind(code, local, scratch_value(code, variable));
    block(code, rule.block);
  });
  return f;
}

// Functions that the loop calls at several positions.
struct Functions {
  ir::FunctionIndex think, has_offers, counting;
  std::vector<ir::FunctionIndex> resumes, timers;
  ir::FunctionIndex stalemate;
};

Functions write_functions(ProgramContext& unit, std::uint32_t window) {
  const model::Window& w = unit.model.windows[window];
  const model::Race& race = *w.race;
  Functions f{};
  f.think = new_function(unit, "think in " + w.name, ir::Returns::nothing, w.range, false);
  f.has_offers = new_function(unit, "offers of " + w.name, ir::Returns::integer, w.range, false);
  write_think(unit, f.think, race);
  write_offers(unit, f.has_offers, model::WindowId{window}, nullptr);
  f.counting = f.has_offers;
  if (race.has_stalemate && !race.stalemate.empty()) {
    f.counting = new_function(unit, "stalemate of " + w.name, ir::Returns::integer, w.range, false);
    write_offers(unit, f.counting, model::WindowId{window}, &race.stalemate);
  }
  unit.program.race->think.resize(unit.model.windows.size(), -1);
  unit.program.race->think[window] = Int(f.think);
  for (std::size_t i = 0; i < race.resumes.size(); ++i) {
    const model::Resume& resume = race.resumes[i];
    std::vector<std::pair<model::LocalId, Int>> held;
    for (std::size_t k = 0; k < resume.held.size(); ++k)
      held.push_back({resume.held[k], unit.race.held[{window, i}][k]});
    f.resumes.push_back(write_rule(unit, resume.body, "after the pause of " + w.name, w.range, held));
  }
  for (const model::RaceTimer& timer : race.timers)
    f.timers.push_back(write_rule(unit, timer.body, "after … of " + w.name, timer.range));
  if (race.has_stalemate) f.stalemate = write_rule(unit, race.stalemate_body, "stalemate of " + w.name, w.range);
  return f;
}

// A timer of the window or of the game, and its event key without the time.
struct Timer {
  Int variable, index, low;
};

// The context in which the loop is emitted.
struct Loop {
  const FunctionContext& code;
  const model::Stmt& statement;
  const model::Window& window;
  const model::Race& race;
  const RaceInfo& info;
  const Functions functions;
  Register members;   // the participants

  // Blocks at which the loop continues. `left` is reached if an `end` targets something outside the window.
  BlockIndex again, left, close, closed;
  BlockIndex player_event, decision, landing, nothing;

  Register player;   // the player of the current event
  Register in_race;
  std::vector<Timer> timers = {};   // if two timers are due at the same time, the first one in this list runs
  Register due = ir::kNoRegister;   // the key of the next event

  model::WindowId id() const { return {statement.ref}; }
};

// ---------------------------------------------------------------- opening

// Starts the timers of the window.
void start_timers(const FunctionContext& code, const model::Stmt& s, Register begin) {
  const model::Race& race = *code.model.windows[s.ref].race;
  const RaceInfo& r = *code.program.race;
  code.effect(Op::clear, {code.unit.race.timers});
  race_store(code, r.guard_at, code.constant(0));
  for (std::size_t k = 0; k < race.timers.size(); ++k) {
    const Register time = scaled(code, expr(code, *race.timers[k].delay)),
                   at = code.integer(Op::add_small, {begin, time});
    race_store(code, code.unit.race.timers, at, code.constant(Int(k)));
    if (race.timers[k].quiet) {
      race_store(code, code.unit.race.quiets, time, code.constant(Int(k)));
      continue;
    }
    race_store(code, r.guard_at, larger(code, load_raw(code, r.guard_at), at));
    code.program.race->guards[s.ref] = race.timers[k].range;
  }
  if (!race.has_after)
    race_store(code, code.unit.race.timers,
               code.integer(Op::add_small, {begin, scaled(code, code.constant(model::kRaceLimit))}),
               code.constant(Int(race.timers.size())));
  for (const Int timer : code.unit.ids.timer) code.effect(Op::clear, {timer});
}

// Opens the race. Returns the participants.
Register open(const FunctionContext& code, const model::Stmt& s) {
  const model::Race& race = *code.model.windows[s.ref].race;
  const RaceInfo& r = *code.program.race;
  const Int n = code.model.players;
  const Register members = code.make_int(4);
  code.assign(members, expr(code, *view::ask(s).whom()));
  drop_intents(code);
  race_store(code, r.time, code.constant(0));
  race_store(code, r.open, code.constant(Int(s.ref) + 1));
  race_store(code, code.unit.race.tie, code.integer(Op::roll, {code.constant(0), code.constant(n - 1)}));
  race_store(code, code.unit.race.asked, code.constant(0));
  const Register go = race.countdown ? scaled(code, expr(code, *race.countdown)) : code.constant(0);
  const Register begin = code.make_int();
  code.assign(begin, go);
  for (Int p = 0; p < n; ++p) race_store(code, r.free, begin, code.constant(p));
  if (r.blocked >= 0) code.effect(Op::clear, {r.blocked});
  race_store(code, r.paused_until, begin);
  race_store(code, code.unit.race.quiet, begin);
  race_store(code, code.unit.race.resume, code.constant(race.countdown_then ? Int(*race.countdown_then) : kNone));
  start_timers(code, s, begin);
  return members;
}

// ---------------------------------------------------------------- after each event

// Handles an `end` in progress, settles pending rules, and closes the window if its `until` condition is true.
void settle_and_check(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const BlockIndex on = code.add_block();
  code.branch(load_raw(code, code.unit.variables.ending), loop.left, on);
  code.go_to(on);
  settle(code);
  if (const model::Expr* until = view::ask(loop.statement).until()) {
    const BlockIndex reached = code.add_block(), more = code.add_block();
    branch_on(code, *until, reached, more);
    code.go_to(reached);
    if (code.env().window_reached != ir::kNoRegister) code.assign_constant(code.env().window_reached, 1);
    code.jump(loop.close);
    code.go_to(more);
  }
}

Register still_in(const Loop& loop) {
  return loop.code.integer(Op::mask_and, {loop.members, loop.code.integer(Op::players_in, {}, 4)}, 4);
}

Register is_paused(const Loop& loop) {
  const FunctionContext& code = loop.code;
  return code.integer(Op::ne, {load_raw(code, loop.info.paused_until), code.constant(kNone)}, 1);
}

// Makes all idle players who now have an option start thinking. Returns whether there are any.
Register wake_idle_players(const Loop& loop, Register except) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  const Register busy = code.integer(Op::mask_or, {load_raw(code, r.thinking), load_raw(code, r.flying)}),
                 found = code.make(int_type(1));
  code.assign_constant(found, 0);
  Register whom = code.integer(Op::mask_without, {still_in(loop), busy}, 4);
  if (except != ir::kNoRegister)
    whom = code.integer(Op::mask_without, {whom, code.integer(Op::mask_of, {except}, 4)}, 4);
  for_each(code, whom, [&](Register q) {
    const BlockIndex yes = code.add_block(), no = code.add_block();
    code.branch(call(code, loop.functions.has_offers, {q}), yes, no);
    code.go_to(yes);
    code.assign_constant(found, 1);
    call(code, loop.functions.think, {q});
    code.jump(no);
    code.go_to(no);
  });
  return found;
}

// Emits the test for a stalemate: no action is in flight, the race is not paused, and no player has an option that
// counts. `found` is nonzero if the caller has just found a player with such an option.
void check_stalemate(const Loop& loop, Register found) {
  const FunctionContext& code = loop.code;
  if (!loop.race.has_stalemate) return;
  const BlockIndex quiet = code.add_block(), stalled = code.add_block(), on = code.add_block();
  const Register paused = is_paused(loop);
  Register not_stalled = code.integer(Op::or_, {load_raw(code, loop.info.flying), paused});
  if (found != ir::kNoRegister && loop.functions.counting == loop.functions.has_offers)
    not_stalled = code.integer(Op::or_, {not_stalled, found});
  code.branch(not_stalled, on, quiet);
  code.go_to(quiet);
  for_each(code, still_in(loop), [&](Register q) {
    const BlockIndex none = code.add_block();
    code.branch(call(code, loop.functions.counting, {q}), on, none);
    code.go_to(none);
  });
  code.jump(stalled);
  code.go_to(stalled);
  call(code, loop.functions.stalemate, {});
  settle_and_check(loop);
  const BlockIndex continues = code.add_block();
  code.branch(is_paused(loop), on, continues);
  code.go_to(continues);
  wake_idle_players(loop, ir::kNoRegister);
  code.jump(on);
  code.go_to(on);
}

// Restarts the timers that run while nothing happens; `since` returns their new start time.
void restart_quiet_timers(const Loop& loop, const std::function<Register()>& since) {
  const FunctionContext& code = loop.code;
  for (std::size_t k = 0; k < loop.race.timers.size(); ++k) {
    if (!loop.race.timers[k].quiet) continue;
    const Register from = since();
    race_store(code, code.unit.race.timers,
               code.integer(Op::add_small, {from, load_raw(code, code.unit.race.quiets, code.constant(Int(k)))}),
               code.constant(Int(k)));
  }
}

// ---------------------------------------------------------------- the next event

// Returns the event key for this time, or kNever if the time is none.
Register time_key(const FunctionContext& code, Register time, Int low) {
  const Register key =
      code.integer(Op::add_small, {code.integer(Op::mul_small, {time, code.constant(64)}), code.constant(low)});
  return code.integer(Op::select, {code.integer(Op::eq, {time, code.constant(kNone)}, 1), code.constant(kNever), key});
}

Register key_of(const FunctionContext& code, const Timer& t) {
  return time_key(code, load_raw(code, t.variable, code.constant(t.index)), t.low);
}

std::vector<Timer> timers_of(const FunctionContext& code, const model::Race& race) {
  std::vector<Timer> timers;
  const Int of_window = Int(race.timers.size()) + (race.has_after ? 0 : 1);
  for (Int k = 0; k < of_window; ++k) timers.push_back({code.unit.race.timers, k, kTimerEvents + std::min<Int>(k, 15)});
  for (const Int timer : code.unit.ids.timer)
    for (Int i = 0; i < code.program.variables[timer].count; ++i) timers.push_back({timer, i, kTimerEvents + 15});
  return timers;
}

Register least_key(const Loop& loop) {
  const FunctionContext& code = loop.code;
  std::vector<Register> keys;
  for (Int p = 0; p < code.model.players; ++p) keys.push_back(load_raw(code, loop.info.due, code.constant(p)));
  for (const Timer& t : loop.timers) keys.push_back(key_of(code, t));
  keys.push_back(time_key(code, load_raw(code, loop.info.paused_until), 0));
  while (keys.size() > 1) {   // comparing in pairs shortens the dependency chain
    std::vector<Register> sooner;
    for (std::size_t i = 0; i < keys.size(); i += 2)
      sooner.push_back(i + 1 < keys.size() ? code.integer(Op::min, {keys[i], keys[i + 1]}) : keys[i]);
    keys = std::move(sooner);
  }
  return keys[0];
}

// Asks the host of a live game whether the next event occurs or a player acts before it.
void ask_host(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  const Int n = code.model.players;
  const BlockIndex live = code.add_block(), continues = code.add_block();
  code.branch(load_raw(code, r.live), live, continues);
  code.go_to(live);
  race_store(
      code, r.next_event,
      code.integer(Op::min, {code.integer(Op::div_small, {loop.due, code.constant(64)}), code.constant(kMostTime)}));
  const Int clock_site = begin_site(code, loop.window.name, nullptr, code.env().flow, loop.statement.range);
  code.program.sites[static_cast<std::size_t>(clock_site)].clock = true;
  const BlockIndex decided = code.add_block(), arrives = code.add_block();
  list_options(code, [] {});
  const Register arrival = code.make_int();
  code.put(Op::decide, arrival,
           // The host answers with one of: continue, a player acts, or compute the next event again.
           {code.constant(kHost), code.constant(n + 2), clock_site});
  code.branch(code.integer(Op::eq, {arrival, code.constant(n + 1)}, 1), loop.again, decided);
  code.go_to(decided);
  code.branch(arrival, arrives, continues);
  code.go_to(arrives);
  code.assign(loop.player, modulo_players(code, code.integer(Op::add_small,
                                                             {code.integer(Op::mask_and, {arrival, code.constant(15)}),
                                                              code.constant(n - 1)})));
  code.jump(loop.decision);
  code.go_to(continues);
}

// ---------------------------------------------------------------- pauses and timers

void on_event(const Loop& loop, Register key, const std::function<void()>& write) {
  const FunctionContext& code = loop.code;
  const BlockIndex mine = code.add_block(), next = code.add_block();
  code.branch(code.integer(Op::eq, {key, loop.due}, 1), mine, next);
  code.go_to(mine);
  write();
  settle_and_check(loop);
  check_stalemate(loop, wake_idle_players(loop, ir::kNoRegister));
  code.jump(loop.again);
  code.go_to(next);
}

void pause_ends(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const Register which = load_raw(code, code.unit.race.resume);
  race_store(code, loop.info.paused_until, code.constant(kNone));
  race_store(code, code.unit.race.resume, code.constant(kNone));
  const BlockIndex after = code.add_block();
  for (std::size_t i = 0; i < loop.functions.resumes.size(); ++i) {
    const BlockIndex mine = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::eq, {which, code.constant(Int(i))}, 1), mine, next);
    code.go_to(mine);
    call(code, loop.functions.resumes[i], {});
    code.jump(after);
    code.go_to(next);
  }
  code.jump(after);
  code.go_to(after);
  restart_quiet_timers(loop, [&] { return load_raw(code, code.unit.race.quiet); });
}

void timer_rings(const Loop& loop, const Timer& t) {
  const FunctionContext& code = loop.code;
  race_store(code, t.variable, code.constant(kNone), code.constant(t.index));
  if (t.variable == code.unit.race.timers) {
    if (static_cast<std::size_t>(t.index) < loop.functions.timers.size())
      call(code, loop.functions.timers[static_cast<std::size_t>(t.index)], {});
    else
      code.effect(Op::trap, {Int(Trap::race_without_end)});
    return;
  }
  touch(code, code.unit.watching.always);
  const auto& all = code.unit.ids.timer;
  const model::Timer& timer =
      code.model.timers[static_cast<std::size_t>(std::find(all.begin(), all.end(), t.variable) - all.begin())];
  std::vector<Register> arguments;
  if (timer.per_player) arguments.push_back(code.constant(t.index));
  call(code, code.unit.functions.event[timer.rings.index], arguments);
}

// Handles the case that no event is due. If there is no stalemate, traps unless the race is paused or a player is
// thinking.
void when_nothing_is_due(const Loop& loop) {
  const FunctionContext& code = loop.code;
  check_stalemate(loop, ir::kNoRegister);
  const BlockIndex paused = code.add_block(), stuck = code.add_block();
  const Register anything = code.make(int_type(1));
  code.put(Op::or_, anything,
           {is_paused(loop), code.integer(Op::ne, {load_raw(code, loop.info.thinking), code.constant(0)}, 1)});
  code.branch(anything, paused, stuck);
  code.go_to(paused);
  code.jump(loop.again);
  code.go_to(stuck);
  code.effect(Op::trap, {Int(Trap::race_without_end)});
}

// ---------------------------------------------------------------- events of a player: elimination, landing, decision

void sort_player_events(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  code.assign(loop.player, modulo_players(code, code.integer(Op::add_small,
                                                             {code.integer(Op::mask_and, {loop.due, code.constant(15)}),
                                                              load_raw(code, code.unit.race.tie)})));
  code.assign(loop.in_race, still_in(loop));
  const BlockIndex in = code.add_block(), out = code.add_block();
  code.branch(code.integer(Op::mask_has, {loop.in_race, loop.player}, 1), in, out);
  code.go_to(out);
  set_mode(code, loop.player, -1, {r.thinking, r.waiting, r.flying});
  race_store(code, r.answers, code.constant(kNone), loop.player);
  code.jump(loop.again);
  code.go_to(in);
  code.branch(code.integer(Op::mask_and, {loop.due, code.constant(kDecides)}), loop.decision, loop.landing);
}

// Makes the player think again, about the current state.
void think_again(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const BlockIndex here = code.add_block();
  code.branch(code.integer(Op::mask_has, {still_in(loop), loop.player}, 1), here, loop.again);
  code.go_to(here);
  call(code, loop.functions.think, {loop.player});
  code.jump(loop.again);
}

// Records that an action landed, and for how long it occupies its player.
void landed(const Loop& loop, Register count_at, Register busy) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  race_store(code, r.landed, code.integer(Op::add_small, {load_raw(code, r.landed, count_at), code.constant(1)}),
             count_at);
  if (code.env().window_acted != ir::kNoRegister) code.assign_constant(code.env().window_acted, 1);
  const Register now = load_raw(code, r.time);
  race_store(code, r.free, larger(code, load_raw(code, r.free, loop.player), code.integer(Op::add_small, {now, busy})),
             loop.player);
  race_store(code, code.unit.race.quiet, now);
  restart_quiet_timers(loop, [&] { return now; });
  settle_and_check(loop);
}

void land_hand(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  set_mode(code, loop.player, -1, {r.flying});
  const BlockIndex looked_at = code.add_block(), known = code.add_block(), done = code.add_block(),
                   fizzled = code.add_block();
  const Register kind = code.make_int(), outcome = code.make_int(), busy = code.make_int();
  code.assign_constant(kind, kNone);
  code.assign_constant(outcome, kNotLanded);
  code.assign_constant(busy, 0);
  land(code, code.unit.race.answers, loop.id(), loop.player, [&](std::size_t a, Register result) {
    code.assign_constant(kind,
                         std::find(r.actions.begin(), r.actions.end(), code.unit.ids.action[a]) - r.actions.begin());
    code.assign(outcome, result);
    if (code.model.actions[a].busy) code.assign(busy, at_speed(code, result, loop.player));
  });
  code.branch(code.integer(Op::eq, {kind, code.constant(kNone)}, 1), looked_at, known);
  code.go_to(known);
  const Register count_at = code.integer(
      Op::add_small, {code.integer(Op::mul_small, {loop.player, code.constant(Int(r.actions.size()))}), kind});
  code.branch(code.integer(Op::eq, {outcome, code.constant(kNotLanded)}, 1), fizzled, done);
  code.go_to(fizzled);
  race_store(code, r.late, code.integer(Op::add_small, {load_raw(code, r.late, count_at), code.constant(1)}), count_at);
  settle_and_check(loop);
  code.jump(looked_at);
  code.go_to(done);
  landed(loop, count_at, busy);
  const auto runs = [&] { return code.integer(Op::eq, {load_raw(code, r.paused_until), code.constant(kNone)}, 1); };
  const BlockIndex others = code.add_block();
  code.branch(runs(), others, loop.again);
  code.go_to(others);
  check_stalemate(loop, wake_idle_players(loop, loop.player));
  code.branch(runs(), looked_at, loop.again);
  code.go_to(looked_at);
  think_again(loop);
}

// ---------------------------------------------------------------- decisions

// Sets `must` if the rules require the player to choose an option of the group.
void check_must(const Loop& loop, Group& g, Register must) {
  const FunctionContext& code = loop.code;
  if (!g.action->must) return;
  if (!g.action->must_if) return code.put(Op::or_, must, {must, g.count});
  const BlockIndex some = code.add_block(), yes = code.add_block(), no = code.add_block();
  code.branch(g.count, some, no);
  code.go_to(some);
  const FunctionContext names = code.in(g.env);
  bind(names, g.action->head.me, loop.player);
  branch_on(names.asked(reads(names, *g.action->must_if) ? Asking{loop.player, Asking::Mode::must} : Asking{}),
            *g.action->must_if, yes, no);
  code.go_to(yes);
  code.assign_constant(must, 1);
  code.jump(no);
  code.go_to(no);
}

// Returns the duration of the chosen action.
Register takes(const FunctionContext& asked, Group& g, const Chosen& chosen) {
  const FunctionContext code = asked.in(g.env);
  bind(code, g.action->head.me, g.me);
  std::size_t at = 1;
  if (g.action->head.carrier.kind == model::CarrierKind::card) bind(code, g.action->head.self, chosen.arguments[at++]);
  for (const model::ActionParameter& p : g.action->parameters) bind(code, p.local, chosen.arguments[at++]);
  return at_speed(code, expr(code, *g.action->takes), g.me);
}

// Stores in `start` the time at which the chosen action can begin.
void find_start(const Loop& loop, const Group& g, Register now, Register start) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  code.assign(start, larger(code, now, load_raw(code, r.free, loop.player)));
  const auto& groups = code.model.delay_groups;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (std::none_of(groups[group].begin(), groups[group].end(), [&](model::ActionId a) { return a.index == g.index; }))
      continue;
    const Register at = code.integer(
        Op::add_small,
        {code.integer(Op::mul_small, {loop.player, code.constant(Int(groups.size()))}), code.constant(Int(group))});
    code.put(Op::max, start, {start, load_raw(code, r.blocked, at)});
  }
}

// Starts the chosen action. `lands` is the time at which it takes effect.
void begin_hand(const Loop& loop, Group& g, const Chosen& chosen, Register lands) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  const Register now = load_raw(code, r.time), start = code.make_int(),
                 live = code.integer(Op::mask_has, {load_raw(code, r.live), loop.player}, 1);
  find_start(loop, g, now, start);
  const BlockIndex person = code.add_block(), bot = code.add_block(), flies = code.add_block();
  code.branch(live, person, bot);
  code.go_to(person);   // No reaction time is simulated for a person.
  code.assign(lands, start);
  if (g.action->takes && !g.action->by_hand) code.put(Op::add_small, lands, {start, takes(code, g, chosen)});
  code.jump(flies);
  code.go_to(bot);
  code.put(Op::max, start,
           {start, code.integer(Op::add_small, {now, scaled(code, timing(code, loop.race.sight, loop.player))})});
  code.assign(lands, start);
  if (g.action->takes) code.put(Op::add_small, lands, {start, takes(code, g, chosen)});
  code.jump(flies);
  code.go_to(flies);
}

// The options of the player. Where the rules allow it, the player may also wait.
struct PlayersOffers {
  Offers offers;
  Register count, may_wait;
};

PlayersOffers count_for_player(const Loop& loop, Int site) {
  const FunctionContext& code = loop.code;
  code.program.sites[static_cast<std::size_t>(site)].secret = true;
  const Register is_live = code.make(int_type(1)), simulated = code.make(int_type(1));
  code.put(Op::mask_has, is_live, {load_raw(code, loop.info.live), loop.player});
  code.put(Op::not_, simulated, {is_live});
  PlayersOffers offered{offers_for(code, loop.id(), loop.player, simulated), ir::kNoRegister, ir::kNoRegister};
  const Register must = code.make_int();
  code.assign_constant(must, 0);
  offered.count = count_offers(code, offered.offers, site, [&](Group& g) { check_must(loop, g, must); });
  offered.may_wait = code.integer(
      Op::select,
      {code.integer(Op::or_, {code.integer(Op::or_, {is_live, must}),
                              code.model.seats_have_policies ? plays_sensibly(code, policy_of(code, loop.player))
                                                             : load_raw(code, code.program.sensible_only)}),
       code.constant(0), code.constant(1)});
  return offered;
}

void wait(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  code.effect(Op::chosen, {code.constant(code.program.actions[code.unit.ids.wait].base)});
  set_mode(code, loop.player, r.waiting, {r.thinking});
  const Register look = code.integer(
      Op::add_small,
      {load_raw(code, r.time), at_speed(code, timing(code, loop.race.patience, loop.player), loop.player)});
  race_store(code, r.due, race_key(code, look, 3, loop.player), loop.player);
  code.jump(loop.again);
}

void decide(const Loop& loop) {
  const FunctionContext& code = loop.code;
  const RaceInfo& r = loop.info;
  const model::Expr* const prompt = view::ask(loop.statement).prompt();
  const Int site = begin_site(code, loop.window.name, prompt, code.env().flow, loop.statement.range);
  PlayersOffers here = count_for_player(loop, site);
  const BlockIndex offered = code.add_block(), idle = code.add_block(), begun = code.add_block();
  code.branch(here.count, offered, idle);
  code.go_to(idle);
  set_mode(code, loop.player, -1, {r.thinking, r.waiting});
  code.jump(loop.again);
  code.go_to(offered);
  list_options(
      code,
      [&] {
        list_offers(code, here.offers);
        list_option_if(code, here.may_wait, code.constant(code.program.actions[code.unit.ids.wait].base));
      },
      text_logger(code, {prompt}));
  const Register k = code.make_int();
  const Register n = code.integer(Op::add_small, {here.count, here.may_wait});
  code.put(Op::decide, k, {loop.player, n, site});
  lean(code, here.offers, loop.player, k, n, false);
  note_offered(code, here.offers);
  code.program.sites[static_cast<std::size_t>(site)].actions.push_back(code.unit.ids.wait);
  race_store(
      code, code.unit.race.asked,
      code.integer(Op::mask_or, {load_raw(code, code.unit.race.asked), code.integer(Op::mask_of, {loop.player}, 4)}));
  const Register lands = code.make_int();
  choose_offer(code, here.offers, k, [&](Group& g) {
    const Chosen chosen = pick_arguments(code, g, k, code.env().flow);
    keep_answer(code, code.unit.race.answers, g, chosen);
    begin_hand(loop, g, chosen, lands);
    code.jump(begun);
  });
  wait(loop);
  code.go_to(begun);
  set_mode(code, loop.player, r.flying, {r.thinking, r.waiting});
  race_store(code, r.due, race_key(code, lands, 2, loop.player), loop.player);
  code.jump(loop.again);
}

void close(const Loop& loop) {
  const FunctionContext& code = loop.code;
  code.go_to(loop.left);
  drop_intents(code);
  close_race(code);
  close_if_ended(code, loop.statement, loop.closed);
  code.go_to(loop.close);
  drop_intents(code);
  close_race(code);
  code.jump(loop.closed);
  code.go_to(loop.closed);
}

// Advances the time to the next event.
void next_event(Loop& loop) {
  const FunctionContext& code = loop.code;
  code.go_to(loop.again);
  fuel(code);
  loop.timers = timers_of(code, loop.race);
  loop.due = least_key(loop);
  ask_host(loop);
  const BlockIndex something = code.add_block(), timers = code.add_block();
  code.branch(code.integer(Op::lt_small, {loop.due, code.constant(kNever)}, 1), something, loop.nothing);
  code.go_to(something);
  // Divides by 64; the result is never negative.
  race_store(code, loop.info.time, code.integer(Op::mask_shift, {loop.due, code.constant(-6)}));
  code.branch(code.integer(Op::mask_and, {loop.due, code.constant(kPlayerEvents)}), loop.player_event, timers);
  code.go_to(timers);
}

}   // namespace

void ask_in_real_time(const FunctionContext& code, const model::Stmt& s) {
  const model::Window& window = code.model.windows[s.ref];
  const Functions functions = write_functions(code.unit, s.ref);
  const Register members = open(code, s);
  const BlockIndex again = code.add_block(), left = code.add_block(), closing = code.add_block(),
                   closed = code.add_block();
  const BlockIndex player_event = code.add_block(), decision = code.add_block(), landing = code.add_block(),
                   nothing = code.add_block();
  const Register player = code.make(int_type(1)), in_race = code.make_int(4);
  Loop loop{code,    s,      window,  *window.race, *code.program.race, functions, members,
            again,   left,   closing, closed,       player_event,       decision,  landing,
            nothing, player, in_race};
  code.jump(again);
  next_event(loop);
  on_event(loop, time_key(code, load_raw(code, loop.info.paused_until), 0), [&] { pause_ends(loop); });
  for (const Timer& t : loop.timers) on_event(loop, key_of(code, t), [&] { timer_rings(loop, t); });
  code.effect(Op::trap, {Int(Trap::fell_through)});
  code.go_to(nothing);
  when_nothing_is_due(loop);
  code.go_to(player_event);
  sort_player_events(loop);
  code.go_to(landing);
  land_hand(loop);
  code.go_to(decision);
  decide(loop);
  close(loop);
}

}   // namespace cardwright::lower
