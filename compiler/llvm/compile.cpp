// From IR through LLVM to addresses, by ORC.
#include "compiler/llvm/compile.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>

#include <unistd.h>

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/llvm/host.h"
#include "compiler/llvm/optimise.h"
#include "compiler/passes/passes.h"

namespace cardwright::jit {

namespace orc = llvm::orc;

namespace {

// CPU time of this thread, which other work on the machine does not stretch.
class Stopwatch {
 public:
  Stopwatch(const char* what, bool on) : what_(what), on_(on) {}
  ~Stopwatch() {
    if (on_) std::fprintf(stderr, "jit: %-12s %8.1f ms\n", what_, now() - start_);
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  }

  const char* what_;
  bool on_;
  double start_ = now();
};

std::size_t count_instructions(const ir::Function& function) {
  std::size_t count = 0;
  for (const ir::Block& block : function.blocks) count += block.code.size();
  return count;
}

// LLVM's time grows faster than the code, most of all inside one function.
bool is_small_enough(const ir::Module& code, const JitOptions& options, std::string& error) {
  std::size_t all = 0;
  for (const ir::Function& function : code.functions) {
    const std::size_t count = count_instructions(function);
    all += count;
    if (count <= options.most_in_function) continue;
    error = "`" + function.name + "` is too large to compile: " + std::to_string(count) + " instructions, at most " +
            std::to_string(options.most_in_function);
    return false;
  }
  if (all <= options.most_instructions) return true;
  error = "too large to compile: " + std::to_string(all) + " instructions, at most " + std::to_string(options.most_instructions);
  return false;
}

// Writes /tmp/perf-PID.map, by which `perf report` names compiled functions.
class PerfMap final : public orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&, llvm::jitlink::PassConfiguration& config) override {
    config.PrePrunePasses.push_back(llvm::jitlink::markAllSymbolsLive);   // local names too
    config.PostAllocationPasses.push_back([](llvm::jitlink::LinkGraph& graph) {
      if (std::FILE* map = std::fopen(("/tmp/perf-" + std::to_string(getpid()) + ".map").c_str(), "a")) {
        for (const llvm::jitlink::Symbol* symbol : graph.defined_symbols())
          if (symbol->hasName() && symbol->isCallable())
            std::fprintf(map, "%lx %lx %s\n", symbol->getAddress().getValue(), static_cast<unsigned long>(symbol->getSize()), symbol->getName().str().c_str());
        std::fclose(map);
      }
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override { return llvm::Error::success(); }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}
};

void start_llvm() {
  static const bool started = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // There is no other way to choose these: they take time and bring nothing here.
    const char* chosen[] = {"cardwright", "-disable-lsr", "-enable-misched=false", "-disable-post-ra"};
    llvm::cl::ParseCommandLineOptions(static_cast<int>(std::size(chosen)), chosen);
    return true;
  }();
  (void)started;
}

}  // namespace

// Compiles one function of the stepwise form when it is first asked for.
class FunctionUnit : public orc::MaterializationUnit {
 public:
  FunctionUnit(CompiledForm& form, ir::FunctionIndex function)
      : MaterializationUnit(symbols(form, function)), form_(form), function_(function) {}

  llvm::StringRef getName() const override { return "function"; }
  void discard(const orc::JITDylib&, const orc::SymbolStringPtr&) override {}

  void materialize(std::unique_ptr<orc::MaterializationResponsibility> responsibility) override {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = form_.emit(*context, Part{{function_}, {Linkage::shared}}, form_.unit_error_);
    if (!module) return responsibility->failMaterialization();
    optimise(*module, *form_.machine_, Form::step);
    form_.jit_->getIRCompileLayer().emit(std::move(responsibility),
                                         orc::ThreadSafeModule(std::move(module), std::move(context)));
  }

 private:
  static Interface symbols(CompiledForm& form, ir::FunctionIndex function) {
    const llvm::JITSymbolFlags flags = llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable;
    orc::SymbolFlagsMap made;
    made[form.jit_->mangleAndIntern(Emitter::name_of(function))] = flags;
    if (form.is_root(function)) made[form.jit_->mangleAndIntern(Emitter::entry_name(function))] = flags;
    return Interface(std::move(made), nullptr);
  }

