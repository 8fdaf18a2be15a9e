// Reads strings that are shown to players.
#include "compiler/sema/symbols/texts.h"

#include <functional>

#include "compiler/sema/symbols/errors.h"
#include "support/filled.h"

namespace cardwright::sema {

std::string filled_in(SemaContext& sema, const Node* text,
                      const std::function<std::string(Range, std::string_view)>& part) {
  std::string shown;
  const std::string_view source = sema.diagnostics.sources().text(text->range);
  const auto parts = placeholders(source);
  auto next = parts.begin();
  for (std::size_t i = 1; i + 1 < source.size(); ++i) {
    if (next != parts.end() && i + 1 == next->first) {
      const auto [begin, end] = *next++;
      const Range at{text->range.source, text->range.begin + static_cast<std::uint32_t>(begin),
                     text->range.begin + static_cast<std::uint32_t>(end)};
      shown += part(at, source.substr(begin, end - begin));
      i = end;
      continue;
    }
    if (source[i] == '\\' && i + 2 < source.size()) ++i;
    shown += source[i];
    if (source[i] == '{') shown += '{';
  }
  return shown;
}

std::string plain_words(SemaContext& sema, const Node* text) {
  if (!text) return {};
  const auto refuse = [&](Range at, std::string_view) {
    error(sema, "brace_in_constant"_code, {at.source, at.begin - 1, at.end + 1},
          "expressions in braces are not evaluated in this string", "write `\\{` for a literal brace");
    return std::string();
  };
  filled_in(sema, text, refuse);
  return std::string(text->text);
}

}   // namespace cardwright::sema
