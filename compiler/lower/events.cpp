// Events with their handlers, values with their modifiers, functions.
//
//   event E(args):  subject in? · before … · instead of (strongest first, the last is the body) · after …
//
// What nobody watches costs nothing: an event without handlers is its body.
#include <algorithm>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::Handler;
using model::Hook;
using model::TypeKind;

namespace {

// Strongest kind first; inside it characters before cards before rules of nobody, then base before house, then as
// written.
bool runs_before(const model::RuleHead& x, const model::RuleHead& y) {
  if (x.precedence.kind != y.precedence.kind) return x.precedence.kind > y.precedence.kind;
  auto rank = [](CarrierKind k) { return k == CarrierKind::character ? 0 : k == CarrierKind::card ? 1 : 2; };
  if (rank(x.carrier.kind) != rank(y.carrier.kind)) return rank(x.carrier.kind) < rank(y.carrier.kind);
  if (x.carrier.kind == CarrierKind::card && x.carrier.kinds != y.carrier.kinds)
    return x.carrier.kinds < y.carrier.kinds;
  return x.precedence < y.precedence;
}

}  // namespace

// ---------------------------------------------------------------- carriers

std::optional<std::size_t> Lowering::me_argument(const model::RuleHead& head,
                                                 const std::vector<model::Pattern>& patterns) const {
  if (!head.me.valid()) return std::nullopt;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const model::Pattern& p = patterns[i];
    if (p.kind == model::Pattern::Kind::equals && p.value->kind == model::ExprKind::local && p.value->local == head.me)
      return i;
  }
  return std::nullopt;
}

bool Lowering::possible(const model::RuleHead& head) const {
  if (head.carrier.kind == CarrierKind::nobody) return true;
  if (head.carrier.kind == CarrierKind::card)
    return std::any_of(head.carrier.kinds.begin(), head.carrier.kinds.end(),
                       [&](model::KindId k) { return in_play(k); });
  const model::Variable& variable = model_.variables[head.carrier.character_variable.index];
  if (!variable.dealt_from || variable.initial) return true;
  const std::vector<Int>& counts = model_.pools[variable.dealt_from->index].counts;
  if (head.carrier.character >= Int(counts.size()) || counts[head.carrier.character] > 0) return true;
  for (const model::Stmt& s : model_.stmts)                // given otherwise than by dealing
    if ((s.kind == model::StmtKind::assign_variable || s.kind == model::StmtKind::assign_all) &&
        s.ref == head.carrier.character_variable.index)
      return true;
  for (const model::Scenario& scenario : model_.scenarios)
    for (const model::ScenarioLine& line : scenario.lines)
      for (const model::Given& given : line.givens)
        if (given.kind == model::Given::Kind::variable && given.variable == head.carrier.character_variable &&
            std::find(given.values.begin(), given.values.end(), head.carrier.character) != given.values.end())
          return true;
  return false;
}

// Some deck has a card of that kind.
bool Lowering::in_play(model::KindId kind) const {
  return std::any_of(model_.cards.begin(), model_.cards.end(), [&](const model::Card& c) { return c.kind == kind; });
}

bool Lowering::possible(const model::Action& action) const {
  if (!action.play) {
    model::RuleHead head = action.head;
    head.carrier = action.whose;
    return possible(head);
  }
  return in_play(action.kind) || std::any_of(model_.alsos.begin(), model_.alsos.end(), [&](const model::Also& also) {
           return also.counts_as == action.kind && possible(also.head) &&
                  std::any_of(also.kinds.begin(), also.kinds.end(), [&](model::KindId k) { return in_play(k); });
         });
}

// A bool: the character's player is in the game and holds that character.
Register Lowering::carrier_in_force(const model::RuleHead& head, Register me) {
  Register in = b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), me}, 1);
  if (head.carrier.kind != CarrierKind::character) return in;
  BlockIndex here = b().add_block(), after = b().add_block();
  Register holds = b().make(int_type(1));
  b().assign_constant(holds, 0);
  b().branch(in, here, after);
  b().go_to(here);
  Register who = b().integer(Op::load_raw, {variable_of_[head.carrier.character_variable.index], me});
  b().put(Op::eq, holds, {who, b().constant(head.carrier.character)});
  b().jump(after);
  b().go_to(after);
  return holds;
}

Register Lowering::zone_cards_of(model::ZoneId zone, Register owner) {
  const ZoneSlot& slot = program_.zones[zone.index];
  if (slot.copies == 1) return b().set(Op::zone_cards, {zone_instance(zone, owner)});
  Register all = b().make_set();
  b().put(Op::set_empty, all, {});
  const Int each = model_.zones[zone.index].each;          // those of the owner follow each other
  for (Int copy = 0; copy < (each > 0 ? each : slot.copies); ++copy) {
    Register part = b().constant(slot.first + copy);
    if (each > 0) part = b().integer(Op::add_small, {part, b().integer(Op::mul_small, {owner, b().constant(each)})});
    b().put(Op::set_or, all, {all, b().set(Op::zone_cards, {part})});
  }
  return all;
}

