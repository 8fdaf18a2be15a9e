// Estimates how much of the variance of a result is between deals, from replays of the same deals.
#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/statistics.hpp"

namespace cardwright::statistics {

// Sums by seat over deals. Each deal is replayed the same number of times.
class DealSums {
 public:
  explicit DealSums(int players = 0) : seats_(static_cast<std::size_t>(players)) {}
  // Adds a deal. `sums` and `squares` are the sums of the results and of their squares over the replays, by seat.
  void add(const std::vector<std::int64_t>& sums, const std::vector<api::Wide>& squares);
  void add(const DealSums& other, int sign = 1);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws what at() throws, or Error(caller)
  std::uint64_t deals() const { return deals_; }
  // Returns the share of the variance between deals, as the mean over the seats whose results vary: the intraclass
  // correlation of replays (Shrout, Fleiss 1979, case 1). It is negative if deals vary less than independent games.
  double share(double replays) const;

 private:
  struct Seat {
    api::Wide sum = 0;   // of all results
    api::Wide squares = 0;   // of the deals' sums
    api::Wide each = 0;   // of the squares of all results
  };
  std::uint64_t deals_ = 0;
  std::vector<Seat> seats_;
};

// The same sums in groups of deals, from whose variation the interval is computed.
class GroupedDeals {
 public:
  explicit GroupedDeals(int players = 0) : groups_(kGroups, DealSums(players)), players_(players) {}
  DealSums& group_of(std::uint64_t deal) { return groups_[deal % kGroups]; }
  void add(const GroupedDeals& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);
  DealSums all() const;
  Estimate share(std::uint64_t replays) const;

 private:
  static constexpr std::size_t kGroups = 64;
  std::vector<DealSums> groups_;
  int players_;
};

}   // namespace cardwright::statistics
