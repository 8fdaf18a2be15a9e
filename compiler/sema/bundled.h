// The games and libraries that come with Cardwright, by name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::sema {

// NAME/NAME.rules below `home`; a folder without rules of its own name is a collection of such folders.
std::map<std::string, std::filesystem::path, std::less<>> bundled_rules(const std::filesystem::path& home);

struct Library {
  std::string name;   // "std.piles"
  bool on_board = false;   // `use std.grid on field`
};

// The libraries in `home` that declare this name. They are read when somebody first asks.
std::vector<Library> libraries_with(const std::filesystem::path& home, std::string_view name);

}   // namespace cardwright::sema
