// Lowers the replacement of events by `instead of` rules.
//
// In a chain, each rule passes the event to the next weaker rule, and the last rule passes it to the body. A chain is
// sufficient if no rule proceeds, or if only the strongest rule proceeds and has a single carrier. Otherwise, one
// function, `instead of E`, tries all rules that have not been applied yet. The carriers whose rules were applied are
// arguments of its calls, so an event nested within itself starts with no applied carriers. `proceed` with other
// arguments calls `E with other arguments`, which also runs the `before` rules that match now. A parameter E.n is
// stored in a variable if a rule reads it or matches the arguments with which the event happened; the variable always
// contains the current argument.
#include "compiler/lower/events/replacements.h"

#include <algorithm>
#include <functional>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/events/handlers.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/rules/patterns.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::ExprKind;
using model::Handler;
using model::Hook;
using model::StmtKind;
using model::TypeKind;

// ---------------------------------------------------------------- how an event's rules are applied

static bool gives_others(const Handler& rule) {
  bool found = false;
  model::for_each_expr(rule.body.block, [&](const model::Expr& e) {
    found = found || (e.kind == ExprKind::proceed && gives_others(rule, e));
  });
  return found;
}

static int proceeds(const model::Expr* e) {
  int times = 0;
  model::for_each_expr(e, [&](const model::Expr& x) { times += x.kind == ExprKind::proceed; });
  return times;
}

// Returns the maximum number of `proceed`s on one path through the block. 2 represents any number above 1.
static int proceeds(const model::Block& block) {
  int times = 0;
  for (const model::Stmt* s : block) {
    for (const model::Expr* e : s->exprs) times += proceeds(e);
    int inside = 0;
    for (const model::Block& inner : s->blocks) inside = std::max(inside, proceeds(inner));
    const bool loop = s->kind == StmtKind::each || s->kind == StmtKind::repeat;
    times += loop && inside > 0 ? 2 : inside;
  }
  return std::min(times, 2);
}

// Returns the maximum number of carriers of the rule.
static Int most_carriers(const ProgramContext& unit, const model::RuleHead& head) {
  switch (head.carrier.kind) {
    case CarrierKind::none: return 1;
    case CarrierKind::character: return unit.model.players;
    case CarrierKind::card: return Int(cards_of_kinds(unit, head.carrier.kinds).size());
  }
  return 1;
}

static bool has_one_carrier(const ProgramContext& unit, const Handler& rule) {
  return most_carriers(unit, rule.head) <= 1 ||
         (rule.head.carrier.kind == CarrierKind::character && me_argument(rule.head, rule.patterns));
}

Int most_replacements(const ProgramContext& unit, std::size_t event) {
  Int most = 0;
  for (const std::size_t h : unit.instead_chain.at(event))
    most += most_carriers(unit, unit.model.events[event].handlers[h].head);
  return most;
}

static bool has_rules(const ProgramContext& unit, std::size_t event, Hook hook) {
  const auto& handlers = unit.model.events[event].handlers;
  return std::any_of(handlers.begin(), handlers.end(),
                     [&](const Handler& h) { return h.hook == hook && possible(unit, h.head); });
}

bool is_reported(const ProgramContext& unit, std::size_t event) {
  return has_rules(unit, event, Hook::after) || is_measured(unit, event);
}

// Adds a variable that stores a subset of a rule's carriers.
static Int add_carriers(ProgramContext& unit, const model::RuleHead& head, const std::string& name) {
  switch (head.carrier.kind) {
    case CarrierKind::none: return add_scratch(unit, name, 0, 1, 0);
    case CarrierKind::character: return add_scratch(unit, name, 0, (Int{1} << kMaxPlayers) - 1, 0);
    case CarrierKind::card: return add_scratch_sets(unit, name, simple(TypeKind::card));
  }
  return -1;
}

static Replacing replacing_of(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  const std::vector<std::size_t>& chain = unit.instead_chain[index];
  Replacing its;
  bool may_proceed = false;
  its.rematches = (event.order || unit.plain) && !chain.empty();
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Handler& rule = event.handlers[chain[k]];
    const int times = proceeds(rule.body.block);
    may_proceed = may_proceed || times > 0;
    its.repeats = its.repeats || times > 1;
    its.changes = its.changes || gives_others(rule);
    its.rematches = its.rematches || (times > 0 && (k > 0 || !has_one_carrier(unit, rule)));
  }
  its.rematches = its.rematches || its.changes || its.repeats;
  if (!its.rematches) return its;
  its.happened = add_scratch(unit, "happened: " + event.name, 0, 1, 0);
  if (may_proceed) its.proceeded = add_scratch(unit, "proceeded: " + event.name, 0, 1, 0);
  for (std::size_t h = 0; its.changes && h < event.handlers.size(); ++h)
    if (const Handler& rule = event.handlers[h]; rule.hook == Hook::before && possible(unit, rule.head))
      its.ran_before[h] = add_carriers(unit, rule.head, "ran: " + rule.head.name);
  return its;
}

