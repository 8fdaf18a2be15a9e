// Games played to their end one by one, and what each of them came to: the rows that are averaged, compared and drawn.
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

// One figure that every game has, or has where somebody is at the table.
struct ObservedRow {
  enum class Kind : std::uint8_t {
    share,   // from 0 to `one`, which stands for 1
    amount,   // any number; `one` of it is 1
  };
  std::string group;   // "length", "over because", "wins by seat"; rows of one group have one unit
  std::string name;   // "turns", "a", "Kimmy"; unique in its group
  Kind kind = Kind::share;
  std::int64_t one = 1;   // a value of so much is 1
  bool is_main = true;   // a run that compares goes on until these are decided

  bool operator==(const ObservedRow&) const = default;
};

// Of one game and row.
struct Observation {
  std::int64_t value = 0;
  bool there = false;   // false: this game says nothing about it (nobody played that character)
};

// Plays games as simulate() does: game `index` of the run `seed` is the same game. For one thread.
class ObservedGames {
 public:
  // Throws Error(caller) for settings that simulate() refuses.
  ObservedGames(const Game& game, const SimulateSettings& settings);
  ~ObservedGames();
  ObservedGames(ObservedGames&&) noexcept;
  // What rows there can be; the same for every run of this game.
  const std::vector<ObservedRow>& rows() const;
  // Plays that game, and says what each row came to; `out` has a place for each row.
  void play(std::uint64_t index, std::span<Observation> out);
  // Who drew which card in the last game, and won; see simulation/figure_tally.h. Nothing of one that a rule ended.
  void add_draws(std::uint64_t index, DrawWins& into) const;
  // Of the last game: why a rule ended it, null if none did.
  const Failure* failure() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}   // namespace cardwright::api
