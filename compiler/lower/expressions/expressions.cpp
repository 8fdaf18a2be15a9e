// Lowers expressions. The result of an expression is a register, which contains an int for scalars and masks, or a set
// of words (register_type).
#include "compiler/lower/expressions/expressions.h"

#include <algorithm>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/conditions.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/aggregates.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/expressions/inlined_calls.h"
#include "compiler/lower/expressions/list_values.h"
#include "compiler/lower/expressions/may.h"
#include "compiler/lower/expressions/supposing.h"
#include "compiler/lower/expressions/tables.h"
#include "compiler/lower/expressions/three_valued.h"
#include "compiler/lower/sets/attributes.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/sets/guesses.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/pieces.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/text/log.h"
#include "support/unreachable.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static Register value_of(const FunctionContext& code, const model::Expr& e);

// ---------------------------------------------------------------- conditions

void lower_condition(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const LocationGuard here(code);
  code.at(e.range);
  if (asking(code)) {
    if (reads(code, e)) return branch_asked(code, e, yes, no);
    return branch_on(code.unasked(), e, yes, no);
  }
  if (code.explains) return explain(code, e, yes, no);
  switch (e.kind) {
    case ExprKind::logical_not: branch_on(code, *view::logical_not(e).operand(), no, yes); return;
    case ExprKind::logical_and: {
      BlockIndex second = code.add_block();
      branch_on(code, *view::logical_and(e).left(), second, no);
      code.go_to(second);
      branch_on(code, *view::logical_and(e).right(), yes, no);
      return;
    }
    case ExprKind::logical_or: {
      BlockIndex second = code.add_block();
      branch_on(code, *view::logical_or(e).left(), yes, second);
      code.go_to(second);
      branch_on(code, *view::logical_or(e).right(), yes, no);
      return;
    }
    case ExprKind::constant: code.jump(e.value ? yes : no); return;
    case ExprKind::call_value:
    case ExprKind::call_function:
      if (!should_inline(code, e) || (code.hoist && !is_varying(code, e))) break;
      with_called(code, e,
                  [&](const FunctionContext& inner, const model::Expr& body) { branch_on(inner, body, yes, no); });
      return;
    default: break;
  }
  code.branch(expr(code, e), yes, no);
}

static Register conditional(const FunctionContext& code, const model::Expr& e) {
  const view::conditional its(e);
  Register result =
      code.make(is_wide(code.unit, e.type) || is_array(e.type) ? register_type(code.unit, e.type) : int_type(8));
  const auto take = [&](Register value) {
    if (is_array(e.type))
      code.effect(Op::list_copy, {result, value});
    else
      code.assign(result, value);
  };
  BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  branch_on(code, *its.condition(), yes, no);
  code.go_to(yes);
  take(expr(code, *its.then()));
  code.jump(after);
  code.go_to(no);
  take(expr(code, *its.otherwise()));
  code.jump(after);
  code.go_to(after);
  return result;
}

// ---------------------------------------------------------------- the switch

static Op operation_of(ExprKind kind) {
  switch (kind) {
#define ARITHMETIC(expression, operation) \
  case ExprKind::expression:              \
    return Op::operation;
#include "compiler/analysis/arithmetic.def"
#undef ARITHMETIC
    default: unreachable("arithmetic");
  }
}

// The operands of an operation. Some operations have only one.
struct Operands {
  explicit Operands(const model::Expr& e) : left(*e.args.front()), right(e.args.size() > 1 ? e.args.back() : nullptr) {}
  const model::Expr& left;
  const model::Expr* right;
};

static Register arithmetic(const FunctionContext& code, const model::Expr& e) {
  const Operands its(e);
  Register x = expr(code, its.left);
  Register left = x;
  if (its.right && !pure(code.unit, *its.right)) {
    left = code.make_int();
    code.assign(left, x);
  }
  Register y = its.right ? expr(code, *its.right) : ir::kNoRegister;
  if (e.kind == ExprKind::equal || e.kind == ExprKind::not_equal)
    need_distinguishable(code, its.left, left, *its.right, y);
  const bool truth = e.type.kind == TypeKind::boolean;
  std::vector<std::int64_t> operands{left};
  if (y != ir::kNoRegister) operands.push_back(y);
  const Register result = code.make_int(truth ? 1 : 8);
  code.put(operation_of(e.kind), result, std::move(operands));
  return result;
}

