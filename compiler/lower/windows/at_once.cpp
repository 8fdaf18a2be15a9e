// Lowers windows in which several players answer simultaneously, and the effects of stored answers, which windows in
// real time also use. A mask contains the players whose answer is pending. The decision site asks them one after
// another, always in the state in which the window opened, and stores their answers. When no answer is pending, the
// answers are checked again and take effect one by one.
#include "compiler/lower/windows/at_once.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/offers/perform.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/weights.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/labels.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/text/option_ids.h"
#include "compiler/lower/windows/windows.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

static void note_landed(const FunctionContext& code, int how, Register player, Register option,
                        const model::Action& action);
static Register set_parameter(const FunctionContext& code, const model::Type& element);
static void note_failed(const FunctionContext& code, std::size_t index, Register held,
                        const std::vector<Register>& arguments);

const ActionParameter* set_taken(const model::Action& action) {
  const auto set = std::find_if(action.parameters.begin(), action.parameters.end(),
                                [](const ActionParameter& p) { return p.count != PickCount::one; });
  return set == action.parameters.end() ? nullptr : &*set;
}

static SetSort sort_of_set(const ProgramContext& unit, const model::Type& element) {
  if (!is_wide_element(unit, element)) return kSetOfOthers;
  return element.kind == TypeKind::card ? kSetOfCards : kSetOfCells;
}

// Adds a variable that stores a set for each player. Elements other than cards may be of several types, so the upper
// bound of their variable is that of the largest possible set.
static Int add_picked_sets(ProgramContext& unit, const std::string& name, const model::Type& element) {
  const Int variable = add_scratch_sets(unit, name, element, unit.model.players);
  if (element.kind != model::TypeKind::card)
    unit.program.variables[static_cast<std::size_t>(variable)].hi = 64 * unit.program.layout.words - 1;
  return variable;
}

// Adds one variable for each kind of set that the actions take. Sets of cells and sets of cards need separate
// variables, because cards in the latter are exchanged when a world is sampled.
std::vector<Int> declare_picked(ProgramContext& unit, Answers& answers, const std::string& where,
                                const std::function<bool(std::size_t action)>& may_be_stored) {
  std::vector<Int> declared;
  for (std::size_t a = 0; a < unit.model.actions.size(); ++a) {
    const ActionParameter* set = may_be_stored(a) ? set_taken(unit.model.actions[a]) : nullptr;
    if (!set || answers.sets[sort_of_set(unit, set->type)] >= 0) continue;
    Int& variable = answers.sets[sort_of_set(unit, set->type)];
    if (is_wide_element(unit, set->type))
      variable = add_picked_sets(unit, "picked " + where, set->type);
    else
      variable = add_scratch(unit, "picked " + where, 0, (Int{1} << 62) - 1, 0, unit.model.players);
    declared.push_back(variable);
  }
  return declared;
}

bool fits_answers(const ProgramContext& unit, std::size_t action) {
  return possible(unit, unit.model.actions[action]) && by_id(unit, unit.model.actions[action]);
}

void declare_answers(ProgramContext& unit) {
  for (std::size_t a = 0; a < unit.model.actions.size(); ++a) {
    const bool fits = fits_answers(unit, a);
    const model::Action& action = unit.model.actions[a];
    const bool looked_at = fits || (possible(unit, action) && unit.facts.offers.may_be_wrong(a));
    unit.functions.holds.push_back(looked_at ? new_function(unit, action.name, ir::Returns::integer, action.head.range)
                                             : 0);
    unit.functions.land.push_back(fits ? new_function(unit, action.name, ir::Returns::integer, action.head.range, false)
                                       : 0);
  }
}

// Adds and returns the parameters of an action's function: me, the card that carries the action, and the chosen
// arguments. Binds them in the current Env.
static std::vector<Register> action_arguments(const FunctionContext& code, const model::Action& action) {
  std::vector<Register> all{parameter(code, simple(TypeKind::player))};
  bind(code, action.head.me, all[0]);
  if (action.head.carrier.kind == CarrierKind::card) {
    all.push_back(parameter(code, simple(TypeKind::card)));
    bind(code, action.head.self, all.back());
  }
  for (const ActionParameter& p : action.parameters) {
    if (p.count == PickCount::one) {
      all.push_back(parameter(code, p.type));
    } else {
      all.push_back(set_parameter(code, p.type));
    }
    bind(code, p.local, all.back());
  }
  return all;
}

