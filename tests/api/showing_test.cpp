// Tests the data for web pages: game descriptions and views, which never reveal more than the observer knows.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "cardwright/showing.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/files.h"

using namespace cardwright::api;
using Json = nlohmann::json;

namespace {

bool alike(const OptionPart& a, const OptionPart& b) {
  return a.name == b.name && a.kind == b.kind && a.words == b.words && a.print == b.print && a.zones == b.zones &&
         a.prints == b.prints && a.cells == b.cells && a.piece == b.piece && a.value == b.value;
}
bool alike(const std::vector<OptionShown>& a, const std::vector<OptionShown>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const OptionShown& x, const OptionShown& y) {
    return x.action == y.action && std::equal(x.parts.begin(), x.parts.end(), y.parts.begin(), y.parts.end(),
                                              [](const auto& p, const auto& q) { return alike(p, q); });
  });
}

// Checks that an observer gets the same view of all states that the observer can't distinguish.
void check_shown(const State& state, int players, std::uint64_t seed) {
  for (int p = 0; p < players; ++p) {
    const State other = state.resample(p, seed);
    CHECK((things(state, p) == things(other, p)));
    CHECK((things(state, kSpectator) == things(other, kSpectator)));
    State mine = state, theirs = other;
    if (!mine.is_over() && mine.actor() == p && theirs.actor() == p)
      CHECK(alike(show_options(mine), show_options(theirs)));
  }
}

}   // namespace

TEST_CASE("showing: an observer gets the same view of indistinguishable states", "[showing]") {
  for (const std::string& name : bundled_games()) {
    const Ruleset rules = Ruleset::load(name);
    const Game game = rules.compile();
    CAPTURE(name);
    for (std::uint64_t index = 0; index < 2; ++index) {
      State state = game.new_state(7, index);
      for (int step = 0; step < 60 && !state.is_over(); ++step) {
        if (step % 6 == 0) check_shown(state, game.players(), index * 100 + static_cast<std::uint64_t>(step));
        state.apply(state.random_index());
      }
    }
  }
}

TEST_CASE("showing: a page can read every component of every game", "[showing]") {
  for (const std::string& name : bundled_games()) {
    const Game game = Ruleset::load(name).compile();
    const Json about = Json::parse(describe(game));
    CAPTURE(name);
    CHECK(about["seats"].size() == static_cast<std::size_t>(game.players()));
    State state = game.new_state(3);
    Log log(game);
    for (int step = 0; step < 200 && !state.is_over(); ++step) {
      if (step % 20 == 0)
        for (const int observer : {kSpectator, kEverything, 0})
          for (const Thing& thing : things(state, observer)) {
            const Json value = Json::parse(thing.value);
            if (thing.key[0] == 'z') {
              const Json& zone = about["zones"].at(std::stoul(thing.key.substr(1)));
              CHECK(value["cards"].size() <= value["n"]);
              for (const Json& print : value["cards"]) CHECK(print < about["prints"].size());
              if (observer == kEverything && !zone["ordered"]) CHECK(value["cards"].size() == value["n"]);
            }
            if (thing.key[0] == 'v') CHECK(about["variables"].at(std::stoul(thing.key.substr(1))).is_object());
            if (thing.key[0] == 'b' || thing.key[0] == 'g')
              CHECK(about["boards"].size() > std::stoul(thing.key.substr(1)));
          }
      for (const OptionShown& shown : show_options(state)) {
        REQUIRE(shown.action >= 0);
        CHECK(about["actions"].at(static_cast<std::size_t>(shown.action))["name"].is_string());
        for (const OptionPart& part : shown.parts)
          if (part.kind == OptionPart::Kind::card && part.print >= 0) CHECK(!part.zones.empty());
      }
      state.apply(state.random_index(), &log);
    }
    for (const News& one : news(log, 0, 0)) CHECK(!one.text.empty());
  }
}

TEST_CASE("showing: news reports moves as far as the observer knows them", "[showing]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2});
  Log log(game);
  const State state = game.new_state(1, 0, &log);
  const auto dealt_to = [&](int observer, int seat) {
    std::vector<int> prints;
    for (const News& one : news(log, observer, 0))
      if (one.kind == News::Kind::move &&
          Json::parse(describe(game))["zones"].at(static_cast<std::size_t>(one.to))["owner"] == seat)
        prints.insert(prints.end(), one.prints.begin(), one.prints.end());
    return prints;
  };
  const auto is_known = [](int print) { return print >= 0; };
  const std::vector<int> mine = dealt_to(0, 0), theirs = dealt_to(0, 1), seen = dealt_to(kSpectator, 0);
  CHECK(!mine.empty());
  CHECK(std::all_of(mine.begin(), mine.end(), is_known));
  CHECK(std::none_of(theirs.begin(), theirs.end(), is_known));
  CHECK(std::none_of(seen.begin(), seen.end(), is_known));
  CHECK(seen.size() == mine.size());
}