// Returns the only element of a set. Traps if the set is empty or has several elements.
static Register only_element(const FunctionContext& code, Register set, bool cards) {
  Register n = code.integer(cards ? Op::set_count : Op::mask_count, {set});
  BlockIndex good = code.add_block(), bad = code.add_block();
  code.branch(code.integer(Op::eq, {n, code.constant(1)}, 1), good, bad);
  code.go_to(bad);
  fail(code, Trap::not_exactly_one, About::count, n, n);
  code.go_to(good);
  return code.integer(cards ? Op::set_first : Op::mask_first, {set});
}

static Register set_operation(const FunctionContext& code, const model::Expr& e) {
  const Operands its(e);
  const model::Type& type = its.left.type.kind == TypeKind::set ? its.left.type : its.right->type;
  bool cards = is_wide(code.unit, type);
  const bool picks_best = e.kind == ExprKind::pick_first && cards && !its.right && its.left.kind == ExprKind::best;
  if (picks_best && !asking(code) && !code.unit.plain) return best(code, its.left, true);
  Register x = expr(code, its.left);
  Register y = its.right ? expr(code, *its.right) : ir::kNoRegister;
  auto mask_both = [&](Op op) { return code.integer(op, {x, y}); };
  if (e.kind != ExprKind::set_union && its.right) need_distinguishable(code, its.left, x, *its.right, y);
  if (asking(code) && cards && (e.kind == ExprKind::pick_first || e.kind == ExprKind::pick_last) &&
      !fact(code, its.left).named)
    need(code, code.integer(Op::or_,
                            {knows_all(code, x),
                             code.integer(Op::le_small, {code.integer(Op::set_count, {x}), code.constant(1)}, 1)},
                            1));
  const bool counts = e.kind == ExprKind::size || e.kind == ExprKind::pick_only;
  if (asking(code) && counts && holds_cards(type) && fact(code, its.left).is_mixed()) need(code, knows_all(code, x));
  switch (e.kind) {
    case ExprKind::set_equal: return cards ? code.integer(Op::set_equal, {x, y}, 1) : mask_both(Op::eq);
    case ExprKind::in_set: return cards ? code.integer(Op::set_has, {y, x}, 1) : code.integer(Op::mask_has, {y, x}, 1);
    case ExprKind::within:
      return cards ? code.integer(Op::set_within, {x, y}, 1)
                   : code.integer(Op::eq, {mask_both(Op::mask_without), code.constant(0)}, 1);
    case ExprKind::disjoint:
      return cards ? code.integer(Op::set_disjoint, {x, y}, 1)
                   : code.integer(Op::eq, {mask_both(Op::mask_and), code.constant(0)}, 1);
    case ExprKind::set_union: return cards ? code.set(Op::set_or, {x, y}) : mask_both(Op::mask_or);
    case ExprKind::set_minus: return cards ? code.set(Op::set_without, {x, y}) : mask_both(Op::mask_without);
    case ExprKind::set_and: return cards ? code.set(Op::set_and, {x, y}) : mask_both(Op::mask_and);
    case ExprKind::is_empty:
      return cards ? code.integer(Op::not_, {code.integer(Op::set_any, {x}, 1)}, 1)
                   : code.integer(Op::eq, {x, code.constant(0)}, 1);
    case ExprKind::size: return code.integer(cards ? Op::set_count : Op::mask_count, {x});
    case ExprKind::pick_first:
      return y != ir::kNoRegister ? code.integer(Op::mask_next, {x, y})
                                  : code.integer(cards ? Op::set_first : Op::mask_first, {x});
    case ExprKind::pick_last:   // searches downward from y - 1, and wraps around
      return y != ir::kNoRegister
                 ? code.integer(Op::mask_previous, {x, code.integer(Op::sub_small, {y, code.constant(1)})})
                 : code.integer(cards ? Op::set_last : Op::mask_last, {x});
    case ExprKind::pick_random: return code.integer(cards ? Op::set_random : Op::mask_random, {x});
    case ExprKind::pick_only: return only_element(code, x, cards);
    default: unreachable("an operation on sets");
  }
}

