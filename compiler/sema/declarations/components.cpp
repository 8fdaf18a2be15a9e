// Checks the components of a game: enums, character types with their characters, card types, cards and their
// attributes.
// Input:  declarations and CSV files.
// Output: the enums, card types and kinds of the Model.
#include "compiler/sema/declarations/components.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "compiler/sema/declarations/boards.h"
#include "compiler/sema/declarations/decks.h"
#include "compiler/sema/declarations/records.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/texts.h"
#include "compiler/sema/symbols/types.h"
#include "support/decimal.h"

namespace cardwright::sema {

static Int default_without_declaration(const Type& type);
static void constant_arguments(SemaContext& sema, std::uint32_t id, std::size_t constant,
                               const std::vector<std::string>& order);
static void set_constant_attribute(SemaContext& sema, std::uint32_t id, std::size_t constant, Range at,
                                   std::string_view name, const Node* value);
static void remap_constants(SemaContext& sema, std::uint32_t id, const std::vector<Int>& now);
static void declare_character_parts(SemaContext& sema, std::uint32_t type, std::size_t constant, const Node* node);

namespace {
constexpr std::size_t kMostKinds = 4'096;
constexpr std::size_t kMostAttributes = 1000;
constexpr Int kAbsent = kNone + 1;   // represents an attribute without a value

}   // namespace

// Declares the implicit kind of each card type that has no cards. Must run before any rule is declared, because the
// kind can carry rules.
static void declare_own_kinds(SemaContext& sema) {
  for (std::uint32_t t = 0; t < sema.types.cards.size(); ++t) {
    const bool is_base = std::any_of(sema.model.card_types.begin(), sema.model.card_types.end(),
                                     [&](const model::CardType& c) { return c.base && c.base->index == t; });
    if (sema.types.cards[t].node && !is_base && kinds_of_type(sema, t).empty()) implicit_kind(sema, {t});
  }
  // A deck may contain cards of the type itself, even if the type has named cards.
  const auto rows = [&](auto&& self, const Node* n) -> void {
    if (!n) return;
    if (n->kind == NodeKind::deck_row)
      if (auto t = sema.names.card_types.find(n->text);
          t != sema.names.card_types.end() && sema.types.cards[t->second].node)
        implicit_kind(sema, {t->second});
    for (const Node* c : n->children) self(self, c);
  };
  for (const Decl& d : sema.collected.decls)
    if (d.node && d.node->kind == NodeKind::deck) rows(rows, d.node);
}

// Declares an attribute. A record or table becomes one attribute per field or entry. Returns the attributes with their
// defaults.
static std::vector<Declared> declare_attribute(SemaContext& sema, const Node* field, std::string_view owner,
                                               Composed& composed) {
  Type t = view::field(field).type() ? type_or_poison(sema, view::field(field).type()) : plain_type(TypeKind::poison);
  if (!view::field(field).type())
    error(sema, "bad_attribute"_code, field->range,
          fmt::format("the attribute `{}` of `{}` needs a type", field->text, owner),
          fmt::format("`{}: int`", field->text));
  const std::string name(field->text);
  std::vector<Part> leaves = attribute_leaves(sema, t, name, unit_of_type(sema, view::field(field).type()));
  const auto unfit = [&](const Part& p) {
    const bool set = p.type.kind == TypeKind::set;
    const Type& of = set ? *p.type.elem : p.type;
    if (is_part(sema, of)) return true;
    if (of.kind == TypeKind::enumeration) return set && has_wide_sets(sema, of);
    return of.kind != TypeKind::integer &&
           (set || (of.kind != TypeKind::boolean && of.kind != TypeKind::kind && of.kind != TypeKind::poison));
  };
  bool has_entry_for_parts = false;
  for (const Type* table = &t; table->kind == TypeKind::map; table = table->elem.get())
    has_entry_for_parts = has_entry_for_parts || is_part(sema, *table->key);
  if (leaves.empty() || has_entry_for_parts || std::any_of(leaves.begin(), leaves.end(), unfit)) {
    const auto bad = std::find_if(leaves.begin(), leaves.end(), unfit);
    const std::string because =
        leaves.size() > 1 && bad != leaves.end()
            ? fmt::format(": its `{}` has type `{}`", bad->name.substr(name.size() + 1), show(sema, bad->type))
            : "";
    const bool of_many = bad != leaves.end() && bad->type.kind == TypeKind::set &&
                         bad->type.elem->kind == TypeKind::enumeration && !sema.model.enums[bad->type.elem->ref].cells;
    error(sema, "unsupported"_code, view::field(field).type()->range,
          fmt::format("an attribute can't have type `{}`{}", show(sema, leaves.size() == 1 ? leaves[0].type : t),
                      because),
          of_many ? fmt::format("a set in an attribute needs an enum with at most {} constants", kMostInSet + 1) : "");
    t = plain_type(TypeKind::poison);
    leaves = {{name, t}};
  }
  const bool whole = t.kind == TypeKind::map || t.kind == TypeKind::record;
  if (whole) composed.emplace(name, t);
  if (const Node* seen = view::field(field).words(); seen && !seen->children.empty())
    error(sema, "misplaced"_code, seen->range,
          "an attribute can't have a visibility; it is visible to whoever sees the card",
          "set the visibility of zones (`zone hand: owner`) or of variables of players");
  const std::vector<WrittenPart> written =
      written_attribute(sema, whole ? &t : nullptr, name, view::field(field).initial());
  if (sema.model.attributes.size() + leaves.size() > kMostAttributes)
    error(sema, "limit_exceeded"_code, field->range,
          fmt::format("too many attributes; the limit is {}", kMostAttributes));
  std::vector<Declared> out;
  for (const Part& leaf : leaves) {
    const auto written_value =
        std::find_if(written.begin(), written.end(), [&](const WrittenPart& w) { return w.name == leaf.name; });
    out.push_back({{static_cast<std::uint32_t>(sema.model.attributes.size())},
                   written_value == written.end() ? nullptr : written_value->value});
    if (!leaf.unit.empty()) sema.types.attribute_units.emplace(sema.model.attributes.size(), leaf.unit);
    sema.model.attributes.push_back(
        {.name = leaf.name, .type = leaf.type, .unprinted = field->number == 5, .range = field->range});
  }
  return out;
}

// Sorts the constants of a numbered enum by their numbers.
static void order_by_number(SemaContext& sema, std::uint32_t id) {
  std::vector<model::EnumConst>& constants = sema.model.enums[id].constants;
  std::vector<const Node*>& written = sema.types.enums[id].written;
  std::vector<std::size_t> order(constants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return constants[i].number; });
  if (std::ranges::is_sorted(order)) return;
  std::vector<model::EnumConst> sorted;
  std::vector<const Node*> sorted_written;
  for (const std::size_t i : order) {
    for (auto& [of, index] : sema.names.constants[constants[i].name])
      if (of == id) index = static_cast<Int>(sorted.size());
    sorted.push_back(std::move(constants[i]));
    sorted_written.push_back(written[i]);
  }
  constants = std::move(sorted);
  written = std::move(sorted_written);
}