// The variable in `in force while me.pick == this`: then it holds the one card that can be meant.
std::optional<std::uint32_t> Lowering::picked_by_me(const model::RuleHead& head) const {
  const auto look = [&](auto&& self, const model::Expr* e) -> std::optional<std::uint32_t> {
    if (!e) return std::nullopt;
    if (e->kind == model::ExprKind::logical_and) {
      auto left = self(self, e->args[0]);
      return left ? left : self(self, e->args[1]);
    }
    if (e->kind != model::ExprKind::equal) return std::nullopt;
    for (std::size_t i : {0, 1}) {
      const model::Expr *card = e->args[i], *variable = e->args[1 - i];
      const bool is_self = card->kind == model::ExprKind::local && card->local == head.self;
      if (is_self && variable->kind == model::ExprKind::variable && variable->args.size() == 1 && variable->args[0] &&
          variable->args[0]->kind == model::ExprKind::local && variable->args[0]->local == head.me)
        return variable->ref;
    }
    return std::nullopt;
  };
  return look(look, head.when);
}

Register Lowering::carrier_cards(const model::RuleHead& head, Register me) {
  Register cards = const_cards(cards_of_kinds(head.carrier.kinds));
  if (head.carrier.zone.valid()) return b().set(Op::set_and, {zone_cards_of(head.carrier.zone, me), cards});
  const auto variable = all_cards_ ? std::nullopt : picked_by_me(head);
  if (!variable) return cards;
  const Register held = b().set(Op::set_of, {b().integer(Op::load_raw, {variable_of_[*variable], me})}),
                 one = b().set(Op::set_and, {held, cards});
  if (!asking() || !reads(*head.when)) return one;
  // For all that who is asked knows, it may be any of them.
  Register known = knows_all(held);
  if (model_.variables[*variable].visibility != model::Visibility::open)
    known = b().integer(Op::and_,
                        {known, b().integer(Op::knows_value, {asking_.player, variable_of_[*variable], me}, 1)}, 1);
  return b().set(Op::set_select, {known, one, cards});
}

void Lowering::carriers(const model::RuleHead& head, Register fixed_me,
                        const std::function<void(Register, Register)>& then, bool together) {
  if (!possible(head)) return;
  if (head.carrier.kind == CarrierKind::nobody) {
    then(fixed_me, ir::kNoRegister);
    return;
  }
  const bool in_zone = head.carrier.kind == CarrierKind::card && head.carrier.zone.valid(),
             of_players = analysis::is_of_players(model_, head);
  auto for_player = [&](Register me) {
    need_whose(head, me);
    BlockIndex yes = b().add_block(), after = b().add_block();
    if (of_players) b().branch(carrier_in_force(head, me), yes, after);
    else b().jump(yes);
    b().go_to(yes);
    if (head.carrier.kind == CarrierKind::character) {
      then(me, ir::kNoRegister);
    } else {
      Register cards = b().make_set();
      b().assign(cards, carrier_cards(head, me));
      if (collected_ != ir::kNoRegister && in_zone) b().put(Op::set_and, cards, {cards, collected_});
      if (together) {
        BlockIndex some = b().add_block();
        b().branch(b().integer(Op::set_any, {cards}, 1), some, after);
        b().go_to(some);
        then(me, cards);
        b().jump(after);
        b().go_to(after);
        return;
      }
      for_each(cards, true, [&](Register self) {
        if (!recheck_ || !in_zone) return then(me, self);
        // an earlier one may have taken it away
        BlockIndex there = b().add_block(), gone = b().add_block();
        b().branch(b().integer(Op::set_has, {zone_cards_of(head.carrier.zone, me), self}, 1), there, gone);
        b().go_to(there);
        then(me, self);
        b().jump(gone);
        b().go_to(gone);
      });
    }
    b().jump(after);
    b().go_to(after);
  };
  if (!of_players) {
    for_player(b().constant(kNone));
  } else if (fixed_me != ir::kNoRegister) {
    for_player(fixed_me);
  } else {
    Register start = b().integer(Op::load_raw, {active_, b().constant(0)});
    if (head.carrier.kind == CarrierKind::character) {
      need_whose(head, ir::kNoRegister);
      return each_with_character(head.carrier, start, then);
    }
    clockwise(b().integer(Op::players_in, {}, 4), start, false, [&](Register me, BlockIndex) { for_player(me); });
  }
}

// Clockwise those who have the character when it is their turn; most often it is nobody.
void Lowering::each_with_character(const model::Carrier& carrier, Register start,
                                   const std::function<void(Register, Register)>& then) {
  Register rest = b().make_int(4), from = b().make(int_type(1));
  b().put(Op::players_in, rest, {});
  b().put(Op::select, from, {b().integer(Op::eq, {start, b().constant(kNone)}, 1), b().constant(0), start});
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  Register holders =
      b().integer(Op::holders, {variable_of_[carrier.character_variable.index], b().constant(carrier.character)});
  Register in_game = b().integer(Op::mask_and, {rest, b().integer(Op::players_in, {}, 4)}, 4);
  Register left = b().integer(Op::mask_and, {in_game, holders}, 4);
  b().branch(left, inside, done);
  b().go_to(inside);
  Register me = b().make(int_type(1));
  b().put(Op::mask_next, me, {left, from});
  b().put(Op::mask_beyond, rest, {rest, from, me});
  then(me, ir::kNoRegister);
  b().jump(head);
  b().go_to(done);
}

