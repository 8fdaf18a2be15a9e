// Source texts and places in them.
// Everything that can be blamed on the author carries a Range; only support/ turns it into line and column.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace cardwright {

using SourceId = std::uint32_t;
inline constexpr SourceId kNoSource = ~SourceId{0};

// A stretch of bytes [begin, end) of one source. The default is "nowhere" (built in).
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

// Owns every text of one compilation. Texts never move, so views into them stay valid.
class SourceMap {
 public:
  // `name` is what messages call the file: printable(). The text must be valid UTF-8 (see read_source).
  SourceId add(std::string name, std::string text);
  std::string_view name(SourceId id) const { return sources_.at(id).name; }
  std::string_view text(SourceId id) const { return sources_.at(id).text; }
  std::string_view text(Range range) const;
  std::string_view line_text(SourceId id, std::uint32_t line) const;
  LineColumn place(SourceId id, std::uint32_t offset) const;
  // "splash.rules:14", for rule stacks and traps; "built in" where the range is unknown.
  std::string describe(Range range) const;
  std::size_t size() const { return sources_.size(); }

 private:
  struct Source {
    std::string name;
    std::string text;
  };
  std::deque<Source> sources_;
};

// The first byte that does not belong to a well-formed UTF-8 text, or npos.
std::size_t first_bad_byte(std::string_view text);
// In one line of UTF-8: control characters and strange bytes, which names of files may hold, as `\n` and `\xff`.
std::string printable(std::string_view text);
// What was written, without comments and breaks.
std::string one_line(std::string_view text);

}   // namespace cardwright
