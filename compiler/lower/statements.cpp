// Statements, except those that ask (windows.cpp, choices.cpp) and those of the flow (flow.cpp).
#include <algorithm>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::StmtKind;
using model::TypeKind;

// Nothing is written by it, if what follows is reached at all.
bool Lowering::only_looks(const model::Stmt& s) const {
  const auto leaves = [](const model::Block& block) {
    return std::all_of(block.begin(), block.end(), [](const model::Stmt* inner) {
      return inner->kind == StmtKind::stop || inner->kind == StmtKind::next;
    });
  };
  switch (s.kind) {
    case StmtKind::log: return true;
    case StmtKind::let: return s.exprs.empty() || !s.exprs[0] || pure(*s.exprs[0]);
    case StmtKind::if_else: return pure(*s.exprs[0]) && leaves(s.blocks[0]) && leaves(s.blocks[1]);
    default: return false;
  }
}

void Lowering::block(const model::Block& statements) {
  const auto shown_outside = env().shown;
  for (const model::Stmt* s : statements) {
    const bool loop = s->kind == StmtKind::each || s->kind == StmtKind::repeat,
               hides = !env().shown.empty() && secrecy_.takes_out_of_sight(*s);
    if (loop && hides) env().shown.clear();
    note_shown(*s);
    const bool looks = only_looks(*s);
    const auto something_happens = [&] { env().fresh.clear(), env().found.clear(); };
    if (!looks) something_happens();
    statement(*s);
    if (hides) env().shown.clear();
    if (!looks) something_happens();
    if (s->kind != StmtKind::let || s->exprs.empty() || !s->exprs[0]) continue;
    if (looks) env().fresh[s->local.index] = s->exprs[0];
    env().found[s->local.index] = s->exprs[0];
  }
  env().shown = shown_outside;
}

void Lowering::note_shown(const model::Stmt& s) {
  if (s.local.valid()) env().shown.erase(s.local.index);
  if (s.kind != StmtKind::reveal_cards && s.kind != StmtKind::peek_cards) return;
  if (const model::Expr& cards = *s.exprs.back(); cards.kind == model::ExprKind::local)
    env().shown[cards.local.index] = s.kind == StmtKind::peek_cards ? s.exprs[0] : nullptr;
}

namespace {
// Piles of which an expression looks at the top: who looks at an empty one has it refilled.
void tops_in(const model::Expr* e, std::set<std::uint32_t>& found) {
  if (!e) return;
  if (e->kind == model::ExprKind::zone_top || e->kind == model::ExprKind::zone_top_n) found.insert(e->ref);
  for (const model::Expr* a : e->args) tops_in(a, found);
}
}  // namespace

void Lowering::statement(const model::Stmt& s) {
  if (!env().explains || s.kind == StmtKind::return_value) return write_statement(s);
  const Int opened = open_notes();
  write_statement(s);
  close_notes(opened, "drop");
}

