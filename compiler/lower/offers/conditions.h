// Emits the conditions that an action and each of its arguments must satisfy to be offered.
#pragma once

#include <vector>

#include "compiler/lower/offers/offers.h"

namespace cardwright::lower {

void action_conditions(const FunctionContext& code, std::size_t action, Register me, BlockIndex no);
void pass_all(const FunctionContext& code, const std::vector<const model::Expr*>& conditions, BlockIndex no);
void element_conditions(const FunctionContext& code, Group& group, std::size_t level, Register element, BlockIndex no);
void extra_conditions(const FunctionContext& code, Group& group, std::size_t level, Register element, BlockIndex no);
bool has_extra(const ProgramContext& unit, const Group& group, std::size_t level);
// Returns whether the action is always offered if a card for it is available.
bool asks_nothing(const ProgramContext& unit, const Group& group);
void forbids(const FunctionContext& code, std::size_t action, Register me, const std::vector<Register>& arguments,
             const std::vector<Fact>& given, BlockIndex no);
bool forbid_reads_parameters(const ProgramContext& unit, std::size_t action);
void sensible_only(const FunctionContext& code, const Group& group, BlockIndex no);
bool sensible_reads_parameters(const ProgramContext& unit, const Group& group);
// Returns the levels in source order.
std::vector<const Level*> as_written(const Group& group);

}   // namespace cardwright::lower
