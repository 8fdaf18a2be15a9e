// Conditions that compare a number which every player has with one that is the same for all of them: `distance(me, it)
// <= reach(me)`. The numbers are worked out for all players at once, a byte each in one word (runtime/ops/lanes.h),
// through values and what bends them. What is too large for that, or hangs on a player in other ways, is worked out
// player by player.
#include "compiler/lower/lanes.h"

#include <algorithm>

#include "compiler/lower/constants.h"
#include "compiler/lower/elements.h"
#include "compiler/lower/events.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/kept.h"
#include "compiler/lower/masks.h"
#include "runtime/ops/lanes.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::ExprKind;
using model::TypeKind;

// A number of each player: the byte in their lane, from 0 to `most`, and what is the same for all of them beside it;
// then no less than `floor` and no more than `ceiling`. Registers may be none.
struct Lanes {
  Register bytes = ir::kNoRegister;   // none: what `seen_from` has
  Int most = 0;
  Register beside = ir::kNoRegister, floor = ir::kNoRegister, ceiling = ir::kNoRegister;
  // what hangs on a seat and on who is in alone: the lanes by in * players + seat
  Register seat = ir::kNoRegister;
  std::vector<Int> seen_from = {};
  bool is_bounded() const { return floor != ir::kNoRegister || ceiling != ir::kNoRegister; }
};

static Register lanes_within(const FunctionContext& code, const Lanes& numbers, Register limit);
static std::optional<Lanes> lanes(const FunctionContext& code, const model::Expr& e, model::LocalId local);
static Register bytes_of(const FunctionContext& code, const Lanes& numbers);
static std::optional<Lanes> lanes_of_steps(const FunctionContext& code, const model::Expr& e, model::LocalId local);
static std::optional<Lanes> least_lanes(const FunctionContext& code, const model::Expr& e, model::LocalId local);
static std::optional<Lanes> called_lanes(const FunctionContext& code, const model::Expr& call, model::LocalId local);
static std::optional<Lanes> sum_of_lanes(const FunctionContext& code, const Lanes& a, const Lanes& c);
static std::optional<Lanes> bend_of_lanes(const FunctionContext& code, const model::Modifier& m, std::size_t element,
                                          const std::vector<Register>& arguments);
static std::optional<Lanes> carriers_in_lanes(const FunctionContext& code, const model::RuleHead& head);

std::optional<Register> compared_lanes(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                       Register domain) {
  if (code.environment->body->locals[local.index].type.kind != TypeKind::player || code.model.players > kMostLanes)
    return std::nullopt;
  const bool swapped = !mentions(*condition.args[0], local);
  const model::Expr &mine = *condition.args[swapped], &other = *condition.args[!swapped];
  const bool equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  const bool ordered = condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal;
  if ((!equality && !ordered) || other.type.kind != TypeKind::integer || (equality && !is_never_none(code.unit, other)))
    return std::nullopt;
  const auto numbers = lanes(code, mine, local);
  if (!numbers) return std::nullopt;
  const int bytes = code.type(domain).bytes;
  const Register limit = expr(code, other);
  const auto less_by_one = [&] { return code.integer(Op::sub, {limit, code.constant(1)}); };
  const auto both = [&](Register mask) { return code.integer(Op::mask_and, {domain, mask}, bytes); };
  const auto without = [&](Register mask) { return code.integer(Op::mask_without, {domain, mask}, bytes); };
  if (equality) {
    const Register up_to = both(lanes_within(code, *numbers, limit));
    const Register same = code.integer(Op::mask_without, {up_to, lanes_within(code, *numbers, less_by_one())}, bytes);
    return condition.kind == ExprKind::equal ? same : without(same);
  }
  // mine < other, mine <= other; or, swapped, neither other >= mine nor other > mine
  const bool with_limit = (condition.kind == ExprKind::less_equal) != swapped;
  const Register up_to = lanes_within(code, *numbers, with_limit ? limit : less_by_one());
  return swapped ? without(up_to) : both(up_to);
}

// The mask of those whose number is at most the limit. No limit: a trap.
static Register lanes_within(const FunctionContext& code, const Lanes& numbers, Register limit) {
  const Register beside = numbers.beside != ir::kNoRegister ? numbers.beside : code.constant(0);
  Register found = code.integer(Op::lanes_at_most, {bytes_of(code, numbers), code.integer(Op::sub, {limit, beside})});
  if (numbers.floor != ir::kNoRegister)
    found = code.integer(Op::select, {code.integer(Op::le, {numbers.floor, limit}, 1), found, code.constant(0)});
  if (numbers.ceiling != ir::kNoRegister)
    found = code.integer(Op::select, {code.integer(Op::le, {numbers.ceiling, limit}, 1),
                                      code.constant((Int{1} << code.model.players) - 1), found});
  return found;
}

