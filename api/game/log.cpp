// Merges decisions and runtime events into the log that each player may read.
#include "api/game/log_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/game/equal_cards.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

bool LogData::decide(const StateData& state, Int id) {
  // A secret choice is logged when it takes effect.
  if (state.program().sites[static_cast<std::size_t>(state.site)].secret) return false;
  const OptionParts option = option_parts(state.program(), id);
  const std::string who = Game::seat_name(state.actor);
  Decision one{log.size(), static_cast<int>(state.actor), id, label_for_each(state, id)};
  for (std::string& words : one.words) words = fmt::format("{}: {}", who, words);
  if (one.words.empty()) {
    std::string words = public_option_words(state.program(), id);
    if (words.empty()) return false;
    if (!option.action->to_open) words = "plays a card";   // the kind of card is hidden
    one.words.assign(static_cast<std::size_t>(state.program().layout.players) + 1, fmt::format("{} {}", who, words));
  }
  const std::string seen_by_all = places_among_equals(state, id, true);
  for (std::string& words : one.words) words += seen_by_all;
  if (seen_by_all.empty()) one.place = places_among_equals(state, id, false);
  if (option.action->secret)
    for (std::size_t seat = 0; seat < one.words.size(); ++seat)
      if (static_cast<int>(seat) != state.actor) one.words[seat].clear();
  logged_decisions.push_back(std::move(one));
  return true;
}

void LogData::name_cards() {
  Decision& one = logged_decisions.back();
  const Program& program = game->program();
  const OptionParts option = option_parts(program, one.option);
  std::vector<Int> cards;
  for (std::size_t i = 0; i < option.values.size(); ++i)
    if (option.action->parameters[i].kind == ValueKind::card && option.action->parameters[i].list < 0 &&
        option.values[i] >= 0)
      cards.push_back(option.values[i]);
  if (cards.empty()) return;
  const std::string full = one.words[static_cast<std::size_t>(one.player)];
  std::string unnamed = full;
  constexpr std::string_view kNoName = "a card";
  for (const Int card : cards)
    if (const std::string name = card_label(program, card); !name.empty())
      for (std::size_t at = unnamed.find(name); at != std::string::npos; at = unnamed.find(name, at + kNoName.size()))
        unnamed.replace(at, name.size(), kNoName);
  const std::vector<Int>& print = game->prints().of;
  const auto saw_go = [&](Int observer, Int card) {
    for (const cardwright::Log::News& news : log.news(observer, one.before))
      for (const Int moved : news.cards)
        if (moved >= 0 && print[static_cast<std::size_t>(moved)] == print[static_cast<std::size_t>(card)]) return true;
    return false;
  };
  for (std::size_t seat = 0; seat < one.words.size(); ++seat) {
    if (one.words[seat] != unnamed) continue;   // the text already contains the names, or it hides more than the names
    const Int observer = seat + 1 < one.words.size() ? static_cast<Int>(seat) : cardwright::Log::kPublic;
    if (std::all_of(cards.begin(), cards.end(), [&](Int card) { return saw_go(observer, card); }))
      one.words[seat] = full;
  }
}

// Returns the number of decisions among the first `size` entries.
std::size_t LogData::decisions_among(std::size_t size) const {
  std::size_t decisions = 0;
  while (decisions < logged_decisions.size() && logged_decisions[decisions].before + decisions < size) ++decisions;
  return decisions;
}

std::vector<std::string> LogData::lines(int player, std::size_t from, bool places) const {
  std::vector<std::string> out;
  for (Entry& one : entries(player, from, places)) out.push_back(std::move(one.news.text));
  return out;
}

std::vector<LogData::Entry> LogData::entries(int player, std::size_t from, bool places) const {
  std::vector<Entry> out;
  const std::size_t first = decisions_among(from);
  std::size_t entry = from - std::min(from, first);
  const auto add_runtime_entries = [&](std::size_t end) {   // adds the runtime's entries before `end`
    for (cardwright::Log::News& one : log.news(player, entry, end, places)) out.push_back({std::move(one), -1});
    entry = std::max(entry, end);
  };
  for (std::size_t i = first; i < logged_decisions.size(); ++i) {
    const int reader = player == -1 ? logged_decisions[i].player : player;
    const std::string& words =
        reader < 0 ? logged_decisions[i].words.back() : logged_decisions[i].words[static_cast<std::size_t>(reader)];
    if (words.empty()) continue;   // this reader must not notice the entry
    add_runtime_entries(logged_decisions[i].before);
    out.push_back({{.text = reader == logged_decisions[i].player ? words + logged_decisions[i].place : words},
                   logged_decisions[i].player});
  }
  add_runtime_entries(log.size());
  // Removes headings without entries, except the last heading, which can still receive entries.
  const auto begins = [&](std::size_t i, std::string_view with) { return out[i].news.text.starts_with(with); };
  std::vector<Entry> shown;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (i + 1 == out.size() || !begins(i, "— turn") || !begins(i + 1, "— ")) shown.push_back(std::move(out[i]));
  return shown;
}

std::vector<int> LogData::without_options(std::size_t from) const {
  std::vector<int> out;
  for (const Int seat : log.without_options(from - std::min(from, decisions_among(from))))
    out.push_back(static_cast<int>(seat));
  return out;
}

void LogData::cut(std::size_t size) {
  const std::size_t decisions = decisions_among(size);
  logged_decisions.resize(decisions);
  log.cut(size - std::min(size, decisions));
}

}   // namespace cardwright::api::detail
