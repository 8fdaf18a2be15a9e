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
  bool plain = false;
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

void print_result(const api::ScenarioResult& r) {
  fmt::print("{}  {} ({})\n", r.passed ? coloured(Colour::green, "PASS") : coloured(Colour::red, "FAIL"), r.title, r.engine);
  if (r.passed) return;
  if (!r.place.empty()) fmt::print("      at       {}\n", r.place);
  if (!r.expected.empty()) fmt::print("      expected {}\n", r.expected);
  if (!r.found.empty()) fmt::print("      but      {}\n", r.found);
  if (!r.rule.empty()) fmt::print("      because  {}\n", r.rule);
}

int test(const TestArguments& arguments) {
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
  std::string stage = "ir", form = "playout";
};

int print(const PrintArguments& arguments) {
  const api::Ruleset rules = arguments.load();
  const api::Stage stage = arguments.stage == "ast"     ? api::Stage::ast
                           : arguments.stage == "model" ? api::Stage::model
                           : arguments.stage == "ir"    ? api::Stage::ir
                                                        : api::Stage::llvm;
  const api::Form form = arguments.form == "step" ? api::Form::step : api::Form::playout;
  const std::string text = api::print(rules, arguments.configuration(), stage, form);
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
  command->footer("Every scenario has its own players and options. Exit code: 0 all passed, 1 some failed.");
  command->callback([&run, arguments] { run = [arguments] { return test(*arguments); }; });
}

void add_print(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("print", "show what the compiler makes of rules");
  auto arguments = std::make_shared<PrintArguments>();
  arguments->add_game(*command);
  arguments->add_table(*command);
  add_plain(*command, arguments->plain);
  command->add_option("--stage", arguments->stage, "ast, model, ir or llvm")
      ->check(CLI::IsMember({"ast", "model", "ir", "llvm"}))
      ->type_name("STAGE")
      ->capture_default_str();
  command->add_option("--form", arguments->form, "for ir and llvm: playout (a game in one call) or step (decision by decision)")
      ->check(CLI::IsMember({"playout", "step"}))
      ->type_name("FORM")
      ->capture_default_str();
  command->callback([&run, arguments] { run = [arguments] { return print(*arguments); }; });
}

}  // namespace cardwright::cli
