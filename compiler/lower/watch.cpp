// What conditions read, what is written, which orders and fields anybody looks at.
#include <algorithm>

#include "compiler/lower/lowering.h"
#include "compiler/model/orders.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::ExprKind;
using model::StmtKind;

namespace {

void attributes_in(const model::Expr* e, std::vector<bool>& read) {
  if (!e) return;
  if (e->kind == ExprKind::attribute && e->ref < read.size()) read[e->ref] = true;
  for (const model::Expr* a : e->args) attributes_in(a, read);
}
void attributes_in(const model::Block& block, std::vector<bool>& read) {
  for (const model::Stmt* s : block) {
    for (const model::Expr* e : s->exprs) attributes_in(e, read);
    for (const model::Block& inner : s->blocks) attributes_in(inner, read);
  }
}
void attributes_in(const std::vector<model::Pattern>& patterns, std::vector<bool>& read) {
  for (const model::Pattern& p : patterns) attributes_in(p.value, read);
}

}  // namespace

std::vector<const model::Body*> bodies_of(const model::Window& w) {
  std::vector<const model::Body*> out{&w.body};
  if (!w.race) return out;
  for (const model::Resume& resume : w.race->resumes) out.push_back(&resume.body);
  for (const model::RaceTimer& timer : w.race->timers) out.push_back(&timer.body);
  out.push_back(&w.race->stalemate_body);
  return out;
}

// Attributes that rules of this variant read. What only computes another attribute before the game does not count.
std::vector<bool> Lowering::attributes_read(const model::Model& model) {
  std::vector<bool> read(model.attributes.size());
  for (const model::Value& v : model.values) {
    for (const model::Expr* e : {v.base, v.at_least, v.at_most}) attributes_in(e, read);
    attributes_in(v.body.block, read);
    for (const model::Modifier& m : v.modifiers) {
      attributes_in(m.head.when, read);
      attributes_in(m.amount, read);
      attributes_in(m.patterns, read);
    }
  }
  for (const model::Function& f : model.functions) attributes_in(f.body.block, read);
  for (const model::Event& e : model.events) {
    attributes_in(e.body.block, read);
    for (const model::Handler& h : e.handlers) {
      attributes_in(h.head.when, read);
      attributes_in(h.patterns, read);
      attributes_in(h.body.block, read);
    }
  }
  for (const model::Window& w : model.windows)
    for (const model::Body* body : bodies_of(w)) attributes_in(body->block, read);
  for (const model::Action& a : model.actions) {
    attributes_in(a.head.when, read);
    for (const model::ActionParameter& p : a.parameters)
      for (const model::Expr* e : {p.domain, p.where, p.amount, p.keeping}) attributes_in(e, read);
    for (const model::Expr* e : {a.takes, a.busy, a.sensible, a.must_if}) attributes_in(e, read);
    for (const model::Block* block : {&a.body.block, &a.wrong, &a.late, &a.label_parts}) attributes_in(*block, read);
  }
  for (const model::Whenever& w : model.whenevers) {
    attributes_in(w.head.when, read);
    attributes_in(w.body.block, read);
  }
  for (const model::Also& a : model.alsos) attributes_in(a.head.when, read);
  for (const model::Forbid& f : model.forbids) {
    attributes_in(f.head.when, read);
    attributes_in(f.patterns, read);
  }
  for (const model::EndWhen& e : model.endings) {
    attributes_in(e.when, read);
    attributes_in(e.body.block, read);
  }
  attributes_in(model.setup.block, read);
  attributes_in(model.play.block, read);
  return read;
}

// ---------------------------------------------------------------- what a condition reads

void Lowering::collect_reads(const model::RuleHead& head, Reads& reads, std::set<const void*>& seen) const {
  if (head.carrier.kind == CarrierKind::character) reads.variables.insert(head.carrier.character_variable.index), reads.players = true;
  if (head.carrier.kind == CarrierKind::card) collect_reads(head.carrier, reads);
  if (head.when) collect_reads(*head.when, reads, seen);
}

// Where the card has to lie, whose rule it is.
void Lowering::collect_reads(const model::Carrier& of_card, Reads& reads) const {
  reads.players = true;
  if (!of_card.zone.valid()) return void(reads.zones = true);
  reads.entered.insert(of_card.zone.index);
  reads.left.insert(of_card.zone.index);
}

