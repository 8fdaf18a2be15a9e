// Builds the steps of scenarios. If a step can refer to several actions, its items are matched with the parameters of
// each of them, like the arguments of a call.
#include "compiler/sema/scenarios/steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/rules/rules.h"
#include "compiler/sema/scenarios/dice.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/types.h"
#include "support/filled.h"

namespace cardwright::sema {

using model::PickCount;

// ---- items of a step

static bool is_card_of_step(const RuleContext& rule, const Node* node) {
  if (node->kind != NodeKind::name_ref) return node->kind == NodeKind::scenario_card || node->kind == NodeKind::call;
  const auto type = rule.sema.names.card_types.find(node->text);
  return rule.sema.names.kinds.contains(node->text) ||
         (type != rule.sema.names.card_types.end() && rule.sema.types.cards[type->second].implicit.has_value() &&
          !rule.sema.names.enums.contains(node->text));
}

// Reads `Blue[2]`, which is the second of several equal cards in a row or pile.
static bool name_placed_card(RuleContext& rule, const Node* node, Items& out) {
  const auto keys = view::index(node).keys();
  const auto place = keys.size() == 1 ? tree_int(rule.sema, keys[0], false) : std::nullopt;
  if (!place || *place < 1)
    return error(rule.sema, "bad_scenario"_code, node->range, "expected a position, counted from 1",
                 "for example, `Blue[2]` is the second Blue of its row or pile from the top"),
           false;
  if (!name_item(rule, view::index(node).of(), out)) return false;
  out.back().node = node;
  out.back().card->place = *place;
  return true;
}

// Reads a card, a list, or another item. The type of other items is known only when they are matched with a parameter.
bool name_item(RuleContext& rule, const Node* node, Items& out) {
  if (node && node->kind == NodeKind::arg) node = view::arg(node).value();
  if (!node) return false;
  if (node->kind == NodeKind::index && is_card_of_step(rule, view::index(node).of()))
    return name_placed_card(rule, node, out);
  Named item;
  item.node = node;
  if (node->kind == NodeKind::list_lit) {
    item.is_list = true;
    if (!name_items(rule, node->children, item.several)) return false;
  } else if (node->kind == NodeKind::name_ref && node->text == "unseen") {
    item.card.emplace();
    item.card->unknown = true;
    item.card->range = node->range;
  } else if (node->kind == NodeKind::string) {
    item.card = card_match(rule, node, false);   // if it is not a card, it is a constant or an option of a choice
  } else if (is_card_of_step(rule, node)) {
    item.card = card_match(rule, node);
    if (!item.card) return false;
    if (cards_that_match(rule.sema, *item.card)->values.empty()) {
      error(rule.sema, "bad_scenario"_code, node->range,
            fmt::format("no card of the game matches `{}`", rule.sema.diagnostics.sources().text(node->range)));
      return false;
    }
  }
  out.push_back(std::move(item));
  return true;
}

bool name_items(RuleContext& rule, std::span<const Node* const> nodes, Items& out) {
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node* n) { return !n || name_item(rule, n, out); });
}