void find_replacing(ProgramContext& unit) {
  for (std::size_t e = 0; e < unit.model.events.size(); ++e) {
    const std::vector<Handler>& handlers = unit.model.events[e].handlers;
    std::vector<std::size_t>& chain = unit.instead_chain[e];
    for (std::size_t h = 0; h < handlers.size(); ++h)
      if (handlers[h].hook == Hook::instead && possible(unit, handlers[h].head)) chain.push_back(h);
    std::sort(chain.begin(), chain.end(),
              [&](std::size_t x, std::size_t y) { return handlers[x].head.precedence > handlers[y].head.precedence; });
    unit.replacing.push_back(replacing_of(unit, e));
  }
}

// ---------------------------------------------------------------- carriers that were applied

static const Handler& rule_at(const FunctionContext& code, std::size_t event, std::size_t position) {
  return code.model.events[event].handlers[code.unit.instead_chain.at(event)[position]];
}

static Register no_carriers(const FunctionContext& code, const model::RuleHead& head) {
  return head.carrier.kind == CarrierKind::card ? empty_set(code, simple(TypeKind::card)) : code.constant(0);
}

static Attempt first_attempt(const FunctionContext& code, std::size_t event, const AtBeginning& beginning) {
  Attempt attempt{{}, beginning};
  for (std::size_t k = 0; k < code.unit.instead_chain.at(event).size(); ++k)
    attempt.applied.push_back(no_carriers(code, rule_at(code, event, k).head));
  return attempt;
}

Attempt attempt_parameters(const FunctionContext& code, std::size_t event) {
  Attempt attempt;
  const auto add = [&](RegisterType type) {
    code.function().parameters.push_back(code.make(type));
    return code.function().parameters.back();
  };
  const auto cards = [] { return set_of(simple(TypeKind::card)); };
  for (std::size_t k = 0; k < code.unit.instead_chain.at(event).size(); ++k) {
    const CarrierKind kind = rule_at(code, event, k).head.carrier.kind;
    attempt.applied.push_back(add(kind == CarrierKind::card ? cards() : int_type(4)));
  }
  if (collects_carriers(code.unit, code.model.events[event])) attempt.beginning.cards = add(cards());
  for (const Int i : departed_instances(code.unit, code.model.events[event]))
    attempt.beginning.of_instance[i] = add(cards());
  return attempt;
}

static std::vector<Register> with(std::vector<Register> arguments, const Attempt& attempt) {
  arguments.insert(arguments.end(), attempt.applied.begin(), attempt.applied.end());
  if (attempt.beginning.cards != ir::kNoRegister) arguments.push_back(attempt.beginning.cards);
  for (const auto& [instance, cards] : attempt.beginning.of_instance) arguments.push_back(cards);
  return arguments;
}

static std::vector<Register> event_parameters(const FunctionContext& code, std::size_t event) {
  std::vector<Register> arguments;
  for (const model::Parameter& p : code.model.events[event].parameters) {
    arguments.push_back(parameter(code, code.model.events[event].body, p.local));
    bind(code, p.local, arguments.back());
  }
  return arguments;
}

static Attempt with_rule(const FunctionContext& code, Attempt attempt, std::size_t event, std::size_t position,
                         Register me, Register self) {
  Register& carriers = attempt.applied[position];
  carriers = with_carrier(code, rule_at(code, event, position).head, carriers, me, self);
  return attempt;
}

// ---------------------------------------------------------------- what happened

static void set(const FunctionContext& code, Int variable, Int value) {
  code.effect(Op::store, {variable, code.constant(0), code.constant(value)});
}

void begin_replacing(const FunctionContext& code, std::size_t event) {
  const Replacing& its = code.unit.replacing[event];
  for (const Int variable : {its.happened, its.proceeded})
    if (variable >= 0) save_and_set(code, variable, code.constant(0));
  for (const auto& [handler, variable] : its.ran_before)
    save_and_set(code, variable, no_carriers(code, code.model.events[event].handlers[handler].head));
}

