// Conditions over cards and cells as algebra of sets, so that `where` needs no loop: what is printed on cards is known
// when compiling.
#include <algorithm>
#include <map>

#include "compiler/analysis/constants.h"
#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// The one expression that a value or function is, if no rule bends it.
const model::Expr* Lowering::plain_body(const model::Expr& call) const {
  return call.kind == ExprKind::call_value && kept(call.ref) ? nullptr : said_body(call);
}

const model::Expr* Lowering::said_body(const model::Expr& call) const {
  if (call.kind == ExprKind::call_function) {
    const model::Block& body = model_.functions[call.ref].body.block;
    if (model_.functions[call.ref].recursive) return nullptr;
    const bool one = body.size() == 1 && body[0]->kind == model::StmtKind::return_value && body[0]->exprs.size() == 1;
    return one ? body[0]->exprs[0] : nullptr;
  }
  const model::Value& value = model_.values[call.ref];
  const bool bent = std::any_of(value.modifiers.begin(), value.modifiers.end(),
                                [&](const model::Modifier& m) { return possible(m.head); });
  return bent || value.at_least || value.at_most ? nullptr : value.base;
}

// What an expression is for one card or cell, where that alone decides it.
std::optional<Int> Lowering::static_value(const Env* env, const model::Expr& e, model::LocalId local, Int card) const {
  auto arg = [&](std::size_t i) { return static_value(env, *e.args[i], local, card); };
  auto binary = [&](auto&& f) -> std::optional<Int> {
    auto x = arg(0), y = arg(1);
    if (!x || !y) return std::nullopt;
    return f(*x, *y);
  };
  if (analysis::is_arithmetic(e.kind)) {                   // what would be a trap is left for the game
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
      if (*of == kNone) return is_mask(e.type) ? 0 : kNone;
      if (e.args[0]->type.kind == TypeKind::card) return model_.cards[id_card_[*of]].attributes[e.ref];
      const model::Enum& en = model_.enums[e.args[0]->type.ref];
      for (std::size_t i = 0; i < en.attributes.size(); ++i)
        if (en.attributes[i].index == e.ref) return en.constants[*of].attributes[i];
      return std::nullopt;
    }
    case ExprKind::number_of: {
      auto of = arg(0);
      if (!of) return std::nullopt;
      return *of == kNone ? kNone : model_.enums[e.args[0]->type.ref].constants[*of].number;
    }
    case ExprKind::kind_of: {
      auto of = arg(0);
      if (!of || *of == kNone) return of;
      return Int(model_.cards[id_card_[*of]].kind.index);
    }
    case ExprKind::counts_as: {
      for (const model::Also& also : model_.alsos)
        if (std::find(e.values.begin(), e.values.end(), Int(also.counts_as.index)) != e.values.end())
          return std::nullopt;
      auto of = arg(0);
      if (!of) return std::nullopt;
      if (*of == kNone) return 0;
      Int kind = model_.cards[id_card_[*of]].kind.index;
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
    case ExprKind::constant_of_part: case ExprKind::part_of_constant: {
      auto of = arg(0);
      if (!of || *of == kNone) return of;
      return *of + (e.kind == ExprKind::part_of_constant ? 1 : -1);
    }
    case ExprKind::step: {
      auto of = arg(0), by = arg(1);
      if (!of || !by || *by == kNone) return std::nullopt;
      return *of == kNone ? kNone : board_of(e.type).next(*of, *by);
    }
    case ExprKind::edge_of: {
      const auto cell = arg(0), way = arg(1);
      const Int edge =
          cell && way && *cell != kNone && *way != kNone ? board_of(e.args[0]->type).border(*cell, *way) : kNone;
      return edge == kNone ? std::nullopt : std::optional(edge);
    }
    case ExprKind::rotated: {
      const auto d = arg(0), n = arg(1);
      const auto turned = d && n ? analysis::known(ExprKind::add, *d, *n) : std::nullopt;
      return turned ? analysis::known(ExprKind::modulo, *turned, board_with(e.type).directions()) : std::nullopt;
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
      if (x && e.args[1]->kind == ExprKind::attribute) {
        const auto mask = arg(1);
        return mask ? std::optional<Int>(*x >= 0 && *x <= model::kMostInSet && (*mask >> *x & 1)) : std::nullopt;
      }
      if (!x || e.args[1]->kind != ExprKind::set_constant) return std::nullopt;
      const auto& of = e.args[1]->values;
      if (e.args[0]->type.kind == TypeKind::card && *x != kNone) {
        return std::find_if(of.begin(), of.end(), [&](Int c) { return card_id_[c] == *x; }) != of.end();
      }
      return std::find(of.begin(), of.end(), *x) != of.end();
    }
    case ExprKind::call_value:
    case ExprKind::call_function: {                        // of one card or number
      const model::Expr* body = plain_body(e);
      const auto& parameters =
          e.kind == ExprKind::call_value ? model_.values[e.ref].parameters : model_.functions[e.ref].parameters;
      if (!body || e.args.size() != 1 || parameters.size() != 1) return std::nullopt;
      auto x = arg(0);
      return x && *x >= 0 ? static_value(nullptr, *body, parameters[0].local, *x) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

// Reading it can trap, but it never gives none.
bool Lowering::is_never_none(const model::Expr& e) const {
  if (e.type.optional) return false;
  switch (e.kind) {
    case ExprKind::variable: case ExprKind::size: return true;
    case ExprKind::constant: return e.value != kNone;
    // of none they trap
    case ExprKind::add: case ExprKind::subtract: case ExprKind::multiply: case ExprKind::divide: case ExprKind::modulo:
      return true;
    case ExprKind::conditional: return is_never_none(*e.args[1]) && is_never_none(*e.args[2]);
    case ExprKind::call_value: {                           // whatever bends it
      const model::Value& value = model_.values[e.ref];
      const auto is_plain = [&](const model::Expr* x) {
        return x && x->kind != ExprKind::call_value && is_never_none(*x);
      };
      return is_plain(value.base) && std::all_of(value.modifiers.begin(), value.modifiers.end(),
                                                 [&](const model::Modifier& m) { return is_plain(m.amount); });
    }
    default: return false;
  }
}

// The cards for which `holds(what is printed, value)`, where values[index] is the value.
Register Lowering::cards_by(const std::vector<std::optional<Int>>& printed, const std::vector<Int>& values,
                            Register index, const std::function<bool(Int printed, Int value)>& holds) {
  std::vector<Int> words;
  for (const Int value : values)
    for (std::size_t w = 0; w < static_cast<std::size_t>(program_.layout.words); ++w) {
      Word cards = 0;
      for (std::size_t id = 64 * w; id < std::min(printed.size(), 64 * (w + 1)); ++id)
        if (printed[id] && holds(*printed[id], value)) cards |= Word{1} << (id & 63);
      words.push_back(static_cast<Int>(cards));
    }
  return b().set(Op::set_table, {table_index(std::move(words)), index});
}

// The cards on which stands what stands on another one.
std::optional<Register> Lowering::same_as_card(const model::Expr& of_card, model::LocalId local,
                                               const model::Expr& of_other) {
  std::vector<std::optional<Int>> printed(id_card_.size());
  std::vector<Int> on_other(id_card_.size(), kNone);       // no card is none of them
  for (std::size_t id = 0; id < id_card_.size(); ++id) {
    if (id_card_[id] < 0) continue;
    printed[id] = static_value(env_, of_card, local, Int(id));
    if (!printed[id] || *printed[id] == kNone) return std::nullopt;
    on_other[id] = model_.cards[id_card_[id]].attributes[of_other.ref];
  }
  return cards_by(printed, on_other, expr(*of_other.args[0]), [](Int p, Int v) { return p == v; });
}

// `printed on the card` compared with something that is the same for all cards.
std::optional<Register> Lowering::compared_mask(const model::Expr& condition, model::LocalId local, Register domain) {
  const bool swapped = !mentions(*condition.args[0], local);
  const model::Expr& of_card = *condition.args[swapped ? 1 : 0];
  const model::Expr& other = *condition.args[swapped ? 0 : 1];
  const bool equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  const bool member = condition.kind == ExprKind::in_set;
  if (mentions(other, local) || !pure(other) || (member && (swapped || is_wide(other.type)))) return std::nullopt;
  if (!member &&
      (other.type.kind == TypeKind::card || other.type.kind == TypeKind::set || other.type.kind == TypeKind::list))
    return std::nullopt;
  std::vector<std::optional<Int>> printed(id_card_.size());
  Int lo = kUnlimited, hi = -kUnlimited;
  bool some_none = false;
  for (std::size_t id = 0; id < id_card_.size(); ++id) {
    if (id_card_[id] < 0) continue;
    printed[id] = static_value(env_, of_card, local, Int(id));
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
  if (member) {                                            // one test for each value
    if (hi - lo >= 16) return std::nullopt;
    const Register wanted = expr(other);
    Register found = b().set(Op::set_empty, {});
    for (Int value = lo; value <= hi; ++value) {
      std::vector<Int> cards;
      for (std::size_t id = 0; id < printed.size(); ++id)
        if (printed[id] == value) cards.push_back(Int(id));
      if (cards.empty()) continue;
      const Register has = b().integer(Op::mask_has, {wanted, b().constant(value)}, 1);
      found =
          b().set(Op::set_or, {found, b().set(Op::set_select, {has, const_cards(cards), b().set(Op::set_empty, {})})});
    }
    return b().set(Op::set_and, {domain, found});
  }
  // None is equal to none, and can't be compared by size.
  const bool sure = is_never_none(other);
  if (!sure && (some_none || !equality)) return std::nullopt;
  if (!equality && some_none) return std::nullopt;
  if (equality && other.kind == ExprKind::attribute && other.args[0]->type.kind == TypeKind::card)
    if (auto same = same_as_card(of_card, local, other))
      return b().set(condition.kind == ExprKind::equal ? Op::set_and : Op::set_without, {domain, *same});
  const Register y = expr(other);
  Register index = y;
  if (sure && other.kind == ExprKind::variable && other.type.kind == TypeKind::enumeration) {
    lo = 0;
    hi = bounds(other.type).hi;
  } else if (equality && lo >= 0) {
    lo = 0;                                                // what the table doesn't reach is printed nowhere
  } else {                                                 // beyond what is printed anywhere, all are alike
    --lo;
    ++hi;
    index = b().integer(Op::min, {b().integer(Op::max, {y, b().constant(lo)}), b().constant(hi)});
  }
  if (lo != 0) index = b().integer(Op::sub_small, {index, b().constant(lo)});
  std::vector<Int> values;
  for (Int value = lo; value <= hi; ++value) values.push_back(value);
  switch (condition.kind) {
    case ExprKind::equal:
      return b().set(Op::set_and, {domain, cards_by(printed, values, index, [](Int p, Int v) { return p == v; })});
    case ExprKind::not_equal:
      return b().set(Op::set_without, {domain, cards_by(printed, values, index, [](Int p, Int v) { return p == v; })});
    case ExprKind::less:
      return b().set(Op::set_and,
                     {domain, cards_by(printed, values, index, [=](Int p, Int v) { return swapped ? v < p : p < v; })});
    default:
      return b().set(Op::set_and, {domain, cards_by(printed, values, index,
                                                    [=](Int p, Int v) { return swapped ? v <= p : p <= v; })});
  }
}

// A condition that a plain value or function states, as if it stood here.
std::optional<Register> Lowering::called_mask(const model::Expr& call, model::LocalId local, Register domain) {
  const model::Expr* body = plain_body(call);
  const bool is_value = call.kind == ExprKind::call_value;
  if (!body) return std::nullopt;
  const model::Body& locals = is_value ? model_.values[call.ref].body : model_.functions[call.ref].body;
  const auto& parameters = is_value ? model_.values[call.ref].parameters : model_.functions[call.ref].parameters;
  if (parameters.size() != call.args.size()) return std::nullopt;
  model::LocalId inside;
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    arguments.push_back(ir::kNoRegister);
    if (!a) return std::nullopt;
    if (!mentions(*a, local)) {
      if (!pure(*a)) return std::nullopt;
      continue;
    }
    if (a->kind != ExprKind::local || inside.valid()) return std::nullopt;
    inside = parameters[arguments.size() - 1].local;
  }
  if (!inside.valid()) return std::nullopt;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!mentions(*call.args[i], local)) arguments[i] = expr(*call.args[i]);
  Env inner;
  bind_locals(inner, locals);
  std::optional<Register> found;
  with_env(inner, [&] {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i] != ir::kNoRegister) bind(parameters[i].local, arguments[i]);
    found = set_where(*body, inside, domain);
  });
  return found;
}

