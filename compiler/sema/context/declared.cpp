// Looks up and counts the parameters of callables, and compares passed rules. A record parameter counts once, although
// it has one name per field.
#include "compiler/sema/context/declared.h"

namespace cardwright::sema {

// Returns the index at which the parameter with this name begins; names.size() if there is none.
std::size_t Callable::find(std::string_view name, std::size_t from) const {
  while (from < names.size() && at(from).name != name) from += at(from).fields;
  return from;
}

std::size_t Callable::count() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i + passed < names.size(); i += at(i).fields) ++n;
  return n;
}

bool Passed::same_as(const Passed& other) const {
  if (is_value != other.is_value || id != other.id || given.size() != other.given.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i] != !other.given[i]) return false;
  return true;
}

}   // namespace cardwright::sema
