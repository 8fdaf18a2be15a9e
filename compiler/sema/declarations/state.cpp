// Declares variables, zones, areas and teams.
#include "compiler/sema/declarations/state.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/declarations/board_cards.h"
#include "compiler/sema/declarations/dice.h"
#include "compiler/sema/declarations/pieces.h"
#include "compiler/sema/declarations/timing.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void add_variable(SemaContext& sema, model::Variable v, VariableInfo info, Table& table);
static void name_area(SemaContext& sema, const Node* node);
static void count_area(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players);
static void name_teams(SemaContext& sema);
static void count_teams(SemaContext& sema);
static void declare_area_members(SemaContext& sema, std::uint32_t area, const Node* list);
static std::vector<Member> state_members(SemaContext& sema);
static void check_initial(SemaContext& sema, const model::Variable& v, const Expr* e);
namespace {

constexpr std::size_t kMostVariables = 500;
constexpr std::size_t kMostZones = 500;   // limit for declared zones; lowering limits the number of their copies

}   // namespace

static void declare_variable(SemaContext& sema, const Node* field, bool per_player, std::uint32_t) {
  const view::field its(field);
  if (sema.model.variables.size() > kMostVariables) return;   // an error is reported at the end
  const std::string name(field->text);
  auto& table = per_player ? sema.names.player_variables : sema.names.table_variables;
  Composed& records = per_player ? sema.records.of_players : sema.records.of_table;
  if (table.contains(name) || records.contains(name) ||
      (per_player ? sema.names.player_zones : sema.names.table_zones).contains(name)) {
    error(sema, "duplicate_declaration"_code, name_range(sema, field),
          fmt::format("duplicate declaration of `{}`", name));
    return;
  }
  model::Variable v;
  v.per_player = per_player;
  v.range = name_range(sema, field);
  v.lifetime = field->number == 1   ? model::Lifetime::turn
               : field->number == 2 ? model::Lifetime::round
               : field->number == 3 ? model::Lifetime::phase
                                    : model::Lifetime::game;
  if (its.type()) {
    v.type = type_or_poison(sema, its.type());
  } else if (its.initial()) {
    auto f = tree_constant(sema, its.initial(), false);
    v.type = f && f->kind == TreeConstant::Kind::boolean       ? boolean_type()
             : f && f->kind == TreeConstant::Kind::enumeration ? enum_type(f->ref)
                                                               : integer_type();
    if (!f)
      error(sema, "wrong_type"_code, name_range(sema, field), fmt::format("`{}` needs a type", name),
            fmt::format("write `{}: int = …`", name));
  } else {
    v.type = plain_type(TypeKind::poison);
    error(sema, "wrong_type"_code, name_range(sema, field), fmt::format("`{}` needs a type", name),
          fmt::format("write `{}: int`", name));
  }
  const Node* visibility_node = nullptr;   // the node that declares the visibility
  if (its.words())
    for (const Node* w : its.words()->children) {
      if (!w) continue;
      if (visibility_node)
        error(sema, "bad_zone"_code, w->range, fmt::format("duplicate visibility of `{}`", name),
              "remove one of the two");
      visibility_node = w;
      if (w->text == "secret")
        v.visibility = model::Visibility::owner;
      else if (w->text == "hidden")
        v.visibility = model::Visibility::hidden;
      else if (w->text == "public")
        v.visibility = model::Visibility::open;
      else
        error(sema, "bad_zone"_code, w->range, fmt::format("unknown visibility `{}`", w->text),
              did_you_mean(w->text, {"secret", "public", "hidden"}));
    }
  if (v.visibility == model::Visibility::owner && !per_player && !sema.areas.in_players_area)
    error(sema, "bad_zone"_code, visibility_node->range,
          fmt::format("`{}` is not a player variable, so it can't be `secret`", name),
          "write `hidden`, and `peek` to show it to a player");
  name_records(sema, v.type, name, records);
  Type declared = v.type;
  while (declared.kind == TypeKind::map) declared = Type(*declared.elem);
  for (const Part& part : leaves_of(sema, v.type, name)) {
    model::Variable one = v;
    one.name = part.name;
    one.type = part.type;
    add_variable(sema, std::move(one), {field, declared, part.name.substr(std::min(part.name.size(), name.size() + 1))},
                 table);
  }
}

