// Tests the server through real sockets: files and access to them, keys, a game, restarts, and attacks.
#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

#include "tools/server/limits.h"
#include "tests/server/full_disk.h"
#include "tests/server/trials.h"
#include "tests/support/running_server.h"

using namespace cardwright;
using namespace cardwright::test;
using api::SeatHolder;
using server::at_table;
using server::Client;
using server::HttpAnswer;
using server::Json;
using server::key_in;

namespace {

constexpr SeatHolder kOpen = SeatHolder::open, kBot = SeatHolder::bot, kPerson = SeatHolder::person;

// Takes the first option of every question until the game is over; returns the number of choices.
int play_first(Client& client) {
  int taken = 0;
  while (auto message = client.next()) {
    const std::string kind = (*message)["k"];
    if (kind == "ask")
      client.send({{"k", "choose"},
                   {"seat", (*message)["seat"]},
                   {"q", (*message)["q"]},
                   {"id", (*message)["options"][0]["id"]}});
    if (kind == "taken") ++taken;
    if (kind == "refused") FAIL(message->dump());
    if (kind == "over") return taken;
  }
  FAIL("the game did not end");
  return taken;
}

std::string host_of(const RunningServer& house) { return "127.0.0.1:" + std::to_string(house.port()); }

// Returns a different loopback address each time, as if a client connected from another machine.
std::string fresh_address() {
  static int count = 0;
  ++count;
  return "127.1." + std::to_string(count / 250) + "." + std::to_string(1 + count % 250);
}

// An open table for two players: the host has seat a, and seat b is open.
struct HostedTable : RunningServer {
  HostedTable() { start(); }
  Client comes(const std::string& link) const { return at_table(port(), key_in(link), fresh_address()); }
  const server::TableLinks links = table("tic_tac_toe", {kPerson, kOpen}, 1);
};

}   // namespace

TEST_CASE("serve: files have their security policies, and other files are not served", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("tic_tac_toe", {kOpen, kBot});
  house.start();
  Client client(house.port(), fresh_address());
  const HttpAnswer page = client.get("/");
  CHECK(page.status == 200);
  CHECK(page.body == "/* table.html */");
  CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
  const std::string policy = page.header("Content-Security-Policy");
  CHECK(policy.find("default-src 'none'; script-src 'self'; style-src 'self'") == 0);
  CHECK(policy.find("frame-ancestors 'none'") != std::string::npos);
  CHECK(policy.find("unsafe") == std::string::npos);
  CHECK(page.header("X-Content-Type-Options") == "nosniff");
  CHECK(page.header("Referrer-Policy") == "no-referrer");
  CHECK(page.header("Set-Cookie").empty());
  CHECK(client.get("/", "If-None-Match: " + page.header("ETag") + "\r\n").status == 304);
  CHECK(client.get("/table.js", "Accept-Encoding: br, gzip\r\n").header("Content-Encoding") == "gzip");
  CHECK(client.ask("HEAD /table.css HTTP/1.1\r\nHost: " + host_of(house) + "\r\n\r\n").status == 200);
  CHECK(client.get("/table.html").status == 404);   // the error closes the connection

  const auto status = [&](const std::string& request) {
    return Client(house.port(), fresh_address()).ask(request).status;
  };
  const std::string end = "\r\nHost: " + host_of(house) + "\r\n\r\n";
  CHECK(status("GET /../etc/passwd HTTP/1.1" + end) == 404);
  CHECK(status("GET /r/0123.json HTTP/1.1" + end) == 404);
  CHECK(status("POST / HTTP/1.1" + end) == 405);
  CHECK(status("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n") == 421);
  CHECK(status("GET / HTTP/1.1\r\n\r\n") == 421);
  CHECK(status("GET / HTTP/1.1\r\nHost: " + host_of(house) + "\r\nX: " + std::string(9000, 'x') + "\r\n\r\n") == 400);
  CHECK(status("\x16\x03\x01 what is this\r\n\r\n") == 400);

  Client guest = at_table(house.port(), key_in(table.watch), fresh_address());
  const std::string hash = (*guest.until("welcome"))["rules"];
  const HttpAnswer rules = Client(house.port(), fresh_address()).get("/r/" + hash + ".json");
  CHECK(rules.status == 200);
  CHECK(Json::parse(rules.body)["title"] == "Tic-tac-toe");
  CHECK(rules.header("Cache-Control").find("immutable") != std::string::npos);
}

