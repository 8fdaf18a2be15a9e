// Evaluates Model expressions with constant values.
#include "compiler/analysis/evaluate.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/value_rules.h"
#include "compiler/model/views.h"

namespace cardwright::analysis {

namespace view = model::view;
using model::Block;
using model::Expr;
using model::ExprKind;
using model::kMostInSet;
using model::Stmt;
using model::StmtKind;
using model::Type;
using model::TypeKind;

namespace {
constexpr int kDeepest = 60;
}   // namespace

static MaybeConstant evaluate_block(EvaluationContext& context, const Block& block, Frame& frame, int depth,
                                    bool& returned) {
  for (const Stmt* s : block) {
    switch (s->kind) {
      case StmtKind::let:
      case StmtKind::assign_local: {
        ConstantValue c;
        if (!s->exprs.empty() && s->exprs.back()) {
          if (s->exprs.size() > 1) return std::nullopt;
          auto v = evaluate(context, *s->exprs.back(), frame, depth + 1);
          if (!v) return std::nullopt;
          c = *v;
        }
        frame[s->local.index] = c;
        break;
      }
      case StmtKind::return_value: {
        returned = true;
        const Expr* value = view::return_value(s).value();
        return value ? evaluate(context, *value, frame, depth + 1) : ConstantValue{};
      }
      case StmtKind::if_else: {
        auto c = evaluate(context, *view::if_else(s).condition(), frame, depth + 1);
        if (!c) return std::nullopt;
        const std::size_t branch = c->value ? 0 : 1;
        if (branch < s->blocks.size()) {
          auto v = evaluate_block(context, s->blocks[branch], frame, depth + 1, returned);
          if (!v || returned) return v;
        }
        break;
      }
      default: return std::nullopt;
    }
  }
  return ConstantValue{};
}

static Frame bind(const std::vector<model::Parameter>& parameters, const std::vector<ConstantValue>& arguments) {
  Frame frame;
  for (std::size_t i = 0; i < arguments.size() && i < parameters.size(); ++i)
    frame[parameters[i].local.index] = arguments[i];
  return frame;
}

// The result of one modifier that has no carrier.
struct Modified {
  bool known = false;   // true if the values of the condition and the amount are known
  MaybeConstant amount;   // unset if the condition is false
};
static Modified modified_by(EvaluationContext& context, const model::Modifier& m,
                            const std::vector<ConstantValue>& arguments, int depth) {
  Frame bound;
  for (std::size_t i = 0; i < m.patterns.size() && i < arguments.size(); ++i)
    if (m.patterns[i].kind == model::Pattern::Kind::binds) bound[m.patterns[i].local.index] = arguments[i];
  for (std::size_t i = 0; i < m.patterns.size() && i < arguments.size(); ++i) {
    if (m.patterns[i].kind != model::Pattern::Kind::equals) continue;
    const auto x = evaluate(context, *m.patterns[i].value, bound, depth + 1);
    if (!x) return {};
    if (x->value != arguments[i].value) return {.known = true};
  }
  if (m.head.when) {
    const auto holds = evaluate(context, *m.head.when, bound, depth + 1);
    if (!holds) return {};
    if (holds->value == 0) return {.known = true};
  }
  const auto amount = evaluate(context, *m.amount, bound, depth + 1);
  if (!amount) return {};
  return {.known = true, .amount = amount};
}

// Evaluates a value. The result is unknown if a modifier that may apply has a carrier, or if the condition of a
// modifier is unknown.
static MaybeConstant evaluate_value(EvaluationContext& context, std::uint32_t index,
                                    const std::vector<ConstantValue>& arguments, int depth) {
  const model::Value& v = context.model.values[index];
  Frame frame = bind(v.parameters, arguments);
  MaybeConstant result;
  if (v.base) {
    const bool checked_last = is_checked_last(v);
    result = evaluate(context, checked_last ? *view::unchecked(v.base) : *v.base, frame, depth + 1);
  } else {
    bool returned = false;
    Frame inner = frame;
    result = evaluate_block(context, v.body.block, inner, depth + 1, returned);
    if (!returned) return std::nullopt;
  }
  if (!result) return std::nullopt;
  const auto is_possible = [&](const model::Modifier& m) { return context.is_possible(m); };
  const auto depends_on_carrier = [&](const model::Modifier& m) {
    return m.head.carrier.kind != model::CarrierKind::none && is_possible(m);
  };
  if (std::any_of(v.modifiers.begin(), v.modifiers.end(), depends_on_carrier)) return std::nullopt;
  const ValueRules rules = rules_of(v, is_possible);
  for (const model::Modifier* m : rules.to) {
    const Modified modified = modified_by(context, *m, arguments, depth);
    if (!modified.known) return std::nullopt;
    if (!modified.amount) continue;
    *result = *modified.amount;
    break;
  }
  if (v.result.kind != TypeKind::integer) return result;
  const auto apply_to = [&](ExprKind how, Int amount, Range range) {
    const auto now = context.compute(how, result->value, amount, range);
    if (now) result->value = *now;
    return now.has_value();
  };
  const auto apply = [&](const std::vector<const model::Modifier*>& all, ExprKind how) {
    return std::all_of(all.begin(), all.end(), [&](const model::Modifier* m) {
      const Modified modified = modified_by(context, *m, arguments, depth);
      return modified.known && (!modified.amount || apply_to(how, modified.amount->value, m->amount->range));
    });
  };
  const auto bound = [&](const Expr* at, ExprKind how) {
    const auto limit = at ? evaluate(context, *at, frame, depth + 1) : std::nullopt;
    return !at || (limit && apply_to(how, limit->value, at->range));
  };
  const bool known = apply(rules.by, ExprKind::add) && apply(rules.at_least, ExprKind::maximum) &&
                     apply(rules.at_most, ExprKind::minimum) && bound(v.at_least, ExprKind::maximum) &&
                     bound(v.at_most, ExprKind::minimum);
  if (known && is_checked_last(v) && (result->value < v.result.lo || result->value > v.result.hi)) {
    context.trap(Trap::out_of_range, v.range);
    return std::nullopt;
  }
  return known ? result : std::nullopt;
}

// Returns all subsets that have between `least` and `most` elements, ordered by size, then lexicographically.
static MaybeConstant subsets_of(EvaluationContext& context, const std::vector<Int>& elements, Int least, Int most) {
  ConstantValue all;
  std::vector<Int> chosen;
  const std::function<bool(std::size_t, Int)> choose = [&](std::size_t from, Int left) {
    if (left == 0) {
      all.items.push_back({0, chosen, {}});
      return context.count_step();
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
  EvaluationContext& context;
  Frame& frame;
  int depth;
};

static MaybeConstant value_of(const Evaluating& in, const Expr* e) {
  return e ? evaluate(in.context, *e, in.frame, in.depth + 1) : std::nullopt;
}

static MaybeConstant number(Int v) { return ConstantValue{v, {}, {}}; }

static MaybeConstant compute(const Evaluating& in, ExprKind kind, Int a, Int b, Range range) {
  const auto result = in.context.compute(kind, a, b, range);
  return result ? number(*result) : std::nullopt;
}

static MaybeConstant set_of(std::vector<Int> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return ConstantValue{0, std::move(v), {}};
}

// Converts a set of the Model to a value in which cards are ids.
static MaybeConstant listed(const Evaluating& in, const Type& set, std::vector<Int> values) {
  if (set.elem->kind == TypeKind::card)
    for (Int& card : values) card = in.context.card_id(card);
  return set_of(std::move(values));
}

static MaybeConstant element_or_none(const std::vector<Int>& all, bool last) {
  if (all.empty()) return number(kNone);
  return number(last ? all.back() : all.front());
}

static MaybeConstant evaluate_arithmetic(const Evaluating& in, const Expr& e) {
  if (e.args.size() == 1) {
    const MaybeConstant x = value_of(in, view::single(e).operand());
    return x ? compute(in, e.kind, x->value, 0, e.range) : std::nullopt;
  }
  const MaybeConstant x = value_of(in, view::pair(e).left()), y = value_of(in, view::pair(e).right());
  return x && y ? compute(in, e.kind, x->value, y->value, e.range) : std::nullopt;
}

// Checks the declared range, like the operation op_in_range.
static MaybeConstant in_bounds(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::in_bounds(e).operand());
  if (!x || e.type.kind == TypeKind::map || e.type.kind == TypeKind::list) return x;
  const Type& number = e.type.kind == TypeKind::set ? *e.type.elem : e.type;
  const auto fits = [&](Int v) { return v == kNone || (v >= number.lo && v <= number.hi); };
  if (e.type.kind == TypeKind::set ? std::all_of(x->values.begin(), x->values.end(), fits) : fits(x->value)) return x;
  in.context.trap(Trap::out_of_range, e.range);
  return std::nullopt;
}

// ---------------------------------------------------------------- players, and parts of areas

static MaybeConstant everyone(const Evaluating& in) {
  std::vector<Int> all;
  for (Int p = 0; p < in.context.model.players; ++p) all.push_back(p);
  return set_of(std::move(all));
}

static MaybeConstant team_of(const Evaluating& in, const Expr& e) {
  const MaybeConstant of = value_of(in, view::team_of(e).player());
  const std::vector<Int>& teams = in.context.model.teams;
  if (!of || of->value < 0 || of->value >= static_cast<Int>(teams.size())) return std::nullopt;
  return number(teams[static_cast<std::size_t>(of->value)]);
}

static MaybeConstant part_owner(const Evaluating& in, const Expr& e) {
  const MaybeConstant of = value_of(in, view::part_owner(e).part());
  if (!of || of->value == kNone) return of;
  return number((of->value - 1) / e.value);
}

static MaybeConstant evaluate_part_at(const Evaluating& in, const Expr& e) {
  const view::part_at its(e);
  const MaybeConstant whose = value_of(in, its.owner()), at = value_of(in, its.number());
  if (!whose || !at || at->value < 1 || at->value > e.value) return std::nullopt;
  return number(whose->value * e.value + at->value);
}

static MaybeConstant parts_of(const Evaluating& in, const Expr& e) {
  const MaybeConstant whose = value_of(in, view::parts_of(e).owner());
  if (!whose) return std::nullopt;
  std::vector<Int> parts;
  for (Int i = 1; i <= e.value; ++i) parts.push_back(whose->value * e.value + i);
  return set_of(std::move(parts));
}

// Converts between a constant, numbered from 0, and its piece, numbered from 1, by adding `step`, which is 1 or -1.
static MaybeConstant one_further(const Evaluating& in, const Expr* of, Int step) {
  const MaybeConstant x = value_of(in, of);
  if (!x || x->value == kNone) return x;
  return number(x->value + step);
}

// ---------------------------------------------------------------- attributes of cards and constants

// Converts the stored value of an attribute. Sets are stored as bit masks.
static MaybeConstant printed(const Expr& e, Int v) {
  if (e.type.kind != TypeKind::set) return number(v);
  ConstantValue set;
  for (Int i = 0; i <= kMostInSet; ++i)
    if (v >> i & 1) set.values.push_back(i);
  return set;
}

static MaybeConstant evaluate_attribute(const Evaluating& in, const Expr& e) {
  const Expr& whose = *view::attribute(e).of();
  const bool of_card = whose.type.kind == TypeKind::card;
  if (of_card && in.context.is_current_card(whose, in.frame)) {
    const auto v = in.context.attribute_of_current_card(e);
    return v ? printed(e, *v) : std::nullopt;
  }
  const MaybeConstant of = value_of(in, &whose);
  if (!of) return std::nullopt;
  if (of->value == kNone) return printed(e, e.type.kind == TypeKind::set ? 0 : kNone);
  if (of_card) {
    const Int card = in.context.card_of(of->value);
    if (card < 0 || card >= static_cast<Int>(in.context.model.cards.size())) return std::nullopt;
    const Int value = in.context.model.cards[card].attributes[e.ref];
    return printed(e, value == kNone && e.type.kind == TypeKind::set ? 0 : value);
  }
  const model::Enum& en = in.context.model.enums[whose.type.ref];
  for (std::size_t i = 0; i < en.attributes.size(); ++i)
    if (en.attributes[i].index == e.ref) return printed(e, en.constants[of->value].attributes[i]);
  return std::nullopt;
}

// Returns the kind of a card, or none if the card is none.
static MaybeConstant kind_of(const Evaluating& in, const Expr& card) {
  if (in.context.is_current_card(card, in.frame)) {
    const auto kind = in.context.kind_of_current_card();
    return kind ? number(*kind) : std::nullopt;
  }
  const MaybeConstant of = value_of(in, &card);
  if (!of || of->value == kNone) return of;
  return number(in.context.model.cards[in.context.card_of(of->value)].kind.index);
}

// The result is unknown if an `also` rule can affect it.
static MaybeConstant counts_as(const Evaluating& in, const Expr& e) {
  const auto is_counted = [&](Int kind) { return std::find(e.values.begin(), e.values.end(), kind) != e.values.end(); };
  for (const model::Also& also : in.context.model.alsos)
    if (is_counted(also.counts_as.index)) return std::nullopt;
  const MaybeConstant kind = kind_of(in, *view::counts_as(e).card());
  if (!kind) return std::nullopt;
  return number(kind->value != kNone && is_counted(kind->value));
}

static MaybeConstant evaluate_number_of(const Evaluating& in, const Expr& e) {
  const Expr* element = view::number_of(e).element();
  const MaybeConstant of = value_of(in, element);
  if (!of || of->value == kNone) return of;
  return number(in.context.model.enums[element->type.ref].constants[of->value].number);
}

// ---------------------------------------------------------------- conditions

static MaybeConstant negation(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::logical_not(e).operand());
  return x ? number(!x->value) : std::nullopt;
}

// Evaluates `and` (decided by false) or `or` (decided by true) with short-circuiting.
static MaybeConstant short_circuit(const Evaluating& in, const Expr& e, bool decided_by) {
  const MaybeConstant x = value_of(in, view::pair(e).left());
  if (!x || (x->value != 0) == decided_by) return x;
  return value_of(in, view::pair(e).right());
}

static MaybeConstant conditional(const Evaluating& in, const Expr& e) {
  const view::conditional its(e);
  const MaybeConstant c = value_of(in, its.condition());
  if (!c) return std::nullopt;
  return value_of(in, c->value ? its.then() : its.otherwise());
}

static MaybeConstant or_else(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::or_else(e).first());
  if (!x) return std::nullopt;
  const bool nothing = e.type.kind == TypeKind::set ? x->values.empty() : x->value == kNone;
  return nothing ? value_of(in, view::or_else(e).otherwise()) : x;
}

