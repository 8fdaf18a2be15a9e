// What a window offers: for each action that fits how many options it has (a group), and which of them was chosen.
//
// A decision site counts the options of its groups, adds up, decides, and finds the chosen one by counting down. Groups
// are masks where the parameters don't depend on each other, loops where they do. Many actions are cards to play and
// nothing else: such groups in a row are one set of cards, and a table says whose card was chosen.
#include "compiler/lower/offers.h"

#include <algorithm>
#include <ranges>

#include "compiler/lower/asked.h"
#include "compiler/lower/at_once.h"
#include "compiler/lower/calls.h"
#include "compiler/lower/choices.h"
#include "compiler/lower/constants.h"
#include "compiler/lower/dice.h"
#include "compiler/lower/events.h"
#include "compiler/lower/explain.h"
#include "compiler/lower/expressions.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/narrowing.h"
#include "compiler/lower/numbers.h"
#include "compiler/lower/option_ids.h"
#include "compiler/lower/places.h"
#include "compiler/lower/sets.h"
#include "compiler/lower/statements.h"
#include "compiler/lower/why.h"
#include "compiler/lower/windows.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

static void count_together(const FunctionContext& code, Offers& offers, GroupRun& run);
// Whether the action is offered whenever there is a card for it.
static bool asks_nothing(const ProgramContext& unit, const Group& g);
static void list_group(const FunctionContext& code, Group& group, Register some);
static Register level_domain(const FunctionContext& code, Group& group, std::size_t level);
static void find_unseen(const FunctionContext& code, Group& group, std::size_t level, Register unseen);
static void do_wrong(const FunctionContext& code, Group& group, const Chosen& chosen);
static std::size_t parameter_level(const Group& group, std::size_t parameter);
static bool sensible_reads_parameters(const Group& group);
static void select_level(const FunctionContext& code, Group& group, std::size_t level, Register k);

// An action that may be wrong is offered by conditions that are read as the asked player may.
static FunctionContext offering(const FunctionContext& code, Group& g) {
  return code.in(g.env).asked(code.unit.facts.offers.may_be_wrong(g.index) ? Asking{g.me, Asking::Mode::may}
                                                                           : Asking{});
}

// ---------------------------------------------------------------- groups

Offered told_apart(const FunctionContext& code, Register all) {
  const Register known = code.set(Op::set_known, {code.asking.player, all});
  return {known, code.set(Op::set_without, {all, known})};
}

// Of a zone that the player sees into, it is asked only of what lies there face down.
Offered told_apart(const FunctionContext& code, const model::Expr& e) {
  if (e.kind != model::ExprKind::zone || code.unit.ids.facedown_zone[e.ref] < 0 ||
      !code.unit.facts.secrecy.sees_into(e, code.env().facts))
    return told_apart(code, expr(code, e));
  const Register instance = zone_instance(code, e.ref, view::zone(e).owner(), view::zone(e).copy());
  const Register up = code.set(Op::zone_cards, {instance}),
                 down = code.set(Op::zone_cards, {facedown_instance(code, e.ref, instance)});
  const Register known = code.set(Op::set_known, {code.asking.player, down});
  return {code.set(Op::set_or, {up, known}), code.set(Op::set_without, {down, known})};
}

static Offered offered_either(const FunctionContext& code, const Offered& a, const Offered& c) {
  Offered both{code.set(Op::set_or, {a.fitting, c.fitting})};
  if (a.unseen == ir::kNoRegister || c.unseen == ir::kNoRegister)
    both.unseen = a.unseen == ir::kNoRegister ? c.unseen : a.unseen;
  else
    both.unseen = code.set(Op::set_or, {a.unseen, c.unseen});
  return both;
}

// Where they may lie at most.
static Register cards_that_could_be(const FunctionContext& code, const model::Expr& e) {
  switch (e.kind) {
    case model::ExprKind::filter:
    case model::ExprKind::best: return cards_that_could_be(code, *view::ranging(e).domain());
    case model::ExprKind::set_minus: return cards_that_could_be(code, *view::set_minus(e).left());
    case model::ExprKind::set_union:
      return code.set(Op::set_or, {cards_that_could_be(code, *view::set_union(e).left()),
                                   cards_that_could_be(code, *view::set_union(e).right())});
    case model::ExprKind::conditional:
      return code.set(Op::set_or, {cards_that_could_be(code, *view::conditional(e).then()),
                                   cards_that_could_be(code, *view::conditional(e).otherwise())});
    default: break;
  }
  if (!reads(code, e)) return expr(code, e);
  if (!fact(code, e).placed) return const_cards(code, code.unit.ids.of_card);
  const Register all = code.make_set();
  code.put(Op::set_empty, all, {});
  const analysis::Reads read = analysis::reads_of(code.model, e);
  for (std::uint32_t z = 0; z < code.model.zones.size(); ++z) {
    if (!read.zones && !read.anything && !read.entered.count(z)) continue;
    const ZoneSlot& slot = code.program.zones[z];
    for (Int i = 0; i < slot.owners * slot.copies; ++i)
      code.put(Op::set_or, all, {all, zone_set(code, z, code.constant(slot.first + i))});
  }
  return all;
}

// Cards that could be in a set, for all that the asked player knows.
static Offered offered_domain(const FunctionContext& code, const model::Expr& e) {
  using model::ExprKind;
  if (!asking(code)) return {expr(code, e)};
  if (!reads(code, e)) {
    if (fact(code, e).named) return {expr(code, e)};
    return told_apart(code, e);
  }
  switch (e.kind) {
    case ExprKind::filter: {
      if (e.type.kind == TypeKind::list) break;
      const Taken taken(code, e.local, view::filter(e).domain());
      return offered_of(taken,
                        offered_domain_where(taken, *view::filter(e).domain(), e.local, {view::filter(e).condition()}),
                        true, e.local, view::filter(e).condition());
    }
    case ExprKind::set_union: {
      const Offered first = offered_domain(code, *view::set_union(e).left());
      return offered_either(code, first, offered_domain(code, *view::set_union(e).right()));
    }
    case ExprKind::conditional: {
      Offered all{empty_set(code, *e.type.elem), empty_set(code, *e.type.elem)};
      const auto take = [&](const model::Expr& part) {
        const Offered some = offered_domain(code, part);
        code.put(Op::set_or, all.fitting, {all.fitting, some.fitting});
        if (some.unseen != ir::kNoRegister) code.put(Op::set_or, all.unseen, {all.unseen, some.unseen});
      };
      BlockIndex yes = code.add_block(), other = code.add_block(), no = code.add_block(), after = code.add_block();
      branch_on(code, *view::conditional(e).condition(), yes, other);
      code.go_to(yes);
      take(*view::conditional(e).then());
      code.jump(other);
      code.go_to(other);
      branch_on(code.asked(Asking::Mode::must), *view::conditional(e).condition(), after, no);
      code.go_to(no);
      take(*view::conditional(e).otherwise());
      code.jump(after);
      code.go_to(after);
      return all;
    }
    default: break;
  }
  return told_apart(code, as_known(code, e, [&] { return cards_that_could_be(code, e); }));
}

