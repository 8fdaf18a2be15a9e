// Tests the knowledge of players, their views, and sampled worlds that they can't distinguish from the true one.
#include "tests/runtime/draw_game.h"

#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "api/game/game_data.h"
#include "runtime/interp/interp.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/log.h"
#include "runtime/knowledge/resample.h"
#include "runtime/trace.h"

using namespace cardwright;
using testing::DrawGame;
using testing::SmallProgram;

namespace {

std::string view(const Program& program, const Byte* s, Int player) {
  const auto game = std::make_shared<api::GameData>();
  game->its_program = {std::shared_ptr<void>(), &program};
  auto state = std::make_unique<api::StateData>(game);
  std::memcpy(state->bytes.get(), s, static_cast<std::size_t>(program.layout.size));
  return api::State(std::move(state)).view(static_cast<int>(player));
}

// A game whose cards the test moves directly, with the same updates of knowledge as in compiled rules.
struct Table {
  SmallProgram small{3};
  Int discard, draw, hand, side;
  State state;
  Game g;
  Table() : state(make()) {
    g.program = &small.program;
    g.knowledge = 1;
    new_state(small.program, s(), 1, 0);
  }
  const Program& make() {
    small.cards("Twin", 2);
    for (char c = 'A'; c < 'A' + 8; ++c) small.cards(std::string(1, c));
    discard = small.zone("discard", false, ZoneShape::pile, SmallProgram::everybody, true);
    draw = small.zone("draw", false, ZoneShape::pile, SmallProgram::hidden, true, discard);
    small.is_arranged(draw);
    hand = small.zone("hand", true, ZoneShape::set, SmallProgram::owner);
    side = small.zone("side", true, ZoneShape::set, SmallProgram::hidden);
    small.variable("marked", {.lo = 0, .hi = 15, .initial = kNone, .optional = true, .kind = ValueKind::card});
    const Int pool = small.variable("Roles", {.lo = 0, .hi = 4, .count = 3});
    small.program.variable_infos[static_cast<std::size_t>(pool)].hidden = true;
    small.variable("role", {.lo = 0, .hi = 2, .initial = kUnset, .per_player = true, .secret = true, .pool = pool});
    small.place_all(draw);
    return small.finish("function f0 \"main\" () {\nb0:\n  ret\n}\n");
  }
  Byte* s() { return state.bytes(); }
  const Layout& l() const { return small.program.layout; }
  const Program& p() const { return small.program; }
  const VariableSlot& slot(std::size_t v) const { return small.program.variables[v]; }

  Int draw_to(Int to) {
    const Int card = op_zone_top(g, s(), l(), draw);
    op_note_draw(g, s(), l(), card, draw, to);
    REQUIRE(op_move_card(g, s(), l(), card, kNone, to, 0) == Trap::none);
    check();
    return card;
  }
  void move(std::vector<Int> cards, Int to, Int how = 0, Int bottom = 0) {
    Word set[kMaxWords] = {};
    for (const Int card : cards) set_bit(set, card);
    op_note_move(g, s(), l(), set, kNone, to, how);
    if (cards.size() == 1)
      REQUIRE(op_move_card(g, s(), l(), cards[0], kNone, to, bottom) == Trap::none);
    else
      REQUIRE(op_move_cards(g, s(), l(), set, kNone, to, bottom) == Trap::none);
    check();
  }
  void peek(Int player, Int card) {
    Word set[kMaxWords] = {};
    set_bit(set, card);
    op_note_peek(g, s(), l(), player, set);
    check();
  }
  // Arranges the topmost or lowest n cards in a random order.
  void arrange(Int player, Int n, bool lowest, Byte* stream) {
    Word cards[kMaxWords];
    if (lowest)
      op_zone_bottom_n(g, s(), l(), draw, n, cards);
    else
      op_zone_top_n(g, s(), l(), draw, n, cards);
    const Int count = count_set(l(), cards);
    op_note_peek(g, s(), l(), player, cards);
    op_note_arrange(g, s(), l(), cards, draw, player, 0);
    for (Int k = 0; k + 1 < count; ++k) {
      const Int card = nth_in_set(l(), cards, draw_below(stream, count - k));
      clear_bit(cards, card);
      op_arrange(g, s(), l(), draw, card, k, count, lowest);
      check();
    }
  }
  bool knows(Int player, Int card) { return knows_card(l(), s(), player, card); }

