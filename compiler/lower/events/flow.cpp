// Lowers turns, rounds and phases, the settling of `whenever` rules, the main function, recursion bounds, and the
// handling of `end`.
#include "compiler/lower/events/flow.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/lower/expressions/calls.h"
#include "compiler/lower/context/constants.h"
#include "compiler/lower/events/events.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/context/layout.h"
#include "compiler/lower/sets/lists.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/context/metadata.h"
#include "compiler/lower/events/replacements.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/rules/watch.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::TypeKind;

static void stop_at_horizon(const FunctionContext& code, BlockIndex stop);
static bool has_afterwards(const ProgramContext& unit);
static void run_queue(const FunctionContext& code, Register wanted);
static Int ending_index(ProgramContext& unit, const std::string& text, const std::string& words, Range where);

namespace {
constexpr Int kDefaultDepth = 16;   // maximum recursion depth without a declared bound
}   // namespace

void declare_flow(ProgramContext& unit) {
  unit.functions.settle = new_function(unit, "settling", ir::Returns::nothing, {}, false);
  unit.functions.check = new_function(unit, "end when", ir::Returns::nothing, {}, false);
  unit.functions.has_settle_player =
      std::any_of(unit.model.whenevers.begin(), unit.model.whenevers.end(),
                  [](const model::Whenever& w) { return w.head.carrier.kind != CarrierKind::nobody; });
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
    unit.watching.whenever_told.push_back(
        add_scratch(unit, "told " + rule.head.name, 0, 1, 0, std::max<Int>(1, count)));
  }
  const auto asks = [](auto&& self, const model::Expr& e) -> bool {
    return e.kind == model::ExprKind::play_is_over ||
           std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && self(self, *a); });
  };
  if (std::any_of(unit.model.endings.begin(), unit.model.endings.end(),
                  [&](const model::EndWhen& e) { return asks(asks, *e.when); }))
    unit.program.horizon = add_scratch(unit, "horizon", 0, kUnlimited, kUnlimited);
}

// ---------------------------------------------------------------- settling

// Returns the dirty bits on which enabled conditions depend.
static Register enabled_dirty_bits(const FunctionContext& code) {
  const Register dirty = code.integer(Op::load_raw, {code.unit.variables.dirty, code.constant(0)});
  if (code.unit.plain) {   // without optimizations, every condition is evaluated at every settling
    const Register all = code.integer(Op::mask_or, {dirty, code.constant(kAllConditions)});
    code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), all});
    return all;
  }
  return code.unit.watching.enabled < 0
             ? dirty
             : code.integer(Op::mask_and,
                            {dirty, code.integer(Op::load_raw, {code.unit.watching.enabled, code.constant(0)})});
}

// Recomputes which `whenever` rules of characters are enabled, after a player's character changed.
static void update_enabled(const FunctionContext& code, Register dirty) {
  if (code.unit.watching.enabled < 0) return;
  BlockIndex changed = code.add_block(), same = code.add_block();
  code.branch(code.integer(Op::mask_and, {dirty, code.constant(kCharactersBit)}), changed, same);
  code.go_to(changed);
  Register enabled = code.make_int();
  code.assign_constant(enabled, kAllDirt & ~code.unit.watching.sleeping_bits);
  for (std::size_t w = 0; w < code.model.whenevers.size(); ++w) {
    if ((code.unit.watching.sleeping_bits & code.unit.watching.whenever_bit[w]) == 0) continue;
    const model::Carrier& carrier = code.model.whenevers[w].head.carrier;
    const Register holders = code.integer(
        Op::holders, {code.unit.ids.variable[carrier.character_variable.index], code.constant(carrier.character)});
    const Register some = code.integer(Op::ne, {holders, code.constant(0)}, 1);
    const Register bit =
        code.integer(Op::select, {some, code.constant(code.unit.watching.whenever_bit[w]), code.constant(0)});
    code.put(Op::mask_or, enabled, {enabled, bit});
  }
  code.effect(Op::store, {code.unit.watching.enabled, code.constant(0), enabled});
  code.jump(same);
  code.go_to(same);
}

