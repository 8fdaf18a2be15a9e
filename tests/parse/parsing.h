// Helpers for the parse tests: parse a text and return its tree as one line, or its messages.
#pragma once

#include <string>

#include <catch2/catch.hpp>

#include "compiler/parse/parse.h"

namespace cardwright::parse_tests {

struct Parsed {
  SourceMap sources;
  Diagnostics diagnostics{sources};
  ast::Arena arena;
  ast::File file;

  explicit Parsed(std::string text) {
    file = parse::parse(sources.add("test.rules", std::move(text)), diagnostics, arena);
  }
  std::string messages() const { return render_text(diagnostics, sources); }
  std::size_t declarations() const { return file.root->children.size(); }
};

// Formats a node: name_ref and number without parentheses, a list in [ ], and an absent child as `-`. Omits trailing
// absent children.
inline std::string shape(const ast::Node* n) {
  if (!n) return "-";
  using K = ast::NodeKind;
  if (n->kind == K::name_ref) return std::string(n->text);
  if (n->kind == K::number) return std::to_string(n->number) + std::string(n->text);
  std::string out = n->kind == K::list ? "[" : std::string(ast::kind_name(n->kind));
  if (!n->text.empty()) out += "'" + std::string(n->text) + "'";
  if (n->number) out += "#" + std::to_string(n->number);
  std::size_t shown = n->children.size();
  while (shown && !n->children[shown - 1]) --shown;
  if (shown && n->kind != K::list) out += "(";
  for (std::size_t i = 0; i < shown; ++i) out += (i ? " " : "") + shape(n->children[i]);
  if (shown && n->kind != K::list) out += ")";
  return n->kind == K::list ? out + "]" : out;
}

// Parses declarations without errors, and returns their trees as one line.
inline std::string decls(const std::string& text) {
  Parsed p(text);
  INFO(text << "\n" << p.messages());
  CHECK(p.diagnostics.all().empty());
  std::string out;
  for (const ast::Node* d : p.file.root->children) out += (out.empty() ? "" : " ") + shape(d);
  return out;
}

// Parses statements without errors, and returns their trees as one line.
inline std::string stmts(const std::string& text) {
  const std::string all = decls("setup {\n" + text + "\n}");
  const std::string before = "setup_decl([", after = "])";
  if (!all.starts_with(before)) return all;
  return all.substr(before.size(), all.size() - before.size() - after.size());
}

// Parses an expression without errors, and returns its tree as one line.
inline std::string expr(const std::string& text) {
  const std::string all = stmts("let v = " + text);
  const std::string before = "let_stmt'v'(- ";
  return all.starts_with(before) ? all.substr(before.size(), all.size() - before.size() - 1) : all;
}

// Parses an invalid text, and returns the messages.
inline std::string wrong(const std::string& text) {
  Parsed p(text);
  INFO(text);
  CHECK(p.diagnostics.has_errors());
  return p.messages();
}

}   // namespace cardwright::parse_tests
