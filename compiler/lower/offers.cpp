// What a window offers: for each action that fits how many options it has (a group), and which of them was chosen.
//
// A decision site counts the options of its groups, adds up, decides, and finds the chosen one by counting down. Groups
// are masks where the parameters don't depend on each other, loops where they do. Many actions are cards to play and
// nothing else: such groups in a row are one set of cards, and a table says whose card was chosen.
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// While an action that may be wrong is offered, its conditions are read as the asked player may.
struct Lowering::Offering {
  Offering(Lowering& lowering, const Group& g) : of(lowering), outer(lowering.asking_) {
    of.asking_ = of.offers_.may_be_wrong(g.index) ? Asking{g.me, Asking::Mode::may} : Asking{};
  }
  ~Offering() { of.asking_ = outer; }
  Offering(const Offering&) = delete;
  Lowering& of;
  Asking outer;
};

// ---------------------------------------------------------------- groups

Lowering::Offered Lowering::told_apart(Register all) {
  const Register known = b().set(Op::set_known, {asking_.player, all});
  return {known, b().set(Op::set_without, {all, known})};
}

// Of a zone that the player sees into, it is asked only of what lies there face down.
Lowering::Offered Lowering::told_apart(const model::Expr& e) {
  if (e.kind != model::ExprKind::zone || facedown_zone_[e.ref] < 0 || !secrecy_.sees_into(e, env().facts))
    return told_apart(expr(e));
  const Register instance =
      zone_instance(e.ref, e.args.size() > 0 ? e.args[0] : nullptr, e.args.size() > 1 ? e.args[1] : nullptr);
  const Register up = b().set(Op::zone_cards, {instance}),
                 down = b().set(Op::zone_cards, {facedown_instance(e.ref, instance)});
  const Register known = b().set(Op::set_known, {asking_.player, down});
  return {b().set(Op::set_or, {up, known}), b().set(Op::set_without, {down, known})};
}

Lowering::Offered Lowering::offered_either(const Offered& a, const Offered& c) {
  Offered both{b().set(Op::set_or, {a.fitting, c.fitting})};
  if (a.unseen == ir::kNoRegister || c.unseen == ir::kNoRegister)
    both.unseen = a.unseen == ir::kNoRegister ? c.unseen : a.unseen;
  else both.unseen = b().set(Op::set_or, {a.unseen, c.unseen});
  return both;
}

// Where they may lie at most.
Register Lowering::cards_that_could_be(const model::Expr& e) {
  switch (e.kind) {
    case model::ExprKind::filter: case model::ExprKind::best:
    case model::ExprKind::set_minus: return cards_that_could_be(*e.args[0]);
    case model::ExprKind::set_union:
      return b().set(Op::set_or, {cards_that_could_be(*e.args[0]), cards_that_could_be(*e.args[1])});
    case model::ExprKind::conditional:
      return b().set(Op::set_or, {cards_that_could_be(*e.args[1]), cards_that_could_be(*e.args[2])});
    default: break;
  }
  if (!reads(e)) return expr(e);
  if (!fact(e).placed) return const_cards(card_id_);
  const Register all = b().make_set();
  b().put(Op::set_empty, all, {});
  const analysis::Reads read = analysis::reads_of(model_, e);
  for (std::uint32_t z = 0; z < model_.zones.size(); ++z) {
    if (!read.zones && !read.anything && !read.entered.count(z)) continue;
    const ZoneSlot& slot = program_.zones[z];
    for (Int i = 0; i < slot.owners * slot.copies; ++i)
      b().put(Op::set_or, all, {all, zone_set(z, b().constant(slot.first + i))});
  }
  return all;
}

Lowering::Offered Lowering::offered_domain(const model::Expr& e) {
  using model::ExprKind;
  if (!asking()) return {expr(e)};
  if (!reads(e)) {
    if (fact(e).named) return {expr(e)};
    return told_apart(e);
  }
  switch (e.kind) {
    case ExprKind::filter: {
      if (e.type.kind == TypeKind::list) break;
      const Taken taken(*this, e.local, e.args[0]);
      return offered_of(offered_domain_where(*e.args[0], e.local, {e.args[1]}), true, e.local, e.args[1]);
    }
    case ExprKind::set_union: {
      const Offered first = offered_domain(*e.args[0]);
      return offered_either(first, offered_domain(*e.args[1]));
    }
    case ExprKind::conditional: {
      Offered all{empty_set(*e.type.elem), empty_set(*e.type.elem)};
      const auto take = [&](const model::Expr& part) {
        const Offered some = offered_domain(part);
        b().put(Op::set_or, all.fitting, {all.fitting, some.fitting});
        if (some.unseen != ir::kNoRegister) b().put(Op::set_or, all.unseen, {all.unseen, some.unseen});
      };
      BlockIndex yes = b().add_block(), other = b().add_block(), no = b().add_block(), after = b().add_block();
      branch_on(*e.args[0], yes, other);
      b().go_to(yes);
      take(*e.args[1]);
      b().jump(other);
      b().go_to(other);
      asking_.mode = Asking::Mode::must;
      branch_on(*e.args[0], after, no);
      asking_.mode = Asking::Mode::may;
      b().go_to(no);
      take(*e.args[2]);
      b().jump(after);
      b().go_to(after);
      return all;
    }
    default: break;
  }
  return told_apart(as_known(e, [&] { return cards_that_could_be(e); }));
}

// Of cards that a rule names, alone or among others, those that are not known to lie anywhere could be any that are
// unseen.
Lowering::Offered Lowering::offered_domain_where(const model::Expr& e, model::LocalId element,
                                                 std::initializer_list<const model::Expr*> conditions) {
  if (!asking()) return {expr(e)};
  const Fact sure = fact(e);
  const bool unseen = offers_.may_be_unseen(e, element, conditions, env().facts);
  env().facts.put(element, unseen ? kSeen : sure);
  if (!unseen || sure.placed) return offered_domain(e);
  const Register named = as_known(e, [&] { return cards_that_could_be(e); });
  return {b().set(Op::set_known, {asking_.player, named}), told_apart(const_cards(card_id_)).unseen};
}

Lowering::Taken::Taken(Lowering& lowering, model::LocalId element, const model::Expr* zone)
    : of(lowering), outer(lowering.taken_), env(&lowering.env()), element(element), zone(zone) {
  of.taken_ = this;
}

