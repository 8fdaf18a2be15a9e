// Parses and validates the arguments of commands that play many games.
#include "tools/cli/run_arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using api::Blame;
using api::Error;

// Parses speeds by seat: `a=2` makes seat a twice as fast.
std::vector<double> speeds_of(const std::vector<std::string>& given, const api::Game& game) {
  std::vector<double> speeds(static_cast<std::size_t>(game.players()), 1.0);
  if (!given.empty() && !game.races())
    throw Error(Blame::caller, fmt::format("`--speed` needs a game with a race; {} has none", game.title()));
  for (const std::string& text : given) {
    const int seat = text.size() > 2 && text[1] == '=' ? text[0] - 'a' : -1;
    char* end = nullptr;
    const double speed = seat < 0 ? 0 : std::strtod(text.c_str() + 2, &end);
    if (seat < 0 || seat >= game.players() || *end != 0 || !(speed >= 0.01 && speed <= 100))
      throw Error(
          Blame::caller,
          fmt::format("invalid speed `{}`: expected a seat from a to {} and a speed from 0.01 to 100, such as `a=2`",
                      text, api::Game::seat_name(game.players() - 1)));
    speeds[static_cast<std::size_t>(seat)] = speed;
  }
  return speeds;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || wrong != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? number(value) : std::nullopt;
}

// Returns the games of this process, based on its task number in a Slurm array or its MPI rank.
api::GameRange shard_of_task(std::uint64_t games) {
  if (const auto id = variable("SLURM_ARRAY_TASK_ID"), count = variable("SLURM_ARRAY_TASK_COUNT"); id && count)
    return api::shard(games, *id - variable("SLURM_ARRAY_TASK_MIN").value_or(0) + 1, *count);
  if (const auto rank = variable("OMPI_COMM_WORLD_RANK"), size = variable("OMPI_COMM_WORLD_SIZE"); rank && size)
    return api::shard(games, *rank + 1, *size);
  throw Error(Blame::caller,
              "`--shard auto` needs a Slurm array task (SLURM_ARRAY_TASK_ID) or an Open MPI rank "
              "(OMPI_COMM_WORLD_RANK); elsewhere, use for example `--shard 1/8`");
}

}   // namespace

void RunArguments::add_play(CLI::App& command, const std::string& of, bool policies_too) {
  add_number(command, "--seed", settings.seed, "seed of the run; the same seed produces the same games");
  add_number(command, "--first-game", settings.first_game, "index of the first " + of + " of the run");
  add_number(command, "--threads", threads, "number of threads; 0: one per core")->check(CLI::Range(0, 1024));
  if (policies_too) add_policies(command, policies);
  command.add_option("--speed", speeds, "in races: the speed of a seat, such as a=2 for twice as fast as in the rules")
      ->type_name("SEAT=X");
  add_number(command, "--time-factor", time_factor, "in races: multiply every duration by this factor")
      ->check(CLI::Range(1, 1000));
}

void RunArguments::add_figures(CLI::App& command) {
  command
      .add_option("--figures", settings.figures,
                  "record standard figures: actions (offered and taken), cards (drawn, played, and the effect of a "
                  "draw on winning), pace (decisions, options, dead turns), fairness (wins by position in the turn "
                  "order), tension (lead changes, and when the game is decided)")
      ->delimiter(',')
      ->check(CLI::IsMember({"actions", "cards", "pace", "fairness", "tension"}))
      ->type_name("WHAT,…");
}

bool RunArguments::wants(std::string_view figure) const {
  return std::find(settings.figures.begin(), settings.figures.end(), figure) != settings.figures.end();
}

void RunArguments::ask_for_figures(std::vector<std::string>& measures) const {
  if (wants("actions") || wants("cards") || wants("pace")) measures.push_back(api::kFigures);
  if (wants("fairness")) measures.push_back(api::kTurnOrder);
}

void RunArguments::add_parts(CLI::App& command) {
  command
      .add_option("--shard", shard,
                  "play only a part of the run: 3/8 is the third of eight parts, auto takes the part from the Slurm "
                  "array task or MPI rank, and 1000..1999 is a range of games")
      ->type_name("PART");
  command
      .add_option("-o,--output", output,
                  "write the results to this file, for `cardwright merge`; updated every minute and on SIGUSR1")
      ->type_name("FILE");
  command.add_flag("--resume", resume, "continue from the file that `-o` wrote before, if it exists");
  command.add_flag("--only-check", only_check)->group("");   // hidden
}

