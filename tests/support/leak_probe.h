// Detects information leaks: a player must receive the same information in all worlds that the player can't
// distinguish. The observed functions can be replaced, so that tests can plant leaks.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/state_reader.h"

namespace cardwright::test {

struct Probe {
  std::function<std::string(const api::State&, int)> view = [](const api::State& state, int player) {
    return state.view(player);
  };
  std::function<std::vector<std::string>(const api::State&, int)> table = [](const api::State& state, int player) {
    return state.table_in_words(player);
  };
  std::function<std::vector<std::int64_t>(const api::State&)> legal = [](const api::State& state) {
    const auto ids = state.legal();
    return std::vector<std::int64_t>(ids.begin(), ids.end());
  };
  // Returns the labels of the options. `why` returns the reasons why a player can't take missing ones.
  std::function<std::vector<std::string>(const api::State&)> words = [](const api::State& state) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < state.legal_count(); ++i) all.push_back(state.option(i).words);
    return all;
  };
  std::function<std::vector<std::string>(const api::State&, int)> why = [](const api::State& state, int player) {
    std::vector<std::string> all;
    for (const ActionInfo& action : state.data().program().actions)
      for (std::string& answer :
           action.kind <= ActionKind::use ? state.why(player, action.name) : std::vector<std::string>())
        all.push_back(std::move(answer));
    return all;
  };
  // Returns the question. Only the deciding player sees its prompt, because the prompt may name the player's cards.
  std::function<std::string(const api::State&, int)> question = [](const api::State& state, int player) {
    api::Question q = state.question();
    if (q.player != player) q.prompt.clear();
    if (state.still_to_answer() != 0) return q.window;   // the host decides who answers next
    return fmt::format("{} {} {} {}", q.player, q.window, q.prompt, q.place);
  };
  std::function<api::State(const api::State&, int, std::uint64_t)> resample =
      [](const api::State& state, int player, std::uint64_t seed) { return state.resample(player, seed); };
};

// Information that may be hidden from a player: the kinds of cards in each zone that the player can't see into, and all
// secret values.
struct Hidden {
  std::string cards, secrets;
};
inline Hidden hidden_from(const api::State& state, int observer) {
  const StateReader now(state);
  const Program& program = now.program();
  Hidden out;
  for (Int i = 0; i < program.layout.instances; ++i) {
    const Int visible = program.layout.instance[i].visible;
    if (visible >> observer & 1) continue;
    std::vector<Int> classes;
    for (const Int card : now.cards_at(i)) classes.push_back(program.cards[static_cast<std::size_t>(card)].look_alike);
    std::sort(classes.begin(), classes.end());
    out.cards += fmt::format("{}: {}\n", now.zone_name(i), fmt::join(classes, " "));
  }
  for (std::size_t v = 0; v < program.variable_infos.size(); ++v) {
    const VariableInfo& info = program.variable_infos[v];
    if (!info.secret) continue;
    for (Int i = 0; i < program.variables[v].count; ++i)
      out.secrets += fmt::format("{} ", value_of_variable(program, state.bytes().data(), static_cast<Int>(v), i));
  }
  return out;
}

// Counts of sampled worlds, over many states.
struct Worlds {
  int open_cards = 0, other_cards = 0;   // worlds in which cards may differ from the true state, and in which they do
  int open_secrets = 0, other_secrets = 0;
};

// Returns true if there are two or more different secret values that the observer does not know.
inline bool has_open_secrets(const api::State& state, int observer) {
  const Program& program = state.data().program();
  const Byte* s = state.bytes().data();
  for (std::size_t v = 0; v < program.variable_infos.size(); ++v) {
    if (!program.variable_infos[v].secret) continue;
    std::vector<Int> open;
    for (Int i = 0; i < program.variables[v].count; ++i)
      if (!knows_variable(program, s, observer, static_cast<Int>(v), i))
        open.push_back(value_of_variable(program, s, static_cast<Int>(v), i));
    if (std::adjacent_find(open.begin(), open.end(), std::not_equal_to<>()) != open.end()) return true;
  }
  return false;
}