std::optional<Register> Lowering::known_where_taken(model::LocalId element, const model::Expr& who) {
  const Taken* taken = taken_;
  while (taken && (taken->env != &env() || taken->element != element)) taken = taken->outer;
  const model::Expr* zone = taken ? taken->zone : nullptr;
  if (!zone || zone->kind != model::ExprKind::zone || facedown_zone_[zone->ref] < 0) return std::nullopt;
  Facts at = analysis::facts_for(&who, {});
  if (!secrecy_.sees_into(*zone, at)) return std::nullopt;
  const Register instance = zone_instance(zone->ref, zone->args.size() > 0 ? zone->args[0] : nullptr,
                                          zone->args.size() > 1 ? zone->args[1] : nullptr);
  const Register down = b().set(Op::zone_cards, {facedown_instance(zone->ref, instance)});
  return b().set(Op::set_or, {b().set(Op::zone_cards, {instance}), b().set(Op::set_known, {expr(who), down})});
}

const ParameterInfo& Lowering::level_info(const Group& g, const Level& l) const {
  return program_.actions[action_info_[g.index]].parameters[l.written];
}
Register Lowering::level_digit(const Group& g, const Level& l, Register element) {
  return l.type.kind == TypeKind::card ? card_digit(level_info(g, l), element) : digit(l.type, element);
}

Register Lowering::zones_of_unseen(Register cards) {
  std::vector<Int> bits(static_cast<std::size_t>(program_.layout.instances), kNone);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (program_.layout.instance[i].hidden_bit >= 0) bits[i] = program_.layout.instance[i].hidden_bit;
  const Int table = table_index(bits);
  Register zones = b().make_int();
  b().assign_constant(zones, 0);
  for_each(cards, true, [&](Register card) {
    const Register bit = b().integer(Op::table, {table, b().integer(Op::zone_of, {card, b().constant(kNone)})});
    b().put(Op::mask_or, zones, {zones, b().integer(Op::mask_of, {bit})});
  });
  return zones;
}

Register Lowering::unseen_in(Register cards, Register bit) {
  const Layout& l = program_.layout;
  const Register instance = b().integer(
      Op::table_small,
      {table_index(std::vector<Int>(l.hidden_instance, l.hidden_instance + std::max<Int>(1, l.hidden))), bit});
  return b().set(Op::set_and, {cards, b().set(Op::zone_cards, {instance})});
}

// Those of which the player must think that they could do. One stands for all that lie in the same zone, unless `each`
// is tested by itself.
Register Lowering::unseen_that_fit(Register unseen, model::LocalId element, bool each,
                                   const std::function<void(Register one, BlockIndex no)>& test) {
  const Register fitting = b().make_set();
  if (each) b().put(Op::set_empty, fitting, {});
  else b().assign(fitting, unseen);
  const auto tested = [&](Register one, BlockIndex no) {
    bind(element, one);
    env().facts.put(element, {.placed = true, .unseen = true});
    test(one, no);
  };
  const auto all_that_lie_there = [&](Register bit) {
    const Register there = unseen_in(unseen, bit), one = b().make(register_type(simple(TypeKind::card)));
    b().put(Op::set_first, one, {there});
    BlockIndex no = b().add_block(), next = b().add_block();
    tested(one, no);
    b().jump(next);
    b().go_to(no);
    b().put(Op::set_without, fitting, {fitting, there});
    b().jump(next);
    b().go_to(next);
  };
  const auto by_itself = [&](Register one) {
    BlockIndex no = b().add_block();
    tested(one, no);
    b().put(Op::set_add, fitting, {fitting, one});
    b().jump(no);
    b().go_to(no);
  };
  if (each) for_each(unseen, true, by_itself);
  else for_each(zones_of_unseen(unseen), false, all_that_lie_there);
  env().facts.put(element, kSeen);
  return fitting;
}

// Where cards are kept, as in `c in chosen_before`, one that lies in a hand is known from the next, though nobody knows
// which cards they are. What is printed on it, and where it lies, tells none from the others.
bool Lowering::tells_unseen_apart(const model::Expr& e, model::LocalId element) const {
  using model::ExprKind;
  const auto told = [&](const model::Expr* a) { return a && tells_unseen_apart(*a, element); };
  const auto is_element = [&](const model::Expr* a) { return a && a->kind == ExprKind::local && a->local == element; };
  switch (e.kind) {
    case ExprKind::local: return e.local == element;
    case ExprKind::attribute: case ExprKind::kind_of: case ExprKind::counts_as: case ExprKind::part_of:
    case ExprKind::faces: case ExprKind::is_none:
      return std::any_of(e.args.begin() + is_element(e.args[0]), e.args.end(), told);
    case ExprKind::in_set:                                 // a zone has all that lie there, or none
      if (is_element(e.args[0]) && e.args[1]->kind == ExprKind::zone)
        return std::any_of(e.args[1]->args.begin(), e.args[1]->args.end(), told);
      return std::any_of(e.args.begin(), e.args.end(), told);
    case ExprKind::call_value: case ExprKind::call_function: {
      const model::Expr* body = said_body(e);
      const auto& parameters =
          e.kind == ExprKind::call_value ? model_.values[e.ref].parameters : model_.functions[e.ref].parameters;
      if (!body || parameters.size() != e.args.size()) return std::any_of(e.args.begin(), e.args.end(), told);
      for (std::size_t i = 0; i < e.args.size(); ++i)
        if (is_element(e.args[i]) ? tells_unseen_apart(*body, parameters[i].local) : told(e.args[i])) return true;
      return false;
    }
    default: return std::any_of(e.args.begin(), e.args.end(), told);
  }
}

bool Lowering::tells_unseen_apart(const Group& g, std::size_t level) const {
  const Level& l = g.levels[level];
  const auto told = [&](const model::Expr* e) { return e && tells_unseen_apart(*e, l.local); };
  if (std::any_of(l.where.begin(), l.where.end(), told)) return true;
  if (!has_extra(g, level)) return false;
  bool by_card = false;
  for (std::size_t i = 0; i < g.action->limits.size(); ++i) by_card |= level == 0 && limits_.at({g.index, i}).cards;
  return by_card || told(g.action->head.when) || (level + 1 == g.levels.size() && forbid_reads_parameters(g.index));
}

