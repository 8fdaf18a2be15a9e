// Lowers events with their handlers, values with their modifiers, and functions. An event consists of:
//   event E(args):  subject in? · before … · instead of (strongest first, the last is the body) · after …
// An event without handlers is reduced to its body.
#include "compiler/lower/events/events.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/expressions/three_valued.h"
#include "compiler/lower/expressions/calls.h"
#include "compiler/lower/context/constants.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/events/flow.h"
#include "compiler/lower/expressions/memoized_values.h"
#include "compiler/lower/context/layout.h"
#include "compiler/lower/sets/lists.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/events/replacements.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/sets/tables.h"
#include "compiler/lower/rules/watch.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::Handler;
using model::Hook;
using model::TypeKind;

static void lower_instead_chain(ProgramContext& unit, std::size_t index);
static AtBeginning collect_carriers(const FunctionContext& code, const model::Event& event);
static void each_with_character(const FunctionContext& code, const model::Carrier& carrier, Register start,
                                const std::function<void(Register me, Register self)>& then);
static void evaluate(ProgramContext& unit, const model::Value& value, ir::FunctionIndex function);
static void lower_handler(ProgramContext& unit, std::size_t event, std::size_t handler);

namespace {

// Compares two rules by the order in which they run: the strongest kind first; within a kind, rules of characters
// before those of cards before rules without carrier; then base rules before house rules; then source order.
bool runs_before(const model::RuleHead& x, const model::RuleHead& y) {
  if (x.precedence.kind != y.precedence.kind) return x.precedence.kind > y.precedence.kind;
  auto rank = [](CarrierKind k) { return k == CarrierKind::character ? 0 : k == CarrierKind::card ? 1 : 2; };
  if (rank(x.carrier.kind) != rank(y.carrier.kind)) return rank(x.carrier.kind) < rank(y.carrier.kind);
  if (x.carrier.kind == CarrierKind::card && x.carrier.kinds != y.carrier.kinds)
    return x.carrier.kinds < y.carrier.kinds;
  return x.precedence < y.precedence;
}

}   // namespace

// ---------------------------------------------------------------- carriers

// Returns 1 if player `me` is in the game and has the character that carries the rule.
Register carrier_in_force(const FunctionContext& code, const model::RuleHead& head, Register me) {
  Register in = code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), me}, 1);
  if (head.carrier.kind != CarrierKind::character) return in;
  BlockIndex here = code.add_block(), after = code.add_block();
  Register holds = code.make(int_type(1));
  code.assign_constant(holds, 0);
  code.branch(in, here, after);
  code.go_to(here);
  Register who = code.integer(Op::load_raw, {code.unit.ids.variable[head.carrier.character_variable.index], me});
  code.put(Op::eq, holds, {who, code.constant(head.carrier.character)});
  code.jump(after);
  code.go_to(after);
  return holds;
}

Register zone_cards_of(const FunctionContext& code, model::ZoneId zone, Register owner) {
  const ZoneSlot& slot = code.program.zones[zone.index];
  if (slot.copies == 1) return code.set(Op::zone_cards, {zone_instance(code, zone, owner)});
  Register all = code.make_set();
  code.put(Op::set_empty, all, {});
  const Int each = code.model.zones[zone.index].each;   // number of zone instances per owner, which are consecutive
  for (Int copy = 0; copy < (each > 0 ? each : slot.copies); ++copy) {
    Register part = code.constant(slot.first + copy);
    if (each > 0) part = code.integer(Op::add_small, {part, code.integer(Op::mul_small, {owner, code.constant(each)})});
    code.put(Op::set_or, all, {all, code.set(Op::zone_cards, {part})});
  }
  return all;
}

// Returns the variable `pick` in `in force while me.pick == this`, which contains the only card that can carry the
// rule.
static std::optional<std::uint32_t> picked_by_me(const model::RuleHead& head) {
  const auto look = [&](auto&& self, const model::Expr* e) -> std::optional<std::uint32_t> {
    if (!e) return std::nullopt;
    if (e->kind != model::ExprKind::logical_and && e->kind != model::ExprKind::equal) return std::nullopt;
    const view::pair sides(e);
    if (e->kind == model::ExprKind::logical_and) {
      const auto left = self(self, sides.left());
      return left ? left : self(self, sides.right());
    }
    for (const auto& [card, variable] :
         {std::pair(sides.left(), sides.right()), std::pair(sides.right(), sides.left())}) {
      const bool is_self = card->kind == model::ExprKind::local && card->local == head.self;
      if (!is_self || variable->kind != model::ExprKind::variable || variable->args.size() != 1) continue;
      const model::Expr* owner = view::variable(variable).owner();
      if (owner && owner->kind == model::ExprKind::local && owner->local == head.me) return variable->ref;
    }
    return std::nullopt;
  };
  return look(look, head.when);
}

Register carrier_cards(const FunctionContext& code, const model::RuleHead& head, Register me, bool all) {
  Register cards = const_cards(code, cards_of_kinds(code.unit, head.carrier.kinds));
  if (head.carrier.zone.valid()) return code.set(Op::set_and, {zone_cards_of(code, head.carrier.zone, me), cards});
  const auto variable = all ? std::nullopt : picked_by_me(head);
  if (!variable) return cards;
  const Register held = code.set(Op::set_of, {code.integer(Op::load_raw, {code.unit.ids.variable[*variable], me})}),
                 one = code.set(Op::set_and, {held, cards});
  if (!asking(code) || !reads(code, *head.when)) return one;
  // If the deciding player does not know the cards, any of them may be the carrier.
  Register known = knows_all(code, held);
  if (code.model.variables[*variable].visibility != model::Visibility::open)
    known = code.integer(
        Op::and_,
        {known, code.integer(Op::knows_value, {code.asking.player, code.unit.ids.variable[*variable], me}, 1)}, 1);
  return code.set(Op::set_select, {known, one, cards});
}

