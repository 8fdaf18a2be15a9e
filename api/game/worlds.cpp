// Samples worlds. The Resampler draws the unknown cards consistently with the observer's knowledge. The deciding player
// and the pending decision are also public: in a world where that player had no options, the game would already have
// continued. Therefore each world is run to its decision and rejected if anything happens on the way.
#include "api/game/worlds.h"

#include <cstring>

#include <fmt/format.h>

#include "api/game/timing.h"
#include "runtime/ops/frames.h"

namespace cardwright::api::detail {

namespace {

constexpr int kRedraws = 1000;   // maximum number of redraws
// One in this many redraws replaces all unknown cards; the others replace only the deciding player's cards.
constexpr int kRedrawsOfAll = 20;
constexpr int kSteps = 300;   // number of steps of the random walk, which is used if all redraws fail

}   // namespace

Worlds::Worlds(StateData& truth, int observer, std::span<const Word> trails)
    : truth_(truth),
      base_(truth),
      observer_(observer),
      resampler_(*truth.game->resampler),
      at_once_(still_to_answer(truth) != 0) {
  if (observer < 0) return;
  if (!truth.over && !waits_for_clock(truth)) find_question();
  unknown_.emplace(resampler_, base_.bytes.get(), observer, trails);
  only_chance_ = unknown_->nothing() && !at_once_ && !truth.program().race;
}

// Finds the observer's pending decision, which the observer sees even if other players answer first.
void Worlds::find_question() {
  if (observer_ == truth_.actor) {
    list_options(truth_);
    asked_ = true;
    options_ = truth_.offers;
    return;
  }
  if (!at_once_) return;
  StateData theirs(truth_);
  if (!ask_first(theirs, observer_)) return;
  list_options(theirs);
  asked_ = true;
  options_ = theirs.offers;
  base_ = theirs;
}

bool Worlds::draw(StateData& world, std::uint64_t seed, WorldCounts* counts) {
  WorldCounts uncounted;
  counts_ = counts ? counts : &uncounted;
  seed_ = seed, draws_ = 0;
  assigned_ = false;
  if (observer_ < 0 || only_chance_) {
    world = base_;
    world.keeps_knowledge = keeps_knowledge_;
    resampler_.finish(world.bytes.get(), observer_ < 0 ? seed : next_seed());
    ++counts_->drawn;
  } else if (!draws(world) && !redraws(world) && !walks(world)) {
    ++counts_->failed;
    return false;
  }
  ++counts_->worlds;
  return true;
}

bool Worlds::draws(StateData& world) {
  draw_all(world, keeps_knowledge_);
  return assigned_ = fits(world);
}

bool Worlds::redraws(StateData& world) {
  draws_ = 0;   // the redraws start from the world that draws() rejected
  StateData drawn(base_);
  for (int i = 0; i < kRedraws; ++i) {
    // If the observer decides, the observer's own options can depend on any card, so all cards are redrawn.
    if (i % kRedrawsOfAll == 0 || asked_)
      draw_all(drawn, true);
    else
      resampler_.redraw(drawn.bytes.get(), observer_, truth_.actor, next_seed());
    world = drawn;
    world.keeps_knowledge = keeps_knowledge_;
    if (i > 0 && fits(world)) return true;
  }
  return false;
}

void Worlds::draw_all(StateData& drawn, bool with_knowledge) {
  drawn = base_;
  drawn.keeps_knowledge = with_knowledge;
  unknown_->draw(drawn.bytes.get(), next_seed(), with_knowledge);
  if (at_once_ || truth_.program().race || !truth_.program().at_once.empty()) forget_answers(drawn, observer_);
}

// Samples a world by a random walk that starts at the true state. A step to an invalid world is undone.
bool Worlds::walks(StateData& world) {
  StateData here(base_), next(base_);
  forget_answers(here, observer_);
  const auto drop = [&](StateData& one) -> StateData& {
    one.keeps_knowledge = keeps_knowledge_;
    return one;
  };
  world = here;
  if (!fits(drop(world))) return false;
  for (int i = 0; i < kSteps; ++i) {
    next = here;
    resampler_.step(next.bytes.get(), observer_, next_seed());
    StateData there(next);
    if (!fits(drop(there))) continue;
    here = next;
    world = there;
  }
  ++counts_->walked;
  return true;
}

// Runs the world to its decision, and checks whether the world is valid.
bool Worlds::fits(StateData& world) {
  ++counts_->drawn;
  if (waits_for_clock(truth_)) look_again(world);
  if (truth_.over || waits_for_clock(truth_)) return true;
  const Int rules = truth_.program().layout.rules_end;
  before_.assign(world.bytes.get(), world.bytes.get() + rules);
  advance(world, -1, nullptr);
  if (world.over || world.site != truth_.site ||
      top_frame(world.bytes.get(), world.program().layout) != top_frame(truth_.bytes.get(), truth_.program().layout))
    return false;
  if (std::memcmp(world.bytes.get(), before_.data(), before_.size()) != 0) return false;
  if (at_once_ ? (world.actor == observer_) != asked_ : world.actor != truth_.actor) return false;
  return !asked_ || has_same_options(world);
}

bool Worlds::has_same_options(StateData& world) {
  if (world.count == static_cast<std::int64_t>(options_.size())) {
    list_options(world);
    if (world.offers == options_) return true;
  }
  ++counts_->other_options;
  return false;
}

std::unique_ptr<StateData> other_world(StateData& truth, int observer, std::uint64_t seed, WorldCounts* counts) {
  auto world = std::make_unique<StateData>(truth);
  if (!Worlds(truth, observer, {}).draw(*world, seed, counts))
    raise(Blame::internal, fmt::format("found no sampled world for player {}", Game::seat_name(observer)));
  return world;
}

}   // namespace cardwright::api::detail