void Lowering::write_statement(const model::Stmt& s) {
  b().at(s.range);
  std::set<std::uint32_t> tops;
  for (const model::Expr* e : s.exprs) tops_in(e, tops);
  for (const std::uint32_t zone : tops)
    if (const auto& from = model_.zones[zone].refill_from; from && s.kind != StmtKind::move)
      touch(watch_entered_[zone] | watch_left_[from->index]);
  switch (s.kind) {
    case StmtKind::let: {
      const model::Type& type = env().body->locals[s.local.index].type;
      if (!s.exprs.empty() && s.exprs[0]) {
        Register v = expr(*s.exprs[0]);
        const bool fresh = s.exprs[0]->kind != model::ExprKind::local && !lies_in_state(s.local);
        if (b().type(v).kind == ir::RegisterKind::array && fresh) return bind(s.local, v);   // nobody else's
        write_local(s.local, v);
      } else if (type.kind == TypeKind::map) {
        fill_table(read_local(s.local), type, default_value(*type.elem));
      } else if (type.kind == TypeKind::list && !lies_in_state(s.local)) {
        b().effect(Op::array_fill, {read_local(s.local), b().constant(0)});
      } else {
        write_local(s.local, default_value(type));
      }
      return;
    }
    case StmtKind::assign_local: {
      if (s.exprs.size() == 1) {
        write_local(s.local, expr(*s.exprs[0]));
        return;
      }
      const model::Type& type = env().body->locals[s.local.index].type;
      if (type.kind == TypeKind::map) return set_entry(read_local(s.local), type, *s.exprs[0], *s.exprs.back());
      Register index = expr(*s.exprs[0]);
      const Register list = read_local(s.local);
      put_element(list, type, index, expr(*s.exprs.back()));
      if (lies_in_state(s.local)) write_local(s.local, list);
      return;
    }
    case StmtKind::assign_variable: assign_variable(s); return;
    case StmtKind::assign_all: {
      Register whose = expr(*s.exprs[0]);
      for_each(whose, false, [&](Register player) {
        bind(s.local, player);
        store(variable_of_[s.ref], player, expr(*s.exprs[1]), s.ref);
      });
      return;
    }
    case StmtKind::assign_window_field:
      put_scratch(window_field_.at({s.ref, s.value}), expr(*s.exprs[0]));
      return touch(watch_always_);
    case StmtKind::assign_event_field:
      put_scratch(event_field_.at({s.ref, s.value}), expr(*s.exprs[0]));
      return touch(watch_always_);
    case StmtKind::let_given: {
      const Register given_any = b().make_int();
      b().assign(given_any, happened(*s.exprs[0]));
      const std::vector<Int> given = given_by(*s.exprs[0]);
      for (std::size_t i = 0; i < given.size(); ++i) {
        const model::LocalId local{s.local.index + static_cast<std::uint32_t>(i)};
        write_local(local, handed_over(given[i], given_any, s.exprs[i + 1], env().body->locals[local.index].type));
      }
      return;
    }
    case StmtKind::evaluate: expr(*s.exprs[0]); return;
    case StmtKind::yield_value: {
      std::vector<Register> parts;
      for (const model::Expr* e : s.exprs) {
        parts.push_back(b().make(register_type(e->type)));
        if (e->type.kind == TypeKind::list) b().effect(Op::list_copy, {parts.back(), expr(*e)});
        else b().assign(parts.back(), expr(*e));
      }
      env().yields(parts);
      return;
    }
    case StmtKind::if_else: {
      BlockIndex yes = b().add_block(), no = b().add_block(), after = b().add_block();
      if (flow_in(s).empty()) branch_on(*s.exprs[0], yes, no);
      else branch_in_flow(*s.exprs[0], s.blocks[0], yes, no);
      b().go_to(yes);
      inner_block(s.blocks[0]);
      b().jump(after);
      b().go_to(no);
      if (s.blocks.size() > 1) inner_block(s.blocks[1]);
      b().jump(after);
      b().go_to(after);
      return;
    }
    case StmtKind::each: each(s); return;
    case StmtKind::repeat: repeat(s); return;
    case StmtKind::stop:
      if (!env().loops.empty()) b().jump(env().loops.back().second);
      return;
    case StmtKind::next:
      if (!env().loops.empty()) b().jump(env().loops.back().first);
      return;
    case StmtKind::return_value: return_value(s); return;
    case StmtKind::cancel:
      b().effect(Op::store, {cancelled_, b().constant(0), b().constant(1)});
      leave_function(ir::kNoRegister);
      return;
    case StmtKind::end_event:
      end_of(kEndFirst + Int(of_name(s.ref)), s.value ? -1 : event_depth_.at(of_name(s.ref))); return;
    case StmtKind::end_phase: end_of(kEndPhase, s.value ? -1 : phase_depth_); return;
    case StmtKind::end_window:
      if (env().window == model::WindowId{s.ref}) leave_window();
      else end_of(kEndFirst + Int(model_.events.size()) + Int(s.ref), s.value ? -1 : window_depth_.at(s.ref));
      return;
    case StmtKind::end_play: end_of(kEndPlay); return;
    case StmtKind::checkpoint:
      call(settle_function_, {b().constant(0)});
      check_unwind(settle_function_);
      return;
    case StmtKind::check_end:
      call(check_function_, {b().constant(kEndingBits)});
      check_unwind(check_function_);
      return;
    case StmtKind::winners: winners(s); return;
    case StmtKind::afterwards: afterwards(s); return;
    case StmtKind::ask: ask(s); return;
    case StmtKind::choose: choose(s); return;
    case StmtKind::choose_one: choose_one(s); return;
    case StmtKind::arrange: arrange(s); return;
    case StmtKind::show_faces: show_faces(s); return;
    case StmtKind::move: move(s); return;
    case StmtKind::draw_to: draw_to(s); return;
    case StmtKind::deal_each: deal_each(s); return;
    case StmtKind::deal_pool: deal_pool(s); return;
    case StmtKind::shuffle:
      b().effect(Op::shuffle, {zone_instance(s.ref, s.exprs.size() > 0 ? s.exprs[0] : nullptr,
                                             s.exprs.size() > 1 ? s.exprs[1] : nullptr)});
      return touch(watch_always_);
    case StmtKind::reveal_cards: {
      decide_order(*s.exprs[0]);
      Register what = expr(*s.exprs[0]);
      if (!is_wide(s.exprs[0]->type)) what = b().set(Op::set_of, {what});
      b().effect(Op::note_reveal, {what});
      return touch(watch_always_);
    }
    case StmtKind::reveal_variable: {
      b().effect(Op::note_variable, {variable_of_[s.ref], known_at(s.ref, s.exprs, 0)});
      return;
    }
    case StmtKind::peek_variable: {
      const Register who = expr(*s.exprs[0]);
      b().effect(Op::note_shown, {who, variable_of_[s.ref], known_at(s.ref, s.exprs, 1)});
      return;
    }
    case StmtKind::peek_cards: {
      Register who = expr(*s.exprs[0]);
      decide_order(*s.exprs[1]);
      Register what = expr(*s.exprs[1]);
      if (!is_wide(s.exprs[1]->type)) what = b().set(Op::set_of, {what});
      b().effect(Op::note_peek, {who, what});
      return touch(watch_always_);
    }
    case StmtKind::turn_cards: {
      Register what = expr(*s.exprs[0]);
      if (!is_wide(s.exprs[0]->type)) what = b().set(Op::set_of, {what});
      turn_cards(what, s.value, guess_before_turned(*s.exprs[0], s.value));
      return;
    }
    case StmtKind::eliminate:
      b().effect(Op::eliminate, {expr(*s.exprs[0])});
      touch(watch_players_);
      return;
    case StmtKind::turns: turns(s); return;
    case StmtKind::rounds: rounds(s); return;
    case StmtKind::phase: phase(s); return;
    case StmtKind::delay: delay(s); return;
    case StmtKind::pause: pause(s); return;
    case StmtKind::start_timer: start_timer(s); return;
    case StmtKind::stop_timer: stop_timer(s); return;
    case StmtKind::log: log(s); return;
  }
}

