// Tests the texts that players read: questions and labels with filled-in values,
// distinguishable options, and logs of sets.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "cardwright/tools.hpp"
#include "tests/api/rules_text.h"
#include "tests/support/command.h"

using namespace cardwright::api;
using cardwright::test::game_of;
using cardwright::test::words_of;

namespace {

void take(State& state, const std::string& words, Log* log = nullptr) {
  const auto all = words_of(state);
  const auto at = std::find(all.begin(), all.end(), words);
  INFO(words << " of " << fmt::format("{}", fmt::join(all, " | ")));
  REQUIRE(at != all.end());
  state.apply(static_cast<std::size_t>(at - all.begin()), log);
}

bool has_line(const std::vector<std::string>& lines, const std::string& line) {
  UNSCOPED_INFO(fmt::format("{}", fmt::join(lines, "\n")));
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}   // namespace

TEST_CASE("words: questions and their answers are filled in", "[api][texts]") {
  const Game game = game_of(R"(game "Asked"
players 2
card type Card "{rank}" { rank: 1..9 }
deck Cards: Card into bag { each n in 1..6: Card(rank: n) }
player { zone hand: owner; purse: 0..9 = 4 }
table { zone bag: pile, facedown; pot: 0..9 = 3 }
setup { deal 2 from bag to each hand }
event ask(p: player, by: player, n: int) {
  if p may "Challenge {by} for {n} of {pot} with {first of p.hand}?" { log "yes" }
  p chooses k from 1..3 "How many of {pot}, {by}?"
  p chooses one "What, {if n > 3 then "{by} of {n}" else "none"}?" { "Pay {n} to {by}" { log "paid" } "Keep \{{pot}\}" when pot > 3 { log "kept" } "Go" { log "gone" } }
  p chooses cs: 2 cards from p.hand "Which {size(p.hand)}?"
}
action go in main { ask(me, next_player(me), 7) }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners players }
)");
  State state = game.new_state(1, 0);
  state.apply(0);
  const std::string card = state.question().prompt.substr(state.question().prompt.find("with ") + 5);
  CHECK(state.question().prompt == "Challenge b for 7 of 3 with " + card);
  CHECK(std::isdigit(static_cast<unsigned char>(card[0])));
  CHECK(state.view(0).find("with " + card) != std::string::npos);
  CHECK(state.view(1).find("for 7 of 3 with ??") != std::string::npos);
  take(state, "no");
  CHECK(state.question().prompt == "How many of 3, b?");
  state.apply(0);
  CHECK(state.question().prompt == "What, b of 7?");
  CHECK(words_of(state) == std::vector<std::string>{"Pay 7 to b", "Go"});
  take(state, "Pay 7 to b");
  CHECK(state.question().prompt == "Which 2?");
  CHECK(state.question().picked == 0);
  CHECK(state.question().wanted == 2);
  const std::string first = state.option(0).words;
  state.apply(0);
  CHECK(state.question().picked == 1);
  CHECK("choose " + state.question().picks == first);
}

TEST_CASE("words: a text inside a text is filled in", "[api][texts]") {
  const Game game = game_of(R"(game "Nested"
players 2
player { score: 0..99 = 0 }
action take(n: 1..3) in main "{if n > 1 then "Take {n + 1} of {n * 2}" else "One"}" { me.score += n; log "so {if n > 1 then "{n} are {me.score}" else "one"}" }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when play is over { winners players with most it.score }
)");
  State state = game.new_state(1, 0);
  CHECK(words_of(state) == std::vector<std::string>{"One", "Take 3 of 4", "Take 4 of 6"});
  Log log(game);
  take(state, "Take 4 of 6", &log);
  CHECK(has_line(log.lines(1), "so 3 are 3"));
  CHECK(has_line(log.lines(1), "a: Take 4 of 6"));
}

TEST_CASE("words: cards that look different are different options", "[api][texts]") {
  const auto offered = [](const std::string& attribute) {
    const Game game = game_of(R"(game "Looks"
players 2
card type Card "{)" + attribute +
                              R"(}" { rank: 1..10; unprinted mark: 1..10 = 1 }
deck Cards: Card into hall { each n in 1..6: Card(rank: n, mark: n) }
player { zone got: public }
table { zone hall: public }
action take(c: Card in hall) in main "Take {c}" { move c to me.got }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when play is over { winners players }
)");
    State state = game.new_state(1, 0);
    const auto words = words_of(state);
    Log log(game);
    state.apply(3, &log);
    CHECK(has_line(log.lines(1), "a: " + words[3]));
    CHECK(has_line(log.lines(1), "hall: " + words[3].substr(5) + " to got of a"));
    return words;
  };
  CHECK(offered("rank") == std::vector<std::string>{"Take 1", "Take 2", "Take 3", "Take 4", "Take 5", "Take 6"});
}

