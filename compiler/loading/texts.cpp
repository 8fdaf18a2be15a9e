// Parses the expressions in the strings of a ruleset. These expressions can contain further strings with expressions.
#include "compiler/loading/texts.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/loading/several_boards.h"
#include "compiler/parse/parse.h"
#include "support/filled.h"

namespace cardwright::loading {

using ast::Node;

namespace {

class TextParser {
 public:
  TextParser(Ruleset& ruleset, SourceMap& sources) : ruleset_(ruleset), sources_(sources) {}

  void texts_in(const Node* node) {
    if (!node) return;
    if (node->kind == ast::NodeKind::string) text(node->range);
    for (const Node* child : node->children) texts_in(child);
  }

 private:
  void text(Range range) {
    for (const auto& [begin, end] : placeholders(sources_.text(range)))
      part({range.source, range.begin + static_cast<std::uint32_t>(begin),
            range.begin + static_cast<std::uint32_t>(end)});
  }

  void part(Range at) {
    const auto [found, added] = ruleset_.text_parts.try_emplace({at.source, at.begin});
    if (!added) return;   // the strings of a library that is used on several boards are visited several times
    Diagnostics errors(sources_);
    Node* tree = parse::parse_expression(at, errors, ruleset_.arena);
    found->second.errors = errors.all();
    if (!tree) return;
    name_after_boards(ruleset_, *tree);
    found->second.tree = tree;
    texts_in(tree);
  }

  Ruleset& ruleset_;
  SourceMap& sources_;
};

}   // namespace

void parse_texts(Ruleset& ruleset, SourceMap& sources) {
  TextParser parser(ruleset, sources);
  for (const Unit& unit : ruleset.units) parser.texts_in(unit.root);
}

}   // namespace cardwright::loading
