// From the lexer's tokens to the words the parser reads. Inside compiler/parse only.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "antlr4-runtime.h"

namespace cardwright::parse {

// One token as the parser sees it; [begin, end) are bytes of the source.
struct Word {
  std::size_t type = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool at_margin = false;   // first on its line, and in the first column
};

// What the lexer finds, newlines included.
std::vector<Word> lex(std::string_view text);

// Drops newlines that end nothing, decides which words are words of the language, joins those that belong together.
// `in_text`: it stands in the braces of a text, and what is behind a number there is a unit that the file declares.
std::vector<Word> settle(const std::vector<Word>& raw, std::string_view text, bool in_text = false);

// `// …`, to the end of its line.
struct Comment {
  std::uint32_t begin, end;
  bool divides;   // `n // 2`: as a division is written elsewhere
};
std::vector<Comment> comments_of(const std::vector<Word>& raw, std::string_view text);

bool is_soft_word(std::size_t type);   // a word of the language that may also be a name
bool is_word(std::size_t type);   // any word of the language, or a name
bool begins_declaration(std::size_t type);   // words that begin one at the top of a file
std::string_view spelling(std::size_t type);   // `move`, `{`, "or else"; empty for kinds such as names

// Hands a stretch of words to ANTLR. Token positions are bytes; the end of input lies at `end_offset`.
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
