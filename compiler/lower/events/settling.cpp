#include "compiler/lower/events/settling.h"

#include <algorithm>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::TypeKind;

static Register enabled_dirty_bits(const FunctionContext& code);
static bool has_afterwards(const ProgramContext& unit);
static void run_queue(const FunctionContext& code, Register wanted);

// Runs all pending rules. Emitted where no event is in progress. If nothing that a condition reads has been written,
// this costs one test.
void settle(const FunctionContext& code) {
  BlockIndex something = code.add_block(), after = code.add_block();
  code.branch(enabled_dirty_bits(code), something, after);
  code.go_to(something);
  call(code, code.unit.functions.settle, {code.constant(1)});
  check_unwind(code);
  code.jump(after);
  code.go_to(after);
}

void settle_one(const FunctionContext& code, Register player) {
  if (!code.unit.functions.has_settle_player) return;
  Int bits = 0;
  for (std::size_t w = 0; w < code.model.whenevers.size(); ++w)
    if (code.model.whenevers[w].head.carrier.kind != CarrierKind::none) bits |= code.unit.watching.whenever_bit[w];
  BlockIndex something = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_and, {enabled_dirty_bits(code), code.constant(bits)}), something, after);
  code.go_to(something);
  call(code, code.unit.functions.settle_player, {player});
  check_unwind(code);
  code.jump(after);
  code.go_to(after);
}

// Returns the dirty bits on which enabled conditions depend.
static Register enabled_dirty_bits(const FunctionContext& code) {
  const Register dirty = code.integer(Op::load_raw, {code.unit.variables.dirty, code.constant(0)});
  if (code.unit.plain) {   // without optimizations, every settling evaluates every condition
    const Register all = code.integer(Op::mask_or, {dirty, code.constant(kAllConditions)});
    code.effect(Op::store, {code.unit.variables.dirty, code.constant(0), all});
    return all;
  }
  return code.unit.watching.enabled < 0
             ? dirty
             : code.integer(Op::mask_and,
                            {dirty, code.integer(Op::load_raw, {code.unit.watching.enabled, code.constant(0)})});
}

// Recomputes which `whenever` rules of characters are enabled. Called after a player's character has changed.
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

namespace {

bool is_alike(const model::Expr& a, const model::Expr& b) {
  const auto both_alike = [](const model::Expr* x, const model::Expr* y) { return x && y ? is_alike(*x, *y) : x == y; };
  return a.kind == b.kind && a.type.kind == b.type.kind && a.value == b.value && a.ref == b.ref && a.local == b.local &&
         a.values == b.values && std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), both_alike);
}

// Returns the condition without its leading `not`s. Inverts `same` for each `not`.
const model::Expr& without_not(const model::Expr& e, bool& same) {
  if (e.kind != model::ExprKind::logical_not) return e;
  same = !same;
  return without_not(*view::logical_not(e).operand(), same);
}

}   // namespace

// Returns 1 if the condition equals that of the preceding `whenever`, 0 if it is its negation, and none otherwise.
static Int relation_to_previous(const ProgramContext& unit, std::size_t w) {
  const auto has_no_carrier = [&](std::size_t i) {
    return unit.model.whenevers[i].head.carrier.kind == CarrierKind::none && !unit.model.whenevers[i].subject.valid();
  };
  if (unit.plain || w == 0 || !has_no_carrier(w) || !has_no_carrier(w - 1)) return kNone;
  bool same = true;
  const model::Expr &mine = without_not(*unit.model.whenevers[w].head.when, same),
                    &other = without_not(*unit.model.whenevers[w - 1].head.when, same);
  return pure(unit, mine) && is_alike(mine, other) ? Int{same} : kNone;
}

// Evaluates the condition of a `whenever`, or reuses the result of the preceding condition if that was evaluated
// immediately before.
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

