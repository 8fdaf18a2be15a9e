// Stores and replays the entries of a table.
#include "api/table/history.h"

#include <algorithm>

#include <fmt/format.h>

namespace cardwright::table {

using api::Blame;
using api::Error;
using api::State;
using api::TableEntry;

namespace {

// Returns the id of the deciding player's option with that name, if there is exactly one.
std::optional<std::int64_t> option_named(const api::Game& game, State& asked, const std::string& name) {
  std::optional<std::int64_t> found;
  for (const std::int64_t id : asked.legal())
    if (lasting_name(game, id) == name) {
      if (found) return std::nullopt;
      found = id;
    }
  return found;
}

bool asks(State& state, int seat) {
  return !state.is_over() && (state.actor() == seat || (state.still_to_answer() != 0 && state.ask_first(seat)));
}

}   // namespace

std::string lasting_name(const api::Game& game, std::int64_t id) {
  const api::Option option = game.option(id);
  std::string out = option.action;
  for (const api::Argument& argument : option.arguments) out += fmt::format(", {} {}", argument.name, argument.value);
  return out;
}

History::History(api::Game game, std::uint64_t seed, int time_factor)
    : game_(std::move(game)), seed_(seed), time_factor_(time_factor), log_(game_) {}

State& History::state() {
  if (!state_) raise(Blame::caller, "the game has not begun");
  return *state_;
}

void History::begin(const TableEntry& entry) {
  api::Log log(game_);
  State state = game_.new_state(seed_, 0, &log, static_cast<std::uint64_t>(entry.id), time_factor_);
  log_ = std::move(log);
  state_ = std::move(state);
  entries_.clear(), logged_.clear(), snapshots_.clear();
}

void History::apply(State& state, const TableEntry& entry, api::Log* log, const OnChoice& on_choice) {
  switch (entry.kind) {
    case TableEntry::Kind::choose:
      if (state.is_over()) raise(Blame::caller, "the game is over");
      if (state.actor() != entry.seat && !state.ask_first(entry.seat))
        raise(Blame::caller, fmt::format("{} is not deciding", api::Game::seat_name(entry.seat)));
      if (on_choice) on_choice(state, entry.id);
      return state.apply_id(entry.id, log);
    case TableEntry::Kind::arrive:
      if (const auto because = state.arrive(entry.seat)) raise(Blame::caller, *because);
      return;
    case TableEntry::Kind::clock: return state.run_clock(entry.id, log);
    case TableEntry::Kind::reseed: return state.reseed(static_cast<std::uint64_t>(entry.id));
    case TableEntry::Kind::live: return state.set_live(static_cast<std::uint64_t>(entry.id));
    case TableEntry::Kind::begin:
    case TableEntry::Kind::back: break;
  }
}

void History::add(TableEntry entry, const OnChoice& on_choice) {
  if (entry.kind == TableEntry::Kind::back) return back(static_cast<std::size_t>(entry.id));
  if (entry.kind == TableEntry::Kind::reseed && (!state_ || state_->is_over())) {   // sets the seed of the next game
    seed_ = static_cast<std::uint64_t>(entry.id);
    return;
  }
  const std::size_t logged = log_.size();
  if (entry.kind == TableEntry::Kind::begin) {
    begin(entry);
    logged_.push_back(0);
  } else {
    apply(state(), entry, &log_, on_choice);
    logged_.push_back(logged);
  }
  if (entries_.size() % kEvery == 0) snapshots_.push_back(*state_);
  entries_.push_back(std::move(entry));
}

void History::add_by_name(TableEntry entry) {
  const bool is_choice = entry.kind == TableEntry::Kind::choose && !entry.name.empty();
  const bool is_known = is_choice && entry.id >= 0 && entry.id < game_.option_ids();
  if (!is_choice || (is_known && lasting_name(game_, entry.id) == entry.name)) return add(std::move(entry));
  State asked = state();
  const auto id = asks(asked, entry.seat) ? option_named(game_, asked, entry.name) : std::nullopt;
  if (!id)
    raise(Blame::caller, fmt::format("with the current rules, {} cannot choose `{}`, as in choice {}",
                                     api::Game::seat_name(entry.seat), entry.name, entries_.size()));
  entry.id = *id;
  add(std::move(entry));
}

State History::state_after(std::size_t count, const OnChoice& on_choice) const {
  if (count < 1 || count > entries_.size())
    raise(Blame::caller, fmt::format("entry {} is out of range: the number of entries is {}", count, entries_.size()));
  // With `on_choice`, replays from the start, so that the function is called for every choice.
  std::size_t from = on_choice ? 0 : (count - 1) / kEvery;
  State state = snapshots_[from];
  for (std::size_t i = from * kEvery + 1; i < count; ++i) apply(state, entries_[i], nullptr, on_choice);
  return state;
}

void History::back(std::size_t count) {
  State earlier = state_after(count);
  log_.cut(log_after(count));
  entries_.resize(count);
  logged_.resize(count);
  snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>((count - 1) / kEvery + 1), snapshots_.end());
  state_ = std::move(earlier);
}

