// See arguments.h.
#include "tools/cli/arguments.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace cardwright::cli {

void TableArguments::add_game(CLI::App& command) {
  command.add_option("GAME", game, "a .rules file, or the name of a bundled game such as splash")->required();
}

void TableArguments::add_table(CLI::App& command) {
  command.add_option("--players", players, "how many sit down (default: what the rules call usual)")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  command
      .add_option("--with", with,
                  "an option of the game, as `name` or `name=value`, or a variant; may be repeated. `cardwright "
                  "variants GAME` lists them")
      ->type_name("OPTION[=VALUE]")
      ->take_all()
      ->expected(1);
}

void TableArguments::add_measures_file(CLI::App& command) {
  command
      .add_option("--measures", measures_file,
                  "a library with measures of this game, which need not stand in its rules")
      ->check([](const std::string& text) { return text.empty() ? std::string("names no file") : std::string(); })
      ->type_name("FILE");
}

void TableArguments::add_measures(CLI::App& command) {
  command
      .add_option("--measure", measures,
                  "count a `measure` of the rules; may be repeated. `own`: all measures of the game's files, of the "
                  "libraries beside it and of --measures; `all`: also those of libraries that come with Cardwright")
      ->check([](const std::string& text) { return text.empty() ? std::string("names no measure") : std::string(); })
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  add_measures_file(command);
}

void need_own_measures(const std::vector<std::string>& asked, std::initializer_list<const api::Ruleset*> games) {
  if (std::find(asked.begin(), asked.end(), "own") == asked.end()) return;
  std::vector<std::string> of_libraries;
  for (const api::Ruleset* game : games)
    for (const api::RulesetMeasure& measure : game->measures()) {
      if (measure.own) return;
      of_libraries.push_back(measure.name);
    }
  const std::string title = (*games.begin())->title();
  throw api::Error(
      api::Blame::caller,
      of_libraries.empty()
          ? fmt::format("`--measure own`: {} declares no measures; `--measures FILE` takes them from a library", title)
          : fmt::format("`--measure own`: {} declares no measures of its own; `--measure all` also counts those of the "
                        "libraries that come with Cardwright: {}",
                        title, fmt::join(of_libraries, ", ")));
}

void TableArguments::add_engine(CLI::App& command, std::string standard) {
  engine = std::move(standard);
  command
      .add_option("--engine", engine,
                  "jit (compiled to machine code), interp, or auto: interpreted until the compiler is ready; where "
                  "there is no JIT, interp is taken")
      ->check(CLI::IsMember({"auto", "jit", "interp"}))
      ->type_name("ENGINE")
      ->capture_default_str();
  add_plain(command, plain);
}

void add_plain(CLI::App& command, bool& plain) {
  command.add_flag("--plain", plain,
                   "compile without short cuts: the same games, more slowly; where they differ, the compiler is wrong");
}

void add_policies(CLI::App& command, std::vector<std::string>& given) {
  command
      .add_option("--policy", given,
                  "how players choose: uniform (default), sensible (only what the rules say is `sensible if`; in a "
                  "race nobody waits then who has something to do), or a bot, bots:200 with so many iterations a "
                  "decision; a=bots:200 for a seat. May be repeated")
      ->type_name("[SEAT=]HOW")
      ->take_all()
      ->expected(1);
}

api::Ruleset TableArguments::load() const { return api::Ruleset::load(game, measures_file); }

api::Configuration TableArguments::configuration() const {
  api::Configuration configuration;
  configuration.players = players;
  configuration.plain = plain;
  configuration.measures = measures;
  configuration.policies = policies;
  for (const std::string& option : with) {
    const auto equals = option.find('=');
    std::string name = option.substr(0, equals);
    if (name.empty()) throw api::Error(api::Blame::caller, fmt::format("`--with {}` names no option", option));
    if (equals == option.size() - 1)
      throw api::Error(api::Blame::caller, fmt::format("`--with {}` gives no value", option));
    configuration.options.emplace_back(std::move(name), equals == std::string::npos ? "" : option.substr(equals + 1));
  }
  return configuration;
}

// Where the JIT is missing or fails, the interpreter plays.
static api::Game compile_for(const api::Ruleset& rules, const api::Configuration& configuration, api::EngineKind kind) {
  try {
    return rules.compile(configuration, kind);
  } catch (const api::Error& error) {
    if (error.blame() != api::Blame::internal || kind == api::EngineKind::interpreter) throw;
    fmt::print(stderr, "cardwright: {}; the interpreter plays, more slowly\n", error.what());
    return rules.compile(configuration, api::EngineKind::interpreter);
  }
}

api::Game TableArguments::compile(const api::Ruleset& rules) const {
  const api::EngineKind kind = engine == "jit"      ? api::EngineKind::jit
                               : engine == "interp" ? api::EngineKind::interpreter
                                                    : api::EngineKind::automatic;
  const api::Game game = compile_for(rules, configuration(), kind);
  if (!with.empty()) fmt::print(stderr, "{}", game.report().text);
  return game;
}

std::string changed_options(const api::Ruleset& rules, const api::Game& game) {
  std::string changed;
  for (const auto& [name, value] : game.options())
    for (const api::RulesetOption& option : rules.options())
      if (option.name == name && option.standard != value)
        changed += (changed.empty() ? "" : ", ") + name + "=" + value;
  return changed;
}

void need_text(const CLI::App& command, const std::string& name, const std::string& value, const std::string& what) {
  if (command.count(name) > 0 && value.empty()) throw CLI::ValidationError(name, "names no " + what);
}

// "1000", "1e12".
static std::optional<std::uint64_t> whole_number(const std::string& text) {
  const std::size_t split = std::min(text.find('e'), text.size());
  const auto digits = [](std::string_view part) -> std::optional<std::uint64_t> {
    std::uint64_t number = 0;
    const auto [end, wrong] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (wrong != std::errc{} || end != part.data() + part.size() || part.empty()) return std::nullopt;
    return number;
  };
  auto number = digits(std::string_view(text).substr(0, split));
  if (!number || split == text.size()) return number;
  const auto zeros = digits(std::string_view(text).substr(split + 1));
  if (!zeros) return std::nullopt;
  for (std::uint64_t i = 0; i < *zeros && *number != 0; ++i)
    if (__builtin_mul_overflow(*number, std::uint64_t{10}, &*number)) return std::nullopt;
  return number;
}

CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& help,
                        const std::string& standard) {
  const std::function<bool(const std::string&)> read = [&value, name](const std::string& text) {
    const auto number = whole_number(text);
    if (!number) throw CLI::ValidationError(name, fmt::format("`{}` is not a whole number from 0 to 2^64 - 1", text));
    value = *number;
    return true;
  };
  return command
      .add_option_function<std::string>(
          name, [read](const std::string& text) { read(text); },
          standard.empty() ? fmt::format("{} (default: {})", help, value)
                           : fmt::format("{} (default: {})", help, standard))
      ->type_name("N");
}

}   // namespace cardwright::cli
