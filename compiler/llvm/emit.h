// Emits LLVM IR for a game's functions, one each: i32 f(Game*, State*, parameters…[, result*]), sets by address.
// The status is 0, 1 after a trap, or in stepwise form what `to_host` says.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/ir/ir.h"
#include "compiler/llvm/operations.h"
#include "compiler/llvm/place.h"
#include "runtime/game.h"
#include "runtime/program.h"

namespace cardwright::jit {

enum class Form : std::uint8_t { playout, traced, step, finish };

class Emitter {
 public:
  Emitter(llvm::Module& module, const Program& program, const ir::Module& code, Form form)
      : module(module), program(program), code(code), form(form), operations(module, program, code) {}

  // The function's declaration; the body may be in another module.
  llvm::Function* declare(ir::FunctionIndex function);
  // Its body. False, with a reason, if it has an operation that is nowhere defined.
  bool define(ir::FunctionIndex function, std::string& error);
  // What the host calls: i32 f(Game*, State*, const Int* arguments, Int* result). Sets lie flat among the arguments.
  llvm::Function* define_entry(ir::FunctionIndex function);
  static std::string name_of(ir::FunctionIndex function) { return "f" + std::to_string(function); }
  static std::string entry_name(ir::FunctionIndex function) { return "entry" + std::to_string(function); }

  llvm::Module& module;
  const Program& program;
  const ir::Module& code;
  const Form form;
  std::vector<ir::FunctionIndex> shown_as;   // of functions beyond the Program's: which one a trap in them names
  Operations operations;
};

}  // namespace cardwright::jit
