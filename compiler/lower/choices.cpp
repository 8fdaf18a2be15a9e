// Choices: of sets, one element after the other, and those without a name (`chooses`, `may`).
#include "compiler/lower/choices.h"

#include <algorithm>

#include "compiler/lower/asked.h"
#include "compiler/lower/dice.h"
#include "compiler/lower/explain.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/lists.h"
#include "compiler/lower/log.h"
#include "compiler/lower/numbers.h"
#include "compiler/lower/offers.h"
#include "compiler/lower/option_ids.h"
#include "compiler/lower/places.h"
#include "compiler/lower/sets.h"
#include "compiler/lower/statements.h"
#include "compiler/lower/watch.h"
#include "compiler/lower/windows.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::PickCount;
using model::TypeKind;

static void pick_set(const FunctionContext& code, Register chosen, Register want, model::PickCount count, bool cards,
                     const model::Type& element, const std::function<Offered()>& offered, const model::Expr* keeping,
                     model::LocalId set_local, model::LocalId element_local, Register player, Int block,
                     const Group* named_by_id, std::string window, const model::Expr* prompt, bool flow, Range where,
                     bool in_vain, const std::function<void()>& names = nullptr);

// ---------------------------------------------------------------- sets

// Of cards that are only named, as `all Coin`, the same are picked in every world, wherever they lie there.
static RegisterType picks_type(const ProgramContext& unit, const model::Type& element, const Fact& of) {
  RegisterType type = is_wide_element(unit, element) ? set_of(element) : int_type(8);
  if (of.named && !of.placed) type.holds_card = false;
  return type;
}

// What rules see of them.
Register as_cards(const FunctionContext& code, Register picks, const model::Type& element) {
  if (!is_wide_element(code.unit, element)) return picks;
  const Register cards = code.make(set_of(element));
  code.assign(cards, picks);
  return cards;
}

// A set parameter whose first element is chosen: one decision for every further element, or `done`.
Register more_of_set(const FunctionContext& code, Group& g, Level& l, bool flow) {
  const ActionParameter& p = *l.parameter;
  bool cards = is_wide_element(code.unit, l.type);
  Register chosen = code.make(picks_type(code.unit, l.type, g.env.facts.of(p.local)));
  if (cards)
    code.put(Op::set_of, chosen, {l.chosen});
  else
    code.put(Op::mask_of, chosen, {l.chosen});
  Register want = code.make_int();
  code.assign_constant(want, kUnlimited);
  // it is taken: how many there are shows now
  if (p.amount) code.assign(want, expr(code.unasked(), *p.amount));
  auto offered = [&] { return offered_of(code, elements_offered(code, p, l.local), cards, l.local, p.where); };
  pick_set(code, chosen, want, p.count, cards, l.type, offered, p.keeping, p.local, l.local, g.me,
           choice_block(code.unit, l.type, by_id(code.unit, *g.action), l.unseen),
           by_id(code.unit, *g.action) ? &g : nullptr, code.program.sites.empty() ? "" : g.action->name, nullptr, flow,
           g.action->head.range, false);
  code.program.sites.back().unseen = hangs_on_unseen(code.unit, *g.action);
  return as_cards(code, chosen, l.type);
}

Offered offered_of(const FunctionContext& code, Offered domain, bool cards, model::LocalId element,
                   const model::Expr* where) {
  const Register fitting = filtered(code, domain.fitting, cards, element, where);
  if (domain.unseen == ir::kNoRegister || !where) return {fitting, domain.unseen};
  const auto could_be = [&](Register, BlockIndex no) {
    BlockIndex yes = code.add_block();
    branch_on(code, *where, yes, no);
    code.go_to(yes);
  };
  const Register hidden =
      unseen_that_fit(code, domain.unseen, element, tells_unseen_apart(code.unit, *where, element), could_be);
  return {fitting, hidden};
}

