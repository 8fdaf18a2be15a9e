// Decisions of players: windows, actions, policies, and their timing in real time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/rules.h"

namespace cardwright::model {

// `ask all of ps at once`: secret and simultaneous. The times are constants that the host applies.
struct AtOnce {
  enum class Missing : std::uint8_t { nothing, random, pass, action } missing = Missing::nothing;   // `otherwise …`
  ActionId action;   // of `otherwise ACTION`
  const Expr* within = nullptr;
  const Expr* together = nullptr;   // the maximum time between answers
};

struct Resume {   // a block that runs after a pause
  Body body;
  std::vector<LocalId> held;   // locals of the pausing rule that it uses; Stmt::pause contains their values
};

// `ask all of ps in real time`. The bodies are independent: they have no parameters and no `me`, and access the
// window's variables with window_field. They and the events they cause must not ask players.
struct RaceTimer {   // `after D { }`, `after D of quiet { }`
  bool quiet = false;
  std::string words;   // label, shown to players
  const Expr* delay = nullptr;   // over the window's body, when it opens
  Body body;
  Range range;
};
struct Race {
  ValueId sight, think, patience;   // parameter: a player
  const Expr* countdown = nullptr;   // over the window's body
  std::optional<std::size_t> countdown_then;   // index into resumes
  std::vector<Resume> resumes;   // blocks that run after pauses
  std::vector<RaceTimer> timers;
  bool has_after = false;   // there is a timer without `of quiet`; else the race ends with an error at kRaceLimit
  bool has_stalemate = false;
  std::vector<ActionId> stalemate;   // the actions that prevent a stalemate; empty: all of the window
  Body stalemate_body;
};

struct Timer {   // `timer doom`
  std::string name;
  std::string label;   // shown to players
  bool per_player = false;
  EventId rings;   // the event when it expires; its parameter is the player if per_player
  Range range;
};

struct Window {
  std::string name;   // unnamed windows (phases that ask) get the phase's name
  std::vector<Parameter> parameters;
  std::vector<LocalId> variables;   // window variables, for `W.x`; initialised in the body
  Type result;
  std::vector<Type> gives;   // like Event::gives; also used for a set
  Body body;   // contains the ask statements
  bool phase = false;   // the window of a phase that contains an ask
  std::optional<AtOnce> at_once;   // a window with at_once or race has no other ask
  std::optional<Race> race;
  Range range;
};

enum class Scope : std::uint8_t { window, phase, turn, round, game };
struct Limit {
  Scope scope;
  std::optional<GroupId> group;   // shared by all actions `as` that group
  std::optional<std::size_t> per_target;   // `and target`: counted separately for each value of this parameter
};

enum class PickCount : std::uint8_t { one, exactly, up_to, any };
struct ActionParameter {
  LocalId local;   // the element, or the set if count != one
  std::string name;
  Type type;   // type of one element
  const Expr* domain = nullptr;   // a set expression over me, self and earlier parameters; null: the whole type
  LocalId element;   // the candidate in `where` and `keeping` (equal to `local` if count == one)
  const Expr* where = nullptr;   // condition on the element (already narrowed by kind: see counts_as)
  PickCount count = PickCount::one;
  const Expr* amount = nullptr;   // for exactly and up_to
  const Expr* keeping = nullptr;   // must hold after every pick; reads `local` (the set so far)
};

struct Place {   // the destination of a move
  ZoneId zone;
  const Expr* owner = nullptr;   // for player zones
  const Expr* copy = nullptr;   // for areas
};

struct Action {
  std::string name;   // `flip_hat`; for plays `play Splash`
  std::string label;   // template, or empty for the default label
  Block label_parts;   // a `log` for each `{#i}` in it, evaluated for display
  RuleHead head;   // `me` (the acting player) is always set; the carrier is a card for actions in `while in`
  // The carrier of the action, usually that of `head`. If other players may use the action (`by`), the head has no
  // carrier; the first parameter is then its player (`holder`) and the second, for a card carrier, the card.
  Carrier whose;
  std::vector<WindowId> windows;   // empty and any_window: every window with an ask
  bool any_window = false;
  bool free = false;
  bool secret = false;   // logged only to the acting player
  bool passes = false;   // declared under the name `pass`
  std::vector<Limit> limits;
  std::vector<GroupId> groups;
  std::vector<ActionParameter> parameters;   // a play's first parameter is the card (local == head.self)
  Body body;   // locals of the head, the parameters and the effect
  Block wrong;   // runs if the action was offered, but its conditions are false
  Block late;   // real time: runs if the conditions were true at the start, but are false when it takes effect
  bool has_wrong = false, has_late = false;
  // Real time; expressions over the locals of `body`. Durations may draw random numbers.
  const Expr* takes = nullptr;   // null: takes effect immediately
  const Expr* busy = nullptr;   // time after taking effect
  bool by_hand = false;   // for a person, the action takes effect when the key is pressed
  const Expr* sensible = nullptr;   // condition of an option; bots and stalemates ignore options for which it is false
  bool must = false;   // waiting is not offered together with it
  const Expr* must_if = nullptr;   // condition of `must` (over me and this)
  // card plays
  bool play = false;
  KindId kind;   // the kind it is played as
  ZoneId from;   // the hand
  std::optional<Place> to;   // moved there before the effect
  std::vector<KindId> replacing;   // kinds that leave `to` first (`replacing any Gun`)
  std::optional<Place> replaced_to;   // destination of these kinds
  std::int64_t ordinal = 0;   // number of this play among several of one kind: 0, 1, …
};

// `avoid play Chips when C`, `weight pass by 3 when C`: how a policy rates an option.
struct PolicyRule {
  RuleHead head;   // `me` is the deciding player
  bool avoid = false;   // ignored while anything else is offered
  std::vector<ActionId> actions;   // the affected actions …
  bool passes = false;   // … and passing, if the window offers it …
  std::string choice;   // … or choices into a variable of this name
  std::vector<Pattern> patterns;   // over the parameters of a single action, or the chosen value; else empty
  const Expr* weight = nullptr;   // 0..kMostWeight; null for `avoid`
  Body body;   // locals only
};
inline constexpr std::int64_t kMostWeight = 1000;

// A playing style for seats without a person. It forbids nothing.
struct Policy {
  std::string name;
  std::string label;   // shown to people
  bool for_bots = false;   // bots use it in their playouts, and ignore options that it avoids
  bool asked = false;   // selected by the configuration; otherwise it is not lowered
  std::vector<PolicyRule> rules;
  Range range;
};

}   // namespace cardwright::model
