// What is decided in a game: places where somebody is asked, actions and their option ids, and why a game ends.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/components.h"

namespace cardwright {

// An action's block of option ids: [base, base + product of counts), mixed radix in the order written.
struct PickedFrom {   // the zones in which the cards lie that are offered, as far as that is known
  std::vector<Int> zones;   // indices into Program::zones; empty: anywhere
  bool own = false;   // and of those only who is asked's own
};

struct ParameterInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int list = -1;   // index into Program::set_lists: the value is a position in it
  Int first = 0;   // least value of an integer domain
  Int count = 1;   // size of the declared domain
  std::vector<Int> cards;   // of cards, by digit: the lowest of the look-alikes …
  bool by_id = false;   // … or, where they are empty, all cards from `first` on
  // from this digit on: one of the cards that the actor does not know, by the zone's hidden bit
  Int unknown = -1;
  Int nothing = -1;   // of a set: the digit with which none of it is picked
  Int area = -1;   // a part of it: index into Program::areas
  PickedFrom from = {};   // of cards
};
enum class ActionKind : std::uint8_t { play, use, pass, pick, done, choose, yes_no, one_of };
struct ActionInfo {
  ActionKind kind = ActionKind::use;
  std::string name;   // "play Splash", "flip_hat", "pass", "choose card", "done"
  std::string label;   // template with {parameter} and {#i}; "" for the default words
  Int label_text = -1;   // IR function (actor, parameters) that logs the label, filled in
  Int base = 0;
  Int count = 1;   // size of the block
  std::vector<ParameterInfo> parameters;
  Int card_kind = -1;   // plays: played as
  bool secret = false;   // who takes it, and with what, is told to nobody else
  bool to_open = true;   // of plays: the card goes where all see it
  std::vector<std::string> choices;   // one_of: the labels
  Int why = -1;   // IR function (player, card or none) -> 0 or 1 + index into Program::reasons
  Range where;
};

// why a game may be over, in the words of the rules: the condition of an `end when`, or `winners S`
struct EndingInfo {
  std::string text;
  std::string words;   // for people, if the rules have any
  Range where;
};

struct Reason {   // one condition that may fail
  std::string text;   // the part of the condition as written
  std::string words;   // "you have already played as many as you may", or empty
  Range where;
};

// What the variable Program::seat_policy holds for a player; from kFirstPolicy on, an index into Program::policies.
inline constexpr Int kUniformPolicy = 0, kSensiblePolicy = 1, kFirstPolicy = 2;
struct PolicyInfo {   // a policy of the rules that somebody asks for
  std::string name;
  std::string label;   // for people, or empty
};

struct SiteInfo {   // a place where somebody decides
  std::string window;   // "incoming", "main", or "" for a choice without a name
  std::string prompt;   // "Keep one per towel", or ""
  bool tells = false;   // something of the question is worked out: see kListTexts
  bool hidden_basis = false;   // the offer depends on what not every player sees
  bool flow = false;   // nothing is under way: a phase's own window, or a choice of the flow's own
  bool of_window = false;   // of a named window: nothing is under way if the flow opened it
  bool secret = false;   // nobody else may know the answer, nor that it was given, until all are in
  bool clock = false;   // a live race: the host is asked what comes first; see RaceInfo
  bool arranges = false;   // which card comes next in an order
  Int within = kNone, together = kNone;   // microseconds the host gives for answers that are given at once
  Int missing = kNone;   // what a missing one is: an option id, `pass`, or kAnyOption for a random one
  std::vector<Int> actions;   // indices into Program::actions that may be offered
  PickedFrom from = {};   // of a choice among cards
  Range where;
};

inline constexpr Int kAnyOption = -2;

// Variables of the windows where all answer at once: what they hold back is told to nobody.
struct AtOnceInfo {
  Int asked = -1;   // who all are asked
  Int pending = -1, first = -1;   // who has still to answer; who is asked first (or none)
  Int answers = -1, held = -1;   // per player: option id or none; mask of those whose condition held
  std::vector<Int> sets;   // per player: what was picked for a set; a variable for each sort of set
};

}   // namespace cardwright
