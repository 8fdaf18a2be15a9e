// Selects the next player to answer a simultaneous decision, and runs the clock of live races.
#include "api/game/timing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runtime/ops/ops.h"
#include "runtime/search/world.h"

namespace cardwright::api::detail {

namespace {

constexpr Int kMostTime = Int{1} << 50;   // limit of a race's clock, which must fit into the rules' variables
constexpr int kMostFactor = 1000;
constexpr int kMostEvents = 1'000'000;   // more events than this in one run of the clock indicate an endless loop

Int get(const StateData& state, Int variable, Int index = 0) {
  cardwright::Game context;
  return op_load_raw(context, state.bytes.get(), state.program().layout,
                     state.program().variables[static_cast<std::size_t>(variable)], index);
}

void put(StateData& state, Int variable, Int value, Int index = 0) {
  cardwright::Game context;
  op_store(context, state.bytes.get(), state.program().layout,
           state.program().variables[static_cast<std::size_t>(variable)], index, value);
}

// Removes a player's answers and begun actions.
void forget_answer(StateData& state, Int answers, Int held, const std::vector<Int>& sets, Int player) {
  put(state, answers, kNone, player);
  put(state, held, get(state, held) & ~(Int{1} << player));
  for (const Int variable : sets) {
    const VariableSlot& slot = state.program().variables[static_cast<std::size_t>(variable)];
    std::memset(state.bytes.get() + slot.offset + player * slot.bytes, 0, static_cast<std::size_t>(slot.bytes));
  }
}

const RaceInfo* race_of(const StateData& state) { return state.program().race ? &*state.program().race : nullptr; }

}   // namespace

// ---- simultaneous decisions

std::uint64_t still_to_answer(const StateData& state) {
  if (state.over || state.actor < 0 || state.site < 0 ||
      !state.program().sites[static_cast<std::size_t>(state.site)].secret)
    return 0;
  for (const AtOnceInfo& window : state.program().at_once)
    if (const auto pending = static_cast<std::uint64_t>(get(state, window.pending)); pending >> state.actor & 1)
      return pending;
  return 0;
}

// Returns the mask of the players whose answers are missing, including a player who is picking a set.
std::uint64_t awaited(const StateData& state) {
  for (const AtOnceInfo& window : state.program().at_once)
    if (const auto pending = static_cast<std::uint64_t>(get(state, window.pending)); pending != 0) return pending;
  return 0;
}

std::size_t missing_answer(StateData& state) {
  const Int wanted = state.program().sites[static_cast<std::size_t>(state.site)].missing;
  const auto at = std::find(state.offers.begin(), state.offers.end(), wanted);
  if (at != state.offers.end()) return static_cast<std::size_t>(at - state.offers.begin());
  // The default answer is not among the options, for example while the player picks further elements of a set, so the
  // choice is random.
  return static_cast<std::size_t>(
      draw_below(policy_stream(state.bytes.get(), state.program().layout, state.actor), state.count));
}

bool ask_first(StateData& state, int player) {
  if (state.actor == player) return true;
  if (player < 0 || !(still_to_answer(state) >> player & 1)) return false;
  const StateData before(state);
  for (const AtOnceInfo& window : state.program().at_once)
    if (get(state, window.pending) >> state.actor & 1) put(state, window.first, player);
  advance(state, -1, nullptr);
  if (!state.over && state.actor == player) return true;
  state = before;   // the player has no options
  return false;
}

// ---- real time

void make_live(StateData& state, std::uint64_t players) {
  if (const RaceInfo* race = race_of(state)) put(state, race->live, static_cast<Int>(players));
}

std::uint64_t live_players(const StateData& state) {
  const RaceInfo* race = race_of(state);
  return race ? static_cast<std::uint64_t>(get(state, race->live)) : 0;
}

bool waits_for_clock(const StateData& state) { return !state.over && state.actor == kHost; }

Clock clock_of(const StateData& state) {
  const RaceInfo* race = race_of(state);
  if (!race || get(state, race->open) == 0) return {};
  return {true, get(state, race->time), get(state, race->next_event), get(state, race->paused_until)};
}

Int free_at(const StateData& state, int player) {
  const RaceInfo* race = race_of(state);
  if (!race) return 0;
  const Int paused = get(state, race->paused_until);
  return std::max({get(state, race->time), get(state, race->free, player), paused == kNone ? 0 : paused});
}

bool is_in_flight(const StateData& state, int player) {
  const RaceInfo* race = race_of(state);
  return race && (get(state, race->flying) >> player & 1);
}

void need_time(Int time) {
  if (time < 0 || time > kMostTime)
    raise(Blame::caller, fmt::format("race time {} is out of range: expected 0 to {} microseconds", time, kMostTime));
}

void check_time_factor(int factor) {
  if (factor < 1 || factor > kMostFactor)
    raise(Blame::caller, fmt::format("time factor {} is out of range: expected 1 to {}", factor, kMostFactor));
}

void set_time_factor(const Program& program, Byte* s, int factor) {
  if (!program.race) return;
  cardwright::Game context;
  op_store(context, s, program.layout, program.variables[static_cast<std::size_t>(program.race->factor)], 0, factor);
}

void play_by_policy_of_bots(StateData& state, std::uint64_t players) {
  const Program& program = state.program();
  for (Int seat = 0; program.policy_of_bots >= kFirstPolicy && seat < program.layout.players; ++seat)
    if (players >> seat & 1) put(state, program.seat_policy, program.policy_of_bots, seat);
}

std::vector<std::int64_t> sensible_options(const StateData& state) {
  StateData looked(state);
  list_options(looked);
  if ((state.program().sensible_only < 0 && state.program().policies.empty()) || state.program().race)
    return looked.offers;
  search::look_ahead(state.program(), looked.bytes.get(), 0);
  std::vector<std::int64_t> some(looked.offers.size());
  cardwright::Game context = fresh_context(*state.game);
  context.offers = some.data();
  context.offers_capacity = static_cast<Int>(some.size());
  context.pending_player = state.actor;
  context.pending_options = state.count;
  context.pending_site = state.site;
  if (state.game->engine->list(context, looked.bytes.get()) == Status::trapped || context.offers_count == 0)
    return looked.offers;
  some.resize(static_cast<std::size_t>(context.offers_count));
  return some;
}

void continue_game(StateData& state, Log* log) { advance(state, 0, log); }

// Stops when this race closes, because the next race starts a new clock.
void run_until(StateData& state, Int time, Log* log) {
  const auto closed = [&] { return race_of(state) ? get(state, race_of(state)->races) : 0; };
  const Int before = closed();
  for (int events = 0; waits_for_clock(state) && closed() == before && clock_of(state).next_event <= time; ++events) {
    if (events == kMostEvents) raise(Blame::author, "endless loop: the race repeats without time advancing");
    continue_game(state, log);
  }
  if (const RaceInfo* race = race_of(state);
      race && waits_for_clock(state) && closed() == before && get(state, race->time) < time)
    put(state, race->time, time);
}

void arrive(StateData& state, int player, Log* log) { advance(state, 1 + player, log); }

void look_again(StateData& state) {
  make_live(state, 1);   // any live seat stops the clock for the host, so the seat does not matter
  advance(state, 1 + state.program().layout.players, nullptr);
  make_live(state, 0);
}

bool ask_now(StateData& state, int player) {
  const RaceInfo* race = race_of(state);
  if (!race || !waits_for_clock(state)) return false;
  make_live(state, live_players(state) & ~(std::uint64_t{1} << player));
  cardwright::Game context = fresh_context(*state.game);
  const Int seat = player, now = get(state, race->time);
  Int nothing = 0;
  state.game->engine->call(
      context, state.bytes.get(),
      static_cast<ir::FunctionIndex>(race->think[static_cast<std::size_t>(get(state, race->open) - 1)]), {&seat, 1},
      &nothing);
  put(state, race->due, now * 64 + get(state, race->due, player) % 64, player);
  advance(state, 1 + state.program().layout.players, nullptr);   // recomputes the next event, because `due` has changed
  for (int events = 0; waits_for_clock(state) && clock_of(state).next_event <= now && events < kMostEvents; ++events)
    continue_game(state, nullptr);
  return !state.over && state.actor == player;
}

void land_at(StateData& state, int player, Int time) {
  const RaceInfo* race = race_of(state);
  if (!race || !is_in_flight(state, player)) return;
  put(state, race->due, time * 64 + get(state, race->due, player) % 64, player);
  // Recompute the next event, because `due` has changed.
  if (waits_for_clock(state)) advance(state, 1 + state.program().layout.players, nullptr);
}

void forget_answers(StateData& state, int observer) {
  const Program& program = state.program();
  const auto bit = [](Int player) { return std::uint64_t{1} << player; };
  for (const AtOnceInfo& window : program.at_once) {
    auto pending = static_cast<std::uint64_t>(get(state, window.pending));
    if (pending == 0) continue;   // the window is not open, or all players have answered, so the answers are public
    const auto asked = static_cast<std::uint64_t>(get(state, window.asked));
    for (Int p = 0; p < program.layout.players; ++p) {
      if (p == observer || !(asked & bit(p))) continue;   // players who passed, or had no options, are asked again too
      forget_answer(state, window.answers, window.held, window.sets, p);
      pending |= bit(p);
    }
    put(state, window.pending, static_cast<Int>(pending));
    if (observer >= 0 && (pending & bit(observer))) put(state, window.first, observer);
  }
  const RaceInfo* race = race_of(state);
  const Int open = race ? get(state, race->open) : 0;
  if (open == 0) return;
  const auto busy =
      static_cast<std::uint64_t>(get(state, race->thinking) | get(state, race->waiting) | get(state, race->flying));
  const std::uint64_t live = live_players(state);
  make_live(state, 0);
  for (Int p = 0; p < program.layout.players; ++p) {
    const bool theirs = p != observer && (busy & bit(p)),
               was_live = (live & bit(p)) && !is_in_flight(state, static_cast<int>(p));
    if (!theirs && !was_live) continue;
    forget_answer(state, race->answers, race->held, race->sets, p);
    cardwright::Game context = fresh_context(*state.game);
    const Int player = p;
    Int nothing = 0;
    state.game->engine->call(context, state.bytes.get(),
                             static_cast<ir::FunctionIndex>(race->think[static_cast<std::size_t>(open - 1)]),
                             {&player, 1}, &nothing);
  }
}

}   // namespace cardwright::api::detail
