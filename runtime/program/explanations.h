// Describes explanations: the reasons why an action is not possible or an element cannot be chosen, and the facts on
// which they depend. Only a Program that the compiler created for explanations has these tables (compiler/driver).
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/layout.h"

namespace cardwright {

// A step of an explanation, which Op::explain reports. Facts explain the result of a condition; the other steps select
// the facts that matter. Steps with the same `group` belong together.
enum class ExplanationStep : std::uint8_t {
  // ---- facts
  condition,   // a condition as written, followed by each compared expression and its value
  declared,   // the text that the rules declare for the condition
  element,   // a name and the element for which the condition holds or fails
  modified,   // the owner of the rule that modifies the result
  name,   // a name in a choice, and its value
  argument,   // a parameter of the called function, and its value
  // ---- selection
  open,   // begins a group
  drop,   // the facts of the group do not explain the result
  held,   // the first part of an `and` held: like `drop`, and the enclosing attempt progressed further
  next,   // the next of several attempts begins
  last,   // the last attempt explains the result
  furthest,   // the attempt with the most progress explains the result
  call,   // a called function begins
  done   // the called function ends
};

struct ExplainedValue {   // one of the values reported before the step
  std::string text;   // the expression as written, or the name
  std::string format;   // as in a placeholder of a text, see Log::log_text
};

struct ExplanationNode {
  ExplanationStep step = ExplanationStep::condition;
  Int group = 0;   // for a selection
  std::string text = {};   // for `declared`: a text with placeholders for the values
  std::vector<ExplainedValue> values = {};
};

struct Reason {   // a condition that may fail
  std::string text;   // the part of the condition that may fail, as written
  std::string words;   // message for people, such as "you have already played as many as you may", or empty
  Range where;
};

// An anonymous choice. For each source of options, `functions` contains an IR function that takes the chosen element
// and the values of the names that the choice reads, and returns 1 + an index into `reasons`, or 0.
struct ExplainedChoice {
  Range where;
  std::vector<Int> functions;
};

struct Explanations {
  std::vector<Reason> reasons;
  std::vector<ExplanationNode> nodes;
  // By action of the Model: an IR function (player, card or none, 1 if the arguments are chosen, arguments), or -1 if
  // the action is impossible. It returns 1 + an index into `reasons`, or 0. Reasons found later have higher indices.
  std::vector<Int> actions;
  std::vector<ExplainedChoice> choices;
};

}   // namespace cardwright