static void add_variable(SemaContext& sema, model::Variable v, VariableInfo info, Table& table) {
  while (v.type.kind == TypeKind::map) {
    v.indices.push_back(*v.type.key);
    v.type = Type(*v.type.elem);
  }
  if (v.type.kind == TypeKind::text) {
    error(sema, "unsupported"_code, v.range, fmt::format("a variable can't have type `{}`", show(sema, v.type)));
    v.type = plain_type(TypeKind::poison);
  }
  const bool has_initial = view::field(info.node).initial() || (info.declared.kind == TypeKind::record &&
                                                                has_initial_value(sema, info.declared, info.part));
  v.can_be_unset = !has_initial && !v.type.optional && v.type.kind != TypeKind::set && v.type.kind != TypeKind::list;
  const auto id = static_cast<std::uint32_t>(sema.model.variables.size());
  table.emplace(v.name, id);
  sema.state.variables[id] = std::move(info);
  sema.model.variables.push_back(std::move(v));
}

// The attributes that have been read for a zone so far, used to report duplicates.
struct GivenAttributes {
  bool who = false;   // visibility
  bool how = false;   // shape
  bool refilled = false;
};

static void check_duplicate_attribute(SemaContext& sema, const Node* a, const std::string& name,
                                      GivenAttributes& given) {
  const std::string_view w = a->text;
  const bool is_visibility =
      w == "public" || w == "faceup" || w == "hidden" || w == "facedown" || w == "owner" || w == "team";
  if (is_visibility && std::exchange(given.who, true))
    error(sema, "bad_zone"_code, a->range, fmt::format("duplicate visibility of zone `{}`", name),
          "remove one of the two");
  const bool is_shape = w == "set" || w == "pile" || w == "row" || w == "slot";
  if (is_shape && std::exchange(given.how, true))
    error(sema, "bad_zone"_code, a->range, fmt::format("duplicate shape of zone `{}`", name), "remove one of the two");
  if (w == "refill from" && std::exchange(given.refilled, true))
    error(sema, "bad_zone"_code, a->range, fmt::format("duplicate `refill from` of zone `{}`", name),
          "remove one of the two");
}

static void zone_attribute(SemaContext& sema, const Node* a, bool per_player, model::Zone& z) {
  const std::string_view w = a->text;
  const auto id = static_cast<std::uint32_t>(sema.model.zones.size());   // the id that the zone will have
  if (w == "set")
    z.shape = model::ZoneShape::set;
  else if (w == "pile")
    z.shape = model::ZoneShape::pile;
  else if (w == "row")
    z.shape = model::ZoneShape::row;
  else if (w == "slot")
    z.shape = model::ZoneShape::slot;
  else if (w == "public" || w == "faceup")
    z.visibility = model::Visibility::open;
  else if (w == "hidden" || w == "facedown")
    z.visibility = model::Visibility::hidden;
  else if (w == "owner") {
    z.visibility = model::Visibility::owner;
    if (!per_player && !sema.areas.in_players_area)
      error(sema, "bad_zone"_code, a->range, "a zone of the table can't be `owner`", "write `public` or `hidden`");
  } else if (w == "shared without") {
    if (!per_player) {
      error(sema, "bad_zone"_code, a->range,
            sema.areas.in_players_area ? "the zones of an area can't be shared"
                                       : "a zone of the table is already shared");
    } else if (auto with = view::zone_attr(a).arguments(0) ? tree_constant(sema, view::zone_attr(a).arguments(0))
                                                           : std::nullopt;
               with && with->kind != TreeConstant::Kind::boolean) {
      error(sema, "wrong_type"_code, view::zone_attr(a).arguments(0)->range,
            "expected an option with the values on and off");
    } else if (with) {
      z.per_player = with->value != 0;
    }
  } else if (w == "one of a kind")
    z.one_of_a_kind = true, sema.state.one_of_a_kind[id] = a->range;
  else if (w == "refill from") {
    sema.state.refills.push_back({id, a});
  } else if (w == "team") {
    z.visibility = model::Visibility::team;
    if (!sema.areas.team)
      error(sema, "bad_teams"_code, a->range, "the game has no teams", "declare them: `teams [1, 3], [2, 4]`");
    else if (!per_player && !sema.areas.in_team && !sema.areas.in_players_area)
      error(sema, "bad_zone"_code, a->range, "a zone of the table can't be `team`", "write `public` or `hidden`");
  } else if (w == "starts with")
    sema.state.starts.push_back({id, a});
  else
    error(sema, "bad_zone"_code, a->range, fmt::format("unknown zone attribute `{}`", w),
          did_you_mean(w, {"set", "pile", "row", "slot", "owner", "public", "hidden", "faceup", "facedown"}));
}

