// Describes the options of a decision site: a group for each action that applies, with a level for each parameter of
// the action.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

struct Level {
  const model::ActionParameter* parameter = nullptr;   // null for the level of the card that carries the action
  model::LocalId local;
  model::Type type;   // type of one element
  std::size_t written = 0;   // position of the parameter in the source
  // The conditions on an element: those of the parameter itself, and those of parameters that are declared later but
  // whose levels precede this one.
  std::vector<const model::Expr*> where;
  bool only = false;   // there is exactly one element
  bool integers = false;   // the elements are numbers that do not fit into a mask (numbers.cpp)
  Register low = ir::kNoRegister, high = ir::kNoRegister;   // bounds of these numbers
  // In a function for one play (families.h): the only element, which satisfies all conditions on it.
  Register given = ir::kNoRegister;
  bool independent = true;   // the domain does not depend on the preceding levels
  Register domain = ir::kNoRegister;
  // True if the domain has already been computed: before the other conditions of a play, or when the options were
  // counted.
  bool ready = false;
  Register rest = ir::kNoRegister;   // number of options of the later levels, if these levels are independent
  Register chosen = ir::kNoRegister;
  Register digit = ir::kNoRegister;   // digit of the chosen element in the option's id
  // All cards in a zone that are unknown to the acting player form a single option. `extras` is a mask of the hidden
  // bits of the zones that contain such cards.
  bool unknown = false;   // true if there may be such cards
  Register extras = ir::kNoRegister, unknown_cards = ir::kNoRegister;
  // For a set, true if the required number of elements may be 0. If it is 0, `nothing` is 1, the only option is to pick
  // nothing, and the chosen element is none.
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
  // 1 if options that are not `sensible` are omitted, or kNoRegister if they are never omitted.
  Register sensible = ir::kNoRegister;
  // The policy of `me`, or kNoRegister if no policy avoids the action. Also kNoRegister where a rule tests whether an
  // action is possible, because policies do not affect rules.
  Register policy = ir::kNoRegister;
};

// A run of consecutive groups. If a run has several groups, each of their options is exactly one card, and the cards of
// earlier groups have lower ids, so all options are counted together as one set of cards.
struct GroupRun {
  std::size_t first, size;   // range in Offers::groups
  std::vector<Int> group_of;   // by card id: the index of the card's group, relative to `first`
  Register cards = ir::kNoRegister, count = ir::kNoRegister;
  // A family (families.h): `group_of` is -1 for cards of no group, `cards` contains the numbers of the groups whose
  // cards are in `hand`, and `counting` is the function that counts the options of one group.
  bool is_family = false;
  Register hand = ir::kNoRegister;
  // The arguments of the functions of each group: `card` is the lowest card of the group in the hand.
  std::vector<Register> arguments;
  Register card = ir::kNoRegister;
  std::vector<bool> of_one_card;   // by group: whether its options use `card` instead of `hand`
  ir::FunctionIndex counting = 0;
};

// All options of a decision site, in order.
struct Offers {
  std::vector<Group> groups;
  std::vector<GroupRun> runs;
};

// The chosen option of a group.
struct Chosen {
  Register id = ir::kNoRegister;
  // The option's id with unknown cards replaced by the actual cards. Equals `id` if no card is unknown.
  Register truth = ir::kNoRegister;
  std::vector<Register> arguments;   // `me`, the card that carries the action, and the parameters
  Register set = ir::kNoRegister;   // the argument that is a set, if there is one
};

// Returns the levels in source order.
std::vector<const Level*> as_written(const Group& group);

}   // namespace cardwright::lower
