// Windows in real time: an event loop in IR. the model is written out in docs/language.md ("Modelling a race").
//
// What is due next is found by its key: time, then class (0 a pause ends, 1 timers, 2 landings, 3 decisions), then rank
// (seats from a random one on). Deciding at T with eyes that lag by s stands as an event at T - s on the state of that
// moment, and the hand begins at T, so nothing old is kept.
#include <algorithm>
#include <bit>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::TypeKind;

namespace {
constexpr Int kMostTime = Int{1} << 50;
constexpr Int kNever = Int{1} << 58;     // a key
constexpr Int kMostLength = 0xffffffff;  // 71 minutes
constexpr Int kTimerEvents = 16;         // class 1: the first of its ranks
constexpr Int kPlayerEvents = 32;        // this bit of a key is set in classes 2 and 3 …
constexpr Int kDecides = 16;             // … and then this one in class 3
}  // namespace

// ---------------------------------------------------------------- state

void Lowering::declare_race() {
  wait_action_ = -1;
  if (std::none_of(model_.windows.begin(), model_.windows.end(),
                   [](const model::Window& w) { return w.race.has_value(); }))
    return;
  ActionInfo wait;
  wait.kind = ActionKind::pass;
  wait.name = "wait";
  wait.label = "wait";
  wait_action_ = add_action(std::move(wait));
  program_.layout.races = 1;
  const Int n = model_.players, everybody = (Int{1} << n) - 1;
  const Int groups = static_cast<Int>(model_.delay_groups.size());
  std::size_t timers = 0;
  RaceInfo r;
  for (std::size_t w = 0; w < model_.windows.size(); ++w) {
    if (!model_.windows[w].race) continue;
    timers = std::max(timers, model_.windows[w].race->timers.size() + 1);
    for (std::size_t a = 0; a < model_.actions.size(); ++a)
      if (fits_answers(a) && model::is_in(model_.actions[a], model::WindowId{std::uint32_t(w)}) &&
          std::find(r.actions.begin(), r.actions.end(), action_info_[a]) == r.actions.end())
        r.actions.push_back(action_info_[a]);
  }
  std::sort(r.actions.begin(), r.actions.end());
  for (const auto& group : model_.delay_groups) {
    r.groups.emplace_back();
    for (const model::ActionId a : group) r.groups.back().push_back(action_info_[a.index]);
  }
  const Int counted = n * static_cast<Int>(std::max<std::size_t>(1, r.actions.size()));
  r.open = add_scratch("open race", 0, static_cast<Int>(model_.windows.size()), 0);
  r.time = add_scratch("race time", 0, kMostTime, 0);
  r.next_event = add_scratch("next event", 0, kMostTime, 0);
  r.paused_until = add_scratch("paused until", 0, kMostTime, kNone);
  r.thinking = add_scratch("thinking", 0, everybody, 0);
  r.waiting = add_scratch("waiting", 0, everybody, 0);
  r.flying = add_scratch("flying", 0, everybody, 0);
  r.due = add_scratch("due", 0, kNever, kNever, n);
  r.free = add_scratch("free", 0, kMostTime, 0, n);
  if (groups > 0) r.blocked = add_scratch("blocked", 0, kMostTime, 0, n * groups);
  r.answers = race_answers_.option = add_scratch("in flight", 0, kUnlimited, kNone, n);
  r.held = race_answers_.held = add_scratch("held in flight", 0, everybody, 0);
  r.sets = declare_picked(race_answers_, "in flight", [&](std::size_t a) { return by_id(model_.actions[a]); });
  r.live = add_scratch("live", 0, everybody, 0);
  r.speed = add_scratch("speed", 1, 1 << 20, 1024, n);
  r.factor = add_scratch("time factor", 1, 1000, 1);
  r.clock = add_scratch("clock", 0, kMostTime, 0);
  r.races = add_scratch("races", 0, 0xffffff, 0);
  r.lengths = add_scratch("race lengths", 0, kMostLength, 0, RaceInfo::kLengths);
  r.guard_at = add_scratch("race guard", 0, kMostTime, 0);
  r.timed_out = add_scratch("timed out", 0, 0xffffff, 0, static_cast<Int>(model_.windows.size()));
  r.guards.resize(model_.windows.size());
  r.landed = add_scratch("landed", 0, 0xffffff, 0, counted);
  r.late = add_scratch("late", 0, 0xffffff, 0, counted);
  race_tie_ = add_scratch("tie", 0, n - 1, 0);
  race_quiet_ = add_scratch("quiet since", 0, kMostTime, 0);
  race_resume_ = add_scratch("after the pause", 0, 0xffff, kNone);
  for (std::size_t w = 0; w < model_.windows.size(); ++w)
    for (std::size_t i = 0; model_.windows[w].race && i < model_.windows[w].race->resumes.size(); ++i) {
      const model::Resume& resume = model_.windows[w].race->resumes[i];
      for (const model::LocalId held : resume.held) {
        const model::Local& l = resume.body.locals[held.index];
        race_held_[{std::uint32_t(w), i}].push_back(add_scratch_for("held for " + l.name, l.type));
      }
    }
  race_asked_ = add_scratch("asked before", 0, everybody, 0);
  race_timers_ = add_scratch("race timers", 0, kMostTime, kNone, static_cast<Int>(timers));
  race_quiets_ = add_scratch("quiet timers", 0, kMostTime, 0, static_cast<Int>(timers));
  for (const model::Timer& timer : model_.timers)
    timer_at_.push_back(add_scratch(timer.name, 0, kMostTime, kNone, timer.per_player ? n : 1));
  r.timers = timer_at_;
  for (const model::Timer& timer : model_.timers) r.timer_labels.push_back(timer.label);
  r.afters = race_timers_;
  r.windows_afters.resize(model_.windows.size());
  r.windows_fields.resize(model_.windows.size());
  program_.race = std::move(r);
  for (std::size_t w = 0; w < model_.windows.size(); ++w)
    if (model_.windows[w].race) describe_race(w);
}

