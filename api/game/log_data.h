// What a Log of include/cardwright holds.
#pragma once

#include <string>
#include <vector>

#include "api/game/game_data.h"
#include "runtime/log.h"

namespace cardwright::api::detail {

// The runtime tells what became of the table; who decided what stands here, each before the entry of the runtime's log
// that came next. An entry counts as one for Log::size(), wherever it stands.
struct LogData {
  struct Said {
    std::size_t before;   // entries of `log` when it was said
    int player;   // who decided
    Int option;
    std::vector<std::string> words;   // what each seat reads, and last what all may; empty: nothing
    std::string place = {};   // shown to the deciding player only: which of equal cards was chosen
  };
  std::shared_ptr<const GameData> game;
  cardwright::Log log;
  std::vector<Said> said;

  explicit LogData(std::shared_ptr<const GameData> of) : game(std::move(of)), log(game->program()) {}
  // For the next thing that happens.
  LogSink* sink() {
    log.go_on();
    return watcher ? watcher : &log;
  }
  LogSink* watcher = nullptr;   // if set, it receives all events, and passes those of the log on to `log`
  // The option that is about to be taken, as far as each may know it.
  // False where nothing is told of it.
  bool decide(const StateData& state, Int id);
  // When that has been taken: who saw its card go is told of it by name, and not of "a card".
  void name_cards();
  std::vector<std::string> lines(int player, std::size_t from, bool places) const;
  // The same for screens that show things; of a decision `decided` says whose.
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