void Lowering::collect_reads(const model::Value& v, Reads& reads, std::set<const void*>& seen) const {
  if (!seen.insert(&v).second) return;
  for (const model::Expr* e : {v.base, v.at_least, v.at_most})
    if (e) collect_reads(*e, reads, seen);
  collect_reads(v.body.block, reads, seen);
  for (const model::Modifier& m : v.modifiers) {
    collect_reads(m.head, reads, seen);
    if (m.amount) collect_reads(*m.amount, reads, seen);
    for (const model::Pattern& p : m.patterns)
      if (p.value) collect_reads(*p.value, reads, seen);
  }
}

void Lowering::collect_reads(const model::Expr& e, Reads& reads, std::set<const void*>& seen) const {
  switch (e.kind) {
    case ExprKind::variable: reads.variables.insert(e.ref); break;
    case ExprKind::zone: case ExprKind::card_of_slot:
      reads.entered.insert(e.ref);
      reads.left.insert(e.ref);
      break;
    case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom: case ExprKind::part_of: case ExprKind::faces:
      reads.zones = true;
      break;
    case ExprKind::knows: case ExprKind::knows_top:        // a look tells without a move
      reads.zones = reads.anything = true;
      break;
    case ExprKind::players_in: case ExprKind::is_in_game: case ExprKind::steps: case ExprKind::next_player: case ExprKind::previous_player:
      reads.players = true;
      break;
    case ExprKind::active_player: case ExprKind::turn_number: case ExprKind::round_number: case ExprKind::window_field: case ExprKind::window_left:
    case ExprKind::event_field: case ExprKind::during_event: case ExprKind::during_window: case ExprKind::pool_values: case ExprKind::timer_running:
      reads.anything = true;
      break;
    case ExprKind::play_is_over: break;                    // main settles everything then
    case ExprKind::counts_as:
      for (const model::Also& a : model_.alsos) {
        collect_reads(a.head, reads, seen);
        reads.zones = true;
      }
      break;
    case ExprKind::call_value: collect_reads(model_.values[e.ref], reads, seen); break;
    case ExprKind::call_function: {
      const model::Function& f = model_.functions[e.ref];
      if (seen.insert(&f).second) collect_reads(f.body.block, reads, seen);
      break;
    }
    case ExprKind::call_event: case ExprKind::open_window: reads.anything = true; break;
    case ExprKind::supposing:                              // what would be hangs on all that is
      reads.anything = reads.zones = reads.players = true;
      for (std::uint32_t v = 0; v < model_.variables.size(); ++v) reads.variables.insert(v);
      break;
    default: break;
  }
  for (const model::Expr* a : e.args)
    if (a) collect_reads(*a, reads, seen);
}

void Lowering::collect_reads(const model::Block& block, Reads& reads, std::set<const void*>& seen) const {
  for (const model::Stmt* s : block) {
    for (const model::Expr* e : s->exprs)
      if (e) collect_reads(*e, reads, seen);
    for (const model::Block& inner : s->blocks) collect_reads(inner, reads, seen);
  }
}

Lowering::Reads Lowering::reads_of(const model::Expr& e) const {
  Reads reads;
  std::set<const void*> seen;
  collect_reads(e, reads, seen);
  return reads;
}

// Of a condition that was false: what can make it true. A zone does not become empty by a card that comes in.
void Lowering::collect_what_makes_true(const model::Expr& e, Reads& reads, std::set<const void*>& seen) const {
  switch (e.kind) {
    case ExprKind::logical_and: case ExprKind::logical_or:
      for (const model::Expr* a : e.args) collect_what_makes_true(*a, reads, seen);
      return;
    case ExprKind::exists:
      collect_reads(*e.args[0], reads, seen);
      if (e.args[1]) collect_what_makes_true(*e.args[1], reads, seen);
      return;
    case ExprKind::is_empty:
      if (e.args[0]->kind != ExprKind::zone) break;
      reads.left.insert(e.args[0]->ref);
      for (const model::Expr* a : e.args[0]->args)
        if (a) collect_reads(*a, reads, seen);
      return;
    default: break;
  }
  collect_reads(e, reads, seen);
}

