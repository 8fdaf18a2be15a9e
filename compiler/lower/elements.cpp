// Conditions over players, parts of areas and small numbers as algebra of masks. And conditions over cards or elements
// that hang on one small number of theirs alone (a rank, who owns it): worked out for all numbers at once, and then
// looked up.
#include "compiler/lower/elements.h"

#include <algorithm>
#include <bit>

#include "compiler/lower/calls.h"
#include "compiler/lower/constants.h"
#include "compiler/lower/events.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/lanes.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/masks.h"
#include "compiler/lower/places.h"
#include "compiler/lower/sets.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

struct Topped {
  Int zone, from;
};

struct ByNumber;

static std::optional<Register> element_mask_all(const FunctionContext& code, const model::Expr& condition,
                                                model::LocalId local, Register domain);
static std::optional<Register> compared_elements(const FunctionContext& code, const model::Expr& condition,
                                                 model::LocalId local, Register domain);
static std::optional<Register> compared_with_fixed(const FunctionContext& code, const model::Expr& condition,
                                                   model::LocalId local, Register domain);
static std::optional<Register> elements_by_case(const FunctionContext& code, const model::Expr& condition,
                                                model::LocalId local, Register domain);
static std::optional<Register> called_elements(const FunctionContext& code, const model::Expr& call,
                                               model::LocalId local, Register domain);
static std::optional<Register> elements_by_value(const FunctionContext& code, const model::Expr& condition,
                                                 model::LocalId local, Register domain);
static Register compared_small(const FunctionContext& code, model::ExprKind kind, Register a, Register c);
static std::optional<Register> elements_topped(const FunctionContext& code, const model::Expr& condition,
                                               model::LocalId local, Register domain);
static std::optional<Register> owners_of_such(const FunctionContext& code, const model::Expr& condition,
                                              model::LocalId local, Register domain);

namespace {
constexpr Int kMostBit = 60;
constexpr Int kMostShift = 1 << 20;
}  // namespace

// ---------------------------------------------------------------- what an element holds

// Is it a value that each element of the local's type has one of, and that can be looked up by value: `x.owner`,
// `p.shown[x]`?
static bool has_one_each(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  if (e.kind != ExprKind::variable || is_wide(code.unit, e.type) || e.type.kind == TypeKind::set ||
      e.type.kind == TypeKind::list)
    return false;
  const VariableSlot& slot = code.program.variables[code.unit.ids.variable[e.ref]];
  const Bounds elements = bounds(code.unit, code.environment->body->locals[local.index].type);
  if (slot.is_set || slot.initial == kUnset || slot.count > 64 || elements.lo < 0 || elements.hi > kMostBit)
    return false;
  int by_element = 0;
  for (const model::Expr* index : e.args) {
    if (!index || !(index->kind == ExprKind::local && index->local == local
                        ? ++by_element
                        : !mentions(*index, local) && pure(code.unit, *index)))
      return false;
  }
  return by_element == 1;
}

// How far apart the values of two elements lie that come one after the other, and where the first one's is.
static std::optional<Int> apart(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  const model::Variable& variable = code.model.variables[e.ref];
  const Bounds elements = bounds(code.unit, code.environment->body->locals[local.index].type);
  std::vector<Bounds> dimensions;
  if (variable.per_player) dimensions.push_back({0, code.model.players - 1});
  for (const model::Type& type : variable.indices) dimensions.push_back(bounds(code.unit, type));
  Int stride = 1, mine = 0;
  for (std::size_t i = e.args.size(); i-- > 0; stride *= dimensions[i].hi - dimensions[i].lo + 1)
    if (e.args[i]->kind == ExprKind::local && e.args[i]->local == local) {
      if (dimensions[i].lo != elements.lo || dimensions[i].hi != elements.hi) return std::nullopt;
      mine = stride;
    }
  return mine;
}
static Register index_of_first(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  const Place place = code.environment->places[local.index];
  bind_constant(code, local, bounds(code.unit, code.environment->body->locals[local.index].type).lo);
  const Register first = flat_index(code, code.model.variables[e.ref], e.args, 0);
  code.environment->places[local.index] = place;
  return first;
}

// The mask of the elements (not flat indices) whose value it is.
static std::optional<Register> holding(const FunctionContext& code, const model::Expr& e, model::LocalId local,
                                       Register value) {
  const auto stride = has_one_each(code, e, local) ? apart(code, e, local) : std::nullopt;
  if (!stride) return std::nullopt;
  const Bounds elements = bounds(code.unit, code.environment->body->locals[local.index].type);
  Register found = code.integer(Op::holders, {code.unit.ids.variable[e.ref], value});
  if (e.args.size() > 1)
    found =
        code.integer(Op::mask_every, {found, index_of_first(code, e, local), *stride, elements.hi - elements.lo + 1});
  return elements.lo == 0 ? found : code.integer(Op::mask_shift, {found, code.constant(elements.lo)});
}

