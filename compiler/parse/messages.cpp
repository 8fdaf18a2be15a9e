// Turns an ANTLR parse error into one diagnostic: the unexpected token, the expected tokens, and a hint. Common
// mistakes are recognized first and have their own messages.
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

// Returns true inside a block, except directly at its `{`.
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

std::string_view SyntaxErrorStrategy::text(std::size_t begin, std::size_t end) const {
  return diagnostics_.sources().text(source_).substr(begin, end - begin);
}

Range SyntaxErrorStrategy::range(const antlr4::Token* t) const {
  Range r{source_, static_cast<std::uint32_t>(t->getStartIndex()), static_cast<std::uint32_t>(t->getStopIndex())};
  const std::size_t at = t->getTokenIndex();
  // For a newline, the error is reported after the last token of the line.
  if (t->getType() == P::NL && at > 0) r.begin = r.end = first_[at - 1].end;
  return r;
}

antlr4::Token* SyntaxErrorStrategy::recoverInline(antlr4::Parser* parser) {
  report_at(parser, parser->getCurrentToken(), nullptr);
  throw GaveUp();
}

void SyntaxErrorStrategy::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) {
  const antlr4::Token* from = nullptr;
  if (auto* no_alternative = dynamic_cast<const antlr4::NoViableAltException*>(&e))
    from = no_alternative->getStartToken();
  report_at(parser, e.getOffendingToken() ? e.getOffendingToken() : parser->getCurrentToken(), from);
  throw GaveUp();
}

std::string SyntaxErrorStrategy::describe_found(const antlr4::Token* t) const {
  switch (t->getType()) {
    case antlr4::Token::EOF: return in_string_ ? "`}`" : "the end of the file";
    case P::NL: return "the end of the line";
    case P::STR:
    case P::BAD_STR: return "a string";
    default: return fmt::format("`{}`", text(t->getStartIndex(), t->getStopIndex()));
  }
}

// Lists at most five alternatives. Tokens that can begin an expression are summarized as "an expression".
std::string SyntaxErrorStrategy::describe_expected(const antlr4::misc::IntervalSet& expected) const {
  const auto has = [&](std::size_t type) { return expected.contains(type); };
  std::vector<std::string> words;
  const bool value = has(P::NUM) && has(P::LPAREN) && has(P::ID);
  const bool line_end = has(P::NL);
  if (value && has(P::K_MOVE))
    words.push_back("a statement");
  else if (value)
    words.push_back("an expression");
  else if (has(P::ID))
    words.push_back("a name");
  else if (has(P::NUM))
    words.push_back("a number");
  if (has(P::STR) && !value) words.push_back("a string");
  if (line_end) words.push_back("the end of the line");
  if (has(P::RBRACE)) words.push_back("`}`");
  // Any operator can follow a complete expression, so a list of all operators would not be helpful.
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

// Describes the innermost construct around the error that begins with a keyword: "in this `move`", "in the `card` that
// begins on line 12".
std::string SyntaxErrorStrategy::describe_context(antlr4::Parser* parser, const antlr4::Token* found) const {
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
                        : fmt::format("in the `{}` that begins on line {}", word, line);
  }
  return {};
}

// Reports a line that begins with an identifier followed by another token: `crad Miss: Water`, `mvoe c to discard`.
bool SyntaxErrorStrategy::report_unknown_word(antlr4::Parser* parser, const antlr4::Token* found) {
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
    help = fmt::format("write it after the title: `game \"…\" extends {}`",
                       text(found->getStartIndex(), found->getStopIndex()));
  const std::size_t after = first_ + at + 1 < last_ ? first_[at + 1].type : static_cast<std::size_t>(P::NL);
  if (help.empty() && !scenario && found->getType() == P::ID && (after == P::COLON || after == P::ASSIGN)) {
    const std::string_view rest = text(found->getStartIndex(), found->getStopIndex());
    diagnostics_.report("syntax"_code, {source_, w.begin, static_cast<std::uint32_t>(found->getStopIndex())},
                        "a name can't contain a blank", fmt::format("write `{}_{}`", word, rest));
    return true;
  }
  if (help.empty() && !statement && !scenario)
    help = alone ? fmt::format("a variable needs a type or a value: `{}: int`", word)
                 : "declarations begin with a keyword such as card, event, window, action or value";
  const std::string_view next = text(found->getStartIndex(), found->getStopIndex());
  if (help.empty() && statement && (next == "wins" || next == "loses"))
    help = fmt::format("`winners {}` ends the game, `eliminate {}` removes a player from it", word, word);
  // A player may precede the verb: `p draws 2 cards`.
  if (help.empty() && statement && found->getType() == P::ID && next.ends_with("s"))
    help = fmt::format("put the action first: `{}({}, …)`, `move c to {}.hand`", next.substr(0, next.size() - 1), word,
                       word);
  if (help.empty() && statement) help = "to call an event, write its arguments in brackets: `draw(me, 2)`";
  if (help.empty() && scenario) help = "the lines of a scenario begin with given, when, then or and";
  diagnostics_.report(statement ? "unknown_statement"_code : "unknown_declaration"_code, {source_, w.begin, w.end},
                      fmt::format("unknown {} `{}`",
                                  statement  ? "statement"
                                  : scenario ? "scenario line"
                                             : "declaration",
                                  word),
                      help);
  return true;
}

