// Notes and marks that are used only by scenarios; see Model::notes_coverage and Model::marks_flow.
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// Number of a note, in addition to the figures of runtime/ops/note.h. Cell: the source of the executed rule or
// statement; value: its begin << 32 | its end.
inline constexpr Int kNoteReached = -6;
// A log text that is not shown: it marks the end of an action, or the start of a turn, round or phase.
inline constexpr const char* kFlowMark = "flow mark";

}   // namespace cardwright
