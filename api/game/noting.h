// Collects the notes that a Program records during one game (runtime/ops/note.h), and sums them up at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/game/figure_reader.h"
#include "runtime/program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api::detail {

// Value of a measure's cell in one game: sum and number of the recorded values.
struct NotedCell {
  std::uint32_t measure = 0, cell = 0;
  std::int64_t sum = 0, count = 0;
};
// The same for one turn or round of the game.
struct NotedSpan {
  std::uint32_t cell = 0, number = 0;   // turns and rounds from 1; 0: before the first
  std::int64_t sum = 0, count = 0;
};

// Results of a finished game, without cells that have no values.
struct MeasuredGame {
  std::vector<NotedCell> cells;   // over the whole game
  // By measure, for those recorded along turns or rounds: ascending for each cell.
  std::vector<std::vector<NotedSpan>> along;
  std::int64_t turns = 0, rounds = 0;   // number of turns and rounds
  std::vector<int> turn_order;   // players by their first turn, if requested
  FiguredGame figured;   // standard figures, if requested
};

// For one thread: written while a game is played, and read when it is over.
class Notes final : public NoteBook {
 public:
  explicit Notes(const Program& program);
  Notes(const Notes&) = delete;

  // Stores the results of the game with this final State in `out`, and clears the notes. Throws Error(caller) if a
  // measure was recorded in more turns than the limit.
  void finish(const Byte* state, MeasuredGame& out);
  void forget();   // clears the notes without computing results
  void turn_page() override;

 private:
  static constexpr std::size_t kPage = 2048;
  struct Cell {
    std::int64_t sum = 0, count = 0;
    NotedSpan there;   // in the turn or round of the last note
  };
  void begin();
  void read_page();
  void add(const Note& note);
  void turn_began(const Note& note);

  const Program& program_;
  std::optional<FigureReader> figures_;
  struct Measure {
    std::size_t first = 0;   // index of its first cell
    std::uint64_t cells = 1;
    bool along = false;
  };
  std::vector<Measure> measures_;
  std::vector<Cell> cells_;   // of all measures
  std::vector<NotedCell> touched_;   // cells with values; the values themselves are in cells_
  std::vector<std::vector<NotedSpan>> along_;
  std::vector<int> turn_order_;
  std::uint64_t had_a_turn_ = 0;
  bool too_long_ = false, by_turns_ = false, by_rounds_ = false;
  std::vector<Note> page_;
};

}   // namespace cardwright::api::detail
