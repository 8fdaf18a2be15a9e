// Emits the functions that explain why an action is not possible, or why an element cannot be chosen. They test the
// same conditions as the offers, and return the first one that fails (Program::explanations).
#include "compiler/lower/offers/explanations.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/expressions/unknown_cards.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/explanation_notes.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::ExprKind;
using model::PickCount;
using model::TypeKind;

static Register named_parameter(const FunctionContext& code, const model::Type& type);

// Emits the code at `no`, which returns the reason.
static void give_reason(const FunctionContext& code, BlockIndex no, Reason reason) {
  BlockIndex on = code.add_block();
  code.jump(on);
  code.go_to(no);
  code.program.explanations.reasons.push_back(std::move(reason));
  code.effect(Op::ret_int, {code.constant(Int(code.program.explanations.reasons.size()))});
  code.go_to(on);
}

// Tests a part of a condition. If the part is false and has no explanation text, notes the facts that explain the
// result. A part that depends on hidden information is evaluated with the player's knowledge, like the options, so the
// explanation reveals no more than the options do: the facts are noted only if the player knows all of them.
static void explain_part(const FunctionContext& code, const model::Expr& part) {
  BlockIndex yes = code.add_block(), no = code.add_block();
  const Int opened = open_notes(code);
  const auto with_facts = [&] { explain(code.unasked().with_explanations(), part, yes, no); };
  if (reads(code, part) && !asking(code)) {
    code.jump(yes);
  } else if (!part.text.empty()) {
    branch_on(code, part, yes, no);
  } else if (reads(code, part)) {
    BlockIndex known = code.add_block(), unknown = code.add_block();
    branch_on(code.asked({code.asking.player, Asking::Mode::sure, unknown}), part, yes, known);
    code.go_to(known);
    with_facts();
    code.go_to(unknown);
    branch_on(code, part, yes, no);
  } else {
    with_facts();
  }
  code.go_to(yes);
  close_notes(code, opened, ExplanationStep::drop);
  give_reason(code, no, {part.text.empty() ? reason_text(code.unit, part.range) : "", part.text, part.range});
}

// Tests and removes those parts of a condition that read none of the parameters whose arguments are still unknown.
static void explain_known(const FunctionContext& code, std::vector<const model::Expr*>& parts,
                          std::span<const ActionParameter> unknown) {
  std::erase_if(parts, [&](const model::Expr* part) {
    if (std::ranges::any_of(unknown, [&](const ActionParameter& p) { return mentions(*part, p.local); })) return false;
    explain_part(code, *part);
    return true;
  });
}

static void explain_where(const FunctionContext& code, const ActionParameter& p, Register argument) {
  bind(code, p.local, argument);
  if (p.element.valid()) bind(code, p.element, argument);
  if (!p.where) return;
  for (const model::Expr* part : conjuncts(*p.where)) explain_part(code, *part);
}

// Emits code that returns a reason if the element is not in the domain. Skips domains that depend on hidden information
// or are not sets.
static void explain_domain(const FunctionContext& code, const model::Expr& domain, Register x) {
  BlockIndex yes = code.add_block(), no = code.add_block();
  const Int opened = open_notes(code);
  const bool hidden = reads(code, domain), cards = holds_cards(domain.type);
  if (domain.type.kind != TypeKind::set || (hidden && (cards || !asking(code)))) {
    code.jump(yes);   // the host already knows which elements are not offered
  } else {
    if (hidden) {   // explains the result only if the player knows all its elements
      BlockIndex known = code.add_block();
      static_cast<void>(expr(code.asked({code.asking.player, Asking::Mode::sure, yes}), domain));
      code.jump(known);
      code.go_to(known);
    }
    explain_member(code.unasked().with_explanations(), domain, x, domain, yes, no);
  }
  code.go_to(yes);
  close_notes(code, opened, ExplanationStep::drop);
  give_reason(code, no, {reason_text(code.unit, domain.range), "", domain.range});
}

