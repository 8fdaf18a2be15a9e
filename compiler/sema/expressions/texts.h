// Builds texts that are shown to players and can contain expressions in braces.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the text with each `{…}` replaced by the return value of `part`. Braces that are not part of an expression
// are doubled.
std::string filled_in(SemaContext& sema, const Node* text,
                      const std::function<std::string(Range at, std::string_view inside)>& part);
const Expr* text_part(RuleContext& rule, Range at);
// Builds a text whose expressions in braces are evaluated each time the text is shown.
const Expr* filled_text(RuleContext& rule, const Node* text);
// Returns the contents of a text that must not contain expressions, or an empty string if `text` is null.
std::string plain_words(SemaContext& sema, const Node* text);
// Builds the text of a question. Returns null if there is none.
const Expr* question_text(RuleContext& rule, const Node* text);
std::string shown_part(const SemaContext& sema, const Expr* e, std::vector<const Expr*>& parts);

}   // namespace cardwright::sema
