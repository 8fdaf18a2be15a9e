// Records the subject of a trap, and defines the texts of traps. Constant folding needs no other sinks, which are in
// runtime/sinks.cpp and runtime/knowledge/knowledge.cpp.
#include "runtime/ops/wrong.h"

namespace cardwright {

void cardwright_describe_trap(Game* g, About about, Int a, Int b, Int c) {
  g->about = about;
  g->wrong[0] = a, g->wrong[1] = b, g->wrong[2] = c;
}

const char* trap_text(Trap trap) {
  switch (trap) {
    case Trap::none: return "no trap";
    case Trap::overflow: return "number too large";
    case Trap::none_in_arithmetic: return "arithmetic with none";
    case Trap::divided_by_zero: return "division by zero";
    case Trap::out_of_range: return "value out of range";
    case Trap::unset: return "read before it was set";
    case Trap::bad_index: return "index out of range";
    case Trap::unexpected_none: return "expected a value, found none";
    case Trap::not_exactly_one: return "not exactly one";
    case Trap::too_deep: return "too deeply nested";
    case Trap::too_long: return "too much work for one decision";
    case Trap::too_many_decisions: return "too many decisions";
    case Trap::no_edge: return "a cell has edges only to the N, E, S and W";
    case Trap::queue_full: return "too many afterwards";
    case Trap::no_zone: return "the card is in no zone";
    case Trap::empty_choice: return "a choice without options";
    case Trap::fell_through: return "internal error: missing case";
    case Trap::race_without_end: return "no event closes a window in real time";
    case Trap::slot_full: return "a second card in a slot, which holds at most one";
    case Trap::pool_empty: return "nothing left in a pool";
    case Trap::list_full: return "no room in a list";
  }
  return "unknown trap";
}

}   // namespace cardwright
