// Resolves the types that declarations name.
#include "compiler/sema/expressions/type_names.h"

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/parse/keyword_hints.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/operations/graphs.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Reports an unknown type name.
static std::optional<Type> no_such_type(SemaContext& sema, const Node* node, bool report) {
  const std::string_view name = node->text;
  if (const std::string boards = sema.ruleset.several_boards ? of_which_board(sema, name) : ""; !boards.empty()) {
    if (report)
      error(sema, "ambiguous_name"_code, node->range,
            fmt::format("ambiguous name `{}`: several boards declare it", name), boards);
    return std::nullopt;
  }
  if (is_word_of_grids(sema, name)) {
    if (report) graph_has_no(sema, sema.model.boards[0], fmt::format("`{}`", name), node->range);
    return std::nullopt;
  }
  if (name == "cell" || name == "dir" || name == "edge" || name == "offset") {
    if (report)
      error(sema, "unknown_name"_code, node->range, fmt::format("unknown type `{}`: the game has no board", name),
            "declare a board: `board field: grid 8 x 8`");
    return std::nullopt;
  }
  if (name == "team") {
    if (report)
      error(sema, "bad_teams"_code, node->range, "the game has no teams", "declare them: `teams [1, 3], [2, 4]`");
    return std::nullopt;
  }
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    if (report)
      error(sema, "unknown_name"_code, node->range, fmt::format("unknown type `{}`", name),
            of_one_board(sema, name.substr(0, dot), name.substr(dot + 1)));
    return std::nullopt;
  }
  if (!report) return std::nullopt;
  if (sema.collected.absent.contains(name)) {
    error(sema, "unknown_name"_code, node->range, fmt::format("type `{}` does not exist with these options", name));
    return std::nullopt;
  }
  std::vector<std::string> names{"int", "bool", "player", "card", "kind", "duration"};
  for (const Table* t : {&sema.names.enums, &sema.names.records, &sema.names.card_types, &sema.names.kinds})
    for (const auto& [n, id] : *t) names.push_back(n);
  error(sema, "unknown_name"_code, node->range, fmt::format("unknown type `{}`", name),
        habit(Spot::type, name).empty() ? did_you_mean(name, names) : habit(Spot::type, name));
  return std::nullopt;
}

static std::optional<Type> named_type(SemaContext& sema, const Node* node, bool report) {
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
  if (sema.constants.units.contains(name)) {
    sema.used.insert(std::string(name));
    return integer_type();
  }
  if (auto it = sema.names.enums.find(name); it != sema.names.enums.end()) return enum_type(it->second);
  if (auto it = sema.names.records.find(name); it != sema.names.records.end()) {
    build_record(sema, it->second);
    sema.used.insert("record " + it->first);
    // The record is recursive; an error has been reported.
    if (sema.records.infos[it->second].state == Callable::State::doing) return std::nullopt;
    return with_ref(TypeKind::record, it->second);
  }
  if (auto it = sema.names.card_types.find(name); it != sema.names.card_types.end()) return card_type(it->second);
  if (auto it = sema.names.kinds.find(name); it != sema.names.kinds.end())
    return it->second == ~0u ? plain_type(TypeKind::poison) : card_of_kind(sema, it->second);
  if (auto a = area_named(sema, name); a && sema.areas.all[*a].name == name) {
    if (sema.areas.counted) return area_type(sema, *a);
    if (report)
      error(sema, "unsupported"_code, node->range, fmt::format("an attribute can't have type `{}`", name),
            "use an integer or an enum to identify the part");
    return std::nullopt;
  }
  if (const auto of = type_of_card(sema, name)) return card_type(*of);
  return no_such_type(sema, node, report);
}

static std::optional<Type> range_type(SemaContext& sema, const Node* node, bool report) {
  auto lo = tree_int(sema, view::range(node).lo(), report), hi = tree_int(sema, view::range(node).hi(), report);
  if (!lo || !hi) return std::nullopt;
  if (*lo > *hi) {
    if (report) error(sema, "out_of_range"_code, node->range, fmt::format("empty range {}..{}", *lo, *hi));
    return std::nullopt;
  }
  if (*lo < -kUnlimited || *hi > kUnlimited) {
    if (report) error(sema, "out_of_range"_code, node->range, "range too large");
    return std::nullopt;
  }
  return integer_type(*lo, *hi);
}

static std::optional<Type> optional_type(SemaContext& sema, const Node* node, bool report) {
  auto t = type(sema, view::type_optional(node).of(), report);
  if (!t) return std::nullopt;
  if (t->kind == TypeKind::set || t->kind == TypeKind::list || t->kind == TypeKind::boolean ||
      t->kind == TypeKind::record) {
    if (report)
      error(sema, "wrong_type"_code, node->range, fmt::format("type `{}` can't be optional", show(sema, *t)),
            t->kind == TypeKind::set      ? "use an empty set instead"
            : t->kind == TypeKind::record ? "declare an optional field instead"
                                          : "");
    return std::nullopt;
  }
  return with_none(*t);
}

