// See decode.h.
#include "runtime/interp/decode.h"

#include <algorithm>

namespace cardwright::interp {

namespace {

using ir::Op;

// The handler of an operation that only engines have.
Special special_of(Op op) {
  switch (op) {
    case Op::const_int: return Special::const_int;
    case Op::copy_int: return Special::copy_int;
    case Op::const_set: return Special::const_set;
    case Op::copy_set: return Special::copy_set;
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
    default: return Special::trap;   // `trap`; site, decide, call and switch_ don't come here
  }
}

class Decoder {
 public:
  Decoder(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out)
      : program_(program), module_(module), form_(form), handlers_(handlers), out_(out) {}

  void run() {
    out_.functions.resize(module_.functions.size());
    for (std::size_t f = 0; f < module_.functions.size(); ++f) place_registers(f);
    std::vector<std::size_t> starts;
    for (index_ = 0; index_ < module_.functions.size(); ++index_) {
      starts.push_back(out_.cells.size());
      decode_function(module_.functions[index_]);
    }
    for (std::size_t f = 0; f < starts.size(); ++f) out_.functions[f].start = out_.cells.data() + starts[f];
    for (const auto& [cell, target] : targets_) out_.cells[cell] = reinterpret_cast<Word>(out_.cells.data() + target);
  }

 private:
  void place_registers(std::size_t f) {
    FunctionCode& code = out_.functions[f];
    for (const ir::RegisterType& type : module_.functions[f].registers) {
      code.place_of.push_back(code.words);
      switch (type.kind) {
        case ir::RegisterKind::integer: code.words += 1; break;
        case ir::RegisterKind::set: code.words += static_cast<std::size_t>(program_.layout.words); break;
        case ir::RegisterKind::array: code.words += type.length; break;
      }
    }
  }

  void decode_function(const ir::Function& function) {
    start_ = out_.cells.size();
    block_starts_.assign(function.blocks.size(), 0);
    pending_.clear();
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      block_starts_[b] = out_.cells.size();
      const auto& code = function.blocks[b].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (is_dropped(code[i].op)) continue;
        if (code[i].op == Op::jump && code[i].operands[0] == static_cast<std::int64_t>(b) + 1) continue;   // falls into it
        const bool fused = i + 1 < code.size() && code[i + 1].op == Op::branch && can_fuse(code[i], code[i + 1]);
        decode_instruction(code[i], fused ? &code[i + 1] : nullptr);
        if (fused) ++i;
      }
    }
    if (function.blocks.empty()) trap_cell();   // nobody calls it
    for (const auto& [cell, block] : pending_) targets_.emplace_back(cell, block_starts_[static_cast<std::size_t>(block)]);
  }

  bool is_dropped(Op op) const {
    if (op == Op::site) return true;
    if (form_ != Form::playout || !shape_of_op(op).has('K') || shape_of_op(op).has('X')) return false;
    const bool is_knowledge = shape_of_op(op).has('W');
    return !(is_knowledge && program_.knowledge_in_playout);
  }
  static bool can_fuse(const ir::Instruction& first, const ir::Instruction& branch) {
    const OpShape& shape = shape_of_op(first.op);
    return shape.result() == 'i' && !shape.has('E') && first.result == static_cast<ir::Register>(branch.operands[0]);
  }

