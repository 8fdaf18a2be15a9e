// Choices: of sets, one element after the other, and those without a name (`chooses`, `may`).
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::PickCount;
using model::TypeKind;

// ---------------------------------------------------------------- sets

// Of cards that are only named, as `all Coin`, the same are picked in every world, wherever they lie there.
RegisterType Lowering::picks_type(const model::Type& element, const Fact& of) const {
  RegisterType type = is_wide_element(element) ? set_of(element) : int_type(8);
  if (of.named && !of.placed) type.holds_card = false;
  return type;
}

// What rules see of them.
Register Lowering::as_cards(Register picks, const model::Type& element) {
  if (!is_wide_element(element)) return picks;
  const Register cards = b().make(set_of(element));
  b().assign(cards, picks);
  return cards;
}

// A set parameter whose first element is chosen: one decision for every further element, or `done`.
Register Lowering::more_of_set(Group& g, Level& l, bool flow) {
  const ActionParameter& p = *l.parameter;
  bool cards = is_wide_element(l.type);
  Register chosen = b().make(picks_type(l.type, g.env.facts.of(p.local)));
  if (cards) b().put(Op::set_of, chosen, {l.chosen});
  else b().put(Op::mask_of, chosen, {l.chosen});
  Register want = b().make_int();
  b().assign_constant(want, kUnlimited);
  if (p.amount) {
    const Unasked as_it_is(*this);                         // it is taken: how many there are shows now
    b().assign(want, expr(*p.amount));
  }
  auto offered = [&] { return offered_of(elements_offered(p, l.local), cards, l.local, p.where); };
  pick_set(chosen, want, p.count, cards, l.type, offered, p.keeping, p.local, l.local, g.me,
           choice_block(l.type, by_id(*g.action), l.unseen), by_id(*g.action) ? &g : nullptr,
           program_.sites.empty() ? "" : g.action->name, nullptr, flow, g.action->head.range, false);
  program_.sites.back().unseen = hangs_on_unseen(*g.action);
  return as_cards(chosen, l.type);
}

Lowering::Offered Lowering::offered_of(Offered domain, bool cards, model::LocalId element, const model::Expr* where) {
  const Register fitting = filtered(domain.fitting, cards, element, where);
  if (domain.unseen == ir::kNoRegister || !where) return {fitting, domain.unseen};
  const auto could_be = [&](Register, BlockIndex no) {
    BlockIndex yes = b().add_block();
    branch_on(*where, yes, no);
    b().go_to(yes);
  };
  const Register hidden = unseen_that_fit(domain.unseen, element, tells_unseen_apart(*where, element), could_be);
  return {fitting, hidden};
}

