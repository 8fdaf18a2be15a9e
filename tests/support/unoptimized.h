// Compares games from rules compiled with all optimizations and without any (Configuration::plain): a difference means
// that an optimization changes the meaning of a rule.
#pragma once

#include <string>

#include "api/compile/compile.h"
#include "tests/support/differential.h"
#include "tests/support/pairwise_cover.h"

namespace cardwright::test {

// Reduces the failure to its kind and location. Rule stacks differ, because inlined rules have no entry.
inline Course without_rule_stack(Course course) {
  const std::string first = course.failure.substr(0, course.failure.find('\n'));
  if (!first.empty()) course.failure = first.substr(0, first.find(" in ")) + first.substr(first.rfind(" at "));
  return course;
}

// Compares optimized and unoptimized games: the decisions with their options, the rules state at each decision, and the
// end. Skips games that run out of fuel, because unoptimized code consumes more fuel.
inline std::string compare_with_unoptimized(const api::Game& optimized, const api::Game& unoptimized,
                                            std::uint64_t seed, int games, const Limits& limits = {}) {
  if (optimized.option_ids() != unoptimized.option_ids())
    return fmt::format("{} and {} ids of options", optimized.option_ids(), unoptimized.option_ids());
  Limits more = limits;
  more.fuel_per_decision *= 100;
  for (int i = 0; i < games; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const auto name = [&](const char* form) {
      return fmt::format("game {} seed {}, optimized and unoptimized, {}", index, seed, form);
    };
    const Course one = without_rule_stack(play_stepwise(*optimized.data(), seed, index, true, more));
    const Course other = without_rule_stack(play_stepwise(*unoptimized.data(), seed, index, true, more));
    if (!one.listing.empty()) return name("listed") + ": " + one.listing;
    if (!other.listing.empty()) return name("listed unoptimized") + ": " + other.listing;
    std::string wrong = compare_courses(one, other, name("stepwise"), true);
    if (wrong.empty())
      wrong = compare_courses(one, without_rule_stack(play_out(*unoptimized.data(), seed, index, false, more)),
                              name("playout"), false);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

inline std::string compare_with_unoptimized(const api::Ruleset& rules, api::Configuration table, api::EngineKind engine,
                                            std::uint64_t seed, int games, const Limits& limits = {}) {
  const api::Game optimized = rules.compile(table, api::EngineKind::interpreter);
  table.plain = true;
  const std::string wrong = compare_with_unoptimized(optimized, rules.compile(table, engine), seed, games, limits);
  return wrong.empty() ? wrong : in_words(table) + ", " + std::string(api::name_of(engine)) + ": " + wrong;
}

}   // namespace cardwright::test
