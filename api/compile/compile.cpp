// Implements the compiler pipeline: loads, analyzes and compiles a ruleset for one table.
#include "api/compile/compile.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/compile/program_cache.h"
#include "cardwright_build.h"
#include "compiler/driver/driver.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

namespace fs = std::filesystem;

namespace {

std::string seats_of(const RulesetData& rules) {
  return rules.least == rules.most ? fmt::format("{}", rules.most) : fmt::format("{} to {}", rules.least, rules.most);
}

// Returns true if the requested players and options cause all errors. The caller has to fix such errors, not the author
// of the rules.
bool exceeds_limits(const Diagnostics& diagnostics, const sema::Configuration& configuration,
                    const RulesetData& rules) {
  if (configuration.options.empty() && configuration.players == rules.usual) return false;
  return std::all_of(diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& d) {
    return d.severity == Severity::warning || d.code == "options_conflict"_code || d.code == "option_needed"_code;
  });
}

[[noreturn]] void refuse(const RulesetData& rules, const Diagnostics& diagnostics,
                         const sema::Configuration* configuration = nullptr) {
  Report report = report_of(diagnostics, rules.sources);
  if (configuration && exceeds_limits(diagnostics, *configuration, rules))
    throw Error(Blame::caller, fmt::format("{} does not support this configuration", rules.title), std::move(report));
  // Names the measures file instead of the rules if all errors are in it.
  std::string shown = rules.shown;
  const auto is_of_measures = [&](const Diagnostic& d) {
    std::error_code none;
    return d.severity != Severity::error ||
           (d.range.known() && fs::equivalent(rules.sources.name(d.range.source), rules.measures_path, none));
  };
  if (!rules.measures_path.empty() && std::all_of(diagnostics.all().begin(), diagnostics.all().end(), is_of_measures))
    shown = printable(rules.measures_path);
  const std::string message = fmt::format("{} has {} error{}", shown, report.errors, report.errors == 1 ? "" : "s");
  throw Error(Blame::author, message, std::move(report));
}

// Computes an FNV-1a hash of all data that determines the meaning of a stored choice.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    byte(0xff);
  }
  void add(std::int64_t number) {
    for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(number >> (8 * i)));
  }
  std::uint64_t value() const { return value_; }

 private:
  void byte(unsigned char b) { value_ = (value_ ^ b) * 1099511628211u; }
  std::uint64_t value_ = 14695981039346656037u;
};

std::uint64_t fingerprint_of(const Program& program) {
  Fingerprint print;
  print.add(CARDWRIGHT_VERSION);
  print.add(program.layout.players);
  for (const auto& [name, value] : program.options) print.add(name), print.add(value);
  for (const auto& function : program.playout.functions)
    for (const auto& block : function.blocks)
      for (const auto& instruction : block.code) {
        print.add(static_cast<std::int64_t>(instruction.op));
        for (const std::int64_t operand : instruction.operands) print.add(operand);
      }
  for (const auto& table : program.playout.tables)
    for (const std::int64_t entry : table) print.add(entry);
  for (const ActionInfo& action : program.actions) print.add(action.name), print.add(action.base);
  for (const CardInfo& card : program.cards) print.add(card.label), print.add(card.look_alike);
  for (const MeasureInfo& measure : program.measures) print.add(measure.name);
  print.add(std::string_view(reinterpret_cast<const char*>(program.initial.data()), program.initial.size()));
  for (const FrameInfo& frame : program.frames)   // saved games contain suspended frames
    for (const ResumePoint& point : frame.resume) print.add(frame.first), print.add(point.site), print.add(point.size);
  return print.value();
}

// Rejects measures that exist only in another variant.
void need_measures(const RulesetData& rules, const sema::Configuration& configuration, const Program& program) {
  for (const std::string& name : configuration.measures) {
    const bool there =
        sema::is_standard_measure(name) || name == "own" || name == "all" ||
        std::any_of(program.measures.begin(), program.measures.end(), [&](const auto& m) { return m.name == name; });
    if (!there)
      throw Error(Blame::caller, fmt::format("with these options and {} players, {} has no measure `{}`",
                                             configuration.players, rules.title, name));
  }
}

