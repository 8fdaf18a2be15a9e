// Checks `action` and `play` declarations, and converts them to actions of the Model: windows, parameters, conditions,
// limits, labels and effects.
#include "compiler/sema/rules/actions.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/declarations/declarations.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/nouns.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/rules/measures.h"
#include "compiler/sema/rules/rules.h"
#include "compiler/sema/rules/timing.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/mentions.h"
#include "compiler/sema/symbols/texts.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void declare_play(SemaContext& sema, const Decl& d, model::KindId kind, Int ordinal);
static void let_others_act(RuleContext& rule, model::Action& action);
static void drop_action(SemaContext& sema, model::Action& action, std::uint32_t index, const std::string& gone);

std::optional<model::GroupId> group(SemaContext& sema, std::string_view name, bool create) {
  if (auto it = sema.names.groups.find(name); it != sema.names.groups.end()) return model::GroupId{it->second};
  if (!create) return std::nullopt;
  const model::GroupId id{static_cast<std::uint32_t>(sema.model.groups.size())};
  sema.names.groups.emplace(std::string(name), id.index);
  sema.model.groups.emplace_back(name);
  return id;
}

static std::vector<model::WindowId> window_list(SemaContext& sema, const Node* words, bool& any, bool& absent) {
  std::vector<model::WindowId> out;
  absent = false;
  bool missing = false;
  if (words)
    for (const Node* w : words->children) {
      if (!w) continue;
      if (w->text == "any window") {
        any = true;
        continue;
      }
      auto it = sema.names.windows.find(w->text);
      if (it != sema.names.windows.end()) {
        out.push_back({it->second});
        sema.used.insert("in " + std::string(w->text));
        continue;
      }
      if (sema.collected.absent.contains(w->text)) {
        missing = true;
        continue;
      }
      std::vector<std::string> names;
      for (const auto& [n, id] : sema.names.windows) names.push_back(n);
      std::string help = did_you_mean(w->text, names);
      if (sema.names.phases.contains(w->text))
        help = fmt::format("the phase `{}` has no `ask`, so it offers no actions", w->text);
      error(sema, "unknown_name"_code, w->range, fmt::format("unknown window `{}`", w->text), help);
      missing = true;
    }
  absent = missing && out.empty() && !any;
  return out;
}

