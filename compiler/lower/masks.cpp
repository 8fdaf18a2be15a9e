// Conditions over cards and cells as algebra of sets, so that `where` needs no loop: what is printed on cards is known
// when compiling.
#include "compiler/lower/masks.h"

#include <algorithm>
#include <map>

#include "compiler/analysis/constants.h"
#include "compiler/lower/asked.h"
#include "compiler/lower/boards.h"
#include "compiler/lower/constants.h"
#include "compiler/lower/elements.h"
#include "compiler/lower/events.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/kept.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/offers.h"
#include "compiler/lower/sets.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static std::optional<Register> set_where_all(const FunctionContext& code, const model::Expr& condition,
                                             model::LocalId local, Register domain);
static std::optional<Register> set_where_it_stands(const FunctionContext& code, const model::Expr& condition,
                                                   model::LocalId local, Register domain);
static bool may_be_outside(const ProgramContext& unit, const model::Expr& entry);

// The one expression that a value or function is, if no rule bends it.
const model::Expr* plain_body(const ProgramContext& unit, const model::Expr& call) {
  return call.kind == ExprKind::call_value && kept(unit, call.ref) ? nullptr : said_body(unit, call);
}

const model::Expr* said_body(const ProgramContext& unit, const model::Expr& call) {
  if (call.kind == ExprKind::call_function) {
    const model::Block& body = unit.model.functions[call.ref].body.block;
    if (unit.model.functions[call.ref].recursive) return nullptr;
    const bool one = body.size() == 1 && body[0]->kind == model::StmtKind::return_value && body[0]->exprs.size() == 1;
    return one ? body[0]->exprs[0] : nullptr;
  }
  const model::Value& value = unit.model.values[call.ref];
  return !possible_rules(unit, value).empty() || value.at_least || value.at_most ? nullptr : value.base;
}

