// Names and sentences for people: options, values, cards. State-free: an id means the same all game long.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/program/program.h"

namespace cardwright {

using PlayerNames = std::vector<std::string>;   // by seat; empty or too short: a, b, c …

// A name of the rules as people read it: `has_match` with a blank.
std::string spaced(std::string_view name);
std::string player_name(Int seat, const PlayerNames& names = {});
std::string card_label(const Program& program, Int card);
// What is printed on a card, its attributes filled in.
std::string printed_text(const Program& program, const CardInfo& card, std::string_view text);
// The order in which cards are shown: by name and what is printed, each as it was declared.
bool printed_before(const Program& program, Int a, Int b);
// "Hat, 2 x Splash", in that order; empty for no card.
std::string cards_in_words(const Program& program, std::vector<Int> cards);
// Kind of value of the elements of a set; `enumeration` as in VariableInfo.
ValueKind element_kind(Int enumeration);
// The label of a constant, kind, card or player, "yes" and "no", "none", or the number.
// "towels", "stakes[red]": without whose it is.
// One of Program::placed by its number, from 0: "hero of a", "token 3".
// Several of a kind, all of one player or of the table: "cubes of a", "cubes 1, 3 of a".
std::string things_in_words(const Program& program, Int placed, const std::vector<Int>& which,
                            const PlayerNames& names = {});
// How many there are of a kind.
Int things_of(const Program& program, const PlacedInfo& placed);
std::string piece_in_words(const Program& program, Int placed, Int index, const PlayerNames& names = {});
std::string variable_in_words(const Program& program, Int variable, Int index, const PlayerNames& names = {});
std::string value_in_words(const Program& program, ValueKind kind, Int enumeration, Int value,
                           const PlayerNames& names = {});
// One letter for a constant: the first of its label that no constant before it has.
std::string letter_of(const Program& program, Int enumeration, Int value);
// A direction as an arrow: `↗` for NE.
std::string arrow_of(const Program& program, Int enumeration, Int value);
// A zone instance: "hand of b", "draw", "pile 2".
std::string zone_in_words(const Program& program, Int instance, const PlayerNames& names = {});

// An option's id taken apart. `action` is null if there is no such id.
// What an option says of a card that its actor does not know: which hidden zone (Layout::hidden_instance) it lies in.
inline constexpr Int kUnseen = -16;   // kUnseen - bit

struct OptionParts {
  const ActionInfo* action = nullptr;
  std::size_t action_index = 0;
  std::vector<Int> values;   // by parameter; a card is the lowest id of its look-alikes
};
OptionParts option_parts(const Program& program, Int id);
std::string option_name(const Program& program, Int id);   // "play Splash"
std::vector<std::pair<std::string, std::string>> option_arguments(const Program& program, Int id,
                                                                  const PlayerNames& names = {});
// "play Splash on b", as far as that can be said without a State.
std::string option_words(const Program& program, Int id, const PlayerNames& names = {});
// "an unknown card, hand of b": what an option says of a card that its actor does not know; empty where it speaks of
// none.
std::string unknown_words(const Program& program, Int id, const PlayerNames& names = {});

// "plays Splash on b", "uses flip": what everybody may hear of it, so no cards but the kind that is played; "" for what
// is only picked or answered.
std::string public_option_words(const Program& program, Int id, const PlayerNames& names = {});

}   // namespace cardwright
