// Comma-separated values as RFC 4180 has them: quoted fields, doubled quotes, CRLF or LF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::sema {

struct CsvField {
  std::string text;
  std::uint32_t begin = 0, end = 0;   // bytes of the file
};
struct CsvRow {
  std::vector<CsvField> fields;
  std::uint32_t begin = 0, end = 0;
};
struct Csv {
  std::vector<CsvRow> rows;   // the header is row 0; empty lines are left out
  std::string problem;   // empty, or what is wrong …
  std::uint32_t problem_at = 0;   // … and where
};

inline constexpr std::size_t kMostCsvBytes = 1 << 20;

Csv read_csv(std::string_view text);
// Of a constant or a cell; what could be read as something else in rules can't be one.
bool can_be_name(std::string_view text);

}   // namespace cardwright::sema