// Rejects unknown policy names.
void need_policies(const RulesetData& rules, const model::Model& model, const sema::Configuration& configuration) {
  for (const std::string& name : configuration.policies) {
    if (name == "sensible" || name == "bots") continue;
    std::vector<std::string> known;
    for (const model::Policy& policy : model.policies) known.push_back(policy.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string guess = did_you_mean(name, known);
    throw Error(Blame::caller, fmt::format("{} has no policy `{}`; {}", rules.title, name,
                                           known.empty()    ? "its rules declare none"
                                           : !guess.empty() ? guess
                                                            : fmt::format("it has `{}`", fmt::join(known, "`, `"))));
  }
}

std::shared_ptr<Compiled> compile_model(const std::shared_ptr<const RulesetData>& rules,
                                        const sema::Configuration& configuration) {
  Diagnostics diagnostics(rules->sources);
  auto compiled = std::make_shared<Compiled>();
  compiled->ruleset = rules;
  compiled->key = key_of(configuration);
  compiled->configuration = configuration;
  compiled->memoized_model = sema::analyze(rules->parsed(), configuration, diagnostics);
  if (!compiled->memoized_model) refuse(*rules, diagnostics, &configuration);
  need_policies(*rules, *compiled->memoized_model, configuration);
  for (const model::OptionValue& option : compiled->memoized_model->options)
    compiled->options.emplace_back(option.name, option.value);
  compiled->program = driver::make_program(*compiled->memoized_model, diagnostics, configuration.plain);
  if (!compiled->program) refuse(*rules, diagnostics);
  compiled->program->sources = &rules->sources;
  need_measures(*rules, configuration, *compiled->program);
  compiled->fingerprint = fingerprint_of(*compiled->program);
  compiled->report = report_of(diagnostics, rules->sources);
  return compiled;
}

}   // namespace

Report report_of(const Diagnostics& diagnostics, const SourceMap& sources) {
  Report report;
  report.text = render_text(diagnostics, sources);
  report.json = render_json(diagnostics, sources);
  report.errors = diagnostics.errors();
  report.warnings = diagnostics.all().size() - diagnostics.errors();
  return report;
}

// Returns the requested measures in sorted order, so that the same set of measures always gives the same Program.
static std::vector<std::string> asked_measures(const RulesetData& rules, std::vector<std::string> asked) {
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  for (const std::string& name : asked) {
    const bool known =
        sema::is_standard_measure(name) || name == "own" || name == "all" ||
        std::any_of(rules.measures.begin(), rules.measures.end(), [&](const auto& m) { return m.name == name; });
    if (known) continue;
    std::vector<std::string> names;
    for (const RulesetMeasure& m : rules.measures) names.push_back(m.name);
    const std::string there =
        names.empty() ? "it has none" : fmt::format("it has {} (or `own`, `all`)", fmt::join(names, ", "));
    names.insert(names.end(), {"own", "all"});
    const std::string guess = rules.measures.empty() ? "" : did_you_mean(name, names);
    throw Error(Blame::caller, fmt::format("{} has no measure `{}`{}; {}", rules.title, name,
                                           guess.empty() ? "" : "; " + guess, there));
  }
  return asked;
}

sema::Configuration complete(const RulesetData& rules, const Configuration& configuration) {
  sema::Configuration out;
  out.players = configuration.players ? configuration.players : rules.usual;
  if (out.players < rules.least || out.players > rules.most)
    throw Error(Blame::caller, fmt::format("{} is for {} players, not {}", rules.title, seats_of(rules), out.players));
  Diagnostics diagnostics(rules.sources);
  auto asked = sema::requested(rules.parsed(), {out.players, configuration.options}, diagnostics);
  if (!asked) {
    const Diagnostic& first = diagnostics.all().front();
    throw Error(Blame::caller,
                fmt::format("{}: {}{}", rules.title, first.message, first.help.empty() ? "" : "; " + first.help));
  }
  out.options.assign(asked->begin(), asked->end());
  out.plain = configuration.plain;
  out.measures = asked_measures(rules, configuration.measures);
  out.policies = configuration.policies;
  return out;
}