static std::optional<Type> type_of_set(SemaContext& sema, const Node* node, bool report) {
  auto t = type(sema, view::type_set(node).of(), report);
  if (!t) return std::nullopt;
  const bool small_numbers = t->kind == TypeKind::integer && fits_in_set(sema, *t);
  if (t->kind == TypeKind::player || t->kind == TypeKind::card || t->kind == TypeKind::enumeration ||
      t->kind == TypeKind::kind || small_numbers)
    return set_type(without_none(*t));
  const bool of_many = t->kind == TypeKind::set || t->kind == TypeKind::list;
  if (report && of_many)
    error(sema, "wrong_type"_code, node->range,
          fmt::format("a set can only contain single values, not `{}`", show(sema, *t)),
          fmt::format("use a list: `list of {} up to 9`; `if x not in l then l += x` adds each value only once",
                      show(sema, *t)));
  else if (report)
    error(sema, "unsupported"_code, node->range, fmt::format("a set can't contain `{}`", show(sema, *t)),
          t->kind == TypeKind::integer ? fmt::format("a set can contain integers from 0 to {}", kMostInSet)
          : t->kind == TypeKind::record
              ? fmt::format("use a list: `list of {} up to 9`; `if x not in l then l += x` adds each value only once",
                            show(sema, *t))
              : "");
  return std::nullopt;
}

static std::optional<Type> type_of_list(SemaContext& sema, const Node* node, bool report) {
  auto t = type(sema, view::type_list(node).of(), report);
  auto most = tree_int(sema, view::type_list(node).most(), report);
  if (!t || !most) return std::nullopt;
  if (t->kind == TypeKind::map || t->kind == TypeKind::text) {
    if (report)
      error(sema, "unsupported"_code, node->range, fmt::format("a list can't contain `{}`", show(sema, *t)),
            t->kind == TypeKind::map
                ? "declare the table as a separate variable, with the position in the list as another key"
                : "");
    return std::nullopt;
  }
  if (t->kind == TypeKind::list && is_record_list(sema, *t)) {
    if (report) error(sema, "wrong_type"_code, node->range, "inner lists can only contain single values, not records");
    return std::nullopt;
  }
  if (t->kind == TypeKind::list && t->elem->elem) {
    if (report)
      error(sema, "wrong_type"_code, node->range,
            fmt::format("inner lists can only contain single values, not `{}`", show(sema, *t->elem)),
            "use several variables, or a table `T per D`");
    return std::nullopt;
  }
  if (*most < 1 || *most > kMostInList) {
    if (report)
      error(sema, "out_of_range"_code, view::type_list(node).most()->range,
            fmt::format("the length of a list must be between 1 and {}", kMostInList));
    return std::nullopt;
  }
  Type l = plain_type(TypeKind::list);
  l.most = *most;
  l.elem = std::make_shared<const Type>(*t);
  for (const Part& list : leaves_of(sema, l, "")) {
    if (!has_room(sema, list.type, node->range, report)) return std::nullopt;
    const Type& element = *list.type.elem;
    if (element.kind != TypeKind::list || !element.elem->elem) continue;
    if (report)
      error(sema, "wrong_type"_code, node->range,
            fmt::format("field `{}` of a record in a list can't be a list of sets or lists", list.name.substr(1)));
    return std::nullopt;
  }
  return l;
}

static std::optional<Type> type_of_table(SemaContext& sema, const Node* node, bool report) {
  auto t = type(sema, view::type_map(node).value(), report);
  auto key = type(sema, view::type_map(node).key(), report);
  if (!t || !key) return std::nullopt;
  const Node* of = view::type_map(node).key();
  if (key->kind == TypeKind::card && sema.names.kinds.contains(of->text) && !sema.names.card_types.contains(of->text)) {
    if (report)
      error(sema, "wrong_type"_code, of->range,
            fmt::format("`{}` is a single card, but a key must be a card type", of->text),
            fmt::format("write `T per {}`", sema.model.card_types[key->ref].name));
    return std::nullopt;
  }
  const bool good = key->kind == TypeKind::player || key->kind == TypeKind::card ||
                    key->kind == TypeKind::enumeration || (key->kind == TypeKind::integer && key->hi - key->lo < 1000);
  if (!good || t->kind == TypeKind::list) {
    if (report)
      error(sema, "unsupported"_code, node->range,
            good ? fmt::format("a table can't contain lists: `{}`", show(sema, *t))
                 : fmt::format("`{}` can't be the key of a table", show(sema, *key)),
            !good ? "a key can be a player, a constant, a cell, a part of an area, a card type or "
                    "a range of integers"
            : key->kind == TypeKind::player
                ? "declare the list in `player { … }`, so that each player has one"
                : "declare the list in an area: `area line x 5 { items: … }`, and then use `line[2].items`");
    return std::nullopt;
  }
  Type m = plain_type(TypeKind::map);
  m.elem = std::make_shared<const Type>(*t);
  m.key = std::make_shared<const Type>(*key);
  return m;
}

