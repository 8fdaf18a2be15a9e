// Tests the operations one by one: edge cases of arithmetic, sets of several words, piles.
#include "tests/runtime/small_program.h"

#include <cstring>
#include <random>
#include <set>

using namespace cardwright;
using testing::SmallProgram;

namespace {

struct Bench {
  Game g;
  Layout l;
  Byte s[256] = {};
};

using Binary = Trap (*)(Game&, Byte*, const Layout&, Int, Int, Int&);
std::pair<Trap, Int> call(Binary op, Int a, Int b) {
  Bench t;
  Int out = -77;
  const Trap trap = op(t.g, t.s, t.l, a, b, out);
  return {trap, trap == Trap::none ? out : 0};
}
std::pair<Trap, Int> ok(Int value) { return {Trap::none, value}; }

}   // namespace

TEST_CASE("ops: arithmetic", "[ops]") {
  CHECK(call(op_add, 2, 3) == ok(5));
  CHECK(call(op_add, kNone, 3).first == Trap::none_in_arithmetic);
  CHECK(call(op_add, kUnlimited, -5) == ok(kUnlimited));
  CHECK(call(op_sub, kUnlimited, 7) == ok(kUnlimited));
  CHECK(call(op_sub, 7, kUnlimited) == ok(-kUnlimited));
  CHECK(call(op_add, kUnlimited - 1, 1) == ok(kUnlimited));
  CHECK(call(op_mul, kUnlimited, -2) == ok(-kUnlimited));
  CHECK(call(op_mul, kUnlimited, 0) == ok(0));
  CHECK(call(op_mul, Int{1} << 39, Int{1} << 39).first == Trap::overflow);
  CHECK(call(op_div, 7, 2) == ok(3));
  CHECK(call(op_div, -7, 2) == ok(-3));
  CHECK(call(op_div, 7, 0).first == Trap::divided_by_zero);
  CHECK(call(op_mod, -1, 4) == ok(3));
  CHECK(call(op_mod, 7, -4) == ok(3));
  CHECK(call(op_mod, 7, 0).first == Trap::divided_by_zero);
  CHECK(call(op_lt, kNone, 1).first == Trap::none_in_arithmetic);
  CHECK(call(op_le, 1, 1) == ok(1));
  for (Int a = -9; a <= 9; ++a)
    for (Int b = -9; b <= 9; ++b) {
      if (b == 0) continue;
      const Int q = call(op_div, a, b).second, r = call(op_mod, a, b).second;
      CHECK(std::abs(q) == std::abs(a) / std::abs(b));
      CHECK((q == 0 || (q < 0) == ((a < 0) != (b < 0))));
      CHECK((r >= 0 && r < std::abs(b) && (a - r) % b == 0));
    }
}

TEST_CASE("ops: masks wrap around the table", "[ops]") {
  Bench t;
  const Int mask = 0b10110;
  CHECK(op_mask_next(t.g, t.s, t.l, mask, 0) == 1);
  CHECK(op_mask_next(t.g, t.s, t.l, mask, 3) == 4);
  CHECK(op_mask_next(t.g, t.s, t.l, mask, 5) == 1);
  CHECK(op_mask_next(t.g, t.s, t.l, 0, 0) == kNone);
  CHECK(op_mask_previous(t.g, t.s, t.l, mask, 3) == 2);
  CHECK(op_mask_previous(t.g, t.s, t.l, mask, 0) == 4);
  CHECK(op_mask_nth(t.g, t.s, t.l, mask, 2) == 4);
  CHECK(op_mask_nth(t.g, t.s, t.l, mask, 3) == kNone);
  CHECK(op_mask_of(t.g, t.s, t.l, kNone) == 0);
  CHECK(op_mask_has(t.g, t.s, t.l, mask, kNone) == 0);
  t.l.players = 5;
  t.l.in_game = 0;
  t.l.streams = 16;
  write(t.s, std::uint16_t{0b10111});
  Int steps = 0;
  CHECK(op_steps(t.g, t.s, t.l, 1, 4, steps) == Trap::none);
  CHECK(steps == 2);   // seat 3 is out
  CHECK(op_steps(t.g, t.s, t.l, 4, 1, steps) == Trap::none);
  CHECK(steps == 2);
  CHECK(op_steps(t.g, t.s, t.l, kNone, 1, steps) == Trap::unexpected_none);
  CHECK(op_next_in(t.g, t.s, t.l, 2) == 4);
  CHECK(op_next_in(t.g, t.s, t.l, 4) == 0);
  CHECK(op_previous_in(t.g, t.s, t.l, 4) == 2);
  CHECK(op_previous_in(t.g, t.s, t.l, 0) == 4);
}

