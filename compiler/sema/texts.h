// Texts for people, with what stands in their braces.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// A text, with what `part` makes of each `{…}` in it; a brace that is one stands twice.
std::string filled_in(SemaContext& sema, const Node* text,
                      const std::function<std::string(Range at, std::string_view inside)>& part);
const Expr* text_part(RuleContext& rule, Range at);
// A text as an expression: what stands in its braces is worked out when it is shown.
const Expr* filled_text(RuleContext& rule, const Node* text);
// A text that is shown as it stands; empty without one.
std::string plain_words(SemaContext& sema, const Node* text);
// of what somebody is asked; null without a text
const Expr* question_text(RuleContext& rule, const Node* text);
std::string shown_part(const SemaContext& sema, const Expr* e, std::vector<const Expr*>& parts);
void log_stmt(RuleContext& rule, const Node* node, Block& out);

}   // namespace cardwright::sema
