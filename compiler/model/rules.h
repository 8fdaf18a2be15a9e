// Rules that are no decisions: values and functions, events, and what changes, follows or forbids them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/code.h"

namespace cardwright::model {

enum class CarrierKind : std::uint8_t { nobody, character, card };

// Who or what carries a rule. `nobody`: the rule is always in force.
struct Carrier {
  CarrierKind kind = CarrierKind::nobody;
  EnumId character_type;   // character: the variable of a player that holds it is `character_variable`
  std::int64_t character = 0;   // constant of that type
  VariableId character_variable;
  std::vector<KindId> kinds;   // card: any of these …
  // … lying in this zone (in force `while in`); invalid: wherever the rule's `when` holds
  ZoneId zone;
};

// Precedence: compare (kind, depth, position); the highest is the strongest.
enum class RuleKind : std::uint8_t { rule, option, card };
struct Precedence {
  RuleKind kind = RuleKind::rule;
  std::uint32_t depth = 0;   // in the `extends` chain, base = 0
  std::uint32_t position = 0;   // order in the text (imports first)
  friend auto operator<=>(const Precedence&, const Precedence&) = default;
};

struct Pattern {
  enum class Kind : std::uint8_t { any, binds, equals } kind = Kind::any;
  LocalId local;   // binds
  const Expr* value = nullptr;   // equals; often the local `me`
};

// What every rule has. `me` is unset for rules of nobody, `self` (`this`) except for card carriers.
struct RuleHead {
  Carrier carrier;
  Precedence precedence;
  LocalId me;
  LocalId self;
  const Expr* when = nullptr;
  std::string name;   // for rule stacks: "after lose of Lil' Brudder"
  Range range;
};

enum class Hook : std::uint8_t { before, instead, after };
struct Handler {   // before / instead of / after EVENT
  RuleHead head;
  Hook hook;
  std::vector<Pattern> patterns;   // one per parameter of the event
  Body body;   // locals hold me, self, the bound names
  // after: the parameter that must be this card. The rule then runs also if the card has left its zone meanwhile.
  std::optional<std::size_t> looks_back = {};
};

struct Parameter {
  LocalId local;
  const Expr* initial = nullptr;   // default, evaluated at the call
};

// `p orders replacements`: if several `instead of` rules apply, this player chooses which one applies first.
struct ReplacementOption {
  std::size_t handler;   // in Event::handlers
  std::optional<KindId> kind;   // of a card: all copies of this kind …
  std::optional<std::int64_t> player;   // … that belong to this player, where that may make a difference
};
struct ReplacementOrder {
  const Expr* player = nullptr;   // over the event's parameters
  std::vector<ReplacementOption> options;
  EventId asks;   // takes the player and for each option whether it applies; returns the option's index
};

enum class EventKind : std::uint8_t { plain, turn, round, phase };
struct Event {
  std::string name;
  EventKind kind = EventKind::plain;
  std::vector<Parameter> parameters;   // turn and phases inside turns: one player; a round: none
  std::vector<LocalId> variables;   // those at the head of its body, for `E.x`; initialised in the body
  Type result;
  // A list, or the fields of a record that it gives: then it is called by `let_given`, or as a list.
  std::vector<Type> gives;
  bool returns_optional = false;   // can be cancelled: the value may be none
  Body body;   // turn and phase: the block of the flow
  std::vector<Handler> handlers;   // in no order; lower/ sorts
  std::int64_t depth_limit = 0;   // `nested up to n`, 0: not declared
  // Nothing happens to nobody: index of the first parameter of type player (not `any player`), or none.
  std::optional<std::size_t> subject;
  std::optional<ReplacementOrder> order;
  Range range;
};

enum class ModifyHow : std::uint8_t { to, by, at_least, at_most };
struct Modifier {
  RuleHead head;
  ModifyHow how;
  std::vector<Pattern> patterns;
  const Expr* amount = nullptr;   // `by` carries its sign
  Body body;   // locals only: head.me, head.self and bound names live here
};
struct Value {
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  const Expr* base = nullptr;   // or a block body
  Body body;   // its locals are the parameters first
  const Expr* at_least = nullptr;   // the declaration's own clamps, over the parameters
  const Expr* at_most = nullptr;
  std::vector<Modifier> modifiers;
  bool latest_first = false;   // of several `modify … to`, the one whose carrier came into force last counts
  bool kept = false;   // stored, and worked out again when what it reads has changed
  bool timing = false;   // `race.think`: of one player, may draw latencies, read by the race alone
  Range range;
};
struct Function {   // pure
  bool sequence = false;   // its body yields; `result` is a list of that
  bool recursive = false;   // it calls itself, perhaps through others
  bool crossings = false;   // that of std.grid, for which the engine has operations of its own
  std::int64_t depth_limit = 0;   // `nested up to n`, 0: not declared
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  Body body;   // `= expr` became { return expr }
  Range range;
};

struct Whenever {
  RuleHead head;   // when = the condition
  LocalId subject;   // variable of a family (`whenever p: player where …`)
  Body body;
};

struct Also {   // `Miss in me.hand is also Splash`
  RuleHead head;
  std::vector<KindId> kinds;
  ZoneId zone;   // a zone of `me`
  KindId counts_as;
};

struct Forbid {
  RuleHead head;
  bool allow = false;
  std::vector<ActionId> actions;   // that it speaks of (a play, an action, a group, any action)
  std::vector<Pattern> patterns;   // over the parameters of a single action, else empty
  Body body;   // locals only
};

struct EndWhen {
  std::string name;   // empty: it has none
  const Expr* when = nullptr;
  std::string words;   // why the game is over, for people
  Body body;   // ends with `winners`
  Precedence precedence;
  Range range;
};

}   // namespace cardwright::model
