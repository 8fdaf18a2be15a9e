// Implements threads that run tasks, and strands, with Boost.Asio.
#include "tools/server/loop.h"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <exception>

#include "tools/server/asio_loop.h"

namespace cardwright::server {

namespace asio = boost::asio;

Loop::Loop(int threads, std::function<void(const std::string&)> failed) : data_(std::make_unique<Data>(threads)) {
  data_->failed = std::move(failed);
}

Loop::~Loop() { stop(); }

void Loop::start() {
  const auto run = [data = data_.get()] {
    for (;;) try {
        data->context.run();
        return;
      } catch (const std::exception& error) {
        data->failed(error.what());
      }
  };
  for (int i = 0; i < data_->count; ++i) data_->threads.emplace_back(run);
}

void Loop::stop() {
  data_->context.stop();
  for (std::thread& thread : data_->threads) thread.join();
  data_->threads.clear();
}

void Loop::drop() {
  stop();
  data_->dropping = true;
  data_->context.restart();
  data_->context.poll();
}

struct Strand::Data {
  explicit Data(Loop::Data& of) : loop(of), strand(asio::make_strand(of.context)), timer(strand) {}
  Loop::Data& loop;
  asio::strand<asio::io_context::executor_type> strand;
  asio::steady_timer timer;
};

Strand::Strand(Loop& loop) : data_(std::make_shared<Data>(loop.data())) {}

Strand::~Strand() = default;

void Strand::post(std::function<void()> task) {
  asio::post(data_->strand, [&loop = data_->loop, task = std::move(task)] {
    if (!loop.dropping) task();
  });
}

void Strand::wake_at(std::int64_t time, std::function<void()> task) {
  if (time < 0) {
    data_->timer.cancel();
    return;
  }
  data_->timer.expires_at(std::chrono::steady_clock::time_point(std::chrono::microseconds(time)));
  data_->timer.async_wait([task = std::move(task)](const boost::system::error_code& wrong) {
    if (!wrong) task();
  });
}

}   // namespace cardwright::server
