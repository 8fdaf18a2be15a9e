// Emits the conditions that an action and each of its arguments must satisfy to be offered.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

void action_conditions(const FunctionContext& code, std::size_t action, Register me, BlockIndex no);
void pass_all(const FunctionContext& code, const std::vector<const model::Expr*>& conditions, BlockIndex no);
void element_conditions(const FunctionContext& code, Group& group, std::size_t level, Register element, BlockIndex no);
void extra_conditions(const FunctionContext& code, Group& group, std::size_t level, Register element, BlockIndex no);
bool has_extra(const ProgramContext& unit, const Group& group, std::size_t level);
// Returns whether the action is always offered if a card for it is available.
bool has_no_conditions(const ProgramContext& unit, const Group& group);
void forbids(const FunctionContext& code, std::size_t action, Register me, const std::vector<Register>& arguments,
             const std::vector<Fact>& given, BlockIndex no);
bool forbid_reads_parameters(const ProgramContext& unit, std::size_t action);
void sensible_only(const FunctionContext& code, const Group& group, BlockIndex no);
bool sensible_reads_parameters(const ProgramContext& unit, const Group& group);
bool depends_on_unknown(const ProgramContext& unit, const model::Action& action);
bool is_unknown(const ProgramContext& unit, const model::Expr* e);
bool forbidden_somewhere(const ProgramContext& unit, std::size_t action);
Register holds(const FunctionContext& code, std::size_t action, const std::vector<Register>& arguments);

}   // namespace cardwright::lower
