// Converts the lexer's tokens into the tokens that the parser reads. Private to compiler/parse.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "antlr4-runtime.h"

namespace cardwright::parse {

// A token. [begin, end) are its byte offsets in the source.
struct Word {
  std::size_t type = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool at_margin = false;   // starts in the first column of its line
};

// Returns all tokens of the lexer, including newlines.
std::vector<Word> lex(std::string_view text);

// Drops newlines that do not end a statement, resolves contextual keywords, and joins multi-word keywords. If `in_text`
// is true, `raw` is an expression in the braces of a string, and a name after a number is a unit.
std::vector<Word> settle(const std::vector<Word>& raw, std::string_view text, bool in_text = false);

// A `//` comment. It ends at the end of its line.
struct Comment {
  std::uint32_t begin, end;
  bool divides;   // looks like a division in other languages: `n // 2`
};
std::vector<Comment> comments_of(const std::vector<Word>& raw, std::string_view text);

bool is_soft_word(std::size_t type);   // a contextual keyword, which can also be a name
bool is_word(std::size_t type);   // any keyword, or a name
bool begins_declaration(std::size_t type);   // a keyword that begins a top-level declaration
// The source text of a token type: `move`, `{`, "or else". Empty if the type has no fixed source text.
std::string_view spelling(std::size_t type);

// Passes a range of tokens to ANTLR. Token positions are byte offsets. The position of the EOF token is `end_offset`.
class WordSource : public antlr4::TokenSource {
 public:
  WordSource(const Word* first, const Word* last, std::uint32_t end_offset)
      : next_(first), last_(last), end_offset_(end_offset) {}
  std::unique_ptr<antlr4::Token> nextToken() override;
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return "rules"; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  const Word* next_;
  const Word* last_;
  std::uint32_t end_offset_;
};

}   // namespace cardwright::parse