void Lowering::watch(const Reads& reads, Watchers who) {
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
    Reads reads = reads_of(*rule.head.when);
    reads.players = true;
    if (rule.head.carrier.kind == CarrierKind::character) reads.variables.insert(rule.head.carrier.character_variable.index);
    if (rule.head.carrier.kind == CarrierKind::card) collect_reads(rule.head.carrier, reads);
    watch(reads, {.dirty = bit});
  }
  watch_characters();
  for (std::size_t e = 0; e < model_.endings.size(); ++e) {
    Reads reads;
    std::set<const void*> seen;
    collect_what_makes_true(*model_.endings[e].when, reads, seen);
    bool counts_turns = std::exchange(reads.anything, false);
    watch(reads, {.dirty = ending_bit(e)});
    // what only turns, rounds, windows, events and looks change is looked at when they do, not after every action
    if (counts_turns) watch_always_.dirty |= ending_bit(e);
  }
  for (const Kept& kept : kept_) {
    Reads reads;
    std::set<const void*> seen;
    collect_reads(model_.values[kept.value], reads, seen);
    watch(reads, {.stale = kept.bit});
  }
}

// Whenevers of characters that everybody sees: whether anybody has theirs is looked at when a character has been given to somebody.
// What is secret may become another by a guess at what somebody can't see, of which nothing is written.
void Lowering::watch_characters() {
  const auto sleeps = [&](const model::Whenever& rule) {
    const model::Carrier& carrier = rule.head.carrier;
    return carrier.kind == CarrierKind::character && model_.variables[carrier.character_variable.index].visibility == model::Visibility::open;
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
    case ExprKind::zone_top: case ExprKind::zone_top_n: case ExprKind::zone_bottom: return watchers_move(what.ref, what.ref);
    case ExprKind::filter: case ExprKind::pick_first: case ExprKind::pick_last: case ExprKind::pick_only: case ExprKind::pick_random: case ExprKind::random_n:
      return watchers_leaving_known(*what.args[0]);
    default: return std::nullopt;
  }
}

// Who is told when one card leaves wherever it lies: kept values by instance, if that makes a difference, and all others in any case. To
// look at a condition in vain costs less than to find out whose it is.
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
  for (Int i = 0; i < program_.layout.instances; ++i) more.push_back(watch_left_[zones[static_cast<std::size_t>(program_.layout.instance[i].zone)]].stale & ~leaving.anywhere.stale);
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
  const Register place = b().integer(Op::select, {b().integer(Op::eq, {from, b().constant(kNone)}, 1), b().constant(0), from}, 1);
  touch(program_.stale, b().integer(Op::table, {leaving.stale, place}));
}

// ---------------------------------------------------------------- orders and fields

namespace {
template <class Visit>
void each_order_read(const model::Expr* e, Visit visit) {
  if (!e) return;
  if (e->kind == ExprKind::zone_top || e->kind == ExprKind::zone_top_n || e->kind == ExprKind::zone_bottom || e->kind == ExprKind::knows_top)
    visit(e->ref);
  for (const model::Expr* a : e->args) each_order_read(a, visit);
}
template <class Visit>
void each_order_read(const model::Block& block, Visit visit) {
  for (const model::Stmt* s : block) {
    if (s->kind == StmtKind::draw_to || s->kind == StmtKind::deal_each || s->kind == StmtKind::arrange) visit(s->ref);
    for (const model::Expr* e : s->exprs) each_order_read(e, visit);
    for (const model::Block& inner : s->blocks) each_order_read(inner, visit);
  }
}
}  // namespace

