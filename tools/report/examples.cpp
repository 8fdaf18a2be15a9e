// Finds example games for the figures of a report, so that a reader can look at a game behind a figure.
#include <algorithm>

#include "cardwright/observing.hpp"
#include "cardwright/report.hpp"

namespace cardwright::report {

namespace {

constexpr std::uint64_t kMostGames = 2'000, kMostGamesOfBots = 20;

// The games with the least and the most of an amount, or the first game with a share.
struct ExtremeGames {
  std::int64_t least = 0, most = 0;
  std::uint64_t game_of_least = 0, game_of_most = 0;
  bool any = false;

  void see(std::int64_t value, std::uint64_t game) {
    if (!any || value < least) least = value, game_of_least = game;
    if (!any || value > most) most = value, game_of_most = game;
    any = true;
  }
};

}   // namespace

std::vector<Example> example_games(const api::Game& game, const api::SimulateSettings& settings) {
  api::SimulateSettings play = settings;
  play.games = 0;   // skips the tension analysis
  const bool bots =
      std::any_of(play.policies.begin(), play.policies.end(), [](const auto& one) { return one.is_bot(); });
  const std::uint64_t games = std::min(settings.games, bots ? kMostGamesOfBots : kMostGames);
  api::ObservedGames observed(game, play);
  const std::vector<api::ObservedRow>& rows = observed.rows();
  std::vector<api::Observation> seen(rows.size());
  std::vector<ExtremeGames> found(rows.size());
  for (std::uint64_t i = 0; i < games && !(settings.stop && *settings.stop); ++i) {
    const std::uint64_t index = settings.first_game + i;
    observed.play(index, seen);
    if (observed.failure()) continue;
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (seen[row].there) found[row].see(seen[row].value, index);
  }
  std::vector<Example> out;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const ExtremeGames& of = found[row];
    Example one{rows[row].group, rows[row].name, {}};
    if (!of.any || of.most <= 0) continue;
    if (rows[row].kind == api::ObservedRow::Kind::share)
      one.games = {{"", of.game_of_most}};
    else if (of.least == of.most)
      one.games = {{"as in every game", of.game_of_most}};
    else
      one.games = {{"least", of.game_of_least}, {"most", of.game_of_most}};
    out.push_back(std::move(one));
  }
  return out;
}

}   // namespace cardwright::report
