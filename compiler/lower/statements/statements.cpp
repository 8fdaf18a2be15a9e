// Lowers statements, except decisions (windows.cpp, choices.cpp) and game flow (flow.cpp).
#include "compiler/lower/statements/statements.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/limits.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/events/flow.h"
#include "compiler/lower/events/handlers.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/expressions/list_values.h"
#include "compiler/lower/expressions/tables.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/race/race.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/sets/dice.h"
#include "compiler/lower/sets/guesses.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/text/explanation_notes.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/windows/at_once.h"
#include "compiler/lower/windows/windows.h"

namespace cardwright::lower {

using model::StmtKind;
using model::TypeKind;

static void write_statement(const FunctionContext& code, const model::Stmt& s);
static void ask(const FunctionContext& code, const model::Stmt& s);
static void run_pending_rules(const FunctionContext& code, ir::FunctionIndex rules, Int bits);
static void let(const FunctionContext& code, const model::Stmt& s);
static void let_given(const FunctionContext& code, const model::Stmt& s);
static void assign_local(const FunctionContext& code, const model::Stmt& s);
static void assign_variable(const FunctionContext& code, const model::Stmt& s);
static void assign_all(const FunctionContext& code, const model::Stmt& s);
static void assign_field(const FunctionContext& code, const model::Stmt& s,
                         const std::map<std::pair<std::uint32_t, Int>, Int>& fields);
static void if_else(const FunctionContext& code, const model::Stmt& s);
static void each(const FunctionContext& code, const model::Stmt& s);
static void repeat(const FunctionContext& code, const model::Stmt& s);
static void move(const FunctionContext& code, const model::Stmt& s);
static void turn_cards(const FunctionContext& code, const model::Stmt& s);
static void draw_to(const FunctionContext& code, const model::Stmt& s);
static void deal_each(const FunctionContext& code, const model::Stmt& s);
static void deal_pool(const FunctionContext& code, const model::Stmt& s);
static void shuffle(const FunctionContext& code, const model::Stmt& s);
static void reveal_cards(const FunctionContext& code, const model::Stmt& s);
static void reveal_variable(const FunctionContext& code, const model::Stmt& s);
static void peek_cards(const FunctionContext& code, const model::Stmt& s);
static void peek_variable(const FunctionContext& code, const model::Stmt& s);
static void decide_order(const FunctionContext& code, const model::Expr& looked_at);
static void eliminate(const FunctionContext& code, const model::Stmt& s);
static void afterwards(const FunctionContext& code, const model::Stmt& s);
static void together(const FunctionContext& code, const model::Stmt& s);
static void yield_value(const FunctionContext& code, const model::Stmt& s);
static void return_value(const FunctionContext& code, const model::Stmt& s);
static void cancel(const FunctionContext& code);
static void end_event(const FunctionContext& code, const model::Stmt& s);
static void end_window(const FunctionContext& code, const model::Stmt& s);

// A move of the cards in a register. `facing` has the encoding that sema uses (facing_in).
struct Moving {
  Register found;
  bool cards;   // true if `found` is a set
  Register from, guess;   // zone instances; `from` is kNoRegister if the cards are in several instances
  Watchers touched;   // the flags to set when the cards leave their zone
  std::optional<Leaving> touched_by;   // additional flags that depend on the instance `from` that a card leaves
  std::uint32_t zone;   // the destination zone
  Register to;
  Int facing, how;
  bool bottom;
};

namespace {

// Finds the piles whose top card an expression reads. Reading the top of an empty pile refills it.
void tops_in(const model::Expr* e, std::set<std::uint32_t>& found) {
  if (!e) return;
  if (e->kind == model::ExprKind::zone_top || e->kind == model::ExprKind::zone_top_n) found.insert(e->ref);
  for (const model::Expr* a : e->args) tops_in(a, found);
}

}   // namespace

void lower_statement(const FunctionContext& code, const model::Stmt& s) {
  if (!code.explains || s.kind == StmtKind::return_value) return write_statement(code, s);
  const Int opened = open_notes(code);
  write_statement(code, s);
  close_notes(code, opened, ExplanationStep::drop);
}

// Sets the flags for piles that the statement may refill. Reading an empty pile refills it, which counts as a write.
static void touch_refilled(const FunctionContext& code, const model::Stmt& s) {
  std::set<std::uint32_t> tops;
  for (const model::Expr* e : s.exprs) tops_in(e, tops);
  for (const std::uint32_t zone : tops)
    if (const auto& from = code.model.zones[zone].refill_from; from && s.kind != StmtKind::move)
      touch(code, code.unit.watching.entered[zone] | code.unit.watching.left[from->index]);
}

static void write_statement(const FunctionContext& code, const model::Stmt& s) {
  code.at(s.range);
  note_reached(code, s.range);
  touch_refilled(code, s);
  switch (s.kind) {
    case StmtKind::let: return let(code, s);
    case StmtKind::let_given: return let_given(code, s);
    case StmtKind::assign_local: return assign_local(code, s);
    case StmtKind::assign_variable: return assign_variable(code, s);
    case StmtKind::assign_all: return assign_all(code, s);
    case StmtKind::assign_window_field: return assign_field(code, s, code.unit.variables.window_field);
    case StmtKind::assign_event_field: return assign_field(code, s, code.unit.variables.event_field);
    case StmtKind::evaluate: expr(code, *view::evaluate(s).effect()); return;
    case StmtKind::yield_value: return yield_value(code, s);
    case StmtKind::if_else: return if_else(code, s);
    case StmtKind::each: return each(code, s);
    case StmtKind::repeat: return repeat(code, s);
    case StmtKind::stop:
      if (!code.env().loops.empty()) code.jump(code.env().loops.back().second);
      return;
    case StmtKind::next:
      if (!code.env().loops.empty()) code.jump(code.env().loops.back().first);
      return;
    case StmtKind::return_value: return return_value(code, s);
    case StmtKind::cancel: return cancel(code);
    case StmtKind::end_event: return end_event(code, s);
    case StmtKind::end_phase:
      return end_of(code, kEndPhase, view::end_phase(s).always_running() ? -1 : code.unit.variables.phase_depth);
    case StmtKind::end_window: return end_window(code, s);
    case StmtKind::end_play: return end_of(code, kEndPlay);
    case StmtKind::checkpoint: return run_pending_rules(code, code.unit.functions.settle, 0);
    case StmtKind::check_end: return run_pending_rules(code, code.unit.functions.check, kEndingBits);
    case StmtKind::winners: return winners(code, s);
    case StmtKind::afterwards: return afterwards(code, s);
    case StmtKind::together: return together(code, s);
    case StmtKind::ask: return ask(code, s);
    case StmtKind::choose: return choose(code, s);
    case StmtKind::choose_one: return choose_one(code, s);
    case StmtKind::arrange: return arrange(code, s);
    case StmtKind::show_faces: return show_faces(code, s);
    case StmtKind::move: return move(code, s);
    case StmtKind::draw_to: return draw_to(code, s);
    case StmtKind::deal_each: return deal_each(code, s);
    case StmtKind::deal_pool: return deal_pool(code, s);
    case StmtKind::shuffle: return shuffle(code, s);
    case StmtKind::reveal_cards: return reveal_cards(code, s);
    case StmtKind::reveal_variable: return reveal_variable(code, s);
    case StmtKind::peek_variable: return peek_variable(code, s);
    case StmtKind::peek_cards: return peek_cards(code, s);
    case StmtKind::turn_cards: return turn_cards(code, s);
    case StmtKind::eliminate: return eliminate(code, s);
    case StmtKind::turns: return turns(code, s);
    case StmtKind::rounds: return rounds(code, s);
    case StmtKind::phase: return phase(code, s);
    case StmtKind::delay: return delay(code, s);
    case StmtKind::pause: return pause(code, s);
    case StmtKind::start_timer: return start_timer(code, s);
    case StmtKind::stop_timer: return stop_timer(code, s);
    case StmtKind::log: return log(code, s);
  }
}

// Asks the players one after another, simultaneously or in real time.
static void ask(const FunctionContext& code, const model::Stmt& s) {
  if (s.ref < code.model.windows.size() && code.model.windows[s.ref].phase) reset_window_limits(code, s.ref, false);
  if (view::ask(s).at_once()) return ask_at_once(code, s);
  if (view::ask(s).real_time()) return ask_in_real_time(code, s);
  ask_in_turn(code, s);
}

// Calls a function that runs pending rules. If one of them executes an `end`, the emitted code leaves the current
// function.
static void run_pending_rules(const FunctionContext& code, ir::FunctionIndex rules, Int bits) {
  call(code, rules, {code.constant(bits)});
  check_unwind(code);
}

static void if_else(const FunctionContext& code, const model::Stmt& s) {
  const view::if_else its(s);
  BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  if (flow_in(code.unit, s).empty())
    branch_on(code, *its.condition(), yes, no);
  else
    branch_in_flow(code, *its.condition(), its.then(), yes, no);
  code.go_to(yes);
  inner_block(code, its.then());
  code.jump(after);
  code.go_to(no);
  if (s.blocks.size() > 1) inner_block(code, its.otherwise());
  code.jump(after);
  code.go_to(after);
}

static void eliminate(const FunctionContext& code, const model::Stmt& s) {
  code.effect(Op::eliminate, {expr(code, *view::eliminate(s).player())});
  touch(code, code.unit.watching.players);
}

// ---------------------------------------------------------------- revealing

// Returns the shown cards as a set, even if the expression is a single card.
static Register cards_shown(const FunctionContext& code, const model::Expr& what) {
  const Register shown = expr(code, what);
  return is_wide(code.unit, what.type) ? shown : code.set(Op::set_of, {shown});
}

static void shuffle(const FunctionContext& code, const model::Stmt& s) {
  const view::shuffle its(s);
  code.effect(Op::shuffle, {zone_instance(code, s.ref, its.owner(), its.copy())});
  touch(code, code.unit.watching.always);
}

static void reveal_cards(const FunctionContext& code, const model::Stmt& s) {
  const model::Expr& what = *view::reveal_cards(s).what();
  decide_order(code, what);
  code.effect(Op::note_reveal, {cards_shown(code, what)});
  touch(code, code.unit.watching.always);
}

static void reveal_variable(const FunctionContext& code, const model::Stmt& s) {
  code.effect(Op::note_variable, {code.unit.ids.variable[s.ref], known_at(code, s.ref, s.exprs, 0)});
}

static void peek_cards(const FunctionContext& code, const model::Stmt& s) {
  const view::peek_cards its(s);
  const Register who = expr(code, *its.who());
  decide_order(code, *its.what());
  code.effect(Op::note_peek, {who, cards_shown(code, *its.what())});
  touch(code, code.unit.watching.always);
}

static void peek_variable(const FunctionContext& code, const model::Stmt& s) {
  const Register who = expr(code, *view::peek_variable(s).who());
  code.effect(Op::note_shown, {who, code.unit.ids.variable[s.ref], known_at(code, s.ref, s.exprs, 1)});
}

// Determines the order of a pile, because a player who looks through the entire pile sees it.
static void decide_order(const FunctionContext& code, const model::Expr& looked_at) {
  if (looked_at.kind != model::ExprKind::zone || !code.unit.facts.orders.read[looked_at.ref] ||
      code.unit.facts.always_ordered[looked_at.ref])
    return;
  if (code.model.zones[looked_at.ref].shape != model::ZoneShape::pile ||
      code.unit.ids.facedown_zone[looked_at.ref] >= 0)
    return;
  const view::zone its(looked_at);
  const Register instance = zone_instance(code, looked_at.ref, its.owner(), its.copy());
  code.set(Op::zone_top_n, {instance, code.integer(Op::zone_size, {instance})});
}

// ---------------------------------------------------------------- assignment

// Stores the time at which a player took a character, which determines the order of modifiers for `latest modifier
// first`.
static void stamp_character(const FunctionContext& code, std::uint32_t variable, Register player) {
  const auto stamps = code.unit.variables.character_stamps.find(variable);
  if (stamps == code.unit.variables.character_stamps.end()) return;
  const Int clock = code.unit.variables.stamp_clock;
  const Register zero = code.constant(0),
                 now = code.integer(Op::add, {code.integer(Op::load_raw, {clock, zero}), code.constant(1)});
  code.effect(Op::store, {clock, zero, now});
  code.effect(Op::store, {stamps->second, player, now});
}

static void store(const FunctionContext& code, Int variable, Register index, Register value,
                  std::uint32_t model_variable) {
  if (const Int run = code.program.variable_infos[variable].run(); run > 0) {
    store_list(code, variable, index, value);
    if (code.program.variable_infos[variable].secret)
      code.effect(Op::note_dealt, {variable, code.integer(Op::mul_small, {index, code.constant(run)})});
  } else if (code.program.variables[variable].is_set) {
    code.effect(Op::store_set, {variable, index, value});
  } else {
    Register old = code.integer(Op::load_raw, {variable, index});
    code.effect(Op::store, {variable, index, value});
    if (code.program.variable_infos[variable].secret)
      code.effect(Op::note_dealt, {variable, index});
    else
      code.effect(Op::note_change, {variable, index, old, value});
  }
  stamp_character(code, model_variable, index);
  touch(code, watchers_variable(code.unit, model_variable));
}

static void let(const FunctionContext& code, const model::Stmt& s) {
  const model::Type& type = code.env().body->locals[s.local.index].type;
  if (const model::Expr* initial = view::let(s).initial()) {
    Register v = expr(code, *initial);
    const bool fresh = initial->kind != model::ExprKind::local && !is_stored_in_state(code, s.local);
    // Only this statement uses the array, so no copy is needed.
    if (code.type(v).kind == ir::RegisterKind::array && fresh) return bind(code, s.local, v);
    write_local(code, s.local, v);
  } else if (type.kind == TypeKind::map) {
    fill_table(code, read_local(code, s.local), type, default_value(code, *type.elem));
  } else if (type.kind == TypeKind::list && !is_stored_in_state(code, s.local)) {
    code.effect(Op::array_fill, {read_local(code, s.local), code.constant(0)});
  } else {
    write_local(code, s.local, default_value(code, type));
  }
}

static void let_given(const FunctionContext& code, const model::Stmt& s) {
  const view::let_given its(s);
  const Register given_any = code.make_int();
  code.assign(given_any, happened(code, *its.call()));
  const std::vector<Int> given = given_by(code, *its.call());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const model::LocalId local{s.local.index + static_cast<std::uint32_t>(i)};
    write_local(code, local,
                handed_over(code, given[i], given_any, its.otherwise(i), code.env().body->locals[local.index].type));
  }
}