static Register set_parameter(const FunctionContext& code, const model::Type& element) {
  const Register set = code.make(is_wide_element(code.unit, element) ? set_of(element) : int_type(8));
  code.function().parameters.push_back(set);
  return set;
}

// Emits a function that returns whether the action is possible with its arguments. The function checks all conditions
// of an offer on the actual state.
static void lower_holds(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  Group g;
  g.action = &action;
  g.index = index;
  bind_locals(g.env, action.body);
  write_function(unit, unit.functions.holds[index], g.env, [&](const FunctionContext& code) {
    const std::vector<Register> arguments = action_arguments(code, action);
    g.me = arguments[0];
    BlockIndex no = code.add_block();
    auto need = [&](Register condition) {
      BlockIndex yes = code.add_block();
      code.branch(condition, yes, no);
      code.go_to(yes);
    };
    std::size_t at = 1;
    g.levels = levels_of(unit, action);
    if (action.head.carrier.kind == CarrierKind::card)
      need(code.integer(Op::set_has, {carrier_cards(code, action.head, g.me), arguments[at++]}, 1));
    action_conditions(code, index, g.me, no);
    for (std::size_t level = 0; level < g.levels.size(); ++level) {
      Level& l = g.levels[level];
      if (!l.parameter) {
        extra_conditions(code, g, level, arguments[1], no);
        continue;
      }
      const ActionParameter& p = *l.parameter;
      const Register value = arguments[at++];
      const bool cards = is_wide_element(code.unit, p.type);
      if (p.count == PickCount::one) {
        if (p.domain)
          need(code.integer(cards ? Op::set_has : Op::mask_has, {expr(code, *p.domain), value}, 1));
        else if (p.type.kind == TypeKind::player)
          need(code.integer(Op::mask_has, {code.integer(Op::players_in, {}, 4), value}, 1));
        element_conditions(Taken(code, l.local, p.domain), g, level, value, no);
        continue;
      }
      if (p.domain) {
        Register left = cards ? code.set(Op::set_without, {value, expr(code, *p.domain)})
                              : code.integer(Op::mask_without, {value, expr(code, *p.domain)});
        need(code.integer(
            Op::not_,
            {cards ? code.integer(Op::set_any, {left}, 1) : code.integer(Op::ne, {left, code.constant(0)}, 1)}, 1));
      }
      const Register size = code.integer(cards ? Op::set_count : Op::mask_count, {value});
      const auto amount = [&] {   // returns the amount; a negative amount counts as 0
        const Register is = expr(code, *p.amount);
        return l.may_be_nothing ? code.integer(Op::max, {is, code.constant(0)}) : is;
      };
      if (p.count == PickCount::exactly) need(code.integer(Op::eq, {size, amount()}, 1));
      if (p.count == PickCount::up_to) need(code.integer(Op::le, {size, amount()}, 1));
      if (p.where || has_extra(code.unit, g, level))
        for_each(code, value, [&](Register element) { element_conditions(code, g, level, element, no); });
      if (p.keeping) {
        BlockIndex yes = code.add_block();
        branch_on(code, *p.keeping, yes, no);
        code.go_to(yes);
      }
    }
    code.effect(Op::ret_int, {code.constant(1)});
    code.go_to(no);
    code.effect(Op::ret_int, {code.constant(0)});
  });
}

