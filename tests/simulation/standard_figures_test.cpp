// Tests the standard figures: recomputes them through the interface, and compares them with
// known values of constructed games.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cardwright/tools.hpp"

using namespace cardwright::api;
namespace fs = std::filesystem;

namespace {

// A game with cards that have no effect: players draw while they are in the game, each round may eliminate a player,
// and the last player wins. Therefore, drawing many cards correlates with winning.
const std::string kOutlive =
    "game \"Outlive\"\nplayers 4\ncard type Thing\ncard Stone: Thing\ncard Leaf: Thing\ncard Twig: Thing\n"
    "deck Cards: Thing into draw { Stone x 12 Leaf x 8 Twig }\n"
    "player { zone hand: owner }\ntable { zone draw: pile, facedown, refill from discard; zone discard: set, public }\n"
    "event draw(p: player) { move top of draw to p.hand }\n"
    "action keep in main { draw(me) }\naction drop(c in me.hand) in main { move c to discard; draw(me) }\n"
    "setup { shuffle draw; deal 2 from draw to each hand }\n"
    "play { turns clockwise from first of players up to 400 { phase main { ask active }\n"
    "  if roll 1..5 == 1 { eliminate random of players } } }\n"
    "end when size(players) == 1 { winners players }\nend when play is over { winners nobody }\n";

// Returns a game in which two players draw five of twenty cards; the higher roll wins, and the charm adds `more` to its
// owner's roll.
std::string charmed(int more) {
  return "game \"Charm\"\nplayers 2\ncard type Thing\ncard Charm: Thing\ncard Stone: Thing\n"
         "deck Cards: Thing into draw { Charm Stone x 19 }\nplayer { zone hand: owner; luck: 0..9999 = 0 }\n"
         "table { zone draw: pile, facedown }\naction take in main { move top of draw to me.hand }\n"
         "action take_too in main { move top of draw to me.hand }\n"
         "setup { shuffle draw }\nplay { turns clockwise from first of players up to 10 { phase main { ask active } }\n"
         "  each p in players { p.luck = roll 1..4000; if any c in p.hand has c is Charm { p.luck += " +
         std::to_string(more) + " } } }\nend when play is over { winners players with most it.luck }\n";
}

class Rules {
 public:
  explicit Rules(const std::string& text)
      : path_(fs::temp_directory_path() / fmt::format("cardwright-figures-{}-{}.rules", ::getpid(), next_++)) {
    std::ofstream(path_) << text;
  }
  ~Rules() { fs::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static inline int next_ = 0;
  fs::path path_;
};

Statistics counted(const std::string& game, std::uint64_t games, EngineKind engine = EngineKind::automatic,
                   int threads = 2) {
  return simulate(Ruleset::load(game).compile({.measures = {kFigures}}, engine),
                  {.games = games, .seed = 11, .threads = threads});
}

const CardFigure& card(const StandardFigures& figures, const std::string& name) {
  for (const CardFigure& c : figures.cards)
    if (c.name == name) return c;
  throw std::runtime_error("no card " + name);
}

}   // namespace

TEST_CASE("figures: offered and taken options equal those observed through the interface", "[figures]") {
  for (const char* name : {"crazy_eights", "splash", "hearts", "gin_rummy", "quickshot"}) {
    INFO(name);
    constexpr std::uint64_t kGames = 12;
    const Statistics with = counted(name, kGames, EngineKind::interpreter, 1);
    const Game game = Ruleset::load(name).compile();
    struct Seen {
      std::uint64_t offered = 0, taken = 0, games = 0;
    };
    std::map<std::string, Seen> seen;
    std::uint64_t decisions = 0, options = 0;
    for (std::uint64_t i = 0; i < kGames; ++i) {
      std::set<std::string> there;
      for (State state = game.new_state(11, i); !state.is_over();) {
        std::set<std::string> now;
        for (std::size_t o = 0; o < state.legal_count(); ++o) now.insert(state.option(o).action);
        for (const std::string& action : now) ++seen[action].offered;
        there.insert(now.begin(), now.end());
        if (state.legal_count() > 1) ++decisions, options += state.legal_count();
        const std::size_t choice = state.random_index();
        ++seen[state.option(choice).action].taken;
        state.apply(choice);
      }
      for (const std::string& action : there) ++seen[action].games;
    }
    REQUIRE(with.figures);
    CHECK(with.digest == simulate(game, {.games = kGames, .seed = 11}).digest);
    CHECK(with.figures->pace.decisions == decisions);
    CHECK(with.figures->pace.options.value() == Approx(double(options) / double(decisions)));
    std::map<std::string, Seen> reported;   // sums, because actions of several cards or windows may share a name
    for (const ActionFigure& a : with.figures->actions) {
      CHECK((a.rate.x == a.taken && a.rate.n == a.offered));
      reported[a.name].taken += a.taken;
      reported[a.name].offered += a.offered;
      if (!a.counted) reported[a.name].offered = ~std::uint64_t{0};
    }
    for (const auto& [action, its] : seen) {
      INFO(action);
      CHECK(reported[action].taken == its.taken);
      if (reported[action].offered != ~std::uint64_t{0}) CHECK(reported[action].offered >= its.offered);
    }
  }
}

TEST_CASE("figures: they depend on neither engine nor threads, and do not change the games", "[figures]") {
  const auto in_words = [](const Statistics& s) {
    std::string out;
    for (const ActionFigure& a : s.figures->actions)
      out += fmt::format("{} {} {} {}\n", a.name, a.offered, a.taken, a.games_without);
    for (const CardFigure& c : s.figures->cards)
      out += fmt::format("{} {} {} {} {} {} {:.6f} {:.6f} {:.6f}\n", c.name, c.drawn, c.taken, c.played, c.discarded,
                         c.held, c.turns_in_hand, c.effect, c.low);
    const PaceFigures& p = s.figures->pace;
    return out + fmt::format("{} {} {:.6f} {:.6f} {:.6f}", p.decisions, p.turns, p.per_turn.value(),
                             p.dead_turns.value(), p.waiting.value());
  };
  for (const std::string& name : {std::string("splash"), std::string("crazy_eights"), std::string("kill_shot"),
                                  std::string("panic_fire"), std::string("go_fish")}) {
    INFO(name);
    const Statistics one = counted(name, 60, EngineKind::interpreter, 1),
                     three = counted(name, 60, EngineKind::interpreter, 3);
    const Statistics none = simulate(Ruleset::load(name).compile(), {.games = 60, .seed = 11});
    CHECK(in_words(one) == in_words(three));
    CHECK(one.digest == none.digest);
    CHECK(!none.figures);
    if (jit_is_available()) CHECK(in_words(counted(name, 60, EngineKind::jit, 1)) == in_words(one));
  }
}

TEST_CASE("figures: cards without effect show no difference, although the winner draws more", "[figures]") {
  const Rules rules(kOutlive);
  const Statistics s = counted(rules.path(), 60'000);
  REQUIRE(s.failed == 0);
  for (const char* name : {"Stone", "Leaf", "Twig"}) {
    const CardFigure& c = card(*s.figures, name);
    INFO(name << ": " << c.effect << ", " << c.low << " to " << c.high);
    const double half = c.high - c.effect;
    CHECK(std::abs(c.effect) < 1.6 * half);   // about three standard errors
    CHECK(half < 0.01);
    CHECK(c.drawn > 10'000);
  }
}

TEST_CASE("figures: the effect of a card is not that of its layer in the pile", "[figures]") {
  // Weeds are only in the lower half of the pile, which players reach who survive long. No card has an effect.
  const Rules rules(
      "game \"Layers\"\nplayers 3\ncard type Thing\ncard Weed: Thing\ncard Leaf: Thing\n"
      "deck Upper: Thing into draw { Leaf x 12 }\ndeck Lower: Thing into low { Weed x 6 Leaf x 6 }\n"
      "player { zone hand: owner }\n"
      "table { zone draw: pile, facedown; zone low: pile, facedown }\n"
      "action drop(c in me.hand) in main { }\n"
      "setup { shuffle low; repeat 12 times { move top of low to bottom of draw } }\n"
      "play { turns clockwise from first of players up to 24 { move top of draw to active.hand\n"
      "  phase main { ask active }\n  if roll 1..6 == 1 { eliminate active } } }\n"
      "end when size(players) == 1 { winners players }\nend when play is over { winners nobody }\n");
  const Statistics s = counted(rules.path(), 60'000);
  REQUIRE(s.failed == 0);
  for (const char* name : {"Weed", "Leaf"}) {
    const CardFigure& c = card(*s.figures, name);
    INFO(name << ": " << c.effect << ", " << c.low << " to " << c.high);
    CHECK(std::abs(c.effect) < 1.6 * (c.high - c.effect));
    CHECK(c.high - c.effect < 0.01);
  }
}

TEST_CASE("figures: a known difference of three points is found", "[figures]") {
  const Rules rules(charmed(122));   // P(win) = 1/2 + d - d²/2 with d = 122/4000, which is 0.53
  const Statistics s = counted(rules.path(), 200'000);
  const CardFigure &charm = card(*s.figures, "Charm"), &stone = card(*s.figures, "Stone");
  INFO(charm.effect << ", " << charm.low << " to " << charm.high);
  CHECK(charm.low > 0);
  CHECK(std::abs(charm.effect - 0.03) < 0.008);
  CHECK(std::abs(stone.effect) < 0.004);
  const Rules none(charmed(0));
  const CardFigure nothing = card(*counted(none.path(), 200'000).figures, "Charm");
  CHECK(std::abs(nothing.effect) < 1.6 * (nothing.high - nothing.effect));
}

TEST_CASE("figures: open choices are counted separately, with their win rate", "[figures]") {
  // Players take turns choosing one of three cards in a row, and the owner of the crown wins. The cards that refill the
  // row are not chosen.
  const Rules rules(
      "game \"Row\"\nplayers 2\ncard type Thing\ncard Crown: Thing\ncard Stone: Thing\n"
      "deck Cards: Thing into draw { Crown Stone x 11 }\nplayer { zone hand: owner }\n"
      "table { zone draw: pile, facedown; zone row: set, public; zone gone: set, public }\n"
      "action take(c in row) in main { move c to me.hand; move top of draw to row; move top of draw to gone }\n"
      "setup { shuffle draw; repeat 3 { move top of draw to row } }\n"
      "play { turns clockwise from first of players up to 4 { phase main { ask active } } }\n"
      "end when play is over { winners (players where any c in it.hand has c is Crown) }\n");
  const Statistics s = counted(rules.path(), 4'000);
  REQUIRE(s.failed == 0);
  const CardFigure &crown = card(*s.figures, "Crown"), &stone = card(*s.figures, "Stone");
  CHECK(crown.held + stone.held == 16'000);
  CHECK(crown.chosen == crown.held);
  CHECK(stone.chosen < stone.held);   // taking a stone is not a choice if the row contains only stones
  CHECK(crown.chosen_wins == crown.chosen);
  CHECK(crown.chosen > 500);
  CHECK(stone.chosen_wins < stone.chosen / 2);
  CHECK(crown.drawn == 0);
  // Cards that are drawn face down or dealt by the rules are not chosen.
  CHECK(card(*counted(Rules(kOutlive).path(), 50).figures, "Stone").chosen == 0);
}

TEST_CASE("figures: rates have intervals with games as units", "[figures]") {
  const Rules rules(charmed(0));   // each of ten turns offers two actions, of which one is taken
  const Statistics few = counted(rules.path(), 400), many = counted(rules.path(), 40'000);
  const auto width = [](const Statistics& s) {
    const auto [low, high] = s.figures->actions.at(0).rate.interval();
    CHECK((low < 0.5 && high > 0.5));
    return high - low;
  };
  // The standard deviation of ten decisions with probability one half is sqrt(10) / 2; the interval extends 1.96
  // standard errors to each side.
  CHECK(width(few) == Approx(2 * 1.96 * std::sqrt(10) / 2 / 10 / std::sqrt(400)).epsilon(0.15));
  CHECK(width(many) == Approx(width(few) / 10).epsilon(0.15));
  CHECK(few.figures->pace.options.value() == 2);
  CHECK(few.figures->pace.own_per_turn.value() == 1);
  CHECK(few.figures->pace.dead_turns.value() == 0);
}

TEST_CASE("figures: tension shows when a game is decided", "[figures]") {
  const Rules rules(charmed(4'000));   // the owner of the charm wins
  const Game game = Ruleset::load(rules.path()).compile();
  TensionSettings settings{.games = 60, .seed = 3, .moments = 20, .playouts = 64, .threads = 1};
  const TensionFigures one = tension(game, settings);
  settings.threads = 3;
  const TensionFigures three = tension(game, settings);
  CHECK(one.lead_changes.value == three.lead_changes.value);
  CHECK(one.uncertainty == three.uncertainty);
  CHECK(one.games == 60);
  REQUIRE(one.uncertainty.size() == 10);
  CHECK(one.uncertainty.front() > 0.9);   // the charm is still in the draw pile
  CHECK(one.uncertainty.back() < one.uncertainty.front());
  CHECK(one.decided.value < 1);
}