// Returns the value of an item of the given type. Returns nullopt if the item does not have this type.
static std::optional<Int> item_value(SemaContext& sema, const Node* node, const Type& type) {
  if (node->kind == NodeKind::none_lit && type.optional) return kNone;
  switch (type.kind) {
    case TypeKind::player: return seat(sema, node, false);
    case TypeKind::boolean: return node->kind == NodeKind::truth ? std::optional<Int>(node->number) : std::nullopt;
    case TypeKind::kind: {
      const auto kind = sema.names.kinds.find(node->text);
      return node->kind == NodeKind::name_ref && kind != sema.names.kinds.end() && kind->second != ~0u
                 ? std::optional<Int>(kind->second)
                 : std::nullopt;
    }
    case TypeKind::enumeration: {
      if (node->kind == NodeKind::string) {   // the printed label of a constant or card
        const auto& constants = sema.model.enums[type.ref].constants;
        const auto found =
            std::find_if(constants.begin(), constants.end(), [&](const auto& c) { return c.label == node->text; });
        return found == constants.end() ? std::nullopt : std::optional<Int>(found - constants.begin());
      }
      if (node->kind == NodeKind::index && board_named(sema, view::index(node).of()) &&
          sema.model.boards[*board_named(sema, view::index(node).of())].cells.index == type.ref)
        return scalar(sema, node, &type);
      bool found = false;
      const Expr* constant = node->kind == NodeKind::name_ref
                                 ? enum_constant(sema, node->text, node->range, &type, false, found)
                                 : nullptr;
      return found && constant->kind == ExprKind::constant && constant->type.ref == type.ref
                 ? std::optional(constant->value)
                 : std::nullopt;
    }
    case TypeKind::integer: {
      if (area_in(sema, node)) {
        const auto part = area_part(sema, node);
        return part ? std::optional(part->second) : std::nullopt;
      }
      return tree_int(sema, node, false);
    }
    case TypeKind::card:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  return std::nullopt;
}

static Type element_wanted(const model::Model& model, const model::ActionParameter& parameter) {
  return parameter.type.kind == TypeKind::listed ? *model.set_lists[parameter.type.ref].element.elem : parameter.type;
}
static bool takes_several(const model::ActionParameter& parameter) {
  return parameter.count != PickCount::one || parameter.type.kind == TypeKind::listed;
}

static bool item_fits(SemaContext& sema, const Named& item, const model::ActionParameter& parameter,
                      model::StepArgument& argument) {
  if (item.is_list) {
    if (!takes_several(parameter)) return false;
    argument.nothing = item.several.empty();
    return std::all_of(item.several.begin(), item.several.end(),
                       [&](const Named& one) { return !one.is_list && item_fits(sema, one, parameter, argument); });
  }
  const Type type = element_wanted(sema.model, parameter);
  if (type.kind == TypeKind::card) {
    if (!item.card) return false;
    const auto cards = cards_that_match(sema, *item.card)->values;
    const auto is_of_type = [&](Int card) {
      return type.ref == ~0u ||
             is_a(sema, sema.model.kinds[sema.model.cards[static_cast<std::size_t>(card)].kind.index].type.index,
                  type.ref);
    };
    if (!item.card->unknown && std::none_of(cards.begin(), cards.end(), is_of_type)) return false;
    argument.cards.push_back(*item.card);
    return true;
  }
  const auto value = item_value(sema, item.node, type);
  if (!value) return false;
  if (type.kind == TypeKind::integer && *value != kNone && (*value < type.lo || *value > type.hi)) return false;
  argument.values.push_back(*value);
  return true;
}

static std::string takes_what(const SemaContext& sema, const model::Action& action) {
  std::string out;
  for (const model::ActionParameter& p : action.parameters) {
    if (p.name == "this") continue;
    const Type type = element_wanted(sema.model, p);
    out += fmt::format("{}`{}: {}`", out.empty() ? "" : ", ", p.name == "holder" ? "owner" : p.name,
                       takes_several(p) ? show(sema, set_type(type)) : show(sema, type));
  }
  return out.empty() ? fmt::format("`{}` takes no arguments", action.name)
                     : fmt::format("`{}` takes {}", action.name, out);
}

// Assigns the items to the parameters in order. A set takes as many items as it can without using those that later
// parameters need. Sets `fitted` to the number of assigned items.
static bool bind_items(SemaContext& sema, std::uint32_t action, const Items& items, model::StepUse& use,
                       std::size_t& fitted) {
  const auto& parameters = sema.model.actions[action].parameters;
  use.action = {action};
  use.arguments.assign(parameters.size(), {});
  fitted = 0;
  for (std::size_t p = 0; p < parameters.size() && fitted < items.size(); ++p) {
    if (parameters[p].name == "this") continue;   // no item names the card that has the play or action
    const auto behind =
        static_cast<std::size_t>(std::count_if(parameters.begin() + static_cast<std::ptrdiff_t>(p) + 1,
                                               parameters.end(), [](const auto& q) { return !takes_several(q); }));
    const std::size_t most = !takes_several(parameters[p]) || items[fitted].is_list
                                 ? 1
                                 : std::max(items.size() - fitted, behind + 1) - behind;
    std::size_t taken = 0;
    for (; taken < most && (taken == 0 || !items[fitted].is_list); ++taken, ++fitted) {
      model::StepArgument argument = use.arguments[p];
      if (fitted == items.size() || !item_fits(sema, items[fitted], parameters[p], argument)) break;
      use.arguments[p] = std::move(argument);
    }
    if (taken == 0) return false;
  }
  return fitted == items.size();
}

static std::string why_not(SemaContext& sema, const Named& item, const model::ActionParameter& parameter) {
  const std::string_view words = sema.diagnostics.sources().text(item.node->range);
  const Type type = element_wanted(sema.model, parameter);
  if (item.is_list && !takes_several(parameter))
    return fmt::format("parameter `{}` takes a single value, not a list", parameter.name);
  const auto value = item.is_list || type.kind != TypeKind::integer ? std::nullopt : item_value(sema, item.node, type);
  if (value) return fmt::format("{} is out of range {}..{}", words, type.lo, type.hi);
  return fmt::format("expected `{1}`, found `{0}`", words, show(sema, type));
}

// Adds to the step the actions whose parameters match the items. If there are none, reports the reason.
static bool add_matching(SemaContext& sema, const std::vector<std::uint32_t>& actions, const Items& items, Range range,
                         model::Step& s) {
  std::optional<std::uint32_t> nearest;
  std::size_t most = 0;
  for (std::uint32_t a : actions) {
    model::StepUse use;
    std::size_t fitted = 0;
    if (bind_items(sema, a, items, use, fitted))
      s.uses.push_back(std::move(use));
    else if (!nearest || fitted > most)
      nearest = a, most = fitted;
  }
  if (!s.uses.empty() || !nearest) return !s.uses.empty();
  const model::Action& action = sema.model.actions[*nearest];
  std::size_t left = most;
  const model::ActionParameter* wanted = nullptr;
  for (const model::ActionParameter& p : action.parameters)   // the first parameter without an item
    if (p.name != "this" && (takes_several(p) || left-- == 0)) {
      wanted = &p;
      break;
    }
  const bool too_many = !wanted || (takes_several(*wanted) && wanted == &action.parameters.back() && most > 0);
  const Range where = most < items.size() ? items[most].node->range : range;
  error(sema, "step_argument"_code, where,
        too_many ? fmt::format("too many arguments for `{}`", action.name) : why_not(sema, items[most], *wanted),
        takes_what(sema, action));
  return false;
}

static bool is_answer(const SemaContext& sema, std::string_view text) {
  return std::ranges::find(sema.collected.answers, text) != sema.collected.answers.end();
}

// Converts the name of a card or constant to the label of the corresponding `choose one` option.
static std::string as_answer(const SemaContext& sema, std::string name) {
  if (is_answer(sema, name)) return name;
  const auto kind = sema.names.kinds.find(name);
  if (kind != sema.names.kinds.end() && kind->second < sema.model.kinds.size() &&
      is_answer(sema, sema.model.kinds[kind->second].label))
    return sema.model.kinds[kind->second].label;
  const auto constants = sema.names.constants.find(name);
  if (constants == sema.names.constants.end()) return name;
  for (const auto& [of, value] : constants->second)
    if (const std::string& label = sema.model.enums[of].constants[static_cast<std::size_t>(value)].label;
        is_answer(sema, label))
      return label;
  return name;
}

// Returns all possible meanings of a chosen item. The actual meaning depends on the question, which is known only at
// run time.
static model::StepItem meanings(SemaContext& sema, const Named& item) {
  model::StepItem out;
  out.text = item.node->kind == NodeKind::string ? item.node->text : sema.diagnostics.sources().text(item.node->range);
  out.text = as_answer(sema, out.text);
  out.card = item.card;
  const auto as = [&](const Type& type) {
    if (const auto value = item_value(sema, item.node, type)) out.values.push_back({type, *value});
  };
  as(player_type());
  as(boolean_type());
  as(kind_type());
  if ((item.node->kind != NodeKind::name_ref && item.node->kind != NodeKind::string) || !item.card) as(integer_type());
  for (std::uint32_t e = 0; e < sema.model.enums.size(); ++e) as(enum_type(e));
  return out;
}

bool chooses(RuleContext& rule, const Items& items, model::Step& s) {
  s.verb = model::Step::Verb::chooses;
  for (const Named& item : items) {
    if (item.is_list) {
      if (!chooses(rule, item.several, s)) return false;
      continue;
    }
    s.items.push_back(meanings(rule.sema, item));
    const model::StepItem& meant = s.items.back();
    if (meant.card || !meant.values.empty() || item.node->kind == NodeKind::string) continue;
    if (is_answer(rule.sema, meant.text)) continue;
    if (item.node->kind == NodeKind::name_ref && silent_if_absent(rule, item.node)) return false;
    std::vector<std::string> names;
    for (const auto& [n, id] : rule.sema.names.kinds) names.push_back(n);
    for (const auto& [n, c] : rule.sema.names.constants) names.push_back(n);
    error(rule.sema, "bad_scenario"_code, item.node->range,
          fmt::format("expected a card, player, integer or constant, found `{}`", meant.text),
          did_you_mean(meant.text, names));
    return false;
  }
  return true;
}

// Returns whether a label can become this string for some values of the expressions in the label.
static bool may_read(std::string_view label, std::string_view text) {
  const std::size_t brace = label.find('{');
  if (brace == std::string_view::npos) return label == text;
  if (!text.starts_with(label.substr(0, brace))) return false;
  const std::string_view rest = label.substr(std::min(end_of_filled_in(label, brace + 1), label.size() - 1) + 1);
  for (std::size_t at = brace; at <= text.size(); ++at)
    if (may_read(rest, text.substr(at))) return true;
  return false;
}

// Warns about a choice that no question offers, such as `a can't choose "Discrad"`, which is always true.
void warn_of_no_answer(SemaContext& sema, const Items& items, const model::Step& s) {
  for (std::size_t i = 0; i < items.size() && i < s.items.size(); ++i) {
    const Node* item = items[i].node;
    if (items[i].is_list || item->kind != NodeKind::string || s.items[i].card || !s.items[i].values.empty()) continue;
    const bool some = std::ranges::any_of(sema.collected.answers,
                                          [&](const std::string& answer) { return may_read(answer, item->text); });
    warn_if(sema, "constant_condition"_code, item->range, !some,
            fmt::format("this is always true: no choice has the option \"{}\"", item->text),
            did_you_mean(item->text, sema.collected.answers));
  }
}

// Reads the new order of the cards, topmost card first. The last card can be omitted.
static bool arranges(RuleContext& rule, const Items& items, model::Step& s) {
  if (!chooses(rule, items, s)) return false;
  s.verb = model::Step::Verb::arranges;
  for (std::size_t i = 0; i < s.items.size(); ++i)
    if (!s.items[i].card)
      return error(rule.sema, "bad_scenario"_code, s.range,
                   fmt::format("expected a card, found `{}`", s.items[i].text)),
             false;
  return true;
}

// ---- actions of a step

bool played_as(SemaContext& sema, const Node* as, model::Step& s) {
  if (!as) return true;
  const auto kind = sema.names.kinds.find(as->text);
  if (kind == sema.names.kinds.end() || kind->second == ~0u)
    return error(sema, "unknown_name"_code, as->range, fmt::format("unknown card `{}`", as->text)), false;
  s.played_as = model::KindId{kind->second};
  return true;
}

// Finds the plays of the card. If the card has no play, finds the actions named `play` and passes the card as their
// first item.
bool plays_with(RuleContext& rule, const Node* card, const Items& items, model::Step& s) {
  s.verb = model::Step::Verb::plays;
  Items all;
  if (!card || !name_item(rule, card, all)) return false;
  if (!all[0].card)
    return error(rule.sema, "bad_scenario"_code, card->range, "expected a card", "for example `Miss`, `a Ducky`"),
           false;
  s.card = all[0].card;
  const Int as = s.played_as    ? static_cast<Int>(s.played_as->index)
                 : s.card->kind ? static_cast<Int>(s.card->kind->index)
                                : -1;
  std::vector<std::uint32_t> actions;
  for (std::uint32_t a = 0; a < rule.model.actions.size(); ++a) {
    const model::Action& action = rule.model.actions[a];
    if (action.play && (as < 0 || static_cast<Int>(action.kind.index) == as) && !rule.sema.actions.dropped.contains(a))
      actions.push_back(a);
  }
  if (!actions.empty()) return add_matching(rule.sema, actions, items, card->range, s);
  if (const auto named = rule.sema.names.actions.find("play"); named != rule.sema.names.actions.end())
    actions = named->second;
  if (actions.empty()) {
    error(rule.sema, "bad_scenario"_code, card->range,
          as >= 0 ? fmt::format("`{}` can't be played, because no rule declares a play for it",
                                rule.model.kinds[static_cast<std::size_t>(as)].name)
                  : "this game has no plays");
    return false;
  }
  all.insert(all.end(), items.begin(), items.end());
  return add_matching(rule.sema, actions, all, card->range, s);
}

bool uses_with(RuleContext& rule, const Node* what, const Node* of, const Items& items, model::Step& s) {
  s.verb = model::Step::Verb::uses;
  const auto it = rule.sema.names.actions.find(what->text);
  if (it == rule.sema.names.actions.end()) {
    if (silent_if_absent(rule, what)) return false;
    std::vector<std::string> names;
    for (const auto& [n, ids] : rule.sema.names.actions) names.push_back(n);
    error(rule.sema, "unknown_name"_code, what->range, fmt::format("unknown action `{}`", what->text),
          did_you_mean(what->text, names));
    return false;
  }
  std::optional<model::KindId> of_card;
  std::optional<Int> of_character;
  if (of) {
    if (auto k = rule.sema.names.kinds.find(of->text); k != rule.sema.names.kinds.end() && k->second != ~0u)
      of_card = model::KindId{k->second};
    else if (auto c = rule.sema.names.constants.find(of->text); c != rule.sema.names.constants.end())
      of_character = c->second.front().second;
    else
      return error(rule.sema, "bad_scenario"_code, of->range,
                   fmt::format("`{}` is neither a card nor a character", of->text)),
             false;
  }
  std::vector<std::uint32_t> actions;
  for (std::uint32_t a : it->second) {
    const Carrier& c = rule.model.actions[a].whose;
    if (of_card &&
        !(c.kind == CarrierKind::card && std::find(c.kinds.begin(), c.kinds.end(), *of_card) != c.kinds.end()))
      continue;
    if (of_character && !(c.kind == CarrierKind::character && c.character == *of_character)) continue;
    actions.push_back(a);
  }
  if (actions.empty() && of)
    return error(rule.sema, "bad_scenario"_code, of->range,
                 fmt::format("`{}` has no action `{}`", of->text, what->text)),
           false;
  return add_matching(rule.sema, actions, items, what->range, s);
}

// Reads `a plays Net on b, then Net` and `plays eight of spades, then hearts`. Each `then` adds another play or the
// answer to a choice.
static void plays_step(RuleContext& rule, const Node* node, model::Step s, model::ScenarioLine& line) {
  if (!played_as(rule.sema, view::step(node).as(), s)) return;
  const std::string who(view::step(node).player()->text);
  std::vector<const Node*> targets;
  const Node* card = view::step(node).what();
  if (view::step(node).target()) targets.push_back(view::step(node).target());
  const auto done = [&] {
    Items items;
    if (!name_items(rule, targets, items)) return false;
    const bool constant = card->kind == NodeKind::scenario_card && card->number == 0 && card->children.empty() &&
                          !rule.sema.names.kinds.contains(card->text) && rule.sema.names.constants.contains(card->text);
    bool good = true;
    if (constant) {
      s.text = fmt::format("{} chooses {}", who, card->text);
      s.verb = model::Step::Verb::chooses;
      model::StepItem item;
      item.text = card->text;
      for (const auto& [e, index] : rule.sema.names.constants.find(card->text)->second)
        item.values.push_back({enum_type(e), index});
      s.items.push_back(std::move(item));
    } else {
      good = plays_with(rule, card, items, s);
    }
    if (good) line.steps.push_back(s);
    return good;
  };
  for (Node* n : view::step(node).more()) {
    if (!n) continue;
    if (n->kind == NodeKind::arg) {
      targets.push_back(n);
      continue;
    }
    if (!done()) return;
    const Int player = s.player;
    s = {};
    s.player = player;
    s.range = n->range;
    s.text = fmt::format("{} plays {}", who, rule.sema.diagnostics.sources().text(n->range));
    card = n;
    targets.clear();
  }
  done();
}

void step(RuleContext& rule, const Node* node, model::ScenarioLine& line) {
  if (node->kind == NodeKind::timed_step) {
    const std::size_t first = line.steps.size();
    step(rule, view::timed_step(node).step(), line);
    const auto at = view::timed_step(node).at() ? microseconds(rule.sema, view::timed_step(node).at()) : kNone,
               flight = view::timed_step(node).in() ? microseconds(rule.sema, view::timed_step(node).in()) : kNone;
    if (line.steps.size() > first) line.steps[first].at = at.value_or(kNone);
    for (std::size_t i = first; i < line.steps.size(); ++i) line.steps[i].flight = flight.value_or(kNone);
    return;
  }
  using Verb = model::Step::Verb;
  model::Step s;
  s.range = node->range;
  s.text = std::string(rule.sema.diagnostics.sources().text(node->range));
  const std::string_view verb = node->text;
  if (verb == "time") {
    s.verb = Verb::time;
    s.flight = microseconds(rule.sema, view::step(node).player()).value_or(0);
    line.steps.push_back(std::move(s));
    return;
  }
  if (verb == "game") {
    s.verb = Verb::game_begins;
    if (view::step(node).player()) s.seed = view::step(node).player()->number;
    line.steps.push_back(std::move(s));
    return;
  }
  if (auto who = seat(rule.sema, view::step(node).player()))
    s.player = *who;
  else
    return;
  const std::span<Node* const> children = node->children;
  if (verb == "begins") {
    s.verb = Verb::begins;
    const Node* what = view::step(node).what();
    if (!what) return;
    std::vector<std::uint32_t> events =
        events_named(rule.sema, what->text, what->text != "turn" && what->text != "round");
    if (events.empty()) {
      if (silent_if_absent(rule, what)) return;
      std::vector<std::string> names{"turn"};
      for (const auto& [n, id] : rule.sema.names.phases) names.push_back(n);
      error(rule.sema, "unknown_name"_code, what->range, fmt::format("unknown phase `{}`", what->text),
            did_you_mean(what->text, names));
      return;
    }
    s.event = model::EventId{events.front()};
  } else if (verb == "plays") {
    return plays_step(rule, node, std::move(s), line);
  } else if (verb == "uses" || verb == "does") {
    Items items;
    const bool uses = verb == "uses";
    if (!view::step(node).what() ||
        !name_items(rule, children.subspan(std::min<std::size_t>(children.size(), uses ? 3 : 2)), items))
      return;
    if (!uses_with(rule, view::step(node).what(), uses ? view::step(node).as() : nullptr, items, s)) return;
  } else if (verb == "chooses") {
    Items items;
    if (!name_items(rule, children.subspan(1), items) || !chooses(rule, items, s)) return;
  } else if (verb == "arranges") {
    Items items;
    if (!name_items(rule, children.subspan(1), items) || !arranges(rule, items, s)) return;
  } else if (verb == "rolls") {
    Items items;
    if (name_items(rule, children.subspan(1), items)) rolls(rule, s.player, items, node, line);
    return;
  } else if (verb == "random") {
    s.verb = Verb::at_random;
  } else if (verb == "passes") {
    s.verb = Verb::passes;
  } else if (verb == "says") {
    s.verb = Verb::says;
    s.yes = view::step(node).what() && view::step(node).what()->text == "yes";
  } else {
    error(rule.sema, "bad_scenario"_code, node->range, fmt::format("unknown step `{}`", verb));
    return;
  }
  line.steps.push_back(std::move(s));
}

}   // namespace cardwright::sema
