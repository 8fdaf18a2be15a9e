// Runs bots on background threads, and distributes thinking time among the waiting tasks.
#include "tools/server/bot_pool.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "tools/server/clock.h"

namespace cardwright::server {

namespace {

constexpr double kLatest = 1, kLeast = 0.001;   // seconds

// Lowers the priority of the current thread, so that thinking never delays a table. On Linux, nice values are per
// thread.
void lower_priority() { setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 10); }

}   // namespace

double BotPool::share(double wanted, double waited, std::size_t others, std::size_t threads) {
  const double fair = kLatest * double(threads) / double(others + threads);
  return std::max(kLeast, std::min({wanted, fair, kLatest - waited}));
}

BotPool::BotPool(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
  for (int i = 0; i < threads; ++i)
    threads_.emplace_back([this] {
      lower_priority();
      work();
    });
}

BotPool::~BotPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  arrived_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void BotPool::think(std::int64_t table, api::BotTask task, Answered answered) {
  {
    const std::lock_guard lock(mutex_);
    jobs_[table].push_back({std::move(task), std::move(answered), now()});
    ++waiting_;
  }
  arrived_.notify_one();
}

void BotPool::forget(std::int64_t table) {
  const std::lock_guard lock(mutex_);
  const auto of = jobs_.find(table);
  if (of == jobs_.end()) return;
  waiting_ -= of->second.size();
  jobs_.erase(of);
}

std::size_t BotPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

void BotPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [&] { return waiting_ > 0 || stopping_; });
    if (stopping_) return;
    auto of = jobs_.upper_bound(last_);
    if (of == jobs_.end()) of = jobs_.begin();
    last_ = of->first;
    Job job = std::move(of->second.front());
    of->second.pop_front();
    if (of->second.empty()) jobs_.erase(of);
    --waiting_;
    const double seconds = share(job.task.seconds, double(now() - job.asked) / 1e6, waiting_, threads_.size());
    lock.unlock();
    BotAnswer answered = answer(job.task, seconds, &stopping_);
    if (!stopping_) job.answered(std::move(answered));
    lock.lock();
  }
}

BotAnswer BotPool::answer(api::BotTask& task, double seconds, const std::atomic<bool>* stop) {
  BotAnswer answer{task.number, task.opinions};
  try {
    api::BotSettings settings = task.bot->settings();
    settings.seconds = seconds;
    settings.threads = 1;
    settings.stop = stop;
    task.bot->set(settings);
    if (task.opinions)
      answer.opinions = task.bot->opinions(task.state);
    else
      answer.index = task.bot->choose(task.state);
  } catch (const std::exception& error) {
    answer.wrong = error.what();
  }
  return answer;
}

}   // namespace cardwright::server