void Lowering::guard(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
                     const std::vector<Register>& arguments, BlockIndex no) {
  for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i)
    if (patterns[i].kind == model::Pattern::Kind::binds) bind(patterns[i].local, arguments[i]);
  for (std::size_t i = 0; i < patterns.size() && i < arguments.size(); ++i) {
    if (patterns[i].kind != model::Pattern::Kind::equals) continue;
    BlockIndex same = b().add_block();
    Register wanted = expr(*patterns[i].value);
    if (asking() && holds_cards(patterns[i].value->type)) {
      need_seen(wanted, fact(*patterns[i].value));
      need_seen(arguments[i], {});
    }
    Register equal = b().type(wanted).kind == ir::RegisterKind::set
                         ? b().integer(Op::set_equal, {wanted, arguments[i]}, 1)
                         : b().integer(Op::eq, {wanted, arguments[i]}, 1);
    b().branch(equal, same, no);
    b().go_to(same);
  }
  if (head.when) {
    BlockIndex holds = b().add_block();
    branch_on(*head.when, holds, no);
    b().go_to(holds);
  }
}

// ---------------------------------------------------------------- events

void Lowering::declare_events() {
  for (std::size_t e = 0; e < model_.events.size(); ++e) {
    const model::Event& event = model_.events[e];
    event_gives_.emplace_back();
    for (const model::Type& type : event.gives)
      event_gives_.back().push_back(add_scratch_for("given by " + event.name, type));
    std::string name = (event.kind == model::EventKind::phase   ? "phase "
                        : event.kind == model::EventKind::plain ? "event "
                                                                : "") +
                       event.name;
    bool apart =
        std::any_of(event.handlers.begin(), event.handlers.end(), [&](const Handler& h) { return possible(h.head); }) ||
        ended_events_.count(std::uint32_t(e)) || event.kind != model::EventKind::plain;
    event_function_.push_back(new_function(name, returns_of(event.result), event.range, !apart));
    event_body_function_.push_back(apart ? new_function(name, returns_of(event.result), event.range)
                                         : event_function_.back());
    std::vector<std::size_t> instead;
    for (std::size_t h = 0; h < event.handlers.size(); ++h) {
      const Handler& handler = event.handlers[h];
      if (!possible(handler.head)) continue;
      handler_function_[{e, h}] = new_function(
          handler.head.name, handler.hook == Hook::instead ? returns_of(event.result) : ir::Returns::nothing,
          handler.head.range);
      if (handler.hook == Hook::instead) instead.push_back(h);
    }
    std::sort(instead.begin(), instead.end(), [&](std::size_t x, std::size_t y) {
      return event.handlers[x].head.precedence > event.handlers[y].head.precedence;
    });
    for (std::size_t k = 0; k < instead.size(); ++k)
      chain_function_[{e, k}] = new_function("instead of " + event.name, returns_of(event.result), event.range, false);
    chain_function_[{e, instead.size()}] = event_body_function_.back();
    chain_[e] = std::move(instead);
  }
  for (std::size_t i = 0; i < model_.values.size(); ++i) {
    const model::Value& v = model_.values[i];
    value_function_.push_back(kept(i) ? new_function("kept " + v.name, returns_of(v.result), v.range, false)
                                      : new_function("value " + v.name, returns_of(v.result), v.range));
  }
  for (const model::Function& f : model_.functions)
    function_function_.push_back(f.sequence ? ir::FunctionIndex(-1)
                                            : new_function("function " + f.name, returns_of(f.result), f.range));
}

std::uint32_t Lowering::of_name(std::uint32_t event) const {
  const model::Event& e = model_.events[event];
  if (e.kind == model::EventKind::plain) return event;
  for (std::uint32_t first = 0; first < event; ++first)
    if (model_.events[first].kind == e.kind && model_.events[first].name == e.name) return first;
  return event;
}

void Lowering::event_body(std::size_t index) {
  const model::Event& event = model_.events[index];
  fuel();
  if (event.kind == model::EventKind::turn || event.kind == model::EventKind::round ||
      !flow_in(event.body.block).empty())
    flow_block(event.body.block);
  else block(event.body.block);
}

// Those that other rules reach lie where they can reach them.
void Lowering::place_event_variables(std::size_t index) {
  const model::Event& event = model_.events[index];
  for (std::size_t i = 0; i < event.variables.size(); ++i)
    if (auto field = event_field_.find({std::uint32_t(index), Int(i)}); field != event_field_.end())
      env().places[event.variables[i].index] = {Place::Kind::variable, ir::kNoRegister, field->second};
}

