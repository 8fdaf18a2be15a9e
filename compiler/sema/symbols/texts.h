// Reads strings that are shown to players.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the string with each `{…}` replaced by the return value of `part`. An escaped `\{` becomes `{{`.
std::string filled_in(SemaContext& sema, const Node* text,
                      const std::function<std::string(Range at, std::string_view inside)>& part);
// Returns the contents of a string that must not contain expressions. Returns an empty string if `text` is null.
std::string plain_words(SemaContext& sema, const Node* text);

}   // namespace cardwright::sema
