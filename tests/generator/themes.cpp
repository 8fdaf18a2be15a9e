// Generates themes: rulesets that use few language features, but often. Features that are rare in other rulesets occur
// together in some of these, for example a watched condition on a pile that is refilled.
#include "tests/generator/writer.h"

namespace cardwright::test {

// Uses a separate random stream, so that rulesets without a theme don't change.
void Writer::choose_theme(Chance chance) {
  if (chance.one_in(3)) return;
  theme_ = chance.next() | 1;
  small_ = chance.one_in(2);
  choose_subject(chance);
}

// Chooses one of `ways` alternatives: uniformly, or according to the theme, which excludes half of them.
int Writer::among(Site site, int ways) {
  if (theme_ == 0) return chance_.below(ways);
  std::vector<int>& weights = weights_[static_cast<std::size_t>(site)];
  if (weights.empty()) {
    Chance chance(theme_ + static_cast<std::uint64_t>(site));
    for (int i = 0; i < kMostWays; ++i) weights.push_back(chance.pick(std::vector<int>{0, 0, 0, 1, 1, 6}));
  }
  int all = 0;
  for (int i = 0; i < ways; ++i) all += weights[static_cast<std::size_t>(i)];
  if (all == 0) return chance_.below(ways);
  int left = chance_.below(all);
  for (int i = 0;; ++i)
    if ((left -= weights[static_cast<std::size_t>(i)]) < 0) return i;
}

// Returns a condition that often becomes true or false, because rules change the zones and variables that it reads.
std::string Writer::turning_point() {
  if (const std::string own = turning_point_of_subject(); !own.empty()) return own;
  switch (chance_.below(9)) {
    case 0: return say("({} is {}empty)", {zone(0), chance_.word({"", "", "not "})});
    case 1:
    case 2: return say("(size({}) {} {})", {zone(0), chance_.word({"<", ">", "=="}), chance_.between(0, 6)});
    case 3: return say("(draw is {}empty)", {chance_.word({"", "not "})});
    case 4: return say("(size(draw) {} {})", {chance_.word({"<", ">", "=="}), chance_.between(0, 9)});
    case 5:
      return say("({} mod {} == {})",
                 {chance_.word({"turn_number", "stage"}), chance_.between(2, 3), chance_.below(2)});
    case 6: return say("(size(players) < {})", {chance_.between(2, 4)});
    case 7:
      if (const Callable* value = callable_giving(any_number()))
        return say("({} {} {})", {call(*value, 1), chance_.word({"<", ">", "=="}), chance_.between(0, 9)});
      [[fallthrough]];
    default: return say("({} {} {})", {small_integer(), chance_.word({"<", ">", "=="}), chance_.between(0, 5)});
  }
}

// Returns a random number of elements between `least` and `most`, or in the lower third in a small ruleset.
int Writer::many(int least, int most) { return chance_.between(least, small_ ? least + (most - least) / 3 : most); }

}   // namespace cardwright::test
