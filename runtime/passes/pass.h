// What a pass is: it takes a module to a better one that plays the same game. pipeline.cpp says which run, and in which
// order. Whoever wants to see what one made, as the verifier does, is told.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/ir/verify.h"
#include "runtime/program/program.h"

namespace cardwright::passes {

// What a pass knows besides the module.
struct PassContext {
  const Program& program;
  // what the host calls, with any arguments; empty: it may call every function
  std::span<const ir::FunctionIndex> roots = {};

  const Layout& layout() const { return program.layout; }
  const std::vector<VariableSlot>& variables() const { return program.variables; }
  const std::vector<ZoneSlot>& zones() const { return program.zones; }
};

struct Pass {
  const char* name;   // as `print --after` takes it
  void (*run)(ir::Module& module, const PassContext& context);
};

// One, or several one after the other.
void run(const Pass& pass, ir::Module& module, const PassContext& context);
void run(std::span<const Pass> passes, ir::Module& module, const PassContext& context);

// `module` has just been made by `pass`. Debug builds verify it, and stop where it is wrong.
void made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step = false);

// While it lives, it is told of every module that is made in this thread. What was there before is told no longer.
class Observer {
 public:
  Observer();
  virtual ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual void made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step) = 0;

 private:
  Observer* outer_;
};

// Lets the verifier look at every module, in release builds too, and keeps what is wrong: "after fold: f3 \"main\", …".
class Verified : public Observer {
 public:
  const std::vector<std::string>& problems() const { return problems_; }
  int modules() const { return modules_; }   // how many were looked at

 private:
  void made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step) override;
  std::vector<std::string> problems_;
  int modules_ = 0;
};

}   // namespace cardwright::passes
