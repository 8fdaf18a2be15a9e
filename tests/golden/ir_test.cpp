// What the compiler makes of a ruleset, as IR; and that what a ruleset doesn't use leaves nothing behind in it.
#include "cardwright/tools.hpp"
#include "tests/golden/golden.h"

namespace cardwright::golden {
namespace {

std::string ir_of(const std::string& file, api::Form form = api::Form::playout) {
  const api::Ruleset rules = api::Ruleset::load((root() / "tests/golden/ir" / file).string());
  return api::print(rules, {}, api::Stage::ir, form);
}

// A copy of a ruleset with some lines taken out, loaded from a temporary folder under the same name.
std::string ir_without(const std::string& file, const std::string& word) {
  std::istringstream in(read_text(root() / "tests/golden/ir" / file));
  std::string kept;
  for (std::string line; std::getline(in, line);) kept += (line.find(word) == std::string::npos ? line : "") + "\n";
  const fs::path elsewhere = fs::temp_directory_path() / ("cardwright-golden-ir-" + std::to_string(std::rand()));
  fs::create_directories(elsewhere);
  write_text(elsewhere / file, kept);
  const api::Ruleset rules = api::Ruleset::load((elsewhere / file).string());
  const std::string ir = api::print(rules, {}, api::Stage::ir, api::Form::playout);
  fs::remove_all(elsewhere);
  return ir;
}

}  // namespace

TEST_CASE("golden: IR, a character that is dealt", "[golden][ir]") {
  check_golden("ir/used.playout.ir", ir_of("used.rules"));
  check_golden("ir/used.step.ir", ir_of("used.rules", api::Form::step));
}

TEST_CASE("golden: IR, a character that nobody can have", "[golden][ir]") {
  check_golden("ir/unused.playout.ir", ir_of("unused.rules"));
}

TEST_CASE("golden: what is not used leaves nothing behind in the IR", "[golden][ir]") {
  // Sue is in no deck of unused.rules: without her lines the IR is the same, letter by letter.
  CHECK(ir_of("unused.rules") == ir_without("unused.rules", "Sue"));
  CHECK(ir_of("used.rules") != ir_of("unused.rules"));
  CHECK(ir_of("used.rules").size() > ir_of("unused.rules").size());
}

}  // namespace cardwright::golden
