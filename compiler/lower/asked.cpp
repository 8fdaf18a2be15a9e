// Conditions as the player who is asked may know them. What hangs on something that they don't know is three-valued: it
// could be so, or it must be so. What is not three-valued itself (a number, a set, what a function gives) is worked out
// on the truth up to the first thing that the player does not know, and no further. So it comes to the same in all
// worlds that this player can't tell apart.
// In: analysis/secrecy.h says what needs looking at; all else is written as if nobody were asked.
#include <algorithm>

#include "compiler/lower/apart.h"
#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- conditions

void Lowering::branch_asked(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  using Mode = Asking::Mode;
  const Mode mode = asking_.mode;
  const auto turned = [&] {
    return Asking{asking_.player,
                  mode == Mode::may    ? Mode::must
                  : mode == Mode::must ? Mode::may
                                       : Mode::sure,
                  asking_.unknown};
  };
  switch (e.kind) {
    case ExprKind::logical_not: {
      const Asked asked(*this, turned());
      return branch_on(*e.args[0], no, yes);
    }
    case ExprKind::logical_and: case ExprKind::logical_or: {
      const bool both = e.kind == ExprKind::logical_and;
      BlockIndex second = b().add_block();
      branch_on(*e.args[0], both ? second : yes, both ? no : second);
      b().go_to(second);
      return branch_on(*e.args[1], yes, no);
    }
    default: break;
  }
  if (mode == Mode::sure) return b().branch(expr(e), yes, no);
  const Asked surely(*this, {asking_.player, Mode::sure, mode == Mode::may ? yes : no});
  const auto in_mode = [&](const std::function<void()>& write) {
    const Asked again(*this, {asking_.player, mode, asking_.unknown});
    write();
  };
  switch (e.kind) {
    case ExprKind::conditional: return in_mode([&] { branch_if_else(e, yes, no); });
    case ExprKind::exists:
      if (e.args[0]->type.kind == TypeKind::list) break;
      return in_mode([&] { branch_exists(*e.args[0], e.local, *e.args[1], yes, no); });
    case ExprKind::is_empty: {
      const model::Expr& of = *e.args[0];
      if (of.kind != ExprKind::filter || of.args[0]->type.kind == TypeKind::list) break;
      const Asked none(*this, {asking_.player, mode == Mode::may ? Mode::must : Mode::may, asking_.unknown});
      return branch_exists(*of.args[0], of.local, *of.args[1], no, yes);
    }
    case ExprKind::call_value: case ExprKind::call_function: {
      constexpr int kDeep = 4;
      const std::size_t wanted = e.kind == ExprKind::call_value ? model_.values[e.ref].parameters.size()
                                                                : model_.functions[e.ref].parameters.size();
      const bool lists = std::any_of(e.args.begin(), e.args.end(),
                                     [](const model::Expr* a) { return !a || a->type.kind == TypeKind::list; });
      if (called_deep_ >= kDeep || lists || wanted != e.args.size() || !said_body(e)) break;
      return with_called(e, [&](const model::Expr& body) { in_mode([&] { branch_on(body, yes, no); }); });
    }
    default: break;
  }
  b().branch(expr(e), yes, no);
}

// It could be so if C could be and A, or if C need not be and B could. It must be so if neither way it need not be.
void Lowering::branch_if_else(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  using Mode = Asking::Mode;
  const bool may = asking_.mode == Mode::may;
  const auto on = [&](Mode mode, const model::Expr& part, BlockIndex y, BlockIndex n) {
    const Asked asked(*this, {asking_.player, mode, mode == Mode::may ? y : n});
    branch_on(part, y, n);
  };
  BlockIndex then = b().add_block(), rest = b().add_block(), other = b().add_block();
  on(Mode::may, *e.args[0], then, other);
  b().go_to(then);
  on(asking_.mode, *e.args[1], may ? yes : rest, may ? rest : no);
  b().go_to(rest);
  on(Mode::must, *e.args[0], may ? no : yes, other);
  b().go_to(other);
  on(asking_.mode, *e.args[2], yes, no);
}

