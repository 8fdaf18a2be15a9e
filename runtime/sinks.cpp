// The cold functions that operations call for trace and log. Those for knowledge are in knowledge.cpp.
#include "runtime/sinks.h"

#include "runtime/program.h"
#include "runtime/state.h"

namespace cardwright {

void cardwright_trace_decided(Game* g, const Byte* s, Int player, Int options, Int index) {
  g->trace->decided(*g, s, player, options, index);
}
void cardwright_trace_chosen(Game* g, const Byte* s, Int id) { g->trace->chosen(*g, s, id); }

void cardwright_note_change(Game* g, const Byte* s, Int offset, Int index, Int old_value, Int new_value) {
  if (const Int variable = variable_by_offset(*g->program, offset); variable >= 0)
    g->log->changed(*g, s, variable, index, old_value, new_value);
}
void cardwright_note_event(Game* g, const Byte* s, Int text, Int a, Int b, Int c) { g->log->happened(*g, s, text, a, b, c); }

const char* trap_text(Trap trap) {
  switch (trap) {
    case Trap::none: return "no trap";
    case Trap::overflow: return "number too large";
    case Trap::none_in_arithmetic: return "arithmetic with none";
    case Trap::divided_by_zero: return "division by zero";
    case Trap::out_of_range: return "value out of range";
    case Trap::unset: return "read before it was set";
    case Trap::bad_index: return "index out of range";
    case Trap::nobody: return "there is none";
    case Trap::not_exactly_one: return "not exactly one";
    case Trap::too_deep: return "too deeply nested";
    case Trap::too_long: return "too much work for one decision";
    case Trap::too_many_decisions: return "too many decisions";
    case Trap::queue_full: return "too many afterwards";
    case Trap::no_zone: return "the card lies nowhere";
    case Trap::empty_choice: return "nothing to choose from";
    case Trap::fell_through: return "internal error: a case is missing";
    case Trap::race_without_end: return "a window in real time that nothing closes";
  }
  return "unknown trap";
}

}  // namespace cardwright
