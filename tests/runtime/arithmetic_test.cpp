// Tests that arithmetic is consistent: an operator gives the same result in a constant, in a condition on printed
// attributes, folded, interpreted, compiled and unoptimized. runtime/ops computes the expected results.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "compiler/analysis/constants.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

using model::ExprKind;

struct Operator {
  ExprKind kind;
  const char* form;   // an expression of two numbers, in the syntax of rules
  bool truth = false;   // the result is a condition
};
const Operator kOperators[] = {
    {ExprKind::add, "{} + {}"},          {ExprKind::subtract, "{} - {}"},
    {ExprKind::multiply, "{} * {}"},     {ExprKind::divide, "{} / {}"},
    {ExprKind::modulo, "{} mod {}"},     {ExprKind::power, "{} ** {}"},
    {ExprKind::minimum, "min({}, {})"},  {ExprKind::maximum, "max({}, {})"},
    {ExprKind::less, "{} < {}", true},   {ExprKind::less_equal, "{} <= {}", true},
    {ExprKind::equal, "{} == {}", true}, {ExprKind::not_equal, "{} != {}", true},
};
constexpr Int kMost = 400'000'000'000;   // twice this value is still a valid literal
const Int kNumbers[] = {-kUnlimited, -kMost, -64, -2, -1, 0, 1, 2, 3, 63, 65, kMost, kUnlimited};

std::string written(Int number) {
  if (number == kUnlimited) return "unlimited";
  if (number == -kUnlimited) return "(-unlimited)";
  return number < 0 ? fmt::format("({})", number) : fmt::format("{}", number);
}
std::string in_form(const Operator& of, const std::string& a, const std::string& b) {
  return fmt::format(fmt::runtime(of.form), a, b);
}
// Returns the expression, converted to 1 or 0 if it is a condition.
std::string as_number(const Operator& of, const std::string& a, const std::string& b) {
  return of.truth ? fmt::format("(if {} then 1 else 0)", in_form(of, a, b)) : fmt::format("({})", in_form(of, a, b));
}

struct Sum {
  Int a, b, is;
  bool can_be_const;   // a constant must not overflow to unlimited
};
std::vector<Sum> sums_of(ExprKind kind) {
  std::vector<Sum> sums;
  for (const Int a : kNumbers)
    for (const Int b : kNumbers) {
      const analysis::Result result = analysis::arithmetic(kind, a, b);
      const bool written_so = kind == ExprKind::power && b < 0;   // a negative exponent is an error in a constant
      const bool too_large = analysis::is_finite(a) && analysis::is_finite(b) && !analysis::is_finite(result.value);
      if (result.good()) sums.push_back({a, b, result.value, !too_large && !written_so});
    }
  return sums;
}

// Returns rules that make every calculation with constants, local variables, table variables and attributes of cards.
// The game has winners only if all results are as expected.
std::string rules_for(const Operator& of) {
  const std::vector<Sum> sums = sums_of(of.kind);
  std::string consts, cards, lines;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Sum& s = sums[i];
    const std::string a = written(s.a), b = written(s.b), is = written(s.is);
    cards += fmt::format("{}Sum(a: {}, b: {}, gives: {})", i ? ", " : "", a, b, is);
    lines += fmt::format("event line_{}() {{\n  var x = {}\n  var y = {}\n  if {} != {} then folded = false\n", i, a, b,
                         as_number(of, "x", "y"), is);
    if (s.can_be_const) {
      consts += fmt::format("const k{} = {}\n", i, in_form(of, a, b));
      lines += fmt::format("  if {} != {} then as_const = false\n",
                           of.truth ? fmt::format("(if k{} then 1 else 0)", i) : fmt::format("k{}", i), is);
    }
    lines += "}\n";
  }
  std::string calls;
  for (std::size_t i = 0; i < sums.size(); ++i) calls += fmt::format("  line_{}()\n", i);
  return fmt::format(R"(game "Arithmetic"
players 2
{}card type Sum {{ unprinted a: int, b: int, gives: int }}
deck Sums: Sum into sums {{ {} }}
table {{
  zone sums: public
  x: int = 0; y: int = 0; nought: 0..0 = 0
  as_const: bool = true; folded: bool = true; asked: bool = true; printed: bool = true; compared: bool = true
}}
{}event check() {{
{}  each c in sums {{
    x = c.a
    y = c.b
    if {} != c.gives then asked = false
  }}
  if size(sums where {} == it.gives) != {} then printed = false
  if size(sums where {} + nought != it.gives) != 0 then compared = false
}}
play {{ phase main {{ check() }} }}
end when play is over {{ winners (players where as_const and folded and asked and printed and compared) }}
scenario "sums" for 2 players {{ when main of a begins then as_const and folded and asked and printed and compared }}
)",
                     consts, cards, lines, calls, as_number(of, "x", "y"), as_number(of, "it.a", "it.b"), sums.size(),
                     as_number(of, "it.a", "it.b"));
}