std::optional<Register> Lowering::set_where(const model::Expr& condition, model::LocalId local, Register domain) {
  const bool cards = b().type(domain).holds_card;
  const std::size_t count =
      cards ? id_card_.size() : model_.enums[env_->body->locals[local.index].type.ref].constants.size();
  std::vector<Int> yes;
  bool fixed = true;
  for (std::size_t id = 0; id < count && fixed; ++id) {
    if (cards && id_card_[id] < 0) continue;
    auto v = static_value(env_, condition, local, Int(id));
    if (!v) fixed = false;
    else if (*v == 1) yes.push_back(Int(id));
  }
  if (fixed) {
    const Register left = b().set(Op::set_and, {domain, const_cards(yes)});
    if (cards) b().tell_among(left, yes, domain);
    return left;
  }
  const bool whole = condition.kind != ExprKind::logical_and && condition.kind != ExprKind::logical_or &&
                     condition.kind != ExprKind::logical_not;
  const auto found = whole && wants_something(condition)
                         ? if_any(domain, [&] { return set_where_all(condition, local, domain); })
                         : set_where_all(condition, local, domain);
  if (found) b().tell_within(*found, domain);
  return found;
}

// Nobody asks an empty set: where the condition needs something that may not be there, it is not looked at.
std::optional<Register> Lowering::if_any(Register domain, const std::function<std::optional<Register>()>& look) {
  const bool wide = b().type(domain).kind == ir::RegisterKind::set;
  Register found = b().make(b().type(domain));
  if (wide) b().put(Op::set_empty, found, {});
  else b().assign_constant(found, 0);
  BlockIndex some = b().add_block(), after = b().add_block();
  b().branch(wide ? b().integer(Op::set_any, {domain}, 1) : b().integer(Op::ne, {domain, b().constant(0)}, 1), some,
             after);
  b().go_to(some);
  const auto all = look();
  if (all) b().assign(found, *all);
  b().jump(after);
  b().go_to(after);
  return all ? std::optional(found) : std::nullopt;
}

