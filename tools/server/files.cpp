// Stores and compresses the files that the server provides over HTTP.
#include "tools/server/files.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "support/digest.h"
#include "support/gzip.h"

namespace cardwright::server {

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
    if (!file) throw api::Error(api::Blame::internal, fmt::format("cannot read {}/{}", folder, page.name));
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
  if (!file) throw api::Error(api::Blame::internal, fmt::format("cannot read {}", image.path));
  add(path, image.type, {std::istreambuf_iterator<char>(file), {}}, true);
}

std::shared_ptr<const File> Files::find(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto file = all_.find(path);
  return file == all_.end() ? nullptr : file->second;
}

}   // namespace cardwright::server
