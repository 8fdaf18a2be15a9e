// Evaluates checked expressions whose values are known before the game: attributes, consts and initial values. Only the
// compiler uses this evaluator; the engines use their own code while a game runs.
#include "compiler/sema/expressions/evaluate.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/value_rules.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/options/arithmetic.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

namespace {
constexpr int kDeepest = 60;
constexpr std::int64_t kMostSteps = 2'000'000;
}   // namespace

static std::optional<Computed> evaluate_block(SemaContext& sema, const Block& block, Frame& frame, int depth,
                                              bool& returned) {
  for (const Stmt* s : block) {
    switch (s->kind) {
      case StmtKind::let:
      case StmtKind::assign_local: {
        Computed c;
        if (!s->exprs.empty() && s->exprs.back()) {
          if (s->exprs.size() > 1) return std::nullopt;
          auto v = evaluate(sema, *s->exprs.back(), frame, depth + 1);
          if (!v) return std::nullopt;
          c = *v;
        }
        frame[s->local.index] = c;
        break;
      }
      case StmtKind::return_value: {
        returned = true;
        const Expr* value = model::view::return_value(s).value();
        return value ? evaluate(sema, *value, frame, depth + 1) : Computed{};
      }
      case StmtKind::if_else: {
        auto c = evaluate(sema, *model::view::if_else(s).condition(), frame, depth + 1);
        if (!c) return std::nullopt;
        const std::size_t branch = c->value ? 0 : 1;
        if (branch < s->blocks.size()) {
          auto v = evaluate_block(sema, s->blocks[branch], frame, depth + 1, returned);
          if (!v || returned) return v;
        }
        break;
      }
      default: return std::nullopt;
    }
  }
  return Computed{};
}

// The result of one modifier without an owner.
struct Modified {
  bool known = false;   // true if the values of the condition and the amount are known
  std::optional<Computed> amount;   // unset if the condition is false
};
static Modified modified_by(SemaContext& sema, const model::Modifier& m, const std::vector<Computed>& arguments,
                            int depth) {
  Frame bound;
  for (std::size_t i = 0; i < m.patterns.size() && i < arguments.size(); ++i)
    if (m.patterns[i].kind == model::Pattern::Kind::binds) bound[m.patterns[i].local.index] = arguments[i];
  for (std::size_t i = 0; i < m.patterns.size() && i < arguments.size(); ++i) {
    if (m.patterns[i].kind != model::Pattern::Kind::equals) continue;
    const auto x = evaluate(sema, *m.patterns[i].value, bound, depth + 1);
    if (!x) return {};
    if (x->value != arguments[i].value) return {.known = true};
  }
  if (m.head.when) {
    const auto holds = evaluate(sema, *m.head.when, bound, depth + 1);
    if (!holds) return {};
    if (holds->value == 0) return {.known = true};
  }
  const auto amount = evaluate(sema, *m.amount, bound, depth + 1);
  if (!amount) return {};
  return {.known = true, .amount = amount};
}

