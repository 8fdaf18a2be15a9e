// Variables, zones and types.
#include <algorithm>

#include "compiler/sema/analysis.h"
#include "compiler/support/habits.h"

namespace cardwright::sema {
namespace {

constexpr std::size_t kMostVariables = 500;
constexpr std::size_t kMostZones = 500;      // declared; how many places they are is counted in lowering

}  // namespace

std::optional<Type> Analysis::type(const Node* node, bool report) {
  if (!node) return std::nullopt;
  switch (node->kind) {
    case NodeKind::type_name: case NodeKind::name_ref: {
      const std::string_view name = node->text;
      if (name == "int" || name == "number") return integer_type();
      if (name == "bool") return boolean_type();
      if (name == "duration") return duration_type();
      if (name == "player" || name == "any player") return player_type();
      if (name == "card" || name == "any card") return card_type();
      if (name == "kind") return kind_type();
      if (name == "cards") return set_type(card_type());
      if (name == "players") return set_type(player_type());
      if (name == "text") return plain_type(TypeKind::text);
      if (units_.contains(name)) {
        used_.insert(std::string(name));
        return integer_type();
      }
      if (auto it = enum_names_.find(name); it != enum_names_.end()) return enum_type(it->second);
      if (auto it = record_names_.find(name); it != record_names_.end()) {
        build_record(it->second);
        used_.insert("record " + it->first);
        // a part of itself, as was said
        if (records_[it->second].state == Callable::State::doing) return std::nullopt;
        return with_ref(TypeKind::record, it->second);
      }
      if (auto it = type_names_.find(name); it != type_names_.end()) return card_type(it->second);
      if (auto it = kind_names_.find(name); it != kind_names_.end())
        return it->second == ~0u ? plain_type(TypeKind::poison) : card_type(model_->kinds[it->second].type.index);
      if (auto a = area_named(name); a && areas_[*a].name == name) {
        if (areas_are_counted_) return area_type(*a);
        if (report)
          error(Code::unsupported, node->range, fmt::format("an attribute can't be of type `{}`", name),
                "what is printed comes before what lies on the table: a number, or an enum, says which");
        return std::nullopt;
      }
      if (const auto of = type_of_card(name)) return card_type(*of);
      if (const std::string boards = ruleset_.several_boards ? of_which_board(name) : ""; !boards.empty()) {
        if (report) error(Code::ambiguous_name, node->range, fmt::format("`{}` of which board?", name), boards);
        return std::nullopt;
      }
      if (is_word_of_grids(name)) {
        if (report) graph_has_no(model_->boards[0], fmt::format("`{}`", name), node->range);
        return std::nullopt;
      }
      if (name == "cell" || name == "dir" || name == "edge" || name == "offset") {
        if (report)
          error(Code::unknown_name, node->range, fmt::format("there is no board, and so no `{}`", name),
                "`board field: grid 8 x 8`");
        return std::nullopt;
      }
      if (name == "team") {
        if (report) error(Code::bad_teams, node->range, "there are no teams", "`teams [1, 3], [2, 4]`");
        return std::nullopt;
      }
      if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
        if (report)
          error(Code::unknown_name, node->range, fmt::format("no type named `{}`", name),
                of_one_board(name.substr(0, dot), name.substr(dot + 1)));
        return std::nullopt;
      }
      if (!report) return std::nullopt;
      if (absent_.contains(name)) {
        error(Code::unknown_name, node->range, fmt::format("the type `{}` is not there with these options", name));
        return std::nullopt;
      }
      std::vector<std::string> names{"int", "bool", "player", "card", "kind", "duration"};
      for (const Table* t : {&enum_names_, &record_names_, &type_names_, &kind_names_})
        for (const auto& [n, id] : *t) names.push_back(n);
      error(Code::unknown_name, node->range, fmt::format("no type named `{}`", name),
            habit(Spot::type, name).empty() ? did_you_mean(name, names) : habit(Spot::type, name));
      return std::nullopt;
    }
    case NodeKind::type_range: case NodeKind::range_lit: {
      auto lo = fixed_int(view::range(node).lo(), report), hi = fixed_int(view::range(node).hi(), report);
      if (!lo || !hi) return std::nullopt;
      if (*lo > *hi) {
        if (report) error(Code::out_of_range, node->range, fmt::format("the range {}..{} is empty", *lo, *hi));
        return std::nullopt;
      }
      if (*lo < -kUnlimited || *hi > kUnlimited) {
        if (report) error(Code::out_of_range, node->range, "the range is too large");
        return std::nullopt;
      }
      return integer_type(*lo, *hi);
    }
    case NodeKind::type_optional: {
      auto t = type(view::type_optional(node).of(), report);
      if (!t) return std::nullopt;
      if (t->kind == TypeKind::set || t->kind == TypeKind::list || t->kind == TypeKind::boolean ||
          t->kind == TypeKind::record) {
        if (report)
          error(Code::wrong_type, node->range, fmt::format("a `{}` can't be optional", show(*t)),
                t->kind == TypeKind::set      ? "an empty set says the same"
                : t->kind == TypeKind::record ? "a field of it can"
                                              : "");
        return std::nullopt;
      }
      return with_none(*t);
    }
    case NodeKind::type_set: {
      auto t = type(view::type_set(node).of(), report);
      if (!t) return std::nullopt;
      const bool small_numbers = t->kind == TypeKind::integer && t->lo >= 0 && t->hi <= kMostInSet;
      if (t->kind == TypeKind::player || t->kind == TypeKind::card || t->kind == TypeKind::enumeration ||
          t->kind == TypeKind::kind || small_numbers)
        return set_type(without_none(*t));
      const bool of_many = t->kind == TypeKind::set || t->kind == TypeKind::list;
      if (report && of_many)
        error(
            Code::wrong_type, node->range, fmt::format("a set holds single things, and no `{}`", show(*t)),
            fmt::format("a list can: `list of {} up to 9`, and `if x not in l then l += x` keeps each once", show(*t)));
      else if (report)
        error(Code::unsupported, node->range, fmt::format("there is no set of `{}`", show(*t)),
              t->kind == TypeKind::integer ? fmt::format("sets hold numbers from 0 to {}", kMostInSet)
              : t->kind == TypeKind::record
                  ? fmt::format(
                        "a list keeps them: `list of {} up to 9`, and `if x not in l then l += x` keeps each once",
                        show(*t))
                  : "");
      return std::nullopt;
    }
    case NodeKind::type_list: {
      auto t = type(view::type_list(node).of(), report);
      auto most = fixed_int(view::type_list(node).most(), report);
      if (!t || !most) return std::nullopt;
      if (t->kind == TypeKind::map || t->kind == TypeKind::text) {
        if (report)
          error(Code::unsupported, node->range, fmt::format("there is no list of `{}`", show(*t)),
                t->kind == TypeKind::map
                    ? "a variable of its own may be the table, with the place in the list as a further key"
                    : "");
        return std::nullopt;
      }
      if (t->kind == TypeKind::list && is_record_list(*t)) {
        if (report) error(Code::wrong_type, node->range, "the lists in a list hold single things, and no records");
        return std::nullopt;
      }
      if (t->kind == TypeKind::list && t->elem->elem) {
        if (report)
          error(Code::wrong_type, node->range,
                fmt::format("the lists in a list hold single things, and no `{}`", show(*t->elem)),
                "several variables, or a `T per D`, may hold the rest");
        return std::nullopt;
      }
      if (*most < 1 || *most > kMostInList) {
        if (report)
          error(Code::out_of_range, node->child(1)->range,
                fmt::format("a list holds from 1 to {} things", kMostInList));
        return std::nullopt;
      }
      Type l = plain_type(TypeKind::list);
      l.most = *most;
      l.elem = std::make_shared<const Type>(*t);
      for (const Part& list : leaves_of(l, "")) {
        if (!has_room(list.type, node->range, report)) return std::nullopt;
        const Type& element = *list.type.elem;
        if (element.kind != TypeKind::list || !element.elem->elem) continue;
        if (report)
          error(Code::wrong_type, node->range,
                fmt::format("the field `{}` of a record in a list is no list of sets or lists", list.name.substr(1)));
        return std::nullopt;
      }
      return l;
    }
    case NodeKind::type_map: {
      auto t = type(view::type_map(node).value(), report);
      auto key = type(view::type_map(node).key(), report);
      if (!t || !key) return std::nullopt;
      const Node* of = view::type_map(node).key();
      if (key->kind == TypeKind::card && kind_names_.contains(of->text) && !type_names_.contains(of->text)) {
        if (report)
          error(Code::wrong_type, of->range,
                fmt::format("a table has an entry for each card of a type, and `{}` is one card", of->text),
                fmt::format("`T per {}`", model_->card_types[key->ref].name));
        return std::nullopt;
      }
      const bool good = key->kind == TypeKind::player || key->kind == TypeKind::card ||
                        key->kind == TypeKind::enumeration ||
                        (key->kind == TypeKind::integer && key->hi - key->lo < 1000);
      if (!good || t->kind == TypeKind::list) {
        if (report)
          error(Code::unsupported, node->range,
                good ? fmt::format("a table holds no lists, and this is a `{}`", show(*t))
                     : fmt::format("a `{}` is no key of a table", show(*key)),
                !good ? "a table has an entry for each player, constant, cell, part of an area, card of a type or "
                        "number of a range"
                : key->kind == TypeKind::player
                    ? "declare the list in `player { … }`: then each has one"
                    : "the list belongs into an area: `area line x 5 { items: … }`, and then `line[2].items`");
        return std::nullopt;
      }
      Type m = plain_type(TypeKind::map);
      m.elem = std::make_shared<const Type>(*t);
      m.key = std::make_shared<const Type>(*key);
      return m;
    }
    case NodeKind::type_rule:
      if (report)
        error(Code::wrong_type, node->range, "a rule is no value: it can only be handed over to a function or sequence",
              "`function f(c: cell, cost: rule(cell) -> int): int = …`");
      return std::nullopt;
    default:
      if (report) error(Code::wrong_type, node->range, "a type is needed here");
      return std::nullopt;
  }
}

