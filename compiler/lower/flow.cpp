// Turns, rounds and phases; settling; the main function; recursion bounds and ways out.
#include <algorithm>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::TypeKind;

namespace {
constexpr Int kDefaultDepth = 16;        // recursion nobody declared a bound for
}  // namespace

void Lowering::declare_flow() {
  settle_function_ = new_function("settling", ir::Returns::nothing, {}, false);
  check_function_ = new_function("end when", ir::Returns::nothing, {}, false);
  has_settle_player_ = std::any_of(model_.whenevers.begin(), model_.whenevers.end(),
                                   [](const model::Whenever& w) { return w.head.carrier.kind != CarrierKind::nobody; });
  if (has_settle_player_)
    settle_player_function_ = new_function("settling one player", ir::Returns::nothing, {}, false);
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w) {
    const model::Whenever& rule = model_.whenevers[w];
    whenever_function_.push_back(new_function(rule.head.name, ir::Returns::nothing, rule.head.range));
    Int count = 1;
    if (rule.head.carrier.kind == CarrierKind::card)
      count = program_.layout.card_ids * (rule.head.carrier.zone.valid() ? 1 : model_.players);
    else if (rule.subject.valid()) count = bounds(rule.body.locals[rule.subject.index].type).hi + 1;
    else if (rule.head.carrier.kind == CarrierKind::character) count = model_.players;
    whenever_told_.push_back(add_scratch("told " + rule.head.name, 0, 1, 0, std::max<Int>(1, count)));
  }
  const auto asks = [](auto&& self, const model::Expr& e) -> bool {
    return e.kind == model::ExprKind::play_is_over ||
           std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && self(self, *a); });
  };
  if (std::any_of(model_.endings.begin(), model_.endings.end(),
                  [&](const model::EndWhen& e) { return asks(asks, *e.when); }))
    program_.horizon = add_scratch("horizon", 0, kUnlimited, kUnlimited);
}

// ---------------------------------------------------------------- settling

// What was written that anybody watches.
Register Lowering::heeded_dirt() {
  const Register dirty = b().integer(Op::load_raw, {dirty_, b().constant(0)});
  if (plain_) {                                            // every condition is looked at whenever it may be
    const Register all = b().integer(Op::mask_or, {dirty, b().constant(kAllConditions)});
    b().effect(Op::store, {dirty_, b().constant(0), all});
    return all;
  }
  return heeded_ < 0 ? dirty
                     : b().integer(Op::mask_and, {dirty, b().integer(Op::load_raw, {heeded_, b().constant(0)})});
}

// Somebody has another character than before: which whenevers of characters count now.
void Lowering::heed(Register dirty) {
  if (heeded_ < 0) return;
  BlockIndex changed = b().add_block(), same = b().add_block();
  b().branch(b().integer(Op::mask_and, {dirty, b().constant(kCharactersBit)}), changed, same);
  b().go_to(changed);
  Register heeded = b().make_int();
  b().assign_constant(heeded, kAllDirt & ~sleeping_bits_);
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w) {
    if ((sleeping_bits_ & whenever_bit_[w]) == 0) continue;
    const model::Carrier& carrier = model_.whenevers[w].head.carrier;
    const Register holders =
        b().integer(Op::holders, {variable_of_[carrier.character_variable.index], b().constant(carrier.character)});
    const Register some = b().integer(Op::ne, {holders, b().constant(0)}, 1);
    const Register bit = b().integer(Op::select, {some, b().constant(whenever_bit_[w]), b().constant(0)});
    b().put(Op::mask_or, heeded, {heeded, bit});
  }
  b().effect(Op::store, {heeded_, b().constant(0), heeded});
  b().jump(same);
  b().go_to(same);
}

// All that waits, where nothing is under way. Costs one test when nothing was written that anybody watches.
void Lowering::settle() {
  BlockIndex something = b().add_block(), after = b().add_block();
  b().branch(heeded_dirt(), something, after);
  b().go_to(something);
  call(settle_function_, {b().constant(1)});
  check_unwind(settle_function_);
  b().jump(after);
  b().go_to(after);
}

void Lowering::settle_one(Register player) {
  if (!has_settle_player_) return;
  Int bits = 0;
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w)
    if (model_.whenevers[w].head.carrier.kind != CarrierKind::nobody) bits |= whenever_bit_[w];
  BlockIndex something = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_and, {heeded_dirt(), b().constant(bits)}), something, after);
  b().go_to(something);
  call(settle_player_function_, {player});
  check_unwind(settle_player_function_);
  b().jump(after);
  b().go_to(after);
}

namespace {

bool is_alike(const model::Expr& a, const model::Expr& b) {
  const auto both_alike = [](const model::Expr* x, const model::Expr* y) { return x && y ? is_alike(*x, *y) : x == y; };
  return a.kind == b.kind && a.type.kind == b.type.kind && a.value == b.value && a.ref == b.ref && a.local == b.local &&
         a.values == b.values && std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), both_alike);
}
// Without its `not`s; `same` is turned round by each.
const model::Expr& without_not(const model::Expr& e, bool& same) {
  if (e.kind != model::ExprKind::logical_not) return e;
  same = !same;
  return without_not(*e.args[0], same);
}

}  // namespace

