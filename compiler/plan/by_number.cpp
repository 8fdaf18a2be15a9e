// Plans conditions that depend on their element only through one number, such as a rank or an owner. The condition is
// evaluated for all numbers at once, and then the elements that have a matching number are looked up. This technique
// corresponds to the dictionary encoding of database columns: D. Abadi, S. Madden, M. Ferreira, "Integrating
// Compression and Execution in Column-Oriented Database Systems", SIGMOD 2006.
#include <algorithm>
#include <bit>
#include <functional>

#include "compiler/plan/make.h"

namespace cardwright::plan {

using model::ExprKind;
using model::LocalId;
using model::TypeKind;

namespace {

// A condition in which the number is replaced by a local.
struct OfNumber {
  const Expr* condition;
  const Expr* number;
  LocalId placeholder;
  std::shared_ptr<Names> names;
  model::Type* type;   // type of the local
};

using IsNumber = std::function<bool(const Expr&)>;

// Returns the only number through which the condition depends on the element, or null if there are several numbers or
// other dependencies.
const Expr* only_number(const Expr& condition, LocalId element, const IsNumber& is_number) {
  const Expr* number = nullptr;
  const auto by_one = [&](auto&& self, const Expr& e) -> bool {
    if (is_local(e, element)) return false;
    if (is_number(e)) {
      if (number && (number->kind != e.kind || number->ref != e.ref)) return false;
      number = &e;
      return true;
    }
    return std::all_of(e.args.begin(), e.args.end(), [&](const Expr* a) { return !a || self(self, *a); });
  };
  return by_one(by_one, condition) ? number : nullptr;
}

std::optional<OfNumber> of_number(const Scope& scope, const Expr& condition, LocalId element,
                                  const IsNumber& is_number) {
  ProgramFacts& game = *scope.game;
  const model::Body* body = scope.names->body;
  if (!body || element.index >= body->locals.size()) return std::nullopt;
  const Expr* number = only_number(condition, element, is_number);
  if (!number || !pure(game, condition)) return std::nullopt;
  const LocalId local{static_cast<std::uint32_t>(body->locals.size())};
  model::Body& with_number = game.rewritten_for.emplace_back(model::Body{body->locals, {}, false});
  with_number.locals.push_back({"number", number->type, condition.range});
  OfNumber made{nullptr, number, local, std::make_shared<Names>(*scope.names), &with_number.locals.back().type};
  made.names->body = &with_number;
  const auto rewritten = [&](auto&& self, const Expr& e) -> const Expr* {
    Expr copy = e;
    if (is_number(e)) {
      copy.kind = ExprKind::local;
      copy.local = local;
      copy.args.clear();
    }
    for (const Expr*& a : copy.args)
      if (a && mentions(*a, element)) a = self(self, *a);
    return &game.rewritten.emplace_back(std::move(copy));
  };
  made.condition = rewritten(rewritten, condition);
  return made;
}

// Returns the ids of all cards that the local can contain.
std::vector<Int> could_hold(const Scope& scope, const Domain& domain, LocalId card) {
  if (domain.among) return *domain.among;
  const ProgramFacts& game = *scope.game;
  const model::Type& type = scope.names->type(card);
  std::vector<Int> ids;
  for (std::size_t id = 0; id < game.ids.card.size(); ++id) {
    if (game.ids.card[id] < 0) continue;
    auto kind = std::optional(game.model.kinds[game.model.cards[game.ids.card[id]].kind.index].type);
    while (type.ref < game.model.card_types.size() && kind && kind->index != type.ref)
      kind = game.model.card_types[kind->index].base;
    if (kind) ids.push_back(Int(id));
  }
  return ids;
}

// Returns a table for the `bits` numbers that start with `first`. For each combination of these numbers, it contains
// the set of cards that show one of them.
std::vector<Int> lines_of_chunk(const ProgramFacts& game, const std::vector<Int>& printed, Int first, Int bits,
                                Int choices) {
  const auto words = static_cast<std::size_t>(game.laid_out.layout.words);
  std::vector<Int> lines;
  for (Word chosen = 0; chosen < Word{1} << choices; ++chosen)
    for (std::size_t w = 0; w < words; ++w) {
      Word cards = 0;
      for (std::size_t id = 64 * w; id < std::min(printed.size(), 64 * (w + 1)); ++id)
        if (printed[id] >= first && printed[id] < first + bits && (chosen >> (printed[id] - first) & 1))
          cards |= Word{1} << (id & 63);
      lines.push_back(static_cast<Int>(cards));
    }
  return lines;
}

}   // namespace

// Plans a condition that depends on a printed number: determines the numbers for which the condition is true, then
// looks up the cards.
PlanRef plan_by_number(const Scope& scope, const Expr& condition, LocalId card, const Domain& domain) {
  constexpr Int kChunk = 5;   // number of bits that are looked up together
  ProgramFacts& game = *scope.game;
  const auto is_number = [&](const Expr& e) {
    const bool small =
        e.type.kind == TypeKind::integer || (e.type.kind == TypeKind::enumeration && !is_wide_element(game, e.type));
    return e.kind == ExprKind::attribute && small && is_local(*view::attribute(e).of(), card) &&
           view::attribute(e).of()->type.kind == TypeKind::card;
  };
  auto made = of_number(scope, condition, card, is_number);
  if (!made) return nullptr;
  std::vector<Int> printed(game.ids.card.size(), kNone);
  Word numbers = 0;
  for (const Int id : could_hold(scope, domain, card)) {
    if (game.ids.card[id] < 0) continue;
    const Int number = printed[id] = game.model.cards[game.ids.card[id]].attributes[made->number->ref];
    if (number < 0 || number > kMostBit) return nullptr;
    numbers |= Word{1} << number;
  }
  if (numbers == 0) return nullptr;
  const Int lo = std::countr_zero(numbers), hi = 63 - std::countl_zero(numbers);
  made->type->optional = false;
  if (made->type->kind == TypeKind::integer) made->type->lo = lo, made->type->hi = hi;
  const PlanRef which = plan_mask(scope.in(*made->names), *made->condition, made->placeholder);
  if (!which) return nullptr;
  ByNumber plan{made->names, made->placeholder, which, numbers, kChunk, {}};
  for (Int first = lo; first <= hi; first += kChunk)
    plan.chunks.push_back({first, lines_of_chunk(game, printed, first, kChunk, std::min(kChunk, hi - first + 1))});
  return make(scope, std::move(plan));
}

// Plans a condition that depends on a variable with fewer values than there are elements.
PlanRef plan_by_value(const Scope& scope, const Expr& condition, LocalId element) {
  constexpr Int kMostValues = 15;
  ProgramFacts& game = *scope.game;
  const auto is_number = [&](const Expr& e) {
    return e.kind == ExprKind::variable && e.args.size() == 1 && has_one_each(scope, e, element);
  };
  auto made = of_number(scope, condition, element, is_number);
  if (!made) return nullptr;
  const VariableSlot& slot = game.laid_out.variables[game.ids.variable[made->number->ref]];
  if (slot.hi - slot.lo > kMostValues || slot.hi > kMostBit || slot.lo < 0 || 2 * (slot.hi - slot.lo + 2) > slot.count)
    return nullptr;
  const auto stride = apart(scope, *made->number, element);
  if (!stride) return nullptr;
  const bool or_none = made->type->optional;
  made->type->optional = false;
  const PlanRef which = plan_mask(scope.in(*made->names), *made->condition, made->placeholder);
  const Holding holding{made->number, element, *stride, nullptr, 0};
  return make(scope,
              ByValue{made->names, holding, made->placeholder, made->condition, which, slot.lo, slot.hi, or_none});
}

// Plans `any y in few has C(x, y)`.
PlanRef plan_any_other(const Scope& scope, const Expr& condition, LocalId element, Domain domain) {
  constexpr Int kFew = 8;
  ProgramFacts& game = *scope.game;
  const view::exists its(condition);
  const Expr& others = *its.domain();
  if (domain.wide && !domain.cards) return nullptr;
  if (mentions(others, element) || !pure(game, others) || !is_mask(game, others.type) || !others.type.elem)
    return nullptr;
  const Bounds range = bounds(game, *others.type.elem);
  std::vector<const Expr*> parts = conjuncts(*its.condition());
  if (std::any_of(parts.begin(), parts.end(), [&](const Expr* part) { return !pure(game, *part); })) return nullptr;
  AnyOther plan{&others, condition.local, {}, {}};
  const auto narrow = [&](const Expr& part, std::vector<PlanRef>& into) {
    const PlanRef how = plan_where(scope, part, element, domain);
    if (!how) return false;
    domain.among = how->among;
    into.push_back(how);
    return true;
  };
  while (!parts.empty() && !mentions(*parts[0], condition.local) && !wants_something(game, *scope.names, *parts[0])) {
    if (!narrow(*parts[0], plan.before)) return nullptr;
    parts.erase(parts.begin());
  }
  if (parts.empty()) return nullptr;
  if (domain.wide) {   // first tries to plan by a number printed on the cards
    const Expr* all = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      Expr& both = game.rewritten.emplace_back(*its.condition());   // the copied condition is an `and` expression
      both.args = {all, parts[i]};
      all = &both;
    }
    Expr& rest = game.rewritten.emplace_back(condition);
    rest.args.back() = all;   // the condition
    if (PlanRef found = plan_by_number(scope, rest, element, domain)) {
      for (auto before = plan.before.rbegin(); before != plan.before.rend(); ++before)
        found = make(scope, Both{*before, found});
      return found;
    }
  }
  if (range.hi - range.lo >= kFew) return nullptr;
  for (const Expr* part : parts)
    if (!narrow(*part, plan.parts)) return nullptr;
  return make(scope, std::move(plan));
}

}   // namespace cardwright::plan