static MaybeConstant is_none(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::is_none(e).operand());
  return x ? number(x->value == kNone) : std::nullopt;
}

// ---------------------------------------------------------------- sets

static bool holds(const ConstantValue& set, Int v) {
  return std::binary_search(set.values.begin(), set.values.end(), v);
}

static MaybeConstant in_set(const Evaluating& in, const Expr& e) {
  const view::in_set its(e);
  const MaybeConstant x = value_of(in, its.element());
  if (!x) return std::nullopt;
  if (its.set()->kind == ExprKind::set_constant) {   // without copying the set
    const bool cards = its.element()->type.kind == TypeKind::card;
    const auto is_element = [&](Int v) { return (cards ? in.context.card_id(v) : v) == x->value; };
    return number(std::any_of(its.set()->values.begin(), its.set()->values.end(), is_element));
  }
  const MaybeConstant y = value_of(in, its.set());
  return y ? number(holds(*y, x->value)) : std::nullopt;
}

static bool compare_sets(ExprKind how, const ConstantValue& x, const ConstantValue& y) {
  if (how == ExprKind::set_equal) return x.values == y.values;
  if (how == ExprKind::within) return std::includes(y.values.begin(), y.values.end(), x.values.begin(), x.values.end());
  assert(how == ExprKind::disjoint);
  return std::none_of(x.values.begin(), x.values.end(), [&](Int v) { return holds(y, v); });
}