static void declare_zone(SemaContext& sema, const Node* zone, bool per_player) {
  const view::zone its(zone);
  if (sema.model.zones.size() > kMostZones) return;   // an error is reported at the end
  const std::string name(zone->text);
  auto& table = per_player ? sema.names.player_zones : sema.names.table_zones;
  if (table.contains(name) || (per_player ? sema.names.player_variables : sema.names.table_variables).contains(name) ||
      (per_player ? sema.records.of_players : sema.records.of_table).contains(name)) {
    error(sema, "duplicate_declaration"_code, name_range(sema, zone),
          fmt::format("duplicate declaration of `{}`", name));
    return;
  }
  model::Zone z;
  z.name = name;
  z.per_player = per_player;
  z.range = name_range(sema, zone);
  GivenAttributes given;
  if (its.attributes())
    for (const Node* a : its.attributes()->children) {
      if (!a) continue;
      check_duplicate_attribute(sema, a, name, given);
      zone_attribute(sema, a, per_player, z);
    }
  if (!given.who)
    error(sema, "bad_zone"_code, name_range(sema, zone), fmt::format("missing visibility for zone `{}`", name),
          per_player || sema.areas.in_players_area ? "write `owner`, `public` or `hidden`"
                                                   : "write `public`, `hidden`, `faceup` or `facedown`");
  table.emplace(name, static_cast<std::uint32_t>(sema.model.zones.size()));
  sema.model.zones.push_back(std::move(z));
}

// Returns the zones in the same scope as this one: those of the table, of players, or of the zone's area.
static const Table& zones_beside(const SemaContext& sema, std::uint32_t zone) {
  const auto holds = [&](const Table& zones) {
    return std::any_of(zones.begin(), zones.end(), [&](const auto& z) { return z.second == zone; });
  };
  for (const AreaInfo& area : sema.areas.all)
    if (holds(area.zones)) return area.zones;
  return holds(sema.names.player_zones) ? sema.names.player_zones : sema.names.table_zones;
}

static std::uint32_t add_area(SemaContext& sema, AreaInfo area) {
  sema.model.areas.push_back({area.name, area.count, area.each});
  sema.areas.all.push_back(std::move(area));
  return static_cast<std::uint32_t>(sema.areas.all.size() - 1);
}

// Areas, pieces and teams are types, which declarations can use before they are declared. Therefore, name_areas()
// registers all names first. Then count_areas() counts the parts, which can depend on enums. Finally, the members are
// declared with the rest of the state.
void name_areas(SemaContext& sema) {
  name_teams(sema);
  sema.state.members = state_members(sema);
  for (const Member& m : sema.state.members)
    if (m.of != NodeKind::team_state &&
        (m.node->kind == NodeKind::area || m.node->kind == NodeKind::piece || m.node->kind == NodeKind::die))
      name_area(sema, m.node);
}

