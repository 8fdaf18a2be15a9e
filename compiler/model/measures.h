// Defines measures: data recorded while many games are played. Measures read the state but never affect the game.
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

// A key by which a measure is divided. Each value of the key has its own cell; the values are `first`, `first` + 1, …
struct MeasureKey {
  std::string name;   // source text: "by", "c.suit"
  Type type;   // player, enumeration, boolean, integer, card (divided by kind) or kind
  std::int64_t first = 0;
  std::int64_t count = 1;   // number of values; if `none` is possible, it is the last one
};

// The value of a key at one moment.
struct KeyValue {
  LocalId each;   // for `p in S`: the loop variable, which is also `value`
  const Expr* domain = nullptr;   // the set S of `p in S`
  const Expr* value = nullptr;
};

// A point at which a measure records a value: an event, an action, or the end of the game. An action is recorded
// directly only if it has no event, which is the case if the measure is not selected.
struct Moment {
  RuleHead head;   // contains the condition; `me` and `this` are set if the patterns bind them
  std::optional<EventId> event;
  std::optional<ActionId> action;   // always set for late and wrong
  // One pattern for each parameter of the event. For an action, the patterns are for me, then this (if a card carries
  // the action), then the action's parameters.
  std::vector<Pattern> patterns;
  std::vector<KeyValue> keys;
  const Expr* value = nullptr;   // null if the measure only counts
  Body body;   // contains only locals
};

struct Measure {
  std::string name;
  std::string label;   // shown to people; may be empty
  Measured what = Measured::count;
  MomentKind when = MomentKind::after;
  Span along = Span::game;   // the period of one observation: game, turn or round
  bool per_span = false;   // records one observation for each turn or round
  bool duration = false;   // values are durations in microseconds
  bool asked = false;   // selected by the configuration
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
