// Defines the decisions of players: windows, actions, policies, and their timing in real time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/rules.h"

namespace cardwright::model {

// `ask all of ps at once`: all players decide secretly and simultaneously. The host applies the time limits, which are
// constants.
struct AtOnce {
  // The reaction to a missing answer, declared with `otherwise`.
  enum class Missing : std::uint8_t { nothing, random, pass, action } missing = Missing::nothing;
  ActionId action;   // the action in `otherwise ACTION`
  const Expr* within = nullptr;
  const Expr* together = nullptr;   // the maximum time between answers
};

struct Resume {   // a block that runs after a pause
  Body body;
  std::vector<LocalId> held;   // locals of the pausing rule that this block uses; Stmt::pause contains their values
};

struct RaceTimer {   // `after D { }`, `after D of quiet { }`
  bool quiet = false;
  std::string words;   // label, shown to players
  const Expr* delay = nullptr;   // evaluated over the locals of the window's body when the window opens
  Body body;
  Range range;
};
// `ask all of ps in real time`. The bodies of pauses, timers and the stalemate do not share locals with the window.
// They have no parameters and no `me`, and they read the window's variables with window_field. Neither these bodies nor
// the events that they call may ask players.
struct Race {
  ValueId sight, think, patience;   // values that take a player as their parameter
  const Expr* countdown = nullptr;   // expression over the locals of the window's body
  std::optional<std::size_t> countdown_then;   // index in `resumes` of the block that runs after the countdown
  std::vector<Resume> resumes;   // blocks that run after pauses
  std::vector<RaceTimer> timers;
  // True if the window has a timer without `of quiet`. Otherwise, the race ends with an error at kRaceLimit.
  bool has_after = false;
  bool has_stalemate = false;
  // The actions that prevent a stalemate while they are available. If empty, all actions of the window do.
  std::vector<ActionId> stalemate;
  Body stalemate_body;
};

struct Timer {   // `timer doom`
  std::string name;
  std::string label;   // shown to players
  bool per_player = false;
  EventId rings;   // event that occurs when the timer expires; its parameter is the player if per_player
  Range range;
};

struct Window {
  std::string name;   // the name in the rules; for the window of a phase, the name of the phase
  std::vector<Parameter> parameters;
  std::vector<LocalId> variables;   // window variables, read as `W.x`; initialized in the body
  Type result;
  std::vector<Type> gives;   // types of the parts of the result, as in Event::gives; also used if the result is a set
  Body body;   // contains the ask statements
  bool phase = false;   // the window of a phase that contains an ask
  std::optional<AtOnce> at_once;   // a window with at_once or race contains no other ask
  std::optional<Race> race;
  Range range;
};

enum class Scope : std::uint8_t { window, phase, turn, round, game };
struct Limit {
  Scope scope;
  std::optional<GroupId> group;   // set for all actions that are declared with `as` and this group
  std::optional<std::size_t> per_target;   // `and target`: index of the parameter whose values are counted separately
};

enum class PickCount : std::uint8_t { one, exactly, up_to, any };
struct ActionParameter {
  LocalId local;   // the chosen element, or the chosen set if count != one
  std::string name;
  Type type;   // type of a single element
  const Expr* domain = nullptr;   // set expression over me, self and earlier parameters; null for all values
  LocalId element;   // the candidate in `where` and `keeping`; equal to `local` if count == one
  const Expr* where = nullptr;   // condition on the element; already includes the check of its kind (counts_as)
  PickCount count = PickCount::one;
  const Expr* amount = nullptr;   // number of elements, for exactly and up_to
  // Condition that must hold after every pick. It reads `local`, which contains the elements picked so far.
  const Expr* keeping = nullptr;
};

struct Place {   // the destination of a move
  ZoneId zone;
  const Expr* owner = nullptr;   // the player, for zones of players
  const Expr* copy = nullptr;   // the part of the area, for zones of areas
};

struct Action {
  std::string name;   // for plays, a name such as `play Splash`
  std::string label;   // template, or empty for the default label
  Block label_parts;   // one `log` statement for each `{#i}` in `label`, evaluated for display
  RuleHead head;   // `me` (the acting player) is always set; for an action in `while in`, the carrier is a card
  // The carrier of the action, usually equal to `head.carrier`. If other players may use the action (`by`), `head` has
  // no carrier. The first parameter is then the carrier's player (`holder`); for a card carrier, the second parameter
  // is the card.
  Carrier whose;
  std::vector<WindowId> windows;   // if empty, any_window determines the windows
  bool any_window = false;
  bool free = false;
  bool secret = false;   // logged to the acting player only
  bool passes = false;   // declared under the name `pass`
  std::vector<Limit> limits;
  std::vector<GroupId> groups;
  std::vector<ActionParameter> parameters;   // for a play, the first parameter is the card (local == head.self)
  Body body;   // locals of the head, the parameters and the effect
  Block wrong;   // runs if the action was offered but its conditions are false
  // In real time: runs if the conditions were true at the start of the action but are false when it takes effect.
  Block late;
  bool has_wrong = false, has_late = false;
  // For real time: expressions over the locals of `body`. Their durations may be random.
  const Expr* takes = nullptr;   // if null, the action takes effect immediately
  const Expr* busy = nullptr;   // how long the player remains busy after the action takes effect
  bool by_hand = false;   // if a person plays, the action takes effect at the key press, without the delay of `takes`
  const Expr* sensible = nullptr;   // bots and stalemate detection ignore options for which this is false
  bool must = false;   // while this action is available, waiting is not offered
  const Expr* must_if = nullptr;   // condition under which `must` applies (over me and this)
  // Only for plays of cards:
  bool play = false;
  KindId kind;   // the kind that the card is played as
  ZoneId from;   // the hand that contains the card
  std::optional<Place> to;   // the card moves there before the effect
  std::vector<KindId> replacing;   // cards of these kinds leave `to` first (`replacing any Gun`)
  std::optional<Place> replaced_to;   // the destination of the replaced cards
  std::int64_t ordinal = 0;   // index of this play among the plays of the same kind, from 0
};

// `avoid play Chips when C`, `weight pass by 3 when C`: a rule by which a policy rates options. The rule applies to the
// actions in `actions`, to passing, or to choices into a variable.
struct PolicyRule {
  RuleHead head;   // `me` is the deciding player
  bool avoid = false;   // the options are ignored while any other option is offered
  std::vector<ActionId> actions;   // the rated actions
  bool passes = false;   // the rule also rates passing, if the window offers it
  std::string choice;   // name of a variable; the rule rates the choices assigned to it
  std::vector<Pattern> patterns;   // one per parameter of a single action, or one for the chosen value; otherwise empty
  const Expr* weight = nullptr;   // 0..kMostWeight; null for `avoid`
  Body body;   // contains only locals
};
inline constexpr std::int64_t kMostWeight = 1000;

// A playing style for seats without a person. It only rates options and never forbids one.
struct Policy {
  std::string name;
  std::string label;   // shown to people
  bool for_bots = false;   // bots use this policy in their playouts, and ignore options that it avoids
  bool asked = false;   // selected by the configuration; policies that are not selected are not lowered
  std::vector<PolicyRule> rules;
  Range range;
};

}   // namespace cardwright::model