// Picks elements one at a time into `chosen` until `want` are there or the player says done.
void Lowering::pick_set(Register chosen, Register want, PickCount count, bool cards, const model::Type& element,
                        const std::function<Offered()>& offered, const model::Expr* keeping, model::LocalId set_local,
                        model::LocalId element_local, Register player, Int block, const Group* named_by_id,
                        std::string window, const model::Expr* prompt, bool flow, Range where, bool in_vain,
                        const std::function<void()>& names) {
  bool open = count != PickCount::exactly;
  BlockIndex head = b().add_block(), ask_block = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  Register size = b().integer(cards ? Op::set_count : Op::mask_count, {chosen});
  b().branch(b().integer(Op::lt, {size, want}, 1), ask_block, done);
  b().go_to(ask_block);
  Int site = begin_site(window, prompt, flow, where);
  const ActionInfo& info = program_.actions[block];
  Int base = info.base, done_id = program_.actions[block + 3].base;
  auto [all, hidden] = offered();
  const bool unseen = hidden != ir::kNoRegister;
  Register extras = ir::kNoRegister;
  if (unseen) {                                            // where they lie is all that tells them apart
    hidden = b().set(Op::set_without, {hidden, chosen});
    extras = zones_of_unseen(hidden);
  }
  Register candidates = cards ? b().set(Op::set_without, {all, chosen}) : ir::kNoRegister;
  if (!cards) {
    candidates = b().integer(Op::mask_without, {all, chosen});
    if (!named_by_id) candidates = dice_apart(candidates, element, player);
  } else if (element.kind == TypeKind::card && named_by_id) {
    candidates = lookalikes(candidates, *named_by_id, named_by_id->levels.back().parameter->domain);
  } else if (element.kind == TypeKind::card) {
    candidates = b().set(Op::set_lookalikes, {candidates});
  }
  if (keeping) {
    Register kept = b().make(b().type(candidates));
    if (cards) b().put(Op::set_empty, kept, {});
    else b().assign_constant(kept, 0);
    for_each(candidates, cards, [&](Register e) {
      const Register with = b().make(cards ? set_of(element) : int_type(8));
      if (cards) b().put(Op::set_add, with, {chosen, e});
      else b().put(Op::mask_or, with, {chosen, b().integer(Op::mask_of, {e})});
      bind(set_local, with);
      bind(element_local, e);
      BlockIndex yes = b().add_block(), no = b().add_block();
      branch_on(*keeping, yes, no);
      b().go_to(yes);
      if (cards) b().put(Op::set_add, kept, {kept, e});
      else b().put(Op::mask_or, kept, {kept, b().integer(Op::mask_of, {e})});
      b().jump(no);
      b().go_to(no);
    });
    candidates = kept;
  }
  const Register known_ones = b().integer(cards ? Op::set_count : Op::mask_count, {candidates});
  Register n = known_ones;
  if (unseen) n = b().integer(Op::add_small, {n, b().integer(Op::mask_count, {extras})});
  BlockIndex some = b().add_block(), nothing = in_vain ? b().add_block() : done;
  b().branch(n, some, nothing);
  if (in_vain) {
    BlockIndex none = b().add_block();
    b().go_to(nothing);
    b().branch(size, done, none);                          // something is picked: they were asked
    note_asked_in_vain(none, player, done);
  }
  b().go_to(some);
  Register total = open ? b().integer(Op::add_small, {n, b().constant(1)}) : n;
  const Int first_unseen = base + card_digits(named_by_id);
  list_options([&] {
    list_each(candidates, element, base, named_by_id);
    if (unseen) list_each(extras, simple(TypeKind::integer), first_unseen);
    if (open) list_option(b().constant(done_id));
  }, [&] {
    if (const auto question = telling({prompt})) question();
    tell_picked(chosen, want, cards, element);
  }, names);
  Register k = b().integer(Op::decide, {player, total, site});
  if (open) {
    BlockIndex finished = b().add_block(), more = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, n}, 1), more, finished);
    b().go_to(finished);
    b().effect(Op::chosen, {b().constant(done_id)});
    b().jump(done);
    b().go_to(more);
  }
  Register e = b().make(register_type(element));
  BlockIndex seen = b().add_block(), taken = b().add_block();
  if (unseen) {
    BlockIndex not_seen = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, known_ones}, 1), seen, not_seen);
    b().go_to(not_seen);
    const Register bit = b().integer(Op::mask_nth, {extras, b().integer(Op::sub_small, {k, known_ones})});
    b().effect(Op::chosen, {b().integer(Op::add_small, {bit, b().constant(first_unseen)})});
    b().put(Op::set_random, e, {unseen_in(hidden, bit)});
    b().jump(taken);
  } else {
    b().jump(seen);
  }
  b().go_to(seen);
  b().put(cards ? Op::set_nth : Op::mask_nth, e, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, e, named_by_id), b().constant(base)})});
  b().jump(taken);
  b().go_to(taken);
  if (cards) b().put(Op::set_add, chosen, {chosen, e});
  else b().put(Op::mask_or, chosen, {chosen, b().integer(Op::mask_of, {e})});
  b().jump(head);
  b().go_to(done);
}

// ---------------------------------------------------------------- unnamed choices

// Who would be asked has nothing to answer, and others can't see that.
void Lowering::note_asked_in_vain(BlockIndex nothing, Register player, BlockIndex then) {
  b().go_to(nothing);
  b().effect(Op::log_asked, {player});
  b().jump(then);
}

bool Lowering::is_unseen(const model::Expr* e) const { return e && analysis::reads_secrets(model_, *e); }

// From its first source on, whether any of it hangs on what not everybody sees; how many lie in a zone, all see.
bool Lowering::filters_unseen(const model::Stmt& s) const {
  for (std::size_t i = 4; i < s.exprs.size(); ++i) {
    const bool condition = i % 2 == 1, filters = s.exprs[i] && (condition || s.exprs[i]->kind != model::ExprKind::zone);
    if (filters && (is_unseen(s.exprs[i]) || (condition && is_unseen(s.exprs[i - 1])))) return true;
  }
  return false;
}

