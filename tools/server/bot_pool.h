// Runs bots on all cores but one, and serves tables in turn. Each answer is ready at most one second after its request:
// the more tasks wait, the less thinking time each of them gets.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cardwright/table.hpp"

namespace cardwright::server {

struct BotAnswer {
  std::uint64_t number = 0;   // number of the task
  bool is_opinions = false;   // the task was for opinions
  std::size_t index = 0;   // index of the chosen option
  std::vector<api::Opinion> opinions;   // the opinions, if requested; empty after an exception
  std::string wrong;   // the message of an exception; empty if there was none
};

class BotPool {
 public:
  using Answered = std::function<void(BotAnswer)>;
  explicit BotPool(int threads = 0);   // 0: one less than the number of cores, at least one
  ~BotPool();   // stops running tasks and drops all others
  void think(std::int64_t table, api::BotTask task, Answered answered);
  // Drops the waiting tasks of this table.
  void forget(std::int64_t table);
  std::size_t waiting() const;
  // Returns the thinking time, in seconds, of a task that has waited for `waited` seconds, while `others` other tasks
  // are waiting for `threads` threads.
  static double share(double wanted, double waited, std::size_t others, std::size_t threads);

 private:
  struct Job {
    api::BotTask task;
    Answered answered;
    std::int64_t asked = 0;
  };
  void work();
  static BotAnswer answer(api::BotTask& task, double seconds, const std::atomic<bool>* stop);

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::int64_t, std::deque<Job>> jobs_;   // by table
  std::int64_t last_ = -1;   // the table that was served last
  std::size_t waiting_ = 0;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}   // namespace cardwright::server
