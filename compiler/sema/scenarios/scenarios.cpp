// Builds scenes and scenarios: the order of their lines, and the assertions after `then`. scenario_setup.cpp builds
// `given`, and steps.cpp builds steps.
#include "compiler/sema/scenarios/scenarios.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/scenarios/known.h"
#include "compiler/sema/scenarios/scenario_setup.h"
#include "compiler/sema/scenarios/steps.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

static bool is_for_this_table(const SemaContext& sema, const ScenarioInfo& info);

// Returns the two values that an assertion compares, which are shown if it fails. The second value is null if it is
// constant.
static std::pair<const Expr*, const Expr*> compared_in(const Expr* e) {
  while (e->kind == ExprKind::logical_not) e = model::view::logical_not(e).operand();
  switch (e->kind) {
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::less:
    case ExprKind::less_equal:
    case ExprKind::in_set: break;
    default: return {};
  }
  const auto shown = [](const Expr* value) -> const Expr* {
    if (value->kind == ExprKind::constant) return nullptr;
    switch (value->type.kind) {
      case TypeKind::integer:
      case TypeKind::boolean:
      case TypeKind::enumeration:
      case TypeKind::player:
      case TypeKind::card: return value;
      case TypeKind::kind:
#include "compiler/model/cases_of_non_scalars.def"
        break;
    }
    return nullptr;
  };
  if (e->kind == ExprKind::in_set) return {shown(model::view::in_set(e).element()), nullptr};
  const Expr *left = shown(model::view::pair(e).left()), *right = shown(model::view::pair(e).right());
  if (!left) std::swap(left, right);
  return {left, left && right && left->type.kind == right->type.kind ? right : nullptr};
}

// Builds `a may pass` and `a can't wait`. An item of the step records which of the two words is used.
static bool passes_or_waits(SemaContext& sema, const Node* word, model::Step& s) {
  s.verb = model::Step::Verb::passes;
  if (word->text == "wait") s.items.push_back({{}, {}, "wait"});
  if (word->text == "pass" || word->text == "wait") return true;
  const bool what = word->text == "play" || word->text == "use" || word->text == "choose";
  error(
      sema, "bad_scenario"_code, word->range,
      what ? fmt::format("expected an argument after `{}`", word->text) : fmt::format("unknown verb `{}`", word->text),
      "write for example `a may play Net`, `a may use trade`, `a may choose b`, `a may pass`; in real time `a can't "
      "wait`");
  return false;
}

// Reports `a may choose b, c`. The comma separates assertions, but `c` alone is not an assertion.
static bool another_to_choose(SemaContext& sema, const Node* e, const model::ScenarioLine& line) {
  if (line.claims.empty()) return false;
  const model::Claim& before = line.claims.back();
  using Kind = model::Claim::Kind;
  if ((before.kind != Kind::can && before.kind != Kind::cannot) || before.step.verb != model::Step::Verb::chooses)
    return false;
  const bool named = e->kind == NodeKind::name_ref && (seat(sema, e, false) || sema.names.kinds.contains(e->text) ||
                                                       sema.names.constants.contains(e->text));
  const bool card =
      e->kind == NodeKind::scenario_card ||
      (e->kind == NodeKind::call && (sema.names.kinds.contains(e->text) || sema.names.card_types.contains(e->text)));
  if (!named && !card && e->kind != NodeKind::string && e->kind != NodeKind::number) return false;
  const std::string_view text = before.text, what = sema.diagnostics.sources().text(e->range);
  const std::size_t choose = text.find("choose");
  error(sema, "bad_scenario"_code, e->range, fmt::format("`{}` is not a condition", what),
        fmt::format("write each choice separately: `{} and {}choose {}`", text, text.substr(0, choose), what));
  return true;
}