// Picks elements one at a time into `chosen` until `want` are there or the player says done.
static void pick_set(const FunctionContext& code, Register chosen, Register want, PickCount count, bool cards,
                     const model::Type& element, const std::function<Offered()>& offered, const model::Expr* keeping,
                     model::LocalId set_local, model::LocalId element_local, Register player, Int block,
                     const Group* named_by_id, std::string window, const model::Expr* prompt, bool flow, Range where,
                     bool in_vain, const std::function<void()>& names) {
  bool open = count != PickCount::exactly;
  BlockIndex head = code.add_block(), ask_block = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  Register size = code.integer(cards ? Op::set_count : Op::mask_count, {chosen});
  code.branch(code.integer(Op::lt, {size, want}, 1), ask_block, done);
  code.go_to(ask_block);
  Int site = begin_site(code, window, prompt, flow, where);
  const ActionInfo& info = code.program.actions[block];
  Int base = info.base, done_id = code.program.actions[block + 3].base;
  auto [all, hidden] = offered();
  const bool unseen = hidden != ir::kNoRegister;
  Register extras = ir::kNoRegister;
  if (unseen) {   // where they lie is all that tells them apart
    hidden = code.set(Op::set_without, {hidden, chosen});
    extras = zones_of_unseen(code, hidden);
  }
  Register candidates = cards ? code.set(Op::set_without, {all, chosen}) : ir::kNoRegister;
  if (!cards) {
    candidates = code.integer(Op::mask_without, {all, chosen});
    if (!named_by_id) candidates = dice_apart(code, candidates, element, player);
  } else if (element.kind == TypeKind::card && named_by_id) {
    candidates = lookalikes(code, candidates, *named_by_id, named_by_id->levels.back().parameter->domain);
  } else if (element.kind == TypeKind::card) {
    candidates = code.set(Op::set_lookalikes, {candidates});
  }
  if (keeping) {
    Register kept = code.make(code.type(candidates));
    if (cards)
      code.put(Op::set_empty, kept, {});
    else
      code.assign_constant(kept, 0);
    for_each(code, candidates, cards, [&](Register e) {
      const Register with = code.make(cards ? set_of(element) : int_type(8));
      if (cards)
        code.put(Op::set_add, with, {chosen, e});
      else
        code.put(Op::mask_or, with, {chosen, code.integer(Op::mask_of, {e})});
      bind(code, set_local, with);
      bind(code, element_local, e);
      BlockIndex yes = code.add_block(), no = code.add_block();
      branch_on(code, *keeping, yes, no);
      code.go_to(yes);
      if (cards)
        code.put(Op::set_add, kept, {kept, e});
      else
        code.put(Op::mask_or, kept, {kept, code.integer(Op::mask_of, {e})});
      code.jump(no);
      code.go_to(no);
    });
    candidates = kept;
  }
  const Register known_ones = code.integer(cards ? Op::set_count : Op::mask_count, {candidates});
  Register n = known_ones;
  if (unseen) n = code.integer(Op::add_small, {n, code.integer(Op::mask_count, {extras})});
  BlockIndex some = code.add_block(), nothing = in_vain ? code.add_block() : done;
  code.branch(n, some, nothing);
  if (in_vain) {
    BlockIndex none = code.add_block();
    code.go_to(nothing);
    code.branch(size, done, none);   // something is picked: they were asked
    note_asked_in_vain(code, none, player, done);
  }
  code.go_to(some);
  Register total = open ? code.integer(Op::add_small, {n, code.constant(1)}) : n;
  const Int first_unseen = base + card_digits(code.unit, named_by_id);
  list_options(
      code,
      [&] {
        list_each(code, candidates, element, base, named_by_id);
        if (unseen) list_each(code, extras, simple(TypeKind::integer), first_unseen);
        if (open) list_option(code, code.constant(done_id));
      },
      [&] {
        if (const auto question = telling(code, {prompt})) question();
        tell_picked(code, chosen, want, cards, element);
      },
      names);
  Register k = code.integer(Op::decide, {player, total, site});
  if (open) {
    BlockIndex finished = code.add_block(), more = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, n}, 1), more, finished);
    code.go_to(finished);
    code.effect(Op::chosen, {code.constant(done_id)});
    code.jump(done);
    code.go_to(more);
  }
  Register e = code.make(register_type(code.unit, element));
  BlockIndex seen = code.add_block(), taken = code.add_block();
  if (unseen) {
    BlockIndex not_seen = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, known_ones}, 1), seen, not_seen);
    code.go_to(not_seen);
    const Register bit = code.integer(Op::mask_nth, {extras, code.integer(Op::sub_small, {k, known_ones})});
    code.effect(Op::chosen, {code.integer(Op::add_small, {bit, code.constant(first_unseen)})});
    code.put(Op::set_random, e, {unseen_in(code, hidden, bit)});
    code.jump(taken);
  } else {
    code.jump(seen);
  }
  code.go_to(seen);
  code.put(cards ? Op::set_nth : Op::mask_nth, e, {candidates, k});
  code.effect(Op::chosen, {code.integer(Op::add_small, {digit(code, element, e, named_by_id), code.constant(base)})});
  code.jump(taken);
  code.go_to(taken);
  if (cards)
    code.put(Op::set_add, chosen, {chosen, e});
  else
    code.put(Op::mask_or, chosen, {chosen, code.integer(Op::mask_of, {e})});
  code.jump(head);
  code.go_to(done);
}

// ---------------------------------------------------------------- unnamed choices

// Who would be asked has nothing to answer, and others can't see that.
void note_asked_in_vain(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then) {
  code.go_to(nothing);
  code.effect(Op::log_asked, {player});
  code.jump(then);
}

bool is_unseen(const ProgramContext& unit, const model::Expr* e) {
  return e && analysis::reads_secrets(unit.model, *e);
}