// Declares an enum and its constants. The attributes of the constants are checked when the constants of all enums are
// known, because they can refer to other enums: `next: set of Town` in `enum Town`.
static void declare_enum(SemaContext& sema, const Decl& d) {
  const Node* node = d.node;
  if (auto [it, fresh] =
          sema.names.enums.emplace(std::string(node->text), static_cast<std::uint32_t>(sema.model.enums.size()));
      !fresh) {
    twice(sema, node, "enum", sema.model.enums[it->second].range);
    return;
  }
  const auto id = static_cast<std::uint32_t>(sema.model.enums.size());
  sema.model.enums.push_back({});
  model::Enum& e = sema.model.enums.back();
  e.name = node->text;
  e.range = name_range(sema, node);
  EnumInfo& info = sema.types.enums[id];
  info.decl = d;
  Int next = 0;
  if (const Node* list = view::enum_decl(node).constants())
    expand(sema, list, model::RuleKind::rule, [&](const Node* n, model::RuleKind) {
      if (n->kind == NodeKind::field) {
        info.fields.push_back(n);
        return;
      }
      if (n->kind != NodeKind::enum_const) return;
      model::Enum& e = sema.model.enums[id];
      if (e.constants.size() >= model::kMostConstants) {
        if (e.constants.size() == model::kMostConstants)
          error(sema, "limit_exceeded"_code, name_range(sema, n),
                fmt::format("too many constants in `{}`; the limit is {}", e.name, model::kMostConstants));
        return;
      }
      if (view::enum_const(n).value()) {
        if (auto v = tree_int(sema, view::enum_const(n).value())) next = *v;
        e.numbered = true;
      }
      if (has_constant(sema, id, n->text)) {
        error(sema, "duplicate_declaration"_code, name_range(sema, n),
              fmt::format("duplicate constant `{}` in `{}`", n->text, e.name));
        return;
      }
      sema.names.constants[std::string(n->text)].push_back({id, static_cast<Int>(e.constants.size())});
      e.constants.push_back({.name = std::string(n->text),
                             .label = split_words(n->text),
                             .number = next++,
                             .attributes = {},
                             .text = {},
                             .range = n->range});
      info.written.push_back(n);
    });
  order_by_number(sema, id);
  if (view::enum_decl(node).csv()) enum_csv(sema, id);
  if (sema.model.enums[id].constants.empty() && !view::enum_decl(node).csv())
    error(sema, "bad_attribute"_code, name_range(sema, node),
          fmt::format("the enum `{}` has no constants", node->text));
}

