// Resolves names to declarations, players, elements and members.
#include "compiler/sema/operations/names.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/parse/keyword_hints.h"
#include "compiler/sema/operations/board_cards.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static bool is_built_in(const SemaContext& sema, Range declared);
static std::vector<std::string> constants_of(const SemaContext& sema, std::uint32_t id);

// ---------------------------------------------------------------- looking up names

static std::vector<std::string> visible_names(const RuleContext& rule) {
  std::vector<std::string> names{"players", "everyone", "turn_number", "round_number"};
  for (const Binding& b : rule.bindings) names.emplace_back(b.name);
  for (const Element& e : rule.elements)
    for (std::string& n : members_of(rule.sema, e.value->type)) names.push_back(std::move(n));
  for (const AreaInfo& area : rule.sema.areas.all) names.push_back(area.name + "s");
  for (const Table* t : {&rule.sema.names.table_variables, &rule.sema.names.table_zones, &rule.sema.names.values,
                         &rule.sema.names.enums, &rule.sema.names.card_types, &rule.sema.names.kinds})
    for (const auto& [n, id] : *t) names.push_back(n);
  for (const auto& [n, c] : rule.sema.names.constants) names.push_back(n);
  for (const auto& [n, c] : rule.sema.constants.declared) names.push_back(n);
  for (const auto& [n, c] : rule.sema.options.chosen) names.push_back(n);
  if (rule.me.valid()) names.insert(names.end(), {"me", "others"});
  if (rule.sema.flow.has_turns) names.push_back("active");
  return names;
}

// Returns the fix for an assignment to a name that no rule declares: `x = 3`. Returns an empty string elsewhere.
static std::string declaration_for(const SemaContext& sema, const Node* node) {
  const std::string_view whole = sema.diagnostics.sources().text(node->range.source);
  const std::size_t before = whole.substr(0, node->range.begin).find_last_not_of(" \t");
  const bool begins =
      before == std::string_view::npos || std::string_view("\n;{").find(whole[before]) != std::string_view::npos;
  const std::size_t sign = whole.find_first_not_of(' ', node->range.end);
  if (!begins || sign == std::string_view::npos) return {};
  const std::string_view rest = whole.substr(sign);
  if (rest.starts_with("+=") || rest.starts_with("-="))
    return fmt::format("declare it first: `var {} = 0`", node->text);
  if (!rest.starts_with('=') || rest.starts_with("==")) return {};
  return fmt::format("declare it: `let {0} = …`, or `var {0} = …` if it changes", node->text);
}

// Returns the range of a later `let` in the same declaration that declares the name, if there is one.
static std::optional<Range> later_let(const SemaContext& sema, const Node* node) {
  const std::string_view whole = sema.diagnostics.sources().text(node->range.source);
  const std::size_t end = whole.find("\n}", node->range.end);
  const std::string_view rest = whole.substr(0, end == std::string_view::npos ? whole.size() : end);
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (const std::string_view declares : {"let ", "var "}) {
    const std::string wanted = fmt::format("{}{}", declares, node->text);
    for (std::size_t at = rest.find(wanted, node->range.end); at != std::string_view::npos;
         at = rest.find(wanted, at + 1)) {
      const std::size_t behind = at + wanted.size();
      if (in_word(rest[at - 1]) || (behind < rest.size() && in_word(rest[behind]))) continue;
      return Range{node->range.source, static_cast<std::uint32_t>(at + declares.size()),
                   static_cast<std::uint32_t>(behind)};
    }
  }
  return std::nullopt;
}

// Returns a suggestion for a member access on a set, such as `p.hand.size`.
static std::string many_habit(std::string_view name) {
  const std::string help = habit(Spot::call, name == "size" ? "len" : name);
  return help.empty() ? fmt::format("`sum of x.{} for x in …`, or `each x in … {{ }}`", name) : help;
}

