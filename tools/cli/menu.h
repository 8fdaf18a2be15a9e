// Numbers the options of a question and finds the option that a typed line selects. An option keeps its number as long
// as the question is open: in a race until the race ends, and for a set until the set is complete. The number of an
// option that disappeared is not reused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::cli {

// Lower case, without punctuation, words separated by one blank.
std::string plain_words(std::string_view text);

class Menu {
 public:
  // Why the options are offered: a new question, a change during a race, or the next pick of a set. In a race and for a
  // next pick, the numbers stay; for a next pick, they also follow the picked element.
  enum class When : std::uint8_t { anew, race, next_pick };
  void offer(std::vector<api::Option> options, When when);
  const std::vector<api::Option>& options() const { return options_; }

  struct Found {
    std::optional<std::int64_t> id;   // of the selected option
    std::string answer;   // otherwise, the error message, if the line looks like an option
  };
  Found find(std::string_view line) const;

  // A number with its option. Consecutive options whose words differ only by an increasing number share one label.
  struct Label {
    std::string number, words;
  };
  std::vector<Label> labels() const;
  // Lists the labels in one column or, if they need more than `rows` rows, in as many columns as fit; 0 means any
  // number of rows. The last line counts the labels that do not fit.
  std::string shown(std::size_t width, std::size_t rows) const;

 private:
  struct Entry {
    std::size_t number = 0;
    std::int64_t id = -1;
    std::string element, words;   // the element of a set that it picks; the displayed text
    bool here = true;
  };
  const Entry* entry_with(std::size_t number) const;
  Found find_number(const std::string& words) const;
  Entry* entry_of(const api::Option& option, bool by_element);

  std::vector<api::Option> options_;
  std::vector<Entry> entries_;   // index = number - 1
};

}   // namespace cardwright::cli
