// Standard figures of a simulation, which need no declarations in the rules: how often actions and cards are used, and
// the pace of the game. Requested by kFigures in Configuration::measures.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cardwright::api {

// The name in Configuration::measures that requests these figures, and wins by place in the turn order. No measure can
// have this name.
inline constexpr const char* kFigures = "built-in figures";

struct ActionFigure {
  std::string name;   // "play Splash", "flip_hat"; also choices inside effects
  bool counted = true;   // false: a choice inside an effect, for which only `taken` is known
  std::uint64_t offered = 0;   // decisions in which it was an option
  std::uint64_t taken = 0;   // decisions in which it was chosen
  std::uint64_t games_without = 0;   // games in which it was never offered (if not counted: never taken)
};

// Figures for one card type. A hand is any zone of a player that is not visible to everybody.
struct CardFigure {
  std::string name;
  std::uint64_t drawn = 0;   // copies that moved from a face-down pile to a player
  std::uint64_t taken = 0;   // copies that entered a hand from elsewhere, by choice or from other players
  std::uint64_t played = 0;   // copies that left a hand by an action of its player
  std::uint64_t discarded = 0;   // copies that left a hand otherwise, to a zone of the table
  std::uint64_t held = 0;   // copies in a hand at the end of the game
  double turns_in_hand = 0;   // mean number of turns that copies which left a hand had spent there
  // How much more often a player who draws the card wins, compared at the same draw: over all k, the win rate of
  // players whose k-th card it was, minus the win rate of all players with a k-th card after the same number of pile
  // refills; weighted by frequency. This avoids a bias towards long games, in which more cards are drawn. With a 95 %
  // interval (32 batches of games); NaN if the card was drawn in too few batches.
  double effect = 0, low = 0, high = 0;
  // Copies that a player chose face up from several options, in a row of the table or in a draft, and the number of
  // these takers who won. Players take cards that fit their other cards, so this is a correlation, not a cause.
  std::uint64_t chosen = 0, chosen_wins = 0;
};

// Pace of the game. A decision counts if it has at least two options.
struct PaceFigures {
  std::uint64_t decisions = 0, turns = 0;
  double per_turn = 0;   // decisions per turn, of all players
  double own_per_turn = 0;   // decisions per turn, of the active player
  double dead_turns = 0;   // share of turns in which the active player decided nothing; games without turns: 0
  double options = 0;   // mean number of options per decision
  std::int64_t median_options = 0, most_options = 0;   // their median and 95th percentile
  std::vector<double> options_by_tenth;   // mean number by tenth of each game's decisions
  double waiting = 0;   // mean number of decisions by others between two decisions of a player
};

struct BuiltInFigures {
  std::uint64_t games = 0;
  std::vector<ActionFigure> actions;   // never offered first, then never taken, then in source order
  std::vector<CardFigure> cards;   // by effect, best first
  PaceFigures pace;
};

// How long a game stays open. At several moments of some games, playouts of copies with new random streams for chance
// and policies estimate each player's chance to win. The first half of the playouts determines the leader, and the
// second half estimates the lead; separate halves avoid counting noise as a lead.
struct TensionFigures {
  struct Mean {
    double value = 0, half = 0;   // mean over games, and half the width of its 95 % interval
  };
  std::uint64_t games = 0;   // games with a winner
  int moments = 0, playouts = 0;
  Mean lead_changes;   // per game: changes of the leader by at least 5 points
  Mean comeback;   // share of games whose winner had less than half of an equal chance in the second half
  Mean drama;   // how far the winner was behind the leader, on average over the game
  Mean decided;   // part of the game after which the winner's chance stays above 0.8; 1: never
  std::vector<double> uncertainty;   // by tenth of the game: entropy of the chances to win, relative to its maximum
};
struct TensionSettings {
  std::uint64_t games = 300, seed = 1;
  int moments = 20, playouts = 256;   // moments per game, playouts per moment
  int threads = 0;
  std::function<void(std::uint64_t done)> progress;
  const std::atomic<bool>* stop = nullptr;
};

}   // namespace cardwright::api
