// When a run of many games has playouts compiled. Compiling costs as much as some thousand games of the interpreter,
// and on few processors it takes them from those who play. So the games still to be played are weighed against it.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "api/compile/background.h"

namespace cardwright::api {

class WhenToCompile {
 public:
  // `engine` may be null: then there is nothing to decide.
  WhenToCompile(BackgroundEngine* engine, std::uint64_t games, int threads);
  ~WhenToCompile();
  WhenToCompile(const WhenToCompile&) = delete;

  // A thread tells that it has played some games more. It waits here, most of the time, while the compiler works and
  // has more use for its processor than the interpreter.
  void played(int thread, std::uint64_t games) {
    if (!settled_.load(std::memory_order_relaxed)) count(thread, games);
  }
  double waited() const;   // seconds, by the thread that has waited longest; when all threads have ended

 private:
  struct alignas(64) Mine {
    std::uint64_t games = 0, look_at = 1;   // since it was last looked; when to look again
    double cpu = -1, clock = 0, waited = 0;
  };
  void count(int thread, std::uint64_t games);
  double decide(int thread, double played_for);
  bool is_worth_opening(double rest);

  BackgroundEngine* const engine_;
  const std::uint64_t all_;   // games
  const int threads_, processors_;
  std::atomic<bool> settled_;
  std::atomic<std::int64_t> left_;   // of them
  std::vector<Mine> mine_;
  std::mutex mutex_;   // guards what follows
  double cpu_ = 0, games_ = 0;   // measured
  // seconds of work that it takes at least to have compiled code; once they are asked for
  std::optional<double> least_;
  enum class Stage { interpreting, looking, compiling } stage_ = Stage::interpreting;
  double since_ = 0, cost_ = 0;   // of compiling, by the clock
  int compilers_ = 0;
};

}   // namespace cardwright::api
