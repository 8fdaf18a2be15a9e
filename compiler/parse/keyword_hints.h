// What somebody writes who knows another language or a rulebook, and what is written here instead.
#pragma once

#include <string>
#include <string_view>

namespace cardwright {

enum class Spot : unsigned char {
  statement,   // `switch n { … }`: where a statement begins
  declaration,   // `class Foo { }`: at the top of a file or of a body
  name,   // `q == null`: where a value is named
  call,   // `len(p.hand)`
  type,   // `n: string`
};

// The way out; empty if nobody is known to write so.
std::string habit(Spot spot, std::string_view word);

}   // namespace cardwright
