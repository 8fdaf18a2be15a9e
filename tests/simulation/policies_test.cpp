// Tests policies in rules: excluded options, weights, and equal results on every engine, in
// every form, and option by option.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <string>

#include "simulation/playouts.h"
#include "simulation/seats.h"
#include "cardwright/cardwright.hpp"
#include "cardwright/variants.hpp"
#include "api/game/game_data.h"
#include "api/game/timing.h"
#include "tests/support/files.h"

using namespace cardwright::api;

namespace {

constexpr std::uint64_t kGames = 400;

struct Played {
  std::map<std::string, std::uint64_t> endings;   // number of games by the text of their ending
  Statistics statistics;
  double share(const std::string& ending) const {
    const auto found = endings.find(ending);
    return found == endings.end() ? 0 : double(found->second) / double(statistics.games);
  }
};

SimulateSettings settings_for(const std::vector<std::string>& given, int players, std::uint64_t games) {
  SimulateSettings settings;
  settings.games = games;
  settings.threads = 1;
  settings.policies = policies_from(given, players);
  return settings;
}

Statistics run(const Ruleset& rules, const std::vector<std::string>& given, EngineKind engine, bool plain,
               std::uint64_t games) {
  const Game game = rules.compile({.plain = plain, .policies = policies_named(given)}, engine);
  return simulate(game, settings_for(given, game.players(), games));
}

// Plays the same games on all engines, without optimizations, in the stepwise form and as a trace; all must agree.
Played played(const std::string& text, const std::vector<std::string>& given, std::uint64_t games = kGames) {
  const cardwright::TemporaryFolder folder;
  const Ruleset rules = Ruleset::load(folder.write("policies.rules", text));
  Played out{{}, run(rules, given, EngineKind::interpreter, false, games)};
  for (const FailureCount& failure : out.statistics.failures) FAIL(failure.failure.text());
  CHECK(run(rules, given, EngineKind::interpreter, true, games).digest == out.statistics.digest);
  if (jit_is_available())
    for (const bool plain : {false, true})
      CHECK(run(rules, given, EngineKind::jit, plain, games).digest == out.statistics.digest);
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = rules.compile({.policies = policies_named(given)}, engine);
    const SimulateSettings settings = settings_for(given, game.players(), games);
    CHECK(trace(game, settings, "/dev/null").digest == out.statistics.digest);
    detail::Playouts whole(*game.data(), settings);
    const detail::SeatedPlay stepped(*game.data(), settings);
    std::vector<cardwright::Byte> end(game.state_size());
    const auto rules_end = static_cast<std::ptrdiff_t>(game.data()->program().layout.rules_end);
    for (std::uint64_t i = 0; i < 20; ++i) {
      whole.play(i);
      REQUIRE(stepped.play(i, end.data(), nullptr) == nullptr);
      CHECK(std::equal(end.begin(), end.begin() + rules_end, whole.state()));
    }
  }
  for (const EndingCount& e : out.statistics.endings) out.endings[e.text] = e.games;
  return out;
}

// Checks that the share is within five standard errors of the expected share.
void check_share(const Played& games, const std::string& ending, double wanted) {
  INFO(ending << ": " << games.share(ending) << ", not " << wanted);
  CHECK(std::abs(games.share(ending) - wanted) <=
        5 * std::sqrt(wanted * (1 - wanted) / double(games.statistics.games)));
}

