// What an observer has been told, step by step: who watches all along is sent what changed, who comes back what is
// missing.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "api/table/messages.h"

namespace cardwright::table {

class ObserverStream {
 public:
  explicit ObserverStream(int observer) : observer_(observer) {}
  int observer() const { return observer_; }
  std::int64_t step() const { return step_; }

  // Looks at the table after `entries` entries. What it is told then; nothing where it sees no difference. Other words
  // that stand for all are told beside: "taken back".
  Text look(const api::State& state, const api::Log& log, std::size_t entries, const std::string& besides = {});
  // Everything, with the last news.
  Text everything(const api::State& state, const api::Log& log) const;
  // What it was told after that step; nothing where that isn't kept any more.
  std::vector<Text> since(std::int64_t step) const;
  // After which entry it saw that step; 0 where that was taken back since.
  std::size_t entry_of(std::int64_t step) const;
  // The log ends earlier now.
  void cut(std::size_t log, std::size_t entries);
  // A new game begins: steps go on.
  void forget();

 private:
  static constexpr std::size_t kKept = 200, kKeptBytes = 16 << 10;   // steps, and all of them together

  int observer_;
  std::int64_t step_ = 0;
  std::vector<api::Thing> things_;
  Json asked_;
  std::size_t told_ = 0;   // of the log
  std::deque<Text> messages_;   // the last ones, that of `step_` last
  std::size_t bytes_ = 0;   // of them
  std::vector<std::size_t> entries_;   // by step - 1
};

// Log lines in a complete view. A page that is loaded again shows no earlier ones.
inline constexpr std::size_t kLastNews = 500;
Json seat_or_null(int observer);

}   // namespace cardwright::table
