// Reports changes of files 150 ms after the last of several changes, because editors write in several steps. Watches
// folders, so that it notices when a file is replaced by another.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace cardwright::server {

class Watcher {
 public:
  // `changed` is called on the watcher's thread with the name that was passed to watch(). Throws Error(internal) if the
  // system cannot watch files.
  explicit Watcher(std::function<void(const std::string& name)> changed);
  ~Watcher();
  // Sets the files to watch for a name, replacing earlier ones. "FOLDER/*.EXTENSION" matches all files in the folder
  // with this extension, including future files.
  void watch(const std::string& name, const std::vector<std::string>& files);
  // Acts as if one of the files of this name had changed.
  void notify(const std::string& name);

 private:
  void run();
  void read_events();
  void wake();
  std::function<void(const std::string&)> changed_;
  int notify_ = -1, wake_ = -1;
  std::mutex mutex_;
  std::map<std::string, std::set<std::string>> files_;   // by name
  std::map<int, std::string> folders_;   // by inotify watch
  std::map<std::string, std::int64_t> due_;   // names of changed files, and the time at which to report them
  bool stopping_ = false;
  std::thread thread_;
};

}   // namespace cardwright::server