// ---------------------------------------------------------------- conditions

std::optional<Register> element_mask(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                     Register domain) {
  const bool in_parts = condition.kind == ExprKind::logical_and || condition.kind == ExprKind::logical_or ||
                        condition.kind == ExprKind::logical_not;
  const bool whole = !in_parts || !mentions(condition, local);
  if (!whole || !wants_something(code, condition)) return element_mask_all(code, condition, local, domain);
  return if_any(code, domain, [&] { return element_mask_all(code, condition, local, domain); });
}

static std::optional<Register> element_mask_all(const FunctionContext& code, const model::Expr& condition,
                                                model::LocalId local, Register domain) {
  const auto is_local = [&](const model::Expr* e) { return e && e->kind == ExprKind::local && e->local == local; };
  const int bytes = code.type(domain).bytes;
  const auto both = [&](Register mask) { return code.integer(Op::mask_and, {domain, mask}, bytes); };
  const auto holds = [&](const model::Expr& e, Int value) -> std::optional<Register> {
    const auto mask = holding(code, e, local, code.constant(value));
    return mask ? std::optional(both(*mask)) : std::nullopt;
  };
  if (!mentions(condition, local)) {
    if (!pure(code.unit, condition)) return std::nullopt;
    return code.integer(Op::select, {expr(code, condition), domain, code.constant(0)}, bytes);
  }
  const auto mark = code.mark();
  std::optional<Register> found;
  switch (condition.kind) {
    case ExprKind::logical_or: {
      auto one = element_mask(code, *view::logical_or(condition).left(), local, domain);
      if (!one) return std::nullopt;
      auto other = element_mask(code, *view::logical_or(condition).right(), local,
                                code.integer(Op::mask_without, {domain, *one}, bytes));
      if (!other) return std::nullopt;
      return code.integer(Op::mask_or, {*one, *other}, bytes);
    }
    case ExprKind::logical_and: {
      auto one = element_mask(code, *view::logical_and(condition).left(), local, domain);
      return one ? element_mask(code, *view::logical_and(condition).right(), local, *one) : std::nullopt;
    }
    case ExprKind::logical_not: {
      auto inner = element_mask(code, *view::logical_not(condition).operand(), local, domain);
      if (!inner) return std::nullopt;
      return code.integer(Op::mask_without, {domain, *inner}, bytes);
    }
    case ExprKind::conditional: return elements_by_case(code, condition, local, domain);
    case ExprKind::is_empty: {
      const model::Expr& zone = *view::is_empty(condition).set();
      const bool of_player = code.environment->body->locals[local.index].type.kind == TypeKind::player;
      if (!of_player || zone.kind != ExprKind::zone || zone.args.empty() || !is_local(zone.args[0]) ||
          code.program.zones[zone.ref].copies != 1)
        break;
      Register empty = code.integer(Op::owners_without, {Int(zone.ref)}, 4);
      if (code.unit.ids.facedown_zone[zone.ref] >= 0)
        empty = code.integer(Op::mask_and,
                             {empty, code.integer(Op::owners_without, {code.unit.ids.facedown_zone[zone.ref]}, 4)}, 4);
      return both(empty);
    }
    case ExprKind::variable: found = holds(condition, 1); break;
    case ExprKind::is_none: found = holds(*view::is_none(condition).operand(), kNone); break;
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::less:
    case ExprKind::less_equal:
    case ExprKind::in_set: found = compared_elements(code, condition, local, domain); break;
    case ExprKind::counts_as: found = elements_topped(code, condition, local, domain); break;
    case ExprKind::is_in_game:
      if (is_local(view::is_in_game(condition).player())) return both(code.integer(Op::players_in, {}, 4));
      break;
    case ExprKind::exists:
      found = owners_of_such(code, condition, local, domain);
      if (!found) code.back_to(mark), found = set_where_exists(code, condition, local, domain);
      break;
    case ExprKind::call_value:
    case ExprKind::call_function: found = called_elements(code, condition, local, domain); break;
    default: break;
  }
  if (found) return found;
  code.back_to(mark);
  return elements_by_value(code, condition, local, domain);
}

