// Tests resource limits with worst-case inputs, each in a separate process: `check` needs little processor time and
// memory, and a game ends at its limits.
#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "cardwright/variants.hpp"
#include "support/temporary_folder.h"

using namespace cardwright;

namespace {

constexpr double kMostSeconds = 20;   // of processor time; a check can take twice as long on a busy machine
constexpr double kMostMegabytes = 1000;
constexpr rlim_t kStopped = 60;   // seconds of processor time, after which the check is killed
constexpr rlim_t kMostAddresses = rlim_t{4} << 30;   // bytes of address space

const std::string kGame =
    "game \"Worst\"\nplayers 2\ncard type Chip { n: 0..9 = 0 }\ndeck Chips: Chip into bag { Chip x 9 }\ntable { zone "
    "bag: pile, facedown }\n"
    "player { zone hand: public; p: 0..9 = 0 }\nplay { turns clockwise from first of players up to 4 { phase main { "
    "ask active or pass } } }\n"
    "end when play is over { winners nobody }\n";

std::string rows(int n, const std::function<std::string(int)>& row) {
  std::string out;
  for (int i = 0; i < n; ++i) out += row(i);
  return out;
}
std::string constants(const std::string& name) {
  return "enum " + name + " { " + rows(62, [&](int i) { return fmt::format("{}{} ", name, i); }) + "}\n";
}
std::string nested_records(int n) {
  return "record R0 { a: 0..1 = 0; b: 0..1 = 0 }\n" +
         rows(n, [](int i) { return fmt::format("record R{} {{ a: R{}; b: R{} }}\n", i + 1, i, i); });
}
std::string calls(const std::string& what, int n) {   // each function calls the previous one twice
  return fmt::format("{} v0(p: player): int = p.p\n", what) +
         rows(n, [&](int i) { return fmt::format("{} v{}(p: player): int = v{}(p) + v{}(p)\n", what, i + 1, i, i); }) +
         fmt::format("action x in main when v{}(me) > 3 {{ me.p = 1 }}\n", n);
}

std::vector<std::pair<std::string, std::string>> worst() {
  return {
      {"records in records", nested_records(40) + "player { r: R40 }\n"},
      {"a record in itself", "record R { a: R }\nplayer { r: R }\n"},
      {"records by the thousand", nested_records(5) + "action go in main { " +
                                      rows(5000, [](int i) { return fmt::format("let x{} = R5(); ", i); }) + "}\n"},
      {"parameters by the thousand", nested_records(5) + "event e(" +
                                         rows(5000, [](int i) { return fmt::format("x{}: R5, ", i); }) +
                                         "y: int) { }\n"},
      {"enums", rows(100, [](int i) { return constants(fmt::format("E{}_", i)); })},
      {"tables", constants("A") + "player { m: 0..9 per A per A = 0 }\nenum B { t: 0..9 per A = 0\nx, y }\n"},
      {"subsets", constants("A") + "const s = subsets(A, 0..62)\nvalue v: int = size(s)\n"},
      {"a const over many numbers", "const s = sum of n for n in 1..1000000000000\nvalue v: int = s\n"},
      {"a deck of many", "deck D: Chip into bag { each a in 1..100000, b in 1..100000 where false: Chip(n: 1) }\n"},
      {"copies",
       "deck D: Chip into bag { Chip x 1000000000000 }\nplayer { zone z: public, starts with 1000000000000 Chip }\n"},
      {"options", rows(200,
                       [](int i) {
                         return fmt::format("option o{} = ", i) +
                                rows(59, [](int v) { return fmt::format("v{} | ", v); }) +
                                fmt::format("w\nwith o{} == v1 {{ value q{}: int = 1 }}\n", i, i);
                       })},
      {"nested `with`", "option o\n" + rows(150, [](int) { return std::string("with o { "); }) + "value z: int = 1" +
                            std::string(150, '}') + "\n"},
      {"areas",
       rows(200,
            [](int i) { return fmt::format("area nest{} x 61 {{ v{}: 0..9 = 0; zone z{}: public }}\n", i, i, i); })},
      {"zones", "player { " + rows(5000, [](int i) { return fmt::format("zone z{}: public; ", i); }) + "}\n"},
      {"messages", "setup { " + rows(20000, [](int i) { return fmt::format("x{} = 0; ", i); }) + "}\n"},
      {"combinations", constants("A") + "action x(a: A, b: A, c: A, d: A, e: A, f: A) in main { me.p = 1 }\n"},
      {"scenarios", rows(2000,
                         [](int i) {
                           return fmt::format(
                               "scenario \"s{}\" for 2 players {{ when main of a begins\n then a.p == 0 }}\n", i);
                         })},
      {"values that ask twice", calls("value", 40)},
      {"functions that call twice", calls("function", 40)},
      {"turns without a decision",
       "event tick(p: player) { p.p = 9 - p.p }\nreplace play { turns clockwise from first of players up to "
       "1000000000000 { phase main { tick(active) } } }\n"},
      {"loops in loops", "table { l: list of 0..9 up to 64 }\naction x in main { " +
                             rows(60, [](int i) { return fmt::format("each x{} in l {{ ", i); }) + "me.p = 1" +
                             std::string(60, '}') + " }\n"},
      {"conditions in conditions", "action x in main when " +
                                       rows(40, [](int i) { return fmt::format("any c{} in bag has (", i); }) +
                                       "c0 == c1" + std::string(40, ')') + " { me.p = 1 }\n"},
      {"sums in sums", "value v(p: player): int = " + rows(30, [](int) { return std::string("sum of ("); }) + "p.p" +
                           rows(30, [](int i) { return fmt::format(") for q{} in players", i); }) +
                           "\naction x in main when v(me) > 3 { me.p = 1 }\n"},
      {"brackets", "value v: int = " + std::string(190, '(') + "1" + std::string(190, ')') + "\n"},
      {"brackets without end", std::string(60000, '(')},
      {"a long text", "action x in main \"" + std::string(200000, 'x') + "\" { me.p = 1 }\n"},
      {"a text with many values", "action x in main \"" + rows(20000, [](int) { return std::string("{me.p}"); }) +
                                      "\" { log \"" + rows(10000, [](int) { return std::string("{me.p} "); }) +
                                      "\" }\n"},
      {"a long name", "table { " + std::string(200000, 'x') + ": 0..9 = 0 }\n"},
      {"actions", rows(3000, [](int i) { return fmt::format("action x{} in main {{ me.p = 1 }}\n", i); })},
      {"actions with cards",
       rows(2000,
            [](int i) { return fmt::format("action x{}(c: Chip in me.hand) in main {{ move c to bag }}\n", i); })},
      {"actions with numbers",
       rows(100,
            [](int i) {
              return fmt::format("action y{}(a: 0..255, b: 0..255) in main when a + b == me.p {{ me.p = 1 }}\n", i);
            })},
      {"events", rows(4000, [](int i) { return fmt::format("event e{}(p: player) {{ p.p = 1 }}\n", i); }) +
                     "action x in main { " + rows(4000, [](int i) { return fmt::format("e{}(me); ", i); }) + "}\n"},
      {"events in a row",
       "event e0(p: player) { p.p = 1 }\n" +
           rows(4000, [](int i) { return fmt::format("event e{}(p: player) {{ e{}(p) }}\n", i + 1, i); }) +
           "action x in main { e4000(me) }\n"},
      {"events in a circle", rows(200,
                                  [](int i) {
                                    return fmt::format("event e{}(p: player) {{ ", i) +
                                           rows(20, [&](int j) { return fmt::format("e{}(p); ", (i * 7 + j) % 200); }) +
                                           "}\n";
                                  }) +
                                 "action x in main { e0(me) }\n"},
      {"modifiers", "value v(p: player): int = 1\n" +
                        rows(3000, [](int i) { return fmt::format("modify v(p) when p.p == {} by +1\n", i % 10); }) +
                        "action x in main when v(me) > 3 { me.p = 1 }\n"},
      {"modifiers that ask each other",
       rows(50, [](int i) { return fmt::format("value v{}(p: player): int = 1\n", i); }) +
           rows(49,
                [](int i) {
                  return rows(
                      40, [&](int j) { return fmt::format("modify v{}(p) when v{}(p) > {} by +1\n", i, i + 1, j); });
                }) +
           "action x in main when v0(me) > 3 { me.p = 1 }\n"},
      {"questions in a row", "action x in main { " +
                                 rows(3000, [](int i) { return fmt::format("if me may \"x{}\" then me.p = 1; ", i); }) +
                                 "}\n"},
      {"branches", "action x in main { " +
                       rows(3000, [](int i) { return fmt::format("if me.p == {} then me.p = {}; ", i % 10, i % 9); }) +
                       "}\n"},
      {"windows", rows(1000, [](int i) { return fmt::format("window w{}(p: player) {{ ask p or pass }}\n", i); }) +
                      "action x in main { " + rows(1000, [](int i) { return fmt::format("open w{}(me); ", i); }) +
                      "}\n"},
      {"cards with rules",
       "card type T { plays to bag; play in main }\n" +
           rows(400,
                [](int i) {
                  return fmt::format("card C{}: T {{ play in main (q in players) when q.p != {} {{ me.p = {} }} }}\n",
                                     i, i % 10, i % 10);
                }) +
           "deck D: T into bag { each card }\n"},
      {"names that are nearly right",
       rows(2000, [](int i) { return fmt::format("event dicard{}(p: player) {{ }}\n", i); }) + "action x in main { " +
           rows(5000, [](int i) { return fmt::format("discard{}x(me); ", i); }) + "}\n"},
      {"lists of lists",
       "player { " + rows(60, [](int i) { return fmt::format("v{}: list of list of 0..9 up to 64 up to 16; ", i); }) +
           " }\naction x in main { " + rows(60, [](int i) { return fmt::format("me.v{} += [1, 2, 3]; ", i); }) + "}\n"},
      {"one long scenario", "scenario \"s\" for 2 players { given " +
                                rows(8000, [](int) { return std::string("a.p = 1, "); }) +
                                "b.p = 1\n when main of a begins\n then a.p == 0 }\n"},
      {"work before each decision",
       "action x in main { repeat up to 1000 times while me.p < 10 { repeat 900 { me.p = 9 - me.p } } }\n"},
  };
}

struct Taken {
  int ended = 0;   // exit code of the process, 0 even if the rules have errors; 1000 + the signal that ended it
  double seconds = 0, megabytes = 0;
};

// Calls `run` in a separate process and returns the time and memory that it took.
Taken taken_by(const std::function<void()>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit seconds{kStopped, kStopped}, memory{kMostAddresses, kMostAddresses};
    ::setrlimit(RLIMIT_CPU, &seconds);
    ::setrlimit(RLIMIT_AS, &memory);
    try {
      run();
    } catch (const api::Error&) {
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  Taken taken;
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  taken.ended = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  taken.seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  taken.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
  return taken;
}
Taken checked(const std::string& path) {
  return taken_by([&] { api::Ruleset::load(path).check(); });
}

void must_be_little(const std::string& name, const Taken& taken) {
  INFO(name);
  CHECK(taken.ended == 0);
  CHECK(taken.seconds < kMostSeconds);
  CHECK(taken.megabytes < kMostMegabytes);
}

std::string game_with(const std::string& rules) {
  const std::size_t at = rules.find("replace play");
  if (at == std::string::npos) return kGame + rules;
  return kGame.substr(0, kGame.find("play {")) + kGame.substr(kGame.find("end when")) + rules.substr(0, at) +
         rules.substr(at + 8);
}

// Files in one folder. The first one is the game.
using Files = std::vector<std::pair<std::string, std::string>>;
Files using_all(int n, const std::function<std::string(int)>& file) {
  Files files{{"worst.rules", kGame + rows(n, [](int i) { return fmt::format("use lib{}\n", i); })}};
  for (int i = 0; i < n; ++i)
    files.push_back({fmt::format("lib{}.rules", i), fmt::format("library lib{}\n", i) + file(i)});
  return files;
}
std::vector<std::pair<std::string, Files>> worst_of_many() {
  const auto uses = [](int from, int to, const std::string& with) {
    return rows(to - from,
                [&](int i) { return fmt::format("{}use lib{}{}\n", with, from + i, with.empty() ? "" : " }"); });
  };
  const std::string with_csv = kGame + "card type Town { a: 0..9 = 0 }\ndeck Towns: Town from \"worst.csv\" into bag\n",
                    with_enum = kGame + "enum Town from \"worst.csv\"\n";
  return {
      {"files that need each other", using_all(63, [&](int i) { return uses(0, i, "") + uses(i + 1, 63, ""); })},
      {"files that need all that follow", using_all(63, [&](int i) { return uses(i + 1, 63, ""); })},
      {"files that need all that follow, if wanted",
       [&] {
         Files files = using_all(63, [&](int i) { return uses(i + 1, 63, "with o { "); });
         files[0].second = kGame + "option o\nwith o { use lib0 }\n";
         return files;
       }()},
      {"large files", using_all(63,
                                [](int i) {
                                  return rows(3000, [&](int k) {
                                    return fmt::format("value b{}_{}(p: player): int = p.p + {}\n", i, k, k);
                                  });
                                })},
      {"a table of many lines",
       {{"worst.rules", with_enum},
        {"worst.csv", "name\n" + rows(100000, [](int i) { return fmt::format("n{}\n", i); })}}},
      {"a table of many columns",
       {{"worst.rules", with_csv},
        {"worst.csv", "name," + rows(100000, [](int i) { return fmt::format("c{},", i); }) + "\n"}}},
      {"a table of nothing", {{"worst.rules", with_csv}, {"worst.csv", std::string(1000000, ',')}}},
      {"a long field", {{"worst.rules", with_csv}, {"worst.csv", "name,a\nx,\"" + std::string(900000, 'x') + "\"\n"}}},
  };
}

// Returns rules that respect the size limits of a file, but whose decisions exceed the work limit.
std::vector<std::pair<std::string, std::string>> endless() {
  const auto twice = [](const std::string& what, int n) {
    return "event e0(p: player) { p.p = 9 - p.p }\n" +
           rows(n, [](int i) { return fmt::format("event e{}(p: player) {{ e{}(p); e{}(p) }}\n", i + 1, i, i); }) +
           fmt::format("action x in main {{ {} }}\n", what);
  };
  return {
      {"values that ask twice", calls("value", 40)},
      {"functions that call twice", calls("function", 40)},
      {"events that happen twice", twice("e40(me)", 40)},
      {"a loop of long turns", twice("repeat 900000 { e12(me) }", 12)},
      {"what calls itself twice",
       "function f(p: player, n: int): int nested up to 60 = if n == 0 then p.p else f(p, n - 1) + f(p, n - 1)\naction "
       "x in main when f(me, 50) > 3 { me.p = 1 }\n"},
      {"loops in loops",
       "table { z: 0..1000000000000 = 1000000000 }\naction x in main { repeat z { repeat 40 { repeat 40 { repeat 40 { "
       "me.p = 9 - me.p } } } } }\n"},
      {"sums in sums", "value v(p: player): int = " + rows(30, [](int) { return std::string("sum of ("); }) + "p.p" +
                           rows(30, [](int i) { return fmt::format(") for q{} in players", i); }) +
                           "\naction x in main when v(me) > 3 { me.p = 1 }\n"},
      {"turns without a decision",
       "event tick(p: player) { p.p = 9 - p.p }\nreplace play { turns clockwise from first of players up to "
       "1000000000000 { phase main { tick(active) } } }\n"},
      {"rounds without a decision",
       "event tick(p: player) { p.p = 9 - p.p }\nreplace play { rounds 1000000000000 { each p in players { tick(p) } } "
       "}\n"},
  };
}

}   // namespace

TEST_CASE("`check` handles every single file within its limits", "[ceilings]") {
  const TemporaryFolder folder;
  for (const auto& [name, rules] : worst())
    must_be_little(name, checked(folder.write("worst.rules", game_with(rules))));
}

TEST_CASE("`check` handles every set of files within its limits", "[ceilings]") {
  const TemporaryFolder folder;
  for (const auto& [name, files] : worst_of_many()) {
    for (const auto& [file, text] : files) folder.write(file, text);
    must_be_little(name, checked(folder.path() + "/" + files[0].first));
  }
}

TEST_CASE("too many variants are rejected at once", "[ceilings]") {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "worst.rules",
      kGame + rows(40, [](int i) { return fmt::format("option o{0}\nwith o{0} {{ value q{0}: int = 1 }}\n", i); }));
  must_be_little("40 options", taken_by([&] { api::try_variants(api::Ruleset::load(path), {}); }));
}

TEST_CASE("a rule exhausts its work limit within seconds", "[ceilings]") {
  const TemporaryFolder folder;
  for (const auto& [name, rules] : endless())
    must_be_little(name, taken_by([&, path = folder.write("worst.rules", game_with(rules))] {
                     api::SimulateSettings settings;
                     settings.games = 1;
                     settings.threads = 1;
                     const auto failures = api::simulate(api::Ruleset::load(path).compile(), settings).failures;
                     if (failures.size() != 1 || failures[0].failure.trap != "too much work for one decision")
                       ::_exit(2);
                   }));
}
