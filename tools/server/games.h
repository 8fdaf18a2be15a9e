// The games that are played here: compiled once for all tables of the same players and options, and again when somebody
// has edited a file that they are made of.
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
  // `changed` is called on a thread of its own, after what get() gives has changed; with a report, JSON of
  // Report::json, where the rules are wrong as they are now and nothing has changed.
  Games(Files& files, std::function<void(const std::string& name, const std::string& report)> changed);

  // From now on there are tables of this game. `name`: what Ruleset::load takes. Throws as that does.
  void add(const std::string& name);
  bool has(const std::string& name) const;
  // Compiled by the interpreter, with its description in Files. Throws Error as Ruleset::compile does, and caller where
  // the game wasn't added.
  api::Game get(const std::string& name, const api::Configuration& configuration);
  // As if one of its files had changed.
  void reload(const std::string& name);

 private:
  using Compiled = std::map<std::string, std::pair<api::Configuration, api::Game>>;
  struct One {
    api::Ruleset rules;
    Compiled compiled;
    std::vector<std::string> broken;   // files of the rules as they are now, where those are wrong
  };
  static std::vector<std::string> files_of(const One& one);
  void refresh(const std::string& name);
  api::Game compile(const api::Ruleset& rules, const api::Configuration& configuration);
  Files& files_;
  std::function<void(const std::string&, const std::string&)> changed_;
  mutable std::mutex mutex_;
  std::map<std::string, One> all_;
  std::unique_ptr<Watcher> watcher_;   // last: its thread uses the rest
};

}   // namespace cardwright::server
