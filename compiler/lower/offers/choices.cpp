// Lowers choices that are not actions: sets whose elements are picked one at a time, anonymous choices such as `p
// chooses …`, and the arrangement of cards.
#include "compiler/lower/offers/choices.h"

#include <algorithm>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/flags.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/unknown_cards.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/explanations.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/numbers.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/weights.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/sets/dice.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/text/alike.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/text/option_ids.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::PickCount;
using model::TypeKind;

namespace {

// The option ids of a choice, as assigned by choice_block().
struct ChoiceIds {
  ChoiceIds(const ProgramContext& unit, Int block, bool by_id)
      : first(unit.program.actions[block].base),
        first_unknown(first + card_digits(unit, by_id)),
        drawn{unit.program.actions[block + 1].base, unit.program.actions[block + 2].base},
        done(unit.program.actions[block + 3].base),
        none(unit.program.actions[block + 4].base) {}

  Int first, first_unknown;
  Int drawn[2];   // for random draws from the first source, and from any other source
  Int done, none;
};

// Describes a choice of several elements. The player picks them one at a time, until `chosen` contains `want` elements
// or the player chooses `done`.
struct Picking {
  Register chosen, want;
  PickCount count;
  const model::Type& element;
  std::function<Offered()> offered;
  const model::Expr* keeping;   // a condition on the set of all picked elements, including the candidate `one`
  model::LocalId set, one;
  Register player;
  // Parameters of the decision.
  Int block;
  bool by_id;   // true if look-alike cards are separate options
  std::function<Register(Register cards)> one_of_each;   // reduces a set of cards to one card per option
  std::string window;
  const model::Expr* prompt;
  bool flow;
  Range where;
  bool in_vain;   // true if other players must not notice when there is nothing to pick
  std::function<void()> names;
  std::string_view name = {};   // the name that policies use for the choice
  PickedFrom from = {};
};

// The options for the next pick. `known_ones` is the number of candidates. `hidden` contains the unknown cards, and
// `extras` has one bit for each zone that contains some of them.
struct NextPicks {
  Register candidates, known_ones, hidden, extras;
};

}   // namespace

static void pick_set(const FunctionContext& code, const Picking& its);

// ---------------------------------------------------------------- sets

// Returns the register type of the picks. Named cards, such as `all Coin`, are the same in every sampled world,
// regardless of their zones.
static RegisterType picks_type(const ProgramContext& unit, const model::Type& element, const Fact& of) {
  RegisterType type = is_wide_element(unit, element) ? set_of(element) : int_type(8);
  if (of.named && !of.placed) type.holds_card = false;
  return type;
}

// Asks for the remaining elements of a set parameter after its first element has been chosen.
Register more_of_set(const FunctionContext& code, Group& g, Level& l, bool flow) {
  const ActionParameter& p = *l.parameter;
  const bool cards = is_wide_element(code.unit, l.type),
             by_place = l.type.kind == TypeKind::card && place_matters(code.unit, zones_offered(code.unit, p.domain)),
             ids = by_place || by_id(code.unit, *g.action);
  Register chosen = code.make(picks_type(code.unit, l.type, g.env.facts.of(p.local)));
  code.put(cards ? Op::set_of : Op::mask_of, chosen, {l.chosen});
  Register want = code.make_int();
  code.assign_constant(want, kUnlimited);
  // The action is already being performed, so the amount is evaluated on the actual state.
  if (p.amount) code.assign(want, expr(code.unasked(), *p.amount));
  pick_set(code,
           {.chosen = chosen,
            .want = want,
            .count = p.count,
            .element = l.type,
            .offered = [&] { return offered_of(code, elements_offered(code, p, l.local), cards, l.local, p.where); },
            .keeping = p.keeping,
            .set = p.local,
            .one = l.local,
            .player = g.me,
            .block = choice_block(code.unit, l.type, ids, l.unknown, by_place),
            .by_id = ids,
            .one_of_each = [&](Register among) { return lookalikes(code, among, g, g.levels.back()); },
            .window = code.program.sites.empty() ? "" : g.action->name,
            .prompt = nullptr,
            .flow = flow,
            .where = g.action->head.range,
            .in_vain = false,
            .names = nullptr,
            .from = picked_from(code.unit, {p.domain}, g.action->head.me)});
  code.program.sites.back().hidden_basis = depends_on_unknown(code.unit, *g.action);
  return as_cards(code, chosen, l.type);
}

// Returns the candidates that can be added to the elements picked so far.
static Register compatible_picks(const FunctionContext& code, const Picking& its, Register candidates) {
  const bool cards = takes_words(code, candidates);
  Register filtered_candidates = code.make(code.type(candidates));
  make_empty(code, filtered_candidates);
  for_each(code, candidates, [&](Register e) {
    const Register with = code.make(cards ? set_of(its.element) : int_type(8));
    if (cards)
      code.put(Op::set_add, with, {its.chosen, e});
    else
      code.put(Op::mask_or, with, {its.chosen, code.integer(Op::mask_of, {e})});
    bind(code, its.set, with);
    bind(code, its.one, e);
    BlockIndex yes = code.add_block(), no = code.add_block();
    branch_on(code, *its.keeping, yes, no);
    code.go_to(yes);
    put_in(code, filtered_candidates, e);
    code.jump(no);
    code.go_to(no);
  });
  return filtered_candidates;
}

