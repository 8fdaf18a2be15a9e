// Compiles rules in a temporary folder and returns the messages or the Model. Tests write the rules next to the checks.
#pragma once

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>

#include "compiler/loading/loader.h"
#include "compiler/sema/sema.h"
#include "support/temporary_folder.h"
#include "tests/support/checkout.h"
#include "tests/support/has.h"

namespace cardwright::sema_tests {

struct Outcome {
  SourceMap sources;
  Diagnostics diagnostics{sources};
  std::unique_ptr<loading::Ruleset> ruleset;
  std::unique_ptr<model::Model> model;

  // Returns the messages, one per line: "4:9 E0201 unknown zone `x` (did you mean `y`?)". Messages about files other
  // than game.rules begin with the name of the file.
  std::string messages() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) {
      if (!out.empty()) out += "\n";
      if (d.range.known()) {
        const std::string file = std::filesystem::path(sources.name(d.range.source)).filename().string();
        const LineColumn at = sources.place(d.range.source, d.range.begin);
        if (file != "game.rules") out += file + ":";
        out += fmt::format("{}:{} ", at.line, at.column);
      }
      out += fmt::format("{} {}", d.code.id(), d.message);
      if (!d.help.empty()) out += " (" + d.help + ")";
    }
    return out;
  }
};

using Files = std::map<std::string, std::string>;
using Options = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<Outcome> run(const Files& files, int players = 0, const Options& options = {},
                                    bool check = false) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) folder.write(name, text);
  auto o = std::make_unique<Outcome>();
  loading::Loader loader(test::checkout("rulesets"), test::checkout("stdlib"));
  o->ruleset = loader.load(folder.path() + "/game.rules", o->diagnostics);
  if (!o->ruleset) return o;
  if (check)
    sema::check_everything(*o->ruleset, o->diagnostics);
  else
    o->model = sema::analyze(*o->ruleset, {players, options}, o->diagnostics);
  return o;
}

// Returns a minimal game with cards, a hand and turns. `rules` begin at its line 22.
inline std::string game(const std::string& rules) {
  return "game \"T\"\nplayers 2..4, usually 3\nenum Colour { red, green, blue }\nenum Role { Cop, Thief }\n"
         "card type Thing { colour: Colour, worth: 0..9 = 1; plays to discard }\ncard Stone: Thing, colour red\ncard "
         "Leaf: Thing, colour green\n"
         "deck Cards: Thing into draw { Stone x 4 Leaf x 3 }\n"
         "player { zone hand: owner\n zone table: public, one of a kind\n gold: 0..20 = 0\n role: Role, secret }\n"
         "table { zone draw: pile, facedown, refill from discard\n zone discard: pile, faceup\n chief: player? = none "
         "}\n"
         "event take(p: player, n: int = 1) { move n cards from draw to p.hand }\n"
         "play { turns clockwise from first of players { phase main { ask active until pass } } }\n"
         "end when size(draw) == 0 { winners nobody }\n\n\n\n" +
         rules + "\n";
}

inline std::string messages(const std::string& rules, int players = 0, const Options& options = {}) {
  return run({{"game.rules", game(rules)}}, players, options)->messages();
}
inline std::string printed(const std::string& rules, int players = 0, const Options& options = {}) {
  auto o = run({{"game.rules", game(rules)}}, players, options);
  INFO(o->messages());
  REQUIRE(o->model);
  return model::print(*o->model);
}
using test::has;

}   // namespace cardwright::sema_tests
