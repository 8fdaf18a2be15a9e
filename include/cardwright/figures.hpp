// Figures of any game, without a word in its rules: which actions and cards are used, and how the game goes along.
// Asked for by kFigures in Configuration::measures.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cardwright::api {

// The name in Configuration::measures that asks for these figures, and for wins by place in the turn order. (No measure
// can be called so.)
inline constexpr const char* kFigures = "built-in figures";

struct ActionFigure {
  std::string name;   // "play Splash", "flip_hat"; also what is chosen inside effects
  bool counted = true;   // false: a choice inside an effect, of which only `taken` is known
  std::uint64_t offered = 0;   // decisions in which it was among the options
  std::uint64_t taken = 0;   // … and was chosen
  std::uint64_t games_without = 0;   // games in which it was never offered (not counted: taken)
};

// A kind of cards. A hand is any zone of a player's that not everybody sees.
struct CardFigure {
  std::string name;
  std::uint64_t drawn = 0;   // copies that came from a pile nobody sees to a player
  std::uint64_t taken = 0;   // … to a hand from elsewhere, by choice or from others
  std::uint64_t played = 0;   // left a hand by an action of its player
  std::uint64_t discarded = 0;   // left one otherwise, to a place of the table
  std::uint64_t held = 0;   // lay in one at the end of the game
  double turns_in_hand = 0;   // of those that left one: how many turns they had been there, on average
  // How much more often a player wins who draws it, compared at the same draw: over all k, the win rate of those whose
  // k-th card it was, less that of all who had a k-th card after as many refills of piles; weighted by how often. So
  // that long games, in which more is drawn, make no card look good. With a 95 % interval (32 batches of games); NaN
  // where it was drawn in too few.
  double effect = 0, low = 0, high = 0;
  // Copies that a player chose where they saw them, among several options: out of a row of the table, or of what others
  // pass on in a draft; and how many of their takers won. A player takes what goes with the rest, so this says what is
  // taken by those who win, and no cause.
  std::uint64_t chosen = 0, chosen_wins = 0;
};

// How the game goes along. A decision is one with two options or more.
struct PaceFigures {
  std::uint64_t decisions = 0, turns = 0;
  double per_turn = 0;   // decisions in a turn, of all players
  double own_per_turn = 0;   // … of the player whose turn it is
  double dead_turns = 0;   // share of turns in which its player decided nothing; games without turns: 0
  double options = 0;   // among how many one decides: mean,
  std::int64_t median_options = 0, most_options = 0;   // median, and what only a twentieth of the decisions exceeds
  std::vector<double> options_by_tenth;   // mean by tenth of each game's decisions
  double waiting = 0;   // decisions of others between two of one's own
};

struct BuiltInFigures {
  std::uint64_t games = 0;
  std::vector<ActionFigure> actions;   // never offered first, then never taken, then as the rules name them
  std::vector<CardFigure> cards;   // by effect, the best first
  PaceFigures pace;
};

// How open a game is, and for how long: at moments of some games each player's chance to win, by playouts of copies
// with new chance and policies. The first half of the playouts finds who leads, the second says by how much, so that
// noise is no lead.
struct TensionFigures {
  struct Mean {
    double value = 0, half = 0;   // over games, and half its 95 % interval
  };
  std::uint64_t games = 0;   // that somebody won
  int moments = 0, playouts = 0;
  Mean lead_changes;   // a game: somebody else leads, by 5 points at least
  Mean comeback;   // share of games whose winner had less than half a fair chance in their second half
  Mean drama;   // by how much the winner was behind who led, on average over the game
  Mean decided;   // the part of the game from which on the winner's chance stays above 0.8; 1: never
  std::vector<double> uncertainty;   // by tenth of the game: entropy of the chances to win, of 1 for as open as can be
};
struct TensionSettings {
  std::uint64_t games = 300, seed = 1;
  int moments = 20, playouts = 256;   // of each game, at each moment
  int threads = 0;
  std::function<void(std::uint64_t done)> progress;
  const std::atomic<bool>* stop = nullptr;
};

}   // namespace cardwright::api
