// Runs LLVM's passes over a game's module.
#include "compiler/llvm/optimise.h"

#include <cstdlib>

#include <llvm/Passes/PassBuilder.h>

namespace cardwright::jit {

namespace {

// Bottom-up, so that an operation specialised to its literals is simplified once, before it is inlined everywhere.
constexpr const char* kPasses =
    "cgscc(devirt<0>(inline,function<eager-inv>(sroa<modify-cfg>,early-cse<memssa>,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>)))"
    ",globaldce,function<eager-inv>(gvn<no-load-pre>,jump-threading,instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,"
    "loop-simplify,lcssa,loop(loop-rotate),loop-mssa(licm),loop-unroll<O2;full-unroll-max=8>,sroa<modify-cfg>,early-cse<memssa>,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "dse,simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>,"
    "instcombine<max-iterations=1;no-verify-fixpoint>),globaldce";

void give_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

}  // namespace

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Form) {
  give_target(module, machine);
  llvm::PipelineTuningOptions tuning;
  tuning.InlinerThreshold = 60;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  const char* text = std::getenv("CARDWRIGHT_PASSES");
  if (text && std::string(text) == "O2") passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  else if (text && std::string(text) == "O1") passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1);
  else llvm::cantFail(builder.parsePassPipeline(passes, text ? text : kPasses));
  passes.run(module, modules);
}

}  // namespace cardwright::jit
