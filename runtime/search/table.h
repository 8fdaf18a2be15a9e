// Stores the nodes of a search. A node is a position as one player sees it, with the options tried there. Nodes are
// stored in one open-addressing hash table, options in one arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/program/layout.h"

namespace cardwright::search {

// The proven result for the player who decides at a node, for all possible decisions of the others.
enum class Proven : std::uint8_t { open, won, lost };

// An option at a node. For simultaneous decisions, `sum` is the player's regret for not choosing it and `weight` the
// sum of its probabilities; elsewhere `sum` is the sum of returns and `weight` the number of times it was offered.
struct Edge {
  Int id = 0;
  double sum = 0;
  std::uint32_t visits : 30 = 0;
  Proven proven : 2 = Proven::open;
  float weight = 0;
};

struct Node {
  Word key = 0;   // 0: empty entry
  std::uint32_t visits = 0;
  std::uint32_t first = 0;   // first of its edges in the arena, sorted by id
  std::uint32_t count = 0, room = 0;   // number of edges, and capacity for edges
  std::uint32_t after = 0;   // number of nodes created after this one
  Proven proven = Proven::open;
};

class Table {
 public:
  // `most_bytes` limits the total size; at the limit, no more nodes or edges are added.
  explicit Table(std::size_t most_bytes);

  // Makes room for one more node, unless the limit is reached. Call it between two iterations, because nodes move.
  void make_room();
  // Return the index of the node with this key. For a new key, find() returns kNowhere; find_or_make() creates a node
  // and sets `made`, or returns kNowhere at the size limit.
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  std::uint32_t find(Word key) const;
  std::uint32_t find_or_make(Word key, bool& made);
  Node& node(std::uint32_t at) { return nodes_[at]; }
  const Node& node(std::uint32_t at) const { return nodes_[at]; }
  std::span<Edge> edges(const Node& node) { return {edges_.data() + node.first, node.count}; }
  std::span<const Edge> edges(const Node& node) const { return {edges_.data() + node.first, node.count}; }
  Edge& edge(std::uint32_t at) { return edges_[at]; }
  // Inserts an edge at that position among the edges of the node; ids stay ascending. Returns null if there is no room.
  Edge* insert(Node& node, std::size_t position, Int id);
  std::size_t nodes() const { return used_; }

 private:
  std::size_t bytes() const;

  const std::size_t most_bytes_;
  std::vector<Node> nodes_;   // the hash table, whose size is a power of two
  std::vector<Edge> edges_;
  std::size_t used_ = 0;
};

}   // namespace cardwright::search