// Checks that a number, or each element of a set, list or table, is within the bounds of the type.
static Register in_bounds(const FunctionContext& code, const model::Expr& e) {
  const model::Expr& operand = *view::in_bounds(e).operand();
  const bool holds_many = e.type.kind != TypeKind::integer;
  const model::Type& number = holds_many ? *e.type.elem : e.type;
  const Int text = text_index(code.unit, e.text);
  const Register is = expr(code, operand);
  if (!is_array(e.type))
    return code.integer(holds_many ? Op::mask_in_range : Op::in_range, {is, number.lo, number.hi, text});
  code.effect(Op::each_in_range, {is, number.lo, number.hi, text});
  return is;
}

Register lower_expr(const FunctionContext& code, const model::Expr& e) {
  if (asking(code) && (code.asking.mode != Asking::Mode::sure || !reads(code, e))) return expr(code.unasked(), e);
  const LocationGuard here(code);
  const Register r = value_of(code, e);
  if (is_wide(code.unit, e.type) && e.type.elem->kind != TypeKind::card) code.holds_no_card(r);
  return r;
}

// ---------------------------------------------------------------- each kind

static Register constant(const FunctionContext& code, const model::Expr& e) {
  if (e.type.kind == TypeKind::card && e.value != kNone) return code.constant(code.unit.ids.of_card[e.value]);
  if (e.type.kind == TypeKind::text) return code.constant(text_index(code.unit, e.text));
  return code.constant(e.value);
}

static Register set_constant(const FunctionContext& code, const model::Expr& e) {
  if (!is_wide(code.unit, e.type)) return code.constant(constant_value(code.unit, e));
  if (e.type.elem->kind != TypeKind::card) return const_cards(code, e.values);
  std::vector<Int> ids;
  for (Int card : e.values) ids.push_back(code.unit.ids.of_card[card]);
  return const_cards(code, ids);
}

static Register local_value(const FunctionContext& code, const model::Expr& e) {
  const Register value = read_local(code, e.local);
  return is_wide(code.unit, e.type) && holds_cards(e.type) && !code.type(value).holds_card
             ? as_cards(code, value, *e.type.elem)
             : value;
}

// Reads a variable. In a string, an unset variable is not an error.
static Register variable(const FunctionContext& code, const model::Expr& e) {
  const model::Variable& v = code.model.variables[e.ref];
  need_value(code, e);
  if (e.type.kind == TypeKind::map) return load_table(code, e);
  Register index = flat_index(code, v, e.args, 0);
  if (v.type.kind == TypeKind::list)
    return load_list(code, code.unit.ids.variable[e.ref], index, register_type(code.unit, v.type));
  if (is_wide(code.unit, v.type)) return code.set(Op::load_set, {code.unit.ids.variable[e.ref], index});
  Register r = code.make(register_type(code.unit, v.type));
  const bool may_be_unset =
      code.writes_text && !code.unit.plain &&
      std::none_of(e.args.begin(), e.args.end(), [](const model::Expr* a) { return a->type.optional; });
  code.put(may_be_unset ? Op::load_raw : Op::load, r, {code.unit.ids.variable[e.ref], index});
  return r;
}

// Returns the cards of a zone. Reuses a hand that has already been read at this decision.
static Register cards_of_zone(const FunctionContext& code, const model::Expr& e) {
  if (code.cached_zone.cards != ir::kNoRegister && code.cached_zone.zone == e.ref && view::zone(e).owner() &&
      view::zone(e).owner()->kind == ExprKind::local &&
      read_local(code, view::zone(e).owner()->local) == code.cached_zone.player)
    return code.cached_zone.cards;
  return zone_set(code, e.ref, zone_instance(code, e.ref, view::zone(e).owner(), view::zone(e).copy()));
}

// In a string, requires that the top card is decided, or that the reader can't name the cards of the pile.
static void need_decided(const FunctionContext& code, const model::Expr& e, Register instance) {
  if (!asking(code) || !code.writes_text || code.unit.facts.always_ordered[e.ref]) return;
  const Register cards = code.set(Op::zone_cards, {instance});
  const Register decided =
      e.kind == ExprKind::zone_top
          ? code.integer(Op::ne, {code.integer(Op::zone_unchanged_top, {instance}), code.constant(kNone)}, 1)
          : code.constant(0);
  const Register nameless =
      code.integer(Op::not_, {code.integer(Op::set_any, {code.set(Op::set_known, {code.asking.player, cards})}, 1)}, 1);
  const Register single = code.integer(Op::le_small, {code.integer(Op::set_count, {cards}), code.constant(1)}, 1);
  need(code, code.integer(Op::or_, {code.integer(Op::or_, {decided, nameless}, 1), single}, 1));
}

