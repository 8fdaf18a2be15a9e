// Describes options, values and cards in words. No State is needed, because an id has the same meaning during the whole
// game.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/program/program.h"

namespace cardwright {

using PlayerNames = std::vector<std::string>;   // by seat; the default names are a, b, c …

// Converts a name of the rules for display: `has_match` becomes "has match".
std::string spaced(std::string_view name);
std::string player_name(Int seat, const PlayerNames& names = {});
std::string card_label(const Program& program, Int card);
// Returns the printed text of a card with its attributes filled in.
std::string printed_text(const Program& program, const CardInfo& card, std::string_view text);
// Returns true if card a is displayed before card b. Cards are sorted by kind and printed attributes, each in order of
// declaration.
bool printed_before(const Program& program, Int a, Int b);
// Lists cards in display order, such as "Hat, 2 x Splash"; empty for no cards.
std::string cards_in_words(const Program& program, std::vector<Int> cards);
// Returns the kind of the elements of a set; `enumeration` has the same meaning as in VariableInfo.
ValueKind element_kind(Int enumeration);
// Describes several pieces or dice of a kind that belong to one player or to the table: "cubes of a", "cubes 1, 3 of
// a".
std::string things_in_words(const Program& program, Int placed, const std::vector<Int>& which,
                            const PlayerNames& names = {});
// Returns the number of pieces or dice of a kind.
Int things_of(const Program& program, const PlacedInfo& placed);
// Describes one piece or die of a kind (index into Program::placed) by its number, from 0: "hero of a", "token 3".
std::string piece_in_words(const Program& program, Int placed, Int index, const PlayerNames& names = {});
// Names a variable without its owner: "towels", "stakes[red]".
std::string variable_in_words(const Program& program, Int variable, Int index, const PlayerNames& names = {});
// Describes a value: the label of a constant, kind, card or player; "yes" or "no"; "none"; or the number.
std::string value_in_words(const Program& program, ValueKind kind, Int enumeration, Int value,
                           const PlayerNames& names = {});
// Returns a letter for a constant: the first letter of its label that no earlier constant uses.
std::string letter_of(const Program& program, Int enumeration, Int value);
// Returns a direction as an arrow, such as `↗` for NE.
std::string arrow_of(const Program& program, Int enumeration, Int value);
// Describes a zone instance: "hand of b", "draw", "pile 2".
std::string zone_in_words(const Program& program, Int instance, const PlayerNames& names = {});

// A value of at most kUnseen represents a card that the actor does not know, identified by its hidden zone
// (Layout::hidden_instance).
inline constexpr Int kUnseen = -16;   // the value is kUnseen - hidden bit

// The parts of an option id. `action` is null if the id is invalid.
struct OptionParts {
  const ActionInfo* action = nullptr;
  std::size_t action_index = 0;
  std::vector<Int> values;   // by parameter; a card is the lowest id of its look-alikes
};
OptionParts option_parts(const Program& program, Int id);
std::string option_name(const Program& program, Int id);   // such as "play Splash"
std::vector<std::pair<std::string, std::string>> option_arguments(const Program& program, Int id,
                                                                  const PlayerNames& names = {});
// Describes an option as far as possible without a State: "play Splash on b".
std::string option_words(const Program& program, Int id, const PlayerNames& names = {});
// Describes an option's card if its actor does not know it: "an unseen card, hand of b". Empty for other options.
std::string unknown_words(const Program& program, Int id, const PlayerNames& names = {});

// Returns the public description of an option, such as "plays Splash on b" or "uses flip". It names no cards except the
// kind that is played; "" for options that only pick something or answer a question.
std::string public_option_words(const Program& program, Int id, const PlayerNames& names = {});

}   // namespace cardwright