static void assign_local(const FunctionContext& code, const model::Stmt& s) {
  const view::assign_local its(s);
  if (its.indices().empty()) return write_local(code, s.local, expr(code, *its.value()));
  const model::Expr& key = *its.indices().front();
  const model::Type& type = code.env().body->locals[s.local.index].type;
  if (type.kind == TypeKind::map) return set_entry(code, read_local(code, s.local), type, key, *its.value());
  Register index = expr(code, key);
  const Register list = read_local(code, s.local);
  put_element(code, list, type, index, expr(code, *its.value()));
  if (is_stored_in_state(code, s.local)) write_local(code, s.local, list);
}

static void assign_all(const FunctionContext& code, const model::Stmt& s) {
  const view::assign_all its(s);
  for_each(code, expr(code, *its.whose()), [&](Register player) {
    bind(code, s.local, player);
    store(code, code.unit.ids.variable[s.ref], player, expr(code, *its.value()), s.ref);
  });
}

// Assigns to a field of an event or window. `fields` maps each field to its variable.
static void assign_field(const FunctionContext& code, const model::Stmt& s,
                         const std::map<std::pair<std::uint32_t, Int>, Int>& fields) {
  put_scratch(code, fields.at({s.ref, s.value}), expr(code, *view::assignment(s).value()));
  touch(code, code.unit.watching.always);
}