static std::string_view plural_of(const Type& element) {
  switch (element.kind) {
    case TypeKind::card: return "cards";
    case TypeKind::player: return "players";
    case TypeKind::integer: return "numbers";
    case TypeKind::boolean:
    case TypeKind::enumeration:
    case TypeKind::kind:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  return "things";
}

void declare_actions(SemaContext& sema) {
  // Contains only actions without an owner, because several cards can each have an action of the same name.
  std::map<std::string_view, const Node*> plain;
  for (const Decl& d : sema.actions.declared) {
    if (!d.owner) {
      const auto [other, fresh] = plain.emplace(d.node->text, d.node);
      if (!fresh) {
        twice(sema, d.node, "action", name_range(sema, other->second));
        continue;
      }
    }
    sema.names.actions[std::string(d.node->text)].push_back(static_cast<std::uint32_t>(sema.model.actions.size()));
    model::Action& a = sema.model.actions.emplace_back();
    a.name = d.node->text;
    sema.actions.sources.push_back({d, nullptr, nullptr});
  }
  for (std::uint32_t k = 0; k < sema.model.kinds.size(); ++k) {
    const std::vector<Decl>* plays = nullptr;
    if (auto own = sema.rules.kind_plays.find(k); own != sema.rules.kind_plays.end()) plays = &own->second;
    std::uint32_t t = sema.model.kinds[k].type.index;
    for (std::size_t steps = 0; !plays && steps <= sema.types.cards.size() && t < sema.types.cards.size(); ++steps) {
      if (auto of = sema.rules.type_plays.find(t); of != sema.rules.type_plays.end()) plays = &of->second;
      if (!sema.model.card_types[t].base) break;
      t = sema.model.card_types[t].base->index;
    }
    if (!plays) continue;
    Int ordinal = 0;
    for (const Decl& d : *plays) declare_play(sema, d, {k}, ordinal++);
  }
  // An action becomes an event if a trigger or a selected measure watches it.
  std::vector<const Node*> watching;
  for (const Decl& t : sema.rules.triggers) watching.push_back(t.node);
  for (const Decl& m : sema.rules.measures)
    if (makes_events(m) && is_asked_for(sema, m)) watching.push_back(watched_by(m));
  for (const Node* n : watching) {
    if ((n->number & 4) || (!(n->number & 24) && sema.names.events.contains(n->text))) continue;
    for (std::uint32_t a : actions_watched(sema, n)) {
      if (sema.actions.wrapped.contains(a)) continue;
      const auto id = static_cast<std::uint32_t>(sema.model.events.size());
      sema.actions.wrapped[a] = id;
      model::Event& e = sema.model.events.emplace_back();
      e.name = sema.model.actions[a].name;
      e.range = sema.actions.sources[a].decl.node->range;
      sema.rules.events.emplace_back();
      sema.rules.events.back().state = Callable::State::done;
    }
  }
  for (const auto& [a, e] : sema.actions.wrapped) sema.actions.events[sema.model.actions[a].name].push_back(e);
}

// Returns the actions that match a trigger, which is a name, `play KIND`, or `any action [in W] [except X]`.
std::vector<std::uint32_t> actions_watched(const SemaContext& sema, const Node* trigger) {
  if (trigger->number & 16) {
    const std::vector<Int> kinds = kinds_meant(sema, trigger->text);
    std::vector<std::uint32_t> found;
    for (std::uint32_t a = 0; a < sema.model.actions.size(); ++a)
      if (sema.model.actions[a].play &&
          std::find(kinds.begin(), kinds.end(), Int{sema.model.actions[a].kind.index}) != kinds.end())
        found.push_back(a);
    return found;
  }
  if (!(trigger->number & 8)) {
    auto it = sema.names.actions.find(trigger->text);
    return it == sema.names.actions.end() ? std::vector<std::uint32_t>{} : it->second;
  }
  const auto among = [](const Node* list, std::string_view word) {
    return list && std::any_of(list->children.begin(), list->children.end(),
                               [&](const Node* w) { return w && w->text == word; });
  };
  std::vector<std::uint32_t> found;
  for (std::uint32_t a = 0; a < sema.actions.sources.size(); ++a) {
    const Node* n = sema.actions.sources[a].decl.node;
    const Node* windows =
        n->kind == NodeKind::play_decl ? view::play_decl(n).windows() : view::action_decl(n).windows();
    const bool here = !view::trigger_decl(trigger).windows() || among(windows, "any window") ||
                      (windows && std::any_of(windows->children.begin(), windows->children.end(), [&](const Node* w) {
                         return w && among(view::trigger_decl(trigger).windows(), w->text);
                       }));
    const model::Action& action = sema.model.actions[a];
    const bool excepted =
        among(view::trigger_decl(trigger).except(), action.name) ||
        (action.play && among(view::trigger_decl(trigger).except(), sema.model.kinds[action.kind.index].name));
    if (here && !excepted) found.push_back(a);
  }
  return found;
}

static void declare_play(SemaContext& sema, const Decl& d, model::KindId kind, Int ordinal) {
  model::Action& a = sema.model.actions.emplace_back();
  a.name = "play " + sema.model.kinds[kind.index].name;
  a.play = true;
  a.kind = kind;
  a.ordinal = ordinal;
  sema.actions.sources.push_back({d, nullptr, nullptr});
}

// Narrows the type of a picked card or set of cards to the type that its conditions imply.
static void takes_type(RuleContext& rule, model::ActionParameter& parameter) {
  if (parameter.type.kind != TypeKind::card) return;
  const Type shown = raw_local(rule, parameter.element, {})->type;
  rule.body->locals[parameter.element.index].type = shown;
  if (parameter.count == model::PickCount::one)
    parameter.type = shown;
  else
    rule.body->locals[parameter.local.index].type = set_type(shown);
}

// Attaches a condition to the last parameter that it mentions or, if it mentions none, to the action itself.
static void attach(SemaContext& sema, model::Action& action, const Expr* c) {
  if (!c || is_poison(c)) return;
  if (c->kind == ExprKind::logical_and) {
    attach(sema, action, model::view::logical_and(c).left());
    attach(sema, action, model::view::logical_and(c).right());
    return;
  }
  const auto join = [&](const Expr*& to) {
    to = to ? make(sema, ExprKind::logical_and, boolean_type(), c->range, {to, c}) : c;
  };
  for (std::size_t i = action.parameters.size(); i-- > 0;) {
    model::ActionParameter& p = action.parameters[i];
    if (p.count != model::PickCount::one && mentions(c, p.local)) {
      error(sema, "bad_choice"_code, c->range,
            fmt::format("`where` can't test all of `{}`, because the cards are picked one by one", p.name),
            "for a condition on all of them, write `keeping …` after the parameter; an unqualified attribute belongs "
            "to one card");
      return;
    }
    if (mentions(c, p.element)) return join(p.where);
  }
  join(action.head.when);
}

// Attaches the `where` condition of a parameter, and narrows the type of the parameter accordingly.
static void attach_where(RuleContext& rule, model::Action& action, model::ActionParameter& parameter,
                         const Node* where) {
  if (!where) return;
  const Expr* c = nullptr;
  {
    Scoped scope(rule);
    Pure pure(rule);
    rule.elements.push_back({local(rule, parameter.element, where->range), true});
    c = condition(rule, where);
  }
  attach(rule.sema, action, c);
  narrow(rule, c, true);
  takes_type(rule, parameter);
}

// Checks that an action has at most one set, and that no other parameter depends on it. A set is picked element by
// element: the option contains its first element, and the player picks the other elements after all other parameters
// are known.
static void check_set(SemaContext& sema, const model::Action& action, const Node* list) {
  const auto is_set = [](const model::ActionParameter& p) { return p.count != model::PickCount::one; };
  const auto set = std::find_if(action.parameters.begin(), action.parameters.end(), is_set);
  if (set == action.parameters.end() || !list) return;
  for (auto p = set + 1; p != action.parameters.end(); ++p) {
    const auto reads_set = [&](const Expr* e) { return e && mentions(e, set->local); };
    if (!is_set(*p) && !reads_set(p->domain) && !reads_set(p->where)) continue;
    const auto found = std::find_if(list->children.begin(), list->children.end(),
                                    [&](const Node* node) { return node && node->text == p->name; });
    error(sema, "bad_choice"_code, found == list->children.end() ? action.head.range : (*found)->range,
          is_set(*p) ? fmt::format("`{}` and `{}` are both sets, but an action can pick only one", set->name, p->name)
                     : fmt::format("`{}` depends on `{}`, which is not picked yet", p->name, set->name),
          fmt::format("choose it in the effect: `me chooses {}: …`", p->name));
  }
}

// Attaches the conditions after `where` to their parameters. Runs last, because these conditions can refer to all
// parameters. Ignores nodes that are not parameters and duplicates, which have already been reported.
static void attach_wheres(RuleContext& rule, model::Action& action, const Node* list) {
  if (!list) return;
  std::set<std::string_view> seen;
  for (const Node* p : list->children) {
    auto mine = std::find_if(action.parameters.begin(), action.parameters.end(),
                             [&](const model::ActionParameter& other) { return other.name == p->text; });
    if (seen.insert(p->text).second && mine != action.parameters.end())
      attach_where(rule, action, *mine, view::param(p).where());
  }
}

// The declared type of a parameter, if any.
struct DeclaredPick {
  std::optional<Type> type;
  Range range;
  std::vector<Int> kinds;   // the kinds named by `Splash` in `c: Splash in me.hand`
  bool narrows = false;   // the parameter is restricted to these kinds
};

// Restricts the parameter in `c: Splash in me.hand` or `2 Splash in me.hand` to cards that count as one of the named
// kinds.
static void add_card_kinds(RuleContext& rule, DeclaredPick& declared_pick, Range range) {
  declared_pick.range = range;
  if (declared_pick.type->kind != TypeKind::card || declared_pick.type->ref >= rule.sema.types.cards.size()) return;
  declared_pick.kinds = kinds_in(rule.sema, *declared_pick.type);
  declared_pick.narrows = declared_pick.type->lo > 0 || declared_pick.kinds.size() < rule.model.kinds.size();
  if (declared_pick.narrows)
    declared_pick.type = card_of_kinds(rule.sema, kinds_counting_as(rule.sema, declared_pick.kinds));
}

static DeclaredPick type_of_picked(RuleContext& rule, const Node* node) {
  DeclaredPick declared_pick;
  if (const Node* t = view::param(node).type()) {
    std::optional<Type>& declared = declared_pick.type;
    declared = type_or_poison(rule.sema, t);
    if (declared->kind == TypeKind::poison && rule.sema.collected.absent.contains(t->text)) rule.dropped = true;
    if (record_in(rule.sema, *declared)) {
      error(rule.sema, "bad_choice"_code, t->range,
            fmt::format("a value of type `{}` can't be picked", show(rule.sema, *declared)), "pick its fields instead");
      declared = plain_type(TypeKind::poison);
    }
    if (declared->optional) error(rule.sema, "bad_choice"_code, t->range, "a choice can't be optional");
    declared->optional = false;
    add_card_kinds(rule, declared_pick, t->range);
  } else if (const Node* noun = view::param(node).noun()) {
    declared_pick.type = picked_noun(rule, noun);
    add_card_kinds(rule, declared_pick, noun->range);
    if (declared_pick.type->kind == TypeKind::nothing) declared_pick.type.reset();
  }
  return declared_pick;
}

// Checks an action parameter that picks a number from a range. If the bounds are not constant, returns the condition
// that the number is within them.
static const Expr* pick_number(RuleContext& rule, const Node* node, const Node* domain, model::ActionParameter& p) {
  const Expr* more = nullptr;
  auto lo = tree_int(rule.sema, view::range_lit(domain).lo(), false),
       hi = tree_int(rule.sema, view::range_lit(domain).hi(), false);
  if (lo && hi) {
    if (*lo > *hi) error(rule.sema, "out_of_range"_code, domain->range, fmt::format("empty range {}..{}", *lo, *hi));
    p.type = integer_type(*lo, std::max(*lo, *hi));
  } else {
    const Expr *a = integer(rule, view::range_lit(domain).lo()), *b = integer(rule, view::range_lit(domain).hi());
    if (is_poison(a) || is_poison(b))
      p.type = plain_type(TypeKind::poison);
    else if (b->type.hi - a->type.lo > kMostNumbers) {
      error(rule.sema, "bad_choice"_code, domain->range, "the bounds of this range are unknown",
            "declare a type for the number: `gold: 0..50`");
      p.type = plain_type(TypeKind::poison);
    } else {
      p.type = integer_type(a->type.lo, std::max(a->type.lo, b->type.hi));
      p.local = p.element = bind(rule, node->text, p.type, node->range);
      const Expr* x = local(rule, p.local, domain->range);
      more = make(rule.sema, ExprKind::logical_and, boolean_type(), domain->range,
                  {make(rule.sema, ExprKind::less_equal, boolean_type(), domain->range, {a, x}),
                   make(rule.sema, ExprKind::less_equal, boolean_type(), domain->range, {x, b})});
    }
  }
  return more;
}

// Checks an action parameter that picks from a set, or from a const list of sets.
static void pick_from(RuleContext& rule, const Node* node, const Node* domain, const std::optional<Type>& declared,
                      model::ActionParameter& p) {
  Pure pure(rule);
  const Expr* s = collection(rule, domain, declared ? &*declared : nullptr);
  if (is_poison(s)) {
    p.type = declared ? *declared : plain_type(TypeKind::poison);
  } else if (s->type.kind == TypeKind::list && (s->kind != ExprKind::set_list || p.count != model::PickCount::one)) {
    error(rule.sema, "bad_choice"_code, domain->range,
          "expected a set, found a list; only a const list of sets can be picked from, one set at a time",
          fmt::format("`{} in LIST where …`", node->text));
    p.type = plain_type(TypeKind::poison);
  } else if (s->kind == ExprKind::set_list) {
    p.type = element_type(s->type);
  } else {
    p.domain = s;
    p.type = element_type(s->type);
    if (declared && declared->kind != TypeKind::poison) {
      if (!same_type(rule.sema, *declared, p.type))
        error(rule.sema, "wrong_type"_code, node->range,
              fmt::format("`{}` is declared as `{}`, but picked from a set of `{}`", node->text,
                          show(rule.sema, *declared), show(rule.sema, p.type)));
      if (declared->kind == TypeKind::card && admits(rule.sema, p.type, *declared)) p.type = *declared;
    }
  }
}

// Checks an action parameter that picks from all values of its type.
static void pick_any(RuleContext& rule, const Node* node, model::ActionParameter& p) {
  if (p.type.kind == TypeKind::card)
    p.domain = universe(rule.sema, card_type(), node->range);
  else if (p.type.kind == TypeKind::player)
    p.domain = make(rule.sema, ExprKind::players_in, set_type(player_type()), node->range);
  else if (p.type.kind == TypeKind::integer && p.type.hi - p.type.lo > kMostNumbers)
    error(rule.sema, "bad_choice"_code, node->range, "too many numbers to choose from",
          fmt::format("`{}: 1..9`", node->text));
  else if (p.type.kind == TypeKind::set || p.type.kind == TypeKind::list || p.type.kind == TypeKind::map)
    error(rule.sema, "bad_choice"_code, node->range, "a set can't be picked as one value",
          fmt::format("`{}: any {} in …`", node->text, plural_of(element_type(p.type))));
}

// Rejects types that can't be picked, and clauses that a picked parameter can't have.
static void check_picked_parameter(RuleContext& rule, const Node* node, model::ActionParameter& p) {
  if (p.type.kind == TypeKind::text || p.type.kind == TypeKind::nothing) {
    error(rule.sema, "bad_choice"_code, node->range,
          fmt::format("a value of type `{}` can't be picked", show(rule.sema, p.type)));
    p.type = plain_type(TypeKind::poison);
  }
  if (view::param(node).initial())
    error(rule.sema, "misplaced"_code, view::param(node).initial()->range,
          "a parameter of an action can't have a default, because the player picks it",
          "declare a second action for the usual case");
  if (node->number == 4) {
    const bool player = p.type.kind == TypeKind::player;
    error(rule.sema, "misplaced"_code, node->range,
          player ? "`any player` is allowed only in parameters of events" : "expected `in` and a set to pick from",
          player ? fmt::format("to include players who are out: `{} in everyone`", p.name)
                 : fmt::format("`{}: any {}s in S`; to pick one: `{}: {}`", p.name,
                               p.type.kind == TypeKind::card ? "card" : "thing", p.name, show(rule.sema, p.type)));
  }
}

static void pick_several(RuleContext& rule, const Node* node, model::ActionParameter& p) {
  p.element = add_local(rule, "it", p.type, node->range);
  p.local = bind(rule, node->text, p.type.kind == TypeKind::poison ? p.type : set_type(p.type), node->range);
  if (p.type.kind != TypeKind::card && p.type.kind != TypeKind::player && p.type.kind != TypeKind::enumeration &&
      p.type.kind != TypeKind::poison && !(p.type.kind == TypeKind::integer && fits_in_set(rule.sema, p.type)))
    error(rule.sema, "bad_choice"_code, node->range,
          fmt::format("several values of type `{}` can't be picked", show(rule.sema, p.type)));
  Scoped scope(rule);
  if (view::param(node).count()) {
    Pure pure(rule);
    p.amount = integer(rule, view::param(node).count());
  }
  if (view::param(node).keeping()) {
    Pure pure(rule);
    p.keeping = condition(rule, view::param(node).keeping());
    if (is_poison(p.keeping)) p.keeping = nullptr;
  }
}

static void action_parameter(RuleContext& rule, const Node* node, model::Action& action) {
  model::ActionParameter p;
  p.name = node->text;
  const auto same = [&](const model::ActionParameter& other) { return other.name == p.name; };
  if (std::any_of(action.parameters.begin(), action.parameters.end(), same)) {
    error(rule.sema, "duplicate_declaration"_code, name_range(rule.sema, node),
          fmt::format("duplicate parameter in `{}`: `{}`", action.name, p.name));
    return;
  }
  p.count = node->number == 1   ? model::PickCount::exactly
            : node->number == 2 ? model::PickCount::up_to
            : node->number == 3 ? model::PickCount::any
                                : model::PickCount::one;
  const Node* domain = view::param(node).domain();
  const Node* where = nullptr;
  if (domain && domain->kind == NodeKind::where_expr)
    where = view::where_expr(domain).condition(), domain = view::where_expr(domain).set();
  const DeclaredPick declared_pick = type_of_picked(rule, node);
  const Expr* more = nullptr;
  if (domain && domain->kind == NodeKind::range_lit) {
    more = pick_number(rule, node, domain, p);
  } else if (domain) {
    pick_from(rule, node, domain, declared_pick.type, p);
  } else if (declared_pick.type) {
    p.type = *declared_pick.type;
    pick_any(rule, node, p);
  } else {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("the parameter `{}` needs a type or a set to pick from", node->text),
          fmt::format("`{} in others`, `{}: 1..9`", node->text, node->text));
    p.type = plain_type(TypeKind::poison);
  }
  check_picked_parameter(rule, node, p);
  if (p.count == model::PickCount::one) {
    if (view::param(node).keeping())
      error(rule.sema, "misplaced"_code, view::param(node).keeping()->range,
            "`keeping` needs a parameter that picks several, but this one picks one",
            "use `where` to restrict the choice");
    if (!p.local.valid()) p.local = p.element = bind(rule, node->text, p.type, node->range);
  } else {
    pick_several(rule, node, p);
  }
  if (declared_pick.narrows && p.type.kind == TypeKind::card) {
    const Expr* me = rule.me.valid() ? local(rule, rule.me, node->range) : nullptr;
    Expr* is = make(rule.sema, ExprKind::counts_as, boolean_type(), declared_pick.range,
                    {local(rule, p.element, declared_pick.range), me});
    is->values = declared_pick.kinds;
    p.where = is;
  }
  if (more) p.where = more;
  // The type of a set is not narrowed, because scenarios can name any card.
  if (p.count != model::PickCount::one && p.type.kind == TypeKind::card) p.type = card_type();
  action.parameters.push_back(std::move(p));
  attach_where(rule, action, action.parameters.back(), where);
}

