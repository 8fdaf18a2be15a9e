// Emits the plays of a window with many kinds of cards: functions for each play, functions that call them by the number
// of the play, and loops over the plays whose cards are in the player's hand.
#include "compiler/lower/offers/families.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/perform.h"
#include "compiler/lower/offers/runs.h"
#include "compiler/lower/offers/weights.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/text/alike.h"
#include "compiler/lower/text/option_ids.h"
#include "runtime/ops/note.h"

namespace cardwright::lower {

using model::PickCount;
using model::TypeKind;

// A window with fewer plays is faster with the code of all plays in one function.
static constexpr std::size_t kLeastInFamily = 64;

// Returns the ids of the cards that the play may be for, in ascending order, or no ids if the play can't be part of a
// family. The ids may include cards that fail conditions that are not known at compile time.
static std::vector<Int> cards_of_play(const FunctionContext& code, const Group& g) {
  if (!g.action->play || g.levels.empty() || is_weighed(code.unit, g.index) ||
      code.unit.facts.offers.may_be_wrong(g.index))
    return {};
  const Level& l = g.levels[0];
  if (!l.parameter || l.written != 0 || l.type.kind != TypeKind::card || l.type.optional || l.unknown ||
      l.parameter->count != PickCount::one || !l.parameter->domain ||
      l.parameter->domain->kind != model::ExprKind::zone || !code.model.zones[g.action->from.index].per_player)
    return {};
  std::vector<Int> ids;
  for (const Int id : cards_to_test(code.unit, g)) {
    const auto may_be = [&](const model::Expr* where) {
      return static_value(code.unit, &g.env, *where, l.local, id).value_or(1) != 0;
    };
    if (std::all_of(l.where.begin(), l.where.end(), may_be)) ids.push_back(id);
  }
  return ids;
}

void form_families(const FunctionContext& code, Offers& offers) {
  if (offers.groups.size() < kLeastInFamily) return;
  std::vector<GroupRun> families;
  std::set<Int> taken;
  const auto close = [&] {
    if (!families.empty() && families.back().size < kLeastInFamily) families.pop_back();
    taken.clear();
  };
  const auto continues = [&](std::size_t i, const std::vector<Int>& ids) {
    if (taken.empty()) return false;
    const Group &g = offers.groups[i], &first = offers.groups[families.back().first];
    return g.action->from.index == first.action->from.index && g.action->free == first.action->free &&
           std::none_of(ids.begin(), ids.end(), [&](Int id) { return taken.contains(id); });
  };
  for (std::size_t i = 0; i < offers.groups.size(); ++i) {
    const std::vector<Int> ids = cards_of_play(code, offers.groups[i]);
    if (ids.empty()) {
      close();
      continue;
    }
    if (!continues(i, ids)) {
      close();
      families.push_back({i, 0, std::vector<Int>(code.unit.ids.card.size(), -1)});
      families.back().is_family = true;
    }
    GroupRun& family = families.back();
    for (const Int id : ids) family.group_of[static_cast<std::size_t>(id)] = static_cast<Int>(family.size);
    ++family.size;
    taken.insert(ids.begin(), ids.end());
  }
  close();
  if (families.empty()) return;

  offers.runs.clear();
  std::size_t next = 0;
  for (GroupRun& family : families) {
    add_runs(code, offers, next, family.first);
    next = family.first + family.size;
    offers.runs.push_back(std::move(family));
  }
  add_runs(code, offers, next, offers.groups.size());
}

// Returns whether all cards of the play are look-alikes, so that the play offers one card, the lowest one in the hand,
// without further conditions on the card.
static bool is_of_one_card(const FunctionContext& code, const Group& g, const std::vector<Int>& ids) {
  const Level& l = g.levels[0];
  const auto is_known = [&](const model::Expr* where) {
    return std::all_of(ids.begin(), ids.end(),
                       [&](Int id) { return static_value(code.unit, &g.env, *where, l.local, id).has_value(); });
  };
  const std::vector<Int>& classes = code.unit.ids.class_of;
  return !code.unit.plain && std::all_of(l.where.begin(), l.where.end(), is_known) && !has_extra(code.unit, g, 0) &&
         !by_id(code.unit, *g.action) && !place_matters(code.unit, zones_offered(code.unit, l.parameter->domain)) &&
         std::all_of(ids.begin(), ids.end(), [&](Int id) {
           return classes[static_cast<std::size_t>(id)] == classes[static_cast<std::size_t>(ids.front())];
         });
}

// The registers that the functions of a play receive. `card` or `hand` is missing if no play needs it.
struct PlayArguments {
  Register me = ir::kNoRegister, card = ir::kNoRegister, hand = ir::kNoRegister, sensible = ir::kNoRegister,
           policy = ir::kNoRegister;

