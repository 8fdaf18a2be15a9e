// The environment in which the code of one rule is emitted: its locals and the meaning of `return`, `stop` and `end`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/analysis/secrecy.h"
#include "compiler/lower/builder.h"
#include "compiler/model/model.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "compiler/plan/facts.h"

namespace cardwright::lower {

namespace view = model::view;

using analysis::Fact;
using analysis::Facts;
using analysis::kPlaced;
using analysis::kSeen;
using model::holds_cards;

using plan::board_of;
using plan::board_with;
using plan::Bounds;
using plan::bounds;
using plan::cards_of_kinds;
using plan::conjuncts;
using plan::is_array;
using plan::is_direction;
using plan::is_mask;
using plan::is_never_none;
using plan::is_small;
using plan::is_wide;
using plan::is_wide_element;
using plan::me_argument;
using plan::mentions;
using plan::plain_body;
using plan::possible;
using plan::possible_rules;
using plan::pure;
using plan::said_body;
using plan::static_value;
using plan::takes_table;

// A type without parameters.
inline model::Type simple(model::TypeKind kind, bool optional = false) {
  model::Type type;
  type.kind = kind;
  type.optional = optional;
  return type;
}

// The location of a local of the Model while code of its rule is emitted.
struct Place {
  enum class Kind : std::uint8_t { none, reg, variable } kind = Kind::none;
  Register reg = ir::kNoRegister;
  Int variable = -1;   // scratch: other rules read it as `W.x` or `E.x`
};

// The locals of one rule, and the meaning of `return`, `stop` and `end` in it.
struct Env : plan::Names {
  std::map<std::uint32_t, const model::Expr*> fresh;   // `let`s since which the state has not changed
  // all `let`s since the last state change: the elements they found have not moved
  std::map<std::uint32_t, const model::Expr*> found;
  bool deferred = false;   // in an `afterwards`: only the captured names of the body are available
  std::vector<Place> places;   // of the locals that are not constants
  Register me = ir::kNoRegister;
  Facts facts;   // facts about the names that are certain for the deciding player
  // cards that have been revealed, or shown to a player, since their name was bound
  std::map<std::uint32_t, const model::Expr*> shown;
  // return: either a real one, or a jump with the value in `result`
  bool inline_return = false;
  BlockIndex return_block = 0;
  Register result = ir::kNoRegister;
  std::vector<std::pair<BlockIndex, BlockIndex>> loops;   // next, stop
  Int said_by = 0;   // 1 + the event whose body this is: its `after` rules run even though the body executes `end`
  const model::Handler* replaces = nullptr;   // the `instead of` rule whose code this is
  // inside it: emits `proceed` with these arguments, which may differ from those that the rule received
  std::function<Register(const std::vector<Register>& arguments, bool others)> proceed;
  std::vector<Register> proceed_arguments;
  bool flow = false;   // no event is in progress: turn, phase, setup and play bodies
  Register window_acted = ir::kNoRegister;
  Register window_reached = ir::kNoRegister;
  Register from_flow = ir::kNoRegister;   // in a window: whether flow code opened it
  // of a sequence: processes each element, or its fields
  std::function<void(const std::vector<Register>&)> yields;
  std::vector<std::pair<Int, Register>> restore;   // scratch variables to restore before returning
  // of an event or window that returns a list or a record: the variables that pass it to the caller
  std::vector<Int> gives;
  // of a function that returns a set: conditions test whether this element is in it
  Register member = ir::kNoRegister;
  std::optional<Int> ending;   // of the block of an `end when`: index into Program::endings
};

}   // namespace cardwright::lower
