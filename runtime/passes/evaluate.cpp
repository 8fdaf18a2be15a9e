// Evaluates pure operations on constants by calling op_<name>. The calls are generated from ops.def.
#include "runtime/passes/evaluate.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/ir/shape.h"
#include "runtime/ops/game.h"
#include "runtime/ops/ops.h"

namespace cardwright::passes {

namespace {

// Converts the operands of an instruction to the C++ parameters of its operation.
struct Operands {
  const ir::Module& module;
  const ir::Instruction& instruction;
  const std::vector<Value>& known;
  const PassContext& context;
  Int integer_result = 0;
  Word set_result[kMaxWords] = {};

  std::int64_t literal(std::size_t i) const { return instruction.operands[i]; }
  const Value& value(std::size_t i) const { return known[static_cast<std::size_t>(literal(i))]; }

  template <char letter>
  auto get(std::size_t i) const {
    if constexpr (letter == 'i')
      return std::tuple<Int>(value(i).value);
    else if constexpr (letter == 's')
      return std::tuple<const Word*>(module.sets[index(value(i).value)].data());
    else if constexpr (letter == 'C')
      return std::tuple<const Word*>(module.sets[index(literal(i))].data());
    else if constexpr (letter == 'V')
      return std::tuple<const VariableSlot&>(context.variables()[index(literal(i))]);
    else if constexpr (letter == 'Z')
      return std::tuple<const ZoneSlot&>(context.zones()[index(literal(i))]);
    else if constexpr (letter == 'T') {
      const auto& table = module.tables[index(literal(i))];
      return std::tuple<const Int*, Int>(table.data(), static_cast<Int>(table.size()));
    } else
      return std::tuple<Int>(literal(i));
  }
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
};

constexpr bool contains(std::string_view text, char letter) { return text.find(letter) != std::string_view::npos; }

// Returns true if the evaluation succeeded. `Text` contains the signature and the flags from ops.def.
template <class Text, class Operation, std::size_t... i>
bool call(Operation operation, Operands& operands, std::index_sequence<i...>) {
  Game game;
  const Layout& layout = operands.context.layout();
  Byte* const no_state = nullptr;   // a pure operation does not read the State
  auto arguments = std::tuple_cat(std::tuple<Game&, Byte*, const Layout&>(game, no_state, layout),
                                  operands.get<Text::signature()[i + 2]>(i)...);
  constexpr char result = Text::signature()[0];
  constexpr bool may_trap = contains(Text::flags(), 'T');
  if constexpr (result == 's' && may_trap)
    return !static_cast<int>(std::apply([&](auto&&... a) { return operation(a..., operands.set_result); }, arguments));
  else if constexpr (result == 's') {
    std::apply([&](auto&&... a) { operation(a..., operands.set_result); }, arguments);
    return true;
  } else if constexpr (may_trap)
    return !static_cast<int>(
        std::apply([&](auto&&... a) { return operation(a..., operands.integer_result); }, arguments));
  else {
    operands.integer_result = static_cast<Int>(std::apply([&](auto&&... a) { return operation(a...); }, arguments));
    return true;
  }
}

template <class Text, class Operation>
bool evaluate_one(Operation operation, Operands& operands) {
  if constexpr (Text::folds())
    return call<Text>(operation, operands, std::make_index_sequence<Text::signature().size() - 2>{});
  else
    return false;
}

bool all_known(const ir::Instruction& instruction, const std::vector<Value>& known) {
  bool all = true;
  for_each_use(instruction, [&](ir::Register r) { all &= known[r].is_known(); });
  return all;
}

// Defines the signature and flags of each operation as constants, and a constant that is true if it can be folded.
#define OP(name, signature_text, flags_text)                                                    \
  struct text_##name {                                                                          \
    static constexpr std::string_view signature() { return signature_text; }                    \
    static constexpr std::string_view flags() { return flags_text; }                            \
    static constexpr bool folds() { return contains(flags(), 'P') && !contains(flags(), 'E'); } \
  };
#include "runtime/ir/ops.def"
#undef OP

bool evaluate(Operands& operands) {
  switch (operands.instruction.op) {
#define OP(name, signature_text, flags_text) \
  case ir::Op::name:                         \
    return evaluate_one<text_##name>([](auto&&... a) { return op_##name(a...); }, operands);
#include "runtime/ir/ops.def"
#undef OP
  }
  return false;
}

}   // namespace

template <class Constant>
static Int intern(std::vector<Constant>& all, const Constant& constant) {
  const auto at = std::find(all.begin(), all.end(), constant);
  const auto index = at - all.begin();
  if (at == all.end()) all.push_back(constant);
  return index;
}
Int intern_set(ir::Module& module, const std::vector<Word>& set) { return intern(module.sets, set); }
Int intern_table(ir::Module& module, const std::vector<Int>& table) { return intern(module.tables, table); }

Value evaluate(ir::Module& module, const ir::Instruction& instruction, const std::vector<Value>& known,
               const PassContext& context) {
  const ir::OpShape& shape = shape_of(instruction.op);
  if (!shape.has('P') || shape.has('E') || !all_known(instruction, known)) return {};
  Operands operands{module, instruction, known, context};
  if (!evaluate(operands)) return {};
  if (shape.result() != 's') return Value::integer(operands.integer_result);
  const auto words = static_cast<std::size_t>(context.layout().words);
  return Value::set(intern_set(module, {operands.set_result, operands.set_result + words}));
}

}   // namespace cardwright::passes
