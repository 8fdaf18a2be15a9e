#include "compiler/lower/events/handlers.h"

#include <algorithm>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::Handler;
using model::Hook;
using model::TypeKind;

namespace {

// Compares two rules by the order in which they run. The strongest kind runs first. Within a kind, rules of characters
// precede rules of cards, and rules without a carrier come last; then base rules precede house rules; then source order
// applies.
bool runs_before(const model::RuleHead& x, const model::RuleHead& y) {
  if (x.precedence.kind != y.precedence.kind) return x.precedence.kind > y.precedence.kind;
  auto rank = [](CarrierKind k) { return k == CarrierKind::character ? 0 : k == CarrierKind::card ? 1 : 2; };
  if (rank(x.carrier.kind) != rank(y.carrier.kind)) return rank(x.carrier.kind) < rank(y.carrier.kind);
  if (x.carrier.kind == CarrierKind::card && x.carrier.kinds != y.carrier.kinds)
    return x.carrier.kinds < y.carrier.kinds;
  return x.precedence < y.precedence;
}

}   // namespace

static bool is_after_of_card(const ProgramContext& unit, const Handler& h) {
  return h.hook == Hook::after && h.head.carrier.kind == CarrierKind::card && h.head.carrier.zone.valid() &&
         possible(unit, h.head);
}

std::vector<Int> instances_with_afters(const ProgramContext& unit) {
  std::set<Int> found;
  for (const model::Event& event : unit.model.events)
    for (const Handler& h : event.handlers) {
      if (!is_after_of_card(unit, h)) continue;
      const ZoneSlot& zone = unit.program.zones[h.head.carrier.zone.index];
      for (Int i = 0; i < zone.owners * zone.copies; ++i) found.insert(zone.first + i);
    }
  return {found.begin(), found.end()};
}

// Skips an event that affects an eliminated player.
void leave_if_out(const FunctionContext& code, const model::Event& event, const std::vector<Register>& arguments) {
  if (!event.subject) return;
  const BlockIndex in = code.add_block(), out = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), arguments[*event.subject]}, 1), in, out);
  code.go_to(out);
  leave_function(code, ir::kNoRegister);
  code.go_to(in);
}

static void run_handler(const FunctionContext& code, const model::Event& event, std::size_t handler, Register me,
                        Register self, const std::vector<Register>& arguments) {
  std::size_t e = static_cast<std::size_t>(&event - code.model.events.data());
  const model::RuleHead& head = event.handlers[handler].head;
  std::vector<Register> all;
  if (head.me.valid()) all.push_back(me == ir::kNoRegister ? code.constant(kNone) : me);
  if (head.self.valid()) all.push_back(self == ir::kNoRegister ? code.constant(kNone) : self);
  all.insert(all.end(), arguments.begin(), arguments.end());
  ir::FunctionIndex f = code.unit.functions.handler.at({e, handler});
  call(code, f, all);
  check_unwind(code);
  if (event.kind != model::EventKind::plain) settle(code);
}

AtBeginning collect_carriers(const FunctionContext& code, const model::Event& event) {
  AtBeginning beginning;
  Register& collected = beginning.cards;
  std::set<std::uint32_t> zones;
  for (const Handler& h : event.handlers)
    if (h.hook != Hook::instead && h.head.carrier.kind == CarrierKind::card && h.head.carrier.zone.valid() &&
        possible(code.unit, h.head))
      zones.insert(h.head.carrier.zone.index);
  for (const std::uint32_t z : zones) {
    if (collected == ir::kNoRegister) {
      collected = code.make_set();
      code.put(Op::set_empty, collected, {});
    }
    const ZoneSlot& zone = code.program.zones[z];
    for (Int i = 0; i < zone.owners * zone.copies; ++i)
      code.put(Op::set_or, collected, {collected, code.set(Op::zone_cards, {code.constant(zone.first + i)})});
  }
  for (const Int i : departed_instances(code.unit, event)) {
    const Register here = beginning.of_instance[i] = code.make_set();
    code.put(Op::zone_cards, here, {code.constant(i)});
  }
  return beginning;
}

