// What the server gives over HTTP: a fixed list of paths, each kept as it is and gzipped. The page's files, and the
// description and pictures of each game under names that are digests of what is in them, so that they may be cached for
// good.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "cardwright/theme.hpp"

namespace cardwright::server {

struct File {
  std::string type;   // of its contents: "text/html; charset=utf-8"
  std::string plain, gzipped;
  std::string tag;   // ETag, with its quotes
  bool for_good = false;   // never changes under its path
};

class Files {
 public:
  // The page: table.html, table.js and table.css of this folder, under /, /table.js and /table.css. Throws Error(us)
  // where one can't be read.
  void add_pages(const std::string& folder);
  // A description of a game, under /r/HASH.json; gives the hash.
  std::string add_description(std::string text);
  // A picture of a look, under /i/ID. Throws Error(us) where the file can't be read.
  void add_image(const api::LookImage& image);
  // Null where there is nothing of that path.
  std::shared_ptr<const File> find(std::string_view path) const;

 private:
  void add(const std::string& path, const std::string& type, std::string text, bool for_good);
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const File>, std::less<>> all_;
};

}   // namespace cardwright::server
