// Measures which rules of a file its scenarios reach, and tests mutants: small changes of the rules that a scenario
// should detect.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cardwright/tools.hpp"

namespace cardwright::api {

// ------------------------------------------------------------------ coverage

// The file that declares a rule: the file itself, a game that it extends, or a library.
enum class RuleOwner : std::uint8_t { file, base, library };
std::string_view name_of(RuleOwner owner);   // "file", "base", "library"

struct CoveredRule {
  std::string kind;   // "action", "forbid", "value", "card", "choice", …
  std::string name;   // start of the declaration: "action bid", "Hat: forbid lay when me.tired"
  std::string file;   // file name as shown in messages
  int line = 0;
  RuleOwner owner = RuleOwner::file;
  std::uint64_t reached = 0;   // number of times it had an effect
  // For actions and plays: number of decisions in which it was offered, and in which it was taken. Otherwise empty.
  std::optional<std::uint64_t> offered, taken;
};
struct CoveredStatement {
  std::string file;
  int line = 0;
  RuleOwner owner = RuleOwner::file;
  std::uint64_t reached = 0;   // number of times it was executed
};
// A game option, and the number of scenarios per value. For a number option, only the default and the values that
// scenarios use are listed.
struct CoveredOption {
  std::string name;
  std::vector<std::pair<std::string, std::uint64_t>> values;
};
struct Coverage {
  std::vector<CoveredRule> rules;   // in the order of the files
  std::vector<CoveredStatement> statements;
  std::vector<CoveredOption> options;
  std::uint64_t scenarios = 0, failed = 0;
};

// Plays the scenarios of the file on the interpreter, without optimizations. Throws Error(author).
Coverage measure_coverage(const Ruleset& rules, std::string_view filter = {});
// Converts the coverage to an lcov tracefile (geninfo's format), in which rules are functions and statements are lines.
std::string lcov(const Coverage& coverage);

// Returns the rules of the file itself, not of its base and libraries, that had no effect in uniformly random games at
// one table: triggers, modifiers, permissions, endings, actions and plays, in source order, for example
// "rules.rules:12: forbid take when me.tired". Stops long games early. Throws Error like Ruleset::compile.
std::vector<std::string> rules_without_effect(const Ruleset& rules, const Configuration& configuration,
                                              std::uint64_t games = 100, std::uint64_t seed = 1);

// ------------------------------------------------------------------ mutants

// A small change of a rule. If a scenario tests the rule, the scenario fails with this change.
struct Mutant {
  std::string place;   // "bids.rules:12"
  std::string change;   // "`forbid lay when me.tired` left out", "`<` to `<=` in `n < best`"
  // The result of testing the mutant: `killed`: a scenario fails, and `by` names it. `survived`: all scenarios pass.
  // `unreached`: no scenario reaches the rule, so the mutant was not tested. `invalid`: the changed rules do not
  // compile.
  enum class Fate : std::uint8_t { killed, survived, unreached, invalid } fate = Fate::killed;
  std::string by;
};
struct MutationSettings {
  std::string filter;   // plays only scenarios whose title contains this text
  double seconds = 60;   // time limit, after which no further mutant is tested; 0: none
  std::uint64_t seed = 1;   // seed for the order in which mutants are tested
  int threads = 0;   // 0: one per core
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  const std::atomic<bool>* stop = nullptr;
};
struct Mutation {
  std::vector<Mutant> mutants;   // tested and unreached mutants, in source order
  std::uint64_t total = 0;   // number of possible mutants
  std::uint64_t left = 0;   // number of mutants that were not tested because of the time limit
  std::uint64_t scenarios = 0;
  double seconds = 0;
};
// Applies each small change separately and plays the scenarios of the file. Throws Error: author (the rules have
// errors), caller (there are no scenarios, or some fail with the unchanged rules).
Mutation test_mutants(const Ruleset& rules, const MutationSettings& settings = {});

}   // namespace cardwright::api