// ---- replay under changed rules

namespace {

class ByName {
 public:
  ByName(const History& old, const api::Game& game, int time_factor) : old_(old), now_(game, old.seed(), time_factor) {}

  Replayed run(std::size_t count) {
    const std::vector<TableEntry>& entries = old_.entries();
    for (std::size_t i = 0; i < std::min(count, entries.size()); ++i)
      if (auto because = again(i))
        return {std::nullopt, api::TableStuck{i, entries[i].seat, words(entries[i]), *because}};
    return {std::move(now_), std::nullopt};
  }

 private:
  std::string words(const TableEntry& entry) const {
    const std::string choice = entry.kind == TableEntry::Kind::choose ? old_.game().option(entry.id).words : entry.name;
    return entry.seat < 0 ? choice : fmt::format("{}: {}", api::Game::seat_name(entry.seat), choice);
  }

  // Replays entry `i`. Returns the reason if the entry is impossible.
  std::optional<std::string> again(std::size_t i) {
    TableEntry entry = old_.entries()[i];
    if (entry.kind == TableEntry::Kind::choose) return choose(std::move(entry), i);
    if (now_.has_begun() && now_.state().is_over()) return "the game is already over then";
    if (entry.kind == TableEntry::Kind::clock && !now_.state().waits_for_clock()) return "no race is open";
    if (entry.kind == TableEntry::Kind::arrive)
      if (State copy = now_.state(); auto because = copy.arrive(entry.seat)) return because;
    now_.add(std::move(entry));
    return std::nullopt;
  }

  std::optional<std::string> choose(TableEntry entry, std::size_t i) {
    while (true) {
      if (now_.state().is_over())
        return was_forced(i) ? std::nullopt : std::optional<std::string>("the game is already over then");
      State asked = now_.state();
      const bool is_asked = asks(asked, entry.seat);
      if (is_asked)
        if (const auto id = option_named(now_.game(), asked, entry.name)) {
          entry.id = *id;
          now_.add(std::move(entry));
          return std::nullopt;
        }
      if (was_forced(i)) return std::nullopt;   // skip a forced choice that no longer exists
      if (asked.actor() < 0 || now_.state().legal_count() != 1) return because(asked, is_asked);
      const int seat = now_.state().actor();   // a forced choice that only the new rules have
      const std::int64_t id = now_.state().legal()[0];
      now_.add({TableEntry::Kind::choose, seat, id, lasting_name(now_.game(), id)});
    }
  }

  bool was_forced(std::size_t i) const {
    State before = old_.state_after(i);
    const TableEntry& entry = old_.entries()[i];
    return asks(before, entry.seat) && before.legal_count() == 1;
  }

  std::string because(State& asked, bool is_asked) const {
    if (asked.actor() < 0) return "no decision is pending then";
    const api::Question question = asked.question();
    const std::string who = api::Game::seat_name(question.player), where = question.place;
    const std::string what = question.prompt.empty() ? question.window : question.prompt;
    return is_asked ? fmt::format("not available at {}", where)
                    : fmt::format("{} decides instead: {} ({})", who, what, where);
  }

  const History& old_;
  History now_;
};

}   // namespace

Replayed replay_by_name(const History& old, const api::Game& game, int time_factor, std::size_t entries) {
  return ByName(old, game, time_factor).run(entries);
}

}   // namespace cardwright::table
