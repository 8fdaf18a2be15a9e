// Builds the menu of options, and matches typed lines with its entries.
#include "tools/cli/menu.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

// Returns the element of a set that an option picks: its last argument.
std::string element_of(const api::Option& option) {
  return option.arguments.empty() ? "" : option.arguments.back().value;
}

std::optional<std::size_t> number_in(std::string_view line) {
  std::size_t number = 0;
  const auto [end, wrong] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (line.empty() || !std::isdigit(static_cast<unsigned char>(line[0])) || end != line.data() + line.size())
    return std::nullopt;
  return wrong == std::errc{} ? number : 0;
}

// Returns true if two texts differ only in one number, which is greater by 1 in the second text. A number after a
// letter is a part of a name, such as the cell `b3`.
bool is_next(std::string_view one, std::string_view other) {
  std::size_t same = 0;
  while (same < std::min(one.size(), other.size()) && one[same] == other[same]) ++same;
  while (same > 0 && std::isdigit(static_cast<unsigned char>(one[same - 1]))) --same;
  if (same > 0 && std::isalpha(static_cast<unsigned char>(one[same - 1]))) return false;
  std::int64_t first = 0, second = 0;
  const auto a = std::from_chars(one.data() + same, one.data() + one.size(), first);
  const auto b = std::from_chars(other.data() + same, other.data() + other.size(), second);
  return a.ec == std::errc{} && b.ec == std::errc{} && second == first + 1 &&
         std::string_view(a.ptr, one.data() + one.size()) == std::string_view(b.ptr, other.data() + other.size());
}

// A text split at its last number: `raise to 85` becomes "raise to", 85 and "". counted() returns nullopt if the text
// contains no number.
struct Counted {
  std::string before, behind;
  std::int64_t number = 0;
};
std::optional<Counted> counted(std::string_view plain) {
  std::size_t end = plain.size();
  while (end > 0 && !std::isdigit(static_cast<unsigned char>(plain[end - 1]))) --end;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(plain[begin - 1]))) --begin;
  Counted out;
  if (begin == end || std::from_chars(plain.data() + begin, plain.data() + end, out.number).ec != std::errc{})
    return std::nullopt;
  const auto trimmed = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return std::string(part);
  };
  out.before = trimmed(plain.substr(0, begin));
  out.behind = trimmed(plain.substr(end));
  return out;
}
// Returns true if the typed words are a short form of the full words, such as "raise" for "raise to".
bool is_short_for(const Counted& typed, const Counted& full) {
  return !typed.before.empty() && typed.behind == full.behind &&
         (typed.before == full.before || full.before.starts_with(typed.before + " "));
}

std::vector<std::string> words_in(std::string_view plain) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find(' ', begin), plain.size());
    if (end > begin) out.emplace_back(plain.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// Formats labels in one column, or in as many columns as fit if they need more than `rows` rows.
std::string in_columns(const std::vector<Menu::Label>& all, std::size_t width, std::size_t rows);

constexpr std::size_t kMostInOneColumn = 15;   // more rows are arranged in columns even if the screen has room
constexpr std::size_t kFewInARow = 5;   // options of shorter series are listed one by one
constexpr std::size_t kMargin = 5;   // number of columns for the number and the blanks after it

}   // namespace

std::string plain_words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x80 || std::isalnum(u))
      out += static_cast<char>(std::tolower(u));
    else if (!out.empty() && out.back() != ' ' && c != '\'')
      out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Menu::Entry* Menu::entry_of(const api::Option& option, bool by_element) {
  const std::string element = element_of(option);
  const auto is_it = [&](const Entry& e) {
    return !e.here && (by_element ? !element.empty() && e.element == element : e.id == option.id);
  };
  const auto at = std::find_if(entries_.begin(), entries_.end(), is_it);
  return at == entries_.end() ? nullptr : &*at;
}

void Menu::offer(std::vector<api::Option> options, When when) {
  if (when == When::question) entries_.clear();
  for (Entry& e : entries_) e.here = false;
  options_ = std::move(options);
  std::vector<const api::Option*> fresh;
  for (const api::Option& option : options_) {
    Entry* known = entry_of(option, false);
    if (!known && when == When::next_pick) known = entry_of(option, true);
    if (!known)
      fresh.push_back(&option);
    else
      *known = {known->number, option.id, element_of(option), option.words, true};
  }
  for (const api::Option* option : fresh)
    entries_.push_back({entries_.size() + 1, option->id, element_of(*option), option->words, true});
}

const Menu::Entry* Menu::entry_with(std::size_t number) const {
  return number >= 1 && number <= entries_.size() ? &entries_[number - 1] : nullptr;
}

Menu::Found Menu::find(std::string_view line) const {
  if (const auto number = number_in(line)) {
    const Entry* const meant = entry_with(*number);
    if (meant && meant->here) return {meant->id, {}};
    if (meant)
      return {std::nullopt, fmt::format("option {} was `{}`, which is no longer available", *number, meant->words)};
    return {std::nullopt, entries_.empty()
                              ? "there are no options now"
                              : fmt::format("unknown option {}; the options are 1 to {}", line, entries_.size())};
  }
  const std::string words = plain_words(line);
  std::vector<const Entry*> meant;
  for (const Entry& e : entries_)
    if (e.here && !words.empty() && plain_words(e.words) == words) meant.push_back(&e);
  if (meant.size() == 1) return {meant[0]->id, {}};
  for (const Entry& e : entries_)
    if (!e.here && !words.empty() && plain_words(e.words) == words)
      return {std::nullopt, fmt::format("`{}` is no longer available", e.words)};
  if (meant.empty()) return find_number(words);
  return {std::nullopt, fmt::format("several options match; enter {} or {}", meant[0]->number, meant[1]->number)};
}

