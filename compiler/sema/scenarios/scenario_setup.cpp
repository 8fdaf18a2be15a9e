// Builds `given …`, which defines the initial state of a scenario.
#include "compiler/sema/scenarios/scenario_setup.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/scenarios/board_cards.h"
#include "compiler/sema/scenarios/dice.h"
#include "compiler/sema/scenarios/known.h"
#include "compiler/sema/scenarios/scenarios.h"
#include "compiler/sema/statements/pieces.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void given_at(RuleContext& rule, const Node* node, model::Given g, model::ScenarioLine& line);
static void given_off(SemaContext& sema, const Node* node, model::Given g, model::ScenarioLine& line);
static void given_cards(RuleContext& rule, model::Given g, model::ZoneId zone, const Node* node,
                        model::ScenarioLine& line);
static void given_variable(RuleContext& rule, model::Given g, std::uint32_t id, const std::vector<const Node*>& keys,
                           const Node* place, const Node* value, model::ScenarioLine& line);

// Handles `out`, which names a player who is out of the game, and `only in`, which names all players who are still in
// it.
static void given_players(SemaContext& sema, const view::given& its, model::Given g, model::ScenarioLine& line) {
  if (g.kind == model::Given::Kind::out) {
    if (auto s = seat(sema, its.what())) g.seats = {*s}, sema.scenarios.out.insert(*s);
  } else {
    if (its.value())
      for (const Node* n : its.value()->children)
        if (auto s = seat(sema, n)) g.seats.push_back(*s);
    for (Int p = 0; p < sema.players; ++p)
      if (std::find(g.seats.begin(), g.seats.end(), p) == g.seats.end()) sema.scenarios.out.insert(p);
  }
  line.givens.push_back(std::move(g));
}

// The target of an assignment such as `b.purse.gold`, `purse[red].gold` or `front[2].purse.gold`, parsed from its end.
struct GivenPlace {
  const Node* at = nullptr;   // the node at which the name of the variable begins
  const Node* whose = nullptr;   // the owner; null for a variable of the table
  std::string name = {};
  std::vector<const Node*> keys = {};
};

static GivenPlace place_given(SemaContext& sema, const Node* place) {
  GivenPlace to;
  std::vector<const Node*>& keys = to.keys;
  std::string& name = to.name;
  const Node* at = place;
  while (at && (at->kind == NodeKind::member || at->kind == NodeKind::index) && !area_in(sema, at)) {
    if (at->kind == NodeKind::index)
      keys.insert(keys.begin(), at->children.begin() + 1, at->children.end());
    else
      name = std::string(at->text) + (name.empty() ? "" : "." + name), to.whose = view::member(at).of();
    at = view::place(at).of();
  }
  if (!at) return to;
  if (at->kind == NodeKind::name_ref &&
      (name.empty() || (sema.records.of_table.contains(at->text) && !seat(sema, at, false)))) {
    name = std::string(at->text) + (name.empty() ? "" : "." + name);
    to.whose = nullptr;
  }
  to.at = at;
  return to;
}

// Builds an assignment to a variable or zone of a part of an area, such as `front[2].hunt = …`.
static void given_of_part(RuleContext& rule, const Node* node, model::Given g, const GivenPlace& to,
                          std::pair<std::uint32_t, Int> part, model::ScenarioLine& line) {
  const view::given its(node);
  const AreaInfo& area = rule.sema.areas.all[part.first];
  if (auto z = area.zones.find(to.name); z != area.zones.end()) {
    g.indices = {part.second - 1};
    return given_cards(rule, std::move(g), model::ZoneId{z->second}, node, line);
  }
  auto r = area.records.find(to.name);
  if ((r == area.records.end() && !area.variables.contains(to.name)) || node->text != "=") {
    error(rule.sema, "unknown_name"_code, to.at->range, fmt::format("`{}` has no member `{}`", area.name, to.name));
    return;
  }
  g.indices = {part.second};
  for (const WrittenPart& p :
       written_attribute(rule.sema, r == area.records.end() ? nullptr : &r->second, to.name, its.value()))
    given_variable(rule, g, area.variables.find(p.name)->second, to.keys, its.what(), p.value, line);
}

