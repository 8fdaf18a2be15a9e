// Emits LLVM IR for the functions of a game. IR registers are emitted as stack slots, which the optimizer promotes to
// values.
#include "runtime/jit/emit.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <llvm/IR/MDBuilder.h>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/ops/bits.h"
#include "runtime/ops/decide.h"

namespace cardwright::jit {

namespace view = ir::view;

using ir::Op;

namespace {

class FunctionEmitter {
 public:
  FunctionEmitter(Emitter& emitter, ir::FunctionIndex index, std::string& error)
      : emitter_(emitter),
        index_(index),
        from_(emitter.code.functions[index]),
        to_(emitter.declare(index)),
        error_(error),
        context_(emitter.module.getContext()),
        builder_(context_) {}

  bool emit() {
    integer_ = builder_.getInt64Ty();
    status_ = builder_.getInt32Ty();
    pointer_ = builder_.getPtrTy();
    auto* entry = llvm::BasicBlock::Create(context_, "entry", to_);
    for (std::size_t b = 0; b < from_.blocks.size(); ++b)
      blocks_.push_back(llvm::BasicBlock::Create(context_, "b" + std::to_string(b), to_));
    builder_.SetInsertPoint(entry);
    make_registers();
    builder_.CreateBr(blocks_[0]);
    for (std::size_t b = 0; b < from_.blocks.size(); ++b) {
      builder_.SetInsertPoint(blocks_[b]);
      of_ = from_.blocks[b].of;
      for (const ir::Instruction& instruction : from_.blocks[b].code) {
        emit(instruction);
        if (!error_.empty()) return false;
      }
    }
    close_cold_blocks();
    close_returns();
    return true;
  }

 private:
  // ---- registers
  void make_registers() {
    std::vector<char> used(from_.registers.size(), 0);
    for (const ir::Register r : from_.parameters) used[r] = 1;
    for (const ir::Block& block : from_.blocks)
      for (const ir::Instruction& instruction : block.code) {
        if (instruction.result != ir::kNoRegister) used[instruction.result] = 1;
        ir::for_each_register(instruction, [&](std::int64_t r, char) { used[static_cast<std::size_t>(r)] = 1; });
      }
    registers_.resize(from_.registers.size(), nullptr);
    find_literals();
    for (std::size_t r = 0; r < used.size(); ++r)
      if (used[r] && !registers_[r])
        registers_[r] = builder_.CreateAlloca(type_of(from_.registers[r]), nullptr, "r" + std::to_string(r));
    auto argument = to_->arg_begin();
    game_ = argument++;
    state_ = argument++;
    if (emitter_.holds()) held_ = argument++;
    for (const ir::Register r : from_.parameters) {
      if (from_.registers[r].kind == ir::RegisterKind::set)
        copy_set(registers_[r], argument++);
      else
        builder_.CreateStore(argument++, registers_[r]);
    }
    if (from_.returns == ir::Returns::set) result_ = argument++;
  }
  llvm::Type* type_of(const ir::RegisterType& type) {
    switch (type.kind) {
      case ir::RegisterKind::integer: return integer_;
      case ir::RegisterKind::set: return set_type();
      case ir::RegisterKind::array: return llvm::ArrayType::get(integer_, type.length);
    }
    return integer_;
  }
  llvm::Type* set_type() {
    return llvm::ArrayType::get(integer_, static_cast<std::uint64_t>(emitter_.program.layout.words));
  }
  // Finds registers that are set once, to a literal or a constant set, so that their values can be used before any pass
  // runs.
  void find_literals() {
    std::vector<int> times(from_.registers.size(), 0);
    for (const ir::Register r : from_.parameters) ++times[r];
    for (const ir::Block& block : from_.blocks)
      for (const ir::Instruction& instruction : block.code)
        if (const ir::Register r = ir::set_by(instruction); r != ir::kNoRegister) ++times[r];
    literals_.resize(times.size());
    for (const ir::Block& block : from_.blocks)
      for (const ir::Instruction& instruction : block.code)
        if (instruction.op == Op::const_int && times[instruction.result] == 1)
          literals_[instruction.result] = view::const_int(instruction).value();
        else if (instruction.op == Op::const_set && times[instruction.result] == 1)
          registers_[instruction.result] = constant_set(instruction);
  }
  llvm::Value* constant_set(const ir::Instruction& instruction) {
    return emitter_.operations.set(static_cast<std::int64_t>(view::const_set(instruction).set()));
  }
  llvm::Value* load(std::int64_t r) {
    if (const auto& known = literals_[static_cast<std::size_t>(r)]) return literal(*known);
    return builder_.CreateLoad(integer_, registers_[static_cast<std::size_t>(r)]);
  }
  void store(ir::Register r, llvm::Value* value) { builder_.CreateStore(value, registers_[r]); }
  llvm::Value* slot(std::int64_t r) { return registers_[static_cast<std::size_t>(r)]; }
  void copy_set(llvm::Value* to, llvm::Value* from) {
    std::vector<llvm::Value*> words;
    const auto count = static_cast<unsigned>(emitter_.program.layout.words);
    for (unsigned i = 0; i < count; ++i)
      words.push_back(builder_.CreateLoad(integer_, builder_.CreateConstGEP1_32(integer_, from, i)));
    for (unsigned i = 0; i < count; ++i) builder_.CreateStore(words[i], builder_.CreateConstGEP1_32(integer_, to, i));
  }
  llvm::ConstantInt* literal(std::int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::cast<llvm::IntegerType>(integer_), value);
  }
  llvm::ConstantInt* status(std::int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::cast<llvm::IntegerType>(status_), value);
  }
  llvm::BasicBlock* block(std::int64_t index) { return blocks_[static_cast<std::size_t>(index)]; }
  llvm::BasicBlock* new_block(const char* name) { return llvm::BasicBlock::Create(context_, name, to_); }