// Evaluates a value. The result is known only if no modifier of the value has an owner and the conditions of all
// modifiers are known.
static std::optional<Computed> evaluate_value(SemaContext& sema, std::uint32_t index,
                                              const std::vector<Computed>& arguments, int depth) {
  sema.builders.value(sema, index);
  sema.builders.modifiers(sema, index);
  if (sema.rules.values[index].state != Callable::State::done) return std::nullopt;
  const model::Value& v = sema.model.values[index];
  Frame frame;
  for (std::size_t i = 0; i < arguments.size(); ++i) frame[static_cast<std::uint32_t>(i)] = arguments[i];
  std::optional<Computed> result;
  if (v.base) {
    const bool checked_last = analysis::is_checked_last(v);
    result = evaluate(sema, checked_last ? *model::view::unchecked(v.base) : *v.base, frame, depth + 1);
  } else {
    bool returned = false;
    Frame inner = frame;
    result = evaluate_block(sema, v.body.block, inner, depth + 1, returned);
    if (!returned) return std::nullopt;
  }
  if (!result) return std::nullopt;
  const auto has_carrier = [](const model::Modifier& m) { return m.head.carrier.kind != CarrierKind::none; };
  if (std::any_of(v.modifiers.begin(), v.modifiers.end(), has_carrier)) return std::nullopt;
  const analysis::ValueRules rules = analysis::rules_of(v);
  for (const model::Modifier* m : rules.to) {
    const Modified modified = modified_by(sema, *m, arguments, depth);
    if (!modified.known) return std::nullopt;
    if (!modified.amount) continue;
    *result = *modified.amount;
    break;
  }
  if (v.result.kind != TypeKind::integer) return result;
  const auto bend = [&](ExprKind how, Int amount, Range range) {
    const auto now = compute(sema, how, result->value, amount, range);
    if (now) result->value = now->value;
    return now.has_value();
  };
  const auto apply = [&](const std::vector<const model::Modifier*>& all, ExprKind how) {
    return std::all_of(all.begin(), all.end(), [&](const model::Modifier* m) {
      const Modified modified = modified_by(sema, *m, arguments, depth);
      return modified.known && (!modified.amount || bend(how, modified.amount->value, m->amount->range));
    });
  };
  const auto bound = [&](const Expr* at, ExprKind how) {
    const auto limit = at ? evaluate(sema, *at, frame, depth + 1) : std::nullopt;
    return !at || (limit && bend(how, limit->value, at->range));
  };
  const bool known = apply(rules.by, ExprKind::add) && apply(rules.at_least, ExprKind::maximum) &&
                     apply(rules.at_most, ExprKind::minimum) && bound(v.at_least, ExprKind::maximum) &&
                     bound(v.at_most, ExprKind::minimum);
  if (known && analysis::is_checked_last(v) && (result->value < v.result.lo || result->value > v.result.hi)) {
    if (!sema.evaluation.went_wrong) sema.evaluation.went_wrong = {Trap::out_of_range, v.range};
    return std::nullopt;
  }
  return known ? result : std::nullopt;
}

// Reports that a value is not known before the game. If the last evaluation trapped, reports that trap; otherwise
// reports the given error.
void not_known(SemaContext& sema, Range range, std::string message, std::string help) {
  const auto wrong = std::exchange(sema.evaluation.went_wrong, std::nullopt);
  if (wrong)
    error(sema, "out_of_range"_code, wrong->range, std::string(words_for(wrong->trap)));
  else
    error(sema, "not_constant"_code, range, std::move(message), std::move(help));
}

// Returns all subsets that have between `least` and `most` elements, ordered by size, then lexicographically.
static std::optional<Computed> subsets_of(SemaContext& sema, const std::vector<Int>& elements, Int least, Int most) {
  Computed all;
  std::vector<Int> chosen;
  const std::function<bool(std::size_t, Int)> choose = [&](std::size_t from, Int left) {
    if (left == 0) {
      all.items.push_back({0, chosen, {}});
      return ++sema.evaluation.steps <= kMostSteps;
    }
    for (std::size_t i = from; i + static_cast<std::size_t>(left) <= elements.size(); ++i) {
      chosen.push_back(elements[i]);
      const bool good = choose(i + 1, left - 1);
      chosen.pop_back();
      if (!good) return false;
    }
    return true;
  };
  for (Int size = std::max<Int>(least, 0); size <= std::min(most, static_cast<Int>(elements.size())); ++size)
    if (!choose(0, size)) return std::nullopt;
  return all;
}

// The context of an evaluation: the values of locals and the nesting depth.
struct Evaluating {
  SemaContext& sema;
  Frame& frame;
  int depth;
};
using Known = std::optional<Computed>;

static Known value_of(const Evaluating& in, const Expr* e) {
  return e ? evaluate(in.sema, *e, in.frame, in.depth + 1) : std::nullopt;
}

static Known number(Int v) { return Computed{v, {}, {}}; }

static Known set_of(std::vector<Int> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return Computed{0, std::move(v), {}};
}

static Known element_or_none(const std::vector<Int>& all, bool last) {
  if (all.empty()) return number(kNone);
  return number(last ? all.back() : all.front());
}

