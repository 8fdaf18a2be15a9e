// Samples worlds. All worlds that are possible for the observer have equal probability. If the sets of possible places
// of any two cards are nested or disjoint, the cards are dealt directly: each card, in order of increasing number of
// possible places, is assigned to a random free place. Otherwise a world is the result of a long random walk, which
// exchanges cards between places as the observer's knowledge allows. Resampler::redraw and Resampler::step use shorter
// walks, which result in similar worlds.
#include "runtime/knowledge/resample.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/random.h"
#include "runtime/ops/zones.h"
#include "runtime/knowledge/secrets.h"

namespace cardwright {

namespace {

constexpr Int kStepsPerCard = 30;
constexpr Int kMostInStep = 4;   // cards exchanged in one step

using Places = std::vector<HiddenPlace>;

bool fits(const HiddenPlace& holder, const HiddenPlace& to) { return holder.where >> to.kind & 1; }
void trade(HiddenPlace& a, HiddenPlace& b) {
  std::swap(a.card, b.card);
  std::swap(a.where, b.where);
}
// Exchanges three cards, because some worlds cannot be reached by exchanges of two cards.
void rotate(HiddenPlace& a, HiddenPlace& b, HiddenPlace& c) {
  if (&c == &a || &c == &b || !fits(a, b) || !fits(b, c) || !fits(c, a)) return;
  trade(a, b);
  trade(a, c);
}

// Makes `steps` random exchanges, each between a place from `from` and one from `among`. The reverse exchange has the
// same probability.
void walk(Places& places, std::span<const std::size_t> from, std::span<const std::size_t> among, Int steps,
          Byte* stream) {
  const Int n = static_cast<Int>(among.size()), m = static_cast<Int>(from.size());
  if (n < 2 || m == 0) return;
  const auto any = [&]() -> HiddenPlace& { return places[among[static_cast<std::size_t>(draw_below(stream, n))]]; };
  for (; steps > 0; --steps) {
    HiddenPlace& a = places[from[static_cast<std::size_t>(draw_below(stream, m))]];
    HiddenPlace& b = any();
    if (fits(a, b) && fits(b, a))
      trade(a, b);
    else if (&a != &b)
      rotate(a, b, any());
  }
}

// Returns the hidden places with their true cards. The kind of a place is its hidden bit. Omits a card that is not
// where the observer believes it to be, so that the card stays in its place.
Places true_places(const Layout& l, const Byte* s, Int observer) {
  Places places;
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = read<Word>(unknown_at(s, l, observer) + 8 * w); rest != 0; rest &= rest - 1) {
      const Int card = 64 * w + lowest_bit(rest);
      const Int at = is_card(l, card) ? find_zone(s, l, card) : kNone;
      if (at == kNone) continue;
      const Word where = where_card(l, s, observer, card);
      const Int bit = hidden_place(l, s, card, at);
      if (bit >= 0 && (where >> bit & 1) != 0) places.push_back({card, bit, card, where});
    }
  return places;
}

void begin_becoming(const Layout& l, std::vector<Int>& becomes) {
  becomes.resize(static_cast<std::size_t>(l.card_ids));
  std::iota(becomes.begin(), becomes.end(), Int{0});
}

// Exchanges cards in the State. The observer's own knowledge holds in every possible world, so it does not change.
void move_cards(const Resampler& resampler, Byte* s, Int observer, std::span<const Int> becomes, bool with_knowledge) {
  const Layout& l = resampler.program().layout;
  const Exchange exchange(resampler.program(), resampler.things(), becomes);
  if (!exchange.moves_any()) return;
  if (with_knowledge)
    exchange_knowledge(l, s, observer, becomes);
  else if (resampler.program().knowledge_in_playout)
    for (Int p = 0; p < l.players; ++p)
      if (p != observer) exchange.map_set(unknown_at(s, l, p));
  exchange.apply(s);
}

// A random walk that starts at the State itself.
class Walk {
 public:
  Walk(const Resampler& resampler, Byte* s, Int observer, Word seed)
      : resampler_(resampler),
        l_(resampler.program().layout),
        s_(s),
        observer_(observer),
        places_(true_places(l_, s, observer)),
        all_(places_.size()) {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    write(stream_, mix_word(seed + kGoldenGamma));
  }