// Who looks through a whole pile sees its order, so that is no longer open.
void Lowering::decide_order(const model::Expr& looked_at) {
  if (looked_at.kind != model::ExprKind::zone || !orders_.read[looked_at.ref] || always_ordered_[looked_at.ref]) return;
  if (model_.zones[looked_at.ref].shape != model::ZoneShape::pile || facedown_zone_[looked_at.ref] >= 0) return;
  const Register instance = zone_instance(looked_at.ref, looked_at.args.empty() ? nullptr : looked_at.args[0],
                                          looked_at.args.size() > 1 ? looked_at.args[1] : nullptr);
  b().set(Op::zone_top_n, {instance, b().integer(Op::zone_size, {instance})});
}

// ---------------------------------------------------------------- assignment

void Lowering::store(Int variable, Register index, Register value, std::uint32_t model_variable) {
  if (const Int run = program_.variable_infos[variable].run(); run > 0) {
    store_list(variable, index, value);
    if (program_.variable_infos[variable].secret)
      b().effect(Op::note_dealt, {variable, b().integer(Op::mul_small, {index, b().constant(run)})});
  } else if (program_.variables[variable].is_set) {
    b().effect(Op::store_set, {variable, index, value});
  } else {
    Register old = b().integer(Op::load_raw, {variable, index});
    b().effect(Op::store, {variable, index, value});
    if (program_.variable_infos[variable].secret) b().effect(Op::note_dealt, {variable, index});
    else b().effect(Op::note_change, {variable, index, old, value});
  }
  touch(watchers_variable(model_variable));
}