static NextPicks next_picks(const FunctionContext& code, const Picking& its) {
  auto [candidates, hidden] = its.offered();
  Register extras = ir::kNoRegister;
  if (hidden != ir::kNoRegister) {   // unknown cards in the same zone form one option
    hidden = code.set(Op::set_without, {hidden, its.chosen});
    extras = zones_of_unknown(code, hidden);
  }
  if (!is_wide_element(code.unit, its.element)) {
    candidates = code.integer(Op::mask_without, {candidates, its.chosen});
    if (!its.by_id) candidates = dice_apart(code, candidates, its.element, its.player);
  } else {
    candidates = code.set(Op::set_without, {candidates, its.chosen});
    if (its.element.kind == TypeKind::card) candidates = its.one_of_each(candidates);
  }
  if (its.keeping) candidates = compatible_picks(code, its, candidates);
  return {candidates, count_of(code, candidates), hidden, extras};
}

// Takes the k-th option. If the option is an unknown card of a zone, one of these cards is drawn at random.
static Register take_pick(const FunctionContext& code, const Picking& its, const NextPicks& next, Register k) {
  const ChoiceIds ids(code.unit, its.block, its.by_id);
  Register e = code.make(register_type(code.unit, its.element));
  BlockIndex seen = code.add_block(), taken = code.add_block();
  if (next.extras != ir::kNoRegister) {
    BlockIndex not_seen = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, next.known_ones}, 1), seen, not_seen);
    code.go_to(not_seen);
    const Register bit = code.integer(Op::mask_nth, {next.extras, code.integer(Op::sub_small, {k, next.known_ones})});
    code.effect(Op::chosen, {code.integer(Op::add_small, {bit, code.constant(ids.first_unknown)})});
    code.put(Op::set_random, e, {unknown_in(code, next.hidden, bit)});
    code.jump(taken);
  } else {
    code.jump(seen);
  }
  code.go_to(seen);
  code.put(takes_words(code, next.candidates) ? Op::set_nth : Op::mask_nth, e, {next.candidates, k});
  const Register chosen_digit = digit(code, its.element, e, its.by_id);
  code.effect(Op::chosen, {code.integer(Op::add_small, {chosen_digit, code.constant(ids.first)})});
  code.jump(taken);
  code.go_to(taken);
  return e;
}

// Returns the number of options that are not elements, or kNoRegister if no policy needs it.
static Register count_other_picks(const FunctionContext& code, std::string_view name, Register extras, bool open) {
  if (!is_weighed_or_avoided(code.unit, name)) return ir::kNoRegister;
  const Register done = code.constant(open);
  return extras == ir::kNoRegister ? done : code.integer(Op::add_small, {code.integer(Op::mask_count, {extras}), done});
}

// Returns the name to which the rules bind the chosen elements.
static std::string_view name_of(const FunctionContext& code, const model::Stmt& choice) {
  const model::Body* const body = code.env().body;
  return body && choice.local.index < body->locals.size() ? std::string_view(body->locals[choice.local.index].name)
                                                          : std::string_view();
}

static void pick_set(const FunctionContext& code, const Picking& its) {
  const bool open = its.count != PickCount::exactly, cards = is_wide_element(code.unit, its.element);
  BlockIndex head = code.add_block(), ask_block = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  Register size = count_of(code, its.chosen);
  code.branch(code.integer(Op::lt, {size, its.want}, 1), ask_block, done);
  code.go_to(ask_block);
  Int site = begin_site(code, its.window, its.prompt, its.flow, its.where);
  code.program.sites[site].from = its.from;
  const ChoiceIds ids(code.unit, its.block, its.by_id);
  NextPicks next = next_picks(code, its);
  const bool unknown = next.extras != ir::kNoRegister;
  const NamedChoice named{its.name, its.player, next.candidates,
                          count_other_picks(code, its.name, unknown ? next.extras : ir::kNoRegister, open)};
  if (narrow_choice(code, named)) next.known_ones = count_of(code, next.candidates);
  Register n = next.known_ones;
  if (unknown) n = code.integer(Op::add_small, {n, code.integer(Op::mask_count, {next.extras})});
  BlockIndex some = code.add_block(), nothing = its.in_vain ? code.add_block() : done;
  code.branch(n, some, nothing);
  if (its.in_vain) {
    BlockIndex none = code.add_block();
    code.go_to(nothing);
    code.branch(size, done, none);   // no note after the first pick: the player has had options
    note_without_options(code, none, its.player, done);
  }
  code.go_to(some);
  Register total = open ? code.integer(Op::add_small, {n, code.constant(1)}) : n;
  list_options(
      code,
      [&] {
        list_each(code, next.candidates, its.element, ids.first, its.by_id);
        if (unknown) list_each(code, next.extras, simple(TypeKind::integer), ids.first_unknown);
        if (open) list_option(code, code.constant(ids.done));
      },
      [&] {
        if (const auto question = text_logger(code, {its.prompt})) question();
        log_picked(code, its.chosen, its.want, cards, its.element);
      },
      its.names);
  Register k = code.integer(Op::decide, {its.player, total, site});
  lean_choice(code, named, k, next.known_ones);
  if (open) {
    BlockIndex finished = code.add_block(), more = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, n}, 1), more, finished);
    code.go_to(finished);
    code.effect(Op::chosen, {code.constant(ids.done)});
    code.jump(done);
    code.go_to(more);
  }
  put_in(code, its.chosen, take_pick(code, its, next, k));
  code.jump(head);
  code.go_to(done);
}

