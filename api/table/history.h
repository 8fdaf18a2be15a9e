// What was done at a table since its game began: the State with its log, and any State before it. For replays by the
// same rules, and by name under others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/table.hpp"

namespace cardwright::table {

// An option by which it is found again under other rules: its action and arguments in words.
std::string lasting_name(const api::Game& game, std::int64_t id);

class History {
 public:
  using TableEntry = api::TableEntry;
  using OnChoice = std::function<void(const api::State& before, std::int64_t option)>;

  History(api::Game game, std::uint64_t seed, int time_factor);

  const api::Game& game() const { return game_; }
  bool has_begun() const { return state_.has_value(); }
  // Throws Error(caller) before the game has begun.
  api::State& state();
  const api::State& state() const { return const_cast<History*>(this)->state(); }
  const api::Log& log() const { return log_; }
  std::uint64_t seed() const { return seed_; }

  // Does it, and keeps it. Throws Error(caller) where that can't be done; then nothing has changed. `tell` hears of
  // each choice before it is made.
  void add(TableEntry entry, const OnChoice& tell = {});
  // The same for an entry that was written down by other rules, perhaps: what counts is its option's name.
  void add_by_name(TableEntry entry);
  // Of the game that runs now, `begin` first: what was taken back is not among them.
  const std::vector<TableEntry>& entries() const { return entries_; }
  // The State after the first `count` entries, and how long the log was then. There is one from 1 on.
  api::State state_after(std::size_t count, const OnChoice& tell = {}) const;
  std::size_t log_after(std::size_t count) const { return count < logged_.size() ? logged_[count] : log_.size(); }

 private:
  static constexpr std::size_t kEvery = 16;   // a State is kept

  void begin(const TableEntry& entry);
  void back(std::size_t count);
  // Does to the State what is neither `begin` nor `back`.
  static void apply(api::State& state, const TableEntry& entry, api::Log* log, const OnChoice& tell);

  api::Game game_;
  std::uint64_t seed_;
  int time_factor_;
  std::optional<api::State> state_;
  api::Log log_;
  std::vector<TableEntry> entries_;
  std::vector<std::size_t> logged_;   // before each entry
  std::vector<api::State> kept_;   // after 1, 1 + kEvery, … entries
};

// The same choices in another game, found by name.
struct Replayed {
  std::optional<History> history;   // if all of them fit
  std::optional<api::TableStuck> stuck;
};
Replayed replay_by_name(const History& old, const api::Game& game, int time_factor, std::size_t entries);

}   // namespace cardwright::table
