// Defines scenarios: their setup, steps and assertions.
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

struct CardMatch {   // description of a card, such as `Miss`, `a Ducky`, `Shot 3` or `eight of spades`
  std::optional<KindId> kind;
  std::vector<std::pair<AttributeId, std::int64_t>> attributes;
  bool unknown = false;   // in a step: a card that the player does not know
  // In a step, 2 in `Blue[2]`, which selects the second such card in its row or pile, counted from the top. 0 selects
  // any such card.
  std::int64_t place = 0;
  Range range;
};
// An item that a player knows: the cards of a zone or at one end of it, a variable, or a card.
struct Known {
  enum class Kind : std::uint8_t { zone, top, bottom, variable, card } kind = Kind::zone;
  ZoneId zone;
  std::int64_t owner = 0, copy = 0;   // owner and part of `zone`
  std::int64_t count = 1;   // number of cards, for top and bottom
  VariableId variable;
  std::vector<std::int64_t> indices;   // the owner first; all entries whose keys begin with these values are known
  CardMatch card;
};
struct Given {
  enum class Kind : std::uint8_t { variable, set, list, zone, top, bottom, out, only_in, on_cell, knows } kind;
  VariableId variable;
  ZoneId zone;
  std::vector<std::int64_t> seats;   // the owners, one for each entry; empty for the table
  std::vector<std::int64_t> indices;   // keys of a map variable; for `on_cell`: the facing variable and its value
  // For a key that is a card: its index in `indices`, and the description of the card.
  std::optional<std::pair<std::size_t, CardMatch>> card_index;
  // For a key that is a computed card: its index in `indices`, and the index in Model::claims of the expression that
  // returns the card.
  std::optional<std::pair<std::size_t, std::size_t>> computed_index;
  // For a variable: index in Model::claims of the expression that returns the card.
  std::optional<std::size_t> computed;
  std::vector<Known> known;   // for `knows`: each player in `seats` knows all of these
  std::vector<std::int64_t> values;   // for a variable: one value for each seat; for a set or list: its elements
  std::vector<std::vector<std::int64_t>> rows;   // the elements of each entry, for a list of lists or of sets of cells
  // For a zone, a set or a list: its cards. For the top of a zone: the cards, starting with the topmost one. For
  // `on_cell`: the card on the cell in `values`.
  std::vector<CardMatch> cards;
  bool facedown = false;   // for a zone: the cards are facedown
  Range range;
};
// A name in a step, with all its possible meanings. The question that the game asks at this step determines the meaning
// that applies.
struct StepItem {
  std::optional<CardMatch> card;
  std::vector<std::pair<Type, std::int64_t>> values;
  std::string text;   // the source text, or the quoted label
};
// The argument for one parameter of an action in a step. An omitted argument matches anything.
struct StepArgument {
  std::vector<CardMatch> cards;   // one card, or the cards of a set
  std::vector<std::int64_t> values;
  bool is_given() const { return !cards.empty() || !values.empty() || nothing; }
  bool nothing = false;   // the argument is the empty set `[]`
};
struct StepUse {   // an action that a step may refer to
  ActionId action;
  std::vector<StepArgument> arguments;   // one for each parameter of the action
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
  EventId event;   // for begins: the turn, round or phase
  std::int64_t seed = 1;   // seed of the random numbers, for game_begins
  std::optional<CardMatch> card;   // the played card, for plays
  std::optional<KindId> played_as;
  std::vector<StepUse> uses;   // for uses and plays: the possible actions
  std::vector<StepItem> items;   // for chooses and arranges: in order
  bool yes = false;   // for says: the answer is yes
  // The die rolls of this step, in order. Each consists of the player and the result.
  std::vector<std::pair<std::int64_t, StepItem>> rolls;
  std::int64_t at = kNone;   // real-time position in microseconds since the race began; kNone means now
  // The number of microseconds until the action takes effect; kNone means immediately. For the verb `time`, the number
  // of microseconds to wait.
  std::int64_t flight = kNone;
  Range range;
  std::string text;
};
struct Claim {
  enum class Kind : std::uint8_t { holds, zone_is, can, cannot, wins, loses, knows, knows_not, logged } kind;
  std::size_t body = 0;   // for holds: index in Model::claims
  // For a comparison: the indices in Model::claims of the compared value and of the value with which it is compared.
  // The latter is set only if that value is not constant.
  std::size_t value = ~std::size_t{0}, other = ~std::size_t{0};
  Type value_type;
  ZoneId zone;   // for zone_is: contains exactly these cards, in any order
  std::int64_t owner = kNone;   // owner of `zone`, or kNone
  std::int64_t copy = 0;   // part of an area, if `zone` belongs to one
  std::vector<CardMatch> cards;
  std::int64_t player = kNone;   // for can, cannot, wins and loses
  std::vector<std::int64_t> knowers;   // for knows: each of these seats knows everything in `known`
  std::vector<Known> known;
  Step step;   // for can and cannot: the step
  std::vector<std::string> texts;   // for logged: the strings that the log contains, in this order
  Range range;
  std::string text;
};
struct ScenarioLine {
  enum class Kind : std::uint8_t { given, when, then } kind;
  std::vector<Given> givens;
  std::vector<Step> steps;
  std::vector<Claim> claims;
  bool at_once = false;   // for `then`: evaluated immediately after the last step
  Range range;
};
struct Scenario {
  std::string title;
  std::vector<ScenarioLine> lines;   // the setup lines of the scene come first
  Range range;
};

}   // namespace cardwright::model