void Lowering::assign_variable(const model::Stmt& s) {
  const model::Variable& v = model_.variables[s.ref];
  Register index = b().make_int();
  b().assign(index, flat_index(v, s.exprs, 0));
  store(variable_of_[s.ref], index, expr(*s.exprs.back()), s.ref);
}

// ---------------------------------------------------------------- loops

void Lowering::each(const model::Stmt& s) {
  const model::Expr& domain = *s.exprs[0];
  const model::Expr* where = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const model::Expr* from = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  bool cards = is_wide(domain.type);
  bool players = domain.type.elem && domain.type.elem->kind == TypeKind::player;
  BlockIndex stop = b().add_block();
  const bool has_flow = !flow_in(s).empty();
  auto body = [&](BlockIndex next) {
    if (where || has_flow) {
      const BlockIndex yes = b().add_block();
      if (has_flow) enter_in_flow(players ? read_local(s.local) : ir::kNoRegister, yes, next);
      if (where) branch_on(*where, yes, next);
      else b().jump(yes);
      b().go_to(yes);
    }
    env().loops.push_back({next, stop});
    inner_block(s.blocks[0]);
    env().loops.pop_back();
  };
  if (writes_out(domain, s.local, {where}, &s.blocks[0])) {
    for (Int v : std::set<Int>(domain.values.begin(), domain.values.end())) {
      BlockIndex next = b().add_block();
      fuel();
      bind_constant(s.local, v);
      body(next);
      b().jump(next);
      b().go_to(next);
    }
    b().jump(stop);
    b().go_to(stop);
    return;
  }
  auto turn = [&](Register element, BlockIndex next) {
    fuel();
    bind(s.local, ir::kNoRegister);
    env().places[s.local.index] = {};
    write_local(s.local, element);
    body(next);
  };
  if (domain.type.kind == TypeKind::list) {
    if (domain.kind != model::ExprKind::local) {
      for_each_listed(domain, turn);
    } else {                                               // the elements as they are now: the body may change it
      const Register kept = b().make(register_type(domain.type));
      b().effect(Op::list_copy, {kept, expr(domain)});
      walk(kept, domain.type, turn);
    }
    b().jump(stop);
    b().go_to(stop);
    return;
  }
  Register set = expr(domain);
  look_in_order(domain, set, s.local);
  if (players) {
    Register in_before = b().integer(Op::players_in, {}, 4);
    Register start = from ? expr(*from) : b().constant(0);
    auto one = [&](Register player, BlockIndex next) {
      // who has gone out since the loop began is passed over; who was out before is a member all the same
      Register gone = b().integer(Op::mask_without, {in_before, b().integer(Op::players_in, {}, 4)}, 4);
      BlockIndex here = b().add_block();
      b().branch(b().integer(Op::mask_has, {gone, player}, 1), next, here);
      b().go_to(here);
      turn(player, next);
    };
    clockwise(set, start, false, one);
    b().jump(stop);
  } else {
    RegisterType left = b().type(set);
    if (left.holds_card && secrecy_.holds_named(*env().body, s.local)) left.holds_card = false;
    Register rest = b().make(left);
    b().assign(rest, set);
    BlockIndex head = b().add_block(), inside = b().add_block();
    b().jump(head);
    b().go_to(head);
    b().branch(cards ? b().integer(Op::set_any, {rest}, 1) : b().integer(Op::ne, {rest, b().constant(0)}, 1), inside,
               stop);
    b().go_to(inside);
    Register element = b().make(element_type(rest));
    b().put(cards ? Op::set_first : Op::mask_first, element, {rest});
    if (cards) b().put(Op::set_rest, rest, {rest});
    else b().put(Op::mask_without, rest, {rest, b().integer(Op::mask_of, {element})});
    turn(element, head);
    b().jump(head);
  }
  b().go_to(stop);
}