// Emits the function that applies a stored answer. Its parameters are the player, the option id, whether the action was
// possible at the time of the decision, and, if the action takes a set, the picked elements. It returns kNotLanded or
// the duration for which the action occupies the player.
static void lower_land(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  const Int info = unit.ids.action[index];
  Env at;
  bind_locals(at, action.body);
  write_function(unit, unit.functions.land[index], at, [&](const FunctionContext& code) {
    Register me = parameter(code, simple(TypeKind::player)), id = code.make_int();
    code.function().parameters.push_back(id);
    const Register held = parameter(code, simple(TypeKind::boolean));
    const ActionParameter* set = set_taken(action);
    const Register picked = set ? set_parameter(code, set->type) : ir::kNoRegister;
    bind(code, action.head.me, me);
    // Decodes the digits of the option id, starting with the last parameter.
    std::vector<std::pair<model::Type, bool>> wanted;   // type of each parameter, and whether it is a set
    if (action.head.carrier.kind == CarrierKind::card) wanted.push_back({simple(TypeKind::card), false});
    for (const ActionParameter& p : action.parameters) wanted.push_back({p.type, p.count != PickCount::one});
    Register rest = code.integer(Op::sub_small, {id, code.constant(code.program.actions[info].base)});
    std::vector<Register> arguments(wanted.size());
    for (std::size_t i = wanted.size(); i-- > 0;) {
      const ParameterInfo& its = code.program.actions[info].parameters[i];
      const Register count = code.constant(its.count);
      Register value = code.make(register_type(code.unit, wanted[i].first));
      code.put(Op::mod_small, value, {rest, count});
      if (its.first != 0) code.put(Op::add_small, value, {value, code.constant(its.first)});
      if (i > 0) rest = code.integer(Op::div_small, {rest, count});
      arguments[i] = wanted[i].second ? picked : value;
    }
    arguments.insert(arguments.begin(), me);
    std::size_t next = 1;
    if (action.head.carrier.kind == CarrierKind::card) bind(code, action.head.self, arguments[next++]);
    for (const ActionParameter& p : action.parameters) bind(code, p.local, arguments[next++]);
    BlockIndex done = code.add_block(), fizzled = code.add_block();
    code.branch(holds(code, index, arguments), done, fizzled);
    code.go_to(done);
    note_landed(code, 0, me, id, action);
    call(code, code.unit.functions.action[index], arguments);
    check_unwind(code);
    code.effect(Op::ret_int, {action.busy ? expr(code, *action.busy) : code.constant(0)});
    code.go_to(fizzled);
    note_failed(code, index, held, arguments);
    if (action.has_late || action.has_wrong) {
      BlockIndex late = code.add_block(), wrong = code.add_block(), after = code.add_block();
      code.branch(held, late, wrong);
      code.go_to(late);
      note_landed(code, 1, me, id, action);
      block(code, action.late);
      code.jump(after);
      code.go_to(wrong);
      use_up_limits_by(code, index, arguments);
      note_landed(code, 2, me, id, action);
      block(code, action.wrong);
      code.jump(after);
      code.go_to(after);
    } else {
      note_landed(code, 1, me, id, action);
      if (!action.limits.empty()) {
        BlockIndex wrong = code.add_block(), after = code.add_block();
        code.branch(held, after, wrong);
        code.go_to(wrong);
        use_up_limits_by(code, index, arguments);
        code.jump(after);
        code.go_to(after);
      }
    }
    code.effect(Op::ret_int, {code.constant(kNotLanded)});
  });
}

// Logs a stored answer to all players, as its label or the name of the option.
static void note_landed(const FunctionContext& code, int how, Register player, Register option,
                        const model::Action& action) {
  static const char* const ends[] = {"", ", but too late", ", and is wrong"};
  const Label label = label_of(code.unit, action, true);
  const std::string words = log_values(code, label.pattern, label.parts, false);
  code.effect(Op::log_value, {player});
  code.effect(Op::log_value, {option});
  const std::size_t n = label.parts.size();
  const std::string text = words.empty() || action.play ? fmt::format("{{{}:player}}{{{}:answer}}", n, n + 1)
                                                        : fmt::format("{{{}:player}}{{{}:taken}}: {}", n, n + 1, words);
  code.effect(Op::log_text, {text_index(code.unit, text + ends[how])});
}

// Records the measures of an answer that is not possible. The answer is late if it was possible at the time of the
// decision, otherwise wrong.
static void note_failed(const FunctionContext& code, std::size_t index, Register held,
                        const std::vector<Register>& arguments) {
  if (!is_measured_landing(code.unit, index)) return;
  const BlockIndex late = code.add_block(), wrong = code.add_block(), after = code.add_block();
  code.branch(held, late, wrong);
  code.go_to(late);
  note_landing(code, index, model::MomentKind::late, arguments);
  code.jump(after);
  code.go_to(wrong);
  note_landing(code, index, model::MomentKind::wrong, arguments);
  code.jump(after);
  code.go_to(after);
}

