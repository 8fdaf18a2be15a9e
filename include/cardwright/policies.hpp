// How players choose where no person does: one value, and one way to write it, for all that plays games.
//
//   uniform                 every option is as likely
//   sensible                likewise among what the rules call `sensible if`
//   NAME                    as the `policy NAME` of the rules says
//   bots:200, bots:0.2s     a bot that searches with so many iterations a decision, or for so long
//   flat:200, flat:0.2s     the simple bot that it is measured against: every option is tried in random
//                           playouts, without a tree
//
// A bot with a number of iterations chooses the same in every run: its seed is made of the run's, the game, the seat
// and the decision. One that thinks for a time depends on the machine, and is refused by what must come to the same
// everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::api {

struct PlayerPolicy {
  enum class Kind : std::uint8_t {
    uniform,
    sensible,   // in a race nobody waits who has something sensible to do
    named,   // by the rules
    bots,
    flat,
  };
  Kind kind = Kind::uniform;
  std::string name;   // of a policy of the rules; else empty
  std::uint64_t iterations = 0;   // of a bot, per decision, at least 1; 0: as many as the seconds allow
  double seconds = 0;   // … then from 0.001 to 86,400

  bool is_bot() const { return kind == Kind::bots || kind == Kind::flat; }
  bool is_timed() const { return is_bot() && iterations == 0; }
  friend bool operator==(const PlayerPolicy&, const PlayerPolicy&) = default;
};

// "sensible", "bots:200": what `policy_from` reads.
std::string text_of(const PlayerPolicy& policy);
// Throws Error(caller) where that is none of the five.
PlayerPolicy policy_from(std::string_view text);
// The policies that commands are given, "careful" for everybody and "a=bots:200" for a seat, by seat; those of whom
// nothing is said are uniform. None given: empty, which is uniform too. Throws Error(caller) where one is none, or
// somebody is told two.
std::vector<PlayerPolicy> policies_from(const std::vector<std::string>& given, int players);
// What Configuration::policies has to name so that they can be played: policies of the rules in the order given, each
// once; `sensible` where not all are; `bots` where some are.
std::vector<std::string> policies_named(const std::vector<std::string>& given);

}   // namespace cardwright::api
