// Defines the components of a game: enums and characters, records, cards and decks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/model/types.h"
#include "support/source.h"

namespace cardwright::model {

struct Attribute {
  std::string name;
  Type type;
  bool unprinted = false;   // not shown to players
  Range range;
};

struct EnumConst {
  std::string name;   // identifier in the rules
  std::string label;   // name shown to players ("Lil' Brudder")
  std::int64_t number = 0;   // the explicit number (14 in `ace = 14`), otherwise the position
  std::vector<std::int64_t> attributes;   // one value for each entry of Enum::attributes; kNone if absent
  std::string text;   // rules text printed on the card, shown to players
  Range range;
};
inline constexpr std::size_t kMostConstants = 4'096;
inline constexpr std::size_t kMostCharacters = 62;
// A set of small numbers is stored as a bit mask in one int. The highest bits encode `none` and unset.
inline constexpr std::int64_t kMostInSet = 61;   // the largest number that such a set can contain
struct Enum {
  std::string name;
  bool character = false;
  bool numbered = false;   // has explicit numbers; arithmetic and comparisons use EnumConst::number
  std::vector<AttributeId> attributes;
  std::vector<EnumConst> constants;   // at most kMostConstants, except for the cells of a board
  bool cells = false;   // the constants are the cells or edges of a board
  bool dirs = false;   // the constants are the directions of a board
  Range range;

  // Returns whether sets of its constants do not fit into one mask and are stored in several words.
  bool has_wide_sets() const { return cells || static_cast<std::int64_t>(constants.size()) > kMostInSet + 1; }
};

// A field of a record type. In the Model, a variable `purse` of a record type is replaced with one variable per field:
// `purse.gold`, `purse.silver`.
struct RecordField {
  std::string name;
  Type type;
  Range range;
};
struct Record {
  std::string name;
  std::vector<RecordField> fields;
  Range range;
};

// Returns whether sets of these card kinds do not fit into one mask, like Enum::has_wide_sets().
template <class Kinds>
bool has_wide_sets(const Kinds& kinds) {
  return static_cast<std::int64_t>(kinds.size()) > kMostInSet + 1;
}

struct CardType {
  std::string name;
  std::optional<CardTypeId> base;
  std::string label;   // template such as "{rank} of {suit}", or empty
  Range range;
};
struct Kind {   // a declared `card`
  std::string name;
  std::string label;   // for example "O.Z. 6400"; the default is the name, split at capitals
  std::string text;   // printed rules text
  CardTypeId type;
  Range range;
};
// One copy of a card. Its id is its index in Model::cards, which are sorted by kind, then by attribute values.
struct Card {
  KindId kind;
  std::vector<std::int64_t> attributes;   // indexed by AttributeId::index; kNone if absent
  std::optional<ZoneId> home;   // initial zone: the deck's `into`, or a zone that `starts with` this card
  std::int64_t home_place = 0;   // the copy of that zone: the index of its owner or of the part of an area, from 0
};
struct Pool {   // a deck of values: `deck Roles: Role, by players {…}`
  std::string name;
  EnumId element;
  std::vector<std::int64_t> counts;   // number of copies of each constant
  Range range;
};

// A const that is a list of sets.
struct SetList {
  std::string name;
  Type element;   // a set type
  std::vector<std::vector<std::int64_t>> sets;
};

}   // namespace cardwright::model
