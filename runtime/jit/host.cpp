// Implements the host's side of compiled code: records traps, and defines the functions that operations call on cold
// paths.
#include "runtime/jit/host.h"

#include "runtime/jit/place.h"
#include "runtime/engine.h"
#include "runtime/ops/sinks.h"

namespace cardwright::jit {

namespace {

Range range_of(const Place& place) { return {place.source, place.begin, place.end}; }

// Pushes a level onto the rule stack. The functions of both forms have the same names and the same `shown`.
void push(Game& game, std::int32_t function, const Place& place) {
  push_levels(game, *game.program, static_cast<ir::FunctionIndex>(function), place.of, range_of(place));
}

void trapped(Game* game, std::int32_t code, std::int32_t function, const Place* place) {
  game->trap = static_cast<Trap>(code);
  game->trap_function = static_cast<std::int32_t>(place->of);
  game->trap_source = place->source;
  game->trap_begin = place->begin;
  game->trap_end = place->end;
  push(*game, function, *place);
}

void unwound(Game* game, std::int32_t function, const Place* place) { push(*game, function, *place); }

}   // namespace

const std::vector<HostSymbol>& host_symbols() {
  static const std::vector<HostSymbol> symbols{{"cardwright_jit_trapped", reinterpret_cast<void*>(&trapped)},
                                               {"cardwright_jit_unwound", reinterpret_cast<void*>(&unwound)},
#define SINK(name) {#name, reinterpret_cast<void*>(&name)},
                                               CARDWRIGHT_SINKS(SINK)
#undef SINK
  };
  return symbols;
}

}   // namespace cardwright::jit
