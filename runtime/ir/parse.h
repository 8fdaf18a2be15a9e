// Parses the IR text that print.h writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/ir.h"

namespace cardwright::ir {

struct ParseError {
  std::uint32_t line = 0;
  std::string message;
};
// Returns nothing and fills in `error` if there is a syntax error. verify() checks everything else.
std::optional<Module> parse(std::string_view text, ParseError& error);

}   // namespace cardwright::ir