// Runs all pending rules. Emitted where no event is in progress. If nothing was written that a condition reads, this
// costs one test.
void settle(const FunctionContext& code) {
  BlockIndex something = code.add_block(), after = code.add_block();
  code.branch(enabled_dirty_bits(code), something, after);
  code.go_to(something);
  call(code, code.unit.functions.settle, {code.constant(1)});
  check_unwind(code, code.unit.functions.settle);
  code.jump(after);
  code.go_to(after);
}

void settle_one(const FunctionContext& code, Register player) {
  if (!code.unit.functions.has_settle_player) return;
  Int bits = 0;
  for (std::size_t w = 0; w < code.model.whenevers.size(); ++w)
    if (code.model.whenevers[w].head.carrier.kind != CarrierKind::nobody) bits |= code.unit.watching.whenever_bit[w];
  BlockIndex something = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_and, {enabled_dirty_bits(code), code.constant(bits)}), something, after);
  code.go_to(something);
  call(code, code.unit.functions.settle_player, {player});
  check_unwind(code, code.unit.functions.settle_player);
  code.jump(after);
  code.go_to(after);
}

namespace {

bool is_alike(const model::Expr& a, const model::Expr& b) {
  const auto both_alike = [](const model::Expr* x, const model::Expr* y) { return x && y ? is_alike(*x, *y) : x == y; };
  return a.kind == b.kind && a.type.kind == b.type.kind && a.value == b.value && a.ref == b.ref && a.local == b.local &&
         a.values == b.values && std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), both_alike);
}
// Returns the condition without leading `not`s. Inverts `same` for each `not`.
const model::Expr& without_not(const model::Expr& e, bool& same) {
  if (e.kind != model::ExprKind::logical_not) return e;
  same = !same;
  return without_not(*view::logical_not(e).operand(), same);
}

}   // namespace

// Returns 1 if the condition equals that of the preceding `whenever`, 0 if it is its negation, and none otherwise.
static Int relation_to_previous(const ProgramContext& unit, std::size_t w) {
  const auto has_no_carrier = [&](std::size_t i) {
    return unit.model.whenevers[i].head.carrier.kind == CarrierKind::nobody && !unit.model.whenevers[i].subject.valid();
  };
  if (unit.plain || w == 0 || !has_no_carrier(w) || !has_no_carrier(w - 1)) return kNone;
  bool same = true;
  const model::Expr &mine = without_not(*unit.model.whenevers[w].head.when, same),
                    &other = without_not(*unit.model.whenevers[w - 1].head.when, same);
  return pure(unit, mine) && is_alike(mine, other) ? Int{same} : kNone;
}

// Reuses the result of the preceding condition if it was evaluated directly before.
static void branch_on_whenever(const FunctionContext& code, std::size_t w, Register last_result, BlockIndex yes,
                               BlockIndex no) {
  const model::Expr& when = *code.model.whenevers[w].head.when;
  const Int relation = relation_to_previous(code.unit, w);
  if (last_result == ir::kNoRegister || relation == kNone) return branch_on(code, when, yes, no);
  BlockIndex known = code.add_block(), open = code.add_block();
  code.branch(code.integer(Op::eq, {last_result, code.constant(kNone)}, 1), open, known);
  code.go_to(known);
  code.branch(last_result, relation ? yes : no, relation ? no : yes);
  code.go_to(open);
  branch_on(code, when, yes, no);
}

