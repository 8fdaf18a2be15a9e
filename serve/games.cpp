// See games.h.
#include "serve/games.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/look.hpp"
#include "cardwright/showing.hpp"

namespace cardwright::serve {

namespace {

std::string key_of(const api::Configuration& configuration) {
  std::string key = std::to_string(configuration.players);
  for (const auto& [name, value] : configuration.options) key += fmt::format("\n{}={}", name, value);
  return key;
}

// Of rules and looks.
std::vector<std::string> files_of(const api::Ruleset& rules, const api::Game& game) {
  std::vector<std::string> files = rules.files();
  for (const std::string& look : api::look_of(game).files) files.push_back(look);
  return files;
}

// What was wrong, as Report::json says it.
std::string report_of(const api::Error& error) {
  if (error.report().errors > 0) return error.report().json;
  return nlohmann::ordered_json::array({{{"severity", "error"}, {"message", error.what()}}}).dump();
}

}  // namespace

Games::Games(Files& files, std::function<void(const std::string&, const std::string&)> changed)
    : files_(files),
      changed_(std::move(changed)),
      watcher_(std::make_unique<Watcher>([this](const std::string& name) { refresh(name); })) {}

void Games::add(const std::string& name) {
  api::Ruleset rules = api::Ruleset::load(name);
  const std::lock_guard lock(mutex_);
  const One& one = all_.try_emplace(name, One{std::move(rules), {}}).first->second;
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
  if (one == all_.end())
    throw api::Error(api::Blame::caller, fmt::format("this server was not started with `{}`", name));
  auto& compiled = one->second.compiled;
  const std::string key = key_of(configuration);
  auto game = compiled.find(key);
  if (game == compiled.end()) {
    game = compiled.emplace(key, std::pair(configuration, compile(one->second.rules, configuration))).first;
    watcher_->watch(name, files_of(one->second.rules, game->second.second));   // tables of cards are read now
  }
  return game->second.second;
}

void Games::reload(const std::string& name) { watcher_->tell(name); }

// The old ones stay where a new one is wrong, so that tables can go on. What is compiled meanwhile is waited for by
// nobody.
void Games::refresh(const std::string& name) {
  std::map<std::string, std::pair<api::Configuration, api::Game>> compiled;
  {
    const std::lock_guard lock(mutex_);
    const auto one = all_.find(name);
    if (one == all_.end()) return;
    compiled = one->second.compiled;
  }
  try {
    api::Ruleset rules = api::Ruleset::load(name);
    for (auto& [key, game] : compiled) game.second = compile(rules, game.first);
    const std::lock_guard lock(mutex_);
    One& one = all_.at(name);
    one.rules = std::move(rules);
    for (auto& [key, game] : one.compiled)
      if (const auto fresh = compiled.find(key); fresh != compiled.end())
        game = fresh->second;
      else
        game.second = compile(one.rules, game.first);
    if (!one.compiled.empty()) watcher_->watch(name, files_of(one.rules, one.compiled.begin()->second.second));
  } catch (const api::Error& error) {
    changed_(name, report_of(error));
    return;
  }
  changed_(name, {});
}

}  // namespace cardwright::serve
