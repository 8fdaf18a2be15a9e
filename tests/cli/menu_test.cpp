// Tests the menu of options: series of numbers, columns, and lists of the options that contain a part of a text.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/support/command.h"
#include "tools/cli/menu.h"

using namespace cardwright;
using cli::Menu;
using test::has;

namespace {

Menu menu_of(const std::vector<std::string>& words) {
  std::vector<api::Option> options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    api::Option& option = options.emplace_back();
    option.id = static_cast<std::int64_t>(100 + i);
    option.words = words[i];
  }
  Menu menu;
  menu.offer(std::move(options), Menu::When::question);
  return menu;
}

std::ptrdiff_t rows_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

std::vector<std::string> moves() {
  std::vector<std::string> out;
  for (const char piece : {'K', 'Q'})
    for (char column = 'a'; column <= 'h'; ++column)
      for (char row = '1'; row <= '4'; ++row)
        out.push_back(std::string(piece == 'K' ? "King" : "Queen") + " to " + column + row);
  return out;
}

}   // namespace

TEST_CASE("menu: few options have a row each, many options are in columns", "[cli][menu]") {
  CHECK(rows_of(menu_of({"Pass", "Draw a card", "Sing"}).shown(80, 0)) == 3);
  const std::string many = menu_of(moves()).shown(80, 0);
  INFO(many);
  CHECK(rows_of(many) < 20);
  for (const std::string& move : moves()) CHECK(has(many, move));   // without a limit of rows, all are listed
  std::size_t begin = 0;
  for (std::size_t end = many.find('\n'); end != std::string::npos; begin = end + 1, end = many.find('\n', begin))
    CHECK(end - begin <= 80);
}

TEST_CASE("menu: a screen without room for all options says how to find the others", "[cli][menu]") {
  const std::string some = menu_of(moves()).shown(40, 5);
  INFO(some);
  CHECK(rows_of(some) == 5);
  CHECK(has(some, "more; `options` lists all"));
  CHECK_FALSE(has(some, "Queen to h4"));
}

TEST_CASE("menu: a part of a text lists the options that contain it, with their numbers", "[cli][menu]") {
  const Menu menu = menu_of(moves());
  const std::string found = menu.filtered("qu B", 80);
  INFO(found);
  CHECK(rows_of(found) == 5);   // a title and b1 to b4
  CHECK(has(found, " 37  Queen to b1"));
  CHECK(has(found, " 40  Queen to b4"));
  CHECK_FALSE(has(found, "King"));
  CHECK_FALSE(has(found, "Queen to c"));
  CHECK(has(menu.filtered("een c", 80), "Queen to c1"));   // parts of words, if no word begins like this
  CHECK(menu.find("37").id == 136);
  CHECK_FALSE(menu.find("qu b").id);   // a part selects nothing
  CHECK(menu.filtered("rook", 80).empty());
  CHECK(menu.filtered(" - ", 80).empty());
}

TEST_CASE("menu: numbers form a series, cells do not", "[cli][menu]") {
  const auto labels = menu_of({"f1", "f2", "f3", "f4", "f5", "f6", "Raise to 1", "Raise to 2", "Raise to 3",
                               "Raise to 4", "Raise to 5"})
                          .labels();
  REQUIRE(labels.size() == 7);
  CHECK(labels[1].words == "f2");
  CHECK(labels[6].number == "  7-11");
  CHECK(labels[6].words == "Raise to 1 … Raise to 5");
}