// Emits one `whenever` rule, for all its carriers or those of one player: runs the body once when the condition becomes
// true.
static void check_whenever(const FunctionContext& outer, std::size_t w, Register player, Register last_result) {
  const model::Whenever& rule = outer.model.whenevers[w];
  Env inner;
  bind_locals(inner, rule.body);
  inner.inline_return = outer.env().inline_return;
  inner.return_block = outer.env().return_block;
  const FunctionContext code = outer.in(inner);
  auto one = [&](Register me, Register self, Register told_index) {
    if (me != ir::kNoRegister) bind(code, rule.head.me, me);
    if (self != ir::kNoRegister) bind(code, rule.head.self, self);
    BlockIndex yes = code.add_block(), no = code.add_block(), fresh = code.add_block(), after = code.add_block();
    const auto said = [&](bool truth) {
      if (last_result != ir::kNoRegister) code.assign_constant(last_result, truth);
    };
    branch_on_whenever(code, w, last_result, yes, no);
    code.go_to(no);
    said(false);
    code.effect(Op::store, {code.unit.watching.whenever_told[w], told_index, code.constant(0)});
    code.jump(after);
    code.go_to(yes);
    said(true);
    code.branch(code.integer(Op::load_raw, {code.unit.watching.whenever_told[w], told_index}, 1), after, fresh);
    code.go_to(fresh);
    code.effect(Op::store, {code.unit.watching.whenever_told[w], told_index, code.constant(1)});
    // The body may settle too. That nested settling must not skip the carriers that follow this one.
    if (me != ir::kNoRegister || self != ir::kNoRegister || rule.subject.valid()) {
      const Register bits = code.integer(Op::load_raw, {code.unit.variables.dirty, code.constant(0)});
      code.effect(Op::store, {code.unit.variables.dirty, code.constant(0),
                              code.integer(Op::mask_or, {bits, code.constant(code.unit.watching.whenever_bit[w])})});
    }
    std::vector<Register> arguments;
    if (rule.head.me.valid()) arguments.push_back(me != ir::kNoRegister ? me : code.constant(kNone));
    if (rule.head.self.valid()) arguments.push_back(self != ir::kNoRegister ? self : code.constant(kNone));
    if (rule.subject.valid()) arguments.push_back(read_local(code, rule.subject));
    call(code, code.unit.functions.whenever[w], arguments);
    check_unwind(code, code.unit.functions.whenever[w]);
    // the body may already have made the condition false: then it can become true again before the next settling
    BlockIndex still = code.add_block(), no_more = code.add_block();
    branch_on(code, *rule.head.when, still, no_more);
    code.go_to(no_more);
    said(false);
    code.effect(Op::store, {code.unit.watching.whenever_told[w], told_index, code.constant(0)});
    code.jump(after);
    code.go_to(still);
    code.jump(after);
    code.go_to(after);
  };
  if (rule.head.carrier.kind == CarrierKind::card && rule.head.carrier.zone.valid() && player == ir::kNoRegister) {
    // a card that left its zone triggers the rule again when it returns
    Register away = code.make_set();
    code.assign(away, const_cards(code, cards_of_kinds(code.unit, rule.head.carrier.kinds)));
    const ZoneSlot& zone = code.program.zones[rule.head.carrier.zone.index];
    for (Int i = 0; i < zone.owners * zone.copies; ++i)
      code.put(Op::set_without, away, {away, code.set(Op::zone_cards, {code.constant(zone.first + i)})});
    for_each(code, away, [&](Register card) {
      code.effect(Op::store, {code.unit.watching.whenever_told[w], card, code.constant(0)});
    });
  }
  const CarrierQuery query{.me = player, .recheck = true, .all_cards = true};
  carriers(code, rule.head, query, [&](Register me, Register self) {
    if (rule.subject.valid()) {
      const model::Type& of = rule.body.locals[rule.subject.index].type;
      Register all = of.kind == TypeKind::player ? code.integer(Op::players_in, {}, 4)
                                                 : code.constant((Int{2} << bounds(code.unit, of).hi) - 1);
      for_each(code, all, [&](Register p) {
        bind(code, rule.subject, p);
        one(me, self, p);
      });
    } else {
      Register told = self != ir::kNoRegister ? self : me != ir::kNoRegister ? me : code.constant(0);
      if (self != ir::kNoRegister && me != ir::kNoRegister && !rule.head.carrier.zone.valid())
        told = code.integer(Op::add_small,
                            {self, code.integer(Op::mul_small, {me, code.constant(code.program.layout.card_ids)})});
      one(me, self, told);
    }
  });
}