TEST_CASE("serve: a socket accepts only our own page and a valid key", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("tic_tac_toe", {kOpen, kBot});
  house.start();
  const std::string host = host_of(house), own = "http://" + host;
  const auto upgrade = [&](const std::string& origin, const std::string& to,
                           const std::string& protocol = "cardwright.1") {
    return Client(house.port(), fresh_address()).upgrade(origin, to, protocol);
  };
  CHECK(upgrade(own, host) == 101);
  CHECK(upgrade("", host) == 403);
  CHECK(upgrade("null", host) == 403);
  CHECK(upgrade("http://evil.example", host) == 403);
  CHECK(upgrade("http://evil.example", "evil.example") == 421);
  CHECK(upgrade(own, host, "") == 400);
  CHECK(upgrade(own, host, "cardwright.2") == 400);
  CHECK(upgrade(own, host, "cardwright.2, cardwright.1") == 101);

  for (const std::string& key : {std::string(), std::string("x"), std::string(22, 'A'), key_in(table.host).substr(1)}) {
    Client stranger = at_table(house.port(), key, fresh_address());
    const auto bye = stranger.until("bye");
    REQUIRE(bye);
    CHECK((*bye)["again"] == false);
    CHECK(!stranger.next());
  }
  Client early(house.port(), fresh_address());
  REQUIRE(early.upgrade() == 101);
  early.send({{"k", "choose"}, {"seat", 0}, {"q", 1}, {"id", 0}});
  CHECK(early.until("bye"));
  CHECK(!early.next());
  CHECK(early.close_code() == 1008);
}

TEST_CASE("serve: an invitation works once, and its key is valid until it is revoked", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("tic_tac_toe", {kPerson, kOpen}, 1);
  REQUIRE(table.seats.size() == 1);
  house.start();
  const std::string invitation = key_in(table.seats[0].second);
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  CHECK((*host.until("welcome"))["you"] == Json{{"seats", Json::array({0})}, {"host", true}});

  Client lost = at_table(house.port(), invitation, fresh_address());
  const std::string lost_key = (*lost.until("key"))["key"];
  lost.drop();   // the client has not confirmed its new key, so the invitation stays valid
  Client guest = at_table(house.port(), invitation, fresh_address());
  const auto first = guest.next();
  REQUIRE(first);
  CHECK((*first)["k"] == "key");   // the key precedes all other messages
  const std::string own = (*first)["key"];
  CHECK((*guest.until("welcome"))["you"] == Json{{"seats", Json::array({1})}, {"host", false}});
  CHECK(at_table(house.port(), lost_key, fresh_address()).until("bye"));
  while (guest.next(300)) {
  }   // the answered ping confirms that the client has the key
  CHECK((*at_table(house.port(), invitation, fresh_address()).until("bye"))["again"] == false);

  guest.drop();
  Client back = at_table(house.port(), own, fresh_address());
  CHECK((*back.until("welcome"))["you"] == Json{{"seats", Json::array({1})}, {"host", false}});
  back.send({{"k", "host"}, {"do", "revoke"}, {"seat", 1}});
  CHECK(back.until("refused"));   // only the host may do this
  host.send({{"k", "host"}, {"do", "revoke"}, {"seat", 1}});
  CHECK((*back.until("bye"))["again"] == false);
  CHECK(at_table(house.port(), own, fresh_address()).until("bye"));

  host.send({{"k", "host"}, {"do", "invite"}, {"seat", 1}});
  const auto another = host.until("invitation");
  REQUIRE(another);
  CHECK((*another)["seat"] == 1);
  Client next = at_table(house.port(), key_in((*another)["link"]), fresh_address());
  CHECK((*next.until("welcome"))["you"]["seats"] == Json::array({1}));

  Client watcher = at_table(house.port(), key_in(table.watch), fresh_address());
  CHECK((*watcher.until("welcome"))["you"] == Json{{"seats", Json::array()}, {"host", false}});
  host.send({{"k", "host"}, {"do", "revoke"}});
  CHECK(watcher.until("bye"));
  CHECK(at_table(house.port(), key_in(table.watch), fresh_address()).until("bye"));
  host.send({{"k", "host"}, {"do", "invite"}});
  const auto to_watch = host.until("invitation");
  REQUIRE(to_watch);
  CHECK((*to_watch)["seat"].is_null());
  CHECK(at_table(house.port(), key_in((*to_watch)["link"]), fresh_address()).until("welcome"));
}

