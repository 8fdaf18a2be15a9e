// IR from text, as print.h writes it.
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
// Nothing, with `error` filled in, where the text is wrong. What it means is verify's business.
std::optional<Module> parse(std::string_view text, ParseError& error);

}   // namespace cardwright::ir
