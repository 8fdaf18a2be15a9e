// Finds the rules and statements that scenarios can reach, and plays the scenarios to record which of them they reach.
#include "api/scenarios/rule_places.h"

#include <algorithm>

#include "api/scenarios/scenarios.h"
#include "compiler/ast/views.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

using ast::Node;
using ast::NodeKind;

namespace {

// Returns the keyword of a rule; empty if the node is not a rule.
std::string_view kind_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::value_decl: return "value";
    case NodeKind::function_decl:
    case NodeKind::sequence_decl: return "function";
    case NodeKind::event_decl: return "event";
    case NodeKind::window_decl: return "window";
    case NodeKind::action_decl: return "action";
    case NodeKind::play_decl: return "play";
    case NodeKind::modify_decl: return "modify";
    case NodeKind::forbid_decl: return node.number ? "allow" : "forbid";
    case NodeKind::trigger_decl:
      return (node.number & 3) == 0 ? "before" : (node.number & 3) == 1 ? "after" : "instead of";
    case NodeKind::whenever_decl: return "whenever";
    case NodeKind::end_when: return "end when";
    case NodeKind::setup_decl: return "setup";
    case NodeKind::phase_stmt: return "phase";
    case NodeKind::choice: return "choice";
    case NodeKind::card: return "card";
    case NodeKind::card_type: return "card type";
    case NodeKind::character: return "character";
    case NodeKind::character_type: return "character type";
    default: return {};
  }
}

bool is_component(NodeKind kind) {
  return kind == NodeKind::card || kind == NodeKind::card_type || kind == NodeKind::character ||
         kind == NodeKind::character_type;
}

// Returns true if the node is not part of the rules: measures and policies do not change the game, and scenarios are
// not rules.
bool is_outside(NodeKind kind) {
  switch (kind) {
    case NodeKind::scene:
    case NodeKind::scenario:
    case NodeKind::measure_decl:
    case NodeKind::policy_decl:
    case NodeKind::remove_decl: return true;
    default: return false;
  }
}

class Finder {
 public:
  Finder(RulePlaces& out, RuleOwner owner) : out_(out), owner_(owner) {}

  // Visits the node and returns whether it contains rules.
  bool look_at(const Node* node) {
    if (!node || is_outside(node->kind)) return false;
    const std::string_view kind = kind_of(*node);
    const std::size_t at = out_.rules.size();
    if (!kind.empty())
      out_.rules.push_back({node, std::string(kind), of_, owner_,
                            node->kind == NodeKind::action_decl || node->kind == NodeKind::play_decl});
    if (is_statement(node->kind)) out_.statements.push_back({node, {}, of_, owner_, false});
    const std::string outside = of_;
    if (is_component(node->kind)) of_ = node->text;
    bool rules = !kind.empty() && !is_component(node->kind);
    for (const Node* child : node->children) rules = look_at(child) || rules;
    of_ = outside;
    // A card with only attributes is not listed, because it has no effect of its own.
    if (is_component(node->kind) && !rules) out_.rules.erase(out_.rules.begin() + static_cast<std::ptrdiff_t>(at));
    return rules;
  }

 private:
  RulePlaces& out_;
  RuleOwner owner_;
  std::string of_;
};

}   // namespace

