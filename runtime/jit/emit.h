// Emits one LLVM function for each function of a game: i32 f(Game*, State*[, Held*], parameters…[, result*]), with sets
// passed by address. The returned status is 0, or 1 after a trap; in stepwise form it is the operand of `to_host`.
//
// Single variables can be *held* during a playout: they are stored in separate memory at the same offsets as in the
// State, which LLVM promotes to registers after inlining. In the State, they could alias every write to a zone whose
// owner is not constant. Held variables are copied from the State at the start and back at the end.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "runtime/ir/ir.h"
#include "runtime/ir/shape.h"
#include "runtime/jit/operations.h"
#include "runtime/jit/place.h"
#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright::jit {

// The form of the code. `game` is a playout that also creates its State.
enum class Form : std::uint8_t { playout, traced, step, finish, game };
inline bool is_playout(Form form) { return form == Form::playout || form == Form::game; }

class Emitter {
 public:
  // If `holds` is true, single variables may be held.
  Emitter(llvm::Module& module, const Program& program, const ir::Module& code, Form form, bool holds)
      : module(module), program(program), code(code), form(form), operations(module, program, code, is_playout(form)) {
    all_stay_ = is_playout(form) && !ir::may_eliminate(code);
    if (holds && is_playout(form)) find_held();
  }

  // Declares the function; its body may be in another module.
  llvm::Function* declare(ir::FunctionIndex function);
  // Emits the body. Returns false and sets `error` if the function contains an operation that is not defined.
  bool define(ir::FunctionIndex function, std::string& error);
  // Emits the entry that the host calls: i32 f(Game*, State*, const Int* arguments, Int* result). Sets are passed
  // inline among the arguments.
  llvm::Function* define_entry(ir::FunctionIndex function);
  static std::string name_of(ir::FunctionIndex function) { return "f" + std::to_string(function); }
  static std::string entry_name(ir::FunctionIndex function) { return "entry" + std::to_string(function); }

  llvm::Module& module;
  const Program& program;
  const ir::Module& code;
  const Form form;
  // For each function that is not in the Program: the function that its traps name.
  std::vector<ir::FunctionIndex> shown_as;
  Operations operations;
  bool all_stay() const { return all_stay_; }   // true for a playout in which no player is eliminated
  bool holds() const { return !held_.empty(); }
  bool is_held(std::int64_t variable) const { return holds() && held_[static_cast<std::size_t>(variable)] != 0; }
  llvm::Type* held_type();
  std::vector<char> held_in(ir::FunctionIndex function) const;   // held variables that the function and its callees use
  // Copies held variables; `from` or `to` can be the State.
  void copy_held(llvm::IRBuilder<>& builder, const std::vector<char>& which, llvm::Value* from, llvm::Value* to);

 private:
  void find_held();
  llvm::Value* take_held(llvm::IRBuilder<>& builder, llvm::Value* state);
  llvm::GlobalVariable* initial_state();
  void make_state(llvm::IRBuilder<>& builder, llvm::Function* entry);
  void state_invariants(llvm::Function* function) const;

  bool all_stay_ = false;
  std::vector<char> held_;   // by variable; empty if none is held
};

}   // namespace cardwright::jit