// Reports an unknown name. `wanted` is the expected type, or null if it is unknown.
const Expr* unknown_name(RuleContext& rule, const Node* node, const Type* wanted) {
  const std::string_view name = node->text;
  if (silent_if_absent(rule, node)) return poison(rule.sema, node->range);
  if (const std::string boards = rule.sema.ruleset.several_boards ? of_which_board(rule.sema, name) : "";
      !boards.empty()) {
    error(rule.sema, "ambiguous_name"_code, node->range,
          fmt::format("ambiguous name `{}`: several boards declare it", name), boards);
    return poison(rule.sema, node->range);
  }
  if (is_word_of_grids(rule.sema, name))
    return graph_has_no(rule.sema, rule.model.boards[0], fmt::format("`{}`", name), node->range);
  const auto is_reported = [&](const Diagnostic& d) { return d.severity == Severity::error && d.range == node->range; };
  if (std::any_of(rule.sema.diagnostics.all().begin(), rule.sema.diagnostics.all().end(),
                  is_reported)) {   // already reported, for example because the name is not known before the game
    ++rule.sema.errors;
    return poison(rule.sema, node->range);
  }
  std::string help = name.find('|') == std::string_view::npos
                         ? habit(Spot::name, name)
                         : "`e5|N` is an edge of a board; use `or` for conditions and `+` for sets";
  if (help.empty()) help = did_you_mean(name, visible_names(rule));
  if (rule.self.valid() && has_member(rule.sema, rule.body->locals[rule.self.index].type, name))
    help = fmt::format("it belongs to a card: write `this.{}`", name);
  else if (rule.sema.names.player_variables.contains(name) || rule.sema.names.player_zones.contains(name))
    help = fmt::format("it belongs to a player: write `me.{}` or `p.{}`", name, name);
  else if (rule.sema.names.events.contains(name))
    help = fmt::format("`{}` is an event: write `{}(…)`", name, name);
  else if (rule.sema.names.functions.contains(name))
    help = fmt::format("`{}` is a function: write `{}(…)`", name, name);
  else if (rule.sema.names.windows.contains(name))
    help = fmt::format("`{}` is a window: write `open {}`", name, name);
  if (help.empty() && wanted && wanted->kind == TypeKind::enumeration && wanted->ref < rule.model.enums.size() &&
      !rule.model.enums[wanted->ref].cells)
    help = did_you_mean_one_of(name, constants_of(rule.sema, wanted->ref));
  if (help.empty() && !rule.elements.empty())
    help = did_you_mean_one_of(name, members_of(rule.sema, rule.elements.back().value->type));
  if (help.empty() || help.starts_with(kGuess))
    if (const std::string declare = declaration_for(rule.sema, node); !declare.empty())
      help = help.empty() ? declare : help + " Otherwise, " + declare;
  const std::optional<Range> later = find_binding(rule, name) ? std::nullopt : later_let(rule.sema, node);
  Diagnostic& d = error(rule.sema, "unknown_name"_code, node->range, fmt::format("unknown name `{}`", name),
                        later ? "move its declaration before this line" : help);
  if (later) d.notes.push_back({*later, "declared here"});
  return poison(rule.sema, node->range);
}

const Expr* me(RuleContext& rule, const Node* node) {
  if (rule.me.valid()) return local(rule, rule.me, node->range);
  error(rule.sema, "no_subject_in_scope"_code, node->range, "no player in scope for `me`",
        rule.flow ? "write `active`, or name the player"
                  : "`me` exists in rules of characters and cards, in actions and in plays; elsewhere, add a parameter "
                    "to the event");
  return poison(rule.sema, node->range);
}

// Returns whether the enum contains the cells or directions of a board. Every game with a board declares these enums.
static bool is_of_board(const model::Model& m, std::uint32_t id) { return m.enums[id].cells || m.enums[id].dirs; }

const Expr* enum_constant(SemaContext& sema, std::string_view name, Range range, const Type* expected, bool report,
                          bool& found) {
  found = false;
  auto it = sema.names.constants.find(name);
  if (it == sema.names.constants.end()) return nullptr;
  if (expected && expected->kind == TypeKind::set && expected->elem) expected = expected->elem.get();
  if (expected && expected->kind == TypeKind::enumeration)
    for (const auto& [e, i] : it->second)
      if (e == expected->ref) {
        found = true;
        return constant(sema, enum_type(e), i, range);
      }
  const auto library_own = [&](const auto& c) {
    return is_of_board(sema.model, c.first) || is_built_in(sema, sema.model.enums[c.first].range);
  };
  const bool own_first = it->second.size() > 1 && in_library(sema, range);
  const auto meant = own_first ? std::find_if(it->second.begin(), it->second.end(), library_own) : it->second.begin();
  if (it->second.size() == 1 || (own_first && std::count_if(it->second.begin(), it->second.end(), library_own) == 1)) {
    found = true;
    return constant(sema, enum_type(meant->first), meant->second, range);
  }
  if (report) {
    std::string all;
    for (const auto& [e, i] : it->second)
      all += fmt::format("{}`{}`", all.empty() ? "" : " or ",
                         is_of_board(sema.model, e) && sema.ruleset.several_boards
                             ? sema.model.enums[e].constants[static_cast<std::size_t>(i)].name
                             : fmt::format("{}.{}", sema.model.enums[e].name, name));
    error(sema, "ambiguous_name"_code, range,
          fmt::format("ambiguous name `{}`: several enums have this constant", name), "write " + all);
    found = true;
    return poison(sema, range);
  }
  return nullptr;
}