// 1: its condition says what that of the one before it says; 0: the opposite; none: neither.
Int Lowering::says_as_before(std::size_t w) const {
  const auto is_everybodys = [&](std::size_t i) {
    return model_.whenevers[i].head.carrier.kind == CarrierKind::nobody && !model_.whenevers[i].subject.valid();
  };
  if (plain_ || w == 0 || !is_everybodys(w) || !is_everybodys(w - 1)) return kNone;
  bool same = true;
  const model::Expr &mine = without_not(*model_.whenevers[w].head.when, same),
                    &other = without_not(*model_.whenevers[w - 1].head.when, same);
  return pure(mine) && is_alike(mine, other) ? Int{same} : kNone;
}

// Where the one before it was just looked at, what it said answers this one too.
void Lowering::branch_on_whenever(std::size_t w, BlockIndex yes, BlockIndex no) {
  const model::Expr& when = *model_.whenevers[w].head.when;
  const Int as_before = says_as_before(w);
  if (whenever_said_ == ir::kNoRegister || as_before == kNone) return branch_on(when, yes, no);
  BlockIndex known = b().add_block(), open = b().add_block();
  b().branch(b().integer(Op::eq, {whenever_said_, b().constant(kNone)}, 1), open, known);
  b().go_to(known);
  b().branch(whenever_said_, as_before ? yes : no, as_before ? no : yes);
  b().go_to(open);
  branch_on(when, yes, no);
}

// One `whenever`, for all its carriers or those of one player: told once when its condition has become true.
void Lowering::look_at_whenever(std::size_t w, Register player) {
  const model::Whenever& rule = model_.whenevers[w];
  Env inner;
  bind_locals(inner, rule.body);
  inner.inline_return = env().inline_return;
  inner.return_block = env().return_block;
  with_env(inner, [&] {
    auto one = [&](Register me, Register self, Register told_index) {
      if (me != ir::kNoRegister) bind(rule.head.me, me);
      if (self != ir::kNoRegister) bind(rule.head.self, self);
      BlockIndex yes = b().add_block(), no = b().add_block(), fresh = b().add_block(), after = b().add_block();
      const auto said = [&](bool truth) {
        if (whenever_said_ != ir::kNoRegister) b().assign_constant(whenever_said_, truth);
      };
      branch_on_whenever(w, yes, no);
      b().go_to(no);
      said(false);
      b().effect(Op::store, {whenever_told_[w], told_index, b().constant(0)});
      b().jump(after);
      b().go_to(yes);
      said(true);
      b().branch(b().integer(Op::load_raw, {whenever_told_[w], told_index}, 1), after, fresh);
      b().go_to(fresh);
      b().effect(Op::store, {whenever_told_[w], told_index, b().constant(1)});
      // What the body does may settle in turn, and then those are looked at whose turn would come only after it.
      if (me != ir::kNoRegister || self != ir::kNoRegister || rule.subject.valid()) {
        const Register bits = b().integer(Op::load_raw, {dirty_, b().constant(0)});
        b().effect(Op::store,
                   {dirty_, b().constant(0), b().integer(Op::mask_or, {bits, b().constant(whenever_bit_[w])})});
      }
      std::vector<Register> arguments;
      if (rule.head.me.valid()) arguments.push_back(me != ir::kNoRegister ? me : b().constant(kNone));
      if (rule.head.self.valid()) arguments.push_back(self != ir::kNoRegister ? self : b().constant(kNone));
      if (rule.subject.valid()) arguments.push_back(read_local(rule.subject));
      call(whenever_function_[w], arguments);
      check_unwind(whenever_function_[w]);
      // what it did may already have made the condition false: then it can become true again before the next settling
      BlockIndex still = b().add_block(), no_more = b().add_block();
      branch_on(*rule.head.when, still, no_more);
      b().go_to(no_more);
      said(false);
      b().effect(Op::store, {whenever_told_[w], told_index, b().constant(0)});
      b().jump(after);
      b().go_to(still);
      b().jump(after);
      b().go_to(after);
    };
    if (rule.head.carrier.kind == CarrierKind::card && rule.head.carrier.zone.valid() && player == ir::kNoRegister) {
      // a card that has come out of force is told again when it returns
      Register away = b().make_set();
      b().assign(away, const_cards(cards_of_kinds(rule.head.carrier.kinds)));
      const ZoneSlot& zone = program_.zones[rule.head.carrier.zone.index];
      for (Int i = 0; i < zone.owners * zone.copies; ++i)
        b().put(Op::set_without, away, {away, b().set(Op::zone_cards, {b().constant(zone.first + i)})});
      for_each(away, true, [&](Register card) { b().effect(Op::store, {whenever_told_[w], card, b().constant(0)}); });
    }
    recheck_ = all_cards_ = true;
    carriers(rule.head, player, [&](Register me, Register self) {
      if (rule.subject.valid()) {
        const model::Type& of = rule.body.locals[rule.subject.index].type;
        Register all = of.kind == TypeKind::player ? b().integer(Op::players_in, {}, 4)
                                                   : b().constant((Int{2} << bounds(of).hi) - 1);
        for_each(all, false, [&](Register p) {
          bind(rule.subject, p);
          one(me, self, p);
        });
      } else {
        Register told = self != ir::kNoRegister ? self : me != ir::kNoRegister ? me : b().constant(0);
        if (self != ir::kNoRegister && me != ir::kNoRegister && !rule.head.carrier.zone.valid())
          told = b().integer(Op::add_small,
                             {self, b().integer(Op::mul_small, {me, b().constant(program_.layout.card_ids)})});
        one(me, self, told);
      }
    });
    recheck_ = all_cards_ = false;
  });
}

