// Lowers events with their handlers. An event first checks whether its player has been eliminated, and then runs its
// `before` rules, its `instead of` rules (strongest first; the last one passes the event to the body) and its `after`
// rules. An event without handlers is reduced to its body.
#include "compiler/lower/events/events.h"

#include <algorithm>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/events/flow.h"
#include "compiler/lower/events/handlers.h"
#include "compiler/lower/events/replacements.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/expressions/memoized_values.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/rules/patterns.h"

namespace cardwright::lower {

using model::Handler;
using model::Hook;
using model::TypeKind;

static void lower_instead_chain(ProgramContext& unit, std::size_t index);
static void lower_handler(ProgramContext& unit, std::size_t event, std::size_t handler);

static void declare_together(ProgramContext& unit) {
  const bool used = std::any_of(unit.model.stmts.begin(), unit.model.stmts.end(),
                                [](const model::Stmt& s) { return s.kind == model::StmtKind::together; });
  if (!used || instances_with_afters(unit).empty()) return;
  unit.variables.together_cards = add_scratch_sets(unit, "in force together", simple(TypeKind::card), 1, false);
  unit.variables.together_places =
      add_scratch(unit, "where they were", 0, unit.program.layout.instances, 0, unit.program.layout.card_ids + 1);
}

void declare_events(ProgramContext& unit) {
  declare_together(unit);
  for (std::size_t e = 0; e < unit.model.events.size(); ++e) {
    const model::Event& event = unit.model.events[e];
    unit.variables.event_gives.emplace_back();
    for (const model::Type& type : event.gives)
      unit.variables.event_gives.back().push_back(add_scratch_for(unit, "given by " + event.name, type));
    std::string name = (event.kind == model::EventKind::phase   ? "phase "
                        : event.kind == model::EventKind::plain ? "event "
                                                                : "") +
                       event.name;
    bool apart = std::any_of(event.handlers.begin(), event.handlers.end(),
                             [&](const Handler& h) { return possible(unit, h.head); }) ||
                 unit.ended_events.count(std::uint32_t(e)) || event.kind != model::EventKind::plain ||
                 is_measured(unit, e);
    unit.functions.event.push_back(new_function(unit, name, returns_of(unit, event.result), event.range, !apart));
    unit.functions.event_body.push_back(apart ? new_function(unit, name, returns_of(unit, event.result), event.range)
                                              : unit.functions.event.back());
    const std::vector<std::size_t>& instead = unit.instead_chain[e];
    for (std::size_t h = 0; h < event.handlers.size(); ++h) {
      const Handler& handler = event.handlers[h];
      if (!possible(unit, handler.head)) continue;
      unit.functions.handler[{e, h}] = new_function(
          unit, handler.head.name,
          handler.hook == Hook::instead ? returns_of(unit, event.result) : ir::Returns::nothing, handler.head.range);
    }
    const bool rematches = unit.replacing[e].rematches;
    for (std::size_t k = 0; k < (rematches ? 1 : instead.size()); ++k)
      unit.functions.chain[{e, k}] =
          new_function(unit, "instead of " + event.name, returns_of(unit, event.result), event.range, false);
    if (rematches) declare_attempts(unit, e);
    if (!rematches) unit.functions.chain[{e, instead.size()}] = unit.functions.event_body.back();
  }
  for (std::size_t i = 0; i < unit.model.values.size(); ++i) {
    const model::Value& v = unit.model.values[i];
    unit.functions.value.push_back(
        memoized(unit, i) ? new_function(unit, "kept " + v.name, returns_of(unit, v.result), v.range, false)
                          : new_function(unit, "value " + v.name, returns_of(unit, v.result), v.range));
  }
  for (const model::Function& f : unit.model.functions)
    unit.functions.function.push_back(
        f.sequence ? ir::FunctionIndex(-1)
                   : new_function(unit, "function " + f.name, returns_of(unit, f.result), f.range));
}

static void event_body(const FunctionContext& code, std::size_t index) {
  const model::Event& event = code.model.events[index];
  fuel(code);
  if (event.kind == model::EventKind::turn || event.kind == model::EventKind::round ||
      !flow_in(code.unit, event.body.block).empty())
    flow_block(code, event.body.block);
  else
    block(code, event.body.block);
}

// Assigns scratch variables to the event's variables that other rules read.
static void place_event_variables(const FunctionContext& code, std::size_t index) {
  const model::Event& event = code.model.events[index];
  for (std::size_t i = 0; i < event.variables.size(); ++i)
    if (auto field = code.unit.variables.event_field.find({std::uint32_t(index), Int(i)});
        field != code.unit.variables.event_field.end())
      code.env().places[event.variables[i].index] = {Place::Kind::variable, ir::kNoRegister, field->second};
}

// Emits the body of the event as a separate function. Used for events with `before`, `after` or `instead of` rules.
static void write_event_body(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  Env body;
  bind_locals(body, event.body);
  body.ended_by = Int(index) + 1;
  body.gives = unit.variables.event_gives[index];
  body.flow = event.kind != model::EventKind::plain;
  write_function(unit, unit.functions.event_body[index], body, [&](const FunctionContext& code) {
    for (const model::Parameter& p : event.parameters) bind(code, p.local, parameter(code, event.body, p.local));
    place_event_variables(code, index);
    event_body(code, index);
  });
}

// Stores the parameters and initial values of the variables that other rules read.
static void set_event_fields(const FunctionContext& code, std::size_t index, const std::vector<Register>& arguments) {
  const model::Event& event = code.model.events[index];
  const auto& fields = code.unit.variables.event_field;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (auto field = fields.find({std::uint32_t(index), -1 - Int(i)}); field != fields.end())
      save_and_set(code, field->second, arguments[i]);
  for (std::size_t i = 0; code.unit.replacing[index].changes && i < arguments.size(); ++i)
    if (auto field = fields.find({std::uint32_t(index), -1 - Int(i) - model::kAnnounced}); field != fields.end())
      save_and_set(code, field->second, arguments[i]);
  for (std::size_t i = 0; i < event.variables.size(); ++i)
    if (auto field = fields.find({std::uint32_t(index), Int(i)}); field != fields.end())
      save_and_set(code, field->second, default_value(code, event.body.locals[event.variables[i].index].type));
  place_event_variables(code, index);
}

// Increments the counters of running events. Returns each counter variable with its previous value.
static std::vector<std::pair<Int, Register>> count_running(const FunctionContext& code, std::size_t index) {
  std::vector<std::pair<Int, Register>> counts;
  const auto count = [&](Int running) {
    counts.emplace_back(running, code.integer(Op::load_raw, {running, code.constant(0)}));
    save_and_set(code, running, code.integer(Op::add_small, {counts.back().second, code.constant(1)}));
  };
  const auto& depths = code.unit.variables.event_depth;
  if (auto depth = depths.find(of_name(code.unit, std::uint32_t(index))); depth != depths.end()) count(depth->second);
  if (code.model.events[index].kind == model::EventKind::phase && code.unit.variables.phase_depth >= 0)
    count(code.unit.variables.phase_depth);
  return counts;
}

// If a scenario begins in the middle of the event, for example of a turn, runs only the event's body. Returns the block
// that continues after the body.
static BlockIndex begin_in_the_middle(const FunctionContext& code, std::size_t index,
                                      const std::vector<Register>& arguments) {
  const BlockIndex behind = code.add_block();
  const BlockIndex whole = code.add_block(), middle = code.add_block();
  code.branch(code.integer(Op::eq, {start(code), code.constant(kNone)}, 1), whole, middle);
  code.go_to(middle);
  call(code, code.unit.functions.event_body[index], arguments);
  code.jump(behind);
  code.go_to(whole);
  return behind;
}

// Returns the register for the result of the event, or kNoRegister if the event has no result.
static Register empty_result(const FunctionContext& code, std::size_t index) {
  if (code.unit.function(code.unit.functions.event[index]).returns == ir::Returns::nothing &&
      code.function().returns == ir::Returns::nothing)
    return ir::kNoRegister;
  const bool set = code.function().returns == ir::Returns::set;
  const Register result = set ? code.make_set() : code.make_int();
  if (set)
    code.put(Op::set_empty, result, {});
  else
    code.assign_constant(result, kNone);
  return result;
}

// Copies the results that are passed in variables, because a rule that runs later may trigger the same event again.
static std::vector<Register> copy_results(const FunctionContext& code) {
  std::vector<Register> given;
  for (const Int variable : code.env().gives) {
    const Register now = scratch_value(code, variable), copy = code.make(code.type(now));
    if (code.type(now).kind == ir::RegisterKind::array)
      code.effect(Op::list_copy, {copy, now});
    else
      code.assign(copy, now);
    given.push_back(copy);
  }
  return given;
}

static void leave_if_cancelled(const FunctionContext& code) {
  const BlockIndex cancelled = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::load_raw, {code.unit.variables.cancelled, code.constant(0)}), cancelled, on);
  code.go_to(cancelled);
  code.effect(Op::store, {code.unit.variables.cancelled, code.constant(0), code.constant(0)});
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
}

