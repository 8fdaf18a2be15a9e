// What can be named in a Model, by number, and the types of what is worked out.
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
// A duration is an integer of microseconds whose type says so in `ref`; the longest is 71 minutes.
inline constexpr std::uint32_t kDurationRef = 0xfffffffe;
inline constexpr std::int64_t kLongest = 0xffffffff;
// Without an `after` a window in real time ends with an error at this time.
inline constexpr std::int64_t kRaceLimit = 600'000'000;

enum class TypeKind : std::uint8_t {
  poison,   // an error was reported; says nothing more
  nothing,   // a call without a value
  boolean,
  integer,   // lo..hi
  player,
  card,   // any card; `ref` narrows to a card type (or invalid), `lo` to one kind: its index and 1
  enumeration,   // ref = EnumId; characters too
  kind,   // a card kind as a value (`c.kind`)
  set,   // of elem: player, card, enumeration, kind or integer in 0..63
  list,   // of elem, at most `most`
  // one of a SetList, by its position lo..hi; ref = which list. Its name means the set: see ExprKind::listed_set
  listed,
  map,   // elem per key (key: player, enumeration, or integer range)
  record,   // of ref=index into Model::records; sema takes it apart: no variable, local or parameter has this type
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
