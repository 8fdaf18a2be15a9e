// Loads the bitcode of runtime/ops and creates specialized operations.
#include "runtime/jit/operations.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Support/MemoryBuffer.h>

#include "runtime/ir/shape.h"
#include "ops_bitcode_data.h"
#include "runtime/ops/bits.h"

namespace cardwright::jit {

std::string printed_name(ir::Op op) {
  std::string name(ir::shape_of(op).name);
  if (name.back() == '_') name.pop_back();
  return name;
}

std::unique_ptr<llvm::Module> load_operations(llvm::LLVMContext& context, std::string& error) {
  const llvm::StringRef bytes(cardwright_ops_bitcode,
                              static_cast<std::size_t>(cardwright_ops_bitcode_end - cardwright_ops_bitcode));
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "operations"), context);
  if (module) {
    // The bitcode marks all operations as used; this removes the marks, because a game needs only the operations that
    // it calls.
    for (const char* list : {"llvm.used", "llvm.compiler.used"})
      if (llvm::GlobalVariable* used = (*module)->getNamedGlobal(list)) used->eraseFromParent();
    return std::move(*module);
  }
  error = "cannot read the bitcode of the operations: " + llvm::toString(module.takeError());
  return nullptr;
}

namespace {

// Removes the target CPU, because LLVM does not inline a function into one with another target CPU. optimize() sets the
// host's CPU for all code.
void forget_target(llvm::Function& function) {
  for (const char* attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                                "stack-protector-buffer-size", "min-legal-vector-width", "no-trapping-math"})
    function.removeFnAttr(attribute);
  function.removeFnAttr(llvm::Attribute::UWTable);
}

// Allows the unrolling of loops. They are not unrolled in the bitcode, where the number of words per set is unknown;
// the Layout makes it a constant.
void enable_unrolling(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    if (llvm::Instruction* last = block.getTerminator()) last->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
}

}   // namespace

bool keep_called_operations(llvm::Module& module, std::string& error) {
  // Reading a body can add calls to other functions, so this repeats until nothing more is read.
  for (bool read = true; read;) {
    read = false;
    for (llvm::Function& function : module) {
      if (!function.isMaterializable() || function.use_empty()) continue;
      if (llvm::Error failed = function.materialize()) {
        error = "cannot read the bitcode of the operations: " + llvm::toString(std::move(failed));
        return false;
      }
      read = true;
    }
  }
  std::vector<llvm::GlobalValue*> unused;
  for (llvm::Function& function : module)
    if (function.isMaterializable()) unused.push_back(&function);
  for (llvm::GlobalValue* function : unused) function->eraseFromParent();
  if (llvm::Error failed = module.materializeAll()) {
    error = "cannot read the bitcode of the operations: " + llvm::toString(std::move(failed));
    return false;
  }
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    forget_target(function);
    enable_unrolling(function);
    if (function.getName().starts_with("cardwright_op_") || function.hasLinkOnceLinkage() ||
        function.hasWeakLinkage()) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
      function.setComdat(nullptr);
      function.setDSOLocal(true);
    }
  }
  return true;
}

// Deletes the function's body and returns a builder for a new one. The function is inlined wherever it is called.
static llvm::IRBuilder<> with_new_body(llvm::Function& function) {
  function.deleteBody();
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::Cold);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  return llvm::IRBuilder<>(llvm::BasicBlock::Create(function.getContext(), "", &function));
}

void silence_sinks(llvm::Module& module, bool only_log) {
  for (llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    const bool is_sink = name.starts_with("cardwright_trace_") || name == "cardwright_note_change" ||
                         name.starts_with("cardwright_log_");
    if (!function.isDeclaration() || !function.getReturnType()->isVoidTy()) continue;
    if (!is_sink && (only_log || !name.starts_with("cardwright_note_"))) continue;
    with_new_body(function).CreateRetVoid();
  }
}

void fix_tracked_knowledge(llvm::Module& module, bool unknown_only) {
  llvm::Function* function = module.getFunction("cardwright_keeps_unknown_only");
  if (!function || function->isDeclaration()) return;
  llvm::IRBuilder<> builder = with_new_body(*function);
  builder.CreateRet(builder.getInt64(unknown_only));
}

