// See habits.h.
#include "compiler/parse/keyword_hints.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace cardwright {
namespace {

struct Habit {
  std::string_view word, help;   // the word in small letters
};

constexpr std::string_view kLog = "`log \"…\"` tells the players something";
constexpr std::string_view kEach = "`each p in players { … }`";
constexpr std::string_view kBound = "every loop has a bound: `repeat up to 10 times while … { … }`";
constexpr std::string_view kElseIf = "`else if`, as two words";
constexpr std::string_view kWinners = "`winners p`, also if there is only one";
constexpr std::string_view kCases =
    "`if n == 1 { … } else if n == 2 { … }`; what somebody decides: `p chooses one { \"…\" { … } }`";
constexpr std::string_view kVariable = "`let n = 3`, or `var n = 3` if it may change";

constexpr Habit kStatements[] = {
    {"print", kLog},
    {"echo", kLog},
    {"say", kLog},
    {"message", kLog},
    {"announce", kLog},
    {"show", kLog},
    {"put", "cards are moved: `move c to discard`"},
    {"place", "cards are moved: `move c to discard`"},
    {"give", "cards are moved: `move c to p.hand`"},
    {"take", "cards are moved: `move c to me.hand`"},
    {"pass", "who need not act: `ask p or pass`"},
    {"draw", "cards are moved: `move 2 cards from draw to p.hand`; an event is called with brackets: `draw(me, 2)`"},
    {"discard", "cards are moved: `move c to discard`; an event is called with brackets: `discard(me, 2)`"},
    {"exchange", "`swap p.hand with q.hand`"},
    {"trade", "`swap p.hand with q.hand`"},
    {"winner", kWinners},
    {"win", kWinners},
    {"wins", kWinners},
    {"victory", kWinners},
    {"kill", "`eliminate p` takes a player out of the game"},
    {"elif", kElseIf},
    {"elsif", kElseIf},
    {"elseif", kElseIf},
    {"for", kEach},
    {"foreach", kEach},
    {"forall", kEach},
    {"while", kBound},
    {"loop", kBound},
    {"do", kBound},
    {"break", "`stop` leaves a loop"},
    {"continue", "`next` goes on with the next"},
    {"switch", kCases},
    {"match", kCases},
    {"case", kCases},
    {"const", "`let x = …`; a `const` stands at the top of a file"},
    {"int", kVariable},
    {"bool", kVariable},
    {"number", kVariable},
    {"string", kVariable},
    {"auto", kVariable},
    {"set", "`x = …` changes a variable"},
    {"increase", "`x += 1` changes a variable"},
    {"decrease", "`x -= 1` changes a variable"},
    {"gain", "`p.x += 1` changes a variable; an event is called with brackets: `gain(me, 2)`"},
    {"lose", "`p.x -= 1` changes a variable; an event is called with brackets: `lose(me, 2)`"},
    {"add", "`x += 1` changes a variable; cards are moved: `move c to me.hand`"},
    {"call", "an event is called with brackets: `draw(me, 2)`"},
    {"roll", "`let n = roll 1..6`"},
    {"flip", "`turn c faceup`"},
    {"throw", "what must not be is not offered: `when` of an action; `cancel` in an `instead of`"},
    {"try", "`if … { … }`: ask first whether it can be"},
};

constexpr std::string_view kEvent =
    "what happens is an event: `event draw(p: player) { … }`; what is worked out `function f(n: int): int = …`";
constexpr std::string_view kSort = "`record R { n: 0..9 }`; of cards `card type T { … }`";
constexpr std::string_view kUse = "`use std.seats` takes in a page of the library, `use house` the file `house.rules`";
constexpr std::string_view kTrigger = "`after draw(p) { … }` watches an event, `whenever C { … }` a condition";
constexpr std::string_view kEnd = "`end when C { winners p }`";
constexpr std::string_view kState = "`table { n: 0..9 = 0 }`; one for each player: `player { n: 0..9 = 0 }`";
constexpr std::string_view kFlow =
    "`play { turns clockwise from first of players up to 9 { phase main { ask active } } }`";
constexpr std::string_view kSetUp = "what happens before the first turn: `setup { … }`";

constexpr Habit kDeclarations[] = {
    {"def", kEvent},
    {"func", kEvent},
    {"fn", kEvent},
    {"fun", kEvent},
    {"procedure", kEvent},
    {"method", kEvent},
    {"void", kEvent},
    {"class", kSort},
    {"struct", kSort},
    {"type", kSort},
    {"interface", kSort},
    {"object", kSort},
    {"import", kUse},
    {"include", kUse},
    {"using", kUse},
    {"on", kTrigger},
    {"when", kTrigger},
    {"trigger", kTrigger},
    {"if", kTrigger},
    {"upon", kTrigger},
    {"once", kTrigger},
    {"win", kEnd},
    {"winner", kEnd},
    {"victory", kEnd},
    {"goal", kEnd},
    {"objective", kEnd},
    {"var", kState},
    {"int", kState},
    {"variable", kState},
    {"score", kState},
    {"counter", kState},
    {"global", kState},
    {"state", kState},
    {"turn", kFlow},
    {"round", kFlow},
    {"phase", kFlow},
    {"turns", kFlow},
    {"rounds", kFlow},
    {"loop", kFlow},
    {"start", kSetUp},
    {"init", kSetUp},
    {"begin", kSetUp},
    {"deal", kSetUp},
    {"shuffle", kSetUp},
    {"rule", "a rule says what it is: `action` (what somebody may do), `event`, `after …`, `whenever …`, `modify …`"},
    {"cards", "`card type T { … }`, `card C: T { … }`, and `deck D: T into draw { C x 4 }` says how many"},
    {"pile", "`table { zone draw: pile, facedown }`"},
    {"hand", "`player { zone hand: owner }`"},
    {"ability", "`action` is what somebody may do; a character's rules stand in its braces"},
};

constexpr std::string_view kNone = "`none`";
constexpr std::string_view kMe = "`me` is who acts, `active` whose turn it is";
constexpr std::string_view kActive = "`active` is whose turn it is";
constexpr std::string_view kPlayers = "`players` are those still in, `everyone` also those who are out";
constexpr std::string_view kOthers = "`others` are all players but `me`";

constexpr Habit kNames[] = {
    {"null", kNone},
    {"nil", kNone},
    {"none", kNone},
    {"undefined", kNone},
    {"nothing", kNone},
    {"nullptr", kNone},
    {"noone", kNone},
    {"true", "`true`"},
    {"yes", "`true`"},
    {"false", "`false`"},
    {"no", "`false`"},
    {"my", kMe},
    {"self", kMe},
    {"i", kMe},
    {"you", kMe},
    {"your", kMe},
    {"player", kMe},
    {"them", kMe},
    {"owner", kMe},
    {"current_player", kActive},
    {"currentplayer", kActive},
    {"active_player", kActive},
    {"activeplayer", kActive},
    {"current", kActive},
    {"turn_player", kActive},
    {"all_players", kPlayers},
    {"allplayers", kPlayers},
    {"everybody", kPlayers},
    {"all", kPlayers},
    {"each_player", kPlayers},
    {"opponents", kOthers},
    {"other_players", kOthers},
    {"otherplayers", kOthers},
    {"opponent", "`others` are all players but `me`; of two: `only of others`"},
    {"infinity", "`unlimited`"},
    {"inf", "`unlimited`"},
    {"infinite", "`unlimited`"},
    {"turn", "`turn_number` counts from 1"},
    {"round", "`round_number` counts from 1"},
};

constexpr std::string_view kSize = "`size(S)` is how many there are";
constexpr std::string_view kRoll = "`roll 1..6` is a number by chance, `random of S` one of a set";
constexpr std::string_view kIsIn = "`c in S`; of a kind: `any c in S has c is Apple`";
constexpr std::string_view kSorted = "a set has an order of its own; `S with most it.n` are the greatest";

constexpr Habit kCalls[] = {
    {"len", kSize},
    {"length", kSize},
    {"count", kSize},
    {"sizeof", kSize},
    {"number_of_cards", kSize},
    {"random", kRoll},
    {"rand", kRoll},
    {"randint", kRoll},
    {"dice", kRoll},
    {"roll", kRoll},
    {"d6", kRoll},
    {"choice", kRoll},
    {"range", "`each i in 1..3 { … }`, or `repeat 3 { … }`"},
    {"filter", "`S where C`"},
    {"select", "`S where C`"},
    {"map", "`sum of E for x in S`, `set of E for x in S`"},
    {"empty", "`S is empty`"},
    {"is_empty", "`S is empty`"},
    {"isempty", "`S is empty`"},
    {"sum", "`sum of E for x in S`"},
    {"total", "`sum of E for x in S`"},
    {"any", "`any x in S has C`"},
    {"some", "`any x in S has C`"},
    {"all", "`every x in S has C`"},
    {"every", "`every x in S has C`"},
    {"contains", kIsIn},
    {"includes", kIsIn},
    {"has", kIsIn},
    {"in", kIsIn},
    {"sort", kSorted},
    {"sorted", kSorted},
    {"first", "`first of S`"},
    {"last", "`last of S`"},
    {"top", "`top of z`"},
    {"bottom", "`bottom of z`"},
    {"next", "`next_player(p)`"},
    {"left", "`next_player(p)`, or `left_of(p)` after `use std.seats`"},
    {"right", "`previous_player(p)`, or `right_of(p)` after `use std.seats`"},
    {"not", "`not C`"},
    {"round", "numbers are whole: `a / b` rounds toward nought"},
    {"floor", "numbers are whole: `a / b` rounds toward nought"},
    {"push", "`l += x`; cards are moved: `move c to p.hand`"},
    {"append", "`l += x`; cards are moved: `move c to p.hand`"},
    {"add", "`l += x`; cards are moved: `move c to p.hand`"},
    {"remove", "`l -= x`; cards are moved: `move c to discard`"},
    {"pop", "`move top of draw to p.hand`"},
    {"shuffle", "a statement, without brackets: `shuffle draw`"},
    {"deal", "a statement, without brackets: `deal 3 from draw to each hand`"},
    {"move", "a statement, without brackets: `move c to discard`"},
    {"choose", "`p chooses c from p.hand`"},
    {"ask", "`p chooses c from p.hand`, `p may \"…\"`; in windows `ask p`"},
    {"print", kLog},
    {"say", kLog},
    {"echo", kLog},
    {"win", "`winners p` ends the game"},
    {"winner", "`winners p` ends the game"},
    {"str", "texts are filled in: `log \"{n} cards\"`"},
    {"format", "texts are filled in: `log \"{n} cards\"`"},
};

constexpr std::string_view kText =
    "texts are for people; what rules tell apart is an enum: `enum Mood { calm, angry }`";
constexpr std::string_view kWhole = "numbers are whole: `int`, or with bounds `0..9`";
constexpr std::string_view kList =
    "`list of card up to 5`, `set of card`; what holds cards on the table is a zone: `zone purse: owner`";
constexpr std::string_view kZone = "what holds cards is a zone: `zone hand: owner`, `zone draw: pile, facedown`";

constexpr Habit kTypes[] = {
    {"boolean", "`bool`"},
    {"integer", kWhole},
    {"number", kWhole},
    {"num", kWhole},
    {"uint", kWhole},
    {"float", kWhole},
    {"double", kWhole},
    {"decimal", kWhole},
    {"string", kText},
    {"str", kText},
    {"text", kText},
    {"char", kText},
    {"list", kList},
    {"array", kList},
    {"set", kList},
    {"vector", kList},
    {"dict", "`0..9 per Colour`: one value for each"},
    {"map", "`0..9 per Colour`: one value for each"},
    {"zone", kZone},
    {"pile", kZone},
    {"deck", kZone},
    {"hand", kZone},
    {"stack", kZone},
    {"void", "an event that gives nothing has no type"},
    {"players", "`player`, or `set of player`"},
};

template <std::size_t N>
std::string_view find_in(const Habit (&all)[N], std::string_view word) {
  const auto found = std::find_if(std::begin(all), std::end(all), [&](const Habit& h) { return h.word == word; });
  return found == std::end(all) ? std::string_view{} : found->help;
}

}   // namespace

std::string habit(Spot spot, std::string_view word) {
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  switch (spot) {
    case Spot::statement: return std::string(find_in(kStatements, word));
    case Spot::declaration: return std::string(find_in(kDeclarations, word));
    case Spot::name: return std::string(find_in(kNames, small));
    case Spot::call: return std::string(find_in(kCalls, small));
    case Spot::type: return std::string(find_in(kTypes, small));
  }
  return {};
}

}   // namespace cardwright
