// Lays a table out by hand: what the givens of a scenario say, on a State before setup.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/compile.h"
#include "play/game_data.h"

namespace cardwright::api::detail {

bool matches(const Program& program, const model::CardMatch& match, Int card);
// Where an entry of a variable stands, of a player's that of `owner`.
Int entry_of(const VariableInfo& variable, Int owner, std::span<const Int> keys);

// A given that can't be: too few cards of a kind, a value out of range.
struct Impossible {
  Range where;
  std::string why;
};

class Placing {
 public:
  explicit Placing(StateData& state) : state_(state), program_(state.program()) {}
  // In order; then lay() once. Throws Impossible.
  void give(const model::Given& given);
  void lay();

 private:
  struct Wanted {
    const model::CardMatch* match;
    Int instance;
    int where;                        // 0: in the zone, 1: on top, 2: at the bottom
    Int card = kNone;
    const model::Given* lies = nullptr;   // on a board, there
  };
  [[noreturn]] void refuse(const model::Given& given, cardwright::Game& context, Trap trap) const;
  void place_on_boards();
  void set_variable(const model::Given& given, const std::vector<Int>& values);
  std::vector<Int> keys_of(const model::Given& given) const;
  std::vector<Int> named_cards(const model::Given& given) const;
  void put_set(const model::Given& given, const VariableSlot& slot, Int index,
               const std::vector<Int>& elements) const;
  void put_rows(const model::Given& given, const VariableSlot& slot, const VariableInfo& info, Int index);
  void want(const model::Given& given, int where);
  void set_players(const model::Given& given);
  void choose_cards(bool with_kind);
  std::string too_few(const model::CardMatch& match) const;
  void put(Int card, Int instance, bool bottom);

  StateData& state_;
  const Program& program_;
  std::vector<Wanted> wanted_;
  std::vector<const model::Given*> card_variables_;
  std::vector<Int> cleared_;          // zones whose contents are given whole
};

}  // namespace cardwright::api::detail
