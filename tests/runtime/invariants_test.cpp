// Tests invariants at every decision of random games. Reads the states by the names in the rules, independent of engine
// internals.
#include <catch2/catch.hpp>

#include <cstdio>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/pairwise_cover.h"
#include "tests/support/parallel_jobs.h"
#include "tests/support/state_reader.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

// Checks the invariants that hold for every ruleset. Returns the first violation; empty if there is none.
std::string wrong_in_general(const api::State& state) {
  const StateReader now(state);
  if (std::string bad = now.violation(); !bad.empty()) return bad;
  if (state.is_over()) return {};
  if (state.actor() < 0 || state.actor() >= now.players()) return "the state has no deciding player";
  if (!now.is_in(state.actor())) return fmt::format("{} is out and asked", api::Game::seat_name(state.actor()));
  return state.legal_count() == 0 ? "asked without an option" : "";
}

// Returns the number of cards in all zones.
std::size_t cards_in_all(const StateReader& now) {
  std::size_t sum = 0;
  for (Int i = 0; i < now.program().layout.instances; ++i) sum += now.cards_at(i).size();
  return sum;
}

// Plays one game and calls `look` for every position. Returns the first violation; empty if there is none.
template <class Look>
std::string play(const api::Game& game, std::uint64_t seed, std::uint64_t index, Look&& look) {
  api::State state = game.new_state(seed, index);
  for (int decision = 0;; ++decision) {
    std::string bad = wrong_in_general(state);
    if (bad.empty()) bad = look(state);
    if (!bad.empty()) return fmt::format("game {} seed {} decision {}: {}", index, seed, decision, bad);
    if (state.is_over()) return {};
    if (decision > 100'000) return fmt::format("game {} seed {} does not end", index, seed);
    state.apply(state.random_index());
  }
}

// Checks the invariants of Splash. Returns the first violation; empty if there is none.
class Splash {
 public:
  std::string operator()(const api::State& state) {
    const StateReader now(state);
    if (state.failure()) return "ended with an error: " + state.failure()->text();
    std::size_t cards = now.cards("draw").size() + now.cards("discard").size() + now.cards("favors").size();
    for (int seat = 0; seat < now.players(); ++seat) {
      cards += now.cards("hand", seat).size() + now.cards("table", seat).size();
      if (std::string bad = wrong_seat(state, now, seat); !bad.empty()) return api::Game::seat_name(seat) + ": " + bad;
    }
    if (cards != 80) return fmt::format("{} cards", cards);
    return wrong_hand(state, now);
  }

 private:
  static bool is_gun(const std::string& kind) { return kind == "OZ6400" || kind.starts_with("Gun"); }

  static std::string wrong_seat(const api::State& state, const StateReader& now, int seat) {
    const Int towels = now.value("towels", seat), most = now.value("most", seat);
    if (towels != kUnset && most != kUnset && towels != kNone && most != kNone) {
      if (towels > most || most > 6) return fmt::format("{} towels, at most {}", towels, most);
      // Between rules, every player in the game has at least one towel.
      if (!state.is_over() && state.question().flow && now.is_in(seat) && towels < 1)
        return fmt::format("in with {} towels", towels);
      if (!now.is_in(seat) && towels != 0) return fmt::format("out with {} towels", towels);
    }
    if (!now.is_in(seat) && (!now.cards("hand", seat).empty() || !now.cards("table", seat).empty()) &&
        !state.is_over() && state.question().flow)
      return "out with cards";
    int guns = 0;
    std::vector<std::string> names;
    for (const Int card : now.cards("table", seat)) {
      names.push_back(now.kind(card));
      guns += is_gun(names.back());
    }
    if (guns > 1) return fmt::format("{} guns", guns);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    return twice == names.end() ? std::string() : "two of " + *twice + " in play";
  }

  // Checks the hand limit when another player's turn begins: a player who had a main phase has also had a discard
  // phase.
  std::string wrong_hand(const api::State& state, const StateReader& now) {
    if (state.is_over()) return {};
    const int active = static_cast<int>(now.value("active"));
    int in = 0;
    for (int seat = 0; seat < now.players(); ++seat) in += now.is_in(seat);
    std::string bad;
    if (active != turn_of_ && played_main_ && in == in_ && now.is_in(turn_of_)) {
      const auto hand = static_cast<Int>(now.cards("hand", turn_of_).size());
      if (hand > now.value("towels", turn_of_))
        bad = fmt::format("{} kept {} cards with {} towels", api::Game::seat_name(turn_of_), hand,
                          now.value("towels", turn_of_));
      ++looked_;
    }
    if (active != turn_of_) played_main_ = false;
    turn_of_ = active;
    in_ = in;
    played_main_ |= state.question().window == "main" && state.actor() == active;
    return bad;
  }

  int turn_of_ = -1, in_ = 0;
  bool played_main_ = false;

 public:
  int looked_ = 0;
};

Int printed(const StateReader& now, Int card, const std::string& attribute) {
  const Program& program = now.program();
  for (std::size_t a = 0; a < program.attributes.size(); ++a)
    if (program.attributes[a].name == attribute) return program.cards[static_cast<std::size_t>(card)].attributes[a];
  throw std::runtime_error("no attribute " + attribute);
}

std::string wrong_in_quickshot(const StateReader& now, const api::Game&) {
  for (int seat = 0; seat < now.players(); ++seat) {
    const Int aim = now.value("aim", seat), died = now.value("died", seat);
    if (aim == seat) return "a player aims at themselves";
    if (died != 0 && !now.cards("row", seat).empty()) return "dead with lives";
    if (now.cards("row", seat).size() > 30) return "too many lives";
  }
  return {};
}

// Checks that no hand exceeds the largest hand limit, that piles show their value, and that no Terrorist card is lost.
std::string wrong_in_kill_shot(const StateReader& now, const api::Game&) {
  std::size_t terrorists = 0;
  for (const char* zone : {"terrorists", "escaped", "target"})
    for (Int i = 0; i < now.program().layout.instances; ++i)
      if (now.zone_name(i) == zone) terrorists += now.cards_at(i).size();
  for (int seat = 0; seat < now.players(); ++seat) {
    terrorists += now.cards("claimed", seat).size();
    std::size_t hand = 0;
    for (Int i = 0; i < now.program().layout.instances; ++i)
      if (now.zone_name(i) == api::Game::seat_name(seat) + ".hand") hand += now.cards_at(i).size();
    if (hand > 12) return fmt::format("{} cards in a hand", hand);
  }
  return terrorists == 10 ? std::string() : fmt::format("{} Terrorists", terrorists);
}

// Recomputes from the cards the values that the rules store: which players the stacks show, and whether the stacks
// match.
std::string wrong_in_panic_fire(const StateReader& now, const api::Game& game) {
  if (now.value("holder") >= 0 && now.value("fighting", static_cast<int>(now.value("holder"))) == 0)
    return "who is out holds the gun";
  if (game.data()->program().race && now.value("open race") == 0) return {};   // between rounds
  static const Int need[] = {1, 2, 2, 3, 3, 3, 4, 4};
  for (int seat = 0; seat < now.players(); ++seat) {
    if (now.cards("guard", seat).size() > 1) return "two Shields in play";
    bool match = false;
    for (Int who = 0; who < 8; ++who) {
      Int shown = 0;
      for (int stack = 4 * seat; stack < 4 * seat + 4; ++stack) {
        const Int instance = now.instance("cards") + stack;
        const auto top = api::detail::fixed_top(now.program(), now.bytes(), instance);
        if (!top.empty() && now.kind(top.front()) == "Face" && printed(now, top.front(), "who") == who) ++shown;
      }
      const Int recorded = now.value("shown", seat * 8 + static_cast<int>(who));
      if (recorded != shown)
        return fmt::format("{} of {} are shown by {}, and {} kept", shown, who, api::Game::seat_name(seat), recorded);
      match |= shown >= need[who];
    }
    if (match != (now.value("has_match", seat) == 1)) return fmt::format("a match of {}", api::Game::seat_name(seat));
  }
  return {};
}

// The printed size of a thing on a map of Splatter SHOOT.
struct Size {
  Int wide, deep, height;
};
std::vector<Size> sizes_of_things(bool hill) {
  std::vector<Size> out;
  std::istringstream lines(text_of(checkout("rulesets/splatter_shoot/things.csv")));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    Size size{};
    const std::string_view behind = std::string_view(line).substr(line.find(','));
    if (std::sscanf(behind.data(), hill ? ",yes,%ld,%ld,%ld" : ",no,%ld,%ld,%ld", &size.wide, &size.deep,
                    &size.height) == 3)
      out.push_back(size);
  }
  return out;
}

