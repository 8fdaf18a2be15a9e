// Estimates the share of the deal, with a jackknife over groups of deals.
#include "simulation/statistics/deal_share.h"

#include <algorithm>
#include <cmath>

#include "simulation/part_file.h"
#include "simulation/wilson.h"

namespace cardwright::statistics {

using Json = nlohmann::ordered_json;
using api::Wide;
using api::detail::kNormal;

void DealSums::add(const std::vector<std::int64_t>& sums, const std::vector<Wide>& squares) {
  ++deals_;
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    seats_[seat].sum += sums[seat];
    seats_[seat].squares += Wide{sums[seat]} * sums[seat];
    seats_[seat].each += squares[seat];
  }
}

void DealSums::add(const DealSums& other, int sign) {
  deals_ = sign > 0 ? deals_ + other.deals_ : deals_ - other.deals_;
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    seats_[seat].sum += sign * other.seats_[seat].sum;
    seats_[seat].squares += sign * other.seats_[seat].squares;
    seats_[seat].each += sign * other.seats_[seat].each;
  }
}

Json DealSums::json() const {
  Json seats = Json::array();
  for (const Seat& seat : seats_)
    seats.push_back(
        {api::detail::written(seat.sum), api::detail::written(seat.squares), api::detail::written(seat.each)});
  return {deals_, std::move(seats)};
}

void DealSums::add(const Json& json) {
  deals_ += json.at(0).get<std::uint64_t>();
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    const Json& of = json.at(1).at(seat);
    seats_[seat].sum += api::detail::wide_of(of.at(0));
    seats_[seat].squares += api::detail::wide_of(of.at(1));
    seats_[seat].each += api::detail::wide_of(of.at(2));
  }
}

double DealSums::share(double r) const {
  const double n = static_cast<double>(deals_);
  if (deals_ < 2) return 0;
  double sum = 0, varying = 0;
  for (const Seat& seat : seats_) {
    // A seat whose results are all equal, such as one that never wins, has no variance to divide.
    const Wide games = static_cast<Wide>(deals_) * static_cast<Wide>(r);
    if (games * seat.each == seat.sum * seat.sum) continue;
    const double total = static_cast<double>(seat.sum), squares = static_cast<double>(seat.squares);
    const double between = (squares / r - total * total / (n * r)) / (n - 1),
                 within = (static_cast<double>(seat.each) - squares / r) / (n * (r - 1));
    sum += (between - within) / (between + (r - 1) * within);
    ++varying;
  }
  return varying > 0 ? sum / varying : 0;
}

void GroupedDeals::add(const GroupedDeals& other) {
  for (std::size_t g = 0; g < kGroups; ++g) groups_[g].add(other.groups_[g]);
}

Json GroupedDeals::json() const {
  Json out = Json::array();
  for (const DealSums& group : groups_) out.push_back(group.deals() ? group.json() : Json(nullptr));
  return out;
}

void GroupedDeals::add(const Json& json) {
  for (std::size_t g = 0; g < kGroups; ++g)
    if (!json.at(g).is_null()) groups_[g].add(json.at(g));
}

DealSums GroupedDeals::all() const {
  DealSums out(players_);
  for (const DealSums& group : groups_) out.add(group);
  return out;
}

namespace {

// 97.5 % quantile of Student's t distribution with this many degrees of freedom, by its expansion around the normal
// distribution.
double student(double freedom) { return kNormal * (1 + (kNormal * kNormal + 1) / (4 * freedom)); }

}   // namespace

Estimate GroupedDeals::share(std::uint64_t replays) const {
  const DealSums whole = all();
  const double r = static_cast<double>(replays), share = whole.share(r);
  Estimate out;
  out.games = whole.deals() * replays;
  out.value = std::clamp(share, 0.0, 1.0);
  std::vector<double> without;   // the share without each of the groups
  for (const DealSums& group : groups_) {
    if (group.deals() == 0) continue;
    DealSums others = whole;
    others.add(group, -1);
    without.push_back(others.share(r));
  }
  const double groups = static_cast<double>(without.size());
  if (groups < 4) return out;
  double mean = 0, squares = 0;
  for (const double one : without) mean += one / groups;
  for (const double one : without) squares += (one - mean) * (one - mean);
  // The second factor corrects for the few groups.
  const double variance = (groups - 1) / groups * squares * groups / (groups - 2), z = student(groups - 1);
  // The rest 1 - share varies like a count: its variance is proportional to its mean. If all replays of each deal have
  // the same result, the interval is that of zero events among the deals. Solving for the mean gives the interval.
  const double rest = 1 - share;
  const double unit = z * z * (variance > 0 && rest > 0 ? variance / rest : 1 / static_cast<double>(whole.deals()));
  const double middle = rest + unit / 2, half = std::sqrt(unit * std::max(0.0, rest) + unit * unit / 4);
  out.interval = Interval{std::clamp(1 - middle - half, 0.0, 1.0), std::clamp(1 - middle + half, 0.0, 1.0)};
  return out;
}

}   // namespace cardwright::statistics
