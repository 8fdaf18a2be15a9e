// Tests that docs/reference/protocol.md is complete. All bundled games are played, and each message of a table and its
// server is compared with the page: the page must describe all of its fields, a field without `?` must be present, and
// every described message must occur.
#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>

#include "cardwright/showing.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/running_server.h"
#include "tests/table/people.h"
#include "tests/table/protocol.h"

using namespace cardwright::api;
using namespace cardwright::test;
using cardwright::server::at_table;
using cardwright::server::Client;
using cardwright::server::key_in;

namespace {

void check_heard(Protocol& protocol, People& people) {
  for (DeviceId id = 1; id <= static_cast<DeviceId>(people.table().game().players()); ++id)
    for (const Json& message : people.device(id).heard) protocol.check_message(message);
  for (const Json& message : people.device(100).heard) protocol.check_message(message);
}

void play(Protocol& protocol, const Game& game, TableSettings settings, int most) {
  protocol.check_description(Json::parse(describe(game)));
  People people(game, std::move(settings));
  people.play_to_end(most);
  people.say(1, {{"k", "at"}, {"seat", 0}, {"step", 1}});
  people.say(1, {{"k", "why"}, {"seat", 0}, {"action", 0}});
  people.say(1, {{"k", "choose"}, {"seat", 0}, {"q", 9999}, {"id", 0}});
  check_heard(protocol, people);
}

// Exchanges the messages that no game causes by itself: votes, names, commands of designers, and changed rules.
void talk(Protocol& protocol) {
  const Ruleset rules = Ruleset::load("crazy_eights");
  const Game game = rules.compile({.players = 2});
  TableSettings settings = all_people(game);
  settings.design = true;
  settings.seconds = 10;
  People people(game, settings);
  people.say(1, {{"k", "design"}, {"do", "state"}});
  people.say(1, {{"k", "design"}, {"do", "think"}, {"seat", people.device(1).asked.contains(0) ? 0 : 1}});
  people.say(2, {{"k", "ballot"}, {"kind", "pause"}});
  people.say(1, {{"k", "vote"}, {"id", 1}, {"yes", true}});
  people.say(1, {{"k", "ballot"}, {"kind", "resume"}});
  people.say(2, {{"k", "vote"}, {"id", 2}, {"yes", true}});
  people.table().disconnect(2, people.now());
  people.say(1, {{"k", "ballot"}, {"kind", "bot"}, {"seat", 1}});
  people.table().receive(1, R"({"k":"name","seat":0,"name":"Anna"})", people.now(), 30'000);
  people.deliver();
  REQUIRE_FALSE(people.table().reload(rules.compile({.players = 2, .plain = true}), people.now()));
  while (people.table().state().decisions() < 4) REQUIRE(people.advance());
  const auto stuck = people.table().reload(Ruleset::load("go_fish").compile({.players = 2}), people.now());
  REQUIRE(stuck);
  people.table().send_rules(false, "[]", stuck);
  people.deliver();
  check_heard(protocol, people);
}

// Returns the names in the sources that match a regular expression.
std::set<std::string> found_in(const std::vector<std::string>& folders, const std::string& expression) {
  std::set<std::string> out;
  const std::regex pattern(expression);
  for (const std::string& folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(checkout(folder))) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = text_of(entry.path().string());
      for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) out.insert((*at)[1]);
    }
  return out;
}

std::string lines(const std::set<std::string>& all) {
  std::string out;
  for (const std::string& one : all) out += "\n" + one;
  return out;
}

}   // namespace

TEST_CASE("protocol: messages of tables match docs/reference/protocol.md", "[table][protocol]") {
  Protocol protocol;
  for (const std::string& name : bundled_games()) {
    CAPTURE(name);
    const Game game = Ruleset::load(name).compile();
    play(protocol, game, all_people(game, 5), 400);
  }
  for (const char* folder : {"tests/table/rules", "tests/rulesets/small"})
    for (const std::string& file : rules_in(checkout(folder))) {
      CAPTURE(file);
      const Game game = Ruleset::load(file).compile();
      play(protocol, game, all_people(game, 5), 60);
    }
  talk(protocol);

  RunningServer house;
  const auto links = house.table("tic_tac_toe", {SeatHolder::person, SeatHolder::open}, 1);
  house.start();
  Client host = at_table(house.port(), key_in(links.host)),
         guest = at_table(house.port(), key_in(links.seats.at(0).second), "127.0.0.2");
  REQUIRE(host.send({{"k", "host"}, {"do", "invite"}, {"seat", 1}}));
  for (const auto& [client, kind] : {std::pair{&host, "invitation"}, {&guest, "key"}, {&guest, "welcome"}}) {
    const auto message = client->until(kind);
    REQUIRE(message);
    protocol.check_message(*message);
  }
  house.stop();
  const auto bye = guest.until("bye");
  REQUIRE(bye);
  protocol.check_message(*bye);

  INFO("differs from docs/reference/protocol.md:" << lines(protocol.wrongs()));
  CHECK(protocol.wrongs().empty());
  INFO("in docs/reference/protocol.md but never sent:" << lines(protocol.unsent_fields()));
  CHECK(protocol.unsent_fields().empty());
}

TEST_CASE("protocol: the page names every kind of message and every field that is read", "[table][protocol]") {
  const Protocol protocol;
  std::set<std::string> kinds = protocol.kinds("From the table", "message");
  kinds.merge(protocol.kinds("News", "news"));
  CHECK(found_in({"api/table", "tools/server"}, R"re("k"(?:,|\] =) "(\w+)")re") == kinds);
  std::set<std::string> commands = found_in({"api/table"}, R"re(if \(kind == "(\w+)"\) return)re");
  commands.insert("hello");   // handled by the server
  CHECK(commands == protocol.kinds("From the client", "message"));
  std::set<std::string> fields = found_in(
      {"api/table"}, R"re((?:number\(message_,|text\(message_,|message_\.find\(|message_\.value\() ?"(\w+)")re");
  fields.merge(found_in({"tools/server"}, R"re(json\.find\("(\w+)"\))re"));
  fields.erase("k");
  CHECK(fields == protocol.fields("From the client", "message"));
}

TEST_CASE("protocol: undocumented messages are reported", "[table][protocol]") {
  const auto wrong = [](const char* message) {
    Protocol protocol;
    protocol.check_message(Json::parse(message));
    return lines(protocol.wrongs());
  };
  CHECK(wrong(R"({"k":"idle","seat":0,"q":1})").empty());
  CHECK(wrong(R"({"k":"hum"})") == "\nhum: there is no row `hum` in From the table/message");
  CHECK(wrong(R"({"k":"idle","seat":0})") == "\nidle: `q` is missing, and has no `?` in the page");
  CHECK(wrong(R"({"k":"idle","seat":0,"q":1,"x":2})") == "\nidle: `x` is sent, but not documented");
  CHECK(wrong(R"({"k":"everything","things":{"z1":{"n":2}}})") ==
        "\neverything.things z3: `cards` is missing, and has no `?` in the page");
  CHECK(wrong(R"({"k":"past","seat":0,"step":1,"things":{},"news":[{"k":"say"}],"of":1})") ==
        "\nnews say: `text` is missing, and has no `?` in the page");
  CHECK(Protocol().unsent_fields().contains("From the table/message over.failure"));
}
