// Checks a ruleset in a process of its own, so that one that crashes or hangs is a result like others.
#pragma once

#include <cstring>
#include <fstream>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/generator/checks.h"

namespace cardwright::test {

inline Checked check_apart(const std::string& path, const Checks& checks, unsigned seconds = 120) {
  const std::string answer = path + ".answer";
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    const Checked found = check_rules(path, checks);
    std::ofstream(answer) << found.decisions << ' ' << found.games << ' ' << found.failed << '\n' << found.wrong;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Checked out;
  if (WIFSIGNALED(status)) {
    out.wrong = WTERMSIG(status) == SIGALRM ? fmt::format("slow: it takes longer than {} s", seconds) : fmt::format("crash: {}", strsignal(WTERMSIG(status)));
  } else {
    std::ifstream file(answer);
    file >> out.decisions >> out.games >> out.failed;
    file.ignore();
    std::stringstream rest;
    rest << file.rdbuf();
    out.wrong = rest.str();
  }
  unlink(answer.c_str());
  return out;
}

}  // namespace cardwright::test
