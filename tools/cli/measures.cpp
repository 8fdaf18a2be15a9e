// Formats recorded measures as tables, histograms and JSON.
#include "tools/cli/measures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidest = 40;   // columns of a histogram line
constexpr std::size_t kMostCells = 60;   // maximum number of printed cells; the JSON output has all cells

bool has_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* set = std::getenv(name); set && *set) {
      std::string text = set;
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
      return text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
    }
  return false;
}

bool is_share(const api::MeasureTable& t) { return t.what == "share"; }

// Converts a value to its display unit: percent, seconds or unchanged.
double display_value(const api::MeasureTable& t, double value) {
  return is_share(t) ? 100 * value : t.duration ? value / 1e6 : value;
}
std::string_view unit_of(const api::MeasureTable& t) { return is_share(t) ? " %" : t.duration ? " s" : ""; }

std::string number(double x) {
  if (!std::isfinite(x)) return "?";
  const double size = std::abs(x);
  return fmt::format("{:.{}f}", x,
                     size >= 1000               ? 0
                     : size >= 100              ? 1
                     : size >= 10               ? 2
                     : size >= 0.1 || size == 0 ? 3
                                                : 5);
}

// Formats an integer as decimal digits, because a JSON number cannot represent 128 bits exactly.
std::string digits(api::Wide wide) {
  if (wide == 0) return "0";
  const bool minus = wide < 0;
  std::string out;
  for (; wide != 0; wide /= 10) out.insert(out.begin(), static_cast<char>('0' + std::abs(static_cast<int>(wide % 10))));
  return minus ? "-" + out : out;
}

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::pair<double, double> interval_of(const api::MeasureTable& t, const api::MeasureSums& s) {
  return is_share(t) ? s.share_interval() : s.interval();
}

Json as_json(const api::MeasureTable& t, const api::MeasureSums& s) {
  const auto [low, high] = interval_of(t, s);
  return {{"value", s.n == 0 ? Json(nullptr) : Json(s.value())},
          {"low", finite(low)},
          {"high", finite(high)},
          {"sum", digits(s.x)},
          {"of", digits(s.n)},
          {"games", s.games}};
}

Json as_json(const api::MeasureTable& t, const std::vector<api::MeasureStretch>& stretches) {
  Json out = Json::array();
  for (const api::MeasureStretch& stretch : stretches) {
    Json cells = Json::array();
    for (const api::MeasureSums& s : stretch.cells) cells.push_back(as_json(t, s));
    out.push_back({{"from", stretch.first}, {"to", stretch.last}, {"cells", std::move(cells)}});
  }
  return out;
}

// Draws a histogram with at most kWidest columns. For a wider range, each column covers several values.
std::string histogram_line(const std::vector<std::pair<std::int64_t, std::uint64_t>>& bins) {
  if (bins.empty()) return {};
  const std::int64_t least = bins.front().first, most = bins.back().first;
  const auto span = static_cast<std::uint64_t>(most - least) + 1;
  const std::uint64_t each = (span + kWidest - 1) / kWidest;
  std::vector<double> heights((span + each - 1) / each);
  for (const auto& [value, count] : bins)
    heights[static_cast<std::uint64_t>(value - least) / each] += static_cast<double>(count);
  const double top = *std::max_element(heights.begin(), heights.end());
  return fmt::format("{} {}{}", line_of(heights, 0, top), least, most > least ? fmt::format(" to {}", most) : "");
}

std::string course_line(const api::MeasureTable& t, const std::vector<api::MeasureStretch>& stretches,
                        std::size_t cell) {
  std::vector<double> values;
  for (const api::MeasureStretch& s : stretches) {
    const api::MeasureSums& sums = s.cells[cell];
    // Too few games reached this section, so the value would be noise.
    if (sums.n * 1000 < sums.games && values.size() > 1) break;
    values.push_back(display_value(t, sums.value()));
  }
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{} {} to {}{}", line_of(values, std::min(0.0, *least), *most), number(values.front()),
                     number(values.back()), unit_of(t));
}

