// Runs races by the host's clock while people act at any time. Incoming actions are delayed so that all people have the
// delay of the slowest connection, up to a limit. Time never runs backwards.
#include <algorithm>

#include "api/table/data.h"

namespace cardwright::api {

namespace {

constexpr std::int64_t kMostHold = 100 * kMillisecond;

}   // namespace

// Returns the current time of the race. The clock starts at the first call, and restarts for a new race and after an
// undo.
std::int64_t TableData::race_time(std::int64_t now) {
  const std::int64_t seen = history.state().race().time;
  if (race_seen < 0 || seen < race_seen) race_began = now - seen;
  race_seen = seen;
  return now - race_began;
}

// Returns the time of the race without starting the clock; never before the last event.
std::int64_t TableData::time_of_race(std::int64_t now) const {
  const std::int64_t seen = history.state().race().time;
  return race_began < 0 || !history.state().waits_for_clock() ? seen : std::max(seen, now - race_began);
}

void TableData::run_clock(std::int64_t time) { add({TableEntry::Kind::clock, -1, time, {}}); }

// Processes due events, and offers each seat the actions that it can begin now.
void TableData::race(std::int64_t now) {
  const std::size_t entries = history.entries().size();
  run_held(now);
  if (history.entries().size() != entries) return;   // settle() determines the next event
  const std::int64_t time = race_time(now);
  const bool is_due = history.state().race().next_event <= time;
  if (is_due) run_clock(std::max(history.state().race().time, history.state().race().next_event));
  send_updates();
  if (history.state().waits_for_clock())
    for (int seat = 0; seat < players(); ++seat) {
      if (!is_person(seat) || !(history.state().live() >> seat & 1) || answering.contains(seat)) continue;
      State copy = history.state();
      if (copy.arrive(seat))
        close_question(seat);
      else
        ask(seat, copy, true, now, -1);
    }
  if (is_due || !clock_sent) send_to_all(table::text_of(clock(now)));
  clock_sent = true;
}

// Refuses the pending actions and stops the clock.
void TableData::end_race() {
  race_seen = race_began = -1;
  clock_sent = false;
  for (const Held& act : std::exchange(held, {})) refuse_act(act, "the race is over");
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

// Delays an action so that simultaneous actions over slower connections arrive before it is performed.
void TableData::act(DeviceId device, int seat, std::int64_t id, std::int64_t now) {
  const std::int64_t longest = hold();
  const std::int64_t delay = settings.fair ? std::min(devices.at(device).delay, longest) : 0;
  add_held({now + longest - delay, device, seat, {id}});
  settle(now);
}

void TableData::add_held(Held act) {
  const auto after = [](const Held& a, const Held& b) { return a.at < b.at; };
  held.insert(std::upper_bound(held.begin(), held.end(), act, after), std::move(act));
}

// Performs the actions that are due. While a bot decides, the clock stops and the actions wait.
void TableData::run_held(std::int64_t now) {
  while (runs() && !held.empty() && held.front().at <= now && history.state().waits_for_clock()) {
    Held act = std::move(held.front());
    held.pop_front();
    act_now(std::move(act), now);
  }
}

void TableData::refuse_act(const Held& act, std::string_view because) {
  if (act.device != 0) return refuse(act.device, because, act.seat, -1, act.ids[0]);
  send_to_seat(act.seat,
               table::text_of({{"k", "refused"}, {"seat", act.seat}, {"id", act.ids[0]}, {"because", because}}));
}

// Advances the clock to the time of the action, and performs the action if it is still possible. If the action needs
// picks of a set, asks for the picks first and performs it when they are complete.
void TableData::act_now(Held act, std::int64_t now) {
  const std::int64_t time = race_time(std::max(act.at, race_began));
  if (time > history.state().race().time) run_clock(time);
  if (!history.state().waits_for_clock()) {
    if (!history.state().race().open) return refuse_act(act, "the race is over");
    held.push_front(std::move(act));   // a bot must decide first
    return;
  }
  Answering mine{history.state(), {}, true};
  if (const auto because = mine.state.arrive(act.seat)) return refuse_act(act, *because);
  for (const std::int64_t id : act.ids) {
    const auto offered = mine.state.actor() == act.seat ? mine.state.legal() : std::span<const std::int64_t>{};
    if (!std::binary_search(offered.begin(), offered.end(), id)) {
      const bool known = act.ids[0] >= 0 && act.ids[0] < history.game().option_ids();
      return refuse_act(
          act, known ? "too late: " + history.game().option(act.ids[0]).words : "that option is not available");
    }
    mine.state.apply_id(id);
  }
  mine.picks = act.ids;
  answering.erase(act.seat);
  close_question(act.seat);
  if (needs_more_picks(mine, act.seat)) {
    turn(act.seat, answering.emplace(act.seat, std::move(mine)).first->second.state, true, now);
  } else {
    add({TableEntry::Kind::arrive, act.seat, 0, {}});
    for (const std::int64_t id : act.ids) choose(act.seat, id);
    clock_sent = false;   // the race's timers have changed
  }
  if (act.device != 0) send(act.device, table::text_of({{"k", "taken"}, {"seat", act.seat}, {"id", act.ids[0]}}));
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

}   // namespace cardwright::api
