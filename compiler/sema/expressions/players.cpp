// Resolves the deciding player of a statement and the player with whom a loop starts.
#include "compiler/sema/expressions/players.h"

#include <string_view>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Returns the deciding player. If the rule does not name one, it is `me` or, if that is not available, `active`.
const Expr* decider(RuleContext& rule, const Node* node, Range range) {
  if (node) {
    const Expr* p = expr(rule, node);
    if (is_poison(p)) return p;
    if (p->type.kind != TypeKind::player) {
      error(rule.sema, "wrong_type"_code, node->range,
            fmt::format("expected a player, found `{}`", show(rule.sema, p->type)));
      return poison(rule.sema, range);
    }
    return p;
  }
  if (rule.me.valid()) return local(rule, rule.me, range);
  if (rule.sema.flow.has_turns && !rule.before_game)
    return make(rule.sema, ExprKind::active_player, player_type(), range);
  error(rule.sema, "no_subject_in_scope"_code, range, "no deciding player in scope",
        "write the player first: `p chooses …`, `p may …`");
  return poison(rule.sema, range);
}

// Returns the first player of a loop over players. For `others`, it is the player to the left of `me`; for `everyone`,
// it is seat a. Otherwise, it is `me`, `active` or seat a, whichever is the first one available.
const Expr* start_of(RuleContext& rule, const Node* domain, Range range) {
  while (domain && (domain->kind == NodeKind::where_expr || domain->kind == NodeKind::best_expr))
    domain = view::among(domain).set();
  if (domain && domain->kind == NodeKind::clockwise_expr)
    return player(rule, view::clockwise_expr(domain).from(), true);
  const std::string_view name = domain && domain->kind == NodeKind::name_ref ? domain->text : std::string_view{};
  if (name == "others" && rule.me.valid())
    return make(rule.sema, ExprKind::next_player, player_type(), range, {local(rule, rule.me, range)});
  if (name == "everyone") return constant(rule.sema, player_type(), 0, range);
  if (rule.me.valid()) return local(rule, rule.me, range);
  if (rule.sema.flow.has_turns && !rule.before_game) {
    const Expr* active = make(rule.sema, ExprKind::active_player, player_type(true), range);
    return rule.in_turn ? active
                        : make(rule.sema, ExprKind::or_else, player_type(), range,
                               {active, constant(rule.sema, player_type(), 0, range)});
  }
  return constant(rule.sema, player_type(), 0, range);
}

}   // namespace cardwright::sema
