// What many games say of a ruleset: figures with how sure one may be of them, and whether two games differ.
//
//   using namespace cardwright;
//   statistics::Comparison c = statistics::compare(splash, house, {});
//   for (const statistics::FigureTable& table : c.figures.tables) …
//
// The unit is the game: what several players of one game do depends on each other. An interval is of 95 % unless it
// says otherwise. Nothing depends on the number of threads or on the machine.
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
  std::optional<Interval> interval;   // none: too few games to say
  double deviation = 0;   // of a single game
  std::uint64_t games = 0;   // that say something about it
};

using Bin = api::Spread::Bin;   // games whose value lies in [from, to]

enum class Verdict : std::uint8_t {
  none,   // nothing is compared
  differs,
  same,   // its interval lies within the margin
  open,
};
std::string_view name_of(Verdict verdict);   // "differs", "same within the margin", "open"

struct Figure {
  std::string name;   // "turns", "a", "Kimmy"
  Estimate a;
  std::optional<Estimate> b;   // of the second game, and what it has more
  std::optional<Estimate> difference;
  Verdict verdict = Verdict::none;
  bool is_main = false;   // a comparison goes on until it is decided
  bool paired = true;   // the same deals on both sides were compared; else all with all
  // log of the e-value against there being no difference
  double log_evidence = 0;
  // of what the two games of a pair came to, from -1 to 1; NaN where it says nothing
  double correlation = std::numeric_limits<double>::quiet_NaN();
  std::optional<Interval> median, median_b;   // a range that holds it
  std::vector<Bin> histogram, histogram_b;
  // What belongs to the columns of its table, of the first and the second game; NaN where there is nothing to say.
  std::vector<double> cells, cells_b;
};

// What a designer asks when looking at a table, in the order in which one looks.
enum class Topic : std::uint8_t { broken, winning, length, pace, tension, cards, actions, measures };
std::string_view name_of(Topic topic);   // "broken", …
// Of the tables that every game has; `measures` for any other title.
Topic topic_of(std::string_view title);

struct FigureTable {
  std::string title;   // "wins by seat"
  std::string unit;   // "%": values are shares of 1; else what is counted, or empty
  std::vector<Figure> rows;
  std::vector<std::string> only_a, only_b;   // rows that only one of the games can have
  Topic topic = Topic::measures;
  std::string along;   // "turn", "tenth": rows are stretches of that, in order; empty: they are not
  std::vector<std::string> columns;   // further ones, "copies drawn"; each row has as many cells
  bool without_failed = false;   // its rows count only games that no error ended
};

struct Figures {
  std::vector<FigureTable> tables;
  std::uint64_t games = 0;   // played by each side
  std::uint64_t failed_a = 0, failed_b = 0;   // of these, games that an error ended
};

// The games that a table counts, if an error ended some: "only the 128 of 1,000 games that no error ended". Empty if
// the table counts all games. `a` and `b` name the sides; `b` is empty where there is one.
std::string counted_games(const Figures& figures, const FigureTable& table, std::string_view a, std::string_view b);

// ------------------------------------------------------------------ comparing

struct CompareProgress {
  std::uint64_t pairs = 0, most = 0;
  std::size_t open = 0, rows = 0;   // main rows that are open, of how many; at the last look
  std::uint64_t estimate = 0;   // pairs until all are decided, as it looks; at most `most`; 0: not known yet
};

struct CompareSettings {
  std::uint64_t pairs = 1'000'000;   // at most
  // Shares are the same if they differ by less than so much (0.01: a point), lengths and amounts by twice that part of
  // A's mean.
  double margin = 0.01;
  // If not 0: goes on until half of each main row's interval is no wider (of lengths: that part of A's mean), whatever
  // is decided.
  double until = 0;
  // Seed, first game, threads, policy and speeds of both; `games`, `progress` and `stop` of it are not looked at.
  api::SimulateSettings play;
  const std::atomic<bool>* stop = nullptr;   // ends early, with the last look
  std::function<void(const CompareProgress&)> progress;
};

enum class Stopped : std::uint8_t { decided, precise, exhausted, interrupted };
std::string_view name_of(Stopped stopped);   // "decided", …

struct Comparison {
  Figures figures;
  std::uint64_t pairs = 0;   // looked at in the end
  std::size_t looks = 0;
  Stopped stopped = Stopped::exhausted;
  std::size_t discoveries = 0, tested = 0;   // rows that differ, of how many that were tested
  double margin = 0;
  double seconds = 0;
  // Mean correlation of the main shares, and how many games would have been played more without pairs.
  double correlation = 0;
  std::uint64_t games_saved = 0;
  std::vector<api::FailureCount> failures_a, failures_b;
};

// Plays both games on the same seeds, pair by pair, and looks at n_k = ceil(250 · 2^(k/4)) pairs whether it is decided
// what differs. Throws Error(caller) for a margin or `until` outside (0, 1) and what simulate() refuses.
Comparison compare(const api::Game& a, const api::Game& b, const CompareSettings& settings);

// What some pairs of a comparison came to; parts of one add up in any order to what it is in one piece.
class ComparisonPart {
 public:
  // Nothing is played yet but what is decided beforehand. Throws Error(caller) like compare().
  ComparisonPart(const api::Game& a, const api::Game& b, const CompareSettings& settings);
  // What text() wrote. Throws Error(caller) where it is damaged, or of other games or another version.
  static ComparisonPart read(const api::Game& a, const api::Game& b, const std::string& text);
  ~ComparisonPart();
  ComparisonPart(ComparisonPart&&) noexcept;
  ComparisonPart& operator=(ComparisonPart&&) noexcept;

  // Plays what is missing of these pairs, with the threads, `stop` and `progress` of `settings`; ends early when it is
  // decided.
  void play(api::GameRange pairs, const CompareSettings& settings, const api::Checkpoint& checkpoint = {});
  // Throws Error(caller) if it is of another comparison, or both have the same pair.
  void add(const ComparisonPart& other);
  const api::Covered& covered() const;
  std::vector<api::GameRange> missing(api::GameRange of) const;   // none when it is decided
  const CompareSettings& settings() const;   // of the whole run
  bool is_decided() const;   // more pairs change nothing
  // As far as there are all pairs from the first one on.
  Comparison comparison() const;
  std::string text() const;

 private:
  struct Data;
  explicit ComparisonPart(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};
// Figures of a simulation, with intervals for its fixed number of games: also its measures and built-in figures, where
// they were asked for.
Figures figures_of(const api::Statistics& statistics);
Figures figures_of(const api::TensionFigures& tension);

// ------------------------------------------------------------------ printers

// Everything that there is, as one JSON object {"tables": […]}; and a table as CSV, a line a row.
std::string as_json(const Figures& figures);
// What went wrong, as an array of {trap, details, place, count, first_game}.
std::string as_json(const std::vector<api::FailureCount>& failures);
std::string as_csv(const FigureTable& table);

}   // namespace cardwright::statistics
