// Plays the same game in two ways (engines, forms, with and without knowledge) and returns the first difference.
#pragma once

#include <cstring>
#include <string>

#include "tests/support/decisions.h"

namespace cardwright::test {

// Returns the region of the state that contains byte `at`.
inline std::string region(const Layout& l, Int at) {
  struct Part {
    const char* name;
    Int begin;
  };
  const Part parts[] = {{"variables", 0},           {"in_game", l.in_game},
                        {"members", l.members},     {"scratch", l.scratch},
                        {"queue", l.queue},         {"streams", l.streams},
                        {"decisions", l.decisions}, {"stack top", l.stack_top},
                        {"unknown", l.unknown},     {"knows_variable", l.knows_variable},
                        {"frames", l.frames},       {"where", l.where},
                        {"places", l.places}};
  const Part* in = parts;
  for (const Part& part : parts)
    if (part.begin <= at && part.begin >= in->begin) in = &part;
  return fmt::format("byte {} ({} + {})", at, in->name, at - in->begin);
}

// Plays step by step on two engines with the same choices, and compares every byte of the state and the options at
// every decision. If `dropped` is set, the second game discards all knowledge, and only the rules states are compared.
inline std::string compare_engines(const GameData& one, const GameData& other, std::uint64_t seed, std::uint64_t index,
                                   std::uint64_t* decisions = nullptr, const Limits& limits = {},
                                   bool dropped = false) {
  const Program& program = one.program();
  const auto size = static_cast<std::size_t>(dropped ? program.layout.rules_end : program.layout.size);
  const auto a = fresh_bytes(program, seed, index);
  const auto b = fresh_bytes(other.program(), seed, index);
  Game here = context_for(one, limits), there = context_for(other, limits);
  there.knowledge_dropped = dropped;
  std::vector<Int> ids, other_ids;
  for (int decision = 0;; ++decision) {
    const Status status = one.engine->step(here, a.get());
    const Status other_status = other.engine->step(there, b.get());
    const auto at = [&](const std::string& what) {
      return fmt::format("game {} seed {} decision {}: {}", index, seed, decision, what);
    };
    if (status != other_status)
      return at(fmt::format("status {} and {}", static_cast<int>(status), static_cast<int>(other_status)));
    if (failure_text(program, here) != failure_text(other.program(), there))
      return at("traps differ:\n" + failure_text(program, here) + "\n" + failure_text(other.program(), there));
    if (std::memcmp(a.get(), b.get(), size) != 0) {
      Int byte = 0;
      while (a[static_cast<std::size_t>(byte)] == b[static_cast<std::size_t>(byte)]) ++byte;
      return at(fmt::format("states differ in {}: {} and {}", region(program.layout, byte),
                            a[static_cast<std::size_t>(byte)], b[static_cast<std::size_t>(byte)]));
    }
    if (status != Status::pending) return {};
    if (here.pending_player != there.pending_player || here.pending_options != there.pending_options ||
        here.pending_site != there.pending_site)
      return at(fmt::format("pending differs: player {} {}, options {} {}, site {} {}", here.pending_player,
                            there.pending_player, here.pending_options, there.pending_options, here.pending_site,
                            there.pending_site));
    if (std::string wrong = list_pending(one, here, a.get(), ids); !wrong.empty()) return at(wrong);
    if (std::string wrong = list_pending(other, there, b.get(), other_ids); !wrong.empty())
      return at("other engine: " + wrong);
    if (ids != other_ids) return at("options differ");
    here.choice = there.choice =
        draw_below(policy_stream(a.get(), program.layout, here.pending_player), here.pending_options);
    if (draw_below(policy_stream(b.get(), program.layout, there.pending_player), there.pending_options) != there.choice)
      return at("policies differ");
    if (decisions) ++*decisions;
  }
}

// Compares a game with its continuation after the knowledge is dropped, as in a search.
inline std::string compare_dropped(const GameData& game, std::uint64_t seed, std::uint64_t index,
                                   const Limits& limits = {}) {
  const std::string wrong = compare_engines(game, game, seed, index, nullptr, limits, true);
  return wrong.empty() ? wrong
                       : fmt::format("on {}, with all knowledge and without: {}", api::name_of(game.kind), wrong);
}

inline std::string compare_courses(const Course& one, const Course& other, const std::string& what, bool traced) {
  if (traced) {
    const std::size_t common = std::min(one.decisions.size(), other.decisions.size());
    for (std::size_t i = 0; i < common; ++i)
      if (!(one.decisions[i] == other.decisions[i]))
        return fmt::format("{}: decision {}: {}\n  but {}", what, i, one.decisions[i].text(),
                           other.decisions[i].text());
    if (one.decisions.size() != other.decisions.size())
      return fmt::format("{}: {} and {} decisions were traced\n{}\n{}", what, one.decisions.size(),
                         other.decisions.size(), one.failure, other.failure);
  }
  if (one.failure != other.failure) return what + ": traps differ:\n" + one.failure + "\n" + other.failure;
  if (one.count != other.count) return fmt::format("{}: {} and {} decisions", what, one.count, other.count);
  if (one.rules_state != other.rules_state) return what + ": the last states differ";
  if (one.winners != other.winners) return fmt::format("{}: winners {:x} and {:x}", what, one.winners, other.winners);
  return {};
}

// Compares a stepwise game with a traced playout, an untraced playout, and a game that changes from the stepwise form
// to the playout form, all on one engine.
inline std::string compare_forms(const GameData& game, std::uint64_t seed, std::uint64_t index,
                                 Course* course = nullptr, const Limits& limits = {}) {
  const auto name = [&](const char* what) {
    return fmt::format("game {} seed {} on {}, stepwise and {}", index, seed, api::name_of(game.kind), what);
  };
  Course stepwise = play_stepwise(game, seed, index, true, limits);
  if (!stepwise.listing.empty())
    return fmt::format("game {} seed {} on {}: {}", index, seed, api::name_of(game.kind), stepwise.listing);
  if (static_cast<Int>(stepwise.decisions.size()) != stepwise.count && stepwise.failure.empty())
    return fmt::format("game {}: {} decisions were traced and {} counted", index, stepwise.decisions.size(),
                       stepwise.count);
  std::string wrong =
      compare_courses(stepwise, play_out(game, seed, index, true, limits), name("traced playout"), true);
  if (wrong.empty())
    wrong = compare_courses(stepwise, play_out(game, seed, index, false, limits), name("playout"), false);
  if (wrong.empty()) {
    const int half = static_cast<int>(stepwise.decisions.size() / 2);
    wrong =
        compare_courses(stepwise, play_half(game, seed, index, half, limits), name("playout from the middle"), false);
  }
  if (course) *course = std::move(stepwise);
  return wrong;
}

}   // namespace cardwright::test
