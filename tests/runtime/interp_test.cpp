// Tests the interpreter: both forms play the same game, and traps report the same rule stack.
#include "tests/runtime/draw_game.h"

#include <algorithm>

#include "runtime/interp/interp.h"
#include "runtime/trace.h"

using namespace cardwright;
using testing::DrawGame;
using testing::SmallProgram;

namespace {

struct Played {
  std::vector<TracedDecision> decisions;
  State state;
  Game game;
  Status status = Status::ok;
};

Played play_out(const Program& program, Engine& engine, Word seed, Word index) {
  Played played{{}, make_state(program, seed, index), {}};
  DecisionTrace trace;
  played.game.trace = &trace;
  played.status = engine.playout(played.game, played.state.bytes());
  played.decisions = trace.decisions();
  return played;
}

// Plays a game step by step, as a host does, with the same choices as the playout form.
Played step_plainly(const Program& program, Engine& engine, Word seed, Word index) {
  Played played{{}, make_state(program, seed, index), {}};
  DecisionTrace trace;
  played.game.trace = &trace;
  Byte* s = played.state.bytes();
  while ((played.status = engine.step(played.game, s)) == Status::pending)
    played.game.choice =
        draw_below(policy_stream(s, program.layout, played.game.pending_player), played.game.pending_options);
  played.decisions = trace.decisions();
  return played;
}

}   // namespace

TEST_CASE("interpreter: playout and stepwise form play the same game", "[interp]") {
  DrawGame small;
  const Program& program = small.program();
  auto engine = make_interpreter(program);
  for (Word index = 0; index < 200; ++index) {
    const Played a = play_out(program, *engine, 7, index);
    const Played b = step_plainly(program, *engine, 7, index);
    REQUIRE(a.status == Status::ok);
    REQUIRE(b.status == Status::done);
    REQUIRE(a.decisions.size() >= 12);
    REQUIRE(a.decisions == b.decisions);
    REQUIRE(state_hash(program.layout, a.state.bytes()) == state_hash(program.layout, b.state.bytes()));
    CHECK(is_over(program.layout, a.state.bytes()));
    CHECK(find_damage(program, b.state.bytes()) == "");
    // Plays without a trace, and with only the live bytes allocated.
    std::vector<Byte> live(static_cast<std::size_t>(program.layout.live_end));
    new_playout_state(program, live.data(), run_key(7), index);
    Game g;
    REQUIRE(engine->playout(g, live.data()) == Status::ok);
    CHECK(hash_bytes(live.data(), program.layout.rules_end) == state_hash(program.layout, a.state.bytes()));
    CHECK(read<std::uint32_t>(live.data() + program.layout.decisions) == a.decisions.size());
  }
}

TEST_CASE("interpreter: option lists are ascending, of the right length, and change nothing", "[interp]") {
  DrawGame small;
  const Program& program = small.program();
  auto engine = make_interpreter(program);
  State state = make_state(program, 3, 0);
  Game g;
  DecisionTrace trace;
  g.trace = &trace;
  while (engine->step(g, state.bytes()) == Status::pending) {
    Int ids[64];
    Game asking;   // a state can be inspected and continued with a fresh Game
    asking.offers = ids;
    asking.offers_capacity = 64;
    const State before = state;
    REQUIRE(engine->list(asking, state.bytes()) == Status::listed);
    CHECK(before == state);
    REQUIRE(asking.offers_count == g.pending_options);
    CHECK(std::is_sorted(ids, ids + asking.offers_count));
    const Int choice = asking.offers_count - 1;
    g = Game{};
    g.trace = &trace;
    g.choice = choice;
    trace.clear();
    State copy = state;
    Game ahead = g;
    engine->step(ahead, copy.bytes());
    REQUIRE(trace.decisions().at(0).id == ids[choice]);
  }
}