// Stores the current arguments in E.n.
static void set_arguments(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments) {
  const auto& fields = code.unit.variables.event_field;
  bool some = false;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (auto field = fields.find({std::uint32_t(event), -1 - Int(i)}); field != fields.end())
      put_scratch(code, field->second, arguments[i]), some = true;
  if (some) touch(code, code.unit.watching.always);
}

std::vector<Register> what_happened(const FunctionContext& code, std::size_t index,
                                    const std::vector<Register>& announced) {
  if (!code.unit.replacing[index].changes) return announced;
  const model::Event& event = code.model.events[index];
  std::vector<Register> arguments;
  for (std::size_t i = 0; i < announced.size(); ++i) {
    const auto field = code.unit.variables.event_field.find({std::uint32_t(index), -1 - Int(i)});
    // If the parameter is not stored, no rule needs the arguments with which the event happened.
    if (field == code.unit.variables.event_field.end()) return announced;
    Register now = scratch_value(code, field->second);
    if (code.type(now).kind != ir::RegisterKind::array) {
      const Register typed = code.make(local_type(code.unit, event.body, event.parameters[i].local));
      code.assign(typed, now);
      now = typed;
    }
    arguments.push_back(now);
  }
  return arguments;
}

void leave_if_nothing_happened(const FunctionContext& code, std::size_t event) {
  const BlockIndex some = code.add_block(), nothing = code.add_block();
  code.branch(code.integer(Op::load_raw, {code.unit.replacing[event].happened, code.constant(0)}), some, nothing);
  code.go_to(nothing);
  leave_function(code, ir::kNoRegister);
  code.go_to(some);
}

// Records that a rule was applied. If the rule neither proceeds nor cancels, the event counts as having happened.
static void note_applied(const FunctionContext& code, std::size_t event, const Handler& rule) {
  const Replacing& its = code.unit.replacing[event];
  const Register zero = code.constant(0);
  const BlockIndex cancelled = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::load_raw, {code.unit.variables.cancelled, zero}), cancelled, on);
  code.go_to(cancelled);
  set(code, code.unit.variables.cancelled, 0);
  set(code, its.happened, 0);
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
  if (proceeds(rule.body.block) == 0) return set(code, its.happened, 1);
  const BlockIndex own = code.add_block(), end = code.add_block();
  code.branch(code.integer(Op::load_raw, {its.proceeded, zero}), end, own);
  code.go_to(own);
  set(code, its.happened, 1);
  code.jump(end);
  code.go_to(end);
}

// ---------------------------------------------------------------- order of replacements

namespace {

// The player's choice of the rule to apply first.
struct ChosenRule {
  Register option = ir::kNoRegister;   // kNoRegister if the strongest rule applies
  std::vector<Int> first;   // by position in the chain: the number of options that precede the rule's options
};

}   // namespace

// Returns the options of one rule, ordered by kind, then by player. These options are consecutive.
static std::vector<std::size_t> options_of(const model::Event& event, std::size_t handler) {
  std::vector<std::size_t> options;
  for (std::size_t o = 0; o < event.order->options.size(); ++o)
    if (event.order->options[o].handler == handler) options.push_back(o);
  return options;
}

// Returns the zero-based index of this carrier's option among the options of its rule.
static Register option_among(const FunctionContext& code, const model::Event& event, std::size_t handler, Register me,
                             Register self) {
  const std::vector<std::size_t> options = options_of(event, handler);
  const model::ReplacementOption& first = event.order->options[options.front()];
  const Int players = first.player ? code.model.players : 1;
  Register index = code.constant(0);
  if (first.kind) {
    std::vector<Int> place;
    for (const Int card : code.unit.ids.card) {
      const auto is_its = [&](std::size_t o) {
        return card >= 0 && *event.order->options[o].kind == code.model.cards[card].kind;
      };
      const auto found = std::find_if(options.begin(), options.end(), is_its);
      place.push_back(found == options.end() ? 0 : Int(found - options.begin()));
    }
    index = code.integer(Op::table, {table_index(code.unit, std::move(place)), self});
  }
  return players > 1 ? code.integer(Op::add_small, {index, me}) : index;
}

namespace {

// A rule that matches and has not been applied for one of its carriers.
struct Matched {
  const FunctionContext& code;   // context with the names of the rule
  Register me, self;
  BlockIndex otherwise;   // the block that continues with the next carrier
};

}   // namespace

