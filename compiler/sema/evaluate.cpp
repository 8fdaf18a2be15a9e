// The value of a checked expression that is known before the game: attributes computed from others, first values,
// constants. Nothing when it depends on the state of a game, or takes too long.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

namespace {
constexpr int kDeepest = 100;
constexpr std::int64_t kMostEvaluations = 2'000'000;
}  // namespace

std::optional<Analysis::Computed> Analysis::evaluate(const Expr& e, Frame& frame, int depth) {
  if (depth > kDeepest || ++evaluations_ > kMostEvaluations) return std::nullopt;
  const auto arg = [&](std::size_t i) -> std::optional<Computed> {
    return i < e.args.size() && e.args[i] ? evaluate(*e.args[i], frame, depth + 1) : std::nullopt;
  };
  const auto number = [&](std::size_t i) -> std::optional<Int> {
    auto v = arg(i);
    if (!v) return std::nullopt;
    return v->value;
  };
  const auto scalar = [](Int v) { return Computed{v, {}}; };
  const auto numbers = [&](auto&& f) -> std::optional<Computed> {   // both numbers, none refused
    auto x = number(0), y = number(1);
    if (!x || !y || *x == kNone || *y == kNone) return std::nullopt;
    return f(*x, *y);
  };
  const auto sets = [&](auto&& f) -> std::optional<Computed> {
    auto x = arg(0), y = arg(1);
    if (!x || !y) return std::nullopt;
    return f(x->values, y->values);
  };
  const auto has = [](const std::vector<Int>& s, Int v) { return std::find(s.begin(), s.end(), v) != s.end(); };
  switch (e.kind) {
    case ExprKind::constant: return scalar(e.value);
    case ExprKind::unlimited: return scalar(kUnlimited);
    case ExprKind::set_constant: return Computed{0, e.values};
    case ExprKind::local: {
      auto it = frame.find(e.local.index);
      if (it == frame.end()) return std::nullopt;
      return it->second;
    }
    case ExprKind::attribute: {
      const Expr* of = e.args[0];
      if (copy_ && of->kind == ExprKind::local && !frame.contains(of->local.index) && of->type.kind == TypeKind::card) {
        auto v = attribute_of_copy(e.ref, e.range);
        return v ? std::optional<Computed>(scalar(*v)) : std::nullopt;
      }
      auto x = number(0);
      if (!x) return std::nullopt;
      if (*x == kNone) return scalar(kNone);
      if (of->type.kind == TypeKind::card)
        return static_cast<std::size_t>(*x) < model_->cards.size() ? std::optional<Computed>(scalar(model_->cards[static_cast<std::size_t>(*x)].attributes[e.ref])) : std::nullopt;
      const model::Enum& en = model_->enums[of->type.ref];
      for (std::size_t i = 0; i < en.attributes.size(); ++i)
        if (en.attributes[i].index == e.ref && static_cast<std::size_t>(*x) < en.constants.size() && i < en.constants[static_cast<std::size_t>(*x)].attributes.size())
          return scalar(en.constants[static_cast<std::size_t>(*x)].attributes[i]);
      return std::nullopt;
    }
    case ExprKind::kind_of: {
      const Expr* of = e.args[0];
      if (copy_ && of->kind == ExprKind::local && !frame.contains(of->local.index)) return scalar(copy_->kind.index);
      auto x = number(0);
      if (!x || *x == kNone || static_cast<std::size_t>(*x) >= model_->cards.size()) return std::nullopt;
      return scalar(model_->cards[static_cast<std::size_t>(*x)].kind.index);
    }
    case ExprKind::number_of: {
      auto x = number(0);
      if (!x) return std::nullopt;
      return scalar(*x == kNone ? kNone : model_->enums[e.args[0]->type.ref].constants[static_cast<std::size_t>(*x)].number);
    }
    case ExprKind::logical_not: {
      auto x = number(0);
      return x ? std::optional<Computed>(scalar(!*x)) : std::nullopt;
    }
    case ExprKind::logical_and: case ExprKind::logical_or: {
      auto x = number(0);
      if (!x) return std::nullopt;
      if ((*x != 0) == (e.kind == ExprKind::logical_or)) return scalar(*x != 0);
      return arg(1);
    }
    case ExprKind::negate: case ExprKind::absolute: {
      auto x = number(0);
      if (!x || *x == kNone) return std::nullopt;
      return scalar(e.kind == ExprKind::negate || *x < 0 ? -*x : *x);
    }
    case ExprKind::add: case ExprKind::subtract: case ExprKind::multiply:
      return numbers([&](Int x, Int y) -> std::optional<Computed> {
        Int r = 0;
        const bool bad = e.kind == ExprKind::add ? __builtin_add_overflow(x, y, &r) : e.kind == ExprKind::subtract ? __builtin_sub_overflow(x, y, &r) : __builtin_mul_overflow(x, y, &r);
        if (bad) return std::nullopt;
        return scalar(r);
      });
    case ExprKind::divide: case ExprKind::modulo:
      return numbers([&](Int x, Int y) -> std::optional<Computed> {
        if (y == 0) return std::nullopt;
        if (e.kind == ExprKind::divide) return scalar(x / y);
        const Int r = x % y;
        return scalar(r != 0 && (r < 0) != (y < 0) ? r + y : r);
      });
    case ExprKind::minimum: return numbers([&](Int x, Int y) -> std::optional<Computed> { return scalar(std::min(x, y)); });
    case ExprKind::maximum: return numbers([&](Int x, Int y) -> std::optional<Computed> { return scalar(std::max(x, y)); });
    case ExprKind::less: return numbers([&](Int x, Int y) -> std::optional<Computed> { return scalar(x < y); });
    case ExprKind::less_equal: return numbers([&](Int x, Int y) -> std::optional<Computed> { return scalar(x <= y); });
    case ExprKind::equal: case ExprKind::not_equal: {
      auto x = number(0), y = number(1);
      if (!x || !y) return std::nullopt;
      return scalar((*x == *y) == (e.kind == ExprKind::equal));
    }
    case ExprKind::is_none: {
      auto x = number(0);
      return x ? std::optional<Computed>(scalar(*x == kNone)) : std::nullopt;
    }
    case ExprKind::conditional: {
      auto c = number(0);
      if (!c) return std::nullopt;
      return arg(*c ? 1 : 2);
    }
    case ExprKind::or_else: {
      auto x = arg(0);
      if (!x) return std::nullopt;
      const bool nothing = e.args[0]->type.kind == TypeKind::set ? x->values.empty() : x->value == kNone;
      return nothing ? arg(1) : x;
    }
    case ExprKind::in_set: {
      auto x = number(0);
      auto s = arg(1);
      if (!x || !s) return std::nullopt;
      return scalar(has(s->values, *x));
    }
    case ExprKind::set_of_one: {
      auto x = number(0);
      if (!x) return std::nullopt;
      return Computed{0, *x == kNone ? std::vector<Int>{} : std::vector<Int>{*x}};
    }
    case ExprKind::set_union: case ExprKind::set_minus: case ExprKind::set_and:
      return sets([&](const std::vector<Int>& x, const std::vector<Int>& y) -> std::optional<Computed> {
        std::vector<Int> r;
        if (e.kind == ExprKind::set_union) {
          r = x;
          for (Int v : y)
            if (!has(r, v)) r.push_back(v);
        } else {
          for (Int v : x)
            if (has(y, v) == (e.kind == ExprKind::set_and)) r.push_back(v);
        }
        std::sort(r.begin(), r.end());
        return Computed{0, std::move(r)};
      });
    case ExprKind::set_equal: case ExprKind::within: case ExprKind::disjoint:
      return sets([&](const std::vector<Int>& x, const std::vector<Int>& y) -> std::optional<Computed> {
        const bool in = std::all_of(x.begin(), x.end(), [&](Int v) { return has(y, v); });
        const bool none = std::none_of(x.begin(), x.end(), [&](Int v) { return has(y, v); });
        if (e.kind == ExprKind::within) return scalar(in);
        if (e.kind == ExprKind::disjoint) return scalar(none);
        return scalar(in && x.size() == y.size());
      });
    case ExprKind::is_empty: case ExprKind::size: {
      auto s = arg(0);
      if (!s) return std::nullopt;
      return scalar(e.kind == ExprKind::size ? static_cast<Int>(s->values.size()) : s->values.empty());
    }
    case ExprKind::pick_first: case ExprKind::pick_last: case ExprKind::pick_only: {
      auto s = arg(0);
      if (!s) return std::nullopt;
      if (e.kind == ExprKind::pick_only && s->values.size() != 1) return std::nullopt;
      if (s->values.empty()) return scalar(kNone);
      auto [lo, hi] = std::minmax_element(s->values.begin(), s->values.end());
      return scalar(e.kind == ExprKind::pick_last ? *hi : *lo);
    }
    case ExprKind::everyone: {
      Computed all;
      for (Int p = 0; p < players_; ++p) all.values.push_back(p);
      return all;
    }
    case ExprKind::filter: case ExprKind::exists: case ExprKind::aggregate: {
      auto s = arg(0);
      if (!s) return std::nullopt;
      Computed result{e.kind == ExprKind::aggregate && (e.value == 1 || e.value == 2) ? kNone : 0, {}};
      for (Int v : s->values) {
        frame[e.local.index] = scalar(v);
        std::optional<Computed> holds = e.args.size() > 1 && e.args[1] ? evaluate(*e.args[1], frame, depth + 1) : scalar(1);
        if (!holds) return std::nullopt;
        if (!holds->value) continue;
        if (e.kind == ExprKind::exists) {
          frame.erase(e.local.index);
          return scalar(1);
        }
        if (e.kind == ExprKind::filter) {
          result.values.push_back(v);
          continue;
        }
        if (e.value == 4) {
          ++result.value;
          continue;
        }
        auto x = arg(2);
        if (!x) return std::nullopt;
        if (e.value == 3) {
          for (Int y : x->values)
            if (!has(result.values, y)) result.values.push_back(y);
        } else if (x->value != kNone) {
          if (e.value == 0) result.value += x->value;
          else if (result.value == kNone) result.value = x->value;
          else result.value = e.value == 1 ? std::max(result.value, x->value) : std::min(result.value, x->value);
        }
      }
      frame.erase(e.local.index);
      std::sort(result.values.begin(), result.values.end());
      return result;
    }
    case ExprKind::call_value: case ExprKind::call_function: {
      std::vector<Computed> arguments;
      for (std::size_t i = 0; i < e.args.size(); ++i) {
        auto v = arg(i);
        if (!v) return std::nullopt;
        arguments.push_back(std::move(*v));
      }
      if (e.kind == ExprKind::call_value) return evaluate_value(e.ref, arguments, depth + 1);
      if (functions_[e.ref].state == Callable::State::todo) build_function(e.ref);
      const model::Function& f = model_->functions[e.ref];
      Frame inner;
      for (std::size_t i = 0; i < f.parameters.size() && i < arguments.size(); ++i) inner[f.parameters[i].local.index] = arguments[i];
      bool returned = false;
      return evaluate_block(f.body.block, inner, depth + 1, returned);
    }
    default: return std::nullopt;
  }
}

