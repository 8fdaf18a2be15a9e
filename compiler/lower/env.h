// The locals of one rule, and what `return`, `stop` and `end` mean in it.
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

// A type of which the kind says all.
inline model::Type simple(model::TypeKind kind, bool optional = false) {
  model::Type type;
  type.kind = kind;
  type.optional = optional;
  return type;
}

// Where a local of the Model lives while code of its rule is written.
struct Place {
  enum class Kind : std::uint8_t { none, reg, variable } kind = Kind::none;
  Register reg = ir::kNoRegister;
  Int variable = -1;   // scratch: seen by other rules as `W.x` or `E.x`
};

// One rule's locals, and what `return`, `stop` and `end` mean in it.
struct Env : plan::Names {
  std::map<std::uint32_t, const model::Expr*> fresh;   // `let`s since which nothing has happened
  std::map<std::uint32_t, const model::Expr*> found;   // all `let`s since then: what they found lies where it lay
  bool deferred = false;   // in an `afterwards`: of the body's names only those it needs are there
  std::vector<Place> places;   // of those that are no constants
  Register me = ir::kNoRegister;
  Facts facts;   // while something is asked: what is sure of the names
  // cards that were revealed, or to whom, since they got their name
  std::map<std::uint32_t, const model::Expr*> shown;
  // return: either a real one, or a jump with the value in `result`
  bool inline_return = false;
  BlockIndex return_block = 0;
  Register result = ir::kNoRegister;
  std::vector<std::pair<BlockIndex, BlockIndex>> loops;   // next, stop
  Int said_by = 0;   // 1 + event whose body this is: its afters run although it says `end`
  const model::Handler* replaces = nullptr;   // the `instead of` rule whose code this is
  // inside it: writes `proceed` with these arguments, which may differ from those that the rule received
  std::function<Register(const std::vector<Register>& arguments, bool others)> proceed;
  std::vector<Register> proceed_arguments;
  bool flow = false;   // nothing is under way: turn, phase, setup and play bodies
  Register window_acted = ir::kNoRegister;
  Register window_reached = ir::kNoRegister;
  Register from_flow = ir::kNoRegister;   // in a window: was it opened by flow
  // of a sequence: what is done with each element, or its fields
  std::function<void(const std::vector<Register>&)> yields;
  std::vector<std::pair<Int, Register>> restore;   // scratch variables to put back on the way out
  // of an event or window that gives a list or a record: the variables that hand it over
  std::vector<Int> gives;
  Register member = ir::kNoRegister;   // of a function that gives a set: conditions say whether this is in it
  std::optional<Int> ending;   // of the block of an `end when`: which of Program::endings
};

}   // namespace cardwright::lower
