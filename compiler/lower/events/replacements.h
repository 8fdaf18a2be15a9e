// Lowers the replacement of events by `instead of` rules. Emits functions that select the applicable rules of an event,
// run `proceed` and store the arguments with which the event happened. Tests: tests/rulesets/small/replacements.rules.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/events/handlers.h"

namespace cardwright::lower {

// Sorts the rules of each event, and determines how they are applied.
void find_replacing(ProgramContext& unit);
// Returns whether rules or measures that observe the event need the arguments with which it happened.
bool is_reported(const ProgramContext& unit, std::size_t event);
// Returns the maximum number of rules that can apply to one event.
Int most_replacements(const ProgramContext& unit, std::size_t event);

// The values that one rule of an event passes to the next, in addition to the event's arguments.
struct Attempt {
  // By position in the chain: the carriers whose rule was applied. The value is 0 or 1, a mask of players, or a set of
  // cards.
  std::vector<Register> applied;
  AtBeginning beginning;   // the cards whose `before` and `after` rules apply
};

Attempt attempt_parameters(const FunctionContext& code, std::size_t event);
void declare_attempts(ProgramContext& unit, std::size_t event);
void lower_attempts(ProgramContext& unit, std::size_t event);
// Marks the event as not having happened yet.
void begin_replacing(const FunctionContext& code, std::size_t event);
// Runs the rules that replace the event, or the body if there are none. Returns the result of the event.
Register happen(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments,
                const AtBeginning& beginning);
Register proceed(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments,
                 const Attempt& attempt, bool others);
void leave_if_nothing_happened(const FunctionContext& code, std::size_t event);
// Returns the arguments with which the event happened.
std::vector<Register> what_happened(const FunctionContext& code, std::size_t event,
                                    const std::vector<Register>& announced);

}   // namespace cardwright::lower
