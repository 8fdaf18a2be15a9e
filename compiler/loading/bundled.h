// Finds the games and libraries that are installed with Cardwright.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::loading {

// Maps the name of each game below `home` to its file NAME/NAME.rules. A folder that contains no rules file with the
// folder's name is a collection of such game folders.
std::map<std::string, std::filesystem::path, std::less<>> bundled_rules(const std::filesystem::path& home);

struct Library {
  std::string name;   // "std.piles"
  bool on_board = false;   // used on a board, as in `use std.grid on field`
};

// Returns the libraries in `home` that declare `name`. The first call reads all libraries.
std::vector<Library> libraries_with(const std::filesystem::path& home, std::string_view name);

}   // namespace cardwright::loading
