// Finds the rules of a file that have no effect in uniformly random games.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/compile/compile.h"
#include "api/scenarios/rule_counter.h"

namespace cardwright::api::detail {

class UnreachedRules {
 public:
  explicit UnreachedRules(const std::shared_ptr<const RulesetData>& rules) : rules_(rules) {}

  // Plays games at a table for at most `seconds` of processor time. The rules are compiled without optimizations, so
  // that every rule that takes effect is counted. Game i is the same as game i of `simulate --seed`.
  void play(const sema::Configuration& table, std::uint64_t games, std::uint64_t seed, double seconds);
  std::uint64_t games() const { return games_; }   // number of games played at all tables
  // Returns the triggers, modifiers, permissions, endings, actions and plays of the file itself, not of its base or
  // libraries, that exist at some table and that no game reached, in source order.
  std::vector<std::string> rules() const;

 private:
  std::shared_ptr<const RulesetData> rules_;
  Reached reached_;   // has an entry for each rule that exists at some table; 0: the rule was not reached
  std::uint64_t games_ = 0;
};

}   // namespace cardwright::api::detail
