// Decodes the functions of an IR module into bytecode cells for the interpreter.
#include "runtime/interp/decode.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "runtime/ir/shape.h"
#include "runtime/passes/frames.h"
#include "runtime/passes/passes.h"

namespace cardwright::interp {

namespace {

using ir::Op;

// Returns the handler of an operation that only engines implement, or nothing if the operation is decoded separately or
// omitted.
constexpr std::optional<Special> special_of(Op op) {
  switch (op) {
    case Op::const_int: return Special::const_int;
    case Op::copy_int: return Special::copy_int;
    case Op::const_set:
    case Op::copy_set: return Special::copy_set;   // also works for constants, which have register addresses
    case Op::array_fill: return Special::array_fill;
    case Op::listing: return Special::listing;
    case Op::list: return Special::list;
    case Op::listed: return Special::listed;
    case Op::to_host: return Special::to_host;
    case Op::jump: return Special::jump;
    case Op::branch: return Special::branch;
    case Op::ret: return Special::ret;
    case Op::ret_int: return Special::ret_int;
    case Op::ret_set: return Special::ret_set;
    case Op::trap: return Special::trap;
    default: return std::nullopt;
  }
}
constexpr bool has_handler(Op op) {
  const bool of_its_own = op == Op::decide || op == Op::call || op == Op::call_set || op == Op::switch_;
  return !ir::shape_of(op).has('E') || of_its_own || op == Op::site || special_of(op);
}
#define OP(name, signature, flags) static_assert(has_handler(Op::name), "an operation with flag E has no handler");
#include "runtime/ir/ops.def"
#undef OP

// Computes the strongly connected components of a module's call graph (Tarjan's algorithm).
class CallComponents {
 public:
  explicit CallComponents(const ir::Module& module)
      : module_(module), order_(module.functions.size(), 0), low_(order_), component_(order_.size(), -1) {
    for (std::size_t f = 0; f < order_.size(); ++f)
      if (order_[f] == 0) visit(f);
  }
  // Returns all components, with callees before callers.
  const std::vector<std::vector<std::size_t>>& all() const { return components_; }
  int of(std::size_t function) const { return component_[function]; }

  template <class F>
  void for_each_callee(std::size_t function, F f) const {
    for (const ir::Block& block : module_.functions[function].blocks)
      for (const ir::Instruction& instruction : block.code)
        if (ir::is_call(instruction.op)) f(static_cast<std::size_t>(instruction.operands[0]));
  }

 private:
  void visit(std::size_t function) {
    order_[function] = low_[function] = ++visited_;
    open_.push_back(function);
    for_each_callee(function, [&](std::size_t callee) {
      if (order_[callee] == 0) visit(callee);
      if (component_[callee] < 0) low_[function] = std::min(low_[function], low_[callee]);
    });
    if (low_[function] != order_[function]) return;
    std::vector<std::size_t>& members = components_.emplace_back();
    do {
      members.push_back(open_.back());
      open_.pop_back();
      component_[members.back()] = static_cast<int>(components_.size()) - 1;
    } while (members.back() != function);
  }

  const ir::Module& module_;
  std::vector<unsigned> order_, low_;
  std::vector<int> component_;   // by function
  std::vector<std::vector<std::size_t>> components_;
  std::vector<std::size_t> open_;
  unsigned visited_ = 0;
};

constexpr std::size_t kShort = 4;   // maximum number of instructions in a block that is copied
constexpr int kCopies = 2;   // maximum number of consecutive copies

class Decoder {
 public:
  Decoder(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out)
      : program_(program), module_(module), form_(form), handlers_(handlers), components_(module), out_(out) {}

  void run() {
    out_.functions.resize(module_.functions.size());
    out_.tables = module_.tables;
    out_.size = passes::size_of(module_);
    out_.constants.assign(static_cast<std::size_t>(kMaxWords), 0);   // kResult
    for (const ir::Function& function : module_.functions) constants_.push_back(passes::find_constants(function));
    for (std::size_t f = 0; f < module_.functions.size(); ++f) place_constants(f);
    place_functions();
    std::vector<std::size_t> starts;
    for (index_ = 0; index_ < module_.functions.size(); ++index_) {
      starts.push_back(out_.cells.size());
      decode_function(module_.functions[index_]);
    }
    for (std::size_t f = 0; f < starts.size(); ++f) out_.functions[f].start = out_.cells.data() + starts[f];
    for (const auto& [cell, target] : targets_) out_.cells[cell] = reinterpret_cast<Word>(out_.cells.data() + target);
    for (const auto& [cell, callee] : calls_) out_.cells[cell] = reinterpret_cast<Word>(out_.functions[callee].start);
  }

