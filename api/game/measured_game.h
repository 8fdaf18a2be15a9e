// Defines the measured values of one game, and the list of all measures of a Program: those that the rules declare,
// then the standard ones.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "runtime/program/program.h"

namespace cardwright::api::detail {

// Value of a measure's cell in one game: sum and number of the recorded values. For a measure of kind `count`, `sum` is
// the count.
struct NotedCell {
  std::uint32_t cell = 0;
  std::int64_t sum = 0, count = 0;
};
// Value of a measure's cell in one turn or round of a game.
struct NotedSpan {
  std::uint32_t cell = 0, number = 0;   // `number` is the turn or round, from 1; 0: before the first
  std::int64_t sum = 0, count = 0;
};
// A card that a player drew. Its stratum combines the number of cards that the player has drawn, including this one,
// and the number of earlier pile refills.
struct CardDraw {
  static constexpr std::size_t kDraws = 64, kRefills = 4, kStrata = kDraws * kRefills;
  std::uint16_t stratum, kind;
  std::uint8_t player;
};

// Results of a finished game. Cells without values are omitted.
struct MeasuredGame {
  std::vector<std::vector<NotedCell>> cells;   // by measure (all_measures): values over the whole game
  // For measures recorded along turns or rounds, by measure: the values per turn or round, ascending for each cell.
  std::vector<std::vector<NotedSpan>> along;
  std::int64_t turns = 0, rounds = 0;   // number of turns and rounds
  std::vector<int> turn_order;   // players by their first turn, if requested
  // With standard figures: the number of options of each decision with several options, and the drawn cards.
  std::vector<Int> options;
  std::vector<CardDraw> draws;
};

// A measure that needs no declaration, because it counts options, decisions or moves of cards between any zones. The
// figure reader computes its values.
struct StandardMeasure {
  enum class Key : std::uint8_t { none, action, card_type, tenth };
  const char* figure;   // argument of `--figures` that requests the measure
  // In a comparison, the rows of the measure form the group `label`. A row is named after its key; a measure without
  // keys has a single row `name`.
  const char *label, *name;
  MeasureWhat what;
  Key key;
  bool is_compared;
  bool needs_turns = false;   // not compared in a game without turns
};

// Indexes into kStandardMeasures.
namespace standard {
enum Index : std::size_t {
  action_taken,   // sum: times taken; count: times offered, 0 for a choice inside an effect
  action_offered,   // times offered; noted in each game in which the action was offered or taken
  card_played,
  card_drawn,
  card_taken,
  card_discarded,
  card_held,
  card_turns,   // turns that a copy spent in a hand before it left the hand
  card_chosen,   // sum: wins of the players who chose the card; count: number of choices
  options,
  waiting,
  turn_decisions,
  own_decisions,
  dead_turns,
  options_by_tenth,
  count_of_measures,
};
}   // namespace standard

inline constexpr StandardMeasure kStandardMeasures[] = {
    {"actions", "actions: taken when offered", "action taken", MeasureWhat::share, StandardMeasure::Key::action, true},
    {"actions", "", "action offered", MeasureWhat::count, StandardMeasure::Key::action, false},
    {"cards", "cards: played in a game", "card played", MeasureWhat::count, StandardMeasure::Key::card_type, true},
    {"cards", "", "card drawn", MeasureWhat::count, StandardMeasure::Key::card_type, false},
    {"cards", "", "card taken", MeasureWhat::count, StandardMeasure::Key::card_type, false},
    {"cards", "", "card discarded", MeasureWhat::count, StandardMeasure::Key::card_type, false},
    {"cards", "", "card held", MeasureWhat::count, StandardMeasure::Key::card_type, false},
    {"cards", "", "turns in hand", MeasureWhat::mean, StandardMeasure::Key::card_type, false},
    {"cards", "", "card chosen", MeasureWhat::share, StandardMeasure::Key::card_type, false},
    {"pace", "pace", "options of a decision", MeasureWhat::mean, StandardMeasure::Key::none, true},
    {"pace", "pace", "decisions by others between two decisions of a player", MeasureWhat::mean,
     StandardMeasure::Key::none, true},
    {"pace", "pace", "decisions in a turn", MeasureWhat::mean, StandardMeasure::Key::none, true, true},
    {"pace", "pace", "decisions in a turn by the active player", MeasureWhat::mean, StandardMeasure::Key::none, true,
     true},
    {"pace", "dead turns", "turns in which the active player decides nothing", MeasureWhat::share,
     StandardMeasure::Key::none, true, true},
    {"pace", "", "options by tenth of the game", MeasureWhat::mean, StandardMeasure::Key::tenth, false},
};
static_assert(std::size(kStandardMeasures) == standard::count_of_measures);

// Returns the declared measures, followed by kStandardMeasures if the Program records standard figures.
std::vector<MeasureInfo> all_measures(const Program& program);
// Sums the values of the current game by measure (all_measures) and cell.
class GameSums {
 public:
  struct Cell {
    std::int64_t sum = 0, count = 0;
  };
  explicit GameSums(const std::vector<MeasureInfo>& measures);
  GameSums(const GameSums&) = delete;

  // Fast access to the cells of a measure, for code that adds many values.
  struct Row {
    Cell* cells = nullptr;
    std::size_t measure = 0;
    GameSums* sums = nullptr;
    [[gnu::always_inline]] const Cell& add(std::size_t cell, std::int64_t sum, std::int64_t count = 1) const {
      Cell& its = cells[cell];
      if (its.sum == 0 && its.count == 0) [[unlikely]]
        sums->touch(measure, cell);
      its.sum += sum, its.count += count;
      return its;
    }
  };
  Row row(std::size_t measure) { return {cells_.data() + first_[measure], measure, this}; }
  // Returns the cells that have values. Only their cell numbers are set; at() returns the values.
  const std::vector<NotedCell>& touched(std::size_t measure) const { return touched_[measure]; }
  const Cell& at(std::size_t measure, std::size_t cell) const { return cells_[first_[measure] + cell]; }
  // Moves the values to `out`, and clears all cells.
  void finish(std::vector<std::vector<NotedCell>>& out);

 private:
  [[gnu::noinline]] void touch(std::size_t measure, std::size_t cell);

  std::vector<std::size_t> first_;   // by measure: index of its first cell
  std::vector<Cell> cells_;
  std::vector<std::vector<NotedCell>> touched_;
};

// Returns the standard measure with this index into all_measures(); null for a declared one.
const StandardMeasure* standard_measure(const Program& program, std::size_t measure);

}   // namespace cardwright::api::detail