  // ---- fields of Game
  llvm::Value* field(std::size_t offset) { return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), game_, offset); }
  llvm::Value* load_field(std::size_t offset) { return builder_.CreateLoad(integer_, field(offset)); }
  void store_field(std::size_t offset, llvm::Value* value) { builder_.CreateStore(value, field(offset)); }

  // ---- instructions
  void emit(const ir::Instruction& instruction) {
    const auto& operands = instruction.operands;
    switch (instruction.op) {
      case Op::const_int: store(instruction.result, literal(view::const_int(instruction).value())); break;
      case Op::copy_int: store(instruction.result, load(view::copy(instruction).from())); break;
      case Op::const_set:
        if (auto* set = constant_set(instruction); registers_[instruction.result] != set)
          copy_set(registers_[instruction.result], set);
        break;
      case Op::copy_set: copy_set(registers_[instruction.result], slot(view::copy(instruction).from())); break;
      case Op::array_fill: fill_array(operands[0], load(operands[1])); break;
      case Op::site: break;
      case Op::listing: store(instruction.result, stepwise() ? load_field(offsetof(Game, listing)) : literal(0)); break;
      case Op::list: list(load(operands[0])); break;
      case Op::listed: leave_with(status(3)); break;
      case Op::to_host: leave_with(status(operands[0])); break;
      case Op::decide: decide(instruction); break;
      case Op::trap: trap(status(operands[0]), instruction.where); break;
      case Op::call:
      case Op::call_set: call(instruction); break;
      case Op::jump: builder_.CreateBr(block(view::jump(instruction).target())); break;
      case Op::branch: branch(view::branch(instruction)); break;
      case Op::switch_: switch_over(view::switch_(instruction)); break;
      case Op::ret: leave_with(status(0)); break;
      case Op::ret_int: leave_with(status(0), load(view::ret(instruction).value())); break;
      case Op::ret_set:
        copy_set(result_, slot(view::ret(instruction).value()));
        leave_with(status(0));
        break;
      default:
        if (!shorten(instruction)) operate(instruction);   // an operation from runtime/ops
    }
  }

  // Emits shorter code where the mask contains all players up to a seat, or where no player can be eliminated. LLVM
  // derives more from a comparison than from a bit of a mask.
  bool shorten(const ir::Instruction& instruction) {
    const auto& operands = instruction.operands;
    if (instruction.op == Op::mask_has) {
      const auto mask = literals_[static_cast<std::size_t>(operands[0])];
      if (!mask || *mask <= 0 || (*mask & (*mask + 1)) != 0) return false;
      llvm::Value* below = builder_.CreateICmpULT(load(operands[1]), literal(count_bits(static_cast<Word>(*mask))));
      store(instruction.result, builder_.CreateZExt(below, integer_));
      return true;
    }
    if (instruction.op == Op::next_in && emitter_.all_stay()) {
      llvm::Value* next = builder_.CreateAdd(load(operands[0]), literal(1));
      llvm::Value* is_seat = builder_.CreateICmpULT(next, literal(emitter_.program.layout.players));
      store(instruction.result, builder_.CreateSelect(is_seat, next, literal(0)));
      return true;
    }
    return false;
  }
  std::int64_t named_index() const {
    const std::size_t own = emitter_.program.playout.functions.size();
    return index_ < own ? index_ : emitter_.shown_as[index_ - own];
  }
  bool stepwise() const { return emitter_.form == Form::step; }
  // A function with an int result returns it together with its status in registers. All exits join in one block with
  // two separate phis, because after inlining LLVM does not split a phi of pairs.
  void leave_with(llvm::Value* status, llvm::Value* value = nullptr) {
    if (from_.returns != ir::Returns::integer) {
      builder_.CreateRet(status);
      return;
    }
    if (!left_) left_ = new_block("left");
    left_from_.push_back({builder_.GetInsertBlock(), status, value ? value : literal(0)});
    builder_.CreateBr(left_);
  }
  void close_returns() {
    if (!left_) return;
    builder_.SetInsertPoint(left_);
    const auto count = static_cast<unsigned>(left_from_.size());
    llvm::PHINode* status = builder_.CreatePHI(status_, count);
    llvm::PHINode* value = builder_.CreatePHI(integer_, count);
    for (const WayOut& way : left_from_)
      status->addIncoming(way.status, way.from), value->addIncoming(way.value, way.from);
    llvm::Value* both = builder_.CreateInsertValue(llvm::PoisonValue::get(to_->getReturnType()), status, 0);
    builder_.CreateRet(builder_.CreateInsertValue(both, value, 1));
  }

  void operate(const ir::Instruction& instruction) {
    llvm::Function* operation = emitter_.operations.specialized(instruction);
    if (!operation) {
      error_ = "runtime/ops has no `" + printed_name(instruction.op) + "`";
      return;
    }
    const ir::OpShape& shape = ir::shape_of(instruction.op);
    const bool may_trap = shape.has('T');
    std::vector<llvm::Value*> arguments{game_, is_of_held(instruction) ? held_ : state_};
    ir::for_each_register(instruction, [&](std::int64_t r, char letter) {
      arguments.push_back(letter == 'i' ? load(r) : slot(r));
      if (letter == 'a') arguments.push_back(literal(from_.registers[static_cast<std::size_t>(r)].length));
    });
    if (shape.result() == 'i' && may_trap) forget(registers_[instruction.result]);
    if (shape.result() == 's' || (shape.result() == 'i' && may_trap))
      arguments.push_back(registers_[instruction.result]);
    llvm::Value* value = builder_.CreateCall(operation, arguments);
    if (may_trap)
      check(value, instruction.where);
    else if (shape.result() == 'i')
      store(instruction.result, builder_.CreateZExtOrTrunc(value, integer_));
  }

  // After a trap the result is poison. With any other value, LLVM would keep the register's previous value alive.
  void forget(llvm::Value* result) { builder_.CreateStore(llvm::PoisonValue::get(integer_), result); }

  bool is_of_held(const ir::Instruction& instruction) const {
    const std::size_t at = ir::shape_of(instruction.op).operands().find('V');
    return at != std::string_view::npos && emitter_.is_held(instruction.operands[at]);
  }

  void call(const ir::Instruction& instruction) {
    const ir::FunctionIndex callee = view::call(instruction).callee();
    const ir::Function& function = emitter_.code.functions[callee];
    std::vector<llvm::Value*> arguments{game_, state_};
    // An outlined function runs at most once per game. The held variables are copied to memory only for this call, so
    // that they can stay in registers elsewhere.
    const bool apart = held_ && callee >= emitter_.program.playout.functions.size();
    llvm::Value* held = apart ? temporary(emitter_.held_type()) : held_;
    const std::vector<char> used = apart ? emitter_.held_in(callee) : std::vector<char>();
    if (apart) emitter_.copy_held(builder_, used, held_, held);
    if (held) arguments.push_back(held);
    for (std::size_t i = 0; i < view::call(instruction).arguments(); ++i) {
      const ir::Register r = view::call(instruction).argument(i);
      arguments.push_back(from_.registers[r].kind == ir::RegisterKind::set ? slot(r) : load(r));
    }
    const bool returns_set = function.returns == ir::Returns::set,
               returns_integer = function.returns == ir::Returns::integer;
    // The result must not alias an argument, because the callee declares both noalias.
    llvm::Value* result = returns_set ? temporary(set_type()) : nullptr;
    if (result) arguments.push_back(result);
    llvm::Value* returned = builder_.CreateCall(emitter_.declare(callee), arguments);
    if (apart) emitter_.copy_held(builder_, used, held, held_);
    llvm::Value* failed =
        builder_.CreateICmpNE(returns_integer ? builder_.CreateExtractValue(returned, 0) : returned, status(0));
    auto* next = new_block("");
    auto* from = builder_.GetInsertBlock();
    builder_.CreateCondBr(failed, unwound(), next, unlikely());
    unwound_from_.emplace_back(from, number_of(instruction.where));
    builder_.SetInsertPoint(next);
    if (instruction.result == ir::kNoRegister) return;
    if (returns_set)
      copy_set(registers_[instruction.result], result);
    else if (returns_integer)
      store(instruction.result, builder_.CreateExtractValue(returned, 1));
  }
  llvm::Value* temporary(llvm::Type* type) {
    llvm::BasicBlock& entry = to_->getEntryBlock();
    return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  }

  void branch(const view::branch& on) {
    llvm::Value* condition = builder_.CreateICmpNE(load(on.condition()), literal(0));
    builder_.CreateCondBr(condition, block(on.then()), block(on.otherwise()));
  }
  void switch_over(const view::switch_& on) {
    auto* made = builder_.CreateSwitch(load(on.value()), block(on.otherwise()), static_cast<unsigned>(on.cases() + 1));
    std::set<std::int64_t> seen;   // the first of several equal cases takes precedence
    for (std::size_t i = 0; i < on.cases(); ++i)
      if (seen.insert(on.value_of(i)).second) made->addCase(literal(on.value_of(i)), block(on.target_of(i)));
  }

  void fill_array(std::int64_t array, llvm::Value* value) {
    const std::uint32_t length = from_.registers[static_cast<std::size_t>(array)].length;
    constexpr std::uint32_t kUnrolled = 32;
    if (length <= kUnrolled) {
      for (std::uint32_t i = 0; i < length; ++i)
        builder_.CreateStore(value, builder_.CreateConstGEP1_32(integer_, slot(array), i));
      return;
    }
    auto* before = builder_.GetInsertBlock();
    auto* loop = new_block("fill");
    auto* done = new_block("filled");
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* i = builder_.CreatePHI(integer_, 2);
    builder_.CreateStore(value, builder_.CreateGEP(integer_, slot(array), i));
    llvm::Value* next = builder_.CreateAdd(i, literal(1));
    i->addIncoming(literal(0), before);
    i->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, literal(length)), loop, done);
    builder_.SetInsertPoint(done);
  }

  // ---- decisions
  void list(llvm::Value* id) {
    if (!stepwise()) return;
    llvm::Value* count = load_field(offsetof(Game, offers_count));
    auto* room = new_block("room");
    auto* done = new_block("listed");
    builder_.CreateCondBr(builder_.CreateICmpULT(count, load_field(offsetof(Game, offers_capacity))), room, done);
    builder_.SetInsertPoint(room);
    llvm::Value* offers = builder_.CreateLoad(pointer_, field(offsetof(Game, offers)));
    builder_.CreateStore(id, builder_.CreateGEP(integer_, offers, count));
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    store_field(offsetof(Game, offers_count), builder_.CreateAdd(count, literal(1)));
  }

  void decide(const ir::Instruction& instruction) {
    const view::decide asked(instruction);
    llvm::Function* operation = emitter_.operations.decide(stepwise(), asked.site());
    if (!operation) {
      error_ = "runtime/ops has no `decide`";
      return;
    }
    llvm::Value* result = instruction.result != ir::kNoRegister ? registers_[instruction.result] : temporary(integer_);
    std::vector<llvm::Value*> arguments{game_, state_, load(asked.player()), load(asked.count()), result};
    forget(result);
    llvm::Value* code = builder_.CreateCall(operation, arguments);
    if (!stepwise()) return check(code, instruction.where);
    auto* suspended = new_block("suspended");
    auto* next = new_block("");
    builder_.CreateCondBr(builder_.CreateICmpEQ(code, status(kSuspend)), suspended, next);
    builder_.SetInsertPoint(suspended);
    leave_with(status(2));
    builder_.SetInsertPoint(next);
    check(code, instruction.where);
  }

  // ---- traps: each function has one cold block for its own traps and one for traps in functions it called
  llvm::MDNode* unlikely() { return llvm::MDBuilder(context_).createBranchWeights(1, 1u << 20); }
  llvm::BasicBlock* trapped() { return trapped_ ? trapped_ : trapped_ = new_block("trapped"); }
  llvm::BasicBlock* unwound() { return unwound_ ? unwound_ : unwound_ = new_block("unwound"); }

  // Branches to the trap block unless the status is 0.
  void check(llvm::Value* code, Range where) {
    code = builder_.CreateZExtOrTrunc(code, status_);
    auto* next = new_block("");
    auto* from = builder_.GetInsertBlock();
    builder_.CreateCondBr(builder_.CreateICmpNE(code, status(0)), trapped(), next, unlikely());
    trapped_from_.push_back({from, code, number_of(where)});
    builder_.SetInsertPoint(next);
  }
  void trap(llvm::Value* code, Range where) {
    trapped_from_.push_back({builder_.GetInsertBlock(), code, number_of(where)});
    builder_.CreateBr(trapped());
  }

  void close_cold_blocks() {
    if (trapped_) {
      builder_.SetInsertPoint(trapped_);
      const auto count = static_cast<unsigned>(trapped_from_.size());
      llvm::PHINode* code = builder_.CreatePHI(status_, count);
      llvm::PHINode* place = builder_.CreatePHI(status_, count);
      for (const auto& [from, value, number] : trapped_from_) {
        code->addIncoming(value, from);
        place->addIncoming(status(number), from);
      }
      leave("cardwright_jit_trapped", {game_, code, status(named_index()), place_at(place)});
    }
    if (unwound_) {
      builder_.SetInsertPoint(unwound_);
      if (!from_.shown && !has_joined())
        leave_with(status(1));
      else {
        llvm::PHINode* place = builder_.CreatePHI(status_, static_cast<unsigned>(unwound_from_.size()));
        for (const auto& [from, number] : unwound_from_) place->addIncoming(status(number), from);
        leave("cardwright_jit_unwound", {game_, status(named_index()), place_at(place)});
      }
    }
    if (!places_.empty()) close_places();
  }
  // Calls a function of the host and returns status 1. The call is marked as cold, to keep this code out of the hot
  // path.
  void leave(const char* name, const std::vector<llvm::Value*>& arguments) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee host =
        emitter_.module.getOrInsertFunction(name, llvm::FunctionType::get(builder_.getVoidTy(), types, false));
    auto* call = builder_.CreateCall(host, arguments);
    call->addFnAttr(llvm::Attribute::Cold);
    call->addFnAttr(llvm::Attribute::NoInline);
    call->addFnAttr(llvm::Attribute::NoUnwind);
    leave_with(status(1));
  }
  bool has_joined() const {
    return std::any_of(from_.blocks.begin(), from_.blocks.end(),
                       [](const ir::Block& block) { return block.of != ir::kItself; });
  }
  std::int64_t number_of(Range where) {
    const std::array<std::uint32_t, 4> place{where.source, where.begin, where.end,
                                             of_ == ir::kItself ? static_cast<std::uint32_t>(named_index()) : of_};
    const auto [at, fresh] = numbers_.try_emplace(place, places_.size() / place.size());
    if (fresh) places_.insert(places_.end(), place.begin(), place.end());
    return static_cast<std::int64_t>(at->second);
  }
  llvm::Value* place_at(llvm::Value* number) {
    // Uses a placeholder until all places are known (close_places).
    if (!place_base_)
      place_base_ =
          llvm::cast<llvm::GlobalVariable>(emitter_.module.getOrInsertGlobal("places to come", builder_.getInt8Ty()));
    llvm::Value* offset = builder_.CreateMul(number, status(sizeof(Place)));
    return builder_.CreateGEP(builder_.getInt8Ty(), place_base_, offset);
  }
  void close_places() {
    if (!place_base_) return;
    auto* value = llvm::ConstantDataArray::get(context_, llvm::ArrayRef<std::uint32_t>(places_));
    llvm::GlobalVariable* global = emitter_.operations.constant("places of " + Emitter::name_of(index_), value);
    place_base_->replaceAllUsesWith(global);
    place_base_->eraseFromParent();
  }

  struct WayOut {
    llvm::BasicBlock* from;
    llvm::Value* status;
    llvm::Value* value;
  };
  struct TrapEdge {
    llvm::BasicBlock* from;
    llvm::Value* code;
    std::int64_t place;   // the result of number_of()
  };

  Emitter& emitter_;
  const ir::FunctionIndex index_;
  const ir::Function& from_;
  ir::FunctionIndex of_ = ir::kItself;   // the function to which the current block originally belonged
  llvm::Function* to_;
  std::string& error_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  llvm::Type* integer_ = nullptr;
  llvm::Type* status_ = nullptr;
  llvm::Type* pointer_ = nullptr;
  llvm::Value* game_ = nullptr;
  llvm::Value* state_ = nullptr;
  llvm::Value* held_ = nullptr;
  llvm::Value* result_ = nullptr;
  std::vector<llvm::Value*> registers_;
  std::vector<std::optional<std::int64_t>> literals_;
  std::vector<llvm::BasicBlock*> blocks_;
  llvm::BasicBlock* left_ = nullptr;
  std::vector<WayOut> left_from_;
  llvm::BasicBlock* trapped_ = nullptr;
  llvm::BasicBlock* unwound_ = nullptr;
  std::vector<TrapEdge> trapped_from_;
  std::vector<std::pair<llvm::BasicBlock*, std::int64_t>> unwound_from_;
  std::map<std::array<std::uint32_t, 4>, std::size_t> numbers_;
  std::vector<std::uint32_t> places_;
  llvm::GlobalVariable* place_base_ = nullptr;
};

}   // namespace

