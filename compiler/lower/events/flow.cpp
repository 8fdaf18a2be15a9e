// Lowers the game flow: turns, rounds and phases, `winners`, claims, the start of scenarios in the middle of the flow,
// and the main function.
#include "compiler/lower/events/flow.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::TypeKind;

static void stop_at_horizon(const FunctionContext& code, BlockIndex stop);

void declare_flow(ProgramContext& unit) {
  unit.functions.settle = new_function(unit, "settling", ir::Returns::nothing, {}, false);
  unit.functions.check = new_function(unit, "end when", ir::Returns::nothing, {}, false);
  unit.functions.has_settle_player =
      std::any_of(unit.model.whenevers.begin(), unit.model.whenevers.end(),
                  [](const model::Whenever& w) { return w.head.carrier.kind != CarrierKind::none; });
  if (unit.functions.has_settle_player)
    unit.functions.settle_player = new_function(unit, "settling one player", ir::Returns::nothing, {}, false);
  for (std::size_t w = 0; w < unit.model.whenevers.size(); ++w) {
    const model::Whenever& rule = unit.model.whenevers[w];
    unit.functions.whenever.push_back(new_function(unit, rule.head.name, ir::Returns::nothing, rule.head.range));
    Int count = 1;
    if (rule.head.carrier.kind == CarrierKind::card)
      count = unit.program.layout.card_ids * (rule.head.carrier.zone.valid() ? 1 : unit.model.players);
    else if (rule.subject.valid())
      count = bounds(unit, rule.body.locals[rule.subject.index].type).hi + 1;
    else if (rule.head.carrier.kind == CarrierKind::character)
      count = unit.model.players;
    unit.watching.whenever_fired.push_back(
        add_scratch(unit, "fired " + rule.head.name, 0, 1, 0, std::max<Int>(1, count)));
  }
  const auto asks = [](auto&& self, const model::Expr& e) -> bool {
    return e.kind == model::ExprKind::play_is_over ||
           std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && self(self, *a); });
  };
  if (std::any_of(unit.model.endings.begin(), unit.model.endings.end(),
                  [&](const model::EndWhen& e) { return asks(asks, *e.when); }))
    unit.program.horizon = add_scratch(unit, "horizon", 0, kUnlimited, kUnlimited);
}

void winners(const FunctionContext& code, const model::Stmt& s) {
  const model::Expr& e = *view::winners(s).who();
  Register mask = expr(code, e);
  if (e.type.kind == TypeKind::player) mask = code.integer(Op::mask_of, {mask}, 4);
  code.effect(Op::finish, {mask, code.env().ending && s.text.empty()
                                     ? *code.env().ending
                                     : ending_index(code.unit, "winners " + one_line(reason_text(code.unit, e.range)),
                                                    s.text, e.range)});
  end_of(code, kEndGame);
}

// ---------------------------------------------------------------- turns, rounds, phases

static bool has_variables(const ProgramContext& unit, model::Lifetime lifetime) {
  return std::any_of(unit.model.variables.begin(), unit.model.variables.end(),
                     [&](const model::Variable& v) { return v.lifetime == lifetime; });
}

// Returns the event with which the scenario begins, or none. All code before that event is skipped.
Register start(const FunctionContext& code) {
  return code.integer(Op::load_raw, {code.unit.variables.start_event, code.constant(0)});
}

static Register starting_player(const FunctionContext& code) {
  return code.integer(Op::load_raw, {code.unit.variables.start_player, code.constant(0)});
}

// Marks the scenario as begun, so that no further code is skipped.
static void mark_started(const FunctionContext& code, bool whose_too) {
  code.effect(Op::store, {code.unit.variables.start_event, code.constant(0), code.constant(kNone)});
  if (whose_too) code.effect(Op::store, {code.unit.variables.start_player, code.constant(0), code.constant(kNone)});
}

// Returns the event with which the scenario begins, or none if it has already begun. Returns kNoRegister if no variable
// has this lifetime.
static Register scenario_start(const FunctionContext& code, model::Lifetime lifetime) {
  if (!has_variables(code.unit, lifetime)) return ir::kNoRegister;
  const Register begun = code.make_int();
  code.assign(begun, start(code));
  return begun;
}

