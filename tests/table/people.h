// People at a Table, as tests play them: devices that read what they are sent and answer at random.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/table.hpp"

namespace cardwright::test {

using Json = nlohmann::json;

// One device: what it was sent, and the table as that says it is.
struct Device {
  std::vector<int> seats;
  std::map<int, Json> things;   // by observer: -1 where it watches
  std::map<int, std::int64_t> steps;
  std::string run;   // of them
  std::map<int, Json> asked;   // open questions, by seat
  std::vector<Json> heard;

  void read(const Json& message);
  // Of that kind, the last one; null if there was none.
  Json last(const std::string& kind) const;
};

class People {
 public:
  // Each seat of which the settings say `person` has a device of its own, 1 + its number; device 100 watches.
  People(api::Game game, api::TableSettings settings);
  api::Table& table() { return table_; }
  Device& device(api::DeviceId id) { return devices_[id]; }
  std::int64_t now() const { return now_; }
  void say(api::DeviceId device, const Json& message);
  // Lets bots think and everything arrive that is on its way.
  void deliver();
  // Somebody who is asked answers at random, or time goes on to what is due next. False: nothing can happen any more.
  bool go_on();
  bool play_to_end(int most = 20'000);
  void wait(std::int64_t microseconds);
  const std::vector<api::TableEntry>& journal() const { return journal_; }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_{7};
  std::int64_t now_ = 1'000'000;
  api::Table table_;
  std::map<api::DeviceId, Device> devices_;
  std::vector<api::TableEntry> journal_;
};

api::TableSettings all_people(const api::Game& game, std::uint64_t seed = 1);

}   // namespace cardwright::test
