// Analyzes a ruleset: first options, declarations, types and state, then all rules, then checks that need the complete
// model.
#include "compiler/sema/sema.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "compiler/analysis/zone_cards.h"
#include "compiler/sema/checks/allowed_contexts.h"
#include "compiler/sema/checks/captures.h"
#include "compiler/sema/checks/closed_windows.h"
#include "compiler/sema/checks/warnings.h"
#include "compiler/sema/context/context.h"
#include "compiler/sema/context/pending_warnings.h"
#include "compiler/sema/declarations/boards.h"
#include "compiler/sema/declarations/callables.h"
#include "compiler/sema/declarations/components.h"
#include "compiler/sema/declarations/consts.h"
#include "compiler/sema/declarations/decks.h"
#include "compiler/sema/declarations/declarations.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/expressions/dispatch.h"
#include "compiler/sema/expressions/supposing.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/options.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/rules/actions.h"
#include "compiler/sema/rules/callables.h"
#include "compiler/sema/rules/flow.h"
#include "compiler/sema/rules/departed_cards.h"
#include "compiler/sema/rules/measures.h"
#include "compiler/sema/rules/passing.h"
#include "compiler/sema/rules/policies.h"
#include "compiler/sema/rules/replacements.h"
#include "compiler/sema/rules/rules.h"
#include "compiler/sema/rules/timing.h"
#include "compiler/sema/scenarios/scenarios.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

static void drop_actions(SemaContext& sema);

static constexpr Builders kBuilders{.expression = build_expression,
                                    .value = build_value,
                                    .function = build_function,
                                    .modifiers = ensure_modifiers,
                                    .instance = declare_instance,
                                    .cards = ensure_cards};

static std::unique_ptr<model::Model> run(SemaContext& sema) {
  const std::size_t before = sema.diagnostics.errors();
  if (sema.ruleset.units.empty()) return nullptr;
  sema.players = sema.configuration.players ? sema.configuration.players : sema.ruleset.usual_players;
  if (sema.players < sema.ruleset.least_players || sema.players > sema.ruleset.most_players) {
    error(sema, "bad_players"_code, sema.ruleset.players_range,
          fmt::format("{} is for {} to {} players, not {}", sema.ruleset.title, sema.ruleset.least_players,
                      sema.ruleset.most_players, sema.players));
    return nullptr;
  }
  if (!resolve_options(sema)) return nullptr;
  sema.model.name = sema.ruleset.name;
  sema.model.title = sema.ruleset.title;
  sema.model.players = sema.players;
  const auto asks_for = [&](std::string_view what) {
    return std::find(sema.configuration.measures.begin(), sema.configuration.measures.end(), what) !=
           sema.configuration.measures.end();
  };
  sema.model.notes_figures = asks_for(kFigures);
  sema.model.notes_turns = asks_for(kTurnOrder) || sema.model.notes_figures;
  sema.model.notes_coverage = asks_for(kCoverage);
  sema.model.marks_flow = asks_for(kFlowMarks);
  for (const Unit& u : sema.ruleset.units)
    if (u.standard && u.root) sema.model.pages.push_back(u.root->range.source);
  for (const Option& o : sema.ruleset.options) sema.model.options.push_back({o.name, sema.options.chosen[o.name]});

  sema.constants.declared.clear();
  sema.constants.known.clear();
  sema.constants.units.clear();
  sema.rules.used_groups.clear();
  sema.flow.has_together = contains_together(sema.ruleset);
  check_contexts(sema);
  collect(sema);
  check_units(sema);
  std::erase_if(sema.constants.known, [&](const auto& c) { return !sema.constants.of_libraries.contains(c.first); });
  if (!declare_types(sema)) return nullptr;
  std::erase_if(sema.constants.known, [&](const auto& c) { return !sema.constants.of_libraries.contains(c.first); });
  check_consts(sema);
  declare_state(sema);
  declare_decks(sema);
  declare_rules(sema);
  check_captures(sema);
  check_area_names(sema);
  for (std::uint32_t e = 0; e < sema.rules.events.size(); ++e) declare_event_variables(sema, e);
  for (std::uint32_t w = 0; w < sema.rules.windows.size(); ++w) declare_window_variables(sema, w);
  finish_variables(sema);
  for (std::uint32_t v = 0; v < sema.rules.values.size(); ++v) build_value(sema, v);
  for (std::uint32_t f = 0; f < sema.rules.functions.size(); ++f) build_function(sema, f);
  for (std::uint32_t v = 0; v < sema.rules.values.size(); ++v) ensure_modifiers(sema, v);
  declare_actions(sema);
  build_actions(sema);
  for (std::uint32_t e = 0; e < sema.rules.events.size(); ++e) build_event(sema, e);
  for (std::uint32_t w = 0; w < sema.rules.windows.size(); ++w) build_window(sema, w);
  build_flow(sema);
  build_triggers(sema);
  order_replacements(sema);
  for (const Decl& d : sema.rules.whenevers) build_whenever(sema, d);
  for (const Decl& d : sema.rules.alsos) build_also(sema, d);
  for (const Decl& d : sema.rules.forbids) build_forbid(sema, d);
  build_endings(sema);
  build_measures(sema);
  build_boards(sema);
  build_shown_texts(sema);
  ensure_cards(sema);
  evaluate_consts(sema);
  build_scenarios(sema);
  build_policies(sema);
  check_uncalled(sema);
  check_value_cycles(sema);
  check_landings(sema);
  check_measures(sema);
  check_supposings(sema);
  for (const ClosedRead& r : reads_after_end(sema.model)) {
    const std::string name = r.of.window ? sema.model.windows[r.of.id].name : sema.model.events[r.of.id].name;
    error(sema, "wrong_kind_of_name"_code, r.range,
          fmt::format("`{0}` is {1}, so its variables can no longer be read", name, r.of.window ? "closed" : "over"),
          r.of.window ? fmt::format("store its result: after `let w = open {}(…)` you can read `w.x`", name)
                      : fmt::format("return the value from the event: `event {}(…): int`", name));
  }
  if (sema.pending_warnings && sema.errors == 0) warn(sema);
  if (sema.errors > 0 || sema.diagnostics.errors() != before) return nullptr;
  drop_actions(sema);
  return std::move(sema.owned);
}