// Numbers that no mask holds.
bool Lowering::is_walked(const ActionParameter& p) {
  return p.type.kind == TypeKind::listed ||
         (p.type.kind == TypeKind::integer && !p.domain && (p.type.lo < 0 || p.type.hi > model::kMostInSet));
}

// What an action is told, in the order it is written; the rest of a set is asked for later.
std::vector<Lowering::Level> Lowering::levels_of(const model::Action& action) {
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
    if (p.count != PickCount::one) break;                  // its further elements are decisions of their own
  }
  return levels;
}

// Where there is only one to choose, it is known before the rest, of which then more is a mask. The order of options
// stays.
void Lowering::only_ones_first(std::vector<Level>& levels) {
  for (Level& l : levels) {
    const bool number = l.parameter && (l.type.kind == TypeKind::integer || l.type.kind == TypeKind::enumeration);
    l.only = number && !l.parameter->domain && l.parameter->count == PickCount::one && !l.type.optional &&
             !l.integers && bounds(l.type).lo == bounds(l.type).hi;
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
std::vector<const Lowering::Level*> Lowering::as_written(const Group& g) {
  std::vector<const Level*> levels(g.levels.size());
  for (const Level& l : g.levels) levels[l.written] = &l;
  return levels;
}

// What one more of a level's digit adds to an option's id.
Int Lowering::radix_of(const Group& g, const Level& level) const {
  Int radix = 1;
  for (const Level& l : g.levels)
    if (l.written > level.written) radix *= level_info(g, l).count;
  return radix;
}

std::vector<Lowering::Group> Lowering::groups_for(model::WindowId window, Register player, Register sensible) {
  std::vector<Group> groups;
  for (bool passes : {false, true})
    for (std::size_t a = 0; a < model_.actions.size(); ++a) {
      const model::Action& action = model_.actions[a];
      if (action.passes != passes || !model::is_in(action, window) || !possible(action)) continue;
      Group g;
      g.action = &action;
      g.index = a;
      g.me = player;
      if (action.sensible) g.sensible = sensible;
      bind_locals(g.env, action.body);
      g.env.facts = offers_.facts_of(action);
      g.levels = levels_of(action);
      if (!plain_) only_ones_first(g.levels);
      for (std::size_t i = 0; i < g.levels.size(); ++i) {
        Level& l = g.levels[i];
        if (plain_) l.independent = false;
        if (!l.parameter) continue;
        const ActionParameter& p = *l.parameter;
        l.unseen = offers_.may_be_unseen(p, g.env.facts);
        for (std::size_t k = 0; k < i; ++k) {
          const auto named = [&](const model::Expr* e) { return e && mentions(*e, g.levels[k].local); };
          if (named(p.domain) || named(p.amount) || std::any_of(l.where.begin(), l.where.end(), named))
            l.independent = false;
        }
      }
      const bool when_joins = action.head.when && g.levels.size() > 1 &&
                              std::any_of(g.levels.begin(), g.levels.end() - 1,
                                          [&](const Level& l) { return mentions(*action.head.when, l.local); });
      if (g.levels.size() > 1 && (when_joins || forbid_reads_parameters(a) || sensible_reads_parameters(g)))
        g.levels.back().independent = false;
      groups.push_back(std::move(g));
    }
  return groups;
}

// The ids of the cards that may be its options, in ascending order, if an option is a card and nothing else, and which
// cards fit is known when compiling. Else none.
std::vector<Int> Lowering::cards_alone(Group& g) {
  if (plain_ || g.levels.size() != 1 || g.action->must || g.sensible != ir::kNoRegister ||
      offers_.may_be_wrong(g.index) || has_extra(g, 0))
    return {};
  const Level& l = g.levels[0];
  if (l.type.kind != TypeKind::card || l.type.optional || l.unseen ||
      (l.parameter && l.parameter->count != PickCount::one))
    return {};
  std::vector<Int> ids;
  bool known = true;
  const auto fits = [&](Int id) {
    const auto passes = [&](const model::Expr* where) {
      const auto value = static_value(env_, *where, l.local, id);
      known = known && value;
      return value == 1;
    };
    return std::all_of(l.where.begin(), l.where.end(), passes);
  };
  if (!l.parameter) ids = cards_of_kinds(g.action->head.carrier.kinds);
  else with_env(g.env, [&] {
    for (std::size_t id = 0; id < id_card_.size(); ++id)
      if (id_card_[id] >= 0 && fits(Int(id))) ids.push_back(Int(id));
  });
  std::sort(ids.begin(), ids.end());
  return known ? ids : std::vector<Int>();
}

Lowering::Offers Lowering::offers_for(model::WindowId window, Register player, Register sensible) {
  Offers offers{groups_for(window, player, sensible), {}};
  Int last = -1;                                           // card of the run so far; -1: nothing is counted with it
  for (std::size_t i = 0; i < offers.groups.size(); ++i) {
    const std::vector<Int> ids = cards_alone(offers.groups[i]);
    const bool goes_on = last >= 0 && !ids.empty() && ids.front() > last;
    if (!goes_on) offers.runs.push_back({i, 0, std::vector<Int>(id_card_.size(), 0)});
    GroupRun& run = offers.runs.back();
    for (const Int id : ids) run.group_of[static_cast<std::size_t>(id)] = static_cast<Int>(run.size);
    ++run.size;
    last = ids.empty() ? -1 : ids.back();
  }
  return offers;
}

Register Lowering::count_offers(Offers& offers, Int site, const std::function<void(Group&)>& counted) {
  const Register declared = b().make_int();
  b().assign_constant(declared, 0);
  for (GroupRun& run : offers.runs) {
    for (std::size_t i = 0; i < run.size; ++i)
      program_.sites[static_cast<std::size_t>(site)].actions.push_back(
          action_info_[offers.groups[run.first + i].index]);
    if (run.size > 1) count_together(offers, run);
    else run.count = count_group(offers.groups[run.first]);
    b().put(Op::add_small, declared, {declared, run.count});
    if (run.size == 1 && counted) counted(offers.groups[run.first]);
  }
  return declared;
}

// Where it makes a difference whether players do only what is sensible: in races they don't wait then, either.
void Lowering::declare_sensible() {
  const auto says = [&](const model::Action& action) { return action.sensible && possible(action); };
  const bool races =
      std::any_of(model_.windows.begin(), model_.windows.end(), [](const model::Window& w) { return bool(w.race); });
  if (races || std::any_of(model_.actions.begin(), model_.actions.end(), says))
    program_.sensible_only = add_scratch("sensible only", 0, 1, 0);
}

// 1 where who is asked in this window does only what is sensible; none where all of it always is.
Register Lowering::sensible_in(model::WindowId window) {
  const auto says = [&](const model::Action& action) {
    return action.sensible && possible(action) && model::is_in(action, window);
  };
  if (std::none_of(model_.actions.begin(), model_.actions.end(), says)) return ir::kNoRegister;
  const Register only = b().make(site_local(int_type(1)));
  b().put(Op::load_raw, only, {program_.sensible_only, b().constant(0)});
  return only;
}

// Who finds nothing sensible does anything, unless passing is left to them.
Register Lowering::count_sensible(Offers& offers, Int site, Register sensible, bool may_pass,
                                  const model::Expr* pass_when) {
  if (sensible == ir::kNoRegister) return count_offers(offers, site);
  const BlockIndex count = b().add_block(), none = b().add_block(), stuck = b().add_block(), anything = b().add_block(),
                   counted = b().add_block();
  b().jump(count);
  b().go_to(count);
  const Register declared = count_offers(offers, site);
  b().branch(declared, counted, none);
  b().go_to(none);
  b().branch(sensible, stuck, counted);
  b().go_to(stuck);
  // whose options are listed is asked now: going on would list those of a later decision
  if (may_pass) {
    const BlockIndex plays = b().add_block();
    b().branch(b().integer(Op::listing, {}, 1), anything, plays);
    b().go_to(plays);
  }
  if (may_pass && pass_when) branch_on(*pass_when, counted, anything);
  else b().jump(may_pass ? counted : anything);
  b().go_to(anything);
  b().assign_constant(sensible, 0);
  b().jump(count);
  b().go_to(counted);
  return declared;
}

// First the cards of all, then what stands against each of them that somebody has.
void Lowering::count_together(Offers& offers, GroupRun& run) {
  run.cards = b().make(site_local(set_type()));
  b().put(Op::set_empty, run.cards, {});
  const auto each = [&](const std::function<void(Group&)>& look) {
    for (std::size_t i = 0; i < run.size; ++i) {
      Group& g = offers.groups[run.first + i];
      with_env(g.env, [&] { look(g); });
    }
  };
  each([&](Group& g) {
    bind(g.action->head.me, g.me);
    b().put(Op::set_or, run.cards, {run.cards, level_domain(g, 0)});
  });
  each([&](Group& g) {
    if (asks_nothing(g)) return;
    const Register theirs = g.levels[0].domain;
    BlockIndex some = b().add_block(), no = b().add_block(), after = b().add_block();
    b().branch(b().integer(Op::set_any, {theirs}, 1), some, after);
    b().go_to(some);
    action_conditions(g.index, g.me, no);
    b().jump(after);
    b().go_to(no);
    b().put(Op::set_without, run.cards, {run.cards, theirs});
    b().put(Op::set_empty, theirs, {});
    b().jump(after);
    b().go_to(after);
  });
  run.count = b().make_int();
  b().put(Op::set_count, run.count, {run.cards});
}

void Lowering::list_offers(Offers& offers) {
  for (const GroupRun& run : offers.runs) {
    if (run.size == 1) list_group(offers.groups[run.first], run.count);
    for (std::size_t i = 0; run.size > 1 && i < run.size; ++i) {
      Group& g = offers.groups[run.first + i];
      g.levels[0].ready = true;                            // what was found when they were counted
      list_group(g, b().integer(Op::set_any, {g.levels[0].domain}, 1));
      g.levels[0].ready = false;
    }
  }
}

void Lowering::choose_offer(Offers& offers, Register k, const std::function<void(Group&)>& mine) {
  for (GroupRun& run : offers.runs) {
    BlockIndex here = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, run.count}, 1), here, next);
    b().go_to(here);
    if (run.size == 1) {
      mine(offers.groups[run.first]);
    } else {
      const Register card = b().make(register_type(simple(TypeKind::card)));
      b().put(Op::set_nth, card, {run.cards, k});
      std::vector<BlockIndex> groups;
      for (std::size_t i = 0; i < run.size; ++i) groups.push_back(b().add_block());
      std::vector<std::int64_t> cases = {std::int64_t(b().integer(Op::table_small, {table_index(run.group_of), card})),
                                         std::int64_t(groups.back())};
      for (std::size_t i = 0; i + 1 < run.size; ++i)
        cases.insert(cases.end(), {std::int64_t(i), std::int64_t(groups[i])});
      b().put(Op::switch_, ir::kNoRegister, cases);
      for (std::size_t i = 0; i < run.size; ++i) {
        Group& g = offers.groups[run.first + i];
        b().go_to(groups[i]);
        g.levels[0].chosen = card;
        mine(g);
      }
    }
    b().go_to(next);
    b().put(Op::sub_small, k, {k, run.count});
  }
}

