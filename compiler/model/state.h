// What changes while a game is played: variables and zones, and areas, whose parts have some of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/boards.h"

namespace cardwright::model {

enum class Visibility : std::uint8_t { open, owner, team, hidden };   // `open` is `public`; team: of zones only
enum class Lifetime : std::uint8_t { game, round, turn, phase };

struct Variable {
  std::string name;
  Type type;   // maps become further indices: see `indices`
  bool per_player = false;
  std::int64_t each = 0;   // in an area of players, whose parts are its first index: see Area
  std::vector<Type> indices;   // of a map variable, after the player
  const Expr* initial = nullptr;   // constant expression over options and player count; null: unset at first
  Visibility visibility = Visibility::open;   // secret = owner
  Lifetime lifetime = Lifetime::game;
  bool can_be_unset = false;   // no initial value and not optional: reading it unset traps
  std::optional<PoolId> dealt_from;   // some rule deals this pool into it: resample permutes inside it
  Range range;
};

// Dice: their face is a variable of the area.
struct Dice {
  VariableId face;
  std::vector<std::int64_t> faces;   // of each side
};

// A text that screens show: of each player, of the table, or as the sign of a piece.
struct ShownText {
  Body body;   // { log "…" }; its first local is the player or piece
  bool of_players = false;
  std::string text;   // as it is written
  Range range;
};

// Several places alike. A part is a number of a type whose `ref` is the area; those of players are numbered seat by
// seat.
struct Area {
  std::string name;
  std::int64_t parts = 0;   // of all players together
  std::int64_t each = 0;   // of an area of players: so many parts are each player's
  std::optional<Placing> piece = {};   // it is a kind of pieces
  std::optional<EnumId> per = {};   // … one for each constant
  std::string sign = {};   // with which it is drawn; empty: by its name
  std::optional<ShownText> drawn = {};   // … where that is worked out
  std::optional<Dice> dice = {};   // its parts are dice
  bool is_thing() const { return piece || dice; }   // … each of which people call by a name
  bool has_wide_sets() const { return parts > kMostInSet; }   // parts are numbered from 1
};

// Cards that lie on a board: those of the type `type` (invalid: of any). The board is a zone of theirs.
struct LyingCards {
  CardTypeId type;
  ZoneId zone;
  Placing placing;
  std::vector<std::int64_t> sort_of;   // by kind: which of the shapes; kNone: it never lies on the board
  std::vector<std::string> signs;   // by kind: with which it is drawn; empty: by its name
};

enum class ZoneShape : std::uint8_t { set, pile, row, slot };
struct Zone {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  std::int64_t copies = 1;   // in an area: one for each part
  std::int64_t each = 0;   // in an area of players: so many of them are each player's
  std::optional<std::uint32_t> area = {};   // index into Model::areas
  Visibility visibility = Visibility::open;   // a facedown pile is hidden, a faceup pile open
  bool of_teams = false;   // its copies belong to the teams
  std::optional<ZoneId> refill_from;   // a pile; from the zone of the same player or part
  bool one_of_a_kind = false;
  Range range;

  bool has_owner() const { return per_player || each > 0; }
};

}   // namespace cardwright::model