static void assign_variable(const FunctionContext& code, const model::Stmt& s) {
  const model::Variable& v = code.model.variables[s.ref];
  Register index = code.make_int();
  code.assign(index, flat_index(code, v, s.exprs, 0));
  store(code, code.unit.ids.variable[s.ref], index, expr(code, *view::assign_variable(s).value()), s.ref);
}

// ---------------------------------------------------------------- loops

namespace {

// Emits the body of an `each` for one element. The element's name is already bound; `next` continues with the next
// element.
using EachBody = std::function<void(const FunctionContext&, BlockIndex next)>;
// Like EachBody, but receives the element in a register; the name is not bound yet.
using EachTurn = std::function<void(const FunctionContext&, Register element, BlockIndex next)>;

}   // namespace

// Emits the body once for each element. The elements must be constant.
static void each_unrolled(const FunctionContext& code, const model::Stmt& s, const EachBody& body) {
  const std::vector<Int>& values = view::each(s).domain()->values;
  for (Int v : std::set<Int>(values.begin(), values.end())) {
    BlockIndex next = code.add_block();
    fuel(code);
    bind_constant(code, s.local, v);
    body(code, next);
    code.jump(next);
    code.go_to(next);
  }
}

static void each_listed(const FunctionContext& code, const model::Expr& list, const EachTurn& turn) {
  if (list.kind != model::ExprKind::local) return for_each_listed(code, list, turn);
  // Copies the list, because the body may change it.
  const Register copy = code.make(register_type(code.unit, list.type));
  code.effect(Op::list_copy, {copy, expr(code, list)});
  walk(code, copy, list.type, [&](Register element, BlockIndex next) { turn(code, element, next); });
}