// Returns true if unknown cards of different appearance are in two hidden zones, so that there are at least two worlds.
// With fewer than `enough` unknown cards in a zone the true world is likely to be sampled, so such states are excluded.
inline bool has_open_cards(const api::State& state, int observer, std::size_t enough = 2) {
  const Program& program = state.data().program();
  const StateReader now(state);
  std::vector<Int> looks;
  std::size_t zones = 0;
  for (Int i = 0; i < program.layout.instances; ++i) {
    std::size_t unknown = 0;
    for (const Int card : now.cards_at(i))
      if (!now.knows(observer, card))
        ++unknown, looks.push_back(program.cards[static_cast<std::size_t>(card)].look_alike);
    zones += unknown >= enough;
  }
  std::sort(looks.begin(), looks.end());
  looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
  return zones >= 2 && looks.size() >= 8;
}

// Samples worlds for every observer. Returns the first difference from the true state.
inline std::string find_leak(const Probe& probe, const api::State& state, std::uint64_t seed, int draws,
                             Worlds* worlds = nullptr) {
  const int players = StateReader(state).players();
  for (int observer = 0; observer < players; ++observer) {
    const std::string view = probe.view(state, observer);
    const auto table = probe.table(state, observer);
    const bool asked = !state.is_over() && state.actor() == observer;
    const auto legal = asked ? probe.legal(state) : std::vector<std::int64_t>{};
    const auto words = asked ? probe.words(state) : std::vector<std::string>{};
    const auto why = asked && !worlds ? probe.why(state, observer) : std::vector<std::string>{};
    const bool open_cards = has_open_cards(state, observer), open_secrets = has_open_secrets(state, observer);
    const Hidden truth = hidden_from(state, observer);
    for (int draw = 0; draw < draws; ++draw) {
      const api::State world = probe.resample(state, observer, seed + static_cast<std::uint64_t>(draw));
      const auto leak = [&](const std::string& what) { return fmt::format("player {}: {}", observer, what); };
      if (std::string bad = StateReader(world).violation(); !bad.empty()) return leak("a world that can't be: " + bad);
      if (const std::string other = probe.view(world, observer); other != view)
        return leak("view\n" + view + "\n" + other);
      if (probe.table(world, observer) != table) {
        std::string both = "table in words";
        for (const std::string& line : table) both += "\n" + line;
        for (const std::string& line : probe.table(world, observer)) both += "\n" + line;
        return leak(both);
      }
      if (!state.is_over() && probe.question(world, observer) != probe.question(state, observer))
        return leak("question: " + probe.question(state, observer) + " / " + probe.question(world, observer));
      if (world.legal_count() != state.legal_count() && asked) return leak("number of options");
      if (asked && probe.legal(world) != legal) return leak("options");
      if (asked && probe.words(world) != words) return leak("words of options");
      if (asked && !worlds && probe.why(world, observer) != why) return leak("why");
      if (!worlds) continue;
      const Hidden hidden = hidden_from(world, observer);
      if (open_cards) ++worlds->open_cards, worlds->other_cards += hidden.cards != truth.cards;
      if (open_secrets) ++worlds->open_secrets, worlds->other_secrets += hidden.secrets != truth.secrets;
    }
  }
  return {};
}

// Returns an error unless, where they may differ from the true state, cards differ in nine of ten worlds and secrets in
// half of the worlds.
inline std::string too_true(const Worlds& worlds) {
  if (worlds.other_cards * 10 < worlds.open_cards * 9)
    return fmt::format("hidden cards differ from the truth in {} of {} worlds", worlds.other_cards, worlds.open_cards);
  // With few players and few secrets, the true world is sampled often: for example, every third time if the secret
  // values are a, a and b.
  if (worlds.other_secrets * 2 < worlds.open_secrets)
    return fmt::format("secrets differ from the truth in {} of {} worlds", worlds.other_secrets, worlds.open_secrets);
  return {};
}

// Returns a position in the middle of a game.
inline api::State position(const api::Game& game, std::uint64_t seed, std::uint64_t index) {
  api::State state = game.new_state(seed, index);
  api::State last = state;
  const int decisions = static_cast<int>((index * 7919 + seed * 31) % 140);
  for (int i = 0; i < decisions && !state.is_over(); ++i) {
    last = state;
    state.apply(state.random_index());
  }
  return state.is_over() ? last : state;
}

}   // namespace cardwright::test