std::string heading(const api::MeasureTable& t) {
  std::string of = t.what + (t.per_span ? " per " + t.along : "");
  if (!t.keys.empty()) of += fmt::format(", by {}", fmt::join(t.keys, ", "));
  return fmt::format("{}  {}", coloured(Colour::bold, t.label.empty() ? t.name : t.label),
                     coloured(Colour::dim, t.label.empty() ? of : t.name + ": " + of));
}

bool has_anything(const api::MeasureSums& s) { return s.n != 0; }

}   // namespace

std::string line_of(const std::vector<double>& heights, double from, double to) {
  static constexpr const char* blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr const char* signs[] = {".", ":", "-", "=", "+", "*", "#", "@"};
  const bool utf8 = has_utf8();
  std::string out;
  for (const double height : heights) {
    const double part = to > from ? (height - from) / (to - from) : 0;
    const auto step = static_cast<std::size_t>(std::clamp(std::ceil(part * 8) - 1, 0.0, 7.0));
    out += height <= from && from == 0 ? " " : utf8 ? blocks[step] : signs[step];
  }
  return out;
}

Json measure_json(const api::MeasureTable& t) {
  Json cells = Json::array();
  for (const api::MeasureCell& c : t.cells) {
    Json cell = {{"keys", c.keys}};
    cell.update(as_json(t, c.sums));
    if (t.what == "count" || t.what == "sum") {
      cell["histogram"] = Json::array();
      for (const auto& [value, count] : c.histogram) cell["histogram"].push_back({value, count});
    }
    cells.push_back(std::move(cell));
  }
  Json out = {{"name", t.name},
              {"label", t.label},
              {"what", t.what},
              {"unit", is_share(t)  ? "share"
                       : t.duration ? "microseconds"
                                    : ""},
              {"by", t.keys}};
  out["per"] = t.per_span ? Json(t.along) : Json(nullptr);
  out["cells"] = std::move(cells);
  if (!t.along.empty())
    out["along"] = {{"of", t.along}, {"one_by_one", as_json(t, t.course)}, {"tenths", as_json(t, t.tenths)}};
  return out;
}

void print_table(const api::MeasureTable& t) {
  fmt::print("\n{}\n", heading(t));
  std::size_t widest = 12;
  std::vector<std::string> names;
  for (const api::MeasureCell& c : t.cells) {
    names.push_back(fmt::format("{}", fmt::join(c.keys, ", ")));
    widest = std::max(widest, columns(names.back()) + 2);
  }
  // One line shows the number of cells without data and, if there are many cells, of cells with the value zero.
  std::size_t shown = 0, nothing = 0, more = 0;
  const bool many = t.cells.size() > 12;
  for (std::size_t i = 0; i < t.cells.size(); ++i) {
    const api::MeasureSums& s = t.cells[i].sums;
    if (!has_anything(s) || (many && s.x == 0)) {
      ++nothing;
      continue;
    }
    if (shown++ >= kMostCells) {
      ++more;
      continue;
    }
    const auto [low, high] = interval_of(t, s);
    fmt::print("  {}{:>12}{}   {:<22}{}\n", padded(names[i], widest), number(display_value(t, s.value())), unit_of(t),
               fmt::format("{} to {}", number(display_value(t, low)), number(display_value(t, high))),
               histogram_line(t.cells[i].histogram));
    if (t.along.empty()) continue;
    if (const std::string line = course_line(t, t.course, i); !line.empty())
      fmt::print("  {}{}\n", padded(fmt::format("  {} by {}", t.along, t.along), widest + 14), line);
    if (const std::string line = course_line(t, t.tenths, i); !line.empty())
      fmt::print("  {}{}\n", padded("  by tenths of the game", widest + 14), line);
  }
  if (shown == 0)
    fmt::print("  no values recorded\n");
  else if (nothing)
    fmt::print("  {}\n", coloured(Colour::dim, fmt::format("never: {}", plural(nothing, "other"))));
  if (more) fmt::print("  {}\n", coloured(Colour::dim, fmt::format("and {} more; `--json` lists all", more)));
}

}   // namespace cardwright::cli
