// Tests reports: the tables contain the numbers of the page's JSON, and in a browser each plot is drawn without
// errors and without network requests.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/report.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

// A game that sometimes ends with an error, has no turns, and has a name with HTML syntax.
constexpr const char* kWrong = R"(game "Wrong <b>now & then</b>"
players 2..16
table { t: 1..1000 = 1; d: 0..1 = 0 }
action wait in toss { t = t }
setup { t = roll 1..1000 }
play {
  phase toss { ask first of players }
  if t <= 20 { d = t }
  if t <= 500 { winners first of players } else { winners last of players }
}
)";

// Returns a game with thirty characters, of which those with longer names win more often.
std::string thirty() {
  std::string names;
  for (int i = 0; i < 30; ++i)
    names += fmt::format("{}Who{}", i ? ", " : "",
                         std::string(std::size_t(i % 6 + 1), char('a' + i % 26)) + std::to_string(i));
  return fmt::format(R"(game "Thirty"
players 3
enum Who {{ {} }}
player {{ who: Who }}
table {{ t: 0..99 = 0 }}
action wait in toss {{ t = 0 }}
setup {{ each p in players {{ p.who = roll Who }} }}
play {{ phase toss {{ ask first of players }} winners first of players }}
)",
                     names);
}

const report::Bundle kNoBundle{"0", "sha256-none", ""};

report::Report simulated(const std::string& game, int players, std::uint64_t games,
                         const api::Configuration& with = {}) {
  const api::Ruleset rules = api::Ruleset::load(game);
  api::Configuration configuration = with;
  configuration.players = players;
  const api::Game compiled = rules.compile(configuration, api::EngineKind::interpreter);
  api::SimulateSettings settings;
  settings.games = games;
  report::Report report = report::report_of(api::simulate(compiled, settings));
  report.sides[0].name = rules.name();
  report.sides[0].title = rules.title();
  report.players = compiled.players();
  report.command = "cardwright report " + game;
  return report;
}

report::Report compared(std::uint64_t pairs) {
  const api::Ruleset rules = api::Ruleset::load("kuhn_poker");
  const api::Game a = rules.compile({2}, api::EngineKind::interpreter);
  statistics::CompareSettings settings;
  settings.pairs = pairs;
  report::Report report = report::report_of(statistics::compare(a, a, settings));
  for (report::Side& side : report.sides) side.title = rules.title();
  report.players = 2;
  return report;
}

std::string between(const std::string& text, const std::string& from, const std::string& to, std::size_t& at) {
  const std::size_t begin = text.find(from, at);
  if (begin == std::string::npos) return at = std::string::npos, std::string();
  const std::size_t end = text.find(to, begin + from.size());
  at = end;
  return text.substr(begin + from.size(), end - begin - from.size());
}

Json json_of(const std::string& page) {
  std::size_t at = 0;
  return Json::parse(between(page, "<script type=\"application/json\" id=\"figures\">", "</script>", at));
}

// Returns the cells of each row of a statistics table, without tags.
std::vector<std::vector<std::string>> rows_of(const std::string& page, std::size_t table) {
  std::size_t at = page.find(fmt::format("<table class=\"figures\" data-table=\"{}\">", table));
  std::vector<std::vector<std::string>> out;
  if (at == std::string::npos) return out;
  const std::string body = between(page, "<tbody>", "</tbody>", at);
  const std::regex tag("<[^>]*>");
  for (std::size_t row = 0; row != std::string::npos;) {
    const std::string cells = between(body, "<tr>", "</tr>", row);
    if (row == std::string::npos) break;
    std::vector<std::string>& one = out.emplace_back();
    for (std::size_t cell = 0; cell != std::string::npos;) {
      const std::size_t begin = cells.find("<t", cell);
      if (begin == std::string::npos) break;
      cell = cells.find("</t", begin + 1);
      one.push_back(std::regex_replace(cells.substr(begin, cell - begin), tag, ""));
      cell += 3;
    }
  }
  return out;
}