// Builds assertions with `may` and `can't`.
static bool is_offered(RuleContext& rule, const Node* node, model::Claim& c) {
  const view::claim its(node);
  c.kind = node->text == "may" ? model::Claim::Kind::can : model::Claim::Kind::cannot;
  auto s = seat(rule.sema, its.subject());
  if (!s) return false;
  c.player = *s;
  c.step.player = *s;
  c.step.range = node->range;
  c.step.text = c.text;
  const Node *word = its.what(), *thing = its.thing();
  if (!word) return false;
  if (!thing) return passes_or_waits(rule.sema, word, c.step);
  Items items;
  if (!name_items(rule, its.more(), items)) return false;
  if (word->text == "play") {
    if (!played_as(rule.sema, its.as(), c.step) || !plays_with(rule, thing, items, c.step)) return false;
  } else if (word->text == "choose") {
    Items chosen;
    if (!name_item(rule, thing, chosen) || !chooses(rule, chosen, c.step)) return false;
    if (c.kind == model::Claim::Kind::cannot) warn_of_no_answer(rule.sema, chosen, c.step);
  } else if (word->text == "use") {
    // For example, the action `ring of Bell` of a card.
    if (!uses_with(rule, thing,
                   thing->kind == NodeKind::scenario_card ? view::scenario_card(thing).arguments(0) : nullptr, items,
                   c.step))
      return false;
  } else {
    error(rule.sema, "bad_scenario"_code, word->range, fmt::format("unknown verb `{}`", word->text),
          "write for example `a may play Net`, `a may use trade`, `a may choose b`");
    return false;
  }
  return true;
}

static void is_logged(RuleContext& rule, const Node* node, model::Claim& c) {
  c.kind = model::Claim::Kind::logged;
  for (const Node* text : node->children) {
    c.texts.emplace_back(text->text);
    warn_if(rule.sema, "constant_condition"_code, text->range, text->text.empty(),
            "this is always true: every line contains an empty string", "write the expected text");
  }
}

std::optional<std::size_t> computed_value(RuleContext& rule, const Node* e, const Type& type) {
  Body body;
  RuleContext inner(rule.sema);
  inner.body = &body;
  inner.pure = true;
  inner.scenario = true;
  const Expr* x = convert(inner, expr(inner, e, &type), type);
  if (is_poison(x)) return std::nullopt;
  Block block;
  emit(rule.sema, block, StmtKind::return_value, e->range, {x});
  body.block = std::move(block);
  body.present = true;
  rule.model.claims.push_back(std::move(body));
  return rule.model.claims.size() - 1;
}

// Builds a condition. Also stores the two values that it compares, so that they can be shown if the assertion fails.
static bool holds(RuleContext& rule, const Node* e, model::Claim& c) {
  c.kind = model::Claim::Kind::holds;
  Body body;
  std::vector<Block> sides;
  RuleContext inner(rule.sema);
  inner.body = &body;
  inner.pure = true;
  inner.scenario = true;
  const Expr* x = condition(inner, e);
  if (is_poison(x)) return false;
  Block block;
  emit(rule.sema, block, StmtKind::return_value, e->range, {x});
  body.block = std::move(block);
  body.present = true;
  const auto [value, other] = compared_in(x);
  const auto alone = [&](const Expr* what) {
    Block only;
    emit(rule.sema, only, StmtKind::return_value, e->range, {what});
    return only;
  };
  if (value) c.value_type = value->type, sides.push_back(alone(value));
  if (other) sides.push_back(alone(other));
  c.body = rule.model.claims.size();
  rule.model.claims.push_back(std::move(body));
  for (Block& side : sides) {
    (c.value == ~std::size_t{0} ? c.value : c.other) = rule.model.claims.size();
    Body with_side = rule.model.claims[c.body];
    with_side.block = std::move(side);
    rule.model.claims.push_back(std::move(with_side));
  }
  return true;
}

// Builds `a knows b.hand` and `everyone knows b.role`.
static bool is_known(RuleContext& rule, const view::claim& its, model::Claim& c) {
  c.knowers = seats_of(rule.sema, its.subject());
  if (c.knowers.empty()) return false;
  auto things = known_things(rule, its.what());
  if (things) c.known = std::move(*things);
  return things.has_value();
}

static bool is_zone(RuleContext& rule, const Node* n, model::Claim& c) {
  const auto zone = zone_named(rule, n);
  if (!zone) return false;
  c.zone = zone->zone;
  c.owner = zone->owner.value_or(kNone);
  c.copy = zone->copy;
  return true;
}

