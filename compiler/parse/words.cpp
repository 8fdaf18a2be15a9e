// Implements the token filter between the lexer and the parser. It resolves contextual keywords, joins multi-word
// keywords, and drops newlines that do not end a statement.
//
// Input:  the lexer's tokens, including newlines. Every keyword of the grammar has its own token type.
// Output: the tokens for the parser. A contextual keyword is a keyword only in certain positions:
//           at the start of a line or block    move c to discard        but  move = 3, move(c), players.towels
//           after an operand                   top of x to y            but  lose(me, n, by), from + d
//           before an operand                  first of S, no c in S    but  first == 2
//         Everywhere else it is an ID, so `draw`, `top`, `by` and `table` are valid names.
// Tests: tests/parse/words_test.cpp.
#include "compiler/parse/words.h"

#include <array>
#include <set>
#include <string>

#include "RulesLexer.h"
#include "RulesParser.h"

namespace cardwright::parse {
namespace {

using P = grammar::RulesParser;

// ---- keyword table -----------------------------------------------------------------------------

// The positions in which a token is a keyword instead of a name.
enum Position : unsigned {
  always = 1,
  at_start = 2,   // at the start of a declaration or statement
  after_operand = 4,   // directly after an operand
  of_next = 8,   // before an operand, if the next token is `of`
  name_next = 16,   // before an operand, if the next token is a word
  value_next = 32,   // before an operand, if the next token begins an expression
  special = 0,   // only at the positions that promoted_by_neighbors() checks
};

struct Entry {
  std::size_t type;
  unsigned positions;
};

constexpr Entry kWords[] = {
    {P::K_AND, always},
    {P::K_EACH, always},
    {P::K_ELSE, always},
    {P::K_FALSE, always},
    {P::K_IF, always},
    {P::K_IN, always},
    {P::K_IS, always},
    {P::K_NONE, always},
    {P::K_NOT, always},
    {P::K_OR, always},
    {P::K_THEN, always},
    {P::K_TRUE, always},
    {P::K_UNLIMITED, always},
    {P::K_WHEN, always},
    {P::K_WHERE, always},
    {P::K_OF, always},

    {P::K_GAME, at_start},
    {P::K_LIBRARY, at_start},
    {P::K_PLAYERS, at_start},
    {P::K_USE, at_start},
    {P::K_CONST, at_start},
    {P::K_LET, at_start},
    {P::K_VAR, at_start},
    {P::K_OPTION, at_start},
    {P::K_VARIANT, at_start},
    {P::K_CONFLICT, at_start},
    {P::K_REQUIRE, at_start},
    {P::K_WARN, at_start},
    {P::K_ENUM, at_start},
    {P::K_CHARACTER, at_start},
    {P::K_DECK, at_start},
    {P::K_PLAYER, at_start},
    {P::K_TABLE, at_start},
    {P::K_ZONE, at_start},
    {P::K_AREA, at_start},
    {P::K_TURN, at_start},
    {P::K_ROUND, at_start},
    {P::K_PHASE, at_start},
    {P::K_UNPRINTED, at_start},
    {P::K_KEPT, at_start},
    {P::K_VALUE, at_start},
    {P::K_FUNCTION, at_start},
    {P::K_SEQUENCE, at_start},
    {P::K_EVENT, at_start},
    {P::K_WINDOW, at_start},
    {P::K_ACTION, at_start},
    {P::K_PLAY, at_start},
    {P::K_TEXT, at_start},
    {P::K_MODIFY, at_start},
    {P::K_FORBID, at_start},
    {P::K_ALLOW, at_start},
    {P::K_BEFORE, at_start},
    {P::K_WHENEVER, at_start},
    {P::K_MEASURE, at_start},
    {P::K_SETUP, at_start},
    {P::K_REMOVE, at_start},
    {P::K_REPLACE, at_start},
    {P::K_SCENE, at_start},
    {P::K_SCENARIO, at_start},
    {P::K_GIVEN, at_start},
    {P::K_REPEAT, at_start},
    {P::K_RETURN, at_start},
    {P::K_YIELD, at_start},
    {P::K_WINNERS, at_start},
    {P::K_REVEAL, at_start},
    {P::K_ELIMINATE, at_start},
    {P::K_END, at_start},
    {P::K_ENDING, at_start},
    {P::K_AFTERWARDS, at_start},
    {P::K_ASK, at_start},
    {P::K_MOVE, at_start},
    {P::K_DEAL, at_start},
    {P::K_SHUFFLE, at_start},
    {P::K_PEEK, at_start},
    {P::K_SWAP, at_start},
    {P::K_LOG, at_start},
    {P::K_CHOOSE, at_start},
    {P::K_TURNS, at_start},
    {P::K_ROUNDS, at_start},
    {P::K_LATE, at_start},
    {P::K_WRONG, at_start},
    {P::K_OTHERWISE, at_start},
    {P::K_COUNTDOWN, at_start},
    {P::K_SIGHT, at_start},
    {P::K_THINK, at_start},
    {P::K_PATIENCE, at_start},
    {P::K_STALEMATE, at_start},
    {P::K_TOGETHER, at_start},
    {P::K_DELAY, at_start},
    {P::K_PAUSE, at_start},
    {P::K_PLACE, at_start},
    {P::K_LIFT, at_start},
    {P::K_ARRANGE, at_start},
    {P::K_BOARD, at_start},
    {P::K_PIECE, at_start},
    {P::K_DIE, at_start},
    {P::K_FACES, at_start},
    {P::K_RECORD, at_start},
    {P::K_UNIT, at_start},
    {P::K_TEAM, at_start},
    {P::K_TEAMS, at_start},
    {P::K_TIMER, at_start},
    {P::K_START, at_start},
    {P::K_STOP, at_start},
    {P::K_COVERS, at_start},
    {P::K_SHOWS, at_start | after_operand},
    {P::K_SHOW, after_operand},

    {P::K_WITH, at_start | after_operand},
    {P::K_WITHOUT, at_start | after_operand},
    {P::K_WHILE, at_start | after_operand},
    {P::K_HAS, at_start | after_operand},
    {P::K_AFTER, at_start | after_operand},
    {P::K_PLAYS, at_start | after_operand},
    {P::K_INTO, at_start | after_operand},
    {P::K_TOTAL, at_start | after_operand | value_next},

    {P::K_EXTENDS, after_operand},
    {P::K_ON, after_operand},
    {P::K_X, after_operand},
    {P::K_FROM, after_operand},
    {P::K_AS, after_operand},
    {P::K_BY, after_operand},
    {P::K_PER, after_operand},
    {P::K_UNTIL, after_operand},
    {P::K_TO, after_operand},
    {P::K_AT, after_operand},
    {P::K_TIMES, after_operand},
    {P::K_REPLACING, after_operand},
    {P::K_KEEPING, after_operand},
    {P::K_CLOCKWISE, after_operand},
    {P::K_WITHIN, after_operand},
    {P::K_MOD, after_operand},
    {P::K_DIV, after_operand},
    {P::K_KNOWS, after_operand},
    {P::K_WINS, after_operand},
    {P::K_LOSES, after_operand},
    {P::K_FOR, after_operand},
    {P::K_NESTED, after_operand},
    {P::K_IMPLIES, after_operand},
    {P::K_UNLESS, after_operand},
    {P::K_HOLDS, after_operand},
    {P::K_ARE, after_operand},
    {P::K_BEGINS, after_operand},
    {P::K_USES, after_operand},
    {P::K_DOES, after_operand},
    {P::K_CHOOSES, after_operand},
    {P::K_ARRANGES, after_operand},
    {P::K_ROLLS, after_operand},
    {P::K_PASSES, after_operand},
    {P::K_SAYS, after_operand},
    {P::K_PICKS, after_operand},
    {P::K_FACING, at_start | after_operand},
    {P::K_FACEUP, after_operand},
    {P::K_FACEDOWN, after_operand},
    {P::K_ONTO, after_operand},
    {P::K_EXCEPT, after_operand},
    {P::K_WRAPS, after_operand},

    {P::K_SUM, of_next},
    {P::K_MOST, of_next},
    {P::K_LEAST, of_next},
    {P::K_UNION, of_next},
    {P::K_LIST, of_next},
    {P::K_SET, of_next},
    {P::K_COUNT, of_next},
    {P::K_FIRST, of_next},
    {P::K_LAST, of_next},
    {P::K_INDEX, of_next},
    {P::K_RANDOM, of_next},
    {P::K_CARD, at_start | of_next},
    {P::K_ONLY, of_next | name_next},
    {P::K_TOP, of_next | value_next},
    {P::K_BOTTOM, of_next | value_next},
    {P::K_OPEN, name_next},
    {P::K_NO, name_next},
    {P::K_ANY, name_next},
    {P::K_EVERY, name_next},
    {P::K_THE, name_next},
    {P::K_DURING, name_next},
    {P::K_SUPPOSING, name_next},
    {P::K_ALL, name_next},
    {P::K_ROLL, value_next},
    {P::K_EXACTLY, value_next},
    {P::K_USUALLY, value_next},
    {P::K_MAY, special},

    {P::K_AGAIN, special},
    {P::K_ORDERS, special},
    {P::K_REPLACEMENTS, special},
    {P::K_BUT, special},
    {P::K_FREE, special},
    {P::K_MUST, special},
    {P::K_TAKES, special},
    {P::K_ONE, special},
    {P::K_RULE, special},
    {P::K_BUSY, special},
    {P::K_SENSIBLE, special},
    {P::K_SPREAD, special},
    {P::K_PASS, special},
    {P::K_GRID, special},
    {P::K_HEX, special},
    {P::K_OFF, special},
    {P::K_MEAN, special},
    {P::K_SHARE, special},
    {P::K_POLICY, special},
    {P::K_AVOID, special},
    {P::K_WEIGHT, special},
};

constexpr std::size_t kTypes = 512;

const std::array<unsigned, kTypes>& positions() {
  static const auto table = [] {
    std::array<unsigned, kTypes> t{};
    for (const Entry& e : kWords) t[e.type] = e.positions;
    return t;
  }();
  return table;
}

const std::array<bool, kTypes>& keywords() {
  static const auto table = [] {
    std::array<bool, kTypes> t{};
    for (const Entry& e : kWords) t[e.type] = true;
    return t;
  }();
  return table;
}

// A keyword of two or three words; `third` may be empty. Adjacent words become one token of type `made` if joins_here()
// returns true.
struct Join {
  std::size_t first;
  std::string_view second, third;
  std::size_t made;
};

constexpr Join kJoins[] = {
    {P::K_OR, "else", "", P::OR_ELSE},         {P::K_OR, "pass", "", P::OR_PASS},
    {P::K_NOT, "in", "", P::NOT_IN},           {P::K_IS, "not", "", P::IS_NOT},
    {P::K_IS, "also", "", P::IS_ALSO},         {P::K_IS, "void", "", P::IS_VOID},
    {P::ID, "from", "", P::DISJOINT_FROM},     {P::K_AT, "least", "", P::AT_LEAST},
    {P::K_AT, "most", "", P::AT_MOST},         {P::K_AT, "random", "", P::AT_RANDOM},
    {P::K_AT, "once", "", P::AT_ONCE},         {P::ID, "to", "", P::UP_TO},
    {P::K_IN, "force", "while", P::IN_FORCE},  {P::K_IN, "real", "time", P::REAL_TIME},
    {P::ID, "of", "", P::INSTEAD_OF},          {P::K_END, "when", "", P::END_WHEN},
    {P::K_CARD, "type", "", P::CARD_TYPE},     {P::K_CHARACTER, "type", "", P::CHARACTER_TYPE},
    {P::K_WITH, "most", "", P::WITH_BEST},     {P::K_WITH, "least", "", P::WITH_BEST},
    {P::K_WITH, "fewest", "", P::WITH_BEST},   {P::COMMA, "then", "most", P::THEN_BEST},
    {P::COMMA, "then", "least", P::THEN_BEST}, {P::COMMA, "then", "fewest", P::THEN_BEST},
    {P::COMMA, "then", "", P::COMMA_THEN},     {P::ID, "per", "", P::ONCE_PER},
    {P::K_TURN, "over", "", P::TURN_OVER},     {P::ID, "end", "", P::CHECK_END},
    {P::K_EACH, "of", "", P::EACH_OF},         {P::K_ALL, "of", "", P::ALL_OF},
    {P::ID, "with", "", P::STARTING_WITH},     {P::DOESNT, "know", "", P::DOESNT_KNOW},
    {P::K_MAY, "pass", "", P::MAY_PASS},       {P::K_AT, "first", "", P::AT_FIRST},
    {P::K_BY, "hand", "", P::BY_HAND},         {P::K_OF, "quiet", "", P::OF_QUIET},
    {P::ID, "can", "", P::NOBODY_CAN},         {P::K_LOG, "has", "", P::LOG_HAS},
    {P::K_AT, "end", "", P::AT_END},           {P::ID, "modifier", "first", P::LATEST_FIRST},
};

// Returns the first word of a multi-word keyword, if that word alone is not a keyword.
std::string_view first_word_of(std::size_t made) {
  switch (made) {
    case P::DISJOINT_FROM: return "disjoint";
    case P::UP_TO: return "up";
    case P::INSTEAD_OF: return "instead";
    case P::ONCE_PER: return "once";
    case P::CHECK_END: return "check";
    case P::STARTING_WITH: return "starting";
    case P::NOBODY_CAN: return "nobody";
    case P::LATEST_FIRST: return "latest";
    default: return {};
  }
}

bool is_sign_operator(std::size_t type) {
  switch (type) {
    case P::ADD_TO:
    case P::TAKE_FROM:
    case P::EQUAL:
    case P::UNEQUAL:
    case P::LESS_EQUAL:
    case P::GREATER_EQUAL:
    case P::LESS:
    case P::GREATER:
    case P::ASSIGN:
    case P::ARROW:
    case P::RANGE:
    case P::DOT:
    case P::PLUS:
    case P::PLUS_MINUS:
    case P::MINUS:
    case P::POWER:
    case P::TIMES_SIGN:
    case P::SLASH:
    case P::AMPERSAND:
    case P::BAR:
    case P::COMMA:
    case P::COLON: return true;
    default: return false;
  }
}

// Returns whether a line that ends with this token continues on the next line.
bool needs_continuation(std::size_t type) {
  switch (type) {
    case P::K_AND:
    case P::K_OR:
    case P::K_NOT:
    case P::K_WHERE:
    case P::K_WHEN:
    case P::K_THEN:
    case P::K_ELSE:
    case P::K_TO:
    case P::K_BY:
    case P::K_FROM:
    case P::K_OF:
    case P::K_UNTIL:
    case P::K_WITHIN:
    case P::OR_ELSE:
    case P::OR_KIND:
    case P::NOT_IN:
    case P::K_IS:
    case P::IS_NOT:
    case P::COMMA_THEN:
    case P::THEN_BEST:
    case P::WITH_BEST:
    case P::DISJOINT_FROM:
    case P::UP_TO:
    case P::AT_LEAST:
    case P::AT_MOST:
    case P::LBRACE: return true;
    default: return is_sign_operator(type);
  }
}

// Returns whether a line that begins with this token continues the previous line.
bool continues_line(std::size_t type) {
  switch (type) {
    case P::K_WHERE:
    case P::K_AND:
    case P::K_OR:
    case P::K_ELSE:
    case P::K_IN:
    case P::K_WHEN:
    case P::K_WITHIN:
    case P::K_KEEPING:
    case P::K_TO:
    case P::K_OTHERWISE:
    case P::LBRACE: return true;
    default: return is_sign_operator(type);
  }
}

bool ends_an_operand(std::size_t type) {
  switch (type) {
    case P::ID:
    case P::NUM:
    case P::DECIMAL:
    case P::STR:
    case P::UNIT:
    case P::RPAREN:
    case P::RBRACKET:
    case P::QUESTION:
    case P::K_TRUE:
    case P::K_FALSE:
    case P::K_NONE:
    case P::K_UNLIMITED:
    case P::K_CLOCKWISE:
    case P::AT_RANDOM:
    case P::K_FACEUP:
    case P::K_FACEDOWN:
    case P::BAD_STR:
    case P::MAY_PASS:
    case P::OR_PASS:
    case P::AT_ONCE:
    case P::REAL_TIME:
    case P::K_AGAIN:
    case P::K_TIMES:
    case P::CARDS:
    case P::PERCENT: return true;
    default: return false;
  }
}

bool begins_a_statement_after(std::size_t type) {
  switch (type) {
    case P::NL:
    case P::SEMI:
    case P::LBRACE:
    case P::RBRACE:
    case P::K_THEN:
    case P::K_ELSE:
    case P::K_REPLACE:
    case P::K_KEPT: return true;
    default: return false;
  }
}

// ---- filter -----------------------------------------------------------------------------------

class TokenFilter {
 public:
  TokenFilter(const std::vector<Word>& raw, std::string_view text, bool in_text)
      : raw_(raw), text_(text), in_text_(in_text), imports_units_(in_text) {
    out_.reserve(raw.size());
    find_units();
  }

