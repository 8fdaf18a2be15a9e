// Tables and constant sets, and what expressions are known to be.
#pragma once

#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

Int table_index(ProgramContext& unit, std::vector<Int> values);
Int set_index(ProgramContext& unit, std::vector<Word> bits);
Register const_cards(const FunctionContext& code, const std::vector<Int>& card_ids);
std::vector<Int> cards_of_kinds(const ProgramContext& unit, const std::vector<Int>& kinds);
std::vector<Int> cards_of_kinds(const ProgramContext& unit, const std::vector<model::KindId>& kinds);
Int constant_value(const ProgramContext& unit, const model::Expr& e);
bool mentions(const model::Expr& e, model::LocalId local);
bool pure(const ProgramContext& unit, const model::Expr& e);

}  // namespace cardwright::lower
