// Compresses text with zlib.
#include "support/gzip.h"

#include <zlib.h>

#include <stdexcept>

namespace cardwright {

std::string gzipped(std::string_view text) {
  constexpr int kGzip = 15 + 16;   // the largest window size, plus 16 for a gzip header
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("cannot initialize zlib");
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (!whole) throw std::runtime_error("zlib failed");
  return out;
}

}   // namespace cardwright