TEST_CASE("interpreter: play_on finishes a game in progress", "[interp]") {
  DrawGame small;
  const Program& program = small.program();
  auto engine = make_interpreter(program);
  for (Word index = 0; index < 50; ++index) {
    const Played whole = play_out(program, *engine, 9, index);
    State state = make_state(program, 9, index);
    Game g;
    for (Word n = 0; n < index % 12; ++n) {
      REQUIRE(engine->step(g, state.bytes()) == Status::pending);
      g.choice = draw_below(policy_stream(state.bytes(), program.layout, g.pending_player), g.pending_options);
    }
    if (g.choice >= 0) REQUIRE(engine->step(g, state.bytes()) == Status::pending);
    Game on;
    REQUIRE(engine->play_on(on, state.bytes()) == Status::done);
    CHECK(state_hash(program.layout, state.bytes()) == state_hash(program.layout, whole.state.bytes()));
  }
}

namespace {

// Creates a program in which `main` calls `turn`, which makes a decision and then executes `fault` in an event. Both
// functions suspend.
Program& trapping(SmallProgram& small, const std::string& fault) {
  small.variable("v", {.lo = 0, .hi = 3});
  return small.finish(R"(
function f0 "main" () suspends {
  r0 int
b0:
  r0 = call f1
  jump b0
}
function f1 "turn" () -> int suspends {
  r0 int
  r1 int
  r2 int
b0:
  r0 = const_int 0
  r1 = const_int 2
  site 0
  r2 = decide r0, r1, 0
  call f2, r2
  ret_int r2
}
function f2 "helper" (r0) hidden {
  r0 int
  r1 int
b0:
  call f3, r0
  ret
}
function f3 "event lose" (r0) {
  r0 int
  r1 int
b0:
)" + fault + "  ret\n}\n");
}

std::vector<int> stack_of(const Game& g) {
  std::vector<int> out;
  for (int i = 0; i < g.stack_size; ++i) out.push_back(g.stack[i].function);
  return out;
}

}   // namespace

TEST_CASE("interpreter: a trap reports the same rule stack in both forms", "[interp]") {
  SmallProgram small(2);
  Program& program = trapping(small, "  r1 = div r0, r0\n");
  auto engine = make_interpreter(program);
  const Played a = play_out(program, *engine, 1, 0);
  const Played b = step_plainly(program, *engine, 1, 0);
  for (const Played* p : {&a, &b}) {
    CHECK(p->status == Status::trapped);
    CHECK(p->game.trap == Trap::divided_by_zero);
    CHECK(p->game.trap_function == 3);
    CHECK(stack_of(p->game) == std::vector<int>{3, 1, 0});   // without f2, which is a hidden helper function
  }
}

TEST_CASE("interpreter: limits end a game at the same decision in both forms", "[interp]") {
  SmallProgram small(2);
  Program& program = trapping(small, "  fuel 3\n");
  auto engine = make_interpreter(program);
  const auto limited = [&](Int fuel, Int decisions, bool stepwise) {
    State state = make_state(program, 1, 0);
    Game g;
    g.fuel_per_decision = fuel;
    g.decision_limit = decisions;
    Status status = stepwise ? Status::pending : engine->playout(g, state.bytes());
    while (status == Status::pending) {
      g.choice = g.pending_options > 0 && g.pending_player >= 0
                     ? draw_below(policy_stream(state.bytes(), program.layout, g.pending_player), g.pending_options)
                     : -1;
      status = engine->step(g, state.bytes());
    }
    return std::pair(g.trap, read<std::uint32_t>(state.bytes() + program.layout.decisions));
  };
  CHECK(limited(100, 50, false) == std::pair(Trap::too_many_decisions, 51u));
  CHECK(limited(100, 50, true) == std::pair(Trap::too_many_decisions, 51u));
  CHECK(limited(2, 50, false) == std::pair(Trap::too_long, 1u));
  CHECK(limited(2, 50, true) == std::pair(Trap::too_long, 1u));
}