void Lowering::lower_settle() {
  for (std::size_t w = 0; w < model_.whenevers.size(); ++w) {
    const model::Whenever& rule = model_.whenevers[w];
    Env at;
    bind_locals(at, rule.body);
    write_function(whenever_function_[w], at, [&] {
      if (rule.head.me.valid()) bind(rule.head.me, parameter(simple(TypeKind::player, true)));
      if (rule.head.self.valid()) bind(rule.head.self, parameter(simple(TypeKind::card, true)));
      if (rule.subject.valid()) bind(rule.subject, parameter(simple(TypeKind::player)));
      block(rule.body.block);
    });
  }
  Env check;
  write_function(check_function_, check, [&] {
    const Register looked_at = parameter(simple(TypeKind::integer));
    for (std::size_t e = 0; e < model_.endings.size(); ++e) {
      const model::EndWhen& end = model_.endings[e];
      Env inner;
      bind_locals(inner, end.body);
      with_env(inner, [&] {
        b().at(end.range);
        BlockIndex look = b().add_block(), yes = b().add_block(), no = b().add_block();
        b().branch(b().integer(Op::mask_and, {looked_at, b().constant(ending_bit(e))}), look, no);
        b().go_to(look);
        branch_on(*end.when, yes, no);
        b().go_to(yes);
        within_ending_ = ending_index(end.when->text.empty() ? one_line(reason_text(end.when->range)) : end.when->text,
                                      end.words, end.when->range);
        block(end.body.block);
        if (!b().closed()) {                               // an ending without `winners` is a draw
          b().effect(Op::finish, {b().constant(0), *within_ending_});
          end_of(kEndGame);
        }
        within_ending_.reset();
        b().go_to(no);
      });
    }
  });
  Env settle_env;
  write_function(settle_function_, settle_env, [&] {
    Register full = parameter(simple(TypeKind::boolean));
    if (model_.whenevers.empty() && !has_afterwards()) {   // nothing can follow from what happens here
      BlockIndex now = b().add_block(), later = b().add_block();
      b().branch(full, now, later);
      b().go_to(now);
      const Register dirty = b().make_int();
      b().assign(dirty, b().integer(Op::load_raw, {dirty_, b().constant(0)}));
      b().effect(Op::store, {dirty_, b().constant(0), b().constant(0)});
      call(check_function_, {dirty});
      check_unwind(check_function_);
      b().jump(later);
      b().go_to(later);
      return;
    }
    // What waits keeps its bit until it is its turn, since what comes before it may open a race, in which all settles
    // too.
    Register kept_back = b().make_int(), dirty = b().make_int();
    const auto cleared = [&](Register bits) {
      const Register now = b().integer(Op::load_raw, {dirty_, b().constant(0)});
      b().effect(Op::store, {dirty_, b().constant(0), b().integer(Op::mask_without, {now, bits})});
    };
    env().inline_return = true;
    env().return_block = b().add_block();
    for (std::size_t w = 0; w < model_.whenevers.size() && whenever_said_ == ir::kNoRegister; ++w)
      if (says_as_before(w) != kNone) whenever_said_ = b().make_int();
    Int whenevers = 0;
    for (const Int bit : whenever_bit_) whenevers |= bit;
    b().put(Op::select, kept_back, {full, b().constant(kEndingBits), b().constant(kQueueBit | kEndingBits)});
    const Register waits = b().integer(Op::mask_or, {kept_back, b().constant(whenevers)});
    BlockIndex head = b().add_block(), work = b().add_block(), quiet = b().add_block();
    b().jump(head);
    b().go_to(head);
    Register all = b().integer(Op::load_raw, {dirty_, b().constant(0)});
    b().put(Op::mask_without, dirty, {all, kept_back});
    b().branch(dirty, work, quiet);
    b().go_to(work);
    fuel();
    b().effect(Op::store, {dirty_, b().constant(0), b().integer(Op::mask_and, {all, waits})});
    heed(dirty);
    run_queue(b().integer(
        Op::and_,
        {full, b().integer(Op::ne, {b().integer(Op::mask_and, {dirty, b().constant(kQueueBit)}), b().constant(0)}, 1)},
        1));
    for (std::size_t w = 0; w < model_.whenevers.size(); ++w) {
      BlockIndex look = b().add_block(), skip = b().add_block(), next = b().add_block();
      b().branch(b().integer(Op::mask_and, {dirty, b().constant(whenever_bit_[w])}), look, skip);
      b().go_to(look);
      cleared(b().constant(whenever_bit_[w]));
      look_at_whenever(w, ir::kNoRegister);
      b().jump(next);
      b().go_to(skip);
      if (whenever_said_ != ir::kNoRegister) b().assign_constant(whenever_said_, kNone);
      b().jump(next);
      b().go_to(next);
    }
    whenever_said_ = ir::kNoRegister;
    b().jump(head);
    b().go_to(quiet);
    BlockIndex check_block = b().add_block(), done = b().add_block();
    const Register ends = b().integer(Op::mask_and, {all, b().constant(kEndingBits)});
    b().branch(b().integer(Op::and_, {full, b().integer(Op::ne, {ends, b().constant(0)}, 1)}, 1), check_block, done);
    b().go_to(check_block);
    cleared(ends);
    call(check_function_, {ends});
    check_unwind(check_function_);
    b().jump(done);
    b().go_to(done);
    b().effect(Op::ret, {});
    b().go_to(env().return_block);                         // a rule said `end`: what was not looked at yet still waits
    const Register left = b().integer(Op::mask_or, {dirty, b().integer(Op::load_raw, {dirty_, b().constant(0)})});
    b().effect(Op::store, {dirty_, b().constant(0), left});
    b().effect(Op::ret, {});
    env().inline_return = false;
  });
  if (!has_settle_player_) return;
  Env one;
  write_function(settle_player_function_, one, [&] {
    Register player = parameter(simple(TypeKind::player));
    for (std::size_t w = 0; w < model_.whenevers.size(); ++w)
      if (model_.whenevers[w].head.carrier.kind != CarrierKind::nobody) look_at_whenever(w, player);
  });
}

