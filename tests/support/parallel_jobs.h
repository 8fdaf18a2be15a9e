// Runs jobs on all cores. Catch2's assertions are not thread-safe, so a job returns its error.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "api/game/parallel.h"

namespace cardwright::test {

// Calls work(thread, job) for every job; returns all errors, joined. Stops after `patience` failed jobs.
inline std::string run_jobs(std::size_t jobs, const std::function<std::string(int, std::size_t)>& work,
                            std::size_t patience = 5) {
  std::mutex mutex;
  std::vector<std::string> wrong;
  api::run_blocks(api::thread_count(0, jobs), jobs, [&](int thread, std::uint64_t job) {
    std::string found;
    try {
      found = work(thread, job);
    } catch (const api::Error& error) {
      found = std::string(error.what()) + "\n" + error.report().text;
    } catch (const std::exception& error) {
      found = error.what();
    }
    if (found.empty()) return true;
    const std::lock_guard lock(mutex);
    wrong.push_back(std::move(found));
    return wrong.size() < patience;
  });
  std::string out;
  for (const std::string& one : wrong) out += one + "\n";
  return out;
}

}   // namespace cardwright::test
