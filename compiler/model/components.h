// The components of a game: enums and characters, records, cards and decks.
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
  std::string name;   // as written in rules
  std::string label;   // as shown to players ("Lil' Brudder")
  std::int64_t number = 0;   // the `= 14` of `ace = 14`, else the position
  std::vector<std::int64_t> attributes;   // by Enum::attributes; kNone where absent
  std::string text;   // printed text, shown to players
  Range range;
};
inline constexpr std::size_t kMostConstants = 4'096;
inline constexpr std::size_t kMostCharacters = 62;
// A set of small numbers is stored as a bit mask in one int, whose uppermost bits encode `none` and unset.
inline constexpr std::int64_t kMostInSet = 61;   // the greatest number in such a set
struct Enum {
  std::string name;
  bool character = false;
  bool numbered = false;   // has explicit numbers: arithmetic and order use EnumConst::number
  std::vector<AttributeId> attributes;
  std::vector<EnumConst> constants;   // at most kMostConstants, or the cells of a board
  bool cells = false;   // the cells or the edges of a board
  bool dirs = false;   // the directions of a board
  Range range;

  // Sets of its constants do not fit into one mask and are stored in several words.
  bool has_wide_sets() const { return cells || static_cast<std::int64_t>(constants.size()) > kMostInSet + 1; }
};

// A record type. A variable `purse` of a record becomes the variables `purse.gold`, `purse.silver` of the Model.
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

// Returns whether sets of kinds are wide, like Enum::has_wide_sets().
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
struct Kind {   // a `card`
  std::string name;
  std::string label;   // "O.Z. 6400"; default: the name split at capitals
  std::string text;   // printed text
  CardTypeId type;
  Range range;
};
struct Card {   // one copy; ids are positions, sorted by kind, then by attribute values
  KindId kind;
  std::vector<std::int64_t> attributes;   // by AttributeId::index; kNone where absent
  std::optional<ZoneId> home;   // its initial zone: `into`, or a zone that `starts with` it
  std::int64_t home_place = 0;   // index of the owner or part of that zone, from 0
};
struct Pool {   // `deck Roles: Role, by players {…}`
  std::string name;
  EnumId element;
  std::vector<std::int64_t> counts;   // by constant
  Range range;
};

// A const that is a list of sets.
struct SetList {
  std::string name;
  Type element;   // a set
  std::vector<std::vector<std::int64_t>> sets;
};

}   // namespace cardwright::model