// The zone on whose top lies the card that the expression names, where each element has a pile of its own: `top of
// s.cards`, or a value that says no more. The element less `from` is the pile's number.
static std::optional<Topped> topped(const ProgramContext& unit, const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::call_value || e.kind == ExprKind::call_function) {
    const auto& parameters =
        e.kind == ExprKind::call_value ? unit.model.values[e.ref].parameters : unit.model.functions[e.ref].parameters;
    const model::Expr* body = plain_body(unit, e);
    const bool of_it = body && e.args.size() == 1 && parameters.size() == 1 && e.args[0]->kind == ExprKind::local &&
                       e.args[0]->local == local;
    return of_it ? topped(unit, *body, parameters[0].local) : std::nullopt;
  }
  if (e.kind != ExprKind::zone_top || !unit.facts.always_ordered[e.ref]) return std::nullopt;
  const ZoneSlot& slot = unit.program.zones[e.ref];
  if ((slot.owners == 1) == (slot.copies == 1) || slot.owners * slot.copies > kMostBit ||
      !unit.program.layout.instance[slot.first].ordered)
    return std::nullopt;
  const model::Expr* index = e.args[slot.owners == 1 ? 1 : 0];
  Int from = 0;
  if (index && index->kind == ExprKind::subtract && view::subtract(index).right()->kind == ExprKind::constant)
    from = index->args[1]->value, index = index->args[0];
  return index && index->kind == ExprKind::local && index->local == local ? std::optional(Topped{Int(e.ref), from})
                                                                          : std::nullopt;
}

// The top of each element's pile is of these kinds: they are looked at all together.
static std::optional<Register> elements_topped(const FunctionContext& code, const model::Expr& condition,
                                               model::LocalId local, Register domain) {
  const auto pile = topped(code.unit, *condition.args[0], local);
  const bool also = std::any_of(code.model.alsos.begin(), code.model.alsos.end(), [&](const model::Also& a) {
    return std::find(condition.values.begin(), condition.values.end(), Int(a.counts_as.index)) !=
           condition.values.end();
  });
  if (!pile || also) return std::nullopt;
  const Int down = code.unit.ids.facedown_zone[static_cast<std::size_t>(pile->zone)];
  const Register tops = code.integer(Op::tops_among, {pile->zone, down >= 0 ? down : pile->zone,
                                                      const_cards(code, cards_of_kinds(code.unit, condition.values))});
  const Register which = pile->from == 0 ? tops : code.integer(Op::mask_shift, {tops, code.constant(pile->from)});
  return code.integer(Op::mask_and, {domain, which}, code.type(domain).bytes);
}

// The same as the asked player may know it: another comparison says on which piles a card lies that they don't know.
std::optional<Register> elements_topped_as_known(const FunctionContext& code, const model::Expr& condition,
                                                 model::LocalId local, Register domain) {
  if (condition.kind != ExprKind::counts_as) return std::nullopt;
  const auto pile = topped(code.unit, *condition.args[0], local);
  const auto such = pile ? elements_topped(code.unasked(), condition, local, domain) : std::nullopt;
  if (!such) return std::nullopt;
  using Mode = Asking::Mode;
  const Asking& asked = code.asking;
  const int bytes = code.type(domain).bytes;
  const Register found = code.make(code.type(domain));
  code.assign(found, *such);
  // Most often no such card makes a difference.
  const Register open = asked.mode == Mode::may    ? code.integer(Op::mask_without, {domain, *such}, bytes)
                        : asked.mode == Mode::must ? *such
                                                   : domain;
  BlockIndex look = code.add_block(), after = code.add_block();
  code.branch(open, look, after);
  code.go_to(look);
  const Int down = code.unit.ids.facedown_zone[static_cast<std::size_t>(pile->zone)];
  const auto shifted = [&](Register mask, Int by) {
    return by == 0 ? mask : code.integer(Op::mask_shift, {mask, code.constant(by)});
  };
  const Register piles = shifted(open, -pile->from);
  const Register unseen = shifted(
      code.integer(Op::tops_unknown, {pile->zone, down >= 0 ? down : pile->zone, asked.player, piles}), pile->from);
  if (asked.mode == Mode::sure) {
    code.branch(unseen, asked.unknown, after);
  } else {
    code.put(asked.mode == Mode::may ? Op::mask_or : Op::mask_without, found, {*such, unseen});
    code.jump(after);
  }
  code.go_to(after);
  return found;
}

// A number so far from unlimited that to add it and to take it away again is nothing. What a value gives is bent beyond
// its type.
bool is_small(const ProgramContext& unit, const model::Expr& e) {
  const auto asks_value = [](auto&& self, const model::Expr& x) -> bool {
    if (x.kind == ExprKind::call_value || x.kind == ExprKind::call_function) return true;
    return std::any_of(x.args.begin(), x.args.end(), [&](const model::Expr* a) { return a && self(self, *a); });
  };
  return is_never_none(unit, e) && e.type.kind == TypeKind::integer && e.type.lo > -kMostShift &&
         e.type.hi < kMostShift && !asks_value(asks_value, e);
}