// What people are shown of the window while it is open.
void Lowering::describe_race(std::size_t window) {
  const model::Window& w = model_.windows[window];
  for (const model::RaceTimer& timer : w.race->timers)
    program_.race->windows_afters[window].push_back({timer.quiet, timer.words, timer.range});
  for (const auto& [field, variable] : window_field_) {
    if (field.first != window || secrecy_.taint().is_secret_field(field.first, field.second)) continue;
    const model::Local& local = w.body.locals[model::local_of_field(w, field.second).index];
    const ValueKind kind = value_kind(local.type);
    const bool plain = kind == ValueKind::integer || kind == ValueKind::boolean || kind == ValueKind::player ||
                       kind == ValueKind::enumeration;
    if (plain && local.type.kind != TypeKind::list)
      program_.race->windows_fields[window].push_back({local.name, kind, enumeration_of(local.type), variable});
  }
}

// ---------------------------------------------------------------- times

Register Lowering::race_load(Int variable, Register index) {
  return b().integer(Op::load_raw, {variable, index == ir::kNoRegister ? b().constant(0) : index});
}
void Lowering::race_store(Int variable, Register value, Register index) {
  b().effect(Op::store, {variable, index == ir::kNoRegister ? b().constant(0) : index, value});
}
Register Lowering::larger(Register a, Register c) { return b().integer(Op::max, {a, c}); }

// A time of the window as the game's time factor has it.
Register Lowering::scaled(Register duration) {
  return b().integer(Op::mul_small,
                     {b().integer(Op::max, {duration, b().constant(0)}), race_load(program_.race->factor)});
}
// What people do, at their speed.
Register Lowering::at_speed(Register duration, Register player) {
  return b().integer(Op::at_speed,
                     {duration, race_load(program_.race->speed, player), race_load(program_.race->factor)});
}
Register Lowering::timing(model::ValueId value, Register player) {
  return call(value_function_[value.index], {player});
}

// Of what is not less than 0. The passes see that it is one of the players.
Register Lowering::modulo_players(Register number) {
  const Int n = model_.players;
  if (std::has_single_bit(static_cast<Word>(n))) return b().integer(Op::mask_and, {number, b().constant(n - 1)});
  return b().integer(Op::mod_small, {number, b().constant(n)});
}

Register Lowering::race_key(Register time, Int kind, Register player) {
  const Register n = b().constant(model_.players);
  const Register rank =
      modulo_players(b().integer(Op::sub_small, {b().integer(Op::add_small, {player, n}), race_load(race_tie_)}));
  const Register low = b().integer(Op::add_small, {b().constant(kind * 16), rank});
  return b().integer(Op::add_small, {b().integer(Op::mul_small, {time, b().constant(64)}), low});
}

void Lowering::set_mode(Register player, Int mode, std::initializer_list<Int> till_now) {
  const Register mine = b().integer(Op::mask_of, {player}, 4);
  for (const Int mask : till_now)
    if (mask != mode) race_store(mask, b().integer(Op::mask_without, {race_load(mask), mine}));
  if (mode >= 0) race_store(mode, b().integer(Op::mask_or, {race_load(mode), mine}));
  if (mode < 0) race_store(program_.race->due, b().constant(kNever), player);
}

Register Lowering::latency(const model::Expr& e) {
  static const Op shapes[] = {Op::latency_uniform, Op::latency_spread, Op::latency_normal};
  const Register who = expr(*e.args[0]), a = expr(*e.args[1]), c = expr(*e.args[2]);
  return b().integer(shapes[e.value], {who, a, c});
}

// ---------------------------------------------------------------- statements

void Lowering::in_open_race(const std::function<void()>& write, Int window) {
  BlockIndex yes = b().add_block(), after = b().add_block();
  const Register open = race_load(program_.race->open);
  b().branch(window < 0 ? open : b().integer(Op::eq, {open, b().constant(window + 1)}, 1), yes, after);
  b().go_to(yes);
  write();
  b().jump(after);
  b().go_to(after);
}

