// Defines the settings of the checks on a generated ruleset, and their result.
#pragma once

#include <cstdint>
#include <string>

namespace cardwright::test {

struct Checks {
  bool jit = true;
  int games = 3;
  std::uint64_t seed = 1;   // selects the number of players, options and games
};

struct Checked {
  std::string wrong;   // empty, or the failure: "interpreter: …", or "refused: …" if the ruleset did not compile
  std::uint64_t decisions = 0, games = 0, failed = 0;   // failed: ended by a trap
};

// Selects expensive checks, which run only for some seeds. This reduces the time to a third, and every thousand seeds
// still run all checks many times.
//   tables    `check`, and a game for each variant of a pairwise cover   verified   the verifier after each pass
//   forms     the forms of the IR that only the JIT uses                 text       printing and parsing of the IR
struct Rota {
  bool tables, forms, text, verified;
  explicit Rota(std::uint64_t seed)
      : tables(seed % 32 == 0), forms(seed % 8 == 1), text(seed % 8 == 2), verified(seed % 4 == 1) {}
};

}   // namespace cardwright::test
