// Stores source files, and defines ranges in them. Every object that can cause a diagnostic has a Range; only support/
// converts ranges to lines and columns.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace cardwright {

using SourceId = std::uint32_t;
inline constexpr SourceId kNoSource = ~SourceId{0};

// The bytes [begin, end) of one source. The default is an unknown range, for built-in objects.
struct Range {
  SourceId source = kNoSource;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool known() const { return source != kNoSource; }
  friend bool operator==(const Range&, const Range&) = default;
};

struct LineColumn {
  std::uint32_t line = 0;   // from 1
  std::uint32_t column = 0;   // from 1, in code points
};

// Owns the source text of one compilation. The text never moves, so views into it remain valid.
class SourceMap {
 public:
  // `name` is the file's name in messages, escaped with printable(). The text must be valid UTF-8 (see read_source).
  SourceId add(const std::string& name, std::string text);
  std::string_view name(SourceId id) const { return sources_.at(id).name; }
  std::string_view text(SourceId id) const { return sources_.at(id).text; }
  std::string_view text(Range range) const;
  std::string_view line_text(SourceId id, std::uint32_t line) const;
  LineColumn place(SourceId id, std::uint32_t offset) const;
  // Returns a range as "splash.rules:14", for rule stacks and traps, or "built in" if it is unknown.
  std::string describe(Range range) const;
  std::size_t size() const { return sources_.size(); }

 private:
  struct Source {
    std::string name;
    std::string text;
  };
  std::deque<Source> sources_;
};

// Returns the position of the first byte that is not valid UTF-8, or npos.
std::size_t first_bad_byte(std::string_view text);
// Escapes control characters and invalid bytes, which file names may contain, as `\n` and `\xff`. The result is one
// line of UTF-8.
std::string printable(std::string_view text);
// Returns the source text without comments and line breaks.
std::string one_line(std::string_view text);

}   // namespace cardwright
