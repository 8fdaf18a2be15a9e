// Emits the code that runs the `before` and `after` rules of an event.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// The cards that were in force at the beginning of an event. `cards` contains the cards of all zones whose cards can
// carry `before` or `after` rules of the event. `of_instance` contains the cards of each instance in
// departed_instances().
struct AtBeginning {
  Register cards = ir::kNoRegister;
  std::map<Int, Register> of_instance;
};

// Returns the zone instances that can contain cards with `after` rules.
std::vector<Int> instances_with_afters(const ProgramContext& unit);
// Skips an event that affects an eliminated player.
void leave_if_out(const FunctionContext& code, const model::Event& event, const std::vector<Register>& arguments);
// Collects the cards that are in force when the event begins and whose rules watch it. Cards that come into force later
// are ignored.
AtBeginning collect_carriers(const FunctionContext& code, const model::Event& event);
// Returns the zone instances whose cards at the beginning of the event affect its `after` rules.
std::set<Int> departed_instances(const ProgramContext& unit, const model::Event& event);
// Returns whether the event has rules of cards that apply only if the card was in force when the event began.
bool collects_carriers(const ProgramContext& unit, const model::Event& event);
// Runs all `before` or `after` rules of the event.
void handlers_of(const FunctionContext& code, const model::Event& event, model::Hook hook,
                 const std::vector<Register>& arguments, const AtBeginning& beginning);
// Skips a `before` rule that has already run for this event.
void run_once(const FunctionContext& code, std::size_t event, std::size_t handler);
// Returns whether the carrier is one of `carriers`.
Register among_carriers(const FunctionContext& code, const model::RuleHead& head, Register carriers, Register me,
                        Register self);
Register with_carrier(const FunctionContext& code, const model::RuleHead& head, Register carriers, Register me,
                      Register self);
void count_as_over(const FunctionContext& code, std::size_t index);

}   // namespace cardwright::lower