// ---------------------------------------------------------------- unnamed choices

// Returns whether any source of a choice depends on information that some players do not have. A zone without a
// condition does not, because all players see the number of its cards.
static bool filters_unknown(const ProgramContext& unit, const model::Stmt& s) {
  const std::vector<view::Source> sources = view::sources_of(view::choose(s));
  return std::any_of(sources.begin(), sources.end(), [&](const view::Source& of) {
    if (of.where) return is_unknown(unit, of.domain) || is_unknown(unit, of.where);
    return of.domain->kind != model::ExprKind::zone && is_unknown(unit, of.domain);
  });
}

// Binds the chosen element. Then runs the first block if an element was chosen, otherwise the second block.
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

namespace {

// Describes a choice of a number from a range. The numbers are not stored in a set.
struct NumberChoice {
  const view::numbers range;
  const model::Expr* where;
  const model::LocalId number;
  const model::Type& element;
  const ChoiceIds ids;
  const Register result;
  // Bounds of the offered numbers, based on the player's knowledge.
  const Register low, high;
  // The conditions of `where` that are not bounds. If there are any, the numbers are enumerated.
  const std::vector<const model::Expr*> left;
  const FunctionContext looking;
  const bool walked;
  // `unsure_ends` is true if the range depends on information hidden from the player. `unsure` is true if the range or
  // a condition depends on it.
  const bool unsure_ends, unsure;
};

}   // namespace

static void each_number(const FunctionContext& code, const NumberChoice& its,
                        const std::function<void(Register, BlockIndex)>& body) {
  for_each_number(code, its.low, its.high, [&](Register n, BlockIndex next) {
    bind(code, its.number, n);
    pass_all(its.looking, its.left, next);
    body(n, next);
  });
}

static Register count_choices(const FunctionContext& code, const NumberChoice& its) {
  Register count = code.make_int();
  if (!its.walked) {
    code.assign(count, count_numbers(code, its.low, its.high));
  } else {
    code.assign_constant(count, 0);
    each_number(code, its, [&](Register, BlockIndex) { code.put(Op::add_small, count, {count, code.constant(1)}); });
  }
  return count;
}

// Takes the k-th number, or jumps to `decline` if there is none.
static void take_number(const FunctionContext& code, const NumberChoice& its, Register k, BlockIndex found,
                        BlockIndex decline) {
  if (!its.walked) {
    code.put(Op::add_small, its.result, {its.low, k});
    code.branch(code.integer(Op::le_small, {its.result, its.high}, 1), found, decline);
    return;
  }
  Register before = code.make_int();
  code.assign_constant(before, 0);
  each_number(code, its, [&](Register n, BlockIndex) {
    BlockIndex other = code.add_block();
    code.assign(its.result, n);
    code.branch(code.integer(Op::eq, {before, k}, 1), found, other);
    code.go_to(other);
    code.put(Op::add_small, before, {before, code.constant(1)});
  });
  code.jump(decline);
}

// Tests the chosen number on the actual state. It was offered based on the player's knowledge, so it may not satisfy
// the condition.
static void check_fit(const FunctionContext& code, const NumberChoice& its, BlockIndex after) {
  BlockIndex within = code.add_block(), misses = code.add_block();
  const auto fits = [&](Register low_end, Register high_end) {
    BlockIndex next = code.add_block();
    code.branch(code.integer(Op::le, {low_end, high_end}, 1), next, misses);
    code.go_to(next);
  };
  if (its.unsure_ends) fits(expr(code, *its.range.lo()), its.result), fits(its.result, expr(code, *its.range.hi()));
  code.jump(within);
  code.go_to(within);
  bind(code, its.number, its.result);
  if (its.where)
    branch_on(code, *its.where, after, misses);
  else
    code.jump(after);
  code.go_to(misses);
  code.assign_constant(its.result, kNone);
}

