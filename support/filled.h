// Parses texts with placeholders, such as `"{p} has {n}"`, which can contain nested texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace cardwright {

// Returns the position of the `}` that closes the placeholder whose content starts at `begin`, or npos. Nested texts
// may contain braces of their own.
std::size_t end_of_filled_in(std::string_view text, std::size_t begin);

}   // namespace cardwright
