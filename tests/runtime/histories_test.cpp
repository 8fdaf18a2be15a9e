// Checks players' knowledge against an independent implementation. Plays every history of the small game
// six.rules for some deals, and computes for each player the set of all worlds that agree with the player's
// observations: dealt, drawn, peeked at, shown, taken. The test checks that
// - the true world is in the set;
// - each sampled world is in the set, and each world of the set is sampled;
// - cards known in the view are at the same place in all these worlds, and cards the player has seen are known;
// - indistinguishable histories give the same view, the same log and the same options.
#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <set>

#include "cardwright/cardwright.hpp"
#include "runtime/program/words.h"
#include "tests/support/files.h"
#include "tests/support/state_reader.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

constexpr int kCards = 6, kPlayers = 3;
enum Place : std::int8_t { hand_a, hand_b, hand_c, stock, shown, under };   // a hand has its player's seat number

struct World {
  std::array<std::int8_t, kCards> place{};
  std::int8_t top = -1;   // the top card of the stock if a player has seen it, otherwise -1
  friend auto operator<=>(const World&, const World&) = default;
  std::vector<int> in(int where) const {
    std::vector<int> out;
    for (int card = 0; card < kCards; ++card)
      if (place[static_cast<std::size_t>(card)] == where) out.push_back(card);
    return out;
  }
};
using Worlds = std::set<World>;
using Places = std::array<std::int8_t, kCards>;

// One step, with complete information.
struct Act {
  std::string name;
  int who = 0, target = -1, card = -1;   // card: taken, peeked at, shown, buried or stolen
};

// Returns true if the observer sees which card the step affects.
bool sees_card(const Act& act, int observer) {
  if (act.name == "show") return true;
  if (act.name == "steal") return observer == act.who || observer == act.target;
  return observer == act.who;
}

// Returns all possible results of a step in a world, each with the affected card.
std::vector<std::pair<World, int>> outcomes(const World& world, const Act& act) {
  std::vector<std::pair<World, int>> out;
  const auto moved = [&](int card, int to) {
    World next = world;
    next.place[static_cast<std::size_t>(card)] = static_cast<std::int8_t>(to);
    out.emplace_back(next, card);
  };
  const auto tops = world.top >= 0 ? std::vector<int>{world.top} : world.in(stock);
  if (act.name == "spy") {
    for (const int card : tops) {
      out.emplace_back(world, card);
      out.back().first.top = static_cast<std::int8_t>(card);
    }
  } else if (act.name == "take") {
    for (const int card : tops) {
      moved(card, act.who);
      out.back().first.top = -1;
    }
  } else if (act.name == "show") {
    for (const int card : world.in(act.who)) moved(card, shown);
  } else if (act.name == "bury") {
    for (const int card : world.in(act.who)) moved(card, under);
  } else if (act.name == "steal") {
    for (const int card : world.in(act.target)) moved(card, act.who);
  } else if (act.name == "mix") {
    World next = world;
    for (const int card : world.in(stock)) next.place[static_cast<std::size_t>(card)] = under;
    next.top = -1;
    out.emplace_back(next, -1);
  } else {
    out.emplace_back(world, -1);
  }
  return out;
}

Worlds after(const Worlds& worlds, const Act& act, int observer) {
  Worlds out;
  for (const World& world : worlds)
    for (const auto& [next, card] : outcomes(world, act))
      if (!sees_card(act, observer) || card == act.card) out.insert(next);
  return out;
}

class Six {
 public:
  Six() : game_(api::Ruleset::load(checkout("tests/rulesets/small/six.rules")).compile()) {
    const auto& attributes = game_.data()->program().attributes;
    while (n_ < attributes.size() && attributes[n_].name != "n") ++n_;
    REQUIRE(n_ < attributes.size());
  }

  void all_histories(std::uint64_t seed) {
    api::Log log(game_);
    const api::State state = game_.new_state(seed, 0, &log);
    std::array<Worlds, kPlayers> worlds;
    std::array<std::string, kPlayers> seen;
    const World truth = true_world(state);
    for (int p = 0; p < kPlayers; ++p) {
      const int mine = truth.in(p).at(0);
      seen[static_cast<std::size_t>(p)] = fmt::format("dealt {}; ", mine);
      for (int left = 0; left < kCards; ++left)
        for (int right = 0; right < kCards; ++right) {
          if (left == right || left == mine || right == mine) continue;
          World world;
          world.place.fill(stock);
          world.place[static_cast<std::size_t>(mine)] = static_cast<std::int8_t>(p);
          world.place[static_cast<std::size_t>(left)] = static_cast<std::int8_t>((p + 1) % kPlayers);
          world.place[static_cast<std::size_t>(right)] = static_cast<std::int8_t>((p + 2) % kPlayers);
          worlds[static_cast<std::size_t>(p)].insert(world);
        }
    }
    follow(state, log, worlds, seen);
  }