// Returns the top or bottom card of a zone.
static Register end_of_zone(const FunctionContext& code, const model::Expr& e) {
  Register instance = zone_instance(code, e.ref, view::zone_place(e).owner(), view::zone_place(e).copy());
  need_decided(code, e, e.kind == ExprKind::zone_top ? top_instance(code, e.ref, instance) : instance);
  Register card = code.make(register_type(code.unit, simple(TypeKind::card)));
  if (e.kind == ExprKind::zone_top)
    code.put(code.unit.facts.always_ordered[e.ref] ? Op::zone_unchanged_top : Op::zone_top, card,
             {top_instance(code, e.ref, instance)});
  else
    code.put(Op::zone_bottom, card, {instance});
  return card;
}

// Returns the given number of cards from the top or bottom of a zone.
static Register several_of_zone(const FunctionContext& code, const model::Expr& e) {
  const view::zone_top_n its(e);
  Register instance = zone_instance(code, e.ref, its.owner(), its.copy());
  need_decided(code, e, instance);
  return code.set(its.at_bottom() ? Op::zone_bottom_n : Op::zone_top_n, {instance, expr(code, *its.count())});
}

static Register card_of_slot(const FunctionContext& code, const model::Expr& e) {
  Register instance = zone_instance(code, e.ref, view::card_of_slot(e).owner(), view::card_of_slot(e).copy());
  return code.integer(Op::set_first, {zone_set(code, e.ref, instance)});
}

static Register latency(const FunctionContext& code, const model::Expr& e) {
  const view::latency its(e);
  const Register who = expr(code, *its.whose()), a = expr(code, *its.first()), c = expr(code, *its.second());
  switch (its.distribution()) {
    case model::Distribution::uniform: return code.integer(Op::latency_uniform, {who, a, c});
    case model::Distribution::spread: return code.integer(Op::latency_spread, {who, a, c});
    case model::Distribution::normal: return code.integer(Op::latency_normal, {who, a, c});
  }
  unreachable("latency distribution");
}

static Register timer_running(const FunctionContext& code, const model::Expr& e) {
  if (!code.program.race) return code.constant(0);
  const Register at =
      load_raw(code, code.unit.ids.timer[e.ref],
               !e.args.empty() && view::timer_running(e).owner() ? expr(code, *view::timer_running(e).owner())
                                                                 : ir::kNoRegister);
  return code.integer(Op::ne, {at, code.constant(kNone)}, 1);
}

static Register printed_kind(const FunctionContext& code, const model::Expr& e) {
  std::vector<Int> kinds;
  for (Int card : code.unit.ids.card) kinds.push_back(card < 0 ? kNone : Int(code.model.cards[card].kind.index));
  return code.integer(Op::table, {table_index(code.unit, std::move(kinds)), card_seen(code, *view::kind_of(e).card())});
}

static Register number_of(const FunctionContext& code, const model::Expr& e) {
  std::vector<Int> numbers;
  for (const model::EnumConst& c : code.model.enums[view::number_of(e).element()->type.ref].constants)
    numbers.push_back(c.number);
  return code.integer(Op::table,
                      {table_index(code.unit, std::move(numbers)), expr(code, *view::number_of(e).element())});
}

static Register or_else(const FunctionContext& code, const model::Expr& e) {
  bool set = is_wide(code.unit, e.type);
  Register result = code.make(set ? register_type(code.unit, e.type) : int_type(8));
  code.assign(result, expr(code, *view::or_else(e).first()));
  BlockIndex other = code.add_block(), after = code.add_block();
  if (set)
    code.branch(code.integer(Op::set_any, {result}, 1), after, other);
  else
    code.branch(code.integer(Op::eq, {result, code.constant(is_mask(code.unit, e.type) ? 0 : kNone)}, 1), other, after);
  code.go_to(other);
  code.assign(result, expr(code, *view::or_else(e).otherwise()));
  code.jump(after);
  code.go_to(after);
  return result;
}

