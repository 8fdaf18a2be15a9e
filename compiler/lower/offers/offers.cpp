// Emits the options of a window. The options of each applicable action form a group. A decision site counts the options
// of its groups, adds the counts, makes the decision, and subtracts the counts from the chosen number to find the
// chosen group. Many actions only play one card: consecutive groups of this kind are counted as one set of cards, and a
// table maps each card to its group. levels.cpp handles the options within a group.
#include "compiler/lower/offers/offers.h"

#include <algorithm>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/families.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/runs.h"
#include "compiler/lower/offers/weights.h"
#include "compiler/lower/rules/measures.h"
#include "runtime/ops/note.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// Moves levels with a single element to the front. The element is then known when the other levels are evaluated, so
// more of these levels can be evaluated as masks. The order of options does not change.
static void single_elements_first(ProgramContext& unit, std::vector<Level>& levels) {
  for (Level& l : levels) {
    const bool number = l.parameter && (l.type.kind == TypeKind::integer || l.type.kind == TypeKind::enumeration);
    l.only = number && !l.parameter->domain && l.parameter->count == PickCount::one && !l.type.optional &&
             !l.integers && bounds(unit, l.type).lo == bounds(unit, l.type).hi;
  }
  std::stable_partition(levels.begin(), levels.end(), [](const Level& l) { return !l.parameter || l.only; });
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (std::size_t last = levels.size(); levels[i].only && --last > i;) {
      const auto named = [&](const model::Expr* e) { return mentions(*e, levels[last].local); };
      std::vector<const model::Expr*>& mine = levels[i].where;
      std::copy_if(mine.begin(), mine.end(), std::back_inserter(levels[last].where), named);
      std::erase_if(mine, named);
    }
}

std::vector<Group> groups_for(ProgramContext& unit, model::WindowId window, Register player, Register sensible) {
  std::vector<Group> groups;
  for (bool passes : {false, true})
    for (std::size_t a = 0; a < unit.model.actions.size(); ++a) {
      const model::Action& action = unit.model.actions[a];
      if (action.passes != passes || !model::is_in(action, window) || !possible(unit, action)) continue;
      Group g;
      g.action = &action;
      g.index = a;
      g.me = player;
      if (action.sensible || is_avoided(unit, a)) g.sensible = sensible;
      bind_locals(g.env, action.body);
      g.env.facts = unit.facts.offers.facts_of(action);
      g.levels = levels_of(unit, action);
      if (!unit.plain) single_elements_first(unit, g.levels);
      for (std::size_t i = 0; i < g.levels.size(); ++i) {
        Level& l = g.levels[i];
        if (unit.plain) l.independent = false;
        if (!l.parameter) continue;
        const ActionParameter& p = *l.parameter;
        l.unknown = unit.facts.offers.may_be_unknown(p, g.env.facts);
        for (std::size_t k = 0; k < i; ++k) {
          const auto named = [&](const model::Expr* e) { return e && mentions(*e, g.levels[k].local); };
          if (named(p.domain) || named(p.amount) || std::any_of(l.where.begin(), l.where.end(), named))
            l.independent = false;
        }
      }
      const bool when_joins = action.head.when && g.levels.size() > 1 &&
                              std::any_of(g.levels.begin(), g.levels.end() - 1,
                                          [&](const Level& l) { return mentions(*action.head.when, l.local); });
      if (g.levels.size() > 1 && (when_joins || forbid_reads_parameters(unit, a) || sensible_reads_parameters(unit, g)))
        g.levels.back().independent = false;
      groups.push_back(std::move(g));
    }
  return groups;
}

Offers offers_for(const FunctionContext& code, model::WindowId window, Register player, Register sensible) {
  Offers offers{groups_for(code.unit, window, player, sensible), {}};
  set_policies(code, offers.groups, player);
  add_runs(code, offers, 0, offers.groups.size());
  return offers;
}

