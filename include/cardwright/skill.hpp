// Measures how much the result of a game depends on skill, and how much on the deal.
//
// The edge of one policy over another is (N w - 1) / (N - 1), where N is the number of players and w the share of games
// that a single player with the first policy wins against the others: 0 if the policies are equally strong, 1 if the
// first always wins, negative if it is weaker. Games with several winners are divided among them; games without a
// winner, among all players.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/parts.hpp"
#include "cardwright/statistics.hpp"

namespace cardwright::statistics {

struct SkillSettings {
  // Policies from weakest to strongest. Each is compared with the previous one, and the last one with the first.
  std::vector<api::PlayerPolicy> ladder = {{}, bots(50), bots(500), bots(5'000)};
  double precision = 0.05;   // an edge is precise enough when its interval is within ± this value
  // Maximum number of deals per rung; each deal is played once for each seat of the stronger policy.
  std::uint64_t deals = 1'000;
  // For DealShare: number of deals, and number of games per deal, which differ in the players' choices.
  std::uint64_t shared_deals = 400, replays = 20;
  api::SimulateSettings play;   // provides seed, threads and speeds; its policies are ignored
  const std::atomic<bool>* stop = nullptr;
  // Called with the current rung, the number of rungs, and the number of deals played in this rung.
  std::function<void(std::size_t rung, std::size_t rungs, std::uint64_t deals)> progress;

  static api::PlayerPolicy bots(std::uint64_t iterations);
};

struct Rung {
  api::PlayerPolicy stronger, weaker;
  Estimate edge;   // its interval is valid simultaneously at all interim results
  // Mean score of the player with the stronger policy minus that of the others, if the game has scores; positive if the
  // stronger policy is better. Its interval is asymptotic, and valid simultaneously at all interim results.
  std::optional<Estimate> score;
  std::uint64_t deals = 0, games = 0;
  bool precise = false;
};

// How much the deal alone determines the winner, from 0 to 1: the fraction of the variance of "this seat wins" that is
// between deals and not between replays of the same deal. This is the intraclass correlation of replays (Shrout,
// Fleiss, Psychological Bulletin 86(2), 1979, case 1), averaged over the seats whose results vary.
struct DealShare {
  api::PlayerPolicy policy;   // used by all seats
  Estimate share;   // its interval is valid for this fixed number of deals
  std::optional<Estimate> score;   // the same for the scores of the players, if the game has scores
  std::uint64_t deals = 0;
};

struct Skill {
  std::vector<Rung> rungs;   // the last one compares the strongest policy with the weakest
  std::vector<DealShare> deal_shares;   // deal shares of the two weakest policies
  std::string score_name;   // "payoff"; empty if the game has no scores
  bool whole = false;   // all requested games were played
  double seconds = 0;
};

// The results of some deals of all rungs. Adding the parts of a run in any order gives exactly the result of an
// undivided run.
class SkillPart {
 public:
  // Throws Error(caller) for a ladder of fewer than two policies, for one player, and like simulate().
  SkillPart(const api::Game& game, const SkillSettings& settings);
  static SkillPart read(const api::Game& game, const std::string& text);
  ~SkillPart();
  SkillPart(SkillPart&&) noexcept;
  SkillPart& operator=(SkillPart&&) noexcept;

  // Plays the missing deals of this range for all rungs. A rung stops when its edge is precise. Only the deals from the
  // first one up to the first gap count for this check.
  void play(api::GameRange deals, const SkillSettings& settings, const api::Checkpoint& checkpoint = {});
  void add(const SkillPart& other);
  std::vector<api::GameRange> missing(api::GameRange of) const;   // deals of this range that some rung still needs
  const SkillSettings& settings() const;
  std::uint64_t deals() const;   // number of deals of the run: of rungs or for deal shares, whichever is greater
  Skill skill() const;
  std::string text() const;

 private:
  struct Data;
  explicit SkillPart(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

Skill skill(const api::Game& game, const SkillSettings& settings);

}   // namespace cardwright::statistics
