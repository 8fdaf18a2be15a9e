// Threads that do what is posted, and strands: what is posted on one is done one after another, in the order in which
// it came.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace cardwright::server {

class Loop {
 public:
  // `failed` is told of what a task throws; it goes on.
  Loop(int threads, std::function<void(const std::string&)> failed);
  ~Loop();   // stops
  void start();
  void stop();   // waits for what is being done; the rest isn't begun
  // … and is forgotten, with all that it holds: when nobody posts any more.
  void drop();

  struct Data;
  Data& data() const { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

class Strand {
 public:
  explicit Strand(Loop& loop);
  ~Strand();   // what was posted is done all the same; the alarm isn't
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  void post(std::function<void()> task);
  // One alarm at a time, at that time of now(); -1: none. To be set on the strand.
  void wake_at(std::int64_t time, std::function<void()> task);

 private:
  struct Data;
  std::shared_ptr<Data> data_;
};

}   // namespace cardwright::server
