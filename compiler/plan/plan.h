// Plans: how a condition over the elements of a domain is worked out for all of them at once. A plan is a value that
// says what to do and never does it: planning writes no code (sets.cpp, cells.cpp, masks.cpp, by_number.cpp,
// lanes.cpp), lower/emit_plan.cpp writes what a plan says, print.cpp shows it (`print --stage plan`).
// The operands are expressions of the Model, in the order in which they are worked out, so traps come in that order
// too.
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
using PlanRef = std::shared_ptr<const Plan>;   // null: there is no way without a loop
using LanesRef = std::shared_ptr<const LanesPlan>;
using model::Expr;

// ---- of any domain

// Does not name the element: all of the domain, or nothing.
struct Uniform {
  const Expr* condition;
};
// The second inside the first.
struct Both {
  PlanRef first, second;
};
// `rest_only`: the second is asked only of those that don't have the first.
struct Either {
  PlanRef first, second;
  bool rest_only;
};
struct Not {
  PlanRef what;
};
// Nobody asks an empty domain: where the plan needs something that may not be there, it is not looked at.
struct IfAny {
  PlanRef what;
};
// `any y in few has C(x, y)`: for each y those x for which it holds. What depends on x alone is looked at before.
struct AnyOther {
  const Expr* others;
  model::LocalId other;
  std::vector<PlanRef> before, parts;
};
// A call of what is one expression, as if that stood here; `names` are its own. Of the arguments some are known.
struct Inlined {
  const Expr* call;
  std::shared_ptr<Names> names;
  std::size_t element;   // which argument is the element
  PlanRef what;
  bool nests;   // it counts among the functions that are inlined into one another
};

// ---- of cards and cells

// Known when compiling: these ids.
struct Fixed {
  std::vector<Int> ids;
};
struct CountsAs {
  const std::vector<Int>* kinds;
  const Expr* holder;
};
// In this set.
struct Member {
  const Expr* set;
};
// The elements by a number that is the same for all of them: a line of sets, and where to look.
struct Looked {
  std::vector<Int> lines;   // `words` ints each
  const Expr* number;
  std::optional<Bounds> clamp;   // beyond it all are alike
  std::optional<Int> first;   // of the first line; none: 0
  bool ordered = false;   // none has no order: a trap
  bool without = false;   // those that are not in it
};
// By the value that stands on them: one test for each.
struct MemberByValue {
  const Expr* wanted;   // a mask
  std::vector<std::pair<Int, std::vector<Int>>> cards;
};
// The one element.
struct One {
  const Expr* which;
  bool without;
};
// What a player knows; `zone`: of the face-down cards of this one, out of which the element is taken.
struct Knows {
  const Expr* who;
  const Expr* zone;
};
// By a number that is printed on them: first for which numbers it holds (a plan of masks), then which cards have them.
struct ByNumber {
  std::shared_ptr<Names> names;
  model::LocalId number;
  PlanRef which;
  Word numbers;   // that there are
  struct Chunk {
    Int first;
    std::vector<Int> lines;
  };
  int bits;   // of a chunk
  std::vector<Chunk> chunks;
};
// `it.edge(d) in S`: the cells on that side of which one of these edges is.
struct ByEdge {
  const Expr* edges;
  std::vector<Int> cell_by_edge;
};
// The cells from which steps lead into the target: it is shifted back. Without a target: into any cell.
struct Shifted {
  const Expr* target;
  bool one;   // the target is a cell
  std::vector<const Expr*> steps;   // outermost first
  bool without;
};
// `any d in directions has C(it, d)`, written out.
struct AnyWay {
  model::LocalId way;
  std::vector<std::pair<Int, PlanRef>> ways;
};

// ---- of players, constants and small numbers: masks

// if C then A else B, where C does not name the element
struct ByCase {
  const Expr* condition;
  PlanRef then, otherwise;
};
// … and where it does
struct ByCases {
  PlanRef condition, then, otherwise;
};
// What a value or function says of the element, with the rules that bend the value `to` something.
struct Called {
  const Expr* call;
  std::size_t element;   // which argument
  struct Modified {
    const model::Modifier* rule;
    PlanRef what;
  };
  std::vector<Modified> to;
  PlanRef base;
};
// Whose zone is empty.
struct Without {
  Int zone, facedown;   // facedown: -1 if there is none
};
// Who holds a value of a variable: the expression's value, or the constant.
struct Holding {
  const Expr* variable;
  model::LocalId element;
  Int stride;
  const Expr* value;
  Int constant;
  bool without = false;
};
struct InGame {};
// The element itself, or moved, compared with what is the same for all.
struct Moved {
  model::LocalId element;
  const Expr *mine, *other;
  model::ExprKind comparison;
  bool swapped;
};
// What the element holds, compared with a number that is known for each of them.
struct EachCompared {
  const Expr* mine;
  model::LocalId element;
  Int stride, first;
  std::vector<Int> wanted;
  model::ExprKind comparison;
  bool swapped;
};
// The top of each element's pile is of these kinds. `asked`: as far as who is asked knows.
struct Topped {
  Int zone, facedown, from;
  std::vector<Int> cards;
  bool asked;
};
// `any c in p.hand has C(c)`, of players: such cards in anybody's hand at once, and then who holds one.
struct OwnersOf {
  std::uint32_t zone;
  model::LocalId card;
  PlanRef such;
  bool only_whether;   // any mask but 0 says so
};
// By the value of a variable that decides, where there are fewer values than elements.
struct ByValue {
  std::shared_ptr<Names> names;
  Holding holding;
  model::LocalId value;
  const Expr* condition;   // over `value`
  PlanRef which;   // for which values, if there is a plan for that
  Int lo, hi;
  bool or_none;
};
// A number that every player has, compared with what is the same for all: a byte for each in one word.
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
  // the only cards that what is left can hold; none if nobody knows
  std::optional<std::vector<Int>> among = {};
};

// ---- lanes: a number of each player, a byte each

// The same for all of them.
struct SameForAll {
  const Expr* number;
};
// How many seats on, looked up by who is in: lines by in * players + seat.
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
// What a value or function gives for each player, and what its rules add.
struct CalledLanes {
  const Expr* call;
  std::size_t element;
  LanesRef base;
  std::vector<LanesRef> added;
  const Expr *floor, *ceiling;
};
// What a rule adds for all of them.
struct AddedToAll {
  const model::Modifier* rule;
};
// … for each of its carriers: so much for each card or character that the player has.
struct AddedByCarriers {
  const model::Modifier* rule;
  Int amount;
  Int most;   // that it can be in all, without its sign
  std::vector<Int> cards;   // none: a character
};

struct LanesPlan {
  std::variant<SameForAll, SeatsOn, LeastOf, SumOf, CalledLanes, AddedToAll, AddedByCarriers> how;
  Int most = 0;   // that a byte can be
  bool beside = false;   // there is something that is added to all of them
  bool bounded = false;
};

// ---- a sum, the most or the least of what is printed on cards

struct Total {
  enum class Kind : std::uint8_t { sum, most, least } kind;
  // of a sum: for each binary digit the cards that have it; else for each number, in the order in which they are looked
  // for
  std::vector<std::pair<Int, std::vector<Int>>> cards;
};

// As text, a line for each step; `body` says how the locals are called.
std::string print(const model::Model& model, const Plan& plan, const model::Body* body);

}   // namespace cardwright::plan
