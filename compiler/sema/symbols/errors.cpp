// Reports errors and warnings, and computes the ranges that they refer to.
#include "compiler/sema/symbols/errors.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "compiler/loading/bundled.h"
#include "compiler/model/visit.h"

namespace cardwright::sema {

Range first_word(const SemaContext& sema, const Node* node) {
  const std::string_view text = sema.diagnostics.sources().text(node->range);
  std::size_t length = 0;
  while (length < text.size() && (std::isalnum(static_cast<unsigned char>(text[length])) || text[length] == '_'))
    ++length;
  return {node->range.source, node->range.begin,
          node->range.begin + static_cast<std::uint32_t>(length ? length : text.size())};
}

Range name_range(const SemaContext& sema, const Node* node) {
  const std::string_view whole = sema.diagnostics.sources().text(node->range);
  const char* at = node->text.data();
  if (node->text.empty() || std::less<>()(at, whole.data()) || !std::less<>()(at, whole.data() + whole.size()))
    return first_word(sema, node);
  const auto begin = node->range.begin + static_cast<std::uint32_t>(at - whole.data());
  return {node->range.source, begin, begin + static_cast<std::uint32_t>(node->text.size())};
}

bool silent_if_absent(RuleContext& rule, const Node* node) { return silent_if_absent(rule, node->text, node->range); }

bool silent_if_absent(RuleContext& rule, std::string_view name, Range range) {
  if (!rule.sema.collected.absent.contains(name)) return false;
  if (rule.droppable) {
    rule.dropped = true;
    if (rule.dropped_for.empty()) rule.dropped_for = name;
    return true;
  }
  if (std::any_of(rule.sema.collected.removals.begin(), rule.sema.collected.removals.end(),
                  [&](const Node* r) { return r->text == name; }))
    return error(rule.sema, "unknown_name"_code, range, fmt::format("`{}` has been removed", name)), true;
  const bool scenario = rule.scenario;   // a scenario runs only with its own options
  error(rule.sema, "unknown_name"_code, range, fmt::format("`{}` does not exist with these options", name),
        scenario ? "name the options: `scenario \"…\" for 3 players with long_game { … }`"
                 : "move this into the `with` that declares it");
  return true;
}

// If a standard library declares the name, adds a suggestion to use that library instead of a similar name.
static void name_its_library(SemaContext& sema, Range name, std::string& help) {
  const std::string_view word = sema.diagnostics.sources().text(name);
  const bool removed = std::any_of(sema.collected.removals.begin(), sema.collected.removals.end(),
                                   [&](const Node* r) { return r->text == word; });
  if (removed || (!help.empty() && !help.starts_with(kGuess))) return;
  std::string libraries;
  for (const loading::Library& library : loading::libraries_with(sema.ruleset.stdlib, word)) {
    const std::string board = sema.model.boards.size() == 1 ? sema.model.boards[0].name : "BOARD";
    libraries += fmt::format("{}`use {}{}`", libraries.empty() ? "" : " or ", library.name,
                             library.on_board ? " on " + board : "");
  }
  if (!libraries.empty()) help = "add the library that declares it: " + libraries;
}

static void note_its_removal(const SemaContext& sema, Diagnostic& unknown) {
  const std::string_view name = sema.diagnostics.sources().text(unknown.range);
  for (const Node* r : sema.collected.removals)
    if (r->text == name && unknown.notes.empty()) unknown.notes.push_back({r->range, "removed here"});
}

// Adds a note that shows where the library is used, because the game often causes the error in the library.
static void note_its_use(const SemaContext& sema, Diagnostic& in_a_library) {
  const Unit* library = nullptr;
  for (const Unit& u : sema.ruleset.units)
    if (u.root->range.source == in_a_library.range.source && u.standard) library = &u;
  if (!library || !in_a_library.notes.empty()) return;
  const std::string path =
      "std." + std::filesystem::path(sema.diagnostics.sources().name(in_a_library.range.source)).stem().string();
  for (const Unit& u : sema.ruleset.units)
    for (const Node* n : u.root->children)
      if (n && n->kind == NodeKind::use_decl && n->text == path && !u.standard)
        return void(in_a_library.notes.push_back({n->range, "used here"}));
}

Diagnostic& twice(SemaContext& sema, const Node* node, std::string_view word, Range other) {
  const bool elsewhere = other.source != node->range.source;   // in the base or a library
  Diagnostic& reported = error(
      sema, "duplicate_declaration"_code, name_range(sema, node), fmt::format("duplicate {} `{}`", word, node->text),
      elsewhere ? fmt::format("to replace it, write `replace {} {} …`", word, node->text) : "");
  reported.notes.push_back({other, "first declared here"});
  return reported;
}

Diagnostic& error(SemaContext& sema, Code code, Range range, std::string message, std::string help) {
  ++sema.errors;
  if (code == "unknown_name"_code) name_its_library(sema, range, help);
  Diagnostic& reported = sema.diagnostics.report(code, range, std::move(message), std::move(help));
  if (code == "unknown_name"_code) note_its_removal(sema, reported);
  if (in_standard_library(sema, range)) note_its_use(sema, reported);
  return reported;
}

void warn_if(SemaContext& sema, Code code, Range range, bool bad, std::string message, std::string help) {
  if (sema.pending_warnings) sema.pending_warnings->add(code, range, bad, std::move(message), std::move(help));
}

bool in_library(const SemaContext& sema, Range range) {
  for (const Unit& u : sema.ruleset.units)
    if (u.library && u.root && u.root->range.source == range.source) return true;
  return false;
}

bool in_standard_library(const SemaContext& sema, Range range) {
  return std::any_of(sema.ruleset.units.begin(), sema.ruleset.units.end(),
                     [&](const Unit& u) { return u.standard && u.root && u.root->range.source == range.source; });
}

}   // namespace cardwright::sema
