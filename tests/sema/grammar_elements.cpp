// Parses grammar/Rules.g4, and matches ANTLR's parse trees of a rules text with the optional elements of its rules.
#include "tests/sema/grammar_elements.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>

#include "RulesParser.h"
#include "antlr4-runtime.h"
#include "compiler/parse/messages.h"
#include "compiler/parse/words.h"
#include "tests/support/checkout.h"

namespace cardwright::test {
namespace {

using P = grammar::RulesParser;

// ---- the parser for the grammar file

struct Part {
  enum Kind { word, other_than, sequence, choice, repeat } kind = word;
  std::string text;   // for a word: `'when'`, `K_WHEN`, `expr`; otherwise the text of all parts
  bool none = false, many = false;   // for a repetition: may be absent (`?`, `*`), may repeat (`*`, `+`)
  std::vector<Part> parts;
};

class Reader {
 public:
  explicit Reader(const std::string& text) {
    for (std::size_t i = 0; i < text.size();) {
      const auto letter = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
      };
      std::size_t end = i + 1;
      if (std::isspace(static_cast<unsigned char>(text[i]))) {
        ++i;
        continue;
      }
      if (text[i] == '/' && text[i + 1] == '/') {
        i = std::min(text.find('\n', i), text.size());
        continue;
      }
      if (text[i] == '\'')
        end = text.find('\'', i + 1) + 1;
      else
        while (letter(i) && letter(end)) ++end;
      words_.push_back(text.substr(i, end - i));
      i = end;
    }
  }

  std::vector<std::pair<std::string, Part>> rules() {
    std::vector<std::pair<std::string, Part>> all;
    while (at_ < words_.size()) {
      const std::string name = take();
      expect(":");
      all.emplace_back(name, alternatives());
      expect(";");
    }
    return all;
  }

