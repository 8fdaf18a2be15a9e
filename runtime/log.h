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
  // The lines of entries `from` to `end` that this observer may read; -1 reads everything. Moves from the same zone to the
  // same zone that follow each other are one line.
  std::vector<std::string> lines(Int observer, std::size_t from = 0, std::size_t end = ~std::size_t{0}) const;
  void cut(std::size_t size);

  void moved(Game& g, const Byte* s, const Word* cards, Int from, Int to, Int how) override;
  void revealed(Game& g, const Byte* s, const Word* cards) override;
  void peeked(Game& g, const Byte* s, Int player, const Word* cards) override;
  void variable(Game& g, const Byte* s, Int variable, Int index, bool to_all) override;
  void shown(Game& g, const Byte* s, Int player, Int variable, Int index) override;
  void changed(Game& g, const Byte* s, Int variable, Int index, Int old_value, Int new_value) override;
  void told(Game& g, const Byte* s, Int value) override;
  void told(Game& g, const Byte* s, const Word* set) override;
  void told_with(Game& g, const Byte* s, Int variable, Int index) override;
  void told_with(Game& g, const Byte* s, const Word* cards) override;
  // Marks are `{index:sort}`: player, card, cards …, or `of E`, a constant of enum E. `{{` is a brace.
  void said(Game& g, const Byte* s, Int text) override;

 private:
  struct Entry {
    Word informed = 0;               // mask of the players who read the full words
    std::string full;
    std::string others;              // what the rest read; empty: nothing
    std::vector<std::string> each;   // by seat, where they read different things
    Int zone = -1, to = -1;          // of a move, which has no words of its own: who is informed reads which cards
    std::vector<Int> cards = {};
  };
  struct Told {
    Int value = 0;
    std::vector<Int> elements;       // of a set of cards or cells
    Word informed = ~Word{0};
  };
  static bool reads_all(const Entry& entry, Int observer) { return observer < 0 || (entry.informed >> observer & 1); }
  std::size_t end_of_moves(std::size_t first, std::size_t end, Int observer) const;
  std::string moves_in_words(std::size_t first, std::size_t end, Int observer) const;
  std::string text_of(const Entry& entry, Int observer) const;
  Int who_answers_secretly(std::string_view text) const;
  std::string fill(std::string_view text, const Byte* s, Int observer) const;
  std::string cards_in_words(const std::vector<Int>& cards, const Byte* s, Int observer) const;
  std::string in_words(const Told& value, std::string_view sort, const Byte* s, Int observer) const;
  std::string names_of(const std::vector<Int>& cards) const;
  std::string held(const Byte* s, Int variable, Int index) const;
  void add(Word informed, std::string full, std::string others = {});

  const Program& program_;
  PlayerNames names_;
  std::vector<Entry> entries_;
  std::vector<Told> told_;           // of the text that is about to come
};

}  // namespace cardwright
