// What the grammar leaves open, and which of it a text of rules makes use of. (A library of its own, since it has to
// see ANTLR's tree.)
//
// In:    grammar/Rules.g4, the text of some declarations.
// Out:   its elements: each part that may be left out or repeated, each of several alternatives.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cardwright::test {

struct Element {
  std::string rule;   // of the grammar
  std::string text;   // as it stands there, one blank between words
  bool operator<(const Element& other) const { return std::tie(rule, text) < std::tie(other.rule, other.text); }
};

// All of them, in the order of the grammar; without those that are nothing but signs and separators.
std::vector<Element> elements_of_grammar();

// How often each of them is made use of; nothing at all if the text is none that the grammar takes.
std::map<Element, int> elements_in(const std::string& text);

}   // namespace cardwright::test
