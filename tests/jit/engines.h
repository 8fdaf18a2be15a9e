// Runs programs on both engines for comparison. The JIT is loaded from the build tree, as by the command.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "runtime/jit/jit.h"
#include "runtime/engine.h"
#include "runtime/interp/interp.h"
#include "runtime/ops/random.h"
#include "runtime/state/state.h"
#include "tests/support/ir_program.h"

namespace cardwright::test {

inline void* jit_module() {
  static void* const module = [] {
    const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    void* const loaded = dlopen((bin / "../lib/cardwright/cardwright_jit.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) FAIL("no JIT: " << dlerror());
    return loaded;
  }();
  return module;
}

inline std::unique_ptr<Engine> make_jit(const Program& program, JitOptions options = {}, std::string* why = nullptr) {
  const auto make = reinterpret_cast<cardwright_make_jit_type*>(dlsym(jit_module(), "cardwright_make_jit"));
  REQUIRE(make);
  char error[500] = "";
  std::unique_ptr<Engine> engine(make(&program, &options, error, sizeof error));
  if (why)
    *why = error;
  else if (!engine)
    FAIL(error);
  return engine;
}

inline std::string llvm_text(const Program& program, int form, bool optimized) {
  const auto print = reinterpret_cast<cardwright_print_llvm_type*>(dlsym(jit_module(), "cardwright_print_llvm"));
  REQUIRE(print);
  std::string text;
  char error[500] = "";
  const auto write = [](void* to, const char* piece, std::size_t length) {
    static_cast<std::string*>(to)->append(piece, length);
  };
  if (print(&program, form, optimized, write, &text, error, sizeof error) != 0) FAIL(error);
  return text;
}

// Records the decisions of a game.
struct TracedDecisions : TraceSink {
  std::vector<std::vector<Int>> decisions;
  void decided(Game&, const Byte*, Int player, Int options, Int index) override {
    decisions.push_back({player, options, index});
  }
  void chosen(Game&, const Byte*, Int id) override {
    if (!decisions.empty()) decisions.back().push_back(id);
  }
  void leaned(Game&, const Byte*, Int index) override { decisions.back()[2] = index; }
};

struct Outcome {
  Status status = Status::ok;
  Trap trap = Trap::none;
  std::vector<std::vector<Int>> decisions;
  std::vector<std::vector<std::int64_t>> stack;   // for each entry of the rule stack: function, source id, position
  std::vector<Byte> state;   // [0, live_end)
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

inline Outcome outcome_of(const Program& program, Status status, const Game& g, const TracedDecisions& trace,
                          const std::vector<Byte>& state) {
  Outcome out{status, g.trap, trace.decisions, {}, {}};
  for (int i = 0; i < g.stack_size; ++i)
    out.stack.push_back({g.stack[i].function, g.stack[i].source, g.stack[i].begin});
  out.state.assign(state.begin(), state.begin() + program.layout.live_end);
  return out;
}

inline std::vector<Byte> fresh_state(const Program& program, Word seed) {
  std::vector<Byte> state = program.initial;
  for (Int i = 0; i <= program.layout.players; ++i)
    write(state.data() + program.layout.streams + 8 * i, mix_word(seed * 16 + static_cast<Word>(i)));
  return state;
}
inline void set_up(Game& g, const Program& program, TracedDecisions& trace) {
  g.program = &program;
  g.trace = &trace;
}

inline Outcome run_playout(Engine& engine, Word seed, Int fuel = 100'000) {
  const Program& program = engine.program();
  std::vector<Byte> state = fresh_state(program, seed);
  Game g;
  TracedDecisions trace;
  set_up(g, program, trace);
  g.fuel_per_decision = fuel;
  const Status status = engine.playout(g, state.data());
  return outcome_of(program, status == Status::ok ? Status::done : status, g, trace, state);
}

// Plays step by step with the same choices as the policy streams. `whole` receives the whole state at every decision.
inline Outcome run_steps(Engine& engine, Word seed, Int fuel = 100'000,
                         std::vector<std::vector<Byte>>* whole = nullptr) {
  const Program& program = engine.program();
  std::vector<Byte> state = fresh_state(program, seed);
  Byte* const s = state.data();
  push_main(program, s);
  Game g;
  TracedDecisions trace;
  set_up(g, program, trace);
  g.fuel_per_decision = fuel;
  Status status = engine.step(g, s);
  while (status == Status::pending) {
    if (whole) whole->push_back(state);
    Int offers[8];
    const Int player = g.pending_player, options = g.pending_options;
    g.offers = offers;
    g.offers_capacity = 8;
    const std::vector<Byte> before = state;
    if (engine.list(g, s) != Status::listed) FAIL("not listed");
    CHECK(g.offers_count == options);
    CHECK(state == before);
    g.choice = draw_below(policy_stream(s, program.layout, player), options);
    status = engine.step(g, s);
  }
  if (whole) whole->push_back(state);
  return outcome_of(program, status, g, trace, state);
}

}   // namespace cardwright::test
