// The notes of one game while it is played (runtime/ops/note.h), and what they come to when it is over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/game/figure_reader.h"
#include "runtime/program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api::detail {

// What a cell of a measure came to in one game: the sum of the values that were noted, and how many there were.
struct NotedCell {
  std::uint32_t measure = 0, cell = 0;
  std::int64_t sum = 0, count = 0;
};
// … in one turn or round of it.
struct NotedSpan {
  std::uint32_t cell = 0, number = 0;   // turns and rounds are counted from 1; 0: before the first
  std::int64_t sum = 0, count = 0;
};

// A game that is over. Cells in which nothing was noted are left out.
struct MeasuredGame {
  std::vector<NotedCell> cells;   // in all of the game
  // by measure, of those that go along turns or rounds: ascending for each cell
  std::vector<std::vector<NotedSpan>> along;
  std::int64_t turns = 0, rounds = 0;   // that there were
  std::vector<int> turn_order;   // the players by their first turn, where that was asked for
  FiguredGame figured;   // where built-in figures were
};

// For one thread: written on while a game is played, read when it is over.
class Notes final : public NoteBook {
 public:
  explicit Notes(const Program& program);
  Notes(const Notes&) = delete;

  // What a game came to whose last State this is; then the book is empty. Throws Error(caller) where a measure was
  // noted in more turns than there is room for.
  void finish(const Byte* state, MeasuredGame& out);
  void forget();   // likewise, where nobody wants to know
  void turn_page() override;

 private:
  static constexpr std::size_t kPage = 2048;
  struct Cell {
    std::int64_t sum = 0, count = 0;
    NotedSpan there;   // in the turn or round that was noted last
  };
  void begin();
  void read_page();
  void add(const Note& note);
  void turn_began(const Note& note);

  const Program& program_;
  std::optional<FigureReader> figures_;
  struct Measure {
    std::size_t first = 0;   // of its cells
    std::uint64_t cells = 1;
    bool along = false;
  };
  std::vector<Measure> measures_;
  std::vector<Cell> cells_;   // of all measures
  std::vector<NotedCell> touched_;   // of which there is something; what it is stands in cells_
  std::vector<std::vector<NotedSpan>> along_;
  std::vector<int> turn_order_;
  std::uint64_t had_a_turn_ = 0;
  bool too_long_ = false, by_turns_ = false, by_rounds_ = false;
  std::vector<Note> page_;
};

}   // namespace cardwright::api::detail
