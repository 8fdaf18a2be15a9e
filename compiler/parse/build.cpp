// Implements common functions of the AST builder: source ranges, strings, numbers and duplicate clauses.
#include "compiler/parse/build.h"

#include <charconv>
#include <set>

namespace cardwright::parse {
namespace {
constexpr std::int64_t kLargestNumber = 1'000'000'000'000;
}

// WordSource passes byte offsets to ANTLR as token positions.
Range Builder::range(const antlr4::Token* t) const {
  return {source_, static_cast<std::uint32_t>(t->getStartIndex()), static_cast<std::uint32_t>(t->getStopIndex())};
}

Range Builder::range(antlr4::ParserRuleContext* c) const {
  const Range first = range(c->getStart());
  const antlr4::Token* last = c->getStop();
  return {source_, first.begin, last ? std::max(first.begin, range(last).end) : first.begin};
}

std::string_view Builder::text(const antlr4::Token* t) const {
  return text_.substr(t->getStartIndex(), t->getStopIndex() - t->getStartIndex());
}

// Returns the contents of a string without the quotes, with `\"` replaced by a quote. `\{`, `\}` and `\\` are resolved
// when the string is parsed.
std::string_view Builder::contents(const antlr4::Token* str) {
  std::string_view inner = text(str);
  inner.remove_prefix(1);
  if (inner.ends_with('"')) inner.remove_suffix(1);
  if (inner.find("\\\"") == std::string_view::npos) return inner;
  std::string out;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\\' && i + 1 < inner.size()) {
      if (inner[i + 1] != '"') out += '\\';
      ++i;
    }
    out += inner[i];
  }
  return arena_.keep(std::move(out));
}

std::int64_t Builder::value(const antlr4::Token* number) {
  const std::string_view digits = text(number);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && value <= kLargestNumber) return value;
  diagnostics_.report("number_too_large"_code, range(number), "number too large",
                      "the largest number is 1,000,000,000,000; use `unlimited` for no limit");
  return 0;
}

void Builder::report_unknown_board(Range range, std::string_view what) {
  diagnostics_.report(
      "unsupported"_code, range, fmt::format("unknown kind of board `{}`", what),
      "use `grid 8 x 8`, `hex 9 x 7` or `graph from \"points.csv\"`; for a track use `grid 24 x 1`, for a ring "
      "add `wraps across`");
}

void Builder::once(Node*& slot, Node* value) {
  if (slot) diagnostics_.report("duplicate_clause"_code, value->range, "duplicate clause", "remove one of the two");
  slot = value;
}

void Builder::once(std::int64_t& bits, std::int64_t bit, Range at) {
  if (bits & bit) diagnostics_.report("duplicate_clause"_code, at, "duplicate clause", "remove one of the two");
  bits |= bit;
}

void Builder::each_once(const Nodes& named) {
  std::set<std::string_view> seen;
  for (const Node* n : named)
    if (!seen.insert(n->text).second)
      diagnostics_.report("duplicate_clause"_code, n->range, fmt::format("duplicate `{}`", n->text),
                          "remove one of the two");
}

void Builder::file(P::FileContext* file, Nodes& out) {
  Cursor c(file);
  while (!c.done()) {
    if (auto* h = c.rule<P::HeadContext>()) {
      // The range starts at the beginning of the file, so that the allowances also cover warnings without a position.
      cover(std::exchange(waiting_, {}), {source_, 0, range(h).end});
      head(h, out);
    } else if (auto* d = c.rule<P::DeclContext>()) {
      decl(d, out);
    } else {
      c.skip();
    }
  }
}

}   // namespace cardwright::parse