static void name_area(SemaContext& sema, const Node* node) {
  const bool piece = node->kind == NodeKind::piece, die = node->kind == NodeKind::die;
  const auto other = area_named(sema, node->text);
  if (other && (piece || die))
    return void(twice(sema, node,
                      sema.areas.all[*other].piece ? "kind of pieces"
                      : sema.areas.all[*other].die ? "kind of dice"
                                                   : "area",
                      sema.areas.all[*other].range));
  if (other)
    return void(error(sema, "duplicate_declaration"_code, node->range, fmt::format("duplicate area `{}`", node->text)));
  sema.areas.of_node[node] = add_area(sema, {.name = std::string(node->text),
                                             .range = name_range(sema, node),
                                             .zones = {},
                                             .variables = {},
                                             .piece = piece ? node : nullptr,
                                             .die = die ? node : nullptr,
                                             .single = die && !view::die(node).count()});
}

void count_areas(SemaContext& sema) {
  count_teams(sema);
  for (const Member& m : sema.state.members) {
    const auto area = sema.areas.of_node.find(m.node);
    if (area == sema.areas.of_node.end()) continue;
    if (m.node->kind == NodeKind::piece)
      count_piece(sema, area->second, m.node, m.of == NodeKind::player_state);
    else if (m.node->kind == NodeKind::die)
      count_die(sema, area->second, m.node, m.of == NodeKind::player_state);
    else
      count_area(sema, area->second, m.node, m.of == NodeKind::player_state);
  }
  sema.areas.counted = true;
}

static void count_area(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players) {
  const view::area its(node);
  const auto n = tree_int(sema, its.count());
  if (!n) return forget_area(sema, area);
  const Int all = *n < 1 || *n > kMostInSet ? *n : *n * (of_players ? sema.players : 1);
  if (all < 1 || all > kMostInSet) {
    error(sema, "out_of_range"_code, its.count()->range,
          all == *n ? fmt::format("number of parts out of range; expected 1 to {}, found {}", kMostInSet, *n)
                    : fmt::format("number of parts out of range; the limit is {}, found {} with {} players", kMostInSet,
                                  all, sema.players));
    return forget_area(sema, area);
  }
  set_parts(sema, area, all, of_players ? *n : 0);
}

void set_parts(SemaContext& sema, std::uint32_t area, Int count, Int each) {
  sema.areas.all[area].count = sema.model.areas[area].parts = count;
  sema.areas.all[area].each = sema.model.areas[area].each = each;
}

// Makes an area with errors inaccessible, to avoid subsequent errors.
void forget_area(SemaContext& sema, std::uint32_t area) {
  std::erase_if(sema.areas.of_node, [&](const auto& named) { return named.second == area; });
  sema.areas.all[area].name = "(area with errors)";
  sema.areas.all[area].piece = sema.areas.all[area].die = nullptr;
  set_parts(sema, area, 1, 0);
}

// Declares the members of an area. Each zone has one copy for each part, and each variable has the part as an index.
static void declare_area(SemaContext& sema, const Node* node) {
  if (const auto area = sema.areas.of_node.find(node); area != sema.areas.of_node.end())
    declare_area_members(sema, area->second, view::area(node).zones());
}