// The element itself, or moved by what hangs on other things alone: `n - f.current + 1`.
static bool is_moved(const ProgramContext& unit, const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::local) return e.local == local;
  const auto moves = [&](const model::Expr& by) {
    return !mentions(by, local) && pure(unit, by) && is_small(unit, by);
  };
  if (e.kind == ExprKind::add && is_moved(unit, *view::add(e).right(), local)) return moves(*view::add(e).left());
  return (e.kind == ExprKind::add || e.kind == ExprKind::subtract) && is_moved(unit, *e.args[0], local) &&
         moves(*e.args[1]);
}
static Register moved_by(const FunctionContext& code, const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::local) return code.constant(0);
  const bool last = mentions(*e.args[1], local);
  const Register before = moved_by(code, *e.args[last], local);
  return code.integer(e.kind == ExprKind::add ? Op::add_small : Op::sub_small, {before, expr(code, *e.args[!last])});
}

// The element, or what it holds, compared with something that is the same for all.
static std::optional<Register> compared_elements(const FunctionContext& code, const model::Expr& condition,
                                                 model::LocalId local, Register domain) {
  const bool swapped = !mentions(*condition.args[0], local);
  const model::Expr &mine = *condition.args[swapped], &other = *condition.args[!swapped];
  if (mentions(other, local)) return compared_with_fixed(code, condition, local, domain);
  if (!pure(code.unit, other)) return std::nullopt;
  const int bytes = code.type(domain).bytes;
  const auto both = [&](Register mask) { return code.integer(Op::mask_and, {domain, mask}, bytes); };
  const auto without = [&](Register mask) { return code.integer(Op::mask_without, {domain, mask}, bytes); };
  const bool member = condition.kind == ExprKind::in_set,
             equality = condition.kind == ExprKind::equal || condition.kind == ExprKind::not_equal;
  if (member && (swapped || !is_mask(code.unit, other.type))) return std::nullopt;
  if (is_moved(code.unit, mine, local)) {
    const bool stays = mine.kind == ExprKind::local;
    if (!member && !(stays && equality) && !is_never_none(code.unit, other)) return std::nullopt;
    const Register by = stays ? ir::kNoRegister : moved_by(code, mine, local);
    Register y = expr(code, other);
    if (member)
      return both(stays ? y : code.integer(Op::mask_shift, {y, code.integer(Op::sub_small, {code.constant(0), by})}));
    if (!stays) y = code.integer(Op::sub_small, {y, by});
    if (condition.kind == ExprKind::equal) return both(code.integer(Op::mask_of, {y}));
    if (condition.kind == ExprKind::not_equal) return without(code.integer(Op::mask_of, {y}));
    // below y; or, swapped, not below it
    if ((condition.kind == ExprKind::less_equal) != swapped) y = code.integer(Op::add_small, {y, code.constant(1)});
    const Register below = code.integer(Op::mask_below, {y});
    return swapped ? without(below) : both(below);
  }
  if (!has_one_each(code, mine, local)) return compared_lanes(code, condition, local, domain);
  if (equality) {
    const auto same = holding(code, mine, local, expr(code, other));
    if (!same) return std::nullopt;
    return condition.kind == ExprKind::equal ? both(*same) : without(*same);
  }
  // More than the least there is: not the least.
  const VariableSlot& slot = code.program.variables[code.unit.ids.variable[mine.ref]];
  if (member || slot.optional || other.kind != ExprKind::constant) return std::nullopt;
  const Int wanted =
      condition.kind == ExprKind::less_equal ? (swapped ? slot.lo + 1 : slot.lo) : (swapped ? slot.lo : slot.lo + 1);
  if (other.value != wanted) return std::nullopt;
  const auto at_least = holding(code, mine, local, code.constant(slot.lo));
  if (!at_least) return std::nullopt;
  return swapped ? without(*at_least) : both(*at_least);
}