class Shoot {
 public:
  Shoot(std::vector<Size> things, std::size_t cards) : things_(std::move(things)), cards_(cards) {}

  std::string operator()(const api::State& state) {
    const StateReader now(state);
    if (state.failure()) return "ended with an error: " + state.failure()->text();
    if (cards_in_all(now) != cards_) return fmt::format("{} cards", cards_in_all(now));
    const bool quiet = state.is_over() || state.question().flow;   // no rule is being executed
    for (const auto& wrong : {wrong_heroes(now, quiet), wrong_flags(now), wrong_things(now), wrong_walk(now)})
      if (!wrong.empty()) return wrong;
    return {};
  }
  int steps() const { return steps_; }

 private:
  static bool has(const StateReader& now, const char* name) {
    const auto& all = now.program().variable_infos;
    return std::any_of(all.begin(), all.end(), [&](const auto& info) { return info.name == name; });
  }
  static bool holds(const StateReader& now, int seat, const std::string& gadget) {
    for (const char* zone : {"hand", "shown"})
      for (const Int card : now.cards(zone, seat))
        if (now.kind(card) == gadget) return true;
    return false;
  }
  // Checks that there is at most one hero per cell, that a standing hero has fewer than ten points of damage, and that
  // a fallen hero has none.
  static std::string wrong_heroes(const StateReader& now, bool quiet) {
    std::set<Int> cells;
    for (int seat = 0; seat < now.players(); ++seat) {
      const bool down = now.value("down", seat) == 1;
      Int damage = 0;
      for (const Int card : now.cards("wounds", seat)) damage += printed(now, card, "damage");
      if (down && damage > 0) return "a dead hero has wounds";
      if (!down && damage >= 10 && !holds(now, seat, "BulletproofVest"))
        return fmt::format("alive with {} points of damage", damage);
      if (!down && now.is_in(seat) && !cells.insert(now.value("hero.at", seat)).second) return "two heroes in one cell";
      const std::size_t arms = now.cards("arms", seat).size();
      if (quiet && (arms > 2 || (arms == 2 && !down && !holds(now, seat, "Backpack"))))
        return fmt::format("{} Weapons", arms);
    }
    return {};
  }
  // Checks that a Flag is in its carrier's cell, and that no dead hero carries one.
  static std::string wrong_flags(const StateReader& now) {
    if (!has(now, "flag.carrier")) return {};
    const auto flags = now.program().variables[static_cast<std::size_t>(now.variable_index("flag.carrier"))].count;
    for (int flag = 0; flag < flags; ++flag) {
      const Int carrier = now.value("flag.carrier", flag);
      if (carrier < 0) continue;
      if (now.value("down", static_cast<int>(carrier)) == 1) return "a dead hero carries a Flag";
      if (now.value("flag.at", flag) != now.value("hero.at", static_cast<int>(carrier)))
        return "a Flag is not where its carrier is";
    }
    return {};
  }
  // Checks that things are on the table or on other things and never overlap, and that a hero is on the topmost thing,
  // so that no hero is inside one.
  std::string wrong_things(const StateReader& now) const {
    for (std::size_t i = 0; i < things_.size(); ++i) {
      const Int at = now.value("thing.at", static_cast<int>(i)), low = now.value("thing.bottom", static_cast<int>(i));
      if (at < 0) continue;
      bool rests = low == 0;
      for (std::size_t k = 0; k < things_.size(); ++k) {
        if (k == i || now.value("thing.at", static_cast<int>(k)) < 0 || !overlap(now, i, k)) continue;
        const Int other = now.value("thing.bottom", static_cast<int>(k)), high = low + 100 * things_[i].height;
        if (low < other + 100 * things_[k].height && other < high)
          return fmt::format("things {} and {} are in each other", i, k);
        rests |= low == other + 100 * things_[k].height;
      }
      if (!rests) return fmt::format("thing {} hangs in the air", i);
    }
    return {};
  }
  bool overlap(const StateReader& now, std::size_t i, std::size_t k) const {
    const Int width = now.program().boards.empty() ? 0 : now.program().boards[0].width;
    const auto corner = [&](std::size_t t) { return now.value("thing.at", static_cast<int>(t)); };
    const Int ax = corner(i) % width, ay = corner(i) / width, bx = corner(k) % width, by = corner(k) / width;
    return ax < bx + things_[k].wide && bx < ax + things_[i].wide && ay < by + things_[k].deep &&
           by < ay + things_[i].deep;
  }
  // Checks that a walk never exceeds the allowance of the action card, which is the larger one of those before and
  // after the last decision.
  std::string wrong_walk(const StateReader& now) {
    const int active = static_cast<int>(now.value("active"));
    if (active < 0 || active >= now.players()) return {};
    const Int spent = now.value("spent"), allowed = allowance(now, active);
    const bool same = active == active_ && now.value("turn_number") == turn_;
    const Int most = std::max(allowed, same ? allowed_ : 0);
    std::string bad;
    if (same && spent > spent_) {
      ++steps_;
      // The distance is rounded up to half a card length when another action follows.
      const bool rounded = spent == (spent_ + 999) / 1000 * 1000;
      if (spent > most && !rounded) bad = fmt::format("{} spent of {}", spent, most);
      if (now.value("moving") != 1) bad = "walked without an action card";
    }
    active_ = active, turn_ = now.value("turn_number"), spent_ = spent, allowed_ = allowed;
    return bad;
  }
  static Int allowance(const StateReader& now, int seat) {
    Int sum = now.value("extra") + (holds(now, seat, "RocketBoots") ? 2000 : 0);
    for (const Int card : now.cards("action", seat)) sum += 2000 * printed(now, card, "move");
    if (now.value("numb", seat) == 0)
      for (const Int card : now.cards("wounds", seat)) sum -= 2000 * printed(now, card, "minus");
    return std::max<Int>(1000, sum);
  }

