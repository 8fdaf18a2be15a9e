// Plans: how a condition is evaluated for all elements of a domain at once. A plan is a data structure; planning emits
// no code (sets.cpp, cells.cpp, masks.cpp, by_number.cpp, lanes.cpp). lower/emit_plan.cpp emits the code of a plan, and
// print.cpp prints it (`print --stage plan`).
// Operands are expressions of the Model in order of evaluation, so traps occur in that order too.
// The technique is that of bit-sliced and bitmap indexes: P. O'Neil, D. Quass, "Improved Query Performance with Variant
// Indexes", SIGMOD 1997; a condition is pushed into the domain before a loop over it (P. Selinger et al., 1979).
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
using PlanRef = std::shared_ptr<const Plan>;   // null: the condition requires a loop
using LanesRef = std::shared_ptr<const LanesPlan>;
using model::Expr;

// ---- any domain

// Does not mention the element: selects the whole domain or nothing.
struct Uniform {
  const Expr* condition;
};
// Evaluates the second plan on the result of the first.
struct Both {
  PlanRef first, second;
};
// `rest_only`: the second plan is only evaluated for elements that do not satisfy the first.
struct Either {
  PlanRef first, second;
  bool rest_only;
};
struct Not {
  PlanRef what;
};
// Skips the plan if the domain is empty, because evaluating it may trap.
struct IfAny {
  PlanRef what;
};
// `any y in few has C(x, y)`: for each y, those x that satisfy it. Conditions on x alone are evaluated before the loop.
struct AnyOther {
  const Expr* others;
  model::LocalId other;
  std::vector<PlanRef> before, parts;
};
// A call of a value or function that is a single expression, evaluated with its own `names`. Some arguments may be
// constant.
struct Inlined {
  const Expr* call;
  std::shared_ptr<Names> names;
  std::size_t element;   // index of the argument that is the element
  PlanRef what;
  bool nests;   // it counts towards the inlining depth of functions
};

// ---- cards and cells

// These ids, known at compile time.
struct Fixed {
  std::vector<Int> ids;
};
struct CountsAs {
  const std::vector<Int>* kinds;
  const Expr* holder;
};
// The elements of this set.
struct Member {
  const Expr* set;
};
// A table of sets, indexed by a number that is the same for all elements.
struct Looked {
  std::vector<Int> lines;   // `words` ints for each set
  const Expr* number;
  std::optional<Bounds> clamp;   // the number is clamped to these bounds, because all numbers beyond have the same set
  std::optional<Int> first;   // number of the first set; none: 0
  bool ordered = false;   // the comparison is <, <=, which traps for none
  bool without = false;   // selects the complement
};
// Selects by the printed value: one membership test for each value.
struct MemberByValue {
  const Expr* wanted;   // a mask
  std::vector<std::pair<Int, std::vector<Int>>> cards;
};
// One element.
struct One {
  const Expr* which;
  bool without;
};
// The cards that a player knows; `zone`: those of its face-down cards, if the element is taken from it.
struct Knows {
  const Expr* who;
  const Expr* zone;
};
// Selects by a printed number: computes for which numbers the condition holds (a plan over masks), then looks up the
// cards with these numbers.
struct ByNumber {
  std::shared_ptr<Names> names;
  model::LocalId number;
  PlanRef which;
  Word numbers;   // that occur
  struct Chunk {
    Int first;
    std::vector<Int> lines;
  };
  int bits;   // of a chunk
  std::vector<Chunk> chunks;
};
// `it.edge(d) in S`: the cells with one of these edges on that side.
struct ByEdge {
  const Expr* edges;
  std::vector<Int> cell_by_edge;
};
// The cells from which the steps lead into the target, computed by shifting the target back. Without a target: to any
// cell.
struct Shifted {
  const Expr* target;
  bool one;   // the target is a single cell
  std::vector<const Expr*> steps;   // outermost first
  bool without;
};
// `any d in directions has C(it, d)`, unrolled.
struct AnyWay {
  model::LocalId way;
  std::vector<std::pair<Int, PlanRef>> ways;
};

// ---- players, constants and small numbers: masks

// if C then A else B, where C does not mention the element
struct ByCase {
  const Expr* condition;
  PlanRef then, otherwise;
};
// if C then A else B, where C mentions the element
struct ByCases {
  PlanRef condition, then, otherwise;
};
// The result of a value or function for the element, with the modifiers that set the value `to` something.
struct Called {
  const Expr* call;
  std::size_t element;   // index of the argument
  struct Modified {
    const model::Modifier* rule;
    PlanRef what;
  };
  std::vector<Modified> to;
  PlanRef base;
};
// The players whose zone is empty.
struct Without {
  Int zone, facedown;   // facedown: -1 if there is none
};
// The elements for which a variable has a value: that of the expression, or the constant.
struct Holding {
  const Expr* variable;
  model::LocalId element;
  Int stride;
  const Expr* value;
  Int constant;
  bool without = false;
};
struct InGame {};
// The element, or the element plus an offset, compared with a value that is the same for all elements.
struct Moved {
  model::LocalId element;
  const Expr *mine, *other;
  model::ExprKind comparison;
  bool swapped;
};
// The variable of each element, compared with a number that is known at compile time for each of them.
struct EachCompared {
  const Expr* mine;
  model::LocalId element;
  Int stride, first;
  std::vector<Int> wanted;
  model::ExprKind comparison;
  bool swapped;
};
// The elements whose pile has a top card of these kinds. `asked`: as far as the deciding player knows.
struct Topped {
  Int zone, facedown, from;
  std::vector<Int> cards;
  bool asked;
};
// `any c in p.hand has C(c)` for players: selects such cards in all hands at once, and then their owners.
struct OwnersOf {
  std::uint32_t zone;
  model::LocalId card;
  PlanRef such;
  bool only_whether;   // any mask except 0 means true
};
// Selects by the value of a variable on which the condition depends, if there are fewer values than elements.
struct ByValue {
  std::shared_ptr<Names> names;
  Holding holding;
  model::LocalId value;
  const Expr* condition;   // over `value`
  PlanRef which;   // for which values, if there is a plan for that
  Int lo, hi;
  bool or_none;
};
// A number of each player, compared with a number that is the same for all: one word with a byte for each player.
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
  // the only cards that the result can contain; none if unknown
  std::optional<std::vector<Int>> among = {};
};

// ---- lanes: a number for each player, one byte each

// The same number for all players.
struct SameForAll {
  const Expr* number;
};
// The number of seats between players, looked up by the mask of remaining players: rows by in * players + seat.
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
// The amount that a modifier adds for each of its carriers, per card or character that the player has.
struct AddedByCarriers {
  const model::Modifier* rule;
  Int amount;
  Int most;   // maximum of the total, as an absolute value
  std::vector<Int> cards;   // empty: a character
};

struct LanesPlan {
  std::variant<SameForAll, SeatsOn, LeastOf, SumOf, CalledLanes, AddedToAll, AddedByCarriers> how;
  Int most = 0;   // maximum of a byte
  bool beside = false;   // a number is added to all of them
  bool bounded = false;
};

// ---- a sum, the maximum or the minimum of a number printed on cards

struct Total {
  enum class Kind : std::uint8_t { sum, most, least } kind;
  // for a sum: the cards for each binary digit; otherwise, the cards for each number, in search order
  std::vector<std::pair<Int, std::vector<Int>>> cards;
};

// Prints a plan, one line per step; `body` provides the names of the locals.
std::string print(const model::Model& model, const Plan& plan, const model::Body* body);

}   // namespace cardwright::plan