// Handles an `end` in progress. The `after` rules still run if the target is this event, or if this event's own body
// executed the `end`. Otherwise, the emitted code leaves the event's function. Returns the value of `ending` to restore
// after the `after` rules.
static Register leave_if_ending(const FunctionContext& code, std::size_t index) {
  const auto forget = [&] { code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)}); };
  const Register owed = code.make_int(4);
  code.assign_constant(owed, 0);
  const Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
  const BlockIndex left = code.add_block(), mine = code.add_block(), other = code.add_block(),
                   ended_here = code.add_block(), out = code.add_block(), afters = code.add_block();
  code.branch(ending, left, afters);
  code.go_to(left);
  const Register target = code.integer(Op::mod_small, {ending, code.constant(kEndedBy)});
  Register ends_this =
      code.integer(Op::eq, {target, code.constant(kEndFirst + Int(of_name(code.unit, std::uint32_t(index))))}, 1);
  if (code.model.events[index].kind == model::EventKind::phase)
    ends_this = code.integer(Op::or_, {ends_this, code.integer(Op::eq, {target, code.constant(kEndPhase)}, 1)}, 1);
  code.branch(ends_this, mine, other);
  code.go_to(mine);
  forget();
  code.jump(afters);
  code.go_to(other);
  const Register ended_by = code.integer(Op::div_small, {ending, code.constant(kEndedBy)});
  code.branch(code.integer(Op::eq, {ended_by, code.constant(Int(index) + 1)}, 1), ended_here, out);
  code.go_to(ended_here);
  code.assign(owed, target);
  forget();
  code.jump(afters);
  code.go_to(out);
  leave_function(code, ir::kNoRegister);
  code.go_to(afters);
  return owed;
}

