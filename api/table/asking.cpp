// Advances a table until a person, a bot or the clock must act: asks people, creates tasks for bots, takes single
// options, and applies deadlines.
#include <algorithm>

#include <fmt/format.h>

#include "api/table/data.h"

namespace cardwright::api {

namespace {

constexpr std::int64_t kLeastPause = 800 * kMillisecond, kMostPause = 2500 * kMillisecond;
constexpr std::int64_t kMostGrace = 250 * kMillisecond;
// Maximum thinking time of a bot in a race, in seconds, because the clock stops meanwhile.
constexpr double kInRace = 0.05;

std::size_t at(int seat) { return static_cast<std::size_t>(seat); }

}   // namespace

// ---- changes of the State

void TableData::add(TableEntry entry) {
  const auto inform_bots = [&](const State& before, std::int64_t option) {
    for (auto& [seat, bot] : bots) bot.saw(before, option);
  };
  history.add(entry, inform_bots);
  out.journal.push_back(std::move(entry));
}

void TableData::choose(int seat, std::int64_t id) {
  add({TableEntry::Kind::choose, seat, id, table::lasting_name(history.game(), id)});
}

void TableData::begin(std::int64_t now) {
  if (history.has_begun() && history.state().is_over()) {
    add({TableEntry::Kind::reseed, -1, static_cast<std::int64_t>(new_seed()), {}});
    for (table::ObserverStream& stream : streams) stream.forget();
  }
  clear_pending_decisions();
  bots.clear();
  over_sent = false;
  add({TableEntry::Kind::begin, -1, static_cast<std::int64_t>(live_mask()), {}});
  send_people();
  settle(now);
}

// Sends the changes that each observer can see. If `besides` is not empty, it replaces the news.
void TableData::send_updates(const std::string& besides) {
  for (table::ObserverStream& stream : streams) {
    const bool is_seat = stream.observer() >= 0;
    const bool is_used = is_seat ? is_person(stream.observer())
                                 : std::any_of(devices.begin(), devices.end(),
                                               [&](const auto& one) { return is_of(one.second, kSpectator); });
    if (!is_used) continue;
    const Text text = stream.look(history.state(), history.log(), history.entries().size(), besides);
    if (text) send_to_seat(stream.observer(), text);
  }
}

// ---- advancing

void TableData::settle(std::int64_t now) {
  constexpr int kMostSteps = 100'000;   // limit of consecutive steps without an answer, such as single options
  for (int steps = 0; history.has_begun() && steps < kMostSteps; ++steps) {
    State& state = history.state();
    if (state.is_over() || paused_at >= 0) break;
    if (const std::uint64_t mask = live_mask(); state.live() != mask && history.game().races() && !state.race().open)
      add({TableEntry::Kind::live, -1, static_cast<std::int64_t>(mask), {}});
    if (!state.race().open && race_seen >= 0) end_race();
    const std::size_t before = history.entries().size();
    if (state.waits_for_clock())
      race(now);
    else if (state.still_to_answer() != 0)
      ask_all(now);
    else
      turn(state.actor(), state, false, now);
    if (history.entries().size() == before) break;
  }
  if (!history.has_begun()) return;
  send_updates();
  if (history.state().is_over() && !over_sent) {
    close_questions();
    over_sent = true;
    send_to_all(over_in_text());
  }
}

// Handles the pending decision of a seat. `asked` is the State in which the seat decides; for a simultaneous decision
// (`at_once`), this is the seat's own copy.
void TableData::turn(int seat, const State& asked, bool at_once, std::int64_t now) {
  State copy = asked;
  const std::size_t count = copy.legal_count();
  if (count == 1 && !(settings.one_device && is_person(seat))) {
    const std::int64_t id = copy.legal()[0];
    const auto wait = waiting.find(seat);
    if (wait == waiting.end() && !at_once && needs_pause(seat, copy)) {
      waiting[seat] = {now + pause_of(seat), id};
      return;
    }
    if (wait != waiting.end() && wait->second.at > now) return;
    waiting.erase(seat);
    answer(seat, id, now);
    return;
  }
  if (!is_person(seat)) return start_thinking(seat, copy, history.state().race().open ? kInRace : settings.bot_seconds);
  if (questions[at(seat)].open && !questions[at(seat)].race) return;
  std::int64_t until = -1;
  if (at_once && answers_until >= 0)
    until = answers_until;
  else if (settings.seconds > 0 && !history.state().race().open)
    until = now + static_cast<std::int64_t>(settings.seconds * double(kSecond));
  ask(seat, copy, false, now, until);
}

// Returns true if an immediate answer would reveal to other people that the seat had only one option.
bool TableData::needs_pause(int seat, const State& asked) const {
  const api::Question question = asked.question();
  if (question.flow || !question.hidden_basis || settings.design) return false;
  for (int other = 0; other < players(); ++other)
    if (other != seat && is_person(other)) return true;
  return false;
}

std::int64_t TableData::pause_of(int seat) const {
  if (!is_person(seat)) return static_cast<std::int64_t>(settings.bot_seconds * double(kSecond));
  return kLeastPause + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kMostPause - kLeastPause));
}