// From its first source on, whether any of it hangs on what not everybody sees; how many lie in a zone, all see.
static bool filters_unseen(const ProgramContext& unit, const model::Stmt& s) {
  for (std::size_t i = 4; i < s.exprs.size(); ++i) {
    const bool condition = i % 2 == 1, filters = s.exprs[i] && (condition || s.exprs[i]->kind != model::ExprKind::zone);
    if (filters && (is_unseen(unit, s.exprs[i]) || (condition && is_unseen(unit, s.exprs[i - 1])))) return true;
  }
  return false;
}

// What was chosen gets its name; then what follows if something was, or if nothing was.
static void take_chosen(const FunctionContext& code, const model::Stmt& s, Register chosen, bool is_set) {
  code.env().places[s.local.index] = {};
  write_local(code, s.local, chosen);
  if (s.blocks.empty()) return;
  const bool cards = code.type(chosen).kind == ir::RegisterKind::set;
  BlockIndex some = code.add_block(), none = code.add_block(), end = code.add_block();
  code.branch(cards ? code.integer(Op::set_any, {chosen}, 1)
                    : code.integer(Op::ne, {chosen, code.constant(is_set ? 0 : kNone)}, 1),
              some, none);
  code.go_to(some);
  block(code, s.blocks[0]);
  code.jump(end);
  code.go_to(none);
  if (s.blocks.size() > 1) block(code, s.blocks[1]);
  code.jump(end);
  code.go_to(end);
}

// One of the numbers of a range, of which none is stored. Where the condition says more than between which they lie,
// they are walked through to count them, and again to the one that is taken.
static void choose_number(const FunctionContext& code, const model::Stmt& s) {
  const view::choose its(s);
  const model::Expr& numbers = *s.exprs[4];
  const model::Type& element = *numbers.type.elem;
  const model::LocalId number{s.ref};
  const bool may_decline = s.value & 4;
  const Int block_index = choice_block(code.unit, element), base = code.program.actions[block_index].base,
            no_id = code.program.actions[block_index + 4].base;
  const model::Expr* where = s.exprs[5];
  code.env().facts = facts_of_choice(code, its.decider(), s);
  const auto names = telling_names(code, s);
  const bool unsure_ends = reads(code, numbers), unsure = unsure_ends || reads(code, where);
  Register player = code.make(int_type(1)), result = code.make(register_type(code.unit, element)), lo = code.make_int(),
           hi = code.make_int();
  code.assign(player, its.decider() ? expr(code, *its.decider()) : code.constant(kNone));
  std::vector<const model::Expr*> conditions, bounds, left;
  if (where) conditions.push_back(where);
  const FunctionContext looking = code.asked(unsure ? Asking{player, Asking::Mode::may} : Asking{});
  bounds = bounds_among(looking, conditions, number, left);
  const bool walked = code.unit.plain || !left.empty();
  code.assign_constant(result, kNone);
  const FunctionContext of_ends = code.asked(unsure_ends ? Asking{player, Asking::Mode::may} : Asking{});
  code.assign(lo, as_known(of_ends, *numbers.args[0], [&] { return code.constant(element.lo); }));
  code.assign(hi, as_known(of_ends, *numbers.args[1], [&] { return code.constant(element.hi); }));
  BlockIndex in = code.add_block(), after = code.add_block(), some = code.add_block(), decline = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", its.prompt(), code.env().flow, s.range);
  code.program.sites[site].actions.push_back(block_index);
  code.program.sites[site].unseen = is_unseen(code.unit, &numbers) || is_unseen(code.unit, where);
  const BlockIndex nothing = code.program.sites[site].unseen ? code.add_block() : after;
  Register low = code.make(site_local(int_type(8))), high = code.make(site_local(int_type(8)));
  BlockIndex ordered = code.add_block();
  code.branch(code.integer(Op::le, {lo, hi}, 1), ordered, nothing);
  code.go_to(ordered);
  code.assign(low, lo);
  code.assign(high, hi);
  narrow_numbers(code, bounds, number, low, high);
  const auto each = [&](const std::function<void(Register, BlockIndex)>& body) {
    for_each_number(code, low, high, [&](Register n, BlockIndex next) {
      bind(code, number, n);
      pass_all(looking, left, next);
      body(n, next);
    });
  };
  Register count = code.make_int();
  if (!walked) {
    code.assign(count, count_numbers(code, low, high));
  } else {
    code.assign_constant(count, 0);
    each([&](Register, BlockIndex) { code.put(Op::add_small, count, {count, code.constant(1)}); });
  }
  code.branch(count, some, nothing);
  if (nothing != after) note_asked_in_vain(code, nothing, player, after);
  code.go_to(some);
  Register total = may_decline ? code.integer(Op::add_small, {count, code.constant(1)}) : count;
  list_options(
      code,
      [&] {
        each([&](Register n, BlockIndex) {
          list_option(code, code.integer(Op::add_small, {digit(code, element, n), code.constant(base)}));
        });
        if (may_decline) list_option(code, code.constant(no_id));
      },
      telling(code, {its.prompt()}), names);
  Register k = code.integer(Op::decide, {player, total, site});
  BlockIndex found = code.add_block();
  if (!walked) {
    code.put(Op::add_small, result, {low, k});
    code.branch(code.integer(Op::le_small, {result, high}, 1), found, decline);
  } else {
    Register before = code.make_int();
    code.assign_constant(before, 0);
    each([&](Register n, BlockIndex) {
      BlockIndex other = code.add_block();
      code.assign(result, n);
      code.branch(code.integer(Op::eq, {before, k}, 1), found, other);
      code.go_to(other);
      code.put(Op::add_small, before, {before, code.constant(1)});
    });
    code.jump(decline);
  }
  code.go_to(decline);
  code.assign_constant(result, kNone);
  code.effect(Op::chosen, {code.constant(no_id)});
  code.jump(after);
  code.go_to(found);
  code.effect(Op::chosen, {code.integer(Op::add_small, {digit(code, element, result), code.constant(base)})});
  if (unsure) {   // whether it is so shows now
    BlockIndex within = code.add_block(), misses = code.add_block();
    const auto fits = [&](Register low_end, Register high_end) {
      BlockIndex next = code.add_block();
      code.branch(code.integer(Op::le, {low_end, high_end}, 1), next, misses);
      code.go_to(next);
    };
    if (unsure_ends) fits(expr(code, *numbers.args[0]), result), fits(result, expr(code, *numbers.args[1]));
    code.jump(within);
    code.go_to(within);
    bind(code, number, result);
    if (where)
      branch_on(code, *where, after, misses);
    else
      code.jump(after);
    code.go_to(misses);
    code.assign_constant(result, kNone);
  }
  code.jump(after);
  code.go_to(after);
  take_chosen(code, s, result, false);
}