// What was chosen gets its name; then what follows if something was, or if nothing was.
void Lowering::take_chosen(const model::Stmt& s, Register chosen, bool is_set) {
  env().places[s.local.index] = {};
  write_local(s.local, chosen);
  if (s.blocks.empty()) return;
  const bool cards = b().type(chosen).kind == ir::RegisterKind::set;
  BlockIndex some = b().add_block(), none = b().add_block(), end = b().add_block();
  b().branch(cards ? b().integer(Op::set_any, {chosen}, 1)
                   : b().integer(Op::ne, {chosen, b().constant(is_set ? 0 : kNone)}, 1),
             some, none);
  b().go_to(some);
  block(s.blocks[0]);
  b().jump(end);
  b().go_to(none);
  if (s.blocks.size() > 1) block(s.blocks[1]);
  b().jump(end);
  b().go_to(end);
}

// One of the numbers of a range, of which none is stored. Where the condition says more than between which they lie,
// they are walked through to count them, and again to the one that is taken.
void Lowering::choose_number(const model::Stmt& s) {
  const model::Expr& numbers = *s.exprs[4];
  const model::Type& element = *numbers.type.elem;
  const model::LocalId number{s.ref};
  const bool may_decline = s.value & 4;
  const Int block_index = choice_block(element), base = program_.actions[block_index].base,
            no_id = program_.actions[block_index + 4].base;
  const model::Expr* where = s.exprs[5];
  env().facts = facts_of_choice(s.exprs[0], s);
  const auto names = telling_names(s);
  const bool unsure_ends = reads(numbers), unsure = unsure_ends || reads(where);
  Register player = b().make(int_type(1)), result = b().make(register_type(element)), lo = b().make_int(),
           hi = b().make_int();
  b().assign(player, s.exprs[0] ? expr(*s.exprs[0]) : b().constant(kNone));
  std::vector<const model::Expr*> conditions, bounds, left;
  if (where) conditions.push_back(where);
  {
    const Asked asked(*this, unsure ? Asking{player, Asking::Mode::may} : Asking{});
    bounds = bounds_among(conditions, number, left);
  }
  const bool walked = plain_ || !left.empty();
  b().assign_constant(result, kNone);
  {
    const Asked asked(*this, unsure_ends ? Asking{player, Asking::Mode::may} : Asking{});
    b().assign(lo, as_known(*numbers.args[0], [&] { return b().constant(element.lo); }));
    b().assign(hi, as_known(*numbers.args[1], [&] { return b().constant(element.hi); }));
  }
  BlockIndex in = b().add_block(), after = b().add_block(), some = b().add_block(), decline = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", s.exprs[3], env().flow, s.range);
  program_.sites[site].actions.push_back(block_index);
  program_.sites[site].unseen = is_unseen(&numbers) || is_unseen(where);
  const BlockIndex nothing = program_.sites[site].unseen ? b().add_block() : after;
  Register low = b().make(site_local(int_type(8))), high = b().make(site_local(int_type(8)));
  BlockIndex ordered = b().add_block();
  b().branch(b().integer(Op::le, {lo, hi}, 1), ordered, nothing);
  b().go_to(ordered);
  b().assign(low, lo);
  b().assign(high, hi);
  narrow_numbers(bounds, number, low, high);
  const auto each = [&](const std::function<void(Register, BlockIndex)>& body) {
    for_each_number(low, high, [&](Register n, BlockIndex next) {
      const Asked asked(*this, unsure ? Asking{player, Asking::Mode::may} : Asking{});
      bind(number, n);
      pass_all(left, next);
      body(n, next);
    });
  };
  Register count = b().make_int();
  if (!walked) {
    b().assign(count, count_numbers(low, high));
  } else {
    b().assign_constant(count, 0);
    each([&](Register, BlockIndex) { b().put(Op::add_small, count, {count, b().constant(1)}); });
  }
  b().branch(count, some, nothing);
  if (nothing != after) note_asked_in_vain(nothing, player, after);
  b().go_to(some);
  Register total = may_decline ? b().integer(Op::add_small, {count, b().constant(1)}) : count;
  list_options(
      [&] {
        each([&](Register n, BlockIndex) {
          list_option(b().integer(Op::add_small, {digit(element, n), b().constant(base)}));
        });
        if (may_decline) list_option(b().constant(no_id));
      },
      telling({s.exprs[3]}), names);
  Register k = b().integer(Op::decide, {player, total, site});
  BlockIndex found = b().add_block();
  if (!walked) {
    b().put(Op::add_small, result, {low, k});
    b().branch(b().integer(Op::le_small, {result, high}, 1), found, decline);
  } else {
    Register before = b().make_int();
    b().assign_constant(before, 0);
    each([&](Register n, BlockIndex) {
      BlockIndex other = b().add_block();
      b().assign(result, n);
      b().branch(b().integer(Op::eq, {before, k}, 1), found, other);
      b().go_to(other);
      b().put(Op::add_small, before, {before, b().constant(1)});
    });
    b().jump(decline);
  }
  b().go_to(decline);
  b().assign_constant(result, kNone);
  b().effect(Op::chosen, {b().constant(no_id)});
  b().jump(after);
  b().go_to(found);
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, result), b().constant(base)})});
  if (unsure) {                                            // whether it is so shows now
    BlockIndex within = b().add_block(), misses = b().add_block();
    const auto fits = [&](Register low_end, Register high_end) {
      BlockIndex next = b().add_block();
      b().branch(b().integer(Op::le, {low_end, high_end}, 1), next, misses);
      b().go_to(next);
    };
    if (unsure_ends) fits(expr(*numbers.args[0]), result), fits(result, expr(*numbers.args[1]));
    b().jump(within);
    b().go_to(within);
    bind(number, result);
    if (where) branch_on(*where, after, misses);
    else b().jump(after);
    b().go_to(misses);
    b().assign_constant(result, kNone);
  }
  b().jump(after);
  b().go_to(after);
  take_chosen(s, result, false);
}

