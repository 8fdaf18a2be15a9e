// Creates and stores the messages to one observer, step by step: connected devices receive the changes, and reconnected
// devices receive the steps that they missed.
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

  // Compares the table after `entries` entries with the last step, and returns a message with the changes; null if the
  // observer sees no change. If `besides` is not empty, it replaces the news: "taken back".
  Text look(const api::State& state, const api::Log& log, std::size_t entries, const std::string& besides = {});
  // Returns a message with the complete view and the latest news.
  Text everything(const api::State& state, const api::Log& log) const;
  // Returns the messages after this step; empty if they are no longer stored.
  std::vector<Text> since(std::int64_t step) const;
  // Returns the number of entries at this step; 0 if the step has been undone or belongs to an earlier game.
  std::size_t entry_of(std::int64_t step) const;
  // Adapts the stream to an undo after which `log` log entries and `entries` table entries remain.
  void cut(std::size_t log, std::size_t entries);
  // Called when a new game begins: restarts the log, and marks all earlier steps as no longer viewable. Step numbers
  // continue.
  void forget();

 private:
  // Maximum number of stored steps, and maximum total size of their messages in bytes.
  static constexpr std::size_t kMaxSteps = 200, kMaxBytes = 16 << 10;

  int observer_;
  std::int64_t step_ = 0;
  std::vector<api::Thing> things_;
  Json asked_;
  std::size_t sent_ = 0;   // length of the log at the last step
  std::deque<Text> messages_;   // the latest messages; the last one belongs to `step_`
  std::size_t bytes_ = 0;   // total size of `messages_`
  std::vector<std::size_t> entries_;   // number of entries at each step; the index is step - 1
};

// Maximum number of log lines in a complete view. A page that is reloaded shows no earlier lines.
inline constexpr std::size_t kLastNews = 500;
Json seat_or_null(int observer);

}   // namespace cardwright::table
