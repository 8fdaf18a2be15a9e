// Declares records, which group several fields under one name.
#include "compiler/sema/declarations/records.h"

#include <fmt/format.h>

#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

void declare_records(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind != NodeKind::record_decl) continue;
    const std::string name(d.node->text);
    if (auto [it, fresh] = sema.names.records.emplace(name, static_cast<std::uint32_t>(sema.model.records.size()));
        !fresh) {
      error(sema, "duplicate_declaration"_code, name_range(sema, d.node), fmt::format("duplicate record `{}`", name))
          .notes.push_back({sema.model.records[it->second].range, "first declared here"});
      continue;
    }
    if (sema.names.card_types.contains(name))
      error(sema, "duplicate_declaration"_code, name_range(sema, d.node),
            fmt::format("duplicate type `{}`: a card type already has this name", name));
    sema.model.records.push_back({.name = name, .fields = {}, .range = name_range(sema, d.node)});
    sema.records.infos.push_back({.node = d.node, .state = Callable::State::todo, .initial = {}});
  }
}

}   // namespace cardwright::sema