// Of cards that a rule names, alone or among others, those that are not known to lie anywhere could be any that are
// unseen.
Offered offered_domain_where(const FunctionContext& code, const model::Expr& e, model::LocalId element,
                             std::initializer_list<const model::Expr*> conditions) {
  if (!asking(code)) return {expr(code, e)};
  const Fact sure = fact(code, e);
  const bool unseen = code.unit.facts.offers.may_be_unseen(e, element, conditions, code.env().facts);
  code.env().facts.put(element, unseen ? kSeen : sure);
  if (!unseen || sure.placed) return offered_domain(code, e);
  const Register named = as_known(code, e, [&] { return cards_that_could_be(code, e); });
  return {code.set(Op::set_known, {code.asking.player, named}),
          told_apart(code, const_cards(code, code.unit.ids.of_card)).unseen};
}

std::optional<Register> known_where_taken(const FunctionContext& code, model::LocalId element, const model::Expr& who) {
  const model::Expr* zone = plan::known_zone(code.unit, code.environment, code.taken, element, who);
  return zone ? std::optional(known_in(code, *zone, who)) : std::nullopt;
}

Register known_in(const FunctionContext& code, const model::Expr& zone, const model::Expr& who) {
  const view::zone its(zone);
  const Register instance = zone_instance(code, zone.ref, its.owner(), its.copy());
  const Register down = code.set(Op::zone_cards, {facedown_instance(code, zone.ref, instance)});
  return code.set(Op::set_or, {code.set(Op::zone_cards, {instance}), code.set(Op::set_known, {expr(code, who), down})});
}

static const ParameterInfo& level_info(const ProgramContext& unit, const Group& g, const Level& l) {
  return unit.program.actions[unit.ids.action[g.index]].parameters[l.written];
}
static Register level_digit(const FunctionContext& code, const Group& g, const Level& l, Register element) {
  return l.type.kind == TypeKind::card ? card_digit(code, level_info(code.unit, g, l), element)
                                       : digit(code, l.type, element);
}

Register zones_of_unseen(const FunctionContext& code, Register cards) {
  std::vector<Int> bits(static_cast<std::size_t>(code.program.layout.instances), kNone);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (code.program.layout.instance[i].hidden_bit >= 0) bits[i] = code.program.layout.instance[i].hidden_bit;
  const Int table = table_index(code.unit, bits);
  Register zones = code.make_int();
  code.assign_constant(zones, 0);
  for_each(code, cards, true, [&](Register card) {
    const Register bit = code.integer(Op::table, {table, code.integer(Op::zone_of, {card, code.constant(kNone)})});
    code.put(Op::mask_or, zones, {zones, code.integer(Op::mask_of, {bit})});
  });
  return zones;
}

Register unseen_in(const FunctionContext& code, Register cards, Register bit) {
  const Layout& l = code.program.layout;
  const Register instance = code.integer(
      Op::table_small,
      {table_index(code.unit, std::vector<Int>(l.hidden_instance, l.hidden_instance + std::max<Int>(1, l.hidden))),
       bit});
  return code.set(Op::set_and, {cards, code.set(Op::zone_cards, {instance})});
}

// Those of which the player must think that they could do. One stands for all that lie in the same zone, unless `each`
// is tested by itself.
Register unseen_that_fit(const FunctionContext& code, Register unseen, model::LocalId element, bool each,
                         const std::function<void(Register one, BlockIndex no)>& test) {
  const Register fitting = code.make_set();
  if (each)
    code.put(Op::set_empty, fitting, {});
  else
    code.assign(fitting, unseen);
  const auto tested = [&](Register one, BlockIndex no) {
    bind(code, element, one);
    code.env().facts.put(element, {.placed = true, .unseen = true});
    test(one, no);
  };
  const auto all_that_lie_there = [&](Register bit) {
    const Register there = unseen_in(code, unseen, bit),
                   one = code.make(register_type(code.unit, simple(TypeKind::card)));
    code.put(Op::set_first, one, {there});
    BlockIndex no = code.add_block(), next = code.add_block();
    tested(one, no);
    code.jump(next);
    code.go_to(no);
    code.put(Op::set_without, fitting, {fitting, there});
    code.jump(next);
    code.go_to(next);
  };
  const auto by_itself = [&](Register one) {
    BlockIndex no = code.add_block();
    tested(one, no);
    code.put(Op::set_add, fitting, {fitting, one});
    code.jump(no);
    code.go_to(no);
  };
  if (each)
    for_each(code, unseen, true, by_itself);
  else
    for_each(code, zones_of_unseen(code, unseen), false, all_that_lie_there);
  code.env().facts.put(element, kSeen);
  return fitting;
}

// Where cards are kept, as in `c in chosen_before`, one that lies in a hand is known from the next, though nobody knows
// which cards they are. What is printed on it, and where it lies, tells none from the others.
bool tells_unseen_apart(const ProgramContext& unit, const model::Expr& e, model::LocalId element) {
  using model::ExprKind;
  const auto told = [&](const model::Expr* a) { return a && tells_unseen_apart(unit, *a, element); };
  const auto is_element = [&](const model::Expr* a) { return a && a->kind == ExprKind::local && a->local == element; };
  switch (e.kind) {
    case ExprKind::local: return e.local == element;
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
    case ExprKind::part_of:
    case ExprKind::faces:
    case ExprKind::is_none: return std::any_of(e.args.begin() + is_element(e.args.front()), e.args.end(), told);
    case ExprKind::in_set:   // a zone has all that lie there, or none
      if (is_element(view::in_set(e).element()) && view::in_set(e).set()->kind == ExprKind::zone)
        return std::any_of(view::in_set(e).set()->args.begin(), view::in_set(e).set()->args.end(), told);
      return std::any_of(e.args.begin(), e.args.end(), told);
    case ExprKind::call_value:
    case ExprKind::call_function: {
      const model::Expr* body = said_body(unit, e);
      const auto& parameters =
          e.kind == ExprKind::call_value ? unit.model.values[e.ref].parameters : unit.model.functions[e.ref].parameters;
      const view::Parts given = view::call(e).arguments();
      if (!body || parameters.size() != given.size()) return std::any_of(given.begin(), given.end(), told);
      for (std::size_t i = 0; i < given.size(); ++i)
        if (is_element(given[i]) ? tells_unseen_apart(unit, *body, parameters[i].local) : told(given[i])) return true;
      return false;
    }
    default: return std::any_of(e.args.begin(), e.args.end(), told);
  }
}

