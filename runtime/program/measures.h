// What is noted of a game while many are played, for whoever counts the notes: ids of `note` are places in
// Program::measures.
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
  std::string name;   // as it is written: "by"
  ValueKind kind = ValueKind::integer;   // integer, boolean, player, enumeration or kind
  Int enumeration = -1;
  Int first = 0, count = 1;   // cells, with the one for none
  bool optional = false;   // the last of them is none
};

// A note says a cell, the keys' values with the last counting fastest, and a value. Where it goes along turns or
// rounds, the number of that comes before the keys.
struct MeasureInfo {
  std::string name, label;
  MeasureWhat what = MeasureWhat::count;
  MeasureSpan along = MeasureSpan::game;
  bool per_span = false;   // a turn or round is an observation, also one in which nothing is noted
  bool duration = false;   // in microseconds
  std::vector<MeasureKeyInfo> keys;
  Range where;

  Int cells() const {
    Int n = 1;
    for (const MeasureKeyInfo& key : keys) n *= key.count;
    return n;
  }
};

}   // namespace cardwright