std::optional<std::uint32_t> variable_with_enum(const SemaContext& sema, std::uint32_t id, bool per_player) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t v = 0; v < sema.model.variables.size(); ++v) {
    const model::Variable& x = sema.model.variables[v];
    if (x.per_player != per_player || x.type.kind != TypeKind::enumeration || x.type.ref != id || !x.indices.empty())
      continue;
    if (found) return std::nullopt;
    found = v;
  }
  return found;
}

// ---------------------------------------------------------------- members

// Returns whether a piece declared `per ENUM` has this member: its constant, or a member of that constant.
static bool has_constant_member(const SemaContext& sema, std::uint32_t area, std::string_view name) {
  const auto per = sema.model.areas[area].per;
  return sema.areas.all[area].piece && per &&
         (name == sema.areas.all[area].constant || has_member(sema, enum_type(per->index), name));
}

bool has_member(const SemaContext& sema, const Type& t, std::string_view name) {
  switch (t.kind) {
    case TypeKind::player: {
      if (sema.names.player_variables.contains(name) || sema.records.of_players.contains(name) ||
          sema.names.player_zones.contains(name) || (name == "team" && sema.areas.team))
        return true;
      const auto area = area_of_players(sema, name);
      // If each player has only one part, the plural (`heroes`) is the set of all players' parts, not a member of a
      // player.
      return area && (!one_each(sema.areas.all[*area]) || sema.areas.all[*area].name == name);
    }
    case TypeKind::card:
      if (name == "kind" || composed_attribute(sema, t.ref, name) || has_place_member(sema, t, name)) return true;
      if (t.ref < sema.types.cards.size()) {
        if (attribute_of_type(sema, {t.ref}, name)) return true;
        for (std::uint32_t s = 0; s < sema.types.cards.size(); ++s)   // attributes of derived card types
          if (is_a(sema, s, t.ref) && attribute_of_type(sema, {s}, name)) return true;
        return false;
      }
      return std::any_of(sema.types.cards.begin(), sema.types.cards.end(), [&](const TypeInfo& i) {
        return std::any_of(i.own.begin(), i.own.end(),
                           [&](model::AttributeId a) { return sema.model.attributes[a.index].name == name; });
      });
    case TypeKind::enumeration:
      return attribute_of_enum(sema, {t.ref}, name) || composed_of_enum(sema, t.ref, name) ||
             is_next_of_graph(sema, t, name);
    case TypeKind::integer:
      return t.ref < sema.areas.all.size() &&
             (sema.areas.all[t.ref].zones.contains(name) || sema.areas.all[t.ref].variables.contains(name) ||
              sema.areas.all[t.ref].records.contains(name) || (is_team(sema, t) && name == "players") ||
              (sema.areas.all[t.ref].each > 0 && name == "owner") || has_piece_member(sema, t.ref, name) ||
              has_constant_member(sema, t.ref, name));
    case TypeKind::record: {
      const auto& fields = sema.model.records[t.ref].fields;
      return std::any_of(fields.begin(), fields.end(), [&](const model::RecordField& f) { return f.name == name; });
    }
    case TypeKind::poison:
    case TypeKind::nothing:
    case TypeKind::boolean:
    case TypeKind::kind:
    case TypeKind::set:
    case TypeKind::list:
    case TypeKind::listed:
    case TypeKind::map:
    case TypeKind::text: break;
  }
  return false;
}