  // ---- cells
  void cell(Word value) { out_.cells.push_back(value); }
  void handler(std::size_t index, Range where) {
    FunctionCode& code = out_.functions[index_];
    const auto at = static_cast<std::uint32_t>(out_.cells.size() - start_);
    if (code.places.empty() || code.places.back().second != where) code.places.emplace_back(at, where);
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
  const ir::RegisterType& type_of(std::int64_t r) const { return module_.functions[index_].registers[static_cast<std::size_t>(r)]; }

  void operand(char letter, std::int64_t value) {
    switch (letter) {
      case 'i': case 's': return reg(value);
      case 'a':
        reg(value);
        return cell(type_of(value).length);
      case 'V': return cell(reinterpret_cast<Word>(&program_.variables[static_cast<std::size_t>(value)]));
      case 'Z': return cell(reinterpret_cast<Word>(&program_.zones[static_cast<std::size_t>(value)]));
      case 'C': return cell(reinterpret_cast<Word>(out_.sets[static_cast<std::size_t>(value)].data()));
      case 'T':
        cell(reinterpret_cast<Word>(out_.tables[static_cast<std::size_t>(value)].data()));
        return cell(out_.tables[static_cast<std::size_t>(value)].size());
      case 'B': return block(value);
      default: return cell(static_cast<Word>(value));
    }
  }

  void decode_instruction(const ir::Instruction& in, const ir::Instruction* branch) {
    switch (in.op) {
      case Op::decide: return decode_decide(in);
      case Op::call: case Op::call_set: return decode_call(in);
      case Op::switch_: return decode_switch(in);
      default: break;
    }
    if (in.op == Op::listing && form_ != Form::step) {
      special(Special::const_int, in.where);
      reg(in.result);
      return cell(0);
    }
    if (shape_of_op(in.op).has('E')) special(special_of(in.op), in.where);
    else handler(static_cast<std::size_t>(in.op) + (branch ? kFused : 0), in.where);
    if (in.result != ir::kNoRegister) reg(in.result);
    const std::string_view letters = shape_of_op(in.op).operands();
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

  // callee, result (or the word above all registers, where it is lost), number of arguments, then from, to, words
  void decode_call(const ir::Instruction& in) {
    const auto callee = static_cast<std::size_t>(in.operands[0]);
    const ir::Function& function = module_.functions[callee];
    special(Special::call, in.where);
    cell(reinterpret_cast<Word>(&out_.functions[callee]));
    if (in.result == ir::kNoRegister) cell(~Word{0});
    else reg(in.result);
    cell(function.parameters.size());
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const ir::Register parameter = function.parameters[i];
      reg(in.operands[i + 1]);
      cell(out_.functions[callee].place_of[parameter]);
      cell(function.registers[parameter].kind == ir::RegisterKind::set ? static_cast<Word>(program_.layout.words) : 1);
    }
  }

  void decode_switch(const ir::Instruction& in) {
    Int lo = kNone, hi = kNone;
    const std::size_t count = in.operands.size() / 2 - 1;
    for (std::size_t i = 2; i < in.operands.size(); i += 2) {
      lo = i == 2 ? in.operands[i] : std::min(lo, in.operands[i]);
      hi = i == 2 ? in.operands[i] : std::max(hi, in.operands[i]);
    }
    const bool dense = count > 0 && lo > -(Int{1} << 40) && hi < Int{1} << 40 && static_cast<Word>(hi - lo) < 8 + 4 * count;
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
      for (std::size_t i = in.operands.size(); i > 2; i -= 2)        // the first of equal values counts
        if (in.operands[i - 2] == value) target = in.operands[i - 1];
      block(target);
    }
  }

  const Program& program_;
  const ir::Module& module_;
  const Form form_;
  const void* const* handlers_;
  Code& out_;
  std::size_t index_ = 0, start_ = 0;
  std::vector<std::size_t> block_starts_;
  std::vector<std::pair<std::size_t, std::int64_t>> pending_;    // cell -> block of this function
  std::vector<std::pair<std::size_t, std::size_t>> targets_;     // cell -> cell
};

}  // namespace

Range FunctionCode::where_is(const Word* ip) const {
  const auto at = static_cast<std::uint32_t>(ip - start);
  const auto after = std::upper_bound(places.begin(), places.end(), at, [](std::uint32_t cell, const auto& place) { return cell < place.first; });
  return after == places.begin() ? Range{} : std::prev(after)->second;
}

void decode(const Program& program, const ir::Module& module, Form form, const void* const* handlers, Code& out) {
  for (const auto& set : module.sets) {
    out.sets.emplace_back(set.begin(), set.end());
    out.sets.back().resize(static_cast<std::size_t>(program.layout.words), 0);
  }
  out.tables = module.tables;
  Decoder(program, module, form, handlers, out).run();
}

}  // namespace cardwright::interp
