// Checks assertions about the faces of dice in scenarios, such as `cube shows 6`.
#include "compiler/sema/expressions/dice.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

bool has_face(const model::Dice& dice, Int face) {
  return std::find(dice.faces.begin(), dice.faces.end(), face) != dice.faces.end();
}

std::optional<std::pair<std::uint32_t, std::vector<Int>>> dice_named(SemaContext& sema, const Node* node) {
  if (area_in(sema, node)) {
    const auto part = area_part(sema, node);
    if (!part || !sema.model.areas[part->first].dice) return std::nullopt;
    return std::pair{part->first, std::vector<Int>{part->second}};
  }
  const bool of_player = node->kind == NodeKind::member;
  const auto area = of_player                          ? area_of_players(sema, node->text)
                    : node->kind == NodeKind::name_ref ? area_named(sema, node->text)
                                                       : std::nullopt;
  if (!area || !sema.model.areas[*area].dice || sema.areas.all[*area].name == node->text) return std::nullopt;
  Int first = 1, count = sema.areas.all[*area].count;
  if (of_player) {
    const auto owner = seat(sema, view::member(node).of());
    if (!owner) return std::nullopt;
    count = sema.areas.all[*area].each;
    first = *owner * count + 1;
  }
  std::vector<Int> parts(static_cast<std::size_t>(count));
  std::iota(parts.begin(), parts.end(), first);
  return std::pair{*area, std::move(parts)};
}

std::optional<std::vector<Int>> faces_in_scenario(SemaContext& sema, std::uint32_t area, std::size_t count,
                                                  const Node* value) {
  const model::Dice& dice = *sema.model.areas[area].dice;
  const Type type = sema.model.variables[dice.face.index].type;
  const bool several = value->kind == NodeKind::list_lit;
  if (several && value->children.size() != count) {
    error(sema, "bad_scenario"_code, value->range,
          fmt::format("number of faces does not match: {} dice and {} faces", count, value->children.size()));
    return std::nullopt;
  }
  std::vector<Int> faces;
  for (std::size_t i = 0; i < (several ? count : 1); ++i) {
    const Node* one = several ? view::list_lit(value).elements(i) : value;
    const auto face = scalar(sema, one, &type);
    if (!face) return std::nullopt;
    if (!has_face(dice, *face))
      return error(sema, "out_of_range"_code, one->range,
                   fmt::format("the die `{}` has no face {}", sema.areas.all[area].name, written(sema, one))),
             std::nullopt;
    faces.push_back(*face);
  }
  faces.resize(count, faces.front());
  return faces;
}

// Handles `cubes show [3, 4, 4]` in an assertion.
const Expr* shows_claim(RuleContext& rule, const Node* node) {
  if (!rule.scenario) {
    error(rule.sema, "wrong_kind_of_name"_code, node->range, "`shows` is allowed only in scenarios",
          "in a rule, compare the `face`: `d.face == 5`");
    return poison(rule.sema, node->range);
  }
  const auto dice = dice_named(rule.sema, view::binary(node).left());
  if (!dice) {
    error(rule.sema, "bad_scenario"_code, view::binary(node).left()->range, "expected dice before `shows`",
          "`cube[1] shows 5`, `cubes show [3, 4, 4]`, `a.cubes show 6`");
    return poison(rule.sema, node->range);
  }
  const auto faces = faces_in_scenario(rule.sema, dice->first, dice->second.size(), view::binary(node).right());
  if (!faces) return poison(rule.sema, node->range);
  const std::uint32_t face = rule.model.areas[dice->first].dice->face.index;
  const Expr* all = nullptr;
  for (std::size_t i = 0; i < faces->size(); ++i) {
    const Expr* one =
        make(rule.sema, ExprKind::equal, boolean_type(), node->range,
             {variable_of(rule, face, node->range,
                          {constant(rule.sema, area_type(rule.sema, dice->first), dice->second[i], node->range)}),
              constant(rule.sema, rule.model.variables[face].type, (*faces)[i], node->range)});
    all = all ? make(rule.sema, ExprKind::logical_and, boolean_type(), node->range, {all, one}) : one;
  }
  return all;
}

}   // namespace cardwright::sema