static std::unique_ptr<loading::Ruleset> parse(const std::string& path, Diagnostics& diagnostics,
                                               std::map<std::string, SourceId> known,
                                               const loading::Excerpt& excerpt = {}, const std::string& measures = {}) {
  const fs::path share = share_folder();
  return loading::Loader((share / "rulesets").string(), (share / "stdlib").string())
      .load(path, diagnostics, std::move(known), excerpt, measures);
}

std::shared_ptr<RulesetData> load_excerpt(const RulesetData& whole, const loading::Excerpt& excerpt) {
  auto data = std::make_shared<RulesetData>();
  data->path = whole.path, data->shown = whole.shown, data->name = whole.name, data->title = whole.title;
  data->options = whole.options;
  data->measures = whole.measures;
  data->measures_path = whole.measures_path;
  data->keeps = false;
  Diagnostics diagnostics(data->sources);
  data->cached_parse = parse(data->path, diagnostics, {}, excerpt, data->measures_path);
  data->report = report_of(diagnostics, data->sources);
  if (!data->cached_parse || diagnostics.has_errors()) return data;
  data->least = data->cached_parse->least_players, data->most = data->cached_parse->most_players,
  data->usual = data->cached_parse->usual_players;
  data->keyed_sources = static_cast<SourceId>(data->sources.size());
  return data;
}

std::unique_ptr<model::Model> analyze(const RulesetData& rules, const sema::Configuration& configuration) {
  const std::lock_guard lock(rules.mutex);
  Diagnostics diagnostics(rules.sources);
  auto model = sema::analyze(rules.parsed(), configuration, diagnostics);
  if (!model) refuse(rules, diagnostics, &configuration);
  return model;
}

std::string key_of(const sema::Configuration& configuration) {
  std::string key = fmt::format("{}{}", configuration.players, configuration.plain ? " plain" : "");
  for (const std::string& policy : configuration.policies) key += " by " + policy;
  for (const auto& [name, value] : configuration.options) key += fmt::format("\n{}={}", name, value);
  for (const std::string& name : configuration.measures) key += fmt::format("\nmeasure {}", name);
  return key;
}

std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules,
                                        const sema::Configuration& configuration) {
  const std::lock_guard lock(rules->mutex);
  auto& cached = rules->compiled[key_of(configuration)];
  if (auto compiled = cached.lock()) return compiled;
  auto compiled = compile_model(rules, configuration);
  cached = compiled;
  return compiled;
}

std::shared_ptr<const Compiled> compile(const std::shared_ptr<const RulesetData>& rules, const Configuration& asked) {
  const std::lock_guard lock(rules->mutex);
  // A request that is already complete has the key of the completed configuration, so it is found directly.
  if (const auto cached =
          rules->compiled.find(key_of({asked.players, asked.options, asked.plain, asked.measures, asked.policies}));
      cached != rules->compiled.end())
    if (auto compiled = cached->second.lock()) return compiled;
  const bool may_keep = std::exchange(rules->keeps, false);
  if (auto loaded = may_keep ? load_program(rules, asked) : nullptr) {
    auto& cached = rules->compiled[loaded->key];
    if (auto compiled = cached.lock()) return compiled;
    cached = loaded;
    return loaded;
  }
  auto compiled = compile(rules, complete(*rules, asked));
  if (may_keep) keep_program(*compiled, asked);
  return compiled;
}

