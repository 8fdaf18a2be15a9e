// Tests `cardwright serve` as a process: its output, rejected arguments, and stored tables.
#include <catch2/catch.hpp>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "cardwright/tools.hpp"
#include "tests/support/command.h"
#include "tools/server/client/client.h"

using namespace cardwright;
using namespace cardwright::test;
using server::at_table;
using server::Client;
using server::key_in;

namespace {

// A running server, which interrupt() ends like Ctrl-C.
class Served {
 public:
  Served(const std::string& folder, std::vector<std::string> words) {
    std::vector<std::string> all{program(), "serve"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--data", folder, "--port", "0"});
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    id_ = fork();
    if (id_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      std::vector<char*> arguments;
      for (std::string& word : all) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    close(ends[1]);
    out_ = ends[0];
  }
  ~Served() {
    if (id_ > 0) kill(id_, SIGKILL), waitpid(id_, nullptr, 0);
    close(out_);
  }
  // Returns the output up to the line that mentions Ctrl-C, which the server prints when it accepts connections.
  std::string printed() {
    std::string text;
    pollfd wanted{out_, POLLIN, 0};
    while (!has(text, "Ctrl-C") && poll(&wanted, 1, 30'000) > 0) {
      char buffer[4096];
      const ssize_t got = read(out_, buffer, sizeof buffer);
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
  }
  int interrupt() {
    int status = 0;
    kill(id_, SIGINT);
    waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_ = -1;
  int out_ = -1;
};

// Returns the link on the indented line that begins with `word`.
std::string link_behind(const std::string& text, const std::string& word) {
  const std::size_t at = text.find("\n  " + word + " ");
  if (at == std::string::npos) return {};
  const std::size_t begin = text.find("http", at);
  return text.substr(begin, text.find('\n', begin) - begin);
}

int port_of(const std::string& link) { return std::atoi(link.c_str() + link.rfind(':', link.find("/#")) + 1); }

}   // namespace

TEST_CASE("serve: invalid arguments are rejected before the server starts", "[serve][cli]") {
  const TemporaryFolder folder;
  const auto wrong = [&](const std::string& words, const std::string& part) {
    const Ran ran = run("serve " + words + " --port 0 --data " + folder.path() + "/data");
    INFO(words << ": " << ran.err);
    CHECK(ran.code == 2);
    CHECK(has(ran.err, part));
  };
  wrong("no_such_game", "unknown game");
  wrong("tic_tac_toe --players 5", "players");
  wrong("kuhn_poker --seats 'a=me a=bot'", "twice");
  wrong("tic_tac_toe --seats z=me", "2 players");
  wrong("kuhn_poker --seats a", "a=me");
  wrong("kuhn_poker --seats ''", "--seats");
  wrong("kuhn_poker --bots soon", "--bots soon");
  wrong("kuhn_poker --bots 1.5s", "the maximum is 1s");
  wrong("kuhn_poker --clock -3", "--clock");
  wrong("kuhn_poker --time-factor 0", "--time-factor");
  wrong("kuhn_poker --fairness maybe", "--fairness");
  wrong("kuhn_poker --behind-proxy", "--origin");
  wrong("", "GAME");
  CHECK(!std::filesystem::exists(folder.path() + "/data"));
}

TEST_CASE("serve: prints links, ends with Ctrl-C, and restores the table", "[serve][cli]") {
  if (api::pages_folder().empty()) {
    WARN("skipped: the scripts of pages are not built (target pages, requires Node and npm)");
    return;
  }
  const TemporaryFolder folder;
  std::string host, invitation;
  {
    Served served(folder.path() + "/data", {"kuhn_poker", "--seats", "a=me b=Anna"});
    const std::string text = served.printed();
    INFO(text);
    host = link_behind(text, "host"), invitation = link_behind(text, "b");
    CHECK(has(link_behind(text, "watch"), "http://127.0.0.1:"));
    REQUIRE(has(host, "/#k="));
    CHECK(Client(port_of(host)).get("/").status == 200);
    Client guest = at_table(port_of(host), key_in(invitation));
    const auto welcome = guest.until("welcome");
    REQUIRE(welcome);
    CHECK((*welcome)["people"][1]["name"] == "Anna");
    const Ran second = run("serve kuhn_poker --port 0 --data " + folder.path() + "/data");
    CHECK(second.code == 2);
    CHECK(has(second.err, "another server"));
    CHECK(served.interrupt() == 0);
    const auto bye = guest.until("bye");
    REQUIRE(bye);
    CHECK((*bye)["again"] == true);
  }
  {
    Served served(folder.path() + "/data", {"kuhn_poker", "--seats", "a=me b=bot"});
    const std::string text = served.printed();
    CHECK(has(text, "--seats is ignored unless you use --new"));
    const std::string fresh = link_behind(text, "host");
    CHECK((*at_table(port_of(fresh), key_in(host)).until("welcome"))["you"]["host"] == true);
    CHECK(served.interrupt() == 0);
  }
  Served other(folder.path() + "/data", {"leduc_poker"});
  CHECK(has(other.printed(), "1 table of kuhn_poker"));
  CHECK(other.interrupt() == 0);
}