// Lowers a choice of a number from a range. If the condition contains more than bounds, the numbers are enumerated
// twice: to count them, and to find the chosen one.
static void choose_number(const FunctionContext& code, const model::Stmt& s) {
  const view::choose its(s);
  const auto [domain, where] = view::sources_of(its)[0];
  const view::numbers range(domain);
  const model::Type& element = *domain->type.elem;
  const model::LocalId number{s.ref};
  const bool may_decline = its.may_decline();
  const Int block_index = choice_block(code.unit, element);
  const ChoiceIds ids(code.unit, block_index, false);
  code.env().facts = facts_of_choice(code, its.decider(), s);
  const auto names = name_logger(code, s);
  const bool unsure_ends = reads(code, *domain), unsure = unsure_ends || reads(code, where);
  Register player = code.make(int_type(1)), result = code.make(register_type(code.unit, element)), lo = code.make_int(),
           hi = code.make_int();
  code.assign(player, its.decider() ? expr(code, *its.decider()) : code.constant(kNone));
  std::vector<const model::Expr*> conditions, left;
  if (where) conditions.push_back(where);
  const FunctionContext looking = code.asked(unsure ? Asking{player, Asking::Mode::may} : Asking{});
  const std::vector<const model::Expr*> bounds = bounds_among(looking, conditions, number, left);
  code.assign_constant(result, kNone);
  const FunctionContext of_ends = code.asked(unsure_ends ? Asking{player, Asking::Mode::may} : Asking{});
  code.assign(lo, as_known(of_ends, *range.lo(), [&] { return code.constant(element.lo); }));
  code.assign(hi, as_known(of_ends, *range.hi(), [&] { return code.constant(element.hi); }));
  BlockIndex in = code.add_block(), after = code.add_block(), some = code.add_block(), decline = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", its.prompt(), code.env().flow, s.range);
  code.program.sites[site].actions.push_back(block_index);
  code.program.sites[site].hidden_basis = is_unknown(code.unit, domain) || is_unknown(code.unit, where);
  const BlockIndex nothing = code.program.sites[site].hidden_basis ? code.add_block() : after;
  const Register low = code.make(site_local(int_type(8))), high = code.make(site_local(int_type(8)));
  const NumberChoice choice{
      range,       where, number, element, ids, result, low, high, left, looking, code.unit.plain || !left.empty(),
      unsure_ends, unsure};
  BlockIndex ordered = code.add_block();
  code.branch(code.integer(Op::le, {lo, hi}, 1), ordered, nothing);
  code.go_to(ordered);
  code.assign(low, lo);
  code.assign(high, hi);
  narrow_numbers(code, bounds, number, low, high);
  const Register count = count_choices(code, choice);
  code.branch(count, some, nothing);
  if (nothing != after) note_without_options(code, nothing, player, after);
  code.go_to(some);
  Register total = may_decline ? code.integer(Op::add_small, {count, code.constant(1)}) : count;
  list_options(
      code,
      [&] {
        each_number(code, choice, [&](Register n, BlockIndex) {
          list_option(code, code.integer(Op::add_small, {digit(code, element, n), code.constant(ids.first)}));
        });
        if (may_decline) list_option(code, code.constant(ids.none));
      },
      text_logger(code, {its.prompt()}), names);
  Register k = code.integer(Op::decide, {player, total, site});
  BlockIndex found = code.add_block();
  take_number(code, choice, k, found, decline);
  code.go_to(decline);
  code.assign_constant(result, kNone);
  code.effect(Op::chosen, {code.constant(ids.none)});
  code.jump(after);
  code.go_to(found);
  code.effect(Op::chosen, {code.integer(Op::add_small, {digit(code, element, result), code.constant(ids.first)})});
  if (choice.unsure) check_fit(code, choice, after);
  code.jump(after);
  code.go_to(after);
  take_chosen(code, s, result, false);
}

// Discards the picked elements if they violate a condition that the player could not check.
static void discard_unless(const FunctionContext& code, const model::Expr& keeping, model::LocalId set,
                           Register chosen) {
  BlockIndex no = code.add_block(), after = code.add_block();
  bind(code, set, chosen);
  branch_on(code, keeping, after, no);
  code.go_to(no);
  make_empty(code, chosen);
  code.jump(after);
  code.go_to(after);
}

// Returns the facts that are certain for the names of a rule at a decision.
Facts facts_of_choice(const FunctionContext& code, const model::Expr* who, const model::Stmt& here) {
  const Facts given = analysis::facts_for(who, {});
  if (!code.env().body) return given;
  Facts at = code.unit.facts.secrecy.of_body(*code.env().body, given, here);
  for (const auto& [local, to] : code.env().shown)
    if (!to || code.unit.facts.secrecy.fact(*to, at).asked) at.put({local}, kSeen);
  return at;
}