// What an expression is for one card or cell, where that alone decides it.
std::optional<Int> static_value(const ProgramContext& unit, const Env* env, const model::Expr& e, model::LocalId local,
                                Int card) {
  auto arg = [&](std::size_t i) { return static_value(unit, env, *e.args[i], local, card); };
  auto binary = [&](auto&& f) -> std::optional<Int> {
    auto x = arg(0), y = arg(1);
    if (!x || !y) return std::nullopt;
    return f(*x, *y);
  };
  if (analysis::is_arithmetic(e.kind)) {   // what would be a trap is left for the game
    const auto x = arg(0), y = e.args.size() > 1 ? arg(1) : std::optional<Int>(0);
    return x && y ? analysis::known(e.kind, *x, *y) : std::nullopt;
  }
  switch (e.kind) {
    case ExprKind::constant: return e.value;
    case ExprKind::unlimited: return kUnlimited;
    case ExprKind::local:
      if (e.local == local && card >= 0) return card;
      if (env && e.local.index < env->places.size() && env->places[e.local.index].kind == Place::Kind::constant)
        return env->places[e.local.index].value;
      return std::nullopt;
    case ExprKind::attribute: {
      auto of = arg(0);
      if (!of) return std::nullopt;
      if (*of == kNone) return is_mask(unit, e.type) ? 0 : kNone;
      if (view::attribute(e).of()->type.kind == TypeKind::card)
        return unit.model.cards[unit.ids.card[*of]].attributes[e.ref];
      const model::Enum& en = unit.model.enums[view::attribute(e).of()->type.ref];
      for (std::size_t i = 0; i < en.attributes.size(); ++i)
        if (en.attributes[i].index == e.ref) return en.constants[*of].attributes[i];
      return std::nullopt;
    }
    case ExprKind::number_of: {
      auto of = arg(0);
      if (!of) return std::nullopt;
      return *of == kNone ? kNone : unit.model.enums[view::number_of(e).element()->type.ref].constants[*of].number;
    }
    case ExprKind::kind_of: {
      auto of = arg(0);
      if (!of || *of == kNone) return of;
      return Int(unit.model.cards[unit.ids.card[*of]].kind.index);
    }
    case ExprKind::counts_as: {
      for (const model::Also& also : unit.model.alsos)
        if (std::find(e.values.begin(), e.values.end(), Int(also.counts_as.index)) != e.values.end())
          return std::nullopt;
      auto of = arg(0);
      if (!of) return std::nullopt;
      if (*of == kNone) return 0;
      Int kind = unit.model.cards[unit.ids.card[*of]].kind.index;
      return std::find(e.values.begin(), e.values.end(), kind) != e.values.end();
    }
    case ExprKind::logical_not: {
      auto x = arg(0);
      return x ? std::optional<Int>(!*x) : std::nullopt;
    }
    case ExprKind::logical_and: return binary([](Int x, Int y) { return x && y; });
    case ExprKind::logical_or: return binary([](Int x, Int y) { return x || y; });
    case ExprKind::is_none: {
      auto x = arg(0);
      return x ? std::optional<Int>(*x == kNone) : std::nullopt;
    }
    case ExprKind::constant_of_part:
    case ExprKind::part_of_constant: {
      auto of = arg(0);
      if (!of || *of == kNone) return of;
      return *of + (e.kind == ExprKind::part_of_constant ? 1 : -1);
    }
    case ExprKind::step: {
      auto of = arg(0), by = arg(1);
      if (!of || !by || *by == kNone) return std::nullopt;
      return *of == kNone ? kNone : board_of(unit, e.type).next(*of, *by);
    }
    case ExprKind::edge_of: {
      const auto cell = arg(0), way = arg(1);
      const Int edge = cell && way && *cell != kNone && *way != kNone
                           ? board_of(unit, view::edge_of(e).cell()->type).border(*cell, *way)
                           : kNone;
      return edge == kNone ? std::nullopt : std::optional(edge);
    }
    case ExprKind::rotated: {
      const auto d = arg(0), n = arg(1);
      const auto turned = d && n ? analysis::known(ExprKind::add, *d, *n) : std::nullopt;
      return turned ? analysis::known(ExprKind::modulo, *turned, board_with(unit, e.type).directions()) : std::nullopt;
    }
    case ExprKind::conditional: {
      auto c = arg(0);
      if (!c) return std::nullopt;
      return arg(*c ? 1 : 2);
    }
    case ExprKind::or_else: {
      auto x = arg(0);
      if (!x) return std::nullopt;
      return *x == kNone ? arg(1) : x;
    }
    case ExprKind::in_set: {
      auto x = arg(0);
      if (x && view::in_set(e).set()->kind == ExprKind::attribute) {
        const auto mask = arg(1);
        return mask ? std::optional<Int>(*x >= 0 && *x <= model::kMostInSet && (*mask >> *x & 1)) : std::nullopt;
      }
      if (!x || view::in_set(e).set()->kind != ExprKind::set_constant) return std::nullopt;
      const auto& of = view::in_set(e).set()->values;
      if (view::in_set(e).element()->type.kind == TypeKind::card && *x != kNone) {
        return std::find_if(of.begin(), of.end(), [&](Int c) { return unit.ids.of_card[c] == *x; }) != of.end();
      }
      return std::find(of.begin(), of.end(), *x) != of.end();
    }
    case ExprKind::call_value:
    case ExprKind::call_function: {   // of one card or number
      const model::Expr* body = plain_body(unit, e);
      const auto& parameters =
          e.kind == ExprKind::call_value ? unit.model.values[e.ref].parameters : unit.model.functions[e.ref].parameters;
      if (!body || e.args.size() != 1 || parameters.size() != 1) return std::nullopt;
      auto x = arg(0);
      return x && *x >= 0 ? static_value(unit, nullptr, *body, parameters[0].local, *x) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

// Reading it can trap, but it never gives none.
bool is_never_none(const ProgramContext& unit, const model::Expr& e) {
  if (e.type.optional) return false;
  switch (e.kind) {
    case ExprKind::variable:
    case ExprKind::size: return true;
    case ExprKind::constant: return e.value != kNone;
    // of none they trap
    case ExprKind::add:
    case ExprKind::subtract:
    case ExprKind::multiply:
    case ExprKind::divide:
    case ExprKind::modulo: return true;
    case ExprKind::conditional:
      return is_never_none(unit, *view::conditional(e).then()) &&
             is_never_none(unit, *view::conditional(e).otherwise());
    case ExprKind::call_value: {   // whatever bends it
      const model::Value& value = unit.model.values[e.ref];
      const auto is_plain = [&](const model::Expr* x) {
        return x && x->kind != ExprKind::call_value && is_never_none(unit, *x);
      };
      return is_plain(value.base) && std::all_of(value.modifiers.begin(), value.modifiers.end(),
                                                 [&](const model::Modifier& m) { return is_plain(m.amount); });
    }
    default: return false;
  }
}

// The cards for which `holds(what is printed, value)`, where values[index] is the value.
static Register cards_by(const FunctionContext& code, const std::vector<std::optional<Int>>& printed,
                         const std::vector<Int>& values, Register index,
                         const std::function<bool(Int printed, Int value)>& holds) {
  std::vector<Int> words;
  for (const Int value : values)
    for (std::size_t w = 0; w < static_cast<std::size_t>(code.program.layout.words); ++w) {
      Word cards = 0;
      for (std::size_t id = 64 * w; id < std::min(printed.size(), 64 * (w + 1)); ++id)
        if (printed[id] && holds(*printed[id], value)) cards |= Word{1} << (id & 63);
      words.push_back(static_cast<Int>(cards));
    }
  return code.set(Op::set_table, {table_index(code.unit, std::move(words)), index});
}

// The cards on which stands what stands on another one.
static std::optional<Register> same_as_card(const FunctionContext& code, const model::Expr& of_card,
                                            model::LocalId local, const model::Expr& of_other) {
  std::vector<std::optional<Int>> printed(code.unit.ids.card.size());
  std::vector<Int> on_other(code.unit.ids.card.size(), kNone);   // no card is none of them
  for (std::size_t id = 0; id < code.unit.ids.card.size(); ++id) {
    if (code.unit.ids.card[id] < 0) continue;
    printed[id] = static_value(code.unit, code.environment, of_card, local, Int(id));
    if (!printed[id] || *printed[id] == kNone) return std::nullopt;
    on_other[id] = code.model.cards[code.unit.ids.card[id]].attributes[of_other.ref];
  }
  return cards_by(code, printed, on_other, expr(code, *of_other.args[0]), [](Int p, Int v) { return p == v; });
}

// `printed on the card` compared with something that is the same for all cards.
static std::optional<Register> compared_mask(const FunctionContext& code, const model::Expr& condition,
                                             model::LocalId local, Register domain) {
  const bool swapped = !mentions(*condition.args[0], local);
  const model::Expr& of_card = *condition.args[swapped ? 1 : 0];
  const model::Expr& other = *condition.args[swapped ? 0 : 1];
  const bool equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  const bool member = condition.kind == ExprKind::in_set;
  if (mentions(other, local) || !pure(code.unit, other) || (member && (swapped || is_wide(code.unit, other.type))))
    return std::nullopt;
  if (!member &&
      (other.type.kind == TypeKind::card || other.type.kind == TypeKind::set || other.type.kind == TypeKind::list))
    return std::nullopt;
  std::vector<std::optional<Int>> printed(code.unit.ids.card.size());
  Int lo = kUnlimited, hi = -kUnlimited;
  bool some_none = false;
  for (std::size_t id = 0; id < code.unit.ids.card.size(); ++id) {
    if (code.unit.ids.card[id] < 0) continue;
    printed[id] = static_value(code.unit, code.environment, of_card, local, Int(id));
    if (!printed[id]) return std::nullopt;
    if (*printed[id] == kNone) {
      some_none = true;
      continue;
    }
    lo = std::min(lo, *printed[id]);
    hi = std::max(hi, *printed[id]);
  }
  constexpr Int kMostValues = 64;
  if (lo > hi || hi - lo >= kMostValues) return std::nullopt;
  if (member) {   // one test for each value
    if (hi - lo >= 16) return std::nullopt;
    const Register wanted = expr(code, other);
    Register found = code.set(Op::set_empty, {});
    for (Int value = lo; value <= hi; ++value) {
      std::vector<Int> cards;
      for (std::size_t id = 0; id < printed.size(); ++id)
        if (printed[id] == value) cards.push_back(Int(id));
      if (cards.empty()) continue;
      const Register has = code.integer(Op::mask_has, {wanted, code.constant(value)}, 1);
      found = code.set(Op::set_or,
                       {found, code.set(Op::set_select, {has, const_cards(code, cards), code.set(Op::set_empty, {})})});
    }
    return code.set(Op::set_and, {domain, found});
  }
  // None is equal to none, and can't be compared by size.
  const bool sure = is_never_none(code.unit, other);
  if (!sure && (some_none || !equality)) return std::nullopt;
  if (!equality && some_none) return std::nullopt;
  if (equality && other.kind == ExprKind::attribute && view::attribute(other).of()->type.kind == TypeKind::card)
    if (auto same = same_as_card(code, of_card, local, other))
      return code.set(condition.kind == ExprKind::equal ? Op::set_and : Op::set_without, {domain, *same});
  const Register y = expr(code, other);
  Register index = y;
  if (sure && other.kind == ExprKind::variable && other.type.kind == TypeKind::enumeration) {
    lo = 0;
    hi = bounds(code.unit, other.type).hi;
  } else if (equality && lo >= 0) {
    lo = 0;   // what the table doesn't reach is printed nowhere
  } else {   // beyond what is printed anywhere, all are alike
    --lo;
    ++hi;
    index = code.integer(Op::min, {code.integer(Op::max, {y, code.constant(lo)}), code.constant(hi)});
  }
  if (lo != 0) index = code.integer(Op::sub_small, {index, code.constant(lo)});
  std::vector<Int> values;
  for (Int value = lo; value <= hi; ++value) values.push_back(value);
  switch (condition.kind) {
    case ExprKind::equal:
      return code.set(Op::set_and,
                      {domain, cards_by(code, printed, values, index, [](Int p, Int v) { return p == v; })});
    case ExprKind::not_equal:
      return code.set(Op::set_without,
                      {domain, cards_by(code, printed, values, index, [](Int p, Int v) { return p == v; })});
    case ExprKind::less:
      return code.set(Op::set_and, {domain, cards_by(code, printed, values, index,
                                                     [=](Int p, Int v) { return swapped ? v < p : p < v; })});
    default:
      return code.set(Op::set_and, {domain, cards_by(code, printed, values, index,
                                                     [=](Int p, Int v) { return swapped ? v <= p : p <= v; })});
  }
}

// A condition that a plain value or function states, as if it stood here.
static std::optional<Register> called_mask(const FunctionContext& code, const model::Expr& call, model::LocalId local,
                                           Register domain) {
  const model::Expr* body = plain_body(code.unit, call);
  const bool is_value = call.kind == ExprKind::call_value;
  if (!body) return std::nullopt;
  const model::Body& locals = is_value ? code.model.values[call.ref].body : code.model.functions[call.ref].body;
  const auto& parameters =
      is_value ? code.model.values[call.ref].parameters : code.model.functions[call.ref].parameters;
  if (parameters.size() != call.args.size()) return std::nullopt;
  model::LocalId inside;
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    arguments.push_back(ir::kNoRegister);
    if (!a) return std::nullopt;
    if (!mentions(*a, local)) {
      if (!pure(code.unit, *a)) return std::nullopt;
      continue;
    }
    if (a->kind != ExprKind::local || inside.valid()) return std::nullopt;
    inside = parameters[arguments.size() - 1].local;
  }
  if (!inside.valid()) return std::nullopt;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!mentions(*call.args[i], local)) arguments[i] = expr(code, *call.args[i]);
  Env inner;
  bind_locals(inner, locals);
  const FunctionContext called = code.in(inner);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] != ir::kNoRegister) bind(called, parameters[i].local, arguments[i]);
  return set_where(called, *body, inside, domain);
}