// Returns a game with a single decision of the first player. The ending names the chosen option.
std::string once(const std::string& more, const std::string& ask = "ask active or pass") {
  return R"(game "Once"
players 2
table { taken: 0..99 = 0 }
action one in main { taken = 1 }
action two in main { taken = 2 }
action pick(n: 1..4) in main { taken = 10 + n }
end when taken == 1 "one" { winners nobody }
end when taken == 2 "two" { winners nobody }
end when taken == 11 "n1" { winners nobody }
end when taken == 12 "n2" { winners nobody }
end when taken == 13 "n3" { winners nobody }
end when taken == 14 "n4" { winners nobody }
end when play is over "passed" { winners nobody }
play { turns clockwise from first of players up to 1 { phase main { )" +
         ask + " } } }\n" + more;
}

}   // namespace

TEST_CASE("policy: avoided options are excluded while any other is offered", "[policies][jit]") {
  const Played games = played(once("policy p { avoid one\navoid pick(2) }\n"), {"p"});
  CHECK(games.share("one") == 0);
  CHECK(games.share("n2") == 0);
  for (const char* ending : {"two", "n1", "n3", "n4", "passed"}) check_share(games, ending, 0.2);
  // If a policy avoids all options, all of them are allowed.
  const Played all = played(once("policy p { avoid any action, pass }\n"), {"p"});
  for (const char* ending : {"one", "two", "n1", "n2", "n3", "n4", "passed"}) check_share(all, ending, 1.0 / 7);
  // A player who must act takes any action, because the policy avoids all of them.
  const Played must = played(once("policy p { avoid any action }\n", "ask active"), {"p"});
  for (const char* ending : {"one", "two", "n1", "n2", "n3", "n4"}) check_share(must, ending, 1.0 / 6);
}

TEST_CASE("policy: passing can be avoided like any option", "[policies][jit]") {
  CHECK(played(once("policy p { avoid pass }\n"), {"p"}).share("passed") == 0);
  CHECK(played(once("policy p { avoid any action }\n"), {"p"}).share("passed") == 1);
  const std::string when = "ask active until pass when turn_number == 1";
  CHECK(played(once("policy p { avoid pass }\n", when), {"p"}).share("passed") == 0);
  CHECK(played(once("policy p { avoid pass when taken == 1 }\n"), {"p"}).share("passed") > 0);
}

TEST_CASE("policy: weights multiply, of actions, arguments and passing", "[policies][jit]") {
  const Played games = played(once(R"(policy p {
  weight one by 3
  weight two by 0
  weight pick(n) by n + 1 when n != 4
  weight pick(4) by 2
  weight any action by 2 when turn_number == 1
  weight pass by 5
}
)"),
                              {"p"}, 4000);
  // The weights in the order of the options are 6, 0, 4, 6, 8, 4 and 5; their sum is 33.
  const std::map<std::string, double> wanted = {{"one", 6}, {"n1", 4}, {"n2", 6}, {"n3", 8}, {"n4", 4}, {"passed", 5}};
  CHECK(games.share("two") == 0);
  for (const auto& [ending, weight] : wanted) check_share(games, ending, weight / 33);
}

TEST_CASE("policy: if all weights are zero, all options are equally likely", "[policies][jit]") {
  const Played games = played(once("policy p { weight any action, pass by 0 }\n"), {"p"});
  for (const char* ending : {"one", "two", "n1", "n2", "n3", "n4", "passed"}) check_share(games, ending, 1.0 / 7);
}

TEST_CASE("policy: without a policy, and for players without one, play is uniform", "[policies][jit]") {
  const Played without = played(once(""), {}), beside = played(once("policy p { weight one by 9\navoid two }\n"), {}),
               other = played(once("policy p { weight one by 9\navoid two }\n"), {"b=p"});
  CHECK(without.statistics.digest == beside.statistics.digest);
  CHECK(without.statistics.digest == other.statistics.digest);   // only player a makes decisions
  const Played mine = played(once("policy p { weight one by 9\navoid two }\n"), {"a=p"});
  CHECK(mine.share("two") == 0);
  check_share(mine, "one", 9.0 / 14);
}

namespace {

// A game with cards that are played in two windows, and with a `choose`.
const std::string kCards = R"(game "Cards"
players 3
card type Item { worth: 1..4 }
card type Stuff: Item { plays to discard }
card Red: Stuff { play in main, sensible if score < 50 { score += this.worth } }
card Blue: Stuff { play in main (t in others) { score += 10 * (if t == first of others then 1 else 2) } }
card Green: Stuff { play in main or closing { score += 100 } }
deck Cards: Item into bag { each n in 1..4 { Red(worth: n), Blue(worth: n), Green(worth: n) } }
player { zone hand: owner }
table { zone bag: pile, facedown
  zone discard: pile, faceup
  zone shown: public
  score: 0..1000 = 0
  taken: 0..4 = 0 }
setup { shuffle bag
  each p in players { draw(p, 3) } }
event draw(p: player, n: int) { repeat n { move top of bag to p.hand } }
window closing { ask each of players or pass }
play { turns clockwise from first of players up to 3 {
  phase main { ask active or pass }
  open closing
  phase leave { active chooses c from active.hand "Which one goes?"; if c is not none { taken = c.worth
    move c to discard } }
} }
end when play is over "over" { winners players with most size(it.hand) }
)";

}   // namespace