static Known evaluate_arithmetic(const Evaluating& in, const Expr& e) {
  const bool one = e.kind == ExprKind::negate || e.kind == ExprKind::absolute;
  if (one) {
    const Known x = value_of(in, model::view::single(e).operand());
    return x ? compute(in.sema, e.kind, x->value, 0, e.range) : std::nullopt;
  }
  const Known x = value_of(in, model::view::pair(e).left()), y = value_of(in, model::view::pair(e).right());
  return x && y ? compute(in.sema, e.kind, x->value, y->value, e.range) : std::nullopt;
}

// Checks the declared range, like the operation op_in_range.
static Known in_bounds(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::in_bounds(e).operand());
  if (!x || e.type.kind == TypeKind::map || e.type.kind == TypeKind::list) return x;
  const Type& number = e.type.kind == TypeKind::set ? *e.type.elem : e.type;
  const auto fits = [&](Int v) { return v == kNone || (v >= number.lo && v <= number.hi); };
  if (e.type.kind == TypeKind::set ? std::all_of(x->values.begin(), x->values.end(), fits) : fits(x->value)) return x;
  if (!in.sema.evaluation.went_wrong) in.sema.evaluation.went_wrong = {Trap::out_of_range, e.range};
  return std::nullopt;
}

// ---------------------------------------------------------------- players, and parts of areas

static Known everyone(const Evaluating& in) {
  std::vector<Int> all;
  for (Int p = 0; p < in.sema.players; ++p) all.push_back(p);
  return set_of(std::move(all));
}

static Known team_of(const Evaluating& in, const Expr& e) {
  const Known of = value_of(in, model::view::team_of(e).player());
  const std::vector<Int>& teams = in.sema.model.teams;
  if (!of || of->value < 0 || of->value >= static_cast<Int>(teams.size())) return std::nullopt;
  return number(teams[static_cast<std::size_t>(of->value)]);
}

static Known part_owner(const Evaluating& in, const Expr& e) {
  const Known of = value_of(in, model::view::part_owner(e).part());
  if (!of || of->value == kNone) return of;
  return number((of->value - 1) / e.value);
}

static Known evaluate_part_at(const Evaluating& in, const Expr& e) {
  const model::view::part_at its(e);
  const Known whose = value_of(in, its.owner()), at = value_of(in, its.number());
  if (!whose || !at || at->value < 1 || at->value > e.value) return std::nullopt;
  return number(whose->value * e.value + at->value);
}

static Known parts_of(const Evaluating& in, const Expr& e) {
  const Known whose = value_of(in, model::view::parts_of(e).owner());
  if (!whose) return std::nullopt;
  std::vector<Int> parts;
  for (Int i = 1; i <= e.value; ++i) parts.push_back(whose->value * e.value + i);
  return set_of(std::move(parts));
}

// Converts between constants, which are numbered from 0, and their pieces, which are numbered from 1. `step` is 1 or
// -1.
static Known one_further(const Evaluating& in, const Expr* of, Int step) {
  const Known x = value_of(in, of);
  if (!x || x->value == kNone) return x;
  return number(x->value + step);
}

// ---------------------------------------------------------------- attributes of cards and constants

// Returns whether the expression is the card whose attributes are being computed.
static bool is_current_copy(const Evaluating& in, const Expr& card) {
  return in.sema.cards.copy && card.kind == ExprKind::local && !in.frame.contains(card.local.index);
}

// Returns the value of an attribute. Attributes store sets as masks.
static Known printed(const Expr& e, Int v) {
  if (e.type.kind != TypeKind::set) return number(v);
  Computed set;
  for (Int i = 0; i <= kMostInSet; ++i)
    if (v >> i & 1) set.values.push_back(i);
  return set;
}