bool Lowering::forbid_reads_parameters(std::size_t action) const {
  for (const model::Forbid& f : model_.forbids) {
    bool speaks =
        std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
    if (speaks && !f.patterns.empty()) return true;
  }
  return false;
}

// Goes to `no` if a forbid in force speaks of the action: the strongest kind of rule that says anything decides,
// and inside a kind forbid wins.
void Lowering::forbids(std::size_t action, Register me, const std::vector<Register>& arguments,
                       const std::vector<Fact>& given, BlockIndex no) {
  if (!forbidden_somewhere(action)) return;
  for (auto kind : {model::RuleKind::card, model::RuleKind::option, model::RuleKind::rule}) {
    BlockIndex allowed = b().add_block();
    for (bool allow : {false, true})
      for (const model::Forbid& f : model_.forbids) {
        if (f.allow != allow || f.head.precedence.kind != kind) continue;
        bool speaks =
            std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
        if (!speaks) continue;
        Env inner;
        bind_locals(inner, f.body);
        if (asking()) {
          model::RuleHead head = f.head;
          head.when = nullptr;
          // what may be allowed is offered, and what may or may not be forbidden
          if (secrecy_.reads_rule(head, f.patterns, given)) {
            if (allow) b().jump(allowed);
            continue;
          }
          inner.facts = secrecy_.of_rule(f.head, f.patterns, given);
          if (!analysis::is_of_players(model_, f.head)) inner.facts.put(f.head.me, {.asked = true});
        }
        with_env(inner, [&] {
          carriers(f.head, f.head.carrier.kind == CarrierKind::nobody ? me : ir::kNoRegister,
                   [&](Register m, Register self) {
                     BlockIndex next = b().add_block();
                     if (f.head.me.valid()) bind(f.head.me, analysis::is_of_players(model_, f.head) ? m : me);
                     if (self != ir::kNoRegister) bind(f.head.self, self);
                     const auto outer = std::exchange(asking_.mode, allow ? Asking::Mode::may : Asking::Mode::must);
                     guard(f.head, f.patterns, arguments, next);
                     asking_.mode = outer;
                     if (!allow) note_bent(f.head);
                     b().jump(allow ? allowed : no);
                     b().go_to(next);
                   });
        });
      }
    // `allowed` of a stronger kind skips the weaker ones: it leads to the end
    allowed_ends_.push_back(allowed);
  }
  BlockIndex end = b().add_block();
  b().jump(end);
  for (int i = 0; i < 3; ++i) {
    b().go_to(allowed_ends_.back());
    allowed_ends_.pop_back();
    b().jump(end);
  }
  b().go_to(end);
}

