// Samples worlds that an observer cannot distinguish from the true one, by redrawing hidden cards, secret variables and
// all random streams.
#pragma once

#include <span>
#include <vector>

#include "runtime/knowledge/exchange.h"
#include "runtime/state/state.h"

namespace cardwright {

// Converts a State to a sampled world. Create one per Program, because the constructor scans the code for registers and
// variables that hold cards.
class Resampler {
 public:
  explicit Resampler(const Program& program) : program_(program), things_(program) {}
  const Program& program() const { return program_; }
  const HiddenThings& things() const { return things_; }

  // Redraws everything in place. Observer -1 knows everything, so only the streams change.
  void resample(Byte* s, Int observer, Word seed) const;
  // Redraws only the cards that this player knows, so that the player holds other cards and the rest of the State stays
  // the same.
  void redraw(Byte* s, Int observer, Int known_to, Word seed) const;
  // Redraws some cards or secrets: one step of a random walk whose stationary distribution is uniform over all worlds.
  void step(Byte* s, Int observer, Word seed) const;
  // Marks memoized values as dirty, and derives new random streams from the seed. resample(), redraw() and step() call
  // this too.
  void finish(Byte* s, Word seed) const;

 private:
  const Program& program_;
  HiddenThings things_;
};
State resample(const Program& program, const State& state, Int observer, Word seed);

// The position of one card that an observer does not know, with the card assigned to it in a sampled world.
struct HiddenPlace {
  Int true_card = 0;
  Int kind = 0;   // number of a bit in `where`; places of the same kind are interchangeable
  Int card = 0;
  Word where = 0;   // possible places of `card`, by kind
};

// The information hidden from an observer in one State, computed once for any number of worlds. A world depends on the
// seed and on what the observer knows, never on the true position of a card: two States that the observer cannot
// distinguish give the same worlds. The only exceptions are cards stored by a suspended rule, which may be replaced by
// identical copies.
class Unseen {
 public:
  static constexpr std::size_t kMostKinds = 64;

  // `trails`, by card: a value that differs between cards that reached the same place in different ways. The span may
  // be empty, and is not stored.
  Unseen(const Resampler& resampler, const Byte* s, Int observer, std::span<const Word> trails = {});

  // Returns true if no card and no variable is hidden from this observer, so that worlds differ only in their streams.
  bool nothing() const { return places_.empty() && !any_secret_; }

  // Returns the number of the kind of a card's place. Places are of the same kind if they belong to the same zone and
  // their cards have the same trail. Returns -1 if the observer knows the place.
  Int kind_of(Int true_card) const;
  std::size_t kinds() const { return kinds_; }
  // Excludes the card from places of these kinds in all further worlds, if possible.
  void keep_away(Int card, Word kinds);

  // Assigns a card to each hidden place: samples a world.
  void assign(Word seed);
  // Returns the places in order, with the cards assigned to them.
  std::span<const HiddenPlace> places() const { return places_; }
  // Exchanges the cards of two places. Returns false, without a change, if the observer knows that the result is
  // impossible.
  bool exchange(std::size_t one, std::size_t other);
  // Returns for each card the card that replaces it in the assigned world.
  std::span<const Int> becomes() const { return becomes_; }
  // Converts a copy of the State to the assigned world, with secrets and streams drawn from the seed. If
  // `with_knowledge` is set, updates all knowledge of other players, not only the part that a playout needs.
  void apply(Byte* copy, Word seed, bool with_knowledge = true);
  void draw(Byte* copy, Word seed, bool with_knowledge = true) { assign(seed), apply(copy, seed, with_knowledge); }

 private:
  // Cards and places that can be exchanged with each other, directly or through others.
  struct Part {
    std::vector<std::size_t> places, cards;   // cards with fewer possible places come first
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
  std::vector<Hidden> cards_;   // cards whose place is hidden, in order of ids
  // By place: the index into cards_ of the card that is there in the world where random walks start.
  std::vector<std::size_t> first_;
  std::vector<Part> parts_;
  std::vector<Int> becomes_;
  std::vector<std::size_t> free_;   // the places of a part that have no card yet
  Byte stream_[8];
};

}   // namespace cardwright