TEST_CASE("ops: selects elements of a mask at regular intervals", "[ops]") {
  Bench t;
  const auto every = [&](Int mask, Int first, Int stride, Int count) {
    return op_mask_every(t.g, t.s, t.l, mask, first, stride, count);
  };
  CHECK(every(0b1011'0010'0110, 1, 4, 3) == 0b111);
  CHECK(every(0b1011'0010'0110, 2, 4, 3) == 0b001);
  CHECK(every(0b1011'0010'0110, 3, 4, 3) == 0b100);
  CHECK(every(0b110110, 1, 1, 3) == 0b011);
  CHECK(every(kNone | 1, 63, 8, 4) == 1);   // bits beyond the 64th don't exist
  CHECK(every(~Int{0}, 0, 32, 4) == 0b11);
  CHECK(every(~Int{0}, kNone, 8, 4) == 0);
}

TEST_CASE("ops: remaining players in turn order", "[ops]") {
  Bench t;
  for (Int mask = 0; mask < 32; ++mask)
    for (Int start = 0; start < 5; ++start)
      for (Int seat = 0; seat < 5; ++seat) {
        Int left = 0;
        for (Int at = (seat + 1) % 5; at != start; at = (at + 1) % 5) left |= mask & Int{1} << at;
        REQUIRE(op_mask_beyond(t.g, t.s, t.l, mask, start, seat) == left);
      }
  CHECK(op_mask_beyond(t.g, t.s, t.l, 31, 2, kNone) == 0);
}

TEST_CASE("ops: holders of a value", "[ops]") {
  for (const VariableSlot& v :
       {VariableSlot{.offset = 3, .bytes = 1, .count = 5, .lo = 4, .hi = 9, .bias = 2, .optional = 1},
        VariableSlot{.offset = 16, .bytes = 2, .count = 5, .lo = -1, .hi = 300},
        VariableSlot{.offset = 0, .bytes = 1, .count = 20, .hi = 255}}) {
    Bench t;
    std::mt19937_64 random(v.count + v.bytes);
    for (Byte& byte : t.s) byte = static_cast<Byte>(random() % 4);
    for (Int value = -3; value < 12; ++value) {
      Int mask = 0;
      for (Int i = 0; i < v.count; ++i)
        mask |= Int{value >= v.lo && value <= v.hi && op_load_raw(t.g, t.s, t.l, v, i) == value} << i;
      CHECK(op_holders(t.g, t.s, t.l, v, value) == mask);
    }
  }
}

TEST_CASE("ops: comparing lanes equals comparing their numbers one by one", "[ops]") {
  Bench t;
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    Word a = 0, b = 0;
    for (int lane = 0; lane < 8; ++lane) a |= random() % 128 << 8 * lane, b |= random() % 128 << 8 * lane;
    const auto number = [](Word lanes, int lane) { return static_cast<Int>(lanes >> 8 * lane & 0xff); };
    const Int limit = static_cast<Int>(random() % 140) - 6, far = i % 2 == 0 ? Int{1} << 40 : -(Int{1} << 40);
    const Int least = op_lanes_min(t.g, t.s, t.l, static_cast<Int>(a), static_cast<Int>(b));
    const Int within = op_lanes_at_most(t.g, t.s, t.l, static_cast<Int>(a), limit),
              ones = op_lanes_of(t.g, t.s, t.l, within);
    CHECK(op_lanes_at_most(t.g, t.s, t.l, static_cast<Int>(a), far) == (far > 0 ? 0xff : 0));
    for (int lane = 0; lane < 8; ++lane) {
      REQUIRE(number(static_cast<Word>(least), lane) == std::min(number(a, lane), number(b, lane)));
      REQUIRE((within >> lane & 1) == (number(a, lane) <= limit));
      REQUIRE(number(static_cast<Word>(ones), lane) == (within >> lane & 1));
    }
  }
}