// Reports names that conflict with the plural of an area: `nests` is the set of all parts of `nest`.
void check_area_names(SemaContext& sema) {
  const auto what_else = [&](const std::string& name) -> std::string_view {
    if (sema.options.chosen.contains(name)) return "an option";
    if (sema.constants.declared.contains(name)) return "a constant";
    if (sema.names.table_variables.contains(name)) return "a variable of the table";
    if (sema.names.table_zones.contains(name)) return "a zone of the table";
    if (sema.names.values.contains(name)) return "a value";
    if (sema.cards.decks.contains(name)) return "a deck";
    if (sema.names.enums.contains(name)) return "an enum";
    if (sema.names.constants.contains(name)) return "a constant of an enum";
    if (!area_of_players(sema, name)) return {};
    if (sema.names.player_variables.contains(name) || sema.records.of_players.contains(name))
      return "a variable of players";
    if (sema.names.player_zones.contains(name)) return "a zone of players";
    return {};
  };
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a) {
    if (a == sema.areas.team) continue;   // each player has only one team, so `p.team` and `teams` don't conflict
    for (const std::string& name :
         std::set<std::string>{sema.areas.all[a].name, sema.areas.all[a].name + "s", plural_of(sema.areas.all[a].name)})
      if (const std::string_view other = what_else(name); !other.empty())
        error(
            sema, "duplicate_declaration"_code, sema.areas.all[a].range,
            name == sema.areas.all[a].name
                ? fmt::format("duplicate name `{}`: it is also {}", name, other)
                : fmt::format("duplicate name `{}`: it is the set of all parts of this area, and also {}", name, other),
            "rename one of them");
  }
}

static const Node* find_teams(SemaContext& sema) {
  const Node* found = nullptr;
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind != NodeKind::teams_decl) continue;
    if (found) {
      error(sema, "duplicate_declaration"_code, first_word(sema, d.node), "duplicate `teams`")
          .notes.push_back({first_word(sema, found), "first declared here"});
      return nullptr;
    }
    found = d.node;
  }
  return found;
}

// Declares `teams [1, 3], [2, 4]` as an area with one part for each team. The members of the area are declared in `team
// { … }`.
static void name_teams(SemaContext& sema) {
  const Node* found = find_teams(sema);
  if (!found) return;
  sema.areas.team = add_area(sema, {.name = "team", .range = first_word(sema, found), .zones = {}, .variables = {}});
  sema.areas.of_node[found] = *sema.areas.team;
}

static void count_teams(SemaContext& sema) {
  const auto teams = std::find_if(sema.areas.of_node.begin(), sema.areas.of_node.end(), [&](const auto& named) {
    return sema.areas.team && named.second == *sema.areas.team;
  });
  if (teams == sema.areas.of_node.end()) return;
  const Node* found = teams->first;
  std::vector<Int> team(static_cast<std::size_t>(sema.players), 0);
  Int count = 0;
  const auto put = [&](Int seat, Range range) {
    if (seat < 1 || seat > sema.players)
      error(sema, "bad_teams"_code, range, fmt::format("unknown seat {} with {} players", seat, sema.players),
            "seat numbers begin at 1; to declare teams only for a specific number of players, write `with "
            "size(players) == 4 { teams [1, 3], [2, 4] }`");
    else if (team[static_cast<std::size_t>(seat - 1)] != 0)
      error(sema, "bad_teams"_code, range, fmt::format("seat {} is in two teams", seat));
    else
      team[static_cast<std::size_t>(seat - 1)] = count;
  };
  const std::size_t before = sema.errors;
  for (const Node* of : found->children) {
    ++count;
    if (!of || of->kind != NodeKind::list_lit || of->children.empty()) {
      error(sema, "bad_teams"_code, of ? of->range : found->range, "expected a list of seats",
            "write `teams [1, 3], [2, 4]` or `teams each`");
      continue;
    }
    for (const Node* seat : of->children)
      if (auto n = tree_int(sema, seat)) put(*n, seat->range);
  }
  if (found->children.empty())
    for (Int seat = 1; seat <= sema.players; ++seat) ++count, put(seat, found->range);
  for (std::size_t seat = 0; seat < team.size() && sema.errors == before; ++seat)
    if (team[seat] == 0)
      error(sema, "bad_teams"_code, first_word(sema, found),
            fmt::format("with {} players, seat {} is not in a team", sema.players, seat + 1),
            "to declare teams only for a specific number of players, write `with size(players) == 4 { teams [1, 3], "
            "[2, 4] }`");
  set_parts(sema, *sema.areas.team, std::max<Int>(1, count), 0);
  sema.model.teams = std::move(team);
}

