// Defines the base class of views, which give access to the parts of a node by name: `view::if_stmt(node).condition()`.
// The syntax tree, the Model and the IR each derive their views from it.
#pragma once

#include <cassert>

namespace cardwright {

// A read-only view of a node whose member `kind` is one of `kinds`; a debug build aborts if it is not.
template <class Node, auto kind, auto... kinds>
class KindView {
 public:
  explicit KindView(const Node& node) : node_(&node) { assert(((node.*kind == kinds) || ...)); }
  explicit KindView(const Node* node) : KindView((assert(node), *node)) {}

 protected:
  const Node& it() const { return *node_; }

 private:
  const Node* node_;
};

}   // namespace cardwright
