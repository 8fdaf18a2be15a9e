// Numbers the options of a question and finds the option that a typed line selects. The number of an option does not
// change as long as the question is open: in a race until the race ends, and for a set until the set is complete. The
// number of an option that disappeared is not reused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::cli {

// Converts text to lower case without punctuation, with one blank between words.
std::string plain_words(std::string_view text);

class Menu {
 public:
  // The reason why the options are offered: a new question, a change during a race, or the next pick of a set. In the
  // last two cases, options keep their numbers.
  enum class When : std::uint8_t { question, race, next_pick };
  void offer(std::vector<api::Option> options, When when);
  const std::vector<api::Option>& options() const { return options_; }

  struct Found {
    std::optional<std::int64_t> id;   // id of the selected option; empty if there is none
    std::string answer;   // the error message if the line looks like an option but selects none
  };
  Found find(std::string_view line) const;

  // A label in the menu: a number with its option. Consecutive options whose words differ only by an increasing number
  // share one label.
  struct Label {
    std::string number, words;
  };
  std::vector<Label> labels() const { return labels_of(""); }
  // Lists the labels in one column, or in as many columns as fit if one column needs more than `rows` rows (0: no
  // limit). If some labels do not fit, the last line shows their number.
  std::string shown(std::size_t width, std::size_t rows) const;
  // Lists the options with words that begin like these words, or else with these parts, below a title. Returns an empty
  // text if there are none.
  std::string filtered(std::string_view words, std::size_t width) const;

 private:
  std::vector<Label> labels_of(std::string_view words) const;
  struct Entry {
    std::size_t number = 0;
    std::int64_t id = -1;
    std::string element, words;   // `element` is the element of a set that the option picks; `words` is its text
    bool here = true;
  };
  const Entry* entry_with(std::size_t number) const;
  Found find_number(const std::string& words) const;
  Entry* entry_of(const api::Option& option, bool by_element);

  std::vector<api::Option> options_;
  std::vector<Entry> entries_;   // index = number - 1
};

}   // namespace cardwright::cli
