// What a generated ruleset is checked for, and what came of it.
#pragma once

#include <cstdint>
#include <string>

namespace cardwright::test {

struct Checks {
  bool jit = true;
  int games = 3;
  std::uint64_t seed = 1;   // of players, options and games
};

struct Checked {
  std::string wrong;   // "interpreter: …"; "refused: …" if it did not compile
  std::uint64_t decisions = 0, games = 0, failed = 0;   // failed: ended by a trap
};

// What takes long a ruleset has in its turn, which its seed says: so a thousand take a third of the time, and still
// have all of it.
//   tables    `check`, then a game at every pair of options      verified   the verifier's word after each pass
//   forms     forms of the IR that only the JIT makes            text       IR printed and read
struct Rota {
  bool tables, forms, text, verified;
  explicit Rota(std::uint64_t seed)
      : tables(seed % 32 == 0), forms(seed % 8 == 1), text(seed % 8 == 2), verified(seed % 4 == 1) {}
};

}   // namespace cardwright::test
