// Records game events as text, with a version for each player. A host stores a Log together with a State and passes it
// to operations as Game::log.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/program/words.h"
#include "runtime/ops/game.h"

namespace cardwright {

class Log : public LogSink {
 public:
  static constexpr Int kEverything = kKnowsAll, kPublic = kKnowsCommon;
  explicit Log(const Program& program, PlayerNames names = {}) : program_(program), names_(std::move(names)) {}

  std::size_t size() const { return entries_.size(); }
  // Returns the lines of entries `from` to `end` that this observer may read: all lines for kEverything, and for
  // kPublic those that every player may read. Consecutive moves out of the same zone are combined into one line for
  // each destination. If `places` is false, moves of pieces on boards are omitted.
  std::vector<std::string> lines(Int observer, std::size_t from = 0, std::size_t end = ~std::size_t{0},
                                 bool places = true) const;
  void cut(std::size_t size);
  // Maximum number of entries for one event; a note that there are more follows them. Without a limit, rules in an
  // infinite loop would fill the memory before they run out of fuel.
  static constexpr std::size_t kMostAtOnce = 10'000;
  // Starts a new event.
  void allow_more() { full_at_ = entries_.size() + kMostAtOnce; }
  // A log entry in the form needed by screens that animate moves.
  struct News {
    Int from = -1, to = -1;   // for a move: zone instances
    Int variable = -1;   // for a change: the variable
    std::vector<Int> cards;   // the moved cards; kNone for each card that the observer may not know
    std::string text;
  };
  std::vector<News> news(Int observer, std::size_t from, std::size_t end = ~std::size_t{0}, bool places = true) const;
  // A die that was rolled; rolled() returns all of them in order.
  struct Rolled {
    Int variable, index, owner, face;   // `owner` is -1 for dice of the table
    std::size_t entry;
  };
  const std::vector<Rolled>& rolled() const { return rolled_; }
  // Returns the players who had no options at a decision since entry `from`, in order, if other players must not learn
  // this.
  std::vector<Int> without_options(std::size_t from) const;
  // Names the card of an option in its label for every observer, for example because the card is shown afterwards.
  void name_chosen_card() { names_chosen_ = true; }
  // Sets the text for a card without an id, such as "an unseen card, hand of b".
  void call_unknown(std::string words) { unknown_ = std::move(words); }

  void moved(Game& g, const Byte* s, const Word* cards, Int from, Int to, Int how) override;
  void revealed(Game& g, const Byte* s, const Word* cards) override;
  void peeked(Game& g, const Byte* s, Int player, const Word* cards) override;
  void faces(Game& g, const Byte* s, Int variable, Int dice, bool turned) override;
  void arranged(Game& g, const Byte* s, Int player, Int pile, const Word* cards) override;
  void variable(Game& g, const Byte* s, Int variable, Int index, bool to_all) override;
  void shown(Game& g, const Byte* s, Int player, Int variable, Int index) override;
  void changed(Game& g, const Byte* s, Int variable, Int index, Int old_value, Int new_value) override;
  void log_value(Game& g, const Byte* s, Int value) override;
  void log_value(Game& g, const Byte* s, const Word* set) override;
  void readers(Game& g, const Byte* s, Word players) override;
  void without_options(Game& g, const Byte* s, Int player) override;
  void part(Game& g, const Byte* s, Int text) override;
  // Replaces the placeholders `{index:format}` of a text. The format is player, card, cards …, or `of E` for a constant
  // of enum E. `{{` is a literal brace.
  void log_text(Game& g, const Byte* s, Int text) override;

 protected:
  struct LoggedValue {
    Int value = 0;
    std::vector<Int> elements;   // the elements, if the value is a set of cards or cells
    Word informed = ~Word{0};
  };
  std::string in_words(const LoggedValue& value, std::string_view sort, const Byte* s, Int observer) const;
  std::string fill(std::string_view text, const Byte* s, Int observer) const;
  void clear_values();

  const Program& program_;
  std::vector<LoggedValue> values_;   // values for the next text

 private:
  std::vector<Rolled> rolled_;
  std::string moved_piece(const Byte* s, const PlacedInfo& placed, Int variable, Int index, Int old_value,
                          Int new_value) const;
  struct Entry {
    Word informed = 0;   // mask of the players who read the full text
    std::string full;
    std::string others;   // text for other players; empty: none
    std::vector<std::string> each;   // used if players read different texts: one text by seat, then the public text
    Int zone = -1, to = -1;   // for a move: its text is generated, and only informed players read the card names
    std::vector<Int> cards = {};
    Int asked = -1;   // a player who had no options; such an entry is not shown as a line
    bool place = false;   // true for a change on a board
    Int variable = -1;   // the variable that changed, or -1
  };
  bool reads_all(Word informed, Int observer) const;
  std::size_t end_of_moves(std::size_t first, std::size_t end, Int observer) const;
  std::vector<News> moves(std::size_t first, std::size_t end, Int observer) const;
  std::string move_in_words(const News& move) const;
  std::string text_of(const Entry& entry, Int observer) const;
  Int who_answers_secretly(std::string_view text) const;
  std::string cards_in_words(const std::vector<Int>& cards, const Byte* s, Int observer) const;
  std::string held(const Byte* s, Int variable, Int index, Int observer) const;
  bool has_room();
  void add(Word informed, std::string full, std::string others = {});
  void add_held(Word informed, const Byte* s, Int variable, Int index, const std::string& before,
                const std::string& others);

  PlayerNames names_;
  std::vector<Entry> entries_;
  std::size_t full_at_ = kMostAtOnce;
  // Nested texts by text index: one for each seat, then the public one, then the one for observers who know everything.
  std::map<Int, std::vector<std::string>> parts_;
  std::string unknown_;
  bool names_chosen_ = false;
};

}   // namespace cardwright
