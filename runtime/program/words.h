// Names and sentences for people: options, values, cards. They need no State, because an id has the same meaning during
// the whole game.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/program/program.h"

namespace cardwright {

using PlayerNames = std::vector<std::string>;   // by seat; default names: a, b, c …

// Converts a name of the rules for display: `has_match` with a space.
std::string spaced(std::string_view name);
std::string player_name(Int seat, const PlayerNames& names = {});
std::string card_label(const Program& program, Int card);
// The printed text of a card, with its attributes filled in.
std::string printed_text(const Program& program, const CardInfo& card, std::string_view text);
// The display order of cards: by name and printed text, in order of declaration.
bool printed_before(const Program& program, Int a, Int b);
// "Hat, 2 x Splash", in display order; empty for no cards.
std::string cards_in_words(const Program& program, std::vector<Int> cards);
// The kind of value of a set's elements; `enumeration` as in VariableInfo.
ValueKind element_kind(Int enumeration);
// Several things of a kind, all of one player or of the table: "cubes of a", "cubes 1, 3 of a".
std::string things_in_words(const Program& program, Int placed, const std::vector<Int>& which,
                            const PlayerNames& names = {});
// The number of things of a kind.
Int things_of(const Program& program, const PlacedInfo& placed);
// One thing of a kind (index into Program::placed) by its number, from 0: "hero of a", "token 3".
std::string piece_in_words(const Program& program, Int placed, Int index, const PlayerNames& names = {});
// "towels", "stakes[red]": without the owner.
std::string variable_in_words(const Program& program, Int variable, Int index, const PlayerNames& names = {});
// The label of a constant, kind, card or player, "yes" and "no", "none", or the number.
std::string value_in_words(const Program& program, ValueKind kind, Int enumeration, Int value,
                           const PlayerNames& names = {});
// A letter for a constant: the first letter of its label that no earlier constant has.
std::string letter_of(const Program& program, Int enumeration, Int value);
// A direction as an arrow: `↗` for NE.
std::string arrow_of(const Program& program, Int enumeration, Int value);
// A zone instance: "hand of b", "draw", "pile 2".
std::string zone_in_words(const Program& program, Int instance, const PlayerNames& names = {});

// Values from here down are cards unknown to the actor, given by their hidden zone (Layout::hidden_instance).
inline constexpr Int kUnseen = -16;   // kUnseen - hidden bit

// The parts of an option id. `action` is null if there is no such id.
struct OptionParts {
  const ActionInfo* action = nullptr;
  std::size_t action_index = 0;
  std::vector<Int> values;   // by parameter; a card is the lowest id of its look-alikes
};
OptionParts option_parts(const Program& program, Int id);
std::string option_name(const Program& program, Int id);   // "play Splash"
std::vector<std::pair<std::string, std::string>> option_arguments(const Program& program, Int id,
                                                                  const PlayerNames& names = {});
// "play Splash on b", as far as possible without a State.
std::string option_words(const Program& program, Int id, const PlayerNames& names = {});
// "an unknown card, hand of b": the description of an option's card if its actor does not know it; empty for other
// options.
std::string unknown_words(const Program& program, Int id, const PlayerNames& names = {});

// "plays Splash on b", "uses flip": the public description, with no cards except the kind that is played; "" for
// options that are only picked or answered.
std::string public_option_words(const Program& program, Int id, const PlayerNames& names = {});

}   // namespace cardwright
