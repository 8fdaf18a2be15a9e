// Implements the LLVM passes KeepSingleBits and CountDown for cards drawn from sets.
#include "runtime/jit/drawn.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

namespace cardwright::jit {

namespace {

using namespace llvm::PatternMatch;

constexpr std::size_t kMostParts = 16;

// A word, represented as the intersection of values (false) and complements of values (true), in sorted order.
using Parts = std::vector<std::pair<llvm::Value*, bool>>;

void add_parts(llvm::Value* word, Parts& parts) {
  llvm::Value *a, *b;
  if (parts.size() > kMostParts) return;
  if (match(word, m_And(m_Value(a), m_Value(b))))
    add_parts(a, parts), add_parts(b, parts);
  else if (match(word, m_Not(m_Value(a))))
    parts.emplace_back(a, true);
  else
    parts.emplace_back(word, false);
}
void put_in_order(Parts& parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}
Parts parts_of(llvm::Value* word) {
  Parts parts;
  add_parts(word, parts);
  put_in_order(parts);
  return parts;
}

// Returns upper bounds of a draw. A bounded draw is the upper half of a product (runtime/ops/random.h), so it is less
// than both factors, a random word and the bound.
std::vector<llvm::Value*> factors_of(llvm::Value* drawn) {
  llvm::Value *a, *b;
  if (!match(drawn, m_Trunc(m_LShr(m_Mul(m_ZExt(m_Value(a)), m_ZExt(m_Value(b))), m_SpecificInt(64))))) return {};
  return {a, b};
}
// Returns the upper bounds that hold for every try of a draw.
std::vector<llvm::Value*> bounds_of(llvm::Value* drawn) {
  llvm::Value* place;
  if (match(drawn, m_And(m_Value(place), m_SpecificInt(63)))) drawn = place;
  auto* tries = llvm::dyn_cast<llvm::PHINode>(drawn);
  if (!tries) return factors_of(drawn);
  std::vector<llvm::Value*> bounds = factors_of(tries->getIncomingValue(0));
  for (llvm::Value* other : tries->incoming_values())
    std::erase_if(bounds, [factors = factors_of(other)](llvm::Value* bound) {
      return std::find(factors.begin(), factors.end(), bound) == factors.end();
    });
  return bounds;
}

// An element drawn from a set: its k-th element, with a random k.
struct Draw {
  llvm::Value* place;
  llvm::Value* set;
};
std::optional<Draw> draw_of(llvm::Value* one) {
  Draw draw{};
  if (!match(one,
             m_Intrinsic<llvm::Intrinsic::x86_bmi_pdep_64>(m_Shl(m_One(), m_Value(draw.place)), m_Value(draw.set))))
    return std::nullopt;
  return draw;
}

// Returns true if a branch on the path to the block proves that the set is not empty.
bool is_some(const llvm::DominatorTree& dominators, const Parts& set, llvm::BasicBlock* block) {
  for (auto* node = dominators.getNode(block)->getIDom(); node; node = node->getIDom()) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
    llvm::ICmpInst::Predicate predicate;
    llvm::Value* word;
    if (!branch || !branch->isConditional() ||
        !match(branch->getCondition(), m_ICmp(predicate, m_Value(word), m_Zero())) ||
        !llvm::ICmpInst::isEquality(predicate))
      continue;
    llvm::BasicBlock* some = branch->getSuccessor(predicate == llvm::CmpInst::ICMP_EQ ? 1 : 0);
    if (dominators.dominates(llvm::BasicBlockEdge(node->getBlock(), some), block) && parts_of(word) == set) return true;
  }
  return false;
}

class Counting {
 public:
  Counting(llvm::Function& function, llvm::DominatorTree& dominators) : function_(function), dominators_(dominators) {}

  bool run() {
    std::vector<llvm::Instruction*> counts;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
      for (llvm::Instruction& instruction : *block)
        if (match(&instruction, m_Intrinsic<llvm::Intrinsic::ctpop>()) && instruction.getType()->isIntegerTy(64))
          counts.push_back(&instruction);
    bool changed = false;
    for (llvm::Instruction* count : counts) changed |= replace(count);
    return changed;
  }