void Lowering::lower_event(std::size_t index) {
  const model::Event& event = model_.events[index];
  bool apart = event_body_function_[index] != event_function_[index];
  if (apart) {
    Env body;
    bind_locals(body, event.body);
    body.said_by = Int(index) + 1;
    body.gives = event_gives_[index];
    body.flow = event.kind != model::EventKind::plain;
    write_function(event_body_function_[index], body, [&] {
      for (const model::Parameter& p : event.parameters) bind(p.local, parameter(event.body, p.local));
      place_event_variables(index);
      event_body(index);
    });
  }
  Env fire;
  bind_locals(fire, event.body);
  fire.gives = event_gives_[index];
  write_function(event_function_[index], fire, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : event.parameters) {
      arguments.push_back(parameter(event.body, p.local));
      bind(p.local, arguments.back());
    }
    auto drop_if_out = [&] {
      if (!event.subject) return;
      BlockIndex in = b().add_block(), out = b().add_block();
      b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), arguments[*event.subject]}, 1), in,
                 out);
      b().go_to(out);
      leave_function(ir::kNoRegister);
      b().go_to(in);
    };
    drop_if_out();
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (auto field = event_field_.find({std::uint32_t(index), -1 - Int(i)}); field != event_field_.end())
        save_and_set(field->second, arguments[i]);
    for (std::size_t i = 0; i < event.variables.size(); ++i)
      if (auto field = event_field_.find({std::uint32_t(index), Int(i)}); field != event_field_.end())
        save_and_set(field->second, default_value(event.body.locals[event.variables[i].index].type));
    place_event_variables(index);
    std::vector<std::pair<Int, Register>> counts;          // how many ran when this one began
    auto count = [&](Int running) {
      counts.emplace_back(running, b().integer(Op::load_raw, {running, b().constant(0)}));
      save_and_set(running, b().integer(Op::add_small, {counts.back().second, b().constant(1)}));
    };
    if (auto depth = event_depth_.find(of_name(std::uint32_t(index))); depth != event_depth_.end())
      count(depth->second);
    if (event.kind == model::EventKind::phase && phase_depth_ >= 0) count(phase_depth_);
    if (!apart) {
      event_body(index);
      leave_function(ir::kNoRegister);
      return;
    }
    const Register collected = collect_carriers(event);
    BlockIndex body_block = 0;
    const bool holds_flow = event.kind != model::EventKind::plain && !flow_in(event.body.block).empty();
    if (holds_flow) {                                      // a scenario may begin in the middle of a turn
      body_block = b().add_block();
      BlockIndex whole = b().add_block(), middle = b().add_block();
      b().branch(b().integer(Op::eq, {start(), b().constant(kNone)}, 1), whole, middle);
      b().go_to(middle);
      call(event_body_function_[index], arguments);
      b().jump(body_block);
      b().go_to(whole);
    }
    Register result = ir::kNoRegister;
    if (function(event_function_[index]).returns != ir::Returns::nothing ||
        b().function().returns != ir::Returns::nothing)
      result = b().function().returns == ir::Returns::set ? b().make_set() : b().make_int();
    if (result != ir::kNoRegister) {
      if (b().type(result).kind == ir::RegisterKind::set) b().put(Op::set_empty, result, {});
      else b().assign_constant(result, kNone);
    }
    bool has_before = std::any_of(event.handlers.begin(), event.handlers.end(),
                                  [&](const Handler& h) { return h.hook == Hook::before && possible(h.head); });
    if (has_before) {
      handlers_of(event, Hook::before, arguments, collected);
      drop_if_out();
    }
    Register value = call(chain_function_.at({index, 0}), arguments);
    if (result != ir::kNoRegister) b().assign(result, value);
    std::vector<Register> given;                           // kept, since what comes after may be the same event again
    for (Int variable : env().gives) {
      const Register now = scratch_value(variable), kept = b().make(b().type(now));
      if (b().type(now).kind == ir::RegisterKind::array) b().effect(Op::list_copy, {kept, now});
      else b().assign(kept, now);
      given.push_back(kept);
    }
    if (!chain_[index].empty()) {
      BlockIndex cancelled = b().add_block(), on = b().add_block();
      b().branch(b().integer(Op::load_raw, {cancelled_, b().constant(0)}), cancelled, on);
      b().go_to(cancelled);
      b().effect(Op::store, {cancelled_, b().constant(0), b().constant(0)});
      leave_function(ir::kNoRegister);
      b().go_to(on);
    }
    if (holds_flow) {
      b().jump(body_block);
      b().go_to(body_block);
    }
    // what is being left: this event (then its afters run), something beyond that its own body said (they run too),
    // else all
    Register owed = b().make_int(4);
    b().assign_constant(owed, 0);
    Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
    BlockIndex left = b().add_block(), mine = b().add_block(), other = b().add_block(), said = b().add_block(),
               out = b().add_block(), afters = b().add_block();
    b().branch(ending, left, afters);
    b().go_to(left);
    Register target = b().integer(Op::mod_small, {ending, b().constant(kSayer)});
    Register ends_this = b().integer(Op::eq, {target, b().constant(kEndFirst + Int(of_name(std::uint32_t(index))))}, 1);
    if (event.kind == model::EventKind::phase)
      ends_this = b().integer(Op::or_, {ends_this, b().integer(Op::eq, {target, b().constant(kEndPhase)}, 1)}, 1);
    b().branch(ends_this, mine, other);
    b().go_to(mine);
    b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
    b().jump(afters);
    b().go_to(other);
    Register sayer = b().integer(Op::div_small, {ending, b().constant(kSayer)});
    b().branch(b().integer(Op::eq, {sayer, b().constant(Int(index) + 1)}, 1), said, out);
    b().go_to(said);
    b().assign(owed, target);
    b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
    b().jump(afters);
    b().go_to(out);
    leave_function(ir::kNoRegister);
    b().go_to(afters);
    // it is over: `end` in what follows means another one
    for (const auto& [running, before] : counts) put_scratch(running, before);
    if (!counts.empty()) touch(watch_always_);
    if (event.kind != model::EventKind::plain) settle();
    handlers_of(event, Hook::after, arguments, collected);
    BlockIndex still = b().add_block(), end = b().add_block();
    b().branch(owed, still, end);
    b().go_to(still);
    b().effect(Op::store, {ending_, b().constant(0), owed});
    b().jump(end);
    b().go_to(end);
    hand_over(given);
    leave_function(result);
  });
  lower_instead_chain(index);
  for (std::size_t h = 0; h < event.handlers.size(); ++h)
    if (possible(event.handlers[h].head)) lower_handler(index, h);
}