// Of what was picked on a condition that who picked could not know, nothing is left if it does not hold.
static void keep_if(const FunctionContext& code, const model::Expr& keeping, model::LocalId set, Register chosen) {
  BlockIndex no = code.add_block(), after = code.add_block();
  bind(code, set, chosen);
  branch_on(code, keeping, after, no);
  code.go_to(no);
  if (code.type(chosen).kind == ir::RegisterKind::set)
    code.put(Op::set_empty, chosen, {});
  else
    code.assign_constant(chosen, 0);
  code.jump(after);
  code.go_to(after);
}

// What is sure of the names in a rule where it asks somebody.
Facts facts_of_choice(const FunctionContext& code, const model::Expr* who, const model::Stmt& here) {
  const Facts given = analysis::facts_for(who, {});
  if (!code.env().body) return given;
  Facts at = code.unit.facts.secrecy.of_body(*code.env().body, given, here);
  for (const auto& [local, to] : code.env().shown)
    if (!to || code.unit.facts.secrecy.fact(*to, at).asked) at.put({local}, kSeen);
  return at;
}

// [P decider, I? count, B? keeping, then per source: S domain, B? where]; see stmts.def.
void choose(const FunctionContext& code, const model::Stmt& s) {
  const view::choose its(s);
  if (s.exprs[4]->type.kind == TypeKind::list) return choose_number(code, s);
  auto count = static_cast<PickCount>(s.value & 3);
  bool may_decline = s.value & 4;
  Int random_mask = s.value >> 8;
  const model::Type& first_type = s.exprs[4]->type;
  bool cards = is_wide(code.unit, first_type);
  model::Type element = first_type.elem ? *first_type.elem : simple(TypeKind::player);
  if (element.kind == TypeKind::card) element = simple(TypeKind::card);
  model::LocalId element_local{s.ref};
  const auto where_of = [&](std::size_t i) { return 5 + 2 * i < s.exprs.size() ? s.exprs[5 + 2 * i] : nullptr; };
  code.env().facts = facts_of_choice(code, its.decider(), s);
  const auto names = telling_names(code, s);
  // unsure_chance: whether there is anything to draw at random
  bool unseen = false, unsure = false, unsure_chance = false;
  Fact those{true, true, true, false};
  for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
    const model::Expr& source = *s.exprs[4 + 2 * i];
    const bool some = cards &&
                      code.unit.facts.offers.may_be_unseen(source, element_local, {where_of(i)}, code.env().facts),
               at_random = random_mask >> i & 1;
    const Fact sure = fact(code, source), of = some ? kPlaced : sure;
    code.env().facts.put(element_local, of);
    const bool hangs =
        reads(code, source) || reads(code, where_of(i)) || (some && holds_cards(source.type) && sure.is_mixed());
    if (at_random) {
      unsure_chance = unsure_chance || hangs;
      continue;
    }
    those = those & of;
    unseen = unseen || some;
    unsure = unsure || hangs || (some && where_of(i));
  }
  code.env().facts.put(s.local, those);
  const bool unsure_set = reads(code, its.keeping()), asks = unseen || unsure || unsure_chance || unsure_set;
  Int block_index = choice_block(code.unit, element, false, unseen);
  Register player = code.make(int_type(1));
  code.assign(player, its.decider() ? expr(code, *its.decider()) : code.constant(kNone));
  bool flow = code.env().flow;

  auto sources = [&](bool random, std::size_t which = ~std::size_t{0}) {
    Register all = code.make(cards ? set_of(element) : int_type(8));
    if (cards)
      code.put(Op::set_empty, all, {});
    else
      code.assign_constant(all, 0);
    for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
      if (bool(random_mask >> i & 1) != random || (which != ~std::size_t{0} && which != i)) continue;
      Register d = filtered(code, expr(code, *s.exprs[4 + 2 * i]), cards, element_local, where_of(i));
      code.put(cards ? Op::set_or : Op::mask_or, all, {all, d});
    }
    return all;
  };
  // The same as the decider may know it.
  const auto offered_from = [&](const FunctionContext& code, std::size_t i) {
    const model::Expr& source = *s.exprs[4 + 2 * i];
    const Offered from = element.kind == TypeKind::card
                             ? offered_domain_where(code, source, element_local, {where_of(i)})
                             : Offered{as_known(code, source, [&] { return universe(code, element); })};
    return offered_of(code, from, cards, element_local, where_of(i));
  };
  const auto could_be_drawn = [&](std::size_t i) {
    const Offered from = asks ? offered_from(code.asked({player, Asking::Mode::may}), i) : Offered{sources(true, i)};
    if (!cards) return code.integer(Op::ne, {from.fitting, code.constant(0)}, 1);
    return code.integer(
        Op::set_any,
        {from.unseen == ir::kNoRegister ? from.fitting : code.set(Op::set_or, {from.fitting, from.unseen})}, 1);
  };
  auto offered = [&]() -> Offered {
    if (!asks) return {sources(false)};
    Offered all{code.make(cards ? set_of(element) : int_type(8)), unseen ? code.make_set() : ir::kNoRegister};
    if (cards)
      code.put(Op::set_empty, all.fitting, {});
    else
      code.assign_constant(all.fitting, 0);
    if (unseen) code.put(Op::set_empty, all.unseen, {});
    for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
      if (random_mask >> i & 1) continue;
      const Offered some = offered_from(code.asked({player, Asking::Mode::may}), i);
      code.put(cards ? Op::set_or : Op::mask_or, all.fitting, {all.fitting, some.fitting});
      // What can only come from where all lies open is never unseen, whatever it is picked by.
      if (unseen && some.unseen != ir::kNoRegister) code.put(Op::set_or, all.unseen, {all.unseen, some.unseen});
    }
    return all;
  };
  if (count != PickCount::one) {
    const Register picks = code.make(picks_type(code.unit, element, those)),
                   chosen = cards ? code.make(set_of(element)) : picks;
    for (const Register r : {picks, chosen}) {
      if (cards)
        code.put(Op::set_empty, r, {});
      else
        code.assign_constant(r, 0);
    }
    Register want = code.make_int();
    if (its.count())
      code.assign(want, expr(code, *its.count()));
    else
      code.assign_constant(want, kUnlimited);
    const bool hangs = std::any_of(s.exprs.begin() + 4, s.exprs.end(),
                                   [&](const model::Expr* e) { return is_unseen(code.unit, e); }) ||
                       is_unseen(code.unit, its.keeping());
    BlockIndex all = code.add_block(), ask_block = code.add_block(), in = code.add_block(), after = code.add_block();
    code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
    code.go_to(in);
    if (count == PickCount::exactly) {   // fewer than that: all of them, nobody is asked
      const Offered those = offered();
      Register domain =
          those.unseen == ir::kNoRegister ? those.fitting : code.set(Op::set_or, {those.fitting, those.unseen});
      Register size = code.integer(cards ? Op::set_count : Op::mask_count, {domain});
      code.branch(code.integer(Op::lt, {size, want}, 1), all, ask_block);
      code.go_to(all);
      if (hangs) code.effect(Op::log_asked, {player});   // fewer than that is nothing to answer, too
      code.assign(chosen, domain);
      code.jump(after);
    } else {
      code.jump(ask_block);
    }
    code.go_to(ask_block);
    pick_set(code.asked(asks ? Asking{player, Asking::Mode::may} : Asking{}), picks, want, count, cards, element,
             offered, its.keeping(), s.local, element_local, player, block_index, nullptr, "", its.prompt(), flow,
             s.range, count != PickCount::exactly && filters_unseen(code.unit, s), names);
    if (cards) code.assign(chosen, picks);
    code.program.sites.back().unseen = hangs;
    code.jump(after);
    code.go_to(after);
    if (unsure && !cards) code.put(Op::mask_and, chosen, {chosen, sources(false)});
    // what was picked unseen shows now whether it fits
    else if (unsure)
      code.put(Op::set_and, chosen, {chosen, sources(false)});
    if (unsure_set) keep_if(code, *its.keeping(), s.local, chosen);
    return take_chosen(code, s, chosen, true);
  }

  Register result = code.make(register_type(code.unit, element));
  code.assign_constant(result, kNone);
  BlockIndex in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", its.prompt(), flow, s.range);
  Int base = code.program.actions[block_index].base;
  code.program.sites[site].actions.push_back(block_index);
  auto [candidates, hidden] = offered();
  const Register extras = unseen ? zones_of_unseen(code, hidden) : ir::kNoRegister;
  if (element.kind == TypeKind::card)
    candidates = code.set(Op::set_lookalikes, {candidates});
  else if (!cards)
    candidates = dice_apart(code, candidates, element, player);
  Register n = code.integer(cards ? Op::set_count : Op::mask_count, {candidates});
  Register declared = code.make_int();
  code.assign(declared, n);
  const Register unseen_ones = unseen ? code.integer(Op::mask_count, {extras}) : ir::kNoRegister;
  if (unseen) code.put(Op::add_small, declared, {declared, unseen_ones});
  std::vector<std::pair<std::size_t, Register>> random_sources;   // source, 1 if it has anything
  for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i)
    if (random_mask >> i & 1) {
      const Register any = could_be_drawn(i);
      random_sources.push_back({i, any});
      code.put(Op::add_small, declared, {declared, any});
    }
  code.program.sites[site].unseen =
      std::any_of(s.exprs.begin() + 4, s.exprs.end(), [&](const model::Expr* e) { return is_unseen(code.unit, e); });
  BlockIndex some = code.add_block(), nothing = filters_unseen(code.unit, s) ? code.add_block() : after;
  code.branch(declared, some, nothing);
  if (nothing != after) note_asked_in_vain(code, nothing, player, after);
  code.go_to(some);
  Register total = may_decline ? code.integer(Op::add_small, {declared, code.constant(1)}) : declared;
  const Int first_unseen = base + card_digits(code.unit, false), no_id = code.program.actions[block_index + 4].base;
  const auto random_id = [&](std::size_t r) {
    return code.constant(code.program.actions[block_index + 1 + std::min<std::size_t>(r, 1)].base);
  };
  list_options(
      code,
      [&] {
        list_each(code, candidates, element, base);
        if (unseen) list_each(code, extras, simple(TypeKind::integer), first_unseen);
        for (std::size_t r = 0; r < random_sources.size(); ++r)
          list_option_if(code, random_sources[r].second, random_id(r));
        if (may_decline) list_option(code, code.constant(no_id));
      },
      telling(code, {its.prompt()}), names);
  Register k = code.make_int();
  code.put(Op::decide, k, {player, total, site});
  const auto shows_whether_it_fits = [&] {
    if (!unsure) return;
    for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
      if (random_mask >> i & 1) continue;
      BlockIndex is_there = code.add_block(), next = code.add_block();
      code.branch(code.integer(cards ? Op::set_has : Op::mask_has, {expr(code, *s.exprs[4 + 2 * i]), result}, 1),
                  is_there, next);
      code.go_to(is_there);
      bind(code, element_local, result);
      if (where_of(i))
        branch_on(code, *where_of(i), after, next);
      else
        code.jump(after);
      code.go_to(next);
    }
    code.assign_constant(result, kNone);
  };
  BlockIndex an_element = code.add_block(), other = code.add_block();
  code.branch(code.integer(Op::lt_small, {k, n}, 1), an_element, other);
  code.go_to(an_element);
  code.put(cards ? Op::set_nth : Op::mask_nth, result, {candidates, k});
  code.effect(Op::chosen, {code.integer(Op::add_small, {digit(code, element, result), code.constant(base)})});
  shows_whether_it_fits();
  code.jump(after);
  code.go_to(other);
  code.put(Op::sub_small, k, {k, n});
  if (unseen) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, unseen_ones}, 1), yes, next);
    code.go_to(yes);
    const Register bit = code.integer(Op::mask_nth, {extras, k});
    code.effect(Op::chosen, {code.integer(Op::add_small, {bit, code.constant(first_unseen)})});
    code.put(Op::set_random, result, {unseen_in(code, hidden, bit)});
    shows_whether_it_fits();
    code.jump(after);
    code.go_to(next);
    code.put(Op::sub_small, k, {k, unseen_ones});
  }
  for (std::size_t r = 0; r < random_sources.size(); ++r) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, random_sources[r].second}, 1), yes, next);
    code.go_to(yes);
    code.effect(Op::chosen, {random_id(r)});
    const Register there = sources(true, random_sources[r].first);
    if (unsure_chance) {   // that there is nothing shows now
      BlockIndex some_there = code.add_block();
      code.branch(cards ? code.integer(Op::set_any, {there}, 1) : code.integer(Op::ne, {there, code.constant(0)}, 1),
                  some_there, after);
      code.go_to(some_there);
    }
    code.put(cards ? Op::set_random : Op::mask_random, result, {there});
    code.jump(after);
    code.go_to(next);
    code.put(Op::sub_small, k, {k, random_sources[r].second});
  }
  if (may_decline) code.effect(Op::chosen, {code.constant(no_id)});
  code.jump(after);
  code.go_to(after);
  take_chosen(code, s, result, false);
}

