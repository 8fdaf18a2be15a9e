// Implements the database. In SQLite, `tables` has a row for each table, `keys` a row for each key hash, and `choices`
// a row for each journal entry in order of arrival. There is no index by table, because a group of 64 tables would then
// write to 64 places of the file instead of its end. Instead, the rows of each table are stored in memory.
#include "tools/server/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/server/database.h"

namespace cardwright::server {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr int kVersion = 1;
constexpr auto kGather = std::chrono::milliseconds(2);
constexpr std::size_t kMostInGroup = 64;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS tables (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, title TEXT NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
  settings TEXT NOT NULL, seats TEXT NOT NULL, fingerprint INTEGER NOT NULL, begun INTEGER NOT NULL,
  touched INTEGER NOT NULL, over INTEGER NOT NULL, closed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS keys (
  hash TEXT PRIMARY KEY, "table" INTEGER NOT NULL, kind INTEGER NOT NULL, seats INTEGER NOT NULL, "from" TEXT,
  used INTEGER NOT NULL, revoked INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS choices (
  "table" INTEGER NOT NULL, n INTEGER NOT NULL, kind INTEGER NOT NULL, seat INTEGER NOT NULL, id INTEGER NOT NULL,
  name TEXT NOT NULL, at INTEGER NOT NULL);
)";

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void no_place(const std::string& what) {
  throw api::Error(api::Blame::internal, fmt::format("cannot store tables in {}: {}", what, std::strerror(errno)));
}

// Creates a private folder that other users cannot read.
void make_folder(const std::string& folder) {
  std::error_code wrong;
  fs::create_directories(fs::path(folder).parent_path(), wrong);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) no_place(folder);
  struct stat of {};
  if (stat(folder.c_str(), &of) != 0) no_place(folder);
  if (!S_ISDIR(of.st_mode)) throw api::Error(api::Blame::caller, fmt::format("`{}` is not a folder", folder));
}

std::string settings_text(const api::TableSettings& s) {
  return ordered_json{{"seed", s.seed},
                      {"started", s.started},
                      {"time_factor", s.time_factor},
                      {"open_at_end", s.open_at_end},
                      {"design", s.design},
                      {"undo", s.undo},
                      {"fair", s.fair},
                      {"seconds", s.seconds},
                      {"bots", s.bot_seconds},
                      {"name", s.name}}
      .dump();
}

api::TableSettings settings_of(const std::string& text) {
  const ordered_json json = ordered_json::parse(text);
  api::TableSettings s;
  s.seed = json.at("seed");
  s.started = json.at("started");
  s.time_factor = json.at("time_factor");
  s.open_at_end = json.at("open_at_end");
  s.design = json.at("design");
  s.undo = json.at("undo");
  s.fair = json.at("fair");
  s.seconds = json.at("seconds");
  s.bot_seconds = json.at("bots");
  s.name = json.at("name");
  return s;
}

std::string seats_text(const std::vector<TableRow::Seat>& seats) {
  ordered_json json = ordered_json::array();
  for (const TableRow::Seat& seat : seats) json.push_back({static_cast<int>(seat.holder), seat.name});
  return json.dump();
}

std::vector<TableRow::Seat> seats_of(const std::string& text) {
  std::vector<TableRow::Seat> seats;
  for (const auto& seat : ordered_json::parse(text))
    seats.push_back({static_cast<api::SeatHolder>(seat.at(0).get<int>()), seat.at(1).get<std::string>()});
  return seats;
}

TableRow row_of(const Statement& row) {
  TableRow table;
  table.id = row.integer(0);
  table.game = row.text(1);
  table.title = row.text(2);
  table.configuration.players = static_cast<int>(row.integer(3));
  for (const auto& option : ordered_json::parse(row.text(4)))
    table.configuration.options.emplace_back(option.at(0), option.at(1));
  table.settings = settings_of(row.text(5));
  table.seats = seats_of(row.text(6));
  table.fingerprint = static_cast<std::uint64_t>(row.integer(7));
  table.begun = row.integer(8);
  table.over = row.integer(10) != 0;
  table.closed = row.integer(11) != 0;
  return table;
}

Digest digest_in_hex(const std::string& text) {
  Digest digest{};
  for (std::size_t i = 0; i < digest.size() && 2 * i + 1 < text.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  return digest;
}

}   // namespace

struct Store::Data {
  std::string path;
  int lock = -1;
  std::unique_ptr<Database> writing, reading;
  std::unique_ptr<Statement> add_choice, put_row, put_key, drop_choice;
  mutable std::mutex read_mutex;
  struct Written {   // entries of one table in the open transaction
    std::size_t count = 0;   // number of entries, including earlier ones
    bool replaces_journal = false;
    std::vector<std::int64_t> rows;
  };
  // Rowids of stored `choices` by table; guarded by read_mutex.
  std::map<std::int64_t, std::vector<std::int64_t>> rows;
  std::int64_t next_id = 1;

  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Changes> queue;
  bool stopping = false;
  std::uint64_t groups = 0;
  std::thread writer;