TEST_CASE("ops: selecting bits agrees with counting them", "[ops]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Word x = i % 3 == 0 ? random() & random() & random() : i % 3 == 1 ? random() : random() | random();
    REQUIRE(count_bits(x) == __builtin_popcountll(x));
    Int k = 0;
    for (Word rest = x; rest != 0; rest &= rest - 1) REQUIRE(select_bit(x, k++) == lowest_bit(rest));
  }
  Int all = 0;
  for (Int k = 0; k < 64; ++k) all += select_bit(~Word{0}, k) == k;
  CHECK(all == 64);
}

TEST_CASE("ops: look-alikes, also across words", "[ops]") {
  SmallProgram small(2);
  std::vector<std::pair<Int, Int>> runs;   // lowest id and number of copies of each kind
  for (Int i = 0; i < 40; ++i) {
    const Int count = 1 + i * 7 % 5;
    runs.emplace_back(small.cards("k" + std::to_string(i), count), count);
  }
  const Layout& l = small.program.layout;
  REQUIRE(l.words > 1);
  Game g;
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    Word set[kMaxWords] = {}, expected[kMaxWords] = {};
    for (Int w = 0; w < l.words; ++w) set[w] = random() & l.all_cards[w] & (i % 2 ? random() : ~Word{0});
    for (const auto& [first, count] : runs)
      for (Int card = first; card < first + count; ++card)
        if (has_bit(set, card)) {
          set_bit(expected, card);
          break;
        }
    op_set_lookalikes(g, nullptr, l, set, set);
    for (Int w = 0; w < l.words; ++w) REQUIRE(set[w] == expected[w]);
  }
}

TEST_CASE("ops: a set without its first card, as words or bit by bit", "[ops]") {
  std::mt19937_64 random(11);
  for (Int words = 1; words <= kMaxWords; ++words) {
    Bench t;
    t.l.words = words;
    for (int i = 0; i < 200; ++i) {
      Word set[kMaxWords] = {}, rest[kMaxWords], expected[kMaxWords] = {};
      for (Int w = 0; w < words; ++w)
        set[w] = i == 0 || random() % 3 == 0 ? 0 : random() & random() & (i % 2 ? random() : ~Word{0});
      const Int first = op_set_first(t.g, t.s, t.l, set);
      if (first != kNone) op_set_remove(t.g, t.s, t.l, set, first, expected);
      op_set_rest(t.g, t.s, t.l, set, rest);
      op_set_rest(t.g, t.s, t.l, set, set);   // the result may be stored in the operand
      CHECK(std::equal(rest, rest + words, expected));
      CHECK(std::equal(set, set + words, expected));
      for (Int card = 0; card <= first; ++card) CHECK_FALSE(has_bit(set, card));
    }
  }
}

TEST_CASE("ops: from one element of a set to the next", "[ops]") {
  std::mt19937_64 random(3);
  for (Int words = 1; words <= kMaxWords; ++words) {
    Bench t;
    t.l.words = words;
    for (int i = 0; i < 20; ++i) {
      Word set[kMaxWords] = {};
      for (Int w = 0; w < words; ++w) set[w] = random() % 2 == 0 ? 0 : random() & random() & random();
      Int next = kNone;
      for (Int at = 64 * words; at-- > -1;) {
        CHECK(op_set_next(t.g, t.s, t.l, set, at) == next);
        if (at >= 0 && has_bit(set, at)) next = at;
      }
      CHECK(op_set_next(t.g, t.s, t.l, set, kNone) == kNone);
    }
  }
}

