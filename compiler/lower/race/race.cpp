// Lowers windows in real time: their state, their times, and the statements that change them. loop.cpp emits the loop.
#include "compiler/lower/race/race.h"

#include <algorithm>

#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/race/times.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/option_ids.h"
#include "compiler/lower/windows/at_once.h"

namespace cardwright::lower {

using model::TypeKind;

static void describe_race(ProgramContext& unit, std::size_t window);
static void in_open_race(const FunctionContext& code, const std::function<void()>& write, Int window = -1);

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

// Adds the data about the window that is displayed while the window is open.
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

// ---------------------------------------------------------------- statements

static void in_open_race(const FunctionContext& code, const std::function<void()>& write, Int window) {
  BlockIndex yes = code.add_block(), after = code.add_block();
  const Register open = load_raw(code, code.program.race->open);
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
    for_each(code, whom, [&](Register player) {
      const Register now = load_raw(code, r.time);
      if (s.ref < code.model.delay_groups.size()) {
        const Register at = code.integer(
            Op::add_small, {code.integer(Op::mul_small, {player, code.constant(Int(code.model.delay_groups.size()))}),
                            code.constant(Int(s.ref))});
        race_store(code, r.blocked, code.integer(Op::add_small, {larger(code, load_raw(code, r.blocked, at), now), by}),
                   at);
        return;
      }
      const Register free = code.integer(Op::add_small, {larger(code, load_raw(code, r.free, player), now), by});
      race_store(code, r.free, free, player);
      BlockIndex flies = code.add_block(), after = code.add_block();
      code.branch(code.integer(Op::mask_has, {load_raw(code, r.flying), player}, 1), flies, after);
      code.go_to(flies);   // Delays an action in flight.
      race_store(code, r.due, larger(code, load_raw(code, r.due, player), race_key(code, free, 2, player)), player);
      code.jump(after);
      code.go_to(after);
    });
  });
}

void pause(const FunctionContext& code, const model::Stmt& s) {
  if (!code.program.race) return;
  const RaceInfo& r = *code.program.race;
  const Register by = scaled(code, expr(code, *view::pause(s).duration()));
  in_open_race(
      code,
      [&] {
        drop_intents(code);
        const Register end = code.integer(Op::add_small, {load_raw(code, r.time), by});
        race_store(code, r.paused_until, end);
        race_store(code, code.unit.race.quiet, end);
        race_store(code, code.unit.race.resume, s.value == 0 ? code.constant(kNone) : code.constant(s.value - 1));
        for (std::size_t i = 1; i < s.exprs.size(); ++i)
          put_scratch(code, code.unit.race.held[{s.ref, std::size_t(s.value - 1)}][i - 1], expr(code, *s.exprs[i]));
        for (Int p = 0; p < code.model.players; ++p) {
          const Register player = code.constant(p);
          race_store(
              code, r.free,
              code.integer(Op::add_small, {larger(code, load_raw(code, r.free, player), load_raw(code, r.time)), by}),
              player);
        }
        for (Int i = 0; r.blocked >= 0 && i < code.program.variables[r.blocked].count; ++i)
          race_store(code, r.blocked, code.integer(Op::add_small, {load_raw(code, r.blocked, code.constant(i)), by}),
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
               code.integer(Op::add_small, {load_raw(code, code.program.race->time), in}), index);
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

}   // namespace cardwright::lower
