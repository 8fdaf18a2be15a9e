// Reads and writes the file of one saved game (cardwright/saved_game.hpp). New entries are appended and synced to disk
// before the terminal shows their effects, so that a killed program loses nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "cardwright/saved_game.hpp"

namespace cardwright::cli {

class SaveFile {
 public:
  SaveFile() = default;   // not open; writes nothing
  ~SaveFile();
  SaveFile(SaveFile&& other) noexcept { *this = std::move(other); }
  SaveFile& operator=(SaveFile&& other) noexcept;

  // Creates a new file. Throws api::Error(caller) if the file exists or cannot be created, and Error(internal) if
  // writing fails.
  static SaveFile create(const std::string& path, const api::SavedGame& saved);
  // Reads a file. If this program wrote it, the SaveFile appends to it; otherwise it is not open. Throws
  // api::Error(caller) if the file is not a saved game, is damaged or is in use.
  static std::pair<SaveFile, api::SavedGame> open(const std::string& path);
  // Returns ~/.local/state/cardwright/NAME-TIME.json (or a path below XDG_STATE_HOME), and creates the folder.
  static std::string standard_path(const std::string& game);

  void add(std::span<const api::TableEntry> entries);
  void copy_to(const std::string& path) const;
  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }

 private:
  void sync() const;
  std::string path_;
  int descriptor_ = -1;
  std::int64_t end_ = 0;   // position of api::kSavedEnd
};

}   // namespace cardwright::cli