static bool tells_unseen_apart(const ProgramContext& unit, const Group& g, std::size_t level) {
  const Level& l = g.levels[level];
  const auto told = [&](const model::Expr* e) { return e && tells_unseen_apart(unit, *e, l.local); };
  if (std::any_of(l.where.begin(), l.where.end(), told)) return true;
  if (!has_extra(unit, g, level)) return false;
  bool by_card = false;
  for (std::size_t i = 0; i < g.action->limits.size(); ++i)
    by_card |= level == 0 && unit.limits.of_action.at({g.index, i}).cards;
  return by_card || told(g.action->head.when) ||
         (level + 1 == g.levels.size() && forbid_reads_parameters(unit, g.index));
}

// Numbers that no mask holds.
bool is_walked(const ActionParameter& p) {
  return p.type.kind == TypeKind::listed ||
         (p.type.kind == TypeKind::integer && !p.domain && (p.type.lo < 0 || p.type.hi > model::kMostInSet));
}

// What an action is told, in the order it is written; the rest of a set is asked for later.
std::vector<Level> levels_of(const model::Action& action) {
  std::vector<Level> levels;
  if (action.head.carrier.kind == CarrierKind::card) {
    Level l;
    l.local = action.head.self;
    l.type = simple(TypeKind::card);
    levels.push_back(l);
  }
  for (const ActionParameter& p : action.parameters) {
    Level l;
    l.parameter = &p;
    l.local = p.count == PickCount::one ? p.local : p.element;
    l.type = p.type;
    l.written = levels.size();
    l.integers = is_walked(p);
    if (p.where) l.where = {p.where};
    levels.push_back(l);
    if (p.count != PickCount::one) break;   // its further elements are decisions of their own
  }
  return levels;
}

// Where there is only one to choose, it is known before the rest, of which then more is a mask. The order of options
// stays.
static void only_ones_first(ProgramContext& unit, std::vector<Level>& levels) {
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

// The levels as they are written.
static std::vector<const Level*> as_written(const Group& g) {
  std::vector<const Level*> levels(g.levels.size());
  for (const Level& l : g.levels) levels[l.written] = &l;
  return levels;
}

// What one more of a level's digit adds to an option's id.
static Int radix_of(const ProgramContext& unit, const Group& g, const Level& level) {
  Int radix = 1;
  for (const Level& l : g.levels)
    if (l.written > level.written) radix *= level_info(unit, g, l).count;
  return radix;
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
      if (action.sensible) g.sensible = sensible;
      bind_locals(g.env, action.body);
      g.env.facts = unit.facts.offers.facts_of(action);
      g.levels = levels_of(action);
      if (!unit.plain) only_ones_first(unit, g.levels);
      for (std::size_t i = 0; i < g.levels.size(); ++i) {
        Level& l = g.levels[i];
        if (unit.plain) l.independent = false;
        if (!l.parameter) continue;
        const ActionParameter& p = *l.parameter;
        l.unseen = unit.facts.offers.may_be_unseen(p, g.env.facts);
        for (std::size_t k = 0; k < i; ++k) {
          const auto named = [&](const model::Expr* e) { return e && mentions(*e, g.levels[k].local); };
          if (named(p.domain) || named(p.amount) || std::any_of(l.where.begin(), l.where.end(), named))
            l.independent = false;
        }
      }
      const bool when_joins = action.head.when && g.levels.size() > 1 &&
                              std::any_of(g.levels.begin(), g.levels.end() - 1,
                                          [&](const Level& l) { return mentions(*action.head.when, l.local); });
      if (g.levels.size() > 1 && (when_joins || forbid_reads_parameters(unit, a) || sensible_reads_parameters(g)))
        g.levels.back().independent = false;
      groups.push_back(std::move(g));
    }
  return groups;
}

// The ids of the cards that may be its options, in ascending order, if an option is a card and nothing else, and which
// cards fit is known when compiling. Else none.
static std::vector<Int> cards_alone(const FunctionContext& code, Group& g) {
  if (code.unit.plain || g.levels.size() != 1 || g.action->must || g.sensible != ir::kNoRegister ||
      code.unit.facts.offers.may_be_wrong(g.index) || has_extra(code.unit, g, 0))
    return {};
  const Level& l = g.levels[0];
  if (l.type.kind != TypeKind::card || l.type.optional || l.unseen ||
      (l.parameter && l.parameter->count != PickCount::one))
    return {};
  std::vector<Int> ids;
  bool known = true;
  const auto fits = [&](Int id) {
    const auto passes = [&](const model::Expr* where) {
      const auto value = static_value(code.unit, &g.env, *where, l.local, id);
      known = known && value;
      return value == 1;
    };
    return std::all_of(l.where.begin(), l.where.end(), passes);
  };
  if (!l.parameter)
    ids = cards_of_kinds(code.unit, g.action->head.carrier.kinds);
  else
    for (std::size_t id = 0; id < code.unit.ids.card.size(); ++id)
      if (code.unit.ids.card[id] >= 0 && fits(Int(id))) ids.push_back(Int(id));
  std::sort(ids.begin(), ids.end());
  return known ? ids : std::vector<Int>();
}

Offers offers_for(const FunctionContext& code, model::WindowId window, Register player, Register sensible) {
  Offers offers{groups_for(code.unit, window, player, sensible), {}};
  Int last = -1;   // card of the run so far; -1: nothing is counted with it
  for (std::size_t i = 0; i < offers.groups.size(); ++i) {
    const std::vector<Int> ids = cards_alone(code, offers.groups[i]);
    const bool goes_on = last >= 0 && !ids.empty() && ids.front() > last;
    if (!goes_on) offers.runs.push_back({i, 0, std::vector<Int>(code.unit.ids.card.size(), 0)});
    GroupRun& run = offers.runs.back();
    for (const Int id : ids) run.group_of[static_cast<std::size_t>(id)] = static_cast<Int>(run.size);
    ++run.size;
    last = ids.empty() ? -1 : ids.back();
  }
  return offers;
}