static void leave_what_is_owed(const FunctionContext& code, Register owed) {
  const BlockIndex still = code.add_block(), end = code.add_block();
  code.branch(owed, still, end);
  code.go_to(still);
  code.effect(Op::store, {code.unit.variables.ending, code.constant(0), owed});
  code.jump(end);
  code.go_to(end);
}

// Emits the event with its `before`, `instead of` and `after` rules. The parameters must be bound.
static void fire_event(const FunctionContext& code, std::size_t index, const std::vector<Register>& arguments) {
  const model::Event& event = code.model.events[index];
  leave_if_out(code, event, arguments);
  set_event_fields(code, index, arguments);
  const auto ran_before = count_running(code, index);
  if (code.unit.functions.event_body[index] == code.unit.functions.event[index]) {
    event_body(code, index);
    return leave_function(code, ir::kNoRegister);
  }
  const AtBeginning beginning = collect_carriers(code, event);
  const bool rematches = code.unit.replacing[index].rematches;
  if (rematches) begin_replacing(code, index);
  std::optional<BlockIndex> behind;
  if (event.kind != model::EventKind::plain && !flow_in(code.unit, event.body.block).empty())
    behind = begin_in_the_middle(code, index, arguments);
  const Register result = empty_result(code, index);
  const bool has_before = std::any_of(event.handlers.begin(), event.handlers.end(), [&](const Handler& h) {
    return h.hook == Hook::before && possible(code.unit, h.head);
  });
  if (has_before) {
    handlers_of(code, event, Hook::before, arguments, beginning);
    leave_if_out(code, event, arguments);
  }
  note_event(code, index, model::MomentKind::before, arguments);
  const Register value = rematches ? happen(code, index, arguments, beginning)
                                   : call(code, code.unit.functions.chain.at({index, 0}), arguments);
  if (result != ir::kNoRegister) code.assign(result, value);
  const std::vector<Register> given = copy_results(code);
  if (rematches)
    leave_if_nothing_happened(code, index);
  else if (!code.unit.instead_chain[index].empty())
    leave_if_cancelled(code);
  if (behind) {
    code.jump(*behind);
    code.go_to(*behind);
  }
  const Register owed = leave_if_ending(code, index);
  // The event is over, so a later `end` refers to an enclosing event of this name, if there is one.
  for (const auto& [running, before] : ran_before) put_scratch(code, running, before);
  if (!ran_before.empty()) touch(code, code.unit.watching.always);
  if (event.kind != model::EventKind::plain) settle(code);
  const std::vector<Register> actual = what_happened(code, index, arguments);
  handlers_of(code, event, Hook::after, actual, beginning);
  note_event(code, index, model::MomentKind::after, actual);
  leave_what_is_owed(code, owed);
  hand_over(code, given);
  leave_function(code, result);
}

void lower_event(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  if (unit.functions.event_body[index] != unit.functions.event[index]) write_event_body(unit, index);
  Env fire;
  bind_locals(fire, event.body);
  fire.gives = unit.variables.event_gives[index];
  write_function(unit, unit.functions.event[index], fire, [&](const FunctionContext& code) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : event.parameters) {
      arguments.push_back(parameter(code, event.body, p.local));
      bind(code, p.local, arguments.back());
    }
    note_reached(code, event.range);
    fire_event(code, index, arguments);
  });
  if (unit.replacing[index].rematches)
    lower_attempts(unit, index);
  else
    lower_instead_chain(unit, index);
  for (std::size_t h = 0; h < event.handlers.size(); ++h)
    if (possible(unit, event.handlers[h].head)) lower_handler(unit, index, h);
}