// Jumps to `yes` if `start` is one of `events`, which means that the scenario begins in that event.
static void branch_if_starts(const FunctionContext& code, Register start, const std::set<std::uint32_t>& events,
                             BlockIndex yes, BlockIndex no) {
  for (const std::uint32_t event : events) {
    const BlockIndex other = code.add_block();
    code.branch(code.integer(Op::eq, {start, code.constant(Int(event))}, 1), yes, other);
    code.go_to(other);
  }
  code.jump(no);
}

// If the scenario begins with this turn or round, marks the scenario as begun.
static void start_with(const FunctionContext& code, std::uint32_t event, bool whose_too) {
  BlockIndex here = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::eq, {start(code), code.constant(Int(event))}, 1), here, on);
  code.go_to(here);
  mark_started(code, whose_too);
  code.jump(on);
  code.go_to(on);
}

// Resets variables and limits before a turn, round or phase. If the scenario begins inside it, the variables retain the
// values that the scenario sets.
static void reset(const FunctionContext& code, model::Lifetime lifetime, Register begun) {
  if (has_variables(code.unit, lifetime)) {
    BlockIndex clear_variables = code.add_block(), on = code.add_block();
    code.branch(code.integer(Op::eq, {begun, code.constant(kNone)}, 1), clear_variables, on);
    code.go_to(clear_variables);
    for (std::size_t v = 0; v < code.model.variables.size(); ++v)
      if (code.model.variables[v].lifetime == lifetime) code.effect(Op::clear, {code.unit.ids.variable[v]});
    code.jump(on);
    code.go_to(on);
    code.assign_constant(begun, kNone);
  }
  for (std::size_t v = 0; v < code.model.variables.size(); ++v)
    if (code.model.variables[v].lifetime == lifetime) touch(code, watchers_variable(code.unit, std::uint32_t(v)));
  model::Scope scope = lifetime == model::Lifetime::turn    ? model::Scope::turn
                       : lifetime == model::Lifetime::round ? model::Scope::round
                                                            : model::Scope::phase;
  for (Int variable : code.unit.limits.of_scope[scope]) {
    if (code.program.variables[variable].is_set)
      code.effect(Op::store_set, {variable, code.constant(0), code.set(Op::set_empty, {})});
    else
      code.effect(Op::clear, {variable});
  }
}

