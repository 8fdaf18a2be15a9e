// Draws other worlds that an observer cannot distinguish from the true one: hidden cards, secret variables and all
// random streams are redrawn.
#pragma once

#include <span>
#include <vector>

#include "runtime/exchange.h"
#include "runtime/state.h"

namespace cardwright {

// Turns States into such worlds. Create one per Program, because the constructor scans the code for registers and
// variables that hold cards.
class Resampler {
 public:
  explicit Resampler(const Program& program) : program_(program), things_(program) {}
  const Program& program() const { return program_; }
  const HiddenThings& things() const { return things_; }

  // Redraws everything in place. Observer -1 knows everything, so only the streams change.
  void resample(Byte* s, Int observer, Word seed) const;
  // Redraws only the cards that this player knows, so that the player has other hands in an otherwise equal State.
  void redraw(Byte* s, Int observer, Int known_to, Word seed) const;
  // Redraws some cards or secrets: one step of a random walk with the uniform distribution over worlds.
  void step(Byte* s, Int observer, Word seed) const;
  // Creates new streams from the seed; resample, redraw and step call this too.
  void finish(Byte* s, Word seed) const;

 private:
  const Program& program_;
  HiddenThings things_;
};
State resample(const Program& program, const State& state, Int observer, Word seed);

// A place whose card an observer does not know, with the card assigned to it in a world.
struct HiddenPlace {
  Int true_card = 0;
  Int kind = 0;   // places of the same kind are interchangeable: a bit of `where`
  Int card = 0;
  Word where = 0;   // possible places of `card`, by kind
};

// The information hidden from an observer in one State, computed once for any number of worlds. A world depends on the
// seed and on what the observer knows, never on the true position of a card: two States that the observer cannot
// distinguish give the same worlds. The one exception are cards held by a suspended rule, which may be replaced by
// identical copies.
class Unseen {
 public:
  static constexpr std::size_t kMostKinds = 64;

  // `trails`, by card: distinguishes cards in the same place that got there in different ways. May be empty; not
  // stored.
  Unseen(const Resampler& resampler, const Byte* s, Int observer, std::span<const Word> trails = {});

  // Returns true if nothing redrawn is hidden from this observer, so that worlds differ only in their streams.
  bool nothing() const { return places_.empty() && !any_secret_; }

  // Places are of one kind if they belong to the same zone and their cards have the same trail. Returns the kind of a
  // card's place by its number, or -1 if the observer knows the place.
  Int kind_of(Int true_card) const;
  std::size_t kinds() const { return kinds_; }
  // From now on the card is not assigned to places of these kinds if there is an alternative.
  void keep_away(Int card, Word kinds);

  // Assigns a card to each place of a world.
  void assign(Word seed);
  // The places in order, with the cards assigned to them.
  std::span<const HiddenPlace> places() const { return places_; }
  // Exchanges the cards of two places. Returns false, without a change, if the result is not possible.
  bool exchange(std::size_t one, std::size_t other);
  // By card: the card assigned to its place.
  std::span<const Int> becomes() const { return becomes_; }
  // Turns a copy of the State into the assigned world, with secrets and streams drawn from the seed. `with_knowledge`:
  // also updates the knowledge of other players, instead of only what a playout needs.
  void carry_out(Byte* copy, Word seed, bool with_knowledge = true);
  void draw(Byte* copy, Word seed, bool with_knowledge = true) { assign(seed), carry_out(copy, seed, with_knowledge); }

 private:
  // Cards and places that can be exchanged with each other, directly or through others.
  struct Part {
    std::vector<std::size_t> places, cards;   // cards: those with the fewest places first
    bool nested = false;   // the place sets of any two cards are nested or disjoint
  };

  void find_places(const Byte* s, std::span<const Word> trails);
  void find_parts();
  bool begin();
  using Seated = std::vector<std::vector<std::size_t>>;   // by kind: indices into cards_
  bool seat(std::size_t card, Word& tried, Seated& seated, const std::vector<std::size_t>& room) const;
  void deal(const Part& part);

  const Resampler& resampler_;
  const Program& program_;
  const Layout& l_;
  const Int observer_;
  bool any_secret_ = false;
  std::size_t kinds_ = 0;
  std::vector<HiddenPlace> places_;   // in an order that does not depend on the hidden cards
  struct Hidden {
    Int card;
    Word where;
  };
  std::vector<Hidden> cards_;   // by id
  std::vector<std::size_t> first_;   // by place: index into cards_ of the card in the initial world for walks
  std::vector<Part> parts_;
  std::vector<Int> becomes_;
  std::vector<std::size_t> free_;   // the empty places of a part
  Byte stream_[8];
};

}   // namespace cardwright