static void enum_attributes(SemaContext& sema, std::uint32_t id) {
  EnumInfo& info = sema.types.enums[id];
  std::vector<std::string> order;
  std::vector<Declared> declared;
  for (const Node* f : info.fields) {
    order.emplace_back(f->text);
    for (const Declared& a : declare_attribute(sema, f, sema.model.enums[id].name, sema.records.of_enums[id]))
      declared.push_back(a);
  }
  for (const Declared& a : declared) sema.model.enums[id].attributes.push_back(a.id);
  for (model::EnumConst& c : sema.model.enums[id].constants) c.attributes.resize(declared.size(), kAbsent);
  if (info.table) enum_csv_attributes(sema, id);
  for (std::size_t i = 0; i < info.written.size(); ++i)
    if (view::enum_const(info.written[i]).arguments()) constant_arguments(sema, id, i, order);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const std::optional<Int> initial =
        declared[i].initial ? attribute_value(sema, declared[i].id, declared[i].initial) : std::nullopt;
    for (model::EnumConst& c : sema.model.enums[id].constants) {
      if (c.attributes[i] != kAbsent) continue;
      const model::Attribute& a = sema.model.attributes[declared[i].id.index];
      c.attributes[i] = declared[i].initial ? initial.value_or(0) : default_without_declaration(a.type);
      if (c.attributes[i] == kAbsent) {
        error(sema, "bad_attribute"_code, c.range,
              fmt::format("`{}` has no value for the attribute `{}`", c.name, a.name),
              fmt::format("write `{}({}: …)`, fill the enum from a CSV file, or give the attribute a default", c.name,
                          a.name.substr(0, a.name.find('.'))));
        c.attributes[i] = 0;
      }
    }
  }
}

// Returns the default value of an attribute whose declaration contains none.
static Int default_without_declaration(const Type& type) {
  return type.optional || type.kind == TypeKind::poison ? kNone : type.kind == TypeKind::set ? 0 : kAbsent;
}

