// Statements, except those that ask (windows.cpp, choices.cpp) and those of the flow (flow.cpp).
#include "compiler/lower/statements.h"

#include <algorithm>

#include "compiler/lower/asked.h"
#include "compiler/lower/boards.h"
#include "compiler/lower/calls.h"
#include "compiler/lower/choices.h"
#include "compiler/lower/constants.h"
#include "compiler/lower/dice.h"
#include "compiler/lower/events.h"
#include "compiler/lower/explain.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/flow.h"
#include "compiler/lower/guesses.h"
#include "compiler/lower/lists.h"
#include "compiler/lower/log.h"
#include "compiler/lower/metadata.h"
#include "compiler/lower/places.h"
#include "compiler/lower/race.h"
#include "compiler/lower/sets.h"
#include "compiler/lower/tables.h"
#include "compiler/lower/watch.h"
#include "compiler/lower/windows.h"

namespace cardwright::lower {

using model::StmtKind;
using model::TypeKind;

// Moves what a register holds; `facing` as sema says (facing_in) it.
struct Moving {
  Register found;
  bool cards;   // a set of them
  Register from, guess;   // instances; `from` none if they come from several
  Watchers touched;   // by their leaving
  std::optional<Leaving> touched_by;   // … and by that of a card from where it lies, `from`
  std::uint32_t zone;   // and which instance of it they go to
  Register to;
  Int facing, how;
  bool bottom;
};

static void note_shown(const FunctionContext& code, const model::Stmt& s);
static void write_statement(const FunctionContext& code, const model::Stmt& s);
static void assign_variable(const FunctionContext& code, const model::Stmt& s);
static void store(const FunctionContext& code, Int variable, Register index, Register value,
                  std::uint32_t model_variable);
static void each(const FunctionContext& code, const model::Stmt& s);
static void repeat(const FunctionContext& code, const model::Stmt& s);
static void move(const FunctionContext& code, const model::Stmt& s);
static void turn_cards(const FunctionContext& code, Register what, bool faceup, Register guess);
static void draw_to(const FunctionContext& code, const model::Stmt& s);
static void deal_each(const FunctionContext& code, const model::Stmt& s);
static void deal_pool(const FunctionContext& code, const model::Stmt& s);
static void decide_order(const FunctionContext& code, const model::Expr& looked_at);
static void afterwards(const FunctionContext& code, const model::Stmt& s);
static void return_value(const FunctionContext& code, const model::Stmt& s);

// Nothing is written by it, if what follows is reached at all.
static bool only_looks(const ProgramContext& unit, const model::Stmt& s) {
  const auto leaves = [](const model::Block& block) {
    return std::all_of(block.begin(), block.end(), [](const model::Stmt* inner) {
      return inner->kind == StmtKind::stop || inner->kind == StmtKind::next;
    });
  };
  switch (s.kind) {
    case StmtKind::log: return true;
    case StmtKind::let: return s.exprs.empty() || !view::let(s).initial() || pure(unit, *view::let(s).initial());
    case StmtKind::if_else:
      return pure(unit, *view::if_else(s).condition()) && leaves(s.blocks[0]) && leaves(s.blocks[1]);
    default: return false;
  }
}

void block(const FunctionContext& code, const model::Block& statements) {
  const auto shown_outside = code.env().shown;
  for (const model::Stmt* s : statements) {
    const bool loop = s->kind == StmtKind::each || s->kind == StmtKind::repeat,
               hides = !code.env().shown.empty() && code.unit.facts.secrecy.takes_out_of_sight(*s);
    if (loop && hides) code.env().shown.clear();
    note_shown(code, *s);
    const bool looks = only_looks(code.unit, *s);
    const auto something_happens = [&] { code.env().fresh.clear(), code.env().found.clear(); };
    if (!looks) something_happens();
    statement(code, *s);
    if (hides) code.env().shown.clear();
    if (!looks) something_happens();
    if (s->kind != StmtKind::let || s->exprs.empty() || !s->exprs[0]) continue;
    if (looks) code.env().fresh[s->local.index] = s->exprs[0];
    code.env().found[s->local.index] = s->exprs[0];
  }
  code.env().shown = shown_outside;
}

static void note_shown(const FunctionContext& code, const model::Stmt& s) {
  if (s.local.valid()) code.env().shown.erase(s.local.index);
  if (s.kind != StmtKind::reveal_cards && s.kind != StmtKind::peek_cards) return;
  if (const model::Expr& cards = *s.exprs.back(); cards.kind == model::ExprKind::local)
    code.env().shown[cards.local.index] = s.kind == StmtKind::peek_cards ? view::peek_cards(s).who() : nullptr;
}

namespace {
// Piles of which an expression looks at the top: who looks at an empty one has it refilled.
void tops_in(const model::Expr* e, std::set<std::uint32_t>& found) {
  if (!e) return;
  if (e->kind == model::ExprKind::zone_top || e->kind == model::ExprKind::zone_top_n) found.insert(e->ref);
  for (const model::Expr* a : e->args) tops_in(a, found);
}
}  // namespace

void statement(const FunctionContext& code, const model::Stmt& s) {
  if (!code.explains || s.kind == StmtKind::return_value) return write_statement(code, s);
  const Int opened = open_notes(code);
  write_statement(code, s);
  close_notes(code, opened, "drop");
}

static void write_statement(const FunctionContext& code, const model::Stmt& s) {
  code.at(s.range);
  std::set<std::uint32_t> tops;
  for (const model::Expr* e : s.exprs) tops_in(e, tops);
  for (const std::uint32_t zone : tops)
    if (const auto& from = code.model.zones[zone].refill_from; from && s.kind != StmtKind::move)
      touch(code, code.unit.watching.entered[zone] | code.unit.watching.left[from->index]);
  switch (s.kind) {
    case StmtKind::let: {
      const model::Type& type = code.env().body->locals[s.local.index].type;
      if (!s.exprs.empty() && view::let(s).initial()) {
        Register v = expr(code, *view::let(s).initial());
        const bool fresh = view::let(s).initial()->kind != model::ExprKind::local && !lies_in_state(code, s.local);
        if (code.type(v).kind == ir::RegisterKind::array && fresh) return bind(code, s.local, v);   // nobody else's
        write_local(code, s.local, v);
      } else if (type.kind == TypeKind::map) {
        fill_table(code, read_local(code, s.local), type, default_value(code, *type.elem));
      } else if (type.kind == TypeKind::list && !lies_in_state(code, s.local)) {
        code.effect(Op::array_fill, {read_local(code, s.local), code.constant(0)});
      } else {
        write_local(code, s.local, default_value(code, type));
      }
      return;
    }
    case StmtKind::assign_local: {
      if (s.exprs.size() == 1) {
        write_local(code, s.local, expr(code, *s.exprs[0]));
        return;
      }
      const model::Type& type = code.env().body->locals[s.local.index].type;
      if (type.kind == TypeKind::map)
        return set_entry(code, read_local(code, s.local), type, *s.exprs[0], *s.exprs.back());
      Register index = expr(code, *s.exprs[0]);
      const Register list = read_local(code, s.local);
      put_element(code, list, type, index, expr(code, *s.exprs.back()));
      if (lies_in_state(code, s.local)) write_local(code, s.local, list);
      return;
    }
    case StmtKind::assign_variable: assign_variable(code, s); return;
    case StmtKind::assign_all: {
      Register whose = expr(code, *view::assign_all(s).whose());
      for_each(code, whose, false, [&](Register player) {
        bind(code, s.local, player);
        store(code, code.unit.ids.variable[s.ref], player, expr(code, *view::assign_all(s).value()), s.ref);
      });
      return;
    }
    case StmtKind::assign_window_field:
      put_scratch(code, code.unit.variables.window_field.at({s.ref, s.value}),
                  expr(code, *view::assign_window_field(s).value()));
      return touch(code, code.unit.watching.always);
    case StmtKind::assign_event_field:
      put_scratch(code, code.unit.variables.event_field.at({s.ref, s.value}),
                  expr(code, *view::assign_event_field(s).value()));
      return touch(code, code.unit.watching.always);
    case StmtKind::let_given: {
      const Register given_any = code.make_int();
      code.assign(given_any, happened(code, *view::let_given(s).call()));
      const std::vector<Int> given = given_by(code, *view::let_given(s).call());
      for (std::size_t i = 0; i < given.size(); ++i) {
        const model::LocalId local{s.local.index + static_cast<std::uint32_t>(i)};
        write_local(code, local,
                    handed_over(code, given[i], given_any, s.exprs[i + 1], code.env().body->locals[local.index].type));
      }
      return;
    }
    case StmtKind::evaluate: expr(code, *view::evaluate(s).effect()); return;
    case StmtKind::yield_value: {
      std::vector<Register> parts;
      for (const model::Expr* e : s.exprs) {
        parts.push_back(code.make(register_type(code.unit, e->type)));
        if (e->type.kind == TypeKind::list)
          code.effect(Op::list_copy, {parts.back(), expr(code, *e)});
        else
          code.assign(parts.back(), expr(code, *e));
      }
      code.env().yields(parts);
      return;
    }
    case StmtKind::if_else: {
      BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
      if (flow_in(code.unit, s).empty())
        branch_on(code, *view::if_else(s).condition(), yes, no);
      else
        branch_in_flow(code, *view::if_else(s).condition(), s.blocks[0], yes, no);
      code.go_to(yes);
      inner_block(code, s.blocks[0]);
      code.jump(after);
      code.go_to(no);
      if (s.blocks.size() > 1) inner_block(code, s.blocks[1]);
      code.jump(after);
      code.go_to(after);
      return;
    }
    case StmtKind::each: each(code, s); return;
    case StmtKind::repeat: repeat(code, s); return;
    case StmtKind::stop:
      if (!code.env().loops.empty()) code.jump(code.env().loops.back().second);
      return;
    case StmtKind::next:
      if (!code.env().loops.empty()) code.jump(code.env().loops.back().first);
      return;
    case StmtKind::return_value: return_value(code, s); return;
    case StmtKind::cancel:
      code.effect(Op::store, {code.unit.variables.cancelled, code.constant(0), code.constant(1)});
      leave_function(code, ir::kNoRegister);
      return;
    case StmtKind::end_event:
      end_of(code, kEndFirst + Int(of_name(code.unit, s.ref)),
             s.value ? -1 : code.unit.variables.event_depth.at(of_name(code.unit, s.ref)));
      return;
    case StmtKind::end_phase: end_of(code, kEndPhase, s.value ? -1 : code.unit.variables.phase_depth); return;
    case StmtKind::end_window:
      if (code.env().window == model::WindowId{s.ref})
        leave_window(code);
      else
        end_of(code, kEndFirst + Int(code.model.events.size()) + Int(s.ref),
               s.value ? -1 : code.unit.variables.window_depth.at(s.ref));
      return;
    case StmtKind::end_play: end_of(code, kEndPlay); return;
    case StmtKind::checkpoint:
      call(code, code.unit.functions.settle, {code.constant(0)});
      check_unwind(code, code.unit.functions.settle);
      return;
    case StmtKind::check_end:
      call(code, code.unit.functions.check, {code.constant(kEndingBits)});
      check_unwind(code, code.unit.functions.check);
      return;
    case StmtKind::winners: winners(code, s); return;
    case StmtKind::afterwards: afterwards(code, s); return;
    case StmtKind::ask: ask(code, s); return;
    case StmtKind::choose: choose(code, s); return;
    case StmtKind::choose_one: choose_one(code, s); return;
    case StmtKind::arrange: arrange(code, s); return;
    case StmtKind::show_faces: show_faces(code, s); return;
    case StmtKind::move: move(code, s); return;
    case StmtKind::draw_to: draw_to(code, s); return;
    case StmtKind::deal_each: deal_each(code, s); return;
    case StmtKind::deal_pool: deal_pool(code, s); return;
    case StmtKind::shuffle:
      code.effect(Op::shuffle, {zone_instance(code, s.ref, view::shuffle(s).owner(), view::shuffle(s).copy())});
      return touch(code, code.unit.watching.always);
    case StmtKind::reveal_cards: {
      decide_order(code, *view::reveal_cards(s).what());
      Register what = expr(code, *view::reveal_cards(s).what());
      if (!is_wide(code.unit, view::reveal_cards(s).what()->type)) what = code.set(Op::set_of, {what});
      code.effect(Op::note_reveal, {what});
      return touch(code, code.unit.watching.always);
    }
    case StmtKind::reveal_variable: {
      code.effect(Op::note_variable, {code.unit.ids.variable[s.ref], known_at(code, s.ref, s.exprs, 0)});
      return;
    }
    case StmtKind::peek_variable: {
      const Register who = expr(code, *view::peek_variable(s).who());
      code.effect(Op::note_shown, {who, code.unit.ids.variable[s.ref], known_at(code, s.ref, s.exprs, 1)});
      return;
    }
    case StmtKind::peek_cards: {
      Register who = expr(code, *view::peek_cards(s).who());
      decide_order(code, *view::peek_cards(s).what());
      Register what = expr(code, *view::peek_cards(s).what());
      if (!is_wide(code.unit, view::peek_cards(s).what()->type)) what = code.set(Op::set_of, {what});
      code.effect(Op::note_peek, {who, what});
      return touch(code, code.unit.watching.always);
    }
    case StmtKind::turn_cards: {
      Register what = expr(code, *view::turn_cards(s).what());
      if (!is_wide(code.unit, view::turn_cards(s).what()->type)) what = code.set(Op::set_of, {what});
      turn_cards(code, what, s.value, guess_before_turned(code, *view::turn_cards(s).what(), s.value));
      return;
    }
    case StmtKind::eliminate:
      code.effect(Op::eliminate, {expr(code, *view::eliminate(s).player())});
      touch(code, code.unit.watching.players);
      return;
    case StmtKind::turns: turns(code, s); return;
    case StmtKind::rounds: rounds(code, s); return;
    case StmtKind::phase: phase(code, s); return;
    case StmtKind::delay: delay(code, s); return;
    case StmtKind::pause: pause(code, s); return;
    case StmtKind::start_timer: start_timer(code, s); return;
    case StmtKind::stop_timer: stop_timer(code, s); return;
    case StmtKind::log: log(code, s); return;
  }
}

// Who looks through a whole pile sees its order, so that is no longer open.
static void decide_order(const FunctionContext& code, const model::Expr& looked_at) {
  if (looked_at.kind != model::ExprKind::zone || !code.unit.facts.orders.read[looked_at.ref] ||
      code.unit.facts.always_ordered[looked_at.ref])
    return;
  if (code.model.zones[looked_at.ref].shape != model::ZoneShape::pile ||
      code.unit.ids.facedown_zone[looked_at.ref] >= 0)
    return;
  const Register instance = zone_instance(code, looked_at.ref, looked_at.args.empty() ? nullptr : looked_at.args[0],
                                          looked_at.args.size() > 1 ? looked_at.args[1] : nullptr);
  code.set(Op::zone_top_n, {instance, code.integer(Op::zone_size, {instance})});
}

// ---------------------------------------------------------------- assignment

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
  touch(code, watchers_variable(code.unit, model_variable));
}

