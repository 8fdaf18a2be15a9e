// Creates and runs the bots at one table.
#include "simulation/table_bots.h"

#include "runtime/ops/random.h"

namespace cardwright::api::detail {

namespace {

BotSettings settings_of(const PlayerPolicy& policy, std::uint64_t seed) {
  BotSettings settings;
  settings.iterations = policy.iterations;
  if (policy.is_timed()) settings.seconds = policy.seconds;
  settings.seed = seed;
  settings.search = policy.kind == PlayerPolicy::Kind::flat ? Search::flat : Search::ismcts;
  settings.threads = 1;   // games are played in parallel
  return settings;
}

std::uint64_t seed_of(std::uint64_t run, std::uint64_t index, std::uint64_t seat) {
  return mix_word((mix_word((run_key(run) ^ index) + kGoldenGamma) ^ seat) + kGoldenGamma);
}

}   // namespace

TableBots::TableBots(const Game& game, const std::vector<PlayerPolicy>& policies, std::uint64_t run,
                     std::uint64_t index) {
  for (int seat = 0; seat < game.players(); ++seat) {
    const std::size_t at = policies.size() == 1 ? 0 : static_cast<std::size_t>(seat);
    if (const PlayerPolicy* const policy = at < policies.size() ? &policies[at] : nullptr; policy && policy->is_bot())
      bots_.emplace_back(game, seat, settings_of(*policy, seed_of(run, index, static_cast<std::uint64_t>(seat))));
  }
}

Bot* TableBots::at(int seat) {
  for (Bot& bot : bots_)
    if (bot.seat() == seat) return &bot;
  return nullptr;
}

std::optional<std::size_t> TableBots::choose(const State& state) {
  Bot* const bot = at(state.actor());
  return bot ? std::optional(bot->choose(state)) : std::nullopt;
}

void TableBots::saw(State& before, std::size_t index) {
  for (Bot& bot : bots_) bot.saw(before, before.legal()[index]);
}

}   // namespace cardwright::api::detail
