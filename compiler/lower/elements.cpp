// Conditions over players, parts of areas and small numbers as algebra of masks. And conditions over cards or elements
// that hang on one small number of theirs alone (a rank, who owns it): worked out for all numbers at once, and then
// looked up.
#include <algorithm>
#include <bit>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

namespace {
constexpr Int kMostBit = 60;
constexpr Int kMostShift = 1 << 20;
}  // namespace

// ---------------------------------------------------------------- what an element holds

// Is it a value that each element of the local's type has one of, and that can be looked up by value: `x.owner`,
// `p.shown[x]`?
bool Lowering::has_one_each(const model::Expr& e, model::LocalId local) const {
  if (e.kind != ExprKind::variable || is_wide(e.type) || e.type.kind == TypeKind::set || e.type.kind == TypeKind::list)
    return false;
  const VariableSlot& slot = program_.variables[variable_of_[e.ref]];
  const Bounds elements = bounds(env_->body->locals[local.index].type);
  if (slot.is_set || slot.initial == kUnset || slot.count > 64 || elements.lo < 0 || elements.hi > kMostBit)
    return false;
  int by_element = 0;
  for (const model::Expr* index : e.args) {
    if (!index || !(index->kind == ExprKind::local && index->local == local ? ++by_element
                                                                            : !mentions(*index, local) && pure(*index)))
      return false;
  }
  return by_element == 1;
}

// How far apart the values of two elements lie that come one after the other, and where the first one's is.
std::optional<Int> Lowering::apart(const model::Expr& e, model::LocalId local) const {
  const model::Variable& variable = model_.variables[e.ref];
  const Bounds elements = bounds(env_->body->locals[local.index].type);
  std::vector<Bounds> dimensions;
  if (variable.per_player) dimensions.push_back({0, model_.players - 1});
  for (const model::Type& type : variable.indices) dimensions.push_back(bounds(type));
  Int stride = 1, mine = 0;
  for (std::size_t i = e.args.size(); i-- > 0; stride *= dimensions[i].hi - dimensions[i].lo + 1)
    if (e.args[i]->kind == ExprKind::local && e.args[i]->local == local) {
      if (dimensions[i].lo != elements.lo || dimensions[i].hi != elements.hi) return std::nullopt;
      mine = stride;
    }
  return mine;
}
Register Lowering::index_of_first(const model::Expr& e, model::LocalId local) {
  const Place place = env_->places[local.index];
  bind_constant(local, bounds(env_->body->locals[local.index].type).lo);
  const Register first = flat_index(model_.variables[e.ref], e.args, 0);
  env_->places[local.index] = place;
  return first;
}

// The mask of the elements (not flat indices) whose value it is.
std::optional<Register> Lowering::holding(const model::Expr& e, model::LocalId local, Register value) {
  const auto stride = has_one_each(e, local) ? apart(e, local) : std::nullopt;
  if (!stride) return std::nullopt;
  const Bounds elements = bounds(env_->body->locals[local.index].type);
  Register found = b().integer(Op::holders, {variable_of_[e.ref], value});
  if (e.args.size() > 1)
    found = b().integer(Op::mask_every, {found, index_of_first(e, local), *stride, elements.hi - elements.lo + 1});
  return elements.lo == 0 ? found : b().integer(Op::mask_shift, {found, b().constant(elements.lo)});
}

// ---------------------------------------------------------------- conditions

std::optional<Register> Lowering::element_mask(const model::Expr& condition, model::LocalId local, Register domain) {
  const bool in_parts = condition.kind == ExprKind::logical_and || condition.kind == ExprKind::logical_or ||
                        condition.kind == ExprKind::logical_not;
  const bool whole = !in_parts || !mentions(condition, local);
  if (!whole || !wants_something(condition)) return element_mask_all(condition, local, domain);
  return if_any(domain, [&] { return element_mask_all(condition, local, domain); });
}

