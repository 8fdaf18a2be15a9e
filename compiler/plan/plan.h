// Defines plans. A plan is a data structure that describes how a condition is evaluated for all elements of a domain
// without a loop. sets.cpp, cells.cpp, masks.cpp, by_number.cpp and lanes.cpp create plans; they emit no code.
// lower/plans/emit_plan.cpp emits the code of a plan, and print.cpp prints it (`print --stage plan`).
// Operands are expressions of the Model in order of evaluation, so traps also occur in that order.
// The technique is that of bit-sliced and bitmap indexes: P. O'Neil, D. Quass, "Improved Query Performance with Variant
// Indexes", SIGMOD 1997. A condition is applied to the domain before a loop over it, like predicate pushdown in
// databases (P. Selinger et al., 1979).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/plan/facts.h"

namespace cardwright::plan {

struct Plan;
struct LanesPlan;
using PlanRef = std::shared_ptr<const Plan>;   // null if the condition requires a loop
using LanesRef = std::shared_ptr<const LanesPlan>;
using model::Expr;

// ---- any domain

// A condition that does not mention the element. It selects either all elements of the domain or none.
struct Uniform {
  const Expr* condition;
};
// A conjunction. The second plan is evaluated on the elements that the first plan selects.
struct Both {
  PlanRef first, second;
};
// A disjunction. If `rest_only` is true, the second plan is evaluated only for elements that do not satisfy the first
// plan.
struct Either {
  PlanRef first, second;
  bool rest_only;
};
struct Not {
  PlanRef what;
};
// Evaluates the plan, which may trap, only if the domain is not empty.
struct IfAny {
  PlanRef what;
};
// `any y in few has C(x, y)`: loops over y, and for each y, selects the elements x that satisfy C. Conditions on x
// alone are evaluated before the loop.
struct AnyOther {
  const Expr* others;
  model::LocalId other;
  std::vector<PlanRef> before, parts;
};
// A call of a value or function that is defined by a single expression. That expression is evaluated with its own
// `names`, some of which may be constant.
struct Inlined {
  const Expr* call;
  std::shared_ptr<Names> names;
  std::size_t element;   // index of the argument that is the element
  PlanRef what;
  bool nests;   // true if the call increases the inlining depth of functions
};

// ---- cards and cells

// The elements with these ids, which are known at compile time.
struct Fixed {
  std::vector<Int> ids;
};
struct CountsAs {
  const std::vector<Int>* kinds;
  const Expr* holder;
};
// The elements that are members of this set.
struct Member {
  const Expr* set;
};
// The elements of one set in a table of sets. The index is a number that is the same for all elements.
struct Looked {
  std::vector<Int> lines;   // the sets, each stored in Layout::words ints
  const Expr* number;
  // The number is clamped to these bounds, because all numbers outside them select the same set.
  std::optional<Bounds> clamp;
  std::optional<Int> first;   // the number that selects the first set; nullopt means 0
  bool ordered = false;   // the comparison is < or <=, which traps if an operand is none
  bool without = false;   // true if the plan selects the complement
};
// Selects cards by a printed value. Tests for each value whether it is a member of `wanted`.
struct MemberByValue {
  const Expr* wanted;   // a mask of values
  std::vector<std::pair<Int, std::vector<Int>>> cards;
};
// The elements that equal `which` or, if `without` is true, those that differ from it.
struct One {
  const Expr* which;
  bool without;
};
// The cards that a player knows. If the elements are taken from a zone that may contain face-down cards, `zone` is that
// zone, and only its face-down cards are tested.
struct Knows {
  const Expr* who;
  const Expr* zone;
};
// Selects cards by a printed number: computes the mask of numbers for which the condition is true, then looks up the
// cards that have these numbers.
struct ByNumber {
  std::shared_ptr<Names> names;
  model::LocalId number;
  PlanRef which;
  Word numbers;   // mask of the numbers that occur
  struct Chunk {
    Int first;
    std::vector<Int> lines;
  };
  int bits;   // number of bits in a chunk
  std::vector<Chunk> chunks;
};
// `it.edge(d) in S`: the cells whose edge in direction d is one of `edges`.
struct ByEdge {
  const Expr* edges;
  std::vector<Int> cell_by_edge;
};
// The cells from which the steps lead to the target, computed by shifting the target back. Without a target, the cells
// from which the steps lead to any cell.
struct Shifted {
  const Expr* target;
  bool one;   // true if the target is a single cell, not a set
  std::vector<const Expr*> steps;   // the steps, outermost first
  bool without;
};
// `any d in directions has C(it, d)`: one plan for each direction.
struct AnyWay {
  model::LocalId way;
  std::vector<std::pair<Int, PlanRef>> ways;
};

// ---- players, constants and small numbers: masks

// `if C then A else B`, where C does not mention the element.
struct ByCase {
  const Expr* condition;
  PlanRef then, otherwise;
};
// `if C then A else B`, where C mentions the element.
struct ByCases {
  PlanRef condition, then, otherwise;
};
// The result of a value or function for each element, including modifiers that replace the value (`modify V to …`).
struct Called {
  const Expr* call;
  std::size_t element;   // index of the argument that is the element
  struct Modified {
    const model::Modifier* rule;
    PlanRef what;
  };
  std::vector<Modified> to;
  PlanRef base;
};
// The players whose zone is empty.
struct Without {
  Int zone, facedown;   // `facedown` is the zone of face-down cards, or -1
};
// The elements whose variable equals the expression `value`, or the constant if `value` is null.
struct Holding {
  const Expr* variable;
  model::LocalId element;
  Int stride;
  const Expr* value;
  Int constant;
  bool without = false;
};
struct InGame {};
// A comparison of the element, or of the element plus an offset, with a value that is the same for all elements.
struct Moved {
  model::LocalId element;
  const Expr *mine, *other;
  model::ExprKind comparison;
  bool swapped;
};
// A comparison of each element's variable with a number that is known at compile time for each element.
struct EachCompared {
  const Expr* mine;
  model::LocalId element;
  Int stride, first;
  std::vector<Int> wanted;
  model::ExprKind comparison;
  bool swapped;
};
// The elements whose pile has one of these cards on top. If `asked` is true, the plan uses only the deciding player's
// knowledge.
struct Topped {
  Int zone, facedown, from;
  std::vector<Int> cards;
  bool asked;
};
// `any c in p.hand has C(c)` for players: selects the cards in all hands that satisfy C, and then their owners.
struct OwnersOf {
  std::uint32_t zone;
  model::LocalId card;
  PlanRef such;
  bool only_whether;   // true if only the truth of the result matters, that is, whether the mask is nonzero
};
// Selects elements by the value of the variable on which the condition depends. Used if the variable has fewer values
// than there are elements.
struct ByValue {
  std::shared_ptr<Names> names;
  Holding holding;
  model::LocalId value;
  const Expr* condition;   // a condition on the local `value`
  PlanRef which;   // the plan that selects the values, or null
  Int lo, hi;
  bool or_none;
};
// Compares each player's number with a number that is the same for all players. The numbers of all players are computed
// in one word, with one byte for each player.
struct InLanes {
  LanesRef numbers;
  const Expr* limit;
  model::ExprKind comparison;
  bool swapped;
};

struct Plan {
  std::variant<Uniform, Both, Either, Not, IfAny, AnyOther, Inlined, Fixed, CountsAs, Member, Looked, MemberByValue,
               One, Knows, ByNumber, ByEdge, Shifted, AnyWay, ByCase, ByCases, Called, Without, Holding, InGame, Moved,
               EachCompared, Topped, OwnersOf, ByValue, InLanes>
      how;
  // The only cards that the result can contain, or nullopt if they are unknown.
  std::optional<std::vector<Int>> among = {};
};

// ---- lanes: a number for each player, one byte each

// The same number for all players.
struct SameForAll {
  const Expr* number;
};
// The number of seats between `seat` and each player. The table has one row for each mask of remaining players and each
// seat; the index of a row is mask * players + seat.
struct SeatsOn {
  const Expr* seat;
  std::vector<Int> lines;
};
struct LeastOf {
  LanesRef left, right;
};
struct SumOf {
  LanesRef left, right;
};
// The result of a value or function for each player, plus the amounts that its modifiers add.
struct CalledLanes {
  const Expr* call;
  std::size_t element;
  LanesRef base;
  std::vector<LanesRef> added;
  const Expr *floor, *ceiling;
};
// The amount that a modifier adds for all players.
struct AddedToAll {
  const model::Modifier* rule;
};
// The amount that a modifier adds for each of its carriers, that is, for each card or character with the modifier that
// the player has.
struct AddedByCarriers {
  const model::Modifier* rule;
  Int amount;
  Int most;   // maximum absolute value of the total
  std::vector<Int> cards;   // empty if the carrier is a character
};

struct LanesPlan {
  std::variant<SameForAll, SeatsOn, LeastOf, SumOf, CalledLanes, AddedToAll, AddedByCarriers> how;
  Int most = 0;   // maximum value of a byte
  bool beside = false;   // an additional number, stored outside the bytes, is added for every player
  bool bounded = false;
};

// ---- a sum, the maximum or the minimum of a number printed on cards

struct Total {
  enum class Kind : std::uint8_t { sum, most, least } kind;
  // For a sum, each pair consists of a power of two and the cards whose number has that bit set. Otherwise, each pair
  // consists of a number and the cards with that number, in search order.
  std::vector<std::pair<Int, std::vector<Int>>> cards;
};

// Prints a plan with one line per step. `body` provides the names of the locals.
std::string print(const model::Model& model, const Plan& plan, const model::Body* body);

}   // namespace cardwright::plan
