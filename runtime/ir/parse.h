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
// Parses a module. On a syntax error, returns nothing and sets `error`. Only syntax is checked; verify() checks
// everything else.
std::optional<Module> parse(std::string_view text, ParseError& error);

}   // namespace cardwright::ir
