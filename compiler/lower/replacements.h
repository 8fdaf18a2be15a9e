// How events are replaced: which `instead of` rule applies, what `proceed` leads to, and what happened in the end.
// In:    an event of the Model with its rules.
// Out:   functions that try its rules, and the variables that they need.
// Tests: tests/system/rules/replacements.rules
#pragma once

#include <vector>

#include "compiler/lower/events.h"
#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// Sorts the rules of each event, and finds out how they are applied.
void find_replacing(ProgramContext& unit);
// Do rules or measures that look at what happened need the arguments with which it did?
bool is_reported(const ProgramContext& unit, std::size_t event);
// Does this `proceed` give the event other arguments than the rule was given?
bool gives_others(const model::Handler& rule, const model::Expr& proceed);
// At most how many rules can apply to one event.
Int most_replacements(const ProgramContext& unit, std::size_t event);

// What goes with an event from rule to rule, beside its arguments.
struct Attempt {
  // by position in the chain, which carriers were applied: 0 or 1, a mask of players or a set of cards
  std::vector<Register> applied;
  AtBeginning beginning;   // the cards whose `before`s and `after`s count
};
Attempt attempt_parameters(const FunctionContext& code, std::size_t event);

void declare_attempts(ProgramContext& unit, std::size_t event);
void lower_attempts(ProgramContext& unit, std::size_t event);
// Nothing of it has happened yet.
void begin_replacing(const FunctionContext& code, std::size_t event);
// Whatever happens instead of the event, or its body. Returns what that gives.
Register happen(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments,
                const AtBeginning& beginning);
Register proceed(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments,
                 const Attempt& attempt, bool others);
void leave_if_nothing_happened(const FunctionContext& code, std::size_t event);
// The arguments with which the event happened.
std::vector<Register> what_happened(const FunctionContext& code, std::size_t event,
                                    const std::vector<Register>& announced);
// Leaves a `before` that ran for this event already.
void run_once(const FunctionContext& code, std::size_t event, std::size_t handler);

}  // namespace cardwright::lower