Type Analysis::type_or_poison(const Node* node) {
  auto t = type(node);
  return t ? *t : plain_type(TypeKind::poison);
}

void Analysis::declare_variable(const Node* field, bool per_player, std::uint32_t) {
  const view::field its(field);
  if (model_->variables.size() > kMostVariables) return;   // said at the end
  const std::string name(field->text);
  auto& table = per_player ? player_variables_ : table_variables_;
  Composed& records = per_player ? player_records_ : table_records_;
  if (table.contains(name) || records.contains(name) || (per_player ? player_zones_ : table_zones_).contains(name)) {
    error(Code::declared_twice, name_range(field), fmt::format("`{}` is declared twice", name));
    return;
  }
  model::Variable v;
  v.per_player = per_player;
  v.range = name_range(field);
  v.lifetime = field->number == 1   ? model::Lifetime::turn
               : field->number == 2 ? model::Lifetime::round
               : field->number == 3 ? model::Lifetime::phase
                                    : model::Lifetime::game;
  if (its.type()) {
    v.type = type_or_poison(its.type());
  } else if (its.initial()) {
    auto f = fixed(its.initial(), false);
    v.type = f && f->kind == Fixed::Kind::boolean       ? boolean_type()
             : f && f->kind == Fixed::Kind::enumeration ? enum_type(f->ref)
                                                        : integer_type();
    if (!f)
      error(Code::wrong_type, name_range(field), fmt::format("`{}` needs a type", name),
            fmt::format("`{}: int = …`", name));
  } else {
    v.type = plain_type(TypeKind::poison);
    error(Code::wrong_type, name_range(field), fmt::format("`{}` needs a type", name), fmt::format("`{}: int`", name));
  }
  const Node* said = nullptr;                              // who knows it
  if (its.words())
    for (const Node* w : its.words()->children) {
      if (!w) continue;
      if (said)
        error(Code::bad_zone, w->range, fmt::format("who knows `{}` is said twice", name), "leave one of the two out");
      said = w;
      if (w->text == "secret") v.visibility = model::Visibility::owner;
      else if (w->text == "hidden") v.visibility = model::Visibility::hidden;
      else if (w->text == "public") v.visibility = model::Visibility::open;
      else
        error(Code::bad_zone, w->range, fmt::format("`{}` is not what a variable can be", w->text),
              did_you_mean(w->text, {"secret", "public", "hidden"}));
    }
  if (v.visibility == model::Visibility::owner && !per_player && !in_players_area_)
    error(Code::bad_zone, said->range,
          fmt::format("`{}` is no variable of players, so it has no owner who could know it", name),
          "say `hidden`; `peek` says who comes to know it");
  name_records(v.type, name, records);
  Type declared = v.type;
  while (declared.kind == TypeKind::map) declared = Type(*declared.elem);
  for (const Part& part : leaves_of(v.type, name)) {
    model::Variable one = v;
    one.name = part.name;
    one.type = part.type;
    add_variable(std::move(one), {field, declared, part.name.substr(std::min(part.name.size(), name.size() + 1))},
                 table);
  }
}

