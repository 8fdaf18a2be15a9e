// Emits code that counts, lists and selects the options of one action, level by level.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

// Returns the context that evaluates the group's conditions. If an offer of the action may be wrong, the conditions are
// evaluated with the deciding player's knowledge, otherwise on the actual state.
inline FunctionContext offering(const FunctionContext& code, Group& g) {
  return code.in(g.env).asked(code.unit.facts.offers.may_be_wrong(g.index) ? Asking{g.me, Asking::Mode::may}
                                                                           : Asking{});
}

bool is_walked(const ProgramContext& unit, const model::ActionParameter& p);
std::vector<Level> levels_of(const ProgramContext& unit, const model::Action& action);
Register level_digit(const FunctionContext& code, const Group& group, const Level& level, Register element);
Int radix_of(const ProgramContext& unit, const Group& group, const Level& level);
Register level_domain(const FunctionContext& code, Group& group, std::size_t level);
Register lookalikes(const FunctionContext& code, Register domain, const Group& group, const Level& level);
// Emits code that counts the options. If `at_first` is set, the code jumps to that block as soon as it finds an option.
Register count_group(const FunctionContext& code, Group& group, std::optional<BlockIndex> at_first = std::nullopt);
void list_group(const FunctionContext& code, Group& group, Register some);
// Iterates over the options in order. The options must have been counted, and there must be at least one. In `body`,
// the arguments are bound, and a jump to `next` continues with the next option.
void each_option(const FunctionContext& code, Group& group,
                 const std::function<void(const FunctionContext&, BlockIndex next)>& body);
// Selects the elements of the k-th option at this level and all later levels.
void select_level(const FunctionContext& code, Group& group, std::size_t level, Register k);

}   // namespace cardwright::lower