// Of what was picked on a condition that who picked could not know, nothing is left if it does not hold.
void Lowering::keep_if(const model::Expr& keeping, model::LocalId set, Register chosen) {
  BlockIndex no = b().add_block(), after = b().add_block();
  bind(set, chosen);
  branch_on(keeping, after, no);
  b().go_to(no);
  if (b().type(chosen).kind == ir::RegisterKind::set) b().put(Op::set_empty, chosen, {});
  else b().assign_constant(chosen, 0);
  b().jump(after);
  b().go_to(after);
}

// What is sure of the names in a rule where it asks somebody.
Facts Lowering::facts_of_choice(const model::Expr* who, const model::Stmt& here) {
  const Facts given = analysis::facts_for(who, {});
  if (!env().body) return given;
  Facts at = secrecy_.of_body(*env().body, given, here);
  for (const auto& [local, to] : env().shown)
    if (!to || secrecy_.fact(*to, at).asked) at.put({local}, kSeen);
  return at;
}

// [P decider, I? count, B? keeping, then per source: S domain, B? where]; see stmts.def.
void Lowering::choose(const model::Stmt& s) {
  if (s.exprs[4]->type.kind == TypeKind::list) return choose_number(s);
  auto count = static_cast<PickCount>(s.value & 3);
  bool may_decline = s.value & 4;
  Int random_mask = s.value >> 8;
  const model::Type& first_type = s.exprs[4]->type;
  bool cards = is_wide(first_type);
  model::Type element = first_type.elem ? *first_type.elem : simple(TypeKind::player);
  if (element.kind == TypeKind::card) element = simple(TypeKind::card);
  model::LocalId element_local{s.ref};
  const auto where_of = [&](std::size_t i) { return 5 + 2 * i < s.exprs.size() ? s.exprs[5 + 2 * i] : nullptr; };
  env().facts = facts_of_choice(s.exprs[0], s);
  const auto names = telling_names(s);
  // unsure_chance: whether there is anything to draw at random
  bool unseen = false, unsure = false, unsure_chance = false;
  Fact those{true, true, true, false};
  for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
    const model::Expr& source = *s.exprs[4 + 2 * i];
    const bool some = cards && offers_.may_be_unseen(source, element_local, {where_of(i)}, env().facts),
               at_random = random_mask >> i & 1;
    const Fact sure = fact(source), of = some ? kPlaced : sure;
    env().facts.put(element_local, of);
    const bool hangs = reads(source) || reads(where_of(i)) || (some && holds_cards(source.type) && sure.is_mixed());
    if (at_random) {
      unsure_chance = unsure_chance || hangs;
      continue;
    }
    those = those & of;
    unseen = unseen || some;
    unsure = unsure || hangs || (some && where_of(i));
  }
  env().facts.put(s.local, those);
  const bool unsure_set = reads(s.exprs[2]), asks = unseen || unsure || unsure_chance || unsure_set;
  Int block_index = choice_block(element, false, unseen);
  Register player = b().make(int_type(1));
  b().assign(player, s.exprs[0] ? expr(*s.exprs[0]) : b().constant(kNone));
  bool flow = env().flow;

  auto sources = [&](bool random, std::size_t which = ~std::size_t{0}) {
    Register all = b().make(cards ? set_of(element) : int_type(8));
    if (cards) b().put(Op::set_empty, all, {});
    else b().assign_constant(all, 0);
    for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
      if (bool(random_mask >> i & 1) != random || (which != ~std::size_t{0} && which != i)) continue;
      Register d = filtered(expr(*s.exprs[4 + 2 * i]), cards, element_local, where_of(i));
      b().put(cards ? Op::set_or : Op::mask_or, all, {all, d});
    }
    return all;
  };
  // The same as the decider may know it.
  const auto offered_from = [&](std::size_t i) {
    const model::Expr& source = *s.exprs[4 + 2 * i];
    const Offered from = element.kind == TypeKind::card ? offered_domain_where(source, element_local, {where_of(i)})
                                                        : Offered{as_known(source, [&] { return universe(element); })};
    return offered_of(from, cards, element_local, where_of(i));
  };
  const auto could_be_drawn = [&](std::size_t i) {
    const Asked asked(*this, asks ? Asking{player, Asking::Mode::may} : Asking{});
    const Offered from = asks ? offered_from(i) : Offered{sources(true, i)};
    if (!cards) return b().integer(Op::ne, {from.fitting, b().constant(0)}, 1);
    return b().integer(
        Op::set_any, {from.unseen == ir::kNoRegister ? from.fitting : b().set(Op::set_or, {from.fitting, from.unseen})},
        1);
  };
  auto offered = [&]() -> Offered {
    if (!asks) return {sources(false)};
    const Asked asked(*this, {player, Asking::Mode::may});
    Offered all{b().make(cards ? set_of(element) : int_type(8)), unseen ? b().make_set() : ir::kNoRegister};
    if (cards) b().put(Op::set_empty, all.fitting, {});
    else b().assign_constant(all.fitting, 0);
    if (unseen) b().put(Op::set_empty, all.unseen, {});
    for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
      if (random_mask >> i & 1) continue;
      const Offered some = offered_from(i);
      b().put(cards ? Op::set_or : Op::mask_or, all.fitting, {all.fitting, some.fitting});
      // What can only come from where all lies open is never unseen, whatever it is picked by.
      if (unseen && some.unseen != ir::kNoRegister) b().put(Op::set_or, all.unseen, {all.unseen, some.unseen});
    }
    return all;
  };
  if (count != PickCount::one) {
    const Register picks = b().make(picks_type(element, those)), chosen = cards ? b().make(set_of(element)) : picks;
    for (const Register r : {picks, chosen}) {
      if (cards) b().put(Op::set_empty, r, {});
      else b().assign_constant(r, 0);
    }
    Register want = b().make_int();
    if (s.exprs[1]) b().assign(want, expr(*s.exprs[1]));
    else b().assign_constant(want, kUnlimited);
    const bool hangs =
        std::any_of(s.exprs.begin() + 4, s.exprs.end(), [&](const model::Expr* e) { return is_unseen(e); }) ||
        is_unseen(s.exprs[2]);
    BlockIndex all = b().add_block(), ask_block = b().add_block(), in = b().add_block(), after = b().add_block();
    b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
    b().go_to(in);
    if (count == PickCount::exactly) {                     // fewer than that: all of them, nobody is asked
      const Offered those = offered();
      Register domain =
          those.unseen == ir::kNoRegister ? those.fitting : b().set(Op::set_or, {those.fitting, those.unseen});
      Register size = b().integer(cards ? Op::set_count : Op::mask_count, {domain});
      b().branch(b().integer(Op::lt, {size, want}, 1), all, ask_block);
      b().go_to(all);
      if (hangs) b().effect(Op::log_asked, {player});      // fewer than that is nothing to answer, too
      b().assign(chosen, domain);
      b().jump(after);
    } else {
      b().jump(ask_block);
    }
    b().go_to(ask_block);
    {
      const Asked asked(*this, asks ? Asking{player, Asking::Mode::may} : Asking{});
      pick_set(picks, want, count, cards, element, offered, s.exprs[2], s.local, element_local, player,
               block_index, nullptr, "", s.exprs[3], flow, s.range, count != PickCount::exactly && filters_unseen(s),
               names);
    }
    if (cards) b().assign(chosen, picks);
    program_.sites.back().unseen = hangs;
    b().jump(after);
    b().go_to(after);
    if (unsure && !cards) b().put(Op::mask_and, chosen, {chosen, sources(false)});
    // what was picked unseen shows now whether it fits
    else if (unsure) b().put(Op::set_and, chosen, {chosen, sources(false)});
    if (unsure_set) keep_if(*s.exprs[2], s.local, chosen);
    return take_chosen(s, chosen, true);
  }

  Register result = b().make(register_type(element));
  b().assign_constant(result, kNone);
  BlockIndex in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", s.exprs[3], flow, s.range);
  Int base = program_.actions[block_index].base;
  program_.sites[site].actions.push_back(block_index);
  auto [candidates, hidden] = offered();
  const Register extras = unseen ? zones_of_unseen(hidden) : ir::kNoRegister;
  if (element.kind == TypeKind::card) candidates = b().set(Op::set_lookalikes, {candidates});
  else if (!cards) candidates = dice_apart(candidates, element, player);
  Register n = b().integer(cards ? Op::set_count : Op::mask_count, {candidates});
  Register declared = b().make_int();
  b().assign(declared, n);
  const Register unseen_ones = unseen ? b().integer(Op::mask_count, {extras}) : ir::kNoRegister;
  if (unseen) b().put(Op::add_small, declared, {declared, unseen_ones});
  std::vector<std::pair<std::size_t, Register>> random_sources;   // source, 1 if it has anything
  for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i)
    if (random_mask >> i & 1) {
      const Register any = could_be_drawn(i);
      random_sources.push_back({i, any});
      b().put(Op::add_small, declared, {declared, any});
    }
  program_.sites[site].unseen =
      std::any_of(s.exprs.begin() + 4, s.exprs.end(), [&](const model::Expr* e) { return is_unseen(e); });
  BlockIndex some = b().add_block(), nothing = filters_unseen(s) ? b().add_block() : after;
  b().branch(declared, some, nothing);
  if (nothing != after) note_asked_in_vain(nothing, player, after);
  b().go_to(some);
  Register total = may_decline ? b().integer(Op::add_small, {declared, b().constant(1)}) : declared;
  const Int first_unseen = base + card_digits(false), no_id = program_.actions[block_index + 4].base;
  const auto random_id = [&](std::size_t r) {
    return b().constant(program_.actions[block_index + 1 + std::min<std::size_t>(r, 1)].base);
  };
  list_options([&] {
    list_each(candidates, element, base);
    if (unseen) list_each(extras, simple(TypeKind::integer), first_unseen);
    for (std::size_t r = 0; r < random_sources.size(); ++r) list_option_if(random_sources[r].second, random_id(r));
    if (may_decline) list_option(b().constant(no_id));
  }, telling({s.exprs[3]}), names);
  Register k = b().make_int();
  b().put(Op::decide, k, {player, total, site});
  const auto shows_whether_it_fits = [&] {
    if (!unsure) return;
    for (std::size_t i = 0; 4 + 2 * i < s.exprs.size(); ++i) {
      if (random_mask >> i & 1) continue;
      BlockIndex is_there = b().add_block(), next = b().add_block();
      b().branch(b().integer(cards ? Op::set_has : Op::mask_has, {expr(*s.exprs[4 + 2 * i]), result}, 1), is_there,
                 next);
      b().go_to(is_there);
      bind(element_local, result);
      if (where_of(i)) branch_on(*where_of(i), after, next);
      else b().jump(after);
      b().go_to(next);
    }
    b().assign_constant(result, kNone);
  };
  BlockIndex an_element = b().add_block(), other = b().add_block();
  b().branch(b().integer(Op::lt_small, {k, n}, 1), an_element, other);
  b().go_to(an_element);
  b().put(cards ? Op::set_nth : Op::mask_nth, result, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, result), b().constant(base)})});
  shows_whether_it_fits();
  b().jump(after);
  b().go_to(other);
  b().put(Op::sub_small, k, {k, n});
  if (unseen) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, unseen_ones}, 1), yes, next);
    b().go_to(yes);
    const Register bit = b().integer(Op::mask_nth, {extras, k});
    b().effect(Op::chosen, {b().integer(Op::add_small, {bit, b().constant(first_unseen)})});
    b().put(Op::set_random, result, {unseen_in(hidden, bit)});
    shows_whether_it_fits();
    b().jump(after);
    b().go_to(next);
    b().put(Op::sub_small, k, {k, unseen_ones});
  }
  for (std::size_t r = 0; r < random_sources.size(); ++r) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, random_sources[r].second}, 1), yes, next);
    b().go_to(yes);
    b().effect(Op::chosen, {random_id(r)});
    const Register there = sources(true, random_sources[r].first);
    if (unsure_chance) {                                   // that there is nothing shows now
      BlockIndex some_there = b().add_block();
      b().branch(cards ? b().integer(Op::set_any, {there}, 1) : b().integer(Op::ne, {there, b().constant(0)}, 1),
                 some_there, after);
      b().go_to(some_there);
    }
    b().put(cards ? Op::set_random : Op::mask_random, result, {there});
    b().jump(after);
    b().go_to(next);
    b().put(Op::sub_small, k, {k, random_sources[r].second});
  }
  if (may_decline) b().effect(Op::chosen, {b().constant(no_id)});
  b().jump(after);
  b().go_to(after);
  take_chosen(s, result, false);
}