// Calls `then` for each carrier for which the rule matches and has not been applied. The code that `then` emits must
// end with a jump to `otherwise`.
static void each_match(const FunctionContext& code, const Handler& rule, const std::vector<Register>& arguments,
                       Register applied, const std::function<void(const Matched&)>& then) {
  Env names;
  bind_locals(names, rule.body);
  const FunctionContext inner = code.in(names);
  const auto i = me_argument(rule.head, rule.patterns);
  carriers(inner, rule.head, {.me = i ? arguments[*i] : ir::kNoRegister}, [&](Register me, Register self) {
    const BlockIndex no = inner.add_block(), left = inner.add_block();
    inner.branch(among_carriers(inner, rule.head, applied, me, self), no, left);
    inner.go_to(left);
    if (me != ir::kNoRegister) bind(inner, rule.head.me, me);
    if (self != ir::kNoRegister) bind(inner, rule.head.self, self);
    guard(inner, rule.head, rule.patterns, arguments, no);
    then({inner, me, self, no});
  });
}

// If there are several options, asks the player which rule applies first.
static ChosenRule choose_first(const FunctionContext& code, std::size_t index, const std::vector<Register>& arguments,
                               const Attempt& attempt) {
  const model::Event& event = code.model.events[index];
  const std::vector<std::size_t>& chain = code.unit.instead_chain.at(index);
  ChosenRule chosen;
  std::vector<Register> applies;
  for (std::size_t o = 0; o < event.order->options.size(); ++o) {
    applies.push_back(code.make(int_type(1)));
    code.assign_constant(applies.back(), 0);
  }
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Handler& rule = event.handlers[chain[k]];
    const std::vector<std::size_t> options = options_of(event, chain[k]);
    chosen.first.push_back(options.empty() ? 0 : Int(options.front()));
    if (options.empty()) continue;
    each_match(code, rule, arguments, attempt.applied[k], [&](const Matched& at) {
      const auto& [inner, me, self, no] = at;
      const Register which = option_among(inner, event, chain[k], me, self);
      for (std::size_t n = 0; n < options.size(); ++n) {
        const Register is_it = inner.integer(Op::eq, {which, inner.constant(Int(n))}, 1);
        inner.put(Op::or_, applies[options[n]], {applies[options[n]], is_it});
      }
      inner.jump(no);
      inner.go_to(no);
    });
  }
  Register count = code.constant(0);
  for (const Register one : applies) count = code.integer(Op::add_small, {count, one});
  chosen.option = code.make_int();
  code.assign_constant(chosen.option, kNone);
  const BlockIndex ask = code.add_block(), end = code.add_block();
  code.branch(code.integer(Op::lt_small, {code.constant(1), count}, 1), ask, end);
  code.go_to(ask);
  applies.insert(applies.begin(), expr(code, *event.order->player));
  code.assign(chosen.option, call(code, code.unit.functions.event[event.order->asks.index], applies));
  code.jump(end);
  code.go_to(end);
  return chosen;
}

// ---------------------------------------------------------------- trying the rules

// Applies the rule for the first carrier for which it matches and has not been applied, and then returns from the
// function.
static void try_rule(const FunctionContext& code, std::size_t index, std::size_t position,
                     const std::vector<Register>& arguments, const Attempt& attempt, const ChosenRule& chosen) {
  const std::size_t handler = code.unit.instead_chain.at(index)[position];
  const model::Event& event = code.model.events[index];
  const Handler& rule = event.handlers[handler];
  each_match(code, rule, arguments, attempt.applied[position], [&](const Matched& at) {
    const auto& [inner, me, self, no] = at;
    if (chosen.option != ir::kNoRegister) {
      const BlockIndex other = inner.add_block(), mine = inner.add_block();
      inner.branch(inner.integer(Op::eq, {chosen.option, inner.constant(kNone)}, 1), mine, other);
      inner.go_to(other);
      const Register option = inner.integer(
          Op::add_small, {option_among(inner, event, handler, me, self), inner.constant(chosen.first[position])});
      inner.branch(inner.integer(Op::eq, {option, chosen.option}, 1), mine, no);
      inner.go_to(mine);
    }
    std::vector<Register> all;
    if (rule.head.me.valid()) all.push_back(me == ir::kNoRegister ? inner.constant(kNone) : me);
    if (rule.head.self.valid()) all.push_back(self == ir::kNoRegister ? inner.constant(kNone) : self);
    all.insert(all.end(), arguments.begin(), arguments.end());
    if (proceeds(rule.body.block) > 0) set(inner, code.unit.replacing[index].proceeded, 0);
    const Register result = call(inner, code.unit.functions.handler.at({index, handler}),
                                 with(all, with_rule(inner, attempt, index, position, me, self)));
    note_applied(inner, index, rule);
    leave_function(inner, result);
    inner.go_to(no);
  });
}