  int histories = 0, positions = 0;
  std::map<std::string, int> wrong;   // errors and their frequency
  std::string first_wrong;

  // The tested functions. A test may replace one to plant an error. The view may depend only on the observer's
  // knowledge.
  std::function<std::string(const api::State&, int)> view = [](const api::State& state, int player) {
    return state.view(player);
  };
  std::function<std::vector<std::string>(const api::Log&, const api::State&, int)> lines =
      [](const api::Log& log, const api::State&, int player) { return log.lines(player); };
  std::function<api::State(const api::State&, int, std::uint64_t)> resample =
      [](const api::State& state, int player, std::uint64_t seed) { return state.resample(player, seed); };
  std::function<bool(const StateReader&, int, int)> knows = [](const StateReader& now, int player, int id) {
    return now.knows(player, id);
  };
  bool draws_worlds = true;

 private:
  int number(Int id) const {
    return static_cast<int>(game_.data()->program().cards[static_cast<std::size_t>(id)].attributes[n_]) - 1;
  }
  int id_of(int card) const {
    const auto& cards = game_.data()->program().cards;
    for (std::size_t id = 0; id < cards.size(); ++id)
      if (cards[id].kind >= 0 && number(static_cast<Int>(id)) == card) return static_cast<int>(id);
    return -1;
  }

  World true_world(const api::State& state) const {
    const StateReader now(state);
    World world;
    const auto put = [&](const std::vector<Int>& cards, int where) {
      for (const Int id : cards) world.place[static_cast<std::size_t>(number(id))] = static_cast<std::int8_t>(where);
    };
    for (int seat = 0; seat < kPlayers; ++seat) put(now.cards("hand", seat), seat);
    put(now.cards("stock"), stock);
    put(now.cards("shown"), shown);
    put(now.cards("under"), under);
    return world;
  }

  Act act_of(const api::State& state, const api::State& next, std::size_t choice) const {
    Act act{option_parts(game_.data()->program(), state.legal()[choice]).action->name, state.actor(), -1, -1};
    if (const auto space = act.name.rfind(' '); space != std::string::npos) act.name = act.name.substr(space + 1);
    const Places before = true_world(state).place, now = true_world(next).place;
    for (std::size_t card = 0; card < kCards; ++card)
      if (before[card] != now[card] && act.name != "mix") {
        act.card = static_cast<int>(card);
        if (act.name == "steal") act.target = before[card];
      }
    if (act.name == "spy") {
      const auto top =
          api::detail::fixed_top(game_.data()->program(), next.bytes().data(), StateReader(next).instance("stock"));
      act.card = top.empty() ? -1 : number(top.front());
    }
    return act;
  }

  void note(const std::string& what, const std::string& seen, const std::string& more = "") {
    if (wrong.empty()) first_wrong = what + "\nafter " + seen + "\n" + more;
    ++wrong[what];
  }

  void look(const api::State& state, const api::Log& log, int observer, const Worlds& worlds, const std::string& seen) {
    ++positions;
    std::set<Places> places;
    for (const World& world : worlds) places.insert(world.place);
    const World truth = true_world(state);
    if (!places.count(truth.place)) return note("the true world is none of those that agree with what was seen", seen);

    const StateReader now(state);
    for (int card = 0; card < kCards; ++card) {
      const auto c = static_cast<std::size_t>(card);
      const bool certain =
          std::all_of(places.begin(), places.end(), [&](const Places& p) { return p[c] == truth.place[c]; });
      const bool known = knows(now, observer, id_of(card));
      if (known && !certain) note("the view knows a card that may lie elsewhere", seen, fmt::format("card {}", card));
      const bool before_the_eyes = truth.place[c] == observer || truth.place[c] == shown;
      if (before_the_eyes && !known)
        note("the view does not know a card that lies before the player", seen, fmt::format("card {}", card));
    }

    const auto offered = [&] {
      std::vector<std::int64_t> ids;
      if (!state.is_over() && state.actor() == observer) ids.assign(state.legal().begin(), state.legal().end());
      return fmt::format("{}", fmt::join(ids, " "));
    }();
    const std::string information =
        fmt::format("{}\n{}\noptions {}", view(state, observer), fmt::join(lines(log, state, observer), "\n"), offered);
    const auto [at, is_new] = information_.try_emplace(fmt::format("{}: {}", observer, seen), information);
    if (!is_new && at->second != information)
      note("histories with equal information are distinguished", seen, at->second + "\n---\n" + information);
    if (is_new && draws_worlds) draw_worlds(state, observer, places, seen);
  }

