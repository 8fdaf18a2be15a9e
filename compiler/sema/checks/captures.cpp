// Checks that each unqualified name has only one meaning.
// Input:  the declarations that rules read by an unqualified name, and the names of locals in rules.
// Output: errors and warnings.
#include "compiler/sema/checks/captures.h"

#include <filesystem>

#include <fmt/format.h>

#include "compiler/model/visit.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

namespace {

struct Named {
  std::string_view what;
  Range range;
  const Type* type = nullptr;   // null if unknown
};
using AllNamed = std::map<std::string, std::vector<Named>, std::less<>>;

std::string with_article(std::string_view what) {
  return fmt::format("{} {}", what.find_first_of("aeiou") == 0 ? "an" : "a", what);
}

// Returns a position that determines the order of declarations. Units are already ordered: libraries and the base game
// precede the file that uses them.
std::pair<std::size_t, std::uint32_t> order_of(const SemaContext& sema, Range range) {
  std::size_t unit = 0;
  for (std::size_t u = 0; u < sema.ruleset.units.size(); ++u)
    if (sema.ruleset.units[u].root && sema.ruleset.units[u].root->range.source == range.source) unit = u;
  return {unit, range.begin};
}

// Returns the declarations that rules read by an unqualified name.
AllNamed bare_names(const SemaContext& sema) {
  AllNamed all;
  const auto add = [&](const std::string& name, std::string_view what, Range range, const Type* type = nullptr) {
    if (range.known()) all[name].push_back({what, range, type});
  };
  for (const auto& [name, v] : sema.names.table_variables)
    add(name, "variable", sema.model.variables[v].range, &sema.model.variables[v].type);
  for (const auto& [name, z] : sema.names.table_zones) add(name, "zone", sema.model.zones[z].range);
  for (const auto& [name, node] : sema.constants.declared) add(name, "const", name_range(sema, node));
  for (const Option& o : sema.ruleset.options) add(o.name, "option", o.range);
  for (const auto& [name, v] : sema.names.values)
    if (v < sema.rules.values.size() && sema.rules.values[v].names.empty())
      add(name, "value", sema.model.values[v].range, &sema.model.values[v].result);
  return all;
}

// Returns the declarations that rules do not read by an unqualified name, because they are called or belong to players.
AllNamed other_names(const SemaContext& sema) {
  AllNamed all;
  for (const auto& [name, v] : sema.names.values)
    if (v < sema.rules.values.size() && !sema.rules.values[v].names.empty())
      all[name].push_back({"value", sema.model.values[v].range});
  for (const auto& [name, f] : sema.names.functions) all[name].push_back({"function", sema.model.functions[f].range});
  for (const auto& [name, ids] : sema.names.events)
    if (sema.model.events[ids.front()].kind == model::EventKind::plain)
      all[name].push_back({"event", sema.model.events[ids.front()].range});
  for (const Decl& d : sema.actions.declared)
    all[std::string(d.node->text)].push_back({"action", name_range(sema, d.node)});
  return all;
}

void report(SemaContext& sema, std::string_view name, Named one, Named other) {
  if (order_of(sema, one.range) < order_of(sema, other.range)) std::swap(one, other);
  const bool elsewhere = one.range.source != other.range.source;
  error(sema, "captured_name"_code, one.range,
        fmt::format("the name of {} `{}` is reused: rules that contain `{}` would now refer to this {}",
                    with_article(other.what), name, name, one.what),
        elsewhere
            ? fmt::format("choose another name, or change the other declaration: `replace {} {} …`", other.what, name)
            : "choose another name")
      .notes.push_back({other.range, "first declared here"});
}

// Visits each `limit = 5` at the top level of a file. It looks like an assignment but declares a variable of the table.
template <class F>
void each_top_assignment(const Node* list, const F& f) {
  for (const Node* n : list->children) {
    if (!n) continue;
    if (n->kind == NodeKind::with_decl) {
      each_top_assignment(view::with_decl(n).then(), f);
      if (view::with_decl(n).otherwise()) each_top_assignment(view::with_decl(n).otherwise(), f);
    } else if (n->kind == NodeKind::field && n->number == 0 && !view::field(n).type() && view::field(n).initial()) {
      f(n);
    }
  }
}

void check_top_assignments(SemaContext& sema, AllNamed others) {
  for (const auto& [name, v] : sema.names.player_variables)
    others[name].push_back({"variable of players", sema.model.variables[v].range});
  for (const auto& [name, z] : sema.names.player_zones)
    others[name].push_back({"zone of players", sema.model.zones[z].range});
  const auto look = [&](const Node* n) {
    const auto other = others.find(n->text);
    if (other == others.end()) return;
    error(sema, "captured_name"_code, name_range(sema, n),
          fmt::format("this declares a variable `{}` of the table, but {} `{}` already exists", n->text,
                      with_article(other->second.front().what), n->text),
          "to change the existing declaration, use `replace`; to declare a variable, choose another name and put it "
          "into `table { … }`")
        .notes.push_back({other->second.front().range, "first declared here"});
  };
  for (const Unit& u : sema.ruleset.units)
    if (u.root && !u.library) each_top_assignment(u.root, look);
}

}   // namespace

void check_captures(SemaContext& sema) {
  for (const auto& [name, all] : bare_names(sema))
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].what != all[0].what && all[i].range != all[0].range) report(sema, name, all[0], all[i]);
  check_top_assignments(sema, other_names(sema));
}

// Warns about a variable of the table that has the same name as a declaration that rules call, watch or forbid.
static void warn_variables(SemaContext& sema) {
  const AllNamed others = other_names(sema);
  const auto look = [&](const std::string& name, std::uint32_t v) {
    const auto other = others.find(name);
    const Range range = sema.model.variables[v].range;
    if (other == others.end() || !range.known() || in_library(sema, range)) return;
    const SourceMap& sources = sema.diagnostics.sources();
    const Range at = other->second.front().range;
    warn_if(
        sema, "hides_name"_code, range, true,
        fmt::format("this variable has the same name as the {} `{}`", other->second.front().what, name),
        fmt::format("the other one is on line {} of {}; choose another name", sources.place(at.source, at.begin).line,
                    std::filesystem::path(sources.name(at.source)).filename().string()));
  };
  for (const auto& [name, v] : sema.names.table_variables) look(name, v);
}

static void warn_locals(SemaContext& sema, const model::Body& body, const AllNamed& bare) {
  for (const model::Local& local : body.locals) {
    const auto hidden = local.name.empty() ? bare.end() : bare.find(local.name);
    if (hidden == bare.end() || !local.range.known() || in_library(sema, local.range)) continue;
    const Named& other = hidden->second.front();
    const bool fits = other.type && other.type->kind == local.type.kind && !in_library(sema, other.range);
    if (!fits || other.range == local.range) continue;
    const SourceMap& sources = sema.diagnostics.sources();
    warn_if(sema, "hides_name"_code, local.range, true,
            fmt::format("`{}` hides the {} `{}` in this rule", local.name, other.what, local.name),
            fmt::format("the other one is on line {} of {}; choose another name",
                        sources.place(other.range.source, other.range.begin).line,
                        std::filesystem::path(sources.name(other.range.source)).filename().string()));
  }
}

void warn_captures(SemaContext& sema) {
  warn_variables(sema);
  const AllNamed bare = bare_names(sema);
  std::set<const model::Body*> seen;
  model::for_each_rule_block(sema.model, [&](const model::Body& body, const Block&) {
    if (seen.insert(&body).second) warn_locals(sema, body, bare);
  });
}

}   // namespace cardwright::sema
