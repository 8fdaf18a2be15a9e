// Scenarios: the setup, the steps and the checks.
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
  bool unknown = false;   // in a step: a card that the player does not know
  std::int64_t place = 0;   // in a step, `Blue[2]`: the second such card of its row or pile, from the top; 0: any
  Range range;
};
// Something that a player knows: the cards of a zone or at one end of it, a variable, or a card.
struct Known {
  enum class Kind : std::uint8_t { zone, top, bottom, variable, card } kind = Kind::zone;
  ZoneId zone;
  std::int64_t owner = 0, copy = 0;   // of the zone
  std::int64_t count = 1;   // top, bottom
  VariableId variable;
  std::vector<std::int64_t> indices;   // the owner first; includes all entries with this prefix
  CardMatch card;
};
struct Given {
  enum class Kind : std::uint8_t { variable, set, list, zone, top, bottom, out, only_in, lies, knows } kind;
  VariableId variable;
  ZoneId zone;
  std::vector<std::int64_t> seats;   // the owners, one per entry; empty for the table
  std::vector<std::int64_t> indices;   // of a map variable; lies: the facing variable and its value
  std::optional<std::pair<std::size_t, CardMatch>> card_index;   // the index that is a card matching this
  std::optional<std::pair<std::size_t, std::size_t>> computed_index;   // likewise, a card computed by Model::claims
  std::optional<std::size_t> computed;   // variable: index into Model::claims, which returns the card
  std::vector<Known> known;   // knows: `seats` know all of these
  std::vector<std::int64_t> values;   // variable: one per seat; set, list: its elements
  std::vector<std::vector<std::int64_t>> rows;   // list of sets of cells or of lists: the elements of each
  std::vector<CardMatch> cards;   // zone, top (first = top); set, list of cards; lies: the card at the cell `values`
  bool facedown = false;   // zone: the cards are facedown
  Range range;
};
// A name in a step with all its possible meanings; the question that is asked determines the meaning.
struct StepItem {
  std::optional<CardMatch> card;
  std::vector<std::pair<Type, std::int64_t>> values;
  std::string text;   // the source text, or the quoted label
};
// The argument for a parameter in a step; omitted arguments match anything.
struct StepArgument {
  std::vector<CardMatch> cards;   // one card, or the cards of a set
  std::vector<std::int64_t> values;
  bool is_said() const { return !cards.empty() || !values.empty() || nothing; }
  bool nothing = false;   // `[]`
};
struct StepUse {   // an action that a step may refer to
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
  std::vector<StepUse> uses;   // uses, plays: the possible actions
  std::vector<StepItem> items;   // chooses, arranges: in order
  bool yes = false;   // says
  // the player and the result of each die roll in this step, in order
  std::vector<std::pair<std::int64_t, StepItem>> rolls;
  std::int64_t at = kNone;   // real time since the opening of the race, or kNone: now
  // time until the action takes effect, or kNone: immediately; for `time`, the time that passes
  std::int64_t flight = kNone;
  Range range;
  std::string text;
};
struct Claim {
  enum class Kind : std::uint8_t { holds, zone_is, can, cannot, wins, loses, knows, knows_not, logged } kind;
  std::size_t body = 0;   // holds: index into Model::claims
  // likewise for the compared value, and for the value it is compared with unless constant
  std::size_t value = ~std::size_t{0}, other = ~std::size_t{0};
  Type value_type;
  ZoneId zone;   // zone_is: exactly these cards in any order
  std::int64_t owner = kNone;   // of that zone
  std::int64_t copy = 0;   // of an area
  std::vector<CardMatch> cards;
  std::int64_t player = kNone;   // can, wins
  std::vector<std::int64_t> knowers;   // knows: each of these seats knows all of `known`
  std::vector<Known> known;
  Step step;   // can, cannot: the step
  std::vector<std::string> texts;   // logged: the texts in the log, in this order
  Range range;
  std::string text;
};
struct ScenarioLine {
  enum class Kind : std::uint8_t { given, when, then } kind;
  std::vector<Given> givens;
  std::vector<Step> steps;
  std::vector<Claim> claims;
  bool at_once = false;   // then: evaluated directly after the last step
  Range range;
};
struct Scenario {
  std::string title;
  std::vector<ScenarioLine> lines;   // the givens of the scene come first
  Range range;
};

}   // namespace cardwright::model
