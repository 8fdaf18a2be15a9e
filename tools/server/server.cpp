// Implements cardwright/server.hpp: creates, starts and stops the parts of the server.
#include "cardwright/server.hpp"

#include <sys/resource.h>

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tools/server/server_context.h"
#include "tools/server/listener.h"

namespace cardwright::server {

namespace {

// Raises the limit on open files to the maximum, since each connection needs one.
void take_all_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

Limits limits_for(const ServerSettings& settings) {
  Limits limits;
  limits.connections_of_address = static_cast<std::size_t>(settings.connections_of_address);
  limits.arrivals_of_address.burst =
      std::max<double>(limits.arrivals_of_address.burst, settings.connections_of_address);
  if (settings.limited) return limits;
  constexpr double kMany = 1e9;
  limits.messages = limits.why = limits.at = limits.arrivals_of_address = {kMany, kMany};
  limits.connections_of_address = limits.tables = std::numeric_limits<std::size_t>::max();
  limits.refused = limits.dropped = std::numeric_limits<int>::max();
  return limits;
}

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::vector<std::string> origins_of(const std::vector<std::string>& urls) {
  std::vector<std::string> origins;
  for (const std::string& url : urls) origins.push_back(origin_of(url));
  return origins;
}

}   // namespace

struct Server::Data {
  explicit Data(ServerSettings given);
  ~Data();
  void start();
  void stop(const std::string& because);

  ServerSettings settings;
  const Limits limits;
  Files files;
  Keys keys;
  std::unique_ptr<Store> store;
  std::unique_ptr<Loop> tables, sockets;
  std::unique_ptr<Listener> listener;
  std::unique_ptr<Games> games;
  std::unique_ptr<BotPool> bots;
  std::unique_ptr<House> house;
  std::unique_ptr<TableRegistry> registry;
  std::unique_ptr<ServerContext> server;
  bool started = false, stopped = false;
};

Server::Data::Data(ServerSettings given) : settings(std::move(given)), limits(limits_for(settings)) {
  take_all_files();
  const std::vector<std::string> origins = origins_of(settings.origins);
  files.add_pages(settings.pages.empty() ? api::pages_folder() : settings.pages);
  store = std::make_unique<Store>(settings.folder.empty() ? Store::standard_folder() : settings.folder);
  const auto failed = [this](const std::string& why) { settings.say(why); };
  tables = std::make_unique<Loop>(settings.threads > 0 ? settings.threads : cores(), failed);
  sockets = std::make_unique<Loop>(std::max(1, cores() / 2), failed);
  listener = std::make_unique<Listener>(*sockets, settings.address, settings.port);
  games = std::make_unique<Games>(
      files, [this](const std::string& game, const std::string& report) { registry->rules_changed(game, report); });
  bots = std::make_unique<BotPool>(settings.bot_threads);
  OriginCheck origin_check(settings.address, listener->port(), origins);
  const std::string build = fmt::format("cardwright {}", api::version());
  house.reset(new House{*tables, *store, *bots, *games, keys, limits, build, origin_check.link(), settings.say});
  registry = std::make_unique<TableRegistry>(*house);
  server.reset(new ServerContext{*sockets, limits, settings.behind_proxy, std::move(origin_check), files, *registry,
                                 Addresses(limits)});
}

// First stops the threads that call the tables. Tables and connections refer to each other, so they release these
// references before the loops are destroyed.
Server::Data::~Data() {
  if (server) stop("the server is stopping");
  bots.reset();
  games.reset();
  store.reset();
  listener.reset();
  if (sockets) sockets->stop();
  if (tables) tables->drop();
  if (registry) registry->let_go();
  registry.reset();
  sockets.reset();
  tables.reset();
}

void Server::Data::start() {
  started = true;
  tables->start();
  sockets->start();
  listener->start(*server);
}

void Server::Data::stop(const std::string& because) {
  if (std::exchange(stopped, true) || !started) return;
  constexpr auto kPatience = std::chrono::seconds(2);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  struct Ended {
    std::mutex mutex;
    std::condition_variable changed;
    bool all = false;
  };
  const auto ended = std::make_shared<Ended>();
  listener->stop();
  registry->stop(because, [ended] {
    const std::lock_guard lock(ended->mutex);
    ended->all = true;
    ended->changed.notify_all();
  });
  {
    std::unique_lock lock(ended->mutex);
    ended->changed.wait_until(lock, until, [&] { return ended->all; });
  }
  while (server->sockets > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  sockets->stop();
  tables->stop();
}

Server::Server(ServerSettings settings) {
  if (!settings.say) settings.say = [](const std::string&) {};
  data_ = std::make_unique<Data>(std::move(settings));
}

Server::~Server() = default;

Server::Server(Server&&) noexcept = default;

TableLinks Server::table(const TableWish& wish) { return data_->registry->open(wish); }
std::vector<StoredTable> Server::stored_tables() const { return data_->registry->stored_tables(); }
void Server::start() { data_->start(); }
void Server::stop(const std::string& because) { data_->stop(because); }
int Server::port() const { return data_->listener->port(); }
const std::string& Server::link() const { return data_->server->origin_check.link(); }
const std::string& Server::database() const { return data_->store->path(); }

}   // namespace cardwright::server