// Returns the condition that the player is one of those allowed by `by E`, or null if every player is allowed.
const Expr* is_by(RuleContext& rule, LocalId actor, const Node* by) {
  if (by->kind == NodeKind::name_ref && by->text == "anyone") return nullptr;
  Pure pure(rule);
  const Type one = player_type(), several = set_type(one);
  const Expr* who = expr(rule, by, by->kind == NodeKind::list_lit ? &several : &one);
  if (is_poison(who)) return who;
  const bool is_set = who->type.kind == TypeKind::set && element_type(who->type).kind == TypeKind::player;
  if (!is_set && who->type.kind != TypeKind::player) {
    error(rule.sema, "wrong_type"_code, by->range,
          fmt::format("expected a player or a set of players after `by`, found `{}`", show(rule.sema, who->type)));
    return poison(rule.sema, by->range);
  }
  Expr* is = make(rule.sema, is_set ? ExprKind::in_set : ExprKind::equal, boolean_type(), by->range,
                  {local(rule, actor, by->range), who});
  is->text = "you may not take this action";
  return is;
}

// Handles `by E`, which restricts the players who can act. Returns the condition that the acting player must satisfy.
// In the rules of a character, or of a card that a player has, `me` is that player; without a `by`, only that player
// can act. In other rules, `me` is the acting player.
static const Expr* actor_condition(RuleContext& rule, const Node* by, model::Action& action) {
  const bool of_player = action.head.me.valid();
  if (!of_player) action.head.me = rule.me = add_local(rule, "me", player_type(), action.head.range);
  if (!by || (of_player && by->kind == NodeKind::name_ref && by->text == "me")) return nullptr;
  if (of_player) let_others_act(rule, action);
  return is_by(rule, action.head.me, by);
}