// Each element by itself: of a card that is not known all could be so that its place does not say.
void Lowering::branch_exists(const model::Expr& domain, model::LocalId local, const model::Expr& condition,
                             BlockIndex yes, BlockIndex no) {
  const bool cards = is_wide(domain.type);
  const Taken taken(*this, local, &domain);
  const auto each = [&](Register those, Fact of) {
    env().facts.put(local, of);
    std::vector<const model::Expr*> parts = conjuncts(condition);
    const Register left = narrowed(those, cards, local, parts);
    if (parts.empty()) {
      BlockIndex none = b().add_block();
      b().branch(cards ? b().integer(Op::set_any, {left}, 1) : b().integer(Op::ne, {left, b().constant(0)}, 1), yes,
                 none);
      return b().go_to(none);
    }
    for_each(left, cards, [&](Register element) {
      BlockIndex next = b().add_block();
      bind(local, element);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        BlockIndex so = i + 1 < parts.size() ? b().add_block() : yes;
        branch_on(*parts[i], so, next);
        b().go_to(so == yes ? next : so);
      }
    });
  };
  const Fact sure = fact(domain);
  const bool must = asking_.mode == Asking::Mode::must, hangs = reads(domain);
  // where who is asked knows all that it hangs on; else it could be so, and need not
  const auto surely = [&] {
    const Asked asked(*this, {asking_.player, Asking::Mode::sure, must ? no : yes});
    return expr(domain);
  };
  if (!holds_cards(domain.type) || (sure.named && (must || !hangs))) {
    each(surely(), sure);
    return b().jump(no);
  }
  const Offered apart = !must ? offered_domain_where(domain, local, {&condition})
                                : hangs ? told_apart(surely())
                                        : told_apart(domain);
  each(apart.fitting, kSeen);
  if (apart.unseen != ir::kNoRegister && !(must && sure.is_mixed()))
    each(apart.unseen, {.placed = true, .unseen = true});
  b().jump(no);
}

// ---------------------------------------------------------------- what must be known to go on

void Lowering::unknown_here() {
  b().jump(asking_.unknown);
  b().go_to(b().add_block());
}

Register Lowering::unknown_value(const model::Expr& e) {
  unknown_here();
  return default_value(e.type);
}

void Lowering::need(Register known) {
  BlockIndex on = b().add_block();
  b().branch(known, on, asking_.unknown);
  b().go_to(on);
}

Register Lowering::knows_all(Register cards) { return b().integer(Op::knows_cards, {asking_.player, cards}, 1); }

// None is known to everybody.
void Lowering::need_seen(Register cards, Fact fact) {
  if (fact.named) return;
  if (fact.unseen || b().type(cards).kind == ir::RegisterKind::array) return unknown_here();
  need(knows_all(b().type(cards).kind == ir::RegisterKind::set ? cards : b().set(Op::set_of, {cards})));
}

void Lowering::need_told_apart(const model::Expr& a, Register x, const model::Expr& c, Register y) {
  if (!asking() || !holds_cards(a.type) || !holds_cards(c.type)) return;
  const Fact of_a = fact(a), of_c = fact(c);
  if (are_told_apart(of_a, of_c)) return;
  if (!of_a.named) need_seen(x, of_a);
  if (!of_c.named) need_seen(y, of_c);
}

void Lowering::need_value(const model::Expr& e) {
  if (!asking() || secrecy_.is_own(e, env().facts)) return;
  const model::Variable& variable = model_.variables[e.ref];
  const auto knows = [&](Register at) {
    return b().integer(Op::knows_value, {asking_.player, variable_of_[e.ref], at}, 1);
  };
  if (e.args.size() == variable.indices.size() + (variable.per_player ? 1 : 0)) {
    return need(knows(known_at(e.ref, e.args, 0)));
  }
  // A whole table, of one player or of the game: all of it. Of a large one nobody counts as who knows it.
  constexpr Int kMostEntries = 64;
  Int entries = variable.per_player && e.args.empty() ? model_.players : 1;
  for (const model::Type& dimension : variable.indices) entries *= bounds(dimension).hi - bounds(dimension).lo + 1;
  if (entries > kMostEntries) return need(b().constant(0));
  const Int run = std::max<Int>(1, program_.variable_infos[variable_of_[e.ref]].run());
  const Register first = e.args.empty()
                             ? b().constant(0)
                             : b().integer(Op::mul_small, {expr(*e.args.front()), b().constant(entries * run)});
  for (Int i = 0; i < entries; ++i) need(knows(b().integer(Op::add_small, {first, b().constant(i * run)})));
}

// Who has the character, or the card, that a rule hangs on. Without `me`: of all players.
void Lowering::need_whose(const model::RuleHead& head, Register me) {
  if (!asking() || secrecy_.is_known_whose(head, env().facts)) return;
  const auto of = [&](Register player) {
    if (head.carrier.kind == model::CarrierKind::character)
      need(b().integer(Op::knows_value, {asking_.player, variable_of_[head.carrier.character_variable.index], player},
                       1));
    else need(knows_all(zone_cards_of(head.carrier.zone, player)));
  };
  if (me != ir::kNoRegister) return of(me);
  for (Int p = 0; p < model_.players; ++p) of(b().constant(p));
}

Register Lowering::card_seen(const model::Expr& e) {
  const Register card = expr(e);
  if (asking() && e.type.kind == TypeKind::card) need_seen(card, fact(e));
  return card;
}

