// Assigns the numbers of decision sites and the ids of their options.
#include "compiler/lower/text/option_ids.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/limits.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/alike.h"
#include "compiler/lower/text/log.h"
#include "runtime/program/equal_cards.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::ExprKind;
using model::PickCount;
using model::TypeKind;

static ParameterInfo parameter_info(const ProgramContext& unit, const std::string& name, const model::Type& type,
                                    bool by_id = false, bool unknown = false);
static Int digits(const ProgramContext& unit, const model::Type& type, bool by_id = false);

// The maximum number of parameter combinations of one action.
static constexpr Int kMostCombinations = 4'194'304;

Int add_action(ProgramContext& unit, ActionInfo info) {
  info.base = unit.ids.next_option;
  info.count = 1;
  for (const ParameterInfo& p : info.parameters) info.count = product(info.count, p.count);
  if (info.kind == ActionKind::one_of) info.count = Int(info.choices.size());
  if (info.kind == ActionKind::yes_no) info.count = 2;
  if (info.count > kMostCombinations)
    too_large(unit, info.where,
              fmt::format("`{}` has {} combinations of parameters; the limit is {}: choose the parameters one after "
                          "the other",
                          info.name, info.count, kMostCombinations));
  unit.ids.next_option += info.count;
  unit.program.actions.push_back(std::move(info));
  return static_cast<Int>(unit.program.actions.size() - 1);
}

bool by_id(const ProgramContext& unit, const model::Action& action) {
  for (std::size_t w = 0; w < unit.model.windows.size(); ++w)
    if ((unit.model.windows[w].at_once || unit.model.windows[w].race) &&
        model::is_in(action, model::WindowId{std::uint32_t(w)}))
      return true;
  return false;
}

static Int digits(const ProgramContext& unit, const model::Type& type, bool by_id) {
  if (type.kind == TypeKind::card) return std::max<Int>(1, by_id ? unit.program.layout.card_ids : unit.ids.classes);
  Bounds b = bounds(unit, type);
  return std::max<Int>(1, b.hi - b.lo + 1);
}

Register digit(const FunctionContext& code, const model::Type& type, Register value, bool by_id) {
  if (type.kind == TypeKind::card)
    return by_id ? value : code.integer(Op::table_small, {table_index(code.unit, code.unit.ids.class_of), value});
  Bounds bound = bounds(code.unit, type);
  return bound.lo == 0 ? value : code.integer(Op::sub_small, {value, code.constant(bound.lo)});
}

// Returns the card kinds that satisfy a condition, as in `c: Wasp in me.hand`. The result is empty if the condition
// does not restrict the kind.
static std::vector<Int> matching_kinds(const model::Expr* where, model::LocalId card) {
  if (!where) return {};
  if (where->kind == model::ExprKind::counts_as) {
    const model::Expr& of = *view::counts_as(where).card();
    return of.kind == model::ExprKind::local && of.local == card ? where->values : std::vector<Int>();
  }
  if (where->kind != model::ExprKind::logical_and) return {};
  const view::logical_and both(where);
  const std::vector<Int> first = matching_kinds(both.left(), card);
  return first.empty() ? matching_kinds(both.right(), card) : first;
}

// Returns the ids of all cards that can be the parameter's value in some state of the game.
static std::vector<Int> possible_cards(const ProgramContext& unit, const ActionParameter& p) {
  std::vector<Int> kinds = matching_kinds(p.where, p.element);
  if (kinds.empty())
    for (std::size_t k = 0; k < unit.model.kinds.size(); ++k)
      if (p.type.ref >= unit.model.card_types.size() || is_of_type(unit, static_cast<Int>(k), p.type.ref))
        kinds.push_back(static_cast<Int>(k));
  for (const model::Also& also : unit.model.alsos)
    if (std::find(kinds.begin(), kinds.end(), Int(also.counts_as.index)) != kinds.end())
      for (const model::KindId k : also.kinds) kinds.push_back(k.index);
  return cards_of_kinds(unit, kinds);
}

// Assigns the digits of a card parameter: one for each look-alike class among these cards, or one for each id.
static void count_cards(const ProgramContext& unit, ParameterInfo& info, std::vector<Int> cards) {
  std::sort(cards.begin(), cards.end());
  if (cards.empty()) cards.push_back(0);
  info.first = info.by_id ? cards.front() : 0;
  info.cards.clear();
  for (const Int card : cards)
    if (!info.by_id && (info.cards.empty() || unit.ids.class_of[card] != unit.ids.class_of[info.cards.back()]))
      info.cards.push_back(card);
  info.count = info.by_id ? cards.back() - cards.front() + 1 : static_cast<Int>(info.cards.size());
}

