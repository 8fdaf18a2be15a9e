// Collects facts about a game that are available before any of its code is emitted: the Model, the results of
// analysis/, and the indices of cards, variables and zones in the Program. Also declares queries about expressions that
// planning and lowering share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/analysis/called.h"
#include "compiler/analysis/effects.h"
#include "compiler/analysis/offers.h"
#include "compiler/analysis/orders.h"
#include "compiler/analysis/origins.h"
#include "compiler/analysis/secrecy.h"
#include "compiler/analysis/value_rules.h"
#include "compiler/model/model.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "runtime/program/program.h"

namespace cardwright::plan {

namespace view = model::view;

struct Bounds {
  Int lo, hi;
};

// The results of analysis/ for the Model.
struct ModelFacts {
  explicit ModelFacts(const model::Model& model)
      : secrecy(model),
        offers(model, secrecy),
        called(analysis::called_in(model)),
        orders(analysis::orders_in(model)),
        always_ordered(analysis::zones_in_known_order(model)) {}

  analysis::Secrecy secrecy;
  analysis::Offers offers;
  const analysis::Called called;
  const analysis::Orders orders;
  const std::vector<bool> always_ordered;
  std::optional<analysis::Origins> origins;   // absent in an unoptimized Program
};

// The indices of Model elements in the Program.
struct ProgramIds {
  std::vector<Int> of_card;   // by Model card: its id
  // By id: the Model card, or -1 for a guard (an unused id after a look-alike class, see number_cards() in
  // lower/layout).
  std::vector<Int> card;
  std::vector<Int> class_of;   // by id: its look-alike class
  Int classes = 0;
  Int class_cards = -1;   // index of the table with the cards of each look-alike class, or -1 before it is created
  std::vector<Int> variable;   // by Model variable: its slot
  std::vector<Int> pool;   // by Model pool: its variable
  std::vector<Int> timer;   // by Model timer: its variable
  std::vector<Int> facedown_zone;   // by Model zone: the Program zone that contains its face-down cards, or -1
  std::vector<Int> action;   // by Model action: its index in Program::actions
  std::map<std::string, Int> choice_blocks;
  Int next_option = 0;
  Int pass = -1, yes_no = -1, wait = -1;   // ids of these actions, or -1 before they are added
  std::map<std::vector<Int>, Int> tables;
};

struct ProgramFacts {
  ProgramFacts(const model::Model& game, const Program& numbered, bool without_short_cuts)
      : model(game), facts(game), laid_out(numbered), plain(without_short_cuts) {}
  ProgramFacts(const ProgramFacts&) = delete;

  const model::Model& model;
  ModelFacts facts;
  const Program& laid_out;   // only cards, variables and zones are laid out at this point
  bool plain;   // optimizations are disabled
  ProgramIds ids;
  std::set<std::uint32_t> memoized;   // the memoized values, as indices in the Model
  std::deque<model::Expr> rewritten;   // expressions that planning creates to replace those of the Model
  std::deque<model::Body> rewritten_for;   // bodies that contain the locals of these expressions
};

// The values of a rule's locals, as far as they are known at compile time.
struct Names {
  const model::Body* body = nullptr;
  std::vector<std::optional<Int>> constants;   // indexed by local
  model::WindowId window;   // the window that contains the body

