// The options of one action: counted, listed and found level by level.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

// An action that may be wrong is offered by conditions that are read as the asked player may.
inline FunctionContext offering(const FunctionContext& code, Group& g) {
  return code.in(g.env).asked(code.unit.facts.offers.may_be_wrong(g.index) ? Asking{g.me, Asking::Mode::may}
                                                                           : Asking{});
}

bool is_walked(const ProgramContext& unit, const model::ActionParameter& p);
bool may_be_nothing(const model::ActionParameter& p);
std::vector<Level> levels_of(const ProgramContext& unit, const model::Action& action);
Register level_digit(const FunctionContext& code, const Group& group, const Level& level, Register element);
Int radix_of(const ProgramContext& unit, const Group& group, const Level& level);
Register level_domain(const FunctionContext& code, Group& group, std::size_t level);
Register lookalikes(const FunctionContext& code, Register domain, const Group& group, const Level& level);
// How many options it has; with `at_first` it goes there as soon as there is one.
Register count_group(const FunctionContext& code, Group& group, std::optional<BlockIndex> at_first = std::nullopt);
void list_group(const FunctionContext& code, Group& group, Register some);
// Walks through its options, in their order, once they are counted and there are some: their arguments are bound, and
// `next` goes on to the next.
void each_option(const FunctionContext& code, Group& group,
                 const std::function<void(const FunctionContext&, BlockIndex next)>& body);
// Finds what the k-th option has at this level and the later ones.
void select_level(const FunctionContext& code, Group& group, std::size_t level, Register k);

}   // namespace cardwright::lower
