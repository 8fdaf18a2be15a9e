// Decides statically whether an expression may read something that the deciding player does not know. Follows values
// with their modifiers, functions, locals, sets of cards and supposed events.
// Input:  an expression and the facts about its locals.
// Output: whether the deciding player is certain to know everything that the expression reads. Otherwise the generated
//         code checks the player's knowledge at run time (lower/expressions/three_valued.cpp).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/analysis/facedown.h"
#include "compiler/analysis/named.h"
#include "compiler/analysis/taint.h"
#include "compiler/model/model.h"
#include "compiler/model/views.h"

namespace cardwright::analysis {

// Facts about an expression that are true in every game.
struct Fact {
  bool asked = false;   // the value is the deciding player
  // The following facts apply to cards. A card in a zone that the deciding player can't see is placed, but not named. A
  // card that a rule names (`all Apple`) is named, but not placed, because it may be in any zone. A faceup card in a
  // public zone is both.
  bool named = false;   // the deciding player knows which cards the value contains
  bool placed = false;   // the cards were obtained from a zone, directly or through other locals
  bool unknown = false;   // the deciding player does not know which cards the value contains
  // Returns whether the value may be a union of named and placed cards, such as `bag + all Apple`. Its size depends on
  // which zones contain the named cards.
  bool is_mixed() const { return !named && !placed; }
  friend Fact operator&(const Fact& a, const Fact& b) {
    return {a.asked && b.asked, a.named && b.named, a.placed && b.placed, a.unknown && b.unknown};
  }
  friend auto operator<=>(const Fact&, const Fact&) = default;
};
inline constexpr Fact kSeen{.named = true, .placed = true};
inline constexpr Fact kPlaced{.placed = true};

// The facts about the locals of a rule.
struct Facts {
  std::vector<Fact> locals;
  bool active_is_asked = false;
  std::vector<const model::Expr*> shown;   // cards known here because of a preceding `me knows`
  Fact of(model::LocalId local) const { return local.index < locals.size() ? locals[local.index] : Fact{}; }
  void put(model::LocalId local, Fact fact) {
    if (!local.valid()) return;
    if (local.index >= locals.size()) locals.resize(local.index + 1);
    locals[local.index] = fact;
  }
};

// Returns whether the deciding player knows if two cards with these facts are the same card.
bool are_distinguishable(const Fact& a, const Fact& b);

// Controls whether the guard `me knows c and …` makes `c` known on the right side. Policies are evaluated on the actual
// state, so the guard is sufficient there. Offers are evaluated with three-valued logic, which ignores guards.
enum class Guards : std::uint8_t { ignored, enabled };

class Secrecy {
 public:
  explicit Secrecy(const model::Model& model, Guards guards = Guards::ignored)
      : model_(model), has_facedown_(zones_with_facedown(model)), guards_(guards) {}

  // Returns for each zone whether it may contain facedown cards.
  const std::vector<bool>& has_facedown() const { return has_facedown_; }
  // Returns the flow of secrets between rules. It is computed at the first call.
  const Taint& taint();

  bool reads(const model::Expr& e, Facts& at);
  Fact fact(const model::Expr& e, Facts& at);
  bool reads_call(const model::Expr& call, Facts& at) { return reads_call(called(call, at)); }
  // Like reads_call() above, but assumes the fact `cards` for all card arguments.
  bool reads_call(const model::Expr& call, Fact cards);
  // Returns the facts about the locals of a rule at the statement `here`, which asks a player to decide. `given`
  // identifies the deciding player.
  Facts of_body(const model::Body& body, const Facts& given, const model::Stmt& here);
  // Returns whether a local always holds cards that a rule names.
  bool holds_named(const model::Body& body, model::LocalId local);
  // Returns whether a statement may turn or shuffle cards or move them out of sight.
  bool takes_out_itself(const model::Stmt& s) const;
  bool takes_out_of_sight(const model::Stmt& s) const;
  // Returns the facts about the locals of the called value or function for this call.
  Facts of_call(const model::Expr& call, Facts& at);
  std::vector<Fact> arguments(const model::Expr& call, Facts& at);
  // Returns whether the deciding player sees the faceup cards of a zone.
  bool sees_into(const model::Expr& zone, Facts& at);
  // Returns the facts that are certain if `condition` is true, or if it is false when `holds` is false.
  Facts assuming(const model::Expr& condition, const Facts& at, bool holds = true);
  // of_rule() returns the facts about the locals of a modifier. is_known_whose() returns whether the deciding player
  // knows if the modifier's carrier is in play.
  Facts of_rule(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
                const std::vector<Fact>& given) const;
  bool is_known_whose(const model::RuleHead& head, const Facts& at) const;
  bool is_own(const model::Expr& variable, Facts& at);
  bool reads_rule(const model::RuleHead& head, const std::vector<model::Pattern>& patterns,
                  const std::vector<Fact>& given);

 private:
  struct Called {
    bool value;
    std::uint32_t ref;
    std::vector<Fact> given;
    friend auto operator<=>(const Called&, const Called&) = default;
  };
  Called called(const model::Expr& call, Facts& at) {
    return {call.kind == model::ExprKind::call_value, call.ref, arguments(call, at)};
  }
  const model::Body& body(const Called& c) const {
    return c.value ? model_.values[c.ref].body : model_.functions[c.ref].body;
  }
  bool reads_any(const model::Expr& e, Facts& at);
  std::optional<bool> reads_guarded(const model::Expr& e, Facts& at);
  Fact found_fact(const model::Expr& e, Facts& at);
  bool reads_call(const Called& called);
  bool reads_inside(const Called& called);
  bool reads_block(const model::Block& block, Facts& at);
  // The supposed events that were already visited, each with the facts about its arguments.
  using Happened = std::set<std::pair<std::uint32_t, std::vector<Fact>>>;
  bool reads_event(const model::Expr& call, Facts& at, Happened& seen);
  bool reads_happening(const model::Block& block, Facts& at, Happened& seen);
  bool reads_happening(const model::Expr& e, Facts& at, Happened& seen);
  Fact result(const Called& called);
  Fact result_inside(const Called& called);
  void returned(const model::Block& block, Facts& at, Fact& fact);
  Facts settled(const Called& called);
  // With `in_secret_condition`, the deciding player does not know the named cards that the block selects.
  bool settle(const model::Block& block, Facts& at, bool in_secret_condition = false);
  Fact fact_in_secret(const model::Expr& e, Facts& at);
  Fact chosen(const model::view::Source& source, model::LocalId element, Facts& at);
  bool takes_out_of_sight(const model::Expr& e) const;
  bool take_out_of_sight(const model::Block& block, const model::Stmt& here, const Facts& settled, Facts& at) const;
  void settle_records(const model::Expr& e, Facts& at);
  bool is_mine(const model::Expr& e, Facts& at) { return fact(e, at).asked; }

  const model::Model& model_;
  std::vector<bool> has_facedown_;
  Guards guards_;
  std::optional<Taint> taint_;
  std::map<Called, bool> reads_;
  std::map<Called, Fact> results_;
  std::map<Called, Facts> settled_;
  std::set<Called> reading_, working_;   // calls in progress, used to detect recursion
  int cuts_ = 0;   // number of recursive calls found
  std::optional<NamedCards> named_;
};

}   // namespace cardwright::analysis