// Emits a function for each position in the chain. The function at position k tries the k-th strongest handler and then
// all weaker ones; the last function runs the body.
static void lower_instead_chain(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  const std::vector<std::size_t>& chain = unit.instead_chain[index];
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Handler& handler = event.handlers[chain[k]];
    Env at;
    bind_locals(at, handler.body);
    write_function(unit, unit.functions.chain.at({index, k}), at, [&](const FunctionContext& code) {
      std::vector<Register> arguments;
      for (const model::Parameter& p : event.parameters) arguments.push_back(parameter(code, event.body, p.local));
      auto i = me_argument(handler.head, handler.patterns);
      carriers(code, handler.head, {.me = i ? arguments[*i] : ir::kNoRegister}, [&](Register me, Register self) {
        BlockIndex no = code.add_block();
        if (me != ir::kNoRegister) bind(code, handler.head.me, me);
        if (self != ir::kNoRegister) bind(code, handler.head.self, self);
        guard(code, handler.head, handler.patterns, arguments, no);
        std::vector<Register> all;
        if (handler.head.me.valid()) all.push_back(me == ir::kNoRegister ? code.constant(kNone) : me);
        if (handler.head.self.valid()) all.push_back(self == ir::kNoRegister ? code.constant(kNone) : self);
        all.insert(all.end(), arguments.begin(), arguments.end());
        leave_function(code, call(code, code.unit.functions.handler.at({index, chain[k]}), all));
        code.go_to(no);
      });
      leave_function(code, call(code, code.unit.functions.chain.at({index, k + 1}), arguments));
    });
  }
}

// Returns the function that emits `proceed` in a rule. Call it after the rule's own parameters have been added, because
// it may add further parameters.
static std::function<Register(const std::vector<Register>&, bool)> way_to_proceed(const FunctionContext& code,
                                                                                  std::size_t event, std::size_t rule) {
  if (code.unit.replacing[event].rematches)
    return [code, event, attempt = attempt_parameters(code, event)](const std::vector<Register>& args, bool others) {
      return proceed(code, event, args, attempt, others);
    };
  const auto& chain = code.unit.instead_chain[event];
  const auto position = static_cast<std::size_t>(std::find(chain.begin(), chain.end(), rule) - chain.begin());
  return [code, next = code.unit.functions.chain.at({event, position + 1})](const std::vector<Register>& args, bool) {
    const Register r = call(code, next, args);
    check_unwind(code);
    return r;
  };
}

static void lower_handler(ProgramContext& unit, std::size_t event_index, std::size_t h) {
  const model::Event& event = unit.model.events[event_index];
  const Handler& handler = event.handlers[h];
  Env env_here;
  bind_locals(env_here, handler.body);
  env_here.ended_by = handler.hook == Hook::instead ? Int(event_index) + 1 : 0;
  if (handler.hook == Hook::instead) env_here.gives = unit.variables.event_gives[event_index];
  env_here.flow = event.kind != model::EventKind::plain && handler.hook == Hook::instead;
  write_function(unit, unit.functions.handler.at({event_index, h}), env_here, [&](const FunctionContext& code) {
    if (handler.head.me.valid()) bind(code, handler.head.me, parameter(code, simple(TypeKind::player, true)));
    if (handler.head.self.valid()) bind(code, handler.head.self, parameter(code, simple(TypeKind::card, true)));
    std::vector<Register> arguments;
    for (const model::Parameter& p : event.parameters) arguments.push_back(parameter(code, event.body, p.local));
    fuel(code);
    if (handler.hook == Hook::instead) {
      for (std::size_t i = 0; i < handler.patterns.size(); ++i)
        if (handler.patterns[i].kind == model::Pattern::Kind::binds)
          bind(code, handler.patterns[i].local, arguments[i]);
      code.env().proceed_arguments = arguments;
      code.env().replaces = &handler;
      code.env().proceed = way_to_proceed(code, event_index, h);
    } else {
      BlockIndex no = code.add_block(), yes = code.add_block();
      guard(code, handler.head, handler.patterns, arguments, no);
      code.jump(yes);
      code.go_to(no);
      leave_function(code, ir::kNoRegister);
      code.go_to(yes);
      if (handler.hook == Hook::before) run_once(code, event_index, h);
    }
    note_reached(code, handler.head.range);
    block(code, handler.body.block);
  });
}

}   // namespace cardwright::lower
