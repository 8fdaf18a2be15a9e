// Manages the games of this server. Each game is compiled once for all tables with the same players and options, and
// recompiled after a change of its files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "tools/server/files.h"
#include "tools/server/watcher.h"

namespace cardwright::server {

class Games {
 public:
  // Calls `changed` on a separate thread after the rules of a game have changed. If the new rules have errors, `report`
  // lists them in the format of Report::json, and get() still returns the earlier games.
  Games(Files& files, std::function<void(const std::string& name, const std::string& report)> changed);

  // Registers a game. `name` is an argument of Ruleset::load; throws the same errors.
  void add(const std::string& name);
  bool has(const std::string& name) const;
  // Returns the game compiled for the interpreter, with its description in Files. Throws the errors of
  // Ruleset::compile, and Error(caller) if the game was not added.
  api::Game get(const std::string& name, const api::Configuration& configuration);
  // Acts as if a file of the game had changed.
  void reload(const std::string& name);

 private:
  using Compiled = std::map<std::string, std::pair<api::Configuration, api::Game>>;
  struct One {
    api::Ruleset rules;
    Compiled compiled;
    std::vector<std::string> broken;   // files to watch while the rules on disk have errors
  };
  static std::vector<std::string> files_of(const One& one);
  void refresh(const std::string& name);
  api::Game compile(const api::Ruleset& rules, const api::Configuration& configuration);
  Files& files_;
  std::function<void(const std::string&, const std::string&)> changed_;
  mutable std::mutex mutex_;
  std::map<std::string, One> all_;
  std::unique_ptr<Watcher> watcher_;   // last member, because its thread uses the others
};

}   // namespace cardwright::server