// What the element holds, compared with what is fixed for each of them: `p.shown[w] >= need(w)`. One by one: values of
// a player's lie side by side, but all of them together would have to wait for the one that was just written.
static std::optional<Register> compared_with_fixed(const FunctionContext& code, const model::Expr& condition,
                                                   model::LocalId local, Register domain) {
  constexpr Int kFew = 8;
  const bool swapped = has_one_each(code, *condition.args[1], local);
  const model::Expr &mine = *condition.args[swapped], &fixed = *condition.args[!swapped];
  if (condition.kind == ExprKind::in_set || !has_one_each(code, mine, local)) return std::nullopt;
  const auto stride = apart(code, mine, local);
  const Bounds elements = bounds(code.unit, code.environment->body->locals[local.index].type);
  if (!stride || code.program.variables[code.unit.ids.variable[mine.ref]].optional || elements.hi - elements.lo >= kFew)
    return std::nullopt;
  const Register found = code.make(code.type(domain)), first = index_of_first(code, mine, local);
  code.assign_constant(found, 0);
  for (Int element = elements.lo; element <= elements.hi; ++element) {
    const auto fits = static_value(code.unit, code.environment, fixed, local, element);
    if (!fits || *fits == kNone) return std::nullopt;
    const Register at = code.integer(Op::add_small, {first, code.constant((element - elements.lo) * *stride)});
    const Register held = code.integer(Op::load_raw, {code.unit.ids.variable[mine.ref], at}),
                   wanted = code.constant(*fits);
    const Register holds = compared_small(code, condition.kind, swapped ? wanted : held, swapped ? held : wanted);
    code.put(Op::mask_or, found,
             {found, code.integer(Op::select, {holds, code.constant(Int{1} << element), code.constant(0)})});
  }
  return code.integer(Op::mask_and, {domain, found}, code.type(domain).bytes);
}

// Of numbers that are not none.
static Register compared_small(const FunctionContext& code, ExprKind kind, Register a, Register c) {
  const Op op = kind == ExprKind::equal       ? Op::eq
                : kind == ExprKind::not_equal ? Op::ne
                : kind == ExprKind::less      ? Op::lt_small
                                              : Op::le_small;
  return code.integer(op, {a, c}, 1);
}

// if C then A else B
static std::optional<Register> elements_by_case(const FunctionContext& code, const model::Expr& condition,
                                                model::LocalId local, Register domain) {
  const view::conditional its(condition);
  const model::Expr& decides = *its.condition();
  const int bytes = code.type(domain).bytes;
  if (mentions(decides, local)) {
    const auto yes = element_mask(code, decides, local, domain);
    if (!yes) return std::nullopt;
    const auto one = element_mask(code, *its.then(), local, *yes);
    const auto other =
        one ? element_mask(code, *its.otherwise(), local, code.integer(Op::mask_without, {domain, *yes}, bytes))
            : std::nullopt;
    return other ? std::optional(code.integer(Op::mask_or, {*one, *other}, bytes)) : std::nullopt;
  }
  if (!pure(code.unit, decides)) return std::nullopt;
  const Register found = code.make(code.type(domain));
  BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  branch_on(code, decides, yes, no);
  for (const std::size_t arm : {1, 2}) {
    code.go_to(arm == 1 ? yes : no);
    const auto mask = element_mask(code, *condition.args[arm], local, domain);
    if (!mask) return std::nullopt;
    code.assign(found, *mask);
    code.jump(after);
  }
  code.go_to(after);
  return found;
}

// Which argument is the element; the others have to be the same for all of them.
std::optional<std::size_t> element_argument(const ProgramContext& unit, const model::Expr& call, model::LocalId local) {
  std::size_t inside = call.args.size();
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const model::Expr* a = call.args[i];
    if (!a) return std::nullopt;
    if (!mentions(*a, local)) {
      if (!pure(unit, *a) || a->type.kind == TypeKind::list) return std::nullopt;
    } else {
      if (a->kind != ExprKind::local || inside < call.args.size()) return std::nullopt;
      inside = i;
    }
  }
  return inside < call.args.size() ? std::optional(inside) : std::nullopt;
}
std::vector<Register> other_arguments(const FunctionContext& code, const model::Expr& call, std::size_t element) {
  std::vector<Register> arguments;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    arguments.push_back(i == element ? ir::kNoRegister : code.make(register_type(code.unit, call.args[i]->type)));
    if (i != element) code.assign(arguments.back(), expr(code, *call.args[i]));
  }
  return arguments;
}

