// Parses one source: reads the tokens, checks limits and brackets, then runs the fast parse and, if it fails, the
// thorough parse.
//
// The fast parse reads the entire file in ANTLR's SLL mode and stops at the first error. It succeeds for every correct
// file. The thorough parse reads each top-level declaration separately in LL mode and reports the first error in it, so
// an error affects only its own declaration.
#include "compiler/parse/parse.h"

#include <map>
#include <memory>

#include "compiler/parse/build.h"
#include "compiler/parse/messages.h"
#include "compiler/parse/words.h"

namespace cardwright::parse {
namespace {

// The tokens of one top-level declaration. If `broken` is true, its brackets do not match, and an error has been
// reported.
struct Chunk {
  std::size_t first, last;
  bool broken;
};

class Front {
 public:
  Front(SourceId source, Diagnostics& diagnostics, ast::Arena& arena)
      : source_(source),
        diagnostics_(diagnostics),
        text_(diagnostics.sources().text(source)),
        builder_(source, diagnostics, arena) {}

  bool thorough = false;   // the fast parse failed

  Nodes run() {
    std::vector<Word> raw = lex(text_);
    if (raw.size() > kMostTokens) {
      report("too_many_tokens"_code, raw[kMostTokens],
             fmt::format("the file has {} tokens; the limit is 100,000", raw.size()));
      return {};
    }
    comments_ = comments_of(raw, text_);
    const bool clean = check_characters(raw);
    words_ = settle(raw, text_);
    check_signs();
    if (!check_depth() || !check_brackets() || !check_names() || !clean || !parse_fast()) return parse_thorough();
    warn_of_divisions();
    return std::move(out_);
  }
  std::vector<Allowance> allowances() { return builder_.allowances(); }

 private:
  Range range(const Word& w) const { return {source_, w.begin, w.end}; }
  void report(Code code, const Word& w, std::string message, std::string help = {}) {
    diagnostics_.report(code, range(w), std::move(message), std::move(help));
  }
  bool reached_error_limit() const { return diagnostics_.errors() - errors_before_ >= kMostErrors; }

  // -- checks before parsing

  std::size_t line_end(std::size_t at) const { return std::min(text_.find_first_of("\r\n", at), text_.size()); }
  // Returns the maximum nesting depth of the strings from `at` to the end of the line.
  std::size_t string_nesting(std::size_t at) const {
    std::string open;
    std::ptrdiff_t most = 0;
    for (const std::size_t end = line_end(at); at < end; ++at) {
      const char c = text_[at], in = open.empty() ? ' ' : open.back();
      if (c == '\\' && in == '"')
        ++at;
      else if ((c == '"' || c == '}') && in == (c == '"' ? '"' : '{'))
        open.pop_back();
      else if (c == '"' || (c == '{' && in == '"'))
        open.push_back(c);
      most = std::max(most, std::count(open.begin(), open.end(), '"'));
    }
    return static_cast<std::size_t>(most);
  }

