// Tests the documentation. Each step of the pages in docs/tutorial and each game in docs/howto is checked and passes
// its scenarios; every example in docs/guide and docs/reference/language compiles; the commands run; all links resolve.
//
// A ```rules block that begins with `game "` or follows `<!-- in: nothing -->` is a complete file. All other blocks
// (```rules, ```rules-part) are fragments, which are inserted into the game marked `<!-- preamble -->` (on the same
// page or in docs/reference/language/README.md) at the place that `<!-- in: … -->` names. `<!-- not compiled -->`
// excludes a block. Commands are the lines of ```sh blocks and indented lines that begin with `cardwright` or
// `./cardwright`; two spaces begin a remark. `<!-- not run -->` excludes a block. Files that a page asks the reader to
// write ("Put this into `name.rules`") exist when its commands run.
#include <catch2/catch.hpp>

#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tests/support/command.h"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

struct Block {
  std::string language;   // "rules", "sh", … or "indented"
  std::string mark;   // the comment before the block
  std::string file;   // the file `name.rules` in the line before the block
  std::string text;
  int line = 0;
};

std::string stripped(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> out;
  std::istringstream lines(page);
  std::string line, mark, file;
  int number = 0;
  bool was_indented = false;
  while (std::getline(lines, line)) {
    ++number;
    const std::string bare = stripped(line);
    if (bare.starts_with("```")) {
      Block block{stripped(bare.substr(3)), mark, file, "", number};
      while (std::getline(lines, line) && !stripped(line).starts_with("```")) ++number, block.text += line + "\n";
      ++number;
      out.push_back(std::move(block));
      mark.clear();
      file.clear();
    } else if (bare.starts_with("<!--")) {
      mark = stripped(bare.substr(4, bare.find("-->") - 4));
    } else if (line.starts_with("    ") && !bare.empty()) {
      if (!was_indented) out.push_back({"indented", mark, "", "", number});
      out.back().text += line + "\n";
      was_indented = true;
      continue;
    } else if (!bare.empty()) {
      mark.clear();
      std::smatch found;
      file = std::regex_search(bare, found, std::regex("`([A-Za-z0-9_]+\\.rules)`")) ? found[1].str() : "";
    }
    if (!bare.empty()) was_indented = false;
  }
  return out;
}

std::string placed(const std::string& piece, const std::string& where) {
  static const std::map<std::string, std::string> holders = {
      {"card", "card Example: Food"},
      {"thing", "card Example: Thing"},
      {"character", "character Example: Person, lives 3"},
      {"player", "player"},
      {"table", "table"},
      {"event", "event example(p: player, q: player?, c: Item, d: Item?, n: int)"},
      {"window", "window example(p: player)"},
      {"setup", "event example()"},
      {"scenario", "scenario \"example\" for 3 players"},
  };
  const auto holder = holders.find(where);
  return holder == holders.end() ? piece : holder->second + " {\n" + piece + "}\n";
}

// Returns the messages; empty on success.
std::string compile(const TemporaryFolder& folder, const std::string& text) {
  try {
    const api::Report report = api::Ruleset::load(folder.write("example.rules", text)).check();
    return report.errors ? report.text : "";
  } catch (const api::Error& error) {
    return error.report().text.empty() ? error.what() : error.report().text;
  }
}

// Returns the pages in a folder and the folders below it, relative to the checkout.
std::vector<std::string> pages_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(checkout(folder)))
    if (entry.path().extension() == ".md")
      out.push_back(std::filesystem::relative(entry.path(), checkout(".")).string());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> all_pages() {
  std::vector<std::string> out = pages_in("docs");
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"}) out.push_back(name);
  for (const auto& entry : std::filesystem::directory_iterator(checkout(".")))
    if (const std::string page = entry.path().filename().string() + "/README.md";
        page != "docs/README.md" && std::filesystem::exists(checkout(page)))
      out.push_back(page);
  return out;
}

// Returns the game that completes the fragments on a page; empty if the page has none.
std::string preamble_in(const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    if (block.mark == "preamble") return block.text;
  return {};
}

std::vector<std::string> commands_in(const Block& block) {
  std::vector<std::string> out;
  if (block.mark.starts_with("not run")) return out;
  if (block.language != "sh" && block.language != "bash" && block.language != "console" && block.language != "indented")
    return out;
  std::istringstream lines(block.text);
  for (std::string line; std::getline(lines, line);) {
    line = stripped(line);
    if (line.starts_with("$ ")) line = line.substr(2);
    if (!line.starts_with("cardwright ") && !line.starts_with("./cardwright ")) continue;
    line = line.substr(line.find(' ') + 1);
    line = stripped(line.substr(0, std::min(line.find("  "), line.find('#'))));
    if (line.starts_with("selftest") || line.starts_with("lint") || line.starts_with("bench"))
      continue;   // commands of the launcher
    if (line.find("…") != std::string::npos || line.find("...") != std::string::npos) continue;
    out.push_back(line);
  }
  return out;
}