std::optional<Register> set_where(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                  Register domain) {
  const bool cards = code.type(domain).holds_card;
  const std::size_t count =
      cards ? code.unit.ids.card.size()
            : code.model.enums[code.environment->body->locals[local.index].type.ref].constants.size();
  std::vector<Int> yes;
  bool fixed = true;
  for (std::size_t id = 0; id < count && fixed; ++id) {
    if (cards && code.unit.ids.card[id] < 0) continue;
    auto v = static_value(code.unit, code.environment, condition, local, Int(id));
    if (!v)
      fixed = false;
    else if (*v == 1)
      yes.push_back(Int(id));
  }
  if (fixed) {
    const Register left = code.set(Op::set_and, {domain, const_cards(code, yes)});
    if (cards) code.tell_among(left, yes, domain);
    return left;
  }
  const bool whole = condition.kind != ExprKind::logical_and && condition.kind != ExprKind::logical_or &&
                     condition.kind != ExprKind::logical_not;
  const auto found = whole && wants_something(code, condition)
                         ? if_any(code, domain, [&] { return set_where_all(code, condition, local, domain); })
                         : set_where_all(code, condition, local, domain);
  if (found) code.tell_within(*found, domain);
  return found;
}

// Nobody asks an empty set: where the condition needs something that may not be there, it is not looked at.
std::optional<Register> if_any(const FunctionContext& code, Register domain,
                               const std::function<std::optional<Register>()>& look) {
  const bool wide = code.type(domain).kind == ir::RegisterKind::set;
  Register found = code.make(code.type(domain));
  if (wide)
    code.put(Op::set_empty, found, {});
  else
    code.assign_constant(found, 0);
  BlockIndex some = code.add_block(), after = code.add_block();
  code.branch(wide ? code.integer(Op::set_any, {domain}, 1) : code.integer(Op::ne, {domain, code.constant(0)}, 1), some,
              after);
  code.go_to(some);
  const auto all = look();
  if (all) code.assign(found, *all);
  code.jump(after);
  code.go_to(after);
  return all ? std::optional(found) : std::nullopt;
}

