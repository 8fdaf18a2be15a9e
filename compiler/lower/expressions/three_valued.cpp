// Lowers conditions as three-valued logic over the knowledge of the deciding player. For a condition that depends on
// hidden information, the code tests whether the condition is possible or whether it is certain. Other expressions
// (numbers, sets, function results) are evaluated on the actual state, but evaluation stops before it reads hidden
// information for the first time. The result is therefore the same in all worlds that the player cannot distinguish.
// analysis/secrecy.h determines which expressions are lowered in this way.
#include "compiler/lower/expressions/three_valued.h"

#include <algorithm>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/unknown_cards.h"
#include "compiler/lower/expressions/values.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static void branch_if_else(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
static void branch_exists(const FunctionContext& code, const model::Expr& domain, model::LocalId local,
                          const model::Expr& condition, BlockIndex yes, BlockIndex no);
static ir::FunctionIndex forget_function(ProgramContext& unit);

// ---------------------------------------------------------------- conditions

void branch_asked(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  using Mode = Asking::Mode;
  const Mode mode = code.asking.mode;
  const Mode turned = mode == Mode::may ? Mode::must : mode == Mode::must ? Mode::may : Mode::sure;
  switch (e.kind) {
    case ExprKind::logical_not: return branch_on(code.asked(turned), *view::logical_not(e).operand(), no, yes);
    case ExprKind::logical_and:
    case ExprKind::logical_or: {
      const view::pair its(e);
      const bool both = e.kind == ExprKind::logical_and;
      BlockIndex second = code.add_block();
      branch_on(code, *its.left(), both ? second : yes, both ? no : second);
      code.go_to(second);
      return branch_on(code, *its.right(), yes, no);
    }
    default: break;
  }
  if (mode == Mode::sure) return code.branch(expr(code, e), yes, no);
  const FunctionContext surely = code.asked({code.asking.player, Mode::sure, mode == Mode::may ? yes : no});
  const FunctionContext in_mode = surely.asked(mode);
  switch (e.kind) {
    case ExprKind::conditional: return branch_if_else(in_mode, e, yes, no);
    case ExprKind::exists:
      if (view::exists(e).domain()->type.kind == TypeKind::list) break;
      return branch_exists(in_mode, *view::exists(e).domain(), e.local, *view::exists(e).condition(), yes, no);
    case ExprKind::is_empty: {
      const model::Expr& of = *view::is_empty(e).set();
      if (of.kind != ExprKind::filter || view::filter(of).domain()->type.kind == TypeKind::list) break;
      const view::filter its(of);
      return branch_exists(surely.asked(turned), *its.domain(), of.local, *its.condition(), no, yes);
    }
    case ExprKind::call_value:
    case ExprKind::call_function: {
      constexpr int kDeep = 4;
      const std::size_t wanted = e.kind == ExprKind::call_value ? code.model.values[e.ref].parameters.size()
                                                                : code.model.functions[e.ref].parameters.size();
      const bool lists = std::any_of(e.args.begin(), e.args.end(),
                                     [](const model::Expr* a) { return !a || a->type.kind == TypeKind::list; });
      if (code.called_deep >= kDeep || lists || wanted != e.args.size() || !body_of_call(code.unit, e)) break;
      return with_called(surely, e, [&](const FunctionContext& inner, const model::Expr& body) {
        branch_on(inner.asked(mode), body, yes, no);
      });
    }
    default: break;
  }
  code.branch(expr(surely, e), yes, no);
}

// Lowers `if C then A else B`. It is possible if C and A are possible, or if not-C and B are possible. It is certain if
// A is certain or C is impossible, and also B is certain or C is certain.
static void branch_if_else(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const view::conditional its(e);
  using Mode = Asking::Mode;
  const bool may = code.asking.mode == Mode::may;
  const auto on = [&](Mode mode, const model::Expr& part, BlockIndex y, BlockIndex n) {
    branch_on(code.asked({code.asking.player, mode, mode == Mode::may ? y : n}), part, y, n);
  };
  BlockIndex then = code.add_block(), rest = code.add_block(), other = code.add_block();
  on(Mode::may, *its.condition(), then, other);
  code.go_to(then);
  on(code.asking.mode, *its.then(), may ? yes : rest, may ? rest : no);
  code.go_to(rest);
  on(Mode::must, *its.condition(), may ? no : yes, other);
  code.go_to(other);
  on(code.asking.mode, *its.otherwise(), yes, no);
}

