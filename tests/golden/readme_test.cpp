// Tests the documentation for newcomers: every ```rules block of README.md passes `check` and plays, and every
// ```sh block runs successfully.
#include <sys/wait.h>
#include <unistd.h>

#include "cardwright/tools.hpp"
#include "support/temporary_folder.h"
#include "tests/support/golden.h"

namespace cardwright::golden {
namespace {

struct Fence {
  std::string language, text;
  int line = 0;
};

std::vector<Fence> fences(const fs::path& page) {
  std::vector<Fence> out;
  std::istringstream in(read_text(page));
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) out.push_back({line.substr(3), "", number});
    } else if (inside) {
      out.back().text += line + "\n";
    }
  }
  return out;
}

// The first line of a block names its file, for example `// twenty.rules`.
std::string file_name(const Fence& fence) {
  const std::size_t end = fence.text.find('\n');
  return fence.text.starts_with("// ") ? fence.text.substr(3, end - 3) : std::string();
}

fs::path write_rules(const TemporaryFolder& folder) {
  for (const Fence& fence : fences(root() / "README.md"))
    if (fence.language == "rules") write_text(folder.path() + "/" + file_name(fence), fence.text);
  return folder.path();
}

// Replaces the launcher, which would rebuild the project, with the built command. Limits the number of games, closes
// the standard input, and stops a server after three seconds.
std::string as_run_here(std::string command, const fs::path& folder) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "cardwright";
  command = replace_all(command, "./cardwright", program.string());
  if (command.find(" simulate ") != std::string::npos && command.find("--games") == std::string::npos)
    command += " --games 200";
  const bool serves = command.find(" serve ") != std::string::npos;
  if (serves) command = "timeout --foreground --preserve-status -s INT 3 " + command + " --port 0";
  return "cd " + folder.string() + " && TERM=dumb XDG_STATE_HOME=" + folder.string() + " " + command +
         " </dev/null >out.txt 2>&1";
}

}   // namespace

TEST_CASE("readme: the rules pass check and play", "[golden][readme]") {
  const TemporaryFolder folder;
  write_rules(folder);
  int shown = 0;
  for (const fs::path& file : files(folder.path(), ".rules")) {
    const api::Ruleset rules = api::Ruleset::load(file.string());
    const api::Report report = rules.check();
    INFO(file << "\n" << report.text);
    CHECK(report.errors == 0);
    CHECK(report.warnings == 0);
    api::SimulateSettings settings;
    settings.games = 50;
    settings.threads = 1;
    CHECK(api::simulate(rules.compile(), settings).failed == 0);
    ++shown;
  }
  CHECK(shown >= 2);
}

TEST_CASE("readme: the commands work", "[golden][readme]") {
  const TemporaryFolder folder;
  write_rules(folder);
  int run = 0;
  for (const Fence& fence : fences(root() / "README.md")) {
    if (fence.language != "sh") continue;
    std::istringstream in(fence.text);
    for (std::string line; std::getline(in, line);) {
      line = line.substr(0, line.find("  #"));
      // Skips `selftest`, because this test is part of it.
      if (!line.starts_with("./cardwright ") || line.find(" selftest") != std::string::npos) continue;
      const bool page = line.find(" serve ") != std::string::npos || line.find(" export ") != std::string::npos;
      // These commands need Node.
      if (page && (api::pages_folder().empty() || api::web_runtime_path().empty())) continue;
      const int status = std::system(as_run_here(line, folder.path()).c_str());
      INFO("README.md:" << fence.line << ": " << line << "\n" << read_text(folder.path() + "/out.txt"));
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 0);
      ++run;
    }
  }
  CHECK(run >= 4);
}

}   // namespace cardwright::golden