TEST_CASE("words: an unprinted and unread attribute does not distinguish cards", "[api][texts]") {
  const Game game = game_of(R"(game "Same"
players 2
card type Card { unprinted mark: 1..10 = 1 }
deck Cards: Card into hall { each n in 1..6: Card(mark: n) }
player { zone got: public }
table { zone hall: public }
action take(c: Card in hall) in main "Take {c}" { move c to me.got }
play { turns clockwise from first of players up to 2 { phase main { ask active or pass } } }
end when play is over { winners players }
)");
  const State state = game.new_state(1, 0);
  CHECK(words_of(state) == std::vector<std::string>{"Take Card", "pass"});
}

// The taken card is face up, but its copies were shuffled into a deck, so their positions are unknown.
TEST_CASE("words: a label names a face-up card, wherever its copies are", "[api][texts]") {
  for (const std::string hide :
       {"", "action hide(c: Chip in me.hand) in main, once per game { move c to me.aside facedown }\n"}) {
    const Game game = game_of(R"(game "Supply"
players 2
card type Chip { cost: 0..8 }
card Blue: Chip, cost 3
card Red:  Chip, cost 4
deck Cs: Chip into pool { Blue x 20, Red x 20 }
player {
  zone deck:    pile, facedown, refill from discard, starts with 2 Blue, starts with 2 Red
  zone discard: pile, faceup
  zone hand:    owner
  zone aside:   public
}
table { zone pool: public }
action take(c: Chip in pool) in main "Take {c} for {c.cost}" { move c to me.discard }
action show(c: Chip in me.hand) in main "Show {c} of {c.cost}" { move c to me.discard }
)" + hide + R"(play {
  turns clockwise from first of players up to 16 {
    phase main { ask active or pass }
    phase tidy { move active.hand to active.discard; move 3 cards from active.deck to active.hand }
  }
}
end when play is over { winners nobody }
)");
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Log log(game);
      State state = game.new_state(seed, 0, &log);
      bool shown = false;
      while (!state.is_over()) {
        const auto words = words_of(state);
        for (const std::string& one : words) CHECK(one.find('?') == std::string::npos);
        const std::size_t from = log.size();
        const int actor = state.actor();
        const bool shows = !shown && std::any_of(words.begin(), words.end(), [](const auto& w) {
          return w.starts_with("Show");
        }) && state.turns() > 3;
        const std::size_t index =
            shows ? static_cast<std::size_t>(
                        std::find_if(words.begin(), words.end(), [](const auto& w) { return w.starts_with("Show"); }) -
                        words.begin())
                  : 0;
        state.apply(index, &log);
        const std::string prefix = std::string(1, static_cast<char>('a' + actor)) + ": ";
        CHECK(has_line(log.lines(actor, from), prefix + words[index]));
        CHECK(has_line(log.lines(1 - actor, from),
                       prefix + (shows ? words[index].substr(0, words[index].rfind(' ')) + " ?" : words[index])));
        shown = shown || shows;
      }
      CHECK(shown);
    }
  }
}

TEST_CASE("words: a face-up card is named even if the same action shuffles it away", "[api][texts]") {
  const Game game = game_of(R"(game "Shuffled away"
players 2
card type Chip { cost: 0..8 }
card Blue: Chip, cost 3
card Red: Chip, cost 3
deck Cs: Chip into pool { Blue x 6, Red x 6 }
player { zone deck: pile, facedown }
table { zone pool: public }
action take(c: Chip in pool) in main "Take {c}" { move c to me.deck; shuffle me.deck }
play { turns clockwise from first of players up to 6 { phase main { ask active or pass } } }
end when play is over { winners nobody }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  while (!state.is_over()) {
    const int actor = state.actor();
    const std::size_t from = log.size();
    take(state, state.decisions() % 2 == 0 ? "Take Blue" : "Take Red", &log);
    const auto lines = log.lines(1 - actor, from);
    const std::string who(1, static_cast<char>('a' + actor)), kind = state.decisions() % 2 == 1 ? "Blue" : "Red";
    CHECK(has_line(lines, who + ": Take " + kind));
    CHECK(has_line(lines, "pool: " + kind + " to deck of " + who));
  }
}

TEST_CASE("words: a parameter that is chosen after a set stays open in a label", "[api][texts]") {
  const Game game = game_of(R"(game "Behind a set"
players 2
enum Colour { red, blue }
player { n: 0..99 = 0 }
action name(ks: any Colour in Colour, n: 1..2) in main "Name {ks}, {n} of {n + 1} {if n > 1 then "twice" else "once"}, \{ {size(players)}" { me.n += n * size(ks) }
action other(n: 1..2, ks: any Colour in Colour) in main "Other {n} {ks}" { me.n += n }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners players with most it.n }
)");
  State state = game.new_state(1, 0);
  const auto words = words_of(state);
  REQUIRE(words.size() == 8);   // for each of the two actions: two first colors times two numbers
  CHECK(std::count(words.begin(), words.end(), "Other 1 red") == 1);
  Log log(game);
  state.apply(0, &log);
  CHECK(has_line(log.lines(1), "a: " + words[0]));
}

