// Looks up the data files of declarations, which the loader has read.
#include "compiler/sema/declarations/data_files.h"

#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

std::optional<SourceId> data_file(SemaContext& sema, const Node* path) {
  const loading::DataFile& file = sema.ruleset.data_files.at(path);
  if (!file.source) error(sema, file.code, path->range, file.message, file.help);
  return file.source;
}

}   // namespace cardwright::sema
