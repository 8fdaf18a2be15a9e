// Plays and prints a comparison of two policies, and translates the arguments of the former command `duel`.
#include "tools/cli/compare_policies.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cardwright/bots.hpp"
#include "cardwright/sprt.hpp"
#include "tools/cli/standard_figures.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;
using api::PolicyComparison;

// Parses "0,10", the two hypotheses in normalized Elo.
statistics::Sprt sprt_of(const std::string& text) {
  statistics::Sprt out;
  char* end = nullptr;
  out.n0 = std::strtod(text.c_str(), &end);
  const bool two = end != text.c_str() && *end == ',';
  const char* const second = two ? end + 1 : nullptr;
  if (two) out.n1 = std::strtod(second, &end);
  if (!two || end == second || *end != 0 || !(out.n0 < out.n1) || std::abs(out.n0) > 1000 || std::abs(out.n1) > 1000)
    throw api::Error(api::Blame::caller, fmt::format("invalid `--sprt {}`: expected two numbers from -1000 to 1000 in "
                                                     "ascending order, such as `0,10` for 0 or 10 normalized Elo",
                                                     text));
  return out;
}

const char* verdict_of(double log_ratio) {
  return log_ratio >= statistics::Sprt::kBound    ? "accepted"
         : log_ratio <= -statistics::Sprt::kBound ? "refused"
                                                  : "open";
}

Json as_json(const api::Game& game, const PolicyArguments& arguments, const PolicyComparison& r) {
  const auto known = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  Json sprt = nullptr;
  if (!arguments.sprt.empty()) {
    const double ratio = sprt_of(arguments.sprt).log_ratio(r.pairs);
    sprt = {{"hypotheses", arguments.sprt}, {"log_ratio", ratio}, {"better", verdict_of(ratio)}};
  }
  return {{"game", game.name()},
          {"players", game.players()},
          {"games", r.games},
          {"policies", {arguments.first, arguments.second}},
          {"first", r.first},
          {"second", r.second},
          {"difference", r.difference},
          {"margin", known(r.margin)},
          {"points", r.points},
          {"points_margin", known(r.points_margin)},
          {"first_wins", share_json(r.first_wins)},
          {"second_wins", share_json(r.second_wins)},
          {"pairs", r.pairs},
          {"sprt", sprt},
          {"first_is_better", r.first_is_better()},
          {"first_is_worse", r.first_is_worse()}};
}

// Warns that the search tree of `bots` does not pay off in this game.
void warn_of_trees(const PolicyArguments& arguments, const PolicyComparison& r) {
  const auto is = [](const std::string& policy, std::string_view kind) { return policy.starts_with(kind); };
  const bool tree_lost = (is(arguments.first, "bots:") && is(arguments.second, "flat:") && r.first_is_worse()) ||
                         (is(arguments.first, "flat:") && is(arguments.second, "bots:") && r.first_is_better());
  if (tree_lost)
    fmt::print("{}\n",
               coloured(Colour::yellow,
                        "warning: in this game, `bots` plays worse than the simple search of `flat`, so figures "
                        "of games with `bots` understate skill; use `--policy flat:N`"));
}

void print_verdict(const PolicyArguments& arguments, const PolicyComparison& r) {
  warn_of_trees(arguments, r);
  if (r.first_is_better())
    fmt::print("{} is better\n", arguments.first);
  else if (r.first_is_worse())
    fmt::print("{} is worse\n", arguments.first);
  else
    fmt::print("undecided: the difference is not significant; `--pairs {}` can detect a difference half as large\n",
               2 * std::max<std::uint64_t>(r.games, 2));
}

void print_sprt(const PolicyArguments& arguments, const PolicyComparison& r, std::size_t width) {
  const statistics::Sprt sprt = sprt_of(arguments.sprt);
  const double ratio = sprt.log_ratio(r.pairs);
  fmt::print("  {}  {:>8.3f}, bounds ±{:.3f}; pairs with 0, ¼, ½, ¾ and all of the points: {}\n",
             padded("log ratio", width), ratio, statistics::Sprt::kBound, fmt::join(r.pairs, ", "));
  const std::string_view verdict = verdict_of(ratio);
  if (verdict == "accepted")
    fmt::print("{} is better by {:g} normalized Elo rather than {:g}\n", arguments.first, sprt.n1, sprt.n0);
  else if (verdict == "refused")
    fmt::print("{} is better by at most {:g} normalized Elo, not {:g}\n", arguments.first, sprt.n0, sprt.n1);
  else
    fmt::print("undecided; `--pairs N` plays more\n");
}