TEST_CASE("showing: a direction leads to a cell if the option has a starting cell or piece", "[showing]") {
  const cardwright::TemporaryFolder folder;
  const auto goals = [&](const std::string& rules) {
    const Game game = Ruleset::load(folder.write("steps.rules", rules)).compile();
    const State state = game.new_state(1);
    const Json cells = Json::parse(describe(game))["boards"][0]["cells"];
    std::vector<std::string> out;
    for (const OptionShown& option : show_options(state))
      for (const OptionPart& part : option.parts) {
        if (part.kind != OptionPart::Kind::direction) continue;
        const std::string to = part.cells.empty() ? "?" : cells[static_cast<std::size_t>(part.cells[0])];
        out.push_back(part.words + " " + to);
      }
    return out;
  };
  const auto game = [](const std::string& board, const std::string& action) {
    return "game \"Steps\"\nplayers 2\nuse std.grid on field\nboard field: grid 3 x 3" + board + "\n" + action +
           " in go { }\nplay { phase go { ask first of players } winners first of players }\n";
  };
  using All = std::vector<std::string>;
  CHECK(goals(game("", "action step(d: dir in [N, E], from: cell in [a1, c3] where it + d is not none)")) ==
        All{"N a2", "E b1"});
  CHECK(goals(game(" wraps across", "action stay in go { }\naction step(d: dir in [E], from: cell in [c3])")) ==
        All{"E a3"});
  CHECK(goals(game("\npiece hero, one per player on field\nsetup { place (first of players).hero at b2 }",
                   "action step(d: dir in [N, SW], h: hero in [me.hero])")) == All{"N b3", "SW a1"});
  CHECK(goals(game("", "action turn(d: dir in [N, E])")) == All{"N ?", "E ?"});   // no starting cell
}

TEST_CASE("showing: the description contains teams, areas, attributes and their owners", "[showing]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("areas.rules", R"(
game "Areas"
players 4
teams [1, 3], [2, 4]
enum Path {
  tall: 1..9
  low(tall: 3), high(tall: 7)
}
table { way: Path = low; rope: 0..9 per Path = 0 }
team { won: 0..9 = 0 }
area quay x 3 { load: 0..9 = 0 }
player { area pit x 2 { zone stones: public } }
turn var left: 0..2 = 2
action fill(q: quay, p: pit in me.pits) in go { q.load += 1; rope[way] += way.tall; left -= 1 }
play { phase go { ask first of players } winners first of players }
)"))
                        .compile();
  const Json about = Json::parse(describe(game));
  CHECK(about["teams"] == Json::parse("[[0, 2], [1, 3]]"));
  std::map<std::string, std::size_t> areas;
  for (const Json& area : about["areas"]) areas.emplace(area["name"], areas.size());
  CHECK(about["areas"][areas.at("quay")] == Json::parse(R"({"name": "quay", "parts": 3, "each": 0})"));
  CHECK(about["areas"][areas.at("pit")]["each"] == 2);
  CHECK(about["zones"][0]["area"] == areas.at("pit"));
  std::map<std::string, Json> variables;
  for (const Json& one : about["variables"])
    if (one.is_object()) variables.emplace(one["name"], one);
  CHECK(variables.at("load")["area"] == areas.at("quay"));
  CHECK(variables.at("won")["area"] == areas.at("team"));
  CHECK(variables.at("rope")["area"].is_null());
  CHECK(variables.at("left")["temporary"] == true);
  for (const Json& one : about["enums"])
    if (one["name"] == "Path") CHECK(one["attributes"] == Json::parse(R"([{"name": "tall", "values": [3, 7]}])"));
  const State state = game.new_state(1);
  const OptionShown shown = show_options(state).back();
  REQUIRE(shown.parts.size() == 2);
  CHECK(shown.parts[0].area == static_cast<int>(areas.at("quay")));
  CHECK(shown.parts[0].owner == -1);
  CHECK(shown.parts[0].index == 3);
  CHECK(shown.parts[1].owner == 0);
  CHECK(shown.parts[1].index == 2);
}

