#include "compiler/lower/text/explanation_notes.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '{' ? "{{" : std::string(1, c);
  return out;
}

void note(const FunctionContext& code, std::string_view text) {
  code.effect(Op::log_text, {text_index(code.unit, escaped(text))});
}

Int open_notes(const FunctionContext& code) {
  note(code, fmt::format("open {}", ++code.unit.explaining.notes));
  return code.unit.explaining.notes;
}

void close_notes(const FunctionContext& code, Int opened, std::string_view how) {
  note(code, fmt::format("{} {}", how, opened));
}

bool is_of_page(const ProgramContext& unit, Range range) {
  return std::ranges::find(unit.model.pages, range.source) != unit.model.pages.end();
}

// Logs a note about the rule that modifies the result: the name of the card or character that carries it or, if there
// is none, its source text.
void note_modified(const FunctionContext& code, const model::RuleHead& head) {
  if (!code.unit.explaining.on) return;
  std::string whose;
  for (const model::KindId k : head.carrier.kinds)
    whose += (whose.empty() ? "" : " or ") + code.model.kinds[k.index].label;
  if (whose.empty() && head.carrier.kind == model::CarrierKind::character) whose = head.name;
  note(code, "modified\n" + (whose.empty() ? one_line(reason_text(code.unit, head.range)) : whose));
}

}   // namespace cardwright::lower
