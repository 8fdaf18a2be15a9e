// Reports errors and warnings, and computes the ranges that they refer to.
#pragma once

#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

Diagnostic& error(SemaContext& sema, Code code, Range range, std::string message, std::string help = {});
// Reports a duplicate declaration. `other` is the range of the first declaration.
Diagnostic& twice(SemaContext& sema, const Node* node, std::string_view word, Range other);
// Returns the range of a declaration's name.
Range name_range(const SemaContext& sema, const Node* node);
// Returns the range of the first word (`turns`, `while`, `after`) of a declaration without a name.
Range first_word(const SemaContext& sema, const Node* node);
// Returns true if the name exists only under other options. In this case, no error is reported, and the rule is marked
// as dropped if it is droppable.
bool silent_if_absent(RuleContext& rule, const Node* node);
bool silent_if_absent(RuleContext& rule, std::string_view name, Range range);
bool in_library(const SemaContext& sema, Range range);
bool in_standard_library(const SemaContext& sema, Range range);
void warn_if(SemaContext& sema, Code code, Range range, bool bad, std::string message, std::string help = {});

}   // namespace cardwright::sema
