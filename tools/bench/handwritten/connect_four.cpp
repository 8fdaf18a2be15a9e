// Implements connect four (rulesets/classics/connect_four) with one word per player. A row has seven cells and an empty
// eighth, so that no line wraps around the edge; the cells have the compiler's order.
#include "tools/bench/handwritten/hand.h"
#include "tools/bench/handwritten/references.h"

namespace handwritten {

namespace {

constexpr unsigned kStride = 8, kColumns = 7, kRows = 6, kCells = kColumns * kRows;
constexpr Word kRow = (Word{1} << kColumns) - 1;
constexpr Word kBoard = kRow * 0x010101010101;

template <unsigned kStep>
HAND_INLINE Word ends(Word discs) {   // returns the ends of lines of four
  const Word pairs = discs & discs << kStep;
  return pairs & pairs << 2 * kStep;
}
HAND_INLINE bool has_four(Word discs) {
  return (ends<1>(discs) | ends<kStride - 1>(discs) | ends<kStride>(discs) | ends<kStride + 1>(discs)) != 0;
}

struct Table {
  Word discs[2];
  Word policy[2];
  unsigned winners;
};

// Plays a game and returns the number of decisions, one per turn.
[[gnu::noinline]] unsigned play_game(Table& t, Word seed, Word game) {
  Word streams[3];
  key_streams(streams, 2, seed, game);
  Word mine = 0, yours = 0, my_stream = streams[1], your_stream = streams[2];
  unsigned turn = 0;
  bool won = false;
  while (turn < kCells) {
    const Word taken = mine | yours;
    const Word landing = (taken << kStride | kRow) & kBoard & ~taken;
    mine |= nth_bit(landing, below(my_stream, count(landing)));
    ++turn;
    won = has_four(mine);
    Word other = mine;
    mine = yours, yours = other;
    other = my_stream;
    my_stream = your_stream, your_stream = other;
    if (won) break;
  }
  const bool odd = turn % 2 != 0;   // the first player made the last move
  t.discs[0] = odd ? yours : mine;
  t.discs[1] = odd ? mine : yours;
  t.policy[0] = odd ? your_stream : my_stream;
  t.policy[1] = odd ? my_stream : your_stream;
  t.winners = won ? odd ? 1 : 2 : 0;
  return turn;
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

std::int64_t without_rim(Word cells) {
  Word out = 0;
  for (unsigned row = 0; row < kRows; ++row) out |= (cells >> row * kStride & kRow) << row * kColumns;
  return static_cast<std::int64_t>(out);
}

Final finish(Word seed, Word game) {
  Table t;
  Word streams[3];
  key_streams(streams, 2, seed, game);
  Final final;
  final.decisions = play_game(t, seed, game);
  final.winners = t.winners;
  final.in_game = 3;
  final.streams = {streams[0], t.policy[0], t.policy[1]};
  final.values = {{"discs", 0, without_rim(t.discs[0])},
                  {"discs", 1, without_rim(t.discs[1])},
                  {"turn_number", 0, static_cast<std::int64_t>(final.decisions)},
                  {"play is over", 0, t.winners == 0}};
  if (t.winners != 0) final.values.push_back({"active", 0, t.winners == 2});
  return final;
}

}   // namespace

const Reference kConnectFour{"connect_four", 2, play, finish};

}   // namespace handwritten
