// Emits the IR code of plans that compute a number for every player at once.
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/plans/emit_plan.h"
#include "compiler/lower/rules/modifiers.h"
#include "runtime/ops/lanes.h"

namespace cardwright::lower {

using model::ExprKind;

namespace {

// A number for each player: the sum of the byte in the player's lane and of the number `beside`, which is the same for
// all players. The sum is limited to at least `floor` and at most `ceiling`. Registers that are not needed are
// kNoRegister.
struct Lanes {
  Register bytes = ir::kNoRegister;   // kNoRegister if the bytes have not been looked up yet
  Register beside = ir::kNoRegister, floor = ir::kNoRegister, ceiling = ir::kNoRegister;
  Register seat = ir::kNoRegister;
  const plan::SeatsOn* seats = nullptr;
};

Lanes lanes(const FunctionContext& code, const plan::LanesPlan& plan, const std::vector<Register>& arguments);

// Looks up the bytes. The table occupies 16 KB for eight players, but a game reads only the rows of player combinations
// that occur.
Register bytes_of(const FunctionContext& code, const Lanes& numbers) {
  if (numbers.bytes != ir::kNoRegister) return numbers.bytes;
  code.integer(Op::steps, {numbers.seat, numbers.seat});   // traps if there is no player
  const Register row =
      code.integer(Op::mul_small, {code.integer(Op::players_in, {}, 4), code.constant(code.model.players)});
  return code.integer(Op::table_known,
                      {table_index(code.unit, numbers.seats->lines), code.integer(Op::add_small, {row, numbers.seat})});
}

Lanes sum(const FunctionContext& code, const Lanes& a, const Lanes& c) {
  const auto added = [&](Register x, Register y) {
    return x == ir::kNoRegister ? y : y == ir::kNoRegister ? x : code.integer(Op::add, {x, y});
  };
  Lanes both;
  both.bytes = code.integer(Op::add_small, {bytes_of(code, a), bytes_of(code, c)});
  both.beside = added(a.beside, c.beside);
  return both;
}

// In these functions, `arguments` contains the arguments of the call whose value the modifiers change.
Lanes emit(const FunctionContext& code, const plan::SameForAll& plan, const std::vector<Register>&) {
  Lanes numbers;
  numbers.bytes = code.constant(0);
  numbers.beside = expr(code, *plan.number);
  return numbers;
}

Lanes emit(const FunctionContext& code, const plan::SeatsOn& plan, const std::vector<Register>&) {
  Lanes numbers;
  numbers.seat = expr(code, *plan.seat);
  numbers.seats = &plan;
  return numbers;
}

Lanes emit(const FunctionContext& code, const plan::LeastOf& plan, const std::vector<Register>& arguments) {
  const Lanes left = lanes(code, *plan.left, arguments), right = lanes(code, *plan.right, arguments);
  Lanes least;
  least.bytes = code.integer(Op::lanes_min, {bytes_of(code, left), bytes_of(code, right)});
  return least;
}

Lanes emit(const FunctionContext& code, const plan::SumOf& plan, const std::vector<Register>& arguments) {
  const Lanes left = lanes(code, *plan.left, arguments), right = lanes(code, *plan.right, arguments);
  return sum(code, left, right);
}

Lanes emit(const FunctionContext& code, const plan::CalledLanes& plan, const std::vector<Register>&) {
  const bool is_value = plan.call->kind == ExprKind::call_value;
  const std::uint32_t ref = plan.call->ref;
  const auto& parameters = is_value ? code.model.values[ref].parameters : code.model.functions[ref].parameters;
  const std::vector<Register> arguments = other_arguments(code, *plan.call, plan.element);
  Env names;
  bind_locals(names, is_value ? code.model.values[ref].body : code.model.functions[ref].body);
  const FunctionContext called = code.in(names).deeper();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i != plan.element) bind(called, parameters[i].local, arguments[i]);
  Lanes numbers = lanes(called, *plan.base, arguments);
  for (const plan::LanesRef& added : plan.added) numbers = sum(called, numbers, lanes(called, *added, arguments));
  if (plan.floor) numbers.floor = expr(called, *plan.floor);
  if (plan.ceiling) numbers.ceiling = expr(called, *plan.ceiling);
  return numbers;
}

Lanes emit(const FunctionContext& code, const plan::AddedToAll& plan, const std::vector<Register>& arguments) {
  Lanes numbers;
  numbers.beside = code.make_int();
  code.assign_constant(numbers.beside, 0);
  apply_modifier(code, *plan.rule, Op::add, numbers.beside, arguments);
  numbers.bytes = code.constant(0);
  return numbers;
}

// Returns, for each player, the number of carriers of the rule.
Register carriers_in_lanes(const FunctionContext& code, const plan::AddedByCarriers& plan) {
  const model::Carrier& carrier = plan.rule->head.carrier;
  if (carrier.kind == model::CarrierKind::card)
    return code.integer(Op::lanes_cards, {Int(carrier.zone.index), const_cards(code, plan.cards)});
  const Register holders = code.integer(
      Op::holders, {code.unit.ids.variable[carrier.character_variable.index], code.constant(carrier.character)});
  return code.integer(Op::lanes_of, {code.integer(Op::mask_and, {code.integer(Op::players_in, {}, 4), holders}, 4)});
}

Lanes emit(const FunctionContext& code, const plan::AddedByCarriers& plan, const std::vector<Register>&) {
  const Int most = plan.most;
  const Register times =
      code.integer(Op::mul_small, {carriers_in_lanes(code, plan), code.constant(std::abs(plan.amount))});
  Lanes numbers;
  if (plan.amount >= 0) {
    numbers.bytes = times;
    return numbers;
  }
  const Register all = code.constant(most * static_cast<Int>(kEachByte));
  numbers.bytes = code.integer(Op::sub_small, {all, times});
  numbers.beside = code.constant(-most);
  return numbers;
}

Lanes lanes(const FunctionContext& code, const plan::LanesPlan& plan, const std::vector<Register>& arguments) {
  return std::visit([&](const auto& how) { return emit(code, how, arguments); }, plan.how);
}

// Returns the mask of the players whose number is at most the limit. Traps if the limit is none.
Register within(const FunctionContext& code, const Lanes& numbers, Register limit) {
  const Register beside = numbers.beside != ir::kNoRegister ? numbers.beside : code.constant(0);
  Register found = code.integer(Op::lanes_at_most, {bytes_of(code, numbers), code.integer(Op::sub, {limit, beside})});
  if (numbers.floor != ir::kNoRegister)
    found = code.integer(Op::select, {code.integer(Op::le, {numbers.floor, limit}, 1), found, code.constant(0)});
  if (numbers.ceiling != ir::kNoRegister)
    found = code.integer(Op::select, {code.integer(Op::le, {numbers.ceiling, limit}, 1),
                                      code.constant((Int{1} << code.model.players) - 1), found});
  return found;
}

}   // namespace

