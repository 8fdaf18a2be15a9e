// Who is told when something is written: conditions that are looked at again, values that are worked out again. Which
// fields anybody looks at.
#include <algorithm>

#include "compiler/analysis/effects.h"
#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::ExprKind;
using model::StmtKind;

void Lowering::watch(const analysis::Reads& reads, Watchers who) {
  for (std::uint32_t v : reads.variables) watch_variables_[v] |= who;
  for (std::uint32_t z : reads.entered) watch_entered_[z] |= who;
  for (std::uint32_t z : reads.left) watch_left_[z] |= who;
  if (reads.any_zone() || reads.anything) watch_zones_ |= who;
  if (reads.zones || reads.anything)
    for (std::vector<Watchers>* zones : {&watch_entered_, &watch_left_})
      for (Watchers& of_zone : *zones) of_zone |= who;
  if (reads.players || reads.anything) watch_players_ |= who;
  if (!reads.anything) return;
  watch_always_ |= who;
  for (std::size_t v = 0; v < model_.variables.size(); ++v) watch_variables_[std::uint32_t(v)] |= who;
}

// Bits for each `whenever`, each `end when` and each kept value: set by every write of something it reads.
void Lowering::make_watches() {
  watch_entered_.assign(model_.zones.size(), {});
  watch_left_.assign(model_.zones.size(), {});
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w) {
    const model::Whenever& rule = model_.whenevers[w];
    Int bit = Int{1} << std::min<Int>(static_cast<Int>(w), kLastWhenever);
    whenever_bit_.push_back(bit);
    analysis::Reads reads = analysis::reads_of(model_, rule.head);
    reads.players = true;
    watch(reads, {.dirty = bit});
  }
  watch_characters();
  for (std::size_t e = 0; e < model_.endings.size(); ++e) {
    analysis::Reads reads = analysis::what_makes_true(model_, *model_.endings[e].when);
    const bool counts_turns = std::exchange(reads.anything, false);
    watch(reads, {.dirty = ending_bit(e)});
    // what only turns, rounds, windows, events and looks change is looked at when they do, not after every action
    if (counts_turns) watch_always_.dirty |= ending_bit(e);
  }
  for (const Kept& kept : kept_) watch(analysis::reads_of(model_, model_.values[kept.value]), {.stale = kept.bit});
}

// Whenevers of characters that everybody sees: whether anybody has theirs is looked at when a character has been given
// to somebody. What is secret may become another by a guess at what somebody can't see, of which nothing is written.
void Lowering::watch_characters() {
  const auto sleeps = [&](const model::Whenever& rule) {
    const model::Carrier& carrier = rule.head.carrier;
    return carrier.kind == CarrierKind::character &&
           model_.variables[carrier.character_variable.index].visibility == model::Visibility::open;
  };
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w) {
    if (!sleeps(model_.whenevers[w])) continue;
    sleeping_bits_ |= whenever_bit_[w];
    watch_variables_[model_.whenevers[w].head.carrier.character_variable.index] |= Watchers{.dirty = kCharactersBit};
  }
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w)
    if (!sleeps(model_.whenevers[w])) sleeping_bits_ &= ~whenever_bit_[w];
  if (sleeping_bits_ != 0 && !plain_) heeded_ = add_scratch("heeded", 0, kAllDirt, kAllDirt);
}

// Cards go that an expression has found just now.
Watchers Lowering::watchers_leaving(const model::Expr& what) const {
  if (const auto known = watchers_leaving_known(what)) return *known;
  Watchers all;
  if (plain_) all.dirty = kAllConditions;
  for (const Watchers& of_zone : watch_left_) all |= of_zone;
  return all;
}

// Nothing, if they may lie anywhere.
std::optional<Watchers> Lowering::watchers_leaving_known(const model::Expr& what) const {
  switch (what.kind) {
    case ExprKind::local: {
      const auto found = env_->found.find(what.local.index);
      return plain_ || found == env_->found.end() ? std::nullopt : watchers_leaving_known(*found->second);
    }
    case ExprKind::zone: case ExprKind::card_of_slot: return watch_left_[what.ref];
    case ExprKind::zone_top: case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return watchers_move(what.ref, what.ref);
    case ExprKind::filter: case ExprKind::pick_first: case ExprKind::pick_last: case ExprKind::pick_only:
    case ExprKind::pick_random: case ExprKind::random_n:
      return watchers_leaving_known(*what.args[0]);
    default: return std::nullopt;
  }
}

