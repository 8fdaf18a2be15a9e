// Defines the rules that are not decisions: values, functions, events, and rules that modify, trigger on or forbid
// them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/code.h"

namespace cardwright::model {

enum class CarrierKind : std::uint8_t { none, character, card };

// The carrier of a rule: the character or card that brings the rule into force. If the kind is `none`, the rule is
// always in force.
struct Carrier {
  CarrierKind kind = CarrierKind::none;
  // For a character: its type; `character_variable` is the player variable that contains the character.
  EnumId character_type;
  std::int64_t character = 0;   // constant of that type
  VariableId character_variable;
  std::vector<KindId> kinds;   // for a card: one of these kinds
  // For a card: the zone in which the rule is in force (`while in`). If invalid, the rule is in force in any zone for
  // which its `when` is true.
  ZoneId zone;
};

// Rules are compared by kind, then depth, then position; the greatest precedence wins.
enum class RuleKind : std::uint8_t { rule, option, card };
struct Precedence {
  RuleKind kind = RuleKind::rule;
  std::uint32_t depth = 0;   // position of the file in the `extends` chain; the base game is at 0
  std::uint32_t position = 0;   // source order; imported files come first
  friend auto operator<=>(const Precedence&, const Precedence&) = default;
};

struct Pattern {
  enum class Kind : std::uint8_t { any, binds, equals } kind = Kind::any;
  LocalId local;   // the bound name, for binds
  const Expr* value = nullptr;   // for equals; often the local `me`
};

// The parts that all rules have in common. `me` is unset if there is no carrier; `self` (`this`) is set only if the
// carrier is a card.
struct RuleHead {
  Carrier carrier;
  Precedence precedence;
  LocalId me;
  LocalId self;
  const Expr* when = nullptr;
  std::string name;   // shown in rule stacks: "after lose of Lil' Brudder"
  Range range;
};

enum class Hook : std::uint8_t { before, instead, after };
struct Handler {   // a `before`, `instead of` or `after` rule
  RuleHead head;
  Hook hook;
  std::vector<Pattern> patterns;   // one per parameter of the event
  Body body;   // its locals include me, self and the bound names
  // For `after`: the index of the parameter that must be this card. The rule then runs even if the event has moved the
  // card.
  std::optional<std::size_t> own_card_parameter = {};
};

struct Parameter {
  LocalId local;
  const Expr* initial = nullptr;   // default value, evaluated at the call
};

// One `instead of` rule that `p orders replacements` offers. If several of these rules apply, player p chooses the one
// that applies first.
struct ReplacementOption {
  std::size_t handler;   // index in Event::handlers
  std::optional<KindId> kind;   // for a card rule: all copies of this kind
  std::optional<std::int64_t> player;   // only the copies of this player; unset if the owner does not matter
};
struct ReplacementOrder {
  const Expr* player = nullptr;   // expression over the event's parameters
  std::vector<ReplacementOption> options;
  // Event that asks the player. Its parameters are the player and, for each option, whether the option applies. It
  // returns the index of the chosen option.
  EventId asks;
};

enum class EventKind : std::uint8_t { plain, turn, round, phase };
struct Event {
  std::string name;
  EventKind kind = EventKind::plain;
  std::vector<Parameter> parameters;   // a turn, or a phase inside turns, has one player parameter; a round has none
  std::vector<LocalId> variables;   // initialized at the start of the body; read as `E.x`
  Type result;
  // Types of the parts of the result, if it is a list or a record. The call is then a `let_given` or a list.
  std::vector<Type> gives;
  bool returns_optional = false;   // the event can be canceled, so its result may be none
  Body body;   // for turns and phases: the block in `play`
  std::vector<Handler> handlers;   // unsorted; lower/ sorts them
  std::int64_t depth_limit = 0;   // n of `nested up to n`, or 0 if not declared
  // Index of the first parameter of type player (not `any player`). The event does not happen if that player is none or
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
  const Expr* amount = nullptr;   // for `by`, the amount includes its sign
  Body body;   // contains only locals: head.me, head.self and the bound names
};
struct Value {
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  const Expr* base = nullptr;   // null if `body` computes the value
  Body body;   // the first locals are the parameters
  const Expr* at_least = nullptr;   // the bounds in the declaration, over the parameters
  const Expr* at_most = nullptr;
  std::vector<Modifier> modifiers;
  bool latest_first = false;   // if several `modify … to` apply, the carrier that came into force last wins
  bool kept = false;   // memoized: stored, and recomputed when a dependency changes
  bool timing = false;   // such as `race.think`: takes one player, may draw latencies, and only the race reads it
  Range range;
};
struct Function {   // a pure function
  bool sequence = false;   // the body yields elements; `result` is a list of them
  bool recursive = false;   // calls itself, directly or indirectly
  bool crossings = false;   // a function of std.grid that is implemented with special operations
  std::int64_t depth_limit = 0;   // n of `nested up to n`, or 0 if not declared
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  Body body;   // `= expr` is stored as { return expr }
  Range range;
};

struct Whenever {
  RuleHead head;   // `head.when` contains the condition
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
  std::vector<ActionId> actions;   // the affected actions, after expanding groups and `all actions`
  std::vector<Pattern> patterns;   // for the parameters if there is a single action; otherwise empty
  Body body;   // contains only locals
};

struct EndWhen {
  std::string name;   // empty if unnamed
  const Expr* when = nullptr;
  std::string words;   // the reason for the end of the game, shown to players
  Body body;   // the last statement is `winners`
  Precedence precedence;
  Range range;
};

}   // namespace cardwright::model
