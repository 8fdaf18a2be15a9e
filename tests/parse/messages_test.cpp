// Tests the rendering of diagnostics and the suggestions for misspelled names.
#include <nlohmann/json.hpp>

#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("messages: text") {
  SourceMap sources;
  Diagnostics d(sources);
  const SourceId id = sources.add("rummy.rules", "turn {\n\tdicard(tøp, card)\n}\n");
  d.report("unknown_statement"_code, {id, 20, 24}, "second", "");
  Diagnostic& first =
      d.report("unknown_statement"_code, {id, 8, 14}, "unknown action `dicard`", "did you mean `discard`?");
  first.notes.push_back({{id, 0, 4}, "in this `turn`"});
  d.report("unknown_statement"_code, {id, 8, 14}, "said already");
  d.report("cannot_read"_code, {}, "there is no file `x`");
  CHECK(d.errors() == 3);
  CHECK(render_text(d, sources) ==
        "rummy.rules:2:2: error[E0103]: unknown action `dicard`\n"
        "  2 | \tdicard(tøp, card)\n"
        "    | \t^^^^^^ did you mean `discard`?\n"
        "rummy.rules:1:1: note: in this `turn`\n"
        "  1 | turn {\n"
        "    | ^^^^\n"
        "rummy.rules:2:13: error[E0103]: second\n"
        "  2 | \tdicard(tøp, card)\n"
        "    | \t           ^^^^\n"
        "error[E0001]: there is no file `x`\n");
}

TEST_CASE("messages: a range over several lines and a very long line") {
  SourceMap sources;
  Diagnostics d(sources);
  const SourceId id = sources.add("a", "ab\ncd\n" + std::string(500, 'x'));
  d.report("syntax"_code, {id, 1, 5}, "over two lines");
  d.report("syntax"_code, {id, 206, 209}, "in the middle");
  const std::string text = render_text(d, sources);
  CHECK(text.find("  1 | ab\n    |  ^\n") != std::string::npos);
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    CHECK(end - at < 200);
  }
}

TEST_CASE("messages: JSON") {
  Parsed p("let a = 1\nevent f() { x = = 3 }\n");
  const auto json = nlohmann::json::parse(render_json(p.diagnostics, p.sources));
  REQUIRE(json.size() == 1);
  CHECK(json[0]["code"] == "E0101");
  CHECK(json[0]["severity"] == "error");
  CHECK(json[0]["file"] == "test.rules");
  CHECK(json[0]["line"] == 2);
  CHECK(json[0]["column"] == 17);
  CHECK(json[0]["end_column"] == 18);
  CHECK(json[0]["message"] == "expected an expression, found `=`");
  CHECK(json[0]["notes"].is_array());
}

TEST_CASE("messages: nearest") {
  const std::vector<std::string> words = {"discard", "draw", "hand", "table"};
  CHECK(nearest("dicard", words) == "discard");
  CHECK(nearest("drwa", words) == "draw");
  CHECK(nearest("Hand", words) == "hand");
  CHECK(nearest("discard", {"discard"}) == "");
  CHECK(nearest("xyz", words) == "");
  CHECK(nearest("a", {"b"}) == "");
  CHECK(did_you_mean("tabel", words) == "did you mean `table`?");
  CHECK(did_you_mean("nothing", words) == "");
}

TEST_CASE("messages: codes") {
  const std::optional<Code> code = find_code("e0101");
  REQUIRE(code);
  CHECK(*code == "syntax"_code);
  CHECK(code->id() == "E0101");
  CHECK(!code->title().empty());
  CHECK(!code->text().empty());
  CHECK(!find_code("E9999"));
}

}   // namespace cardwright::parse_tests