void Lowering::find_orders_read() {
  for (const model::Zone& z : model_.zones) order_read_.push_back(z.shape == model::ZoneShape::row);   // all of it is seen, as it lies
  for (const model::Expr& e : model_.exprs)
    if (e.kind == ExprKind::zone_top || e.kind == ExprKind::zone_top_n || e.kind == ExprKind::zone_bottom || e.kind == ExprKind::knows_top)
      order_read_[e.ref] = true;
  for (const model::Stmt& s : model_.stmts)
    if (s.kind == StmtKind::draw_to || s.kind == StmtKind::deal_each || s.kind == StmtKind::arrange) order_read_[s.ref] = true;
  for (const model::Scenario& s : model_.scenarios)        // a scenario may say what lies on top
    for (const model::ScenarioLine& line : s.lines) {
      for (const model::Given& g : line.givens)
        if (g.kind == model::Given::Kind::top || g.kind == model::Given::Kind::bottom) order_read_[g.zone.index] = true;
      for (const model::Claim& c : line.claims)
        if (c.top && c.zone.valid()) order_read_[c.zone.index] = true;
    }
  always_ordered_ = model::zones_in_known_order(model_);
  // who reads it: a rule of a character matters only where that character sits
  auto always = [&](std::uint32_t zone) { order_always_read_.insert(zone); };
  for (const model::Event& event : model_.events) {
    each_order_read(event.body.block, always);
    for (const model::Handler& h : event.handlers) {
      auto visit = [&](std::uint32_t zone) {
        if (h.head.carrier.kind == CarrierKind::character)
          order_readers_[zone].insert({variable_of_[h.head.carrier.character_variable.index], h.head.carrier.character});
        else always(zone);
      };
      each_order_read(h.body.block, visit);
      each_order_read(h.head.when, visit);
    }
  }
  for (const model::Value& v : model_.values) {
    each_order_read(v.base, always);
    each_order_read(v.body.block, always);
  }
  for (const model::Function& f : model_.functions) each_order_read(f.body.block, always);
  for (const model::Window& w : model_.windows)
    for (const model::Body* body : bodies_of(w)) each_order_read(body->block, always);
  for (const model::Action& a : model_.actions) {
    for (const model::Block* block : {&a.body.block, &a.wrong, &a.late}) each_order_read(*block, always);
    for (const model::Expr* e : {a.head.when, a.takes, a.busy, a.sensible, a.must_if}) each_order_read(e, always);
    for (const model::ActionParameter& p : a.parameters) each_order_read(p.domain, always), each_order_read(p.where, always);
  }
  for (const model::Whenever& w : model_.whenevers) each_order_read(w.body.block, always), each_order_read(w.head.when, always);
  for (const model::EndWhen& e : model_.endings) each_order_read(e.when, always);
  each_order_read(model_.setup.block, always);
  each_order_read(model_.play.block, always);
}

bool Lowering::order_matters(std::uint32_t zone) const {
  return order_always_read_.count(zone) || order_readers_.count(zone);
}

// Variables of a window or event are numbered from 0, its parameters from -1 down.
model::LocalId Lowering::window_field_local(std::uint32_t window, Int field) const {
  const model::Window& w = model_.windows[window];
  return field >= 0 ? w.variables[static_cast<std::size_t>(field)] : w.parameters[static_cast<std::size_t>(-1 - field)].local;
}

model::LocalId Lowering::event_field_local(std::uint32_t event, Int field) const {
  const model::Event& e = model_.events[event];
  return field >= 0 ? e.variables[static_cast<std::size_t>(field)] : e.parameters[static_cast<std::size_t>(-1 - field)].local;
}

// `W.x`, `E.x`, `during E` and `end E` need a place that other rules can reach.
void Lowering::find_exposed() {
  auto window_field = [&](std::uint32_t w, Int field) {
    if (window_field_.count({w, field})) return;
    const model::Window& window = model_.windows[w];
    const model::LocalId local = window_field_local(w, field);
    window_field_[{w, field}] = add_scratch_for(window.name + "." + window.body.locals[local.index].name, window.body.locals[local.index].type);
  };
  auto event_field = [&](std::uint32_t e, Int field) {
    if (event_field_.count({e, field})) return;
    const model::Event& event = model_.events[e];
    const model::Local& local = event.body.locals[event_field_local(e, field).index];
    event_field_[{e, field}] = add_scratch_for(event.name + "." + local.name, local.type);
  };
  auto running = [&](std::uint32_t event) {
    if (!event_depth_.count(of_name(event))) event_depth_[of_name(event)] = add_scratch("running " + model_.events[event].name, 0, 0xffff, 0);
  };
  auto open = [&](std::uint32_t window) {
    if (!window_depth_.count(window)) window_depth_[window] = add_scratch("open " + model_.windows[window].name, 0, 0xffff, 0);
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
    if (s.kind == StmtKind::end_phase && !s.value && phase_depth_ < 0) phase_depth_ = add_scratch("running phases", 0, 0xffff, 0);
  }
}

}  // namespace cardwright::lower