llvm::Function* Emitter::declare(ir::FunctionIndex index) {
  const std::string name = name_of(index);
  if (llvm::Function* there = module.getFunction(name)) return there;
  const ir::Function& function = code.functions[index];
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  std::vector<llvm::Type*> types(holds() ? 3 : 2, pointer);
  const std::size_t alone = types.size();
  for (const ir::Register r : function.parameters)
    types.push_back(function.registers[r].kind == ir::RegisterKind::set ? pointer : llvm::Type::getInt64Ty(context));
  if (function.returns == ir::Returns::set) types.push_back(pointer);
  llvm::Type* status = llvm::Type::getInt32Ty(context);
  llvm::Type* returned = function.returns == ir::Returns::integer
                             ? llvm::StructType::get(status, llvm::Type::getInt64Ty(context))
                             : status;
  auto* made = llvm::Function::Create(llvm::FunctionType::get(returned, types, false),
                                      llvm::GlobalValue::ExternalLinkage, name, module);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  if (is_playout(form) && index >= program.playout.functions.size()) {   // an outlined function
    made->addFnAttr(llvm::Attribute::Cold);
    made->addFnAttr(llvm::Attribute::NoInline);
  }
  for (unsigned i = 0; i < types.size(); ++i) {
    if (!types[i]->isPointerTy()) continue;
    made->addParamAttr(i, llvm::Attribute::NoCapture);
    // The same set can be passed for two parameters, so only the parameters below are noalias.
    if (i < alone || (i + 1 == types.size() && function.returns == ir::Returns::set))
      made->addParamAttr(i, llvm::Attribute::NoAlias);
  }
  state_invariants(made);
  return made;
}

