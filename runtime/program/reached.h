// Defines notes and log marks that only scenarios use (Model::notes_coverage, Model::marks_flow).
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// A note number in addition to the figures of runtime/ops/note.h. The cell is the source of the executed rule or
// statement; the value is begin << 32 | end of its source range.
inline constexpr Int kNoteReached = -6;
// A log text that is not shown: it marks the end of an action, or the start of a turn, round or phase.
inline constexpr const char* kFlowMark = "flow mark";

}   // namespace cardwright