// `afterwards`, first in first out. The blocks are known only when everything else is written: see lower_deferred.
bool Lowering::has_afterwards() const {
  return std::any_of(model_.stmts.begin(), model_.stmts.end(),
                     [](const model::Stmt& s) { return s.kind == model::StmtKind::afterwards; });
}

void Lowering::run_queue(Register wanted) {
  if (!has_afterwards()) return;
  queue_runner_ = new_function("afterwards", ir::Returns::nothing, {}, false);
  BlockIndex yes = b().add_block(), no = b().add_block();
  b().branch(wanted, yes, no);
  b().go_to(yes);
  call(queue_runner_, {});
  check_unwind(queue_runner_);
  b().jump(no);
  b().go_to(no);
}

void Lowering::lower_deferred() {
  if (!has_afterwards()) return;
  std::vector<ir::FunctionIndex> functions;
  for (std::size_t i = 0; i < deferred_.size(); ++i) {     // lowering one may queue more
    Deferred d = deferred_[i];
    functions.push_back(new_function("afterwards", ir::Returns::nothing, d.stmt->range));
    Env at;
    bind_locals(at, *d.body);
    at.deferred = true;
    write_function(functions.back(), at, [&] {
      Int ints = 0, sets = 0;
      for (auto& [local, set] : d.captured) {
        Register r = b().make(local_type(*d.body, local));
        if (b().type(r).kind == ir::RegisterKind::array) {
          std::vector<Register> parts;
          for (const RegisterType& part : parts_of(b().type(r))) {
            parts.push_back(b().make(part));
            if (part.kind == ir::RegisterKind::set) b().put(Op::queue_get_set, parts.back(), {sets++});
            else b().put(Op::queue_get, parts.back(), {ints++});
          }
          put_together(r, parts);
        } else if (set) b().put(Op::queue_get_set, r, {sets++});
        else b().put(Op::queue_get, r, {ints++});
        bind(local, r);
      }
      block(d.stmt->blocks[0]);
    });
  }
  Env runner;
  write_function(queue_runner_, runner, [&] {
    if (functions.empty()) return;
    BlockIndex head = b().add_block(), done = b().add_block(), some = b().add_block();
    b().jump(head);
    b().go_to(head);
    Register which = b().integer(Op::queue_pop, {});
    b().branch(b().integer(Op::eq, {which, b().constant(kNone)}, 1), done, some);
    b().go_to(some);
    fuel();
    for (std::size_t i = 0; i < functions.size(); ++i) {
      BlockIndex mine = b().add_block(), next = b().add_block();
      b().branch(b().integer(Op::eq, {which, b().constant(Int(i))}, 1), mine, next);
      b().go_to(mine);
      call(functions[i], {});
      check_unwind(functions[i]);
      b().jump(head);
      b().go_to(next);
    }
    b().jump(head);
    b().go_to(done);
  });
}

