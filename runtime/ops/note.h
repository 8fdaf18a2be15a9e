// Records measured values, which do not affect the game, as notes. The note book belongs to the host that plays the
// games, not to the State.
#pragma once

#include "runtime/ops/memory.h"
#include "runtime/ops/sinks.h"

namespace cardwright {

struct Note {
  Int of;   // index into Program::measures, or a figure
  Int cell;
  Int value;
};

// Standard figures (Program::figures). The first three are recorded after their event, the others before it. Each
// comment explains the cell and the value.
enum NoteOf : Int {
  kNoteDecided = -1,   // cell: the deciding player, value: number of options
  kNoteChosen = -2,   // value: the option's id
  kNoteOffered = -3,   // cell: index into Program::actions, value: number of its options; omitted if there are none
  kNoteMoved = -4,   // cell: source zone instance or none, value: target instance; a kNoteCard for each card follows
  kNoteCard = -5,   // cell: card or none
};

struct NoteBook {
  Note* next = nullptr;   // the next free entry; equal to `end` if the buffer is full
  Note* end = nullptr;
  virtual ~NoteBook() = default;
  // Called when the buffer is full; makes room for at least one entry.
  virtual void turn_page() = 0;
};

// Records a note, except inside `suppose`.
inline void op_note(Game& g, Byte*, const Layout&, Int of, Int cell, Int value) {
  NoteBook* const book = g.notes;
  if (book == nullptr || g.supposing != 0) return;
  // Skips the many actions without options. In compiled code, `of` is a constant, so other notes are not tested.
  if (of == kNoteOffered && value <= 0) return;
  if (CARDWRIGHT_UNLIKELY(book->next == book->end)) cardwright_turn_page(&g);
  *book->next++ = {of, cell, value};
}

inline void op_note_cards(Game& g, Byte* s, const Layout& l, Int of, const Word* cards) {
  if (g.notes == nullptr || g.supposing != 0) return;
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = cards[w]; rest != 0; rest &= rest - 1) op_note(g, s, l, of, 64 * w + __builtin_ctzll(rest), 0);
}

}   // namespace cardwright