TEST_CASE("policy: plays by kind, type and target, and choices by name", "[policies][jit]") {
  const std::string policy = R"(policy p {
  avoid play Red when score > 3
  weight play Blue(t) by 5 when t == first of players
  weight play Stuff by 2 when me.hand is not empty
  avoid play Green when during closing
  avoid choose c(x) when x is Green or x.worth == 4
  weight choose c(x) by x.worth
  weight choose c(Red) by 3
}
)";
  const Played uniform = played(kCards + policy, {}), all = played(kCards + policy, {"p"}),
               mixed = played(kCards + policy, {"uniform", "b=p", "c=sensible"});
  CHECK(uniform.statistics.digest != all.statistics.digest);
  CHECK(mixed.statistics.digest != all.statistics.digest);
  CHECK(mixed.statistics.digest != uniform.statistics.digest);
}

TEST_CASE("policy: the deal does not depend on the policy", "[policies]") {
  // Policies choose with the players' own random streams, not with the stream of the deal.
  const std::string policy = "policy p { weight play Red by 1000\navoid choose c(Red) }\n";
  const cardwright::TemporaryFolder folder;
  const Ruleset rules = Ruleset::load(folder.write("deal.rules", kCards + policy));
  const Game with = rules.compile({.policies = {"p"}}), without = rules.compile();
  CHECK(with.new_state(7, 3).hash() == without.new_state(7, 3).hash());
  CHECK(with.policies() == std::vector<std::pair<std::string, std::string>>{{"p", ""}});
  CHECK(without.policies().empty());
  CHECK(with.fingerprint() != without.fingerprint());
}

// In random play, hands grow forever: a player draws three cards for each card that leaves the hand.
TEST_CASE("policy: a game whose random play never ends is usable with a one-line policy", "[policies][jit]") {
  const std::string rules = R"(game "Heap"
players 2
card type Item { worth: 1..3 }
deck Cards: Item into heap { each n in 1..3: Item(worth: n) x 40 }
player { zone hand: owner }
table { zone heap: pile, facedown, refill from laid
  zone laid: pile, faceup }
setup { shuffle heap
  each p in players { repeat 5 { move top of heap to p.hand } } }
action lay in main { move first of me.hand to laid }
action draw_three in main when size(me.hand) < 30 { repeat 3 { move top of heap to me.hand } }
play { turns clockwise from first of players { phase main { ask active } } }
end when any p in players has p.hand is empty "A hand is empty" { winners players where it.hand is empty }
)";
  const cardwright::TemporaryFolder folder;
  const Ruleset endless = Ruleset::load(folder.write("heap.rules", rules)),
                ends = Ruleset::load(folder.write("ends.rules", rules + "policy lays { avoid draw_three }\n"));
  const Report report = endless.check();
  CHECK(report.text.find("W0013") != std::string::npos);
  CHECK(report.text.find("policy") != std::string::npos);
  const Game game = ends.compile({.policies = {"lays"}});
  const Statistics run = simulate(game, settings_for({"lays"}, 2, 200));
  CHECK(run.failures.empty());
  CHECK(run.games == 200);
  CHECK(run.lengths.most == 9);   // each player has five cards
}

TEST_CASE("policy: bots exclude options avoided by the policy for bots", "[policies][bots]") {
  const std::string rules = once("policy p for bots { avoid one, pick\navoid pass }\npolicy other { avoid two }\n");
  const cardwright::TemporaryFolder folder;
  const Ruleset loaded = Ruleset::load(folder.write("bots.rules", rules));
  const Game with = loaded.compile({.policies = {"bots"}}), without = loaded.compile();
  CHECK(with.policies() == std::vector<std::pair<std::string, std::string>>{{"p", ""}});
  const State one = with.new_state(1), other = without.new_state(1);
  CHECK(one.legal_count() == 7);   // people may take any option
  CHECK(detail::sensible_options(one.data()) == std::vector<std::int64_t>{one.legal()[1]});
  CHECK(detail::sensible_options(other.data()).size() == 7);
  BotSettings bot;
  bot.iterations = 20;
  CHECK(bot_choice(one, bot) == 1);
}