 private:
  // ---- register allocation

  std::size_t words_of(const ir::RegisterType& type) const {
    switch (type.kind) {
      case ir::RegisterKind::integer: return 1;
      case ir::RegisterKind::set: return static_cast<std::size_t>(program_.layout.words);
      case ir::RegisterKind::array: return type.length;
    }
    return 0;
  }
  bool is_constant(std::size_t f, std::size_t r) const { return constants_[f][r] != nullptr; }

  void place_constants(std::size_t f) {
    const ir::Function& function = module_.functions[f];
    FunctionCode& code = out_.functions[f];
    code.place_of.assign(function.registers.size(), 0);
    for (std::size_t r = 0; r < function.registers.size(); ++r) {
      if (is_constant(f, r))
        code.place_of[r] = place_of_constant(value_of(*constants_[f][r]));
      else
        code.words += words_of(function.registers[r]);
    }
    for (const ir::Block& block : function.blocks)   // also stores set constants of registers that are set repeatedly
      for (const ir::Instruction& instruction : block.code)
        if (instruction.op == Op::const_set) place_of_constant(value_of(instruction));
  }
  std::vector<Word> value_of(const ir::Instruction& constant) const {
    if (constant.op == Op::const_int) return {static_cast<Word>(constant.operands[0])};
    return constant.op == Op::const_set ? value_of_set(constant.operands[0])
                                        : std::vector<Word>(static_cast<std::size_t>(program_.layout.words), 0);
  }
  std::vector<Word> value_of_set(std::int64_t set) const {
    std::vector<Word> value = module_.sets[static_cast<std::size_t>(set)];
    value.resize(static_cast<std::size_t>(program_.layout.words), 0);
    return value;
  }
  std::size_t place_of_constant(const std::vector<Word>& value) {
    const auto [known, is_new] = place_of_value_.try_emplace(value, out_.constants.size());
    if (is_new) out_.constants.insert(out_.constants.end(), value.begin(), value.end());
    return known->second;
  }

  // Allocates the registers of callers first, so that the end of the registers of all possible callers is known.
  void place_functions() {
    std::vector<std::size_t> base(components_.all().size(), out_.constants.size());
    for (std::size_t component = base.size(); component-- > 0;) {
      std::size_t end = base[component];
      for (const std::size_t f : components_.all()[component]) end = place_registers(f, end);
      for (const std::size_t f : components_.all()[component])
        components_.for_each_callee(f, [&](std::size_t callee) {
          const auto its = static_cast<std::size_t>(components_.of(callee));
          if (its != component) base[its] = std::max(base[its], end);
        });
      out_.words = std::max(out_.words, end);
    }
  }
  std::size_t place_registers(std::size_t f, std::size_t base) {
    FunctionCode& code = out_.functions[f];
    std::size_t at = code.base = base;
    for (std::size_t r = 0; r < code.place_of.size(); ++r) {
      if (is_constant(f, r)) continue;
      code.place_of[r] = at;
      at += words_of(module_.functions[f].registers[r]);
    }
    return at;
  }

  // ---- code

  void decode_function(const ir::Function& function) {
    start_ = out_.cells.size();
    block_starts_.assign(function.blocks.size(), 0);
    pending_.clear();
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      block_starts_[b] = out_.cells.size();
      decode_block(function, b, b + 1);
    }
    if (function.blocks.empty()) trap_cell();   // never called
    for (const auto& [cell, block] : pending_)
      targets_.emplace_back(cell, block_starts_[static_cast<std::size_t>(block)]);
  }