TEST_CASE("serve: sitting down or standing up changes the seat permanently", "[serve]") {
  HostedTable house;
  Client guest = house.comes(house.links.watch);
  guest.until("welcome");
  guest.send({{"k", "sit"}, {"seat", 1}});
  const auto key = guest.until("key");
  REQUIRE(key);
  guest.drop();
  Client back = at_table(house.port(), (*key)["key"], fresh_address());
  CHECK((*back.until("welcome"))["you"]["seats"] == Json::array({1}));
  back.send({{"k", "rise"}, {"seat", 1}});
  back.until("welcome");
  back.drop();
  Client again = at_table(house.port(), (*key)["key"], fresh_address());
  CHECK((*again.until("welcome"))["you"]["seats"] == Json::array());
}

TEST_CASE("serve: an invitation for a taken seat is invalid", "[serve]") {
  HostedTable house;
  Client guest = house.comes(house.links.watch);
  guest.until("welcome");
  guest.send({{"k", "sit"}, {"seat", 1}});
  REQUIRE(guest.until("key"));
  CHECK((*house.comes(house.links.seats[0].second).until("bye"))["again"] == false);
  guest.send({{"k", "name"}, {"seat", 1}, {"name", "Anna"}});
  CHECK(guest.until("people"));   // the seated guest is not disturbed
}

TEST_CASE("serve: two devices of one person may sit at two seats", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("hearts", {kPerson, kOpen, kOpen, kOpen}, 1);
  house.start();
  const auto comes = [&](const std::string& key) { return at_table(house.port(), key, fresh_address()); };
  Client first = comes(key_in(table.watch));
  first.until("welcome");
  first.send({{"k", "sit"}, {"seat", 1}});
  const std::string key = (*first.until("key"))["key"];
  first.until("welcome");
  first.send({{"k", "rise"}, {"seat", 1}});
  first.until("welcome");
  Client second = comes(key);
  second.until("welcome");
  for (const int seat : {1, 2}) {
    Client& one = seat == 1 ? first : second;
    one.send({{"k", "sit"}, {"seat", seat}});
    CHECK((*one.until("welcome"))["you"]["seats"] == Json::array({seat}));
  }
  CHECK((*comes(key).until("welcome"))["you"]["seats"] == Json::array({1, 2}));
}

TEST_CASE("serve: a client that says hello during shutdown is asked to reconnect", "[serve]") {
  HostedTable house;
  Client late(house.port(), fresh_address());
  REQUIRE(late.upgrade() == 101);
  std::thread ends([&] { house.stop(); });   // waits for the connected client
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  late.send({{"k", "hello"}, {"key", key_in(house.links.host)}});
  const auto bye = late.until("bye");
  ends.join();
  REQUIRE(bye);
  CHECK((*bye)["again"] == true);
}

