// Defines ids of the entities of a Model, and the types of expressions.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "support/id.h"

namespace cardwright::model {

using EnumId = Id<struct EnumTag>;   // an enum or a character type; both are enumerations with attributes
using CardTypeId = Id<struct CardTypeTag>;
using KindId = Id<struct KindTag>;   // a declared `card`
using AttributeId = Id<struct AttributeTag>;
using VariableId = Id<struct VariableTag>;
using ZoneId = Id<struct ZoneTag>;
using PoolId = Id<struct PoolTag>;   // a deck of enum constants or characters, which are values and not cards
using ValueId = Id<struct ValueTag>;
using FunctionId = Id<struct FunctionTag>;
using EventId = Id<struct EventTag>;
using WindowId = Id<struct WindowTag>;
using ActionId = Id<struct ActionTag>;
using GroupId = Id<struct GroupTag>;   // a group of actions, such as `as shot`
using TimerId = Id<struct TimerTag>;
using LocalId = Id<struct LocalTag>;   // index in Body::locals

// The integers that represent `none` and `unlimited`. Arithmetic on `none` traps; arithmetic on `unlimited` saturates.
inline constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kUnlimited = std::int64_t{1} << 40;
// A duration is an integer number of microseconds whose type has `ref` == kDurationRef. The longest duration is 71
// minutes.
inline constexpr std::uint32_t kDurationRef = 0xfffffffe;
inline constexpr std::int64_t kLongest = 0xffffffff;
// A real-time window without an `after` ends with an error after this time, in microseconds (10 minutes).
inline constexpr std::int64_t kRaceLimit = 600'000'000;

enum class TypeKind : std::uint8_t {
  poison,   // the type after a reported error; suppresses further errors
  nothing,   // the type of a call without a value
  boolean,
  integer,   // integer in lo..hi
  player,
  // A card. `ref` restricts it to a card type and is otherwise invalid; `lo` restricts it to one kind and is then the
  // kind's index + 1.
  card,
  enumeration,   // a constant of an enum or a character type; `ref` is its EnumId
  kind,   // a card kind as a value (`c.kind`)
  set,   // of `elem`, which is player, card, enumeration, kind, or integer in 0..kMostInSet
  list,   // of `elem`, with at most `most` entries
  // An element of a SetList, represented by its position in lo..hi. `ref` is the index of the list.
  // ExprKind::listed_set reads the set at that position.
  listed,
  map,   // one `elem` for each `key` (player, enumeration, or integer range)
  // A record; `ref` is the index in Model::records. Sema splits records into fields, so no variable, local or parameter
  // has this type.
  record,
  text,
};

struct Type {
  TypeKind kind = TypeKind::nothing;
  bool optional = false;
  std::int64_t lo = 0, hi = 0;   // bounds of an integer, or -kUnlimited..kUnlimited
  std::uint32_t ref = ~std::uint32_t{0};   // index of an entity, as described in TypeKind
  std::int64_t most = 0;   // capacity of a list
  std::shared_ptr<const Type> elem;   // element type of a set, list or map
  std::shared_ptr<const Type> key;   // key type of a map
};

}   // namespace cardwright::model
