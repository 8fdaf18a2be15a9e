// How much a game is decided by how well one plays, and how much by the deal.
//
// The edge of one policy over another is (N w - 1) / (N - 1), of N players and a share w of the games that a single one
// of the first policy wins against the others: 0 where it makes no difference, 1 where it always wins, below 0 where it
// is worse. A game that several win is shared out among them; one that nobody wins, among all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cardwright/parts.hpp"
#include "cardwright/statistics.hpp"

namespace cardwright::statistics {

struct SkillSettings {
  // From the weakest to the strongest: each is held against the one before it, and the last against the first.
  std::vector<api::PlayerPolicy> ladder = {{}, bots(50), bots(500), bots(5'000)};
  double precision = 0.05;   // an edge is known well enough within ± so much
  // At most so many deals a rung; each is played once for each seat, with the stronger one there.
  std::uint64_t deals = 1'000;
  // Of the share of the deal: so many deals, each played so often with other choices by everybody of a policy.
  std::uint64_t shared_deals = 400, replays = 20;
  api::SimulateSettings play;   // seed, threads, speeds; its policies are not looked at
  const std::atomic<bool>* stop = nullptr;
  // Told which rung it is at, of how many, and how many deals of it are played.
  std::function<void(std::size_t rung, std::size_t rungs, std::uint64_t deals)> progress;

  static api::PlayerPolicy bots(std::uint64_t iterations);
};

struct Rung {
  api::PlayerPolicy stronger, weaker;
  Estimate edge;   // its interval stays right at all looks together
  std::uint64_t deals = 0, games = 0;
  bool precise = false;
};

// What part of the variance of "this seat wins" lies between deals, and not in how they are played: 0 to 1, the
// intraclass correlation of its replays (Shrout, Fleiss, Psychological Bulletin 86(2), 1979, case 1), mean over seats.
struct DealShare {
  api::PlayerPolicy policy;   // everybody's
  Estimate share;   // with an interval for this number of deals
  std::uint64_t deals = 0;
};

struct Skill {
  std::vector<Rung> rungs;   // the last one is the top of the ladder against its foot
  std::vector<DealShare> deal_shares;   // of the two lowest policies of the ladder
  bool whole = false;   // all was played that was to be
  double seconds = 0;
};

// What some deals of all rungs came to; parts of one run add up in any order to what it is in one piece.
class SkillPart {
 public:
  // Throws Error(caller) for a ladder of less than two policies, one player, and what simulate() refuses.
  SkillPart(const api::Game& game, const SkillSettings& settings);
  static SkillPart read(const api::Game& game, const std::string& text);
  ~SkillPart();
  SkillPart(SkillPart&&) noexcept;
  SkillPart& operator=(SkillPart&&) noexcept;

  // Plays what is missing of these deals of all rungs. A rung that is precise from its first deal on is played no
  // further.
  void play(api::GameRange deals, const SkillSettings& settings, const api::Checkpoint& checkpoint = {});
  void add(const SkillPart& other);
  std::vector<api::GameRange> missing(api::GameRange of) const;   // deals that some rung still needs
  const SkillSettings& settings() const;
  Skill skill() const;
  std::string text() const;

 private:
  struct Data;
  explicit SkillPart(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

Skill skill(const api::Game& game, const SkillSettings& settings);

}   // namespace cardwright::statistics
