// Writes the code that replaces events: it finds the `instead of` rules that apply, runs `proceed`, and stores what
// happened.
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
// Returns whether rules or measures that match what happened need the arguments with which it happened.
bool is_reported(const ProgramContext& unit, std::size_t event);
// Returns whether this `proceed` passes other arguments than the rule received.
bool gives_others(const model::Handler& rule, const model::Expr& proceed);
// The largest number of rules that can apply to one event.
Int most_replacements(const ProgramContext& unit, std::size_t event);

// The values that are passed from rule to rule of an event, beside its arguments.
struct Attempt {
  // by position in the chain, which carriers were applied: 0 or 1, a mask of players or a set of cards
  std::vector<Register> applied;
  AtBeginning beginning;   // the cards whose `before`s and `after`s count
};
Attempt attempt_parameters(const FunctionContext& code, std::size_t event);

void declare_attempts(ProgramContext& unit, std::size_t event);
void lower_attempts(ProgramContext& unit, std::size_t event);
// Marks the event as not having happened yet.
void begin_replacing(const FunctionContext& code, std::size_t event);
// Runs the rules that replace the event, or its body. Returns the result.
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

}   // namespace cardwright::lower
