// Runs file tests: the text above the line `// ----` is the input, the text below it the expected output. The first
// lines of a file describe the test:
//
//     // RUN: fold, walk_sets        for an .ir file: runs these passes in order (names in pipeline.cpp)
//     // ROOTS: f0                   the functions that the host calls; default: all
//     // RUN: lower "value rich"     for a .rules file: a function right after lowering; `playout` for its final
//                                    form; `plan` for its conditions that need no loop
//
// `./cardwright selftest --update "[files]"` rewrites the expected output; review the difference as carefully as code.
#include <algorithm>
#include <sstream>

#include "cardwright/tools.hpp"
#include "tests/support/golden.h"
#include "tests/support/ir_program.h"

namespace cardwright::golden {
namespace {

const std::string kBelow = "// ----\n";

struct FileTest {
  std::string input;   // the text above `// ----`
  std::string expected;
  std::string setting(const std::string& key) const {
    const std::string start = "// " + key + ": ";
    std::istringstream lines(input);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(start)) return line.substr(start.size());
    return {};
  }
};

FileTest read_test(const fs::path& path) {
  const std::string text = read_text(path);
  const std::size_t at = text.find(kBelow);
  return {text.substr(0, at), at == text.npos ? "" : text.substr(at + kBelow.size())};
}

// The output is written as comments, so that a .rules file stays valid.
std::string in_comment_lines(const std::string& text) {
  std::string all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) all += line.empty() ? "//\n" : "// " + line + "\n";
  return all;
}

void check_file(const fs::path& path, const std::string& made) {
  const FileTest test = read_test(path);
  const std::string now = in_comment_lines(made);
  if (updating()) return write_text(path, test.input + kBelow + now);
  INFO(path.string() << "\n" << difference(test.expected, now));
  CHECK(test.expected == now);
}

std::vector<std::string> words_of(std::string list) {
  std::replace(list.begin(), list.end(), ',', ' ');
  std::istringstream in(list);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

std::string after_passes(const FileTest& test) {
  std::string ir;
  std::istringstream lines(test.input);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("//")) ir += line + "\n";
  Program program;
  test::lay_out(program);
  ir::Module module = test::read_ir(ir);
  std::vector<ir::FunctionIndex> roots;
  for (const std::string& root : words_of(test.setting("ROOTS")))
    roots.push_back(static_cast<ir::FunctionIndex>(std::stoul(root.substr(1))));
  const std::vector<std::string> passes = words_of(test.setting("RUN"));
  REQUIRE_FALSE(passes.empty());
  for (const std::string& name : passes) {
    const passes::Pass* pass = passes::pass_named(name);
    INFO("no pass is called " << name);
    REQUIRE(pass);
    passes::run(*pass, module, {program, roots});
    CHECK(ir::verify(module, {.words = program.layout.words, .variables = 7, .zones = 2}) ==
          std::vector<std::string>{});
  }
  return ir::print(module);
}

// Returns the function with this name in a listing of the whole game.
std::string function_in(const std::string& ir, const std::string& name) {
  const std::size_t at = ir.find("\"" + name + "\"");
  INFO("no function is called " << name);
  REQUIRE(at != ir.npos);
  const std::size_t begin = ir.rfind("function ", at), end = ir.find("\n}\n", at);
  return ir.substr(begin, end + 3 - begin);
}

// Returns the plans of this function: the line with its name and the indented lines below.
std::string plans_in(const std::string& plans, const std::string& name) {
  std::string found;
  std::istringstream lines(plans);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) inside = line == name;
    if (inside) found += line.substr(0, line.find("   // ")) + "\n";   // without the source location
  }
  INFO("nothing is planned in " << name);
  REQUIRE(!found.empty());
  return found;
}

std::string of_rules(const fs::path& path, const FileTest& test) {
  const std::string run = test.setting("RUN");
  const std::size_t quote = run.find(" \"");
  REQUIRE(quote != run.npos);
  const std::string stage = run.substr(0, quote), name = run.substr(quote + 2, run.size() - quote - 3);
  const api::Ruleset rules = api::Ruleset::load(path.string());
  if (stage == "plan") return plans_in(api::print(rules, {}, api::Stage::plan, {}), name);
  const std::string ir = stage == "playout" ? api::print(rules, {}, api::Stage::ir, api::Form::playout)
                                            : api::print_after(rules, {}, stage);
  return function_in(ir, name);
}

std::vector<fs::path> files_in(const std::string& folder, const std::string& extension) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(root() / folder))
    if (entry.path().extension() == extension) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  REQUIRE_FALSE(all.empty());
  return all;
}

}   // namespace

TEST_CASE("files: IR after optimization passes", "[files][passes]") {
  for (const fs::path& path : files_in("tests/passes", ".ir")) {
    INFO(path.string());
    check_file(path, after_passes(read_test(path)));
  }
}

TEST_CASE("files: IR of rules", "[files][lower]") {
  for (const fs::path& path : files_in("tests/lower", ".rules")) {
    INFO(path.string());
    check_file(path, of_rules(path, read_test(path)));
  }
}

TEST_CASE("files: plans of conditions over sets", "[files][plan]") {
  for (const fs::path& path : files_in("tests/plan", ".rules")) {
    INFO(path.string());
    check_file(path, of_rules(path, read_test(path)));
  }
}

}   // namespace cardwright::golden
