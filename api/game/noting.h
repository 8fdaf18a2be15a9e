// Collects the notes that a Program records during one game (runtime/ops/note.h), and adds them up at the game's end.
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
// Value of a measure's cell in one turn or round of a game.
struct NotedSpan {
  std::uint32_t cell = 0, number = 0;   // `number` is the turn or round, from 1; 0: before the first
  std::int64_t sum = 0, count = 0;
};

// Results of a finished game. Cells without values are omitted.
struct MeasuredGame {
  std::vector<NotedCell> cells;   // values over the whole game
  // For measures recorded along turns or rounds, by measure: the values per turn or round, ascending for each cell.
  std::vector<std::vector<NotedSpan>> along;
  std::int64_t turns = 0, rounds = 0;
  std::vector<int> turn_order;   // players by their first turn, if requested
  FiguredGame figured;   // standard figures, if requested
};

// Receives notes while a game is played, and returns the results when it is over. Must be used by one thread at a time.
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
    NotedSpan there;   // value in the turn or round of the last note
  };
  void begin();
  void read_page();
  void add(const Note& note);
  void turn_began(const Note& note);

  const Program& program_;
  std::optional<FigureReader> figures_;
  struct Measure {
    std::size_t first = 0;   // index of the measure's first cell
    std::uint64_t cells = 1;
    bool along = false;
  };
  std::vector<Measure> measures_;
  std::vector<Cell> cells_;   // cells of all measures
  std::vector<NotedCell> touched_;   // cells with values; the values themselves are in cells_
  std::vector<std::vector<NotedSpan>> along_;
  std::vector<int> turn_order_;
  std::uint64_t had_a_turn_ = 0;
  bool too_long_ = false, by_turns_ = false, by_rounds_ = false;
  std::vector<Note> page_;
};

}   // namespace cardwright::api::detail