// What a value or function says of the element it is given, as if it stood here; with rules that bend the value `to`
// something.
static std::optional<Register> called_elements(const FunctionContext& code, const model::Expr& call,
                                               model::LocalId local, Register domain) {
  constexpr int kDeep = 4;
  const bool is_value = call.kind == ExprKind::call_value;
  const model::Value* value = is_value ? &code.model.values[call.ref] : nullptr;
  const auto& parameters = is_value ? value->parameters : code.model.functions[call.ref].parameters;
  const model::Expr* base = is_value ? value->base : plain_body(code.unit, call);
  if (!base || code.called_deep >= kDeep || parameters.size() != call.args.size() ||
      (is_value && (value->at_least || value->at_most)))
    return std::nullopt;
  const auto element = element_argument(code.unit, call, local);
  if (!element) return std::nullopt;
  const std::size_t inside = *element;
  const analysis::ValueRules rules = is_value ? possible_rules(code.unit, *value) : analysis::ValueRules{};
  if (!rules.only_to()) return std::nullopt;
  for (const model::Modifier* m : rules.to) {
    const model::Pattern* named = inside < m->patterns.size() ? &m->patterns[inside] : nullptr;
    const bool of_all = m->head.carrier.kind == model::CarrierKind::nobody && !m->head.me.valid() && named &&
                        named->kind == model::Pattern::Kind::binds &&
                        !(m->head.when && mentions(*m->head.when, named->local));
    if (!of_all) return std::nullopt;
  }

  const std::vector<Register> arguments = other_arguments(code, call, inside);
  const Register found = code.make(code.type(domain));
  BlockIndex after = code.add_block();
  bool all = true;
  const auto say = [&](const FunctionContext& code, const model::Expr& what, model::LocalId of) {
    const FunctionContext asks = code.asking_whether(code.only_whether == &call ? &what : code.only_whether);
    const auto mask = all ? element_mask(asks, what, of, domain) : std::nullopt;
    all = mask.has_value();
    if (mask) code.assign(found, *mask);
    code.jump(after);
  };
  for (const model::Modifier* m : rules.to) {
    Env inner;
    bind_locals(inner, m->body);
    const FunctionContext bending = code.in(inner).deeper();
    BlockIndex no = code.add_block();
    guard(bending, m->head, m->patterns, arguments, no);
    say(bending, *m->amount, m->patterns[inside].local);
    code.go_to(no);
  }
  Env inner;
  bind_locals(inner, is_value ? value->body : code.model.functions[call.ref].body);
  const FunctionContext called = code.in(inner).deeper();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i != inside) bind(called, parameters[i].local, arguments[i]);
  say(called, *base, parameters[inside].local);
  code.go_to(after);
  return all ? std::optional(found) : std::nullopt;
}

// `any y in few has C(x, y)`: for each y those x for which it holds. What hangs on x alone is looked at before.
std::optional<Register> set_where_exists(const FunctionContext& code, const model::Expr& condition,
                                         model::LocalId local, Register domain) {
  const view::exists its(condition);
  constexpr Int kFew = 8;
  const bool wide = code.type(domain).kind == ir::RegisterKind::set;
  const model::Expr& others = *its.domain();
  if (wide && !code.type(domain).holds_card) return std::nullopt;
  if (mentions(others, local) || !pure(code.unit, others) || !is_mask(code.unit, others.type) || !others.type.elem)
    return std::nullopt;
  const Bounds range = bounds(code.unit, *others.type.elem);
  const auto where = [&](const FunctionContext& code, const model::Expr& e, Register in) {
    return wide ? set_where(code, e, local, in) : element_mask(code, e, local, in);
  };
  std::vector<const model::Expr*> parts = conjuncts(*its.condition());
  for (const model::Expr* part : parts)
    if (!pure(code.unit, *part)) return std::nullopt;
  while (!parts.empty() && !mentions(*parts[0], condition.local) && !wants_something(code, *parts[0])) {
    const auto left = where(code, *parts[0], domain);
    if (!left) return std::nullopt;
    domain = *left;
    parts.erase(parts.begin());
  }
  if (parts.empty()) return std::nullopt;
  if (wide) {   // by a number of theirs, for all cards at once
    const model::Expr* all = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      code.unit.rewritten.push_back(*its.condition());   // an `and`
      code.unit.rewritten.back().args = {all, parts[i]};
      all = &code.unit.rewritten.back();
    }
    code.unit.rewritten.push_back(condition);
    code.unit.rewritten.back().args[1] = all;
    if (auto found = cards_by_number(code, code.unit.rewritten.back(), local, domain)) return found;
  }
  if (range.hi - range.lo >= kFew) return std::nullopt;
  const Register found = code.make(code.type(domain)), whom = expr(code, others);
  if (wide)
    code.put(Op::set_empty, found, {});
  else
    code.assign_constant(found, 0);
  bool all = true;
  look_through(code, whom, false, [&](const FunctionContext& code, Register element) {
    bind(code, condition.local, element);
    Register left = domain;
    for (const model::Expr* part : parts) {
      const auto next = all ? where(code, *part, left) : std::nullopt;
      all = next.has_value();
      if (all) left = *next;
    }
    if (all) code.put(wide ? Op::set_or : Op::mask_or, found, {found, left});
  });
  return all ? std::optional(found) : std::nullopt;
}

