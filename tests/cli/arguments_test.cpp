// Tests the handling of arguments: one clear message and exit code 2 for invalid ones, --version, and --help.
#include <catch2/catch.hpp>

#include <chrono>

#include "support/temporary_folder.h"
#include "tests/support/checkout.h"
#include "tests/support/command.h"
#include "tools/cli/web/commands.h"

using namespace cardwright::test;

namespace {

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void refuses(const std::string& arguments, const std::string& message) {
  const Ran ran = run(arguments);
  INFO(arguments << "\n" << ran.out << ran.err);
  CHECK(ran.code == 2);
  CHECK(has(ran.err, message));
  CHECK(ran.out.empty());
  CHECK(lines(ran.err) <= 2);
}

}   // namespace

TEST_CASE("cli: invalid arguments are rejected with one message", "[cli]") {
  refuses("simulat splash", "unknown command `simulat`; did you mean `simulate`?");
  refuses("--frob", "unknown option `--frob`");
  refuses("simulate", "GAME is required");
  refuses("simulate splsh", "did you mean `splash`?");
  refuses("simulate nothing/here.rules", "file `nothing/here.rules` not found");
  refuses("simulate splash --players 3", "Splash is for 4 to 8 players, not 3");
  refuses("simulate splash --players many", "--players");
  refuses("simulate splash --games -5", "not an integer");
  refuses("simulate splash --games 1e", "not an integer");
  refuses("simulate splash --games 2e19", "not an integer");
  refuses("simulate splash --games 10k", "; write `10000`");
  refuses("simulate splash --games 1.5M", "; write `1500000`");
  refuses("simulate splash --games 1,000", "; write `1000`");
  const cardwright::TemporaryFolder folder;
  folder.write("towels.rules.txt", "game \"Towels\"\n");
  folder.write("Pool.rules", "game \"Pool\"\n");
  refuses("check " + folder.path() + "/towels.rules", "not found; rename `towels.rules.txt` to `towels.rules`");
  refuses("check " + folder.path() + "/pool.rules", "Pool.rules`?");
  refuses("simulate splash --seed 99999999999999999999999", "not an integer");
  refuses("simulate splash --engine gpu", "--engine");
  const std::string policies = "compare tic_tac_toe --policy bots:10 --against uniform --engine interp ";
  CHECK(has(run(policies + "--pairs 0").out, "0 games of"));
  CHECK(has(run(policies + "--pairs 1").out, "2 games of"));
  refuses(policies + "--margin 2%", "--margin: cannot be combined with --against");
  refuses(policies + "hearts", "OTHER: cannot be combined with --against");
  refuses(policies + "-o part", "-o: cannot be combined with --against");
  refuses(policies + "--policy uniform", "--policy: can be given only once with --against");
  refuses(policies + "--policy a=bots:10", "--policy: can be given only once with --against");
  refuses("compare tic_tac_toe --policy a=bots:10 --against uniform", "a=bots:10");
  refuses("compare tic_tac_toe --against ''", "--against: needs a policy");
  refuses("compare tic_tac_toe --sprt 0,5", "--sprt: needs --against");
  refuses("duel",
          "`duel` is now part of `compare`; run\n"
          "  cardwright compare GAME --policy bots:0.2s --against uniform\n");
  refuses("duel splash --with 'Bar table' bots:9 --games 5 uniform --seed=7 --json --sprt 0,50",
          "  cardwright compare splash --policy bots:9 --against uniform --with 'Bar table' --pairs 3 --seed 7 --json "
          "--sprt 0,50\n");
  refuses("simulate splash --with snorkle=icon20", "did you mean `snorkel`?");
  refuses("simulate splash --with snorkel=icon30", "option `snorkel` has no value `icon30`");
  refuses("simulate splash --with snorkel=", "has no value after `=`");
  refuses("simulate /tmp", "`/tmp` is a folder");
  refuses("simulate /dev/null", "`/dev/null` is not a rules file");
  refuses("variants nothing", "unknown game `nothing`");
  refuses("diff splash nothing", "unknown game `nothing`");
  refuses("diff splash leduc_poker --players 9", "Splash is for 4 to 8 players, not 9");
  refuses("play splash --seat z", "unknown seat `z`");
  refuses("play splash --journal /nonexistent/file", "cannot create /nonexistent/file");
  refuses("play splash --resume /nonexistent/file", "cannot open");
  refuses("explain E9999", "unknown error code `E9999`");
  refuses("print splash --stage tokens", "--stage");
  refuses("print tic_tac_toe --print-after melt", "unknown pass `melt`; passes that run: lower, init_undef, fold, ");
  refuses("print tic_tac_toe --stage llvm --print-after fold", "--print-after prints IR");
  refuses("print tic_tac_toe --form step --print-after fold", "--form");
  refuses("print tic_tac_toe --form step --stage model", "--form applies only to the stages ir and llvm");
  refuses("print tic_tac_toe --plain --stage plan", "--stage plan cannot be combined with --plain");
}

