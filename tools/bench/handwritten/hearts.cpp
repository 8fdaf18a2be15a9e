// Implements one deal of hearts (rulesets/classics/hearts), with one word per hand and per pile of tricks. Cards are
// sorted by suit, then rank.
#include "tools/bench/handwritten/hand.h"
#include "tools/bench/handwritten/references.h"

namespace handwritten {

namespace {

constexpr int kPlayers = 4;
constexpr unsigned kRanks = 13;
constexpr Word kAll = (Word{1} << 52) - 1;
constexpr Word kClubs = (Word{1} << kRanks) - 1, kHearts = kClubs << 2 * kRanks;
constexpr Word kTwoOfClubs = 1, kQueenOfSpades = Word{1} << (3 * kRanks + 10);
constexpr Word kPoints = kHearts | kQueenOfSpades;

struct Suits {
  Word of_card[52];
  constexpr Suits() : of_card() {
    for (unsigned c = 0; c < 52; ++c) of_card[c] = kClubs << c / kRanks * kRanks;
  }
};
constexpr Suits kSuits;

struct Table {
  Word streams[1 + kPlayers];
  Word hand[kPlayers], taken[kPlayers];
  int score[kPlayers];
  unsigned pass, winners;
  int leader;
  bool broken;
};

HAND_INLINE Word or_else(Word some, Word all) { return some != 0 ? some : all; }

// All players pass three cards simultaneously, to the player `pass` seats further in turn order.
HAND_INLINE void pass_cards(Table& t) {
  Word given[kPlayers];
  for (int p = 0; p < kPlayers; ++p) {
    Word left = t.hand[p];
    for (unsigned n = 13; n > 10; --n) left ^= nth_bit(left, below(t.streams[1 + p], n));
    given[p] = t.hand[p] ^ left;
    t.hand[p] = left;
  }
  for (unsigned p = 0; p < kPlayers; ++p) t.hand[(p + t.pass) % kPlayers] |= given[p];
}

HAND_INLINE Word play_card(Table& t, int p, Word playable) {
  const Word card = nth_bit(playable, below(t.streams[1 + p], count(playable)));
  t.hand[p] ^= card;
  return card;
}

template <bool kFirst>
HAND_INLINE void play_trick(Table& t) {
  int p = t.leader;
  const Word hand = t.hand[p];
  Word best = play_card(t, p, kFirst ? kTwoOfClubs : t.broken ? hand : or_else(hand & ~kHearts, hand));
  Word trick = best;
  const Word suit = kSuits.of_card[lowest(best)];
  for (int i = 1; i < kPlayers; ++i) {
    p = (p + 1) % kPlayers;
    const Word all = t.hand[p];
    const Word card = play_card(t, p, or_else(all & suit, kFirst ? or_else(all & ~kPoints, all) : all));
    trick |= card;
    const bool better = (card & suit) > best;
    best = better ? card : best;
    t.leader = better ? p : t.leader;
  }
  t.broken |= (trick & kPoints) != 0;
  t.taken[t.leader] |= trick;
}

HAND_INLINE void count_points(Table& t) {
  int moon = -1;
  for (int p = 0; p < kPlayers; ++p) {
    const Word points = t.taken[p] & kPoints;
    t.score[p] = static_cast<int>(count(points)) + (points & kQueenOfSpades ? 12 : 0);
    if (points == kPoints) moon = p;
  }
  if (moon >= 0)
    for (int p = 0; p < kPlayers; ++p) t.score[p] += p == moon ? -26 : 26;
  int least = t.score[0];
  for (int p = 1; p < kPlayers; ++p) least = t.score[p] < least ? t.score[p] : least;
  t.winners = 0;
  for (int p = 0; p < kPlayers; ++p) t.winners |= static_cast<unsigned>(t.score[p] == least) << p;
}

// Plays a game and returns the number of decisions.
[[gnu::noinline]] unsigned play_game(Table& t, Word seed, Word game) {
  key_streams(t.streams, kPlayers, seed, game);
  Word deck = kAll, chance = t.streams[0];
  for (int p = 0; p < kPlayers; ++p) t.hand[p] = t.taken[p] = 0;
  for (unsigned n = 52; n > 0; n -= kPlayers)
    for (unsigned p = 0; p < kPlayers; ++p) {
      const Word card = nth_bit(deck, below(chance, n - p));
      deck ^= card;
      t.hand[p] |= card;
    }
  t.pass = below(chance, 4);
  t.streams[0] = chance;
  if (t.pass != 0) pass_cards(t);
  for (int p = 0; p < kPlayers; ++p)
    if (t.hand[p] & kTwoOfClubs) t.leader = p;
  t.broken = false;
  play_trick<true>(t);
  for (int i = 1; i < 13; ++i) play_trick<false>(t);
  count_points(t);
  return t.pass != 0 ? 52 + 3 * kPlayers : 52;
}

Played play(Word seed, Word first_game, Word games) {
  Played played;
  Table t;
  for (Word i = 0; i < games; ++i) {
    played.decisions += play_game(t, seed, first_game + i);
    played.winners += t.winners;
  }
  return played;
}

Final finish(Word seed, Word game) {
  Table t;
  Final final;
  final.decisions = play_game(t, seed, game);
  final.winners = t.winners;
  final.in_game = bit(kPlayers) - 1;
  final.streams.assign(t.streams, t.streams + 1 + kPlayers);
  for (int p = 0; p < kPlayers; ++p) {
    final.zones.push_back({"taken", p, {t.taken[p], 0}});
    final.values.push_back({"score", p, t.score[p]});
  }
  for (const auto& [name, value] : {std::pair<const char*, int>{"leader", t.leader},
                                    {"pass", static_cast<int>(t.pass)},
                                    {"first", 0},
                                    {"broken", t.broken},
                                    {"round_number", 1},
                                    {"play is over", 1}})
    final.values.push_back({name, 0, value});
  return final;
}

}   // namespace

const Reference kHearts{"hearts", 4, play, finish};

}   // namespace handwritten
