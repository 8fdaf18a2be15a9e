// Compiles the games of the server, and recompiles them after changes of their files.
#include "tools/server/games.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/theme.hpp"
#include "cardwright/showing.hpp"

namespace cardwright::server {

namespace {

std::string key_of(const api::Configuration& configuration) {
  std::string key = std::to_string(configuration.players);
  for (const auto& [name, value] : configuration.options) key += fmt::format("\n{}={}", name, value);
  return key;
}

// Converts an error to the format of Report::json.
std::string report_of(const api::Error& error) {
  if (error.report().errors > 0) return error.report().json;
  return nlohmann::ordered_json::array({{{"severity", "error"}, {"message", error.what()}}}).dump();
}

// Returns the files to watch while rules have errors: the known files, the files with errors, and all files with the
// same extensions in their folders, because a missing file may be created.
std::vector<std::string> files_of_broken(std::vector<std::string> known, const api::Error& error) {
  for (const auto& one : nlohmann::json::parse(error.report().json))
    if (const auto file = one.find("file"); file != one.end() && file->is_string()) known.push_back(*file);
  std::set<std::string> files(known.begin(), known.end()), endings{".rules", ".csv"};
  for (const std::string& file : known) endings.insert(std::filesystem::path(file).extension().string());
  for (const std::string& file : known)
    for (const std::string& ending : endings)
      files.insert((std::filesystem::path(file).parent_path() / ("*" + ending)).string());
  return {files.begin(), files.end()};
}

}   // namespace

Games::Games(Files& files, std::function<void(const std::string&, const std::string&)> changed)
    : files_(files),
      changed_(std::move(changed)),
      watcher_(std::make_unique<Watcher>([this](const std::string& name) { refresh(name); })) {}

// Returns the files of the rules, and of the themes of all games compiled from them.
std::vector<std::string> Games::files_of(const One& one) {
  std::vector<std::string> files = one.rules.files();
  for (const auto& [key, game] : one.compiled)
    for (std::string& look : api::look_of(game.second).files) files.push_back(std::move(look));
  files.insert(files.end(), one.broken.begin(), one.broken.end());
  return files;
}

void Games::add(const std::string& name) {
  api::Ruleset rules = api::Ruleset::load(name);
  const std::lock_guard lock(mutex_);
  const One& one = all_.try_emplace(name, One{std::move(rules), {}, {}}).first->second;
  watcher_->watch(name, one.rules.files());
}

bool Games::has(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return all_.count(name) == 1;
}

api::Game Games::compile(const api::Ruleset& rules, const api::Configuration& configuration) {
  api::Game game = rules.compile(configuration, api::EngineKind::interpreter);
  files_.add_description(api::describe(game));
  for (const api::LookImage& image : api::look_of(game).images) files_.add_image(image);
  return game;
}

api::Game Games::get(const std::string& name, const api::Configuration& configuration) {
  const std::lock_guard lock(mutex_);
  const auto one = all_.find(name);
  if (one == all_.end()) throw api::Error(api::Blame::caller, fmt::format("the server does not host `{}`", name));
  auto& compiled = one->second.compiled;
  const std::string key = key_of(configuration);
  auto game = compiled.find(key);
  if (game == compiled.end()) {
    game = compiled.emplace(key, std::pair(configuration, compile(one->second.rules, configuration))).first;
    watcher_->watch(name, files_of(one->second));   // compiling also reads card tables, which must be watched too
  }
  return game->second.second;
}

void Games::reload(const std::string& name) { watcher_->notify(name); }

// Recompiles a game after a change. If the new rules have errors, the old games remain available, so that tables can
// continue. Does not block other threads during compilation.
void Games::refresh(const std::string& name) {
  Compiled compiled;
  std::optional<api::Ruleset> rules;
  {
    const std::lock_guard lock(mutex_);
    const auto one = all_.find(name);
    if (one == all_.end()) return;
    compiled = one->second.compiled;
  }
  try {
    rules = api::Ruleset::load(name);
    for (auto& [key, game] : compiled) game.second = compile(*rules, game.first);
    const std::lock_guard lock(mutex_);
    One& one = all_.at(name);
    for (const auto& [key, game] : one.compiled)
      if (!compiled.count(key)) compiled.emplace(key, std::pair(game.first, compile(*rules, game.first)));
    one = {*rules, std::move(compiled), {}};
    watcher_->watch(name, files_of(one));
  } catch (const api::Error& error) {
    {
      const std::lock_guard lock(mutex_);
      One& one = all_.at(name);
      one.broken = files_of_broken(rules ? rules->files() : one.rules.files(), error);
      watcher_->watch(name, files_of(one));
    }
    changed_(name, report_of(error));
    return;
  }
  changed_(name, {});
}

}   // namespace cardwright::server