namespace {

// Cards that have left their zone since the beginning of the event. Their `after` rules still run.
struct Departed {
  Register cards = ir::kNoRegister;   // kNoRegister if there cannot be any such cards
  // True if `cards` contains only the card that the event affects; false for the cards of a `together`.
  bool of_event = false;
};

}   // namespace

// Returns the cards in `from` that can carry the rule and that are no longer in any instance of its zone.
static Register no_longer_in_zone(const FunctionContext& code, const model::RuleHead& head, Register from) {
  const Register gone = code.make_set();
  code.put(Op::set_and, gone, {from, const_cards(code, cards_of_kinds(code.unit, head.carrier.kinds))});
  const ZoneSlot& zone = code.program.zones[head.carrier.zone.index];
  for (Int i = zone.first; i < zone.first + zone.owners * zone.copies; ++i)
    code.put(Op::set_without, gone, {gone, code.set(Op::zone_cards, {code.constant(i)})});
  return gone;
}

// Returns the departed cards for which the rule runs. This code must be emitted before the rule runs for cards that are
// still in force, because the rule may move cards.
static std::vector<Departed> departed(const FunctionContext& code, const Handler& h,
                                      const std::vector<Register>& arguments, const AtBeginning& beginning) {
  std::vector<Departed> all;
  if (!is_after_of_card(code.unit, h)) return all;
  if (h.own_card_parameter) {
    const Register about = code.set(Op::set_of, {arguments[*h.own_card_parameter]});
    Register there = code.make_set();
    code.put(Op::set_and, there, {about, beginning.cards});
    all.push_back({no_longer_in_zone(code, h.head, there), true});
  }
  if (code.unit.variables.together_cards >= 0) {
    Register together = scratch_value(code, code.unit.variables.together_cards);
    if (h.own_card_parameter)
      together = code.set(Op::set_and, {together, code.set(Op::set_of, {arguments[*h.own_card_parameter]})});
    all.push_back({no_longer_in_zone(code, h.head, together), false});
  }
  return all;
}

// Calls `then` with the owner of a zone instance if the owner is still in the game and, if `player` is given, equals
// `player`. For a zone of the table, calls `then` with kNoRegister.
static void for_owner(const FunctionContext& code, const model::RuleHead& head, Register owner, Register player,
                      const std::function<void(Register me)>& then) {
  if (!analysis::is_of_players(code.model, head)) return then(ir::kNoRegister);
  const BlockIndex mine = code.add_block(), in = code.add_block(), no = code.add_block();
  if (player == ir::kNoRegister)
    code.jump(mine);
  else
    code.branch(code.integer(Op::eq, {owner, player}, 1), mine, no);
  code.go_to(mine);
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), owner}, 1), in, no);
  code.go_to(in);
  then(owner);
  code.jump(no);
  code.go_to(no);
}

// Calls `then(me, card)` for each departed card. `me` is the player who had the card at the beginning. If `player` is
// given, only that player's cards are visited.
static void for_departed(const FunctionContext& code, const Handler& h, const Departed& gone,
                         const AtBeginning& beginning, Register player,
                         const std::function<void(Register me, Register card)>& then) {
  const ZoneSlot& zone = code.program.zones[h.head.carrier.zone.index];
  const model::Zone& of = code.model.zones[h.head.carrier.zone.index];
  const Int each = of.each > 0 ? of.each : zone.copies;
  for_each(code, gone.cards, [&](Register card) {
    const BlockIndex next = code.add_block();
    const auto if_holds = [&](Register condition) {
      const BlockIndex yes = code.add_block(), no = code.add_block();
      code.branch(condition, yes, no);
      code.go_to(yes);
      return no;
    };
    if (gone.of_event) {
      for (Int i = 0; i < zone.owners * zone.copies; ++i) {
        const BlockIndex no = if_holds(code.integer(Op::set_has, {beginning.of_instance.at(zone.first + i), card}, 1));
        for_owner(code, h.head, code.constant(i / each), player, [&](Register me) { then(me, card); });
        code.jump(next);
        code.go_to(no);
      }
    } else {
      const Register place = code.integer(
          Op::sub_small,
          {code.integer(Op::load_raw, {code.unit.variables.together_places, card}), code.constant(zone.first)});
      const BlockIndex no =
          if_holds(code.integer(Op::and_,
                                {code.integer(Op::le, {code.constant(0), place}, 1),
                                 code.integer(Op::lt, {place, code.constant(zone.owners * zone.copies)}, 1)},
                                1));
      for_owner(code, h.head, code.integer(Op::div_small, {place, code.constant(each)}), player,
                [&](Register me) { then(me, card); });
      code.jump(next);
      code.go_to(no);
    }
    code.jump(next);
    code.go_to(next);
  });
}