// Allows players other than the holder to act. The holder and the card with the rule become parameters of the action.
static void let_others_act(RuleContext& rule, model::Action& action) {
  const Range range = action.head.range;
  const Carrier carrier = std::exchange(action.head.carrier, {});
  const LocalId holder = action.head.me;
  action.head.me = add_local(rule, "actor", player_type(), range);
  rule.bindings.push_back({"actor", action.head.me, nullptr});
  model::ActionParameter who;
  who.name = "holder";
  who.local = who.element = holder;
  who.type = player_type();
  who.domain = make(rule.sema, ExprKind::players_in, set_type(player_type()), range);
  if (carrier.kind == CarrierKind::character) {
    Expr* held = make(rule.sema, ExprKind::variable, enum_type(carrier.character_type.index), range,
                      {local(rule, holder, range)});
    held->ref = carrier.character_variable.index;
    who.where = make(rule.sema, ExprKind::equal, boolean_type(), range,
                     {held, constant(rule.sema, enum_type(carrier.character_type.index), carrier.character, range)});
  }
  action.parameters.push_back(std::move(who));
  if (carrier.kind != CarrierKind::card) return;
  model::ActionParameter card;
  card.name = "this";
  card.local = card.element = action.head.self;
  card.type = rule.body->locals[action.head.self.index].type;
  const Expr* self = local(rule, action.head.self, range);
  Expr* kinds = make(rule.sema, ExprKind::set_constant, set_type(kind_type()), range);
  for (model::KindId k : carrier.kinds) kinds->values.push_back(k.index);
  card.where = make(rule.sema, ExprKind::in_set, boolean_type(), range,
                    {make(rule.sema, ExprKind::kind_of, kind_type(), range, {self}), kinds});
  card.domain = universe(rule.sema, card_type(), range);
  if (carrier.zone.valid()) {
    Expr* zone =
        make(rule.sema, ExprKind::zone, cards_in(rule.sema, carrier.zone.index), range, {local(rule, holder, range)});
    zone->ref = carrier.zone.index;
    card.domain = zone;
    // The rules of a facedown card are never in force.
    if (rule.model.zones[carrier.zone.index].visibility != model::Visibility::hidden) {
      Expr* up = make(rule.sema, ExprKind::faces, boolean_type(), range, {self});
      up->value = 1;
      card.where = both(rule.sema, card.where, up);
    }
  }
  action.parameters.push_back(std::move(card));
}

