// Syntax errors in plain words: what was found, what was being read, what could stand there.
// Tests: tests/parse/errors_test.cpp.
#include "compiler/parse/messages.h"

#include <algorithm>

#include "RulesParser.h"
#include "compiler/parse/keyword_hints.h"

namespace cardwright::parse {
namespace {

using P = grammar::RulesParser;

const std::vector<std::string> kDeclarations = {
    "game",      "library",        "players",  "use",      "const",      "let",      "option",    "with",
    "without",   "variant",        "conflict", "require",  "warn",       "enum",     "card",      "card type",
    "character", "character type", "deck",     "player",   "table",      "zone",     "area",      "timer",
    "board",     "team",           "teams",    "turn var", "instead of", "end when", "unprinted", "kept",
    "value",     "function",       "sequence", "event",    "window",     "action",   "play",      "plays",
    "while",     "text",           "has",      "modify",   "forbid",     "allow",    "before",    "after",
    "instead",   "whenever",       "measure",  "setup",    "end",        "remove",   "replace",   "scene",
    "scenario",  "policy",         "avoid",    "weight",   "ending"};

const std::vector<std::string> kScenarioLines = {"given", "when", "then", "and"};

const std::vector<std::string> kStatements = {
    "let",     "var",     "if",         "each",    "repeat",  "return",     "yield", "stop",  "next",
    "proceed", "cancel",  "checkpoint", "end",     "winners", "afterwards", "ask",   "open",  "move",
    "deal",    "shuffle", "reveal",     "peek",    "turn",    "eliminate",  "swap",  "log",   "choose",
    "may",     "turns",   "rounds",     "phase",   "with",    "without",    "while", "delay", "pause",
    "start",   "place",   "lift",       "arrange", "roll",    "together"};

template <class Context>
const antlr4::ParserRuleContext* enclosing(antlr4::Parser* parser) {
  for (auto* c = static_cast<antlr4::RuleContext*>(parser->getContext()); c;
       c = static_cast<antlr4::RuleContext*>(c->parent))
    if (auto* found = dynamic_cast<Context*>(c)) return found;
  return nullptr;
}

// Inside a block, not just at its `{`.
bool in_block(antlr4::Parser* parser, const antlr4::Token* found) {
  for (auto* c = static_cast<antlr4::RuleContext*>(parser->getContext()); c;
       c = static_cast<antlr4::RuleContext*>(c->parent))
    if (auto* block = dynamic_cast<P::BlockContext*>(c); block && block->getStart() != found) return true;
  return false;
}

bool begins_line(std::size_t type) {
  return type == P::NL || type == P::SEMI || type == P::LBRACE || type == P::RBRACE;
}

}   // namespace

std::string_view TellingStrategy::text(std::size_t begin, std::size_t end) const {
  return diagnostics_.sources().text(source_).substr(begin, end - begin);
}

Range TellingStrategy::range(const antlr4::Token* t) const {
  Range r{source_, static_cast<std::uint32_t>(t->getStartIndex()), static_cast<std::uint32_t>(t->getStopIndex())};
  const std::size_t at = t->getTokenIndex();
  if (t->getType() == P::NL && at > 0) r.begin = r.end = first_[at - 1].end;   // behind the line's last word
  return r;
}

antlr4::Token* TellingStrategy::recoverInline(antlr4::Parser* parser) {
  tell(parser, parser->getCurrentToken(), nullptr);
  throw GaveUp();
}

void TellingStrategy::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) {
  const antlr4::Token* from = nullptr;
  if (auto* no_alternative = dynamic_cast<const antlr4::NoViableAltException*>(&e))
    from = no_alternative->getStartToken();
  tell(parser, e.getOffendingToken() ? e.getOffendingToken() : parser->getCurrentToken(), from);
  throw GaveUp();
}

std::string TellingStrategy::found_words(const antlr4::Token* t) const {
  switch (t->getType()) {
    case antlr4::Token::EOF: return "the end of the file";
    case P::NL: return "the end of the line";
    case P::STR:
    case P::BAD_STR: return "a text";
    default: return fmt::format("`{}`", text(t->getStartIndex(), t->getStopIndex()));
  }
}