static MaybeConstant set_comparison(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::pair(e).left()), y = value_of(in, view::pair(e).right());
  return x && y ? number(compare_sets(e.kind, *x, *y)) : std::nullopt;
}

static MaybeConstant set_operation(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::pair(e).left()), y = value_of(in, view::pair(e).right());
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

static MaybeConstant set_of_one(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::set_of_one(e).element());
  if (!x) return std::nullopt;
  return x->value == kNone ? set_of({}) : set_of({x->value});
}

static MaybeConstant size(const Evaluating& in, const Expr& e) {
  const Expr* set = view::size(e).set();
  if (set->kind == ExprKind::players_in)
    return in.context.is_before_game() ? number(in.context.model.players) : std::nullopt;
  const MaybeConstant x = value_of(in, set);
  return x ? number(static_cast<Int>(x->values.size())) : std::nullopt;
}

static MaybeConstant evaluate_is_empty(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::is_empty(e).set());
  return x ? number(x->values.empty()) : std::nullopt;
}

// ---------------------------------------------------------------- boards

template <class Test>
static const model::Board* find_board(const Evaluating& in, const Test& test) {
  const std::vector<model::Board>& all = in.context.model.boards;
  const auto found = std::find_if(all.begin(), all.end(), test);
  return found != all.end() ? &*found : nullptr;
}
static const model::Board* board_of(const Evaluating& in, const Type& cell) {
  if (cell.kind != TypeKind::enumeration) return nullptr;
  return find_board(in, [&](const model::Board& b) { return b.cells.index == cell.ref; });
}

