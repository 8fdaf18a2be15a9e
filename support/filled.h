// What is filled in in a text, `"{p} has {n}"`, and texts inside of that.
#pragma once

#include <cstddef>
#include <string_view>

namespace cardwright {

// `begin` is behind the `{` of a text: where its `}` stands, or npos. Texts in between may have braces of their own.
std::size_t end_of_filled_in(std::string_view text, std::size_t begin);

}   // namespace cardwright