void Lowering::save_and_set(Int variable, Register value) {
  env().restore.push_back({variable, scratch_value(variable)});
  put_scratch(variable, value);
  touch(watch_always_);
}

// What a variable of the compiler's holds: a number, a set or a list.
Register Lowering::scratch_value(Int variable) {
  const Register zero = b().constant(0);
  if (program_.variable_infos[variable].list > 0) return load_list(variable, zero, list_register(variable));
  if (program_.variables[variable].is_set) return b().set(Op::load_set, {variable, zero});
  return b().integer(Op::load_raw, {variable, zero});
}

void Lowering::put_scratch(Int variable, Register value) {
  const Register zero = b().constant(0);
  if (program_.variable_infos[variable].list > 0) store_list(variable, zero, value);
  else if (program_.variables[variable].is_set) b().effect(Op::store_set, {variable, zero, value});
  else b().effect(Op::store, {variable, zero, value});
}

// No function of the IR returns a list, or several values. What an event or window gives of that kind lies in variables
// of its own when it returns, which is 1 then and none if nothing happened; whoever called takes it out at once.
void Lowering::hand_over(const std::vector<Register>& values) {
  for (std::size_t i = 0; i < values.size() && i < env().gives.size(); ++i) put_scratch(env().gives[i], values[i]);
}

Register Lowering::handed_over(Int variable, Register happened, const model::Expr* otherwise, const model::Type& type) {
  const Register value = b().make(register_type(type));
  const auto take = [&](Register from) {
    if (type.kind == TypeKind::list) b().effect(Op::list_copy, {value, from});
    else b().assign(value, from);
  };
  BlockIndex yes = b().add_block(), no = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::eq, {happened, b().constant(kNone)}, 1), no, yes);
  b().go_to(yes);
  take(scratch_value(variable));
  b().jump(after);
  b().go_to(no);
  take(otherwise ? expr(*otherwise) : default_value(type));
  b().jump(after);
  b().go_to(after);
  return value;
}

const std::vector<Int>& Lowering::given_by(const model::Expr& call) {
  return call.kind == model::ExprKind::proceed       ? env().gives
         : call.kind == model::ExprKind::open_window ? window_gives_[call.ref]
                                                     : event_gives_[call.ref];
}

// What an event or window returns: none if it ended without giving anything.
Register Lowering::happened(const model::Expr& call) {
  if (call.kind == model::ExprKind::proceed) {
    std::vector<Register> arguments = env().proceed_arguments;
    for (std::size_t i = 0; i < call.args.size() && i < arguments.size(); ++i)
      if (call.args[i]) arguments[i] = expr(*call.args[i]);
    return env().proceed(arguments);
  }
  if (call.kind == model::ExprKind::call_event) {
    const Register result = call_with_exprs(event_function_[call.ref], call.args);
    check_unwind(event_function_[call.ref]);
    return result;
  }
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    const Register value = expr(*a);
    const Register kept = b().type(value).kind == ir::RegisterKind::array ? value : b().make(register_type(a->type));
    if (kept != value) b().assign(kept, value);
    arguments.push_back(kept);
  }
  arguments.push_back(b().constant(env().flow ? 1 : 0));
  const Register result = this->call(window_function_[call.ref], arguments);
  check_unwind(window_function_[call.ref]);
  return result;
}

// The list or set that a call gives which is not returned.
Register Lowering::taken(const model::Expr& call, Register happened) {
  const bool handed = call.type.kind == TypeKind::list ||
                      (call.kind == model::ExprKind::open_window && call.type.kind == TypeKind::set);
  return handed ? handed_over(given_by(call)[0], happened, nullptr, call.type) : happened;
}

