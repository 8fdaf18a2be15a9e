// Watches folders with inotify, and reports changes of files.
#include "tools/server/watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "tools/server/clock.h"

namespace cardwright::server {

namespace {

constexpr std::int64_t kQuiet = 150'000;   // in microseconds
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;

}   // namespace

Watcher::Watcher(std::function<void(const std::string&)> changed) : changed_(std::move(changed)) {
  notify_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (notify_ < 0 || wake_ < 0) {
    const std::string why = std::strerror(errno);
    if (notify_ >= 0) close(notify_);
    throw api::Error(api::Blame::internal, fmt::format("cannot watch files: {}", why));
  }
  thread_ = std::thread([this] { run(); });
}

Watcher::~Watcher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake();
  thread_.join();
  close(notify_);
  close(wake_);
}

void Watcher::wake() {
  const std::uint64_t one = 1;
  while (write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void Watcher::notify(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    due_.try_emplace(name, now());
  }
  wake();
}

void Watcher::watch(const std::string& name, const std::vector<std::string>& files) {
  const std::lock_guard lock(mutex_);
  std::set<std::string>& of = files_[name];
  of.clear();
  for (const std::string& file : files) {
    const std::filesystem::path path(file);
    of.insert(path.lexically_normal().string());
    const std::string folder = path.lexically_normal().parent_path().string();
    const auto known = [&](const auto& one) { return one.second == folder; };
    if (std::any_of(folders_.begin(), folders_.end(), known)) continue;
    const int watch = inotify_add_watch(notify_, folder.c_str(), kEvents);
    if (watch >= 0) folders_[watch] = folder;   // if the watch failed, the folder was deleted
  }
}

void Watcher::read_events() {
  alignas(inotify_event) char buffer[16 << 10];
  for (;;) {
    const ssize_t got = read(notify_, buffer, sizeof buffer);
    if (got <= 0) return;
    const std::lock_guard lock(mutex_);
    for (const char* at = buffer; at < buffer + got;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof event);
      const auto folder = folders_.find(event.wd);
      const std::string path =
          folder == folders_.end() ? "" : folder->second + "/" + (event.len ? at + sizeof event : "");
      const std::string alike =
          folder == folders_.end() ? "" : folder->second + "/*" + std::filesystem::path(path).extension().string();
      for (const auto& [name, files] : files_)   // event queue overflow: any file may have changed
        if ((event.mask & IN_Q_OVERFLOW) || files.count(path) || files.count(alike)) due_[name] = now() + kQuiet;
      if (event.mask & IN_IGNORED) folders_.erase(event.wd);
      at += sizeof event + event.len;
    }
  }
}

void Watcher::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    int wait = -1;
    std::vector<std::string> ready;
    for (const auto& [name, at] : due_) {
      const std::int64_t left = at - now();
      if (left <= 0)
        ready.push_back(name);
      else if (wait < 0 || left < wait * 1000)
        wait = static_cast<int>((left + 999) / 1000);
    }
    for (const std::string& name : ready) due_.erase(name);
    lock.unlock();
    for (const std::string& name : ready) changed_(name);
    if (ready.empty()) {
      pollfd wanted[] = {{notify_, POLLIN, 0}, {wake_, POLLIN, 0}};
      poll(wanted, 2, wait);
      std::uint64_t count = 0;
      if (wanted[1].revents && read(wake_, &count, sizeof count) < 0) {
      }
      if (wanted[0].revents) read_events();
    }
    lock.lock();
  }
}

}   // namespace cardwright::server