static bool read_claim(RuleContext& rule, const Node* node, model::ScenarioLine& line, model::Claim& c) {
  const view::claim its(node);
  const std::string_view what = node->text;
  using Kind = model::Claim::Kind;
  if (what == "can't" || what == "may") return is_offered(rule, node, c);
  if (what == "log") return is_logged(rule, node, c), true;
  const bool ends = what == "wins" || what == "loses", knows = what == "knows" || what == "doesn't know";
  if (ends || knows) {
    if (ends) c.kind = what == "wins" ? Kind::wins : Kind::loses;
    if (knows) c.kind = what == "knows" ? Kind::knows : Kind::knows_not;
    if (knows) return is_known(rule, its, c);
    const auto s = seat(rule.sema, its.subject());
    if (!s) return false;
    c.player = *s;
    return true;
  }
  const Node* e = its.subject();
  if (!e || another_to_choose(rule.sema, e, line)) return false;
  // `d.hand == [Miss]` means that the zone contains exactly these cards, in any order.
  if (e->kind == NodeKind::binary && e->text == "==" && view::binary(e).right() &&
      view::binary(e).right()->kind == NodeKind::list_lit && is_zone(rule, view::binary(e).left(), c)) {
    c.kind = Kind::zone_is;
    c.cards = card_matches(rule, view::binary(e).right());
    return true;
  }
  return holds(rule, e, c);
}

static void claim(RuleContext& rule, const Node* node, model::ScenarioLine& line) {
  model::Claim c;
  c.range = node->range;
  c.text = std::string(rule.sema.diagnostics.sources().text(node->range));
  if (!read_claim(rule, node, line, c)) return;
  if (line.at_once && (c.kind == model::Claim::Kind::can || c.kind == model::Claim::Kind::cannot))
    return void(error(rule.sema, "bad_scenario"_code, node->range,
                      "`then at once` is evaluated before any player decides, so no action is offered yet",
                      fmt::format("remove `at once`: `then {}`", c.text)));
  line.claims.push_back(std::move(c));
}

// ---- the initial state of a scenario

// Returns whether the key or subject describes a card, as in `Bar at c3` and `loaded[Gun] = 2`. Two equal descriptions
// then refer to two different cards.
static bool names_a_card(RuleContext& rule, const Node* given, const Node* what) {
  if (given->text == "at") return !area_in(rule.sema, what);
  if (what->kind != NodeKind::index) return false;
  return std::ranges::any_of(view::index(what).keys(), [&](const Node* key) {
    return key && (key->kind == NodeKind::scenario_card || key->kind == NodeKind::call ||
                   (key->kind == NodeKind::name_ref && rule.sema.names.kinds.contains(key->text)));
  });
}

// Reports duplicate assignments, because only the last one would take effect. Facedown cards are added to a zone, so
// they can be repeated.
static void given_once(RuleContext& rule, const std::vector<const Node*>& position) {
  std::set<std::pair<std::string_view, std::string_view>> checked;
  for (const Node* g : position) {
    const Node* what = g ? view::given(g).what() : nullptr;
    if (!what || g->text == "facedown" || g->text == "knows" || names_a_card(rule, g, what)) continue;
    if (!checked.insert({g->text, rule.sema.diagnostics.sources().text(what->range)}).second)
      error(rule.sema, "duplicate_clause"_code, what->range, "duplicate assignment", "remove one of the two");
  }
}

static std::vector<const Node*> all_of(const Node* list) {
  return list ? std::vector<const Node*>(list->children.begin(), list->children.end()) : std::vector<const Node*>{};
}

// Reports cards that are placed after the first step. Cards are placed only once, before the first step.
static void look_for_late_cards(SemaContext& sema, const model::Scenario& scenario) {
  using Kind = model::Given::Kind;
  bool begun = false;
  for (const model::ScenarioLine& line : scenario.lines) {
    begun = begun || line.kind != model::ScenarioLine::Kind::given;
    for (const model::Given& g : line.givens) {
      const bool variable = g.kind == Kind::variable || g.kind == Kind::set || g.kind == Kind::list;
      if (begun && !variable && g.kind != Kind::out && g.kind != Kind::only_in)
        error(sema, "bad_scenario"_code, g.range, "cards can't be placed after the first `when` or `then`",
              "move this `given` to the beginning, or move the cards in a step");
    }
  }
}

