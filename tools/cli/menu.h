// The options of a question as a person reads and chooses them. An option keeps its number as long as the question is
// open: in a race until that is over, and while a set is picked until all of it is there. A number whose option is gone
// means nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::cli {

// Lower case, without punctuation, one blank between words.
std::string plain_words(std::string_view text);

class Menu {
 public:
  // What is offered now: by a new question, in a race that goes on, or for the next pick of a set. In the latter two
  // numbers stay, in the last one with what is picked.
  enum class When : std::uint8_t { anew, race, next_pick };
  void offer(std::vector<api::Option> options, When when);
  const std::vector<api::Option>& options() const { return options_; }

  struct Found {
    std::optional<std::int64_t> id;   // of the option that is meant
    std::string answer;   // else what to say, if the line was meant to be an option at all
  };
  Found find(std::string_view line) const;

  // An option with its number. Those that follow each other and differ by one number in their words share one.
  struct Label {
    std::string number, words;
  };
  std::vector<Label> labels() const;
  // One under the other, or, where `rows` rows are not enough, in as many columns as there is table host for; 0: as
  // many rows as it takes. What has no table host is counted.
  std::string shown(std::size_t width, std::size_t rows) const;

 private:
  struct Entry {
    std::size_t number = 0;
    std::int64_t id = -1;
    std::string element, words;   // what is picked with it; how it reads
    bool here = true;
  };
  const Entry* entry_with(std::size_t number) const;
  Found find_number(const std::string& words) const;
  Entry* entry_of(const api::Option& option, bool by_element);

  std::vector<api::Option> options_;
  std::vector<Entry> entries_;   // by number
};

}   // namespace cardwright::cli
