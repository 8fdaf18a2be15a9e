// The state of a game: variables, zones, and areas, whose parts have their own variables and zones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/boards.h"

namespace cardwright::model {

enum class Visibility : std::uint8_t { open, owner, team, hidden };   // `open` is `public`; `team` is only for zones
enum class Lifetime : std::uint8_t { game, round, turn, phase };

struct Variable {
  std::string name;
  Type type;   // the keys of maps are in `indices`
  bool per_player = false;
  std::int64_t each = 0;   // in an area of players: Area::each; the part is the first index
  std::vector<Type> indices;   // the keys of a map variable, after the player
  const Expr* initial = nullptr;   // constant expression over options and player count; null: initially unset
  Visibility visibility = Visibility::open;   // secret = owner
  Lifetime lifetime = Lifetime::game;
  bool can_be_unset = false;   // no initial value and not optional: reading it unset traps
  std::optional<PoolId> dealt_from;   // a rule deals this pool into it; resampling permutes these values
  Range range;
};

// Dice; the upper face is a variable of the area.
struct Dice {
  VariableId face;
  std::vector<std::int64_t> faces;   // face value by side
};

// A text on the screen: for each player, for the table, or as the symbol of a piece.
struct ShownText {
  Body body;   // { log "…" }; its first local is the player or piece
  bool of_players = false;
  std::string text;   // as it is written
  Range range;
};

// An area with several equal parts. A part is a number of a type whose `ref` is the area; the parts of players are
// numbered by seat.
struct Area {
  std::string name;
  std::int64_t parts = 0;   // total, for all players
  std::int64_t each = 0;   // in an area of players: number of parts of each player
  std::optional<Placing> piece = {};   // it is a kind of piece
  std::optional<EnumId> per = {};   // for a piece: one for each constant
  std::string sign = {};   // symbol to draw it; empty: its name
  std::optional<ShownText> drawn = {};   // the symbol, if it is computed
  std::optional<Dice> dice = {};   // its parts are dice
  bool is_thing() const { return piece || dice; }   // parts are pieces or dice, which have names
  bool has_wide_sets() const { return parts > kMostInSet; }   // parts are numbered from 1
};

// Cards that can be on a board: those of the type `type` (invalid: all). The board is one of their zones.
struct LyingCards {
  CardTypeId type;
  ZoneId zone;
  Placing placing;
  std::vector<std::int64_t> sort_of;   // by kind: index of the shape; kNone: never on the board
  std::vector<std::string> signs;   // by kind: symbol to draw it; empty: its name
};

enum class ZoneShape : std::uint8_t { set, pile, row, slot };
struct Zone {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  std::int64_t copies = 1;   // in an area: one for each part
  std::int64_t each = 0;   // in an area of players: number of copies of each player
  std::optional<std::uint32_t> area = {};   // index into Model::areas
  Visibility visibility = Visibility::open;   // a facedown pile is hidden, a faceup pile open
  bool of_teams = false;   // its copies belong to the teams
  std::optional<ZoneId> refill_from;   // for a pile; the zone of the same player or part
  bool one_of_a_kind = false;
  Range range;

  bool has_owner() const { return per_player || each > 0; }
};

}   // namespace cardwright::model