namespace {

// Describes a `choose` of one or several elements.
struct Choice {
  const model::Stmt& stmt;
  const view::choose its;
  PickCount count;
  bool may_decline;
  std::vector<view::Source> all;   // the sources in chosen_from and drawn_from
  std::vector<view::Source> chosen_from = {};   // the player chooses from these sources
  std::vector<view::Source> drawn_from = {};   // elements are drawn from these sources at random
  bool cards;   // true if sets of the elements are stored in words, such as sets of cards or cells
  model::Type element;
  model::LocalId one;   // the name of an element in the conditions
  std::function<void()> names = nullptr;
  // The next members describe the information that is hidden from the player.
  Fact those{true, true, true, false};   // facts that are certain for all elements
  bool unknown = false;   // true if there may be cards that the player does not know
  bool unsure = false;   // true if a chosen element may not satisfy the conditions
  bool unsure_chance = false;   // true if the player may not know whether there are elements to draw at random
  // True if the player may not know whether the picked elements satisfy the condition on the set of all picks.
  bool unsure_set = false;
  bool asks = false;   // true if any of the four preceding flags is true
  Int block = 0;   // index of the action block with the option ids
  std::vector<Int> zones = {};   // zones from which the cards are chosen
  bool by_place = false;   // true if identical cards at different positions are different options
  Register player = ir::kNoRegister;

  std::vector<const model::Expr*> domains() const {
    std::vector<const model::Expr*> found;
    for (const view::Source& source : all) found.push_back(source.domain);
    return found;
  }
  PickedFrom from(const ProgramContext& unit) const {
    const model::Expr* const who = its.decider();
    return picked_from(unit, domains(),
                       who && who->kind == model::ExprKind::local ? std::optional(who->local) : std::nullopt);
  }
  Asking asking() const { return asks ? Asking{player, Asking::Mode::may} : Asking{}; }
};

// The options of a choice: `n` candidates, groups of unknown cards, and random draws.
struct Offer {
  Register candidates, n;
  // The unknown cards, one bit for each zone that contains some of them, and the number of these bits.
  Register hidden, extras, unknown_ones;
  std::vector<Register> drawable;   // by source: 1 if it contains an element to draw
  Register declared;   // total number of options
};

}   // namespace

// Finds the facts that are certain for the elements of each source. Afterwards, the environment contains the facts for
// the last source.
static void find_unsure(const FunctionContext& code, Choice& c) {
  const Int random_mask = c.stmt.value >> 8;
  code.env().facts = facts_of_choice(code, c.its.decider(), c.stmt);
  c.names = name_logger(code, c.stmt);
  for (std::size_t i = 0; i < c.all.size(); ++i) {
    const auto& [domain, where] = c.all[i];
    const bool some = c.cards && code.unit.facts.offers.may_be_unknown(*domain, c.one, {where}, code.env().facts);
    const Fact sure = fact(code, *domain), of = some ? kPlaced : sure;
    code.env().facts.put(c.one, of);
    const bool depends =
        reads(code, *domain) || reads(code, where) || (some && holds_cards(domain->type) && sure.is_mixed());
    if (random_mask >> i & 1) {
      c.drawn_from.push_back(c.all[i]);
      c.unsure_chance = c.unsure_chance || depends;
      continue;
    }
    c.chosen_from.push_back(c.all[i]);
    c.those = c.those & of;
    c.unknown = c.unknown || some;
    c.unsure = c.unsure || depends || (some && where);
  }
  code.env().facts.put(c.stmt.local, c.those);
  c.unsure_set = reads(code, c.its.keeping());
  c.asks = c.unknown || c.unsure || c.unsure_chance || c.unsure_set;
}

// Returns the elements of these sources that satisfy their conditions in the actual state.
static Register fitting(const FunctionContext& code, const Choice& c, const std::vector<view::Source>& sources) {
  Register all = code.make(c.cards ? set_of(c.element) : int_type(8));
  make_empty(code, all);
  for (const auto& [domain, where] : sources)
    unite(code, all, filtered(code, expr(code, *domain), c.cards, c.one, where));
  return all;
}

// Returns the elements of one source that satisfy or may satisfy its condition, given the player's knowledge.
static Offered offered_from(const FunctionContext& code, const Choice& c, const view::Source& source) {
  const Offered from = c.element.kind == TypeKind::card
                           ? offered_domain_where(code, *source.domain, c.one, {source.where})
                           : Offered{as_known(code, *source.domain, [&] { return universe(code, c.element); })};
  return offered_of(code, from, c.cards, c.one, source.where);
}

static Register together(const FunctionContext& code, const Offered& offered) {
  return offered.unknown == ir::kNoRegister ? offered.fitting
                                            : code.set(Op::set_or, {offered.fitting, offered.unknown});
}

static Register could_be_drawn(const FunctionContext& code, const Choice& c, const view::Source& source) {
  return has_any(code,
                 c.asks ? together(code, offered_from(code.asked(c.asking()), c, source)) : fitting(code, c, {source}));
}

