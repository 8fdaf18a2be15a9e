// Runs LLVM's passes over a game's module in three rounds:
// 1. Each operation, specialized to its literals, is optimized once: loops over the words of a set unroll, and the
// layout folds. In a very large game, the longest operations are then called instead of inlined.
// 2. The game's functions are optimized bottom-up: operations and small functions are inlined, and registers become
// values.
// 3. Each remaining function gets the full pipeline. By then, arguments that are always the same (the layout) have been
// folded into helpers. At the end, KeepSingleBits avoids conversions between a drawn card and the set that contains
// only this card.
#include "runtime/jit/optimize.h"

#include <algorithm>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "runtime/jit/drawn.h"
#include "runtime/jit/promote_registers.h"
#include "runtime/jit/periodic_unroll.h"
#include "runtime/jit/congruent_phis.h"
#include "runtime/ops/sets.h"

namespace cardwright::jit {

namespace {

constexpr const char* kOperationPasses =
    "sroa<modify-cfg>,early-cse,simplifycfg,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "loop(loop-rotate,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,early-cse<memssa>,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,early-cse";
// Passes that vectorize code for sets of many words.
constexpr const char* kWidePasses = "slp-vectorizer,instcombine<max-iterations=1;no-verify-fixpoint>,early-cse";
// Jump threading and value range analysis run before passes that turn branches into selects, because most checks of an
// operation are implied by the one before it. In the reverse order the code is half as fast. All of O2 would take three
// times as long, and the speed of its code would differ by less than 5%. Loop-invariant code is hoisted when no
// duplicate loads are left.
constexpr const char* kGamePasses =
    "cgscc(inline,function<eager-inv>(promote-registers,sroa<modify-cfg>,early-cse,simplifycfg)),globaldce,ipsccp,"
    "function<eager-inv>("
    "sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg,"
    "index-tables,instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,"
    "loop(loop-deletion,loop-unroll-full),sroa<modify-cfg>,gvn,loop-mssa(loop-rotate,licm<allowspeculation>),adce,dse,"
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;hoist-common-insts;"
    "sink-common-insts>,instcombine<max-iterations=1;no-verify-fixpoint>)";

// Passes for loops that were unrolled by a period. Values that are the same in every iteration of a copy become
// constants; then memory at a fixed address can be promoted to registers.
constexpr const char* kRoundsPasses =
    "sroa<modify-cfg>,sccp,simplifycfg,instcombine<max-iterations=1;no-verify-fixpoint>,gvn,loop-mssa(licm<"
    "allowspeculation>),simplifycfg";

void give_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

// Returns the call to inline in a specialized operation, which is a function with one call.
llvm::CallInst* call_inside(llvm::Function& function) {
  if (function.isDeclaration() || function.size() != 1 || !function.hasFnAttribute(llvm::Attribute::AlwaysInline))
    return nullptr;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&function.getEntryBlock().front());
  return call && call->hasFnAttr(llvm::Attribute::AlwaysInline) ? call : nullptr;
}

void specialise_operations(llvm::Module& module, llvm::FunctionPassManager& passes,
                           llvm::FunctionAnalysisManager& analyses) {
  for (llvm::Function& function : module) {
    llvm::CallInst* call = call_inside(function);
    if (!call) continue;
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(*call, info).isSuccess()) continue;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    analyses.invalidate(function, passes.run(function, analyses));
  }
}

// Factor by which inlining all operations may lengthen a module. Among the bundled games, only Splatter SHOOT exceeds
// it (2.05, for which LLVM would take 5 seconds); Panic Fire has 1.8, and Splash 1.6.
constexpr double kMostGrowth = 1.95;
constexpr std::size_t kLeastShared = 12;   // length in instructions, about that of a call

// If the code would grow too large, makes calls to the longest operations instead of inlining them. LLVM's time grows
// with the size of the code, and superlinearly within a function, while the relative cost of a call is least for long
// operations. (Selecting by total size over all uses would choose the short operations inside loops: this halved the
// speed of a game with a battlefield of cells.)
void share_operations(llvm::Module& module) {
  std::size_t own = 0, inlined = 0;
  std::vector<std::pair<std::size_t, llvm::Function*>> operations;   // (length, operation)
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const std::size_t size = function.getInstructionCount(), uses = function.getNumUses();
    if (!function.hasFnAttribute(llvm::Attribute::AlwaysInline)) {
      own += size;
      continue;
    }
    inlined += size * uses;
    if (size >= kLeastShared && uses > 2) operations.emplace_back(size, &function);
  }
  std::stable_sort(operations.begin(), operations.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto most = static_cast<std::size_t>(kMostGrowth * static_cast<double>(own));
  for (const auto& [size, operation] : operations) {
    if (own + inlined <= most) return;
    operation->removeFnAttr(llvm::Attribute::AlwaysInline);
    operation->addFnAttr(llvm::Attribute::NoInline);
    inlined -= size * operation->getNumUses();
  }
}

// Rewrites a load from a constant table so that LLVM recognizes `table[i] == x` as a condition on i alone.
struct IndexTables : llvm::PassInfoMixin<IndexTables> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      auto* table = element ? llvm::dyn_cast<llvm::GlobalVariable>(element->getPointerOperand()) : nullptr;
      if (!table || !table->isConstant() || element->getNumIndices() != 1) continue;
      auto* type = llvm::dyn_cast<llvm::ArrayType>(table->getValueType());
      if (!type || type->getElementType() != element->getSourceElementType()) continue;
      llvm::IRBuilder<> builder(element);
      element->replaceAllUsesWith(
          builder.CreateInBoundsGEP(type, table, {builder.getInt64(0), element->getOperand(1)}));
      element->eraseFromParent();
      changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

// Rewrites `mask != 0`, where each bit of the mask is a separate condition, as a disjunction of these conditions. Does
// not do so if the test controls a branch, because LLVM would split it into a series of branches.
struct TestAnyCondition : llvm::PassInfoMixin<TestAnyCondition> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* question = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
      std::vector<Condition> conditions;
      if (!question || !question->isEquality() ||
          !llvm::PatternMatch::match(question->getOperand(1), llvm::PatternMatch::m_Zero()))
        continue;
      const bool decides =
          llvm::any_of(question->users(), [](const llvm::User* user) { return llvm::isa<llvm::BranchInst>(user); });
      if (decides || !collect(question->getOperand(0), conditions) || conditions.size() < 2) continue;
      llvm::IRBuilder<> builder(question);
      llvm::Value* any = builder.getFalse();
      for (const auto& [condition, holds] : conditions)
        any = builder.CreateOr(any, holds ? condition : builder.CreateNot(condition));
      question->replaceAllUsesWith(question->getPredicate() == llvm::ICmpInst::ICMP_NE ? any : builder.CreateNot(any));
      question->eraseFromParent();
      changed = true;
    }
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }

 private:
  // A condition and a flag: true if the bit is set when the condition holds, false if it is set when it does not hold.
  using Condition = std::pair<llvm::Value*, bool>;
  static bool collect(llvm::Value* mask, std::vector<Condition>& conditions) {
    using namespace llvm::PatternMatch;
    constexpr std::size_t kMost = 16;
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(mask, m_Or(m_Value(a), m_Value(b)))) return collect(a, conditions) && collect(b, conditions);
    const bool holds = match(mask, m_Select(m_Value(a), m_Power2(), m_Zero())) ||
                       match(mask, m_CombineOr(m_ZExt(m_Value(a)), m_Shl(m_ZExt(m_Value(a)), m_ConstantInt())));
    const bool is_bit = holds || match(mask, m_Select(m_Value(a), m_Zero(), m_Power2()));
    if (!is_bit || !a->getType()->isIntegerTy(1) || conditions.size() == kMost) return false;
    conditions.push_back({a, holds});
    return true;
  }
};

