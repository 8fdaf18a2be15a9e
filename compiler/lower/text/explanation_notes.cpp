#include "compiler/lower/text/explanation_notes.h"

#include <algorithm>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

void note(const FunctionContext& code, ExplanationNode node) {
  std::vector<ExplanationNode>& nodes = code.program.explanations.nodes;
  code.effect(Op::explain, {static_cast<Int>(nodes.size())});
  nodes.push_back(std::move(node));
}

void note_value(const FunctionContext& code, ExplanationStep step, model::LocalId local) {
  const model::Local& named = code.env().body->locals[local.index];
  model::Expr& value = code.unit.own_exprs.emplace_back();
  value.kind = model::ExprKind::local;
  value.local = local;
  value.type = named.type;
  pass_values(code.quiet(), {&value});
  note(code, {.step = step, .values = {{named.name, value_format(code.unit, named.type)}}});
}

Int open_notes(const FunctionContext& code) {
  const Int group = ++code.unit.explaining.groups;
  note(code, {.step = ExplanationStep::open, .group = group});
  return group;
}

void close_notes(const FunctionContext& code, Int opened, ExplanationStep how) {
  note(code, {.step = how, .group = opened});
}

bool is_of_page(const ProgramContext& unit, Range range) {
  return std::ranges::find(unit.model.pages, range.source) != unit.model.pages.end();
}

// Notes the rule that modifies the result: the name of the card or character that carries it or, if there is none, its
// source text.
void note_modified(const FunctionContext& code, const model::RuleHead& head) {
  if (!code.unit.explaining.on) return;
  std::string whose;
  for (const model::KindId k : head.carrier.kinds)
    whose += (whose.empty() ? "" : " or ") + code.model.kinds[k.index].label;
  if (whose.empty() && head.carrier.kind == model::CarrierKind::character) whose = head.name;
  note(code, {.step = ExplanationStep::modified,
              .text = whose.empty() ? one_line(reason_text(code.unit, head.range)) : whose});
}

}   // namespace cardwright::lower