void Analysis::add_variable(model::Variable v, VariableInfo info, Table& table) {
  while (v.type.kind == TypeKind::map) {
    v.indices.push_back(*v.type.key);
    v.type = Type(*v.type.elem);
  }
  if (v.type.kind == TypeKind::text) {
    error(Code::unsupported, v.range, fmt::format("a variable can't be of type `{}`", show(v.type)));
    v.type = plain_type(TypeKind::poison);
  }
  const bool said = view::field(info.node).initial() ||
                    (info.declared.kind == TypeKind::record && begins_as_something(info.declared, info.part));
  v.can_be_unset = !said && !v.type.optional && v.type.kind != TypeKind::set && v.type.kind != TypeKind::list;
  const auto id = static_cast<std::uint32_t>(model_->variables.size());
  table.emplace(v.name, id);
  variable_nodes_[id] = std::move(info);
  model_->variables.push_back(std::move(v));
}

void Analysis::declare_zone(const Node* zone, bool per_player) {
  const view::zone its(zone);
  if (model_->zones.size() > kMostZones) return;           // said at the end
  const std::string name(zone->text);
  auto& table = per_player ? player_zones_ : table_zones_;
  if (table.contains(name) || (per_player ? player_variables_ : table_variables_).contains(name) ||
      (per_player ? player_records_ : table_records_).contains(name)) {
    error(Code::declared_twice, name_range(zone), fmt::format("`{}` is declared twice", name));
    return;
  }
  model::Zone z;
  z.name = name;
  z.per_player = per_player;
  z.range = name_range(zone);
  bool seen = false, shaped = false, refilled = false;
  if (its.attributes())
    for (const Node* a : its.attributes()->children) {
      if (!a) continue;
      const std::string_view w = a->text;
      const bool says_who =
          w == "public" || w == "faceup" || w == "hidden" || w == "facedown" || w == "owner" || w == "team";
      if (says_who && seen)
        error(Code::bad_zone, a->range, fmt::format("who sees the cards of `{}` is said twice", name),
              "leave one of the two out");
      const bool says_how = w == "set" || w == "pile" || w == "row" || w == "slot";
      if (says_how && std::exchange(shaped, true))
        error(Code::bad_zone, a->range, fmt::format("how the cards of `{}` lie is said twice", name),
              "leave one of the two out");
      if (w == "refill from" && std::exchange(refilled, true))
        error(Code::bad_zone, a->range, fmt::format("from where `{}` is refilled is said twice", name),
              "leave one of the two out");
      if (w == "set") z.shape = model::ZoneShape::set;
      else if (w == "pile") z.shape = model::ZoneShape::pile;
      else if (w == "row") z.shape = model::ZoneShape::row;
      else if (w == "slot") z.shape = model::ZoneShape::slot;
      else if (w == "public" || w == "faceup") z.visibility = model::Visibility::open, seen = true;
      else if (w == "hidden" || w == "facedown") z.visibility = model::Visibility::hidden, seen = true;
      else if (w == "owner") {
        z.visibility = model::Visibility::owner, seen = true;
        if (!per_player && !in_players_area_)
          error(Code::bad_zone, a->range, "a zone of the table has no owner", "say `public` or `hidden`");
      } else if (w == "shared without") {
        if (!per_player) {
          error(
              Code::bad_zone, a->range,
              in_players_area_ ? "the zones of an area can't be shared" : "a zone of the table belongs to all anyway");
        } else if (auto with = view::zone_attr(a).arguments(0) ? fixed(view::zone_attr(a).arguments(0)) : std::nullopt;
                   with && with->kind != Fixed::Kind::boolean) {
          error(Code::wrong_type, view::zone_attr(a).arguments(0)->range, "an option that is on or off is needed");
        } else if (with) {
          z.per_player = with->value != 0;
        }
      } else if (w == "one of a kind")
        z.one_of_a_kind = true, one_of_a_kind_[static_cast<std::uint32_t>(model_->zones.size())] = a->range;
      else if (w == "refill from") {
        refills_.push_back({static_cast<std::uint32_t>(model_->zones.size()), a});
      } else if (w == "team") {
        z.visibility = model::Visibility::team, seen = true;
        if (!team_area_) error(Code::bad_teams, a->range, "there are no teams", "`teams [1, 3], [2, 4]`");
        else if (!per_player && !in_team_ && !in_players_area_)
          error(Code::bad_zone, a->range, "a zone of the table belongs to no team", "say `public` or `hidden`");
      } else if (w == "starts with")
        starts_.push_back({static_cast<std::uint32_t>(model_->zones.size()), a});
      else
        error(Code::bad_zone, a->range, fmt::format("`{}` is not what a zone can be", w),
              did_you_mean(w, {"set", "pile", "row", "slot", "owner", "public", "hidden", "faceup", "facedown"}));
    }
  if (!seen)
    error(Code::bad_zone, name_range(zone), fmt::format("who sees the cards of `{}`", name),
          per_player || in_players_area_ ? "say `owner`, `public` or `hidden`"
                                         : "say `public`, `hidden`, `faceup` or `facedown`");
  table.emplace(name, static_cast<std::uint32_t>(model_->zones.size()));
  model_->zones.push_back(std::move(z));
}