  std::vector<Size> things_;
  std::size_t cards_;
  int active_ = -1, steps_ = 0;
  Int turn_ = -1, spent_ = 0, allowed_ = 0;
};

}   // namespace

TEST_CASE("invariants: simultaneous and real-time games at every step", "[invariants][races]") {
  struct Bundled {
    const char* name;
    int games;
    std::string (*wrong)(const StateReader&, const api::Game&);
  };
  const auto option = [](const api::Game& game, const std::string& name) {
    for (const auto& [option, value] : game.options())
      if (option == name) return value;
    return std::string();
  };
  for (const auto& [name, games, wrong] :
       {Bundled{"quickshot", 20, wrong_in_quickshot}, Bundled{"kill_shot", 1, wrong_in_kill_shot},
        Bundled{"panic_fire", 1, wrong_in_panic_fire}}) {
    const api::Ruleset rules = api::Ruleset::load(name);
    const auto tables = pairwise_cover(rules);
    const std::string_view which = name;
    const auto each = static_cast<std::uint64_t>(games);
    const auto look_closer = wrong;
    CHECK(run_jobs(tables.size(), [&](int, std::size_t t) -> std::string {
            const api::Game game = rules.compile(tables[t]);
            const std::size_t cards = which == "quickshot" ? (option(game, "edition") == "wild" ? 90 : 72)
                                      : which == "kill_shot"
                                          ? 110
                                          : 100 + static_cast<std::size_t>(std::stoi(option(game, "shields")));
            for (std::uint64_t i = 0; i < each; ++i)
              if (std::string bad = play(game, 61 + t, i,
                                         [&](const api::State& state) -> std::string {
                                           const StateReader now(state);
                                           if (state.failure())
                                             return "ended with an error: " + state.failure()->text();
                                           if (cards_in_all(now) != cards)
                                             return fmt::format("{} cards", cards_in_all(now));
                                           return look_closer(now, game);
                                         });
                  !bad.empty())
                return std::string(which) + " with " + in_words(tables[t]) + ": " + bad;
            return {};
          }) == "");
  }
}