TEST_CASE("showing: a choice of cards refers only to zones from which the cards are chosen", "[showing]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("picking.rules", R"(
game "Picking"
players 2
card type Chip { n: 1..9 }
deck Chips: Chip into bag { Chip(n: 3) x 6 }
player { zone hand: owner; zone used: public; zone shown: public; kept: 0..9 = 0 }
table { zone bag: pile, faceup }
setup { deal 1 from bag to each hand; deal 1 from bag to each used; deal 1 from bag to each shown }
action take(c: Chip in me.used + me.shown) in go { me.kept += c.n }
action keep in go {
  me chooses cs: 1 cards from me.hand
  me chooses c from me.shown
}
play { phase go { ask first of players; ask first of players } winners first of players }
)"))
                        .compile();
  const Json zones = Json::parse(describe(game))["zones"];
  const auto meant = [&](const State& state, std::size_t option) {
    std::vector<std::string> out;
    const OptionShown shown = show_options(state)[option];
    for (const OptionPart& part : shown.parts)
      for (const int zone : part.zones) out.push_back(zones[static_cast<std::size_t>(zone)]["words"]);
    return out;
  };
  using All = std::vector<std::string>;
  State state = game.new_state(1);
  CHECK(meant(state, 0) == All{"used of a", "shown of a"});
  state.apply(1);
  CHECK(meant(state, 0) == All{"hand of a"});
  state.apply(0);
  CHECK(meant(state, 0) == All{"shown of a"});
}

TEST_CASE("showing: only observed_state.cpp decides what an observer sees", "[showing]") {
  for (const auto& file : std::filesystem::directory_iterator(cardwright::test::checkout("api/view"))) {
    const std::string name = file.path().filename().string();
    if (name == "observed_state.cpp" || name == "race_words.cpp") continue;   // the clock of a race is public
    const std::string text = cardwright::test::text_of(file.path().string());
    for (const char* read : {"knows_card", "knows_variable", ".bytes", "value_of_variable", "cards_in_zone"}) {
      CAPTURE(name, read);
      CHECK(text.find(read) == std::string::npos);
    }
  }
}

TEST_CASE("showing: a view does not reveal whether a secret variable has a value", "[showing]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("bids.rules", R"(
game "Bids"
players 2
player { bid: 1..9, secret; stakes: 1..9 per 1..2, secret }
setup { (first of players).bid = 4 }
play { winners nobody }
)"))
                        .compile();
  const State state = game.new_state(1);
  const auto line_of = [&](int observer, const std::string& seat) {
    for (const std::string& line : state.table_in_words(observer))
      if (line.starts_with(seat)) return line;
    return std::string();
  };
  CHECK(line_of(0, "a").find("bid 4") != std::string::npos);
  CHECK(line_of(0, "a").find("stakes") == std::string::npos);   // omitted, because its owner knows that it is unset
  CHECK(line_of(0, "b").find("bid ?; stakes 1-2 ?") != std::string::npos);
  CHECK(line_of(1, "a").find("bid ?; stakes 1-2 ?") != std::string::npos);
  CHECK(line_of(-1, "b").find("bid") == std::string::npos);
}

TEST_CASE("showing: every view shows an edge with the first constant of an enum", "[showing]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("fences.rules", R"(
game "Fences"
players 2
enum Paint { Red, Blue }
board field: grid 2 x 2 { shows paint }
table { paint: Paint? per edge = none }
setup { paint[a1.edge(E)] = Red }
play { winners nobody }
)"))
                        .compile();
  const State state = game.new_state(1);
  const Json edges = Json::parse(state.view(0))["boards"][0]["shows_on_edges"]["edges"];
  CHECK(edges == Json{{"a1|E", "Red"}});
  for (const Thing& thing : things(state, 0))
    if (thing.key == "g0") CHECK(Json::parse(thing.value)["edges"][0][1] == "Red");
  const auto lines = state.table_in_words(0);
  CHECK(std::ranges::any_of(lines, [](const auto& line) { return line.find("| and -: paint") != line.npos; }));
}

TEST_CASE("showing: a place that a player's piece refers to has the owner of the piece", "[showing]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("aims.rules", R"(
game "Aims"
players 2
board field: grid 3 x 3
piece hero, one per player on field { aim: cell? }
setup { (seat(2)).hero.aim = b2 }
play { winners nobody }
)"))
                        .compile();
  const State state = game.new_state(1);
  for (const Thing& thing : things(state, 0))
    if (thing.key == "b0") CHECK(Json::parse(thing.value)[0]["seat"] == 1);
  const auto lines = state.table_in_words(0);
  CHECK(std::ranges::any_of(lines, [](const auto& line) { return line.find("B: hero.aim of b") != line.npos; }));
}
