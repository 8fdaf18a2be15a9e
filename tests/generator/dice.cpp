// Generates declarations of dice of the table and of players, code that uses them, and `arrange` statements.
#include "tests/generator/writer.h"

namespace cardwright::test {

// Declares the dice of the table and of players. The visibility of players' dice is random.
void Writer::dice_of_table() {
  if (families_.dice)
    line(
        say("die cube x {} {{ faces {}{} }}", {chance_.between(2, 4), chance_.word({"1..6", "1..4", "[1, 2, 3, 4, 4]"}),
                                               chance_.one_in(2) ? "; held: bool = false" : ""}));
}
void Writer::dice_of_players() {
  if (!families_.dice) return;
  line(say("die cup x {} {{ faces {}{} }}",
           {chance_.between(1, 3), chance_.word({"1..4", "[1, 1, 2, 5]", "[3, 3, 3, 0]"}),
            secrets_ ? chance_.word({"", ", secret", ", hidden"}) : ""}));
  if (chance_.one_in(2)) line("die luck { faces Col }"), has_luck_ = true;
}

std::string Writer::some_dice(int depth) {
  switch (chance_.below(5)) {
    case 0: return "cubes";
    case 1: return say("(cubes where face > {})", {chance_.between(0, 3)});
    case 2: return "cups";
    default: return player(depth) + ".cups";
  }
}
std::string Writer::number_of_dice(int depth) {
  const std::string d = fresh("d");
  switch (chance_.below(4)) {
    case 0: return say("(sum of {0}.face for {0} in {1})", {d, some_dice(depth)});
    case 1: return say("size({} where face == {})", {some_dice(depth), small_integer()});
    case 2: return "cube[1].face";
    default: return say("((most of {0}.face for {0} in {1}) or else 0)", {d, some_dice(depth)});
  }
}
std::string Writer::truth_of_dice(int depth) {
  const std::string d = fresh("d");
  if (has_luck_ && chance_.one_in(4)) return say("{}.luck.face == {}", {player(depth), constant(0)});
  return say("{0} {1} in {2} has {1}.face {3} {4}", {chance_.word({"any", "every", "no"}), d, some_dice(depth),
                                                     chance_.word({"==", ">", "<"}), small_integer()});
}

// Rolls, turns, shows or chooses dice; where decisions and random draws are forbidden, only turns them.
void Writer::with_dice() {
  const bool still = at_.manner == Manner::still;
  const std::string d = fresh("d");
  switch (chance_.below(still ? 2 : at_.manner == Manner::loud ? 9 : 5)) {
    case 0: return line(say("turn {} to {}", {chance_.one_in(2) ? "cubes" : "cube[2]", chance_.between(1, 4)}));
    case 1: return line(say("each {0} in cubes where {0}.face < 4 {{ turn {0} to {0}.face + 1 }}", {d}));
    case 2:
    case 3: return line("roll " + some_dice(1));
    case 4: {
      const std::string p = player(1);
      return line(chance_.one_in(2) ? say("each {0} in {1}.cups {{ reveal {0}.face }}", {d, p})
                                    : say("roll {}.cup[1]", {p}));
    }
    case 5:
      return line(say("{} chooses {}: {} cubes from {}", {player(1), d, chance_.word({"2", "up to 2", "any"}),
                                                          chance_.one_in(2) ? "cubes" : "(cubes where face < 4)"}));
    case 6: {
      const std::string p = player(1);
      line(say("{} chooses {} from {}.cups", {p, d, p}));
      return line(say("if {0} is some then roll {0}", {d}));
    }
    default:
      return line(say("arrange {} by {}",
                      {chance_.one_in(4) ? zone(1, [](const Zone& z) { return z.shape == Shape::row; })
                                         : say("{} {} of {}", {chance_.word({"top", "top", "bottom"}),
                                                               chance_.between(1, 4), ordered_zone(1, true)}),
                       player(1)}));
  }
}

}   // namespace cardwright::test
