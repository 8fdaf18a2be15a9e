// Checks dice, which are areas whose parts show a face.
#pragma once

#include <functional>
#include <string>

#include "compiler/sema/context/context.h"
#include "compiler/sema/scenarios/steps.h"

namespace cardwright::sema {

void count_die(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players);
void declare_die(SemaContext& sema, const Node* node, bool of_players);
const model::Dice* dice_of(const SemaContext& sema, const Type& t);
const std::string* die_with_face(const SemaContext& sema, std::uint32_t variable);
bool rolls_dice(RuleContext& rule, const Node* roll, Block& out);
void turn_to(RuleContext& rule, const Node* node, Block& out);
bool show_dice(RuleContext& rule, const Expr* e, Range range, Block& out,
               const std::function<void(const Expr*, Block&)>& show_one);
void given_shows(SemaContext& sema, const Node* node, model::Given g, model::ScenarioLine& line);
const Expr* shows_claim(RuleContext& rule, const Node* node);
void rolls(RuleContext& rule, Int player, const Items& items, const Node* node, model::ScenarioLine& line);

}   // namespace cardwright::sema