std::optional<Register> Lowering::element_mask_all(const model::Expr& condition, model::LocalId local,
                                                   Register domain) {
  const auto is_local = [&](const model::Expr* e) { return e && e->kind == ExprKind::local && e->local == local; };
  const int bytes = b().type(domain).bytes;
  const auto both = [&](Register mask) { return b().integer(Op::mask_and, {domain, mask}, bytes); };
  const auto holds = [&](const model::Expr& e, Int value) -> std::optional<Register> {
    const auto mask = holding(e, local, b().constant(value));
    return mask ? std::optional(both(*mask)) : std::nullopt;
  };
  if (!mentions(condition, local)) {
    if (!pure(condition)) return std::nullopt;
    return b().integer(Op::select, {expr(condition), domain, b().constant(0)}, bytes);
  }
  const auto mark = b().mark();
  std::optional<Register> found;
  switch (condition.kind) {
    case ExprKind::logical_or: {
      auto one = element_mask(*condition.args[0], local, domain);
      if (!one) return std::nullopt;
      auto other = element_mask(*condition.args[1], local, b().integer(Op::mask_without, {domain, *one}, bytes));
      if (!other) return std::nullopt;
      return b().integer(Op::mask_or, {*one, *other}, bytes);
    }
    case ExprKind::logical_and: {
      auto one = element_mask(*condition.args[0], local, domain);
      return one ? element_mask(*condition.args[1], local, *one) : std::nullopt;
    }
    case ExprKind::logical_not: {
      auto inner = element_mask(*condition.args[0], local, domain);
      if (!inner) return std::nullopt;
      return b().integer(Op::mask_without, {domain, *inner}, bytes);
    }
    case ExprKind::conditional: return elements_by_case(condition, local, domain);
    case ExprKind::is_empty: {
      const model::Expr& zone = *condition.args[0];
      const bool of_player = env_->body->locals[local.index].type.kind == TypeKind::player;
      if (!of_player || zone.kind != ExprKind::zone || zone.args.empty() || !is_local(zone.args[0]) ||
          program_.zones[zone.ref].copies != 1)
        break;
      Register empty = b().integer(Op::owners_without, {Int(zone.ref)}, 4);
      if (facedown_zone_[zone.ref] >= 0)
        empty = b().integer(Op::mask_and, {empty, b().integer(Op::owners_without, {facedown_zone_[zone.ref]}, 4)}, 4);
      return both(empty);
    }
    case ExprKind::variable: found = holds(condition, 1); break;
    case ExprKind::is_none: found = holds(*condition.args[0], kNone); break;
    case ExprKind::equal: case ExprKind::not_equal: case ExprKind::less: case ExprKind::less_equal:
    case ExprKind::in_set:
      found = compared_elements(condition, local, domain);
      break;
    case ExprKind::counts_as: found = elements_topped(condition, local, domain); break;
    case ExprKind::is_in_game:
      if (is_local(condition.args[0])) return both(b().integer(Op::players_in, {}, 4));
      break;
    case ExprKind::exists:
      found = owners_of_such(condition, local, domain);
      if (!found) b().back_to(mark), found = set_where_exists(condition, local, domain);
      break;
    case ExprKind::call_value: case ExprKind::call_function: found = called_elements(condition, local, domain); break;
    default: break;
  }
  if (found) return found;
  b().back_to(mark);
  return elements_by_value(condition, local, domain);
}

// The zone on whose top lies the card that the expression names, where each element has a pile of its own: `top of
// s.cards`, or a value that says no more. The element less `from` is the pile's number.
std::optional<Lowering::Topped> Lowering::topped(const model::Expr& e, model::LocalId local) const {
  if (e.kind == ExprKind::call_value || e.kind == ExprKind::call_function) {
    const auto& parameters =
        e.kind == ExprKind::call_value ? model_.values[e.ref].parameters : model_.functions[e.ref].parameters;
    const model::Expr* body = plain_body(e);
    const bool of_it = body && e.args.size() == 1 && parameters.size() == 1 && e.args[0]->kind == ExprKind::local &&
                       e.args[0]->local == local;
    return of_it ? topped(*body, parameters[0].local) : std::nullopt;
  }
  if (e.kind != ExprKind::zone_top || !always_ordered_[e.ref]) return std::nullopt;
  const ZoneSlot& slot = program_.zones[e.ref];
  if ((slot.owners == 1) == (slot.copies == 1) || slot.owners * slot.copies > kMostBit ||
      !program_.layout.instance[slot.first].ordered)
    return std::nullopt;
  const model::Expr* index = e.args[slot.owners == 1 ? 1 : 0];
  Int from = 0;
  if (index && index->kind == ExprKind::subtract && index->args[1]->kind == ExprKind::constant)
    from = index->args[1]->value, index = index->args[0];
  return index && index->kind == ExprKind::local && index->local == local ? std::optional(Topped{Int(e.ref), from})
                                                                          : std::nullopt;
}