// May it trap, for want of a player, a card, a number or an entry, or draw a card? Then a test may stand before it.
bool Lowering::wants_something(const model::Expr& e, const model::Body* body) const {
  const auto may_be_missing = [&](const model::Expr& x) {
    if (x.kind == ExprKind::local)
      return body && x.local.index < body->locals.size() && body->locals[x.local.index].type.optional;
    if (x.kind == ExprKind::variable)
      return model_.variables[x.ref].type.optional || model_.variables[x.ref].can_be_unset;
    if (x.kind == ExprKind::window_field) return env_->window != model::WindowId{x.ref};   // it may be closed
    return x.type.optional || x.kind == ExprKind::event_field;                             // … or the event over
  };
  switch (e.kind) {
    // a look may draw the card
    case ExprKind::pick_only: case ExprKind::element_at: case ExprKind::zone_top_n: return true;
    case ExprKind::zone_top: case ExprKind::zone_bottom:
      if (!always_ordered_[e.ref]) return true;
      break;
    case ExprKind::call_value: case ExprKind::call_function: {
      const model::Expr* said = plain_body(e);
      const model::Body& inside =
          e.kind == ExprKind::call_value ? model_.values[e.ref].body : model_.functions[e.ref].body;
      if (!said || wants_something(*said, &inside) ||
          std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && may_be_missing(*a); }))
        return true;
      break;
    }
    case ExprKind::divide: case ExprKind::modulo:
      if (e.args[1]->kind != ExprKind::constant) return true;
      break;
    case ExprKind::is_none: case ExprKind::is_in_game: case ExprKind::equal: case ExprKind::not_equal:
    case ExprKind::in_set: case ExprKind::set_of_one:
    // at home with none
    case ExprKind::or_else: case ExprKind::step: case ExprKind::attribute: case ExprKind::kind_of:
    case ExprKind::number_of: break;
    default:
      if (e.kind == ExprKind::variable && (model_.variables[e.ref].can_be_unset || may_be_outside(e))) return true;
      if (std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && may_be_missing(*a); }))
        return true;
  }
  return std::any_of(e.args.begin(), e.args.end(),
                     [&](const model::Expr* a) { return a && wants_something(*a, body); });
}

