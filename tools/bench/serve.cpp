// bench_serve: measures the server under load. The server and its clients are two processes on the same machine.
//
//   bench_serve load [TABLES [SECONDS]]      1,000 tables of four players, one choice per table every 2 s: the time
//                                            until all players have received it
//   bench_serve races [TABLES [SECONDS]]     200 tables of four players in a race, three acts per second and table:
//                                            the time until the server answers `taken`
//   bench_serve restart [TABLES [CHOICES]]   1,000 tables with 300 choices in the database: the time until the server
//                                            answers, and until all tables are set up
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cardwright/server.hpp"
#include "support/temporary_folder.h"
#include "tools/server/client/client.h"
#include "tools/server/clock.h"
#include "tools/server/store.h"

namespace {

using namespace cardwright;
using server::Client;
using server::Json;
using server::now;

constexpr std::int64_t kSecond = 1'000'000;

// ---- the server's process

int serve_here(const std::string& folder, const std::string& game, int players, int tables) {
  server::ServerSettings settings;
  settings.port = 0;
  settings.folder = folder + "/data";
  settings.pages = folder;
  settings.limited = false;
  settings.say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  server::Server server(settings);
  fmt::print("port {}\n", server.port());
  for (int i = 0; i < tables; ++i) {
    server::TableWish wish{game, {players, {}}};
    wish.settings.seed = static_cast<std::uint64_t>(i + 1);
    wish.settings.started = true;
    wish.settings.seats.assign(static_cast<std::size_t>(players), api::SeatHolder::person);
    const server::TableLinks links = server.table(wish);
    for (const auto& [seat, link] : links.seats) fmt::print("{}\n", server::key_in(link));
  }
  server.start();
  fmt::print("ready\n");
  std::fflush(stdout);
  for (;;) pause();
}

class Process {
 public:
  Process(const std::string& folder, const std::string& game, int players, int tables) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
    id_ = fork();
    if (id_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      const std::string many = std::to_string(players), count = std::to_string(tables);
      execl("/proc/self/exe", "bench_serve", "server", folder.c_str(), game.c_str(), many.c_str(), count.c_str(),
            nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::FILE* out = fdopen(ends[0], "r");
    char line[256];
    while (std::fgets(line, sizeof line, out)) {
      std::string text(line, std::strcspn(line, "\n"));
      if (text == "ready") break;
      if (text.starts_with("port "))
        port = std::atoi(text.c_str() + 5);
      else
        keys.push_back(text);
    }
    std::fclose(out);
    if (port == 0) throw std::runtime_error("the server did not start");
  }
  ~Process() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  // Returns the resident memory in megabytes.
  double memory() const {
    std::ifstream status(fmt::format("/proc/{}/status", id_));
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1000;
    return 0;
  }
  // Returns the CPU time of all threads in seconds.
  double processor() const {
    std::ifstream stat(fmt::format("/proc/{}/stat", id_));
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream rest(text.substr(text.rfind(')') + 1));
    std::string word;
    double ticks = 0;
    for (int i = 0; rest >> word; ++i)
      if (i == 11 || i == 12) ticks += std::atof(word.c_str());
    return ticks / double(sysconf(_SC_CLK_TCK));
  }
  int port = 0;
  std::vector<std::string> keys;

 private:
  pid_t id_ = -1;
};

// ---- the clients

struct Guest {
  Client client;
  int table = 0, seat = 0;
  bool asked = false, raced = false;
  std::int64_t q = 0, id = 0;
};

// Returns the number after a name in a message, without parsing the message.
std::int64_t number_behind(const std::string& text, const char* name, std::size_t from = 0) {
  const std::size_t at = text.find(name, from);
  return at == std::string::npos ? -1 : std::atoll(text.c_str() + at + std::strlen(name));
}

// Returns a random one of the numbers after a name that occurs several times.
std::int64_t any_number_behind(const std::string& text, const char* name, std::size_t from, std::mt19937_64& random) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(name, from); at != std::string::npos; at = text.find(name, at + 1))
    places.push_back(at);
  return places.empty() ? -1 : number_behind(text, name, places[random() % places.size()]);
}

