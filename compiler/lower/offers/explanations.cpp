#include "compiler/lower/offers/explanations.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/explanation_notes.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static Register named_parameter(const FunctionContext& code, const model::Type& type);
static void note_name(const FunctionContext& code, const model::Body& body, model::LocalId local);

static void fails(const FunctionContext& code, BlockIndex no, const model::Expr* part, std::string words, Range where) {
  BlockIndex on = code.add_block();
  code.jump(on);
  code.go_to(no);
  std::string text = part && part->text.empty() ? reason_text(code.unit, part->range) : "";
  code.program.reasons.push_back({std::move(text), std::move(words), part ? part->range : where});
  code.effect(Op::ret_int, {code.constant(Int(code.program.reasons.size()))});
  code.go_to(on);
}

static void look_why(const FunctionContext& code, const model::Expr& part) {
  BlockIndex yes = code.add_block(), no = code.add_block();
  if (reads(code, part))
    // A part that depends on hidden information is skipped, so the explanation reveals no more than the options do.
    code.jump(yes);
  else
    explain(code, part, yes, no);
  code.go_to(yes);
  fails(code, no, &part, part.text, part.range);
}

// Tests whether the element is in the domain, if the domain can be explained.
static void explain_domain(const FunctionContext& code, const model::Expr& domain, Register x) {
  BlockIndex yes = code.add_block(), no = code.add_block();
  if (reads(code, domain) || domain.type.kind != TypeKind::set) {
    code.jump(yes);   // the host already knows which elements are not offered
  } else {
    explain_member(code, domain, x, domain, yes, no);
  }
  code.go_to(yes);
  fails(code, no, &domain, "", domain.range);
}

// Emits the function explain(me, card, parameters). It returns 0 if the action is possible with these arguments,
// otherwise 1 + the index of the reason. Conditions that are evaluated later have higher indices.
static ir::FunctionIndex lower_explanation(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  const ir::FunctionIndex f =
      new_function(unit, "explain " + action.name, ir::Returns::integer, action.head.range, false);
  Env at;
  bind_locals(at, action.body);
  write_function(unit, f, at, [&](const FunctionContext& quiet) {
    const FunctionContext code = quiet.with_explanations();
    const Register me = parameter(code, simple(TypeKind::player)), card = parameter(code, simple(TypeKind::card, true));
    bind(code, action.head.me, me);
    if (action.head.self.valid()) bind(code, action.head.self, card);
    std::vector<Register> parameters;
    for (const model::ActionParameter& p : action.parameters)
      parameters.push_back(parameter(code, p.count == model::PickCount::one ? p.type : simple(TypeKind::integer)));
    code.env().facts = code.unit.facts.offers.facts_of(action);
    std::vector<const model::Expr*> left;
    if (action.head.when) left = conjuncts(*action.head.when);
    const auto check_parts = [&](const std::function<bool(const model::Expr&)>& which) {
      std::erase_if(left, [&](const model::Expr* part) { return which(*part) && (look_why(code, *part), true); });
    };
    const auto refers_to = [&](const model::Expr& part, std::size_t from) {
      return std::any_of(action.parameters.begin() + static_cast<std::ptrdiff_t>(from), action.parameters.end(),
                         [&](const model::ActionParameter& p) { return mentions(part, p.local); });
    };
    check_parts([&](const model::Expr& part) { return !refers_to(part, 0); });
    for (std::size_t i = 0; i < action.parameters.size(); ++i) {
      const model::ActionParameter& p = action.parameters[i];
      if (p.count != model::PickCount::one) continue;   // each element of a set is a separate choice
      bind(code, p.local, parameters[i]);
      if (p.element.valid()) bind(code, p.element, parameters[i]);
      if (p.domain && !(action.play && i == 0)) {
        explain_domain(code, *p.domain, parameters[i]);
        code.env().facts.put(p.local, fact(code, *p.domain));
        if (p.element.valid()) code.env().facts.put(p.element, fact(code, *p.domain));
      }
      if (p.where)
        for (const model::Expr* part : conjuncts(*p.where)) look_why(code, *part);
      check_parts([&](const model::Expr& part) { return !refers_to(part, i + 1); });
    }
    if (forbidden_somewhere(code.unit, index) && !code.unit.facts.offers.may_be_wrong(index)) {
      BlockIndex no = code.add_block();
      forbids(code, index, me, parameters, std::vector<Fact>(parameters.size()), no);
      fails(code, no, nullptr, "another rule forbids it", action.head.range);
    }
    code.effect(Op::ret_int, {code.constant(0)});
  });
  return f;
}

