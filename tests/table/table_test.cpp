// Tests the table core without a socket: whole games of all rulesets through its messages, and
// each command that people can send.
#include <catch2/catch.hpp>

#include "cardwright/showing.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/table/people.h"

using namespace cardwright::api;
using cardwright::test::all_people;
using cardwright::test::Device;
using cardwright::test::Json;
using cardwright::test::People;

namespace {

Json things_now(const State& state, int observer) {
  Json out = Json::object();
  for (const Thing& thing : things(state, observer)) out[thing.key] = Json::parse(thing.value);
  return out;
}

}   // namespace

TEST_CASE("table: every ruleset can be played to its end through messages alone", "[table]") {
  for (const std::string& name : bundled_games()) {
    CAPTURE(name);
    const Game game = Ruleset::load(name).compile();
    People people(game, all_people(game, 5));
    const bool ended = people.play_to_end(6'000);
    CHECK((ended || name == "kill_shot"));   // random play in Kill Shot may exceed the limit of `play_to_end`
    for (int seat = 0; seat < game.players(); ++seat) {
      Device& device = people.device(static_cast<DeviceId>(seat + 1));
      CHECK((device.things[seat] == things_now(people.table().state(), seat)));
      if (!game.races()) CHECK(device.last("refused").is_null());
    }
    CHECK((people.device(100).things[-1] == things_now(people.table().state(), kSpectator)));
    const Table again(game, all_people(game, 5), people.journal(), 0);
    CHECK(again.state().hash() == people.table().state().hash());
    CHECK(again.state().decisions() == people.table().state().decisions());
  }
}

namespace {

Json choice_of(const Json& question, std::size_t option) {
  return {{"k", "choose"}, {"seat", question["seat"]}, {"q", question["q"]}, {"id", question["options"][option]["id"]}};
}

// Finds an open question and its device.
std::pair<DeviceId, Json> open_question(People& people) {
  for (int seat = 0; seat < people.table().game().players(); ++seat)
    if (Device& device = people.device(static_cast<DeviceId>(seat + 1)); device.asked.contains(seat))
      return {static_cast<DeviceId>(seat + 1), device.asked[seat]};
  return {0, nullptr};
}

TableSettings with_bots(const Game& game, std::uint64_t seed = 1) {
  TableSettings settings = all_people(game, seed);
  std::fill(settings.seats.begin() + 1, settings.seats.end(), SeatHolder::bot);
  return settings;
}

}   // namespace

TEST_CASE("table: a choice is taken once, however often it is sent", "[table]") {
  const Game game = Ruleset::load("hearts").compile();
  People people(game, all_people(game));
  const auto [id, question] = open_question(people);
  const Json choice = choice_of(question, 0);
  people.say(id, choice);
  const std::size_t entries = people.journal().size();
  const std::size_t steps = people.device(id).heard.size();
  people.say(id, choice);
  CHECK(people.journal().size() == entries);
  CHECK(people.device(id).heard.size() == steps + 1);
  CHECK(people.device(id).heard.back()["k"] == "taken");
  people.say(id, choice_of(question, 1));
  CHECK(people.device(id).heard.back()["because"] == "this question is no longer open");
  CHECK(people.journal().size() == entries);
}

TEST_CASE("table: every message of a device is answered, and no other device is affected", "[table]") {
  const Game game = Ruleset::load("splash").compile();
  People people(game, all_people(game));
  const std::uint64_t hash = people.table().state().hash();
  const auto [asked, question] = open_question(people);
  const DeviceId other = asked == 1 ? 2 : 1;
  const std::size_t heard = people.device(other).heard.size();
  for (const char* text : {"",
                           "{",
                           "[]",
                           "7",
                           "null",
                           "\"choose\"",
                           "{}",
                           R"({"k":7})",
                           R"({"k":"nothing"})",
                           R"({"k":"choose"})",
                           R"({"k":"choose","seat":-1,"q":1,"id":0})",
                           R"({"k":"choose","seat":99,"q":1,"id":0})",
                           R"({"k":"choose","seat":1e99,"q":1,"id":0})",
                           R"({"k":"act","seat":0,"id":-5})",
                           R"({"k":"why","seat":0})",
                           R"({"k":"at","seat":0,"step":-9223372036854775808})",
                           R"({"k":"undo","seat":0,"step":99})",
                           R"({"k":"ballot","kind":"again"})",
                           R"({"k":"vote","id":1,"yes":true})",
                           R"({"k":"sit","seat":0})",
                           R"({"k":"host","do":"close"})",
                           R"({"k":"design","do":"state"})",
                           "\xff\xfe",
                           R"({"k":"name","seat":3,"name":"x"})"}) {
    CAPTURE(text);
    People fresh(game, all_people(game));
    Device& device = fresh.device(2);
    const std::size_t before = device.heard.size();
    fresh.table().receive(2, text, fresh.now());
    fresh.deliver();
    REQUIRE(device.heard.size() == before + 1);
    CHECK(device.heard.back()["k"] == "refused");
    CHECK(!device.heard.back()["because"].get<std::string>().empty());
    CHECK(fresh.table().state().hash() == hash);
  }
  people.table().receive(asked, std::string(5000, ' '), people.now());
  people.deliver();
  CHECK(people.device(asked).heard.back()["because"] == "message too long: the limit is 4096 bytes");
  CHECK(people.device(other).heard.size() == heard);
  CHECK(people.table().state().hash() == hash);
}

TEST_CASE("table: in a simultaneous decision no device learns who has answered", "[table]") {
  const Game game = Ruleset::load("goofspiel").compile();
  People people(game, all_people(game));
  CHECK(people.device(1).asked.contains(0));
  CHECK(people.device(2).asked.contains(1));
  CHECK(people.device(1).last("view")["asked"]["all"] == true);
  const std::size_t others = people.device(1).heard.size(), watchers = people.device(100).heard.size();
  people.say(2, choice_of(people.device(2).asked[1], 3));   // the second player answers first
  CHECK(people.device(2).last("taken")["seat"] == 1);
  CHECK(people.device(1).heard.size() == others);
  CHECK(people.device(100).heard.size() == watchers);
  people.say(1, choice_of(people.device(1).asked[0], 0));
  CHECK(people.device(1).heard.size() > others + 1);
  CHECK(people.table().state().decisions() == 2);
}

TEST_CASE("table: a reconnecting device receives the missing messages, or everything", "[table]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2});
  People people(game, all_people(game));
  const std::int64_t step = people.device(1).steps[0];
  const Json things = people.device(1).things[0];
  people.table().disconnect(1, people.now());
  people.deliver();
  people.device(1).heard.clear();
  people.device(1).asked.clear();
  people.device(51);   // plays for both seats while device 1 is disconnected
  people.table().connect(51, {{0, 1}, false}, {}, people.now());
  people.deliver();
  for (int i = 0; i < 3; ++i) {
    const auto& asked = people.device(51).asked;
    people.say(51, choice_of(asked.contains(0) ? asked.at(0) : asked.at(1), 0));
  }
  people.table().disconnect(51, people.now());
  CHECK(people.device(1).last("step").is_null());
  people.table().connect(1, {{0}, true}, {people.device(1).run, {{0, step}}}, people.now());
  people.deliver();
  CHECK(people.device(1).last("view").is_null());
  CHECK((people.device(1).things[0] == things_now(people.table().state(), 0)));
  people.table().connect(1, {{0}, true}, {people.device(1).run, {{0, 10'000}}}, people.now());
  people.deliver();
  CHECK((people.device(1).last("view")["things"] == things_now(people.table().state(), 0)));
  people.device(1).heard.clear();
  people.table().connect(1, {{0}, true}, {"of another run", {{0, step}}}, people.now());
  people.deliver();
  CHECK_FALSE(people.device(1).last("view").is_null());
}

TEST_CASE("table: a reconnecting watcher receives no message twice", "[table]") {
  const Game game = Ruleset::load("tic_tac_toe").compile();
  People people(game, all_people(game));
  const std::int64_t step = people.device(100).steps[-1];
  people.table().disconnect(100, people.now());
  people.deliver();
  people.say(1, choice_of(people.device(1).asked[0], 4));
  people.device(100).heard.clear();
  people.table().connect(100, {}, {people.device(100).run, {{kSpectator, step}}}, people.now());
  people.deliver();
  const auto& heard = people.device(100).heard;
  CHECK(std::count_if(heard.begin(), heard.end(), [](const Json& one) { return one["k"] == "step"; }) == 1);
  CHECK(heard.front()["k"] == "welcome");
}

TEST_CASE("table: an unnoticed choice is undone directly, any other needs everyone's agreement", "[table][undo]") {
  const Game game = Ruleset::load("tic_tac_toe").compile();
  People people(game, all_people(game));
  const std::uint64_t before = people.table().state().hash();
  people.say(1, choice_of(people.device(1).asked[0], 4));
  people.say(1, {{"k", "undo"}, {"seat", 0}});
  const Json ballot = people.device(2).last("ballot");
  REQUIRE(ballot["kind"] == "undo");
  CHECK(ballot["text"] == "a asks to take back a choice");
  CHECK(people.table().state().hash() != before);
  people.say(2, {{"k", "vote"}, {"id", ballot["id"]}, {"yes", false}});
  CHECK(people.device(1).last("ballot")["result"] == false);
  people.say(1, {{"k", "undo"}, {"seat", 0}});
  people.say(2, {{"k", "vote"}, {"id", people.device(2).last("ballot")["id"]}, {"yes", true}});
  CHECK(people.table().state().hash() == before);
  CHECK((people.device(2).things[1] == things_now(people.table().state(), 1)));
  CHECK(people.device(1).asked.contains(0));
  const Table again(game, all_people(game), people.journal(), 0);
  CHECK(again.state().hash() == before);
}

TEST_CASE("table: a vote without answers fails", "[table][undo]") {
  const Game game = Ruleset::load("tic_tac_toe").compile();
  People people(game, all_people(game));
  people.say(1, choice_of(people.device(1).asked[0], 4));
  people.say(1, {{"k", "undo"}, {"seat", 0}});
  REQUIRE(people.table().next_due() > people.now());
  people.wait(31'000'000);
  CHECK(people.device(1).last("ballot")["result"] == false);
  CHECK(people.table().state().decisions() == 1);
}

TEST_CASE("table: drawing again after an undo gives a new random result", "[table][undo]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2});
  TableSettings settings = with_bots(game);
  People people(game, settings);
  const auto draws = [](const Json& option) { return option["words"].get<std::string>() == "Draw a card"; };
  std::set<std::string> drawn;
  for (int i = 0; i < 40 && drawn.size() < 3; ++i) {
    const Json question = people.device(1).asked[0], &options = question["options"];
    const auto draw = std::find_if(options.begin(), options.end(), draws);
    if (draw == options.end()) {
      REQUIRE(people.advance());
      continue;
    }
    const std::size_t heard = people.device(1).heard.size();
    people.say(1, choice_of(question, static_cast<std::size_t>(draw - options.begin())));
    for (std::size_t m = heard; m < people.device(1).heard.size(); ++m)
      for (const Json& news : people.device(1).heard[m].value("news", Json::array()))
        if (const std::string text = news["text"]; text.starts_with("a draws")) drawn.insert(text);
    people.say(1, {{"k", "undo"}, {"seat", 0}});
  }
  CHECK(drawn.size() >= 3);
  const Table again(game, settings, people.journal(), 0);
  CHECK(again.state().whole_hash() == people.table().state().whole_hash());
}

TEST_CASE("table: the past is shown as it was seen then", "[table]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2});
  People people(game, all_people(game));
  std::map<std::int64_t, Json> seen;
  for (int i = 0; i < 12; ++i) {
    seen[people.device(1).steps[0]] = people.device(1).things[0];
    REQUIRE(people.advance());
  }
  for (const auto& [step, things] : seen) {
    if (step == 0) continue;
    people.say(1, {{"k", "at"}, {"seat", 0}, {"step", step}});
    CHECK((people.device(1).last("past")["things"] == things));
    CHECK(people.device(1).last("past")["step"] == step);
  }
}

TEST_CASE("table: bots play, and a person can take a seat and leave it", "[table]") {
  const Game game = Ruleset::load("hearts").compile();
  TableSettings settings = with_bots(game);
  settings.seats.assign(1, SeatHolder::person);   // the others are open
  People people(game, settings);
  CHECK(people.play_to_end(20));
  CHECK(people.table().is_over());
  CHECK(people.device(1).last("over")["open"].is_object());
  People second(game, settings);
  second.say(100, {{"k", "sit"}, {"seat", 2}});
  CHECK(second.table().holder(2) == SeatHolder::person);
  CHECK(second.device(100).last("welcome")["you"]["seats"] == Json::array({2}));
  second.say(100, {{"k", "rise"}, {"seat", 2}});
  CHECK(second.table().holder(2) == SeatHolder::open);
  second.say(1, {{"k", "host"}, {"do", "bot"}, {"seat", 2}});
  CHECK(second.table().holder(2) == SeatHolder::bot);
  second.say(100, {{"k", "sit"}, {"seat", 2}});
  CHECK(second.device(100).last("refused")["because"] == "a bot has this seat; the host can open it");
}

TEST_CASE("table: a pause stops the table, and a restart begins another game", "[table]") {
  const Game game = Ruleset::load("tic_tac_toe").compile();
  People people(game, all_people(game));
  people.say(1, {{"k", "ballot"}, {"kind", "pause"}});
  people.say(2, {{"k", "vote"}, {"id", people.device(2).last("ballot")["id"]}, {"yes", true}});
  const Json question = people.device(1).asked[0];
  people.say(1, choice_of(question, 0));
  CHECK(people.device(1).last("refused")["because"] == "the game is paused");
  people.table().connect(1, {{0}, true}, {}, people.now());
  people.deliver();
  CHECK(people.device(1).last("paused")["paused"] == true);   // also sent on reconnection
  people.say(2, {{"k", "ballot"}, {"kind", "resume"}});
  people.say(1, {{"k", "vote"}, {"id", people.device(1).last("ballot")["id"]}, {"yes", true}});
  people.say(1, choice_of(question, 0));
  CHECK(people.table().state().decisions() == 1);
  REQUIRE(people.play_to_end());
  people.say(1, {{"k", "ballot"}, {"kind", "again"}});
  people.say(2, {{"k", "vote"}, {"id", people.device(2).last("ballot")["id"]}, {"yes", true}});
  CHECK_FALSE(people.table().is_over());
  CHECK(people.table().state().decisions() == 0);
  CHECK((people.device(2).things[1] == things_now(people.table().state(), 1)));
  const Table same(game, all_people(game), people.table().journal(), 0);   // the journal of the second game only
  CHECK(same.state().whole_hash() == people.table().state().whole_hash());
  REQUIRE(people.play_to_end());
}

TEST_CASE("table: a bot whose decision was interrupted by a pause is asked again", "[table]") {
  const Game game = Ruleset::load("connect_four").compile();
  TableSettings settings = with_bots(game);
  Table table(game, settings, 0);
  table.connect(1, {{0}, true}, {}, 0);
  Device me;
  const auto hear = [&] {
    for (const TableMessage& message : table.take().messages) me.read(Json::parse(*message.text));
  };
  hear();
  table.receive(1, choice_of(me.asked[0], 0).dump(), 0);
  std::vector<BotTask> tasks = table.take_tasks();
  REQUIRE(tasks.size() == 1);
  table.receive(1, R"({"k":"ballot","kind":"pause"})", 0);
  table.answer_task(tasks[0].number, 0, 0);
  CHECK(table.state().decisions() == 1);
  table.receive(1, R"({"k":"ballot","kind":"resume"})", 0);
  tasks = table.take_tasks();
  REQUIRE(tasks.size() == 1);
  table.answer_task(tasks[0].number, 0, 0);
  CHECK(table.state().decisions() == 2);
}

TEST_CASE("table: the clock also runs in simultaneous decisions", "[table]") {
  const Game game = Ruleset::load("goofspiel").compile();
  TableSettings settings = all_people(game);
  settings.seconds = 10;
  People people(game, settings);
  people.say(1, choice_of(people.device(1).asked[0], 0));
  CHECK(people.table().state().decisions() == 1);
  people.wait(10'000'000);
  CHECK(people.table().state().decisions() >= 2);
}

TEST_CASE("table: an expired clock answers for the player", "[table]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2});
  TableSettings settings = all_people(game);
  settings.seconds = 10;
  People people(game, settings);
  const auto [id, question] = open_question(people);
  CHECK(question["left"] == 10'000);
  people.wait(9'900'000);
  CHECK(people.table().state().decisions() == 0);
  people.wait(200'000);
  CHECK(people.table().state().decisions() >= 1);
  people.say(id, choice_of(question, 0));
  CHECK(people.device(id).last("refused")["because"] == "this question is no longer open");
}

TEST_CASE("table: people at one device answer one after the other", "[table][one_device]") {
  const Game game =
      Ruleset::load(cardwright::test::checkout("tests/rulesets/small/once.rules")).compile({.players = 3});
  TableSettings settings = all_people(game);
  settings.one_device = true;
  People people(game, settings);
  CHECK(people.device(1).asked.contains(0));
  CHECK_FALSE(people.device(2).asked.contains(1));
  people.wait(2'000'000);
  people.say(1, choice_of(people.device(1).asked[0], 0));   // `point` completes a's answer
  CHECK_FALSE(people.device(1).asked.contains(0));
  REQUIRE(people.device(2).asked.contains(1));
  CHECK_FALSE(people.device(3).asked.contains(2));
  CHECK(people.device(2).asked[1]["left"] == 6000);   // ms: b's time starts when b is asked
  REQUIRE(people.table().question(1));
  CHECK(people.table().question(1)->q == people.device(2).asked[1]["q"]);
  CHECK(people.table().question(1)->state.actor() == 1);
  CHECK_FALSE(people.table().question(0));
}

TEST_CASE("table: at one device a single option is also asked, and races do not run by the clock",
          "[table][one_device]") {
  const Game forced = Ruleset::load(cardwright::test::checkout("tests/cli/nothing.rules")).compile();
  TableSettings settings = all_people(forced);
  settings.one_device = true;
  People people(forced, settings);
  CHECK(people.device(3).asked.empty());
  people.say(1, choice_of(people.device(1).asked[0], 0));
  REQUIRE(people.device(3).asked.contains(2));   // c has one option
  CHECK(people.device(3).asked[2]["options"].size() == 1);
  people.say(3, choice_of(people.device(3).asked[2], 0));
  CHECK(people.table().is_over());
  const Game race =
      Ruleset::load(cardwright::test::checkout("tests/rulesets/small/race.rules")).compile({.players = 2});
  settings.seats = {SeatHolder::person, SeatHolder::person};
  CHECK(Table(race, settings, 0).state().live() == 0);
  settings.seats = {SeatHolder::person, SeatHolder::bot};
  CHECK(Table(race, settings, 0).state().live() == 1);
}

TEST_CASE("table: names are shown without control characters that change reading direction", "[table]") {
  const Game game = Ruleset::load("tic_tac_toe").compile();
  People people(game, all_people(game));
  people.say(
      1, {{"k", "name"}, {"seat", 0}, {"name", "  Ann\u202e\u200b\n\x07 Ö and a name that goes on for ever and ever"}});
  CHECK(people.device(2).last("people")["people"][0]["name"] == "Ann Ö and a name that");
}

TEST_CASE("table: new rules apply if all choices fit, otherwise the first mismatch is reported", "[table][reload]") {
  const Ruleset rules = Ruleset::load("crazy_eights");
  People people(rules.compile({.players = 2}), all_people(rules.compile({.players = 2})));
  for (int i = 0; i < 6; ++i) REQUIRE(people.advance());
  const std::int64_t decisions = people.table().state().decisions();
  CHECK_FALSE(people.table().reload(rules.compile({.players = 2, .plain = true}), people.now()));
  people.deliver();
  CHECK(people.device(1).last("rules")["ok"] == true);
  CHECK(people.table().state().decisions() == decisions);
  CHECK((people.device(1).things[0] == things_now(people.table().state(), 0)));
  REQUIRE(people.advance());
  const Game other = Ruleset::load("go_fish").compile({.players = 2});
  const auto stuck = people.table().reload(other, people.now());
  REQUIRE(stuck);
  CHECK(stuck->entry >= 1);
  CHECK(!stuck->because.empty());
  people.table().send_rules(false, "[]", stuck);
  people.deliver();
  CHECK(people.device(1).last("rules")["stuck"]["choice"] ==
        "a choice of " + Game::seat_name(stuck->seat));   // the option is omitted, because the host is also a player
  CHECK(people.device(2).last("rules")["stuck"].is_null());
  const Table again(rules.compile({.players = 2}), all_people(rules.compile({.players = 2})), people.journal(), 0);
  CHECK(again.state().hash() == people.table().state().hash());
}

TEST_CASE("table: designers see everything, undo freely and ask for a bot's opinion", "[table][design]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2});
  TableSettings settings = all_people(game);
  settings.design = true;
  People people(game, settings);
  people.say(1, {{"k", "design"}, {"do", "state"}});
  CHECK((people.device(1).last("everything")["things"] == things_now(people.table().state(), kEverything)));
  const auto [id, question] = open_question(people);
  people.say(1, {{"k", "design"}, {"do", "think"}, {"seat", question["seat"]}});
  CHECK(people.device(1).last("opinions")["options"].size() == question["options"].size());
  for (int i = 0; i < 4; ++i) REQUIRE(people.advance());
  people.say(1, {{"k", "design"}, {"do", "back"}, {"entry", 1}});
  CHECK(people.table().state().decisions() == 0);
  people.say(2, {{"k", "design"}, {"do", "state"}});
  CHECK(people.device(2).last("refused")["because"] == "this is not a designer table");
}

// A deciding bot stops the clock for a moment; an action during that time must not be rejected.
TEST_CASE("table: an action during a bot's decision is accepted afterwards", "[table][race]") {
  const Game game = Ruleset::load("panic_fire").compile();
  TableSettings settings = with_bots(game);
  Table table(game, settings, 0);
  table.connect(1, {{0}, true}, {}, 0);
  Device me;
  std::int64_t now = 0;
  const auto hear = [&] {
    for (const TableMessage& message : table.take().messages) me.read(Json::parse(*message.text));
  };
  int acted = 0, waited = 0;
  for (int i = 0; i < 400 && acted < 20; ++i) {
    std::vector<BotTask> tasks = table.take_tasks();
    hear();
    if (!tasks.empty() && table.state().race().open && me.asked.contains(0) && me.asked[0]["race"] == true) {
      ++waited;   // the bot is still thinking
      table.receive(1, Json{{"k", "act"}, {"seat", 0}, {"id", me.asked[0]["options"][0]["id"]}}.dump(), now);
      hear();
      const Json refused = me.last("refused");
      CHECK((refused.is_null() || refused["because"] != "no race is open"));
      ++acted;
    }
    for (const BotTask& task : tasks) {
      State state = task.state;
      table.answer_task(task.number, state.random_index(), now);
    }
    hear();
    if (me.asked.contains(0) && me.asked[0]["race"] == false) table.receive(1, choice_of(me.asked[0], 0).dump(), now);
    if (const std::int64_t due = table.next_due(); due >= 0) table.pass_time(now = std::max(now, due));
  }
  CHECK(waited > 0);
  CHECK_FALSE(me.last("taken").is_null());
}

TEST_CASE("table: an endless loop in the rules does not fill memory with messages", "[table]") {
  const Game game = Ruleset::load(cardwright::test::checkout("tests/rulesets/small/trap_long.rules")).compile();
  People people(game, all_people(game));
  while (!people.table().is_over()) {
    const auto [id, question] = open_question(people);
    const std::size_t last = question["options"].size() - 1;   // index of the option to pass
    people.say(id, choice_of(question, last > 1 ? 1 : 0));
  }
  const Json news = people.device(2).last("step")["news"];
  CHECK(news.size() > 9'000);
  CHECK(news.size() < 11'000);
  CHECK(news.back()["text"] == "… more happens at once than the log shows");
  CHECK(people.device(2).last("over")["failure"].is_string());
}