  std::vector<Word> run() {
    while (at_ < raw_.size()) {
      if (raw_[at_].type == P::NL)
        newline();
      else if (raw_[at_].type == P::RBRACE)
        closing_brace();
      else if (!joined())
        word();
    }
    return std::move(out_);
  }

 private:
  // -- token access
  std::size_t raw_type(std::size_t i) const { return i < raw_.size() ? raw_[i].type : static_cast<std::size_t>(P::NL); }
  std::string_view raw_text(std::size_t i) const {
    return i < raw_.size() ? text_.substr(raw_[i].begin, raw_[i].end - raw_[i].begin) : std::string_view{};
  }
  bool raw_word(std::size_t i) const { return i < raw_.size() && is_word(raw_[i].type); }
  bool touches_next(std::size_t i) const { return i + 1 < raw_.size() && raw_[i].end == raw_[i + 1].begin; }
  std::size_t previous(std::size_t back = 1) const {
    return back > out_.size() ? static_cast<std::size_t>(P::NL) : out_[out_.size() - back].type;
  }
  bool in_brackets() const { return !open_.empty() && open_.back() != P::LBRACE; }
  std::size_t skip_newlines(std::size_t i) const {
    while (i < raw_.size() && raw_[i].type == P::NL) ++i;
    return i;
  }
  bool capital(std::string_view text) const { return !text.empty() && text[0] >= 'A' && text[0] <= 'Z'; }

