// See files.h.
#include "serve/files.h"

#include <zlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "compiler/support/digest.h"

namespace cardwright::serve {

std::string gzipped(std::string_view text) {
  constexpr int kGzip = 15 + 16;   // the largest window, and gzip's own head
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib can't begin");
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

void Files::add(const std::string& path, const std::string& type, std::string text, bool for_good) {
  auto file = std::make_shared<File>();
  file->type = type;
  file->gzipped = gzipped(text);
  file->tag = fmt::format("\"{}\"", hex(digest_of(text)));
  file->plain = std::move(text);
  file->for_good = for_good;
  const std::lock_guard lock(mutex_);
  all_[path] = std::move(file);
}

void Files::add_pages(const std::string& folder) {
  struct Page {
    const char *path, *name, *type;
  };
  for (const Page& page : {Page{"/", "table.html", "text/html; charset=utf-8"},
                           Page{"/table.js", "table.js", "text/javascript; charset=utf-8"},
                           Page{"/table.css", "table.css", "text/css; charset=utf-8"}}) {
    std::ifstream file(folder + "/" + page.name, std::ios::binary);
    if (!file) throw api::Error(api::Blame::us, fmt::format("can't read {}/{}", folder, page.name));
    add(page.path, page.type, {std::istreambuf_iterator<char>(file), {}}, false);
  }
}

std::string Files::add_description(std::string text) {
  const std::string hash = hex(digest_of(text));
  const std::string path = fmt::format("/r/{}.json", hash);
  if (!find(path)) add(path, "application/json", std::move(text), true);
  return hash;
}

void Files::add_image(const api::LookImage& image) {
  const std::string path = "/i/" + image.id;
  if (find(path)) return;
  std::ifstream file(image.path, std::ios::binary);
  if (!file) throw api::Error(api::Blame::us, fmt::format("can't read {}", image.path));
  add(path, image.type, {std::istreambuf_iterator<char>(file), {}}, true);
}

std::shared_ptr<const File> Files::find(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto file = all_.find(path);
  return file == all_.end() ? nullptr : file->second;
}

}  // namespace cardwright::serve
