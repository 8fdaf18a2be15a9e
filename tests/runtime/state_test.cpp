// Tests states as bytes: streams, hashes, saving, and rejected data.
#include "tests/runtime/draw_game.h"

#include "runtime/interp/interp.h"

using namespace cardwright;
using testing::DrawGame;

namespace {

State in_the_middle(const Program& program, Word index, int decisions = 7) {
  auto engine = make_interpreter(program);
  State state = make_state(program, 5, index);
  Game g;
  while (engine->step(g, state.bytes()) == Status::pending && decisions-- > 0)
    g.choice = draw_below(policy_stream(state.bytes(), program.layout, g.pending_player), g.pending_options);
  return state;
}

}   // namespace

TEST_CASE("state: games differ only by seed and index", "[state]") {
  DrawGame small;
  const Program& p = small.program();
  CHECK(make_state(p, 1, 2) == make_state(p, 1, 2));
  CHECK_FALSE(make_state(p, 1, 2) == make_state(p, 1, 3));
  CHECK_FALSE(make_state(p, 1, 2) == make_state(p, 2, 2));
  CHECK(state_hash(p.layout, make_state(p, 1, 2).bytes()) == state_hash(p.layout, make_state(p, 9, 9).bytes()));
}

TEST_CASE("state: a saved state is restored and continues identically", "[state]") {
  DrawGame small;
  const Program& p = small.program();
  auto engine = make_interpreter(p);
  for (Word index = 0; index < 20; ++index) {
    State state = in_the_middle(p, index, static_cast<int>(index));
    State back(p);
    std::string error;
    REQUIRE(restore_state(p, save_state(p, state.bytes()), back.bytes(), error));
    REQUIRE(state == back);
    Game a, b;
    engine->play_on(a, state.bytes());
    engine->play_on(b, back.bytes());
    CHECK(state == back);
  }
}

TEST_CASE("state: damaged bytes are rejected", "[state]") {
  DrawGame small;
  const Program& p = small.program();
  const State state = in_the_middle(p, 3);
  const std::string saved = save_state(p, state.bytes());
  State to(p);
  std::string error;
  for (std::size_t i = 0; i < saved.size(); i += 3) {
    std::string bad = saved;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    error.clear();
    REQUIRE_FALSE(restore_state(p, bad, to.bytes(), error));
    REQUIRE_FALSE(error.empty());
  }
  for (std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{24}, saved.size() - 1})
    CHECK_FALSE(restore_state(p, std::string_view(saved).substr(0, n), to.bytes(), error));
  CHECK_FALSE(restore_state(p, saved + "x", to.bytes(), error));
}

TEST_CASE("state: impossible states are rejected even with a correct checksum", "[state]") {
  DrawGame small;
  const Program& p = small.program();
  const Layout& l = p.layout;
  const State good = in_the_middle(p, 3);
  REQUIRE(find_damage(p, good.bytes()) == "");
  const auto damaged = [&](Int offset, Byte value) {
    State bad = good;
    bad.bytes()[offset] = value;
    State to(p);
    std::string error;
    return !restore_state(p, save_state(p, bad.bytes()), to.bytes(), error);
  };
  CHECK(damaged(l.members, static_cast<Byte>(good.bytes()[l.members] ^ 1)));
  CHECK(damaged(l.stack_top, 1));
  CHECK(damaged(l.stack_top, static_cast<Byte>(l.frames_end)));
  CHECK(damaged(l.frames, 200));
  CHECK(damaged(l.queue, 200));
  CHECK(damaged(l.instance[small.draw].ends, 250));
  CHECK(damaged(p.variables[static_cast<std::size_t>(small.score)].offset, 250));
}

TEST_CASE("state: a hash depends on every byte of the state and on nothing else", "[state]") {
  Byte bytes[100] = {};
  const std::uint64_t zero = hash_bytes(bytes, 67);
  for (Int i = 0; i < 67; ++i) {
    bytes[i] = 1;
    CHECK(hash_bytes(bytes, 67) != zero);
    bytes[i] = 0;
  }
  bytes[67] = 9;
  CHECK(hash_bytes(bytes, 67) == zero);
  CHECK(hash_bytes(bytes, 66) != zero);
}