// A reason for which the game may be over.
Int Lowering::ending_index(const std::string& text, const std::string& words, Range where) {
  std::vector<EndingInfo>& endings = program_.endings;
  const auto known = std::find_if(endings.begin(), endings.end(), [&](const EndingInfo& e) {
    return e.text == text && e.words == words && e.where == where;
  });
  const Int index = known - endings.begin();
  if (known == endings.end()) endings.push_back({text, words, where});
  return index;
}

void Lowering::winners(const model::Stmt& s) {
  const model::Expr& e = *s.exprs[0];
  Register mask = expr(e);
  if (e.type.kind == TypeKind::player) mask = b().integer(Op::mask_of, {mask}, 4);
  b().effect(Op::finish, {mask, within_ending_ && s.text.empty()
                                    ? *within_ending_
                                    : ending_index("winners " + one_line(reason_text(e.range)), s.text, e.range)});
  end_of(kEndGame);
}

// ---------------------------------------------------------------- turns, rounds, phases

bool Lowering::has_variables(model::Lifetime lifetime) const {
  return std::any_of(model_.variables.begin(), model_.variables.end(),
                     [&](const model::Variable& v) { return v.lifetime == lifetime; });
}

// The event with which a scenario begins, or none: until it is reached, all that stands before it is passed over.
Register Lowering::start() { return b().integer(Op::load_raw, {start_event_, b().constant(0)}); }
Register Lowering::starting_player() { return b().integer(Op::load_raw, {start_player_, b().constant(0)}); }

// Here the scenario begins.
void Lowering::has_started(bool whose_too) {
  b().effect(Op::store, {start_event_, b().constant(0), b().constant(kNone)});
  if (whose_too) b().effect(Op::store, {start_player_, b().constant(0), b().constant(kNone)});
}

// Not none until the first turn or round: then a scenario begins with that one, or in it.
Register Lowering::begun_with(model::Lifetime lifetime) {
  if (!has_variables(lifetime)) return ir::kNoRegister;
  const Register begun = b().make_int();
  b().assign(begun, start());
  return begun;
}

// `start` is one of these: the scenario begins there.
void Lowering::branch_if_starts(Register start, const std::set<std::uint32_t>& events, BlockIndex yes, BlockIndex no) {
  for (const std::uint32_t event : events) {
    const BlockIndex other = b().add_block();
    b().branch(b().integer(Op::eq, {start, b().constant(Int(event))}, 1), yes, other);
    b().go_to(other);
  }
  b().jump(no);
}

// Called with the event of a turn or round: with all that comes before it, if the scenario begins with that one.
void Lowering::start_with(std::uint32_t event, bool whose_too) {
  BlockIndex here = b().add_block(), on = b().add_block();
  b().branch(b().integer(Op::eq, {start(), b().constant(Int(event))}, 1), here, on);
  b().go_to(here);
  has_started(whose_too);
  b().jump(on);
  b().go_to(on);
}

// Before a turn, round or phase. With the one that a scenario begins with variables stay as it gave them.
void Lowering::reset(model::Lifetime lifetime, Register begun) {
  if (has_variables(lifetime)) {
    BlockIndex anew = b().add_block(), on = b().add_block();
    b().branch(b().integer(Op::eq, {begun, b().constant(kNone)}, 1), anew, on);
    b().go_to(anew);
    for (std::size_t v = 0; v < model_.variables.size(); ++v)
      if (model_.variables[v].lifetime == lifetime) b().effect(Op::clear, {variable_of_[v]});
    b().jump(on);
    b().go_to(on);
    b().assign_constant(begun, kNone);
  }
  for (std::size_t v = 0; v < model_.variables.size(); ++v)
    if (model_.variables[v].lifetime == lifetime) touch(watchers_variable(std::uint32_t(v)));
  model::Scope scope = lifetime == model::Lifetime::turn    ? model::Scope::turn
                       : lifetime == model::Lifetime::round ? model::Scope::round
                                                            : model::Scope::phase;
  for (Int variable : scope_limits_[scope]) {
    if (program_.variables[variable].is_set)
      b().effect(Op::store_set, {variable, b().constant(0), b().set(Op::set_empty, {})});
    else b().effect(Op::clear, {variable});
  }
}