TEST_CASE("interpreter: endless recursion of ordinary functions is a trap", "[interp]") {
  SmallProgram small(2);
  Program& program = small.finish("function f0 \"main\" () {\nb0:\n  call f0\n  ret\n}\n");
  auto engine = make_interpreter(program);
  State state = make_state(program, 1, 0);
  Game g;
  CHECK(engine->playout(g, state.bytes()) == Status::trapped);
  CHECK(g.trap == Trap::too_deep);
  CHECK(g.stack_size == Game::kStack);
}

TEST_CASE("interpreter: functions are called with arguments and results", "[interp]") {
  SmallProgram small(2);
  small.cards("x", 3);
  Program& program = small.finish(R"(
set c0 = 0x5
table t0 = 10, none, 30
function f0 "main" () {
b0:
  ret
}
function f1 "sum" (r0, r1) -> int {
  r0 int
  r1 int
  r2 set
  r3 int
  r4 array 5
  r5 int
b0:
  r2 = call_set f2, r0
  r3 = set_count r2
  r0 = add r0, r1
  r0 = add r0, r3
  array_fill r4, r0
  r5 = const_int 4
  r1 = array_get r4, r5
  array_set r4, r5, r3
  r5 = array_get r4, r5
  r0 = mul r1, r5
  switch r0, b1, 14: b2, 3: b3, 1000000000000: b3
b1:
  ret_int r0
b2:
  r0 = const_int 99
  ret_int r0
b3:
  trap 1
}
function f2 "set" (r0) -> set {
  r0 int
  r1 set
b0:
  r1 = const_set c0
  ret_set r1
}
)");
  auto engine = make_interpreter(program);
  State state = make_state(program, 1, 0);
  Game g;
  Int result = 0;
  const Int arguments[] = {3, 4};
  CHECK(engine->call(g, state.bytes(), 1, arguments, &result) == Status::ok);
  CHECK(result == 18);
  const Int others[] = {2, 3};
  CHECK(engine->call(g, state.bytes(), 1, others, &result) == Status::ok);
  CHECK(result == 99);   // (2 + 3 + 2) * 2 = 14 selects the case b2
}

namespace {

Int result_of(Engine& engine, const Program& program, ir::FunctionIndex function, std::vector<Int> arguments) {
  State state = make_state(program, 1, 0);
  Game g;
  Int result = 0;
  REQUIRE(engine.call(g, state.bytes(), function, arguments, &result) == Status::ok);
  return result;
}

}   // namespace

TEST_CASE("interpreter: registers are preserved in mutual recursion", "[interp]") {
  SmallProgram small(2);
  small.cards("x", 30);
  Program& program = small.finish(R"(
function f0 "main" () {
b0:
  ret
}
function f1 "fibonacci" (r0) -> int {
  r0 int
  r1 int
  r2 int
  r3 int
  r4 int
b0:
  r1 = const_int 2
  r2 = lt_small r0, r1
  branch r2, b1, b2
b1:
  ret_int r0
b2:
  r3 = sub_small r0, r1
  r3 = call f1, r3
  r4 = const_int 1
  r0 = sub_small r0, r4
  r0 = call f1, r0
  r0 = add_small r0, r3
  ret_int r0
}
function f2 "turned round" (r0, r1, r2) -> int {
  r0 int
  r1 int
  r2 int
  r3 int
b0:
  branch r2, b1, b2
b1:
  r3 = const_int 1
  r2 = sub_small r2, r3
  r3 = call f2, r1, r0, r2
  ret_int r3
b2:
  r3 = const_int 10
  r3 = mul_small r0, r3
  r3 = add_small r3, r1
  ret_int r3
}
function f3 "even" (r0) -> set {
  r0 int
  r1 int
  r2 set
b0:
  branch r0, b1, b2
b1:
  r1 = const_int 1
  r1 = sub_small r0, r1
  r2 = call_set f4, r1
  r2 = set_add r2, r0
  ret_set r2
b2:
  r2 = set_empty
  ret_set r2
}
function f4 "odd" (r0) -> set {
  r0 int
  r1 int
  r2 set
  r3 set
b0:
  r1 = const_int 1
  r1 = sub_small r0, r1
  r3 = set_of r0
  r2 = call_set f3, r1
  r2 = set_or r2, r3
  ret_set r2
}
function f5 "both" (r0) -> int {
  r0 int
  r1 int
  r2 set
b0:
  r2 = call_set f3, r0
  r1 = call f1, r0
  r0 = set_count r2
  r0 = add_small r0, r1
  ret_int r0
}
)");
  auto engine = make_interpreter(program);
  CHECK(result_of(*engine, program, 1, {20}) == 6765);
  CHECK(result_of(*engine, program, 2, {3, 7, 5}) == 73);   // the arguments of each call overlap those of the next one
  CHECK(result_of(*engine, program, 2, {3, 7, 6}) == 37);
  CHECK(result_of(*engine, program, 5, {10}) == 10 + 55);
}