// Counts the options of a run. First collects the available cards of all groups, then tests the conditions for each of
// these cards.
static void count_together(const FunctionContext& code, Offers& offers, GroupRun& run) {
  run.cards = code.make(site_local(set_type()));
  code.put(Op::set_empty, run.cards, {});
  const auto each = [&](const std::function<void(const FunctionContext&, Group&)>& look) {
    for (std::size_t i = 0; i < run.size; ++i) {
      Group& g = offers.groups[run.first + i];
      look(code.in(g.env), g);
    }
  };
  each([&](const FunctionContext& code, Group& g) {
    bind(code, g.action->head.me, g.me);
    code.put(Op::set_or, run.cards, {run.cards, level_domain(code, g, 0)});
  });
  each([&](const FunctionContext& code, Group& g) {
    if (has_no_conditions(code.unit, g)) return;
    const Register theirs = g.levels[0].domain;
    BlockIndex some = code.add_block(), no = code.add_block(), after = code.add_block();
    code.branch(code.integer(Op::set_any, {theirs}, 1), some, after);
    code.go_to(some);
    action_conditions(code, g.index, g.me, no);
    code.jump(after);
    code.go_to(no);
    code.put(Op::set_without, run.cards, {run.cards, theirs});
    code.put(Op::set_empty, theirs, {});
    code.jump(after);
    code.go_to(after);
  });
  run.count = code.make_int();
  code.put(Op::set_count, run.count, {run.cards});
}

Register count_offers(const FunctionContext& code, Offers& offers, Int site,
                      const std::function<void(Group&)>& counted) {
  const Register declared = code.make_int();
  code.assign_constant(declared, 0);
  for (GroupRun& run : offers.runs) {
    for (std::size_t i = 0; i < run.size; ++i)
      code.program.sites[static_cast<std::size_t>(site)].actions.push_back(
          code.unit.ids.action[offers.groups[run.first + i].index]);
    if (run.is_family)
      count_family(code, offers, run);
    else if (run.size > 1)
      count_together(code, offers, run);
    else
      run.count = count_group(code, offers.groups[run.first]);
    code.put(Op::add_small, declared, {declared, run.count});
    if (run.size == 1 && counted) counted(offers.groups[run.first]);
  }
  return declared;
}

void list_offers(const FunctionContext& code, Offers& offers) {
  for (const GroupRun& run : offers.runs) {
    if (run.is_family) {
      list_family(code, offers, run);
      continue;
    }
    if (run.size == 1) list_group(code, offers.groups[run.first], run.count);
    for (std::size_t i = 0; run.size > 1 && i < run.size; ++i) {
      Group& g = offers.groups[run.first + i];
      g.levels[0].ready = true;   // the domain from counting is still valid
      list_group(code, g, code.integer(Op::set_any, {g.levels[0].domain}, 1));
      g.levels[0].ready = false;
    }
  }
}

void choose_offer(const FunctionContext& code, Offers& offers, Register k, const std::function<void(Group&)>& mine,
                  const std::function<void(const GroupRun&)>& of_family) {
  for (GroupRun& run : offers.runs) {
    BlockIndex here = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, run.count}, 1), here, next);
    code.go_to(here);
    if (run.is_family) {
      of_family(run);
    } else if (run.size == 1) {
      mine(offers.groups[run.first]);
    } else {
      const Register card = code.make(register_type(code.unit, simple(TypeKind::card)));
      code.put(Op::set_nth, card, {run.cards, k});
      std::vector<BlockIndex> groups;
      for (std::size_t i = 0; i < run.size; ++i) groups.push_back(code.add_block());
      std::vector<std::int64_t> cases = {
          std::int64_t(code.integer(Op::table_small, {table_index(code.unit, run.group_of), card})),
          std::int64_t(groups.back())};
      for (std::size_t i = 0; i + 1 < run.size; ++i)
        cases.insert(cases.end(), {std::int64_t(i), std::int64_t(groups[i])});
      code.put(Op::switch_, ir::kNoRegister, cases);
      for (std::size_t i = 0; i < run.size; ++i) {
        Group& g = offers.groups[run.first + i];
        code.go_to(groups[i]);
        g.levels[0].chosen = card;
        mine(g);
      }
    }
    code.go_to(next);
    code.put(Op::sub_small, k, {k, run.count});
  }
}