static void limits(SemaContext& sema, const Node* list, model::Action& action) {
  if (!list) return;
  for (const Node* l : list->children) {
    if (!l) continue;
    std::optional<model::GroupId> of;
    if (view::limit(l).group()) of = group(sema, view::limit(l).group()->text, true), action.groups.push_back(*of);
    if (l->text == "as") {
      sema.rules.used_groups.emplace(sema.model.groups[of->index], view::limit(l).group()->range);
      continue;
    }
    if (of) sema.used.insert("group " + sema.model.groups[of->index]);
    model::Limit limit{.scope = model::Scope::window, .group = of, .per_target = {}};
    limit.scope = l->text == "phase"   ? model::Scope::phase
                  : l->text == "turn"  ? model::Scope::turn
                  : l->text == "round" ? model::Scope::round
                  : l->text == "game"  ? model::Scope::game
                                       : model::Scope::window;
    if (view::limit(l).target()) {
      const std::string_view name = view::limit(l).target()->text;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < action.parameters.size(); ++i) {
        names.push_back(action.parameters[i].name);
        const bool target = name == "target" && action.parameters[i].type.kind == TypeKind::player &&
                            action.parameters[i].count == model::PickCount::one;
        if (names.back() == name || (target && !limit.per_target)) limit.per_target = i;
      }
      if (!limit.per_target) {
        error(sema, "bad_limit"_code, view::limit(l).target()->range, fmt::format("unknown parameter `{}`", name),
              did_you_mean(name, names));
        continue;
      }
    }
    const bool unknown = (l->text == "turn" && !sema.names.events.contains("turn")) ||
                         (l->text == "round" && !sema.names.events.contains("round")) ||
                         (l->text == "phase" && sema.names.phases.empty());
    if (unknown)
      error(sema, "bad_limit"_code, l->range, fmt::format("the game has no {}s", l->text),
            "`once per game`, `once per window`");
    const bool of_card = action.whose.kind == CarrierKind::card && action.head.carrier.kind == CarrierKind::none;
    // If other players can use the action of a card, limits are counted separately for each card, which is parameter 1.
    if (of_card && !limit.per_target && !limit.group) limit.per_target = 1;
    action.limits.push_back(limit);
  }
}