// Goes to `no` unless the action's carrier, limits and `when` let it be offered at all.
void Lowering::action_conditions(std::size_t index, Register me, BlockIndex no) {
  const model::Action& action = model_.actions[index];
  bind(action.head.me, me);
  if (action.head.carrier.kind == CarrierKind::character) {
    BlockIndex yes = b().add_block(), look = b().add_block();
    // a character that nobody knows could be that one
    if (asking() && !secrecy_.is_known_whose(action.head, env().facts))
      b().branch(b().integer(Op::knows_value, {me, variable_of_[action.head.carrier.character_variable.index], me}, 1),
                 look, yes);
    else b().jump(look);
    b().go_to(look);
    b().branch(carrier_in_force(action.head, me), yes, no);
    b().go_to(yes);
  }
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = limits_.at({index, l});
    if (use.cards || use.per_target) continue;             // looked at per card or target, see level_domain
    BlockIndex unused = b().add_block();
    b().branch(limit_used(use, me), no, unused);
    b().go_to(unused);
  }
  bool when_reads_self = action.head.when && action.head.self.valid() && mentions(*action.head.when, action.head.self);
  bool when_reads_parameters = when_reads_self;
  if (action.head.when)
    for (const ActionParameter& p : action.parameters)
      when_reads_parameters = when_reads_parameters || mentions(*action.head.when, p.local);
  if (action.head.when && !when_reads_parameters) {
    BlockIndex holds = b().add_block();
    branch_on(*action.head.when, holds, no);
    b().go_to(holds);
  }
  if (!forbid_reads_parameters(index)) forbids(index, me, {}, {}, no);
}

// What is not sensible is left out where the group says so; by what the player knows: it might be.
void Lowering::sensible_only(const Group& g, BlockIndex no) {
  BlockIndex looked_at = b().add_block(), yes = b().add_block();
  b().branch(g.sensible, looked_at, yes);
  b().go_to(looked_at);
  const Asked asked(*this, reads(*g.action->sensible) ? Asking{g.me, Asking::Mode::may} : Asking{});
  branch_on(*g.action->sensible, yes, no);
  b().go_to(yes);
}

bool Lowering::sensible_reads_parameters(const Group& g) const {
  return g.sensible != ir::kNoRegister && std::any_of(g.levels.begin(), g.levels.end(), [&](const Level& l) {
           return mentions(*g.action->sensible, l.local);
         });
}

void Lowering::pass_all(const std::vector<const model::Expr*>& conditions, BlockIndex no) {
  for (const model::Expr* condition : conditions) {
    BlockIndex yes = b().add_block();
    branch_on(*condition, yes, no);
    b().go_to(yes);
  }
}

// What an element must pass beyond its own `where`: the last level also looks at limits per card or target, at a `when`
// that reads parameters, and at forbids that do.
void Lowering::element_conditions(Group& g, std::size_t level, Register element, BlockIndex no) {
  Level& l = g.levels[level];
  bind(l.local, element);
  pass_all(l.where, no);
  extra_conditions(g, level, element, no);
}

bool Lowering::has_extra(const Group& g, std::size_t level) const {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = limits_.at({g.index, i});
    if (use.cards && level == 0) return true;
    if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) return true;
  }
  if (level + 1 != g.levels.size()) return false;
  if (forbid_reads_parameters(g.index) || sensible_reads_parameters(g)) return true;
  if (!action.head.when) return false;
  return std::any_of(g.levels.begin(), g.levels.end(),
                     [&](const Level& l) { return mentions(*action.head.when, l.local); });
}

std::size_t Lowering::parameter_level(const Group& g, std::size_t parameter) const {
  const auto of_it = [&](const Level& l) { return l.parameter == &g.action->parameters[parameter]; };
  return static_cast<std::size_t>(std::find_if(g.levels.begin(), g.levels.end(), of_it) - g.levels.begin());
}

void Lowering::extra_conditions(Group& g, std::size_t level, Register element, BlockIndex no) {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = limits_.at({g.index, i});
    BlockIndex unused = b().add_block();
    if (use.cards && level == 0) {
      Register used = b().set(Op::load_set, {use.variable, b().constant(0)});
      b().branch(b().integer(Op::set_has, {used, element}, 1), no, unused);
    } else if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) {
      b().branch(b().integer(Op::load_raw, {use.variable, limit_index(g.me, element)}, 1), no, unused);
    } else {
      b().jump(unused);
    }
    b().go_to(unused);
  }
  if (level + 1 != g.levels.size()) return;
  if (action.head.when && std::any_of(g.levels.begin(), g.levels.end(),
                                      [&](const Level& l) { return mentions(*action.head.when, l.local); })) {
    BlockIndex yes = b().add_block();
    branch_on(*action.head.when, yes, no);
    b().go_to(yes);
  }
  if (forbid_reads_parameters(g.index)) {
    std::vector<Register> arguments;
    std::vector<Fact> given;
    for (const Level* written : as_written(g))
      if (written->parameter) {
        arguments.push_back(read_local(written->local));
        given.push_back(env().facts.of(written->local));
      }
    forbids(g.index, g.me, arguments, given, no);
  }
  if (sensible_reads_parameters(g)) sensible_only(g, no);
}

