// Determines for each write which conditions must be reevaluated and which memoized values become stale. Also finds the
// fields that other rules read.
#include "compiler/lower/events/watch.h"

#include <algorithm>

#include "compiler/analysis/effects.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/events/replacements.h"
#include "compiler/lower/expressions/event_calls.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::ExprKind;
using model::StmtKind;

static void watch_characters(ProgramContext& unit);

static void watch(ProgramContext& unit, const analysis::Reads& reads, Watchers who) {
  for (std::uint32_t v : reads.variables) unit.watching.variables[v] |= who;
  for (std::uint32_t z : reads.entered) unit.watching.entered[z] |= who;
  for (std::uint32_t z : reads.left) unit.watching.left[z] |= who;
  if (reads.any_zone() || reads.anything) unit.watching.zones |= who;
  if (reads.zones || reads.anything)
    for (std::vector<Watchers>* zones : {&unit.watching.entered, &unit.watching.left})
      for (Watchers& of_zone : *zones) of_zone |= who;
  if (reads.players || reads.anything) unit.watching.players |= who;
  if (!reads.anything) return;
  unit.watching.always |= who;
  for (std::size_t v = 0; v < unit.model.variables.size(); ++v) unit.watching.variables[std::uint32_t(v)] |= who;
}

// Assigns a bit to each `whenever`, each `end when` and each memoized value. The bit is set by every write to something
// that the condition or value reads.
void make_watches(ProgramContext& unit) {
  unit.watching.entered.assign(unit.model.zones.size(), {});
  unit.watching.left.assign(unit.model.zones.size(), {});
  for (std::size_t w = 0; w < unit.model.whenevers.size(); ++w) {
    const model::Whenever& rule = unit.model.whenevers[w];
    Int bit = Int{1} << std::min<Int>(static_cast<Int>(w), kLastWhenever);
    unit.watching.whenever_bit.push_back(bit);
    analysis::Reads reads = analysis::reads_of(unit.model, rule.head);
    reads.players = true;
    watch(unit, reads, {.dirty = bit});
  }
  watch_characters(unit);
  for (std::size_t e = 0; e < unit.model.endings.size(); ++e) {
    analysis::Reads reads = analysis::what_makes_true(unit.model, *unit.model.endings[e].when);
    const bool counts_turns = std::exchange(reads.anything, false);
    watch(unit, reads, {.dirty = ending_bit(e)});
    // A condition that depends on turns, rounds, windows, events or peeks is evaluated when these change, not after
    // every action.
    if (counts_turns) unit.watching.always.dirty |= ending_bit(e);
  }
  for (const MemoizedValue& memoized : unit.watching.memoized)
    watch(unit, analysis::reads_of(unit.model, unit.model.values[memoized.value]), {.stale = memoized.bit});
}

// Finds the `whenever` rules of characters that are visible to all players. These rules are disabled while no player
// has the character. The enabled rules are updated only when a character is assigned. Hidden characters are excluded,
// because sampling a world changes them without a write.
static void watch_characters(ProgramContext& unit) {
  const auto sleeps = [&](const model::Whenever& rule) {
    const model::Carrier& carrier = rule.head.carrier;
    return carrier.kind == CarrierKind::character &&
           unit.model.variables[carrier.character_variable.index].visibility == model::Visibility::open;
  };
  for (std::size_t w = 0; w < unit.model.whenevers.size(); ++w) {
    if (!sleeps(unit.model.whenevers[w])) continue;
    unit.watching.sleeping_bits |= unit.watching.whenever_bit[w];
    unit.watching.variables[unit.model.whenevers[w].head.carrier.character_variable.index] |=
        Watchers{.dirty = kCharactersBit};
  }
  for (std::size_t w = 0; w < unit.model.whenevers.size(); ++w)
    if (!sleeps(unit.model.whenevers[w])) unit.watching.sleeping_bits &= ~unit.watching.whenever_bit[w];
  if (unit.watching.sleeping_bits != 0 && !unit.plain)
    unit.watching.enabled = add_scratch(unit, "heeded", 0, kAllDirt, kAllDirt);
}

