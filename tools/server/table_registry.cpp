// Opens and restores tables, and finds the table of a key.
#include "tools/server/table_registry.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cardwright/tools.hpp"

namespace cardwright::server {

namespace {

// Returns the name under which a game is stored: for a bundled game its name, which is valid in any installation, and
// for other games the absolute path.
std::string game_name(const std::string& what) {
  const std::string path = api::find_rules(what);
  const auto bundled = api::bundled_games();
  const bool by_name = path != what && std::find(bundled.begin(), bundled.end(), what) != bundled.end();
  return by_name ? what : std::filesystem::absolute(path).lexically_normal().string();
}

// Returns true if the settings of a stored table match the request. A setting that has its default value in the request
// matches any value.
bool serves(const api::TableSettings& a, const TableWish& wish) {
  const api::TableSettings& b = wish.settings;
  const api::TableSettings standard;
  const auto fits = [&](auto field) { return b.*field == standard.*field || a.*field == b.*field; };
  using S = api::TableSettings;
  return (!wish.seed || a.seed == *wish.seed) && fits(&S::started) && fits(&S::time_factor) && fits(&S::open_at_end) &&
         fits(&S::design) && fits(&S::undo) && fits(&S::fair) && fits(&S::seconds) && fits(&S::bot_seconds);
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}   // namespace

TableRegistry::TableRegistry(House& house) : house_(house) {
  for (TableRow& row : house_.store.tables()) rows_.emplace(row.id, std::move(row));
  for (const Key& key : house_.store.keys()) house_.keys.put(key);
}

const TableRow* TableRegistry::earlier(const TableWish& wish) const {
  const TableRow* found = nullptr;
  for (const auto& [id, row] : rows_)
    if (row.game == wish.game && row.configuration.players == wish.configuration.players &&
        row.configuration.options == wish.configuration.options && !row.over && !registry_.at(id)->is_offered() &&
        serves(row.settings, wish))
      found = &row;   // later rows are newer, so the newest matching table is used
  return found;
}

TableRow TableRegistry::begin(const TableWish& wish, const api::Game& game) {
  TableRow row;
  row.id = house_.store.fresh_id();
  row.game = wish.game;
  row.title = game.title();
  row.configuration = wish.configuration;
  row.settings = wish.settings;
  row.settings.seats.clear();
  row.settings.seed = wish.seed.value_or(random_bits());
  row.seats.resize(static_cast<std::size_t>(game.players()));
  for (std::size_t seat = 0; seat < row.seats.size(); ++seat) {
    if (seat < wish.settings.seats.size()) row.seats[seat].holder = wish.settings.seats[seat];
    if (seat < wish.names.size()) row.seats[seat].name = wish.names[seat];
    if (wish.host_seats >> seat & 1) row.seats[seat].holder = api::SeatHolder::person;
  }
  row.fingerprint = game.fingerprint();
  row.begun = seconds_since_1970();
  return row;
}

// Creates new links, because only hashes of earlier keys are known. A seat needs no link if its key is already in use.
TableLinks TableRegistry::links(const TableRow& row, std::uint64_t host_seats) {
  TableLinks links{row.id, row.game, row.title, static_cast<int>(row.seats.size())};
  links.begun = row.begun;
  Changes changes{row.id};
  if (!rows_.count(row.id)) changes.row = row;
  std::uint64_t taken = 0;
  for (const Key& key : house_.keys.of_table(row.id)) {
    if (key.revoked) continue;
    if (key.kind == Key::Kind::host) host_seats |= key.seats;
    if (key.kind == Key::Kind::device) taken |= key.seats;
  }
  const auto give = [&](Key::Kind kind, std::uint64_t seats) {
    const std::string key = fresh_key();
    changes.keys.push_back({hash_of_key(key), row.id, kind, seats});
    return link_of(house_.link, key);
  };
  links.host = give(Key::Kind::host, host_seats);
  for (int seat = 0; seat < links.players; ++seat)
    if (((host_seats | taken) >> seat & 1) == 0 &&
        row.seats[static_cast<std::size_t>(seat)].holder != api::SeatHolder::bot)
      links.seats.emplace_back(seat, give(Key::Kind::invitation, std::uint64_t{1} << seat));
  links.watch = give(Key::Kind::watch, 0);
  for (const Key& key : changes.keys) house_.keys.put(key);
  house_.store.keep_now(std::move(changes));
  return links;
}

TableLinks TableRegistry::open(const TableWish& asked) {
  TableWish wish = asked;
  wish.game = game_name(asked.game);
  auto& options = wish.configuration.options;
  const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  // Stable, because the last of repeated options takes precedence.
  std::stable_sort(options.begin(), options.end(), by_name);
  if (!house_.games.has(wish.game)) house_.games.add(wish.game);
  const api::Game game = house_.games.get(wish.game, wish.configuration);
  wish.configuration.players = game.players();
  const std::lock_guard lock(mutex_);
  for (const auto& [id, row] : rows_)
    if (row.game == wish.game && !registry_.count(id)) registry_.emplace(id, std::make_shared<TableHost>(house_, row));
  const TableRow* before = wish.fresh ? nullptr : earlier(wish);
  if (!before && rows_.size() >= house_.limits.tables)
    throw api::Error(api::Blame::caller,
                     fmt::format("limit of {} tables reached in {}; choose another folder with `--data DIR`",
                                 rows_.size(), house_.store.path()));
  const TableRow row = before ? *before : begin(wish, game);
  TableLinks links = this->links(row, before ? 0 : wish.host_seats);
  links.came_back = before != nullptr;
  if (!before) {
    rows_.emplace(row.id, row);
    registry_.emplace(row.id, std::make_shared<TableHost>(house_, row));
  }
  registry_.at(row.id)->offer();
  return links;
}

std::vector<StoredTable> TableRegistry::stored_tables() const {
  const std::lock_guard lock(mutex_);
  std::vector<StoredTable> stored;
  for (const auto& [id, row] : rows_)
    stored.push_back(
        {id, row.game, row.title, static_cast<int>(row.seats.size()), row.begun, row.over, registry_.count(id) == 1});
  return stored;
}

std::shared_ptr<TableHost> TableRegistry::find(std::int64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto table_host = registry_.find(id);
  return table_host == registry_.end() ? nullptr : table_host->second;
}

std::shared_ptr<TableHost> TableRegistry::enter(std::shared_ptr<Connection> connection, const std::string& key,
                                                api::SeenSteps seen) {
  const Digest hash = hash_of_key(key);
  const std::optional<Key> known = house_.keys.find(hash);
  std::shared_ptr<TableHost> table_host = known ? find(known->table) : nullptr;
  if (!known) {
    connection->close("unknown link: it was not copied completely, or the table is closed", false);
  } else if (!table_host) {
    connection->close("the server does not currently host this table's game", false);
  } else {
    table_host->enter(std::move(connection), hash, std::move(seen));
  }
  return table_host;
}

void TableRegistry::rules_changed(const std::string& game, const std::string& report) {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, table_host] : registry_)
    if (table_host->game_name() == game) table_host->rules_changed(report);
}

void TableRegistry::let_go() {
  for (const auto& [id, table_host] : registry_) table_host->let_go();
}

void TableRegistry::stop(const std::string& because, const std::function<void()>& done) {
  const std::lock_guard lock(mutex_);
  if (registry_.empty()) return done();
  const auto left = std::make_shared<std::atomic<std::size_t>>(registry_.size());
  for (const auto& [id, table_host] : registry_)
    table_host->stop(because, true, [left, done] {
      if (left->fetch_sub(1) == 1) done();
    });
}

}   // namespace cardwright::server