static void write_whenever(ProgramContext& unit, std::size_t w) {
  const model::Whenever& rule = unit.model.whenevers[w];
  Env at;
  bind_locals(at, rule.body);
  write_function(unit, unit.functions.whenever[w], at, [&](const FunctionContext& code) {
    if (rule.head.me.valid()) bind(code, rule.head.me, parameter(code, simple(TypeKind::player, true)));
    if (rule.head.self.valid()) bind(code, rule.head.self, parameter(code, simple(TypeKind::card, true)));
    if (rule.subject.valid()) bind(code, rule.subject, parameter(code, simple(TypeKind::player)));
    note_reached(code, rule.head.range);
    block(code, rule.body.block);
  });
}

// Ends the game if the condition is true.
static void check_ending(const FunctionContext& code, std::size_t e, Register looked_at) {
  const model::EndWhen& end = code.model.endings[e];
  Env names;
  bind_locals(names, end.body);
  const FunctionContext ending = code.in(names);
  code.at(end.range);
  const BlockIndex look = code.add_block(), yes = code.add_block(), no = code.add_block();
  code.branch(code.integer(Op::mask_and, {looked_at, code.constant(ending_bit(e))}), look, no);
  code.go_to(look);
  branch_on(ending, *end.when, yes, no);
  code.go_to(yes);
  names.ending = ending_index(
      code.unit, end.when->text.empty() ? one_line(reason_text(code.unit, end.when->range)) : end.when->text, end.words,
      end.when->range);
  note_reached(ending, end.range);
  block(ending, end.body.block);
  if (!code.closed()) {   // an ending without `winners` is a draw
    code.effect(Op::finish, {code.constant(0), *names.ending});
    end_of(ending, kEndGame);
  }
  code.go_to(no);
}

static Register dirty_bits(const FunctionContext& code) {
  return code.integer(Op::load_raw, {code.unit.variables.dirty, code.constant(0)});
}
static void put_dirty_bits(const FunctionContext& code, Op op, Register a, Register b) {
  code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), code.integer(op, {a, b})});
}
static void check_endings(const FunctionContext& code, Register bits) {
  call(code, code.unit.functions.check, {bits});
  check_unwind(code, code.unit.functions.check);
}

// Emits settling for games that only have to check the endings.
static void settle_endings_alone(const FunctionContext& code, Register full) {
  const BlockIndex now = code.add_block(), later = code.add_block();
  code.branch(full, now, later);
  code.go_to(now);
  const Register dirty = code.make_int();
  code.assign(dirty, dirty_bits(code));
  code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), code.constant(0)});
  check_endings(code, dirty);
  code.jump(later);
  code.go_to(later);
}

// Checks each `whenever` whose bit is set, in order. `last_result` is 1 if the condition of the preceding `whenever` is
// true, 0 if it is false, and kNone if it was not evaluated.
static void check_whenevers(const FunctionContext& code, Register last_result) {
  for (std::size_t w = 0; w < code.model.whenevers.size(); ++w) {
    const BlockIndex look = code.add_block(), skip = code.add_block(), next = code.add_block();
    // current value: preceding rules may have set it
    const Register now = dirty_bits(code);
    code.branch(code.integer(Op::mask_and, {now, code.constant(code.unit.watching.whenever_bit[w])}), look, skip);
    code.go_to(look);
    put_dirty_bits(code, Op::mask_without, now, code.constant(code.unit.watching.whenever_bit[w]));
    check_whenever(code, w, ir::kNoRegister, last_result);
    code.jump(next);
    code.go_to(skip);
    if (last_result != ir::kNoRegister) code.assign_constant(last_result, kNone);
    code.jump(next);
    code.go_to(next);
  }
}