// One of those that the actor can't tell apart. Where others answer at the same time, only among the actor's own cards.
Register Lowering::lookalikes(Register domain, const Group& g, const model::Expr* named) {
  if (!by_id(*g.action) || !named) return b().set(Op::set_lookalikes, {domain});
  Register own = ir::kNoRegister;
  auto visit = [&](auto&& self, const model::Expr& e) -> void {
    if (e.kind == model::ExprKind::zone && !e.args.empty() && e.args[0] && e.args[0]->kind == model::ExprKind::local &&
        e.args[0]->local == g.action->head.me) {
      Register zone = expr(e);
      own = own == ir::kNoRegister ? zone : b().set(Op::set_or, {own, zone});
    }
    for (const model::Expr* a : e.args)
      if (a) self(self, *a);
  };
  visit(visit, *named);
  if (own == ir::kNoRegister) return domain;
  return b().set(Op::set_or, {b().set(Op::set_lookalikes, {b().set(Op::set_and, {domain, own})}),
                              b().set(Op::set_without, {domain, own})});
}

// The elements a level offers, as a set or mask, with everything looked at that can be seen without the later levels.
Register Lowering::level_domain(Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return l.domain;
  bool cards = is_wide_element(l.type);
  if (l.domain == ir::kNoRegister) l.domain = b().make(site_local(cards ? set_of(l.type) : int_type(8)));
  Register domain;
  if (!l.parameter) {
    domain = carrier_cards(g.action->head, g.me);
    if (asking() && !secrecy_.is_known_whose(g.action->head, env().facts))
      domain = b().set(Op::set_known, {g.me, domain});
  } else {
    const ActionParameter& p = *l.parameter;
    const Offered all = elements_offered(p, l.local);
    const Register unseen = all.unseen;
    domain = all.fitting;
    const Taken taken(*this, l.local, p.domain);
    for (const model::Expr* where : l.where) domain = filtered(domain, cards, l.local, where);
    if (l.unseen) find_unseen(g, level, unseen);
    if (p.count == PickCount::exactly) {                   // a cost: offered only to who has enough
      Register count = b().integer(cards ? Op::set_count : Op::mask_count, {domain});
      if (l.unseen) count = b().integer(Op::add_small, {count, b().integer(Op::set_count, {unseen})});
      Register enough = b().integer(Op::le, {as_known(*p.amount, [&] { return b().constant(0); }), count}, 1);
      if (l.unseen) b().put(Op::select, l.extras, {enough, l.extras, b().constant(0)});
      if (cards) domain = b().set(Op::set_select, {enough, domain, empty_set(l.type)});
      else domain = b().integer(Op::select, {enough, domain, b().constant(0)});
    }
  }
  if (has_extra(g, level)) {
    Register kept = b().make(b().type(domain));
    if (cards) b().put(Op::set_empty, kept, {});
    else b().assign_constant(kept, 0);
    for_each(domain, cards, [&](Register element) {
      BlockIndex no = b().add_block();
      bind(l.local, element);
      extra_conditions(g, level, element, no);
      if (cards) b().put(Op::set_add, kept, {kept, element});
      else b().put(Op::mask_or, kept, {kept, b().integer(Op::mask_of, {element})});
      b().jump(no);
      b().go_to(no);
    });
    domain = kept;
  }
  // last: of two alike one may be used up while the other is not
  if (l.type.kind == TypeKind::card) domain = lookalikes(domain, g, l.parameter ? l.parameter->domain : nullptr);
  else if (!cards && !by_id(*g.action)) domain = dice_apart(domain, l.type, g.me);
  b().assign(l.domain, domain);
  return l.domain;
}

Lowering::Offered Lowering::elements_offered(const ActionParameter& p, model::LocalId element) {
  if (!p.domain) return {universe(p.type)};
  if (p.type.kind != TypeKind::card) return {as_known(*p.domain, [&] { return universe(p.type); })};
  return offered_domain_where(*p.domain, element, {p.where});
}

// Cards that the actor does not know: a bit for each zone in which one lies that could do.
void Lowering::find_unseen(Group& g, std::size_t level, Register unseen) {
  Level& l = g.levels[level];
  if (l.extras == ir::kNoRegister) {
    l.extras = b().make(site_local(int_type(8)));
    l.unseen_cards = b().make(site_local(set_type()));
  }
  b().assign(l.unseen_cards,
             unseen_that_fit(unseen, l.local, tells_unseen_apart(g, level), [&](Register one, BlockIndex no) {
               pass_all(l.where, no);
               if (has_extra(g, level)) extra_conditions(g, level, one, no);
             }));
  b().assign(l.extras, zones_of_unseen(l.unseen_cards));
}

bool Lowering::is_interval(Group& g, std::size_t level) {
  std::vector<const model::Expr*> left;
  if (plain_ || !g.levels[level].integers || has_extra(g, level)) return false;
  bounds_among(g.levels[level].where, g.levels[level].local, left);
  return left.empty();
}

void Lowering::level_bounds(Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return;
  if (l.low == ir::kNoRegister) l.low = b().make(site_local(int_type(8))), l.high = b().make(site_local(int_type(8)));
  b().assign_constant(l.low, l.type.lo);
  b().assign_constant(l.high, l.type.hi);
  std::vector<const model::Expr*> left;
  narrow_numbers(bounds_among(l.where, l.local, left), l.local, l.low, l.high);
}

