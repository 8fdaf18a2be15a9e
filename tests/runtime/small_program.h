// Builds small Programs by hand: components and zones by calls, rules as IR text. For tests of runtime/ and engines.
#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/passes.h"
#include "program/program.h"
#include "runtime/ops/ops.h"
#include "runtime/state.h"

namespace cardwright::testing {

class SmallProgram {
 public:
  Program program;

  explicit SmallProgram(Int players) {
    program.name = "small";
    program.layout.players = players;
  }

  // `count` look-alike copies; ids in the order of the calls, a guard after several copies. Returns the lowest id.
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

  enum Sight { nobody, owner, everybody };
  // Returns the first instance.
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

  // Of a hidden pile: cards of it may be arranged.
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

  // Where a card lies at the start; cards that are not placed lie nowhere.
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

// A game for all seasons: in turn, players draw or play a card from the hand to the discard pile; twelve turns.
// Cards a x 3, b x 2, c … h; draw (refilled from discard), discard, hands.
struct DrawGame {
  SmallProgram small{3};
  Int draw, discard, hand, turns, score;
  DrawGame() {
    small.cards("a", 3);
    small.cards("b", 2);
    for (const char* label : {"c", "d", "e", "f", "g", "h"}) small.cards(label);
    discard = small.zone("discard", false, ZoneShape::pile, SmallProgram::everybody, true);
    draw = small.zone("draw", false, ZoneShape::pile, SmallProgram::nobody, true, discard);
    hand = small.zone("hand", true, ZoneShape::set, SmallProgram::owner);
    turns = small.variable("turns", {.lo = 0, .hi = 100});
    score = small.variable("score", {.lo = 0, .hi = 20, .per_player = true});
    small.place_all(draw);
    Program& p = small.program;
    p.turn_number = turns;
    p.option_ids = 20;
    ActionInfo draws, plays;
    draws.name = "draw";
    plays.kind = ActionKind::play;
    plays.name = "play";
    plays.base = 1;
    plays.count = 16;
    ParameterInfo card;
    card.name = "c";
    card.kind = ValueKind::card;
    card.count = 16;
    for (std::size_t id = 0; id < p.cards.size(); ++id)
      if (p.cards[id].kind >= 0 &&
          (card.cards.empty() ||
           p.cards[id].look_alike != p.cards[static_cast<std::size_t>(card.cards.back())].look_alike))
        card.cards.push_back(static_cast<Int>(id));
    plays.parameters.push_back(card);
    p.actions = {draws, plays};
    for (const char* window : {"main", "more"}) {
      SiteInfo site;
      site.window = window;
      p.sites.push_back(site);
    }
    small.finish(kRules);
  }
  const Program& program() const { return small.program; }

  static constexpr const char* kRules = R"(
text "{0:player} draws"
function f0 "main" () suspends {
  r0 int
  r1 int
  r2 int
  r3 int
  r4 int
  r5 int
b0:
  r4 = const_int 0
  r0 = const_int 0
  jump b1
b1:
  r3 = const_int 12
  r1 = lt_small r0, r3
  branch r1, b2, b3
b2:
  fuel 1
  r3 = const_int 3
  r2 = mod_small r0, r3
  r5 = call f1, r2
  r3 = const_int 1
  r0 = add_small r0, r3
  store v0, r4, r0
  jump b1
b3:
  r1 = load v1, r4
  r2 = mask_of r1
  finish r2, 0
  ret
}
function f1 "turn" (r0) -> int suspends {
  r0 int1
  r1 int
  r2 set
  r3 set
  r4 int
  r5 int
  r6 int
  r7 int
  r8 int card
  r9 int
  r10 int
b0:
  r9 = const_int 0
  r10 = const_int 1
  r4 = zone_index z2, r0, r9
  jump b1
b1:
  site 0
  r2 = zone_cards r4
  r3 = set_lookalikes r2
  r5 = set_count r3
  r6 = add_small r5, r10
  r1 = listing
  branch r1, b2, b6
b2:
  list r9
  r7 = copy_int r9
  jump b3
b3:
  r1 = lt_small r7, r5
  branch r1, b4, b5
b4:
  r8 = set_nth r3, r7
  r7 = add_small r7, r10
  r8 = add_small r8, r10
  list r8
  jump b3
b5:
  listed
b6:
  r7 = decide r0, r6, 0
  branch r7, b7, b8
b7:
  r7 = sub_small r7, r10
  r8 = set_nth r3, r7
  r7 = add_small r8, r10
  chosen r7
  r7 = call f2, r0, r8
  ret_int r7
b8:
  chosen r9
  r1 = const_int 1
  r8 = zone_top r1
  note_draw r8, r1, r4
  log_value r0
  log_text 0
  move_card r8, r1, r4, 0
  ret_int r9
}
function f2 "discard" (r0, r1) -> int suspends {
  r0 int1
  r1 int card
  r2 int
  r3 int
  r4 set
  r5 int
  r6 int
b0:
  r6 = const_int 0
  r2 = zone_of r1, r0
  r4 = set_of r1
  note_move r4, r2, r6, 0
  move_card r1, r0, r6, 0
  r3 = load v1, r0
  r5 = const_int 1
  r3 = add r3, r5
  store v1, r0, r3
  site 1
  r2 = listing
  branch r2, b1, b2
b1:
  list r6
  list r5
  listed
b2:
  r3 = const_int 2
  r2 = decide r0, r3, 1
  chosen r2
  ret_int r1
}
)";
};

}  // namespace cardwright::testing
