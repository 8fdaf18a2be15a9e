// The options of a ruleset as a matrix. Options that some relation joins are looked at together, the others alone: so
// twenty switches that have nothing to do with each other take forty steps, not a million.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "api/compile/compile.h"

namespace cardwright::api::detail {

using Settings = std::vector<std::pair<std::string, std::string>>;

class Matrix {
 public:
  // With `all`, every value of an option that is a number; without, its default and its ends where there are many.
  Matrix(const RulesetData& rules, int players, bool all);

  bool counted() const { return counted_; }
  std::uint64_t legal() const;
  std::uint64_t distinct() const;
  // The settings that make the n-th different game, defaults left out; the first is the game as it stands.
  Settings game(std::uint64_t n) const;

 private:
  struct Group {
    std::vector<const sema::Option*> options;
    std::vector<std::size_t> relations;
    std::uint64_t legal = 0;
    std::vector<Settings> games;   // one that makes each different game
    std::uint64_t more = 0;   // games that are counted, but not listed
  };
  void join(const std::vector<sema::Relation>& relations);
  void explore(Group& group);
  std::vector<std::string> values_of(const sema::Option& option) const;

  const RulesetData& rules_;
  int players_;
  bool all_;
  bool counted_ = true;
  std::vector<Group> groups_;
};

}   // namespace cardwright::api::detail
