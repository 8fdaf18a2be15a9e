// Converts saved games to text and back, and checks the fields of a file.
#include "cardwright/saved_game.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/table/history.h"
#include "api/table/old_journal.h"

namespace cardwright::api {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Kind = TableEntry::Kind;

constexpr const char* kWhat = "cardwright game";
constexpr std::int64_t kMostId = std::int64_t{1} << 53;   // JavaScript's limit for integers
constexpr int kMostPlayers = 16;

[[noreturn]] void damaged(std::string_view what) { raise(Blame::caller, fmt::format("damaged saved game: {}", what)); }

std::string line_of(const TableEntry& entry) {
  return OrderedJson{
      {"kind", static_cast<int>(entry.kind)}, {"seat", entry.seat}, {"id", entry.id}, {"name", entry.name}}
      .dump();
}

TableEntry entry_of(const OrderedJson& json, int players) {
  const auto number = [&](const char* name) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_number_integer()) damaged("invalid entry");
    return json[name].get<std::int64_t>();
  };
  const std::int64_t kind = number("kind"), seat = number("seat"), id = number("id");
  const OrderedJson name = json.value("name", OrderedJson(""));
  const bool has_seat = kind == static_cast<std::int64_t>(Kind::choose) || kind == static_cast<int>(Kind::arrive);
  if (kind < 0 || kind > static_cast<std::int64_t>(Kind::begin) || seat < (has_seat ? 0 : -1) || seat >= players ||
      id < 0 || id >= kMostId || !name.is_string())
    damaged("invalid entry");
  return {static_cast<Kind>(kind), static_cast<int>(seat), id, name.get<std::string>()};
}

std::string text_in(const OrderedJson& json, const char* name) {
  if (!json.contains(name) || !json[name].is_string()) damaged(fmt::format("`{}` is missing", name));
  return json[name].get<std::string>();
}

void read_settings(const OrderedJson& settings, SavedGame& saved) {
  if (!settings.is_object()) damaged("`settings` is missing");
  for (const OrderedJson& seat : settings.value("people", OrderedJson::array()))
    if (seat.is_number_integer() && seat >= 0 && seat < saved.configuration.players)
      saved.people.push_back(seat.get<int>());
  if (saved.people.empty()) damaged("no seat belongs to a person");
  if (const OrderedJson seed = settings.value("seed", OrderedJson()); seed.is_number_integer())
    saved.seed = seed.get<std::uint64_t>();
  const OrderedJson factor = settings.value("time_factor", OrderedJson(1));
  if (!factor.is_number_integer() || factor < 1 || factor > 1000) damaged("invalid `time_factor`");
  saved.time_factor = factor.get<int>();
}

SavedGame saved_in(const OrderedJson& json) {
  SavedGame saved;
  if (json.contains("id")) saved.source = SavedGame::Source::page;
  saved.game = text_in(json, "game");
  saved.fingerprint = std::strtoull(text_in(json, "fingerprint").c_str(), nullptr, 16);
  const OrderedJson players = json.value("players", OrderedJson());
  if (!players.is_number_integer() || players < 1 || players > kMostPlayers) damaged("`players` is missing");
  saved.configuration.players = players.get<int>();
  for (const OrderedJson& option : json.value("options", OrderedJson::array())) {
    if (!option.is_array() || option.size() != 2 || !option[0].is_string() || !option[1].is_string())
      damaged("invalid option");
    saved.configuration.options.emplace_back(option[0].get<std::string>(), option[1].get<std::string>());
  }
  read_settings(json.value("settings", OrderedJson()), saved);
  const OrderedJson journal = json.value("journal", OrderedJson());
  if (!journal.is_array() || journal.empty()) damaged("`journal` is missing");
  for (const OrderedJson& entry : journal) saved.journal.push_back(entry_of(entry, saved.configuration.players));
  // Seed of the current game; the header contains the seed of the table's first game.
  if (saved.journal[0].kind == Kind::reseed) {
    saved.seed = static_cast<std::uint64_t>(saved.journal[0].id);
    saved.journal.erase(saved.journal.begin());
  }
  if (saved.journal.empty() || saved.journal[0].kind != Kind::begin) damaged("the journal does not begin a game");
  return saved;
}

// Removes an incomplete last line and completes the object.
std::string mended(std::string_view text) {
  text = text.substr(0, text.rfind('\n') + 1);
  if (text.ends_with(kSavedEnd)) return std::string(text);
  while (text.ends_with('\n') || text.ends_with(',')) text.remove_suffix(1);
  return std::string(text) + std::string(kSavedEnd);
}

}   // namespace

std::string saved_text(const SavedGame& saved) {
  OrderedJson options = OrderedJson::array();
  for (const auto& [name, value] : saved.configuration.options) options.push_back({name, value});
  std::string text =
      OrderedJson{{"what", kWhat},
                  {"game", saved.game},
                  {"players", saved.configuration.players},
                  {"options", std::move(options)},
                  {"fingerprint", fmt::format("{:016x}", saved.fingerprint)},
                  {"settings", {{"seed", saved.seed}, {"people", saved.people}, {"time_factor", saved.time_factor}}},
                  {"journal", OrderedJson::array()}}
          .dump();
  text.resize(text.size() - std::string_view("]}").size());
  const std::string entries = appended_text(saved.journal);
  return text + entries.substr(std::string_view(",").size());
}

std::string appended_text(std::span<const TableEntry> entries) {
  std::string text;
  for (const TableEntry& entry : entries) text += ",\n" + line_of(entry);
  return text + std::string(kSavedEnd);
}

SavedGame read_saved_game(std::string_view text) {
  if (table::is_old_journal(text)) return table::read_old_journal(text);
  OrderedJson json = OrderedJson::parse(text, nullptr, false);
  const bool torn = json.is_discarded() && text.starts_with(R"({"what":"cardwright game")");
  if (torn) json = OrderedJson::parse(mended(text), nullptr, false);
  if (!json.is_object() || json.value("what", OrderedJson()) != kWhat)
    raise(Blame::caller, "not a saved Cardwright game");
  SavedGame saved = saved_in(json);
  saved.torn = torn;
  return saved;
}

std::vector<TableEntry> complete_journal(const SavedGame& saved, const Game& game) {
  return saved.source == SavedGame::Source::old_journal ? table::converted(saved, game) : saved.journal;
}

}   // namespace cardwright::api