// May it trap, for want of a player, a card, a number or an entry, or draw a card? Then a test may stand before it.
bool wants_something(const FunctionContext& code, const model::Expr& e, const model::Body* body) {
  const auto may_be_missing = [&](const model::Expr& x) {
    if (x.kind == ExprKind::local)
      return body && x.local.index < body->locals.size() && body->locals[x.local.index].type.optional;
    if (x.kind == ExprKind::variable)
      return code.model.variables[x.ref].type.optional || code.model.variables[x.ref].can_be_unset;
    if (x.kind == ExprKind::window_field)
      return code.environment->window != model::WindowId{x.ref};   // it may be closed
    return x.type.optional || x.kind == ExprKind::event_field;   // … or the event over
  };
  switch (e.kind) {
    // a look may draw the card
    case ExprKind::pick_only:
    case ExprKind::element_at:
    case ExprKind::zone_top_n: return true;
    case ExprKind::zone_top:
    case ExprKind::zone_bottom:
      if (!code.unit.facts.always_ordered[e.ref]) return true;
      break;
    case ExprKind::call_value:
    case ExprKind::call_function: {
      const model::Expr* said = plain_body(code.unit, e);
      const model::Body& inside =
          e.kind == ExprKind::call_value ? code.model.values[e.ref].body : code.model.functions[e.ref].body;
      if (!said || wants_something(code, *said, &inside) ||
          std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && may_be_missing(*a); }))
        return true;
      break;
    }
    case ExprKind::divide:
    case ExprKind::modulo:
      if (e.args[1]->kind != ExprKind::constant) return true;
      break;
    case ExprKind::is_none:
    case ExprKind::is_in_game:
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::in_set:
    case ExprKind::set_of_one:
    // at home with none
    case ExprKind::or_else:
    case ExprKind::step:
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::number_of: break;
    default:
      if (e.kind == ExprKind::variable && (code.model.variables[e.ref].can_be_unset || may_be_outside(code.unit, e)))
        return true;
      if (std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && may_be_missing(*a); }))
        return true;
  }
  return std::any_of(e.args.begin(), e.args.end(),
                     [&](const model::Expr* a) { return a && wants_something(code, *a, body); });
}

