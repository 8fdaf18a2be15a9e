// Visits all code that an expression, a value or a rule may run, and collects the state on which the result depends.
#include "compiler/analysis/effects.h"

#include <algorithm>

#include "compiler/analysis/causes.h"
#include "compiler/model/views.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;

namespace {

class Reader {
 public:
  explicit Reader(const model::Model& model)
      : model_(model),
        causes_(
            model, {}, [this](const model::Expr& e) { note(e); },
            [this](const model::RuleHead& rule) { note(rule.carrier); },
            [this](const model::Modifier& m) { reads_.anything |= depends_on_turn(model_, m); }) {}

  Causes& all() { return causes_; }
  const Reads& reads() const { return reads_; }

  void what_makes_true(const model::Expr& e) {
    if (e.kind == ExprKind::logical_and || e.kind == ExprKind::logical_or) {
      for (const model::Expr* a : e.args) what_makes_true(*a);
    } else if (e.kind == ExprKind::exists) {
      causes_.expr(view::exists(e).domain());
      if (view::exists(e).condition()) what_makes_true(*view::exists(e).condition());
    } else if (e.kind == ExprKind::is_empty && view::is_empty(e).set()->kind == ExprKind::zone) {
      reads_.left.insert(view::is_empty(e).set()->ref);
      for (const model::Expr* a : view::is_empty(e).set()->args) causes_.expr(a);
    } else {
      causes_.expr(&e);
    }
  }

 private:
  // Adds the state on which the carrier of a rule depends: the player's character, or the zone of the card.
  void note(const model::Carrier& carrier) {
    if (carrier.kind == model::CarrierKind::none) return;
    reads_.players = true;
    if (carrier.kind == model::CarrierKind::character)
      reads_.variables.insert(carrier.character_variable.index);
    else if (carrier.zone.valid())
      note_zone(carrier.zone.index);
    else
      reads_.zones = true;
  }
  void note_zone(std::uint32_t zone) {
    reads_.entered.insert(zone);
    reads_.left.insert(zone);
  }
  void note(const model::Expr& e) {
    switch (e.kind) {
      case ExprKind::variable: reads_.variables.insert(e.ref); return;
      case ExprKind::zone:
      case ExprKind::card_of_slot: return note_zone(e.ref);
      case ExprKind::zone_top:
      case ExprKind::zone_top_n:
      case ExprKind::zone_bottom:
      case ExprKind::part_of:
      case ExprKind::faces:
      case ExprKind::counts_as: reads_.zones |= e.kind != ExprKind::counts_as || !model_.alsos.empty(); return;
      case ExprKind::knows:
      case ExprKind::knows_top:   // a player who peeks at a card changes the result, although no card moves
        reads_.zones = reads_.anything = true;
        return;
      case ExprKind::players_in:
      case ExprKind::is_in_game:
      case ExprKind::steps:
      case ExprKind::next_player:
      case ExprKind::previous_player: reads_.players = true; return;
      case ExprKind::active_player:
      case ExprKind::turn_number:
      case ExprKind::round_number:
      case ExprKind::window_field:
      case ExprKind::window_left:
      case ExprKind::event_field:
      case ExprKind::during_event:
      case ExprKind::during_window:
      case ExprKind::pool_values:
      case ExprKind::timer_running:
      case ExprKind::call_event:
      case ExprKind::open_window:
      case ExprKind::at_first:
      case ExprKind::race_clock:
      case ExprKind::race_busy: reads_.anything = true; return;
      case ExprKind::play_is_over: return;   // when play is over, everything is recomputed
      case ExprKind::supposing:   // depends on the entire state
        reads_.anything = reads_.zones = reads_.players = true;
        for (std::uint32_t v = 0; v < model_.variables.size(); ++v) reads_.variables.insert(v);
        return;
      // The dependencies of these kinds are in their operands or in the code that they call, which `causes_` visits.
      case ExprKind::constant:
      case ExprKind::set_constant:
      case ExprKind::local:
      case ExprKind::attribute:
      case ExprKind::kind_of:
      case ExprKind::equal:
      case ExprKind::not_equal:
      case ExprKind::set_equal:
      case ExprKind::in_set:
      case ExprKind::within:
      case ExprKind::disjoint:
      case ExprKind::set_union:
      case ExprKind::set_minus:
      case ExprKind::set_and:
      case ExprKind::set_of_one:
      case ExprKind::conditional:
      case ExprKind::or_else:
      case ExprKind::size:
      case ExprKind::exists:
      case ExprKind::filter:
      case ExprKind::aggregate:
      case ExprKind::best:
      case ExprKind::pick_first:
      case ExprKind::pick_last:
      case ExprKind::pick_only:
      case ExprKind::pick_random:
      case ExprKind::random_n:
      case ExprKind::seat_of:
      case ExprKind::call_value:
      case ExprKind::call_function:
      case ExprKind::proceed:
      case ExprKind::element_at:
      case ExprKind::list_literal:
      case ExprKind::list_end:
      case ExprKind::list_add:
      case ExprKind::list_drop:
      case ExprKind::list_as:
      case ExprKind::list_equal:
      case ExprKind::in_list:
      case ExprKind::set_list:
      case ExprKind::listed_set:
      case ExprKind::list_of:
      case ExprKind::joined:
      case ExprKind::subsets:
#include "compiler/model/cases_of_parts.def"
        return;
    }
  }

  const model::Model& model_;
  Reads reads_;
  Causes causes_;
};

}   // namespace

Reads reads_of(const model::Model& model, const model::Expr& e) {
  Reader reader(model);
  reader.all().expr(&e);
  return reader.reads();
}

Reads reads_of(const model::Model& model, const model::Value& value) {
  Reader reader(model);
  reader.all().value(value);
  return reader.reads();
}

Reads reads_of(const model::Model& model, const model::RuleHead& rule) {
  Reader reader(model);
  reader.all().rule(rule);
  return reader.reads();
}

Reads what_makes_true(const model::Model& model, const model::Expr& condition) {
  Reader reader(model);
  reader.what_makes_true(condition);
  return reader.reads();
}

// The turn order does not matter if the amount is the same for all players, or if a pattern determines the player.
bool depends_on_turn(const model::Model& model, const model::Modifier& modifier) {
  const model::RuleHead& head = modifier.head;
  if (modifier.how != model::ModifyHow::to || head.carrier.kind == model::CarrierKind::none) return false;
  const bool of_players =
      head.carrier.zone.valid() ? model.zones[head.carrier.zone.index].has_owner() : head.me.valid();
  const auto reads = [](const model::Expr* e, model::LocalId local) {
    bool found = false;
    model::for_each_expr(e, [&](const model::Expr& inner) {
      found |= local.valid() && inner.kind == ExprKind::local && inner.local == local;
    });
    return found;
  };
  const bool fixed = std::any_of(modifier.patterns.begin(), modifier.patterns.end(), [&](const model::Pattern& p) {
    return p.kind == model::Pattern::Kind::equals && head.me.valid() && p.value->kind == ExprKind::local &&
           p.value->local == head.me;
  });
  return of_players && !fixed && (reads(modifier.amount, head.me) || reads(modifier.amount, head.self));
}

std::vector<bool> attributes_read(const model::Model& model) {
  std::vector<bool> read(model.attributes.size());
  model::for_each_piece(model, [&](const model::RuleHead*, const auto& piece) {
    model::for_each_expr(piece, [&](const model::Expr& e) {
      if (e.kind == ExprKind::attribute && e.ref < read.size()) read[e.ref] = true;
    });
  });
  return read;
}

}   // namespace cardwright::analysis