static Offered offered_by(const FunctionContext& code, const Choice& c) {
  if (!c.asks) return {fitting(code, c, c.chosen_from)};
  Offered all{code.make(c.cards ? set_of(c.element) : int_type(8)), c.unknown ? code.make_set() : ir::kNoRegister};
  make_empty(code, all.fitting);
  if (c.unknown) make_empty(code, all.unknown);
  for (const view::Source& source : c.chosen_from) {
    const Offered some = offered_from(code.asked(c.asking()), c, source);
    unite(code, all.fitting, some.fitting);
    // All cards of a source whose zones are visible are known, regardless of the condition.
    if (c.unknown && some.unknown != ir::kNoRegister) unite(code, all.unknown, some.unknown);
  }
  return all;
}

static bool depends_on_unknown(const FunctionContext& code, const Choice& c) {
  const view::Parts sources = c.its.sources();
  return std::any_of(sources.begin(), sources.end(), [&](const model::Expr* e) { return is_unknown(code.unit, e); });
}

static void choose_several(const FunctionContext& code, const Choice& c) {
  const model::Stmt& s = c.stmt;
  const Register picks = code.make(picks_type(code.unit, c.element, c.those)),
                 chosen = c.cards ? code.make(set_of(c.element)) : picks;
  for (const Register r : {picks, chosen}) make_empty(code, r);
  Register want = code.make_int();
  if (c.its.count())
    code.assign(want, expr(code, *c.its.count()));
  else
    code.assign_constant(want, kUnlimited);
  const bool depends = depends_on_unknown(code, c) || is_unknown(code.unit, c.its.keeping());
  BlockIndex all = code.add_block(), ask_block = code.add_block(), in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), c.player}, 1), in, after);
  code.go_to(in);
  // If there are fewer elements than required, all of them are taken without a decision.
  if (c.count == PickCount::exactly) {
    const Register domain = together(code, offered_by(code, c));
    const Register size = code.integer(c.cards ? Op::set_count : Op::mask_count, {domain});
    code.branch(code.integer(Op::lt, {size, want}, 1), all, ask_block);
    code.go_to(all);
    if (depends) code.effect(Op::log_asked, {c.player});   // other players must not notice that there was no decision
    code.assign(chosen, domain);
    code.jump(after);
  } else {
    code.jump(ask_block);
  }
  code.go_to(ask_block);
  pick_set(code.asked(c.asking()), {.chosen = picks,
                                    .want = want,
                                    .count = c.count,
                                    .element = c.element,
                                    .offered = [&] { return offered_by(code, c); },
                                    .keeping = c.its.keeping(),
                                    .set = s.local,
                                    .one = c.one,
                                    .player = c.player,
                                    .block = c.block,
                                    .by_id = c.by_place,
                                    .one_of_each = [&](Register among) { return one_of_each(code, among, c.zones); },
                                    .window = "",
                                    .prompt = c.its.prompt(),
                                    .flow = code.env().flow,
                                    .where = s.range,
                                    .in_vain = c.count != PickCount::exactly && filters_unknown(code.unit, s),
                                    .names = c.names,
                                    .name = name_of(code, c.stmt),
                                    .from = c.from(code.unit)});
  if (c.cards) code.assign(chosen, picks);
  code.program.sites.back().hidden_basis = depends;
  code.jump(after);
  code.go_to(after);
  if (c.unsure)   // discards picked unknown cards that do not satisfy the condition
    code.put(c.cards ? Op::set_and : Op::mask_and, chosen, {chosen, fitting(code, c, c.chosen_from)});
  if (c.unsure_set) discard_unless(code, *c.its.keeping(), s.local, chosen);
  take_chosen(code, s, chosen, true);
}

static Offer count_offered(const FunctionContext& code, const Choice& c) {
  Offer offer;
  const Offered offered = offered_by(code, c);
  offer.candidates = offered.fitting;
  offer.hidden = offered.unknown;
  offer.extras = c.unknown ? zones_of_unknown(code, offered.unknown) : ir::kNoRegister;
  if (c.element.kind == TypeKind::card)
    offer.candidates = one_of_each(code, offer.candidates, c.zones);
  else if (!c.cards)
    offer.candidates = dice_apart(code, offer.candidates, c.element, c.player);
  offer.n = count_of(code, offer.candidates);
  offer.declared = code.make_int();
  code.assign(offer.declared, offer.n);
  offer.unknown_ones = c.unknown ? code.integer(Op::mask_count, {offer.extras}) : ir::kNoRegister;
  if (c.unknown) code.put(Op::add_small, offer.declared, {offer.declared, offer.unknown_ones});
  for (const view::Source& source : c.drawn_from) {
    offer.drawable.push_back(could_be_drawn(code, c, source));
    code.put(Op::add_small, offer.declared, {offer.declared, offer.drawable.back()});
  }
  return offer;
}

