// What decisions tell of what lies hidden. A world is an exchange of cards between places that the observer can't see
// into (runtime/resample.h), and so it is one of all earlier States: there the cards lie that in this world came from
// there. What somebody did then they must have been able to do, and the more they had to choose from, the less likely
// it was to be just that; and what all saw come of it must come of it. No game is known here: who did not follow suit
// has none of it, since else their option would not have been one; who was asked for a card and gave none has none.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "runtime/resample.h"
#include "runtime/search/sight.h"
#include "runtime/search/world.h"

namespace cardwright::search {

// How much may be spent on conclusions. A trial: a decision of the past in a world that is drawn.
struct Effort {
  std::uint64_t trials = 0;   // so many; 0: until then
  std::chrono::steady_clock::time_point until;
  bool is_spent(std::uint64_t made) const {
    return trials != 0 ? made >= trials : std::chrono::steady_clock::now() >= until;
  }
};

// What worlds of the past are tried in; for one thread.
struct Past {
  Past(const Program& program, Engine& engine) : world(program, engine), sight(program) {}
  World world;
  Sight sight;
  std::uint64_t trials = 0;   // made so far
};

class Inference {
 public:
  Inference(const Resampler& resampler, Int observer);

  // A decision is made in this State, which keeps knowledge.
  void saw(const Byte* s, Int player, Int site, Int option);
  // The State now, in which that player is asked at that site.
  void look(const Byte* s, Int player, Int site);
  // By card: how it came where it lies, see Unseen.
  std::span<const Word> trails() const { return trails_; }
  // Whether anything was decided of which something may be concluded.
  bool any() const { return !seen_.empty(); }

  // Draws conclusions from the decisions that are new since it was last called, and finds out which ones tell worlds
  // apart. `unknown`: of the State that was looked at last; what was concluded holds there, too, afterwards.
  void learn(Unseen& unknown, Past& past, Word seed, const Effort& effort);
  // What was concluded, of the same State: keeps away from somebody's places the cards that they can't have held.
  void apply(Unseen& unknown) const;
  // How many decisions tell worlds apart. Of none all worlds weigh the same.
  std::size_t telling() const { return telling_.size(); }
  // How likely these decisions were in the world whose cards are exchanged so, and which has these secrets; never 0.
  double weight(std::span<const Int> becomes, const Byte* world, Past& past) const;

 private:
  struct After {   // what all see of what came of a decision
    Word seen = 0;
    Int player = -1, site = -1;
    friend bool operator==(const After&, const After&) = default;
  };
  struct Never {   // cards that a player can't have held when something was decided
    Int owner;
    std::vector<Int> cards;
  };
  struct Seen {   // a decision
    std::vector<Byte> state;
    Int player, site, option;
    bool sure = false;   // the observer has seen which option it was
    bool over = false;   // what came of it was seen: …
    After after;   // … this
    bool by_chance = true;   // which may be chance
    bool examined = false;   // and so is known:
    std::vector<Never> never;
  };
  void note_trails(const Byte* s);
  void forget(const Byte* s);
  bool tells_option(const Byte* s, Int option) const;
  // How likely it was in that world.
  double likelihood(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past) const;
  // How many options there were then in that world, and at which place this one stood; 0: not at all.
  Int go_back(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past, Word chance, Int& index) const;
  void copy_secrets(const Byte* from, Byte* to) const;
  bool is_by_chance(const Seen& seen, Unseen& unknown, Past& past, Word seed) const;
  bool tells(const Seen& seen, Unseen& unknown, Past& past, Word seed) const;
  std::vector<Never> never_held(const Seen& seen, Unseen& unknown, Past& past, Word seed) const;
  std::vector<Int> impossible_cards(const Seen& seen, Int owner, Unseen& unknown, Past& past) const;
  bool held(const Seen& seen, const HiddenPlace& place, Int owner) const;
  void keep_away(const Seen& seen, Unseen& unknown) const;

  const Resampler* resampler_;
  Int observer_;
  Sight sight_;
  std::vector<Seen> seen_;   // the oldest first
  std::vector<std::size_t> telling_;   // of them, as far as they were examined
  std::vector<Word> trails_;   // by card
  std::vector<Word> known_;   // set of cards that were known when the last State was seen
  std::vector<Int> zones_;   // by card, at that time
  Word count_ = 0;   // of decisions seen
};

}   // namespace cardwright::search
