// Builds strings that are shown to players and can contain expressions in braces.
#pragma once

#include <string>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* text_part(RuleContext& rule, Range at);
// Builds a string whose expressions in braces are evaluated each time the string is shown.
const Expr* filled_text(RuleContext& rule, const Node* text);
// Builds the string of a question. Returns null if there is none.
const Expr* question_text(RuleContext& rule, const Node* text);
std::string shown_part(const SemaContext& sema, const Expr* e, std::vector<const Expr*>& parts);

}   // namespace cardwright::sema
