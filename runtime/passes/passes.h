// Declares the transformations of IR between lowering and the engines: the passes, and functions that create each form
// with them. The input is a Module as lowered, accepted by ir::verify. The output is the same game, folded, and its
// stepwise form (docs/architecture.md, "Two forms from one IR"). pipeline.cpp defines the order, and tests/passes/
// contains the tests.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/passes/pass.h"
#include "runtime/program/layout.h"
#include "runtime/program/program.h"

namespace cardwright::passes {

// ---- passes

// Initializes registers that may be read before they are assigned. Runs first.
void init_undef(ir::Module& module, const PassContext& context);

// Folds constants, copies and known branches, and removes unreachable blocks, jumps to jumps, and dead instructions.
// Effects, draws, traps and fuel keep their order and number. Functions that no root reaches lose their blocks, but
// stay in the module so that indices do not change. If there are no roots, all functions keep their blocks.
void fold(ir::Module& module, const PassContext& context);

// Removes the blocks of functions that no root reaches.
void global_dce(ir::Module& module, const PassContext& context);

// Replaces checked operations by unchecked ones if no operand can be none, unlimited or out of range.
void eliminate_checks(ir::Module& module, const PassContext& context);

// Sets Function::suspends: the function has a `decide`, or calls a function that suspends.
void mark_suspending(ir::Module& module, const PassContext& context);

// Places `fuel` where a game might not terminate soon: in loops without a known bound, in recursion, and in large
// functions. Each `fuel` covers the steps until the next one. Other `fuel` is removed, unless Program::plain is set.
void place_fuel(ir::Module& module, const PassContext& context);

// Converts small branches whose code only computes and reads into selects. Returns true if it converted any.
bool if_convert(ir::Module& module, const PassContext& context);

// Converts loops that remove elements from large sets into loops that step to the next element. Runs after place_fuel
// and eliminate_checks, which recognize loops by the removal.
void walk_sets(ir::Module& module, const PassContext& context);

// Merges functions, and cases of a switch, that differ only in constants, which they then read from tables. If there
// are no roots, all functions may be merged. Traps in merged functions report the place and name of one of them.
void merge_similar(ir::Module& module, const PassContext& context);

// Removes knowledge notes of zones for which a playout need not track knowledge (find_asked_zones).
void drop_unasked_notes(ir::Module& module, const PassContext& context);

// ---- conversion between forms

// Returns the pass with this name in pipeline.cpp, or null.
const Pass* pass_named(std::string_view name);

// Runs the passes on the lowered IR from which the playout form and the stepwise form are created.
void run_on_lowered(Program& program);
// Like run_on_lowered(), but for a program whose stepwise form is the lowered form, and which needs only the functions
// in `called` (driver::make_explaining).
void run_on_explaining(Program& program, std::span<const ir::FunctionIndex> called);

// Returns the number of bytes that the frames on the deepest call path from `main` need. The frame of a recursive
// function counts as many times as its `enter` allows.
Int frame_bytes(const ir::Module& playout, const Layout& layout, ir::FunctionIndex main);
// Places the frames and the knowledge behind the regions that lowering laid out, and creates the initial State.
// `joined` is the result of inline_suspending(); Program::knowledge_in_playout must be set.
void finish_state(Program& program, const ir::Module& joined);

// Returns the lowered form with suspending functions inlined at their single call site, which saves a frame and a step
// function on the way to each decision. Windows are not inlined, because the frame below a window identifies its
// opener; neither are large functions of large games, which are compiled only when a game reaches them. Requires
// mark_suspending.
ir::Module inline_suspending(const Program& program);

// Creates Program::step and Program::frames from the lowered form, with or without inlining. Requires mark_suspending.
void split(const ir::Module& playout, const Layout& layout, Program& out);

// Returns the playout form to run: `listing` is 0, knowledge and log are removed unless `traced` is set, constants are
// folded, and only functions reachable from main remain.
ir::Module as_playout(const Program& program, bool traced);

// Returns the playout form that the JIT compiles, without trace and log. In very large games, similar functions are
// merged; merges_similar() returns whether the Program is such a game.
ir::Module as_compiled_playout(const Program& program);
bool merges_similar(const Program& program);

// Moves code that runs only when the game ends out of functions that are not shown in rule stacks. The new functions
// are appended to the module. Returns the original function of each new function.
std::vector<ir::FunctionIndex> outline_cold(ir::Module& module);

// A module with finishing functions, which play a game from the middle to its end. Each suspending function has one,
// which resumes at a frame, runs to the end of the function as a playout does, and pops the frame. The frames of the
// callers continue in the same way.
struct Finishing {
  ir::Module code;   // the playout's functions, then the finishing ones
  std::vector<ir::FunctionIndex> of;   // by function: its finishing function, or 0
  std::vector<ir::FunctionIndex> from;   // by finishing function: the original function
};
bool is_finished(const Program& program, std::size_t function);   // true if the function has a finishing function
Finishing osr_entries(const Program& program);
// Returns the finishing form without knowledge and log, after constant folding.
Finishing as_finishing(const Program& program);

// Inserts instructions into `lowered` that record decisions and moved cards as notes.
void count_figures(ir::Module& lowered);

// ---- queries

// Marks the zones for which a playout must track knowledge (ZoneInstance::asked).
void find_asked_zones(const ir::Module& playout, Layout& layout, const std::vector<ZoneSlot>& zones);

// Returns true if a playout has to track knowledge, because a rule queries it and the result is not known at compile
// time.
bool queries_knowledge(const Program& program);

// Return the number of instructions of a function or module.
std::size_t size_of(const ir::Function& function);
std::size_t size_of(const ir::Module& module);
// Returns true if the code is small enough for passes that are slow on large games or rarely pay off there. All classic
// games are small.
inline bool is_small(std::size_t size) { return size < 3'000; }
inline bool is_small(const ir::Module& module) { return is_small(size_of(module)); }

// Returns the functions that the host calls: main, settle, payoff, score, claims, and the functions of labels, boards,
// pieces, shown texts and reaction times.
std::vector<ir::FunctionIndex> roots(const Program& program);

}   // namespace cardwright::passes