static void nothing_to_give(RuleContext& rule, const Node* node, const GivenPlace& to) {
  const bool per_player = to.whose != nullptr;
  const std::string& name = to.name;
  const Table& zones = per_player ? rule.sema.names.player_zones : rule.sema.names.table_zones;
  const Table& variables = per_player ? rule.sema.names.player_variables : rule.sema.names.table_variables;
  if (silent_if_absent(rule, name, to.at->range)) return;
  std::vector<std::string> names;
  for (const Table* t : {&zones, &variables})
    for (const auto& [n, id] : *t) names.push_back(n);
  std::string help = did_you_mean(name, names);
  if (!per_player && rule.sema.names.player_variables.contains(name))
    help = fmt::format("it belongs to a player: write `a.{}` or `players.{}`", name, name);
  error(rule.sema, "unknown_name"_code, to.at->range,
        fmt::format("unknown {} `{}` {}", node->text == "=" ? "variable or zone" : "zone", name,
                    per_player ? "of players" : "of the table"),
        help);
}

// Returns whether `known` is a public variable, which all players know even without a `given`.
static bool is_open(const SemaContext& sema, const model::Known& known) {
  return known.kind == model::Known::Kind::variable &&
         sema.model.variables[known.variable.index].visibility == model::Visibility::open;
}

// Builds `a knows reds.rank` and `everyone knows top of stock`.
static void given_knowledge(RuleContext& rule, const Node* node, model::Given g, model::ScenarioLine& line) {
  const view::given its(node);
  if (node->number)
    return void(error(rule.sema, "bad_scenario"_code, node->range, "a `given` can add knowledge but not remove it",
                      "remove this"));
  g.kind = model::Given::Kind::knows;
  g.seats = seats_of(rule.sema, its.who());
  auto things = known_things(rule, its.value());
  if (g.seats.empty() || !things) return;
  if (std::all_of(things->begin(), things->end(), [&](const auto& known) { return is_open(rule.sema, known); }))
    return void(error(rule.sema, "bad_scenario"_code, its.value()->range,
                      fmt::format("`{}` is public, so every player already knows it", written(rule.sema, its.value())),
                      "remove this"));
  g.known = std::move(*things);
  line.givens.push_back(std::move(g));
}

static void given(RuleContext& rule, const Node* node, model::ScenarioLine& line) {
  const view::given its(node);
  model::Given g{};
  g.range = node->range;
  const std::string_view kind = node->text;
  if (kind == "out" || kind == "only in") {
    g.kind = kind == "out" ? model::Given::Kind::out : model::Given::Kind::only_in;
    return given_players(rule.sema, its, std::move(g), line);
  }
  const Node *place = its.what(), *value = its.value();
  if (!place || !value) return;
  if (kind == "at") return given_at(rule, node, std::move(g), line);
  if (kind == "off") return given_off(rule.sema, node, std::move(g), line);
  if (kind == "knows") return given_knowledge(rule, node, std::move(g), line);
  if (kind == "shows") return given_shows(rule.sema, node, std::move(g), line);
  const GivenPlace to = place_given(rule.sema, place);
  const auto& [at, whose, name, keys] = to;
  if (!at) return;
  const bool per_player = whose != nullptr;
  if (auto part = per_player ? area_part(rule.sema, at) : std::nullopt)
    return given_of_part(rule, node, std::move(g), to, *part, line);
  if (at->kind != NodeKind::name_ref) {
    error(rule.sema, "bad_scenario"_code, at->range, "invalid target of an assignment",
          "write a variable or zone: `b.towels = 2`, `top of draw = [Miss]`");
    return;
  }
  const Table& zones = per_player ? rule.sema.names.player_zones : rule.sema.names.table_zones;
  const Table& variables = per_player ? rule.sema.names.player_variables : rule.sema.names.table_variables;
  const Composed& records = per_player ? rule.sema.records.of_players : rule.sema.records.of_table;
  if (per_player) g.seats = seats_of(rule.sema, whose);
  if (auto z = zones.find(name); z != zones.end()) {
    if (!rule.model.zones[z->second].per_player) g.seats.clear();
    return given_cards(rule, std::move(g), model::ZoneId{z->second}, node, line);
  }
  auto r = records.find(name);
  if ((r == records.end() && !variables.contains(name)) || kind != "=") return nothing_to_give(rule, node, to);
  const Type* whole = r == records.end() ? nullptr : &r->second;
  while (whole && whole->kind == TypeKind::map) whole = whole->elem.get();
  for (const WrittenPart& p : written_attribute(rule.sema, whole, name, value))
    given_variable(rule, g, variables.find(p.name)->second, keys, place, p.value, line);
}