// Returns the digit of a card in this parameter. The classes are usually consecutive, so that all parameters can share
// the table of classes.
Register card_digit(const FunctionContext& code, const ParameterInfo& info, Register card) {
  if (info.by_id) return info.first == 0 ? card : code.integer(Op::sub_small, {card, code.constant(info.first)});
  if (code.unit.ids.class_of.empty()) return code.constant(0);   // the game has no cards
  const Int classes = static_cast<Int>(info.cards.size()), first = code.unit.ids.class_of[info.cards.front()];
  if (classes == 1) return code.constant(0);
  const bool in_a_row = code.unit.ids.class_of[info.cards.back()] - first + 1 == classes;
  std::vector<Int> digits = code.unit.ids.class_of;
  for (std::size_t id = 0; id < digits.size() && !in_a_row; ++id) {
    const auto at = std::find_if(info.cards.begin(), info.cards.end(),
                                 [&](Int one) { return code.unit.ids.class_of[one] == code.unit.ids.class_of[id]; });
    digits[id] = at == info.cards.end() ? 0 : at - info.cards.begin();
  }
  const Register digit = code.integer(Op::table_small, {table_index(code.unit, std::move(digits)), card});
  return !in_a_row || first == 0 ? digit : code.integer(Op::sub_small, {digit, code.constant(first)});
}

static ParameterInfo parameter_info(const ProgramContext& unit, const std::string& name, const model::Type& type,
                                    bool by_id, bool unknown) {
  ParameterInfo p;
  p.name = name;
  p.kind = value_kind(unit, type);
  p.enumeration = enumeration_of(unit, type);
  p.area = area_info(unit, type);
  if (type.kind == TypeKind::listed) p.list = type.ref;
  p.by_id = by_id;
  p.first = type.kind == TypeKind::card ? 0 : bounds(unit, type).lo;
  p.count = digits(unit, type, by_id);
  if (type.kind == TypeKind::card) {
    for (std::size_t id = 0; id < unit.ids.class_of.size() && !by_id; ++id)
      if (id == 0 || unit.ids.class_of[id] != unit.ids.class_of[id - 1]) p.cards.push_back(static_cast<Int>(id));
  }
  if (unknown) p.unknown = p.count, p.count += unit.program.layout.hidden;
  return p;
}

// Returns the ParameterInfo of an action's parameter. Unlike the result of parameter_info(), it has digits only for
// possible cards, unless the acting player may not know the card.
ParameterInfo parameter_of(const ProgramContext& unit, const model::Action& action, const ActionParameter& p,
                           bool unknown) {
  const bool by_place = p.type.kind == TypeKind::card && place_matters(unit, zones_offered(unit, p.domain));
  ParameterInfo info = parameter_info(unit, p.name, p.type, by_place || by_id(unit, action), unknown);
  if (by_place) info.enumeration = kByPlace;
  if (p.type.kind == TypeKind::card && !p.type.optional && !unknown) count_cards(unit, info, possible_cards(unit, p));
  if (p.type.kind == TypeKind::card && p.domain) info.from = picked_from(unit, {p.domain}, action.head.me);
  if (may_be_nothing(p)) info.nothing = info.unknown >= 0 ? info.unknown++ : info.count, ++info.count;
  return info;
}

ParameterInfo whose_card(const ProgramContext& unit, const model::Action& action) {
  const bool by_place = place_matters(unit, zones_of_carrier(action.head.carrier));
  ParameterInfo info = parameter_info(unit, "this", simple(TypeKind::card), by_place || by_id(unit, action));
  if (by_place) info.enumeration = kByPlace;
  count_cards(unit, info, cards_of_kinds(unit, action.head.carrier.kinds));
  return info;
}

