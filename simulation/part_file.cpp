// Reads and writes part files, and checks that parts belong to the same run.
#include "simulation/part_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "api/compile/compile.h"
#include "cardwright/tools.hpp"
#include "api/game/game_data.h"
#include "runtime/state/hash.h"

namespace cardwright::api {

GameRange shard(std::uint64_t games, std::uint64_t index, std::uint64_t count) {
  if (count == 0 || index == 0 || index > count)
    throw Error(Blame::caller, fmt::format("part {} of {} is out of range: expected 1 to {}", index, count,
                                           std::max<std::uint64_t>(1, count)));
  const auto at = [&](std::uint64_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(games) * i / count);
  };
  return {at(index - 1), at(index)};
}

// ---- covered ranges

void Covered::add(GameRange range) {
  if (range.from >= range.to) return;
  const auto at = std::lower_bound(ranges_.begin(), ranges_.end(), range,
                                   [](const GameRange& a, const GameRange& b) { return a.from < b.from; });
  const bool before = at != ranges_.begin() && std::prev(at)->to > range.from;
  if (before || (at != ranges_.end() && at->from < range.to)) {
    const GameRange& other = before ? *std::prev(at) : *at;
    throw Error(Blame::caller, fmt::format("games {} to {} are in two parts", std::max(range.from, other.from),
                                           std::min(range.to, other.to) - 1));
  }
  const auto placed = ranges_.insert(at, range);
  if (const auto next = std::next(placed); next != ranges_.end() && next->from == placed->to) {
    placed->to = next->to;
    ranges_.erase(next);
  }
  if (placed != ranges_.begin() && std::prev(placed)->to == placed->from) {
    std::prev(placed)->to = placed->to;
    ranges_.erase(placed);
  }
}

void Covered::add(const Covered& other) {
  for (const GameRange& range : other.ranges_) add(range);
}

void Covered::remove(std::uint64_t game) {
  std::vector<GameRange> before;
  before.swap(ranges_);
  for (const GameRange& range : before) {
    const bool holds = range.from <= game && game < range.to;
    add(GameRange{range.from, holds ? game : range.to});
    if (holds) add(GameRange{game + 1, range.to});
  }
}

std::vector<GameRange> Covered::missing(GameRange of) const {
  std::vector<GameRange> out;
  for (const GameRange& range : ranges_) {
    if (range.from > of.from && of.from < of.to) out.push_back({of.from, std::min(range.from, of.to)});
    of.from = std::max(of.from, range.to);
  }
  if (of.from < of.to) out.push_back(of);
  return out;
}

std::uint64_t Covered::count() const {
  std::uint64_t out = 0;
  for (const GameRange& range : ranges_) out += range.to - range.from;
  return out;
}

// ---- files

void write_whole(const std::string& path, const std::string& text) {
  const std::string beside = fmt::format("{}.{}.tmp", path, getpid());
  const auto fail = [&](const char* what) {
    const std::string why = std::strerror(errno);
    std::remove(beside.c_str());
    throw Error(Blame::internal, fmt::format("can't {} {}: {}", what, printable(path), why));
  };
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail("write");
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      ::close(file);
      fail("write");
    }
    done += static_cast<std::size_t>(wrote);
  }
  const bool synced = fsync(file) == 0;
  if (::close(file) != 0 || !synced) fail("write");
  if (std::rename(beside.c_str(), path.c_str()) != 0) fail("replace");
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!std::filesystem::is_regular_file(path) || !file || !(text << file.rdbuf()))
    throw Error(Blame::caller, fmt::format("can't read {}: not a file, or empty", printable(path)));
  return std::move(text).str();
}

PartHead part_head(const std::string& text) {
  const detail::Json json = detail::unframed(text);
  return detail::read_part([&] {
    PartHead out{json.at("command"), {}};
    const auto add = [&](const detail::Json& run) {
      PartHead::Table& table = out.games.emplace_back();
      table.rules = run.at("rules");
      table.configuration.players = run.at("players");
      for (const auto& [name, value] : run.at("options").items()) table.configuration.options.emplace_back(name, value);
      table.measures = run.at("measures_file");
      table.configuration.policies = run.at("compiled_for").get<std::vector<std::string>>();
      table.configuration.measures = run.at("measures").get<std::vector<std::string>>();
    };
    const detail::Json& run = json.at("run");
    if (!run.contains("from"))
      add(run);
    else
      add(run.at("from")), add(run.at("to"));
    out.run = run.dump();
    return out;
  });
}