// Checks that `game begins` is the first step and that no `given` precedes it, because `setup` runs on an empty table.
static void look_for_setup(SemaContext& sema, const model::Scenario& scenario) {
  const model::ScenarioLine* given = nullptr;
  const model::Step* before = nullptr;
  for (const model::ScenarioLine& line : scenario.lines) {
    if (!line.givens.empty() && !given) given = &line;
    for (const model::Step& step : line.steps) {
      const bool begins = step.verb == model::Step::Verb::game_begins;
      if (begins && given)
        error(sema, "setup_not_first"_code, given->range,
              "`given` can't be combined with `game begins`, which runs the setup",
              "remove the `given`, or begin with a turn: `turn of a begins`");
      else if (begins && before)
        error(sema, "setup_not_first"_code, step.range, "`game begins` must be the first step")
            .notes.push_back({before->range, "earlier step"});
      if (begins && given) return;
      before = &step;
    }
  }
}

// Reports a `given` for a variable of a phase that begins later. A phase resets its variables when it begins, unless
// the scenario begins in this phase.
static void look_for_given_steps(SemaContext& sema, const model::Scenario& scenario) {
  const model::Given* given = nullptr;
  for (const model::ScenarioLine& line : scenario.lines) {
    for (const model::Given& g : line.givens)
      if (g.variable.valid() && sema.model.variables[g.variable.index].lifetime == model::Lifetime::phase) given = &g;
    if (line.steps.empty()) continue;
    const model::EventId first = line.steps.front().event;
    const bool phase = first.valid() && sema.model.events[first.index].kind == model::EventKind::phase;
    if (given && !phase)
      error(sema, "bad_scenario"_code, given->range,
            fmt::format("`{}` is reset at the start of each phase, so this has no effect",
                        sema.model.variables[given->variable.index].name),
            "begin the scenario with a phase: `main of a begins`");
    return;
  }
}

static void scenario_lines(RuleContext& rule, const Node* node, model::Scenario& scenario) {
  if (const Node* s = view::scenario(node).scene()) {
    auto it = rule.sema.scenarios.scenes.find(s->text);
    if (it != rule.sema.scenarios.scenes.end()) {
      model::ScenarioLine line;
      line.kind = model::ScenarioLine::Kind::given;
      line.range = it->second->range;
      givens(rule, view::scene(it->second).givens(), line);
      scenario.lines.push_back(std::move(line));
    }
  }
  if (!view::scenario(node).lines()) return;
  std::vector<const Node*> position;
  for (const Node* l : view::scenario(node).lines()->children) {
    if (!l) continue;
    if (l->kind != NodeKind::given_line) break;
    position.insert(position.end(), l->children.begin(), l->children.end());
  }
  given_once(rule, position);
  for (const Node* l : view::scenario(node).lines()->children) {
    if (!l) continue;
    model::ScenarioLine line;
    line.range = l->range;
    switch (l->kind) {
      case NodeKind::given_line:
        line.kind = model::ScenarioLine::Kind::given;
        givens(rule, l, line);
        break;
      case NodeKind::when_line:
        line.kind = model::ScenarioLine::Kind::when;
        for (const Node* s : l->children)
          if (s) step(rule, s, line);
        break;
      case NodeKind::then_line:
        line.kind = model::ScenarioLine::Kind::then;
        line.at_once = view::then_line(l).at_once();
        for (const Node* c : l->children)
          if (c) claim(rule, c, line);
        break;
      default: continue;
    }
    scenario.lines.push_back(std::move(line));
  }
}

static void build_scenario(SemaContext& sema, const Node* node) {
  model::Scenario scenario;
  scenario.title = node->text;
  scenario.range = node->range;
  sema.scenarios.out.clear();
  Body body;
  RuleContext rule(sema);
  rule.body = &body;
  rule.scenario = true;
  scenario_lines(rule, node, scenario);
  const bool claims = std::any_of(scenario.lines.begin(), scenario.lines.end(), [](const model::ScenarioLine& l) {
    return l.kind == model::ScenarioLine::Kind::then;
  });
  warn_if(sema, "without_effect"_code, name_range(sema, node), !claims, "scenario without assertions",
          "add an assertion: `then a.hand is empty`");
  look_for_setup(sema, scenario);
  look_for_late_cards(sema, scenario);
  look_for_given_steps(sema, scenario);
  sema.model.scenarios.push_back(std::move(scenario));
}