// Sets the attributes in `Oslo(next: [Rome])`. Arguments are either named or in declaration order.
static void constant_arguments(SemaContext& sema, std::uint32_t id, std::size_t constant,
                               const std::vector<std::string>& order) {
  std::size_t at = 0;
  std::set<std::string_view> given;
  for (const Node* a : view::enum_const(sema.types.enums[id].written[constant]).arguments()->children) {
    if (a->text.empty() && at >= order.size()) {
      error(sema, "bad_attribute"_code, a->range,
            fmt::format("too many values: `{}` has {} attribute{}", sema.model.enums[id].name, order.size(),
                        order.size() == 1 ? "" : "s"));
      return;
    }
    const std::string_view name = a->text.empty() ? std::string_view(order[at]) : a->text;
    at = a->text.empty() ? at + 1
                         : static_cast<std::size_t>(std::find(order.begin(), order.end(), name) - order.begin()) + 1;
    if (!given.insert(name).second)
      error(sema, "wrong_arguments"_code, a->range, fmt::format("duplicate argument `{}`", name));
    else
      set_constant_attribute(sema, id, constant, a->range, name, view::arg(a).value());
  }
}

static void set_constant_attribute(SemaContext& sema, std::uint32_t id, std::size_t constant, Range at,
                                   std::string_view name, const Node* value) {
  model::Enum& e = sema.model.enums[id];
  for (const WrittenPart& p : written_attribute(sema, composed_of_enum(sema, id, name), name, value)) {
    const auto a = attribute_of_enum(sema, {id}, p.name);
    if (!a) {
      error(sema, "unknown_member"_code, at, fmt::format("`{}` has no attribute `{}`", e.name, name),
            did_you_mean(name, members_of(sema, enum_type(id))));
      return;
    }
    if (const auto v = attribute_value(sema, *a, p.value))
      e.constants[constant].attributes[static_cast<std::size_t>(
          std::find(e.attributes.begin(), e.attributes.end(), *a) - e.attributes.begin())] = *v;
  }
}

// Applies the `where` of `enum Weapon from "weapons.csv" where C`, so that only the constants that satisfy C remain.
static void filter_constants(SemaContext& sema, std::uint32_t id, const Node* where) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = rule.constant = true;
  std::vector<model::EnumConst> remaining;
  std::vector<Int> now(sema.model.enums[id].constants.size(), kNone);
  bool good = true;
  {
    for (std::size_t i = 0; i < sema.model.enums[id].constants.size() && good; ++i) {
      Scoped scope(rule);
      rule.elements.push_back({constant(sema, enum_type(id), static_cast<Int>(i), where->range), true});
      const Expr* c = condition(rule, where);
      const auto holds = is_poison(c) ? std::nullopt : evaluate(sema, *c);
      if (!holds && !is_poison(c))
        not_known(sema, where->range, "the condition must be known before the game starts",
                  "it may use attributes, options and `const`s");
      good = holds.has_value();
      if (!good || !holds->value) continue;
      now[i] = static_cast<Int>(remaining.size());
      remaining.push_back(sema.model.enums[id].constants[i]);
    }
  }
  if (!good) return;
  if (remaining.empty())
    return void(
        error(sema, "bad_attribute"_code, where->range,
              fmt::format("no line satisfies the condition, so `{}` has no constants", sema.model.enums[id].name)));
  for (auto& [name, constants] : sema.names.constants)
    std::erase_if(constants, [&](const auto& c) { return c.first == id; });
  for (std::size_t i = 0; i < remaining.size(); ++i) {
    if (!sema.model.enums[id].numbered) remaining[i].number = static_cast<Int>(i);
    sema.names.constants[remaining[i].name].push_back({id, static_cast<Int>(i)});
  }
  std::erase_if(sema.names.constants, [](const auto& entry) { return entry.second.empty(); });
  sema.model.enums[id].constants = std::move(remaining);
  remap_constants(sema, id, now);
}