TEST_CASE("invariants: Splatter SHOOT in every mode at every step", "[invariants][shoot]") {
  struct Table {
    int players;
    std::vector<std::pair<std::string, std::string>> options;
    bool hill;
    std::size_t cards;
  };
  const std::vector<Table> tables = {
      {4, {}, false, 130},
      {3, {{"cards", "beginner"}, {"longer_game", "on"}}, false, 95},
      {2, {{"map", "bar"}, {"scale", "short_edge"}}, false, 130},
      {4, {{"mode", "team_capture"}, {"parties", "two_two"}, {"map", "bar"}}, false, 130},
      {3, {{"mode", "team_capture"}, {"parties", "two_one"}, {"teleport", "removed"}}, false, 129},
      {4, {{"mode", "two_flags"}, {"parties", "two_two"}, {"longer_game", "on"}}, false, 130},
      {2, {{"mode", "two_flags"}, {"parties", "one_one"}, {"scale", "short_edge"}}, false, 130},
      {4, {{"mode", "hill_up"}}, true, 129},
      {3, {{"mode", "hill_down"}, {"map", "bar"}, {"scale", "short_edge"}}, true, 129},
      {4, {{"mode", "hill_return"}, {"map", "bar"}, {"cards", "beginner"}}, true, 94},
      {2, {{"mode", "hill_return"}, {"teleport", "kept"}, {"scale", "short_edge"}}, true, 130},
      {4, {{"mode", "last_man"}, {"parties", "four"}}, false, 130},
      {4, {{"mode", "last_man"}, {"parties", "three"}, {"sniper_full", "on"}}, false, 130},
      {4, {{"mode", "instant_death"}, {"map", "bar"}, {"scale", "short_edge"}}, false, 130},
      {3, {{"mode", "instant_death"}, {"parties", "three"}, {"cards", "beginner"}}, false, 95},
      {4, {{"mode", "frag_hunt"}, {"anyone_reshuffles", "on"}}, false, 130},
      {4, {{"mode", "frag_hunt"}, {"parties", "two_two"}, {"map", "bar"}}, false, 130},
  };
  const api::Ruleset rules = api::Ruleset::load("splatter_shoot");
  std::atomic<int> steps{0};
  CHECK(run_jobs(tables.size(), [&](int, std::size_t t) -> std::string {
          api::Configuration table{tables[t].players, tables[t].options};
          const api::Game game = rules.compile(table);
          for (std::uint64_t i = 0; i < 2; ++i) {
            Shoot shoot(sizes_of_things(tables[t].hill), tables[t].cards);
            if (std::string bad = play(game, 71 + t, i, std::ref(shoot)); !bad.empty())
              return in_words(table) + ": " + bad;
            steps += shoot.steps();
          }
          return {};
        }) == "");
  CHECK(steps > 1000);
}