namespace {

using detail::Json;

std::string words_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// Describes the first setting in which two runs differ; empty if there is none.
std::string difference_in_words(const Json& there, const Json& here, const std::string& of) {
  for (const auto& [key, value] : here.items()) {
    const Json other = there.contains(key) ? there.at(key) : Json(nullptr);
    if (other == value) continue;
    if (key == "from" || key == "to")
      return difference_in_words(other, value, key == "from" ? " of GAME" : " of OTHER");
    if (key == "options")
      for (const auto& [name, set] : value.items())
        if (!other.contains(name) || other.at(name) != set)
          return fmt::format("option `{}`{} is {} there and {} here", name, of,
                             other.contains(name) ? words_of(other.at(name)) : "missing", words_of(set));
    if (key == "rules") return fmt::format("the game{} is {} there and {} here", of, words_of(other), words_of(value));
    if (key == "fingerprint")
      return fmt::format("the rules of {} changed between the two parts; play the older one again",
                         words_of(here.at("rules")));
    return fmt::format("`{}`{} is {} there and {} here", key, of, words_of(other), words_of(value));
  }
  return {};
}

}   // namespace

std::string difference_of_runs(const PartHead& there, const PartHead& here) {
  if (there.command != here.command)
    return fmt::format("the other part was written by `{}`, and this one by `{}`", there.command, here.command);
  return difference_in_words(Json::parse(there.run), Json::parse(here.run), "");
}

namespace detail {

namespace {

// Increment this number whenever the contents of part files change. Format 1, which had no number, stored standard
// figures separately from measures.
constexpr int kFormat = 3;

std::string hash_text(std::string_view text) {
  return fmt::format("\"{:016x}\"",
                     hash_bytes(reinterpret_cast<const Byte*>(text.data()), static_cast<Int>(text.size())));
}

}   // namespace

std::string framed(const Json& json) {
  Json whole = {{"cardwright", version()}, {"format", kFormat}};
  whole.update(json);
  const std::string line = whole.dump();
  return line + '\n' + hash_text(line) + '\n';
}

Json unframed(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || !text.starts_with("{\"cardwright\":"))
    throw Error(Blame::caller, "not a part file: create one with `-o FILE` of simulate, compare or skill");
  const std::string_view line(text.data(), end);
  if (std::string_view(text).substr(end + 1) != hash_text(line) + '\n') damaged("checksum mismatch");
  return read_part([&] {
    Json json = Json::parse(line);
    if (const std::string by = json.at("cardwright"); by != version())
      throw Error(Blame::caller,
                  fmt::format("the part file was created by Cardwright {}, but this is {}", by, version()));
    if (const int format = json.value("format", 1); format != kFormat)
      throw Error(Blame::caller,
                  fmt::format("the part file has format {}, and this build of Cardwright {} reads format {}: play the "
                              "part again with `-o FILE`, or merge all parts with the build that created them",
                              format, version(), kFormat));
    return json;
  });
}

Json run_of(const Game& game, const SimulateSettings& settings) {
  const Compiled& compiled = *game.data()->compiled;
  const bool bundled = compiled.ruleset->shown.starts_with("rulesets/");
  Json options = Json::object(), policies = Json::array();
  for (const auto& [name, value] : game.options()) options[name] = value;
  for (const PlayerPolicy& policy : settings.policies) policies.push_back(text_of(policy));
  return {{"rules", bundled ? compiled.ruleset->name : compiled.ruleset->path},
          {"players", game.players()},
          {"options", std::move(options)},
          {"compiled_for", compiled.configuration.policies},
          {"measures", compiled.configuration.measures},
          {"measures_file", compiled.ruleset->measures_path},
          {"fingerprint", fmt::format("{:016x}", game.fingerprint())},
          {"seed", settings.seed},
          {"first_game", settings.first_game},
          {"games", settings.games},
          {"policies", std::move(policies)},
          {"speeds", settings.speeds},
          {"time_factor", settings.time_factor},
          {"policy_seed", settings.policy_seed},
          {"figures", settings.figures}};
}

