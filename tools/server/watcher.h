// Tells when files have changed: 150 ms after the last of several changes, as editors make them. Looks at the folders
// in which they lie, so that a file which is replaced by another is seen, too.
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
  // `changed` is called on the watcher's thread with the names under which files were asked for. Throws Error(us) where
  // the system watches nothing.
  explicit Watcher(std::function<void(const std::string& name)> changed);
  ~Watcher();
  // From now on these are the files of that name; those of before are forgotten. "FOLDER/*.ENDING" are all files of
  // that ending in the folder, those that are not there yet, too.
  void watch(const std::string& name, const std::vector<std::string>& files);
  // As if one of them had changed.
  void tell(const std::string& name);

 private:
  void run();
  void read_events();
  void wake();
  std::function<void(const std::string&)> changed_;
  int notify_ = -1, wake_ = -1;
  std::mutex mutex_;
  std::map<std::string, std::set<std::string>> files_;   // by name
  std::map<int, std::string> folders_;   // by watch
  std::map<std::string, std::int64_t> due_;   // names of what has changed, and when it is to be told
  bool stopping_ = false;
  std::thread thread_;
};

}   // namespace cardwright::server