Register count_offers(const FunctionContext& code, Offers& offers, Int site,
                      const std::function<void(Group&)>& counted) {
  const Register declared = code.make_int();
  code.assign_constant(declared, 0);
  for (GroupRun& run : offers.runs) {
    for (std::size_t i = 0; i < run.size; ++i)
      code.program.sites[static_cast<std::size_t>(site)].actions.push_back(
          code.unit.ids.action[offers.groups[run.first + i].index]);
    if (run.size > 1)
      count_together(code, offers, run);
    else
      run.count = count_group(code, offers.groups[run.first]);
    code.put(Op::add_small, declared, {declared, run.count});
    if (run.size == 1 && counted) counted(offers.groups[run.first]);
  }
  return declared;
}

// Where it makes a difference whether players do only what is sensible: in races they don't wait then, either.
void declare_sensible(ProgramContext& unit) {
  const auto says = [&](const model::Action& action) { return action.sensible && possible(unit, action); };
  const bool races = std::any_of(unit.model.windows.begin(), unit.model.windows.end(),
                                 [](const model::Window& w) { return bool(w.race); });
  if (races || std::any_of(unit.model.actions.begin(), unit.model.actions.end(), says))
    unit.program.sensible_only = add_scratch(unit, "sensible only", 0, 1, 0);
}

// 1 where who is asked in this window does only what is sensible; none where all of it always is.
Register sensible_in(const FunctionContext& code, model::WindowId window) {
  const auto says = [&](const model::Action& action) {
    return action.sensible && possible(code.unit, action) && model::is_in(action, window);
  };
  if (std::none_of(code.model.actions.begin(), code.model.actions.end(), says)) return ir::kNoRegister;
  const Register only = code.make(site_local(int_type(1)));
  code.put(Op::load_raw, only, {code.program.sensible_only, code.constant(0)});
  return only;
}

// Who finds nothing sensible does anything, unless passing is left to them.
Register count_sensible(const FunctionContext& code, Offers& offers, Int site, Register sensible, bool may_pass,
                        const model::Expr* pass_when) {
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
  // whose options are listed is asked now: going on would list those of a later decision
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

// First the cards of all, then what stands against each of them that somebody has.
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
    if (asks_nothing(code.unit, g)) return;
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

void list_offers(const FunctionContext& code, Offers& offers) {
  for (const GroupRun& run : offers.runs) {
    if (run.size == 1) list_group(code, offers.groups[run.first], run.count);
    for (std::size_t i = 0; run.size > 1 && i < run.size; ++i) {
      Group& g = offers.groups[run.first + i];
      g.levels[0].ready = true;   // what was found when they were counted
      list_group(code, g, code.integer(Op::set_any, {g.levels[0].domain}, 1));
      g.levels[0].ready = false;
    }
  }
}

void choose_offer(const FunctionContext& code, Offers& offers, Register k, const std::function<void(Group&)>& mine) {
  for (GroupRun& run : offers.runs) {
    BlockIndex here = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, run.count}, 1), here, next);
    code.go_to(here);
    if (run.size == 1) {
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

bool forbid_reads_parameters(const ProgramContext& unit, std::size_t action) {
  for (const model::Forbid& f : unit.model.forbids) {
    bool speaks =
        std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
    if (speaks && !f.patterns.empty()) return true;
  }
  return false;
}

// Goes to `no` if a forbid in force speaks of the action: the strongest kind of rule that says anything decides,
// and inside a kind forbid wins.
void forbids(const FunctionContext& code, std::size_t action, Register me, const std::vector<Register>& arguments,
             const std::vector<Fact>& given, BlockIndex no) {
  if (!forbidden_somewhere(code.unit, action)) return;
  std::vector<BlockIndex> allowed_ends;
  for (auto kind : {model::RuleKind::card, model::RuleKind::option, model::RuleKind::rule}) {
    BlockIndex allowed = code.add_block();
    for (bool allow : {false, true})
      for (const model::Forbid& f : code.model.forbids) {
        if (f.allow != allow || f.head.precedence.kind != kind) continue;
        bool speaks =
            std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
        if (!speaks) continue;
        Env inner;
        bind_locals(inner, f.body);
        if (asking(code)) {
          model::RuleHead head = f.head;
          head.when = nullptr;
          // what may be allowed is offered, and what may or may not be forbidden
          if (code.unit.facts.secrecy.reads_rule(head, f.patterns, given)) {
            if (allow) code.jump(allowed);
            continue;
          }
          inner.facts = code.unit.facts.secrecy.of_rule(f.head, f.patterns, given);
          if (!analysis::is_of_players(code.model, f.head)) inner.facts.put(f.head.me, {.asked = true});
        }
        const FunctionContext of_rule = code.in(inner);
        const Register only = f.head.carrier.kind == CarrierKind::nobody ? me : ir::kNoRegister;
        carriers(of_rule, f.head, {.me = only}, [&](Register m, Register self) {
          BlockIndex next = code.add_block();
          if (f.head.me.valid()) bind(of_rule, f.head.me, analysis::is_of_players(code.model, f.head) ? m : me);
          if (self != ir::kNoRegister) bind(of_rule, f.head.self, self);
          guard(of_rule.asked(allow ? Asking::Mode::may : Asking::Mode::must), f.head, f.patterns, arguments, next);
          if (!allow) note_bent(code, f.head);
          code.jump(allow ? allowed : no);
          code.go_to(next);
        });
      }
    // `allowed` of a stronger kind skips the weaker ones: it leads to the end
    allowed_ends.push_back(allowed);
  }
  BlockIndex end = code.add_block();
  code.jump(end);
  for (const BlockIndex allowed : std::views::reverse(allowed_ends)) {
    code.go_to(allowed);
    code.jump(end);
  }
  code.go_to(end);
}

// Goes to `no` unless the action's carrier, limits and `when` let it be offered at all.
void action_conditions(const FunctionContext& code, std::size_t index, Register me, BlockIndex no) {
  const model::Action& action = code.model.actions[index];
  bind(code, action.head.me, me);
  if (action.head.carrier.kind == CarrierKind::character) {
    BlockIndex yes = code.add_block(), look = code.add_block();
    // a character that nobody knows could be that one
    if (asking(code) && !code.unit.facts.secrecy.is_known_whose(action.head, code.env().facts))
      code.branch(code.integer(Op::knows_value,
                               {me, code.unit.ids.variable[action.head.carrier.character_variable.index], me}, 1),
                  look, yes);
    else
      code.jump(look);
    code.go_to(look);
    code.branch(carrier_in_force(code, action.head, me), yes, no);
    code.go_to(yes);
  }
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = code.unit.limits.of_action.at({index, l});
    if (use.cards || use.per_target) continue;   // looked at per card or target, see level_domain
    BlockIndex unused = code.add_block();
    code.branch(limit_used(code, use, me), no, unused);
    code.go_to(unused);
  }
  bool when_reads_self = action.head.when && action.head.self.valid() && mentions(*action.head.when, action.head.self);
  bool when_reads_parameters = when_reads_self;
  if (action.head.when)
    for (const ActionParameter& p : action.parameters)
      when_reads_parameters = when_reads_parameters || mentions(*action.head.when, p.local);
  if (action.head.when && !when_reads_parameters) {
    BlockIndex holds = code.add_block();
    branch_on(code, *action.head.when, holds, no);
    code.go_to(holds);
  }
  if (!forbid_reads_parameters(code.unit, index)) forbids(code, index, me, {}, {}, no);
}

