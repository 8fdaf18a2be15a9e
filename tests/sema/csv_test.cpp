// Tests CSV files as spreadsheets and scripts save them.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

namespace {

const std::string kTypes =
    "enum Hue { red, green, DarkBlue }\n"
    "card type Chip { hue: Hue? = none, worth: 0..2000 = 0, big: bool = false, extra: set of Hue }\n";

// Compiles a game whose deck is loaded from `csv`, and returns the messages. `types` begins at line 3 of game.rules.
std::string sheet(const std::string& csv, const std::string& types = kTypes, const std::string& deck = "",
                  bool check = false) {
  return run({{"game.rules",
               "game \"T\"\nplayers 2\n" + types + "deck Chips: Chip into box from \"t.csv\"" + deck +
                   "\nplayer { zone hand: owner; n: 0..9 = 0 }\ntable { zone box: pile, facedown }\n"
                   "action draw in main { move top of box to me.hand; me.n += 1 }\n"
                   "play { turns clockwise from first of players up to 4 { phase main { ask active } } }\n"
                   "end when play is over { winners players with most n }\n"},
              {"t.csv", csv}},
             0, {}, check)
      ->messages();
}
// Checks a file whose `worth` adds up to `sum` in `count` cards.
void loads(const std::string& csv, int count, int sum, const std::string& types = kTypes) {
  INFO(csv);
  const auto o =
      run({{"game.rules", "game \"T\"\nplayers 2\n" + types +
                              "deck Chips: Chip into box from \"t.csv\"\ntable { zone box: pile, facedown }\n"
                              "play { }\nend when play is over { winners nobody }\n"},
           {"t.csv", csv}});
  CHECK(o->messages() == "");
  REQUIRE(o->model);
  const auto& attributes = o->model->attributes;
  const auto worth =
      std::find_if(attributes.begin(), attributes.end(), [](const auto& a) { return a.name == "worth"; });
  int total = 0;
  for (const model::Card& c : o->model->cards)
    total += static_cast<int>(c.attributes[static_cast<std::size_t>(worth - attributes.begin())]);
  CHECK(o->model->cards.size() == static_cast<std::size_t>(count));
  CHECK(total == sum);
}

}   // namespace

TEST_CASE("sema: separators, line ends and byte order marks of spreadsheets", "[csv]") {
  loads("hue,worth,count\nred,3,2\ngreen,4,1\n", 3, 10);
  loads("\xEF\xBB\xBFhue;worth;count\r\nred;3;2\r\ngreen;4;1\r\n", 3, 10);
  loads("sep=;\r\nhue;worth;count\r\nred;3;2\r\ngreen;4;1", 3, 10);
  loads("hue\tworth\tcount\rred\t3\t2\rgreen\t4\t1\r", 3, 10);
  loads("\"hue\",\"worth\"\n\"red\",\"3\"\n", 1, 3);
  loads("hue;worth\nred;3,0\n", 1, 3);   // a comma in a file with semicolons is a decimal comma
}

TEST_CASE("sema: rows without any text are skipped", "[csv]") {
  loads("hue,worth,count\nred,1,1\ngreen,2,1\n,,\n , ,\n\"\",\"\",\"\"\n\nDarkBlue,3,1\n,,\n", 3, 6);
  loads(",,\nhue,worth,\nred,1,\ngreen,2\n\nred,4,,,\n", 3, 7);   // columns that were once used
  CHECK(sheet("hue,worth\nred,1,x\n") == "t.csv:2:1 E0307 this row has 3 fields, but the header has 2");
}