// ---------------------------------------------------------------- fields

// Adds the variables that store `W.x`, `E.x`, `during E` and `end E` for other rules.
void find_exposed(ProgramContext& unit) {
  auto window_field = [&](std::uint32_t w, Int field) {
    if (unit.variables.window_field.count({w, field})) return;
    const model::Window& window = unit.model.windows[w];
    const model::LocalId local = model::local_of_field(unit.model.windows[w], field);
    unit.variables.window_field[{w, field}] = add_scratch_for(
        unit, window.name + "." + window.body.locals[local.index].name, window.body.locals[local.index].type);
  };
  const auto event_field = [&](auto&& self, std::uint32_t e, Int field) -> void {
    if (unit.variables.event_field.count({e, field})) return;
    // The event always happens with the announced value, so both fields share a variable.
    if (model::is_announced(field) && !unit.replacing[e].changes) {
      self(self, e, field + model::kAnnounced);
      unit.variables.event_field[{e, field}] = unit.variables.event_field.at({e, field + model::kAnnounced});
      return;
    }
    const model::Event& event = unit.model.events[e];
    const model::Local& local = event.body.locals[model::local_of_field(unit.model.events[e], field).index];
    unit.variables.event_field[{e, field}] = add_scratch_for(
        unit, event.name + "." + local.name + (model::is_announced(field) ? " announced" : ""), local.type);
  };
  auto running = [&](std::uint32_t event) {
    if (!unit.variables.event_depth.count(of_name(unit, event)))
      unit.variables.event_depth[of_name(unit, event)] =
          add_scratch(unit, "running " + unit.model.events[event].name, 0, 0xffff, 0);
  };
  auto open = [&](std::uint32_t window) {
    if (!unit.variables.window_depth.count(window))
      unit.variables.window_depth[window] = add_scratch(unit, "open " + unit.model.windows[window].name, 0, 0xffff, 0);
  };
  const auto read = [&](const model::Expr& e) {
    if (e.kind == ExprKind::window_field) window_field(e.ref, e.value);
    if (e.kind == ExprKind::window_left && !unit.variables.window_left.count({e.ref, e.value}))
      unit.variables.window_left[{e.ref, e.value}] =
          add_scratch_for(unit, unit.model.windows[e.ref].name + " left", e.type);
    if (e.kind == ExprKind::event_field) event_field(event_field, e.ref, e.value);
    if (e.kind == ExprKind::during_event) running(e.ref);
    if (e.kind == ExprKind::during_window) open(e.ref);
  };
  for (const model::Expr& e : unit.model.exprs) read(e);
  for (std::uint32_t e = 0; e < unit.model.events.size(); ++e)
    if (unit.replacing[e].changes && is_reported(unit, e))
      for (std::size_t i = 0; i < unit.model.events[e].parameters.size(); ++i) event_field(event_field, e, -1 - Int(i));
  for (const model::Measure& m : unit.model.measures)
    if (m.asked) model::for_each_expr(m, read);
  for (const model::Stmt& s : unit.model.stmts) {
    if (s.kind == StmtKind::assign_window_field) window_field(s.ref, s.value);
    if (s.kind == StmtKind::assign_event_field) event_field(event_field, s.ref, s.value);
    if (s.kind == StmtKind::end_event) unit.ended_events.insert(s.ref);
    if (s.kind == StmtKind::end_window) unit.ended_windows.insert(s.ref);
    if (s.kind == StmtKind::end_event && !view::end_event(s).always_running()) running(s.ref);
    if (s.kind == StmtKind::end_window && !view::end_window(s).always_running()) open(s.ref);
    if (s.kind == StmtKind::end_phase && !view::end_phase(s).always_running() && unit.variables.phase_depth < 0)
      unit.variables.phase_depth = add_scratch(unit, "running phases", 0, 0xffff, 0);
  }
}

}   // namespace cardwright::lower