void Lowering::repeat(const model::Stmt& s) {
  Register left = b().make_int();
  b().assign(left, expr(*s.exprs[0]));
  BlockIndex head = b().add_block(), inside = b().add_block(), stop = b().add_block();
  const BlockIndex entered = flow_in(s).empty() ? inside : b().add_block();
  b().jump(head);
  b().go_to(head);
  if (entered != inside) enter_in_flow(ir::kNoRegister, entered, stop);
  b().branch(b().integer(Op::lt, {b().constant(0), left}, 1), inside, stop);
  b().go_to(inside);
  fuel();
  b().put(Op::sub_small, left, {left, b().constant(1)});
  if (s.exprs.size() > 1 && s.exprs[1]) {
    BlockIndex body = b().add_block();
    branch_on(*s.exprs[1], body, stop);
    b().go_to(body);
  }
  if (entered != inside) {
    const BlockIndex body = b().add_block();
    b().jump(body);
    b().go_to(entered);
    b().put(Op::sub_small, left, {left, b().constant(1)});
    b().jump(body);
    b().go_to(body);
  }
  env().loops.push_back({head, stop});
  inner_block(s.blocks[0]);
  env().loops.pop_back();
  b().jump(head);
  b().go_to(stop);
}

// ---------------------------------------------------------------- leaving

void Lowering::leave_function(Register value) {
  for (auto& [variable, old] : env().restore) put_scratch(variable, old);
  if (!env().restore.empty()) touch(watch_always_);
  if (env().inline_return) {
    if (env().result != ir::kNoRegister && b().type(env().result).kind == ir::RegisterKind::array) {
      if (value != ir::kNoRegister) b().effect(Op::list_copy, {env().result, value});
      else b().effect(Op::array_fill, {env().result, b().constant(0)});
    } else if (env().result != ir::kNoRegister) {
      if (value != ir::kNoRegister) b().assign(env().result, value);
      else if (b().type(env().result).kind == ir::RegisterKind::set) b().put(Op::set_empty, env().result, {});
      else b().assign_constant(env().result, kNone);
    }
    b().jump(env().return_block);
    return;
  }
  switch (b().function().returns) {
    case ir::Returns::nothing: b().effect(Op::ret, {}); return;
    case ir::Returns::integer:
      b().effect(Op::ret_int, {value != ir::kNoRegister ? value : b().constant(kNone)}); return;
    case ir::Returns::set:
      b().effect(Op::ret_set, {value != ir::kNoRegister ? value : b().set(Op::set_empty, {})}); return;
  }
}

void Lowering::return_value(const model::Stmt& s) {
  if (env().explains && s.exprs.size() == 1 && s.exprs[0] &&
      (env().member != ir::kNoRegister || s.exprs[0]->type.kind == TypeKind::boolean))
    return explain_return(s);
  std::vector<Register> values;
  for (const model::Expr* e : s.exprs)
    if (e) values.push_back(expr(*e));
  if (env().gives.empty() || values.empty()) return leave_function(values.empty() ? ir::kNoRegister : values[0]);
  hand_over(values);
  leave_function(b().constant(1));
}

void Lowering::end_of(Int target, Int running) {
  enders_.insert(current_function_);
  if (running >= 0) {
    BlockIndex some = b().add_block(), none = b().add_block();
    b().branch(b().integer(Op::load_raw, {running, b().constant(0)}), some, none);
    b().go_to(none);
    leave_function(ir::kNoRegister);
    b().go_to(some);
  }
  b().effect(Op::store, {ending_, b().constant(0), b().constant(target + kSayer * env().said_by)});
  leave_function(ir::kNoRegister);
}

// After a call: if something further out is being left, leave too. note_ways_out drops the test where it can't be.
void Lowering::check_unwind(ir::FunctionIndex) {
  Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
  BlockIndex out = b().add_block(), on = b().add_block();
  b().branch(ending, out, on);
  b().go_to(out);
  if (env().window.valid() && ended_windows_.count(env().window.index)) {   // it may be this very window
    BlockIndex mine = b().add_block(), further = b().add_block();
    Int code = kEndFirst + Int(model_.events.size()) + Int(env().window.index);
    b().branch(b().integer(Op::eq, {b().integer(Op::mod_small, {ending, b().constant(kSayer)}), b().constant(code)}, 1),
               mine, further);
    b().go_to(mine);
    b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
    leave_window();
    b().go_to(further);
  }
  leave_function(ir::kNoRegister);
  b().go_to(on);
}

// ---------------------------------------------------------------- cards on the move