void Lowering::run_handler(const model::Event& event, std::size_t handler, Register me, Register self,
                           const std::vector<Register>& arguments) {
  std::size_t e = static_cast<std::size_t>(&event - model_.events.data());
  const model::RuleHead& head = event.handlers[handler].head;
  std::vector<Register> all;
  if (head.me.valid()) all.push_back(me == ir::kNoRegister ? b().constant(kNone) : me);
  if (head.self.valid()) all.push_back(self == ir::kNoRegister ? b().constant(kNone) : self);
  all.insert(all.end(), arguments.begin(), arguments.end());
  ir::FunctionIndex f = handler_function_.at({e, handler});
  call(f, all);
  check_unwind(f);
  if (event.kind != model::EventKind::plain) settle();
}

// The cards that lie, as the event begins, where rules of theirs watch it: those that come later do not.
Register Lowering::collect_carriers(const model::Event& event) {
  Register collected = ir::kNoRegister;
  std::set<std::uint32_t> zones;
  for (const Handler& h : event.handlers)
    if (h.hook != Hook::instead && h.head.carrier.kind == CarrierKind::card && h.head.carrier.zone.valid() &&
        possible(h.head))
      zones.insert(h.head.carrier.zone.index);
  for (const std::uint32_t z : zones) {
    if (collected == ir::kNoRegister) {
      collected = b().make_set();
      b().put(Op::set_empty, collected, {});
    }
    const ZoneSlot& zone = program_.zones[z];
    for (Int i = 0; i < zone.owners * zone.copies; ++i)
      b().put(Op::set_or, collected, {collected, b().set(Op::zone_cards, {b().constant(zone.first + i)})});
  }
  return collected;
}

// before and after: by kind of rule; in each kind player by player from the active one, then those of cards that are
// nobody's, then the rules nobody holds.
void Lowering::handlers_of(const model::Event& event, Hook hook, const std::vector<Register>& arguments,
                           Register collected) {
  std::vector<std::size_t> order;
  for (std::size_t h = 0; h < event.handlers.size(); ++h)
    if (event.handlers[h].hook == hook && possible(event.handlers[h].head)) order.push_back(h);
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return runs_before(event.handlers[x].head, event.handlers[y].head); });
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    auto kind = event.handlers[order[from]].head.precedence.kind;
    std::vector<std::size_t> of_players, of_nobody, free;
    for (; to < order.size() && event.handlers[order[to]].head.precedence.kind == kind; ++to) {
      const model::RuleHead& head = event.handlers[order[to]].head;
      (head.carrier.kind == CarrierKind::nobody ? free
       : analysis::is_of_players(model_, head)  ? of_players
                                                : of_nobody)
          .push_back(order[to]);
    }
    from = to;
    Register outer_collected = collected_;
    bool outer_recheck = recheck_;
    collected_ = collected;
    recheck_ = true;
    auto run = [&](std::size_t h, Register me, Register done) {
      carriers(event.handlers[h].head, me, [&](Register m, Register self) {
        Register c = collected_;
        collected_ = ir::kNoRegister;
        if (done == ir::kNoRegister) {
          run_handler(event, h, m, self, arguments);
        // it may have gone on to somebody whose turn is still to come
        } else {
          BlockIndex again = b().add_block(), first = b().add_block();
          b().branch(b().integer(Op::set_has, {done, self}, 1), again, first);
          b().go_to(first);
          b().put(Op::set_add, done, {done, self});
          run_handler(event, h, m, self, arguments);
          b().jump(again);
          b().go_to(again);
        }
        collected_ = c;
      });
    };
    const auto me_of = [&](std::size_t h) { return me_argument(event.handlers[h].head, event.handlers[h].patterns); };
    const auto none_done = [&](std::size_t h) {            // where a card may go on to the next player
      const model::RuleHead& head = event.handlers[h].head;
      if (me_of(h) || head.carrier.kind != CarrierKind::card || !head.carrier.zone.valid()) return ir::kNoRegister;
      const Register done = b().make_set();
      b().put(Op::set_empty, done, {});
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
      Register start = b().integer(Op::load_raw, {active_, b().constant(0)});
      clockwise(b().integer(Op::players_in, {}, 4), start, false, [&](Register player, BlockIndex) {
        for (std::size_t h : of_players) {
          const auto i = me_of(h);
          if (!i) {
            run(h, player, done[h]);
            continue;
          }
          BlockIndex here = b().add_block(), skip = b().add_block();
          b().branch(b().integer(Op::eq, {arguments[*i], player}, 1), here, skip);
          b().go_to(here);
          run(h, player, ir::kNoRegister);
          b().jump(skip);
          b().go_to(skip);
        }
      });
    }
    for (std::size_t h : of_nobody) run(h, ir::kNoRegister, ir::kNoRegister);
    collected_ = outer_collected;
    recheck_ = outer_recheck;
    for (std::size_t h : free) run_handler(event, h, ir::kNoRegister, ir::kNoRegister, arguments);
  }
}