std::set<Int> departed_instances(const ProgramContext& unit, const model::Event& event) {
  std::set<Int> instances;
  for (const Handler& h : event.handlers) {
    if (!h.own_card_parameter || !is_after_of_card(unit, h)) continue;
    const ZoneSlot& zone = unit.program.zones[h.head.carrier.zone.index];
    for (Int i = zone.first; i < zone.first + zone.owners * zone.copies; ++i) instances.insert(i);
  }
  return instances;
}

bool collects_carriers(const ProgramContext& unit, const model::Event& event) {
  return std::any_of(event.handlers.begin(), event.handlers.end(), [&](const Handler& h) {
    return h.hook != Hook::instead && h.head.carrier.kind == CarrierKind::card && h.head.carrier.zone.valid() &&
           possible(unit, h.head);
  });
}

// Runs `before` or `after` rules, ordered by kind of rule. Within a kind, each player's rules run first, starting with
// the active player; then the rules of cards without an owner; then rules without a carrier.
void handlers_of(const FunctionContext& code, const model::Event& event, Hook hook,
                 const std::vector<Register>& arguments, const AtBeginning& beginning) {
  std::vector<std::size_t> order;
  for (std::size_t h = 0; h < event.handlers.size(); ++h)
    if (event.handlers[h].hook == hook && possible(code.unit, event.handlers[h].head)) order.push_back(h);
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return runs_before(event.handlers[x].head, event.handlers[y].head); });
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    auto kind = event.handlers[order[from]].head.precedence.kind;
    std::vector<std::size_t> of_players, without_player, free;
    for (; to < order.size() && event.handlers[order[to]].head.precedence.kind == kind; ++to) {
      const model::RuleHead& head = event.handlers[order[to]].head;
      (head.carrier.kind == CarrierKind::none      ? free
       : analysis::is_of_players(code.model, head) ? of_players
                                                   : without_player)
          .push_back(order[to]);
    }
    from = to;
    auto run = [&](std::size_t h, Register me, Register done) {
      const CarrierQuery query{.me = me, .collected = beginning.cards, .recheck = true};
      const std::vector<Departed> left = departed(code, event.handlers[h], arguments, beginning);
      // If both loops below can visit the same card, `done` ensures that the rule runs only once for it.
      if (done == ir::kNoRegister && left.size() > 1) {
        done = code.make_set();
        code.put(Op::set_empty, done, {});
      }
      const auto run_once = [&](Register m, Register self) {
        if (done == ir::kNoRegister) {
          run_handler(code, event, h, m, self, arguments);
        } else {
          // Without this test, the rule would run again for a card that has moved to a player whom the loop reaches
          // later.
          BlockIndex again = code.add_block(), first = code.add_block();
          code.branch(code.integer(Op::set_has, {done, self}, 1), again, first);
          code.go_to(first);
          code.put(Op::set_add, done, {done, self});
          run_handler(code, event, h, m, self, arguments);
          code.jump(again);
          code.go_to(again);
        }
      };
      carriers(code, event.handlers[h].head, query, run_once);
      for (const Departed& gone : left) for_departed(code, event.handlers[h], gone, beginning, me, run_once);
    };
    const auto me_of = [&](std::size_t h) { return me_argument(event.handlers[h].head, event.handlers[h].patterns); };
    // Returns the set `done`, initially empty, if the card of the rule may move to a player whom the loop reaches
    // later; otherwise returns kNoRegister.
    const auto none_done = [&](std::size_t h) {
      const model::RuleHead& head = event.handlers[h].head;
      if (me_of(h) || head.carrier.kind != CarrierKind::card || !head.carrier.zone.valid()) return ir::kNoRegister;
      const Register done = code.make_set();
      code.put(Op::set_empty, done, {});
      return done;
    };
    std::set<std::optional<std::size_t>> mes;
    for (std::size_t h : of_players) mes.insert(me_of(h));
    if (of_players.size() == 1 || (mes.size() == 1 && *mes.begin())) {
      for (std::size_t h : of_players) {
        const auto i = me_of(h);
        run(h, i ? arguments[*i] : ir::kNoRegister, none_done(h));
      }
    } else if (!of_players.empty()) {
      std::map<std::size_t, Register> done;
      for (std::size_t h : of_players) done[h] = none_done(h);
      Register start = code.integer(Op::load_raw, {code.unit.variables.active, code.constant(0)});
      clockwise(code, code.integer(Op::players_in, {}, 4), start, false, [&](Register player, BlockIndex) {
        for (std::size_t h : of_players) {
          const auto i = me_of(h);
          if (!i) {
            run(h, player, done[h]);
            continue;
          }
          BlockIndex here = code.add_block(), skip = code.add_block();
          code.branch(code.integer(Op::eq, {arguments[*i], player}, 1), here, skip);
          code.go_to(here);
          run(h, player, ir::kNoRegister);
          code.jump(skip);
          code.go_to(skip);
        }
      });
    }
    for (std::size_t h : without_player) run(h, ir::kNoRegister, ir::kNoRegister);
    for (std::size_t h : free) run_handler(code, event, h, ir::kNoRegister, ir::kNoRegister, arguments);
  }
}

