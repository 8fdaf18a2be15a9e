// Whatever a file says, `check` is done soon and with little memory: the worst that could be thought of, each in a process of its own
// that may not take more. The ceilings are several times what is needed, so that a busy machine fails nothing.
#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"

using namespace cardwright;

namespace {

constexpr rlim_t kMostSeconds = 20;                // of a processor; five are meant
constexpr rlim_t kMostMemory = rlim_t{3} << 30;    // addresses, with those of the libraries; one GB is meant

const std::string kGame =
    "game \"Worst\"\nplayers 2\ncard type Chip { n: 0..9 = 0 }\ndeck Chips: Chip into bag { Chip x 9 }\ntable { zone bag: pile, facedown }\n"
    "player { zone hand: public; p: 0..9 = 0 }\nplay { turns clockwise from first of players up to 4 { phase main { ask active or pass } } }\n"
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
  return "record R0 { a: 0..1 = 0; b: 0..1 = 0 }\n" + rows(n, [](int i) { return fmt::format("record R{} {{ a: R{}; b: R{} }}\n", i + 1, i, i); });
}
std::string calls(const std::string& what, int n) {        // each calls the one before twice
  return fmt::format("{} v0(p: player): int = p.p\n", what) +
         rows(n, [&](int i) { return fmt::format("{} v{}(p: player): int = v{}(p) + v{}(p)\n", what, i + 1, i, i); }) + fmt::format("action x in main when v{}(me) > 3 {{ me.p = 1 }}\n", n);
}

std::vector<std::pair<std::string, std::string>> worst() {
  return {
      {"records in records", nested_records(40) + "player { r: R40 }\n"},
      {"a record in itself", "record R { a: R }\nplayer { r: R }\n"},
      {"records by the thousand", nested_records(5) + "action go in main { " + rows(5000, [](int i) { return fmt::format("let x{} = R5(); ", i); }) + "}\n"},
      {"parameters by the thousand", nested_records(5) + "event e(" + rows(5000, [](int i) { return fmt::format("x{}: R5, ", i); }) + "y: int) { }\n"},
      {"enums", rows(100, [](int i) { return constants(fmt::format("E{}_", i)); })},
      {"tables", constants("A") + "player { m: 0..9 per A per A = 0 }\nenum B { t: 0..9 per A = 0\nx, y }\n"},
      {"subsets", constants("A") + "const s = subsets(A, 0..62)\nvalue v: int = size(s)\n"},
      {"a const over many numbers", "const s = sum of n for n in 1..1000000000000\nvalue v: int = s\n"},
      {"a deck of many", "deck D: Chip into bag { each a in 1..100000, b in 1..100000 where false: Chip(n: 1) }\n"},
      {"copies", "deck D: Chip into bag { Chip x 1000000000000 }\nplayer { zone z: public, starts with 1000000000000 Chip }\n"},
      {"options", rows(200, [](int i) { return fmt::format("option o{} = ", i) + rows(59, [](int v) { return fmt::format("v{} | ", v); }) + fmt::format("w\nwith o{} == v1 {{ value q{}: int = 1 }}\n", i, i); })},
      {"nested `with`", "option o\n" + rows(150, [](int) { return std::string("with o { "); }) + "value z: int = 1" + std::string(150, '}') + "\n"},
      {"areas", rows(200, [](int i) { return fmt::format("area nest{} x 61 {{ v{}: 0..9 = 0; zone z{}: public }}\n", i, i, i); })},
      {"zones", "player { " + rows(5000, [](int i) { return fmt::format("zone z{}: public; ", i); }) + "}\n"},
      {"messages", "setup { " + rows(20000, [](int i) { return fmt::format("x{} = 0; ", i); }) + "}\n"},
      {"combinations", constants("A") + "action x(a: A, b: A, c: A, d: A, e: A, f: A) in main { me.p = 1 }\n"},
      {"scenarios", rows(2000, [](int i) { return fmt::format("scenario \"s{}\" for 2 players {{ when main of a begins\n then a.p == 0 }}\n", i); })},
      {"values that ask twice", calls("value", 40)},
      {"functions that call twice", calls("function", 40)},
      {"turns without a decision", "event tick(p: player) { p.p = 9 - p.p }\nreplace play { turns clockwise from first of players up to 1000000000000 { phase main { tick(active) } } }\n"},
      {"work before each decision", "action x in main { repeat up to 1000 times while me.p < 10 { repeat 900 { me.p = 9 - me.p } } }\n"},
  };
}

// 0: it was checked, whatever was said; else how the process ended.
int checked_apart(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit seconds{kMostSeconds, kMostSeconds}, memory{kMostMemory, kMostMemory};
    ::setrlimit(RLIMIT_CPU, &seconds);
    ::setrlimit(RLIMIT_AS, &memory);
    try {
      api::Ruleset::load(path).check();
    } catch (const api::Error&) {
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("no file is too much for `check`", "[ceilings]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("cardwright-ceilings-{}", ::getpid());
  std::filesystem::create_directories(folder);
  for (const auto& [name, rules] : worst()) {
    const std::string path = (folder / "worst.rules").string();
    std::string text = kGame;
    if (const std::size_t at = rules.find("replace play"); at != std::string::npos) text = text.substr(0, text.find("play {")) + text.substr(text.find("end when")) + rules.substr(0, at) + rules.substr(at + 8);
    else text += rules;
    std::ofstream(path) << text;
    INFO(name);
    CHECK(checked_apart(path) == 0);
  }
  std::filesystem::remove_all(folder);
}