// What is not sensible is left out where the group says so; by what the player knows: it might be.
static void sensible_only(const FunctionContext& code, const Group& g, BlockIndex no) {
  BlockIndex looked_at = code.add_block(), yes = code.add_block();
  code.branch(g.sensible, looked_at, yes);
  code.go_to(looked_at);
  branch_on(code.asked(reads(code, *g.action->sensible) ? Asking{g.me, Asking::Mode::may} : Asking{}),
            *g.action->sensible, yes, no);
  code.go_to(yes);
}

static bool sensible_reads_parameters(const Group& g) {
  return g.sensible != ir::kNoRegister && std::any_of(g.levels.begin(), g.levels.end(), [&](const Level& l) {
           return mentions(*g.action->sensible, l.local);
         });
}

void pass_all(const FunctionContext& code, const std::vector<const model::Expr*>& conditions, BlockIndex no) {
  for (const model::Expr* condition : conditions) {
    BlockIndex yes = code.add_block();
    branch_on(code, *condition, yes, no);
    code.go_to(yes);
  }
}

// What an element must pass beyond its own `where`: the last level also looks at limits per card or target, at a `when`
// that reads parameters, and at forbids that do.
void element_conditions(const FunctionContext& code, Group& g, std::size_t level, Register element, BlockIndex no) {
  Level& l = g.levels[level];
  bind(code, l.local, element);
  pass_all(code, l.where, no);
  extra_conditions(code, g, level, element, no);
}

bool has_extra(const ProgramContext& unit, const Group& g, std::size_t level) {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = unit.limits.of_action.at({g.index, i});
    if (use.cards && level == 0) return true;
    if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) return true;
  }
  if (level + 1 != g.levels.size()) return false;
  if (forbid_reads_parameters(unit, g.index) || sensible_reads_parameters(g)) return true;
  if (!action.head.when) return false;
  return std::any_of(g.levels.begin(), g.levels.end(),
                     [&](const Level& l) { return mentions(*action.head.when, l.local); });
}

static std::size_t parameter_level(const Group& g, std::size_t parameter) {
  const auto of_it = [&](const Level& l) { return l.parameter == &g.action->parameters[parameter]; };
  return static_cast<std::size_t>(std::find_if(g.levels.begin(), g.levels.end(), of_it) - g.levels.begin());
}

void extra_conditions(const FunctionContext& code, Group& g, std::size_t level, Register element, BlockIndex no) {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = code.unit.limits.of_action.at({g.index, i});
    BlockIndex unused = code.add_block();
    if (use.cards && level == 0) {
      Register used = code.set(Op::load_set, {use.variable, code.constant(0)});
      code.branch(code.integer(Op::set_has, {used, element}, 1), no, unused);
    } else if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) {
      code.branch(code.integer(Op::load_raw, {use.variable, limit_index(code, g.me, element)}, 1), no, unused);
    } else {
      code.jump(unused);
    }
    code.go_to(unused);
  }
  if (level + 1 != g.levels.size()) return;
  if (action.head.when && std::any_of(g.levels.begin(), g.levels.end(),
                                      [&](const Level& l) { return mentions(*action.head.when, l.local); })) {
    BlockIndex yes = code.add_block();
    branch_on(code, *action.head.when, yes, no);
    code.go_to(yes);
  }
  if (forbid_reads_parameters(code.unit, g.index)) {
    std::vector<Register> arguments;
    std::vector<Fact> given;
    for (const Level* written : as_written(g))
      if (written->parameter) {
        arguments.push_back(read_local(code, written->local));
        given.push_back(code.env().facts.of(written->local));
      }
    forbids(code, g.index, g.me, arguments, given, no);
  }
  if (sensible_reads_parameters(g)) sensible_only(code, g, no);
}

// One of those that the actor can't tell apart. Where others answer at the same time, only among the actor's own cards.
Register lookalikes(const FunctionContext& code, Register domain, const Group& g, const model::Expr* named) {
  if (!by_id(code.unit, *g.action) || !named) return code.set(Op::set_lookalikes, {domain});
  Register own = ir::kNoRegister;
  auto visit = [&](auto&& self, const model::Expr& e) -> void {
    const model::Expr* owner = e.kind == model::ExprKind::zone ? view::zone(e).owner() : nullptr;
    if (owner && owner->kind == model::ExprKind::local && owner->local == g.action->head.me) {
      Register zone = expr(code, e);
      own = own == ir::kNoRegister ? zone : code.set(Op::set_or, {own, zone});
    }
    for (const model::Expr* a : e.args)
      if (a) self(self, *a);
  };
  visit(visit, *named);
  if (own == ir::kNoRegister) return domain;
  return code.set(Op::set_or, {code.set(Op::set_lookalikes, {code.set(Op::set_and, {domain, own})}),
                               code.set(Op::set_without, {domain, own})});
}