static MaybeConstant cell_at(const Evaluating& in, const Expr& e) {
  const MaybeConstant x = value_of(in, view::cell_at(e).x()), y = value_of(in, view::cell_at(e).y());
  const model::Board* board = board_of(in, e.type);
  if (!x || !y || !board) return std::nullopt;
  const model::Board& b = *board;
  const bool outside = x->value < 0 || x->value >= b.width || y->value < 0 || y->value >= b.height;
  return number(outside ? kNone : y->value * b.width + x->value);
}

static MaybeConstant step(const Evaluating& in, const Expr& e) {
  const MaybeConstant of = value_of(in, view::step(e).cell()), by = value_of(in, view::step(e).direction());
  const model::Board* board = board_of(in, e.type);
  if (!of || !by || !board || by->value == kNone) return std::nullopt;
  return number(of->value == kNone ? kNone : board->next(of->value, by->value));
}

// Applies a move to each cell. Omits results outside the board.
template <class To>
static MaybeConstant moved(const ConstantValue& cells, const To& to) {
  std::vector<Int> out;
  for (Int cell : cells.values)
    if (const Int there = to(cell); there != kNone) out.push_back(there);
  return set_of(std::move(out));
}

static MaybeConstant shift(const Evaluating& in, const Expr& e) {
  const MaybeConstant of = value_of(in, view::shift(e).cells()), by = value_of(in, view::shift(e).direction());
  const model::Board* board = board_of(in, *e.type.elem);
  if (!of || !by || !board || by->value == kNone) return std::nullopt;
  return moved(*of, [&](Int cell) { return board->next(cell, by->value); });
}

