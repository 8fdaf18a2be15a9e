// Stores source files, and converts byte offsets to lines and columns.
#include "support/source.h"

#include <algorithm>

namespace cardwright {

SourceId SourceMap::add(const std::string& name, std::string text) {
  sources_.push_back({printable(name), std::move(text)});
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

std::size_t first_bad_byte(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : (lead & 0xF0) == 0xE0       ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0) return i;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    const bool overlong = (lead == 0xE0 && byte(i + 1) < 0xA0) || (lead == 0xF0 && byte(i + 1) < 0x90);
    const bool no_character = (lead == 0xED && byte(i + 1) >= 0xA0) || (lead == 0xF4 && byte(i + 1) >= 0x90);
    if (overlong || no_character) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string printable(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (std::size_t bad = first_bad_byte(text), i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (i != bad && byte >= 0x20 && byte != 0x7f) {
      out += text[i];
      continue;
    }
    if (byte == '\n')
      out += "\\n";
    else
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    if (i == bad) bad = first_bad_byte(text.substr(i + 1)), bad += bad == std::string_view::npos ? 0 : i + 1;
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) i = std::min(text.size(), text.find('\n', i));
    const bool blank = i == text.size() || std::string_view(" \t\r\n").find(text[i]) != std::string_view::npos;
    if (!blank)
      out += text[i];
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}   // namespace cardwright