static void each_player(const FunctionContext& code, Register players, const model::Expr* from, const EachTurn& turn) {
  Register in_before = code.integer(Op::players_in, {}, 4);
  Register start = from ? expr(code, *from) : code.constant(0);
  clockwise(code, players, start, false, [&](Register player, BlockIndex next) {
    // Skips players who were eliminated since the loop began, but not those who were eliminated before it.
    Register gone = code.integer(Op::mask_without, {in_before, code.integer(Op::players_in, {}, 4)}, 4);
    BlockIndex here = code.add_block();
    code.branch(code.integer(Op::mask_has, {gone, player}, 1), next, here);
    code.go_to(here);
    turn(code, player, next);
  });
}

// Loops over a copy of the set, because the body may change the original.
static void each_of_set(const FunctionContext& code, const model::Stmt& s, Register set, BlockIndex stop,
                        const EachTurn& turn) {
  RegisterType left = code.type(set);
  if (left.holds_card && code.unit.facts.secrecy.holds_named(*code.env().body, s.local)) left.holds_card = false;
  Register rest = code.make(left);
  code.assign(rest, set);
  BlockIndex head = code.add_block(), inside = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(has_any(code, rest), inside, stop);
  code.go_to(inside);
  turn(code, take_first(code, rest), head);
  code.jump(head);
}

