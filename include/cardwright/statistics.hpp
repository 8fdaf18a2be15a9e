// Statistics of many games: figures with confidence intervals, and comparisons of two games.
//
//   using namespace cardwright;
//   statistics::Comparison c = statistics::compare(splash, house, {});
//   for (const statistics::FigureTable& table : c.figures.tables) …
//
// The statistical unit is the game, because the players of one game influence each other. Intervals have 95 %
// confidence unless stated otherwise. Results do not depend on the number of threads or on the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "cardwright/parts.hpp"

namespace cardwright::statistics {

// ------------------------------------------------------------------ figures

struct Interval {
  double low = 0, high = 0;
  bool operator==(const Interval&) const = default;
  double half() const { return (high - low) / 2; }
};

// A mean over games, or a difference of two.
struct Estimate {
  double value = 0;
  std::optional<Interval> interval;   // empty if there are too few games
  double deviation = 0;   // standard deviation of a single game
  std::uint64_t games = 0;   // number of games that contribute
};

using Bin = api::Spread::Bin;   // number of games with a value in [from, to]

enum class Verdict : std::uint8_t {
  none,   // not compared
  differs,
  same,   // the interval is within the margin
  open,
};
std::string_view name_of(Verdict verdict);   // "differs", "same within the margin", "open"

struct Figure {
  std::string name;   // "turns", "a", "Kimmy"
  Estimate a;
  std::optional<Estimate> b;   // value of the second game
  std::optional<Estimate> difference;
  Verdict verdict = Verdict::none;
  bool is_main = false;   // a comparison runs until its main figures are decided
  bool paired = true;   // compared deal by deal; false: as independent samples
  // Logarithm of the e-value against the hypothesis of no difference.
  double log_evidence = 0;
  // Correlation of the two games of a pair, from -1 to 1; NaN if undefined.
  double correlation = std::numeric_limits<double>::quiet_NaN();
  std::optional<Interval> median, median_b;   // interval that contains the median
  std::vector<Bin> histogram, histogram_b;
  // Values of the table's additional columns, for the first and the second game; NaN if undefined.
  std::vector<double> cells, cells_b;
};

// The topic of a table, in the order in which a designer usually asks about them.
enum class Topic : std::uint8_t { broken, winning, length, pace, tension, cards, actions, measures };
std::string_view name_of(Topic topic);   // "broken", …
// Returns the topic of a standard table by its title; `measures` for any other title.
Topic topic_of(std::string_view title);

struct FigureTable {
  std::string title;   // "wins by seat"
  std::string unit;   // "%" if values are shares of 1; otherwise the unit of the values, which can be empty
  std::vector<Figure> rows;
  std::vector<std::string> only_a, only_b;   // rows that only one of the games can have
  Topic topic = Topic::measures;
  std::string along;   // if the rows are consecutive sections of the game, their unit: "turn", "tenth"
  std::vector<std::string> columns;   // names of additional columns: "copies drawn"; each row has a cell per column
  bool without_failed = false;   // the rows exclude games that a runtime error ended
};

struct Figures {
  std::vector<FigureTable> tables;
  std::uint64_t games = 0;   // number of games that each side played
  std::uint64_t failed_a = 0, failed_b = 0;   // per side: number of these games that a runtime error ended
};

// Describes the games that a table covers, if it excludes failed games: "only the 128 of 1,000 games that no error
// ended". Empty if the table covers all games. `a` and `b` are the names of the sides; `b` is empty for one side.
std::string counted_games(const Figures& figures, const FigureTable& table, std::string_view a, std::string_view b);

// ------------------------------------------------------------------ comparing

struct CompareProgress {
  std::uint64_t pairs = 0, most = 0;
  std::size_t open = 0, rows = 0;   // number of undecided main rows and of all main rows, at the last interim result
  std::uint64_t estimate = 0;   // estimated number of pairs until all rows are decided; at most `most`; 0: unknown
};

struct CompareSettings {
  std::uint64_t pairs = 1'000'000;   // maximum number of pairs
  // Two shares are considered equal if they differ by less than `margin` (0.01: one percentage point). Two lengths or
  // amounts are considered equal if they differ by less than 2 * `margin` times the mean of the first game.
  double margin = 0.01;
  // If not 0: runs until half the width of each main row's interval is at most `until` (for lengths: at most `until`
  // times the first game's mean), even if all rows are decided earlier.
  double until = 0;
  // If set, exactly `pairs` pairs are played, and intervals and verdicts are valid for this fixed number only. They are
  // narrower than those that are valid at any time, above all for few pairs. `until` must be 0.
  bool fixed = false;
  // Seed, first game, threads, policies and speeds of both sides. Its `games`, `progress` and `stop` are ignored.
  api::SimulateSettings play;
  const std::atomic<bool>* stop = nullptr;   // stops early and reports the last interim result
  std::function<void(const CompareProgress&)> progress;
};

enum class Stopped : std::uint8_t { decided, precise, exhausted, interrupted };
std::string_view name_of(Stopped stopped);   // "decided", …

struct Comparison {
  Figures figures;
  std::uint64_t pairs = 0;   // pairs in the final result
  std::size_t analyses = 0;
  Stopped stopped = Stopped::exhausted;
  std::size_t discoveries = 0, tested = 0;   // number of rows that differ, and of all tested rows
  double margin = 0;
  bool fixed = false;   // intervals are valid for this fixed number of pairs
  // Estimated number of pairs until all main rows are decided, or precise with `until`. 0 if they are already, or if it
  // cannot be estimated.
  std::uint64_t needed = 0;
  double seconds = 0;
  // Mean correlation of the main shares, and the number of additional games that unpaired sampling would have needed.
  double correlation = 0;
  std::uint64_t games_saved = 0;
  std::vector<api::FailureCount> failures_a, failures_b;
};

// Plays both games with the same seeds, pair by pair, and tests after n_k = ceil(250 · 2^(k/4)) pairs which figures
// differ. Throws Error(caller) for a margin or `until` outside (0, 1), and like simulate().
Comparison compare(const api::Game& a, const api::Game& b, const CompareSettings& settings);

// Results of some pairs of a comparison. Adding the parts of a comparison in any order gives exactly the result of an
// undivided comparison.
class ComparisonPart {
 public:
  // Throws Error(caller) like compare(), without playing.
  static void check(const api::Game& a, const api::Game& b, const CompareSettings& settings);
  // Creates an empty part, without results of pairs. Throws Error(caller) like compare().
  ComparisonPart(const api::Game& a, const api::Game& b, const CompareSettings& settings);
  // Reads the output of text(). Throws Error(caller) if it is damaged, or belongs to other games or another version.
  static ComparisonPart read(const api::Game& a, const api::Game& b, const std::string& text);
  ~ComparisonPart();
  ComparisonPart(ComparisonPart&&) noexcept;
  ComparisonPart& operator=(ComparisonPart&&) noexcept;

