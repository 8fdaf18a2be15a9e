// Stores the files that the server provides over HTTP, each uncompressed and gzipped. The descriptions and pictures of
// games have content hashes as names, so that clients can cache them forever.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "cardwright/theme.hpp"

namespace cardwright::server {

struct File {
  std::string type;   // MIME type, such as "text/html; charset=utf-8"
  std::string plain, gzipped;
  std::string tag;   // ETag with its quotes
  bool for_good = false;   // the contents of this path never change
};

class Files {
 public:
  // Adds table.html, table.js and table.css of this folder as /, /table.js and /table.css. Throws Error(internal) if a
  // file cannot be read.
  void add_pages(const std::string& folder);
  // Adds the description of a game as /r/HASH.json and returns the hash.
  std::string add_description(std::string text);
  // Adds a picture of a theme as /i/ID. Throws Error(internal) if the file cannot be read.
  void add_image(const api::LookImage& image);
  // Returns the file, or null if the path is unknown.
  std::shared_ptr<const File> find(std::string_view path) const;

 private:
  void add(const std::string& path, const std::string& type, std::string text, bool for_good);
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const File>, std::less<>> all_;
};

}   // namespace cardwright::server
