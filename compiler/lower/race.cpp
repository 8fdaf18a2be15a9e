// Windows in real time: an event loop in IR. the model is written out in docs/language.md ("Modelling a race").
//
// What is due next is found by its key: time, then class (0 a pause ends, 1 timers, 2 landings, 3 decisions), then rank
// (seats from a random one on). Deciding at T with eyes that lag by s stands as an event at T - s on the state of that
// moment, and the hand begins at T, so nothing old is kept.
#include "compiler/lower/race.h"

#include <algorithm>
#include <bit>

#include "compiler/lower/asked.h"
#include "compiler/lower/at_once.h"
#include "compiler/lower/calls.h"
#include "compiler/lower/events.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/flow.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/offers.h"
#include "compiler/lower/option_ids.h"
#include "compiler/lower/sets.h"
#include "compiler/lower/statements.h"
#include "compiler/lower/watch.h"

namespace cardwright::lower {

using model::TypeKind;

static void describe_race(ProgramContext& unit, std::size_t window);
static void race_store(const FunctionContext& code, Int variable, Register value, Register index = ir::kNoRegister);
static void in_open_race(const FunctionContext& code, const std::function<void()>& write, Int window = -1);
static void close_race(const FunctionContext& code);
static Register takes(const FunctionContext& code, Group& group, const Chosen& chosen);

namespace {
constexpr Int kMostTime = Int{1} << 50;
constexpr Int kNever = Int{1} << 58;   // a key
constexpr Int kMostLength = 0xffffffff;   // 71 minutes
constexpr Int kTimerEvents = 16;   // class 1: the first of its ranks
constexpr Int kPlayerEvents = 32;   // this bit of a key is set in classes 2 and 3 …
constexpr Int kDecides = 16;   // … and then this one in class 3
}  // namespace

// ---------------------------------------------------------------- state

void declare_race(ProgramContext& unit) {
  unit.ids.wait = -1;
  if (std::none_of(unit.model.windows.begin(), unit.model.windows.end(),
                   [](const model::Window& w) { return w.race.has_value(); }))
    return;
  ActionInfo wait;
  wait.kind = ActionKind::pass;
  wait.name = "wait";
  wait.label = "wait";
  unit.ids.wait = add_action(unit, std::move(wait));
  unit.program.layout.races = 1;
  const Int n = unit.model.players, everybody = (Int{1} << n) - 1;
  const Int groups = static_cast<Int>(unit.model.delay_groups.size());
  std::size_t timers = 0;
  RaceInfo r;
  for (std::size_t w = 0; w < unit.model.windows.size(); ++w) {
    if (!unit.model.windows[w].race) continue;
    timers = std::max(timers, unit.model.windows[w].race->timers.size() + 1);
    for (std::size_t a = 0; a < unit.model.actions.size(); ++a)
      if (fits_answers(unit, a) && model::is_in(unit.model.actions[a], model::WindowId{std::uint32_t(w)}) &&
          std::find(r.actions.begin(), r.actions.end(), unit.ids.action[a]) == r.actions.end())
        r.actions.push_back(unit.ids.action[a]);
  }
  std::sort(r.actions.begin(), r.actions.end());
  for (const auto& group : unit.model.delay_groups) {
    r.groups.emplace_back();
    for (const model::ActionId a : group) r.groups.back().push_back(unit.ids.action[a.index]);
  }
  const Int counted = n * static_cast<Int>(std::max<std::size_t>(1, r.actions.size()));
  r.open = add_scratch(unit, "open race", 0, static_cast<Int>(unit.model.windows.size()), 0);
  r.time = add_scratch(unit, "race time", 0, kMostTime, 0);
  r.next_event = add_scratch(unit, "next event", 0, kMostTime, 0);
  r.paused_until = add_scratch(unit, "paused until", 0, kMostTime, kNone);
  r.thinking = add_scratch(unit, "thinking", 0, everybody, 0);
  r.waiting = add_scratch(unit, "waiting", 0, everybody, 0);
  r.flying = add_scratch(unit, "flying", 0, everybody, 0);
  r.due = add_scratch(unit, "due", 0, kNever, kNever, n);
  r.free = add_scratch(unit, "free", 0, kMostTime, 0, n);
  if (groups > 0) r.blocked = add_scratch(unit, "blocked", 0, kMostTime, 0, n * groups);
  r.answers = unit.race.answers.option = add_scratch(unit, "in flight", 0, kUnlimited, kNone, n);
  r.held = unit.race.answers.held = add_scratch(unit, "held in flight", 0, everybody, 0);
  r.sets = declare_picked(unit, unit.race.answers, "in flight",
                          [&](std::size_t a) { return by_id(unit, unit.model.actions[a]); });
  r.live = add_scratch(unit, "live", 0, everybody, 0);
  r.speed = add_scratch(unit, "speed", 1, 1 << 20, 1024, n);
  r.factor = add_scratch(unit, "time factor", 1, 1000, 1);
  r.clock = add_scratch(unit, "clock", 0, kMostTime, 0);
  r.races = add_scratch(unit, "races", 0, 0xffffff, 0);
  r.lengths = add_scratch(unit, "race lengths", 0, kMostLength, 0, RaceInfo::kLengths);
  r.guard_at = add_scratch(unit, "race guard", 0, kMostTime, 0);
  r.timed_out = add_scratch(unit, "timed out", 0, 0xffffff, 0, static_cast<Int>(unit.model.windows.size()));
  r.guards.resize(unit.model.windows.size());
  r.landed = add_scratch(unit, "landed", 0, 0xffffff, 0, counted);
  r.late = add_scratch(unit, "late", 0, 0xffffff, 0, counted);
  unit.race.tie = add_scratch(unit, "tie", 0, n - 1, 0);
  unit.race.quiet = add_scratch(unit, "quiet since", 0, kMostTime, 0);
  unit.race.resume = add_scratch(unit, "after the pause", 0, 0xffff, kNone);
  for (std::size_t w = 0; w < unit.model.windows.size(); ++w)
    for (std::size_t i = 0; unit.model.windows[w].race && i < unit.model.windows[w].race->resumes.size(); ++i) {
      const model::Resume& resume = unit.model.windows[w].race->resumes[i];
      for (const model::LocalId held : resume.held) {
        const model::Local& l = resume.body.locals[held.index];
        unit.race.held[{std::uint32_t(w), i}].push_back(add_scratch_for(unit, "held for " + l.name, l.type));
      }
    }
  unit.race.asked = add_scratch(unit, "asked before", 0, everybody, 0);
  unit.race.timers = add_scratch(unit, "race timers", 0, kMostTime, kNone, static_cast<Int>(timers));
  unit.race.quiets = add_scratch(unit, "quiet timers", 0, kMostTime, 0, static_cast<Int>(timers));
  for (const model::Timer& timer : unit.model.timers)
    unit.ids.timer.push_back(add_scratch(unit, timer.name, 0, kMostTime, kNone, timer.per_player ? n : 1));
  r.timers = unit.ids.timer;
  for (const model::Timer& timer : unit.model.timers) r.timer_labels.push_back(timer.label);
  r.afters = unit.race.timers;
  r.windows_afters.resize(unit.model.windows.size());
  r.windows_fields.resize(unit.model.windows.size());
  unit.program.race = std::move(r);
  for (std::size_t w = 0; w < unit.model.windows.size(); ++w)
    if (unit.model.windows[w].race) describe_race(unit, w);
}

// What people are shown of the window while it is open.
static void describe_race(ProgramContext& unit, std::size_t window) {
  const model::Window& w = unit.model.windows[window];
  for (const model::RaceTimer& timer : w.race->timers)
    unit.program.race->windows_afters[window].push_back({timer.quiet, timer.words, timer.range});
  for (const auto& [field, variable] : unit.variables.window_field) {
    if (field.first != window || unit.facts.secrecy.taint().is_secret_field(field.first, field.second)) continue;
    const model::Local& local = w.body.locals[model::local_of_field(w, field.second).index];
    const ValueKind kind = value_kind(unit, local.type);
    const bool plain = kind == ValueKind::integer || kind == ValueKind::boolean || kind == ValueKind::player ||
                       kind == ValueKind::enumeration;
    if (plain && local.type.kind != TypeKind::list)
      unit.program.race->windows_fields[window].push_back(
          {local.name, kind, enumeration_of(unit, local.type), variable});
  }
}

// ---------------------------------------------------------------- times

Register race_load(const FunctionContext& code, Int variable, Register index) {
  return code.integer(Op::load_raw, {variable, index == ir::kNoRegister ? code.constant(0) : index});
}
static void race_store(const FunctionContext& code, Int variable, Register value, Register index) {
  code.effect(Op::store, {variable, index == ir::kNoRegister ? code.constant(0) : index, value});
}
static Register larger(const FunctionContext& code, Register a, Register c) { return code.integer(Op::max, {a, c}); }

// A time of the window as the game's time factor has it.
static Register scaled(const FunctionContext& code, Register duration) {
  return code.integer(
      Op::mul_small, {code.integer(Op::max, {duration, code.constant(0)}), race_load(code, code.program.race->factor)});
}
// What people do, at their speed.
static Register at_speed(const FunctionContext& code, Register duration, Register player) {
  return code.integer(Op::at_speed, {duration, race_load(code, code.program.race->speed, player),
                                     race_load(code, code.program.race->factor)});
}
static Register timing(const FunctionContext& code, model::ValueId value, Register player) {
  return call(code, code.unit.functions.value[value.index], {player});
}

// Of what is not less than 0. The passes see that it is one of the players.
static Register modulo_players(const FunctionContext& code, Register number) {
  const Int n = code.model.players;
  if (std::has_single_bit(static_cast<Word>(n))) return code.integer(Op::mask_and, {number, code.constant(n - 1)});
  return code.integer(Op::mod_small, {number, code.constant(n)});
}

static Register race_key(const FunctionContext& code, Register time, Int kind, Register player) {
  const Register n = code.constant(code.model.players);
  const Register rank = modulo_players(code, code.integer(Op::sub_small, {code.integer(Op::add_small, {player, n}),
                                                                          race_load(code, code.unit.race.tie)}));
  const Register low = code.integer(Op::add_small, {code.constant(kind * 16), rank});
  return code.integer(Op::add_small, {code.integer(Op::mul_small, {time, code.constant(64)}), low});
}

// The mask of that mode, or -1: idle; and those in which they may have been till now.
static void set_mode(const FunctionContext& code, Register player, Int mode, std::initializer_list<Int> till_now) {
  const Register mine = code.integer(Op::mask_of, {player}, 4);
  for (const Int mask : till_now)
    if (mask != mode) race_store(code, mask, code.integer(Op::mask_without, {race_load(code, mask), mine}));
  if (mode >= 0) race_store(code, mode, code.integer(Op::mask_or, {race_load(code, mode), mine}));
  if (mode < 0) race_store(code, code.program.race->due, code.constant(kNever), player);
}

Register latency(const FunctionContext& code, const model::Expr& e) {
  const view::latency its(e);
  static const Op shapes[] = {Op::latency_uniform, Op::latency_spread, Op::latency_normal};
  const Register who = expr(code, *its.whose()), a = expr(code, *its.first()), c = expr(code, *its.second());
  return code.integer(shapes[e.value], {who, a, c});
}

// ---------------------------------------------------------------- statements

static void in_open_race(const FunctionContext& code, const std::function<void()>& write, Int window) {
  BlockIndex yes = code.add_block(), after = code.add_block();
  const Register open = race_load(code, code.program.race->open);
  code.branch(window < 0 ? open : code.integer(Op::eq, {open, code.constant(window + 1)}, 1), yes, after);
  code.go_to(yes);
  write();
  code.jump(after);
  code.go_to(after);
}

void delay(const FunctionContext& code, const model::Stmt& s) {
  const view::delay its(s);
  if (!code.program.race) return;
  const RaceInfo& r = *code.program.race;
  const Register whom = its.whom()->type.kind == TypeKind::player
                            ? code.integer(Op::mask_of, {expr(code, *its.whom())}, 4)
                            : expr(code, *its.whom());
  const Register by = scaled(code, expr(code, *its.duration()));
  in_open_race(code, [&] {
    for_each(code, whom, false, [&](Register player) {
      const Register now = race_load(code, r.time);
      if (s.ref < code.model.delay_groups.size()) {
        const Register at = code.integer(
            Op::add_small, {code.integer(Op::mul_small, {player, code.constant(Int(code.model.delay_groups.size()))}),
                            code.constant(Int(s.ref))});
        race_store(code, r.blocked,
                   code.integer(Op::add_small, {larger(code, race_load(code, r.blocked, at), now), by}), at);
        return;
      }
      const Register free = code.integer(Op::add_small, {larger(code, race_load(code, r.free, player), now), by});
      race_store(code, r.free, free, player);
      BlockIndex flies = code.add_block(), after = code.add_block();
      code.branch(code.integer(Op::mask_has, {race_load(code, r.flying), player}, 1), flies, after);
      code.go_to(flies);   // what is in flight lands no sooner
      race_store(code, r.due, larger(code, race_load(code, r.due, player), race_key(code, free, 2, player)), player);
      code.jump(after);
      code.go_to(after);
    });
  });
}

static void drop_intents(const FunctionContext& code) {
  const RaceInfo& r = *code.program.race;
  for (const Int mask : {r.thinking, r.waiting, r.flying, r.held}) race_store(code, mask, code.constant(0));
  code.effect(Op::clear, {r.due});
  code.effect(Op::clear, {r.answers});
}

void pause(const FunctionContext& code, const model::Stmt& s) {
  if (!code.program.race) return;
  const RaceInfo& r = *code.program.race;
  const Register by = scaled(code, expr(code, *view::pause(s).duration()));
  in_open_race(
      code,
      [&] {
        drop_intents(code);
        const Register end = code.integer(Op::add_small, {race_load(code, r.time), by});
        race_store(code, r.paused_until, end);
        race_store(code, code.unit.race.quiet, end);
        race_store(code, code.unit.race.resume, s.value == 0 ? code.constant(kNone) : code.constant(s.value - 1));
        for (std::size_t i = 1; i < s.exprs.size(); ++i)
          put_scratch(code, code.unit.race.held[{s.ref, std::size_t(s.value - 1)}][i - 1], expr(code, *s.exprs[i]));
        for (Int p = 0; p < code.model.players; ++p) {
          const Register player = code.constant(p);
          race_store(
              code, r.free,
              code.integer(Op::add_small, {larger(code, race_load(code, r.free, player), race_load(code, r.time)), by}),
              player);
        }
        for (Int i = 0; r.blocked >= 0 && i < code.program.variables[r.blocked].count; ++i)
          race_store(code, r.blocked, code.integer(Op::add_small, {race_load(code, r.blocked, code.constant(i)), by}),
                     code.constant(i));
      },
      Int(s.ref));
}

void start_timer(const FunctionContext& code, const model::Stmt& s) {
  const view::start_timer its(s);
  if (!code.program.race) return;
  const Register index = its.owner() ? expr(code, *its.owner()) : code.constant(0),
                 in = scaled(code, expr(code, *its.duration()));
  in_open_race(code, [&] {
    race_store(code, code.unit.ids.timer[s.ref],
               code.integer(Op::add_small, {race_load(code, code.program.race->time), in}), index);
  });
  touch(code, code.unit.watching.always);
}

void stop_timer(const FunctionContext& code, const model::Stmt& s) {
  const view::stop_timer its(s);
  if (!code.program.race) return;
  race_store(code, code.unit.ids.timer[s.ref], code.constant(kNone),
             !s.exprs.empty() && its.owner() ? expr(code, *its.owner()) : code.constant(0));
  touch(code, code.unit.watching.always);
}

// ---------------------------------------------------------------- what the loop calls

// How much it may take to see whether there is an option: loops in loops first of all.
static std::size_t effort(const Group& g) {
  return 4 * g.levels.size() + (g.action->sensible ? 2 : 0) + (set_taken(*g.action) ? 1 : 0);
}

// Whether the window has an option for a player. `counting`: of those that count for a stalemate.
static void write_offers(ProgramContext& unit, ir::FunctionIndex function, model::WindowId window,
                         const std::vector<model::ActionId>* counting) {
  Env at;
  write_function(unit, function, at, [&](const FunctionContext& code) {
    const Register player = parameter(code, simple(TypeKind::player));
    std::vector<Group> groups = groups_for(code.unit, window, player, code.constant(1));
    // One is enough, so first those of which it is soon known.
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

// think(player): they look at the table, and decide later.
static void write_think(ProgramContext& unit, ir::FunctionIndex function, const model::Race& race) {
  Env at;
  write_function(unit, function, at, [&](const FunctionContext& code) {
    const RaceInfo& r = *code.program.race;
    // The host calls it, too, so it doesn't go without saying that this is a player.
    const Int seats = static_cast<Int>(std::bit_ceil(static_cast<Word>(code.model.players)));
    const Register player =
        code.integer(Op::mask_and, {parameter(code, simple(TypeKind::player)), code.constant(seats - 1)}, 1);
    BlockIndex thinks = code.add_block(), live = code.add_block();
    code.branch(code.integer(Op::mask_has, {race_load(code, r.live), player}, 1), live, thinks);
    code.go_to(thinks);
    set_mode(code, player, r.thinking, {r.waiting});
    const Register now = race_load(code, r.time);
    const Register ready = code.integer(Op::add_small, {now, at_speed(code, timing(code, race.think, player), player)});
    const Register seen =
        code.integer(Op::sub_small, {race_load(code, r.free, player), scaled(code, timing(code, race.sight, player))});
    race_store(code, r.due, race_key(code, larger(code, larger(code, ready, seen), now), 3, player), player);
    code.effect(Op::ret, {});
    code.go_to(live);
    set_mode(code, player, -1, {r.waiting});
    code.effect(Op::ret, {});
  });
}

// ---------------------------------------------------------------- the loop

void ask_in_real_time(const FunctionContext& code, const model::Stmt& s) {
  const view::ask its(s);
  const model::WindowId window{s.ref};
  const model::Window& w = code.model.windows[s.ref];
  const model::Race& race = *w.race;
  const model::Expr* until = its.until();
  const RaceInfo& r = *code.program.race;
  const Answers& answers = code.unit.race.answers;
  const Int n = code.model.players;

  // What it needs as functions: each is called from several places.
  const ir::FunctionIndex think = new_function(code.unit, "think in " + w.name, ir::Returns::nothing, w.range, false);
  const ir::FunctionIndex has_offers =
      new_function(code.unit, "offers of " + w.name, ir::Returns::integer, w.range, false);
  write_think(code.unit, think, race);
  write_offers(code.unit, has_offers, window, nullptr);
  ir::FunctionIndex counting = has_offers;
  if (race.has_stalemate && !race.stalemate.empty()) {
    counting = new_function(code.unit, "stalemate of " + w.name, ir::Returns::integer, w.range, false);
    write_offers(code.unit, counting, window, &race.stalemate);
  }
  code.program.race->think.resize(code.model.windows.size(), -1);
  code.program.race->think[s.ref] = Int(think);
  auto body = [&](const model::Body& rule, const std::string& name, Range range,
                  const std::vector<std::pair<model::LocalId, Int>>& held = {}) {
    const ir::FunctionIndex f = new_function(code.unit, name, ir::Returns::nothing, range);
    Env at;
    bind_locals(at, rule);
    write_function(code.unit, f, at, [&](const FunctionContext& code) {
      for (const auto& [local, variable] : held) bind(code, local, scratch_value(code, variable));
      block(code, rule.block);
    });
    return f;
  };
  std::vector<ir::FunctionIndex> resumes, timer_bodies;
  for (std::size_t i = 0; i < race.resumes.size(); ++i) {
    const model::Resume& resume = race.resumes[i];
    std::vector<std::pair<model::LocalId, Int>> held;
    for (std::size_t k = 0; k < resume.held.size(); ++k)
      held.push_back({resume.held[k], code.unit.race.held[{s.ref, i}][k]});
    resumes.push_back(body(resume.body, "after the pause of " + w.name, w.range, held));
  }
  for (const model::RaceTimer& timer : race.timers)
    timer_bodies.push_back(body(timer.body, "after … of " + w.name, timer.range));
  const ir::FunctionIndex stalemate =
      race.has_stalemate ? body(race.stalemate_body, "stalemate of " + w.name, w.range) : 0;

  // ---- open
  const Register members = code.make_int(4);
  code.assign(members, expr(code, *its.whom()));
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
    race_store(code, r.guard_at, larger(code, race_load(code, r.guard_at), at));
    code.program.race->guards[s.ref] = race.timers[k].range;
  }
  const Int limit = Int(race.timers.size());
  if (!race.has_after)
    race_store(code, code.unit.race.timers,
               code.integer(Op::add_small, {begin, scaled(code, code.constant(model::kRaceLimit))}),
               code.constant(limit));
  for (const Int timer : code.unit.ids.timer) code.effect(Op::clear, {timer});

  BlockIndex loop = code.add_block(), left = code.add_block(), close = code.add_block(), closed = code.add_block();
  BlockIndex player_event = code.add_block(), decision = code.add_block(), landing = code.add_block(),
             nothing = code.add_block();
  const Register player = code.make(int_type(1));
  const Register in_race = code.make_int(4);

  // ---- pieces of the loop
  auto settle_and_look = [&] {   // after anything happened: is the race over?
    BlockIndex on = code.add_block();
    code.branch(race_load(code, code.unit.variables.ending), left, on);
    code.go_to(on);
    settle(code);
    if (until) {
      BlockIndex reached = code.add_block(), more = code.add_block();
      branch_on(code, *until, reached, more);
      code.go_to(reached);
      if (code.env().window_reached != ir::kNoRegister) code.assign_constant(code.env().window_reached, 1);
      code.jump(close);
      code.go_to(more);
    }
  };
  auto still_in = [&] { return code.integer(Op::mask_and, {members, code.integer(Op::players_in, {}, 4)}, 4); };
  auto stir = [&](Register except) {   // has anybody who was idle something to do now?
    const Register busy = code.integer(Op::mask_or, {race_load(code, r.thinking), race_load(code, r.flying)}),
                   somebody = code.make(int_type(1));
    code.assign_constant(somebody, 0);
    Register whom = code.integer(Op::mask_without, {still_in(), busy}, 4);
    if (except != ir::kNoRegister)
      whom = code.integer(Op::mask_without, {whom, code.integer(Op::mask_of, {except}, 4)}, 4);
    for_each(code, whom, false, [&](Register q) {
      BlockIndex yes = code.add_block(), no = code.add_block();
      code.branch(call(code, has_offers, {q}), yes, no);
      code.go_to(yes);
      code.assign_constant(somebody, 1);
      call(code, think, {q});
      code.jump(no);
      code.go_to(no);
    });
    return somebody;
  };
  // Nothing in flight, not paused, and nobody has anything that counts. `somebody`: has just been found to have
  // something.
  auto look_for_stalemate = [&](Register somebody) {
    if (!race.has_stalemate) return;
    BlockIndex quiet = code.add_block(), stalled = code.add_block(), on = code.add_block();
    const Register paused = code.integer(Op::ne, {race_load(code, r.paused_until), code.constant(kNone)}, 1);
    Register not_stalled = code.integer(Op::or_, {race_load(code, r.flying), paused});
    if (somebody != ir::kNoRegister && counting == has_offers)
      not_stalled = code.integer(Op::or_, {not_stalled, somebody});
    code.branch(not_stalled, on, quiet);
    code.go_to(quiet);
    for_each(code, still_in(), false, [&](Register q) {
      BlockIndex none = code.add_block();
      code.branch(call(code, counting, {q}), on, none);
      code.go_to(none);
    });
    code.jump(stalled);
    code.go_to(stalled);
    call(code, stalemate, {});
    settle_and_look();
    BlockIndex goes_on = code.add_block();
    code.branch(code.integer(Op::ne, {race_load(code, r.paused_until), code.constant(kNone)}, 1), on, goes_on);
    code.go_to(goes_on);
    stir(ir::kNoRegister);
    code.jump(on);
    code.go_to(on);
  };

  // ---- what is due next
  code.jump(loop);
  code.go_to(loop);
  fuel(code);
  auto time_key = [&](Register time, Int low) {   // none: never
    const Register key =
        code.integer(Op::add_small, {code.integer(Op::mul_small, {time, code.constant(64)}), code.constant(low)});
    return code.integer(Op::select,
                        {code.integer(Op::eq, {time, code.constant(kNone)}, 1), code.constant(kNever), key});
  };
  struct Timer {
    Int variable, index, low;
  };
  std::vector<Timer> timers_due;   // of two that are due at once, the first of these
  const Int window_timers = limit + (race.has_after ? 0 : 1);
  for (Int k = 0; k < window_timers; ++k)
    timers_due.push_back({code.unit.race.timers, k, kTimerEvents + std::min<Int>(k, 15)});
  for (const Int timer : code.unit.ids.timer)
    for (Int i = 0; i < code.program.variables[timer].count; ++i) timers_due.push_back({timer, i, kTimerEvents + 15});
  auto timer_key = [&](const Timer& t) { return time_key(race_load(code, t.variable, code.constant(t.index)), t.low); };
  std::vector<Register> keys;
  for (Int p = 0; p < n; ++p) keys.push_back(race_load(code, r.due, code.constant(p)));
  for (const Timer& t : timers_due) keys.push_back(timer_key(t));
  keys.push_back(time_key(race_load(code, r.paused_until), 0));
  while (keys.size() > 1) {   // two by two, so that few wait for one another
    std::vector<Register> sooner;
    for (std::size_t i = 0; i < keys.size(); i += 2)
      sooner.push_back(i + 1 < keys.size() ? code.integer(Op::min, {keys[i], keys[i + 1]}) : keys[i]);
    keys = std::move(sooner);
  }
  const Register best = keys[0];

  // ---- in a live game the host is asked whether it comes to that, or somebody acts before
  BlockIndex live = code.add_block(), goes_on = code.add_block();
  code.branch(race_load(code, r.live), live, goes_on);
  code.go_to(live);
  race_store(code, r.next_event,
             code.integer(Op::min, {code.integer(Op::div_small, {best, code.constant(64)}), code.constant(kMostTime)}));
  const Int clock_site = begin_site(code, w.name, nullptr, code.env().flow, s.range);
  code.program.sites[static_cast<std::size_t>(clock_site)].clock = true;
  BlockIndex said = code.add_block(), arrives = code.add_block();
  list_options(code, [] {});
  const Register arrival = code.make_int();
  code.put(Op::decide, arrival,
           {code.constant(kHost), code.constant(n + 2), clock_site});   // on, somebody, or look again
  code.branch(code.integer(Op::eq, {arrival, code.constant(n + 1)}, 1), loop, said);
  code.go_to(said);
  code.branch(arrival, arrives, goes_on);
  code.go_to(arrives);
  code.assign(player, modulo_players(
                          code, code.integer(Op::add_small, {code.integer(Op::mask_and, {arrival, code.constant(15)}),
                                                             code.constant(n - 1)})));
  code.jump(decision);

  code.go_to(goes_on);
  BlockIndex something = code.add_block(), timers = code.add_block();
  code.branch(code.integer(Op::lt_small, {best, code.constant(kNever)}, 1), something, nothing);
  code.go_to(something);
  race_store(code, r.time, code.integer(Op::mask_shift, {best, code.constant(-6)}));   // by 64, and not less than 0
  code.branch(code.integer(Op::mask_and, {best, code.constant(kPlayerEvents)}), player_event, timers);

  // ---- pauses and timers
  auto on_event = [&](Register key, const std::function<void()>& write) {
    BlockIndex mine = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::eq, {key, best}, 1), mine, next);
    code.go_to(mine);
    write();
    settle_and_look();
    look_for_stalemate(stir(ir::kNoRegister));
    code.jump(loop);
    code.go_to(next);
  };
  code.go_to(timers);
  on_event(time_key(race_load(code, r.paused_until), 0), [&] {
    const Register which_body = race_load(code, code.unit.race.resume);
    race_store(code, r.paused_until, code.constant(kNone));
    race_store(code, code.unit.race.resume, code.constant(kNone));
    BlockIndex after = code.add_block();
    for (std::size_t i = 0; i < resumes.size(); ++i) {
      BlockIndex mine = code.add_block(), next = code.add_block();
      code.branch(code.integer(Op::eq, {which_body, code.constant(Int(i))}, 1), mine, next);
      code.go_to(mine);
      call(code, resumes[i], {});
      code.jump(after);
      code.go_to(next);
    }
    code.jump(after);
    code.go_to(after);
    for (std::size_t k = 0; k < race.timers.size(); ++k)
      if (race.timers[k].quiet)
        race_store(code, code.unit.race.timers,
                   code.integer(Op::add_small, {race_load(code, code.unit.race.quiet),
                                                race_load(code, code.unit.race.quiets, code.constant(Int(k)))}),
                   code.constant(Int(k)));
  });
  for (const Timer& t : timers_due)
    on_event(timer_key(t), [&] {
      race_store(code, t.variable, code.constant(kNone), code.constant(t.index));
      if (t.variable == code.unit.race.timers) {
        if (t.index < limit)
          call(code, timer_bodies[static_cast<std::size_t>(t.index)], {});
        else
          code.effect(Op::trap, {Int(Trap::race_without_end)});
        return;
      }
      touch(code, code.unit.watching.always);
      const model::Timer& timer = code.model.timers[static_cast<std::size_t>(
          std::find(code.unit.ids.timer.begin(), code.unit.ids.timer.end(), t.variable) - code.unit.ids.timer.begin())];
      std::vector<Register> arguments;
      if (timer.per_player) arguments.push_back(code.constant(t.index));
      call(code, code.unit.functions.event[timer.rings.index], arguments);
    });
  code.effect(Op::trap, {Int(Trap::fell_through)});

  code.go_to(nothing);
  look_for_stalemate(ir::kNoRegister);
  {
    BlockIndex paused = code.add_block(), stuck = code.add_block();
    const Register anything = code.make(int_type(1));
    code.put(Op::or_, anything,
             {code.integer(Op::ne, {race_load(code, r.paused_until), code.constant(kNone)}, 1),
              code.integer(Op::ne, {race_load(code, r.thinking), code.constant(0)}, 1)});
    code.branch(anything, paused, stuck);
    code.go_to(paused);
    code.jump(loop);
    code.go_to(stuck);
    code.effect(Op::trap, {Int(Trap::race_without_end)});
  }

  // ---- a player: out, landing, or deciding
  code.go_to(player_event);
  code.assign(player,
              modulo_players(code, code.integer(Op::add_small, {code.integer(Op::mask_and, {best, code.constant(15)}),
                                                                race_load(code, code.unit.race.tie)})));
  code.assign(in_race, still_in());
  BlockIndex in = code.add_block(), out = code.add_block();
  code.branch(code.integer(Op::mask_has, {in_race, player}, 1), in, out);
  code.go_to(out);
  set_mode(code, player, -1, {r.thinking, r.waiting, r.flying});
  race_store(code, r.answers, code.constant(kNone), player);
  code.jump(loop);
  code.go_to(in);
  code.branch(code.integer(Op::mask_and, {best, code.constant(kDecides)}), decision, landing);

  code.go_to(landing);
  set_mode(code, player, -1, {r.flying});
  BlockIndex looked_at = code.add_block(), known = code.add_block(), done = code.add_block(),
             fizzled = code.add_block();
  const Register kind = code.make_int(), outcome = code.make_int(), busy = code.make_int();
  code.assign_constant(kind, kNone);
  code.assign_constant(outcome, kNotLanded);
  code.assign_constant(busy, 0);
  land(code, answers, window, player, [&](std::size_t a, Register result) {
    code.assign_constant(kind,
                         std::find(r.actions.begin(), r.actions.end(), code.unit.ids.action[a]) - r.actions.begin());
    code.assign(outcome, result);
    if (code.model.actions[a].busy) code.assign(busy, at_speed(code, result, player));
  });
  code.branch(code.integer(Op::eq, {kind, code.constant(kNone)}, 1), looked_at, known);
  code.go_to(known);
  const Register count_at =
      code.integer(Op::add_small, {code.integer(Op::mul_small, {player, code.constant(Int(r.actions.size()))}), kind});
  code.branch(code.integer(Op::eq, {outcome, code.constant(kNotLanded)}, 1), fizzled, done);
  code.go_to(fizzled);
  race_store(code, r.late, code.integer(Op::add_small, {race_load(code, r.late, count_at), code.constant(1)}),
             count_at);
  settle_and_look();
  code.jump(looked_at);
  code.go_to(done);
  race_store(code, r.landed, code.integer(Op::add_small, {race_load(code, r.landed, count_at), code.constant(1)}),
             count_at);
  if (code.env().window_acted != ir::kNoRegister) code.assign_constant(code.env().window_acted, 1);
  {
    const Register now = race_load(code, r.time);
    race_store(code, r.free, larger(code, race_load(code, r.free, player), code.integer(Op::add_small, {now, busy})),
               player);
    race_store(code, code.unit.race.quiet, now);
    for (std::size_t k = 0; k < race.timers.size(); ++k)
      if (race.timers[k].quiet)
        race_store(code, code.unit.race.timers,
                   code.integer(Op::add_small, {now, race_load(code, code.unit.race.quiets, code.constant(Int(k)))}),
                   code.constant(Int(k)));
  }
  settle_and_look();
  BlockIndex runs = code.add_block();
  code.branch(code.integer(Op::eq, {race_load(code, r.paused_until), code.constant(kNone)}, 1), runs, loop);
  code.go_to(runs);
  look_for_stalemate(stir(player));
  code.branch(code.integer(Op::eq, {race_load(code, r.paused_until), code.constant(kNone)}, 1), looked_at, loop);
  code.go_to(looked_at);
  {
    BlockIndex here = code.add_block();
    code.branch(code.integer(Op::mask_has, {still_in(), player}, 1), here, loop);
    code.go_to(here);
    call(code, think, {player});
    code.jump(loop);
  }

  // ---- a decision
  code.go_to(decision);
  const Int site = begin_site(code, w.name, nullptr, code.env().flow, s.range);
  code.program.sites[static_cast<std::size_t>(site)].secret = true;
  const Register is_live = code.make(int_type(1)), simulated = code.make(int_type(1));
  code.put(Op::mask_has, is_live, {race_load(code, r.live), player});
  code.put(Op::not_, simulated, {is_live});
  Offers offers = offers_for(code, window, player, simulated);
  const Register must = code.make_int();
  code.assign_constant(must, 0);
  const Register declared = count_offers(code, offers, site, [&](Group& g) {
    if (!g.action->must) return;
    if (!g.action->must_if) {
      code.put(Op::or_, must, {must, g.count});
      return;
    }
    BlockIndex some = code.add_block(), yes = code.add_block(), no = code.add_block();
    code.branch(g.count, some, no);
    code.go_to(some);
    const FunctionContext names = code.in(g.env);
    bind(names, g.action->head.me, player);
    branch_on(names.asked(reads(names, *g.action->must_if) ? Asking{player, Asking::Mode::must} : Asking{}),
              *g.action->must_if, yes, no);
    code.go_to(yes);
    code.assign_constant(must, 1);
    code.jump(no);
    code.go_to(no);
  });
  const Register may_wait = code.integer(
      Op::select,
      {code.integer(Op::or_, {code.integer(Op::or_, {is_live, must}), race_load(code, code.program.sensible_only)}),
       code.constant(0), code.constant(1)});
  BlockIndex offered = code.add_block(), idle = code.add_block(), begun = code.add_block();
  code.branch(declared, offered, idle);
  code.go_to(idle);
  set_mode(code, player, -1, {r.thinking, r.waiting});
  code.jump(loop);
  code.go_to(offered);
  const Int wait_id = code.program.actions[code.unit.ids.wait].base;
  list_options(code, [&] {
    list_offers(code, offers);
    list_option_if(code, may_wait, code.constant(wait_id));
  });
  const Register k = code.make_int();
  code.put(Op::decide, k, {player, code.integer(Op::add_small, {declared, may_wait}), site});
  code.program.sites[static_cast<std::size_t>(site)].actions.push_back(code.unit.ids.wait);
  race_store(
      code, code.unit.race.asked,
      code.integer(Op::mask_or, {race_load(code, code.unit.race.asked), code.integer(Op::mask_of, {player}, 4)}));
  const Register lands = code.make_int();
  choose_offer(code, offers, k, [&](Group& g) {
    const Chosen chosen = pick_arguments(code, g, k, code.env().flow);
    keep_answer(code, answers, g, chosen);
    const Register now = race_load(code, r.time), start = code.make_int(),
                   live_now = code.integer(Op::mask_has, {race_load(code, r.live), player}, 1);
    code.assign(start, larger(code, now, race_load(code, r.free, player)));
    for (std::size_t group = 0; group < code.model.delay_groups.size(); ++group)
      if (std::any_of(code.model.delay_groups[group].begin(), code.model.delay_groups[group].end(),
                      [&](model::ActionId a) { return a.index == g.index; })) {
        const Register at = code.integer(
            Op::add_small, {code.integer(Op::mul_small, {player, code.constant(Int(code.model.delay_groups.size()))}),
                            code.constant(Int(group))});
        code.put(Op::max, start, {start, race_load(code, r.blocked, at)});
      }
    BlockIndex person = code.add_block(), bot = code.add_block(), flies = code.add_block();
    code.branch(live_now, person, bot);
    code.go_to(person);   // their eyes and hands take their own time
    code.assign(lands, start);
    if (g.action->takes && !g.action->by_hand) code.put(Op::add_small, lands, {start, takes(code, g, chosen)});
    code.jump(flies);
    code.go_to(bot);
    code.put(Op::max, start,
             {start, code.integer(Op::add_small, {now, scaled(code, timing(code, race.sight, player))})});
    code.assign(lands, start);
    if (g.action->takes) code.put(Op::add_small, lands, {start, takes(code, g, chosen)});
    code.jump(flies);
    code.go_to(flies);
    code.jump(begun);
  });
  code.effect(Op::chosen, {code.constant(wait_id)});
  set_mode(code, player, r.waiting, {r.thinking});
  {
    const Register look = code.integer(
        Op::add_small, {race_load(code, r.time), at_speed(code, timing(code, race.patience, player), player)});
    race_store(code, r.due, race_key(code, look, 3, player), player);
  }
  code.jump(loop);
  code.go_to(begun);
  set_mode(code, player, r.flying, {r.thinking, r.waiting});
  race_store(code, r.due, race_key(code, lands, 2, player), player);
  code.jump(loop);

  // ---- closed
  code.go_to(left);
  drop_intents(code);
  close_race(code);
  close_if_ended(code, s, closed);
  code.go_to(close);
  drop_intents(code);
  close_race(code);
  code.jump(closed);
  code.go_to(closed);
}

// How long the hand of this option takes.
static Register takes(const FunctionContext& asked, Group& g, const Chosen& chosen) {
  const FunctionContext code = asked.in(g.env);
  bind(code, g.action->head.me, g.me);
  std::size_t at = 1;
  if (g.action->head.carrier.kind == model::CarrierKind::card) bind(code, g.action->head.self, chosen.arguments[at++]);
  for (const model::ActionParameter& p : g.action->parameters) {
    bind(code, p.local, chosen.arguments[at++]);
    if (p.count != model::PickCount::one) break;
  }
  return at_speed(code, expr(code, *g.action->takes), g.me);
}

static void close_race(const FunctionContext& code) {
  const RaceInfo& r = *code.program.race;
  const Register time = race_load(code, r.time),
                 window = code.integer(Op::sub_small, {race_load(code, r.open), code.constant(1)});
  const Register out = code.integer(Op::add_small, {race_load(code, r.timed_out, window),
                                                    code.integer(Op::eq, {time, race_load(code, r.guard_at)}, 1)});
  race_store(code, r.timed_out, out, window);
  race_store(code, r.lengths, code.integer(Op::min, {time, code.constant(kMostLength)}),
             code.integer(Op::mod_small, {race_load(code, r.races), code.constant(RaceInfo::kLengths)}));
  race_store(code, r.open, code.constant(0));
  race_store(code, r.paused_until, code.constant(kNone));
  race_store(code, r.clock, code.integer(Op::add_small, {race_load(code, r.clock), race_load(code, r.time)}));
  race_store(code, r.races, code.integer(Op::add_small, {race_load(code, r.races), code.constant(1)}));
  for (const Int timer : code.unit.ids.timer) code.effect(Op::clear, {timer});
}

}  // namespace cardwright::lower
