// Runs numbered blocks of work on several threads. WebAssembly has no threads, so tools/web/wasm replaces this file.
#include "api/game/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace cardwright::api {

void need_threads(int asked) {
  constexpr int kMost = 1024;
  if (asked < 0 || asked > kMost)
    raise(Blame::caller,
          fmt::format("{} threads is out of range: expected 1 to {}, or 0 for one per core", asked, kMost));
}

int thread_count(int asked, std::uint64_t blocks) {
  std::uint64_t n = asked > 0 ? static_cast<std::uint64_t>(asked) : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<int>(std::max<std::uint64_t>(1, std::min<std::uint64_t>(n, std::max<std::uint64_t>(1, blocks))));
}

void run_blocks(int threads, std::uint64_t blocks, const std::function<bool(int, std::uint64_t)>& work,
                const std::function<void()>& tick) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable ended;
  std::exception_ptr wrong;
  int running = threads;

  auto body = [&](int thread) {
    try {
      for (std::uint64_t block; !stop && (block = next++) < blocks;)
        if (!work(thread, block)) stop = true;
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!wrong) wrong = std::current_exception();
      stop = true;
    }
    const std::lock_guard lock(mutex);
    --running;
    ended.notify_all();
  };
  std::vector<std::jthread> pool;
  for (int thread = 0; thread < threads; ++thread) pool.emplace_back(body, thread);
  std::unique_lock lock(mutex);
  while (running > 0) {
    ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; });
    if (tick) {
      lock.unlock();
      tick();
      lock.lock();
    }
  }
  lock.unlock();
  pool.clear();
  if (wrong) std::rethrow_exception(wrong);
}

}   // namespace cardwright::api
