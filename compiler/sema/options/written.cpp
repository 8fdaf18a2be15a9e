// Returns the source text of a node.
#include "compiler/sema/options/written.h"

namespace cardwright::sema {

std::string written(SemaContext& sema, const Node* node) {
  return node ? std::string(sema.diagnostics.sources().text(node->range)) : std::string();
}

}   // namespace cardwright::sema