bool Emitter::define(ir::FunctionIndex function, std::string& error) {
  return FunctionEmitter(*this, function, error).emit();
}

// Finds the variables that a playout can hold outside the State: single variables that are accessed only by operations
// that have the variable as an operand. `suppose` saves and restores the State, so a playout that contains it holds no
// variables.
void Emitter::find_held() {
  held_.assign(program.variables.size(), 0);
  std::vector<char> elsewhere(program.variables.size(), 0);
  for (const ir::Function& function : code.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.code) {
        if (instruction.op == Op::suppose) return held_.clear();
        const std::size_t at = ir::shape_of(instruction.op).operands().find('V');
        if (at == std::string_view::npos) continue;
        const auto variable = static_cast<std::size_t>(instruction.operands[at]);
        switch (instruction.op) {
          case Op::load:
          case Op::load_raw:
          case Op::load_known:
          case Op::store:
          case Op::store_known:
          case Op::clear:
          case Op::enter:
          case Op::leave: held_[variable] = 1; break;
          default: elsewhere[variable] = 1;   // other operations also read bytes after the variable, or draw cards
        }
      }
  bool any = false;
  for (std::size_t v = 0; v < held_.size(); ++v) {
    const VariableSlot& slot = program.variables[v];
    const bool written_by_moves = slot.offset == program.layout.stamp_clock;
    held_[v] = held_[v] && !elsewhere[v] && !written_by_moves && slot.count == 1 && !slot.is_set;
    any |= held_[v] != 0;
  }
  if (!any) held_.clear();
}

