// The messages to one observer, step by step: connected devices receive the changes, and reconnected devices receive
// the steps that they missed.
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

  // Compares the table after `entries` entries with the last step, and returns the message about the changes; null if
  // the observer sees none. `besides` replaces the news: "taken back".
  Text look(const api::State& state, const api::Log& log, std::size_t entries, const std::string& besides = {});
  // The complete view, with the last news.
  Text everything(const api::State& state, const api::Log& log) const;
  // The messages after that step; nothing if they are no longer stored.
  std::vector<Text> since(std::int64_t step) const;
  // Number of entries at that step; 0 if it was undone since.
  std::size_t entry_of(std::int64_t step) const;
  // Called after undo, which shortens the log.
  void cut(std::size_t log, std::size_t entries);
  // A new game begins; step numbers continue.
  void forget();

 private:
  // maximum number of stored steps, and of their bytes
  static constexpr std::size_t kKept = 200, kKeptBytes = 16 << 10;

  int observer_;
  std::int64_t step_ = 0;
  std::vector<api::Thing> things_;
  Json asked_;
  std::size_t told_ = 0;   // length of the log at the last step
  std::deque<Text> messages_;   // the latest messages; the last one belongs to `step_`
  std::size_t bytes_ = 0;   // total size of `messages_`
  std::vector<std::size_t> entries_;   // by step - 1
};

// Log lines in a complete view. A page that is reloaded shows no earlier lines.
inline constexpr std::size_t kLastNews = 500;
Json seat_or_null(int observer);

}   // namespace cardwright::table
