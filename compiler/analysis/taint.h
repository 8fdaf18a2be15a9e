// Tracks secrets that flow from one rule to another through arguments, results and locals captured by `afterwards`. A
// log text that depends on such a value is not shown to any player, because the receiving rule does not know which
// players know the source of the value. Computed once for the whole Model.
// Input:  the Model and the zones that may contain facedown cards.
// Output: whether a local, a field or an expression may depend on something that some players do not know.
// Source: taint analysis, a lattice of two levels: Denning, "A lattice model of secure information flow", 1976.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// Returns whether a call of a value or function reads something that some players do not see.
bool reads_secrets(const model::Model& model, const model::Expr& call);

class Taint {
 public:
  Taint(const model::Model& model, const std::vector<bool>& has_facedown);

  // Returns whether the value of a local may depend on a secret.
  bool carries(const model::Body& body, model::LocalId local) const { return locals_.count({&body, local.index}) > 0; }
  bool is_secret(const model::Body& body, const model::Expr& e) const { return hidden_in(body, e, {}); }
  // Returns whether the field `W.x` of a window may depend on a secret.
  bool is_secret_field(std::uint32_t window, std::int64_t field) const;
  // Returns whether `E.x` of an event, or `W.x` of a closed window, may depend on a secret. The result is the same for
  // all rules.
  bool is_left_secret(const model::Expr& field) const;
  // Returns the secret conditions under which a local is assigned.
  std::vector<const model::Expr*> secret_conditions(const model::Body& body, model::LocalId local) const;
  // Returns whether a log text in `body` that contains `e` must not be shown. `later` is true if the text is in an
  // `afterwards`.
  bool must_be_hidden(const model::Body& body, const model::Expr& e, bool later) const;

 private:
  struct Stored;
  using Bound = std::vector<std::pair<std::uint32_t, const model::Expr*>>;
  using Owner = std::pair<int, std::uint32_t>;   // kind of owner (event, window or other), and its index

  void all();
  void body(const model::Body& b, Owner owner) { block(b.block, b, owner); }
  void block(const model::Block& statements, const model::Body& in, Owner owner);
  void calls(const model::Expr& e, const model::Body& in);
  bool given(const model::Body& in, const model::Expr& e) const;
  bool reads_hidden(const model::Expr& call) const;
  Stored stored(const model::Body& in, model::LocalId local) const;
  bool open_zone(std::uint32_t zone) const {
    return model_.zones[zone].visibility == model::Visibility::open && !has_facedown_[zone];
  }
  bool unknown(const model::Body& in, const model::Expr& e, const Bound& bound) const;
  bool unknown_of_action(const model::Body& in, model::LocalId local) const;
  bool hidden_in(const model::Body& in, const model::Expr& e, Bound bound) const;
  void mark(const model::Body& in, model::LocalId local) { add(locals_, {&in, local.index}); }
  template <class Set>
  void add(Set& set, typename Set::value_type value) {
    if (set.insert(value).second) grew_ = true;
  }

  const model::Model& model_;
  const std::vector<bool>& has_facedown_;
  bool grew_ = true;
  std::set<std::pair<const model::Body*, std::uint32_t>> locals_;
  std::set<std::uint32_t> results_, window_results_;
  std::set<std::pair<std::uint32_t, std::int64_t>> fields_;
};

}   // namespace cardwright::analysis
