// Lists the optional elements of the grammar and counts which of them a rules text uses. (It is a separate library,
// because it depends on ANTLR's parse tree.)
//
// Input: grammar/Rules.g4 and the text of some declarations.
// Output: the elements, which are the optional parts, repeated parts and alternatives of each grammar rule.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cardwright::test {

struct Element {
  std::string rule;   // name of the grammar rule
  std::string text;   // text in the grammar, with words separated by one space
  bool operator<(const Element& other) const { return std::tie(rule, text) < std::tie(other.rule, other.text); }
};

// Returns all elements in the grammar's order, without those that consist only of punctuation and separators.
std::vector<Element> elements_of_grammar();

// Returns the number of times that the text uses each element; empty if the text has syntax errors.
std::map<Element, int> elements_in(const std::string& text);

}   // namespace cardwright::test
