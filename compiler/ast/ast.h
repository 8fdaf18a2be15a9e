// The tree of one file as it was written. Made by parse/, read by sema/.
// All nodes have one shape: a kind, a text, a number and children; nodes.def says what each kind holds.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"
#include "support/source.h"

namespace cardwright::ast {

enum class NodeKind : std::uint8_t {
#define NODE(name, parts, layout) name,
#include "compiler/ast/nodes.def"
};

struct Node {
  NodeKind kind;
  Range range;
  std::string_view text;   // name, operator or string contents; see nodes.def
  std::int64_t number = 0;   // literal, count or flags; see nodes.def
  std::span<Node* const> children;   // an absent optional child is nullptr

  Node* child(std::size_t i) const { return i < children.size() ? children[i] : nullptr; }
};

// Owns the nodes and the texts that are not slices of a source.
class Arena {
 public:
  Node* make(NodeKind kind, Range range, std::string_view text = {}, std::int64_t number = 0,
             const std::vector<Node*>& children = {});
  std::string_view keep(std::string text);

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

struct File {
  SourceId source = kNoSource;
  Node* root = nullptr;   // NodeKind::file
  std::string folder;   // where `from` and `use` look
  std::vector<Allowance> allowances;
};

std::string_view kind_name(NodeKind kind);
// One node a line, children indented: `card "Miss" …`. The stage `ast` of `cardwright print`.
std::string print(const Node& node);

}   // namespace cardwright::ast
