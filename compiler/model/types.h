// Ids of the entities of a Model, and the types of expressions.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "support/id.h"

namespace cardwright::model {

using EnumId = Id<struct EnumTag>;   // an enum or a character type: both are enumerations with attributes
using CardTypeId = Id<struct CardTypeTag>;
using KindId = Id<struct KindTag>;   // a declared `card`
using AttributeId = Id<struct AttributeTag>;
using VariableId = Id<struct VariableTag>;
using ZoneId = Id<struct ZoneTag>;
using PoolId = Id<struct PoolTag>;   // a deck of enum constants or characters: values, not cards
using ValueId = Id<struct ValueTag>;
using FunctionId = Id<struct FunctionTag>;
using EventId = Id<struct EventTag>;
using WindowId = Id<struct WindowTag>;
using ActionId = Id<struct ActionTag>;
using GroupId = Id<struct GroupTag>;   // `as shot`
using TimerId = Id<struct TimerTag>;
using LocalId = Id<struct LocalTag>;   // index into Body::locals

// `none` and `unlimited` as numbers. Arithmetic on none traps; unlimited saturates.
inline constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kUnlimited = std::int64_t{1} << 40;
// A duration is an integer in microseconds whose type has `ref` == kDurationRef; the longest is 71 minutes.
inline constexpr std::uint32_t kDurationRef = 0xfffffffe;
inline constexpr std::int64_t kLongest = 0xffffffff;
// A real-time window without an `after` ends with an error after this time, in microseconds.
inline constexpr std::int64_t kRaceLimit = 600'000'000;

enum class TypeKind : std::uint8_t {
  poison,   // an error was reported; suppresses further errors
  nothing,   // a call without a value
  boolean,
  integer,   // lo..hi
  player,
  card,   // any card; `ref` narrows to a card type (or invalid), `lo` to one kind: its index and 1
  enumeration,   // ref = EnumId; characters too
  kind,   // a card kind as a value (`c.kind`)
  set,   // of elem: player, card, enumeration, kind or integer in 0..63
  list,   // of elem, at most `most`
  // an element of a SetList, by its position lo..hi; ref = index of the list. ExprKind::listed_set reads the set
  listed,
  map,   // elem per key (key: player, enumeration, or integer range)
  // ref = index into Model::records; sema splits records into fields: no variable, local or parameter has this type
  record,
  text,
};

struct Type {
  TypeKind kind = TypeKind::nothing;
  bool optional = false;
  std::int64_t lo = 0, hi = 0;   // integer bounds; for unbounded int: -kUnlimited..kUnlimited
  std::uint32_t ref = ~std::uint32_t{0};   // EnumId / CardTypeId index
  std::int64_t most = 0;   // list capacity
  std::shared_ptr<const Type> elem;   // set, list, map
  std::shared_ptr<const Type> key;   // map
};

}   // namespace cardwright::model
