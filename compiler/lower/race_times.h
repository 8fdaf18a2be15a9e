// Times and modes of a window in real time, shared by race.cpp and race_loop.cpp.
#pragma once

#include <initializer_list>

#include "compiler/lower/race.h"

namespace cardwright::lower {

inline constexpr Int kMostTime = Int{1} << 50;
inline constexpr Int kNever = Int{1} << 58;   // a key later than all others
inline constexpr Int kMostLength = 0xffffffff;   // of a race, in microseconds: 71 minutes

void race_store(const FunctionContext& code, Int variable, Register value, Register index = ir::kNoRegister);
Register larger(const FunctionContext& code, Register a, Register c);
// A duration of the window, multiplied by the game's time factor.
Register scaled(const FunctionContext& code, Register duration);
// The duration of a player's action at the player's speed.
Register at_speed(const FunctionContext& code, Register duration, Register player);
Register timing(const FunctionContext& code, model::ValueId value, Register player);
// Modulo for nonnegative numbers. The optimization passes infer that the result is a player.
Register modulo_players(const FunctionContext& code, Register number);
// The key of a player's next due event; `kind` is its class.
Register race_key(const FunctionContext& code, Register time, Int kind, Register player);
// Moves the player to the mask of that mode (-1: idle), out of the given modes.
void set_mode(const FunctionContext& code, Register player, Int mode, std::initializer_list<Int> till_now);
// Cancels everything that players think about, wait for or are about to do.
void drop_intents(const FunctionContext& code);
void close_race(const FunctionContext& code);

}   // namespace cardwright::lower
