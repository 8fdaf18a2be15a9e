// Builds small Programs for tests of the runtime and the engines: member functions add cards, zones and variables, and
// the rules are IR text.
#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "runtime/ir/parse.h"
#include "runtime/ir/print.h"
#include "runtime/ir/verify.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/passes/passes.h"
#include "runtime/program/program.h"
#include "runtime/ops/ops.h"
#include "runtime/state/state.h"

namespace cardwright::testing {

class SmallProgram {
 public:
  Program program;

  explicit SmallProgram(Int players) {
    program.name = "small";
    program.layout.players = players;
  }

  // Adds `count` look-alike cards and returns the lowest id. Ids are consecutive in the order of the calls; if `count`
  // is greater than 1, an unused guard id follows the copies.
  Int cards(const std::string& label, Int count = 1) {
    Layout& l = program.layout;
    const Int first = l.card_ids;
    program.kinds.push_back({label, label, ""});
    for (Int i = 0; i < count; ++i) {
      program.cards.push_back({static_cast<Int>(program.kinds.size()) - 1, classes_, label, {}});
      set_bit(l.all_cards, l.card_ids++);
      ++l.capacity;
    }
    if (count == 1) {
      set_bit(l.lookalike_singles, first);
    } else {
      set_bit(l.lookalike_starts, first);
      set_bit(l.lookalike_guards, l.card_ids++);
      program.cards.push_back({-1, classes_, "", {}});
    }
    ++classes_;
    l.words = (l.card_ids + 63) / 64;
    return first;
  }

  enum Sight { hidden, owner, everybody };
  // Adds a zone and returns its first instance.
  Int zone(const std::string& name, bool per_player, ZoneShape shape, Sight sight, bool ordered = false,
           Int refill = -1) {
    Layout& l = program.layout;
    ZoneSlot slot{l.instances, per_player ? l.players : 1, 1};
    for (Int i = 0; i < slot.owners; ++i) {
      ZoneInstance& z = l.instance[l.instances++];
      z.zone = static_cast<Int>(program.zones.size());
      z.owner = per_player ? i : -1;
      z.shape = static_cast<Int>(shape);
      const Int all = (Int{1} << l.players) - 1;
      z.visible = sight == everybody ? all : sight == owner ? Int{1} << i : 0;
      z.ordered = ordered;
      z.refill = refill;
      if (z.visible != all) {
        z.hidden_bit = l.hidden;
        l.hidden_instance[l.hidden++] = l.instances - 1;
      }
    }
    program.zones.push_back(slot);
    program.zone_infos.push_back({name, shape, per_player});
    return slot.first;
  }

  // Declares that rules may arrange the cards of a hidden pile.
  void is_arranged(Int instance) {
    Layout& l = program.layout;
    l.instance[instance].arranged_bit = l.hidden;
    l.hidden_instance[l.hidden++] = instance;
  }

  struct Value {
    Int lo = 0, hi = 0, initial = 0;
    bool per_player = false, optional = false, rules = true;
    ValueKind kind = ValueKind::integer;
    bool secret = false;
    Int pool = -1;
    Int count = 1;
  };
  Int variable(const std::string& name, Value value) {
    VariableSlot slot;
    slot.count = value.per_player ? program.layout.players : value.count;
    slot.lo = value.lo;
    slot.hi = value.hi;
    slot.optional = value.optional;
    slot.bias = value.optional || value.initial == kUnset ? 2 : 0;
    slot.initial = value.initial;
    slot.is_set = value.kind == ValueKind::card_set;
    program.variables.push_back(slot);
    VariableInfo info;
    info.name = name;
    info.kind = value.kind;
    info.per_player = value.per_player;
    info.secret = value.secret;
    info.rules_state = value.rules;
    info.pool = value.pool;
    program.variable_infos.push_back(info);
    return static_cast<Int>(program.variables.size()) - 1;
  }

  // Sets the initial zone of a card. Cards that are not placed are in no zone.
  void place(Int card, Int instance) { placed_.emplace_back(card, instance); }
  void place_all(Int instance) {
    for (Int card = 0; card < program.layout.card_ids; ++card)
      if (has_bit(program.layout.all_cards, card)) place(card, instance);
  }

