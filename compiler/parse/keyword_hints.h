// Returns hints for keywords and names that users know from other languages or rulebooks: the Cardwright equivalent of
// `null`, `foreach`, `len(x)` and so on.
#pragma once

#include <string>
#include <string_view>

namespace cardwright {

enum class Spot : unsigned char {
  statement,   // `switch n { … }`: at the start of a statement
  declaration,   // `class Foo { }`: at the start of a declaration
  name,   // `q == null`: in an expression
  call,   // `len(p.hand)`
  type,   // `n: string`
};

// Returns the hint for `word`, or an empty string.
std::string habit(Spot spot, std::string_view word);

}   // namespace cardwright
