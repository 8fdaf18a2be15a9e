// Defines the standard figures of a simulation, which need no declarations in the rules: how often actions and cards
// are used, and the pace of the game. They are requested by kFigures in Configuration::measures.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cardwright/measures.hpp"

namespace cardwright::api {

// This name in Configuration::measures requests the standard figures and the wins by place in the turn order. No
// measure can have this name.
inline constexpr const char* kFigures = "standard figures";

struct ActionFigure {
  std::string name;   // "play Splash", "flip_hat"; also choices inside effects
  bool counted = true;   // false: a choice inside an effect, for which only `taken` is known
  std::uint64_t offered = 0;   // decisions in which it was an option
  std::uint64_t taken = 0;   // decisions in which it was chosen
  std::uint64_t games_without = 0;   // games in which it was never offered (if not counted: never taken)
  MeasureSums rate;   // `taken` divided by `offered`, with its interval
};

// Figures for one card type. A hand is any zone of a player that is not visible to all players.
struct CardFigure {
  std::string name;
  std::uint64_t drawn = 0;   // copies that moved from a face-down pile to a player
  std::uint64_t taken = 0;   // copies that entered a hand by choice or from other players
  std::uint64_t played = 0;   // copies that left a hand by an action of the hand's player
  std::uint64_t discarded = 0;   // copies that moved from a hand to a zone of the table without such an action
  std::uint64_t held = 0;   // copies in a hand at the end of the game
  double turns_in_hand = 0;   // mean number of turns that a copy spent in a hand before it left the hand
  // Effect of drawing the card on the win rate, with its 95 % interval (from 32 batches of games). For each k: the win
  // rate of players whose k-th drawn card was this one, minus the win rate of all players who drew a k-th card after
  // the same number of pile refills; the effect is the mean over k, weighted by frequency. Comparing the same draw
  // avoids a bias towards long games, in which more cards are drawn. NaN if the card was drawn in too few batches.
  double effect = 0, low = 0, high = 0;
  // Number of copies that a player chose face up from several options, in a row of the table or in a draft, and how
  // many of these players won. Players take cards that fit their other cards, so this is a correlation, not a cause.
  std::uint64_t chosen = 0, chosen_wins = 0;
};

// Pace of the game. A decision counts if it has at least two options.
struct PaceFigures {
  std::uint64_t decisions = 0, turns = 0;
  MeasureSums per_turn, own_per_turn;   // decisions per turn, of all players and of the active player
  MeasureSums dead_turns;   // share of turns in which the active player made no decision; 0 in games without turns
  MeasureSums options;   // mean number of options per decision
  std::int64_t median_options = 0, most_options = 0;   // median and 95th percentile of options per decision
  std::vector<double> options_by_tenth;   // mean number of options in each tenth of a game's decisions
  MeasureSums waiting;   // mean number of decisions by other players between two decisions of a player
};

struct StandardFigures {
  std::uint64_t games = 0;
  // Sorted: actions that were never offered, then actions that were never taken, then others in source order.
  std::vector<ActionFigure> actions;
  std::vector<CardFigure> cards;   // sorted by effect, best first
  PaceFigures pace;
};

// Measures how long the winner of a game remains uncertain. At several moments of some games, each player's chance to
// win is estimated by playouts: copies of the game are played to the end with new random streams for chance and
// policies. The first half of the playouts determines the leader, and the second half estimates the lead; with separate
// halves, noise does not appear as a lead.
struct TensionFigures {
  struct Mean {
    double value = 0, half = 0;   // mean over games, and half the width of its 95 % interval
  };
  std::uint64_t games = 0;   // games with a winner
  int moments = 0, playouts = 0;
  // Changes of the leader per game. A change counts if the new leader is at least 5 percentage points ahead of the old
  // one.
  Mean lead_changes;
  // Share of games in which the winner's chance, at some moment of the second half, was less than half of an equal
  // chance (1 divided by the number of players).
  Mean comeback;
  Mean drama;   // mean difference between the leader's and the winner's chance, over all moments of a game
  Mean decided;   // fraction of the game after which the winner's chance stays above 0.8; 1 if it never does
  std::vector<double> uncertainty;   // per tenth of the game: entropy of the chances to win, divided by its maximum
};
struct TensionSettings {
  std::uint64_t games = 300, seed = 1;
  int moments = 20, playouts = 256;   // number of moments per game, and of playouts per moment
  int threads = 0;
  std::function<void(std::uint64_t done)> progress;
  const std::atomic<bool>* stop = nullptr;
};

}   // namespace cardwright::api