// ---- simultaneous decisions

TableData::Answering* TableData::answering_of(int seat) {
  const auto found = answering.find(seat);
  if (found != answering.end()) return &found->second;
  State mine = history.state();
  if (!mine.ask_first(seat)) return nullptr;   // the player has no options
  return &answering.emplace(seat, Answering{std::move(mine), {}}).first->second;
}

void TableData::ask_all(std::int64_t now) {
  const std::uint64_t open = history.state().still_to_answer();
  if (answers_until < 0)
    if (const std::int64_t within = history.state().question().within; within >= 0)
      answers_until = now + within * settings.time_factor;
  bool person_is_asked = false;
  for (int seat = 0; seat < players(); ++seat) {
    if (!(open >> seat & 1) || (settings.one_device && is_person(seat) && person_is_asked)) continue;
    const std::size_t before = history.entries().size();
    Answering* const mine = answering_of(seat);
    if (!mine) continue;
    person_is_asked = person_is_asked || is_person(seat);
    turn(seat, mine->state, true, now);
    if (history.entries().size() != before) return;   // the entry changed the State, so settle() starts again
  }
}

// Applies a complete answer to the game, and updates the other seats' unfinished answers to the new State.
void TableData::finish_answer(int seat) {
  const std::vector<std::int64_t> picks = answering.at(seat).picks;
  answering.erase(seat);
  if (settings.one_device) answers_until = -1;   // the next person gets the full time
  for (const std::int64_t id : picks) choose(seat, id);
  if (history.state().is_over() || history.state().still_to_answer() == 0) {
    answering.clear();
    answers_until = -1;
    return;
  }
  for (auto& [other, theirs] : answering) {
    State refreshed = history.state();
    if (!refreshed.ask_first(other)) continue;
    for (const std::int64_t id : theirs.picks) refreshed.apply_id(id);
    theirs.state = std::move(refreshed);
  }
}

// ---- answers

// Returns true if more elements of a set must be picked.
bool TableData::needs_more_picks(const Answering& mine, int seat) const {
  return !mine.state.is_over() && mine.state.actor() == seat && mine.state.question().picked > 0;
}

// Takes the option with this id for the seat. Returns false if the option is not available.
bool TableData::answer(int seat, std::int64_t id, std::int64_t now) {
  const auto picking = answering.find(seat);
  Answering* mine = picking != answering.end()               ? &picking->second
                    : history.state().still_to_answer() != 0 ? answering_of(seat)
                                                             : nullptr;
  State& asked = mine ? mine->state : history.state();
  const auto ids = asked.legal();
  if (asked.actor() != seat || !std::binary_search(ids.begin(), ids.end(), id)) return false;
  close_question(seat);
  waiting.erase(seat);
  std::erase_if(tasks, [&](const Task& task) { return task.seat == seat; });
  if (!mine) {
    choose(seat, id);
    send_updates();
    return true;
  }
  mine->picks.push_back(id);
  mine->state.apply_id(id);
  if (needs_more_picks(*mine, seat)) {
    turn(seat, State(mine->state), true, now);
  } else if (mine->race) {
    add_held({now, 0, seat, mine->picks});
    answering.erase(seat);
    run_held(now);
  } else {
    finish_answer(seat);
  }
  return true;
}

