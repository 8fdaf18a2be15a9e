// Implements the hash table of a search.
#include "runtime/search/table.h"

#include <algorithm>

namespace cardwright::search {

namespace {

constexpr std::size_t kLeastNodes = 1 << 10;
constexpr std::uint32_t kLeastRoom = 4;

}   // namespace

Table::Table(std::size_t most_bytes) : most_bytes_(most_bytes), nodes_(kLeastNodes) {}

std::size_t Table::bytes() const { return nodes_.size() * sizeof(Node) + edges_.capacity() * sizeof(Edge); }

// Grows at a load factor of five eighths.
void Table::make_room() {
  if (8 * (used_ + 1) <= 5 * nodes_.size() || bytes() + 2 * nodes_.size() * sizeof(Node) > most_bytes_) return;
  std::vector<Node> old(2 * nodes_.size());
  old.swap(nodes_);
  for (const Node& node : old)
    if (node.key != 0) {
      std::size_t at = node.key & (nodes_.size() - 1);
      while (nodes_[at].key != 0) at = (at + 1) & (nodes_.size() - 1);
      nodes_[at] = node;
    }
}

std::uint32_t Table::find(Word key) const {
  std::size_t at = key & (nodes_.size() - 1);
  while (nodes_[at].key != 0 && nodes_[at].key != key) at = (at + 1) & (nodes_.size() - 1);
  return nodes_[at].key == 0 ? kNowhere : static_cast<std::uint32_t>(at);
}

std::uint32_t Table::find_or_make(Word key, bool& made) {
  made = false;
  std::size_t at = key & (nodes_.size() - 1);
  while (nodes_[at].key != 0 && nodes_[at].key != key) at = (at + 1) & (nodes_.size() - 1);
  if (nodes_[at].key == key) return static_cast<std::uint32_t>(at);
  if (8 * (used_ + 1) > 7 * nodes_.size()) return kNowhere;
  made = true;
  ++used_;
  nodes_[at] = Node{key};
  return static_cast<std::uint32_t>(at);
}

Edge* Table::insert(Node& node, std::size_t position, Int id) {
  if (node.count == node.room) {
    const std::uint32_t room = std::max(kLeastRoom, 2 * node.room), first = static_cast<std::uint32_t>(edges_.size());
    if (edges_.size() + room > edges_.capacity()) {
      const std::size_t more = std::max<std::size_t>(2 * edges_.capacity(), 4 * kLeastNodes);
      if (bytes() + more * sizeof(Edge) > most_bytes_) return nullptr;
      edges_.reserve(more);
    }
    edges_.resize(edges_.size() + room);
    std::copy_n(edges_.begin() + node.first, node.count, edges_.begin() + first);
    node.first = first, node.room = room;
  }
  Edge* const begin = edges_.data() + node.first;
  std::copy_backward(begin + position, begin + node.count, begin + node.count + 1);
  ++node.count;
  begin[position] = Edge{id};
  return begin + position;
}

}   // namespace cardwright::search