  std::vector<Register> list() const {
    std::vector<Register> all{me};
    for (const Register r : {card, hand, sensible, policy})
      if (r != ir::kNoRegister) all.push_back(r);
    return all;
  }
};

static std::vector<Int> cards_of(const GroupRun& run, std::size_t group) {
  std::vector<Int> ids;
  for (std::size_t id = 0; id < run.group_of.size(); ++id)
    if (run.group_of[id] == static_cast<Int>(group - run.first)) ids.push_back(static_cast<Int>(id));
  return ids;
}

// Returns the arguments for the functions of all plays of the family. A play ignores those that it does not need.
static PlayArguments arguments_for(const Offers& offers, const GroupRun& run) {
  PlayArguments arguments{.me = offers.groups[run.first].me};
  for (std::size_t i = run.first; i < run.first + run.size; ++i) {
    const Group& g = offers.groups[i];
    if (run.of_one_card[i - run.first])
      arguments.card = run.card;
    else
      arguments.hand = run.hand;
    if (g.sensible != ir::kNoRegister) arguments.sensible = g.sensible;
    if (g.policy != ir::kNoRegister) arguments.policy = g.policy;
  }
  return arguments;
}

static PlayArguments parameters(const FunctionContext& code, const PlayArguments& given) {
  const auto number = [&](Register r, int bytes) {
    if (r == ir::kNoRegister) return r;
    const Register made = code.make_int(bytes);
    code.function().parameters.push_back(made);
    return made;
  };
  PlayArguments made;
  made.me = parameter(code, simple(TypeKind::player));
  if (given.card != ir::kNoRegister) made.card = parameter(code, simple(TypeKind::card));
  if (given.hand != ir::kNoRegister) made.hand = parameter(code, simple(TypeKind::card), set_type());
  made.sensible = number(given.sensible, 1);
  made.policy = number(given.policy, 8);
  return made;
}

// Emits a function for each play of the family, and a function that calls them by their number.
class PlayFunctions {
 public:
  // With `numbered`, the functions have one more parameter, the number of the option.
  PlayFunctions(const FunctionContext& code, const Offers& offers, const GroupRun& run, ir::Returns returns,
                bool numbered)
      : code_(code), offers_(offers), run_(run), returns_(returns), numbered_(numbered) {}

  // Returns the function that takes the number of the play, the number of the option, and the arguments.
  ir::FunctionIndex write(bool flow,
                          const std::function<Register(const FunctionContext&, Group&, Register k)>& body) const {
    const PlayArguments given = arguments_for(offers_, run_);
    std::vector<ir::FunctionIndex> of_play;
    for (std::size_t i = run_.first; i < run_.first + run_.size; ++i) {
      Group g = offers_.groups[i];
      of_play.push_back(
          new_function(code_.unit, "options of " + g.action->name, returns_, g.action->head.range, false));
      Env at;
      at.flow = flow;
      write_function(code_.unit, of_play.back(), at, [&](const FunctionContext& inner) {
        const Register k = number(inner);
        const PlayArguments its = parameters(inner, given);
        g.me = its.me;
        if (g.sensible != ir::kNoRegister) g.sensible = its.sensible;
        if (g.policy != ir::kNoRegister) g.policy = its.policy;
        if (run_.of_one_card[i - run_.first]) g.levels[0].given = its.card;
        const bool has_hand = its.hand != ir::kNoRegister && !inner.unit.plain;
        const Register result = body(has_hand ? inner.holding({g.action->from.index, its.me, its.hand}) : inner, g, k);
        if (result != ir::kNoRegister) inner.effect(Op::ret_int, {result});
      });
    }
    const ir::FunctionIndex by_number = new_function(code_.unit, "options of plays", returns_, code_.where(), false);
    Env at;
    at.flow = flow;
    write_function(code_.unit, by_number, at, [&](const FunctionContext& inner) {
      const Register which = inner.make_int(2);
      inner.function().parameters.push_back(which);
      std::vector<Register> arguments;
      if (const Register k = number(inner); k != ir::kNoRegister) arguments.push_back(k);
      for (const Register r : parameters(inner, given).list()) arguments.push_back(r);
      call_by_number(inner, which, of_play, arguments);
    });
    return by_number;
  }

 private:
  Register number(const FunctionContext& inner) const {
    if (!numbered_) return ir::kNoRegister;
    const Register k = inner.make_int();
    inner.function().parameters.push_back(k);
    return k;
  }
  void call_by_number(const FunctionContext& inner, Register which, const std::vector<ir::FunctionIndex>& of_play,
                      const std::vector<Register>& arguments) const {
    std::vector<BlockIndex> blocks;
    for (std::size_t i = 0; i < of_play.size(); ++i) blocks.push_back(inner.add_block());
    std::vector<std::int64_t> cases = {std::int64_t(which), std::int64_t(blocks.back())};
    for (std::size_t i = 0; i + 1 < of_play.size(); ++i)
      cases.insert(cases.end(), {std::int64_t(i), std::int64_t(blocks[i])});
    inner.put(Op::switch_, ir::kNoRegister, cases);
    for (std::size_t i = 0; i < of_play.size(); ++i) {
      inner.go_to(blocks[i]);
      const Register result = call(inner, of_play[i], arguments);
      if (returns_ == ir::Returns::integer)
        inner.effect(Op::ret_int, {result});
      else
        inner.effect(Op::ret, {});
    }
  }