// `any c in p.hand has C(c)`, of players: such cards in anybody's hand at once, and then who holds one.
static std::optional<Register> owners_of_such(const FunctionContext& code, const model::Expr& condition,
                                              model::LocalId local, Register domain) {
  const view::exists its(condition);
  const model::Expr &zone = *its.domain(), &such = *its.condition();
  const bool of_player = code.environment->body->locals[local.index].type.kind == TypeKind::player;
  if (!of_player || zone.kind != ExprKind::zone || zone.args.size() != 1 || !zone.args[0] ||
      zone.args[0]->kind != ExprKind::local || zone.args[0]->local != local)
    return std::nullopt;
  if (code.program.zones[zone.ref].copies != 1 || mentions(such, local) || !pure(code.unit, such)) return std::nullopt;
  std::vector<Register> held;
  Register all = code.set(Op::set_empty, {});
  for (Int p = 0; p < code.model.players; ++p) {
    held.push_back(zone_set(code, zone.ref, code.constant(code.program.zones[zone.ref].first + p)));
    const Register asked = code.integer(Op::mask_has, {domain, code.constant(p)}, 1);
    all = code.set(Op::set_or, {all, code.set(Op::set_select, {asked, held.back(), code.set(Op::set_empty, {})})});
  }
  const auto found = set_where(code, such, condition.local, all);
  if (!found) return std::nullopt;
  if (code.only_whether == &condition) return code.integer(Op::set_any, {*found}, 1);
  Register owners = code.constant(0);
  for (Int p = 0; p < code.model.players; ++p) {
    const Register has =
        code.integer(Op::set_any, {code.set(Op::set_and, {held[static_cast<std::size_t>(p)], *found})}, 1);
    owners = code.integer(Op::mask_or,
                          {owners, code.integer(Op::select, {has, code.constant(Int{1} << p), code.constant(0)})});
  }
  return code.integer(Op::mask_and, {domain, owners}, code.type(domain).bytes);
}

// ---------------------------------------------------------------- by a number of theirs

// A condition that hangs on its element by one number alone, with a local in the number's place.
struct ByNumber {
  const model::Expr* condition;
  const model::Expr* number;
  model::LocalId stands_for_it;
  Env env;
};

static std::optional<ByNumber> by_number(const FunctionContext& code, const model::Expr& condition,
                                         model::LocalId local,
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
  if (!code.environment->body || local.index >= code.environment->body->locals.size() || !by_one(by_one, condition) ||
      !number || !pure(code.unit, condition))
    return std::nullopt;
  ByNumber made{nullptr, number, model::LocalId{static_cast<std::uint32_t>(code.environment->body->locals.size())},
                *code.environment};
  code.unit.rewritten_for.push_back({code.environment->body->locals, {}, false});
  code.unit.rewritten_for.back().locals.push_back({"", number->type, condition.range});
  made.env.body = &code.unit.rewritten_for.back();
  made.env.places.resize(code.unit.rewritten_for.back().locals.size());
  const auto rewritten = [&](auto&& self, const model::Expr& e) -> const model::Expr* {
    model::Expr copy = e;
    if (is_number(e)) {
      copy.kind = ExprKind::local;
      copy.local = made.stands_for_it;
      copy.args.clear();
    }
    for (const model::Expr*& a : copy.args)
      if (a && mentions(*a, local)) a = self(self, *a);
    code.unit.rewritten.push_back(std::move(copy));
    return &code.unit.rewritten.back();
  };
  made.condition = rewritten(rewritten, condition);
  return made;
}

// The ids of the cards that a domain of the local can hold at most.
static std::vector<Int> could_hold(const FunctionContext& code, Register domain, model::LocalId local) {
  if (const auto* among = code.among(domain)) return *among;
  const model::Type& type = code.environment->body->locals[local.index].type;
  std::vector<Int> ids;
  for (std::size_t id = 0; id < code.unit.ids.card.size(); ++id) {
    if (code.unit.ids.card[id] < 0) continue;
    auto of = std::optional(code.model.kinds[code.model.cards[code.unit.ids.card[id]].kind.index].type);
    while (type.ref < code.model.card_types.size() && of && of->index != type.ref)
      of = code.model.card_types[of->index].base;
    if (of) ids.push_back(Int(id));
  }
  return ids;
}

