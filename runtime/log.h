// What happened, in words, as each player may read it. A host keeps one beside a State and passes it as Game::log.
#pragma once

#include <string>
#include <vector>

#include "runtime/game.h"
#include "runtime/words.h"

namespace cardwright {

class Log : public LogSink {
 public:
  explicit Log(const Program& program, PlayerNames names = {}) : program_(program), names_(std::move(names)) {}

  std::size_t size() const { return entries_.size(); }
  // The lines from entry `from` on that this observer may read; -1 reads everything.
  std::vector<std::string> lines(Int observer, std::size_t from = 0) const;
  void cut(std::size_t size) { entries_.resize(std::min(size, entries_.size())); }

  void moved(Game& g, const Byte* s, const Word* cards, Int from, Int to, Int how) override;
  void revealed(Game& g, const Byte* s, const Word* cards) override;
  void peeked(Game& g, const Byte* s, Int player, const Word* cards) override;
  void variable(Game& g, const Byte* s, Int variable, Int index, bool to_all) override;
  void changed(Game& g, const Byte* s, Int variable, Int index, Int old_value, Int new_value) override;
  void happened(Game& g, const Byte* s, Int text, Int a, Int b, Int c) override;

 private:
  struct Entry {
    Word informed = 0;               // mask of the players who read the full words
    std::string full;
    std::string others;              // what the rest read; empty: nothing
  };
  std::string names_of(const std::vector<Int>& cards) const;
  void add(Word informed, std::string full, std::string others = {});

  const Program& program_;
  PlayerNames names_;
  std::vector<Entry> entries_;
};

}  // namespace cardwright
