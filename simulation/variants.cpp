// Describes the option matrix of a ruleset, and tests every variant.
#include "cardwright/variants.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include <fmt/format.h>

#include "api/compile/background.h"
#include "simulation/compiling.h"
#include "api/compile/matrix.h"
#include "simulation/playouts.h"
#include "api/game/game_data.h"
#include "api/game/parallel.h"

namespace cardwright::api {

namespace {

std::string_view name_of(sema::Relation::Kind kind) {
  using Kind = sema::Relation::Kind;
  switch (kind) {
    case Kind::implies: return "implies";
    case Kind::conflict: return "conflict";
    case Kind::require: return "require";
    case Kind::voids: return "void";
    case Kind::warns: return "warn";
  }
  return "";
}

constexpr std::uint64_t kMostTables = 1'000'000;

}   // namespace

std::string OptionRelation::text() const {
  if (kind == "implies") return fmt::format("{} implies {}{}", one, other, unless.empty() ? "" : " unless " + unless);
  if (kind == "void") return fmt::format("{} is void with {}", one, other);
  if (kind == "warn") return "warn when " + one;
  return fmt::format("{} {} with {}", kind, one, other);
}

std::vector<OptionRelation> relations(const Ruleset& rules) {
  const detail::RulesetData& data = *rules.data();
  const std::lock_guard lock(data.mutex);
  Diagnostics discarded(data.sources);
  std::vector<OptionRelation> out;
  for (const sema::Relation& r : sema::relations(data.parsed(), discarded))
    out.push_back({std::string(name_of(r.kind)), r.one, r.other, r.unless, r.why, data.sources.describe(r.range)});
  return out;
}

std::vector<Preset> presets(const Ruleset& rules) {
  std::vector<Preset> out;
  for (const loading::Variant& v : rules.data()->parsed().variants) out.push_back({v.title, v.settings});
  return out;
}

Combinations combinations(const Ruleset& rules, int players) {
  const detail::RulesetData& data = *rules.data();
  detail::complete(data, {players, {}});   // rejects an invalid number of players
  const std::lock_guard lock(data.mutex);
  const detail::Matrix matrix(data, players, true);
  return {players, matrix.counted(), matrix.legal(), matrix.distinct()};
}

// ---- testing variants

namespace {

struct Table {
  int players;
  const detail::Matrix* matrix;
  std::uint64_t game;
};

// Compiles and plays one variant. Returns its first error; nullopt if there is none.
std::optional<TryFailure> try_table(const Ruleset& rules, Configuration configuration, const TrySettings& settings,
                                    std::uint64_t& played) {
  try {
    const Game game = rules.compile(configuration);
    SimulateSettings usual;
    usual.seed = settings.seed;
    detail::Playouts playouts(*game.data(), usual);
    WhenToCompile compiling(game.data()->background, settings.games, 1);
    for (std::uint64_t i = 0; i < settings.games; ++i) {
      if (settings.stop && settings.stop->load(std::memory_order_relaxed)) break;
      ++played;
      playouts.play(i);
      if (playouts.failure()) return TryFailure{std::move(configuration), {}, *playouts.failure(), i};
      compiling.played(0, 1);
    }
    return std::nullopt;
  } catch (const Error& error) {
    Report report = error.report();
    if (report.text.empty()) report.text = std::string(error.what()) + "\n";
    return TryFailure{std::move(configuration), std::move(report), std::nullopt, 0};
  }
}

}   // namespace

Tried try_variants(const Ruleset& rules, const TrySettings& settings) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Tried out;
  std::vector<std::unique_ptr<detail::Matrix>> matrices;
  // For each number of players: number of its first table, and index of its matrix.
  std::vector<std::pair<std::uint64_t, std::size_t>> first;
  const int least = settings.players ? settings.players : rules.least_players(),
            most = settings.players ? settings.players : rules.most_players();
  for (int players = least; players <= most; ++players) {
    out.combinations.push_back(combinations(rules, players));
    matrices.push_back(std::make_unique<detail::Matrix>(*rules.data(), players, false));
    const std::uint64_t here = matrices.back()->distinct();
    if (!matrices.back()->counted() || out.tables + here > kMostTables)
      throw Error(Blame::caller,
                  fmt::format("{} has too many variants to test: more than {}", rules.title(), kMostTables));
    first.emplace_back(out.tables, matrices.size() - 1);
    out.tables += here;
  }
  need_threads(settings.threads);
  if (settings.most == 0) throw Error(Blame::caller, "the maximum number of variants must be at least 1");
  const std::uint64_t tried = std::min(out.tables, settings.most);
  out.left_out = out.tables - tried;
  const int threads = thread_count(settings.threads, tried);
  // Compiling locks a ruleset, so each thread loads its own.
  std::vector<Ruleset> own{rules};
  while (own.size() < static_cast<std::size_t>(threads)) own.push_back(Ruleset::load(rules.path()));
  std::mutex mutex;
  std::atomic<std::uint64_t> done{0};
  std::vector<std::pair<std::uint64_t, TryFailure>> failures;
  const auto stopped = [&] { return settings.stop && settings.stop->load(std::memory_order_relaxed); };
  run_blocks(
      threads, tried,
      [&](int thread, std::uint64_t nth) {
        // No overflow, because both factors are at most a million.
        const std::uint64_t table = nth * out.tables / tried;
        const auto& [begin, index] =
            *std::prev(std::upper_bound(first.begin(), first.end(), std::pair(table, ~std::size_t{0})));
        Configuration configuration{least + static_cast<int>(index), matrices[index]->game(table - begin)};
        std::uint64_t played = 0;
        auto failure = try_table(own[static_cast<std::size_t>(thread)], std::move(configuration), settings, played);
        const std::lock_guard lock(mutex);
        out.games += played;
        if (failure) failures.emplace_back(table, std::move(*failure));
        ++done;
        return !stopped();
      },
      [&] {
        if (settings.progress) settings.progress(done, tried);
      });
  std::sort(failures.begin(), failures.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [table, failure] : failures) out.failures.push_back(std::move(failure));
  out.stopped = done < tried;
  out.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return out;
}

}   // namespace cardwright::api
