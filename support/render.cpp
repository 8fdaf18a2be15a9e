// Formats diagnostics as text and as JSON. Tests: tests/parse/messages_test.cpp.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "support/diagnostics.h"

namespace cardwright {
namespace {

// In columns. If a source line is longer, only the part around the range is shown.
constexpr std::size_t kWidestLine = 160;

std::vector<const Diagnostic*> by_place(const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& d : diagnostics.all()) sorted.push_back(&d);
  std::ranges::stable_sort(sorted, {}, [](const Diagnostic* d) {
    return std::tuple(!d->range.known(), d->range.source, d->range.begin, d->range.end);
  });
  return sorted;
}

std::string_view severity_name(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t characters(std::string_view text) { return std::ranges::count_if(text, starts_character); }

// Returns white space as wide as `text`. Tabs are preserved so that the carets align at any tab width.
std::string blanks_for(std::string_view text) {
  std::string out;
  for (char c : text)
    if (starts_character(c)) out += c == '\t' ? '\t' : ' ';
  return out;
}

// The visible part of a source line: the full line, or an excerpt around [begin, end) if the line is very long.
struct Shown {
  std::string_view before, marked, after;
  bool cut_left = false, cut_right = false;
};

Shown cut(std::string_view line, std::size_t begin, std::size_t end) {
  Shown s{line.substr(0, begin), line.substr(begin, end - begin), line.substr(end)};
  if (line.size() <= kWidestLine) return s;
  const auto fit = [](std::string_view text, std::size_t from) {
    while (from < text.size() && !starts_character(text[from])) ++from;
    return from;
  };
  if (s.before.size() > 60) s.before.remove_prefix(fit(s.before, s.before.size() - 60)), s.cut_left = true;
  if (s.marked.size() > 60) s.marked = s.marked.substr(0, fit(s.marked, 60)), s.after = {}, s.cut_right = true;
  if (s.after.size() > 60) s.after = s.after.substr(0, fit(s.after, 60)), s.cut_right = true;
  return s;
}

//  14 |         dicard(top_card)
//     |         ^^^^^^ did you mean `discard`?
std::string excerpt(const SourceMap& sources, Range range, std::string_view remark) {
  const LineColumn place = sources.place(range.source, range.begin);
  const std::string_view line = sources.line_text(range.source, place.line);
  if (sources.text(range.source).empty()) return remark.empty() ? "" : fmt::format("  {}\n", remark);
  const std::string_view up_to = sources.text(Range{range.source, 0, range.begin});
  const std::size_t line_start = up_to.rfind('\n') == std::string_view::npos ? 0 : up_to.rfind('\n') + 1;
  const std::size_t begin = std::min(up_to.size() - line_start, line.size());
  const std::size_t end = std::clamp<std::size_t>(std::max(range.end, range.begin) - line_start, begin, line.size());
  const Shown s = cut(line, begin, end);
  const std::string gutter = fmt::format("{:>3}", place.line);
  std::string out = fmt::format("{} | {}{}{}{}{}\n", gutter, s.cut_left ? "…" : "", s.before, s.marked, s.after,
                                s.cut_right ? "…" : "");
  out += fmt::format("{} | {}{}{}{}", std::string(gutter.size(), ' '), s.cut_left ? " " : "", blanks_for(s.before),
                     std::string(std::max<std::size_t>(1, characters(s.marked)), '^'), remark.empty() ? "" : " ");
  return out + std::string(remark) + "\n";
}

std::string where(const SourceMap& sources, Range range) {
  if (!range.known()) return "";
  const LineColumn place = sources.place(range.source, range.begin);
  return fmt::format("{}:{}:{}: ", sources.name(range.source), place.line, place.column);
}

std::string render(const Diagnostic& d, const SourceMap& sources) {
  std::string out =
      fmt::format("{}{}[{}]: {}\n", where(sources, d.range), severity_name(d.severity), d.code.id(), d.message);
  const bool is_text = d.code != "bad_utf8"_code && d.code != "zero_byte"_code;   // otherwise the line cannot be shown
  if (d.range.known() && is_text)
    out += excerpt(sources, d.range, d.help);
  else if (!d.help.empty())
    out += fmt::format("  {}\n", d.help);
  for (const auto& [range, text] : d.notes) {
    out += fmt::format("{}note: {}\n", where(sources, range), text);
    if (range.known()) out += excerpt(sources, range, "");
  }
  return out;
}

nlohmann::json place_json(const SourceMap& sources, Range range) {
  if (!range.known()) return {{"file", nullptr}};
  const LineColumn begin = sources.place(range.source, range.begin);
  const LineColumn end = sources.place(range.source, std::max(range.begin, range.end));
  return {{"file", sources.name(range.source)},
          {"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"end_column", end.column}};
}

nlohmann::json to_json(const Diagnostic& d, const SourceMap& sources) {
  nlohmann::json out = place_json(sources, d.range);
  out["code"] = d.code.id();
  out["severity"] = severity_name(d.severity);
  out["message"] = d.message;
  out["help"] = d.help;
  out["notes"] = nlohmann::json::array();
  for (const auto& [range, text] : d.notes) {
    nlohmann::json note = place_json(sources, range);
    note["message"] = text;
    out["notes"].push_back(std::move(note));
  }
  return out;
}

}   // namespace

std::string render_text(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::string out;
  for (const Diagnostic* d : by_place(diagnostics)) out += render(*d, sources);
  return out;
}

std::string render_json(const Diagnostics& diagnostics, const SourceMap& sources) {
  nlohmann::json out = nlohmann::json::array();
  for (const Diagnostic* d : by_place(diagnostics)) out.push_back(to_json(*d, sources));
  for (const AllowedWarning& allowed : diagnostics.allowed()) {
    nlohmann::json one = to_json(allowed.warning, sources);
    one["severity"] = "allowed";
    one["reason"] = allowed.reason;
    out.push_back(std::move(one));
  }
  // A path may not be valid UTF-8, but JSON must be.
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}   // namespace cardwright
