// Reads the CSV files of decks, enums and graphs.
#include "compiler/sema/declarations/csv_tables.h"

#include <set>

#include <fmt/format.h>

#include "compiler/sema/declarations/data_files.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

using loading::CsvField;
using loading::CsvRow;

// Makes a row as wide as the header, if only empty fields differ. Spreadsheets end some rows with separators up to the
// last column that was ever used.
static bool fit_row(CsvRow& row, const CsvRow& header) {
  const std::size_t columns = header.fields.size();
  while (row.fields.size() > columns && row.fields.back().text.empty()) row.fields.pop_back();
  while (row.fields.size() < columns && header.fields[row.fields.size()].text.empty())
    row.fields.push_back({.text = {}, .begin = row.end, .end = row.end});
  return row.fields.size() == columns;
}

static void check_rows(SemaContext& sema, CsvTable& table) {
  const std::size_t columns = table.header().fields.size();
  std::vector<CsvRow> good{table.header()};
  for (std::size_t r = 1; r < table.csv.rows.size(); ++r) {
    CsvRow& row = table.csv.rows[r];
    if (fit_row(row, good[0]))
      good.push_back(std::move(row));
    else
      error(sema, "bad_csv"_code, table.at(row),
            fmt::format("this row has {} {}, but the header has {}", row.fields.size(),
                        row.fields.size() == 1 ? "field" : "fields", columns));
  }
  table.csv.rows = std::move(good);
}

static void check_header(SemaContext& sema, const CsvTable& table) {
  std::set<std::string> seen;
  for (const CsvField& f : table.header().fields)
    if (const std::string name = loading::folded(f.text); !name.empty() && !seen.insert(name).second)
      error(sema, "bad_csv"_code, table.at(f), fmt::format("duplicate column `{}`", f.text),
            "rename or remove one of the two");
}

std::optional<CsvTable> read_table(SemaContext& sema, const Node* path, std::string help) {
  const auto source = data_file(sema, path);
  if (!source) return std::nullopt;
  CsvTable table{.source = *source, .csv = loading::read_csv(sema.diagnostics.sources().text(*source))};
  for (const loading::CsvProblem& p : table.csv.problems)
    error(sema, "bad_csv"_code, table.at(p.at, p.at + 1), p.message, p.help);
  if (table.csv.rows.empty()) {
    if (table.csv.problems.empty())
      error(sema, "bad_csv"_code, path->range, fmt::format("\"{}\" is empty", path->text), std::move(help));
    return std::nullopt;
  }
  check_header(sema, table);
  check_rows(sema, table);
  return table;
}

std::optional<std::string> name_meant(const std::vector<std::string>& names, std::string_view text) {
  if (const auto equal = std::ranges::find(names, text); equal != names.end()) return *equal;
  const std::string wanted = loading::folded(text);
  const auto alike = std::ranges::find_if(names, [&](const std::string& n) { return loading::folded(n) == wanted; });
  return alike == names.end() ? std::nullopt : std::optional(*alike);
}

std::optional<std::size_t> column_of(const CsvTable& table, std::string_view name) {
  std::vector<std::string> names;
  for (const CsvField& f : table.header().fields) names.push_back(f.text);
  const auto meant = name_meant(names, name);
  if (!meant) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::find(names, *meant) - names.begin());
}

void warn_ignored(SemaContext& sema, const CsvTable& table, const Node* path, const std::vector<std::size_t>& columns,
                  const std::vector<std::string>& known) {
  std::vector<std::string> names;
  std::string help;
  for (const std::size_t i : columns) {
    const std::string& name = table.header().fields[i].text;
    const bool has_text =
        std::ranges::any_of(table.csv.rows, [&](const CsvRow& row) { return !row.fields[i].text.empty(); });
    if (!has_text) continue;
    names.push_back(name.empty() ? fmt::format("number {}", i + 1) : fmt::format("`{}`", name));
    if (help.empty()) help = did_you_mean(name, known);
  }
  std::string list;
  constexpr std::size_t kMostNames = 20;
  const std::size_t left_out = names.size() > kMostNames ? names.size() - (kMostNames - 1) : 0;
  if (left_out > 0) names.resize(kMostNames - 1), names.push_back(fmt::format("{} others", left_out));
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  const bool one = names.size() == 1;
  warn_if(sema, "ignored_column"_code, path->range, !names.empty(),
          fmt::format("the column{} {} {} ignored", one ? "" : "s", list, one ? "is" : "are"), std::move(help));
}

}   // namespace cardwright::sema
