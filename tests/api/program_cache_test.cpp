// Tests the program cache: cached files are used only if they are complete, were written by Cardwright, and belong to
// exactly these rules, and games are the same with and without the cache.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "api/compile/compile.h"
#include "cardwright/tools.hpp"
#include "cardwright/variants.hpp"
#include "support/disk_cache.h"
#include "api/game/game_data.h"
#include "runtime/program/program_file.h"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;
namespace fs = std::filesystem;

namespace {

// Sets the cache folder during its lifetime.
class CacheIn {
 public:
  explicit CacheIn(const std::string& where) { setenv("CARDWRIGHT_CACHE", where.c_str(), 1); }
  ~CacheIn() { setenv("CARDWRIGHT_CACHE", "off", 1); }
};

std::vector<fs::path> files_of_kind(const std::string& folder, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == "." + ending) files.push_back(entry.path());
  return files;
}
fs::path only_file(const std::string& folder, const std::string& ending) {
  const auto files = files_of_kind(folder, ending);
  REQUIRE(files.size() == 1);
  return files.front();
}
void write_file(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

const Digest kKey = digest_of("key"), kOther = digest_of("other");

std::optional<std::string> load(const Digest& key = kKey) {
  const auto cache = DiskCache::open();
  REQUIRE(cache);
  return cache->load("test", key);
}
void store(const std::string& bytes, const Digest& key = kKey) {
  const auto cache = DiskCache::open();
  REQUIRE(cache);
  cache->store("test", key, bytes);
}

std::uint64_t digest(const api::Game& game, std::uint64_t count = 200) {
  return api::simulate(game, {.games = count}).digest;
}

bool was_parsed(const api::Ruleset& rules) { return rules.data()->cached_parse != nullptr; }

}   // namespace

TEST_CASE("digests are those of BLAKE2b", "[start]") {
  // Expected value from Python's hashlib, 16 bytes.
  CHECK(hex(digest_of("abc")) == "cf4ab791c62b8d2b2109c90275287816");
  CHECK(hex(digest_of("")) == "cae66941d9efbd404e4d88758ea67670");
  CHECK(hex(digest_of(std::string(128, 'x'))) == "874acca82a22239ec64a3e70c3ae494e");
  CHECK(hex(digest_of(std::string(1000, 'y'))) == "32c9d1110d574fd44a49ea642f753122");
}

TEST_CASE("a cache returns stored data, and rejects modified data", "[start]") {
  const TemporaryFolder folder;
  const CacheIn here(folder.path() + "/cache");
  CHECK(!load());
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(i * 7);
  store(bytes);
  REQUIRE(load() == bytes);
  CHECK(!load(kOther));
  struct stat made;
  REQUIRE(stat((folder.path() + "/cache").c_str(), &made) == 0);
  CHECK((made.st_mode & 0777) == 0700);

  const fs::path file = only_file(folder.path() + "/cache", "test");
  const std::string whole = slurp(file.string());
  for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 97) {
    std::string touched = whole;
    touched[at] = static_cast<char>(touched[at] ^ 1);
    write_file(file, touched);
    INFO("byte " << at);
    REQUIRE(!load());
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{55}, std::size_t{56}, std::size_t{57},
                                   whole.size() / 2, whole.size() - 1}) {
    write_file(file, whole.substr(0, length));
    INFO("the first " << length << " bytes");
    REQUIRE(!load());
  }
  write_file(file, whole + "x");
  CHECK(!load());
  store(bytes);   // replaces the entry
  CHECK(load() == bytes);

  fs::rename(file, file.parent_path() / (hex(kOther) + ".test"));
  CHECK(!load(kOther));   // rejected, because the key in the file is not `kOther`
}