TEST_CASE("sema: blanks, capitals and numbers of spreadsheets", "[csv]") {
  loads("Hue , WORTH\n Red ,\t2 \n\"green\" , \" 3 \"\n dark blue,+4\n\xC2\xA0red\xC2\xA0,1\n", 4, 10);
  loads("hue,worth,big\nred,2.0,TRUE\nred,1,FALSE\nred,1,Yes\nred,1,no\nred,1,WAHR\nred,1,1.0\n", 6, 7);
  loads("hue,worth,count\nnone,1,2.0\nNone,2,-\n-,4,\n", 4, 8);
  loads("hue,worth,extra\nred,1,\"red, dark blue\"\nred,1,red green\nred,1,none\nred,1,Dark Blue; Red\n", 4, 4);
  CHECK(sheet("hue,worth\nred,\"1,000\"\n") ==
        "t.csv:2:5 E0307 `1,000` is not of type `0..2000`, the type of `worth` (write a whole number such as `1000`, "
        "without a fraction or thousands separators)");
  CHECK(has(sheet("hue,worth\nred,1.000\n"), "E0307 `1.000` is not of type"));
  CHECK(has(sheet("hue,worth\nred,1.5\n"), "E0307 `1.5` is not of type"));
  CHECK(sheet("hue,worth\nred,none\n") ==
        "t.csv:2:5 E0307 `none` is not of type `0..2000`, the type of `worth` (declare the attribute optional: `worth: "
        "(0..2000)?`)");
  CHECK(has(sheet("hue\nnone\n", "enum Hue { red }\ncard type Chip { hue: Hue }\n"),
            "`none` is not a constant of `Hue` (declare the attribute optional: `hue: Hue?`)"));
  CHECK(has(sheet("big\nmaybe\n"), "`maybe` is not of type `bool`, the type of `big` (write `true` or `false`)"));
}

TEST_CASE("sema: quoted fields can contain separators, quotes and line breaks", "[csv]") {
  const std::string types = "card type Chip { worth: 0..9 = 0 }\n";
  const std::string csv =
      "id,worth,text,link\n1,3,\"Say \"\"hi\"\",\nthen draw\",https://example.org/a?b=1&c=2\n2,4,\"\",\n";
  loads(csv, 2, 7, types);
  CHECK(sheet(csv, types, "", true) == "4:32 W0035 the columns `id`, `text` and `link` are ignored");
  CHECK(sheet("worth,text\n1,\"a\" b\n2,\"c\"\n10,d\n", types) ==
        "t.csv:2:7 E0307 text after a closing quote (write a quote in a quoted field twice: `\"\"`)\n"
        "t.csv:4:1 E0307 value of `worth` out of range; expected 0 to 9, found 10");
}

TEST_CASE("sema: columns that are not attributes are ignored with one warning", "[csv]") {
  CHECK(sheet("hue,notes,worth,wroth,\nred,a,1,2,\n", kTypes, "", true) ==
        "5:32 W0035 the columns `notes` and `wroth` are ignored (did you mean `worth`?)");
  CHECK(sheet("hue,worth,\nred,1,a note\n", kTypes, "", true) == "5:32 W0035 the column number 3 is ignored");
  CHECK(sheet("hue,worth,,\nred,1,,\n", kTypes, "", true) == "");
  // An attribute that no column contains is reported once, not for each row.
  const std::string needed = "card type Chip { worth: 0..9, price: 0..9 = 0 }\n";
  CHECK(sheet("wroth,price\n1,2\n3,4\n", needed) ==
        "t.csv:1:1 E0307 unknown attribute `wroth` (did you mean `worth`?)");
  CHECK(sheet("price\n1\n2\n", needed) ==
        "t.csv:1:1 E0307 missing column `worth` (add the column, or declare a default for the attribute)");
}

TEST_CASE("sema: all problems of a CSV file are reported at once", "[csv]") {
  CHECK(sheet("hue,worth,worth,big\nrde,1,1,true\nred,x,1,true\nred\ngreen,1,1,perhaps\n") ==
        "t.csv:1:11 E0307 duplicate column `worth` (rename or remove one of the two)\n"
        "t.csv:4:1 E0307 this row has 1 field, but the header has 4\n"
        "t.csv:2:1 E0307 `rde` is not a constant of `Hue` (did you mean `red`?)\n"
        "t.csv:3:5 E0307 `x` is not of type `0..2000`, the type of `worth`\n"
        "t.csv:5:11 E0307 `perhaps` is not of type `bool`, the type of `big` (write `true` or `false`)");
}

