// Emits the IR code of plans over players, constants and small numbers, whose results are masks.
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/plans/emit_plan.h"
#include "compiler/lower/rules/patterns.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::ExprKind;
using model::LocalId;

namespace {

Register inside(const FunctionContext& code, Register domain, Register mask) {
  return code.integer(Op::mask_and, {domain, mask}, code.type(domain).bytes);
}

Register rest(const FunctionContext& code, Register domain, Register mask) {
  return code.integer(Op::mask_without, {domain, mask}, code.type(domain).bytes);
}

Register index_of_first(const FunctionContext& code, const model::Expr& variable, LocalId element, Int first) {
  const Place place = code.env().places[element.index];
  const auto constant = code.env().constant(element);
  bind_constant(code, element, first);
  const Register index = flat_index(code, code.model.variables[variable.ref], variable.args, 0);
  code.env().places[element.index] = place;
  code.env().constants[element.index] = constant;
  return index;
}

// Returns the mask of the elements whose variable has this value. The bits of the mask represent elements, not flat
// indices.
Register holders(const FunctionContext& code, const plan::Holding& plan, Register value) {
  const Bounds elements = bounds(code.unit, code.env().type(plan.element));
  const std::int64_t variable = code.unit.ids.variable[plan.variable->ref];
  Register found = code.integer(Op::holders, {variable, value});
  if (plan.variable->args.size() > 1)
    found = code.integer(Op::mask_every, {found, index_of_first(code, *plan.variable, plan.element, elements.lo),
                                          plan.stride, elements.hi - elements.lo + 1});
  return elements.lo == 0 ? found : code.integer(Op::mask_shift, {found, code.constant(elements.lo)});
}

Register moved_by(const FunctionContext& code, const model::Expr& e, LocalId element) {
  if (e.kind == ExprKind::local) return code.constant(0);
  const view::pair its(e);
  const bool last = mentions(*its.right(), element);
  const Register before = moved_by(code, last ? *its.right() : *its.left(), element);
  return code.integer(e.kind == ExprKind::add ? Op::add_small : Op::sub_small,
                      {before, expr(code, last ? *its.left() : *its.right())});
}

// Compares numbers that are not none.
Register compared_small(const FunctionContext& code, ExprKind kind, Register a, Register c) {
  const Op op = kind == ExprKind::equal       ? Op::eq
                : kind == ExprKind::not_equal ? Op::ne
                : kind == ExprKind::less      ? Op::lt_small
                                              : Op::le_small;
  return code.integer(op, {a, c}, 1);
}

}   // namespace

std::vector<Register> other_arguments(const FunctionContext& code, const model::Expr& call, std::size_t element) {
  std::vector<Register> arguments;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    arguments.push_back(i == element ? ir::kNoRegister : code.make(register_type(code.unit, call.args[i]->type)));
    if (i != element) code.assign(arguments.back(), expr(code, *call.args[i]));
  }
  return arguments;
}

// ---------------------------------------------------------------- cases

Register emit(const FunctionContext& code, const plan::ByCase& plan, LocalId local, Register domain) {
  const Register found = code.make(code.type(domain));
  const BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  branch_on(code, *plan.condition, yes, no);
  for (const bool holds : {true, false}) {
    code.go_to(holds ? yes : no);
    code.assign(found, emit_plan(code, holds ? *plan.then : *plan.otherwise, local, domain));
    code.jump(after);
  }
  code.go_to(after);
  return found;
}

Register emit(const FunctionContext& code, const plan::ByCases& plan, LocalId local, Register domain) {
  const Register yes = emit_plan(code, *plan.condition, local, domain);
  const Register then = emit_plan(code, *plan.then, local, yes);
  const Register otherwise = emit_plan(code, *plan.otherwise, local, rest(code, domain, yes));
  return code.integer(Op::mask_or, {then, otherwise}, code.type(domain).bytes);
}

