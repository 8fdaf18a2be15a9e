#include "compiler/lower/code/notes.h"

#include "runtime/ops/note.h"
#include "runtime/program/reached.h"

#include <algorithm>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::MomentKind;

static bool is_noted(const ProgramContext& unit, MomentKind when, std::size_t of) {
  return unit.measured.contains({when, std::uint32_t(of)});
}

bool is_measured(const ProgramContext& unit, std::size_t event) {
  return is_noted(unit, MomentKind::before, event) || is_noted(unit, MomentKind::after, event);
}

bool is_measured_landing(const ProgramContext& unit, std::size_t action) {
  return is_noted(unit, MomentKind::late, action) || is_noted(unit, MomentKind::wrong, action);
}

bool is_measured_end(const ProgramContext& unit) { return is_noted(unit, MomentKind::end, 0); }

void note_reached(const FunctionContext& code, Range what) {
  if (!code.model.notes_coverage || code.unit.explaining.wanted || !what.known()) return;
  code.effect(Op::note, {kNoteReached, code.constant(Int(what.source)),
                         code.constant(Int(std::uint64_t{what.begin} << 32 | what.end))});
}

void mark_flow(const FunctionContext& code) {
  if (!code.model.marks_flow || code.unit.explaining.wanted) return;
  std::vector<std::string>& texts = code.program.playout.texts;
  const auto known = std::find(texts.begin(), texts.end(), kFlowMark);
  const auto text = static_cast<Int>(known - texts.begin());
  if (known == texts.end()) texts.emplace_back(kFlowMark);
  code.effect(Op::log_text, {text});
}

void note_turn(const FunctionContext& code, Register number, Register player) {
  if (code.program.turn_note >= 0) code.effect(Op::note, {code.program.turn_note, number, player});
}

}   // namespace cardwright::lower
