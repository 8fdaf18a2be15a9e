// Tests the parts of the server: rate limiters, origin check, keys, files, the store, the bot pool, the file watcher.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "tools/server/bot_pool.h"
#include "tools/server/origin_check.h"
#include "tools/server/files.h"
#include "tools/server/rate_limiter.h"
#include "tools/server/store.h"
#include "tools/server/watcher.h"
#include "tests/server/full_disk.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::server;
using cardwright::TemporaryFolder;

namespace {

constexpr std::int64_t kSecond = 1'000'000;

std::string unzipped(const std::string& bytes) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

api::TableEntry choice(int seat, std::int64_t id) {
  return {api::TableEntry::Kind::choose, seat, id, "play, card " + std::to_string(id)};
}

// Stores the entries and waits for the result. Returns the error; empty on success.
std::string keep(Store& store, std::int64_t table, std::size_t first, std::vector<api::TableEntry> entries,
                 bool replaces_journal = false) {
  std::promise<std::string> done;
  store.keep({table, first, replaces_journal, std::move(entries), std::nullopt, {}, [&](const std::string& wrong) {
                done.set_value(wrong);
              }});
  return done.get_future().get();
}

int mode_of(const std::string& path) {
  struct stat of {};
  return stat(path.c_str(), &of) == 0 ? static_cast<int>(of.st_mode & 0777) : -1;
}

TableRow some_row(std::int64_t id) {
  TableRow row;
  row.id = id;
  row.game = "/home/me/house rules.rules";
  row.title = "Ärger & \"Co\"";
  row.configuration = {4, {{"snorkel", "icon20"}, {"reward", ""}}};
  row.settings.seed = ~std::uint64_t{0};
  row.settings.design = true;
  row.settings.seconds = 2.5;
  row.settings.name = "ours";
  row.seats = {{api::SeatHolder::person, "Anna"}, {api::SeatHolder::bot, ""}, {api::SeatHolder::open, ""}};
  row.fingerprint = 0xfedcba9876543210;
  row.begun = 1'700'000'000;
  return row;
}

}   // namespace

TEST_CASE("serve: a bucket allows its burst, and then its rate", "[serve]") {
  Bucket bucket({20, 40});
  std::int64_t now = 5 * kSecond;
  int given = 0;
  for (int i = 0; i < 100; ++i) given += bucket.take(now);
  CHECK(given == 40);
  for (int i = 0; i < 100; ++i) given += bucket.take(now += kSecond / 100);
  CHECK(given == Approx(60).margin(1));
  CHECK(!bucket.take(now -= kSecond));   // a decreasing timestamp adds nothing
  now += 100 * kSecond;
  given = 0;
  for (int i = 0; i < 100; ++i) given += bucket.take(now);
  CHECK(given == 40);
}

TEST_CASE("serve: an address has a limited number of connections, and of new ones per second", "[serve]") {
  Addresses addresses({});
  int in = 0;
  for (int i = 0; i < 30; ++i) in += addresses.enter("10.0.0.1", kSecond);
  CHECK(in == 20);
  CHECK(addresses.enter("10.0.0.2", kSecond));
  addresses.leave("10.0.0.1");
  CHECK(!addresses.enter("10.0.0.1", kSecond));   // below the limit, but too soon
  CHECK(addresses.enter("10.0.0.1", 2 * kSecond));
  CHECK(household("2001:db8:1:2:3:4:5:6") == household("2001:db8:1:2::9"));
  CHECK(household("2001:db8:1:2::") != household("2001:db8:1:3::"));
  CHECK(household("::ffff:10.0.0.1") == "10.0.0.1");
  for (int i = 0; i < 20'000; ++i) {
    const std::string from = "10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250);
    REQUIRE(addresses.enter(from, (100 + i) * kSecond));
    addresses.leave(from);
  }
  CHECK(addresses.known() < 10'000);
}

TEST_CASE("serve: only our own host names are accepted", "[serve]") {
  const OriginCheck here("127.0.0.1", 7654, {});
  CHECK(here.link() == "http://127.0.0.1:7654");
  for (const char* host : {"127.0.0.1:7654", "localhost:7654", "LOCALHOST:7654", "[::1]:7654"})
    CHECK(here.knows_host(host));
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:80", "evil.example:7654", "localhost:7654.evil.example", "10.0.0.1:7654"})
    CHECK(!here.knows_host(host));
  CHECK(here.knows_origin("http://localhost:7654", "localhost:7654"));
  for (const char* origin :
       {"", "null", "https://localhost:7654", "http://127.0.0.1:7654", "http://localhost", "http://evil.example"})
    CHECK(!here.knows_origin(origin, "localhost:7654"));
  CHECK(!here.knows_origin("http://evil.example:7654", "evil.example:7654"));

  const OriginCheck proxied("127.0.0.1", 7654, {origin_of("HTTPS://Games.example:443/")});
  CHECK(proxied.link() == "https://games.example");
  CHECK(proxied.knows_host("games.example"));
  CHECK(proxied.knows_origin("https://games.example", "games.example"));
  CHECK(!proxied.knows_origin("http://evil.example", "games.example"));

  const OriginCheck all("0.0.0.0", 80, {});
  CHECK(all.knows_host("localhost"));
  for (const char* url :
       {"", "games.example", "ftp://x", "https://", "https://a b", "https://a/path", "javascript://x"})
    CHECK_THROWS_AS(origin_of(url), api::Error);
}

TEST_CASE("serve: keys are random, and only their hashes are stored", "[serve]") {
  std::set<std::string> keys;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = fresh_key();
    CHECK(key.size() == 22);
    CHECK(key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
          std::string::npos);
    keys.insert(key);
  }
  CHECK(keys.size() == 1000);
  Keys known;
  std::int64_t table = 0;
  for (const std::string& key : keys) known.put({hash_of_key(key), ++table});
  CHECK(known.find(hash_of_key(*keys.begin()))->table == 1);
  CHECK(!known.find(hash_of_key("")));
  Digest nearly = hash_of_key(*keys.begin());
  nearly.back() ^= 1;
  CHECK(!known.find(nearly));
  CHECK(!equal_in_constant_time(nearly, hash_of_key(*keys.begin())));
  known.forget_table(1);
  CHECK(!known.find(hash_of_key(*keys.begin())));
}

