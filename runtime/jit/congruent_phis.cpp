// Implements MergeCongruentPhis, an LLVM pass that merges phis whose values are always equal.
#include "runtime/jit/congruent_phis.h"

#include <set>
#include <utility>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace cardwright::jit {

namespace {

constexpr int kMostCompared = 400;   // limit of value pairs compared for one pair of phis

// Checks whether two phis are always equal. The check assumes that all pairs of phis that it encounters are equal; if
// it succeeds, all these pairs are proven equal, otherwise none is.
class Comparison {
 public:
  bool are_same(llvm::Value* a, llvm::Value* b) {
    if (a == b) return true;
    if (++compared_ > kMostCompared) return false;
    auto* first = llvm::dyn_cast<llvm::Instruction>(a);
    auto* second = llvm::dyn_cast<llvm::Instruction>(b);
    if (!first || !second || !first->isSameOperationAs(second) || !first->hasSameSubclassOptionalData(second))
      return false;
    if (llvm::isa<llvm::PHINode>(first))
      return are_duplicates(llvm::cast<llvm::PHINode>(first), llvm::cast<llvm::PHINode>(second));
    if (first->mayReadOrWriteMemory() || first->isTerminator() || llvm::isa<llvm::AllocaInst>(first) ||
        llvm::isa<llvm::FreezeInst>(first))
      return false;
    const auto before = assumed_;
    if (have_same_operands(*first, *second, 0, 1)) return true;
    assumed_ = before;   // discard assumptions that were not proven
    return first->isCommutative() && first->getNumOperands() == 2 && have_same_operands(*first, *second, 1, 0);
  }

 private:
  bool have_same_operands(llvm::Instruction& a, llvm::Instruction& b, unsigned first, unsigned second) {
    for (unsigned i = 0; i < a.getNumOperands(); ++i)
      if (!are_same(a.getOperand(i), b.getOperand(i == 0 ? first : i == 1 ? second : i))) return false;
    return true;
  }
  bool are_duplicates(llvm::PHINode* a, llvm::PHINode* b) {
    if (a->getParent() != b->getParent()) return false;
    if (!assumed_.insert({a, b}).second) return true;
    for (unsigned i = 0; i < a->getNumIncomingValues(); ++i)
      if (!are_same(a->getIncomingValue(i), b->getIncomingValueForBlock(a->getIncomingBlock(i)))) return false;
    return true;
  }

  std::set<std::pair<llvm::PHINode*, llvm::PHINode*>> assumed_;
  int compared_ = 0;
};

bool merge_duplicates(llvm::BasicBlock& block) {
  bool changed = false;
  for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis()))
    for (llvm::PHINode& before : block.phis()) {
      if (&before == &phi) break;
      if (before.getType() != phi.getType() || !Comparison().are_same(&before, &phi)) continue;
      phi.replaceAllUsesWith(&before);
      phi.eraseFromParent();
      changed = true;
      break;
    }
  return changed;
}

}   // namespace

llvm::PreservedAnalyses MergeCongruentPhis::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed |= merge_duplicates(block);
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}   // namespace cardwright::jit