// Updates attributes whose values are constants of this enum after some of its constants have been removed. `now` maps
// old constants to new ones.
static void remap_constants(SemaContext& sema, std::uint32_t id, const std::vector<Int>& now) {
  const auto is = [&](Int constant) { return now[static_cast<std::size_t>(constant)]; };
  for (model::Enum& e : sema.model.enums)
    for (std::size_t i = 0; i < e.attributes.size(); ++i) {
      const model::Attribute& a = sema.model.attributes[e.attributes[i].index];
      const bool set = a.type.kind == TypeKind::set;
      const Type& of = set ? *a.type.elem : a.type;
      if (of.kind != TypeKind::enumeration || of.ref != id) continue;
      for (model::EnumConst& c : e.constants) {
        if (c.attributes[i] == kNone) continue;
        const Int before = std::exchange(c.attributes[i], 0);
        if (!set) c.attributes[i] = is(before);
        for (Int k = 0; set && k < static_cast<Int>(now.size()); ++k)
          if ((before >> k & 1) && is(k) != kNone) c.attributes[i] |= Int{1} << is(k);
        if (!set && is(before) == kNone && !a.type.optional)
          error(sema, "bad_attribute"_code, c.range,
                fmt::format("the `{}` of `{}` is a constant that the condition excludes", a.name, c.name),
                fmt::format("declare it optional: `{}: {}?`", a.name, show(sema, a.type)));
      }
    }
}

static void declare_character_types(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind != NodeKind::character_type) continue;
    if (sema.names.enums.contains(d.node->text)) {
      error(sema, "duplicate_declaration"_code, name_range(sema, d.node),
            fmt::format("duplicate enum or character type `{}`", d.node->text));
      continue;
    }
    const auto id = static_cast<std::uint32_t>(sema.model.enums.size());
    sema.names.enums.emplace(std::string(d.node->text), id);
    sema.model.enums.push_back({});
    sema.model.enums.back().name = d.node->text;
    sema.model.enums.back().character = true;
    sema.model.enums.back().range = d.node->range;
    sema.types.enums[id].decl = d;
  }
}

// Returns the declared type of a character or, if none is declared, the game's only character type.
static std::optional<std::uint32_t> character_type_of(SemaContext& sema, const Node* character) {
  if (const Node* t = view::character(character).type()) {
    auto it = sema.names.enums.find(t->text);
    if (it != sema.names.enums.end() && sema.model.enums[it->second].character) return it->second;
    std::vector<std::string> names;
    for (const auto& [name, id] : sema.names.enums)
      if (sema.model.enums[id].character) names.push_back(name);
    error(sema, "unknown_name"_code, t->range, fmt::format("unknown character type `{}`", t->text),
          did_you_mean(t->text, names));
    return std::nullopt;
  }
  std::uint32_t type = ~0u;
  for (std::uint32_t e = 0; e < sema.model.enums.size(); ++e)
    if (sema.model.enums[e].character) type = type == ~0u ? e : ~1u;
  if (type < sema.model.enums.size()) return type;
  error(sema, "unknown_name"_code, name_range(sema, character),
        fmt::format("the character `{}` needs a type", character->text),
        "`character type Hero { }`, then `character Bob: Hero`");
  return std::nullopt;
}

static void declare_characters(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) {
    const Node* n = d.node;
    if (n->kind != NodeKind::character) continue;
    const auto type = character_type_of(sema, n);
    if (!type) continue;
    model::Enum& e = sema.model.enums[*type];
    if (e.constants.size() >= model::kMostCharacters) {
      error(sema, "limit_exceeded"_code, name_range(sema, n),
            fmt::format("too many characters; the limit is {}", model::kMostCharacters));
      continue;
    }
    if (std::any_of(e.constants.begin(), e.constants.end(), [&](const auto& c) { return c.name == n->text; })) {
      error(sema, "duplicate_declaration"_code, name_range(sema, n), fmt::format("duplicate character `{}`", n->text));
      continue;
    }
    sema.types.enums[*type].characters.push_back({e.constants.size(), n});
    sema.names.constants[std::string(n->text)].push_back({*type, static_cast<Int>(e.constants.size())});
    e.constants.push_back(
        {.name = std::string(n->text),
         .label = view::character(n).label() ? plain_words(sema, view::character(n).label()) : split_words(n->text),
         .number = static_cast<Int>(e.constants.size()),
         .attributes = {},
         .text = {},
         .range = n->range});
  }
}