static void hand_on(const Diagnostics& found, Diagnostics& to) {
  for (const Diagnostic& d : found.all()) to.report(d.code, d.range, d.message, d.help).notes = d.notes;
}

// Runs the analysis once or twice. Some checks of card types depend on which cards each zone can contain. The first
// pass computes these cards, and the second pass uses them. Games without such checks need only one pass.
static std::unique_ptr<model::Model> look(const Ruleset& ruleset, const Configuration& configuration,
                                          Diagnostics& diagnostics, PendingWarnings* pending_warnings) {
  Diagnostics found(diagnostics.sources());
  std::optional<PendingWarnings> pending = pending_warnings ? std::optional(*pending_warnings) : std::nullopt;
  SemaContext first(ruleset, configuration, found, kBuilders);
  first.pending_warnings = pending ? &*pending : nullptr;
  std::unique_ptr<model::Model> model = run(first);
  if (first.wants_zone_cards) {
    const ZoneCards zone_cards = analysis::zone_cards(first.model);
    SemaContext second(ruleset, configuration, diagnostics, kBuilders);
    second.pending_warnings = pending_warnings;
    second.zone_cards = &zone_cards;
    return run(second);
  }
  if (pending) *pending_warnings = std::move(*pending);
  hand_on(found, diagnostics);
  return model;
}

// Removes the dropped actions, which refer to names that do not exist with the current options.
static void drop_actions(SemaContext& sema) {
  if (sema.actions.dropped.empty()) return;
  std::vector<std::uint32_t> moved(sema.model.actions.size(), ~0u);
  std::vector<model::Action> remaining;
  for (std::uint32_t i = 0; i < sema.model.actions.size(); ++i) {
    if (sema.actions.dropped.contains(i)) continue;
    moved[i] = static_cast<std::uint32_t>(remaining.size());
    remaining.push_back(std::move(sema.model.actions[i]));
  }
  sema.model.actions = std::move(remaining);
  const auto renumber = [&](std::vector<model::ActionId>& ids) {
    std::vector<model::ActionId> out;
    for (model::ActionId id : ids)
      if (moved[id.index] != ~0u) out.push_back({moved[id.index]});
    ids = std::move(out);
  };
  for (model::Forbid& f : sema.model.forbids) renumber(f.actions);
  for (model::Measure& m : sema.model.measures) {
    std::erase_if(m.moments, [&](const model::Moment& x) { return x.action && moved[x.action->index] == ~0u; });
    for (model::Moment& x : m.moments)
      if (x.action) x.action = {moved[x.action->index]};
  }
  for (model::Policy& policy : sema.model.policies)
    for (model::PolicyRule& rule : policy.rules) renumber(rule.actions);
  for (std::vector<model::ActionId>& group : sema.model.delay_groups) renumber(group);
  for (model::Window& w : sema.model.windows) {
    if (w.race) renumber(w.race->stalemate);
    if (w.at_once && w.at_once->missing == model::AtOnce::Missing::action)
      w.at_once->action = {moved[w.at_once->action.index]};
  }
  const auto renumber_uses = [&](model::Step& step) {
    std::erase_if(step.uses, [&](const model::StepUse& use) { return moved[use.action.index] == ~0u; });
    for (model::StepUse& use : step.uses) use.action = {moved[use.action.index]};
  };
  for (model::Scenario& s : sema.model.scenarios)
    for (model::ScenarioLine& l : s.lines) {
      for (model::Step& x : l.steps) renumber_uses(x);
      for (model::Claim& c : l.claims) renumber_uses(c.step);
    }
}

