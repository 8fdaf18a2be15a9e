// Manages the devices, seats and names of a table, and sends messages to them.
#include <algorithm>

#include <fmt/format.h>

#include "api/table/data.h"

namespace cardwright::api {

bool TableData::is_of(const Device& device, int observer) const {
  const std::vector<int>& seats_of = device.rights.seats;
  return observer < 0 ? seats_of.empty() : std::find(seats_of.begin(), seats_of.end(), observer) != seats_of.end();
}

void TableData::send_to_seat(int seat, const Text& text) {
  if (!text) return;
  for (const auto& [id, device] : devices)
    if (is_of(device, seat)) send(id, text);
}

void TableData::send_to_all(const Text& text) {
  for (const auto& [id, device] : devices) send(id, text);
}

void TableData::refuse(DeviceId to, std::string_view because, int seat, std::int64_t q, std::int64_t id) {
  Json message = {{"k", "refused"}, {"because", because}};
  if (seat >= 0) message["seat"] = seat;
  if (q >= 0) message["q"] = q;
  if (id >= 0) message["id"] = id;
  send(to, table::text_of(message));
}

bool TableData::is_here(int seat) const {
  return std::any_of(devices.begin(), devices.end(), [&](const auto& one) { return is_of(one.second, seat); });
}

std::uint64_t TableData::people_mask() const {
  std::uint64_t mask = 0;
  for (int seat = 0; seat < players(); ++seat) mask |= std::uint64_t{is_person(seat)} << seat;
  return mask;
}

std::uint64_t TableData::live_mask() const {
  const std::uint64_t people = people_mask();
  return settings.one_device && (people & (people - 1)) != 0 ? 0 : people;
}

namespace {

const char* name_of(SeatHolder holder) {
  switch (holder) {
    case SeatHolder::open: return "open";
    case SeatHolder::person: return "person";
    case SeatHolder::bot: return "bot";
  }
  return "";
}

// Prepares a name for display: removes invisible characters and characters that change the direction of text, and
// limits the name to 24 characters.
std::string clean(std::string_view text) {
  constexpr std::size_t kMostLetters = 24;
  std::string out;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < text.size() && letters < kMostLetters;) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    const std::string_view one = text.substr(i, length);
    const bool control =
        byte < 0x20 || byte == 0x7f || (byte == 0xc2 && one.size() > 1 && static_cast<unsigned char>(one[1]) < 0xa0);
    // Direction marks and zero-width characters: U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F, U+FEFF.
    const auto is_between = [&](std::string_view least, std::string_view most) { return least <= one && one <= most; };
    const bool invisible = is_between("\u200b", "\u200f") || is_between("\u2028", "\u202e") ||
                           is_between("\u2060", "\u206f") || one == "\ufeff" || one == "\u061c";
    if (!control && !invisible) out += one, ++letters;
    i += length;
  }
  const std::size_t first = out.find_first_not_of(' ');
  return first == std::string::npos ? "" : out.substr(first, out.find_last_not_of(' ') - first + 1);
}

}   // namespace

Json TableData::people() const {
  Json all = Json::array();
  for (int seat = 0; seat < players(); ++seat) {
    const Seat& one = seats[static_cast<std::size_t>(seat)];
    Json person = {{"seat", seat}, {"name", one.name}, {"kind", name_of(one.holder)}, {"here", is_here(seat)}};
    for (const auto& [id, device] : devices)
      if (is_of(device, seat) && device.delay > 0)
        person["lag"] = std::max<std::int64_t>(person.value("lag", std::int64_t{0}), device.delay / kMillisecond);
    all.push_back(std::move(person));
  }
  const auto watches = [](const auto& one) { return one.second.rights.seats.empty(); };
  return {{"k", "people"},
          {"started", history.has_begun()},
          {"people", all},
          {"watching", std::count_if(devices.begin(), devices.end(), watches)}};
}