// The top of each element's pile is of these kinds: they are looked at all together.
std::optional<Register> Lowering::elements_topped(const model::Expr& condition, model::LocalId local, Register domain) {
  const auto pile = topped(*condition.args[0], local);
  const bool also = std::any_of(model_.alsos.begin(), model_.alsos.end(), [&](const model::Also& a) {
    return std::find(condition.values.begin(), condition.values.end(), Int(a.counts_as.index)) !=
           condition.values.end();
  });
  if (!pile || also) return std::nullopt;
  const Int down = facedown_zone_[static_cast<std::size_t>(pile->zone)];
  const Register tops = b().integer(
      Op::tops_among, {pile->zone, down >= 0 ? down : pile->zone, const_cards(cards_of_kinds(condition.values))});
  const Register which = pile->from == 0 ? tops : b().integer(Op::mask_shift, {tops, b().constant(pile->from)});
  return b().integer(Op::mask_and, {domain, which}, b().type(domain).bytes);
}

// The same as the asked player may know it: another comparison says on which piles a card lies that they don't know.
std::optional<Register> Lowering::elements_topped_as_known(const model::Expr& condition, model::LocalId local,
                                                           Register domain) {
  if (condition.kind != ExprKind::counts_as) return std::nullopt;
  const Unasked unasked(*this);
  const auto pile = topped(*condition.args[0], local);
  const auto such = pile ? elements_topped(condition, local, domain) : std::nullopt;
  if (!such) return std::nullopt;
  using Mode = Asking::Mode;
  const Asking& asked = unasked.asking;
  const int bytes = b().type(domain).bytes;
  const Register found = b().make(b().type(domain));
  b().assign(found, *such);
  // Most often no such card makes a difference.
  const Register open = asked.mode == Mode::may    ? b().integer(Op::mask_without, {domain, *such}, bytes)
                        : asked.mode == Mode::must ? *such
                                                   : domain;
  BlockIndex look = b().add_block(), after = b().add_block();
  b().branch(open, look, after);
  b().go_to(look);
  const Int down = facedown_zone_[static_cast<std::size_t>(pile->zone)];
  const auto shifted = [&](Register mask, Int by) {
    return by == 0 ? mask : b().integer(Op::mask_shift, {mask, b().constant(by)});
  };
  const Register piles = shifted(open, -pile->from);
  const Register unseen = shifted(
      b().integer(Op::tops_unknown, {pile->zone, down >= 0 ? down : pile->zone, asked.player, piles}), pile->from);
  if (asked.mode == Mode::sure) {
    b().branch(unseen, asked.unknown, after);
  } else {
    b().put(asked.mode == Mode::may ? Op::mask_or : Op::mask_without, found, {*such, unseen});
    b().jump(after);
  }
  b().go_to(after);
  return found;
}

// A number so far from unlimited that to add it and to take it away again is nothing. What a value gives is bent beyond
// its type.
bool Lowering::is_small(const model::Expr& e) const {
  const auto asks_value = [](auto&& self, const model::Expr& x) -> bool {
    if (x.kind == ExprKind::call_value || x.kind == ExprKind::call_function) return true;
    return std::any_of(x.args.begin(), x.args.end(), [&](const model::Expr* a) { return a && self(self, *a); });
  };
  return is_never_none(e) && e.type.kind == TypeKind::integer && e.type.lo > -kMostShift && e.type.hi < kMostShift &&
         !asks_value(asks_value, e);
}

// The element itself, or moved by what hangs on other things alone: `n - f.current + 1`.
bool Lowering::is_moved(const model::Expr& e, model::LocalId local) const {
  if (e.kind == ExprKind::local) return e.local == local;
  const auto moves = [&](const model::Expr& by) { return !mentions(by, local) && pure(by) && is_small(by); };
  if (e.kind == ExprKind::add && is_moved(*e.args[1], local)) return moves(*e.args[0]);
  return (e.kind == ExprKind::add || e.kind == ExprKind::subtract) && is_moved(*e.args[0], local) && moves(*e.args[1]);
}
Register Lowering::moved_by(const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::local) return b().constant(0);
  const bool last = mentions(*e.args[1], local);
  const Register before = moved_by(*e.args[last], local);
  return b().integer(e.kind == ExprKind::add ? Op::add_small : Op::sub_small, {before, expr(*e.args[!last])});
}