Register emit_lanes(const FunctionContext& code, const plan::InLanes& plan, Register domain) {
  const Lanes numbers = lanes(code, *plan.numbers, {});
  const int bytes = code.type(domain).bytes;
  const Register limit = expr(code, *plan.limit);
  const auto less_by_one = [&] { return code.integer(Op::sub, {limit, code.constant(1)}); };
  const auto without = [&](Register mask) { return code.integer(Op::mask_without, {domain, mask}, bytes); };
  const auto both = [&](Register mask) { return code.integer(Op::mask_and, {domain, mask}, bytes); };
  if (plan.comparison == ExprKind::equal || plan.comparison == ExprKind::not_equal) {
    const Register up_to = both(within(code, numbers, limit));
    const Register same = code.integer(Op::mask_without, {up_to, within(code, numbers, less_by_one())}, bytes);
    return plan.comparison == ExprKind::equal ? same : without(same);
  }
  // The comparison is mine < other or mine <= other. If the operands are swapped, it is other < mine or other <= mine,
  // which is the negation of mine <= other or mine < other.
  const bool with_limit = (plan.comparison == ExprKind::less_equal) != plan.swapped;
  const Register up_to = within(code, numbers, with_limit ? limit : less_by_one());
  return plan.swapped ? without(up_to) : both(up_to);
}

}   // namespace cardwright::lower
