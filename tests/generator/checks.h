// Runs all checks on one ruleset, and returns the first failure with the name of the check as its first word; empty if
// there is none.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cardwright/tools.hpp"
#include "runtime/ir/parse.h"
#include "runtime/ir/print.h"
#include "tests/generator/chance.h"
#include "tests/generator/rota.h"
#include "tests/generator/shown.h"
#include "tests/support/differential.h"
#include "tests/support/pairwise_cover.h"
#include "tests/support/resample_contract.h"
#include "tests/support/unoptimized.h"
#include "tests/support/verify_compiler.h"

namespace cardwright::test {

class Checking {
 public:
  Checking(const std::string& path, const Checks& checks)
      : checks_(checks), rota_(checks.seed), rules_(api::Ruleset::load(path)), chance_(checks.seed ^ 0x5bd1e995) {}

  Checked run() {
    Checked out;
    if (rota_.tables)
      if (const api::Report report = rules_.check(); report.errors > 0) return {"refused: " + report.text};
    const api::Configuration table = some_table();
    out.wrong = at_table(table, out);
    if (out.wrong.empty()) out.wrong = variants(out);
    if (!out.wrong.empty()) out.wrong += "\nat " + in_words(table);
    return out;
  }

 private:
  static constexpr Int kFuel = 50'000, kDecisions = 1'500;
  static constexpr std::uint64_t kSimulated = 15;

  std::string at_table(const api::Configuration& table, Checked& out) {
    std::vector<api::Game> games;
    {
      // Verifies everything that is compiled here, and each form when it is first played.
      std::optional<passes::Verified> verified;
      if (rota_.verified) verified.emplace();
      games.push_back(rules_.compile(table, api::EngineKind::interpreter));
      if (checks_.games == 0) return {};
      if (checks_.jit) games.push_back(rules_.compile(table, api::EngineKind::jit));
      const GameData& interp = *games[0].data();
      if (rota_.forms) make_all_forms(interp.program());
      std::string wrong = rota_.text ? wrong_text(interp) : std::string();
      if (wrong.empty()) wrong = played(games, out);
      if (verified && !verified->problems().empty()) return "verifier: " + verified->problems().front();
      if (!wrong.empty()) return wrong;
    }
    std::string wrong = looked_at(games[0]);
    if (wrong.empty()) wrong = simulated(games, out);
    return wrong.empty() ? plainly(table, games[0], out) : wrong;
  }

  // Creates the forms that no engine creates by itself, so that the verifier checks them.
  static void make_all_forms(const Program& program) {
    ir::Module playout = passes::as_playout(program, false);
    passes::outline_cold(playout);
    passes::as_playout(program, true);
    passes::as_finishing(program);
  }

  api::Configuration some_table() {
    api::Configuration table;
    for (int tries = 0; tries < 10; ++tries) {
      table = {};
      table.players = chance_.between(rules_.least_players(), rules_.most_players());
      for (const api::RulesetOption& option : rules_.options())
        if (!option.values.empty() && chance_.one_in(2))
          table.options.emplace_back(
              option.name,
              option.values[static_cast<std::size_t>(chance_.below(static_cast<int>(option.values.size())))].name);
      if (rules_.options().empty() || is_legal(rules_, table)) break;
    }
    return table;
  }

  // ---- variants: each one in a pairwise cover compiles, and one of its games is the same in all forms
  std::string variants(Checked& out) const {
    if (rules_.options().empty() || !rota_.tables || checks_.games == 0 || too_long_) return {};
    const passes::Verified verified;
    for (const api::Configuration& table : pairwise_cover(rules_)) {
      const api::Game game = rules_.compile(table, api::EngineKind::interpreter);
      if (std::string wrong = compare_forms(*game.data(), checks_.seed, 0, nullptr, {kFuel, kDecisions});
          !wrong.empty())
        return "variant: " + in_words(table) + ": " + wrong;
      ++out.games;
    }
    return verified.problems().empty() ? std::string() : "verifier: " + verified.problems().front();
  }

  // ---- IR: printed and parsed IR equals the original
  static std::string wrong_text(const GameData& game) {
    const Program& program = game.program();
    for (const bool step : {false, true}) {
      const ir::Module& module = step ? program.step : program.playout;
      ir::ParseError error;
      const std::string printed = ir::print(module);
      const auto back = ir::parse(printed, error);
      if (!back) return fmt::format("text: line {} of the printed IR: {}", error.line, error.message);
      if (ir::print(*back) != printed) return "text: the printed IR changes when it is parsed and printed again";
    }
    return {};
  }

