// Checks assertions about the faces of dice in scenarios, such as `cube shows 6`.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* shows_claim(RuleContext& rule, const Node* node);
bool has_face(const model::Dice& dice, Int face);
// Resolves `cube[1]`, `cubes`, `a.cubes` or `a.luck`. Returns the area and the numbers of the dice.
std::optional<std::pair<std::uint32_t, std::vector<Int>>> dice_named(SemaContext& sema, const Node* node);
// Returns the face of each die. The source contains either one face for all dice or a list with one face for each die.
std::optional<std::vector<Int>> faces_in_scenario(SemaContext& sema, std::uint32_t area, std::size_t count,
                                                  const Node* value);

}   // namespace cardwright::sema