// The zones that are declared together with this one: of the table, of players, or of its area.
const Analysis::Table& Analysis::zones_beside(std::uint32_t zone) const {
  const auto holds = [&](const Table& zones) {
    return std::any_of(zones.begin(), zones.end(), [&](const auto& z) { return z.second == zone; });
  };
  for (const AreaInfo& area : areas_)
    if (holds(area.zones)) return area.zones;
  return holds(player_zones_) ? player_zones_ : table_zones_;
}

namespace {

// What all parts of an area are called: nests, heroes, boxes, enemies.
std::string plural_of(std::string_view name) {
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  const bool vowel_before =
      name.size() < 2 || std::string_view("aeiou").find(name[name.size() - 2]) != std::string_view::npos;
  if (ends("y") && !vowel_before) return fmt::format("{}ies", name.substr(0, name.size() - 1));
  return fmt::format("{}{}", name,
                     ends("o") || ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh") ? "es" : "s");
}
bool is_plural_of(std::string_view all, std::string_view name) {
  return all == plural_of(name) || (name == "die" && all == "dice") ||
         (all.size() == name.size() + 1 && all.ends_with('s') && all.starts_with(name));
}

}  // namespace

std::optional<std::uint32_t> Analysis::area_named(std::string_view name) const {
  for (std::uint32_t a = 0; a < areas_.size(); ++a)
    if (areas_[a].name == name || is_plural_of(name, areas_[a].name)) return a;
  return std::nullopt;
}

std::optional<std::uint32_t> Analysis::area_of_players(std::string_view name) const {
  const auto area = area_named(name);
  return area && areas_[*area].each > 0 ? area : std::nullopt;
}

std::uint32_t Analysis::add_area(AreaInfo area) {
  model_->areas.push_back({area.name, area.count, area.each});
  areas_.push_back(std::move(area));
  return static_cast<std::uint32_t>(areas_.size() - 1);
}

// Areas, pieces and teams are types that may stand in any declaration, before or after their own. So first they have
// names, then it is worked out how many parts they have, which may hang on enums, and at last what they hold is
// declared with the rest of the state.
void Analysis::name_areas() {
  name_teams();
  members_ = state_members();
  for (const Member& m : members_)
    if (m.of != NodeKind::team_state &&
        (m.node->kind == NodeKind::area || m.node->kind == NodeKind::piece || m.node->kind == NodeKind::die))
      name_area(m.node);
}

void Analysis::name_area(const Node* node) {
  const bool piece = node->kind == NodeKind::piece, die = node->kind == NodeKind::die;
  const auto other = area_named(node->text);
  if (other && (piece || die))
    return void(twice(node,
                      areas_[*other].piece ? "kind of pieces"
                      : areas_[*other].die ? "kind of dice"
                                           : "area",
                      areas_[*other].range));
  if (other)
    return void(error(Code::declared_twice, node->range, fmt::format("there is already an area `{}`", node->text)));
  area_of_node_[node] = add_area({.name = std::string(node->text),
                                  .range = name_range(node),
                                  .zones = {},
                                  .variables = {},
                                  .piece = piece ? node : nullptr,
                                  .die = die ? node : nullptr,
                                  .single = die && !view::die(node).count()});
}

void Analysis::count_areas() {
  count_teams();
  for (const Member& m : members_) {
    const auto area = area_of_node_.find(m.node);
    if (area == area_of_node_.end()) continue;
    if (m.node->kind == NodeKind::piece) count_piece(area->second, m.node);
    else if (m.node->kind == NodeKind::die) count_die(area->second, m.node, m.of == NodeKind::player_state);
    else count_area(area->second, m.node, m.of == NodeKind::player_state);
  }
  areas_are_counted_ = true;
}

void Analysis::count_area(std::uint32_t area, const Node* node, bool of_players) {
  const view::area its(node);
  const auto n = fixed_int(its.count());
  if (!n) return forget_area(area);
  const Int all = *n < 1 || *n > kMostInSet ? *n : *n * (of_players ? players_ : 1);
  if (all < 1 || all > kMostInSet) {
    error(Code::out_of_range, its.count()->range,
          all == *n ? fmt::format("an area has from 1 to {} parts, not {}", kMostInSet, *n)
                    : fmt::format("an area has at most {} parts, and these are {} with {} players", kMostInSet, all,
                                  players_));
    return forget_area(area);
  }
  set_parts(area, all, of_players ? *n : 0);
}

void Analysis::set_parts(std::uint32_t area, Int count, Int each) {
  areas_[area].count = model_->areas[area].parts = count;
  areas_[area].each = model_->areas[area].each = each;
}

// What is wrong with it was said: nobody can speak of it.
void Analysis::forget_area(std::uint32_t area) {
  std::erase_if(area_of_node_, [&](const auto& named) { return named.second == area; });
  areas_[area].name = "(what could not be declared)";
  areas_[area].piece = areas_[area].die = nullptr;
  set_parts(area, 1, 0);
}

// Several places alike: every zone has copies, every variable an index.
void Analysis::declare_area(const Node* node) {
  if (const auto area = area_of_node_.find(node); area != area_of_node_.end())
    declare_area_members(area->second, view::area(node).zones());
}

// `nests` are all parts of the area `nest`: what else is called so would hide them.
void Analysis::check_area_names() {
  const auto what_else = [&](const std::string& name) -> std::string_view {
    if (options_.contains(name)) return "an option";
    if (consts_.contains(name)) return "a constant";
    if (table_variables_.contains(name)) return "a variable of the table";
    if (table_zones_.contains(name)) return "a zone of the table";
    if (value_names_.contains(name)) return "a value";
    if (decks_.contains(name)) return "a deck";
    if (enum_names_.contains(name)) return "an enum";
    if (constant_names_.contains(name)) return "a constant of an enum";
    if (!area_of_players(name)) return {};
    if (player_variables_.contains(name) || player_records_.contains(name)) return "a variable of players";
    if (player_zones_.contains(name)) return "a zone of players";
    return {};
  };
  for (std::uint32_t a = 0; a < areas_.size(); ++a) {
    if (a == team_area_) continue;                         // `p.team` and `teams` are told apart
    for (const std::string& name :
         std::set<std::string>{areas_[a].name, areas_[a].name + "s", plural_of(areas_[a].name)})
      if (const std::string_view other = what_else(name); !other.empty())
        error(Code::declared_twice, areas_[a].range,
              name == areas_[a].name
                  ? fmt::format("`{}` is {} too", name, other)
                  : fmt::format("`{}` are all parts of this area, and {} is called so too", name, other),
              "give one of them another name");
  }
}

const Node* Analysis::said_teams() {
  const Node* found = nullptr;
  for (const Decl& d : decls_) {
    if (d.node->kind != NodeKind::teams_decl) continue;
    if (found) {
      error(Code::declared_twice, first_word(d.node), "who is in which team is said twice")
          .notes.push_back({first_word(found), "the other"});
      return nullptr;
    }
    found = d.node;
  }
  return found;
}

// `teams [1, 3], [2, 4]`: an area with a part for each, in which `team { … }` stands.
void Analysis::name_teams() {
  const Node* found = said_teams();
  if (!found) return;
  team_area_ = add_area({.name = "team", .range = first_word(found), .zones = {}, .variables = {}});
  area_of_node_[found] = *team_area_;
}

void Analysis::count_teams() {
  const auto said = std::find_if(area_of_node_.begin(), area_of_node_.end(),
                                 [&](const auto& named) { return team_area_ && named.second == *team_area_; });
  if (said == area_of_node_.end()) return;
  const Node* found = said->first;
  std::vector<Int> team(static_cast<std::size_t>(players_), 0);
  Int count = 0;
  const auto put = [&](Int seat, Range range) {
    if (seat < 1 || seat > players_)
      error(Code::bad_teams, range, fmt::format("there is no seat {} with {} players", seat, players_),
            "seats are counted from 1; `with size(players) == 4 { teams [1, 3], [2, 4] }`");
    else if (team[static_cast<std::size_t>(seat - 1)] != 0)
      error(Code::bad_teams, range, fmt::format("seat {} is in two teams", seat));
    else
      team[static_cast<std::size_t>(seat - 1)] = count;
  };
  const std::size_t before = errors_;
  for (const Node* of : found->children) {
    ++count;
    if (!of || of->kind != NodeKind::list_lit || of->children.empty()) {
      error(Code::bad_teams, of ? of->range : found->range, "a team is a list of seats",
            "`teams [1, 3], [2, 4]`, or `teams each`");
      continue;
    }
    for (const Node* seat : of->children)
      if (auto n = fixed_int(seat)) put(*n, seat->range);
  }
  if (found->children.empty())
    for (Int seat = 1; seat <= players_; ++seat) ++count, put(seat, found->range);
  for (std::size_t seat = 0; seat < team.size() && errors_ == before; ++seat)
    if (team[seat] == 0)
      error(Code::bad_teams, first_word(found),
            fmt::format("with {} players seat {} is in no team", players_, seat + 1),
            "`with size(players) == 4 { teams [1, 3], [2, 4] }`");
  set_parts(*team_area_, std::max<Int>(1, count), 0);
  model_->teams = std::move(team);
}

void Analysis::declare_area_members(std::uint32_t area, const Node* list) {
  expand(list, model::RuleKind::rule, [&](const Node* m, model::RuleKind) { declare_area_member(area, m); });
}

// Declared like those of the table, under a name that nobody can write.
void Analysis::declare_area_member(std::uint32_t area, const Node* m) {
  const std::size_t zones = model_->zones.size(), variables = model_->variables.size();
  Table kept_zones = std::exchange(table_zones_, {}), kept_variables = std::exchange(table_variables_, {});
  Composed kept_records = std::exchange(table_records_, {});
  in_team_ = area == team_area_;
  in_players_area_ = areas_[area].each > 0;
  if (m->kind == NodeKind::zone) declare_zone(m, false);
  else if (m->kind == NodeKind::field) declare_variable(m, false, 0);
  in_team_ = in_players_area_ = false;
  table_zones_ = std::move(kept_zones);
  table_variables_ = std::move(kept_variables);
  const Composed records = std::exchange(table_records_, std::move(kept_records));
  AreaInfo& info = areas_[area];
  if (info.zones.contains(m->text) || info.variables.contains(m->text) || info.records.contains(m->text))
    error(Code::declared_twice, name_range(m), fmt::format("`{}` is declared twice", m->text));
  if (model_->zones.size() > zones) {
    model_->zones.back().copies = info.count;
    model_->zones.back().each = info.each;
    model_->zones.back().of_teams = area == team_area_;
    info.zones.emplace(std::string(m->text), static_cast<std::uint32_t>(zones));
  }
  info.records.insert(records.begin(), records.end());
  for (std::size_t i = variables; i < model_->variables.size(); ++i) {
    model::Variable& v = model_->variables[i];
    v.indices.insert(v.indices.begin(), area_type(area));
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

}  // namespace

// `replace zone hand: …`, `remove field gold`: at the top of a file, or in the `player { … }` whose they are.
void Analysis::edit_state(const Node* edit, std::optional<NodeKind> of, std::uint32_t unit,
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
      if (!of || m.of == *of) names.emplace_back(m.node->text);
      else if (m.node->text == named->text)
        help = fmt::format("it belongs to {}: say so in `{} {{ … }}`", owner_plural(m.of), owner_word(m.of));
    }
    error(Code::nothing_to_replace, name_range(named),
          fmt::format("there is no {} `{}`{} to {}", word == "field" ? "variable" : word, named->text,
                      of ? fmt::format(" of {}", owner_plural(*of)) : "", with ? "replace" : "remove"),
          help.empty() ? did_you_mean(named->text, names) : help);
    return;
  }
  if (const auto other = std::find_if(std::next(found), members.end(), is_meant);
      other != members.end() && other->of != found->of) {
    error(Code::ambiguous_name, name_range(named),
          fmt::format("`{}` is a {} of {} and of {}", named->text, word == "field" ? "variable" : word,
                      owner_plural(found->of), owner_plural(other->of)),
          fmt::format("say it in `{} {{ … }}` or `{} {{ … }}`", owner_word(found->of), owner_word(other->of)));
    return;
  }
  if (with) {
    *found = {with, found->of, unit};
  } else {
    removals_.push_back(edit);
    members.erase(found);
  }
}