void Lowering::delay(const model::Stmt& s) {
  if (!program_.race) return;
  const RaceInfo& r = *program_.race;
  const Register whom =
      s.exprs[0]->type.kind == TypeKind::player ? b().integer(Op::mask_of, {expr(*s.exprs[0])}, 4) : expr(*s.exprs[0]);
  const Register by = scaled(expr(*s.exprs[1]));
  in_open_race([&] {
    for_each(whom, false, [&](Register player) {
      const Register now = race_load(r.time);
      if (s.ref < model_.delay_groups.size()) {
        const Register at = b().integer(
            Op::add_small, {b().integer(Op::mul_small, {player, b().constant(Int(model_.delay_groups.size()))}),
                            b().constant(Int(s.ref))});
        race_store(r.blocked, b().integer(Op::add_small, {larger(race_load(r.blocked, at), now), by}), at);
        return;
      }
      const Register free = b().integer(Op::add_small, {larger(race_load(r.free, player), now), by});
      race_store(r.free, free, player);
      BlockIndex flies = b().add_block(), after = b().add_block();
      b().branch(b().integer(Op::mask_has, {race_load(r.flying), player}, 1), flies, after);
      b().go_to(flies);                                    // what is in flight lands no sooner
      race_store(r.due, larger(race_load(r.due, player), race_key(free, 2, player)), player);
      b().jump(after);
      b().go_to(after);
    });
  });
}

void Lowering::drop_intents() {
  const RaceInfo& r = *program_.race;
  for (const Int mask : {r.thinking, r.waiting, r.flying, r.held}) race_store(mask, b().constant(0));
  b().effect(Op::clear, {r.due});
  b().effect(Op::clear, {r.answers});
}

void Lowering::pause(const model::Stmt& s) {
  if (!program_.race) return;
  const RaceInfo& r = *program_.race;
  const Register by = scaled(expr(*s.exprs[0]));
  in_open_race([&] {
    drop_intents();
    const Register end = b().integer(Op::add_small, {race_load(r.time), by});
    race_store(r.paused_until, end);
    race_store(race_quiet_, end);
    race_store(race_resume_, s.value == 0 ? b().constant(kNone) : b().constant(s.value - 1));
    for (std::size_t i = 1; i < s.exprs.size(); ++i)
      put_scratch(race_held_[{s.ref, std::size_t(s.value - 1)}][i - 1], expr(*s.exprs[i]));
    for (Int p = 0; p < model_.players; ++p) {
      const Register player = b().constant(p);
      race_store(r.free, b().integer(Op::add_small, {larger(race_load(r.free, player), race_load(r.time)), by}),
                 player);
    }
    for (Int i = 0; r.blocked >= 0 && i < program_.variables[r.blocked].count; ++i)
      race_store(r.blocked, b().integer(Op::add_small, {race_load(r.blocked, b().constant(i)), by}), b().constant(i));
  }, Int(s.ref));
}

void Lowering::start_timer(const model::Stmt& s) {
  if (!program_.race) return;
  const Register index = s.exprs[0] ? expr(*s.exprs[0]) : b().constant(0), in = scaled(expr(*s.exprs[1]));
  in_open_race([&] {
    race_store(timer_at_[s.ref], b().integer(Op::add_small, {race_load(program_.race->time), in}), index);
  });
  touch(watch_always_);
}

void Lowering::stop_timer(const model::Stmt& s) {
  if (!program_.race) return;
  race_store(timer_at_[s.ref], b().constant(kNone),
             !s.exprs.empty() && s.exprs[0] ? expr(*s.exprs[0]) : b().constant(0));
  touch(watch_always_);
}

// ---------------------------------------------------------------- what the loop calls

// How much it may take to see whether there is an option: loops in loops first of all.
std::size_t Lowering::effort(const Group& g) const {
  return 4 * g.levels.size() + (g.action->sensible ? 2 : 0) + (set_taken(*g.action) ? 1 : 0);
}

// Whether the window has an option for a player. `counting`: of those that count for a stalemate.
void Lowering::write_offers(ir::FunctionIndex function, model::WindowId window,
                            const std::vector<model::ActionId>* counting) {
  Env at;
  write_function(function, at, [&] {
    const Register player = parameter(simple(TypeKind::player));
    std::vector<Group> groups = groups_for(window, player, b().constant(1));
    // One is enough, so first those of which it is soon known.
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const Group& g, const Group& h) { return effort(g) < effort(h); });
    const BlockIndex some = b().add_block();
    first_option_ = some;
    for (Group& g : groups) {
      if (counting && !counting->empty() &&
          std::none_of(counting->begin(), counting->end(), [&](model::ActionId a) { return a.index == g.index; }))
        continue;
      BlockIndex none = b().add_block();
      b().branch(count_group(g), some, none);
      b().go_to(none);
    }
    first_option_.reset();
    b().effect(Op::ret_int, {b().constant(0)});
    b().go_to(some);
    b().effect(Op::ret_int, {b().constant(1)});
  });
}

