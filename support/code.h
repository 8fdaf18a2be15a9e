// Defines the codes of diagnostics. Write a code by its name, as in `"unknown_name"_code`; codes.def lists all names.
// Only code.cpp includes that list, so adding a code recompiles only the files that use it. A name that codes.def does
// not list causes a linker error: an undefined reference to code_named.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cardwright {

enum class Severity : std::uint8_t { error, warning };

// A line of codes.def.
struct CodeEntry {
  std::string_view name;   // such as "unknown_name"
  std::string_view id;   // such as "E0201"
  Severity severity;
  std::string_view title;
  std::string_view text;   // the explanation, for `cardwright explain`
};

class Code {
 public:
  explicit constexpr Code(const CodeEntry& entry) : entry_(&entry) {}
  std::string_view id() const { return entry_->id; }
  std::string_view title() const { return entry_->title; }
  std::string_view text() const { return entry_->text; }
  Severity severity() const { return entry_->severity; }
  auto operator<=>(const Code&) const = default;   // the order of codes.def

 private:
  const CodeEntry* entry_;   // never null
};

// All codes, in the order of codes.def.
std::span<const CodeEntry> all_codes();
// Finds a code by its id ("E0301", case-insensitive).
std::optional<Code> find_code(std::string_view id);

// The name of a code as a template argument.
template <std::size_t Size>
struct CodeName {
  consteval CodeName(const char (&name)[Size]) { std::copy_n(name, Size, characters); }
  constexpr std::string_view view() const { return {characters, Size - 1}; }
  char characters[Size];
};

template <CodeName Name>
Code code_named();   // instantiated in code.cpp for each name in codes.def

template <CodeName Name>
Code operator""_code() {
  return code_named<Name>();
}

}   // namespace cardwright