  // Reports invalid characters and strings. Drops them so that the remaining tokens can be parsed.
  bool check_characters(std::vector<Word>& raw) {
    const std::size_t before = diagnostics_.errors();
    bool after_hash = false;   // after a `#`, which begins a comment in other languages
    // Tokens before this offset belong to a string that was reported as too deeply nested.
    std::size_t too_deep_until = 0;
    std::erase_if(raw, [&](Word& w) {
      if (w.type == P::NL) after_hash = false;
      if (after_hash) return true;
      if (reached_error_limit()) return w.type == P::STRAY;
      const std::string_view token = text_.substr(w.begin, w.end - w.begin);
      switch (w.type) {
        case P::BAD_STR:
          if (w.begin < too_deep_until) return true;
          if (string_nesting(w.begin) > kTextsDeep) {
            report("unterminated_string"_code, w, "strings are nested more than three levels deep",
                   "use `else if` instead of nested strings");
            too_deep_until = line_end(w.begin);
          } else {
            report("unterminated_string"_code, w, "unterminated string",
                   "add the closing `\"`, and a `}` for every `{` in the string");
          }
          w.type = P::STR;
          unterminated_strings_.push_back(w.begin);
          return false;
        case P::DECIMAL:
          if (before_unit(raw, w)) return false;
          report("decimal_number"_code, w, fmt::format("`{}` is not an integer", token),
                 "decimals need a unit: with `unit CL = 2`, `1.5 CL` is 3");
          w.type = P::NUM;
          return false;
        case P::STRAY:
          report_invalid_character(w, token);
          after_hash = token == "#";
          return true;
        default: return false;
      }
    });
    return diagnostics_.errors() == before;
  }
  // Returns whether a decimal has a unit: `1.5 CL`, or `0.5` in `0.5..2 CL`.
  bool before_unit(const std::vector<Word>& raw, const Word& decimal) const {
    const auto next =
        static_cast<std::size_t>(std::lower_bound(raw.begin(), raw.end(), decimal.end,
                                                  [](const Word& w, std::uint32_t end) { return w.begin < end; }) -
                                 raw.begin());
    return next < raw.size() && (raw[next].type == P::ID || raw[next].type == P::RANGE);
  }
  // Reports an invalid character. Each character is reported only once per line, because quotes usually occur in pairs.
  void report_invalid_character(const Word& w, std::string_view token) {
    const auto line = [&](std::uint32_t at) { return diagnostics_.sources().place(source_, at).line; };
    const auto already_reported = [&](const Diagnostic& d) {
      return d.code == "invalid_character"_code && d.range.source == source_ && line(d.range.begin) == line(w.begin) &&
             text_.substr(d.range.begin, d.range.end - d.range.begin) == token;
    };
    if (!std::ranges::any_of(diagnostics_.all(), already_reported))
      report("invalid_character"_code, w, fmt::format("invalid character `{}`", token),
             range_hint(w, token).value_or(replacement_hint(token)));
  }
  // Returns the fix for a dash or an ellipsis between two numbers: `2–6`.
  std::optional<std::string> range_hint(const Word& w, std::string_view sign) const {
    const auto digit = [&](std::size_t at) { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; };
    std::size_t end = w.begin, begin = w.end;
    while (end > 0 && text_[end - 1] == ' ') --end;
    while (begin < text_.size() && text_[begin] == ' ') ++begin;
    std::size_t from = end, to = begin;
    while (from > 0 && digit(from - 1)) --from;
    while (digit(to)) ++to;
    if ((sign != "–" && sign != "—" && sign != "…") || from == end || to == begin) return std::nullopt;
    return fmt::format("write a range with two dots: `{}..{}`", text_.substr(from, end - from),
                       text_.substr(begin, to - begin));
  }
  static std::string replacement_hint(std::string_view token) {
    if (token == "“" || token == "”" || token == "„" || token == "«") return "use straight quotes: \"…\"";
    if (token == "‘" || token == "’" || token == "'") return "use double quotes: \"…\"";
    if (token == "#") return "a comment begins with //";
    if (token == "…") return "`…` is not a placeholder; write the code in full";
    if (token == "–" || token == "—" || token == "−") return "use `-` for minus";
    static const std::map<std::string_view, std::string_view> signs = {{"!", "write `not`; use `!=` for not equal"},
                                                                       {"~", "write `not`"},
                                                                       {"¬", "write `not`"},
                                                                       {"%", "use `mod` for the remainder"},
                                                                       {"^", "use `**` for a power"},
                                                                       {"×", "write `*`"},
                                                                       {"·", "write `*`"},
                                                                       {"÷", "write `/`"},
                                                                       {"\\", "use `/` for a division"},
                                                                       {"≠", "write `!=`"},
                                                                       {"≤", "write `<=`"},
                                                                       {"≥", "write `>=`"},
                                                                       {"∧", "write `and`"},
                                                                       {"∨", "write `or`"},
                                                                       {"∈", "write `in`"},
                                                                       {"∉", "write `not in`"},
                                                                       {"∪", "write `+`"},
                                                                       {"∩", "write `&`"},
                                                                       {"∅", "write `[]`"},
                                                                       {"∞", "write `unlimited`"},
                                                                       {"→", "put a colon before the type: `: int`"},
                                                                       {"²", "write `** 2`"},
                                                                       {"³", "write `** 3`"}};
    const auto found = signs.find(token);
    return found == signs.end() ? std::string() : std::string(found->second);
  }

