// From IR through LLVM to addresses, by ORC.
#include "compiler/llvm/compile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/llvm/host.h"
#include "compiler/llvm/optimise.h"
#include "compiler/passes/passes.h"

namespace cardwright::jit {

namespace orc = llvm::orc;

namespace {

class Stopwatch {
 public:
  Stopwatch(const char* what, bool on) : what_(what), on_(on) {}
  ~Stopwatch() {
    if (!on_) return;
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start_;
    std::fprintf(stderr, "jit: %-12s %8.1f ms\n", what_, taken.count());
  }

 private:
  const char* what_;
  bool on_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
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

void start_llvm() {
  static const bool started = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
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
    auto module = form_.emit(*context, {function_}, true, form_.unit_error_);
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
  if (form == Form::step) code_ = &program.step;
  else {
    own_ = passes::as_playout(program, form == Form::traced);
    code_ = &own_;
  }
  roots_ = passes::roots(program);
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
  auto machine = host->createTargetMachine();
  if (!machine) return failed(machine.takeError());
  machine_ = std::move(*machine);
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
  if (!jit) return failed(jit.takeError());
  jit_ = std::move(*jit);

  orc::SymbolMap symbols;
  for (const HostSymbol& symbol : host_symbols())
    symbols[jit_->mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                   llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error why = jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)))) return failed(std::move(why));
  return true;
}

bool CompiledForm::is_root(ir::FunctionIndex function) const {
  return !code_->functions[function].suspends && std::find(roots_.begin(), roots_.end(), function) != roots_.end();
}

std::unique_ptr<llvm::Module> CompiledForm::emit(llvm::LLVMContext& context, const std::vector<ir::FunctionIndex>& functions,
                                                 bool exported, std::string& error) {
  auto module = load_operations(context, error);
  if (!module) return nullptr;
  module->setDataLayout(machine_->createDataLayout());
  module->setTargetTriple(machine_->getTargetTriple().str());
  Emitter emitter(*module, program_, *code_, form_);
  for (const ir::FunctionIndex function : functions) {
    if (!emitter.define(function, error)) return nullptr;
    if (!exported) emitter.declare(function)->setLinkage(llvm::GlobalValue::InternalLinkage);
    if (exported ? is_root(function) : std::find(roots_.begin(), roots_.end(), function) != roots_.end())
      emitter.define_entry(function);
  }
  if (!keep_called_operations(*module, error)) return nullptr;
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

namespace {

std::vector<ir::FunctionIndex> functions_with_code(const ir::Module& code) {
  std::vector<ir::FunctionIndex> functions;
  for (std::size_t f = 0; f < code.functions.size(); ++f)
    if (!code.functions[f].blocks.empty()) functions.push_back(static_cast<ir::FunctionIndex>(f));
  return functions;
}

}  // namespace

bool CompiledForm::add_all(std::string& error) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  {
    Stopwatch watch("emit", options_.time_phases);
    module = emit(*context, functions_with_code(*code_), false, error);
  }
  if (!module) return false;
  {
    Stopwatch watch("optimise", options_.time_phases);
    optimise(*module, *machine_, form_);
  }
  Stopwatch watch("generate", options_.time_phases);
  if (llvm::Error why = jit_->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context)))) {
    error = "LLVM: " + llvm::toString(std::move(why));
    return false;
  }
  return entry(program_.main, error) != nullptr;
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
  auto module = made.emit(context, functions_with_code(*made.code_), form == Form::step, error);
  if (!module) return "";
  if (optimised) optimise(*module, *made.machine_, form);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, nullptr);
  return text;
}

}  // namespace cardwright::jit