void carriers(const FunctionContext& code, const model::RuleHead& head, const CarrierQuery& query,
              const std::function<void(Register, Register)>& then) {
  if (!possible(code.unit, head)) return;
  if (head.carrier.kind == CarrierKind::nobody) {
    then(query.me, ir::kNoRegister);
    return;
  }
  const bool in_zone = head.carrier.kind == CarrierKind::card && head.carrier.zone.valid(),
             of_players = analysis::is_of_players(code.model, head);
  auto for_player = [&](Register me) {
    need_whose(code, head, me);
    BlockIndex yes = code.add_block(), after = code.add_block();
    if (of_players)
      code.branch(carrier_in_force(code, head, me), yes, after);
    else
      code.jump(yes);
    code.go_to(yes);
    if (head.carrier.kind == CarrierKind::character) {
      then(me, ir::kNoRegister);
    } else {
      Register cards = code.make_set();
      code.assign(cards, carrier_cards(code, head, me, query.all_cards));
      if (query.collected != ir::kNoRegister && in_zone) code.put(Op::set_and, cards, {cards, query.collected});
      if (query.together) {
        BlockIndex some = code.add_block();
        code.branch(code.integer(Op::set_any, {cards}, 1), some, after);
        code.go_to(some);
        then(me, cards);
        code.jump(after);
        code.go_to(after);
        return;
      }
      for_each(code, cards, [&](Register self) {
        if (!query.recheck || !in_zone) return then(me, self);
        // the rule of an earlier card may have removed this card
        BlockIndex there = code.add_block(), gone = code.add_block();
        code.branch(code.integer(Op::set_has, {zone_cards_of(code, head.carrier.zone, me), self}, 1), there, gone);
        code.go_to(there);
        then(me, self);
        code.jump(gone);
        code.go_to(gone);
      });
    }
    code.jump(after);
    code.go_to(after);
  };
  if (!of_players) {
    for_player(code.constant(kNone));
  } else if (query.me != ir::kNoRegister) {
    for_player(query.me);
  } else {
    Register start = code.integer(Op::load_raw, {code.unit.variables.active, code.constant(0)});
    if (head.carrier.kind == CarrierKind::character) {
      need_whose(code, head, ir::kNoRegister);
      return each_with_character(code, head.carrier, start, then);
    }
    clockwise(code, code.integer(Op::players_in, {}, 4), start, false,
              [&](Register me, BlockIndex) { for_player(me); });
  }
}

// Iterates clockwise over the players who have the character at the time the iteration reaches them. Usually there are
// none.
static void each_with_character(const FunctionContext& code, const model::Carrier& carrier, Register start,
                                const std::function<void(Register, Register)>& then) {
  Register rest = code.make_int(4), from = code.make(int_type(1));
  code.put(Op::players_in, rest, {});
  code.put(Op::select, from, {code.integer(Op::eq, {start, code.constant(kNone)}, 1), code.constant(0), start});
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  Register holders = code.integer(
      Op::holders, {code.unit.ids.variable[carrier.character_variable.index], code.constant(carrier.character)});
  Register in_game = code.integer(Op::mask_and, {rest, code.integer(Op::players_in, {}, 4)}, 4);
  Register left = code.integer(Op::mask_and, {in_game, holders}, 4);
  code.branch(left, inside, done);
  code.go_to(inside);
  Register me = code.make(int_type(1));
  code.put(Op::mask_next, me, {left, from});
  code.put(Op::mask_beyond, rest, {rest, from, me});
  then(me, ir::kNoRegister);
  code.jump(head);
  code.go_to(done);
}

void guard(const FunctionContext& code, const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
           const std::vector<Register>& arguments, BlockIndex no) {
  for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i)
    if (patterns[i].kind == model::Pattern::Kind::binds) bind(code, patterns[i].local, arguments[i]);
  for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i) {
    if (patterns[i].kind != model::Pattern::Kind::equals) continue;
    BlockIndex same = code.add_block();
    Register wanted = expr(code, *patterns[i].value);
    if (asking(code) && holds_cards(patterns[i].value->type)) {
      need_seen(code, wanted, fact(code, *patterns[i].value));
      need_seen(code, arguments[i], {});
    }
    Register equal = code.type(wanted).kind == ir::RegisterKind::set
                         ? code.integer(Op::set_equal, {wanted, arguments[i]}, 1)
                         : code.integer(Op::eq, {wanted, arguments[i]}, 1);
    code.branch(equal, same, no);
    code.go_to(same);
  }
  if (head.when) {
    BlockIndex holds = code.add_block();
    branch_on(code, *head.when, holds, no);
    code.go_to(holds);
  }
}

// ---------------------------------------------------------------- events

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

static void declare_together(ProgramContext& unit) {
  const bool used = std::any_of(unit.model.stmts.begin(), unit.model.stmts.end(),
                                [](const model::Stmt& s) { return s.kind == model::StmtKind::together; });
  if (!used || instances_with_afters(unit).empty()) return;
  unit.variables.together_cards = add_scratch_sets(unit, "in force together", simple(TypeKind::card), 1, false);
  unit.variables.together_places =
      add_scratch(unit, "where they were", 0, unit.program.layout.instances, 0, unit.program.layout.card_ids + 1);
}