  void open(const std::string& folder);
  void prepare();
  void write_all();
  std::vector<Changes> next_group();
  void write(std::vector<Changes>& group);
  std::size_t count_of(std::int64_t table) const;
  std::vector<std::int64_t> rows_of(std::int64_t table) const;
  void write_one(const Changes& changes, Written& of);
};

// The lock is a separate file, because SQLite's locks on the database are lost when any code in this process closes it.
void Store::Data::open(const std::string& folder) {
  make_folder(folder);
  const std::string lock_path = folder + "/tables.lock";
  path = folder + "/tables.db";
  lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) no_place(lock_path);
  if (flock(lock, LOCK_EX | LOCK_NB) != 0)
    throw api::Error(api::Blame::caller,
                     fmt::format("another server uses {}; stop it, or use another folder with `--data DIR`", folder));
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) no_place(path);
  ::close(file);
  try {
    prepare();
  } catch (const api::Error& error) {
    throw api::Error(error.blame(), fmt::format("{}: {}", path, error.what()));
  }
}

void Store::Data::prepare() {
  writing = std::make_unique<Database>(path);
  writing->run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000");
  Statement version(*writing, "PRAGMA user_version");
  version.with().step();
  if (version.integer(0) > kVersion) throw api::Error(api::Blame::internal, "written by a newer version of Cardwright");
  while (version.step()) {
  }
  writing->run(kTables);
  writing->run(fmt::format("PRAGMA user_version={}", kVersion).c_str());
  add_choice = std::make_unique<Statement>(*writing, "INSERT INTO choices VALUES (?,?,?,?,?,?,?)");
  drop_choice = std::make_unique<Statement>(*writing, "DELETE FROM choices WHERE rowid=?");
  put_row = std::make_unique<Statement>(*writing, "INSERT OR REPLACE INTO tables VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  put_key = std::make_unique<Statement>(*writing, "INSERT OR REPLACE INTO keys VALUES (?,?,?,?,?,?,?)");
  reading = std::make_unique<Database>(path);
  Statement all(*reading, "SELECT rowid, \"table\" FROM choices ORDER BY rowid");
  for (all.with(); all.step();) rows[all.integer(1)].push_back(all.integer(0));
  Statement last(*reading, "SELECT COALESCE(MAX(id), 0) FROM tables");
  for (last.with(); last.step();) next_id = last.integer(0) + 1;
}

std::vector<Changes> Store::Data::next_group() {
  std::unique_lock lock(mutex);
  arrived.wait(lock, [&] { return !queue.empty() || stopping; });
  const auto enough = [&] { return queue.size() >= kMostInGroup || stopping; };
  if (!enough()) arrived.wait_for(lock, kGather, enough);
  std::vector<Changes> group;
  while (!queue.empty() && group.size() < kMostInGroup) {
    group.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  return group;
}

void Store::Data::write_all() {
  for (;;) {
    std::vector<Changes> group = next_group();
    if (group.empty()) return;   // stopping, and all is written
    write(group);
  }
}

// A change that does not follow the stored entries, because an earlier change of its table failed, fails alone.
// Otherwise, the group is stored completely or not at all.
void Store::Data::write(std::vector<Changes>& group) {
  std::vector<std::string> wrong(group.size());
  std::string all_wrong;
  std::map<std::int64_t, Written> written;
  try {
    writing->run("BEGIN IMMEDIATE");
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Changes& changes = group[i];
      Written& of = written.try_emplace(changes.table, Written{count_of(changes.table)}).first->second;
      if (!changes.replaces_journal && !changes.entries.empty() && changes.first != of.count)
        wrong[i] = "an earlier choice was not stored";
      else
        write_one(changes, of);
    }
    writing->run("COMMIT");
    const std::scoped_lock lock(mutex, read_mutex);
    for (const auto& [table, of] : written) {
      std::vector<std::int64_t>& stored = rows[table];
      if (of.replaces_journal) stored.clear();
      stored.insert(stored.end(), of.rows.begin(), of.rows.end());
    }
    ++groups;
  } catch (const std::exception& error) {
    all_wrong = error.what();
    writing->roll_back();
  }
  for (std::size_t i = 0; i < group.size(); ++i)
    if (group[i].done) group[i].done(wrong[i].empty() ? all_wrong : wrong[i]);
}

std::vector<std::int64_t> Store::Data::rows_of(std::int64_t table) const {
  const std::lock_guard lock(read_mutex);
  const auto stored = rows.find(table);
  return stored == rows.end() ? std::vector<std::int64_t>() : stored->second;
}

std::size_t Store::Data::count_of(std::int64_t table) const {
  const std::lock_guard lock(read_mutex);
  const auto stored = rows.find(table);
  return stored == rows.end() ? 0 : stored->second.size();
}

void Store::Data::write_one(const Changes& changes, Written& of) {
  const std::int64_t at = seconds_since_1970();
  if (changes.replaces_journal) {
    for (const std::int64_t row : of.replaces_journal ? std::vector<std::int64_t>() : rows_of(changes.table))
      drop_choice->with(row).step();
    for (const std::int64_t row : of.rows) drop_choice->with(row).step();
    of = {0, true, {}};
  }
  for (const api::TableEntry& entry : changes.entries) {
    add_choice
        ->with(changes.table, static_cast<std::int64_t>(of.count++), static_cast<std::int64_t>(entry.kind),
               static_cast<std::int64_t>(entry.seat), entry.id, entry.name, at)
        .step();
    of.rows.push_back(sqlite3_last_insert_rowid(writing->handle()));
  }
  if (changes.row) {
    const TableRow& row = *changes.row;
    put_row
        ->with(row.id, row.game, row.title, static_cast<std::int64_t>(row.configuration.players),
               ordered_json(row.configuration.options).dump(), settings_text(row.settings), seats_text(row.seats),
               static_cast<std::int64_t>(row.fingerprint), row.begun, at, static_cast<std::int64_t>(row.over),
               static_cast<std::int64_t>(row.closed))
        .step();
  }
  for (const Key& key : changes.keys)
    put_key
        ->with(hex(key.hash), key.table, static_cast<std::int64_t>(key.kind), static_cast<std::int64_t>(key.seats),
               key.from ? hex(*key.from) : std::string(), static_cast<std::int64_t>(key.used),
               static_cast<std::int64_t>(key.revoked))
        .step();
}

Store::Store(const std::string& folder) : data_(std::make_unique<Data>()) {
  try {
    data_->open(folder);
  } catch (...) {
    if (data_->lock >= 0) ::close(data_->lock);
    throw;
  }
  data_->writer = std::thread([data = data_.get()] { data->write_all(); });
}

Store::~Store() {
  {
    const std::lock_guard lock(data_->mutex);
    data_->stopping = true;
  }
  data_->arrived.notify_all();
  data_->writer.join();
  data_->add_choice.reset(), data_->put_row.reset(), data_->put_key.reset(), data_->drop_choice.reset();
  data_->reading.reset(), data_->writing.reset();
  ::close(data_->lock);
}

std::string Store::standard_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state && *state) return std::string(state) + "/cardwright";
  if (home && *home) return std::string(home) + "/.local/state/cardwright";
  throw api::Error(api::Blame::caller, "HOME is not set; choose a folder with `--data DIR`");
}

