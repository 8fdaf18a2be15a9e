// Evaluates the attributes of cards: printed values, values of a copy, and default values.
#include "compiler/sema/expressions/card_attributes.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/loading/csv.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/texts.h"
#include "compiler/sema/symbols/types.h"
#include "support/decimal.h"

namespace cardwright::sema {

static std::optional<Int> attribute_value(SemaContext& sema, const Type& type, std::string_view name,
                                          const Node* value);

static std::optional<Int> attribute_set(SemaContext& sema, const Type& type, std::string_view name, const Node* value);

static std::optional<Int> attribute_text(SemaContext& sema, const Type& type, std::string_view name,
                                         std::string_view unit, std::string_view text, Range range);

static Int mask_of(const std::vector<Int>& elements) {
  Int mask = 0;
  for (const Int e : elements) mask |= Int{1} << e;
  return mask;
}

const Node* members_of_node(const Node* n) {
  if (!n) return nullptr;
  switch (n->kind) {
    case NodeKind::card_type: return view::card_type(n).members();
    case NodeKind::card: return view::card(n).members();
    case NodeKind::character_type: return view::character_type(n).members();
    case NodeKind::character: return view::character(n).members();
    default: return nullptr;
  }
}

std::string text_of_type(SemaContext& sema, std::uint32_t type) {
  std::uint32_t of = type;
  for (std::size_t steps = 0; steps <= sema.types.cards.size() && of < sema.types.cards.size(); ++steps) {
    std::string words;
    if (sema.types.cards[of].node)
      expand(sema, members_of_node(sema.types.cards[of].node), model::RuleKind::card,
             [&](const Node* m, model::RuleKind) {
               if (m->kind == NodeKind::text_decl) words = printed_text(sema, view::text_decl(m).words(), type, "text");
             });
    if (!words.empty() || !sema.model.card_types[of].base) return words;
    of = sema.model.card_types[of].base->index;
  }
  return {};
}

model::KindId implicit_kind(SemaContext& sema, model::CardTypeId type) {
  TypeInfo& info = sema.types.cards[type.index];
  if (info.implicit) return *info.implicit;
  const model::CardType& t = sema.model.card_types[type.index];
  const model::KindId id{static_cast<std::uint32_t>(sema.model.kinds.size())};
  const bool varies = t.label.find('{') != std::string::npos;
  sema.model.kinds.push_back({.name = t.name,
                              .label = t.label.empty() || varies ? split_words(t.name) : t.label,
                              .text = text_of_type(sema, type.index),
                              .type = type,
                              .range = t.range});
  sema.types.kinds.push_back({.node = info.node, .attributes = {}, .in_deck = true, .implicit = true});
  info.implicit = id;
  return id;
}

std::string printed_text(SemaContext& sema, const Node* text, std::uint32_t type, std::string_view what) {
  return filled_in(sema, text, [&](Range at, std::string_view inside) {
    if (!attribute_of_type(sema, {type}, inside))
      error(sema, "unknown_name"_code, at,
            fmt::format("`{}` has no attribute `{}`", sema.model.card_types[type].name, inside),
            fmt::format("the {} of a card{} can contain its attributes, but no other expressions", what,
                        what == "label" ? " type" : ""));
    return fmt::format("{{{}}}", inside);
  });
}

bool fits_attribute(SemaContext& sema, const Type& type, std::string_view name, Int value, Range range, bool table) {
  if (type.kind != TypeKind::integer || value == kNone || (value >= type.lo && value <= type.hi)) return true;
  error(sema, table ? "bad_csv"_code : "out_of_range"_code, range,
        fmt::format("value of `{}` out of range; expected {} to {}, found {}", name, type.lo, type.hi, value));
  return false;
}

std::optional<Int> attribute_value(SemaContext& sema, model::AttributeId attribute, const Node* value) {
  const model::Attribute& a = sema.model.attributes[attribute.index];
  return attribute_value(sema, a.type, a.name, value);
}

// Returns the value of an attribute. If the value is a set, returns its mask.
static std::optional<Int> attribute_value(SemaContext& sema, const Type& type, std::string_view name,
                                          const Node* value) {
  if (!value || type.kind == TypeKind::poison) return std::nullopt;
  if (type.kind == TypeKind::set) return attribute_set(sema, type, name, value);
  if (value->kind == NodeKind::none_lit) {
    if (type.optional) return kNone;
    error(sema, "wrong_type"_code, value->range, fmt::format("the attribute `{}` can't be none", name),
          "declare it optional: `T?`");
    return std::nullopt;
  }
  if (value->kind == NodeKind::name_ref && !sema.constants.generator.contains(value->text)) {
    if (type.kind == TypeKind::enumeration) {
      const model::Enum& e = sema.model.enums[type.ref];
      for (std::size_t i = 0; i < e.constants.size(); ++i)
        if (e.constants[i].name == value->text) return static_cast<Int>(i);
      std::vector<std::string> names;
      for (const auto& c : e.constants) names.push_back(c.name);
      error(sema, "bad_attribute"_code, value->range,
            fmt::format("`{}` is not a constant of `{}`", value->text, e.name), did_you_mean(value->text, names));
      return std::nullopt;
    }
    if (type.kind == TypeKind::kind)
      if (auto it = sema.names.kinds.find(value->text); it != sema.names.kinds.end()) return it->second;
  }
  auto f = tree_constant(sema, value);
  if (!f) return std::nullopt;
  switch (type.kind) {
    case TypeKind::enumeration:
      if (f->kind == TreeConstant::Kind::enumeration && f->ref == type.ref) return f->value;
      break;
    case TypeKind::boolean:
      if (f->kind == TreeConstant::Kind::boolean) return f->value;
      break;
    case TypeKind::integer:
      if (f->kind == TreeConstant::Kind::enumeration)
        f->value = sema.model.enums[f->ref].constants[f->value].number, f->kind = TreeConstant::Kind::integer;
      if (f->kind == TreeConstant::Kind::integer)
        return fits_attribute(sema, type, name, f->value, value->range) ? std::optional<Int>(f->value) : std::nullopt;
      break;
    case TypeKind::player:
    case TypeKind::card:
    case TypeKind::kind:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  error(sema, "wrong_type"_code, value->range,
        fmt::format("the value of `{}` must be of type `{}`", name, show(sema, type)));
  return std::nullopt;
}

static std::optional<Int> attribute_set(SemaContext& sema, const Type& type, std::string_view name, const Node* value) {
  if (value->kind != NodeKind::list_lit) {
    error(sema, "wrong_type"_code, value->range,
          fmt::format("the value of `{}` must be of type `{}`", name, show(sema, type)), "write a set as `[a, b]`");
    return std::nullopt;
  }
  std::vector<Int> elements;
  for (const Node* element : value->children) {
    const auto e = attribute_value(sema, *type.elem, name, element);
    if (!e) return std::nullopt;
    elements.push_back(*e);
  }
  return mask_of(elements);
}

// Converts a field of a CSV file to the value of an attribute.
std::optional<Int> attribute_text(SemaContext& sema, model::AttributeId attribute, std::string_view text, Range range) {
  const model::Attribute& a = sema.model.attributes[attribute.index];
  const auto unit = sema.types.attribute_units.find(attribute.index);
  return attribute_text(sema, a.type, a.name,
                        unit == sema.types.attribute_units.end() ? std::string_view{} : unit->second, text, range);
}

// Parses a number in the unit of its column.
static std::optional<Int> number_text(SemaContext& sema, std::string_view unit, std::string_view text, Range range) {
  const std::string plain = loading::plain_number(text);
  const bool negative = plain.starts_with('-');
  const auto d = read_decimal(std::string_view(plain).substr(negative ? 1 : 0));
  if (!d || (unit.empty() && d->scale > 1)) return std::nullopt;
  Int value = d->digits;
  if (!unit.empty()) {
    Node scale{.kind = NodeKind::number, .range = range, .number = d->scale};
    Node* const scales[] = {&scale};
    const Node number{.kind = NodeKind::number, .range = range, .text = unit, .number = d->digits, .children = scales};
    const auto parts = in_units(sema, &number, true);
    if (!parts) return std::nullopt;
    value = *parts;
  }
  return negative ? -value : value;
}

// Returns the constant that a field means: by its name, its label, or either of them without regard to case and blanks.
static std::optional<Int> constant_text(SemaContext& sema, const Type& type, std::string_view text) {
  const model::Enum& e = sema.model.enums[type.ref];
  // The second name of an edge, and names without the prefix of a board, are also accepted.
  if (const auto named = sema.names.constants.find(text); named != sema.names.constants.end() && (e.cells || e.dirs))
    for (const auto& [of, constant] : named->second)
      if (of == type.ref) return constant;
  const auto first = [&](const auto& fits) -> std::optional<Int> {
    const auto found = std::find_if(e.constants.begin(), e.constants.end(), fits);
    return found == e.constants.end() ? std::nullopt : std::optional<Int>(found - e.constants.begin());
  };
  if (const auto equal = first([&](const auto& c) { return c.name == text || c.label == text; })) return equal;
  const std::string wanted = loading::folded(text);
  const auto alike = [&](const auto& c) {
    return loading::folded(c.name) == wanted || loading::folded(c.label) == wanted;
  };
  if (std::count_if(e.constants.begin(), e.constants.end(), alike) != 1) return std::nullopt;
  return first(alike);
}

std::vector<std::uint32_t> kinds_of_text(const SemaContext& sema, std::string_view text) {
  if (const auto named = sema.names.kinds.find(text); named != sema.names.kinds.end()) return {named->second};
  std::vector<std::uint32_t> found;
  const auto add = [&](const auto& fits) {
    for (std::uint32_t k = 0; k < sema.model.kinds.size() && k < sema.types.kinds.size(); ++k)
      if (!sema.types.kinds[k].implicit && fits(sema.model.kinds[k])) found.push_back(k);
  };
  add([&](const model::Kind& k) { return k.label == text; });
  const std::string wanted = loading::folded(text);
  if (found.empty() && !wanted.empty())
    add([&](const model::Kind& k) { return loading::folded(k.name) == wanted || loading::folded(k.label) == wanted; });
  return found;
}

// Splits the elements of a set: `Oslo Rome`, or, if they contain blanks, `New York, Rome` and `New York; Rome`.
static std::vector<std::string_view> elements_of(std::string_view text) {
  const std::string_view separators = text.find_first_of(",;") == std::string_view::npos ? " " : ",;";
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    std::string_view element = text.substr(at, end - at);
    while (element.starts_with(' ')) element.remove_prefix(1);
    while (element.ends_with(' ')) element.remove_suffix(1);
    if (!element.empty()) out.push_back(element);
    at = end + 1;
  }
  return out;
}

static std::optional<Int> attribute_text(SemaContext& sema, const Type& type, std::string_view name,
                                         std::string_view unit, std::string_view text, Range range) {
  const std::string word = loading::folded(text);
  const bool says_none = word == "none";
  std::string help;
  switch (type.kind) {
    case TypeKind::set: {
      std::vector<Int> elements;
      const auto enumeration = type.elem->kind == TypeKind::enumeration;
      if (says_none && !(enumeration && constant_text(sema, *type.elem, text))) return 0;
      for (const std::string_view element : elements_of(text)) {
        const auto e = attribute_text(sema, *type.elem, name, unit, element, range);
        if (!e) return std::nullopt;
        elements.push_back(*e);
      }
      return mask_of(elements);
    }
    case TypeKind::enumeration: {
      if (const auto constant = constant_text(sema, type, text)) return constant;
      if (says_none && type.optional) return kNone;
      const model::Enum& e = sema.model.enums[type.ref];
      std::vector<std::string> names;
      for (const auto& c : e.constants) names.push_back(c.name);
      error(sema, "bad_csv"_code, range, fmt::format("`{}` is not a constant of `{}`", text, e.name),
            says_none ? fmt::format("declare the attribute optional: `{}: {}?`", name, e.name)
                      : did_you_mean(text, names));
      return std::nullopt;
    }
    case TypeKind::boolean:
      for (const std::string_view yes : {"true", "yes", "wahr", "ja", "vrai", "oui", "1", "1.0", "1,0"})
        if (word == yes) return 1;
      for (const std::string_view no : {"false", "no", "falsch", "nein", "faux", "non", "0", "0.0", "0,0"})
        if (word == no) return 0;
      if (says_none && type.optional) return kNone;
      help = "write `true` or `false`";
      break;
    case TypeKind::kind: {
      const std::vector<std::uint32_t> kinds = kinds_of_text(sema, text);
      if (kinds.size() == 1) return kinds[0];
      if (says_none && type.optional) return kNone;
      break;
    }
    case TypeKind::integer: {
      if (says_none && type.optional) return kNone;
      const std::size_t before = sema.diagnostics.errors();
      const auto v = number_text(sema, unit, text, range);
      if (v) return fits_attribute(sema, type, name, *v, range, true) ? v : std::nullopt;
      if (sema.diagnostics.errors() != before) return std::nullopt;
      if (!says_none && text.find_first_of("0123456789") != std::string_view::npos)
        help = unit.empty() ? "write a whole number such as `1000`, without a fraction or thousands separators"
                            : "write a number such as `1000` or `1.5`, without thousands separators";
      break;
    }
    case TypeKind::poison:
    case TypeKind::nothing:
    case TypeKind::player:
    case TypeKind::card:
    case TypeKind::list:
    case TypeKind::listed:
    case TypeKind::map:
    case TypeKind::record:
    case TypeKind::text: return std::nullopt;
  }
  if (says_none)
    help = type.kind == TypeKind::integer
               ? fmt::format("declare the attribute optional: `{}: ({})?`", name, show(sema, type))
               : fmt::format("declare the attribute optional: `{}: {}?`", name, show(sema, type));
  error(sema, "bad_csv"_code, range,
        fmt::format("`{}` is not of type `{}`, the type of `{}`", text, show(sema, type), name), std::move(help));
  return std::nullopt;
}

const Node* find_card_member(SemaContext& sema, const Node* card, std::optional<model::CardTypeId> type,
                             NodeKind what) {
  if (card)
    if (const Node* found = find_member(sema, view::card(card).members(), what)) return found;
  for (std::size_t steps = 0; type && steps <= sema.types.cards.size(); ++steps) {
    if (type->index >= sema.types.cards.size()) break;
    if (const Node* of = sema.types.cards[type->index].node)
      if (const Node* found = find_member(sema, view::card_type(of).members(), what)) return found;
    type = sema.model.card_types[type->index].base;
  }
  return nullptr;
}

const Node* find_kind_member(SemaContext& sema, std::uint32_t kind, NodeKind what) {
  const KindInfo& info = sema.types.kinds[kind];
  const bool is_card = !info.implicit && info.node && info.node->kind == NodeKind::card;
  return find_card_member(sema, is_card ? info.node : nullptr, sema.model.kinds[kind].type, what);
}

}   // namespace cardwright::sema
