// Finds the locals whose cards are always named by a rule, as in `all Penny`: the cards are assigned with `let`, passed
// to an event, or chosen by name. All players know these cards, so they are the same in every sampled world. Other
// locals contain cards that were obtained from a zone.
// Input:  the Model and the results of secrecy.cpp.
// Output: for each local of each body, whether its cards are always named by a rule.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "compiler/model/model.h"
#include "compiler/model/views.h"

namespace cardwright::analysis {

class Secrecy;
struct Facts;

class NamedCards {
 public:
  NamedCards(const model::Model& model, Secrecy& secrecy);
  bool holds(const model::Body& body, model::LocalId local) const;

 private:
  enum class State : std::uint8_t { open, named, found };   // open: no value assigned yet
  using Key = std::pair<const model::Body*, std::uint32_t>;

  void all();
  void body(const model::Body& body) { block(body.block, body, false); }
  void block(const model::Block& block, const model::Body& in, bool hidden);
  void statement(const model::Stmt& s, const model::Body& in, bool hidden);
  void calls(const model::Expr& e, const model::Body& in, bool hidden);
  void hand(const model::Event& to, const model::Expr& call, const model::Body& in, bool hidden);
  void hand_on(const model::Event& event, const model::Handler& to);
  void store(const model::Body& to, model::LocalId local, const model::Expr* e, const model::Body& in, bool hidden);
  void put(const model::Body& to, model::LocalId local, State state);
  State state_of(const model::Body& body, model::LocalId local) const;
  State named(const model::Expr& e, const model::Body& in) const;
  bool reads(const model::Expr* e, const model::Body& in) const;
  bool reads_of_element(const model::view::Source& source, model::LocalId element, const model::Body& in) const;
  Facts facts(const model::Body& in) const;

  const model::Model& model_;
  Secrecy& secrecy_;
  std::map<Key, State> states_;
  bool changed_ = true;
};

}   // namespace cardwright::analysis