  // Reports `n =+ 1`, which would assign 1.
  void check_signs() {
    for (std::size_t i = 0; i + 2 < words_.size(); ++i) {
      const Word &equals = words_[i], &sign = words_[i + 1];
      const bool added = sign.type == P::PLUS;
      if (equals.type != P::ASSIGN || (!added && sign.type != P::MINUS) || equals.end != sign.begin ||
          sign.end == words_[i + 2].begin)
        continue;
      diagnostics_.report("syntax"_code, {source_, equals.begin, sign.end},
                          fmt::format("`={}` is an assignment followed by a sign", added ? "+" : "-"),
                          added ? "write `+=` to add" : "write `-=` to subtract, or `= -1` for a negative number");
    }
  }
  void warn_of_divisions() {
    if (diagnostics_.errors() != errors_before_) return;
    for (const Comment& c : comments_)
      if (c.divides)
        diagnostics_.report(
            "comment_divides"_code, {source_, c.begin, c.end}, "this comment may be a division",
            "use `/` for a division, which rounds toward zero; for a comment, put two spaces before `//`");
  }

  // Limits the recursion depth. The parser recurses once per bracket and prefix operator; later phases recurse once per
  // operator. Counts the operators of one statement and its enclosing brackets. A newline or comma resets the count to
  // that of the enclosing bracket.
  bool check_depth() {
    struct Level {
      std::size_t at_start, now;
    };
    std::vector<Level> open{{0, 0}};
    for (const Word& w : words_) {
      switch (w.type) {
        case P::LPAREN:
        case P::LBRACKET:
        case P::LBRACE:
          open.push_back({open.back().now + 1, open.back().now + 1});
          if (open.size() > kDeepest) return too_deep(w, "brackets are nested more than 200 levels deep");
          break;
        case P::RPAREN:
        case P::RBRACKET:
        case P::RBRACE:
          if (open.size() > 1) open.pop_back();
          ++open.back().now;
          break;
        case P::NL:
        case P::SEMI:
        case P::COMMA: open.back().now = open.back().at_start; break;
        case P::ID:
        case P::NUM:
        case P::STR: break;
        default: ++open.back().now;
      }
      if (open.back().now > kMostOperators) return too_deep(w, "expression with more than 500 operators");
    }
    return true;
  }
  bool too_deep(const Word& w, std::string message) {
    report("too_deep"_code, w, std::move(message));
    words_.clear();
    return false;
  }

  static std::size_t opening_bracket(std::size_t closing) {
    return closing == P::RBRACE ? P::LBRACE : closing == P::RPAREN ? P::LPAREN : P::LBRACKET;
  }