void print(const api::Game& game, const PolicyArguments& arguments, const PolicyComparison& r) {
  fmt::print("{} games of {}, {} players: {} against {}\n", r.games, game.title(), game.players(), arguments.first,
             arguments.second);
  if (r.games == 0) return;
  const std::size_t name = std::max({std::size_t{10}, columns(arguments.first), columns(arguments.second)});
  const std::size_t width = name + std::string_view("return of ").size();
  fmt::print("  return of {}  {:>8.3f}\n  return of {}  {:>8.3f}\n", padded(arguments.first, name), r.first,
             padded(arguments.second, name), r.second);
  if (!std::isfinite(r.margin)) {
    fmt::print("  {}  {:>8.3f}, too few games for an interval\n", padded("difference", width), r.difference);
  } else {
    fmt::print("  {}  {:>8.3f} ± {:.3f} (95 %)\n", padded("difference", width), r.difference, r.margin);
    fmt::print("  {}  {:>7.1f} % ± {:.1f}\n", padded("points", width), 100 * r.points, 100 * r.points_margin);
  }
  if (arguments.sprt.empty())
    print_verdict(arguments, r);
  else
    print_sprt(arguments, r, width);
}

// Returns the number of pairs that `duel --games` played: 3 for `--games 5`. For other texts, such as `1e3`, returns
// "N".
std::string pairs_of(const std::string& games) {
  std::uint64_t number = 0;
  const auto [end, wrong] = std::from_chars(games.data(), games.data() + games.size(), number);
  return wrong == std::errc{} && end == games.data() + games.size() ? fmt::format("{}", number / 2 + number % 2) : "N";
}

}   // namespace

int compare_policies(TableArguments game_arguments, const PolicyArguments& arguments) {
  game_arguments.policies = api::policies_named({"a=" + arguments.first, "b=" + arguments.second});
  api::PolicyComparisonSettings settings;
  settings.first = api::policy_from(arguments.first);
  settings.second = api::policy_from(arguments.second);
  const api::Game game = game_arguments.compile(game_arguments.load());
  catch_signals();
  settings.pairs = arguments.pairs;
  settings.seed = arguments.seed;
  settings.threads = static_cast<int>(arguments.threads);
  settings.stop = interrupt_flag();
  if (!arguments.sprt.empty())
    settings.is_enough = [sprt = sprt_of(arguments.sprt)](const statistics::PairResults& pairs) {
      return std::abs(sprt.log_ratio(pairs)) >= statistics::Sprt::kBound;
    };
  ProgressBar bar(2 * settings.pairs);
  settings.progress = [&bar](std::uint64_t done) { bar.show(done); };
  bar.show(0);
  const PolicyComparison r = api::compare_policies(game, settings);
  bar.clear();
  if (arguments.json)
    fmt::print("{}\n", as_json(game, arguments, r).dump());
  else
    print(game, arguments, r);
  return kFine;
}

std::string replacement_of_duel(const std::vector<std::string>& arguments) {
  std::vector<std::string> positional;
  std::string options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with('-')) {
      positional.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    if (name == "--help" || name == "-h") continue;
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    // All options of `duel` except --json and --plain had a value.
    else if (name != "--json" && name != "--plain" && i + 1 < arguments.size())
      value = arguments[++i];
    if (name == "--games") {
      name = "--pairs";
      if (value) value = pairs_of(*value);
    }
    options += " " + shell_word(name) + (value ? " " + shell_word(*value) : "");
  }
  const auto at = [&](std::size_t index, const std::string& standard) {
    return shell_word(index < positional.size() ? positional[index] : standard);
  };
  return fmt::format("cardwright compare {} --policy {} --against {}{}", at(0, "GAME"), at(1, "bots:0.2s"),
                     at(2, "uniform"), options);
}

}   // namespace cardwright::cli
