// `cardwright test` reports errors in rules files and runs their scenarios; `cardwright print` prints compiler stages.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cardwright/parts.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/coverage.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;
using Fate = api::BaseScenario::Fate;

struct TestArguments {
  std::vector<std::string> files;
  std::string engine = "all";
  std::string filter, junit, lcov;
  bool plain = false, base = false, strict = false, verbose = false, json = false, coverage = false, mutants = false;
  MutantArguments mutant;
};

std::vector<api::EngineKind> engines_of(const std::string& engine) {
  std::vector<api::EngineKind> engines;
  if (engine != "jit") engines.push_back(api::EngineKind::interpreter);
  if (engine != "interp") {
    std::string why;
    if (api::jit_is_available(&why))
      engines.push_back(api::EngineKind::jit);
    else
      fmt::print(stderr, "cardwright: no JIT ({}); running scenarios on the interpreter only\n", why);
  }
  if (engines.empty()) engines.push_back(api::EngineKind::interpreter);
  return engines;
}

void print_lines(const char* heading, const std::string& text) {
  if (!text.empty()) fmt::print("      {:<8} {}\n", heading, text);
}

void print_refuted(const api::ScenarioResult& r) {
  print_lines("at", r.place);
  print_lines("expected", r.expected);
  print_lines("but", r.found);
  print_lines("because", r.rule);
  print_lines("offered", r.offered);
  constexpr std::size_t kMostLines = 40;
  const std::size_t first = r.log.size() > kMostLines ? r.log.size() - kMostLines : 0;
  if (first > 0) print_lines("log", fmt::format("({} earlier lines)", first));
  for (std::size_t i = first; i < r.log.size(); ++i) print_lines(i == first && first == 0 ? "log" : "", r.log[i]);
}

// The result of one scenario of a file; with `--base`, also its fate.
struct Outcome {
  std::string file;
  api::ScenarioResult result;
  std::optional<Fate> fate;
  std::vector<std::string> by;

  bool is_bad(bool strict) const {
    return fate ? strict && (*fate == Fate::changed || *fate == Fate::skipped) : !result.passed;
  }
};

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::unchanged: return "unchanged";
    case Fate::changed: return "changed";
    case Fate::skipped: return "skipped";
    case Fate::overridden: return "overridden";
  }
  return {};
}

void print_result(const api::ScenarioResult& r) {
  fmt::print("{}  {}{}\n", r.passed ? coloured(Colour::green, "PASS") : coloured(Colour::red, "FAIL"), r.title,
             r.engine.empty() ? "" : fmt::format(" ({})", r.engine));
  if (!r.passed) print_refuted(r);
}

void print_fate(const Outcome& one) {
  const auto head = [&](Colour colour, const char* what) {
    fmt::print("{}{}\n", padded(coloured(colour, what), 11 + coloured(colour, "").size()), one.result.title);
  };
  switch (*one.fate) {
    case Fate::unchanged: head(Colour::green, "UNCHANGED"); break;
    case Fate::changed:
      head(Colour::yellow, "CHANGED");
      for (const std::string& rule : one.by) print_lines("by", rule);
      if (one.by.empty()) print_lines("by", "none of these rules; the scenario also fails without them");
      print_refuted(one.result);
      break;
    case Fate::skipped:
      head(Colour::yellow, "SKIPPED");
      print_lines("at", one.result.place);
      print_lines("because", one.result.found);
      break;
    case Fate::overridden:
      head(Colour::green, "OVERRIDDEN");
      print_lines("house", one.result.found);
      break;
  }
}

// By default only failures are listed; `verbose` lists all results.
void print_outcome(const Outcome& one, bool verbose) {
  if (one.fate) {
    if (verbose || *one.fate == Fate::changed || *one.fate == Fate::skipped) print_fate(one);
  } else if (verbose || !one.result.passed) {
    print_result(one.result);
  }
}

