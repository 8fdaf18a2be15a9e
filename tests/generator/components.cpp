// Generates enums, records, cards, characters, decks and options.
#include "tests/generator/writer.h"

namespace cardwright::test {

void Writer::options() {
  if (chance_.one_in(2)) return;
  if (chance_.one_in(2)) {
    options_.push_back({"extra", {}});
    line(chance_.one_in(2) ? "option extra" : "option extra = on");
  }
  if (chance_.one_in(2)) {
    options_.push_back({"style", {"plain_style", "wild", "calm"}});
    const std::string rules =
        chance_.pick(std::vector<std::string>{"", "", " { after turn(p) { p.score = min(100, p.score + 1) } }"});
    line(say("option style = plain_style | wild{} | calm", {rules}));
  }
  if (chance_.one_in(2)) {
    number_option_ = "bonus";
    line(say("option bonus: 0..5 = {}", {chance_.below(6)}));
  }
}

// Declares the enums by number: 0: a color of cards; 1: roles of players; 2: numbered; 3: with attributes.
void Writer::enums() {
  enums_.push_back({"Col", {"red", "green", "blue"}});
  if (chance_.one_in(2)) enums_[0].constants.push_back("black");
  enums_.push_back({"Side", {"Guest", "Ant"}});
  enums_.push_back({"Rank", {"two", "three", "four", "five"}});
  line(enums_[0].constants.size() > 3 ? "enum Col { red, green, blue, black }" : "enum Col { red, green, blue }");
  line("enum Side { Guest, Ant }");
  line("enum Rank { two = 2, three, four, five }");
  if (!chance_.one_in(2)) return;
  Enum town{"Town", {"Oslo", "Paris", "Rome", "Bonn"}};
  open("enum Town");
  line("near: set of Town");
  line("road: 0..9 per Town = 1");
  line("port: Town?");
  for (const std::string& name : town.constants)
    line(say("{}(near: [{}], road: [{}: {}], port: {})",
             {name, chance_.pick(town.constants), chance_.pick(town.constants), chance_.between(0, 9),
              chance_.one_in(2) ? "none" : chance_.pick(town.constants)}));
  close();
  enums_.push_back(town);
}

void Writer::records() {
  for (const Record& r : records_) {
    std::string fields;
    for (const Field& field : r.fields)
      fields += say("{}{}: {}{}", {fields.empty() ? "" : ", ", field.name, spelled(field.type),
                                   field.start.empty() ? "" : " = " + field.start});
    line(say("record {} {{ {} }}", {r.name, fields}));
  }
}

// ---------------------------------------------------------------- cards

void Writer::cards() {
  types_of_cards_ = {"Small", "Big"};
  open("card type It");
  line("col: Col = red");
  line("w: 0..9 = 1");
  line("tags: set of Col");
  line("r: Rank? = none");
  line("odd: bool = false");
  line("plays to disc");
  covers_of_cards();
  close();
  line("card type Small: It");
  open("card type Big: It");
  if (chance_.one_in(3)) line("plays to me.pub");
  close();
  const int count = many(3, 6);
  static const std::vector<std::string> names{"Apple", "Wasp", "Net", "Coin", "Kettle", "Plum"};
  for (int i = 0; i < count; ++i) kinds_.push_back(names[static_cast<std::size_t>(i)]);
  for (int i = 0; i < count; ++i) card_body(i);
}

void Writer::card_body(int card) {
  const std::string type = chance_.word({"It", "Small", "Small", "Big"});
  const Inside inside(*this);
  at_ = {};
  at_.me = at_.self = true;
  at_.values = static_cast<int>(values_.size());
  open(say("card {}: {}", {kinds_[static_cast<std::size_t>(card)], type}));
  const int plays = chance_.below(3);
  if (plays > 0) played_.push_back(kinds_[static_cast<std::size_t>(card)]);
  for (int i = 0; i < plays; ++i)
    play_of_card(chance_.one_in(2) || windows_.empty() ? -1 : chance_.below(static_cast<int>(windows_.size())));
  if (chance_.one_in(2)) {
    const bool mine = !families_.laid || chance_.one_in(2);   // a card on a board has no owner, so there is no `me`
    open(!mine ? "while on field" : families_.places && chance_.one_in(3) ? "while in pub, hand" : "while in pub");
    at_.me = mine;
    const int rules = chance_.between(1, 2);
    for (int i = 0; i < rules; ++i) switch (chance_.below(5)) {
        case 0: modifier(mine); break;
        case 1: whenever(mine); break;
        case 2: action(-1, fresh("held"), true); break;
        default:
          if (events_.empty())
            modifier(mine);
          else
            handler(chance_.below(static_cast<int>(events_.size())), mine);
      }
    close();
  }
  close();
}

void Writer::decks() {
  open("deck Main: It into draw");
  for (const std::string& kind : kinds_) {
    switch (chance_.below(about(Subject::unknown) ? 2 : 4)) {
      case 0:
        line(say("each k in Col {{ {}(col: k, w: {}, tags: [k, red]) x {} }}",
                 {kind, chance_.between(0, 4), chance_.between(1, 2)}));
        break;
      case 1:
        line(say("each n in 1..3 {{ {}(col: {}, w: n, r: {}) x {} }}",
                 {kind, constant(0), constant(2), chance_.between(1, 2)}));
        break;
      case 2: line(say("{}(odd: true, tags: [{}]) x {}", {kind, constant(0), chance_.between(1, 3)})); break;
      default: line(say("{} x {}", {kind, chance_.between(1, 5)}));
    }
  }
  close();
  if (chance_.one_in(2))
    line(say("deck Extra: It into pool {{ {} x {}, {}(w: {}) x 2 }}",
             {kinds_[0], chance_.between(1, 4), kinds_[1], chance_.between(1, 9)}));
  if (families_.files) deck_from_file();
  if (families_.dealing)
    line(say("deck Stock: It into stock {{ {} x {}, {} x {} }}",
             {kinds_[0], chance_.between(0, 6), kinds_[1], chance_.between(1, 6)}));
  if (has_roles_) line(say("deck Roles: Side {{ Guest x {}, Ant x {} }}", {most_, chance_.between(1, 3)}));
}

void Writer::deck_from_file() {
  line("deck Listed: It into draw from \"listed.csv\"");
  files_ += "// file listed.csv\ncard,col,w,tags,odd,count\n";
  for (const std::string& kind : kinds_)
    files_ += say("{},{},{},{},{},{}\n", {kind, constant(0), chance_.below(5), constant(0) + " " + constant(0),
                                          chance_.word({"true", "false", ""}), chance_.between(1, 2)});
}

void Writer::characters() {
  if (!has_characters_) return;
  line("character type Person { lives: 1..5 }");
  static const std::vector<std::string> names{"Ann", "Bob", "Cat", "Dee", "Eve", "Fay"};
  for (int i = 0; i <= most_; ++i) {
    const Inside inside(*this);
    at_ = {};
    at_.me = true;
    at_.values = static_cast<int>(values_.size());
    open(say("character {}: Person, lives {}", {names[static_cast<std::size_t>(i)], chance_.between(1, 5)}));
    const int rules = chance_.below(3);
    for (int k = 0; k < rules; ++k) switch (chance_.below(6)) {
        case 0: modifier(true); break;
        case 1: whenever(true); break;
        case 2: action(-1, fresh("own"), false, true); break;
        case 3: line(say("{} in me.hand is also {}", {kinds_[0], kinds_[1]})); break;
        default:
          if (events_.empty())
            modifier(true);
          else
            handler(chance_.below(static_cast<int>(events_.size())), true);
      }
    close();
  }
  line("deck Persons: Person, one of each");
}

}   // namespace cardwright::test
