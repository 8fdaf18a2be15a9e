// Lowers windows in which several players answer simultaneously, and the delayed effects of their answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

void declare_answers(ProgramContext& unit);
void lower_landings(ProgramContext& unit);
void ask_at_once(const FunctionContext& code, const model::Stmt& s);
// Returns the parameter for which the action takes a set (always the last one), or null.
const model::ActionParameter* set_taken(const model::Action& action);
std::vector<Int> declare_picked(ProgramContext& unit, Answers& answers, const std::string& where,
                                const std::function<bool(std::size_t action)>& may_be_stored);
bool fits_answers(const ProgramContext& unit, std::size_t action);
void close_if_ended(const FunctionContext& code, const model::Stmt& s, BlockIndex close);
void keep_answer(const FunctionContext& code, const Answers& answers, const Group& group, const Chosen& chosen);
// Applies the answer of one player. The `result` that `then` receives is the duration for which the action occupies the
// player, or kNotLanded if the action was not performed.
void land(const FunctionContext& code, const Answers& answers, model::WindowId window, Register player,
          const std::function<void(std::size_t action, Register result)>& then);

}   // namespace cardwright::lower
