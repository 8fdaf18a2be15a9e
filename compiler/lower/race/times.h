// Helpers for the times and player modes of a window in real time, shared by race.cpp and loop.cpp.
#pragma once

#include <initializer_list>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

inline constexpr Int kMostTime = Int{1} << 50;
inline constexpr Int kNever = Int{1} << 58;   // a key later than all others
inline constexpr Int kMostLength = 0xffffffff;   // maximum length of a race in microseconds: 71 minutes

void race_store(const FunctionContext& code, Int variable, Register value, Register index = ir::kNoRegister);
Register larger(const FunctionContext& code, Register a, Register c);
// Returns a duration of the window, multiplied by the game's time factor.
Register scaled(const FunctionContext& code, Register duration);
// Returns the duration of a player's action at the player's speed.
Register at_speed(const FunctionContext& code, Register duration, Register player);
Register timing(const FunctionContext& code, model::ValueId value, Register player);
// Returns the number modulo the number of players. The number must not be negative. From this form, the optimization
// passes infer that the result is a player.
Register modulo_players(const FunctionContext& code, Register number);
// Returns the key of a player's event that is due at `time`; `kind` is the class of the event.
Register race_key(const FunctionContext& code, Register time, Int kind, Register player);
// Removes the player from the masks of the modes `till_now` and adds them to the mask of `mode` (-1 for idle, which has
// no mask).
void set_mode(const FunctionContext& code, Register player, Int mode, std::initializer_list<Int> till_now);
// Cancels all decisions, waits and planned actions of players.
void drop_intents(const FunctionContext& code);
void close_race(const FunctionContext& code);

}   // namespace cardwright::lower
