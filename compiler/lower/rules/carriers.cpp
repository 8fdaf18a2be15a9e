#include "compiler/lower/rules/carriers.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::CarrierKind;

static void each_with_character(const FunctionContext& code, const model::Carrier& carrier, Register start,
                                const std::function<void(Register me, Register self)>& then);

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

// Returns the variable `pick` of `in force while me.pick == this`, which contains the only card that can carry the
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
  if (head.carrier.kind == CarrierKind::none) {
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
        // The rule of an earlier card may have removed this card.
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

// Iterates clockwise over the players who have the character when the iteration reaches them. Usually, no player has
// it.
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

// Returns the cards of `domain` that count as one of `kinds` because of an `also` rule. `holder` is the player who has
// the cards, if known.
Register also_set(const FunctionContext& code, const std::vector<Int>& kinds, Register domain, Register holder) {
  Register found = code.set(Op::set_empty, {});
  for (const model::Also& also : code.model.alsos) {
    if (std::find(kinds.begin(), kinds.end(), Int(also.counts_as.index)) == kinds.end()) continue;
    std::vector<Int> made;
    for (model::KindId k : also.kinds)
      if (std::find(kinds.begin(), kinds.end(), Int(k.index)) == kinds.end()) made.push_back(k.index);
    if (made.empty()) continue;
    Register candidates = code.set(Op::set_and, {domain, const_cards(code, cards_of_kinds(code.unit, made))});
    Env inner = code.env();
    model::Body none;
    inner.body = &none;
    inner.places.clear();
    inner.facts = {};
    carriers(code.in(inner), also.head, {.me = holder}, [&](Register me, Register) {
      Register zone = code.set(Op::zone_cards, {zone_instance(code, also.zone, me)});
      code.put(Op::set_or, found, {found, code.set(Op::set_and, {candidates, zone})});
    });
  }
  return found;
}

}   // namespace cardwright::lower