 private:
  bool replace(llvm::Instruction* count) {
    llvm::Value* known = count_of(parts_of(count->getOperand(0)));
    if (!known) return false;
    count->replaceAllUsesWith(known);
    count->eraseFromParent();
    return true;
  }

  // Returns the count of a set, or null if it is not known without counting.
  llvm::Value* count_of(const Parts& parts) {
    if (const auto there = known_.find(parts); there != known_.end()) return there->second;
    if (parts.size() > kMostParts) return nullptr;
    for (const auto& [value, is_out] : parts)
      if (llvm::Value* before = is_out ? count_before(value, parts) : nullptr) {
        llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(value)->getNextNode());
        ++drawn_;
        return make(parts, builder.CreateSub(before, builder.getInt64(1), "", true, true));
      }
    const std::size_t made_before = made_.size();
    const int drawn_before = drawn_;
    llvm::Value* count = merge_counts(parts);
    if (!count) take_back(made_before), drawn_ = drawn_before;
    return count;
  }

  // Returns the count of the set from which `one` was drawn, so that the parts `after` remained. Returns null if `one`
  // was not drawn, or if the set may have been empty.
  llvm::Value* count_before(llvm::Value* one, const Parts& after) {
    const auto draw = draw_of(one);
    if (!draw) return nullptr;
    Parts before = parts_of(draw->set), all = before;
    all.emplace_back(one, true);
    put_in_order(all);
    if (all != after || !is_some(dominators_, before, llvm::cast<llvm::Instruction>(one)->getParent())) return nullptr;
    return find_count(draw->place, before);
  }
  // Returns the count that was used for the draw.
  llvm::Value* find_count(llvm::Value* place, const Parts& set) {
    const std::vector<llvm::Value*> bounds = bounds_of(place);
    const auto at = std::find_if(bounds.begin(), bounds.end(), [&](llvm::Value* bound) { return counts(bound, set); });
    return at == bounds.end() ? nullptr : *at;
  }
  bool counts(llvm::Value* count, const Parts& set) const {
    llvm::Value* counted;
    if (match(count, m_Intrinsic<llvm::Intrinsic::ctpop>(m_Value(counted)))) return parts_of(counted) == set;
    const auto there = counted_.find(count);
    return there != counted_.end() && there->second == set;
  }
  // Creates a phi for the count in the block with the phis of the set. Before a loop, a set is counted only if the loop
  // draws from it.
  llvm::Value* merge_counts(const Parts& parts) {
    llvm::BasicBlock* block = merge_block(parts);
    if (!block) return nullptr;
    const auto is_back_edge = [&](llvm::BasicBlock* from) { return dominators_.dominates(block, from); };
    const bool is_loop = llvm::any_of(llvm::predecessors(block), is_back_edge);
    const int drawn_before = drawn_;
    llvm::IRBuilder<> builder(block, block->begin());
    auto* count = llvm::cast<llvm::PHINode>(
        make(parts, builder.CreatePHI(builder.getInt64Ty(), static_cast<unsigned>(llvm::pred_size(block)))));
    for (llvm::BasicBlock* from : llvm::predecessors(block)) {
      if (const int again = count->getBasicBlockIndex(from); again >= 0) {
        count->addIncoming(count->getIncomingValue(static_cast<unsigned>(again)), from);
        continue;
      }
      const Parts there = translated(parts, block, from);
      llvm::Value* value = count_of(there);
      if (!value && is_loop && !is_back_edge(from)) value = count_at(from->getTerminator(), there);
      if (!value) return nullptr;
      count->addIncoming(value, from);
    }
    return is_loop && drawn_ == drawn_before ? nullptr : count;
  }
  // Returns the block that has phis among the parts and is dominated by the definitions of all other parts.
  llvm::BasicBlock* merge_block(const Parts& parts) const {
    for (const auto& [value, is_out] : parts) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
      const auto fits = [&](const auto& part) {
        auto* other = llvm::dyn_cast<llvm::Instruction>(part.first);
        return !other || (other->getParent() == phi->getParent()
                              ? llvm::isa<llvm::PHINode>(other)
                              : dominators_.properlyDominates(other->getParent(), phi->getParent()));
      };
      if (phi && !is_out && llvm::all_of(parts, fits)) return phi->getParent();
    }
    return nullptr;
  }
  static Parts translated(const Parts& parts, llvm::BasicBlock* block, llvm::BasicBlock* from) {
    Parts there;
    for (const auto& [value, is_out] : parts) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
      llvm::Value* incoming = phi && phi->getParent() == block ? phi->getIncomingValueForBlock(from) : value;
      if (is_out)
        there.emplace_back(incoming, true);
      else
        add_parts(incoming, there);
    }
    put_in_order(there);
    return there;
  }
  llvm::Value* count_at(llvm::Instruction* place, const Parts& parts) {
    llvm::IRBuilder<> builder(place);
    llvm::Value* all = nullptr;
    for (const auto& [value, is_out] : parts) {
      llvm::Value* part = is_out ? remember(builder.CreateNot(value)) : value;
      all = all ? remember(builder.CreateAnd(all, part)) : part;
    }
    return remember(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, all));
  }

  llvm::Value* make(const Parts& parts, llvm::Value* count) {
    known_[parts] = count;
    counted_[count] = parts;
    return remember(count);
  }
  llvm::Value* remember(llvm::Value* made) {
    if (llvm::isa<llvm::Instruction>(made)) made_.push_back(llvm::cast<llvm::Instruction>(made));
    return made;
  }
  void take_back(std::size_t before) {
    for (std::size_t i = before; i < made_.size(); ++i) {
      if (const auto there = counted_.find(made_[i]); there != counted_.end())
        known_.erase(there->second), counted_.erase(there);
      made_[i]->replaceAllUsesWith(llvm::PoisonValue::get(made_[i]->getType()));
    }
    for (std::size_t i = before; i < made_.size(); ++i) made_[i]->eraseFromParent();
    made_.resize(before);
  }

  llvm::Function& function_;
  llvm::DominatorTree& dominators_;
  std::map<Parts, llvm::Value*> known_;
  std::map<llvm::Value*, Parts> counted_;
  std::vector<llvm::Instruction*> made_;   // in order of creation
  int drawn_ = 0;   // number of draws for which a count was decremented
};

