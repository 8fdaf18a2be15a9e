// Steps a sampled world for a search.
#include "runtime/search/world.h"

#include <algorithm>
#include <cstring>

#include "runtime/ops/memory.h"
#include "runtime/ops/variables.h"
#include "runtime/state/state.h"

namespace cardwright::search {

void look_ahead(const Program& program, Byte* s, Int turns) {
  Game context;
  const auto put = [&](Int variable, Int value, Int index = 0) {
    if (variable >= 0)
      op_store(context, s, program.layout, program.variables[static_cast<std::size_t>(variable)], index, value);
  };
  for (Int seat = 0; seat < program.layout.players && (!program.race || program.policy_of_bots >= kFirstPolicy); ++seat)
    put(program.seat_policy, program.policy_of_bots, seat);
  const auto count = [&](Int variable) {
    return variable < 0 ? 0 : std::max<Int>(0, value_of_variable(program, s, variable, 0));
  };
  if (!program.race) put(program.sensible_only, 1);
  if (turns > 0) put(program.horizon, count(program.turn_number) + count(program.round_number) + turns);
}

World::World(const Program& program, Engine& engine)
    : program_(program),
      engine_(engine),
      bytes_(new Byte[static_cast<std::size_t>(program.layout.size)]{}),
      returns_(static_cast<std::size_t>(program.layout.players)) {
  context_.program = &program;
  context_.knowledge_dropped = 1;
}

// Copies the State without the bytes from Layout::where on, which store knowledge.
void World::take(const Byte* from, Int player) {
  std::memcpy(bytes_.get(), from, static_cast<std::size_t>(program_.layout.where));
  over_ = failed_ = false;
  player_ = player;
  site_ = -1;
}

void World::step(Int choice) {
  context_.choice = choice;
  take_over(engine_.step(context_, bytes_.get()));
}

void World::take_over(Status status) {
  over_ = status != Status::pending;
  failed_ = status == Status::trapped;
  player_ = over_ ? -1 : context_.pending_player;
  options_ = over_ ? 0 : context_.pending_options;
  site_ = over_ ? -1 : context_.pending_site;
}

// Returns an empty list if the options cannot be listed, for example after a trap. The search then does not descend
// further.
std::span<const Int> World::list() {
  ids_.resize(static_cast<std::size_t>(options_));
  context_.offers = ids_.data();
  context_.offers_capacity = options_;
  context_.pending_player = player_;
  context_.pending_options = options_;
  context_.pending_site = site_;
  if (engine_.list(context_, bytes_.get()) == Status::trapped || context_.offers_count != options_) ids_.clear();
  return ids_;
}

void World::play_on() {
  if (over_) return;
  over_ = true;
  player_ = -1;
  failed_ = engine_.play_on(context_, bytes_.get()) == Status::trapped;
}

std::span<const Int> World::returns(Int winner) {
  std::fill(returns_.begin(), returns_.end(), 0);
  if (winner != kNone) {
    returns_[static_cast<std::size_t>(winner)] = 1;
    return returns_;
  }
  if (failed_) return returns_;
  const Word won = winners(program_.layout, bytes_.get());
  for (std::size_t p = 0; p < returns_.size(); ++p) {
    const Int player = static_cast<Int>(p);
    if (program_.payoff < 0)
      returns_[p] = static_cast<Int>(won >> p & 1);
    else if (engine_.call(context_, bytes_.get(), static_cast<ir::FunctionIndex>(program_.payoff), {&player, 1},
                          &returns_[p]) == Status::trapped)
      returns_[p] = 0;
  }
  return returns_;
}

Int World::decisions() const { return read<std::uint32_t>(bytes_.get() + program_.layout.decisions); }

}   // namespace cardwright::search
