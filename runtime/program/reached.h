// Notes and marks that only scenarios ask for; see Model::notes_coverage and Model::marks_flow.
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// Number of a note, beside the figures of runtime/ops/note.h. Cell: the source of the rule or statement that takes
// effect; value: its begin << 32 | its end.
inline constexpr Int kNoteReached = -6;
// A log text that is not shown: it marks that an action is done, or a turn, round or phase is about to begin.
inline constexpr const char* kFlowMark = "flow mark";

}   // namespace cardwright