// Tests the chosen element on the actual state. It was offered based on the player's knowledge, so it may not satisfy
// the conditions; in this case, the choice has no result.
static void check_fit(const FunctionContext& code, const Choice& c, Register result, BlockIndex after) {
  if (!c.unsure) return;
  for (const auto& [domain, where] : c.chosen_from) {
    BlockIndex is_there = code.add_block(), next = code.add_block();
    code.branch(code.integer(c.cards ? Op::set_has : Op::mask_has, {expr(code, *domain), result}, 1), is_there, next);
    code.go_to(is_there);
    bind(code, c.one, result);
    if (where)
      branch_on(code, *where, after, next);
    else
      code.jump(after);
    code.go_to(next);
  }
  code.assign_constant(result, kNone);
}

// Returns the number of options that are not elements, or kNoRegister if no policy needs it.
static Register count_other_options(const FunctionContext& code, std::string_view name, const Choice& c,
                                    const Offer& offer) {
  if (!is_weighed_or_avoided(code.unit, name)) return ir::kNoRegister;
  const Register rest = code.integer(Op::sub_small, {offer.declared, offer.n});
  return c.may_decline ? code.integer(Op::add_small, {rest, code.constant(1)}) : rest;
}

// Takes the k-th option. If the player declined, the result is none or the empty set.
static void take_option(const FunctionContext& code, const Choice& c, const Offer& offer, Register k, Register result,
                        BlockIndex after) {
  const ChoiceIds ids(code.unit, c.block, c.by_place);
  BlockIndex an_element = code.add_block(), other = code.add_block();
  code.branch(code.integer(Op::lt_small, {k, offer.n}, 1), an_element, other);
  code.go_to(an_element);
  code.put(c.cards ? Op::set_nth : Op::mask_nth, result, {offer.candidates, k});
  const Register chosen_digit = digit(code, c.element, result, c.by_place);
  code.effect(Op::chosen, {code.integer(Op::add_small, {chosen_digit, code.constant(ids.first)})});
  check_fit(code, c, result, after);
  code.jump(after);
  code.go_to(other);
  code.put(Op::sub_small, k, {k, offer.n});
  if (c.unknown) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, offer.unknown_ones}, 1), yes, next);
    code.go_to(yes);
    const Register bit = code.integer(Op::mask_nth, {offer.extras, k});
    code.effect(Op::chosen, {code.integer(Op::add_small, {bit, code.constant(ids.first_unknown)})});
    code.put(Op::set_random, result, {unknown_in(code, offer.hidden, bit)});
    check_fit(code, c, result, after);
    code.jump(after);
    code.go_to(next);
    code.put(Op::sub_small, k, {k, offer.unknown_ones});
  }
  for (std::size_t r = 0; r < c.drawn_from.size(); ++r) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {k, offer.drawable[r]}, 1), yes, next);
    code.go_to(yes);
    code.effect(Op::chosen, {code.constant(ids.drawn[std::min<std::size_t>(r, 1)])});
    const Register there = fitting(code, c, {c.drawn_from[r]});
    if (c.unsure_chance) {   // the source may be empty in the actual state
      BlockIndex some_there = code.add_block();
      code.branch(has_any(code, there), some_there, after);
      code.go_to(some_there);
    }
    code.put(c.cards ? Op::set_random : Op::mask_random, result, {there});
    code.jump(after);
    code.go_to(next);
    code.put(Op::sub_small, k, {k, offer.drawable[r]});
  }
  if (c.may_decline) code.effect(Op::chosen, {code.constant(ids.none)});
  code.jump(after);
}

static void choose_element(const FunctionContext& code, const Choice& c) {
  const model::Stmt& s = c.stmt;
  const ChoiceIds ids(code.unit, c.block, c.by_place);
  Register result = code.make(register_type(code.unit, c.element));
  code.assign_constant(result, kNone);
  BlockIndex in = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), c.player}, 1), in, after);
  code.go_to(in);
  Int site = begin_site(code, "", c.its.prompt(), code.env().flow, s.range);
  code.program.sites[site].from = c.from(code.unit);
  code.program.sites[site].actions.push_back(c.block);
  Offer offer = count_offered(code, c);
  const NamedChoice named{name_of(code, c.stmt), c.player, offer.candidates,
                          count_other_options(code, name_of(code, c.stmt), c, offer)};
  if (narrow_choice(code, named)) {
    code.put(Op::sub_small, offer.declared, {offer.declared, offer.n});
    offer.n = count_of(code, offer.candidates);
    code.put(Op::add_small, offer.declared, {offer.declared, offer.n});
  }
  code.program.sites[site].hidden_basis = depends_on_unknown(code, c);
  BlockIndex some = code.add_block(), nothing = filters_unknown(code.unit, s) ? code.add_block() : after;
  code.branch(offer.declared, some, nothing);
  if (nothing != after) note_without_options(code, nothing, c.player, after);
  code.go_to(some);
  Register total = c.may_decline ? code.integer(Op::add_small, {offer.declared, code.constant(1)}) : offer.declared;
  list_options(
      code,
      [&] {
        list_each(code, offer.candidates, c.element, ids.first, c.by_place);
        if (c.unknown) list_each(code, offer.extras, simple(TypeKind::integer), ids.first_unknown);
        for (std::size_t r = 0; r < c.drawn_from.size(); ++r)
          list_option_if(code, offer.drawable[r], code.constant(ids.drawn[std::min<std::size_t>(r, 1)]));
        if (c.may_decline) list_option(code, code.constant(ids.none));
      },
      text_logger(code, {c.its.prompt()}), c.names);
  Register k = code.make_int();
  code.put(Op::decide, k, {c.player, total, site});
  lean_choice(code, named, k, offer.n);
  take_option(code, c, offer, k, result, after);
  code.go_to(after);
  take_chosen(code, s, result, false);
}