void declare_events(ProgramContext& unit) {
  declare_together(unit);
  for (std::size_t e = 0; e < unit.model.events.size(); ++e) {
    const model::Event& event = unit.model.events[e];
    unit.variables.event_gives.emplace_back();
    for (const model::Type& type : event.gives)
      unit.variables.event_gives.back().push_back(add_scratch_for(unit, "given by " + event.name, type));
    std::string name = (event.kind == model::EventKind::phase   ? "phase "
                        : event.kind == model::EventKind::plain ? "event "
                                                                : "") +
                       event.name;
    bool apart = std::any_of(event.handlers.begin(), event.handlers.end(),
                             [&](const Handler& h) { return possible(unit, h.head); }) ||
                 unit.ended_events.count(std::uint32_t(e)) || event.kind != model::EventKind::plain ||
                 is_measured(unit, e);
    unit.functions.event.push_back(new_function(unit, name, returns_of(unit, event.result), event.range, !apart));
    unit.functions.event_body.push_back(apart ? new_function(unit, name, returns_of(unit, event.result), event.range)
                                              : unit.functions.event.back());
    const std::vector<std::size_t>& instead = unit.instead_chain[e];
    for (std::size_t h = 0; h < event.handlers.size(); ++h) {
      const Handler& handler = event.handlers[h];
      if (!possible(unit, handler.head)) continue;
      unit.functions.handler[{e, h}] = new_function(
          unit, handler.head.name,
          handler.hook == Hook::instead ? returns_of(unit, event.result) : ir::Returns::nothing, handler.head.range);
    }
    const bool rematches = unit.replacing[e].rematches;
    for (std::size_t k = 0; k < (rematches ? 1 : instead.size()); ++k)
      unit.functions.chain[{e, k}] =
          new_function(unit, "instead of " + event.name, returns_of(unit, event.result), event.range, false);
    if (rematches) declare_attempts(unit, e);
    if (!rematches) unit.functions.chain[{e, instead.size()}] = unit.functions.event_body.back();
  }
  for (std::size_t i = 0; i < unit.model.values.size(); ++i) {
    const model::Value& v = unit.model.values[i];
    unit.functions.value.push_back(
        kept(unit, i) ? new_function(unit, "kept " + v.name, returns_of(unit, v.result), v.range, false)
                      : new_function(unit, "value " + v.name, returns_of(unit, v.result), v.range));
  }
  for (const model::Function& f : unit.model.functions)
    unit.functions.function.push_back(
        f.sequence ? ir::FunctionIndex(-1)
                   : new_function(unit, "function " + f.name, returns_of(unit, f.result), f.range));
}

std::uint32_t of_name(const ProgramContext& unit, std::uint32_t event) {
  const model::Event& e = unit.model.events[event];
  if (e.kind == model::EventKind::plain) return event;
  for (std::uint32_t first = 0; first < event; ++first)
    if (unit.model.events[first].kind == e.kind && unit.model.events[first].name == e.name) return first;
  return event;
}

static void event_body(const FunctionContext& code, std::size_t index) {
  const model::Event& event = code.model.events[index];
  fuel(code);
  if (event.kind == model::EventKind::turn || event.kind == model::EventKind::round ||
      !flow_in(code.unit, event.body.block).empty())
    flow_block(code, event.body.block);
  else
    block(code, event.body.block);
}

// Stores the event's variables that other rules read in scratch variables.
static void place_event_variables(const FunctionContext& code, std::size_t index) {
  const model::Event& event = code.model.events[index];
  for (std::size_t i = 0; i < event.variables.size(); ++i)
    if (auto field = code.unit.variables.event_field.find({std::uint32_t(index), Int(i)});
        field != code.unit.variables.event_field.end())
      code.env().places[event.variables[i].index] = {Place::Kind::variable, ir::kNoRegister, field->second};
}

// Emits the body of the event as a separate function, for events with `before`, `after` or `instead of` rules.
static void write_event_body(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  Env body;
  bind_locals(body, event.body);
  body.said_by = Int(index) + 1;
  body.gives = unit.variables.event_gives[index];
  body.flow = event.kind != model::EventKind::plain;
  write_function(unit, unit.functions.event_body[index], body, [&](const FunctionContext& code) {
    for (const model::Parameter& p : event.parameters) bind(code, p.local, parameter(code, event.body, p.local));
    place_event_variables(code, index);
    event_body(code, index);
  });
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

// Stores the parameters and initial values of the variables that other rules read.
static void set_event_fields(const FunctionContext& code, std::size_t index, const std::vector<Register>& arguments) {
  const model::Event& event = code.model.events[index];
  const auto& fields = code.unit.variables.event_field;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (auto field = fields.find({std::uint32_t(index), -1 - Int(i)}); field != fields.end())
      save_and_set(code, field->second, arguments[i]);
  for (std::size_t i = 0; code.unit.replacing[index].changes && i < arguments.size(); ++i)
    if (auto field = fields.find({std::uint32_t(index), -1 - Int(i) - model::kAnnounced}); field != fields.end())
      save_and_set(code, field->second, arguments[i]);
  for (std::size_t i = 0; i < event.variables.size(); ++i)
    if (auto field = fields.find({std::uint32_t(index), Int(i)}); field != fields.end())
      save_and_set(code, field->second, default_value(code, event.body.locals[event.variables[i].index].type));
  place_event_variables(code, index);
}

// Increments the counters of running events. Returns each counter variable with its previous value.
static std::vector<std::pair<Int, Register>> count_running(const FunctionContext& code, std::size_t index) {
  std::vector<std::pair<Int, Register>> counts;
  const auto count = [&](Int running) {
    counts.emplace_back(running, code.integer(Op::load_raw, {running, code.constant(0)}));
    save_and_set(code, running, code.integer(Op::add_small, {counts.back().second, code.constant(1)}));
  };
  const auto& depths = code.unit.variables.event_depth;
  if (auto depth = depths.find(of_name(code.unit, std::uint32_t(index))); depth != depths.end()) count(depth->second);
  if (code.model.events[index].kind == model::EventKind::phase && code.unit.variables.phase_depth >= 0)
    count(code.unit.variables.phase_depth);
  return counts;
}

// Decrements the counters of running events for this event until the function returns.
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

// If a scenario begins in the middle of the event (such as a turn), runs only its body. Returns the block that
// continues after the body.
static BlockIndex begin_in_the_middle(const FunctionContext& code, std::size_t index,
                                      const std::vector<Register>& arguments) {
  const BlockIndex behind = code.add_block();
  const BlockIndex whole = code.add_block(), middle = code.add_block();
  code.branch(code.integer(Op::eq, {start(code), code.constant(kNone)}, 1), whole, middle);
  code.go_to(middle);
  call(code, code.unit.functions.event_body[index], arguments);
  code.jump(behind);
  code.go_to(whole);
  return behind;
}

// Returns the register for the result of the event, or kNoRegister if the event has no result.
static Register empty_result(const FunctionContext& code, std::size_t index) {
  if (code.unit.function(code.unit.functions.event[index]).returns == ir::Returns::nothing &&
      code.function().returns == ir::Returns::nothing)
    return ir::kNoRegister;
  const bool set = code.function().returns == ir::Returns::set;
  const Register result = set ? code.make_set() : code.make_int();
  if (set)
    code.put(Op::set_empty, result, {});
  else
    code.assign_constant(result, kNone);
  return result;
}

// Copies the results that are passed in variables, because a rule that runs later may trigger the same event again.
static std::vector<Register> copy_results(const FunctionContext& code) {
  std::vector<Register> given;
  for (const Int variable : code.env().gives) {
    const Register now = scratch_value(code, variable), kept = code.make(code.type(now));
    if (code.type(now).kind == ir::RegisterKind::array)
      code.effect(Op::list_copy, {kept, now});
    else
      code.assign(kept, now);
    given.push_back(kept);
  }
  return given;
}

static void leave_if_cancelled(const FunctionContext& code) {
  const BlockIndex cancelled = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::load_raw, {code.unit.variables.cancelled, code.constant(0)}), cancelled, on);
  code.go_to(cancelled);
  code.effect(Op::store, {code.unit.variables.cancelled, code.constant(0), code.constant(0)});
  leave_function(code, ir::kNoRegister);
  code.go_to(on);
}