  // Splits the tokens into top-level declarations and reports mismatched brackets. If a `{` is never closed, the
  // declaration ends before the next declaration in the first column. An unterminated string extends to the end of its
  // line; no further errors are reported for its declaration.
  bool check_brackets() {
    bool ok = true;
    std::size_t begin = 0;
    std::vector<std::size_t> open;
    bool broken = false, in_unterminated_string = false;
    const bool split_at_margin = unbalanced();
    const auto cut = [&](std::size_t end) {
      if (end > begin) chunks_.push_back({begin, end, broken});
      begin = end;
      broken = in_unterminated_string = false;
      open.clear();
    };
    const auto fail = [&] { broken = true, ok = false; };
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const Word& w = words_[i];
      if (((split_at_margin && !open.empty()) || in_unterminated_string) && w.at_margin && begins_declaration(w.type)) {
        if (!broken) report_unclosed(open.back(), begin, &w);
        fail();
        cut(i);
      }
      switch (w.type) {
        case P::LBRACE:
        case P::LPAREN:
        case P::LBRACKET: open.push_back(i); break;
        case P::RBRACE:
        case P::RPAREN:
        case P::RBRACKET:
          if (open.empty()) {
            if (!broken) report("unmatched_bracket"_code, w, fmt::format("unmatched `{}`", spelling(w.type)));
            fail();
          } else if (words_[open.back()].type != opening_bracket(w.type)) {
            if (!broken) report_mismatch(open.back(), w);
            fail();
            const auto mate = std::find_if(open.rbegin(), open.rend(),
                                           [&](std::size_t o) { return words_[o].type == opening_bracket(w.type); });
            if (mate != open.rend()) open.erase(std::prev(mate.base()), open.end());
          } else {
            open.pop_back();
          }
          break;
        case P::STR:
          if (std::ranges::find(unterminated_strings_, w.begin) != unterminated_strings_.end())
            in_unterminated_string = true, fail();
          break;
        case P::NL:
          if (open.empty() && !in_unterminated_string) cut(i + 1);
          break;
        default: break;
      }
    }
    if (!open.empty()) {
      if (!broken) report_unclosed(open.back(), begin, nullptr);
      fail();
    }
    cut(words_.size());
    return ok;
  }

  // Reports names with blanks, which the parser would read as two declarations (`card Water Pistol: Item`), and a colon
  // instead of braces (`setup: shuffle draw`). These declarations are not parsed.
  bool check_names() {
    bool ok = true;
    for (std::size_t i = 0; i + 2 < words_.size(); ++i) {
      const bool starts =
          i == 0 || words_[i - 1].type == P::NL || words_[i - 1].type == P::SEMI || words_[i - 1].type == P::LBRACE;
      if (!starts || !(declares_name(words_[i].type) ? report_blank(i) : report_colon(i))) continue;
      ok = false;
      for (std::size_t c = 0; c < chunks_.size(); ++c) {
        if (i < chunks_[c].first || i >= chunks_[c].last) continue;
        chunks_[c].broken = true;
        // The indented lines after `setup:` belong to it.
        while (words_[i + 1].type == P::COLON && c + 1 < chunks_.size() && !words_[chunks_[c + 1].first].at_margin)
          chunks_[++c].broken = true;
      }
    }
    return ok;
  }
  static bool declares_name(std::size_t type) {
    static constexpr std::size_t kTypes[] = {P::K_CARD,   P::CARD_TYPE, P::K_CHARACTER, P::CHARACTER_TYPE, P::K_DECK,
                                             P::K_OPTION, P::K_ACTION,  P::K_EVENT,     P::K_ZONE,         P::K_PHASE,
                                             P::K_ENUM,   P::K_RECORD,  P::K_FUNCTION,  P::K_VALUE,        P::K_WINDOW};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
  }
  bool report_blank(std::size_t i) {
    std::size_t last = i + 1;
    while (last + 1 < words_.size() && words_[last].type == P::ID && words_[last + 1].type == P::ID &&
           line_end(words_[last].begin) == line_end(words_[last + 1].begin))
      ++last;
    if (last == i + 1) return false;
    const bool labeled = words_[i].type == P::K_CARD || words_[i].type == P::K_CHARACTER ||
                         words_[i].type == P::CARD_TYPE || words_[i].type == P::CHARACTER_TYPE;
    std::string name;
    for (std::size_t k = i + 1; k <= last; ++k) {
      std::string word(text_.substr(words_[k].begin, words_[k].end - words_[k].begin));
      if (labeled) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
      name += (labeled || k == i + 1 ? "" : "_") + word;
    }
    const std::string_view keyword = text_.substr(words_[i].begin, words_[i].end - words_[i].begin);
    const Range where{source_, words_[i + 1].begin, words_[last].end};
    const std::string_view printed = text_.substr(where.begin, where.end - where.begin);
    const bool shown = words_[i].type == P::K_CARD || words_[i].type == P::K_CHARACTER;
    diagnostics_.report(
        "syntax"_code, where, "a name can't contain a blank",
        shown ? fmt::format("write `{0} {1}: TYPE \"{2}\"`; players see the name in quotes", keyword, name, printed)
              : fmt::format("write `{} {}`", keyword, name));
    return true;
  }
  bool report_colon(std::size_t i) {
    const std::string_view word = text_.substr(words_[i].begin, words_[i].end - words_[i].begin);
    if (!words_[i].at_margin || words_[i + 1].type != P::COLON || words_[i].type != P::ID) return false;
    const bool ends = line_end(words_[i].begin) != line_end(words_[i + 2].begin) || words_[i + 2].type == P::NL;
    const bool block = word == "setup" || word == "play" || ((word == "player" || word == "table") && ends);
    if (!block) return false;
    report("syntax"_code, words_[i + 1], fmt::format("unexpected `:` after `{}`", word),
           fmt::format("use braces: `{} {{ … }}`", word));
    return true;
  }