  // -- output
  void push(std::size_t type, std::uint32_t begin, std::uint32_t end, bool at_margin = false) {
    if ((type == P::ID || type == P::NUM) && names_a_card(begin)) out_.push_back({P::K_OF, begin, begin, false});
    if (type == P::K_SCENARIO || type == P::K_SCENE) scenario_depth_ = open_.size();
    if (type == P::K_POLICY) policy_depth_ = open_.size();
    if (type == P::RBRACE && policy_depth_ != kNone && open_.size() <= policy_depth_ + 1) policy_depth_ = kNone;
    if (type == P::RBRACE && scenario_depth_ != kNone && open_.size() <= scenario_depth_ + 1) scenario_depth_ = kNone;
    out_.push_back({type, begin, end, at_margin});
    switch (type) {
      case P::LBRACE:
      case P::LPAREN:
      case P::LBRACKET: open_.push_back(type); break;
      case P::RBRACE: close_up_to_brace(); [[fallthrough]];
      case P::RPAREN:
      case P::RBRACKET:
        if (!open_.empty()) open_.pop_back();
        break;
      default: break;
    }
    if (type == P::K_ASK) in_ask_ = true;
    if (type == P::K_MEASURE) in_measure_ = true;
    if (type == P::K_ACTION || type == P::K_PLAY || type == P::K_DECK) in_header_ = true;
    if (type == P::NL || type == P::SEMI || type == P::LBRACE) in_header_ = in_measure_ = false;
    if (type == P::K_FOR) for_depth_ = open_.size();
    if (type == P::K_EACH) each_depth_ = open_.size();
    if (type == P::NL || type == P::SEMI || type == P::LBRACE || type == P::RBRACE)
      in_ask_ = false, for_depth_ = each_depth_ = kNone;
    if (for_depth_ != kNone && open_.size() < for_depth_) for_depth_ = kNone;
  }
  // In scenarios, `red five` is short for `red of five`, which describes a card by two attributes. Returns whether the
  // `of` must be inserted here, where a card is expected.
  bool names_a_card(std::uint32_t begin) const {
    if (scenario_depth_ == kNone || open_.size() <= scenario_depth_ || previous() != P::ID) return false;
    if (text_.substr(out_.back().end, begin - out_.back().end).find_first_not_of(' ') != std::string_view::npos)
      return false;
    switch (previous(2)) {
      case P::LBRACKET:
      case P::COMMA:
      case P::COMMA_THEN:
      case P::K_PLAYS:
      case P::K_IS:
      case P::IS_NOT:
      case P::K_ON:
      case P::K_CHOOSES:
      case P::K_ARRANGES:
      case P::K_CHOOSE:
      case P::EQUAL:
      case P::UNEQUAL:
      case P::ASSIGN: return true;
      case P::K_WITH: return previous(3) != P::K_BEGINS;
      case P::ID: return previous(3) == P::K_MAY || previous(3) == P::CANT || previous(3) == P::K_DOES;
      default: return false;
    }
  }
  // An unclosed `(` ends at the end of its block or at a declaration in the first column, because newlines inside
  // brackets are dropped. parse.cpp reports the missing bracket.
  void close_up_to_brace() {
    while (!open_.empty() && open_.back() != P::LBRACE) open_.pop_back();
  }
  void push_newline(std::uint32_t at) {
    const std::size_t p = previous();
    if (!out_.empty() && p != P::NL && p != P::SEMI && p != P::LBRACE) push(P::NL, at, at);
  }