// Returns whether the declaration is built in or comes from a library.
static bool is_built_in(const SemaContext& sema, Range declared) {
  return !declared.known() || in_library(sema, declared);
}

bool is_library_member(const SemaContext& sema, const Type& t, std::string_view name) {
  if (t.kind == TypeKind::player) {
    if (const auto v = sema.names.player_variables.find(name); v != sema.names.player_variables.end())
      return is_built_in(sema, sema.model.variables[v->second].range);
    if (const auto z = sema.names.player_zones.find(name); z != sema.names.player_zones.end())
      return is_built_in(sema, sema.model.zones[z->second].range);
    return false;
  }
  if (t.kind == TypeKind::enumeration && is_of_board(sema.model, t.ref)) return true;
  const auto declared_so = [&](const model::Attribute& a) { return a.name == name; };
  return (t.kind == TypeKind::card || t.kind == TypeKind::enumeration) &&
         std::all_of(sema.model.attributes.begin(), sema.model.attributes.end(),
                     [&](const model::Attribute& a) { return !declared_so(a) || is_built_in(sema, a.range); });
}

static std::vector<std::string> constants_of(const SemaContext& sema, std::uint32_t id) {
  std::vector<std::string> names;
  for (const model::EnumConst& c : sema.model.enums[id].constants) names.push_back(c.name);
  return names;
}

std::vector<std::string> members_of(const SemaContext& sema, const Type& t) {
  std::vector<std::string> names;
  if (t.kind == TypeKind::player) {
    for (const auto& [n, id] : sema.names.player_variables) names.push_back(n);
    for (const auto& [n, id] : sema.names.player_zones) names.push_back(n);
    for (const AreaInfo& area : sema.areas.all)
      if (area.each > 0) names.push_back(area.name + "s");
  } else if (t.kind == TypeKind::card) {
    names.push_back("kind");
    for (const char* place : {"at", "cells", "facing"})
      if (has_place_member(sema, t, place)) names.push_back(place);
    for (std::uint32_t s = 0; s < sema.types.cards.size(); ++s)
      if (t.ref >= sema.types.cards.size() || is_a(sema, s, t.ref) || is_a(sema, t.ref, s))
        for (model::AttributeId a : sema.types.cards[s].own) names.push_back(sema.model.attributes[a.index].name);
  } else if (t.kind == TypeKind::enumeration && t.ref < sema.model.enums.size()) {
    for (model::AttributeId a : sema.model.enums[t.ref].attributes)
      names.push_back(sema.model.attributes[a.index].name);
    if (is_next_of_graph(sema, t, "next")) names.push_back("next");
  } else if (t.kind == TypeKind::integer && t.ref < sema.areas.all.size()) {
    for (const auto& [n, id] : sema.areas.all[t.ref].zones) names.push_back(n);
    for (const auto& [n, id] : sema.areas.all[t.ref].variables) names.push_back(n);
    if (sema.areas.all[t.ref].each > 0) names.push_back("owner");
    if (sema.areas.all[t.ref].piece)
      names.push_back(sema.model.areas[t.ref].piece && sema.model.areas[t.ref].piece->edges ? "edges" : "cells");
    if (const auto per = sema.model.areas[t.ref].per) {
      names.push_back(sema.areas.all[t.ref].constant);
      for (std::string& n : members_of(sema, enum_type(per->index))) names.push_back(std::move(n));
    }
  } else if (t.kind == TypeKind::record) {
    for (const model::RecordField& f : sema.model.records[t.ref].fields) names.push_back(f.name);
  }
  return names;
}

// An access to the member `name` of the expression `of`. `range` covers the name, and `whole` covers the entire access.
struct Asked {
  RuleContext& rule;
  const Expr* of;
  std::string_view name;
  Range range, whole;
  bool report;   // whether to report an unknown member instead of returning null
};

static const Expr* no_member(const Asked& asked, std::string message, std::string help = {}) {
  if (!asked.report) return nullptr;
  error(asked.rule.sema, "unknown_member"_code, asked.range, std::move(message), std::move(help));
  return poison(asked.rule.sema, asked.whole);
}