// The element, or what it holds, compared with something that is the same for all.
std::optional<Register> Lowering::compared_elements(const model::Expr& condition, model::LocalId local,
                                                    Register domain) {
  const bool swapped = !mentions(*condition.args[0], local);
  const model::Expr &mine = *condition.args[swapped], &other = *condition.args[!swapped];
  if (mentions(other, local)) return compared_with_fixed(condition, local, domain);
  if (!pure(other)) return std::nullopt;
  const int bytes = b().type(domain).bytes;
  const auto both = [&](Register mask) { return b().integer(Op::mask_and, {domain, mask}, bytes); };
  const auto without = [&](Register mask) { return b().integer(Op::mask_without, {domain, mask}, bytes); };
  const bool member = condition.kind == ExprKind::in_set,
             equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  if (member && (swapped || !is_mask(other.type))) return std::nullopt;
  if (is_moved(mine, local)) {
    const bool stays = mine.kind == ExprKind::local;
    if (!member && !(stays && equality) && !is_never_none(other)) return std::nullopt;
    const Register by = stays ? ir::kNoRegister : moved_by(mine, local);
    Register y = expr(other);
    if (member)
      return both(stays ? y : b().integer(Op::mask_shift, {y, b().integer(Op::sub_small, {b().constant(0), by})}));
    if (!stays) y = b().integer(Op::sub_small, {y, by});
    if (condition.kind == ExprKind::equal) return both(b().integer(Op::mask_of, {y}));
    if (condition.kind == ExprKind::not_equal) return without(b().integer(Op::mask_of, {y}));
    // below y; or, swapped, not below it
    if ((condition.kind == ExprKind::less_equal) != swapped) y = b().integer(Op::add_small, {y, b().constant(1)});
    const Register below = b().integer(Op::mask_below, {y});
    return swapped ? without(below) : both(below);
  }
  if (!has_one_each(mine, local)) return compared_lanes(condition, local, domain);
  if (equality) {
    const auto same = holding(mine, local, expr(other));
    if (!same) return std::nullopt;
    return condition.kind == ExprKind::equal ? both(*same) : without(*same);
  }
  // More than the least there is: not the least.
  const VariableSlot& slot = program_.variables[variable_of_[mine.ref]];
  if (member || slot.optional || other.kind != ExprKind::constant) return std::nullopt;
  const Int wanted =
      condition.kind == ExprKind::less_equal ? (swapped ? slot.lo + 1 : slot.lo) : (swapped ? slot.lo : slot.lo + 1);
  if (other.value != wanted) return std::nullopt;
  const auto at_least = holding(mine, local, b().constant(slot.lo));
  if (!at_least) return std::nullopt;
  return swapped ? without(*at_least) : both(*at_least);
}

// What the element holds, compared with what is fixed for each of them: `p.shown[w] >= need(w)`. One by one: values of
// a player's lie side by side, but all of them together would have to wait for the one that was just written.
std::optional<Register> Lowering::compared_with_fixed(const model::Expr& condition, model::LocalId local,
                                                      Register domain) {
  constexpr Int kFew = 8;
  const bool swapped = has_one_each(*condition.args[1], local);
  const model::Expr &mine = *condition.args[swapped], &fixed = *condition.args[!swapped];
  if (condition.kind == ExprKind::in_set || !has_one_each(mine, local)) return std::nullopt;
  const auto stride = apart(mine, local);
  const Bounds elements = bounds(env_->body->locals[local.index].type);
  if (!stride || program_.variables[variable_of_[mine.ref]].optional || elements.hi - elements.lo >= kFew)
    return std::nullopt;
  const Register found = b().make(b().type(domain)), first = index_of_first(mine, local);
  b().assign_constant(found, 0);
  for (Int element = elements.lo; element <= elements.hi; ++element) {
    const auto fits = static_value(env_, fixed, local, element);
    if (!fits || *fits == kNone) return std::nullopt;
    const Register at = b().integer(Op::add_small, {first, b().constant((element - elements.lo) * *stride)});
    const Register held = b().integer(Op::load_raw, {variable_of_[mine.ref], at}), wanted = b().constant(*fits);
    const Register holds = compared_small(condition.kind, swapped ? wanted : held, swapped ? held : wanted);
    b().put(Op::mask_or, found,
            {found, b().integer(Op::select, {holds, b().constant(Int{1} << element), b().constant(0)})});
  }
  return b().integer(Op::mask_and, {domain, found}, b().type(domain).bytes);
}

