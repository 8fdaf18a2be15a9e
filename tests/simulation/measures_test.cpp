// Tests measures: they equal counts made by rules, on every engine and in every form, and don't change the games.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/measure_tally.h"
#include "cardwright/tools.hpp"
#include "cardwright/variants.hpp"

using namespace cardwright::api;
namespace fs = std::filesystem;

namespace {

const std::string kHead =
    "game \"Measured\"\nplayers 2..4, usually 3\nenum Colour { red, green, blue }\n"
    "card type Thing { colour: Colour, worth: 0..9 = 1 }\n"
    "card Stone: Thing, colour red { play in main to discard { take(me, 2, me) } }\n"
    "card Leaf: Thing, colour green, worth 3 { play in main to discard }\n"
    "card Twig: Thing, colour blue, worth 5\n"
    "deck Cards: Thing into draw { Stone x 9 Leaf x 8 Twig x 7 }\n"
    "player { zone hand: owner; gold: 0..20 = 0; side: Colour = red }\n"
    "table { zone draw: pile, facedown, refill from discard; zone discard: set, public; chief: player? = none\n"
    "tally: int = 0; times: int = 0 }\n"
    "event take(p: player, n: int, by: player?) {\n"
    "  move n cards from draw to p.hand\n  p.gold = min(p.gold + n, 20)\n  if p.gold > 5 then chief = p\n}\n"
    "window rush { ask all of players in real time until size(draw) < 4; after 9 s { end rush } }\n"
    "action grab in main when size(me.hand) < 6 { take(me, 1, none) }\n"
    "action give(t in others) in main when me.gold > 2, once per turn { me.gold -= 1; take(t, 1, me) }\n"
    "action snatch in rush, takes 400 ms ± 200 ms when chief is none and (every q in others has (any c in q.hand has c "
    "is Twig)) { chief = me@LANDED@ } late { times += 0@LATE@ } wrong { times += 0@WRONG@ }\n"
    "setup { each p in players { p.side = roll Colour; take(p, 2, none) } }\n"
    "play { rounds 4 { chief = none; turns clockwise from first of players up to 3 { phase main { ask active until "
    "pass } }; "
    "chief = none; open rush } }\n"
    "end when play is over { winners players with most it.gold }\n";

struct Sample {
  std::string measure;   // declaration of the measure `m`
  std::string rules;   // count the same events, in the variables `tally` and `times`
  std::string landed = {}, late = {}, wrong = {};
};

const std::vector<Sample>& forms() {
  static const std::vector<Sample> all = {
      {"measure m: count after take", "after take(p, n, by) { tally += 1 }"},
      {"measure m: sum n after take(_, n, _)", "after take(p, n, by) { tally += n }"},
      {"measure m: sum n before take(_, n, by) when by is in", "before take(p, n, by) when by is in { tally += n }"},
      {"measure m: mean p.gold after take(p, n)", "after take(p, n, by) { tally += p.gold; times += 1 }"},
      {"measure m: mean p.gold before take(p, n)", "before take(p, n, by) { tally += p.gold; times += 1 }"},
      {"measure m: share p.gold > 3 after take(p)",
       "after take(p, n, by) { times += 1; if p.gold > 3 { tally += 1 } }"},
      {"measure m per by: count after take(p, n, by)", "after take(p, n, by) { tally += 1 }"},
      {"measure m per by, p: count after take(p, n, by) when by is in",
       "after take(p, n, by) when by is in { tally += 1 }"},
      {"measure m per p.side: sum n after take(p, n, _)", "after take(p, n, by) { tally += n }"},
      {"measure m per p.gold: count after take(p)", ""},
      {"measure m per q in players: count after take(p) when q.gold > p.gold",
       "after take(p, n, by) { each q in players where q.gold > p.gold { tally += 1 } }"},
      {"measure m per q in (players where gold > 2): mean q.gold after take(p)",
       "after take(p, n, by) { each q in players where q.gold > 2 { tally += q.gold; times += 1 } }"},
      {"measure m per me: count after grab", "after grab { tally += 1 }"},
      {"measure m: count before grab by chief", "before grab by chief { tally += 1 }"},
      {"measure m per t, me: count after give(t)", "after give(t) { tally += 1 }"},
      {"measure m: count after play Stone", "after play Stone { tally += 1 }"},
      {"measure m per this: count after play Thing", "after play Stone { tally += 1 }\nafter play Leaf { tally += 1 }"},
      {"measure m per this.colour: mean me.gold before play Thing",
       "before play Stone { times += 1; tally += me.gold }\nbefore play Leaf { times += 1; tally += me.gold }"},
      {"measure m: count after any action in main", "after any action in main { tally += 1 }"},
      {"measure m: count after any action in main except grab, give",
       "after any action in main except grab, give { tally += 1 }"},
      {"measure m per turn: count after grab", "after grab { tally += 1 }"},
      {"measure m per turn, me: count after grab", "after grab { tally += 1 }"},
      {"measure m per round: sum n after take(p, n, by) when by is in",
       "after take(p, n, by) when by is in { tally += n }"},
      {"measure m: mean size(active.hand) each turn", "after turn { tally += size(active.hand); times += 1 }"},
      {"measure m per p in everyone: mean p.gold each turn",
       "after turn { each p in everyone { tally += p.gold; times += 1 } }"},
      {"measure m per p in players: mean p.gold each round",
       "after round { each p in players { tally += p.gold; times += 1 } }"},
      {"measure m: mean size(active.hand) before phase main(active)",
       "before phase main { tally += size(active.hand); times += 1 }"},
      {"measure m: mean size(p.hand) after phase main(p)", "after phase main(p) { tally += size(p.hand); times += 1 }"},
      {"measure m per chief: share size(draw) > 9 before turn",
       "before turn { times += 1; if size(draw) > 9 { tally += 1 } }"},
      {"measure m per size(draw) > 9: count after turn", "after turn { tally += 1 }"},
      {"measure m per me: count after snatch", "after snatch { tally += 1 }"},
      {"measure m per me: count late snatch", "", "", "; tally += 1", ""},
      {"measure m per me: count wrong snatch", "", "", "", "; tally += 1"},
      {"measure m: sum me.gold late any action in rush", "", "", "; tally += me.gold", ""},
      {"measure m per p in players: mean p.gold at end", "end_"},
      {"measure m: sum size(draw) at end when chief is some", "end_"},
  };
  return all;
}

std::string filled(std::string text, const Sample& form, bool counts) {
  const auto put = [&](const std::string& mark, const std::string& with) {
    text.replace(text.find(mark), mark.size(), with);
  };
  put("@LANDED@", counts ? form.landed : "");
  put("@LATE@", counts ? form.late : "");
  put("@WRONG@", counts ? form.wrong : "");
  return text + (counts ? form.rules : form.measure) + "\n";
}

class Rules {
 public:
  explicit Rules(const std::string& text, const std::string& name = "measured.rules")
      : folder_(fs::temp_directory_path() / fmt::format("cardwright-measures-{}-{}", ::getpid(), next_++)) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / name) << text;
    path_ = (folder_ / name).string();
  }
  ~Rules() { fs::remove_all(folder_); }
  std::string path() const { return path_; }

 private:
  static inline int next_ = 0;
  fs::path folder_;
  std::string path_;
};

