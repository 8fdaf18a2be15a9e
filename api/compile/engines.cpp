// Creates engines, and loads the module with the JIT on first use.
#include "api/compile/engines.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "api/compile/paths.h"
#include "cardwright_build.h"

namespace cardwright::api {

namespace {

constexpr const char* kWhyNone = CARDWRIGHT_HAS_JIT ? "cardwright_jit.so not found" : "not included in this build";

struct JitModule {
  cardwright_make_jit_type* make = nullptr;
  cardwright_print_llvm_type* print = nullptr;
  std::string why;   // reason why the JIT is not available; empty if it is

  JitModule() {
    const std::string path = jit_path();
    if (path.empty()) {
      why = kWhyNone;
      return;
    }
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);   // never closed, because its code can still be running
    if (!handle) {
      why = dlerror();
      return;
    }
    make = reinterpret_cast<cardwright_make_jit_type*>(dlsym(handle, "cardwright_make_jit"));
    print = reinterpret_cast<cardwright_print_llvm_type*>(dlsym(handle, "cardwright_print_llvm"));
    if (!make || !print) why = path + " has another version";
  }
};

const JitModule& jit_module() {
  static const JitModule module;
  return module;
}

}   // namespace

std::string_view name_of(EngineKind kind) {
  switch (kind) {
    case EngineKind::interpreter: return "interp";
    case EngineKind::jit: return "jit";
    case EngineKind::automatic: return "auto";
  }
  return "";
}

bool jit_is_available(std::string* why) {
  if (why) *why = jit_module().why;
  return jit_module().why.empty();
}

std::unique_ptr<CompilingEngine> make_compiler(const Program& program, const JitOptions& options) {
  if (!jit_is_available()) throw Error(Blame::internal, "JIT not available: " + jit_module().why);
  char error[1024] = "";
  std::unique_ptr<CompilingEngine> engine(jit_module().make(&program, &options, error, sizeof error));
  if (!engine) throw Error(Blame::internal, fmt::format("the JIT cannot compile this game: {}", error));
  return engine;
}

void expect_compiler(const Program& program) {
  std::string why;
  if (jit_path().empty()) throw Error(Blame::internal, "JIT not available: " + std::string(kWhyNone));
  if (!can_compile_playout(program, {}, why))
    throw Error(Blame::internal, fmt::format("the JIT cannot compile this game: {}", why));
}

std::optional<TooLarge> too_large_for_jit(const Program& program) {
  TooLarge excess;
  if (can_compile_playout(program, {}, excess.what)) return std::nullopt;
  for (const ir::Function& function : passes::as_compiled_playout(program).functions)
    if (std::string unused; !is_small_enough(function, {}, unused)) excess.where = function.where;
  return excess;
}

std::string print_llvm(const Program& program, bool stepwise) {
  if (!jit_is_available()) throw Error(Blame::internal, "LLVM not available: " + jit_module().why);
  char error[1024] = "";
  std::string text;
  const auto add = [](void* to, const char* piece, std::size_t length) {
    static_cast<std::string*>(to)->append(piece, length);
  };
  if (jit_module().print(&program, stepwise ? 2 : 0, 1, add, &text, error, sizeof error) != 0)
    throw Error(Blame::internal, fmt::format("cannot print the LLVM IR of this game: {}", error));
  return text;
}

}   // namespace cardwright::api