void RunArguments::complete(const api::Game& game) {
  settings.policies = api::policies_from(policies, game.players());
  if (!speeds.empty()) settings.speeds = speeds_of(speeds, game);
  settings.time_factor = static_cast<int>(time_factor);
  settings.threads = static_cast<int>(threads);
  settings.stop = interrupt_flag();
  if (!shard.empty() && output.empty()) throw Error(Blame::caller, "`--shard` needs `-o FILE` to write the part to");
  if (resume && output.empty()) throw Error(Blame::caller, "`--resume` needs `-o FILE` to continue from");
}

void RunArguments::take(const api::SimulateSettings& played) {
  settings = played;
  time_factor = static_cast<std::uint64_t>(played.time_factor);
  const auto& all = played.policies;
  if (!all.empty() && std::all_of(all.begin(), all.end(), [&](const auto& one) { return one == all[0]; }))
    policies.push_back(api::text_of(all[0]));
  else
    for (std::size_t seat = 0; seat < all.size(); ++seat)
      policies.push_back(api::Game::seat_name(static_cast<int>(seat)) + "=" + api::text_of(all[seat]));
  for (std::size_t seat = 0; seat < played.speeds.size(); ++seat)
    if (played.speeds[seat] != 1)
      speeds.push_back(fmt::format("{}={:g}", api::Game::seat_name(static_cast<int>(seat)), played.speeds[seat]));
}

std::string RunArguments::how_played() const {
  std::string out;
  for (const std::string& policy : policies) out += ", policy " + policy;
  for (const std::string& speed : speeds) out += ", speed " + speed;
  if (time_factor != 1) out += fmt::format(", times {}", time_factor);
  return out;
}

nlohmann::ordered_json RunArguments::policy_json(const api::Game& game) const {
  const auto& all = settings.policies;
  if (all.empty()) return "uniform";
  if (std::all_of(all.begin(), all.end(), [&](const auto& one) { return one == all[0]; })) return api::text_of(all[0]);
  nlohmann::ordered_json by_seat = nlohmann::ordered_json::object();
  for (int seat = 0; seat < game.players(); ++seat)
    by_seat[api::Game::seat_name(seat)] = api::text_of(all[static_cast<std::size_t>(seat)]);
  return by_seat;
}

api::GameRange RunArguments::range(std::uint64_t games) const {
  if (shard.empty()) return {0, games};
  if (shard == "auto") return shard_of_task(games);
  if (const std::size_t slash = shard.find('/'); slash != std::string::npos) {
    const auto index = number(shard.substr(0, slash)), count = number(shard.substr(slash + 1));
    if (index && count) return api::shard(games, *index, *count);
  }
  if (const std::size_t dots = shard.find(".."); dots != std::string::npos) {
    const auto from = number(shard.substr(0, dots)), last = number(shard.substr(dots + 2));
    if (from && last && *from <= *last && *last < games) return {*from, *last + 1};
    if (from && last)
      throw Error(Blame::caller, fmt::format("`--shard {}` is out of range: a run of {} games has games 0..{}", shard,
                                             games, games ? games - 1 : 0));
  }
  throw Error(Blame::caller,
              fmt::format("invalid part `--shard {}`: expected a form such as 3/8, auto or 1000..1999", shard));
}

void RunArguments::check_games(std::uint64_t games) const {
  if (games == 0) throw Error(Blame::caller, "the run has no games: give a number of at least 1");
  range(games);
}

std::optional<std::string> RunArguments::begun() const {
  if (!resume || !std::filesystem::exists(output)) return std::nullopt;
  return api::read_whole(output);
}

std::string missing_text(const std::vector<api::GameRange>& missing, std::uint64_t of) {
  constexpr std::size_t kMost = 8;
  std::uint64_t count = 0;
  std::string ranges;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    count += missing[i].to - missing[i].from;
    if (i < kMost) ranges += fmt::format(" --shard {}..{}", missing[i].from, missing[i].to - 1);
  }
  return fmt::format("{} of {} are missing ({}{})", with_commas(count), with_commas(of), ranges.substr(1),
                     missing.size() > kMost ? " …" : "");
}

}   // namespace cardwright::cli