TEST_CASE("serve: two play to the end, a third watches, and everything is restored after a restart", "[serve]") {
  HostedTable house;
  Client host = house.comes(house.links.host);
  Client guest = house.comes(house.links.seats[0].second);
  Client watcher = house.comes(house.links.watch);
  watcher.until("welcome");
  const std::string own = (*guest.until("key"))["key"];
  guest.send({{"k", "name"}, {"seat", 1}, {"name", "Anna"}});
  guest.until("people");
  host.send({{"k", "host"}, {"do", "start"}});
  int of_host = 0;
  std::thread other([&] { of_host = play_first(host); });
  const int of_guest = play_first(guest);
  other.join();
  CHECK(of_host + of_guest >= 5);
  CHECK(watcher.until("over"));
  guest.drop();
  const Json before = [&] {
    Client one = at_table(house.port(), own, fresh_address());
    return (*one.until("view"))["things"];
  }();
  house.stop();
  const auto bye = host.until("bye");
  REQUIRE(bye);
  CHECK((*bye)["again"] == true);

  house.again();
  const auto stored_tables = house.server().stored_tables();
  REQUIRE(stored_tables.size() == 1);
  CHECK(stored_tables[0].over);
  const server::TableLinks fresh = house.table("tic_tac_toe", {kPerson, kOpen}, 1);
  CHECK(!fresh.came_back);   // the restored table is finished
  house.start();
  Client one = at_table(house.port(), own, fresh_address());
  CHECK((*one.until("welcome"))["people"][1]["name"] == "Anna");
  CHECK((*one.until("view"))["things"] == before);
}

TEST_CASE("serve: a table in progress is restored if the same game is requested", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("tic_tac_toe", {kPerson, kOpen}, 1);
  CHECK(!table.came_back);
  CHECK(house.table("tic_tac_toe", {kPerson, kOpen}, 1).id != table.id);   // twice in one command: two tables
  house.again();
  CHECK(house.table("tic_tac_toe", {kPerson, kOpen}, 1).came_back);
  api::TableSettings slow;
  slow.time_factor = 3;
  CHECK(!house.table("tic_tac_toe", {kPerson, kOpen}, 1, slow).came_back);
  CHECK(house.server().stored_tables().size() == 3);
  house.again();
  for (const server::StoredTable& stored : house.server().stored_tables()) CHECK(!stored.open);
  const server::TableLinks back = house.table("tic_tac_toe", {kPerson, kOpen}, 1, slow);
  CHECK(back.came_back);
  for (const server::StoredTable& stored : house.server().stored_tables()) CHECK(stored.open);
  house.start();
  // An old link is still valid.
  CHECK((*at_table(house.port(), key_in(table.host), fresh_address()).until("welcome"))["you"]["host"] == true);
  Client fresh = at_table(house.port(), key_in(back.host), fresh_address());
  CHECK((*fresh.until("welcome"))["you"]["seats"] == Json::array({0}));
}

TEST_CASE("serve: a restored table must match the requested settings, including zeros", "[serve]") {
  RunningServer house;
  server::TableWish wish{"tic_tac_toe", {2}};
  const auto opens = [&](const auto& change) {
    house.again();
    server::TableWish changed = wish;
    change(changed);
    return house.server().table(changed);
  };
  const auto seeded = [](std::uint64_t seed) { return [seed](server::TableWish& wished) { wished.seed = seed; }; };
  CHECK(!opens(seeded(7)).came_back);
  CHECK(!opens(seeded(0)).came_back);
  CHECK(opens(seeded(0)).came_back);
  CHECK(opens(seeded(7)).came_back);
  const auto starts = [](server::TableWish& wished) { wished.settings.started = true; };
  CHECK(!opens(starts).came_back);
  CHECK(opens(starts).came_back);
  CHECK(opens([](server::TableWish&) {}).came_back);
}

TEST_CASE("serve: the order of options does not matter for a table", "[serve]") {
  RunningServer house;
  using Options = std::vector<std::pair<std::string, std::string>>;
  const auto opens = [&](const Options& options) {
    house.again();
    return house.server().table({"quickshot", {0, options}});
  };
  CHECK(!opens({{"mode", "longshot"}, {"edition", "wild"}}).came_back);
  CHECK(opens({{"edition", "wild"}, {"mode", "longshot"}}).came_back);
  CHECK(!opens({{"edition", "wild"}}).came_back);
}

TEST_CASE("serve: bots play at empty seats", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("kuhn_poker", {kPerson, kBot}, 1);
  house.start();
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  host.send({{"k", "host"}, {"do", "start"}});
  CHECK(play_first(host) >= 1);
}