  // ---- games: the same on both engines, in all forms, and in memory with any previous content
  std::string played(const std::vector<api::Game>& games, Checked& out) {
    const std::vector<Byte> zero{0}, ones{0xff};
    std::vector<Byte> old;   // memory after the previous game
    for (int i = 0; i < checks_.games; ++i) {
      const auto index = static_cast<std::uint64_t>(i);
      Course first;
      for (const api::Game& game : games) {
        const GameData& data = *game.data();
        const std::string engine(api::name_of(data.kind));
        Course course;
        Limits limits{kFuel, kDecisions};
        limits.before = zero;
        if (std::string wrong = compare_forms(data, checks_.seed, index, &course, limits); !wrong.empty())
          return engine + ": " + wrong;
        if (course.failure.find("oracle") != std::string::npos)
          return "oracle: equivalent expressions differ\n" + course.failure;
        if (&game == &games[0])
          first = course;
        else if (std::string wrong = compare_courses(first, course, "interpreter and JIT", true); !wrong.empty())
          return "engines: " + wrong;
        for (const auto& [name, before] :
             {std::pair{"0xff", std::span<const Byte>(ones)}, std::pair{"an old game", std::span<const Byte>(old)}}) {
          limits.before = before;
          for (const bool traced : {false, true})
            if (std::string wrong = compare_courses(course, play_out(data, checks_.seed, index, traced, limits),
                                                    engine + " on memory of " + name, traced);
                !wrong.empty())
              return "memory: " + wrong;
          if (std::string wrong = compare_courses(course, play_stepwise(data, checks_.seed, index, false, limits),
                                                  engine + " stepwise on memory of " + name, true);
              !wrong.empty())
            return "memory: " + wrong;
        }
        if (i == 0)
          if (std::string wrong = compare_dropped(data, checks_.seed, index, {kFuel, kDecisions}); !wrong.empty())
            return "dropped: " + wrong;
      }
      if (games.size() > 1)
        if (std::string wrong = compare_engines(*games[0].data(), *games[1].data(), checks_.seed, index, nullptr,
                                                {kFuel, kDecisions, zero});
            !wrong.empty())
          return "states: " + wrong;
      old = last_bytes(*games[0].data(), index);
      out.decisions += static_cast<std::uint64_t>(first.count);
      out.failed += first.failure.empty() ? 0 : 1;
      too_long_ = too_long_ || first.failure.find("too ") != std::string::npos;
      ++out.games;
    }
    return {};
  }
  std::vector<Byte> last_bytes(const GameData& game, std::uint64_t index) const {
    const auto bytes = fresh_bytes(game.program(), checks_.seed, index);
    Game context = context_for(game, {kFuel, kDecisions});
    game.engine->playout(context, bytes.get());
    return {bytes.get(), bytes.get() + game.program().layout.size};
  }

  // ---- views for people and programs during a game; saving and restoring in the middle
  std::string looked_at(const api::Game& game) {
    api::Log log(game);
    api::State state = game.new_state(checks_.seed, 0, &log);
    for (int decision = 0; decision < 60 && !state.is_over(); ++decision) {
      if (std::string bad = StateReader(state).violation(); !bad.empty()) return "state: " + bad;
      if (decision == 20) shown(game, state, log);
      if (std::string bad = decision % 7 == 0 ? leaked(game, state) : offered(state); !bad.empty()) return bad;
      if (decision % 9 == 4)
        if (std::string bad = restored(game, state); !bad.empty()) return bad;
      state.apply(state.random_index(), &log);
    }
    shown(game, state, log);
    return leaked(game, state);
  }

  // ---- digests agree
  std::string simulated(const std::vector<api::Game>& games, Checked& out) {
    if (too_long_) return {};   // would take too much time
    std::vector<std::uint64_t> digests;
    for (const api::Game& game : games)
      for (const int threads : {1, 2, 7}) {
        api::SimulateSettings settings;
        settings.games = kSimulated;
        settings.seed = checks_.seed;
        settings.threads = threads;
        digests.push_back(api::simulate(game, settings).digest);
        out.games += settings.games;
      }
    digest_ = digests[0];
    for (const std::uint64_t digest : digests)
      if (digest != digest_) return "digest: engines or threads differ";
    return {};
  }

  // ---- the same games without optimizations, unless one runs out of fuel: unoptimized code consumes a different
  // amount of fuel, so it stops at a different place
  static bool ran_out(const api::Statistics& played) {
    return std::any_of(played.failures.begin(), played.failures.end(), [](const api::FailureCount& f) {
      return f.failure.trap.find("too much work") != std::string::npos;
    });
  }
  std::string plainly(api::Configuration table, const api::Game& interp, Checked& out) const {
    if (too_long_) return {};
    table.plain = true;
    const api::Game plain = rules_.compile(table, api::EngineKind::interpreter);
    std::string wrong = compare_with_unoptimized(interp, plain, checks_.seed, checks_.games, {kFuel, kDecisions});
    if (!wrong.empty()) return "plain: " + wrong;
    api::SimulateSettings settings;
    settings.games = kSimulated;
    settings.seed = checks_.seed;
    settings.threads = 1;
    out.games += settings.games;
    const api::Statistics played = api::simulate(plain, settings);
    return played.digest == digest_ || ran_out(played) ? std::string()
                                                       : "plain: the digests with and without optimizations differ";
  }

  const Checks checks_;
  const Rota rota_;
  const api::Ruleset rules_;
  Chance chance_;
  bool too_long_ = false;
  std::uint64_t digest_ = 0;
};

// Checks a file. An exception thrown by Cardwright counts as an internal error.
inline Checked check_rules(const std::string& path, const Checks& checks) {
  try {
    return Checking(path, checks).run();
  } catch (const api::Error& error) {
    if (error.blame() == api::Blame::author) return {"refused: " + error.report().text};
    return {std::string("thrown: ") + error.what()};
  } catch (const std::exception& error) {
    return {std::string("thrown: ") + error.what()};
  }
}

}   // namespace cardwright::test