  bool unbalanced() const {
    std::vector<std::size_t> open;
    for (const Word& w : words_) {
      if (w.type == P::LBRACE || w.type == P::LPAREN || w.type == P::LBRACKET) open.push_back(w.type);
      if (w.type != P::RBRACE && w.type != P::RPAREN && w.type != P::RBRACKET) continue;
      if (open.empty() || open.back() != opening_bracket(w.type)) return true;
      open.pop_back();
    }
    return !open.empty();
  }

  std::string describe_chunk(std::size_t first) const {
    while (first < words_.size() && words_[first].type == P::NL) ++first;
    const Word& w = words_[first];
    return fmt::format("the `{}` that begins on line {}", text_.substr(w.begin, w.end - w.begin),
                       diagnostics_.sources().place(source_, w.begin).line);
  }
  static std::string_view closing_bracket(std::size_t opening) {
    return opening == P::LBRACE ? "}" : opening == P::LPAREN ? ")" : "]";
  }
  void report_unclosed(std::size_t open, std::size_t chunk, const Word* next) {
    const Word& w = words_[open];
    const std::string_view closing = closing_bracket(w.type);
    const Comment* comment =
        comment_with(closing, spelling(w.type), w.end, next ? next->begin : static_cast<std::uint32_t>(text_.size()));
    if (comment && comment->divides) return warn_division(diagnostics_, source_, *comment);
    Diagnostic& d = diagnostics_.report(
        "unclosed_bracket"_code, range(w),
        fmt::format("expected `{}` to close {}", closing, w.type == P::LBRACE ? describe_chunk(chunk) : "this"));
    d.help = "never closed";
    if (comment)
      d.notes.push_back({{source_, comment->begin, comment->end}, "this comment extends to the end of the line"});
    if (next) d.notes.push_back({range(*next), "a new declaration begins here"});
  }
  // Returns the first comment in [begin, end) that contains `closing` but not `opening`, or null. The closing bracket
  // in that comment was probably intended as code.
  const Comment* comment_with(std::string_view closing, std::string_view opening, std::uint32_t begin,
                              std::uint32_t end) const {
    const auto found = std::ranges::find_if(comments_, [&](const Comment& c) {
      const std::string_view token = text_.substr(c.begin, c.end - c.begin);
      return c.begin >= begin && c.end <= end && token.find(closing) != token.npos && token.find(opening) == token.npos;
    });
    return found == comments_.end() ? nullptr : &*found;
  }
  void report_mismatch(std::size_t open, const Word& closing) {
    const Word& w = words_[open];
    Diagnostic& d =
        diagnostics_.report("unmatched_bracket"_code, range(closing),
                            fmt::format("expected `{}`, found `{}`", closing_bracket(w.type), spelling(closing.type)));
    d.notes.push_back({range(w), fmt::format("to match this `{}`", spelling(w.type))});
  }

  // -- parsing

