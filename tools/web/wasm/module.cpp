// Exports the table core to WebAssembly, which exported pages call instead of a server. Messages have the format of
// docs/reference/protocol.md. The page is the only device and controls all seats of people. Texts are passed by address
// and length; a returned text is valid until the next call.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "cardwright/showing.hpp"
#include "cardwright/table.hpp"
#include "api/game/parallel.h"

#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))
#define IMPORTED(name) extern "C" __attribute__((import_module("page"), import_name(#name)))

IMPORTED(failed) void page_failed(const char* text, std::size_t size);
IMPORTED(random) std::uint64_t page_random();

// Destructors of thread-local objects are not needed, since the page ends with the thread.
// NOLINTNEXTLINE(bugprone-reserved-identifier): a name of the C++ ABI
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

namespace cardwright::api {

// NOLINTNEXTLINE(performance-unnecessary-value-param): the declaration has this type
void raise(Blame, const std::string& message, Report) {
  page_failed(message.data(), message.size());
  __builtin_trap();
}

// WebAssembly has no threads.
void need_threads(int) {}
int thread_count(int, std::uint64_t) { return 1; }
void run_blocks(int, std::uint64_t blocks, const std::function<bool(int, std::uint64_t)>& work,
                const std::function<void()>&) {
  for (std::uint64_t block = 0; block < blocks && work(0, block); ++block) {
  }
}

}   // namespace cardwright::api

namespace {

using namespace cardwright::api;
using Json = nlohmann::json;

std::unique_ptr<Game> game;
std::unique_ptr<Table> table;
std::string result;   // text that the last call returned
std::int64_t now = 0;

constexpr DeviceId kPage = 1;

const char* returned(std::string text) {
  result = std::move(text);
  return result.data();
}

TableEntry entry_of(const Json& json) {
  TableEntry entry;
  entry.kind = static_cast<TableEntry::Kind>(json.value("kind", 0));
  entry.seat = json.value("seat", -1);
  entry.id = json.value("id", std::int64_t{0});
  entry.name = json.value("name", "");
  return entry;
}
Json json_of(const TableEntry& entry) {
  return {{"kind", static_cast<int>(entry.kind)}, {"seat", entry.seat}, {"id", entry.id}, {"name", entry.name}};
}

TableSettings settings_of(const Json& json) {
  TableSettings settings;
  settings.seed = json.value("seed", std::uint64_t{1});
  settings.started = true;
  settings.design = json.value("design", false);
  settings.time_factor = json.value("time_factor", 1);
  settings.bot_seconds = json.value("bot_seconds", 0.2);
  settings.name = json.value("name", "");
  settings.build = json.value("build", "");
  settings.random = page_random;
  settings.seats.assign(static_cast<std::size_t>(game->players()), SeatHolder::bot);
  for (const Json& seat : json.value("people", Json::array()))
    if (seat.is_number_integer() && seat >= 0 && seat < game->players())
      settings.seats[seat.get<std::size_t>()] = SeatHolder::person;
  return settings;
}

}   // namespace

EXPORTED(allocate) char* allocate(std::size_t size) { return static_cast<char*>(std::malloc(size)); }
EXPORTED(result_size) std::size_t result_size() { return result.size(); }

// Loads a compiled game from the bytes of its file, and closes the current table. The caller keeps ownership of
// `bytes`.
EXPORTED(open) void open(const char* bytes, std::size_t size) {
  table.reset();
  game = std::make_unique<Game>(Game::from_bytes({bytes, size}));
}
EXPORTED(describe) const char* description() { return returned(describe(*game)); }

// Starts or resumes a table. `text` contains the settings as JSON: {seed, people: [seats], bot_seconds, journal:
// [entries]}. The page controls all seats of people.
EXPORTED(sit) void sit(const char* text, std::size_t size, double microseconds) {
  now = static_cast<std::int64_t>(microseconds);
  const Json json = Json::parse(std::string_view(text, size), nullptr, false);
  const TableSettings settings = settings_of(json);
  std::vector<TableEntry> journal;
  for (const Json& entry : json.value("journal", Json::array())) journal.push_back(entry_of(entry));
  table = journal.empty() ? std::make_unique<Table>(*game, settings, now)
                          : std::make_unique<Table>(*game, settings, std::move(journal), now);
  DeviceRights rights{{}, settings.design};   // pages have no invitations
  for (int seat = 0; seat < game->players(); ++seat)
    if (table->holder(seat) == SeatHolder::person) rights.seats.push_back(seat);
  table->connect(kPage, rights, {}, now);
}

EXPORTED(receive) void receive(const char* text, std::size_t size, double microseconds) {
  now = static_cast<std::int64_t>(microseconds);
  table->receive(kPage, {text, size}, now);
}
EXPORTED(pass_time) void pass_time(double microseconds) {
  now = static_cast<std::int64_t>(microseconds);
  table->pass_time(now);
}
EXPORTED(next_due) double next_due() { return static_cast<double>(table->next_due()); }

// Returns {messages: [texts], changed}; `changed` is true if there are new entries that must be saved.
EXPORTED(take) const char* take() {
  const TableOutput out = table->take();
  std::string text = R"({"messages":[)";
  for (std::size_t i = 0; i < out.messages.size(); ++i) text += (i == 0 ? "" : ",") + *out.messages[i].text;
  return returned(text + R"(],"changed":)" + (out.journal.empty() ? "false}" : "true}"));
}
// Returns the entries that `sit` needs to resume the game, as a JSON array.
EXPORTED(journal) const char* journal() {
  Json all = Json::array();
  for (const TableEntry& entry : table->journal()) all.push_back(json_of(entry));
  return returned(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Runs the search of the next bot; returns 0 if no bot has to decide. The caller must read the clock again afterwards.
EXPORTED(think) int think() {
  static std::vector<BotTask> tasks;
  for (BotTask& task : table->take_tasks()) tasks.push_back(std::move(task));
  if (tasks.empty()) return 0;
  BotTask task = std::move(tasks.front());
  tasks.erase(tasks.begin());
  BotSettings settings = task.bot->settings();
  settings.seconds = task.seconds;
  task.bot->set(settings);
  if (task.opinions)
    table->answer_opinions(task.number, task.bot->opinions(task.state), now);
  else
    table->answer_task(task.number, task.bot->choose(task.state), now);
  return 1;
}

// Plays uniformly random games with this seed, like the playouts of bots, and returns the number of decisions. Needs an
// opened game but no table.
EXPORTED(play_out) double play_out(double seed, int games) {
  std::int64_t decisions = 0;
  for (int i = 0; i < games; ++i) {
    State state = game->new_state(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i));
    state.playout();
    decisions += state.decisions();
  }
  return static_cast<double>(decisions);
}

// Returns the hash of the rules state as 16 hexadecimal digits. The hash is the same on every machine.
EXPORTED(hash) const char* hash() {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[table->state().hash() >> shift & 15];
  return returned(digits);
}