// Of numbers that are not none.
Register Lowering::compared_small(ExprKind kind, Register a, Register c) {
  const Op op = kind == ExprKind::equal       ? Op::eq
                : kind == ExprKind::not_equal ? Op::ne
                : kind == ExprKind::less      ? Op::lt_small
                                              : Op::le_small;
  return b().integer(op, {a, c}, 1);
}

// if C then A else B
std::optional<Register> Lowering::elements_by_case(const model::Expr& condition, model::LocalId local,
                                                   Register domain) {
  const model::Expr& decides = *condition.args[0];
  const int bytes = b().type(domain).bytes;
  if (mentions(decides, local)) {
    const auto yes = element_mask(decides, local, domain);
    if (!yes) return std::nullopt;
    const auto one = element_mask(*condition.args[1], local, *yes);
    const auto other =
        one ? element_mask(*condition.args[2], local, b().integer(Op::mask_without, {domain, *yes}, bytes))
            : std::nullopt;
    return other ? std::optional(b().integer(Op::mask_or, {*one, *other}, bytes)) : std::nullopt;
  }
  if (!pure(decides)) return std::nullopt;
  const Register found = b().make(b().type(domain));
  BlockIndex yes = b().add_block(), no = b().add_block(), after = b().add_block();
  branch_on(decides, yes, no);
  for (const std::size_t arm : {1, 2}) {
    b().go_to(arm == 1 ? yes : no);
    const auto mask = element_mask(*condition.args[arm], local, domain);
    if (!mask) return std::nullopt;
    b().assign(found, *mask);
    b().jump(after);
  }
  b().go_to(after);
  return found;
}

// Which argument is the element; the others have to be the same for all of them.
std::optional<std::size_t> Lowering::element_argument(const model::Expr& call, model::LocalId local) const {
  std::size_t inside = call.args.size();
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const model::Expr* a = call.args[i];
    if (!a) return std::nullopt;
    if (!mentions(*a, local)) {
      if (!pure(*a) || a->type.kind == TypeKind::list) return std::nullopt;
    } else {
      if (a->kind != ExprKind::local || inside < call.args.size()) return std::nullopt;
      inside = i;
    }
  }
  return inside < call.args.size() ? std::optional(inside) : std::nullopt;
}
std::vector<Register> Lowering::other_arguments(const model::Expr& call, std::size_t element) {
  std::vector<Register> arguments;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    arguments.push_back(i == element ? ir::kNoRegister : b().make(register_type(call.args[i]->type)));
    if (i != element) b().assign(arguments.back(), expr(*call.args[i]));
  }
  return arguments;
}

// What a value or function says of the element it is given, as if it stood here; with rules that bend the value `to`
// something.
std::optional<Register> Lowering::called_elements(const model::Expr& call, model::LocalId local, Register domain) {
  constexpr int kDeep = 4;
  const bool is_value = call.kind == ExprKind::call_value;
  const model::Value* value = is_value ? &model_.values[call.ref] : nullptr;
  const auto& parameters = is_value ? value->parameters : model_.functions[call.ref].parameters;
  const model::Expr* base = is_value ? value->base : plain_body(call);
  if (!base || called_deep_ >= kDeep || parameters.size() != call.args.size() ||
      (is_value && (value->at_least || value->at_most)))
    return std::nullopt;
  const auto element = element_argument(call, local);
  if (!element) return std::nullopt;
  const std::size_t inside = *element;
  std::vector<const model::Modifier*> bends;
  if (is_value)
    for (const model::Modifier& m : value->modifiers) {
      if (!possible(m.head)) continue;
      const model::Pattern* named = inside < m.patterns.size() ? &m.patterns[inside] : nullptr;
      const bool of_all = m.how == model::ModifyHow::to && m.head.carrier.kind == model::CarrierKind::nobody &&
                          !m.head.me.valid() && named && named->kind == model::Pattern::Kind::binds &&
                          !(m.head.when && mentions(*m.head.when, named->local));
      if (!of_all) return std::nullopt;
      bends.push_back(&m);
    }
  std::sort(bends.begin(), bends.end(), [](auto* x, auto* y) { return x->head.precedence > y->head.precedence; });

  const std::vector<Register> arguments = other_arguments(call, inside);
  const Register found = b().make(b().type(domain));
  BlockIndex after = b().add_block();
  ++called_deep_;
  bool all = true;
  const auto say = [&](const model::Expr& what, model::LocalId of) {
    const model::Expr* const outer = std::exchange(only_whether_, only_whether_ == &call ? &what : only_whether_);
    const auto mask = all ? element_mask(what, of, domain) : std::nullopt;
    only_whether_ = outer;
    all = mask.has_value();
    if (mask) b().assign(found, *mask);
    b().jump(after);
  };
  for (const model::Modifier* m : bends) {
    Env inner;
    bind_locals(inner, m->body);
    with_env(inner, [&] {
      BlockIndex no = b().add_block();
      guard(m->head, m->patterns, arguments, no);
      say(*m->amount, m->patterns[inside].local);
      b().go_to(no);
    });
  }
  Env inner;
  bind_locals(inner, is_value ? value->body : model_.functions[call.ref].body);
  with_env(inner, [&] {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (i != inside) bind(parameters[i].local, arguments[i]);
    say(*base, parameters[inside].local);
  });
  --called_deep_;
  b().go_to(after);
  return all ? std::optional(found) : std::nullopt;
}

