// What hands secrets on from one rule to another: arguments, results, names kept by `afterwards`. A text that depends
// on such a thing can't say at that place who knows what it came from, so it is told to nobody. Found once, over the
// whole Model.
// In:     the Model, and in which zones cards lie face down.
// Out:    whether a name, a field or an expression may depend on what not all know.
// Source: taint analysis, or a lattice of two levels: Denning, "A lattice model of secure information flow", 1976.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// Whether a value or function that is called reads anything that not all see.
bool reads_secrets(const model::Model& model, const model::Expr& call);

class Taint {
 public:
  Taint(const model::Model& model, const std::vector<bool>& has_facedown);

  // A name of a rule: whether what it holds, however it got it, may depend on a secret.
  bool carries(const model::Body& body, model::LocalId local) const { return locals_.count({&body, local.index}) > 0; }
  bool is_secret(const model::Body& body, const model::Expr& e) const { return hidden_in(body, e, {}); }
  // `W.x` of a window.
  bool is_secret_field(std::uint32_t window, std::int64_t field) const;
  // `E.x` of an event, or what a window left behind, wherever it stands.
  bool is_left_secret(const model::Expr& field) const;
  // On which conditions that not all can look at a name was stored.
  std::vector<const model::Expr*> secret_conditions(const model::Body& body, model::LocalId local) const;
  // Whether a text in `body` that names this must be silent. `later`: in an `afterwards`.
  bool is_untold(const model::Body& body, const model::Expr& e, bool later) const;

 private:
  struct Stored;
  using Bound = std::vector<std::pair<std::uint32_t, const model::Expr*>>;
  using Owner = std::pair<int, std::uint32_t>;   // an event, a window, or anything else

  void all();
  void body(const model::Body& b, Owner owner) { block(b.block, b, owner); }
  void block(const model::Block& statements, const model::Body& in, Owner owner);
  void calls(const model::Expr& e, const model::Body& in);
  bool given(const model::Body& in, const model::Expr& e) const;
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
