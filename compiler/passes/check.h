// Lets the verifier look at what lowering and each pass made.
// In debug builds always: what is wrong is shown, and the program stops. In release builds while somebody listens, as tests do.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/verify.h"

namespace cardwright::passes {

// While it lives, every module that is made in this thread is verified, and what is wrong is kept: "after fold: f3 \"main\", …".
class Verified {
 public:
  Verified();
  ~Verified();
  Verified(const Verified&) = delete;
  Verified& operator=(const Verified&) = delete;
  const std::vector<std::string>& problems() const { return problems_; }
  int modules() const { return modules_; }                 // how many were looked at

 private:
  friend void check_pass(const char* pass, const ir::Module& module, const ir::Bounds& bounds, bool step);
  Verified* outer_;
  std::vector<std::string> problems_;
  int modules_ = 0;
};

// `module` has just been made by `pass`.
void check_pass(const char* pass, const ir::Module& module, const ir::Bounds& bounds, bool step = false);

}  // namespace cardwright::passes