// `any y in few has C(x, y)`: for each y those x for which it holds. What hangs on x alone is looked at before.
std::optional<Register> Lowering::set_where_exists(const model::Expr& condition, model::LocalId local,
                                                   Register domain) {
  constexpr Int kFew = 8;
  const bool wide = b().type(domain).kind == ir::RegisterKind::set;
  const model::Expr& others = *condition.args[0];
  if (wide && !b().type(domain).holds_card) return std::nullopt;
  if (mentions(others, local) || !pure(others) || !is_mask(others.type) || !others.type.elem) return std::nullopt;
  const Bounds range = bounds(*others.type.elem);
  const auto where = [&](const model::Expr& e, Register in) {
    return wide ? set_where(e, local, in) : element_mask(e, local, in);
  };
  std::vector<const model::Expr*> parts = conjuncts(*condition.args[1]);
  for (const model::Expr* part : parts)
    if (!pure(*part)) return std::nullopt;
  while (!parts.empty() && !mentions(*parts[0], condition.local) && !wants_something(*parts[0])) {
    const auto left = where(*parts[0], domain);
    if (!left) return std::nullopt;
    domain = *left;
    parts.erase(parts.begin());
  }
  if (parts.empty()) return std::nullopt;
  if (wide) {                                              // by a number of theirs, for all cards at once
    const model::Expr* all = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      rewritten_.push_back(*condition.args[1]);            // an `and`
      rewritten_.back().args = {all, parts[i]};
      all = &rewritten_.back();
    }
    rewritten_.push_back(condition);
    rewritten_.back().args[1] = all;
    if (auto found = cards_by_number(rewritten_.back(), local, domain)) return found;
  }
  if (range.hi - range.lo >= kFew) return std::nullopt;
  const Register found = b().make(b().type(domain)), whom = expr(others);
  if (wide) b().put(Op::set_empty, found, {});
  else b().assign_constant(found, 0);
  bool all = true;
  look_through(whom, false, [&](Register element) {
    bind(condition.local, element);
    Register left = domain;
    for (const model::Expr* part : parts) {
      const auto next = all ? where(*part, left) : std::nullopt;
      all = next.has_value();
      if (all) left = *next;
    }
    if (all) b().put(wide ? Op::set_or : Op::mask_or, found, {found, left});
  });
  return all ? std::optional(found) : std::nullopt;
}

