// Plans conditions over players, parts of areas and small numbers as operations on masks.
#include <algorithm>

#include "compiler/plan/make.h"

namespace cardwright::plan {

using model::ExprKind;
using model::LocalId;
using model::TypeKind;

// ---------------------------------------------------------------- variables of elements

bool has_one_each(const Scope& scope, const Expr& e, LocalId element) {
  const ProgramFacts& game = *scope.game;
  if (e.kind != ExprKind::variable || is_wide(game, e.type) || e.type.kind == TypeKind::set ||
      e.type.kind == TypeKind::list)
    return false;
  const VariableSlot& slot = game.laid_out.variables[game.ids.variable[e.ref]];
  const Bounds elements = bounds(game, scope.names->type(element));
  if (slot.is_set || slot.initial == kUnset || slot.count > 64 || elements.lo < 0 || elements.hi > kMostBit)
    return false;
  int by_element = 0;
  for (const Expr* index : e.args)
    if (!index || !(is_local(*index, element) ? ++by_element : !mentions(*index, element) && pure(game, *index)))
      return false;
  return by_element == 1;
}

std::optional<Int> apart(const Scope& scope, const Expr& e, LocalId element) {
  const ProgramFacts& game = *scope.game;
  const model::Variable& variable = game.model.variables[e.ref];
  const Bounds elements = bounds(game, scope.names->type(element));
  std::vector<Bounds> dimensions;
  if (variable.per_player) dimensions.push_back({0, game.model.players - 1});
  for (const model::Type& type : variable.indices) dimensions.push_back(bounds(game, type));
  Int stride = 1, mine = 0;
  for (std::size_t i = e.args.size(); i-- > 0; stride *= dimensions[i].hi - dimensions[i].lo + 1)
    if (is_local(*e.args[i], element)) {
      if (dimensions[i].lo != elements.lo || dimensions[i].hi != elements.hi) return std::nullopt;
      mine = stride;
    }
  return mine;
}

std::optional<std::size_t> element_argument(const ProgramFacts& game, const Expr& call, LocalId element) {
  std::optional<std::size_t> inside;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const Expr* a = call.args[i];
    if (!a) return std::nullopt;
    if (!mentions(*a, element)) {
      if (!pure(game, *a) || a->type.kind == TypeKind::list) return std::nullopt;
    } else {
      if (a->kind != ExprKind::local || inside) return std::nullopt;
      inside = i;
    }
  }
  return inside;
}

