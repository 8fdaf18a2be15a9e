// Adds tables, constant sets and strings to the Program, and evaluates constant expressions.
#pragma once

#include <string>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Int table_index(ProgramContext& unit, std::vector<Int> values);
// Returns true if a table with this number of sets is within the size limit. If it isn't, reports an error at `where`
// that names `what` as the cause.
bool fits_table(ProgramContext& unit, Range where, std::string_view what, Int sets);
Int set_index(ProgramContext& unit, std::vector<Word> bits);
Register const_cards(const FunctionContext& code, const std::vector<Int>& card_ids);
Int constant_value(const ProgramContext& unit, const model::Expr& e);
Int text_index(ProgramContext& unit, const std::string& text);

}   // namespace cardwright::lower
