// Lists the differences between two tables, entity by entity. It compares the meaning of rules: whitespace, comments
// and order have no effect, but options do. The result contains the source text of changed entities.
#include <algorithm>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/scenarios/rule_places.h"
#include "cardwright/variants.hpp"
#include "compiler/model/entities.h"

namespace cardwright::api {

namespace {

using model::Entity;

struct Side {
  const detail::RulesetData& rules;
  std::unique_ptr<model::Model> model;
  std::vector<Entity> entities;

  Side(const Ruleset& ruleset, const Configuration& configuration)
      : rules(*ruleset.data()),
        model(detail::analyze(rules, detail::complete(rules, configuration))),
        entities(model::entities(*model)) {}

  std::string place(const Entity& e) const { return e.range.known() ? rules.sources.describe(e.range) : ""; }
  std::string_view file(const Entity& e) const {
    return e.range.known() ? rules.sources.name(e.range.source) : std::string_view();
  }
};

// Returns lines without indentation and comments; empty lines are omitted.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (const auto comment = line.find("//"); comment != std::string::npos) line.resize(comment);
    const auto first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first != std::string::npos) lines.push_back(line.substr(first, last + 1 - first));
  }
  return lines;
}

// Returns the lines that only one side has, in order, by longest common subsequence.
std::vector<std::string> changed_lines(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::vector<std::vector<std::size_t>> common(from.size() + 1, std::vector<std::size_t>(to.size() + 1, 0));
  for (std::size_t i = from.size(); i-- > 0;)
    for (std::size_t j = to.size(); j-- > 0;)
      common[i][j] = from[i] == to[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<std::string> out;
  for (std::size_t i = 0, j = 0; i < from.size() || j < to.size();) {
    if (i < from.size() && j < to.size() && from[i] == to[j])
      ++i, ++j;
    else if (j == to.size() || (i < from.size() && common[i + 1][j] >= common[i][j + 1]))
      out.push_back("- " + from[i++]);
    else
      out.push_back("+ " + to[j++]);
  }
  return out;
}

// Counts and options are shown as evaluated values, and rules as written. If a rule has the same text but another
// meaning, another entity causes the difference and is listed itself. Only components and state then show their
// evaluated form.
bool is_a_datum(const Entity& e) { return e.kind == "option" || e.kind == "copies of" || e.kind == "deck"; }
bool is_a_thing(const Entity& e) {
  return e.kind == "variable" || e.kind == "zone" || e.kind == "enum" || e.kind == "card" || e.kind == "character";
}
bool is_flow(const Entity& e) { return e.kind == "setup" || e.kind == "play"; }

bool is_declaration(ast::NodeKind kind) {
  using enum ast::NodeKind;
  switch (kind) {
    case const_decl:
    case unit_decl:
    case enum_decl:
    case enum_const:
    case record_decl:
    case card_type:
    case card:
    case character_type:
    case character:
    case deck:
    case field:
    case zone:
    case area:
    case piece:
    case die:
    case faces_decl:
    case shows_decl:
    case board:
    case timer_decl:
    case value_decl:
    case function_decl:
    case sequence_decl:
    case event_decl:
    case window_decl:
    case action_decl:
    case play_decl:
    case plays_to:
    case in_force_decl:
    case text_decl:
    case has_decl:
    case also_decl:
    case modify_decl:
    case forbid_decl:
    case policy_decl:
    case trigger_decl:
    case whenever_decl:
    case measure_decl:
    case setup_decl:
    case play_flow:
    case end_when: return true;
    default: return false;   // a part of a declaration, or a group of declarations
  }
}

// Returns the innermost declaration below `node` that contains the place; unknown if there is none.
Range declaration_at(const SourceMap& sources, const ast::Node& node, Range place) {
  const Range& range = node.range;
  if (range.source != place.source || place.begin < range.begin || range.end < place.end) return {};
  for (const ast::Node* child : node.children)
    if (child)
      if (const Range inner = declaration_at(sources, *child, place); inner.known()) return inner;
  return is_declaration(node.kind) ? detail::whole_range(sources, node) : Range{};
}

// Returns the range of the declaration at a place, which can be just the name in the declaration.
Range whole_rule(const detail::RulesetData& rules, Range place) {
  if (!place.known()) return place;
  for (const loading::Unit& unit : rules.parsed().units)
    if (const Range whole = declaration_at(rules.sources, *unit.root, place); whole.known()) return whole;
  return place;
}

std::vector<std::string> written(const Side& side, const Entity& e) {
  if (is_a_datum(e) || (!e.range.known() && !is_flow(e))) return lines_of(e.meaning);
  if (is_flow(e)) {   // setup and play can have parts in several files
    std::vector<std::string> all;
    for (const Range& part : e.parts)
      for (std::string& line : lines_of(side.rules.sources.text(part))) all.push_back(std::move(line));
    return all;
  }
  return lines_of(side.rules.sources.text(whole_rule(side.rules, e.range)));
}

// A difference, with the ranges of its entity on both sides. If it shows a whole card or character, differences in its
// parts are omitted.
struct Shown {
  Range from, to;
  bool whole = false;   // the difference shows the complete text of a card or character
  bool only_for_parts = false;   // the entity is equal except for its parts
  Difference difference;
};

bool has_parts(const Entity& e) { return e.kind == "card" || e.kind == "character" || e.kind == "card type"; }
Range place_of(const Side& side, const Entity& e) {
  if (is_a_datum(e) || is_flow(e)) return {};   // never part of another entity
  return has_parts(e) ? whole_rule(side.rules, e.range) : e.range;
}

bool holds(Range outer, Range inner) {
  return outer.known() && inner.known() && outer.source == inner.source && outer.begin <= inner.begin &&
         inner.end <= outer.end && outer != inner;
}

bool is_part(const Shown& part, const Shown& whole) {
  if (!whole.whole) return false;
  const bool from = !part.from.known() || holds(whole.from, part.from),
             to = !part.to.known() || holds(whole.to, part.to);
  return from && to && (part.from.known() || part.to.known());
}

Difference lone(const char* change, const Side& side, const Entity& e, char sign) {
  Difference d{change, e.kind, e.name, {}, {}, {}};
  (sign == '-' ? d.from_place : d.to_place) = side.place(e);
  for (const std::string& line : written(side, e)) d.lines.push_back(fmt::format("{} {}", sign, line));
  return d;
}

Difference changed(const Side& from, const Entity& a, const Side& to, const Entity& b) {
  Difference d{from.file(a) == to.file(b) ? "changed" : "replaced", a.kind, a.name, from.place(a), to.place(b),
               changed_lines(written(from, a), written(to, b))};
  if (d.lines.empty() && is_a_thing(a)) d.lines = changed_lines(lines_of(a.meaning), lines_of(b.meaning));
  return d;
}

// Compares the possible numbers of players, which a Model does not contain because it is created for one number.
void compare_players(const Side& a, const Side& b, std::vector<Difference>& out) {
  const auto seats = [](const Side& side) {
    return std::tuple(side.rules.parsed().least_players, side.rules.parsed().most_players,
                      side.rules.parsed().usual_players);
  };
  if (seats(a) == seats(b)) return;
  const auto player_lines = [](const Side& side) {
    return lines_of(side.rules.sources.text(side.rules.parsed().players_range));
  };
  const auto place = [](const Side& side) { return side.rules.sources.describe(side.rules.parsed().players_range); };
  out.push_back({"changed", "players", "", place(a), place(b), changed_lines(player_lines(a), player_lines(b))});
}

}   // namespace

