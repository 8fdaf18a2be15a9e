// See log_data.h.
#include "api/log_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/words.h"

namespace cardwright::api::detail {

namespace {

// Is the card that is played one that everybody will see? Otherwise its kind is nobody's business.
bool is_played_openly(const StateData& state, Int id) {
  const OptionParts option = option_parts(state.program(), id);
  const auto& actions = state.game->compiled->model().actions;
  if (option.action->kind != ActionKind::play || option.action_index >= actions.size()) return true;
  const auto& to = actions[option.action_index].to;
  return to && state.game->compiled->model().zones[to->zone.index].visibility == model::Visibility::open;
}

}  // namespace

void LogData::decide(const StateData& state, Int id) {
  if (state.program().sites[static_cast<std::size_t>(state.site)].secret) return;   // told when it takes effect
  const OptionParts option = option_parts(state.program(), id);
  const std::string who = Game::seat_name(state.actor);
  Said one{log.size(), {}, state.actor, {}};
  if (const std::string label = public_label(state.program(), id, {}, false, public_parts(state, id)); !label.empty()) {
    one.words = fmt::format("{}: {}", who, label);
    one.own = fmt::format("{}: {}", who, words_of_option(state, id));
  } else {
    std::string words = public_option_words(state.program(), id);
    if (words.empty()) return;
    if (!is_played_openly(state, id)) words = "plays a card";
    one.words = one.own = fmt::format("{} {}", who, words);
  }
  if (option.action->secret) one.words.clear();
  said.push_back(std::move(one));
}

// How many of the first `size` entries are decisions.
std::size_t LogData::decisions_among(std::size_t size) const {
  std::size_t decisions = 0;
  while (decisions < said.size() && said[decisions].before + decisions < size) ++decisions;
  return decisions;
}

std::vector<std::string> LogData::lines(int player, std::size_t from) const {
  std::vector<std::string> out;
  const std::size_t first = decisions_among(from);
  std::size_t entry = from - std::min(from, first);
  const auto tell = [&](std::size_t end) {           // of the runtime's log
    const auto told = log.lines(player, entry, end);
    out.insert(out.end(), told.begin(), told.end());
    entry = std::max(entry, end);
  };
  for (std::size_t i = first; i < said.size(); ++i) {
    const std::string& words = player < 0 || player == said[i].player ? said[i].own : said[i].words;
    if (words.empty()) continue;                     // nobody sees from what stands around it that it is there
    tell(said[i].before);
    out.push_back(words);
  }
  tell(log.size());
  return out;
}

void LogData::cut(std::size_t size) {
  const std::size_t decisions = decisions_among(size);
  said.resize(decisions);
  log.cut(size - std::min(size, decisions));
}

}  // namespace cardwright::api::detail