  // Decodes a block. `next` is the block whose code follows. If the block jumps to a short block, usually a loop head,
  // that block is copied instead.
  void decode_block(const ir::Function& function, std::size_t b, std::size_t next, int copies = 0) {
    of_ = function.blocks[b].of;
    const std::vector<const ir::Instruction*> code = what_is_run(function.blocks[b]);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i]->op == Op::jump) {
        const auto target = static_cast<std::size_t>(code[i]->operands[0]);
        if (target == next) return;   // falls through
        if (copies < kCopies && what_is_run(function.blocks[target]).size() <= kShort)
          return decode_block(function, target, next, copies + 1);
      }
      const bool fused = i + 1 < code.size() && code[i + 1]->op == Op::branch && can_fuse(*code[i], *code[i + 1]);
      decode_instruction(*code[i], fused ? code[i + 1] : nullptr);
      if (fused) ++i;
    }
  }
  std::vector<const ir::Instruction*> what_is_run(const ir::Block& block) const {
    std::vector<const ir::Instruction*> code;
    for (const ir::Instruction& instruction : block.code)
      if (!is_dropped(instruction)) code.push_back(&instruction);
    return code;
  }

  bool is_dropped(const ir::Instruction& instruction) const {
    return instruction.op == Op::site ||
           (instruction.result != ir::kNoRegister && is_constant(index_, instruction.result));
  }
  static bool can_fuse(const ir::Instruction& first, const ir::Instruction& branch) {
    return can_be_fused(ir::shape_of(first.op)) && first.result == static_cast<ir::Register>(branch.operands[0]);
  }
  std::size_t width_of(const ir::Instruction& in) const {
    if (!has_width(ir::shape_of(in.op))) return 0;
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(in.operands[0])];
    if (slot.bytes == 1) return kOneByte;
    return slot.bytes == 4 ? std::size_t{kFourBytes} : 0;
  }

  // ---- cells
  void cell(Word value) { out_.cells.push_back(value); }
  void handler(std::size_t index, Range where) {
    FunctionCode& code = out_.functions[index_];
    const auto at = static_cast<std::uint32_t>(out_.cells.size() - start_);
    const Place place{where, of_ == ir::kItself ? static_cast<ir::FunctionIndex>(index_) : of_};
    if (code.places.empty() || code.places.back().second != place) code.places.emplace_back(at, place);
    cell(reinterpret_cast<Word>(handlers_[index]));
  }
  void special(Special which, Range where) { handler(kSpecial + static_cast<std::size_t>(which), where); }
  void reg(std::int64_t r) { cell(out_.functions[index_].place_of[static_cast<std::size_t>(r)]); }
  void block(std::int64_t b) {
    pending_.emplace_back(out_.cells.size(), b);
    cell(0);
  }
  void trap_cell() {
    special(Special::trap, {});
    cell(static_cast<Word>(Trap::fell_through));
  }
  const ir::RegisterType& type_of(std::int64_t r) const {
    return module_.functions[index_].registers[static_cast<std::size_t>(r)];
  }

  void operand(char letter, std::int64_t value) {
    switch (letter) {
      case 'i':
      case 's': return reg(value);
      case 'a': reg(value); return cell(type_of(value).length);
      case 'V': return cell(reinterpret_cast<Word>(&program_.variables[static_cast<std::size_t>(value)]));
      case 'Z': return cell(reinterpret_cast<Word>(&program_.zones[static_cast<std::size_t>(value)]));
      case 'C': return cell(place_of_value_.at(value_of_set(value)));
      case 'T':
        cell(reinterpret_cast<Word>(out_.tables[static_cast<std::size_t>(value)].data()));
        return cell(out_.tables[static_cast<std::size_t>(value)].size());
      case 'B': return block(value);
      default: return cell(static_cast<Word>(value));
    }
  }

  void decode_instruction(const ir::Instruction& in, const ir::Instruction* branch) {
    if (in.op == Op::decide) return decode_decide(in);
    if (ir::is_call(in.op)) return decode_call(in);
    if (in.op == Op::switch_) return decode_switch(in);
    if (ir::shape_of(in.op).has('E'))
      special(*special_of(in.op), in.where);
    else
      handler(static_cast<std::size_t>(in.op) + ir::kOpCount * ((branch ? std::size_t{kFused} : 0) + width_of(in)),
              in.where);
    if (in.result != ir::kNoRegister) reg(in.result);
    const std::string_view letters = ir::shape_of(in.op).operands();
    for (std::size_t i = 0; i < letters.size(); ++i) operand(letters[i], in.operands[i]);
    if (!branch) return;
    block(branch->operands[1]);
    block(branch->operands[2]);
  }

  void decode_decide(const ir::Instruction& in) {
    special(form_ == Form::step ? Special::decide_step : Special::decide_playout, in.where);
    reg(in.result);
    reg(in.operands[0]);
    reg(in.operands[1]);
    cell(static_cast<Word>(in.operands[2]));
  }

  // Decodes a call. Its cells contain the start of the callee, the address of the result, the next instruction, the
  // number of argument words, and the source and target of each argument word. A function that may already be active is
  // called with call_again, whose cells also contain the range of the callee's registers, and which is followed by
  // `restore`.
  void decode_call(const ir::Instruction& in) {
    const auto callee = static_cast<std::size_t>(in.operands[0]);
    const ir::Function& function = module_.functions[callee];
    const FunctionCode& code = out_.functions[callee];
    const bool again = components_.of(callee) == components_.of(index_);
    const std::size_t result = in.result == ir::kNoRegister ? kResult : out_.functions[index_].place_of[in.result];
    special(again ? Special::call_again : Special::call, in.where);
    calls_.emplace_back(out_.cells.size(), callee);
    cell(0);
    cell(again ? kResult : result);
    const std::size_t next = out_.cells.size();
    cell(0);
    if (again) cell(code.base), cell(code.words);
    const std::size_t count = out_.cells.size();
    cell(0);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const ir::Register parameter = function.parameters[i];
      const std::size_t words = words_of(function.registers[parameter]);
      for (std::size_t w = 0; w < words; ++w) {
        cell(out_.functions[index_].place_of[static_cast<std::size_t>(in.operands[i + 1])] + w);
        cell(code.place_of[parameter] + w);
      }
      out_.cells[count] += words;
    }
    targets_.emplace_back(next, out_.cells.size());
    if (!again) return;
    special(Special::restore, in.where);
    cell(code.base);
    cell(code.words);
    cell(result);
    cell(in.result == ir::kNoRegister ? 0 : words_of(type_of(in.result)));
  }

  void decode_switch(const ir::Instruction& in) {
    Int lo = kNone, hi = kNone;
    const std::size_t count = in.operands.size() / 2 - 1;
    for (std::size_t i = 2; i < in.operands.size(); i += 2) {
      lo = i == 2 ? in.operands[i] : std::min(lo, in.operands[i]);
      hi = i == 2 ? in.operands[i] : std::max(hi, in.operands[i]);
    }
    const bool dense =
        count > 0 && lo > -(Int{1} << 40) && hi < Int{1} << 40 && static_cast<Word>(hi - lo) < 8 + 4 * count;
    special(dense ? Special::switch_table : Special::switch_list, in.where);
    reg(in.operands[0]);
    block(in.operands[1]);
    if (!dense) {
      cell(count);
      for (std::size_t i = 2; i < in.operands.size(); i += 2) {
        cell(static_cast<Word>(in.operands[i]));
        block(in.operands[i + 1]);
      }
      return;
    }
    cell(static_cast<Word>(lo));
    cell(static_cast<Word>(hi - lo + 1));
    for (Int value = lo; value <= hi; ++value) {
      std::int64_t target = in.operands[1];
      // Iterates backwards, so that the first of several equal values takes precedence.
      for (std::size_t i = in.operands.size(); i > 2; i -= 2)
        if (in.operands[i - 2] == value) target = in.operands[i - 1];
      block(target);
    }
  }

  const Program& program_;
  const ir::Module& module_;
  const Form form_;
  const void* const* handlers_;
  const CallComponents components_;
  Code& out_;
  std::vector<std::vector<const ir::Instruction*>> constants_;   // by function and register
  std::map<std::vector<Word>, std::size_t> place_of_value_;
  std::size_t index_ = 0, start_ = 0;
  ir::FunctionIndex of_ = ir::kItself;   // the function to which the current block originally belonged
  std::vector<std::size_t> block_starts_;
  std::vector<std::pair<std::size_t, std::int64_t>> pending_;   // cell that needs an address -> block of this function
  std::vector<std::pair<std::size_t, std::size_t>> targets_;   // cell that needs an address -> target cell
  std::vector<std::pair<std::size_t, std::size_t>> calls_;   // cell that needs an address -> called function
};

}   // namespace

Place FunctionCode::place_at(const Word* ip) const {
  const auto at = static_cast<std::uint32_t>(ip - start);
  const auto after = std::upper_bound(places.begin(), places.end(), at,
                                      [](std::uint32_t cell, const auto& place) { return cell < place.first; });
  return std::prev(after)->second;   // the first instruction of each function has an entry
}

std::size_t Code::function_at(const Word* ip) const {
  const auto after = std::upper_bound(functions.begin(), functions.end(), ip,
                                      [](const Word* at, const FunctionCode& function) { return at < function.start; });
  return static_cast<std::size_t>(after - functions.begin()) - 1;
}

void decode(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out) {
  static std::atomic<std::uint64_t> last_id = 0;
  out.id = ++last_id;
  Decoder(program, module, form, handlers, out).run();
}

}   // namespace cardwright::interp
