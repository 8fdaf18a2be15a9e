// Compiles IR through LLVM to machine code and loads it with ORC.
#include "runtime/jit/compile.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>

#include <unistd.h>

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include "runtime/ir/fields.h"
#include "runtime/jit/host.h"
#include "runtime/jit/optimize.h"
#include "runtime/passes/passes.h"
#include "support/archive.h"
#include "runtime/program/program_file.h"

namespace cardwright::jit {

namespace orc = llvm::orc;

namespace {

// Measures the CPU time of this thread, which does not depend on other load on the machine.
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

// Writes /tmp/perf-PID.map, so that `perf report` shows the names of compiled functions.
class PerfMap final : public orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& config) override {
    config.PrePrunePasses.push_back(llvm::jitlink::markAllSymbolsLive);   // includes local symbols
    config.PostAllocationPasses.push_back([](llvm::jitlink::LinkGraph& graph) {
      if (std::FILE* map = std::fopen(("/tmp/perf-" + std::to_string(getpid()) + ".map").c_str(), "a")) {
        for (const llvm::jitlink::Symbol* symbol : graph.defined_symbols())
          if (symbol->hasName() && symbol->isCallable())
            std::fprintf(map, "%lx %lx %s\n", symbol->getAddress().getValue(),
                         static_cast<unsigned long>(symbol->getSize()), symbol->getName().str().c_str());
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
    // LLVM accepts these options only on a command line. The first four disable passes that take time without improving
    // this code. The last one stops a pass from converting each select between a value and a load to a branch, which is
    // slow if the branch is unpredictable.
    const char* chosen[] = {"cardwright",
                            "-disable-lsr",
                            "-enable-misched=false",
                            "-disable-post-ra",
                            "-disable-x86-domain-reassignment",
                            "-x86-cmov-converter-force-mem-operand=false"};
    llvm::cl::ParseCommandLineOptions(static_cast<int>(std::size(chosen)), chosen);
    return true;
  }();
  (void)started;
}

}   // namespace

// Compiles one function of the stepwise form on first use.
class FunctionUnit : public orc::MaterializationUnit {
 public:
  FunctionUnit(CompiledForm& form, ir::FunctionIndex function)
      : MaterializationUnit(symbols(form, function)), form_(form), function_(function) {}

  llvm::StringRef getName() const override { return "function"; }
  void discard(const orc::JITDylib&, const orc::SymbolStringPtr&) override {}

