// Represents the options of a ruleset as a matrix of variants. Only options that relations link are enumerated
// together; all other options are enumerated independently, so that twenty independent switches take forty steps
// instead of a million.
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
  // If `all` is true, uses every value of number options. Otherwise, uses only the default, minimum and maximum of a
  // number option with many values.
  Matrix(const RulesetData& rules, int players, bool all);

  bool counted() const { return counted_; }
  std::uint64_t legal() const;
  std::uint64_t distinct() const;
  // Returns the settings of the n-th distinct game that differ from the defaults; game 0 has none.
  Settings game(std::uint64_t n) const;

 private:
  struct Group {
    std::vector<const loading::Option*> options;
    std::vector<std::size_t> relations;
    std::uint64_t legal = 0;
    std::vector<Settings> games;   // the settings of each distinct game
    std::uint64_t more = 0;   // games that are counted but not listed
  };
  void join(const std::vector<sema::Relation>& relations);
  void explore(Group& group);
  std::vector<std::string> values_of(const loading::Option& option) const;

  const RulesetData& rules_;
  int players_;
  bool all_;
  bool counted_ = true;
  std::vector<Group> groups_;
};

}   // namespace cardwright::api::detail
