// Splits a run of many games into parts, which can be played on several machines, at different times, or again after a
// crash. A part stores only integers, so adding the parts of a run in any order gives exactly the result of an
// undivided run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

// Games [from, to) of a run; 0 is the first game of the run.
struct GameRange {
  std::uint64_t from = 0, to = 0;
  bool operator==(const GameRange&) const = default;
};

// Returns the games of part `index` (from 1) of `count`. Throws Error(caller) if `index` is out of range.
GameRange shard(std::uint64_t games, std::uint64_t index, std::uint64_t count);

// A set of disjoint, non-adjacent ranges in ascending order.
class Covered {
 public:
  // Throws Error(caller) if the ranges overlap.
  void add(GameRange range);
  void add(const Covered& other);
  void remove(std::uint64_t game);
  const std::vector<GameRange>& ranges() const { return ranges_; }
  // Returns the ranges within `of` that are not covered.
  std::vector<GameRange> missing(GameRange of) const;
  std::uint64_t count() const;

 private:
  std::vector<GameRange> ranges_;
};

// Settings for saving intermediate results. `save` is called at intervals during play, when the results of all finished
// games have been added.
struct Checkpoint {
  std::function<void()> save;
  double every = 60;   // time between calls of `save`, in seconds
  const std::atomic<bool>* now = nullptr;   // requests an immediate call of `save`, which must clear this flag
};

// Results of some games of a simulation.
class SimulationPart {
 public:
  // Creates an empty part of a run of `settings.games` games. Throws Error(caller) like simulate().
  SimulationPart(const Game& game, const SimulateSettings& settings);
  // Reads the output of text(). Throws Error(caller) if it is damaged, or belongs to another game or version.
  static SimulationPart read(const Game& game, const std::string& text);
  ~SimulationPart();
  SimulationPart(SimulationPart&&) noexcept;
  SimulationPart& operator=(SimulationPart&&) noexcept;

  // Plays the missing games of this range with the threads of `settings`; stops early when `settings.stop` is set.
  void play(GameRange games, const SimulateSettings& settings, const Checkpoint& checkpoint = {});
  // Throws Error(caller) if `other` belongs to another run, or both contain the same game.
  void add(const SimulationPart& other);
  const Covered& covered() const;
  std::vector<GameRange> missing(GameRange of) const;   // games of this range that are not in this part
  const SimulateSettings& settings() const;   // settings of the whole run
  Statistics statistics() const;
  std::string text() const;

 private:
  struct Data;
  explicit SimulationPart(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

// ------------------------------------------------------------------ part files

// The header of a part, which can be read before the games are compiled.
struct PartHead {
  std::string command;   // "simulate", "compare", "skill"
  struct Table {
    std::string rules, measures;   // arguments of Ruleset::load
    Configuration configuration;
  };
  std::vector<Table> games;   // two for a comparison, otherwise one
  std::string run;   // all settings of the run, as JSON
};
// Throws Error(caller) if the text is not a part file, or is damaged.
PartHead part_head(const std::string& text);
// Describes the first difference between the runs of two parts: "option `reward` is optional there and mandatory here".
// Empty if both belong to the same run.
std::string difference_of_runs(const PartHead& there, const PartHead& here);

// Writes a temporary file and renames it, so that readers never see an incomplete file. Throws Error(internal) on
// failure.
void write_whole(const std::string& path, const std::string& text);
// Throws Error(caller) if the file cannot be read.
std::string read_whole(const std::string& path);

}   // namespace cardwright::api