// Settles repeatedly until nothing is pending. The bit of a pending condition stays set until that condition is
// evaluated, because a preceding rule may open a race, which settles too.
static void settle_all(const FunctionContext& code, Register full) {
  const Register kept_back = code.make_int(), dirty = code.make_int();
  code.env().inline_return = true;
  code.env().return_block = code.add_block();
  Register last_result = ir::kNoRegister;
  for (std::size_t w = 0; w < code.model.whenevers.size() && last_result == ir::kNoRegister; ++w)
    if (relation_to_previous(code.unit, w) != kNone) last_result = code.make_int();
  Int whenevers = 0;
  for (const Int bit : code.unit.watching.whenever_bit) whenevers |= bit;
  code.put(Op::select, kept_back, {full, code.constant(kEndingBits), code.constant(kQueueBit | kEndingBits)});
  const Register waits = code.integer(Op::mask_or, {kept_back, code.constant(whenevers)});
  const BlockIndex head = code.add_block(), work = code.add_block(), quiet = code.add_block();
  code.jump(head);
  code.go_to(head);
  const Register all = dirty_bits(code);
  code.put(Op::mask_without, dirty, {all, kept_back});
  code.branch(dirty, work, quiet);
  code.go_to(work);
  fuel(code);
  put_dirty_bits(code, Op::mask_and, all, waits);
  update_enabled(code, dirty);
  const Register queue_waits = code.integer(
      Op::and_,
      {full,
       code.integer(Op::ne, {code.integer(Op::mask_and, {dirty, code.constant(kQueueBit)}), code.constant(0)}, 1)},
      1);
  run_queue(code, queue_waits);
  check_whenevers(code, last_result);
  code.jump(head);
  code.go_to(quiet);
  const BlockIndex look = code.add_block(), done = code.add_block();
  const Register ends = code.integer(Op::mask_and, {all, code.constant(kEndingBits)});
  code.branch(code.integer(Op::and_, {full, code.integer(Op::ne, {ends, code.constant(0)}, 1)}, 1), look, done);
  code.go_to(look);
  put_dirty_bits(code, Op::mask_without, all, ends);
  check_endings(code, ends);
  code.jump(done);
  code.go_to(done);
  code.effect(Op::ret, {});
  // after a rule executed `end`, conditions that have not been evaluated stay pending
  code.go_to(code.env().return_block);
  const Register left = code.integer(Op::mask_or, {dirty, dirty_bits(code)});
  code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), left});
  code.effect(Op::ret, {});
  code.env().inline_return = false;
}

void lower_settle(ProgramContext& unit) {
  for (std::size_t w = 0; w < unit.model.whenevers.size(); ++w) write_whenever(unit, w);
  Env check;
  write_function(unit, unit.functions.check, check, [&](const FunctionContext& code) {
    const Register looked_at = parameter(code, simple(TypeKind::integer));
    for (std::size_t e = 0; e < code.model.endings.size(); ++e) check_ending(code, e, looked_at);
  });
  Env settle;
  write_function(unit, unit.functions.settle, settle, [&](const FunctionContext& code) {
    const Register full = parameter(code, simple(TypeKind::boolean));
    if (code.model.whenevers.empty() && !has_afterwards(code.unit))
      settle_endings_alone(code, full);
    else
      settle_all(code, full);
  });
  if (!unit.functions.has_settle_player) return;
  Env one;
  write_function(unit, unit.functions.settle_player, one, [&](const FunctionContext& code) {
    const Register player = parameter(code, simple(TypeKind::player));
    for (std::size_t w = 0; w < code.model.whenevers.size(); ++w)
      if (code.model.whenevers[w].head.carrier.kind != CarrierKind::nobody)
        check_whenever(code, w, player, ir::kNoRegister);
  });
}

// `afterwards` blocks run in first-in-first-out order. All of them are known only after the rest of the code has been
// emitted (lower_deferred).
static bool has_afterwards(const ProgramContext& unit) {
  return std::any_of(unit.model.stmts.begin(), unit.model.stmts.end(),
                     [](const model::Stmt& s) { return s.kind == model::StmtKind::afterwards; });
}

static void run_queue(const FunctionContext& code, Register wanted) {
  if (!has_afterwards(code.unit)) return;
  code.unit.functions.queue_runner = new_function(code.unit, "afterwards", ir::Returns::nothing, {}, false);
  BlockIndex yes = code.add_block(), no = code.add_block();
  code.branch(wanted, yes, no);
  code.go_to(yes);
  call(code, code.unit.functions.queue_runner, {});
  check_unwind(code, code.unit.functions.queue_runner);
  code.jump(no);
  code.go_to(no);
}

