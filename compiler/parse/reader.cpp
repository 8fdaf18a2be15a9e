// Reading files: everything that can be wrong with one before its first word is read.
#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "compiler/parse/parse.h"

namespace cardwright::parse {
namespace {

// The first byte that does not belong to a well-formed UTF-8 text.
std::optional<std::size_t> first_bad_byte(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : (lead & 0xF0) == 0xE0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
    if (length == 0) return i;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    const bool overlong = (lead == 0xE0 && byte(i + 1) < 0xA0) || (lead == 0xF0 && byte(i + 1) < 0x90);
    const bool no_character = (lead == 0xED && byte(i + 1) >= 0xA0) || (lead == 0xF4 && byte(i + 1) >= 0x90);
    if (overlong || no_character) return i;
    i += length;
  }
  return std::nullopt;
}

std::string size_in_words(std::size_t bytes) {
  return bytes >= 1024 * 1024 ? fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1024 * 1024))
                              : fmt::format("{} KB", (bytes + 1023) / 1024);
}

}  // namespace

std::optional<SourceId> read_source(const std::filesystem::path& path, SourceMap& sources, Diagnostics& diagnostics, const std::string& shown) {
  const std::string name = shown.empty() ? path.string() : shown;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    diagnostics.report(Code::cannot_read, {}, fmt::format("there is no file `{}`", name));
    return std::nullopt;
  }
  if (std::filesystem::is_directory(path, error)) {
    diagnostics.report(Code::cannot_read, {}, fmt::format("`{}` is a folder, not a file of rules", name));
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) {
    diagnostics.report(Code::cannot_read, {}, fmt::format("`{}` can't be read", name));
    return std::nullopt;
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMostBytes) {
    const auto size = std::filesystem::file_size(path, error);
    diagnostics.report(Code::too_large, {}, error ? fmt::format("`{}` holds more than 256 KB", name)
                       : fmt::format("`{}` holds {}, and 256 KB is the most", name, size_in_words(size)));
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
    diagnostics.report(Code::too_large, {}, fmt::format("`{}` holds {}, and 256 KB is the most", name, size_in_words(text.size())));
    return false;
  }
  const std::size_t zero = text.find('\0');
  const std::optional<std::size_t> bad = first_bad_byte(text);
  if (!bad && zero == std::string_view::npos) return true;
  const std::size_t at = std::min(bad.value_or(text.size()), zero);
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + at, '\n'));
  // The line itself is not shown: it may not be text.
  if (at == zero) diagnostics.report(Code::zero_byte, {}, fmt::format("`{}` holds a zero byte in line {}", name, line));
  else diagnostics.report(Code::bad_utf8, {}, fmt::format("`{}` is not UTF-8: the first strange byte is in line {}", name, line));
  return false;
}

}  // namespace cardwright::parse