// A slot holds one card at most: another one is not laid beside it.
void Lowering::room_in_slot(std::uint32_t zone, Register instance, Register what) {
  if (model_.zones[zone].shape != model::ZoneShape::slot) return;
  BlockIndex full = b().add_block(), room = b().add_block();
  const bool cards = b().type(what).kind == ir::RegisterKind::set;
  const Register all = b().set(cards ? Op::set_or : Op::set_add, {zone_set(zone, instance), what});
  const Register count = b().integer(Op::set_count, {all});
  b().branch(b().integer(Op::lt_small, {b().constant(1), count}, 1), full, room);
  b().go_to(full);
  fail(Trap::slot_full, About::instance, instance, count);
  b().go_to(room);
}

// Into a zone that keeps the sides of its cards, those that lie face down go face down.
void Lowering::move_found(Moving move) {
  room_in_slot(move.zone, move.to, move.found);
  auto go = [&](Register what, Register where) {
    b().effect(Op::note_move, {move.cards ? what : b().set(Op::set_of, {what}), move.from, where, move.how});
    b().effect(move.cards ? Op::move_cards : Op::move_card, {what, move.guess, where, move.bottom});
    touch(move.touched | watch_entered_[move.zone]);
    if (move.touched_by) touch(*move.touched_by, move.from);
  };
  if (facedown_zone_[move.zone] < 0 || move.facing == 1) return go(move.found, move.to);
  Register down = facedown_instance(move.zone, move.to);
  if (move.facing == 2) return go(move.found, down);
  const model::Zone& target = model_.zones[move.zone];
  if (target.visibility != model::Visibility::open || target.shape == model::ZoneShape::pile ||
      target.shape == model::ZoneShape::slot)
    return go(move.found, move.to);
  std::vector<Int> lies_down(static_cast<std::size_t>(program_.layout.instances), 0);
  for (std::size_t i = 0; i < lies_down.size(); ++i)
    lies_down[i] = program_.zone_infos[program_.layout.instance[i].zone].facedown;
  const Int table = table_index(lies_down);
  if (!move.cards) {
    BlockIndex moves = b().add_block(), after = b().add_block();
    b().branch(b().integer(Op::eq, {move.found, b().constant(kNone)}, 1), after, moves);
    b().go_to(moves);
    go(move.found,
       b().integer(
           Op::select,
           {b().integer(Op::table, {table, b().integer(Op::zone_of, {move.found, move.guess})}, 1), down, move.to}, 1));
    b().jump(after);
    b().go_to(after);
    return;
  }
  Register turned = b().make_set();
  b().put(Op::set_empty, turned, {});
  for (std::size_t i = 0; i < lies_down.size(); ++i)
    if (lies_down[i]) b().put(Op::set_or, turned, {turned, b().set(Op::zone_cards, {b().constant(Int(i))})});
  Register unseen = b().make_set(), seen = b().make_set();
  b().put(Op::set_and, unseen, {move.found, turned});
  b().put(Op::set_without, seen, {move.found, turned});
  move.from = b().constant(kNone);
  go(seen, move.to);
  go(unseen, down);
}

void Lowering::move(const model::Stmt& s) {
  const model::Expr& what = *s.exprs[0];
  const model::Expr* owner = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const model::Expr* copy = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  const model::Expr* picker = s.exprs.size() > 3 ? s.exprs[3] : nullptr;
  const bool cards = is_wide(what.type);
  const Int facing = s.value >> 3 & 3;
  if (!(s.value & 4) || !picker || !cards || !orders_.matters(s.ref)) {
    // what is moved is found before where it goes, as the text has it
    Register found = expr(what);
    if (!pure(what)) {
      Register kept = b().make(register_type(what.type));
      b().assign(kept, found);
      found = kept;
    }
    const bool one_zone = what.kind == model::ExprKind::zone && facedown_zone_[what.ref] < 0;
    Register likely = guess(what);
    Register from = !cards     ? b().integer(Op::zone_of, {found, likely})
                    : one_zone ? zone_instance(what.ref, what.args.size() > 0 ? what.args[0] : nullptr,
                                               what.args.size() > 1 ? what.args[1] : nullptr)
                               : b().constant(kNone);
    const auto known = watchers_leaving_known(what);
    const auto leaving = known || cards || plain_ ? std::nullopt : watchers_by_instance();
    if (!cards && (leaving || guess_is_vague(what))) likely = from;   // it was looked for already
    const Int unseen = what.kind == model::ExprKind::random_n || what.kind == model::ExprKind::pick_random ? 1 : 0;
    return move_found({found, cards, from, likely, leaving ? leaving->anywhere : watchers_leaving(what), leaving, s.ref,
                       zone_instance(s.ref, owner, copy), facing, unseen, (s.value & 1) != 0});
  }
  Register all = b().make_set();
  b().assign(all, expr(what));
  Register to = b().make(int_type(1));
  b().assign(to, zone_instance(s.ref, owner, copy));
  Register top = pick_top(s, all);
  if (facing == 2) to = facedown_instance(s.ref, to);
  b().effect(Op::note_move, {all, b().constant(kNone), to, 0});
  const Register from = guess(what);
  b().effect(Op::move_cards, {b().set(Op::set_remove, {all, top}), from, to, 0});
  b().effect(Op::move_card, {top, from, to, 0});
  touch(watch_zones_);
}

