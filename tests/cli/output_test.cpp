// Tests the command with unwritable output, unreadable files, and signals that end it.
#include <catch2/catch.hpp>

#include <csignal>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/support/command.h"

using namespace cardwright::test;
using Json = nlohmann::json;

namespace {

const char* const kCommands[] = {"--help",
                                 "--version",
                                 "play --help",
                                 "check leduc_poker",
                                 "check leduc_poker --json",
                                 "explain",
                                 "variants splash",
                                 "print splash",
                                 "simulate leduc_poker --games 10",
                                 "diff splash --with snorkel=icon20",
                                 "compare leduc_poker --policy bots:2 --against uniform --pairs 1",
                                 "test leduc_poker",
                                 "play leduc_poker --bots random"};

// Runs the command with its standard output redirected by `redirection`.
Ran run_into(const std::string& arguments, const std::string& redirection) {
  const TemporaryFolder folder;
  const std::string command = "XDG_STATE_HOME=" + folder.path() + " TERM=dumb " + program() + " " + arguments +
                              " </dev/null 2>" + folder.path() + "/err " + redirection;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", slurp(folder.path() + "/err")};
}

bool is_one_message(const std::string& text) {
  return text.starts_with("cardwright: ") && text.find('\n') == text.size() - 1;
}

void write_file(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// Starts a program whose output goes to the file `out`.
pid_t start(const std::vector<std::string>& arguments, const std::string& out, int input) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int output = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(input, STDIN_FILENO), dup2(output, STDOUT_FILENO), dup2(output, STDERR_FILENO);
  setenv("TERM", "dumb", 1);
  std::vector<char*> words;
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

bool wait_for(const std::string& path, const std::string& text) {
  for (int i = 0; i < 600; ++i) {
    if (has(slurp(path), text)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

}   // namespace

TEST_CASE("cli: a full disk or a closed output ends with code 3 and one message", "[cli][output]") {
  for (const char* command : kCommands)
    for (const char* redirection : {">/dev/full", ">&-"}) {
      INFO(command << " " << redirection);
      const Ran ran = run_into(command, redirection);
      CHECK(ran.code == 3);
      CHECK(ran.err == "cardwright: can't write to standard output\n");
    }
}

TEST_CASE("cli: a closed pipe ends with code 3 and one message", "[cli][output]") {
  for (const char* command : kCommands) {
    INFO(command);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);   // no reader
    const Ran ran = run_into(command, ">&" + std::to_string(ends[1]));
    close(ends[1]);
    CHECK(ran.code == 3);
    CHECK(ran.err == "cardwright: can't write to standard output\n");
  }
}

TEST_CASE("cli: no file receives output when standard output is closed", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string journal = folder.path() + "/game";
  run_into("play leduc_poker --engine interp --bots random --seed 3 --journal " + journal, ">&-");
  CHECK(slurp(journal).starts_with("{\"what\":\"cardwright game\""));
  CHECK_FALSE(has(slurp(journal), "lists the commands"));
}

TEST_CASE("cli: check lists the warnings that a file allows", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/game.rules";
  const auto with = [&](const std::string& before) {
    write_file(file,
               "game \"G\"; players 2\ncard type C\ndeck D: C x 9 into bag { C }\nplayer { zone hand: owner }\n"
               "table { zone bag: pile, facedown }\n" +
                   before +
                   "\ntable { spare: 0..9 = 0 }\n"
                   "action take in main { move top of bag to me.hand }\n"
                   "play { turns clockwise from first of players up to 9 { phase main { ask active or pass } } }\n"
                   "end when play is over { winners players with most size(it.hand) }\n");
    return run("check " + file + " --json").out;
  };
  CHECK(has(with(""), "\"severity\": \"warning\""));
  const std::string allowed = with("allow W0006 \"for house rules\"");
  CHECK(has(allowed, "\"severity\": \"allowed\""));
  CHECK(has(allowed, "\"reason\": \"for house rules\""));
  CHECK_FALSE(has(allowed, "\"severity\": \"warning\""));
  CHECK(has(with("allow W0010 \"nothing of the kind\""), "W0031"));
}

TEST_CASE("cli: an error without standard error only sets the exit code", "[cli][output]") {
  CHECK(run_into("check nosuchgame", "2>/dev/full >/dev/null").code == 2);
}

TEST_CASE("cli: a trace that can't be written is an error", "[cli][output]") {
  const Ran full = run("simulate leduc_poker --games 100 --engine interp --trace /dev/full");
  CHECK(full.code == 3);
  CHECK(full.err == "cardwright: writing /dev/full failed\n");
  for (const char* path : {"/", "/nowhere/x"}) {
    const Ran ran = run(std::string("simulate leduc_poker --games 1 --engine interp --trace ") + path);
    INFO(path);
    CHECK(ran.code == 2);
    CHECK(is_one_message(ran.err));
  }
  CHECK(run("simulate leduc_poker --games 1 --engine interp --trace ''").code == 2);
}

TEST_CASE("cli: a file that is not a saved game is rejected at once", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string fifo = folder.path() + "/fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/zero"), std::string("/dev/null"), std::string("/dev/tty"), fifo,
                                  folder.path(), folder.path() + "/none"}) {
    INFO(path);
    const Ran ran = run("play --resume " + path);
    CHECK(ran.code == 2);
    CHECK(is_one_message(ran.err));
  }
}

