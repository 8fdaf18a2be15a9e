// Declares games written by hand in C++ for maximum speed, with which the compiler's output is compared. They have the
// same rules, the same options in the same order and the same random streams; tests/bench/handwritten_test.cpp compares
// the final states.
#pragma once

#include <cstdint>
#include <vector>

namespace handwritten {

// The final state of a game, with the names of its ruleset and the compiler's card ids.
struct Final {
  struct Zone {
    const char* name;
    int owner;   // seat, or -1
    std::uint64_t cards[2];
    // True for a pile. `top` contains the cards at its top whose order is determined, from lowest to highest; `bottom`
    // contains those at its bottom. The order of the other cards is random.
    bool pile = false;
    std::vector<std::uint8_t> top = {}, bottom = {};   // from highest to lowest
  };
  struct Value {
    const char* name;
    int index;
    std::int64_t value;   // the value; for a set of cells, its mask
  };
  std::uint64_t decisions = 0;
  std::uint64_t winners = 0;   // mask of seats
  std::uint64_t in_game = 0;
  std::vector<std::uint64_t> streams;   // the table's stream, then one per player
  std::vector<Zone> zones;
  std::vector<Value> values;   // values equal to `none` are omitted
};

struct Played {
  std::uint64_t decisions = 0;
  std::uint64_t winners = 0;   // sum of the masks, so that the compiler can't remove the games
};

struct Reference {
  const char* game;
  int players;
  Played (*play)(std::uint64_t seed, std::uint64_t first_game, std::uint64_t games);
  Final (*finish)(std::uint64_t seed, std::uint64_t game);   // plays one game, and also stores state that no rule reads
};

// Two times in nanoseconds: the time per random number, and the additional cost of a mispredicted branch that depends
// on a random number.
struct Limits {
  double random = 0, mispredicted_branches = 0;
};
Limits measure_limits();

extern const Reference kCrazyEights2, kCrazyEights5, kHearts, kConnectFour, kSplash;
inline constexpr const Reference* kReferences[] = {&kCrazyEights2, &kCrazyEights5, &kHearts, &kConnectFour, &kSplash};

}   // namespace handwritten
