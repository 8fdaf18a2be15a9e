// Defines the state of a game: variables, zones, and areas, whose parts have their own variables and zones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/boards.h"

namespace cardwright::model {

// `open` is written `public` in rules. Only zones can be `team`.
enum class Visibility : std::uint8_t { open, owner, team, hidden };
enum class Lifetime : std::uint8_t { game, round, turn, phase };

struct Variable {
  std::string name;
  Type type;   // the keys of maps are in `indices`
  bool per_player = false;
  std::int64_t each = 0;   // in an area of players, equal to Area::each; the first index is then the part
  std::vector<Type> indices;   // types of the keys of a map variable, after the player
  const Expr* initial = nullptr;   // constant expression over options and the player count; null if initially unset
  Visibility visibility = Visibility::open;   // `secret` in rules is represented as owner
  Lifetime lifetime = Lifetime::game;
  bool can_be_unset = false;   // true if it has no initial value and is not optional; reading it while unset traps
  // A rule deals the values of this pool into the variable. Resampling permutes them.
  std::optional<PoolId> dealt_from;
  Range range;
};

// Dice are represented as an area. A variable of the area stores the face that each die shows.
struct Dice {
  VariableId face;
  std::vector<std::int64_t> faces;   // value of each face
};

// A string on the screen, displayed for each player, for the table, or as the symbol of a piece.
struct ShownText {
  Body body;   // { log "…" }; its first local is the player or piece
  bool of_players = false;
  std::string text;   // source text
  Range range;
};

// An area with several equal parts. A part is represented as an integer whose type refers to the area by `ref`. In an
// area of players, the parts are numbered by seat.
struct Area {
  std::string name;
  std::int64_t parts = 0;   // total number of parts, over all players
  std::int64_t each = 0;   // number of parts per player, in an area of players
  std::optional<Placing> piece = {};   // set if the parts are pieces
  std::optional<EnumId> per = {};   // for pieces: there is one for each constant of this enum
  std::string sign = {};   // symbol of a piece; if empty, its name is displayed
  std::optional<ShownText> drawn = {};   // symbol of a piece, if it is computed
  std::optional<Dice> dice = {};   // set if the parts are dice
  bool is_thing() const { return piece || dice; }   // the parts are pieces or dice, which have names
  bool has_wide_sets() const { return parts > kMostInSet; }   // parts are numbered from 1
};

// The cards that can be placed on a board: the cards of type `type`, or all cards if it is invalid. The board is
// represented as a zone.
struct BoardCards {
  CardTypeId type;
  ZoneId zone;
  Placing placing;
  std::vector<std::int64_t> sort_of;   // by kind: index of its sort in Shapes; kNone if it is never on the board
  std::vector<std::string> signs;   // by card kind: the symbol on the board; if empty, its name is displayed
};

enum class ZoneShape : std::uint8_t { set, pile, row, slot };
struct Zone {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  std::int64_t copies = 1;   // number of copies; in an area, there is one for each part
  std::int64_t each = 0;   // number of copies per player, in an area of players
  std::optional<std::uint32_t> area = {};   // index in Model::areas
  Visibility visibility = Visibility::open;   // for piles: `facedown` is hidden, `faceup` is open
  bool of_teams = false;   // each team has a copy
  std::optional<ZoneId> refill_from;   // for a pile: the zone of the same player or part that refills it
  bool one_of_a_kind = false;
  Range range;

  bool has_owner() const { return per_player || each > 0; }
};

}   // namespace cardwright::model
