// The environment in which the code of one rule is emitted: its locals and the meaning of `return`, `stop` and `end`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/analysis/secrecy.h"
#include "compiler/lower/context/builder.h"
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
using plan::body_of_call;
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
using plan::static_value;
using plan::takes_table;

// Returns a type that has no parameters.
inline model::Type simple(model::TypeKind kind, bool optional = false) {
  model::Type type;
  type.kind = kind;
  type.optional = optional;
  return type;
}

// The location of a local of the Model while its rule is being lowered.
struct Place {
  enum class Kind : std::uint8_t { none, reg, variable } kind = Kind::none;
  Register reg = ir::kNoRegister;
  Int variable = -1;   // the scratch variable from which other rules read the local as `W.x` or `E.x`
};

// The locals of one rule, and the meaning of `return`, `stop` and `end` in it.
struct Env : plan::Names {
  // By local: the `let`s since the last change of the state whose initial expressions are pure. Evaluating such an
  // expression again returns the same value.
  std::map<std::uint32_t, const model::Expr*> fresh;
  // Like `fresh`, but includes `let`s whose own evaluation changed the state. The elements that they found have not
  // moved.
  std::map<std::uint32_t, const model::Expr*> found;
  bool deferred = false;   // true in an `afterwards`, where only the captured names are available
  std::vector<Place> places;   // where the locals that are not constants are stored
  Register me = ir::kNoRegister;
  Facts facts;   // facts about the names, from the deciding player's point of view
  // Names whose cards have been revealed or shown to a player since the name was bound.
  std::map<std::uint32_t, const model::Expr*> shown;
  // The form in which `return` is emitted: a return instruction or, with `inline_return`, a jump to `return_block` with
  // the value in `result`.
  bool inline_return = false;
  BlockIndex return_block = 0;
  Register result = ir::kNoRegister;
  // For each enclosing loop, the block that continues with the next element and the block that leaves the loop.
  std::vector<std::pair<BlockIndex, BlockIndex>> loops;
  // 1 + the index of the event whose body is being emitted, or 0. The event's `after` rules run even if the body
  // executes `end`.
  Int ended_by = 0;
  const model::Handler* replaces = nullptr;   // the `instead of` rule whose code is being emitted
  // In an `instead of` rule, emits `proceed` with these arguments. `others` is true if the arguments may differ from
  // those that the rule received.
  std::function<Register(const std::vector<Register>& arguments, bool others)> proceed;
  std::vector<Register> proceed_arguments;
  bool flow = false;   // true if no event is in progress, as in the bodies of turns, phases, `setup` and `play`
  Register window_acted = ir::kNoRegister;
  Register window_reached = ir::kNoRegister;
  Register from_flow = ir::kNoRegister;   // in a window, 1 if it was opened while no event was in progress
  // In a sequence, processes each yielded element, or the fields of a yielded record.
  std::function<void(const std::vector<Register>&)> yields;
  std::vector<std::pair<Int, Register>> restore;   // scratch variables to restore before returning
  // In an event or window that returns a list or a record, the variables that pass the result to the caller.
  std::vector<Int> gives;
  // In a function that returns a set, the element whose membership is tested.
  Register member = ir::kNoRegister;
  std::optional<Int> ending;   // in the block of an `end when`, the index in Program::endings
};

}   // namespace cardwright::lower