void Lowering::choose_one(const model::Stmt& s) {
  // the question, the answers
  const std::vector<const model::Expr*> texts(s.exprs.end() - static_cast<std::ptrdiff_t>(s.blocks.size()) - 1,
                                              s.exprs.end());
  ActionInfo info;
  info.kind = ActionKind::one_of;
  info.name = "choose";
  for (std::size_t i = 1; i < texts.size(); ++i) info.choices.push_back(plain_text(texts[i]));
  Int action = add_action(std::move(info));
  Int base = program_.actions[action].base;
  Register player = b().make(int_type(1));
  b().assign(player, s.exprs[0] ? expr(*s.exprs[0]) : b().constant(kNone));
  BlockIndex in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", texts[0], env().flow, s.range);
  program_.sites[site].actions.push_back(action);
  Register mask = b().make_int();
  b().assign_constant(mask, 0);
  env().facts = facts_of_choice(s.exprs[0], s);
  const Facts facts = env().facts;
  const auto when_of = [&](std::size_t i) { return s.exprs[1 + i]; };
  for (std::size_t i = 0; i < s.blocks.size(); ++i)
    program_.sites[site].unseen = program_.sites[site].unseen || is_unseen(when_of(i));
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    if (const model::Expr* when = when_of(i)) {
      const Asked asked(*this, reads(*when) ? Asking{player, Asking::Mode::may} : Asking{});
      branch_on(*when, yes, next);
    } else {
      b().jump(yes);
    }
    b().go_to(yes);
    b().put(Op::mask_or, mask, {mask, b().constant(Int{1} << i)});
    b().jump(next);
    b().go_to(next);
  }
  Register n = b().integer(Op::mask_count, {mask});
  BlockIndex some = b().add_block(), nothing = program_.sites[site].unseen ? b().add_block() : after;
  b().branch(n, some, nothing);
  if (nothing != after) note_asked_in_vain(nothing, player, after);
  b().go_to(some);
  list_options([&] { list_each(mask, simple(TypeKind::integer), base); }, telling(texts, mask));
  Register k = b().integer(Op::decide, {player, n, site});
  Register which = b().integer(Op::mask_nth, {mask, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {which, b().constant(base)})});
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::eq, {which, b().constant(Int(i))}, 1), yes, next);
    b().go_to(yes);
    env().facts = facts;                                   // what the blocks before have asked is over
    if (reads(when_of(i))) {                               // whether it is so shows now
      BlockIndex so = b().add_block();
      branch_on(*when_of(i), so, after);
      b().go_to(so);
    }
    block(s.blocks[i]);
    b().jump(after);
    b().go_to(next);
  }
  b().jump(after);
  b().go_to(after);
}