// At most four things; sets that mean "a value" are said so.
std::string TellingStrategy::expected_words(const antlr4::misc::IntervalSet& expected) const {
  const auto has = [&](std::size_t type) { return expected.contains(type); };
  std::vector<std::string> words;
  const bool value = has(P::NUM) && has(P::LPAREN) && has(P::ID);
  const bool line_end = has(P::NL);
  if (value && has(P::K_MOVE))
    words.push_back("a statement");
  else if (value)
    words.push_back("a value");
  else if (has(P::ID))
    words.push_back("a name");
  else if (has(P::NUM))
    words.push_back("a number");
  if (has(P::STR) && !value) words.push_back("a text");
  if (line_end) words.push_back("the end of the line");
  if (has(P::RBRACE)) words.push_back("`}`");
  // After a complete value any operator may follow; naming them all says nothing.
  const bool operators = has(P::PLUS) && !value;
  for (std::size_t type : expected.toList()) {
    const std::string_view word = spelling(type);
    const bool covered = type == P::ID || type == P::NUM || type == P::STR || type == P::NL || type == P::RBRACE ||
                         type == P::SEMI || word.empty();
    if (covered || value) continue;
    const bool is_operator =
        operators && (type == P::PLUS || type == P::MINUS || !is_word(type) || type == P::K_MOD || type == P::K_DIV ||
                      type == P::K_AND || type == P::K_OR || type == P::K_IN || type == P::K_IS ||
                      type == P::K_WITHIN || type == P::K_WHERE || type == P::K_KNOWS || type == P::K_WINS ||
                      type == P::K_LOSES || type == P::K_MAY || type == P::K_CLOCKWISE);
    const bool closes = type == P::RPAREN || type == P::RBRACKET || type == P::LBRACE || type == P::COMMA;
    if (is_operator && !closes) continue;
    words.push_back(fmt::format("`{}`", word));
  }
  if (words.empty() || words.size() > 5) return {};
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

// "this `move`", "the `card` that began on line 12": the innermost thing that has a word of its own.
std::string TellingStrategy::reading_words(antlr4::Parser* parser, const antlr4::Token* found) const {
  for (auto* c = static_cast<antlr4::RuleContext*>(parser->getContext()); c;
       c = static_cast<antlr4::RuleContext*>(c->parent)) {
    auto* rule = static_cast<antlr4::ParserRuleContext*>(c);
    const bool named = dynamic_cast<P::StmtContext*>(c) || dynamic_cast<P::DeclContext*>(c) ||
                       dynamic_cast<P::LineContext*>(c) || dynamic_cast<P::HeadContext*>(c);
    const antlr4::Token* start = rule->getStart();
    if (!named || !start || !is_word(start->getType()) || start->getType() == P::ID) continue;
    const auto& sources = diagnostics_.sources();
    const auto line = sources.place(source_, static_cast<std::uint32_t>(start->getStartIndex())).line;
    const auto here = sources.place(source_, static_cast<std::uint32_t>(found->getStartIndex())).line;
    const std::string_view word = text(start->getStartIndex(), start->getStopIndex());
    return line == here ? fmt::format("in this `{}`", word)
                        : fmt::format("in the `{}` that began on line {}", word, line);
  }
  return {};
}

// `crad Miss: Water`, `mvoe c to discard`: a word at the start of a line that is nothing, and something after it.
bool TellingStrategy::tell_unknown_word(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (at < 1 || first_ + at > last_ || first_[at - 1].type != P::ID) return false;
  if (at >= 2 && !begins_line(first_[at - 2].type)) return false;
  const Word& w = first_[at - 1];
  const std::string_view word = text(w.begin, w.end);
  const bool alone = begins_line(found->getType()) || found->getType() == antlr4::Token::EOF;
  const bool is_line = enclosing<P::LineContext>(parser) || enclosing<P::GivenContext>(parser);
  if (is_line && !enclosing<P::BlockContext>(parser)) return false;
  const bool joined = alone || found->getType() == P::ID || found->getType() == P::STR ||
                      found->getType() == P::LBRACE || found->getType() == P::NUM ||
                      (is_word(found->getType()) && found->getType() != P::K_IS);
  if (!joined) return false;
  const bool statement = enclosing<P::BlockContext>(parser) != nullptr;
  const bool scenario = !statement && (enclosing<P::ScenarioContext>(parser) || enclosing<P::SceneContext>(parser));
  const auto& known = statement ? kStatements : scenario ? kScenarioLines : kDeclarations;
  std::string help;
  if (!scenario) help = habit(statement ? Spot::statement : Spot::declaration, word);
  if (help.empty()) help = did_you_mean(word, known);
  for (const std::string& k : known)
    if (help.empty() && k.starts_with(std::string(word) + " ")) help = fmt::format("did you mean `{}`?", k);
  if (word == "extends")
    help = fmt::format("it stands behind the title: `game \"…\" extends {}`",
                       text(found->getStartIndex(), found->getStopIndex()));
  if (help.empty() && !statement && !scenario)
    help = alone ? fmt::format("a variable needs a type or a value: `{}: int`", word)
                 : "declarations begin with a word such as card, event, window, action or value";
  const std::string_view next = text(found->getStartIndex(), found->getStopIndex());
  if (help.empty() && statement && (next == "wins" || next == "loses"))
    help = fmt::format("`winners {}` ends the game, `eliminate {}` takes a player out of it", word, word);
  if (help.empty() && statement && found->getType() == P::ID && next.ends_with("s"))   // `p draws 2 cards`
    help = fmt::format("what is done comes first: `{}({}, …)`, `move c to {}.hand`", next.substr(0, next.size() - 1),
                       word, word);
  if (help.empty() && statement) help = "an event is called with brackets: `draw(me, 2)`";
  if (help.empty() && scenario) help = "the lines of a scenario begin with given, when, then or and";
  diagnostics_.report(statement ? Code::unknown_statement : Code::unknown_declaration, {source_, w.begin, w.end},
                      fmt::format("unknown {} `{}`",
                                  statement  ? "statement"
                                  : scenario ? "line"
                                             : "declaration",
                                  word),
                      help);
  return true;
}

std::string TellingStrategy::rest_of_line(const antlr4::Token* found) const {
  constexpr std::size_t kMost = 40;
  std::size_t end = found->getTokenIndex();
  while (first_ + end + 1 < last_ && !begins_line(first_[end + 1].type)) ++end;
  const std::string_view all = text(found->getStartIndex(), first_[end].end), rest = all.substr(0, all.find('\n'));
  return rest.size() <= kMost ? std::string(rest) : std::string();
}

// What another thing that is given, done or claimed begins with.
std::string TellingStrategy::help_for_line(const antlr4::Token* found) const {
  const std::size_t at = found->getTokenIndex();
  const std::string_view word = text(found->getStartIndex(), found->getStopIndex());
  const bool alone = first_ + at + 1 < last_ && (first_[at + 1].type == P::NL || first_[at + 1].type == P::COLON);
  if (alone && std::ranges::find(kScenarioLines, word) != kScenarioLines.end())
    return word == "given" ? "what is given stands on the same line: `given a.gold = 3, b.gold = 2`"
                           : fmt::format("it has no colon, and begins the line: `{} …`", word);
  const std::string rest = rest_of_line(found);
  for (std::size_t i = at; i-- > 0;) {
    if (i > 0 && !begins_line(first_[i - 1].type)) continue;
    const auto type = first_[i].type;
    if (type == P::K_GIVEN)
      return rest.empty()
                 ? "more that is given stands behind a comma, or begins with `given`"
                 : fmt::format("more that is given stands behind a comma, or in a line of its own: `given {}`", rest);
    if (type == P::K_WHEN || type == P::K_THEN)
      return fmt::format("another {} begins with `and`{}", type == P::K_WHEN ? "step" : "claim",
                         rest.empty() ? "" : fmt::format(": `and {}`", rest));
  }
  return "the lines of a scenario begin with given, when, then or and";
}

// `giben a = 3` in a scenario, where no line begins with a name
bool TellingStrategy::tell_unknown_line(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  const bool at_line = found->getType() == P::ID && at > 0 && begins_line(first_[at - 1].type);
  const bool in_scenario = enclosing<P::ScenarioContext>(parser) && !enclosing<P::LineContext>(parser);
  if (!at_line || !in_scenario) return false;
  const std::string_view word = text(found->getStartIndex(), found->getStopIndex());
  std::string help = did_you_mean(word, kScenarioLines);
  if (help.empty()) help = help_for_line(found);
  diagnostics_.report(Code::syntax, range(found), fmt::format("unknown line `{}`", word), help);
  return true;
}

bool TellingStrategy::tell_reserved_name(const antlr4::Token* found, const antlr4::misc::IntervalSet& expected) {
  const std::size_t at = found->getTokenIndex();
  // `of: player`, `p.of`
  const bool named =
      (first_ + at + 1 < last_ && first_[at + 1].type == P::COLON) || (at > 0 && first_[at - 1].type == P::DOT);
  const bool only_a_name = named || (expected.contains(static_cast<std::size_t>(P::ID)) &&
                                     !expected.contains(static_cast<std::size_t>(P::NUM)));
  if (!only_a_name || found->getType() == P::ID || !is_word(found->getType()) || is_soft_word(found->getType()))
    return false;
  diagnostics_.report(Code::word_of_the_language, range(found),
                      fmt::format("`{}` is a word of the language and can't be a name",
                                  text(found->getStartIndex(), found->getStopIndex())));
  return true;
}

// `where` filters sets, `when` conditions rules.
bool TellingStrategy::tell_where_for_when(antlr4::Parser* parser, const antlr4::Token* found) {
  const bool rule = enclosing<P::ModifyContext>(parser) || enclosing<P::TriggerContext>(parser) ||
                    enclosing<P::ActionDeclContext>(parser) || enclosing<P::PlayDeclContext>(parser) ||
                    enclosing<P::ForbidContext>(parser);
  if (found->getType() != P::K_WHERE || !rule || in_block(parser, found)) return false;
  diagnostics_.report(Code::unknown_clause, range(found), "the condition of a rule begins with `when`",
                      "`where` only picks from a set");
  return true;
}

// `if me.n = 3 then`, `then a.n = 3` in a scenario: a condition, and so no assignment.
bool TellingStrategy::tell_assigned_condition(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t near = found->getTokenIndex();
  std::size_t sign = near;
  while (first_ + sign < last_ && sign < near + 2 && first_[sign].type != P::ASSIGN) ++sign;
  if (first_ + sign >= last_ || first_[sign].type != P::ASSIGN) return false;
  for (std::size_t i = sign; i-- > 0;) {
    const auto type = first_[i].type;
    if (begins_line(type) || type == P::LBRACE || type == P::ASSIGN || type == P::COMMA) return false;
    const bool asks = type == P::K_IF || type == P::K_WHEN || type == P::END_WHEN || type == P::K_WHENEVER ||
                      type == P::K_WHERE || type == P::K_AND || type == P::K_OR || type == P::K_NOT;
    const bool claims =
        type == P::K_THEN && enclosing<P::ScenarioContext>(parser) && !enclosing<P::BlockContext>(parser);
    if (type == P::K_THEN && !claims) return false;
    // it is whole before
    if (type == P::EQUAL || type == P::UNEQUAL || type == P::LESS || type == P::GREATER || type == P::LESS_EQUAL ||
        type == P::GREATER_EQUAL)
      return false;
    if (!asks && !claims) continue;
    if (i + 1 == sign) return false;   // `let where = 1`
    diagnostics_.report(Code::syntax, {source_, first_[sign].begin, first_[sign].end},
                        "`=` stores something, and a condition is needed here",
                        "`==` asks whether two things are equal");
    return true;
  }
  return false;
}

// `zone hand: owner zone draw: pile`, `n = 1 m = 2`: the second on a line.
bool TellingStrategy::tell_second_on_line(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (at < 2 || enclosing<P::ArgsContext>(parser) || enclosing<P::ParamsContext>(parser)) return false;
  const bool in_block = enclosing<P::BlockContext>(parser);
  const auto& words = in_block ? kStatements : kDeclarations;
  const antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
  const auto begins = [&](std::size_t i) {
    const Word& w = first_[i];
    if (begins_line(first_[i - 1].type) || first_ + i + 1 > last_) return false;
    const std::string_view word = text(w.begin, w.end);
    const bool named = w.type == P::ID && std::ranges::find(words, word) != words.end();
    const std::size_t next = first_ + i + 1 < last_ ? first_[i + 1].type : static_cast<std::size_t>(P::NL);
    const bool call_after_call =
        first_[i - 1].type == P::RPAREN && next == P::LPAREN && !expected.contains(static_cast<std::size_t>(P::K_THEN));
    if (w.type == P::ID && in_block && call_after_call) return true;
    if (named) return next == P::ID || next == P::STR || next == P::NUM || next == P::LBRACE || is_word(next);
    return w.type == P::ID && (next == P::ASSIGN || next == P::ADD_TO || next == P::TAKE_FROM) && in_block;
  };
  const std::size_t second = begins(at - 1) ? at - 1 : begins(at) ? at : 0;
  if (second == 0) return false;
  const Word& w = first_[second];
  diagnostics_.report(Code::syntax, {source_, w.begin, w.end},
                      fmt::format("expected the end of the line, found `{}`", text(w.begin, w.end)),
                      "`;` stands between two on one line");
  return true;
}

// `when scoring begins`, `when phase scoring begins`: of whom?
bool TellingStrategy::tell_begins(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (at < 2 || !enclosing<P::LineContext>(parser)) return false;
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const bool phase = word(at - 1) == "phase" && word(at + 1) == "begins";
  if (!phase && word(at) != "begins") return false;
  const std::string_view what = word(phase ? at : at - 1);
  diagnostics_.report(Code::syntax, range(found), fmt::format("`{}` can't follow `{}`", word(at), word(at - 1)),
                      fmt::format("say of whom: `{} of a begins`", what));
  return true;
}

// `a && b`, `a <> b`, `n++`, `n == 3` as a statement: what other languages write.
bool TellingStrategy::tell_foreign_sign(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  const auto sign = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const auto side_by_side = [&](std::size_t i, std::string_view one, std::string_view other) {
    return sign(i) == one && sign(i + 1) == other && first_[i].end == first_[i + 1].begin;
  };
  const auto say = [&](std::size_t from, std::size_t to, std::string_view help) {
    const Range where{source_, first_[from].begin, first_[to].end};
    diagnostics_.report(Code::syntax, where, fmt::format("`{}` means nothing here", text(where.begin, where.end)),
                        std::string(help));
    return true;
  };
  const auto part = [&](std::size_t k) {
    return first_ + k < last_ && (is_word(first_[k].type) || first_[k].type == P::DOT);
  };
  // What stands before a sign at the beginning of a statement: `me.score`.
  const auto stored_in = [&](std::size_t i) {
    std::size_t from = i;
    while (from > 0 && part(from - 1)) --from;
    const bool statement = from < i && enclosing<P::BlockContext>(parser) &&
                           (from == 0 || begins_line(first_[from - 1].type) || first_[from - 1].type == P::K_THEN ||
                            first_[from - 1].type == P::K_ELSE);
    return statement ? text(first_[from].begin, first_[i - 1].end) : std::string_view{};
  };
  for (const std::size_t i : {at - (at > 0), at}) {
    const std::string_view target = stored_in(i);
    for (const std::string_view op : {"*", "/", "**", "%"})
      if (!target.empty() && side_by_side(i, op, "="))
        return say(i, i + 1, fmt::format("write `{0} = {0} {1} …`", target, op == "%" ? "mod" : op));
    if (!target.empty() && (side_by_side(i, ":", "=") || side_by_side(i, "<", "-")))
      return say(i, i + 1, fmt::format("write `{} = …`", target));
    if (side_by_side(i, "<", "<") || side_by_side(i, ">", ">"))
      return say(i, i + 1, "numbers have no bits to shift: `n * 2 ** k`, `n / 2 ** k`");
    if (side_by_side(i, "!=", "=")) return say(i, i + 1, "write `!=`");
    if (side_by_side(i, "<=", ">")) return say(i, i + 1, "`a < b`, `a == b` and `a > b` are asked one by one");
    if (side_by_side(i, "?", "?")) return say(i, i + 1, "`a or else b` is b if a is none");
    if (side_by_side(i, "?", ".")) return say(i, i + 1, "write `.`: what is printed on none is none");
    const bool member = sign(i) == "->" && i > 0 && first_[i - 1].end == first_[i].begin && first_ + i + 1 < last_ &&
                        first_[i].end == first_[i + 1].begin && is_word(first_[i + 1].type);
    if (member) return say(i, i, "write `.`");
    if (side_by_side(i, "&", "&")) return say(i, i + 1, "write `and`");
    if (side_by_side(i, "|", "|")) return say(i, i + 1, "write `or`");
    if (sign(i) == "|" && !enclosing<P::OptionDeclContext>(parser))
      return say(i, i, "conditions are joined by `or`, sets by `+`; `size(S)` is how many there are");
    if (side_by_side(i, "<", ">")) return say(i, i + 1, "write `!=`");
    if (side_by_side(i, "=", ">")) return say(i, i + 1, "write `>=`");
    if (side_by_side(i, "=", "<")) return say(i, i + 1, "write `<=`");
    if (side_by_side(i, "==", "=")) return say(i, i + 1, "write `==`");
    if (side_by_side(i, "/", "*")) return say(i, i + 1, "a comment begins with //");
    if (sign(i) == "%") return say(i, i, "what is left over is `a mod b`");
    if (sign(i) == "?" && i > 0 && !begins_line(first_[i - 1].type)) return say(i, i, "`if C then A else B`");
    for (const std::string_view both : {"+", "-"}) {
      if (!side_by_side(i, both, both) || !enclosing<P::BlockContext>(parser)) continue;
      std::size_t from = i, to = i + 1;
      const bool before = i == 0 || begins_line(first_[i - 1].type);   // `++me.score`
      if (before)
        while (part(to + 1)) ++to;
      else
        while (from > 0 && part(from - 1)) --from;
      const std::string_view what =
          before ? text(first_[i + 1].end, first_[to].end) : text(first_[from].begin, first_[i].begin);
      return say(from, to, fmt::format("write `{} {}= 1`", what, both));
    }
  }
  if (found->getType() == P::EQUAL && enclosing<P::BlockContext>(parser)) {
    std::size_t from = at;
    while (from > 0 && (is_word(first_[from - 1].type) || first_[from - 1].type == P::DOT)) --from;
    const bool statement = from < at && (from == 0 || begins_line(first_[from - 1].type) ||
                                         first_[from - 1].type == P::K_THEN || first_[from - 1].type == P::K_ELSE);
    if (!statement) return false;
    diagnostics_.report(Code::syntax, range(found), "`==` asks whether two things are equal, and changes nothing",
                        "`=` stores something");
    return true;
  }
  return false;
}

// `winner (players …) with most …`, `Players 2..5`: the message would otherwise stand behind the word that is wrong.
bool TellingStrategy::tell_foreign_word(antlr4::Parser* parser, const antlr4::Token* found) {
  const bool statement = enclosing<P::BlockContext>(parser);
  std::size_t i = found->getTokenIndex();
  while (i > 0 && !begins_line(first_[i - 1].type) && first_[i - 1].type != P::K_THEN &&
         first_[i - 1].type != P::K_ELSE)
    --i;
  if (first_ + i >= last_ || first_[i].type != P::ID) return false;
  const Word& w = first_[i];
  // an event may be called so
  if (first_ + i + 1 < last_ && first_[i + 1].type == P::LPAREN && first_[i + 1].begin == w.end) return false;
  const std::string_view word = text(w.begin, w.end);
  std::string help = habit(statement ? Spot::statement : Spot::declaration, word);
  std::string small(word);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto& known = statement ? kStatements : kDeclarations;
  if (small != word && std::ranges::find(known, small) != known.end())
    help = fmt::format("in small letters: `{}`", small);
  if (help.empty()) return false;
  diagnostics_.report(statement ? Code::unknown_statement : Code::unknown_declaration, {source_, w.begin, w.end},
                      fmt::format("unknown {} `{}`", statement ? "statement" : "declaration", word), help);
  return true;
}

// `enum Role { king "the King" }`
bool TellingStrategy::tell_label_of_constant(antlr4::Parser* parser, const antlr4::Token* found) {
  if (found->getType() != P::STR || !enclosing<P::EnumDeclContext>(parser)) return false;
  diagnostics_.report(Code::syntax, range(found), "a constant of an enum has no label of its own",
                      "people read its name, `FirstMate` as two words; other labels come from a CSV file: `enum Role "
                      "from \"roles.csv\"`, column `label`");
  return true;
}

// `zone purse`: who sees the cards?
bool TellingStrategy::tell_bare_zone(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (!enclosing<P::ZoneContext>(parser) || at < 2 || first_[at - 2].type != P::K_ZONE || found->getType() == P::COLON)
    return false;
  const Word& name = first_[at - 1];
  diagnostics_.report(
      Code::syntax, {source_, name.begin, name.end},
      fmt::format("who sees the cards in `{}`?", text(name.begin, name.end)),
      "`: public`, `: owner`, `: team` or `: hidden`; for a pile `: pile, faceup` or `: pile, facedown`");
  return true;
}

// `when me.purse has Gem`: `has` belongs to `any … in …`.
bool TellingStrategy::tell_quantifier(antlr4::Parser*, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (found->getType() != P::K_HAS || at == 0) return false;
  std::size_t from = at;
  while (from > 0 && (is_word(first_[from - 1].type) || first_[from - 1].type == P::DOT) &&
         first_[from - 1].type != P::K_WHEN && first_[from - 1].type != P::K_IF && first_[from - 1].type != P::K_AND &&
         first_[from - 1].type != P::K_OR && first_[from - 1].type != P::K_NOT && first_[from - 1].type != P::K_WHERE)
    --from;
  const std::string_view set = from < at ? text(first_[from].begin, first_[at - 1].end) : "S";
  const std::string_view kind =
      first_ + at + 1 < last_ && first_[at + 1].type == P::ID ? text(first_[at + 1].begin, first_[at + 1].end) : "K";
  diagnostics_.report(Code::syntax, range(found), "`has` needs `any`, `no` or `every` before it",
                      fmt::format("`any x in {} has x is {}`", set, kind));
  return true;
}

// `face down` of a zone, of a move, of `turn`.
bool TellingStrategy::tell_face(const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  for (std::size_t i = at < 2 ? 0 : at - 2; i <= at; ++i) {
    if (word(i) != "face" || (word(i + 1) != "down" && word(i + 1) != "up")) continue;
    diagnostics_.report(Code::syntax, {source_, first_[i].begin, first_[i + 1].end},
                        fmt::format("`face {}` is one word", word(i + 1)), fmt::format("write `face{}`", word(i + 1)));
    return true;
  }
  return false;
}

// `event z(p: player), once per turn { … }`
bool TellingStrategy::tell_limit(antlr4::Parser* parser, const antlr4::Token* found) {
  std::size_t at = found->getTokenIndex();
  if (found->getType() == P::COMMA && first_ + at + 1 < last_) ++at;
  if (first_ + at >= last_ || first_[at].type != P::ONCE_PER || enclosing<P::ActionDeclContext>(parser) ||
      enclosing<P::PlayDeclContext>(parser))
    return false;
  const bool span = first_ + at + 1 < last_ && is_word(first_[at + 1].type);
  const Word& last = span ? first_[at + 1] : first_[at];
  const std::string_view what = span ? text(last.begin, last.end) : std::string_view("turn");
  diagnostics_.report(
      Code::syntax, {source_, first_[at].begin, last.end},
      fmt::format("`once per {}` limits what somebody chooses: an action or a play", what),
      "for what happens, keep whether it has happened: `turn var done = false`, and `if not done { done = true; … }`");
  return true;
}

// The right thing by another word or sign: `move c into discard`, `deck D: Card in draw`, `action lay[c: Card]`.
std::string TellingStrategy::by_another_word(antlr4::Parser* parser, const antlr4::Token* found) const {
  const std::size_t at = found->getTokenIndex();
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const auto one_of = [](std::string_view w, std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, w) != all.end();
  };
  const std::string_view here = word(at), next = word(at + 1), before = at > 0 ? word(at - 1) : "",
                         earlier = at > 1 ? word(at - 2) : "";
  const bool block = in_block(parser, found),
             named = at > 0 && (first_[at - 1].type == P::ID || first_[at - 1].type == P::RPAREN);
  const bool offered = !block && (enclosing<P::ActionDeclContext>(parser) || enclosing<P::PlayDeclContext>(parser));
  std::size_t start = at;
  while (start > 0 && !begins_line(first_[start - 1].type)) --start;
  if (!block && word(start) == "deck" && one_of(here, {"in", "to", "on", "onto"}))
    return fmt::format("where its cards lie at first stands behind `into`: `into {}`", next);
  if (enclosing<P::ParamsContext>(parser) && here == "from") {
    std::size_t last = at + 1;
    while (first_ + last + 1 < last_ && first_[last + 1].type != P::RPAREN && first_[last + 1].type != P::COMMA &&
           !begins_line(first_[last + 1].type))
      ++last;
    return fmt::format("what there is to choose from stands behind `in`: `{} in {}`", before,
                       first_ + last < last_ ? text(first_[at + 1].begin, first_[last].end) : "…");
  }
  if (block && word(start) == "move" && one_of(here, {"into", "onto"}))
    return fmt::format("where it goes stands behind `to`: `to {}`", next);
  if (offered && before == "take" && found->getType() == P::NUM)
    return fmt::format("how long it takes: `takes {} {}`", here, next);
  if (offered && named && one_of(here, {"during", "on", "while", "inside", "at", "for"}))
    return fmt::format("the window in which it is offered stands behind `in`: `in {}`", next);
  if (!block && here == "[" && at == start + 2 &&
      one_of(earlier, {"action", "event", "function", "sequence", "value", "window"}))
    return fmt::format("parameters stand in round brackets: `{}(…)`", before);
  if (earlier == "turns" && one_of(before, {"from", "for"}))
    return "which way round comes first: `turns clockwise from first of players …`";
  return {};
}

