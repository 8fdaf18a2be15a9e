// Plays random games in the stepwise and the playout form, and records their decisions. All choices come from the
// policy streams in the state.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/game/game_data.h"
#include "runtime/ops/random.h"
#include "runtime/state/state.h"

namespace cardwright::test {

using api::detail::GameData;

struct Decision {
  Int player = 0, options = 0, id = -1;
  std::uint64_t rules_state = 0;   // hash of the rules state
  friend bool operator==(const Decision&, const Decision&) = default;
  std::string text() const {
    return fmt::format("player {}, {} options, id {}, state {:016x}", player, options, id, rules_state);
  }
};

class Recorder final : public TraceSink {
 public:
  explicit Recorder(const Program& program) : program_(program) {}
  void decided(Game&, const Byte* state, Int player, Int options, Int) override {
    decisions.push_back({player, options, -1, state_hash(program_.layout, state)});
  }
  void chosen(Game&, const Byte*, Int id) override {
    if (!decisions.empty()) decisions.back().id = id;
  }
  void leaned(Game&, const Byte*, Int) override {}
  std::vector<Decision> decisions;

 private:
  const Program& program_;
};

struct Limits {
  Int fuel_per_decision = 1'000'000, decisions = 1'000'000;
  // Initial content of the state's memory, repeated. If empty, the memory is uninitialized.
  std::span<const Byte> before = {};
};

// The record of a game.
struct Course {
  std::vector<Decision> decisions;   // empty if it was not traced
  Int count = 0;
  std::string failure;   // empty, or the trap with its rule stack
  std::uint64_t rules_state = 0, winners = 0;
  std::string listing;   // the first error in an option list; empty if there is none
};

inline std::unique_ptr<Byte[]> memory_for(const Program& program, std::span<const Byte> before) {
  const auto size = static_cast<std::size_t>(program.layout.size);
  std::unique_ptr<Byte[]> bytes(new Byte[size]);
  for (std::size_t i = 0; i < size && !before.empty(); ++i) bytes[i] = before[i % before.size()];
  return bytes;
}

inline std::unique_ptr<Byte[]> fresh_bytes(const Program& program, std::uint64_t seed, std::uint64_t index,
                                           std::span<const Byte> before = {}) {
  std::unique_ptr<Byte[]> bytes = memory_for(program, before);
  new_state(program, bytes.get(), seed, index);
  return bytes;
}

inline Game context_for(const GameData& game, const Limits& limits) {
  Game context = api::detail::fresh_context(game);
  context.fuel_per_decision = limits.fuel_per_decision;
  context.decision_limit = limits.decisions;
  return context;
}

inline std::string failure_text(const Program& program, const Game& context) {
  if (context.trap == Trap::none) return {};
  const api::Failure failure = api::detail::failure_of(program, context);
  std::string text = failure.trap + " in " + failure.rule + " at " + failure.place + "\n  " + failure.details;
  for (const std::string& level : failure.stack) text += "\n  " + level;
  return text;
}

inline void finish(Course& course, const GameData& game, const Game& context, const Byte* state) {
  const Program& program = game.program();
  course.failure = failure_text(program, context);
  course.rules_state = state_hash(program.layout, state);
  course.winners = cardwright::winners(program.layout, state);
  course.count = read<std::uint32_t>(state + program.layout.decisions);
}

// Stores the ids of the pending options in `ids`. Returns the first error; empty if there is none.
inline std::string list_pending(const GameData& game, const Game& pending, Byte* state, std::vector<Int>& ids) {
  const auto size = static_cast<std::size_t>(game.program().layout.size);
  const std::vector<Byte> before(state, state + size);
  ids.assign(static_cast<std::size_t>(pending.pending_options), -1);
  Game context = api::detail::fresh_context(game);
  context.pending_player = pending.pending_player;
  context.pending_options = pending.pending_options;
  context.pending_site = pending.pending_site;
  context.offers = ids.data();
  context.offers_capacity = static_cast<Int>(ids.size());
  const Status status = game.engine->list(context, state);
  if (status == Status::trapped) return "listing trapped: " + failure_text(game.program(), context);
  if (context.offers_count != pending.pending_options)
    return fmt::format("{} options were counted and {} listed", pending.pending_options, context.offers_count);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= game.program().option_ids)
      return fmt::format("option id {} of {}", ids[i], game.program().option_ids);
    if (i > 0 && ids[i] <= ids[i - 1]) return fmt::format("option ids do not ascend: {}, {}", ids[i - 1], ids[i]);
  }
  if (const auto at = std::mismatch(before.begin(), before.end(), state).first; at != before.end())
    return fmt::format("listing changed byte {} of the state (rules to {}, live to {})", at - before.begin(),
                       game.program().layout.rules_end, game.program().layout.live_end);
  return {};
}

