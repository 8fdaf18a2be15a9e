// Serializes a Program for caches; the bytes can be read only by the same build.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/digest.h"
#include "runtime/program/program.h"

namespace cardwright {

std::string bytes_of(const Program& program);
// `sources`: the current SourceId of each source, by its number in the stored Program. Returns null if the bytes are
// damaged or do not form a valid Program; all guarantees of the compiler are checked again.
std::unique_ptr<Program> program_from(std::string_view bytes, std::vector<SourceId> sources);
// Return digests of everything that affects the compiled code of the playout form or the stepwise form.
Digest playout_digest(const Program& program);
Digest step_digest(const Program& program);
// Returns the key under which a cache records that the playouts of this program were compiled, by any build and for any
// processor.
Digest compiled_mark(const Program& program);

}   // namespace cardwright