Json json_of(const Outcome& one) {
  const api::ScenarioResult& r = one.result;
  Json out = {{"file", one.file}, {"title", r.title}};
  if (one.fate)
    out["fate"] = name_of(*one.fate);
  else
    out["passed"] = r.passed;
  if (!r.engine.empty()) out["engine"] = r.engine;
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) out[key] = text;
  };
  add("place", r.place);
  add("expected", r.expected);
  add("found", r.found);
  add("rule", r.rule);
  add("offered", r.offered);
  if (!one.by.empty()) out["by"] = one.by;
  if (!r.log.empty()) out["log"] = r.log;
  return out;
}

// ---- JUnit XML for build servers

std::string escaped(std::string_view text) {
  std::string out;
  constexpr std::pair<char, std::string_view> kNamed[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  for (const char c : text) {
    const auto named = std::find_if(std::begin(kNamed), std::end(kNamed), [&](const auto& n) { return n.first == c; });
    if (named != std::end(kNamed)) out += named->second;
    // XML 1.0 allows only these control characters.
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::string junit(const std::vector<Outcome>& all, bool strict) {
  const auto bad = [&](const std::string& file) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Outcome& one) { return (file.empty() || one.file == file) && one.is_bad(strict); });
  };
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\">\n", all.size(), bad(""));
  for (std::size_t i = 0; i < all.size();) {
    const std::string& file = all[i].file;
    std::size_t end = i;
    while (end < all.size() && all[end].file == file) ++end;
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n", escaped(file), end - i, bad(file));
    for (; i < end; ++i) {
      const api::ScenarioResult& r = all[i].result;
      const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}{}\"", escaped(file),
                                           escaped(r.title), r.engine.empty() ? "" : fmt::format(" ({})", r.engine));
      if (!all[i].is_bad(strict)) {
        out += head + "/>\n";
        continue;
      }
      out +=
          fmt::format("{}>\n      <failure message=\"{}\">at {}\nexpected {}\nbut {}\n{}</failure>\n    </testcase>\n",
                      head, escaped(r.found), escaped(r.place), escaped(r.expected), escaped(r.found),
                      escaped(fmt::format("{}", fmt::join(r.log, "\n"))));
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

// ---- running the tests

// The results of all tested files.
struct Found {
  std::vector<Outcome> scenarios;
  Json errors = Json::array(), coverage = Json::array(), mutants = Json::array();
  std::vector<std::string> texts;   // coverage and mutant reports, printed after the scenarios
  std::string lcov;
  bool wrong = false;   // some rules have errors
  bool survived = false;   // some mutants survived
};

void print_report(const TestArguments& arguments, const api::Report& report, Found& found) {
  found.wrong = true;
  if (!arguments.json) return fmt::print(stderr, "{}", report.text);
  for (Json& message : Json::parse(report.json)) found.errors.push_back(std::move(message));
}

void run_scenarios(const TestArguments& arguments, const std::string& file, const api::Ruleset& rules,
                   const std::vector<api::EngineKind>& engines, Found& found) {
  if (arguments.base) {
    for (api::BaseScenario& one : api::run_base_scenarios(rules, arguments.filter))
      found.scenarios.push_back({file, std::move(one.result), one.fate, std::move(one.by)});
    return;
  }
  const api::ScenarioRun run = api::run_scenarios(rules, engines, arguments.filter, arguments.plain);
  if (run.report.errors > 0) return print_report(arguments, run.report, found);
  for (const api::ScenarioResult& result : run.results) found.scenarios.push_back({file, result, std::nullopt, {}});
}

void measure(const TestArguments& arguments, const std::string& file, const api::Ruleset& rules, Found& found) {
  if (arguments.coverage) {
    const api::Coverage coverage = api::measure_coverage(rules, arguments.filter);
    found.lcov += api::lcov(coverage);
    if (arguments.json)
      found.coverage.push_back(cli::json_of(coverage, file));
    else
      found.texts.push_back(cli::text_of(coverage, file, arguments.verbose));
  }
  if (arguments.mutants) {
    const api::Mutation mutation = cli::run_mutants(rules, arguments.filter, arguments.mutant);
    found.survived = found.survived || cli::has_survivors(mutation);
    if (arguments.json)
      found.mutants.push_back(cli::json_of(mutation, file));
    else
      found.texts.push_back(cli::text_of(mutation, file, arguments.verbose));
  }
}