Register emit(const FunctionContext& code, const plan::Called& plan, LocalId, Register domain) {
  const bool is_value = plan.call->kind == ExprKind::call_value;
  const std::uint32_t ref = plan.call->ref;
  const auto& parameters = is_value ? code.model.values[ref].parameters : code.model.functions[ref].parameters;
  const std::vector<Register> arguments = other_arguments(code, *plan.call, plan.element);
  const Register found = code.make(code.type(domain));
  const BlockIndex after = code.add_block();
  const auto say = [&](const FunctionContext& there, const plan::Plan& what, LocalId element) {
    code.assign(found, emit_plan(there, what, element, domain));
    code.jump(after);
  };
  for (const plan::Called::Modified& modified : plan.to) {
    Env names;
    bind_locals(names, modified.rule->body);
    const FunctionContext modifying = code.in(names).deeper();
    const BlockIndex no = code.add_block();
    guard(modifying, modified.rule->head, modified.rule->patterns, arguments, no);
    say(modifying, *modified.what, modified.rule->patterns[plan.element].local);
    code.go_to(no);
  }
  Env names;
  bind_locals(names, is_value ? code.model.values[ref].body : code.model.functions[ref].body);
  const FunctionContext called = code.in(names).deeper();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i != plan.element) bind(called, parameters[i].local, arguments[i]);
  say(called, *plan.base, parameters[plan.element].local);
  code.go_to(after);
  return found;
}

// ---------------------------------------------------------------- variables of elements

Register emit(const FunctionContext& code, const plan::Holding& plan, LocalId, Register domain) {
  const Register value = plan.value ? expr(code, *plan.value) : code.constant(plan.constant);
  const Register mask = holders(code, plan, value);
  return plan.without ? rest(code, domain, mask) : inside(code, domain, mask);
}

Register emit(const FunctionContext& code, const plan::Moved& plan, LocalId, Register domain) {
  const bool stays = plan.mine->kind == ExprKind::local;
  const Register by = stays ? ir::kNoRegister : moved_by(code, *plan.mine, plan.element);
  Register y = expr(code, *plan.other);
  if (plan.comparison == ExprKind::in_set)
    return inside(code, domain,
                  stays ? y : code.integer(Op::mask_shift, {y, code.integer(Op::sub_small, {code.constant(0), by})}));
  if (!stays) y = code.integer(Op::sub_small, {y, by});
  if (plan.comparison == ExprKind::equal) return inside(code, domain, code.integer(Op::mask_of, {y}));
  if (plan.comparison == ExprKind::not_equal) return rest(code, domain, code.integer(Op::mask_of, {y}));
  // Selects the elements below y or, if the operands are swapped, those not below y.
  if ((plan.comparison == ExprKind::less_equal) != plan.swapped) y = code.integer(Op::add_small, {y, code.constant(1)});
  const Register below = code.integer(Op::mask_below, {y});
  return plan.swapped ? rest(code, domain, below) : inside(code, domain, below);
}

Register emit(const FunctionContext& code, const plan::EachCompared& plan, LocalId, Register domain) {
  const Register found = code.make(code.type(domain)),
                 first = index_of_first(code, *plan.mine, plan.element, plan.first);
  code.assign_constant(found, 0);
  for (std::size_t i = 0; i < plan.wanted.size(); ++i) {
    const Int element = plan.first + static_cast<Int>(i);
    const Register at = code.integer(Op::add_small, {first, code.constant(static_cast<Int>(i) * plan.stride)});
    const Register held = code.integer(Op::load_raw, {code.unit.ids.variable[plan.mine->ref], at}),
                   wanted = code.constant(plan.wanted[i]);
    const Register holds =
        compared_small(code, plan.comparison, plan.swapped ? wanted : held, plan.swapped ? held : wanted);
    code.put(Op::mask_or, found,
             {found, code.integer(Op::select, {holds, code.constant(Int{1} << element), code.constant(0)})});
  }
  return inside(code, domain, found);
}

Register emit(const FunctionContext& code, const plan::ByValue& plan, LocalId, Register domain) {
  Env names = code.env();
  static_cast<plan::Names&>(names) = *plan.names;
  names.places.resize(names.body->locals.size());
  const FunctionContext of_value = code.in(names);
  const Register found = code.make(code.type(domain));
  code.assign_constant(found, 0);
  const auto who_have = [&](Register value) {
    return code.integer(Op::mask_and, {domain, holders(code, plan.holding, value)});
  };
  const auto look = [&](Register value) {
    const Register who = who_have(value);
    const BlockIndex some = code.add_block(), yes = code.add_block(), next = code.add_block();
    code.branch(who, some, next);
    code.go_to(some);
    bind(of_value, plan.value, value);
    branch_on(of_value, *plan.condition, yes, next);
    code.go_to(yes);
    code.put(Op::mask_or, found, {found, who});
    code.jump(next);
    code.go_to(next);
  };
  if (plan.or_none) look(code.constant(kNone));
  const Register values = code.constant(((Int{1} << (plan.hi - plan.lo + 1)) - 1) << plan.lo);
  if (!plan.which) {
    for_each(code, values, look);
    return found;
  }
  const Register which = emit_plan(of_value, *plan.which, plan.value, values);
  for (Int value = plan.lo; value <= plan.hi; ++value) {
    const Register theirs = code.integer(Op::select, {code.integer(Op::mask_has, {which, code.constant(value)}, 1),
                                                      who_have(code.constant(value)), code.constant(0)});
    code.put(Op::mask_or, found, {found, theirs});
  }
  return found;
}