static std::optional<Lanes> lanes(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  if (!mentions(e, local)) {
    if (!pure(code.unit, e) || !is_small(code.unit, e)) return std::nullopt;   // to what is unlimited nothing is added
    return Lanes{code.constant(0), 0, expr(code, e)};
  }
  switch (e.kind) {
    case ExprKind::steps: return lanes_of_steps(code, e, local);
    case ExprKind::minimum: return least_lanes(code, e, local);
    case ExprKind::call_value:
    case ExprKind::call_function: return called_lanes(code, e, local);
    case ExprKind::add: {
      const auto one = lanes(code, *view::add(e).left(), local);
      const auto other = one ? lanes(code, *view::add(e).right(), local) : std::nullopt;
      return other ? sum_of_lanes(code, *one, *other) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

// Looked up: for eight players there are 16 KB, of which a game sees those lines whose players are in together.
static Register bytes_of(const FunctionContext& code, const Lanes& numbers) {
  if (numbers.bytes != ir::kNoRegister) return numbers.bytes;
  code.integer(Op::steps, {numbers.seat, numbers.seat});   // nobody: a trap
  const Register row =
      code.integer(Op::mul_small, {code.integer(Op::players_in, {}, 4), code.constant(code.model.players)});
  return code.integer(Op::table_known,
                      {table_index(code.unit, numbers.seen_from), code.integer(Op::add_small, {row, numbers.seat})});
}

static std::optional<Lanes> lanes_of_steps(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  const bool back = !mentions(*view::steps(e).to(), local);   // from each to somebody
  const model::Expr &each = *e.args[!back], &somebody = *e.args[back];
  if (each.kind != ExprKind::local || mentions(somebody, local) || !pure(code.unit, somebody)) return std::nullopt;
  const Int players = code.model.players;
  Lanes steps;
  steps.most = players;
  steps.seat = expr(code, somebody);
  for (Int in = 0; in < Int{1} << players; ++in)
    for (Int seat = 0; seat < players; ++seat) {
      Word row = 0;
      for (Int on = 1, ahead = 1; on < players; ++on) {   // as op_steps counts
        const Int there = (back ? seat + players - on : seat + on) % players;
        row |= static_cast<Word>(ahead) << 8 * there;
        ahead += in >> there & 1;
      }
      steps.seen_from.push_back(static_cast<Int>(row));
    }
  return steps;
}

static std::optional<Lanes> least_lanes(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  const view::minimum its(e);
  auto one = lanes(code, *its.left(), local);
  const auto other = one ? lanes(code, *its.right(), local) : std::nullopt;
  const auto plain = [](const Lanes& l) { return l.beside == ir::kNoRegister && !l.is_bounded(); };
  if (!other || !plain(*one) || !plain(*other)) return std::nullopt;
  one->most = std::min(one->most, other->most);
  if (one->bytes == ir::kNoRegister && other->bytes == ir::kNoRegister && one->seat == other->seat) {
    std::transform(one->seen_from.begin(), one->seen_from.end(), other->seen_from.begin(), one->seen_from.begin(),
                   least_of_lanes);
    return one;
  }
  return Lanes{code.integer(Op::lanes_min, {bytes_of(code, *one), bytes_of(code, *other)}), one->most};
}

static std::optional<Lanes> sum_of_lanes(const FunctionContext& code, const Lanes& a, const Lanes& c) {
  if (a.is_bounded() || c.is_bounded() || a.most + c.most > kMostInLane) return std::nullopt;
  const auto sum = [&](Op op, Register x, Register y) {
    return x == ir::kNoRegister ? y : y == ir::kNoRegister ? x : code.integer(op, {x, y});
  };
  return Lanes{code.integer(Op::add_small, {bytes_of(code, a), bytes_of(code, c)}), a.most + c.most,
               sum(Op::add, a.beside, c.beside)};
}

// What a value or function gives for each player, with the rules that bend it `by` something.
static std::optional<Lanes> called_lanes(const FunctionContext& code, const model::Expr& call, model::LocalId local) {
  constexpr int kDeep = 4;
  const bool is_value = call.kind == ExprKind::call_value;
  const model::Value* value = is_value ? &code.model.values[call.ref] : nullptr;
  const auto& parameters = is_value ? value->parameters : code.model.functions[call.ref].parameters;
  const model::Expr* base = is_value ? value->base : plain_body(code.unit, call);
  const auto element = element_argument(code.unit, call, local);
  if (!base || !element || call.type.kind != TypeKind::integer || code.called_deep >= kDeep ||
      (is_value && kept(code.unit, call.ref)))
    return std::nullopt;
  const std::vector<Register> arguments = other_arguments(code, call, *element);
  Env inner;
  bind_locals(inner, is_value ? value->body : code.model.functions[call.ref].body);
  const FunctionContext called = code.in(inner).deeper();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i != *element) bind(called, parameters[i].local, arguments[i]);
  std::optional<Lanes> found = lanes(called, *base, parameters[*element].local);
  const analysis::ValueRules rules = is_value ? possible_rules(code.unit, *value) : analysis::ValueRules{};
  if (!rules.only_by()) found.reset();
  for (std::size_t m = 0; m < rules.by.size() && found; ++m) {
    const auto bend = bend_of_lanes(called, *rules.by[m], *element, arguments);
    found = bend ? sum_of_lanes(called, *found, *bend) : std::nullopt;
  }
  const auto bound = [&](const model::Expr* at, Register& is) {
    if (!found || !at) return;
    if (mentions(*at, parameters[*element].local) || !pure(code.unit, *at))
      found.reset();
    else
      is = expr(called, *at);
  };
  if (found && is_value && (value->at_least || value->at_most) && found->is_bounded()) found.reset();
  if (is_value) bound(value->at_least, found->floor), bound(value->at_most, found->ceiling);
  return found;
}

// By how much a rule bends each player's number.
static std::optional<Lanes> bend_of_lanes(const FunctionContext& code, const model::Modifier& m, std::size_t element,
                                          const std::vector<Register>& arguments) {
  if (element >= m.patterns.size()) return std::nullopt;
  const model::Pattern& of_each = m.patterns[element];
  if (me_argument(m.head, m.patterns) != element) {   // the same for all of them
    const auto names_each = [&](const model::Expr* e) {
      return e && of_each.kind == model::Pattern::Kind::binds && mentions(*e, of_each.local);
    };
    if (of_each.kind == model::Pattern::Kind::equals || names_each(m.head.when) || names_each(m.amount) ||
        !pure(code.unit, *m.amount) || !is_small(code.unit, *m.amount))
      return std::nullopt;
    const Register bend = code.make_int();
    code.assign_constant(bend, 0);
    apply_modifier(code, m, Op::add, bend, arguments);
    return Lanes{code.constant(0), 0, bend};
  }
  const auto amount =
      static_value(code.unit, code.environment, *m.amount, {}, -1);   // for whom it holds hangs on who they are alone
  const bool of_anybody = std::all_of(m.patterns.begin(), m.patterns.end(), [&](const model::Pattern& p) {
    return &p == &of_each || p.kind != model::Pattern::Kind::equals;
  });
  const auto carried = !m.head.when && of_anybody && amount && *amount != kNone && std::abs(*amount) <= kMostInLane
                           ? carriers_in_lanes(code, m.head)
                           : std::nullopt;
  if (!carried || carried->most * std::abs(*amount) > kMostInLane) return std::nullopt;
  const Int most = carried->most * std::abs(*amount);
  const Register times = code.integer(Op::mul_small, {carried->bytes, code.constant(std::abs(*amount))});
  if (*amount >= 0) return Lanes{times, most};
  const Register all = code.constant(most * static_cast<Int>(kEachByte));
  return Lanes{code.integer(Op::sub_small, {all, times}), most, code.constant(-most)};
}

// How many times each player has what the rule belongs to.
static std::optional<Lanes> carriers_in_lanes(const FunctionContext& code, const model::RuleHead& head) {
  const model::Carrier& carrier = head.carrier;
  if (carrier.kind == CarrierKind::character) {
    const Register holders = code.integer(
        Op::holders, {code.unit.ids.variable[carrier.character_variable.index], code.constant(carrier.character)});
    return Lanes{
        code.integer(Op::lanes_of, {code.integer(Op::mask_and, {code.integer(Op::players_in, {}, 4), holders}, 4)}), 1};
  }
  if (carrier.kind != CarrierKind::card || !carrier.zone.valid() || !analysis::is_of_players(code.model, head))
    return std::nullopt;
  const ZoneSlot& zone = code.program.zones[carrier.zone.index];
  const std::vector<Int> cards = cards_of_kinds(code.unit, carrier.kinds);
  if (zone.copies != 1 || zone.owners != code.model.players || static_cast<Int>(cards.size()) > kMostInLane)
    return std::nullopt;
  return Lanes{code.integer(Op::lanes_cards, {Int(carrier.zone.index), const_cards(code, cards)}),
               static_cast<Int>(cards.size())};
}

}  // namespace cardwright::lower
