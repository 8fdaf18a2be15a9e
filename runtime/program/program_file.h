// A Program as bytes, for caches: of use to the very build that wrote them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/digest.h"
#include "runtime/program/program.h"

namespace cardwright {

std::string bytes_of(const Program& program);
// `sources`: what each source is called now, by its number in the Program that was written. Null when the bytes are
// damaged, or make no Program that an engine may run: what the compiler makes sure of is checked again.
std::unique_ptr<Program> program_from(std::string_view bytes, std::vector<SourceId> sources);
// Of all that decides what code the playout form, or the stepwise form, is compiled to.
Digest playout_digest(const Program& program);
Digest step_digest(const Program& program);
// Under it a cache notes that playouts were compiled, by whichever build and for whichever processor.
Digest compiled_mark(const Program& program);

}   // namespace cardwright