// think(player): they look at the table, and decide later.
void Lowering::write_think(ir::FunctionIndex function, const model::Race& race) {
  Env at;
  write_function(function, at, [&] {
    const RaceInfo& r = *program_.race;
    // The host calls it, too, so it doesn't go without saying that this is a player.
    const Int seats = static_cast<Int>(std::bit_ceil(static_cast<Word>(model_.players)));
    const Register player =
        b().integer(Op::mask_and, {parameter(simple(TypeKind::player)), b().constant(seats - 1)}, 1);
    BlockIndex thinks = b().add_block(), live = b().add_block();
    b().branch(b().integer(Op::mask_has, {race_load(r.live), player}, 1), live, thinks);
    b().go_to(thinks);
    set_mode(player, r.thinking, {r.waiting});
    const Register now = race_load(r.time);
    const Register ready = b().integer(Op::add_small, {now, at_speed(timing(race.think, player), player)});
    const Register seen = b().integer(Op::sub_small, {race_load(r.free, player), scaled(timing(race.sight, player))});
    race_store(r.due, race_key(larger(larger(ready, seen), now), 3, player), player);
    b().effect(Op::ret, {});
    b().go_to(live);
    set_mode(player, -1, {r.waiting});
    b().effect(Op::ret, {});
  });
}

// ---------------------------------------------------------------- the loop