static void character_attributes(SemaContext& sema, std::uint32_t type) {
  const EnumInfo& info = sema.types.enums[type];
  std::vector<Declared> declared;
  expand(sema, members_of_node(info.decl.node), model::RuleKind::card, [&](const Node* n, model::RuleKind) {
    if (n->kind != NodeKind::field) return;
    for (const Declared& a : declare_attribute(sema, n, info.decl.node->text, sema.records.of_enums[type]))
      declared.push_back(a);
  });
  model::Enum& e = sema.model.enums[type];
  for (const Declared& a : declared) e.attributes.push_back(a.id);
  for (const auto& [constant, node] : info.characters) {
    model::EnumConst& c = e.constants[constant];
    c.attributes.assign(declared.size(), kAbsent);
    declare_character_parts(sema, type, constant, node);
    for (std::size_t i = 0; i < declared.size(); ++i) {
      if (c.attributes[i] != kAbsent) continue;
      const model::Attribute& a = sema.model.attributes[declared[i].id.index];
      c.attributes[i] = declared[i].initial ? attribute_value(sema, declared[i].id, declared[i].initial).value_or(0)
                                            : default_without_declaration(a.type);
      if (c.attributes[i] == kAbsent) {
        error(sema, "bad_attribute"_code, name_range(sema, node),
              fmt::format("`{}` has no value for the attribute `{}`", node->text, a.name),
              fmt::format("write `character {}: {}, {} …`", node->text, e.name, a.name));
        c.attributes[i] = 0;
      }
    }
  }
}

static void declare_character_parts(SemaContext& sema, std::uint32_t type, std::size_t constant, const Node* node) {
  const view::character its(node);
  if (its.attributes())
    for (const Node* a : its.attributes()->children)
      if (a) set_constant_attribute(sema, type, constant, a->range, a->text, view::attr(a).value());
  expand(sema, members_of_node(node), model::RuleKind::card, [&](const Node* m, model::RuleKind) {
    if (m->kind == NodeKind::field && !view::field(m).type() && view::field(m).initial())
      set_constant_attribute(sema, type, constant, m->range, m->text, view::field(m).initial());
    else if (m->kind == NodeKind::field)
      error(sema, "bad_attribute"_code, m->range, "attributes must be declared in the character type");
    if (m->kind == NodeKind::text_decl)
      sema.model.enums[type].constants[constant].text = plain_words(sema, view::text_decl(m).words());
  });
}

static void declare_card_types(SemaContext& sema) {
  std::vector<const Decl*> order;
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind != NodeKind::card_type) continue;
    const auto id = static_cast<std::uint32_t>(sema.model.card_types.size());
    if (sema.names.card_types.contains(d.node->text)) {
      error(sema, "duplicate_declaration"_code, name_range(sema, d.node),
            fmt::format("duplicate card type `{}`", d.node->text));
      continue;
    }
    sema.names.card_types.emplace(std::string(d.node->text), id);
    sema.model.card_types.push_back(
        {.name = std::string(d.node->text),
         .base = {},
         .label = view::card_type(d.node).label() ? std::string(view::card_type(d.node).label()->text) : "",
         .range = d.node->range});
    sema.types.cards.push_back({.node = d.node, .own = {}, .order = {}, .composed = {}, .initial = {}, .implicit = {}});
    order.push_back(&d);
  }
  for (std::uint32_t t = 0; t < sema.types.cards.size(); ++t) {
    const Node* base = view::card_type(sema.types.cards[t].node).base();
    if (!base) continue;
    auto it = sema.names.card_types.find(base->text);
    if (it == sema.names.card_types.end()) {
      std::vector<std::string> names;
      for (const auto& [n, id] : sema.names.card_types) names.push_back(n);
      error(sema, "unknown_name"_code, base->range, fmt::format("unknown card type `{}`", base->text),
            did_you_mean(base->text, names));
      continue;
    }
    if (is_a(sema, it->second, t)) {
      error(sema, "circular"_code, base->range,
            fmt::format("circular base types: `{}` and `{}`", sema.types.cards[t].node->text, base->text));
      continue;
    }
    sema.model.card_types[t].base = model::CardTypeId{it->second};
  }
  const auto anonymous = std::find_if(sema.collected.decls.begin(), sema.collected.decls.end(), [](const Decl& d) {
    return d.node->kind == NodeKind::card && !view::card(d.node).base();
  });
  if (anonymous == sema.collected.decls.end() || sema.types.cards.size() == 1 || sema.names.card_types.contains("card"))
    return;
  sema.names.card_types.emplace(
      "card", static_cast<std::uint32_t>(sema.types.cards.size()));   // the type of cards without a declared type
  sema.model.card_types.push_back({.name = "card", .base = {}, .label = "", .range = anonymous->node->range});
  sema.types.cards.push_back({});
}

