// Implements crazy eights (rulesets/classics/crazy_eights). Each hand, the stock and the discard pile are each stored
// in one word, with cards ordered by suit, then rank. A player can either draw or pass, never both, so the number of
// options is the number of playable cards plus one.
#include "tools/bench/handwritten/hand.h"
#include "tools/bench/handwritten/references.h"

namespace handwritten {

namespace {

constexpr unsigned kRanks = 13, kEight = 6, kAce = 12;
constexpr unsigned kMostDraws = 5, kMostPlays = 100;
constexpr Word kAll = (Word{1} << 52) - 1;
constexpr Word kSuit = (Word{1} << kRanks) - 1;
constexpr Word kRank = 1 | Word{1} << 13 | Word{1} << 26 | Word{1} << 39;

constexpr Word suit_of_cards(unsigned suit) { return kSuit << suit * kRanks; }
constexpr Word cards_of_rank(unsigned rank) { return kRank << rank; }
constexpr Word kEights = cards_of_rank(kEight);

struct Fits {
  Word by_card[52];   // the cards that can follow this one, including eights
  constexpr Fits() : by_card() {
    for (unsigned c = 0; c < 52; ++c) by_card[c] = suit_of_cards(c / kRanks) | cards_of_rank(c % kRanks) | kEights;
  }
};
constexpr Fits kFits;

// State that no rule reads, stored only for the comparison.
struct Record {
  std::uint8_t discards[52];
  unsigned discarded = 0, turns = 0, draws = 0, suit = 0, passes = 0, active = 0;
};

template <int kPlayers>
struct Table {
  Word streams[1 + kPlayers];
  Word hands[kPlayers];
  Word stock;
  unsigned top, plays;
  unsigned winners;
};

HAND_INLINE Word draw(Word& stock, Word& chance) {
  const Word card = nth_bit(stock, below(chance, count(stock)));
  stock ^= card;
  return card;
}

inline int payoff(Word hand) {
  int sum = 0;
  for (; hand != 0; hand &= hand - 1) {
    const unsigned rank = lowest(hand) % kRanks;
    sum += rank == kEight ? 50 : rank == kAce ? 1 : rank + 2 < 10 ? static_cast<int>(rank) + 2 : 10;
  }
  return -sum;
}

template <int kPlayers>
unsigned best(const Table<kPlayers>& t) {
  int most = 0;
  unsigned winners = 0;
  for (int p = 0; p < kPlayers; ++p) {
    const int points = payoff(t.hands[p]);
    if (winners == 0 || points > most) winners = 0, most = points;
    if (points == most) winners |= 1u << p;
  }
  return winners;
}

// Plays a game and returns the number of decisions.
template <int kPlayers, bool kRecord>
[[gnu::noinline]] unsigned play_game(Table<kPlayers>& t, Word seed, Word game, Record* record) {
  key_streams(t.streams, kPlayers, seed, game);
  Word chance = t.streams[0], stock = kAll;
  for (Word& hand : t.hands) hand = 0;
  for (int i = 0; i < (kPlayers == 2 ? 7 : 5); ++i)
    for (Word& hand : t.hands) hand |= draw(stock, chance);
  Word card = draw(stock, chance);
  while (card & kEights) {
    stock |= card;
    card = draw(stock, chance);
  }
  unsigned top = lowest(card);
  Word fitting = kFits.by_card[top];
  if (kRecord) record->discards[record->discarded++] = static_cast<std::uint8_t>(top), record->suit = top / kRanks;

  unsigned decisions = 0, plays = 0, passes = 0;
  unsigned p = below(chance, kPlayers);
  for (;;) {
    Word hand = t.hands[p], policy = t.streams[1 + p];
    unsigned draws = 0;
    if (kRecord) ++record->turns, record->active = p;
    for (;;) {
      const Word playable = hand & fitting;
      const unsigned n = count(playable), k = below(policy, n + 1);
      ++decisions;
      if (k < n) {
        card = nth_bit(playable, k);
        hand ^= card;
        top = lowest(card);
        passes = 0;
        ++plays;
        fitting = kFits.by_card[top];
        if (kRecord)
          record->discards[record->discarded++] = static_cast<std::uint8_t>(top), record->suit = top / kRanks;
        if (card & kEights && hand != 0) {
          ++decisions;
          const unsigned suit = below(policy, 4);
          fitting = suit_of_cards(suit) | kEights;
          if (kRecord) record->suit = suit;
        }
        break;
      }
      if (draws < kMostDraws && stock != 0) {
        hand |= draw(stock, chance);
        ++draws;
        passes = 0;
        continue;
      }
      passes = stock == 0 ? passes + 1 : 0;
      break;
    }
    t.hands[p] = hand;
    t.streams[1 + p] = policy;
    if (kRecord) record->draws = draws, record->passes = passes < 16 ? passes : 16;
    if (hand == 0) {
      t.winners = 1u << p;
      break;
    }
    if (passes > kPlayers || plays == kMostPlays) {
      t.winners = best(t);
      break;
    }
    p = p + 1 < kPlayers ? p + 1 : 0;
  }
  t.streams[0] = chance;
  t.stock = stock;
  t.top = top;
  t.plays = plays;
  return decisions;
}

template <int kPlayers>
Played play(Word seed, Word first_game, Word games) {
  Played played;
  Table<kPlayers> t;
  for (Word i = 0; i < games; ++i) {
    played.decisions += play_game<kPlayers, false>(t, seed, first_game + i, nullptr);
    played.winners += t.winners;
  }
  return played;
}

template <int kPlayers>
Final finish(Word seed, Word game) {
  Table<kPlayers> t;
  Record record;
  Final final;
  final.decisions = play_game<kPlayers, true>(t, seed, game, &record);
  final.winners = t.winners;
  final.in_game = bit(kPlayers) - 1;
  final.streams.assign(t.streams, t.streams + 1 + kPlayers);
  Word discard = kAll & ~t.stock;
  for (int p = 0; p < kPlayers; ++p) {
    final.zones.push_back({"hand", p, {t.hands[p], 0}});
    discard &= ~t.hands[p];
  }
  final.zones.push_back({"stock", -1, {t.stock, 0}, true});
  final.zones.push_back({"discard", -1, {discard, 0}, true, {record.discards, record.discards + record.discarded}});
  final.values = {{"suit", 0, record.suit},   {"passes", 0, record.passes}, {"plays", 0, t.plays},
                  {"draws", 0, record.draws}, {"active", 0, record.active}, {"turn_number", 0, record.turns}};
  return final;
}

}   // namespace

const Reference kCrazyEights2{"crazy_eights", 2, play<2>, finish<2>};
const Reference kCrazyEights5{"crazy_eights", 5, play<5>, finish<5>};

}   // namespace handwritten