void TableData::welcome(DeviceId to) {
  const Device& device = devices.at(to);
  Json message = people();
  message["k"] = "welcome";
  message["v"] = 1;
  message["build"] = settings.build;
  message["table"] = settings.name;
  message["title"] = history.game().title();
  message["you"] = {{"seats", device.rights.seats}, {"host", device.rights.host}};
  message["rules"] = description_hash;
  message["run"] = run;
  message["settings"] = {{"open_at_end", settings.open_at_end},
                         {"time_factor", settings.time_factor},
                         {"design", settings.design},
                         {"undo", settings.undo},
                         {"bots", fmt::format("{:g} s", settings.bot_seconds)}};
  send(to, table::text_of(message));
}

// Sends an observer the complete view or the missed steps, and the pending question.
void TableData::show_table(DeviceId to, int observer, const SeenSteps& seen, std::int64_t now) {
  const table::ObserverStream& stream = streams[observer < 0 ? streams.size() - 1 : static_cast<std::size_t>(observer)];
  const auto step = seen.run == run ? seen.steps.find(observer) : seen.steps.end();
  const std::vector<Text> missing = step == seen.steps.end() ? std::vector<Text>{} : stream.since(step->second);
  if (missing.empty()) send(to, stream.everything(history.state(), history.log()));
  for (const Text& text : missing) send(to, text);
  if (observer < 0 || !questions[static_cast<std::size_t>(observer)].open) return;
  const Question& question = questions[static_cast<std::size_t>(observer)];
  Json message = question.body;
  if (question.until >= 0) message["left"] = std::max<std::int64_t>(0, question.until - now) / kMillisecond;
  send(to, table::text_of(message));
}

void TableData::connect(DeviceId id, const DeviceRights& rights, const SeenSteps& seen, std::int64_t now) {
  devices[id].rights = rights;
  const std::size_t before = out.messages.size();
  for (const int seat : rights.seats)
    if (!is_person(seat)) sit(seat, SeatHolder::person, seats[static_cast<std::size_t>(seat)].name, now);
  // Also updates the spectators' stream, which is not updated while there are no spectators.
  settle(now);
  const auto is_mine = [&](const TableMessage& message) { return message.to == id; };
  const auto since = out.messages.begin() + static_cast<std::ptrdiff_t>(before);
  out.messages.erase(std::remove_if(since, out.messages.end(), is_mine),
                     out.messages.end());   // the device receives the complete view below
  welcome(id);
  send_people();
  if (rights.host && wrong_rules) send(id, wrong_rules);
  if (!history.has_begun()) return;
  for (const int seat : rights.seats) show_table(id, seat, seen, now);
  if (rights.seats.empty()) show_table(id, kSpectator, seen, now);
  if (history.state().race().open) send(id, table::text_of(clock(now)));
  if (paused_at >= 0) send(id, table::text_of({{"k", "paused"}, {"paused", true}}));
  if (ballot) send(id, table::text_of(ballot_in_json(now)));
  if (over_sent) send(id, over_in_text());
}

void TableData::disconnect(DeviceId id, std::int64_t now) {
  if (devices.erase(id) == 0) return;
  send_people();
  if (ballot) count_votes(now, false);
}

void TableData::sit(int seat, SeatHolder holder, const std::string& name, std::int64_t now) {
  Seat& one = seats[static_cast<std::size_t>(seat)];
  const bool changes = one.holder != holder;
  one.holder = holder;
  one.name = clean(name);
  if (!changes) return send_people();
  // The new holder of the seat receives the question again.
  close_question(seat);
  answering.erase(seat);
  waiting.erase(seat);
  std::erase_if(tasks, [&](const Task& task) { return task.seat == seat; });
  bots.erase(seat);
  send_people();
  if (history.has_begun()) settle(now);
}

void TableData::rename(int seat, std::string_view name) {
  seats[static_cast<std::size_t>(seat)].name = clean(name);
  send_people();
}

}   // namespace cardwright::api
