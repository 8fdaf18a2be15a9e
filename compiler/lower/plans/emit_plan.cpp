// Emits the IR code of plans: steps for any domain, and steps for cards and cells. emit_masks.cpp emits all other
// steps.
#include "compiler/lower/plans/emit_plan.h"

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::LocalId;

namespace {

Register inside(const FunctionContext& code, Register domain, Register those) {
  return takes_words(code, domain) ? code.set(Op::set_and, {domain, those})
                                   : code.integer(Op::mask_and, {domain, those}, code.type(domain).bytes);
}

Register rest(const FunctionContext& code, Register domain, Register those) {
  return takes_words(code, domain) ? code.set(Op::set_without, {domain, those})
                                   : code.integer(Op::mask_without, {domain, those}, code.type(domain).bytes);
}

Register inside_or_rest(const FunctionContext& code, Register domain, Register those, bool without) {
  return without ? rest(code, domain, those) : inside(code, domain, those);
}

// ---------------------------------------------------------------- any domain

Register emit(const FunctionContext& code, const plan::Uniform& plan, LocalId, Register domain) {
  const Register holds = expr(code, *plan.condition);
  if (!takes_words(code, domain))
    return code.integer(Op::select, {holds, domain, code.constant(0)}, code.type(domain).bytes);
  const Register none = code.make(code.type(domain));
  code.put(Op::set_empty, none, {});
  return code.set(Op::set_select, {holds, domain, none});
}

Register emit(const FunctionContext& code, const plan::Both& plan, LocalId local, Register domain) {
  return emit_plan(code, *plan.second, local, emit_plan(code, *plan.first, local, domain));
}

Register emit(const FunctionContext& code, const plan::Either& plan, LocalId local, Register domain) {
  const Register first = emit_plan(code, *plan.first, local, domain);
  const Register second = emit_plan(code, *plan.second, local, plan.rest_only ? rest(code, domain, first) : domain);
  return takes_words(code, domain) ? code.set(Op::set_or, {first, second})
                                   : code.integer(Op::mask_or, {first, second}, code.type(domain).bytes);
}

Register emit(const FunctionContext& code, const plan::Not& plan, LocalId local, Register domain) {
  return rest(code, domain, emit_plan(code, *plan.what, local, domain));
}

Register emit(const FunctionContext& code, const plan::IfAny& plan, LocalId local, Register domain) {
  const Register found = code.make(code.type(domain));
  make_empty(code, found);
  const BlockIndex some = code.add_block(), after = code.add_block();
  code.branch(has_any(code, domain), some, after);
  code.go_to(some);
  code.assign(found, emit_plan(code, *plan.what, local, domain));
  code.jump(after);
  code.go_to(after);
  return found;
}

Register emit(const FunctionContext& code, const plan::AnyOther& plan, LocalId local, Register domain) {
  for (const plan::PlanRef& part : plan.before) domain = emit_plan(code, *part, local, domain);
  const Register found = code.make(code.type(domain)), whom = expr(code, *plan.others);
  make_empty(code, found);
  look_through(code, whom, [&](const FunctionContext& looking, Register element) {
    bind(looking, plan.other, element);
    Register left = domain;
    for (const plan::PlanRef& part : plan.parts) left = emit_plan(looking, *part, local, left);
    code.put(takes_words(code, domain) ? Op::set_or : Op::mask_or, found, {found, left});
  });
  return found;
}

Register emit(const FunctionContext& code, const plan::Inlined& plan, LocalId, Register domain) {
  const bool is_value = plan.call->kind == model::ExprKind::call_value;
  const auto& parameters =
      is_value ? code.model.values[plan.call->ref].parameters : code.model.functions[plan.call->ref].parameters;
  Env names;
  bind_locals(names, *plan.names->body);
  names.constants = plan.names->constants;
  const FunctionContext called = plan.nests ? code.in(names).inlined(plan.call->ref) : code.in(names);
  for (std::size_t i = 0; i < plan.call->args.size(); ++i) {
    const LocalId parameter = parameters[i].local;
    if (i != plan.element && !names.constant(parameter)) bind(called, parameter, expr(code, *plan.call->args[i]));
  }
  return emit_plan(called, *plan.what, parameters[plan.element].local, domain);
}

// ---------------------------------------------------------------- cards and cells

Register emit(const FunctionContext& code, const plan::Fixed& plan, LocalId, Register domain) {
  return code.set(Op::set_and, {domain, const_cards(code, plan.ids)});
}

Register emit(const FunctionContext& code, const plan::CountsAs& plan, LocalId, Register domain) {
  const Register printed = code.set(Op::set_and, {domain, const_cards(code, cards_of_kinds(code.unit, *plan.kinds))});
  const Register holder = plan.holder ? expr(code, *plan.holder) : ir::kNoRegister;
  return code.set(Op::set_or, {printed, also_set(code, *plan.kinds, domain, holder)});
}

Register emit(const FunctionContext& code, const plan::Member& plan, LocalId, Register domain) {
  return code.set(Op::set_and, {domain, expr(code, *plan.set)});
}

Register emit(const FunctionContext& code, const plan::Looked& plan, LocalId, Register domain) {
  Register index = expr(code, *plan.number);
  if (plan.ordered) index = code.integer(Op::add, {index, code.constant(0)});
  if (plan.clamp)
    index = code.integer(
        Op::min, {code.integer(Op::max, {index, code.constant(plan.clamp->lo)}), code.constant(plan.clamp->hi)});
  if (plan.first) index = code.integer(Op::sub_small, {index, code.constant(*plan.first)});
  const Register those = code.set(Op::set_table, {table_index(code.unit, plan.lines), index});
  if (!code.type(domain).holds_card) code.holds_no_card(those);
  return inside_or_rest(code, domain, those, plan.without);
}

Register emit(const FunctionContext& code, const plan::MemberByValue& plan, LocalId, Register domain) {
  const Register wanted = expr(code, *plan.wanted);
  Register found = code.set(Op::set_empty, {});
  for (const auto& [value, cards] : plan.cards) {
    const Register has = code.integer(Op::mask_has, {wanted, code.constant(value)}, 1);
    found = code.set(Op::set_or,
                     {found, code.set(Op::set_select, {has, const_cards(code, cards), code.set(Op::set_empty, {})})});
  }
  return code.set(Op::set_and, {domain, found});
}

Register emit(const FunctionContext& code, const plan::One& plan, LocalId, Register domain) {
  const Register one = code.make(code.type(domain));
  code.put(Op::set_of, one, {expr(code, *plan.which)});
  return inside_or_rest(code, domain, one, plan.without);
}

Register emit(const FunctionContext& code, const plan::Knows& plan, LocalId, Register domain) {
  if (plan.zone) return code.set(Op::set_and, {domain, known_in(code, *plan.zone, *plan.who)});
  return code.set(Op::set_known, {expr(code, *plan.who), domain});
}

Register emit(const FunctionContext& code, const plan::ByNumber& plan, LocalId, Register domain) {
  Env names = code.env();
  static_cast<plan::Names&>(names) = *plan.names;
  names.places.resize(names.body->locals.size());
  const Register which =
      emit_plan(code.in(names), *plan.which, plan.number, code.constant(static_cast<Int>(plan.numbers)));
  Register found = ir::kNoRegister;
  for (const plan::ByNumber::Chunk& chunk : plan.chunks) {
    const Register some = code.integer(
        Op::mask_and,
        {code.integer(Op::mask_shift, {which, code.constant(-chunk.first)}), code.constant((1 << plan.bits) - 1)});
    const Register cards = code.set(Op::set_table, {table_index(code.unit, chunk.lines), some});
    found = found == ir::kNoRegister ? cards : code.set(Op::set_or, {found, cards});
  }
  return code.set(Op::set_and, {domain, found});
}

Register emit(const FunctionContext& code, const plan::ByEdge& plan, LocalId, Register domain) {
  const Register cells = code.set(Op::set_mapped, {expr(code, *plan.edges), table_index(code.unit, plan.cell_by_edge)});
  code.holds_no_card(cells);
  return code.set(Op::set_and, {domain, cells});
}

Register emit(const FunctionContext& code, const plan::Shifted& plan, LocalId, Register domain) {
  Register target = ir::kNoRegister;
  if (plan.one) {
    target = code.make(code.type(domain));
    code.put(Op::set_of, target, {expr(code, *plan.target)});
  } else {
    target = plan.target ? expr(code, *plan.target) : universe(code, plan.steps.front()->type);
  }
  for (const model::Expr* step : plan.steps)
    target = shift(code, target, board_of(code.unit, step->type), *view::step(step).direction(), true);
  return inside_or_rest(code, domain, target, plan.without);
}

Register emit(const FunctionContext& code, const plan::AnyWay& plan, LocalId local, Register domain) {
  const Register found = code.make(code.type(domain));
  code.put(Op::set_empty, found, {});
  for (const auto& [way, some] : plan.ways) {
    bind_constant(code, plan.way, way);
    code.put(Op::set_or, found, {found, emit_plan(code, *some, local, domain)});
  }
  return found;
}

Register emit(const FunctionContext& code, const plan::InLanes& plan, LocalId, Register domain) {
  return emit_lanes(code, plan, domain);
}

}   // namespace

Register emit_plan(const FunctionContext& code, const plan::Plan& plan, LocalId local, Register domain) {
  return std::visit([&](const auto& how) { return emit(code, how, local, domain); }, plan.how);
}

}   // namespace cardwright::lower
