// Parses and validates the arguments that several commands share.
#include "tools/cli/arguments.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace cardwright::cli {

void TableArguments::add_game(CLI::App& command) {
  command.add_option("GAME", game, "a .rules file, or the name of a bundled game such as splash")->required();
}

void TableArguments::add_table(CLI::App& command) {
  command.add_option("--players", players, "number of players (default: the usual number in the rules)")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  command
      .add_option("--with", with,
                  "a game option, as `name` or `name=value`, or a variant; can be repeated. `cardwright variants GAME` "
                  "lists them")
      ->type_name("OPTION[=VALUE]")
      ->take_all()
      ->expected(1);
}

void TableArguments::add_measures_file(CLI::App& command) {
  command.add_option("--measures", measures_file, "a library that declares additional measures for this game")
      ->check([](const std::string& text) { return text.empty() ? std::string("needs a file name") : std::string(); })
      ->type_name("FILE");
}

void TableArguments::add_measures(CLI::App& command) {
  command
      .add_option(
          "--measure", measures,
          "record a `measure` of the rules; can be repeated. `own`: all measures in the game's files, in the libraries "
          "in its folder and in --measures; `all`: also the measures in Cardwright's standard libraries")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("needs the name of a measure") : std::string();
      })
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
          ? fmt::format("`--measure own`: {} declares no measures; `--measures FILE` adds measures from a library",
                        title)
          : fmt::format("`--measure own`: {} declares no measures of its own; `--measure all` also records those in "
                        "Cardwright's standard libraries: {}",
                        title, fmt::join(of_libraries, ", ")));
}

void TableArguments::add_engine(CLI::App& command, std::string standard) {
  engine = std::move(standard);
  command
      .add_option("--engine", engine,
                  "jit (compiled to machine code), interp (interpreted), or auto (interpreted until the compiled code "
                  "is ready); without a JIT, interp is used")
      ->check(CLI::IsMember({"auto", "jit", "interp"}))
      ->type_name("ENGINE")
      ->capture_default_str();
  add_plain(command, plain);
}

void add_plain(CLI::App& command, bool& plain) {
  command.add_flag(
      "--plain", plain,
      "disable the compiler's optimizations: the same games, but slower; any difference is a compiler bug");
}

void add_policies(CLI::App& command, std::vector<std::string>& given) {
  command
      .add_option("--policy", given,
                  "how players choose: uniform (default), sensible (only options that satisfy `sensible if`; in a "
                  "race, players never wait while they have such an option), or bots:200 for a bot with 200 iterations "
                  "for each decision; a=bots:200 applies to one seat. Can be repeated")
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
    if (name.empty()) throw api::Error(api::Blame::caller, fmt::format("`--with {}` has no option name", option));
    if (equals == option.size() - 1)
      throw api::Error(api::Blame::caller, fmt::format("`--with {}` has no value after `=`", option));
    configuration.options.emplace_back(std::move(name), equals == std::string::npos ? "" : option.substr(equals + 1));
  }
  return configuration;
}

// Compiles the rules. Falls back to the interpreter if the JIT is missing or fails.
static api::Game compile_for(const api::Ruleset& rules, const api::Configuration& configuration, api::EngineKind kind) {
  try {
    return rules.compile(configuration, kind);
  } catch (const api::Error& error) {
    if (error.blame() != api::Blame::internal || kind == api::EngineKind::interpreter) throw;
    fmt::print(stderr, "cardwright: {}; using the interpreter, which is slower\n", error.what());
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

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-./=:,+%", c); };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void need_text(const CLI::App& command, const std::string& name, const std::string& value, const std::string& what) {
  if (command.count(name) > 0 && value.empty()) throw CLI::ValidationError(name, "needs a " + what);
}

// Parses an integer such as "1000" or "1e12".
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

// Returns "; write `10000`" for an abbreviated or grouped number: `10k`, `1.5M`, `1,000`, `10_000`.
static std::string number_in_full(const std::string& text) {
  std::string kept = text;
  std::size_t zeros = 0;
  if (kept.ends_with('k') || kept.ends_with('K')) zeros = 3;
  if (kept.ends_with('m') || kept.ends_with('M')) zeros = 6;
  if (zeros > 0) kept.pop_back();
  const std::size_t point = kept.find_first_of(".,_' ");
  std::string out;
  for (const char c : kept)
    if (std::isdigit(static_cast<unsigned char>(c)))
      out += c;
    else if (std::string_view(".,_' ").find(c) == std::string_view::npos)
      return {};
  const std::size_t decimals = point == std::string::npos ? 0 : kept.size() - point - 1;
  if (out.empty() || (zeros == 0 && (point == std::string::npos || decimals % 4 != 3))) return {};
  if (zeros > 0 && decimals > zeros) return {};
  return fmt::format("; write `{}{}`", out, std::string(zeros > 0 ? zeros - decimals : 0, '0'));
}

CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& help,
                        const std::string& standard) {
  const std::function<bool(const std::string&)> read = [&value, name](const std::string& text) {
    const auto number = whole_number(text);
    if (!number)
      throw CLI::ValidationError(
          name, fmt::format("`{}` is not an integer from 0 to 2^64 - 1{}", text, number_in_full(text)));
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