void Lowering::ask_in_real_time(const model::Stmt& s) {
  const model::WindowId window{s.ref};
  const model::Window& w = model_.windows[s.ref];
  const model::Race& race = *w.race;
  const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const RaceInfo& r = *program_.race;
  const Answers& answers = race_answers_;
  const Int n = model_.players;

  // What it needs as functions: each is called from several places.
  const ir::FunctionIndex think = new_function("think in " + w.name, ir::Returns::nothing, w.range, false);
  const ir::FunctionIndex has_offers = new_function("offers of " + w.name, ir::Returns::integer, w.range, false);
  write_think(think, race);
  write_offers(has_offers, window, nullptr);
  ir::FunctionIndex counting = has_offers;
  if (race.has_stalemate && !race.stalemate.empty()) {
    counting = new_function("stalemate of " + w.name, ir::Returns::integer, w.range, false);
    write_offers(counting, window, &race.stalemate);
  }
  program_.race->think.resize(model_.windows.size(), -1);
  program_.race->think[s.ref] = Int(think);
  auto body = [&](const model::Body& code, const std::string& name, Range range,
                  const std::vector<std::pair<model::LocalId, Int>>& held = {}) {
    const ir::FunctionIndex f = new_function(name, ir::Returns::nothing, range);
    Env at;
    bind_locals(at, code);
    write_function(f, at, [&] {
      for (const auto& [local, variable] : held) bind(local, scratch_value(variable));
      block(code.block);
    });
    return f;
  };
  std::vector<ir::FunctionIndex> resumes, timer_bodies;
  for (std::size_t i = 0; i < race.resumes.size(); ++i) {
    const model::Resume& resume = race.resumes[i];
    std::vector<std::pair<model::LocalId, Int>> held;
    for (std::size_t k = 0; k < resume.held.size(); ++k) held.push_back({resume.held[k], race_held_[{s.ref, i}][k]});
    resumes.push_back(body(resume.body, "after the pause of " + w.name, w.range, held));
  }
  for (const model::RaceTimer& timer : race.timers)
    timer_bodies.push_back(body(timer.body, "after … of " + w.name, timer.range));
  const ir::FunctionIndex stalemate =
      race.has_stalemate ? body(race.stalemate_body, "stalemate of " + w.name, w.range) : 0;

  // ---- open
  const Register members = b().make_int(4);
  b().assign(members, expr(*s.exprs[0]));
  drop_intents();
  race_store(r.time, b().constant(0));
  race_store(r.open, b().constant(Int(s.ref) + 1));
  race_store(race_tie_, b().integer(Op::roll, {b().constant(0), b().constant(n - 1)}));
  race_store(race_asked_, b().constant(0));
  const Register go = race.countdown ? scaled(expr(*race.countdown)) : b().constant(0);
  const Register begin = b().make_int();
  b().assign(begin, go);
  for (Int p = 0; p < n; ++p) race_store(r.free, begin, b().constant(p));
  if (r.blocked >= 0) b().effect(Op::clear, {r.blocked});
  race_store(r.paused_until, begin);
  race_store(race_quiet_, begin);
  race_store(race_resume_, b().constant(race.countdown_then ? Int(*race.countdown_then) : kNone));
  b().effect(Op::clear, {race_timers_});
  race_store(r.guard_at, b().constant(0));
  for (std::size_t k = 0; k < race.timers.size(); ++k) {
    const Register time = scaled(expr(*race.timers[k].delay)), at = b().integer(Op::add_small, {begin, time});
    race_store(race_timers_, at, b().constant(Int(k)));
    if (race.timers[k].quiet) {
      race_store(race_quiets_, time, b().constant(Int(k)));
      continue;
    }
    race_store(r.guard_at, larger(race_load(r.guard_at), at));
    program_.race->guards[s.ref] = race.timers[k].range;
  }
  const Int limit = Int(race.timers.size());
  if (!race.has_after)
    race_store(race_timers_, b().integer(Op::add_small, {begin, scaled(b().constant(model::kRaceLimit))}),
               b().constant(limit));
  for (const Int timer : timer_at_) b().effect(Op::clear, {timer});

  BlockIndex loop = b().add_block(), left = b().add_block(), close = b().add_block(), closed = b().add_block();
  BlockIndex player_event = b().add_block(), decision = b().add_block(), landing = b().add_block(),
             nothing = b().add_block();
  const Register player = b().make(int_type(1));
  const Register in_race = b().make_int(4);

  // ---- pieces of the loop
  auto settle_and_look = [&] {                             // after anything happened: is the race over?
    BlockIndex on = b().add_block();
    b().branch(race_load(ending_), left, on);
    b().go_to(on);
    settle();
    if (until) {
      BlockIndex reached = b().add_block(), more = b().add_block();
      branch_on(*until, reached, more);
      b().go_to(reached);
      if (env().window_reached != ir::kNoRegister) b().assign_constant(env().window_reached, 1);
      b().jump(close);
      b().go_to(more);
    }
  };
  auto still_in = [&] { return b().integer(Op::mask_and, {members, b().integer(Op::players_in, {}, 4)}, 4); };
  auto stir = [&](Register except) {   // has anybody who was idle something to do now?
    const Register busy = b().integer(Op::mask_or, {race_load(r.thinking), race_load(r.flying)}),
                   somebody = b().make(int_type(1));
    b().assign_constant(somebody, 0);
    Register whom = b().integer(Op::mask_without, {still_in(), busy}, 4);
    if (except != ir::kNoRegister)
      whom = b().integer(Op::mask_without, {whom, b().integer(Op::mask_of, {except}, 4)}, 4);
    for_each(whom, false, [&](Register q) {
      BlockIndex yes = b().add_block(), no = b().add_block();
      b().branch(call(has_offers, {q}), yes, no);
      b().go_to(yes);
      b().assign_constant(somebody, 1);
      call(think, {q});
      b().jump(no);
      b().go_to(no);
    });
    return somebody;
  };
  // Nothing in flight, not paused, and nobody has anything that counts. `somebody`: has just been found to have
  // something.
  auto look_for_stalemate = [&](Register somebody) {
    if (!race.has_stalemate) return;
    BlockIndex quiet = b().add_block(), stalled = b().add_block(), on = b().add_block();
    const Register paused = b().integer(Op::ne, {race_load(r.paused_until), b().constant(kNone)}, 1);
    Register not_stalled = b().integer(Op::or_, {race_load(r.flying), paused});
    if (somebody != ir::kNoRegister && counting == has_offers)
      not_stalled = b().integer(Op::or_, {not_stalled, somebody});
    b().branch(not_stalled, on, quiet);
    b().go_to(quiet);
    for_each(still_in(), false, [&](Register q) {
      BlockIndex none = b().add_block();
      b().branch(call(counting, {q}), on, none);
      b().go_to(none);
    });
    b().jump(stalled);
    b().go_to(stalled);
    call(stalemate, {});
    settle_and_look();
    BlockIndex goes_on = b().add_block();
    b().branch(b().integer(Op::ne, {race_load(r.paused_until), b().constant(kNone)}, 1), on, goes_on);
    b().go_to(goes_on);
    stir(ir::kNoRegister);
    b().jump(on);
    b().go_to(on);
  };

  // ---- what is due next
  b().jump(loop);
  b().go_to(loop);
  fuel();
  auto time_key = [&](Register time, Int low) {   // none: never
    const Register key =
        b().integer(Op::add_small, {b().integer(Op::mul_small, {time, b().constant(64)}), b().constant(low)});
    return b().integer(Op::select, {b().integer(Op::eq, {time, b().constant(kNone)}, 1), b().constant(kNever), key});
  };
  struct Timer {
    Int variable, index, low;
  };
  std::vector<Timer> timers_due;                           // of two that are due at once, the first of these
  const Int window_timers = limit + (race.has_after ? 0 : 1);
  for (Int k = 0; k < window_timers; ++k) timers_due.push_back({race_timers_, k, kTimerEvents + std::min<Int>(k, 15)});
  for (const Int timer : timer_at_)
    for (Int i = 0; i < program_.variables[timer].count; ++i) timers_due.push_back({timer, i, kTimerEvents + 15});
  auto timer_key = [&](const Timer& t) { return time_key(race_load(t.variable, b().constant(t.index)), t.low); };
  std::vector<Register> keys;
  for (Int p = 0; p < n; ++p) keys.push_back(race_load(r.due, b().constant(p)));
  for (const Timer& t : timers_due) keys.push_back(timer_key(t));
  keys.push_back(time_key(race_load(r.paused_until), 0));
  while (keys.size() > 1) {                                // two by two, so that few wait for one another
    std::vector<Register> sooner;
    for (std::size_t i = 0; i < keys.size(); i += 2)
      sooner.push_back(i + 1 < keys.size() ? b().integer(Op::min, {keys[i], keys[i + 1]}) : keys[i]);
    keys = std::move(sooner);
  }
  const Register best = keys[0];

  // ---- in a live game the host is asked whether it comes to that, or somebody acts before
  BlockIndex live = b().add_block(), goes_on = b().add_block();
  b().branch(race_load(r.live), live, goes_on);
  b().go_to(live);
  race_store(r.next_event,
             b().integer(Op::min, {b().integer(Op::div_small, {best, b().constant(64)}), b().constant(kMostTime)}));
  const Int clock_site = begin_site(w.name, nullptr, env().flow, s.range);
  program_.sites[static_cast<std::size_t>(clock_site)].clock = true;
  BlockIndex said = b().add_block(), arrives = b().add_block();
  list_options([] {});
  const Register arrival = b().make_int();
  b().put(Op::decide, arrival, {b().constant(kHost), b().constant(n + 2), clock_site});   // on, somebody, or look again
  b().branch(b().integer(Op::eq, {arrival, b().constant(n + 1)}, 1), loop, said);
  b().go_to(said);
  b().branch(arrival, arrives, goes_on);
  b().go_to(arrives);
  b().assign(player, modulo_players(b().integer(Op::add_small, {b().integer(Op::mask_and, {arrival, b().constant(15)}),
                                                                b().constant(n - 1)})));
  b().jump(decision);

  b().go_to(goes_on);
  BlockIndex something = b().add_block(), timers = b().add_block();
  b().branch(b().integer(Op::lt_small, {best, b().constant(kNever)}, 1), something, nothing);
  b().go_to(something);
  race_store(r.time, b().integer(Op::mask_shift, {best, b().constant(-6)}));   // by 64, and not less than 0
  b().branch(b().integer(Op::mask_and, {best, b().constant(kPlayerEvents)}), player_event, timers);

  // ---- pauses and timers
  auto on_event = [&](Register key, const std::function<void()>& write) {
    BlockIndex mine = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::eq, {key, best}, 1), mine, next);
    b().go_to(mine);
    write();
    settle_and_look();
    look_for_stalemate(stir(ir::kNoRegister));
    b().jump(loop);
    b().go_to(next);
  };
  b().go_to(timers);
  on_event(time_key(race_load(r.paused_until), 0), [&] {
    const Register which_body = race_load(race_resume_);
    race_store(r.paused_until, b().constant(kNone));
    race_store(race_resume_, b().constant(kNone));
    BlockIndex after = b().add_block();
    for (std::size_t i = 0; i < resumes.size(); ++i) {
      BlockIndex mine = b().add_block(), next = b().add_block();
      b().branch(b().integer(Op::eq, {which_body, b().constant(Int(i))}, 1), mine, next);
      b().go_to(mine);
      call(resumes[i], {});
      b().jump(after);
      b().go_to(next);
    }
    b().jump(after);
    b().go_to(after);
    for (std::size_t k = 0; k < race.timers.size(); ++k)
      if (race.timers[k].quiet)
        race_store(race_timers_,
                   b().integer(Op::add_small, {race_load(race_quiet_), race_load(race_quiets_, b().constant(Int(k)))}),
                   b().constant(Int(k)));
  });
  for (const Timer& t : timers_due)
    on_event(timer_key(t), [&] {
      race_store(t.variable, b().constant(kNone), b().constant(t.index));
      if (t.variable == race_timers_) {
        if (t.index < limit) call(timer_bodies[static_cast<std::size_t>(t.index)], {});
        else b().effect(Op::trap, {Int(Trap::race_without_end)});
        return;
      }
      touch(watch_always_);
      const model::Timer& timer = model_.timers[static_cast<std::size_t>(
          std::find(timer_at_.begin(), timer_at_.end(), t.variable) - timer_at_.begin())];
      std::vector<Register> arguments;
      if (timer.per_player) arguments.push_back(b().constant(t.index));
      call(event_function_[timer.rings.index], arguments);
    });
  b().effect(Op::trap, {Int(Trap::fell_through)});

  b().go_to(nothing);
  look_for_stalemate(ir::kNoRegister);
  {
    BlockIndex paused = b().add_block(), stuck = b().add_block();
    const Register anything = b().make(int_type(1));
    b().put(Op::or_, anything, {b().integer(Op::ne, {race_load(r.paused_until), b().constant(kNone)}, 1),
                                b().integer(Op::ne, {race_load(r.thinking), b().constant(0)}, 1)});
    b().branch(anything, paused, stuck);
    b().go_to(paused);
    b().jump(loop);
    b().go_to(stuck);
    b().effect(Op::trap, {Int(Trap::race_without_end)});
  }

  // ---- a player: out, landing, or deciding
  b().go_to(player_event);
  b().assign(player, modulo_players(b().integer(
                         Op::add_small, {b().integer(Op::mask_and, {best, b().constant(15)}), race_load(race_tie_)})));
  b().assign(in_race, still_in());
  BlockIndex in = b().add_block(), out = b().add_block();
  b().branch(b().integer(Op::mask_has, {in_race, player}, 1), in, out);
  b().go_to(out);
  set_mode(player, -1, {r.thinking, r.waiting, r.flying});
  race_store(r.answers, b().constant(kNone), player);
  b().jump(loop);
  b().go_to(in);
  b().branch(b().integer(Op::mask_and, {best, b().constant(kDecides)}), decision, landing);

  b().go_to(landing);
  set_mode(player, -1, {r.flying});
  BlockIndex looked_at = b().add_block(), known = b().add_block(), done = b().add_block(), fizzled = b().add_block();
  const Register kind = b().make_int(), outcome = b().make_int(), busy = b().make_int();
  b().assign_constant(kind, kNone);
  b().assign_constant(outcome, kNotLanded);
  b().assign_constant(busy, 0);
  land(answers, window, player, [&](std::size_t a, Register result) {
    b().assign_constant(kind, std::find(r.actions.begin(), r.actions.end(), action_info_[a]) - r.actions.begin());
    b().assign(outcome, result);
    if (model_.actions[a].busy) b().assign(busy, at_speed(result, player));
  });
  b().branch(b().integer(Op::eq, {kind, b().constant(kNone)}, 1), looked_at, known);
  b().go_to(known);
  const Register count_at =
      b().integer(Op::add_small, {b().integer(Op::mul_small, {player, b().constant(Int(r.actions.size()))}), kind});
  b().branch(b().integer(Op::eq, {outcome, b().constant(kNotLanded)}, 1), fizzled, done);
  b().go_to(fizzled);
  race_store(r.late, b().integer(Op::add_small, {race_load(r.late, count_at), b().constant(1)}), count_at);
  settle_and_look();
  b().jump(looked_at);
  b().go_to(done);
  race_store(r.landed, b().integer(Op::add_small, {race_load(r.landed, count_at), b().constant(1)}), count_at);
  if (env().window_acted != ir::kNoRegister) b().assign_constant(env().window_acted, 1);
  {
    const Register now = race_load(r.time);
    race_store(r.free, larger(race_load(r.free, player), b().integer(Op::add_small, {now, busy})), player);
    race_store(race_quiet_, now);
    for (std::size_t k = 0; k < race.timers.size(); ++k)
      if (race.timers[k].quiet)
        race_store(race_timers_, b().integer(Op::add_small, {now, race_load(race_quiets_, b().constant(Int(k)))}),
                   b().constant(Int(k)));
  }
  settle_and_look();
  BlockIndex runs = b().add_block();
  b().branch(b().integer(Op::eq, {race_load(r.paused_until), b().constant(kNone)}, 1), runs, loop);
  b().go_to(runs);
  look_for_stalemate(stir(player));
  b().branch(b().integer(Op::eq, {race_load(r.paused_until), b().constant(kNone)}, 1), looked_at, loop);
  b().go_to(looked_at);
  {
    BlockIndex here = b().add_block();
    b().branch(b().integer(Op::mask_has, {still_in(), player}, 1), here, loop);
    b().go_to(here);
    call(think, {player});
    b().jump(loop);
  }

  // ---- a decision
  b().go_to(decision);
  const Int site = begin_site(w.name, nullptr, env().flow, s.range);
  program_.sites[static_cast<std::size_t>(site)].secret = true;
  const Register is_live = b().make(int_type(1)), simulated = b().make(int_type(1));
  b().put(Op::mask_has, is_live, {race_load(r.live), player});
  b().put(Op::not_, simulated, {is_live});
  Offers offers = offers_for(window, player, simulated);
  const Register must = b().make_int();
  b().assign_constant(must, 0);
  const Register declared = count_offers(offers, site, [&](Group& g) {
    if (!g.action->must) return;
    if (!g.action->must_if) {
      b().put(Op::or_, must, {must, g.count});
      return;
    }
    BlockIndex some = b().add_block(), yes = b().add_block(), no = b().add_block();
    b().branch(g.count, some, no);
    b().go_to(some);
    with_env(g.env, [&] {
      bind(g.action->head.me, player);
      const Asked asked(*this, reads(*g.action->must_if) ? Asking{player, Asking::Mode::must} : Asking{});
      branch_on(*g.action->must_if, yes, no);
    });
    b().go_to(yes);
    b().assign_constant(must, 1);
    b().jump(no);
    b().go_to(no);
  });
  const Register may_wait = b().integer(
      Op::select, {b().integer(Op::or_, {b().integer(Op::or_, {is_live, must}), race_load(program_.sensible_only)}),
                   b().constant(0), b().constant(1)});
  BlockIndex offered = b().add_block(), idle = b().add_block(), begun = b().add_block();
  b().branch(declared, offered, idle);
  b().go_to(idle);
  set_mode(player, -1, {r.thinking, r.waiting});
  b().jump(loop);
  b().go_to(offered);
  const Int wait_id = program_.actions[wait_action_].base;
  list_options([&] {
    list_offers(offers);
    list_option_if(may_wait, b().constant(wait_id));
  });
  const Register k = b().make_int();
  b().put(Op::decide, k, {player, b().integer(Op::add_small, {declared, may_wait}), site});
  program_.sites[static_cast<std::size_t>(site)].actions.push_back(wait_action_);
  race_store(race_asked_, b().integer(Op::mask_or, {race_load(race_asked_), b().integer(Op::mask_of, {player}, 4)}));
  const Register lands = b().make_int();
  choose_offer(offers, k, [&](Group& g) {
    const Chosen chosen = pick_arguments(g, k, env().flow);
    keep_answer(answers, g, chosen);
    const Register now = race_load(r.time), start = b().make_int(),
                   live_now = b().integer(Op::mask_has, {race_load(r.live), player}, 1);
    b().assign(start, larger(now, race_load(r.free, player)));
    for (std::size_t group = 0; group < model_.delay_groups.size(); ++group)
      if (std::any_of(model_.delay_groups[group].begin(), model_.delay_groups[group].end(),
                      [&](model::ActionId a) { return a.index == g.index; })) {
        const Register at = b().integer(
            Op::add_small, {b().integer(Op::mul_small, {player, b().constant(Int(model_.delay_groups.size()))}),
                            b().constant(Int(group))});
        b().put(Op::max, start, {start, race_load(r.blocked, at)});
      }
    BlockIndex person = b().add_block(), bot = b().add_block(), flies = b().add_block();
    b().branch(live_now, person, bot);
    b().go_to(person);                                     // their eyes and hands take their own time
    b().assign(lands, start);
    if (g.action->takes && !g.action->by_hand) b().put(Op::add_small, lands, {start, takes(g, chosen)});
    b().jump(flies);
    b().go_to(bot);
    b().put(Op::max, start, {start, b().integer(Op::add_small, {now, scaled(timing(race.sight, player))})});
    b().assign(lands, start);
    if (g.action->takes) b().put(Op::add_small, lands, {start, takes(g, chosen)});
    b().jump(flies);
    b().go_to(flies);
    b().jump(begun);
  });
  b().effect(Op::chosen, {b().constant(wait_id)});
  set_mode(player, r.waiting, {r.thinking});
  {
    const Register look =
        b().integer(Op::add_small, {race_load(r.time), at_speed(timing(race.patience, player), player)});
    race_store(r.due, race_key(look, 3, player), player);
  }
  b().jump(loop);
  b().go_to(begun);
  set_mode(player, r.flying, {r.thinking, r.waiting});
  race_store(r.due, race_key(lands, 2, player), player);
  b().jump(loop);

  // ---- closed
  b().go_to(left);
  drop_intents();
  close_race();
  close_if_ended(s, closed);
  b().go_to(close);
  drop_intents();
  close_race();
  b().jump(closed);
  b().go_to(closed);
}

