// Builds a Program from IR text for tests of passes and engines: three players, sets of two
// words, some variables and zones.
#pragma once

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "runtime/ir/parse.h"
#include "runtime/ir/print.h"
#include "runtime/ir/verify.h"
#include "runtime/passes/passes.h"
#include "runtime/program/program.h"

namespace cardwright::test {

inline ir::Module read_ir(std::string_view text) {
  ir::ParseError error;
  auto module = ir::parse(text, error);
  if (!module) FAIL("IR, line " << error.line << ": " << error.message);
  return std::move(*module);
}

// Declares these variables: v0 to v3: any int; v4: 0 to 9 for each player, initially unset; v5: recursion counter; v6:
// a set. The zones are z0, a zone of the table, and z1, one zone per player.
inline void lay_out(Program& program) {
  Layout& layout = program.layout;
  layout.words = 2;
  layout.players = 3;
  layout.card_ids = 100;
  layout.capacity = 100;
  layout.instances = 4;
  layout.members = 8;
  layout.over = 2;
  layout.winners = 4;
  Int at = layout.members + layout.instances * 16;
  const auto add = [&](VariableSlot slot) {
    slot.offset = at;
    at += slot.count * (slot.is_set ? 16 : slot.bytes);
    at = (at + 7) / 8 * 8;
    program.variables.push_back(slot);
  };
  for (int i = 0; i < 4; ++i) add({.bytes = 8, .lo = -1'000'000'000, .hi = 1'000'000'000});
  program.variables[3].lo = program.variables[2].lo = 0;
  add({.bytes = 1, .count = 3, .lo = 0, .hi = 9, .bias = 2, .optional = 1, .initial = kUnset});
  add({.bytes = 1, .lo = 0, .hi = 255});
  add({.is_set = 1});
  layout.rules_end = layout.scratch = layout.queue = at;
  layout.queue_length = 4;
  layout.queue_ints = 2;
  layout.queue_entry = 24;
  layout.streams = at + 8 + 4 * layout.queue_entry;
  layout.decisions = layout.streams + 8 * (1 + layout.players);
  layout.ended_by = layout.decisions + 4;
  layout.live_end = layout.stack_top = layout.decisions + 8;
  layout.frames = layout.stack_top + 8;
  program.zones = {{.first = 0}, {.first = 1, .owners = 3}};
  for (Int i = 0; i < layout.instances; ++i) layout.instance[i] = {.zone = i > 0, .owner = i - 1, .visible = 7};
}

// Creates a Program in which function f0 is main.
inline std::unique_ptr<Program> make_program(std::string_view text, bool folded = true) {
  auto program = std::make_unique<Program>();
  lay_out(*program);
  Layout& layout = program->layout;
  program->playout = read_ir(text);
  ir::Module& code = program->playout;
  const ir::Bounds bounds{.words = layout.words,
                          .variables = static_cast<std::int64_t>(program->variables.size()),
                          .zones = static_cast<std::int64_t>(program->zones.size())};
  for (const std::string& problem : ir::verify(code, bounds)) FAIL(problem);
  // Gives each instruction its own source location, so that traps can be distinguished: the
  // function and the instruction's index.
  for (std::size_t f = 0; f < code.functions.size(); ++f) {
    std::uint32_t number = 0;
    for (ir::Block& block : code.functions[f].blocks)
      for (ir::Instruction& instruction : block.code)
        instruction.where = {static_cast<SourceId>(f), number, number + 1}, ++number;
  }
  if (folded) passes::fold(code, {*program});
  passes::mark_suspending(code, {*program});
  layout.frames_end = layout.frames + passes::frame_bytes(code, layout, program->main);
  layout.where = layout.places = layout.knows_variable = layout.size = layout.frames_end;
  passes::split(code, layout, *program);
  for (const std::string& problem : ir::verify(program->step, bounds, true)) FAIL(problem);
  program->initial.assign(static_cast<std::size_t>(layout.size), 0);
  program->initial[0] = 7;
  return program;
}

}   // namespace cardwright::test