void run_file(const TestArguments& arguments, const std::string& file, const std::vector<api::EngineKind>& engines,
              Found& found) {
  try {
    const api::Ruleset rules = api::Ruleset::load(file);
    if (const api::Report report = api::find_errors(rules); report.errors > 0)
      return print_report(arguments, report, found);
    if (!arguments.mutants) run_scenarios(arguments, file, rules, engines, found);
    measure(arguments, file, rules, found);
  } catch (const api::Error& error) {
    if (error.blame() != api::Blame::author) throw;
    print_report(arguments, error.report(), found);
    fmt::print(stderr, "cardwright: {}\n", error.what());
  }
}

std::string summary(const std::vector<Outcome>& all, bool base) {
  const auto count = [&](const auto& is) { return std::count_if(all.begin(), all.end(), is); };
  if (!base)
    return fmt::format("{} passed, {} failed", count([](const Outcome& one) { return one.result.passed; }),
                       count([](const Outcome& one) { return !one.result.passed; }));
  const auto with = [&](Fate fate) { return count([&](const Outcome& one) { return one.fate == fate; }); };
  const auto overridden = with(Fate::overridden);
  return fmt::format("{} unchanged, {} changed, {} skipped{}", with(Fate::unchanged), with(Fate::changed),
                     with(Fate::skipped), overridden ? fmt::format(", {} overridden", overridden) : "");
}

void print_found(const TestArguments& arguments, const Found& found, bool passed) {
  if (arguments.json) {
    Json scenarios = Json::array();
    for (const Outcome& one : found.scenarios) scenarios.push_back(json_of(one));
    Json out = {{"scenarios", std::move(scenarios)}, {"passed", passed}};
    if (!found.errors.empty()) out["errors"] = found.errors;
    if (arguments.coverage) out["coverage"] = found.coverage;
    if (arguments.mutants) out["mutants"] = found.mutants;
    fmt::print("{}\n", out.dump());
    return;
  }
  for (const Outcome& one : found.scenarios) print_outcome(one, arguments.verbose);
  if (!found.scenarios.empty())
    fmt::print("{}\n", summary(found.scenarios, arguments.base));
  else if (!found.wrong && !arguments.mutants)
    fmt::print("no scenarios{}\n", arguments.filter.empty() ? "" : " with that title");
  for (const std::string& text : found.texts) fmt::print("{}", text);
}

int test(const TestArguments& arguments) {
  Found found;
  std::vector<api::EngineKind> engines;
  if (!arguments.base && !arguments.mutants) engines = engines_of(arguments.engine);
  for (const std::string& file : arguments.files) run_file(arguments, file, engines, found);
  if (!arguments.junit.empty()) api::write_whole(arguments.junit, junit(found.scenarios, arguments.strict));
  if (!arguments.lcov.empty()) api::write_whole(arguments.lcov, found.lcov);
  const bool failed = std::any_of(found.scenarios.begin(), found.scenarios.end(),
                                  [&](const Outcome& one) { return one.is_bad(arguments.strict); });
  const bool passed = !failed && !found.wrong && !(arguments.strict && found.survived);
  print_found(arguments, found, passed);
  return passed ? kFine : kAuthorErred;
}

struct PrintArguments : TableArguments {
  std::string stage = "ir", form = "playout", after;
};