// Plays step by step. If `lists` is set, also requests the options of every decision and checks the chosen id.
inline Course play_stepwise(const GameData& game, std::uint64_t seed, std::uint64_t index, bool lists,
                            const Limits& limits = {}) {
  const Program& program = game.program();
  const auto bytes = fresh_bytes(program, seed, index, limits.before);
  Recorder recorder(program);
  Game context = context_for(game, limits);
  context.trace = &recorder;
  Course course;
  std::vector<Int> ids;
  for (Status status = game.engine->step(context, bytes.get()); status == Status::pending;) {
    if (lists && course.listing.empty()) course.listing = list_pending(game, context, bytes.get(), ids);
    const Int choice =
        draw_below(policy_stream(bytes.get(), program.layout, context.pending_player), context.pending_options);
    context.choice = choice;
    const std::size_t made = recorder.decisions.size();
    status = game.engine->step(context, bytes.get());
    if (lists && course.listing.empty() && recorder.decisions.size() > made && recorder.decisions.size() <= 1'000'000)
      if (const std::size_t last = recorder.decisions.size() - 1;
          recorder.decisions[last].id != ids[static_cast<std::size_t>(choice)])
        course.listing = fmt::format("decision {}: option {} was listed with id {}, and id {} was taken", last, choice,
                                     ids[static_cast<std::size_t>(choice)], recorder.decisions[last].id);
  }
  course.decisions = std::move(recorder.decisions);
  finish(course, game, context, bytes.get());
  return course;
}

// Plays the whole game in playout form.
inline Course play_out(const GameData& game, std::uint64_t seed, std::uint64_t index, bool traced,
                       const Limits& limits = {}) {
  const Program& program = game.program();
  const std::unique_ptr<Byte[]> bytes = memory_for(program, limits.before);
  Recorder recorder(program);
  Game context = context_for(game, limits);
  if (traced) context.trace = &recorder;
  if (traced) {
    new_state(program, bytes.get(), seed, index);
    game.engine->playout(context, bytes.get());
  } else {
    constexpr Byte kContent[] = {0x00, 0xff, 0x55};   // arbitrary previous content
    if (limits.before.empty()) std::fill_n(bytes.get(), program.layout.size, kContent[index % 3]);
    game.engine->play_game(context, bytes.get(), run_key(seed), index);
  }
  Course course;
  course.decisions = std::move(recorder.decisions);
  finish(course, game, context, bytes.get());
  return course;
}

// Plays the first `steps` decisions step by step, and the rest in playout form.
inline Course play_half(const GameData& game, std::uint64_t seed, std::uint64_t index, int steps,
                        const Limits& limits = {}) {
  const Program& program = game.program();
  const auto bytes = fresh_bytes(program, seed, index, limits.before);
  Game context = context_for(game, limits);
  Status status = game.engine->step(context, bytes.get());
  for (int i = 0; i < steps && status == Status::pending; ++i) {
    context.choice =
        draw_below(policy_stream(bytes.get(), program.layout, context.pending_player), context.pending_options);
    status = game.engine->step(context, bytes.get());
  }
  if (status == Status::pending) {
    Game rest = context_for(game, limits);
    game.engine->play_on(rest, bytes.get());
    context = rest;
  }
  Course course;
  finish(course, game, context, bytes.get());
  return course;
}

}   // namespace cardwright::test