static Known evaluate_attribute(const Evaluating& in, const Expr& e) {
  const Expr& whose = *model::view::attribute(e).of();
  const bool of_card = whose.type.kind == TypeKind::card;
  if (of_card && is_current_copy(in, whose)) {
    const auto v = attribute_of_copy(in.sema, e.ref, e.range);
    return v ? printed(e, *v) : std::nullopt;
  }
  const Known of = value_of(in, &whose);
  if (!of) return std::nullopt;
  if (of->value == kNone) return printed(e, e.type.kind == TypeKind::set ? 0 : kNone);
  if (of_card) {
    if (of->value < 0 || of->value >= static_cast<Int>(in.sema.model.cards.size())) return std::nullopt;
    const Int value = in.sema.model.cards[of->value].attributes[e.ref];
    return printed(e, value == kNone && e.type.kind == TypeKind::set ? 0 : value);
  }
  const model::Enum& en = in.sema.model.enums[whose.type.ref];
  for (std::size_t i = 0; i < en.attributes.size(); ++i)
    if (en.attributes[i].index == e.ref) return printed(e, en.constants[of->value].attributes[i]);
  return std::nullopt;
}

// Returns the kind of a card, or none if the card is none.
static Known kind_of(const Evaluating& in, const Expr& card) {
  if (is_current_copy(in, card)) return number(in.sema.cards.copy->kind.index);
  const Known of = value_of(in, &card);
  if (!of || of->value == kNone) return of;
  return number(in.sema.model.cards[of->value].kind.index);
}

static Known counts_as(const Evaluating& in, const Expr& e) {
  const Known kind = kind_of(in, *model::view::counts_as(e).card());
  if (!kind) return std::nullopt;
  return number(kind->value != kNone && std::find(e.values.begin(), e.values.end(), kind->value) != e.values.end());
}

static Known evaluate_number_of(const Evaluating& in, const Expr& e) {
  const Expr* element = model::view::number_of(e).element();
  const Known of = value_of(in, element);
  if (!of || of->value == kNone) return of;
  return number(in.sema.model.enums[element->type.ref].constants[of->value].number);
}

// ---------------------------------------------------------------- conditions

static Known negation(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::logical_not(e).operand());
  return x ? number(!x->value) : std::nullopt;
}

// Evaluates `and` (decided by false) or `or` (decided by true) with short-circuiting.
static Known short_circuit(const Evaluating& in, const Expr& e, bool decided_by) {
  const Known x = value_of(in, model::view::pair(e).left());
  if (!x || (x->value != 0) == decided_by) return x;
  return value_of(in, model::view::pair(e).right());
}

static Known conditional(const Evaluating& in, const Expr& e) {
  const model::view::conditional its(e);
  const Known c = value_of(in, its.condition());
  if (!c) return std::nullopt;
  return value_of(in, c->value ? its.then() : its.otherwise());
}

static Known or_else(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::or_else(e).first());
  if (!x) return std::nullopt;
  const bool nothing = e.type.kind == TypeKind::set ? x->values.empty() : x->value == kNone;
  return nothing ? value_of(in, model::view::or_else(e).otherwise()) : x;
}

static Known is_none(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::is_none(e).operand());
  return x ? number(x->value == kNone) : std::nullopt;
}

// ---------------------------------------------------------------- sets

static bool holds(const Computed& set, Int v) { return std::binary_search(set.values.begin(), set.values.end(), v); }

static Known in_set(const Evaluating& in, const Expr& e) {
  const model::view::in_set its(e);
  const Known x = value_of(in, its.element()), y = value_of(in, its.set());
  return x && y ? number(holds(*y, x->value)) : std::nullopt;
}

static bool compare_sets(ExprKind how, const Computed& x, const Computed& y) {
  if (how == ExprKind::set_equal) return x.values == y.values;
  if (how == ExprKind::within) return std::includes(y.values.begin(), y.values.end(), x.values.begin(), x.values.end());
  assert(how == ExprKind::disjoint);
  return std::none_of(x.values.begin(), x.values.end(), [&](Int v) { return holds(y, v); });
}

static Known set_comparison(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::pair(e).left()), y = value_of(in, model::view::pair(e).right());
  return x && y ? number(compare_sets(e.kind, *x, *y)) : std::nullopt;
}