class Crowd {
 public:
  Crowd(const Process& server, int seats) : wait_(epoll_create1(EPOLL_CLOEXEC)) {
    for (std::size_t i = 0; i < server.keys.size(); ++i) {
      const int n = static_cast<int>(i);
      const std::string from = fmt::format("127.5.{}.{}", n / 250, 1 + n % 250);
      guests.push_back({server::at_table(server.port, server.keys[i], from), n / seats, n % seats});
      epoll_event event{EPOLLIN, {.u64 = i}};
      epoll_ctl(wait_, EPOLL_CTL_ADD, guests.back().client.socket(), &event);
    }
  }
  ~Crowd() { close(wait_); }
  // Processes the messages that arrive within this time.
  void hear(int milliseconds, const std::function<void(Guest&, const std::string&)>& heard) {
    epoll_event events[256];
    const int count = epoll_wait(wait_, events, 256, milliseconds);
    for (int i = 0; i < count; ++i) {
      Guest& guest = guests[events[i].data.u64];
      while (const auto text = guest.client.next_text(0)) {
        if (text->find("\"k\":\"ask\"") != std::string::npos) {
          guest.asked = true;
          guest.raced = text->find("\"race\":true") != std::string::npos;
          guest.q = number_behind(*text, "\"q\":");
          const std::size_t options = text->find("\"options\":");
          guest.id = any_number_behind(*text, "\"id\":", options, random_);
        }
        if (text->find("\"k\":\"idle\"") != std::string::npos) guest.asked = false;
        heard(guest, *text);
      }
      if (guest.client.was_closed()) epoll_ctl(wait_, EPOLL_CTL_DEL, guest.client.socket(), nullptr);
    }
  }
  std::vector<Guest> guests;

 private:
  int wait_;
  std::mt19937_64 random_{2};
};

void show(const char* what, std::vector<double> values) {
  if (values.empty()) return fmt::print("{}: none\n", what);
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) { return values[static_cast<std::size_t>(share * double(values.size() - 1))]; };
  fmt::print("{}: {} samples, median {:.1f} ms, p90 {:.1f}, p99 {:.1f}, p99.9 {:.1f}, maximum {:.1f}\n", what,
             values.size(), at(0.5), at(0.9), at(0.99), at(0.999), values.back());
}

void write_pages(const std::string& folder) {
  for (const char* name : {"table.html", "table.js", "table.css"}) std::ofstream(folder + "/" + name);
}

struct TableNow {
  std::int64_t due = 0, sent = -1;
  unsigned waiting = 0;   // mask of seats that have not received the step
  bool over = false;
};

int load(int tables, int seconds) {
  constexpr int kSeats = 4;
  constexpr std::int64_t kEvery = 2 * kSecond;
  const TemporaryFolder folder;
  write_pages(folder.path());
  const Process server(folder.path(), "crazy_eights", kSeats, tables);
  const double bare = server.memory();
  Crowd crowd(server, kSeats);
  std::vector<TableNow> all(static_cast<std::size_t>(tables));
  std::mt19937_64 random(1);
  const std::int64_t begin = now() + 3 * kSecond, end = begin + seconds * kSecond;
  for (TableNow& table : all) table.due = begin + static_cast<std::int64_t>(random() % kEvery);
  std::vector<double> delays;
  double processor = 0;
  std::uint64_t late = 0;
  for (std::int64_t at = now(); at < end; at = now()) {
    crowd.hear(1, [&](Guest& guest, const std::string& text) {
      TableNow& table = all[static_cast<std::size_t>(guest.table)];
      if (text.find("\"k\":\"over\"") != std::string::npos) table.over = true;
      if (table.waiting == 0 || text.find("\"k\":\"step\"") == std::string::npos) return;
      table.waiting &= ~(1u << guest.seat);
      if (table.waiting == 0) delays.push_back(double(now() - table.sent) / 1000);
    });
    if (at < begin) {
      processor = server.processor();
      continue;
    }
    for (Guest& guest : crowd.guests) {
      TableNow& table = all[static_cast<std::size_t>(guest.table)];
      if (!guest.asked || table.over || at < table.due) continue;
      late += table.waiting != 0;
      table.due += kEvery;
      table.waiting = (1u << kSeats) - 1;
      table.sent = now();
      guest.asked = false;
      guest.client.send_frame(
          1, fmt::format("{{\"k\":\"choose\",\"seat\":{},\"q\":{},\"id\":{}}}", guest.seat, guest.q, guest.id));
    }
  }
  show("from a choice to the step at all players", delays);
  fmt::print("{} tables, {} clients, {:.0f} choices per second; {} choices took more than 2 s\n", tables,
             crowd.guests.size(), double(delays.size()) / seconds, late);
  fmt::print("server: {:.0f} MB before the first client, {:.0f} MB now; {:.2f} processors busy\n", bare,
             server.memory(), (server.processor() - processor) / seconds);
  fmt::print("{} games ended\n", std::count_if(all.begin(), all.end(), [](const TableNow& t) { return t.over; }));
  return 0;
}

