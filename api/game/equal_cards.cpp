// Describes the position of an option's card among equal cards: "2nd of 3".
#include "api/game/equal_cards.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runtime/program/equal_cards.h"
#include "runtime/program/words.h"
#include "runtime/ops/members.h"

namespace cardwright::api::detail {

namespace {

std::string ordinal(std::size_t n) {
  const bool teen = n / 10 % 10 == 1;
  const char* const ending = teen || n % 10 == 0 || n % 10 > 3 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : "rd";
  return fmt::format("{}{}", n, ending);
}

// Returns "2nd of 3" if the order of equal cards matters and the zone contains several of them; otherwise an empty
// string.
std::string place_among_equals(const StateData& state, Int card, bool only_in_public) {
  const Program& program = state.program();
  const Int instance = find_zone(state.bytes.get(), program.layout, card);
  if (instance < 0 || !program.layout.instance[instance].ordered) return {};
  if (only_in_public && program.layout.instance[instance].hidden_bit >= 0) return {};
  const auto look_of = [&](Int id) { return program.cards[static_cast<std::size_t>(id)].look_alike; };
  std::vector<Int> equals = fixed_top(program, state.bytes.get(), instance);
  std::erase_if(equals, [&](Int other) { return look_of(other) != look_of(card); });
  const auto at = std::find(equals.begin(), equals.end(), card);
  if (equals.size() < 2 || at == equals.end()) return {};
  return fmt::format("{} of {}", ordinal(static_cast<std::size_t>(at - equals.begin()) + 1), equals.size());
}

}   // namespace

std::string places_among_equals(const StateData& state, Int id, bool only_in_public) {
  const OptionParts option = option_parts(state.program(), id);
  std::vector<std::string> places;
  for (std::size_t i = 0; i < option.values.size(); ++i)
    if (is_by_place(option.action->parameters[i]) && option.values[i] >= 0)
      if (std::string place = place_among_equals(state, option.values[i], only_in_public); !place.empty())
        places.push_back(std::move(place));
  return places.empty() ? "" : fmt::format(" ({})", fmt::join(places, ", "));
}

}   // namespace cardwright::api::detail
