// Stores the entries of a table since its game began, the current State and its log, and restores earlier States.
// Entries are matched to options by id under the same rules, and by name under changed rules.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/table.hpp"

namespace cardwright::table {

// Returns the action and arguments of an option as text, which identifies the option even under changed rules.
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

  // Applies an entry and stores it. Throws Error(caller) and changes nothing if the entry is impossible. Calls
  // `on_choice` before each choice.
  void add(TableEntry entry, const OnChoice& on_choice = {});
  // Like add(), but finds the option by its name, because ids can differ between versions of the rules.
  void add_by_name(TableEntry entry);
  // Returns the entries of the current game from `begin` on, without undone entries.
  const std::vector<TableEntry>& entries() const { return entries_; }
  // state_after() returns the State after the first `count` entries, where `count` is at least 1; log_after() returns
  // the length of the log at this point.
  api::State state_after(std::size_t count, const OnChoice& on_choice = {}) const;
  std::size_t log_after(std::size_t count) const { return count < logged_.size() ? logged_[count] : log_.size(); }

 private:
  static constexpr std::size_t kEvery = 16;   // number of entries between two stored States

  void begin(const TableEntry& entry);
  void back(std::size_t count);
  // Applies an entry other than `begin` and `back` to the State.
  static void apply(api::State& state, const TableEntry& entry, api::Log* log, const OnChoice& on_choice);

  api::Game game_;
  std::uint64_t seed_;
  int time_factor_;
  std::optional<api::State> state_;
  api::Log log_;
  std::vector<TableEntry> entries_;
  std::vector<std::size_t> logged_;   // log length before each entry
  std::vector<api::State> snapshots_;   // States after 1, 1 + kEvery, … entries
};

// The result of replaying the same choices in another game, with options matched by name.
struct Replayed {
  std::optional<History> history;   // set if all entries are possible
  std::optional<api::TableStuck> stuck;
};
Replayed replay_by_name(const History& old, const api::Game& game, int time_factor, std::size_t entries);

}   // namespace cardwright::table