// Where what stands on a card decides: first for which numbers it holds, then which cards have them.
std::optional<Register> cards_by_number(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                        Register domain) {
  constexpr Int kChunk = 5;   // bits that are looked up together
  const auto is_number = [&](const model::Expr& e) {
    const bool small = e.type.kind == TypeKind::integer ||
                       (e.type.kind == TypeKind::enumeration && !is_wide_element(code.unit, e.type));
    return e.kind == ExprKind::attribute && small && view::attribute(e).of()->kind == ExprKind::local &&
           view::attribute(e).of()->local == local && e.args[0]->type.kind == TypeKind::card;
  };
  auto made = by_number(code, condition, local, is_number);
  if (!made) return std::nullopt;
  std::vector<Int> printed(code.unit.ids.card.size(), kNone);
  Word numbers = 0;
  for (const Int id : could_hold(code, domain, local)) {
    if (code.unit.ids.card[id] < 0) continue;
    const Int number = printed[id] = code.model.cards[code.unit.ids.card[id]].attributes[made->number->ref];
    if (number < 0 || number > kMostBit) return std::nullopt;
    numbers |= Word{1} << number;
  }
  if (numbers == 0) return std::nullopt;
  const Int lo = std::countr_zero(numbers), hi = 63 - std::countl_zero(numbers);
  model::Type& type = code.unit.rewritten_for.back().locals.back().type;
  type.optional = false;
  if (type.kind == TypeKind::integer) type.lo = lo, type.hi = hi;
  const auto mark = code.mark();
  std::optional<Register> which;
  which =
      element_mask(code.in(made->env), *made->condition, made->stands_for_it, code.constant(static_cast<Int>(numbers)));
  if (!which) {
    code.back_to(mark);
    return std::nullopt;
  }
  Register found = ir::kNoRegister;
  for (Int first = lo; first <= hi; first += kChunk) {
    std::vector<Int> words;
    for (Word chosen = 0; chosen < Word{1} << std::min(kChunk, hi - first + 1); ++chosen)
      for (std::size_t w = 0; w < static_cast<std::size_t>(code.program.layout.words); ++w) {
        Word cards = 0;
        for (std::size_t id = 64 * w; id < std::min(printed.size(), 64 * (w + 1)); ++id)
          if (printed[id] >= first && printed[id] < first + kChunk && (chosen >> (printed[id] - first) & 1))
            cards |= Word{1} << (id & 63);
        words.push_back(static_cast<Int>(cards));
      }
    const Register some = code.integer(Op::mask_and, {code.integer(Op::mask_shift, {*which, code.constant(-first)}),
                                                      code.constant((1 << kChunk) - 1)});
    const Register cards = code.set(Op::set_table, {table_index(code.unit, std::move(words)), some});
    found = found == ir::kNoRegister ? cards : code.set(Op::set_or, {found, cards});
  }
  return code.set(Op::set_and, {domain, found});
}

// Where there are fewer values of a variable than elements, and the variable decides.
static std::optional<Register> elements_by_value(const FunctionContext& code, const model::Expr& condition,
                                                 model::LocalId local, Register domain) {
  const auto is_number = [&](const model::Expr& e) {
    return e.kind == ExprKind::variable && e.args.size() == 1 && has_one_each(code, e, local);
  };
  auto made = by_number(code, condition, local, is_number);
  if (!made) return std::nullopt;
  const VariableSlot& slot = code.program.variables[code.unit.ids.variable[made->number->ref]];
  if (slot.hi - slot.lo > 15 || slot.hi > kMostBit || slot.lo < 0 || 2 * (slot.hi - slot.lo + 2) > slot.count)
    return std::nullopt;
  const Register found = code.make(code.type(domain));
  code.assign_constant(found, 0);
  const auto who_have = [&](Register value) {
    return code.integer(Op::mask_and, {domain, *holding(code, *made->number, local, value)});
  };
  const auto look = [&](Register value) {
    const Register who = who_have(value);
    BlockIndex some = code.add_block(), yes = code.add_block(), next = code.add_block();
    code.branch(who, some, next);
    code.go_to(some);
    bind(code.in(made->env), made->stands_for_it, value);
    branch_on(code.in(made->env), *made->condition, yes, next);
    code.go_to(yes);
    code.put(Op::mask_or, found, {found, who});
    code.jump(next);
    code.go_to(next);
  };
  model::Type& type = code.unit.rewritten_for.back().locals.back().type;
  if (type.optional) look(code.constant(kNone));
  type.optional = false;
  const Register values = code.constant(((Int{1} << (slot.hi - slot.lo + 1)) - 1) << slot.lo);
  const auto mark = code.mark();
  std::optional<Register> which;
  which = element_mask(code.in(made->env), *made->condition, made->stands_for_it, values);
  if (!which) {
    code.back_to(mark);
    for_each(code, values, false, look);
    return found;
  }
  for (Int value = slot.lo; value <= slot.hi; ++value) {
    const Register theirs = code.integer(Op::select, {code.integer(Op::mask_has, {*which, code.constant(value)}, 1),
                                                      who_have(code.constant(value)), code.constant(0)});
    code.put(Op::mask_or, found, {found, theirs});
  }
  return found;
}

}  // namespace cardwright::lower