static void declare_area_members(SemaContext& sema, std::uint32_t area, const Node* list) {
  expand(sema, list, model::RuleKind::rule,
         [&](const Node* m, model::RuleKind) { declare_area_member(sema, area, m); });
}

// Declares a member of an area. Such a member is like a member of the table, but in the scope of the area.
void declare_area_member(SemaContext& sema, std::uint32_t area, const Node* m) {
  const std::size_t zones = sema.model.zones.size(), variables = sema.model.variables.size();
  Table outer_zones = std::exchange(sema.names.table_zones, {}),
        outer_variables = std::exchange(sema.names.table_variables, {});
  Composed outer_records = std::exchange(sema.records.of_table, {});
  sema.areas.in_team = area == sema.areas.team;
  sema.areas.in_players_area = sema.areas.all[area].each > 0;
  if (m->kind == NodeKind::zone)
    declare_zone(sema, m, false);
  else if (m->kind == NodeKind::field)
    declare_variable(sema, m, false, 0);
  sema.areas.in_team = sema.areas.in_players_area = false;
  sema.names.table_zones = std::move(outer_zones);
  sema.names.table_variables = std::move(outer_variables);
  const Composed records = std::exchange(sema.records.of_table, std::move(outer_records));
  AreaInfo& info = sema.areas.all[area];
  if (info.zones.contains(m->text) || info.variables.contains(m->text) || info.records.contains(m->text))
    error(sema, "duplicate_declaration"_code, name_range(sema, m),
          fmt::format("duplicate declaration of `{}`", m->text));
  if (sema.model.zones.size() > zones) {
    sema.model.zones.back().copies = info.count;
    sema.model.zones.back().each = info.each;
    sema.model.zones.back().area = area;
    sema.model.zones.back().of_teams = area == sema.areas.team;
    info.zones.emplace(std::string(m->text), static_cast<std::uint32_t>(zones));
  }
  info.records.insert(records.begin(), records.end());
  for (std::size_t i = variables; i < sema.model.variables.size(); ++i) {
    model::Variable& v = sema.model.variables[i];
    v.indices.insert(v.indices.begin(), area_type(sema, area));
    v.each = info.each;
    info.variables.emplace(v.name, static_cast<std::uint32_t>(i));
    if (info.piece || info.die) v.name = fmt::format("{}.{}", info.name, v.name);
  }
}

namespace {

std::string_view owner_word(NodeKind of) {
  return of == NodeKind::player_state ? "player" : of == NodeKind::team_state ? "team" : "table";
}
std::string_view owner_plural(NodeKind of) {
  return of == NodeKind::player_state ? "players" : of == NodeKind::team_state ? "teams" : "the table";
}
std::string_view member_word(NodeKind kind) {
  return kind == NodeKind::zone         ? "zone"
         : kind == NodeKind::area       ? "area"
         : kind == NodeKind::piece      ? "piece"
         : kind == NodeKind::die        ? "die"
         : kind == NodeKind::timer_decl ? "timer"
                                        : "field";
}

}   // namespace