void Lowering::turns(const model::Stmt& s) {
  const model::Expr* most = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const model::Expr* until = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  Register player = b().make(int_type(1)), left = b().make_int();
  BlockIndex given = b().add_block(), usual = b().add_block(), named = b().add_block(), first = b().add_block(),
             head = b().add_block(), go = b().add_block(), turn = b().add_block(), stop = b().add_block();
  const Register begun = begun_with(model::Lifetime::turn);
  b().branch(b().integer(Op::eq, {starting_player(), b().constant(kNone)}, 1), usual, named);
  b().go_to(named);                                        // a scenario says who is first
  b().assign(player, starting_player());
  b().branch(b().integer(Op::eq, {start(), b().constant(kNone)}, 1), first, given);
  b().go_to(first);
  b().effect(Op::store, {start_player_, b().constant(0), b().constant(kNone)});
  b().jump(go);
  b().go_to(given);                                        // … and begins in here, whatever stands in the way
  if (most) b().assign(left, b().integer(Op::sub_small, {expr(*most), b().constant(1)}));
  b().jump(turn);
  b().go_to(usual);
  b().assign(player, expr(*s.exprs[0]));
  b().jump(go);
  b().go_to(go);
  if (most) b().assign(left, expr(*most));
  b().jump(head);
  b().go_to(head);
  stop_at_horizon(stop);
  if (most) {
    BlockIndex more = b().add_block();
    b().branch(b().integer(Op::lt, {b().constant(0), left}, 1), more, stop);
    b().go_to(more);
    b().put(Op::sub_small, left, {left, b().constant(1)});
  }
  if (until) branch_on(*until, stop, turn);
  else b().jump(turn);
  b().go_to(turn);
  BlockIndex somebody = b().add_block(), in = b().add_block(), out = b().add_block();
  Register players = b().integer(Op::players_in, {}, 4);
  b().branch(players, somebody, stop);
  b().go_to(somebody);
  b().branch(b().integer(Op::mask_has, {players, player}, 1), in, out);
  b().go_to(out);
  b().put(s.value < 0 ? Op::previous_in : Op::next_in, player, {player});
  b().jump(in);
  b().go_to(in);
  b().effect(Op::store, {active_, b().constant(0), player});
  const Register number =
      b().integer(Op::add_small, {b().integer(Op::load_raw, {turn_number_, b().constant(0)}), b().constant(1)});
  b().effect(Op::store, {turn_number_, b().constant(0), number});
  log_heading("— turn {0:number}: {1:player}", number, player);
  touch(watch_always_);
  reset(model::Lifetime::turn, begun);
  start_with(s.ref, true);
  call(event_function_[s.ref], {player});
  check_unwind(event_function_[s.ref]);
  b().put(s.value < 0 ? Op::previous_in : Op::next_in, player, {player});
  b().jump(head);
  b().go_to(stop);
  b().effect(Op::store, {active_, b().constant(0), b().constant(kNone)});
  touch(watch_always_);
}

// Who only looks some turns ahead has the rules say who is in front then, as they do when the play is over.
void Lowering::stop_at_horizon(BlockIndex stop) {
  if (program_.horizon < 0) return;
  const auto load = [&](Int variable) { return b().integer(Op::load_raw, {variable, b().constant(0)}); };
  BlockIndex on = b().add_block();
  b().branch(
      b().integer(Op::le,
                  {load(program_.horizon), b().integer(Op::add_small, {load(turn_number_), load(round_number_)})}, 1),
      stop, on);
  b().go_to(on);
}

void Lowering::rounds(const model::Stmt& s) {
  const model::Expr* most = !s.exprs.empty() ? s.exprs[0] : nullptr;
  const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  Register left = b().make_int();
  if (most) b().assign(left, expr(*most));
  else b().assign_constant(left, kUnlimited);
  const Register begun = begun_with(model::Lifetime::round);
  const model::Expr* starting = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  BlockIndex head = b().add_block(), more = b().add_block(), round = b().add_block(), stop = b().add_block();
  b().jump(head);
  b().go_to(head);
  BlockIndex given = b().add_block(), usual = b().add_block();
  b().branch(b().integer(Op::eq, {start(), b().constant(kNone)}, 1), usual, given);
  b().go_to(given);
  b().put(Op::sub_small, left, {left, b().constant(1)});
  if (starting) b().effect(Op::store, {active_, b().constant(0), starting_player()});
  b().jump(round);
  b().go_to(usual);
  stop_at_horizon(stop);
  b().branch(b().integer(Op::lt, {b().constant(0), left}, 1), more, stop);
  b().go_to(more);
  b().put(Op::sub_small, left, {left, b().constant(1)});
  if (until) {
    BlockIndex on = b().add_block();
    branch_on(*until, stop, on);
    b().go_to(on);
  }
  if (starting) b().effect(Op::store, {active_, b().constant(0), expr(*starting)});
  b().jump(round);
  b().go_to(round);
  fuel();
  const Register number =
      b().integer(Op::add_small, {b().integer(Op::load_raw, {round_number_, b().constant(0)}), b().constant(1)});
  b().effect(Op::store, {round_number_, b().constant(0), number});
  log_heading("— round {0:number}", number);
  touch(watch_always_);
  reset(model::Lifetime::round, begun);
  start_with(s.ref, starting != nullptr);                  // else who is named has the first turn in it
  call(event_function_[s.ref], {});
  check_unwind(event_function_[s.ref]);
  b().jump(head);
  b().go_to(stop);
  if (!starting) return;
  b().effect(Op::store, {active_, b().constant(0), b().constant(kNone)});
  touch(watch_always_);
}