// All of them, in the order of the text, as `replace` and `remove` leave them.
std::vector<Analysis::Member> Analysis::state_members() {
  std::vector<Member> members;
  const auto take = [&](const Node* n, std::optional<NodeKind> of, std::uint32_t unit) {
    const bool removes = n->kind == NodeKind::remove_decl;
    const std::string_view word = removes && view::remove_decl(n).what() ? view::remove_decl(n).what()->text : "";
    // said in places.cpp
    if (removes && word != "zone" && word != "field" && word != "area" && word != "piece" && word != "die" &&
        word != "timer")
      return;
    if (n->kind == NodeKind::shows_decl) shown_.push_back({n, of == NodeKind::player_state});
    else if (removes || n->kind == NodeKind::replace_decl) edit_state(n, of, unit, members);
    else members.push_back({n, of.value_or(NodeKind::table_state), unit});
  };
  for (const Decl& d : decls_) {
    switch (d.node->kind) {
      case NodeKind::player_state: case NodeKind::table_state: case NodeKind::team_state:
        expand(view::state(d.node).members(), model::RuleKind::rule,
               [&](const Node* n, model::RuleKind) { take(n, d.node->kind, d.unit); });
        if (d.node->kind == NodeKind::team_state && !team_area_ && !absent_.contains("teams"))
          error(Code::bad_teams, first_word(d.node), "there are no teams", "`teams [1, 3], [2, 4]`");
        break;
      case NodeKind::field: case NodeKind::zone: case NodeKind::area: case NodeKind::piece: case NodeKind::die:
      case NodeKind::replace_decl: case NodeKind::remove_decl: take(d.node, std::nullopt, d.unit); break;
      default: break;
    }
  }
  return members;
}