// Handles an `end` in progress. The `after` rules still run if the target is this event, or if this event's own body
// executed the `end`; otherwise the function returns. Returns the `ending` to restore after the `after` rules.
static Register leave_if_ending(const FunctionContext& code, std::size_t index) {
  const auto forget = [&] { code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)}); };
  const Register owed = code.make_int(4);
  code.assign_constant(owed, 0);
  const Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
  const BlockIndex left = code.add_block(), mine = code.add_block(), other = code.add_block(), said = code.add_block(),
                   out = code.add_block(), afters = code.add_block();
  code.branch(ending, left, afters);
  code.go_to(left);
  const Register target = code.integer(Op::mod_small, {ending, code.constant(kSayer)});
  Register ends_this =
      code.integer(Op::eq, {target, code.constant(kEndFirst + Int(of_name(code.unit, std::uint32_t(index))))}, 1);
  if (code.model.events[index].kind == model::EventKind::phase)
    ends_this = code.integer(Op::or_, {ends_this, code.integer(Op::eq, {target, code.constant(kEndPhase)}, 1)}, 1);
  code.branch(ends_this, mine, other);
  code.go_to(mine);
  forget();
  code.jump(afters);
  code.go_to(other);
  const Register sayer = code.integer(Op::div_small, {ending, code.constant(kSayer)});
  code.branch(code.integer(Op::eq, {sayer, code.constant(Int(index) + 1)}, 1), said, out);
  code.go_to(said);
  code.assign(owed, target);
  forget();
  code.jump(afters);
  code.go_to(out);
  leave_function(code, ir::kNoRegister);
  code.go_to(afters);
  return owed;
}

static void leave_what_is_owed(const FunctionContext& code, Register owed) {
  const BlockIndex still = code.add_block(), end = code.add_block();
  code.branch(owed, still, end);
  code.go_to(still);
  code.effect(Op::store, {code.unit.variables.ending, code.constant(0), owed});
  code.jump(end);
  code.go_to(end);
}

// Emits the event with its `before`, `instead of` and `after` rules. The parameters must be bound.
static void fire_event(const FunctionContext& code, std::size_t index, const std::vector<Register>& arguments) {
  const model::Event& event = code.model.events[index];
  leave_if_out(code, event, arguments);
  set_event_fields(code, index, arguments);
  const auto ran_before = count_running(code, index);
  if (code.unit.functions.event_body[index] == code.unit.functions.event[index]) {
    event_body(code, index);
    return leave_function(code, ir::kNoRegister);
  }
  const AtBeginning beginning = collect_carriers(code, event);
  const bool rematches = code.unit.replacing[index].rematches;
  if (rematches) begin_replacing(code, index);
  std::optional<BlockIndex> behind;
  if (event.kind != model::EventKind::plain && !flow_in(code.unit, event.body.block).empty())
    behind = begin_in_the_middle(code, index, arguments);
  const Register result = empty_result(code, index);
  const bool has_before = std::any_of(event.handlers.begin(), event.handlers.end(), [&](const Handler& h) {
    return h.hook == Hook::before && possible(code.unit, h.head);
  });
  if (has_before) {
    handlers_of(code, event, Hook::before, arguments, beginning);
    leave_if_out(code, event, arguments);
  }
  note_event(code, index, model::MomentKind::before, arguments);
  const Register value = rematches ? happen(code, index, arguments, beginning)
                                   : call(code, code.unit.functions.chain.at({index, 0}), arguments);
  if (result != ir::kNoRegister) code.assign(result, value);
  const std::vector<Register> given = copy_results(code);
  if (rematches)
    leave_if_nothing_happened(code, index);
  else if (!code.unit.instead_chain[index].empty())
    leave_if_cancelled(code);
  if (behind) {
    code.jump(*behind);
    code.go_to(*behind);
  }
  const Register owed = leave_if_ending(code, index);
  // the event is over: a later `end` refers to another one
  for (const auto& [running, before] : ran_before) put_scratch(code, running, before);
  if (!ran_before.empty()) touch(code, code.unit.watching.always);
  if (event.kind != model::EventKind::plain) settle(code);
  const std::vector<Register> actual = what_happened(code, index, arguments);
  handlers_of(code, event, Hook::after, actual, beginning);
  note_event(code, index, model::MomentKind::after, actual);
  leave_what_is_owed(code, owed);
  hand_over(code, given);
  leave_function(code, result);
}