// `{ 3 Apple }`, `modify reach(_) = 2`, `2 if C else 3`: what is nearly right, and how it is written.
std::string TellingStrategy::nearly(antlr4::Parser* parser, const antlr4::Token* found) const {
  const std::size_t at = found->getTokenIndex();
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const std::string_view here = word(at), before = at > 0 ? word(at - 1) : "", earlier = at > 1 ? word(at - 2) : "";
  const bool block = in_block(parser, found);
  const bool begins = at == 0 || begins_line(first_[at - 1].type);
  const bool counts = found->getType() == P::NUM || before == "*" || here == "*" || here == "x" ||
                      (at > 0 && first_[at - 1].type == P::NUM);
  if (counts && enclosing<P::DeckContext>(parser) && !block) return "how many stands behind the card: `Apple x 3`";
  if (enclosing<P::ModifyContext>(parser) && !block &&
      (here == "=" || here == "+" || here == "-" || here == "+=" || here == "-="))
    return "`by +1` adds, `to 2` replaces";
  if (here == "->" || before == "->") return "a type stands behind a colon: `: int`";
  if (here == ":" && enclosing<P::FunctionDeclContext>(parser) && !block)
    return fmt::format("a function has brackets: `{}()`; without them it is a `value`", before);
  if (here == "if" && !block && (enclosing<P::ActionDeclContext>(parser) || enclosing<P::PlayDeclContext>(parser)))
    return "the condition of an action begins with `when`";
  if (here == "xor") return "of two conditions one alone: `A != B`";
  if (here == "equals") return "write `==`";
  if (here == "between") return fmt::format("`{} in 1..3`", before);
  if (here == "contains" || here == "includes") return fmt::format("`x in {}`", before);
  std::size_t start = at;
  while (start > 0 && !begins_line(first_[start - 1].type)) --start;
  if (block && first_[start].type == P::K_IF && (here == ":" || (before == ")" && found->getType() == P::ID)))
    return "`if C then …`, or `if C { … }`";
  static constexpr std::string_view kCalled[] = {"size", "min", "max", "abs", "random", "len"};
  for (const std::string_view called : {earlier, before})   // `size me.hand`, read up to the dot or not even so far
    if (at > 0 && (called == before ? found->getType() : first_[at - 1].type) == P::ID &&
        std::ranges::find(kCalled, called) != std::end(kCalled))
      return fmt::format("`{}(…)`, with brackets", called);
  if (here == "if" && !begins) return "`if C then A else B`: the condition comes first";
  if (!block && (before == "phase" || before == "turn" || before == "round")) return habit(Spot::declaration, before);
  if (enclosing<P::ParamsContext>(parser) && found->getType() == P::ID && at > 0 && first_[at - 1].type == P::ID)
    return fmt::format("a type stands behind a colon: `{}: {}`", before, here);
  if (before == "each" && here == "player") return "`each p in players { … }`";
  if (earlier == "each" && here == "{")
    return fmt::format("`each x in {} {{ … }}`", before == "player" ? "players" : before == "card" ? "me.hand" : "S");
  if (block && (before == "a" || before == "an") && (earlier == "choose" || earlier == "chooses"))
    return "a name for it, and from what: `p chooses c from p.hand`";
  if (block && (here == "the" || before == "the" || earlier == "the")) return "names have no article: `shuffle draw`";
  if (here.starts_with("d") && at > 0 && first_[at - 1].type == P::NUM && earlier == "roll")
    return fmt::format("`roll 1..{}`", here.size() > 1 ? here.substr(1) : "6");
  if (here == "+" && at > 0 && first_[at - 1].type == P::STR) return "a text is filled in: `\"… {n} …\"`";
  if (here == "to" && at > 1 && earlier == "players") return fmt::format("`players {}..{}`", before, word(at + 1));
  if (found->getType() == P::NUM && (before == "is" || before == "is not"))
    return fmt::format("numbers are compared by `{} {}`", before == "is" ? "==" : "!=", here);
  if (here == "from" && block && before != "from" && earlier == "move")
    return fmt::format(
        "a card is moved from where it is: `move {} to …`; so many of a zone: `move 2 cards from draw to p.hand`",
        before);
  if (found->getType() == P::STR && (earlier == "phase" || earlier == "window"))
    return "what people read when they are asked stands behind `ask`: `ask active \"…\"`";
  if (here == "." && before == "..") return "`1..3`, with two dots";
  if (here == "=" && earlier == "enum") return fmt::format("the constants stand in braces: `enum {} {{ … }}`", before);
  return {};
}