// `m[n]`, with a number that m may have no entry for. A whole table that is handed on has no `[n]`.
static bool may_be_outside(const ProgramContext& unit, const model::Expr& entry) {
  const model::Variable& variable = unit.model.variables[entry.ref];
  const std::size_t first = variable.per_player ? 1 : 0;
  for (std::size_t i = 0; i < variable.indices.size() && first + i < entry.args.size(); ++i) {
    const model::Expr* index = entry.args[first + i];
    const Bounds entries = bounds(unit, variable.indices[i]);
    if (index && index->type.kind == TypeKind::integer && (index->type.lo < entries.lo || index->type.hi > entries.hi))
      return true;
  }
  return false;
}

static std::optional<Register> set_where_all(const FunctionContext& code, const model::Expr& condition,
                                             model::LocalId local, Register domain) {
  const bool cards = code.type(domain).holds_card;
  const auto mark = code.mark();
  if (auto found = set_where_it_stands(code, condition, local, domain)) return found;
  code.back_to(mark);
  if (!mentions(condition, local)) return std::nullopt;
  if (condition.kind == ExprKind::exists) return set_where_exists(code, condition, local, domain);
  return cards ? cards_by_number(code, condition, local, domain) : std::nullopt;
}

// By what it is alone: algebra of sets.
static std::optional<Register> set_where_it_stands(const FunctionContext& code, const model::Expr& condition,
                                                   model::LocalId local, Register domain) {
  const bool cards = code.type(domain).holds_card;
  if (!cards)
    if (auto cells = cells_where(code, condition, local, domain)) return cells;
  switch (condition.kind) {
    case ExprKind::logical_and: {
      auto first = set_where(code, *view::logical_and(condition).left(), local, domain);
      return first ? set_where(code, *view::logical_and(condition).right(), local, *first) : std::nullopt;
    }
    case ExprKind::logical_or: {
      auto first = set_where(code, *view::logical_or(condition).left(), local, domain);
      if (!first) return std::nullopt;
      const bool rest_only = wants_something(code, *view::logical_or(condition).right());
      auto second = set_where(code, *view::logical_or(condition).right(), local,
                              rest_only ? code.set(Op::set_without, {domain, *first}) : domain);
      if (!second) return std::nullopt;
      return code.set(Op::set_or, {*first, *second});
    }
    case ExprKind::logical_not: {
      auto inner = set_where(code, *view::logical_not(condition).operand(), local, domain);
      if (!inner) return std::nullopt;
      return code.set(Op::set_without, {domain, *inner});
    }
    case ExprKind::counts_as: {
      const model::Expr& of = *view::counts_as(condition).card();
      if (of.kind != ExprKind::local || of.local != local) break;
      const model::Expr* holder = view::counts_as(condition).holder();
      if (holder && mentions(*holder, local)) break;
      Register printed =
          code.set(Op::set_and, {domain, const_cards(code, cards_of_kinds(code.unit, condition.values))});
      Register h = holder ? expr(code, *holder) : ir::kNoRegister;
      return code.set(Op::set_or, {printed, also_set(code, condition.values, domain, h)});
    }
    case ExprKind::in_set: {
      const model::Expr& of = *view::in_set(condition).element();
      if (!mentions(of, local) || mentions(*view::in_set(condition).set(), local)) break;
      if (of.kind == ExprKind::local)
        return code.set(Op::set_and, {domain, expr(code, *view::in_set(condition).set())});
      if (cards) return compared_mask(code, condition, local, domain);
      break;
    }
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::less:
    case ExprKind::less_equal: {
      if (mentions(*condition.args[0], local) == mentions(*condition.args[1], local)) break;
      const model::Expr* x = condition.args[0];
      const model::Expr* y = condition.args[1];
      if (mentions(*y, local)) std::swap(x, y);
      if (x->kind != ExprKind::local) {
        if (cards) return compared_mask(code, condition, local, domain);
        break;
      }
      // `after c`: by the order of ids
      if (condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal) break;
      Register one = code.make(code.type(domain));
      code.put(Op::set_of, one, {expr(code, *y)});
      return code.set(condition.kind == ExprKind::equal ? Op::set_and : Op::set_without, {domain, one});
    }
    case ExprKind::knows: {
      const model::Expr& of = *view::knows(condition).what();
      if (!cards || of.kind != ExprKind::local || of.local != local || mentions(*view::knows(condition).who(), local))
        break;
      if (const auto known = known_where_taken(code, local, *view::knows(condition).who()))
        return code.set(Op::set_and, {domain, *known});
      return code.set(Op::set_known, {expr(code, *view::knows(condition).who()), domain});
    }
    case ExprKind::call_value:
    case ExprKind::call_function:
      if (cards && mentions(condition, local)) return called_mask(code, condition, local, domain);
      break;
    default: break;
  }
  if (mentions(condition, local) || !pure(code.unit, condition)) return std::nullopt;
  Register holds = expr(code, condition);
  Register none = code.make(code.type(domain));
  code.put(Op::set_empty, none, {});
  return code.set(Op::set_select, {holds, domain, none});
}

