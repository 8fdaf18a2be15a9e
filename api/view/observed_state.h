// Determines what one observer sees of a State. The functions of this file make all decisions about visibility in
// views. The renderers, which create JSON for programs, text for terminals and data for pages, read only the results
// and the static parts of the Program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Used instead of the id of a card, and instead of a value, that the observer does not know.
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
  bool has_top = true;   // false if the topmost card of a pile with two sides is on the other side
  Int size() const { return static_cast<Int>(cards.elements.size()) + cards.unknown; }
};

struct ObservedValue {
  bool known = false;   // if false, the other members are empty
  Int value = kUnset;   // a single value
  // The elements of a set, or the values of a list (one entry); for a list of sets or lists, an entry for each.
  std::span<const ObservedSet> sets = {};
};

// The values of a variable by index, with one value for each list.
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
  Int variable = 0, index = 0;   // the value with its position
  int placed = -1;   // for a piece or card: index in Program::placed; -1 for a mark
  int seat = -1;   // its owner
  std::string sign, means;   // symbol without the owner, empty for a mark; its meaning
  std::vector<Int> cells;   // its cells, or for an object on edges, the edges
  Int facing = kNone;
  std::uint32_t when = 0;   // order of placing; a higher number means later
  bool is_piece() const { return placed >= 0; }
};

// The values that a board shows on its cells or edges; kNone where a value cannot be computed or is none.
struct ObservedCells {
  std::vector<Int> values;
  std::optional<Failure> failure;   // the first error, if a value cannot be computed
  // Returns the edges that have something to show: all except those with none, 0 or false.
  std::vector<Int> edges_in_use(ValueKind kind) const;
};

struct ObservedBoard {
  std::vector<ObservedObject> on_cells;   // topmost first, including covered objects
  std::vector<ObservedObject> on_edges;
  std::optional<ObservedCells> shows, edges_show;   // unset if there is none or it is hidden from the observer
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
// Returns the question that the observer must answer, with its options; of a decision by another player, only what
// observe_decision() returns, and nothing if it is simultaneous.
ObservedDecision observe_question(const StateData& state, int observer);

}   // namespace cardwright::api::detail