// A word that is no word of the language here, but nearly one; or one too many.
std::string TellingStrategy::guess(antlr4::Parser* parser, const antlr4::Token* found) const {
  const std::string_view word = text(found->getStartIndex(), found->getStopIndex());
  const std::size_t place = found->getTokenIndex();
  if (word == "extends" && place > 2) return "a game extends one other";
  if (std::string help = by_another_word(parser, found); !help.empty()) return help;
  if (std::string help = nearly(parser, found); !help.empty()) return help;
  if (word == ":" && parser->getExpectedTokens().contains(static_cast<std::size_t>(P::LBRACE)))
    return "what happens stands in braces: `{ … }`";
  if (found->getType() == P::LBRACE && place > 0 && first_[place - 1].type == P::K_THEN)
    return "one statement follows `then`; before `{` it is left out";
  if (found->getType() == P::K_WHEN && enclosing<P::EventDeclContext>(parser))
    return "an event has no condition: say `if` inside of it, or `instead of … when … { cancel }`";
  const bool deals =
      enclosing<P::BlockContext>(parser) && place > 1 && text(first_[place - 2].begin, first_[place - 2].end) == "deal";
  if (deals && (word == "cards" || word == "card"))
    return fmt::format("`deal {} from …`, without `{}`", text(first_[place - 1].begin, first_[place - 1].end), word);
  const bool after_comma = word == "secret" || word == "must" || word == "sensible" || word == "takes";
  if (after_comma && enclosing<P::ActionDeclContext>(parser) && !in_block(parser, found))
    return fmt::format("a comma stands before it: `, {}`", word);
  const bool known = std::ranges::find(kDeclarations, word) != kDeclarations.end();
  if (found->getType() == P::ID && !known) {
    static const std::vector<std::string> infix = {
        "until",     "again",  "from",     "to",        "where",  "when",   "with",      "by",       "at",
        "keeping",   "times",  "while",    "else",      "then",   "in",     "is",        "and",      "or",
        "into",      "total",  "once",     "free",      "must",   "begins", "plays",     "uses",     "does",
        "chooses",   "passes", "says",     "wins",      "loses",  "knows",  "extends",   "implies",  "unless",
        "replacing", "faceup", "facedown", "clockwise", "within", "mod",    "otherwise", "starting", "up"};
    return did_you_mean(word, infix);
  }
  const bool at_beginning = place == 0 || begins_line(first_[place - 1].type);
  if (const std::string known_habit =
          at_beginning ? habit(enclosing<P::BlockContext>(parser) ? Spot::statement : Spot::declaration, word) : "";
      !known_habit.empty())
    return known_habit;
  const bool statement = std::ranges::find(kStatements, word) != kStatements.end();
  if (statement && !enclosing<P::BlockContext>(parser) &&
      (found->getTokenIndex() == 0 || begins_line(first_[found->getTokenIndex() - 1].type)))
    return "statements stand in blocks: of `setup`, `play`, an event, an action";
  return {};
}

