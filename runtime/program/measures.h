// Describes the measures that are recorded while many games are played. Each `note` identifies its measure by an index
// into Program::measures.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/components.h"

namespace cardwright {

inline constexpr Int kMostMeasureCells = 4096;

enum class MeasureWhat : std::uint8_t { count, sum, mean, share };
enum class MeasureSpan : std::uint8_t { game, turn, round };

struct MeasureKeyInfo {
  std::string name;   // name as written in the rules, such as "by"
  ValueKind kind = ValueKind::integer;   // integer, boolean, player, enumeration or kind
  Int enumeration = -1;
  Int first = 0, count = 1;   // number of values, including none
  bool optional = false;   // true if the last value is none
};

// A note has a cell and a value. The cell number combines the values of the keys; the last key varies fastest. If the
// measure is per turn or per round, the number of the turn or round precedes the keys.
struct MeasureInfo {
  std::string name, label;
  MeasureWhat what = MeasureWhat::count;
  MeasureSpan along = MeasureSpan::game;
  bool per_span = false;   // each turn or round is an observation, even without a note
  bool duration = false;   // values are durations in microseconds
  std::vector<MeasureKeyInfo> keys;
  Range where;

  Int cells() const {
    Int n = 1;
    for (const MeasureKeyInfo& key : keys) n *= key.count;
    return n;
  }
};

}   // namespace cardwright
