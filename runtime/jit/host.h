// Declares the functions that compiled code calls by name on its cold paths.
#pragma once

#include <vector>

namespace cardwright::jit {

struct HostSymbol {
  const char* name;
  void* address;
};
const std::vector<HostSymbol>& host_symbols();

}   // namespace cardwright::jit
