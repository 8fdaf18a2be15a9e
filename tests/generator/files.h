// A generated ruleset is one text: the file that is played, and behind lines `// file NAME` what lies beside it.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace cardwright::test {

// Puts the files into a folder of their own, where nothing else stays, and gives the path of the one that is played.
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