std::vector<const model::Expr*> conjuncts(const model::Expr& condition) {
  if (condition.kind != ExprKind::logical_and) return {&condition};
  std::vector<const model::Expr*> parts = conjuncts(*condition.args[0]);
  for (const model::Expr* part : conjuncts(*condition.args[1])) parts.push_back(part);
  return parts;
}

// What is left of the domain by those of the first parts that need no loop; they are taken off.
Register narrowed(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  std::vector<const model::Expr*>& parts) {
  std::size_t done = 0;
  if (code.unit.plain) return domain;
  const bool masks = cards || (code.environment->body && local.index < code.environment->body->locals.size());
  for (; masks && done < parts.size(); ++done) {
    const auto mark = code.mark();
    if (asking(code) && reads(code, *parts[done])) {
      const auto mask = cards ? std::nullopt : elements_topped_as_known(code, *parts[done], local, domain);
      if (!mask) {
        code.back_to(mark);
        break;
      }
      domain = *mask;
      continue;
    }
    const FunctionContext unasked = code.unasked();
    const auto mask =
        cards ? set_where(unasked, *parts[done], local, domain) : element_mask(unasked, *parts[done], local, domain);
    if (!mask) {
      code.back_to(mark);
      break;
    }
    domain = *mask;
  }
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(done));
  return domain;
}

