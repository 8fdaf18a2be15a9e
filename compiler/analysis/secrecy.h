// What an expression reads that the player who is asked may not know, found from the Model alone: through values with
// all that modifies them, functions, names that hold cards, sets of cards and what supposed events would do.
// In: an expression, and what is known of the names in it. Out: whether the asked player surely knows all that it looks
//     at. Where that is
// not sure, what is written looks at the knowledge while the game runs (asked.cpp).
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

// What is sure of something, whatever happens in the game.
struct Fact {
  bool asked = false;   // it is the player who is asked
  // Of cards. A card that lies somewhere the asked player can't see into is placed, and not named; one that a rule
  // names (`all Apple`) is named, and not placed: it may lie anywhere. What lies open is both.
  bool named = false;   // which cards they are the asked player knows
  bool placed = false;   // they were found where they lie, or handed on since
  bool unknown = false;   // and the asked player does not know which they are
  // Named ones and placed ones together, `bag + all Apple`: how many that are, and where, depends on where the named
  // ones lie.
  bool is_mixed() const { return !named && !placed; }
  friend Fact operator&(const Fact& a, const Fact& b) {
    return {a.asked && b.asked, a.named && b.named, a.placed && b.placed, a.unknown && b.unknown};
  }
  friend auto operator<=>(const Fact&, const Fact&) = default;
};
inline constexpr Fact kSeen{.named = true, .placed = true};
inline constexpr Fact kPlaced{.placed = true};

// What is sure of the names of a rule, by local.
struct Facts {
  std::vector<Fact> locals;
  bool active_is_asked = false;
  std::vector<const model::Expr*> shown;   // cards that the asked player knows here, by a `me knows` before
  Fact of(model::LocalId local) const { return local.index < locals.size() ? locals[local.index] : Fact{}; }
  void put(model::LocalId local, Fact fact) {
    if (!local.valid()) return;
    if (local.index >= locals.size()) locals.resize(local.index + 1);
    locals[local.index] = fact;
  }
};

bool are_told_apart(const Fact& a, const Fact& b);   // whether two of them are the same is known to who is asked

// Controls if `me knows c and …` makes `c` known on the right side. Policies are evaluated on the true state, so the
// guard is enough there; offers are evaluated three-valued instead.
enum class Guards : std::uint8_t { ignored, enabled };

class Secrecy {
 public:
  explicit Secrecy(const model::Model& model, Guards guards = Guards::ignored)
      : model_(model), has_facedown_(zones_with_facedown(model)), guards_(guards) {}

  // By zone: whether cards lie face down there.
  const std::vector<bool>& has_facedown() const { return has_facedown_; }
  // What the rules hand on of it; found when it is first asked for.
  const Taint& taint();

  bool reads(const model::Expr& e, Facts& at);
  Fact fact(const model::Expr& e, Facts& at);
  bool reads_call(const model::Expr& call, Facts& at) { return reads_call(called(call, at)); }
  // … where the cards that it is handed are this.
  bool reads_call(const model::Expr& call, Fact cards);
  // What is sure of the names of a rule where it asks, at the statement `here`: `given` says who is asked.
  Facts of_body(const model::Body& body, const Facts& given, const model::Stmt& here);
  // Whether a name always holds cards that a rule names.
  bool holds_named(const model::Body& body, model::LocalId local);
  // Cards may be turned, shuffled, or go where not all see them.
  bool takes_out_itself(const model::Stmt& s) const;
  bool takes_out_of_sight(const model::Stmt& s) const;
  // Of the names in what is called, as it is called there.
  Facts of_call(const model::Expr& call, Facts& at);
  std::vector<Fact> arguments(const model::Expr& call, Facts& at);
  // Whether all see, or who is asked does, what lies face up in a zone.
  bool sees_into(const model::Expr& zone, Facts& at);
  // The facts that hold if `condition` holds (or, with `holds` false, if it doesn't).
  Facts assuming(const model::Expr& condition, const Facts& at, bool holds = true);
  // Of a rule that modifies something: what is sure of its names, and whether it is known who or what it depends on.
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
  // events that are supposed, and what they are handed
  using Happened = std::set<std::pair<std::uint32_t, std::vector<Fact>>>;
  bool reads_event(const model::Expr& call, Facts& at, Happened& seen);
  bool reads_happening(const model::Block& block, Facts& at, Happened& seen);
  bool reads_happening(const model::Expr& e, Facts& at, Happened& seen);
  Fact result(const Called& called);
  Fact result_inside(const Called& called);
  void returned(const model::Block& block, Facts& at, Fact& fact);
  Facts settled(const Called& called);
  // `kept`: who is asked may not know which named cards they are, if that was found out by secrets.
  bool settle(const model::Block& block, Facts& at, bool kept = false);
  Fact kept(const model::Expr& e, Facts& at);
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
  std::set<Called> looking_, working_;   // in the middle of them: functions that call each other …
  int cuts_ = 0;   // … and how often one of these was met again
  std::optional<NamedCards> named_;
};

}   // namespace cardwright::analysis
