// Where bots think: on all cores but one, the tables in turn, so that none waits for another's. Whatever there is to
// do, an answer is there a second after it was asked for: the more wait, the less each thinks.
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
  std::uint64_t number = 0;   // of the task
  bool is_opinions = false;   // whether those were asked for
  std::size_t index = 0;   // of the option
  std::vector<api::Opinion> opinions;   // where they were asked for; none where something was thrown
  std::string wrong;   // what was thrown, if something was
};

class BotPool {
 public:
  using Answered = std::function<void(BotAnswer)>;
  explicit BotPool(int threads = 0);   // 0: one less than there are cores, at least one
  ~BotPool();   // what is being thought ends at once, the rest is dropped
  void think(std::int64_t table, api::BotTask task, Answered answered);
  // Drops what waits of this table.
  void forget(std::int64_t table);
  std::size_t waiting() const;
  // Seconds for a task that has waited so long, when so many others wait for `threads`.
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
  std::int64_t last_ = -1;   // the table whose turn it was
  std::size_t waiting_ = 0;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}   // namespace cardwright::server