  // -- newlines
  bool continues_at(std::size_t i) const {
    const std::size_t type = raw_type(i);
    if (!continues_line(type)) return false;
    if (type == P::K_IN && raw_text(i + 1) == "force") return false;
    if (!is_soft_word(type)) return true;
    switch (raw_type(i + 1)) {   // `to` may be the name of a variable
      case P::ASSIGN:
      case P::ADD_TO:
      case P::TAKE_FROM:
      case P::DOT:
      case P::COLON: return false;
      case P::LPAREN: return !touches_next(i);
      default: return true;
    }
  }
  void newline() {
    const Word& here = raw_[at_];
    at_ = skip_newlines(at_);
    if (at_ < raw_.size() && raw_[at_].at_margin && begins_declaration(raw_[at_].type)) close_up_to_brace();
    if (in_brackets()) return;
    const bool is_predicate_in = previous() == P::K_IN && (previous(2) == P::K_IS || previous(2) == P::K_ARE);
    if (needs_continuation(previous()) || (previous() == P::K_IN && !is_predicate_in)) return;
    if (at_ < raw_.size() && continues_at(at_)) return;
    push_newline(here.begin);
  }
  // Emits a newline before and after the `}` of a block, so that every statement ends with a newline, as the grammar
  // requires.
  void closing_brace() {
    const Word& here = raw_[at_];
    push_newline(here.begin);
    push(P::RBRACE, here.begin, here.end, here.at_margin);
    const std::size_t next = skip_newlines(at_ + 1);
    const bool same_line = next == at_ + 1;
    ++at_;
    if (next < raw_.size() && continues_after_brace(next, same_line))
      at_ = next;
    else
      push_newline(here.end);
  }
  bool continues_after_brace(std::size_t i, bool same_line) const {
    switch (raw_type(i)) {
      case P::RBRACE:
      case P::RPAREN:
      case P::RBRACKET:
      case P::SEMI: return true;
      case P::K_LATE:
      case P::K_WRONG: return raw_type(i + 1) == P::LBRACE || raw_type(i + 1) == P::K_OR;
      case P::K_TOTAL:
      case P::K_INTO:
      case P::STR: return same_line;
      default: return raw_type(i) != P::LBRACE && continues_at(i);
    }
  }

  // -- joins
  bool joined() {
    const std::size_t type = raw_type(at_);
    const bool name_like = type == P::ID;
    for (const Join& j : kJoins) {
      if (j.first != type || raw_text(at_ + 1) != j.second) continue;
      if (!j.third.empty() && raw_text(at_ + 2) != j.third) continue;
      if (name_like && raw_text(at_) != first_word_of(j.made)) continue;
      if (!joins_here(j)) continue;
      const std::size_t count = j.third.empty() ? 2 : 3;
      push(j.made, raw_[at_].begin, raw_[at_ + count - 1].end, raw_[at_].at_margin);
      at_ += count;
      return true;
    }
    return false;
  }
  bool joins_here(const Join& j) const {
    const std::size_t p = previous();
    const bool at_beginning = begins_a_statement_after(p) || p == P::STR;
    const std::size_t after = at_ + (j.third.empty() ? 2 : 3);
    if (p == P::DOT || raw_type(after) == P::COLON) return false;
    switch (j.made) {
      case P::OR_PASS: return in_ask_ && !in_brackets();
      case P::MAY_PASS: return in_ask_ && (p == P::COMMA || ends_an_operand(p));
      case P::EACH_OF:
      case P::ALL_OF: return p == P::K_ASK;
      case P::NOT_IN:
      case P::WITH_BEST:
      case P::DISJOINT_FROM: return ends_an_operand(p);
      case P::IS_ALSO: return raw_type(after) != P::NL && raw_word(after);
      case P::IS_VOID: return raw_text(after) == "with" || raw_text(after) == "when";
      case P::AT_RANDOM:
      case P::AT_ONCE:
        return raw_type(after) != P::K_OF && (ends_an_operand(p) || (j.made == P::AT_ONCE && p == P::K_THEN) ||
                                              p == P::K_CHOOSES || p == P::K_OR || p == P::K_FROM);
      case P::AT_LEAST:
      case P::AT_MOST:
      case P::UP_TO: return begins_value(after);
      case P::AT_FIRST: return raw_type(after) == P::COMMA && raw_text(after + 1) == "then";
      case P::BY_HAND: return in_header_ && p == P::COMMA && !in_brackets();
      case P::OF_QUIET: return raw_type(after) == P::LBRACE || raw_type(after) == P::STR;
      case P::LOG_HAS: return raw_type(after) == P::STR;
      case P::AT_END: return measures_here() && !in_brackets() && ends_a_measure(after);
      case P::NOBODY_CAN: return p == P::K_WHEN && previous(2) == P::K_STALEMATE;
      case P::INSTEAD_OF:
      case P::END_WHEN:
      case P::CHECK_END: return at_beginning;
      case P::TURN_OVER: return at_beginning && begins_value(after);
      case P::CARD_TYPE:
      case P::CHARACTER_TYPE: return at_beginning && raw_word(after);
      case P::LATEST_FIRST: return p == P::COMMA && !in_brackets();
      case P::STARTING_WITH:
      case P::ONCE_PER:
      case P::COMMA_THEN: return !in_brackets();
      default: return true;
    }
  }