void turns(const FunctionContext& code, const model::Stmt& s) {
  const view::turns its(s);
  const model::Expr* most = its.up_to();
  const model::Expr* until = its.until();
  Register player = code.make(int_type(1)), left = code.make_int();
  BlockIndex given = code.add_block(), usual = code.add_block(), named = code.add_block(), first = code.add_block(),
             head = code.add_block(), go = code.add_block(), turn = code.add_block(), stop = code.add_block();
  const Register begun = scenario_start(code, model::Lifetime::turn);
  code.branch(code.integer(Op::eq, {starting_player(code), code.constant(kNone)}, 1), usual, named);
  code.go_to(named);   // The scenario names the first player.
  code.assign(player, starting_player(code));
  code.branch(code.integer(Op::eq, {start(code), code.constant(kNone)}, 1), first, given);
  code.go_to(first);
  code.effect(Op::store, {code.unit.variables.start_player, code.constant(0), code.constant(kNone)});
  code.jump(go);
  code.go_to(given);   // the scenario begins inside this player's turn, regardless of conditions
  if (most) code.assign(left, code.integer(Op::sub_small, {expr(code, *most), code.constant(1)}));
  code.jump(turn);
  code.go_to(usual);
  code.assign(player, expr(code, *its.from()));
  code.jump(go);
  code.go_to(go);
  if (most) code.assign(left, expr(code, *most));
  code.jump(head);
  code.go_to(head);
  mark_flow(code);
  stop_at_horizon(code, stop);
  if (most) {
    BlockIndex more = code.add_block();
    code.branch(code.integer(Op::lt, {code.constant(0), left}, 1), more, stop);
    code.go_to(more);
    code.put(Op::sub_small, left, {left, code.constant(1)});
  }
  if (until)
    branch_on(code, *until, stop, turn);
  else
    code.jump(turn);
  code.go_to(turn);
  BlockIndex has_players = code.add_block(), in = code.add_block(), out = code.add_block();
  Register players = code.integer(Op::players_in, {}, 4);
  code.branch(players, has_players, stop);
  code.go_to(has_players);
  code.branch(code.integer(Op::mask_has, {players, player}, 1), in, out);
  code.go_to(out);
  code.put(s.value < 0 ? Op::previous_in : Op::next_in, player, {player});
  code.jump(in);
  code.go_to(in);
  code.effect(Op::store, {code.unit.variables.active, code.constant(0), player});
  const Register number =
      code.integer(Op::add_small,
                   {code.integer(Op::load_raw, {code.unit.variables.turn_number, code.constant(0)}), code.constant(1)});
  code.effect(Op::store, {code.unit.variables.turn_number, code.constant(0), number});
  log_heading(code, "— turn {0:number}: {1:player}", number, player);
  touch(code, code.unit.watching.always);
  reset(code, model::Lifetime::turn, begun);
  start_with(code, s.ref, true);
  note_turn(code, number, player);
  call(code, code.unit.functions.event[s.ref], {player});
  check_unwind(code);
  code.put(s.value < 0 ? Op::previous_in : Op::next_in, player, {player});
  code.jump(head);
  code.go_to(stop);
  code.effect(Op::store, {code.unit.variables.active, code.constant(0), code.constant(kNone)});
  touch(code, code.unit.watching.always);
}

// Ends play for a search that simulates only a limited number of turns. The rules then determine the leading player, as
// at the regular end of play.
static void stop_at_horizon(const FunctionContext& code, BlockIndex stop) {
  if (code.program.horizon < 0) return;
  const auto load = [&](Int variable) { return code.integer(Op::load_raw, {variable, code.constant(0)}); };
  BlockIndex on = code.add_block();
  code.branch(
      code.integer(Op::le,
                   {load(code.program.horizon), code.integer(Op::add_small, {load(code.unit.variables.turn_number),
                                                                             load(code.unit.variables.round_number)})},
                   1),
      stop, on);
  code.go_to(on);
}

void rounds(const FunctionContext& code, const model::Stmt& s) {
  const view::rounds its(s);
  const model::Expr* most = !s.exprs.empty() ? its.up_to() : nullptr;
  const model::Expr* until = its.until();
  Register left = code.make_int();
  if (most)
    code.assign(left, expr(code, *most));
  else
    code.assign_constant(left, kUnlimited);
  const Register begun = scenario_start(code, model::Lifetime::round);
  const model::Expr* starting = its.starting();
  BlockIndex head = code.add_block(), more = code.add_block(), round = code.add_block(), stop = code.add_block();
  code.jump(head);
  code.go_to(head);
  mark_flow(code);
  BlockIndex given = code.add_block(), usual = code.add_block();
  code.branch(code.integer(Op::eq, {start(code), code.constant(kNone)}, 1), usual, given);
  const Register number = code.make_int();
  const auto count = [&] {
    code.put(Op::add_small, number,
             {code.integer(Op::load_raw, {code.unit.variables.round_number, code.constant(0)}), code.constant(1)});
    code.effect(Op::store, {code.unit.variables.round_number, code.constant(0), number});
  };
  code.go_to(given);
  code.put(Op::sub_small, left, {left, code.constant(1)});
  count();
  if (starting) code.effect(Op::store, {code.unit.variables.active, code.constant(0), starting_player(code)});
  code.jump(round);
  code.go_to(usual);
  stop_at_horizon(code, stop);
  code.branch(code.integer(Op::lt, {code.constant(0), left}, 1), more, stop);
  code.go_to(more);
  code.put(Op::sub_small, left, {left, code.constant(1)});
  if (until) {
    BlockIndex on = code.add_block();
    branch_on(code, *until, stop, on);
    code.go_to(on);
  }
  count();   // the expression for the start player may depend on the round number
  if (starting) code.effect(Op::store, {code.unit.variables.active, code.constant(0), expr(code, *starting)});
  code.jump(round);
  code.go_to(round);
  fuel(code);
  log_heading(code, "— round {0:number}", number);
  touch(code, code.unit.watching.always);
  reset(code, model::Lifetime::round, begun);
  // Without a start player, the player that the scenario names takes the first turn of the round.
  start_with(code, s.ref, starting != nullptr);
  call(code, code.unit.functions.event[s.ref], {});
  check_unwind(code);
  code.jump(head);
  code.go_to(stop);
  if (!starting) return;
  code.effect(Op::store, {code.unit.variables.active, code.constant(0), code.constant(kNone)});
  touch(code, code.unit.watching.always);
}

