// Compares card types by the kinds of cards that they admit, and finds the smallest type for a set of kinds.
#include "compiler/sema/symbols/card_types.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Flags in Type::hi of a card type. kFound: the type was inferred from the cards that a zone can contain. kNoCard: the
// type admits no card.
static constexpr Int kFound = 1, kNoCard = 2;

static bool is_any(const SemaContext& sema, const Type& card) { return card.ref >= sema.types.cards.size(); }

Type card_of_kind(const SemaContext& sema, std::uint32_t kind, bool optional) {
  Type t = card_type(sema.model.kinds[kind].type.index, optional);
  t.lo = Int{kind} + 1;
  return t;
}

std::vector<Int> kinds_in(const SemaContext& sema, const Type& card) {
  if (card.hi == kNoCard) return {};
  if (card.lo > 0) return {card.lo - 1};
  if (!is_any(sema, card)) return kinds_of_type(sema, card.ref);
  std::vector<Int> all;
  for (std::size_t k = 0; k < sema.model.kinds.size(); ++k) all.push_back(static_cast<Int>(k));
  return all;
}

bool admits(const SemaContext& sema, const Type& wide, const Type& narrow) {
  if (narrow.hi == kNoCard) return true;
  if (is_any(sema, wide) && wide.hi != kNoCard) return true;
  if (wide.ref == narrow.ref && (wide.lo == 0 || wide.lo == narrow.lo)) return true;
  if (wide.lo == 0 && !is_any(sema, narrow) && is_a(sema, narrow.ref, wide.ref)) return true;
  const std::vector<Int> some = kinds_in(sema, narrow), all = kinds_in(sema, wide);
  return !some.empty() && std::includes(all.begin(), all.end(), some.begin(), some.end());
}

Type card_of_kinds(const SemaContext& sema, const std::vector<Int>& kinds) {
  if (kinds.empty()) {
    Type none = card_type();
    none.hi = kNoCard;
    return none;
  }
  if (kinds.size() == 1) return card_of_kind(sema, static_cast<std::uint32_t>(kinds[0]));
  std::optional<model::CardTypeId> base = sema.model.kinds[static_cast<std::size_t>(kinds[0])].type;
  for (const Int k : kinds)
    while (base && !is_a(sema, sema.model.kinds[static_cast<std::size_t>(k)].type.index, base->index))
      base = sema.model.card_types[base->index].base;
  return base ? card_type(base->index) : card_type();
}

Type joined_cards(const SemaContext& sema, const Type& a, const Type& b) {
  Type t = admits(sema, b, a) ? b : admits(sema, a, b) ? a : Type{};
  if (t.kind != TypeKind::card) {
    std::vector<Int> kinds = kinds_in(sema, a);
    for (const Int k : kinds_in(sema, b)) kinds.push_back(k);
    t = card_of_kinds(sema, kinds);
  }
  t.optional = a.optional || b.optional;
  return t;
}

Type card_in(const SemaContext& sema, std::uint32_t zone, bool optional) {
  const bool known = sema.zone_cards && zone < sema.zone_cards->size();
  Type t = known ? card_of_kinds(sema, (*sema.zone_cards)[zone]) : card_type();
  t.optional = optional;
  if (sema.zone_cards && t.hi == 0) t.hi = kFound;
  return t;
}

bool is_found(const Type& card) { return card.hi != 0; }

Type cards_in(const SemaContext& sema, std::uint32_t zone) { return set_type(card_in(sema, zone)); }

std::optional<std::uint32_t> kind_without(const SemaContext& sema, const Type& card,
                                          const std::vector<model::AttributeId>& attributes) {
  const auto owns = [&](std::uint32_t type) {
    const std::vector<model::AttributeId>& own = sema.types.cards[type].own;
    return std::any_of(attributes.begin(), attributes.end(),
                       [&](model::AttributeId a) { return std::find(own.begin(), own.end(), a) != own.end(); });
  };
  const auto has = [&](Int kind) {
    std::optional<model::CardTypeId> t = sema.model.kinds[static_cast<std::size_t>(kind)].type;
    for (std::size_t steps = 0; t && steps <= sema.types.cards.size(); ++steps) {
      if (owns(t->index)) return true;
      t = sema.model.card_types[t->index].base;
    }
    return false;
  };
  for (const Int kind : kinds_in(sema, card))
    if (!has(kind)) return static_cast<std::uint32_t>(kind);
  return std::nullopt;
}

std::vector<Int> kinds_counting_as(const SemaContext& sema, const std::vector<Int>& kinds) {
  std::vector<Int> all = kinds;
  for (const Decl& also : sema.rules.alsos) {
    const Node* as = view::also_decl(also.node).counts_as();
    const std::vector<Int> meant = as ? kinds_meant(sema, as->text) : std::vector<Int>{};
    const bool concerned = std::any_of(meant.begin(), meant.end(),
                                       [&](Int k) { return std::find(kinds.begin(), kinds.end(), k) != kinds.end(); });
    if (!concerned) continue;
    for (const Int k : kinds_meant(sema, also.node->text)) all.push_back(k);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string narrowing_help(const SemaContext& sema, const Expr* e, const Type& wanted) {
  const bool several = wanted.kind == TypeKind::set || wanted.kind == TypeKind::list;
  const Type& one = several && wanted.elem ? *wanted.elem : wanted;
  if (one.kind != TypeKind::card) return {};
  const std::string type = show(sema, without_none(one));
  const std::string text(sema.diagnostics.sources().text(e->range));
  const bool is_short = text.size() <= 40 && text.find('\n') == std::string::npos;
  const bool name = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  });
  if (several && e->kind != ExprKind::set_of_one)
    return fmt::format("select the cards that fit: `{} where it is {}`",
                       name ? text : fmt::format("({})", is_short ? text : "…"), type);
  if (name)
    return fmt::format("narrow it first: `if {0} is {1} then …`, or take it from `(… where it is {1})`", text, type);
  return fmt::format("narrow it first: `let c = {0}`, then `if c is {1} then …`; or select: `… where it is {1}`",
                     is_short ? text : "…", type);
}

}   // namespace cardwright::sema