void choose_one(const FunctionContext& code, const model::Stmt& s) {
  const view::choose_one its(s);
  // the question, the answers
  const std::vector<const model::Expr*> texts(s.exprs.end() - static_cast<std::ptrdiff_t>(s.blocks.size()) - 1,
                                              s.exprs.end());
  ActionInfo info;
  info.kind = ActionKind::one_of;
  info.name = "choose";
  for (std::size_t i = 1; i < texts.size(); ++i) info.choices.push_back(plain_text(texts[i]));
  Int action = add_action(code.unit, std::move(info));
  Int base = code.program.actions[action].base;
  Register player = code.make(int_type(1));
  code.assign(player, its.decider() ? expr(code, *its.decider()) : code.constant(kNone));
  BlockIndex in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", texts[0], code.env().flow, s.range);
  code.program.sites[site].actions.push_back(action);
  Register mask = code.make_int();
  code.assign_constant(mask, 0);
  code.env().facts = facts_of_choice(code, its.decider(), s);
  const Facts facts = code.env().facts;
  const auto when_of = [&](std::size_t i) { return s.exprs[1 + i]; };
  for (std::size_t i = 0; i < s.blocks.size(); ++i)
    code.program.sites[site].unseen = code.program.sites[site].unseen || is_unseen(code.unit, when_of(i));
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    if (const model::Expr* when = when_of(i)) {
      branch_on(code.asked(reads(code, *when) ? Asking{player, Asking::Mode::may} : Asking{}), *when, yes, next);
    } else {
      code.jump(yes);
    }
    code.go_to(yes);
    code.put(Op::mask_or, mask, {mask, code.constant(Int{1} << i)});
    code.jump(next);
    code.go_to(next);
  }
  Register n = code.integer(Op::mask_count, {mask});
  BlockIndex some = code.add_block(), nothing = code.program.sites[site].unseen ? code.add_block() : after;
  code.branch(n, some, nothing);
  if (nothing != after) note_asked_in_vain(code, nothing, player, after);
  code.go_to(some);
  list_options(
      code, [&] { list_each(code, mask, simple(TypeKind::integer), base); }, telling(code, texts, mask));
  Register k = code.integer(Op::decide, {player, n, site});
  Register which = code.integer(Op::mask_nth, {mask, k});
  code.effect(Op::chosen, {code.integer(Op::add_small, {which, code.constant(base)})});
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::eq, {which, code.constant(Int(i))}, 1), yes, next);
    code.go_to(yes);
    code.env().facts = facts;   // what the blocks before have asked is over
    if (reads(code, when_of(i))) {   // whether it is so shows now
      BlockIndex so = code.add_block();
      branch_on(code, *when_of(i), so, after);
      code.go_to(so);
    }
    block(code, s.blocks[i]);
    code.jump(after);
    code.go_to(next);
  }
  code.jump(after);
  code.go_to(after);
}