void Analysis::declare_member(const Member& m) {
  const bool per_player = m.of == NodeKind::player_state;
  if (m.of == NodeKind::team_state) {
    if (team_area_) declare_area_member(*team_area_, m.node);
    return;
  }
  switch (m.node->kind) {
    case NodeKind::field: return declare_variable(m.node, per_player, m.unit);
    case NodeKind::zone: return declare_zone(m.node, per_player);
    case NodeKind::timer_decl: return declare_timer(m.node, per_player);
    case NodeKind::area: return declare_area(m.node);
    case NodeKind::piece: return declare_piece(m.node);
    case NodeKind::die: return declare_die(m.node, per_player);
    default: return;                                       // said in places.cpp
  }
}

void Analysis::declare_state() {
  for (const Member& m : members_) declare_member(m);
  declare_lying_cards();
  for (const auto& [zone, attr] : refills_) {
    const Node* from = view::zone_attr(attr).arguments(0);
    model::Zone& z = model_->zones[zone];
    const Table& beside = zones_beside(zone);
    auto it = from ? beside.find(from->text) : beside.end();
    if (it == beside.end()) {
      std::vector<std::string> names;
      for (const auto& [n, id] : beside) names.push_back(n);
      const std::string where = &beside == &table_zones_    ? "of the table"
                                : &beside == &player_zones_ ? "of players"
                                                            : "beside it";
      if (from)
        error(Code::unknown_name, from->range, fmt::format("no zone {} is named `{}`", where, from->text),
              did_you_mean(from->text, names));
    } else if (z.shape != model::ZoneShape::pile || it->second == zone) {
      error(Code::bad_zone, attr->range, "only a pile is refilled, and from another zone");
    } else if (z.per_player != model_->zones[it->second].per_player) {
      error(Code::bad_zone, attr->range,
            fmt::format("`{}` and `{}` must both be shared, or neither", z.name, from->text));
    } else {
      z.refill_from = model::ZoneId{it->second};
    }
  }
  if (model_->variables.size() > kMostVariables)
    error(Code::too_many, model_->variables[kMostVariables].range,
          fmt::format("more than {} variables", kMostVariables));
  if (model_->zones.size() > kMostZones)
    error(Code::too_many, model_->zones[kMostZones].range, fmt::format("more than {} zones", kMostZones));
}