std::vector<Difference> diff(const Ruleset& from, const Configuration& from_configuration, const Ruleset& to,
                             const Configuration& to_configuration) {
  const Side a(from, from_configuration), b(to, to_configuration);
  const auto same_name = [](const Entity& x, const Entity& y) { return x.kind == y.kind && x.name == y.name; };
  std::vector<const Entity*> partner(a.entities.size(), nullptr);
  std::vector<bool> taken(b.entities.size(), false);
  // Pairs equal declarations first. The remaining declarations with the same name are then paired in order, as changes.
  for (const bool alike : {true, false})
    for (std::size_t i = 0; i < a.entities.size(); ++i)
      for (std::size_t j = 0; j < b.entities.size() && !partner[i]; ++j)
        if (!taken[j] && same_name(a.entities[i], b.entities[j]) &&
            (!alike || a.entities[i].meaning == b.entities[j].meaning))
          partner[i] = &b.entities[j], taken[j] = true;
  std::vector<Shown> all;
  for (std::size_t i = 0; i < a.entities.size(); ++i) {
    const Entity& e = a.entities[i];
    if (!partner[i]) {
      all.push_back({place_of(a, e), {}, has_parts(e), false, lone("removed", a, e, '-')});
      continue;
    }
    const Entity& other = *partner[i];
    const bool whole = has_parts(e) && written(a, e) != written(b, other), alike = e.meaning == other.meaning;
    if (whole || !alike) all.push_back({place_of(a, e), place_of(b, other), whole, alike, changed(a, e, b, other)});
  }
  for (std::size_t j = 0; j < b.entities.size(); ++j)
    if (!taken[j])
      all.push_back(
          {{}, place_of(b, b.entities[j]), has_parts(b.entities[j]), false, lone("added", b, b.entities[j], '+')});
  std::vector<Difference> out;
  compare_players(a, b, out);
  for (Shown& shown : all) {
    const auto others = [&](auto&& related) {
      return std::any_of(all.begin(), all.end(),
                         [&](const Shown& other) { return &other != &shown && related(other); });
    };
    const bool explained = others([&](const Shown& whole) { return is_part(shown, whole); });
    const bool idle = shown.only_for_parts && !others([&](const Shown& part) { return is_part(part, shown); });
    if (!explained && !idle) out.push_back(std::move(shown.difference));
  }
  return out;
}

}   // namespace cardwright::api