// Only where no card or character bends it: their rules depend on the game.
std::optional<Analysis::Computed> Analysis::evaluate_value(std::uint32_t index, const std::vector<Computed>& arguments, int depth) {
  if (index >= values_.size() || depth > kDeepest) return std::nullopt;
  if (values_[index].state == Callable::State::doing) return std::nullopt;
  if (values_[index].state == Callable::State::todo) build_value(index);
  const model::Value& value = model_->values[index];
  Frame frame;
  for (std::size_t i = 0; i < value.parameters.size() && i < arguments.size(); ++i) frame[value.parameters[i].local.index] = arguments[i];
  std::optional<Computed> result;
  std::vector<const model::Modifier*> modifiers;
  for (const model::Modifier& m : value.modifiers) {
    if (m.head.carrier.kind != CarrierKind::nobody) return std::nullopt;
    modifiers.push_back(&m);
  }
  std::sort(modifiers.begin(), modifiers.end(), [](auto* x, auto* y) { return x->head.precedence > y->head.precedence; });
  const auto amount = [&](const model::Modifier& m, bool& holds) -> std::optional<Computed> {
    Frame inner;
    holds = true;
    for (std::size_t i = 0; i < m.patterns.size() && i < arguments.size(); ++i) {
      if (m.patterns[i].kind == model::Pattern::Kind::binds) inner[m.patterns[i].local.index] = arguments[i];
      if (m.patterns[i].kind == model::Pattern::Kind::equals) {
        auto v = evaluate(*m.patterns[i].value, inner, depth + 1);
        if (!v) return std::nullopt;
        holds = holds && v->value == arguments[i].value;
      }
    }
    if (m.head.when) {
      auto c = evaluate(*m.head.when, inner, depth + 1);
      if (!c) return std::nullopt;
      holds = holds && c->value;
    }
    return evaluate(*m.amount, inner, depth + 1);
  };
  for (const model::Modifier* m : modifiers) {
    if (m->how != model::ModifyHow::to || result) continue;
    bool holds = false;
    auto v = amount(*m, holds);
    if (!v) return std::nullopt;
    if (holds) result = std::move(v);
  }
  if (!result) {
    bool returned = false;
    result = value.base ? evaluate(*value.base, frame, depth + 1) : evaluate_block(value.body.block, frame, depth + 1, returned);
  }
  if (!result) return std::nullopt;
  for (model::ModifyHow how : {model::ModifyHow::by, model::ModifyHow::at_least, model::ModifyHow::at_most})
    for (const model::Modifier* m : modifiers) {
      if (m->how != how) continue;
      bool holds = false;
      auto v = amount(*m, holds);
      if (!v) return std::nullopt;
      if (!holds) continue;
      if (how == model::ModifyHow::by) result->value += v->value;
      else result->value = how == model::ModifyHow::at_least ? std::max(result->value, v->value) : std::min(result->value, v->value);
    }
  if (value.at_least) {
    auto v = evaluate(*value.at_least, frame, depth + 1);
    if (!v) return std::nullopt;
    result->value = std::max(result->value, v->value);
  }
  if (value.at_most) {
    auto v = evaluate(*value.at_most, frame, depth + 1);
    if (!v) return std::nullopt;
    result->value = std::min(result->value, v->value);
  }
  return result;
}