void Lowering::phase(const model::Stmt& s) {
  const Register begun = b().make_int();
  b().assign(begun, start());
  start_with(s.ref, true);
  reset(model::Lifetime::phase, begun);
  std::vector<Register> arguments;
  bool player = !model_.events[s.ref].parameters.empty();
  if (player)
    arguments.push_back(s.exprs.empty() || !s.exprs[0] ? b().integer(Op::load_raw, {active_, b().constant(0)}, 1)
                                                       : expr(*s.exprs[0]));
  call(event_function_[s.ref], arguments);
  check_unwind(event_function_[s.ref]);
  if (!player) return;                                     // the phases of one who has gone out end
  BlockIndex out = b().add_block(), on = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), arguments[0]}, 1), on, out);
  b().go_to(out);
  leave_function(ir::kNoRegister);
  b().go_to(on);
}

// The turns, rounds and phases that stand in a statement, also within each other.
std::set<std::uint32_t> Lowering::flow_in(const model::Stmt& s) const {
  std::set<std::uint32_t> events;
  const auto add = [&](const model::Block& block) {
    for (const model::Stmt* inner : block) events.merge(flow_in(*inner));
  };
  if (s.kind == model::StmtKind::phase || s.kind == model::StmtKind::turns || s.kind == model::StmtKind::rounds) {
    events.insert(s.ref);
    add(model_.events[s.ref].body.block);
  }
  for (const model::Block& block : s.blocks) add(block);
  return events;
}

std::set<std::uint32_t> Lowering::flow_in(const model::Block& block) const {
  std::set<std::uint32_t> events;
  for (const model::Stmt* s : block) events.merge(flow_in(*s));
  return events;
}

// A scenario may begin with something in the middle: then all that stands before it is passed over, and what it stands
// in is entered whatever its condition says.
void Lowering::flow_block(const model::Block& statements) {
  for (const model::Stmt* s : statements) {
    const std::set<std::uint32_t> within = flow_in(*s);
    BlockIndex go = b().add_block(), look = b().add_block(), skip = b().add_block();
    const Register start = this->start();
    b().branch(b().integer(Op::eq, {start, b().constant(kNone)}, 1), go, look);
    b().go_to(look);
    branch_if_starts(start, within, go, skip);
    b().go_to(go);
    statement(*s);
    b().jump(skip);
    b().go_to(skip);
  }
}

void Lowering::inner_block(const model::Block& statements) {
  if (flow_in(statements).empty()) block(statements);
  else flow_block(statements);
}

// Of an `if` the side that it stands in.
void Lowering::branch_in_flow(const model::Expr& condition, const model::Block& then, BlockIndex yes, BlockIndex no) {
  const std::set<std::uint32_t> within = flow_in(then);
  BlockIndex usual = b().add_block(), given = b().add_block();
  const Register start = this->start();
  b().branch(b().integer(Op::eq, {start, b().constant(kNone)}, 1), usual, given);
  b().go_to(given);
  branch_if_starts(start, within, yes, no);
  b().go_to(usual);
  branch_on(condition, yes, no);
}

// A loop in which a scenario begins is entered, that of players with the one it names.
void Lowering::enter_in_flow(Register element, BlockIndex body, BlockIndex next) {
  BlockIndex usual = b().add_block(), given = b().add_block();
  b().branch(b().integer(Op::eq, {start(), b().constant(kNone)}, 1), usual, given);
  b().go_to(given);
  if (element == ir::kNoRegister) b().jump(body);
  else b().branch(b().integer(Op::eq, {element, starting_player()}, 1), body, next);
  b().go_to(usual);
}

// ---------------------------------------------------------------- main

void Lowering::lower_main() {
  ir::FunctionIndex setup = new_function("setup", ir::Returns::nothing, {}),
                    play = new_function("play", ir::Returns::nothing, {});
  program_.main = new_function("main", ir::Returns::nothing, {}, false);
  Env setup_env, play_env, main_env;
  bind_locals(setup_env, model_.setup);
  bind_locals(play_env, model_.play);
  play_env.flow = true;
  write_function(setup, setup_env, [&] { block(model_.setup.block); });
  write_function(play, play_env, [&] { flow_block(model_.play.block); });
  write_function(program_.main, main_env, [&] {
    BlockIndex from_start = b().add_block(), playing = b().add_block();
    Register start = b().integer(Op::load_raw, {start_player_, b().constant(0)});
    b().branch(b().integer(Op::eq, {start, b().constant(kNone)}, 1), from_start, playing);
    b().go_to(from_start);
    call(setup, {});
    check_unwind(setup);
    settle();
    b().jump(playing);
    b().go_to(playing);
    call(play, {});
    Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
    BlockIndex over = b().add_block(), ended = b().add_block();
    b().branch(
        b().integer(Op::eq, {b().integer(Op::mod_small, {ending, b().constant(kSayer)}), b().constant(kEndGame)}, 1),
        over, ended);
    b().go_to(over);
    b().effect(Op::ret, {});
    b().go_to(ended);
    b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
    b().effect(Op::store, {play_over_, b().constant(0), b().constant(1)});
    b().effect(Op::store, {dirty_, b().constant(0), b().constant(kAllDirt)});
    call(settle_function_, {b().constant(1)});
    check_unwind(settle_function_);
    b().effect(Op::finish, {b().constant(0), ending_index("play is over", "", {})});
  });
  program_.settle_function = settle_function_;
}