  // Plays the missing pairs of this range with the threads, `stop` and `progress` of `settings`; stops early when the
  // comparison is decided.
  void play(api::GameRange pairs, const CompareSettings& settings, const api::Checkpoint& checkpoint = {});
  // Throws Error(caller) if `other` belongs to another comparison, or both contain the same pair.
  void add(const ComparisonPart& other);
  const api::Covered& covered() const;
  // Returns the ranges of `of` whose pairs must still be played; none if the comparison is decided.
  std::vector<api::GameRange> missing(api::GameRange of) const;
  const CompareSettings& settings() const;   // settings of the whole run
  bool is_decided() const;   // true if more pairs cannot change the result
  // Returns the result of the pairs from the first one up to the first gap.
  Comparison comparison() const;
  std::string text() const;

 private:
  struct Data;
  explicit ComparisonPart(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};
// Returns the figures of a simulation, with intervals for its fixed number of games; includes measures and standard
// figures if they were requested.
Figures figures_of(const api::Statistics& statistics);
Figures figures_of(const api::TensionFigures& tension);

// ------------------------------------------------------------------ printers

// Converts all figures to one JSON object {"tables": […]}.
std::string as_json(const Figures& figures);
// Converts runtime errors to a JSON array of {trap, details, place, count, first_game}.
std::string as_json(const std::vector<api::FailureCount>& failures);
// Converts a table to CSV, one line per row.
std::string as_csv(const FigureTable& table);

}   // namespace cardwright::statistics