Register may(const FunctionContext& code, const model::Expr& e) {
  const view::may its(e);
  Register player = code.make(int_type(1));
  code.assign(player, e.args.empty() || !its.decider() ? code.constant(kNone) : expr(code, *its.decider()));
  Register result = code.make(int_type(1));
  code.assign_constant(result, 0);
  BlockIndex in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", its.question(), code.env().flow, e.range);
  code.program.sites[site].actions.push_back(code.unit.ids.yes_no);
  Int base = code.program.actions[code.unit.ids.yes_no].base;
  list_options(
      code,
      [&] {
        list_option(code, code.constant(base));
        list_option(code, code.constant(base + 1));
      },
      telling(code, {its.question()}));
  Register k = code.integer(Op::decide, {player, code.constant(2), site});
  code.effect(Op::chosen, {code.integer(Op::add_small, {k, code.constant(base)})});
  code.put(Op::eq, result, {k, code.constant(0)});
  code.jump(after);
  code.go_to(after);
  return result;
}

// Who picks the card that will lie on top, where somebody at this table reads the order of that pile; else none.
// Only of those that they know: what comes unseen out of another's hand lies as chance has it.
Register pick_top(const FunctionContext& code, const model::Stmt& s, Register all) {
  const view::move its(s);
  const model::Expr &what = *its.what(), &who = *its.picker();
  const std::uint32_t zone = s.ref;
  const Range where = s.range;
  Register top = code.make(register_type(code.unit, simple(TypeKind::card)));
  code.assign_constant(top, kNone);
  BlockIndex several = code.add_block(), in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::lt_small, {code.constant(1), code.integer(Op::set_count, {all})}, 1), several, after);
  code.go_to(several);
  if (!code.unit.facts.orders.always.contains(zone)) {
    Register read = code.make(int_type(1));
    code.assign_constant(read, 0);
    for (const auto& [variable, character] : code.unit.facts.orders.by_character.at(zone))
      for_each(code, code.integer(Op::players_in, {}, 4), false, [&](Register p) {
        Register has = code.integer(
            Op::eq, {code.integer(Op::load_raw, {code.unit.ids.variable[variable], p}), code.constant(character)}, 1);
        code.put(Op::or_, read, {read, has});
      });
    BlockIndex is_read = code.add_block();
    code.branch(read, is_read, after);
    code.go_to(is_read);
  }
  Register player = code.make(int_type(1));
  code.assign(player, expr(code, who));
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  model::Type element = simple(TypeKind::card);
  Int block_index = choice_block(code.unit, element);
  Int base = code.program.actions[block_index].base;
  Int site = begin_site(code, "", nullptr, false, where, "Which card will be on top?");
  code.program.sites[site].actions.push_back(block_index);
  Facts at = facts_of_choice(code, &who, s);
  const bool sees_all = code.unit.facts.secrecy.fact(what, at).named;
  Register candidates = code.set(Op::set_lookalikes, {sees_all ? all : code.set(Op::set_known, {player, all})});
  Register n = code.integer(Op::set_count, {candidates});
  if (!sees_all) {
    const BlockIndex some = code.add_block();
    code.branch(n, some, after);
    code.go_to(some);
  }
  list_options(code, [&] { list_each(code, candidates, element, base); });
  Register k = code.integer(Op::decide, {player, n, site});
  code.put(Op::set_nth, top, {candidates, k});
  code.effect(Op::chosen, {code.integer(Op::add_small, {digit(code, element, top), code.constant(base)})});
  code.jump(after);
  code.go_to(after);
  return top;
}