void phase(const FunctionContext& code, const model::Stmt& s) {
  const view::phase its(s);
  mark_flow(code);
  const Register begun = code.make_int();
  code.assign(begun, start(code));
  start_with(code, s.ref, true);
  reset(code, model::Lifetime::phase, begun);
  std::vector<Register> arguments;
  bool player = !code.model.events[s.ref].parameters.empty();
  if (player)
    arguments.push_back(s.exprs.empty() || !its.whose()
                            ? code.integer(Op::load_raw, {code.unit.variables.active, code.constant(0)}, 1)
                            : expr(code, *its.whose()));
  call(code, code.unit.functions.event[s.ref], arguments);
  check_unwind(code);
  if (!player) return;   // an eliminated player's phases end immediately
  BlockIndex out = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), arguments[0]}, 1), on, out);
  code.go_to(out);
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
}

// Returns the turns, rounds and phases in a statement, including nested ones.
std::set<std::uint32_t> flow_in(const ProgramContext& unit, const model::Stmt& s) {
  std::set<std::uint32_t> events;
  const auto add = [&](const model::Block& block) {
    for (const model::Stmt* inner : block) events.merge(flow_in(unit, *inner));
  };
  if (s.kind == model::StmtKind::phase || s.kind == model::StmtKind::turns || s.kind == model::StmtKind::rounds) {
    events.insert(s.ref);
    add(unit.model.events[s.ref].body.block);
  }
  for (const model::Block& block : s.blocks) add(block);
  return events;
}

std::set<std::uint32_t> flow_in(const ProgramContext& unit, const model::Block& block) {
  std::set<std::uint32_t> events;
  for (const model::Stmt* s : block) events.merge(flow_in(unit, *s));
  return events;
}

// Emits statements of the game flow. If a scenario begins inside one of them, all preceding statements are skipped, and
// the enclosing statements are entered regardless of their conditions.
void flow_block(const FunctionContext& code, const model::Block& statements) {
  for (const model::Stmt* s : statements) {
    const std::set<std::uint32_t> within = flow_in(code.unit, *s);
    BlockIndex go = code.add_block(), look = code.add_block(), skip = code.add_block();
    const Register start = lower::start(code);
    code.branch(code.integer(Op::eq, {start, code.constant(kNone)}, 1), go, look);
    code.go_to(look);
    branch_if_starts(code, start, within, go, skip);
    code.go_to(go);
    statement(code, *s);
    code.jump(skip);
    code.go_to(skip);
  }
}

void inner_block(const FunctionContext& code, const model::Block& statements) {
  if (flow_in(code.unit, statements).empty())
    block(code, statements);
  else
    flow_block(code, statements);
}

// Emits the condition of an `if`. If the scenario begins inside one of its branches, that branch is taken.
void branch_in_flow(const FunctionContext& code, const model::Expr& condition, const model::Block& then, BlockIndex yes,
                    BlockIndex no) {
  const std::set<std::uint32_t> within = flow_in(code.unit, then);
  BlockIndex usual = code.add_block(), given = code.add_block();
  const Register start = lower::start(code);
  code.branch(code.integer(Op::eq, {start, code.constant(kNone)}, 1), usual, given);
  code.go_to(given);
  branch_if_starts(code, start, within, yes, no);
  code.go_to(usual);
  branch_on(code, condition, yes, no);
}