// Who is told when one card leaves wherever it lies: kept values by instance, if that makes a difference, and all
// others in any case. To look at a condition in vain costs less than to find out whose it is.
std::optional<Lowering::Leaving> Lowering::watchers_by_instance() {
  Leaving leaving{{0, ~Int{0}}, -1};
  for (const Watchers& of_zone : watch_left_) {
    leaving.anywhere.dirty |= of_zone.dirty;
    leaving.anywhere.stale &= of_zone.stale;
  }
  std::vector<std::size_t> zones(program_.zones.size());   // of the Model, by that of the Program
  for (std::size_t z = 0; z < model_.zones.size(); ++z) {
    zones[z] = z;
    if (facedown_zone_[z] >= 0) zones[static_cast<std::size_t>(facedown_zone_[z])] = z;
  }
  std::vector<Int> more;
  for (Int i = 0; i < program_.layout.instances; ++i)
    more.push_back(watch_left_[zones[static_cast<std::size_t>(program_.layout.instance[i].zone)]].stale &
                   ~leaving.anywhere.stale);
  if (std::all_of(more.begin(), more.end(), [](Int bits) { return bits == 0; })) return std::nullopt;
  leaving.stale = table_index(std::move(more));
  return leaving;
}

// From a pile, which may have been refilled for it.
Watchers Lowering::watchers_move(std::uint32_t from, std::uint32_t to) const {
  if (plain_) return {kAllConditions, 0};
  Watchers who = watch_left_[from] | watch_entered_[to];
  if (model_.zones[from].refill_from) who |= watch_entered_[from] | watch_left_[model_.zones[from].refill_from->index];
  return who;
}

Watchers Lowering::watchers_variable(std::uint32_t variable) const {
  if (plain_) return {kAllConditions, 0};
  auto it = watch_variables_.find(variable);
  return it == watch_variables_.end() ? Watchers{} : it->second;
}

void Lowering::touch(Watchers who) {
  if (who.dirty != 0) touch(dirty_, b().constant(who.dirty));
  if (who.stale != 0) touch(program_.stale, b().constant(who.stale));
}

void Lowering::touch(Int variable, Register bits) {
  const Register zero = b().constant(0);
  const Register now = b().integer(Op::load_raw, {variable, zero});
  b().effect(Op::store, {variable, zero, b().integer(Op::mask_or, {now, bits})});
}

// A card has left that instance; none, if there was no card.
void Lowering::touch(const Leaving& leaving, Register from) {
  const Register place =
      b().integer(Op::select, {b().integer(Op::eq, {from, b().constant(kNone)}, 1), b().constant(0), from}, 1);
  touch(program_.stale, b().integer(Op::table, {leaving.stale, place}));
}

// ---------------------------------------------------------------- fields

// `W.x`, `E.x`, `during E` and `end E` need a place that other rules can reach.
void Lowering::find_exposed() {
  auto window_field = [&](std::uint32_t w, Int field) {
    if (window_field_.count({w, field})) return;
    const model::Window& window = model_.windows[w];
    const model::LocalId local = model::local_of_field(model_.windows[w], field);
    window_field_[{w, field}] =
        add_scratch_for(window.name + "." + window.body.locals[local.index].name, window.body.locals[local.index].type);
  };
  auto event_field = [&](std::uint32_t e, Int field) {
    if (event_field_.count({e, field})) return;
    const model::Event& event = model_.events[e];
    const model::Local& local = event.body.locals[model::local_of_field(model_.events[e], field).index];
    event_field_[{e, field}] = add_scratch_for(event.name + "." + local.name, local.type);
  };
  auto running = [&](std::uint32_t event) {
    if (!event_depth_.count(of_name(event)))
      event_depth_[of_name(event)] = add_scratch("running " + model_.events[event].name, 0, 0xffff, 0);
  };
  auto open = [&](std::uint32_t window) {
    if (!window_depth_.count(window))
      window_depth_[window] = add_scratch("open " + model_.windows[window].name, 0, 0xffff, 0);
  };
  for (const model::Expr& e : model_.exprs) {
    if (e.kind == ExprKind::window_field) window_field(e.ref, e.value);
    if (e.kind == ExprKind::window_left && !window_left_.count({e.ref, e.value}))
      window_left_[{e.ref, e.value}] = add_scratch_for(model_.windows[e.ref].name + " left", e.type);
    if (e.kind == ExprKind::event_field) event_field(e.ref, e.value);
    if (e.kind == ExprKind::during_event) running(e.ref);
    if (e.kind == ExprKind::during_window) open(e.ref);
  }
  for (const model::Stmt& s : model_.stmts) {
    if (s.kind == StmtKind::assign_window_field) window_field(s.ref, s.value);
    if (s.kind == StmtKind::assign_event_field) event_field(s.ref, s.value);
    if (s.kind == StmtKind::end_event) ended_events_.insert(s.ref);
    if (s.kind == StmtKind::end_window) ended_windows_.insert(s.ref);
    if (s.kind == StmtKind::end_event && !s.value) running(s.ref);
    if (s.kind == StmtKind::end_window && !s.value) open(s.ref);
    if (s.kind == StmtKind::end_phase && !s.value && phase_depth_ < 0)
      phase_depth_ = add_scratch("running phases", 0, 0xffff, 0);
  }
}

}  // namespace cardwright::lower
