// The options of a decision site: a group for each action that applies, with a level for each of its parameters.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

struct Level {
  const model::ActionParameter* parameter = nullptr;   // null: the card that carries the action
  model::LocalId local;
  model::Type type;   // of one element
  std::size_t written = 0;   // its position in the source
  // conditions on an element: its own, and those of levels that are declared later but come earlier here
  std::vector<const model::Expr*> where;
  bool only = false;   // there is exactly one element
  bool integers = false;   // numbers that do not fit into a mask (numbers.cpp)
  Register low = ir::kNoRegister, high = ir::kNoRegister;   // bounds of these numbers
  bool independent = true;   // of the preceding levels
  Register domain = ir::kNoRegister;
  // the domain is already computed: a play finds the card first, and a choice has been counted
  bool ready = false;
  Register rest = ir::kNoRegister;   // number of options of the later levels, if those are independent
  Register chosen = ir::kNoRegister;
  Register digit = ir::kNoRegister;   // of the chosen element, in the option's id
  // Cards that the actor does not know are one option per zone: each is a bit of `extras`, numbered by the zone's
  // hidden bit.
  bool unknown = false;   // there may be such cards
  Register extras = ir::kNoRegister, unknown_cards = ir::kNoRegister;
  // For a set: the count may be 0. Then `nothing` is 1, picking nothing is the only option, and the choice is none.
  bool may_be_nothing = false;
  Register nothing = ir::kNoRegister;
};

struct Group {
  const model::Action* action = nullptr;
  std::size_t index = 0;
  Env env;
  Register me = ir::kNoRegister;
  std::vector<Level> levels;
  Register count = ir::kNoRegister;
  // 1 if options that are not `sensible` are omitted; none: they never are
  Register sensible = ir::kNoRegister;
  // of `me`, if some policy avoids the action; none also in rules that test whether an action is possible, because
  // policies do not affect rules
  Register policy = ir::kNoRegister;
};

// Consecutive groups. If there are several, each of their options is exactly one card, and the cards have the order of
// the groups, so they are counted together as one set of cards.
struct GroupRun {
  std::size_t first, size;   // of Offers::groups
  std::vector<Int> group_of;   // by card id, relative to `first`
  Register cards = ir::kNoRegister, count = ir::kNoRegister;
};

// All options of a site, in order.
struct Offers {
  std::vector<Group> groups;
  std::vector<GroupRun> runs;
};

// The chosen option of a group.
struct Chosen {
  Register id = ir::kNoRegister;
  // the same id, but with the actual cards in place of unknown ones; equal to `id` if there are none
  Register truth = ir::kNoRegister;
  std::vector<Register> arguments;   // me, the card that carries the action, the parameters
  Register set = ir::kNoRegister;   // the argument that is a set, if there is one
};

std::vector<Group> groups_for(ProgramContext& unit, model::WindowId window, Register player,
                              Register sensible = ir::kNoRegister);
Offers offers_for(const FunctionContext& code, model::WindowId window, Register player,
                  Register sensible = ir::kNoRegister);
// Counts the options; calls `counted` for each group that is counted separately.
Register count_offers(const FunctionContext& code, Offers& offers, Int site,
                      const std::function<void(Group&)>& counted = {});
void list_offers(const FunctionContext& code, Offers& offers);
// Finds the group of the k-th option and calls `mine`, with `k` as its number in the group. Numbers beyond the last
// group reach the code after it.
void choose_offer(const FunctionContext& code, Offers& offers, Register k, const std::function<void(Group&)>& mine);
Chosen pick_arguments(const FunctionContext& code, Group& group, Register k, bool flow);
void do_group(const FunctionContext& code, Group& group, Register k, bool flow);
void declare_sensible(ProgramContext& unit);
Register sensible_in(const FunctionContext& code, model::WindowId window, Register player);
// `avoids_pass`: 1 if the player's policy avoids passing; none: no policy avoids it.
Register count_sensible(const FunctionContext& code, Offers& offers, Int site, Register sensible, Register avoids_pass,
                        bool may_pass, const model::Expr* pass_when);

}   // namespace cardwright::lower
