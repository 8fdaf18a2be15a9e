// Defines notes and log marks that only scenarios use; see Model::notes_coverage and Model::marks_flow.
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// A note number in addition to the figures of runtime/ops/note.h. The cell is the source of the executed rule or
// statement; the value is its begin << 32 | its end.
inline constexpr Int kNoteReached = -6;
// A log text that is not shown: it marks the end of an action, or the start of a turn, round or phase.
inline constexpr const char* kFlowMark = "flow mark";

}   // namespace cardwright
