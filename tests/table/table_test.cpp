// The table core, without a socket: whole games of all rulesets through its messages, and each thing that people can
// say.
#include <catch2/catch.hpp>

#include "cardwright/showing.hpp"
#include "cardwright/tools.hpp"
#include "tests/table/people.h"

using namespace cardwright::api;
using cardwright::test::all_people;
using cardwright::test::Device;
using cardwright::test::Json;
using cardwright::test::People;

namespace {

Json things_now(const State& state, int observer) {
  Json out = Json::object();
  for (const Thing& thing : things(state, observer)) out[thing.key] = Json::parse(thing.value);
  return out;
}

}  // namespace

TEST_CASE("table: every ruleset can be played to its end by messages alone", "[table]") {
  for (const std::string& name : bundled_games()) {
    CAPTURE(name);
    const Game game = Ruleset::load(name).compile();
    People people(game, all_people(game, 5));
    const bool ended = people.play_to_end(6'000);
    CHECK((ended || name == "kill_shot"));   // at random its hunts last too long
    for (int seat = 0; seat < game.players(); ++seat) {
      Device& device = people.device(static_cast<DeviceId>(seat + 1));
      CHECK((device.things[seat] == things_now(people.table().state(), seat)));
      if (!game.races()) CHECK(device.last("refused").is_null());
    }
    CHECK((people.device(100).things[-1] == things_now(people.table().state(), kSpectator)));
    const Table again(game, all_people(game, 5), people.journal(), 0);
    CHECK(again.state().hash() == people.table().state().hash());
    CHECK(again.state().decisions() == people.table().state().decisions());
  }
}