// Emits the function explain(chosen, names) for one source of a choice. It returns 0 or a reason, in the same format as
// for an action.
static ir::FunctionIndex lower_explanation(ProgramContext& unit, const AskedChoice& choice, std::size_t source) {
  const model::Stmt& s = *choice.stmt;
  const ir::FunctionIndex f = new_function(unit, "explain a choice", ir::Returns::integer, s.range, false);
  Env at;
  bind_locals(at, *choice.body);
  at.window = choice.window;
  at.facts = choice.facts;
  write_function(unit, f, at, [&](const FunctionContext& quiet) {
    const FunctionContext code = quiet.with_explanations();
    const model::Expr& domain = *s.exprs[source];
    const model::LocalId element{s.ref};
    const Register chosen = parameter(code, *choice.body, element);
    for (const model::LocalId name : choice.names) {
      bind(code, name, named_parameter(code, choice.body->locals[name.index].type));
      note_name(code, *choice.body, name);
    }
    explain_domain(code, domain, chosen);
    bind(code, element, chosen);
    code.env().facts.put(element, fact(code, domain));
    if (source + 1 < s.exprs.size() && s.exprs[source + 1])
      for (const model::Expr* part : conjuncts(*s.exprs[source + 1])) look_why(code, *part);
    code.effect(Op::ret_int, {code.constant(0)});
  });
  return f;
}

// Returns the names that the sources and conditions of a choice read. Returns nullopt if one of the names is a list, or
// if the choice reads a value that a sequence yields.
static std::optional<std::vector<model::LocalId>> names_in_choice(const FunctionContext& code, const model::Stmt& s) {
  std::set<std::uint32_t> read, bound{s.ref, s.local.index};
  bool all = true;
  for (std::size_t i = 4; i < s.exprs.size(); ++i)
    model::for_each_expr(s.exprs[i], [&](const model::Expr& e) {
      if (e.kind == ExprKind::local)
        read.insert(e.local.index);
      else if (e.local.valid())
        bound.insert(e.local.index);
      if (e.kind == ExprKind::call_function && code.model.functions[e.ref].sequence) all = false;
    });
  std::vector<model::LocalId> names;
  for (const std::uint32_t index : read) {
    const bool is_there = code.env().constant({index}) ||
                          (index < code.env().places.size() && code.env().places[index].kind != Place::Kind::none);
    if (bound.contains(index) || !is_there) continue;
    const model::Type& type = code.env().body->locals[index].type;
    if (type.kind == TypeKind::list || type.kind == TypeKind::map) all = false;
    names.push_back({index});
  }
  return all ? std::optional(names) : std::nullopt;
}

// Returns a function that emits code which passes the values of these names to the host on request.
std::function<void()> name_logger(const FunctionContext& code, const model::Stmt& s) {
  if (!code.env().body) return nullptr;
  const auto names = names_in_choice(code, s);
  if (!names) return nullptr;
  const bool known =
      std::ranges::any_of(code.unit.explaining.choices, [&](const AskedChoice& choice) { return choice.stmt == &s; });
  if (code.unit.explaining.wanted && !known)
    code.unit.explaining.choices.push_back({&s, code.env().body, code.env().window, code.env().facts, *names});
  if (names->empty()) return nullptr;
  return [code, names = *names] {
    for (const model::LocalId name : names) {
      const bool wide = is_wide(code.unit, code.env().body->locals[name.index].type);
      code.effect(wide ? Op::log_set : Op::log_value, {read_local(code, name)});
    }
  };
}

// Adds a parameter for a name that a choice reads. A set is passed as several ints of 32 elements each.
static Register named_parameter(const FunctionContext& code, const model::Type& type) {
  if (!is_wide(code.unit, type)) return parameter(code, type);
  const Register set = code.make(set_of(*type.elem));
  code.put(Op::set_empty, set, {});
  for (Int first = 0; first < 64 * code.program.layout.words; first += 32)
    for_each(code, parameter(code, simple(TypeKind::integer), int_type()), [&](Register bit) {
      code.put(Op::set_add, set, {set, code.integer(Op::add_small, {bit, code.constant(first)})});
    });
  return set;
}

static void note_name(const FunctionContext& code, const model::Body& body, model::LocalId local) {
  model::Expr& name = code.unit.own_exprs.emplace_back();
  name.kind = ExprKind::local;
  name.local = local;
  name.type = body.locals[local.index].type;
  code.effect(Op::log_text,
              {text_index(code.unit, log_values(code.quiet(),
                                                escaped("name\n" + body.locals[local.index].name) + "\n{}", {&name}))});
}

void lower_explanations(ProgramContext& unit) {
  if (!unit.explaining.wanted) return;
  unit.plain = unit.explaining.on = true;
  for (std::size_t i = 0; i < unit.model.actions.size(); ++i)
    unit.explaining.wanted->actions.push_back(possible(unit, unit.model.actions[i]) ? Int(lower_explanation(unit, i))
                                                                                    : -1);
  for (const AskedChoice& choice : unit.explaining.choices) {
    ExplainedChoice explained{choice.stmt->range, {}};
    for (std::size_t source = 4; source < choice.stmt->exprs.size(); source += 2)
      if (!(choice.stmt->value >> 8 >> ((source - 4) / 2) & 1))
        explained.functions.push_back(Int(lower_explanation(unit, choice, source)));
    unit.explaining.wanted->choices.push_back(std::move(explained));
  }
  unit.plain = unit.explaining.on = false;
}

}   // namespace cardwright::lower