static Register seats_between(const FunctionContext& code, const model::Expr& e) {
  Register from = expr(code, *view::steps(e).from());
  return code.integer(Op::steps, {from, expr(code, *view::steps(e).to())});
}

// Looks up the mask of a team's players in a table.
static Register team_players(const FunctionContext& code, const model::Expr& e) {
  std::vector<Int> players{0};
  for (std::size_t seat = 0; seat < code.model.teams.size(); ++seat) {
    if (std::size_t(code.model.teams[seat]) >= players.size()) players.resize(std::size_t(code.model.teams[seat]) + 1);
    players[std::size_t(code.model.teams[seat])] |= Int{1} << seat;
  }
  return code.integer(Op::table,
                      {table_index(code.unit, std::move(players)), expr(code, *view::team_players(e).team())}, 4);
}

// Lowers a call of a value or function. The call is inlined, emitted as a call, or evaluated once per loop.
static Register called(const FunctionContext& code, const model::Expr& e) {
  if (e.kind == ExprKind::call_function && is_inlined(code, e.ref)) return inline_call(code, e);
  const auto work = [&] {
    if (e.kind == ExprKind::call_value && is_array(e.type)) return inline_value(code, e);
    if (asking(code) && !should_inline(code, e)) return call_asked(code, e);
    if (!should_inline(code, e))
      return call_with_exprs(
          code, e.kind == ExprKind::call_value ? code.unit.functions.value[e.ref] : code.unit.functions.function[e.ref],
          e.args);
    Register result = code.make(register_type(code.unit, e.type));
    with_called(code, e,
                [&](const FunctionContext& inner, const model::Expr& body) { code.assign(result, expr(inner, body)); });
    return result;
  };
  return code.hoist && !is_array(e.type) && !is_varying(code, e) ? hoisted(code, e, work) : work();
}

static Register rotated(const FunctionContext& code, const model::Expr& e) {
  Register turned =
      code.integer(Op::add, {expr(code, *view::rotated(e).direction()), expr(code, *view::rotated(e).eighths())});
  return code.integer(Op::mod, {turned, code.constant(board_with(code.unit, e.type).directions())}, 1);
}

static Register knows(const FunctionContext& code, const model::Expr& e) {
  const bool is_local = view::knows(e).what()->kind == ExprKind::local;
  if (const auto known =
          is_local ? known_where_taken(code, view::knows(e).what()->local, *view::knows(e).who()) : std::nullopt)
    return code.integer(Op::set_has, {*known, expr(code, *view::knows(e).what())}, 1);
  Register who = expr(code, *view::knows(e).who());
  return is_wide(code.unit, view::knows(e).what()->type)
             ? code.integer(Op::knows_cards, {who, expr(code, *view::knows(e).what())}, 1)
             : code.integer(Op::knows_card, {who, expr(code, *view::knows(e).what())}, 1);
}

static Register knows_top(const FunctionContext& code, const model::Expr& e) {
  Register who = expr(code, *view::knows_top(e).who());
  Register instance = zone_instance(code, e.ref, view::knows_top(e).owner(), view::knows_top(e).copy());
  return code.integer(Op::knows_top, {who, instance}, 1);
}

static Register element_at(const FunctionContext& code, const model::Expr& e) {
  const view::element_at its(e);
  if (its.of()->type.kind == TypeKind::map) return entry_of(code, e);
  if (is_printed_table(*its.of())) return printed_entry(code, e);
  if (is_plain_list(code.unit, *its.of()) && pure(code.unit, *its.indices(0)))
    return state_list(code, Op::list_at, *its.of(), its.indices(0));
  Register list = expr(code, *its.of());
  Register index = expr(code, *its.indices(0));
  BlockIndex good = code.add_block(), bad = code.add_block();
  Register length = length_of(code, list);
  Register inside = code.integer(
      Op::and_, {code.integer(Op::le, {code.constant(0), index}, 1), code.integer(Op::lt, {index, length}, 1)}, 1);
  code.branch(inside, good, bad);
  code.go_to(bad);
  fail(code, Trap::bad_index, About::place, index, length);
  code.go_to(good);
  return element_of(code, list, its.of()->type, index);
}