static Known set_operation(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::pair(e).left()), y = value_of(in, model::view::pair(e).right());
  if (!x || !y) return std::nullopt;
  std::vector<Int> out;
  if (e.kind == ExprKind::set_union) {
    out = x->values;
    out.insert(out.end(), y->values.begin(), y->values.end());
  } else {
    const bool keep = e.kind == ExprKind::set_and;
    for (Int v : x->values)
      if (holds(*y, v) == keep) out.push_back(v);
  }
  return set_of(std::move(out));
}

static Known set_of_one(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::set_of_one(e).element());
  if (!x) return std::nullopt;
  return x->value == kNone ? set_of({}) : set_of({x->value});
}

static Known size(const Evaluating& in, const Expr& e) {
  const Expr* set = model::view::size(e).set();
  if (set->kind == ExprKind::players_in) return number(in.sema.players);   // the number of players, as in fixed.cpp
  const Known x = value_of(in, set);
  return x ? number(static_cast<Int>(x->values.size())) : std::nullopt;
}

static Known evaluate_is_empty(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::is_empty(e).set());
  return x ? number(x->values.empty()) : std::nullopt;
}

// ---------------------------------------------------------------- boards

static Known cell_at(const Evaluating& in, const Expr& e) {
  const Known x = value_of(in, model::view::cell_at(e).x()), y = value_of(in, model::view::cell_at(e).y());
  const auto board = board_of(in.sema, e.type);
  if (!x || !y || !board) return std::nullopt;
  const model::Board& b = in.sema.model.boards[*board];
  const bool outside = x->value < 0 || x->value >= b.width || y->value < 0 || y->value >= b.height;
  return number(outside ? kNone : y->value * b.width + x->value);
}

static Known step(const Evaluating& in, const Expr& e) {
  const Known of = value_of(in, model::view::step(e).cell()), by = value_of(in, model::view::step(e).direction());
  const auto board = board_of(in.sema, e.type);
  if (!of || !by || !board || by->value == kNone) return std::nullopt;
  return number(of->value == kNone ? kNone : in.sema.model.boards[*board].next(of->value, by->value));
}

// Returns the cells that result from a move, except those outside the board.
template <class To>
static Known moved(const Computed& cells, const To& to) {
  std::vector<Int> out;
  for (Int cell : cells.values)
    if (const Int there = to(cell); there != kNone) out.push_back(there);
  return set_of(std::move(out));
}

static Known shift(const Evaluating& in, const Expr& e) {
  const Known of = value_of(in, model::view::shift(e).cells()), by = value_of(in, model::view::shift(e).direction());
  const auto board = board_of(in.sema, element_type(e.type));
  if (!of || !by || !board || by->value == kNone) return std::nullopt;
  return moved(*of, [&](Int cell) { return in.sema.model.boards[*board].next(cell, by->value); });
}

static Known shift_by(const Evaluating& in, const Expr& e) {
  const model::view::shift_by its(e);
  const Known of = value_of(in, its.cells()), east = value_of(in, its.east()), north = value_of(in, its.north());
  const auto board = board_of(in.sema, element_type(e.type));
  if (!of || !east || !north || !board) return std::nullopt;
  return moved(*of, [&](Int cell) { return in.sema.model.boards[*board].at(cell, east->value, north->value); });
}

static Known edge_of(const Evaluating& in, const Expr& e) {
  const model::view::edge_of its(e);
  const Known cell = value_of(in, its.cell()), way = value_of(in, its.direction());
  const auto board = board_of(in.sema, its.cell()->type);
  if (!cell || !way || !board || cell->value == kNone || way->value == kNone) return std::nullopt;
  const Int edge = in.sema.model.boards[*board].border(cell->value, way->value);
  return edge == kNone ? std::nullopt : number(edge);
}

static Known cells_beside(const Evaluating& in, const Expr& e) {
  const Expr* of = model::view::cells_beside(e).of();
  const Known edge = value_of(in, of);
  if (!edge || edge->value == kNone) return std::nullopt;
  if (const auto graph = board_of(in.sema, of->type))
    return set_of(in.sema.model.boards[*graph].joined[static_cast<std::size_t>(edge->value)]);
  const auto board = board_of_edge(in.sema, of->type);
  if (!board) return std::nullopt;
  const auto [first, other] = in.sema.model.boards[*board].between[static_cast<std::size_t>(edge->value)];
  return other == kNone ? set_of({first}) : set_of({first, other});
}

