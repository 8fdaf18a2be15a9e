// The built-in figures, counted from what a Program notes of itself (runtime/ops/note.h): one for each thread, added up
// at the end. Its size does not depend on how many games there were.
#pragma once

#include <cstdint>
#include <vector>

#include "play/noting.h"
#include "api/tally.h"
#include "cardwright/figures.hpp"
#include "program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api {

class FigureTally final : public detail::FigureNotes {
 public:
  explicit FigureTally(const Program& program);

  void note(const Note& note) override;
  void turn_began(Int player) override;
  // The game with this index ended as the rules say, and this is its last State. Without it, it is as if it had not
  // been.
  void finish(std::uint64_t index, const Byte* state);
  void forget();
  void add(const FigureTally& other);
  BuiltInFigures report() const;

 private:
  static constexpr std::size_t kBatches = 32;    // of games, by index: what varies between them is the interval
  static constexpr std::size_t kDraws = 64, kRefills = 4, kStrata = kDraws * kRefills;
  struct Wins {
    std::uint32_t players = 0, wins = 0;
  };
  struct Draw {
    std::uint16_t stratum, kind;
    std::uint8_t player;
  };
  struct Card {                                  // by kind
    std::uint64_t drawn = 0, taken = 0, played = 0, discarded = 0, held = 0, left = 0, turns = 0;
  };
  struct Pace {
    std::uint64_t decisions = 0, turns = 0, own = 0, dead = 0, waits = 0, waited = 0, in_turns = 0;
  };

  void start();
  void moved(Int card);
  void decided(Int player, Int options);
  void chosen(Int id);
  void end_turn();
  bool is_hand(Int instance) const;
  void refill(Int pile);
  const Wins& of_kind(std::size_t batch, std::size_t stratum, std::size_t kind) const {
    return by_kind_[(batch * kStrata + stratum) * kinds_ + kind];
  }
  // Weighted mean over the draws, of the batches from `from` to `to`; NaN where there are none.
  double effect(std::size_t kind, std::size_t from, std::size_t to) const;

  const Program& program_;
  const std::size_t kinds_;
  std::vector<Int> start_;                       // by card, the instance in which it begins, or -1
  std::vector<Int> start_sizes_;
  // of all games
  std::uint64_t games_ = 0;
  std::vector<std::uint64_t> offered_, taken_, games_with_;   // by action
  std::vector<Card> cards_;
  Pace pace_;
  Histogram options_;
  std::vector<std::uint64_t> tenth_sum_, tenth_count_;
  std::vector<Wins> by_draw_, by_kind_;          // batch, stratum (and kind)
  // of this game
  std::vector<std::uint32_t> offered_now_, taken_now_;
  std::vector<std::size_t> touched_;
  std::vector<Card> cards_now_;
  Pace pace_now_;
  std::vector<Int> options_now_;
  std::vector<Draw> draws_;
  std::vector<Int> where_, sizes_, since_;       // by card: where it lies, and since which turn; by instance
  std::vector<Int> drawn_by_, others_since_;     // by player
  std::vector<bool> decided_before_;
  Int from_ = 0, to_ = 0, refills_ = 0;
  Int decider_ = -1, turn_player_ = -1, turn_ = 0;
  bool by_action_ = false, own_decision_ = false;
};

}  // namespace cardwright::api