  void draw_worlds(const api::State& state, int observer, const std::set<Places>& places, const std::string& seen) {
    std::set<Places> drawn;
    for (std::uint64_t seed = 0; seed < 4000 && drawn.size() < places.size(); ++seed) {
      const api::State other = resample(state, observer, seed * 977 + 5);
      const Places world = true_world(other).place;
      drawn.insert(world);
      if (!places.count(world))
        return note("a resampled world does not agree with what was seen", seen,
                    fmt::format("observer {}: {}", observer, fmt::join(world, " ")));
      if (seed < 3 && view(other, observer) != view(state, observer))
        return note("a resampled world looks different", seen);
    }
    if (drawn.size() < places.size())
      note("a world that agrees with what was seen never comes up", seen,
           fmt::format("observer {}: {} of {}", observer, drawn.size(), places.size()));
  }

  void follow(const api::State& state, api::Log& log, const std::array<Worlds, kPlayers>& worlds,
              const std::array<std::string, kPlayers>& seen) {
    for (int p = 0; p < kPlayers; ++p)
      look(state, log, p, worlds[static_cast<std::size_t>(p)], seen[static_cast<std::size_t>(p)]);
    if (state.is_over()) {
      ++histories;
      return;
    }
    const std::size_t entries = log.size();
    for (std::size_t choice = 0; choice < state.legal_count(); ++choice) {
      api::State next = state;
      next.apply(choice, &log);
      const Act act = act_of(state, next, choice);
      auto more_worlds = worlds;
      auto more_seen = seen;
      for (int p = 0; p < kPlayers; ++p) {
        const auto i = static_cast<std::size_t>(p);
        more_worlds[i] = after(worlds[i], act, p);
        more_seen[i] += fmt::format("{} {}", act.who, act.name);
        if (act.target >= 0) more_seen[i] += fmt::format(" from {}", act.target);
        if (act.card >= 0 && sees_card(act, p)) more_seen[i] += fmt::format(" card {}", act.card);
        more_seen[i] += "; ";
      }
      follow(next, log, more_worlds, more_seen);
      log.cut(entries);
    }
  }

  api::Game game_;
  std::size_t n_ = 0;
  std::map<std::string, std::string> information_;   // the information for each observer and sequence of observations
};

std::string summary(const Six& six) {
  std::string out = six.first_wrong;
  for (const auto& [what, count] : six.wrong) out += fmt::format("{} x {}\n", count, what);
  return out;
}

}   // namespace

TEST_CASE("worlds: six cards, all histories, against each player's actual observations", "[knowledge][worlds]") {
  Six six;
  for (std::uint64_t seed = 0; seed < 6; ++seed) six.all_histories(seed);
  INFO(six.histories << " histories, " << six.positions << " positions");
  CHECK(six.histories > 2000);
  CHECK(summary(six) == "");
}

TEST_CASE("worlds: planted leaks are found", "[knowledge][worlds][leaks]") {
  struct Leak {
    const char* name;
    std::function<void(Six&)> plant;
  };
  const std::vector<Leak> leaks = {
      {"the log names every card that was drawn",
       [](Six& six) { six.lines = [](const api::Log& log, const api::State&, int) { return log.lines(-1); }; }},
      {"the log is longer when a player holds card 6",
       [](Six& six) {
         six.lines = [](const api::Log& log, const api::State& state, int player) {
           auto lines = log.lines(player);
           for (const Int id : StateReader(state).cards("hand", (player + 1) % kPlayers))
             lines.push_back(id == 5 ? "" : "-");
           return lines;
         };
       }},
      {"the view of one player is shown to the next",
       [](Six& six) {
         six.view = [](const api::State& state, int player) { return state.view((player + 1) % kPlayers); };
       }},
      {"a peek is seen by all",
       [](Six& six) {
         six.knows = [](const StateReader& now, int player, int id) {
           bool anybody = false;
           for (int p = 0; p < kPlayers; ++p) anybody |= now.knows(p, id) && now.zone_of(id) == now.instance("stock");
           return anybody || now.knows(player, id);
         };
       }},
  };
  for (const Leak& leak : leaks) {
    Six six;
    six.draws_worlds = false;
    leak.plant(six);
    for (std::uint64_t seed = 0; seed < 6; ++seed) six.all_histories(seed);
    INFO(leak.name);
    CHECK_FALSE(six.wrong.empty());
  }
  Six six;
  six.resample = [](const api::State& state, int, std::uint64_t) { return state; };
  six.all_histories(0);
  INFO("resample gives the true state back");
  CHECK_FALSE(six.wrong.empty());
}