static void explain_carrier(const FunctionContext& code, const model::RuleHead& head, Register me) {
  if (head.carrier.kind != model::CarrierKind::character) return;
  if (asking(code) && !code.unit.facts.secrecy.is_known_whose(head, code.env().facts)) return;
  BlockIndex yes = code.add_block(), no = code.add_block();
  code.branch(carrier_in_force(code, head, me), yes, no);
  code.go_to(yes);
  give_reason(code, no, {"", "it is another character's ability", head.range});
}

static void explain_limits(const FunctionContext& code, std::size_t index, Register me, Register card) {
  static const char* scopes[] = {"window", "phase", "turn", "round", "game"};
  const model::Action& action = code.model.actions[index];
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = code.unit.limits.of_action.at({index, l});
    if (use.per_target) continue;
    BlockIndex yes = code.add_block(), no = code.add_block();
    code.branch(use.cards
                    ? code.integer(Op::set_has, {code.set(Op::load_set, {use.variable, code.constant(0)}), card}, 1)
                    : limit_used(code, use, me),
                no, yes);
    code.go_to(yes);
    give_reason(
        code, no,
        {"", fmt::format("it has already been used; the limit is once per {}", scopes[int(action.limits[l].scope)]),
         action.head.range});
  }
}

static void explain_forbids(const FunctionContext& code, std::size_t index, Register me,
                            const std::vector<Register>& arguments) {
  if (!forbidden_somewhere(code.unit, index)) return;
  BlockIndex no = code.add_block();
  forbids(code, index, me, arguments, std::vector<Fact>(arguments.size()), no);
  give_reason(code, no, {"", "another rule forbids it", code.model.actions[index].head.range});
}

// Tests whether there are enough elements to choose.
static void explain_choosable(const FunctionContext& code, const ActionParameter& p) {
  const bool cards = is_wide_element(code.unit, p.type);
  const model::LocalId element = p.count == PickCount::one ? p.local : p.element;
  Offered domain = elements_offered(code, p, element);
  const auto all = [&] {
    return domain.unknown == ir::kNoRegister ? domain.fitting : code.set(Op::set_or, {domain.fitting, domain.unknown});
  };
  const auto some = [&] {
    return cards ? code.integer(Op::set_any, {all()}, 1) : code.integer(Op::ne, {domain.fitting, code.constant(0)}, 1);
  };
  const auto need = [&](const std::function<Register()>& holds, const model::Expr& where, const char* words) {
    BlockIndex yes = code.add_block(), no = code.add_block();
    code.branch(holds(), yes, no);
    code.go_to(yes);
    give_reason(code, no, {reason_text(code.unit, where.range), words, where.range});
  };
  if (p.domain) need(some, *p.domain, "there is nothing to choose");
  if (p.where) {
    for (const model::Expr* part : conjuncts(*p.where)) {
      domain = offered_of(code, domain, cards, element, part);
      need(some, *part, "no available choice satisfies this condition");
    }
  }
  if (p.count == PickCount::exactly) {
    const auto enough = [&] {
      const Register wanted = as_known(code, *p.amount, [&] { return code.constant(0); }),
                     there = code.integer(cards ? Op::set_count : Op::mask_count, {all()});
      return code.integer(Op::le, {wanted, there}, 1);
    };
    need(enough, *p.amount, "there are not enough");
  }
}

