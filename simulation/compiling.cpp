// Decides when a run of many games compiles its playouts.
//
// The time for the remaining games is estimated from the games played so far, and the compile time from the code size.
// If interpreting is faster, nothing is compiled, and the compiler is not even loaded unless the code can be in the
// cache. If compiling is faster, the threads on the processors that the compiler needs play for only a tenth of their
// time; all other threads continue to play. Even if the estimates are wrong, no thread waits longer than a fixed share
// of the time for interpreting the whole run.
#include "api/compile/background.h"
#include "simulation/compiling.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

namespace cardwright::api {

namespace {

// Approximate time in seconds to load the compiler and search the cache.
constexpr double kOpeningTime = 0.03;
// Minimum playing time in seconds for an estimate, because the first games are slower than later ones.
constexpr double kSample = 2e-3;
// Minimum ratio of the remaining playing time to the compile time. It is larger than 1 because both are estimates: the
// first games are slower than later ones, and two compilers are not twice as fast as one.
constexpr double kGain = 1.5;
// Minimum time between two checks of the clock in seconds; ratio of waiting time to playing time while the compiler
// runs; maximum length of one wait in seconds.
constexpr double kCheckEach = 0.25e-3, kWaits = 9, kLongest = 0.1;
constexpr double kMostWaited = 0.25;   // maximum waiting time, as a share of the time for interpreting the whole run

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}
double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}   // namespace

WhenToCompile::WhenToCompile(BackgroundEngine* engine, std::uint64_t games, int threads)
    : engine_(engine),
      all_(games),
      threads_(threads),
      processors_(static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))),
      settled_(engine == nullptr || engine->is_compiled()),
      left_(static_cast<std::int64_t>(games)),
      mine_(static_cast<std::size_t>(threads)) {
  if (engine_) engine_->leave_to_host(true);
}

WhenToCompile::~WhenToCompile() {
  if (engine_) engine_->leave_to_host(false);
}

double WhenToCompile::waited() const {
  double longest = 0;
  for (const Mine& mine : mine_) longest = std::max(longest, mine.waited);
  return longest;
}

void WhenToCompile::count(int thread, std::uint64_t games) {
  Mine& mine = mine_[static_cast<std::size_t>(thread)];
  left_ -= static_cast<std::int64_t>(games);
  mine.games += games;
  if (mine.games < mine.check_at) return;
  const double cpu = cpu_seconds(), clock = clock_seconds();
  double wait = 0;
  {
    const std::lock_guard lock(mutex_);
    if (mine.cpu >= 0) cpu_ += cpu - mine.cpu, games_ += static_cast<double>(mine.games);
    if (games_ > 0)
      mine.check_at = static_cast<std::uint64_t>(std::clamp(kCheckEach * games_ / std::max(cpu_, 1e-9), 1.0, 1e4));
    if (mine.cpu >= 0) wait = decide(thread, clock - mine.clock);
  }
  mine.games = 0;
  mine.cpu = cpu;
  mine.clock = clock;
  if (wait <= 0) return;
  engine_->wait_for_compiler(wait);
  mine.clock = clock_seconds();
  mine.waited += mine.clock - clock;
}

// Returns true if loading the compiler saves time. If the cache cannot contain the code, this requires that compiling
// saves time too.
bool WhenToCompile::is_worth_opening(double rest) {
  if (rest < kOpeningTime) return false;
  if (!least_) {
    const CompilerWork work = engine_->was_compiled() ? CompilerWork{} : engine_->least_work();
    least_ = work.seconds / work.threads;
  }
  return rest > *least_ * kGain;
}

// Returns the time in seconds for which the thread must wait.
double WhenToCompile::decide(int thread, double played_for) {
  if (games_ == 0) return 0;
  const double each = cpu_ / games_ / std::min(threads_, processors_),
               rest = static_cast<double>(std::max<std::int64_t>(0, left_)) * each;
  if (stage_ == Stage::interpreting && cpu_ > kSample && is_worth_opening(rest)) {
    engine_->find_playout();
    stage_ = Stage::searching;
  }
  if (stage_ == Stage::interpreting) return 0;
  if (engine_->wait_for_compiler(0)) {
    settled_ = true;
    return 0;
  }
  if (stage_ == Stage::searching) {
    const auto work = engine_->playout_work();
    if (!work) return 0;
    compilers_ = work->threads;
    cost_ = work->seconds / compilers_;
    if (rest < cost_ * kGain) return 0;
    engine_->compile_playout();
    stage_ = Stage::compiling;
    since_ = clock_seconds();
  }
  // If compiling takes longer than estimated, the remaining compile time is estimated from the elapsed time.
  const double elapsed = clock_seconds() - since_, still = std::max(cost_ - elapsed, elapsed / 4);
  const bool in_the_way = thread >= processors_ - compilers_;
  const double may_wait =
      kMostWaited * each * static_cast<double>(all_) - mine_[static_cast<std::size_t>(thread)].waited;
  return in_the_way && rest > still ? std::min({kWaits * played_for, kLongest, may_wait}) : 0;
}

}   // namespace cardwright::api