  const FunctionContext& code_;
  const Offers& offers_;
  const GroupRun& run_;
  const ir::Returns returns_;
  const bool numbered_;
};

// Calls `body` with the number of each play that has a card in the hand. GroupRun::card is then this card.
static void each_play(const FunctionContext& code, const GroupRun& run,
                      const std::function<void(Register which)>& body) {
  std::vector<Int> before(run.size, kNone);   // by play: the id below its first card
  for (std::size_t id = run.group_of.size(); id-- > 0;)
    if (run.group_of[id] >= 0) before[static_cast<std::size_t>(run.group_of[id])] = static_cast<Int>(id) - 1;
  const Int table = table_index(code.unit, std::move(before));
  for_each(code, run.cards, [&](Register which) {
    code.put(Op::set_next, run.card, {run.hand, code.integer(Op::table_small, {table, which})});
    body(which);
  });
}

static void call_play(const FunctionContext& code, ir::FunctionIndex function, std::vector<Register> first,
                      const GroupRun& run) {
  first.insert(first.end(), run.arguments.begin(), run.arguments.end());
  call(code, function, first);
}

static Register count_play(const FunctionContext& code, const GroupRun& run, Register which) {
  std::vector<Register> arguments{which};
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  return call(code, run.counting, arguments);
}

void count_family(const FunctionContext& code, Offers& offers, GroupRun& run) {
  const Group& first = offers.groups[run.first];
  run.hand = zone_set(code, first.action->from.index, zone_instance(code, first.action->from, first.me));
  run.card = code.make(site_local(register_type(code.unit, simple(TypeKind::card))));
  for (std::size_t i = run.first; i < run.first + run.size; ++i)
    run.of_one_card.push_back(is_of_one_card(code, offers.groups[i], cards_of(run, i)));
  run.arguments = arguments_for(offers, run).list();
  run.counting =
      PlayFunctions(code, offers, run, ir::Returns::integer, false)
          .write(false, [](const FunctionContext& inner, Group& g, Register) { return count_group(inner, g); });
  RegisterType numbers = set_type();
  numbers.holds_card = false;
  run.cards = code.make(site_local(numbers));
  code.put(Op::set_mapped, run.cards, {run.hand, table_index(code.unit, run.group_of)});
  run.count = code.make_int();
  code.assign_constant(run.count, 0);
  each_play(code, run, [&](Register which) {
    code.put(Op::add_small, run.count, {run.count, count_play(code, run, which)});
  });
}

void list_family(const FunctionContext& code, const Offers& offers, const GroupRun& run) {
  const ir::FunctionIndex listing = PlayFunctions(code, offers, run, ir::Returns::nothing, false)
                                        .write(false, [](const FunctionContext& inner, Group& g, Register) {
                                          list_group(inner, g, count_group(inner, g));
                                          return ir::kNoRegister;
                                        });
  each_play(code, run, [&](Register which) { call_play(code, listing, {which}, run); });
}

void note_family(const FunctionContext& code, const Offers& offers, const GroupRun& run) {
  std::vector<Int> actions;
  for (std::size_t i = run.first; i < run.first + run.size; ++i)
    actions.push_back(code.unit.ids.action[offers.groups[i].index]);
  const Int table = table_index(code.unit, std::move(actions));
  each_play(code, run, [&](Register which) {
    code.effect(Op::note, {kNoteOffered, code.integer(Op::table_small, {table, which}), count_play(code, run, which)});
  });
}

void perform_in_family(const FunctionContext& code, const Offers& offers, const GroupRun& run, Register k, bool flow) {
  const ir::FunctionIndex performing = PlayFunctions(code, offers, run, ir::Returns::nothing, true)
                                           .write(flow, [&](const FunctionContext& inner, Group& g, Register number) {
                                             count_group(inner, g);
                                             do_group(inner, g, number, flow);
                                             return ir::kNoRegister;
                                           });
  const Register chosen = code.make_int(2);
  const BlockIndex found = code.add_block();
  each_play(code, run, [&](Register which) {
    const Register here = count_play(code, run, which);
    const BlockIndex next = code.add_block();
    code.assign(chosen, which);
    code.branch(code.integer(Op::lt_small, {k, here}, 1), found, next);
    code.go_to(next);
    code.put(Op::sub_small, k, {k, here});
  });
  code.effect(Op::trap, {Int(Trap::fell_through)});
  code.go_to(found);
  call_play(code, performing, {chosen, k}, run);
}

}   // namespace cardwright::lower