std::optional<Analysis::Computed> Analysis::evaluate_block(const Block& block, Frame& frame, int depth, bool& returned) {
  if (depth > kDeepest) return std::nullopt;
  for (const Stmt* s : block) {
    if (++evaluations_ > kMostEvaluations) return std::nullopt;
    switch (s->kind) {
      case StmtKind::let: {
        if (s->exprs.empty() || !s->exprs[0]) {
          frame[s->local.index] = {};
          break;
        }
        auto v = evaluate(*s->exprs[0], frame, depth + 1);
        if (!v) return std::nullopt;
        frame[s->local.index] = std::move(*v);
        break;
      }
      case StmtKind::assign_local: {
        if (s->exprs.size() != 1) return std::nullopt;
        auto v = evaluate(*s->exprs[0], frame, depth + 1);
        if (!v) return std::nullopt;
        frame[s->local.index] = std::move(*v);
        break;
      }
      case StmtKind::if_else: {
        auto c = evaluate(*s->exprs[0], frame, depth + 1);
        if (!c) return std::nullopt;
        const std::size_t which = c->value ? 0 : 1;
        if (which >= s->blocks.size()) break;
        auto v = evaluate_block(s->blocks[which], frame, depth + 1, returned);
        if (returned || !v) return v;
        break;
      }
      case StmtKind::return_value: {
        returned = true;
        if (s->exprs.empty() || !s->exprs[0]) return Computed{kNone, {}};
        return evaluate(*s->exprs[0], frame, depth + 1);
      }
      default: return std::nullopt;
    }
  }
  return Computed{kNone, {}};
}

}  // namespace cardwright::sema
