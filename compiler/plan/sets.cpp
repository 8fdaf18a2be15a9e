// Plans conditions over cards as set operations, which is possible because the attributes printed on cards are known at
// compile time.
#include <algorithm>

#include "compiler/analysis/secrecy.h"
#include "compiler/plan/make.h"

namespace cardwright::plan {

using model::ExprKind;
using model::LocalId;
using model::TypeKind;

namespace {

using Printed = std::vector<std::optional<Int>>;   // the value of an attribute, by card id

PlanRef with_among(const PlanRef& plan, std::optional<std::vector<Int>> among) {
  if (!plan || !among || plan->among) return plan;
  Plan known = *plan;
  known.among = std::move(among);
  return std::make_shared<const Plan>(std::move(known));
}

std::size_t words(const ProgramFacts& game) { return static_cast<std::size_t>(game.laid_out.layout.words); }

// Returns a table of sets. For each value, the set contains the ids for which `holds(printed, value)` is true.
std::vector<Int> lines_of(const ProgramFacts& game, const Printed& printed, const std::vector<Int>& values,
                          const std::function<bool(Int printed, Int value)>& holds) {
  std::vector<Int> lines;
  for (const Int value : values)
    for (std::size_t w = 0; w < words(game); ++w) {
      Word cards = 0;
      for (std::size_t id = 64 * w; id < std::min(printed.size(), 64 * (w + 1)); ++id)
        if (printed[id] && holds(*printed[id], value)) cards |= Word{1} << (id & 63);
      lines.push_back(static_cast<Int>(cards));
    }
  return lines;
}

// Evaluates an expression for each card. Returns nullopt if the expression depends on more than the card.
std::optional<Printed> printed_on(const Scope& scope, const Expr& of_card, LocalId card) {
  const ProgramFacts& game = *scope.game;
  Printed printed(game.ids.card.size());
  for (std::size_t id = 0; id < printed.size(); ++id) {
    if (game.ids.card[id] < 0) continue;
    printed[id] = static_value(game, scope.names, of_card, card, Int(id));
    if (!printed[id]) return std::nullopt;
  }
  return printed;
}

// A comparison of an attribute with a value that is the same for all cards.
struct Comparison {
  const Expr *of_card, *other;
  bool swapped;   // true if `other` is the left operand
  bool equality, member;
  bool sure;   // true if `other` is never none
  Printed printed;
  Int lo = kUnlimited, hi = -kUnlimited;   // bounds of the printed values
  bool some_none = false;
};

std::optional<Comparison> comparison(const Scope& scope, const Expr& condition, LocalId card) {
  constexpr Int kMostValues = 64;
  const ProgramFacts& game = *scope.game;
  Comparison c{};
  const Sides sides(condition, card);
  c.swapped = sides.swapped;
  c.of_card = &sides.mine;
  c.other = &sides.other;
  c.equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  c.member = condition.kind == ExprKind::in_set;
  c.sure = is_never_none(game, *c.other);
  const model::Type& type = c.other->type;
  if (mentions(*c.other, card) || !pure(game, *c.other) || (c.member && (c.swapped || is_wide(game, type))))
    return std::nullopt;
  if (!c.member && (type.kind == TypeKind::card || type.kind == TypeKind::set || type.kind == TypeKind::list))
    return std::nullopt;
  auto printed = printed_on(scope, *c.of_card, card);
  if (!printed) return std::nullopt;
  c.printed = std::move(*printed);
  for (const auto& number : c.printed) {
    if (!number) continue;
    if (*number == kNone) {
      c.some_none = true;
      continue;
    }
    c.lo = std::min(c.lo, *number);
    c.hi = std::max(c.hi, *number);
  }
  if (c.lo > c.hi || c.hi - c.lo >= kMostValues) return std::nullopt;
  return c;
}

PlanRef by_value(const Scope& scope, const Comparison& c) {
  constexpr Int kMostTests = 16;
  if (c.hi - c.lo >= kMostTests) return nullptr;
  MemberByValue plan{c.other, {}};
  for (Int value = c.lo; value <= c.hi; ++value) {
    std::vector<Int> cards;
    for (std::size_t id = 0; id < c.printed.size(); ++id)
      if (c.printed[id] == value) cards.push_back(Int(id));
    if (!cards.empty()) plan.cards.push_back({value, std::move(cards)});
  }
  return make(scope, std::move(plan));
}

// Plans a condition that a card has the same attribute as another card.
PlanRef same_as_card(const Scope& scope, const Comparison& c, bool without) {
  const ProgramFacts& game = *scope.game;
  if (c.some_none) return nullptr;
  std::vector<Int> on_other(game.ids.card.size(), kNone);   // guard ids have the attribute none, which no card matches
  for (std::size_t id = 0; id < on_other.size(); ++id)
    if (game.ids.card[id] >= 0) on_other[id] = game.model.cards[game.ids.card[id]].attributes[c.other->ref];
  Looked plan{lines_of(game, c.printed, on_other, [](Int p, Int v) { return p == v; }), view::attribute(c.other).of()};
  plan.without = without;
  return make(scope, std::move(plan));
}

std::function<bool(Int printed, Int value)> holds_of(ExprKind comparison, bool swapped) {
  if (comparison == ExprKind::equal || comparison == ExprKind::not_equal) return [](Int p, Int v) { return p == v; };
  if (comparison == ExprKind::less) return [=](Int p, Int v) { return swapped ? v < p : p < v; };
  return [=](Int p, Int v) { return swapped ? v <= p : p <= v; };
}

PlanRef compared(const Scope& scope, const Expr& condition, LocalId card) {
  const ProgramFacts& game = *scope.game;
  const auto c = comparison(scope, condition, card);
  if (!c) return nullptr;
  if (c->member) return by_value(scope, *c);
  // An equality comparison treats none as equal to none; an order comparison traps on none.
  if (c->some_none ? !c->sure || !c->equality : !c->sure && !c->equality) return nullptr;
  const bool without = condition.kind == ExprKind::not_equal;
  if (c->equality && c->other->kind == ExprKind::attribute &&
      view::attribute(*c->other).of()->type.kind == TypeKind::card)
    if (auto same = same_as_card(scope, *c, without)) return same;
  Int lo = c->lo, hi = c->hi;
  std::optional<Bounds> clamp;
  if (c->sure && c->other->kind == ExprKind::variable && c->other->type.kind == TypeKind::enumeration) {
    lo = 0;
    hi = bounds(game, c->other->type).hi;
  } else if (c->equality && lo >= 0) {
    lo = 0;   // numbers outside the table are not printed on any card
  } else {   // all numbers outside the range of printed ones select the same set
    clamp = Bounds{--lo, ++hi};
  }
  std::vector<Int> values;
  for (Int value = lo; value <= hi; ++value) values.push_back(value);
  Looked plan{lines_of(game, c->printed, values, holds_of(condition.kind, c->swapped)), c->other, clamp};
  if (lo != 0) plan.first = lo;
  plan.without = without;
  return make(scope, std::move(plan));
}

// Plans a call of a value or function that is defined by a single condition.
PlanRef call_of_set(const Scope& scope, const Expr& call, LocalId card, const Domain& domain) {
  const ProgramFacts& game = *scope.game;
  const Expr* body = plain_body(game, call);
  const bool is_value = call.kind == ExprKind::call_value;
  const auto& parameters =
      is_value ? game.model.values[call.ref].parameters : game.model.functions[call.ref].parameters;
  if (!body || parameters.size() != call.args.size()) return nullptr;
  std::optional<std::size_t> element;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const Expr* a = call.args[i];
    if (!a) return nullptr;
    if (!mentions(*a, card)) {
      if (!pure(game, *a)) return nullptr;
      continue;
    }
    if (a->kind != ExprKind::local || element) return nullptr;
    element = i;
  }
  if (!element) return nullptr;
  const auto names = std::make_shared<Names>();
  names->body = is_value ? &game.model.values[call.ref].body : &game.model.functions[call.ref].body;
  const PlanRef what = plan_set(scope.in(*names), *body, parameters[*element].local, domain);
  return what ? with_among(make(scope, Inlined{&call, names, *element, what, false}), what->among) : nullptr;
}

PlanRef known(const Scope& scope, const Expr& condition, LocalId card) {
  const Expr& who = *view::knows(condition).who();
  if (!is_local(*view::knows(condition).what(), card) || mentions(who, card)) return nullptr;
  return make(scope, Knows{&who, known_zone(*scope.game, scope.names, scope.taken, card, who)});
}

PlanRef in_set(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain, bool& decided) {
  const Expr &what = *view::in_set(condition).element(), *set = view::in_set(condition).set();
  if (!mentions(what, element) || mentions(*set, element)) return nullptr;
  decided = what.kind == ExprKind::local || domain.cards;
  if (what.kind == ExprKind::local) return make(scope, Member{set});
  return domain.cards ? compared(scope, condition, element) : nullptr;
}

PlanRef comparison_of(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain, bool& decided) {
  const auto [mine, other, swapped] = Sides(condition, element);
  if (!mentions(mine, element) || mentions(other, element)) return nullptr;
  if (mine.kind != ExprKind::local) {
    decided = domain.cards;
    return domain.cards ? compared(scope, condition, element) : nullptr;
  }
  // `after c` compares the order of ids, which set operations do not support.
  if (condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal) return nullptr;
  return make(scope, One{&other, condition.kind == ExprKind::not_equal});
}

PlanRef either(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain) {
  const view::logical_or its(condition);
  const PlanRef first = plan_set(scope, *its.left(), element, domain);
  if (!first) return nullptr;
  const bool rest_only = wants_something(*scope.game, *scope.names, *its.right());
  const PlanRef second = plan_set(scope, *its.right(), element, rest_only ? Domain{domain.wide, domain.cards} : domain);
  return second ? make(scope, Either{first, second, rest_only}) : nullptr;
}

PlanRef both(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain) {
  const view::logical_and its(condition);
  const PlanRef first = plan_set(scope, *its.left(), element, domain);
  if (!first) return nullptr;
  const PlanRef second = plan_set(scope, *its.right(), element, {domain.wide, domain.cards, first->among});
  return second ? with_among(make(scope, Both{first, second}), second->among) : nullptr;
}

PlanRef counts_as(const Scope& scope, const Expr& condition, LocalId card) {
  const view::counts_as its(condition);
  const Expr* holder = its.holder();
  if (!is_local(*its.card(), card) || (holder && mentions(*holder, card))) return nullptr;
  return make(scope, CountsAs{&condition.values, holder});
}

// Plans conditions that correspond to set operations or that do not mention the element. Returns null for all others.
PlanRef set_operations(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain) {
  if (!domain.cards)
    if (PlanRef cells = plan_cells(scope, condition, element, domain)) return cells;
  bool decided = false;   // true if no other plan is possible
  PlanRef found;
  switch (condition.kind) {
    case ExprKind::logical_and: return both(scope, condition, element, domain);
    case ExprKind::logical_or: return either(scope, condition, element, domain);
    case ExprKind::logical_not: {
      const PlanRef what = plan_set(scope, *view::logical_not(condition).operand(), element, domain);
      return what ? make(scope, Not{what}) : nullptr;
    }
    case ExprKind::counts_as: found = counts_as(scope, condition, element); break;
    case ExprKind::in_set: found = in_set(scope, condition, element, domain, decided); break;
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::less:
    case ExprKind::less_equal: found = comparison_of(scope, condition, element, domain, decided); break;
    case ExprKind::knows:
      if (domain.cards) found = known(scope, condition, element);
      break;
    case ExprKind::call_value:
    case ExprKind::call_function:
      if (domain.cards && mentions(condition, element)) return call_of_set(scope, condition, element, domain);
      break;
    default: break;
  }
  if (found || decided) return found;
  if (mentions(condition, element) || !pure(*scope.game, condition)) return nullptr;
  return make(scope, Uniform{&condition});
}

PlanRef any_plan(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain) {
  if (PlanRef found = set_operations(scope, condition, element, domain)) return found;
  if (!mentions(condition, element)) return nullptr;
  if (condition.kind == ExprKind::exists) return plan_any_other(scope, condition, element, domain);
  return domain.cards ? plan_by_number(scope, condition, element, domain) : nullptr;
}

// Returns the ids that satisfy the condition, or nullopt if the condition depends on more than the card or cell.
std::optional<std::vector<Int>> decided_by_element(const Scope& scope, const Expr& condition, LocalId element,
                                                   const Domain& domain) {
  const ProgramFacts& game = *scope.game;
  const Bounds all = domain.cards ? Bounds{0, Int(game.ids.card.size()) - 1} : bounds(game, scope.names->type(element));
  std::vector<Int> ids;
  for (Int id = all.lo; id <= all.hi; ++id) {
    if (domain.cards && game.ids.card[static_cast<std::size_t>(id)] < 0) continue;
    const auto holds = static_value(game, scope.names, condition, element, id);
    if (!holds) return std::nullopt;
    if (*holds == 1) ids.push_back(id);
  }
  return ids;
}

}   // namespace