static MaybeConstant shift_by(const Evaluating& in, const Expr& e) {
  const view::shift_by its(e);
  const MaybeConstant of = value_of(in, its.cells()), east = value_of(in, its.east()),
                      north = value_of(in, its.north());
  const model::Board* board = board_of(in, *e.type.elem);
  if (!of || !east || !north || !board) return std::nullopt;
  return moved(*of, [&](Int cell) { return board->at(cell, east->value, north->value); });
}

static MaybeConstant edge_of(const Evaluating& in, const Expr& e) {
  const view::edge_of its(e);
  const MaybeConstant cell = value_of(in, its.cell()), way = value_of(in, its.direction());
  const model::Board* board = board_of(in, its.cell()->type);
  if (!cell || !way || !board || cell->value == kNone || way->value == kNone) return std::nullopt;
  const Int edge = board->border(cell->value, way->value);
  return edge == kNone ? std::nullopt : number(edge);
}

static MaybeConstant cells_beside(const Evaluating& in, const Expr& e) {
  const Expr* of = view::cells_beside(e).of();
  const MaybeConstant edge = value_of(in, of);
  if (!edge || edge->value == kNone) return std::nullopt;
  if (const model::Board* graph = board_of(in, of->type))
    return set_of(graph->joined[static_cast<std::size_t>(edge->value)]);
  const model::Board* board = find_board(in, [&](const model::Board& b) { return b.edges.index == of->type.ref; });
  if (!board) return std::nullopt;
  const auto [first, other] = board->between[static_cast<std::size_t>(edge->value)];
  return other == kNone ? set_of({first}) : set_of({first, other});
}