// Starts a new game when one is over: seat 0 calls a vote, and the others agree.
void agree_to_another(Guest& guest, const std::string& text) {
  if (guest.seat == 0 && text.find("\"k\":\"over\"") != std::string::npos)
    guest.client.send_frame(1, R"({"k":"ballot","kind":"again"})");
  if (guest.seat != 0 && text.find("\"k\":\"ballot\"") != std::string::npos &&
      text.find("\"result\":") == std::string::npos)
    guest.client.send_frame(1, fmt::format(R"({{"k":"vote","id":{},"yes":true}})", number_behind(text, "\"id\":")));
}

std::string answer_of(const Guest& guest) {
  return guest.raced ? fmt::format(R"({{"k":"act","seat":{},"id":{}}})", guest.seat, guest.id)
                     : fmt::format(R"({{"k":"choose","seat":{},"q":{},"id":{}}})", guest.seat, guest.q, guest.id);
}

// Measures round trips in races: of each guest's pending act, and of a second `hello`, which the server answers when it
// stamps the arrival time, before messages wait for their table.
struct Trips {
  std::vector<std::int64_t> sent, probed;   // by guest; -1: none pending
  std::vector<double> taken, stamped;   // milliseconds
  std::uint64_t refused = 0;

  explicit Trips(std::size_t guests) : sent(guests, -1), probed(guests, -1) {}
  void hear(std::size_t guest, const std::string& text) {
    const bool was_refused = text.find("\"k\":\"refused\"") != std::string::npos;
    if (was_refused && text.find("duplicate `hello`") != std::string::npos)
      return stamped.push_back(double(now() - std::exchange(probed[guest], -1)) / 1000);
    const bool was_taken = text.find("\"k\":\"taken\"") != std::string::npos;
    if (sent[guest] < 0 || (!was_taken && !was_refused)) return;
    const std::int64_t since = std::exchange(sent[guest], -1);
    if (was_taken) taken.push_back(double(now() - since) / 1000);
    refused += was_refused;
  }
};

// The state of a table in the race benchmark. When the table is due, the next seat that has an option acts.
struct RaceNow {
  std::int64_t due = 0;
  std::size_t last = 0;
};

int races(int tables, int seconds) {
  constexpr std::size_t kSeats = 4;
  constexpr std::int64_t kEvery = kSecond / 3, kProbeEvery = 5'000;
  const TemporaryFolder folder;
  write_pages(folder.path());
  const Process server(folder.path(), "panic_fire", int(kSeats), tables);
  Crowd crowd(server, int(kSeats));
  Trips trips(crowd.guests.size());
  std::vector<RaceNow> all(static_cast<std::size_t>(tables));
  const std::int64_t begin = now() + 3 * kSecond, end = begin + seconds * kSecond;
  std::mt19937_64 random(1);
  for (RaceNow& one : all) one.due = begin + static_cast<std::int64_t>(random() % kEvery);
  std::int64_t probe = begin;
  double processor = 0;
  std::uint64_t late = 0;
  for (std::int64_t at = now(); at < end; at = now()) {
    crowd.hear(1, [&](Guest& guest, const std::string& text) {
      agree_to_another(guest, text);
      trips.hear(static_cast<std::size_t>(&guest - crowd.guests.data()), text);
    });
    if (at < begin) {
      processor = server.processor();
      continue;
    }
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (at < all[t].due) continue;
      for (std::size_t next = 1; next <= kSeats; ++next) {
        const std::size_t seat = (all[t].last + next) % kSeats, i = t * kSeats + seat;
        if (!crowd.guests[i].asked || trips.sent[i] >= 0) continue;
        all[t].last = seat;
        all[t].due += kEvery;
        trips.sent[i] = now();
        crowd.guests[i].client.send_frame(1, answer_of(crowd.guests[i]));
        break;
      }
      if (at > all[t].due + kSecond) ++late, all[t].due += kEvery;   // no player had an option for a second
    }
    if (const std::size_t i = random() % crowd.guests.size(); at >= probe && trips.probed[i] < 0) {
      probe += kProbeEvery;
      trips.probed[i] = now();
      crowd.guests[i].client.send_frame(1, R"({"k":"hello","key":""})");
    }
  }
  show("from the socket to the stamp, and back", trips.stamped);
  show("from an act to `taken`", trips.taken);
  fmt::print(
      "{} tables; per second, {:.0f} acts were taken, {:.0f} refused and {:.0f} skipped because no player could act "
      "for a second\n",
      tables, double(trips.taken.size()) / seconds, double(trips.refused) / seconds, double(late) / seconds);
  fmt::print("server: {:.0f} MB; {:.2f} processors busy\n", server.memory(),
             (server.processor() - processor) / seconds);
  return 0;
}