TEST_CASE("a cache is used only if no other user can write to it", "[start]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/cache";
  const CacheIn here(path);
  store("bytes");
  REQUIRE(load() == "bytes");
  const fs::path file = only_file(path, "test");

  REQUIRE(chmod(file.c_str(), 0666) == 0);
  CHECK(!load());
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  CHECK(load() == "bytes");
  fs::rename(file, folder.path() + "/elsewhere");
  fs::create_symlink(folder.path() + "/elsewhere", file);
  CHECK(!load());
  fs::remove(file);
  fs::rename(folder.path() + "/elsewhere", file);

  REQUIRE(chmod(path.c_str(), 0770) == 0);
  CHECK(!DiskCache::open());
  REQUIRE(chmod(path.c_str(), 0700) == 0);
  CHECK(load() == "bytes");
  if (geteuid() == 0) {
    REQUIRE(chown(path.c_str(), 12345, 12345) == 0);
    CHECK(!DiskCache::open());
  }
  {
    const CacheIn off("off");
    CHECK(!DiskCache::open());
  }
}

TEST_CASE("games are played even if the cache can't be written", "[start]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/file", "");
  std::uint64_t expected = digest(api::Ruleset::load("leduc_poker").compile());
  {
    const CacheIn below_a_file(folder.path() + "/file/cache");
    CHECK(!DiskCache::open());
    CHECK(digest(api::Ruleset::load("leduc_poker").compile()) == expected);
  }
  {
    const CacheIn nowhere("/proc/self");   // owned by this user, but no file can be created in it
    store("bytes");
    CHECK(!load());
    CHECK(digest(api::Ruleset::load("leduc_poker").compile({}, api::EngineKind::jit)) == expected);
  }
}

TEST_CASE("processes that store the same data at once leave it intact", "[start]") {
  const TemporaryFolder folder;
  const CacheIn here(folder.path());
  const std::string bytes(100'000, 'z');
  store(bytes);
  constexpr int kProcesses = 4;
  for (int i = 0; i < kProcesses; ++i)
    if (fork() == 0) {
      const auto cache = DiskCache::open();
      bool fine = cache.has_value();
      for (int k = 0; k < 50 && fine; ++k) {
        cache->store("test", kKey, bytes);
        fine = cache->load("test", kKey) == bytes;
      }
      _exit(fine ? 0 : 1);
    }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 1;
    REQUIRE(wait(&status) > 0);
    CHECK(status == 0);
  }
  CHECK(load() == bytes);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);   // no leftover files
}

