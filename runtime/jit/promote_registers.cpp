// Implements PromoteRegisters, an LLVM pass that promotes IR registers from stack slots to values.
#include "runtime/jit/promote_registers.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace cardwright::jit {

namespace {

constexpr std::size_t kFewRegisters = 200;   // up to this number of registers, LLVM's own pass is as fast
// Longer registers are arrays, whose elements can have variable indices.
constexpr std::uint64_t kMostWords = 8;

// One word of a register, with all its loads and stores in order, grouped by block.
struct RegisterWord {
  llvm::Type* type;
  std::vector<llvm::Instruction*> uses;
};

class Promotion {
 public:
  Promotion(llvm::Function& function, const llvm::DominatorTree& order) : function_(function), order_(order) {}

  bool run() {
    for (llvm::Instruction& instruction : function_.getEntryBlock())
      if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) collect(*memory);
    if (registers_.size() < kFewRegisters) return false;
    for (llvm::BasicBlock& block : function_)
      for (llvm::Instruction& instruction : block)
        if (const auto word = words_.find(llvm::getLoadStorePointerOperand(&instruction)); word != words_.end())
          all_[word->second].uses.push_back(&instruction);
    for (const RegisterWord& word : all_) promote(word);
    for (auto& [load, value] : read_) load->replaceAllUsesWith(known(value));
    for (const RegisterWord& word : all_)
      for (llvm::Instruction* use : word.uses) use->eraseFromParent();
    for (llvm::AllocaInst* memory : registers_) erase(*memory);
    return true;
  }

 private:
  // Collects the words of a register if they are only loaded and stored, as whole words at fixed offsets.
  void collect(llvm::AllocaInst& memory) {
    llvm::Type* type = memory.getAllocatedType();
    auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
    llvm::Type* word = array ? array->getElementType() : type;
    const std::uint64_t count = array ? array->getNumElements() : 1;
    if (!word->isIntegerTy() || word->getIntegerBitWidth() % 8 != 0 || count > kMostWords || memory.isArrayAllocation())
      return;
    std::vector<std::pair<llvm::Value*, std::uint64_t>> places;
    if (!find_places(memory, 0, *word, count, places)) return;
    for (const auto& [place, index] : places) words_[place] = all_.size() + index;
    for (std::uint64_t i = 0; i < count; ++i) all_.push_back({word, {}});
    registers_.push_back(&memory);
  }

  bool find_places(llvm::Instruction& pointer, std::uint64_t at, llvm::Type& word, std::uint64_t count,
                   std::vector<std::pair<llvm::Value*, std::uint64_t>>& places) const {
    const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
    const std::uint64_t size = layout.getTypeStoreSize(&word);
    places.emplace_back(&pointer, at / size);
    for (llvm::User* user : pointer.users()) {
      auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (instruction->isLifetimeStartOrEnd()) continue;
      if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        llvm::APInt offset(64, 0);
        if (!element->accumulateConstantOffset(layout, offset)) return false;
        const std::uint64_t there = at + offset.getZExtValue();
        if (there % size != 0 || there / size >= count || !find_places(*element, there, word, count, places))
          return false;
        continue;
      }
      if (llvm::getLoadStorePointerOperand(instruction) != &pointer || llvm::getLoadStoreType(instruction) != &word)
        return false;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction); load && !load->isSimple()) return false;
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
          store && (!store->isSimple() || store->getValueOperand() == &pointer))
        return false;
    }
    return true;
  }

  // Promotes a word with a single store that dominates all loads.
  bool promote_single(const RegisterWord& word) {
    llvm::StoreInst* written = nullptr;
    for (llvm::Instruction* use : word.uses)
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(use)) {
        if (written) return false;
        written = store;
      }
    if (!written) return false;
    for (llvm::Instruction* use : word.uses)
      if (use != written && !order_.dominates(written, use)) return false;
    for (llvm::Instruction* use : word.uses)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(use)) read(*load, written->getValueOperand());
    return true;
  }

  void promote(const RegisterWord& word) {
    if (promote_single(word)) return;
    llvm::SSAUpdater values;
    values.Initialize(word.type, "r");
    std::vector<llvm::LoadInst*> from_before;   // loads before any store of their block
    for (auto use = word.uses.begin(); use != word.uses.end();) {
      llvm::BasicBlock* block = (*use)->getParent();
      llvm::Value* value = nullptr;
      for (; use != word.uses.end() && (*use)->getParent() == block; ++use) {
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(*use))
          value = store->getValueOperand();
        else if (value)
          read(*llvm::cast<llvm::LoadInst>(*use), value);
        else
          from_before.push_back(llvm::cast<llvm::LoadInst>(*use));
      }
      if (value) values.AddAvailableValue(block, value);
    }
    for (llvm::LoadInst* load : from_before) read(*load, values.GetValueInMiddleOfBlock(load->getParent()));
  }

  void read(llvm::LoadInst& load, llvm::Value* value) {
    read_[&load] = value;
    load.replaceAllUsesWith(known(value));
  }
  // Returns the value that replaces `value`, which may be a load that was itself replaced.
  llvm::Value* known(llvm::Value* value) {
    for (std::size_t steps = 0; steps <= read_.size(); ++steps) {
      const auto found = read_.find(value);
      if (found == read_.end()) return value;
      value = found->second;
    }
    return llvm::PoisonValue::get(value->getType());   // a cycle of loads
  }

  static void erase(llvm::Instruction& pointer) {
    for (llvm::User* user : llvm::make_early_inc_range(pointer.users())) erase(*llvm::cast<llvm::Instruction>(user));
    pointer.eraseFromParent();
  }

  llvm::Function& function_;
  const llvm::DominatorTree& order_;
  std::vector<llvm::AllocaInst*> registers_;
  llvm::DenseMap<const llvm::Value*, std::size_t> words_;   // by address
  std::vector<RegisterWord> all_;
  llvm::MapVector<llvm::Value*, llvm::Value*> read_;
};

}   // namespace

llvm::PreservedAnalyses PromoteRegisters::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!Promotion(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function)).run())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}   // namespace cardwright::jit
