// Defines the Boost.Asio parts of Loop and Strand, for the few files that use Asio directly.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tools/server/loop.h"

namespace cardwright::server {

struct Loop::Data {
  explicit Data(int threads) : count(threads), context(threads), work(context.get_executor()) {}
  int count;
  boost::asio::io_context context;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
  std::function<void(const std::string&)> failed;
  std::vector<std::thread> threads;
  std::atomic<bool> dropping = false;
};

}   // namespace cardwright::server