static const Expr* member_of_player(const Asked& asked) {
  const auto& [rule, of, name, range, whole, report] = asked;
  const Type& t = of->type;
  auto v = rule.sema.names.player_variables.find(name);
  auto z = rule.sema.names.player_zones.find(name);
  const auto record = rule.sema.records.of_players.find(name);
  const bool known = v != rule.sema.names.player_variables.end() || z != rule.sema.names.player_zones.end() ||
                     record != rule.sema.records.of_players.end();
  const auto area = area_of_players(rule.sema, name);
  if (!known && !area && !(name == "team" && rule.sema.areas.team)) {
    if (rule.sema.collected.absent.contains(name) && rule.droppable) {
      rule.dropped = true;
      return poison(rule.sema, whole);
    }
    return no_member(
        asked, fmt::format("a player has no member `{}`", name),
        in_standard_library(rule.sema, whole)
            ? fmt::format("the library needs it: declare it in `player {{ … }}`, for example `zone {}: owner`", name)
            : did_you_mean_one_of(name, members_of(rule.sema, t)));
  }
  if (t.optional && !is_soft(rule, of)) {
    error(rule.sema, "may_be_none"_code, of->range, "this player may be none",
          "check it first: `if p is in …`, or `when p is in`");
    return poison(rule.sema, whole);
  }
  if (!known && area && one_each(rule.sema.areas.all[*area]) && rule.sema.areas.all[*area].name != name)
    return no_member(asked, fmt::format("each player has one `{}`", rule.sema.areas.all[*area].name),
                     fmt::format("write `p.{}`", rule.sema.areas.all[*area].name));
  if (!known && area && one_each(rule.sema.areas.all[*area])) {
    Expr* e = make(rule.sema, ExprKind::part_at, area_type(rule.sema, *area), whole,
                   {of, integer_constant(rule.sema, 1, whole)});
    e->value = 1;
    return e;
  }
  if (!known && area && rule.sema.areas.all[*area].name == name)
    return no_member(asked, fmt::format("each player has several `{}`; an index is missing", name),
                     fmt::format("`p.{0}[1]` is the first, and `p.{0}s` are all of them", name));
  if (!known && area) {
    Expr* e = make(rule.sema, ExprKind::parts_of, set_type(area_type(rule.sema, *area)), whole, {of});
    e->value = rule.sema.areas.all[*area].each;
    return e;
  }
  if (!known) return make(rule.sema, ExprKind::team_of, area_type(rule.sema, *rule.sema.areas.team), whole, {of});
  rule.sema.used.insert(std::string(name));
  if (z != rule.sema.names.player_zones.end()) {
    const bool own = rule.model.zones[z->second].per_player;   // all players share a zone of the table
    Expr* e = make(rule.sema, ExprKind::zone, cards_in(rule.sema, z->second), whole, {own ? of : nullptr});
    e->ref = z->second;
    return e;
  }
  if (record != rule.sema.records.of_players.end())
    return spread(rule.sema, record->first, record->second, whole, [&](const std::string& leaf, const Type&) {
      return variable_of(rule, rule.sema.names.player_variables.find(leaf)->second, whole, {of});
    });
  return variable_of(rule, v->second, whole, {of});
}

// Reads an attribute of a card or constant. If the card lacks the attribute, or is none, the result is none, `false` or
// the empty set.
static const Expr* attribute_of(const Asked& asked, model::AttributeId attribute, bool may_lack) {
  const auto& [rule, of, name, range, whole, report] = asked;
  rule.sema.used.insert(std::string(name));
  Type type = rule.model.attributes[attribute.index].type;
  if ((of->type.optional || may_lack) && type.kind != TypeKind::set) type.optional = true;
  Expr* e = make(rule.sema, ExprKind::attribute, type, whole, {of});
  e->ref = attribute.index;
  refine(rule, e);
  if (e->type.kind != TypeKind::boolean || !e->type.optional) return e;
  return make(rule.sema, ExprKind::or_else, boolean_type(), whole, {e, boolean_constant(rule.sema, false, whole)});
}

// Returns whether some of these cards lack all of the attributes. Always returns false in the first pass, because the
// cards of zones are not known yet.
static bool may_lack(RuleContext& rule, const Type& card, const std::vector<model::AttributeId>& attributes) {
  if (!kind_without(rule.sema, card, attributes)) return false;
  rule.sema.wants_zone_cards = true;
  return rule.sema.zone_cards != nullptr;
}