llvm::Type* Emitter::held_type() {
  Int end = 0;
  for (std::size_t v = 0; v < held_.size(); ++v)
    if (held_[v]) end = std::max(end, program.variables[v].offset + program.variables[v].bytes);
  return llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), static_cast<std::uint64_t>((end + 7) / 8));
}

llvm::Value* Emitter::take_held(llvm::IRBuilder<>& builder, llvm::Value* state) {
  llvm::Value* held = builder.CreateAlloca(held_type(), nullptr, "held");
  copy_held(builder, held_, state, held);
  return held;
}

std::vector<char> Emitter::held_in(ir::FunctionIndex function) const {
  std::vector<char> used(held_.size(), 0), seen(code.functions.size(), 0);
  std::vector<ir::FunctionIndex> work{function};
  while (!work.empty()) {
    const ir::FunctionIndex f = work.back();
    work.pop_back();
    if (std::exchange(seen[f], 1)) continue;
    for (const ir::Block& block : code.functions[f].blocks)
      for (const ir::Instruction& instruction : block.code) {
        if (ir::is_call(instruction.op)) work.push_back(view::call(instruction).callee());
        const std::size_t at = ir::shape_of(instruction.op).operands().find('V');
        if (at != std::string_view::npos && is_held(instruction.operands[at]))
          used[static_cast<std::size_t>(instruction.operands[at])] = 1;
      }
  }
  return used;
}