// Returns "−1,234.5 s" as a number, and half a unit of its last digit.
std::pair<double, double> number_of(std::string text) {
  for (const auto& [from, to] : {std::pair("−", "-"), std::pair(",", ""), std::pair("+", "")})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, std::string(from).size(), to);
  const std::size_t end = text.find_first_not_of("-0123456789.");
  const std::string digits = text.substr(0, end);
  const std::size_t point = digits.find('.');
  const double half = 0.5 * std::pow(10, point == std::string::npos ? 0 : -double(digits.size() - point - 1));
  return {std::stod(digits), half};
}

int same_numbers(const std::string& page) {
  const Json json = json_of(page);
  int compared = 0;
  for (std::size_t i = 0; i < json["tables"].size(); ++i) {
    const Json& table = json["tables"][i];
    const auto rows = rows_of(page, i);
    INFO(table["title"]);
    if (table["rows"].empty() || rows.empty()) continue;
    REQUIRE(rows.size() == table["rows"].size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Json& row = table["rows"][r];
      const double factor = table["unit"] == "%" ? 100 : row.contains("unit") ? 1e-3 : 1;
      const auto is = [&](const std::string& cell, const Json& estimate) {
        if (estimate["games"] == 0 || estimate["value"].is_null()) return;
        const auto [value, half] = number_of(cell);
        INFO(row["name"] << ": " << cell << ", " << estimate.dump());
        CHECK(std::abs(value - factor * estimate["value"].get<double>()) <= half * 1.0001);
        ++compared;
      };
      is(rows[r][1], row["a"]);
      if (row.contains("b")) is(rows[r][2], row["b"]);
      if (row.contains("difference")) is(rows[r][3], row["difference"]);
    }
  }
  return compared;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

// ---- a browser

std::string browser() {
  for (const char* name : {"chromium-headless-shell", "chromium"})
    if (std::system(fmt::format("command -v {} >/dev/null", name).c_str()) == 0) return name;
  return {};
}

// The result of opening a page: the final document, the scripts' output, and the network requests.
struct Opened {
  std::string document, messages, requests;
};

Opened open_page(const std::string& path, int width, bool dark) {
  const TemporaryFolder folder;
  const std::string command = fmt::format(
      "cd {0} && HOME={0} timeout 100 {1} --headless --no-sandbox --disable-gpu --hide-scrollbars "
      "--enable-logging=stderr "
      "--log-net-log={0}/net --virtual-time-budget=5000 --window-size={2},900 "
      "--blink-settings=preferredColorScheme={3} --dump-dom 'file://{4}' >{0}/dom 2>{0}/err </dev/null",
      folder.path(), browser(), width, dark ? 0 : 1, path);
  REQUIRE(std::system(command.c_str()) == 0);
  Opened out{slurp(folder.path() + "/dom"), {}, {}};
  std::ifstream lines(folder.path() + "/err");
  for (std::string line; std::getline(lines, line);)
    if (has(line, "CONSOLE") || has(line, "Refused")) out.messages += line + "\n";
  const std::string net = slurp(folder.path() + "/net");
  const std::regex url("\"url\":\"((http|ws)[^\"]*)\"");
  for (std::sregex_iterator found(net.begin(), net.end(), url), end; found != end; ++found)
    out.requests += (*found)[1].str() + "\n";
  return out;
}

// Checks that each plot is drawn, contains marks, and is not wider than the page.
void check_plots(const std::string& page, const std::string& document, int width) {
  const std::string places = "<div class=\"plot\"";
  REQUIRE(times(document, places) == times(page, places));
  std::size_t at = document.find(places);
  for (; at != std::string::npos; at = document.find(places, at + 1)) {
    const std::string plot = document.substr(at, document.find("</div>", at) - at);
    INFO(plot.substr(0, 400));
    const std::size_t drawings = times(plot, "<svg");
    CHECK(drawings >= 1);
    CHECK(times(plot, "<circle") + times(plot, "<rect") + times(plot, "<path") >= drawings);
    CHECK(!has(plot, "NaN"));
    const std::regex wide("<svg[^>]* width=\"([0-9.]+)\"");
    for (std::sregex_iterator found(plot.begin(), plot.end(), wide), end; found != end; ++found)
      CHECK(std::stod((*found)[1]) < width);
  }
}

// has_pages() returns false and prints a reason if the scripts are not built, and can_look() also if Chromium is
// missing. The tests are then skipped.
bool has_pages() {
  if (api::pages_folder().empty())
    WARN("skipped: the scripts of pages are not built (target pages, requires Node and npm)");
  return !api::pages_folder().empty();
}
bool can_look() {
  if (!has_pages()) return false;
  if (browser().empty()) WARN("skipped: there is no chromium");
  return !browser().empty();
}

std::string written(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  const std::string path = folder.path() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}   // namespace

TEST_CASE("report: tables contain the numbers of the page's JSON", "[report]") {
  const TemporaryFolder folder;
  CHECK(same_numbers(report::as_html(simulated("kuhn_poker", 3, 1'000), kNoBundle)) >= 5);
  CHECK(same_numbers(report::as_html(simulated("quickshot", 4, 60), kNoBundle)) > 4);
  CHECK(same_numbers(report::as_html(simulated(written(folder, "thirty.rules", thirty()), 3, 500), kNoBundle)) > 32);
  CHECK(same_numbers(report::as_html(compared(2'000), kNoBundle)) > 10);
  for (const int players : {2, 16}) {
    const std::string page =
        report::as_html(simulated(written(folder, "wrong.rules", kWrong), players, 2'000), kNoBundle);
    CHECK(same_numbers(page) > players);
    CHECK(has(page, "value out of range"));
    CHECK(has(page, "Wrong &lt;b&gt;now &amp; then&lt;/b&gt;"));
    CHECK(!has(page, "<b>"));
    CHECK(!has(page, "Length in turns"));
  }
}

TEST_CASE("report: numbers are parsed as they are printed", "[report]") {
  CHECK(number_of("−1,234.5 s").first == -1234.5);
  CHECK(number_of("+0.25").first == 0.25);
  CHECK(number_of("12").second == 0.5);
}

TEST_CASE("report: the average player is the same in all tables", "[report]") {
  // One of three players is Odd, and wins half of the games; the other two are Even, and share the other half.
  const TemporaryFolder folder;
  const std::string path = written(folder, "odd.rules", R"(game "Odd"
players 3
enum Side { Odd, Even }
player { side: Side }
table { t: 1..4 = 1 }
action wait in toss { t = t }
setup { t = roll 1..4; each p in players { p.side = if p == first of players then Odd else Even } }
play {
  turns clockwise from first of players up to 3 { phase toss { ask active } }
  winners if t <= 2 then first of players else last of players
}
)");
  const report::Report report = simulated(path, 3, 400, {.measures = {api::kTurnOrder}});
  const std::string page = report::as_html(report, kNoBundle);
  CHECK(times(page, "verage player: 33.3") + times(page, "verage player 33.3") ==
        6);   // seat, side, place; in the text and in the data
  CHECK(times(page, "verage player: ") + times(page, "verage player ") >= 3);
}

TEST_CASE("report: figures lead to example games", "[report]") {
  const TemporaryFolder folder;
  const std::string path = written(folder, "long.rules", R"(game "Long"
players 2
table { n: 0..9 = 0 }
action wait in main { n -= 1 }
setup { n = roll 1..9 }
play { turns clockwise from first of players until n == 0 { phase main { ask active } } }
end when play is over "Nothing is left" { winners last of players }
)");
  const api::Game game = api::Ruleset::load(path).compile({}, api::EngineKind::interpreter);
  api::SimulateSettings settings;
  settings.games = 300, settings.seed = 5, settings.first_game = 40;
  const std::vector<report::Example> examples = report::example_games(game, settings);
  const auto of = [&](const std::string& table, const std::string& row) {
    for (const report::Example& one : examples)
      if (one.table == table && one.row == row) return one.games;
    throw std::runtime_error("no example");
  };
  // The games can be played again by their numbers.
  for (const auto& [what, index] : of("length", "turns")) {
    api::State state = game.new_state(5, index);
    state.playout();
    CHECK(state.turns() == (what == "least" ? 1 : 9));
  }
  api::State won = game.new_state(5, of("wins by seat", "b").at(0).second);
  won.playout();
  CHECK(won.winners() == std::vector<int>{1});
  report::Report report = simulated(path, 2, 300);
  report.examples = examples;
  report.sides[0].command = "cardwright simulate long.rules";
  const std::string page = report::as_html(report, kNoBundle);
  CHECK(has(page, "turns: least in game"));
  CHECK(has(page, "--first-game"));
}

TEST_CASE("report: tables show only intervals and deviations that exist", "[report]") {
  const TemporaryFolder folder;
  const std::string path = written(folder, "never.rules", R"(game "Never"
players 2
table { n: 0..99 = 0 }
action wait in main { n += roll 1..3 }
action fly in main when n > 98 { n = 0 }
play { turns clockwise from first of players up to 12 { phase main { ask active } } }
end when play is over { winners active }
measure rise "Rise": sum n at end
)");
  const report::Report report = simulated(path, 2, 500, {.measures = {"rise", api::kFigures}});
  const std::string page = report::as_html(report, kNoBundle);
  CHECK(!has(page, "too few games"));
  for (const statistics::FigureTable& table : report.figures.tables) {
    if (table.title == "Rise") CHECK(table.rows.at(0).a.deviation == Approx(std::sqrt(12 * 2.0 / 3)).epsilon(0.1));
    if (table.title == "options of a decision, along the game") CHECK(table.rows.at(0).a.interval);
  }
}

TEST_CASE("report: a single game also produces a page", "[report]") {
  const std::string page = report::as_html(simulated("kuhn_poker", 2, 1), kNoBundle);
  CHECK(has(page, "1 game of Kuhn Poker"));
  CHECK(same_numbers(page) > 0);
}

TEST_CASE("report: a bundle names its policy, which forbids all other scripts", "[report]") {
  const std::string page = report::as_html(simulated("kuhn_poker", 2, 100), {"42", "sha256-abc", "p{}"});
  CHECK(has(page, "default-src 'none'; script-src 'sha256-abc'; style-src 'unsafe-inline'; img-src data:\""));
  CHECK(times(page, "<script") == 2);
  CHECK(has(page, "<script>42</script>"));
  for (const char* outside : {"http:", "https:", " src=", "@import", "url("}) CHECK(!has(page, outside));
  // Links in the table of contents have targets.
  const std::regex link("href=\"#([a-z]+)\"");
  int links = 0;
  for (std::sregex_iterator found(page.begin(), page.end(), link), end; found != end; ++found, ++links)
    CHECK(has(page, fmt::format("<section id=\"{}\"", (*found)[1].str())));
  CHECK(links >= 5);
}

TEST_CASE("report: sections have a fixed order, whatever the order of tables", "[report]") {
  report::Report report = simulated("kuhn_poker", 2, 100);
  statistics::Figure row;
  row.name = "3";
  row.a = {0.25, statistics::Interval{0.2, 0.3}, 0, 100};
  for (const statistics::Topic topic :
       {statistics::Topic::measures, statistics::Topic::cards, statistics::Topic::tension, statistics::Topic::pace,
        statistics::Topic::actions}) {
    statistics::FigureTable table;
    table.title = "table of " + std::string(statistics::name_of(topic));
    table.unit = "%";
    table.topic = topic;
    if (topic == statistics::Topic::tension) table.along = "turn";
    if (topic == statistics::Topic::cards) table.columns = {"copies drawn"}, row.cells = {12};
    table.rows = {row};
    report.figures.tables.insert(report.figures.tables.begin(), table);
  }
  const std::string page = report::as_html(report, kNoBundle);
  std::size_t at = 0;
  for (const char* id :
       {"verdicts", "broken", "winning", "length", "pace", "tension", "cards", "actions", "measures", "made"}) {
    INFO(id);
    const std::size_t next = page.find(fmt::format("<section id=\"{}\"", id));
    REQUIRE(next != std::string::npos);
    CHECK(next > at);
    at = next;
  }
  CHECK(same_numbers(page) > 5);
  CHECK(has(page, "copies drawn"));
}

TEST_CASE("report: statistics are exported for other programs", "[report]") {
  const TemporaryFolder folder;
  const report::Report report = compared(1'000);
  report::write_data(report, folder.path() + "/new/data");
  const Json json = Json::parse(slurp(folder.path() + "/new/data/figures.json"));
  CHECK(json["tables"] == Json::parse(statistics::as_json(report.figures))["tables"]);
  CHECK(json["head"]["played"] == report.games);
  for (const statistics::FigureTable& table : report.figures.tables)
    if (table.title == "wins by seat")
      CHECK(slurp(folder.path() + "/new/data/wins-by-seat.csv") == statistics::as_csv(table));
  CHECK_THROWS_AS(report::write_data(report, folder.path() + "/new/data/figures.json/x"), api::Error);
}

TEST_CASE("report: invalid paths and numbers are rejected before any game is played", "[report][cli]") {
  if (!has_pages()) return;
  const TemporaryFolder folder;
  CHECK(run("report kuhn_poker -o " + folder.path()).code == 2);
  CHECK(run("report kuhn_poker -o " + folder.path() + "/none/page.html").code == 2);
  CHECK(run("report kuhn_poker -o ''").code == 2);
  CHECK(run("report kuhn_poker --games 0").code == 2);
  CHECK(run("report no_such_game -o " + folder.path() + "/page.html").code == 2);
}

TEST_CASE("report: the same command produces the same page with any number of threads", "[report][cli]") {
  if (!has_pages()) return;
  const TemporaryFolder folder;
  const std::string games[] = {"report kuhn_poker --games 400", "report leduc_poker leduc_poker --games 600"};
  for (const std::string& game : games) {
    const std::string one = folder.path() + "/one.html", three = folder.path() + "/three.html";
    REQUIRE(run(game + " --threads 1 -o " + one).code == 0);
    REQUIRE(run(game + " --threads 3 -o " + three).code == 0);
    CHECK(slurp(one) == slurp(three));
  }
}

TEST_CASE("report: a browser draws each plot without messages or requests", "[report][browser]") {
  if (!can_look()) return;
  const TemporaryFolder folder;
  const std::string wrong = written(folder, "wrong.rules", kWrong), many = written(folder, "thirty.rules", thirty());
  const std::string commands[] = {"splash --quick --games 2000",
                                  "splash splash --with self_target=off --games 1000",
                                  "quickshot --players 4 --games 200",
                                  "panic_fire --policy sensible --games 100",
                                  wrong + " --players 16 --games 500",
                                  many + " --games 500",
                                  "kuhn_poker --games 30"};
  const std::string page = folder.path() + "/page.html";
  int width = 1200;
  for (const std::string& command : commands) {
    INFO("cardwright report " << command);
    const Ran ran = run("report " + command + " -o " + page);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    const std::string text = slurp(page);
    CHECK(text.size() < 550'000);
    CHECK(same_numbers(text) > 0);
    width = width == 1200 ? 400 : 1200;
    const Opened opened = open_page(page, width, width == 400);
    CHECK(opened.messages.empty());
    CHECK(opened.requests.empty());
    check_plots(text, opened.document, width);
  }
}

TEST_CASE("report: the test detects messages and requests of a page", "[report][browser]") {
  if (!can_look()) return;
  const TemporaryFolder folder;
  const Opened opened = open_page(
      written(folder, "bad.html", "<img src='http://127.0.0.1:9/x.png'><script>console.log('hear me')</script>"), 400,
      false);
  CHECK(has(opened.messages, "hear me"));
  CHECK(has(opened.requests, "http://127.0.0.1:9/x.png"));
}
