// Prints a module as IR text in the format of print.h; parse.cpp is the inverse.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runtime/ir/print.h"
#include "runtime/ir/shape.h"

namespace cardwright::ir {

namespace {

constexpr std::int64_t kPrintedNone = INT64_MIN;   // Layout's kNone, which ir/ does not include

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string number(std::int64_t value) { return value == kPrintedNone ? "none" : fmt::format("{}", value); }

std::string operand(char letter, std::int64_t value) {
  switch (letter) {
    case 'i':
    case 's':
    case 'a':
    case 'R': return fmt::format("r{}", value);
    case 'V': return fmt::format("v{}", value);
    case 'Z': return fmt::format("z{}", value);
    case 'C': return fmt::format("c{}", value);
    case 'T': return fmt::format("t{}", value);
    case 'F': return fmt::format("f{}", value);
    case 'B': return fmt::format("b{}", value);
    default: return number(value);
  }
}

std::string cases(const Instruction& instruction) {
  std::string out;
  for (std::size_t i = 2; i + 1 < instruction.operands.size(); i += 2)
    out += fmt::format(", {}: b{}", number(instruction.operands[i]), instruction.operands[i + 1]);
  return out;
}

std::string print_type(const RegisterType& type) {
  std::string out;
  switch (type.kind) {
    case RegisterKind::integer: out = type.bytes == 8 ? "int" : fmt::format("int{}", type.bytes); break;
    case RegisterKind::set: out = type.bytes == 8 ? "set" : fmt::format("set{}", type.bytes); break;
    case RegisterKind::array:
      out = (type.bytes == 8 ? "array " : fmt::format("array{} ", type.bytes)) + fmt::format("{}", type.length);
      break;
  }
  if (type.kind != RegisterKind::array && type.length != 0) out += fmt::format(" length {}", type.length);
  if (type.each != 1) out += fmt::format(" each {}", type.each);
  if (type.holds_sets) out += " sets";
  if (type.holds_card) out += " card";
  if (type.site_local) out += " local";
  return out;
}

}   // namespace

std::string_view op_name(Op op) {
  const std::string_view name = shape_of(op).name;
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

std::optional<Op> find_op(std::string_view printed) {
  for (std::size_t i = 0; i < kOpCount; ++i)
    if (op_name(static_cast<Op>(i)) == printed) return static_cast<Op>(i);
  return std::nullopt;
}

std::string print(const Instruction& instruction) {
  std::string out;
  if (instruction.result != kNoRegister) out = fmt::format("r{} = ", instruction.result);
  out += op_name(instruction.op);
  const std::string_view letters = shape_of(instruction.op).operands();
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (instruction.op == Op::switch_ && i >= 2) return out + cases(instruction);
    const char letter = i < letters.size() ? letters[i] : letters.empty() ? 'K' : letters.back();
    out += (i == 0 ? " " : ", ") + operand(letter, instruction.operands[i]);
  }
  return out;
}

std::string print(const Function& function, FunctionIndex index) {
  std::string out = fmt::format("function f{} {} (", index, quoted(function.name));
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    out += fmt::format("{}r{}", i == 0 ? "" : ", ", function.parameters[i]);
  out += ")";
  if (function.returns == Returns::integer) out += " -> int";
  if (function.returns == Returns::set) out += " -> set";
  if (function.suspends) out += " suspends";
  if (!function.shown) out += " hidden";
  out += " {\n";
  for (std::size_t r = 0; r < function.registers.size(); ++r)
    out += fmt::format("  r{} {}\n", r, print_type(function.registers[r]));
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    out += function.blocks[b].of == kItself ? fmt::format("b{}:\n", b)
                                            : fmt::format("b{} of f{}:\n", b, function.blocks[b].of);
    for (const Instruction& instruction : function.blocks[b].code) out += "  " + print(instruction) + "\n";
  }
  return out + "}\n";
}

std::string print(const Module& module) {
  std::string out;
  for (std::size_t i = 0; i < module.sets.size(); ++i) {
    out += fmt::format("set c{} =", i);
    for (std::size_t w = 0; w < module.sets[i].size(); ++w)
      out += fmt::format("{} {:#x}", w == 0 ? "" : ",", module.sets[i][w]);
    out += "\n";
  }
  for (std::size_t i = 0; i < module.tables.size(); ++i) {
    out += fmt::format("table t{} =", i);
    for (std::size_t k = 0; k < module.tables[i].size(); ++k)
      out += fmt::format("{} {}", k == 0 ? "" : ",", number(module.tables[i][k]));
    out += "\n";
  }
  for (const std::string& text : module.texts) out += fmt::format("text {}\n", quoted(text));
  for (std::size_t f = 0; f < module.functions.size(); ++f)
    out += "\n" + print(module.functions[f], static_cast<FunctionIndex>(f));
  return out;
}

bool same(const Module& a, const Module& b) {
  // Ranges are the only fields that are not printed.
  return print(a) == print(b);
}

}   // namespace cardwright::ir
