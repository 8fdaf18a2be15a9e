// Prints tables of figures and histograms on the terminal.
#include "tools/cli/figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/cli/measures.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using statistics::Estimate;
using statistics::Figure;
using statistics::FigureTable;

constexpr double kTail = 0.001;   // share of games left out at the upper end of a histogram

bool is_share(const FigureTable& table) { return table.unit == "%"; }

// Returns the number of decimal digits that the width of the interval justifies.
int digits(const std::optional<statistics::Interval>& interval, bool share) {
  const double half = interval && std::isfinite(interval->half()) ? interval->half() * (share ? 100 : 1) : 1;
  return half > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(half))) + 1, 1, 3) : 2;
}

std::string value_text(double value, const FigureTable& table, int digits) {
  return is_share(table) ? fmt::format("{:.{}f} %", 100 * value, digits) : fmt::format("{:.{}f}", value, digits);
}

std::string interval_text(const std::optional<statistics::Interval>& interval, const FigureTable& table, int digits,
                          bool sign) {
  if (!interval || !std::isfinite(interval->half())) return "not enough games";
  const double factor = is_share(table) ? 100 : 1;
  return sign ? fmt::format("{:+.{}f} to {:+.{}f}", factor * interval->low, digits, factor * interval->high, digits)
              : fmt::format("{:.{}f} to {:.{}f}", factor * interval->low, digits, factor * interval->high, digits);
}

std::string verdict_text(const Figure& row) {
  switch (row.verdict) {
    case statistics::Verdict::none: return {};
    case statistics::Verdict::differs: return coloured(Colour::yellow, "differs");
    case statistics::Verdict::same: return coloured(Colour::green, "same");
    case statistics::Verdict::open: return "open";
  }
  return {};
}

std::size_t name_width(const FigureTable& table, std::size_t beside) {
  std::size_t widest = 12;
  for (const Figure& row : table.rows) widest = std::max(widest, columns(row.name) + 2);
  const auto width = static_cast<std::size_t>(terminal_width());
  return std::min(widest, std::max<std::size_t>(24, width > beside ? width - beside : 0));
}

// Prints the first line of a wrapped name with the rest of its row, and the remaining lines of the name below.
void print_name(const std::string& name, std::size_t width, const std::string& rest) {
  const std::string lines = wrapped(name, width - 2, 4);
  const std::size_t end = lines.find('\n');
  fmt::print("  {}{}\n", padded(lines.substr(0, end), width), rest);
  if (end != std::string::npos) fmt::print("{}\n", lines.substr(end + 1));
}

void print_histograms(const Figure& row) {
  const auto width = static_cast<std::size_t>(std::max(30, terminal_width() - 30));
  const auto show = [&](std::string_view whose, const std::vector<statistics::Bin>& bins,
                        const std::optional<statistics::Interval>& median) {
    if (bins.size() < 2) return;
    const Sparkline line = sparkline(bins, width);
    fmt::print("    {}{} {} {}{}{}\n", padded(whose, whose.empty() ? 0 : 6), line.low, line.signs, line.high,
               line.high < bins.back().to ? fmt::format(" … {}", bins.back().to) : "",
               median ? fmt::format("  median {:g}{}", median->low,
                                    median->high > median->low ? fmt::format(" to {:g}", median->high) : "")
                      : "");
  };
  show(row.b ? "GAME" : "", row.histogram, row.median);
  show("OTHER", row.histogram_b, row.median_b);
}

void print_counted(const std::string& counted) {
  if (!counted.empty()) fmt::print("  {}\n", coloured(Colour::red, counted));
}