void lower_deferred(ProgramContext& unit) {
  if (!has_afterwards(unit)) return;
  std::vector<ir::FunctionIndex> functions;
  for (std::size_t i = 0; i < unit.deferred.size(); ++i) {   // lowering a block may add further blocks
    Deferred d = unit.deferred[i];
    functions.push_back(new_function(unit, "afterwards", ir::Returns::nothing, d.stmt->range));
    Env at;
    bind_locals(at, *d.body);
    at.deferred = true;
    write_function(unit, functions.back(), at, [&](const FunctionContext& code) {
      Int ints = 0, sets = 0;
      for (auto& [local, set] : d.captured) {
        Register r = code.make(local_type(code.unit, *d.body, local));
        if (code.type(r).kind == ir::RegisterKind::array) {
          std::vector<Register> parts;
          for (const RegisterType& part : parts_of(code.type(r))) {
            parts.push_back(code.make(part));
            if (part.kind == ir::RegisterKind::set)
              code.put(Op::queue_get_set, parts.back(), {sets++});
            else
              code.put(Op::queue_get, parts.back(), {ints++});
          }
          put_together(code, r, parts);
        } else if (set)
          code.put(Op::queue_get_set, r, {sets++});
        else
          code.put(Op::queue_get, r, {ints++});
        bind(code, local, r);
      }
      block(code, d.stmt->blocks[0]);
    });
  }
  Env runner;
  write_function(unit, unit.functions.queue_runner, runner, [&](const FunctionContext& code) {
    if (functions.empty()) return;
    BlockIndex head = code.add_block(), done = code.add_block(), some = code.add_block();
    code.jump(head);
    code.go_to(head);
    Register which = code.integer(Op::queue_pop, {});
    code.branch(code.integer(Op::eq, {which, code.constant(kNone)}, 1), done, some);
    code.go_to(some);
    fuel(code);
    for (std::size_t i = 0; i < functions.size(); ++i) {
      BlockIndex mine = code.add_block(), next = code.add_block();
      code.branch(code.integer(Op::eq, {which, code.constant(Int(i))}, 1), mine, next);
      code.go_to(mine);
      call(code, functions[i], {});
      check_unwind(code, functions[i]);
      code.jump(head);
      code.go_to(next);
    }
    code.jump(head);
    code.go_to(done);
  });
}

// Returns the index of the reason for the end of the game in Program::endings.
static Int ending_index(ProgramContext& unit, const std::string& text, const std::string& words, Range where) {
  std::vector<EndingInfo>& endings = unit.program.endings;
  const auto known = std::find_if(endings.begin(), endings.end(), [&](const EndingInfo& e) {
    return e.text == text && e.words == words && e.where == where;
  });
  const Int index = known - endings.begin();
  if (known == endings.end()) endings.push_back({text, words, where});
  return index;
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

// Marks the beginning of the scenario as reached, so that no further code is skipped.
static void mark_started(const FunctionContext& code, bool whose_too) {
  code.effect(Op::store, {code.unit.variables.start_event, code.constant(0), code.constant(kNone)});
  if (whose_too) code.effect(Op::store, {code.unit.variables.start_player, code.constant(0), code.constant(kNone)});
}

// Returns the start event of the scenario, or none once the scenario has begun; kNoRegister if no variable has this
// lifetime.
static Register scenario_start(const FunctionContext& code, model::Lifetime lifetime) {
  if (!has_variables(code.unit, lifetime)) return ir::kNoRegister;
  const Register begun = code.make_int();
  code.assign(begun, start(code));
  return begun;
}

// Jumps to `yes` if `start` is one of `events`, which means that the scenario begins there.
static void branch_if_starts(const FunctionContext& code, Register start, const std::set<std::uint32_t>& events,
                             BlockIndex yes, BlockIndex no) {
  for (const std::uint32_t event : events) {
    const BlockIndex other = code.add_block();
    code.branch(code.integer(Op::eq, {start, code.constant(Int(event))}, 1), yes, other);
    code.go_to(other);
  }
  code.jump(no);
}

// Marks the beginning as reached if the scenario begins with this event, which is a turn or round.
static void start_with(const FunctionContext& code, std::uint32_t event, bool whose_too) {
  BlockIndex here = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::eq, {start(code), code.constant(Int(event))}, 1), here, on);
  code.go_to(here);
  mark_started(code, whose_too);
  code.jump(on);
  code.go_to(on);
}

