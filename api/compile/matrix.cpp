// Enumerates the distinct games that the options of a ruleset allow.
#include "api/compile/matrix.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace cardwright::api::detail {

namespace {

constexpr std::uint64_t kMostTogether = 200'000;
constexpr std::uint64_t kMost = 1'000'000'000'000'000'000;
constexpr std::int64_t kMostNumbers = 12;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : std::min(product, kMost);
}

}   // namespace

Matrix::Matrix(const RulesetData& rules, int players, bool all) : rules_(rules), players_(players), all_(all) {
  Diagnostics discarded(rules.sources);
  join(sema::relations(rules.parsed(), discarded));
  for (Group& group : groups_) explore(group);
}

void Matrix::join(const std::vector<sema::Relation>& relations) {
  const auto& options = rules_.parsed().options;
  std::vector<std::size_t> root(options.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(
        std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.name == name; }) - options.begin());
  };
  for (const auto& relation : relations) {
    if (relation.kind == sema::Relation::Kind::warns) continue;
    for (const std::string& name : relation.options) root[find(index(name))] = find(index(*relation.options.begin()));
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& g) { return find(index(g.options[0]->name)) == find(i); });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{});
    group->options.push_back(&options[i]);
  }
  for (std::size_t r = 0; r < relations.size(); ++r)
    for (Group& group : groups_)
      if (!relations[r].options.empty() && std::any_of(group.options.begin(), group.options.end(), [&](const auto* o) {
            return o->name == *relations[r].options.begin();
          }))
        group.relations.push_back(r);
}

std::vector<std::string> Matrix::values_of(const loading::Option& option) const {
  std::vector<std::string> values{option.initial};
  const auto add = [&](const std::string& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  };
  for (const std::string& value : option.values) add(value);
  if (option.number && (all_ || option.hi - option.lo < kMostNumbers))
    for (std::int64_t n = option.lo; n <= option.hi && values.size() <= kMostTogether; ++n) add(std::to_string(n));
  else if (option.number)
    add(std::to_string(option.lo)), add(std::to_string(option.hi));
  return values;
}

void Matrix::explore(Group& group) {
  if (group.relations.empty()) {
    const loading::Option& option = *group.options[0];
    if (all_ && option.number) {
      group.legal = group.more = static_cast<std::uint64_t>(option.hi - option.lo) + 1;
      return;
    }
    for (const std::string& value : values_of(option))
      group.games.push_back(value == option.initial ? Settings{} : Settings{{option.name, value}});
    group.legal = group.games.size();
    return;
  }
  std::vector<std::vector<std::string>> values;
  std::uint64_t product = 1;
  for (const auto* option : group.options) product = times(product, (values.emplace_back(values_of(*option))).size());
  if (product > kMostTogether) {
    counted_ = false;
    return;
  }
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t n = 0; n < product; ++n) {
    sema::Configuration asked{players_, {}};
    std::uint64_t rest = n;   // the last option varies fastest
    for (std::size_t i = group.options.size(); i-- > 0; rest /= values[i].size())
      if (rest % values[i].size() != 0)
        asked.options.emplace_back(group.options[i]->name, values[i][rest % values[i].size()]);
    Diagnostics discarded(rules_.sources);
    const sema::Resolution resolved = sema::resolve(rules_.parsed(), asked, discarded);
    const auto mine = [&](std::size_t relation) {
      return std::find(group.relations.begin(), group.relations.end(), relation) != group.relations.end();
    };
    if (std::any_of(resolved.refused_by.begin(), resolved.refused_by.end(), mine)) continue;
    const bool wrong = std::any_of(discarded.all().begin(), discarded.all().end(), [](const Diagnostic& d) {
      return d.severity == Severity::error && d.code != "options_conflict"_code && d.code != "option_needed"_code;
    });
    // True if two `implies` relations require different values of an option.
    const bool torn = resolved.refused_by.empty() && discarded.has_errors();
    if (wrong || torn) continue;
    ++group.legal;
    std::vector<std::string> becomes;
    for (const auto* option : group.options)
      for (const auto& [name, value] : resolved.options)
        if (name == option->name) becomes.push_back(value);
    if (seen.insert(std::move(becomes)).second) {
      std::reverse(asked.options.begin(), asked.options.end());
      group.games.push_back(std::move(asked.options));
    }
  }
}

std::uint64_t Matrix::legal() const {
  std::uint64_t n = 1;
  for (const Group& group : groups_) n = times(n, group.legal);
  return n;
}

std::uint64_t Matrix::distinct() const {
  std::uint64_t n = 1;
  for (const Group& group : groups_) n = times(n, group.games.size() + group.more);
  return n;
}

Settings Matrix::game(std::uint64_t n) const {
  Settings settings;
  for (std::size_t g = groups_.size(); g-- > 0; n /= groups_[g].games.size()) {
    const Settings& mine = groups_[g].games[n % groups_[g].games.size()];
    settings.insert(settings.begin(), mine.begin(), mine.end());
  }
  return settings;
}

}   // namespace cardwright::api::detail
