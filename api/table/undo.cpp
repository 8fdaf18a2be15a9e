// Implements undo, views of earlier steps, and replay under changed rules.
#include <algorithm>

#include <fmt/format.h>

#include "api/table/data.h"

namespace cardwright::api {

namespace {

std::size_t cards_known(const std::vector<Thing>& things) {
  std::size_t known = 0;
  for (const Thing& thing : things)
    if (thing.key[0] == 'z') known += Json::parse(thing.value, nullptr, false)["cards"].size();
  return known;
}

}   // namespace

// Returns the number of entries before the seat's last decision; empty if there is none. Choices of a single option are
// not decisions.
std::optional<std::size_t> TableData::my_last_decision(int seat, std::size_t before) const {
  const std::vector<TableEntry>& entries = history.entries();
  for (std::size_t i = std::min(before, entries.size()); i-- > 1;) {
    if (entries[i].kind == TableEntry::Kind::clock || entries[i].kind == TableEntry::Kind::arrive) return std::nullopt;
    if (entries[i].kind != TableEntry::Kind::choose || entries[i].seat != seat) continue;
    State then = history.state_after(i);
    if ((then.actor() == seat || then.ask_first(seat)) && then.legal_count() > 1) return i;
  }
  return std::nullopt;
}

// Returns true if, after the first `entries` entries, another observer has received news, a random event has occurred,
// or this seat has seen a card that it did not know.
bool TableData::revealed_since(int seat, std::size_t entries) const {
  const State then = history.state_after(entries);
  for (int observer = kSpectator; observer < players(); ++observer)
    if (observer != kEverything && observer != seat && (observer < 0 || is_person(observer)) &&
        (things(then, observer) != things(history.state(), observer) ||
         !news(history.log(), observer, history.log_after(entries)).empty()))
      return true;
  return then.chance() != history.state().chance() ||
         cards_known(things(then, seat)) < cards_known(things(history.state(), seat));
}

void TableData::undo(DeviceId device, int seat, std::size_t before, std::int64_t now) {
  if (!settings.undo && !settings.design) return refuse(device, "undo is disabled at this table", seat);
  if (const auto mine = answering.find(seat); mine != answering.end() && !mine->second.picks.empty()) {
    answering.erase(mine);   // no other player has seen these picks
    close_question(seat);
    return settle(now);
  }
  if (history.state().race().open) return refuse(device, "a race cannot be undone", seat);
  const std::optional<std::size_t> to = my_last_decision(seat, before);
  if (!to) return refuse(device, "you have no choice to take back", seat);
  if (settings.design || !revealed_since(seat, *to))
    return back(*to, now, fmt::format("{} takes back a choice", Game::seat_name(seat)));
  if (ballot) return refuse(device, "another vote is in progress", seat);
  Ballot asked;
  asked.kind = "undo", asked.by = seat, asked.entry = *to;
  // The text does not name the choice, which can be secret.
  asked.text = fmt::format("{} asks to take back a choice", Game::seat_name(seat));
  call_ballot(std::move(asked), now);
}

void TableData::clear_pending_decisions() {
  close_questions();
  answering.clear(), waiting.clear(), tasks.clear(), tasks_to_give.clear(), held.clear();
  answers_until = race_seen = race_began = -1;
  clock_sent = false;
}

// Recreates the bots, because their inferences depend on decisions that were undone.
void TableData::recreate_bots() {
  for (auto& [seat, bot] : bots) bot = Bot(history.game(), seat, bot.settings());
  if (bots.empty()) return;
  history.state_after(history.entries().size(), [&](const State& before, std::int64_t option) {
    for (auto& [seat, bot] : bots) bot.saw(before, option);
  });
}

// Undoes all entries after the first `entries`. If this undoes random events, draws new random streams, so that a
// player cannot foresee the results of a second try.
void TableData::back(std::size_t entries, std::int64_t now, const std::string& besides) {
  const bool was_drawn = history.state_after(entries).chance() != history.state().chance();
  clear_pending_decisions();
  over_sent = false;
  add({TableEntry::Kind::back, -1, static_cast<std::int64_t>(entries), {}});
  for (table::ObserverStream& stream : streams) stream.cut(history.log().size(), entries);
  if (was_drawn) add({TableEntry::Kind::reseed, -1, static_cast<std::int64_t>(new_seed()), {}});
  recreate_bots();
  send_updates(besides);
  settle(now);
}

// Sends the observer's view at an earlier step, with the news up to that step.
void TableData::show_past(DeviceId device, int observer, std::int64_t step) {
  const table::ObserverStream& stream = streams[observer < 0 ? streams.size() - 1 : static_cast<std::size_t>(observer)];
  const std::size_t entries = stream.entry_of(step);
  if (entries == 0)
    return refuse(device, step > stream.step() || step < 1 ? "unknown step" : "that step was undone", observer);
  const State then = history.state_after(entries);
  std::vector<News> shown = news(history.log(), observer, 0);
  const std::size_t after = news(history.log(), observer, history.log_after(entries)).size();
  shown.resize(shown.size() - std::min(after, shown.size()));
  if (shown.size() > table::kLastNews) shown.erase(shown.begin(), shown.end() - table::kLastNews);
  send(device, table::text_of({{"k", "past"},
                               {"seat", table::seat_or_null(observer)},
                               {"step", step},
                               {"of", stream.step()},
                               {"things", table::things_in_json(things(then, observer))},
                               {"news", table::news_in_json(shown)}}));
}

// ---- changed rules

std::optional<TableStuck> Table::reload(const Game& game, std::int64_t now, std::size_t entries) {
  TableData& data = *data_;
  table::Replayed replayed = table::replay_by_name(data.history, game, data.settings.time_factor, entries);
  if (replayed.stuck) return replayed.stuck;
  data.clear_pending_decisions();
  data.bots.clear();
  data.history = std::move(*replayed.history);
  data.update_description();
  data.wrong_rules = nullptr;
  data.over_sent = false;
  for (table::ObserverStream& stream : data.streams) stream = table::ObserverStream(stream.observer());
  // The new journal has the option ids of the new rules.
  data.out.replaces_journal = true;
  data.out.journal = {{TableEntry::Kind::reseed, -1, static_cast<std::int64_t>(data.history.seed()), {}}};
  for (const TableEntry& entry : data.history.entries()) data.out.journal.push_back(entry);
  data.send_to_all(table::text_of({{"k", "rules"}, {"ok", true}, {"rules", data.description_hash}, {"run", data.run}}));
  if (!data.history.has_begun()) return std::nullopt;
  for (table::ObserverStream& stream : data.streams) {
    stream.look(data.history.state(), data.history.log(), data.history.entries().size());
    data.send_to_seat(stream.observer(), stream.everything(data.history.state(), data.history.log()));
  }
  data.settle(now);
  return std::nullopt;
}

void Table::send_rules(bool ok, std::string_view report, const std::optional<TableStuck>& stuck) {
  Json message = {{"k", "rules"}, {"ok", ok}};
  if (!report.empty()) message["report"] = Json::parse(report, nullptr, false);
  if (stuck) {
    // The host may also play, so except at designer tables, the message names only the seat that made the choice.
    const std::string whose = stuck->seat < 0 ? stuck->choice : "a choice of " + Game::seat_name(stuck->seat);
    message["stuck"] = {{"entry", stuck->entry},
                        {"choice", data_->settings.design ? stuck->choice : whose},
                        {"because", data_->settings.design ? stuck->because : "it is no longer available there"}};
  }
  const table::Text text = table::text_of(message);
  data_->wrong_rules = ok ? nullptr : text;
  for (const auto& [id, device] : data_->devices)
    if (device.rights.host) data_->send(id, text);
}

}   // namespace cardwright::api