// Tests the condition for each element. An unknown card may satisfy any condition that its zone does not contradict.
static void branch_exists(const FunctionContext& outer, const model::Expr& domain, model::LocalId local,
                          const model::Expr& condition, BlockIndex yes, BlockIndex no) {
  const Taken code(outer, local, &domain);
  const bool cards = is_wide(code.unit, domain.type);
  const auto each = [&](Register those, Fact of) {
    code.env().facts.put(local, of);
    std::vector<const model::Expr*> parts = conjuncts(condition);
    const Register left = narrowed(code, those, cards, local, parts);
    if (parts.empty()) {
      BlockIndex none = code.add_block();
      code.branch(cards ? code.integer(Op::set_any, {left}, 1) : code.integer(Op::ne, {left, code.constant(0)}, 1), yes,
                  none);
      return code.go_to(none);
    }
    for_each(code, left, [&](Register element) {
      BlockIndex next = code.add_block();
      bind(code, local, element);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        BlockIndex so = i + 1 < parts.size() ? code.add_block() : yes;
        branch_on(code, *parts[i], so, next);
        code.go_to(so == yes ? next : so);
      }
    });
  };
  const Fact sure = fact(code, domain);
  const bool must = code.asking.mode == Asking::Mode::must, depends = reads(code, domain);
  // Evaluates the domain. If it depends on information hidden from the deciding player, the condition is possible but
  // not certain.
  const auto surely = [&] {
    return expr(code.asked({code.asking.player, Asking::Mode::sure, must ? no : yes}), domain);
  };
  if (!holds_cards(domain.type) || (sure.named && (must || !depends))) {
    each(surely(), sure);
    return code.jump(no);
  }
  const Offered apart = !must     ? offered_domain_where(code, domain, local, {&condition})
                        : depends ? distinguishable_cards(code, surely())
                                  : distinguishable_cards(code, domain);
  each(apart.fitting, kSeen);
  if (apart.unknown != ir::kNoRegister && !(must && sure.is_mixed()))
    each(apart.unknown, {.placed = true, .unknown = true});
  code.jump(no);
}

// ---------------------------------------------------------------- calls

// Returns the version of the value or function that stops before it reads information hidden from the deciding player.
// The deciding player is the last parameter.
static ir::FunctionIndex asked_function(const FunctionContext& code, const model::Expr& call) {
  const bool is_value = call.kind == ExprKind::call_value;
  const auto [at, fresh] = code.unit.functions.asked.try_emplace(
      {is_value, call.ref, code.unit.facts.secrecy.arguments(call, code.env().facts)}, 0);
  if (!fresh) return at->second;
  const model::Value* value = is_value ? &code.model.values[call.ref] : nullptr;
  const model::Function* f = is_value ? nullptr : &code.model.functions[call.ref];
  const model::Body& body = is_value ? value->body : f->body;
  const model::Type& result = is_value ? value->result : f->result;
  const ir::FunctionIndex index = at->second =
      new_function(code.unit, is_value ? "value " + value->name : "function " + f->name, returns_of(code.unit, result),
                   is_value ? value->range : f->range);
  Env inner;
  bind_locals(inner, body);
  inner.facts = code.unit.facts.secrecy.of_call(call, code.env().facts);
  if (code.unit.variables.met_unknown < 0)
    code.unit.variables.met_unknown = add_scratch(code.unit, "met what is unknown", 0, 1, 0);
  write_function(code.unit, index, inner, [&](const FunctionContext& unasked) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : is_value ? value->parameters : f->parameters) {
      arguments.push_back(parameter(unasked, body.locals[p.local.index].type));
      bind(unasked, p.local, arguments.back());
    }
    const Register player = parameter(unasked, simple(TypeKind::player));
    const FunctionContext code = unasked.asked({player, Asking::Mode::sure, unasked.add_block()});
    fuel(code);
    // The flag is cleared here, because nothing may be stored between a `site` and its `decide`.
    put_scratch(code, code.unit.variables.met_unknown, code.constant(0));
    if (is_value) {
      leave_function(code, settled_and_modified(code, *value, arguments));
    } else {
      block(code, body.block);
      if (!code.closed()) leave_function(code, ir::kNoRegister);
    }
    code.go_to(code.asking.unknown);
    put_scratch(code, code.unit.variables.met_unknown, code.constant(1));
    leave_function(code, ir::kNoRegister);
  });
  return index;
}

Register call_asked(const FunctionContext& code, const model::Expr& call) {
  if (!code.unit.facts.secrecy.reads_call(call, code.env().facts))
    return call_with_exprs(code,
                           call.kind == ExprKind::call_value ? code.unit.functions.value[call.ref]
                                                             : code.unit.functions.function[call.ref],
                           call.args);
  const ir::FunctionIndex index = asked_function(code, call);
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    const Register value = expr(code, *a);
    Register copy = value;
    if (code.type(value).kind != ir::RegisterKind::array)
      code.assign(copy = code.make(register_type(code.unit, a->type)), value);
    arguments.push_back(copy);
  }
  arguments.push_back(code.asking.player);
  const Register result = lower::call(code, index, arguments);
  BlockIndex met = code.add_block(), on = code.add_block();
  code.branch(scratch_value(code, code.unit.variables.met_unknown), met, on);
  code.go_to(met);
  lower::call(code, forget_function(code.unit), {});
  code.jump(code.asking.unknown);
  code.go_to(on);
  return result;
}

// Returns the function that resets OwnVariables::met_unknown. The flag is reset after the decision, so that a State
// does not depend on whether its options were listed.
static ir::FunctionIndex forget_function(ProgramContext& unit) {
  if (unit.functions.forget) return *unit.functions.forget;
  unit.functions.forget = new_function(unit, "forget what is unknown", ir::Returns::nothing, {});
  static const model::Body nothing;
  Env inner;
  bind_locals(inner, nothing);
  write_function(unit, *unit.functions.forget, inner, [&](const FunctionContext& code) {
    put_scratch(code, code.unit.variables.met_unknown, code.constant(0));
    leave_function(code, ir::kNoRegister);
  });
  return *unit.functions.forget;
}

}   // namespace cardwright::lower
