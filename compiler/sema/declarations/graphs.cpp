// Declares graphs: boards whose cells are points connected by lines, as in `board b: graph from "points.csv"`.
// Input:  a CSV file with names, neighbors and coordinates.
// Output: a board of the Model.
#include "compiler/sema/declarations/graphs.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/declarations/boards.h"
#include "compiler/sema/declarations/data_files.h"
#include "compiler/sema/symbols/errors.h"
#include "support/decimal.h"

namespace cardwright::sema {

using loading::Csv;
using loading::CsvField;
using loading::CsvRow;

struct Graph {   // the contents of the file
  std::map<std::string, Int> numbers = {};   // maps a name to its index
  std::vector<std::string> names;
  std::vector<Int> xs, ys;
  std::vector<CsvField> next;
};

static std::optional<Graph> graph_csv(SemaContext& sema, const Node* path, SourceId file);

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
  const auto graph = graph_csv(sema, view::board(node).csv(), *file);
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
static std::optional<Graph> graph_csv(SemaContext& sema, const Node* path, SourceId file) {
  const Csv csv = loading::read_csv(sema.diagnostics.sources().text(file));
  const std::size_t before = sema.diagnostics.errors();
  const auto at = [&](std::uint32_t begin, std::uint32_t end) { return Range{file, begin, std::max(begin + 1, end)}; };
  const auto wrong = [&](Range range, std::string what, std::string help = {}) {
    error(sema, "bad_csv"_code, range, std::move(what), std::move(help));
  };
  if (!csv.problem.empty()) return wrong(at(csv.problem_at, csv.problem_at + 1), csv.problem), std::nullopt;
  if (csv.rows.size() < 2)
    return wrong(path->range, fmt::format("\"{}\" has no points", path->text),
                 "the first line must be `name,next,x,y`; each other line is a point"),
           std::nullopt;
  const CsvRow& header = csv.rows[0];
  const std::vector<std::string> known{"name", "next", "x", "y"};
  std::vector<std::size_t> column;
  for (const std::string& name : known) {
    column.push_back(static_cast<std::size_t>(
        std::find_if(header.fields.begin(), header.fields.end(), [&](const CsvField& f) { return f.text == name; }) -
        header.fields.begin()));
    if (column.back() == header.fields.size())
      return wrong(at(header.begin, header.end), fmt::format("missing column `{}`", name),
                   "a graph needs the columns `name`, `next`, `x` and `y`"),
             std::nullopt;
  }
  for (const CsvField& f : header.fields)
    if (std::find(known.begin(), known.end(), f.text) == known.end())
      wrong(at(f.begin, f.end), fmt::format("unknown column `{}` of a graph", f.text),
            "use the columns `name`, `next`, `x` and `y`");
  if (csv.rows.size() - 1 > static_cast<std::size_t>(model::kMostCells))
    return void(error(sema, "limit_exceeded"_code, path->range,
                      fmt::format("\"{}\" has {} points; the limit is {}", path->text, csv.rows.size() - 1,
                                  model::kMostCells))),
           std::nullopt;
  Graph graph;
  std::map<std::pair<Int, Int>, std::string> places;
  for (std::size_t r = 1; r < csv.rows.size(); ++r) {
    const CsvRow& row = csv.rows[r];
    if (row.fields.size() != header.fields.size()) {
      wrong(at(row.begin, row.end), fmt::format("this row has {} {}, but the header has {}", row.fields.size(),
                                                row.fields.size() == 1 ? "field" : "fields", header.fields.size()));
      continue;
    }
    const CsvField& name = row.fields[column[0]];
    if (!loading::can_be_name(name.text))
      wrong(at(name.begin, name.end), fmt::format("`{}` is not a valid name", name.text),
            "use letters, digits and `_`");
    else if (!graph.numbers.emplace(name.text, static_cast<Int>(graph.names.size())).second)
      error(sema, "duplicate_declaration"_code, at(name.begin, name.end),
            fmt::format("duplicate point `{}`", name.text));
    const auto number = [&](std::size_t c) {
      const CsvField& f = row.fields[column[c]];
      const auto n = read_decimal(f.text);
      if (n && n->scale == 1 && n->digits <= kFarthest) return n->digits;
      wrong(at(f.begin, f.end), fmt::format("`{}` is not a valid coordinate", f.text),
            fmt::format("use an integer from 0 to {}; x increases to the east, y to the north", kFarthest));
      return Int{0};
    };
    graph.names.push_back(name.text);
    graph.xs.push_back(number(2));
    graph.ys.push_back(number(3));
    graph.next.push_back(row.fields[column[1]]);
    const auto [other, fresh] = places.emplace(std::pair(graph.xs.back(), graph.ys.back()), name.text);
    if (!fresh && sema.diagnostics.errors() == before)
      wrong(at(row.begin, row.end), fmt::format("`{}` has the same position as `{}`", name.text, other->second));
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