TEST_CASE("serve: files are a fixed list", "[serve]") {
  const TemporaryFolder folder;
  folder.write("table.html", "<!doctype html>");
  folder.write("table.js", std::string(100'000, 'x'));
  Files files;
  CHECK_THROWS_AS(files.add_pages(folder.path()), api::Error);   // the style sheet is missing
  folder.write("table.css", "p{}");
  files.add_pages(folder.path());
  CHECK(files.find("/")->plain == "<!doctype html>");
  CHECK(files.find("/table.js")->gzipped.size() < 1000);
  CHECK(unzipped(files.find("/table.js")->gzipped) == files.find("/table.js")->plain);
  for (const char* path : {"", "/table.html", "//", "/../table.html", "/table.js?x", "/r/", "/r/x.json"})
    CHECK(!files.find(path));
  const std::string hash = files.add_description("{}");
  CHECK(files.find("/r/" + hash + ".json")->for_good);
}

TEST_CASE("serve: the store returns the stored entries", "[serve]") {
  const TemporaryFolder folder;
  const std::string place = folder.path() + "/state/cardwright";
  const TableRow row = some_row(1);
  const std::string key = fresh_key();
  const Key own{hash_of_key(key), 1, Key::Kind::device, 5, hash_of_key("invitation"), false, false};
  {
    Store store(place);
    CHECK(mode_of(place) == 0700);
    CHECK(mode_of(store.path()) == 0600);
    CHECK(store.fresh_id() == 1);
    CHECK_THROWS_AS(Store(place), api::Error);   // a second server with the same database
    Changes changes{1};
    changes.row = row;
    changes.keys = {own, {hash_of_key("other"), 1, Key::Kind::host}};
    store.keep_now(std::move(changes));
    CHECK(keep(store, 1, 0, {choice(0, 3), choice(1, 4)}) == "");
    CHECK(keep(store, 1, 3, {choice(0, 5)}) != "");   // not the next entry
    CHECK(keep(store, 1, 2, {choice(0, 5)}) == "");
    CHECK(keep(store, 2, 0, {choice(0, 5), choice(1, 6), choice(0, 7)}) == "");
    CHECK(keep(store, 2, 0, {choice(1, 9)}, true) == "");
    CHECK(mode_of(store.path() + "-wal") == 0600);
  }
  Store store(place);
  CHECK(store.fresh_id() == 2);
  const auto tables = store.tables();
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].game == row.game);
  CHECK(tables[0].title == row.title);
  CHECK(tables[0].configuration.options == row.configuration.options);
  CHECK(tables[0].settings.seed == row.settings.seed);
  CHECK(tables[0].settings.design);
  CHECK(tables[0].settings.seconds == 2.5);
  CHECK(tables[0].settings.name == "ours");
  CHECK(tables[0].seats == row.seats);
  CHECK(tables[0].fingerprint == row.fingerprint);
  CHECK(tables[0].begun == row.begun);
  CHECK(store.journal(1) == std::vector{choice(0, 3), choice(1, 4), choice(0, 5)});
  CHECK(store.journal(2) == std::vector{choice(1, 9)});
  CHECK(keep(store, 1, 3, {choice(1, 1)}) == "");   // the next entry
  Keys keys;
  for (const Key& one : store.keys()) keys.put(one);
  const auto found = keys.find(hash_of_key(key));
  REQUIRE(found);
  CHECK(found->seats == 5);
  CHECK(found->from == own.from);
  CHECK(!keys.find(hash_of_key("other"))->from);
  const std::string bytes = test::text_of(store.path()) + test::text_of(store.path() + "-wal");
  CHECK(bytes.find("Anna") != std::string::npos);
  CHECK(bytes.find(key) == std::string::npos);
}

