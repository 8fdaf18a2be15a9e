// Data behind a Log of include/cardwright.
#pragma once

#include <string>
#include <vector>

#include "api/game/game_data.h"
#include "runtime/log.h"

namespace cardwright::api::detail {

// Combines two sequences: the events that the runtime logs, and the decisions stored here, each of which precedes a
// given entry of the runtime's log. Log::size() counts the entries of both.
struct LogData {
  struct Said {
    std::size_t before;   // number of entries of `log` at that time
    int player;   // the deciding player
    Int option;
    std::vector<std::string> words;   // text for each seat, and last for everybody; empty: hidden
    std::string place = {};   // only for the deciding player: position of the chosen card among equal cards
  };
  std::shared_ptr<const GameData> game;
  cardwright::Log log;
  std::vector<Said> said;

  explicit LogData(std::shared_ptr<const GameData> of) : game(std::move(of)), log(game->program()) {}
  // Receives the next events.
  LogSink* sink() {
    log.go_on();
    return watcher ? watcher : &log;
  }
  LogSink* watcher = nullptr;   // if set, receives all events and forwards those of the log to `log`
  // Adds the option that is about to be taken, as far as each player may know it. Returns false if it is not logged.
  bool decide(const StateData& state, Int id);
  // Called after the option is taken: players who saw the card move read its name instead of "a card".
  void name_cards();
  std::vector<std::string> lines(int player, std::size_t from, bool places) const;
  // An entry for pages that show things; for a decision, `decided` is the deciding seat.
  struct Told {
    cardwright::Log::News news;
    int decided = -1;
  };
  std::vector<Told> told(int player, std::size_t from, bool places) const;
  std::vector<int> asked_in_vain(std::size_t from) const;
  void cut(std::size_t size);

 private:
  std::size_t decisions_among(std::size_t size) const;
};

}   // namespace cardwright::api::detail
