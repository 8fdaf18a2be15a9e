// Parses strings with placeholders, such as `"{p} has {n}"`, which can contain nested strings.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace cardwright {

// Returns the position of the `}` that closes the placeholder whose content starts at `begin`, or npos. Nested strings
// may contain braces of their own.
std::size_t end_of_filled_in(std::string_view text, std::size_t begin);

// Returns the begin and end of each placeholder's content in a quoted string. `\{` does not begin a placeholder.
std::vector<std::pair<std::size_t, std::size_t>> placeholders(std::string_view quoted);

}   // namespace cardwright