// Builds `a.hero at e5 facing E`.
static void given_at(RuleContext& rule, const Node* node, model::Given g, model::ScenarioLine& line) {
  const auto part = area_part(rule.sema, view::given(node).what());
  if (!part || !rule.sema.areas.all[part->first].piece) {
    if (given_card_at(rule, node, g, line)) return;
    if (!area_in(rule.sema, view::given(node).what()))
      error(rule.sema, "bad_scenario"_code, view::given(node).what()->range, "expected a piece before `at`",
            "for example `a.hero at e5`, `token[3] at e5`, `thing[book] at e5`");
    return;
  }
  const model::Placing& placing = *rule.model.areas[part->first].piece;
  const model::Board& board = board_of_piece(rule.sema, placing);
  const Type cell = spot_type(rule.sema, placing), direction = enum_type(board.dirs.index);
  const auto at = scalar(rule.sema, view::given(node).value(), &cell);
  std::optional<Int> way;
  if (view::given(node).facing()) {
    if (!placing.facing)
      return void(error(rule.sema, "bad_scenario"_code, view::given(node).facing()->range,
                        fmt::format("`{}` has no facing", rule.sema.areas.all[part->first].name),
                        "write `facing N` in its declaration"));
    if (!(way = scalar(rule.sema, view::given(node).facing(), &direction))) return;
  }
  if (node->number)
    return void(error(rule.sema, "bad_scenario"_code, node->range, "`facedown` is only for cards, not for pieces"));
  if (!at) return;
  g.kind = model::Given::Kind::variable;
  g.indices = {part->second};
  const Int facing = way ? *way : placing.facing ? rule.model.variables[placing.facing->index].initial->value : 0;
  if (!stays_on_board(rule.sema, placing.shapes, sort_of_part(rule.sema, part->first, part->second), *at, facing))
    return void(error(rule.sema, "out_of_range"_code, node->range,
                      fmt::format("`{}` extends beyond the board at {}", written(rule.sema, view::given(node).what()),
                                  written(rule.sema, view::given(node).value())))
                    .notes.push_back({rule.sema.areas.all[part->first].range, "its size is declared here"}));
  g.variable = placing.at;
  g.values = {*at};
  line.givens.push_back(g);
  if (!way) return;
  g.variable = *placing.facing;
  g.values = {*way};
  line.givens.push_back(std::move(g));
}

// Builds `things off field` and `a.hero off field`.
static void given_off(SemaContext& sema, const Node* node, model::Given g, model::ScenarioLine& line) {
  const Node* what = view::given(node).what();
  if (!board_named(sema, view::given(node).value()))
    return void(error(sema, "unknown_name"_code, view::given(node).value()->range,
                      fmt::format("unknown board `{}`", view::given(node).value()->text)));
  const auto all = what->kind == NodeKind::name_ref ? area_named(sema, what->text) : std::nullopt;
  const auto part = all ? std::nullopt : area_part(sema, what);
  const auto area = all ? all : part ? std::optional(part->first) : std::nullopt;
  if (!area || !sema.areas.all[*area].piece)
    return void(error(sema, "bad_scenario"_code, what->range, "expected pieces before `off`",
                      "for example `a.hero off field`, `tokens off field`"));
  const model::Placing& placing = *sema.model.areas[*area].piece;
  if (!check_own_board(sema, placing, view::given(node).value(), what->range, sema.areas.all[*area].name) ||
      !may_be_lifted(sema, area_type(sema, *area), what->range))
    return;
  g.kind = model::Given::Kind::variable;
  Int first = 1, last = sema.areas.all[*area].count;
  if (part) first = last = part->second;
  for (Int i = first; i <= last; ++i) {
    g.indices = {i};
    g.variable = placing.at;
    g.values = {kNone};
    line.givens.push_back(g);
    if (!placing.facing) continue;
    g.variable = *placing.facing;
    g.values = {sema.model.variables[placing.facing->index].initial->value};
    line.givens.push_back(g);
  }
}

