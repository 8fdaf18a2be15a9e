// The way of a text through the front end: words, guards, a quick try, and if that fails the messages.
//
// First the whole file in ANTLR's fast mode (SLL), giving up at the first error: every correct file passes here. Only
// if that fails, each top-level declaration alone in the thorough mode (LL), which reports its first error. So one
// broken card hides nothing about the next, and no error costs more than its own declaration.
#include "compiler/parse/parse.h"

#include <map>
#include <memory>

#include "compiler/parse/build.h"
#include "compiler/parse/messages.h"
#include "compiler/parse/words.h"

namespace cardwright::parse {
namespace {

// Words of one top-level declaration; `broken` if its brackets don't match, which has been reported.
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

  bool thorough = false;   // the fast way was not enough

  Nodes run() {
    std::vector<Word> raw = lex(text_);
    if (raw.size() > kMostTokens) {
      report(Code::too_many_tokens, raw[kMostTokens],
             fmt::format("{} words and signs, and 100000 are the most", raw.size()));
      return {};
    }
    comments_ = comments_of(raw, text_);
    const bool clean = check_characters(raw);
    words_ = settle(raw, text_);
    check_signs();
    if (!check_depth() || !check_brackets() || !clean || !quickly()) return slowly();
    warn_of_divisions();
    return std::move(out_);
  }
  std::vector<Allowance> allowances() { return builder_.allowances(); }

 private:
  Range range(const Word& w) const { return {source_, w.begin, w.end}; }
  void report(Code code, const Word& w, std::string message, std::string help = {}) {
    diagnostics_.report(code, range(w), std::move(message), std::move(help));
  }
  bool enough_said() const { return diagnostics_.errors() - errors_before_ >= kMostErrors; }

  // -- guards

  std::size_t line_end(std::size_t at) const { return std::min(text_.find_first_of("\r\n", at), text_.size()); }
  // How many texts stand one inside the other in what begins here, to the end of the line.
  std::size_t texts_deep(std::size_t at) const {
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

  // Strange characters are reported and dropped, so that the rest can still be read.
  bool check_characters(std::vector<Word>& raw) {
    const std::size_t before = diagnostics_.errors();
    bool remark = false;   // behind a `#`, which other languages begin one with
    std::size_t too_deep_until = 0;   // what comes before it is of a text that was reported
    std::erase_if(raw, [&](Word& w) {
      if (w.type == P::NL) remark = false;
      if (remark) return true;
      if (enough_said()) return w.type == P::STRAY;
      const std::string_view said = text_.substr(w.begin, w.end - w.begin);
      switch (w.type) {
        case P::BAD_STR:
          if (w.begin < too_deep_until) return true;
          if (texts_deep(w.begin) > kTextsDeep) {
            report(Code::bad_string, w, "more than three texts stand one inside the other",
                   "use `else if` instead of a text in a text");
            too_deep_until = line_end(w.begin);
          } else {
            report(Code::bad_string, w, "this text has no end on its line",
                   "put a `\"` at its end, and a `}` to every `{` in it");
          }
          w.type = P::STR;
          endless_texts_.push_back(w.begin);
          return false;
        case P::DECIMAL:
          if (before_unit(raw, w)) return false;
          report(Code::decimal_number, w, fmt::format("`{}` is not a whole number", said),
                 "what is counted in parts has a unit: `unit CL = 2`, and then `1.5 CL` is 3");
          w.type = P::NUM;
          return false;
        case P::STRAY:
          say_stray(w, said);
          remark = said == "#";
          return true;
        default: return false;
      }
    });
    return diagnostics_.errors() == before;
  }
  // `1.5 CL`, and `0.5` in `0.5..2 CL`.
  bool before_unit(const std::vector<Word>& raw, const Word& decimal) const {
    const auto next =
        static_cast<std::size_t>(std::lower_bound(raw.begin(), raw.end(), decimal.end,
                                                  [](const Word& w, std::uint32_t end) { return w.begin < end; }) -
                                 raw.begin());
    return next < raw.size() && (raw[next].type == P::ID || raw[next].type == P::RANGE);
  }
  // Once of a line: a quote comes twice.
  void say_stray(const Word& w, std::string_view said) {
    const auto line = [&](std::uint32_t at) { return diagnostics_.sources().place(source_, at).line; };
    const auto is_told = [&](const Diagnostic& d) {
      return d.code == Code::stray_character && d.range.source == source_ && line(d.range.begin) == line(w.begin) &&
             text_.substr(d.range.begin, d.range.end - d.range.begin) == said;
    };
    if (!std::ranges::any_of(diagnostics_.all(), is_told))
      report(Code::stray_character, w, fmt::format("`{}` means nothing here", said), straight(said));
  }
  static std::string straight(std::string_view said) {
    if (said == "“" || said == "”" || said == "„" || said == "«") return "texts stand between straight quotes: \"…\"";
    if (said == "‘" || said == "’" || said == "'") return "texts stand between double quotes: \"…\"";
    if (said == "#") return "a comment begins with //";
    if (said == "…") return "write the rest out; `…` is no placeholder";
    if (said == "–" || said == "—" || said == "−") return "a minus is `-`";
    static const std::map<std::string_view, std::string_view> signs = {{"!", "write `not`; unequal is `!=`"},
                                                                       {"~", "write `not`"},
                                                                       {"¬", "write `not`"},
                                                                       {"%", "the remainder is `mod`"},
                                                                       {"^", "a power is `**`"},
                                                                       {"×", "write `*`"},
                                                                       {"·", "write `*`"},
                                                                       {"÷", "write `/`"},
                                                                       {"\\", "a division is `/`"},
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
                                                                       {"→", "a type stands behind a colon: `: int`"},
                                                                       {"²", "write `** 2`"},
                                                                       {"³", "write `** 3`"}};
    const auto found = signs.find(said);
    return found == signs.end() ? std::string() : std::string(found->second);
  }

  // `n =+ 1` would store 1.
  void check_signs() {
    for (std::size_t i = 0; i + 2 < words_.size(); ++i) {
      const Word &equals = words_[i], &sign = words_[i + 1];
      const bool added = sign.type == P::PLUS;
      if (equals.type != P::ASSIGN || (!added && sign.type != P::MINUS) || equals.end != sign.begin ||
          sign.end == words_[i + 2].begin)
        continue;
      diagnostics_.report(Code::syntax, {source_, equals.begin, sign.end},
                          fmt::format("`={}` stores what stands behind it", added ? "+" : "-"),
                          added ? "`+=` adds it" : "`-=` takes it away; a number below nought is `= -1`");
    }
  }
  void warn_of_divisions() {
    if (diagnostics_.errors() != errors_before_) return;
    for (const Comment& c : comments_)
      if (c.divides)
        diagnostics_.report(
            Code::comment_divides, {source_, c.begin, c.end}, "this is a comment, and counts for nothing",
            "a division is `/`, which rounds toward nought; if it is a comment, two blanks before it say so");
  }

  // The parser recurses once per bracket and once per prefix, later phases once per operator: all of them count, in
  // one statement and what stands around it. A newline or a comma begins anew at its own bracket.
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
          if (open.size() > kDeepest) return too_deep(w, "brackets are nested more than 200 deep");
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
      if (open.back().now > kMostOperators) return too_deep(w, "this holds more than 500 operators");
    }
    return true;
  }
  bool too_deep(const Word& w, std::string message) {
    report(Code::too_deep, w, std::move(message));
    words_.clear();
    return false;
  }

