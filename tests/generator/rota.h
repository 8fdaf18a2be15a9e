// Defines the settings of the checks on a generated ruleset, and their result.
#pragma once

#include <cstdint>
#include <string>

namespace cardwright::test {

struct Checks {
  bool jit = true;
  int games = 3;
  std::uint64_t seed = 1;   // selects players, options and games
};

struct Checked {
  std::string wrong;   // "interpreter: …"; "refused: …" if it did not compile
  std::uint64_t decisions = 0, games = 0, failed = 0;   // failed: ended by a trap
};

// Expensive checks run only for some seeds: this reduces the time to a third, and every
// thousand seeds still cover all checks.
//   tables    `check`, then a game at every pair of options      verified   the verifier after each pass
//   forms     forms of the IR that only the JIT makes            text       printing and parsing of the IR
struct Rota {
  bool tables, forms, text, verified;
  explicit Rota(std::uint64_t seed)
      : tables(seed % 32 == 0), forms(seed % 8 == 1), text(seed % 8 == 2), verified(seed % 4 == 1) {}
};

}   // namespace cardwright::test
