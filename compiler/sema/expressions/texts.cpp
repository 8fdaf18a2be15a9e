// Builds strings that are shown to players and can contain expressions in braces.
#include "compiler/sema/expressions/texts.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/texts.h"
#include "support/filled.h"

namespace cardwright::sema {

const Expr* text_part(RuleContext& rule, Range at) {
  const loading::TextPart& part = rule.sema.ruleset.text_parts.at({at.source, at.begin});
  for (const Diagnostic& d : part.errors)
    rule.sema.diagnostics.report(d.code, d.range, d.message, d.help).notes = d.notes;
  if (!part.tree) {
    ++rule.sema.errors;
    return nullptr;
  }
  const Expr* e = expr(rule, part.tree);
  const auto shown = [](const Expr* x) {
    return x->type.kind != TypeKind::list && x->type.kind != TypeKind::map && x->type.kind != TypeKind::nothing;
  };
  const std::vector<const Expr*> fields = fields_of(e);
  if (shown(e) && std::all_of(fields.begin(), fields.end(), shown)) return e;
  error(rule.sema, "wrong_type"_code, at, "a string can't contain the value of a list or a table",
        "insert single values, for example `{size(l)}`");
  return nullptr;
}

// Returns the placeholder for an expression: `{}` or, for a record, one placeholder for each field, as in `gold {},
// silver {}`. Adds the expressions to `parts`.
std::string shown_part(const SemaContext& sema, const Expr* e, std::vector<const Expr*>& parts) {
  if (e->kind != ExprKind::record) {
    parts.push_back(e);
    return "{}";
  }
  std::string text;
  const model::view::Parts fields = model::view::record(e).fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string field = shown_part(sema, fields[i], parts);
    text += fmt::format("{}{} {}", i ? ", " : "", sema.model.records[e->type.ref].fields[i].name,
                        fields[i]->kind == ExprKind::record ? "(" + field + ")" : field);
  }
  return text;
}

const Expr* filled_text(RuleContext& rule, const Node* text) {
  std::vector<const Expr*> parts;
  std::string shown = filled_in(rule.sema, text, [&](Range at, std::string_view) {
    const Expr* e = text_part(rule, at);
    return e ? shown_part(rule.sema, e, parts) : std::string();
  });
  const ExprKind kind = parts.empty() ? ExprKind::constant : ExprKind::text;
  if (parts.empty()) shown = text->text;
  Expr* e = make(rule.sema, kind, plain_type(TypeKind::text), text->range, std::move(parts));
  e->text = std::move(shown);
  return e;
}

// Builds the string of a question. It can be shown any number of times, so its expressions must not have effects.
const Expr* question_text(RuleContext& rule, const Node* text) {
  if (!text) return nullptr;
  Pure pure(rule);
  return filled_text(rule, text);
}

}   // namespace cardwright::sema