static void declare_card_attributes(SemaContext& sema) {
  for (std::uint32_t t = 0; t < sema.types.cards.size(); ++t) {
    const Node* node = sema.types.cards[t].node;
    expand(sema, members_of_node(node), model::RuleKind::card, [&](const Node* n, model::RuleKind) {
      if (n->kind != NodeKind::field) return;
      if (!view::field(n).type() && view::field(n).initial()) {   // `{ number 3 }` sets an inherited attribute
        for (const WrittenPart& p :
             written_attribute(sema, composed_attribute(sema, t, n->text), n->text, view::field(n).initial())) {
          if (auto a = attribute_of_type(sema, {t}, p.name))
            sema.types.cards[t].initial[a->index] = p.value;
          else
            error(sema, "unknown_member"_code, n->range,
                  fmt::format("`{}` has no attribute `{}`", node->text, n->text));
        }
        return;
      }
      if (attribute_of_type(sema, {t}, n->text) || composed_attribute(sema, t, n->text)) {
        error(sema, "duplicate_declaration"_code, name_range(sema, n),
              fmt::format("duplicate attribute in `{}`: `{}`", node->text, n->text));
        return;
      }
      sema.types.cards[t].order.emplace_back(n->text);
      for (const Declared& a : declare_attribute(sema, n, node->text, sema.types.cards[t].composed)) {
        sema.types.cards[t].own.push_back(a.id);
        if (a.initial) sema.types.cards[t].initial[a.id.index] = a.initial;
      }
    });
    if (node && view::card_type(node).label())
      sema.model.card_types[t].label = printed_text(sema, view::card_type(node).label(), t, "label");
  }
}

