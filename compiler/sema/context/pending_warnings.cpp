// Collects warnings from several analyses of one ruleset.
#include "compiler/sema/context/pending_warnings.h"

#include "compiler/model/visit.h"

namespace cardwright::sema {

void PendingWarnings::add(Code code, Range range, bool bad, std::string message, std::string help) {
  const Key key{code, range.source, range.begin, range.end};
  if (!bad) {
    fine_.insert(key);
    return;
  }
  if (suspected_.insert(key).second) pending_.push_back({key, range, std::move(message), std::move(help)});
}

void PendingWarnings::report(Diagnostics& diagnostics) const {
  for (const Pending& t : pending_)
    if (!fine_.contains(t.key)) diagnostics.report(std::get<0>(t.key), t.range, t.message, t.help);
}

}   // namespace cardwright::sema
