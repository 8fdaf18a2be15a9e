// Reads the notes that a Program records while a game is played (runtime/ops/note.h), and computes the values of the
// standard measures in that game. Must be used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "api/game/measured_game.h"
#include "runtime/program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api::detail {

class FigureReader {
 public:
  FigureReader(const Program& program, GameSums& sums);

  void read(const Note* from, const Note* to);
  void turn_began(Int player);
  // Adds the values that are known only when the game ends, stores the game's options and draws in `out`, and resets
  // the reader. `winners` is the mask of the winners.
  void finish(std::uint64_t winners, MeasuredGame& out);
  void begin();

 private:
  struct Choice {   // a card that a player chose
    std::uint16_t kind;
    std::uint8_t player;
  };
  void decided(Int player, Int options);
  void chosen(Int id);
  void moved(Int card);
  void end_turn();
  void refill(Int pile);
  void add_tenths();
  void add(standard::Index measure, std::size_t cell, std::int64_t sum, std::int64_t count = 1) {
    rows_[measure].add(cell, sum, count);
  }
  std::size_t kind_of(std::size_t card) const {
    return static_cast<std::size_t>(program_.cards[card].kind < 0 ? 0 : program_.cards[card].kind);
  }

  const Program& program_;
  GameSums& sums_;
  std::array<GameSums::Row, standard::count_of_measures> rows_;
  std::vector<Int> bases_;   // by action: its ActionInfo::base
  std::vector<Int> start_;   // by card: instance of its initial zone, or -1
  std::vector<Int> start_sizes_;
  std::vector<std::uint8_t> is_hand_;   // by instance: true for a player's zone that is not visible to all players
  std::vector<Int> options_;   // number of options of each decision with several options
  std::vector<CardDraw> draws_;
  std::vector<Choice> choices_;
  // By card: its zone (where_), and the turn in which it arrived there (since_). By instance: its size (sizes_).
  std::vector<Int> where_, sizes_, since_;
  std::vector<Int> drawn_by_, others_since_;   // by player
  std::vector<std::uint8_t> decided_before_;
  Int from_ = 0, to_ = 0, refills_ = 0;
  Int decider_ = -1, turn_player_ = -1, turn_ = 0;
  bool by_action_ = false, own_decision_ = false;
  // State of the last decision. The first cards that move after a decision with several options are the chosen cards.
  bool is_open_ = false, was_chosen_ = false, is_choice_ = false;
};

}   // namespace cardwright::api::detail
