// Lists the rules and statements of a ruleset that scenarios can reach.
#pragma once

#include <string>
#include <vector>

#include "api/compile/compile.h"
#include "api/scenarios/witness.h"
#include "cardwright/coverage.hpp"

namespace cardwright::api::detail {

struct RulePlace {
  const ast::Node* node = nullptr;
  std::string kind;
  std::string of;   // the card, card type or character that has the rule; can be empty
  RuleOwner owner = RuleOwner::file;
  bool is_option = false;   // true for an action or a play, which players can choose
};
struct RulePlaces {
  std::vector<RulePlace> rules;
  std::vector<RulePlace> statements;
};
RulePlaces rule_places(const loading::Ruleset& ruleset);

bool is_statement(ast::NodeKind kind);
// Returns the range of a declaration. For one of several actions in a `forbid`, this is the range of the whole
// `forbid`.
Range whole_range(const SourceMap& sources, const ast::Node& node);
// Returns the first line of a declaration without its body: "forbid lay when me.tired".
std::string head_of(const SourceMap& sources, const ast::Node& node);
// Returns the number of times that the rule or statement in this range took effect.
std::uint64_t times_reached(const Reached& reached, const Range& range);
// A scenario with its result, and the rules and options that it reaches.
struct ReachedBy {
  const loading::ScenarioInfo* scenario = nullptr;
  ScenarioResult result;
  Reached reached;
  std::vector<std::pair<std::string, std::string>> options;   // all options with their values
};
// Plays the scenarios whose titles contain `filter`, and records what each one reaches.
std::vector<ReachedBy> reach(const Ruleset& rules, std::string_view filter);

}   // namespace cardwright::api::detail