static Register list_literal(const FunctionContext& code, const model::Expr& e) {
  model::Type type = e.type;
  type.most = std::max<Int>(Int(e.args.size()), type.most);
  Register list = code.make(list_register(code.unit, type));
  code.effect(Op::array_fill, {list, code.constant(0)});
  if (!holds_ints(code.unit, type)) {
    for (const model::Expr* a : e.args) add_element(code, list, type, expr(code, *a));
    return list;
  }
  code.effect(Op::array_set, {list, code.constant(0), code.constant(Int(e.args.size()))});
  for (std::size_t i = 0; i < e.args.size(); ++i)
    code.effect(Op::array_set, {list, code.constant(Int(i) + 1), expr(code, *e.args[i])});
  return list;
}

static Register part_of(const FunctionContext& code, const model::Expr& e) {
  std::vector<Int> parts(static_cast<std::size_t>(code.program.layout.instances), kNone);
  const ZoneSlot& slot = code.program.zones[e.ref];
  for (Int i = 0; i < slot.copies; ++i) parts[static_cast<std::size_t>(slot.first + i)] = i + 1;
  return code.integer(Op::table, {table_index(code.unit, std::move(parts)), zone_of(code, *view::part_of(e).card())});
}

static Register part_owner(const FunctionContext& code, const model::Expr& e) {
  std::vector<Int> owners{kNone};
  for (Int p = 0; p < code.model.players; ++p) owners.insert(owners.end(), static_cast<std::size_t>(e.value), p);
  return code.integer(Op::table, {table_index(code.unit, std::move(owners)), expr(code, *view::part_owner(e).part())},
                      1);
}

// Returns the n-th part of an owner's area.
static Register part_at(const FunctionContext& code, const model::Expr& e) {
  std::vector<Int> before;
  for (Int p = 0; p < code.model.players; ++p) before.push_back(p * e.value + 1);
  const Register first =
      code.integer(Op::table, {table_index(code.unit, std::move(before)), expr(code, *view::part_at(e).owner())});
  if (!code.unit.plain && zero_based(e)) return first;
  return code.integer(Op::add,
                      {first, code.integer(Op::place_in, {expr(code, *view::part_at(e).number()), 1, e.value})},
                      register_type(code.unit, e.type).bytes);
}

// Returns the set of all parts of an owner's area.
static Register parts_of(const FunctionContext& code, const model::Expr& e) {
  if (is_wide(code.unit, e.type)) {
    const auto words = static_cast<std::size_t>(code.program.layout.words);
    std::vector<Int> sets(words * static_cast<std::size_t>(code.model.players));
    for (Int part = 0; part < code.model.players * e.value; ++part)
      sets[words * static_cast<std::size_t>(part / e.value) + static_cast<std::size_t>(part + 1) / 64] |=
          static_cast<Int>(Word{1} << (part + 1) % 64);
    return code.set(Op::set_table, {table_index(code.unit, std::move(sets)), expr(code, *view::parts_of(e).owner())});
  }
  std::vector<Int> masks;
  for (Int p = 0; p < code.model.players; ++p) masks.push_back(((Int{1} << e.value) - 1) << (p * e.value + 1));
  return code.integer(Op::table, {table_index(code.unit, std::move(masks)), expr(code, *view::parts_of(e).owner())});
}

// Tests whether a card is face-up or face-down. The card's zone instance determines its side.
static Register faces(const FunctionContext& code, const model::Expr& e) {
  const view::faces its(e);
  std::vector<Int> shown;
  for (Int i = 0; i < code.program.layout.instances; ++i)
    shown.push_back((code.program.layout.instance[i].visible != 0) == its.up());
  return code.integer(Op::table, {table_index(code.unit, std::move(shown)), zone_of(code, *its.card())}, 1);
}