std::string SyntaxErrorStrategy::rest_of_line(const antlr4::Token* found) const {
  constexpr std::size_t kMaxLength = 40;
  std::size_t end = found->getTokenIndex();
  while (first_ + end + 1 < last_ && !begins_line(first_[end + 1].type)) ++end;
  const std::string_view all = text(found->getStartIndex(), first_[end].end), rest = all.substr(0, all.find('\n'));
  return rest.size() <= kMaxLength ? std::string(rest) : std::string();
}

// Returns the hint for a scenario line without a keyword. The hint shows how to begin a setup line, step or assertion.
std::string SyntaxErrorStrategy::help_for_line(const antlr4::Token* found) const {
  const std::size_t at = found->getTokenIndex();
  const std::string_view word = text(found->getStartIndex(), found->getStopIndex());
  const bool alone = first_ + at + 1 < last_ && (first_[at + 1].type == P::NL || first_[at + 1].type == P::COLON);
  if (alone && std::ranges::find(kScenarioLines, word) != kScenarioLines.end())
    return word == "given" ? "write the values on the same line: `given a.gold = 3, b.gold = 2`"
                           : fmt::format("write it without a colon at the start of the line: `{} …`", word);
  const std::string rest = rest_of_line(found);
  for (std::size_t i = at; i-- > 0;) {
    if (i > 0 && !begins_line(first_[i - 1].type)) continue;
    const auto type = first_[i].type;
    if (type == P::K_GIVEN)
      return rest.empty()
                 ? "separate values with a comma, or begin the line with `given`"
                 : fmt::format("separate values with a comma, or begin the line with `given`: `given {}`", rest);
    if (type == P::K_WHEN || type == P::K_THEN)
      return fmt::format("another {} begins with `and`{}", type == P::K_WHEN ? "step" : "check",
                         rest.empty() ? "" : fmt::format(": `and {}`", rest));
  }
  return "the lines of a scenario begin with given, when, then or and";
}

// Reports a scenario line that begins with an identifier, which is never valid: `giben a = 3`.
bool SyntaxErrorStrategy::report_unknown_line(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  const bool at_line = found->getType() == P::ID && at > 0 && begins_line(first_[at - 1].type);
  const bool in_scenario = enclosing<P::ScenarioContext>(parser) && !enclosing<P::LineContext>(parser);
  if (!at_line || !in_scenario) return false;
  const std::string_view word = text(found->getStartIndex(), found->getStopIndex());
  std::string help = did_you_mean(word, kScenarioLines);
  if (help.empty()) help = help_for_line(found);
  diagnostics_.report("syntax"_code, range(found), fmt::format("unknown scenario line `{}`", word), help);
  return true;
}

bool SyntaxErrorStrategy::report_reserved_name(const antlr4::Token* found, const antlr4::misc::IntervalSet& expected) {
  const std::size_t at = found->getTokenIndex();
  // A name is expected before a colon and after a dot: `of: player`, `p.of`.
  const bool named =
      (first_ + at + 1 < last_ && first_[at + 1].type == P::COLON) || (at > 0 && first_[at - 1].type == P::DOT);
  const bool only_a_name = named || (expected.contains(static_cast<std::size_t>(P::ID)) &&
                                     !expected.contains(static_cast<std::size_t>(P::NUM)));
  if (!only_a_name || found->getType() == P::ID || !is_word(found->getType()) || is_soft_word(found->getType()))
    return false;
  diagnostics_.report(
      "reserved_word"_code, range(found),
      fmt::format("`{}` is a reserved word and can't be a name", text(found->getStartIndex(), found->getStopIndex())));
  return true;
}

// Reports `where` instead of `when`. `where` filters sets; `when` adds a condition to a rule.
bool SyntaxErrorStrategy::report_where_for_when(antlr4::Parser* parser, const antlr4::Token* found) {
  const bool rule = enclosing<P::ModifyContext>(parser) || enclosing<P::TriggerContext>(parser) ||
                    enclosing<P::ActionDeclContext>(parser) || enclosing<P::PlayDeclContext>(parser) ||
                    enclosing<P::ForbidContext>(parser);
  if (found->getType() != P::K_WHERE || !rule || in_block(parser, found)) return false;
  diagnostics_.report("unknown_clause"_code, range(found), "expected `when`, found `where`",
                      "the condition of a rule begins with `when`; `where` filters a set");
  return true;
}

// Reports an assignment where a condition is expected: `if me.n = 3 then`, or `then a.n = 3` in a scenario.
bool SyntaxErrorStrategy::report_assigned_condition(antlr4::Parser* parser, const antlr4::Token* found) {
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
    // A comparison before the `=` already completes the condition.
    if (type == P::EQUAL || type == P::UNEQUAL || type == P::LESS || type == P::GREATER || type == P::LESS_EQUAL ||
        type == P::GREATER_EQUAL)
      return false;
    if (!asks && !claims) continue;
    if (i + 1 == sign) return false;   // a keyword used as a name: `let where = 1`
    diagnostics_.report("syntax"_code, {source_, first_[sign].begin, first_[sign].end},
                        "expected a condition, found an assignment", "use `==` to compare two values");
    return true;
  }
  return false;
}

// Reports a second declaration or statement on the same line: `zone hand: owner zone draw: pile`, `n = 1 m = 2`.
bool SyntaxErrorStrategy::report_second_on_line(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (at < 2 || enclosing<P::ArgsContext>(parser) || enclosing<P::ParamsContext>(parser) ||
      parser->getExpectedTokens().contains(static_cast<std::size_t>(P::K_THEN)))
    return false;
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
  diagnostics_.report(
      "syntax"_code, {source_, w.begin, w.end},
      fmt::format("expected the end of the line, found `{}`", text(w.begin, w.end)),
      in_block ? "separate two statements on one line with `;`" : "separate two declarations on one line with `;`");
  return true;
}