int print(const PrintArguments& arguments) {
  const api::Ruleset rules = arguments.load();
  const api::Stage stage = arguments.stage == "ast"     ? api::Stage::ast
                           : arguments.stage == "model" ? api::Stage::model
                           : arguments.stage == "plan"  ? api::Stage::plan
                           : arguments.stage == "ir"    ? api::Stage::ir
                                                        : api::Stage::llvm;
  const api::Form form = arguments.form == "step" ? api::Form::step : api::Form::playout;
  if (!arguments.after.empty() && stage != api::Stage::ir)
    throw api::Error(api::Blame::caller, "--print-after prints IR and cannot be combined with this --stage");
  if (form == api::Form::step && stage != api::Stage::ir && stage != api::Stage::llvm)
    throw api::Error(api::Blame::caller, "--form applies only to the stages ir and llvm");
  if (stage == api::Stage::plan && arguments.configuration().plain)
    throw api::Error(api::Blame::caller, "--stage plan cannot be combined with --plain, which disables plans");
  const std::string text = arguments.after.empty()
                               ? api::print(rules, arguments.configuration(), stage, form)
                               : api::print_after(rules, arguments.configuration(), arguments.after);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
  return kFine;
}

}   // namespace

void add_test(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("test", "run the scenarios of rules files on all engines");
  auto arguments = std::make_shared<TestArguments>();
  command->add_option("FILE", arguments->files, ".rules files or names of bundled games")->required();
  command->add_option("--engine", arguments->engine, "run only on this engine: jit or interp")
      ->check(CLI::IsMember({"all", "jit", "interp"}))
      ->type_name("ENGINE")
      ->capture_default_str();
  add_plain(*command, arguments->plain);
  command->add_option("--only", arguments->filter, "run only scenarios whose title contains this text")
      ->type_name("TEXT");
  command->add_flag("--base", arguments->base, "for house rules: run the scenarios of the game that they extend");
  command->add_flag(
      "--strict", arguments->strict,
      "with --base: exit with code 1 unless the house rules override each changed or skipped scenario with `replace "
      "scenario` or `remove scenario \"…\" \"why\"`; with --mutants: exit with code 1 if mutants survive");
  command->add_flag("--coverage", arguments->coverage,
                    "list the rules, options and card effects that no scenario reaches");
  command->add_option("--lcov", arguments->lcov, "write the coverage to this file, as an lcov tracefile")
      ->type_name("FILE");
  command->add_flag("--mutants", arguments->mutants,
                    "change each rule in small ways, one at a time, and list the changes that no scenario detects");
  add_mutants(*command, arguments->mutant);
  command->add_flag("--verbose", arguments->verbose, "also list results that pass");
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->add_option("--junit", arguments->junit, "write a JUnit XML report for build servers to this file")
      ->type_name("FILE");
  command->footer(
      "Every scenario has its own players and options. Exit code: 0 all passed, 1 some failed, or the rules have "
      "errors.");
  command->callback([&run, arguments, command] {
    need_text(*command, "--junit", arguments->junit, "file");
    need_text(*command, "--lcov", arguments->lcov, "file");
    if (!arguments->lcov.empty()) arguments->coverage = true;
    if (arguments->strict && !arguments->base && !arguments->mutants)
      throw CLI::ValidationError("--strict", "needs --base or --mutants");
    if (arguments->base && (arguments->coverage || arguments->mutants))
      throw CLI::ValidationError("--base", "cannot be combined with --coverage or --mutants");
    run = [arguments] { return test(*arguments); };
  });
}

void add_print(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("print", "print a stage of the compiler for rules");
  auto arguments = std::make_shared<PrintArguments>();
  arguments->add_game(*command);
  arguments->add_table(*command);
  add_plain(*command, arguments->plain);
  command->add_option("--stage", arguments->stage, "ast, model, plan (conditions without loops), ir or llvm")
      ->check(CLI::IsMember({"ast", "model", "plan", "ir", "llvm"}))
      ->type_name("STAGE")
      ->capture_default_str();
  auto* form =
      command
          ->add_option("--form", arguments->form,
                       "for ir and llvm: playout (a complete game in one call) or step (one decision per call)")
          ->check(CLI::IsMember({"playout", "step"}))
          ->type_name("FORM")
          ->capture_default_str();
  command
      ->add_option("--print-after", arguments->after,
                   "print the IR after each run of this pass: lower, fold, place_fuel …")
      ->type_name("PASS")
      ->excludes(form);
  command->callback([&run, arguments] { run = [arguments] { return print(*arguments); }; });
}

}   // namespace cardwright::cli
