// Describes the decisions of a game (decision sites, actions and their option ids) and the reasons for its end.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/components.h"

namespace cardwright {

// The zones that contain the offered cards, as far as they are known at compile time.
struct PickedFrom {
  std::vector<Int> zones;   // indices into Program::zones; empty: anywhere
  bool own = false;   // true if only the zones of the deciding player count
};

// A parameter of an action. The action's option ids form the block [base, base + product of counts). The offset in the
// block encodes the parameters, in order, as digits in mixed radix.
struct ParameterInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int list = -1;   // index into Program::set_lists: the value is a position in that list
  Int first = 0;   // least value of an integer domain
  Int count = 1;   // size of the declared domain
  std::vector<Int> cards;   // for cards: the card id for each digit, the lowest id among look-alikes
  bool by_id = false;   // for cards: `cards` is empty, and the digits are all card ids from `first` on
  // First digit for cards unknown to the actor, which are identified by the hidden bit of their zone. -1: none.
  Int unknown = -1;
  Int nothing = -1;   // for a set: the digit that represents the empty set, or -1
  Int area = -1;   // for a part of an area: index into Program::areas
  PickedFrom from = {};   // for cards: the zones that may contain them
};
enum class ActionKind : std::uint8_t { play, use, pass, pick, done, choose, yes_no, one_of };
struct ActionInfo {
  ActionKind kind = ActionKind::use;
  std::string name;   // "play Splash", "flip_hat", "pass", "choose card", "done"
  std::string label;   // template with {parameter} and {#i}; "" selects the default text
  Int label_text = -1;   // IR function (actor, parameters) that logs the label with its values
  Int base = 0;
  Int count = 1;   // number of option ids in the block
  std::vector<ParameterInfo> parameters;
  Int card_kind = -1;   // for plays: the kind that the card is played as
  bool secret = false;   // other players see neither that the action is taken nor its parameters
  bool to_open = true;   // for plays: the card moves to a public zone
  std::vector<std::string> choices;   // for one_of: the labels of the choices
  Range where;
};

// A reason why a game may end, as written in the rules: the condition of an `end when`, or `winners S`.
struct EndingInfo {
  std::string text;
  std::string words;   // message for people, if the rules have one
  Range where;
};

// Values of the variable Program::seat_policy; values from kFirstPolicy on are indices into Program::policies.
inline constexpr Int kUniformPolicy = 0, kSensiblePolicy = 1, kFirstPolicy = 2;
struct PolicyInfo {   // a policy of the rules that is in use
  std::string name;
  std::string label;   // name for people, or empty
};

struct SiteInfo {   // a place in the rules where a player makes a decision
  std::string window;   // name of the window, such as "incoming", or "" for an unnamed choice
  std::string prompt;   // question to the player, such as "Keep one per towel", or ""
  bool prompt_has_values = false;   // the prompt contains computed values (kListTexts)
  bool hidden_basis = false;   // the options depend on hidden information
  bool flow = false;   // no action is in progress: the site is a window of a phase, or a choice of the flow itself
  bool of_window = false;   // for a named window: no action is in progress if the flow opened it
  bool secret = false;   // other players see neither the answer nor whether it was given, until all have answered
  bool clock = false;   // in a live race, the host decides here which event is next (RaceInfo)
  bool arranges = false;   // true if the player arranges cards one by one
  // For simultaneous answers, in microseconds: the times of `within` and `together within`, which the host applies.
  Int within = kNone, together = kNone;
  Int missing = kNone;   // default answer: an option id, `pass`, or kAnyOption for a random one
  std::vector<Int> actions;   // indices into Program::actions that may be offered
  PickedFrom from = {};   // for a choice among cards: the zones that may contain them
  Range where;
};

inline constexpr Int kAnyOption = -2;

// The variables of a window with simultaneous answers. They are hidden from all players.
struct AtOnceInfo {
  Int asked = -1;   // mask of the players who are asked
  Int pending = -1, first = -1;   // mask of the players who have not answered; the player asked first, or none
  Int answers = -1, held = -1;   // per player: option id, or none; mask of the players whose condition was true
  std::vector<Int> sets;   // per player: the elements chosen for a set; one variable for each kind of set
};

}   // namespace cardwright
