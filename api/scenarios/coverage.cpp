// Finds the rules, options and statements that the scenarios of a file reach.
#include "cardwright/coverage.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/scenarios/rule_places.h"

namespace cardwright::api {

namespace {

using detail::Reached;
using detail::ReachedBy;
using detail::RulePlace;

Reached all_reached(const std::vector<ReachedBy>& scenarios) {
  Reached all;
  for (const ReachedBy& one : scenarios) {
    for (const auto& [place, count] : one.reached.rules) all.rules[place] += count;
    for (const auto& [place, option] : one.reached.options) {
      all.options[place].offered += option.offered;
      all.options[place].taken += option.taken;
    }
  }
  return all;
}

// Returns how often the action in this declaration was offered and taken.
Reached::Option option_at(const Reached& reached, const Range& range) {
  Reached::Option found;
  for (const auto& [place, option] : reached.options) {
    const auto& [source, begin, end] = place;
    if (source != range.source || begin < range.begin || end > range.end) continue;
    found.offered += option.offered;
    found.taken += option.taken;
  }
  return found;
}

CoveredRule covered(const SourceMap& sources, const RulePlace& place, const Reached& reached) {
  CoveredRule rule;
  const Range& range = place.node->range;
  rule.kind = place.kind;
  rule.name = detail::head_of(sources, *place.node);
  if (place.kind == "choice") rule.name = fmt::format("choice {}", rule.name);
  if (!place.of.empty()) rule.name = fmt::format("{}: {}", place.of, rule.name);
  rule.file = sources.name(range.source);
  rule.line = static_cast<int>(sources.place(range.source, range.begin).line);
  rule.owner = place.owner;
  rule.reached = detail::times_reached(reached, range);
  if (!place.is_option) return rule;
  const Reached::Option option = option_at(reached, range);
  rule.offered = option.offered;
  rule.taken = option.taken;
  return rule;
}

std::vector<CoveredOption> covered_options(const Ruleset& rules, const std::vector<ReachedBy>& scenarios) {
  std::vector<CoveredOption> out;
  for (const RulesetOption& option : rules.options()) {
    CoveredOption& one = out.emplace_back();
    one.name = option.name;
    const auto count = [&](const std::string& value) -> std::uint64_t& {
      const auto is_it = [&](const auto& v) { return v.first == value; };
      const auto known = std::find_if(one.values.begin(), one.values.end(), is_it);
      return known != one.values.end() ? known->second : one.values.emplace_back(value, 0).second;
    };
    count(option.standard);
    for (const OptionValue& value : option.values) count(value.name);
    for (const ReachedBy& scenario : scenarios)
      for (const auto& [name, value] : scenario.options)
        if (name == option.name) ++count(value);
  }
  return out;
}

// Returns the name of a rule in the tracefile. Names must be unique, because lcov merges functions with equal names,
// and without commas, because commas separate fields.
std::string lcov_name(const CoveredRule& rule) {
  std::string name = fmt::format("{} (line {})", rule.name, rule.line);
  std::replace(name.begin(), name.end(), ',', ';');
  return name;
}

}   // namespace

std::string_view name_of(RuleOwner owner) {
  switch (owner) {
    case RuleOwner::file: return "file";
    case RuleOwner::base: return "base";
    case RuleOwner::library: return "library";
  }
  return {};
}

Coverage measure_coverage(const Ruleset& rules, std::string_view filter) {
  const std::vector<ReachedBy> scenarios = detail::reach(rules, filter);
  const Reached reached = all_reached(scenarios);
  const detail::RulesetData& data = *rules.data();
  const detail::RulePlaces places = detail::rule_places(data.parsed());
  Coverage coverage;
  coverage.scenarios = scenarios.size();
  coverage.failed = static_cast<std::uint64_t>(
      std::count_if(scenarios.begin(), scenarios.end(), [](const ReachedBy& one) { return !one.result.passed; }));
  for (const RulePlace& place : places.rules) coverage.rules.push_back(covered(data.sources, place, reached));
  for (const RulePlace& place : places.statements) {
    const CoveredRule at = covered(data.sources, place, reached);
    coverage.statements.push_back({at.file, at.line, at.owner, at.reached});
  }
  coverage.options = covered_options(rules, scenarios);
  return coverage;
}

std::string lcov(const Coverage& coverage) {
  struct File {
    std::vector<const CoveredRule*> rules;
    std::map<int, std::uint64_t> lines;
  };
  std::map<std::string, File> files;
  for (const CoveredRule& rule : coverage.rules) {
    files[rule.file].rules.push_back(&rule);
    auto& line = files[rule.file].lines[rule.line];
    line = std::max(line, rule.reached);
  }
  for (const CoveredStatement& statement : coverage.statements) {
    auto& line = files[statement.file].lines[statement.line];
    line = std::max(line, statement.reached);
  }
  std::string out;
  for (const auto& [name, file] : files) {
    out += fmt::format("TN:scenarios\nSF:{}\n", name);
    std::size_t rules_hit = 0, lines_hit = 0;
    for (const CoveredRule* rule : file.rules) out += fmt::format("FN:{},{}\n", rule->line, lcov_name(*rule));
    for (const CoveredRule* rule : file.rules) {
      out += fmt::format("FNDA:{},{}\n", rule->reached, lcov_name(*rule));
      rules_hit += rule->reached > 0;
    }
    out += fmt::format("FNF:{}\nFNH:{}\n", file.rules.size(), rules_hit);
    for (const auto& [line, count] : file.lines) {
      out += fmt::format("DA:{},{}\n", line, count);
      lines_hit += count > 0;
    }
    out += fmt::format("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(), lines_hit);
  }
  return out;
}

}   // namespace cardwright::api