// Lists the measurements that a run requests, as text for messages.
static std::string asked_in_words(const Json& names, const std::string& file) {
  std::string out;
  const auto add = [&](const std::string& what) { out += (out.empty() ? "" : ", ") + what; };
  for (const std::string name : names)
    add(name == kFigures     ? "the standard figures"
        : name == kTurnOrder ? "the turn order"
                             : "the measure `" + name + "`");
  if (!file.empty()) add("the measures in " + printable(file));
  return out.empty() ? "nothing" : out;
}

// Throws Error(caller) if the part was played with other measurements. Such a part cannot be added, because its Program
// also differs.
static void need_same_measures(const Game& game, const Json& run) {
  const Compiled& compiled = *game.data()->compiled;
  const Json mine = compiled.configuration.measures, &theirs = run.at("measures");
  const std::string my_file = compiled.ruleset->measures_path, their_file = run.at("measures_file");
  if (mine == theirs && my_file == their_file) return;
  const auto beyond = [](const Json& some, const Json& others) {
    Json out = Json::array();
    for (const Json& name : some)
      if (std::find(others.begin(), others.end(), name) == others.end()) out.push_back(name);
    return out;
  };
  const bool other_file = my_file != their_file;
  throw Error(Blame::caller, fmt::format("the part file has different measures: it has {}, and this run has {} instead",
                                         asked_in_words(beyond(theirs, mine), other_file ? their_file : ""),
                                         asked_in_words(beyond(mine, theirs), other_file ? my_file : "")));
}

SimulateSettings settings_of(const Game& game, const Json& run) {
  need_same_measures(game, run);
  if (run.at("fingerprint") != fmt::format("{:016x}", game.fingerprint()))
    throw Error(Blame::caller,
                fmt::format("this part file was created with different rules{} than {} has now",
                            run.at("measures").empty() ? "" : " or measures", run.at("rules").get<std::string>()));
  SimulateSettings out;
  out.seed = run.at("seed");
  out.first_game = run.at("first_game");
  out.games = run.at("games");
  for (const std::string policy : run.at("policies")) out.policies.push_back(policy_from(policy));
  out.speeds = run.at("speeds").get<std::vector<double>>();
  out.time_factor = run.at("time_factor");
  out.policy_seed = run.at("policy_seed");
  out.figures = run.at("figures").get<std::vector<std::string>>();
  return out;
}

std::string difference(const Json& one, const Json& other) {
  for (const auto& [key, value] : one.items())
    if (!other.contains(key) || other.at(key) != value)
      return fmt::format("`{}` is {} and {}", key, value.dump(),
                         other.contains(key) ? other.at(key).dump() : "nothing");
  return "their formats differ";
}

Json written(Wide number) {
  if (number >= std::numeric_limits<std::int64_t>::min() && number <= std::numeric_limits<std::int64_t>::max())
    return static_cast<std::int64_t>(number);
  return fmt::format("{}", number);
}

Wide wide_of(const Json& json) {
  if (!json.is_string()) return json.get<std::int64_t>();
  const std::string& text = json.get_ref<const std::string&>();
  Wide out = 0;
  const bool negative = text.starts_with('-');
  for (const char c : text.substr(negative))
    if (c < '0' || c > '9' || __builtin_mul_overflow(out, 10, &out) || __builtin_add_overflow(out, c - '0', &out))
      damaged("invalid number");
  return negative ? -out : out;
}

void add_all(std::vector<std::uint64_t>& into, const Json& json) {
  if (json.size() != into.size()) damaged("different counts");
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += json.at(i).get<std::uint64_t>();
}

void damaged(std::string_view how) { throw Error(Blame::caller, fmt::format("the part file is damaged: {}", how)); }

Json json_of(const Covered& covered) {
  Json out = Json::array();
  for (const GameRange& range : covered.ranges()) out.push_back({range.from, range.to});
  return out;
}

Covered covered_of(const Json& json) {
  Covered out;
  for (const Json& range : json) out.add(GameRange{range.at(0), range.at(1)});
  return out;
}

}   // namespace detail
}   // namespace cardwright::api