// Checks that a card of a scenario matches the declared type.
static bool is_such_card(RuleContext& rule, const model::CardMatch& match, const Type& type) {
  if (!match.kind || admits(rule.sema, type, card_of_kind(rule.sema, match.kind->index))) return true;
  error(rule.sema, "bad_scenario"_code, match.range,
        fmt::format("expected `{}`, found `{}`", show(rule.sema, without_none(type)),
                    rule.model.kinds[match.kind->index].name));
  return false;
}

// Checks that the rules can move the card to the zone, because other code relies on the kinds of cards that a zone can
// contain.
static void check_can_be_in(RuleContext& rule, const model::CardMatch& match, model::ZoneId zone) {
  if (!rule.sema.zone_cards || !match.kind) return;
  const std::vector<Int>& kinds = (*rule.sema.zone_cards)[zone.index];
  if (kinds.empty() || admits(rule.sema, card_in(rule.sema, zone.index), card_of_kind(rule.sema, match.kind->index)))
    return;
  error(rule.sema, "bad_scenario"_code, match.range,
        fmt::format("no rule can put `{}` into `{}`", rule.model.kinds[match.kind->index].name,
                    rule.model.zones[zone.index].name));
}

static std::vector<model::CardMatch> cards_given(RuleContext& rule, const Node* value, const Type& type) {
  std::vector<model::CardMatch> cards = card_matches(rule, value);
  for (const model::CardMatch& match : cards) is_such_card(rule, match, type);
  return cards;
}

// Builds `a.piles = [[red, blue], [green]]`.
static bool given_rows(SemaContext& sema, const Node* value, const Type& element, model::Given& g) {
  const Type one = *element.elem;
  if (one.kind == TypeKind::card) {
    error(sema, "bad_scenario"_code, value->range, "a list of lists or sets of cards can't be set in a scenario",
          "use a step in `when` that fills it");
    return false;
  }
  for (const Node* n : value->children) {
    std::vector<Int> row;
    if (!n || n->kind != NodeKind::list_lit) {
      error(sema, "bad_scenario"_code, n ? n->range : value->range, "expected a list of sets or lists",
            "for example `a.piles = [[red, blue], [green]]`");
      return false;
    }
    for (const Node* x : n->children) {
      const auto v = scalar(sema, x, &one);
      if (!v) return false;
      row.push_back(*v);
    }
    if (element.kind == TypeKind::list && static_cast<Int>(row.size()) > element.most) {
      error(sema, "out_of_range"_code, n->range,
            fmt::format("too many elements: found {}, but each list can have at most {}", row.size(), element.most));
      return false;
    }
    Int mask = 0;
    for (const Int bit : row) mask |= bit >= 0 && bit <= kMostInSet ? Int{1} << bit : 0;
    if (element.kind == TypeKind::set && !has_wide_sets(sema, one))
      g.values.push_back(mask);
    else
      g.rows.push_back(std::move(row));
  }
  return true;
}

// Builds `b.hand = [Miss, Miss]`, `top of draw = [Miss]` and `b.hand facedown = [Miss]`.
static void given_cards(RuleContext& rule, model::Given g, model::ZoneId zone, const Node* node,
                        model::ScenarioLine& line) {
  const view::given its(node);
  const std::string_view kind = node->text;
  g.kind = kind == "top"      ? model::Given::Kind::top
           : kind == "bottom" ? model::Given::Kind::bottom
                              : model::Given::Kind::zone;
  g.facedown = kind == "facedown";
  g.zone = zone;
  g.cards = card_matches(rule, its.value());
  for (const model::CardMatch& match : g.cards) check_can_be_in(rule, match, zone);
  if (rule.model.zones[zone.index].shape == model::ZoneShape::slot && g.cards.size() > 1) {
    error(rule.sema, "bad_scenario"_code, its.value()->range,
          fmt::format("a slot can contain one card, not {}", g.cards.size()));
    return;
  }
  line.givens.push_back(std::move(g));
}