TEST_CASE("serve: changes that arrive together form one group", "[serve]") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/data");
  std::promise<void> all;
  std::atomic<int> left{300};
  for (int table = 1; table <= 300; ++table)
    store.keep({table, 0, false, {choice(0, 1)}, std::nullopt, {}, [&](const std::string&) {
                  if (--left == 0) all.set_value();
                }});
  all.get_future().get();
  CHECK(store.groups() >= 5);
  CHECK(store.groups() <= 12);
}

TEST_CASE("serve: a change that can't be written is discarded, and so are the following ones", "[serve]") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/data");
  CHECK(keep(store, 1, 0, {choice(0, 1)}) == "");
  {
    const test::FullDisk full;
    CHECK(keep(store, 1, 1, {choice(0, 2)}) != "");
  }
  CHECK(keep(store, 1, 2, {choice(0, 3)}) != "");
  CHECK(keep(store, 1, 1, {choice(0, 4)}) == "");   // the disk has space again
  CHECK(store.journal(1) == std::vector{choice(0, 1), choice(0, 4)});
}

TEST_CASE("serve: bots think less if more requests wait", "[serve]") {
  CHECK(BotPool::share(0.2, 0, 0, 1) == Approx(0.2));
  CHECK(BotPool::share(0.2, 0, 9, 1) == Approx(0.1));
  CHECK(BotPool::share(5, 0.4, 0, 1) == Approx(0.6));
  CHECK(BotPool::share(5, 3, 0, 1) == Approx(0.001));
}

TEST_CASE("serve: a pool serves the tables in turn, and answers within about a second", "[serve]") {
  const api::Game game = api::Ruleset::load("tic_tac_toe").compile();
  const api::State state = game.new_state(1);
  BotPool pool(1);
  std::mutex mutex;
  std::vector<std::int64_t> order;
  std::promise<void> all;
  const auto start = std::chrono::steady_clock::now();
  constexpr int kOfOne = 20;
  const auto ask = [&](std::int64_t table, std::uint64_t number) {
    pool.think(table, {number, 0, 0.2, false, state, std::make_shared<api::Bot>(game, 0)},
               [&, table, number](BotAnswer answer) {
                 CHECK(answer.wrong == "");
                 CHECK(answer.number == number);
                 CHECK(answer.index < 9);
                 const std::lock_guard lock(mutex);
                 order.push_back(table);
                 if (order.size() == kOfOne + 2) all.set_value();
               });
  };
  for (std::uint64_t i = 0; i < kOfOne; ++i) ask(1, i);
  ask(2, 100);
  ask(3, 101);
  all.get_future().get();
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
  CHECK(std::find(order.begin(), order.end(), 2) - order.begin() <= 4);
  CHECK(std::find(order.begin(), order.end(), 3) - order.begin() <= 4);
}

TEST_CASE("serve: a bot that can't think returns no opinion", "[serve]") {
  const api::Game game = api::Ruleset::load("tic_tac_toe").compile();
  BotPool pool(1);
  for (const bool opinions : {true, false}) {
    std::promise<BotAnswer> answered;
    pool.think(
        1, {1, 1, 0.01, opinions, game.new_state(1), std::make_shared<api::Bot>(game, 1)},   // b's bot, but a decides
        [&](BotAnswer answer) { answered.set_value(std::move(answer)); });
    const BotAnswer answer = answered.get_future().get();
    CHECK(answer.wrong != "");
    CHECK(answer.is_opinions == opinions);
    CHECK(answer.opinions.empty());
  }
}

TEST_CASE("serve: all files with the extension are watched, including new ones", "[serve]") {
  const TemporaryFolder folder;
  std::promise<std::string> notified;
  Watcher watcher([&](const std::string& name) { notified.set_value(name); });
  watcher.watch("a", {folder.path() + "/*.rules"});
  folder.write("a.rules~", "1");
  auto name = notified.get_future();
  CHECK(name.wait_for(std::chrono::milliseconds(400)) == std::future_status::timeout);
  folder.write("b.rules", "1");
  CHECK(name.get() == "a");
}

TEST_CASE("serve: files are watched, however editors write them", "[serve]") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.rules", "1");
  folder.write("other", "1");
  std::mutex mutex;
  std::vector<std::string> notified;
  Watcher watcher([&](const std::string& name) {
    const std::lock_guard lock(mutex);
    notified.push_back(name);
  });
  watcher.watch("a", {path});
  const auto count_after = [&](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    const std::lock_guard lock(mutex);
    return notified.size();
  };
  folder.write("other", "2");
  CHECK(count_after(400) == 0);
  for (int i = 0; i < 4; ++i) {
    folder.write("a.rules", std::to_string(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  CHECK(count_after(600) == 1);
  std::filesystem::rename(folder.write("a.rules~", "5"), path);
  CHECK(count_after(600) == 2);
  watcher.notify("a");
  CHECK(count_after(200) == 3);
}
