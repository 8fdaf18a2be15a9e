// Allocates AST nodes and prints trees as text.
#include "compiler/ast/ast.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

namespace cardwright::ast {

namespace {

// The maximum number of children of each kind; kMany if the kind has a REST part.
constexpr std::size_t kMany = std::size_t{1} << 32;
constexpr std::size_t kMost[] = {
#define PART(name) +1
#define OPTIONAL(name) +1
#define LIST(name) +1
#define OPTIONAL_LIST(name) +1
#define REST(name) +kMany
#define NODE(name, parts, layout) 0 parts,
#include "compiler/ast/nodes.def"
};

}   // namespace

Node* Arena::make(NodeKind kind, Range range, std::string_view text, std::int64_t number,
                  const std::vector<Node*>& children) {
  assert(children.size() <= kMost[static_cast<std::size_t>(kind)]);
  std::span<Node* const> copied;
  if (!children.empty()) {
    auto* room = static_cast<Node**>(memory_.allocate(children.size() * sizeof(Node*), alignof(Node*)));
    std::ranges::copy(children, room);
    copied = {room, children.size()};
  }
  void* room = memory_.allocate(sizeof(Node), alignof(Node));
  return new (room) Node{kind, range, text, number, copied};
}

Node* Arena::copy(const Node& node) {
  return make(node.kind, node.range, node.text, node.number, {node.children.begin(), node.children.end()});
}

std::string_view Arena::keep(std::string text) {
  if (text.empty()) return {};
  auto* room = static_cast<char*>(memory_.allocate(text.size(), 1));
  std::memcpy(room, text.data(), text.size());
  return {room, text.size()};
}

std::string_view kind_name(NodeKind kind) {
  static constexpr std::string_view kNames[] = {
#define NODE(name, parts, layout) #name,
#include "compiler/ast/nodes.def"
  };
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

void print_to(std::string& out, const Node* node, std::size_t depth) {
  out.append(2 * depth, ' ');
  if (!node) {
    out += "-\n";
    return;
  }
  out += kind_name(node->kind);
  if (!node->text.empty()) out += fmt::format(" \"{}\"", node->text);
  if (node->number != 0 || node->kind == NodeKind::number || node->kind == NodeKind::truth)
    out += fmt::format(" {}", node->number);
  out += '\n';
  // Skip absent children at the end.
  std::size_t shown = node->children.size();
  while (shown > 0 && !node->children[shown - 1]) --shown;
  for (const Node* child : node->children.first(shown)) print_to(out, child, depth + 1);
}

}   // namespace

std::string print(const Node& node) {
  std::string out;
  print_to(out, &node, 0);
  return out;
}

}   // namespace cardwright::ast