TEST_CASE("policy: real-time players don't wait, and don't begin avoided actions", "[policies][jit][races]") {
  const std::string rules = R"(game "Race"
players 2
card type Chip
deck Chips: Chip into bag { Chip x 9 }
player { zone hand: owner }
table { zone bag: public
  put_back: 0..99 = 0 }
setup { each p in players { move 3 random cards from bag to p.hand } }
window rush {
  ask all of players in real time until any p in players has p.hand is empty
  think 1 s
  patience 10 s
  after 60 s { end rush }
}
action lay(c: Chip in me.hand) in rush { move c to bag }
action take(c: Chip in bag) in rush { move c to me.hand; put_back += 1 }
play { open rush }
end when play is over and put_back > 0 "took" { winners nobody }
end when play is over { winners players with least size(it.hand) }
policy quick "Lays" { avoid take }
policy slow { weight take by 9 }
)";
  CHECK(played(rules, {"quick"}, 100).share("took") == 0);
  CHECK(played(rules, {"slow"}, 100).share("took") == 1);
  CHECK(played(rules, {"a=quick", "b=slow"}, 100).share("took") > 0.5);
  CHECK(played(rules, {"a=sensible"}, 100).statistics.games == 100);
}

TEST_CASE("policy: simultaneous decisions", "[policies][jit]") {
  const std::string rules = R"(game "Hands"
players 2
table { sum: 0..99 = 0 }
window show { ask all of players at once or pass }
action hold(n: 0..5) in show { sum += n }
play { open show }
end when play is over and sum == 10 "ten" { winners nobody }
end when play is over "other" { winners nobody }
policy five { avoid hold(n) when n < 5
  avoid pass }
policy heavy { weight hold(n) by 1000 when n == 5
  weight pass by 0
  weight hold(n) by 0 when n < 5 }
)";
  CHECK(played(rules, {"five"}).share("ten") == 1);
  CHECK(played(rules, {"heavy"}).share("ten") == 1);
  CHECK(played(rules, {"a=five", "b=heavy"}).share("ten") == 1);
}