std::optional<Type> type(SemaContext& sema, const Node* node, bool report) {
  if (!node) return std::nullopt;
  switch (node->kind) {
    case NodeKind::type_name:
    case NodeKind::name_ref: return named_type(sema, node, report);
    case NodeKind::type_range:
    case NodeKind::range_lit: return range_type(sema, node, report);
    case NodeKind::type_optional: return optional_type(sema, node, report);
    case NodeKind::type_set: return type_of_set(sema, node, report);
    case NodeKind::type_list: return type_of_list(sema, node, report);
    case NodeKind::type_map: return type_of_table(sema, node, report);
    case NodeKind::type_rule:
      if (report)
        error(sema, "wrong_type"_code, node->range,
              "a rule is not a value; it can only be a parameter of a function or sequence",
              "for example `function f(c: cell, cost: rule(cell) -> int): int = …`");
      return std::nullopt;
    default:
      if (report) error(sema, "wrong_type"_code, node->range, "expected a type");
      return std::nullopt;
  }
}

Type type_or_poison(SemaContext& sema, const Node* node) {
  auto t = type(sema, node);
  return t ? *t : plain_type(TypeKind::poison);
}

// ---------------------------------------------------------------- fields of records

static void record_field(SemaContext& sema, std::uint32_t id, const Node* field) {
  if (field->kind != NodeKind::field) return;   // reported elsewhere
  const std::string name(field->text);
  if (!view::field(field).type())
    return void(error(sema, "wrong_type"_code, name_range(sema, field),
                      fmt::format("the field `{}` needs a type", name), fmt::format("write `{}: int`", name)));
  if (view::field(field).words() && !view::field(field).words()->children.empty())
    error(sema, "misplaced"_code, view::field(field).words()->range,
          "a field can't have a visibility; declare it for the variable that holds the record");
  const auto& fields = sema.model.records[id].fields;
  if (std::any_of(fields.begin(), fields.end(), [&](const auto& f) { return f.name == name; }))
    return void(error(sema, "duplicate_declaration"_code, name_range(sema, field),
                      fmt::format("duplicate field `{1}` of record `{0}`", sema.model.records[id].name, name)));
  Type t = type_or_poison(sema, view::field(field).type());
  // Checks the size before the record is split.
  constexpr std::size_t kMostInRecord = 64;
  if (record_in(sema, t)) {
    std::size_t singles = leaves_of(sema, t, "").size();
    for (const model::RecordField& f : fields) singles += leaves_of(sema, f.type, "").size();
    if (singles > kMostInRecord) {
      error(sema, "limit_exceeded"_code, name_range(sema, field),
            fmt::format("with `{}` the record `{}` has too many values; the limit is {}", name,
                        sema.model.records[id].name, kMostInRecord),
            "each field of a nested record counts");
      t = plain_type(TypeKind::poison);
    }
  } else if (fields.size() >= kMostInRecord) {
    error(sema, "limit_exceeded"_code, name_range(sema, field),
          fmt::format("with `{}` the record `{}` has too many values; the limit is {}", name,
                      sema.model.records[id].name, kMostInRecord));
    return;
  }
  if (t.kind == TypeKind::map || t.kind == TypeKind::text || is_record_list(sema, t)) {
    error(sema, "wrong_type"_code, view::field(field).type()->range,
          fmt::format("a field can't have type `{}`", show(sema, t)),
          t.kind == TypeKind::map    ? fmt::format("declare a table of records instead: `{} per {}`",
                                                   sema.model.records[id].name, show(sema, *t.key))
          : t.kind == TypeKind::list ? "declare the list as a separate variable"
                                     : "");
    t = plain_type(TypeKind::poison);
  }
  sema.model.records[id].fields.push_back({name, std::move(t), name_range(sema, field)});
  sema.records.infos[id].units.push_back(unit_of_type(sema, view::field(field).type()));
  sema.records.infos[id].initial.push_back(view::field(field).initial());
}

void build_record(SemaContext& sema, std::uint32_t id) {
  if (sema.records.infos[id].state == Callable::State::done) return;
  if (sema.records.infos[id].state == Callable::State::doing) {
    error(sema, "circular"_code, sema.model.records[id].range,
          fmt::format("recursive record `{}`", sema.model.records[id].name));
    return;
  }
  sema.records.infos[id].state = Callable::State::doing;
  expand(sema, view::record_decl(sema.records.infos[id].node).fields(), model::RuleKind::rule,
         [&](const Node* field, model::RuleKind) { record_field(sema, id, field); });
  if (sema.model.records[id].fields.empty())
    error(sema, "wrong_type"_code, sema.model.records[id].range,
          fmt::format("record `{}` has no fields", sema.model.records[id].name),
          "write at least one field: `record Purse { gold: 0..9 = 0 }`");
  sema.records.infos[id].state = Callable::State::done;
}

}   // namespace cardwright::sema