static void assign_variable(const FunctionContext& code, const model::Stmt& s) {
  const model::Variable& v = code.model.variables[s.ref];
  Register index = code.make_int();
  code.assign(index, flat_index(code, v, s.exprs, 0));
  store(code, code.unit.ids.variable[s.ref], index, expr(code, *s.exprs.back()), s.ref);
}

// ---------------------------------------------------------------- loops

static void each(const FunctionContext& code, const model::Stmt& s) {
  const model::Expr& domain = *s.exprs[0];
  const model::Expr* where = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const model::Expr* from = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  bool cards = is_wide(code.unit, domain.type);
  bool players = domain.type.elem && domain.type.elem->kind == TypeKind::player;
  BlockIndex stop = code.add_block();
  const bool has_flow = !flow_in(code.unit, s).empty();
  auto body = [&](const FunctionContext& code, BlockIndex next) {
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
    inner_block(code, s.blocks[0]);
    code.env().loops.pop_back();
  };
  if (writes_out(code, domain, s.local, {where}, &s.blocks[0])) {
    for (Int v : std::set<Int>(domain.values.begin(), domain.values.end())) {
      BlockIndex next = code.add_block();
      fuel(code);
      bind_constant(code, s.local, v);
      body(code, next);
      code.jump(next);
      code.go_to(next);
    }
    code.jump(stop);
    code.go_to(stop);
    return;
  }
  const auto turn = [&](const FunctionContext& code, Register element, BlockIndex next) {
    fuel(code);
    bind(code, s.local, ir::kNoRegister);
    code.env().places[s.local.index] = {};
    write_local(code, s.local, element);
    body(code, next);
  };
  const auto turn_here = [&](Register element, BlockIndex next) { turn(code, element, next); };
  if (domain.type.kind == TypeKind::list) {
    if (domain.kind != model::ExprKind::local) {
      for_each_listed(code, domain, turn);
    } else {   // the elements as they are now: the body may change it
      const Register kept = code.make(register_type(code.unit, domain.type));
      code.effect(Op::list_copy, {kept, expr(code, domain)});
      walk(code, kept, domain.type, turn_here);
    }
    code.jump(stop);
    code.go_to(stop);
    return;
  }
  Register set = expr(code, domain);
  look_in_order(code, domain, set, s.local);
  if (players) {
    Register in_before = code.integer(Op::players_in, {}, 4);
    Register start = from ? expr(code, *from) : code.constant(0);
    auto one = [&](Register player, BlockIndex next) {
      // who has gone out since the loop began is passed over; who was out before is a member all the same
      Register gone = code.integer(Op::mask_without, {in_before, code.integer(Op::players_in, {}, 4)}, 4);
      BlockIndex here = code.add_block();
      code.branch(code.integer(Op::mask_has, {gone, player}, 1), next, here);
      code.go_to(here);
      turn_here(player, next);
    };
    clockwise(code, set, start, false, one);
    code.jump(stop);
  } else {
    RegisterType left = code.type(set);
    if (left.holds_card && code.unit.facts.secrecy.holds_named(*code.env().body, s.local)) left.holds_card = false;
    Register rest = code.make(left);
    code.assign(rest, set);
    BlockIndex head = code.add_block(), inside = code.add_block();
    code.jump(head);
    code.go_to(head);
    code.branch(cards ? code.integer(Op::set_any, {rest}, 1) : code.integer(Op::ne, {rest, code.constant(0)}, 1),
                inside, stop);
    code.go_to(inside);
    Register element = code.make(element_type(code, rest));
    code.put(cards ? Op::set_first : Op::mask_first, element, {rest});
    if (cards)
      code.put(Op::set_rest, rest, {rest});
    else
      code.put(Op::mask_without, rest, {rest, code.integer(Op::mask_of, {element})});
    turn_here(element, head);
    code.jump(head);
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
  if (s.exprs.size() > 1 && its.condition()) {
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
  inner_block(code, s.blocks[0]);
  code.env().loops.pop_back();
  code.jump(head);
  code.go_to(stop);
}

// ---------------------------------------------------------------- leaving

void leave_function(const FunctionContext& code, Register value) {
  for (auto& [variable, old] : code.env().restore) put_scratch(code, variable, old);
  if (!code.env().restore.empty()) touch(code, code.unit.watching.always);
  if (code.env().inline_return) {
    if (code.env().result != ir::kNoRegister && code.type(code.env().result).kind == ir::RegisterKind::array) {
      if (value != ir::kNoRegister)
        code.effect(Op::list_copy, {code.env().result, value});
      else
        code.effect(Op::array_fill, {code.env().result, code.constant(0)});
    } else if (code.env().result != ir::kNoRegister) {
      if (value != ir::kNoRegister)
        code.assign(code.env().result, value);
      else if (code.type(code.env().result).kind == ir::RegisterKind::set)
        code.put(Op::set_empty, code.env().result, {});
      else
        code.assign_constant(code.env().result, kNone);
    }
    code.jump(code.env().return_block);
    return;
  }
  switch (code.function().returns) {
    case ir::Returns::nothing: code.effect(Op::ret, {}); return;
    case ir::Returns::integer:
      code.effect(Op::ret_int, {value != ir::kNoRegister ? value : code.constant(kNone)});
      return;
    case ir::Returns::set:
      code.effect(Op::ret_set, {value != ir::kNoRegister ? value : code.set(Op::set_empty, {})});
      return;
  }
}

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

void end_of(const FunctionContext& code, Int target, Int running) {
  code.unit.functions.enders.insert(code.index);
  if (running >= 0) {
    BlockIndex some = code.add_block(), none = code.add_block();
    code.branch(code.integer(Op::load_raw, {running, code.constant(0)}), some, none);
    code.go_to(none);
    leave_function(code, ir::kNoRegister);
    code.go_to(some);
  }
  code.effect(Op::store,
              {code.unit.variables.ending, code.constant(0), code.constant(target + kSayer * code.env().said_by)});
  leave_function(code, ir::kNoRegister);
}

// After a call: if something further out is being left, leave too. note_ways_out drops the test where it can't be.
void check_unwind(const FunctionContext& code, ir::FunctionIndex) {
  Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
  BlockIndex out = code.add_block(), on = code.add_block();
  code.branch(ending, out, on);
  code.go_to(out);
  if (code.env().window.valid() &&
      code.unit.ended_windows.count(code.env().window.index)) {   // it may be this very window
    BlockIndex mine = code.add_block(), further = code.add_block();
    const Int window = kEndFirst + Int(code.model.events.size()) + Int(code.env().window.index);
    code.branch(
        code.integer(Op::eq, {code.integer(Op::mod_small, {ending, code.constant(kSayer)}), code.constant(window)}, 1),
        mine, further);
    code.go_to(mine);
    code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
    leave_window(code);
    code.go_to(further);
  }
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
}

// ---------------------------------------------------------------- cards on the move

// A slot holds one card at most: another one is not laid beside it.
void room_in_slot(const FunctionContext& code, std::uint32_t zone, Register instance, Register what) {
  if (code.model.zones[zone].shape != model::ZoneShape::slot) return;
  BlockIndex full = code.add_block(), room = code.add_block();
  const bool cards = code.type(what).kind == ir::RegisterKind::set;
  const Register all = code.set(cards ? Op::set_or : Op::set_add, {zone_set(code, zone, instance), what});
  const Register count = code.integer(Op::set_count, {all});
  code.branch(code.integer(Op::lt_small, {code.constant(1), count}, 1), full, room);
  code.go_to(full);
  fail(code, Trap::slot_full, About::instance, instance, count);
  code.go_to(room);
}

// Into a zone that keeps the sides of its cards, those that lie face down go face down.
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
  std::vector<Int> lies_down(static_cast<std::size_t>(code.program.layout.instances), 0);
  for (std::size_t i = 0; i < lies_down.size(); ++i)
    lies_down[i] = code.program.zone_infos[code.program.layout.instance[i].zone].facedown;
  const Int table = table_index(code.unit, lies_down);
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
  for (std::size_t i = 0; i < lies_down.size(); ++i)
    if (lies_down[i]) code.put(Op::set_or, turned, {turned, code.set(Op::zone_cards, {code.constant(Int(i))})});
  Register unseen = code.make_set(), seen = code.make_set();
  code.put(Op::set_and, unseen, {move.found, turned});
  code.put(Op::set_without, seen, {move.found, turned});
  move.from = code.constant(kNone);
  go(seen, move.to);
  go(unseen, down);
}

static void move(const FunctionContext& code, const model::Stmt& s) {
  const view::move its(s);
  const model::Expr& what = *its.what();
  const model::Expr* owner = its.owner();
  const model::Expr* copy = its.copy();
  const model::Expr* picker = its.picker();
  const bool cards = is_wide(code.unit, what.type);
  const Int facing = s.value >> 3 & 3;
  if (!(s.value & 4) || !picker || !cards || !code.unit.facts.orders.matters(s.ref)) {
    // what is moved is found before where it goes, as the text has it
    Register found = expr(code, what);
    if (!pure(code.unit, what)) {
      Register kept = code.make(register_type(code.unit, what.type));
      code.assign(kept, found);
      found = kept;
    }
    const bool one_zone = what.kind == model::ExprKind::zone && code.unit.ids.facedown_zone[what.ref] < 0;
    Register likely = guess(code, what);
    Register from = !cards     ? code.integer(Op::zone_of, {found, likely})
                    : one_zone ? zone_instance(code, what.ref, what.args.size() > 0 ? what.args[0] : nullptr,
                                               what.args.size() > 1 ? what.args[1] : nullptr)
                               : code.constant(kNone);
    const auto known = watchers_leaving_known(code, what);
    const auto leaving = known || cards || code.unit.plain ? std::nullopt : watchers_by_instance(code.unit);
    if (!cards && (leaving || guess_is_vague(code, what))) likely = from;   // it was looked for already
    const Int unseen = what.kind == model::ExprKind::random_n || what.kind == model::ExprKind::pick_random ? 1 : 0;
    return move_found(
        code, {found, cards, from, likely, leaving ? leaving->anywhere : watchers_leaving(code, what), leaving, s.ref,
               zone_instance(code, s.ref, owner, copy), facing, unseen, (s.value & 1) != 0});
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

// From the side a card lies on to the other: seen by those who see into its zone. Where cards have no sides, faceup
// shows them to everybody.
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
  for_each(code, what, true, [&](Register card) {
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
  auto at = [&](std::size_t i) { return i < s.exprs.size() ? s.exprs[i] : nullptr; };
  Register from = code.make(int_type(1)), to = code.make(int_type(1));
  code.assign(from, zone_instance(code, s.ref, at(0), at(1)));
  Register left = ir::kNoRegister;
  if (at(2)) {
    left = code.make_int();
    code.assign(left, expr(code, *at(2)));
  }
  const auto target = static_cast<std::uint32_t>(s.value);
  const Int facing = s.value >> 32;
  code.assign(to, zone_instance(code, target, at(3), at(4)));
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

// [P? source owner, I count, SP to whom, P from]: one card to each, round by round.
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
  Int variable = code.unit.ids.variable[target];
  Register old = code.integer(Op::load_raw, {variable, index});
  code.effect(Op::store, {variable, index, value});
  if (code.program.variable_infos[variable].secret)
    code.effect(Op::note_dealt, {variable, index});
  else
    code.effect(Op::note_change, {variable, index, old, value});
  touch(code, watchers_variable(code.unit, target));
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
}  // namespace

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
    if (code.type(value).kind == ir::RegisterKind::array) {   // its length and all that it holds
      if (parts_of(code.type(value)).size() > 65)
        too_large(code.unit, s.range,
                  fmt::format("`{}` is too long a list to wait for its turn: more than 64 things",
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

}  // namespace cardwright::lower
