// Implements the stress tests of the server: clients that play while the server is killed, and clients that send
// malformed data.
#include "tests/server/trials.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "cardwright/server.hpp"
#include "cardwright/showing.hpp"
#include "tools/server/store.h"
#include "tools/server/client/client.h"
#include "tests/support/files.h"

namespace cardwright::test {

namespace {

using server::at_table;
using server::Client;
using server::HttpAnswer;
using server::Json;
using server::key_in;

constexpr int kSeats = 4;

std::string address_of(int client) { return fmt::format("127.2.{}.{}", client / 250, 1 + client % 250); }

// A process that runs the server, started by the constructor.
class Process {
 public:
  struct Table {
    std::int64_t id = 0;
    std::string host;
    std::vector<std::string> seats;   // keys of invitations
  };

  Process(const std::string& folder, int tables, bool limited) {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "serve_trial";
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
    id_ = fork();
    if (id_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      const std::string count = std::to_string(tables);
      execl(program.c_str(), "serve_trial", "server", folder.c_str(), count.c_str(), limited ? "limited" : "free",
            nullptr);
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
    read_links();
  }
  ~Process() {
    kill();
    std::fclose(out_);
  }
  void kill() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    id_ = -1;
  }
  bool is_running() const { return id_ > 0 && waitpid(id_, nullptr, WNOHANG) == 0; }
  int port() const { return port_; }
  const std::vector<Table>& tables() const { return tables_; }

 private:
  void read_links() {
    char line[512];
    while (std::fgets(line, sizeof line, out_)) {
      std::istringstream words(line);
      std::string kind, what;
      words >> kind >> what;
      if (kind == "port") port_ = std::stoi(what);
      if (kind == "table") tables_.push_back({std::stoll(what), {}, {}});
      if (kind == "host") tables_.back().host = key_in(what);
      if (kind == "seat") tables_.back().seats.push_back(key_in(what));
      if (kind == "ready") return;
    }
    throw std::runtime_error("the server did not begin");
  }

  pid_t id_ = -1;
  std::FILE* out_ = nullptr;
  int port_ = 0;
  std::vector<Table> tables_;
};

struct Player {
  int number = 0, seat = 0;
  std::int64_t table = 0;
  std::string key;
  std::vector<std::int64_t> taken;   // option ids of the choices that the server acknowledged