// Resets variables and limits before a turn, round or phase. In the turn, round or phase with which a scenario begins,
// variables keep the values of the scenario.
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
  code.go_to(named);   // the scenario names the first player
  code.assign(player, starting_player(code));
  code.branch(code.integer(Op::eq, {start(code), code.constant(kNone)}, 1), first, given);
  code.go_to(first);
  code.effect(Op::store, {code.unit.variables.start_player, code.constant(0), code.constant(kNone)});
  code.jump(go);
  code.go_to(given);   // the scenario begins inside the turn of that player, regardless of conditions
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
  BlockIndex somebody = code.add_block(), in = code.add_block(), out = code.add_block();
  Register players = code.integer(Op::players_in, {}, 4);
  code.branch(players, somebody, stop);
  code.go_to(somebody);
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
  check_unwind(code, code.unit.functions.event[s.ref]);
  code.put(s.value < 0 ? Op::previous_in : Op::next_in, player, {player});
  code.jump(head);
  code.go_to(stop);
  code.effect(Op::store, {code.unit.variables.active, code.constant(0), code.constant(kNone)});
  touch(code, code.unit.watching.always);
}

// Ends the game for a search that simulates only a few turns. The rules determine the leading player, as at the end of
// play.
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
  // without a start player, the player that the scenario names takes the first turn of the round
  start_with(code, s.ref, starting != nullptr);
  call(code, code.unit.functions.event[s.ref], {});
  check_unwind(code, code.unit.functions.event[s.ref]);
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
  check_unwind(code, code.unit.functions.event[s.ref]);
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
// the enclosing ones are entered regardless of their conditions.
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

// Emits the condition of an `if`. If one of its branches contains the beginning of the scenario, takes that branch.
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

// Enters a loop that contains the beginning of the scenario. A loop over players is entered with the player that the
// scenario names.
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

// Returns the function that plays the game: main, or if a measure is recorded at the end of the game, a function that
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
    check_unwind(code, setup);
    settle(code);
    code.jump(playing);
    code.go_to(playing);
    call(code, play, {});
    Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
    BlockIndex over = code.add_block(), ended = code.add_block();
    code.branch(code.integer(
                    Op::eq, {code.integer(Op::mod_small, {ending, code.constant(kSayer)}), code.constant(kEndGame)}, 1),
                over, ended);
    code.go_to(over);
    code.effect(Op::ret, {});
    code.go_to(ended);
    code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
    code.effect(Op::store, {code.unit.variables.play_over, code.constant(0), code.constant(1)});
    code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), code.constant(kAllDirt)});
    call(code, code.unit.functions.settle, {code.constant(1)});
    check_unwind(code, code.unit.functions.settle);
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

// ---------------------------------------------------------------- after all functions are emitted

namespace {
template <class Visit>
void each_call(const ir::Function& f, Visit visit) {
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.code)
      if (i.op == Op::call || i.op == Op::call_set) visit(static_cast<ir::FunctionIndex>(i.operands[0]));
}
}   // namespace

// Removes the test for `ending` after calls of functions that cannot execute `end`.
void note_ways_out(ProgramContext& unit) {
  auto& functions = unit.program.playout.functions;
  std::vector<bool> ends(functions.size());
  for (ir::FunctionIndex f : unit.functions.enders) ends[f] = true;
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
        if (i.op == Op::load_raw && i.operands[0] == unit.variables.ending && last_call >= 0 && !ends[last_call])
          i = {Op::const_int, i.result, {0}, i.where};
      }
    }
}

