// Completes the State of a Program: the regions whose size depends on the frames, and the initial bytes.
#include <cstring>

#include "runtime/ops/game.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/ops.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

static void create_initial_state(Program& program) {
  const Layout& l = program.layout;
  program.initial.assign(static_cast<std::size_t>(l.size), 0);
  Byte* s = program.initial.data();
  Game game;
  Int everybody = (Int{1} << l.players) - 1;
  s[l.in_game] = Byte(everybody);
  s[l.in_game + 1] = Byte(everybody >> 8);
  for (std::size_t v = 0; v < program.variables.size(); ++v) op_clear(game, s, l, program.variables[v]);
  for (const auto& [variable, words] : program.initial_sets)
    for (Int i = 0; i < program.variables[variable].count; ++i)
      std::memcpy(s + program.variables[variable].offset + i * 8 * l.words, words.data(),
                  static_cast<std::size_t>(8 * l.words));
  for (const auto& [variable, counts] : program.pool_counts)
    for (std::size_t i = 0; i < counts.size(); ++i)
      op_store(game, s, l, program.variables[variable], Int(i), counts[i]);
  for (const auto& [card, instance] : program.homes) {
    const ZoneInstance& z = l.instance[instance];
    auto put_bit = [&](Int offset) {
      Word w;
      std::memcpy(&w, s + offset + 8 * (card / 64), 8);
      w |= Word{1} << (card % 64);
      std::memcpy(s + offset + 8 * (card / 64), &w, 8);
    };
    put_bit(l.members + 8 * l.words * instance);
    if (z.ordered) put_bit(l.loose);
  }
}

void finish_state(Program& program, const ir::Module& joined) {
  Layout& l = program.layout;
  l.frames_end = l.frames + frame_bytes(joined, l, program.main);
  l.size = lay_out_knowledge(l, (l.frames_end + 7) / 8 * 8);
  l.live_end = program.knowledge_in_playout ? l.stack_top : l.unknown;
  create_initial_state(program);
}

}   // namespace cardwright::passes