  // Checks that the true state is always possible, and that a player who sees into a zone knows its cards.
  void check() {
    REQUIRE(find_damage(p(), s()) == "");
    for (Int player = 0; player < l().players; ++player)
      for (Int card = 0; card < l().card_ids; ++card) {
        const Int at = find_zone(s(), l(), card);
        if (at == kNone) continue;
        const Word where = where_card(l(), s(), player, card);
        INFO("player " << player << ", card " << card << " in " << at << ", where " << where);
        REQUIRE(knows(player, card) == (where == 0));
        if (l().instance[at].visible >> player & 1) REQUIRE(where == 0);
        if (where != 0) REQUIRE((where >> hidden_place(l(), s(), card, at) & 1) == 1);
      }
  }
  std::string seen_by(Int player) { return view(p(), s(), player); }
};

void same_view_in_other_worlds(Table& t, int worlds = 20) {
  const Resampler resampler(t.p());
  for (Int player = 0; player < t.l().players; ++player)
    for (int i = 0; i < worlds; ++i) {
      State other = t.state;
      resampler.resample(other.bytes(), player, static_cast<Word>(i));
      REQUIRE(find_damage(t.p(), other.bytes()) == "");
      REQUIRE(view(t.p(), other.bytes(), player) == t.seen_by(player));
      for (Int card = 0; card < t.l().card_ids; ++card) {
        REQUIRE(where_card(t.l(), other.bytes(), player, card) == where_card(t.l(), t.s(), player, card));
        for (Int q = 0; q < t.l().players; ++q) {
          const Word where = where_card(t.l(), other.bytes(), q, card);
          REQUIRE(knows_card(t.l(), other.bytes(), q, card) == (where == 0));
          const Int at = find_zone(other.bytes(), t.l(), card);
          if (at != kNone && where != 0) REQUIRE((where >> hidden_place(t.l(), other.bytes(), card, at) & 1) == 1);
        }
      }
    }
}

}   // namespace

TEST_CASE("knowledge: only the owner knows a drawn card", "[knowledge]") {
  Table t;
  const Int card = t.draw_to(t.hand + 1);
  CHECK_FALSE(t.knows(0, card));
  CHECK(t.knows(1, card));
  CHECK(t.seen_by(0).find("\"" + card_label(t.p(), card) + "\"") == std::string::npos);
  CHECK(t.seen_by(1).find("\"" + card_label(t.p(), card) + "\"") != std::string::npos);
  t.move({card}, t.discard);
  CHECK(t.knows(0, card));
  same_view_in_other_worlds(t);
}

TEST_CASE("knowledge: a player who peeked at the top card knows who drew it", "[knowledge]") {
  Table t;
  const Int top = op_zone_top(t.g, t.s(), t.l(), t.draw);
  t.peek(0, top);
  CHECK(t.knows(0, top));
  CHECK_FALSE(t.knows(2, top));
  CHECK(op_knows_top(t.g, t.s(), t.l(), 0, t.draw) == 1);
  same_view_in_other_worlds(t);
  REQUIRE(t.draw_to(t.hand + 1) == top);
  CHECK(t.knows(0, top));
  CHECK_FALSE(t.knows(2, top));
  same_view_in_other_worlds(t);
  // Player c's hand receives an unknown card from b's hand, so a no longer knows which of these hands contains the
  // card.
  t.draw_to(t.hand + 1);
  t.move({top}, t.hand + 2, 1);
  CHECK_FALSE(t.knows(0, top));
  CHECK(t.knows(1, top));
  CHECK(t.knows(2, top));
  same_view_in_other_worlds(t);
}