// Matches the expression that mixes a product with its upper bits, as for each stream of a new game
// (runtime/ops/random.h).
bool is_mixed(const llvm::Value* value) {
  using namespace llvm::PatternMatch;
  const llvm::Value* product = nullptr;
  return match(value, m_c_Xor(m_LShr(m_Value(product), m_ConstantInt()), m_Deferred(product))) &&
         match(product, m_Mul(m_Value(), m_ConstantInt()));
}

// Prevents wide loads from the State. The State is written value by value, and a wide load soon after these stores
// stalls until all of them have reached memory. Therefore, loads from the State are marked atomic while vectors are
// formed, because LLVM does not vectorize atomic loads. The streams of a new game are also marked: multiplying two
// words in one vector takes several dependent instructions, which the first decision would have to wait for. There are
// no other atomic loads, so all of them are made non-atomic again at the end.
struct KeepWordsApart : llvm::PassInfoMixin<KeepWordsApart> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (function.arg_size() < 2) return llvm::PreservedAnalyses::all();
    const llvm::Value* state = function.getArg(1);
    const auto is_of_state = [&](const llvm::Value* place) { return llvm::getUnderlyingObject(place) == state; };
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        const bool is_plain = load->isSimple() && load->getType()->isIntegerTy();
        if (is_plain && is_of_state(load->getPointerOperand())) load->setAtomic(llvm::AtomicOrdering::Unordered);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        const bool is_plain = store->isSimple() && is_mixed(store->getValueOperand());
        if (is_plain && is_of_state(store->getPointerOperand())) store->setAtomic(llvm::AtomicOrdering::Unordered);
      }
    }
    return llvm::PreservedAnalyses::none();
  }
};
struct LetWordsBe : llvm::PassInfoMixin<LetWordsBe> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        load->setAtomic(llvm::AtomicOrdering::NotAtomic);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        store->setAtomic(llvm::AtomicOrdering::NotAtomic);
    }
    return llvm::PreservedAnalyses::none();
  }
};