const std::string& Store::path() const { return data_->path; }

std::vector<TableRow> Store::tables() const {
  const std::lock_guard lock(data_->read_mutex);
  std::vector<TableRow> rows;
  Statement select(*data_->reading, "SELECT * FROM tables WHERE closed=0 ORDER BY id");
  for (select.with(); select.step();) rows.push_back(row_of(select));
  return rows;
}

std::vector<Key> Store::keys() const {
  const std::lock_guard lock(data_->read_mutex);
  std::vector<Key> keys;
  Statement select(
      *data_->reading,
      "SELECT hash, \"table\", kind, seats, \"from\", used, revoked FROM keys WHERE \"table\" IN (SELECT id FROM "
      "tables WHERE closed=0)");
  for (select.with(); select.step();) {
    Key key{digest_in_hex(select.text(0)),
            select.integer(1),
            static_cast<Key::Kind>(select.integer(2)),
            static_cast<std::uint64_t>(select.integer(3)),
            std::nullopt,
            select.integer(5) != 0,
            select.integer(6) != 0};
    if (const std::string from = select.text(4); !from.empty()) key.from = digest_in_hex(from);
    keys.push_back(key);
  }
  return keys;
}

std::vector<api::TableEntry> Store::journal(std::int64_t table) const {
  const std::lock_guard lock(data_->read_mutex);
  std::vector<api::TableEntry> entries;
  const auto rows = data_->rows.find(table);
  if (rows == data_->rows.end()) return entries;
  Statement select(*data_->reading, "SELECT kind, seat, id, name FROM choices WHERE rowid=?");
  for (const std::int64_t row : rows->second)
    if (select.with(row).step())
      entries.push_back({static_cast<api::TableEntry::Kind>(select.integer(0)), static_cast<int>(select.integer(1)),
                         select.integer(2), select.text(3)});
  return entries;
}

std::int64_t Store::fresh_id() {
  const std::lock_guard lock(data_->mutex);
  return data_->next_id++;
}

void Store::keep(Changes changes) {
  {
    const std::lock_guard lock(data_->mutex);
    data_->queue.push_back(std::move(changes));
  }
  data_->arrived.notify_one();
}

void Store::keep_now(Changes changes) {
  std::promise<std::string> done;
  changes.done = [&done](const std::string& wrong) { done.set_value(wrong); };
  keep(std::move(changes));
  if (const std::string wrong = done.get_future().get(); !wrong.empty())
    throw api::Error(api::Blame::internal, fmt::format("{}: {}", data_->path, wrong));
}

std::uint64_t Store::groups() const {
  const std::lock_guard lock(data_->mutex);
  return data_->groups;
}

}   // namespace cardwright::server
