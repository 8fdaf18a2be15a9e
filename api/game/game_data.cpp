// Computes the description and the prints of a game when they are first requested.
#include "api/game/game_data.h"

#include <algorithm>
#include <mutex>

#include "cardwright/showing.hpp"
#include "runtime/program/words.h"

namespace cardwright::api {

const std::string& describe(const Game& game) {
  const detail::GameData& data = *game.data();
  std::call_once(data.described_once, [&] { data.described = data.origin->describe(game); });
  return data.described;
}

namespace detail {

const Prints& GameData::prints() const {
  std::call_once(printed_once, [&] {
    const std::vector<CardInfo>& cards = program().cards;
    std::vector<Int> all;
    for (std::size_t card = 0; card < cards.size(); ++card)
      if (cards[card].kind >= 0) all.push_back(static_cast<Int>(card));
    const auto class_of = [&](Int card) { return cards[static_cast<std::size_t>(card)].look_alike; };
    std::sort(all.begin(), all.end(), [&](Int a, Int b) {
      if (class_of(a) == class_of(b)) return a < b;
      if (printed_before(program(), a, b)) return true;
      return !printed_before(program(), b, a) && class_of(a) < class_of(b);
    });
    printed.of.assign(cards.size(), kNone);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == 0 || class_of(all[i - 1]) != class_of(all[i])) printed.card.push_back(all[i]);
      printed.of[static_cast<std::size_t>(all[i])] = static_cast<Int>(printed.card.size()) - 1;
    }
  });
  return printed;
}

}   // namespace detail

}   // namespace cardwright::api
