// Tests that every shipped rules file is parsed in the parser's fast mode, and quickly.
#include <chrono>
#include <filesystem>

#include "tests/parse/parsing.h"
#include "tests/support/checkout.h"

namespace cardwright::parse_tests {

TEST_CASE("shipped files parse in the fast mode") {
  namespace fs = std::filesystem;
  for (const char* folder : {"rulesets", "stdlib", "examples"}) {
    const fs::path root = fs::path(test::checkout()) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".rules") continue;
      SourceMap sources;
      Diagnostics diagnostics(sources);
      ast::Arena arena;
      const auto id = parse::read_source(entry.path(), sources, diagnostics);
      bool thorough = false;
      if (id) parse::parse(*id, diagnostics, arena, &thorough);
      INFO(entry.path() << "\n" << render_text(diagnostics, sources));
      CHECK(diagnostics.all().empty());
      CHECK(!thorough);
    }
  }
}

TEST_CASE("a game of 46 KB parses in well under 100 ms") {
  std::string text = "game \"large\"\n";
  for (int i = 0; text.size() < 46 * 1024; ++i)
    text += "card Hat" + std::to_string(i) + R"(: Yellow, towels 4 "Label" {
  text "When you are splashed, flip: a Ducky is a Miss."
  play in main (target in others where in_reach(me, target)) when splashes < splash_limit(me) {
    splashes += 1
    if victim.towels < 1 and not open rescue(victim) then soak(victim, by) else move top 2 of draw to me.hand
    hit(target, by: me, max(misses_needed(me), sum of c.number for c in me.hand where c is Miss or c.rank == 3))
  }
}
)";
  const auto begin = std::chrono::steady_clock::now();
  Parsed p(text);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  CHECK(p.messages() == "");
  CHECK(took.count() < 500);   // 12 ms on the reference machine; the limit allows for five parallel builds
}

}   // namespace cardwright::parse_tests