const Expr* known_zone(ProgramFacts& game, const Names* names, const TakenElement* taken, LocalId element,
                       const Expr& who) {
  while (taken && (taken->names != names || taken->element != element)) taken = taken->outer;
  const Expr* zone = taken ? taken->zone : nullptr;
  if (!zone || zone->kind != ExprKind::zone || game.ids.facedown_zone[zone->ref] < 0) return nullptr;
  analysis::Facts at = analysis::facts_for(&who, {});
  return game.facts.secrecy.sees_into(*zone, at) ? zone : nullptr;
}

PlanRef plan_set(const Scope& scope, const Expr& condition, LocalId element, const Domain& domain) {
  if (auto ids = decided_by_element(scope, condition, element, domain)) {
    std::vector<Int> left = *ids;
    if (domain.among)
      std::erase_if(left, [&](Int id) {
        return std::find(domain.among->begin(), domain.among->end(), id) == domain.among->end();
      });
    const PlanRef plan = make(scope, Fixed{std::move(*ids)});
    return domain.cards ? with_among(plan, std::move(left)) : plan;
  }
  const bool in_parts = condition.kind == ExprKind::logical_and || condition.kind == ExprKind::logical_or ||
                        condition.kind == ExprKind::logical_not;
  PlanRef found = any_plan(scope, condition, element, domain);
  if (found && !in_parts && wants_something(*scope.game, *scope.names, condition)) found = make(scope, IfAny{found});
  return with_among(found, domain.among);
}