static std::optional<model::Place> place(RuleContext& rule, const Node* node) {
  auto w = zone_place(rule, node, true);
  if (!w) return std::nullopt;
  return w->place;
}

// Adds the condition that a `one of a kind` zone does not already contain a card of this kind. The player sees the
// reason, as for any other condition.
static void one_of_a_kind(RuleContext& rule, model::Action& action) {
  if (!action.to || !rule.model.zones[action.to->zone.index].one_of_a_kind) return;
  const auto at = rule.sema.state.one_of_a_kind.find(action.to->zone.index);
  const Range range =
      at != rule.sema.state.one_of_a_kind.end() ? at->second : rule.model.zones[action.to->zone.index].range;
  Expr* zone = make(rule.sema, ExprKind::zone, cards_in(rule.sema, action.to->zone.index), range,
                    {action.to->owner, action.to->copy});
  zone->ref = action.to->zone.index;
  Expr* any = make(rule.sema, ExprKind::exists, boolean_type(), range);
  any->local = add_local(rule, "card", element_type(zone->type), range);
  any->args = {zone, make(rule.sema, ExprKind::equal, boolean_type(), range,
                          {make(rule.sema, ExprKind::kind_of, kind_type(), range, {local(rule, any->local, range)}),
                           constant(rule.sema, kind_type(), action.kind.index, range)})};
  Expr* none = make(rule.sema, ExprKind::logical_not, boolean_type(), range, {any});
  none->text = fmt::format("that zone already contains one {}, and only one of each kind is allowed",
                           rule.model.kinds[action.kind.index].label);
  attach(rule.sema, action, none);
}

// Builds the effect of a rule. Inside the effect, `here` has the value that it had before the effect, even if the
// effect moves the card.
Block effect_of(RuleContext& rule, const std::function<void(Block&)>& build) {
  Block block;
  rule.in_effect = true;
  build(block);
  rule.in_effect = false;
  if (!rule.here.valid()) return block;
  const model::Local here = rule.body->locals[rule.here.index];
  Block whole;
  emit(rule.sema, whole, StmtKind::let, here.range, {part_of_this(rule, here.type.ref, here.range)})->local = rule.here;
  whole.insert(whole.end(), block.begin(), block.end());
  return whole;
}

static void finish_effect(RuleContext& rule, model::Action& action, const Node* effect, std::uint32_t index) {
  if (!action.any_window) rule.windows = action.windows;
  auto w = rule.sema.actions.wrapped.find(index);
  if (w == rule.sema.actions.wrapped.end()) {
    action.body.block = effect_of(rule, [&](Block& block) { scoped(rule, effect, block); });
    action.body.present = true;
    return;
  }
  // The effect becomes an event that rules can watch. Its parameters are `me`, `this` and the parameters of the action.
  const std::uint32_t id = w->second;
  Body body;
  RuleContext inner(rule.sema);
  inner.body = &body;
  inner.event = id;
  inner.windows = rule.windows;
  inner.carrier = rule.carrier;
  inner.owner = rule.owner;
  Callable c;
  c.hidden_me = true;
  std::vector<model::Parameter> parameters;
  std::vector<const Expr*> args;
  const auto add = [&](std::string_view name, LocalId outer) {
    const LocalId here{static_cast<std::uint32_t>(body.locals.size())};
    const model::Local& l = rule.body->locals[outer.index];
    const Type type = raw_local(rule, outer, l.range)->type;
    body.locals.push_back({std::string(name), type, l.range});
    parameters.push_back({here, nullptr});
    c.names.emplace_back(name);
    c.types.push_back(type);
    args.push_back(raw_local(rule, outer, l.range));   // for a list of sets, the index in the list
    return here;
  };
  inner.me = add("me", action.head.me);
  if (action.head.self.valid()) inner.self = add("this", action.head.self), c.hidden_this = true;
  for (const model::ActionParameter& p : action.parameters)
    if (p.local != action.head.self) {
      const LocalId here = add(p.name, p.local);
      if (p.local == rule.me) {   // if other players can act, `me` is the holder
        inner.bindings.push_back({"actor", inner.me, nullptr});
        inner.me = here;
      }
      inner.bindings.push_back(
          {c.names.size() ? rule.sema.actions.owned_names.emplace_back(p.name) : std::string_view{}, here, nullptr});
    }
  narrow_own_place(inner);
  body.block = effect_of(inner, [&](Block& block) { statements(inner, effect, block); });
  body.present = true;
  model::Event& e = rule.model.events[id];
  e.parameters = std::move(parameters);
  e.body = std::move(body);
  e.subject = 0;
  rule.sema.rules.events[id].names = c.names;
  rule.sema.rules.events[id].types = c.types;
  rule.sema.rules.events[id].hidden_me = true;
  rule.sema.rules.events[id].hidden_this = c.hidden_this;
  Expr* call = make(rule.sema, ExprKind::call_event, Type{}, e.range, std::move(args));
  call->ref = id;
  Block outer;
  emit(rule.sema, outer, StmtKind::evaluate, e.range, {call});
  action.body.block = std::move(outer);
  action.body.present = true;
}

