// Implements mutation testing: applies small changes to the rules of a file, one at a time, and checks that a scenario
// fails.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/scenarios/rule_places.h"
#include "api/scenarios/scenarios.h"
#include "cardwright/coverage.hpp"
#include "compiler/ast/views.h"
#include "api/game/parallel.h"

namespace cardwright::api {

namespace {

namespace view = ast::view;
using ast::Node;
using ast::NodeKind;
using detail::ReachedBy;

// One change of the file's text.
struct Change {
  Range range;   // the replaced text
  std::string by, words;
  Range rule;   // the innermost statement or rule that contains the replaced text
};

class Changes {
 public:
  explicit Changes(const SourceMap& sources) : sources_(sources) {}

  void collect(const Node* node) {
    if (!node) return;
    switch (node->kind) {
      case NodeKind::scene:
      case NodeKind::scenario:
      case NodeKind::measure_decl:
      case NodeKind::policy_decl: return;
      default: break;
    }
    const Range outer = rule_;
    const bool was_code = code_;
    enter(*node);
    change(*node);
    for (const Node* child : node->children) collect(child);
    rule_ = outer;
    code_ = was_code;
  }
  std::vector<Change> out;

 private:
  // Determines whether the numbers and operators in a node are code. In the head of a declaration, they belong to types
  // or counts, which are not changed.
  void enter(const Node& node) {
    if (detail::is_statement(node.kind)) rule_ = node.range, code_ = true;
    switch (node.kind) {
      case NodeKind::value_decl:
      case NodeKind::function_decl:
      case NodeKind::sequence_decl:
      case NodeKind::modify_decl:
      case NodeKind::forbid_decl:
      case NodeKind::trigger_decl:
      case NodeKind::whenever_decl:
      case NodeKind::action_decl:
      case NodeKind::play_decl:
      case NodeKind::end_when:
      case NodeKind::event_decl:
      case NodeKind::window_decl: rule_ = node.range, code_ = true; break;
      case NodeKind::limit:
      case NodeKind::type_name:
      case NodeKind::type_range:
      case NodeKind::type_optional:
      case NodeKind::type_set:
      case NodeKind::type_list:
      case NodeKind::type_map:
      case NodeKind::pattern: code_ = false; break;
      default: break;
    }
  }

  void change(const Node& node) {
    switch (node.kind) {
      case NodeKind::modify_decl: leave_out(node); return hold_always(view::modify_decl(&node).when());
      case NodeKind::forbid_decl: leave_out(node); return hold_always(view::forbid_decl(&node).when());
      case NodeKind::trigger_decl: leave_out(node); return hold_always(view::trigger_decl(&node).when());
      case NodeKind::whenever_decl:
      case NodeKind::also_decl: return leave_out(node);
      case NodeKind::end_when: return negate(view::end_when(&node).condition());
      case NodeKind::action_decl: return hold_always(view::action_decl(&node).when());
      case NodeKind::play_decl: return hold_always(view::play_decl(&node).when());
      case NodeKind::if_stmt: return negate(view::if_stmt(&node).condition());
      case NodeKind::each_stmt:
      case NodeKind::repeat_stmt:
      case NodeKind::assign_stmt:
      case NodeKind::call_stmt:
      case NodeKind::move_stmt:
      case NodeKind::deal_stmt:
      case NodeKind::shuffle_stmt:
      case NodeKind::reveal_stmt:
      case NodeKind::peek_stmt:
      case NodeKind::turn_stmt:
      case NodeKind::eliminate_stmt:
      case NodeKind::swap_stmt:
      case NodeKind::place_stmt:
      case NodeKind::lift_stmt:
      case NodeKind::afterwards_stmt:
      case NodeKind::cancel_stmt:
      case NodeKind::end_stmt: return leave_out(node);
      case NodeKind::binary: return change_operator(node);
      case NodeKind::number:
        if (code_ && node.text.empty() && node.number < 1'000'000)
          add(node.range, std::to_string(node.number + 1), fmt::format("`{}` to `{}`", node.number, node.number + 1));
        return;
      default: return;
    }
  }

  void leave_out(const Node& node) {
    add(detail::whole_range(sources_, node), "", fmt::format("`{}` left out", text(node)));
  }
  void hold_always(const Node* condition) {
    if (condition) add(condition->range, "true", fmt::format("`when {}` left out", text(*condition)));
  }
  void negate(const Node* condition) {
    if (condition)
      add(condition->range, fmt::format("not ({})", sources_.text(condition->range)),
          fmt::format("`{}` to `not ({})`", text(*condition), text(*condition)));
  }

  void change_operator(const Node& node) {
    static constexpr std::pair<std::string_view, std::string_view> kOther[] = {
        {"<", "<="},  {"<=", "<"}, {">", ">="},   {">=", ">"},  {"==", "!="},
        {"!=", "=="}, {"+", "-"},  {"and", "or"}, {"or", "and"}};
    const Node *left = view::binary(&node).left(), *right = view::binary(&node).right();
    const auto* other = std::ranges::find(kOther, node.text, &std::pair<std::string_view, std::string_view>::first);
    if (!code_ || !left || !right || other == std::end(kOther)) return;
    const std::string_view file = sources_.text(node.range.source);
    const std::size_t at = file.find(node.text, left->range.end);
    if (at == std::string_view::npos || at >= right->range.begin) return;
    add({node.range.source, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + node.text.size())},
        std::string(other->second), fmt::format("`{}` to `{}` in `{}`", other->first, other->second, text(node)));
  }