// Emits the function that runs the strongest rule that has not been applied, or the body if no such rule exists.
static void write_rules(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  Env names;
  bind_locals(names, event.body);
  write_function(unit, unit.functions.chain.at({index, 0}), names, [&](const FunctionContext& code) {
    const std::vector<Register> arguments = event_parameters(code, index);
    const Attempt attempt = attempt_parameters(code, index);
    const ChosenRule chosen = event.order ? choose_first(code, index, arguments, attempt) : ChosenRule{};
    for (std::size_t k = 0; k < code.unit.instead_chain.at(index).size(); ++k)
      try_rule(code, index, k, arguments, attempt, chosen);
    set(code, code.unit.replacing[index].happened, 1);
    leave_function(code, call(code, code.unit.functions.event_body[index], arguments));
  });
}

// Emits the function that a rule calls to proceed with other arguments. It skips the event if its player has been
// eliminated, and runs the `before` rules that match the new arguments.
static void write_attempt(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  Env names;
  bind_locals(names, event.body);
  write_function(unit, unit.functions.attempt.at(index), names, [&](const FunctionContext& code) {
    const std::vector<Register> arguments = event_parameters(code, index);
    const Attempt attempt = attempt_parameters(code, index);
    set_arguments(code, index, arguments);
    leave_if_out(code, event, arguments);
    if (has_rules(code.unit, index, Hook::before)) {
      handlers_of(code, event, Hook::before, arguments, attempt.beginning);
      leave_if_out(code, event, arguments);
    }
    leave_function(code, call(code, code.unit.functions.chain.at({index, 0}), with(arguments, attempt)));
  });
}

// Emits the function that a rule calls before it proceeds, if the event may happen more than once. It runs the `after`
// rules if the event has already happened.
static void write_afters(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  Env names;
  bind_locals(names, event.body);
  write_function(unit, unit.functions.afters.at(index), names, [&](const FunctionContext& code) {
    const std::vector<Register> arguments = event_parameters(code, index);
    const Attempt attempt = attempt_parameters(code, index);
    leave_if_nothing_happened(code, index);
    set(code, code.unit.replacing[index].happened, 0);
    count_as_over(code, index);
    if (event.kind != model::EventKind::plain) settle(code);
    const std::vector<Register> actual = what_happened(code, index, arguments);
    handlers_of(code, event, Hook::after, actual, attempt.beginning);
    note_event(code, index, model::MomentKind::after, actual);
    leave_function(code, ir::kNoRegister);
  });
}

void declare_attempts(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  const Replacing& its = unit.replacing[index];
  if (its.changes)
    unit.functions.attempt[index] =
        new_function(unit, event.name + " with other arguments", returns_of(unit, event.result), event.range, false);
  if (its.repeats && is_reported(unit, index))
    unit.functions.afters[index] = new_function(unit, "after " + event.name, ir::Returns::nothing, event.range, false);
}

void lower_attempts(ProgramContext& unit, std::size_t index) {
  write_rules(unit, index);
  if (unit.functions.attempt.contains(index)) write_attempt(unit, index);
  if (unit.functions.afters.contains(index)) write_afters(unit, index);
}

Register happen(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments,
                const AtBeginning& beginning) {
  return call(code, code.unit.functions.chain.at({event, 0}), with(arguments, first_attempt(code, event, beginning)));
}

Register proceed(const FunctionContext& code, std::size_t event, const std::vector<Register>& arguments,
                 const Attempt& attempt, bool others) {
  const Replacing& its = code.unit.replacing[event];
  if (const auto afters = code.unit.functions.afters.find(event); afters != code.unit.functions.afters.end()) {
    call(code, afters->second, with(code.env().proceed_arguments, attempt));
    check_unwind(code);
  }
  if (its.changes && !others) set_arguments(code, event, arguments);
  const ir::FunctionIndex next =
      others ? code.unit.functions.attempt.at(event) : code.unit.functions.chain.at({event, 0});
  const Register result = call(code, next, with(arguments, attempt));
  set(code, its.proceeded, 1);
  check_unwind(code);
  return result;
}

}   // namespace cardwright::lower