// The elements a level offers, as a set or mask, with everything looked at that can be seen without the later levels.
static Register level_domain(const FunctionContext& code, Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return l.domain;
  bool cards = is_wide_element(code.unit, l.type);
  if (l.domain == ir::kNoRegister) l.domain = code.make(site_local(cards ? set_of(l.type) : int_type(8)));
  Register domain;
  if (!l.parameter) {
    domain = carrier_cards(code, g.action->head, g.me);
    if (asking(code) && !code.unit.facts.secrecy.is_known_whose(g.action->head, code.env().facts))
      domain = code.set(Op::set_known, {g.me, domain});
  } else {
    const ActionParameter& p = *l.parameter;
    const Offered all = elements_offered(code, p, l.local);
    const Register unseen = all.unseen;
    domain = all.fitting;
    const Taken taken(code, l.local, p.domain);
    for (const model::Expr* where : l.where) domain = filtered(taken, domain, cards, l.local, where);
    if (l.unseen) find_unseen(taken, g, level, unseen);
    if (p.count == PickCount::exactly) {   // a cost: offered only to who has enough
      Register count = code.integer(cards ? Op::set_count : Op::mask_count, {domain});
      if (l.unseen) count = code.integer(Op::add_small, {count, code.integer(Op::set_count, {unseen})});
      Register enough = code.integer(Op::le, {as_known(code, *p.amount, [&] { return code.constant(0); }), count}, 1);
      if (l.unseen) code.put(Op::select, l.extras, {enough, l.extras, code.constant(0)});
      if (cards)
        domain = code.set(Op::set_select, {enough, domain, empty_set(code, l.type)});
      else
        domain = code.integer(Op::select, {enough, domain, code.constant(0)});
    }
  }
  if (has_extra(code.unit, g, level)) {
    Register kept = code.make(code.type(domain));
    make_empty(code, kept);
    for_each(code, domain, cards, [&](Register element) {
      BlockIndex no = code.add_block();
      bind(code, l.local, element);
      extra_conditions(code, g, level, element, no);
      put_in(code, kept, element);
      code.jump(no);
      code.go_to(no);
    });
    domain = kept;
  }
  // last: of two alike one may be used up while the other is not
  if (l.type.kind == TypeKind::card)
    domain = lookalikes(code, domain, g, l.parameter ? l.parameter->domain : nullptr);
  else if (!cards && !by_id(code.unit, *g.action))
    domain = dice_apart(code, domain, l.type, g.me);
  code.assign(l.domain, domain);
  return l.domain;
}

Offered elements_offered(const FunctionContext& code, const ActionParameter& p, model::LocalId element) {
  if (!p.domain) return {universe(code, p.type)};
  if (p.type.kind != TypeKind::card) return {as_known(code, *p.domain, [&] { return universe(code, p.type); })};
  return offered_domain_where(code, *p.domain, element, {p.where});
}

// Cards that the actor does not know: a bit for each zone in which one lies that could do.
static void find_unseen(const FunctionContext& code, Group& g, std::size_t level, Register unseen) {
  Level& l = g.levels[level];
  if (l.extras == ir::kNoRegister) {
    l.extras = code.make(site_local(int_type(8)));
    l.unseen_cards = code.make(site_local(set_type()));
  }
  code.assign(l.unseen_cards, unseen_that_fit(code, unseen, l.local, tells_unseen_apart(code.unit, g, level),
                                              [&](Register one, BlockIndex no) {
                                                pass_all(code, l.where, no);
                                                if (has_extra(code.unit, g, level))
                                                  extra_conditions(code, g, level, one, no);
                                              }));
  code.assign(l.extras, zones_of_unseen(code, l.unseen_cards));
}

static bool is_interval(const FunctionContext& code, Group& g, std::size_t level) {
  std::vector<const model::Expr*> left;
  if (code.unit.plain || !g.levels[level].integers || has_extra(code.unit, g, level)) return false;
  bounds_among(code, g.levels[level].where, g.levels[level].local, left);
  return left.empty();
}

// Between which numbers a level's lie; and whether all between them are offered, so that nobody walks through them.
static void level_bounds(const FunctionContext& code, Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return;
  if (l.low == ir::kNoRegister) l.low = code.make(site_local(int_type(8))), l.high = code.make(site_local(int_type(8)));
  code.assign_constant(l.low, l.type.lo);
  code.assign_constant(l.high, l.type.hi);
  std::vector<const model::Expr*> left;
  narrow_numbers(code, bounds_among(code, l.where, l.local, left), l.local, l.low, l.high);
}

// Calls `body` with every element and its digit; where some may be unseen it is written twice.
// Every element of the level; numbers that fit into no mask are walked through between their bounds.
static void each_element(const FunctionContext& code, Group& g, std::size_t level,
                         const std::function<void(Register, Register, BlockIndex next)>& body) {
  Level& l = g.levels[level];
  if (l.only) {
    const Register one = code.constant(bounds(code.unit, l.type).lo);
    BlockIndex next = code.add_block();
    element_conditions(code, g, level, one, next);
    body(one, level_digit(code, g, l, one), next);
    code.jump(next);
    code.go_to(next);
    return;
  }
  if (!l.integers) {
    for_each(code, level_domain(code, g, level), is_wide_element(code.unit, l.type), [&](Register element) {
      bind(code, l.local, element);
      BlockIndex next = code.add_block();
      body(element, level_digit(code, g, l, element), next);
      code.jump(next);
      code.go_to(next);
    });
    if (!l.unseen) return;
    for_each(code, l.extras, false, [&](Register bit) {
      Register one = code.make(register_type(code.unit, simple(TypeKind::card)));
      code.put(Op::set_first, one, {unseen_in(code, l.unseen_cards, bit)});
      bind(code, l.local, one);
      code.env().facts.put(l.local, {.placed = true, .unseen = true});
      BlockIndex next = code.add_block();
      body(one, code.integer(Op::add_small, {bit, code.constant(level_info(code.unit, g, l).unseen)}), next);
      code.jump(next);
      code.go_to(next);
      code.env().facts.put(l.local, kSeen);
    });
    return;
  }
  level_bounds(code, g, level);
  std::vector<const model::Expr*> left;
  bounds_among(code, l.where, l.local, left);
  Register v = code.make_int();
  code.assign(v, l.low);
  BlockIndex head = code.add_block(), inside = code.add_block(), step = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::le_small, {v, l.high}, 1), inside, done);
  code.go_to(inside);
  bind(code, l.local, v);
  pass_all(code, left, step);
  extra_conditions(code, g, level, v, step);
  body(v, level_digit(code, g, l, v), step);
  code.jump(step);
  code.go_to(step);
  fuel(code, -std::min(bounds(code.unit, l.type).hi - bounds(code.unit, l.type).lo + 1, kUnlimited));
  code.put(Op::add_small, v, {v, code.constant(1)});
  code.jump(head);
  code.go_to(done);
}