// `any c in p.hand has C(c)`, of players: such cards in anybody's hand at once, and then who holds one.
std::optional<Register> Lowering::owners_of_such(const model::Expr& condition, model::LocalId local, Register domain) {
  const model::Expr &zone = *condition.args[0], &such = *condition.args[1];
  const bool of_player = env_->body->locals[local.index].type.kind == TypeKind::player;
  if (!of_player || zone.kind != ExprKind::zone || zone.args.size() != 1 || !zone.args[0] ||
      zone.args[0]->kind != ExprKind::local || zone.args[0]->local != local)
    return std::nullopt;
  if (program_.zones[zone.ref].copies != 1 || mentions(such, local) || !pure(such)) return std::nullopt;
  std::vector<Register> held;
  Register all = b().set(Op::set_empty, {});
  for (Int p = 0; p < model_.players; ++p) {
    held.push_back(zone_set(zone.ref, b().constant(program_.zones[zone.ref].first + p)));
    const Register asked = b().integer(Op::mask_has, {domain, b().constant(p)}, 1);
    all = b().set(Op::set_or, {all, b().set(Op::set_select, {asked, held.back(), b().set(Op::set_empty, {})})});
  }
  const auto found = set_where(such, condition.local, all);
  if (!found) return std::nullopt;
  if (only_whether_ == &condition) return b().integer(Op::set_any, {*found}, 1);
  Register owners = b().constant(0);
  for (Int p = 0; p < model_.players; ++p) {
    const Register has =
        b().integer(Op::set_any, {b().set(Op::set_and, {held[static_cast<std::size_t>(p)], *found})}, 1);
    owners =
        b().integer(Op::mask_or, {owners, b().integer(Op::select, {has, b().constant(Int{1} << p), b().constant(0)})});
  }
  return b().integer(Op::mask_and, {domain, owners}, b().type(domain).bytes);
}

// ---------------------------------------------------------------- by a number of theirs

// A condition that hangs on its element by one number alone, with a local in the number's place.
struct Lowering::ByNumber {
  const model::Expr* condition;
  const model::Expr* number;
  model::LocalId stands_for_it;
  Env env;
};

std::optional<Lowering::ByNumber> Lowering::by_number(const model::Expr& condition, model::LocalId local,
                                                      const std::function<bool(const model::Expr&)>& is_number) {
  const model::Expr* number = nullptr;
  const auto by_one = [&](auto&& self, const model::Expr& e) -> bool {
    if (e.kind == ExprKind::local && e.local == local) return false;
    if (is_number(e)) {
      if (number && (number->kind != e.kind || number->ref != e.ref)) return false;
      number = &e;
      return true;
    }
    return std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return !a || self(self, *a); });
  };
  if (!env_->body || local.index >= env_->body->locals.size() || !by_one(by_one, condition) || !number ||
      !pure(condition))
    return std::nullopt;
  ByNumber made{nullptr, number, model::LocalId{static_cast<std::uint32_t>(env_->body->locals.size())}, *env_};
  rewritten_for_.push_back({env_->body->locals, {}, false});
  rewritten_for_.back().locals.push_back({"", number->type, condition.range});
  made.env.body = &rewritten_for_.back();
  made.env.places.resize(rewritten_for_.back().locals.size());
  const auto rewritten = [&](auto&& self, const model::Expr& e) -> const model::Expr* {
    model::Expr copy = e;
    if (is_number(e)) {
      copy.kind = ExprKind::local;
      copy.local = made.stands_for_it;
      copy.args.clear();
    }
    for (const model::Expr*& a : copy.args)
      if (a && mentions(*a, local)) a = self(self, *a);
    rewritten_.push_back(std::move(copy));
    return &rewritten_.back();
  };
  made.condition = rewritten(rewritten, condition);
  return made;
}

// The ids of the cards that a domain of the local can hold at most.
std::vector<Int> Lowering::could_hold(Register domain, model::LocalId local) const {
  if (const auto* among = builder_->among(domain)) return *among;
  const model::Type& type = env_->body->locals[local.index].type;
  std::vector<Int> ids;
  for (std::size_t id = 0; id < id_card_.size(); ++id) {
    if (id_card_[id] < 0) continue;
    auto of = std::optional(model_.kinds[model_.cards[id_card_[id]].kind.index].type);
    while (type.ref < model_.card_types.size() && of && of->index != type.ref) of = model_.card_types[of->index].base;
    if (of) ids.push_back(Int(id));
  }
  return ids;
}

