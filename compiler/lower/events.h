// Lowers events, their handlers, and values with their modifiers.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/analysis/value_rules.h"
#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// Turns, rounds and phases of the same name are ended and counted as one event, represented by the first of them.
std::uint32_t of_name(const ProgramContext& unit, std::uint32_t event);
// Skips an event that affects an eliminated player.
void leave_if_out(const FunctionContext& code, const model::Event& event, const std::vector<Register>& arguments);
// The cards at the beginning of an event: all cards whose rules watch it, and, by zone instance, those of rules that
// refer to the beginning of the event.
struct AtBeginning {
  Register cards = ir::kNoRegister;
  std::map<Int, Register> of_instance;
};
// The zone instances of rules that refer to the beginning of the event.
std::set<Int> instances_looked_back_at(const ProgramContext& unit, const model::Event& event);
// Returns whether rules of cards apply only if the cards were in force when the event began.
bool collects_carriers(const ProgramContext& unit, const model::Event& event);
// Runs all `before` or `after` rules of the event.
void handlers_of(const FunctionContext& code, const model::Event& event, model::Hook hook,
                 const std::vector<Register>& arguments, const AtBeginning& beginning);
void count_as_over(const FunctionContext& code, std::size_t index);
void declare_events(ProgramContext& unit);
void lower_event(ProgramContext& unit, std::size_t index);
// The zone instances that can contain cards with `after` rules.
std::vector<Int> instances_with_afters(const ProgramContext& unit);
// Selects carriers of a rule.
struct CarrierQuery {
  Register me = ir::kNoRegister;   // only this player; none: all players
  // only cards that were in force when the event began; none: all
  Register collected = ir::kNoRegister;
  bool recheck = false;   // and that are still in force when their turn comes
  bool all_cards = false;   // also those for which the condition of `in force while` is false now
  bool together = false;   // once for all cards of a player that carry it, with the set of them as `self`
};
// Calls `then(me, self)` for every carrier of the rule that is in force; `me` may be fixed in advance.
void carriers(const FunctionContext& code, const model::RuleHead& head, const CarrierQuery& query,
              const std::function<void(Register me, Register self)>& then);
// The cards that carry a rule, restricted to player `me` where that matters. `all`: also those for which the condition
// of `in force while` is false now.
Register carrier_cards(const FunctionContext& code, const model::RuleHead& head, Register me, bool all = false);
// The cards of all parts of the area, if the zone belongs to one.
Register zone_cards_of(const FunctionContext& code, model::ZoneId zone, Register owner);
Register carrier_in_force(const FunctionContext& code, const model::RuleHead& head, Register me);
// Jumps to `no` unless patterns and `when` match; binds the names. The rule's Env must be current.
void guard(const FunctionContext& code, const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
           const std::vector<Register>& arguments, BlockIndex no);
// Sets a scratch variable until the emitted function returns; leave_function restores it.
void save_and_set(const FunctionContext& code, Int variable, Register value);
Register scratch_value(const FunctionContext& code, Int variable);
void put_scratch(const FunctionContext& code, Int variable, Register value);
void hand_over(const FunctionContext& code, const std::vector<Register>& values);
Register handed_over(const FunctionContext& code, Int variable, Register happened, const model::Expr* otherwise,
                     const model::Type& type);
Register happened(const FunctionContext& code, const model::Expr& call);
Register taken(const FunctionContext& code, const model::Expr& call, Register happened);
const std::vector<Int>& given_by(const FunctionContext& code, const model::Expr& call);
Register value_settled(const FunctionContext& code, const model::Value& value, const std::vector<Register>& arguments);
Register settled_and_modified(const FunctionContext& code, const model::Value& value,
                              const std::vector<Register>& arguments);
void lower_value(ProgramContext& unit, std::size_t index);
void lower_function(ProgramContext& unit, std::size_t index);
void apply_modifier(const FunctionContext& code, const model::Modifier& m, Op op, Register result,
                    const std::vector<Register>& arguments, Facts facts = {});

}   // namespace cardwright::lower
