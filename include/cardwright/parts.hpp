// A run of many games in parts: on several machines, one after another, or again after a machine died. A part holds
// whole numbers only, so parts of one run add up in any order to what the run in one piece is, to the last bit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

// Games [from, to) of a run, counted from its first one.
struct GameRange {
  std::uint64_t from = 0, to = 0;
  bool operator==(const GameRange&) const = default;
};

// The games of part `index` (from 1) of `count`. Throws Error(caller) where there is no such part.
GameRange shard(std::uint64_t games, std::uint64_t index, std::uint64_t count);

// Ranges that don't touch, ascending.
class Covered {
 public:
  // Throws Error(caller) if some of it is there already.
  void add(GameRange range);
  void add(const Covered& other);
  void remove(std::uint64_t game);
  const std::vector<GameRange>& ranges() const { return ranges_; }
  // What is missing of [from, to).
  std::vector<GameRange> missing(GameRange of) const;
  std::uint64_t count() const;

 private:
  std::vector<GameRange> ranges_;
};

// Called now and then while games are played, with all of them that are finished written down.
struct Checkpoint {
  std::function<void()> save;
  double every = 60;   // seconds
  const std::atomic<bool>* now = nullptr;   // … and as soon as this is set, which is then cleared by `save`
};

// What some games of a simulation came to.
class SimulationPart {
 public:
  // Of the run of `settings.games` games; nothing is played yet. Throws Error(caller) like simulate().
  SimulationPart(const Game& game, const SimulateSettings& settings);
  // What text() wrote. Throws Error(caller) where it is damaged, or of another game or version.
  static SimulationPart read(const Game& game, const std::string& text);
  ~SimulationPart();
  SimulationPart(SimulationPart&&) noexcept;
  SimulationPart& operator=(SimulationPart&&) noexcept;

  // Plays what is missing of these games, with the threads of `settings`; ends early when its `stop` is set.
  void play(GameRange games, const SimulateSettings& settings, const Checkpoint& checkpoint = {});
  // Throws Error(caller) if it is of another run, or both have the same game.
  void add(const SimulationPart& other);
  const Covered& covered() const;
  std::vector<GameRange> missing(GameRange of) const;   // games of these that were not played
  const SimulateSettings& settings() const;   // of the whole run
  Statistics statistics() const;
  std::string text() const;

 private:
  struct Data;
  explicit SimulationPart(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

// ------------------------------------------------------------------ part files

// What a part is of, to be known before its games are compiled.
struct PartHead {
  std::string command;   // "simulate", "compare", "skill"
  struct Table {
    std::string rules, measures;   // what Ruleset::load takes
    Configuration configuration;
  };
  std::vector<Table> games;   // two of a comparison, else one
};
// Throws Error(caller) where the text is no part, or damaged.
PartHead part_head(const std::string& text);

// Writes beside the file and renames, so that it is whole whenever one looks. Throws Error(us) when that fails.
void write_whole(const std::string& path, const std::string& text);
// Throws Error(caller) where it can't be read.
std::string read_whole(const std::string& path);

}   // namespace cardwright::api