Register Lowering::may(const model::Expr& e) {
  Register player = b().make(int_type(1));
  b().assign(player, e.args.empty() || !e.args[0] ? b().constant(kNone) : expr(*e.args[0]));
  Register result = b().make(int_type(1));
  b().assign_constant(result, 0);
  BlockIndex in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", e.args[1], env().flow, e.range);
  program_.sites[site].actions.push_back(yes_no_action_);
  Int base = program_.actions[yes_no_action_].base;
  list_options([&] {
    list_option(b().constant(base));
    list_option(b().constant(base + 1));
  }, telling({e.args[1]}));
  Register k = b().integer(Op::decide, {player, b().constant(2), site});
  b().effect(Op::chosen, {b().integer(Op::add_small, {k, b().constant(base)})});
  b().put(Op::eq, result, {k, b().constant(0)});
  b().jump(after);
  b().go_to(after);
  return result;
}

// Who picks the card that will lie on top, where somebody at this table reads the order of that pile; else none.
// Only of those that they know: what comes unseen out of another's hand lies as chance has it.
Register Lowering::pick_top(const model::Stmt& s, Register all) {
  const model::Expr &what = *s.exprs[0], &who = *s.exprs[3];
  const std::uint32_t zone = s.ref;
  const Range where = s.range;
  Register top = b().make(register_type(simple(TypeKind::card)));
  b().assign_constant(top, kNone);
  BlockIndex several = b().add_block(), in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::lt_small, {b().constant(1), b().integer(Op::set_count, {all})}, 1), several, after);
  b().go_to(several);
  if (!orders_.always.contains(zone)) {
    Register read = b().make(int_type(1));
    b().assign_constant(read, 0);
    for (const auto& [variable, character] : orders_.by_character.at(zone))
      for_each(b().integer(Op::players_in, {}, 4), false, [&](Register p) {
        Register has =
            b().integer(Op::eq, {b().integer(Op::load_raw, {variable_of_[variable], p}), b().constant(character)}, 1);
        b().put(Op::or_, read, {read, has});
      });
    BlockIndex is_read = b().add_block();
    b().branch(read, is_read, after);
    b().go_to(is_read);
  }
  Register player = b().make(int_type(1));
  b().assign(player, expr(who));
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  model::Type element = simple(TypeKind::card);
  Int block_index = choice_block(element);
  Int base = program_.actions[block_index].base;
  Int site = begin_site("", nullptr, false, where, "Which card will be on top?");
  program_.sites[site].actions.push_back(block_index);
  Facts at = facts_of_choice(&who, s);
  const bool sees_all = secrecy_.fact(what, at).named;
  Register candidates = b().set(Op::set_lookalikes, {sees_all ? all : b().set(Op::set_known, {player, all})});
  Register n = b().integer(Op::set_count, {candidates});
  if (!sees_all) {
    const BlockIndex some = b().add_block();
    b().branch(n, some, after);
    b().go_to(some);
  }
  list_options([&] { list_each(candidates, element, base); });
  Register k = b().integer(Op::decide, {player, n, site});
  b().put(Op::set_nth, top, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, top), b().constant(base)})});
  b().jump(after);
  b().go_to(after);
  return top;
}

