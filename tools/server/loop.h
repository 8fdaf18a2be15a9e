// Provides threads that run posted tasks, and strands. Each strand runs its tasks one after another in the order of
// posting.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace cardwright::server {

class Loop {
 public:
  // `failed` is called with the message of an exception that a task throws; the loop continues.
  Loop(int threads, std::function<void(const std::string&)> failed);
  ~Loop();   // calls stop()
  void start();
  void stop();   // waits for running tasks; queued tasks are not started
  // Destroys the remaining tasks and their captured objects. Call it only after all threads that can post tasks have
  // ended.
  void drop();

  struct Data;
  Data& data() const { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

class Strand {
 public:
  explicit Strand(Loop& loop);
  ~Strand();   // posted tasks still run; the alarm does not
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  void post(std::function<void()> task);
  // Sets the strand's only alarm: runs `task` at `time` on the clock of now(). A `time` of -1 cancels the alarm. Call
  // it on the strand.
  void wake_at(std::int64_t time, std::function<void()> task);

 private:
  struct Data;
  std::shared_ptr<Data> data_;
};

}   // namespace cardwright::server
