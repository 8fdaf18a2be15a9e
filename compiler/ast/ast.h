// Defines the abstract syntax tree of one file, which parse/ builds and sema/ reads. All nodes have the same structure:
// a kind, a text, a number and children. nodes.def documents their meaning for each kind.
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
  std::string_view text;   // name, operator or contents of a string; see nodes.def
  std::int64_t number = 0;   // value of a literal, count or flags; see nodes.def
  std::span<Node* const> children;   // nullptr for an absent optional child

  Node* child(std::size_t i) const { return i < children.size() ? children[i] : nullptr; }
};

// Owns all nodes, and all strings that are not part of a source file.
class Arena {
 public:
  Node* make(NodeKind kind, Range range, std::string_view text = {}, std::int64_t number = 0,
             const std::vector<Node*>& children = {});
  // Copies a node. The copy has the same children.
  Node* copy(const Node& node);
  std::string_view keep(std::string text);

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

struct File {
  SourceId source = kNoSource;
  Node* root = nullptr;   // NodeKind::file
  std::string folder;   // folder that `from` and `use` search for files
  std::vector<Allowance> allowances;
};

std::string_view kind_name(NodeKind kind);
// Prints one node per line with indented children, such as `card "Miss" …`. Used by `cardwright print --stage ast`.
std::string print(const Node& node);

}   // namespace cardwright::ast