constexpr std::uint64_t kGames = 40;

struct Sums {
  Wide x = 0, n = 0;
  bool operator==(const Sums&) const = default;
};

// Adds up the sums of all cells of a table.
Sums all_of(const MeasureTable& t) {
  Sums sums;
  for (const MeasureCell& c : t.cells) sums.x += c.sums.x, sums.n += c.sums.n;
  return sums;
}

std::string in_words(const std::vector<MeasureTable>& tables) {
  std::string out;
  const auto add = [&](const MeasureSums& s) {
    out += fmt::format(" {}/{} {} {} {} of {}", static_cast<long>(s.x), static_cast<long>(s.n), static_cast<long>(s.xx),
                       static_cast<long>(s.xn), static_cast<long>(s.nn), s.games);
  };
  for (const MeasureTable& t : tables) {
    out += fmt::format("{} by {}\n", t.name, fmt::join(t.keys, ", "));
    for (const MeasureCell& c : t.cells) {
      out += fmt::format("  {}", fmt::join(c.keys, ", "));
      add(c.sums);
      for (const auto& [value, count] : c.histogram) out += fmt::format(" {}x{}", value, count);
      out += "\n";
    }
    for (const auto* stretches : {&t.course, &t.tenths})
      for (const MeasureStretch& s : *stretches) {
        out += fmt::format("  {} to {}", s.first, s.last);
        for (const MeasureSums& c : s.cells) add(c);
        out += "\n";
      }
  }
  return out;
}

Statistics played(const Game& game, std::uint64_t games = kGames, int threads = 1) {
  return simulate(game, {.games = games, .seed = 5, .threads = threads});
}

