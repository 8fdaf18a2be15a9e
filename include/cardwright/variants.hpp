// Analyzes variants of a ruleset: lists its options as a matrix, tests all combinations, and finds the differences
// between two rulesets.
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

// ------------------------------------------------------------------ option matrix

struct OptionRelation {
  std::string kind;   // "implies", "conflict", "require", "void", "warn"
  std::string one, other, unless;   // conditions, as written in the rules
  std::string why;
  std::string place;   // "kill_shot.rules:24"
  std::string text() const;   // returns the rule in the syntax of rules files: "conflict briefing with night_mission"
};
struct Preset {
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;
};
std::vector<OptionRelation> relations(const Ruleset& rules);
std::vector<Preset> presets(const Ruleset& rules);

struct Combinations {
  int players = 0;
  bool counted = true;   // false if a group of dependent options has more than 200,000 combinations
  std::uint64_t legal = 0;   // number of combinations that no rule rejects; at most 10^18
  std::uint64_t distinct = 0;   // number of different games among these; `implies` and `void` make some equal
};
Combinations combinations(const Ruleset& rules, int players);

// ------------------------------------------------------------------ testing all variants

struct TrySettings {
  int players = 0;   // 0: every number of players
  std::uint64_t games = 10;   // games per variant
  std::uint64_t seed = 1;
  int threads = 0;
  std::uint64_t most = 10'000;   // maximum number of tables; a larger matrix is sampled evenly
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  const std::atomic<bool>* stop = nullptr;
};
struct TryFailure {
  Configuration configuration;   // contains only options that differ from their defaults
  Report report;   // errors, if the variant does not compile
  std::optional<Failure> failure;   // the runtime error in the rules, if the variant compiles
  std::uint64_t game = 0;   // index of the failed game in the run
};
struct Tried {
  std::vector<Combinations> combinations;   // per number of players
  std::uint64_t tables = 0;   // number of different games, summed over numbers of players
  std::uint64_t left_out = 0;   // number of these games that were not tested
  std::uint64_t games = 0;
  double seconds = 0;
  bool stopped = false;
  std::vector<TryFailure> failures;
};
// Compiles every distinct game for every number of players, up to the limit `most`, and plays random games of each on
// the interpreter. A number option with more than 12 values is tested at its default, minimum and maximum. Throws
// Error(caller) if there are more than a million variants.
Tried try_variants(const Ruleset& rules, const TrySettings& settings);

// ------------------------------------------------------------------ differences

struct Difference {
  std::string change;   // "added", "removed", "changed", or "replaced" if a declaration in another file replaces it
  // Examples: "event", "lose"; "copies of", "Miss". Hooks of an event or value have no kind: "after lose of Bob".
  std::string kind, name;
  std::string from_place, to_place;   // place in each ruleset: "splash.rules:131"; empty if it does not exist there
  // Removed ("-") and added ("+") lines of source text; in normalized form if the source texts are equal.
  std::vector<std::string> lines;
};
// Returns the differences between the rules of two tables that affect the game, in source order. Throws Error like
// Ruleset::compile.
std::vector<Difference> diff(const Ruleset& from, const Configuration& from_configuration, const Ruleset& to,
                             const Configuration& to_configuration);

}   // namespace cardwright::api
