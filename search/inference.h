// What decisions tell of what lies hidden. A world is an exchange of cards between places that the observer can't see
// into (runtime/resample.h), and so it is one of all earlier States: there the cards lie that in this world came from
// there. What somebody did then they must have been able to do, and the more they had to choose from, the less likely
// it was to be just that; and what all saw come of it must come of it. No game is known here: who did not follow suit
// has none of it, since else their option would not have been one; who was asked for a card and gave none has none.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/resample.h"
#include "search/sight.h"
#include "search/world.h"

namespace cardwright::search {

// What worlds of the past are tried in; for one thread.
struct Past {
  Past(const Program& program, Engine& engine) : world(program, engine), sight(program) {}
  World world;
  Sight sight;
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
  // Whether there is anything to weigh worlds by.
  bool any() const { return !seen_.empty(); }

  // Finds out which decisions led to what chance had no part in, and keeps away from somebody's places the cards that
  // they can't have held then: where a decision was possible in some world, and with such a card no more, whatever it
  // stands for.
  void learn(Unseen& unseen, Past& past, Word seed);
  // How likely all decisions were in the world whose cards are exchanged so, and which has these secrets; never 0.
  double weight(std::span<const Int> becomes, const Byte* world, Past& past) const;

 private:
  struct After {   // what all see of what came of a decision
    Word seen = 0;
    Int player = -1, site = -1;
    friend bool operator==(const After&, const After&) = default;
  };
  struct Seen {   // a decision
    std::vector<Byte> state;
    Int player, site, option;
    bool sure = false;   // the observer has seen which option it was
    bool over = false;   // what came of it was seen: …
    After after;   // … this
    bool by_chance = false;   // which may be chance
  };
  void note_trails(const Byte* s);
  void forget(const Byte* s);
  bool tells_option(const Byte* s, Int option) const;
  // How likely it was in that world.
  double likelihood(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past) const;
  // How many options there were then in that world, and at which place this one stood; 0: not at all.
  Int go_back(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past, Word chance, Int& index) const;
  void copy_secrets(const Byte* from, Byte* to) const;
  bool is_by_chance(const Seen& seen, Unseen& unseen, Past& past, Word seed) const;
  void learn_from(const Seen& seen, Unseen& unseen, Past& past, Word seed) const;
  void keep_away(const Seen& seen, Int owner, Unseen& unseen, Past& past) const;

  const Resampler* resampler_;
  Int observer_;
  Sight sight_;
  std::vector<Seen> seen_;   // the oldest first
  std::vector<Word> trails_;   // by card
  std::vector<Word> known_;   // set of cards that were known when the last State was seen
  std::vector<Int> zones_;   // by card, at that time
  Word count_ = 0;   // of decisions seen
};

}  // namespace cardwright::search