TEST_CASE("ops: sets shift by any number of ids, also across words", "[ops]") {
  std::mt19937_64 random(7);
  for (Int words = 1; words <= kMaxWords; ++words) {
    Bench t;
    t.l.words = words;
    const Int bits = 64 * words;
    for (Int by : std::initializer_list<Int>{0,  1,   -1,  7,    -7,       19,       -19,  63,    -63,   64,        -64,
                                             65, -65, 130, -130, bits - 1, 1 - bits, bits, -bits, kNone, kUnlimited}) {
      Word set[kMaxWords] = {}, moved[kMaxWords], expected[kMaxWords] = {};
      for (Int w = 0; w < words; ++w) set[w] = random() & random();
      for (Int i = 0; i < bits; ++i)
        if (has_bit(set, i) && i + by >= 0 && i + by < bits) set_bit(expected, i + by);
      op_set_shift(t.g, t.s, t.l, set, by, moved);
      op_set_shift_by(t.g, t.s, t.l, set, by, set);   // the result may be stored in the operand
      INFO(words << " words by " << by);
      CHECK(std::equal(moved, moved + words, expected));
      CHECK(std::equal(set, set + words, expected));
    }
  }
}

TEST_CASE("ops: a set from a table", "[ops]") {
  Bench t;
  t.l.words = 2;
  const Int table[] = {1, 2, 3, 4, 5, 6};
  Word out[2];
  op_set_table(t.g, t.s, t.l, table, 6, 1, out);
  CHECK((out[0] == 3 && out[1] == 4));
  for (const Int outside : {Int{-1}, Int{3}, kNone}) {
    op_set_table(t.g, t.s, t.l, table, 6, outside, out);
    CHECK((out[0] == 0 && out[1] == 0));
  }
}

