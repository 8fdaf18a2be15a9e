// Where somebody is asked: windows, what may be done in them, and how that goes in real time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/rules.h"

namespace cardwright::model {

// `ask all of ps at once`: secret and simultaneous. The times are the host's business, and constant.
struct AtOnce {
  enum class Missing : std::uint8_t { nothing, random, pass, action } missing = Missing::nothing;   // `otherwise …`
  ActionId action;   // of `otherwise ACTION`
  const Expr* within = nullptr;
  const Expr* together = nullptr;   // how far apart the answers may come
};

struct Resume {   // a block that waits for the end of a pause
  Body body;
  std::vector<LocalId> held;   // what it speaks of from the rule that paused: Stmt::pause says their values
};

// `ask all of ps in real time`. Its bodies stand alone: no parameters, no `me`; what the window declares is a
// window_field in them. None of them, and nothing that they cause, asks anybody.
struct RaceTimer {   // `after D { }`, `after D of quiet { }`
  bool quiet = false;
  std::string words;   // what happens, for people
  const Expr* delay = nullptr;   // over the window's body, when it opens
  Body body;
  Range range;
};
struct Race {
  ValueId sight, think, patience;   // of a player
  const Expr* countdown = nullptr;   // over the window's body
  std::optional<std::size_t> countdown_then;   // of resumes
  std::vector<Resume> resumes;   // what happens when a pause is over
  std::vector<RaceTimer> timers;
  bool has_after = false;   // one of them is not `of quiet`; else there is an error at kRaceLimit
  bool has_stalemate = false;
  std::vector<ActionId> stalemate;   // that count; empty: all of the window
  Body stalemate_body;
};

struct Timer {   // `timer doom`
  std::string name;
  std::string label;   // for people
  bool per_player = false;
  EventId rings;   // happens when it runs out; its parameter is the player, if it is of one
  Range range;
};

struct Window {
  std::string name;   // unnamed windows (phases that ask) get the phase's name
  std::vector<Parameter> parameters;
  std::vector<LocalId> variables;   // window vars, for `W.x`; initialised in the body
  Type result;
  std::vector<Type> gives;   // as of an event, also if it is a set
  Body body;   // asks are statements in it
  bool phase = false;   // the body of a phase that asks is itself a window: ask statements name it
  std::optional<AtOnce> at_once;   // then or in real time, it has no other ask
  std::optional<Race> race;
  Range range;
};

enum class Scope : std::uint8_t { window, phase, turn, round, game };
struct Limit {
  Scope scope;
  std::optional<GroupId> group;   // shared by all actions `as` that group
  std::optional<std::size_t> per_target;   // `and target`: counts per this parameter
};

enum class PickCount : std::uint8_t { one, exactly, up_to, any };
struct ActionParameter {
  LocalId local;   // the element, or for count != one the set
  std::string name;
  Type type;   // of one element
  const Expr* domain = nullptr;   // a set expression over me, self and earlier parameters; null: the whole type
  LocalId element;   // what `where` and `keeping` call the candidate (the local itself if one)
  const Expr* where = nullptr;   // condition on the element (already narrowed by kind: see counts_as)
  PickCount count = PickCount::one;
  const Expr* amount = nullptr;   // of exactly / up_to
  const Expr* keeping = nullptr;   // holds after every pick; reads `local` (the set so far)
};

struct Place {   // where a move goes
  ZoneId zone;
  const Expr* owner = nullptr;   // for player zones
  const Expr* copy = nullptr;   // for areas
};

struct Action {
  std::string name;   // `flip_hat`; for plays `play Splash`
  std::string label;   // template, or empty for the default words
  Block label_parts;   // a `log` for each `{#i}` in it: what is worked out when it is shown
  RuleHead head;   // me, who acts, always set; carrier card for actions in `while in`
  // On what it hangs: the head's carrier. Where others than its player may do it (`by`) the head has none, and its
  // first parameter is that player (`holder`), the second, if a card carries it, that card.
  Carrier whose;
  std::vector<WindowId> windows;   // empty and any_window: every window that asks
  bool any_window = false;
  bool free = false;
  bool secret = false;   // told to nobody but who takes it
  bool passes = false;   // declared under the name `pass`
  std::vector<Limit> limits;
  std::vector<GroupId> groups;
  std::vector<ActionParameter> parameters;   // a play's first parameter is the card (local == head.self)
  Body body;   // locals of head, parameters, effect
  Block wrong;   // offered, but does not hold
  Block late;   // in real time: held when it was begun, and no longer when it lands
  bool has_wrong = false, has_late = false;
  // real time; all over the locals of `body`, durations may draw
  const Expr* takes = nullptr;   // null: lands at once
  const Expr* busy = nullptr;   // after landing
  bool by_hand = false;   // a person's hand has moved when the key is pressed
  const Expr* sensible = nullptr;   // of an option; bots and stalemates leave out what is not
  bool must = false;   // while it is offered, waiting is not …
  const Expr* must_if = nullptr;   // … if this holds (of me and this)
  // card plays
  bool play = false;
  KindId kind;   // the kind it is played as
  ZoneId from;   // the hand
  std::optional<Place> to;   // moved there before the effect
  std::vector<KindId> replacing;   // kinds that leave `to` first (`replacing any Gun`) …
  std::optional<Place> replaced_to;   // … and where they go
  std::int64_t ordinal = 0;   // several plays of one kind in other windows: 0, 1, …
};

// `avoid play Chips when C`, `weight pass by 3 when C`: how a policy looks at an option.
struct PolicyRule {
  RuleHead head;   // `me` is who chooses
  bool avoid = false;   // left out while anything else is offered
  std::vector<ActionId> actions;   // that it speaks of …
  bool passes = false;   // … and passing, where a window offers that by itself
  std::string choice;   // … or whatever is chosen into a variable of this name
  std::vector<Pattern> patterns;   // over the parameters of a single action, or what is chosen; else empty
  const Expr* weight = nullptr;   // 0..kMostWeight; null if it is avoided
  Body body;   // locals only
};
inline constexpr std::int64_t kMostWeight = 1000;

// How somebody plays where no person does. It forbids nothing.
struct Policy {
  std::string name;
  std::string label;   // for people
  bool for_bots = false;   // bots play by it in their own playouts, and leave out what it avoids
  bool asked = false;   // by the configuration: else nothing of it is lowered
  std::vector<PolicyRule> rules;
  Range range;
};

}   // namespace cardwright::model