// Builds `token_at = [t1: e6]`. Entries that are not listed keep their initial value.
static void given_table(RuleContext& rule, const model::Given& g, std::uint32_t id, std::vector<const Node*> keys,
                        const Node* place, const Node* table, model::ScenarioLine& line) {
  const model::Variable& variable = rule.model.variables[id];
  const Type& key = variable.indices.back();
  model::Given others = g;
  others.kind = model::Given::Kind::variable;
  others.variable = model::VariableId{id};
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (auto k = scalar(rule.sema, keys[i], &variable.indices[g.indices.size() + i])) others.indices.push_back(*k);
  std::vector<Int> present_keys;
  const std::size_t before = line.givens.size();
  for (const Node* entry : table->children) {
    if (!entry || !view::entry(entry).value()) continue;
    if (auto k = scalar(rule.sema, view::entry(entry).key(), &key)) present_keys.push_back(*k);
    keys.push_back(view::entry(entry).key());
    given_variable(rule, g, id, keys, place, view::entry(entry).value(), line);
    keys.pop_back();
  }
  if (variable.can_be_unset || (variable.type.kind == TypeKind::list || variable.type.kind == TypeKind::set)) return;
  const Int first = key.kind == TypeKind::integer ? key.lo : 0;
  const Int last = key.kind == TypeKind::integer  ? key.hi
                   : key.kind == TypeKind::player ? rule.sema.players - 1
                                                  : static_cast<Int>(rule.model.enums[key.ref].constants.size()) - 1;
  for (Int k = first; k <= last; ++k) {
    if (std::find(present_keys.begin(), present_keys.end(), k) != present_keys.end()) continue;
    model::Given one = others;
    one.indices.push_back(k);
    one.values.assign(std::max<std::size_t>(1, one.seats.size()), variable.initial ? variable.initial->value : kNone);
    line.givens.insert(line.givens.begin() + static_cast<std::ptrdiff_t>(before), std::move(one));
  }
}

// Returns whether the node describes a card by its printed attributes. Otherwise, the node refers to a card by its
// position or by a variable that contains it.
static bool describes_card(RuleContext& rule, const Node* node) {
  switch (node->kind) {
    case NodeKind::member:
    case NodeKind::index:
    case NodeKind::top_expr:
    case NodeKind::pick: return false;
    case NodeKind::name_ref:
      return card_match(rule, node, false) || !rule.sema.names.table_variables.contains(node->text);
    default: return true;   // a description; other expressions are reported later
  }
}

static bool given_keys(RuleContext& rule, const model::Variable& variable, const std::vector<const Node*>& keys,
                       model::Given& g) {
  const std::size_t known = g.indices.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Type& type = variable.indices[known + i];
    if (type.kind == TypeKind::card && !describes_card(rule, keys[i])) {   // for example `laid_by[top of a.table] = a`
      const auto card = computed_value(rule, keys[i], type);
      if (!card) return false;
      g.computed_index = {g.indices.size(), *card};
      g.indices.push_back(0);
    } else if (type.kind == TypeKind::card) {   // for example `laid_by[Ladder] = a`
      auto match = card_match(rule, keys[i]);
      if (!match || !is_such_card(rule, *match, variable.indices[known + i])) return false;
      g.card_index = {g.indices.size(), std::move(*match)};
      g.indices.push_back(0);
    } else if (auto k = scalar(rule.sema, keys[i], &type)) {
      g.indices.push_back(*k);
    }
  }
  return true;
}

static void given_list(RuleContext& rule, model::Given g, const Node* value, const model::Variable& variable,
                       model::ScenarioLine& line) {
  g.kind = model::Given::Kind::list;
  if (value->kind != NodeKind::list_lit) {
    error(rule.sema, "bad_scenario"_code, value->range, "expected a list", "for example `a.order = [b, c]`");
    return;
  }
  const Type element = element_type(variable.type);
  if (element.elem) {
    if (!given_rows(rule.sema, value, element, g)) return;
  } else if (element.kind == TypeKind::card)
    g.cards = cards_given(rule, value, element);
  else
    for (const Node* n : value->children) {
      auto x = scalar(rule.sema, n, &element);
      if (!x) return;
      g.values.push_back(*x);
    }
  if (static_cast<Int>(value->children.size()) > variable.type.most) {
    error(rule.sema, "out_of_range"_code, value->range,
          fmt::format("too many elements: found {}, but the list can have at most {}", value->children.size(),
                      variable.type.most));
    return;
  }
  line.givens.push_back(std::move(g));
}

