// Plays games one by one and returns the observed values of each game, from which averages, comparisons and plots are
// computed.
//
//   ObservedGames games(game, {.seed = 1});
//   std::vector<Observation> seen(games.rows().size());
//   games.play(17, seen);                             // game 17 of the run
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

class DrawWins;

// One figure of a game, for example a length or a seat's win.
struct ObservedRow {
  enum class Kind : std::uint8_t {
    share,   // a number from 0 to `one`, which represents 1
    amount,   // any number, in units of 1 / `one`
  };
  std::string group;   // "length", "endings", "wins by seat"; rows of a group have the same unit
  std::string name;   // "turns", "a", "Kimmy"; unique in its group
  Kind kind = Kind::share;
  std::int64_t one = 1;   // scale factor: the integer that represents the value 1
  bool is_main = true;   // a comparison runs until the main rows are decided

  bool operator==(const ObservedRow&) const = default;
};

struct Observation {
  std::int64_t value = 0;
  bool there = false;   // false if the game has no value (for example, if no player had that character)
};

// Plays the same games as simulate(): game `index` of the run `seed` is identical. Must be used by one thread at a
// time.
class ObservedGames {
 public:
  // Throws Error(caller) for settings that simulate() rejects.
  ObservedGames(const Game& game, const SimulateSettings& settings);
  ~ObservedGames();
  ObservedGames(ObservedGames&&) noexcept;
  // Returns all possible rows, which are the same for every run of this game.
  const std::vector<ObservedRow>& rows() const;
  // Plays game `index` and stores the value of each row in `out`, which must have rows().size() elements.
  void play(std::uint64_t index, std::span<Observation> out);
  // Adds the last game's draws of cards and winners to `into`. Adds nothing if a runtime error ended that game.
  void add_draws(std::uint64_t index, DrawWins& into) const;
  // Returns the runtime error that ended the last game; null if there was none.
  const Failure* failure() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}   // namespace cardwright::api