static void declare_kinds(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) {
    const Node* n = d.node;
    if (n->kind != NodeKind::card) continue;
    const std::optional<std::uint32_t> type = type_of_card(sema, n);
    if (!type) {
      std::vector<std::string> names;
      for (const auto& [name, id] : sema.names.card_types) names.push_back(name);
      error(sema, "unknown_name"_code, view::card(n).base()->range,
            fmt::format("unknown card type `{}`", view::card(n).base()->text),
            did_you_mean(view::card(n).base()->text, names));
      sema.names.kinds.emplace(std::string(n->text), ~0u);
      continue;
    }
    if (const auto other = sema.names.kinds.find(n->text); other != sema.names.kinds.end() &&
                                                           sema.types.kinds[other->second].node &&
                                                           !sema.types.kinds[other->second].implicit) {
      twice(sema, n, "card", name_range(sema, sema.types.kinds[other->second].node));
      continue;
    }
    if (sema.names.kinds.contains(n->text) || sema.names.card_types.contains(n->text)) {
      error(sema, "duplicate_declaration"_code, name_range(sema, n),
            fmt::format("duplicate card or card type `{}`", n->text));
      continue;
    }
    if (sema.model.kinds.size() >= kMostKinds) {
      error(sema, "limit_exceeded"_code, name_range(sema, n),
            fmt::format("too many cards; the limit is {}", kMostKinds));
      return;
    }
    sema.names.kinds.emplace(std::string(n->text), static_cast<std::uint32_t>(sema.model.kinds.size()));
    sema.model.kinds.push_back({.name = std::string(n->text),
                                .label = view::card(n).label()
                                             ? printed_text(sema, view::card(n).label(), *type, "name")
                                             : split_words(n->text),
                                .text = {},
                                .type = {*type},
                                .range = name_range(sema, n)});
    sema.types.kinds.push_back({.node = n, .attributes = {}, .in_deck = false, .implicit = false});
    KindInfo& info = sema.types.kinds.back();
    const auto assign = [&](const Node* at, const Node* value) {
      for (const WrittenPart& p : written_attribute(sema, composed_attribute(sema, *type, at->text), at->text, value)) {
        auto a = attribute_of_type(sema, {*type}, p.name);
        if (!a) {
          std::vector<std::string> names = members_of(sema, card_type(*type));
          error(sema, "unknown_member"_code, at->range,
                fmt::format("`{}` has no attribute `{}`", sema.model.card_types[*type].name, at->text),
                did_you_mean(at->text, names));
          info.wrong = true;
          return;
        }
        info.attributes[a->index] = attribute_value(sema, *a, p.value).value_or(kNone);
      }
    };
    std::set<std::string_view> set_names;   // names of the attributes set so far; a `with` may set one again
    if (view::card(n).attributes())
      for (const Node* a : view::card(n).attributes()->children)
        if (a) set_names.insert(a->text), assign(a, view::attr(a).value());
    if (const Node* members = members_of_node(n))
      for (const Node* m : members->children)
        if (m && m->kind == NodeKind::field && view::field(m).initial() && !view::field(m).type() &&
            !set_names.insert(m->text).second)
          error(sema, "duplicate_clause"_code, m->range, fmt::format("duplicate attribute `{}`", m->text),
                "remove one of the two");
    expand(sema, members_of_node(n), model::RuleKind::card, [&](const Node* m, model::RuleKind) {
      if (m->kind == NodeKind::field && view::field(m).type())
        error(sema, "bad_attribute"_code, m->range, "attributes must be declared in the card type",
              fmt::format("`card type {} {{ {}: … }}`", sema.model.card_types[*type].name, m->text));
      else if (m->kind == NodeKind::field && view::field(m).initial())
        assign(m, view::field(m).initial());
      if (m->kind == NodeKind::text_decl)
        sema.model.kinds.back().text = printed_text(sema, view::text_decl(m).words(), *type, "text");
    });
    if (sema.model.kinds.back().text.empty()) sema.model.kinds.back().text = text_of_type(sema, *type);
  }
}

bool declare_types(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls)
    if (d.node->kind == NodeKind::card_type) sema.names.card_types.emplace(std::string(d.node->text), 0);
  sema.names.card_types.clear();
  declare_card_types(sema);   // declares the names first, because attributes can have any type
  declare_records(sema);
  for (const Decl& d : sema.collected.decls)
    if (d.node->kind == NodeKind::enum_decl) declare_enum(sema, d);
  for (const Decl& d : sema.collected.decls)
    if (d.node->kind == NodeKind::board) declare_board(sema, d);
  if (!check_boards(sema)) return false;
  declare_character_types(sema);
  declare_characters(sema);
  name_areas(sema);
  for (const auto& [id, info] : sema.types.enums)
    sema.model.enums[id].character ? character_attributes(sema, id) : enum_attributes(sema, id);
  for (const auto& [id, info] : sema.types.enums)
    if (!sema.model.enums[id].character && view::enum_decl(info.decl.node).where())
      filter_constants(sema, id, view::enum_decl(info.decl.node).where());
  sema.types.enums.clear();
  count_areas(sema);
  for (std::uint32_t r = 0; r < sema.records.infos.size(); ++r) build_record(sema, r);
  declare_card_attributes(sema);
  declare_kinds(sema);
  declare_own_kinds(sema);
  return true;
}

}   // namespace cardwright::sema