static Known rotated(const Evaluating& in, const Expr& e) {
  const model::view::rotated its(e);
  const Known x = value_of(in, its.direction()), n = value_of(in, its.eighths());
  const Known turned = x && n ? compute(in.sema, ExprKind::add, x->value, n->value, e.range) : std::nullopt;
  if (!turned) return std::nullopt;
  return compute(in.sema, ExprKind::modulo, turned->value, board_with(in.sema, e.type).directions(), e.range);
}

// ---------------------------------------------------------------- lists

static Known set_list(const Evaluating& in, const Expr& e) {
  Computed all;
  for (std::size_t i = 0; i < in.sema.model.set_lists[e.ref].sets.size(); ++i)
    all.items.push_back({static_cast<Int>(i), {}, {}});
  return all;
}

static Known listed_set(const Evaluating& in, const Expr& e) {
  const Known at = value_of(in, model::view::listed_set(e).position());
  const auto& sets = in.sema.model.set_lists[e.ref].sets;
  if (!at || at->value < 0 || at->value >= static_cast<Int>(sets.size())) return std::nullopt;
  return set_of(sets[static_cast<std::size_t>(at->value)]);
}

static std::optional<std::vector<Computed>> all_of(const Evaluating& in, model::view::Parts parts) {
  std::vector<Computed> all;
  for (const Expr* part : parts) {
    Known x = value_of(in, part);
    if (!x) return std::nullopt;
    all.push_back(std::move(*x));
  }
  return all;
}

static Known list_literal(const Evaluating& in, const Expr& e) {
  auto items = all_of(in, model::view::list_literal(e).elements());
  return items ? Known(Computed{0, {}, std::move(*items)}) : std::nullopt;
}

static Known evaluate_list_of(const Evaluating& in, const Expr& e) {
  const model::view::list_of its(e);
  Known over = value_of(in, its.domain());
  if (!over) return std::nullopt;
  for (Int v : over->values) over->items.push_back({v, {}, {}});
  Computed all;
  for (Computed& element : over->items) {
    in.frame[e.local.index] = std::move(element);
    if (its.where()) {
      const Known c = value_of(in, its.where());
      if (!c) return std::nullopt;
      if (!c->value) continue;
    }
    Known item = value_of(in, its.body());
    if (!item) return std::nullopt;
    if (e.value)
      std::move(item->items.begin(), item->items.end(), std::back_inserter(all.items));
    else
      all.items.push_back(std::move(*item));
  }
  return all;
}

static Known numbers(const Evaluating& in, const Expr& e) {
  const Known lo = value_of(in, model::view::numbers(e).lo()), hi = value_of(in, model::view::numbers(e).hi());
  if (!lo || !hi) return std::nullopt;
  Computed all;
  for (Int n = lo->value; n <= hi->value; ++n) {
    if (++in.sema.evaluation.steps > kMostSteps) return std::nullopt;
    if (e.type.kind == TypeKind::set)
      all.values.push_back(n);
    else
      all.items.emplace_back().value = n;
  }
  return all;
}

static Known subsets(const Evaluating& in, const Expr& e) {
  const model::view::subsets its(e);
  const Known of = value_of(in, its.set()), least = value_of(in, its.lo()), most = value_of(in, its.hi());
  if (!of || !least || !most) return std::nullopt;
  return subsets_of(in.sema, of->values, least->value, most->value);
}

static Known joined(const Evaluating& in, const Expr& e) {
  Known first = value_of(in, model::view::joined(e).left()), second = value_of(in, model::view::joined(e).right());
  if (!first || !second) return std::nullopt;
  std::move(second->items.begin(), second->items.end(), std::back_inserter(first->items));
  return first;
}

static Known element_at(const Evaluating& in, const Expr& e) {
  const model::view::element_at its(e);
  if (its.of()->kind != ExprKind::list_literal) return std::nullopt;
  const model::view::Parts elements = model::view::list_literal(its.of()).elements();
  const Known i = value_of(in, its.indices(0));
  if (!i || i->value < 0 || i->value >= static_cast<Int>(elements.size())) return std::nullopt;
  return value_of(in, elements[static_cast<std::size_t>(i->value)]);
}