TEST_CASE("serve: an edit of the rules updates the table, or shows its message", "[serve]") {
  RunningServer house;
  const auto rules = [](const char* word) {
    return std::string("game \"Counting\"\nplayers 2\ntable { t: 0..9 = 0 }\naction ") + word +
           " in say { t = t + 1 }\naction rest in say { t = t }\nplay { repeat 4 { phase say { ask first of players } "
           "} "
           "winners first of players }\n";
  };
  const std::string path = house.folder().write("count.rules", rules("count"));
  const server::TableLinks table = house.table(path, {kPerson, kBot}, 1);
  house.start();
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  host.send({{"k", "host"}, {"do", "start"}});
  const auto ask = host.until("ask");
  REQUIRE(ask);
  CHECK((*ask)["options"].size() == 2);
  house.folder().write("count.rules", "game \"Counting\"\nplayers 2\nnonsense");
  const auto wrong = host.until("rules");
  REQUIRE(wrong);
  CHECK((*wrong)["ok"] == false);
  CHECK((*wrong)["report"][0]["line"] == 3);
  house.folder().write("count.rules", rules("tally"));
  const auto right = host.until("rules");
  REQUIRE(right);
  CHECK((*right)["ok"] == true);
  CHECK(Client(house.port(), fresh_address()).get("/r/" + (*right)["rules"].get<std::string>() + ".json").status ==
        200);
  CHECK((*host.until("ask"))["options"].dump().find("tally") != std::string::npos);
}

TEST_CASE("serve: an error in a newly used file can be fixed in that file", "[serve]") {
  RunningServer house;
  const auto rules = [](const std::string& uses, const std::string& enough) {
    return "game \"Counting\"\n" + uses + "players 2\ntable { t: 0..9 = 0 }\naction count in say { t = t + 1 }\n" +
           "action rest in say { t = t }\nplay { repeat " + enough +
           " { phase say { ask first of players } } winners first of players }\n";
  };
  const std::string path = house.folder().write("count.rules", rules("", "4"));
  const server::TableLinks table = house.table(path, {kPerson, kBot}, 1);
  house.start();
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  host.send({{"k", "host"}, {"do", "start"}});
  REQUIRE(host.until("ask"));
  const auto is_fine = [&](const std::string& file, const std::string& text) {
    house.folder().write(file, text);
    const auto message = host.until("rules");
    REQUIRE(message);
    return (*message)["ok"].get<bool>();
  };
  CHECK(!is_fine("count.rules", rules("use extra\n", "enough")));   // extra.rules does not exist
  CHECK(!is_fine("extra.rules", "library nonsense nonsense"));   // a syntax error
  CHECK(!is_fine("extra.rules", "library extra\nlet enough = nothing_such\n"));   // an unknown name
  CHECK(is_fine("extra.rules", "library extra\nlet enough = 4\n"));
}

TEST_CASE("serve: rules that changed while no server ran apply to choices that still fit", "[serve]") {
  RunningServer house;
  const auto rules = [](const char* first, const char* second) {
    return std::string("game \"Counting\"\nplayers 2\ntable { t: 0..9 = 0 }\n") + first + " in say { t = t + 1 }\n" +
           second +
           " in say { t = t }\nplay { repeat 6 { phase say { ask first of players } } winners first of players }\n";
  };
  const std::string path = house.folder().write("count.rules", rules("action count", "action rest"));
  const server::TableLinks table = house.table(path, {kPerson, kBot}, 1);
  house.start();
  {
    Client host = at_table(house.port(), key_in(table.host), fresh_address());
    host.send({{"k", "host"}, {"do", "start"}});
    const auto ask = host.until("ask");
    REQUIRE(ask);
    host.send({{"k", "choose"}, {"seat", 0}, {"q", (*ask)["q"]}, {"id", (*ask)["options"][0]["id"]}});
    REQUIRE(host.until("taken"));
  }
  const auto table_of = [&](const std::string& text) {
    house.folder().write("count.rules", text);
    house.again();
    house.table(path, {kPerson, kBot}, 1);
    house.start();
    return at_table(house.port(), key_in(table.host), fresh_address());
  };
  // The options now have other ids, but the same names.
  const auto view = table_of(rules("action rest", "action count")).until("view");
  REQUIRE(view);
  const auto bye = table_of(rules("action rest", "action tally")).until("bye");
  REQUIRE(bye);
  CHECK((*bye)["because"].get<std::string>().find("count") == std::string::npos);   // the choice may be secret
  REQUIRE(house.messages().size() == 1);
  CHECK(house.messages()[0].find("count") != std::string::npos);
  CHECK(table_of(rules("action count", "action rest")).until("view"));   // the stored choices still exist
}