  static std::size_t partner(std::size_t closing) {
    return closing == P::RBRACE ? P::LBRACE : closing == P::RPAREN ? P::LPAREN : P::LBRACKET;
  }

  // Cuts the words into top-level declarations and reports brackets that don't match. If a `{` is never closed, the
  // declaration that begins at the margin tells where the author thought it was. A text without an end has swallowed
  // the rest of its line, so nothing more is said of the declaration that holds it.
  bool check_brackets() {
    bool all_well = true;
    std::size_t begin = 0;
    std::vector<std::size_t> open;
    bool broken = false, swallowed = false;
    const bool margins_count = unbalanced();
    const auto cut = [&](std::size_t end) {
      if (end > begin) chunks_.push_back({begin, end, broken});
      begin = end;
      broken = swallowed = false;
      open.clear();
    };
    const auto fail = [&] { broken = true, all_well = false; };
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const Word& w = words_[i];
      if (((margins_count && !open.empty()) || swallowed) && w.at_margin && begins_declaration(w.type)) {
        if (!broken) say_unclosed(open.back(), begin, &w);
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
            if (!broken) report(Code::unopened, w, fmt::format("this `{}` closes nothing", spelling(w.type)));
            fail();
          } else if (words_[open.back()].type != partner(w.type)) {
            if (!broken) say_mismatch(open.back(), w);
            fail();
            const auto mate = std::find_if(open.rbegin(), open.rend(),
                                           [&](std::size_t o) { return words_[o].type == partner(w.type); });
            if (mate != open.rend()) open.erase(std::prev(mate.base()), open.end());
          } else {
            open.pop_back();
          }
          break;
        case P::STR:
          if (std::ranges::find(endless_texts_, w.begin) != endless_texts_.end()) swallowed = true, fail();
          break;
        case P::NL:
          if (open.empty() && !swallowed) cut(i + 1);
          break;
        default: break;
      }
    }
    if (!open.empty()) {
      if (!broken) say_unclosed(open.back(), begin, nullptr);
      fail();
    }
    cut(words_.size());
    return all_well;
  }

  bool unbalanced() const {
    std::vector<std::size_t> open;
    for (const Word& w : words_) {
      if (w.type == P::LBRACE || w.type == P::LPAREN || w.type == P::LBRACKET) open.push_back(w.type);
      if (w.type != P::RBRACE && w.type != P::RPAREN && w.type != P::RBRACKET) continue;
      if (open.empty() || open.back() != partner(w.type)) return true;
      open.pop_back();
    }
    return !open.empty();
  }

  std::string began(std::size_t first) const {
    while (first < words_.size() && words_[first].type == P::NL) ++first;
    const Word& w = words_[first];
    return fmt::format("the `{}` that began on line {}", text_.substr(w.begin, w.end - w.begin),
                       diagnostics_.sources().place(source_, w.begin).line);
  }
  void say_unclosed(std::size_t open, std::size_t chunk, const Word* next) {
    const Word& w = words_[open];
    const std::string closing = w.type == P::LBRACE ? "}" : w.type == P::LPAREN ? ")" : "]";
    const Comment* comment =
        comment_with(closing, spelling(w.type), w.end, next ? next->begin : static_cast<std::uint32_t>(text_.size()));
    if (comment && comment->divides) return say_divides(diagnostics_, source_, *comment);
    Diagnostic& d = diagnostics_.report(
        Code::unclosed, range(w),
        fmt::format("expected a `{}` to close {}", closing, w.type == P::LBRACE ? began(chunk) : "this"));
    d.help = "never closed";
    if (comment)
      d.notes.push_back({{source_, comment->begin, comment->end}, "this is a comment, up to the end of the line"});
    if (next) d.notes.push_back({range(*next), "a new declaration begins here"});
  }
  // The first one in between that holds the closing bracket, and not the opening one.
  const Comment* comment_with(std::string_view closing, std::string_view opening, std::uint32_t begin,
                              std::uint32_t end) const {
    const auto found = std::ranges::find_if(comments_, [&](const Comment& c) {
      const std::string_view said = text_.substr(c.begin, c.end - c.begin);
      return c.begin >= begin && c.end <= end && said.find(closing) != said.npos && said.find(opening) == said.npos;
    });
    return found == comments_.end() ? nullptr : &*found;
  }
  void say_mismatch(std::size_t open, const Word& closing) {
    const Word& w = words_[open];
    Diagnostic& d = diagnostics_.report(Code::unopened, range(closing),
                                        fmt::format("`{}` can't close `{}`", spelling(closing.type), spelling(w.type)));
    d.notes.push_back({range(w), "this one is still open"});
  }

  // -- parsing

  bool quickly() {
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

  Nodes slowly() {
    thorough = true;
    for (const Chunk& chunk : chunks_) {
      if (enough_said()) break;
      if (chunk.broken) continue;
      const Word* first = words_.data() + chunk.first;
      const Word* last = words_.data() + chunk.last;
      SourceTree tree(first, last, chunk.last < words_.size() ? words_[chunk.last].begin : text_.size());
      tree.parser.setErrorHandler(std::make_shared<TellingStrategy>(source_, diagnostics_, first, last, comments_));
      tree.prediction(antlr4::atn::PredictionMode::LL);
      try {
        builder_.file(tree.parser.file(), out_);
      } catch (const GaveUp&) {
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
  std::vector<std::uint32_t> endless_texts_;   // where they begin
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

ast::Node* parse_expression(Range where, Diagnostics& diagnostics, ast::Arena& arena) {
  const std::string_view text = diagnostics.sources().text(where);
  std::vector<Word> raw = lex(text);
  std::vector<Word> words = settle(raw, text, true);
  for (Word& w : words) w.begin += where.begin, w.end += where.begin;
  if (words.size() > kMostOperators) {
    diagnostics.report(Code::too_deep, where, "this holds more than 500 words");
    return nullptr;
  }
  WordSource source(words.data(), words.data() + words.size(), where.end);
  antlr4::CommonTokenStream stream(&source);
  grammar::RulesParser parser(&stream);
  parser.removeErrorListeners();
  parser.setErrorHandler(
      std::make_shared<TellingStrategy>(where.source, diagnostics, words.data(), words.data() + words.size()));
  try {
    return Builder(where.source, diagnostics, arena).expr(parser.lone()->expr());
  } catch (const GaveUp&) {
    return nullptr;
  }
}

}   // namespace cardwright::parse