// ---------------------------------------------------------------- loops over a set

static bool walks_list(const Expr& e) { return model::view::ranging(e).domain()->type.kind == TypeKind::list; }

static Known exists(const Evaluating& in, const Expr& e) {
  const Known s = value_of(in, model::view::exists(e).domain());
  if (!s || walks_list(e)) return std::nullopt;
  for (Int v : s->values) {
    in.frame[e.local.index] = *number(v);
    const Known c = value_of(in, model::view::exists(e).condition());
    if (!c) return std::nullopt;
    if (c->value) return number(1);
  }
  return number(0);
}

static Known filter(const Evaluating& in, const Expr& e) {
  const Known s = value_of(in, model::view::filter(e).domain());
  if (!s || walks_list(e)) return std::nullopt;
  std::vector<Int> matching;
  for (Int v : s->values) {
    in.frame[e.local.index] = *number(v);
    const Known c = value_of(in, model::view::filter(e).condition());
    if (!c) return std::nullopt;
    if (c->value) matching.push_back(v);
  }
  return set_of(std::move(matching));
}

static Known aggregate(const Evaluating& in, const Expr& e) {
  const model::view::aggregate its(e);
  const Known s = value_of(in, its.domain());
  if (!s || walks_list(e)) return std::nullopt;
  const model::Aggregate how = its.how();
  Int total = how == model::Aggregate::most || how == model::Aggregate::least ? kNone : 0;
  std::vector<Int> all;
  for (Int v : s->values) {
    in.frame[e.local.index] = *number(v);
    if (its.where()) {
      const Known c = value_of(in, its.where());
      if (!c) return std::nullopt;
      if (!c->value) continue;
    }
    if (how == model::Aggregate::count) {
      ++total;
      continue;
    }
    const Known x = value_of(in, its.body());
    if (!x) return std::nullopt;
    if (how == model::Aggregate::sum) {
      const Known sum = compute(in.sema, ExprKind::add, total, x->value, e.range);
      if (!sum) return std::nullopt;
      total = sum->value;
    } else if (how == model::Aggregate::set_union) {
      all.insert(all.end(), x->values.begin(), x->values.end());
    } else if (x->value != kNone) {
      const ExprKind kind = how == model::Aggregate::most ? ExprKind::maximum : ExprKind::minimum;
      total = total == kNone ? x->value : compute(in.sema, kind, total, x->value, e.range)->value;
    }
  }
  return how == model::Aggregate::set_union ? set_of(std::move(all)) : number(total);
}

static Known first_or_last(const Evaluating& in, const Expr& e, const Expr* set, bool last) {
  if (e.args.size() > 1) return std::nullopt;   // counting from a given seat is impossible before the game
  const Known s = value_of(in, set);
  return s ? element_or_none(s->values, last) : std::nullopt;
}

static Known only(const Evaluating& in, const Expr& e) {
  const Known s = value_of(in, model::view::pick_only(e).set());
  return s && s->values.size() == 1 ? number(s->values.front()) : std::nullopt;
}

// ---------------------------------------------------------------- calls

static Known call_value(const Evaluating& in, const Expr& e) {
  const auto arguments = all_of(in, model::view::call_value(e).arguments());
  return arguments ? evaluate_value(in.sema, e.ref, *arguments, in.depth + 1) : std::nullopt;
}

static Known call_function(const Evaluating& in, const Expr& e) {
  const auto arguments = all_of(in, model::view::call_function(e).arguments());
  if (!arguments) return std::nullopt;
  in.sema.builders.function(in.sema, e.ref);
  if (in.sema.rules.functions[e.ref].state != Callable::State::done) return std::nullopt;
  Frame inner;
  for (std::size_t i = 0; i < arguments->size(); ++i) inner[static_cast<std::uint32_t>(i)] = (*arguments)[i];
  bool returned = false;
  const Block& block = in.sema.model.functions[e.ref].body.block;
  Known v = evaluate_block(in.sema, block, inner, in.depth + 1, returned);
  return returned ? v : std::nullopt;
}