static bool is_component(NodeKind kind) {
  switch (kind) {
    case NodeKind::enum_decl:
    case NodeKind::record_decl:
    case NodeKind::card_type:
    case NodeKind::card:
    case NodeKind::character_type:
    case NodeKind::character:
    case NodeKind::deck:
    case NodeKind::player_state:
    case NodeKind::table_state:
    case NodeKind::team_state:
    case NodeKind::teams_decl:
    case NodeKind::zone:
    case NodeKind::area:
    case NodeKind::piece:
    case NodeKind::die:
    case NodeKind::board:
    case NodeKind::const_decl:
    case NodeKind::unit_decl:
    case NodeKind::action_decl:
    case NodeKind::play_decl: return true;
    default: return false;   // rules can't be referred to in scenarios
  }
}

// Returns whether a data file, or a declaration that scenarios refer to, has errors. Errors in scenarios are then
// probably consequences of these.
static bool components_are_wrong(const SemaContext& sema) {
  const auto in_data = [&](SourceId source) {
    return std::ranges::none_of(sema.ruleset.units, [&](const Unit& u) { return u.root->range.source == source; });
  };
  const auto within = [](const Range& outer, const Range& inner) {
    return outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end;
  };
  return std::ranges::any_of(sema.diagnostics.all(), [&](const Diagnostic& d) {
    if (d.severity != Severity::error || !d.range.known()) return false;
    return in_data(d.range.source) || std::ranges::any_of(sema.collected.decls, [&](const Decl& decl) {
             return is_component(decl.node->kind) && within(decl.node->range, d.range);
           });
  });
}

void build_scenarios(SemaContext& sema) {
  if (sema.ruleset.units.empty() || components_are_wrong(sema)) return;
  const std::uint32_t depth = sema.ruleset.scenario_depth;
  std::vector<const Node*> scenarios;
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind == NodeKind::scene && sema.ruleset.units[d.unit].depth <= depth)
      sema.scenarios.scenes.insert_or_assign(std::string(d.node->text), d.node);
    if (d.node->kind == NodeKind::scenario && sema.ruleset.units[d.unit].depth == depth) scenarios.push_back(d.node);
  }
  for (const auto& [name, scene] : sema.scenarios.scenes) {
    RuleContext rule(sema);
    given_once(rule, all_of(view::scene(scene).givens()));
  }
  for (const ScenarioInfo& info : sema.ruleset.scenarios) {
    if (!is_for_this_table(sema, info)) continue;
    const auto n =
        std::find_if(scenarios.begin(), scenarios.end(), [&](const Node* s) { return s->range == info.range; });
    if (n != scenarios.end())
      build_scenario(sema, *n);
    else if (sema.collected.replaced_scenarios.contains(info.title))
      error(sema, "bad_scenario"_code, info.range, "this scenario is replaced by another one");
    else if (!sema.collected.removed_scenarios.contains(info.title))
      error(sema, "bad_scenario"_code, info.range,
            fmt::format("this scenario never runs: the enclosing condition is false for {} players with its options",
                        info.players),
            "name the options: `scenario \"…\" for 3 players with long_game { … }`");
  }
}

// Returns whether the scenario applies to the current number of players and options.
static bool is_for_this_table(const SemaContext& sema, const ScenarioInfo& info) {
  if (info.players != sema.players) return false;
  for (const Option& o : sema.ruleset.options) {
    std::string wanted = o.initial;
    bool named = false;
    for (const auto& [name, value] : info.options)
      if (name == o.name) wanted = value.empty() ? "on" : value, named = true;
    // Compares requested values instead of resolved ones, because `implies` and `void` affect both in the same way.
    const auto asked = sema.options.requested.find(o.name);
    if ((named || asked != sema.options.requested.end()) &&
        (asked != sema.options.requested.end() ? asked->second : o.initial) != wanted)
      return false;
  }
  return true;
}

}   // namespace cardwright::sema