// Returns the index of the action that represents an anonymous choice of this type of element. The actions that follow
// it represent random draws, "done" and "no". Adds these actions on first use.
Int choice_block(ProgramContext& unit, const model::Type& element, bool by_id, bool unknown, bool by_place) {
  std::string key = fmt::format("{}:{}:{}:{}", int(element.kind), element.ref, element.lo, element.hi);
  if (element.kind == TypeKind::card) key = fmt::format("card {} {} {}", by_id, unknown, by_place);
  auto it = unit.ids.choice_blocks.find(key);
  if (it != unit.ids.choice_blocks.end()) return it->second;
  ActionInfo pick;
  pick.kind = ActionKind::choose;
  pick.name = "choose";
  pick.parameters.push_back(parameter_info(unit, "choice", element, by_id, unknown));
  if (by_place) pick.parameters.back().enumeration = kByPlace;
  Int first = add_action(unit, std::move(pick));
  for (const char* name : {"at random", "at random from the second", "done", "no"}) {
    ActionInfo other;
    other.kind = std::string(name) == "done" ? ActionKind::done
                 : std::string(name) == "no" ? ActionKind::pass
                                             : ActionKind::choose;
    other.name = name;
    add_action(unit, std::move(other));
  }
  unit.ids.choice_blocks[key] = first;
  return first;
}

Int begin_site(const FunctionContext& code, std::string window, const model::Expr* prompt, bool flow, Range where,
               const char* own_prompt) {
  SiteInfo site;
  site.window = std::move(window);
  site.prompt = prompt ? plain_text(prompt) : own_prompt;
  site.flow = flow;
  site.of_window = !site.window.empty() && code.env().from_flow != ir::kNoRegister;
  site.where = where;
  code.program.sites.push_back(std::move(site));
  Int id = static_cast<Int>(code.program.sites.size() - 1);
  BlockIndex start = code.add_block();
  code.jump(start);
  code.go_to(start);
  code.effect(Op::site, {id});
  return id;
}

// Emits the code that lists the options of a decision, in ascending order of ids, when the host requests them. The
// decision must be emitted directly after this code. On request, `texts` logs the computed strings of the question, and
// `names` logs the values of the names that the choice reads.
void list_options(const FunctionContext& code, const std::function<void()>& write, const std::function<void()>& texts,
                  const std::function<void()>& names) {
  BlockIndex list = code.add_block(), decide = code.add_block();
  const Register listing = code.integer(Op::listing, {}, 1);
  code.branch(listing, list, decide);
  code.go_to(list);
  const auto also = [&](Int what, const std::function<void()>& emit) {
    if (!emit) return;
    BlockIndex options = code.add_block(), words = code.add_block();
    code.branch(code.integer(Op::eq, {listing, code.constant(what)}, 1), words, options);
    code.go_to(words);
    emit();
    code.effect(Op::listed, {});
    code.go_to(options);
  };
  also(kListTexts, texts);
  also(kListNames, names);
  code.program.sites.back().prompt_has_values = code.program.sites.back().prompt_has_values || texts;
  write();
  code.effect(Op::listed, {});
  code.go_to(decide);
}

// Returns a function that emits code to log the computed strings of the question and of the answers in the mask
// `offered`.
std::function<void()> text_logger(const FunctionContext& code, const std::vector<const model::Expr*>& texts,
                                  Register offered) {
  const auto is_computed = [](const model::Expr* text) { return text && text->kind == model::ExprKind::text; };
  if (std::none_of(texts.begin(), texts.end(), is_computed)) return nullptr;
  return [code, texts, offered, is_computed] {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!is_computed(texts[i])) continue;
      BlockIndex yes = code.add_block(), next = code.add_block();
      if (i > 0)
        code.branch(code.integer(Op::mask_has, {offered, code.constant(Int(i) - 1)}, 1), yes, next);
      else
        code.jump(yes);
      code.go_to(yes);
      log_question(code, static_cast<Int>(i), texts[i]);
      code.jump(next);
      code.go_to(next);
    }
  };
}

void list_option(const FunctionContext& code, Register id) { code.effect(Op::list, {id}); }

void list_option_if(const FunctionContext& code, Register condition, Register id) {
  BlockIndex yes = code.add_block(), next = code.add_block();
  code.branch(condition, yes, next);
  code.go_to(yes);
  list_option(code, id);
  code.jump(next);
  code.go_to(next);
}

void list_each(const FunctionContext& code, Register elements, const model::Type& element, Int base, bool by_id) {
  for_each(code, elements, [&](Register e) {
    list_option(code, code.integer(Op::add_small, {digit(code, element, e, by_id), code.constant(base)}));
  });
}

// Returns whether the required number of elements can be 0 or less, as in `up to n cards`.
bool may_be_nothing(const ActionParameter& p) {
  return p.amount && (p.count == PickCount::exactly || p.count == PickCount::up_to) && p.amount->type.lo <= 0;
}

}   // namespace cardwright::lower