void Lowering::lower_claims() {
  for (std::size_t c = 0; c < model_.claims.size(); ++c) {
    ir::FunctionIndex f = new_function(fmt::format("claim {}", c), ir::Returns::integer, {}, false);
    Env at;
    bind_locals(at, model_.claims[c]);
    write_function(f, at, [&] { block(model_.claims[c].block); });
    program_.claims.push_back(f);
  }
  if (model_.payoff_value) program_.payoff = value_function_[model_.payoff_value->index];
  else if (model_.payoff) program_.payoff = function_function_[model_.payoff->index];
}

// ---------------------------------------------------------------- after all functions are written

namespace {
template <class Visit>
void each_call(const ir::Function& f, Visit visit) {
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.code)
      if (i.op == Op::call || i.op == Op::call_set) visit(static_cast<ir::FunctionIndex>(i.operands[0]));
}
}  // namespace

// Drops the test for `ending` after calls of functions that can't leave anything to end.
void Lowering::note_ways_out() {
  auto& functions = program_.playout.functions;
  std::vector<bool> ends(functions.size());
  for (ir::FunctionIndex f : enders_) ends[f] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      if (ends[f]) continue;
      each_call(functions[f], [&](ir::FunctionIndex callee) {
        if (ends[callee]) ends[f] = true, changed = true;
      });
    }
  }
  for (ir::Function& f : functions)
    for (ir::Block& block : f.blocks) {
      std::int64_t last_call = -1;
      for (ir::Instruction& i : block.code) {
        if (i.op == Op::call || i.op == Op::call_set) last_call = i.operands[0];
        if (i.op == Op::load_raw && i.operands[0] == ending_ && last_call >= 0 && !ends[last_call])
          i = {Op::const_int, i.result, {0}, i.where};
      }
    }
}

// Every function of a recursive group counts how deep it is in itself; going past its bound is a trap.
void Lowering::bound_recursion() {
  auto& functions = program_.playout.functions;
  std::size_t n = functions.size();
  std::vector<std::vector<ir::FunctionIndex>> calls(n);
  for (std::size_t f = 0; f < n; ++f) each_call(functions[f], [&](ir::FunctionIndex c) { calls[f].push_back(c); });
  // Tarjan's strongly connected components, with an explicit stack.
  std::vector<Int> index(n, -1), low(n, 0);
  std::vector<bool> on_stack(n), recursive(n);
  std::vector<std::size_t> stack;
  Int counter = 0;
  for (std::size_t root = 0; root < n; ++root) {
    if (index[root] >= 0) continue;
    std::vector<std::pair<std::size_t, std::size_t>> work{{root, 0}};
    while (!work.empty()) {
      auto [f, next] = work.back();
      if (next == 0) {
        index[f] = low[f] = counter++;
        stack.push_back(f);
        on_stack[f] = true;
      }
      if (next < calls[f].size()) {
        ++work.back().second;
        std::size_t c = calls[f][next];
        if (c == f) recursive[f] = true;
        if (index[c] < 0) work.push_back({c, 0});
        else if (on_stack[c]) low[f] = std::min(low[f], index[c]);
        continue;
      }
      if (low[f] == index[f]) {
        std::vector<std::size_t> component;
        do {
          component.push_back(stack.back());
          on_stack[stack.back()] = false;
          stack.pop_back();
        } while (component.back() != f);
        if (component.size() > 1)
          for (std::size_t m : component) recursive[m] = true;
      }
      work.pop_back();
      if (!work.empty()) low[work.back().first] = std::min(low[work.back().first], low[f]);
    }
  }
  for (std::size_t f = 0; f < n; ++f) {
    if (!recursive[f] || functions[f].blocks.empty()) continue;
    Int bound = kDefaultDepth;
    for (std::size_t e = 0; e < model_.events.size(); ++e)
      if ((event_function_[e] == f || event_body_function_[e] == f) && model_.events[e].depth_limit)
        bound = model_.events[e].depth_limit;
    for (std::size_t i = 0; i < model_.functions.size(); ++i)
      if (function_function_[i] == f && model_.functions[i].depth_limit) bound = model_.functions[i].depth_limit;
    for (const auto& [called, index] : asked_functions_)
      if (const auto& [is_value, ref, given] = called; index == f && !is_value && model_.functions[ref].depth_limit)
        bound = model_.functions[ref].depth_limit;
    Int variable = add_scratch("depth of " + functions[f].name, 0, 0xffff, 0);
    for (ir::Block& block : functions[f].blocks) {
      std::vector<ir::Instruction> code;
      for (ir::Instruction& i : block.code) {
        if (i.op == Op::ret || i.op == Op::ret_int || i.op == Op::ret_set)
          code.push_back({Op::leave, ir::kNoRegister, {variable}, i.where});
        code.push_back(std::move(i));
      }
      block.code = std::move(code);
    }
    auto& first = functions[f].blocks[0].code;
    first.insert(first.begin(), {Op::enter, ir::kNoRegister, {variable, bound}, functions[f].where});
  }
}

}  // namespace cardwright::lower