void Emitter::copy_held(llvm::IRBuilder<>& builder, const std::vector<char>& which, llvm::Value* from,
                        llvm::Value* to) {
  llvm::Type* byte = builder.getInt8Ty();
  for (std::size_t v = 0; v < which.size(); ++v) {
    if (!which[v]) continue;
    auto* type = builder.getIntNTy(static_cast<unsigned>(8 * program.variables[v].bytes));
    const auto offset = static_cast<std::uint64_t>(program.variables[v].offset);
    llvm::Value* value =
        builder.CreateAlignedLoad(type, builder.CreateConstGEP1_64(byte, from, offset), llvm::Align(1));
    builder.CreateAlignedStore(value, builder.CreateConstGEP1_64(byte, to, offset), llvm::Align(1));
  }
}

// Declares that Game and State do not alias, have a minimum size, and can be written speculatively.
void Emitter::state_invariants(llvm::Function* function) const {
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::Attribute::AttrKind known[] = {llvm::Attribute::NoAlias, llvm::Attribute::NoCapture,
                                               llvm::Attribute::Writable};
    for (const llvm::Attribute::AttrKind attribute : known) function->addParamAttr(i, attribute);
    const Int bytes = is_playout(form) ? program.layout.live_end : program.layout.size;
    function->addDereferenceableParamAttr(i, i == 0 ? sizeof(Game) : static_cast<std::uint64_t>(bytes));
  }
}