// Returns the journal of a table after this number of choices by people.
std::vector<api::TableEntry> journal_of(const std::string& game, int players, int choices) {
  api::TableSettings settings;
  settings.seats.assign(static_cast<std::size_t>(players), api::SeatHolder::person);
  settings.started = true;
  settings.seed = 1;
  settings.random = [] { return std::uint64_t{5}; };
  api::Table table(api::Ruleset::load(game).compile({players, {}}), settings, 0);
  api::DeviceRights rights;
  for (int seat = 0; seat < players; ++seat) rights.seats.push_back(seat);
  table.connect(1, rights, {}, 0);
  std::mt19937_64 random(1);
  std::vector<api::TableEntry> journal;
  std::int64_t time = 0;
  for (int made = 0; made < choices && !table.is_over();) {
    const api::TableOutput out = table.take();
    journal.insert(journal.end(), out.journal.begin(), out.journal.end());
    Json ask;
    for (const api::TableMessage& message : out.messages)
      if (Json json = Json::parse(*message.text); json["k"] == "ask") ask = std::move(json);
    table.pass_time(time += 3 * kSecond);
    if (ask.is_null()) continue;
    const Json& options = ask["options"];
    table.receive(
        1,
        Json{{"k", "choose"}, {"seat", ask["seat"]}, {"q", ask["q"]}, {"id", options[random() % options.size()]["id"]}}
            .dump(),
        time);
    ++made;
  }
  return journal;
}

int restart(int tables, int choices) {
  const std::string game = "quoridor";
  constexpr int kSeats = 2;
  const TemporaryFolder folder;
  write_pages(folder.path());
  const std::vector<api::TableEntry> journal = journal_of(game, kSeats, choices);
  std::vector<std::string> keys;
  {
    server::Store store(folder.path() + "/data");
    for (int i = 0; i < tables; ++i) {
      server::Changes changes{store.fresh_id()};
      changes.entries = journal;
      server::TableRow row{changes.table, game, game, {kSeats, {}}, {}, {}};
      row.settings.seed = 1;
      row.seats.assign(kSeats, {api::SeatHolder::person, ""});
      changes.row = row;
      keys.push_back(server::fresh_key());
      changes.keys = {{server::hash_of_key(keys.back()), changes.table, server::Key::Kind::host, 3}};
      i + 1 < tables ? store.keep(std::move(changes)) : store.keep_now(std::move(changes));
    }
  }
  const std::int64_t begin = now();
  const Process server(folder.path(), game, kSeats, 1);
  Client first(server.port);
  const bool answers = first.get("/").status == 200;
  fmt::print("{} tables of {} choices: answers after {:.2f} s{}\n", tables, journal.size(), double(now() - begin) / 1e6,
             answers ? "" : " with an error");
  std::vector<Client> clients;
  for (std::size_t i = 0; i < keys.size(); ++i)
    clients.push_back(server::at_table(server.port, keys[i], fmt::format("127.6.{}.{}", i / 250, 1 + i % 250)));
  int views = 0;
  for (Client& client : clients) views += client.until("view", 60'000).has_value();
  fmt::print("{} are set up after {:.2f} s; server: {:.0f} MB\n", views, double(now() - begin) / 1e6, server.memory());
  return views == tables ? 0 : 1;
}

}   // namespace

int main(int count, char** words) {
  const auto number = [&](int at, int standard) { return count > at ? std::atoi(words[at]) : standard; };
  const std::string what = count > 1 ? words[1] : "";
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  try {
    if (what == "load") return load(number(2, 1000), number(3, 60));
    if (what == "races") return races(number(2, 200), number(3, 30));
    if (what == "restart") return restart(number(2, 1000), number(3, 300));
    if (what == "server" && count == 6) return serve_here(words[2], words[3], number(4, 4), number(5, 1));
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_serve: {}\n", error.what());
    return 1;
  }
  fmt::print(stderr, "usage: bench_serve load|races|restart\n");
  return 2;
}