TEST_CASE("serve: a choice that can't be stored is not shown, and the table is restored", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("tic_tac_toe", {kPerson, kPerson}, 3);
  house.start();
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  host.send({{"k", "host"}, {"do", "start"}});
  const auto ask = host.until("ask");
  REQUIRE(ask);
  const Json choice{{"k", "choose"}, {"seat", (*ask)["seat"]}, {"q", (*ask)["q"]}, {"id", (*ask)["options"][0]["id"]}};
  std::optional<Json> message;
  {
    const FullDisk full;
    host.send(choice);
    while ((message = host.next()) && (*message)["k"] != "bye") CHECK((*message)["k"] != "taken");
  }
  REQUIRE(message);
  CHECK((*message)["again"] == true);
  CHECK(house.messages().size() == 1);
  Client back = at_table(house.port(), key_in(table.host), fresh_address());
  const auto asked = back.until("ask");
  REQUIRE(asked);
  CHECK((*asked)["options"].size() == 9);   // the choice is not applied
}

TEST_CASE("serve: a flood is rejected once, then the connection is closed, and others are unaffected", "[serve]") {
  HostedTable house;
  Client host = house.comes(house.links.host);
  host.until("welcome");
  Client flood = house.comes(house.links.watch);
  flood.until("people");
  for (int i = 0; i < 300; ++i) flood.send({{"k", "at"}, {"seat", nullptr}, {"step", 1}});
  int too_many = 0;
  while (auto message = flood.next())
    if (message->dump().find("too many messages") != std::string::npos) ++too_many;
  CHECK(too_many == 2);   // one `refused`, and the reason in `bye`
  CHECK(flood.close_code() == 1008);
  host.send({{"k", "name"}, {"seat", 0}, {"name", "still here"}});
  while (auto people = host.until("people"))
    if ((*people)["people"][0]["name"] == "still here") return;
  FAIL("the host was not heard");
}

TEST_CASE("serve: an address has a limited number of connections", "[serve]") {
  RunningServer house;
  house.start();
  const std::string from = fresh_address();
  std::vector<Client> all;
  int good = 0;
  for (int i = 0; i < 25; ++i) {
    all.emplace_back(house.port(), from);
    good += all.back().get("/").status == 200;
  }
  CHECK(good == 20);
  CHECK(all.back().is_open());
  CHECK(Client(house.port(), fresh_address()).get("/").status == 200);
}

TEST_CASE("serve: behind a proxy an address has limited sockets, but unlimited files", "[serve]") {
  RunningServer house(true, true);
  house.start();
  const std::string from = "X-Forwarded-For: 10.1.2.3\r\n", host = host_of(house);
  const auto files = [&] {
    int good = 0;
    for (int i = 0; i < 40; ++i) good += Client(house.port()).get("/", from).status == 200;
    return good;
  };
  CHECK(files() == 40);
  std::vector<Client> all(25);
  int good = 0;
  for (Client& one : all) {
    one = Client(house.port());
    good += one.upgrade("http://" + host, host, "cardwright.1", from) == 101;
  }
  CHECK(good == 20);
  CHECK(files() == 40);
}

TEST_CASE("serve: a table has a limited number of watchers", "[serve]") {
  RunningServer house;
  const server::TableLinks table = house.table("tic_tac_toe", {kOpen, kOpen});
  house.start();
  std::vector<Client> watchers;
  for (int i = 0; i < 32; ++i) {
    watchers.push_back(at_table(house.port(), key_in(table.watch), fresh_address()));
    REQUIRE(watchers.back().until("welcome"));
  }
  CHECK(at_table(house.port(), key_in(table.watch), fresh_address()).until("bye"));
  CHECK(at_table(house.port(), key_in(table.seats[0].second), fresh_address()).until("welcome"));
  watchers.back().drop();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(at_table(house.port(), key_in(table.watch), fresh_address()).until("welcome"));
}

