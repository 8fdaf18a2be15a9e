// Other worlds that an observer can't tell from the true one: hidden cards, secret variables and all streams are drawn
// anew.
#pragma once

#include <span>
#include <vector>

#include "runtime/exchange.h"
#include "runtime/state.h"

namespace cardwright {

// Turns States into such worlds. Keep one per Program: it has looked through the code for what holds cards.
class Resampler {
 public:
  explicit Resampler(const Program& program) : program_(program), things_(program) {}
  const Program& program() const { return program_; }
  const HiddenThings& things() const { return things_; }

  // In place, all of them. Observer -1 knows everything: then only the streams are new.
  void resample(Byte* s, Int observer, Word seed) const;
  // Of the cards only those that this player knows: other hands of theirs, on a table that else is as it was.
  void redraw(Byte* s, Int observer, Int known_to, Word seed) const;
  // Some cards or secrets: a step of a walk whose worlds are all as likely.
  void step(Byte* s, Int observer, Word seed) const;
  // New streams, as each of these gives them.
  void finish(Byte* s, Word seed) const;

 private:
  const Program& program_;
  HiddenThings things_;
};
State resample(const Program& program, const State& state, Int observer, Word seed);

// A place where a card lies that an observer does not know, and which card that is in a world to be.
struct HiddenPlace {
  Int true_card = 0;
  Int kind = 0;   // among which others it is: a bit of `where`
  Int card = 0;
  Word where = 0;   // of `card`: places that it may have, by kind
};

// What an observer does not know of one State, found out once for any number of worlds. A world depends on the seed and
// on what the observer knows, never on what truly lies where: two States that the observer can't tell apart give the
// same worlds. Only of cards that a suspended rule holds it may be others that do not differ in anything else.
class Unseen {
 public:
  static constexpr std::size_t kMostKinds = 64;

  // `trails`, by card: tells apart cards that lie in one place now and have come there in different ways. May be empty;
  // is not kept.
  Unseen(const Resampler& resampler, const Byte* s, Int observer, std::span<const Word> trails = {});

  // Nothing that is drawn is hidden from this observer: worlds differ by their streams alone.
  bool nothing() const { return places_.empty() && !any_secret_; }

  // Places are of one kind if they are one zone's and their cards have one trail. Kinds of a card's place, by its
  // number, or -1 where the observer knows it.
  Int kind_of(Int true_card) const;
  std::size_t kinds() const { return kinds_; }
  // From here on that card is not drawn into places of these kinds, as far as there is another way.
  void keep_away(Int card, Word kinds);

  // Decides which card lies where in a world.
  void assign(Word seed);
  // By place, as it was assigned.
  std::span<const HiddenPlace> places() const { return places_; }
  // Exchanges what was assigned to two places. False, and nothing is changed, where it can't lie so.
  bool exchange(std::size_t one, std::size_t other);
  // By card: which is assigned to its place.
  std::span<const Int> becomes() const { return becomes_; }
  // Turns a copy of the State into the world that was assigned, with secrets and streams drawn by the seed.
  // `with_knowledge`: also who else knows what is made true, or only what a playout needs of it.
  void carry_out(Byte* copy, Word seed, bool with_knowledge = true);
  void draw(Byte* copy, Word seed, bool with_knowledge = true) { assign(seed), carry_out(copy, seed, with_knowledge); }

 private:
  // Of cards and places those that can exchange with each other, also by way of others.
  struct Part {
    std::vector<std::size_t> places, cards;   // cards: with the fewest places first
    bool nested = false;   // of any two cards, all places of the one are the other's, too, or none
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
  std::vector<HiddenPlace> places_;   // in an order that doesn't depend on what lies there
  struct Hidden {
    Int card;
    Word where;
  };
  std::vector<Hidden> cards_;   // by id
  std::vector<std::size_t> first_;   // by place: index into cards_ of one that may lie there, where walks begin
  std::vector<Part> parts_;
  std::vector<Int> becomes_;
  std::vector<std::size_t> free_;   // places of a part that hold nothing yet
  Byte stream_[8];
};

}   // namespace cardwright