  // -- single tokens
  void word() {
    const Word& here = raw_[at_];
    push(settled_type(), here.begin, here.end, here.at_margin);
    ++at_;
  }

  std::size_t settled_type() const {
    const std::size_t type = raw_[at_].type;
    const std::size_t next = raw_type(at_ + 1);
    if (type == P::COMMA && for_depth_ == open_.size() && raw_word(at_ + 1) && raw_type(at_ + 2) == P::K_IN)
      return P::FOR_ALSO;
    if (!is_word(type)) return type;
    if ((previous() == P::DOT || next == P::COLON) && !(positions()[type] & always)) return P::ID;
    if (type == P::K_ANY && in_header_ && previous() == P::COLON) return P::ANY_NUMBER;
    if (is_quantifier(type) && follows_quantified_name()) return P::SAID_OF;
    const bool cards = raw_text(at_) == "card" || raw_text(at_) == "cards";
    if (cards && next == P::K_FROM && (after_an_operand() || previous() == P::K_RANDOM)) return P::CARDS;
    if (type == P::ID) return settled_name();
    if (type == P::K_WITHIN && in_ask_ && begins_time(at_ + 1)) return P::WITHIN_TIME;
    if (type == P::K_OR && joins_kinds()) return P::OR_KIND;
    if (type == P::K_AT && after_an_operand() && !names_a_position()) return P::AT_CELL;
    if (type == P::K_ANY && previous() == P::COLON) return P::ANY_NUMBER;
    if (is_keyword_here() || promoted_by_neighbors()) return type;
    return P::ID;
  }

  static bool is_quantifier(std::size_t type) { return type == P::K_ANY || type == P::K_EVERY || type == P::K_NO; }
  // Returns true for `every card in z is Food`, a quantifier without `has`. Returns false for `every card in z where …
  // has …`.
  bool follows_quantified_name() const {
    if (!raw_word(at_ + 1) || raw_type(at_ + 2) != P::K_IN) return false;
    int depth = 0, wanted = 1;
    bool is = false;
    constexpr std::size_t kFar = 2000;
    for (std::size_t i = at_ + 3; i < raw_.size() && i < at_ + kFar; ++i) {
      switch (raw_type(i)) {
        case P::LPAREN:
        case P::LBRACKET: ++depth; break;
        case P::RPAREN:
        case P::RBRACKET:
          if (--depth < 0) return is;
          break;
        case P::NL:
          if (depth == 0 && !needs_continuation(raw_type(i - 1)) && !continues_at(skip_newlines(i))) return is;
          break;
        case P::SEMI:
        case P::LBRACE:
        case P::RBRACE:
        case P::K_THEN:
          if (depth == 0) return is;
          break;
        case P::K_HAS:
          if (depth == 0 && --wanted == 0) return false;
          break;
        case P::K_IS: is = is || depth == 0; break;
        default:
          if (depth == 0 && is_quantifier(raw_type(i)) && raw_type(i + 2) == P::K_IN) ++wanted;
      }
    }
    return is;
  }

  std::size_t settled_name() const {
    const std::string_view text = raw_text(at_);
    if (is_code(text) && allows_warnings()) return P::CODE;
    if ((text == "a" || text == "an") && raw_word(at_ + 1) && capital(raw_text(at_ + 1))) return P::ARTICLE;
    if (is_unit(text) && (previous() == P::NUM || previous() == P::DECIMAL)) return P::UNIT;
    if (text == "secret" && in_header_ && previous() == P::COMMA && !in_brackets()) return P::SECRET;
    return names_unit(text) ? P::UNIT : P::ID;
  }
  // Returns whether the string is a diagnostic code such as `W0010`.
  static bool is_code(std::string_view text) {
    return text.size() == 5 && (text[0] == 'W' || text[0] == 'E') &&
           text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }
  bool allows_warnings() const {
    const std::size_t p = previous();
    return p == P::K_ALLOW || (p == P::COMMA && previous(2) == P::CODE);
  }
  // Returns whether a name directly after a number is a unit. A name is not a unit in positions where any name can
  // follow a number: `2 players in`, `for 3 players`, `starts with 2 Coin`. Units that another file declares are not
  // known here.
  bool names_unit(std::string_view text) const {
    if (at_ == 0 || (raw_type(at_ - 1) != P::NUM && raw_type(at_ - 1) != P::DECIMAL) || previous() != raw_type(at_ - 1))
      return false;
    if (raw_type(at_ - 1) == P::DECIMAL) return true;
    const std::size_t next = raw_type(at_ + 1), before = previous(2);
    const bool counts = before == P::COLON || before == P::K_EXACTLY || before == P::UP_TO;   // `cs: 2 cards in S`
    if (next == P::K_IN) return !counts && own_units_.contains(text);
    if (next == P::K_FROM || before == P::K_FOR || before == P::K_WITH || before == P::K_COVERS) return false;
    return own_units_.contains(text) || (imports_units_ && next != P::NUM && next != P::K_X && next != P::LPAREN);
  }
  void find_units() {
    for (std::size_t i = 0; i + 2 < raw_.size(); ++i) {
      if (raw_type(i) == P::K_UNIT && raw_type(i + 1) == P::ID && raw_type(i + 2) == P::ASSIGN)
        own_units_.insert(raw_text(i + 1));
      if (raw_type(i) == P::K_EXTENDS || (raw_type(i) == P::K_USE && raw_[i].at_margin)) imports_units_ = true;
    }
  }
  static bool is_unit(std::string_view text) { return text == "ms" || text == "s" || text == "min"; }
  bool begins_time(std::size_t i) const { return raw_type(i) == P::NUM && is_unit(raw_text(i + 1)); }