static void each(const FunctionContext& code, const model::Stmt& s) {
  const view::each its(s);
  const model::Expr& domain = *its.domain();
  const model::Expr* where = its.where();
  const bool players = domain.type.elem && domain.type.elem->kind == TypeKind::player;
  BlockIndex stop = code.add_block();
  const bool has_flow = !flow_in(code.unit, s).empty();
  const EachBody body = [&](const FunctionContext& code, BlockIndex next) {
    if (where || has_flow) {
      const BlockIndex yes = code.add_block();
      if (has_flow) enter_in_flow(code, players ? read_local(code, s.local) : ir::kNoRegister, yes, next);
      if (where)
        branch_on(code, *where, yes, next);
      else
        code.jump(yes);
      code.go_to(yes);
    }
    code.env().loops.push_back({next, stop});
    inner_block(code, its.body());
    code.env().loops.pop_back();
  };
  const EachTurn turn = [&](const FunctionContext& code, Register element, BlockIndex next) {
    fuel(code);
    bind(code, s.local, ir::kNoRegister);
    code.env().places[s.local.index] = {};
    write_local(code, s.local, element);
    body(code, next);
  };
  if (writes_out(code, domain, s.local, {where}, &its.body())) {
    each_unrolled(code, s, body);
    code.jump(stop);
  } else if (domain.type.kind == TypeKind::list) {
    each_listed(code, domain, turn);
    code.jump(stop);
  } else {
    Register set = expr(code, domain);
    look_in_order(code, domain, set, s.local);
    if (players) {
      each_player(code, set, its.from(), turn);
      code.jump(stop);
    } else {
      each_of_set(code, s, set, stop, turn);
    }
  }
  code.go_to(stop);
}

static void repeat(const FunctionContext& code, const model::Stmt& s) {
  const view::repeat its(s);
  Register left = code.make_int();
  code.assign(left, expr(code, *its.count()));
  BlockIndex head = code.add_block(), inside = code.add_block(), stop = code.add_block();
  const BlockIndex entered = flow_in(code.unit, s).empty() ? inside : code.add_block();
  code.jump(head);
  code.go_to(head);
  if (entered != inside) enter_in_flow(code, ir::kNoRegister, entered, stop);
  code.branch(code.integer(Op::lt, {code.constant(0), left}, 1), inside, stop);
  code.go_to(inside);
  fuel(code);
  code.put(Op::sub_small, left, {left, code.constant(1)});
  if (its.condition()) {
    BlockIndex body = code.add_block();
    branch_on(code, *its.condition(), body, stop);
    code.go_to(body);
  }
  if (entered != inside) {
    const BlockIndex body = code.add_block();
    code.jump(body);
    code.go_to(entered);
    code.put(Op::sub_small, left, {left, code.constant(1)});
    code.jump(body);
    code.go_to(body);
  }
  code.env().loops.push_back({head, stop});
  inner_block(code, its.body());
  code.env().loops.pop_back();
  code.jump(head);
  code.go_to(stop);
}

// ---------------------------------------------------------------- together

// Adds the cards that are in force to `cards`, which already contains those of an enclosing `together`. Stores the zone
// instance of each card.
static void note_in_force(const FunctionContext& code, Register cards) {
  for (const Int i : instances_with_afters(code.unit)) {
    const Register here = code.set(Op::zone_cards, {code.constant(i)});
    code.put(Op::set_or, cards, {cards, here});
    for_each(code, here, [&](Register card) {
      code.effect(Op::store, {code.unit.variables.together_places, card, code.constant(i)});
    });
  }
}

// Lowers `together`. On every exit from the block, restores the value that `together_cards` had before it.
static void together(const FunctionContext& code, const model::Stmt& s) {
  const Int variable = code.unit.variables.together_cards;
  if (variable < 0) return inner_block(code, view::together(s).body());   // no card has an `after` rule
  const Register before = code.make_set(), cards = code.make_set();
  code.assign(before, scratch_value(code, variable));
  code.assign(cards, before);
  note_in_force(code, cards);
  put_scratch(code, variable, cards);
  Env& names = code.env();
  const BlockIndex behind = code.add_block();
  const auto leave_to = [&](BlockIndex to) {
    put_scratch(code, variable, before);
    code.jump(to);
  };
  const auto outer = names.loops.empty() ? std::pair(behind, behind) : names.loops.back();
  const std::pair inner(code.add_block(), code.add_block());
  if (!names.loops.empty()) names.loops.back() = inner;
  names.restore.push_back({variable, before});
  inner_block(code, view::together(s).body());
  names.restore.pop_back();
  if (!names.loops.empty()) names.loops.back() = outer;
  leave_to(behind);
  code.go_to(inner.first);
  leave_to(outer.first);
  code.go_to(inner.second);
  leave_to(outer.second);
  code.go_to(behind);
}

// ---------------------------------------------------------------- ending

static void return_value(const FunctionContext& code, const model::Stmt& s) {
  const view::return_value its(s);
  if (code.explains && s.exprs.size() == 1 && its.value() &&
      (code.env().member != ir::kNoRegister || its.value()->type.kind == TypeKind::boolean))
    return explain_return(code, s);
  std::vector<Register> values;
  for (const model::Expr* e : s.exprs)
    if (e) values.push_back(expr(code, *e));
  if (code.env().gives.empty() || values.empty())
    return leave_function(code, values.empty() ? ir::kNoRegister : values[0]);
  hand_over(code, values);
  leave_function(code, code.constant(1));
}

