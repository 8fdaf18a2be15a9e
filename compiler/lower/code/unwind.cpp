#include "compiler/lower/code/unwind.h"

#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::TypeKind;

static bool asks_until(const model::Block& statements);

void leave_function(const FunctionContext& code, Register value) {
  for (auto& [variable, old] : code.env().restore) put_scratch(code, variable, old);
  if (!code.env().restore.empty()) touch(code, code.unit.watching.always);
  if (code.env().inline_return) {
    if (code.env().result != ir::kNoRegister && code.type(code.env().result).kind == ir::RegisterKind::array) {
      if (value != ir::kNoRegister)
        code.effect(Op::list_copy, {code.env().result, value});
      else
        code.effect(Op::array_fill, {code.env().result, code.constant(0)});
    } else if (code.env().result != ir::kNoRegister) {
      if (value != ir::kNoRegister)
        code.assign(code.env().result, value);
      else if (code.type(code.env().result).kind == ir::RegisterKind::set)
        code.put(Op::set_empty, code.env().result, {});
      else
        code.assign_constant(code.env().result, kNone);
    }
    code.jump(code.env().return_block);
    return;
  }
  switch (code.function().returns) {
    case ir::Returns::nothing: code.effect(Op::ret, {}); return;
    case ir::Returns::integer:
      code.effect(Op::ret_int, {value != ir::kNoRegister ? value : code.constant(kNone)});
      return;
    case ir::Returns::set:
      code.effect(Op::ret_set, {value != ir::kNoRegister ? value : code.set(Op::set_empty, {})});
      return;
  }
}

void end_of(const FunctionContext& code, Int target, Int running) {
  code.unit.functions.enders.insert(code.index);
  if (running >= 0) {
    BlockIndex some = code.add_block(), none = code.add_block();
    code.branch(code.integer(Op::load_raw, {running, code.constant(0)}), some, none);
    code.go_to(none);
    leave_function(code, ir::kNoRegister);
    code.go_to(some);
  }
  code.effect(Op::store,
              {code.unit.variables.ending, code.constant(0), code.constant(target + kEndedBy * code.env().ended_by)});
  leave_function(code, ir::kNoRegister);
}

// Emits a test after a call: if an `end` is in progress, the code leaves the function. remove_exit_tests() removes this
// test after calls that cannot execute `end`.
void check_unwind(const FunctionContext& code) {
  Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
  BlockIndex out = code.add_block(), on = code.add_block();
  code.branch(ending, out, on);
  code.go_to(out);
  if (code.env().window.valid() &&
      code.unit.ended_windows.count(code.env().window.index)) {   // this window may be the target of the `end`
    BlockIndex mine = code.add_block(), further = code.add_block();
    const Int window = kEndFirst + Int(code.model.events.size()) + Int(code.env().window.index);
    code.branch(code.integer(
                    Op::eq, {code.integer(Op::mod_small, {ending, code.constant(kEndedBy)}), code.constant(window)}, 1),
                mine, further);
    code.go_to(mine);
    code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
    leave_window(code);
    code.go_to(further);
  }
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
}

// Returns from a window. If the window has a result type, the result is none. Otherwise, it is 1 if the condition of
// the window's `until` was reached or, for a window without `until`, if a player acted.
void leave_window(const FunctionContext& code) {
  const model::Window& window = code.model.windows[code.env().window.index];
  for (std::size_t i = 0; i < window.variables.size(); ++i)
    if (auto left = code.unit.variables.window_left.find({code.env().window.index, Int(i)});
        left != code.unit.variables.window_left.end())
      put_scratch(code, left->second, read_local(code, window.variables[i])), touch(code, code.unit.watching.always);
  leave_function(code, window.result.kind != TypeKind::nothing ? code.constant(kNone)
                       : asks_until(window.body.block)         ? code.env().window_reached
                                                               : code.env().window_acted);
}

static bool asks_until(const model::Block& statements) {
  for (const model::Stmt* s : statements) {
    if (s->kind == model::StmtKind::ask && s->exprs.size() > 1 && view::ask(s).until()) return true;
    for (const model::Block& inner : s->blocks)
      if (asks_until(inner)) return true;
  }
  return false;
}

}   // namespace cardwright::lower