namespace {
bool reads(const Expr& e, model::LocalId local) {
  return e.local == local ||
         std::any_of(e.args.begin(), e.args.end(), [&](const Expr* a) { return a && reads(*a, local); });
}
}   // namespace

// Builds the label of an action. Parameter names in braces are substituted later; other expressions in braces are
// evaluated when the label is shown.
static void action_label(RuleContext& rule, const Node* text, model::Action& action) {
  if (!text) return;
  Pure pure(rule);
  action.label = filled_in(rule.sema, text, [&](Range at, std::string_view inside) {
    const auto named = [&](const model::ActionParameter& p) { return p.name == inside; };
    if (std::any_of(action.parameters.begin(), action.parameters.end(), named) ||
        (inside == "this" && action.head.self.valid()))
      return fmt::format("{{{}}}", inside);
    const Expr* e = text_part(rule, at);
    if (!e) return std::string();
    for (const model::ActionParameter& p : action.parameters)
      if (p.count != model::PickCount::one && (reads(*e, p.local) || reads(*e, p.element)))
        error(rule.sema, "bad_choice"_code, at,
              fmt::format("a label can't compute with `{}`, which is not picked yet when the label is shown", p.name),
              fmt::format("use `{{{}}}` alone", p.name));
    std::vector<const Expr*> parts;
    const std::string shown = shown_part(rule.sema, e, parts);
    emit(rule.sema, action.label_parts, model::StmtKind::log, at, std::move(parts))->text = shown;
    return fmt::format("{{#{}}}", action.label_parts.size() - 1);
  });
}

static void build_action(SemaContext& sema, std::uint32_t index) {
  const ActionSource source = sema.actions.sources[index];
  const Node* n = source.decl.node;
  model::Action a;
  a.name = sema.model.actions[index].name;
  RuleContext rule(sema);
  start_rule(rule, source.decl, a.body, a.head, rule_name(sema, a.name, source.decl));
  rule.action = index;
  bool absent = false;
  a.whose = a.head.carrier;
  const Expr* by = actor_condition(rule, view::action_decl(n).by(), a);
  a.free = n->number & 1;
  a.secret = n->number & 2;
  a.passes = a.name == "pass";
  a.windows = window_list(sema, view::action_decl(n).windows(), a.any_window, absent);
  if (view::action_decl(n).parameters())
    for (const Node* p : view::action_decl(n).parameters()->children) action_parameter(rule, p, a);
  limits(sema, view::action_decl(n).limits(), a);
  attach(sema, a, by);
  if (view::action_decl(n).when()) {
    Pure pure(rule);
    const Expr* c = condition(rule, view::action_decl(n).when());
    attach(sema, a, c);
    narrow(rule, c, true);
  }
  attach_wheres(rule, a, view::action_decl(n).parameters());
  check_set(sema, a, view::action_decl(n).parameters());
  action_label(rule, view::action_decl(n).label(), a);
  if (rule.force) {
    Pure pure(rule);
    attach(sema, a, condition(rule, rule.force));
  }
  action_timing(rule, view::action_decl(n).timing(), a);
  finish_effect(rule, a, view::action_decl(n).effect(), index);
  if (rule.dropped || absent) drop_action(sema, a, index, rule.dropped_for);
  sema.model.actions[index] = std::move(a);
}

// Returns the type of the card in a play of this kind: the kind's own type, or a more general type if other cards count
// as this kind.
static Type played_type(const SemaContext& sema, model::KindId kind) {
  const std::vector<Int> kinds = kinds_counting_as(sema, {Int{kind.index}});
  return kinds.size() == 1 ? card_type(sema.model.kinds[kind.index].type.index) : card_of_kinds(sema, kinds);
}

// Returns the first parameter of a play: a card in the hand that counts as the kind.
static model::ActionParameter played_card(SemaContext& sema, RuleContext& rule, const Node* n, const model::Action& a) {
  const model::Kind& kind = sema.model.kinds[a.kind.index];
  model::ActionParameter card;
  card.local = card.element = a.head.self;
  card.name = "this";
  card.type = played_type(sema, a.kind);
  Expr* domain = make(sema, ExprKind::zone, cards_in(sema, a.from.index), n->range, {local(rule, a.head.me, n->range)});
  domain->ref = a.from.index;
  card.domain = domain;
  Expr* is = make(sema, ExprKind::counts_as, boolean_type(), n->range,
                  {local(rule, a.head.self, n->range), local(rule, a.head.me, n->range)});
  is->values = {static_cast<Int>(a.kind.index)};
  is->text = fmt::format("it does not currently count as {}", kind.label);
  card.where = is;
  return card;
}

