// Reads the CSV files of decks, enums and graphs. Reports all problems of a file, each at its place in the file.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/loading/csv.h"
#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct CsvTable {
  SourceId source;
  loading::Csv csv;   // the header, and the rows that have a field for each column
  const loading::CsvRow& header() const { return csv.rows[0]; }
  Range at(std::uint32_t begin, std::uint32_t end) const { return {source, begin, std::max(begin + 1, end)}; }
  Range at(const loading::CsvField& f) const { return at(f.begin, f.end); }
  Range at(const loading::CsvRow& row) const { return at(row.begin, row.end); }
};

// Reads the file at `path`. Reports rows with a wrong number of fields and duplicate columns. Returns nullopt if the
// file or its header is missing. `help` is the fix for an empty file.
std::optional<CsvTable> read_table(SemaContext& sema, const Node* path,
                                   std::string help = "the first line must contain the column names");

// Returns the column with this name. If no name is equal, ignores case, blanks, `_` and `-`.
std::optional<std::size_t> column_of(const CsvTable& table, std::string_view name);

// Returns the name in `names` that a table means by `text`. If no name is equal, ignores case, blanks, `_` and `-`.
std::optional<std::string> name_meant(const std::vector<std::string>& names, std::string_view text);

// Warns about the columns that are not used, at the path in the rules. Columns without any text are not mentioned.
void warn_ignored(SemaContext& sema, const CsvTable& table, const Node* path, const std::vector<std::size_t>& columns,
                  const std::vector<std::string>& known);

}   // namespace cardwright::sema