// Reads an attribute that several card types declare. If all declarations have the same type, they are treated as one
// attribute.
static const Expr* attribute_of_any(const Asked& asked, const std::vector<std::uint32_t>& owners) {
  const auto& [rule, of, name, range, whole, report] = asked;
  std::vector<model::AttributeId> all;
  std::optional<Type> type;
  for (const std::uint32_t owner : owners) {
    const auto a = attribute_of_type(rule.sema, {owner}, name);
    const Type own = a ? rule.model.attributes[a->index].type : plain_type(TypeKind::poison);
    const bool fits = a && (!type || (same_type(rule.sema, *type, own) && type->ref == own.ref));
    if (!fits)
      return no_member(
          asked, fmt::format("ambiguous attribute `{}`: several card types declare it with different types", name),
          fmt::format("narrow the card first: `if c is {} then …`, or declare `{}` in a common base type",
                      rule.model.card_types[owners[0]].name, name));
    type = type ? *common(rule.sema, *type, own) : own;
    all.push_back(*a);
  }
  const bool lacks = may_lack(rule, of->type, all);
  const Expr* e = nullptr;
  for (auto a = all.rbegin(); a != all.rend(); ++a) {
    const Expr* one = attribute_of(asked, *a, true);
    if (one->type.kind == TypeKind::boolean) {
      e = e ? either(rule.sema, e, one, whole) : one;
      continue;
    }
    Type joined = *type;
    joined.optional = joined.kind != TypeKind::set && (type->optional || lacks || of->type.optional);
    e = e ? make(rule.sema, ExprKind::or_else, joined, whole, {one, e}) : one;
  }
  return e;
}

static const Expr* member_of_card(const Asked& asked) {
  const auto& [rule, of, name, range, whole, report] = asked;
  const Type& t = of->type;
  if (name == "kind")
    return make(rule.sema, ExprKind::kind_of, t.optional ? with_none(kind_type()) : kind_type(), whole, {of});
  const std::vector<std::uint32_t> owners = types_with(rule.sema, t.ref, name);
  if (owners.empty() && has_place_member(rule.sema, t, name)) {
    if (!t.optional || is_soft(rule, of)) return piece_member(rule, of, name, range, whole, report);
    error(rule.sema, "may_be_none"_code, of->range, "this card may be none", "check first that it `is not none`");
    return poison(rule.sema, whole);
  }
  if (owners.size() > 1) return attribute_of_any(asked, owners);
  if (const Type* composed = composed_attribute(rule.sema, t.ref, name))
    return composed_member(rule.sema, std::string(name), *composed, whole,
                           [&](const std::string& leaf) { return member_of(rule, of, leaf, range, whole, report); });
  const auto a = owners.empty() ? std::nullopt : attribute_of_type(rule.sema, {owners[0]}, name);
  if (!a) {
    if (rule.sema.collected.absent.contains(name) && rule.droppable) {
      rule.dropped = true;
      return poison(rule.sema, whole);
    }
    return no_member(asked,
                     t.ref < rule.sema.types.cards.size()
                         ? fmt::format("`{}` has no attribute `{}`", rule.model.card_types[t.ref].name, name)
                         : fmt::format("no card has an attribute `{}`", name),
                     did_you_mean_one_of(name, members_of(rule.sema, t)));
  }
  return attribute_of(asked, *a, may_lack(rule, t, {*a}));
}

static const Expr* member_of_constant(const Asked& asked) {
  const auto& [rule, of, name, range, whole, report] = asked;
  const Type& t = of->type;
  if (const Type* composed = composed_of_enum(rule.sema, t.ref, name))
    return composed_member(rule.sema, std::string(name), *composed, whole,
                           [&](const std::string& leaf) { return member_of(rule, of, leaf, range, whole, report); });
  if (const auto board = name == "cells" ? board_of_edge(rule.sema, t) : std::nullopt)
    return cells_of_edge(rule, *board, of, whole);
  if (is_next_of_graph(rule.sema, t, name)) return cells_next_to(rule, of, whole);
  auto a = attribute_of_enum(rule.sema, {t.ref}, name);
  if (!a)
    return no_member(asked, fmt::format("`{}` has no attribute `{}`", rule.model.enums[t.ref].name, name),
                     did_you_mean_one_of(name, members_of(rule.sema, t)));
  return attribute_of(asked, *a, false);
}