std::string wrong_in(const api::Ruleset& rules, api::EngineKind engine, bool plain) {
  const api::Game game = rules.compile({0, {}, plain}, engine);
  api::State state = game.new_state(1);
  state.playout();
  const std::string where = fmt::format("{}{}: ", api::name_of(engine), plain ? ", plain" : "");
  if (const auto failure = state.failure()) return where + failure->text() + "\n";
  return state.winners().size() == 2 ? std::string() : where + state.view(0) + "\n";
}

std::vector<api::EngineKind> engines() {
  std::vector<api::EngineKind> both{api::EngineKind::interpreter};
  if (api::jit_is_available()) both.push_back(api::EngineKind::jit);
  return both;
}

}   // namespace

TEST_CASE("arithmetic: an operator gives the same result wherever it is evaluated", "[arithmetic]") {
  const TemporaryFolder folder;
  for (const Operator& of : kOperators) {
    const std::string rules = rules_for(of);
    const std::string path = folder.write("sums.rules", rules);
    INFO(of.form);
    try {
      const api::Ruleset ruleset = api::Ruleset::load(path);
      for (const api::EngineKind engine : engines())
        for (const bool plain : {false, true}) CHECK(wrong_in(ruleset, engine, plain) == "");
    } catch (const api::Error& error) {
      FAIL(error.what() << "\n" << error.report().text.substr(0, 2000));
    }
  }
}

TEST_CASE("arithmetic: an error is a message in a constant, and the same trap in every form", "[arithmetic]") {
  struct Wrong {
    const char *a, *b, *form, *message, *trap;
  };
  const TemporaryFolder folder;
  for (const Wrong& w :
       {Wrong{"1", "0", "{} / {}", "division by zero", "division by zero"},
        Wrong{"unlimited", "0", "{} mod {}", "division by zero", "division by zero"},
        Wrong{"1000000000000", "1000000000000", "{} * {}", "number is too large", "number too large"}}) {
    INFO(w.a << " " << w.form << " " << w.b);
    const std::string constant = fmt::format(fmt::runtime(w.form), w.a, w.b);
    const auto report_of = [&](const std::string& rules) {
      const api::Ruleset ruleset = api::Ruleset::load(folder.write("wrong.rules", rules));
      return ruleset.check().text;
    };
    const std::string head = "game \"Wrong\"\nplayers 2\n",
                      tail = "play { phase main { } }\nend when play is over { winners nobody }\n";
    // Tests a constant and a computed attribute.
    for (const std::string& rules : {head + fmt::format("const k = {}\ntable {{ x: int = k }}\n", constant) + tail,
                                     head +
                                         fmt::format("card type Sum {{ a: int, b: int; unprinted c: int = {} }}\ndeck "
                                                     "Sums: Sum into sums {{ Sum(a: {}, b: {}) }}\n",
                                                     fmt::format(fmt::runtime(w.form), "a", "b"), w.a, w.b) +
                                         "table { zone sums: public }\n" + tail}) {
      const std::string text = report_of(rules);
      INFO(text);
      CHECK(text.find(w.message) != std::string::npos);
      CHECK(text.find("wrong.rules:") != std::string::npos);
    }
    // Tests the operator in a game: with unknown numbers, with numbers known to folding, and in a condition on printed
    // attributes.
    const std::string asked =
        fmt::format("event go() {{ if {} == 1 then x = 1 }}\n", fmt::format(fmt::runtime(w.form), "x", "y"));
    const std::string folded = fmt::format("event go() {{ var v = {}; var w = {}; if {} == 1 then x = 1 }}\n", w.a, w.b,
                                           fmt::format(fmt::runtime(w.form), "v", "w"));
    const std::string printed = fmt::format("event go() {{ if size(sums where {} == 1) == 1 then x = 1 }}\n",
                                            fmt::format(fmt::runtime(w.form), "it.a", "it.b"));
    for (const std::string& event : {asked, folded, printed}) {
      const std::string rules =
          head +
          fmt::format(
              "card type Sum {{ unprinted a: int, b: int }}\ndeck Sums: Sum into sums {{ Sum(a: {0}, b: {1}) }}\n"
              "table {{ zone sums: public; x: int = {0}; y: int = {1} }}\n",
              w.a, w.b) +
          event + "play { phase main { go() } }\nend when play is over { winners nobody }\n";
      INFO(rules);
      const api::Ruleset ruleset = api::Ruleset::load(folder.write("wrong.rules", rules));
      for (const api::EngineKind engine : engines())
        for (const bool plain : {false, true}) {
          api::State state = ruleset.compile({0, {}, plain}, engine).new_state(1);
          state.playout();
          REQUIRE(state.failure());
          CHECK(state.failure()->trap == w.trap);
        }
    }
  }
}
