// Rules other than decisions: values, functions, events, and rules that modify, trigger on or forbid them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/code.h"

namespace cardwright::model {

enum class CarrierKind : std::uint8_t { nobody, character, card };

// The carrier of a rule. `nobody`: the rule is always in force.
struct Carrier {
  CarrierKind kind = CarrierKind::nobody;
  EnumId character_type;   // character: the variable of a player that holds it is `character_variable`
  std::int64_t character = 0;   // constant of that type
  VariableId character_variable;
  std::vector<KindId> kinds;   // card: any of these kinds
  // card: the zone (`while in`); invalid: any zone for which the `when` of the rule is true
  ZoneId zone;
};

// Precedence: compare (kind, depth, position); the highest is the strongest.
enum class RuleKind : std::uint8_t { rule, option, card };
struct Precedence {
  RuleKind kind = RuleKind::rule;
  std::uint32_t depth = 0;   // in the `extends` chain, base = 0
  std::uint32_t position = 0;   // source order (imports first)
  friend auto operator<=>(const Precedence&, const Precedence&) = default;
};

struct Pattern {
  enum class Kind : std::uint8_t { any, binds, equals } kind = Kind::any;
  LocalId local;   // binds
  const Expr* value = nullptr;   // equals; often the local `me`
};

// The common part of all rules. `me` is unset if the carrier is nobody; `self` (`this`) is set only for card carriers.
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
  Body body;   // its locals include me, self and the bound names
  // after: the parameter that must be this card. The rule then also runs if the event has moved the card.
  std::optional<std::size_t> looks_back = {};
};

struct Parameter {
  LocalId local;
  const Expr* initial = nullptr;   // default, evaluated at the call
};

// `p orders replacements`: if several `instead of` rules apply, this player chooses which one applies first.
struct ReplacementOption {
  std::size_t handler;   // in Event::handlers
  std::optional<KindId> kind;   // for a card: all copies of this kind
  std::optional<std::int64_t> player;   // only the copies of this player; empty if the owner does not matter
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
  std::vector<LocalId> variables;   // declared at the start of its body, for `E.x`; initialised in the body
  Type result;
  // The result if it is a list or the fields of a record: then the call is a `let_given`, or a list.
  std::vector<Type> gives;
  bool returns_optional = false;   // can be cancelled: the value may be none
  Body body;   // for turns and phases, the block in `play`
  std::vector<Handler> handlers;   // unsorted; lower/ sorts them
  std::int64_t depth_limit = 0;   // `nested up to n`, 0: not declared
  // Index of the first parameter of type player (not `any player`): the event does not happen if that player is none or
  // out of the game.
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
  const Expr* base = nullptr;   // null if the value has a block body
  Body body;   // its first locals are the parameters
  const Expr* at_least = nullptr;   // the bounds in the declaration, over the parameters
  const Expr* at_most = nullptr;
  std::vector<Modifier> modifiers;
  bool latest_first = false;   // among several `modify … to`, the one whose carrier came into force last applies
  bool kept = false;   // memoized: stored, and recomputed when its dependencies change
  bool timing = false;   // `race.think`: of one player; may draw latencies; only read by the race
  Range range;
};
struct Function {   // pure
  bool sequence = false;   // its body yields elements; `result` is a list of them
  bool recursive = false;   // calls itself, directly or indirectly
  bool crossings = false;   // the function of std.grid that the engine implements with special operations
  std::int64_t depth_limit = 0;   // `nested up to n`, 0: not declared
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  Body body;   // `= expr` is stored as { return expr }
  Range range;
};

struct Whenever {
  RuleHead head;   // when = the condition
  LocalId subject;   // the variable of `whenever p: player where …`
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
  std::vector<ActionId> actions;   // the affected actions (a play, an action, a group or all)
  std::vector<Pattern> patterns;   // over the parameters of a single action, else empty
  Body body;   // locals only
};

struct EndWhen {
  std::string name;   // empty if unnamed
  const Expr* when = nullptr;
  std::string words;   // reason why the game is over, shown to players
  Body body;   // ends with `winners`
  Precedence precedence;
  Range range;
};

}   // namespace cardwright::model