TEST_CASE("serve: a client that doesn't read is disconnected, and delays no other client", "[serve]") {
  RunningServer house(false);
  const server::TableLinks table = house.table("hearts", {kPerson, kPerson, kPerson, kPerson}, 15);
  house.start();
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  host.send({{"k", "host"}, {"do", "start"}});
  REQUIRE(host.until("ask"));
  Client slow(house.port(), fresh_address(), 4096);
  REQUIRE(slow.upgrade() == 101);
  slow.send({{"k", "hello"}, {"key", key_in(table.watch)}});
  bool was_closed = false;
  for (int i = 0; i < 200'000 && !was_closed; ++i) {
    was_closed = !slow.send({{"k", "at"}, {"seat", nullptr}, {"step", 1}});
    if (i % 4 == 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));   // lets the server answer
  }
  CHECK(was_closed);
  const auto start = std::chrono::steady_clock::now();
  host.send({{"k", "why"}, {"seat", 0}, {"what", "nothing"}});
  CHECK(host.until("answers"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("serve: a message longer than the send buffer arrives complete", "[serve]") {
  RunningServer house;
  const auto table =
      house.table(checkout("tests/rulesets/small/trap_long.rules"), {kPerson, kPerson}, 3, {.started = true});
  house.start();
  Client host = at_table(house.port(), key_in(table.host), fresh_address());
  std::size_t longest = 0;
  bool over = false;
  while (auto message = host.next(300'000)) {   // ms; the rule runs for a long time
    longest = std::max(longest, message->dump().size());
    over = (*message)["k"] == "over";
    if (over) break;
    if ((*message)["k"] != "ask") continue;
    const Json& options = (*message)["options"];
    host.send({{"k", "choose"},
               {"seat", (*message)["seat"]},
               {"q", (*message)["q"]},
               {"id", options[options.size() > 2 ? 1 : 0]["id"]}});
  }
  CHECK(over);
  CHECK(longest > server::Limits{}.outbox_bytes);
}

TEST_CASE("serve: incomplete and invalid frames end only their own connection", "[serve]") {
  HostedTable house;
  const auto with = [&](const std::function<void(Client&)>& say) {
    Client client = house.comes(house.links.watch);
    client.until("welcome");
    say(client);
    while (client.next(3000)) {
    }
    return client.was_closed() ? client.close_code() : -1;
  };
  CHECK(with([](Client& c) { c.send_frame(1, std::string(5000, 'x')); }) == 1009);
  CHECK(with([](Client& c) { c.send_frame(2, "\x01\x02"); }) == 1008);
  CHECK(with([](Client& c) { c.send_frame(1, "\xff\xfe"); }) == 1007);
  CHECK(with([](Client& c) { c.send_frame(1, "{}", true, false); }) == 1002);
  CHECK(with([](Client& c) { c.send_frame(11, "{}"); }) == 1002);
  CHECK(with([](Client& c) { c.send_frame(0, "{}"); }) == 1002);
  CHECK(with([](Client& c) {
          for (int i = 0; i < 10; ++i) c.send_frame(i ? 0 : 1, std::string(600, 'x'), false);
        }) == 1009);
  Client half = house.comes(house.links.watch);
  half.until("welcome");
  half.write("\x81");
  half.drop();
  Client host = house.comes(house.links.host);
  CHECK(host.until("welcome"));
}

TEST_CASE("serve: an acknowledged choice survives kill -9", "[serve]") {
  std::uint64_t taken = 0;
  CHECK(try_kills(3, 8, taken) == "");
  CHECK(taken > 0);
}

TEST_CASE("serve: twenty thousand invalid frames disturb no other client", "[serve]") {
  CHECK(try_noise(20'000) == "");
}
