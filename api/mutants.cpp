// See mutants.h.
#include "api/mutants.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace cardwright::api::detail {

namespace {

struct Rule {
  std::string name;
  std::function<void(model::Model&)> switch_off;
};

const model::Expr* never(model::Model& model) {
  model::Expr& no = model.exprs.emplace_back();
  no.kind = model::ExprKind::constant;
  no.type.kind = model::TypeKind::boolean;
  no.value = 0;
  return &no;
}

class Rules {
 public:
  Rules(const model::Model& model, const SourceMap& sources) : sources_(sources) {
    for (std::size_t e = 0; e < model.events.size(); ++e) {
      const model::Event& event = model.events[e];
      if (event.kind == model::EventKind::plain && event.body.present)
        add("event " + event.name, event.range, [e](model::Model& m) { m.events[e].body.block.clear(); });
      for (std::size_t h = 0; h < event.handlers.size(); ++h)
        add(event.handlers[h].head, "handler of " + event.name, [e, h](model::Model& m) { m.events[e].handlers[h].head.when = never(m); });
    }
    for (std::size_t v = 0; v < model.values.size(); ++v)
      for (std::size_t i = 0; i < model.values[v].modifiers.size(); ++i)
        add(model.values[v].modifiers[i].head, "modify " + model.values[v].name,
            [v, i](model::Model& m) { m.values[v].modifiers[i].head.when = never(m); });
    for (std::size_t a = 0; a < model.actions.size(); ++a) {
      const model::Action& action = model.actions[a];
      add(action.head, action.name, [a](model::Model& m) { m.actions[a].head.when = never(m); }, action.name);
      if (!action.limits.empty())
        add("limit of " + action.name, action.head.range, [a](model::Model& m) { m.actions[a].limits.clear(); });
      if (action.head.when)
        add("condition of " + action.name, action.head.range, [a](model::Model& m) { m.actions[a].head.when = nullptr; });
      if (action.play)
        add("effect of " + action.name, action.head.range, [a](model::Model& m) { m.actions[a].body.block.clear(); });
      for (std::size_t p = 0; p < action.parameters.size(); ++p)
        if (action.parameters[p].where && !(action.play && p == 0))
          add(fmt::format("`where` of {} in {}", action.parameters[p].name, action.name), action.head.range,
              [a, p](model::Model& m) { m.actions[a].parameters[p].where = nullptr; });
    }
    for (std::size_t w = 0; w < model.whenevers.size(); ++w)
      add(model.whenevers[w].head, "whenever", [w](model::Model& m) { m.whenevers[w].head.when = never(m); });
    for (std::size_t f = 0; f < model.forbids.size(); ++f)
      add(model.forbids[f].head, "forbid", [f](model::Model& m) { m.forbids[f].head.when = never(m); });
    for (std::size_t i = 0; i < model.alsos.size(); ++i)
      add(model.alsos[i].head, "is also", [i](model::Model& m) { m.alsos[i].kinds.clear(); });
    for (std::size_t i = 0; i < model.endings.size(); ++i)
      add("end when", model.endings[i].range, [i](model::Model& m) { m.endings[i].when = never(m); });
    for (std::size_t z = 0; z < model.zones.size(); ++z) {
      if (model.zones[z].refill_from) add("refill of " + model.zones[z].name, model.zones[z].range, [z](model::Model& m) { m.zones[z].refill_from.reset(); });
      if (model.zones[z].one_of_a_kind) add("one of a kind in " + model.zones[z].name, model.zones[z].range, [z](model::Model& m) { m.zones[z].one_of_a_kind = false; });
    }
  }

  const std::vector<Rule>& all() const { return all_; }

 private:
  void add(const std::string& name, Range where, std::function<void(model::Model&)> off) {
    all_.push_back({fmt::format("{} at {}", name, sources_.describe(where)), std::move(off)});
  }
  void add(const model::RuleHead& head, const std::string& otherwise, std::function<void(model::Model&)> off, const std::string& name = {}) {
    add(!name.empty() ? name : head.name.empty() ? otherwise : head.name, head.range, std::move(off));
  }

  const SourceMap& sources_;
  std::vector<Rule> all_;
};

}  // namespace

std::vector<std::string> rules_of(const model::Model& model, const SourceMap& sources) {
  std::vector<std::string> names;
  const Rules rules(model, sources);
  for (const Rule& rule : rules.all()) names.push_back(rule.name);
  return names;
}

bool disable(model::Model& model, const SourceMap& sources, const std::string& rule) {
  const Rules rules(model, sources);
  bool found = false;
  for (const Rule& one : rules.all())
    if (one.name.starts_with(rule)) one.switch_off(model), found = true;
  return found;
}

std::optional<Refuted> run_without(const Ruleset& rules, const std::string& scenario, const std::string& rule) {
  const auto& data = rules.data();
  const auto& infos = data->parsed->scenarios;
  const auto info = std::find_if(infos.begin(), infos.end(), [&](const auto& i) { return i.title == scenario; });
  if (info == infos.end()) throw Error(Blame::caller, fmt::format("there is no scenario \"{}\"", scenario));
  const auto configuration = complete(*data, {info->players, info->options});
  bool found = false;
  auto compiled = compile_changed(data, configuration, [&](model::Model& model) { found = disable(model, data->sources, rule); });
  if (!found) throw Error(Blame::caller, fmt::format("there is no rule `{}`", rule));
  const auto game = make_game(std::move(compiled), EngineKind::interpreter);
  for (const model::Scenario& one : game->compiled->model->scenarios)
    if (one.title == scenario) return run_scenario(game, one);
  throw Error(Blame::us, "the scenario is not in the model made for its players and options");
}

}  // namespace cardwright::api::detail
