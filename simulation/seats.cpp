// Plays games in which each seat has its own policy.
#include "simulation/seats.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "simulation/playouts.h"
#include "api/game/timing.h"
#include "runtime/ops/decide.h"
#include "runtime/ops/ops.h"
#include "runtime/ops/random.h"
#include "runtime/trace.h"

namespace cardwright::api::detail {

namespace {

using Kind = PlayerPolicy::Kind;

const PlayerPolicy kUniform;

// Throws Error(caller) if sensible play does not differ from uniform play.
void need_sensible(const Program& program) {
  if (program.sensible_only < 0)
    throw Error(Blame::caller, fmt::format("sensible play of {} is the same as uniform play: no action has `sensible "
                                           "if`, and no window is in real time",
                                           program.title));
}

// Draws one of the sensible options from the same random stream as a sensible playout.
std::size_t sensible_choice(State& state) {
  const std::vector<std::int64_t> some = sensible_options(state.data());
  const auto all = state.legal();
  Byte* const stream = policy_stream(state.data().bytes.get(), state.data().program().layout, state.actor());
  const std::int64_t one = some[static_cast<std::size_t>(draw_below(stream, static_cast<Int>(some.size())))];
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

// Draws an option in the same way as a playout, by a step on a copy of the State. Only the deciding player's random
// stream is copied back.
std::size_t drawn_choice(State& state) {
  StateData& data = state.data();
  StateData ahead(data);
  DecisionTrace trace;
  cardwright::Game context = fresh_context(*data.game);
  context.choice = kDrawRandomly;
  context.knowledge_dropped = !data.keeps_knowledge;
  context.trace = &trace;
  data.game->engine->step(context, ahead.bytes.get());
  const Layout& layout = data.program().layout;
  write(policy_stream(data.bytes.get(), layout, data.actor),
        read<Word>(policy_stream(ahead.bytes.get(), layout, data.actor)));
  return static_cast<std::size_t>(trace.decisions().front().index);
}

}   // namespace

void check_pace(const SimulateSettings& settings) {
  constexpr double kLeastSpeed = 0.01, kMostSpeed = 100;
  check_time_factor(settings.time_factor);
  for (const double speed : settings.speeds)
    if (!(speed >= kLeastSpeed && speed <= kMostSpeed))
      throw Error(Blame::caller,
                  fmt::format("speed {:g} is out of range: expected {:g} to {:g}", speed, kLeastSpeed, kMostSpeed));
}

void set_pace(const Program& program, Byte* s, const SimulateSettings& settings) {
  cardwright::Game context;
  const auto put = [&](Int variable, Int value, Int index) {
    op_store(context, s, program.layout, program.variables[static_cast<std::size_t>(variable)], index, value);
  };
  for (Int player = 0; settings.policy_seed != 0 && player < program.layout.players; ++player) {
    Byte* const stream = policy_stream(s, program.layout, player);
    write(stream, mix_word(read<Word>(stream) ^ run_key(settings.policy_seed)));
  }
  if (program.sensible_only >= 0)
    put(program.sensible_only,
        all_are(settings, PlayerPolicy::Kind::sensible, static_cast<int>(program.layout.players)), 0);
  for (Int seat = 0; program.seat_policy >= 0 && seat < program.layout.players; ++seat)
    put(program.seat_policy, number_of(program, policy_of(settings, static_cast<int>(seat))), seat);
  if (!program.race) return;
  for (std::size_t seat = 0; seat < settings.speeds.size() && static_cast<Int>(seat) < program.layout.players; ++seat)
    put(program.race->speed, std::llround(settings.speeds[seat] * 1024), static_cast<Int>(seat));
  set_time_factor(program, s, settings.time_factor);
}

const PlayerPolicy& policy_of(const SimulateSettings& settings, int seat) {
  const auto& policies = settings.policies;
  if (policies.size() == 1) return policies[0];
  return static_cast<std::size_t>(seat) < policies.size() ? policies[static_cast<std::size_t>(seat)] : kUniform;
}

bool all_are(const SimulateSettings& settings, Kind kind, int players) {
  for (int seat = 0; seat < players; ++seat)
    if (policy_of(settings, seat).kind != kind) return false;
  return true;
}

bool fits_playout(const Program& program, const SimulateSettings& settings) {
  const int players = static_cast<int>(program.layout.players);
  if (program.seat_policy < 0)
    return all_are(settings, Kind::uniform, players) || all_are(settings, Kind::sensible, players);
  for (int seat = 0; seat < players; ++seat)
    if (policy_of(settings, seat).is_bot()) return false;
  return true;
}

Int number_of(const Program& program, const PlayerPolicy& policy) {
  switch (policy.kind) {
    case Kind::uniform:
    case Kind::bots:   // bots are checked when they are created
    case Kind::flat: return kUniformPolicy;
    case Kind::sensible: return kSensiblePolicy;
    case Kind::named: break;
  }
  for (std::size_t i = 0; i < program.policies.size(); ++i)
    if (program.policies[i].name == policy.name) return kFirstPolicy + static_cast<Int>(i);
  return -1;
}

namespace {

void check_policy(const Program& program, const PlayerPolicy& policy, bool all_sensible, bool timed_too) {
  if (policy.kind == Kind::sensible) need_sensible(program);
  if (policy.kind == Kind::sensible && !all_sensible && program.seat_policy < 0 && program.race)
    throw Error(Blame::caller, fmt::format("{} was compiled without different policies per seat: add `sensible` to "
                                           "Configuration::policies",
                                           program.title));
  if (policy.kind == Kind::named && number_of(program, policy) < 0)
    throw Error(Blame::caller, fmt::format("{} was compiled without policy `{}`: add it to Configuration::policies",
                                           program.title, policy.name));
  if (policy.is_timed() && !timed_too)
    throw Error(Blame::caller, fmt::format("`{}` depends on the speed of the machine, but these games must be "
                                           "reproducible: use iterations, for example `{}:200`",
                                           text_of(policy), policy.kind == Kind::bots ? "bots" : "flat"));
}

}   // namespace

void check_policies(const Program& program, const SimulateSettings& settings, bool timed_too) {
  const int players = static_cast<int>(program.layout.players);
  if (settings.policies.size() > static_cast<std::size_t>(players))
    throw Error(Blame::caller,
                fmt::format("{} policies for {} players", settings.policies.size(), program.layout.players));
  const bool all_sensible = all_are(settings, Kind::sensible, players);
  for (int seat = 0; seat < players; ++seat) check_policy(program, policy_of(settings, seat), all_sensible, timed_too);
}

State new_game(std::shared_ptr<const GameData> game, const SimulateSettings& settings, std::uint64_t index,
               NoteBook* notes) {
  auto state = state_before_setup(std::move(game), settings.seed, index);
  set_pace(state->program(), state->bytes.get(), settings);
  state->notes = notes;
  advance(*state, -1, nullptr);
  return State(std::move(state));
}

std::uint64_t seed_of_bots(const SimulateSettings& settings) {
  return settings.policy_seed == 0 ? settings.seed : mix_word(settings.seed ^ run_key(settings.policy_seed));
}

namespace {

// Returns true if the State stores the policies of all seats except bots. Returns false if some seats play sensibly but
// the game was not compiled with policies per seat.
bool state_says_how(const Program& program, const SimulateSettings& settings) {
  const int players = static_cast<int>(program.layout.players);
  if (program.seat_policy >= 0 || all_are(settings, Kind::sensible, players)) return true;
  for (int seat = 0; seat < players; ++seat)
    if (policy_of(settings, seat).kind == Kind::sensible) return false;
  return true;
}

}   // namespace

std::size_t chosen_by_policy(State& state, const SimulateSettings& settings, TableBots& bots) {
  if (const auto choice = bots.choose(state)) return *choice;
  const PlayerPolicy& policy = policy_of(settings, state.actor());
  if (policy.kind == Kind::uniform) return state.random_index();
  return state_says_how(state.data().program(), settings) ? drawn_choice(state) : sensible_choice(state);
}

void play_on(State& state, const SimulateSettings& settings, std::uint64_t index) {
  TableBots bots(Game(state.data().game), settings.policies, seed_of_bots(settings), index);
  const bool draws = !bots.any() && state_says_how(state.data().program(), settings);
  while (!state.is_over()) {
    if (draws) {
      advance(state.data(), kDrawRandomly, nullptr);
      continue;
    }
    const std::size_t choice = chosen_by_policy(state, settings, bots);
    bots.saw(state, choice);
    state.apply(choice);
  }
}

SeatedPlay::SeatedPlay(const GameData& game, const SimulateSettings& settings)
    : game_(game.shared_from_this()), settings_(settings) {
  for (int seat = 0; seat < game.program().layout.players; ++seat) bots_ |= policy_of(settings, seat).is_bot();
}

std::unique_ptr<Failure> SeatedPlay::play(std::uint64_t index, Byte* end, NoteBook* notes) const {
  State state = new_game(game_, settings_, index, notes);
  if (!bots_) state.drop_knowledge();
  play_on(state, settings_, index);
  std::memcpy(end, state.bytes().data(), state.bytes().size());
  return state.failure() ? std::make_unique<Failure>(*state.failure()) : nullptr;
}

}   // namespace cardwright::api::detail