 private:
  bool is(const char* word) const { return at_ < words_.size() && words_[at_] == word; }
  std::string take() { return words_.at(at_++); }
  void expect(const char* word) {
    if (take() != word) throw std::runtime_error(std::string("grammar: expected ") + word);
  }
  std::string since(std::size_t first) const {
    std::string text;
    for (std::size_t i = first; i < at_; ++i) text += (i > first ? " " : "") + words_[i];
    return text;
  }
  Part alternatives() {
    const std::size_t first = at_;
    Part all{Part::choice, {}, false, false, {in_a_row()}};
    while (is("|")) take(), all.parts.push_back(in_a_row());
    if (all.parts.size() == 1) return std::move(all.parts[0]);
    all.text = since(first);
    return all;
  }
  Part in_a_row() {
    const std::size_t first = at_;
    Part row{Part::sequence, {}, false, false, {}};
    while (at_ < words_.size() && !is("|") && !is(")") && !is(";")) row.parts.push_back(repeated());
    row.text = since(first);
    return row;
  }
  Part repeated() {
    const std::size_t first = at_;
    Part one = single();
    if (!is("?") && !is("*") && !is("+")) return one;
    const std::string how = take();
    return {Part::repeat, since(first), how != "+", how != "?", {std::move(one)}};
  }
  Part single() {
    const std::string word = take();
    if (word == "~") return {Part::other_than, {}, false, false, {single()}};
    if (word != "(") return {Part::word, word, false, false, {}};
    Part inner = alternatives();
    expect(")");
    return inner;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

struct Grammar {
  std::vector<std::pair<std::string, Part>> rules;
  Grammar() {
    std::ifstream in(test::checkout("grammar/Rules.g4"));
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::size_t first = text.find("\nfile :"), last = text.find("\n// ---", text.find("\nargs "));
    if (first == std::string::npos || last == std::string::npos)
      throw std::runtime_error("Rules.g4 is not as expected");
    rules = Reader(text.substr(first, last - first)).rules();
  }
  const Part& rule(const std::string& name) const {
    return std::ranges::find_if(rules, [&](const auto& r) { return r.first == name; })->second;
  }
};
const Grammar& the_grammar() {
  static const Grammar grammar;
  return grammar;
}

// Calls `f` for each optional element of a rule.
void walk(const Part& part, const std::function<void(const Part&)>& f) {
  if (part.kind == Part::repeat && part.none) f(part);
  for (const Part& inner : part.parts) walk(inner, f);
}

bool is_only_signs(const Part& part) {
  if (part.kind == Part::word)
    return part.text == "sep" || (part.text[0] == '\'' && !std::isalpha(static_cast<unsigned char>(part.text[1])));
  return std::ranges::all_of(part.parts, is_only_signs);
}

// ---- the match of a parse tree with the grammar

class Match {
 public:
  Match(antlr4::ParserRuleContext* tree, P& parser) : children_(tree->children), parser_(parser) {}
  // Returns the elements that the tree uses, in order.
  std::vector<const Part*> taken(const Part& rule) {
    std::vector<const Part*> found;
    if (!part(rule, 0, [&](std::size_t at) { return at == children_.size() && (found = taken_, true); }))
      throw std::runtime_error("a tree does not match the grammar: " + rule.text);
    return found;
  }

 private:
  using Then = std::function<bool(std::size_t)>;

  bool part(const Part& p, std::size_t at, const Then& then) {
    switch (p.kind) {
      case Part::word: return at < children_.size() && is(at, p.text) && then(at + 1);
      case Part::other_than:
        return at < children_.size() && terminal(at) && !part(p.parts[0], at, [](std::size_t) { return true; }) &&
               then(at + 1);
      case Part::sequence: return row(p, 0, at, then);
      case Part::choice: return std::ranges::any_of(p.parts, [&](const Part& one) { return part(one, at, then); });
      case Part::repeat: return repeat(p, at, p.none, then);
    }
    return false;
  }
  bool row(const Part& p, std::size_t next, std::size_t at, const Then& then) {
    if (next == p.parts.size()) return then(at);
    return part(p.parts[next], at, [&, next](std::size_t behind) { return row(p, next + 1, behind, then); });
  }
  bool repeat(const Part& p, std::size_t at, bool enough, const Then& then) {
    const Then more = [&](std::size_t behind) {
      return behind > at && (p.many ? repeat(p, behind, true, then) : then(behind));
    };
    return noted(p, [&] { return part(p.parts[0], at, more); }) || (enough && then(at));
  }
  bool noted(const Part& p, const std::function<bool()>& matches) {
    taken_.push_back(&p);
    if (matches()) return true;
    taken_.pop_back();
    return false;
  }

  antlr4::tree::TerminalNode* terminal(std::size_t at) const {
    return dynamic_cast<antlr4::tree::TerminalNode*>(children_[at]);
  }
  bool is(std::size_t at, const std::string& word) const {
    if (const auto* rule = dynamic_cast<antlr4::ParserRuleContext*>(children_[at]))
      return parser_.getRuleNames()[rule->getRuleIndex()] == word;
    const auto type = static_cast<std::size_t>(terminal(at)->getSymbol()->getType());
    return parser_.getVocabulary().getLiteralName(type) == word ||
           parser_.getVocabulary().getSymbolicName(type) == word;
  }

  const std::vector<antlr4::tree::ParseTree*>& children_;
  P& parser_;
  std::vector<const Part*> taken_;
};

void count(antlr4::ParserRuleContext* tree, P& parser, std::map<Element, int>& found) {
  const std::string& name = parser.getRuleNames()[tree->getRuleIndex()];
  for (const Part* p : Match(tree, parser).taken(the_grammar().rule(name))) ++found[{name, p->text}];
  for (antlr4::tree::ParseTree* child : tree->children)
    if (auto* rule = dynamic_cast<antlr4::ParserRuleContext*>(child)) count(rule, parser, found);
}

}   // namespace

std::vector<Element> elements_of_grammar() {
  std::vector<Element> all;
  for (const auto& [name, rule] : the_grammar().rules)
    walk(rule, [&](const Part& p) {
      if (!is_only_signs(p)) all.push_back({name, p.text});
    });
  return all;
}

std::map<Element, int> elements_in(const std::string& text) {
  const std::vector<parse::Word> words = parse::settle(parse::lex(text), text);
  parse::WordSource source(words.data(), words.data() + words.size(), static_cast<std::uint32_t>(text.size()));
  antlr4::CommonTokenStream stream(&source);
  P parser(&stream);
  parser.removeErrorListeners();
  parser.setErrorHandler(std::make_shared<parse::SilentStrategy>());
  std::map<Element, int> found;
  try {
    count(parser.file(), parser, found);
  } catch (const parse::GaveUp&) {
    found.clear();
  }
  return found;
}

}   // namespace cardwright::test
