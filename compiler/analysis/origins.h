// Guesses the zone of a card that is about to move, based on the zone from which the rule obtained it, as in `c in
// me.hand` or `each c in trick`. If the guess is right, no search through all zones is needed. The guess may be wrong,
// because a modifier or a trigger can move the card first. If an event receives a card without its owner, the search
// starts at the first instance of the zone.
// Input:  the Model.
// Output: the zone of each local that contains cards, and of expressions with such locals.
// Source: data provenance: Buneman, Khanna, Tan, "Why and Where", 2001.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// A zone as named in a rule: owner and copy are constants or locals of that rule, or null.
struct Origin {
  std::uint32_t zone;
  const model::Expr *owner, *copy;
  // True if the owner or copy is unknown. The search then starts at the first instance of the zone.
  bool somewhere = false;
};

class Origins {
 public:
  // Returns the expression that defines a value or function if no rule modifies it, otherwise null.
  using PlainBody = std::function<const model::Expr*(const model::Expr& call)>;
  Origins(const model::Model& model, PlainBody plain_body);

  std::optional<Origin> of(const model::Expr* e, const model::Body& body) const;
  const Origin* of(model::LocalId local, const model::Body& body) const {
    const auto it = found_.find({&body, local.index});
    return it == found_.end() ? nullptr : &it->second;
  }

 private:
  void find(const model::Body& body);
  void find(const model::Block& block, const model::Body& body);
  void note_arguments(const model::Expr& call, const model::Body& body);
  const model::Expr* parameter_as_local(const model::Event& event, std::size_t i);
  std::optional<Origin> in_call(const model::Expr& call, const model::Expr* argument, const model::Body& inner,
                                const std::vector<model::Parameter>& parameters) const;
  static bool is_plain(const model::Expr* e);

  const model::Model& model_;
  PlainBody plain_body_;
  std::map<std::pair<const model::Body*, std::uint32_t>, Origin> found_;
  std::deque<model::Expr> own_exprs_;
};

}   // namespace cardwright::analysis
