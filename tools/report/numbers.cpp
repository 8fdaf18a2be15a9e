// Formats numbers, differences and intervals for readers.
#include "tools/report/numbers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace cardwright::report {

namespace {

constexpr int kMostDigits = 4;

double factor(Unit unit) { return unit == Unit::share ? 100 : unit == Unit::time ? 1e-3 : 1; }

// Returns the unit, after a no-break space.
std::string_view sign_of(Unit unit, bool difference) {
  switch (unit) {
    case Unit::share: return difference ? "\u00a0points" : "\u00a0%";
    case Unit::time: return "\u00a0s";
    case Unit::count: return "";
  }
  return "";
}

// Separates the integer digits into groups of three.
std::string in_groups(std::string digits) {
  for (std::size_t at = std::min(digits.find('.'), digits.size()); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string plain(double value, int digits, bool sign) {
  const std::string text = in_groups(fmt::format("{:.{}f}", std::abs(value), digits));
  if (text.find_first_of("123456789") == std::string::npos) return text;
  return fmt::format("{}{}", value < 0 ? "−" : sign ? "+" : "", text);
}

}   // namespace

Unit unit_of(const statistics::FigureTable& table, const statistics::Figure& row) {
  if (table.unit == "%") return Unit::share;
  return row.name == "milliseconds" || table.unit == "ms" ? Unit::time : Unit::count;
}

int digits_for(Unit unit, const std::optional<statistics::Interval>& interval, double value) {
  double half = interval ? interval->half() * factor(unit) : 0;
  if (!std::isfinite(half) || half <= 0) half = std::abs(value) * factor(unit) / 100;
  if (!(half > 0)) return 1;   // also if `half` is NaN
  // Shows two digits of the uncertainty if it begins with 1 or 2, else one digit.
  const int power = static_cast<int>(std::floor(std::log10(half)));
  return std::clamp((half < 3 * std::pow(10, power) ? 1 : 0) - power, 0, kMostDigits);
}

std::string grouped(std::uint64_t number) { return in_groups(fmt::format("{}", number)); }

std::string value_text(double value, Unit unit, int digits) {
  return std::isfinite(value) ? plain(value * factor(unit), digits, false) + std::string(sign_of(unit, false)) : "–";
}

std::string difference_text(double value, Unit unit, int digits) {
  return std::isfinite(value) ? plain(value * factor(unit), digits, true) + std::string(sign_of(unit, true)) : "–";
}

std::string interval_text(const std::optional<statistics::Interval>& interval, Unit unit, int digits, bool signs) {
  if (!interval || !std::isfinite(interval->half())) return "too few games";
  return fmt::format("{} to {}{}", plain(interval->low * factor(unit), digits, signs),
                     plain(interval->high * factor(unit), digits, signs), sign_of(unit, signs));
}

std::string bare_value(double value, Unit unit, int digits) {
  if (unit != Unit::share || !std::isfinite(value)) return value_text(value, unit, digits);
  return plain(value * 100, digits, false);
}

std::string bare_difference(double value, Unit unit, int digits) {
  if (unit != Unit::share || !std::isfinite(value)) return difference_text(value, unit, digits);
  return plain(value * 100, digits, true);
}

std::string bare_interval(const std::optional<statistics::Interval>& interval, Unit unit, int digits, bool signs) {
  if (unit != Unit::share || !interval || !std::isfinite(interval->half()))
    return interval_text(interval, unit, digits, signs);
  return fmt::format("{} to {}", plain(interval->low * 100, digits, signs), plain(interval->high * 100, digits, signs));
}

std::string cell_text(double value) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  return plain(value, value == std::floor(value) || size >= 1000 ? 0 : size >= 10 ? 1 : 2, false);
}

std::string percent_text(double share) {
  const double percent = 100 * share;
  if (percent == 0 || percent >= 10) return fmt::format("{:.0f}\u00a0%", percent);
  return fmt::format("{:.{}f}\u00a0%", percent,
                     std::clamp(1 - static_cast<int>(std::floor(std::log10(percent))), 1, 6));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

std::string escaped_json(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

}   // namespace cardwright::report
