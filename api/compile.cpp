// See compile.h.
#include "api/compile.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "api/game_data.h"
#include "compiler/lower/lower.h"
#include "compiler/passes/passes.h"

namespace cardwright::api::detail {

namespace {

std::string seats_of(const RulesetData& rules) {
  return rules.least == rules.most ? fmt::format("{}", rules.most) : fmt::format("{} to {}", rules.least, rules.most);
}

// The value an option is given, checked; "" means "on", or of two values the one that is not standard.
std::string checked_value(const sema::Option& option, std::string value) {
  const bool has_on = std::find(option.values.begin(), option.values.end(), "on") != option.values.end();
  if (value.empty() && has_on) value = "on";
  else if (value.empty() && option.values.size() == 2) value = option.values[1] == option.initial ? option.values[0] : option.values[1];
  if (option.number) {
    std::int64_t number = 0;
    const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (wrong == std::errc{} && end == value.data() + value.size() && number >= option.lo && number <= option.hi) return value;
    throw Error(Blame::caller, fmt::format("option `{}` takes a number from {} to {}, not `{}`", option.name, option.lo, option.hi, value));
  }
  if (std::find(option.values.begin(), option.values.end(), value) != option.values.end()) return value;
  const std::string choices = fmt::format("{}", fmt::join(option.values, ", "));
  if (value.empty()) throw Error(Blame::caller, fmt::format("option `{}` needs a value: {}", option.name, choices));
  const std::string guess = did_you_mean(value, option.values);
  throw Error(Blame::caller, fmt::format("option `{}` has no value `{}`; {}", option.name, value,
                                         guess.empty() ? "it takes one of: " + choices : guess));
}

void unknown_option(const RulesetData& rules, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& option : rules.parsed->options) names.push_back(option.name);
  for (const auto& variant : rules.parsed->variants) names.push_back(variant.title);
  const std::string guess = did_you_mean(name, names);
  throw Error(Blame::caller, fmt::format("{} has no option `{}`; {}", rules.title, name,
                                         !guess.empty() ? guess
                                         : names.empty() ? "it has none at all" : fmt::format("its options are: {}", fmt::join(names, ", "))));
}

std::string key_of(const sema::Configuration& configuration) {
  std::string key = fmt::format("{}", configuration.players);
  for (const auto& [name, value] : configuration.options) key += fmt::format("\n{}={}", name, value);
  return key;
}

[[noreturn]] void refuse(const RulesetData& rules, const Diagnostics& diagnostics) {
  Report report = report_of(diagnostics, rules.sources);
  const std::string message = fmt::format("{} has {} error{}", rules.path, report.errors, report.errors == 1 ? "" : "s");
  throw Error(Blame::author, message, std::move(report));
}

std::unique_ptr<Program> make_program(const model::Model& model, Diagnostics& diagnostics) {
  std::unique_ptr<Program> program = lower::lower(model, diagnostics);
  if (!program) return nullptr;
  const auto roots = passes::roots(*program);
  passes::initialise(program->playout);
  passes::fold(program->playout, program->layout, program->variables, program->zones, roots);
  passes::mark_suspending(program->playout);
  lower::finish(*program, passes::frame_bytes(program->playout, program->layout, program->main));
  forget_all(*program, program->initial.data());
  passes::split(program->playout, program->layout, *program);
  return program;
}

std::shared_ptr<const Compiled> compile_model(const std::shared_ptr<const RulesetData>& rules, const sema::Configuration& configuration) {
  Diagnostics diagnostics(rules->sources);
  auto compiled = std::make_shared<Compiled>();
  compiled->ruleset = rules;
  compiled->key = key_of(configuration);
  compiled->configuration = configuration;
  compiled->model = sema::analyse(*rules->parsed, configuration, diagnostics);
  if (!compiled->model) refuse(*rules, diagnostics);
  for (const model::OptionValue& option : compiled->model->options) compiled->options.emplace_back(option.name, option.value);
  compiled->program = make_program(*compiled->model, diagnostics);
  if (!compiled->program) refuse(*rules, diagnostics);
  compiled->program->sources = &rules->sources;
  compiled->report = report_of(diagnostics, rules->sources);
  return compiled;
}

}  // namespace

