// Plays pairs of games with the same seeds, distributed over threads.
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

// Rows that both games have, and rows that only one of the games can have.
struct PairedRows {
  PairBatch pilot;   // results of pilot games, which are played before the run and are not part of it
  std::vector<PairedRow> both;
  std::vector<PairedCard> cards;   // card types that both games have, if their effects are compared
  std::size_t kinds_a = 0, kinds_b = 0;
  std::vector<api::ObservedRow> only_a, only_b;
  std::vector<std::string> groups;   // groups of the first game in order, then groups that only the second game has

  PairBatch empty() const { return PairBatch(both.size(), kinds_a, kinds_b); }
};

// Matches the rows of both games.
PairedRows rows_of(const std::vector<api::ObservedRow>& a, const std::vector<api::ObservedRow>& b);
// Adds the rows for effects of cards.
void add_cards(PairedRows& rows, const api::Game& a, const api::Game& b);
// Determines from the pilot games which rows are paired, and at what amount of data the interval of each row is
// narrowest. Must be called before the run. `goal` is half the width of the interval at which the run is expected to
// stop.
void plan(PairedRows& rows, PairBatch pilot, double goal);
PairBatch play_pilot(const api::Game& a, const api::Game& b, const api::SimulateSettings& play, const PairedRows& rows);

// Plays pairs of games on one thread.
class Pairs {
 public:
  Pairs(const api::Game& a, const api::Game& b, const api::SimulateSettings& play);
  void play(std::uint64_t index, const PairedRows& rows, PairBatch& into);

 private:
  api::ObservedGames a_, b_;
  std::vector<api::Observation> seen_a_, seen_b_;
};

// Plays pairs on several threads.
class PairPlayers {
 public:
  PairPlayers(const api::Game& a, const api::Game& b, const CompareSettings& settings, std::uint64_t pairs);
  // Plays pairs [from, to) of the run; returns nullopt if the run was stopped. Calls `tick` with `from` plus the number
  // of pairs played so far.
  std::optional<PairBatch> play(std::uint64_t from, std::uint64_t to, const PairedRows& rows,
                                const std::function<void(std::uint64_t)>& tick);

 private:
  const api::Game &a_, &b_;
  const CompareSettings& settings_;
  const int threads_;
  // Each element is created by the thread that uses it, so that its memory is local.
  std::vector<std::unique_ptr<Pairs>> all_;
};

}   // namespace cardwright::statistics