// Which of the cards comes first, and which next: each is put in its place at once, and nobody has to say the last.
void arrange(const FunctionContext& code, const model::Stmt& s) {
  const view::arrange its(s);
  const model::Expr& what = *its.what();
  const bool all_of_it = what.kind == model::ExprKind::zone;
  const Int lowest = all_of_it ? 0 : what.value;
  const Register player = code.make(int_type(1)), pile = code.make(int_type(2)), wanted = code.make_int(),
                 cards = code.make_set();
  code.assign(player, expr(code, *its.who()));
  code.assign(pile, top_instance(code, s.ref,
                                 zone_instance(code, s.ref, what.args.size() > 0 ? what.args[0] : nullptr,
                                               what.args.size() > 1 ? what.args[1] : nullptr)));
  code.assign(wanted, all_of_it ? code.integer(Op::set_count, {expr(code, what)}) : expr(code, *what.args.back()));
  const BlockIndex in = code.add_block(), several = code.add_block(), next = code.add_block(), ask = code.add_block(),
                   done = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  code.put(lowest ? Op::zone_bottom_n : Op::zone_top_n, cards, {pile, wanted});
  const bool open =
      code.model.zones[s.ref].visibility == model::Visibility::open && code.unit.ids.facedown_zone[s.ref] < 0;
  if (!open) code.effect(Op::note_peek, {player, cards});
  const Register count = code.make_int(), placed = code.make_int(), rest = code.make_set();
  code.put(Op::set_count, count, {cards});
  code.branch(code.integer(Op::lt_small, {code.constant(1), count}, 1), several, after);
  code.go_to(several);
  code.effect(Op::note_arrange, {cards, pile, player, 0});
  code.assign_constant(placed, 0);
  code.assign(rest, cards);
  code.jump(next);
  code.go_to(next);
  code.branch(code.integer(Op::lt_small, {code.integer(Op::add_small, {placed, code.constant(1)}), count}, 1), ask,
              done);
  code.go_to(ask);
  const Int block_index = choice_block(code.unit, simple(TypeKind::card)),
            base = code.program.actions[block_index].base;
  const Int site = begin_site(code, "", its.question(), code.env().flow, s.range, "Which comes first?");
  code.program.sites[site].actions.push_back(block_index);
  code.program.sites[site].arranges = true;
  code.program.sites[site].unseen = !open;
  const Register candidates = code.set(Op::set_lookalikes, {rest});
  list_options(
      code, [&] { list_each(code, candidates, simple(TypeKind::card), base); }, telling(code, {its.question()}));
  const Register k = code.integer(Op::decide, {player, code.integer(Op::set_count, {candidates}), site});
  const Register card = code.make(register_type(code.unit, simple(TypeKind::card)));
  code.put(Op::set_nth, card, {candidates, k});
  code.effect(Op::chosen,
              {code.integer(Op::add_small, {digit(code, simple(TypeKind::card), card), code.constant(base)})});
  code.effect(Op::arrange, {pile, card, placed, count, lowest});
  code.put(Op::set_remove, rest, {rest, card});
  code.put(Op::add_small, placed, {placed, code.constant(1)});
  code.jump(next);
  code.go_to(done);
  code.effect(Op::note_arrange, {cards, pile, player, 1});
  touch(code, code.unit.watching.zones);
  touch(code, code.unit.watching.always);
  code.jump(after);
  code.go_to(after);
}

}  // namespace cardwright::lower