// Simplifies uses of a single bit computed by pdep. LLVM does not know that pdep of a single bit is a single bit.
void keep_single_bit(llvm::Instruction& one) {
  for (llvm::User* of_one : llvm::make_early_inc_range(one.users())) {
    if (match(of_one, m_c_And(m_Specific(&one), m_Neg(m_Specific(&one))))) {
      of_one->replaceAllUsesWith(&one);
      continue;
    }
    if (!match(of_one, m_Intrinsic<llvm::Intrinsic::cttz>(m_Specific(&one)))) continue;
    for (llvm::User* of_place : llvm::make_early_inc_range(of_one->users())) {
      auto* use = llvm::cast<llvm::Instruction>(of_place);
      if (match(use, m_Shl(m_One(), m_Specific(of_one))))
        use->replaceAllUsesWith(&one);
      else if (match(use, m_FShl(m_SpecificInt(-2), m_SpecificInt(-2), m_Specific(of_one))))   // all bits but that one
        use->replaceAllUsesWith(llvm::BinaryOperator::CreateNot(&one, "", use->getIterator()));
    }
  }
}

llvm::PreservedAnalyses same_blocks(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}   // namespace

llvm::PreservedAnalyses KeepSingleBits::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (draw_of(&instruction)) keep_single_bit(instruction);
  return same_blocks(true);
}

llvm::PreservedAnalyses CountDown::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return same_blocks(Counting(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function)).run());
}

}   // namespace cardwright::jit
