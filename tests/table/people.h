// Simulates people at a Table: devices that read the messages they receive and answer at random.
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

// A device with the messages that it received and its current views of the table.
struct Device {
  std::vector<int> seats;
  std::map<int, Json> things;   // latest view by seat; -1: the view of a spectator
  std::map<int, std::int64_t> steps;
  std::string run;   // run id of the received steps
  std::map<int, Json> asked;   // open questions, by seat
  std::vector<Json> heard;

  void read(const Json& message);
  // Returns the last message of this kind; null if there was none.
  Json last(const std::string& kind) const;
};

class People {
 public:
  // Connects a device for each `person` seat in the settings, whose id is the seat + 1. Device 100 is a spectator.
  People(api::Game game, api::TableSettings settings);
  api::Table& table() { return table_; }
  Device& device(api::DeviceId id) { return devices_[id]; }
  std::int64_t now() const { return now_; }
  void say(api::DeviceId device, const Json& message);
  // Runs the bots and delivers all pending messages.
  void deliver();
  // Answers an open question at random, or advances time to the next due event. Returns false if there is neither.
  bool advance();
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