// Records the kinds of cards that `replacing any Gun` replaces, and the zone to which the replaced cards move.
static void replaces(SemaContext& sema, const Node* r, model::Action& a) {
  if (auto t = sema.names.card_types.find(r->text); t != sema.names.card_types.end())
    for (Int k : kinds_of_type(sema, t->second)) a.replacing.push_back({static_cast<std::uint32_t>(k)});
  else if (auto k = sema.names.kinds.find(r->text); k != sema.names.kinds.end() && k->second != ~0u)
    a.replacing.push_back({k->second});
  else if (!sema.collected.absent.contains(r->text))
    error(sema, "unknown_name"_code, r->range, fmt::format("unknown card or card type `{}`", r->text));
  auto discard = sema.names.table_zones.find("discard");
  std::optional<std::uint32_t> gone;
  if (discard != sema.names.table_zones.end())
    gone = discard->second;
  else
    for (const model::Zone& z : sema.model.zones)
      if (z.refill_from && !z.per_player && z.copies == 1) gone = z.refill_from->index;
  if (gone)
    a.replaced_to = model::Place{{*gone}, nullptr, nullptr};
  else
    error(sema, "bad_play"_code, r->range, "the replaced cards have no zone to move to",
          "declare a pile `discard` in `table { … }`");
}

static void build_play(SemaContext& sema, std::uint32_t index) {
  const ActionSource source = sema.actions.sources[index];
  const Node* n = source.decl.node;
  model::Action a;
  a.name = sema.model.actions[index].name;
  a.play = true;
  a.kind = sema.model.actions[index].kind;
  a.ordinal = sema.model.actions[index].ordinal;
  const model::Kind kind = sema.model.kinds[a.kind.index];
  RuleContext rule(sema);
  Decl plain = source.decl;
  plain.carrier = {};
  start_rule(rule, plain, a.body, a.head, "play " + kind.label);
  rule.action = index;
  bool absent = false;
  auto hand = sema.names.player_zones.find("hand");
  if (hand == sema.names.player_zones.end()) {
    error(sema, "bad_play"_code, first_word(sema, n), "`play` needs a zone `hand` for each player",
          "`player { zone hand: owner }`");
    return;
  }
  sema.used.insert("hand");
  a.from = {hand->second};
  a.head.me = rule.me = add_local(rule, "me", player_type(), n->range);
  a.head.self = rule.self = add_local(rule, "this", played_type(sema, a.kind), n->range);
  a.free = n->number & 1;
  const Expr* by = view::play_decl(n).by() ? is_by(rule, a.head.me, view::play_decl(n).by()) : nullptr;
  a.windows = window_list(sema, view::play_decl(n).windows(), a.any_window, absent);
  a.parameters.push_back(played_card(sema, rule, n, a));
  if (view::play_decl(n).parameters())
    for (const Node* p : view::play_decl(n).parameters()->children) action_parameter(rule, p, a);
  limits(sema, view::play_decl(n).limits(), a);
  attach(sema, a, by);
  if (view::play_decl(n).when()) {
    Pure pure(rule);
    const Expr* c = condition(rule, view::play_decl(n).when());
    attach(sema, a, c);
    narrow(rule, c, true);
  }
  attach_wheres(rule, a, view::play_decl(n).parameters());
  check_set(sema, a, view::play_decl(n).parameters());
  action_label(rule, view::play_decl(n).label(), a);
  const Node* to = view::play_decl(n).to();
  const Node* plays_to = to ? nullptr : find_kind_member(sema, a.kind.index, NodeKind::plays_to);
  if (plays_to) to = view::plays_to(plays_to).place(), sema.used.insert(plays_to_key(plays_to));
  if (to) {
    a.to = place(rule, to);
    if (a.to && a.to->owner && a.to->owner->type.kind == TypeKind::poison) a.to.reset();
  } else {
    error(sema, "bad_play"_code, first_word(sema, n), fmt::format("the play of `{}` has no target zone", kind.name),
          "write `plays to discard` in the card or its type, or `to …` after the play");
  }
  if (plays_to && view::plays_to(plays_to).replacing() && a.to) replaces(sema, view::plays_to(plays_to).replacing(), a);
  one_of_a_kind(rule, a);
  action_timing(rule, view::play_decl(n).timing(), a);
  finish_effect(rule, a, view::play_decl(n).effect(), index);
  if (rule.dropped || absent) drop_action(sema, a, index, rule.dropped_for);
  sema.model.actions[index] = std::move(a);
}

// Drops an action that refers to `gone`, which does not exist with the current options. If only the action's windows do
// not exist, `gone` is empty.
static void drop_action(SemaContext& sema, model::Action& a, std::uint32_t index, const std::string& gone) {
  a.windows.clear();
  a.any_window = false;
  sema.actions.dropped.insert(index);
  for (auto& removal : sema.collected.removed_outright)
    if (removal.node->text == gone && a.head.range.known()) removal.actions.push_back(a.name);
}

void build_actions(SemaContext& sema) {
  for (std::uint32_t i = 0; i < sema.model.actions.size(); ++i) {
    if (sema.model.actions[i].play)
      build_play(sema, i);
    else
      build_action(sema, i);
  }
}

std::string plays_to_key(const Node* node) {
  return fmt::format("plays to {}:{}", node->range.source, node->range.begin);
}

}   // namespace cardwright::sema