static MaybeConstant rotated(const Evaluating& in, const Expr& e) {
  const view::rotated its(e);
  const MaybeConstant x = value_of(in, its.direction()), n = value_of(in, its.eighths());
  const model::Board* board =
      find_board(in, [&](const model::Board& b) { return !b.graph && b.dirs.index == e.type.ref; });
  const MaybeConstant turned = board && x && n ? compute(in, ExprKind::add, x->value, n->value, e.range) : std::nullopt;
  if (!turned) return std::nullopt;
  return compute(in, ExprKind::modulo, turned->value, board->directions(), e.range);
}

// ---------------------------------------------------------------- lists

static MaybeConstant set_list(const Evaluating& in, const Expr& e) {
  ConstantValue all;
  for (std::size_t i = 0; i < in.context.model.set_lists[e.ref].sets.size(); ++i)
    all.items.push_back({static_cast<Int>(i), {}, {}});
  return all;
}

static MaybeConstant listed_set(const Evaluating& in, const Expr& e) {
  const MaybeConstant at = value_of(in, view::listed_set(e).position());
  const auto& sets = in.context.model.set_lists[e.ref].sets;
  if (!at || at->value < 0 || at->value >= static_cast<Int>(sets.size())) return std::nullopt;
  return listed(in, e.type, sets[static_cast<std::size_t>(at->value)]);
}

static std::optional<std::vector<ConstantValue>> all_of(const Evaluating& in, view::Parts parts) {
  std::vector<ConstantValue> all;
  for (const Expr* part : parts) {
    MaybeConstant x = value_of(in, part);
    if (!x) return std::nullopt;
    all.push_back(std::move(*x));
  }
  return all;
}

static MaybeConstant list_literal(const Evaluating& in, const Expr& e) {
  auto items = all_of(in, view::list_literal(e).elements());
  return items ? MaybeConstant(ConstantValue{0, {}, std::move(*items)}) : std::nullopt;
}

static MaybeConstant evaluate_list_of(const Evaluating& in, const Expr& e) {
  const view::list_of its(e);
  MaybeConstant over = value_of(in, its.domain());
  if (!over) return std::nullopt;
  for (Int v : over->values) over->items.push_back({v, {}, {}});
  ConstantValue all;
  for (ConstantValue& element : over->items) {
    in.frame[e.local.index] = std::move(element);
    if (its.where()) {
      const MaybeConstant c = value_of(in, its.where());
      if (!c) return std::nullopt;
      if (!c->value) continue;
    }
    MaybeConstant item = value_of(in, its.body());
    if (!item) return std::nullopt;
    if (e.value)
      std::move(item->items.begin(), item->items.end(), std::back_inserter(all.items));
    else
      all.items.push_back(std::move(*item));
  }
  return all;
}

