// Plays random games that record which rules take effect, and lists the rules of the file that no game reached.
#include "simulation/unreached.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "api/opening.h"
#include "api/scenarios/rule_places.h"
#include "simulation/seats.h"
#include "cardwright/coverage.hpp"
#include "api/game/game_data.h"

namespace cardwright::api {

namespace detail {

namespace {

// Limit of decisions per game, because unoptimized rules are slow.
constexpr Int kMostDecisions = 2'000;

double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

// Returns true if rules of this kind can be reported. Components are not reported, because their rules are. Values,
// functions and events have their own warnings.
bool has_effect(ast::NodeKind kind) {
  switch (kind) {
    case ast::NodeKind::action_decl:
    case ast::NodeKind::play_decl:
    case ast::NodeKind::modify_decl:
    case ast::NodeKind::forbid_decl:
    case ast::NodeKind::trigger_decl:
    case ast::NodeKind::whenever_decl:
    case ast::NodeKind::end_when: return true;
    default: return false;
  }
}

// Returns the rules of a table whose effects are recorded.
std::vector<Range> rules_of(const model::Model& model) {
  std::vector<Range> out;
  for (const model::Event& event : model.events)
    for (const model::Handler& handler : event.handlers) out.push_back(handler.head.range);
  for (const model::Value& value : model.values)
    for (const model::Modifier& modifier : value.modifiers) out.push_back(modifier.head.range);
  for (const model::Action& action : model.actions) out.push_back(action.head.range);
  for (const model::Forbid& forbid : model.forbids) out.push_back(forbid.head.range);
  for (const model::Whenever& whenever : model.whenevers) out.push_back(whenever.head.range);
  for (const model::EndWhen& ending : model.endings) out.push_back(ending.range);
  return out;
}

}   // namespace

void UnreachedRules::play(const sema::Configuration& table, std::uint64_t games, std::uint64_t seed, double seconds) {
  sema::Configuration measured = table;
  measured.plain = true;
  measured.measures = {sema::kCoverage};
  const auto compiled = compile(rules_, measured);
  for (const Range& rule : rules_of(compiled->model())) reached_.rules.try_emplace(key_of(rule), 0);
  const auto game = make_game(compiled, EngineKind::interpreter);
  const std::unique_ptr<Byte[]> state(new Byte[static_cast<std::size_t>(game->program().layout.size)]);
  RuleCounter counter;
  const std::clock_t begin = std::clock();
  for (std::uint64_t i = 0; i < games && seconds_since(begin) < seconds; ++i, ++games_) {
    cardwright::Game context = fresh_context(*game);
    context.decision_limit = kMostDecisions;
    context.notes = &counter;
    game->engine->play_game(context, state.get(), run_key(seed), i);
  }
  counter.add_to(reached_);
}

std::vector<std::string> UnreachedRules::rules() const {
  std::vector<std::string> out;
  for (const RulePlace& place : rule_places(rules_->parsed()).rules) {
    if (place.owner != RuleOwner::file || games_ == 0) continue;
    const Range& range = place.node->range;
    // A rule that does not exist at any of these tables has no count.
    const auto count = std::find_if(reached_.rules.lower_bound({range.source, range.begin, 0}), reached_.rules.end(),
                                    [&](const auto& one) { return std::get<2>(one.first) <= range.end; });
    const bool is_measured = count != reached_.rules.end() && std::get<0>(count->first) == range.source &&
                             std::get<1>(count->first) < range.end;
    if (!is_measured || !has_effect(place.node->kind) || times_reached(reached_, range) > 0) continue;
    out.push_back(fmt::format("{}:{}: {}{}{}", rules_->sources.name(range.source),
                              rules_->sources.place(range.source, range.begin).line, place.of,
                              place.of.empty() ? "" : ": ", head_of(rules_->sources, *place.node)));
  }
  return out;
}

}   // namespace detail

std::vector<std::string> rules_without_effect(const Ruleset& rules, const Configuration& configuration,
                                              std::uint64_t games, std::uint64_t seed) {
  detail::UnreachedRules unreached(rules.data());
  unreached.play(detail::complete(*rules.data(), configuration), games, seed, 5);
  return unreached.rules();
}

}   // namespace cardwright::api