// Returns a constant with the initial bytes of the State that a playout needs.
llvm::GlobalVariable* Emitter::initial_state() {
  const auto size = static_cast<std::size_t>(program.layout.live_end);
  std::vector<std::uint64_t> words((size + 7) / 8);
  std::memcpy(words.data(), program.initial.data(), size);
  return operations.constant("initial", llvm::ConstantDataArray::get(module.getContext(), words));
}

// Emits code that initializes a State as new_playout_state does. A small State is stored word by word, so that LLVM can
// remove stores that are overwritten before they are read. These stores come last, because LLVM searches for a store
// only near the load.
void Emitter::make_state(llvm::IRBuilder<>& builder, llvm::Function* entry) {
  constexpr std::uint64_t kMostWords = 64;
  llvm::Type* integer = builder.getInt64Ty();
  llvm::Value* state = entry->getArg(1);
  const auto size = static_cast<std::uint64_t>(program.layout.live_end),
             streams = static_cast<std::uint64_t>(program.layout.streams);
  const bool together = size / 8 > kMostWords || size % 8 != 0 || streams % 8 != 0;
  if (together) builder.CreateMemCpy(state, llvm::MaybeAlign(1), initial_state(), llvm::MaybeAlign(8), size);
  llvm::Value* run = builder.CreateLoad(integer, entry->getArg(2));
  llvm::Value* game_index = builder.CreateLoad(integer, builder.CreateConstGEP1_64(integer, entry->getArg(2), 1));
  builder.CreateCall(operations.key_streams(), {entry->getArg(0), state, run, game_index});
  const std::uint64_t keyed = streams / 8, keyed_end = keyed + static_cast<std::uint64_t>(stream_count(program.layout));
  const auto* words = llvm::cast<llvm::ConstantDataArray>(initial_state()->getInitializer());
  for (unsigned i = 0; i < words->getNumElements() && !together; ++i)
    if (i < keyed || i >= keyed_end)
      builder.CreateAlignedStore(words->getElementAsConstant(i), builder.CreateConstGEP1_64(integer, state, i),
                                 llvm::Align(1));
}