void lower_landings(ProgramContext& unit) {
  for (std::size_t a = 0; a < unit.model.actions.size(); ++a) {
    if (unit.functions.holds[a] != 0) lower_holds(unit, a);
    if (unit.functions.land[a] != 0) lower_land(unit, a);
  }
}

void keep_answer(const FunctionContext& code, const Answers& answers, const Group& g, const Chosen& chosen) {
  code.effect(Op::store, {answers.option, g.me, chosen.truth});
  if (const ActionParameter* set = set_taken(*g.action))
    code.effect(is_wide_element(code.unit, set->type) ? Op::store_set : Op::store,
                {answers.sets[sort_of_set(code.unit, set->type)], g.me, chosen.set});
  const Register mine = code.integer(Op::mask_of, {g.me}, 4),
                 held = code.integer(Op::load_raw, {answers.held, code.constant(0)});
  if (!code.unit.facts.offers.may_be_wrong(g.index)) {
    code.effect(Op::store, {answers.held, code.constant(0), code.integer(Op::mask_or, {held, mine})});
    return;
  }
  const Register truth = lower::holds(code, g.index, chosen.arguments);
  code.effect(Op::store, {answers.held, code.constant(0),
                          code.integer(Op::select, {truth, code.integer(Op::mask_or, {held, mine}),
                                                    code.integer(Op::mask_without, {held, mine})})});
}

static Register load_picked(const FunctionContext& code, const Answers& answers, const model::Type& element,
                            Register player) {
  const Int variable = answers.sets[sort_of_set(code.unit, element)];
  if (!is_wide_element(code.unit, element)) return code.integer(Op::load_raw, {variable, player});
  const Register picked = code.make(set_of(element));
  code.put(Op::load_set, picked, {variable, player});
  return picked;
}

void land(const FunctionContext& code, const Answers& answers, model::WindowId window, Register player,
          const std::function<void(std::size_t, Register)>& then) {
  Register id = code.make_int(), held = code.make(int_type(1));
  code.assign(id, code.integer(Op::load_raw, {answers.option, player}));
  code.put(Op::mask_has, held, {code.integer(Op::load_raw, {answers.held, code.constant(0)}), player});
  code.effect(Op::store, {answers.option, player, code.constant(kNone)});
  BlockIndex after = code.add_block();
  for (std::size_t a = 0; a < code.model.actions.size(); ++a) {
    if (code.unit.functions.land[a] == 0 || !model::is_in(code.model.actions[a], window)) continue;
    const ActionInfo& info = code.program.actions[code.unit.ids.action[a]];
    BlockIndex mine = code.add_block(), next = code.add_block();
    const Register offset = code.integer(Op::sub_small, {id, code.constant(info.base)});
    const Register in = code.integer(Op::and_,
                                     {code.integer(Op::lt_small, {code.constant(-1), offset}, 1),
                                      code.integer(Op::lt_small, {offset, code.constant(info.count)}, 1)},
                                     1);
    code.branch(in, mine, next);
    code.go_to(mine);
    std::vector<Register> arguments{player, id, held};
    if (const ActionParameter* set = set_taken(code.model.actions[a]))
      arguments.push_back(load_picked(code, answers, set->type, player));
    then(a, call(code, code.unit.functions.land[a], arguments));
    code.jump(after);
    code.go_to(next);
  }
  code.jump(after);
  code.go_to(after);
}

// ---------------------------------------------------------------- simultaneous windows

namespace {

// Describes an `ask` of several players at once, and the variables that store their answers.
struct AtOnce {
  const model::Stmt& stmt;
  const model::WindowId window;
  Answers answers = {};
  AtOnceInfo info = {};   // the variables with the players' answers
  // The variable that counts open instances of the window. The effects of an answer cannot open the same window again,
  // because there is only one set of variables for answers.
  Int depth = -1;
};

}   // namespace

