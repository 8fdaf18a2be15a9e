// Reads a rules file into the source map, and checks its size and encoding.
#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "compiler/parse/parse.h"

namespace cardwright::parse {
namespace {

std::string size_in_words(std::size_t bytes) {
  return bytes >= 1024 * 1024 ? fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1024 * 1024))
                              : fmt::format("{} KB", (bytes + 1023) / 1024);
}

}   // namespace

std::optional<SourceId> read_source(const std::filesystem::path& path, SourceMap& sources, Diagnostics& diagnostics,
                                    const std::string& shown) {
  const std::string name = printable(shown.empty() ? path.string() : shown);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    diagnostics.report("cannot_read"_code, {}, fmt::format("file not found: `{}`", name));
    return std::nullopt;
  }
  if (std::filesystem::is_directory(path, error)) {
    diagnostics.report("cannot_read"_code, {}, fmt::format("`{}` is a folder, not a rules file", name));
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(path, error)) {   // reading from a pipe or device may never end
    diagnostics.report("cannot_read"_code, {}, fmt::format("`{}` is not a regular file", name));
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) {
    diagnostics.report("cannot_read"_code, {}, fmt::format("cannot read `{}`", name));
    return std::nullopt;
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMostBytes) {
    const auto size = std::filesystem::file_size(path, error);
    const SourceId id = sources.add(name, {});   // the diagnostic needs a source for its position
    diagnostics.report("too_large"_code, {id, 0, 0},
                       error ? fmt::format("`{}` is larger than the limit of 256 KB", name)
                             : fmt::format("`{}` is {}; the limit is 256 KB", name, size_in_words(size)));
    return std::nullopt;
  }
  const SourceId id = sources.add(name, std::move(text));
  if (!acceptable(id, diagnostics)) return std::nullopt;
  return id;
}

bool acceptable(SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = diagnostics.sources().text(source);
  const std::string_view name = diagnostics.sources().name(source);
  if (text.size() > kMostBytes) {
    diagnostics.report("too_large"_code, {source, 0, 0},
                       fmt::format("`{}` is {}; the limit is 256 KB", name, size_in_words(text.size())));
    return false;
  }
  const std::size_t zero = text.find('\0');
  const std::size_t at = std::min(first_bad_byte(text), zero);
  if (at == std::string_view::npos) return true;
  const Range where{source, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at)};
  const std::string utf8 = "save the file as UTF-8 in your editor";
  // UTF-16 begins with a byte order mark, or every second byte of English text is zero.
  const bool alternates = text.size() >= 4 && (text[0] == 0) != (text[1] == 0) && (text[0] == 0) == (text[2] == 0) &&
                          (text[1] == 0) == (text[3] == 0);
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") || alternates;
  if (utf16)
    diagnostics.report("bad_utf8"_code, where, fmt::format("`{}` is encoded as UTF-16", name), utf8);
  else if (at == zero)
    diagnostics.report("zero_byte"_code, where, fmt::format("`{}` contains a NUL byte", name));
  else
    diagnostics.report("bad_utf8"_code, where, fmt::format("invalid UTF-8 byte in `{}`", name), utf8);
  return false;
}

}   // namespace cardwright::parse