static MaybeConstant numbers(const Evaluating& in, const Expr& e) {
  const MaybeConstant lo = value_of(in, view::numbers(e).lo()), hi = value_of(in, view::numbers(e).hi());
  if (!lo || !hi) return std::nullopt;
  ConstantValue all;
  for (Int n = lo->value; n <= hi->value; ++n) {
    if (!in.context.count_step()) return std::nullopt;
    if (e.type.kind == TypeKind::set)
      all.values.push_back(n);
    else
      all.items.emplace_back().value = n;
  }
  return all;
}

static MaybeConstant subsets(const Evaluating& in, const Expr& e) {
  const view::subsets its(e);
  const MaybeConstant of = value_of(in, its.set()), least = value_of(in, its.lo()), most = value_of(in, its.hi());
  if (!of || !least || !most) return std::nullopt;
  return subsets_of(in.context, of->values, least->value, most->value);
}

static MaybeConstant joined(const Evaluating& in, const Expr& e) {
  MaybeConstant first = value_of(in, view::joined(e).left()), second = value_of(in, view::joined(e).right());
  if (!first || !second) return std::nullopt;
  std::move(second->items.begin(), second->items.end(), std::back_inserter(first->items));
  return first;
}

static MaybeConstant element_at(const Evaluating& in, const Expr& e) {
  const view::element_at its(e);
  if (its.of()->kind != ExprKind::list_literal) return std::nullopt;
  const view::Parts elements = view::list_literal(its.of()).elements();
  const MaybeConstant i = value_of(in, its.indices(0));
  if (!i || i->value < 0 || i->value >= static_cast<Int>(elements.size())) return std::nullopt;
  return value_of(in, elements[static_cast<std::size_t>(i->value)]);
}

// ---------------------------------------------------------------- loops over a set

static bool walks_list(const Expr& e) { return view::ranging(e).domain()->type.kind == TypeKind::list; }

static MaybeConstant exists(const Evaluating& in, const Expr& e) {
  const MaybeConstant s = value_of(in, view::exists(e).domain());
  if (!s || walks_list(e)) return std::nullopt;
  for (Int v : s->values) {
    in.frame[e.local.index] = *number(v);
    const MaybeConstant c = value_of(in, view::exists(e).condition());
    if (!c) return std::nullopt;
    if (c->value) return number(1);
  }
  return number(0);
}

static MaybeConstant filter(const Evaluating& in, const Expr& e) {
  const MaybeConstant s = value_of(in, view::filter(e).domain());
  if (!s || walks_list(e)) return std::nullopt;
  std::vector<Int> matching;
  for (Int v : s->values) {
    in.frame[e.local.index] = *number(v);
    const MaybeConstant c = value_of(in, view::filter(e).condition());
    if (!c) return std::nullopt;
    if (c->value) matching.push_back(v);
  }
  return set_of(std::move(matching));
}

static MaybeConstant aggregate(const Evaluating& in, const Expr& e) {
  const view::aggregate its(e);
  const MaybeConstant s = value_of(in, its.domain());
  if (!s || walks_list(e)) return std::nullopt;
  const model::Aggregate how = its.how();
  Int total = how == model::Aggregate::most || how == model::Aggregate::least ? kNone : 0;
  std::vector<Int> all;
  for (Int v : s->values) {
    in.frame[e.local.index] = *number(v);
    if (its.where()) {
      const MaybeConstant c = value_of(in, its.where());
      if (!c) return std::nullopt;
      if (!c->value) continue;
    }
    if (how == model::Aggregate::count) {
      ++total;
      continue;
    }
    const MaybeConstant x = value_of(in, its.body());
    if (!x) return std::nullopt;
    if (how == model::Aggregate::sum) {
      const MaybeConstant sum = compute(in, ExprKind::add, total, x->value, e.range);
      if (!sum) return std::nullopt;
      total = sum->value;
    } else if (how == model::Aggregate::set_union) {
      all.insert(all.end(), x->values.begin(), x->values.end());
    } else if (x->value != kNone) {
      const ExprKind kind = how == model::Aggregate::most ? ExprKind::maximum : ExprKind::minimum;
      const MaybeConstant best = total == kNone ? x : compute(in, kind, total, x->value, e.range);
      if (!best) return std::nullopt;
      total = best->value;
    }
  }
  return how == model::Aggregate::set_union ? set_of(std::move(all)) : number(total);
}