TEST_CASE("cli: rules and their tables must be files, not pipes or devices", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string fifo = folder.path() + "/pipe.rules", csv = folder.path() + "/table.csv",
                    base = folder.path() + "/base.rules";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  REQUIRE(mkfifo(csv.c_str(), 0600) == 0);
  write_file(base, "extends \"pipe.rules\"\n");
  write_file(folder.path() + "/reads.rules", "game \"Reads\"\nplayers 2\nenum Weapon from \"table.csv\"\nplay { }\n");
  for (const std::string& path : {fifo, base, folder.path() + "/reads.rules", std::string("/dev/zero"),
                                  std::string("/dev/stdin"), folder.path() + "/"}) {
    INFO(path);
    const Ran ran = run("check " + path);
    CHECK((ran.code == 1 || ran.code == 2));
    CHECK_FALSE((ran.err + ran.out).empty());
  }
}

TEST_CASE("cli: a path with a line break or invalid bytes is escaped in one line, also in JSON", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string odd = folder.path() + "/a\nb\xff.rules";
  write_file(odd, "game \"Odd\"\nplayers 2\nplayer { score: 0..9 = 0 }\nplay { nothing(1) }\n");
  const std::string quoted = "\"$(printf '" + folder.path() + "/a\\nb\\377.rules')\"";
  const Ran text = run("check " + quoted);
  INFO(text.out << text.err);
  CHECK(text.code == 1);
  CHECK(has(text.out, folder.path() + "/a\\nb\\xff.rules:4:8: error["));
  CHECK_FALSE(has(text.out, "a\nb"));
  const Ran json = run("check --json " + quoted);
  CHECK(json.code == 1);
  CHECK(Json::parse(json.out)[0]["file"] == folder.path() + "/a\\nb\\xff.rules");
  const Ran none = run("check \"$(printf 'no\\nsuch\\377.rules')\"");
  CHECK(none.code == 2);
  CHECK(none.err == "cardwright: file `no\\nsuch\\xff.rules` not found\n");
}

TEST_CASE("cli: check ends with code 1 if every random game fails", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/wrong.rules";
  const auto rules = [](const std::string& other) {
    return "game \"Wrong\"\nplayers 2\nplayer { score: 0..9 = 0 }\naction up in main { me.score += 10 }\n" + other +
           "play { turns clockwise from first of players up to 3 { phase main { ask active } } }\n"
           "end when play is over { winners players with most score }\n";
  };
  write_file(path, rules(""));
  const Ran all = run("check " + path), json = run("check --json " + path);
  INFO(all.out << all.err);
  CHECK(all.code == 1);
  CHECK(has(all.out, "every random game at some table fails"));
  CHECK(json.code == 1);
  write_file(path, rules("action stay in main { me.score += 1 }\n"));
  const Ran some = run("check " + path);
  INFO(some.out << some.err);
  CHECK(some.code == 0);
}

TEST_CASE("cli: play saves the game on a signal and prints the path", "[cli][output]") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryFolder folder;
    const std::string journal = folder.path() + "/game", out = folder.path() + "/out";
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    REQUIRE(write(ends[1], "1\n", 2) == 2);
    const pid_t child = start(
        {program(), "play", "splash", "--engine", "interp", "--bots", "random", "--seed", "5", "--journal", journal},
        out, ends[0]);
    CHECK(wait_for(out, "> "));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(child, number);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    close(ends[0]), close(ends[1]);
    INFO(number << ": " << slurp(out));
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(has(slurp(out), "Resume the game with: cardwright play --resume " + journal));
    CHECK(run("play --engine interp --resume " + journal).code == 0);
  }
}

TEST_CASE("cli: simulate prints results so far on a signal", "[cli][output]") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  const int nothing = open("/dev/null", O_RDONLY);
  const pid_t child = start(
      {program(), "simulate", "splash", "--engine", "interp", "--games", "100000000", "--threads", "1"}, out, nothing);
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  kill(child, SIGTERM);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  close(nothing);
  INFO(slurp(out));
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(has(slurp(out), "stopped early"));
}

TEST_CASE("cli: an unusable cache is skipped", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/file", "");
  for (const std::string& cache : {std::string("/dev/null"), std::string("/proc/nowhere"), folder.path() + "/file",
                                   folder.path() + "/file/below", std::string("/dev/full")}) {
    const std::string command = "CARDWRIGHT_CACHE=" + cache + " " + program() + " simulate leduc_poker --games 10 >" +
                                folder.path() + "/out 2>" + folder.path() + "/err";
    INFO(cache);
    CHECK(std::system(command.c_str()) == 0);
    CHECK(slurp(folder.path() + "/err").empty());
  }
}

TEST_CASE("cli: empty and out-of-range arguments are rejected", "[cli][output]") {
  const char* const all[] = {"play --resume ''",
                             "play leduc_poker --resume ''",
                             "play leduc_poker --journal ''",
                             "play leduc_poker --seat ''",
                             "play leduc_poker --seed ''",
                             "play leduc_poker --seed -1",
                             "play leduc_poker --seed 99999999999999999999",
                             "play leduc_poker --think 18446744073709551615",
                             "compare leduc_poker --against uniform --pairs 18446744073709551615",
                             "compare leduc_poker --policy bots:18446744073709551615 --against uniform --pairs 1",
                             "explain ''",
                             "diff leduc_poker ''",
                             "diff '' leduc_poker",
                             "check ''",
                             "test ''",
                             "variants ''",
                             "simulate ''",
                             "simulate leduc_poker --with ''",
                             "simulate leduc_poker --with =x",
                             "simulate leduc_poker --games ''",
                             "simulate leduc_poker --games -1",
                             "simulate leduc_poker --first-game 18446744073709551615 --games 2",
                             "simulate leduc_poker --threads 1025",
                             "simulate leduc_poker --players 0",
                             "simulate leduc_poker --policy ''",
                             "simulate leduc_poker more"};
  for (const char* arguments : all) {
    const Ran ran = run(arguments);
    INFO(arguments << ": " << ran.err);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.starts_with("cardwright: "));
  }
}
