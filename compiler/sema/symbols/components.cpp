// Looks up declared card types, cards, enums and their attributes.
#include "compiler/sema/symbols/components.h"

#include <algorithm>

#include "support/decimal.h"

namespace cardwright::sema {

// Returns the label for an identifier, such as "Lil Brudder" for `LilBrudder`.
std::string split_words(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    const char before = i ? name[i - 1] : 0;
    const bool lower_before = before >= 'a' && before <= 'z';
    const bool digit_before = before >= '0' && before <= '9';
    if (c == '_') {
      out += ' ';
      continue;
    }
    if (i && ((upper && (lower_before || digit_before)) || (digit && lower_before))) out += ' ';
    out += c;
  }
  return out;
}

bool is_a(const SemaContext& sema, std::uint32_t type, std::uint32_t base) {
  for (std::size_t steps = 0; steps <= sema.model.card_types.size(); ++steps) {
    if (type == base) return true;
    if (type >= sema.model.card_types.size() || !sema.model.card_types[type].base) return false;
    type = sema.model.card_types[type].base->index;
  }
  return false;
}

std::vector<Int> kinds_of_type(const SemaContext& sema, std::uint32_t type) {
  std::vector<Int> kinds;
  for (std::size_t k = 0; k < sema.model.kinds.size(); ++k)
    if (is_a(sema, sema.model.kinds[k].type.index, type)) kinds.push_back(static_cast<Int>(k));
  return kinds;
}

std::vector<Int> kinds_meant(const SemaContext& sema, std::string_view name) {
  if (auto k = sema.names.kinds.find(name); k != sema.names.kinds.end())
    return k->second == ~0u ? std::vector<Int>{} : std::vector<Int>{Int{k->second}};
  const auto t = sema.names.card_types.find(name);
  if (t == sema.names.card_types.end()) return {};
  std::vector<Int> kinds = kinds_of_type(sema, t->second);
  if (kinds.empty() && sema.types.cards[t->second].implicit)
    kinds.push_back(Int{sema.types.cards[t->second].implicit->index});
  return kinds;
}

// Returns the attributes of a card type in declaration order, starting with those of its base.
std::vector<std::string> attributes_in_order(const SemaContext& sema, std::uint32_t type) {
  std::vector<std::uint32_t> chain;
  for (std::size_t steps = 0; steps <= sema.types.cards.size() && type < sema.types.cards.size(); ++steps) {
    chain.push_back(type);
    if (!sema.model.card_types[type].base) break;
    type = sema.model.card_types[type].base->index;
  }
  std::vector<std::string> out;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it)
    out.insert(out.end(), sema.types.cards[*it].order.begin(), sema.types.cards[*it].order.end());
  return out;
}

std::optional<model::AttributeId> attribute_of_type(const SemaContext& sema, model::CardTypeId type,
                                                    std::string_view name) {
  std::uint32_t t = type.index;
  for (std::size_t steps = 0; steps <= sema.types.cards.size() && t < sema.types.cards.size(); ++steps) {
    for (model::AttributeId a : sema.types.cards[t].own)
      if (sema.model.attributes[a.index].name == name) return a;
    if (!sema.model.card_types[t].base) break;
    t = sema.model.card_types[t].base->index;
  }
  return std::nullopt;
}

// Returns the card types that declare this attribute, among the types of the cards that `type` admits. A declaration in
// `type` or one of its bases takes precedence over declarations in derived types.
std::vector<std::uint32_t> types_with(const SemaContext& sema, std::uint32_t type, std::string_view name) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t t = 0; t < sema.types.cards.size(); ++t) {
    const auto named = [&](model::AttributeId a) { return sema.model.attributes[a.index].name == name; };
    if (!sema.types.cards[t].composed.contains(name) &&
        std::none_of(sema.types.cards[t].own.begin(), sema.types.cards[t].own.end(), named))
      continue;
    if (type < sema.types.cards.size() && is_a(sema, type, t)) return {t};
    if (type >= sema.types.cards.size() || is_a(sema, t, type)) out.push_back(t);
  }
  return out;
}

std::optional<model::AttributeId> attribute_of_enum(const SemaContext& sema, model::EnumId id, std::string_view name) {
  if (id.index >= sema.model.enums.size()) return std::nullopt;
  for (model::AttributeId a : sema.model.enums[id.index].attributes)
    if (sema.model.attributes[a.index].name == name) return a;
  return std::nullopt;
}

std::optional<std::uint32_t> type_of_card(const SemaContext& sema, const Node* card) {
  if (!view::card(card).base() && sema.model.card_types.size() == 1) return 0;
  const auto type = sema.names.card_types.find(view::card(card).base() ? view::card(card).base()->text : "card");
  return type == sema.names.card_types.end() ? std::nullopt : std::optional(type->second);
}

// Returns the type of the card with this name. Works even before cards are declared, because types can refer to cards.
std::optional<std::uint32_t> type_of_card(const SemaContext& sema, std::string_view name) {
  const auto card = std::find_if(sema.collected.decls.begin(), sema.collected.decls.end(),
                                 [&](const Decl& d) { return d.node->kind == NodeKind::card && d.node->text == name; });
  return card == sema.collected.decls.end() ? std::nullopt : type_of_card(sema, card->node);
}

bool has_constant(const SemaContext& sema, std::uint32_t id, std::string_view name) {
  const auto named = sema.names.constants.find(name);
  return named != sema.names.constants.end() &&
         std::any_of(named->second.begin(), named->second.end(), [&](const auto& c) { return c.first == id; });
}

}   // namespace cardwright::sema
