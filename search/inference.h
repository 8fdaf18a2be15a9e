// What others' decisions tell of what they hold. A world is an exchange of cards between places that the observer
// can't see into (runtime/resample.h), and so it is one of all earlier States: there the cards lie that in this world
// came from there. What somebody did then they must have been able to do, and the more they had to choose from, the
// less likely it was to be just that. No game is known here: who did not follow suit has none of it, since else their
// option would not have been one.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/resample.h"
#include "search/world.h"

namespace cardwright::search {

class Inference {
 public:
  Inference(const Resampler& resampler, Int observer);

  // A decision is made in this State, which keeps knowledge.
  void saw(const Byte* s, Int player, Int site, Int option);
  // The State now, before the observer decides.
  void look(const Byte* s);
  // By card: how it came where it lies, see Unseen.
  std::span<const Word> trails() const { return trails_; }
  // Whether there is anything to weigh worlds by.
  bool any() const { return !seen_.empty(); }

  // Keeps away from somebody's places the cards that they can't have held when they decided: where it was possible in
  // some world, and with such a card no more, whatever it stands for. `scratch` is written over.
  void learn(Unseen& unseen, World& scratch, Word seed) const;
  // How likely all decisions were in the world whose cards are exchanged so, and which has these secrets; never 0.
  double weight(std::span<const Int> becomes, const Byte* world, World& scratch) const;

 private:
  struct Seen {   // a decision of somebody else
    std::vector<Byte> state;
    Int player, site, option;
    bool sure = false;   // the observer has seen which option it was
  };
  void note_trails(const Byte* s);
  void forget(const Byte* s);
  bool tells_option(const Byte* s, Int option) const;
  // How many options there were then in that world; 0: not this one.
  Int options_in(const Seen& seen, const Exchange& exchange, const Byte* world, World& scratch) const;
  void copy_secrets(const Byte* from, Byte* to) const;
  void learn_from(const Seen& seen, Unseen& unseen, World& scratch, Word seed) const;

  const Resampler* resampler_;
  Int observer_;
  std::vector<Seen> seen_;   // the oldest first
  std::vector<Word> trails_;   // by card
  std::vector<Word> known_;   // set of cards that were known when the last State was seen
  std::vector<Int> zones_;   // by card, at that time
  Word count_ = 0;   // of decisions seen
};

}  // namespace cardwright::search