// `m[n]`, with a number that m may have no entry for. A whole table that is handed on has no `[n]`.
bool Lowering::may_be_outside(const model::Expr& entry) const {
  const model::Variable& variable = model_.variables[entry.ref];
  const std::size_t first = variable.per_player ? 1 : 0;
  for (std::size_t i = 0; i < variable.indices.size() && first + i < entry.args.size(); ++i) {
    const model::Expr* index = entry.args[first + i];
    const Bounds entries = bounds(variable.indices[i]);
    if (index && index->type.kind == TypeKind::integer && (index->type.lo < entries.lo || index->type.hi > entries.hi))
      return true;
  }
  return false;
}

std::optional<Register> Lowering::set_where_all(const model::Expr& condition, model::LocalId local, Register domain) {
  const bool cards = b().type(domain).holds_card;
  const auto mark = b().mark();
  if (auto found = set_where_it_stands(condition, local, domain)) return found;
  b().back_to(mark);
  if (!mentions(condition, local)) return std::nullopt;
  if (condition.kind == ExprKind::exists) return set_where_exists(condition, local, domain);
  return cards ? cards_by_number(condition, local, domain) : std::nullopt;
}

// By what it is alone: algebra of sets.
std::optional<Register> Lowering::set_where_it_stands(const model::Expr& condition, model::LocalId local,
                                                      Register domain) {
  const bool cards = b().type(domain).holds_card;
  if (!cards)
    if (auto cells = cells_where(condition, local, domain)) return cells;
  switch (condition.kind) {
    case ExprKind::logical_and: {
      auto first = set_where(*condition.args[0], local, domain);
      return first ? set_where(*condition.args[1], local, *first) : std::nullopt;
    }
    case ExprKind::logical_or: {
      auto first = set_where(*condition.args[0], local, domain);
      if (!first) return std::nullopt;
      const bool rest_only = wants_something(*condition.args[1]);
      auto second =
          set_where(*condition.args[1], local, rest_only ? b().set(Op::set_without, {domain, *first}) : domain);
      if (!second) return std::nullopt;
      return b().set(Op::set_or, {*first, *second});
    }
    case ExprKind::logical_not: {
      auto inner = set_where(*condition.args[0], local, domain);
      if (!inner) return std::nullopt;
      return b().set(Op::set_without, {domain, *inner});
    }
    case ExprKind::counts_as: {
      const model::Expr& of = *condition.args[0];
      if (of.kind != ExprKind::local || of.local != local) break;
      const model::Expr* holder = condition.args.size() > 1 ? condition.args[1] : nullptr;
      if (holder && mentions(*holder, local)) break;
      Register printed = b().set(Op::set_and, {domain, const_cards(cards_of_kinds(condition.values))});
      Register h = holder ? expr(*holder) : ir::kNoRegister;
      return b().set(Op::set_or, {printed, also_set(condition.values, domain, h)});
    }
    case ExprKind::in_set: {
      const model::Expr& of = *condition.args[0];
      if (!mentions(of, local) || mentions(*condition.args[1], local)) break;
      if (of.kind == ExprKind::local) return b().set(Op::set_and, {domain, expr(*condition.args[1])});
      if (cards) return compared_mask(condition, local, domain);
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
        if (cards) return compared_mask(condition, local, domain);
        break;
      }
      // `after c`: by the order of ids
      if (condition.kind == ExprKind::less || condition.kind == ExprKind::less_equal) break;
      Register one = b().make(b().type(domain));
      b().put(Op::set_of, one, {expr(*y)});
      return b().set(condition.kind == ExprKind::equal ? Op::set_and : Op::set_without, {domain, one});
    }
    case ExprKind::knows: {
      const model::Expr& of = *condition.args[1];
      if (!cards || of.kind != ExprKind::local || of.local != local || mentions(*condition.args[0], local)) break;
      if (const auto known = known_where_taken(local, *condition.args[0]))
        return b().set(Op::set_and, {domain, *known});
      return b().set(Op::set_known, {expr(*condition.args[0]), domain});
    }
    case ExprKind::call_value:
    case ExprKind::call_function:
      if (cards && mentions(condition, local)) return called_mask(condition, local, domain);
      break;
    default: break;
  }
  if (mentions(condition, local) || !pure(condition)) return std::nullopt;
  Register holds = expr(condition);
  Register none = b().make(b().type(domain));
  b().put(Op::set_empty, none, {});
  return b().set(Op::set_select, {holds, domain, none});
}