// Where what stands on a card decides: first for which numbers it holds, then which cards have them.
std::optional<Register> Lowering::cards_by_number(const model::Expr& condition, model::LocalId local, Register domain) {
  constexpr Int kChunk = 5;                                // bits that are looked up together
  const auto is_number = [&](const model::Expr& e) {
    const bool small =
        e.type.kind == TypeKind::integer || (e.type.kind == TypeKind::enumeration && !is_wide_element(e.type));
    return e.kind == ExprKind::attribute && small && e.args[0]->kind == ExprKind::local && e.args[0]->local == local &&
           e.args[0]->type.kind == TypeKind::card;
  };
  auto made = by_number(condition, local, is_number);
  if (!made) return std::nullopt;
  std::vector<Int> printed(id_card_.size(), kNone);
  Word numbers = 0;
  for (const Int id : could_hold(domain, local)) {
    if (id_card_[id] < 0) continue;
    const Int number = printed[id] = model_.cards[id_card_[id]].attributes[made->number->ref];
    if (number < 0 || number > kMostBit) return std::nullopt;
    numbers |= Word{1} << number;
  }
  if (numbers == 0) return std::nullopt;
  const Int lo = std::countr_zero(numbers), hi = 63 - std::countl_zero(numbers);
  model::Type& type = rewritten_for_.back().locals.back().type;
  type.optional = false;
  if (type.kind == TypeKind::integer) type.lo = lo, type.hi = hi;
  const auto mark = b().mark();
  std::optional<Register> which;
  with_env(made->env, [&] {
    which = element_mask(*made->condition, made->stands_for_it, b().constant(static_cast<Int>(numbers)));
  });
  if (!which) {
    b().back_to(mark);
    return std::nullopt;
  }
  Register found = ir::kNoRegister;
  for (Int first = lo; first <= hi; first += kChunk) {
    std::vector<Int> words;
    for (Word chosen = 0; chosen < Word{1} << std::min(kChunk, hi - first + 1); ++chosen)
      for (std::size_t w = 0; w < static_cast<std::size_t>(program_.layout.words); ++w) {
        Word cards = 0;
        for (std::size_t id = 64 * w; id < std::min(printed.size(), 64 * (w + 1)); ++id)
          if (printed[id] >= first && printed[id] < first + kChunk && (chosen >> (printed[id] - first) & 1))
            cards |= Word{1} << (id & 63);
        words.push_back(static_cast<Int>(cards));
      }
    const Register some = b().integer(
        Op::mask_and, {b().integer(Op::mask_shift, {*which, b().constant(-first)}), b().constant((1 << kChunk) - 1)});
    const Register cards = b().set(Op::set_table, {table_index(std::move(words)), some});
    found = found == ir::kNoRegister ? cards : b().set(Op::set_or, {found, cards});
  }
  return b().set(Op::set_and, {domain, found});
}

// Where there are fewer values of a variable than elements, and the variable decides.
std::optional<Register> Lowering::elements_by_value(const model::Expr& condition, model::LocalId local,
                                                    Register domain) {
  const auto is_number = [&](const model::Expr& e) {
    return e.kind == ExprKind::variable && e.args.size() == 1 && has_one_each(e, local);
  };
  auto made = by_number(condition, local, is_number);
  if (!made) return std::nullopt;
  const VariableSlot& slot = program_.variables[variable_of_[made->number->ref]];
  if (slot.hi - slot.lo > 15 || slot.hi > kMostBit || slot.lo < 0 || 2 * (slot.hi - slot.lo + 2) > slot.count)
    return std::nullopt;
  const Register found = b().make(b().type(domain));
  b().assign_constant(found, 0);
  const auto who_have = [&](Register value) {
    return b().integer(Op::mask_and, {domain, *holding(*made->number, local, value)});
  };
  const auto look = [&](Register value) {
    const Register who = who_have(value);
    BlockIndex some = b().add_block(), yes = b().add_block(), next = b().add_block();
    b().branch(who, some, next);
    b().go_to(some);
    with_env(made->env, [&] {
      bind(made->stands_for_it, value);
      branch_on(*made->condition, yes, next);
    });
    b().go_to(yes);
    b().put(Op::mask_or, found, {found, who});
    b().jump(next);
    b().go_to(next);
  };
  model::Type& type = rewritten_for_.back().locals.back().type;
  if (type.optional) look(b().constant(kNone));
  type.optional = false;
  const Register values = b().constant(((Int{1} << (slot.hi - slot.lo + 1)) - 1) << slot.lo);
  const auto mark = b().mark();
  std::optional<Register> which;
  with_env(made->env, [&] { which = element_mask(*made->condition, made->stands_for_it, values); });
  if (!which) {
    b().back_to(mark);
    for_each(values, false, look);
    return found;
  }
  for (Int value = slot.lo; value <= slot.hi; ++value) {
    const Register theirs = b().integer(Op::select, {b().integer(Op::mask_has, {*which, b().constant(value)}, 1),
                                                     who_have(b().constant(value)), b().constant(0)});
    b().put(Op::mask_or, found, {found, theirs});
  }
  return found;
}

}  // namespace cardwright::lower
