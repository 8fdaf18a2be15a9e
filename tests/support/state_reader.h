// Reads a state by the names in its rules. Uses only the Program, so that tests have a reference that is independent of
// the API.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/game/game_data.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/zones.h"
#include "runtime/state/state.h"

namespace cardwright::test {

class StateReader {
 public:
  StateReader(const Program& program, const Byte* state) : program_(program), s_(state) {}
  explicit StateReader(const api::State& state) : StateReader(state.data().program(), state.bytes().data()) {}

  const Program& program() const { return program_; }
  const Byte* bytes() const { return s_; }
  int players() const { return static_cast<int>(program_.layout.players); }
  bool is_in(int seat) const { return read<std::uint16_t>(s_ + program_.layout.in_game) >> seat & 1; }

  Int variable_index(std::string_view name) const {
    for (std::size_t i = 0; i < program_.variable_infos.size(); ++i)
      if (program_.variable_infos[i].name == name) return static_cast<Int>(i);
    throw std::runtime_error("no variable " + std::string(name));
  }
  Int value(std::string_view name, int seat = 0) const {
    return value_of_variable(program_, s_, variable_index(name), seat);
  }
  std::string constant(std::string_view name, int seat = 0) const {
    const Int index = variable_index(name), at = value_of_variable(program_, s_, index, seat);
    const Int enumeration = program_.variable_infos[static_cast<std::size_t>(index)].enumeration;
    if (at < 0 || enumeration < 0) return {};
    return program_.enums[static_cast<std::size_t>(enumeration)].constants[static_cast<std::size_t>(at)];
  }

  Int instance(std::string_view zone, int seat = -1) const {
    for (std::size_t i = 0; i < program_.zone_infos.size(); ++i)
      if (program_.zone_infos[i].name == zone)
        return api::detail::zone_instance(program_, static_cast<Int>(i), seat < 0 ? 0 : seat);
    throw std::runtime_error("no zone " + std::string(zone));
  }
  std::vector<Int> cards(std::string_view zone, int seat = -1) const {
    return cards_in_zone(program_.layout, s_, instance(zone, seat));
  }
  std::vector<Int> cards_at(Int instance) const { return cards_in_zone(program_.layout, s_, instance); }
  std::string kind(Int card) const {
    const Int kind = program_.cards[static_cast<std::size_t>(card)].kind;
    return kind < 0 ? std::string() : program_.kinds[static_cast<std::size_t>(kind)].name;
  }
  Int zone_of(Int card) const { return find_zone(s_, program_.layout, card); }
  bool knows(int player, Int card) const { return knows_card(program_.layout, s_, player, card); }
  bool is_card(Int id) const { return program_.layout.all_cards[id / 64] >> (id % 64) & 1; }

  // Checks the invariants that hold in every state of every game. Returns the first violation; empty if there is none.
  std::string violation() const {
    const Layout& l = program_.layout;
    std::vector<int> seen(static_cast<std::size_t>(l.card_ids), 0);
    for (Int i = 0; i < l.instances; ++i) {
      const auto here = cards_at(i);
      for (const Int card : here) {
        if (card >= l.card_ids || !is_card(card)) return fmt::format("id {} in {} is not a card", card, zone_name(i));
        if (++seen[static_cast<std::size_t>(card)] > 1) return fmt::format("card {} is in two zones", card);
      }
      if (std::string bad = wrong_order(i, here); !bad.empty()) return bad;
    }
    for (Int card = 0; card < l.card_ids; ++card)
      if (is_card(card) != (seen[static_cast<std::size_t>(card)] == 1))
        return fmt::format("card {} is in no zone", card);
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      if (std::string bad = wrong_value(static_cast<Int>(v)); !bad.empty()) return bad;
    return wrong_knowledge();
  }
  // Checks that the true zone of each card is possible for every player, and that a player who sees into a zone knows
  // its cards.
  std::string wrong_knowledge() const {
    const Layout& l = program_.layout;
    for (int p = 0; p < players(); ++p)
      for (Int i = 0; i < l.instances; ++i)
        for (const Int card : cards_at(i)) {
          const Word where = where_card(l, s_, p, card);
          const Int place = hidden_place(l, s_, card, i);
          const char* bad = knows(p, card) != (where == 0)           ? "known and not known"
                            : where == 0                             ? nullptr
                            : sees(p, i)                             ? "seen and not known"
                            : place < 0 || (where >> place & 1) == 0 ? "thought to lie elsewhere"
                                                                     : nullptr;
          if (bad != nullptr)
            return fmt::format("to {} card {} ({}) in {} is {}; places {:b}, true one {}", api::Game::seat_name(p),
                               card, kind(card), zone_name(i), bad, where, place);
        }
    return {};
  }
  bool sees(int player, Int instance) const { return program_.layout.instance[instance].visible >> player & 1; }
  std::string zone_name(Int instance) const {
    const ZoneInstance& zone = program_.layout.instance[instance];
    const std::string name = program_.zone_infos[static_cast<std::size_t>(zone.zone)].name;
    return zone.owner < 0 ? name : api::Game::seat_name(static_cast<int>(zone.owner)) + "." + name;
  }

 private:
  Int neighbor(Int offset) const {
    return (program_.layout.card_bytes == 1 ? s_[offset] : read<std::uint16_t>(s_ + offset)) - 1;
  }
  // Checks that each card of the pile is in exactly one part: the known top, the unordered middle or the known bottom.
  std::string wrong_order(Int i, std::vector<Int> here) const {
    const Layout& l = program_.layout;
    const ZoneInstance& zone = l.instance[i];
    if (!zone.ordered) return {};
    if (zone.other_side >= 0)   // the two sides are one pile
      for (const Int card : cards_at(zone.other_side)) here.push_back(card);
    std::sort(here.begin(), here.end());
    std::vector<Int> all;
    for (const Int offset : {zone.ends, zone.ends + l.card_bytes})
      for (Int card = neighbor(offset); card >= 0 && all.size() <= here.size();
           card = neighbor(l.next + card * l.card_bytes))
        all.push_back(card);
    for (const Int card : here)
      if (read<Word>(s_ + l.loose + 8 * (card / 64)) >> (card % 64) & 1) {
        all.push_back(card);
        if (neighbor(l.next + card * l.card_bytes) >= 0)
          return fmt::format("{}: {} has no place, but a neighbour", zone_name(i), card);
      }
    std::sort(all.begin(), all.end());
    return all == here ? std::string()
                       : fmt::format("{}: order and bag hold {} cards, the zone {}, or others", zone_name(i),
                                     all.size(), here.size());
  }
  std::string wrong_value(Int v) const {
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (slot.is_set) return {};
    for (Int i = 0; i < slot.count; ++i) {
      const Int value = value_of_variable(program_, s_, v, i);
      const bool special = value == kNone || value == kUnset;
      if (special ? slot.bias == 0 : value < slot.lo || value > slot.hi)
        return fmt::format("{}[{}] is {}, outside {}..{}", program_.variable_infos[static_cast<std::size_t>(v)].name, i,
                           value, slot.lo, slot.hi);
    }
    return {};
  }

  const Program& program_;
  const Byte* s_;
};

}   // namespace cardwright::test
