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

// Returns the verifier's first error; empty if there is none. Compiles again even if the table has been compiled
// before. Throws Error like compile().
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

// Returns the same for every number of players, with a pairwise cover of the options, and for one table without
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
