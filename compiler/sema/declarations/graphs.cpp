// Declares graphs: boards whose cells are points connected by lines, as in `board b: graph from "points.csv"`.
// Input:  a CSV file with names, neighbors and coordinates.
// Output: a board of the Model.
#include "compiler/sema/declarations/graphs.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/declarations/boards.h"
#include "compiler/sema/declarations/csv_tables.h"
#include "compiler/sema/declarations/data_files.h"
#include "compiler/sema/symbols/errors.h"
#include "support/decimal.h"

namespace cardwright::sema {

using loading::CsvField;
using loading::CsvRow;

struct Graph {   // the contents of the file
  std::map<std::string, Int> numbers = {};   // maps a name to its index
  std::vector<std::string> names;
  std::vector<Int> xs, ys;
  std::vector<CsvField> next;
};

static std::optional<Graph> graph_csv(SemaContext& sema, const Node* path);

static std::optional<std::vector<std::vector<Int>>> neighbors_of_points(SemaContext& sema, const Graph& graph,
                                                                        SourceId file);

constexpr Int kFarthest = 99;   // the largest coordinate

static std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return words;
}

void declare_graph(SemaContext& sema, const Decl& d) {
  const Node* node = d.node;
  const auto file = data_file(sema, view::board(node).csv());
  if (!file) return;
  const auto graph = graph_csv(sema, view::board(node).csv());
  const auto joined = graph ? neighbors_of_points(sema, *graph, *file) : std::nullopt;
  if (!joined) return;
  model::Board board{.name = std::string(node->text),
                     .cells = {},
                     .dirs = {},
                     .width = static_cast<Int>(graph->names.size()),
                     .height = 1,
                     .graph = true,
                     .joined = *joined,
                     .places = {},
                     .edges = {},
                     .borders = {},
                     .between = {},
                     .range = name_range(sema, node)};
  for (std::size_t i = 0; i < graph->xs.size(); ++i) board.places.emplace_back(graph->xs[i], graph->ys[i]);
  add_board(sema, std::move(board), graph->names, graph->xs, graph->ys);
}

// Reads the file. Returns nullopt after an error.
static std::optional<Graph> graph_csv(SemaContext& sema, const Node* path) {
  const std::size_t before = sema.diagnostics.errors();
  const std::string form = "the first line must be `name,next,x,y`; each other line is a point";
  const auto table = read_table(sema, path, form);
  if (!table) return std::nullopt;
  const auto wrong = [&](Range range, std::string what, std::string help = {}) {
    error(sema, "bad_csv"_code, range, std::move(what), std::move(help));
  };
  const std::vector<std::string> known{"name", "next", "x", "y"};
  std::vector<std::size_t> column;
  for (const std::string& name : known) {
    const auto found = column_of(*table, name);
    if (!found)
      return wrong(table->at(table->header()), fmt::format("missing column `{}`", name),
                   "a graph needs the columns `name`, `next`, `x` and `y`"),
             std::nullopt;
    column.push_back(*found);
  }
  std::vector<std::size_t> ignored;
  for (std::size_t i = 0; i < table->header().fields.size(); ++i)
    if (std::ranges::find(column, i) == column.end()) ignored.push_back(i);
  warn_ignored(sema, *table, path, ignored, {});
  if (table->csv.rows.size() < 2 && sema.diagnostics.errors() == before)
    wrong(path->range, fmt::format("\"{}\" has no points", path->text), form);
  if (table->csv.rows.size() - 1 > static_cast<std::size_t>(model::kMostCells))
    return void(error(sema, "limit_exceeded"_code, path->range,
                      fmt::format("\"{}\" has {} points; the limit is {}", path->text, table->csv.rows.size() - 1,
                                  model::kMostCells))),
           std::nullopt;
  Graph graph;
  std::map<std::pair<Int, Int>, std::string> places;
  for (std::size_t r = 1; r < table->csv.rows.size(); ++r) {
    const CsvRow& row = table->csv.rows[r];
    const CsvField& name = row.fields[column[0]];
    if (!loading::can_be_name(name.text))
      wrong(table->at(name), fmt::format("`{}` is not a valid name", name.text),
            "use letters, digits and `_`, and no reserved word");
    else if (!graph.numbers.emplace(name.text, static_cast<Int>(graph.names.size())).second)
      error(sema, "duplicate_declaration"_code, table->at(name), fmt::format("duplicate point `{}`", name.text));
    const auto number = [&](std::size_t c) {
      const CsvField& f = row.fields[column[c]];
      const auto n = read_decimal(loading::plain_number(f.text));
      if (n && n->scale == 1 && n->digits <= kFarthest) return n->digits;
      wrong(table->at(f), fmt::format("`{}` is not a valid coordinate", f.text),
            fmt::format("use an integer from 0 to {}; x increases to the east, y to the north", kFarthest));
      return Int{0};
    };
    graph.names.push_back(name.text);
    graph.xs.push_back(number(2));
    graph.ys.push_back(number(3));
    graph.next.push_back(row.fields[column[1]]);
    const auto [other, fresh] = places.emplace(std::pair(graph.xs.back(), graph.ys.back()), name.text);
    if (!fresh && sema.diagnostics.errors() == before)
      wrong(table->at(row), fmt::format("`{}` has the same position as `{}`", name.text, other->second));
  }
  return sema.diagnostics.errors() == before ? std::optional(graph) : std::nullopt;
}

// Returns the neighbors of each point, or nullopt after an error. Both points of a line must list each other as
// neighbors.
static std::optional<std::vector<std::vector<Int>>> neighbors_of_points(SemaContext& sema, const Graph& graph,
                                                                        SourceId file) {
  const std::size_t before = sema.diagnostics.errors();
  std::vector<std::vector<Int>> joined(graph.names.size());
  const auto range = [&](std::size_t point) {
    return Range{file, graph.next[point].begin, std::max(graph.next[point].begin + 1, graph.next[point].end)};
  };
  for (std::size_t from = 0; from < graph.names.size(); ++from) {
    for (const std::string& word : words_of(graph.next[from].text)) {
      const auto to = graph.numbers.find(word);
      if (to == graph.numbers.end())
        error(sema, "bad_csv"_code, range(from), fmt::format("unknown point `{}`", word),
              did_you_mean(word, graph.names));
      else if (to->second == static_cast<Int>(from))
        error(sema, "bad_csv"_code, range(from), fmt::format("`{}` is listed as its own neighbor", word), "remove it");
      else
        joined[from].push_back(to->second);
    }
    std::sort(joined[from].begin(), joined[from].end());
    joined[from].erase(std::unique(joined[from].begin(), joined[from].end()), joined[from].end());
  }
  if (sema.diagnostics.errors() != before) return std::nullopt;
  for (std::size_t from = 0; from < joined.size(); ++from)
    for (const Int to : joined[from]) {
      const std::vector<Int>& back = joined[static_cast<std::size_t>(to)];
      if (!std::binary_search(back.begin(), back.end(), static_cast<Int>(from)))
        error(sema, "bad_csv"_code, range(from),
              fmt::format("`{0}` is next to `{1}`, but `{1}` is not next to `{0}`",
                          graph.names[static_cast<std::size_t>(to)], graph.names[from]),
              fmt::format("connections go both ways: add `{}` to the `next` column of `{}`", graph.names[from],
                          graph.names[static_cast<std::size_t>(to)]));
    }
  return sema.diagnostics.errors() == before ? std::optional(joined) : std::nullopt;
}

}   // namespace cardwright::sema