TEST_CASE("knowledge: finds piles whose top card a player does not know", "[knowledge]") {
  Table t;
  const ZoneSlot draw{.first = t.draw, .owners = 1, .copies = 1};
  const ZoneSlot discard{.first = t.discard, .owners = 1, .copies = 1};
  const Int top = op_zone_top(t.g, t.s(), t.l(), t.draw);
  t.peek(0, top);
  CHECK(op_tops_unknown(t.g, t.s(), t.l(), draw, draw, 0, 1) == 0);
  CHECK(op_tops_unknown(t.g, t.s(), t.l(), draw, draw, 1, 1) == 1);
  CHECK(op_tops_unknown(t.g, t.s(), t.l(), draw, draw, 1, 0) == 0);   // the last operand 0: no rule queries the pile
  CHECK(op_tops_unknown(t.g, t.s(), t.l(), draw, draw, kNone, 1) == 1);
  t.move({top}, t.discard);
  CHECK(op_tops_unknown(t.g, t.s(), t.l(), discard, draw, 1, 1) == 0);   // the top card of this pile is face up
  CHECK(op_tops_unknown(t.g, t.s(), t.l(), discard, discard, 1, 1) == 0);
}

TEST_CASE("knowledge: a fully known hand of one card is tracked", "[knowledge]") {
  Table t;
  const Int card = t.draw_to(t.hand + 1);
  Word set[kMaxWords] = {};
  set_bit(set, card);
  op_note_reveal(t.g, t.s(), t.l(), set);
  CHECK(t.knows(0, card));
  t.move({card}, t.hand + 2, 1);
  CHECK(t.knows(0, card));
  same_view_in_other_worlds(t);
}

TEST_CASE("knowledge: a shuffle erases knowledge of a pile", "[knowledge]") {
  Table t;
  const Int card = t.draw_to(t.hand);
  t.move({card}, t.draw);
  CHECK(t.knows(0, card));
  CHECK_FALSE(t.knows(1, card));
  same_view_in_other_worlds(t);
  op_shuffle(t.g, t.s(), t.l(), t.draw);
  t.check();
  CHECK_FALSE(t.knows(0, card));
  CHECK(where_card(t.l(), t.s(), 0, card) == Word{1} << t.l().instance[t.draw].hidden_bit);
  same_view_in_other_worlds(t);
}

TEST_CASE("knowledge: refilled discards are known to be in the pile, but not their positions", "[knowledge]") {
  Table t;
  std::vector<Int> drawn;
  for (int i = 0; i < 10; ++i) drawn.push_back(t.draw_to(t.hand));
  for (int i = 0; i < 6; ++i) t.move({drawn[static_cast<std::size_t>(i)]}, t.discard);
  const Int card = t.draw_to(t.hand + 1);
  CHECK_FALSE(t.knows(0, card));
  CHECK(t.knows(1, card));
  same_view_in_other_worlds(t);
  // The four cards in a's own hand cannot be in b's hand.
  for (int i = 6; i < 10; ++i) CHECK(where_card(t.l(), t.s(), 1, drawn[static_cast<std::size_t>(i)]) != 0);
  CHECK(t.knows(0, drawn[7]));
}

TEST_CASE("knowledge: of two copies, the known one counts as moved", "[knowledge]") {
  Table t;
  // Both copies reach a's hand; the one with the higher id is shown to all players.
  for (int i = 0; i < 10; ++i) t.draw_to(t.hand);
  Word shown[kMaxWords] = {};
  set_bit(shown, 1);
  op_note_reveal(t.g, t.s(), t.l(), shown);
  CHECK(t.knows(1, 1));
  CHECK_FALSE(t.knows(1, 0));
  t.move({0}, t.discard);   // the rules move the card with the lowest id
  CHECK(t.knows(1, 0));
  CHECK_FALSE(t.knows(1, 1));   // the moved card counts as the shown one
  same_view_in_other_worlds(t);
}