// Of what is printed on cards: a sum is a count for each binary digit, the most and least a look for each number.
std::optional<Register> static_aggregate(const FunctionContext& code, const model::Expr& e, Register domain) {
  const view::aggregate its(e);
  constexpr Int kGreatest = 63;
  constexpr std::size_t kMostNumbers = 16;
  const bool cards_only = is_wide(code.unit, its.domain()->type) && its.domain()->type.elem->kind == TypeKind::card;
  if (code.unit.plain || e.value > 2 || !cards_only) return std::nullopt;
  std::map<Int, std::vector<Int>> cards;   // by number
  for (std::size_t id = 0; id < code.unit.ids.card.size(); ++id) {
    if (code.unit.ids.card[id] < 0) continue;
    const auto v = static_value(code.unit, code.environment, *its.body(), e.local, Int(id));
    if (!v || (e.value == 0 && (*v < 0 || *v > kGreatest))) return std::nullopt;
    cards[*v].push_back(Int(id));
  }
  const auto those = [&](const std::vector<Int>& ids) {
    return code.set(Op::set_and, {domain, const_cards(code, ids)});
  };
  Register total = code.make_int();
  if (e.value == 0) {
    code.assign_constant(total, 0);
    for (Int digit = 1; digit <= kGreatest; digit *= 2) {
      std::vector<Int> with;
      for (const auto& [number, ids] : cards)
        if (number & digit) with.insert(with.end(), ids.begin(), ids.end());
      if (with.empty()) continue;
      const Register count = code.integer(Op::set_count, {those(with)});
      code.put(Op::add_small, total, {total, code.integer(Op::mul_small, {count, code.constant(digit)})});
    }
    return total;
  }
  if (cards.size() > kMostNumbers || cards.contains(kNone)) return std::nullopt;
  code.assign_constant(total, kNone);
  const auto look = [&](Int number, const std::vector<Int>& ids) {
    code.put(Op::select, total, {code.integer(Op::set_any, {those(ids)}, 1), code.constant(number), total});
  };
  if (e.value == 1)
    for (const auto& [number, ids] : cards) look(number, ids);
  else
    for (auto it = cards.rbegin(); it != cards.rend(); ++it) look(it->first, it->second);
  return total;
}

}  // namespace cardwright::lower
