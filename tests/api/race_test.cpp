// Tests simultaneous and real-time windows: races are fair, can be interrupted anywhere and replayed from their
// journal, and simultaneous answers stay hidden until all players have answered.
//
// race.rules is a short race with latencies, late cards and a stalemate; once.rules is a simultaneous decision.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <map>

#include "simulation/seats.h"
#include "cardwright/bots.hpp"
#include "api/game/timing.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/leak_probe.h"
#include "tests/support/parallel_jobs.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

api::Ruleset small(const std::string& name) {
  return api::Ruleset::load(checkout("tests/rulesets/small/" + name + ".rules"));
}

api::Statistics simulated(const api::Game& game, std::uint64_t games, std::vector<double> speeds = {}, int factor = 1) {
  api::SimulateSettings settings;
  settings.games = games;
  settings.seed = 11;
  settings.speeds = std::move(speeds);
  settings.time_factor = factor;
  return api::simulate(game, settings);
}

const api::ShareGroup& group(const api::Statistics& statistics, const std::string& name) {
  for (const api::ShareGroup& one : statistics.groups)
    if (one.name == name) return one;
  throw std::runtime_error("no group " + name);
}

// A small random number generator with the same numbers on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t below(std::uint64_t n) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return (state_ >> 11) % n;
  }

 private:
  std::uint64_t state_;
};

// Returns a copy of the state, either directly or by saving and restoring it.
api::State another(const api::Game& game, const api::State& state, Dice& dice) {
  if (dice.below(2) == 0) return state;
  return game.restore(state.save());
}

}   // namespace

// ---------------------------------------------------------------- winners

