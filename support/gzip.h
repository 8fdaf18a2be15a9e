// Texts made smaller, as browsers unpack them.
#pragma once

#include <string>
#include <string_view>

namespace cardwright {

// RFC 1952, as small as zlib makes it.
std::string gzipped(std::string_view text);

}   // namespace cardwright