void lower_event(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  if (unit.functions.event_body[index] != unit.functions.event[index]) write_event_body(unit, index);
  Env fire;
  bind_locals(fire, event.body);
  fire.gives = unit.variables.event_gives[index];
  write_function(unit, unit.functions.event[index], fire, [&](const FunctionContext& code) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : event.parameters) {
      arguments.push_back(parameter(code, event.body, p.local));
      bind(code, p.local, arguments.back());
    }
    note_reached(code, event.range);
    fire_event(code, index, arguments);
  });
  if (unit.replacing[index].rematches)
    lower_attempts(unit, index);
  else
    lower_instead_chain(unit, index);
  for (std::size_t h = 0; h < event.handlers.size(); ++h)
    if (possible(unit, event.handlers[h].head)) lower_handler(unit, index, h);
}

void save_and_set(const FunctionContext& code, Int variable, Register value) {
  code.env().restore.push_back({variable, scratch_value(code, variable)});
  put_scratch(code, variable, value);
  touch(code, code.unit.watching.always);
}

// Loads the value of a scratch variable: a number, a set or a list.
Register scratch_value(const FunctionContext& code, Int variable) {
  const Register zero = code.constant(0);
  if (code.program.variable_infos[variable].list > 0)
    return load_list(code, variable, zero, list_register(code.unit, variable));
  if (code.program.variables[variable].is_set) return code.set(Op::load_set, {variable, zero});
  return code.integer(Op::load_raw, {variable, zero});
}

void put_scratch(const FunctionContext& code, Int variable, Register value) {
  const Register zero = code.constant(0);
  if (code.program.variable_infos[variable].list > 0)
    store_list(code, variable, zero, value);
  else if (code.program.variables[variable].is_set)
    code.effect(Op::store_set, {variable, zero, value});
  else
    code.effect(Op::store, {variable, zero, value});
}

// IR functions cannot return lists or several values. An event or window stores such results in scratch variables and
// returns 1, or none if it has no result. The caller reads the variables immediately.
void hand_over(const FunctionContext& code, const std::vector<Register>& values) {
  for (std::size_t i = 0; i < values.size() && i < code.env().gives.size(); ++i)
    put_scratch(code, code.env().gives[i], values[i]);
}

Register handed_over(const FunctionContext& code, Int variable, Register happened, const model::Expr* otherwise,
                     const model::Type& type) {
  const Register value = code.make(register_type(code.unit, type));
  const auto take = [&](Register from) {
    if (type.kind == TypeKind::list)
      code.effect(Op::list_copy, {value, from});
    else
      code.assign(value, from);
  };
  BlockIndex yes = code.add_block(), no = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::eq, {happened, code.constant(kNone)}, 1), no, yes);
  code.go_to(yes);
  take(scratch_value(code, variable));
  code.jump(after);
  code.go_to(no);
  take(otherwise ? expr(code, *otherwise) : default_value(code, type));
  code.jump(after);
  code.go_to(after);
  return value;
}

const std::vector<Int>& given_by(const FunctionContext& code, const model::Expr& call) {
  return call.kind == model::ExprKind::proceed       ? code.env().gives
         : call.kind == model::ExprKind::open_window ? code.unit.variables.window_gives[call.ref]
                                                     : code.unit.variables.event_gives[call.ref];
}

// Returns the result of an event or window, or none if it ended without a result.
Register happened(const FunctionContext& code, const model::Expr& call) {
  if (call.kind == model::ExprKind::proceed) {
    std::vector<Register> arguments = code.env().proceed_arguments;
    for (std::size_t i = 0; i < call.args.size() && i < arguments.size(); ++i)
      if (call.args[i]) arguments[i] = expr(code, *call.args[i]);
    return code.env().proceed(arguments, gives_others(*code.env().replaces, call));
  }
  if (call.kind == model::ExprKind::call_event) {
    const Register result = call_with_exprs(code, code.unit.functions.event[call.ref], call.args);
    check_unwind(code, code.unit.functions.event[call.ref]);
    return result;
  }
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    const Register value = expr(code, *a);
    const Register kept =
        code.type(value).kind == ir::RegisterKind::array ? value : code.make(register_type(code.unit, a->type));
    if (kept != value) code.assign(kept, value);
    arguments.push_back(kept);
  }
  arguments.push_back(code.constant(code.env().flow ? 1 : 0));
  const Register result = lower::call(code, code.unit.functions.window[call.ref], arguments);
  check_unwind(code, code.unit.functions.window[call.ref]);
  return result;
}

// Returns the list or set that a call passes in a variable.
Register taken(const FunctionContext& code, const model::Expr& call, Register happened) {
  const bool handed = call.type.kind == TypeKind::list ||
                      (call.kind == model::ExprKind::open_window && call.type.kind == TypeKind::set);
  return handed ? handed_over(code, given_by(code, call)[0], happened, nullptr, call.type) : happened;
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
  check_unwind(code, f);
  if (event.kind != model::EventKind::plain) settle(code);
}

// Collects the cards that are in force when the event begins and have rules that watch it. Cards that come into force
// later are ignored.
static AtBeginning collect_carriers(const FunctionContext& code, const model::Event& event) {
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
  for (const Int i : instances_looked_back_at(code.unit, event)) {
    const Register here = beginning.of_instance[i] = code.make_set();
    code.put(Op::zone_cards, here, {code.constant(i)});
  }
  return beginning;
}