// The layout of s.exprs, from stmts.def: [P decider, I? count, B? keeping, then per source: S domain, B? where].
void choose(const FunctionContext& code, const model::Stmt& s) {
  const view::choose its(s);
  const std::vector<view::Source> sources = view::sources_of(its);
  const model::Type& domain = sources[0].domain->type;
  if (domain.kind == TypeKind::list) return choose_number(code, s);
  Choice c{.stmt = s,
           .its = its,
           .count = static_cast<PickCount>(s.value & 3),
           .may_decline = its.may_decline(),
           .all = sources,
           .cards = is_wide(code.unit, domain),
           .element = domain.elem ? *domain.elem : simple(TypeKind::player),
           .one = model::LocalId{s.ref}};
  if (c.element.kind == TypeKind::card) c.element = simple(TypeKind::card);
  find_unsure(code, c);
  c.zones = zones_offered(code.unit, c.domains());
  c.by_place = c.element.kind == TypeKind::card && place_matters(code.unit, c.zones);
  c.block = choice_block(code.unit, c.element, c.by_place, c.unknown, c.by_place);
  c.player = code.make(int_type(1));
  code.assign(c.player, its.decider() ? expr(code, *its.decider()) : code.constant(kNone));
  if (c.count == PickCount::one) return choose_element(code, c);
  choose_several(code, c);
}

void choose_one(const FunctionContext& code, const model::Stmt& s) {
  const view::choose_one its(s);
  // The strings of the question and of the answers.
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
  const auto when_of = [&](std::size_t i) { return its.others(i); };
  for (std::size_t i = 0; i < s.blocks.size(); ++i)
    code.program.sites[site].hidden_basis = code.program.sites[site].hidden_basis || is_unknown(code.unit, when_of(i));
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
  BlockIndex some = code.add_block(), nothing = code.program.sites[site].hidden_basis ? code.add_block() : after;
  code.branch(n, some, nothing);
  if (nothing != after) note_without_options(code, nothing, player, after);
  code.go_to(some);
  list_options(
      code, [&] { list_each(code, mask, simple(TypeKind::integer), base); }, text_logger(code, texts, mask));
  Register k = code.integer(Op::decide, {player, n, site});
  Register which = code.integer(Op::mask_nth, {mask, k});
  code.effect(Op::chosen, {code.integer(Op::add_small, {which, code.constant(base)})});
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::eq, {which, code.constant(Int(i))}, 1), yes, next);
    code.go_to(yes);
    code.env().facts = facts;   // the facts of the preceding blocks do not apply here
    // The option was offered based on the player's knowledge, so its condition may be false.
    if (reads(code, when_of(i))) {
      BlockIndex so = code.add_block();
      branch_on(code, *when_of(i), so, after);
      code.go_to(so);
    }
    note_reached(code, texts[i + 1]->range);
    block(code, s.blocks[i]);
    code.jump(after);
    code.go_to(next);
  }
  code.jump(after);
  code.go_to(after);
}

// Lets the player pick the card that will be on top. Returns none if the player does not pick a card, for example
// because no rule in force reads the order of the pile. Only known cards are offered; unknown cards from other players'
// hands are placed at random.
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
      for_each(code, code.integer(Op::players_in, {}, 4), [&](Register p) {
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

// Lets the player order the cards one by one. Each card is moved immediately; no decision is needed for the last one.
void arrange(const FunctionContext& code, const model::Stmt& s) {
  const view::arrange its(s);
  const model::Expr& what = *its.what();
  const bool all_of_it = what.kind == model::ExprKind::zone;
  const Int lowest = all_of_it ? 0 : what.value;
  const Register player = code.make(int_type(1)), pile = code.make(int_type(2)), wanted = code.make_int(),
                 cards = code.make_set();
  code.assign(player, expr(code, *its.who()));
  code.assign(pile,
              top_instance(code, s.ref,
                           zone_instance(code, s.ref, view::zone_place(what).owner(), view::zone_place(what).copy())));
  code.assign(wanted, all_of_it ? code.integer(Op::set_count, {expr(code, what)})
                                : expr(code, *view::zone_top_n(what).count()));
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
  code.program.sites[site].hidden_basis = !open;
  const Register candidates = code.set(Op::set_lookalikes, {rest});
  list_options(
      code, [&] { list_each(code, candidates, simple(TypeKind::card), base); }, text_logger(code, {its.question()}));
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

}   // namespace cardwright::lower