static AtOnce declare_at_once(ProgramContext& unit, const model::Stmt& s) {
  AtOnce at_once{s, model::WindowId{s.ref}};
  const std::string& name = unit.model.windows[s.ref].name;
  const Int everybody = (Int{1} << unit.model.players) - 1;
  AtOnceInfo& info = at_once.info;
  info.asked = add_scratch(unit, "asked in " + name, 0, everybody, 0);
  info.pending = add_scratch(unit, "pending in " + name, 0, everybody, 0);
  info.first = add_scratch(unit, "first in " + name, 0, unit.model.players - 1, kNone);
  info.answers = at_once.answers.option =
      add_scratch(unit, "answers in " + name, 0, kUnlimited, kNone, unit.model.players);
  info.held = at_once.answers.held = add_scratch(unit, "held in " + name, 0, everybody, 0);
  info.sets = declare_picked(unit, at_once.answers, "in " + name,
                             [&](std::size_t a) { return model::is_in(unit.model.actions[a], at_once.window); });
  at_once.depth = add_scratch(unit, "depth of " + name, 0, 1, 0);
  unit.program.at_once.push_back(info);
  return at_once;
}

// Stores the time limits of the window, and the answer that is used when time runs out.
static void describe_limits(const ProgramContext& unit, const model::Window& w, SiteInfo& described) {
  described.secret = true;
  if (!w.at_once) return;
  if (w.at_once->within) described.within = constant_value(unit, *w.at_once->within);
  if (w.at_once->together) described.together = constant_value(unit, *w.at_once->together);
  switch (w.at_once->missing) {
    case model::AtOnce::Missing::nothing: return;
    case model::AtOnce::Missing::random: described.missing = kAnyOption; return;
    case model::AtOnce::Missing::pass: described.missing = unit.program.actions[unit.ids.pass].base; return;
    case model::AtOnce::Missing::action:
      described.missing = unit.program.actions[unit.ids.action[w.at_once->action.index]].base;
      return;
  }
}

// Asks one player and returns that player. Execution continues at `answered`, or at `not_asked` if the player has no
// option.
static Register ask_one(const FunctionContext& code, const AtOnce& at_once, Int site, Register player,
                        BlockIndex answered, BlockIndex not_asked) {
  const bool may_pass = view::ask(at_once.stmt).or_pass();
  const Register sensible = sensible_in(code, at_once.window, player);
  const Register avoids_pass = may_pass ? avoids_passing(code, player) : ir::kNoRegister;
  Offers offers = offers_for(code, at_once.window, player, sensible);
  const Register declared = count_sensible(code, offers, site, sensible, avoids_pass, may_pass, nullptr);
  BlockIndex offered = code.add_block();
  code.branch(declared, offered, not_asked);
  code.go_to(offered);
  const Register can_pass =
      avoids_pass == ir::kNoRegister ? ir::kNoRegister : passes_after_all(code, ir::kNoRegister, avoids_pass, sensible);
  const Register n =
      !may_pass ? declared
                : code.integer(Op::add_small, {declared, can_pass != ir::kNoRegister ? can_pass : code.constant(1)});
  const Int pass_id = code.program.actions[code.unit.ids.pass].base;
  list_options(
      code,
      [&] {
        list_offers(code, offers);
        if (can_pass != ir::kNoRegister)
          list_option_if(code, can_pass, code.constant(pass_id));
        else if (may_pass)
          list_option(code, code.constant(pass_id));
      },
      text_logger(code, {view::ask(at_once.stmt).prompt()}));
  Register k = code.make_int();
  code.put(Op::decide, k, {player, n, site});
  note_offered(code, offers);
  if (may_pass) code.program.sites[static_cast<std::size_t>(site)].actions.push_back(code.unit.ids.pass);
  lean(code, offers, player, k, n, may_pass);
  Register me = code.make(int_type(1));
  code.assign(me, player);
  choose_offer(code, offers, k, [&](Group& g) {
    const Chosen chosen = pick_arguments(code, g, k, code.env().flow);
    keep_answer(code, at_once.answers, g, chosen);
    code.jump(answered);
  });
  if (may_pass) code.effect(Op::chosen, {code.constant(pass_id)});
  code.jump(answered);
  return me;
}