llvm::Function* Emitter::define_entry(ir::FunctionIndex index) {
  const ir::Function& function = code.functions[index];
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* integer = llvm::Type::getInt64Ty(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer, pointer, pointer, pointer}, false);
  auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entry_name(index), module);
  entry->addFnAttr(llvm::Attribute::NoUnwind);
  state_invariants(entry);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  if (form == Form::game) make_state(builder, entry);
  std::vector<llvm::Value*> arguments{entry->getArg(0), entry->getArg(1)};
  if (holds()) arguments.push_back(take_held(builder, entry->getArg(1)));
  std::int64_t at = 0;
  for (const ir::Register r : function.parameters) {
    llvm::Value* place = builder.CreateConstGEP1_64(integer, entry->getArg(2), static_cast<std::uint64_t>(at));
    const bool is_set = function.registers[r].kind == ir::RegisterKind::set;
    arguments.push_back(is_set ? place : builder.CreateLoad(integer, place));
    at += is_set ? program.layout.words : 1;
  }
  if (function.returns == ir::Returns::set) arguments.push_back(entry->getArg(3));
  llvm::Value* returned = builder.CreateCall(declare(index), arguments);
  if (holds()) copy_held(builder, held_, arguments[2], entry->getArg(1));
  if (function.returns == ir::Returns::integer) {
    builder.CreateStore(builder.CreateExtractValue(returned, 1), entry->getArg(3));
    returned = builder.CreateExtractValue(returned, 0);
  }
  builder.CreateRet(returned);
  return entry;
}

}   // namespace cardwright::jit