// Enters a loop in which the scenario begins. A loop over players starts with the player that the scenario names.
void enter_in_flow(const FunctionContext& code, Register element, BlockIndex body, BlockIndex next) {
  BlockIndex usual = code.add_block(), given = code.add_block();
  code.branch(code.integer(Op::eq, {start(code), code.constant(kNone)}, 1), usual, given);
  code.go_to(given);
  if (element == ir::kNoRegister)
    code.jump(body);
  else
    code.branch(code.integer(Op::eq, {element, starting_player(code)}, 1), body, next);
  code.go_to(usual);
}

// ---------------------------------------------------------------- main

// Returns the function that plays the game: main or, if a measure is recorded at the end of the game, a function that
// main calls.
static ir::FunctionIndex lower_noted_end(ProgramContext& unit) {
  if (!is_measured_end(unit)) return unit.program.main;
  const ir::FunctionIndex whole = new_function(unit, "game", ir::Returns::nothing, {}, false);
  Env nothing;
  write_function(unit, unit.program.main, nothing, [&](const FunctionContext& code) {
    call(code, whole, {});
    note_end(code);
  });
  return whole;
}

void lower_main(ProgramContext& unit) {
  ir::FunctionIndex setup = new_function(unit, "setup", ir::Returns::nothing, {}),
                    play = new_function(unit, "play", ir::Returns::nothing, {});
  unit.program.main = new_function(unit, "main", ir::Returns::nothing, {}, false);
  const ir::FunctionIndex whole = lower_noted_end(unit);
  Env setup_env, play_env, main_env;
  bind_locals(setup_env, unit.model.setup);
  bind_locals(play_env, unit.model.play);
  play_env.flow = true;
  write_function(unit, setup, setup_env, [&](const FunctionContext& code) { block(code, code.model.setup.block); });
  write_function(unit, play, play_env, [&](const FunctionContext& code) { flow_block(code, code.model.play.block); });
  write_function(unit, whole, main_env, [&](const FunctionContext& code) {
    BlockIndex from_start = code.add_block(), playing = code.add_block();
    Register start = code.integer(Op::load_raw, {code.unit.variables.start_player, code.constant(0)});
    code.branch(code.integer(Op::eq, {start, code.constant(kNone)}, 1), from_start, playing);
    code.go_to(from_start);
    call(code, setup, {});
    check_unwind(code);
    settle(code);
    code.jump(playing);
    code.go_to(playing);
    call(code, play, {});
    Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
    BlockIndex over = code.add_block(), ended = code.add_block();
    code.branch(
        code.integer(Op::eq, {code.integer(Op::mod_small, {ending, code.constant(kEndedBy)}), code.constant(kEndGame)},
                     1),
        over, ended);
    code.go_to(over);
    code.effect(Op::ret, {});
    code.go_to(ended);
    code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
    code.effect(Op::store, {code.unit.variables.play_over, code.constant(0), code.constant(1)});
    code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), code.constant(kAllDirt)});
    call(code, code.unit.functions.settle, {code.constant(1)});
    check_unwind(code);
    code.effect(Op::finish, {code.constant(0), ending_index(code.unit, "play is over", "", {})});
  });
  unit.program.settle_function = unit.functions.settle;
}

void lower_claims(ProgramContext& unit) {
  for (std::size_t c = 0; c < unit.model.claims.size(); ++c) {
    ir::FunctionIndex f = new_function(unit, fmt::format("claim {}", c), ir::Returns::integer, {}, false);
    Env at;
    bind_locals(at, unit.model.claims[c]);
    write_function(unit, f, at, [&](const FunctionContext& code) { block(code, code.model.claims[c].block); });
    unit.program.claims.push_back(f);
  }
  if (unit.model.payoff_value)
    unit.program.payoff = unit.functions.value[unit.model.payoff_value->index];
  else if (unit.model.payoff)
    unit.program.payoff = unit.functions.function[unit.model.payoff->index];
}

}   // namespace cardwright::lower