// Emits the function that explains an action (Explanations::actions). Returns its index, or -1 if the action is
// impossible.
static Int lower_explanation(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  if (!possible(unit, action)) return -1;
  const ir::FunctionIndex f =
      new_function(unit, "explain " + action.name, ir::Returns::integer, action.head.range, false);
  Env at;
  bind_locals(at, action.body);
  write_function(unit, f, at, [&](const FunctionContext& unasked) {
    const Register me = parameter(unasked, simple(TypeKind::player)),
                   card = parameter(unasked, simple(TypeKind::card, true)),
                   are_chosen = parameter(unasked, simple(TypeKind::boolean));
    std::vector<Register> arguments;
    for (const ActionParameter& p : action.parameters)
      arguments.push_back(parameter(unasked, p.count == PickCount::one ? p.type : simple(TypeKind::integer)));
    const FunctionContext code =
        unasked.asked(unit.facts.offers.may_be_wrong(index) ? Asking{me, Asking::Mode::may} : Asking{});
    bind(code, action.head.me, me);
    if (action.head.self.valid()) bind(code, action.head.self, card);
    code.env().facts = unit.facts.offers.facts_of(action);
    std::vector<const model::Expr*> left;
    if (action.head.when) left = conjuncts(*action.head.when);
    const std::span<const ActionParameter> parameters = action.parameters;
    const std::size_t first = action.play && !action.parameters.empty() ? 1 : 0;   // the card to be played is known
    explain_carrier(code, action.head, me);
    explain_limits(code, index, me, card);
    explain_known(code, left, parameters.subspan(first));
    if (!forbid_reads_parameters(unit, index)) explain_forbids(code, index, me, {});
    if (first == 1) explain_where(code, parameters[0], card);

    const BlockIndex chosen = code.add_block(), open = code.add_block();
    code.branch(are_chosen, chosen, open);
    code.go_to(open);
    Env unchosen = code.env();
    // Later parameters may depend on the first choice.
    if (first < parameters.size() && !is_walked(unit, parameters[first]))
      explain_choosable(code.in(unchosen), parameters[first]);
    code.effect(Op::ret_int, {code.constant(0)});

    code.go_to(chosen);
    for (std::size_t i = first; i < parameters.size(); ++i) {
      const ActionParameter& p = parameters[i];
      if (p.count != PickCount::one) continue;   // each element of a set is a separate choice
      if (p.domain) {
        explain_domain(code, *p.domain, arguments[i]);
        code.env().facts.put(p.local, fact(code, *p.domain));
        if (p.element.valid()) code.env().facts.put(p.element, fact(code, *p.domain));
      }
      explain_where(code, p, arguments[i]);
      explain_known(code, left, parameters.subspan(i + 1));
    }
    if (forbid_reads_parameters(unit, index) && !asking(code)) explain_forbids(code, index, me, arguments);
    code.effect(Op::ret_int, {code.constant(0)});
  });
  return Int(f);
}

// Emits the function that explains one source of a choice (ExplainedChoice). Returns its index.
static Int lower_explanation(ProgramContext& unit, const AskedChoice& choice, std::size_t source) {
  const model::Stmt& s = *choice.stmt;
  const ir::FunctionIndex f = new_function(unit, "explain a choice", ir::Returns::integer, s.range, false);
  Env at;
  bind_locals(at, *choice.body);
  at.window = choice.window;
  at.facts = choice.facts;
  write_function(unit, f, at, [&](const FunctionContext& code) {
    const model::Expr& domain = *s.exprs[source];
    const model::LocalId element{s.ref};
    const Register chosen = parameter(code, *choice.body, element);
    for (const model::LocalId name : choice.names) {
      bind(code, name, named_parameter(code, choice.body->locals[name.index].type));
      note_value(code, ExplanationStep::name, name);
    }
    explain_domain(code, domain, chosen);
    bind(code, element, chosen);
    code.env().facts.put(element, fact(code, domain));
    if (source + 1 < s.exprs.size() && s.exprs[source + 1])
      for (const model::Expr* part : conjuncts(*s.exprs[source + 1])) explain_part(code, *part);
    code.effect(Op::ret_int, {code.constant(0)});
  });
  return Int(f);
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

// Returns a function that emits code to log the values of the names that the choice reads, which the host requests.
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

void lower_explanations(ProgramContext& unit) {
  if (!unit.explaining.wanted) return;
  const bool plain = std::exchange(unit.plain, true);
  unit.explaining.on = true;
  Explanations& all = unit.program.explanations;
  for (std::size_t i = 0; i < unit.model.actions.size(); ++i) all.actions.push_back(lower_explanation(unit, i));
  for (const AskedChoice& choice : unit.explaining.choices) {
    ExplainedChoice explained{choice.stmt->range, {}};
    for (std::size_t source = 4; source < choice.stmt->exprs.size(); source += 2)
      if (!(choice.stmt->value >> 8 >> ((source - 4) / 2) & 1))
        explained.functions.push_back(lower_explanation(unit, choice, source));
    all.choices.push_back(std::move(explained));
  }
  unit.plain = plain;
  unit.explaining.on = false;
}

}   // namespace cardwright::lower
