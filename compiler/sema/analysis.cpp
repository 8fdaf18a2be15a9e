// The order of an analysis: options, declarations, types and state, then the code of every rule, then what ties it
// together.
#include <set>

#include "compiler/sema/analysis.h"
#include "compiler/sema/closed_windows.h"

namespace cardwright::sema {

std::unique_ptr<model::Model> Analysis::run() {
  const std::size_t before = diagnostics_.errors();
  if (ruleset_.units.empty()) return nullptr;
  players_ = configuration_.players ? configuration_.players : ruleset_.usual_players;
  if (players_ < ruleset_.least_players || players_ > ruleset_.most_players) {
    error(Code::bad_players, ruleset_.players_range,
          fmt::format("{} is for {} to {} players, not {}", ruleset_.title, ruleset_.least_players,
                      ruleset_.most_players, players_));
    return nullptr;
  }
  if (!resolve_options()) return nullptr;
  model_->name = ruleset_.name;
  model_->title = ruleset_.title;
  model_->players = players_;
  for (const Unit& u : ruleset_.units)
    if (u.standard && u.root) model_->pages.push_back(u.root->range.source);
  for (const Option& o : ruleset_.options) model_->options.push_back({o.name, options_[o.name]});

  consts_.clear();
  known_consts_.clear();
  units_.clear();
  groups_said_.clear();
  check_places();
  collect();
  check_units();
  std::erase_if(known_consts_, [&](const auto& c) { return !library_constants_.contains(c.first); });
  if (!declare_types()) return nullptr;
  std::erase_if(known_consts_, [&](const auto& c) { return !library_constants_.contains(c.first); });
  check_consts();
  declare_state();
  declare_decks();
  declare_rules();
  check_area_names();
  for (std::uint32_t e = 0; e < events_.size(); ++e) build_event(e);       // their variables
  for (std::uint32_t w = 0; w < windows_.size(); ++w) build_window(w);
  finish_variables();
  for (std::uint32_t v = 0; v < values_.size(); ++v) build_value(v);
  for (std::uint32_t f = 0; f < functions_.size(); ++f) build_function(f);
  for (std::uint32_t v = 0; v < values_.size(); ++v) ensure_modifiers(v);
  declare_actions();
  build_actions();
  for (std::uint32_t e = 0; e < events_.size(); ++e) build_event(e);       // the rest
  for (std::uint32_t w = 0; w < windows_.size(); ++w) build_window(w);     // their asks
  build_flow();
  build_triggers();
  for (const Decl& d : whenevers_) build_whenever(d);
  for (const Decl& d : alsos_) build_also(d);
  for (const Decl& d : forbids_) build_forbid(d);
  build_endings();
  build_boards();
  build_shown_texts();
  ensure_cards();
  build_scenarios();
  check_uncalled();
  check_value_cycles();
  check_landings();
  check_supposings();
  for (const ClosedRead& r : reads_of_what_is_over(*model_)) {
    const std::string name = r.of.window ? model_->windows[r.of.id].name : model_->events[r.of.id].name;
    error(Code::not_this_here, r.range,
          fmt::format("`{}` is {} by now, and nothing is left of it", name, r.of.window ? "closed" : "over"),
          r.of.window ? fmt::format("`let w = open {}(…)` keeps what its variables were: `w.x`", name)
                      : fmt::format("let it give what is needed: `event {}(…): int`", name));
  }
  if (suspicions && errors_ == 0) warn();
  if (errors_ > 0 || diagnostics_.errors() != before) return nullptr;
  drop_actions();
  return std::move(owned_);
}

// Actions whose windows belong to another variant leave no trace.
void Analysis::drop_actions() {
  if (dropped_actions_.empty()) return;
  std::vector<std::uint32_t> moved(model_->actions.size(), ~0u);
  std::vector<model::Action> kept;
  for (std::uint32_t i = 0; i < model_->actions.size(); ++i) {
    if (dropped_actions_.contains(i)) continue;
    moved[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(std::move(model_->actions[i]));
  }
  model_->actions = std::move(kept);
  const auto renumber = [&](std::vector<model::ActionId>& ids) {
    std::vector<model::ActionId> out;
    for (model::ActionId id : ids)
      if (moved[id.index] != ~0u) out.push_back({moved[id.index]});
    ids = std::move(out);
  };
  for (model::Forbid& f : model_->forbids) renumber(f.actions);
  for (std::vector<model::ActionId>& group : model_->delay_groups) renumber(group);
  for (model::Window& w : model_->windows) {
    if (w.race) renumber(w.race->stalemate);
    if (w.at_once && w.at_once->missing == model::AtOnce::Missing::action)
      w.at_once->action = {moved[w.at_once->action.index]};
  }
  const auto renumber_uses = [&](model::Step& step) {
    std::erase_if(step.uses, [&](const model::StepUse& use) { return moved[use.action.index] == ~0u; });
    for (model::StepUse& use : step.uses) use.action = {moved[use.action.index]};
  };
  for (model::Scenario& s : model_->scenarios)
    for (model::ScenarioLine& l : s.lines) {
      for (model::Step& x : l.steps) renumber_uses(x);
      for (model::Claim& c : l.claims) renumber_uses(c.step);
    }
}

std::unique_ptr<model::Model> analyse(const Ruleset& ruleset, const Configuration& configuration,
                                      Diagnostics& diagnostics) {
  if (ruleset.broken) return nullptr;
  return Analysis(ruleset, configuration, diagnostics).run();
}

namespace {

constexpr std::size_t kMostWork = 8'000'000;       // nodes of the trees, all looks together

std::size_t count_of(const Node* node) {
  std::size_t n = 1;
  if (node)
    for (const Node* c : node->children) n += count_of(c);
  return n;
}

}  // namespace

void check_everything(const Ruleset& ruleset, Diagnostics& diagnostics) {
  if (ruleset.broken) return;
  Suspicions suspicions;
  const auto look = [&](const Configuration& configuration) {
    // a combination that the ruleset itself refuses is no error of the ruleset
    Diagnostics trial(diagnostics.sources());
    Analysis analysis(ruleset, configuration, trial);
    analysis.suspicions = &suspicions;
    analysis.run();
    for (const Diagnostic& d : trial.all()) {
      const bool of_options = d.code == Code::options_conflict || d.code == Code::option_needed ||
                              d.code == Code::option_warning || d.code == Code::option_void;
      if (of_options && !configuration.options.empty()) continue;
      if (d.code == Code::option_needed) continue;         // `require players <= 5 with colours`
      Diagnostic& said = diagnostics.report(d.code, d.range, d.message, d.help);
      said.notes = d.notes;
    }
  };
  std::set<std::pair<int, std::vector<std::pair<std::string, std::string>>>> seen;
  // Each look goes through all the rules, so that a long file with very many options would take for ever.
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
              Code::option_warning, o.range,
              fmt::format(
                  "there are too many values of options to look at each: `{} = {}` and those after it were left out",
                  o.name, v),
              fmt::format("`cardwright check … --with {}={}` looks at one", o.name, v));
          if (!diagnostics.has_errors()) suspicions.report(diagnostics);
          return;
        }
    }
    for (const Variant& v : ruleset.variants) once(ruleset.usual_players, {{v.title, ""}});
    for (const ScenarioInfo& s : ruleset.scenarios) once(s.players, s.options);
  }
  if (!diagnostics.has_errors()) suspicions.report(diagnostics);
  for (const Diagnostic& d : ruleset.warnings)
    if (!diagnostics.has_errors()) diagnostics.report(d.code, d.range, d.message, d.help);
}

}  // namespace cardwright::sema