Report report_of(const Diagnostics& diagnostics, const SourceMap& sources) {
  Report report;
  report.text = render_text(diagnostics, sources);
  report.json = render_json(diagnostics, sources);
  report.errors = diagnostics.errors();
  report.warnings = diagnostics.all().size() - diagnostics.errors();
  return report;
}

sema::Configuration complete(const RulesetData& rules, const Configuration& configuration) {
  sema::Configuration out;
  out.players = configuration.players ? configuration.players : rules.usual;
  if (out.players < rules.least || out.players > rules.most)
    throw Error(Blame::caller, fmt::format("{} is for {} players, not {}", rules.title, seats_of(rules), out.players));
  std::map<std::string, std::string> chosen;
  for (const auto& [name, value] : configuration.options) {
    const auto& variants = rules.parsed->variants;
    const auto variant = std::find_if(variants.begin(), variants.end(), [&](const auto& v) { return v.title == name; });
    if (variant != variants.end()) {
      for (const auto& [option, setting] : variant->settings) chosen[option] = setting;
      continue;
    }
    const auto& options = rules.parsed->options;
    const auto option = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.name == name; });
    if (option == options.end()) unknown_option(rules, name);
    chosen[name] = checked_value(*option, value);
  }
  out.options.assign(chosen.begin(), chosen.end());
  return out;
}

std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules, const sema::Configuration& configuration) {
  const std::lock_guard lock(rules->mutex);
  auto& kept = rules->compiled[key_of(configuration)];
  if (auto compiled = kept.lock()) return compiled;
  auto compiled = compile_model(rules, configuration);
  kept = compiled;
  return compiled;
}

}  // namespace cardwright::api::detail

namespace cardwright::api {

namespace fs = std::filesystem;

Ruleset Ruleset::load(const std::string& what) {
  auto data = std::make_shared<detail::RulesetData>();
  data->path = find_rules(what);
  Diagnostics diagnostics(data->sources);
  const fs::path share = share_folder();
  sema::Loader loader((share / "rulesets").string(), (share / "stdlib").string());
  data->name = fs::path(data->path).stem().string();
  data->parsed = loader.load(data->path, diagnostics);
  if (!data->parsed || diagnostics.has_errors()) detail::refuse(*data, diagnostics);
  const sema::Ruleset& parsed = *data->parsed;
  data->title = parsed.title.empty() ? data->name : parsed.title;
  data->least = parsed.least_players;
  data->most = parsed.most_players;
  data->usual = parsed.usual_players;
  for (const sema::Option& option : parsed.options) {
    RulesetOption shown{option.name, option.label, option.initial, {}};
    for (const std::string& value : option.values) shown.values.push_back({value, value});
    data->options.push_back(std::move(shown));
  }
  data->report = detail::report_of(diagnostics, data->sources);
  return Ruleset(std::move(data));
}

const std::string& Ruleset::name() const { return data_->name; }
const std::string& Ruleset::title() const { return data_->title; }
const std::string& Ruleset::path() const { return data_->path; }
int Ruleset::least_players() const { return data_->least; }
int Ruleset::most_players() const { return data_->most; }
int Ruleset::usual_players() const { return data_->usual; }
const std::vector<RulesetOption>& Ruleset::options() const { return data_->options; }

Report Ruleset::check() const {
  const std::lock_guard lock(data_->mutex);
  Diagnostics diagnostics(data_->sources);
  sema::check_everything(*data_->parsed, diagnostics);
  if (!diagnostics.has_errors()) {
    // Limits of size are found in lowering.
    Diagnostics unseen(data_->sources);
    if (auto model = sema::analyse(*data_->parsed, detail::complete(*data_, {}), unseen)) lower::lower(*model, diagnostics);
  }
  return detail::report_of(diagnostics, data_->sources);
}

Report Ruleset::check(const Configuration& configuration) const {
  const sema::Configuration complete = detail::complete(*data_, configuration);
  const std::lock_guard lock(data_->mutex);
  Diagnostics diagnostics(data_->sources);
  if (auto model = sema::analyse(*data_->parsed, complete, diagnostics); model && !diagnostics.has_errors()) lower::lower(*model, diagnostics);
  return detail::report_of(diagnostics, data_->sources);
}

}  // namespace cardwright::api