  // Redraws the cards that this player knows, and all secrets.
  void draw_known_to(Int player) {
    std::vector<std::size_t> from;
    for (const std::size_t at : all_)
      if (where_card(l_, s_, player, places_[at].true_card) == 0) from.push_back(at);
    move(from, static_cast<Int>(from.size()) * kStepsPerCard);
    draw_secrets(resampler_.program(), resampler_.things(), s_, observer_, stream_, false);
  }
  // Redraws a few cards or a few secrets.
  void draw_few() {
    if (places_.empty() || draw_below(stream_, 3) == 0)
      return draw_secrets(resampler_.program(), resampler_.things(), s_, observer_, stream_, true);
    std::vector<std::size_t> from;
    for (Int n = 1 + draw_below(stream_, kMostInStep); n > 0; --n)
      from.push_back(static_cast<std::size_t>(draw_below(stream_, static_cast<Int>(places_.size()))));
    move(from, static_cast<Int>(from.size()));
  }

 private:
  void move(std::span<const std::size_t> from, Int steps) {
    walk(places_, from, all_, steps, stream_);
    std::vector<Int> becomes;
    begin_becoming(l_, becomes);
    for (const HiddenPlace& place : places_) becomes[static_cast<std::size_t>(place.true_card)] = place.card;
    move_cards(resampler_, s_, observer_, becomes, true);
  }

  const Resampler& resampler_;
  const Layout& l_;
  Byte* s_;
  const Int observer_;
  Places places_;
  std::vector<std::size_t> all_;
  Byte stream_[8];
};

}   // namespace

void Resampler::resample(Byte* s, Int observer, Word seed) const {
  if (observer >= 0)
    Unseen(*this, s, observer).draw(s, seed);
  else
    finish(s, seed);
}

void Resampler::redraw(Byte* s, Int observer, Int known_to, Word seed) const {
  if (observer >= 0) Walk(*this, s, observer, seed).draw_known_to(known_to);
  finish(s, seed);
}

void Resampler::step(Byte* s, Int observer, Word seed) const {
  if (observer >= 0) Walk(*this, s, observer, seed).draw_few();
  finish(s, seed);
}

void Resampler::finish(Byte* s, Word seed) const {
  make_stale(program_, s);
  key_streams(program_.layout, s, run_key(seed), ~Word{0} - 1);
}

State resample(const Program& program, const State& state, Int observer, Word seed) {
  State other(state);
  Resampler(program).resample(other.bytes(), observer, seed);
  return other;
}

// ---- Unseen

Unseen::Unseen(const Resampler& resampler, const Byte* s, Int observer, std::span<const Word> trails)
    : resampler_(resampler), program_(resampler.program()), l_(program_.layout), observer_(observer) {
  const auto is_secret = [&](Int variable) {
    for (Int i = 0; i < program_.variables[static_cast<std::size_t>(variable)].count; ++i)
      if (!knows_variable(program_, s, observer, variable, i)) return true;
    return false;
  };
  const HiddenThings& things = resampler.things();
  any_secret_ = std::any_of(things.made_up.begin(), things.made_up.end(), is_secret);
  for (const HiddenThings::Pool& pool : things.pools)
    any_secret_ = any_secret_ || std::any_of(pool.dealt.begin(), pool.dealt.end(), is_secret);
  begin_becoming(l_, becomes_);
  find_places(s, trails);
  find_parts();
  if (std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.nested; })) begin();
}

