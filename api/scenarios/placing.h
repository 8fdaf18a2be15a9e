// Sets up the table of a scenario: applies its `given` lines to a State before setup.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

bool matches(const Program& program, const model::CardMatch& match, Int card);
// Returns the index of a variable's entry with these keys. For a player's variable, `owner` selects the player.
Int entry_of(const VariableInfo& variable, Int owner, std::span<const Int> keys);

// Returns the index of the variable's first entry, and the number of entries (for a list, its capacity).
std::pair<Int, Int> entries_of(const Program& program, const model::Known& known);
// Returns the instances of the zone, including the instances for its face-down cards.
std::vector<Int> instances_of(const Program& program, const model::Known& known);

// Thrown for an impossible `given`, for example if the game has too few matching cards or a value is out of range.
struct Impossible {
  Range where;
  std::string why;
};

class Placing {
 public:
  explicit Placing(StateData& state) : state_(state), program_(state.program()) {}
  // Call give() for each `given` in order, then lay() once. Later calls of give() take effect immediately. Throws
  // Impossible.
  void give(const model::Given& given);
  void lay();

 private:
  struct Wanted {
    const model::CardMatch* match;
    Int instance;
    int where;   // 0: anywhere in the zone, 1: on top, 2: at the bottom
    Int card = kNone;
    const model::Given* placed = nullptr;   // if set, the `given` that places the card on a board
  };
  // Copies of cards that the scenario has mentioned. Each mention of the same description refers to a different copy.
  // Copies used as keys are tracked for each variable separately.
  struct Named {
    std::vector<Int> cards;
    std::map<std::uint32_t, std::vector<Int>> keys;   // by variable
  };
  [[noreturn]] void refuse(const model::Given& given, cardwright::Game& context, Trap trap) const;
  void place_on_boards();
  void set_variable(const model::Given& given);
  void store(const model::Given& given, Int index, const std::vector<Int>& values);
  std::vector<Int> keys_of(const model::Given& given);
  std::vector<Int> values_of(const model::Given& given, std::size_t owner, std::vector<Int>& chosen);
  Int copy_for(const model::CardMatch& match, Int whose, std::span<const Int> used) const;
  std::optional<Int> copy_before(const model::CardMatch& match, Int whose, std::span<const Int> used) const;
  Int computed(const model::Given& given, std::size_t claim) const;
  bool replaced(std::size_t given, std::size_t owner) const;
  void put_set(const model::Given& given, const VariableSlot& slot, Int index, const std::vector<Int>& elements) const;
  void put_rows(const model::Given& given, const VariableSlot& slot, const VariableInfo& info, Int index);
  void want(const model::Given& given, int where);
  void set_players(const model::Given& given);
  void choose_cards(bool with_kind);
  std::string too_few(const model::CardMatch& match) const;
  void put(Int card, Int instance, bool bottom);
  void teach(const model::Given& given);
  void show(Int player, const model::Known& known);
  void show_variable(cardwright::Game& context, Int player, const model::Known& known);
  void cards_of(cardwright::Game& context, const model::Known& known, Word* cards);

  StateData& state_;
  const Program& program_;
  std::vector<Wanted> wanted_;
  std::vector<const model::Given*> variables_, knowledge_;
  std::vector<Int> cleared_;   // zone instances whose contents the scenario lists completely
  Named named_;
  std::size_t setting_ = 0;   // index of the variable in `variables_` that is being set
  std::vector<Int> shown_;   // cards already named in `a knows CARD`; each mention refers to another copy
  bool laid_ = false;
};

}   // namespace cardwright::api::detail