// Whether any of the levels behind it depends on what is chosen before.
static bool later_depend(const Group& g, std::size_t level) {
  return std::any_of(g.levels.begin() + static_cast<std::ptrdiff_t>(level) + 1, g.levels.end(),
                     [](const Level& l) { return !l.independent; });
}

// `at_first`: where to go with the first option of the first level, if that is enough.
static Register count_level(const FunctionContext& code, Group& g, std::size_t level,
                            std::optional<BlockIndex> at_first) {
  Level& l = g.levels[level];
  const bool last = level + 1 == g.levels.size();
  const bool interval = is_interval(code, g, level), walked = (l.integers && !interval) || l.only;
  Register total = code.make_int();
  code.assign_constant(total, 0);
  if (later_depend(g, level) || (walked && !last)) {
    each_element(code, g, level, [&](Register, Register, BlockIndex next) {
      const Register here = count_level(code, g, level + 1, std::nullopt);
      if (at_first)
        code.branch(here, *at_first, next);
      else
        code.put(Op::add_small, total, {total, here});
    });
    return total;
  }
  if (walked) {
    each_element(code, g, level, [&](Register, Register, BlockIndex) {
      code.put(Op::add_small, total, {total, code.constant(1)});
    });
    return total;
  }
  Register size = ir::kNoRegister;
  if (interval) {
    level_bounds(code, g, level);
    size = count_numbers(code, l.low, l.high);
  } else {
    size = count_of(code, level_domain(code, g, level));
  }
  if (l.unseen) size = code.integer(Op::add_small, {size, code.integer(Op::mask_count, {l.extras})});
  if (last) {
    code.assign(total, size);
    return total;
  }
  if (l.rest == ir::kNoRegister) l.rest = code.make(site_local(int_type(8)));
  BlockIndex some = code.add_block(), after = code.add_block();
  code.assign_constant(l.rest, 0);
  code.branch(size, some, after);
  code.go_to(some);
  code.assign(l.rest, count_level(code, g, level + 1, std::nullopt));
  code.put(Op::mul_small, total, {size, l.rest});
  code.jump(after);
  code.go_to(after);
  return total;
}

static bool asks_nothing(const ProgramContext& unit, const Group& g) {
  const model::Action& action = *g.action;
  if (g.levels.size() != 1 || action.head.carrier.kind != CarrierKind::card || action.head.when ||
      forbidden_somewhere(unit, g.index))
    return false;
  for (std::size_t i = 0; i < action.limits.size(); ++i)
    if (const LimitUse& use = unit.limits.of_action.at({g.index, i}); !use.cards && !use.per_target) return false;
  return true;
}

Register count_group(const FunctionContext& asked, Group& g, std::optional<BlockIndex> at_first) {
  const FunctionContext code = offering(asked, g);
  g.count = code.make_int();
  code.assign_constant(g.count, 0);
  BlockIndex done = code.add_block();
  // most plays fail for want of the card: that is looked at first
  if (g.action->play && !g.levels.empty() && g.levels[0].type.kind == TypeKind::card && !asks_nothing(code.unit, g)) {
    bind(code, g.action->head.me, g.me);
    Register cards = level_domain(code, g, 0);
    BlockIndex some = code.add_block();
    code.branch(code.integer(Op::set_any, {cards}, 1), some, done);
    code.go_to(some);
    g.levels[0].ready = true;
  }
  action_conditions(code, g.index, g.me, done);
  if (g.sensible != ir::kNoRegister && !sensible_reads_parameters(g)) sensible_only(code, g, done);
  if (g.levels.empty())
    code.assign_constant(g.count, 1);
  else
    code.assign(g.count, count_level(code, g, 0, at_first));
  if (!g.levels.empty()) g.levels[0].ready = false;
  code.jump(done);
  code.go_to(done);
  return g.count;
}

// Where the later levels don't depend on it, the k-th option says by its number which element it has.
static void select_by_number(const FunctionContext& code, Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  const bool last = level + 1 == g.levels.size();
  Register here = k, below = k;
  if (!last) {
    here = code.integer(Op::div_small, {k, l.rest});
    below = code.integer(Op::mod_small, {k, l.rest});
  }
  if (l.unseen) {
    BlockIndex seen = code.add_block(), unseen = code.add_block(), after = code.add_block();
    const Register known = code.integer(Op::set_count, {l.domain});
    code.branch(code.integer(Op::lt_small, {here, known}, 1), seen, unseen);
    code.go_to(seen);
    code.put(Op::set_nth, l.chosen, {l.domain, here});
    code.assign(l.digit, level_digit(code, g, l, l.chosen));
    code.jump(after);
    code.go_to(unseen);   // which of them it is shows now
    const Register bit = code.integer(Op::mask_nth, {l.extras, code.integer(Op::sub_small, {here, known})});
    code.put(Op::set_random, l.chosen, {unseen_in(code, l.unseen_cards, bit)});
    code.put(Op::add_small, l.digit, {bit, code.constant(level_info(code.unit, g, l).unseen)});
    code.jump(after);
    code.go_to(after);
  } else {
    if (is_interval(code, g, level))
      code.put(Op::add_small, l.chosen, {l.low, here});
    else
      code.put(is_wide_element(code.unit, l.type) ? Op::set_nth : Op::mask_nth, l.chosen, {l.domain, here});
    code.assign(l.digit, level_digit(code, g, l, l.chosen));
  }
  bind(code, l.local, l.chosen);
  if (!last) select_level(code, g, level + 1, below);
}

