// Selects the declarations for the chosen options: applies `with`, `replace` and `remove`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void collect(SemaContext& sema);
void expand(SemaContext& sema, const Node* list, model::RuleKind kind, const OnDecl& on);
model::Precedence next_precedence(SemaContext& sema, model::RuleKind kind, std::uint32_t unit);
// Returns the names of all declarations whose keyword is `word` (`card`, `action` and so on).
std::vector<std::string> removable_names(const SemaContext& sema, std::string_view word);
// Returns whether `remove WORD NAME` removes a declaration of `player`, `table` or `team`.
bool is_word_of_state(std::string_view word);
bool is_used(SemaContext& sema, const Node* library);
void note_absent_flow(SemaContext& sema, const Node* node);
const Node* find_member(SemaContext& sema, const Node* members, NodeKind kind);

}   // namespace cardwright::sema
