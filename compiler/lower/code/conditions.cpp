#include "compiler/lower/code/conditions.h"

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"

namespace cardwright::lower {

Register truth_of(const FunctionContext& code, const std::function<void(BlockIndex yes, BlockIndex no)>& branch) {
  Register result = code.make(int_type(1));
  BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  branch(yes, no);
  code.go_to(yes);
  code.assign_constant(result, 1);
  code.jump(after);
  code.go_to(no);
  code.assign_constant(result, 0);
  code.jump(after);
  code.go_to(after);
  return result;
}

Register condition_value(const FunctionContext& code, const model::Expr& e) {
  return truth_of(code, [&](BlockIndex yes, BlockIndex no) { branch_on(code, e, yes, no); });
}

}   // namespace cardwright::lower