TEST_CASE("a cache that is too large removes the least recently used files", "[start]") {
  const TemporaryFolder folder;
  const CacheIn here(folder.path());
  for (int i = 0; i < 10; ++i) {
    const Digest key = digest_of(std::to_string(i));
    store(std::string(1000, 'x'), key);
    const timespec used[2] = {{1'000'000 + i, 0}, {1'000'000 + i, 0}};
    REQUIRE(utimensat(AT_FDCWD, (folder.path() + "/" + hex(key) + ".test").c_str(), used, 0) == 0);
  }
  CHECK(load(digest_of("0")));   // just used
  write_file(folder.path() + "/mine.txt", std::string(100'000, 'x'));
  DiskCache::open()->prune(8 * 1100);
  CHECK(load(digest_of("0")));
  CHECK(load(digest_of("9")));
  CHECK(!load(digest_of("1")));
  CHECK(!load(digest_of("3")));
  CHECK(files_of_kind(folder.path(), "test").size() == 6);
  CHECK(fs::exists(folder.path() + "/mine.txt"));   // unrelated files are not removed
}

// ---- Programs

TEST_CASE("a Program round-trips through bytes, and an invalid one is rejected", "[start]") {
  for (const std::string& name : api::bundled_games()) {
    INFO(name);
    const auto rules = api::Ruleset::load(name);
    const api::Game game = rules.compile();
    const Program& program = game.data()->program();
    std::vector<SourceId> same(rules.data()->sources.size());
    for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<SourceId>(i);
    const std::string bytes = bytes_of(program);
    const auto back = program_from(bytes, same);
    REQUIRE(back);
    CHECK(bytes_of(*back) == bytes);
    CHECK(!program_from(bytes.substr(0, bytes.size() - 1), same));
    CHECK(!program_from(bytes + "x", same));
    CHECK(!program_from(bytes, {}));   // the source locations are missing
  }
  const api::Game game = api::Ruleset::load("leduc_poker").compile();
  const std::vector<SourceId> sources(64, 0);
  const auto refuses = [&](auto change) {
    const auto program = program_from(bytes_of(game.data()->program()), sources);
    REQUIRE(program);
    change(*program);
    return program_from(bytes_of(*program), sources) == nullptr;
  };
  CHECK(!refuses([](Program&) {}));
  CHECK(refuses([](Program& p) { p.layout.players = kMaxPlayers + 1; }));
  CHECK(refuses([](Program& p) { p.layout.words = kMaxWords + 1; }));
  CHECK(refuses([](Program& p) { p.layout.instances = kMaxInstances + 1; }));
  CHECK(refuses([](Program& p) { p.layout.live_end = p.layout.size + 1; }));
  CHECK(refuses([](Program& p) { p.main = 10'000; }));
  CHECK(refuses([](Program& p) { p.variables.at(0).offset = p.layout.size; }));
  CHECK(refuses([](Program& p) { p.variables.pop_back(); }));
  CHECK(refuses([](Program& p) { p.zones.at(0).first = 1000; }));
  CHECK(refuses([](Program& p) { p.initial.pop_back(); }));
  CHECK(refuses([](Program& p) { p.actions.at(0).base = p.option_ids; }));
  CHECK(refuses([](Program& p) { p.playout.functions[p.main].blocks[0].code.pop_back(); }));
  CHECK(refuses([](Program& p) { p.playout.functions[p.main].blocks[0].code[0].result = 9999; }));
  CHECK(refuses([](Program& p) { p.step.functions.pop_back(); }));
  CHECK(!refuses([](Program& p) {
    p.explanations.nodes = {{.step = ExplanationStep::declared, .text = "{0:number}", .values = {{"n", "number"}}}};
    p.explanations.actions = {0, -1};
  }));
  CHECK(refuses([](Program& p) { p.explanations.actions = {10'000}; }));
  CHECK(refuses([](Program& p) { p.explanations.choices = {{{}, {10'000}}}; }));
}

TEST_CASE("damaged bytes give no Program, or one that can run", "[start]") {
  const api::Game game = api::Ruleset::load("leduc_poker").compile();
  const std::string bytes = bytes_of(game.data()->program());
  std::uint64_t random = 1;
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k < 1 + i % 3; ++k) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      damaged[(random >> 20) % damaged.size()] ^= static_cast<char>(1 << (random >> 60 & 7));
    }
    refused += program_from(damaged, std::vector<SourceId>(64, 0)) == nullptr;
  }
  CHECK(refused > 300);
}

TEST_CASE("games from the cache equal those from the rules", "[start]") {
  const TemporaryFolder folder;
  const api::Configuration table{4, {{"snorkel", "icon20"}}};
  const api::Ruleset plain = api::Ruleset::load("splash");
  const api::Game expected = plain.compile(table);
  const std::uint64_t games_played = digest(expected);

  const CacheIn here(folder.path());
  for (const char* when : {"cold", "warm"}) {
    INFO(when);
    const api::Ruleset rules = api::Ruleset::load("splash");
    const api::Game game = rules.compile(table);
    CHECK(was_parsed(rules) == (when == std::string("cold")));
    CHECK(rules.title() == plain.title());
    CHECK(rules.shown_as() == plain.shown_as());
    CHECK(rules.usual_players() == plain.usual_players());
    CHECK(rules.options().size() == plain.options().size());
    CHECK(game.options() == expected.options());
    CHECK(game.report().text == expected.report().text);
    CHECK(game.fingerprint() == expected.fingerprint());
    CHECK(digest(game) == games_played);
    CHECK(bytes_of(game.data()->program()) == bytes_of(expected.data()->program()));
    CHECK(digest(rules.compile(table, api::EngineKind::jit)) == games_played);
    CHECK(was_parsed(rules) == (when == std::string("cold")));

    // Functions that need the Model parse the rules.
    const api::State state = game.new_state(5), same = expected.new_state(5);
    CHECK(state.question().place == same.question().place);
    CHECK(state.why(state.actor(), "Splash") == same.why(same.actor(), "Splash"));
    CHECK(was_parsed(rules));
    CHECK(api::relations(rules).size() == api::relations(plain).size());
    CHECK(digest(rules.compile({5, {}})) == digest(plain.compile({5, {}})));
  }
  CHECK(files_of_kind(folder.path(), "ruleset").size() == 1);
  CHECK(files_of_kind(folder.path(), "program").size() == 1);
  CHECK(files_of_kind(folder.path(), "playout").size() == 1);

  // A damaged file is rebuilt.
  for (const char* kind : {"ruleset", "program", "playout"}) {
    INFO(kind);
    const fs::path file = only_file(folder.path(), kind);
    std::string bytes = slurp(file.string());
    const std::string whole = bytes;
    bytes[bytes.size() / 2] ^= 1;
    write_file(file, bytes);
    CHECK(digest(api::Ruleset::load("splash").compile(table, api::EngineKind::jit)) == games_played);
    CHECK(slurp(file.string()).size() == whole.size());
    CHECK(slurp(file.string()) != bytes);
  }
  const api::Ruleset again = api::Ruleset::load("splash");
  again.compile(table);
  CHECK(!was_parsed(again));
  CHECK_THROWS_AS(api::Ruleset::load("splash").compile({17, {}}), api::Error);
  CHECK_THROWS_AS(api::Ruleset::load("splash").compile({4, {{"snorkel", "icon30"}}}), api::Error);
}

TEST_CASE("every file of a game is part of the key", "[start]") {
  const TemporaryFolder rules_folder, folder;
  const std::string home = rules_folder.path();
  fs::copy(fs::path(api::share_folder()) / "rulesets/splash", home + "/splash", fs::copy_options::recursive);
  const std::string csv = slurp(home + "/splash/splash-deck.csv");
  write_file(home + "/house.rules", "game \"House\" extends splash\n");
  const CacheIn here(folder.path());
  const auto parses = [](const std::string& path) {
    const api::Ruleset rules = api::Ruleset::load(path);
    rules.compile();
    return was_parsed(rules);
  };
  const std::string path = home + "/splash/splash.rules";
  CHECK(parses(path));
  CHECK(!parses(path));
  {
    const std::string table = slurp(path);
    write_file(path, table + "\n");
    CHECK(parses(path));
    CHECK(!parses(path));
    write_file(path, table);
  }
  CHECK(parses(path));
  write_file(home + "/splash/splash-deck.csv", csv + "\n");
  CHECK(parses(path));
  CHECK(!parses(path));

  CHECK(parses(home + "/house.rules"));
  CHECK(!parses(home + "/house.rules"));
  // Now a different base is found first, although every file that was read is unchanged.
  fs::copy(home + "/splash/splash.rules", home + "/splash.rules");
  fs::copy(home + "/splash/splash-deck.csv", home + "/splash-deck.csv");
  CHECK(parses(home + "/house.rules"));
  CHECK(!parses(home + "/house.rules"));
  fs::rename(home + "/splash.rules", home + "/one");
  fs::create_symlink(home + "/one", home + "/splash.rules");
  CHECK(parses(home + "/house.rules"));
  fs::copy(home + "/one", home + "/two");
  fs::remove(home + "/splash.rules");
  fs::create_symlink(home + "/two", home + "/splash.rules");
  CHECK(parses(home + "/house.rules"));
}