void run_once(const FunctionContext& code, std::size_t event, std::size_t handler) {
  const auto& all = code.unit.replacing[event].ran_before;
  const auto variable = all.find(handler);
  if (variable == all.end()) return;
  const model::RuleHead& head = code.model.events[event].handlers[handler].head;
  const Register ran = scratch_value(code, variable->second);
  const Register me = head.me.valid() ? read_local(code, head.me) : ir::kNoRegister,
                 self = head.self.valid() ? read_local(code, head.self) : ir::kNoRegister;
  const BlockIndex again = code.add_block(), first = code.add_block();
  code.branch(among_carriers(code, head, ran, me, self), again, first);
  code.go_to(again);
  leave_function(code, ir::kNoRegister);
  code.go_to(first);
  put_scratch(code, variable->second, with_carrier(code, head, ran, me, self));
}

Register among_carriers(const FunctionContext& code, const model::RuleHead& head, Register carriers, Register me,
                        Register self) {
  switch (head.carrier.kind) {
    case CarrierKind::none: return carriers;
    case CarrierKind::character: return code.integer(Op::mask_has, {carriers, me}, 1);
    case CarrierKind::card: return code.integer(Op::set_has, {carriers, self}, 1);
  }
  return carriers;
}

Register with_carrier(const FunctionContext& code, const model::RuleHead& head, Register carriers, Register me,
                      Register self) {
  switch (head.carrier.kind) {
    case CarrierKind::none: return code.constant(1);
    case CarrierKind::character: return code.integer(Op::mask_or, {carriers, code.integer(Op::mask_of, {me}, 4)}, 4);
    case CarrierKind::card: {
      const Register more = code.make(set_of(simple(TypeKind::card)));
      code.put(Op::set_add, more, {carriers, self});
      return more;
    }
  }
  return carriers;
}

// Decrements the counters of running events until the function returns, because this event is over.
void count_as_over(const FunctionContext& code, std::size_t index) {
  const auto less = [&](Int running) {
    const Register now = code.integer(Op::load_raw, {running, code.constant(0)});
    save_and_set(code, running, code.integer(Op::sub_small, {now, code.constant(1)}));
  };
  const auto& depths = code.unit.variables.event_depth;
  if (auto depth = depths.find(of_name(code.unit, std::uint32_t(index))); depth != depths.end()) less(depth->second);
  if (code.model.events[index].kind == model::EventKind::phase && code.unit.variables.phase_depth >= 0)
    less(code.unit.variables.phase_depth);
}

}   // namespace cardwright::lower
