// Provides the operations of runtime/ops as LLVM functions, loaded from the embedded bitcode and specialized to their
// literals. For example, `load` of variable 12 becomes one small function with the layout and the slot folded in, which
// is simplified once and then inlined wherever the game loads that variable.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "runtime/ir/ir.h"
#include "runtime/program/program.h"

namespace cardwright::jit {

// Loads a module with all operations, whose bodies are read lazily. Returns null if the bitcode is damaged.
std::unique_ptr<llvm::Module> load_operations(llvm::LLVMContext& context, std::string& error);

// Reads the bodies of called functions, drops all others, makes all functions private and removes their target CPU.
bool keep_called_operations(llvm::Module& module, std::string& error);

// Removes the effect of calls to sinks, for forms without listeners. With `only_log`, knowledge is still tracked.
void silence_sinks(llvm::Module& module, bool only_log);

// Makes the kind of knowledge that this form tracks a constant: only the cards unknown to each player if `unknown_only`
// is set, otherwise all or none.
void fix_tracked_knowledge(llvm::Module& module, bool unknown_only);

// Uses BMI2 instructions to select the n-th set bit of a word, and to extract and deposit bits.
void use_bit_instructions(llvm::Module& module);

class Operations {
 public:
  // If `new_game` is true, the code starts a new game, so state that no rule changes still has its initial value.
  Operations(llvm::Module& module, const Program& program, const ir::Module& code, bool new_game)
      : module_(module), program_(program), code_(code), layout_(program.layout) {
    if (new_game) layout_.has_bottoms = uses_bottoms();
  }

  // Returns the operation with its literals filled in: f(g, s, registers…[, result]), with result and status as in
  // ops.def. Returns null if runtime/ops has no such function.
  llvm::Function* specialized(const ir::Instruction& instruction);
  // Returns `decide` at a site: status f(g, s, player, options, result). In stepwise form it can return kSuspend.
  llvm::Function* decide(bool stepwise, std::int64_t site);
  // Returns key_streams for a new game: void f(g, s, run, game_index).
  llvm::Function* key_streams();
  llvm::Constant* layout();
  llvm::Constant* set(std::int64_t index);
  // Returns the private constant of that name, and creates it if needed.
  llvm::GlobalVariable* constant(const std::string& name, llvm::Constant* value);

 private:
  bool uses_bottoms() const;
  llvm::Constant* variable(std::int64_t index);
  llvm::Constant* zone(std::int64_t index);
  llvm::Constant* table(std::int64_t index);
  llvm::Constant* words(const std::string& name, const void* data, std::size_t count);
  llvm::Function* specialize(const ir::Instruction& instruction, llvm::Function* operation, const std::string& name);
  // Creates an empty always-inline function with g, s and these parameters.
  llvm::Function* inlined(const std::string& name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);
  void forward(llvm::Function* from, llvm::Function* to, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::Module& module_;
  const Program& program_;
  const ir::Module& code_;
  Layout layout_;
};

// Returns the printed name of an operation, such as "load" or "and".
std::string printed_name(ir::Op op);

}   // namespace cardwright::jit
