// Selects the configurations for a test: all combinations of numbers of players and option values, or a few that cover
// every pair of values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "api/compile/compile.h"

namespace cardwright::test {

// The dimensions: the number of players, then one per option. Number options keep their default.
struct Axes {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> values;

  explicit Axes(const api::Ruleset& rules) {
    names.push_back("players");
    values.emplace_back();
    for (int n = rules.least_players(); n <= rules.most_players(); ++n) values[0].push_back(std::to_string(n));
    for (const api::RulesetOption& option : rules.options()) {
      if (option.values.empty()) continue;
      names.push_back(option.name);
      values.emplace_back();
      for (const api::OptionValue& value : option.values) values.back().push_back(value.name);
    }
  }
  api::Configuration at(const std::vector<std::size_t>& row) const {
    api::Configuration out;
    out.players = std::stoi(values[0][row[0]]);
    for (std::size_t i = 1; i < row.size(); ++i) out.options.emplace_back(names[i], values[i][row[i]]);
    return out;
  }
};

inline std::string in_words(const api::Configuration& configuration) {
  std::string out = std::to_string(configuration.players) + " players";
  for (const auto& [name, value] : configuration.options) out += " " + name + "=" + value;
  return out;
}

// Returns true if the options are compatible with each other and with the number of players.
inline bool is_legal(const api::Ruleset& rules, const api::Configuration& configuration) {
  const api::detail::RulesetData& data = *rules.data();
  Diagnostics discarded(data.sources);
  const auto resolved = sema::resolve(data.parsed(), {configuration.players, configuration.options}, discarded);
  return resolved.refused_by.empty() && !discarded.has_errors();
}

inline std::vector<api::Configuration> full_product(const api::Ruleset& rules) {
  const Axes axes(rules);
  std::vector<api::Configuration> out;
  std::vector<std::size_t> row(axes.values.size(), 0);
  for (;;) {
    if (const auto table = axes.at(row); is_legal(rules, table)) out.push_back(table);
    std::size_t i = 0;
    while (i < row.size() && ++row[i] == axes.values[i].size()) row[i++] = 0;
    if (i == row.size()) return out;
  }
}

// Computes the cover greedily: each row is the candidate that covers the most new pairs. Two values that exclude each
// other are not a pair.
inline std::vector<api::Configuration> pairwise_cover(const api::Ruleset& rules) {
  const Axes axes(rules);
  const std::size_t count = axes.values.size();
  using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
  std::set<Pair> open;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      for (std::size_t v = 0; v < axes.values[i].size(); ++v)
        for (std::size_t w = 0; w < axes.values[j].size(); ++w) open.insert({i, v, j, w});
  const auto pairs_of = [&](const std::vector<std::size_t>& row) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j)
        if (const Pair pair{i, row[i], j, row[j]}; open.count(pair)) pairs.push_back(pair);
    return pairs;
  };
  std::uint64_t random = 7;
  std::vector<api::Configuration> out;
  if (count == 1) {
    for (std::size_t v = 0; v < axes.values[0].size(); ++v)
      if (const auto table = axes.at({v}); is_legal(rules, table)) out.push_back(table);
    return out;
  }
  while (!open.empty()) {
    std::vector<std::size_t> best;
    std::vector<Pair> won;
    for (int attempt = 0; attempt < 200; ++attempt) {
      std::vector<std::size_t> row(count);
      for (std::size_t i = 0; i < count; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        row[i] = (random >> 33) % axes.values[i].size();
      }
      const auto& [i, v, j, w] = *open.begin();   // each candidate covers at least this pair
      row[i] = v;
      row[j] = w;
      if (auto pairs = pairs_of(row); pairs.size() > won.size() && is_legal(rules, axes.at(row)))
        best = row, won = std::move(pairs);
    }
    if (won.empty()) {
      open.erase(open.begin());
      continue;
    }
    for (const Pair& pair : won) open.erase(pair);
    out.push_back(axes.at(best));
  }
  return out;
}

}   // namespace cardwright::test
