// What is done to IR between lowering and the engines: the passes, and the forms that are made with them.
// In:    a Module as lowered, that ir::verify accepts.
// Out:   the same game, folded; and from it the stepwise form (docs/architecture.md, "Two forms from one IR").
// Order: pipeline.cpp.
// Tests: tests/passes/
#pragma once

#include <string_view>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/passes/pass.h"
#include "runtime/program/layout.h"
#include "runtime/program/program.h"

namespace cardwright::passes {

// ---- passes

// Gives what may be read before it is assigned a first value. Before everything else.
void init_undef(ir::Module& module, const PassContext& context);

// Constants and copies, branches that are known, unreachable blocks, jumps to jumps, dead instructions without effect.
// Effects, draws, traps and fuel keep their order and number. Functions that no root reaches lose their blocks
// (indices stay); without roots all functions stay.
void fold(ir::Module& module, const PassContext& context);

// Functions that no root reaches lose their blocks.
void global_dce(ir::Module& module, const PassContext& context);

// Where no operand can be none, unlimited or out of bounds, what checks becomes what doesn't.
void eliminate_checks(ir::Module& module, const PassContext& context);

// Function::suspends: has a `decide`, or calls a function that suspends.
void mark_suspending(ir::Module& module, const PassContext& context);

// `fuel` where a game might run on: in loops nobody knows to end soon, in recursion, in functions that do a lot; each
// for as many steps as there is to do until the next. Other fuel is dropped, but from a plain Program.
void place_fuel(ir::Module& module, const PassContext& context);

// Small branches in which something is read become choices of one of two values. Whether there were any.
bool if_convert(ir::Module& module, const PassContext& context);

// Loops over sets of many words ask for the next element. Behind place_fuel and eliminate_checks, which know loops by
// what they take away.
void walk_sets(ir::Module& module, const PassContext& context);

// Drops what is noted of zones other than those in which a playout must keep who knows which cards (find_asked_zones).
void drop_unasked_notes(ir::Module& module, const PassContext& context);

// ---- from one form to the next

// One of those that pipeline.cpp runs, or null.
const Pass* pass_named(std::string_view name);

// What lowering gave becomes what all forms are made from.
void run_on_lowered(Program& program);
// … of which only the functions that are called matter, and which is run as it is (driver::make_explaining).
void run_on_explaining(Program& program, std::span<const ir::FunctionIndex> called);

// Bytes that the frames of the deepest path of calls from `main` take. Recursion counts as often as its `enter` allows.
Int frame_bytes(const ir::Module& playout, const Layout& layout, ir::FunctionIndex main);

// The lowered form, in which a function that suspends and is called in one place alone is part of the one that calls
// it: a frame and a step function less on the way to each decision. Windows stay, since the frame below theirs says who
// opened them; so do large functions of large games, which are compiled when a game comes to them. Needs
// mark_suspending.
ir::Module inline_suspending(const Program& program);

// Makes Program::step and Program::frames from the lowered form, as it is or joined. Needs mark_suspending.
void split(const ir::Module& playout, const Layout& layout, Program& out);

// The playout form that is run: `listing` is 0, and unless `traced` knowledge and log are gone; folded; what main
// reaches.
ir::Module as_playout(const Program& program, bool traced);

// What only happens as the game ends becomes functions of their own at the end of the module, where a function is not
// shown in rule stacks. From which function each is.
std::vector<ir::FunctionIndex> outline_cold(ir::Module& module);

// Plays games on that have begun: to each function that suspends, one that takes over where its frame waits, runs to
// its end as a playout does, and drops the frame. Its callers' frames below go on in the same way.
struct Finishing {
  ir::Module code;   // the playout's functions, then those
  std::vector<ir::FunctionIndex> of;   // by function: its finishing one, or 0
  std::vector<ir::FunctionIndex> from;   // of the n-th that was added: the function
};
bool is_finished(const Program& program, std::size_t function);   // has it one?
Finishing osr_entries(const Program& program);
// … without knowledge and log, folded.
Finishing as_finishing(const Program& program);

// The lowered form with notes of decisions and cards that move: see runtime/ops/note.h.
void count_figures(ir::Module& lowered);

// ---- questions

// Marks the zones in which a playout must keep who knows which cards (ZoneInstance::asked).
void find_asked_zones(const ir::Module& playout, Layout& layout, const std::vector<ZoneSlot>& zones);

// Whether a playout has to keep knowledge: a rule asks who knows what, and not only where it is known beforehand.
bool asks_who_knows(const Program& program);

// Instructions of a function, and of all.
std::size_t size_of(const ir::Function& function);
std::size_t size_of(const ir::Module& module);
// As all classics are: what takes long on large games, or pays for little of them, is done.
inline bool is_small(std::size_t size) { return size < 3'000; }
inline bool is_small(const ir::Module& module) { return is_small(size_of(module)); }

// Functions that the host calls: main, settle, payoff, claims, why, what labels work out and boards show.
std::vector<ir::FunctionIndex> roots(const Program& program);

}   // namespace cardwright::passes
