// Where a card lies that is about to move, as the rule that moves it says: `c in me.hand`, `each c in trick`. It is a
// guess, since a modifier or a trigger may have come between, and saves looking through all zones. Of an event that is
// told a card, but not whose it is, the first of the zones is guessed: from there on it is looked for.
// In:     the Model. Out: the zone of each name of a rule that holds cards, and of expressions of such names.
// Source: provenance of data: Buneman, Khanna, Tan, "Why and Where", 2001.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// a zone as a rule names it: owner and copy are constants or locals of that rule, or null
struct Origin {
  std::uint32_t zone;
  const model::Expr *owner, *copy;
  // whose, or which copy, is not known: the first is named, and from there on it is looked for
  bool somewhere = false;
};

class Origins {
 public:
  // The one expression that a value or function is, if no rule modifies it; else null.
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
  std::optional<Origin> in_call(const model::Expr& call, const model::Expr* said, const model::Body& inner,
                                const std::vector<model::Parameter>& parameters) const;
  static bool is_plain(const model::Expr* e);

  const model::Model& model_;
  PlainBody plain_body_;
  std::map<std::pair<const model::Body*, std::uint32_t>, Origin> found_;
  std::deque<model::Expr> own_exprs_;
};

}   // namespace cardwright::analysis
