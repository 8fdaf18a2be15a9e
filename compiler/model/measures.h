// Measures: what is noted of games while many are played. They read the game and are read by nothing in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/rules.h"

namespace cardwright::model {

enum class Measured : std::uint8_t { count, sum, mean, share };
enum class MomentKind : std::uint8_t { before, after, late, wrong, end };
enum class Span : std::uint8_t { game, turn, round };

inline constexpr std::int64_t kMostMeasureCells = 4096;   // of one measure

// What a measure is divided by. Each value that the key can have is a cell: `first`, `first` + 1 …
struct MeasureKey {
  std::string name;   // as it is written: "by", "c.suit"
  Type type;   // player, enumeration, boolean, integer, card (by its kind) or kind
  std::int64_t first = 0;
  std::int64_t count = 1;   // with none, if it can be that: then none is the last
};

// What stands for a key at one moment.
struct KeyValue {
  LocalId each;   // `p in S`: it goes through …
  const Expr* domain = nullptr;   // … S, and `value` is that local
  const Expr* value = nullptr;
};

// Where something is noted: an event, an action of which no event was made since nobody asks for the measure, or the
// end of the game.
struct Moment {
  RuleHead head;   // when; `me` and `this` where the patterns bind them
  std::optional<EventId> event;
  std::optional<ActionId> action;   // late, wrong: always that
  std::vector<Pattern> patterns;   // one per parameter: of an action me, this (if a card carries it), and its own
  std::vector<KeyValue> keys;
  const Expr* value = nullptr;   // null: count
  Body body;   // locals only
};

struct Measure {
  std::string name;
  std::string label;   // for people; may be empty
  Measured what = Measured::count;
  MomentKind when = MomentKind::after;
  Span along = Span::game;   // told turn by turn, or round by round …
  bool per_span = false;   // … each of which is one observation
  bool duration = false;   // in microseconds
  bool asked = false;   // it is noted
  std::vector<MeasureKey> keys;
  std::vector<Moment> moments;
  Range range;

  std::int64_t cells() const {
    std::int64_t n = 1;
    for (const MeasureKey& key : keys) n *= key.count;
    return n;
  }
};

}   // namespace cardwright::model