// From the side a card lies on to the other: seen by those who see into its zone. Where cards have no sides, faceup
// shows them to everybody.
void Lowering::turn_cards(Register what, bool faceup, Register guess) {
  std::vector<Int> sided(static_cast<std::size_t>(program_.layout.instances), 0);
  std::vector<Int> other(static_cast<std::size_t>(program_.layout.instances), kNone);
  bool any = false;
  for (std::size_t z = 0; z < facedown_zone_.size(); ++z) {
    if (facedown_zone_[z] < 0) continue;
    any = true;
    const ZoneSlot &up = program_.zones[z], &down = program_.zones[facedown_zone_[z]];
    for (Int i = 0; i < up.owners * up.copies; ++i)
      (faceup ? other[down.first + i] : other[up.first + i]) = faceup ? up.first + i : down.first + i;
    for (Int i = 0; i < up.owners * up.copies; ++i) sided[up.first + i] = sided[down.first + i] = 1;
  }
  if (!any) {
    if (faceup) b().effect(Op::note_turn, {what, faceup}), touch(watch_always_);
    return;
  }
  const Int table = table_index(other), sides = table_index(sided);
  for_each(what, true, [&](Register card) {
    BlockIndex moves = b().add_block(), after = b().add_block();
    Register from = b().integer(Op::zone_of, {card, guess});
    Register to = b().integer(Op::table, {table, from});
    BlockIndex stays = faceup ? b().add_block() : after;
    b().branch(b().integer(Op::eq, {to, b().constant(kNone)}, 1), stays, moves);
    if (faceup) {
      BlockIndex shown = b().add_block();
      b().go_to(stays);
      b().branch(b().integer(Op::table, {sides, from}), after, shown);
      b().go_to(shown);
      b().effect(Op::note_turn, {b().set(Op::set_of, {card}), 1});
      b().jump(after);
    }
    b().go_to(moves);
    b().effect(Op::note_move, {b().set(Op::set_of, {card}), from, to, 0});
    b().effect(Op::move_card, {card, from, to, 2});
    b().jump(after);
    b().go_to(after);
  });
  touch(watch_zones_);
}

void Lowering::draw_one(std::uint32_t source, Register from, std::uint32_t zone, Register to, Int facing) {
  Register card = b().make(register_type(simple(TypeKind::card)));
  from = top_instance(source, from);
  b().put(Op::zone_top, card, {from});
  if (facedown_zone_[source] >= 0) from = b().integer(Op::zone_of, {card, from});
  room_in_slot(zone, to, card);
  if (facing == 2) to = facedown_instance(zone, to);
  b().effect(Op::note_draw, {card, from, to});
  b().effect(Op::move_card, {card, from, to, 0});
  touch(watchers_move(source, zone));
}

void Lowering::draw_to(const model::Stmt& s) {
  auto at = [&](std::size_t i) { return i < s.exprs.size() ? s.exprs[i] : nullptr; };
  Register from = b().make(int_type(1)), to = b().make(int_type(1));
  b().assign(from, zone_instance(s.ref, at(0), at(1)));
  Register left = ir::kNoRegister;
  if (at(2)) {
    left = b().make_int();
    b().assign(left, expr(*at(2)));
  }
  const auto target = static_cast<std::uint32_t>(s.value);
  const Int facing = s.value >> 32;
  b().assign(to, zone_instance(target, at(3), at(4)));
  if (left == ir::kNoRegister) return draw_one(s.ref, from, target, to, facing);
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::lt, {b().constant(0), left}, 1), inside, done);
  b().go_to(inside);
  fuel();
  b().put(Op::sub_small, left, {left, b().constant(1)});
  draw_one(s.ref, from, target, to, facing);
  b().jump(head);
  b().go_to(done);
}