TEST_CASE("interpreter: each engine uses its own constants, whichever engine played before", "[interp]") {
  const auto constant = [](SmallProgram& small, int value) -> Program& {
    return small.finish("set c0 = 0x" + std::to_string(value) + R"(
function f0 "main" () {
b0:
  ret
}
function f1 "constant" () -> int {
  r0 int
  r1 set
b0:
  r0 = const_int )" + std::to_string(value) +
                        R"(
  r1 = const_set c0
  branch r0, b1, b2
b1:
  r1 = set_remove r1, r0
  jump b2
b2:
  r0 = set_count r1
  ret_int r0
}
function f2 "other" () -> int {
  r0 int
b0:
  r0 = const_int )" + std::to_string(10 * value) +
                        R"(
  ret_int r0
}
)");
  };
  SmallProgram a(2), b(2);
  a.cards("x", 3), b.cards("x", 3);
  Program& three = constant(a, 3);
  Program& seven = constant(b, 7);
  auto first = make_interpreter(three);
  auto second = make_interpreter(seven);
  for (int i = 0; i < 3; ++i) {
    CHECK(result_of(*first, three, 1, {}) == 2);
    CHECK(result_of(*second, seven, 1, {}) == 3);
    CHECK(result_of(*second, seven, 2, {}) == 70);
    CHECK(result_of(*first, three, 2, {}) == 30);
  }
}

TEST_CASE("interpreter: variables of each width hold their values", "[interp]") {
  struct Width {
    Int hi, bytes;
  };
  for (const auto& [hi, bytes] : {Width{200, 1}, Width{60'000, 2}, Width{4'000'000'000, 4}, Width{Int{1} << 39, 8}}) {
    SmallProgram small(4);
    small.variable("v", {.lo = -5, .hi = hi, .initial = 0, .per_player = true});
    Program& program = small.finish(R"(
function f0 "main" () {
b0:
  ret
}
function f1 "kept" (r0, r1) -> int {
  r0 int
  r1 int
  r2 int
  r3 int
b0:
  store v0, r0, r1
  r2 = load v0, r0
  r3 = const_int 3
  r3 = load_raw v0, r3
  r2 = sub_small r2, r3
  r3 = load v0, r0
  branch r3, b1, b2
b1:
  ret_int r2
b2:
  r2 = const_int -1
  ret_int r2
}
)");
    REQUIRE(program.variables[0].bytes == bytes);
    auto engine = make_interpreter(program);
    CHECK(result_of(*engine, program, 1, {2, hi}) == hi);
    CHECK(result_of(*engine, program, 1, {0, -5}) == -5);
    CHECK(result_of(*engine, program, 1, {1, 0}) == -1);
    CHECK(result_of(*engine, program, 1, {3, 77}) == 0);
    State state = make_state(program, 1, 0);
    Game g;
    const Int beyond[] = {4, 0}, large[] = {0, hi + 1};
    CHECK(engine->call(g, state.bytes(), 1, beyond, nullptr) == Status::trapped);
    CHECK(g.trap == Trap::bad_index);
    CHECK(engine->call(g, state.bytes(), 1, large, nullptr) == Status::trapped);
    CHECK(g.trap == Trap::out_of_range);
  }
}