TEST_CASE("ops: bounded draws are uniform and keep their order", "[ops]") {
  Byte stream[8] = {};
  Int counts[7] = {};
  for (int i = 0; i < 70'000; ++i) ++counts[draw_below(stream, 7)];
  for (const Int n : counts) CHECK(std::abs(n - 10'000) < 400);
  const Word before = read<Word>(stream);
  CHECK(draw_below(stream, 1) == 0);
  CHECK(read<Word>(stream) == before);
  // Saved games and seeds depend on the stream: these values must never change.
  write(stream, Word{1});
  CHECK(next_word(stream) == 0x910a2dec89025cc1u);
  CHECK(next_word(stream) == 0xbeeb8da1658eec67u);
}

TEST_CASE("ops: variables", "[ops]") {
  SmallProgram small(2);
  const Int plain = small.variable("plain", {.lo = -9, .hi = 9, .initial = 3, .per_player = true});
  const Int maybe =
      small.variable("maybe", {.lo = 0, .hi = 1, .initial = kNone, .optional = true, .kind = ValueKind::player});
  const Int unset = small.variable("unset", {.lo = 0, .hi = 300, .initial = kUnset});
  const Int pool = small.variable("pool", {.lo = 0, .hi = 5, .count = 3});
  const Program& p = small.finish("function f0 \"main\" () {\nb0:\n  ret\n}\n");
  State state = make_state(p, 1, 0);
  Byte* s = state.bytes();
  const Layout& l = p.layout;
  Game g;
  const auto load = [&](Int v, Int i) {
    Int out = 0;
    const Trap trap = op_load(g, s, l, p.variables[static_cast<std::size_t>(v)], i, out);
    return std::pair(trap, trap == Trap::none ? out : 0);
  };
  const auto store = [&](Int v, Int i, Int value) {
    return op_store(g, s, l, p.variables[static_cast<std::size_t>(v)], i, value);
  };
  CHECK(load(plain, 1) == ok(3));
  CHECK(load(plain, 2).first == Trap::bad_index);
  CHECK(load(plain, -1).first == Trap::bad_index);
  CHECK(store(plain, 0, -9) == Trap::none);
  CHECK(load(plain, 0) == ok(-9));
  CHECK(store(plain, 0, 10) == Trap::out_of_range);
  CHECK(store(plain, 0, kNone) == Trap::unexpected_none);
  CHECK(load(maybe, 0) == ok(kNone));
  CHECK(store(maybe, 0, 1) == Trap::none);
  CHECK(load(maybe, 0) == ok(1));
  CHECK(store(maybe, 0, kNone) == Trap::none);
  CHECK(load(unset, 0).first == Trap::unset);
  CHECK(op_load_raw(g, s, l, p.variables[static_cast<std::size_t>(unset)], 0) == kNone);
  CHECK(store(unset, 0, 300) == Trap::none);
  CHECK(load(unset, 0) == ok(300));
  op_clear(g, s, l, p.variables[static_cast<std::size_t>(unset)]);
  CHECK(load(unset, 0).first == Trap::unset);
  store(pool, 0, 2);
  store(pool, 2, 1);
  CHECK(op_pool_mask(g, s, l, p.variables[static_cast<std::size_t>(pool)]) == 0b101);
  std::multiset<Int> dealt;
  for (int i = 0; i < 4; ++i) {
    Int out = 0;
    CHECK(op_pool_deal(g, s, l, p.variables[static_cast<std::size_t>(pool)], 1, out) == Trap::none);
    dealt.insert(out);
  }
  CHECK(dealt == std::multiset<Int>{kNone, 0, 0, 2});
  CHECK(op_pool_take(g, s, l, p.variables[static_cast<std::size_t>(pool)], 1) == Trap::pool_empty);
  Int nothing = 0;
  CHECK(op_pool_deal(g, s, l, p.variables[static_cast<std::size_t>(pool)], 0, nothing) == Trap::pool_empty);
}

namespace {

struct Piles {
  SmallProgram small{2};
  Int discard, draw, hand;
  State state;
  Game g;
  explicit Piles(Int cards = 10) : state(make(cards)) {}
  const Program& make(Int cards) {
    for (Int i = 0; i < cards; ++i) small.cards(std::string(1, static_cast<char>('a' + i)));
    discard = small.zone("discard", false, ZoneShape::pile, SmallProgram::everybody, true);
    draw = small.zone("draw", false, ZoneShape::pile, SmallProgram::hidden, true, discard);
    hand = small.zone("hand", true, ZoneShape::set, SmallProgram::owner);
    small.place_all(draw);
    return small.finish("function f0 \"main\" () {\nb0:\n  ret\n}\n");
  }
  Byte* s() { return state.bytes(); }
  const Layout& l() const { return small.program.layout; }
  void start() { new_state(small.program, s(), 1, 0), sound(); }
  void sound() { REQUIRE(find_damage(small.program, s()) == ""); }
  Int top(Int zone) {
    const Int card = op_zone_top(g, s(), l(), zone);
    sound();
    return card;
  }
  void move(Int card, Int to, Int bottom = 0) {
    REQUIRE(op_move_card(g, s(), l(), card, kNone, to, bottom) == Trap::none);
    sound();
  }
  Int draw_to(Int to) {
    Int out = 0;
    REQUIRE(op_draw_card(g, s(), l(), draw, to, out) == Trap::none);
    sound();
    return out;
  }
  Word set_top(Int zone, Int n) {
    Word out[kMaxWords];
    op_zone_top_n(g, s(), l(), zone, n, out);
    sound();
    return out[0];
  }
};

}   // namespace

TEST_CASE("ops: a draw equals finding and moving the top card, in every state of a pile", "[ops][piles]") {
  for (Word seed = 0; seed < 300; ++seed) {
    Piles t;
    t.start();
    key_streams(t.l(), t.s(), run_key(seed), 0);
    Byte stream[8];
    write(stream, mix_word(seed));
    Int out = 0;
    for (int step = 0; step < 40; ++step) {
      switch (draw_below(stream, 6)) {
        case 0: t.top(t.draw); break;
        case 1: op_zone_bottom(t.g, t.s(), t.l(), t.draw); break;
        case 2: t.set_top(t.draw, draw_below(stream, 4)); break;
        case 3: t.move(draw_below(stream, t.l().card_ids - 1), t.discard); break;
        case 4: t.move(draw_below(stream, t.l().card_ids - 1), t.draw, draw_below(stream, 2)); break;
        default: break;
      }
      State other = t.state;
      const Int to = draw_below(stream, 4) == 0 ? t.draw : t.hand + draw_below(stream, 2);
      const Int card = op_zone_top(t.g, other.bytes(), t.l(), t.draw);
      REQUIRE(op_move_card(t.g, other.bytes(), t.l(), card, kNone, to, 0) == Trap::none);
      REQUIRE(op_draw_card(t.g, t.s(), t.l(), t.draw, to, out) == Trap::none);
      t.sound();
      REQUIRE(out == card);
      REQUIRE(std::memcmp(t.s(), other.bytes(), static_cast<std::size_t>(t.l().live_end)) == 0);
    }
  }
}

TEST_CASE("ops: the top of a pile stays the top", "[ops][piles]") {
  Piles t;
  t.start();
  CHECK(op_zone_unchanged_top(t.g, t.s(), t.l(), t.draw) == kNone);
  const Int top = t.top(t.draw);
  CHECK(t.top(t.draw) == top);
  CHECK(op_zone_unchanged_top(t.g, t.s(), t.l(), t.draw) == top);
  const Word three = t.set_top(t.draw, 3);
  CHECK(count_bits(three) == 3);
  CHECK((three >> top & 1) == 1);
  CHECK(t.set_top(t.draw, 3) == three);
  Word drawn = 0;
  for (int i = 0; i < 3; ++i) drawn |= Word{1} << t.draw_to(t.hand);
  CHECK(drawn == three);
  const Int bottom = op_zone_bottom(t.g, t.s(), t.l(), t.draw);
  t.sound();
  Int last = kNone;
  while (op_zone_size(t.g, t.s(), t.l(), t.draw) > 0) last = t.draw_to(t.hand);
  CHECK(last == bottom);
  CHECK(t.top(t.draw) == kNone);
}

TEST_CASE("ops: the bottom cards of a pile are the last in its order", "[ops][piles]") {
  for (Word seed = 0; seed < 200; ++seed) {
    Piles t;
    t.start();
    key_streams(t.l(), t.s(), run_key(seed), 0);
    Byte stream[8];
    write(stream, mix_word(seed));
    for (int step = 0; step < 12; ++step) {
      switch (draw_below(stream, 5)) {
        case 0: t.top(t.draw); break;
        case 1: op_zone_bottom(t.g, t.s(), t.l(), t.draw); break;
        case 2: t.set_top(t.draw, draw_below(stream, 4)); break;
        case 3: t.move(t.top(t.draw), t.hand); break;
        default: t.move(draw_below(stream, t.l().card_ids - 1), t.draw, draw_below(stream, 2)); break;
      }
    }
    const Int n = 1 + draw_below(stream, 4);
    Word bottom[kMaxWords], again[kMaxWords];
    op_zone_bottom_n(t.g, t.s(), t.l(), t.draw, n, bottom);
    t.sound();
    op_zone_bottom_n(t.g, t.s(), t.l(), t.draw, n, again);
    REQUIRE(bottom[0] == again[0]);
    const Int size = op_zone_size(t.g, t.s(), t.l(), t.draw);
    REQUIRE(count_bits(bottom[0]) == std::min(n, size));
    Word last = 0;
    for (Int left = size; left > 0; --left) {
      const Int card = t.draw_to(t.hand);
      if (left <= n) last |= Word{1} << card;
    }
    REQUIRE(last == bottom[0]);
  }
}

TEST_CASE("ops: lists", "[ops]") {
  Bench t;
  VariableSlot v;
  v.offset = 16, v.bytes = 1, v.count = 8, v.lo = 1, v.hi = 9, v.bias = 2, v.optional = 1, v.initial = kUnset;
  Int list[5] = {3, 5, kNone, 7}, other[5] = {}, out = 0;
  REQUIRE(op_list_store(t.g, t.s, t.l, list, 5, v, 1, 4) == Trap::none);
  REQUIRE(op_list_load(t.g, t.s, t.l, other, 5, v, 1, 4) == Trap::none);
  CHECK(std::equal(list, list + 5, other));
  REQUIRE(op_list_load(t.g, t.s, t.l, other, 5, v, 0, 4) == Trap::none);
  CHECK(other[0] == 0);
  CHECK(op_list_load(t.g, t.s, t.l, other, 5, v, 2, 4) == Trap::bad_index);
  CHECK(op_list_add(t.g, t.s, t.l, list, 5, 9) == Trap::none);
  CHECK(op_list_add(t.g, t.s, t.l, list, 5, 9) == Trap::list_full);
  CHECK(op_list_put(t.g, t.s, t.l, list, 5, 4, 1) == Trap::bad_index);
  CHECK(op_list_put(t.g, t.s, t.l, list, 5, -1, 1) == Trap::bad_index);
  CHECK(op_list_put(t.g, t.s, t.l, list, 5, 0, 7) == Trap::none);
  CHECK(op_list_drop(t.g, t.s, t.l, list, 5, 7) == Trap::none);   // removes only the first of two
  CHECK((list[0] == 3 && list[1] == kNone && list[2] == 7 && list[3] == 9 && list[4] == 0));
  CHECK((op_list_has(t.g, t.s, t.l, list, 5, 9, out) == Trap::none && out == 1));
  CHECK((op_list_has(t.g, t.s, t.l, list, 5, 5, out) == Trap::none && out == 0));
  Int small[3] = {};
  CHECK(op_list_copy(t.g, t.s, t.l, small, 3, list, 5) == Trap::list_full);
  list[1] = 20;
  CHECK(op_list_store(t.g, t.s, t.l, list, 5, v, 0, 4) == Trap::out_of_range);
  CHECK((op_list_equal(t.g, t.s, t.l, list, 5, list, 5, out) == Trap::none && out == 1));
}

TEST_CASE("ops: cards put on top and at the bottom keep their order", "[ops][piles]") {
  Piles t;
  t.start();
  Int cards[4];
  for (Int& card : cards) card = t.draw_to(t.hand);
  t.move(cards[0], t.draw);
  t.move(cards[1], t.draw);
  t.move(cards[2], t.draw, 1);
  t.move(cards[3], t.draw, 1);
  CHECK(t.draw_to(t.hand) == cards[1]);
  CHECK(t.draw_to(t.hand) == cards[0]);
  for (int i = 0; i < 6; ++i) t.draw_to(t.hand);
  CHECK(t.draw_to(t.hand) == cards[2]);
  CHECK(t.draw_to(t.hand) == cards[3]);
  CHECK(t.draw_to(t.hand) == kNone);
}

TEST_CASE("ops: a card leaves the middle of a pile", "[ops][piles]") {
  Piles t;
  t.start();
  for (int i = 0; i < 10; ++i) t.move(t.draw_to(t.hand), t.discard);
  Word before[kMaxWords];
  op_zone_cards(t.g, t.s(), t.l(), t.discard, before);
  const Int top = t.top(t.discard);
  for (Int card = 0; card < 10; ++card)
    if (card != top) {
      t.move(card, t.hand);
      break;
    }
  CHECK(t.top(t.discard) == top);
  CHECK(op_zone_size(t.g, t.s(), t.l(), t.discard) == 9);
}

TEST_CASE("ops: refill cards go below the remaining cards", "[ops][piles]") {
  Piles t;
  t.start();
  for (int i = 0; i < 8; ++i) t.move(t.draw_to(t.hand), t.discard);
  Word left[kMaxWords];
  op_zone_cards(t.g, t.s(), t.l(), t.draw, left);
  const Word five = t.set_top(t.draw, 5);
  CHECK(count_bits(five) == 5);
  CHECK((five & left[0]) == left[0]);
  CHECK(op_zone_size(t.g, t.s(), t.l(), t.discard) == 0);
  const Int one = t.draw_to(t.hand), two = t.draw_to(t.hand);
  CHECK((Word{1} << one | Word{1} << two) == left[0]);
}

TEST_CASE("ops: equal piles are equal bytes", "[ops][piles]") {
  Piles a, b;
  a.start();
  b.start();
  // A pile whose cards were all drawn and put back in reverse order equals a pile whose order was fixed by `set_top`.
  std::vector<Int> order;
  while (op_zone_size(a.g, a.s(), a.l(), a.draw) > 0) order.push_back(a.draw_to(a.hand));
  for (std::size_t i = order.size(); i-- > 0;) a.move(order[i], a.draw);
  Word all[kMaxWords];
  op_zone_cards(b.g, b.s(), b.l(), b.draw, all);
  b.set_top(b.draw, 10);
  CHECK(state_hash(a.l(), a.s()) == state_hash(b.l(), b.s()));
}

TEST_CASE("ops: drawing equals looking at the top card and moving it", "[ops][piles]") {
  Piles a, b;
  a.start();
  b.start();
  for (int i = 0; i < 14; ++i) {
    const Int card = a.top(a.draw);
    a.move(card == kNone ? 0 : card, a.hand + i % 2);
    const Int other = b.draw_to(b.hand + i % 2);
    if (card == kNone) break;
    REQUIRE(card == other);
    REQUIRE(a.state == b.state);
  }
}

TEST_CASE("ops: a set is added to a pile, face down in random order", "[ops][piles]") {
  std::set<Int> tops;
  for (Word seed = 0; seed < 40; ++seed) {
    Piles t;
    new_state(t.small.program, t.s(), seed, 0);
    Word cards[kMaxWords] = {};
    for (int i = 0; i < 3; ++i) set_bit(cards, t.draw_to(t.hand));
    REQUIRE(op_move_cards(t.g, t.s(), t.l(), cards, kNone, t.draw, 0) == Trap::none);
    t.sound();
    Word again = 0;
    for (int i = 0; i < 3; ++i) {
      const Int card = t.draw_to(t.hand);
      if (i == 0)
        tops.insert(op_set_count(t.g, t.s(), t.l(), cards) == 3 ? count_bits(cards[0] & ((Word{1} << card) - 1)) : -1);
      again |= Word{1} << card;
    }
    CHECK(again == cards[0]);
  }
  CHECK(tops == std::set<Int>{0, 1, 2});
}

TEST_CASE("ops: a card is found wherever the search begins", "[ops][piles]") {
  Piles t;
  t.start();
  const Int card = t.draw_to(t.hand);
  for (Int guess = 0; guess < t.l().instances; ++guess) CHECK(op_zone_of(t.g, t.s(), t.l(), card, guess) == t.hand);
  CHECK(op_zone_of(t.g, t.s(), t.l(), card, kNone) == t.hand);
  CHECK(op_zone_of(t.g, t.s(), t.l(), card, t.l().instances) == t.hand);
  leave_zone(t.s(), t.l(), t.hand, card);
  CHECK(op_zone_of(t.g, t.s(), t.l(), card, t.hand) == kNone);
}

TEST_CASE("ops: a card outside all zones can't be moved", "[ops][piles]") {
  Piles t;
  t.start();
  const Int card = t.draw_to(t.hand);
  leave_zone(t.s(), t.l(), t.hand, card);
  CHECK(op_move_card(t.g, t.s(), t.l(), card, kNone, t.draw, 0) == Trap::no_zone);
  CHECK(op_move_card(t.g, t.s(), t.l(), kNone, kNone, t.draw, 0) == Trap::none);
  CHECK(op_zone_of(t.g, t.s(), t.l(), card, kNone) == kNone);
  CHECK(op_zone_size(t.g, t.s(), t.l(), kNone) == 0);
}

TEST_CASE("ops: the queue is first in, first out, and bounded", "[ops]") {
  SmallProgram small(2);
  small.cards("x");
  const Program& p = small.finish("function f0 \"main\" () {\nb0:\n  ret\n}\n");
  State state = make_state(p, 1, 0);
  Byte* s = state.bytes();
  Game g;
  const Word set[kMaxWords] = {1};
  Word out[kMaxWords] = {};
  CHECK(op_queue_pop(g, s, p.layout) == kNone);
  for (Int round = 0; round < 10; ++round) {
    CHECK(op_queue_push(g, s, p.layout, 5) == Trap::none);
    op_queue_int(g, s, p.layout, 1, round);
    op_queue_set(g, s, p.layout, 0, set);
    CHECK(op_queue_push(g, s, p.layout, 6) == Trap::none);
    CHECK(op_queue_pop(g, s, p.layout) == 5);
    CHECK(op_queue_push(g, s, p.layout, 7) == Trap::none);
    CHECK(op_queue_get(g, s, p.layout, 1) == round);
    op_queue_get_set(g, s, p.layout, 0, out);
    CHECK(out[0] == 1);
    CHECK(op_queue_pop(g, s, p.layout) == 6);
    CHECK(op_queue_pop(g, s, p.layout) == 7);
  }
  CHECK(op_queue_push(g, s, p.layout, 1) == Trap::none);
  CHECK(op_queue_push(g, s, p.layout, 2) == Trap::none);
  CHECK(op_queue_push(g, s, p.layout, 3) == Trap::none);
  CHECK(op_queue_push(g, s, p.layout, 4) == Trap::queue_full);
}