static void given_set(RuleContext& rule, model::Given g, const Node* value, const model::Variable& variable,
                      model::ScenarioLine& line) {
  g.kind = model::Given::Kind::set;
  if (element_type(variable.type).kind == TypeKind::card) {
    g.cards = cards_given(rule, value, element_type(variable.type));
    line.givens.push_back(std::move(g));
    return;
  }
  auto elements = elements_of(rule.sema, value, variable.type);
  if (!elements) return;
  g.values = std::move(*elements);
  line.givens.push_back(std::move(g));
}

static void given_scalars(RuleContext& rule, model::Given g, const Node* value, const model::Variable& variable,
                          model::ScenarioLine& line) {
  Type t = variable.type;
  const bool one_each = variable.per_player && value->kind == NodeKind::list_lit;
  if (one_each && value->children.size() != g.seats.size()) {
    error(rule.sema, "bad_scenario"_code, value->range,
          fmt::format("found {} values for {} players", value->children.size(), g.seats.size()));
    return;
  }
  const auto is_none = [](const Node* n) { return n->kind == NodeKind::none_lit; };
  if (t.kind == TypeKind::card && !is_none(value)) {
    if (one_each && std::any_of(value->children.begin(), value->children.end(), is_none)) {
      error(rule.sema, "bad_scenario"_code, value->range, "`none` is not allowed in a list of all players' cards",
            "set each player separately: `a.charm = Clover, b.charm = none`");
      return;
    }
    if (one_each || describes_card(rule, value)) {
      g.cards = cards_given(rule, value, t);
    } else if (!(g.computed = computed_value(rule, value, t))) {   // for example `last = top of discard`
      return;
    }
    line.givens.push_back(std::move(g));
    return;
  }
  if (one_each) {
    for (const Node* n : value->children) {
      auto x = scalar(rule.sema, n, &t);
      if (!x) return;
      g.values.push_back(*x);
    }
  } else {
    auto x = scalar(rule.sema, value, &t);
    if (!x) return;
    g.values.assign(std::max<std::size_t>(1, g.seats.size()), *x);
  }
  line.givens.push_back(std::move(g));
}

static void given_variable(RuleContext& rule, model::Given g, std::uint32_t id, const std::vector<const Node*>& keys,
                           const Node* place, const Node* value, model::ScenarioLine& line) {
  const model::Variable& variable = rule.model.variables[id];
  if (!value) return;
  g.kind = model::Given::Kind::variable;
  g.variable = model::VariableId{id};
  const std::size_t known = g.indices.size();
  if (value->kind == NodeKind::table_lit && known + keys.size() + 1 == variable.indices.size() &&
      variable.indices.back().kind != TypeKind::card)
    return given_table(rule, g, id, keys, place, value, line);
  if (known + keys.size() != variable.indices.size()) {
    const std::size_t needed = variable.indices.size() - known;
    error(rule.sema, "bad_scenario"_code, place->range,
          fmt::format("`{}` takes {} index{}", variable.name, needed, needed == 1 ? "" : "es"));
    return;
  }
  if (!given_keys(rule, variable, keys, g)) return;
  if (variable.type.kind == TypeKind::list) return given_list(rule, std::move(g), value, variable, line);
  if (variable.type.kind == TypeKind::set) return given_set(rule, std::move(g), value, variable, line);
  given_scalars(rule, std::move(g), value, variable, line);
}

void givens(RuleContext& rule, const Node* list, model::ScenarioLine& line) {
  if (!list) return;
  // The `out` lines are read first, because `players.towels` includes only players who are in the game.
  for (const Node* g : list->children)
    if (g && g->kind == NodeKind::given && (g->text == "out" || g->text == "only in")) given(rule, g, line);
  for (const Node* g : list->children)
    if (g && g->kind == NodeKind::given && g->text != "out" && g->text != "only in") given(rule, g, line);
}

}   // namespace cardwright::sema