// Returns the passes that promote memory to registers. They run after inlining and before O3 transforms the loops.
llvm::ModuleToFunctionPassAdaptor hold_in_registers(llvm::PassBuilder& builder) {
  llvm::FunctionPassManager all;
  const auto add = [&](const char* passes) { llvm::cantFail(builder.parsePassPipeline(all, passes)); };
  add("loop-simplify,lcssa");
  all.addPass(PeriodicUnroll());
  add(kRoundsPasses);
  all.addPass(KeepSingleBits());
  all.addPass(MergeCongruentPhis());
  add("early-cse");
  all.addPass(CountDown());
  return llvm::createModuleToFunctionPassAdaptor(std::move(all));
}

// Registers Cardwright's own passes with LLVM, for use in O3 and by name in kGamePasses.
void add_ours(llvm::PassBuilder& builder) {
  using Level = llvm::OptimizationLevel;
  builder.registerPeepholeEPCallback([](llvm::FunctionPassManager& passes, Level) { passes.addPass(IndexTables()); });
  builder.registerOptimizerEarlyEPCallback(
      [&builder](llvm::ModulePassManager& passes, Level) { passes.addPass(hold_in_registers(builder)); });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& passes, Level) { passes.addPass(KeepWordsApart()); });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, Level) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(LetWordsBe()));
  });
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::FunctionPassManager& passes, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name == "index-tables")
          passes.addPass(IndexTables());
        else if (name == "promote-registers")
          passes.addPass(PromoteRegisters());
        else
          return false;
        return true;
      });
}

}   // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool small, Int words,
              const std::atomic<bool>* stop) {
  const auto may_continue = [stop] { return !stop || !stop->load(std::memory_order_relaxed); };
  give_target(module, machine);
  llvm::PipelineTuningOptions tuning;
  // In small games, the tests for the end of the game are inlined where the state changes.
  tuning.InlinerThreshold = small ? 400 : 40;
  tuning.SLPVectorization = small;
  llvm::PassInstrumentationCallbacks callbacks;
  if (stop)
    callbacks.registerShouldRunOptionalPassCallback([&](llvm::StringRef, const llvm::Any&) { return may_continue(); });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager operation_passes;
  llvm::cantFail(builder.parsePassPipeline(operation_passes, kOperationPasses));
  if (words >= kManyWords) llvm::cantFail(builder.parsePassPipeline(operation_passes, kWidePasses));
  specialise_operations(module, operation_passes, functions);
  share_operations(module);
  llvm::ModulePassManager passes;
  add_ours(builder);
  if (small)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  else
    llvm::cantFail(builder.parsePassPipeline(passes, kGamePasses));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(KeepSingleBits()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(TestAnyCondition()));
  llvm::cantFail(
      builder.parsePassPipeline(passes, "function(instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg)"));
  if (may_continue()) passes.run(module, modules);
}

}   // namespace cardwright::jit
