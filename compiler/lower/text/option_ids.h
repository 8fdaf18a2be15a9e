// Assigns the numbers of decision sites and the ids of options.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Int begin_site(const FunctionContext& code, std::string window, const model::Expr* prompt, bool flow, Range where,
               const char* own_prompt = "");
void list_options(const FunctionContext& code, const std::function<void()>& write,
                  const std::function<void()>& texts = nullptr, const std::function<void()>& names = nullptr);
std::function<void()> text_logger(const FunctionContext& code, const std::vector<const model::Expr*>& texts,
                                  Register offered = ir::kNoRegister);
void list_option(const FunctionContext& code, Register id);
void list_option_if(const FunctionContext& code, Register condition, Register id);
void list_each(const FunctionContext& code, Register elements, const model::Type& element, Int base,
               bool by_id = false);
Int add_action(ProgramContext& unit, ActionInfo info);
ParameterInfo parameter_of(const ProgramContext& unit, const model::Action& action, const model::ActionParameter& p,
                           bool unknown);
ParameterInfo whose_card(const ProgramContext& unit, const model::Action& action);
Register card_digit(const FunctionContext& code, const ParameterInfo& info, Register card);
Int choice_block(ProgramContext& unit, const model::Type& element, bool by_id = false, bool unknown = false,
                 bool by_place = false);
// Returns the digit of a value in an option id. The digit of a card is its id if `by_id` is true, otherwise its
// look-alike class.
Register digit(const FunctionContext& code, const model::Type& type, Register value, bool by_id = false);
// Returns whether look-alike cards are separate options. In simultaneous answers, it matters which of these cards a
// player names.
bool by_id(const ProgramContext& unit, const model::Action& action);

inline Int card_digits(const ProgramContext& unit, bool by_id) {
  return std::max<Int>(1, by_id ? unit.program.layout.card_ids : unit.ids.classes);
}

bool may_be_nothing(const model::ActionParameter& p);

}   // namespace cardwright::lower