  std::optional<Int> constant(model::LocalId local) const {
    return local.index < constants.size() ? constants[local.index] : std::nullopt;
  }
  void be_constant(model::LocalId local, Int value) {
    if (constants.size() <= local.index) constants.resize(local.index + 1);
    constants[local.index] = value;
  }
  const model::Type& type(model::LocalId local) const { return body->locals[local.index].type; }
};

// ---- types
inline bool is_wide_element(const ProgramFacts& game, const model::Type& t) {
  switch (t.kind) {
    case model::TypeKind::card: return true;
    case model::TypeKind::kind: return model::has_wide_sets(game.model.kinds);
    case model::TypeKind::enumeration: return game.model.enums[t.ref].has_wide_sets();
    case model::TypeKind::integer: return t.ref < game.model.areas.size() && game.model.areas[t.ref].has_wide_sets();
    default: return false;
  }
}
// Sets of cards, sets of cells, and sets of an enum that is too large for a mask are stored in Layout::words words. All
// other sets are masks.
inline bool is_wide(const ProgramFacts& game, const model::Type& t) {
  return t.kind == model::TypeKind::set && t.elem && is_wide_element(game, *t.elem);
}
inline bool is_mask(const ProgramFacts& game, const model::Type& t) {
  return t.kind == model::TypeKind::set && !is_wide(game, t);
}
inline bool is_direction(const ProgramFacts& game, const model::Type& t) {
  return t.kind == model::TypeKind::enumeration && game.model.enums[t.ref].dirs;
}
// Lists and tables are stored in arrays.
inline bool is_array(const model::Type& t) { return t.kind == model::TypeKind::list || t.kind == model::TypeKind::map; }
inline bool takes_table(const model::Function& f) {
  return std::any_of(f.parameters.begin(), f.parameters.end(), [&](const model::Parameter& p) {
    return f.body.locals[p.local.index].type.kind == model::TypeKind::map;
  });
}
Bounds bounds(const ProgramFacts& game, const model::Type& type);
const model::Board& board_of(const ProgramFacts& game, const model::Type& cell);
const model::Board& board_with(const ProgramFacts& game, const model::Type& direction);

// ---- cards and rules
std::vector<Int> cards_of_kinds(const ProgramFacts& game, const std::vector<Int>& kinds);
std::vector<Int> cards_of_kinds(const ProgramFacts& game, const std::vector<model::KindId>& kinds);
// Returns false for rules that can never be in force: rules of a card that is in no deck, and rules of a character that
// no deck can deal in this game. Such rules are removed.
bool possible(const ProgramFacts& game, const model::RuleHead& head);
bool possible(const ProgramFacts& game, const model::Action& action);
// Returns the modifiers of a value that can ever be in force.
analysis::ValueRules possible_rules(const ProgramFacts& game, const model::Value& value);
// Returns the index of the argument that is the player (`me`) to whom a rule applies.
std::optional<std::size_t> me_argument(const model::RuleHead& head, const std::vector<model::Pattern>& patterns);

// ---- expressions
bool mentions(const model::Expr& e, model::LocalId local);
// Returns whether the expression can be evaluated early or twice, because it has no side effects and no randomness. It
// may still trap.
bool pure(const ProgramFacts& game, const model::Expr& e);
std::vector<const model::Expr*> conjuncts(const model::Expr& condition);
// Returns the expression that defines a value or function, or null if the definition is not a single expression.
// `plain_body` also returns null for a memoized value.
const model::Expr* plain_body(const ProgramFacts& game, const model::Expr& call);
const model::Expr* body_of_call(const ProgramFacts& game, const model::Expr& call);
// Evaluates an expression for one element (a card, a cell or a number). Returns nullopt unless the expression depends
// only on that element and on `names` whose values are known.
std::optional<Int> static_value(const ProgramFacts& game, const Names* names, const model::Expr& e,
                                model::LocalId local, Int element);
// Like the preceding function, but for an expression that does not depend on an element.
inline std::optional<Int> static_value(const ProgramFacts& game, const Names* names, const model::Expr& e) {
  return static_value(game, names, e, {}, -1);
}
// Returns whether the result is never none. The evaluation may still trap.
bool is_never_none(const ProgramFacts& game, const model::Expr& e);
// Returns whether the number has bounds far below `unlimited`. Adding such a number to another number and subtracting
// it again restores the other number.
bool is_small(const ProgramFacts& game, const model::Expr& e);
// Returns whether the expression can trap (because a player, card, number or entry is missing) or draw a card. Such an
// expression may have to be evaluated only after a test.
bool wants_something(const ProgramFacts& game, const Names& names, const model::Expr& e);
// Returns whether a call of the function is inlined. `inlining` lists the functions that are being inlined around the
// call; `room` is true if the caller may grow further.
bool is_inlined(const ProgramFacts& game, std::uint32_t function, const std::vector<std::uint32_t>& inlining,
                bool room);

}   // namespace cardwright::plan
