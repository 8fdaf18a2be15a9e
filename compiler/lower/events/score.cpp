// Lowers the score of a player, which statistics report beside the wins. Rules never call this function.
#include "compiler/lower/events/score.h"

#include <algorithm>
#include <string>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/text/log.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "runtime/program/words.h"

namespace cardwright::lower {

using model::TypeKind;

namespace {

struct ScoreKey {
  const model::Body* body = nullptr;
  const model::Expr* best = nullptr;   // `players with most X`
};

// Returns true if the key depends only on the player, and not on other locals of the ending.
bool depends_only_on_player(const model::Expr& best) {
  const model::Expr* const key = view::best(best).keys()[0];
  std::vector<model::LocalId> bound{best.local};
  bool alone = true;
  model::for_each_expr(key, [&](const model::Expr& e) {
    if (e.kind == model::ExprKind::local)
      alone = alone && std::find(bound.begin(), bound.end(), e.local) != bound.end();
    else if (e.local.index != model::LocalId{}.index)
      bound.push_back(e.local);
  });
  return alone;
}

bool is_score(const model::Expr& e) {
  if (e.kind != model::ExprKind::best || view::best(e).keys().empty()) return false;
  const model::Type& domain = view::best(e).domain()->type;
  const model::Type& key = view::best(e).keys()[0]->type;
  return domain.elem && domain.elem->kind == TypeKind::player && key.kind == TypeKind::integer && !key.optional &&
         depends_only_on_player(e);
}

ScoreKey score_key(const model::Model& model) {
  ScoreKey out;
  const auto search = [&](const model::Body& body, const model::Block& block) {
    model::for_each_stmt(block, [&](const model::Stmt& s) {
      if (out.best || s.kind != model::StmtKind::winners) return;
      if (const model::Expr* who = view::winners(s).who(); is_score(*who)) out = {&body, who};
    });
  };
  for (const model::EndWhen& ending : model.endings) search(ending.body, ending.body.block);
  model::for_each_rule_block(model, search);   // other rules that end the game
  return out;
}

// Returns the name of a key: "score" for `score(it)` and `it.score`.
std::string name_of(std::string text) {
  if (text.starts_with("it.")) text = text.substr(3);
  if (text.ends_with("(it)")) text.resize(text.size() - 4);
  return text;
}

}   // namespace

void lower_score(ProgramContext& unit) {
  if (unit.program.payoff >= 0) {
    unit.program.score = unit.program.payoff;
    unit.program.score_name = "payoff";
    return;
  }
  const ScoreKey found = score_key(unit.model);
  if (!found.best) return;
  const model::Expr& key = *view::best(*found.best).keys()[0];
  const ir::FunctionIndex f = new_function(unit, "score", ir::Returns::integer, key.range, false);
  Env at;
  bind_locals(at, *found.body);
  write_function(unit, f, at, [&](const FunctionContext& code) {
    bind(code, found.best->local, parameter(code, found.body->locals[found.best->local.index].type));
    code.effect(Op::ret_int, {expr(code, key)});
  });
  unit.program.score = Int(f);
  unit.program.score_name = name_of(one_line(reason_text(unit, key.range)));
  unit.program.score_least = (found.best->value & 1) != 0;
}

}   // namespace cardwright::lower
