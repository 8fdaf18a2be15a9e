// Implements the out-of-line functions that operations call for traces, logs, notes and `suppose`.
// knowledge/knowledge.cpp implements those for knowledge.
#include "runtime/ops/note.h"

#include <cstring>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/state/state.h"

namespace cardwright {

void cardwright_trace_decided(Game* g, const Byte* s, Int player, Int options, Int index) {
  g->trace->decided(*g, s, player, options, index);
}
void cardwright_trace_leaned(Game* g, const Byte* s, Int index) { g->trace->leaned(*g, s, index); }
void cardwright_trace_chosen(Game* g, const Byte* s, Int id) { g->trace->chosen(*g, s, id); }
void cardwright_turn_page(Game* g) { g->notes->turn_page(); }

void cardwright_note_change(Game* g, const Byte* s, Int offset, Int index, Int old_value, Int new_value) {
  if (const Int variable = variable_by_offset(*g->program, offset); variable >= 0)
    g->log->changed(*g, s, variable, index, old_value, new_value);
}
void cardwright_log_value(Game* g, const Byte* s, Int value) { g->log->log_value(*g, s, value); }
void cardwright_log_set(Game* g, const Byte* s, const Word* set) { g->log->log_value(*g, s, set); }
void cardwright_log_readers(Game* g, const Byte* s, Int players) { g->log->readers(*g, s, static_cast<Word>(players)); }
void cardwright_log_asked(Game* g, const Byte* s, Int player) { g->log->without_options(*g, s, player); }
void cardwright_log_part(Game* g, const Byte* s, Int text) { g->log->part(*g, s, text); }
void cardwright_log_text(Game* g, const Byte* s, Int text) { g->log->log_text(*g, s, text); }
void cardwright_explain(Game* g, const Byte* s, Int node) { g->log->explain(*g, s, node); }

// A `suppose` does not change random streams or what is stored after them, except for the sets of unknown cards in a
// playout that tracks them. Returns the size of these sets.
static Int unknown_bytes(const Layout& l) { return l.stack_top - l.unknown; }
// The State at the `suppose`. No game suspends inside a `suppose`, so this copy need not be part of the State.
static thread_local std::vector<Byte> before;

void cardwright_suppose(Game* g, const Byte* s, const Layout* l) {
  before.assign(s, s + l->streams);
  if (g->knowledge == kUnknownOnly) before.insert(before.end(), s + l->unknown, s + l->unknown + unknown_bytes(*l));
  g->supposing = 1;
  g->knowledge_before = g->knowledge;
  g->log_before = g->log;
  g->log = nullptr;
  if (g->knowledge == kAllKnowledge) g->knowledge = kNoKnowledge;
}
void cardwright_unsuppose(Game* g, Byte* s, const Layout* l) {
  if (g->supposing == 0) return;
  std::memcpy(s, before.data(), static_cast<std::size_t>(l->streams));
  if (g->knowledge == kUnknownOnly)
    std::memcpy(s + l->unknown, before.data() + l->streams, static_cast<std::size_t>(unknown_bytes(*l)));
  g->supposing = 0;
  g->knowledge = g->knowledge_before;
  g->log = g->log_before;
}

}   // namespace cardwright
