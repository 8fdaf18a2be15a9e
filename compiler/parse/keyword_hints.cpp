// Defines tables of keywords, names, functions and types from other languages and rulebooks, with their Cardwright
// equivalents.
#include "compiler/parse/keyword_hints.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace cardwright {
namespace {

struct Hint {
  std::string_view word, help;   // `word` must be in lower case
};

constexpr std::string_view kLog = "use `log \"…\"` to show a message to the players";
constexpr std::string_view kEach = "use `each p in players { … }`";
constexpr std::string_view kBound = "every loop needs a bound: `repeat up to 10 times while … { … }`";
constexpr std::string_view kElseIf = "write `else if`";
constexpr std::string_view kWinners = "use `winners p`, even for one player";
constexpr std::string_view kCases =
    "use `if n == 1 { … } else if n == 2 { … }`; for a player's decision use `p chooses one { \"…\" { … } }`";
constexpr std::string_view kVariable = "use `let n = 3`, or `var n = 3` if the value changes";

constexpr Hint kStatements[] = {
    {"print", kLog},
    {"echo", kLog},
    {"say", kLog},
    {"message", kLog},
    {"announce", kLog},
    {"show", kLog},
    {"put", "use `move c to discard` to move cards"},
    {"place", "use `move c to discard` to move cards"},
    {"give", "use `move c to p.hand` to move cards"},
    {"take", "use `move c to me.hand` to move cards"},
    {"pass", "use `ask p or pass` to make an action optional"},
    {"draw", "use `move 2 cards from draw to p.hand`, or `draw(me, 2)` to call an event"},
    {"discard", "use `move c to discard`, or `discard(me, 2)` to call an event"},
    {"exchange", "use `swap p.hand with q.hand`"},
    {"trade", "use `swap p.hand with q.hand`"},
    {"winner", kWinners},
    {"win", kWinners},
    {"wins", kWinners},
    {"victory", kWinners},
    {"kill", "use `eliminate p` to remove a player from the game"},
    {"elif", kElseIf},
    {"elsif", kElseIf},
    {"elseif", kElseIf},
    {"for", kEach},
    {"foreach", kEach},
    {"forall", kEach},
    {"while", kBound},
    {"loop", kBound},
    {"do", kBound},
    {"break", "use `stop` to leave a loop"},
    {"continue", "use `next` to continue with the next iteration"},
    {"switch", kCases},
    {"match", kCases},
    {"case", kCases},
    {"const", "use `let x = …`; a `const` is declared at the top of a file"},
    {"int", kVariable},
    {"bool", kVariable},
    {"number", kVariable},
    {"string", kVariable},
    {"auto", kVariable},
    {"set", "use `x = …` to assign to a variable"},
    {"increase", "use `x += 1`"},
    {"decrease", "use `x -= 1`"},
    {"gain", "use `p.x += 1` for a variable, or `gain(me, 2)` to call an event"},
    {"lose", "use `p.x -= 1` for a variable, or `lose(me, 2)` to call an event"},
    {"add", "use `x += 1` for a variable, or `move c to me.hand` for a card"},
    {"call", "write `draw(me, 2)` to call an event"},
    {"roll", "use `let n = roll 1..6`"},
    {"flip", "use `turn c faceup`"},
    {"throw", "prevent an action with `when`, or an event with `cancel` in an `instead of`"},
    {"try", "use `if … { … }` to check the condition first"},
};

constexpr std::string_view kEvent =
    "use `event draw(p: player) { … }` to change the game, or `function f(n: int): int = …` to compute a value";
constexpr std::string_view kRecord = "use `record R { n: 0..9 }`, or `card type T { … }` for cards";
constexpr std::string_view kUse =
    "use `use std.seats` for a standard library, or `use house` for the file `house.rules`";
constexpr std::string_view kTrigger =
    "use `after draw(p) { … }` to react to an event, or `whenever C { … }` to react to a condition";
constexpr std::string_view kEnd = "use `end when C { winners p }`";
constexpr std::string_view kState =
    "use `table { n: 0..9 = 0 }`, or `player { n: 0..9 = 0 }` for one variable per player";
constexpr std::string_view kFlow =
    "use `play { turns clockwise from first of players up to 9 { phase main { ask active } } }`";
constexpr std::string_view kSetUp = "use `setup { … }` for everything before the first turn";

constexpr Hint kDeclarations[] = {
    {"def", kEvent},
    {"func", kEvent},
    {"fn", kEvent},
    {"fun", kEvent},
    {"procedure", kEvent},
    {"method", kEvent},
    {"void", kEvent},
    {"class", kRecord},
    {"struct", kRecord},
    {"type", kRecord},
    {"interface", kRecord},
    {"object", kRecord},
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
    {"rule", "use the keyword for this kind of rule: `action`, `event`, `after …`, `whenever …` or `modify …`"},
    {"cards",
     "use `card type T { … }` and `card C: T { … }`, and `deck D: T into draw { C x 4 }` for the number of copies"},
    {"pile", "use `table { zone draw: pile, facedown }`"},
    {"hand", "use `player { zone hand: owner }`"},
    {"ability", "use `action` for something a player may do; put the rules of a character in its braces"},
};

constexpr std::string_view kNone = "use `none`";
constexpr std::string_view kMe = "`me` is the acting player, `active` the player whose turn it is";
constexpr std::string_view kActive = "`active` is the player whose turn it is";
constexpr std::string_view kPlayers = "`players` are all players in the game, `everyone` includes eliminated ones";
constexpr std::string_view kOthers = "`others` are all players except `me`";

constexpr Hint kNames[] = {
    {"null", kNone},
    {"nil", kNone},
    {"none", kNone},
    {"undefined", kNone},
    {"nothing", kNone},
    {"nullptr", kNone},
    {"noone", kNone},
    {"true", "use `true`"},
    {"yes", "use `true`"},
    {"false", "use `false`"},
    {"no", "use `false`"},
    {"my", kMe},
    {"self", kMe},
    {"i", kMe},
    {"you", kMe},
    {"your", kMe},
    {"player", "`players` are all players in the game, `me` is the acting player"},
    {"card", "use a set of cards: a zone such as `me.hand`, or `c in me.hand` for one of them"},
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
    {"opponent", "`others` are all players except `me`; with two players use `only of others`"},
    {"infinity", "use `unlimited`"},
    {"inf", "use `unlimited`"},
    {"infinite", "use `unlimited`"},
    {"turn", "use `turn_number`, which starts at 1"},
    {"round", "use `round_number`, which starts at 1"},
};

constexpr std::string_view kSize = "use `size(S)` for the number of elements";
constexpr std::string_view kRoll = "use `roll 1..6` for a random number, `random of S` for a random element of a set";
constexpr std::string_view kIsIn = "use `c in S`, or `any c in S has c is Apple` for a kind of card";
constexpr std::string_view kSorted =
    "sets have a fixed order; `S with most it.n` selects the elements with the greatest value";

constexpr Hint kCalls[] = {
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
    {"range", "use `each i in 1..3 { … }` or `repeat 3 { … }`"},
    {"filter", "use `S where C`"},
    {"select", "use `S where C`"},
    {"map", "use `sum of E for x in S` or `set of E for x in S`"},
    {"empty", "use `S is empty`"},
    {"is_empty", "use `S is empty`"},
    {"isempty", "use `S is empty`"},
    {"sum", "use `sum of E for x in S`"},
    {"total", "use `sum of E for x in S`"},
    {"any", "use `any x in S has C`"},
    {"some", "use `any x in S has C`"},
    {"all", "use `every x in S has C`"},
    {"every", "use `every x in S has C`"},
    {"contains", kIsIn},
    {"includes", kIsIn},
    {"has", kIsIn},
    {"in", kIsIn},
    {"sort", kSorted},
    {"sorted", kSorted},
    {"first", "use `first of S`"},
    {"last", "use `last of S`"},
    {"top", "use `top of z`"},
    {"bottom", "use `bottom of z`"},
    {"next", "use `next_player(p)`"},
    {"left", "use `next_player(p)`, or `left_of(p)` with `use std.seats`"},
    {"right", "use `previous_player(p)`, or `right_of(p)` with `use std.seats`"},
    {"not", "use `not C`"},
    {"round", "all numbers are integers; `a / b` rounds toward zero"},
    {"floor", "all numbers are integers; `a / b` rounds toward zero"},
    {"push", "use `l += x`, or `move c to p.hand` for cards"},
    {"append", "use `l += x`, or `move c to p.hand` for cards"},
    {"add", "use `l += x`, or `move c to p.hand` for cards"},
    {"remove", "use `l -= x`, or `move c to discard` for cards"},
    {"pop", "use `move top of draw to p.hand`"},
    {"shuffle", "this is a statement without brackets: `shuffle draw`"},
    {"deal", "this is a statement without brackets: `deal 3 from draw to each hand`"},
    {"move", "this is a statement without brackets: `move c to discard`"},
    {"choose", "use `p chooses c from p.hand`"},
    {"ask", "use `p chooses c from p.hand` or `p may \"…\"`; in windows use `ask p`"},
    {"print", kLog},
    {"say", kLog},
    {"echo", kLog},
    {"win", "use `winners p` to end the game"},
    {"winner", "use `winners p` to end the game"},
    {"str", "insert values into a string with braces: `log \"{n} cards\"`"},
    {"format", "insert values into a string with braces: `log \"{n} cards\"`"},
};

constexpr std::string_view kText =
    "there is no string type; for a set of named values use an enum: `enum Mood { calm, angry }`";
constexpr std::string_view kInteger = "use `int`, or a range such as `0..9`; all numbers are integers";
constexpr std::string_view kList =
    "use `list of card up to 5` or `set of card`; cards on the table are in zones: `zone purse: owner`";
constexpr std::string_view kZone = "use a zone for cards: `zone hand: owner`, `zone draw: pile, facedown`";

constexpr Hint kTypes[] = {
    {"boolean", "use `bool`"},
    {"integer", kInteger},
    {"number", kInteger},
    {"num", kInteger},
    {"uint", kInteger},
    {"float", kInteger},
    {"double", kInteger},
    {"decimal", kInteger},
    {"string", kText},
    {"str", kText},
    {"text", kText},
    {"char", kText},
    {"list", kList},
    {"array", kList},
    {"set", kList},
    {"vector", kList},
    {"dict", "use `0..9 per Colour` for one value per constant"},
    {"map", "use `0..9 per Colour` for one value per constant"},
    {"zone", kZone},
    {"pile", kZone},
    {"deck", kZone},
    {"hand", kZone},
    {"stack", kZone},
    {"void", "leave out the type of an event without a result"},
    {"players", "use `player` or `set of player`"},
};

// German and French words, and the English keywords that they mean.
constexpr Hint kForeign[] = {
    {"spiel", "game"},
    {"jeu", "game"},
    {"spieler", "player` or `players"},
    {"joueur", "player"},
    {"joueurs", "players"},
    {"karte", "card"},
    {"karten", "card"},
    {"carte", "card"},
    {"cartes", "card"},
    {"kartentyp", "card type"},
    {"kartendeck", "deck"},
    {"stapel", "deck"},
    {"paquet", "deck"},
    {"pioche", "deck"},
    {"tisch", "table"},
    {"zustand", "table"},
    {"bereich", "zone"},
    {"brett", "board"},
    {"spielbrett", "board"},
    {"spielfeld", "board"},
    {"plateau", "board"},
    {"figur", "piece"},
    {"pion", "piece"},
    {"würfel", "die"},
    {"dé", "die"},
    {"charakter", "character"},
    {"personnage", "character"},
    {"aktion", "action"},
    {"ereignis", "event"},
    {"événement", "event"},
    {"evenement", "event"},
    {"evénement", "event"},
    {"funktion", "function"},
    {"fonction", "function"},
    {"wert", "value"},
    {"valeur", "value"},
    {"aufbau", "setup"},
    {"vorbereitung", "setup"},
    {"préparation", "setup"},
    {"preparation", "setup"},
    {"ende", "end"},
    {"fin", "end"},
    {"runde", "round` or `rounds"},
    {"runden", "rounds"},
    {"manche", "round"},
    {"tour", "turn` or `turns"},
    {"tours", "turns"},
    {"zug", "turn` or `turns"},
    {"züge", "turns"},
    {"wenn", "if` or `when"},
    {"falls", "if"},
    {"si", "if` or `when"},
    {"quand", "when"},
    {"dann", "then"},
    {"alors", "then"},
    {"sonst", "else"},
    {"sinon", "else"},
    {"für", "each"},
    {"fuer", "each"},
    {"jeder", "each"},
    {"jede", "each"},
    {"jedes", "each"},
    {"pour", "each"},
    {"chaque", "each"},
    {"wiederhole", "repeat"},
    {"répéter", "repeat"},
    {"repeter", "repeat"},
    {"solange", "while"},
    {"mische", "shuffle"},
    {"mischen", "shuffle"},
    {"mélanger", "shuffle"},
    {"melanger", "shuffle"},
    {"mélange", "shuffle"},
    {"melange", "shuffle"},
    {"bewege", "move"},
    {"lege", "move"},
    {"ziehe", "move"},
    {"ziehen", "move"},
    {"déplacer", "move"},
    {"deplacer", "move"},
    {"piocher", "move"},
    {"verteile", "deal"},
    {"austeilen", "deal"},
    {"distribuer", "deal"},
    {"distribue", "deal"},
    {"frage", "ask"},
    {"demander", "ask"},
    {"wähle", "chooses"},
    {"choisir", "chooses"},
    {"würfle", "roll"},
    {"lancer", "roll"},
    {"gewinner", "winners"},
    {"sieger", "winners"},
    {"gagnant", "winners"},
    {"gagnants", "winners"},
    {"vainqueur", "winners"},
    {"nach", "after"},
    {"après", "after"},
    {"apres", "after"},
    {"vor", "before"},
    {"avant", "before"},
    {"spielen", "play"},
    {"spiele", "play"},
    {"jouer", "play"},
    {"gib", "return"},
    {"wahr", "true"},
    {"vrai", "true"},
    {"falsch", "false"},
    {"faux", "false"},
    {"nichts", "none"},
    {"keine", "none"},
    {"rien", "none"},
    {"aucun", "none"},
    {"ich", "me"},
    {"moi", "me"},
    {"zahl", "int"},
    {"entier", "int"},
    {"nombre", "int"},
    {"liste", "list"},
    {"menge", "set"},
    {"ensemble", "set"},
};

std::string keyword_in_english(std::string_view small) {
  for (const Hint& h : kForeign)
    if (h.word == small) return "keywords are English: write `" + std::string(h.help) + "`";
  return {};
}

template <std::size_t N>
std::string_view find_in(const Hint (&all)[N], std::string_view word) {
  const auto found = std::find_if(std::begin(all), std::end(all), [&](const Hint& h) { return h.word == word; });
  return found == std::end(all) ? std::string_view{} : found->help;
}

}   // namespace

std::string habit(Spot spot, std::string_view word) {
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // The first letter can be an umlaut or have an accent.
  for (const auto& [upper, lower] : {std::pair("Ü", "ü"), std::pair("É", "é")})
    if (small.starts_with(upper)) small.replace(0, 2, lower);
  std::string_view help;
  switch (spot) {
    case Spot::statement: help = find_in(kStatements, word); break;
    case Spot::declaration: help = find_in(kDeclarations, word); break;
    case Spot::name: help = find_in(kNames, small); break;
    case Spot::call: return std::string(find_in(kCalls, small));
    case Spot::type: help = find_in(kTypes, small); break;
  }
  return help.empty() ? keyword_in_english(small) : std::string(help);
}

}   // namespace cardwright