TEST_CASE("policy: house rules add, replace and remove policies, and diff lists the changes", "[policies][diff]") {
  const cardwright::TemporaryFolder folder;
  const Ruleset base = Ruleset::load("crazy_eights"),
                house = Ruleset::load(folder.write("hoard.rules", R"(game "Hoard" extends crazy_eights
replace policy sheds "Holds its eights back" {
  avoid draw when any c in me.hand has fits(c)
  avoid play(c) when c.rank == eight
}
policy hoards "Would rather draw" {
  weight draw by 20
  weight choose s(x) by 0 when x == hearts
}
)")),
                none = Ruleset::load(
                    folder.write("none.rules", "game \"None\" extends crazy_eights\nremove policy sheds\n"));
  const auto differences = [&](const Ruleset& to) {
    std::string all;
    for (const Difference& d : diff(base, {}, to, {})) all += d.change + " " + d.kind + " " + d.name + "; ";
    return all;
  };
  CHECK(differences(house) == "replaced policy sheds; added policy hoards; ");
  CHECK(differences(none) == "removed policy sheds; ");
  const auto mean_length = [](const Ruleset& rules, const std::string& policy) {
    const Game game = rules.compile({.policies = {policy}});
    return simulate(game, settings_for({policy}, game.players(), 300)).lengths.mean;
  };
  CHECK(mean_length(base, "sheds") < mean_length(house, "hoards"));
  CHECK_THROWS_WITH(none.compile({.policies = {"sheds"}}), Catch::Matchers::Contains("None has no policy `sheds`"));
}

TEST_CASE("policy: an unknown policy is reported with the available ones", "[policies]") {
  const cardwright::TemporaryFolder folder;
  const Ruleset rules = Ruleset::load(folder.write("asked.rules", once("policy careful { avoid one }\n")));
  const auto refused = [&](const std::vector<std::string>& given, const std::vector<std::string>& compiled) {
    try {
      const Game game = rules.compile({.policies = compiled});
      simulate(game, settings_for(given, 2, 1));
    } catch (const Error& error) {
      CHECK(error.blame() == Blame::caller);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({"carful"}, {"carful"}) == "Once has no policy `carful`; did you mean `careful`?");
  CHECK(refused({"bold"}, {"bold"}) == "Once has no policy `bold`; it has `careful`");
  CHECK(refused({"careful"}, {}).find("compiled without policy `careful`") != std::string::npos);
  CHECK(refused({"careful"}, {"careful"}).empty());
}

// All other players have seen one card of each player. A policy that uses this knowledge always cuts the card that ends
// the game.
TEST_CASE("policy: a policy uses cards that its player has been shown", "[policies][jit]") {
  const std::string game = R"(game "Shown"
players 2
card type Wire { n: 1..3 }
deck Wires: Wire into box { each k in 1..3: Wire(n: k) x 2 }
player { area clip x 3 { zone at: slot, hidden } }
table { zone box: pile, facedown; zone cut: public }
setup {
  shuffle box
  each p in players {
    each k in p.clips {
      move top of box to k.at
      each q in players where q != p { peek card of k.at by q }
    }
  }
}
action snip(k: clip where owner != me and at is not empty) in main { move k.at to cut }
policy looks {
  weight snip(k) by 1000 when any c in k.at has me knows c and c.n == 1
  weight snip(k) by 0 when any c in k.at has me knows c and c.n == 3
}
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when any c in cut has c.n == 1 "one" { winners nobody }
end when any c in cut has c.n == 3 "three" { winners nobody }
end when play is over "another" { winners nobody }
)";
  const Played drawn = played(game, {});
  check_share(drawn, "three", 1.0 / 3);
  const Played shown = played(game, {"looks"});
  CHECK(shown.share("three") < 0.06);   // hardly ever cut, because its weight is 0
  CHECK(shown.share("one") > 0.7);   // cut whenever the other player has it
}

TEST_CASE("policies: with a guard, a policy may use cards that its player has been shown", "[policies]") {
  const cardwright::TemporaryFolder folder;
  const auto messages = [&](const std::string& policy) {
    const std::string path =
        folder.write("shown.rules",
                     "game \"Shown\"\nplayers 2..3\ncard type Thing { worth: 0..9 = 1 }\ncard Stone: Thing\n"
                     "deck Things: Thing into draw { Stone x 20 }\nplayer { zone hand: owner; got: 0..9 = 0 }\n"
                     "table { zone draw: pile, facedown; chief: player }\n"
                     "action hit(t in others) in main, once per turn { t.got = 1 }\n"
                     "action see(c: Thing in chief.hand) in main { reveal c }\n"
                     "setup { deal 3 from draw to each hand; chief = seat(1) }\n"
                     "play { turns clockwise from first of players up to 4 { phase main { ask active or pass } } }\n"
                     "end when play is over { winners players with most got }\npolicy p { " +
                         policy + " }\n");
    try {
      return Ruleset::load(path).check(Configuration{.players = 2, .options = {}}).text;
    } catch (const Error& error) {
      return error.report().text;
    }
  };
  const auto refused = [&](const std::string& policy) {
    const std::string text = messages(policy);
    INFO(policy << "\n" << text);
    CHECK(text.find("E0412") != std::string::npos);
  };
  const auto fine = [&](const std::string& policy) {
    INFO(policy);
    CHECK(messages(policy).find("error") == std::string::npos);
  };
  const std::string when = "weight hit(t) by 9 when ";
  refused(when + "any c in t.hand has c.worth == 9");
  fine(when + "any c in t.hand has me knows c and c.worth == 9");
  fine(when + "every c in t.hand has not (me knows c) or c.worth == 9");
  fine(when + "any c in t.hand has (if me knows c then c.worth == 9 else false)");
  fine(when + "sum of c.worth for c in (t.hand where me knows it) > 3");
  fine(when + "any c in t.hand has (me knows c and c.worth == 9) and c is Stone");
  fine(when + "me knows top of draw and (top of draw).worth == 9");
  refused(when + "me knows top of draw and (bottom of draw).worth == 9");
  refused(when + "t knows top of draw and (top of draw).worth == 9");
  refused(when + "me knows top of draw or (top of draw).worth == 9");
  // Rejected: a guard about another player, after the guarded condition, or negated.
  refused(when + "any c in t.hand has t knows c and c.worth == 9");
  refused(when + "any c in t.hand has c.worth == 9 and me knows c");
  refused(when + "any c in t.hand has me knows c or c.worth == 9");
  refused(when + "any c in t.hand has not (me knows c) and c.worth == 9");
  // The weight is evaluated only if `when` is true.
  fine("weight see(c) when me knows c by c.worth");
  refused("weight see(c) by c.worth");
}
