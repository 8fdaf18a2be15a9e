// Games written by hand in C++, as fast as we know how: what the compiler's output is measured against.
// Same rules, same options in the same order, same streams of chance; tests/system/handwritten_test.cpp compares final
// states.
#pragma once

#include <cstdint>
#include <vector>

namespace handwritten {

// A finished game, told in the words of its ruleset. Cards are numbered as the compiler numbers them.
struct Final {
  struct Zone {
    const char* name;
    int owner;   // seat, or -1
    std::uint64_t cards[2];
    // then: those whose order is drawn, from below to the top; the rest is shuffled
    bool pile = false;
    std::vector<std::uint8_t> top = {}, bottom = {};   // bottom: from its upmost to the bottommost card
  };
  struct Value {
    const char* name;
    int index;
    std::int64_t value;   // or a set of cells
  };
  std::uint64_t decisions = 0;
  std::uint64_t winners = 0;   // mask of seats
  std::uint64_t in_game = 0;
  std::vector<std::uint64_t> streams;   // chance, then each player's
  std::vector<Zone> zones;
  std::vector<Value> values;   // none is told by leaving it out
};

struct Played {
  std::uint64_t decisions = 0;
  std::uint64_t winners = 0;   // sum of the masks, so that nobody can leave the games out
};

struct Reference {
  const char* game;
  int players;
  Played (*play)(std::uint64_t seed, std::uint64_t first_game, std::uint64_t games);
  Final (*finish)(std::uint64_t seed, std::uint64_t game);   // the same code, which also keeps what no rule reads
};

// In ns: a random number of which nothing waits for the one before, and what it costs beside that if the processor
// foresees wrongly which way the rules go with it.
struct Limits {
  double random = 0, wrongly_foreseen = 0;
};
Limits measure_limits();

extern const Reference kCrazyEights2, kCrazyEights5, kHearts, kConnectFour, kSplash;
inline constexpr const Reference* kReferences[] = {&kCrazyEights2, &kCrazyEights5, &kHearts, &kConnectFour, &kSplash};

}   // namespace handwritten
