// What a search remembers: nodes, each a position as one player sees it, and at each the options that were tried. Nodes
// lie in one table with open addressing, options in one arena behind each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/program/layout.h"

namespace cardwright::search {

// What is sure, for who decides there: that they win, or that they lose, whatever anybody does.
enum class Proven : std::uint8_t { open, won, lost };

// An option at a node. Where all answer at once `sum` is what its player regrets not having taken it, and `weight` how
// often it was to be taken; elsewhere `sum` is what its visits brought, and `weight` how often it was offered.
struct Edge {
  Int id = 0;
  double sum = 0;
  std::uint32_t visits : 30 = 0;
  Proven proven : 2 = Proven::open;
  float weight = 0;
};

struct Node {
  Word key = 0;   // 0: there is none here
  std::uint32_t visits = 0;
  std::uint32_t first = 0;   // of its edges in the arena, by id
  std::uint32_t count = 0, room = 0;   // of edges
  std::uint32_t after = 0;   // nodes that were made behind it
  Proven proven = Proven::open;
};

class Table {
 public:
  // Bytes that all of it may take; then nothing is added any more.
  explicit Table(std::size_t most_bytes);

  // Makes room for one node more. Call it between two iterations: nodes move. Where it may not grow nothing happens.
  void make_room();
  // Index of the node with that key; `made` says that there was none. Without room for it: kNowhere.
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  std::uint32_t find(Word key) const;
  std::uint32_t find_or_make(Word key, bool& made);
  Node& node(std::uint32_t at) { return nodes_[at]; }
  const Node& node(std::uint32_t at) const { return nodes_[at]; }
  std::span<Edge> edges(const Node& node) { return {edges_.data() + node.first, node.count}; }
  std::span<const Edge> edges(const Node& node) const { return {edges_.data() + node.first, node.count}; }
  Edge& edge(std::uint32_t at) { return edges_[at]; }
  // A new edge at that position among those of the node, whose ids stay ascending. Null where there is no room.
  Edge* insert(Node& node, std::size_t position, Int id);
  std::size_t nodes() const { return used_; }

 private:
  std::size_t bytes() const;

  const std::size_t most_bytes_;
  std::vector<Node> nodes_;   // a power of two
  std::vector<Edge> edges_;
  std::size_t used_ = 0;
};

}   // namespace cardwright::search