static void yield_value(const FunctionContext& code, const model::Stmt& s) {
  std::vector<Register> parts;
  for (const model::Expr* e : view::yield_value(s).values()) {
    parts.push_back(code.make(register_type(code.unit, e->type)));
    if (e->type.kind == TypeKind::list)
      code.effect(Op::list_copy, {parts.back(), expr(code, *e)});
    else
      code.assign(parts.back(), expr(code, *e));
  }
  code.env().yields(parts);
}

static void cancel(const FunctionContext& code) {
  code.effect(Op::store, {code.unit.variables.cancelled, code.constant(0), code.constant(1)});
  leave_function(code, ir::kNoRegister);
}

static void end_event(const FunctionContext& code, const model::Stmt& s) {
  const auto name = of_name(code.unit, s.ref);
  end_of(code, kEndFirst + Int(name),
         view::end_event(s).always_running() ? -1 : code.unit.variables.event_depth.at(name));
}

static void end_window(const FunctionContext& code, const model::Stmt& s) {
  if (code.env().window == model::WindowId{s.ref}) return leave_window(code);
  end_of(code, kEndFirst + Int(code.model.events.size()) + Int(s.ref),
         view::end_window(s).always_running() ? -1 : code.unit.variables.window_depth.at(s.ref));
}

// ---------------------------------------------------------------- moving cards

// Moves the cards. If the destination preserves the sides of cards, face-down cards stay face-down.
static void move_found(const FunctionContext& code, Moving move) {
  room_in_slot(code, move.zone, move.to, move.found);
  auto go = [&](Register what, Register where) {
    code.effect(Op::note_move, {move.cards ? what : code.set(Op::set_of, {what}), move.from, where, move.how});
    code.effect(move.cards ? Op::move_cards : Op::move_card, {what, move.guess, where, move.bottom});
    touch(code, move.touched | code.unit.watching.entered[move.zone]);
    if (move.touched_by) touch(code, *move.touched_by, move.from);
  };
  if (code.unit.ids.facedown_zone[move.zone] < 0 || move.facing == 1) return go(move.found, move.to);
  Register down = facedown_instance(code, move.zone, move.to);
  if (move.facing == 2) return go(move.found, down);
  const model::Zone& target = code.model.zones[move.zone];
  if (target.visibility != model::Visibility::open || target.shape == model::ZoneShape::pile ||
      target.shape == model::ZoneShape::slot)
    return go(move.found, move.to);
  std::vector<Int> facedown(static_cast<std::size_t>(code.program.layout.instances), 0);
  for (std::size_t i = 0; i < facedown.size(); ++i)
    facedown[i] = code.program.zone_infos[code.program.layout.instance[i].zone].facedown;
  const Int table = table_index(code.unit, facedown);
  if (!move.cards) {
    BlockIndex moves = code.add_block(), after = code.add_block();
    code.branch(code.integer(Op::eq, {move.found, code.constant(kNone)}, 1), after, moves);
    code.go_to(moves);
    go(move.found,
       code.integer(
           Op::select,
           {code.integer(Op::table, {table, code.integer(Op::zone_of, {move.found, move.guess})}, 1), down, move.to},
           1));
    code.jump(after);
    code.go_to(after);
    return;
  }
  Register turned = code.make_set();
  code.put(Op::set_empty, turned, {});
  for (std::size_t i = 0; i < facedown.size(); ++i)
    if (facedown[i]) code.put(Op::set_or, turned, {turned, code.set(Op::zone_cards, {code.constant(Int(i))})});
  Register unknown = code.make_set(), seen = code.make_set();
  code.put(Op::set_and, unknown, {move.found, turned});
  code.put(Op::set_without, seen, {move.found, turned});
  move.from = code.constant(kNone);
  go(seen, move.to);
  go(unknown, down);
}

static void move(const FunctionContext& code, const model::Stmt& s) {
  const view::move its(s);
  const model::Expr& what = *its.what();
  const model::Expr* owner = its.owner();
  const model::Expr* copy = its.copy();
  const model::Expr* picker = its.picker();
  const bool cards = is_wide(code.unit, what.type);
  const Int facing = s.value >> 3 & 3;
  if (!its.picked() || !picker || !cards || !code.unit.facts.orders.matters(s.ref)) {
    // The moved cards are evaluated before the destination, in source order.
    Register found = expr(code, what);
    if (!pure(code.unit, what)) {
      Register moved = code.make(register_type(code.unit, what.type));
      code.assign(moved, found);
      found = moved;
    }
    const bool one_zone = what.kind == model::ExprKind::zone && code.unit.ids.facedown_zone[what.ref] < 0;
    Register likely = guess(code, what);
    Register from = !cards     ? code.integer(Op::zone_of, {found, likely})
                    : one_zone ? zone_instance(code, what.ref, view::zone(what).owner(), view::zone(what).copy())
                               : code.constant(kNone);
    const auto known = watchers_leaving_known(code, what);
    const auto leaving = known || cards || code.unit.plain ? std::nullopt : watchers_by_instance(code.unit);
    if (!cards && (leaving || guess_is_vague(code, what))) likely = from;   // zone_of has already found the instance
    const Int unknown = what.kind == model::ExprKind::random_n || what.kind == model::ExprKind::pick_random ? 1 : 0;
    return move_found(
        code, {found, cards, from, likely, leaving ? leaving->anywhere : watchers_leaving(code, what), leaving, s.ref,
               zone_instance(code, s.ref, owner, copy), facing, unknown, its.to_bottom()});
  }
  Register all = code.make_set();
  code.assign(all, expr(code, what));
  Register to = code.make(int_type(1));
  code.assign(to, zone_instance(code, s.ref, owner, copy));
  Register top = pick_top(code, s, all);
  if (facing == 2) to = facedown_instance(code, s.ref, to);
  code.effect(Op::note_move, {all, code.constant(kNone), to, 0});
  const Register from = guess(code, what);
  code.effect(Op::move_cards, {code.set(Op::set_remove, {all, top}), from, to, 0});
  code.effect(Op::move_card, {top, from, to, 0});
  touch(code, code.unit.watching.zones);
}

