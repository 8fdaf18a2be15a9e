// What a decision site offers: for each action that fits a group, for each of its parameters a level.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

struct Level {
  const model::ActionParameter* parameter = nullptr;   // null: the card that carries the action
  model::LocalId local;
  model::Type type;   // of one element
  std::size_t written = 0;   // its place in the rules
  // what an element must pass: its own, and those of levels that come before it here only
  std::vector<const model::Expr*> where;
  bool only = false;   // there is one element
  bool integers = false;   // numbers that fit into no mask: see numbers.cpp
  Register low = ir::kNoRegister, high = ir::kNoRegister;   // of these
  bool independent = true;   // of the levels before it
  Register domain = ir::kNoRegister;
  // its domain stands already: a play looks for the card first, and who chooses has counted
  bool ready = false;
  Register rest = ir::kNoRegister;   // options of the later levels together, where those are independent
  Register chosen = ir::kNoRegister;
  Register digit = ir::kNoRegister;   // of what was chosen, in the option's id
  // Cards that the actor does not know are one option per zone: a bit of `extras` each, by the zone's hidden bit.
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
  // 1 where what is not `sensible` is left out; none: it never is.
  Register sensible = ir::kNoRegister;
  // of `me`, where some policy avoids the action; none also where rules ask what could be done: they know of no
  // policies
  Register policy = ir::kNoRegister;
};

// Groups in a row. Where there are several, each of their options is a card and nothing else, and the cards come in the
// order of the groups: they are counted together, as one set of cards.
struct GroupRun {
  std::size_t first, size;   // of Offers::groups
  std::vector<Int> group_of;   // by card id, counted from `first`
  Register cards = ir::kNoRegister, count = ir::kNoRegister;
};

// All that a site offers, in the order of the options.
struct Offers {
  std::vector<Group> groups;
  std::vector<GroupRun> runs;
};

// An option of a group that was chosen.
struct Chosen {
  Register id = ir::kNoRegister;
  // the same id, but with the cards that were unknown; `id` where none can be
  Register truth = ir::kNoRegister;
  std::vector<Register> arguments;   // me, the card that carries the action, the parameters
  Register set = ir::kNoRegister;   // the argument that is a set, if there is one
};

std::vector<Group> groups_for(ProgramContext& unit, model::WindowId window, Register player,
                              Register sensible = ir::kNoRegister);
Offers offers_for(const FunctionContext& code, model::WindowId window, Register player,
                  Register sensible = ir::kNoRegister);
// How many options there are; `counted` is told of each group that is counted by itself.
Register count_offers(const FunctionContext& code, Offers& offers, Int site,
                      const std::function<void(Group&)>& counted = {});
void list_offers(const FunctionContext& code, Offers& offers);
// Which group the k-th option belongs to: `mine` goes on with it, `k` is its number in the group. What is left over
// comes after all.
void choose_offer(const FunctionContext& code, Offers& offers, Register k, const std::function<void(Group&)>& mine);
Chosen pick_arguments(const FunctionContext& code, Group& group, Register k, bool flow);
void do_group(const FunctionContext& code, Group& group, Register k, bool flow);
void declare_sensible(ProgramContext& unit);
Register sensible_in(const FunctionContext& code, model::WindowId window, Register player);
// `avoids_pass`: 1 where the player would rather not; none: nobody minds.
Register count_sensible(const FunctionContext& code, Offers& offers, Int site, Register sensible, Register avoids_pass,
                        bool may_pass, const model::Expr* pass_when);

}   // namespace cardwright::lower
