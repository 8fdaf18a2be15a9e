// Checks a ruleset in a separate process, so that a crash or a hang is reported like any other failure.
#pragma once

#include <cstring>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/generator/checks.h"
#include "tests/generator/files.h"
#include "tests/generator/writer.h"

namespace cardwright::test {

// Parses some rulesets to fill ANTLR's prediction cache, whose construction takes longer than parsing. Processes that
// are forked later inherit the cache.
inline void learn_grammar(const std::string& folder) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) api::Ruleset::load(put_files(folder, write_ruleset(seed)));
}

// Limits the processor time of this process from now on, which is independent of other load on the machine. A process
// that waits forever uses no processor time, so a signal ends it after a much longer time.
inline void allow_seconds(rlim_t seconds) {
  constexpr rlim_t kPatience = 60;
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  rlimit limit;
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + seconds;
  setrlimit(RLIMIT_CPU, &limit);
  alarm(static_cast<unsigned>(kPatience * seconds));
}

// Checks rulesets in a process that is used for up to kMost rulesets or until it crashes, because starting a process
// takes a tenth of the time of a check.
class Checker {
 public:
  Checker() = default;
  ~Checker() { end(); }
  Checker(const Checker&) = delete;

  Checked check(const std::string& path, const Checks& checks, unsigned seconds) {
    if (child_ < 0) begin();
    const Request request{checks, seconds, path.size()};
    Checked found;
    Answer answer;
    std::string wrong;
    if (put(to_, &request, sizeof request) && put(to_, path.data(), path.size()) &&
        get(from_, &answer, sizeof answer) && (wrong.resize(answer.length), get(from_, wrong.data(), wrong.size()))) {
      found = {std::move(wrong), answer.decisions, answer.games, answer.failed};
      if (++checked_ == kMost) end();
    } else {
      found.wrong = death(end(), seconds);
    }
    return found;
  }

 private:
  static constexpr int kMost = 200;   // checks in one process, which never frees compiled code
  struct Request {
    Checks checks;
    unsigned seconds;
    std::size_t length;   // length of the path
  };
  struct Answer {
    std::uint64_t decisions, games, failed;
    std::size_t length;   // length of the failure's text
  };

  static bool put(int to, const void* bytes, std::size_t size) {
    for (ssize_t done = 0; size > 0;
         size -= static_cast<std::size_t>(done), bytes = static_cast<const char*>(bytes) + done)
      if ((done = ::write(to, bytes, size)) <= 0) return false;
    return true;
  }
  static bool get(int from, void* bytes, std::size_t size) {
    for (ssize_t done = 0; size > 0; size -= static_cast<std::size_t>(done), bytes = static_cast<char*>(bytes) + done)
      if ((done = ::read(from, bytes, size)) <= 0) return false;
    return true;
  }

  void begin() {
    int there[2], back[2];
    if (pipe(there) != 0 || pipe(back) != 0 || (child_ = fork()) < 0) throw std::runtime_error("no more processes");
    if (child_ == 0) {
      close(there[1]);
      close(back[0]);
      answer_all(there[0], back[1]);
      _exit(0);
    }
    close(there[0]);
    close(back[1]);
    to_ = there[1];
    from_ = back[0];
    checked_ = 0;
  }
  static void answer_all(int from, int to) {
    Request request;
    while (get(from, &request, sizeof request)) {
      std::string path(request.length, '\0');
      if (!get(from, path.data(), path.size())) return;
      allow_seconds(request.seconds);
      const Checked found = check_rules(path, request.checks);
      const Answer answer{found.decisions, found.games, found.failed, found.wrong.size()};
      if (!put(to, &answer, sizeof answer) || !put(to, found.wrong.data(), found.wrong.size())) return;
    }
  }
  // Ends the process and returns its status.
  int end() {
    if (child_ < 0) return 0;
    close(to_);
    close(from_);
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    return status;
  }
  static std::string death(int status, unsigned seconds) {
    if (!WIFSIGNALED(status)) return fmt::format("crash: it ended with {}", WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU) return fmt::format("slow: it takes more than {} s of processor time", seconds);
    if (signal == SIGALRM) return "stuck: it does not end, and takes no processor time";
    return fmt::format("crash: {}", strsignal(signal));
  }

  pid_t child_ = -1;
  int to_ = -1, from_ = -1, checked_ = 0;
};

// Checks a ruleset in a new process.
inline Checked check_apart(const std::string& path, const Checks& checks, unsigned seconds = 120) {
  return Checker().check(path, checks, seconds);
}

}   // namespace cardwright::test