TEST_CASE("sema: the columns card, name, kind and count never hide an attribute", "[csv]") {
  const std::string cards = "card A: Chip\ncard GeneralStore: Chip \"General Store\"\n";
  const std::string plain = "card type Chip { worth: 0..9 = 0 }\n" + cards;
  loads("card,worth\nA,1\nGeneral Store,2\nGeneralStore,3\ngeneral store,1\n", 4, 7, plain);
  loads("Name,worth\nGeneral Store,2\n", 1, 2, plain);
  loads("kind,worth\nA,2\n", 1, 2, plain);
  // `card` names the card, and `kind` and `name` fill the attributes of these names.
  const std::string kinds = "enum Sort { x, y }\ncard type Chip { kind: Sort, name: Sort, worth: 0..9 = 0 }\n" + cards;
  loads("card,kind,name,worth\nA,x,y,1\nA,y,x,2\n", 2, 3, kinds);
  CHECK(sheet("name,kind,worth\nx,y,1\n", kinds) ==
        "t.csv:1:1 E0307 missing column `card`, which names the card of each line (the column `name` is the attribute "
        "`name` of the cards)");
  CHECK(sheet("card,name,worth\nA,B,1\nGeneralStore,,1\n", plain, "", true) ==
        "6:32 W0035 the column `name` is ignored");
  // If the type has no named cards, a printed name is only a note.
  CHECK(sheet("name,worth\nThe First,1\n", "card type Chip { worth: 0..9 = 0 }\n", "", true) ==
        "4:32 W0035 the column `name` is ignored");
  CHECK(sheet("count,worth\n2,1\n", "card type Chip { count: 0..9 = 0, worth: 0..9 = 0 }\n") ==
        "t.csv:1:1 E0307 the column `count` is the number of copies, but the cards also have an attribute `count` "
        "(rename the attribute)");
  CHECK(has(sheet("card,worth\nA,1\n", "card type Chip { card: 0..9 = 0, worth: 0..9 = 0 }\n" + cards),
            "the column `card` is the name of the card, but the cards also have an attribute `card`"));
  CHECK(has(sheet("card\nTwin\n",
                  "card type Chip { worth: 0..9 = 0 }\ncard TwinA: Chip \"Twin\"\ncard TwinB: Chip "
                  "\"Twin\"\n"),
            "2:1 E0307 several cards are called `Twin` (write `TwinA` or `TwinB`)"));
  CHECK(sheet("card,worth\n,1\n", plain) == "t.csv:2:1 E0307 this row names no card");
}

TEST_CASE("sema: names of constants in a CSV file", "[csv]") {
  const auto of = [](const std::string& csv, const std::string& rules = "") {
    return run({{"game.rules", "game \"T\"\nplayers 2\nenum Odd from \"t.csv\" { worth: 0..9 = 0 }\n" + rules +
                                   "play { }\nend when play is over { winners nobody }\n"},
                {"t.csv", csv}});
  };
  for (const std::string word : {"none", "true", "if", "A&B", "Yoink!", "a{b}",
                                 "a\xC2\xA0"
                                 "b",
                                 "50%"}) {
    INFO(word);
    CHECK(has(of("name,worth\n" + word + ",1\n")->messages(), "2:1 E0307 `" + word + "` is not a valid name"));
  }
  CHECK(of("name,worth\n,1\n")->messages() ==
        "t.csv:2:1 E0307 this row has no name (use letters, digits and `_`, and no reserved word; a column `label` can "
        "contain any text)");
  const auto printed = of("Name;Worth;Notes\r\nwater pistol;1,0;x\r\nÄpfel;2;\r\n;;\r\n\"Big\nBob\";;\r\n",
                          "value both(): int = waterPistol.worth + Äpfel.worth\n");
  CHECK(printed->messages() == "");
  REQUIRE(printed->model);
  CHECK(has(model::print(*printed->model), "water pistol"));
  CHECK(has(model::print(*printed->model), "BigBob"));
  CHECK(has(of("name\nwater pistol\nwaterPistol\n")->messages(), "duplicate constant `waterPistol` in `Odd`"));
}

}   // namespace cardwright::sema_tests
