// What to say about a syntax error, in the author's words. Inside compiler/parse only.
#pragma once

#include <span>
#include <vector>

#include "antlr4-runtime.h"
#include "compiler/parse/words.h"
#include "support/diagnostics.h"

namespace cardwright::parse {

// Stops a parse; the message, if any, has been reported.
struct GaveUp {};

// Gives up at the first error without a word: for the quick first try.
class SilentStrategy : public antlr4::DefaultErrorStrategy {
 public:
  void recover(antlr4::Parser*, std::exception_ptr) override { throw GaveUp(); }
  antlr4::Token* recoverInline(antlr4::Parser*) override { throw GaveUp(); }
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}
};

// `n // 2`, where that makes the rest unreadable.
void say_divides(Diagnostics& diagnostics, SourceId source, const Comment& comment);

// Reports the first error and gives up; parse.cpp goes on with the next declaration.
class TellingStrategy : public antlr4::DefaultErrorStrategy {
 public:
  TellingStrategy(SourceId source, Diagnostics& diagnostics, const Word* first, const Word* last,
                  std::span<const Comment> comments = {})
      : source_(source), diagnostics_(diagnostics), first_(first), last_(last), comments_(comments) {}
  void recover(antlr4::Parser*, std::exception_ptr) override { throw GaveUp(); }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override;

 private:
  void tell(antlr4::Parser* parser, const antlr4::Token* found, const antlr4::Token* decided_from);
  bool tell_unknown_word(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_reserved_name(const antlr4::Token* found, const antlr4::misc::IntervalSet& expected);
  bool tell_unknown_line(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_second_on_line(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_assigned_condition(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_begins(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_where_for_when(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_foreign_sign(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_foreign_word(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_label_of_constant(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_bare_zone(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_quantifier(antlr4::Parser* parser, const antlr4::Token* found);
  bool tell_face(const antlr4::Token* found);
  bool tell_limit(antlr4::Parser* parser, const antlr4::Token* found);
  bool told_of_line(const antlr4::Token* found) const;
  bool tell_division(const antlr4::Token* found);
  std::string rest_of_line(const antlr4::Token* found) const;
  std::string help_for_line(const antlr4::Token* found) const;
  std::string by_another_word(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string nearly(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string guess(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string found_words(const antlr4::Token* t) const;
  std::string expected_words(const antlr4::misc::IntervalSet& expected) const;
  std::string reading_words(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string_view text(std::size_t begin, std::size_t end) const;
  Range range(const antlr4::Token* t) const;

  SourceId source_;
  Diagnostics& diagnostics_;
  const Word* first_;
  const Word* last_;
  std::span<const Comment> comments_;
};

}   // namespace cardwright::parse