std::unique_ptr<model::Model> analyze(const Ruleset& ruleset, const Configuration& configuration,
                                      Diagnostics& diagnostics) {
  if (ruleset.broken) return nullptr;
  diagnostics.allow(ruleset.allowances);
  return look(ruleset, configuration, diagnostics, nullptr);
}

namespace {

constexpr std::size_t kMostWork = 8'000'000;   // limit on the total number of syntax tree nodes in all passes

std::size_t count_of(const Node* node) {
  std::size_t n = 1;
  if (node)
    for (const Node* c : node->children) n += count_of(c);
  return n;
}

}   // namespace

void report_unused_allowances(const Ruleset& ruleset, Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) return;
  const auto file = std::find_if(ruleset.units.rbegin(), ruleset.units.rend(),
                                 [](const Unit& u) { return !u.library && !u.measures; });
  for (const Allowance& a : diagnostics.unused_allowances())
    if (file != ruleset.units.rend() && file->root->range.source == a.at.source)
      diagnostics.report("unused_allowance"_code, a.at,
                         fmt::format("unused `allow`: `{}` is not reported for the next declaration", a.code.id()),
                         "remove it, or move it before another declaration");
}

std::vector<Configuration> check_everything(const Ruleset& ruleset, Diagnostics& diagnostics) {
  std::vector<Configuration> tables;
  if (ruleset.broken) return tables;
  diagnostics.allow(ruleset.allowances);
  PendingWarnings pending_warnings;
  const auto look = [&](const Configuration& configuration) {
    // A combination of options that the ruleset rejects is not an error.
    Diagnostics trial(diagnostics.sources());
    sema::look(ruleset, configuration, trial, &pending_warnings);
    if (!trial.has_errors()) tables.push_back(configuration);
    for (const Diagnostic& d : trial.all()) {
      const bool of_options = d.code == "options_conflict"_code || d.code == "option_needed"_code ||
                              d.code == "option_warning"_code || d.code == "option_void"_code;
      if (of_options && !configuration.options.empty()) continue;
      if (d.code == "option_needed"_code)
        continue;   // this number of players requires an option: `require players <= 5 with colours`
      Diagnostic& reported = diagnostics.report(d.code, d.range, d.message, d.help);
      reported.notes = d.notes;
    }
  };
  std::set<std::pair<int, std::vector<std::pair<std::string, std::string>>>> seen;
  // Each pass reads all rules, so the limit on the number of passes depends on the size of the ruleset.
  std::size_t words = 0;
  for (const Unit& unit : ruleset.units) words += count_of(unit.root);
  const std::size_t most = std::max<std::size_t>(50, kMostWork / std::max<std::size_t>(1, words));
  const auto once = [&](int players, std::vector<std::pair<std::string, std::string>> options) {
    if (seen.size() >= most || !seen.insert({players, options}).second) return seen.size() < most;
    look({players, std::move(options)});
    return true;
  };
  once(ruleset.usual_players, {});
  once(ruleset.least_players, {});
  once(ruleset.most_players, {});
  if (!diagnostics.has_errors()) {
    for (const Option& o : ruleset.options) {
      std::vector<std::string> values = o.values;
      if (o.number) values = {std::to_string(o.lo), std::to_string(o.hi)};
      for (const std::string& v : values)
        if (v != o.initial && !once(ruleset.usual_players, {{o.name, v}})) {
          diagnostics.report(
              "option_warning"_code, o.range,
              fmt::format("too many option values to check all: `{} = {}` and the following ones were skipped", o.name,
                          v),
              fmt::format("run `cardwright check … --with {}={}` to check one of them", o.name, v));
          if (!diagnostics.has_errors()) pending_warnings.report(diagnostics);
          return tables;
        }
    }
    for (const Variant& v : ruleset.variants) once(ruleset.usual_players, {{v.title, ""}});
    for (const ScenarioInfo& s : ruleset.scenarios) once(s.players, s.options);
  }
  if (!diagnostics.has_errors()) pending_warnings.report(diagnostics);
  for (const Diagnostic& d : ruleset.warnings)
    if (!diagnostics.has_errors()) diagnostics.report(d.code, d.range, d.message, d.help);
  return tables;
}

}   // namespace cardwright::sema
