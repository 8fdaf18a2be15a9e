// The decisions of a game: decision sites, actions and their option ids, and reasons for the end of a game.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/components.h"

namespace cardwright {

// The zones that contain the offered cards, as far as known.
struct PickedFrom {
  std::vector<Int> zones;   // indices into Program::zones; empty: anywhere
  bool own = false;   // only the zones of the deciding player
};

// A parameter of an action. The action's option ids are the block [base, base + product of counts), in mixed radix with
// the parameters in order.
struct ParameterInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int list = -1;   // index into Program::set_lists: the value is a position in it
  Int first = 0;   // least value of an integer domain
  Int count = 1;   // size of the declared domain
  std::vector<Int> cards;   // for cards, by digit: the lowest of the look-alikes
  bool by_id = false;   // for cards, if `cards` is empty: all cards from `first` on
  // from this digit on: a card unknown to the actor, given by its zone's hidden bit
  Int unknown = -1;
  Int nothing = -1;   // for a set: the digit for the empty choice
  Int area = -1;   // a part of an area: index into Program::areas
  PickedFrom from = {};   // for cards
};
enum class ActionKind : std::uint8_t { play, use, pass, pick, done, choose, yes_no, one_of };
struct ActionInfo {
  ActionKind kind = ActionKind::use;
  std::string name;   // "play Splash", "flip_hat", "pass", "choose card", "done"
  std::string label;   // template with {parameter} and {#i}; "" for the default words
  Int label_text = -1;   // IR function (actor, parameters) that logs the label with its values
  Int base = 0;
  Int count = 1;   // size of the block
  std::vector<ParameterInfo> parameters;
  Int card_kind = -1;   // plays: the kind as which the card is played
  bool secret = false;   // hidden from all other players: that it is taken, and its parameters
  bool to_open = true;   // plays: the card moves to a public zone
  std::vector<std::string> choices;   // one_of: the labels
  Int why = -1;   // IR function (player, card or none) -> 0 or 1 + index into Program::reasons
  Range where;
};

// why a game may end, as written in the rules: the condition of an `end when`, or `winners S`
struct EndingInfo {
  std::string text;
  std::string words;   // message for people, if the rules have one
  Range where;
};

struct Reason {   // a condition that may fail
  std::string text;   // the part of the condition as written
  std::string words;   // "you have already played as many as you may", or empty
  Range where;
};

// Values of the variable Program::seat_policy; values from kFirstPolicy on are indices into Program::policies.
inline constexpr Int kUniformPolicy = 0, kSensiblePolicy = 1, kFirstPolicy = 2;
struct PolicyInfo {   // a policy of the rules that is in use
  std::string name;
  std::string label;   // name for people, or empty
};

struct SiteInfo {   // a decision site
  std::string window;   // "incoming", "main", or "" for an unnamed choice
  std::string prompt;   // "Keep one per towel", or ""
  bool tells = false;   // the question has computed parts: see kListTexts
  bool hidden_basis = false;   // the options depend on hidden information
  bool flow = false;   // no action is in progress: a window of a phase, or a choice of the flow itself
  bool of_window = false;   // for a named window: no action is in progress if the flow opened it
  bool secret = false;   // the answer, and whether it was given, is hidden until all have answered
  bool clock = false;   // a live race: the host decides which event is next; see RaceInfo
  bool arranges = false;   // chooses the next card of an order
  Int within = kNone, together = kNone;   // microseconds that the host allows for simultaneous answers
  Int missing = kNone;   // default answer: an option id, `pass`, or kAnyOption for a random one
  std::vector<Int> actions;   // indices into Program::actions that may be offered
  PickedFrom from = {};   // for a choice among cards
  Range where;
};

inline constexpr Int kAnyOption = -2;

// Variables of windows with simultaneous answers, which are hidden from all players.
struct AtOnceInfo {
  Int asked = -1;   // the players asked
  Int pending = -1, first = -1;   // the players who have not answered; the player asked first (or none)
  Int answers = -1, held = -1;   // per player: option id or none; mask of players whose condition held
  std::vector<Int> sets;   // per player: the elements picked for a set; one variable for each kind of set
};

}   // namespace cardwright