// Cards that have left their zone since the beginning of the event, whose `after` rules still run.
namespace {
struct Departed {
  Register cards = ir::kNoRegister;   // kNoRegister if there cannot be any
  // true if it is the card that the event affects; otherwise they are the cards of a `together`
  bool of_event = false;
};
}   // namespace

// Returns the cards in `from` that can carry the rule and are no longer in any instance of its zone.
static Register no_longer_in_zone(const FunctionContext& code, const model::RuleHead& head, Register from) {
  const Register gone = code.make_set();
  code.put(Op::set_and, gone, {from, const_cards(code, cards_of_kinds(code.unit, head.carrier.kinds))});
  const ZoneSlot& zone = code.program.zones[head.carrier.zone.index];
  for (Int i = zone.first; i < zone.first + zone.owners * zone.copies; ++i)
    code.put(Op::set_without, gone, {gone, code.set(Op::zone_cards, {code.constant(i)})});
  return gone;
}

// Returns the departed cards for which the rule runs. Emitted before the rule runs for cards that are still in force,
// because the rule may move them.
static std::vector<Departed> departed(const FunctionContext& code, const Handler& h,
                                      const std::vector<Register>& arguments, const AtBeginning& beginning) {
  std::vector<Departed> all;
  if (!is_after_of_card(code.unit, h)) return all;
  if (h.looks_back) {
    const Register about = code.set(Op::set_of, {arguments[*h.looks_back]});
    Register there = code.make_set();
    code.put(Op::set_and, there, {about, beginning.cards});
    all.push_back({no_longer_in_zone(code, h.head, there), true});
  }
  if (code.unit.variables.together_cards >= 0) {
    Register together = scratch_value(code, code.unit.variables.together_cards);
    if (h.looks_back) together = code.set(Op::set_and, {together, code.set(Op::set_of, {arguments[*h.looks_back]})});
    all.push_back({no_longer_in_zone(code, h.head, together), false});
  }
  return all;
}

// Calls `then` with the owner of a zone instance if the owner is still in the game and equals `player` (if one is
// given). For a zone of the table, calls `then` with kNoRegister.
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

// Calls `then(me, card)` for each departed card. `me` is the player who had the card at the beginning, and equals
// `player` if one is given.
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

