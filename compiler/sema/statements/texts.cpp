// Builds `log` statements.
#include "compiler/sema/statements/texts.h"

#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/texts.h"
#include "support/filled.h"

namespace cardwright::sema {

void log_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`log`")) return;
  const Node* text = view::log_stmt(node).words();
  if (!text) return;
  std::vector<const Expr*> parts;
  const std::string shown = filled_in(rule.sema, text, [&](Range at, std::string_view) {
    const Expr* e = text_part(rule, at);
    return e ? shown_part(rule.sema, e, parts) : std::string();
  });
  emit(rule.sema, out, StmtKind::log, node->range, std::move(parts))->text = shown;
}

}   // namespace cardwright::sema