std::vector<const model::Expr*> Lowering::conjuncts(const model::Expr& condition) {
  if (condition.kind != ExprKind::logical_and) return {&condition};
  std::vector<const model::Expr*> parts = conjuncts(*condition.args[0]);
  for (const model::Expr* part : conjuncts(*condition.args[1])) parts.push_back(part);
  return parts;
}

// What is left of the domain by those of the first parts that need no loop; they are taken off.
Register Lowering::narrowed(Register domain, bool cards, model::LocalId local, std::vector<const model::Expr*>& parts) {
  std::size_t done = 0;
  if (plain_) return domain;
  const bool masks = cards || (env_->body && local.index < env_->body->locals.size());
  for (; masks && done < parts.size(); ++done) {
    const auto mark = b().mark();
    if (asking() && reads(*parts[done])) {
      const auto mask = cards ? std::nullopt : elements_topped_as_known(*parts[done], local, domain);
      if (!mask) {
        b().back_to(mark);
        break;
      }
      domain = *mask;
      continue;
    }
    const Unasked unasked(*this);
    const auto mask = cards ? set_where(*parts[done], local, domain) : element_mask(*parts[done], local, domain);
    if (!mask) {
      b().back_to(mark);
      break;
    }
    domain = *mask;
  }
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(done));
  return domain;
}

