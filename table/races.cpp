// Races: time goes on by the host's clock, and people act when they like. What arrives is held, so that all have the
// delay of the slowest, up to a limit; time is never turned back.
#include <algorithm>

#include "table/data.h"

namespace cardwright::api {

namespace {

constexpr std::int64_t kMostHold = 100 * kMillisecond;

}  // namespace

// The race's time. Its clock begins where it is first seen, and again where the race was another one or went back.
std::int64_t TableData::race_time(std::int64_t now) {
  const std::int64_t seen = history.state().race().time;
  if (race_seen < 0 || seen < race_seen) race_began = now - seen;
  race_seen = seen;
  return now - race_began;
}

void TableData::run_clock(std::int64_t time) { add({TableEntry::Kind::clock, -1, time, {}}); }

// Lets happen what is due, and says what may be done now.
void TableData::race(std::int64_t now) {
  const std::int64_t time = race_time(now);
  const bool is_due = history.state().race().next_event <= time;
  if (is_due) run_clock(std::max(history.state().race().time, history.state().race().next_event));
  look_around();
  if (history.state().waits_for_clock())
    for (int seat = 0; seat < players(); ++seat) {
      if (!is_person(seat) || !(history.state().live() >> seat & 1) || answering.contains(seat)) continue;
      State copy = history.state();
      if (copy.arrive(seat))
        close_question(seat);
      else
        ask(seat, copy, true, now, -1);
    }
  if (is_due || !clock_told) send_to_all(table::text_of(clock(now)));
  clock_told = true;
}

// What was under way comes to nothing.
void TableData::end_race() {
  race_seen = race_began = -1;
  clock_told = false;
  held.clear();
  std::erase_if(answering, [](const auto& one) { return one.second.race; });
  close_questions();
  send_to_all(table::text_of(clock(0)));
}

std::int64_t TableData::hold() const {
  std::int64_t slowest = 0;
  for (const auto& [id, device] : devices)
    if (!device.rights.seats.empty()) slowest = std::max(slowest, device.delay);
  return settings.fair ? std::min(slowest, kMostHold) : 0;
}

void TableData::act(DeviceId device, int seat, std::int64_t id, std::int64_t now) {
  const std::int64_t longest = hold();
  Held act{now + longest - (settings.fair ? std::min(devices.at(device).delay, longest) : 0), device, seat, id};
  if (act.at <= now && held.empty()) return act_now(act, now);
  const auto after = [](const Held& a, const Held& b) { return a.at < b.at; };
  held.insert(std::upper_bound(held.begin(), held.end(), act, after), act);
}

// The clock goes on to then; `there` is the State in which that seat acts. Else why it can't.
std::optional<std::string> TableData::catch_up(int seat, std::int64_t time, State& there) {
  if (time > history.state().race().time) run_clock(time);
  there = history.state();
  if (!there.waits_for_clock()) return there.race().open ? "it is another's turn" : "no race is open";
  return there.arrive(seat);
}

void TableData::act_now(const Held& act, std::int64_t now) {
  const auto refused = [&](std::string_view because) {
    refuse(act.device, because, act.seat, -1, act.id);
    settle(now);
  };
  if (!history.state().waits_for_clock()) return refused("no race is open");
  Answering mine{history.state(), {act.id}, true};
  if (const auto because = catch_up(act.seat, race_time(std::max(act.at, race_began)), mine.state))
    return refused(*because);
  const auto ids = mine.state.legal();
  if (!std::binary_search(ids.begin(), ids.end(), act.id))
    return refused(act.id >= 0 && act.id < history.game().option_ids()
                       ? "too late: " + history.game().option(act.id).words
                       : "that is not offered");
  answering.erase(act.seat);
  mine.state.apply_id(act.id);
  if (goes_on(mine, act.seat)) {
    close_question(act.seat);
    turn(act.seat, answering.emplace(act.seat, std::move(mine)).first->second.state, true, now);
  } else if (const auto because = finish_act(act.seat, mine.picks, now)) {
    return refused(*because);
  }
  send(act.device, table::text_of({{"k", "taken"}, {"seat", act.seat}, {"id", act.id}}));
  settle(now);
}

// All of an act, when the last of it was picked; else why it came too late.
std::optional<std::string> TableData::finish_act(int seat, const std::vector<std::int64_t>& ids, std::int64_t now) {
  State there = history.state();
  if (!there.waits_for_clock()) return "no race is open";
  if (auto because = catch_up(seat, race_time(now), there)) return because;
  for (const std::int64_t id : ids) {
    const auto offered = there.actor() == seat ? there.legal() : std::span<const std::int64_t>{};
    if (!std::binary_search(offered.begin(), offered.end(), id))
      return "too late: " + history.game().option(ids[0]).words;
    there.apply_id(id);
  }
  add({TableEntry::Kind::arrive, seat, 0, {}});
  for (const std::int64_t id : ids) choose(seat, id);
  clock_told = false;   // what runs is another now
  return std::nullopt;
}

Json TableData::clock(std::int64_t now) {
  const State& state = history.state();
  const RaceClock race = state.race();
  Json message = {
      {"k", "clock"}, {"race", race.open}, {"factor", settings.time_factor}, {"held", hold() / kMillisecond}};
  if (!race.open) return message;
  const std::int64_t time = std::max(race.time, paused_at >= 0 ? race.time : race_time(now));
  message["now"] = time;
  message["next"] = race.next_event >= 0 ? Json(race.next_event) : Json(nullptr);
  message["paused"] = race.paused_until > time ? Json(race.paused_until) : Json(nullptr);
  message["running"] = state.running_in_words(time);
  return message;
}

}  // namespace cardwright::api