// Returns the calls through which rules proceed. They lead from rule to rule of one event and apply each rule at most
// once, so they terminate.
static std::set<std::pair<ir::FunctionIndex, ir::FunctionIndex>> calls_that_proceed(const ProgramContext& unit) {
  std::set<std::pair<ir::FunctionIndex, ir::FunctionIndex>> calls;
  for (std::size_t e = 0; e < unit.replacing.size(); ++e) {
    if (!unit.replacing[e].rematches) continue;
    const auto attempt = unit.functions.attempt.find(e);
    for (const std::size_t h : unit.instead_chain.at(e)) {
      const ir::FunctionIndex rule = unit.functions.handler.at({e, h});
      calls.emplace(rule, unit.functions.chain.at({e, 0}));
      if (attempt != unit.functions.attempt.end()) calls.emplace(rule, attempt->second);
    }
  }
  return calls;
}

// Returns recursion bounds for the functions that apply `instead of` rules. Such a function can be active once for each
// rule that can apply, in each of the nested events.
static std::map<std::size_t, Int> bounds_of_rules(const ProgramContext& unit, const std::vector<bool>& recursive) {
  std::map<std::size_t, Int> bounds;
  for (std::size_t e = 0; e < unit.replacing.size(); ++e) {
    if (!unit.replacing[e].rematches || unit.replacing[e].proceeded < 0) continue;
    const Int declared = unit.model.events[e].depth_limit;
    const Int events = !recursive[unit.functions.event[e]] ? 1 : declared ? declared : kDefaultDepth;
    bounds[unit.functions.chain.at({e, 0})] = events * (most_replacements(unit, e) + 1);
    for (const std::size_t h : unit.instead_chain.at(e))
      if (const ir::FunctionIndex rule = unit.functions.handler.at({e, h}); recursive[rule])
        bounds[rule] = events * (most_replacements(unit, e) + 1);
  }
  return bounds;
}

// Makes every function of a recursive group count its own depth, and trap if the depth exceeds its bound.
void bound_recursion(ProgramContext& unit) {
  auto& functions = unit.program.playout.functions;
  std::size_t n = functions.size();
  std::vector<std::vector<ir::FunctionIndex>> calls(n);
  const auto proceeding = calls_that_proceed(unit);
  for (std::size_t f = 0; f < n; ++f)
    each_call(functions[f], [&](ir::FunctionIndex c) {
      if (!proceeding.contains({static_cast<ir::FunctionIndex>(f), c})) calls[f].push_back(c);
    });
  // Tarjan's algorithm for strongly connected components, with an explicit stack.
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
        if (index[c] < 0)
          work.push_back({c, 0});
        else if (on_stack[c])
          low[f] = std::min(low[f], index[c]);
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
  const std::map<std::size_t, Int> of_rules = bounds_of_rules(unit, recursive);
  for (std::size_t f = 0; f < n; ++f) {
    const auto of_rule = of_rules.find(f);
    if ((!recursive[f] && of_rule == of_rules.end()) || functions[f].blocks.empty()) continue;
    Int bound = of_rule == of_rules.end() ? kDefaultDepth : of_rule->second;
    for (std::size_t e = 0; e < unit.model.events.size(); ++e)
      if ((unit.functions.event[e] == f || unit.functions.event_body[e] == f) && unit.model.events[e].depth_limit)
        bound = unit.model.events[e].depth_limit;
    for (std::size_t i = 0; i < unit.model.functions.size(); ++i)
      if (unit.functions.function[i] == f && unit.model.functions[i].depth_limit)
        bound = unit.model.functions[i].depth_limit;
    for (const auto& [called, index] : unit.functions.asked)
      if (const auto& [is_value, ref, given] = called; index == f && !is_value && unit.model.functions[ref].depth_limit)
        bound = unit.model.functions[ref].depth_limit;
    Int variable = add_scratch(unit, "depth of " + functions[f].name, 0, 0xffff, 0);
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

}   // namespace cardwright::lower
