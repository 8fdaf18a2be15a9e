// Lowers events, their handlers, and values with their modifiers.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/analysis/value_rules.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the first event of this name. Turns, rounds and phases of the same name are ended and counted as one event,
// and the first of them represents them all.
std::uint32_t of_name(const ProgramContext& unit, std::uint32_t event);
// Skips an event that affects an eliminated player.
void leave_if_out(const FunctionContext& code, const model::Event& event, const std::vector<Register>& arguments);
// Cards that were in force at the beginning of an event: all cards whose rules watch the event, and for each zone
// instance, the cards whose rules refer to the beginning of the event.
struct AtBeginning {
  Register cards = ir::kNoRegister;
  std::map<Int, Register> of_instance;
};
// Returns the zone instances that rules of the event refer to as they were at its beginning.
std::set<Int> instances_looked_back_at(const ProgramContext& unit, const model::Event& event);
// Returns whether rules of cards apply only if the cards were in force when the event began.
bool collects_carriers(const ProgramContext& unit, const model::Event& event);
// Runs all `before` or `after` rules of the event.
void handlers_of(const FunctionContext& code, const model::Event& event, model::Hook hook,
                 const std::vector<Register>& arguments, const AtBeginning& beginning);
void count_as_over(const FunctionContext& code, std::size_t index);
void declare_events(ProgramContext& unit);
void lower_event(ProgramContext& unit, std::size_t index);
// Returns the zone instances that can contain cards with `after` rules.
std::vector<Int> instances_with_afters(const ProgramContext& unit);
// Describes which carriers of a rule to visit.
struct CarrierQuery {
  Register me = ir::kNoRegister;   // visits only this player, or all players if kNoRegister
  // visits only these cards, which were in force when the event began; kNoRegister visits all cards
  Register collected = ir::kNoRegister;
  bool recheck = false;   // skips cards that are no longer in force when their turn comes
  bool all_cards = false;   // includes cards for which the condition of `in force while` is false now
  // calls `then` once for all cards of a player that carry the rule, with the set of these cards as `self`
  bool together = false;
};
// Calls `then(me, self)` for every carrier of the rule that is in force and matches the query.
void carriers(const FunctionContext& code, const model::RuleHead& head, const CarrierQuery& query,
              const std::function<void(Register me, Register self)>& then);
// Returns the cards that carry a rule, restricted to player `me` if the zone belongs to a player. If `all` is true,
// includes cards for which the condition of `in force while` is false now.
Register carrier_cards(const FunctionContext& code, const model::RuleHead& head, Register me, bool all = false);
// Returns the cards of the owner's zone. If the zone belongs to an area, returns the cards in all its parts.
Register zone_cards_of(const FunctionContext& code, model::ZoneId zone, Register owner);
Register carrier_in_force(const FunctionContext& code, const model::RuleHead& head, Register me);
// Jumps to `no` unless the patterns and `when` match; binds the names. `code` must use the rule's Env.
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