void Unseen::find_places(const Byte* s, std::span<const Word> trails) {
  places_ = true_places(l_, s, observer_);
  for (const HiddenPlace& place : places_) cards_.push_back({place.true_card, place.where});
  std::sort(cards_.begin(), cards_.end(), [](const Hidden& a, const Hidden& b) { return a.card < b.card; });

  // Position of a card in the order of its pile; 0: no fixed position.
  std::vector<Int> position(static_cast<std::size_t>(l_.card_ids), 0);
  for (Int bit = 0; bit < l_.hidden; ++bit) {
    Int next = 0;
    for (const Int card : cards_from_top(l_, s, l_.hidden_instance[bit]))
      position[static_cast<std::size_t>(card)] = ++next;
    next = 0;
    for (const Int card : cards_from_bottom(l_, s, l_.hidden_instance[bit]))
      position[static_cast<std::size_t>(card)] = --next;
  }
  const auto trail = [&](Int card) { return trails.empty() ? Word{0} : trails[static_cast<std::size_t>(card)]; };
  const auto order = [&](const HiddenPlace& place) {
    return std::tuple(place.kind, trail(place.true_card), position[static_cast<std::size_t>(place.true_card)],
                      place.true_card);
  };
  std::sort(places_.begin(), places_.end(),
            [&](const HiddenPlace& a, const HiddenPlace& b) { return order(a) < order(b); });

  // Numbers the kinds of places, which are pairs of a hidden bit and a trail. Ignores trails if there would be too many
  // kinds.
  std::map<std::pair<Int, Word>, Int> kinds;
  for (const HiddenPlace& place : places_) kinds.try_emplace({place.kind, trail(place.true_card)}, 0);
  const bool by_trail = kinds.size() <= kMostKinds;
  std::vector<Word> kinds_of_bit(static_cast<std::size_t>(l_.hidden), 0);
  Int next = 0, last_bit = -1;
  for (auto& [key, kind] : kinds) {
    kind = by_trail || key.first != last_bit ? next++ : next - 1;
    last_bit = key.first;
    kinds_of_bit[static_cast<std::size_t>(key.first)] |= Word{1} << kind;
  }
  kinds_ = static_cast<std::size_t>(next);
  for (HiddenPlace& place : places_) place.kind = kinds[{place.kind, trail(place.true_card)}];
  for (Hidden& card : cards_) {
    Word of_kinds = 0;
    for (Word bits = card.where; bits != 0; bits &= bits - 1)
      of_kinds |= kinds_of_bit[static_cast<std::size_t>(lowest_bit(bits))];
    card.where = of_kinds;
  }
}

Int Unseen::kind_of(Int true_card) const {
  for (const HiddenPlace& place : places_)
    if (place.true_card == true_card) return place.kind;
  return -1;
}

// Divides the kinds into parts. Kinds that can exchange a card, directly or through other kinds, are in one part.
void Unseen::find_parts() {
  parts_.clear();
  Word left = 0;
  for (const HiddenPlace& place : places_) left |= Word{1} << place.kind;
  while (left != 0) {
    Word bits = left & -left;
    for (Word before = 0; before != bits;) {
      before = bits;
      for (const Hidden& card : cards_)
        if ((card.where & bits) != 0) bits |= card.where;
    }
    left &= ~bits;
    Part part;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (bits >> places_[i].kind & 1) part.places.push_back(i);
    for (std::size_t i = 0; i < cards_.size(); ++i)
      if ((cards_[i].where & bits) != 0) part.cards.push_back(i);
    std::stable_sort(part.cards.begin(), part.cards.end(), [&](std::size_t a, std::size_t b) {
      return std::popcount(cards_[a].where) < std::popcount(cards_[b].where);
    });
    std::vector<Word> sets;
    for (const std::size_t card : part.cards)
      if (std::find(sets.begin(), sets.end(), cards_[card].where) == sets.end()) sets.push_back(cards_[card].where);
    part.nested = true;
    for (const Word a : sets)
      for (const Word b : sets)
        if (const Word both = a & b; both != 0 && both != a && both != b) part.nested = false;
    parts_.push_back(std::move(part));
  }
}