std::optional<Computed> evaluate(SemaContext& sema, const Expr& e, Frame& frame, int depth) {
  if (depth == 0) sema.evaluation.went_wrong.reset();
  if (depth > kDeepest || ++sema.evaluation.steps > kMostSteps) return std::nullopt;
  const Evaluating in{sema, frame, depth};
  if (analysis::is_arithmetic(e.kind)) return evaluate_arithmetic(in, e);
  switch (e.kind) {
    case ExprKind::constant: return number(e.value);
    case ExprKind::unlimited: return number(kUnlimited);
    case ExprKind::set_constant: return set_of(e.values);
    case ExprKind::local: {
      const auto it = frame.find(e.local.index);
      return it != frame.end() ? Known(it->second) : std::nullopt;
    }
    case ExprKind::everyone: return everyone(in);
    case ExprKind::team_of: return team_of(in, e);
    case ExprKind::part_owner: return part_owner(in, e);
    case ExprKind::constant_of_part: return one_further(in, model::view::constant_of_part(e).part(), -1);
    case ExprKind::part_of_constant: return one_further(in, model::view::part_of_constant(e).element(), 1);
    case ExprKind::part_at: return evaluate_part_at(in, e);
    case ExprKind::parts_of: return parts_of(in, e);
    case ExprKind::attribute: return evaluate_attribute(in, e);
    case ExprKind::kind_of: return kind_of(in, *model::view::kind_of(e).card());
    case ExprKind::counts_as: return counts_as(in, e);
    case ExprKind::number_of: return evaluate_number_of(in, e);
    case ExprKind::logical_not: return negation(in, e);
    case ExprKind::logical_and: return short_circuit(in, e, false);
    case ExprKind::logical_or: return short_circuit(in, e, true);
    case ExprKind::conditional: return conditional(in, e);
    case ExprKind::or_else: return or_else(in, e);
    case ExprKind::is_none: return is_none(in, e);
    case ExprKind::in_bounds: return in_bounds(in, e);
    case ExprKind::set_equal:
    case ExprKind::within:
    case ExprKind::disjoint: return set_comparison(in, e);
    case ExprKind::in_set: return in_set(in, e);
    case ExprKind::set_union:
    case ExprKind::set_minus:
    case ExprKind::set_and: return set_operation(in, e);
    case ExprKind::set_of_one: return set_of_one(in, e);
    case ExprKind::is_empty: return evaluate_is_empty(in, e);
    case ExprKind::size: return size(in, e);
    case ExprKind::cell_at: return cell_at(in, e);
    case ExprKind::step: return step(in, e);
    case ExprKind::shift: return shift(in, e);
    case ExprKind::shift_by: return shift_by(in, e);
    case ExprKind::edge_of: return edge_of(in, e);
    case ExprKind::cells_beside: return cells_beside(in, e);
    case ExprKind::rotated: return rotated(in, e);
    case ExprKind::set_list: return set_list(in, e);
    case ExprKind::listed_set: return listed_set(in, e);
    case ExprKind::list_literal: return list_literal(in, e);
    case ExprKind::list_of: return evaluate_list_of(in, e);
    case ExprKind::numbers: return numbers(in, e);
    case ExprKind::subsets: return subsets(in, e);
    case ExprKind::joined: return joined(in, e);
    case ExprKind::element_at: return element_at(in, e);
    case ExprKind::exists: return exists(in, e);
    case ExprKind::filter: return filter(in, e);
    case ExprKind::aggregate: return aggregate(in, e);
    case ExprKind::pick_first: return first_or_last(in, e, model::view::pick_first(e).set(), false);
    case ExprKind::pick_last: return first_or_last(in, e, model::view::pick_last(e).set(), true);
    case ExprKind::pick_only: return only(in, e);
    case ExprKind::call_value: return call_value(in, e);
    case ExprKind::call_function: return call_function(in, e);
    default: return std::nullopt;   // not known before the game
  }
}

}   // namespace cardwright::sema
