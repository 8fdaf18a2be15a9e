// Conditions that compare a number which every player has with one that is the same for all of them: `distance(me, it)
// <= reach(me)`. The numbers are worked out for all players at once, a byte each in one word (runtime/ops/lanes.h),
// through values and what bends them. What is too large for that, or hangs on a player in other ways, is worked out
// player by player.
#include <algorithm>

#include "compiler/lower/lowering.h"
#include "runtime/ops/lanes.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::ExprKind;
using model::TypeKind;

std::optional<Register> Lowering::compared_lanes(const model::Expr& condition, model::LocalId local, Register domain) {
  if (env_->body->locals[local.index].type.kind != TypeKind::player || model_.players > kMostLanes) return std::nullopt;
  const bool swapped = !mentions(*condition.args[0], local);
  const model::Expr &mine = *condition.args[swapped], &other = *condition.args[!swapped];
  const bool equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  const bool ordered = condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal;
  if ((!equality && !ordered) || other.type.kind != TypeKind::integer || (equality && !is_never_none(other)))
    return std::nullopt;
  const auto numbers = lanes(mine, local);
  if (!numbers) return std::nullopt;
  const int bytes = b().type(domain).bytes;
  const Register limit = expr(other);
  const auto less_by_one = [&] { return b().integer(Op::sub, {limit, b().constant(1)}); };
  const auto both = [&](Register mask) { return b().integer(Op::mask_and, {domain, mask}, bytes); };
  const auto without = [&](Register mask) { return b().integer(Op::mask_without, {domain, mask}, bytes); };
  if (equality) {
    const Register up_to = both(lanes_within(*numbers, limit));
    const Register same = b().integer(Op::mask_without, {up_to, lanes_within(*numbers, less_by_one())}, bytes);
    return condition.kind == ExprKind::equal ? same : without(same);
  }
  // mine < other, mine <= other; or, swapped, neither other >= mine nor other > mine
  const bool with_limit = (condition.kind == ExprKind::less_equal) != swapped;
  const Register up_to = lanes_within(*numbers, with_limit ? limit : less_by_one());
  return swapped ? without(up_to) : both(up_to);
}

// The mask of those whose number is at most the limit. No limit: a trap.
Register Lowering::lanes_within(const Lanes& numbers, Register limit) {
  const Register beside = numbers.beside != ir::kNoRegister ? numbers.beside : b().constant(0);
  Register found = b().integer(Op::lanes_at_most, {bytes_of(numbers), b().integer(Op::sub, {limit, beside})});
  if (numbers.floor != ir::kNoRegister)
    found = b().integer(Op::select, {b().integer(Op::le, {numbers.floor, limit}, 1), found, b().constant(0)});
  if (numbers.ceiling != ir::kNoRegister)
    found = b().integer(Op::select, {b().integer(Op::le, {numbers.ceiling, limit}, 1),
                                     b().constant((Int{1} << model_.players) - 1), found});
  return found;
}

