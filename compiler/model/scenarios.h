// Scenarios: what is given, what is done then, and what is claimed of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/model/types.h"
#include "support/source.h"

namespace cardwright::model {

struct CardMatch {   // `Miss`, `a Ducky`, `Shot 3`, `eight of spades`
  std::optional<KindId> kind;
  std::vector<std::pair<AttributeId, std::int64_t>> attributes;
  bool unknown = false;   // in a step: one of the cards that the player does not know
  std::int64_t place = 0;   // in a step, `Blue[2]`: the second such card of its row or pile, from the top; 0: any
  Range range;
};
// A thing that a player knows: the cards of a zone, some at one end of it, a variable or a card.
struct Known {
  enum class Kind : std::uint8_t { zone, top, bottom, variable, card } kind = Kind::zone;
  ZoneId zone;
  std::int64_t owner = 0, copy = 0;   // of the zone
  std::int64_t count = 1;   // top, bottom
  VariableId variable;
  std::vector<std::int64_t> indices;   // the owner first; all entries that begin with these
  CardMatch card;
};
struct Given {
  enum class Kind : std::uint8_t { variable, set, list, zone, top, bottom, out, only_in, lies, knows } kind;
  VariableId variable;
  ZoneId zone;
  std::vector<std::int64_t> seats;   // whose: one per entry; all in-seats written out; empty for the table
  std::vector<std::int64_t> indices;   // of a map variable; lies: the variable of its facing, and that
  std::optional<std::pair<std::size_t, CardMatch>> card_index;   // which index is such a card
  std::optional<std::pair<std::size_t, std::size_t>> computed_index;   // … or a card that Model::claims computes
  std::optional<std::size_t> computed;   // variable: index into Model::claims, which returns the card
  std::vector<Known> known;   // knows: `seats` know all of these
  std::vector<std::int64_t> values;   // variable: one per seat; set, list: its elements
  std::vector<std::vector<std::int64_t>> rows;   // list of sets of cells or of lists: the elements of each
  std::vector<CardMatch> cards;   // zone, top (first = top); set, list of cards; lies: the one at the cell `values`
  bool facedown = false;   // zone: how they lie; the others stay
  Range range;
};
// Something that a step names, before it is known what is asked for: all that its words can stand for.
struct StepItem {
  std::optional<CardMatch> card;
  std::vector<std::pair<Type, std::int64_t>> values;
  std::string text;   // as written, or the label that was quoted
};
// What a step says of a parameter; nothing: it may be any.
struct StepArgument {
  std::vector<CardMatch> cards;   // one, or those of a set
  std::vector<std::int64_t> values;
  bool is_said() const { return !cards.empty() || !values.empty() || nothing; }
  bool nothing = false;   // `[]`
};
struct StepUse {   // an action that a step can mean
  ActionId action;
  std::vector<StepArgument> arguments;   // by parameter of the action
};
struct Step {
  enum class Verb : std::uint8_t {
    begins,
    game_begins,
    plays,
    uses,
    chooses,
    arranges,
    at_random,
    passes,
    says,
    time
  } verb;
  std::int64_t player = kNone;
  EventId event;   // begins: the turn, round or phase
  std::int64_t seed = 1;   // game_begins
  std::optional<CardMatch> card;   // plays
  std::optional<KindId> played_as;
  std::vector<StepUse> uses;   // uses, plays: what can be meant
  std::vector<StepItem> items;   // chooses, arranges: one after the other
  bool yes = false;   // says
  // of whom, and what comes up in this step: in the order in which dice are rolled
  std::vector<std::pair<std::int64_t, StepItem>> rolls;
  std::int64_t at = kNone;   // real time: since the opening; none: now
  std::int64_t flight = kNone;   // until it lands; none: at once. time: how much of it passes
  Range range;
  std::string text;
};
struct Claim {
  enum class Kind : std::uint8_t { holds, zone_is, can, cannot, wins, loses, knows, knows_not, logged } kind;
  std::size_t body = 0;   // holds: index into Model::claims
  // likewise: what is compared, where it is one value; with what, if that is no constant
  std::size_t value = ~std::size_t{0}, other = ~std::size_t{0};
  Type value_type;
  ZoneId zone;   // zone_is: exactly these cards in any order
  std::int64_t owner = kNone;   // of that zone
  std::int64_t copy = 0;   // of an area
  std::vector<CardMatch> cards;
  std::int64_t player = kNone;   // can, wins
  std::vector<std::int64_t> knowers;   // knows: each of them …
  std::vector<Known> known;   // … all of these
  Step step;   // can / cannot: what would be done
  std::vector<std::string> texts;   // logged: what stands in the log, in this order
  Range range;
  std::string text;
};
struct ScenarioLine {
  enum class Kind : std::uint8_t { given, when, then } kind;
  std::vector<Given> givens;
  std::vector<Step> steps;
  std::vector<Claim> claims;
  bool at_once = false;   // then: evaluated before anything follows the last step
  Range range;
};
struct Scenario {
  std::string title;
  std::vector<ScenarioLine> lines;   // the scene's givens first
  Range range;
};

}   // namespace cardwright::model