  // Plays until the connection breaks or the game is over.
  void play(int port) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    try {
      Client client = at_table(port, key, address_of(number));
      while (auto message = client.next(60'000)) {
        const std::string kind = (*message)["k"];
        if (kind == "key") key = (*message)["key"];
        if (kind == "taken") taken.push_back((*message)["id"]);
        if (kind == "over") return;
        if (kind != "ask") continue;
        const Json& options = (*message)["options"];
        client.send({{"k", "choose"},
                     {"seat", seat},
                     {"q", (*message)["q"]},
                     {"id", options[random() % options.size()]["id"]}});
      }
    } catch (const std::exception&) {   // the server was killed
    }
  }
};

// Returns true if the journal contains all acknowledged choices of the player, in order.
bool holds(const std::vector<api::TableEntry>& journal, const Player& player) {
  std::size_t next = 0;
  for (const api::TableEntry& entry : journal)
    if (entry.kind == api::TableEntry::Kind::choose && entry.seat == player.seat && next < player.taken.size() &&
        entry.id == player.taken[next])
      ++next;
  return next == player.taken.size();
}

// Returns the difference between a seat's view of a restored table and its view according to the journal; empty if they
// are equal.
std::string differs(const Process& server, const Player& player, std::vector<api::TableEntry> journal,
                    const api::Game& game) {
  Client client = at_table(server.port(), player.key, address_of(player.number));
  const auto view = client.until("view");
  if (!view) return fmt::format("table {} does not come back", player.table);
  api::TableSettings settings;
  settings.seats.assign(kSeats, api::SeatHolder::person);
  settings.seed = 7;
  settings.random = [] { return 0; };
  const api::Table table(game, settings, std::move(journal), 0);
  for (const api::Thing& thing : api::things(table.state(), player.seat))
    if (Json((*view)["things"][thing.key]) != Json::parse(thing.value))
      return fmt::format("{} of table {} is not what the journal says", thing.key, player.table);
  return {};
}

}   // namespace

int serve_for_trial(const std::string& folder, int tables, bool limited) {
  std::filesystem::create_directories(folder);
  for (const char* name : {"table.html", "table.js", "table.css"})
    if (std::FILE* file = std::fopen((folder + "/" + name).c_str(), "w")) std::fclose(file);
  server::ServerSettings settings;
  settings.port = 0;
  settings.folder = folder + "/data";
  settings.pages = folder;
  settings.limited = limited;
  server::Server server(settings);
  fmt::print("port {}\n", server.port());
  for (int i = 0; i < tables; ++i) {
    server::TableWish wish{"hearts", {kSeats, {}}};
    wish.seed = 7;
    wish.settings.started = false;
    wish.settings.seats.assign(kSeats, api::SeatHolder::person);
    const server::TableLinks links = server.table(wish);
    fmt::print("table {}\nhost {}\n", links.id, links.host);
    for (const auto& [seat, link] : links.seats) fmt::print("seat {}\n", link);
  }
  server.start();
  fmt::print("ready\n");
  std::fflush(stdout);
  for (;;) pause();
}

std::string try_kills(int kills, int clients, std::uint64_t& taken) {
  const api::Game game = api::Ruleset::load("hearts").compile({kSeats, {}});
  std::mt19937_64 random(1);
  const int tables = (clients + kSeats - 1) / kSeats;
  for (int round = 0; round < kills; ++round) {
    const TemporaryFolder folder;
    std::vector<Player> players;
    {
      Process server(folder.path(), tables, true);
      for (const Process::Table& table : server.tables())
        for (int seat = 0; seat < kSeats; ++seat)
          players.push_back(
              {static_cast<int>(players.size()), seat, table.id, table.seats.at(static_cast<std::size_t>(seat)), {}});
      std::vector<std::thread> threads;
      for (Player& player : players) threads.emplace_back([&] { player.play(server.port()); });
      int host = 0;
      for (const Process::Table& table : server.tables()) {
        Client client = at_table(server.port(), table.host, fmt::format("127.3.0.{}", ++host));
        client.send({{"k", "host"}, {"do", "start"}});
        client.until("people");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 1000));
      server.kill();
      for (std::thread& thread : threads) thread.join();
    }
    std::map<std::int64_t, std::vector<api::TableEntry>> journals;
    {
      const server::Store store(folder.path() + "/data");
      for (const server::TableRow& row : store.tables()) journals[row.id] = store.journal(row.id);
    }
    for (const Player& player : players) {
      taken += player.taken.size();
      if (!holds(journals[player.table], player))
        return fmt::format("after kill {}: table {}, seat {}: a choice that was taken is lost", round + 1, player.table,
                           player.seat);
    }
    const Process again(folder.path(), tables, true);
    for (const Player& player : players)
      if (!journals[player.table].empty() && player.key.size() == 22 && !player.taken.empty())
        if (std::string wrong = differs(again, player, journals[player.table], game); !wrong.empty()) return wrong;
  }
  return {};
}

// ---- noise

