// Defines small typed indices, so that a zone cannot be passed where an event is expected.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace cardwright {

template <class Tag>
struct Id {
  std::uint32_t index = ~std::uint32_t{0};
  bool valid() const { return index != ~std::uint32_t{0}; }
  friend auto operator<=>(Id, Id) = default;
};

}   // namespace cardwright

template <class Tag>
struct std::hash<cardwright::Id<Tag>> {
  std::size_t operator()(cardwright::Id<Tag> id) const { return id.index; }
};
