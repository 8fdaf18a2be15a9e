// Defines error strategies for the ANTLR parser: one that stops silently, and one that reports a diagnostic for the
// first error. Private to compiler/parse.
#pragma once

#include <span>
#include <vector>

#include "antlr4-runtime.h"
#include "compiler/parse/words.h"
#include "support/diagnostics.h"

namespace cardwright::parse {

// Thrown to stop parsing. The diagnostic, if any, has already been reported.
struct GaveUp {};

// Stops at the first error without reporting it. Used for the fast first attempt.
class SilentStrategy : public antlr4::DefaultErrorStrategy {
 public:
  void recover(antlr4::Parser*, std::exception_ptr) override { throw GaveUp(); }
  antlr4::Token* recoverInline(antlr4::Parser*) override { throw GaveUp(); }
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}
};

// Reports a `//` that was probably intended as a division (`n // 2`) but turned the rest of the line into a comment.
void warn_division(Diagnostics& diagnostics, SourceId source, const Comment& comment);

// Reports the first error and stops the parser; parse.cpp resumes at the next declaration.
class SyntaxErrorStrategy : public antlr4::DefaultErrorStrategy {
 public:
  SyntaxErrorStrategy(SourceId source, Diagnostics& diagnostics, const Word* first, const Word* last,
                      std::span<const Comment> comments = {}, bool in_string = false)
      : source_(source),
        diagnostics_(diagnostics),
        first_(first),
        last_(last),
        comments_(comments),
        in_string_(in_string) {}
  void recover(antlr4::Parser*, std::exception_ptr) override { throw GaveUp(); }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override;

 private:
  void report_at(antlr4::Parser* parser, const antlr4::Token* found, const antlr4::Token* decided_from);
  bool report_unknown_word(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_reserved_name(const antlr4::Token* found, const antlr4::misc::IntervalSet& expected);
  bool report_unknown_line(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_second_on_line(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_assigned_condition(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_begins(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_where_for_when(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_foreign_sign(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_foreign_word(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_label_of_constant(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_bare_zone(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_quantifier(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_face(const antlr4::Token* found);
  bool report_base_game(const antlr4::Token* found);
  bool report_hyphen(const antlr4::Token* found);
  bool report_number_with_comma(const antlr4::Token* found);
  bool report_missing_comma(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_card_count(antlr4::Parser* parser, const antlr4::Token* found);
  bool report_all_players(antlr4::Parser* parser, const antlr4::Token* found);
  std::string hint_for_winner(const antlr4::Token* found) const;
  std::string_view word(std::size_t i) const;
  std::size_t start_of_line(std::size_t i) const;
  bool touches(std::size_t i) const;
  bool report_limit(antlr4::Parser* parser, const antlr4::Token* found);
  bool has_stray_character(const antlr4::Token* found) const;
  bool report_division(const antlr4::Token* found);
  std::string rest_of_line(const antlr4::Token* found) const;
  std::string help_for_line(const antlr4::Token* found) const;
  std::string hint_for_wrong_keyword(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string hint_for_near_miss(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string hint_for(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string describe_found(const antlr4::Token* t) const;
  std::string describe_expected(const antlr4::misc::IntervalSet& expected) const;
  std::string describe_context(antlr4::Parser* parser, const antlr4::Token* found) const;
  std::string_view text(std::size_t begin, std::size_t end) const;
  Range range(const antlr4::Token* t) const;

  SourceId source_;
  Diagnostics& diagnostics_;
  const Word* first_;
  const Word* last_;
  std::span<const Comment> comments_;
  bool in_string_;   // the tokens are an expression in the braces of a string
};

}   // namespace cardwright::parse