// Asks one player after another until no answer is pending.
static void gather_answers(const FunctionContext& code, const AtOnce& at_once, Register zero) {
  const model::Stmt& s = at_once.stmt;
  const model::Window& w = code.model.windows[s.ref];
  const AtOnceInfo& info = at_once.info;
  BlockIndex head = code.add_block(), all_in = code.add_block(), asking = code.add_block(),
             not_asked = code.add_block(), answered = code.add_block();
  code.jump(head);
  code.go_to(head);
  const Int site = begin_site(code, w.name, view::ask(s).prompt(), code.env().flow, s.range);
  describe_limits(code.unit, w, code.program.sites[static_cast<std::size_t>(site)]);
  const Register pending = code.integer(Op::load_raw, {info.pending, zero}, 4),
                 first = code.integer(Op::load_raw, {info.first, zero}, 1);
  Register player = code.make(int_type(1));
  code.put(Op::select, player,
           {code.integer(Op::mask_has, {pending, first}, 1), first, code.integer(Op::mask_first, {pending}, 1)});
  code.branch(code.integer(Op::ne, {pending, zero}, 1), asking, all_in);
  code.go_to(asking);
  const Register me = ask_one(code, at_once, site, player, answered, not_asked);
  code.go_to(not_asked);
  code.assign(me, player);
  code.jump(answered);
  code.go_to(answered);
  const Register left = code.integer(Op::load_raw, {info.pending, zero}, 4);
  code.effect(Op::store,
              {info.pending, zero, code.integer(Op::mask_without, {left, code.integer(Op::mask_of, {me}, 4)}, 4)});
  code.jump(head);
  code.go_to(all_in);
}

// Applies the answers clockwise, starting with the active player. Answers of players whom an earlier answer has
// eliminated are also applied, so that no seat has the advantage of acting first.
static void land_answers(const FunctionContext& code, const AtOnce& at_once, Register members, Register zero,
                         BlockIndex close) {
  Register start = code.make(int_type(1));
  code.put(Op::load_raw, start, {code.unit.variables.active, zero});
  clockwise(code, members, start, false, [&](Register p, BlockIndex next) {
    BlockIndex acts = code.add_block();
    const Register answer = code.integer(Op::load_raw, {at_once.answers.option, p});
    code.branch(code.integer(Op::eq, {answer, code.constant(kNone)}, 1), next, acts);
    code.go_to(acts);
    if (code.env().window_acted != ir::kNoRegister) code.assign_constant(code.env().window_acted, 1);
    land(code, at_once.answers, at_once.window, p, [&](std::size_t, Register) {
      const Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
      BlockIndex left_early = code.add_block(), on = code.add_block();
      code.branch(ending, left_early, on);
      code.go_to(left_early);
      code.effect(Op::leave, {at_once.depth});
      code.effect(Op::clear, {at_once.answers.option});
      close_if_ended(code, at_once.stmt, close);
      code.go_to(on);
    });
  });
  code.effect(Op::leave, {at_once.depth});
}

void ask_at_once(const FunctionContext& code, const model::Stmt& s) {
  const view::ask its(s);
  const Register zero = code.constant(0);
  const AtOnce at_once = declare_at_once(code.unit, s);
  const AtOnceInfo& info = at_once.info;
  code.effect(Op::enter, {at_once.depth, 1});
  Register members = code.make_int(4);
  code.assign(members, expr(code, *its.whom()));
  code.effect(Op::store, {info.asked, zero, members});
  code.effect(Op::store, {info.pending, zero, members});
  code.effect(Op::store, {info.first, zero, code.constant(kNone)});
  code.effect(Op::clear, {at_once.answers.option});
  gather_answers(code, at_once, zero);
  BlockIndex close = code.add_block();
  land_answers(code, at_once, members, zero, close);
  settle_after_action(code, code.constant(kNone), false);
  code.jump(close);
  code.go_to(close);
  note_whether_reached(code, s);
}

// Handles an `end` in progress. If this window is the target, closes it; otherwise, leaves the function.
void close_if_ended(const FunctionContext& code, const model::Stmt& s, BlockIndex close) {
  BlockIndex mine = code.add_block(), other = code.add_block();
  const Register ending = code.integer(Op::load_raw, {code.unit.variables.ending, code.constant(0)});
  const Register target = code.integer(Op::mod_small, {ending, code.constant(kEndedBy)});
  code.branch(code.integer(Op::eq, {target, code.constant(kEndFirst + Int(code.model.events.size()) + Int(s.ref))}, 1),
              mine, other);
  code.go_to(mine);
  code.effect(Op::store, {code.unit.variables.ending, code.constant(0), code.constant(0)});
  settle_after_action(code, code.constant(kNone), false);
  code.jump(close);
  code.go_to(other);
  leave_function(code, ir::kNoRegister);
}

}   // namespace cardwright::lower
