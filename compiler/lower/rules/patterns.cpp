#include "compiler/lower/rules/patterns.h"

#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/knowledge.h"

namespace cardwright::lower {

void guard(const FunctionContext& code, const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
           const std::vector<Register>& arguments, BlockIndex no) {
  for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i)
    if (patterns[i].kind == model::Pattern::Kind::binds) bind(code, patterns[i].local, arguments[i]);
  for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i) {
    if (patterns[i].kind != model::Pattern::Kind::equals) continue;
    BlockIndex same = code.add_block();
    Register wanted = expr(code, *patterns[i].value);
    if (asking(code) && holds_cards(patterns[i].value->type)) {
      need_seen(code, wanted, fact(code, *patterns[i].value));
      need_seen(code, arguments[i], {});
    }
    Register equal = code.type(wanted).kind == ir::RegisterKind::set
                         ? code.integer(Op::set_equal, {wanted, arguments[i]}, 1)
                         : code.integer(Op::eq, {wanted, arguments[i]}, 1);
    code.branch(equal, same, no);
    code.go_to(same);
  }
  if (head.when) {
    BlockIndex holds = code.add_block();
    branch_on(code, *head.when, holds, no);
    code.go_to(holds);
  }
}

}   // namespace cardwright::lower