TEST_CASE("knowledge: random moves never make the true state impossible or a view inconsistent", "[knowledge]") {
  for (Word seed = 0; seed < 60; ++seed) {
    Table t;
    key_streams(t.l(), t.s(), run_key(seed), 0);
    Byte stream[8];
    write(stream, mix_word(seed));
    for (int step = 0; step < 40; ++step) {
      const Int from = draw_below(stream, t.l().instances), to = draw_below(stream, t.l().instances);
      const auto cards = cards_in_zone(t.l(), t.s(), from);
      switch (draw_below(stream, 9)) {
        case 0:
          if (op_zone_size(t.g, t.s(), t.l(), t.draw) + op_zone_size(t.g, t.s(), t.l(), t.discard) > 0)
            t.draw_to(t.hand + draw_below(stream, 3));
          break;
        case 1:
          if (!cards.empty())
            t.move({cards[static_cast<std::size_t>(draw_below(stream, static_cast<Int>(cards.size())))]}, to, 0,
                   draw_below(stream, 2));
          break;
        case 2:
          if (!cards.empty())
            t.move({cards[static_cast<std::size_t>(draw_below(stream, static_cast<Int>(cards.size())))]}, to, 1);
          break;
        case 3:
          if (!cards.empty()) t.move(cards, to);
          break;
        case 4:
          if (!cards.empty()) t.peek(draw_below(stream, 3), cards[0]);
          break;
        case 5: {
          Word top[kMaxWords];
          op_zone_top_n(t.g, t.s(), t.l(), t.draw, 2, top);
          op_note_peek(t.g, t.s(), t.l(), draw_below(stream, 3), top);
          t.check();
          break;
        }
        case 6: {   // moves cards from any zones
          std::vector<Int> some;
          for (Int card = 0; card < t.l().card_ids; ++card)
            if (find_zone(t.s(), t.l(), card) != kNone && draw_below(stream, 3) == 0) some.push_back(card);
          if (!some.empty()) t.move(some, to);
          break;
        }
        case 7: t.arrange(draw_below(stream, 3), 1 + draw_below(stream, 4), draw_below(stream, 4) == 0, stream); break;
        default: op_shuffle(t.g, t.s(), t.l(), t.draw); t.check();
      }
    }
    same_view_in_other_worlds(t, 3);
  }
}

TEST_CASE("resample: two sampled worlds differ, and nine of ten differ from the truth", "[knowledge]") {
  Table t;
  for (Int player = 0; player < 3; ++player)
    for (int i = 0; i < 2; ++i) t.draw_to(t.hand + player);
  const Resampler resampler(t.p());
  int different = 0;
  std::map<Int, int> times;   // for each card, the number of a's sampled worlds in which it is in b's hand
  for (int i = 0; i < 2000; ++i) {
    State other = t.state;
    resampler.resample(other.bytes(), 0, static_cast<Word>(i));
    different += state_hash(t.l(), other.bytes()) != state_hash(t.l(), t.s());
    for (const Int card : cards_in_zone(t.l(), other.bytes(), t.hand + 1)) ++times[card];
  }
  CHECK(different > 1800);
  // Two of the eight cards that a does not know are in b's hand, so each one is there in a quarter of the worlds.
  CHECK(times.size() == 8);
  for (const auto& [card, n] : times) {
    INFO("card " << card);
    CHECK(std::abs(n - 500) < 90);
  }
}

TEST_CASE("resample: secret variables and the rest of their pool are dealt again", "[knowledge]") {
  Table t;
  const VariableSlot &pool = t.slot(1), &role = t.slot(2);
  op_store(t.g, t.s(), t.l(), pool, 0, 2);
  op_store(t.g, t.s(), t.l(), pool, 1, 1);
  op_store(t.g, t.s(), t.l(), pool, 2, 1);
  for (Int player = 0; player < 3; ++player) {
    Int dealt = 0;
    REQUIRE(op_pool_deal(t.g, t.s(), t.l(), pool, 1, dealt) == Trap::none);
    REQUIRE(op_store(t.g, t.s(), t.l(), role, player, dealt) == Trap::none);
    op_note_dealt(t.g, t.s(), t.l(), role, player);
  }
  CHECK(op_knows_value(t.g, t.s(), t.l(), 1, role, 1) == 1);
  CHECK(op_knows_value(t.g, t.s(), t.l(), 0, role, 1) == 0);
  op_note_variable(t.g, t.s(), t.l(), role, 2);
  CHECK(op_knows_value(t.g, t.s(), t.l(), 0, role, 2) == 1);
  same_view_in_other_worlds(t);
  std::set<Int> seen;
  for (Word i = 0; i < 200; ++i) {
    const State other = resample(t.p(), t.state, 0, i);
    CHECK(value_of_variable(t.p(), other.bytes(), 2, 0) == value_of_variable(t.p(), t.s(), 2, 0));
    CHECK(value_of_variable(t.p(), other.bytes(), 2, 2) == value_of_variable(t.p(), t.s(), 2, 2));
    seen.insert(value_of_variable(t.p(), other.bytes(), 2, 1));
    Int total[3] = {};
    for (Int c = 0; c < 3; ++c) total[c] = value_of_variable(t.p(), other.bytes(), 1, c);
    for (Int player = 0; player < 3; ++player) ++total[value_of_variable(t.p(), other.bytes(), 2, player)];
    CHECK((total[0] == 2 && total[1] == 1 && total[2] == 1));
  }
  CHECK(seen.size() >= 2);
}

