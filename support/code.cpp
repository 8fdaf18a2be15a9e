// Defines the table of all codes, which codes.def lists.
#include "support/code.h"

#include <cctype>
#include <iterator>

namespace cardwright {
namespace {

constexpr CodeEntry kCodes[] = {
#define CODE(id, name, severity, title, text) {#name, #id, Severity::severity, title, text},
#include "support/codes.def"
#undef CODE
};

bool same_id(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::toupper(c); }, [](unsigned char c) { return std::toupper(c); });
}

}   // namespace

template <CodeName Name>
Code code_named() {
  constexpr const CodeEntry* entry = std::ranges::find(kCodes, Name.view(), &CodeEntry::name);
  return Code(*entry);
}

#define CODE(id, name, severity, title, text) template Code code_named<#name>();
#include "support/codes.def"
#undef CODE

std::span<const CodeEntry> all_codes() { return kCodes; }

std::optional<Code> find_code(std::string_view id) {
  const auto found = std::ranges::find_if(kCodes, [&](const CodeEntry& e) { return same_id(e.id, id); });
  return found == std::end(kCodes) ? std::nullopt : std::optional(Code(*found));
}

}   // namespace cardwright