TEST_CASE("cli: the IR after each run of a pass", "[cli]") {
  const Ran lowered = run("print tic_tac_toe --print-after lower"),
            folded = run("print tic_tac_toe --print-after fold");
  CHECK(lowered.out.starts_with("// after lower\n"));
  CHECK(lowered.out.find("function f0 \"turn\" (r0) hidden {") != std::string::npos);
  CHECK(folded.out.starts_with("// after fold\n"));
  CHECK(folded.out.find("// after fold, run 2\n") != std::string::npos);
  CHECK(folded.out.substr(0, folded.out.find("// after fold, run 2")).size() < lowered.out.size());
}

TEST_CASE("cli: help and version", "[cli]") {
  for (const char* command : {"simulate", "play", "serve", "export", "list", "check", "variants", "diff", "report",
                              "test", "print", "explain", "compare", "selftest"}) {
    const Ran ran = run(std::string(command) + " --help");
    INFO(command << ran.err);
    CHECK(ran.code == 0);
    CHECK(has(ran.out, "Usage"));
  }
  const auto start = std::chrono::steady_clock::now();
  const Ran version = run("--version");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  CHECK(version.code == 0);
  CHECK(version.out.starts_with("cardwright "));
  CHECK(run("").code == 2);
}

TEST_CASE("cli: the launcher builds cardwright-web for its commands", "[cli]") {
  const std::string help = run("--help").out, launcher = slurp(checkout("cardwright"));
  std::string pattern;
  for (const cardwright::cli::WebCommand& command :
       {cardwright::cli::kServe, cardwright::cli::kExport, cardwright::cli::kReport}) {
    CHECK(has(help, command.help));
    CHECK(has(run(std::string(command.name) + " --help").out, command.help));
    pattern += (pattern.empty() ? "" : " | ") + std::string(command.name);
  }
  CHECK(has(launcher, "\n  " + pattern + ")"));
  const Ran ran = run("serve --frob");
  CHECK(ran.code == 2);
  CHECK(has(ran.err, "(see cardwright serve --help)"));
}

TEST_CASE("cli: explain lists and explains codes", "[cli]") {
  CHECK(has(run("explain").out, "E0101"));
  CHECK(has(run("explain e0101").out, "E0101: "));
}

TEST_CASE("cli: check prints messages for people and JSON for tools", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/bad.rules") << "game \"Bad\"\nplayers 2..4\ncrad Miss { }\n";
  const Ran text = run("check " + folder.path() + "/bad.rules");
  INFO(text.out << text.err);
  CHECK(text.code == 1);
  CHECK(has(text.out, "bad.rules:3:1: error[E"));
  const Ran json = run("check --format json " + folder.path() + "/bad.rules");
  CHECK(json.code == 1);
  CHECK(json.out.starts_with("["));
  CHECK(json.err.empty());
  CHECK(run("check splash").code == 0);
}
