// Splits the text of a generated ruleset into files. The text contains the main file, followed by other files, each
// after a line `// file NAME`.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace cardwright::test {

// Replaces the contents of the folder with the files, and returns the path of the main file.
inline std::string put_files(const std::string& folder, const std::string& text) {
  static constexpr std::string_view kMark = "// file ";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::string path = folder + "/main.rules";
  std::ofstream file(path);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.starts_with(kMark))
      file = std::ofstream(folder + "/" + line.substr(kMark.size()));
    else
      file << line << '\n';
    at = end + 1;
  }
  return path;
}

}   // namespace cardwright::test
