// Evaluates Model expressions with constant values: consts, attributes and initial values during semantic analysis, and
// conditions on single elements during planning. An EvaluationContext provides the values known in each of these
// phases. Arithmetic uses analysis/constants.h, so results and traps equal those in a game.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/model/model.h"
#include "runtime/ops/game.h"

namespace cardwright::analysis {

// A constant value of any type.
struct ConstantValue {
  Int value = 0;
  std::vector<Int> values;   // elements of a set, in ascending order
  std::vector<ConstantValue> items;   // elements of a list
};
using MaybeConstant = std::optional<ConstantValue>;
// The values of locals, by index.
using Frame = std::map<std::uint32_t, ConstantValue>;

class EvaluationContext {
 public:
  explicit EvaluationContext(const model::Model& of) : model(of) {}
  EvaluationContext(const EvaluationContext&) = delete;
  virtual ~EvaluationContext() = default;

  const model::Model& model;

  // Counts an evaluation step. Returns false if the maximum number of steps is exceeded.
  virtual bool count_step() = 0;
  // Prepares the body and the modifiers of a called value or function. Returns false if they are not available.
  virtual bool prepare(const model::Expr& call) = 0;
  // Computes an arithmetic operation. Returns nullopt if it traps.
  virtual std::optional<Int> compute(model::ExprKind kind, Int a, Int b, Range range) = 0;
  virtual void trap(Trap, Range) {}
  // Returns the value of a local that the evaluation has not bound.
  virtual MaybeConstant local(const model::Expr&) { return std::nullopt; }
  // Returns whether the modifier can apply in some game.
  virtual bool is_possible(const model::Modifier&) { return true; }
  // Returns whether the card is the one whose attributes are being computed. The next two functions return an attribute
  // and the kind of that card.
  virtual bool is_current_card(const model::Expr&, const Frame&) { return false; }
  virtual std::optional<Int> attribute_of_current_card(const model::Expr&) { return std::nullopt; }
  virtual std::optional<Int> kind_of_current_card() { return std::nullopt; }
  // These functions convert the index of a card in the Model to its id in the Program, and back. Identical cards share
  // an id. Evaluated cards are ids.
  virtual Int card_id(Int card) { return card; }
  virtual Int card_of(Int id) { return id; }
  // Returns whether the game has not started, so that no player has been eliminated.
  virtual bool is_before_game() { return false; }
};

// Returns nullopt if the value is not known, or if the evaluation would trap.
MaybeConstant evaluate(EvaluationContext& context, const model::Expr& e, Frame& frame, int depth = 0);

}   // namespace cardwright::analysis