// Plays option by option, in the stepwise form.
std::vector<MeasureTable> stepped(const Game& game, std::uint64_t games = kGames) {
  const fs::path file = fs::temp_directory_path() / fmt::format("cardwright-measures-{}.jsonl", ::getpid());
  const Statistics s = trace(game, {.games = games, .seed = 5}, file.string());
  fs::remove(file);
  return s.measures;
}

// Adds up the rules' own counts at the end of each game.
Sums counted(const Game& game) {
  Sums sums;
  for (std::uint64_t i = 0; i < kGames; ++i) {
    State state = game.new_state(5, i);
    state.playout();
    REQUIRE(!state.failure());
    const nlohmann::json all = nlohmann::json::parse(state.everything());
    const auto find = [](auto&& self, const nlohmann::json& in, const std::string& name) -> std::int64_t {
      if (in.is_object()) {
        if (in.contains(name) && in[name].is_number()) return in[name];
        for (const auto& [key, value] : in.items())
          if (const std::int64_t found = self(self, value, name); found >= 0) return found;
      }
      return -1;
    };
    sums.x += find(find, all, "tally");
    sums.n += find(find, all, "times");
  }
  return sums;
}

}   // namespace

TEST_CASE("measures: each form equals the count of a rule in its place", "[measures]") {
  for (const Sample& form : forms()) {
    INFO(form.measure);
    const Rules measured(filled(kHead, form, false)), plain(filled(kHead, {}, false)),
        mirror(filled(kHead, form, true));
    const Ruleset rules = Ruleset::load(measured.path());
    CHECK(rules.check().errors == 0);
    const Game game = rules.compile({.measures = {"m"}});
    const Statistics with = played(game), without = played(Ruleset::load(plain.path()).compile()),
                     unasked = played(rules.compile());
    CHECK(with.failed == 0);
    CHECK(with.digest == without.digest);
    CHECK(unasked.digest == without.digest);
    CHECK(unasked.measures.empty());
    REQUIRE(!with.measures.empty());
    const Sums all = all_of(with.measures[0]);
    CHECK(all.x > 0);
    const std::string wanted = in_words(with.measures);
    CHECK(in_words(stepped(game)) == wanted);
    CHECK(in_words(played(rules.compile({.plain = true, .measures = {"m"}})).measures) == wanted);
    CHECK(in_words(played(game, kGames, 3).measures) == wanted);
    if (jit_is_available()) {
      const Game compiled = rules.compile({.measures = {"m"}}, EngineKind::jit);
      CHECK(in_words(played(compiled).measures) == wanted);
      CHECK(in_words(stepped(compiled)) == wanted);
    }
    if (form.rules == "end_" || (form.rules.empty() && form.late.empty() && form.wrong.empty())) continue;
    const Sums by_rules = counted(Ruleset::load(mirror.path()).compile());
    CHECK(static_cast<long>(all.x) == static_cast<long>(by_rules.x));
    if (form.measure.find(": mean") != std::string::npos || form.measure.find(": share") != std::string::npos)
      CHECK(static_cast<long>(all.n) == static_cast<long>(by_rules.n));
  }
}

TEST_CASE("measures: an unused measure leaves the Program unchanged", "[measures]") {
  const auto ir = [](const std::string& text) {
    const Rules rules(text);
    std::string all;
    for (const auto form : {cardwright::api::Form::playout, cardwright::api::Form::step})
      all += print(Ruleset::load(rules.path()), {}, Stage::ir, form);
    return all;
  };
  const std::string none = ir(filled(kHead, {}, false));
  for (const Sample& form : forms()) {
    INFO(form.measure);
    CHECK(ir(filled(kHead, form, false)) == none);
  }
}

TEST_CASE("measures: a trajectory adds up to the total", "[measures]") {
  for (const char* measure :
       {"measure m per turn: count after grab", "measure m per turn, me: sum 2 after grab",
        "measure m per p in everyone: mean p.gold each turn", "measure m per round: count after take"}) {
    INFO(measure);
    const Rules rules(filled(kHead, {measure, ""}, false));
    const Statistics s = played(Ruleset::load(rules.path()).compile({.measures = {"m"}}), 200);
    const MeasureTable& t = s.measures.at(0);
    REQUIRE(!t.course.empty());
    for (const auto* stretches : {&t.course, &t.tenths})
      for (std::size_t c = 0; c < t.cells.size(); ++c) {
        Wide x = 0, n = 0;
        for (const MeasureStretch& stretch : *stretches) x += stretch.cells[c].x, n += stretch.cells[c].n;
        // The sections exclude values recorded before the first turn.
        CHECK(x <= t.cells[c].sums.x);
        CHECK(n == t.cells[c].sums.n);
        if (t.along == "turn") CHECK(x == t.cells[c].sums.x);
      }
    if (t.what == "count" || t.what == "sum")
      for (const MeasureCell& c : t.cells) {
        std::uint64_t games = 0;
        for (const auto& [value, count] : c.histogram) games += count;
        CHECK(games == static_cast<std::uint64_t>(c.sums.n));
      }
  }
}

