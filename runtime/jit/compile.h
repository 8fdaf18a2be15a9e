// Compiles one form of a Program to machine code. A playout form is compiled all at once, the stepwise form function by
// function. The code is stored in the disk cache (support/disk_cache.h) under a digest of all inputs.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/Target/TargetMachine.h>

#include "runtime/jit/emit.h"
#include "runtime/jit/jit.h"
#include "runtime/jit/parts.h"
#include "support/disk_cache.h"

namespace cardwright::jit {

using StepFunction = std::int32_t(Game*, Byte*);
using EntryFunction = std::int32_t(Game*, Byte*, const Int* arguments, Int* result);

class CompiledForm {
 public:
  // Returns null and a reason in `error` on failure.
  static std::unique_ptr<CompiledForm> make(const Program& program, Form form, const JitOptions& options,
                                            std::string& error);
  // Like make(), but only loads code from the cache. compile() then compiles code that the cache does not contain.
  static std::unique_ptr<CompiledForm> open(const Program& program, Form form, const JitOptions& options,
                                            std::string& error);
  bool is_ready() const { return ready_; }
  bool compile(std::string& error) { return ready_ || (ready_ = compile_all(error)); }
  CompilerWork work();   // estimated cost of compile()

  // Returns the function of form `finish` that continues from a frame of this function, or 0.
  ir::FunctionIndex finishing(ir::FunctionIndex function) const { return finishing_[function]; }

  // Return the address of a function; the first call for each function may compile it. On failure, they return null and
  // set `error`. Thread-safe.
  StepFunction* step_function(ir::FunctionIndex function, std::string& error);
  EntryFunction* entry(ir::FunctionIndex function, std::string& error);

  // Returns the LLVM IR of a whole form, before or after optimization.
  static std::string print(const Program& program, Form form, bool optimized, std::string& error);

 private:
  friend class FunctionUnit;
  CompiledForm(const Program& program, Form form, const JitOptions& options);
  const ir::Module& code();
  bool start(std::string& error);
  void find_cache();
  bool compile_all(std::string& error);
  bool add_all(const std::vector<std::string>& objects, std::string& error);
  bool add_cached();
  void add_lazily();
  // Compiles one function of the stepwise form to an object file. On failure, returns null and sets `error`.
  std::unique_ptr<llvm::MemoryBuffer> object_of(ir::FunctionIndex function, std::string& error);
  // Emits a module with the functions of the part, and the host entries of those that belong to it.
  std::unique_ptr<llvm::Module> emit(llvm::LLVMContext& context, const Part& part, std::string& error) const;
  // Emits, optimizes and generates machine code. On failure, returns null and sets `error`. Thread-safe if each thread
  // has its own target machine.
  std::unique_ptr<llvm::MemoryBuffer> generate(const Part& part, llvm::TargetMachine& machine,
                                               std::string& error) const;
  bool is_stopped(std::string& error) const;
  void* address(const std::string& symbol, std::string& error);
  bool is_root(ir::FunctionIndex function) const;

  const Program& program_;
  const Form form_;
  const JitOptions options_;
  ir::Module own_;   // code of a playout form; the code of the stepwise form is in the Program
  std::vector<ir::FunctionIndex> shown_as_;   // passed to the Emitter
  bool small_ = false;   // a playout form small enough for passes that are slow on large games
  const ir::Module* code_ = nullptr;   // null until code() is called
  bool ready_ = false;   // true if compile() has nothing left to do
  std::vector<ir::FunctionIndex> finishing_, roots_;
  std::optional<llvm::orc::JITTargetMachineBuilder> host_;
  std::unique_ptr<llvm::TargetMachine> machine_;   // used by one thread, for the stepwise form
  bool has_bmi2_ = false;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::optional<DiskCache> cache_;
  Digest key_{};   // cache key of the whole form
  std::mutex mutex_;
  std::string unit_error_;   // the error of the last lazily compiled function that failed
  std::string session_error_;   // other errors that LLVM reported during a look-up
};

}   // namespace cardwright::jit
