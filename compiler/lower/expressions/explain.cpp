// Emits code that explains the result of a condition: it evaluates the condition element by element, and reports
// everything on which the result depends as steps of an explanation (runtime/program/explanations.h). Only `why` reads
// these steps, so they reveal no hidden information.
#include "compiler/lower/expressions/explain.h"

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/list_values.h"
#include "compiler/lower/expressions/supposing.h"
#include "compiler/lower/expressions/values.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/explanation_notes.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static void explain_both(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
static void explain_either(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
static void explain_exists(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
static bool is_compared_element(const model::Type& set);
static Register explained_call(const FunctionContext& code, const model::Expr& e, Register member);
static ir::FunctionIndex explained_function(ProgramContext& unit, bool is_value, std::uint32_t ref, bool of_member);
static void explain_supposed(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);

// ---- facts

static bool is_compared(const model::Expr& e) {
  return e.kind != ExprKind::constant &&
         (e.type.kind == TypeKind::integer || e.type.kind == TypeKind::enumeration || e.type.kind == TypeKind::player);
}

static void note_condition(const FunctionContext& code, const model::Expr& e, std::string_view side = {}) {
  if (is_of_page(code.unit, e.range)) return;
  const auto written = [&](const model::Expr& part) {
    return part.range.known() ? one_line(reason_text(code.unit, part.range)) : part.text;
  };
  ExplanationNode node{.text = std::string(side) + (side.empty() ? "" : " ") + written(e)};
  std::vector<const model::Expr*> parts;
  if (e.kind == ExprKind::less || e.kind == ExprKind::less_equal || e.kind == ExprKind::equal ||
      e.kind == ExprKind::not_equal)
    std::ranges::copy_if(e.args, std::back_inserter(parts), [](const model::Expr* part) { return is_compared(*part); });
  for (const model::Expr* part : parts) node.values.push_back({written(*part), value_format(code.unit, part->type)});
  pass_known_values(code.quiet(), parts);
  note(code, std::move(node));
}

static void note_text(const FunctionContext& code, const model::Expr& text) {
  std::string pattern = text.text;
  if (text.kind != ExprKind::text)   // in a constant string, a brace is an ordinary character
    for (std::size_t at = 0; (at = pattern.find('{', at)) != std::string::npos; at += 2) pattern.insert(at, 1, '{');
  note(code, {.step = ExplanationStep::declared, .text = log_values(code.quiet(), pattern, text.args)});
}

static void note_element(const FunctionContext& code, model::LocalId local) {
  if (!is_of_page(code.unit, code.env().body->locals[local.index].range))
    note_value(code, ExplanationStep::element, local);
}

// ---- conditions

static Register quietly(const FunctionContext& code, const model::Expr& e) { return expr(code.quiet(), e); }

// Like branch_on(), but also notes everything on which the result depends, for both outcomes.
void explain(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  switch (e.kind) {
    case ExprKind::logical_not: return explain(code, *view::logical_not(e).operand(), no, yes);
    case ExprKind::logical_and: return explain_both(code, e, yes, no);
    case ExprKind::logical_or: return explain_either(code, e, yes, no);
    case ExprKind::conditional: {
      BlockIndex then = code.add_block(), other = code.add_block();
      const Int opened = open_notes(code);
      explain(code, *view::conditional(e).condition(), then, other);
      code.go_to(then);
      close_notes(code, opened, ExplanationStep::drop);
      explain(code, *view::conditional(e).then(), yes, no);
      code.go_to(other);
      close_notes(code, opened, ExplanationStep::drop);
      return explain(code, *view::conditional(e).otherwise(), yes, no);
    }
    case ExprKind::constant: return code.jump(e.value ? yes : no);
    case ExprKind::exists: return explain_exists(code, e, yes, no);
    case ExprKind::supposing: return explain_supposed(code, e, yes, no);
    case ExprKind::in_set:
      return explain_member(code, e, quietly(code, *view::in_set(e).element()), *view::in_set(e).set(), yes, no);
    case ExprKind::call_value:
    case ExprKind::call_function:
      note_condition(code, e);
      return code.branch(explained_call(code, e, ir::kNoRegister), yes, no);
    default: break;
  }
  note_condition(code, e);
  code.branch(quietly(code, e), yes, no);
}

// Explains a condition with `supposing`. The supposed events are not explained.
static void explain_supposed(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const view::supposing its(e);
  note_condition(code, e);
  const FunctionContext then = code.without_caches();
  BlockIndex holds = code.add_block(), fails = code.add_block();
  code.effect(Op::suppose, {});
  const model::Expr& event = *its.what();
  call_with_exprs(then.quiet(), supposed_event(code.unit, event.ref), event.args);
  code.effect(Op::suppose_with_log, {});
  explain(then, *its.condition(), holds, fails);
  for (const auto& [from, to] : {std::pair{holds, yes}, std::pair{fails, no}}) {
    code.go_to(from);
    code.effect(Op::unsuppose, {});
    code.jump(to);
  }
}

// Explains an `and`. If the first part is true, only the second part explains the result.
static void explain_both(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const view::logical_and its(e);
  BlockIndex second = code.add_block();
  const Int opened = open_notes(code);
  explain(code, *its.left(), second, no);
  code.go_to(second);
  close_notes(code, opened, ExplanationStep::held);
  explain(code, *its.right(), yes, no);
}

// Explains an `or`. If both parts are false, both explain the result; otherwise, only the true part does.
static void explain_either(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const view::logical_or its(e);
  BlockIndex second = code.add_block(), held = code.add_block();
  const Int opened = open_notes(code);
  explain(code, *its.left(), yes, second);
  code.go_to(second);
  close_notes(code, opened, ExplanationStep::next);
  explain(code, *its.right(), held, no);
  code.go_to(held);
  close_notes(code, opened, ExplanationStep::last);
  code.jump(yes);
}

// Explains an `any`. If an element satisfies the condition, that element explains the result. Otherwise, the element
// that satisfies the most parts of the condition explains it.
static void explain_exists(const FunctionContext& outer, const model::Expr& e, BlockIndex yes, BlockIndex no) {
  const view::exists its(e);
  const Taken code(outer, e.local, its.domain());
  note_condition(code, e);
  const Int opened = open_notes(code);
  BlockIndex found = code.add_block();
  const auto look = [&](const FunctionContext& code, Register element) {
    bind(code, e.local, element);
    close_notes(code, opened, ExplanationStep::next);
    BlockIndex has = code.add_block(), next = code.add_block();
    explain(code, *its.condition(), has, next);
    code.go_to(has);
    note_element(code, e.local);
    code.jump(found);
    code.go_to(next);
    note_element(code, e.local);
  };
  if (its.domain()->type.kind == TypeKind::list)
    for_each_listed(code.quiet(), *its.domain(), [&](const FunctionContext& at, Register element, BlockIndex) {
      look(at.with_explanations(), element);
    });
  else
    for_each(code, quietly(code, *its.domain()), [&](Register element) { look(code.with_explanations(), element); });
  close_notes(code, opened, ExplanationStep::furthest);
  code.jump(no);
  code.go_to(found);
  close_notes(code, opened, ExplanationStep::last);
  code.jump(yes);
}

// Explains membership in `A & B` and `A - B`. An element is missing from the result if it is not in A, if it is not in
// B (for `&`), or if it is in B (for `-`).
static void explain_member_of_both(const FunctionContext& code, const model::Expr& whole, Register x,
                                   const model::Expr& set, BlockIndex yes, BlockIndex no) {
  const bool minus = set.kind == ExprKind::set_minus;
  BlockIndex on = code.add_block(), held = code.add_block();
  const Int first = open_notes(code);
  explain_member(code, whole, x, *view::pair(set).left(), on, no, "not in");
  code.go_to(on);
  close_notes(code, first, ExplanationStep::held);
  const Int second = open_notes(code);
  explain_member(code, whole, x, *view::pair(set).right(), minus ? no : held, minus ? held : no,
                 minus ? "in" : "not in");
  code.go_to(held);
  close_notes(code, second, ExplanationStep::drop);
  note_condition(code, whole);
  code.jump(yes);
}

void explain_member(const FunctionContext& code, const model::Expr& whole, Register x, const model::Expr& set,
                    BlockIndex yes, BlockIndex no, std::string_view side) {
  // sema replaces `others` with `players - me`, whose parts have the same source range as the whole.
  const bool part = !side.empty() && set.range.known() && set.range != whole.range;
  const auto note_it = [&] { part ? note_condition(code, set, side) : note_condition(code, whole); };
  switch (set.kind) {
    case ExprKind::set_and:
    case ExprKind::set_minus: return explain_member_of_both(code, part ? set : whole, x, set, yes, no);
    case ExprKind::filter: {
      if (view::filter(set).domain()->type.kind != TypeKind::set) break;
      BlockIndex within = code.add_block();
      explain_member(code, whole, x, *view::filter(set).domain(), within, no, side);
      code.go_to(within);
      bind(code, set.local, x);
      return explain(code, *view::filter(set).condition(), yes, no);
    }
    case ExprKind::call_function:
      if (is_inlined(code, set.ref) || !is_compared_element(set.type)) break;
      note_it();
      return code.branch(explained_call(code, set, x), yes, no);
    default: break;
  }
  note_it();
  const Register in = quietly(code, set);
  code.branch(code.integer(is_wide(code.unit, set.type) ? Op::set_has : Op::mask_has, {in, x}, 1), yes, no);
}

static bool is_compared_element(const model::Type& set) {
  return set.kind == TypeKind::set && set.elem && set.elem->kind != TypeKind::card;
}

// ---- called values and functions

// Notes the arguments of a call, which the player knows, so that a condition in the called body is shown with them:
// `mana(p) < c.cost` becomes "your mana is less than Spark's cost".
static void note_arguments(const FunctionContext& code, const model::Expr& e) {
  const bool is_value = e.kind == ExprKind::call_value;
  const std::vector<model::Parameter>& parameters =
      is_value ? code.model.values[e.ref].parameters : code.model.functions[e.ref].parameters;
  const model::Body& body = is_value ? code.model.values[e.ref].body : code.model.functions[e.ref].body;
  const view::Parts arguments = view::call(e).arguments();
  for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    const model::Expr* a = arguments[i];
    if (!a || a->type.kind == TypeKind::list || a->type.kind == TypeKind::map || a->type.kind == TypeKind::set)
      continue;
    pass_known_values(code.quiet(), {a});
    note(code, {.step = ExplanationStep::argument,
                .values = {{body.locals[parameters[i].local.index].name, value_format(code.unit, a->type)}}});
  }
}

// Calls a value or function so that it notes its steps. Returns the result of a condition or, for a function that
// returns a set, whether the set contains `member`.
static Register explained_call(const FunctionContext& code, const model::Expr& e, Register member) {
  note(code, {.step = ExplanationStep::call});
  note_arguments(code, e);
  const Register result = code.make_int();
  if (e.kind == ExprKind::call_function && is_inlined(code, e.ref)) {
    const model::Function& f = code.model.functions[e.ref];
    Env inner;
    bind_arguments(code.quiet(), inner, f, e);
    inner.inline_return = true;
    inner.return_block = code.add_block();
    inner.result = result;
    const FunctionContext called = code.in(inner).inlined(e.ref).with_explanations();
    block(called, f.body.block);
    if (!code.closed()) leave_function(called, code.constant(0));
    code.go_to(inner.return_block);
  } else {
    const ir::FunctionIndex function =
        explained_function(code.unit, e.kind == ExprKind::call_value, e.ref, member != ir::kNoRegister);
    std::vector<Register> arguments;
    for (const model::Expr* a : e.args) {
      arguments.push_back(code.make(register_type(code.unit, a->type)));
      code.assign(arguments.back(), quietly(code, *a));
    }
    if (member != ir::kNoRegister) arguments.push_back(member);
    code.assign(result, call(code, function, arguments));
  }
  note(code, {.step = ExplanationStep::done});
  return result;
}

// Returns the version of the value or function that reports steps.
static ir::FunctionIndex explained_function(ProgramContext& unit, bool is_value, std::uint32_t ref, bool of_member) {
  const auto [at, fresh] = unit.functions.explained.try_emplace({is_value, ref, of_member}, 0);
  if (!fresh) return at->second;
  const model::Value* value = is_value ? &unit.model.values[ref] : nullptr;
  const model::Function* f = is_value ? nullptr : &unit.model.functions[ref];
  const model::Body& body = is_value ? value->body : f->body;
  const ir::FunctionIndex index = at->second =
      new_function(unit, "why " + (is_value ? value->name : f->name), ir::Returns::integer,
                   is_value ? value->range : f->range, false);
  Env inner;
  bind_locals(inner, body);
  write_function(unit, index, inner, [&](const FunctionContext& quiet) {
    const FunctionContext code = quiet.with_explanations();
    std::vector<Register> arguments;
    for (const model::Parameter& p : is_value ? value->parameters : f->parameters) {
      arguments.push_back(parameter(code, body.locals[p.local.index].type));
      bind(code, p.local, arguments.back());
    }
    if (of_member) code.env().member = parameter(code, *f->result.elem);
    fuel(code);
    if (is_value) return leave_function(code, settled_and_modified(code, *value, arguments));
    block(code, body.block);
    if (!code.closed()) leave_function(code, code.constant(0));
  });
  return index;
}

// Explains the result of a `return`. Its `why` text is noted if the result is false, or if it is the constant true.
void explain_return(const FunctionContext& code, const model::Stmt& s) {
  const model::Expr& e = *view::return_value(s).value();
  BlockIndex yes = code.add_block(), no = code.add_block();
  if (code.env().member != ir::kNoRegister)
    explain_member(code, e, code.env().member, e, yes, no);
  else
    explain(code, e, yes, no);
  code.go_to(yes);
  if (s.why && e.kind == ExprKind::constant) note_text(code, *s.why);
  leave_function(code, code.constant(1));
  code.go_to(no);
  if (s.why) note_text(code, *s.why);
  leave_function(code, code.constant(0));
}

}   // namespace cardwright::lower