// Every element of the level; numbers that fit into no mask are walked through between their bounds.
void Lowering::each_element(Group& g, std::size_t level,
                            const std::function<void(Register, Register, BlockIndex next)>& body) {
  Level& l = g.levels[level];
  if (l.only) {
    const Register one = b().constant(bounds(l.type).lo);
    BlockIndex next = b().add_block();
    element_conditions(g, level, one, next);
    body(one, level_digit(g, l, one), next);
    b().jump(next);
    b().go_to(next);
    return;
  }
  if (!l.integers) {
    for_each(level_domain(g, level), is_wide_element(l.type), [&](Register element) {
      bind(l.local, element);
      BlockIndex next = b().add_block();
      body(element, level_digit(g, l, element), next);
      b().jump(next);
      b().go_to(next);
    });
    if (!l.unseen) return;
    for_each(l.extras, false, [&](Register bit) {
      Register one = b().make(register_type(simple(TypeKind::card)));
      b().put(Op::set_first, one, {unseen_in(l.unseen_cards, bit)});
      bind(l.local, one);
      env().facts.put(l.local, {.placed = true, .unseen = true});
      BlockIndex next = b().add_block();
      body(one, b().integer(Op::add_small, {bit, b().constant(level_info(g, l).unseen)}), next);
      b().jump(next);
      b().go_to(next);
      env().facts.put(l.local, kSeen);
    });
    return;
  }
  level_bounds(g, level);
  std::vector<const model::Expr*> left;
  bounds_among(l.where, l.local, left);
  Register v = b().make_int();
  b().assign(v, l.low);
  BlockIndex head = b().add_block(), inside = b().add_block(), step = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::le_small, {v, l.high}, 1), inside, done);
  b().go_to(inside);
  bind(l.local, v);
  pass_all(left, step);
  extra_conditions(g, level, v, step);
  body(v, level_digit(g, l, v), step);
  b().jump(step);
  b().go_to(step);
  fuel(-std::min(bounds(l.type).hi - bounds(l.type).lo + 1, kUnlimited));
  b().put(Op::add_small, v, {v, b().constant(1)});
  b().jump(head);
  b().go_to(done);
}

Register Lowering::count_level(Group& g, std::size_t level) {
  Level& l = g.levels[level];
  bool last = level + 1 == g.levels.size();
  bool dependent = false;
  for (std::size_t i = level + 1; i < g.levels.size(); ++i) dependent = dependent || !g.levels[i].independent;
  const bool interval = is_interval(g, level), walked = (l.integers && !interval) || l.only;
  Register total = b().make_int();
  b().assign_constant(total, 0);
  if (dependent || (walked && !last)) {
    each_element(g, level, [&](Register, Register, BlockIndex next) {
      const Register here = count_level(g, level + 1);
      if (first_option_ && level == 0) b().branch(here, *first_option_, next);
      else b().put(Op::add_small, total, {total, here});
    });
    return total;
  }
  if (walked) {
    each_element(g, level, [&](Register, Register, BlockIndex) {
      b().put(Op::add_small, total, {total, b().constant(1)});
    });
    return total;
  }
  Register size = ir::kNoRegister;
  if (interval) {
    level_bounds(g, level);
    size = count_numbers(l.low, l.high);
  } else {
    Register domain = level_domain(g, level);
    size = b().integer(is_wide_element(l.type) ? Op::set_count : Op::mask_count, {domain});
  }
  if (l.unseen) size = b().integer(Op::add_small, {size, b().integer(Op::mask_count, {l.extras})});
  if (last) {
    b().assign(total, size);
    return total;
  }
  if (l.rest == ir::kNoRegister) l.rest = b().make(site_local(int_type(8)));
  BlockIndex some = b().add_block(), after = b().add_block();
  b().assign_constant(l.rest, 0);
  b().branch(size, some, after);
  b().go_to(some);
  b().assign(l.rest, count_level(g, level + 1));
  b().put(Op::mul_small, total, {size, l.rest});
  b().jump(after);
  b().go_to(after);
  return total;
}

bool Lowering::asks_nothing(const Group& g) const {
  const model::Action& action = *g.action;
  if (g.levels.size() != 1 || action.head.carrier.kind != CarrierKind::card || action.head.when ||
      forbidden_somewhere(g.index))
    return false;
  for (std::size_t i = 0; i < action.limits.size(); ++i)
    if (const LimitUse& use = limits_.at({g.index, i}); !use.cards && !use.per_target) return false;
  return true;
}

Register Lowering::count_group(Group& g) {
  g.count = b().make_int();
  b().assign_constant(g.count, 0);
  BlockIndex done = b().add_block();
  const Offering offering(*this, g);
  with_env(g.env, [&] {
    // most plays fail for want of the card: that is looked at first
    if (g.action->play && !g.levels.empty() && g.levels[0].type.kind == TypeKind::card && !asks_nothing(g)) {
      bind(g.action->head.me, g.me);
      Register cards = level_domain(g, 0);
      BlockIndex some = b().add_block();
      b().branch(b().integer(Op::set_any, {cards}, 1), some, done);
      b().go_to(some);
      g.levels[0].ready = true;
    }
    action_conditions(g.index, g.me, done);
    if (g.sensible != ir::kNoRegister && !sensible_reads_parameters(g)) sensible_only(g, done);
    if (g.levels.empty()) b().assign_constant(g.count, 1);
    else b().assign(g.count, count_level(g, 0));
    if (!g.levels.empty()) g.levels[0].ready = false;
  });
  b().jump(done);
  b().go_to(done);
  return g.count;
}

