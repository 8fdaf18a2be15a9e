// Variants of a ruleset: its options as a matrix, a test of all combinations, and the differences between two rulesets.
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
  std::uint64_t legal = 0;   // combinations that no rule rejects; at most 10^18
  std::uint64_t distinct = 0;   // different games among them: `implies` and `void` make some equal
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
  Configuration configuration;   // only options with other than default values
  Report report;   // errors, if it does not compile
  std::optional<Failure> failure;   // otherwise the runtime error in the rules
  std::uint64_t game = 0;   // index of the failed game in the run
};
struct Tried {
  std::vector<Combinations> combinations;   // per number of players
  std::uint64_t tables = 0;   // number of different games, summed over numbers of players
  std::uint64_t left_out = 0;   // of these: not tested
  std::uint64_t games = 0;
  double seconds = 0;
  bool stopped = false;
  std::vector<TryFailure> failures;
};
// Compiles every different game for every number of players, up to the limit `most`, and plays random games of each on
// the interpreter. A number option with more than 12 values is tested at its default, minimum and maximum. Throws
// Error(caller) if there are more than a million variants.
Tried try_variants(const Ruleset& rules, const TrySettings& settings);

// ------------------------------------------------------------------ differences

struct Difference {
  std::string change;   // "added", "removed", "changed", or "replaced" when another file has its own
  // "event", "lose"; "copies of", "Miss". Hooks of an event or value have no kind: "after lose of Bob".
  std::string kind, name;
  std::string from_place, to_place;   // "splash.rules:131"; empty if there is none
  // Removed ("-") and added ("+") lines, as written; normalized if the source text is the same.
  std::vector<std::string> lines;
};
// Differences that make the second table another game than the first, in source order. Throws Error like
// Ruleset::compile.
std::vector<Difference> diff(const Ruleset& from, const Configuration& from_configuration, const Ruleset& to,
                             const Configuration& to_configuration);

}   // namespace cardwright::api