// Position k tries the k-th strongest handler and those below it; the last position is the body.
void Lowering::lower_instead_chain(std::size_t index) {
  const model::Event& event = model_.events[index];
  const std::vector<std::size_t>& chain = chain_[index];
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Handler& handler = event.handlers[chain[k]];
    Env at;
    bind_locals(at, handler.body);
    write_function(chain_function_.at({index, k}), at, [&] {
      std::vector<Register> arguments;
      for (const model::Parameter& p : event.parameters) arguments.push_back(parameter(event.body, p.local));
      auto i = me_argument(handler.head, handler.patterns);
      carriers(handler.head, i ? arguments[*i] : ir::kNoRegister, [&](Register me, Register self) {
        BlockIndex no = b().add_block();
        if (me != ir::kNoRegister) bind(handler.head.me, me);
        if (self != ir::kNoRegister) bind(handler.head.self, self);
        guard(handler.head, handler.patterns, arguments, no);
        std::vector<Register> all;
        if (handler.head.me.valid()) all.push_back(me == ir::kNoRegister ? b().constant(kNone) : me);
        if (handler.head.self.valid()) all.push_back(self == ir::kNoRegister ? b().constant(kNone) : self);
        all.insert(all.end(), arguments.begin(), arguments.end());
        leave_function(call(handler_function_.at({index, chain[k]}), all));
        b().go_to(no);
      });
      leave_function(call(chain_function_.at({index, k + 1}), arguments));
    });
  }
}

void Lowering::lower_handler(std::size_t event_index, std::size_t h) {
  const model::Event& event = model_.events[event_index];
  const Handler& handler = event.handlers[h];
  Env env_here;
  bind_locals(env_here, handler.body);
  env_here.said_by = handler.hook == Hook::instead ? Int(event_index) + 1 : 0;
  if (handler.hook == Hook::instead) env_here.gives = event_gives_[event_index];
  env_here.flow = event.kind != model::EventKind::plain && handler.hook == Hook::instead;
  write_function(handler_function_.at({event_index, h}), env_here, [&] {
    if (handler.head.me.valid()) bind(handler.head.me, parameter(simple(TypeKind::player, true)));
    if (handler.head.self.valid()) bind(handler.head.self, parameter(simple(TypeKind::card, true)));
    std::vector<Register> arguments;
    for (const model::Parameter& p : event.parameters) arguments.push_back(parameter(event.body, p.local));
    fuel();
    if (handler.hook == Hook::instead) {
      for (std::size_t i = 0; i < handler.patterns.size(); ++i)
        if (handler.patterns[i].kind == model::Pattern::Kind::binds) bind(handler.patterns[i].local, arguments[i]);
      const auto& chain = chain_[event_index];
      std::size_t position = static_cast<std::size_t>(std::find(chain.begin(), chain.end(), h) - chain.begin());
      env().proceed_arguments = arguments;
      ir::FunctionIndex next = chain_function_.at({event_index, position + 1});
      env().proceed = [this, next](const std::vector<Register>& args) {
        Register r = call(next, args);
        check_unwind(next);
        return r;
      };
    } else {
      BlockIndex no = b().add_block(), yes = b().add_block();
      guard(handler.head, handler.patterns, arguments, no);
      b().jump(yes);
      b().go_to(no);
      leave_function(ir::kNoRegister);
      b().go_to(yes);
    }
    block(handler.body.block);
  });
}

// ---------------------------------------------------------------- values, functions

// The result becomes another by what the rule says, once for each of its carriers.
void Lowering::apply_modifier(const model::Modifier& m, Op op, Register result, const std::vector<Register>& arguments,
                              Facts facts) {
  const auto names_card = [&](const model::Expr* e) { return e && mentions(*e, m.head.self); };
  const bool says_which_card =
      m.head.self.valid() &&
      (names_card(m.head.when) || names_card(m.amount) ||
       std::any_of(m.patterns.begin(), m.patterns.end(), [&](const model::Pattern& p) { return names_card(p.value); }));
  // What does not hang on the card does the same for each of several.
  const bool together = m.head.carrier.kind == CarrierKind::card && !says_which_card && pure(*m.amount);
  Env inner;
  bind_locals(inner, m.body);
  inner.facts = std::move(facts);
  with_env(inner, [&] {
    const auto i = me_argument(m.head, m.patterns);
    carriers(m.head, i ? arguments[*i] : ir::kNoRegister, [&](Register me, Register self) {
      BlockIndex no = b().add_block();
      if (me != ir::kNoRegister) bind(m.head.me, me);
      if (self != ir::kNoRegister && !together) bind(m.head.self, self);
      guard(m.head, m.patterns, arguments, no);
      Register amount = expr(*m.amount);
      if (together && op == Op::add) amount = b().integer(Op::mul, {amount, b().integer(Op::set_count, {self})});
      b().put(op, result, {result, amount});
      b().jump(no);
      b().go_to(no);
    }, together);
  });
}

