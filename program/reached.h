// Notes and marks that only scenarios ask for; see Model::notes_coverage and Model::marks_flow.
#pragma once

#include "program/layout.h"

namespace cardwright {

// Beside the figures of runtime/ops/note.h. Cell: source of a rule or statement that takes effect; value: its begin << 32
// | its end.
inline constexpr Int kNoteReached = -6;
// A text of the log that nobody reads: an action is done, or a turn, round or phase is about to begin.
inline constexpr const char* kFlowMark = "flow mark";

}  // namespace cardwright