  CompiledForm& form_;
  ir::FunctionIndex function_;
};

CompiledForm::CompiledForm(const Program& program, Form form, const JitOptions& options)
    : program_(program), form_(form), options_(options) {
  if (form == Form::step) {
    code_ = &program.step;
    roots_ = passes::roots(program);
    return;
  }
  code_ = &own_;
  if (form == Form::finish) {
    passes::Finishing made = passes::as_finishing(program);
    own_ = std::move(made.code);
    shown_as_ = std::move(made.from);
    finishing_ = std::move(made.of);
    for (const ir::FunctionIndex f : finishing_)
      if (f != 0) roots_.push_back(f);
  } else {
    own_ = passes::as_playout(program, form == Form::traced);
    roots_ = {program.main};
  }
}

bool CompiledForm::can_compile(const Program& program, Form form, const JitOptions& options, std::string& error) {
  return is_small_enough(form == Form::step ? program.step : program.playout, options, error);
}

std::unique_ptr<CompiledForm> CompiledForm::make(const Program& program, Form form, const JitOptions& options,
                                                 std::string& error) {
  std::unique_ptr<CompiledForm> made(new CompiledForm(program, form, options));
  if (!is_small_enough(*made->code_, options, error) || !made->start(error)) return nullptr;
  if (form == Form::step) made->add_lazily();
  else if (!made->add_all(error)) return nullptr;
  return made;
}

bool CompiledForm::start(std::string& error) {
  start_llvm();
  const auto failed = [&](llvm::Error why) {
    error = "LLVM: " + llvm::toString(std::move(why));
    return false;
  };
  auto host = orc::JITTargetMachineBuilder::detectHost();
  if (!host) return failed(host.takeError());
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  host->setRelocationModel(llvm::Reloc::PIC_);             // calls and constants relative to the code: shorter than by address
  host->setCodeModel(llvm::CodeModel::Small);
  host_ = *host;
  auto machine = host->createTargetMachine();
  if (!machine) return failed(machine.takeError());
  machine_ = std::move(*machine);
  has_pdep_ = machine_->getMCSubtargetInfo()->checkFeatures("+bmi2");
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
  if (!jit) return failed(jit.takeError());
  jit_ = std::move(*jit);
  if (options_.perf_map)
    if (auto* layer = llvm::dyn_cast<orc::ObjectLinkingLayer>(&jit_->getObjLinkingLayer())) layer->addPlugin(std::make_unique<PerfMap>());

  orc::SymbolMap symbols;
  for (const HostSymbol& symbol : host_symbols())
    symbols[jit_->mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                   llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error why = jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)))) return failed(std::move(why));
  return true;
}

bool CompiledForm::is_root(ir::FunctionIndex function) const {
  const bool is_step_function = form_ == Form::step && code_->functions[function].suspends;
  return !is_step_function && std::find(roots_.begin(), roots_.end(), function) != roots_.end();
}

std::unique_ptr<llvm::Module> CompiledForm::emit(llvm::LLVMContext& context, const Part& part, std::string& error) const {
  auto module = load_operations(context, error);
  if (!module) return nullptr;
  module->setDataLayout(machine_->createDataLayout());
  module->setTargetTriple(machine_->getTargetTriple().str());
  Emitter emitter(*module, program_, *code_, form_);
  emitter.shown_as = shown_as_;
  for (std::size_t i = 0; i < part.functions.size(); ++i) {
    if (!emitter.define(part.functions[i], error)) return nullptr;
    llvm::Function* function = emitter.declare(part.functions[i]);
    switch (part.linkage[i]) {
      case Linkage::internal: function->setLinkage(llvm::GlobalValue::InternalLinkage); break;
      case Linkage::copied: function->setLinkage(llvm::GlobalValue::AvailableExternallyLinkage); break;
      case Linkage::shared: break;
    }
    if (part.linkage[i] != Linkage::copied && is_root(part.functions[i])) emitter.define_entry(part.functions[i]);
  }
  if (!keep_called_operations(*module, error)) return nullptr;
  if (has_pdep_) select_bits_by_pdep(*module);
  const bool untold = form_ == Form::playout || form_ == Form::finish;
  fix_kept_knowledge(*module, untold && program_.knowledge_in_playout);
  if (untold) silence_sinks(*module, program_.knowledge_in_playout);
#ifndef NDEBUG
  std::string wrong;
  llvm::raw_string_ostream out(wrong);
  if (llvm::verifyModule(*module, &out)) {
    error = "LLVM's verifier: " + wrong;
    return nullptr;
  }
#endif
  return module;
}

