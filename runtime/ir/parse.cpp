// Parses IR text line by line. It checks only syntax; verify.cpp checks the module.
#include <charconv>

#include <fmt/format.h>

#include "runtime/ir/parse.h"
#include "runtime/ir/print.h"
#include "runtime/ir/shape.h"

namespace cardwright::ir {

namespace {

struct Wrong {
  std::string message;
};

// The tokens of one line.
class Line {
 public:
  explicit Line(std::string_view text) : rest_(text) { skip(); }

  bool empty() const { return rest_.empty(); }
  bool accept(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    const bool word = std::isalnum(static_cast<unsigned char>(token.back()));
    if (word && rest_.size() > token.size() && is_word(rest_[token.size()])) return false;
    rest_.remove_prefix(token.size());
    skip();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) throw Wrong{fmt::format("expected `{}` before `{}`", token, rest_)};
  }
  void end() const {
    if (!empty()) throw Wrong{fmt::format("unexpected `{}`", rest_)};
  }
  std::string_view word() {
    std::size_t n = 0;
    while (n < rest_.size() && is_word(rest_[n])) ++n;
    if (n == 0) throw Wrong{fmt::format("expected a word before `{}`", rest_)};
    return take(n);
  }
  std::int64_t number() {
    if (accept("none")) return INT64_MIN;
    const bool hex = rest_.starts_with("0x");
    if (hex) rest_.remove_prefix(2);
    std::int64_t value = 0;
    std::uint64_t bits = 0;
    const char* end = rest_.data() + rest_.size();
    const auto [at, error] =
        hex ? std::from_chars(rest_.data(), end, bits, 16) : std::from_chars(rest_.data(), end, value);
    if (error != std::errc{}) throw Wrong{fmt::format("expected a number before `{}`", rest_)};
    take(static_cast<std::size_t>(at - rest_.data()));
    return hex ? static_cast<std::int64_t>(bits) : value;
  }
  // Parses a letter and an index: r3, b0, f12.
  std::int64_t index(char letter) {
    if (rest_.empty() || rest_[0] != letter)
      throw Wrong{fmt::format("expected `{}` and a number before `{}`", letter, rest_)};
    rest_.remove_prefix(1);
    const std::int64_t value = number();
    if (value < 0 || value > INT32_MAX) throw Wrong{fmt::format("invalid index `{}{}`", letter, value)};
    return value;
  }
  bool is_index(char letter) const {
    return rest_.size() > 1 && rest_[0] == letter && std::isdigit(static_cast<unsigned char>(rest_[1]));
  }
  std::string quoted() {
    if (rest_.empty() || rest_[0] != '"') throw Wrong{fmt::format("expected a string before `{}`", rest_)};
    std::string out;
    std::size_t i = 1;
    for (; i < rest_.size() && rest_[i] != '"'; ++i) {
      if (rest_[i] == '\\' && i + 1 < rest_.size())
        out += rest_[++i] == 'n' ? '\n' : rest_[i];
      else
        out += rest_[i];
    }
    if (i >= rest_.size()) throw Wrong{"unterminated string"};
    take(i + 1);
    return out;
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  void skip() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  std::string_view take(std::size_t n) {
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    skip();
    return taken;
  }
  std::string_view rest_;
};

class Parser {
 public:
  Module module;

  void read(std::string_view text) {
    Line line(text);
    if (line.empty() || line.accept("//")) return;
    if (function_) return in_function(line);
    if (line.accept("set")) return read_set(line);
    if (line.accept("table")) return read_table(line);
    if (line.accept("text")) {
      module.texts.push_back(line.quoted());
      return line.end();
    }
    if (line.accept("function")) return begin_function(line);
    throw Wrong{"expected `set`, `table`, `text` or `function`"};
  }
  bool inside() const { return function_ != nullptr; }

