// Looks up declared areas, pieces, dice and teams.
#include "compiler/sema/symbols/areas.h"

#include <fmt/format.h>

#include "support/decimal.h"

namespace cardwright::sema {

// Returns whether the area has exactly one part per player. Rules access this part without an index: `p.hero`.
bool one_each(const AreaInfo& area) { return area.each == 1 && (area.piece || area.single); }

bool is_team(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::integer && sema.areas.team && t.ref == *sema.areas.team;
}

Type area_type(const SemaContext& sema, std::uint32_t area) {
  Type t = integer_type(1, sema.areas.all[area].count);
  t.ref = area;
  return t;
}

bool is_part(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::integer && t.ref < sema.model.areas.size();
}

const model::Dice* dice_of(const SemaContext& sema, const Type& t) {
  const Type one = t.kind == TypeKind::set ? element_type(t) : t;
  if (one.kind != TypeKind::integer || one.ref >= sema.model.areas.size() || !sema.model.areas[one.ref].dice)
    return nullptr;
  return &*sema.model.areas[one.ref].dice;
}

// Returns the name of the die whose face this variable stores, or null if it stores none.
const std::string* die_with_face(const SemaContext& sema, std::uint32_t variable) {
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a)
    if (const auto& dice = sema.model.areas[a].dice; dice && dice->face.index == variable)
      return &sema.areas.all[a].name;
  return nullptr;
}

// Returns the area whose part the node names: `front[2]`, `b.front[2]`, `b.hero`, or the single die `cube`.
std::optional<std::uint32_t> area_in(const SemaContext& sema, const Node* node) {
  if (node && node->kind == NodeKind::member)
    if (const auto one = area_of_players(sema, node->text);
        one && one_each(sema.areas.all[*one]) && sema.areas.all[*one].name == node->text)
      return one;
  if (node && node->kind == NodeKind::name_ref)
    if (const auto one = area_named(sema, node->text);
        one && sema.areas.all[*one].single && sema.areas.all[*one].each == 0 && sema.areas.all[*one].name == node->text)
      return one;
  if (!node || node->kind != NodeKind::index || node->children.size() != 2) return std::nullopt;
  const Node* of = view::index(node).of();
  const bool of_player = of && of->kind == NodeKind::member;
  if (!of_player && (!of || of->kind != NodeKind::name_ref)) return std::nullopt;
  const auto area = area_named(sema, of->text);
  return area && (sema.areas.all[*area].each > 0) == of_player ? area : std::nullopt;
}

// Returns the plural, such as `nests`, `heroes`, `boxes` or `enemies`.
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

std::optional<std::uint32_t> area_named(const SemaContext& sema, std::string_view name) {
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a)
    if (sema.areas.all[a].name == name || is_plural_of(name, sema.areas.all[a].name)) return a;
  return std::nullopt;
}

std::optional<std::uint32_t> area_of_players(const SemaContext& sema, std::string_view name) {
  const auto area = area_named(sema, name);
  return area && sema.areas.all[*area].each > 0 ? area : std::nullopt;
}

}   // namespace cardwright::sema