// [P? source owner, I count, SP to whom, P from]: one card to each, round by round.
void Lowering::deal_each(const model::Stmt& s) {
  Register from = b().make(int_type(1)), left = b().make_int(), whom = b().make_int(4), start = b().make(int_type(1));
  b().assign(from, zone_instance(s.ref, s.exprs[0], nullptr));
  b().assign(left, expr(*s.exprs[1]));
  b().assign(whom, s.exprs.size() > 2 && s.exprs[2] ? expr(*s.exprs[2]) : b().integer(Op::players_in, {}, 4));
  b().assign(start, s.exprs.size() > 3 && s.exprs[3] ? expr(*s.exprs[3]) : b().constant(0));
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::lt, {b().constant(0), left}, 1), inside, done);
  b().go_to(inside);
  b().put(Op::sub_small, left, {left, b().constant(1)});
  clockwise(whom, start, false, [&](Register player, BlockIndex) {
    fuel();
    const auto target = static_cast<std::uint32_t>(s.value);
    draw_one(s.ref, from, target, zone_instance(model::ZoneId{target}, player), s.value >> 32);
  });
  b().jump(head);
  b().go_to(done);
}

void Lowering::deal_pool(const model::Stmt& s) {
  std::uint32_t target = static_cast<std::uint32_t>(s.value);
  Register index = b().make_int();
  b().assign(index, flat_index(model_.variables[target], s.exprs, 1));
  Register value = b().make_int();
  if (s.exprs[0]) {
    b().assign(value, expr(*s.exprs[0]));
    b().effect(Op::pool_take, {pool_variable_[s.ref], value});
  } else {
    b().put(Op::pool_deal, value, {pool_variable_[s.ref], program_.variables[variable_of_[target]].optional});
  }
  Int variable = variable_of_[target];
  Register old = b().integer(Op::load_raw, {variable, index});
  b().effect(Op::store, {variable, index, value});
  if (program_.variable_infos[variable].secret) b().effect(Op::note_dealt, {variable, index});
  else b().effect(Op::note_change, {variable, index, old, value});
  touch(watchers_variable(target));
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

void Lowering::afterwards(const model::Stmt& s) {
  std::set<std::uint32_t> used;
  locals_in(s.blocks[0], used);
  Deferred d;
  d.stmt = &s;
  d.body = env().body;
  Int ints = 0, sets = 0;
  std::vector<std::pair<bool, Register>> values;
  for (std::uint32_t local : used) {
    if (local >= env().places.size() || env().places[local].kind == Place::Kind::none) continue;
    bool set = is_wide(env().body->locals[local].type);
    d.captured.push_back({model::LocalId{local}, set});
    const Register value = read_local(model::LocalId{local});
    if (b().type(value).kind == ir::RegisterKind::array) {   // its length and all that it holds
      if (parts_of(b().type(value)).size() > 65)
        too_large(s.range, fmt::format("`{}` is too long a list to wait for its turn: more than 64 things",
                                       env().body->locals[local].name));
      for (const Register part : taken_apart(value)) {
        values.push_back({b().type(part).kind == ir::RegisterKind::set, part});
        (values.back().first ? sets : ints) += 1;
      }
      continue;
    }
    values.push_back({set, value});
    (set ? sets : ints) += 1;
  }
  if (!queue_used_) program_.layout.queue_bytes = 1;
  for (const auto& [set, value] : values)
    if (!set) program_.layout.queue_bytes = std::max<Int>(program_.layout.queue_bytes, b().type(value).bytes);
  program_.layout.queue_ints = std::max(program_.layout.queue_ints, ints);
  program_.layout.queue_sets = std::max(program_.layout.queue_sets, sets);
  queue_used_ = true;
  b().effect(Op::queue_push, {Int(deferred_.size())});
  Int i = 0, j = 0;
  for (auto& [set, value] : values) b().effect(set ? Op::queue_set : Op::queue_int, {set ? j++ : i++, value});
  touch({.dirty = kQueueBit});
  deferred_.push_back(std::move(d));
}

}  // namespace cardwright::lower