Register Lowering::looked_through(const model::Expr& domain, model::LocalId local,
                                  std::initializer_list<const model::Expr*> uses) {
  const Register those = expr(domain);
  if (!asking()) return those;
  const Fact sure = fact(domain);
  env().facts.put(local, sure);
  const auto hangs_on_them = [&](const model::Expr* use) { return reads(use); };
  if (!holds_cards(domain.type) || sure.named || std::none_of(uses.begin(), uses.end(), hangs_on_them)) return those;
  need_seen(those, sure);
  env().facts.put(local, kSeen);
  return those;
}

// Cards are gone through by kind: who knows what comes first knows something of which they are.
void Lowering::look_in_order(const model::Expr& domain, Register cards, model::LocalId local) {
  if (!asking() || domain.type.kind != TypeKind::set || !holds_cards(domain.type)) return;
  const Fact sure = fact(domain);
  env().facts.put(local, sure);
  if (sure.named) return;
  need_seen(cards, sure);
  env().facts.put(local, kSeen);
}

Register Lowering::as_known(const model::Expr& e, const std::function<Register()>& otherwise) {
  if (!asking() || !reads(e)) return expr(e);
  const Register result = b().make(register_type(e.type));
  BlockIndex unknown = b().add_block(), after = b().add_block();
  {
    const Asked surely(*this, {asking_.player, Asking::Mode::sure, unknown});
    b().assign(result, expr(e));
  }
  b().jump(after);
  b().go_to(unknown);
  b().assign(result, otherwise());
  b().jump(after);
  b().go_to(after);
  return result;
}

// ---------------------------------------------------------------- what is called

// The same value or function, but it goes no further than who is asked knows; the last parameter says who that is.
ir::FunctionIndex Lowering::asked_function(const model::Expr& call) {
  const bool is_value = call.kind == ExprKind::call_value;
  const auto [at, fresh] = asked_functions_.try_emplace({is_value, call.ref, secrecy_.arguments(call, env().facts)}, 0);
  if (!fresh) return at->second;
  const model::Value* value = is_value ? &model_.values[call.ref] : nullptr;
  const model::Function* f = is_value ? nullptr : &model_.functions[call.ref];
  const model::Body& body = is_value ? value->body : f->body;
  const model::Type& result = is_value ? value->result : f->result;
  const ir::FunctionIndex index = at->second = new_function(is_value ? "value " + value->name : "function " + f->name,
                                                            returns_of(result), is_value ? value->range : f->range);
  Env inner;
  bind_locals(inner, body);
  inner.facts = secrecy_.of_call(call, env().facts);
  if (met_unknown_ < 0) met_unknown_ = add_scratch("met what is unknown", 0, 1, 0);
  const Apart apart(*this);
  write_function(index, inner, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : is_value ? value->parameters : f->parameters) {
      arguments.push_back(parameter(body.locals[p.local.index].type));
      bind(p.local, arguments.back());
    }
    const Asked asked(*this, {parameter(simple(TypeKind::player)), Asking::Mode::sure, b().add_block()});
    fuel();
    // here, since nothing may be stored between a `site` and its `decide`
    put_scratch(met_unknown_, b().constant(0));
    if (is_value) {
      leave_function(settled_and_bent(*value, arguments));
    } else {
      block(body.block);
      if (!b().closed()) leave_function(ir::kNoRegister);
    }
    b().go_to(asking_.unknown);
    put_scratch(met_unknown_, b().constant(1));
    leave_function(ir::kNoRegister);
  });
  return index;
}

Register Lowering::call_asked(const model::Expr& call) {
  if (!secrecy_.reads_call(call, env().facts))
    return call_with_exprs(call.kind == ExprKind::call_value ? value_function_[call.ref] : function_function_[call.ref],
                           call.args);
  const ir::FunctionIndex index = asked_function(call);
  std::vector<Register> arguments;
  for (const model::Expr* a : call.args) {
    const Register value = expr(*a);
    Register kept = value;
    if (b().type(value).kind != ir::RegisterKind::array) b().assign(kept = b().make(register_type(a->type)), value);
    arguments.push_back(kept);
  }
  arguments.push_back(asking_.player);
  const Register result = this->call(index, std::move(arguments));
  BlockIndex met = b().add_block(), on = b().add_block();
  b().branch(scratch_value(met_unknown_), met, on);
  b().go_to(met);
  this->call(forget_function(), {});
  b().jump(asking_.unknown);
  b().go_to(on);
  return result;
}

// What was met is over with the question, so that a State is the same whether its options were listed or not.
ir::FunctionIndex Lowering::forget_function() {
  if (forget_function_) return *forget_function_;
  forget_function_ = new_function("forget what is unknown", ir::Returns::nothing, {});
  static const model::Body nothing;
  Env inner;
  bind_locals(inner, nothing);
  const Apart apart(*this);
  write_function(*forget_function_, inner, [&] {
    put_scratch(met_unknown_, b().constant(0));
    leave_function(ir::kNoRegister);
  });
  return *forget_function_;
}

}  // namespace cardwright::lower