std::optional<Total> plan_total(const Scope& scope, const Expr& aggregate) {
  const view::aggregate its(aggregate);
  constexpr Int kGreatest = 63;
  constexpr std::size_t kMostNumbers = 16;
  const ProgramFacts& game = *scope.game;
  const bool cards_only = is_wide(game, its.domain()->type) && its.domain()->type.elem->kind == TypeKind::card;
  if (game.plain || aggregate.value > 2 || !cards_only) return std::nullopt;
  const bool sum = view::aggregate(aggregate).how() == model::Aggregate::sum;
  std::map<Int, std::vector<Int>> cards;   // the cards with each number
  for (std::size_t id = 0; id < game.ids.card.size(); ++id) {
    if (game.ids.card[id] < 0) continue;
    const auto v = static_value(game, scope.names, *its.body(), aggregate.local, Int(id));
    if (!v || (sum && (*v < 0 || *v > kGreatest))) return std::nullopt;
    cards[*v].push_back(Int(id));
  }
  if (!sum) {
    if (cards.size() > kMostNumbers || cards.contains(kNone)) return std::nullopt;
    Total total{view::aggregate(aggregate).how() == model::Aggregate::most ? Total::Kind::most : Total::Kind::least,
                {cards.begin(), cards.end()}};
    if (total.kind == Total::Kind::least) std::reverse(total.cards.begin(), total.cards.end());
    return total;
  }
  Total total{Total::Kind::sum, {}};
  for (Int digit = 1; digit <= kGreatest; digit *= 2) {
    std::vector<Int> with;
    for (const auto& [number, ids] : cards)
      if (number & digit) with.insert(with.end(), ids.begin(), ids.end());
    if (!with.empty()) total.cards.push_back({digit, std::move(with)});
  }
  return total;
}

}   // namespace cardwright::plan