namespace {

PlanRef holding(const Scope& scope, const Expr& e, LocalId element, const Expr* value, Int constant,
                bool without = false) {
  const auto stride = has_one_each(scope, e, element) ? apart(scope, e, element) : std::nullopt;
  return stride ? make(scope, Holding{&e, element, *stride, value, constant, without}) : nullptr;
}

// ---------------------------------------------------------------- comparisons

// Returns whether the expression is the element, or the element plus or minus numbers that do not depend on it, as in
// `n - f.current + 1`.
bool is_moved(const ProgramFacts& game, const Expr& e, LocalId element) {
  if (e.kind == ExprKind::local) return e.local == element;
  const auto moves = [&](const Expr& by) { return !mentions(by, element) && pure(game, by) && is_small(game, by); };
  if (e.kind == ExprKind::add) {
    const view::add its(e);
    return is_moved(game, *its.right(), element) ? moves(*its.left())
                                                 : is_moved(game, *its.left(), element) && moves(*its.right());
  }
  if (e.kind != ExprKind::subtract) return false;
  return is_moved(game, *view::subtract(e).left(), element) && moves(*view::subtract(e).right());
}

// Plans a comparison of each element's variable with a constant for that element, such as `p.shown[w] >= need(w)`. The
// values are adjacent in memory, but they are loaded one by one, because a single load of several values would stall if
// one of them was just stored.
PlanRef each_compared(const Scope& scope, const Expr& condition, LocalId element) {
  constexpr Int kFew = 8;
  const ProgramFacts& game = *scope.game;
  const auto [mine, fixed, swapped] = Sides(condition, has_one_each(scope, *view::pair(condition).right(), element));
  if (condition.kind == ExprKind::in_set || !has_one_each(scope, mine, element)) return nullptr;
  const auto stride = apart(scope, mine, element);
  const Bounds elements = bounds(game, scope.names->type(element));
  if (!stride || game.laid_out.variables[game.ids.variable[mine.ref]].optional || elements.hi - elements.lo >= kFew)
    return nullptr;
  EachCompared plan{&mine, element, *stride, elements.lo, {}, condition.kind, swapped};
  for (Int x = elements.lo; x <= elements.hi; ++x) {
    const auto wanted = static_value(game, scope.names, fixed, element, x);
    if (!wanted || *wanted == kNone) return nullptr;
    plan.wanted.push_back(*wanted);
  }
  return make(scope, std::move(plan));
}

// Plans a comparison with the lowest value of the variable. "Greater than the minimum" means "not the minimum".
PlanRef more_than_least(const Scope& scope, const Expr& condition, const Expr& mine, const Expr& other, bool swapped,
                        LocalId element) {
  const ProgramFacts& game = *scope.game;
  const VariableSlot& slot = game.laid_out.variables[game.ids.variable[mine.ref]];
  if (condition.kind == ExprKind::in_set || slot.optional || other.kind != ExprKind::constant) return nullptr;
  const bool or_equal = condition.kind == ExprKind::less_equal;
  if (other.value != (or_equal == swapped ? slot.lo + 1 : slot.lo)) return nullptr;
  return holding(scope, mine, element, nullptr, slot.lo, swapped);
}

// Plans a comparison of the element or its variable with a value that is the same for all elements.
PlanRef compared(const Scope& scope, const Expr& condition, LocalId element) {
  const ProgramFacts& game = *scope.game;
  const auto [mine, other, swapped] = Sides(condition, element);
  if (mentions(other, element)) return each_compared(scope, condition, element);
  if (!pure(game, other)) return nullptr;
  const bool member = condition.kind == ExprKind::in_set,
             equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  if (member && (swapped || !is_mask(game, other.type))) return nullptr;
  if (is_moved(game, mine, element)) {
    const bool stays = mine.kind == ExprKind::local;
    if (!member && !(stays && equality) && !is_never_none(game, other)) return nullptr;
    return make(scope, Moved{element, &mine, &other, condition.kind, swapped});
  }
  if (!has_one_each(scope, mine, element)) return plan_lanes(scope, condition, element);
  if (equality) return holding(scope, mine, element, &other, 0, condition.kind == ExprKind::not_equal);
  return more_than_least(scope, condition, mine, other, swapped, element);
}

// ---------------------------------------------------------------- piles and zones

struct Pile {
  Int zone, from;
};

// If each element has its own pile and the expression names the top card of the element's pile, returns the zone of
// these piles. The expression is `top of s.cards`, or a value that is defined by such an expression. The index of a
// pile is the element minus `from`.
std::optional<Pile> pile_of(const ProgramFacts& game, const Expr& e, LocalId element) {
  if (e.kind == ExprKind::call_value || e.kind == ExprKind::call_function) {
    const auto& parameters =
        e.kind == ExprKind::call_value ? game.model.values[e.ref].parameters : game.model.functions[e.ref].parameters;
    const Expr* body = plain_body(game, e);
    const bool of_it = body && e.args.size() == 1 && parameters.size() == 1 && is_local(*e.args.front(), element);
    return of_it ? pile_of(game, *body, parameters[0].local) : std::nullopt;
  }
  if (e.kind != ExprKind::zone_top || !game.facts.always_ordered[e.ref]) return std::nullopt;
  const ZoneSlot& slot = game.laid_out.zones[e.ref];
  if ((slot.owners == 1) == (slot.copies == 1) || slot.owners * slot.copies > kMostBit ||
      !game.laid_out.layout.instance[slot.first].ordered)
    return std::nullopt;
  const Expr* index = slot.owners == 1 ? view::zone_top(e).copy() : view::zone_top(e).owner();
  Int from = 0;
  if (index && index->kind == ExprKind::subtract && view::subtract(index).right()->kind == ExprKind::constant) {
    from = view::subtract(index).right()->value;
    index = view::subtract(index).left();
  }
  return index && is_local(*index, element) ? std::optional(Pile{Int(e.ref), from}) : std::nullopt;
}

// Plans `counts_as` for the top card of each element's pile. The plan tests all piles at once.
PlanRef topped(const Scope& scope, const Expr& condition, LocalId element, bool asked) {
  const ProgramFacts& game = *scope.game;
  const auto pile = pile_of(game, *view::counts_as(condition).card(), element);
  const bool also = std::any_of(game.model.alsos.begin(), game.model.alsos.end(), [&](const model::Also& a) {
    return std::find(condition.values.begin(), condition.values.end(), Int(a.counts_as.index)) !=
           condition.values.end();
  });
  if (!pile || also) return nullptr;
  return make(scope, Topped{pile->zone, game.ids.facedown_zone[static_cast<std::size_t>(pile->zone)], pile->from,
                            cards_of_kinds(game, condition.values), asked});
}

// Plans a condition that a zone of the player is empty.
PlanRef without_cards(const Scope& scope, const Expr& condition, LocalId element) {
  const ProgramFacts& game = *scope.game;
  const Expr& zone = *view::is_empty(condition).set();
  if (scope.names->type(element).kind != TypeKind::player || zone.kind != ExprKind::zone) return nullptr;
  const Expr* owner = view::zone(zone).owner();
  if (!owner || !is_local(*owner, element) || game.laid_out.zones[zone.ref].copies != 1) return nullptr;
  return make(scope, Without{Int(zone.ref), game.ids.facedown_zone[zone.ref]});
}

// Plans `any c in p.hand has C(c)` for players.
PlanRef owners_of(const Scope& scope, const Expr& condition, LocalId element) {
  const ProgramFacts& game = *scope.game;
  const view::exists its(condition);
  const Expr &zone = *its.domain(), &such = *its.condition();
  if (scope.names->type(element).kind != TypeKind::player || zone.kind != ExprKind::zone || zone.args.size() != 1 ||
      !view::zone(zone).owner() || !is_local(*view::zone(zone).owner(), element))
    return nullptr;
  if (game.laid_out.zones[zone.ref].copies != 1 || mentions(such, element) || !pure(game, such)) return nullptr;
  const PlanRef how = plan_set(scope, such, condition.local, {true, true});
  return how ? make(scope, OwnersOf{zone.ref, condition.local, how, scope.only_whether == &condition}) : nullptr;
}

// ---------------------------------------------------------------- parts

PlanRef by_case(const Scope& scope, const Expr& condition, LocalId element) {
  const view::conditional its(condition);
  const bool of_element = mentions(*its.condition(), element);
  if (!of_element && !pure(*scope.game, *its.condition())) return nullptr;
  const PlanRef decides = of_element ? plan_mask(scope, *its.condition(), element) : nullptr;
  if (of_element && !decides) return nullptr;
  const PlanRef then = plan_mask(scope, *its.then(), element);
  const PlanRef otherwise = then ? plan_mask(scope, *its.otherwise(), element) : nullptr;
  if (!otherwise) return nullptr;
  return of_element ? make(scope, ByCases{decides, then, otherwise})
                    : make(scope, ByCase{its.condition(), then, otherwise});
}

PlanRef in_two(const Scope& scope, const Expr& left, const Expr& right, LocalId element, bool both) {
  const PlanRef first = plan_mask(scope, left, element);
  const PlanRef second = first ? plan_mask(scope, right, element) : nullptr;
  if (!second) return nullptr;
  return both ? make(scope, Both{first, second}) : make(scope, Either{first, second, true});
}

// Returns whether a `to` modifier sets the same value for all elements.
bool is_of_all(const model::Modifier& rule, std::size_t element) {
  const model::Pattern* named = element < rule.patterns.size() ? &rule.patterns[element] : nullptr;
  return rule.head.carrier.kind == model::CarrierKind::none && !rule.head.me.valid() && named &&
         named->kind == model::Pattern::Kind::binds && !(rule.head.when && mentions(*rule.head.when, named->local));
}

// Plans a call of a value or function with the element as argument, by planning the called expression.
PlanRef call_of_masks(const Scope& scope, const Expr& call, LocalId element) {
  const ProgramFacts& game = *scope.game;
  const bool is_value = call.kind == ExprKind::call_value;
  const model::Value* value = is_value ? &game.model.values[call.ref] : nullptr;
  const auto& parameters = is_value ? value->parameters : game.model.functions[call.ref].parameters;
  const Expr* base = is_value ? value->base : plain_body(game, call);
  if (!base || scope.called_deep >= kDeepestCall || parameters.size() != call.args.size() ||
      (is_value && (value->at_least || value->at_most)))
    return nullptr;
  const auto inside = element_argument(game, call, element);
  if (!inside) return nullptr;
  const analysis::ValueRules rules = is_value ? possible_rules(game, *value) : analysis::ValueRules{};
  if (!rules.only_to() || (is_value && value->latest_first)) return nullptr;
  for (const model::Modifier* rule : rules.to)
    if (!is_of_all(*rule, *inside)) return nullptr;
  const auto plan_of = [&](const model::Body& body, const Expr& what, LocalId of_what) {
    const Names names{&body, {}, {}};
    Scope inner = scope.in(names).deeper();
    if (inner.only_whether == &call) inner.only_whether = &what;
    return plan_mask(inner, what, of_what);
  };
  Called plan{&call, *inside, {}, nullptr};
  for (const model::Modifier* rule : rules.to) {
    const PlanRef what = plan_of(rule->body, *rule->amount, rule->patterns[*inside].local);
    if (!what) return nullptr;
    plan.to.push_back({rule, what});
  }
  plan.base = plan_of(is_value ? value->body : game.model.functions[call.ref].body, *base, parameters[*inside].local);
  return plan.base ? make(scope, std::move(plan)) : nullptr;
}

PlanRef any_plan(const Scope& scope, const Expr& condition, LocalId element) {
  if (!mentions(condition, element)) return pure(*scope.game, condition) ? make(scope, Uniform{&condition}) : nullptr;
  PlanRef found;
  switch (condition.kind) {
    case ExprKind::logical_or:
      return in_two(scope, *view::logical_or(condition).left(), *view::logical_or(condition).right(), element, false);
    case ExprKind::logical_and:
      return in_two(scope, *view::logical_and(condition).left(), *view::logical_and(condition).right(), element, true);
    case ExprKind::logical_not: {
      const PlanRef what = plan_mask(scope, *view::logical_not(condition).operand(), element);
      return what ? make(scope, Not{what}) : nullptr;
    }
    case ExprKind::conditional: return by_case(scope, condition, element);
    case ExprKind::is_empty: found = without_cards(scope, condition, element); break;
    case ExprKind::variable: found = holding(scope, condition, element, nullptr, 1); break;
    case ExprKind::is_none: found = holding(scope, *view::is_none(condition).operand(), element, nullptr, kNone); break;
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::less:
    case ExprKind::less_equal:
    case ExprKind::in_set: found = compared(scope, condition, element); break;
    case ExprKind::counts_as: found = topped(scope, condition, element, false); break;
    case ExprKind::is_in_game:
      if (is_local(*view::is_in_game(condition).player(), element)) found = make(scope, InGame{});
      break;
    case ExprKind::exists:
      found = owners_of(scope, condition, element);
      if (!found) found = plan_any_other(scope, condition, element, {});
      break;
    case ExprKind::call_value:
    case ExprKind::call_function: found = call_of_masks(scope, condition, element); break;
    default: break;
  }
  return found ? found : plan_by_value(scope, condition, element);
}

}   // namespace

PlanRef plan_mask(const Scope& scope, const Expr& condition, LocalId element) {
  const bool in_parts = condition.kind == ExprKind::logical_and || condition.kind == ExprKind::logical_or ||
                        condition.kind == ExprKind::logical_not;
  const PlanRef found = any_plan(scope, condition, element);
  const bool guarded =
      (!in_parts || !mentions(condition, element)) && wants_something(*scope.game, *scope.names, condition);
  return found && guarded ? make(scope, IfAny{found}) : found;
}

PlanRef plan_as_known(const Scope& scope, const Expr& condition, LocalId element) {
  return condition.kind == ExprKind::counts_as ? topped(scope, condition, element, true) : nullptr;
}

}   // namespace cardwright::plan
