// `cardwright test`: runs the scenarios of rules files; `cardwright print`: the compiler's stages.
#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "cli/arguments.h"
#include "cli/terminal.h"

namespace cardwright::cli {

namespace {

struct TestArguments {
  std::vector<std::string> files;
  std::string engine = "all";
  std::string filter;
  bool plain = false, base = false;
};

std::vector<api::EngineKind> engines_of(const std::string& engine) {
  std::vector<api::EngineKind> engines;
  if (engine != "jit") engines.push_back(api::EngineKind::interpreter);
  if (engine != "interp") {
    std::string why;
    if (api::jit_is_available(&why)) engines.push_back(api::EngineKind::jit);
    else fmt::print(stderr, "cardwright: no JIT ({}); scenarios run on the interpreter only\n", why);
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
  if (first > 0) print_lines("log", fmt::format("({} lines before these)", first));
  for (std::size_t i = first; i < r.log.size(); ++i) print_lines(i == first && first == 0 ? "log" : "", r.log[i]);
}

void print_result(const api::ScenarioResult& r) {
  fmt::print("{}  {}{}\n", r.passed ? coloured(Colour::green, "PASS") : coloured(Colour::red, "FAIL"), r.title,
             r.engine.empty() ? "" : fmt::format(" ({})", r.engine));
  if (!r.passed) print_refuted(r);
}

// What house rules make of the scenarios of the game that they extend.
int test_base(const TestArguments& arguments) {
  std::size_t counts[3] = {};
  for (const std::string& file : arguments.files)
    for (const api::BaseScenario& one : api::run_base_scenarios(api::Ruleset::load(file), arguments.filter)) {
      ++counts[static_cast<std::size_t>(one.fate)];
      switch (one.fate) {
        case api::BaseScenario::Fate::kept:
          fmt::print("{}       {}\n", coloured(Colour::green, "KEPT"), one.result.title); break;
        case api::BaseScenario::Fate::changed:
          fmt::print("{}    {}\n", coloured(Colour::yellow, "CHANGED"), one.result.title);
          for (const std::string& rule : one.by) print_lines("by", rule);
          if (one.by.empty()) print_lines("by", "none of these rules: it fails without them, too");
          print_refuted(one.result);
          break;
        case api::BaseScenario::Fate::not_asked:
          fmt::print("{}  {}\n", coloured(Colour::yellow, "NOT ASKED"), one.result.title);
          print_lines("at", one.result.place);
          print_lines("because", one.result.found);
          break;
      }
    }
  if (counts[0] + counts[1] + counts[2] == 0)
    fmt::print("no scenarios{}\n", arguments.filter.empty() ? "" : " of that name");
  else fmt::print("{} kept, {} changed, {} can't be asked\n", counts[0], counts[1], counts[2]);
  return kFine;
}

int test(const TestArguments& arguments) {
  if (arguments.base) return test_base(arguments);
  const auto engines = engines_of(arguments.engine);
  std::size_t passed = 0, failed = 0;
  bool wrong = false;
  for (const std::string& file : arguments.files) {
    try {
      const api::Ruleset rules = api::Ruleset::load(file);
      const api::ScenarioRun run = api::run_scenarios(rules, engines, arguments.filter, arguments.plain);
      fmt::print(stderr, "{}", run.report.text);
      wrong = wrong || run.report.errors > 0;
      for (const auto& result : run.results) {
        ++(result.passed ? passed : failed);
        print_result(result);
      }
    } catch (const api::Error& error) {
      if (error.blame() != api::Blame::author) throw;
      wrong = true;
      fmt::print(stderr, "{}cardwright: {}\n", error.report().text, error.what());
    }
  }
  if (passed + failed == 0 && !wrong) fmt::print("no scenarios{}\n", arguments.filter.empty() ? "" : " of that name");
  else if (passed + failed > 0) fmt::print("{} passed, {} failed\n", passed, failed);
  return failed || wrong ? kAuthorErred : kFine;
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
    throw api::Error(api::Blame::caller, "--print-after shows IR: leave --stage out");
  if (form == api::Form::step && stage != api::Stage::ir && stage != api::Stage::llvm)
    throw api::Error(api::Blame::caller, "only ir and llvm have a form: leave --form out");
  if (stage == api::Stage::plan && arguments.configuration().plain)
    throw api::Error(api::Blame::caller, "with --plain nothing is planned: leave it out, or --stage plan");
  const std::string text = arguments.after.empty()
                               ? api::print(rules, arguments.configuration(), stage, form)
                               : api::print_after(rules, arguments.configuration(), arguments.after);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
  return kFine;
}

}  // namespace

void add_test(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("test", "run the scenarios of rules files, on every engine");
  auto arguments = std::make_shared<TestArguments>();
  command->add_option("FILE", arguments->files, ".rules files or names of bundled games")->required();
  command->add_option("--engine", arguments->engine, "only on this engine: jit or interp")
      ->check(CLI::IsMember({"all", "jit", "interp"}))
      ->type_name("ENGINE")
      ->capture_default_str();
  add_plain(*command, arguments->plain);
  command->add_option("--only", arguments->filter, "only scenarios whose title contains this")->type_name("TEXT");
  command->add_flag("--base", arguments->base,
                    "of house rules: what they make of the scenarios of the game that they extend");
  command->footer("Every scenario has its own players and options. Exit code: 0 all passed, 1 some failed.");
  command->callback([&run, arguments] { run = [arguments] { return test(*arguments); }; });
}

void add_print(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("print", "show what the compiler makes of rules");
  auto arguments = std::make_shared<PrintArguments>();
  arguments->add_game(*command);
  arguments->add_table(*command);
  add_plain(*command, arguments->plain);
  command->add_option("--stage", arguments->stage, "ast, model, plan (conditions that need no loop), ir or llvm")
      ->check(CLI::IsMember({"ast", "model", "plan", "ir", "llvm"}))
      ->type_name("STAGE")
      ->capture_default_str();
  auto* form = command
                   ->add_option("--form", arguments->form,
                                "for ir and llvm: playout (a game in one call) or step (decision by decision)")
                   ->check(CLI::IsMember({"playout", "step"}))
                   ->type_name("FORM")
                   ->capture_default_str();
  command
      ->add_option("--print-after", arguments->after,
                   "the IR as this pass leaves it, each time it runs: lower, fold, place_fuel …")
      ->type_name("PASS")
      ->excludes(form);
  command->callback([&run, arguments] { run = [arguments] { return print(*arguments); }; });
}

}  // namespace cardwright::cli
