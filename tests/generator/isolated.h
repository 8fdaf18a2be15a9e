// Checks a ruleset in a process of its own, so that one that crashes or hangs is a result like others.
#pragma once

#include <cstring>
#include <fstream>
#include <sstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/generator/checks.h"
#include "tests/generator/files.h"
#include "tests/generator/writer.h"

namespace cardwright::test {

// Who reads rules for the first time learns their grammar (ANTLR keeps what it has found out), which takes longer than reading: what is
// read here is known in all processes that begin later.
inline void learn_grammar(const std::string& folder) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) api::Ruleset::load(put_files(folder, write_ruleset(seed)));
}

// Of processor time, so that a busy machine makes nothing slow; by the clock only what waits for ever.
inline void allow_seconds(rlim_t seconds) {
  constexpr rlim_t kPatience = 60;
  const rlimit limit{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &limit);
  alarm(static_cast<unsigned>(kPatience * seconds));
}

inline Checked check_apart(const std::string& path, const Checks& checks, unsigned seconds = 120) {
  const std::string answer = path + ".answer";
  const pid_t child = fork();
  if (child == 0) {
    allow_seconds(seconds);
    const Checked found = check_rules(path, checks);
    std::ofstream(answer) << found.decisions << ' ' << found.games << ' ' << found.failed << '\n' << found.wrong;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Checked out;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU) out.wrong = fmt::format("slow: it takes more than {} s of processor time", seconds);
    else if (signal == SIGALRM) out.wrong = "stuck: it does not end, and takes no processor time";
    else out.wrong = fmt::format("crash: {}", strsignal(signal));
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
