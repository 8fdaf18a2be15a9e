// Tests invalid arguments of the interface: each throws an Error with a one-sentence message and changes nothing.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include "cardwright/bots.hpp"
#include "cardwright/tools.hpp"
#include "cardwright/variants.hpp"
#include "tests/support/files.h"

using namespace cardwright::api;
using cardwright::test::checkout;

namespace {

struct Wrong {
  std::string what;
  std::function<void()> call;
};

// Runs an invalid call. Returns an empty string if the call fails with a correct Error, else the problem.
std::string refused_badly(const std::function<void()>& call) {
  try {
    call();
    return "it was accepted";
  } catch (const Error& error) {
    const std::string text = error.what();
    if (error.blame() != Blame::caller) return "the blame is not the caller's: " + text;
    if (text.empty() || text.find('\n') != std::string::npos) return "not one sentence: " + text;
    return {};
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
}

void check_all(const std::vector<Wrong>& all) {
  for (const Wrong& wrong : all) {
    INFO(wrong.what);
    CHECK(refused_badly(wrong.call) == "");
  }
}

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

State over(const Game& game) {
  State state = game.new_state(1);
  state.playout();
  return state;
}

State waiting_for_clock() {
  State state = Ruleset::load(checkout("tests/rulesets/small/race.rules")).compile().new_state(1, 0, nullptr, 1);
  while (!state.waits_for_clock() && !state.is_over()) state.apply(0);
  REQUIRE(state.waits_for_clock());
  return state;
}

}   // namespace

TEST_CASE("misuse: unknown seats", "[api][misuse]") {
  const Game game = Ruleset::load("leduc_poker").compile();
  const State state = game.new_state(1);
  const State waits = waiting_for_clock();
  Log log(game);
  std::vector<Wrong> all;
  for (const int p :
       {-5, -2, 2, 3, 16, 63, 64, 1000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    const auto add = [&](const std::string& what, std::function<void()> call) {
      all.push_back({what + " " + std::to_string(p), std::move(call)});
    };
    add("view", [&, p] { (void)state.view(p); });
    add("table_in_words", [&, p] { (void)state.table_in_words(p); });
    add("resample", [&, p] { (void)state.resample(p, 1); });
    add("is_in", [&, p] { (void)state.is_in(p); });
    add("ask_first", [&, p] { (void)State(state).ask_first(p); });
    add("arrive", [&, p] { (void)State(state).arrive(p); });
    add("why", [&, p] { (void)state.why(p, "call"); });
    add("trait", [&, p] { (void)state.trait("role", p); });
    if (p != -2) add("Log::lines", [&, p] { (void)log.lines(p); });   // -2 reads the public log
    if (p >= 0 && p < 4) continue;   // valid seats at that table
    add("arrive in a race", [&, p] { (void)State(waits).arrive(p); });
    if (p < 0 || p >= 16) add("seat_name", [p] { (void)Game::seat_name(p); });
  }
  for (const int p : {-1}) {   // the omniscient observer cannot act
    all.push_back({"is_in -1", [&, p] { (void)state.is_in(p); }});
    all.push_back({"ask_first -1", [&, p] { (void)State(state).ask_first(p); }});
    all.push_back({"arrive -1", [&, p] { (void)State(state).arrive(p); }});
    all.push_back({"why -1", [&, p] { (void)state.why(p, "call"); }});
    all.push_back({"trait -1", [&, p] { (void)state.trait("role", p); }});
  }
  check_all(all);
  CHECK(state.resample(-1, 1).view(-1) == state.view(-1));
  CHECK(Game::seat_name(-1) == "-");
}

TEST_CASE("misuse: unknown options, entries and times", "[api][misuse]") {
  const Game game = Ruleset::load("leduc_poker").compile(), other = Ruleset::load("hearts").compile();
  const State state = game.new_state(1), ended = over(game), waits = waiting_for_clock();
  Log log(game), log_of_other(other);
  check_all({
      {"apply beyond", [&] { State(state).apply(state.legal_count()); }},
      {"apply far beyond", [&] { State(state).apply(kMost); }},
      {"apply_id -1", [&] { State(state).apply_id(-1); }},
      {"apply_id beyond", [&] { State(state).apply_id(std::numeric_limits<std::int64_t>::max()); }},
      {"option beyond", [&] { (void)state.option(9999); }},
      {"Game::option -1", [&] { (void)game.option(-1); }},
      {"Game::option beyond", [&] { (void)game.option(game.option_ids()); }},
      {"apply when it is over", [&] { State(ended).apply(0); }},
      {"apply_id when it is over", [&] { State(ended).apply_id(0); }},
      {"question when it is over", [&] { (void)ended.question(); }},
      {"option when it is over", [&] { (void)ended.option(0); }},
      {"random_index when it is over", [&] { (void)State(ended).random_index(); }},
      {"missing_answer when it is over", [&] { (void)State(ended).missing_answer(); }},
      {"bot_choice when it is over", [&] { (void)bot_choice(ended, {.iterations = 5}); }},
      {"apply while the clock runs", [&] { State(waits).apply(0); }},
      {"apply_id while the clock runs", [&] { State(waits).apply_id(0); }},
      {"question while the clock runs", [&] { (void)waits.question(); }},
      {"option while the clock runs", [&] { (void)waits.option(0); }},
      {"random_index while the clock runs", [&] { (void)State(waits).random_index(); }},
      {"missing_answer while the clock runs", [&] { (void)State(waits).missing_answer(); }},
      {"bot_choice while the clock runs", [&] { (void)bot_choice(waits, {.iterations = 5}); }},
      {"run_clock -1", [&] { State(waits).run_clock(-1); }},
      {"run_clock for ever", [&] { State(waits).run_clock(std::numeric_limits<std::int64_t>::max()); }},
      {"running_in_words -1", [&] { (void)waits.running_in_words(-1); }},
      {"log lines beyond", [&] { (void)log.lines(-1, 1); }},
      {"log cut beyond", [&] { log.cut(1); }},
      {"log of another game", [&] { State(state).apply(0, &log_of_other); }},
      {"log of another game, by id", [&] { State(state).apply_id(state.legal()[0], &log_of_other); }},
      {"new_state with the log of another game", [&] { (void)game.new_state(1, 0, &log_of_other); }},
      {"new_state with people that there are not", [&] { (void)game.new_state(1, 0, nullptr, 4); }},
      {"time factor 0", [&] { (void)game.new_state(1, 0, nullptr, 0, 0); }},
      {"time factor -1", [&] { (void)game.new_state(1, 0, nullptr, 0, -1); }},
      {"time factor 1001", [&] { (void)game.new_state(1, 0, nullptr, 0, 1001); }},
      {"restore nothing", [&] { (void)game.restore(""); }},
      {"restore another game", [&] { (void)game.restore(other.new_state(1).save()); }},
  });
  CHECK(waits.legal_count() == 0);
  CHECK(waits.legal().empty());
  CHECK(log.size() == 0);
}

TEST_CASE("misuse: settings for simulations and bots", "[api][misuse]") {
  const Game game = Ruleset::load("leduc_poker").compile();
  const State state = game.new_state(1);
  check_all({
      {"threads -1", [&] { (void)simulate(game, {.games = 10, .threads = -1}); }},
      {"threads 100,000", [&] { (void)simulate(game, {.games = 10, .threads = 100'000}); }},
      {"speed 0", [&] { (void)simulate(game, {.games = 10, .speeds = {0}}); }},
      {"speed -1",
       [&] {
         (void)simulate(game, {.games = 10, .speeds = {1, -1}});
       }},
      {"no speed", [&] { (void)simulate(game, {.games = 10, .speeds = {kNoNumber}}); }},
      {"time factor 0", [&] { (void)simulate(game, {.games = 10, .time_factor = 0}); }},
      {"games beyond the last", [&] { (void)simulate(game, {.games = 10, .first_game = kMost}); }},
      {"trace to no folder", [&] { (void)trace(game, {.games = 1}, "/nowhere/file"); }},
      {"trace to nothing", [&] { (void)trace(game, {.games = 1}, ""); }},
      {"trace to a folder", [&] { (void)trace(game, {.games = 1}, "/"); }},
      {"trace with -1 threads", [&] { (void)trace(game, {.games = 1, .threads = -1}, "/dev/null"); }},
      {"compare_policies with -1 threads",
       [&] { (void)compare_policies(game, {.pairs = 1, .first = policy_from("bots:2"), .threads = -1}); }},
      {"compare_policies with a policy that the rules don't have",
       [&] { (void)compare_policies(game, {.pairs = 1, .first = policy_from("sly")}); }},
      {"bot_choice with 0 trees", [&] { (void)bot_choice(state, {.iterations = 2, .trees = 0}); }},
      {"bot_choice with 300 trees", [&] { (void)bot_choice(state, {.iterations = 2, .trees = 300}); }},
      {"bot_choice on -1 threads", [&] { (void)bot_choice(state, {.iterations = 2, .threads = -1}); }},
      {"a bot at seat 99", [&] { (void)Bot(game, 99); }},
      {"a bot that is asked for another seat", [&] { (void)Bot(game, 1 - state.actor()).choose(state); }},
      {"bot_choice in -1 seconds", [&] { (void)bot_choice(state, {.seconds = -1}); }},
      {"bot_choice in no number of seconds", [&] { (void)bot_choice(state, {.seconds = kNoNumber}); }},
      {"bot_choice for ever", [&] { (void)bot_choice(state, {.seconds = std::numeric_limits<double>::infinity()}); }},
      {"variants with -1 threads",
       [] { (void)try_variants(Ruleset::load("leduc_poker"), {.games = 1, .threads = -1}); }},
      {"variants for 99 players",
       [] { (void)try_variants(Ruleset::load("leduc_poker"), {.players = 99, .games = 1}); }},
      {"combinations for 99 players", [] { (void)combinations(Ruleset::load("leduc_poker"), 99); }},
  });
  CHECK(bot_choice(state, {.seconds = 0}) < state.legal_count());
}

TEST_CASE("misuse: missing files, names and tables", "[api][misuse]") {
  const Ruleset rules = Ruleset::load("leduc_poker");
  check_all({
      {"no game", [] { (void)Ruleset::load(""); }},
      {"a game that there is not", [] { (void)Ruleset::load("leduc"); }},
      {"a file that there is not", [] { (void)Ruleset::load("nowhere/x.rules"); }},
      {"a folder", [] { (void)Ruleset::load("/"); }},
      {"a device", [] { (void)Ruleset::load("/dev/zero"); }},
      {"a name with a NUL", [] { (void)Ruleset::load(std::string("a\0b.rules", 9)); }},
      {"a name with a line break", [] { (void)Ruleset::load("a\nb.rules"); }},
      {"a long name", [] { (void)Ruleset::load(std::string(100'000, 'x')); }},
      {"a long path", [] { (void)Ruleset::load(std::string(100'000, 'x') + ".rules"); }},
      {"1,000 players", [&] { (void)rules.compile({.players = 1000}); }},
      {"-1 players", [&] { (void)rules.compile({.players = -1}); }},
      {"an option that there is not",
       [&] {
         (void)rules.compile({.players = 2, .options = {{"x", "y"}}});
       }},
      {"an option without a name",
       [&] {
         (void)rules.compile({.players = 2, .options = {{"", ""}}});
       }},
      {"check for 99 players", [&] { (void)rules.check({.players = 99}); }},
      {"print for 99 players", [&] { (void)print(rules, {.players = 99}, Stage::ir, Form::step); }},
      {"diff for 99 players", [&] { (void)diff(rules, {}, rules, {.players = 99}); }},
      {"explain nothing", [] { (void)explain(""); }},
      {"explain what there is not", [] { (void)explain("E\n"); }},
  });
}
