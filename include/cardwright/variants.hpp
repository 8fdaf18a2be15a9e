// What a ruleset leaves open: its options as a matrix, all of its variants tried out, and what differs between two
// rulesets.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

// ------------------------------------------------------------------ the matrix

struct OptionRelation {
  std::string kind;   // "implies", "conflict", "require", "void", "warn"
  std::string one, other, unless;   // conditions, as written
  std::string why;
  std::string place;   // "kill_shot.rules:24"
  std::string text() const;   // as in rules: "conflict briefing with night_mission"
};
struct Preset {
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;
};
std::vector<OptionRelation> relations(const Ruleset& rules);
std::vector<Preset> presets(const Ruleset& rules);

struct Combinations {
  int players = 0;
  bool counted = true;   // false: some options depend on each other in more than 200,000 ways
  std::uint64_t legal = 0;   // settings that nothing refuses; at most 10^18
  std::uint64_t distinct = 0;   // games among them: `implies` and `void` make some the same
};
Combinations combinations(const Ruleset& rules, int players);

// ------------------------------------------------------------------ trying all of them

struct TrySettings {
  int players = 0;   // 0: every number
  std::uint64_t games = 10;   // of each
  std::uint64_t seed = 1;
  int threads = 0;
  std::uint64_t most = 10'000;   // tables; where there are more, so many of them, evenly spread
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  const std::atomic<bool>* stop = nullptr;
};
struct TryFailure {
  Configuration configuration;   // only what is not at its default
  Report report;   // it doesn't compile …
  std::optional<Failure> failure;   // … or a rule went wrong
  std::uint64_t game = 0;   // in this game of the run
};
struct Tried {
  std::vector<Combinations> combinations;   // per number of players
  std::uint64_t tables = 0;   // every different game for every number of players
  std::uint64_t left_out = 0;   // of these: not looked at
  std::uint64_t games = 0;
  double seconds = 0;
  bool stopped = false;
  std::vector<TryFailure> failures;
};
// Compiles every different game for every number of players, as far as `most` allows, and plays some random games of
// each on the interpreter. An option that is a number with more than 12 values is tried at its default and its ends.
// Throws Error(caller) when there are more than a million.
Tried try_variants(const Ruleset& rules, const TrySettings& settings);

// ------------------------------------------------------------------ what differs

struct Difference {
  std::string change;   // "added", "removed", "changed", or "replaced" when another file has its own
  std::string kind,
      name;   // "event", "lose"; "copies of", "Miss"; what is said of an event or value has no kind: "after lose of
      // Bob"
  std::string from_place, to_place;   // "splash.rules:131"; empty where there is none
  // What goes ("-") and what comes ("+"), as written; as it is understood where the words are the same.
  std::vector<std::string> lines;
};
// What makes the second table another game than the first, in the order of the rules. Throws Error like
// Ruleset::compile.
std::vector<Difference> diff(const Ruleset& from, const Configuration& from_configuration, const Ruleset& to,
                             const Configuration& to_configuration);

}   // namespace cardwright::api