// Returns the declarations of a rules fragment, each with its preceding blank lines and comments.
std::vector<std::string> declarations_in(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  std::string line, now;
  int depth = 0;
  while (std::getline(lines, line)) {
    now += line + "\n";
    const std::string code = std::regex_replace(line.substr(0, line.find("//")), std::regex("\"[^\"]*\""), "");
    for (const char c : code) depth += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
    if (depth > 0 || stripped(code).empty()) continue;
    out.push_back(std::move(now));
    now.clear();
  }
  return out;
}

// Returns the key under which a declaration replaces an earlier one, such as "action pick", "scenario \"…\"" or
// "players".
std::string name_of(const std::string& declaration) {
  std::smatch found;
  const std::string bare = declaration.substr(declaration.find_first_not_of(" \n"));
  if (std::regex_search(bare, found, std::regex("^(scenario \"[^\"]*\"|end when [^{]*|use [a-z.]+|card type \\w+)")))
    return stripped(found[1]);
  if (std::regex_search(bare, found,
                        std::regex("^(action|event|window|value|kept value|function|piece|enum|deck|card) \\w+")))
    return found[0];
  return bare.substr(0, bare.find_first_of(" {"));
}

// A step of a page that builds a game. Each heading begins a step, whose declarations extend or replace the earlier
// ones. `<!-- remove: A, B -->` removes declarations; a block that begins `game "…" extends` is a separate file.
struct Step {
  std::string title;
  std::map<std::string, std::string> files;
};
std::vector<Step> steps_of(const std::string& page, const std::string& file) {
  std::istringstream lines(text_of(checkout(page)));
  std::vector<Step> steps;
  std::vector<std::pair<std::string, std::string>> game;   // name and text of each declaration
  const auto take_away = [&](const std::string& name) {
    return std::erase_if(game, [&](const auto& d) { return d.first == name; }) > 0;
  };
  std::string line, wrong;
  while (std::getline(lines, line)) {
    if (line.starts_with("## Step"))
      steps.push_back({line.substr(3), steps.empty() ? std::map<std::string, std::string>() : steps.back().files});
    if (line.starts_with("<!-- remove: ")) {
      std::istringstream names(line.substr(13, line.find(" -->") - 13));
      for (std::string name; std::getline(names, name, ',');) CHECK(take_away(stripped(name)));
    }
    if (line != "```rules") continue;
    std::string text;
    while (std::getline(lines, line) && line != "```") text += line + "\n";
    std::smatch house;
    if (std::regex_search(text, house, std::regex("^game \"[^\"]*\" extends (\\w+)"))) {
      steps.back().files["our_" + house[1].str() + ".rules"] = text;
      continue;
    }
    for (const std::string& declaration : declarations_in(text)) {
      const std::string name = name_of(declaration);
      const auto old = std::find_if(game.begin(), game.end(), [&](const auto& d) { return d.first == name; });
      if (old != game.end())
        old->second = declaration;
      else
        game.emplace_back(name, declaration);
    }
    std::string& whole = steps.back().files[file];
    whole.clear();
    for (const auto& [name, declaration] : game) whole += declaration;
  }
  return steps;
}

// Checks, tests and plays a ruleset. Returns the first error or warning, failed scenario or failed random game; empty
// on success.
std::string tried(const std::string& path) {
  try {
    const api::Ruleset rules = api::Ruleset::load(path);
    const api::Report report = rules.check();
    if (report.errors + report.warnings > 0) return report.text;
    for (const auto& result : api::run_scenarios(rules, {api::EngineKind::interpreter}).results)
      if (!result.passed) return "scenario " + result.title + " fails";
    return {};
  } catch (const api::Error& error) {
    return error.report().text.empty() ? error.what() : error.report().text;
  }
}

}   // namespace

constexpr std::pair<const char*, const char*> kTutorials[] = {{"docs/tutorial/first_game.md", "orchard.rules"},
                                                              {"docs/tutorial/board_game.md", "yard.rules"}};

TEST_CASE("docs: each step of the tutorials is a working game", "[docs]") {
  std::vector<Step> steps;
  for (const auto& [page, file] : kTutorials)
    for (Step& step : steps_of(page, file)) steps.push_back(std::move(step));
  CHECK(steps.size() == 12);
  for (const Step& step : steps) {
    const TemporaryFolder folder;
    for (const auto& [name, text] : step.files) folder.write(name, text);
    for (const auto& [name, text] : step.files) {
      INFO(step.title << ", " << name << "\n" << text);
      CHECK(tried(folder.path() + "/" + name) == "");
      CHECK(text.find("scenario") != std::string::npos);
    }
  }
}

