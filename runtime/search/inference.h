// Infers hidden cards from observed decisions: worlds in which an observed decision was impossible or unlikely lose
// weight. A world is an exchange of cards between places hidden from the observer (runtime/knowledge/resample.h), and
// can also be applied to all earlier States. In each earlier State of a world, the decision must have been possible and
// its public result must match. The more options the player had there, the less likely the decision. No knowledge of a
// particular game is built in. For example, a player who did not follow suit has no card of that suit, because
// otherwise the chosen option would not have been offered.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "runtime/knowledge/resample.h"
#include "runtime/search/sight.h"
#include "runtime/search/world.h"

namespace cardwright::search {

// The budget for inference. A trial is a past decision in one sampled world.
struct Effort {
  std::uint64_t trials = 0;   // maximum number of trials; 0: use the deadline `until`
  std::chrono::steady_clock::time_point until;
  bool is_spent(std::uint64_t made) const {
    return trials != 0 ? made >= trials : std::chrono::steady_clock::now() >= until;
  }
};

// Scratch data for replaying past decisions in other worlds; used by one thread.
struct Past {
  Past(const Program& program, Engine& engine) : world(program, engine), sight(program) {}
  World world;
  Sight sight;
  std::uint64_t trials = 0;   // number of trials so far
};

class Inference {
 public:
  Inference(const Resampler& resampler, Int observer);

  // Records a decision made in this State, which must contain knowledge.
  void saw(const Byte* s, Int player, Int site, Int option);
  // Sets the current State, in which that player decides at that site.
  void look(const Byte* s, Int player, Int site);
  // Returns a value for each card that depends on how it reached its place (see Unseen).
  std::span<const Word> trails() const { return trails_; }
  // Returns true if a recorded decision may allow conclusions.
  bool any() const { return !seen_.empty(); }

  // Draws conclusions from decisions recorded since the last call, and finds the decisions that distinguish worlds.
  // `unknown` must describe the State passed to the last look(). The conclusions are applied to it.
  void learn(Unseen& unknown, Past& past, Word seed, const Effort& effort);
  // Applies the conclusions to another Unseen of the same State: prevents cards from being assigned to places where
  // players cannot have held them.
  void apply(Unseen& unknown) const;
  // Returns the number of decisions that distinguish worlds. If it is 0, all worlds have equal weight.
  std::size_t informative() const { return informative_.size(); }
  // Returns the likelihood of the informative decisions in a world, given by its exchange of cards and its secrets. It
  // is never 0.
  double weight(std::span<const Int> becomes, const Byte* world, Past& past) const;

 private:
  struct After {   // the public result of a decision
    Word seen = 0;
    Int player = -1, site = -1;
    friend bool operator==(const After&, const After&) = default;
  };
  struct Never {   // cards that a player cannot have held at the time of a decision
    Int owner;
    std::vector<Int> cards;
  };
  struct Seen {   // an observed decision
    std::vector<Byte> state;
    Int player, site, option;
    bool sure = false;   // the observer knows which option it was
    bool over = false;   // true if the result was observed, in `after`
    After after;   // the observed public result
    bool by_chance = true;   // true if the result may depend on chance
    bool examined = false;   // true if learn() has set by_chance and never
    std::vector<Never> never;
  };
  void note_trails(const Byte* s);
  void forget(const Byte* s);
  bool reveals_option(const Byte* s, Int option) const;
  // Returns the likelihood of the decision in that world.
  double likelihood(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past) const;
  // Returns the number of options at that decision in that world, and sets `index` to the position of the option; 0 if
  // it was not offered.
  Int go_back(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past, Word chance, Int& index) const;
  void copy_secrets(const Byte* from, Byte* to) const;
  bool is_by_chance(const Seen& seen, Unseen& unknown, Past& past, Word seed) const;
  bool is_informative(const Seen& seen, Unseen& unknown, Past& past, Word seed) const;
  std::vector<Never> never_held(const Seen& seen, Unseen& unknown, Past& past, Word seed) const;
  std::vector<Int> impossible_cards(const Seen& seen, Int owner, Unseen& unknown, Past& past) const;
  bool held(const Seen& seen, const HiddenPlace& place, Int owner) const;
  void keep_away(const Seen& seen, Unseen& unknown) const;

  const Resampler* resampler_;
  Int observer_;
  Sight sight_;
  std::vector<Seen> seen_;   // in chronological order
  std::vector<std::size_t> informative_;   // indices into seen_ that distinguish worlds, among the decisions examined
  std::vector<Word> trails_;   // by card: a hash of its zone changes and of the number of decisions at each
  std::vector<Word> known_;   // the cards known in the last State seen
  std::vector<Int> zones_;   // the zone of each card in the last State seen
  Word count_ = 0;   // number of decisions seen
};

}   // namespace cardwright::search