namespace {

// Sends malformed data. Returns false if the connection can no longer be used.
bool say_nonsense(Client& client, std::mt19937_64& random) {
  static const std::vector<std::string> kTexts = {
      "",
      "{}",
      "[]",
      "null",
      "{\"k\":1}",
      "{\"k\":\"choose\"}",
      "{\"k\":\"choose\",\"seat\":99999999999999999999,\"q\":-1,\"id\":0}",
      "{\"k\":\"hello\"}",
      "{\"k\":\"why\",\"seat\":0,\"what\":{}}",
      "{\"k\":\"at\",\"seat\":-5,\"step\":-9223372036854775808}",
      "{\"k\":\"host\",\"do\":\"close\"}",
      "{\"k\":\"design\",\"do\":\"back\",\"entry\":0}",
      "{\"k\":\"vote\",\"id\":1}",
      "{\"k\":\"sit\",\"seat\":1e99}",
      "{\"k\":\"ballot\",\"kind\":\"bot\",\"seat\":\"\\u202e\"}",
      "{\"k\":\"nonsense\"}",
      std::string(2000, '['),
      "{\"k\":\"name\",\"seat\":0,\"name\":\"" + std::string(3000, 'x') + "\"}"};
  std::string text = kTexts[random() % kTexts.size()];
  for (int i = static_cast<int>(random() % 3); i > 0 && !text.empty(); --i)
    text[random() % text.size()] = static_cast<char>(random());
  switch (random() % 8) {
    case 0:
      return client.send_frame(static_cast<int>(random() % 16), text.substr(0, 120), random() % 2 != 0,
                               random() % 8 != 0);
    case 1: return client.send_frame(1, std::string(random() % 6000, 'y'));
    case 2: {
      std::string bytes(random() % 40, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      return client.write(bytes);
    }
    default: return client.send_frame(1, text);
  }
}

void make_noise(int port, const std::string& key, int thread, std::uint64_t frames) {
  std::mt19937_64 random(static_cast<std::uint64_t>(thread));
  int client_number = thread * 100'000;
  for (std::uint64_t sent = 0; sent < frames;) {
    ++client_number;
    Client client(port, fmt::format("127.{}.{}.{}", 10 + thread, client_number / 250 % 250, 1 + client_number % 250));
    if (random() % 10 == 0) {   // sends random bytes instead of a request
      std::string bytes(random() % 300, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      client.write(bytes + "\r\n\r\n");
      ++sent;
      continue;
    }
    if (client.upgrade() != 101) continue;
    if (random() % 10 != 0) client.send({{"k", "hello"}, {"key", key}});
    for (int i = 0; i < 100 && sent < frames; ++i, ++sent) {
      if (!say_nonsense(client, random)) break;
      while (client.next(0)) {
      }
      if (client.was_closed()) break;
    }
  }
}

}   // namespace

std::string try_noise(std::uint64_t frames) {
  const TemporaryFolder folder;
  Process server(folder.path(), 1, true);
  const Process::Table& table = server.tables()[0];
  std::atomic<bool> quiet{false};
  std::vector<std::thread> noise;
  constexpr int kThreads = 4;
  Client watch = at_table(server.port(), table.host, "127.4.0.1");
  const auto welcome = watch.until("welcome");
  if (!welcome) return "the host was not welcomed";
  std::vector<Player> players;
  for (int seat = 0; seat < kSeats; ++seat)
    players.push_back({seat, seat, table.id, table.seats.at(static_cast<std::size_t>(seat)), {}});
  for (int thread = 0; thread < kThreads; ++thread)
    noise.emplace_back(
        [&, thread] { make_noise(server.port(), "no such key" + std::to_string(thread), thread, frames / kThreads); });
  std::vector<std::thread> threads;
  for (Player& player : players) threads.emplace_back([&] { player.play(server.port()); });
  watch.send({{"k", "host"}, {"do", "start"}});
  std::string wrong;
  const auto over = watch.until("over", 120'000);
  if (!over) wrong = "the game did not come to its end";
  if (wrong.empty())
    for (std::thread& thread : threads) thread.join();
  for (std::thread& thread : noise) thread.join();
  if (!server.is_running()) wrong = "the server fell";
  const auto start = std::chrono::steady_clock::now();
  if (wrong.empty() && Client(server.port(), "127.4.0.2").get("/").status != 200) wrong = "the server does not answer";
  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(2)) wrong = "the server is slow";
  server.kill();
  if (!over)
    for (std::thread& thread : threads) thread.join();
  return wrong;
}

}   // namespace cardwright::test