  Program& finish(const std::string& ir) {
    ir::ParseError error;
    auto module = ir::parse(ir, error);
    INFO("IR line " << error.line << ": " << error.message);
    REQUIRE(module);
    program.playout = std::move(*module);
    lay_out();
    const ir::Bounds bounds{program.layout.words, program.layout.variables,
                            static_cast<std::int64_t>(program.zones.size())};
    REQUIRE(ir::verify(program.playout, bounds) == std::vector<std::string>{});
    passes::mark_suspending(program.playout, {program});
    lay_out_frames(passes::frame_bytes(program.playout, program.layout, program.main));
    passes::split(program.playout, program.layout, program);
    REQUIRE(ir::verify(program.step, bounds, true) == std::vector<std::string>{});
    make_initial();
    return program;
  }

 private:
  static Int bytes_for(Int codes) { return codes <= 0x100 ? 1 : codes <= 0x10000 ? 2 : codes <= Int{1} << 32 ? 4 : 8; }
  Int take(Int bytes, Int alignment = 8) {
    at_ = (at_ + alignment - 1) / alignment * alignment;
    return std::exchange(at_, at_ + bytes);
  }

  void lay_out() {
    Layout& l = program.layout;
    if (l.words == 0) l.words = 1;
    l.variables = static_cast<Int>(program.variables.size());
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
      VariableSlot& slot = program.variables[v];
      slot.bytes = slot.is_set ? 8 * l.words : bytes_for(slot.hi - slot.lo + 1 + slot.bias);
      if (program.variable_infos[v].rules_state) slot.offset = take(slot.bytes * slot.count);
    }
    l.in_game = take(2);
    l.over = take(1);
    l.winners = take(2);
    l.members = take(8 * l.words * l.instances);
    l.loose = take(8 * l.words);
    l.next = take(l.card_ids * l.card_bytes);
    for (Int i = 0; i < l.instances; ++i)
      if (l.instance[i].ordered) l.instance[i].ends = take(2 * l.card_bytes);
    l.rules_end = take(0);
    l.scratch = at_;
    for (std::size_t v = 0; v < program.variables.size(); ++v)
      if (!program.variable_infos[v].rules_state)
        program.variables[v].offset = take(program.variables[v].bytes * program.variables[v].count);
    l.queue_length = 4;
    l.queue_ints = 2;
    l.queue_sets = 1;
    l.queue_entry = 8 + 8 * l.queue_ints + 8 * l.words;
    l.queue = take(8 + l.queue_length * l.queue_entry);
    l.streams = take(8 * (1 + l.players));
    l.decisions = take(4);
    l.ended_by = take(4);
    l.unknown = l.live_end = take(8 * l.words * l.players);
    l.stack_top = take(4);
    l.frames = take(0);
  }
  void lay_out_frames(Int bytes) {
    Layout& l = program.layout;
    l.frames_end = l.frames + bytes;
    at_ = (l.frames_end + 7) / 8 * 8;
    at_ = lay_out_knowledge(l, at_);
    Int secrets = 0;
    for (std::size_t v = 0; v < program.variables.size(); ++v)
      if (program.variable_infos[v].secret)
        program.variable_infos[v].secret_first = std::exchange(secrets, secrets + program.variables[v].count);
    l.knows_variable = take(2 * secrets);
    l.size = take(0);
  }
  void make_initial() {
    const Layout& l = program.layout;
    program.initial.assign(static_cast<std::size_t>(l.size), 0);
    Byte* s = program.initial.data();
    Game g;
    write(s + l.in_game, static_cast<std::uint16_t>((1 << l.players) - 1));
    for (const VariableSlot& v : program.variables) op_clear(g, s, l, v);
    for (const auto& [card, instance] : placed_) {
      add_to_stored(members_at(s, l, instance), l, card);
      if (l.instance[instance].ordered) add_to_stored(s + l.loose, l, card);
    }
    forget_all(program, s);
  }

  Int classes_ = 0, at_ = 0;
  std::vector<std::pair<Int, Int>> placed_;
};

}   // namespace cardwright::testing
