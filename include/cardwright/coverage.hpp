// Coverage of a rules file by its scenarios, and mutants: changed rules that a scenario should notice.
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
  std::string name;   // the head of the declaration: "action bid", "Hat: forbid lay when me.tired"
  std::string file;   // its name in messages
  int line = 0;
  RuleOwner owner = RuleOwner::file;
  std::uint64_t reached = 0;   // how often it took effect
  // actions and plays: in how many decisions it was offered, and taken
  std::optional<std::uint64_t> offered, taken;
};
struct CoveredStatement {
  std::string file;
  int line = 0;
  RuleOwner owner = RuleOwner::file;
  std::uint64_t reached = 0;   // how often it was executed
};
// A game option, and in how many scenarios it had each value. A number lists only its standard value and those it had.
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

// Plays the scenarios of the file on the interpreter, compiled without short cuts. Throws Error(author).
Coverage measure_coverage(const Ruleset& rules, std::string_view filter = {});
// As an lcov tracefile (geninfo's format): rules as functions, statements as lines.
std::string lcov(const Coverage& coverage);

// The rules of the file itself, not of its base and libraries, that took no effect in uniformly random games of one
// table: triggers, modifiers, permissions, endings, actions and plays, in the order of the file, as "rules.rules:12:
// forbid take when me.tired". Long games are cut short. Throws Error like Ruleset::compile.
std::vector<std::string> rules_without_effect(const Ruleset& rules, const Configuration& configuration,
                                              std::uint64_t games = 100, std::uint64_t seed = 1);

// ------------------------------------------------------------------ mutants

// A small change of a rule. A scenario that tests the rule fails with it.
struct Mutant {
  std::string place;   // "bids.rules:12"
  std::string change;   // "`forbid lay when me.tired` left out", "`<` to `<=` in `n < best`"
  // killed: a scenario fails, `by`. survived: all pass. unreached: no scenario reaches the rule, so it was not tried.
  // invalid: the changed rules don't compile.
  enum class Fate : std::uint8_t { killed, survived, unreached, invalid } fate = Fate::killed;
  std::string by;
};
struct MutationSettings {
  std::string filter;   // only scenarios whose title contains it
  double seconds = 60;   // after which no further mutant is tried; 0: no limit
  std::uint64_t seed = 1;   // of the order in which mutants are tried
  int threads = 0;   // 0: one per core
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  const std::atomic<bool>* stop = nullptr;
};
struct Mutation {
  std::vector<Mutant> mutants;   // those that were tried, and the unreached; in the order of the file
  std::uint64_t total = 0;   // number of possible mutants
  std::uint64_t left = 0;   // number of mutants that were not tried, since the time was up
  std::uint64_t scenarios = 0;
  double seconds = 0;
};
// Changes each rule of the file in small ways, one at a time, and plays its scenarios. Throws Error: author (the rules
// have errors), caller (there are no scenarios, or some fail without any change).
Mutation test_mutants(const Ruleset& rules, const MutationSettings& settings = {});

}   // namespace cardwright::api
