// Defines passes: a pass transforms a module into one that is faster or simpler but has the same behavior. pipeline.cpp
// defines which passes run and in which order. Observers, such as the verifier, are notified of every result.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/ir/verify.h"
#include "runtime/program/program.h"

namespace cardwright::passes {

// Information for a pass besides the module.
struct PassContext {
  const Program& program;
  // Functions that the host calls with any arguments. If empty, the host may call every function.
  std::span<const ir::FunctionIndex> roots = {};

  const Layout& layout() const { return program.layout; }
  const std::vector<VariableSlot>& variables() const { return program.variables; }
  const std::vector<ZoneSlot>& zones() const { return program.zones; }
};

struct Pass {
  const char* name;   // the name used in `print --after`
  void (*run)(ir::Module& module, const PassContext& context);
};

// Runs one pass, or several in order.
void run(const Pass& pass, ir::Module& module, const PassContext& context);
void run(std::span<const Pass> passes, ir::Module& module, const PassContext& context);

// Notifies this thread's Observer that `pass` has produced `module`. Without an Observer, debug builds verify the
// module and abort on errors.
void made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step = false);

// While an Observer exists, it is notified of every module produced in this thread. It replaces the previous observer.
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

// Verifies every module, in release builds too, and collects the errors, such as "after fold: f3 \"main\", …".
class Verified : public Observer {
 public:
  const std::vector<std::string>& problems() const { return problems_; }
  int modules() const { return modules_; }   // number of modules verified

 private:
  void made(std::string_view pass, const ir::Module& module, const ir::Bounds& bounds, bool step) override;
  std::vector<std::string> problems_;
  int modules_ = 0;
};

}   // namespace cardwright::passes
