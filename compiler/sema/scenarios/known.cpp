// Resolves the operand of `knows` in a scenario to zones, ends of piles, variables and cards.
#include "compiler/sema/scenarios/known.h"

#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

using model::Known;

// Resolves a zone of a player's team, such as `a.team.sack`.
static std::optional<NamedZone> zone_of_team(RuleContext& rule, const Node* n) {
  const Node* of = view::member(n).of();
  const auto whose = seat(rule.sema, view::member(of).of(), false);
  const auto& zones = rule.sema.areas.all[*rule.sema.areas.team].zones;
  const auto zone = zones.find(n->text);
  if (!whose || zone == zones.end()) return std::nullopt;
  return NamedZone{{zone->second}, std::nullopt, rule.model.teams[static_cast<std::size_t>(*whose)] - 1};
}

static NamedZone zone_of_player(RuleContext& rule, std::uint32_t zone, Int player) {
  NamedZone named{{zone}, std::nullopt, 0};
  if (rule.model.zones[zone].per_player) named.owner = player;
  return named;
}

std::optional<NamedZone> zone_named(RuleContext& rule, const Node* n) {
  if (!n) return std::nullopt;
  if (n->kind == NodeKind::name_ref) {
    const auto z = rule.sema.names.table_zones.find(n->text);
    if (z == rule.sema.names.table_zones.end()) return std::nullopt;
    return NamedZone{{z->second}, std::nullopt, 0};
  }
  if (n->kind != NodeKind::member) return std::nullopt;
  const Node* of = view::member(n).of();
  if (const auto part = area_part(rule.sema, of)) {
    const auto& zones = rule.sema.areas.all[part->first].zones;
    const auto z = zones.find(n->text);
    if (z == zones.end()) return std::nullopt;
    return NamedZone{{z->second}, std::nullopt, part->second - 1};
  }
  if (of && of->kind == NodeKind::member && of->text == "team" && rule.sema.areas.team) return zone_of_team(rule, n);
  const auto z = rule.sema.names.player_zones.find(n->text);
  const auto s = seat(rule.sema, of, false);
  if (z == rule.sema.names.player_zones.end() || !s) return std::nullopt;
  return zone_of_player(rule, z->second, *s);
}

namespace {

class Things {
 public:
  explicit Things(RuleContext& rule) : rule_(rule), sema_(rule.sema) {}

  bool add(const Node* what) {
    if (!what) return false;
    if (what->kind == NodeKind::top_expr) return add_end_of_pile(what);
    if (const auto zone = zone_named(rule_, what)) return add_zone(*zone), true;
    if (what->kind == NodeKind::member && (add_of_players(what) || add_of_parts(what))) return true;
    if (is_card(what)) return add_card(what);
    return add_variable(what);
  }
  std::vector<Known> out;

 private:
  Known& add_zone(const NamedZone& zone) {
    Known& known = out.emplace_back();
    known.zone = zone.zone;
    known.owner = zone.owner.value_or(0);
    known.copy = zone.copy;
    return known;
  }

  // Handles `top of stock`, `top 2 of stock` and `bottom of stock`.
  bool add_end_of_pile(const Node* what) {
    const view::top_expr its(what);
    const auto zone = zone_named(rule_, its.zone());
    const auto count = its.count() ? tree_int(sema_, its.count()) : std::optional<Int>(1);
    if (!count) return false;
    if (!zone) return refuse(what);
    Known& known = add_zone(*zone);
    known.kind = what->text == "top" ? Known::Kind::top : Known::Kind::bottom;
    known.count = *count;
    return true;
  }

  // Handles `players.hand` and `everyone.role`.
  bool add_of_players(const Node* what) {
    const Node* of = view::member(what).of();
    if (!of || of->kind != NodeKind::name_ref || (of->text != "players" && of->text != "everyone")) return false;
    const auto zone = sema_.names.player_zones.find(what->text);
    const auto variable = sema_.names.player_variables.find(what->text);
    for (const Int player : seats_of(sema_, of)) {
      if (zone != sema_.names.player_zones.end())
        add_zone(zone_of_player(rule_, zone->second, player));
      else if (variable != sema_.names.player_variables.end())
        add_entries(variable->second, {player});
    }
    return !out.empty();
  }

  // Handles `reds.rank` and `a.reds.rank`. The plural denotes all pieces, dice or parts of an area.
  bool add_of_parts(const Node* what) {
    const Node* of = view::member(what).of();
    const bool of_player = of && of->kind == NodeKind::member;
    if (!of || (!of_player && of->kind != NodeKind::name_ref)) return false;
    const auto area = area_named(sema_, of->text);
    const auto owner = of_player ? seat(sema_, view::member(of).of(), false) : std::optional<Int>(0);
    if (!area || !owner || (sema_.areas.all[*area].each > 0) != of_player) return false;
    const AreaInfo& info = sema_.areas.all[*area];
    const Int each = of_player ? info.each : info.count, first = *owner * each + 1;
    const auto zone = info.zones.find(what->text);
    const auto variable = info.variables.find(what->text);
    for (Int part = first; part < first + each; ++part) {
      if (zone != info.zones.end())
        add_zone({{zone->second}, std::nullopt, part - 1});
      else if (variable != info.variables.end())
        add_entries(variable->second, {part});
    }
    return !out.empty();
  }

  void add_entries(std::uint32_t variable, std::vector<Int> indices) {
    Known& known = out.emplace_back();
    known.kind = Known::Kind::variable;
    known.variable = {variable};
    known.indices = std::move(indices);
  }

  bool is_card(const Node* what) {
    const bool named = what->kind == NodeKind::name_ref && sema_.names.kinds.contains(what->text) &&
                       !sema_.names.table_variables.contains(what->text);
    return named || what->kind == NodeKind::scenario_card || what->kind == NodeKind::string ||
           (what->kind == NodeKind::call &&
            (sema_.names.kinds.contains(what->text) || sema_.names.card_types.contains(what->text)));
  }
  bool add_card(const Node* what) {
    auto match = card_match(rule_, what);
    if (!match) return false;
    Known& known = out.emplace_back();
    known.kind = Known::Kind::card;
    known.card = std::move(*match);
    return true;
  }

  // Handles `b.role`, `red[1].rank`, `bids[red]`, and the name of a table, which denotes all of its entries.
  bool add_variable(const Node* what) {
    Body& body = sema_.scratch.emplace_back();
    RuleContext reading(sema_);
    reading.body = &body;
    reading.pure = true;
    reading.scenario = true;
    const Expr* e = expr(reading, what);
    if (is_poison(e)) return false;
    if (e->kind != ExprKind::variable) return refuse(what);
    std::vector<Int> indices;
    for (const Expr* index : e->args) {
      if (!index) continue;   // a variable of the table has no owner
      const auto at = evaluate(sema_, *index);
      if (!at) return refuse(what);
      indices.push_back(at->value);
    }
    add_entries(e->ref, std::move(indices));
    return true;
  }

  bool refuse(const Node* what) {
    error(sema_, "bad_scenario"_code, what->range, "expected something that a player can know",
          "use a zone, its top, a variable or a card: `a knows b.hand`, `a knows b.role`, `a knows reds.rank`");
    return false;
  }

  RuleContext& rule_;
  SemaContext& sema_;
};

}   // namespace

std::optional<std::vector<Known>> known_things(RuleContext& rule, const Node* what) {
  Things things(rule);
  if (!things.add(what)) return std::nullopt;
  return std::move(things.out);
}

}   // namespace cardwright::sema