// Reports a missing player: `when scoring begins`, `when phase scoring begins`.
bool SyntaxErrorStrategy::report_begins(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (at < 2 || !enclosing<P::LineContext>(parser)) return false;
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const bool phase = word(at - 1) == "phase" && word(at + 1) == "begins";
  if (!phase && word(at) != "begins") return false;
  const std::string_view what = word(phase ? at : at - 1);
  diagnostics_.report("syntax"_code, range(found), fmt::format("unexpected `{}` after `{}`", word(at), word(at - 1)),
                      fmt::format("name the player: `{} of a begins`", what));
  return true;
}

// Reports operators from other languages (`a && b`, `a <> b`, `n++`), and `n == 3` as a statement.
bool SyntaxErrorStrategy::report_foreign_sign(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  const auto sign = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const auto side_by_side = [&](std::size_t i, std::string_view one, std::string_view other) {
    return sign(i) == one && sign(i + 1) == other && first_[i].end == first_[i + 1].begin;
  };
  const auto say = [&](std::size_t from, std::size_t to, std::string_view help) {
    const Range where{source_, first_[from].begin, first_[to].end};
    diagnostics_.report("syntax"_code, where, fmt::format("unexpected `{}`", text(where.begin, where.end)),
                        std::string(help));
    return true;
  };
  const auto part = [&](std::size_t k) {
    return first_ + k < last_ && (is_word(first_[k].type) || first_[k].type == P::DOT);
  };
  // Returns the target of an assignment, such as `me.score`, that begins a statement and precedes an operator.
  const auto stored_in = [&](std::size_t i) {
    std::size_t from = i;
    while (from > 0 && part(from - 1)) --from;
    const bool statement = from < i && enclosing<P::BlockContext>(parser) &&
                           (from == 0 || begins_line(first_[from - 1].type) || first_[from - 1].type == P::K_THEN ||
                            first_[from - 1].type == P::K_ELSE);
    return statement ? text(first_[from].begin, first_[i - 1].end) : std::string_view{};
  };
  for (const std::size_t i : {at - (at > 0), at, at + 1}) {
    if (i > at && sign(i) != "%") break;
    const std::string_view target = stored_in(i);
    for (const std::string_view op : {"*", "/", "**", "%"})
      if (!target.empty() && side_by_side(i, op, "="))
        return say(i, i + 1, fmt::format("write `{0} = {0} {1} …`", target, op == "%" ? "mod" : op));
    if (!target.empty() && (side_by_side(i, ":", "=") || side_by_side(i, "<", "-")))
      return say(i, i + 1, fmt::format("write `{} = …`", target));
    if (side_by_side(i, "<", "<") || side_by_side(i, ">", ">"))
      return say(i, i + 1, "there are no bit shifts; write `n * 2 ** k` or `n / 2 ** k`");
    if (side_by_side(i, "!=", "=")) return say(i, i + 1, "write `!=`");
    if (side_by_side(i, "<=", ">")) return say(i, i + 1, "use `a < b`, `a == b` and `a > b`");
    if (side_by_side(i, "?", "?")) return say(i, i + 1, "write `a or else b`, which is b if a is none");
    if (side_by_side(i, "?", ".")) return say(i, i + 1, "write `.`; an attribute of none is none");
    const bool member = sign(i) == "->" && i > 0 && first_[i - 1].end == first_[i].begin && first_ + i + 1 < last_ &&
                        first_[i].end == first_[i + 1].begin && is_word(first_[i + 1].type);
    if (member) return say(i, i, "write `.`");
    if (side_by_side(i, "&", "&")) return say(i, i + 1, "write `and`");
    if (side_by_side(i, "|", "|")) return say(i, i + 1, "write `or`");
    if (sign(i) == "|" && !enclosing<P::OptionDeclContext>(parser))
      return say(i, i, "use `or` for conditions, `+` for sets, and `size(S)` for the size of a set");
    if (side_by_side(i, "<", ">")) return say(i, i + 1, "write `!=`");
    if (side_by_side(i, "=", ">")) return say(i, i + 1, "write `>=`");
    if (side_by_side(i, "=", "<")) return say(i, i + 1, "write `<=`");
    if (side_by_side(i, "==", "=")) return say(i, i + 1, "write `==`");
    if (side_by_side(i, "/", "*")) return say(i, i + 1, "a comment begins with //");
    if (sign(i) == "%" && i > 0 && first_[i - 1].type == P::NUM)
      return say(
          i - 1, i,
          fmt::format("there are no percentages: write `n * {0} / 100` for a share, and `roll 1..100 <= {0}` for a "
                      "chance",
                      sign(i - 1)));
    if (sign(i) == "%") return say(i, i, "write `a mod b` for the remainder");
    if (sign(i) == "?" && i > 0 && !begins_line(first_[i - 1].type)) return say(i, i, "write `if C then A else B`");
    for (const std::string_view both : {"+", "-"}) {
      if (!side_by_side(i, both, both) || !enclosing<P::BlockContext>(parser)) continue;
      std::size_t from = i, to = i + 1;
      const bool before = i == 0 || begins_line(first_[i - 1].type);   // a prefix operator: `++me.score`
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
    diagnostics_.report("syntax"_code, range(found), "comparison used as a statement", "use `=` to assign a value");
    return true;
  }
  return false;
}

// Reports a wrong keyword at the beginning of a line: `winner (players …) with most …`, `Players 2..5`. Without this
// check, the reported position would be that of a later token.
bool SyntaxErrorStrategy::report_foreign_word(antlr4::Parser* parser, const antlr4::Token* found) {
  const bool statement = enclosing<P::BlockContext>(parser);
  std::size_t i = found->getTokenIndex();
  while (i > 0 && !begins_line(first_[i - 1].type) && first_[i - 1].type != P::K_THEN &&
         first_[i - 1].type != P::K_ELSE)
    --i;
  if (first_ + i >= last_ || first_[i].type != P::ID) return false;
  const Word& w = first_[i];
  // The word may be the name of a called event.
  if (first_ + i + 1 < last_ && first_[i + 1].type == P::LPAREN && first_[i + 1].begin == w.end) return false;
  const std::string_view word = text(w.begin, w.end);
  // The word may be the name of a variable.
  const auto after = first_ + i + 1 < last_ ? first_[i + 1].type : static_cast<std::size_t>(P::NL);
  if (after == P::ASSIGN || after == P::DOT || after == P::ADD_TO || after == P::TAKE_FROM ||
      (after == P::COLON && first_ + i + 2 < last_ && first_[i + 2].type != P::LBRACE))
    return false;
  std::string help = habit(statement ? Spot::statement : Spot::declaration, word);
  std::string small(word);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto& known = statement ? kStatements : kDeclarations;
  if (small != word && std::ranges::find(known, small) != known.end())
    help = fmt::format("keywords are lower case: `{}`", small);
  if (help.empty()) return false;
  diagnostics_.report(statement ? "unknown_statement"_code : "unknown_declaration"_code, {source_, w.begin, w.end},
                      fmt::format("unknown {} `{}`", statement ? "statement" : "declaration", word), help);
  return true;
}

// Reports a label directly after the name of a constant: `enum Role { king "the King" }`.
bool SyntaxErrorStrategy::report_label_of_constant(antlr4::Parser* parser, const antlr4::Token* found) {
  if (found->getType() != P::STR || !enclosing<P::EnumDeclContext>(parser)) return false;
  diagnostics_.report("syntax"_code, range(found), "an enum constant can't have a label",
                      "players see its name (`FirstMate` as two words); for other labels use a CSV file with a column "
                      "`label`: `enum Role from \"roles.csv\"`");
  return true;
}

// Reports a zone without a visibility: `zone purse`.
bool SyntaxErrorStrategy::report_bare_zone(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (!enclosing<P::ZoneContext>(parser) || at < 2 || first_[at - 2].type != P::K_ZONE || found->getType() == P::COLON)
    return false;
  const Word& name = first_[at - 1];
  diagnostics_.report(
      "syntax"_code, {source_, name.begin, name.end},
      fmt::format("missing visibility for zone `{}`", text(name.begin, name.end)),
      "add its visibility: `: public`, `: owner`, `: team` or `: hidden`; for a pile `: pile, faceup` or "
      "`: pile, facedown`");
  return true;
}

// Reports `has` without the required `any … in …`: `when me.purse has Gem`.
bool SyntaxErrorStrategy::report_quantifier(antlr4::Parser*, const antlr4::Token* found) {
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
  diagnostics_.report("syntax"_code, range(found), "expected `any`, `no` or `every` before `has`",
                      fmt::format("write `any x in {} has x is {}`", set, kind));
  return true;
}

// Reports `face down` as two words in a zone, a `move` or a `turn`.
bool SyntaxErrorStrategy::report_face(const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  for (std::size_t i = at < 2 ? 0 : at - 2; i <= at; ++i) {
    if (word(i) != "face" || (word(i + 1) != "down" && word(i + 1) != "up")) continue;
    diagnostics_.report("syntax"_code, {source_, first_[i].begin, first_[i + 1].end},
                        fmt::format("`face {}` is one word", word(i + 1)), fmt::format("write `face{}`", word(i + 1)));
    return true;
  }
  return false;
}

std::string_view SyntaxErrorStrategy::word(std::size_t i) const {
  return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
}

std::size_t SyntaxErrorStrategy::start_of_line(std::size_t i) const {
  while (i > 0 && (first_ + i >= last_ || !begins_line(first_[i - 1].type))) --i;
  return i;
}

// Returns whether no blank separates token i from the next one.
bool SyntaxErrorStrategy::touches(std::size_t i) const {
  return first_ + i + 1 < last_ && first_[i].end == first_[i + 1].begin;
}

// Reports a file or folder instead of the name of a base game: `extends "splash"`, `extends splash.rules`.
bool SyntaxErrorStrategy::report_base_game(const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  std::size_t from = at + 1;
  while (from > 0 && (first_ + from - 1 >= last_ || first_[from - 1].type != P::K_EXTENDS)) --from;
  if (from == 0 || at < from || at > from + 1 || first_ + from >= last_ || begins_line(first_[from].type)) return false;
  std::size_t to = from;
  while (first_ + to + 1 < last_ && !begins_line(first_[to + 1].type)) ++to;
  const std::string_view written = text(first_[from].begin, first_[to].end);
  std::string name(written);
  std::erase(name, '"');
  if (const auto slash = name.find_last_of("/\\"); slash != std::string::npos) name.erase(0, slash + 1);
  if (name.ends_with(".txt")) name.resize(name.size() - 4);
  if (name.ends_with(".rules")) name.resize(name.size() - 6);
  for (char& c : name)
    if (c == '-' || c == ' ') c = '_';
  diagnostics_.report("syntax"_code, {source_, first_[from].begin, first_[to].end},
                      fmt::format("expected the name of a game, found `{}`", written),
                      fmt::format("write the name without quotes, folder and ending: `extends {}`", name));
  return true;
}

// Reports a name with a hyphen: `card Water-Pistol`, `me.life-points += 1`.
bool SyntaxErrorStrategy::report_hyphen(const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  for (const std::size_t sign : {at, at - (at > 0)}) {
    if (sign == 0 || first_ + sign + 1 >= last_ || first_[sign].type != P::MINUS || !touches(sign - 1) ||
        !touches(sign) || !is_word(first_[sign - 1].type) || !is_word(first_[sign + 1].type))
      continue;
    std::size_t to = sign + 1;
    while (first_ + to + 2 < last_ && first_[to + 1].type == P::MINUS && touches(to) && touches(to + 1) &&
           is_word(first_[to + 2].type))
      to += 2;
    const Range where{source_, first_[sign - 1].begin, first_[to].end};
    std::string name(text(where.begin, where.end));
    std::ranges::replace(name, '-', '_');
    diagnostics_.report("syntax"_code, where, "a name can't contain a hyphen",
                        fmt::format("write `{}`, or put blanks around `-` to subtract", name));
    return true;
  }
  return false;
}

// Reports a decimal comma or a thousands separator: `21,5`, `0..1,000`.
bool SyntaxErrorStrategy::report_number_with_comma(const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  for (const std::size_t comma : {at, at - (at > 0)}) {
    if (comma == 0 || first_ + comma + 1 >= last_ || first_[comma].type != P::COMMA || !touches(comma - 1) ||
        !touches(comma) || first_[comma - 1].type != P::NUM || first_[comma + 1].type != P::NUM)
      continue;
    const Range where{source_, first_[comma - 1].begin, first_[comma + 1].end};
    const std::string_view whole = word(comma - 1), part = word(comma + 1);
    const bool thousands = part.size() == 3 && whole.size() <= 3;
    diagnostics_.report(
        "decimal_number"_code, where, fmt::format("`{},{}` is not an integer", whole, part),
        thousands ? fmt::format("write it without the comma: `{}{}`", whole, part)
                  : fmt::format("all numbers are integers: write `{}`; decimals need a unit: with `unit CL = 2`, "
                                "`1.5 CL` is 3",
                                whole));
    return true;
  }
  return false;
}

// Reports a missing comma between parameters, arguments or the properties of a zone: `(p: player n: 0..9)`, `pile
// facedown`.
bool SyntaxErrorStrategy::report_missing_comma(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex();
  if (at < 2) return false;
  const auto report = [&](std::size_t i, std::string help) {
    diagnostics_.report("syntax"_code, {source_, first_[i].begin, first_[i].end},
                        fmt::format("expected `,` before `{}`", word(i)), std::move(help));
    return true;
  };
  std::size_t opened = at;
  while (opened > 0 && !begins_line(first_[opened].type) && first_[opened].type != P::LPAREN) --opened;
  const bool parameter = enclosing<P::ParamsContext>(parser) && first_[opened].type == P::LPAREN &&
                         found->getType() == P::COLON && first_[at - 1].type == P::ID &&
                         first_[at - 2].type != P::COMMA && first_[at - 2].type != P::LPAREN;
  if (parameter) return report(at - 1, fmt::format("separate parameters with a comma: `, {}: …`", word(at - 1)));
  const bool begins_value = found->getType() == P::ID || found->getType() == P::NUM || found->getType() == P::STR;
  const bool after_value = first_[at - 1].type == P::ID || first_[at - 1].type == P::NUM ||
                           first_[at - 1].type == P::RPAREN || first_[at - 1].type == P::RBRACKET;
  if (enclosing<P::ArgsContext>(parser) && begins_value && after_value &&
      parser->getExpectedTokens().contains(static_cast<std::size_t>(P::RPAREN)))
    return report(at, fmt::format("separate arguments with a comma: `{}, {}`", word(at - 1), word(at)));
  const bool face = word(at) == "facedown" || word(at) == "faceup" || word(at) == "public" || word(at) == "owner" ||
                    word(at) == "hidden" || word(at) == "secret";
  const bool shape = word(at - 1) == "pile" || word(at - 1) == "row" || word(at - 1) == "slot";
  if (face && shape) return report(at, fmt::format("write `{}, {}`", word(at - 1), word(at)));
  return false;
}

// Reports a number of copies in the declaration of a card: `card Sponge x 3`.
bool SyntaxErrorStrategy::report_card_count(antlr4::Parser* parser, const antlr4::Token* found) {
  const std::size_t at = found->getTokenIndex(), start = start_of_line(at);
  if (in_block(parser, found) || first_ + start >= last_ || first_[start].type != P::K_CARD || at <= start + 1 ||
      word(at) != "x")
    return false;
  diagnostics_.report("syntax"_code, range(found), "a card has no number of copies",
                      fmt::format("write the number in a deck: `deck Cards: T into draw {{ {} x {} }}`",
                                  word(start + 1), word(at + 1).empty() ? "3" : word(at + 1)));
  return true;
}

// Reports a sentence about several players: `all players draw 2`, `each player draws a card`.
bool SyntaxErrorStrategy::report_all_players(antlr4::Parser* parser, const antlr4::Token* found) {
  if (!enclosing<P::BlockContext>(parser)) return false;
  const std::size_t start = start_of_line(found->getTokenIndex());
  const bool all = word(start) == "all" || word(start) == "each" || word(start) == "every";
  if (all ? word(start + 1) != "player" && word(start + 1) != "players" : word(start) != "players") return false;
  const std::size_t verb = start + (all ? 2 : 1);
  if (first_ + verb >= last_ || !is_word(first_[verb].type) || first_[verb].type == P::K_IN ||
      first_[verb].type == P::K_WHERE || first_[verb].type == P::K_HAS)
    return false;
  std::string event(word(verb));
  if (word(start + 1) == "player" && event.ends_with('s')) event.pop_back();
  const bool counted = first_ + verb + 1 < last_ && first_[verb + 1].type == P::NUM;
  diagnostics_.report(
      "syntax"_code, {source_, first_[start].begin, first_[verb].end},
      fmt::format("unexpected `{}` after `{}`", word(verb), text(first_[start].begin, first_[verb - 1].end)),
      fmt::format("write a loop that calls an event: `each p in players {{ {}(p{}) }}`", event,
                  counted ? fmt::format(", {}", word(verb + 1)) : ""));
  return true;
}

// Returns the hint for `the winner is the player with the most points`, or an empty string.
std::string SyntaxErrorStrategy::hint_for_winner(const antlr4::Token* found) const {
  const std::size_t start = start_of_line(found->getTokenIndex());
  bool winner = false;
  std::string_view most, last;
  for (std::size_t i = start; first_ + i < last_ && !begins_line(first_[i].type); ++i) {
    winner = winner || word(i) == "winner" || word(i) == "winners" || word(i) == "wins";
    for (const std::string_view superlative : {"most", "highest", "greatest", "largest", "biggest", "best"})
      if (word(i).ends_with(superlative)) most = "most";   // `with most` is one token
    for (const std::string_view superlative : {"least", "fewest", "lowest", "smallest"})
      if (word(i).ends_with(superlative)) most = "least";
    if (is_word(first_[i].type)) last = word(i);
  }
  if (!winner || most.empty() || word(start) == "if" || word(start) == "end") return {};
  const std::string sentence = fmt::format("winners players with {} {}", most, last);
  return first_ + start < last_ && start > 0 && first_[start - 1].type == P::LBRACE
             ? fmt::format("write `{}`", sentence)
             : fmt::format("write `end when C {{ {} }}`", sentence);
}

// Reports a limit on an event: `event z(p: player), once per turn { … }`.
bool SyntaxErrorStrategy::report_limit(antlr4::Parser* parser, const antlr4::Token* found) {
  std::size_t at = found->getTokenIndex();
  if (found->getType() == P::COMMA && first_ + at + 1 < last_) ++at;
  if (first_ + at >= last_ || first_[at].type != P::ONCE_PER || enclosing<P::ActionDeclContext>(parser) ||
      enclosing<P::PlayDeclContext>(parser))
    return false;
  const bool span = first_ + at + 1 < last_ && is_word(first_[at + 1].type);
  const Word& last = span ? first_[at + 1] : first_[at];
  const std::string_view what = span ? text(last.begin, last.end) : std::string_view("turn");
  diagnostics_.report("syntax"_code, {source_, first_[at].begin, last.end},
                      fmt::format("`once per {}` is only allowed for actions and plays", what),
                      "use a variable instead: `turn var done = false`, and `if not done { done = true; … }`");
  return true;
}

// Returns a hint for a wrong keyword or bracket in an otherwise correct construct: `move c into discard`, `deck D: Card
// in draw`, `action lay[c: Card]`.
std::string SyntaxErrorStrategy::hint_for_wrong_keyword(antlr4::Parser* parser, const antlr4::Token* found) const {
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
    return fmt::format("use `into` for the zone in which the cards start: `into {}`", next);
  if (enclosing<P::ParamsContext>(parser) && here == "from") {
    std::size_t last = at + 1;
    while (first_ + last + 1 < last_ && first_[last + 1].type != P::RPAREN && first_[last + 1].type != P::COMMA &&
           !begins_line(first_[last + 1].type))
      ++last;
    return fmt::format("use `in` for the set to choose from: `{} in {}`", before,
                       first_ + last < last_ ? text(first_[at + 1].begin, first_[last].end) : "…");
  }
  if (block && word(start) == "move" && one_of(here, {"into", "onto"}))
    return fmt::format("use `to` for the destination: `to {}`", next);
  if (offered && before == "take" && found->getType() == P::NUM)
    return fmt::format("write the duration with `takes`: `takes {} {}`", here, next);
  if (offered && named && one_of(here, {"during", "on", "while", "inside", "at", "for"}))
    return fmt::format("use `in` for the window in which it is offered: `in {}`", next);
  if (!block && here == "[" && at == start + 2 &&
      one_of(earlier, {"action", "event", "function", "sequence", "value", "window"}))
    return fmt::format("put parameters in round brackets: `{}(…)`", before);
  if (earlier == "turns" && one_of(before, {"from", "for"}))
    return "the direction comes first: `turns clockwise from first of players …`";
  return {};
}

// Returns a hint for an almost correct construct: `{ 3 Apple }`, `modify reach(_) = 2`, `2 if C else 3`.
std::string SyntaxErrorStrategy::hint_for_near_miss(antlr4::Parser* parser, const antlr4::Token* found) const {
  const std::size_t at = found->getTokenIndex();
  const auto word = [&](std::size_t i) {
    return first_ + i < last_ ? text(first_[i].begin, first_[i].end) : std::string_view{};
  };
  const std::string_view here = word(at), before = at > 0 ? word(at - 1) : "", earlier = at > 1 ? word(at - 2) : "";
  const bool block = in_block(parser, found);
  const bool begins = at == 0 || begins_line(first_[at - 1].type);
  const bool counts = found->getType() == P::NUM || before == "*" || here == "*" || here == "x" ||
                      (at > 0 && first_[at - 1].type == P::NUM);
  if (counts && enclosing<P::DeckContext>(parser) && !block) return "write the count after the card: `Apple x 3`";
  if (enclosing<P::ModifyContext>(parser) && !block &&
      (here == "=" || here == "+" || here == "-" || here == "+=" || here == "-="))
    return "use `by +1` to add, `to 2` to replace";
  if (here == "->" || before == "->") return "put a colon before the type: `: int`";
  if (here == ":" && enclosing<P::FunctionDeclContext>(parser) && !block)
    return fmt::format("a function needs brackets: `{}()`; without parameters you can use a `value`", before);
  if (here == "if" && !block && (enclosing<P::ActionDeclContext>(parser) || enclosing<P::PlayDeclContext>(parser)))
    return "the condition of an action begins with `when`";
  if (here == "xor") return "write `A != B` for exclusive or";
  if (here == "equals") return "write `==`";
  if (here == "between") return fmt::format("write `{} in 1..3`", before);
  if (here == "contains" || here == "includes") return fmt::format("write `x in {}`", before);
  std::size_t start = at;
  while (start > 0 && !begins_line(first_[start - 1].type)) --start;
  if (block && first_[start].type == P::K_IF && (here == ":" || (before == ")" && found->getType() == P::ID)))
    return "write `if C then …` or `if C { … }`";
  static constexpr std::string_view kCalled[] = {"size", "min", "max", "abs", "random", "len"};
  for (const std::string_view called : {earlier, before})   // `size me.hand`: the error is at the dot or before it
    if (at > 0 && (called == before ? found->getType() : first_[at - 1].type) == P::ID &&
        std::ranges::find(kCalled, called) != std::end(kCalled))
      return fmt::format("add brackets: `{}(…)`", called);
  if (here == "if" && !begins) return "the condition comes first: `if C then A else B`";
  if (!block && (before == "phase" || before == "turn" || before == "round")) return habit(Spot::declaration, before);
  if (enclosing<P::ParamsContext>(parser) && found->getType() == P::ID && at > 0 && first_[at - 1].type == P::ID)
    return fmt::format("put a colon before the type: `{}: {}`", before, here);
  if (before == "ask" && here == "each") return "write `ask each of players`, or `ask active` for one player";
  if (word(start_of_line(at)) == "ask" &&
      (word(start_of_line(at) + 1) == "every" || word(start_of_line(at) + 1) == "all"))
    return "write `ask each of players`, or `ask active` for one player";
  for (const std::string_view superlative : {"highest", "greatest", "largest", "biggest", "lowest", "smallest", "the"})
    if (here == "with" && word(at + 1) == superlative) {
      const bool least = superlative == "lowest" || superlative == "smallest" || word(at + 2) == "fewest" ||
                         word(at + 2) == "least" || word(at + 2) == "lowest";
      return fmt::format("write `with {} {}`", least ? "least" : "most", word(at + (superlative == "the" ? 3 : 2)));
    }
  if (before == "each" && here == "player") return "write `each p in players { … }`";
  if (earlier == "each" && here == "{")
    return fmt::format("write `each x in {} {{ … }}`", before == "player" ? "players"
                                                       : before == "card" ? "me.hand"
                                                                          : "S");
  if (block && (before == "a" || before == "an") && (earlier == "choose" || earlier == "chooses"))
    return "add a name and a set to choose from: `p chooses c from p.hand`";
  if (block && (here == "the" || before == "the" || earlier == "the")) return "leave out the article: `shuffle draw`";
  if (here.starts_with("d") && at > 0 && first_[at - 1].type == P::NUM && earlier == "roll")
    return fmt::format("write `roll 1..{}`", here.size() > 1 ? here.substr(1) : "6");
  if (here == "+" && at > 0 && first_[at - 1].type == P::STR) return "insert the value into the string: `\"… {n} …\"`";
  if (here == "to" && at > 1 && earlier == "players")
    return fmt::format("write `players {}..{}`", before, word(at + 1));
  if (found->getType() == P::NUM && (before == "is" || before == "is not"))
    return fmt::format("compare numbers with `{} {}`", before == "is" ? "==" : "!=", here);
  if (here == "from" && block && before != "from" && earlier == "move")
    return fmt::format(
        "leave out the zone of a card: `move {} to …`; for a number of cards: `move 2 cards from draw to p.hand`",
        before);
  if (found->getType() == P::STR && (earlier == "phase" || earlier == "window"))
    return "write the question after `ask`: `ask active \"…\"`";
  if (here == "." && before == "..") return "a range has two dots: `1..3`";
  if (here == "=" && earlier == "enum") return fmt::format("put the constants in braces: `enum {} {{ … }}`", before);
  return {};
}

// Returns the hint for an unexpected token: a misspelled keyword, a wrong keyword, or a superfluous token.
std::string SyntaxErrorStrategy::hint_for(antlr4::Parser* parser, const antlr4::Token* found) const {
  const std::string_view word = text(found->getStartIndex(), found->getStopIndex());
  const std::size_t place = found->getTokenIndex();
  if (word == "extends" && place > 2) return "a game can extend only one other game";
  if (std::string help = hint_for_winner(found); !help.empty()) return help;
  const antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
  if (in_string_ && expected.contains(static_cast<std::size_t>(P::K_ELSE)))
    return "a string needs both cases: `{if C then \"…\" else \"\"}`";
  if (std::string help = hint_for_wrong_keyword(parser, found); !help.empty()) return help;
  if (std::string help = hint_for_near_miss(parser, found); !help.empty()) return help;
  if (expected.contains(static_cast<std::size_t>(P::K_THEN))) {
    if (const std::string english = habit(Spot::name, word); english.starts_with("keywords are")) return english;
    return expected.contains(static_cast<std::size_t>(P::LBRACE)) ? "write `if C then …` or `if C { … }`"
                                                                  : "write `if C then A else B`";
  }
  if (word == ":" && parser->getExpectedTokens().contains(static_cast<std::size_t>(P::LBRACE)))
    return "put the statements in braces: `{ … }`";
  if (found->getType() == P::LBRACE && place > 0 && first_[place - 1].type == P::K_THEN)
    return "`then` is followed by one statement; leave it out before `{`";
  if (found->getType() == P::K_WHEN && enclosing<P::EventDeclContext>(parser))
    return "an event can't have a condition; use `if` in its body, or `instead of … when … { cancel }`";
  const bool deals =
      enclosing<P::BlockContext>(parser) && place > 1 && text(first_[place - 2].begin, first_[place - 2].end) == "deal";
  if (deals && (word == "cards" || word == "card"))
    return fmt::format("leave out `{1}`: `deal {0} from …`", text(first_[place - 1].begin, first_[place - 1].end),
                       word);
  const bool after_comma = word == "secret" || word == "must" || word == "sensible" || word == "takes";
  if (after_comma && enclosing<P::ActionDeclContext>(parser) && !in_block(parser, found))
    return fmt::format("add a comma before it: `, {}`", word);
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
    return "put statements in a block, for example of `setup`, `play`, an event or an action";
  return {};
}

void warn_division(Diagnostics& diagnostics, SourceId source, const Comment& comment) {
  diagnostics.report("syntax"_code, {source, comment.begin, comment.begin + 2}, "`//` begins a comment",
                     "use `/` for a division, which rounds toward zero, and `a mod b` for the remainder");
}

bool SyntaxErrorStrategy::report_division(const antlr4::Token* found) {
  const auto line = [&](std::uint32_t at) { return diagnostics_.sources().place(source_, at).line; };
  const auto here = line(range(found).begin);
  const auto divides =
      std::ranges::find_if(comments_, [&](const Comment& c) { return c.divides && line(c.begin) == here; });
  if (divides == comments_.end()) return false;
  warn_division(diagnostics_, source_, *divides);
  return true;
}

// Returns whether an invalid character on this line was already reported and dropped. Errors that result from dropping
// it are not reported.
bool SyntaxErrorStrategy::has_stray_character(const antlr4::Token* found) const {
  const auto line = [&](std::uint32_t at) { return diagnostics_.sources().place(source_, at).line; };
  const auto here = line(range(found).begin);
  return std::ranges::any_of(diagnostics_.all(), [&](const Diagnostic& d) {
    return d.code == "invalid_character"_code && d.range.source == source_ && line(d.range.begin) == here;
  });
}

void SyntaxErrorStrategy::report_at(antlr4::Parser* parser, const antlr4::Token* found,
                                    const antlr4::Token* decided_from) {
  if (has_stray_character(found) || report_division(found)) return;
  if (report_base_game(found) || report_hyphen(found) || report_number_with_comma(found)) return;
  if (report_missing_comma(parser, found) || report_card_count(parser, found) || report_all_players(parser, found))
    return;
  if (report_face(found) || report_limit(parser, found)) return;
  if (report_foreign_sign(parser, found) || report_bare_zone(parser, found) || report_label_of_constant(parser, found))
    return;
  if (report_unknown_word(parser, found) || report_unknown_line(parser, found) || report_foreign_word(parser, found) ||
      report_quantifier(parser, found))
    return;
  if (report_where_for_when(parser, found) || report_begins(parser, found) ||
      report_assigned_condition(parser, found) || report_second_on_line(parser, found))
    return;
  std::string expected;
  const bool at_decision = !decided_from || decided_from == found;
  if (at_decision) {
    const antlr4::misc::IntervalSet set = parser->getExpectedTokens();
    if (report_reserved_name(found, set)) return;
    expected = describe_expected(set);
  }
  std::string message = fmt::format("expected {}, found {}", expected, describe_found(found));
  if (expected.empty()) {
    const std::size_t at = found->getTokenIndex();
    const bool first = at == 0 || begins_line(first_[at - 1].type);
    const std::string before = first ? std::string() : std::string(text(first_[at - 1].begin, first_[at - 1].end));
    std::string unexpected = describe_found(found);
    for (const std::string_view article : {"the ", "a "})
      if (unexpected.starts_with(article)) unexpected.erase(0, article.size());
    message = fmt::format("unexpected {}", unexpected);
    if (!first) message += fmt::format(" after `{}`", before);
  }
  const std::string help = hint_for(parser, found);
  diagnostics_.report("syntax"_code, range(found), message, help.empty() ? describe_context(parser, found) : help);
}

}   // namespace cardwright::parse