// ---------------------------------------------------------------- players, piles and zones

Register emit(const FunctionContext& code, const plan::InGame&, LocalId, Register domain) {
  return inside(code, domain, code.integer(Op::players_in, {}, 4));
}

Register emit(const FunctionContext& code, const plan::Without& plan, LocalId, Register domain) {
  Register empty = code.integer(Op::owners_without, {plan.zone}, 4);
  if (plan.facedown >= 0)
    empty = code.integer(Op::mask_and, {empty, code.integer(Op::owners_without, {plan.facedown}, 4)}, 4);
  return inside(code, domain, empty);
}

// Limits the result to the deciding player's knowledge. If the player does not know a pile's top card, the pile is
// possible but not certain.
static Register as_known(const FunctionContext& code, const plan::Topped& plan, Register domain, Register such) {
  using Mode = Asking::Mode;
  const Mode mode = code.asking.mode;
  const Register found = code.make(code.type(domain));
  code.assign(found, such);
  // The piles for which an unknown top card would change the result. If there are none, the code below is skipped.
  const Register open = mode == Mode::may ? rest(code, domain, such) : mode == Mode::must ? such : domain;
  const BlockIndex look = code.add_block(), after = code.add_block();
  code.branch(open, look, after);
  code.go_to(look);
  const auto shifted = [&](Register mask, Int by) {
    return by == 0 ? mask : code.integer(Op::mask_shift, {mask, code.constant(by)});
  };
  const Register piles = shifted(open, -plan.from);
  const Int down = plan.facedown >= 0 ? plan.facedown : plan.zone;
  const Register unknown =
      shifted(code.integer(Op::tops_unknown, {plan.zone, down, code.asking.player, piles}), plan.from);
  if (mode == Mode::sure) {
    code.branch(unknown, code.asking.unknown, after);
  } else {
    code.put(mode == Mode::may ? Op::mask_or : Op::mask_without, found, {such, unknown});
    code.jump(after);
  }
  code.go_to(after);
  return found;
}

Register emit(const FunctionContext& code, const plan::Topped& plan, LocalId, Register domain) {
  const Register tops = code.integer(
      Op::tops_among, {plan.zone, plan.facedown >= 0 ? plan.facedown : plan.zone, const_cards(code, plan.cards)});
  const Register which = plan.from == 0 ? tops : code.integer(Op::mask_shift, {tops, code.constant(plan.from)});
  const Register such = inside(code, domain, which);
  return plan.asked ? as_known(code, plan, domain, such) : such;
}

Register emit(const FunctionContext& code, const plan::OwnersOf& plan, LocalId, Register domain) {
  std::vector<Register> held;
  Register all = code.set(Op::set_empty, {});
  for (Int p = 0; p < code.model.players; ++p) {
    held.push_back(zone_set(code, plan.zone, code.constant(code.program.zones[plan.zone].first + p)));
    const Register asked = code.integer(Op::mask_has, {domain, code.constant(p)}, 1);
    all = code.set(Op::set_or, {all, code.set(Op::set_select, {asked, held.back(), code.set(Op::set_empty, {})})});
  }
  const Register found = emit_plan(code, *plan.such, plan.card, all);
  if (plan.only_whether) return code.integer(Op::set_any, {found});
  Register owners = code.constant(0);
  for (Int p = 0; p < code.model.players; ++p) {
    const Register has =
        code.integer(Op::set_any, {code.set(Op::set_and, {held[static_cast<std::size_t>(p)], found})}, 1);
    owners = code.integer(Op::mask_or,
                          {owners, code.integer(Op::select, {has, code.constant(Int{1} << p), code.constant(0)})});
  }
  return inside(code, domain, owners);
}

}   // namespace cardwright::lower
