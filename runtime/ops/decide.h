// Implements the parts of `decide` that all engines share, for both forms (docs/architecture.md, "Two forms from one
// IR").
#pragma once

#include "runtime/ops/random.h"
#include "runtime/ops/wrong.h"

namespace cardwright {

// The value of Game::choice that makes the stepwise form draw the pending decision, as a playout does.
inline constexpr Int kDrawRandomly = -2;

// A result of op_decide_step that is not a Trap: the host has not chosen yet, so the function returns to the host as
// with `to_host 2`.
inline constexpr std::int32_t kSuspend = -1;

// Counts a decision and refills the fuel.
inline Trap count_decision(Game& g, Byte* s, const Layout& l, Int player, Int options, Int index) {
  const std::uint32_t count = read<std::uint32_t>(s + l.decisions) + 1;
  write(s + l.decisions, count);
  if (CARDWRIGHT_UNLIKELY(count > g.decision_limit))
    return wrong(g, Trap::too_many_decisions, About::limit, g.decision_limit);
  g.fuel = g.fuel_per_decision;
  if (CARDWRIGHT_UNLIKELY(g.trace != nullptr)) cardwright_trace_decided(&g, s, player, options, index);
  return Trap::none;
}

inline Trap check_decision(const Layout& l, Int player, Int options) {
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(player) >= static_cast<Word>(l.players))) return Trap::unexpected_none;
  return CARDWRIGHT_UNLIKELY(options < 1) ? Trap::empty_choice : Trap::none;
}

inline Trap op_decide_playout(Game& g, Byte* s, const Layout& l, Int player, Int options, Int& out) {
  if (player == kHost) return out = 0, Trap::none;
  if (const Trap trap = check_decision(l, player, options); trap != Trap::none) return trap;
  out = draw_below(policy_stream(s, l, player), options);
  return count_decision(g, s, l, player, options, out);
}

// Makes a decision in stepwise form. Returns a Trap or kSuspend.
inline std::int32_t op_decide_step(Game& g, Byte* s, const Layout& l, Int player, Int options, Int site, Int& out) {
  if (player != kHost)
    if (const Trap trap = check_decision(l, player, options); trap != Trap::none)
      return static_cast<std::int32_t>(trap);
  g.chosen_by_host = 1;
  if (g.choice < 0 && (g.draws_decisions != 0 || g.choice == kDrawRandomly)) {
    g.choice = player == kHost ? 0 : draw_below(policy_stream(s, l, player), options);
    g.chosen_by_host = 0;
  }
  if (g.choice < 0) {
    g.pending_player = player;
    g.pending_options = options;
    g.pending_site = site;
    return kSuspend;
  }
  out = g.choice;
  g.choice = -1;
  if (CARDWRIGHT_UNLIKELY(out >= options)) return static_cast<std::int32_t>(Trap::bad_index);
  if (player == kHost) return static_cast<std::int32_t>(Trap::none);
  return static_cast<std::int32_t>(count_decision(g, s, l, player, options, out));
}

inline Int op_draws(Game& g, Byte*, const Layout&) { return g.chosen_by_host == 0; }
inline Int op_draw_of(Game&, Byte* s, const Layout& l, Int player, Int n) {
  return draw_below(policy_stream(s, l, player), n);
}
inline void op_leaned(Game& g, Byte* s, const Layout&, Int index) {
  if (CARDWRIGHT_UNLIKELY(g.trace != nullptr)) cardwright_trace_leaned(&g, s, index);
}
inline void op_chosen(Game& g, Byte* s, const Layout&, Int id) {
  if (CARDWRIGHT_UNLIKELY(g.trace != nullptr)) cardwright_trace_chosen(&g, s, id);
}
inline void op_decline(Game&, Byte*, const Layout&, Int) {}

// Implements `list` for the interpreter. The JIT emits the same code inline.
inline void op_list(Game& g, Byte*, const Layout&, Int id) {
  if (g.offers_count < g.offers_capacity) g.offers[g.offers_count] = id;
  ++g.offers_count;
}

}   // namespace cardwright
