// See worlds.h. What is hidden is drawn by the Resampler so that it agrees with what the observer knows. But everybody
// also sees who is asked, and where: in a world where that player has nothing to answer the game would be further. So
// each world is run to its decision, and counts only if nothing happens on the way.
#include "api/worlds.h"

#include <cstring>

#include <fmt/format.h>

#include "api/timing.h"
#include "runtime/ops/frames.h"

namespace cardwright::api::detail {

namespace {

constexpr int kRedraws = 1000;       // of the asked player's cards, …
constexpr int kRedrawsOfAll = 20;    // … after so many of which all is drawn anew
constexpr int kSteps = 300;          // of the walk, if that finds none

class Search {
 public:
  Search(StateData& truth, int observer, std::uint64_t seed, WorldCounts& counts)
      : truth_(truth),
        base_(truth),
        observer_(observer),
        seed_(seed),
        counts_(counts),
        resampler_(*truth.game->resampler),
        at_once_(still_to_answer(truth) != 0) {
    if (!truth.over && !waits_for_clock(truth)) find_question();
  }

  bool find(StateData& world) { return draws(world) || walks(world); }

 private:
  // What the observer is asked, which they see at once, also if another's turn to answer comes first.
  void find_question() {
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

  bool draws(StateData& world) {
    StateData drawn(base_);
    for (int i = 0; i < kRedraws; ++i) {
      if (i % kRedrawsOfAll == 0) draw_all(drawn);
      else if (asked_) draw_all(drawn);              // their options may depend on anything
      else resampler_.redraw(drawn.bytes.get(), observer_, truth_.actor, next_seed());
      world = drawn;
      if (fits(world)) return true;
    }
    return false;
  }

  void draw_all(StateData& drawn) {
    drawn = base_;
    resampler_.resample(drawn.bytes.get(), observer_, next_seed());
    forget_answers(drawn, observer_);
  }

  // From the truth, and from world to world: none is left for one that doesn't fit.
  bool walks(StateData& world) {
    StateData here(base_), next(base_);
    forget_answers(here, observer_);
    world = here;
    if (!fits(world)) return false;
    for (int i = 0; i < kSteps; ++i) {
      next = here;
      resampler_.step(next.bytes.get(), observer_, next_seed());
      StateData there(next);
      if (!fits(there)) continue;
      here = next;
      world = there;
    }
    ++counts_.walked;
    return true;
  }

  // Runs it to its decision.
  bool fits(StateData& world) {
    ++counts_.drawn;
    if (waits_for_clock(truth_)) look_again(world);
    if (truth_.over || waits_for_clock(truth_)) return true;
    const Int rules = truth_.program().layout.rules_end;
    const std::vector<Byte> before(world.bytes.get(), world.bytes.get() + rules);
    advance(world, -1, nullptr);
    if (world.over || world.site != truth_.site ||
        top_frame(world.bytes.get(), world.program().layout) != top_frame(truth_.bytes.get(), truth_.program().layout))
      return false;
    if (std::memcmp(world.bytes.get(), before.data(), before.size()) != 0) return false;
    if (at_once_ ? (world.actor == observer_) != asked_ : world.actor != truth_.actor) return false;
    return !asked_ || has_same_options(world);
  }

  bool has_same_options(StateData& world) {
    if (world.count == static_cast<std::int64_t>(options_.size())) {
      list_options(world);
      if (world.offers == options_) return true;
    }
    ++counts_.other_options;
    return false;
  }

  std::uint64_t next_seed() { return seed_ + 0x9e3779b97f4a7c15u * draws_++; }

  StateData& truth_;
  // the truth, where the observer is the one who is asked: to offer them something may draw the top of a pile
  StateData base_;
  const int observer_;
  const std::uint64_t seed_;
  WorldCounts& counts_;
  const Resampler& resampler_;
  const bool at_once_;
  bool asked_ = false;                       // the observer
  std::vector<std::int64_t> options_;        // theirs
  std::uint64_t draws_ = 0;
};

}  // namespace

std::unique_ptr<StateData> other_world(StateData& truth, int observer, std::uint64_t seed, WorldCounts* counts) {
  WorldCounts uncounted;
  WorldCounts& all = counts ? *counts : uncounted;
  auto world = std::make_unique<StateData>(truth);
  if (observer < 0) {
    truth.game->resampler->resample(world->bytes.get(), observer, seed);
    return world;
  }
  if (!Search(truth, observer, seed, all).find(*world)) {
    ++all.failed;
    throw Error(Blame::us, fmt::format("found no other world in which player {} may be", Game::seat_name(observer)));
  }
  ++all.worlds;
  return world;
}

}  // namespace cardwright::api::detail