static const Expr* member_of_part(const Asked& asked) {
  const auto& [rule, of, name, range, whole, report] = asked;
  const Type& t = of->type;
  if (t.ref >= rule.sema.areas.all.size()) return no_member(asked, fmt::format("a number has no member `{}`", name));
  const AreaInfo& area = rule.sema.areas.all[t.ref];
  if (t.optional && !is_soft(rule, of)) {
    error(rule.sema, "may_be_none"_code, of->range, fmt::format("this `{}` may be none", area.name),
          "check first that it `is not none`");
    return poison(rule.sema, whole);
  }
  if (is_team(rule.sema, t) && name == "players" && !area.variables.contains(name))
    return make(rule.sema, ExprKind::team_players, set_type(player_type()), whole, {of});
  if (auto z = area.zones.find(name); z != area.zones.end()) {
    const Expr* copy = of->kind == ExprKind::constant
                           ? integer_constant(rule.sema, of->value - 1, of->range)
                           : make(rule.sema, ExprKind::subtract, integer_type(0, area.count - 1), of->range,
                                  {of, integer_constant(rule.sema, 1, of->range)});
    Expr* e = make(rule.sema, ExprKind::zone, cards_in(rule.sema, z->second), whole, {nullptr, copy});
    e->ref = z->second;
    return e;
  }
  if (auto r = area.records.find(name); r != area.records.end())
    return spread(rule.sema, r->first, r->second, whole, [&](const std::string& leaf, const Type&) {
      return variable_of(rule, rule.sema.areas.all[t.ref].variables.find(leaf)->second, whole, {of});
    });
  if (auto v = area.variables.find(name); v != area.variables.end()) return variable_of(rule, v->second, whole, {of});
  if (area.each > 0 && name == "owner") {
    Expr* e = make(rule.sema, ExprKind::part_owner, player_type(), whole, {of});
    e->value = area.each;
    return e;
  }
  if (area.piece) {
    if (const Expr* e = piece_member(rule, of, name, range, whole, report)) return e;
    if (const auto per = rule.model.areas[t.ref].per) {
      if (name == area.constant) return constant_of_part(rule.sema, of, whole);
      if (has_member(rule.sema, enum_type(per->index), name))
        return member_of(rule, constant_of_part(rule.sema, of, whole), name, range, whole, report);
    }
  }
  return no_member(asked, fmt::format("`{}` has no member `{}`", area.name, name),
                   did_you_mean_one_of(name, members_of(rule.sema, t)));
}

static const Expr* member_of_record(const Asked& asked) {
  const auto& [rule, of, name, range, whole, report] = asked;
  const Type& t = of->type;
  const std::vector<model::RecordField>& fields = rule.model.records[t.ref].fields;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return model::view::record(of).fields(i);
  return no_member(asked, fmt::format("`{}` has no field `{}`", show(rule.sema, t), name),
                   did_you_mean_one_of(name, members_of(rule.sema, t)));
}

const Expr* member_of(RuleContext& rule, const Expr* of, std::string_view name, Range range, Range whole, bool report) {
  if (is_poison(of)) return poison(rule.sema, whole);
  const Type& t = of->type;
  const Asked asked{rule, of, name, range, whole, report};
  switch (t.kind) {
    case TypeKind::player: return member_of_player(asked);
    case TypeKind::card: return member_of_card(asked);
    case TypeKind::enumeration: return member_of_constant(asked);
    case TypeKind::integer: return member_of_part(asked);
    case TypeKind::record: return member_of_record(asked);
    case TypeKind::set:
      return no_member(asked, fmt::format("`{}` is a member of a single element, but this is a set", name),
                       many_habit(name));
    case TypeKind::poison:
    case TypeKind::nothing:
    case TypeKind::boolean:
    case TypeKind::kind:
    case TypeKind::list:
    case TypeKind::listed:
    case TypeKind::map:
    case TypeKind::text: break;
  }
  return no_member(asked, fmt::format("`{}` has no member `{}`", show(rule.sema, t), name));
}

const Expr* part_of_this(RuleContext& rule, std::uint32_t area, Range range) {
  Expr* e = make(rule.sema, ExprKind::part_of, area_type(rule.sema, area), range, {local(rule, rule.self, range)});
  e->ref = rule.carrier.zone.index;
  return e;
}

}   // namespace cardwright::sema