void TableData::ask(int seat, const State& asked, bool race, std::int64_t now, std::int64_t until) {
  State copy = asked;
  Question& question = questions[at(seat)];
  Json body = table::question_in_json(copy);
  body["k"] = "ask", body["seat"] = seat, body["race"] = race;
  if (question.open && question.race && race) {   // the same question with unchanged options stays open
    Json same = question.body;
    same.erase("q");
    if (same == body) return;
  }
  question.open = true, question.race = race, question.until = until;
  ++question.q;
  question.ids.assign(copy.legal().begin(), copy.legal().end());
  body["q"] = question.q;
  question.body = body;
  if (until >= 0) body["left"] = std::max<std::int64_t>(0, until - now) / kMillisecond;
  send_to_seat(seat, table::text_of(body));
}

void TableData::close_question(int seat) {
  Question& question = questions[at(seat)];
  if (!question.open) return;
  question.open = false;
  send_to_seat(seat, table::text_of({{"k", "idle"}, {"seat", seat}, {"q", question.q}}));
}
void TableData::close_questions() {
  for (int seat = 0; seat < players(); ++seat) close_question(seat);
}

// Returns the bot of a seat. A new bot first observes all decisions so far.
Bot& TableData::bot_of(int seat) {
  if (const auto found = bots.find(seat); found != bots.end()) return found->second;
  Bot& bot = bots.emplace(seat, Bot(history.game(), seat, {.seed = settings.seed * 64 + at(seat)})).first->second;
  if (history.entries().size() > 1)
    history.state_after(history.entries().size(),
                        [&](const State& before, std::int64_t option) { bot.saw(before, option); });
  return bot;
}

void TableData::start_thinking(int seat, const State& asked, double seconds) {
  if (std::any_of(tasks.begin(), tasks.end(),
                  [&](const Task& task) { return task.seat == seat && task.asked_by == 0; }))
    return;
  tasks.push_back({++last_task, seat, 0, 0});
  tasks_to_give.push_back({last_task, seat, seconds, false, asked, std::make_shared<Bot>(bot_of(seat))});
}

// ---- deadlines

void TableData::answer_for_missing(int seat, std::int64_t now) {
  for (int picks = 0; picks < 1000; ++picks) {
    Answering* mine = history.state().still_to_answer() != 0 ? answering_of(seat) : nullptr;
    State asked = mine ? mine->state : history.state();
    if (asked.is_over() || asked.actor() != seat) return;
    const std::size_t entries = history.entries().size();
    const std::int64_t id = asked.legal()[asked.missing_answer()];
    if (!answer(seat, id, now) || history.entries().size() != entries) return;
  }
}

// Returns the time after which an answer of this seat is too late, including an allowance for network delay; -1 if
// there is no time limit.
std::int64_t TableData::deadline_of(int seat) const {
  const Question& question = questions[at(seat)];
  if (!question.open || question.until < 0) return -1;
  std::int64_t grace = 0;
  for (const auto& [id, device] : devices)
    if (is_of(device, seat)) grace = std::max(grace, std::min(device.delay, kMostGrace));
  return question.until + grace;
}

void TableData::pass_deadlines(std::int64_t now) {
  for (int seat = 0; seat < players() && runs(); ++seat)
    if (const std::int64_t late = deadline_of(seat); late >= 0 && late <= now) answer_for_missing(seat, now);
}

std::int64_t TableData::next_due() const {
  std::int64_t due = -1;
  const auto sooner = [&](std::int64_t time) {
    if (time >= 0 && (due < 0 || time < due)) due = time;
  };
  if (ballot) sooner(ballot->until);
  if (!runs()) return due;
  for (int seat = 0; seat < players(); ++seat) sooner(deadline_of(seat));
  for (const auto& [seat, wait] : waiting) sooner(wait.at);
  if (!held.empty() && history.state().waits_for_clock()) sooner(held.front().at);
  if (const State& state = history.state(); state.waits_for_clock() && race_began >= 0)
    sooner(race_began + state.race().next_event);
  return due;
}

void TableData::pass_time(std::int64_t now) {
  if (ballot && ballot->until <= now) count_votes(now, true);
  if (!runs()) return;
  run_held(now);
  if (runs()) pass_deadlines(now);
  settle(now);
}

// ---- end of the game

Text TableData::over_in_text() const {
  State state = history.state();
  Json message = {
      {"k", "over"}, {"winners", state.winners()}, {"ending", state.ending_for_people()}, {"returns", state.returns()}};
  if (state.failure()) message["failure"] = state.failure()->kind();
  if (settings.open_at_end) message["open"] = table::things_in_json(things(state, kEverything));
  return table::text_of(message);
}

}   // namespace cardwright::api