static Register value_of(const FunctionContext& code, const model::Expr& e) {
  code.at(e.range);
  switch (e.kind) {
    case ExprKind::constant: return constant(code, e);
    case ExprKind::unlimited: return code.constant(kUnlimited);
    case ExprKind::text: return inner_text(code, e);
    case ExprKind::set_constant: return set_constant(code, e);
    case ExprKind::local: return local_value(code, e);
    case ExprKind::variable: return variable(code, e);
    case ExprKind::window_field:
      return asking(code) ? unknown_value(code, e)
                          : scratch_value(code, code.unit.variables.window_field.at({e.ref, e.value}));
    case ExprKind::event_field:
      return asking(code) ? unknown_value(code, e)
                          : scratch_value(code, code.unit.variables.event_field.at({e.ref, e.value}));
    case ExprKind::zone: return cards_of_zone(code, e);
    case ExprKind::zone_top:
    case ExprKind::zone_bottom: return end_of_zone(code, e);
    case ExprKind::zone_top_n: return several_of_zone(code, e);
    case ExprKind::card_of_slot: return card_of_slot(code, e);
    case ExprKind::latency: return latency(code, e);
    case ExprKind::at_first:
      return code.integer(
          Op::not_,
          {code.integer(Op::mask_has, {load_raw(code, code.unit.race.asked), expr(code, *view::at_first(e).player())},
                        1)},
          1);
    case ExprKind::timer_running: return timer_running(code, e);
    case ExprKind::race_clock:
      if (!code.program.race) return code.constant(0);
      return code.integer(Op::select, {load_raw(code, code.program.race->open), load_raw(code, code.program.race->time),
                                       code.constant(0)});
    case ExprKind::race_busy:
      if (!code.program.race) return code.constant(0);
      return code.integer(
          Op::max, {code.constant(0), code.integer(Op::sub_small, {load_raw(code, code.program.race->free,
                                                                            expr(code, *view::race_busy(e).player())),
                                                                   load_raw(code, code.program.race->time)})});
    case ExprKind::attribute: return attribute(code, e);
    case ExprKind::kind_of: return printed_kind(code, e);
    case ExprKind::number_of: return number_of(code, e);
    case ExprKind::counts_as: return counts_as(code, e);
    case ExprKind::logical_not: return code.integer(Op::not_, {expr(code, *view::logical_not(e).operand())}, 1);
    case ExprKind::logical_and:
    case ExprKind::logical_or: return condition_value(code, e);
#define ARITHMETIC(expression, operation) case ExprKind::expression:
#include "compiler/analysis/arithmetic.def"
#undef ARITHMETIC
      return arithmetic(code, e);
    case ExprKind::set_equal:
    case ExprKind::in_set:
    case ExprKind::within:
    case ExprKind::disjoint:
    case ExprKind::set_union:
    case ExprKind::set_minus:
    case ExprKind::set_and:
    case ExprKind::is_empty:
    case ExprKind::size:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::pick_random: return set_operation(code, e);
    case ExprKind::set_of_one:
      return is_wide(code.unit, e.type) ? code.set(Op::set_of, {expr(code, *view::set_of_one(e).element())})
                                        : code.integer(Op::mask_of, {expr(code, *view::set_of_one(e).element())});
    case ExprKind::conditional: return conditional(code, e);
    case ExprKind::or_else: return or_else(code, e);
    case ExprKind::is_none:
      return code.integer(Op::eq, {expr(code, *view::is_none(e).operand()), code.constant(kNone)}, 1);
    case ExprKind::exists: return exists(code, e);
    case ExprKind::set_list: return list_value(code, e);
    case ExprKind::listed_set: return listed_set(code, e);
    case ExprKind::filter: return filter(code, e);
    case ExprKind::aggregate: return aggregate(code, e);
    case ExprKind::best: return best(code, e, false);
    case ExprKind::random_n:
      return code.set(Op::set_random_n, {expr(code, *view::random_n(e).set()), expr(code, *view::random_n(e).count())});
    case ExprKind::roll:
      return code.integer(Op::roll, {expr(code, *view::roll(e).lo()), expr(code, *view::roll(e).hi())});
    case ExprKind::players_in: return code.integer(Op::players_in, {}, 4);
    case ExprKind::everyone: return code.constant((Int{1} << code.model.players) - 1);
    case ExprKind::is_in_game:
      return code.integer(Op::mask_has,
                          {code.integer(Op::players_in, {}, 4), expr(code, *view::is_in_game(e).player())}, 1);
    case ExprKind::active_player: return code.integer(Op::load_raw, {code.unit.variables.active, code.constant(0)}, 1);
    case ExprKind::turn_number: return code.integer(Op::load_raw, {code.unit.variables.turn_number, code.constant(0)});
    case ExprKind::round_number:
      return code.integer(Op::load_raw, {code.unit.variables.round_number, code.constant(0)});
    case ExprKind::steps: return seats_between(code, e);
    case ExprKind::next_player: return code.integer(Op::next_in, {expr(code, *view::next_player(e).player())}, 1);
    case ExprKind::previous_player:
      return code.integer(Op::previous_in, {expr(code, *view::previous_player(e).player())}, 1);
    case ExprKind::team_of:
      return code.integer(Op::table, {table_index(code.unit, code.model.teams), expr(code, *view::team_of(e).player())},
                          1);
    case ExprKind::team_players: return team_players(code, e);
    case ExprKind::seat_of: return expr(code, *view::seat_of(e).player());
    case ExprKind::call_value:
    case ExprKind::call_function: return called(code, e);
    case ExprKind::cell_at: return cell_at(code, e);
    case ExprKind::step: return step(code, e);
    case ExprKind::footprint: return footprint(code, e);
    case ExprKind::fitting: return fitting(code, e);
    case ExprKind::constant_of_part:
      return code.integer(Op::sub, {expr(code, *view::constant_of_part(e).part()), code.constant(1)}, 2);
    case ExprKind::part_of_constant:
      return code.integer(Op::add, {expr(code, *view::part_of_constant(e).element()), code.constant(1)},
                          register_type(code.unit, e.type).bytes);
    case ExprKind::shift_by: return shift_by(code, e);
    case ExprKind::edge_of: return edge_of(code, e);
    case ExprKind::cells_beside: return cells_beside(code, e);
    case ExprKind::shift:
      return shift(code, expr(code, *view::shift(e).cells()), board_of(code.unit, *e.type.elem),
                   *view::shift(e).direction(), false);
    case ExprKind::rotated: return rotated(code, e);
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed: return taken(code, e, happened(code, e));
    case ExprKind::may: return may(code, e);
    case ExprKind::knows: return knows(code, e);
    case ExprKind::knows_top: return knows_top(code, e);
    case ExprKind::pool_values:
      return asking(code) ? unknown_value(code, e) : code.integer(Op::pool_mask, {code.unit.ids.pool[e.ref]});
    case ExprKind::element_at: return element_at(code, e);
    case ExprKind::list_literal: return list_literal(code, e);
    case ExprKind::list_of:
    case ExprKind::joined:
    case ExprKind::list_add:
    case ExprKind::list_drop:
    case ExprKind::list_as:
    case ExprKind::list_end:
    case ExprKind::list_equal:
    case ExprKind::in_list: return list_operation(code, e);
    case ExprKind::list_size:
      return is_plain_list(code.unit, *view::list_size(e).list())
                 ? state_list(code, Op::list_length, *view::list_size(e).list())
                 : length_of(code, expr(code, *view::list_size(e).list()));
    case ExprKind::window_left:
      return asking(code) ? unknown_value(code, e)
                          : scratch_value(code, code.unit.variables.window_left.at({e.ref, e.value}));
    case ExprKind::part_of: return part_of(code, e);
    case ExprKind::part_owner: return part_owner(code, e);
    case ExprKind::part_at: return part_at(code, e);
    case ExprKind::parts_of: return parts_of(code, e);
    case ExprKind::faces: return faces(code, e);
    case ExprKind::during_event:
      return code.integer(
          Op::lt,
          {code.constant(0), code.integer(Op::load_raw, {code.unit.variables.event_depth.at(of_name(code.unit, e.ref)),
                                                         code.constant(0)})},
          1);
    case ExprKind::during_window:
      return code.integer(Op::lt,
                          {code.constant(0),
                           code.integer(Op::load_raw, {code.unit.variables.window_depth.at(e.ref), code.constant(0)})},
                          1);
    case ExprKind::play_is_over:
      return code.integer(Op::load_raw, {code.unit.variables.play_over, code.constant(0)}, 1);
    case ExprKind::supposing: return asking(code) ? unknown_value(code, e) : supposing(code, e);
    case ExprKind::in_bounds: return in_bounds(code, e);
    case ExprKind::numbers:
      return number_mask(code, expr(code, *view::numbers(e).lo()), expr(code, *view::numbers(e).hi()));
    case ExprKind::subsets:   // evaluated only in loops and at compile time
    case ExprKind::record:
    case ExprKind::poison:   // models with errors are not lowered
      return code.constant(0);
  }
  return code.constant(0);
}

}   // namespace cardwright::lower