TEST_CASE("words: durations are shown with their unit", "[api][texts]") {
  const Game game = game_of(R"(game "Times"
players 2
player { left: duration = 1500 ms }
table { limit: duration = 3 s }
action spend in main { me.left = 250 ms; limit = 5 min; log "so {me.left} of {limit}, {limit - me.left}" }
action look in main when me.left < limit { }
play { turns clockwise from first of players up to 1 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  const std::string before = fmt::format("{}", fmt::join(state.table_in_words(0), "\n"));
  INFO(before);
  CHECK(before.find("limit 3 s") != std::string::npos);
  CHECK(before.find("left 1.5 s") != std::string::npos);
  take(state, "spend", &log);
  CHECK(has_line(log.lines(1), "a: left 1.5 s -> 0.25 s"));
  CHECK(has_line(log.lines(1), "limit 3 s -> 300 s"));
  CHECK(has_line(log.lines(1), "so 0.25 s of 300 s, 299.75 s"));
}

TEST_CASE("words: options with the same label are numbered", "[api][texts]") {
  const Game game = game_of(R"(game "Alike"
players 2
player { n: 0..99 = 0 }
action one(k: 1..2) in main "Go" { me.n += k }
action two in main "Go" { me.n += 9 }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when play is over { winners players }
)");
  const State state = game.new_state(1, 0);
  const auto words = words_of(state);
  CHECK(std::set<std::string>(words.begin(), words.end()).size() == 3);
  CHECK(words[0].starts_with("Go (1)"));
}

TEST_CASE("words: an action in a simultaneous decision is logged with its label", "[api][texts]") {
  const Game game = game_of(R"(game "Vote"
players 2
player { n: 0..9 = 0 }
window vote(r: 1..9) { ask all of players at once }
action yes in vote "Yes to {vote.r}" { me.n += 1 }
action no in vote "No" { me.n = 0 }
play { turns clockwise from first of players up to 1 { phase main { open vote(3) } } }
end when play is over { winners players with most n }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  state.apply(0, &log);
  state.apply(1, &log);
  CHECK(has_line(log.lines(0), "a: Yes to 3"));
  CHECK(has_line(log.lines(0), "b: No"));
}

TEST_CASE("words: each entry of a list per area part names its part", "[api][texts]") {
  const Game game = game_of(R"(game "Lists"
players 2
player { area spot x 3 { plan: list of 1..5 up to 3; mine: list of 1..5 up to 3, secret } }
action go in main { me.spot[1].plan += 2; me.spot[3].plan += 2; me.spot[3].plan += 3; me.spot[2].mine += 4 }
action stay in main { log "{size(me.spot[1].plan) + size(me.spot[1].mine)}" }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  State state = game.new_state(1, 0);
  state.apply(0);
  const auto table_words = [&](int seat) { return fmt::format("{}", fmt::join(state.table_in_words(seat), "\n")); };
  CHECK(table_words(0).find("plan 1 [2], 3 [2, 3]") != std::string::npos);
  CHECK(table_words(0).find("mine 2 [4]") != std::string::npos);
  CHECK(table_words(1).find("plan 1 [2], 3 [2, 3]") != std::string::npos);
  INFO(table_words(1));
  CHECK(table_words(1).find("4") == std::string::npos);
}

TEST_CASE("words: a set is shown as its elements", "[api][texts]") {
  const Game game = game_of(R"(game "Sets"
players 2
enum Colour { red, blue, green }
card type Card { n: 1..3 }
deck Cards: Card into deck { each k in 1..3: Card(n: k) }
player { open_set: set of Colour = [red]; numbers: set of 1..5 = [1, 2]; kept: set of Card; memo: set of 1..5 = [3], secret }
table { zone deck: public; friends: set of player = [] }
action go in main { me.open_set += green; me.numbers += 5; me.kept = deck where n > 1; me.memo += 4; friends += me; log "so {me.numbers}, {me.open_set}" }
action stay in main { log "{size(me.open_set) + size(me.numbers) + size(me.memo) + size(friends) + size(me.kept)}" }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  state.apply(0, &log);
  const auto lines = log.lines(1);
  CHECK(has_line(lines, "a: open set red -> red, green"));
  CHECK(has_line(lines, "a: numbers 1, 2 -> 1, 2, 5"));
  CHECK(has_line(lines, "friends nobody -> a"));
  CHECK(has_line(lines, "so 1, 2, 5, red, green"));
  const auto table = state.table_in_words(1);
  const std::string all = fmt::format("{}", fmt::join(table, "\n"));
  INFO(all);
  CHECK(all.find("numbers 1, 2, 5") != std::string::npos);
  CHECK(all.find("open set red, green") != std::string::npos);
  CHECK(all.find("friends a") != std::string::npos);
  CHECK(all.find("kept Card (2), Card (3)") != std::string::npos);
  CHECK(all.find("memo ?") != std::string::npos);
}

TEST_CASE("words: the end of the game is explained in the rules' own words", "[api][texts]") {
  const Game game = game_of(R"(game "Over"
players 2
player { n: 0..9 = 0 }
action add(k: 1..3) in main { me.n += k; if k == 3 then winners me "Three at once" }
play { turns clockwise from first of players up to 2 { phase main { ask active } } }
end when any p in players has p.n == 2 "Somebody has two" { winners players where n == 2 }
end when play is over { winners players with most n }
)");
  const auto ending = [&](std::size_t first, std::size_t second) {
    State state = game.new_state(1, 0);
    state.apply(first);
    if (!state.is_over()) state.apply(second);
    return std::pair(state.ending(), state.ending_for_people());
  };
  CHECK(ending(1, 0) == std::pair<std::string, std::string>("Somebody has two", "Somebody has two"));
  CHECK(ending(2, 0) == std::pair<std::string, std::string>("Three at once", "Three at once"));
  CHECK(ending(0, 0) == std::pair<std::string, std::string>("play is over", ""));
  const State state = game.new_state(1, 0);
  CHECK(has_line(state.goals(0), "Somebody has two"));
  CHECK(has_line(game.rules_in_words(), "Three at once"));
}

TEST_CASE("words: turns and rounds are headings of the log", "[api][texts]") {
  const Game game = game_of(R"(game "Headed"
players 2
player { n: 0..99 = 0 }
action add(k: 1..3) in main { me.n += k }
play { rounds 2 { turns clockwise from first of players up to 2 { phase main { ask active } } } }
end when play is over { winners players with most n }
)");
  Log log(game);
  State state = game.new_state(1, 0, &log);
  while (!state.is_over()) state.apply(0, &log);
  std::vector<std::string> headings = log.lines(0);
  std::erase_if(headings, [](const std::string& line) { return !line.starts_with("— "); });
  CHECK(headings ==
        std::vector<std::string>{"— round 1", "— turn 1: a", "— turn 2: b", "— round 2", "— turn 3: a", "— turn 4: b"});
}

TEST_CASE("words: a card type has one entry, and printed texts contain attributes", "[api][texts]") {
  const Game game = game_of(R"(game "Printed"
players 2
enum Suit { hearts, clubs }
card type Card "{rank} of {suit}" { suit: Suit, rank: 1..5; text "Worth {rank}." }
card type Pie { size: 1..3; unprinted mark: 1..9 = 1 }
card Apple: Pie, size 2 "Pie of {size}" { text "Feeds {size}." }
deck Cards: Card into bag { each s in Suit, n in 1..5: Card(suit: s, rank: n) }
deck Pies: Pie into bag { Apple }
player { zone hand: owner }
table { zone bag: pile, facedown }
action draw in main { move top of bag to me.hand }
play { turns clockwise from first of players up to 4 { phase main { ask active } } }
end when play is over { winners players with most size(it.hand) }
)");
  CHECK(game.printed_on("Card") == std::vector<std::string>{"Card: suit hearts or clubs, rank 1 to 5 (10 cards)"});
  CHECK(game.printed_on("3 of clubs") == std::vector<std::string>{"3 of clubs: suit clubs, rank 3; Worth 3."});
  CHECK(game.printed_on("Apple") == std::vector<std::string>{"Pie of 2: size 2; Feeds 2."});
  const State state = game.new_state(1, 0);
  for (const char* name : {"Card", "3 of clubs", "Apple", "Pie of 2"}) {
    const auto why = state.why(0, name);
    INFO(name << fmt::format("{}", fmt::join(why, "\n")));
    for (const std::string& line : why) CHECK(line.find('{') == std::string::npos);
  }
}

TEST_CASE("words: questions in windows are filled in, including simultaneous and real-time decisions", "[api][texts]") {
  const auto asked = [](const std::string& ask) {
    const Game game = game_of(R"(game "Asking"
players 2
player { gold: 0..9 = 3 }
action pay in market "Pay" when me.gold > 0 { me.gold -= 1 }
window market { )" + ask + R"( }
play { open market }
end when play is over { winners nobody }
)");
    return game.new_state(1).question();
  };
  const Question one = asked("ask first of players \"Pay of {(first of players).gold}?\"");
  CHECK(one.prompt == "Pay of 3?");
  CHECK(one.window == "market");
  CHECK(asked("ask each of players or pass \"Pay?\"").prompt == "Pay?");
  CHECK(asked("ask all of players at once \"Pay of {sum of p.gold for p in players}?\"").prompt == "Pay of 6?");
  CHECK(asked("ask all of players in real time until (first of players).gold == 0 \"Pay now?\"").prompt == "Pay now?");
  CHECK(asked("ask first of players").prompt == "");
}

TEST_CASE("words: equal cards are distinguished by their entries in tables, or all have numbers", "[options]") {
  const cardwright::test::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("alike.rules", R"(
game "Alike"
players 2
card type Land
card Isle: Land
deck Lands: Land into pile { Isle x 3 }
player { zone field: public }
table { zone pile: pile, faceup; tapped: bool per Land = false; charge: 0..9 per Land = 0 }
action turn(c: Land in me.field) in main "Turn {c}" { tapped[c] = not tapped[c] }
setup { move 3 cards from pile to (first of players).field }
play { turns clockwise from first of players up to 9 { phase main { ask active; ask active } } }
end when play is over { winners nobody }
)"))
                        .compile();
  State state = game.new_state(1);
  REQUIRE(state.legal_count() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(state.option(i).words == "Turn Isle [" + std::to_string(i + 1) + "]");
  state.apply(0);
  std::multiset<std::string> words;
  for (std::size_t i = 0; i < state.legal_count(); ++i) words.insert(state.option(i).words);
  CHECK(words == std::multiset<std::string>{"Turn Isle (tapped)", "Turn Isle [1]", "Turn Isle [2]"});
}

TEST_CASE("words: equal cards are numbered if their positions matter", "[api][texts]") {
  const Game game = game_of(R"(game "Beans"
players 2
card type Bean
deck Beans: Bean into bag { Bean x 6 }
player { zone hand: row, owner; zone heap: owner; zone out: public }
table { zone bag: pile, facedown }
setup { deal 3 from bag to each hand }
action plant(c: Bean in me.hand) in main "Plant {c}" {
  move c to me.out
  log "{me} still has {top of me.hand}"
}
action keep(c: Bean in me.out) in main "Keep {c}" { move c to me.heap }
play { turns clockwise from first of players up to 2 { phase main { ask active until pass } } }
end when play is over { winners players }
)");
  State state = game.new_state(1, 0);
  auto words = words_of(state);
  std::sort(words.begin(), words.end());
  CHECK(words ==
        std::vector<std::string>{"Plant Bean (1st of 3)", "Plant Bean (2nd of 3)", "Plant Bean (3rd of 3)", "pass"});
  Log log(game);
  take(state, "Plant Bean (2nd of 3)", &log);
  CHECK(has_line(log.lines(0), "a: Plant Bean (2nd of 3)"));
  for (const std::string& line : log.lines(1))
    CHECK(line.find("2nd") == std::string::npos);   // would reveal the card's position in a's hand
  take(state, "Plant Bean (1st of 2)", &log);
  words = words_of(state);
  std::sort(words.begin(), words.end());
  CHECK(words == std::vector<std::string>{"Keep Bean", "Plant Bean", "pass"});   // no numbers, as only one card remains
}