// Initial values: after consts and enums are known.
void Analysis::finish_variables() {
  for (const auto& [id, info] : variable_nodes_) {
    const Node* value = view::field(info.node).initial();
    const bool record = info.declared.kind == TypeKind::record;
    if (!value && !record) continue;
    model::Variable& v = model_->variables[id];
    Body& body = scratch_.emplace_back();
    Rule rule;
    rule.body = &body;
    rule.pure = true;
    in_rule(rule, [&] {
      const Type wanted = info.declared;
      // of a record
      const std::string whole = info.part.empty() ? v.name : v.name.substr(0, v.name.size() - info.part.size() - 1);
      const Expr* e = field_at(value ? convert(expr(value, &wanted), wanted, whole) : initial_of(wanted), info.part);
      if (!e || is_poison(e)) return;
      e = known(e, v.name);
      if (is_poison(e) || v.type.kind == TypeKind::list) return;
      check_initial(v, e);
      Expr* c = make(e->kind, v.type, e->range);
      c->value = e->value;
      c->values = e->values;
      v.initial = c;
    });
  }
  check_first_places();
}

void Analysis::check_initial(const model::Variable& v, const Expr* e) {
  if (v.type.kind == TypeKind::integer && e->value != kNone && (e->value < v.type.lo || e->value > v.type.hi))
    error(Code::out_of_range, e->range,
          fmt::format("`{}` goes from {} to {}, not {}", v.name, v.type.lo, v.type.hi, e->value));
  if (v.type.kind == TypeKind::set && board_of(element_type(v.type)) && !e->values.empty() &&
      v.lifetime != model::Lifetime::game)
    error(Code::unsupported, e->range, "a set of cells that is set back is empty then", "put them in `before turn(p)`");
}

}  // namespace cardwright::sema
