// Collects the notes that a Program records during one game (runtime/ops/note.h), and adds them up at the game's end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/game/figure_reader.h"
#include "api/game/measured_game.h"
#include "runtime/program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api::detail {

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
  void begin();
  void read_page();
  void add(const Note& note);
  void turn_began(const Note& note);

  const Program& program_;
  GameSums sums_;
  std::optional<FigureReader> figures_;
  struct Measure {
    std::uint64_t cells = 1;
    bool along = false;
    std::vector<NotedSpan> last;   // with `along`, by cell: sums in the turn or round of the last note
  };
  std::vector<Measure> measures_;
  std::vector<std::vector<NotedSpan>> along_;
  std::vector<int> turn_order_;
  std::uint64_t had_a_turn_ = 0;
  bool too_long_ = false, by_turns_ = false, by_rounds_ = false;
  std::vector<Note> page_;
};

}   // namespace cardwright::api::detail