// Finds "raise 85" among options that differ only by a number. If the number is out of range, the message gives the
// range.
Menu::Found Menu::find_number(const std::string& words) const {
  const auto typed = counted(words);
  if (!typed) return {};
  const Entry* meant = nullptr;
  std::int64_t least = 0, most = 0;
  std::string before;
  std::size_t alike = 0;
  for (const Entry& e : entries_) {
    const auto full = e.here ? counted(plain_words(e.words)) : std::nullopt;
    if (!full || !is_short_for(*typed, *full)) continue;
    if (alike > 0 && full->before != before) return {};   // "raise 5" can mean "raise to 5" or "raise by 5"
    least = alike == 0 ? full->number : std::min(least, full->number);
    most = alike == 0 ? full->number : std::max(most, full->number);
    before = full->before;
    ++alike;
    if (full->number == typed->number) meant = &e;
  }
  if (meant) return {meant->id, {}};
  if (alike == 0) return {};
  return {std::nullopt,
          fmt::format("`{} {}` is out of range; choose from {} to {}", before, typed->number, least, most)};
}

// Returns the labels of the options that match these words; all options if there are no words.
std::vector<Menu::Label> Menu::labels_of(std::string_view words) const {
  const std::vector<std::string> wanted = words_in(plain_words(words));
  // Typed words are the beginnings of words in this order; only if no option has these, they are any parts of the text.
  const auto begins = [&](const std::string& plain) {
    std::size_t matched = 0;
    for (const std::string& word : words_in(plain))
      if (matched < wanted.size() && word.starts_with(wanted[matched])) ++matched;
    return matched == wanted.size();
  };
  const auto contains = [&](const std::string& plain) {
    return std::ranges::all_of(wanted, [&](const std::string& word) { return plain.find(word) != std::string::npos; });
  };
  std::vector<const Entry*> here;
  for (const Entry& e : entries_)
    if (e.here && begins(plain_words(e.words))) here.push_back(&e);
  if (here.empty())
    for (const Entry& e : entries_)
      if (e.here && contains(plain_words(e.words))) here.push_back(&e);
  std::vector<Label> out;
  for (std::size_t i = 0, next = 0; i < here.size(); i = next) {
    for (next = i + 1; next < here.size() && here[next]->number == here[next - 1]->number + 1 &&
                       is_next(here[next - 1]->words, here[next]->words);)
      ++next;
    if (next - i < kFewInARow) next = i + 1;
    if (next == i + 1)
      out.push_back({fmt::format("{:>3}", here[i]->number), here[i]->words});
    else
      out.push_back({fmt::format("{:>3}-{}", here[i]->number, here[next - 1]->number),
                     here[i]->words + " … " + here[next - 1]->words});
  }
  return out;
}

std::string Menu::shown(std::size_t width, std::size_t rows) const { return in_columns(labels(), width, rows); }

std::string Menu::filtered(std::string_view words, std::size_t width) const {
  if (words_in(plain_words(words)).empty()) return {};
  const std::vector<Label> found = labels_of(words);
  if (found.empty()) return {};
  return fmt::format("options with `{}`; enter a number, or `options` for all\n{}", words, in_columns(found, width, 0));
}

namespace {

std::string in_columns(const std::vector<Menu::Label>& all, std::size_t width, std::size_t rows) {
  const auto line = [](const Menu::Label& one, std::string_view words) {
    return fmt::format("  {}  {}", coloured(Colour::yellow, one.number), words);
  };
  std::string plain;
  for (const Menu::Label& one : all) plain += line(one, wrapped(one.words, width - 3 - kMargin, 2 + kMargin)) + "\n";
  const std::size_t most = rows == 0 ? kMostInOneColumn : std::min(rows, kMostInOneColumn);
  if (static_cast<std::size_t>(std::count(plain.begin(), plain.end(), '\n')) <= most) return plain;
  if (rows == 0) rows = all.size();
  // Uses the fewest rows that fit the width. If that is more than `rows`, shows only the columns that fit.
  const auto wide = [&](std::size_t down, std::size_t column) {
    std::size_t widest = 0;
    for (std::size_t i = column * down; i < std::min(all.size(), (column + 1) * down); ++i)
      widest = std::max(widest, columns(all[i].number) + 2 + columns(all[i].words));
    return widest;
  };
  const auto across_with = [&](std::size_t down) {
    std::size_t across = 0;
    for (std::size_t used = 0; across * down < all.size() && (used += wide(down, across) + 3) <= width; ++across) {
    }
    return std::max<std::size_t>(1, across);
  };
  std::size_t down = 1;
  while (down <= rows && across_with(down) * down < all.size()) ++down;
  if (down > rows) down = std::max<std::size_t>(1, rows - 1);
  const std::size_t across = across_with(down), shown = std::min(all.size(), down * across);
  std::string out;
  for (std::size_t row = 0; row < down; ++row) {
    std::string text;
    for (std::size_t at = row; at < shown; at += down) {
      const bool last = at + down >= shown;
      text += line(all[at], last ? all[at].words
                                 : padded(all[at].words, wide(down, at / down) - 2 - columns(all[at].number) + 1));
    }
    out += text + "\n";
  }
  if (shown < all.size())
    out += fmt::format("  … and {} more; `options` lists all, and part of a label lists the options that match\n",
                       all.size() - shown);
  return out;
}

}   // namespace

}   // namespace cardwright::cli
