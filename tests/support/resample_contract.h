// Checks the contract of State::resample: a sampled world is indistinguishable from the true state for its player. Used
// by resample_test.cpp for a sample of worlds and by worlds.cpp for any number.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/game/worlds.h"
#include "tests/support/leak_probe.h"
#include "tests/support/state_reader.h"

namespace cardwright::test {

// Returns the player's question, and other players' questions as far as they are public.
inline std::string asked_of(const api::State& state, int player) {
  if (state.is_over()) return "nothing: it is over";
  if (state.waits_for_clock()) return "nothing: the clock runs";
  api::State theirs = state;
  const bool asked = state.actor() == player || theirs.ask_first(player);
  const bool is_public = !state.data().program().sites[static_cast<std::size_t>(state.data().site)].secret;
  std::string out = is_public ? fmt::format("of {} in {}", state.actor(), state.question().place)
                              : fmt::format("in {}", state.question().place);
  if (!asked) return out;
  out += fmt::format(", {}", theirs.question().prompt);
  for (std::size_t i = 0; i < theirs.legal_count(); ++i)
    out += fmt::format("; {} {}", theirs.option(i).id, theirs.option(i).words);
  return out;
}

// Returns the value of a variable for a player who knows the variable. For a card in a hidden zone, the
// player knows only that it is a card.
inline std::string read_by(const StateReader& now, int player, std::size_t v, Int index) {
  const Int value = value_of_variable(now.program(), now.bytes(), static_cast<Int>(v), index);
  const bool unknown = now.program().variable_infos[v].kind == ValueKind::card &&
                       is_card(now.program().layout, value) && !now.knows(player, value);
  return unknown ? "a card" : fmt::to_string(value);
}

// Returns the positions of the cards that the player knows, and the player's knowledge of secret variables.
inline std::string seen_by(const api::State& state, int player) {
  const StateReader now(state);
  const Program& program = now.program();
  std::string out;
  for (Int i = 0; i < program.layout.instances; ++i) {
    out += fmt::format("\n{}:", now.zone_name(i));
    for (const Int card : now.cards_at(i))
      if (now.knows(player, card)) out += fmt::format(" {}", card);
  }
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (program.variable_infos[v].secret_first < 0 || program.variables[v].is_set) continue;
    for (Int i = 0; i < program.variables[v].count; ++i)
      if (knows_variable(program, now.bytes(), player, static_cast<Int>(v), i))
        out += fmt::format("\n{} {}: {}", program.variable_infos[v].name, i, read_by(now, player, v, i));
  }
  return out;
}

// All information that a player has about a state. The player can distinguish two states if it differs.
struct PlayerKnowledge {
  bool over = false;
  std::int64_t turns = 0, decisions = 0;
  Int time = 0;
  std::vector<bool> in;
  std::string asked, seen, view;
  std::vector<std::string> table;

  // If `shown` is set, includes the view as JSON and the table in words, which take most of the time.
  PlayerKnowledge(const api::State& state, int player, bool shown = true)
      : over(state.is_over()),
        turns(state.turns()),
        decisions(state.decisions()),
        time(state.race().time),
        asked(asked_of(state, player)),
        seen(seen_by(state, player)) {
    if (shown) view = state.view(player), table = state.table_in_words(player);
    for (int seat = 0; seat < state.data().program().layout.players; ++seat) in.push_back(state.is_in(seat));
  }

  PlayerKnowledge without_table() const {
    PlayerKnowledge out = *this;
    out.view.clear(), out.table.clear();
    return out;
  }

  // Returns the first difference between this information and that in `world`; empty if there is none.
  std::string difference_to(const PlayerKnowledge& world) const {
    const auto differ = [](const char* what, const std::string& was, const std::string& is) {
      return fmt::format("{}: {}\nin the world: {}", what, was, is);
    };
    if (over != world.over) return differ("over", fmt::to_string(over), fmt::to_string(world.over));
    if (turns != world.turns) return differ("turn", fmt::to_string(turns), fmt::to_string(world.turns));
    if (decisions != world.decisions)
      return differ("decisions", fmt::to_string(decisions), fmt::to_string(world.decisions));
    if (time != world.time) return differ("clock", fmt::to_string(time), fmt::to_string(world.time));
    for (std::size_t seat = 0; seat < in.size(); ++seat)
      if (in[seat] != world.in[seat]) return fmt::format("player {} is in the one, and out in the other", seat);
    if (asked != world.asked) return differ("asked", asked, world.asked);
    if (seen != world.seen) return differ("seen", seen, world.seen);
    if (view != world.view) return differ("view", view, world.view);
    const auto [was, is] = std::mismatch(table.begin(), table.end(), world.table.begin(), world.table.end());
    const auto line = [](auto at, const std::vector<std::string>& lines) {
      return at == lines.end() ? "nothing more" : *at;
    };
    return table == world.table ? "" : differ("table in words", line(was, table), line(is, world.table));
  }
};

inline std::string distinguish(const PlayerKnowledge& truth, const api::State& world, int player) {
  if (std::string wrong = StateReader(world).violation(); !wrong.empty()) return "a world that can't be: " + wrong;
  return truth.difference_to({world, player, !truth.view.empty()});
}
// Returns the difference between the world and the true state; empty if there is none.
inline std::string distinguish(const api::State& truth, const api::State& world, int player) {
  return distinguish(PlayerKnowledge(truth, player), world, player);
}

struct Contract {
  api::detail::WorldCounts counts;
  std::string broken;   // the first violation
};

// Plays a random game and samples worlds for every seat at each `every`-th decision and at the end of the game.
inline Contract check_contract(const api::Game& game, std::uint64_t seed, std::uint64_t index, int every, int draws) {
  Contract out;
  api::State state = game.new_state(seed, index);
  for (std::uint64_t at = index; out.broken.empty(); ++at) {
    if (state.is_over() || at % static_cast<std::uint64_t>(every) == 0)
      for (int player = 0; player < game.players() && out.broken.empty(); ++player) {
        const PlayerKnowledge truth(state, player);
        for (int draw = 0; draw < draws && out.broken.empty(); ++draw) {
          const api::State world(
              api::detail::other_world(state.data(), player, at * 64 + static_cast<std::uint64_t>(draw), &out.counts));
          if (std::string what = distinguish(truth, world, player); !what.empty())
            out.broken =
                fmt::format("{}, seed {}, game {}, decision {}, player {}, world {}: {}", game.name(), seed, index,
                            state.decisions(), player, at * 64 + static_cast<std::uint64_t>(draw), what);
        }
      }
    if (state.is_over()) break;
    state.apply(state.random_index());
  }
  return out;
}

}   // namespace cardwright::test
