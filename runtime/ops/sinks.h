// Declares the out-of-line functions that operations call: knowledge, trace and log. Operations are compiled to bitcode
// and must not depend on other code, so each of these functions is a C symbol. The JIT passes their names and addresses
// to LLVM; CARDWRIGHT_SINKS lists them all.
#pragma once

#include "runtime/ops/game.h"

namespace cardwright {

// Sinks are rarely called in a playout, but often in stepwise form.
#ifdef CARDWRIGHT_BITCODE
#define CARDWRIGHT_SINK extern "C" [[gnu::noinline, gnu::cold]]
#else
#define CARDWRIGHT_SINK extern "C" [[gnu::noinline]]
#endif

// traps
extern "C" [[gnu::noinline, gnu::cold]] void cardwright_describe_trap(Game* g, About about, Int a, Int b, Int c);

// trace
CARDWRIGHT_SINK void cardwright_trace_decided(Game* g, const Byte* s, Int player, Int options, Int index);
CARDWRIGHT_SINK void cardwright_trace_chosen(Game* g, const Byte* s, Int id);
CARDWRIGHT_SINK void cardwright_trace_leaned(Game* g, const Byte* s, Int index);

// measures
CARDWRIGHT_SINK void cardwright_turn_page(Game* g);

// knowledge and log
CARDWRIGHT_SINK void cardwright_note_move(Game* g, Byte* s, const Layout* l, const Word* cards, Int from, Int to,
                                          Int how);
CARDWRIGHT_SINK void cardwright_exchange_unknown(Game* g, Byte* s, const Layout* l, Int player, const Word* cards,
                                                 Int from);
CARDWRIGHT_SINK void cardwright_note_refill(Game* g, Byte* s, const Layout* l, Int pile, Int from);
CARDWRIGHT_SINK void cardwright_note_shuffle(Game* g, Byte* s, const Layout* l, Int pile);
CARDWRIGHT_SINK void cardwright_note_reveal(Game* g, Byte* s, const Layout* l, const Word* cards);
CARDWRIGHT_SINK void cardwright_note_peek(Game* g, Byte* s, const Layout* l, Int player, const Word* cards);
CARDWRIGHT_SINK void cardwright_note_faces(Game* g, Byte* s, const Layout* l, Int offset, Int dice, Int turned);
CARDWRIGHT_SINK void cardwright_note_arrange(Game* g, Byte* s, const Layout* l, const Word* cards, Int pile, Int who,
                                             Int behind);
CARDWRIGHT_SINK void cardwright_note_turn(Game* g, Byte* s, const Layout* l, const Word* cards, Int faceup);
CARDWRIGHT_SINK void cardwright_note_variable(Game* g, Byte* s, const Layout* l, Int offset, Int index, Int to_all);
CARDWRIGHT_SINK void cardwright_note_shown(Game* g, Byte* s, const Layout* l, Int player, Int offset, Int index);
CARDWRIGHT_SINK Int cardwright_knows_value(Game* g, const Byte* s, const Layout* l, Int player, Int offset, Int index);
CARDWRIGHT_SINK void cardwright_note_change(Game* g, const Byte* s, Int offset, Int index, Int old_value,
                                            Int new_value);
CARDWRIGHT_SINK void cardwright_log_value(Game* g, const Byte* s, Int value);
CARDWRIGHT_SINK void cardwright_log_set(Game* g, const Byte* s, const Word* set);
CARDWRIGHT_SINK void cardwright_log_readers(Game* g, const Byte* s, Int players);
CARDWRIGHT_SINK void cardwright_log_asked(Game* g, const Byte* s, Int player);
CARDWRIGHT_SINK void cardwright_log_part(Game* g, const Byte* s, Int text);
CARDWRIGHT_SINK void cardwright_log_text(Game* g, const Byte* s, Int text);
CARDWRIGHT_SINK void cardwright_explain(Game* g, const Byte* s, Int node);

// suppose
CARDWRIGHT_SINK void cardwright_suppose(Game* g, const Byte* s, const Layout* l);
CARDWRIGHT_SINK void cardwright_unsuppose(Game* g, Byte* s, const Layout* l);

#define CARDWRIGHT_SINKS(X)      \
  X(cardwright_describe_trap)    \
  X(cardwright_trace_decided)    \
  X(cardwright_trace_chosen)     \
  X(cardwright_trace_leaned)     \
  X(cardwright_note_move)        \
  X(cardwright_exchange_unknown) \
  X(cardwright_note_refill)      \
  X(cardwright_note_shuffle)     \
  X(cardwright_note_reveal)      \
  X(cardwright_note_peek)        \
  X(cardwright_note_arrange)     \
  X(cardwright_note_faces)       \
  X(cardwright_note_turn)        \
  X(cardwright_note_variable)    \
  X(cardwright_note_shown)       \
  X(cardwright_knows_value)      \
  X(cardwright_note_change)      \
  X(cardwright_log_value)        \
  X(cardwright_log_set)          \
  X(cardwright_log_readers)      \
  X(cardwright_log_asked)        \
  X(cardwright_log_part)         \
  X(cardwright_log_text)         \
  X(cardwright_explain)          \
  X(cardwright_suppose)          \
  X(cardwright_unsuppose)        \
  X(cardwright_turn_page)

}   // namespace cardwright
