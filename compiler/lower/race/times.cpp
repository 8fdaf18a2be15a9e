#include "compiler/lower/race/times.h"

#include <bit>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void race_store(const FunctionContext& code, Int variable, Register value, Register index) {
  code.effect(Op::store, {variable, index == ir::kNoRegister ? code.constant(0) : index, value});
}

Register larger(const FunctionContext& code, Register a, Register c) { return code.integer(Op::max, {a, c}); }

Register scaled(const FunctionContext& code, Register duration) {
  return code.integer(Op::mul_small,
                      {code.integer(Op::max, {duration, code.constant(0)}), load_raw(code, code.program.race->factor)});
}

Register at_speed(const FunctionContext& code, Register duration, Register player) {
  return code.integer(Op::at_speed, {duration, load_raw(code, code.program.race->speed, player),
                                     load_raw(code, code.program.race->factor)});
}

Register timing(const FunctionContext& code, model::ValueId value, Register player) {
  return call(code, code.unit.functions.value[value.index], {player});
}

Register modulo_players(const FunctionContext& code, Register number) {
  const Int n = code.model.players;
  if (std::has_single_bit(static_cast<Word>(n))) return code.integer(Op::mask_and, {number, code.constant(n - 1)});
  return code.integer(Op::mod_small, {number, code.constant(n)});
}

Register race_key(const FunctionContext& code, Register time, Int kind, Register player) {
  const Register n = code.constant(code.model.players);
  const Register rank = modulo_players(code, code.integer(Op::sub_small, {code.integer(Op::add_small, {player, n}),
                                                                          load_raw(code, code.unit.race.tie)}));
  const Register low = code.integer(Op::add_small, {code.constant(kind * 16), rank});
  return code.integer(Op::add_small, {code.integer(Op::mul_small, {time, code.constant(64)}), low});
}

void set_mode(const FunctionContext& code, Register player, Int mode, std::initializer_list<Int> till_now) {
  const Register mine = code.integer(Op::mask_of, {player}, 4);
  for (const Int mask : till_now)
    if (mask != mode) race_store(code, mask, code.integer(Op::mask_without, {load_raw(code, mask), mine}));
  if (mode >= 0) race_store(code, mode, code.integer(Op::mask_or, {load_raw(code, mode), mine}));
  if (mode < 0) race_store(code, code.program.race->due, code.constant(kNever), player);
}

void drop_intents(const FunctionContext& code) {
  const RaceInfo& r = *code.program.race;
  for (const Int mask : {r.thinking, r.waiting, r.flying, r.held}) race_store(code, mask, code.constant(0));
  code.effect(Op::clear, {r.due});
  code.effect(Op::clear, {r.answers});
}

void close_race(const FunctionContext& code) {
  const RaceInfo& r = *code.program.race;
  const Register time = load_raw(code, r.time),
                 window = code.integer(Op::sub_small, {load_raw(code, r.open), code.constant(1)});
  const Register out = code.integer(Op::add_small, {load_raw(code, r.timed_out, window),
                                                    code.integer(Op::eq, {time, load_raw(code, r.guard_at)}, 1)});
  race_store(code, r.timed_out, out, window);
  race_store(code, r.lengths, code.integer(Op::min, {time, code.constant(kMostLength)}),
             code.integer(Op::mod_small, {load_raw(code, r.races), code.constant(RaceInfo::kLengths)}));
  race_store(code, r.open, code.constant(0));
  race_store(code, r.paused_until, code.constant(kNone));
  race_store(code, r.clock, code.integer(Op::add_small, {load_raw(code, r.clock), load_raw(code, r.time)}));
  race_store(code, r.races, code.integer(Op::add_small, {load_raw(code, r.races), code.constant(1)}));
  for (const Int timer : code.unit.ids.timer) code.effect(Op::clear, {timer});
}

}   // namespace cardwright::lower