TEST_CASE("races: equally fast players win equally often", "[race]") {
  const api::Game game = small("race").compile({2, {}});
  const api::Statistics s = simulated(game, 40'000);
  const auto& seats = group(s, "seat").shares;
  CHECK(s.failed == 0);
  // Each player wins half of the games with a single winner: the difference is within 1.96 standard deviations.
  const double alone = 2.0 * double(s.games) - double(seats[0].wins + seats[1].wins) - 2.0 * double(s.without_winner);
  CHECK(alone > 20'000);
  CHECK(std::abs(double(seats[0].wins) - double(seats[1].wins)) < 1.96 * std::sqrt(alone));
}

TEST_CASE("races: players who are twice as fast win more often", "[race]") {
  const api::Ruleset rules = small("race");
  for (const int players : {2, 4}) {
    const api::Statistics s = simulated(rules.compile({players, {}}), 20'000, {2.0});
    const auto& speeds = group(s, "speed").shares;
    REQUIRE(speeds.size() == 2);
    CHECK(speeds[0].name == "1");
    CHECK(speeds[1].name == "2");
    CHECK(speeds[0].games == 20'000u * static_cast<unsigned>(players - 1));
    CHECK(speeds[1].interval().first > speeds[0].interval().second);
    CHECK(speeds[1].rate() > 1.3 / players);
    CHECK(speeds[1].wins == group(s, "seat").shares[0].wins);
  }
  // A slower player wins less often.
  const auto slow = group(simulated(rules.compile({3, {}}), 20'000, {1, 0.5, 1}), "seat").shares;
  CHECK(slow[1].interval().second < slow[0].interval().first);
  CHECK(slow[1].interval().second < slow[2].interval().first);
}

TEST_CASE("races: the fastest players of Kill Shot and Panic Fire win more often", "[race]") {
  for (const char* name : {"kill_shot", "panic_fire"}) {
    const auto speeds = group(simulated(api::Ruleset::load(name).compile({2, {}}), 300, {3.0}), "speed").shares;
    INFO(name << ": " << speeds[0].rate() << " and " << speeds[1].rate());
    CHECK(speeds[1].interval().first > speeds[0].interval().second);
  }
}

TEST_CASE("races: the counts add up", "[race]") {
  const api::Statistics s = simulated(small("race").compile(), 5'000);
  REQUIRE(s.race);
  CHECK(s.race->races == 5'000);
  CHECK(s.race->per_race.least == s.race->per_game.least);
  CHECK(s.race->per_race.mean == s.race->per_game.mean);
  CHECK(s.race->per_race.most == 63'000);   // ms: a countdown of 3 s and `after 60 s`
  CHECK(s.race->timed_out > 0);
  CHECK(s.race->timed_out < 1'000);
  CHECK(s.race->guard.find("race.rules:") != std::string::npos);
  REQUIRE(s.race->actions.size() == 1);
  std::uint64_t landed = 0, late = 0;
  for (const std::uint64_t n : s.race->actions[0].landed) landed += n;
  for (const std::uint64_t n : s.race->actions[0].late) late += n;
  CHECK(landed > 15'000);   // three in each of 5,000 games, because a winner has put down three cards
  CHECK(late > 0);
  CHECK(late < landed);
}

// ---------------------------------------------------------------- times

TEST_CASE("races: the time factor scales every time and changes no winner", "[race]") {
  for (const auto& [rules, games] : {std::pair{small("race"), 4'000}, std::pair{api::Ruleset::load("kill_shot"), 10},
                                     std::pair{api::Ruleset::load("panic_fire"), 10}}) {
    const api::Game game = rules.compile();
    const api::Statistics one = simulated(game, static_cast<std::uint64_t>(games));
    for (const int factor : {2, 3, 7}) {
      const api::Statistics more = simulated(game, static_cast<std::uint64_t>(games), {}, factor);
      INFO(rules.name() << " times " << factor);
      CHECK(more.digest == one.digest);
      CHECK(more.race->timed_out == one.race->timed_out);
      // The mean is rounded to milliseconds.
      CHECK(std::abs(more.race->per_game.mean - factor * one.race->per_game.mean) <= factor);
      CHECK(group(more, "seat").shares[0].wins == group(one, "seat").shares[0].wins);
    }
  }
}

TEST_CASE("races: with a time factor the same decisions occur at scaled times", "[race]") {
  const api::Game game = small("race").compile();
  const auto paced = [&](std::uint64_t index, int factor) {
    auto state = api::detail::state_before_setup(game.data(), 3, index);
    api::SimulateSettings settings;
    settings.time_factor = factor;
    settings.speeds = {1.5, 0.7};
    api::detail::set_pace(state->program(), state->bytes.get(), settings);
    api::detail::advance(*state, -1, nullptr);
    return api::State(std::move(state));
  };
  for (std::uint64_t i = 0; i < 300; ++i) {
    api::State one = paced(i, 1), five = paced(i, 5);
    while (!one.is_over()) {
      REQUIRE(five.actor() == one.actor());
      REQUIRE(five.race().time == 5 * one.race().time);
      const std::size_t choice = one.random_index();
      REQUIRE(five.random_index() == choice);
      one.apply(choice);
      five.apply(choice);
    }
    CHECK(five.is_over());
    CHECK(five.hash() == one.hash());
  }
}

// ---------------------------------------------------------------- interruption

namespace {

// Plays to the end. With `cut`, a copy sometimes replaces the state.
std::uint64_t played(const api::Game& game, std::uint64_t index, bool cut) {
  Dice dice(index);
  api::State state = game.new_state(21, index);
  while (!state.is_over()) {
    if (cut && dice.below(4) == 0) {
      const api::State copy = another(game, state, dice);
      state = copy;
    }
    state.apply(state.random_index());
  }
  return state.whole_hash();
}

// A game with a person in seat a, who tries to act at random times, whether this is allowed or not. With `pieces`, the
// clock advances in small steps between two actions, and a copy sometimes replaces the state.
struct Live {
  api::State state;
  std::vector<std::int64_t> journal;   // option ids; -1 - time when the clock advances; -kArrives for an arrival
  int arrivals = 0;
};
constexpr std::int64_t kArrives = std::int64_t{1} << 60;

void continue_until(const api::Game& game, Live& live, std::int64_t time, bool pieces, Dice& dice, api::Log& log) {
  api::State& state = live.state;
  while (!state.is_over() && (!state.waits_for_clock() || state.race().time < time)) {
    if (pieces && dice.below(6) == 0) {
      const api::State copy = another(game, state, dice);
      state = copy;
    }
    if (!state.waits_for_clock()) {
      const std::size_t choice = state.random_index();
      live.journal.push_back(state.legal()[choice]);
      state.apply(choice, &log);
      continue;
    }
    const std::int64_t now = state.race().time,
                       to = pieces ? now + 1 +
                                         static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(time - now)))
                                   : time;
    live.journal.push_back(-1 - to);
    state.run_clock(to, &log);
  }
}

Live played_live(const api::Game& game, std::uint64_t index, bool pieces) {
  api::Log log(game);
  Live live{game.new_state(31, index, &log, 1), {}, 0};
  Dice person(index), dice(index + 1000);
  for (std::int64_t time = 3'100'000; !live.state.is_over();
       time += 200'000 + static_cast<std::int64_t>(person.below(900'000))) {
    continue_until(game, live, time, pieces, dice, log);
    const std::uint64_t wish = person.below(8);
    if (live.state.is_over() || live.state.arrive(0)) continue;
    ++live.arrivals;
    const std::size_t choice = wish % live.state.legal_count();
    live.journal.push_back(-kArrives);
    live.journal.push_back(live.state.legal()[choice]);
    live.state.apply(choice, &log);
  }
  return live;
}

api::State replayed(const api::Game& game, std::uint64_t index, const std::vector<std::int64_t>& journal) {
  api::State state = game.new_state(31, index, nullptr, 1);
  for (const std::int64_t entry : journal) {
    if (entry == -kArrives)
      REQUIRE_FALSE(state.arrive(0));
    else if (entry < 0)
      state.run_clock(-1 - entry);
    else
      state.apply_id(entry);
  }
  return state;
}

}   // namespace

TEST_CASE("races: a game that is interrupted anywhere ends the same", "[race]") {
  for (const char* name : {"race", "once"}) {
    const api::Ruleset rules = small(name);
    for (int players = rules.least_players(); players <= rules.most_players(); ++players) {
      const api::Game game = rules.compile({players, {}});
      for (std::uint64_t i = 0; i < 100; ++i) {
        INFO(name << ", " << players << " players, game " << i);
        CHECK(played(game, i, true) == played(game, i, false));
      }
    }
  }
  for (const char* name : {"quickshot", "kill_shot", "panic_fire"}) {
    const api::Game game = api::Ruleset::load(name).compile();
    for (std::uint64_t i = 0; i < 3; ++i) {
      INFO(name << ", game " << i);
      CHECK(played(game, i, true) == played(game, i, false));
    }
  }
}

TEST_CASE("races: a live clock may stop anywhere", "[race]") {
  int arrivals = 0;
  for (const auto& [rules, games] : {std::pair{small("race"), 100u}, std::pair{api::Ruleset::load("panic_fire"), 2u}}) {
    const api::Game game = rules.compile();
    for (std::uint64_t i = 0; i < games; ++i) {
      const Live whole = played_live(game, i, false), cut = played_live(game, i, true);
      INFO(rules.name() << ", game " << i);
      CHECK(cut.state.failure().has_value() == false);
      CHECK(cut.state.hash() == whole.state.hash());
      CHECK(cut.state.decisions() == whole.state.decisions());
      CHECK(cut.state.winners_mask() == whole.state.winners_mask());
      CHECK(cut.arrivals == whole.arrivals);
      arrivals += whole.arrivals;
    }
  }
  CHECK(arrivals > 100);
}

TEST_CASE("races: a live race can be replayed from its journal", "[race]") {
  for (const auto& [rules, games] : {std::pair{small("race"), 60u}, std::pair{api::Ruleset::load("kill_shot"), 1u}}) {
    const api::Game game = rules.compile();
    for (std::uint64_t i = 0; i < games; ++i) {
      const Live live = played_live(game, i, false);
      const api::State again = replayed(game, i, live.journal);
      INFO(rules.name() << ", game " << i);
      CHECK(again.is_over());
      CHECK(again.hash() == live.state.hash());   // not whole_hash(), because a replay draws no random choices
      CHECK(again.decisions() == live.state.decisions());
      CHECK(again.winners_mask() == live.state.winners_mask());
      CHECK(again.everything() == live.state.everything());
    }
  }
}

// ---------------------------------------------------------------- at the keyboard

namespace {

const char* const kQuick = R"(game "Quick"
players 2
card type Chip { n: 1..9 }
card Coin: Chip
deck Coins: Chip into box { each k in 1..9: Coin(n: k) }
player { zone hand: owner }
table { zone box: pile, facedown; zone heap: pile, faceup }
setup { shuffle box; each p in players { deal 3 from box to p.hand } }
window race {
  ask all of players in real time until any p in players has p.hand is empty
  sight 20 ms
  think 150 ms spread 30%
  patience 100 ms..200 ms
  after 1500 ms { end race }
}
action put(c: Chip in me.hand) in race, takes 30 ms, by hand, then busy 200 ms { move c to heap }
play { open race }
end when play is over { winners players with least size(it.hand) }
)";

// Runs the command and types the lines, each of the form DELAY:TEXT with a delay in seconds, such as "0.3:1".
Ran typed(const TemporaryFolder& folder, const std::string& arguments, const std::vector<std::string>& lines) {
  std::string script = "(";
  for (const std::string& line : lines) {
    const auto colon = line.find(':');
    script += "sleep " + line.substr(0, colon) + "; echo " + line.substr(colon + 1) + "; ";
  }
  script += "sleep 2.5) | XDG_STATE_HOME=" + folder.path() + " TERM=dumb " + program() + " " + arguments + " >" +
            folder.path() + "/out 2>" + folder.path() + "/err";
  Ran ran;
  const int status = std::system(("bash -o pipefail -c '" + script + "'").c_str());
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ran.out = slurp(folder.path() + "/out");
  ran.err = slurp(folder.path() + "/err");
  return ran;
}

std::string end_of(const std::string& out) {
  const auto at = out.find("The game is over.");
  return at == std::string::npos ? "" : out.substr(at);
}

}   // namespace

TEST_CASE("races: a race from the keyboard can be resumed from its file", "[race][cli]") {
  const TemporaryFolder folder;
  const std::string rules = folder.write("quick.rules", kQuick), journal = folder.path() + "/game.journal";
  const Ran ran =
      typed(folder, "play " + rules + " --engine interp --bots random --seed 4 --journal " + journal, {"0.3:1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  const std::string text = slurp(journal), end = end_of(ran.out);
  CHECK(end != "");
  CHECK(has(text, "\n{\"kind\":2,"));   // an advance of the clock
  CHECK(has(text, "\n{\"kind\":1,\"seat\":0,"));   // an action of a
  CHECK(has(ran.out, "a uses put"));
  // The complete journal leads to the same end immediately.
  const Ran again = run("play --engine interp --bots random --resume " + journal, "quit\n");
  CHECK(end_of(again.out) == end);
  // After a kill in the middle: recorded actions have happened, and the race continues from there.
  const auto acts = text.find("\n{\"kind\":1,"), after = text.find('\n', text.find('\n', acts + 1) + 1);
  std::ofstream(journal, std::ios::binary) << text.substr(0, after + 1);
  const Ran rest = typed(folder, "play --engine interp --bots random --resume " + journal, {});
  INFO(rest.out << rest.err);
  CHECK(rest.code == 0);
  CHECK(end_of(rest.out) != "");
  CHECK(has(rest.out, "a uses put"));
  CHECK(slurp(journal).starts_with(text.substr(0, after + 1)));
  CHECK(slurp(journal).size() > after + 1);
}

TEST_CASE("simultaneous: a player whose time expires answers as the rules specify", "[race][cli]") {
  const TemporaryFolder folder;
  const std::string rules = folder.write("hurry.rules", R"(game "Hurry"
players 2
player { bid: 0..9 = 0 }
window bidding { ask all of players at once or pass within 300 ms otherwise pass }
window marking { ask all of players at once within 300 ms otherwise least }
action raise(n: 1..3) in bidding { me.bid = n }
action most in marking { me.bid = 9 }
action least in marking { me.bid = 1 }
play { rounds 1 { phase bid { open bidding }; phase mark { open marking } } }
end when play is over { winners players with most it.bid }
)");
  const Ran late = typed(folder, "play " + rules + " --engine interp --bots random --seed 4", {});
  INFO(late.out << late.err);
  CHECK(late.code == 0);
  CHECK(has(late.out, "a: bidding  (0.3 s)"));
  CHECK(has(late.out, "time is up: pass"));
  CHECK(has(late.out, "time is up: least"));
  CHECK(end_of(late.out) != "");
  const Ran slow =
      typed(folder, "play " + rules + " --engine interp --bots random --seed 4 --time-factor 20", {"0.6:3", "0.6:1"});
  INFO(slow.out << slow.err);
  CHECK(has(slow.out, "a: bidding  (6 s)"));
  CHECK(has(slow.out, "a uses raise: 3"));
  CHECK(has(slow.out, "a uses most"));
  CHECK_FALSE(has(slow.out, "time is up"));
}

// ---------------------------------------------------------------- hidden answers

namespace {

// The game after a player's answer. The other players must get the same information after each possible answer.
struct Answered {
  api::State state;
  std::vector<std::vector<std::string>> lines;   // lines of the log, by player
};

// Answers for the deciding player: takes the option `first`, then always the first one. Returns false if this ends the
// simultaneous decision, or if the player can't answer.
bool answer(api::State& state, std::size_t first, api::Log& log) {
  const int who = state.actor();
  const std::uint64_t pending = state.still_to_answer();
  const std::uint64_t table = state.hash();   // answers take effect only after the last one
  for (std::size_t choice = first; !state.is_over() && state.still_to_answer() == pending; choice = 0) {
    if (!state.ask_first(who)) return false;
    state.apply(std::min(choice, state.legal_count() - 1), &log);
    if (state.is_over() || state.hash() != table) return false;
  }
  return !state.is_over() && state.still_to_answer() == (pending & ~(std::uint64_t{1} << who));
}

std::string distinguish(const Answered& one, const Answered& other, int observer, bool bots, std::uint64_t seed) {
  const auto o = static_cast<std::size_t>(observer);
  if (one.state.view(observer) != other.state.view(observer)) return "view";
  if (one.state.table_in_words(observer) != other.state.table_in_words(observer)) return "table in words";
  if (one.lines[o] != other.lines[o]) return "log";
  if (one.state.question().window != other.state.question().window) return "window";
  api::State here = one.state, there = other.state;
  const bool asked = here.ask_first(observer);
  if (asked != there.ask_first(observer)) return "whether they are asked";
  if (asked && !std::ranges::equal(here.legal(), there.legal())) return "options";
  if (asked && here.question().prompt != there.question().prompt) return "prompt";
  if (here.resample(observer, seed).save() != there.resample(observer, seed).save())
    return "a save of what they may know";
  const api::BotSettings bot{.seconds = 0, .iterations = 12, .seed = seed};
  if (bots && asked && api::bot_choice(here, bot) != api::bot_choice(there, bot)) return "what a bot makes of it";
  return {};
}

// Plays a game and, in a third of its simultaneous decisions, tries several answers of the deciding player. Returns the
// first difference that another player can notice; empty if there is none.
std::string find_answer_leak(const api::Game& game, std::uint64_t index, bool bots, int& compared) {
  api::Log log(game);
  api::State state = game.new_state(41, index, &log);
  Dice dice(index);
  while (!state.is_over()) {
    if (state.still_to_answer() != 0 && std::popcount(state.still_to_answer()) >= 2 && state.legal_count() > 1 &&
        dice.below(3) == 0) {
      const int who = state.actor();
      const std::size_t entries = log.size();
      std::vector<Answered> ways;
      for (std::size_t way = 0; way < std::min<std::size_t>(4, state.legal_count()); ++way) {
        Answered answered{state, {}};
        if (!answer(answered.state, way * (state.legal_count() - 1) / 3 % state.legal_count(), log)) break;
        for (int p = 0; p < game.players(); ++p) answered.lines.push_back(log.lines(p, entries));
        log.cut(entries);
        ways.push_back(std::move(answered));
      }
      log.cut(entries);
      for (std::size_t way = 1; way < ways.size(); ++way)
        for (int observer = 0; observer < game.players(); ++observer) {
          if (observer == who) continue;
          ++compared;
          if (std::string what = distinguish(ways[0], ways[way], observer, bots, index); !what.empty())
            return fmt::format("game {}, decision {}: {} is told what {} has answered: {}", index, state.decisions(),
                               api::Game::seat_name(observer), api::Game::seat_name(who), what);
        }
    }
    state.apply(state.random_index(), &log);
  }
  return {};
}

}   // namespace

TEST_CASE("simultaneous: answers stay hidden until all players have answered", "[race][knowledge]") {
  int compared = 0;
  const api::Ruleset once = small("once");
  for (int players = 2; players <= 5; ++players)
    for (std::uint64_t i = 0; i < 40; ++i)
      CHECK(find_answer_leak(once.compile({players, {}}), i, true, compared) == "");
  CHECK(compared > 500);
  compared = 0;
  const api::Ruleset quickshot = api::Ruleset::load("quickshot");
  for (const api::Configuration& table :
       {api::Configuration{4, {}},
        api::Configuration{3, {{"flipping", "alternate"}, {"edition", "wild"}, {"mode", "longshot"}}},
        api::Configuration{6, {{"gun_gang", "on"}}}})
    for (std::uint64_t i = 0; i < 8; ++i) CHECK(find_answer_leak(quickshot.compile(table), i, i == 0, compared) == "");
  CHECK(compared > 500);
  const api::Game room = api::Ruleset::load("kill_shot").compile({3, {{"game_type", "room"}, {"deadline", "on"}}});
  for (std::uint64_t i = 0; i < 2; ++i) CHECK(find_answer_leak(room, i, false, compared) == "");
}

TEST_CASE("races: positions of the games leak no hidden information", "[race][knowledge]") {
  struct Table {
    const char* name;
    api::Configuration table;
  };
  const std::vector<Table> tables = {
      {"quickshot", {4, {{"flipping", "leader"}}}},
      {"quickshot", {5, {{"mode", "longshot"}, {"edition", "wild"}, {"flipping", "alternate"}}}},
      {"kill_shot", {4, {}}},
      {"kill_shot", {3, {{"night_mission", "on"}}}},
      {"kill_shot", {3, {{"deadline", "on"}}}},
      {"kill_shot", {3, {{"game_type", "room_colours"}, {"taliban", "on"}}}},
      {"panic_fire", {4, {}}},
      {"panic_fire", {3, {{"auto_shield", "off"}}}}};
  CHECK(run_jobs(tables.size(), [&](int, std::size_t t) -> std::string {
          const api::Game game = api::Ruleset::load(tables[t].name).compile(tables[t].table);
          for (std::uint64_t i = 0; i < 40; ++i)
            if (std::string leak = find_leak(Probe{}, position(game, 70 + t, i), i * 10, 2); !leak.empty())
              return fmt::format("{} position {}: {}", tables[t].name, i, leak);
          return {};
        }) == "");
}

// ---------------------------------------------------------------- running actions

namespace {

// Starts seat a's action of laying a chip, at the current time.
void lay_one(api::State& state) {
  REQUIRE_FALSE(state.arrive(0));
  state.apply(0);
}

}   // namespace

TEST_CASE("races: running actions are shown with the remaining time only", "[race]") {
  const api::Game game = small("running").compile({2, {}});
  api::State state = game.new_state(5, 0, nullptr, 0b11);
  using Lines = std::vector<std::string>;
  CHECK(state.running_in_words(0) == Lines{"continues in 2.0 s", "in 42.0 s the game continues",
                                           "if nothing happens in 11.0 s the game continues", "goal 5", "laid 0"});
  CHECK(state.running_in_words(1'500'000)[0] == "continues in 0.5 s");
  state.run_clock(3'000'000);
  lay_one(state);
  state.run_clock(3'000'000);
  CHECK(state.running_in_words(3'200'000) ==
        Lines{"sticky of a 2.8 s", "bell 3.8 s", "a busy 0.3 s", "b can't call 1.3 s", "in 38.8 s the game continues",
              "if nothing happens in 8.8 s the game continues", "goal 5", "laid 1"});
  const api::Game other = small("once").compile({3, {}});
  CHECK(other.new_state(5).running_in_words(0).empty());
}