void use_bit_instructions(llvm::Module& module) {
  const auto instead_of = [&](const char* name, auto&& write) {
    llvm::Function* function = module.getFunction(name);
    if (!function || function->isDeclaration()) return;
    llvm::IRBuilder<> builder = with_new_body(*function);
    builder.CreateRet(write(builder, *function));
  };
  const auto two_words = [](llvm::IRBuilder<>& builder, llvm::Intrinsic::ID which, llvm::Value* a, llvm::Value* b) {
    return builder.CreateIntrinsic(which, {}, {a, b});
  };
  // Deposits a single bit at the k-th set bit of the word, and returns its position.
  instead_of("cardwright_select_bit", [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    llvm::Value* one =
        builder.CreateShl(builder.getInt64(1), builder.CreateAnd(function.getArg(1), builder.getInt64(63)));
    llvm::Value* bit = two_words(builder, llvm::Intrinsic::x86_bmi_pdep_64, one, function.getArg(0));
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bit, builder.getTrue());
  });
  instead_of("cardwright_gather_bits", [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    return two_words(builder, llvm::Intrinsic::x86_bmi_pext_64, function.getArg(0), function.getArg(1));
  });
  instead_of("cardwright_spread_bits", [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    return two_words(builder, llvm::Intrinsic::x86_bmi_pdep_64, function.getArg(0), builder.getInt64(kEachByte));
  });
  instead_of("cardwright_gather_high_bits", [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    return two_words(builder, llvm::Intrinsic::x86_bmi_pext_64, function.getArg(0), builder.getInt64(kHighBits));
  });
}

llvm::GlobalVariable* Operations::constant(const std::string& name, llvm::Constant* value) {
  auto* global = llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(name, value->getType()));
  if (global->hasInitializer()) return global;
  global->setInitializer(value);
  global->setConstant(true);
  global->setLinkage(llvm::GlobalValue::PrivateLinkage);
  global->setAlignment(llvm::Align(8));
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Constant* Operations::words(const std::string& name, const void* data, std::size_t count) {
  const llvm::ArrayRef<std::uint64_t> values(static_cast<const std::uint64_t*>(data), count);
  return constant(name, llvm::ConstantDataArray::get(module_.getContext(), values));
}

// These structs consist of 64-bit integers, which LLVM's load folding handles best.
static_assert(sizeof(Layout) % 8 == 0 && sizeof(VariableSlot) % 8 == 0 && sizeof(ZoneSlot) % 8 == 0);

llvm::Constant* Operations::layout() { return words("layout", &layout_, sizeof(Layout) / 8); }
bool Operations::uses_bottoms() const {
  return ir::has_instruction(code_, [](const ir::Instruction& instruction) {
    const bool moves = instruction.op == ir::Op::move_card || instruction.op == ir::Op::move_cards;
    return instruction.op == ir::Op::zone_bottom || instruction.op == ir::Op::zone_bottom_n ||
           (moves && instruction.operands[3] & 1);
  });
}
llvm::Constant* Operations::variable(std::int64_t index) {
  return words("variable " + std::to_string(index), &program_.variables[static_cast<std::size_t>(index)],
               sizeof(VariableSlot) / 8);
}
llvm::Constant* Operations::zone(std::int64_t index) {
  return words("zone " + std::to_string(index), &program_.zones[static_cast<std::size_t>(index)], sizeof(ZoneSlot) / 8);
}
llvm::Constant* Operations::set(std::int64_t index) {
  const auto& set = code_.sets[static_cast<std::size_t>(index)];
  return words("set " + std::to_string(index), set.data(), set.size());
}
llvm::Constant* Operations::table(std::int64_t index) {
  const auto& table = code_.tables[static_cast<std::size_t>(index)];
  return words("table " + std::to_string(index), table.data(), table.size());
}

llvm::Function* Operations::specialized(const ir::Instruction& instruction) {
  const ir::OpShape& shape = ir::shape_of(instruction.op);
  std::string name = printed_name(instruction.op);
  for (std::size_t i = 0; i < shape.operands().size(); ++i)
    if (std::string_view("KVZCTF").find(shape.operands()[i]) != std::string_view::npos)
      name += std::string(1, ' ') + shape.operands()[i] + std::to_string(instruction.operands[i]);
  if (llvm::Function* there = module_.getFunction(name)) return there;
  llvm::Function* operation = module_.getFunction("cardwright_op_" + printed_name(instruction.op));
  if (!operation) operation = module_.getFunction(std::string("cardwright_op_").append(shape.name));
  return operation ? specialize(instruction, operation, name) : nullptr;
}