TEST_CASE("docs: each game on a how-to page works", "[docs]") {
  int games = 0;
  for (const std::string& page : pages_in("docs/howto")) {
    const auto blocks = blocks_of(text_of(checkout(page)));
    const TemporaryFolder folder;
    for (const Block& block : blocks)
      if (!block.file.empty() && block.language == "rules") folder.write(block.file, block.text);
    for (const Block& block : blocks) {
      if (block.language != "rules" || !block.text.starts_with("game ")) continue;
      ++games;
      INFO(page << ", the block at line " << block.line);
      CHECK(tried(block.file.empty() ? folder.write("recipe.rules", block.text) : folder.path() + "/" + block.file) ==
            "");
    }
  }
  CHECK(games >= 16);
}

TEST_CASE("docs: every example of the language guide and reference compiles", "[docs]") {
  const std::string shared = preamble_in(blocks_of(text_of(checkout("docs/reference/language/README.md"))));
  REQUIRE_FALSE(shared.empty());
  const TemporaryFolder folder;
  int examples = 0;
  for (const char* where : {"docs/guide", "docs/reference/language"})
    for (const std::string& page : pages_in(where)) {
      const auto blocks = blocks_of(text_of(checkout(page)));
      const std::string own = preamble_in(blocks), &preamble = own.empty() ? shared : own;
      for (const Block& block : blocks) {
        if (!block.language.starts_with("rules") || block.mark.starts_with("not compiled")) continue;
        ++examples;
        const bool whole = block.text.starts_with("game \"") || block.text.find("\ngame \"") != std::string::npos ||
                           block.mark == "in: nothing" || block.text.starts_with("library ");
        const std::string place = block.mark.starts_with("in: ") ? block.mark.substr(4) : "";
        // The preamble comes first, so that the fragment can use its declarations.
        const std::string messages = compile(folder, whole ? block.text : preamble + placed(block.text, place));
        INFO(page << ", the block at line " << block.line << "\n" << messages);
        CHECK(messages.empty());
      }
    }
  CHECK(examples > 100);
}

TEST_CASE("docs: links lead to files and headings that exist", "[docs]") {
  const std::regex link("\\]\\(([^)\\s]+)\\)"), heading("^#+ (.*)");
  int links = 0;
  for (const std::string& page : all_pages()) {
    const std::string text = text_of(checkout(page));
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.starts_with("http") || target.starts_with("mailto:")) continue;
      ++links;
      const std::size_t hash = target.find('#');
      const std::string file =
          hash == 0 ? page : (std::filesystem::path(page).parent_path() / target.substr(0, hash)).string();
      INFO(page << " links to " << target);
      REQUIRE(std::filesystem::exists(checkout(file)));
      if (hash == std::string::npos) continue;
      // A heading's anchor: lower case, letters, digits and hyphens.
      std::set<std::string> anchors;
      std::istringstream lines(text_of(checkout(file)));
      std::smatch found;
      for (std::string line; std::getline(lines, line);) {
        if (!std::regex_search(line, found, heading)) continue;
        std::string anchor;
        for (const char c : found[1].str())
          if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
            anchor += static_cast<char>(std::tolower(c));
          else if (c == ' ')
            anchor += '-';
        anchors.insert(anchor);
      }
      CHECK(anchors.contains(target.substr(hash + 1)));
    }
  }
  CHECK(links > 50);
}

TEST_CASE("docs: the commands that are shown run", "[docs][cli]") {
  for (const std::string& page : all_pages()) {
    // tests/golden/readme_test.cpp runs these commands, with the files that they create.
    if (page == "README.md") continue;
    if (page.starts_with("docs/errors/")) continue;   // its examples are meant to fail
    const auto blocks = blocks_of(text_of(checkout(page)));
    const TemporaryFolder folder;
    for (const Block& block : blocks)
      if (!block.file.empty() && block.language.starts_with("rules")) folder.write(block.file, block.text);
    for (const auto& [tutorial, file] : kTutorials)
      if (page == tutorial) {
        const auto steps = steps_of(tutorial, file);
        for (const auto& [name, text] : steps.back().files) folder.write(name, text);
      }
    for (const Block& block : blocks)
      for (const std::string& command : commands_in(block)) {
        // Commands that need the web pages or the WebAssembly runtime are skipped if these have not been built.
        const bool serves = command.starts_with("serve"), exports = command.starts_with("export");
        if ((command.starts_with("report") || serves || exports) && api::pages_folder().empty()) continue;
        if (exports && api::web_runtime_path().empty()) continue;
        const TemporaryFolder home;
        const std::string line =
            fmt::format("cd {} && XDG_STATE_HOME={} TERM=dumb timeout {} {} {}{} </dev/null >{}/out 2>&1",
                        folder.path(), home.path(), serves ? "--foreground --preserve-status -s INT 3" : "900",
                        program(), command, serves ? " --port 0" : "", home.path());
        const int status = std::system(line.c_str());
        INFO(page << ":" << block.line << ": cardwright " << command << "\n" << text_of(home.path() + "/out"));
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
      }
  }
}
