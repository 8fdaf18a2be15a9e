// Defines the relations between the options of a ruleset, and the option values that result from a configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/sema/context/configuration.h"
#include "support/diagnostics.h"

namespace cardwright::sema {

// A declared relation between options. Its parts are source text.
struct Relation {
  enum class Kind : std::uint8_t { implies, conflict, require, voids, warns } kind;
  // The parts of `one implies other unless …`, `require one with other`, `one is void with other` or `warn when one`.
  std::string one, other, unless;
  std::string why;
  // The options on which the relation depends, including those that it uses through consts.
  std::set<std::string> options;
  Range range;
};

// The values of all options that result from the requested values.
struct Resolution {
  std::vector<std::pair<std::string, std::string>> options;   // in source order
  std::vector<std::size_t> refused_by;   // indices in relations() of the violated conflicts and requirements
};

// Returns the option values that a configuration requests, after expanding presets and checking the values. Returns
// nullopt after an error.
std::optional<std::map<std::string, std::string, std::less<>>> requested(const Ruleset& ruleset,
                                                                         const Configuration& configuration,
                                                                         Diagnostics& diagnostics);

// Reports an invalid value of an option and lists the valid values.
void bad_value(const Option& option, const std::string& value, Range range, Diagnostics& diagnostics);

// relations() returns the declared relations between options in order of precedence. resolve() returns the option
// values that result from a configuration.
std::vector<Relation> relations(const Ruleset& ruleset, Diagnostics& diagnostics);
Resolution resolve(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics);

}   // namespace cardwright::sema