// Declares the flag "sensible only" if it affects the game. In races, the flag also removes the `wait` option.
void declare_sensible(ProgramContext& unit) {
  declare_policies(unit);
  const auto says = [&](const model::Action& action) { return action.sensible && possible(unit, action); };
  const bool races = std::any_of(unit.model.windows.begin(), unit.model.windows.end(),
                                 [](const model::Window& w) { return bool(w.race); });
  if (races || std::any_of(unit.model.actions.begin(), unit.model.actions.end(), says))
    unit.program.sensible_only = add_scratch(unit, "sensible only", 0, 1, 0);
}

// Returns 1 if the deciding player in this window is limited to sensible options, or kNoRegister if all options of the
// window are always sensible.
Register sensible_in(const FunctionContext& code, model::WindowId window, Register player) {
  const auto says = [&](const model::Action& action) {
    const auto index = static_cast<std::size_t>(&action - code.model.actions.data());
    return (action.sensible || is_avoided(code.unit, index)) && possible(code.unit, action) &&
           model::is_in(action, window);
  };
  if (std::none_of(code.model.actions.begin(), code.model.actions.end(), says)) return ir::kNoRegister;
  const Register only = code.make(site_local(int_type(1)));
  if (code.model.seats_have_policies)
    code.assign(only, plays_sensibly(code, policy_of(code, player)));
  else
    code.put(Op::load_raw, only, {code.program.sensible_only, code.constant(0)});
  return only;
}

// Counts the options. If there are no sensible options and passing is not possible, counts all options.
Register count_sensible(const FunctionContext& code, Offers& offers, Int site, Register sensible, Register avoids_pass,
                        bool may_pass, const model::Expr* pass_when) {
  if (sensible == ir::kNoRegister) return count_offers(code, offers, site);
  const BlockIndex count = code.add_block(), none = code.add_block(), stuck = code.add_block(),
                   anything = code.add_block(), counted = code.add_block();
  code.jump(count);
  code.go_to(count);
  const Register declared = count_offers(code, offers, site);
  code.branch(declared, counted, none);
  code.go_to(none);
  code.branch(sensible, stuck, counted);
  code.go_to(stuck);
  // If a player avoids passing, all other options are offered instead.
  if (may_pass && avoids_pass != ir::kNoRegister) {
    const BlockIndex may = code.add_block();
    code.branch(avoids_pass, anything, may);
    code.go_to(may);
  }
  // When options are listed, the code must not continue here without a decision; otherwise it would list the options of
  // a later decision.
  if (may_pass) {
    const BlockIndex plays = code.add_block();
    code.branch(code.integer(Op::listing, {}, 1), anything, plays);
    code.go_to(plays);
  }
  if (may_pass && pass_when)
    branch_on(code, *pass_when, counted, anything);
  else
    code.jump(may_pass ? counted : anything);
  code.go_to(anything);
  code.assign_constant(sensible, 0);
  code.jump(count);
  code.go_to(counted);
  return declared;
}

void note_offered(const FunctionContext& code, Offers& offers) {
  if (!code.program.figures) return;
  for (GroupRun& run : offers.runs) {
    if (run.is_family) note_family(code, offers, run);
    for (std::size_t i = 0; !run.is_family && i < run.size; ++i) {
      Group& group = offers.groups[run.first + i];
      const Register count = run.size == 1 ? run.count : code.integer(Op::set_count, {group.levels[0].domain});
      code.effect(Op::note, {kNoteOffered, code.constant(code.unit.ids.action[group.index]), count});
    }
  }
}

}   // namespace cardwright::lower