// Else the options of one element after the other are counted once more, until the k-th is among them.
static void select_by_counting(const FunctionContext& code, Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  const bool last = level + 1 == g.levels.size();
  Register left = code.make_int();
  code.assign(left, k);
  BlockIndex found = code.add_block();
  l.ready = level == 0 && !l.only;   // it stands since the options were counted
  each_element(code, g, level, [&](Register element, Register digit, BlockIndex next) {
    Register here = last ? code.constant(1) : count_level(code, g, level + 1, std::nullopt);
    BlockIndex this_one = code.add_block(), other = code.add_block();
    code.branch(code.integer(Op::lt_small, {left, here}, 1), this_one, other);
    code.go_to(this_one);
    code.assign(l.chosen, element);
    code.assign(l.digit, digit);
    code.jump(found);
    code.go_to(other);
    code.put(Op::sub_small, left, {left, here});
    code.jump(next);
  });
  l.ready = false;
  code.effect(Op::trap, {Int(Trap::fell_through)});
  code.go_to(found);
  auto later = [&] {   // whose domains are still those of this element
    bind(code, l.local, l.chosen);
    if (!last) select_level(code, g, level + 1, left);
  };
  if (!l.unseen) return later();
  BlockIndex seen = code.add_block(), unseen = code.add_block(), after = code.add_block();
  const Register first_unseen = code.constant(level_info(code.unit, g, l).unseen);
  code.branch(code.integer(Op::lt_small, {l.digit, first_unseen}, 1), seen, unseen);
  code.go_to(seen);
  later();
  code.jump(after);
  code.go_to(unseen);   // drawn first, as where each is chosen by itself
  const Register shown = code.make(register_type(code.unit, l.type));
  code.put(Op::set_random, shown,
           {unseen_in(code, l.unseen_cards, code.integer(Op::sub_small, {l.digit, first_unseen}))});
  code.env().facts.put(l.local, {.placed = true, .unseen = true});
  later();
  code.env().facts.put(l.local, kSeen);
  code.assign(l.chosen, shown);
  code.jump(after);
  code.go_to(after);
  bind(code, l.local, l.chosen);
}

static void select_level(const FunctionContext& code, Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  if (l.chosen != ir::kNoRegister && l.digit == ir::kNoRegister) {   // it was counted with others
    l.digit = level_digit(code, g, l, l.chosen);
    bind(code, l.local, l.chosen);
    return;
  }
  if (l.chosen == ir::kNoRegister) {
    l.chosen = code.make(register_type(code.unit, l.type));
    l.digit = code.make_int();
  }
  if (l.only && level + 1 < g.levels.size()) {   // what was counted stands for it
    code.assign_constant(l.chosen, bounds(code.unit, l.type).lo);
    code.assign(l.digit, level_digit(code, g, l, l.chosen));
    bind(code, l.local, l.chosen);
    return select_level(code, g, level + 1, k);
  }
  const bool walked = l.only || (l.integers && !is_interval(code, g, level));
  if (walked || later_depend(g, level)) return select_by_counting(code, g, level, k);
  select_by_number(code, g, level, k);
}

static void list_level(const FunctionContext& code, Group& g, std::size_t level, Register id) {
  Level& l = g.levels[level];
  each_element(code, g, level, [&](Register element, Register digit, BlockIndex) {
    bind(code, l.local, element);
    Register next = code.integer(Op::add_small,
                                 {id, code.integer(Op::mul_small, {digit, code.constant(radix_of(code.unit, g, l))})});
    if (level + 1 < g.levels.size()) return list_level(code, g, level + 1, next);
    list_option(code, next);
  });
}

// `some`: if there is any.
static void list_group(const FunctionContext& code, Group& g, Register some) {
  BlockIndex yes = code.add_block(), after = code.add_block();
  code.branch(some, yes, after);
  code.go_to(yes);
  const Int base = code.program.actions[code.unit.ids.action[g.index]].base;
  if (g.levels.empty())
    list_option(code, code.constant(base));
  else
    list_level(offering(code, g), g, 0, code.constant(base));
  code.jump(after);
  code.go_to(after);
}

// ---------------------------------------------------------------- what was chosen

// The chosen option of a group: finds the arguments, asks for the rest of a set, and does the action.
Chosen pick_arguments(const FunctionContext& asked, Group& g, Register k, bool flow) {
  const FunctionContext code = offering(asked, g);
  Chosen chosen;
  const Int base = code.program.actions[code.unit.ids.action[g.index]].base;
  if (!g.levels.empty()) select_level(code, g, 0, k);
  Register id = code.constant(base), truth = code.constant(base);
  bool unseen = false;
  for (const Level& l : g.levels) {
    const Int radix = radix_of(code.unit, g, l);
    id = code.integer(Op::add_small, {id, code.integer(Op::mul_small, {l.digit, code.constant(radix)})});
    if (l.unseen) unseen = true;
    truth = code.integer(Op::add_small,
                         {truth, code.integer(Op::mul_small, {l.unseen ? level_digit(code, g, l, l.chosen) : l.digit,
                                                              code.constant(radix)})});
  }
  chosen.id = id;
  chosen.truth = unseen ? truth : id;
  code.effect(Op::chosen, {chosen.id});
  chosen.arguments.push_back(g.me);
  for (const Level* l : as_written(g)) {
    const bool one = !l->parameter || l->parameter->count == PickCount::one;
    chosen.arguments.push_back(one ? l->chosen : more_of_set(code, g, g.levels.back(), flow));   // a set is the last
  }
  return chosen;
}

void do_group(const FunctionContext& code, Group& g, Register k, bool flow) {
  const Range asked = code.where();
  const Chosen chosen = pick_arguments(code, g, k, flow);
  code.at(asked);
  if (!code.unit.facts.offers.may_be_wrong(g.index)) {
    call(code, code.unit.functions.action[g.index], chosen.arguments);
    return;
  }
  BlockIndex right = code.add_block(), wrong = code.add_block(), after = code.add_block();
  code.branch(holds(code, g.index, chosen.arguments), right, wrong);
  code.go_to(right);
  call(code, code.unit.functions.action[g.index], chosen.arguments);
  code.jump(after);
  code.go_to(wrong);
  do_wrong(code, g, chosen);
  code.jump(after);
  code.go_to(after);
}

// It was offered for all its actor knew, and does not hold.
static void do_wrong(const FunctionContext& asked, Group& g, const Chosen& chosen) {
  const FunctionContext code = asked.in(g.env);
  std::size_t at = 1;
  bind(code, g.action->head.me, g.me);
  if (g.action->head.carrier.kind == CarrierKind::card) bind(code, g.action->head.self, chosen.arguments[at++]);
  use_up_limits_by(code, g.index, chosen.arguments);
  for (const ActionParameter& p : g.action->parameters) {
    bind(code, p.local, chosen.arguments[at++]);
    if (p.count != PickCount::one) break;
  }
  block(code, g.action->wrong);
}

}  // namespace cardwright::lower