// Applies `replace zone hand: …` and `remove field gold`. These can appear at the top level of a file or in the `player
// { … }` that contains the member.
static void edit_state(SemaContext& sema, const Node* edit, std::optional<NodeKind> of, std::uint32_t unit,
                       std::vector<Member>& members) {
  const Node* with = edit->kind == NodeKind::replace_decl ? view::replace_decl(edit).declaration() : nullptr;
  const Node* named = with ? with : edit;
  const std::string_view word = with ? member_word(with->kind) : view::remove_decl(edit).what()->text;
  const auto is_meant = [&](const Member& m) {
    return member_word(m.node->kind) == word && m.node->text == named->text && (!of || m.of == *of);
  };
  const auto found = std::find_if(members.begin(), members.end(), is_meant);
  if (found == members.end()) {
    std::vector<std::string> names;
    std::string help;
    for (const Member& m : members) {
      if (member_word(m.node->kind) != word) continue;
      if (!of || m.of == *of)
        names.emplace_back(m.node->text);
      else if (m.node->text == named->text)
        help = fmt::format("it belongs to {}: write this in `{} {{ … }}`", owner_plural(m.of), owner_word(m.of));
    }
    error(sema, "nothing_to_replace"_code, name_range(sema, named),
          fmt::format("cannot {3} unknown {0} `{1}`{2}", word == "field" ? "variable" : word, named->text,
                      of ? fmt::format(" of {}", owner_plural(*of)) : "", with ? "replace" : "remove"),
          help.empty() ? did_you_mean(named->text, names) : help);
    return;
  }
  if (const auto other = std::find_if(std::next(found), members.end(), is_meant);
      other != members.end() && other->of != found->of) {
    error(sema, "ambiguous_name"_code, name_range(sema, named),
          fmt::format("ambiguous name `{}`: it is a {} of {} and of {}", named->text,
                      word == "field" ? "variable" : word, owner_plural(found->of), owner_plural(other->of)),
          fmt::format("write this in `{} {{ … }}` or `{} {{ … }}`", owner_word(found->of), owner_word(other->of)));
    return;
  }
  if (with) {
    *found = {with, found->of, unit};
  } else {
    sema.collected.removals.push_back(edit);
    members.erase(found);
  }
}

// Returns all members of the state in source order, after `replace` and `remove`.
static std::vector<Member> state_members(SemaContext& sema) {
  std::vector<Member> members;
  const auto take = [&](const Node* n, std::optional<NodeKind> of, std::uint32_t unit) {
    const bool removes = n->kind == NodeKind::remove_decl;
    const std::string_view word = removes && view::remove_decl(n).what() ? view::remove_decl(n).what()->text : "";
    // A `remove` with another keyword does not concern the state, or has already been reported.
    if (removes && word != "zone" && word != "field" && word != "area" && word != "piece" && word != "die" &&
        word != "timer")
      return;
    if (n->kind == NodeKind::shows_decl)
      sema.boards.shown.push_back({n, of == NodeKind::player_state});
    else if (removes || n->kind == NodeKind::replace_decl)
      edit_state(sema, n, of, unit, members);
    else
      members.push_back({n, of.value_or(NodeKind::table_state), unit});
  };
  for (const Decl& d : sema.collected.decls) {
    switch (d.node->kind) {
      case NodeKind::player_state:
      case NodeKind::table_state:
      case NodeKind::team_state:
        expand(sema, view::state(d.node).members(), model::RuleKind::rule,
               [&](const Node* n, model::RuleKind) { take(n, d.node->kind, d.unit); });
        if (d.node->kind == NodeKind::team_state && !sema.areas.team && !sema.collected.absent.contains("teams"))
          error(sema, "bad_teams"_code, first_word(sema, d.node), "the game has no teams",
                "declare them: `teams [1, 3], [2, 4]`");
        break;
      case NodeKind::field:
      case NodeKind::zone:
      case NodeKind::area:
      case NodeKind::piece:
      case NodeKind::die:
      case NodeKind::replace_decl:
      case NodeKind::remove_decl: take(d.node, std::nullopt, d.unit); break;
      default: break;
    }
  }
  return members;
}

static void declare_member(SemaContext& sema, const Member& m) {
  const bool per_player = m.of == NodeKind::player_state;
  if (m.of == NodeKind::team_state) {
    if (sema.areas.team) declare_area_member(sema, *sema.areas.team, m.node);
    return;
  }
  switch (m.node->kind) {
    case NodeKind::field: return declare_variable(sema, m.node, per_player, m.unit);
    case NodeKind::zone: return declare_zone(sema, m.node, per_player);
    case NodeKind::timer_decl: return declare_timer(sema, m.node, per_player);
    case NodeKind::area: return declare_area(sema, m.node);
    case NodeKind::piece: return declare_piece(sema, m.node);
    case NodeKind::die: return declare_die(sema, m.node, per_player);
    default: return;   // reported elsewhere
  }
}

