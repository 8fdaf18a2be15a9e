// Compresses text for browsers.
#pragma once

#include <string>
#include <string_view>

namespace cardwright {

// Returns the text in gzip format (RFC 1952) with the best compression of zlib.
std::string gzipped(std::string_view text);

}   // namespace cardwright