// Assigns the card to a place of a possible kind. If there is no free place, moves another card away (augmenting
// paths). `tried` contains the kinds tried so far.
bool Unseen::seat(std::size_t card, Word& tried, Seated& seated, const std::vector<std::size_t>& room) const {
  for (Word kinds = cards_[card].where & ~tried; kinds != 0; kinds &= (kinds - 1) & ~tried) {
    const auto kind = static_cast<std::size_t>(lowest_bit(kinds));
    tried |= Word{1} << kind;
    if (seated[kind].size() < room[kind]) return seated[kind].push_back(card), true;
    for (std::size_t i = 0; i < seated[kind].size(); ++i)
      if (seat(seated[kind][i], tried, seated, room)) return seated[kind][i] = card, true;
  }
  return false;
}

// Finds a world, independent of the true one, in which random walks start. Returns false if there is none.
bool Unseen::begin() {
  Seated seated(kinds_);
  std::vector<std::size_t> room(kinds_, 0);
  for (const HiddenPlace& place : places_) ++room[static_cast<std::size_t>(place.kind)];
  for (const Part& part : parts_)
    for (const std::size_t card : part.cards) {
      Word tried = 0;
      if (!seat(card, tried, seated, room)) return false;
    }
  first_.assign(places_.size(), 0);
  std::vector<std::size_t> next(kinds_, 0);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto kind = static_cast<std::size_t>(places_[i].kind);
    first_[i] = seated[kind][next[kind]++];
  }
  return true;
}

void Unseen::keep_away(Int card, Word kinds) {
  for (Hidden& one : cards_) {
    if (one.card != card || (one.where & ~kinds) == 0) continue;
    const Word before = std::exchange(one.where, one.where & ~kinds);
    find_parts();
    if (begin()) return;
    one.where = before;
    find_parts();
    begin();
  }
}

void Unseen::deal(const Part& part) {
  if (!part.nested) {
    for (const std::size_t at : part.places) {
      places_[at].card = cards_[first_[at]].card;
      places_[at].where = cards_[first_[at]].where;
    }
    return walk(places_, part.places, part.places, static_cast<Int>(part.places.size()) * kStepsPerCard, stream_);
  }
  free_.assign(part.places.begin(), part.places.end());
  Word where = 0;
  std::size_t mine = 0;   // number of free places, from the front, that this card may take
  for (const std::size_t one : part.cards) {
    const Hidden& card = cards_[one];
    if (card.where != where) {
      where = card.where;
      mine = static_cast<std::size_t>(
          std::partition(free_.begin(), free_.end(),
                         [&](std::size_t at) { return (where >> places_[at].kind & 1) != 0; }) -
          free_.begin());
    }
    std::size_t& drawn = free_[static_cast<std::size_t>(draw_below(stream_, static_cast<Int>(mine)))];
    places_[drawn].card = card.card;
    places_[drawn].where = card.where;
    drawn =
        free_[--mine];   // the last allowed place fills the slot of the drawn one; the last free place fills its slot
    free_[mine] = free_.back();
    free_.pop_back();
  }
}

void Unseen::assign(Word seed) {
  write(stream_, mix_word(seed + kGoldenGamma));
  for (const Part& part : parts_) deal(part);
  for (const HiddenPlace& place : places_) becomes_[static_cast<std::size_t>(place.true_card)] = place.card;
}

bool Unseen::exchange(std::size_t one, std::size_t other) {
  HiddenPlace &a = places_[one], &b = places_[other];
  if (!fits(a, b) || !fits(b, a)) return false;
  trade(a, b);
  becomes_[static_cast<std::size_t>(a.true_card)] = a.card;
  becomes_[static_cast<std::size_t>(b.true_card)] = b.card;
  return true;
}

void Unseen::apply(Byte* copy, Word seed, bool with_knowledge) {
  write(stream_, mix_word(seed ^ kGoldenGamma));
  if (!places_.empty()) move_cards(resampler_, copy, observer_, becomes_, with_knowledge);
  if (any_secret_) draw_secrets(program_, resampler_.things(), copy, observer_, stream_, false);
  resampler_.finish(copy, seed);
}

}   // namespace cardwright