TEST_CASE("resample: a game can continue from every world, and ids in frames and variables are remapped",
          "[knowledge]") {
  DrawGame small;
  const Program& p = small.program();
  auto engine = make_interpreter(p);
  const Resampler resampler(p);
  for (Word index = 0; index < 20; ++index) {
    State state = make_state(p, 11, index);
    Game g;
    for (int n = 0; engine->step(g, state.bytes()) == Status::pending; ++n) {
      for (Int player = 0; player < 3; ++player) {
        State other = state;
        resampler.resample(other.bytes(), player, static_cast<Word>(n));
        REQUIRE(find_damage(p, other.bytes()) == "");
        REQUIRE(view(p, other.bytes(), player) == view(p, state.bytes(), player));
        if (player == g.pending_player) {
          Int ids[2][64];
          Int counts[2];
          int k = 0;
          for (const State* world : {&state, &other}) {
            State copy = *world;
            Game asking;
            asking.offers = ids[k];
            asking.offers_capacity = 64;
            REQUIRE(engine->list(asking, copy.bytes()) == Status::listed);
            counts[k++] = asking.offers_count;
          }
          REQUIRE(counts[0] == counts[1]);
          REQUIRE(std::equal(ids[0], ids[0] + counts[0], ids[1]));
        }
        Game on;
        REQUIRE(engine->play_on(on, other.bytes()) == Status::done);
        REQUIRE(find_damage(p, other.bytes()) == "");
      }
      g.choice = draw_below(policy_stream(state.bytes(), p.layout, g.pending_player), g.pending_options);
    }
  }
}

TEST_CASE("log: each reader sees only what they may know", "[knowledge][log]") {
  Table t;
  Log log(t.p());
  t.g.log = &log;
  const Int card = t.draw_to(t.hand + 1);
  const std::string label = card_label(t.p(), card);
  CHECK(log.lines(0) == std::vector<std::string>{"b draws a card"});
  CHECK(log.lines(1) == std::vector<std::string>{"b draws " + label});
  CHECK(log.lines(-1) == std::vector<std::string>{"b draws " + label});
  t.move({card}, t.discard);
  CHECK(log.lines(2, 1) == std::vector<std::string>{"hand of b: " + label + " to discard"});
  op_note_change(t.g, t.s(), t.l(), t.slot(1), 0, 4, 3);
  CHECK(log.size() == 2);   // changes of a pool are not logged
  log.cut(1);
  CHECK(log.lines(2) == std::vector<std::string>{"b draws a card"});
}

TEST_CASE("words: options are named by their parts", "[words]") {
  DrawGame small;
  CHECK(option_words(small.program(), 0) == "draw");
  CHECK(option_words(small.program(), 1) == "play a");
  CHECK(option_name(small.program(), 3) == "play");
  CHECK(option_words(small.program(), 99) == "option 99");
  CHECK(player_name(1, {"Ann", "Ben"}) == "Ben");
  CHECK(state_json(small.program(), make_state(small.program(), 1, 0).bytes())["zones"][1]["pile"]["in_any_order"]
            .size() == 11);
}

TEST_CASE("log: consecutive moves of the same kind share a line", "[knowledge][log]") {
  Table t;
  Log log(t.p());
  t.g.log = &log;
  const std::string first = card_label(t.p(), t.draw_to(t.hand + 1));
  const std::string second = card_label(t.p(), t.draw_to(t.hand + 1));
  const std::string both = first == second ? "2 x " + first : std::min(first, second) + ", " + std::max(first, second);
  CHECK(log.lines(0) == std::vector<std::string>{"b draws 2 cards"});
  CHECK(log.lines(1) == std::vector<std::string>{"b draws " + both});
  CHECK(log.lines(0, 1) == std::vector<std::string>{"b draws a card"});
  t.draw_to(t.hand);
  t.draw_to(t.hand + 1);
  CHECK(log.lines(2) == std::vector<std::string>{"b draws 3 cards", "a draws a card"});
}