// Emits one `whenever` rule, for all its carriers or for those of one player. The body runs once each time the
// condition becomes true.
static void check_whenever(const FunctionContext& outer, std::size_t w, Register player, Register last_result) {
  const model::Whenever& rule = outer.model.whenevers[w];
  Env inner;
  bind_locals(inner, rule.body);
  inner.inline_return = outer.env().inline_return;
  inner.return_block = outer.env().return_block;
  const FunctionContext code = outer.in(inner);
  auto one = [&](Register me, Register self, Register fired_index) {
    if (me != ir::kNoRegister) bind(code, rule.head.me, me);
    if (self != ir::kNoRegister) bind(code, rule.head.self, self);
    BlockIndex yes = code.add_block(), no = code.add_block(), fresh = code.add_block(), after = code.add_block();
    const auto set_result = [&](bool truth) {
      if (last_result != ir::kNoRegister) code.assign_constant(last_result, truth);
    };
    branch_on_whenever(code, w, last_result, yes, no);
    code.go_to(no);
    set_result(false);
    code.effect(Op::store, {code.unit.watching.whenever_fired[w], fired_index, code.constant(0)});
    code.jump(after);
    code.go_to(yes);
    set_result(true);
    code.branch(code.integer(Op::load_raw, {code.unit.watching.whenever_fired[w], fired_index}, 1), after, fresh);
    code.go_to(fresh);
    code.effect(Op::store, {code.unit.watching.whenever_fired[w], fired_index, code.constant(1)});
    // The body may itself settle. That nested settling must not skip the carriers that follow the current one.
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
    check_unwind(code);
    // If the body has made the condition false, the rule must run again even if the condition becomes true before the
    // next settling.
    BlockIndex still = code.add_block(), no_more = code.add_block();
    branch_on(code, *rule.head.when, still, no_more);
    code.go_to(no_more);
    set_result(false);
    code.effect(Op::store, {code.unit.watching.whenever_fired[w], fired_index, code.constant(0)});
    code.jump(after);
    code.go_to(still);
    code.jump(after);
    code.go_to(after);
  };
  if (rule.head.carrier.kind == CarrierKind::card && rule.head.carrier.zone.valid() && player == ir::kNoRegister) {
    // A card that left its zone triggers the rule again when it returns.
    Register away = code.make_set();
    code.assign(away, const_cards(code, cards_of_kinds(code.unit, rule.head.carrier.kinds)));
    const ZoneSlot& zone = code.program.zones[rule.head.carrier.zone.index];
    for (Int i = 0; i < zone.owners * zone.copies; ++i)
      code.put(Op::set_without, away, {away, code.set(Op::zone_cards, {code.constant(zone.first + i)})});
    for_each(code, away, [&](Register card) {
      code.effect(Op::store, {code.unit.watching.whenever_fired[w], card, code.constant(0)});
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
      Register index = self != ir::kNoRegister ? self : me != ir::kNoRegister ? me : code.constant(0);
      if (self != ir::kNoRegister && me != ir::kNoRegister && !rule.head.carrier.zone.valid())
        index = code.integer(Op::add_small,
                             {self, code.integer(Op::mul_small, {me, code.constant(code.program.layout.card_ids)})});
      one(me, self, index);
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
  check_unwind(code);
}

// Emits the code of settling for games in which only endings must be checked.
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
    // Reads the current value, because preceding rules may have changed it.
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

// Settles until nothing is pending. The bit of a pending condition stays set until the condition is evaluated, because
// a preceding rule may open a race, and races settle too.
static void settle_all(const FunctionContext& code, Register full) {
  const Register deferred = code.make_int(), dirty = code.make_int();
  code.env().inline_return = true;
  code.env().return_block = code.add_block();
  Register last_result = ir::kNoRegister;
  for (std::size_t w = 0; w < code.model.whenevers.size() && last_result == ir::kNoRegister; ++w)
    if (relation_to_previous(code.unit, w) != kNone) last_result = code.make_int();
  Int whenevers = 0;
  for (const Int bit : code.unit.watching.whenever_bit) whenevers |= bit;
  code.put(Op::select, deferred, {full, code.constant(kEndingBits), code.constant(kQueueBit | kEndingBits)});
  const Register waits = code.integer(Op::mask_or, {deferred, code.constant(whenevers)});
  const BlockIndex head = code.add_block(), work = code.add_block(), quiet = code.add_block();
  code.jump(head);
  code.go_to(head);
  const Register all = dirty_bits(code);
  code.put(Op::mask_without, dirty, {all, deferred});
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
  // If a rule has executed `end`, conditions that have not been evaluated remain pending.
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
      if (code.model.whenevers[w].head.carrier.kind != CarrierKind::none)
        check_whenever(code, w, player, ir::kNoRegister);
  });
}

// Returns whether the rules contain `afterwards`. These blocks run in first-in-first-out order. lower_deferred() emits
// them last, because other code adds to their list.
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
  check_unwind(code);
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
      check_unwind(code);
      code.jump(head);
      code.go_to(next);
    }
    code.jump(head);
    code.go_to(done);
  });
}

Int ending_index(ProgramContext& unit, const std::string& text, const std::string& words, Range where) {
  std::vector<EndingInfo>& endings = unit.program.endings;
  const auto known = std::find_if(endings.begin(), endings.end(), [&](const EndingInfo& e) {
    return e.text == text && e.words == words && e.where == where;
  });
  const Int index = known - endings.begin();
  if (known == endings.end()) endings.push_back({text, words, where});
  return index;
}

}   // namespace cardwright::lower
