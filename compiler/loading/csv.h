// Reads tables as spreadsheets save them: RFC 4180 (quoted fields, doubled quotes, CRLF or LF), with commas, semicolons
// or tabs between the fields, a byte order mark, blanks around fields, and empty rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::loading {

struct CsvField {
  std::string text;   // without quotes and surrounding blanks; line breaks are blanks
  std::uint32_t begin = 0, end = 0;   // byte offsets in the file
};
struct CsvRow {
  std::vector<CsvField> fields;
  std::uint32_t begin = 0, end = 0;
};
struct CsvProblem {
  std::string message, help;
  std::uint32_t at = 0;   // byte offset
};
struct Csv {
  std::vector<CsvRow> rows;   // the header is row 0; rows without any text are skipped
  std::vector<CsvProblem> problems;
};

inline constexpr std::size_t kMostCsvBytes = 1 << 20;

Csv read_csv(std::string_view text);
// Returns whether the string can be the name of a constant or a cell: an identifier that is not a reserved word.
bool can_be_name(std::string_view text);
// Returns the name of a constant for the words of a printed name: `Water Pistol` becomes `WaterPistol`. Returns an
// empty string if the result can't be a name.
std::string name_of_words(std::string_view text);
// Returns the string in lower case, without blanks, `_` and `-`. Spreadsheets write `Victory Points` for an attribute
// `victory_points`.
std::string folded(std::string_view text);
// Returns a number as the rules write it: `3,0`, `+3` and `3.0` become `3`, and `1,5` becomes `1.5`. Returns any other
// string, such as the ambiguous `1,000`, unchanged.
std::string plain_number(std::string_view text);

}   // namespace cardwright::loading
