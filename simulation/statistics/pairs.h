// Pairs of games on the same seeds, shared out to threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/observing.hpp"
#include "cardwright/statistics.hpp"
#include "simulation/statistics/effects.h"
#include "simulation/statistics/interim_schedule.h"
#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

// What is looked at in both games, and what only one of them can have.
struct PairedRows {
  PairBatch pilot;   // games played beforehand, of which the run has none
  std::vector<PairedRow> both;
  std::vector<PairedCard> cards;   // … where figures of these are compared, how many kinds each game has
  std::size_t kinds_a = 0, kinds_b = 0;
  std::vector<api::ObservedRow> only_a, only_b;
  std::vector<std::string> groups;   // in the order of A, then of B

  PairBatch empty() const { return PairBatch(both.size(), kinds_a, kinds_b); }
};

// Which rows there are.
PairedRows rows_of(const std::vector<api::ObservedRow>& a, const std::vector<api::ObservedRow>& b);
// … and of cards, compared at the same draw.
void add_cards(PairedRows& rows, const api::Game& a, const api::Game& b);
// Which of them are paired and how much they vary: decided before the run, from games that it does not play. `goal`:
// half of the interval at which one will stop.
void plan(PairedRows& rows, PairBatch pilot, double goal);
PairBatch play_pilot(const api::Game& a, const api::Game& b, const api::SimulateSettings& play, const PairedRows& rows);

// Both games in the hands of one thread.
class Pairs {
 public:
  Pairs(const api::Game& a, const api::Game& b, const api::SimulateSettings& play);
  void play(std::uint64_t index, const PairedRows& rows, PairBatch& into);

 private:
  api::ObservedGames a_, b_;
  std::vector<api::Observation> seen_a_, seen_b_;
};

// … of several.
class PairPlayers {
 public:
  PairPlayers(const api::Game& a, const api::Game& b, const CompareSettings& settings, std::uint64_t pairs);
  // Pairs [from, to) of the run; nothing where it was stopped on the way. `tick` is told how far it is.
  std::optional<PairBatch> play(std::uint64_t from, std::uint64_t to, const PairedRows& rows,
                                const std::function<void(std::uint64_t)>& tick);

 private:
  const api::Game &a_, &b_;
  const CompareSettings& settings_;
  const int threads_;
  std::vector<std::unique_ptr<Pairs>> all_;   // each is made by its thread, in memory of its own
};

}   // namespace cardwright::statistics