std::set<Int> instances_looked_back_at(const ProgramContext& unit, const model::Event& event) {
  std::set<Int> instances;
  for (const Handler& h : event.handlers) {
    if (!h.looks_back || !is_after_of_card(unit, h)) continue;
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

// Runs `before` or `after` rules, ordered by kind of rule. Within a kind, the rules of each player run first, starting
// with the active player; then the rules of cards without owner; then rules without carrier.
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
    std::vector<std::size_t> of_players, of_nobody, free;
    for (; to < order.size() && event.handlers[order[to]].head.precedence.kind == kind; ++to) {
      const model::RuleHead& head = event.handlers[order[to]].head;
      (head.carrier.kind == CarrierKind::nobody    ? free
       : analysis::is_of_players(code.model, head) ? of_players
                                                   : of_nobody)
          .push_back(order[to]);
    }
    from = to;
    auto run = [&](std::size_t h, Register me, Register done) {
      const CarrierQuery query{.me = me, .collected = beginning.cards, .recheck = true};
      const std::vector<Departed> left = departed(code, event.handlers[h], arguments, beginning);
      // ensures that both loops together run the rule only once for each card
      if (done == ir::kNoRegister && left.size() > 1) {
        done = code.make_set();
        code.put(Op::set_empty, done, {});
      }
      const auto run_once = [&](Register m, Register self) {
        if (done == ir::kNoRegister) {
          run_handler(code, event, h, m, self, arguments);
          // the card may have moved to a player whom the loop has not reached yet
        } else {
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
    // for rules whose card may move to a player whom the loop reaches later
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
    for (std::size_t h : of_nobody) run(h, ir::kNoRegister, ir::kNoRegister);
    for (std::size_t h : free) run_handler(code, event, h, ir::kNoRegister, ir::kNoRegister, arguments);
  }
}

// Emits a function for each position in the chain. Position k tries the k-th strongest handler and then all weaker
// ones; the last position runs the body.
static void lower_instead_chain(ProgramContext& unit, std::size_t index) {
  const model::Event& event = unit.model.events[index];
  const std::vector<std::size_t>& chain = unit.instead_chain[index];
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Handler& handler = event.handlers[chain[k]];
    Env at;
    bind_locals(at, handler.body);
    write_function(unit, unit.functions.chain.at({index, k}), at, [&](const FunctionContext& code) {
      std::vector<Register> arguments;
      for (const model::Parameter& p : event.parameters) arguments.push_back(parameter(code, event.body, p.local));
      auto i = me_argument(handler.head, handler.patterns);
      carriers(code, handler.head, {.me = i ? arguments[*i] : ir::kNoRegister}, [&](Register me, Register self) {
        BlockIndex no = code.add_block();
        if (me != ir::kNoRegister) bind(code, handler.head.me, me);
        if (self != ir::kNoRegister) bind(code, handler.head.self, self);
        guard(code, handler.head, handler.patterns, arguments, no);
        std::vector<Register> all;
        if (handler.head.me.valid()) all.push_back(me == ir::kNoRegister ? code.constant(kNone) : me);
        if (handler.head.self.valid()) all.push_back(self == ir::kNoRegister ? code.constant(kNone) : self);
        all.insert(all.end(), arguments.begin(), arguments.end());
        leave_function(code, call(code, code.unit.functions.handler.at({index, chain[k]}), all));
        code.go_to(no);
      });
      leave_function(code, call(code, code.unit.functions.chain.at({index, k + 1}), arguments));
    });
  }
}

// Returns the function that emits `proceed` in a rule. The rule's own parameters must already exist, but not those of
// an attempt.
static std::function<Register(const std::vector<Register>&, bool)> way_to_proceed(const FunctionContext& code,
                                                                                  std::size_t event, std::size_t rule) {
  if (code.unit.replacing[event].rematches)
    return [code, event, attempt = attempt_parameters(code, event)](const std::vector<Register>& args, bool others) {
      return proceed(code, event, args, attempt, others);
    };
  const auto& chain = code.unit.instead_chain[event];
  const auto position = static_cast<std::size_t>(std::find(chain.begin(), chain.end(), rule) - chain.begin());
  return [code, next = code.unit.functions.chain.at({event, position + 1})](const std::vector<Register>& args, bool) {
    const Register r = call(code, next, args);
    check_unwind(code, next);
    return r;
  };
}

static void lower_handler(ProgramContext& unit, std::size_t event_index, std::size_t h) {
  const model::Event& event = unit.model.events[event_index];
  const Handler& handler = event.handlers[h];
  Env env_here;
  bind_locals(env_here, handler.body);
  env_here.said_by = handler.hook == Hook::instead ? Int(event_index) + 1 : 0;
  if (handler.hook == Hook::instead) env_here.gives = unit.variables.event_gives[event_index];
  env_here.flow = event.kind != model::EventKind::plain && handler.hook == Hook::instead;
  write_function(unit, unit.functions.handler.at({event_index, h}), env_here, [&](const FunctionContext& code) {
    if (handler.head.me.valid()) bind(code, handler.head.me, parameter(code, simple(TypeKind::player, true)));
    if (handler.head.self.valid()) bind(code, handler.head.self, parameter(code, simple(TypeKind::card, true)));
    std::vector<Register> arguments;
    for (const model::Parameter& p : event.parameters) arguments.push_back(parameter(code, event.body, p.local));
    fuel(code);
    if (handler.hook == Hook::instead) {
      for (std::size_t i = 0; i < handler.patterns.size(); ++i)
        if (handler.patterns[i].kind == model::Pattern::Kind::binds)
          bind(code, handler.patterns[i].local, arguments[i]);
      code.env().proceed_arguments = arguments;
      code.env().replaces = &handler;
      code.env().proceed = way_to_proceed(code, event_index, h);
    } else {
      BlockIndex no = code.add_block(), yes = code.add_block();
      guard(code, handler.head, handler.patterns, arguments, no);
      code.jump(yes);
      code.go_to(no);
      leave_function(code, ir::kNoRegister);
      code.go_to(yes);
      if (handler.hook == Hook::before) run_once(code, event_index, h);
    }
    note_reached(code, handler.head.range);
    block(code, handler.body.block);
  });
}

// ---------------------------------------------------------------- values, functions

// Applies a modifier to the result, once for each of its carriers.
void apply_modifier(const FunctionContext& code, const model::Modifier& m, Op op, Register result,
                    const std::vector<Register>& arguments, Facts facts) {
  const auto names_card = [&](const model::Expr* e) { return e && mentions(*e, m.head.self); };
  const bool says_which_card =
      m.head.self.valid() &&
      (names_card(m.head.when) || names_card(m.amount) ||
       std::any_of(m.patterns.begin(), m.patterns.end(), [&](const model::Pattern& p) { return names_card(p.value); }));
  // If the amount does not depend on the card, it is computed once and applied for each card.
  const bool together = m.head.carrier.kind == CarrierKind::card && !says_which_card && pure(code.unit, *m.amount);
  Env inner;
  bind_locals(inner, m.body);
  inner.facts = std::move(facts);
  const FunctionContext rule = code.in(inner);
  const auto i = me_argument(m.head, m.patterns);
  const CarrierQuery query{.me = i ? arguments[*i] : ir::kNoRegister, .together = together};
  carriers(rule, m.head, query, [&](Register me, Register self) {
    BlockIndex no = code.add_block();
    if (me != ir::kNoRegister) bind(rule, m.head.me, me);
    if (self != ir::kNoRegister && !together) bind(rule, m.head.self, self);
    guard(rule, m.head, m.patterns, arguments, no);
    note_reached(rule, m.head.range);
    Register amount = expr(rule, *m.amount);
    if (together && op == Op::add) amount = code.integer(Op::mul, {amount, code.integer(Op::set_count, {self})});
    code.put(op, result, {result, amount});
    code.jump(no);
    code.go_to(no);
  });
}

// Returns the facts that are certain for the names in a modifier of the value.
static Facts facts_in(const FunctionContext& code, const model::Value& value, const model::Modifier& m) {
  if (!asking(code)) return {};
  std::vector<Fact> given;
  for (const model::Parameter& p : value.parameters) given.push_back(code.env().facts.of(p.local));
  return code.unit.facts.secrecy.of_rule(m.head, m.patterns, given);
}

static Register apply_modifiers(const FunctionContext& code, const model::Value& value, Register result,
                                const std::vector<Register>& arguments) {
  const analysis::ValueRules rules = analysis::rules_of(value);
  const auto apply = [&](const std::vector<const model::Modifier*>& all, Op op) {
    for (const model::Modifier* m : all) apply_modifier(code, *m, op, result, arguments, facts_in(code, value, *m));
  };
  apply(rules.by, Op::add);
  // copy the result to a separate register, so that its range can be inferred
  if (!rules.at_least.empty() || !rules.at_most.empty()) {
    const Register sum = result;
    result = code.make(code.type(sum));
    code.assign(result, sum);
  }
  apply(rules.at_least, Op::max);
  apply(rules.at_most, Op::min);
  return result;
}

// Returns the time at which the carrier of a rule came into force; 0 is the beginning of the game.
static Register in_force_since(const FunctionContext& code, const model::RuleHead& head, Register me, Register self) {
  const OwnVariables& own = code.unit.variables;
  if (head.carrier.kind == CarrierKind::character)
    return code.integer(Op::load_raw, {own.character_stamps.at(head.carrier.character_variable.index), me});
  if (head.carrier.kind != CarrierKind::card || !head.carrier.zone.valid()) return code.constant(0);
  return code.integer(Op::load_raw, {own.stamps, self});
}

// Returns the result of the strongest `to` modifier that applies, or the base if none applies. The parameters must be
// bound.
Register value_settled(const FunctionContext& code, const model::Value& value, const std::vector<Register>& arguments) {
  note_reached(code, value.range);
  const bool list = is_array(value.result);
  const Register result =
      code.make(list || is_wide(code.unit, value.result) ? register_type(code.unit, value.result) : int_type(8));
  const BlockIndex settled = code.add_block();
  const bool checked_last = analysis::is_checked_last(value);
  const auto settling = [&](const model::Expr& e) { return checked_last ? view::unchecked(&e) : &e; };
  const auto be = [&](Register is) {
    if (list)
      code.effect(Op::list_copy, {result, is});
    else
      code.assign(result, is);
    code.jump(settled);
  };
  // the modifier that came into force last applies; of two with the same time, the stronger one
  const std::vector<const model::Modifier*> to = analysis::rules_of(value).to;
  const bool timed = value.latest_first && !to.empty();
  const Register latest = timed ? code.make_int() : ir::kNoRegister;
  if (timed) code.assign_constant(latest, -1);
  for (const model::Modifier* m : to) {
    Env inner;
    bind_locals(inner, m->body);
    inner.facts = facts_in(code, value, *m);
    const FunctionContext rule = code.in(inner);
    const auto i = me_argument(m->head, m->patterns);
    carriers(rule, m->head, {.me = i ? arguments[*i] : ir::kNoRegister}, [&](Register me, Register self) {
      BlockIndex no = code.add_block();
      if (me != ir::kNoRegister) bind(rule, m->head.me, me);
      if (self != ir::kNoRegister) bind(rule, m->head.self, self);
      guard(rule, m->head, m->patterns, arguments, no);
      if (timed) {
        const Register since = in_force_since(code, m->head, me, self);
        const BlockIndex later = code.add_block();
        code.branch(code.integer(Op::lt, {latest, since}, 1), later, no);
        code.go_to(later);
        code.assign(latest, since);
        note_reached(rule, m->head.range);
        const Register amount = expr(rule, *settling(*m->amount));
        if (list)
          code.effect(Op::list_copy, {result, amount});
        else
          code.assign(result, amount);
        code.jump(no);
      } else {
        note_reached(rule, m->head.range);
        if (code.explains) note_modified(code, m->head);
        be(expr(rule, *settling(*m->amount)));
      }
      code.go_to(no);
    });
  }
  if (timed) {
    const BlockIndex base = code.add_block();
    code.branch(code.integer(Op::lt, {latest, code.constant(0)}, 1), base, settled);
    code.go_to(base);
  }
  if (value.base) {
    be(code.explains && value.result.kind == TypeKind::boolean ? explained_value(code, *value.base)
                                                               : expr(code, *settling(*value.base)));
  } else {
    code.env().inline_return = true;
    code.env().return_block = settled;
    code.env().result = result;
    block(code, value.body.block);
    if (!code.closed()) leave_function(code, ir::kNoRegister);
    code.env().inline_return = false;
  }
  code.go_to(settled);
  return result;
}

void lower_value(ProgramContext& unit, std::size_t index) {
  const model::Value& value = unit.model.values[index];
  const Kept* stored = kept(unit, index);
  if (!stored) return evaluate(unit, value, unit.functions.value[index]);
  if (value.result.kind == TypeKind::map) return lower_kept_table(unit, *stored);
  const ir::FunctionIndex work = new_function(unit, "value " + value.name, returns_of(unit, value.result), value.range);
  evaluate(unit, value, work);
  lower_kept(unit, *stored, work);
}

static void evaluate(ProgramContext& unit, const model::Value& value, ir::FunctionIndex function) {
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(unit, function, env_here, [&](const FunctionContext& code) {
    std::vector<Register> arguments;
    for (const model::Parameter& p : value.parameters) {
      arguments.push_back(parameter(code, value.body.locals[p.local.index].type));
      bind(code, p.local, arguments.back());
    }
    // values that return a list are inlined at each call (inline_value)
    if (is_array(value.result)) return leave_function(code, ir::kNoRegister);
    fuel(code);
    leave_function(code, settled_and_modified(code, value, arguments));
  });
}

Register settled_and_modified(const FunctionContext& code, const model::Value& value,
                              const std::vector<Register>& arguments) {
  Register result = apply_modifiers(code, value, value_settled(code, value, arguments), arguments);
  if (value.at_least) result = code.integer(Op::max, {result, expr(code, *value.at_least)});
  if (value.at_most) result = code.integer(Op::min, {result, expr(code, *value.at_most)});
  if (!analysis::is_checked_last(value)) return result;
  const std::string text = fmt::format("the result of `{}` would be {{}}, but is declared {}", value.name,
                                       model::to_string(code.model, value.result));
  return code.integer(Op::in_range, {result, value.result.lo, value.result.hi, text_index(code.unit, text)});
}

void lower_function(ProgramContext& unit, std::size_t index) {
  const model::Function& f = unit.model.functions[index];
  if (f.sequence) return;   // the code of a sequence is inlined into the loops over it
  Env env_here;
  bind_locals(env_here, f.body);
  write_function(unit, unit.functions.function[index], env_here, [&](const FunctionContext& code) {
    if (!code.unit.facts.called.functions[index] || takes_table(f))
      return leave_function(code, ir::kNoRegister);   // inlined at each call, like functions that return a list
    for (const model::Parameter& p : f.parameters)
      bind(code, p.local, parameter(code, f.body.locals[p.local.index].type));
    // functions that return a list are inlined at each call (inline_call)
    if (is_array(f.result)) return leave_function(code, ir::kNoRegister);
    fuel(code);
    note_reached(code, f.range);
    block(code, f.body.block);
  });
}

}   // namespace cardwright::lower
