// Texts by number, and places in them as line and column.
#include "compiler/support/source.h"

#include <algorithm>

namespace cardwright {

SourceId SourceMap::add(std::string name, std::string text) {
  sources_.push_back({std::move(name), std::move(text)});
  return static_cast<SourceId>(sources_.size() - 1);
}

std::string_view SourceMap::text(Range range) const {
  if (!range.known()) return {};
  const std::string_view whole = text(range.source);
  const std::size_t begin = std::min<std::size_t>(range.begin, whole.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, whole.size());
  return whole.substr(begin, end - begin);
}

std::string_view SourceMap::line_text(SourceId id, std::uint32_t line) const {
  std::string_view rest = text(id);
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t newline = rest.find('\n');
    if (newline == std::string_view::npos) return {};
    rest.remove_prefix(newline + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

LineColumn SourceMap::place(SourceId id, std::uint32_t offset) const {
  const std::string_view before = text(id).substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return {static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n')),
          static_cast<std::uint32_t>(1 + std::ranges::count_if(line, starts_character))};
}

std::string SourceMap::describe(Range range) const {
  if (!range.known()) return "built in";
  return std::string(name(range.source)) + ":" + std::to_string(place(range.source, range.begin).line);
}

std::string one_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) i = std::min(text.size(), text.find('\n', i));
    const bool blank = i == text.size() || std::string_view(" \t\r\n").find(text[i]) != std::string_view::npos;
    if (!blank) out += text[i];
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace cardwright
