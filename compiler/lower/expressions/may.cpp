#include "compiler/lower/expressions/may.h"

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/text/option_ids.h"

namespace cardwright::lower {

Register may(const FunctionContext& code, const model::Expr& e) {
  const view::may its(e);
  Register player = code.make(int_type(1));
  code.assign(player, e.args.empty() || !its.decider() ? code.constant(kNone) : expr(code, *its.decider()));
  Register result = code.make(int_type(1));
  code.assign_constant(result, 0);
  BlockIndex in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", its.question(), code.env().flow, e.range);
  code.program.sites[site].actions.push_back(code.unit.ids.yes_no);
  Int base = code.program.actions[code.unit.ids.yes_no].base;
  list_options(
      code,
      [&] {
        list_option(code, code.constant(base));
        list_option(code, code.constant(base + 1));
      },
      text_logger(code, {its.question()}));
  Register k = code.integer(Op::decide, {player, code.constant(2), site});
  code.effect(Op::chosen, {code.integer(Op::add_small, {k, code.constant(base)})});
  code.put(Op::eq, result, {k, code.constant(0)});
  code.jump(after);
  code.go_to(after);
  return result;
}

}   // namespace cardwright::lower
