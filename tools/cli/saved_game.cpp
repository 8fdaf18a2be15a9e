// Converts a game that an exported page saved to the contents of a journal. Its entries correspond to
// cardwright::api::TableEntry.
#include "tools/cli/saved_game.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/parts.hpp"
#include "cardwright/table.hpp"

namespace cardwright::cli {

namespace {

using Json = nlohmann::json;
using Kind = api::TableEntry::Kind;

constexpr std::uintmax_t kMostBytes = 1 << 24;

[[noreturn]] void damaged(const std::string& path, std::string_view what) {
  throw api::Error(api::Blame::caller, fmt::format("{} is a damaged save file of an exported page: {}", path, what));
}

struct Entry {
  Kind kind = Kind::choose;
  int seat = -1;
  std::int64_t id = 0;
};

Entry entry_of(const std::string& path, const Json& json, int players) {
  const auto number = [&](const char* name) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_number_integer()) damaged(path, "invalid entry");
    return json[name].get<std::int64_t>();
  };
  const std::int64_t kind = number("kind"), seat = number("seat"), id = number("id");
  if (kind < 0 || kind > static_cast<std::int64_t>(Kind::begin) || seat < -1 || seat >= players || id < 0 ||
      id >= kMostSeed)
    damaged(path, "invalid entry");
  return {static_cast<Kind>(kind), static_cast<int>(seat), id};
}

JournalHeader header_of(const std::string& path, const Json& json) {
  JournalHeader header;
  const auto text = [&](const char* name) {
    if (!json.contains(name) || !json[name].is_string()) damaged(path, fmt::format("`{}` is missing", name));
    return json[name].get<std::string>();
  };
  header.game = text("game");
  header.fingerprint = std::strtoull(text("fingerprint").c_str(), nullptr, 16);
  const Json players = json.value("players", Json());
  if (!players.is_number_integer() || players < 1 || players > 16) damaged(path, "`players` is missing");
  header.players = players.get<int>();
  for (const Json& option : json.value("options", Json::array())) {
    if (!option.is_array() || option.size() != 2 || !option[0].is_string() || !option[1].is_string())
      damaged(path, "invalid option");
    header.options.emplace_back(option[0].get<std::string>(), option[1].get<std::string>());
  }
  const Json settings = json.value("settings", Json());
  if (!settings.is_object()) damaged(path, "`settings` is missing");
  for (const Json& seat : settings.value("people", Json::array()))
    if (seat.is_number_integer() && seat >= 0 && seat < header.players) header.seats.push_back(seat.get<int>());
  if (header.seats.empty()) damaged(path, "no seat belongs to a person");
  return header;
}

}   // namespace

std::optional<JournalContents> saved_game(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) > kMostBytes)
    return std::nullopt;
  const Json json = Json::parse(api::read_whole(path), nullptr, false);
  if (!json.is_object() || json.value("what", Json()) != "cardwright game") return std::nullopt;
  JournalContents contents{header_of(path, json), {}, false};
  const Json journal = json.value("journal", Json());
  if (!journal.is_array()) damaged(path, "`journal` is missing");
  bool after_begin = false;
  for (const Json& one : journal) {
    const Entry entry = entry_of(path, one, contents.header.players);
    switch (entry.kind) {
      case Kind::reseed:
        if (after_begin)
          contents.choices.push_back(reseed_choice(entry.id));
        else
          contents.header.seed = static_cast<std::uint64_t>(entry.id);
        break;
      case Kind::begin: after_begin = true; break;
      case Kind::choose:
        if (entry.seat >= 0) contents.choices.push_back(acts_choice(entry.seat));
        contents.choices.push_back(entry.id);
        break;
      case Kind::arrive: contents.choices.push_back(acts_choice(entry.seat)); break;
      case Kind::clock: contents.choices.push_back(clock_choice(entry.id)); break;
      case Kind::live: break;
      case Kind::back: damaged(path, "unexpected undo entry");
    }
  }
  return contents;
}

}   // namespace cardwright::cli