TEST_CASE("measures: the bundled games don't change", "[measures]") {
  for (const std::string& name : bundled_games()) {
    const Ruleset rules = Ruleset::load(name);
    if (rules.measures().empty()) continue;
    INFO(name);
    std::vector<EngineKind> engines{EngineKind::interpreter};
    if (jit_is_available()) engines.push_back(EngineKind::jit);
    std::string wanted;
    for (const EngineKind engine : engines) {
      const Statistics with = played(rules.compile({.measures = {"own", kTurnOrder}}, engine), 60, 2),
                       without = played(rules.compile({}, engine), 60, 2);
      CHECK(with.digest == without.digest);
      CHECK(with.failed == 0);
      if (wanted.empty()) wanted = in_words(with.measures);
      CHECK(in_words(with.measures) == wanted);
      bool places = false;
      for (const ShareGroup& group : with.groups) places = places || group.name == "place in the turn order";
      CHECK(places == with.has_turns);
    }
    CHECK(in_words(stepped(rules.compile({.measures = {"own"}}), 5)) ==
          in_words(played(rules.compile({.measures = {"own"}}), 5).measures));
  }
}

TEST_CASE("measures: house rules and files of measures add, replace and remove", "[measures]") {
  const Rules house(
      "game \"House\" extends crazy_eights\nremove measure stuck\n"
      "replace measure named \"Eights\" per c.suit: count after play(c) when c.rank == eight\n"
      "measure draws per me: count after draw\n"),
      beside("library more\nfunction twice(n: int): int = n * 2\nmeasure draws: sum twice(1) after draw\n"),
      rule("library more\naction give_up in main { end turn }\n"),
      again("library more\nmeasure named: count after draw\n");
  const Ruleset rules = Ruleset::load(house.path());
  CHECK(rules.check().text == "");
  const Statistics s = played(rules.compile({.measures = {"own"}}));
  REQUIRE(s.measures.size() == 2);
  CHECK(s.measures[0].label == "Eights");
  CHECK(s.measures[1].name == "draws");
  CHECK_THROWS_WITH(rules.compile({.measures = {"stuck"}}), Catch::Contains("no measure `stuck`"));
  CHECK_THROWS_WITH(
      Ruleset::load("splash").compile({.measures = {"nosuch"}}),
      "Splash has no measure `nosuch`; it has splashes, damage, towels, good_hats, hand (or `own`, `all`)");
  CHECK_THROWS_WITH(rules.compile({.measures = {"draw"}}), Catch::Contains("did you mean `draws`?"));

  const Ruleset with = Ruleset::load("crazy_eights", beside.path());
  CHECK(with.check().text == "");
  const Statistics doubled = played(with.compile({.measures = {"draws"}})),
                   none = played(Ruleset::load("crazy_eights").compile());
  CHECK(doubled.digest == none.digest);
  REQUIRE(doubled.measures.size() == 1);
  CHECK(doubled.measures[0].cells[0].sums.x % 2 == 0);
  CHECK_THROWS_AS(Ruleset::load("crazy_eights", rule.path()), Error);
  const Ruleset named_twice = Ruleset::load("crazy_eights", again.path());
  CHECK(named_twice.check().errors == 1);
  const auto changes = diff(Ruleset::load("crazy_eights"), {}, rules, {});
  CHECK(std::count_if(changes.begin(), changes.end(), [](const Difference& d) { return d.kind == "measure"; }) == 3);
}

TEST_CASE("measures: sums give a value and an interval by games", "[measures]") {
  MeasureSums s;
  for (int i = 0; i < 1000; ++i) {   // games with x = 0 or 2 and n = 1
    const int x = i % 2 * 2;
    s.add({1, x, 1, x * x, x, 1});
  }
  CHECK(s.value() == 1);
  const auto [low, high] = s.interval();
  CHECK(low == Approx(1 - 1.959964 / std::sqrt(999.0)).epsilon(1e-6));
  CHECK(high == Approx(1 + 1.959964 / std::sqrt(999.0)).epsilon(1e-6));
}