  // Returns whether `at` introduces the index variable of a loop, as in `each x in S at i {`, rather than a cell.
  bool names_a_position() const {
    if (each_depth_ != open_.size() || !raw_word(at_ + 1)) return false;
    const std::size_t then = raw_type(skip_newlines(at_ + 2));
    return then == P::LBRACE || then == P::K_FROM || then == P::K_AT;
  }

  // Returns true for `is Classmate or Sibling`, but not for `is Classmate or Sibling.x == 1`.
  bool joins_kinds() const {
    if (previous() != P::ID || !capital(last_text()) || !capital(raw_text(at_ + 1))) return false;
    const std::size_t before = previous(2);
    if (before != P::K_IS && before != P::IS_NOT && before != P::OR_KIND) return false;
    switch (raw_type(at_ + 2)) {
      case P::DOT:
      case P::LPAREN:
      case P::LBRACKET:
      case P::K_IS:
      case P::K_IN:
      case P::EQUAL:
      case P::UNEQUAL:
      case P::LESS:
      case P::GREATER:
      case P::LESS_EQUAL:
      case P::GREATER_EQUAL: return false;
      default: return true;
    }
  }
  std::string_view last_text() const { return text_.substr(out_.back().begin, out_.back().end - out_.back().begin); }

  bool after_an_operand() const {
    const std::size_t p = previous();
    return ends_an_operand(p) || (p == P::K_EACH && previous(2) == P::K_OF) ||
           (p == P::K_IN && (previous(2) == P::K_IS || previous(2) == P::K_ARE));
  }

  bool is_keyword_here() const {
    const unsigned where = positions()[raw_[at_].type];
    const std::size_t p = previous();
    if (where & always) return true;
    if (raw_[at_].type == P::K_X && previous(2) == P::K_REMOVE) return false;   // `remove action x`
    const bool operand_before = after_an_operand();
    const bool beginning =
        (begins_a_statement_after(p) || p == P::STR) && !in_brackets() && !(in_text_ && out_.empty());
    if ((where & at_start) && beginning && fits_start()) return true;
    if ((where & after_operand) && operand_before) return true;
    if (operand_before && p != P::STR) return false;
    if ((where & of_next) && raw_type(at_ + 1) == P::K_OF) return true;
    if ((where & name_next) && begins_name(at_ + 1)) return true;
    return (where & value_next) && raw_type(at_ + 1) != P::K_NOT && begins_value(at_ + 1);   // `top not in S`
  }

  // Returns whether a keyword such as `after` begins the trigger of a measure. In `measure x: sum e after f(…)`, it
  // does, because it follows the measured expression.
  bool measures_here() const {
    return in_measure_ && (after_an_operand() || (previous() == P::K_COUNT && previous(2) == P::COLON));
  }
  bool ends_a_measure(std::size_t i) const {
    return raw_type(i) == P::NL || raw_type(i) == P::SEMI || raw_type(i) == P::RBRACE || raw_type(i) == P::K_WHEN;
  }

  // Returns whether the token can be a name. A word before another word cannot be one, unless the second word is an
  // infix keyword.
  bool begins_name(std::size_t i) const {
    if (!raw_word(i)) return false;
    const std::size_t type = raw_type(i);
    if (type == P::ID) return true;
    const unsigned where = positions()[type];
    if (where & always) return false;
    if (!(where & after_operand)) return true;
    switch (raw_type(i + 1)) {   // `no from in S`, `up to total until`: the infix keyword is a name here
      case P::ID:
      case P::NUM:
      case P::DECIMAL:
      case P::STR:
      case P::LBRACKET:
      case P::K_NOT:
      case P::K_NONE:
      case P::K_IF: return false;
      case P::LPAREN: return touches_next(i);
      default: return !raw_word(i + 1) || (positions()[raw_type(i + 1)] & (always | after_operand));
    }
  }
  bool begins_value(std::size_t i) const {
    switch (raw_type(i)) {
      case P::NUM:
      case P::DECIMAL:
      case P::K_IF:
      case P::K_NOT:
      case P::K_NONE:
      case P::K_TRUE:
      case P::K_FALSE:
      case P::K_UNLIMITED: return true;
      case P::LPAREN:
      case P::LBRACKET: return i > 0 && !touches_next(i - 1);
      case P::MINUS: return i > 0 && !touches_next(i - 1) && touches_next(i);   // `at least -5`, but `top - 5`
      default: return begins_name(i);
    }
  }

  // Returns whether a word at the start of a statement is a keyword. The next token determines this: in `move = 3`,
  // `players.towels` and `table(x)`, the word is a name.
  bool fits_start() const {
    const std::size_t type = raw_[at_].type;
    const std::size_t next = raw_type(at_ + 1);
    if (type == P::K_ENDING && !raw_word(at_ + 1)) return false;   // `ending` may be the name of a variable: `ending 3`
    switch (next) {
      case P::ASSIGN:
      case P::ADD_TO:
      case P::TAKE_FROM:
      case P::DOT:
      case P::COLON:
      case P::EQUAL:
      case P::UNEQUAL: return false;
      case P::LPAREN:
      case P::LBRACKET: return !touches_next(at_) || type == P::K_RETURN;
      case P::MINUS:
      case P::PLUS:
        return type == P::K_RETURN || type == P::K_YIELD || type == P::K_WINNERS || type == P::K_FACES ||
               (takes_expression(type) && begins_value(at_ + 1));
      case P::K_IN: return type == P::K_PLAY || type == P::K_WHILE;
      case P::K_WHEN: return type == P::K_WARN || type == P::K_STALEMATE;
      case P::K_OR: return type == P::K_LATE || type == P::K_WRONG;
      case P::K_OF: return type == P::K_CARD;
      case P::K_IS:
      case P::K_AND:
      case P::K_WHERE:
      case P::K_THEN:
      case P::K_ELSE: {
        // `let where = 3` and `event and()` are invalid, but treating the word as a keyword results in a better
        // message.
        const std::size_t then = raw_type(at_ + 2);
        return then == P::ASSIGN || then == P::LBRACE || (then == P::LPAREN && touches_next(at_ + 1));
      }
      case P::K_HAS: return type != P::K_LOG;
      case P::NL:
      case P::SEMI:
      case P::RBRACE: return type == P::K_RETURN || is_margin_only(type);
      case P::LBRACE:
      case P::STR:
      case P::NUM:
      case P::DECIMAL: return true;
      default: return raw_word(at_ + 1) || type == P::K_RETURN;
    }
  }
  // Returns whether an expression follows this keyword. A minus after the keyword is then a sign rather than a
  // subtraction, as in `whenever -1 > x`.
  static bool takes_expression(std::size_t type) {
    return type == P::K_WHENEVER || type == P::K_REPEAT || type == P::K_WITH || type == P::K_WITHOUT ||
           type == P::K_REQUIRE;
  }
  // An incomplete line is always an error, but treating its first word as a keyword results in a better message.
  bool is_margin_only(std::size_t type) const {
    return type == P::K_MOVE || type == P::K_ASK || type == P::K_CHOOSE || type == P::K_DEAL;
  }