const loading::Ruleset& RulesetData::parsed() const {
  const std::lock_guard lock(mutex);
  if (cached_parse) return *cached_parse;
  Diagnostics discarded(sources);   // these diagnostics were reported by the first parse
  auto made = parse(path, discarded, files_before, {}, measures_path);
  // The contents of the files are those read earlier, but the lookup of a used file can now select a different file.
  if (!made || discarded.has_errors() || made->files.size() != files_before.size())
    throw Error(Blame::caller,
                fmt::format("the files of {} have changed since they were loaded; restart the program", shown));
  cached_parse = std::move(made);
  return *cached_parse;
}

const model::Model& Compiled::model() const {
  const std::lock_guard lock(ruleset->mutex);
  if (!memoized_model) memoized_model = analyze(*ruleset, configuration);
  return *memoized_model;
}

}   // namespace cardwright::api::detail

namespace cardwright::api {

namespace fs = std::filesystem;

Ruleset Ruleset::load(const std::string& what, const std::string& measures) {
  auto data = std::make_shared<detail::RulesetData>();
  data->path = find_rules(what);
  data->measures_path = measures.empty() ? "" : find_rules(measures);
  data->shown = printable(data->path);
  data->name = printable(fs::path(data->path).stem().string());
  if (detail::load_ruleset(*data)) return Ruleset(std::move(data));
  Diagnostics diagnostics(data->sources);
  data->cached_parse = detail::parse(data->path, diagnostics, {}, {}, data->measures_path);
  if (!data->cached_parse || diagnostics.has_errors()) detail::refuse(*data, diagnostics);
  const loading::Ruleset& parsed = *data->cached_parse;
  if (!parsed.units.empty()) data->shown = data->sources.name(parsed.units.back().root->range.source);
  data->title = parsed.title.empty() ? data->name : parsed.title;
  data->least = parsed.least_players;
  data->most = parsed.most_players;
  data->usual = parsed.usual_players;
  for (const loading::Option& option : parsed.options) {
    RulesetOption shown{option.name, option.label, option.initial, {}, option.lo, option.hi};
    for (const std::string& value : option.values) shown.values.push_back({value, value});
    data->options.push_back(std::move(shown));
  }
  for (const loading::MeasureInfo& m : parsed.measures) data->measures.push_back({m.name, m.label, m.own});
  data->report = detail::report_of(diagnostics, data->sources);
  data->keyed_sources = static_cast<SourceId>(data->sources.size());
  detail::keep_ruleset(*data);
  return Ruleset(std::move(data));
}

const std::string& Ruleset::name() const { return data_->name; }
const std::string& Ruleset::title() const { return data_->title; }
const std::string& Ruleset::path() const { return data_->path; }
const std::string& Ruleset::shown_as() const { return data_->shown; }
std::optional<Ruleset> Ruleset::base() const {
  const auto& units = data_->parsed().units;
  for (const loading::Unit& unit : units)
    if (!unit.library && unit.depth + 1 == units.back().depth) {
      // A bundled file is shown by a path that need not exist here, so it is loaded by its name.
      const std::filesystem::path path(data_->sources.name(unit.root->range.source));
      return load(std::filesystem::exists(path) ? path.string() : path.stem().string());
    }
  return std::nullopt;
}
std::string Ruleset::about() const {
  std::ifstream file(path());
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("//")) return {};
  line.erase(0, line.find_first_not_of("/ "));
  if (const std::size_t end = line.find(". "); end != std::string::npos) line.resize(end);
  while (!line.empty() && (line.back() == '.' || line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}
std::vector<std::string> Ruleset::files() const {
  const std::lock_guard lock(data_->mutex);
  std::vector<std::string> paths;
  for (const auto& [path, source] : data_->files()) paths.push_back(path);
  return paths;
}

int Ruleset::least_players() const { return data_->least; }
int Ruleset::most_players() const { return data_->most; }
int Ruleset::usual_players() const { return data_->usual; }
const std::vector<RulesetOption>& Ruleset::options() const { return data_->options; }
const std::vector<RulesetMeasure>& Ruleset::measures() const { return data_->measures; }

}   // namespace cardwright::api
