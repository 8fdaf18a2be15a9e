// Simulates a full disk: while a FullDisk object exists, no file of this process can grow.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace cardwright::test {

class FullDisk {
 public:
  FullDisk() : ignored_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = 1;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, ignored_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*ignored_)(int);
};

}   // namespace cardwright::test
