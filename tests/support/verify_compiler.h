// Runs the verifier on all compiler output for a ruleset: after lowering, after each pass, and in all forms.
#pragma once

#include <string>

#include "api/compile/compile.h"
#include "compiler/driver/driver.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"
#include "api/game/game_data.h"
#include "tests/support/pairwise_cover.h"

namespace cardwright::test {

// Compiles the rules with this configuration, even if they have been compiled before, and returns the verifier's first
// error; empty if there is none. Throws Error like compile().
inline std::string refused_by_verifier(const api::Ruleset& rules, const api::Configuration& table) {
  const auto model = api::detail::analyze(*rules.data(), api::detail::complete(*rules.data(), table));
  Diagnostics diagnostics(rules.data()->sources);
  const passes::Verified verified;
  const auto program = driver::make_program(*model, diagnostics, table.plain);
  if (!program) return in_words(table) + ": is too large\n";
  ir::Module plain = passes::as_playout(*program, false);
  passes::outline_cold(plain);
  passes::as_playout(*program, true);
  passes::as_finishing(*program);
  return verified.problems().empty() ? std::string() : in_words(table) + ": " + verified.problems().front() + "\n";
}

// Returns the errors for a pairwise cover of numbers of players and options, and for one configuration without
// optimizations.
inline std::string refused_by_verifier(const api::Ruleset& rules) {
  std::string all;
  std::vector<api::Configuration> tables = pairwise_cover(rules);
  tables.push_back(tables.front());
  tables.back().plain = true;
  for (const api::Configuration& table : tables) all += refused_by_verifier(rules, table);
  return all;
}

}   // namespace cardwright::test
