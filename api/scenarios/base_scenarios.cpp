// Plays the scenarios of a base game with the house rules that extend it. Reports which scenarios still pass, which
// fail and which house rules cause the failure, and which no longer apply.
#include <algorithm>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "cardwright/tools.hpp"
#include "compiler/ast/views.h"

namespace cardwright::api {

namespace {

struct Played {
  std::string refused;   // reason why the scenario cannot be played; empty if it can be played
  ScenarioResult result;
};

// Extracts the message from the first line of the report: "house.rules:3:9: error[E0201]: no card named `x`" becomes
// "no card named `x`".
std::string first_message(const Report& report) {
  std::string line = report.text.substr(0, report.text.find('\n'));
  if (const auto code = line.find(": error["); code != std::string::npos)
    if (const auto end = line.find("]: ", code); end != std::string::npos) line = line.substr(end + 3);
  return line;
}

Played play(const detail::RulesetData& whole, const loading::Excerpt& excerpt) {
  Played played;
  const auto rules = detail::load_excerpt(whole, excerpt);
  played.result.title = *excerpt.scenario;
  if (rules->report.errors > 0 || !rules->cached_parse || rules->cached_parse->scenarios.empty()) {
    played.refused = rules->report.errors > 0 ? first_message(rules->report) : "scenario not found";
    return played;
  }
  const Ruleset ruleset(rules);
  const loading::ScenarioInfo& info = rules->cached_parse->scenarios.front();
  try {
    const Game game = ruleset.compile({info.players, info.options});
    ScenarioRun run = run_scenarios(ruleset, {EngineKind::interpreter});
    if (run.results.size() == 1)
      played.result = std::move(run.results[0]);
    else
      played.refused = run.report.errors > 0 ? first_message(run.report) : "scenario not found";
  } catch (const Error& error) {
    if (error.blame() == Blame::internal) throw;
    played.refused = error.report().errors > 0 ? first_message(error.report()) : error.what();
  }
  return played;
}

bool fails_alike(const ScenarioResult& a, const ScenarioResult& b) {
  return a.place == b.place && a.expected == b.expected && a.found == b.found;
}

// Finds a minimal set of declarations in the house file that makes the scenario fail in the same way: removes large and
// then smaller parts of the file, as long as the scenario still fails.
std::vector<std::size_t> to_blame(const detail::RulesetData& whole, const ScenarioResult& failed) {
  const ast::Node& file = *whole.parsed().units.back().root;
  std::vector<std::size_t> suspects;
  for (std::size_t i = 0; i < file.children.size(); ++i) {
    const ast::Node* n = file.children[i];
    const bool is_rule =
        n && n->kind != ast::NodeKind::game && n->kind != ast::NodeKind::scenario && n->kind != ast::NodeKind::scene;
    if (is_rule) suspects.push_back(i);
  }
  loading::Excerpt excerpt{true, failed.title, {}};
  for (std::size_t size = suspects.size(); size > 0; size = size > 1 ? (size + 1) / 2 : 0)
    for (std::size_t at = 0; at < suspects.size();) {
      const std::size_t end = std::min(at + size, suspects.size());
      loading::Excerpt fewer = excerpt;
      fewer.left_out.insert(suspects.begin() + static_cast<std::ptrdiff_t>(at),
                            suspects.begin() + static_cast<std::ptrdiff_t>(end));
      const Played played = play(whole, fewer);
      if (played.refused.empty() && !played.result.passed && fails_alike(played.result, failed)) {
        excerpt = std::move(fewer);
        suspects.erase(suspects.begin() + static_cast<std::ptrdiff_t>(at),
                       suspects.begin() + static_cast<std::ptrdiff_t>(end));
      } else {
        at = end;
      }
    }
  return suspects;
}

std::string described(const detail::RulesetData& whole, std::size_t declaration) {
  constexpr std::size_t kMost = 90;
  const ast::Node* n = whole.parsed().units.back().root->children[declaration];
  const std::string_view file = whole.sources.text(n->range.source), before = file.substr(0, n->range.begin);
  const std::size_t newline = before.rfind('\n'), begin = newline == before.npos ? 0 : newline + 1;
  const bool first = before.find(';', begin) == before.npos;   // the range of `forbid lay` begins at `lay`
  std::string line(file.substr(first ? begin : n->range.begin, n->range.end - (first ? begin : n->range.begin)));
  line.resize(std::min(line.find('\n'), line.size()));
  if (line.size() > kMost) line = line.substr(0, kMost) + "…";
  return fmt::format("{}: {}", whole.sources.describe(n->range), line);
}

// Returns what the house file does with a scenario of its base: "replaced", "removed" or "removed: REASON"; empty if
// the file does not mention the scenario.
std::string answer_to(const ast::Node& file, std::string_view title) {
  for (const ast::Node* n : file.children) {
    if (!n) continue;
    if (n->kind == ast::NodeKind::replace_decl && ast::view::replace_decl(n).declaration() &&
        ast::view::replace_decl(n).declaration()->kind == ast::NodeKind::scenario &&
        ast::view::replace_decl(n).declaration()->text == title)
      return "replaced";
    if (n->kind != ast::NodeKind::remove_decl || n->text != title || !ast::view::remove_decl(n).what() ||
        ast::view::remove_decl(n).what()->text != "scenario")
      continue;
    const ast::Node* why = ast::view::remove_decl(n).why();
    return why ? fmt::format("removed: {}", why->text) : "removed";
  }
  return {};
}

}   // namespace

std::vector<BaseScenario> run_base_scenarios(const Ruleset& house, std::string_view filter) {
  const detail::RulesetData& whole = *house.data();
  const loading::Ruleset& parsed = whole.parsed();
  if (parsed.units.back().depth == 0)
    throw Error(Blame::caller, fmt::format("{} does not extend a game, so it has no base scenarios", house.shown_as()));
  // Throws if the house rules have errors, which must not be reported as failures of scenarios.
  house.compile();
  std::vector<BaseScenario> out;
  const auto base = detail::load_excerpt(whole, {true, {}, {}});
  for (const loading::ScenarioInfo& info : base->cached_parse->scenarios) {
    if (!filter.empty() && info.title.find(filter) == std::string::npos) continue;
    BaseScenario& one = out.emplace_back();
    if (std::string answer = answer_to(*parsed.units.back().root, info.title); !answer.empty()) {
      one.fate = BaseScenario::Fate::overridden;
      one.result.title = info.title;
      one.result.place = base->sources.describe(info.range);
      one.result.found = std::move(answer);
      continue;
    }
    Played played = play(whole, {true, info.title, {}});
    one.result = std::move(played.result);
    if (!played.refused.empty()) {
      one.fate = BaseScenario::Fate::skipped;
      one.result.place = base->sources.describe(info.range);
      one.result.found = std::move(played.refused);
    } else if (!one.result.passed) {
      one.fate = BaseScenario::Fate::changed;
      for (const std::size_t declaration : to_blame(whole, one.result)) one.by.push_back(described(whole, declaration));
    }
  }
  return out;
}

}   // namespace cardwright::api
