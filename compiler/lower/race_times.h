// Times and modes of a window in real time: race.cpp and race_loop.cpp share them.
#pragma once

#include <initializer_list>

#include "compiler/lower/race.h"

namespace cardwright::lower {

inline constexpr Int kMostTime = Int{1} << 50;
inline constexpr Int kNever = Int{1} << 58;   // a key
inline constexpr Int kMostLength = 0xffffffff;   // of a race: 71 minutes

void race_store(const FunctionContext& code, Int variable, Register value, Register index = ir::kNoRegister);
Register larger(const FunctionContext& code, Register a, Register c);
// A time of the window as the game's time factor has it.
Register scaled(const FunctionContext& code, Register duration);
// What people do, at their speed.
Register at_speed(const FunctionContext& code, Register duration, Register player);
Register timing(const FunctionContext& code, model::ValueId value, Register player);
// Of what is not less than 0. The passes see that it is one of the players.
Register modulo_players(const FunctionContext& code, Register number);
// When something of a player is due: its class is `kind`.
Register race_key(const FunctionContext& code, Register time, Int kind, Register player);
// The mask of that mode, or -1: idle; and those in which they may have been till now.
void set_mode(const FunctionContext& code, Register player, Int mode, std::initializer_list<Int> till_now);
// Nobody thinks, waits or has a hand in flight any more.
void drop_intents(const FunctionContext& code);
void close_race(const FunctionContext& code);

}   // namespace cardwright::lower
