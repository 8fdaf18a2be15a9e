// Tests the IR of rulesets, and that elements a ruleset doesn't use add nothing to it.
#include <unistd.h>

#include <regex>

#include "cardwright/tools.hpp"
#include "tests/support/golden.h"

namespace cardwright::golden {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

std::string ir_of(const fs::path& file, const Options& options = {}, api::Form form = api::Form::playout) {
  return api::print(api::Ruleset::load(file.string()), {0, options}, api::Stage::ir, form);
}

fs::path in_folder(const std::string& file) { return root() / "tests/golden/ir" / file; }

// Returns the IR of a copy of the file in which each line that contains one of the words is empty.
std::string ir_without(const std::string& file, const std::vector<std::string>& words) {
  std::istringstream in(read_text(in_folder(file)));
  std::string remaining;
  for (std::string line; std::getline(in, line); remaining += line + "\n")
    for (const std::string& word : words)
      if (line.find(word) != std::string::npos) line.clear();
  const fs::path elsewhere = fs::temp_directory_path() / ("cardwright-golden-ir-" + std::to_string(::getpid()));
  fs::create_directories(elsewhere);
  write_text(elsewhere / file, remaining);
  const std::string ir = ir_of(elsewhere / file);
  fs::remove_all(elsewhere);
  return ir;
}

}   // namespace

TEST_CASE("golden: IR of a used trigger", "[golden][ir]") {
  check_golden("ir/trigger.used.playout.ir", ir_of(in_folder("trigger.rules"), {{"sue", "on"}}));
  check_golden("ir/trigger.used.step.ir", ir_of(in_folder("trigger.rules"), {{"sue", "on"}}, api::Form::step));
}

TEST_CASE("golden: an unused trigger adds nothing to the IR", "[golden][ir]") {
  const std::string unused = ir_of(in_folder("trigger.rules")),
                    used = ir_of(in_folder("trigger.rules"), {{"sue", "on"}});
  check_golden("ir/trigger.unused.playout.ir", unused);
  CHECK(used.find("Sue") != std::string::npos);
  CHECK(unused.find("Sue") == std::string::npos);
  // The result is the same as if the character had never been declared.
  const std::string never = ir_without("trigger.rules", {"with sue { character", "with sue { deck"});
  INFO(difference(never, unused));
  CHECK(never == unused);
}

TEST_CASE("golden: cards in no deck and characters in no pool add nothing to the IR", "[golden][ir]") {
  const std::string ir = ir_of(in_folder("idle.rules"));
  CHECK(ir.find("Gold") == std::string::npos);
  CHECK(ir.find("Sue") == std::string::npos);
}

// `drop` gets a card but not its owner, so the card is located once, among the three hands that begin at instance 0.
TEST_CASE("golden: a card passed to an event is located once, among the zones that may contain it", "[golden][ir]") {
  const std::string ir = ir_of(in_folder("handed_on.rules")), drop = ir.substr(ir.find("\"event drop\""));
  std::smatch found;
  REQUIRE(std::regex_search(drop, found, std::regex("(r\\d+) = const_int 0\n  (r\\d+) = zone_of r0, \\1\n")));
  CHECK(drop.find("move_card r0, " + found[2].str() + ", ") != std::string::npos);
}

// The part of the area is known, so the cards need not be located, even in an event with the part and the card as
// parameters.
TEST_CASE("golden: cards in a known part of an area need not be located", "[golden][ir]") {
  const std::string ir = ir_of(in_folder("parts.rules"));
  for (const std::string event : {"sweep", "lose"}) {
    const std::string rest = ir.substr(ir.find("\"event " + event + "\"")),
                      body = rest.substr(0, rest.find("\nfunction "));
    std::smatch found;
    INFO(body);
    REQUIRE(std::regex_search(body, found, std::regex("  (?:move_cards|r\\d+ = zone_of) r\\d+, (r\\d+)")));
    CHECK(std::regex_search(body, std::regex("  " + found[1].str() + " = zone_index z")));
  }
}

// The options are evaluated once to count them, and once to list them.
TEST_CASE("golden: a decision reuses the counted options for its first parameter", "[golden][ir]") {
  const std::string ir = ir_of(in_folder("parts.rules"));
  const std::regex alike("set_lookalikes");
  CHECK(std::distance(std::sregex_iterator(ir.begin(), ir.end(), alike), std::sregex_iterator()) == 2);
}

// The plays form these groups: the cards on the table; Pear and Plum; Quince, Peach and Melon. Apple is in no group,
// because a Peach can also be an Apple; neither is Fig, which needs a player as a parameter.
TEST_CASE("golden: consecutive plays that need only the card are counted together", "[golden][ir]") {
  const std::string ir = ir_of(root() / "tests/rulesets/small/rows.rules");
  const std::regex choice("  switch r\\d+, b\\d+((?:, \\d: b\\d+)*)\n");
  std::vector<std::size_t> sizes;
  for (auto it = std::sregex_iterator(ir.begin(), ir.end(), choice); it != std::sregex_iterator(); ++it) {
    const std::string cases = (*it)[1];
    sizes.push_back(1 + static_cast<std::size_t>(std::count(cases.begin(), cases.end(), ':')));
  }
  CHECK(sizes == std::vector<std::size_t>{2, 2, 3});
}

// The `whenever` condition of the ruleset is evaluated before and after the rule fires, each time once for both hands.
TEST_CASE("golden: a condition on any player's hand is evaluated for all hands together", "[golden][ir]") {
  const std::string ir = ir_of(in_folder("parts.rules")), rest = ir.substr(ir.find("\"settling\""));
  const std::string body = rest.substr(0, rest.find("\nfunction "));
  const std::regex any("= set_any ");
  CHECK(std::distance(std::sregex_iterator(body.begin(), body.end(), any), std::sregex_iterator()) == 2);
}

// The event `look` of the ruleset contains every condition twice. The second form subtracts 0, so it must be evaluated
// player by player.
TEST_CASE("golden: numbers of all players are compared at once", "[golden][ir]") {
  const std::string ir = ir_of(root() / "tests/rulesets/small/lanes.rules"),
                    look = ir.substr(ir.find("\"event look\""));
  const std::string body = look.substr(0, look.find("\nfunction "));
  const auto how_often = [&](const std::string& op) {
    int n = 0;
    for (std::size_t at = body.find(op); at != std::string::npos; at = body.find(op, at + 1)) ++n;
    return n;
  };
  // Each == and != needs two of these operations. The condition on a minimum uses none, because one of the two numbers
  // has modifiers.
  CHECK(how_often("= lanes_at_most ") == 11);
  CHECK(how_often("= lanes_cards ") == 7);
}

}   // namespace cardwright::golden