  // Returns whether the token can follow `policy NAME`.
  bool heads_policy(std::size_t i) const {
    const std::size_t type = raw_type(i);
    return type == P::LBRACE || type == P::STR || type == P::K_FOR || raw_type(skip_newlines(i)) == P::LBRACE;
  }

  bool promoted_by_neighbors() const {
    const std::size_t type = raw_[at_].type, p = previous(), next = raw_type(at_ + 1);
    const bool after_comma = p == P::COMMA && in_header_ && !in_brackets();
    switch (type) {
      case P::K_AGAIN: return in_ask_ && (p == P::COMMA || after_an_operand());
      case P::K_OTHERWISE: return in_ask_;
      case P::K_BUT: return p == P::K_ALL;
      case P::K_UNTIL: return (p == P::K_TURNS || p == P::K_ROUNDS) && next != P::LBRACE;
      case P::K_TO: return p == P::K_PLAYS;
      // For example, `{ red, with big { mauve } }`.
      case P::K_WITH:
        return p == P::IS_VOID || p == P::K_BEGINS || p == P::K_GRID || p == P::K_HEX ||
               (p == P::COMMA && !in_brackets() && raw_word(at_ + 1));
      case P::K_WITHOUT: return p == P::COMMA && !in_brackets() && raw_word(at_ + 1);
      case P::K_CONFLICT:
      case P::K_REQUIRE:
      case P::K_WARN: return p == P::K_REMOVE;
      case P::K_FREE:
      case P::K_MUST:
        return after_comma && (next == P::K_WHEN || next == P::LBRACE || next == P::COMMA || next == P::STR ||
                               next == P::NL || next == P::K_IF);
      case P::K_TAKES: return after_comma;
      case P::K_SENSIBLE: return after_comma && next == P::K_IF;
      case P::K_BUSY: return p == P::COMMA_THEN && in_header_;
      case P::K_ORDERS: return after_an_operand() && next == P::K_REPLACEMENTS;
      case P::K_REPLACEMENTS: return p == P::K_ORDERS;
      case P::K_NESTED: return p == P::K_REPLACEMENTS;
      case P::K_SPREAD: return after_an_operand() && begins_value(at_ + 1);
      case P::K_WITHIN: return p == P::K_TOGETHER;
      case P::K_AT: return (p == P::K_WHEN || p == P::K_AND || p == P::COMMA) && begins_time(at_ + 1);
      case P::K_ON: return (p == P::K_IS || p == P::IS_NOT || p == P::K_WHILE) && begins_name(at_ + 1);
      case P::K_OFF: return (p == P::K_IS || p == P::IS_NOT || after_an_operand()) && begins_name(at_ + 1);
      case P::K_PASS: return p == P::UNIT;
      case P::K_GRID:
      case P::K_HEX: return p == P::COLON && (previous(3) == P::K_BOARD || previous(3) == P::K_ON);
      case P::K_ONE: return (p == P::K_CHOOSE || p == P::K_CHOOSES) && (next == P::STR || next == P::LBRACE);
      case P::K_RULE: return (p == P::COLON || p == P::ARROW) && next == P::LPAREN;
      case P::K_MAY: return next == P::STR || (raw_word(at_ + 1) && !(positions()[next] & always));
      case P::K_CHOOSE: return p == P::K_MAY;
      case P::K_VAR: return p == P::K_TURN || p == P::K_ROUND || p == P::K_PHASE;
      case P::K_PHASE:
        return (p == P::K_BEFORE || p == P::K_AFTER || p == P::INSTEAD_OF || p == P::K_END) && raw_word(at_ + 1);
      case P::K_PLAY:
        return (p == P::K_BEFORE || p == P::K_AFTER || p == P::INSTEAD_OF ||
                (in_measure_ && (p == P::K_LATE || p == P::K_WRONG))) &&
               next == P::ID;
      case P::K_COUNT:
      case P::K_SUM:
      case P::K_MEAN:
      case P::K_SHARE: return in_measure_ && p == P::COLON && !in_brackets();
      case P::K_BEFORE:
      case P::K_AFTER: return measures_here() && !in_brackets() && raw_word(at_ + 1);
      case P::K_AS:
      case P::K_BY: return after_comma && raw_word(at_ + 1) && raw_type(at_ + 2) != P::DOT;
      case P::K_RANDOM: return after_an_operand() && (raw_text(at_ + 1) == "card" || raw_text(at_ + 1) == "cards");
      case P::K_LATE:
      case P::K_WRONG:
        return (p == P::K_OR && next == P::LBRACE) || (measures_here() && !in_brackets() && raw_word(at_ + 1));
      case P::K_POLICY:
        return begins_a_statement_after(p) && !in_brackets() && raw_word(at_ + 1) && heads_policy(at_ + 2);
      // Outside policies, these words are names of attributes and variables.
      case P::K_AVOID:
      case P::K_WEIGHT:
        return policy_depth_ != kNone && begins_a_statement_after(p) && !in_brackets() && raw_word(at_ + 1);
      default: return false;
    }
  }

