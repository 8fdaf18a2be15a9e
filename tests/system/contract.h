// What State::resample promises: worlds that the player can't tell from the true state. Used by worlds_test.cpp for a share of
// them and by worlds.cpp for as many as one likes.
#pragma once

#include <string>

#include <fmt/format.h>

#include "api/worlds.h"
#include "tests/system/probe.h"
#include "tests/system/reading.h"

namespace cardwright::test {

// What a player is asked, as they read it; who else is asked, as far as all see that.
inline std::string asked_of(const api::State& state, int player) {
  if (state.is_over()) return "nothing: it is over";
  if (state.waits_for_clock()) return "nothing: the clock runs";
  api::State theirs = state;
  const bool asked = state.actor() == player || theirs.ask_first(player);
  const bool is_public = !state.data().program().sites[static_cast<std::size_t>(state.data().site)].secret;
  std::string out = is_public ? fmt::format("of {} in {}", state.actor(), state.question().place) : fmt::format("in {}", state.question().place);
  if (!asked) return out;
  out += fmt::format(", {}", theirs.question().prompt);
  for (std::size_t i = 0; i < theirs.legal_count(); ++i) out += fmt::format("; {} {}", theirs.option(i).id, theirs.option(i).words);
  return out;
}

// What a player who knows this variable reads in it. Of a card that lies out of sight they know no more than that it is one.
inline std::string read_by(const Reading& now, int player, std::size_t v, Int index) {
  const Int value = value_of_variable(now.program(), now.bytes(), static_cast<Int>(v), index);
  const bool unseen = now.program().variable_infos[v].kind == ValueKind::card && is_card(now.program().layout, value) && !now.knows(player, value);
  return unseen ? "a card" : fmt::to_string(value);
}

// Where the cards lie that the player knows, and what they know of secret variables.
inline std::string seen_by(const api::State& state, int player) {
  const Reading now(state);
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

// What tells the world from the truth; empty if nothing does.
inline std::string told_apart(const api::State& truth, const api::State& world, int player) {
  const auto differ = [](const char* what, const std::string& was, const std::string& is) { return fmt::format("{}: {}\nin the world: {}", what, was, is); };
  if (std::string wrong = Reading(world).wrong(); !wrong.empty()) return "a world that can't be: " + wrong;
  if (truth.is_over() != world.is_over()) return differ("over", fmt::to_string(truth.is_over()), fmt::to_string(world.is_over()));
  if (truth.turns() != world.turns()) return differ("turn", fmt::to_string(truth.turns()), fmt::to_string(world.turns()));
  if (truth.decisions() != world.decisions()) return differ("decisions", fmt::to_string(truth.decisions()), fmt::to_string(world.decisions()));
  if (truth.race().time != world.race().time) return differ("clock", fmt::to_string(truth.race().time), fmt::to_string(world.race().time));
  for (int seat = 0; seat < truth.data().program().layout.players; ++seat)
    if (truth.is_in(seat) != world.is_in(seat)) return fmt::format("player {} is in the one, and out in the other", seat);
  if (std::string was = asked_of(truth, player), is = asked_of(world, player); was != is) return differ("asked", was, is);
  if (std::string was = seen_by(truth, player), is = seen_by(world, player); was != is) return differ("seen", was, is);
  if (std::string was = truth.view(player), is = world.view(player); was != is) return differ("view", was, is);
  if (truth.table_in_words(player) != world.table_in_words(player)) return "table in words";
  return {};
}

struct Contract {
  api::detail::WorldCounts counts;
  std::string broken;                        // the first that was
};

// Plays a random game, and draws worlds for every seat at each `every`-th decision of it, early and late, and when it is over.
inline Contract check_contract(const api::Game& game, std::uint64_t seed, std::uint64_t index, int every, int draws) {
  Contract out;
  api::State state = game.new_state(seed, index);
  for (std::uint64_t at = index; out.broken.empty(); ++at) {
    if (state.is_over() || at % static_cast<std::uint64_t>(every) == 0)
      for (int player = 0; player < game.players() && out.broken.empty(); ++player)
        for (int draw = 0; draw < draws && out.broken.empty(); ++draw) {
          const api::State world(api::detail::other_world(state.data(), player, at * 64 + static_cast<std::uint64_t>(draw), &out.counts));
          if (std::string what = told_apart(state, world, player); !what.empty())
            out.broken = fmt::format("{}, seed {}, game {}, decision {}, player {}, world {}: {}", game.name(), seed, index, state.decisions(), player, at * 64 + static_cast<std::uint64_t>(draw), what);
        }
    if (state.is_over()) break;
    state.apply(state.random_index());
  }
  return out;
}

}  // namespace cardwright::test
