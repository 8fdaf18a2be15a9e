// Measures: data recorded while many games are played. They read the state but never affect the game.
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

inline constexpr std::int64_t kMostMeasureCells = 4096;   // limit for one measure

// A key by which a measure is divided. Each value of the key is a cell: `first`, `first` + 1 …
struct MeasureKey {
  std::string name;   // source text: "by", "c.suit"
  Type type;   // player, enumeration, boolean, integer, card (by its kind) or kind
  std::int64_t first = 0;
  std::int64_t count = 1;   // number of values; none, if possible, is the last one
};

// The value of a key at one moment.
struct KeyValue {
  LocalId each;   // `p in S`: iterates over `domain`; `value` is this local
  const Expr* domain = nullptr;   // S
  const Expr* value = nullptr;
};

// A point at which a measure records something: an event, an action (if no event was made for it because the measure is
// not selected), or the end of the game.
struct Moment {
  RuleHead head;   // when; `me` and `this` where the patterns bind them
  std::optional<EventId> event;
  std::optional<ActionId> action;   // always set for late and wrong
  // One per parameter; for an action me, this (if a card carries it) and its parameters.
  std::vector<Pattern> patterns;
  std::vector<KeyValue> keys;
  const Expr* value = nullptr;   // null for a count
  Body body;   // locals only
};

struct Measure {
  std::string name;
  std::string label;   // shown to people; may be empty
  Measured what = Measured::count;
  MomentKind when = MomentKind::after;
  Span along = Span::game;   // observed per game, turn or round
  bool per_span = false;   // one observation for each turn or round
  bool duration = false;   // the unit is microseconds
  bool asked = false;   // the measure is selected
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
