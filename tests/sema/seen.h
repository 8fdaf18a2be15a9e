// Collects everything observable about rules: their messages, including warnings, the properties of the ruleset, and
// the Model for several values of the options.
#pragma once

#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

struct Seen {
  std::string all;   // all observable output
  std::vector<std::string> errors;
  bool placed = true;   // every error has a location
};

inline void note(const Diagnostics& diagnostics, Seen& seen) {
  for (const Diagnostic& d : diagnostics.all()) {
    seen.all += std::string(d.code.id()) + " " + d.message + "\n";
    if (!d.code.id().starts_with("E")) continue;
    seen.errors.push_back(d.message);
    seen.placed = seen.placed && d.range.known();
  }
}

// Returns the observable parts of the Model that its printed form omits.
inline std::string not_printed(const model::Model& m) {
  std::string out;
  for (const model::Kind& k : m.kinds) out += k.text;
  for (const model::Enum& e : m.enums)
    for (const model::EnumConst& c : e.constants) out += c.text;
  for (const model::Area& a : m.areas) out += fmt::format("{} x {}", a.name, a.parts);
  return out;
}

inline Seen look(const Files& files, bool with_pick) {
  Seen seen;
  std::vector<Options> asked{{}, {{"more", ""}}};
  if (with_pick) asked.push_back({{"pick", "b"}});
  note(run(files, 0, {}, true)->diagnostics, seen);
  bool first = true;
  for (const Options& options : asked) {
    const auto o = run(files, 0, options);
    note(o->diagnostics, seen);
    if (o->model) seen.all += model::print(*o->model) + not_printed(*o->model);
    if (!std::exchange(first, false) || !o->ruleset) continue;
    seen.all += fmt::format("{}..{}\n", o->ruleset->least_players, o->ruleset->most_players);
    for (const loading::Option& x : o->ruleset->options)
      seen.all += fmt::format("{}: {}\n", x.name, fmt::join(x.values, " "));
    for (const loading::Variant& v : o->ruleset->variants) seen.all += v.title + "\n";
    for (const loading::ScenarioInfo& s : o->ruleset->scenarios) {
      seen.all += fmt::format("{} {}", s.title, s.players);
      for (const auto& [name, value] : s.options) seen.all += " " + name + "=" + value;
      seen.all += "\n";
    }
    for (const sema::Relation& r : sema::relations(*o->ruleset, o->diagnostics))
      seen.all += fmt::format("{} {} {}\n", static_cast<int>(r.kind), r.one, r.other);
  }
  return seen;
}

}   // namespace cardwright::sema_tests