// Of what is printed on cards: a sum is a count for each binary digit, the most and least a look for each number.
std::optional<Register> Lowering::static_aggregate(const model::Expr& e, Register domain) {
  constexpr Int kGreatest = 63;
  constexpr std::size_t kMostNumbers = 16;
  const bool cards_only = is_wide(e.args[0]->type) && e.args[0]->type.elem->kind == TypeKind::card;
  if (plain_ || e.value > 2 || !cards_only) return std::nullopt;
  std::map<Int, std::vector<Int>> cards;                   // by number
  for (std::size_t id = 0; id < id_card_.size(); ++id) {
    if (id_card_[id] < 0) continue;
    const auto v = static_value(env_, *e.args[2], e.local, Int(id));
    if (!v || (e.value == 0 && (*v < 0 || *v > kGreatest))) return std::nullopt;
    cards[*v].push_back(Int(id));
  }
  const auto those = [&](const std::vector<Int>& ids) { return b().set(Op::set_and, {domain, const_cards(ids)}); };
  Register total = b().make_int();
  if (e.value == 0) {
    b().assign_constant(total, 0);
    for (Int digit = 1; digit <= kGreatest; digit *= 2) {
      std::vector<Int> with;
      for (const auto& [number, ids] : cards)
        if (number & digit) with.insert(with.end(), ids.begin(), ids.end());
      if (with.empty()) continue;
      const Register count = b().integer(Op::set_count, {those(with)});
      b().put(Op::add_small, total, {total, b().integer(Op::mul_small, {count, b().constant(digit)})});
    }
    return total;
  }
  if (cards.size() > kMostNumbers || cards.contains(kNone)) return std::nullopt;
  b().assign_constant(total, kNone);
  const auto look = [&](Int number, const std::vector<Int>& ids) {
    b().put(Op::select, total, {b().integer(Op::set_any, {those(ids)}, 1), b().constant(number), total});
  };
  if (e.value == 1) for (const auto& [number, ids] : cards) look(number, ids);
  else for (auto it = cards.rbegin(); it != cards.rend(); ++it) look(it->first, it->second);
  return total;
}

}  // namespace cardwright::lower