  bool parse_fast() {
    SourceTree tree(words_.data(), words_.data() + words_.size(), text_.size());
    tree.parser.setErrorHandler(std::make_shared<SilentStrategy>());
    tree.prediction(antlr4::atn::PredictionMode::SLL);
    try {
      builder_.file(tree.parser.file(), out_);
      return true;
    } catch (const GaveUp&) {
      return false;
    }
  }

  Nodes parse_thorough() {
    thorough = true;
    for (const Chunk& chunk : chunks_) {
      if (reached_error_limit()) break;
      if (chunk.broken) continue;
      const Word* first = words_.data() + chunk.first;
      const Word* last = words_.data() + chunk.last;
      SourceTree tree(first, last, chunk.last < words_.size() ? words_[chunk.last].begin : text_.size());
      tree.parser.setErrorHandler(std::make_shared<SyntaxErrorStrategy>(source_, diagnostics_, first, last, comments_));
      tree.prediction(antlr4::atn::PredictionMode::LL);
      try {
        builder_.file(tree.parser.file(), out_);
      } catch (const GaveUp&) {
        continue;   // the error is reported; the next declaration may be correct
      }
    }
    warn_of_divisions();
    return std::move(out_);
  }

  struct SourceTree {
    SourceTree(const Word* first, const Word* last, std::size_t end)
        : source(first, last, static_cast<std::uint32_t>(end)), stream(&source), parser(&stream) {
      parser.removeErrorListeners();
    }
    void prediction(antlr4::atn::PredictionMode mode) {
      parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
    }
    WordSource source;
    antlr4::CommonTokenStream stream;
    grammar::RulesParser parser;
  };

  SourceId source_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  Builder builder_;
  std::vector<Word> words_;
  std::vector<Chunk> chunks_;
  std::vector<Comment> comments_;
  std::vector<std::uint32_t> unterminated_strings_;   // offsets at which unterminated strings begin
  Nodes out_;
  std::size_t errors_before_ = diagnostics_.errors();
};

}   // namespace

ast::File parse(SourceId source, Diagnostics& diagnostics, ast::Arena& arena, bool* thorough) {
  const SourceMap& sources = diagnostics.sources();
  ast::File file;
  file.source = source;
  file.folder = std::filesystem::path(sources.name(source)).parent_path().string();
  Nodes declarations;
  if (acceptable(source, diagnostics)) {
    Front front(source, diagnostics, arena);
    declarations = front.run();
    file.allowances = front.allowances();
    if (thorough) *thorough = front.thorough;
  }
  const auto size = static_cast<std::uint32_t>(sources.text(source).size());
  file.root = arena.make(NodeKind::file, {source, 0, size}, {}, 0, declarations);
  return file;
}

bool is_name(std::string_view text) {
  const std::vector<Word> words = lex(text);
  return words.size() == 1 && words[0].begin == 0 && words[0].end == text.size() &&
         (words[0].type == P::ID || is_soft_word(words[0].type));
}

ast::Node* parse_expression(Range where, Diagnostics& diagnostics, ast::Arena& arena) {
  const std::string_view text = diagnostics.sources().text(where);
  std::vector<Word> raw = lex(text);
  std::vector<Word> words = settle(raw, text, true);
  for (Word& w : words) w.begin += where.begin, w.end += where.begin;
  if (words.size() > kMostOperators) {
    diagnostics.report("too_deep"_code, where, "expression with more than 500 tokens");
    return nullptr;
  }
  WordSource source(words.data(), words.data() + words.size(), where.end);
  antlr4::CommonTokenStream stream(&source);
  grammar::RulesParser parser(&stream);
  parser.removeErrorListeners();
  parser.setErrorHandler(std::make_shared<SyntaxErrorStrategy>(
      where.source, diagnostics, words.data(), words.data() + words.size(), std::span<const Comment>(), true));
  try {
    return Builder(where.source, diagnostics, arena).expr(parser.lone()->expr());
  } catch (const GaveUp&) {
    return nullptr;
  }
}

}   // namespace cardwright::parse