// What is sure of the names in a rule that bends the value which is being worked out.
Facts Lowering::facts_in(const model::Value& value, const model::Modifier& m) {
  if (!asking()) return {};
  std::vector<Fact> given;
  for (const model::Parameter& p : value.parameters) given.push_back(env().facts.of(p.local));
  return secrecy_.of_rule(m.head, m.patterns, given);
}

Register Lowering::apply_modifiers(const model::Value& value, Register result, const std::vector<Register>& arguments) {
  std::vector<const model::Modifier*> by, least, most;
  for (const model::Modifier& m : value.modifiers) {
    if (m.how == model::ModifyHow::by) by.push_back(&m);
    if (m.how == model::ModifyHow::at_least) least.push_back(&m);
    if (m.how == model::ModifyHow::at_most) most.push_back(&m);
  }
  for (const model::Modifier* m : by) apply_modifier(*m, Op::add, result, arguments, facts_in(value, *m));
  if (!least.empty() || !most.empty()) {                   // in a register of its own, so that its range can be told
    const Register sum = result;
    result = b().make(b().type(sum));
    b().assign(result, sum);
  }
  for (const model::Modifier* m : least) apply_modifier(*m, Op::max, result, arguments, facts_in(value, *m));
  for (const model::Modifier* m : most) apply_modifier(*m, Op::min, result, arguments, facts_in(value, *m));
  return result;
}

// What the strongest `to` that holds says, or else the base. The parameters are bound.
Register Lowering::value_settled(const model::Value& value, const std::vector<Register>& arguments) {
  const bool list = is_array(value.result), explains = env().explains;
  const Register result = b().make(list || is_wide(value.result) ? register_type(value.result) : int_type(8));
  const BlockIndex settled = b().add_block();
  const auto be = [&](Register is) {
    if (list) b().effect(Op::list_copy, {result, is});
    else b().assign(result, is);
    b().jump(settled);
  };
  std::vector<const model::Modifier*> to;
  for (const model::Modifier& m : value.modifiers)
    if (m.how == model::ModifyHow::to) to.push_back(&m);
  std::sort(to.begin(), to.end(), [](auto* x, auto* y) { return x->head.precedence > y->head.precedence; });
  for (const model::Modifier* m : to) {
    Env inner;
    bind_locals(inner, m->body);
    inner.facts = facts_in(value, *m);
    with_env(inner, [&] {
      auto i = me_argument(m->head, m->patterns);
      carriers(m->head, i ? arguments[*i] : ir::kNoRegister, [&](Register me, Register self) {
        BlockIndex no = b().add_block();
        if (me != ir::kNoRegister) bind(m->head.me, me);
        if (self != ir::kNoRegister) bind(m->head.self, self);
        guard(m->head, m->patterns, arguments, no);
        if (explains) note_bent(m->head);
        be(expr(*m->amount));
        b().go_to(no);
      });
    });
  }
  if (value.base) {
    be(explains && value.result.kind == TypeKind::boolean ? explained_value(*value.base) : expr(*value.base));
  } else {
    env().inline_return = true;
    env().return_block = settled;
    env().result = result;
    block(value.body.block);
    if (!b().closed()) leave_function(ir::kNoRegister);
    env().inline_return = false;
  }
  b().go_to(settled);
  return result;
}

void Lowering::lower_value(std::size_t index) {
  const model::Value& value = model_.values[index];
  const Kept* stored = kept(index);
  if (!stored) return work_out(value, value_function_[index]);
  if (value.result.kind == TypeKind::map) return lower_kept_table(*stored);
  const ir::FunctionIndex work = new_function("value " + value.name, returns_of(value.result), value.range);
  work_out(value, work);
  lower_kept(*stored, work);
}

void Lowering::work_out(const model::Value& value, ir::FunctionIndex function) {
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(function, env_here, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : value.parameters) {
      arguments.push_back(parameter(value.body.locals[p.local.index].type));
      bind(p.local, arguments.back());
    }
    // written where it is asked for: see inline_value
    if (is_array(value.result)) return leave_function(ir::kNoRegister);
    fuel();
    leave_function(settled_and_bent(value, arguments));
  });
}

Register Lowering::settled_and_bent(const model::Value& value, const std::vector<Register>& arguments) {
  Register result = apply_modifiers(value, value_settled(value, arguments), arguments);
  if (value.at_least) result = b().integer(Op::max, {result, expr(*value.at_least)});
  if (value.at_most) result = b().integer(Op::min, {result, expr(*value.at_most)});
  return result;
}

void Lowering::lower_function(std::size_t index) {
  const model::Function& f = model_.functions[index];
  if (f.sequence) return;                                  // its code stands where it is walked through
  Env env_here;
  bind_locals(env_here, f.body);
  write_function(function_function_[index], env_here, [&] {
    if (!called_.functions[index] || takes_table(f)) return leave_function(ir::kNoRegister);   // as below
    for (const model::Parameter& p : f.parameters) bind(p.local, parameter(f.body.locals[p.local.index].type));
    if (is_array(f.result)) return leave_function(ir::kNoRegister);   // written where it is called: see inline_call
    fuel();
    block(f.body.block);
  });
}

}  // namespace cardwright::lower