  const std::vector<Word>& raw_;
  std::string_view text_;
  std::vector<Word> out_;
  std::vector<std::size_t> open_;
  std::size_t at_ = 0;
  const bool in_text_;   // the tokens are an expression in the braces of a string
  std::set<std::string_view> own_units_;   // units declared in this file
  bool imports_units_ = false;   // another file may declare more units
  bool in_ask_ = false;   // inside an `ask` statement
  bool in_measure_ = false;   // inside a `measure`
  bool in_header_ = false;   // between `action`, `play` or `deck` and its `{`
  std::size_t scenario_depth_ = kNone;   // number of open brackets around the current scenario or scene
  std::size_t policy_depth_ = kNone;   // number of open brackets around the current policy
  std::size_t for_depth_ = kNone;   // number of open brackets at the last `for` of this statement, or kNone
  std::size_t each_depth_ = kNone;   // number of open brackets at the last `each` of this statement, or kNone
  static constexpr std::size_t kNone = ~std::size_t{0};
};

// Returns the byte offset of every code point and of the end. For ASCII text, returns an empty list, because code point
// offsets equal byte offsets.
std::vector<std::uint32_t> byte_offsets(std::string_view text) {
  std::vector<std::uint32_t> offsets;
  bool ascii = true;
  for (char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  if (ascii) return offsets;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) offsets.push_back(static_cast<std::uint32_t>(i));
  offsets.push_back(static_cast<std::uint32_t>(text.size()));
  return offsets;
}

}   // namespace

bool is_word(std::size_t type) { return type == P::ID || (type < kTypes && keywords()[type]); }

bool begins_declaration(std::size_t type) {
  switch (type) {
    case P::K_GAME:
    case P::K_OPTION:
    case P::K_VARIANT:
    case P::K_ENUM:
    case P::K_CARD:
    case P::CARD_TYPE:
    case P::K_CHARACTER:
    case P::CHARACTER_TYPE:
    case P::K_DECK:
    case P::K_RECORD:
    case P::K_PLAYER:
    case P::K_TABLE:
    case P::K_TEAM:
    case P::K_TEAMS:
    case P::K_AREA:
    case P::K_PIECE:
    case P::K_DIE:
    case P::K_VALUE:
    case P::K_KEPT:
    case P::K_FUNCTION:
    case P::K_SEQUENCE:
    case P::K_EVENT:
    case P::K_WINDOW:
    case P::K_ACTION:
    case P::K_SETUP:
    case P::END_WHEN:
    case P::K_ENDING:
    case P::K_SCENE:
    case P::K_SCENARIO:
    case P::K_REMOVE:
    case P::K_REPLACE:
    case P::K_LIBRARY:
    case P::K_MEASURE:
    case P::K_POLICY: return true;
    default: return false;
  }
}

bool is_soft_word(std::size_t type) { return type < kTypes && keywords()[type] && !(positions()[type] & always); }

std::string_view spelling(std::size_t type) {
  static const std::vector<std::string> literals = [] {
    std::vector<std::string> all;
    const antlr4::dfa::Vocabulary& vocabulary = grammar::RulesLexer(nullptr).getVocabulary();
    for (std::size_t t = 0; t < kTypes; ++t) {
      std::string literal = vocabulary.getLiteralName(t);
      all.push_back(literal.size() > 2 ? literal.substr(1, literal.size() - 2) : std::string());
    }
    for (const Join& j : kJoins) {
      const std::string first = j.first == P::ID ? std::string(first_word_of(j.made)) : all[j.first];
      all[j.made] = first + " " + std::string(j.second) + (j.third.empty() ? "" : " " + std::string(j.third));
    }
    return all;
  }();
  if (type < literals.size()) return literals[type];
  return {};
}

std::vector<Word> lex(std::string_view text) {
  const std::uint32_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;   // skip the byte order mark
  text.remove_prefix(start);
  antlr4::ANTLRInputStream input;
  input.load(std::string(text));
  grammar::RulesLexer lexer(&input);
  lexer.removeErrorListeners();
  const std::vector<std::uint32_t> offsets = byte_offsets(text);
  const auto byte = [&](std::size_t i) {
    return start + (offsets.empty() ? static_cast<std::uint32_t>(i) : offsets.at(std::min(i, offsets.size() - 1)));
  };
  std::vector<Word> words;
  words.reserve(text.size() / 4);
  for (;;) {
    const std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    if (token->getType() == antlr4::Token::EOF) return words;
    words.push_back({token->getType(), byte(token->getStartIndex()), byte(token->getStopIndex() + 1),
                     token->getCharPositionInLine() == 0});
  }
}

std::vector<Word> settle(const std::vector<Word>& raw, std::string_view text, bool in_text) {
  return TokenFilter(raw, text, in_text).run();
}

std::unique_ptr<antlr4::Token> WordSource::nextToken() {
  const bool over = next_ == last_;
  const std::size_t type = over ? antlr4::Token::EOF : next_->type;
  auto token = std::make_unique<antlr4::CommonToken>(
      std::pair<antlr4::TokenSource*, antlr4::CharStream*>{this, nullptr}, type, antlr4::Token::DEFAULT_CHANNEL,
      over ? end_offset_ : next_->begin, over ? end_offset_ : next_->end);
  if (!over) ++next_;
  return token;
}

namespace {

// Returns true if the comment begins with a number that is followed by an operator or by nothing: `n // 2`, `(n // 2) +
// 1`, `n // 2 == 1`.
bool reads_like_a_divisor(std::string_view comment) {
  std::size_t at = comment.starts_with(' ') ? 1 : 0;
  const std::size_t digits = at;
  while (at < comment.size() && comment[at] >= '0' && comment[at] <= '9') ++at;
  if (at == digits) return false;
  while (at < comment.size() && comment[at] == ' ') ++at;
  return at == comment.size() || std::string_view(")]}+*/<>=").find(comment[at]) != std::string_view::npos;
}

}   // namespace

std::vector<Comment> comments_of(const std::vector<Word>& raw, std::string_view text) {
  std::vector<Comment> out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::size_t begin = raw[i].end, end = i + 1 < raw.size() ? raw[i + 1].begin : text.size();
    std::string_view gap = text.substr(begin, end - begin);
    const std::size_t slashes = gap.find("//");
    if (slashes == std::string_view::npos) continue;
    const std::size_t line = std::min(gap.find_first_of("\r\n", slashes), gap.size());
    const std::string_view comment = gap.substr(slashes + 2, line - slashes - 2);
    const std::size_t type = raw[i].type;
    const bool behind =
        slashes <= 1 && (type == P::ID || type == P::NUM || type == P::RPAREN || type == P::RBRACKET || is_word(type));
    out.push_back({static_cast<std::uint32_t>(begin + slashes), static_cast<std::uint32_t>(begin + line),
                   behind && reads_like_a_divisor(comment)});
  }
  return out;
}

}   // namespace cardwright::parse
