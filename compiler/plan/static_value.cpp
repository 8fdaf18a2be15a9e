// Evaluates an expression for one element of a domain at compile time: attributes of cards, and properties of cells and
// numbers. Arithmetic uses analysis/constants.h, so the results equal those at run time.
#include "compiler/analysis/constants.h"
#include "compiler/plan/facts.h"

namespace cardwright::plan {

using model::ExprKind;
using model::TypeKind;

namespace {

using Known = std::optional<Int>;

bool contains(const std::vector<Int>& values, Int value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Returns the value of an attribute of an element.
Known attribute_of(const ProgramFacts& game, const model::Expr& e, Int element) {
  if (element == kNone) return is_mask(game, e.type) ? 0 : kNone;
  const model::Type& whose = view::attribute(e).of()->type;
  if (whose.kind == TypeKind::card) {
    const Int value = game.model.cards[game.ids.card[element]].attributes[e.ref];
    return value == kNone && is_mask(game, e.type) ? 0 : value;   // a card without the attribute has an empty set
  }
  const model::Enum& en = game.model.enums[whose.ref];
  for (std::size_t i = 0; i < en.attributes.size(); ++i)
    if (en.attributes[i].index == e.ref) return en.constants[element].attributes[i];
  return std::nullopt;
}

// Evaluates `counts_as`. The result is unknown if an `also` rule may affect it.
Known counts_as(const ProgramFacts& game, const model::Expr& e, Int card) {
  for (const model::Also& also : game.model.alsos)
    if (contains(e.values, Int(also.counts_as.index))) return std::nullopt;
  return card == kNone ? 0 : contains(e.values, Int(game.model.cards[game.ids.card[card]].kind.index));
}

Known edge_of(const ProgramFacts& game, const model::Expr& e, Int cell, Int way) {
  if (cell == kNone || way == kNone) return std::nullopt;
  const Int edge = board_of(game, view::edge_of(e).cell()->type).border(cell, way);
  return edge == kNone ? std::nullopt : Known(edge);
}

Known rotated(const ProgramFacts& game, const model::Expr& e, Int direction, Int by) {
  const Known turned = analysis::known(ExprKind::add, direction, by);
  return turned ? analysis::known(ExprKind::modulo, *turned, board_with(game, e.type).directions()) : std::nullopt;
}

Known in_constant_set(const ProgramFacts& game, const model::Expr& e, Int element) {
  const std::vector<Int>& values = view::in_set(e).set()->values;
  if (view::in_set(e).element()->type.kind != TypeKind::card || element == kNone) return contains(values, element);
  return std::any_of(values.begin(), values.end(), [&](Int card) { return game.ids.of_card[card] == element; });
}

// Evaluates a call with a single argument.
Known called(const ProgramFacts& game, const model::Expr& call, Int argument) {
  const model::Expr* body = plain_body(game, call);
  const auto& parameters = call.kind == ExprKind::call_value ? game.model.values[call.ref].parameters
                                                             : game.model.functions[call.ref].parameters;
  if (!body || parameters.size() != 1 || argument < 0) return std::nullopt;
  return static_value(game, nullptr, *body, parameters[0].local, argument);
}

// Evaluates expressions with one operand.
Known of_one(const ProgramFacts& game, const model::Expr& e, Int x) {
  switch (e.kind) {
    case ExprKind::attribute: return attribute_of(game, e, x);
    case ExprKind::number_of:
      return x == kNone ? kNone : game.model.enums[view::number_of(e).element()->type.ref].constants[x].number;
    case ExprKind::kind_of: return x == kNone ? kNone : Int(game.model.cards[game.ids.card[x]].kind.index);
    case ExprKind::counts_as: return counts_as(game, e, x);
    case ExprKind::logical_not: return !x;
    case ExprKind::is_none: return x == kNone;
    case ExprKind::constant_of_part: return x == kNone ? kNone : x - 1;
    case ExprKind::part_of_constant: return x == kNone ? kNone : x + 1;
    case ExprKind::call_value:
    case ExprKind::call_function: return called(game, e, x);
    default: return std::nullopt;
  }
}

// Evaluates expressions with two operands, both of which are always evaluated.
Known of_two(const ProgramFacts& game, const model::Expr& e, Int x, Int y) {
  switch (e.kind) {
    case ExprKind::logical_and: return x && y;
    case ExprKind::logical_or: return x || y;
    case ExprKind::step:
      return y == kNone ? std::nullopt : Known(x == kNone ? kNone : board_of(game, e.type).next(x, y));
    case ExprKind::edge_of: return edge_of(game, e, x, y);
    case ExprKind::rotated: return rotated(game, e, x, y);
    case ExprKind::in_set: return x >= 0 && x <= model::kMostInSet && (y >> x & 1);
    default: return std::nullopt;
  }
}

}   // namespace

Known static_value(const ProgramFacts& game, const Names* names, const model::Expr& e, model::LocalId local,
                   Int element) {
  const auto arg = [&](std::size_t i) { return static_value(game, names, *e.args[i], local, element); };
  if (analysis::is_arithmetic(e.kind)) {   // a trap makes the result unknown, so that it occurs at run time
    const Known x = arg(0), y = e.args.size() > 1 ? arg(1) : Known(0);
    return x && y ? analysis::known(e.kind, *x, *y) : std::nullopt;
  }
  switch (e.kind) {
    case ExprKind::constant: return e.value;
    case ExprKind::unlimited: return kUnlimited;
    case ExprKind::local:
      return e.local == local && element >= 0 ? element : names ? names->constant(e.local) : Known();
    case ExprKind::conditional: {
      const Known condition = arg(0);
      return condition ? arg(*condition ? 1 : 2) : std::nullopt;
    }
    case ExprKind::in_bounds: {
      const Known x = e.type.kind == TypeKind::integer ? arg(0) : std::nullopt;
      return x && (*x == kNone || (*x >= e.type.lo && *x <= e.type.hi)) ? x : std::nullopt;
    }
    case ExprKind::or_else: {
      const Known x = arg(0);
      return x == kNone ? arg(1) : x;
    }
    case ExprKind::call_value:
    case ExprKind::call_function:
      if (e.args.size() != 1) return std::nullopt;
      break;
    case ExprKind::in_set: {
      const ExprKind set = view::in_set(e).set()->kind;
      const Known x = arg(0);
      if (x && set == ExprKind::set_constant) return in_constant_set(game, e, *x);
      if (!x || set != ExprKind::attribute) return std::nullopt;
      break;
    }
    case ExprKind::attribute:
    case ExprKind::number_of:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
    case ExprKind::logical_not:
    case ExprKind::logical_and:
    case ExprKind::logical_or:
    case ExprKind::is_none:
    case ExprKind::constant_of_part:
    case ExprKind::part_of_constant:
    case ExprKind::step:
    case ExprKind::edge_of:
    case ExprKind::rotated: break;
    default: return std::nullopt;
  }
  const Known x = arg(0);
  if (!x) return std::nullopt;
  if (e.args.size() == 1 || e.kind == ExprKind::counts_as || e.kind == ExprKind::attribute) return of_one(game, e, *x);
  const Known y = arg(1);
  return y ? of_two(game, e, *x, *y) : std::nullopt;
}

}   // namespace cardwright::plan