// Turns cards face-up or face-down. Players who can see into the zone see the cards. In zones that do not distinguish
// sides, turning a card face-up reveals it to all players.
static void turn_cards(const FunctionContext& code, Register what, bool faceup, Register guess) {
  std::vector<Int> sided(static_cast<std::size_t>(code.program.layout.instances), 0);
  std::vector<Int> other(static_cast<std::size_t>(code.program.layout.instances), kNone);
  bool any = false;
  for (std::size_t z = 0; z < code.unit.ids.facedown_zone.size(); ++z) {
    if (code.unit.ids.facedown_zone[z] < 0) continue;
    any = true;
    const ZoneSlot &up = code.program.zones[z], &down = code.program.zones[code.unit.ids.facedown_zone[z]];
    for (Int i = 0; i < up.owners * up.copies; ++i)
      (faceup ? other[down.first + i] : other[up.first + i]) = faceup ? up.first + i : down.first + i;
    for (Int i = 0; i < up.owners * up.copies; ++i) sided[up.first + i] = sided[down.first + i] = 1;
  }
  if (!any) {
    if (faceup) code.effect(Op::note_turn, {what, faceup}), touch(code, code.unit.watching.always);
    return;
  }
  const Int table = table_index(code.unit, other), sides = table_index(code.unit, sided);
  for_each(code, what, [&](Register card) {
    BlockIndex moves = code.add_block(), after = code.add_block();
    Register from = code.integer(Op::zone_of, {card, guess});
    Register to = code.integer(Op::table, {table, from});
    BlockIndex stays = faceup ? code.add_block() : after;
    code.branch(code.integer(Op::eq, {to, code.constant(kNone)}, 1), stays, moves);
    if (faceup) {
      BlockIndex shown = code.add_block();
      code.go_to(stays);
      code.branch(code.integer(Op::table, {sides, from}), after, shown);
      code.go_to(shown);
      code.effect(Op::note_turn, {code.set(Op::set_of, {card}), 1});
      code.jump(after);
    }
    code.go_to(moves);
    code.effect(Op::note_move, {code.set(Op::set_of, {card}), from, to, 0});
    code.effect(Op::move_card, {card, from, to, 2});
    code.jump(after);
    code.go_to(after);
  });
  touch(code, code.unit.watching.zones);
}

static void turn_cards(const FunctionContext& code, const model::Stmt& s) {
  const view::turn_cards its(s);
  const Register turned = cards_shown(code, *its.what());
  turn_cards(code, turned, its.faceup(), guess_before_turned(code, *its.what(), its.faceup()));
}

static void draw_one(const FunctionContext& code, std::uint32_t source, Register from, std::uint32_t zone, Register to,
                     Int facing) {
  Register card = code.make(register_type(code.unit, simple(TypeKind::card)));
  from = top_instance(code, source, from);
  code.put(Op::zone_top, card, {from});
  if (code.unit.ids.facedown_zone[source] >= 0) from = code.integer(Op::zone_of, {card, from});
  room_in_slot(code, zone, to, card);
  if (facing == 2) to = facedown_instance(code, zone, to);
  code.effect(Op::note_draw, {card, from, to});
  code.effect(Op::move_card, {card, from, to, 0});
  touch(code, watchers_move(code.unit, source, zone));
}

static void draw_to(const FunctionContext& code, const model::Stmt& s) {
  const view::draw_to its(s);
  Register from = code.make(int_type(1)), to = code.make(int_type(1));
  code.assign(from, zone_instance(code, s.ref, its.from_owner(), its.from_copy()));
  Register left = ir::kNoRegister;
  if (its.count()) {
    left = code.make_int();
    code.assign(left, expr(code, *its.count()));
  }
  const auto target = static_cast<std::uint32_t>(s.value);
  const Int facing = s.value >> 32;
  code.assign(to, zone_instance(code, target, its.to_owner(), its.to_copy()));
  if (left == ir::kNoRegister) return draw_one(code, s.ref, from, target, to, facing);
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::lt, {code.constant(0), left}, 1), inside, done);
  code.go_to(inside);
  fuel(code);
  code.put(Op::sub_small, left, {left, code.constant(1)});
  draw_one(code, s.ref, from, target, to, facing);
  code.jump(head);
  code.go_to(done);
}

