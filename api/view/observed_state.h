// Determines what one observer sees of a State. The functions of this file are the only ones that decide about
// visibility in views. The renderers, which create JSON for programs, text for terminals and data for pages, read only
// the results and the static parts of the Program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Placeholders for the id of a card and for a value that the observer does not know.
inline constexpr Int kHiddenCard = kUnset + 1;
inline constexpr Int kHiddenValue = kHiddenCard + 1;

struct ObservedSet {
  // The known cards in display order, other elements in ascending order, or the values of a list in its order.
  std::vector<Int> elements;
  Int unknown = 0;   // number of unknown cards
};

struct ObservedZone {
  ObservedSet cards;
  // For an ordered zone: the cards from the top down and from the bottom up, each as far as the last known card.
  std::vector<Int> from_top, from_bottom;
  Int fixed = 0;   // number of cards at the top whose order is decided
  // False if the pile has a face-up and a face-down part, and its topmost card is in the other part.
  bool has_top = true;
  Int size() const { return static_cast<Int>(cards.elements.size()) + cards.unknown; }
};

struct ObservedValue {
  bool known = false;   // if false, the other members are empty
  Int value = kUnset;   // a single value
  // One entry with the elements of a set or the values of a list. For a list of sets or lists, one entry for each of
  // them.
  std::span<const ObservedSet> sets = {};
};

// The values of a variable by index, in which a list is a single value.
struct ObservedVariable {
  bool shown = false;   // false for variables of the compiler, which no view shows
  std::vector<Int> values;   // kHiddenValue for unknown values
  std::vector<std::vector<ObservedSet>> sets;   // only for sets and lists

  ObservedValue at(std::size_t index) const {
    if (values[index] == kHiddenValue) return {};
    return {true, values[index], sets.empty() ? std::span<const ObservedSet>() : sets[index]};
  }
};

// A piece, card or mark on a board. A mark is a variable that contains cells or edges.
struct ObservedObject {
  Int variable = 0, index = 0;   // the variable's value that stores the position
  int placed = -1;   // for a piece or card: index in Program::placed; -1 for a mark
  int seat = -1;   // the owner; -1 if it has none
  std::string sign, means;   // symbol without the owner (empty for a mark), and its meaning
  std::vector<Int> cells;   // the object's cells; for an object on edges, its edges
  Int facing = kNone;
  std::uint32_t when = 0;   // order of placing; a higher number means later
  bool is_piece() const { return placed >= 0; }
};

// The values that a board shows on its cells or edges; kNone where a value is `none` or cannot be computed.
struct ObservedCells {
  std::vector<Int> values;
  std::optional<Failure> failure;   // the first error, if a value cannot be computed
  // Returns the edges whose value is drawn: neither `none`, nor 0 or `false`.
  std::vector<Int> edges_in_use(ValueKind kind) const;
};

struct ObservedBoard {
  std::vector<ObservedObject> on_cells;   // topmost first, including covered objects
  std::vector<ObservedObject> on_edges;
  // Unset if the board shows no values or the observer may not see them.
  std::optional<ObservedCells> shows, edges_show;
};

struct ObservedState {
  int observer = -1;   // a seat, kEverything or kSpectator
  bool over = false;
  std::optional<std::uint64_t> winners;   // unset if hidden from the observer
  std::uint64_t in = 0;   // mask of the players in the game
  Int active = kNone, turn = kNone, round = kNone;
  std::vector<ObservedZone> zones;   // by zone instance
  std::vector<ObservedVariable> variables;   // by variable
  std::vector<ObservedBoard> boards;
  std::vector<std::string> texts;   // texts that the rules show for the table
  std::vector<std::vector<std::string>> player_texts;   // by seat
};

// The observed parts; each value includes the ones before it.
enum class ObservedParts : std::uint8_t {
  positions,   // zones, players, turns, and the variables with positions of pieces
  components,   // all variables
  boards,   // the values that boards show
  table,   // the objects on boards, and texts
};
ObservedState observe(const StateData& state, int observer, ObservedParts parts);

struct ObservedOption {
  Int id = 0;
  std::string words;
};
struct ObservedDecision {
  Int site = -1;   // index in Program::sites; -1 if no decision is pending
  bool simultaneous = false;   // the set of players who have answered is hidden
  int seat = -1;   // the deciding player; -1 if hidden
  std::string prompt;
  std::optional<std::vector<ObservedOption>> options;   // unset if hidden from the observer
};
// Returns the pending decision as it is announced to the observer, without options.
ObservedDecision observe_decision(const StateData& state, int observer);
// Returns the question that the observer must answer, with its options. For another player's decision, returns the
// result of observe_decision(), or nothing if the decision is simultaneous.
ObservedDecision observe_question(const StateData& state, int observer);

}   // namespace cardwright::api::detail