void print_two(const FigureTable& table, const std::string& counted) {
  constexpr std::size_t kColumns = 66;
  const std::size_t width = name_width(table, kColumns);
  fmt::print("\n{}{:>11}{:>11}{:>12}   {:<22} {}\n",
             padded(coloured(Colour::bold, table.title), width + 2 + coloured(Colour::bold, "").size()), "GAME",
             "OTHER", "difference", is_share(table) ? "points" : "", "");
  print_counted(counted);
  for (const Figure& row : table.rows) {
    if (is_idle(row)) continue;
    const int exact = row.difference ? digits(row.difference->interval, is_share(table)) : 2;
    const double difference = row.difference ? row.difference->value * (is_share(table) ? 100 : 1) : 0;
    print_name(
        row.name, width,
        fmt::format(
            "{:>11}{:>11}{:>12}   {} {}{}", value_text(row.a.value, table, exact),
            value_text(row.b->value, table, exact),
            row.difference && row.difference->games ? fmt::format("{:+.{}f}", difference, exact) : "-",
            padded(interval_text(row.difference ? row.difference->interval : std::nullopt, table, exact, true), 22),
            verdict_text(row), row.paired ? "" : coloured(Colour::dim, " (not paired)")));
  }
  for (const auto& [names, whose] : {std::pair(&table.only_a, "GAME"), std::pair(&table.only_b, "OTHER")})
    for (const std::string& name : *names)
      print_name(name, width, coloured(Colour::dim, fmt::format("          applies to {} only", whose)));
}

void print_one(const FigureTable& table, const std::string& counted) {
  constexpr std::size_t kColumns = 60;
  const std::size_t width = name_width(table, kColumns);
  fmt::print("\n{}{:>12}{:>12}   {:<22}{:>10}\n",
             padded(coloured(Colour::bold, table.title), width + 2 + coloured(Colour::bold, "").size()), "games",
             "mean", "95 % interval", "deviation");
  print_counted(counted);
  for (const Figure& row : table.rows) {
    if (row.a.games == 0) continue;
    const int exact = digits(row.a.interval, is_share(table));
    print_name(row.name, width,
               fmt::format("{:>12}{:>12}   {}{:>10}", with_commas(row.a.games), value_text(row.a.value, table, exact),
                           padded(interval_text(row.a.interval, table, exact, false), 22),
                           is_share(table) ? "" : fmt::format("{:.2f}", row.a.deviation)));
    print_histograms(row);
  }
}

}   // namespace

bool is_idle(const statistics::Figure& row) {
  const auto nothing = [](const Estimate& e) { return e.value == 0 && e.deviation == 0; };
  return row.a.games + (row.b ? row.b->games : 0) == 0 || (nothing(row.a) && (!row.b || nothing(*row.b)));
}

Sparkline sparkline(std::span<const statistics::Bin> bins, std::size_t width) {
  if (bins.empty() || width == 0) return {};
  std::uint64_t games = 0, left = 0;
  for (const statistics::Bin& bin : bins) games += bin.games;
  std::size_t end = bins.size();
  while (end > 1 && double(left + bins[end - 1].games) <= kTail * double(games)) left += bins[--end].games;
  const std::int64_t low = bins[0].from, high = bins[end - 1].to,
                     step = (high - low) / static_cast<std::int64_t>(width) + 1;
  std::vector<double> heights(static_cast<std::size_t>((high - low) / step + 1));
  for (const statistics::Bin& bin : bins.first(end))
    heights[static_cast<std::size_t>((bin.from - low) / step)] += static_cast<double>(bin.games);
  return {line_of(heights, 0, *std::max_element(heights.begin(), heights.end())), low, high};
}

void print_figures(const statistics::Figures& figures) {
  for (const FigureTable& table : figures.tables) {
    const bool two = !table.rows.empty() && table.rows[0].b;
    const bool seen =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const Figure& row) { return !is_idle(row); });
    if (!seen && table.only_a.empty() && table.only_b.empty()) continue;
    const std::string counted = statistics::counted_games(figures, table, two ? "GAME" : "", two ? "OTHER" : "");
    if (!two && !table.rows.empty()) {
      print_one(table, counted);
      continue;
    }
    print_two(table, counted);
  }
}

}   // namespace cardwright::cli