std::unique_ptr<llvm::MemoryBuffer> CompiledForm::generate(const Part& part, std::string& error) const {
  llvm::LLVMContext context;
  orc::JITTargetMachineBuilder host = *host_;
  auto machine = host.createTargetMachine();
  if (!machine) {
    error = "LLVM: " + llvm::toString(machine.takeError());
    return nullptr;
  }
  std::unique_ptr<llvm::Module> module;
  {
    Stopwatch watch("emit", options_.time_phases);
    module = emit(context, part, error);
  }
  if (!module) return nullptr;
  {
    Stopwatch watch("optimise", options_.time_phases);
    optimise(*module, **machine, form_);
  }
  Stopwatch watch("generate", options_.time_phases);
  auto object = orc::SimpleCompiler(**machine)(*module);
  if (object) return std::move(*object);
  error = "LLVM: " + llvm::toString(object.takeError());
  return nullptr;
}

bool CompiledForm::add_all(std::string& error) {
  constexpr unsigned kThreads = 4;
  const std::vector<Part> parts = divide(*code_, roots_, std::min(kThreads, std::max(1u, std::thread::hardware_concurrency())));
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects(parts.size());
  std::vector<std::string> errors(parts.size());
  std::vector<std::thread> threads;
  for (std::size_t p = 1; p < parts.size(); ++p)
    threads.emplace_back([&, p] { objects[p] = generate(parts[p], errors[p]); });
  objects[0] = generate(parts[0], errors[0]);
  for (std::thread& thread : threads) thread.join();

  for (std::size_t p = 0; p < parts.size(); ++p) {
    error = errors[p];
    if (!objects[p]) return false;
    if (llvm::Error why = jit_->addObjectFile(std::move(objects[p]))) {
      error = "LLVM: " + llvm::toString(std::move(why));
      return false;
    }
  }
  return roots_.empty() || entry(roots_[0], error) != nullptr;
}

void CompiledForm::add_lazily() {
  for (const ir::FunctionIndex function : functions_with_code(*code_))
    llvm::cantFail(jit_->getMainJITDylib().define(std::make_unique<FunctionUnit>(*this, function)));
}

void* CompiledForm::address(const std::string& symbol, std::string& error) {
  const std::lock_guard lock(mutex_);
  auto found = jit_->lookup(symbol);
  if (found) return found->toPtr<void*>();
  error = "LLVM: " + llvm::toString(found.takeError());
  if (!unit_error_.empty()) error = unit_error_;
  return nullptr;
}

StepFunction* CompiledForm::step_function(ir::FunctionIndex function, std::string& error) {
  return reinterpret_cast<StepFunction*>(address(Emitter::name_of(function), error));
}
EntryFunction* CompiledForm::entry(ir::FunctionIndex function, std::string& error) {
  return reinterpret_cast<EntryFunction*>(address(Emitter::entry_name(function), error));
}

std::string CompiledForm::print(const Program& program, Form form, bool optimised, std::string& error) {
  CompiledForm made(program, form, {});
  if (!made.start(error)) return "";
  llvm::LLVMContext context;
  Part all{functions_with_code(*made.code_), {}};
  all.linkage.assign(all.functions.size(), form == Form::step ? Linkage::shared : Linkage::internal);
  auto module = made.emit(context, all, error);
  if (!module) return "";
  if (optimised) optimise(*module, *made.machine_, form);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, nullptr);
  return text;
}

}  // namespace cardwright::jit