bool is_statement(NodeKind kind) {
  switch (kind) {
    case NodeKind::let_stmt:
    case NodeKind::if_stmt:
    case NodeKind::each_stmt:
    case NodeKind::repeat_stmt:
    case NodeKind::return_stmt:
    case NodeKind::yield_stmt:
    case NodeKind::stop_stmt:
    case NodeKind::next_stmt:
    case NodeKind::proceed_stmt:
    case NodeKind::cancel_stmt:
    case NodeKind::checkpoint_stmt:
    case NodeKind::check_end_stmt:
    case NodeKind::end_stmt:
    case NodeKind::winners_stmt:
    case NodeKind::afterwards_stmt:
    case NodeKind::ask_stmt:
    case NodeKind::arrange_stmt:
    case NodeKind::place_stmt:
    case NodeKind::lift_stmt:
    case NodeKind::move_stmt:
    case NodeKind::deal_stmt:
    case NodeKind::shuffle_stmt:
    case NodeKind::turn_over_stmt:
    case NodeKind::reveal_stmt:
    case NodeKind::peek_stmt:
    case NodeKind::turn_stmt:
    case NodeKind::eliminate_stmt:
    case NodeKind::swap_stmt:
    case NodeKind::log_stmt:
    case NodeKind::choose_stmt:
    case NodeKind::choose_one_stmt:
    case NodeKind::may_stmt:
    case NodeKind::assign_stmt:
    case NodeKind::call_stmt:
    case NodeKind::turns_stmt:
    case NodeKind::rounds_stmt:
    case NodeKind::phase_stmt:
    case NodeKind::delay_stmt:
    case NodeKind::pause_stmt:
    case NodeKind::timer_stmt: return true;
    default: return false;
  }
}

RulePlaces rule_places(const loading::Ruleset& ruleset) {
  RulePlaces out;
  const std::uint32_t last = ruleset.units.empty() ? 0 : ruleset.units.back().depth;
  for (const loading::Unit& unit : ruleset.units) {
    if (unit.measures) continue;
    Finder finder(out, unit.library ? RuleOwner::library : unit.depth == last ? RuleOwner::file : RuleOwner::base);
    finder.look_at(unit.root);
  }
  return out;
}

Range whole_range(const SourceMap& sources, const Node& node) {
  Range range = node.range;
  if (node.kind != NodeKind::forbid_decl) return range;
  const std::size_t keyword = sources.text(range.source).rfind(node.number ? "allow" : "forbid", range.begin);
  if (keyword != std::string_view::npos) range.begin = static_cast<std::uint32_t>(keyword);
  for (const Node* part : node.children)
    if (part && part->range.source == range.source) range.end = std::max(range.end, part->range.end);
  return range;
}

std::string head_of(const SourceMap& sources, const Node& node) {
  constexpr std::size_t kMost = 70;
  std::string_view text = sources.text(whole_range(sources, node));
  bool quoted = false;
  std::size_t end = 0;
  for (; end < text.size() && text[end] != '\n' && (quoted || text[end] != '{'); ++end)
    if (text[end] == '"') quoted = !quoted;
  std::string head(text.substr(0, end));
  while (!head.empty() && (head.back() == ' ' || head.back() == '\r')) head.pop_back();
  if (head.size() <= kMost) return head;
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(head[cut]) & 0xC0) == 0x80) --cut;   // do not split a UTF-8 character
  return head.substr(0, cut) + "…";
}

std::uint64_t times_reached(const Reached& reached, const Range& range) {
  if (const auto exact = reached.rules.find(key_of(range)); exact != reached.rules.end()) return exact->second;
  std::uint64_t most = 0;
  for (auto at = reached.rules.lower_bound({range.source, range.begin, 0}); at != reached.rules.end(); ++at) {
    const auto& [source, begin, end] = at->first;
    if (source != range.source || begin >= range.end) break;
    if (end <= range.end) most = std::max(most, at->second);
  }
  return most;
}

std::vector<ReachedBy> reach(const Ruleset& rules, std::string_view filter) {
  std::vector<ReachedBy> out;
  std::vector<Game> games;
  for (const loading::ScenarioInfo& info : rules.data()->parsed().scenarios) {
    if (!filter.empty() && info.title.find(filter) == std::string::npos) continue;
    ReachedBy& one = out.emplace_back();
    one.scenario = &info;
    const std::size_t before = games.size();
    one.result = play_scenario(rules, info, {EngineKind::interpreter, true, &one.reached}, games);
    if (games.size() > before) one.options = games.back().data()->options;
  }
  return out;
}

}   // namespace cardwright::api::detail
