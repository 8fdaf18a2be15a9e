// The value of a checked expression, where it is known before the game: attributes, consts, initial values.
// Only for the compiler's own questions; games run on the engines.
#include "compiler/sema/evaluate.h"

#include <algorithm>
#include <functional>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/value_rules.h"
#include "compiler/sema/boards.h"
#include "compiler/sema/callables.h"
#include "compiler/sema/decks.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/members.h"
#include "compiler/sema/names.h"
#include "compiler/sema/rules.h"
#include "compiler/sema/sets.h"

namespace cardwright::sema {

namespace {
constexpr int kDeepest = 60;
constexpr std::int64_t kMostSteps = 2'000'000;
}  // namespace

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
        if (s->exprs.empty() || !s->exprs[0]) return Computed{};
        return evaluate(sema, *s->exprs[0], frame, depth + 1);
      }
      case StmtKind::if_else: {
        auto c = evaluate(sema, *s->exprs[0], frame, depth + 1);
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

// What a rule of nobody makes of a value with these arguments.
struct Bent {
  bool known = false;   // whether it holds, and its amount
  std::optional<Computed> amount;   // nothing: it does not hold
};
static Bent bent_by(SemaContext& sema, const model::Modifier& m, const std::vector<Computed>& arguments, int depth) {
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

// A value is known if everything that bends it is: rules of nobody with conditions that are known.
static std::optional<Computed> evaluate_value(SemaContext& sema, std::uint32_t index,
                                              const std::vector<Computed>& arguments, int depth) {
  build_value(sema, index);
  ensure_modifiers(sema, index);
  if (sema.rules.values[index].state != Callable::State::done) return std::nullopt;
  const model::Value& v = sema.model.values[index];
  Frame frame;
  for (std::size_t i = 0; i < arguments.size(); ++i) frame[static_cast<std::uint32_t>(i)] = arguments[i];
  std::optional<Computed> result;
  if (v.base) {
    result = evaluate(sema, *v.base, frame, depth + 1);
  } else {
    bool returned = false;
    Frame inner = frame;
    result = evaluate_block(sema, v.body.block, inner, depth + 1, returned);
    if (!returned) return std::nullopt;
  }
  if (!result) return std::nullopt;
  const auto of_somebody = [](const model::Modifier& m) { return m.head.carrier.kind != CarrierKind::nobody; };
  if (std::any_of(v.modifiers.begin(), v.modifiers.end(), of_somebody)) return std::nullopt;
  const analysis::ValueRules rules = analysis::rules_of(v);
  for (const model::Modifier* m : rules.to) {
    const Bent bent = bent_by(sema, *m, arguments, depth);
    if (!bent.known) return std::nullopt;
    if (!bent.amount) continue;
    *result = *bent.amount;
    break;
  }
  if (v.result.kind != TypeKind::integer) return result;
  const auto bend = [&](ExprKind how, Int amount, Range range) {
    const auto now = worked_out(sema, how, result->value, amount, range);
    if (now) result->value = now->value;
    return now.has_value();
  };
  const auto apply = [&](const std::vector<const model::Modifier*>& all, ExprKind how) {
    return std::all_of(all.begin(), all.end(), [&](const model::Modifier* m) {
      const Bent bent = bent_by(sema, *m, arguments, depth);
      return bent.known && (!bent.amount || bend(how, bent.amount->value, m->amount->range));
    });
  };
  const auto bound = [&](const Expr* at, ExprKind how) {
    const auto limit = at ? evaluate(sema, *at, frame, depth + 1) : std::nullopt;
    return !at || (limit && bend(how, limit->value, at->range));
  };
  const bool known = apply(rules.by, ExprKind::add) && apply(rules.at_least, ExprKind::maximum) &&
                     apply(rules.at_most, ExprKind::minimum) && bound(v.at_least, ExprKind::maximum) &&
                     bound(v.at_most, ExprKind::minimum);
  return known ? result : std::nullopt;
}

// By the operation that a game would run; what it would trap at is kept for the message. A number that is too large
// becomes unlimited in a game. Where it is worked out before, that is a mistake.
std::optional<Computed> worked_out(SemaContext& sema, ExprKind kind, Int a, Int b, Range range) {
  analysis::Result result = analysis::arithmetic(kind, a, b);
  const bool finite = analysis::is_finite(a) && analysis::is_finite(b);
  if (result.good() && finite && !analysis::is_finite(result.value)) result.trap = Trap::overflow;
  if (result.good()) return Computed{result.value, {}, {}};
  if (!sema.evaluation.went_wrong) sema.evaluation.went_wrong = {result.trap, range};
  return std::nullopt;
}

std::string_view words_for(Trap trap) {
  switch (trap) {
    case Trap::divided_by_zero: return "a division by zero";
    case Trap::none_in_arithmetic: return "one of these is `none` here, and can't be reckoned with";
    default: return "the number gets too large";
  }
}

// A message where arithmetic went wrong; else the one that is given: this is not known before the game.
void not_known(SemaContext& sema, Range range, std::string message, std::string help) {
  const auto wrong = std::exchange(sema.evaluation.went_wrong, std::nullopt);
  if (wrong)
    error(sema, Code::out_of_range, wrong->range, std::string(words_for(wrong->trap)));
  else
    error(sema, Code::not_fixed, range, std::move(message), std::move(help));
}

// By size, then in ascending order of elements.
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

std::optional<Computed> evaluate(SemaContext& sema, const Expr& e, Frame& frame, int depth) {
  if (depth == 0) sema.evaluation.went_wrong.reset();
  if (depth > kDeepest || ++sema.evaluation.steps > kMostSteps) return std::nullopt;
  const auto arg = [&](std::size_t i) {
    return i < e.args.size() && e.args[i] ? evaluate(sema, *e.args[i], frame, depth + 1) : std::nullopt;
  };
  const auto number = [](Int v) { return Computed{v, {}, {}}; };
  const auto set_of = [](std::vector<Int> v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
    return Computed{0, std::move(v), {}};
  };
  const auto printed = [&](Int v) {   // an attribute, of which a set is kept as a mask
    if (e.type.kind != TypeKind::set) return number(v);
    Computed set;
    for (Int i = 0; i <= kMostInSet; ++i)
      if (v >> i & 1) set.values.push_back(i);
    return set;
  };
  if (analysis::is_arithmetic(e.kind)) {
    const auto x = arg(0), y = e.args.size() > 1 ? arg(1) : std::optional(number(0));
    return x && y ? worked_out(sema, e.kind, x->value, y->value, e.range) : std::nullopt;
  }
  switch (e.kind) {
    case ExprKind::constant: return number(e.value);
    case ExprKind::unlimited: return number(kUnlimited);
    case ExprKind::set_constant: return set_of(e.values);
    case ExprKind::local: {
      if (auto it = frame.find(e.local.index); it != frame.end()) return it->second;
      return std::nullopt;
    }
    case ExprKind::everyone: {
      std::vector<Int> all;
      for (Int p = 0; p < sema.players; ++p) all.push_back(p);
      return set_of(std::move(all));
    }
    case ExprKind::team_of: {
      auto of = arg(0);
      if (!of || of->value < 0 || of->value >= static_cast<Int>(sema.model.teams.size())) return std::nullopt;
      return number(sema.model.teams[static_cast<std::size_t>(of->value)]);
    }
    case ExprKind::part_owner: {
      auto of = arg(0);
      if (!of || of->value == kNone) return of;
      return number((of->value - 1) / e.value);
    }
    case ExprKind::constant_of_part:
    case ExprKind::part_of_constant: {
      auto of = arg(0);
      if (!of || of->value == kNone) return of;
      return number(of->value + (e.kind == ExprKind::part_of_constant ? 1 : -1));
    }
    case ExprKind::part_at: {
      auto whose = arg(0), at = arg(1);
      return whose && at && at->value >= 1 && at->value <= e.value
                 ? std::optional(number(whose->value * e.value + at->value))
                 : std::nullopt;
    }
    case ExprKind::parts_of: {
      auto whose = arg(0);
      if (!whose) return std::nullopt;
      std::vector<Int> parts;
      for (Int i = 1; i <= e.value; ++i) parts.push_back(whose->value * e.value + i);
      return set_of(std::move(parts));
    }
    case ExprKind::attribute: {
      if (sema.cards.copy && model::view::attribute(e).of()->kind == ExprKind::local &&
          model::view::attribute(e).of()->type.kind == TypeKind::card &&
          !frame.contains(model::view::attribute(e).of()->local.index)) {
        auto v = attribute_of_copy(sema, e.ref, e.range);
        return v ? std::optional<Computed>(printed(*v)) : std::nullopt;
      }
      auto of = arg(0);
      if (!of) return std::nullopt;
      if (of->value == kNone) return printed(e.type.kind == TypeKind::set ? 0 : kNone);
      if (model::view::attribute(e).of()->type.kind == TypeKind::card) {
        if (of->value < 0 || of->value >= static_cast<Int>(sema.model.cards.size())) return std::nullopt;
        return printed(sema.model.cards[of->value].attributes[e.ref]);
      }
      const model::Enum& en = sema.model.enums[model::view::attribute(e).of()->type.ref];
      for (std::size_t i = 0; i < en.attributes.size(); ++i)
        if (en.attributes[i].index == e.ref) return printed(en.constants[of->value].attributes[i]);
      return std::nullopt;
    }
    case ExprKind::kind_of: {
      if (sema.cards.copy && model::view::kind_of(e).card()->kind == ExprKind::local &&
          !frame.contains(model::view::kind_of(e).card()->local.index))
        return number(sema.cards.copy->kind.index);
      auto of = arg(0);
      if (!of || of->value == kNone) return of;
      return number(sema.model.cards[of->value].kind.index);
    }
    case ExprKind::counts_as: {
      Int kind;
      if (sema.cards.copy && e.args[0]->kind == ExprKind::local && !frame.contains(e.args[0]->local.index)) {
        kind = sema.cards.copy->kind.index;
      } else {
        auto of = arg(0);
        if (!of) return std::nullopt;
        if (of->value == kNone) return number(0);
        kind = sema.model.cards[of->value].kind.index;
      }
      return number(std::find(e.values.begin(), e.values.end(), kind) != e.values.end());
    }
    case ExprKind::number_of: {
      auto of = arg(0);
      if (!of || of->value == kNone) return of;
      return number(sema.model.enums[model::view::number_of(e).element()->type.ref].constants[of->value].number);
    }
    case ExprKind::logical_not: {
      auto x = arg(0);
      return x ? std::optional<Computed>(number(!x->value)) : std::nullopt;
    }
    case ExprKind::logical_and: {
      auto x = arg(0);
      if (!x || !x->value) return x;
      return arg(1);
    }
    case ExprKind::logical_or: {
      auto x = arg(0);
      if (!x || x->value) return x;
      return arg(1);
    }
    case ExprKind::conditional: {
      auto c = arg(0);
      if (!c) return std::nullopt;
      return arg(c->value ? 1 : 2);
    }
    case ExprKind::or_else: {
      auto x = arg(0);
      if (!x) return std::nullopt;
      const bool nothing = e.type.kind == TypeKind::set ? x->values.empty() : x->value == kNone;
      return nothing ? arg(1) : x;
    }
    case ExprKind::is_none: {
      auto x = arg(0);
      return x ? std::optional<Computed>(number(x->value == kNone)) : std::nullopt;
    }
    case ExprKind::set_equal: {
      auto x = arg(0), y = arg(1);
      if (!x || !y) return std::nullopt;
      return number(x->values == y->values);
    }
    case ExprKind::in_set: {
      auto x = arg(0), y = arg(1);
      if (!x || !y) return std::nullopt;
      return number(std::binary_search(y->values.begin(), y->values.end(), x->value));
    }
    case ExprKind::within: {
      auto x = arg(0), y = arg(1);
      if (!x || !y) return std::nullopt;
      return number(std::includes(y->values.begin(), y->values.end(), x->values.begin(), x->values.end()));
    }
    case ExprKind::disjoint: {
      auto x = arg(0), y = arg(1);
      if (!x || !y) return std::nullopt;
      return number(std::none_of(x->values.begin(), x->values.end(),
                                 [&](Int v) { return std::binary_search(y->values.begin(), y->values.end(), v); }));
    }
    case ExprKind::set_union:
    case ExprKind::set_minus:
    case ExprKind::set_and: {
      auto x = arg(0), y = arg(1);
      if (!x || !y) return std::nullopt;
      std::vector<Int> out;
      if (e.kind == ExprKind::set_union) {
        out = x->values;
        out.insert(out.end(), y->values.begin(), y->values.end());
      } else {
        const bool keep = e.kind == ExprKind::set_and;
        for (Int v : x->values)
          if (std::binary_search(y->values.begin(), y->values.end(), v) == keep) out.push_back(v);
      }
      return set_of(std::move(out));
    }
    case ExprKind::cell_at: {
      auto x = arg(0), y = arg(1);
      auto board = board_of(sema, e.type);
      if (!x || !y || !board) return std::nullopt;
      const model::Board& b = sema.model.boards[*board];
      return number(x->value < 0 || x->value >= b.width || y->value < 0 || y->value >= b.height
                        ? kNone
                        : y->value * b.width + x->value);
    }
    case ExprKind::step:
    case ExprKind::shift: {
      auto of = arg(0), by = arg(1);
      auto board = board_of(sema, e.kind == ExprKind::step ? e.type : element_type(e.type));
      if (!of || !by || !board || by->value == kNone) return std::nullopt;
      const model::Board& b = sema.model.boards[*board];
      if (e.kind == ExprKind::step) return number(of->value == kNone ? kNone : b.next(of->value, by->value));
      std::vector<Int> out;
      for (Int cell : of->values)
        if (const Int next = b.next(cell, by->value); next != kNone) out.push_back(next);
      return set_of(std::move(out));
    }
    case ExprKind::shift_by: {
      const auto of = arg(0), east = arg(1), north = arg(2);
      const auto board = board_of(sema, element_type(e.type));
      if (!of || !east || !north || !board) return std::nullopt;
      std::vector<Int> out;
      for (Int cell : of->values)
        if (const Int to = sema.model.boards[*board].at(cell, east->value, north->value); to != kNone)
          out.push_back(to);
      return set_of(std::move(out));
    }
    case ExprKind::edge_of: {
      const auto cell = arg(0), way = arg(1);
      const auto board = board_of(sema, e.args[0]->type);
      const Int edge = cell && way && board && cell->value != kNone && way->value != kNone
                           ? sema.model.boards[*board].border(cell->value, way->value)
                           : kNone;
      if (edge == kNone) return std::nullopt;
      return number(edge);
    }
    case ExprKind::cells_beside: {
      const auto edge = arg(0);
      if (!edge || edge->value == kNone) return std::nullopt;
      if (const auto graph = board_of(sema, e.args[0]->type))
        return set_of(sema.model.boards[*graph].joined[static_cast<std::size_t>(edge->value)]);
      const auto board = board_of_edge(sema, e.args[0]->type);
      if (!board) return std::nullopt;
      const auto [first, other] = sema.model.boards[*board].between[static_cast<std::size_t>(edge->value)];
      return other == kNone ? set_of({first}) : set_of({first, other});
    }
    case ExprKind::rotated: {
      const auto x = arg(0), n = arg(1);
      const auto turned = x && n ? worked_out(sema, ExprKind::add, x->value, n->value, e.range) : std::nullopt;
      return turned ? worked_out(sema, ExprKind::modulo, turned->value, board_with(sema, e.type).directions(), e.range)
                    : std::nullopt;
    }
    case ExprKind::set_of_one: {
      auto x = arg(0);
      if (!x) return std::nullopt;
      return x->value == kNone ? set_of({}) : set_of({x->value});
    }
    case ExprKind::is_empty:
    case ExprKind::size: {
      // as in fixed.cpp
      if (e.kind == ExprKind::size && e.args[0]->kind == ExprKind::players_in) return number(sema.players);
      auto x = arg(0);
      if (!x) return std::nullopt;
      return number(e.kind == ExprKind::size ? static_cast<Int>(x->values.size()) : x->values.empty());
    }
    case ExprKind::set_list: {
      Computed all;
      for (std::size_t i = 0; i < sema.model.set_lists[e.ref].sets.size(); ++i)
        all.items.push_back(number(static_cast<Int>(i)));
      return all;
    }
    case ExprKind::listed_set: {
      auto at = arg(0);
      const auto& sets = sema.model.set_lists[e.ref].sets;
      if (!at || at->value < 0 || at->value >= static_cast<Int>(sets.size())) return std::nullopt;
      return set_of(sets[static_cast<std::size_t>(at->value)]);
    }
    case ExprKind::list_literal: {
      Computed all;
      for (std::size_t i = 0; i < e.args.size(); ++i) {
        auto item = arg(i);
        if (!item) return std::nullopt;
        all.items.push_back(std::move(*item));
      }
      return all;
    }
    case ExprKind::list_of: {
      auto over = arg(0);
      if (!over) return std::nullopt;
      for (Int v : over->values) over->items.push_back(number(v));
      Computed all;
      for (Computed& element : over->items) {
        frame[e.local.index] = std::move(element);
        if (model::view::list_of(e).where()) {
          auto c = arg(1);
          if (!c) return std::nullopt;
          if (!c->value) continue;
        }
        auto item = arg(2);
        if (!item) return std::nullopt;
        if (e.value)
          std::move(item->items.begin(), item->items.end(), std::back_inserter(all.items));
        else
          all.items.push_back(std::move(*item));
      }
      return all;
    }
    case ExprKind::numbers: {
      const auto lo = arg(0), hi = arg(1);
      if (!lo || !hi) return std::nullopt;
      Computed all;
      for (Int n = lo->value; n <= hi->value; ++n) {
        if (++sema.evaluation.steps > kMostSteps) return std::nullopt;
        if (e.type.kind == TypeKind::set)
          all.values.push_back(n);
        else
          all.items.emplace_back().value = n;
      }
      return all;
    }
    case ExprKind::subsets: {
      auto of = arg(0), least = arg(1), most = arg(2);
      if (!of || !least || !most) return std::nullopt;
      return subsets_of(sema, of->values, least->value, most->value);
    }
    case ExprKind::joined: {
      auto first = arg(0), second = arg(1);
      if (!first || !second) return std::nullopt;
      std::move(second->items.begin(), second->items.end(), std::back_inserter(first->items));
      return first;
    }
    case ExprKind::exists:
    case ExprKind::filter: {
      auto s = arg(0);
      if (!s || model::view::ranging(e).domain()->type.kind == TypeKind::list) return std::nullopt;
      std::vector<Int> kept;
      for (Int v : s->values) {
        frame[e.local.index] = number(v);
        auto c = arg(1);
        if (!c) return std::nullopt;
        if (c->value) kept.push_back(v);
        if (c->value && e.kind == ExprKind::exists) return number(1);
      }
      return e.kind == ExprKind::exists ? number(0) : set_of(std::move(kept));
    }
    case ExprKind::aggregate: {
      auto s = arg(0);
      if (!s || model::view::aggregate(e).domain()->type.kind == TypeKind::list) return std::nullopt;
      Int total = e.value == 1 || e.value == 2 ? kNone : 0;
      std::vector<Int> all;
      for (Int v : s->values) {
        frame[e.local.index] = number(v);
        if (e.args.size() > 1 && model::view::aggregate(e).where()) {
          auto c = arg(1);
          if (!c) return std::nullopt;
          if (!c->value) continue;
        }
        if (e.value == 4) {
          ++total;
          continue;
        }
        auto x = arg(2);
        if (!x) return std::nullopt;
        if (e.value == 0) {
          const auto sum = worked_out(sema, ExprKind::add, total, x->value, e.range);
          if (!sum) return std::nullopt;
          total = sum->value;
        } else if (e.value == 3)
          all.insert(all.end(), x->values.begin(), x->values.end());
        else if (x->value != kNone)
          total = total == kNone
                      ? x->value
                      : worked_out(sema, e.value == 1 ? ExprKind::maximum : ExprKind::minimum, total, x->value, e.range)
                            ->value;
      }
      return e.value == 3 ? set_of(std::move(all)) : number(total);
    }
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only: {
      if (e.args.size() > 1) return std::nullopt;   // of players, from one on
      auto s = arg(0);
      if (!s || (e.kind == ExprKind::pick_only && s->values.size() != 1)) return std::nullopt;
      if (s->values.empty()) return number(kNone);
      return number(e.kind == ExprKind::pick_last ? s->values.back() : s->values.front());
    }
    case ExprKind::element_at: {
      if (e.args[0]->kind != ExprKind::list_literal) return std::nullopt;
      auto i = arg(1);
      if (!i || i->value < 0 || i->value >= static_cast<Int>(e.args[0]->args.size())) return std::nullopt;
      return evaluate(sema, *e.args[0]->args[i->value], frame, depth + 1);
    }
    case ExprKind::call_value:
    case ExprKind::call_function: {
      std::vector<Computed> arguments;
      for (std::size_t i = 0; i < e.args.size(); ++i) {
        auto x = arg(i);
        if (!x) return std::nullopt;
        arguments.push_back(*x);
      }
      if (e.kind == ExprKind::call_value) return evaluate_value(sema, e.ref, arguments, depth + 1);
      build_function(sema, e.ref);
      if (sema.rules.functions[e.ref].state != Callable::State::done) return std::nullopt;
      Frame inner;
      for (std::size_t i = 0; i < arguments.size(); ++i) inner[static_cast<std::uint32_t>(i)] = arguments[i];
      bool returned = false;
      auto v = evaluate_block(sema, sema.model.functions[e.ref].body.block, inner, depth + 1, returned);
      return returned ? v : std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace cardwright::sema
