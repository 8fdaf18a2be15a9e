// Decides when a run of many games compiles its playouts. Compiling costs as much as several thousand interpreted games
// and competes with the playing threads for processors, so its cost is compared with the time for the remaining games.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "api/compile/background.h"

namespace cardwright::api {

class WhenToCompile {
 public:
  // If `engine` is null, playouts are never compiled.
  WhenToCompile(BackgroundEngine* engine, std::uint64_t games, int threads);
  ~WhenToCompile();
  WhenToCompile(const WhenToCompile&) = delete;

  // Each thread calls this function after it has played `games` more games. While the compiler runs, the call can block
  // to free a processor for it.
  void played(int thread, std::uint64_t games) {
    if (!settled_.load(std::memory_order_relaxed)) count(thread, games);
  }
  double waited() const;   // longest total waiting time of a thread, in seconds; valid after all threads have ended

 private:
  struct alignas(64) Mine {
    std::uint64_t games = 0, check_at = 1;   // games since the last check; number of games until the next check
    double cpu = -1, clock = 0, waited = 0;
  };
  void count(int thread, std::uint64_t games);
  double decide(int thread, double played_for);
  bool is_worth_opening(double rest);

  BackgroundEngine* const engine_;
  const std::uint64_t all_;   // number of games in the run
  const int threads_, processors_;
  std::atomic<bool> settled_;
  std::atomic<std::int64_t> left_;   // remaining games
  std::vector<Mine> mine_;
  std::mutex mutex_;   // guards the following members
  double cpu_ = 0, games_ = 0;   // processor time used so far in seconds, and the number of games played in this time
  // Lower bound of the compile time in seconds; computed on first use.
  std::optional<double> least_;
  enum class Stage { interpreting, searching, compiling } stage_ = Stage::interpreting;
  double since_ = 0, cost_ = 0;   // start and estimated duration of compiling, in seconds of wall time
  int compilers_ = 0;
};

}   // namespace cardwright::api