  std::string text(const Node& node) const { return detail::head_of(sources_, node); }
  void add(Range range, std::string by, std::string words) {
    // `forbid lay, skip` has a node for each action, and both nodes have the same range.
    const bool again = !out.empty() && out.back().range == range && out.back().by == by;
    if (rule_.known() && !again) out.push_back({range, std::move(by), std::move(words), rule_});
  }

  const SourceMap& sources_;
  Range rule_;
  bool code_ = false;
};

class Trial {
 public:
  Trial(const Ruleset& rules, const std::vector<ReachedBy>& scenarios) : rules_(rules), scenarios_(scenarios) {}

  bool is_reached(const Change& change) const {
    return std::ranges::any_of(scenarios_, [&](const ReachedBy& s) { return reaches(s, change); });
  }

  // Tests a change. Scenarios that reach the changed rule run first, because they are the most likely to fail.
  Mutant run(const Change& change) const {
    const detail::RulesetData& whole = *rules_.data();
    Mutant mutant{whole.sources.describe(change.range), change.words, Mutant::Fate::survived, {}};
    std::string text(whole.sources.text(change.range.source));
    text.replace(change.range.begin, change.range.end - change.range.begin, change.by);
    const auto data = detail::load_excerpt(whole, {.text = std::move(text)});
    if (data->report.errors > 0 || !data->cached_parse) return invalid(mutant);
    const Ruleset changed(data);
    std::vector<Game> games;
    for (const bool first : {true, false})
      for (const ReachedBy& one : scenarios_) {
        if (reaches(one, change) != first) continue;
        const auto& all = data->cached_parse->scenarios;
        const auto same = std::ranges::find(all, one.scenario->title, &loading::ScenarioInfo::title);
        if (same == all.end()) return invalid(mutant);
        try {
          if (detail::play_scenario(changed, *same, {}, games).passed) continue;
        } catch (const Error& error) {
          if (error.blame() != Blame::author) throw;
          return invalid(mutant);
        }
        mutant.fate = Mutant::Fate::killed;
        mutant.by = one.scenario->title;
        return mutant;
      }
    return mutant;
  }

 private:
  static bool reaches(const ReachedBy& scenario, const Change& change) {
    return detail::times_reached(scenario.reached, change.rule) > 0;
  }
  static Mutant invalid(Mutant mutant) {
    mutant.fate = Mutant::Fate::invalid;
    return mutant;
  }

  const Ruleset& rules_;
  const std::vector<ReachedBy>& scenarios_;
};

void need_good_scenarios(const Ruleset& rules, const std::vector<ReachedBy>& scenarios, const std::string& filter) {
  if (scenarios.empty())
    throw Error(Blame::caller, fmt::format("{} has no scenarios{} to detect changed rules", rules.shown_as(),
                                           filter.empty() ? "" : " with that name"));
  for (const ReachedBy& one : scenarios)
    if (!one.result.passed)
      throw Error(Blame::caller, fmt::format("scenario \"{}\" fails without any change: run `cardwright test {}` first",
                                             one.result.title, rules.shown_as()));
}

}   // namespace

Mutation test_mutants(const Ruleset& rules, const MutationSettings& settings) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  need_threads(settings.threads);
  const std::vector<ReachedBy> scenarios = detail::reach(rules, settings.filter);
  need_good_scenarios(rules, scenarios, settings.filter);
  Changes changes(rules.data()->sources);
  changes.collect(rules.data()->parsed().units.back().root);
  const std::vector<Change>& all = changes.out;
  const Trial trial(rules, scenarios);

  std::vector<std::optional<Mutant>> tried(all.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (trial.is_reached(all[i]))
      order.push_back(i);
    else
      tried[i] = Mutant{rules.data()->sources.describe(all[i].range), all[i].words, Mutant::Fate::unreached, {}};
  // The order is random, so that the mutants tested before the time limit are a sample of the whole file.
  std::shuffle(order.begin(), order.end(), std::mt19937_64(settings.seed));
  std::atomic<std::uint64_t> done{0};
  const auto tick = [&] {
    if (settings.progress) settings.progress(done, order.size());
  };
  run_blocks(
      thread_count(settings.threads, order.size()), order.size(),
      [&](int, std::uint64_t block) {
        const bool stopped = settings.stop && settings.stop->load(std::memory_order_relaxed);
        if (stopped || (settings.seconds > 0 && seconds() > settings.seconds)) return false;
        tried[order[block]] = trial.run(all[order[block]]);
        ++done;
        return true;
      },
      tick);

  Mutation out;
  out.total = all.size();
  out.scenarios = scenarios.size();
  for (std::optional<Mutant>& mutant : tried)
    if (mutant) out.mutants.push_back(std::move(*mutant));
  out.left = out.total - out.mutants.size();
  out.seconds = seconds();
  return out;
}

}   // namespace cardwright::api