// How long the hand of this option takes.
Register Lowering::takes(Group& g, const Chosen& chosen) {
  Register time = ir::kNoRegister;
  with_env(g.env, [&] {
    bind(g.action->head.me, g.me);
    std::size_t at = 1;
    if (g.action->head.carrier.kind == model::CarrierKind::card) bind(g.action->head.self, chosen.arguments[at++]);
    for (const model::ActionParameter& p : g.action->parameters) {
      bind(p.local, chosen.arguments[at++]);
      if (p.count != model::PickCount::one) break;
    }
    time = at_speed(expr(*g.action->takes), g.me);
  });
  return time;
}

void Lowering::close_race() {
  const RaceInfo& r = *program_.race;
  const Register time = race_load(r.time), window = b().integer(Op::sub_small, {race_load(r.open), b().constant(1)});
  const Register out = b().integer(
      Op::add_small, {race_load(r.timed_out, window), b().integer(Op::eq, {time, race_load(r.guard_at)}, 1)});
  race_store(r.timed_out, out, window);
  race_store(r.lengths, b().integer(Op::min, {time, b().constant(kMostLength)}),
             b().integer(Op::mod_small, {race_load(r.races), b().constant(RaceInfo::kLengths)}));
  race_store(r.open, b().constant(0));
  race_store(r.paused_until, b().constant(kNone));
  race_store(r.clock, b().integer(Op::add_small, {race_load(r.clock), race_load(r.time)}));
  race_store(r.races, b().integer(Op::add_small, {race_load(r.races), b().constant(1)}));
  for (const Int timer : timer_at_) b().effect(Op::clear, {timer});
}

}  // namespace cardwright::lower
