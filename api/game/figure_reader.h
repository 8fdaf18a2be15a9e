// Reads the notes that a Program records while a game is played (runtime/ops/note.h), and computes the standard figures
// of that game. Must be used by one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api::detail {

// Standard figures of one game.
struct FiguredGame {
  static constexpr std::size_t kDraws = 64, kRefills = 4, kStrata = kDraws * kRefills;
  struct Card {   // by card type; see CardFigure
    std::uint32_t drawn = 0, taken = 0, played = 0, discarded = 0, held = 0, left = 0;
    std::uint64_t turns = 0;
  };
  struct Pace {
    std::uint64_t decisions = 0, turns = 0, own = 0, dead = 0, waits = 0, waited = 0, in_turns = 0;
  };
  // A card that a player drew, with the number of the player's draws up to it, and the number of refills before it.
  struct Draw {
    std::uint16_t stratum, kind;
    std::uint8_t player;
  };
  // A card that a player chose.
  struct Choice {
    std::uint16_t kind;
    std::uint8_t player;
  };

  std::vector<std::uint32_t> offered, taken;   // by action
  std::vector<std::uint32_t> actions;   // indexes of actions with a nonzero entry
  std::vector<Card> cards;
  Pace pace;
  std::vector<Int> options;   // number of options of each decision that has several
  std::vector<Draw> draws;
  std::vector<Choice> choices;
};

class FigureReader {
 public:
  explicit FigureReader(const Program& program);

  void read(const Note* from, const Note* to);
  void turn_began(Int player);
  // Stores the figures of the game in `out`, whose memory is reused, and resets the reader for the next game.
  void finish(FiguredGame& out);
  void begin();

 private:
  void decided(Int player, Int options);
  void chosen(Int id);
  void moved(Int card);
  void end_turn();
  void refill(Int pile);
  void touch(std::size_t action) {
    if (game_.offered[action] == 0 && game_.taken[action] == 0)
      game_.actions.push_back(static_cast<std::uint32_t>(action));
  }
  std::size_t kind_of(std::size_t card) const {
    return static_cast<std::size_t>(program_.cards[card].kind < 0 ? 0 : program_.cards[card].kind);
  }

  const Program& program_;
  std::vector<Int> start_;   // by card: instance of its initial zone, or -1
  std::vector<Int> start_sizes_;
  std::vector<std::uint8_t> is_hand_;   // by instance: true for a player's zone that is not visible to all players
  FiguredGame game_;
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
