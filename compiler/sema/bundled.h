// The games that come with Cardwright, by name.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace cardwright::sema {

// NAME/NAME.rules below `home`; a folder without rules of its own name is a collection of such folders.
std::map<std::string, std::filesystem::path, std::less<>> bundled_rules(const std::filesystem::path& home);

}  // namespace cardwright::sema