 private:
  void in_order(std::int64_t index, std::size_t count) {
    if (index != static_cast<std::int64_t>(count))
      throw Wrong{fmt::format("expected number {}, found {}", count, index)};
  }
  void read_set(Line& line) {
    in_order(line.index('c'), module.sets.size());
    line.expect("=");
    auto& set = module.sets.emplace_back();
    while (!line.empty()) {
      set.push_back(static_cast<std::uint64_t>(line.number()));
      if (!line.accept(",")) break;
    }
    line.end();
  }
  void read_table(Line& line) {
    in_order(line.index('t'), module.tables.size());
    line.expect("=");
    auto& table = module.tables.emplace_back();
    while (!line.empty()) {
      table.push_back(line.number());
      if (!line.accept(",")) break;
    }
    line.end();
  }
  void begin_function(Line& line) {
    in_order(line.index('f'), module.functions.size());
    function_ = &module.functions.emplace_back();
    function_->name = line.quoted();
    line.expect("(");
    while (!line.accept(")")) {
      function_->parameters.push_back(static_cast<Register>(line.index('r')));
      line.accept(",");
    }
    if (line.accept("->"))
      function_->returns = line.accept("set") ? Returns::set : (line.expect("int"), Returns::integer);
    function_->suspends = line.accept("suspends");
    function_->shown = !line.accept("hidden");
    line.expect("{");
    line.end();
  }
  void in_function(Line& line) {
    if (line.accept("}")) {
      function_ = nullptr;
      return line.end();
    }
    if (line.is_index('b')) {
      in_order(line.index('b'), function_->blocks.size());
      Block& block = function_->blocks.emplace_back();
      if (line.accept("of")) block.of = static_cast<FunctionIndex>(line.index('f'));
      line.expect(":");
      return line.end();
    }
    if (function_->blocks.empty()) return read_register(line);
    read_instruction(line);
  }
  void read_register(Line& line) {
    in_order(line.index('r'), function_->registers.size());
    RegisterType& type = function_->registers.emplace_back();
    std::string_view word = line.word();
    for (const auto& [name, kind] : {std::pair{std::string_view("int"), RegisterKind::integer},
                                     {"set", RegisterKind::set},
                                     {"array", RegisterKind::array}})
      if (word.starts_with(name)) {
        type.kind = kind;
        word.remove_prefix(name.size());
        if (!word.empty()) type.bytes = static_cast<std::uint8_t>(Line(word).number());
        if (kind == RegisterKind::array) type.length = static_cast<std::uint32_t>(line.number());
        if (line.accept("length")) type.length = static_cast<std::uint32_t>(line.number());
        if (line.accept("each")) type.each = static_cast<std::uint32_t>(line.number());
        type.holds_sets = line.accept("sets");
        type.holds_card = line.accept("card");
        type.site_local = line.accept("local");
        return line.end();
      }
    throw Wrong{fmt::format("unknown type `{}`; expected int, set or array", word)};
  }
  void read_instruction(Line& line) {
    Instruction instruction{};
    if (line.is_index('r')) {
      instruction.result = static_cast<Register>(line.index('r'));
      line.expect("=");
    }
    const std::string_view name = line.word();
    const auto op = find_op(name);
    if (!op) throw Wrong{fmt::format("unknown operation `{}`", name)};
    instruction.op = *op;
    const std::string_view letters = shape_of(*op).operands();
    for (std::size_t i = 0; !line.empty(); ++i) {
      if (i > 0) line.expect(",");
      if (*op == Op::switch_ && i >= 2) {
        instruction.operands.push_back(line.number());
        line.expect(":");
        instruction.operands.push_back(line.index('b'));
        continue;
      }
      if (i >= letters.size() && (letters.empty() || letters.back() != 'R'))
        throw Wrong{fmt::format("too many operands for `{}`", name)};
      instruction.operands.push_back(read_operand(line, i < letters.size() ? letters[i] : 'R'));
    }
    function_->blocks.back().code.push_back(std::move(instruction));
  }
  static std::int64_t read_operand(Line& line, char letter) {
    switch (letter) {
      case 'i':
      case 's':
      case 'a':
      case 'R': return line.index('r');
      case 'V': return line.index('v');
      case 'Z': return line.index('z');
      case 'C': return line.index('c');
      case 'T': return line.index('t');
      case 'F': return line.index('f');
      case 'B': return line.index('b');
      default: return line.number();
    }
  }

  Function* function_ = nullptr;
};

}   // namespace

std::optional<Module> parse(std::string_view text, ParseError& error) {
  Parser parser;
  std::uint32_t number = 0;
  try {
    while (!text.empty()) {
      ++number;
      const std::size_t end = text.find('\n');
      parser.read(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (parser.inside()) throw Wrong{"missing `}` at the end of a function"};
  } catch (const Wrong& wrong) {
    error = {number, wrong.message};
    return std::nullopt;
  }
  return std::move(parser.module);
}

}   // namespace cardwright::ir
