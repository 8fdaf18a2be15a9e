// Reads comma-separated values in the format of RFC 4180: quoted fields, doubled quotes, CRLF or LF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::loading {

struct CsvField {
  std::string text;
  std::uint32_t begin = 0, end = 0;   // byte offsets in the file
};
struct CsvRow {
  std::vector<CsvField> fields;
  std::uint32_t begin = 0, end = 0;
};
struct Csv {
  std::vector<CsvRow> rows;   // the header is row 0; empty lines are skipped
  std::string problem;   // the error message; empty if there is no error
  std::uint32_t problem_at = 0;   // byte offset of the error
};

inline constexpr std::size_t kMostCsvBytes = 1 << 20;

Csv read_csv(std::string_view text);
// Returns whether the string can be the name of a constant or a cell. Such a name is not empty, does not begin with a
// digit, and contains no spaces, quotes, operators or other punctuation.
bool can_be_name(std::string_view text);

}   // namespace cardwright::loading
