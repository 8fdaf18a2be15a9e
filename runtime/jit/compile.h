// Compiles one form of a Program to machine code: a playout form at once, the stepwise form function by function. What
// was compiled once lies in the disk cache (support/disk_cache.h), by the bytes of all that it was made of.
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
  // Null, with a reason, if it can't be compiled.
  static std::unique_ptr<CompiledForm> make(const Program& program, Form form, const JitOptions& options,
                                            std::string& error);
  // The same, but what is not in the cache waits for compile().
  static std::unique_ptr<CompiledForm> open(const Program& program, Form form, const JitOptions& options,
                                            std::string& error);
  bool is_ready() const { return ready_; }
  bool compile(std::string& error) { return ready_ || (ready_ = compile_all(error)); }
  CompilerWork work();   // of compile()

  // The function of form `finish` that takes over from frames of this one, or 0.
  ir::FunctionIndex finishing(ir::FunctionIndex function) const { return finishing_[function]; }

  // Addresses; the first call of each may compile. Null, with a reason, if that fails. From any thread.
  StepFunction* step_function(ir::FunctionIndex function, std::string& error);
  EntryFunction* entry(ir::FunctionIndex function, std::string& error);

  // The LLVM text of a whole form, as emitted or as optimised.
  static std::string print(const Program& program, Form form, bool optimised, std::string& error);
  // Whether it is small enough; if not, a reason.
  static bool can_compile(const Program& program, Form form, const JitOptions& options, std::string& error);

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
  // Machine code of one function of the stepwise form. Null, with a reason, on failure.
  std::unique_ptr<llvm::MemoryBuffer> object_of(ir::FunctionIndex function, std::string& error);
  // A module with these functions, and with the host's entries of those that are at home in it, as emitted.
  std::unique_ptr<llvm::Module> emit(llvm::LLVMContext& context, const Part& part, std::string& error) const;
  // Emits, optimises, generates. Null, with a reason, on failure. From any thread, each with a machine of its own.
  std::unique_ptr<llvm::MemoryBuffer> generate(const Part& part, llvm::TargetMachine& machine,
                                               std::string& error) const;
  bool is_stopped(std::string& error) const;
  void* address(const std::string& symbol, std::string& error);
  bool is_root(ir::FunctionIndex function) const;

  const Program& program_;
  const Form form_;
  const JitOptions options_;
  ir::Module own_;   // a playout form's code; the step form's is the Program's
  std::vector<ir::FunctionIndex> shown_as_;   // see Emitter
  bool small_ = false;   // a playout form: what takes LLVM long on large games is worth its while
  const ir::Module* code_ = nullptr;   // null until code() was asked for
  bool ready_ = false;   // nothing is left for compile()
  std::vector<ir::FunctionIndex> finishing_, roots_;
  std::optional<llvm::orc::JITTargetMachineBuilder> host_;
  std::unique_ptr<llvm::TargetMachine> machine_;   // for one thread: that of the stepwise form
  bool has_bmi2_ = false;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::optional<DiskCache> cache_;
  Digest key_{};   // of the whole form
  std::mutex mutex_;
  std::string unit_error_;   // why the last lazy function failed
  std::string session_error_;   // what LLVM reported besides, during a look-up
};

}   // namespace cardwright::jit