std::optional<Lowering::Lanes> Lowering::lanes(const model::Expr& e, model::LocalId local) {
  if (!mentions(e, local)) {
    if (!pure(e) || !is_small(e)) return std::nullopt;    // to what is unlimited nothing is added
    return Lanes{b().constant(0), 0, expr(e)};
  }
  switch (e.kind) {
    case ExprKind::steps: return lanes_of_steps(e, local);
    case ExprKind::minimum: return least_lanes(e, local);
    case ExprKind::call_value: case ExprKind::call_function: return called_lanes(e, local);
    case ExprKind::add: {
      const auto one = lanes(*e.args[0], local);
      const auto other = one ? lanes(*e.args[1], local) : std::nullopt;
      return other ? sum_of_lanes(*one, *other) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

// Looked up: for eight players there are 16 KB, of which a game sees those lines whose players are in together.
Register Lowering::bytes_of(const Lanes& numbers) {
  if (numbers.bytes != ir::kNoRegister) return numbers.bytes;
  b().integer(Op::steps, {numbers.seat, numbers.seat});    // nobody: a trap
  const Register row = b().integer(Op::mul_small, {b().integer(Op::players_in, {}, 4), b().constant(model_.players)});
  return b().integer(Op::table_known,
                     {table_index(numbers.seen_from), b().integer(Op::add_small, {row, numbers.seat})});
}

std::optional<Lowering::Lanes> Lowering::lanes_of_steps(const model::Expr& e, model::LocalId local) {
  const bool back = !mentions(*e.args[1], local);          // from each to somebody
  const model::Expr &each = *e.args[!back], &somebody = *e.args[back];
  if (each.kind != ExprKind::local || mentions(somebody, local) || !pure(somebody)) return std::nullopt;
  const Int players = model_.players;
  Lanes steps;
  steps.most = players;
  steps.seat = expr(somebody);
  for (Int in = 0; in < Int{1} << players; ++in)
    for (Int seat = 0; seat < players; ++seat) {
      Word row = 0;
      for (Int on = 1, ahead = 1; on < players; ++on) {    // as op_steps counts
        const Int there = (back ? seat + players - on : seat + on) % players;
        row |= static_cast<Word>(ahead) << 8 * there;
        ahead += in >> there & 1;
      }
      steps.seen_from.push_back(static_cast<Int>(row));
    }
  return steps;
}

std::optional<Lowering::Lanes> Lowering::least_lanes(const model::Expr& e, model::LocalId local) {
  auto one = lanes(*e.args[0], local);
  const auto other = one ? lanes(*e.args[1], local) : std::nullopt;
  const auto plain = [](const Lanes& l) { return l.beside == ir::kNoRegister && !l.is_bounded(); };
  if (!other || !plain(*one) || !plain(*other)) return std::nullopt;
  one->most = std::min(one->most, other->most);
  if (one->bytes == ir::kNoRegister && other->bytes == ir::kNoRegister && one->seat == other->seat) {
    std::transform(one->seen_from.begin(), one->seen_from.end(), other->seen_from.begin(), one->seen_from.begin(),
                   least_of_lanes);
    return one;
  }
  return Lanes{b().integer(Op::lanes_min, {bytes_of(*one), bytes_of(*other)}), one->most};
}

std::optional<Lowering::Lanes> Lowering::sum_of_lanes(const Lanes& a, const Lanes& c) {
  if (a.is_bounded() || c.is_bounded() || a.most + c.most > kMostInLane) return std::nullopt;
  const auto sum = [&](Op op, Register x, Register y) {
    return x == ir::kNoRegister ? y : y == ir::kNoRegister ? x : b().integer(op, {x, y});
  };
  return Lanes{b().integer(Op::add_small, {bytes_of(a), bytes_of(c)}), a.most + c.most,
               sum(Op::add, a.beside, c.beside)};
}

// What a value or function gives for each player, with the rules that bend it `by` something.
std::optional<Lowering::Lanes> Lowering::called_lanes(const model::Expr& call, model::LocalId local) {
  constexpr int kDeep = 4;
  const bool is_value = call.kind == ExprKind::call_value;
  const model::Value* value = is_value ? &model_.values[call.ref] : nullptr;
  const auto& parameters = is_value ? value->parameters : model_.functions[call.ref].parameters;
  const model::Expr* base = is_value ? value->base : plain_body(call);
  const auto element = element_argument(call, local);
  if (!base || !element || call.type.kind != TypeKind::integer || called_deep_ >= kDeep || (is_value && kept(call.ref)))
    return std::nullopt;
  const std::vector<Register> arguments = other_arguments(call, *element);
  ++called_deep_;
  std::optional<Lanes> found;
  Env inner;
  bind_locals(inner, is_value ? value->body : model_.functions[call.ref].body);
  with_env(inner, [&] {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (i != *element) bind(parameters[i].local, arguments[i]);
    found = lanes(*base, parameters[*element].local);
    for (std::size_t m = 0; is_value && m < value->modifiers.size() && found; ++m) {
      if (!possible(value->modifiers[m].head)) continue;
      const auto bend = bend_of_lanes(value->modifiers[m], *element, arguments);
      found = bend ? sum_of_lanes(*found, *bend) : std::nullopt;
    }
    const auto bound = [&](const model::Expr* at, Register& is) {
      if (!found || !at) return;
      if (mentions(*at, parameters[*element].local) || !pure(*at)) found.reset();
      else is = expr(*at);
    };
    if (found && is_value && (value->at_least || value->at_most) && found->is_bounded()) found.reset();
    if (is_value) bound(value->at_least, found->floor), bound(value->at_most, found->ceiling);
  });
  --called_deep_;
  return found;
}

// By how much a rule bends each player's number.
std::optional<Lowering::Lanes> Lowering::bend_of_lanes(const model::Modifier& m, std::size_t element,
                                                       const std::vector<Register>& arguments) {
  if (m.how != model::ModifyHow::by || element >= m.patterns.size()) return std::nullopt;
  const model::Pattern& of_each = m.patterns[element];
  if (me_argument(m.head, m.patterns) != element) {        // the same for all of them
    const auto names_each = [&](const model::Expr* e) {
      return e && of_each.kind == model::Pattern::Kind::binds && mentions(*e, of_each.local);
    };
    if (of_each.kind == model::Pattern::Kind::equals || names_each(m.head.when) || names_each(m.amount) ||
        !pure(*m.amount) || !is_small(*m.amount))
      return std::nullopt;
    const Register bend = b().make_int();
    b().assign_constant(bend, 0);
    apply_modifier(m, Op::add, bend, arguments);
    return Lanes{b().constant(0), 0, bend};
  }
  const auto amount = static_value(env_, *m.amount, {}, -1);     // for whom it holds hangs on who they are alone
  const bool of_anybody = std::all_of(m.patterns.begin(), m.patterns.end(), [&](const model::Pattern& p) {
    return &p == &of_each || p.kind != model::Pattern::Kind::equals;
  });
  const auto carried = !m.head.when && of_anybody && amount && *amount != kNone && std::abs(*amount) <= kMostInLane
                           ? carriers_in_lanes(m.head)
                           : std::nullopt;
  if (!carried || carried->most * std::abs(*amount) > kMostInLane) return std::nullopt;
  const Int most = carried->most * std::abs(*amount);
  const Register times = b().integer(Op::mul_small, {carried->bytes, b().constant(std::abs(*amount))});
  if (*amount >= 0) return Lanes{times, most};
  const Register all = b().constant(most * static_cast<Int>(kEachByte));
  return Lanes{b().integer(Op::sub_small, {all, times}), most, b().constant(-most)};
}

// How many times each player has what the rule belongs to.
std::optional<Lowering::Lanes> Lowering::carriers_in_lanes(const model::RuleHead& head) {
  const model::Carrier& carrier = head.carrier;
  if (carrier.kind == CarrierKind::character) {
    const Register holders =
        b().integer(Op::holders, {variable_of_[carrier.character_variable.index], b().constant(carrier.character)});
    return Lanes{
        b().integer(Op::lanes_of, {b().integer(Op::mask_and, {b().integer(Op::players_in, {}, 4), holders}, 4)}), 1};
  }
  if (carrier.kind != CarrierKind::card || !carrier.zone.valid() || !analysis::is_of_players(model_, head))
    return std::nullopt;
  const ZoneSlot& zone = program_.zones[carrier.zone.index];
  const std::vector<Int> cards = cards_of_kinds(carrier.kinds);
  if (zone.copies != 1 || zone.owners != model_.players || static_cast<Int>(cards.size()) > kMostInLane)
    return std::nullopt;
  return Lanes{b().integer(Op::lanes_cards, {Int(carrier.zone.index), const_cards(cards)}),
               static_cast<Int>(cards.size())};
}

}  // namespace cardwright::lower
