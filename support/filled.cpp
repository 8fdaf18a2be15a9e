// Finds the ends of {placeholders} in strings.
#include "support/filled.h"

namespace cardwright {

namespace {
std::size_t end_of_inner_text(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '{')
      i = end_of_filled_in(text, i + 1);
    else if (text[i] == '"')
      return i;
    if (i == std::string_view::npos) break;
  }
  return std::string_view::npos;
}
}   // namespace

std::size_t end_of_filled_in(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '}') return i;
    if (text[i] == '"') i = end_of_inner_text(text, i + 1);
    if (i == std::string_view::npos) break;
  }
  return std::string_view::npos;
}

std::vector<std::pair<std::size_t, std::size_t>> placeholders(std::string_view quoted) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\') {
      ++i;
    } else if (quoted[i] == '{') {
      const std::size_t end = end_of_filled_in(quoted, i + 1);
      if (end == std::string_view::npos) continue;
      all.emplace_back(i + 1, end);
      i = end;
    }
  }
  return all;
}

}   // namespace cardwright