llvm::Function* Operations::specialize(const ir::Instruction& instruction, llvm::Function* operation,
                                       const std::string& name) {
  const ir::OpShape& shape = ir::shape_of(instruction.op);
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* integer = llvm::Type::getInt64Ty(context);

  std::vector<llvm::Type*> types;
  for (const char letter : shape.operands()) {
    if (letter == 'i') types.push_back(integer);
    if (letter == 's') types.push_back(pointer);
    if (letter == 'a') types.insert(types.end(), {pointer, integer});
  }
  const bool by_pointer = shape.result() == 's' || (shape.result() == 'i' && shape.has('T'));
  if (by_pointer) types.push_back(pointer);
  llvm::Function* function = inlined(name, operation->getReturnType(), types);

  auto argument = function->arg_begin();
  std::vector<llvm::Value*> arguments{argument++, argument++, layout()};
  for (std::size_t i = 0; i < shape.operands().size(); ++i) {
    const std::int64_t operand = instruction.operands.empty() ? 0 : instruction.operands[i];
    switch (shape.operands()[i]) {
      case 'i':
      case 's': arguments.push_back(argument++); break;
      case 'a':
        arguments.push_back(argument++);
        arguments.push_back(argument++);
        break;
      case 'K':
      case 'F': arguments.push_back(llvm::ConstantInt::getSigned(integer, operand)); break;
      case 'V': arguments.push_back(variable(operand)); break;
      case 'Z': arguments.push_back(zone(operand)); break;
      case 'C': arguments.push_back(set(operand)); break;
      case 'T':
        arguments.push_back(table(operand));
        arguments.push_back(llvm::ConstantInt::get(integer, code_.tables[static_cast<std::size_t>(operand)].size()));
        break;
    }
  }
  if (by_pointer) arguments.push_back(argument++);
  forward(function, operation, arguments);
  return function;
}

llvm::Function* Operations::inlined(const std::string& name, llvm::Type* result,
                                    llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::Type* pointer = llvm::PointerType::get(module_.getContext(), 0);
  std::vector<llvm::Type*> types{pointer, pointer};
  types.insert(types.end(), parameters.begin(), parameters.end());
  auto* function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                          llvm::GlobalValue::InternalLinkage, name, module_);
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->addParamAttr(1, llvm::Attribute::NoAlias);
  return function;
}

void Operations::forward(llvm::Function* from, llvm::Function* to, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "", from));
  llvm::CallInst* call = builder.CreateCall(to, arguments);
  call->addFnAttr(llvm::Attribute::AlwaysInline);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

llvm::Function* Operations::decide(bool stepwise, std::int64_t site) {
  const std::string name = stepwise ? "decide K" + std::to_string(site) : "decide";
  if (llvm::Function* there = module_.getFunction(name)) return there;
  llvm::Function* operation =
      module_.getFunction(stepwise ? "cardwright_op_decide_step" : "cardwright_op_decide_playout");
  if (!operation) return nullptr;
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* integer = llvm::Type::getInt64Ty(context);
  llvm::Function* function =
      inlined(name, operation->getReturnType(), {integer, integer, llvm::PointerType::get(context, 0)});
  std::vector<llvm::Value*> arguments{function->getArg(0), function->getArg(1), layout(), function->getArg(2),
                                      function->getArg(3)};
  if (stepwise) arguments.push_back(llvm::ConstantInt::getSigned(integer, site));
  arguments.push_back(function->getArg(4));
  forward(function, operation, arguments);
  return function;
}

llvm::Function* Operations::key_streams() {
  llvm::Type* integer = llvm::Type::getInt64Ty(module_.getContext());
  llvm::Function* operation = module_.getFunction("cardwright_op_key_streams");
  llvm::Function* function = inlined("key_streams", operation->getReturnType(), {integer, integer});
  forward(function, operation, {layout(), function->getArg(1), function->getArg(2), function->getArg(3)});
  return function;
}

}   // namespace cardwright::jit