void say_divides(Diagnostics& diagnostics, SourceId source, const Comment& comment) {
  diagnostics.report(Code::syntax, {source, comment.begin, comment.begin + 2}, "`//` begins a comment",
                     "a division is `/`, which rounds toward nought; what is left over is `a mod b`");
}

bool TellingStrategy::tell_division(const antlr4::Token* found) {
  const auto line = [&](std::uint32_t at) { return diagnostics_.sources().place(source_, at).line; };
  const auto here = line(range(found).begin);
  const auto divides =
      std::ranges::find_if(comments_, [&](const Comment& c) { return c.divides && line(c.begin) == here; });
  if (divides == comments_.end()) return false;
  say_divides(diagnostics_, source_, *divides);
  return true;
}

// A sign that means nothing was reported on this line: what comes of its absence is not.
bool TellingStrategy::told_of_line(const antlr4::Token* found) const {
  const auto line = [&](std::uint32_t at) { return diagnostics_.sources().place(source_, at).line; };
  const auto here = line(range(found).begin);
  return std::ranges::any_of(diagnostics_.all(), [&](const Diagnostic& d) {
    return d.code == Code::stray_character && d.range.source == source_ && line(d.range.begin) == here;
  });
}

void TellingStrategy::tell(antlr4::Parser* parser, const antlr4::Token* found, const antlr4::Token* decided_from) {
  if (told_of_line(found) || tell_division(found)) return;
  if (tell_face(found) || tell_limit(parser, found)) return;
  if (tell_foreign_sign(parser, found) || tell_bare_zone(parser, found) || tell_label_of_constant(parser, found))
    return;
  if (tell_unknown_word(parser, found) || tell_unknown_line(parser, found) || tell_foreign_word(parser, found) ||
      tell_quantifier(parser, found))
    return;
  if (tell_where_for_when(parser, found) || tell_begins(parser, found) || tell_assigned_condition(parser, found) ||
      tell_second_on_line(parser, found))
    return;
  std::string expected;
  const bool at_decision = !decided_from || decided_from == found;
  if (at_decision) {
    const antlr4::misc::IntervalSet set = parser->getExpectedTokens();
    if (tell_reserved_name(found, set)) return;
    expected = expected_words(set);
  }
  std::string message = fmt::format("expected {}, found {}", expected, found_words(found));
  if (expected.empty()) {
    const std::size_t at = found->getTokenIndex();
    const bool over = found->getType() == P::NL || found->getType() == antlr4::Token::EOF;
    const bool first = at == 0 || begins_line(first_[at - 1].type);
    const std::string before = first ? std::string() : std::string(text(first_[at - 1].begin, first_[at - 1].end));
    message = first  ? fmt::format("{} can't stand here", found_words(found))
              : over ? fmt::format("the line can't end after `{}`", before)
                     : fmt::format("{} can't follow `{}`", found_words(found), before);
  }
  const std::string help = guess(parser, found);
  diagnostics_.report(Code::syntax, range(found), message, help.empty() ? reading_words(parser, found) : help);
}

}   // namespace cardwright::parse