void Lowering::select_level(Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  bool last = level + 1 == g.levels.size();
  bool cards = is_wide_element(l.type);
  bool dependent = false;
  for (std::size_t i = level + 1; i < g.levels.size(); ++i) dependent = dependent || !g.levels[i].independent;
  if (l.chosen != ir::kNoRegister && l.digit == ir::kNoRegister) {   // it was counted with others
    l.digit = level_digit(g, l, l.chosen);
    bind(l.local, l.chosen);
    return;
  }
  if (l.chosen == ir::kNoRegister) {
    l.chosen = b().make(register_type(l.type));
    l.digit = b().make_int();
  }
  if (l.only && !last) {                                   // what was counted stands for it
    b().assign_constant(l.chosen, bounds(l.type).lo);
    b().assign(l.digit, level_digit(g, l, l.chosen));
    bind(l.local, l.chosen);
    select_level(g, level + 1, k);
    return;
  }
  auto take_unseen = [&](Register bit) {                   // which of them it is shows now
    b().put(Op::set_random, l.chosen, {unseen_in(l.unseen_cards, bit)});
    b().put(Op::add_small, l.digit, {bit, b().constant(level_info(g, l).unseen)});
  };
  const bool interval = is_interval(g, level);
  if (!dependent && (interval || !l.integers) && !l.only) {
    Register here = k, below = k;
    if (!last) {
      here = b().integer(Op::div_small, {k, l.rest});
      below = b().integer(Op::mod_small, {k, l.rest});
    }
    if (l.unseen) {
      BlockIndex seen = b().add_block(), unseen = b().add_block(), after = b().add_block();
      const Register known = b().integer(Op::set_count, {l.domain});
      b().branch(b().integer(Op::lt_small, {here, known}, 1), seen, unseen);
      b().go_to(seen);
      b().put(Op::set_nth, l.chosen, {l.domain, here});
      b().assign(l.digit, level_digit(g, l, l.chosen));
      b().jump(after);
      b().go_to(unseen);
      take_unseen(b().integer(Op::mask_nth, {l.extras, b().integer(Op::sub_small, {here, known})}));
      b().jump(after);
      b().go_to(after);
    } else {
      if (interval) b().put(Op::add_small, l.chosen, {l.low, here});
      else b().put(cards ? Op::set_nth : Op::mask_nth, l.chosen, {l.domain, here});
      b().assign(l.digit, level_digit(g, l, l.chosen));
    }
    bind(l.local, l.chosen);
    if (!last) select_level(g, level + 1, below);
    return;
  }
  Register left = b().make_int();
  b().assign(left, k);
  BlockIndex found = b().add_block();
  l.ready = level == 0 && !l.only;                         // it stands since the options were counted
  each_element(g, level, [&](Register element, Register digit, BlockIndex next) {
    Register here = last ? b().constant(1) : count_level(g, level + 1);
    BlockIndex this_one = b().add_block(), other = b().add_block();
    b().branch(b().integer(Op::lt_small, {left, here}, 1), this_one, other);
    b().go_to(this_one);
    b().assign(l.chosen, element);
    b().assign(l.digit, digit);
    b().jump(found);
    b().go_to(other);
    b().put(Op::sub_small, left, {left, here});
    b().jump(next);
  });
  l.ready = false;
  b().effect(Op::trap, {Int(Trap::fell_through)});
  b().go_to(found);
  auto later = [&] {                                       // whose domains are still those of this element
    bind(l.local, l.chosen);
    if (!last) select_level(g, level + 1, left);
  };
  if (!l.unseen) return later();
  BlockIndex seen = b().add_block(), unseen = b().add_block(), after = b().add_block();
  const Register first_unseen = b().constant(level_info(g, l).unseen);
  b().branch(b().integer(Op::lt_small, {l.digit, first_unseen}, 1), seen, unseen);
  b().go_to(seen);
  later();
  b().jump(after);
  b().go_to(unseen);                                       // drawn first, as where each is chosen by itself
  const Register shown = b().make(register_type(l.type));
  b().put(Op::set_random, shown, {unseen_in(l.unseen_cards, b().integer(Op::sub_small, {l.digit, first_unseen}))});
  env().facts.put(l.local, {.placed = true, .unseen = true});
  later();
  env().facts.put(l.local, kSeen);
  b().assign(l.chosen, shown);
  b().jump(after);
  b().go_to(after);
  bind(l.local, l.chosen);
}

void Lowering::list_level(Group& g, std::size_t level, Register id) {
  Level& l = g.levels[level];
  each_element(g, level, [&](Register element, Register digit, BlockIndex) {
    bind(l.local, element);
    Register next = b().integer(Op::add_small, {id, b().integer(Op::mul_small, {digit, b().constant(radix_of(g, l))})});
    if (level + 1 < g.levels.size()) return list_level(g, level + 1, next);
    list_option(next);
  });
}

// `some`: if there is any.
void Lowering::list_group(Group& g, Register some) {
  BlockIndex yes = b().add_block(), after = b().add_block();
  b().branch(some, yes, after);
  b().go_to(yes);
  const Offering offering(*this, g);
  with_env(g.env, [&] {
    if (g.levels.empty()) list_option(b().constant(program_.actions[action_info_[g.index]].base));
    else list_level(g, 0, b().constant(program_.actions[action_info_[g.index]].base));
  });
  b().jump(after);
  b().go_to(after);
}

// ---------------------------------------------------------------- what was chosen

// The chosen option of a group: finds the arguments, asks for the rest of a set, and does the action.
Lowering::Chosen Lowering::pick_arguments(Group& g, Register k, bool flow) {
  Chosen chosen;
  with_env(g.env, [&] {
    const ActionInfo& info = program_.actions[action_info_[g.index]];
    Int base = info.base;
    if (!g.levels.empty()) {
      const Offering offering(*this, g);
      select_level(g, 0, k);
    }
    Register id = b().constant(base), truth = b().constant(base);
    bool unseen = false;
    for (const Level& l : g.levels) {
      const Int radix = radix_of(g, l);
      id = b().integer(Op::add_small, {id, b().integer(Op::mul_small, {l.digit, b().constant(radix)})});
      if (l.unseen) unseen = true;
      truth = b().integer(
          Op::add_small,
          {truth, b().integer(Op::mul_small, {l.unseen ? level_digit(g, l, l.chosen) : l.digit, b().constant(radix)})});
    }
    chosen.id = id;
    chosen.truth = unseen ? truth : id;
    b().effect(Op::chosen, {chosen.id});
    chosen.arguments.push_back(g.me);
    for (const Level* l : as_written(g)) {
      const bool one = !l->parameter || l->parameter->count == PickCount::one;
      const Offering offering(*this, g);
      chosen.arguments.push_back(one ? l->chosen : more_of_set(g, g.levels.back(), flow));   // a set is the last
    }
  });
  return chosen;
}

void Lowering::do_group(Group& g, Register k, bool flow) {
  const Range asked = b().where();
  const Chosen chosen = pick_arguments(g, k, flow);
  b().at(asked);
  if (!offers_.may_be_wrong(g.index)) {
    call(action_function_[g.index], chosen.arguments);
    return;
  }
  BlockIndex right = b().add_block(), wrong = b().add_block(), after = b().add_block();
  b().branch(holds(g.index, chosen.arguments), right, wrong);
  b().go_to(right);
  call(action_function_[g.index], chosen.arguments);
  b().jump(after);
  b().go_to(wrong);
  do_wrong(g, chosen);
  b().jump(after);
  b().go_to(after);
}

// It was offered for all its actor knew, and does not hold.
void Lowering::do_wrong(Group& g, const Chosen& chosen) {
  with_env(g.env, [&] {
    std::size_t at = 1;
    bind(g.action->head.me, g.me);
    if (g.action->head.carrier.kind == CarrierKind::card) bind(g.action->head.self, chosen.arguments[at++]);
    use_up_limits_by(g.index, chosen.arguments);
    for (const ActionParameter& p : g.action->parameters) {
      bind(p.local, chosen.arguments[at++]);
      if (p.count != PickCount::one) break;
    }
    block(g.action->wrong);
  });
}

}  // namespace cardwright::lower
