// Defines the data behind the handle Log of include/cardwright.
#pragma once

#include <string>
#include <vector>

#include "api/game/game_data.h"
#include "runtime/log.h"

namespace cardwright::api::detail {

// Combines two sequences: the events that the runtime logs, and the decisions in `logged_decisions`. Each decision
// stores its position in the runtime's log. Log::size() counts the entries of both sequences.
struct LogData {
  struct Decision {
    std::size_t before;   // number of entries of `log` at the time of the decision
    int player;   // the deciding player
    Int option;
    std::vector<std::string> words;   // text for each seat, then the text for all; empty if the decision is hidden
    std::string place = {};   // position of the chosen card among equal cards, shown only to the deciding player
  };
  std::shared_ptr<const GameData> game;
  cardwright::Log log;
  std::vector<Decision> logged_decisions;

  explicit LogData(std::shared_ptr<const GameData> of) : game(std::move(of)), log(game->program()) {}
  // Returns the sink to which the next step must send its events.
  LogSink* sink() {
    log.allow_more();
    return watcher ? watcher : &log;
  }
  LogSink* watcher = nullptr;   // if set, receives all events and forwards those of the log to `log`
  // Logs the option that is about to be taken, with the text that each player may read. Returns false if the decision
  // is not logged.
  bool decide(const StateData& state, Int id);
  // Replaces "a card" with the card's name for players who saw the card move. Called after the option is taken.
  void name_cards();
  std::vector<std::string> lines(int player, std::size_t from, bool places) const;
  // An entry with the data for pages. For a decision, `decided` is the deciding seat.
  struct Entry {
    cardwright::Log::News news;
    int decided = -1;
  };
  std::vector<Entry> entries(int player, std::size_t from, bool places) const;
  std::vector<int> without_options(std::size_t from) const;
  void cut(std::size_t size);

 private:
  std::size_t decisions_among(std::size_t size) const;
};

}   // namespace cardwright::api::detail