// Which of the cards comes first, and which next: each is put in its place at once, and nobody has to say the last.
void Lowering::arrange(const model::Stmt& s) {
  const model::Expr& what = *s.exprs[1];
  const bool all_of_it = what.kind == model::ExprKind::zone;
  const Int lowest = all_of_it ? 0 : what.value;
  const Register player = b().make(int_type(1)), pile = b().make(int_type(2)), wanted = b().make_int(),
                 cards = b().make_set();
  b().assign(player, expr(*s.exprs[0]));
  b().assign(pile, top_instance(s.ref, zone_instance(s.ref, what.args.size() > 0 ? what.args[0] : nullptr,
                                                     what.args.size() > 1 ? what.args[1] : nullptr)));
  b().assign(wanted, all_of_it ? b().integer(Op::set_count, {expr(what)}) : expr(*what.args.back()));
  const BlockIndex in = b().add_block(), several = b().add_block(), next = b().add_block(), ask = b().add_block(),
                   done = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  b().put(lowest ? Op::zone_bottom_n : Op::zone_top_n, cards, {pile, wanted});
  const bool open = model_.zones[s.ref].visibility == model::Visibility::open && facedown_zone_[s.ref] < 0;
  if (!open) b().effect(Op::note_peek, {player, cards});
  const Register count = b().make_int(), placed = b().make_int(), rest = b().make_set();
  b().put(Op::set_count, count, {cards});
  b().branch(b().integer(Op::lt_small, {b().constant(1), count}, 1), several, after);
  b().go_to(several);
  b().effect(Op::note_arrange, {cards, pile, player, 0});
  b().assign_constant(placed, 0);
  b().assign(rest, cards);
  b().jump(next);
  b().go_to(next);
  b().branch(b().integer(Op::lt_small, {b().integer(Op::add_small, {placed, b().constant(1)}), count}, 1), ask, done);
  b().go_to(ask);
  const Int block_index = choice_block(simple(TypeKind::card)), base = program_.actions[block_index].base;
  const Int site = begin_site("", s.exprs[2], env().flow, s.range, "Which comes first?");
  program_.sites[site].actions.push_back(block_index);
  program_.sites[site].arranges = true;
  program_.sites[site].unseen = !open;
  const Register candidates = b().set(Op::set_lookalikes, {rest});
  list_options([&] { list_each(candidates, simple(TypeKind::card), base); }, telling({s.exprs[2]}));
  const Register k = b().integer(Op::decide, {player, b().integer(Op::set_count, {candidates}), site});
  const Register card = b().make(register_type(simple(TypeKind::card)));
  b().put(Op::set_nth, card, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(simple(TypeKind::card), card), b().constant(base)})});
  b().effect(Op::arrange, {pile, card, placed, count, lowest});
  b().put(Op::set_remove, rest, {rest, card});
  b().put(Op::add_small, placed, {placed, b().constant(1)});
  b().jump(next);
  b().go_to(done);
  b().effect(Op::note_arrange, {cards, pile, player, 1});
  touch(watch_zones_);
  touch(watch_always_);
  b().jump(after);
  b().go_to(after);
}

}  // namespace cardwright::lower