  void materialize(std::unique_ptr<orc::MaterializationResponsibility> responsibility) override {
    auto object = form_.object_of(function_, form_.unit_error_);
    if (!object) return responsibility->failMaterialization();
    form_.jit_->getObjLinkingLayer().emit(std::move(responsibility), std::move(object));
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
  } else if (form == Form::finish) {   // function indices as in osr_entries()
    finishing_.assign(program.playout.functions.size(), 0);
    auto next = static_cast<ir::FunctionIndex>(program.playout.functions.size());
    for (std::size_t f = 0; f < finishing_.size(); ++f)
      if (passes::is_finished(program, f)) roots_.push_back(finishing_[f] = next++);
  } else {
    roots_ = {program.main};
  }
}

const ir::Module& CompiledForm::code() {
  if (code_) return *code_;
  if (form_ == Form::finish) {
    passes::Finishing made = passes::as_finishing(program_);
    own_ = std::move(made.code);
    shown_as_ = std::move(made.from);
  } else {
    own_ = form_ == Form::game ? passes::as_compiled_playout(program_)
                               : passes::as_playout(program_, form_ == Form::traced);
    if (is_playout(form_) && !program_.plain && passes::is_small(own_)) shown_as_ = passes::outline_cold(own_);
  }
  small_ = form_ != Form::traced && !program_.plain && passes::is_small(own_);
  return *(code_ = &own_);
}

std::unique_ptr<CompiledForm> CompiledForm::make(const Program& program, Form form, const JitOptions& options,
                                                 std::string& error) {
  std::unique_ptr<CompiledForm> made = open(program, form, options, error);
  return made && made->compile(error) ? std::move(made) : nullptr;
}

std::unique_ptr<CompiledForm> CompiledForm::open(const Program& program, Form form, const JitOptions& options,
                                                 std::string& error) {
  std::unique_ptr<CompiledForm> made(new CompiledForm(program, form, options));
  if (!made->start(error)) return nullptr;
  made->find_cache();
  if (form == Form::step) made->add_lazily();
  made->ready_ = form == Form::step || made->add_cached();
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
  // With PIC, calls and constants have addresses relative to the code, which are shorter than absolute addresses.
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeModel(llvm::CodeModel::Small);
  host_ = *host;
  auto machine = host->createTargetMachine();
  if (!machine) return failed(machine.takeError());
  machine_ = std::move(*machine);
  has_bmi2_ = machine_->getMCSubtargetInfo()->checkFeatures("+bmi2");
  jit_.reset();
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
  if (!jit) return failed(jit.takeError());
  jit_ = std::move(*jit);
  // If one function can't be compiled, for example because compilation was stopped (is_stopped), the look-ups of all
  // its callers fail too. LLVM returns the first error and reports the others, by default on standard error. They are
  // only stored, because the caller of a look-up continues without the function. The reporter is called inside a
  // look-up, on the thread of address(), or before any look-up is possible.
  jit_->getExecutionSession().setErrorReporter(
      [this](llvm::Error why) { session_error_ = llvm::toString(std::move(why)); });
  if (options_.perf_map)
    if (auto* layer = llvm::dyn_cast<orc::ObjectLinkingLayer>(&jit_->getObjLinkingLayer()))
      layer->addPlugin(std::make_unique<PerfMap>());

  orc::SymbolMap symbols;
  for (const HostSymbol& symbol : host_symbols())
    symbols[jit_->mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                   llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error why = jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return failed(std::move(why));
  return true;
}

bool CompiledForm::is_root(ir::FunctionIndex function) const {
  const bool is_step_function = form_ == Form::step && code_->functions[function].suspends;
  return !is_step_function && std::find(roots_.begin(), roots_.end(), function) != roots_.end();
}

std::unique_ptr<llvm::Module> CompiledForm::emit(llvm::LLVMContext& context, const Part& part,
                                                 std::string& error) const {
  auto module = load_operations(context, error);
  if (!module) return nullptr;
  module->setDataLayout(machine_->createDataLayout());
  module->setTargetTriple(machine_->getTargetTriple().str());
  Emitter emitter(*module, program_, *code_, form_, small_);
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
  if (has_bmi2_) use_bit_instructions(*module);
  const bool silent = is_playout(form_) || form_ == Form::finish;
  fix_tracked_knowledge(*module, silent && program_.knowledge_in_playout);
  if (silent) silence_sinks(*module, program_.knowledge_in_playout);
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

bool CompiledForm::is_stopped(std::string& error) const {
  if (!options_.stop || !options_.stop->load(std::memory_order_relaxed)) return false;
  error = "compilation stopped";
  return true;
}

std::unique_ptr<llvm::MemoryBuffer> CompiledForm::generate(const Part& part, llvm::TargetMachine& machine,
                                                           std::string& error) const {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  {
    Stopwatch watch("emit", options_.time_phases);
    module = emit(context, part, error);
  }
  if (!module || is_stopped(error)) return nullptr;
  {
    Stopwatch watch("optimize", options_.time_phases);
    optimize(*module, machine, small_, program_.layout.words, options_.stop);
  }
  if (is_stopped(error)) return nullptr;
  Stopwatch watch("generate", options_.time_phases);
  auto object = orc::SimpleCompiler(machine)(*module);
  if (object) return std::move(*object);
  error = "LLVM: " + llvm::toString(object.takeError());
  return nullptr;
}

// ---- compilation of a whole form

CompilerWork CompiledForm::work() { return compiler_work(passes::size_of(code()), small_); }

bool CompiledForm::compile_all(std::string& error) {
  if (!is_small_enough(code(), options_, error)) return false;
  const std::vector<Part> parts = divide(*code_, roots_);
  std::vector<std::string> objects(parts.size()), errors(parts.size());
  const auto work = [&](std::size_t p) {
    orc::JITTargetMachineBuilder host = *host_;
    auto machine = host.createTargetMachine();
    if (!machine) return void(errors[p] = "LLVM: " + llvm::toString(machine.takeError()));
    if (const auto object = generate(parts[p], **machine, errors[p])) objects[p] = object->getBuffer().str();
  };
  std::vector<std::thread> threads;
  for (std::size_t p = 1; p < parts.size(); ++p) threads.emplace_back(work, p);
  work(0);
  for (std::thread& thread : threads) thread.join();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    error = errors[p];
    if (objects[p].empty()) return false;
  }
  if (!add_all(objects, error)) return false;
  if (cache_) {
    Writer out;
    out(objects);
    cache_->store("playout", key_, out.bytes());
    cache_->store("compiled", compiled_mark(program_), "");
  }
  return true;
}

bool CompiledForm::add_all(const std::vector<std::string>& objects, std::string& error) {
  for (const std::string& object : objects)
    if (llvm::Error why = jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "playout"))) {
      error = "LLVM: " + llvm::toString(std::move(why));
      return false;
    }
  return roots_.empty() || entry(roots_[0], error) != nullptr;
}

// ---- the cache

// Opens the cache and computes the key, which covers everything that the code depends on: the Program, the form, the
// build of the compiler, and the target machine.
void CompiledForm::find_cache() {
  const std::string build = build_id_of(reinterpret_cast<const void*>(&start_llvm));
  if (build.empty() || !(cache_ = DiskCache::open())) return;
  Writer out;
  out(build, std::string(LLVM_VERSION_STRING), host_->getTargetTriple().str(), host_->getCPU(),
      host_->getFeatures().getString(), form_,
      std::string(as_bytes(form_ == Form::step ? step_digest(program_) : playout_digest(program_))));
  key_ = digest_of(out.bytes());
}

bool CompiledForm::add_cached() {
  if (!cache_) return false;
  const auto bytes = cache_->load("playout", key_);
  if (!bytes) return false;
  std::vector<std::string> objects;
  std::string error;
  try {
    Reader in(*bytes);
    in(objects);
  } catch (const Damaged&) {
    return false;
  }
  if (add_all(objects, error)) return true;
  warn_of_cache("link error", error);
  if (!start(error)) cache_.reset();   // discards the objects added so far
  return false;
}

std::unique_ptr<llvm::MemoryBuffer> CompiledForm::object_of(ir::FunctionIndex function, std::string& error) {
  if (!is_small_enough(code_->functions[function], options_, error)) return nullptr;
  const Digest key = digest_of(std::string(as_bytes(key_)) + Emitter::name_of(function));
  if (cache_)
    if (const auto bytes = cache_->load("step", key)) return llvm::MemoryBuffer::getMemBufferCopy(*bytes, "step");
  auto object = generate(Part{{function}, {Linkage::shared}}, *machine_, error);
  if (object && cache_) cache_->store("step", key, std::string_view(object->getBufferStart(), object->getBufferSize()));
  return object;
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
  if (!session_error_.empty()) error += ": " + std::exchange(session_error_, {});
  if (!unit_error_.empty()) error = unit_error_;
  return nullptr;
}

StepFunction* CompiledForm::step_function(ir::FunctionIndex function, std::string& error) {
  return reinterpret_cast<StepFunction*>(address(Emitter::name_of(function), error));
}
EntryFunction* CompiledForm::entry(ir::FunctionIndex function, std::string& error) {
  return reinterpret_cast<EntryFunction*>(address(Emitter::entry_name(function), error));
}

std::string CompiledForm::print(const Program& program, Form form, bool optimized, std::string& error) {
  CompiledForm made(program, form, {});
  made.code();
  if (!made.start(error)) return "";
  llvm::LLVMContext context;
  Part all{functions_with_code(*made.code_), {}};
  all.linkage.assign(all.functions.size(), form == Form::step ? Linkage::shared : Linkage::internal);
  auto module = made.emit(context, all, error);
  if (!module) return "";
  if (optimized) optimize(*module, *made.machine_, made.small_, program.layout.words);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, nullptr);
  return text;
}

}   // namespace cardwright::jit