static MaybeConstant first_or_last(const Evaluating& in, const Expr& e, const Expr* set, bool last) {
  if (e.args.size() > 1) return std::nullopt;   // counting from a given seat is impossible before the game
  const MaybeConstant s = value_of(in, set);
  return s ? element_or_none(s->values, last) : std::nullopt;
}

static MaybeConstant only(const Evaluating& in, const Expr& e) {
  const MaybeConstant s = value_of(in, view::pick_only(e).set());
  return s && s->values.size() == 1 ? number(s->values.front()) : std::nullopt;
}

// ---------------------------------------------------------------- calls

static MaybeConstant call_value(const Evaluating& in, const Expr& e) {
  const auto arguments = all_of(in, view::call_value(e).arguments());
  if (!arguments || !in.context.prepare(e)) return std::nullopt;
  return evaluate_value(in.context, e.ref, *arguments, in.depth + 1);
}

static MaybeConstant call_function(const Evaluating& in, const Expr& e) {
  const auto arguments = all_of(in, view::call_function(e).arguments());
  if (!arguments || !in.context.prepare(e)) return std::nullopt;
  const model::Function& function = in.context.model.functions[e.ref];
  Frame inner = bind(function.parameters, *arguments);
  bool returned = false;
  MaybeConstant v = evaluate_block(in.context, function.body.block, inner, in.depth + 1, returned);
  return returned ? v : std::nullopt;
}

MaybeConstant evaluate(EvaluationContext& context, const Expr& e, Frame& frame, int depth) {
  if (depth > kDeepest || !context.count_step()) return std::nullopt;
  const Evaluating in{context, frame, depth};
  if (is_arithmetic(e.kind)) return evaluate_arithmetic(in, e);
  switch (e.kind) {
    case ExprKind::constant:
      return number(e.type.kind == TypeKind::card && e.value != kNone ? context.card_id(e.value) : e.value);
    case ExprKind::unlimited: return number(kUnlimited);
    case ExprKind::set_constant: return listed(in, e.type, e.values);
    case ExprKind::local: {
      const auto it = frame.find(e.local.index);
      return it != frame.end() ? MaybeConstant(it->second) : context.local(e);
    }
    case ExprKind::everyone: return everyone(in);
    case ExprKind::team_of: return team_of(in, e);
    case ExprKind::part_owner: return part_owner(in, e);
    case ExprKind::constant_of_part: return one_further(in, view::constant_of_part(e).part(), -1);
    case ExprKind::part_of_constant: return one_further(in, view::part_of_constant(e).element(), 1);
    case ExprKind::part_at: return evaluate_part_at(in, e);
    case ExprKind::parts_of: return parts_of(in, e);
    case ExprKind::attribute: return evaluate_attribute(in, e);
    case ExprKind::kind_of: return kind_of(in, *view::kind_of(e).card());
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
    case ExprKind::pick_first: return first_or_last(in, e, view::pick_first(e).set(), false);
    case ExprKind::pick_last: return first_or_last(in, e, view::pick_last(e).set(), true);
    case ExprKind::pick_only: return only(in, e);
    case ExprKind::call_value: return call_value(in, e);
    case ExprKind::call_function: return call_function(in, e);
    default: return std::nullopt;   // not known before the game
  }
}

}   // namespace cardwright::analysis