// Deals cards in rounds, with one card to each player per round. s.exprs contains: [P? source owner, I count, SP
// receiving players, P first player].
static void deal_each(const FunctionContext& code, const model::Stmt& s) {
  const view::deal_each its(s);
  Register from = code.make(int_type(1)), left = code.make_int(), whom = code.make_int(4),
           start = code.make(int_type(1));
  code.assign(from, zone_instance(code, s.ref, its.owner(), nullptr));
  code.assign(left, expr(code, *its.count()));
  code.assign(whom, s.exprs.size() > 2 && its.whom() ? expr(code, *its.whom()) : code.integer(Op::players_in, {}, 4));
  code.assign(start, s.exprs.size() > 3 && its.from() ? expr(code, *its.from()) : code.constant(0));
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::lt, {code.constant(0), left}, 1), inside, done);
  code.go_to(inside);
  code.put(Op::sub_small, left, {left, code.constant(1)});
  clockwise(code, whom, start, false, [&](Register player, BlockIndex) {
    fuel(code);
    const auto target = static_cast<std::uint32_t>(s.value);
    draw_one(code, s.ref, from, target, zone_instance(code, model::ZoneId{target}, player), s.value >> 32);
  });
  code.jump(head);
  code.go_to(done);
}

static void deal_pool(const FunctionContext& code, const model::Stmt& s) {
  const view::deal_pool its(s);
  std::uint32_t target = static_cast<std::uint32_t>(s.value);
  Register index = code.make_int();
  code.assign(index, flat_index(code, code.model.variables[target], s.exprs, 1));
  Register value = code.make_int();
  if (its.value()) {
    code.assign(value, expr(code, *its.value()));
    code.effect(Op::pool_take, {code.unit.ids.pool[s.ref], value});
  } else {
    code.put(Op::pool_deal, value,
             {code.unit.ids.pool[s.ref], code.program.variables[code.unit.ids.variable[target]].optional});
  }
  store(code, code.unit.ids.variable[target], index, value, target);
}

// ---------------------------------------------------------------- afterwards

namespace {

void locals_in(const model::Expr* e, std::set<std::uint32_t>& found) {
  if (!e) return;
  if (e->kind == model::ExprKind::local) found.insert(e->local.index);
  for (const model::Expr* a : e->args) locals_in(a, found);
}

void locals_in(const model::Block& block, std::set<std::uint32_t>& found) {
  for (const model::Stmt* s : block) {
    if (s->local.valid()) found.insert(s->local.index);
    for (const model::Expr* e : s->exprs) locals_in(e, found);
    for (const model::Block& inner : s->blocks) locals_in(inner, found);
  }
}

}   // namespace

static void afterwards(const FunctionContext& code, const model::Stmt& s) {
  std::set<std::uint32_t> used;
  locals_in(s.blocks[0], used);
  Deferred d;
  d.stmt = &s;
  d.body = code.env().body;
  Int ints = 0, sets = 0;
  std::vector<std::pair<bool, Register>> values;
  for (std::uint32_t local : used) {
    if (local >= code.env().places.size() || code.env().places[local].kind == Place::Kind::none) continue;
    bool set = is_wide(code.unit, code.env().body->locals[local].type);
    d.captured.push_back({model::LocalId{local}, set});
    const Register value = read_local(code, model::LocalId{local});
    if (code.type(value).kind == ir::RegisterKind::array) {   // an array is passed as its length and all elements
      if (parts_of(code.type(value)).size() > 65)
        too_large(code.unit, s.range,
                  fmt::format("the list `{}` is too long for `afterwards`: it can have more than 64 elements",
                              code.env().body->locals[local].name));
      for (const Register part : taken_apart(code, value)) {
        values.push_back({code.type(part).kind == ir::RegisterKind::set, part});
        (values.back().first ? sets : ints) += 1;
      }
      continue;
    }
    values.push_back({set, value});
    (set ? sets : ints) += 1;
  }
  if (!code.unit.variables.queue_used) code.program.layout.queue_bytes = 1;
  for (const auto& [set, value] : values)
    if (!set) code.program.layout.queue_bytes = std::max<Int>(code.program.layout.queue_bytes, code.type(value).bytes);
  code.program.layout.queue_ints = std::max(code.program.layout.queue_ints, ints);
  code.program.layout.queue_sets = std::max(code.program.layout.queue_sets, sets);
  code.unit.variables.queue_used = true;
  code.effect(Op::queue_push, {Int(code.unit.deferred.size())});
  Int i = 0, j = 0;
  for (auto& [set, value] : values) code.effect(set ? Op::queue_set : Op::queue_int, {set ? j++ : i++, value});
  touch(code, {.dirty = kQueueBit});
  code.unit.deferred.push_back(std::move(d));
}

}   // namespace cardwright::lower