void declare_state(SemaContext& sema) {
  for (const Member& m : sema.state.members) declare_member(sema, m);
  declare_board_cards(sema);
  for (const auto& [zone, attr] : sema.state.refills) {
    const Node* from = view::zone_attr(attr).arguments(0);
    model::Zone& z = sema.model.zones[zone];
    const Table& beside = zones_beside(sema, zone);
    auto it = from ? beside.find(from->text) : beside.end();
    if (it == beside.end()) {
      std::vector<std::string> names;
      for (const auto& [n, id] : beside) names.push_back(n);
      const std::string where = &beside == &sema.names.table_zones    ? "of the table"
                                : &beside == &sema.names.player_zones ? "of players"
                                                                      : "in the same area";
      if (from)
        error(sema, "unknown_name"_code, from->range, fmt::format("unknown zone `{1}` {0}", where, from->text),
              did_you_mean(from->text, names));
    } else if (z.shape != model::ZoneShape::pile || it->second == zone) {
      error(sema, "bad_zone"_code, attr->range, "only a pile can be refilled, and only from another zone");
    } else if (z.per_player != sema.model.zones[it->second].per_player) {
      error(sema, "bad_zone"_code, attr->range,
            fmt::format("either both or neither of `{}` and `{}` must be shared", z.name, from->text));
    } else {
      z.refill_from = model::ZoneId{it->second};
    }
  }
  if (sema.model.variables.size() > kMostVariables)
    error(sema, "limit_exceeded"_code, sema.model.variables[kMostVariables].range,
          fmt::format("too many variables; the limit is {}", kMostVariables));
  if (sema.model.zones.size() > kMostZones)
    error(sema, "limit_exceeded"_code, sema.model.zones[kMostZones].range,
          fmt::format("too many zones; the limit is {}", kMostZones));
}

static void finish_variable(SemaContext& sema, model::Variable& v, const VariableInfo& info, const Node* value) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  const Type wanted = info.declared;
  // The name of the record, if the variable is one of its fields.
  const std::string whole = info.part.empty() ? v.name : v.name.substr(0, v.name.size() - info.part.size() - 1);
  const Expr* e = field_at(
      sema, value ? convert_in_bounds(rule, expr(rule, value, &wanted), wanted, whole) : initial_of(sema, wanted),
      info.part);
  if (!e || is_poison(e)) return;
  e = known(sema, e, v.name);
  if (is_poison(e) || v.type.kind == TypeKind::list) return;
  check_initial(sema, v, e);
  Expr* c = make(sema, e->kind, v.type, e->range);
  c->value = e->value;
  c->values = e->values;
  v.initial = c;
}

// Builds initial values. Runs after consts and enums are declared, because initial values need them.
void finish_variables(SemaContext& sema) {
  for (const auto& [id, info] : sema.state.variables) {
    const Node* value = view::field(info.node).initial();
    const bool record = info.declared.kind == TypeKind::record;
    if (!value && !record) continue;
    model::Variable& v = sema.model.variables[id];
    finish_variable(sema, v, info, value);
  }
  check_first_places(sema);
}

static void check_initial(SemaContext& sema, const model::Variable& v, const Expr* e) {
  if (v.type.kind == TypeKind::integer && e->value != kNone && (e->value < v.type.lo || e->value > v.type.hi))
    error(sema, "out_of_range"_code, e->range,
          fmt::format("initial value of `{}` out of range; expected {} to {}, found {}", v.name, v.type.lo, v.type.hi,
                      e->value));
  if (v.type.kind == TypeKind::set && board_of(sema, element_type(v.type)) && !e->values.empty() &&
      v.lifetime != model::Lifetime::game)
    error(sema, "unsupported"_code, e->range,
          "a set of cells that is reset can't have an initial value, because it is reset to empty",
          "assign it in `before turn(p)`");
}

}   // namespace cardwright::sema