TEST_CASE("invariants: Splash at every step", "[invariants][splash]") {
  const api::Ruleset rules = api::Ruleset::load("splash");
  const auto tables = pairwise_cover(rules);
  std::atomic<int> hands{0};
  CHECK(run_jobs(tables.size(), [&](int, std::size_t t) -> std::string {
          const api::Game game = rules.compile(tables[t]);
          for (std::uint64_t i = 0; i < 40; ++i) {
            Splash splash;
            if (std::string bad = play(game, 31 + t, i, splash); !bad.empty()) return in_words(tables[t]) + ": " + bad;
            hands += splash.looked_;
          }
          return {};
        }) == "");
  CHECK(hands > 1000);
}

TEST_CASE("invariants: small rulesets at every step", "[invariants]") {
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) {
    if (path.find("trap_long") != std::string::npos) continue;   // slow on purpose
    const api::Ruleset rules = api::Ruleset::load(path);
    for (const auto& table : full_product(rules)) {
      const api::Game game = rules.compile(table);
      for (std::uint64_t i = 0; i < 20; ++i) {
        INFO(path << " " << in_words(table));
        CHECK(play(game, 8, i, [](const api::State&) { return std::string(); }) == "");
      }
    }
  }
}

TEST_CASE("invariants: every view is JSON, and an eliminated player sees the public view", "[invariants][splash]") {
  const api::Game game = api::Ruleset::load("splash").compile();
  for (std::uint64_t i = 0; i < 10; ++i)
    CHECK(play(game, 5, i, [](const api::State& state) -> std::string {
            for (int player = -1; player < StateReader(state).players(); ++player)
              if (!nlohmann::json::accept(state.view(player))) return "no JSON: " + state.view(player);
            return {};
          }) == "");
}

TEST_CASE("invariants: saved, copied and reseeded states continue correctly", "[invariants][splash]") {
  const api::Game game = api::Ruleset::load("splash").compile();
  for (std::uint64_t i = 0; i < 20; ++i) {
    api::State state = game.new_state(12, i);
    for (int decision = 0; decision < 30 && !state.is_over(); ++decision) state.apply(state.random_index());
    if (state.is_over()) continue;
    api::State back = game.restore(state.save());
    api::State fresh = state;
    fresh.reseed(99);
    CHECK(fresh.hash() == state.hash());
    for (; !state.is_over() && !back.is_over(); state.apply(state.random_index()), back.apply(back.random_index()))
      CHECK(back.whole_hash() == state.whole_hash());
    CHECK(back.is_over() == state.is_over());
    CHECK(back.hash() == state.hash());
  }
}
