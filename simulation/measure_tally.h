// Adds up the declared and standard measures of many games. Each thread has its own object, and all are merged at the
// end. Memory use does not depend on the number of games.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulation/draw_wins.h"
#include "simulation/tally.h"
#include "cardwright/figures.hpp"
#include "cardwright/measures.hpp"
#include "api/game/measured_game.h"

namespace cardwright::api {

// Returns the user-visible texts of a cell's keys.
std::vector<std::string> keys_in_words(const Program& program, const std::vector<MeasureKeyInfo>& keys,
                                       std::int64_t cell);

class MeasureTally {
 public:
  // Throws Error(caller) if the measures need more than kMostBytes.
  explicit MeasureTally(const Program& program);
  // Adds a game that ended without a runtime error: its index, its measured values, and its final State.
  void add(std::uint64_t index, const detail::MeasuredGame& game, const Byte* state);
  void add(const MeasureTally& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws the exceptions of at(), or Error(caller)
  std::vector<MeasureTable> tables() const;   // tables of the declared measures
  StandardFigures standard_figures() const;   // requires Program::figures
  // Returns the wins by place in the turn order; no shares if the turn order was not requested.
  ShareGroup turn_order() const;

  static constexpr std::size_t kMostBytes = 64 << 20;

  // Histograms of nonnegative values (`up`) and of negative values with their signs removed (`down`).
  struct Counts {
    Histogram up, down;
    void add(std::int64_t value) { value < 0 ? down.add(-value) : up.add(value); }
    // Returns the bins of both histograms, ascending. `of` is the number of all games; games without a counted value
    // have the value 0.
    std::vector<std::pair<std::int64_t, std::uint64_t>> bins(std::uint64_t of) const;
  };

 private:
  struct Cell {
    Wide x = 0, n = 0, xx = 0, xn = 0, nn = 0;
  };
  // Value of the current game. It is accumulated until the game ends, because only the square of the total can be
  // added.
  struct Sum {
    std::int64_t x = 0, n = 0;
  };
  struct Stretch : Sum {
    std::size_t which = 0;
  };
  // One table of a measure: with its keys as declared, or with a player key replaced by the value of one of the
  // player's variables (a trait).
  struct View {
    std::size_t measure = 0;
    int trait = -1;   // index into Program::statistics; -1 if the keys are as declared
    // Distance between the cells of the player key, number of its players, and number of values of the trait.
    std::int64_t stride = 1, players = 1, values = 1;
    std::vector<MeasureKeyInfo> keys;
    std::vector<Cell> cells;
    // By cell: histograms of counts and sums, and of the numbers of options in the standard measure `options`.
    std::vector<Counts> counts;
    // Divisors of the cells, unless the number of samples is the divisor: one for each value of the trait, or a single
    // one without a trait.
    std::vector<Cell> units;
    std::vector<Sum> now;   // values of the current game, by cell
    std::vector<Cell> course, course_units;   // by section, then cell
  };
  static nlohmann::ordered_json cells_json(const std::vector<Cell>& cells);
  static void add_cells(std::vector<Cell>& into, const nlohmann::ordered_json& json);
  void add_cell(View& view, std::size_t cell, std::int64_t x, std::int64_t n);
  void add_by_trait(View& view, const std::vector<detail::NotedCell>& cells, std::int64_t spans);
  void add_units(View& view, const detail::MeasuredGame& game);
  void add_along(View& view, const std::vector<detail::NotedSpan>& along, std::int64_t spans);
  void add_stretch_units(View& view, std::int64_t spans);
  std::int64_t cell_in(const View& view, std::int64_t cell) const;
  std::int64_t spans_in(const MeasureInfo& measure, const detail::MeasuredGame& game) const;
  MeasureTable table(const View& view) const;
  MeasureSums sums_of(const View& view, const Cell& cell, const Cell& unit) const;
  std::size_t unit_of(const View& view, std::size_t cell) const;
  const View& standard_view(detail::standard::Index measure) const {
    return views_[views_of_[program_.measures.size() + measure][0]];
  }
  MeasureSums sums_of(detail::standard::Index measure, std::size_t cell = 0) const;
  std::vector<ActionFigure> action_figures() const;
  std::vector<CardFigure> card_figures() const;
  CardFigure card_figure(std::size_t kind) const;

  const Program& program_;
  const std::vector<MeasureInfo> measures_;   // detail::all_measures
  std::uint64_t games_ = 0;
  std::vector<View> views_;
  std::vector<std::vector<std::size_t>> views_of_;   // by measure: indexes into views_
  std::vector<std::vector<Int>> traits_;   // values of the traits in the current game: by trait, then seat
  std::vector<std::uint64_t> taken_, won_;   // number of games and of wins, by place in the turn order
  DrawWins draws_;
  std::vector<std::size_t> touched_;
  std::vector<Stretch> far_, tenth_;   // by cell; scratch memory while a game's course is added
  std::vector<std::int64_t> stretch_units_;   // by section: number of turns or rounds in the current game
};

}   // namespace cardwright::api
