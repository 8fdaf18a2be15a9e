// Defines policies, by which automatic players choose, and their textual form:
//
//   uniform                 every option has equal probability
//   sensible                uniform among the options that the rules mark with `sensible if`
//   NAME                    as declared by `policy NAME` in the rules
//   bots:200, bots:0.2s     a bot that searches with this number of iterations, or this time, per decision
//   flat:200, flat:0.2s     the baseline bot: every option is tried in random playouts, without a tree
//
// A bot with a number of iterations makes the same choices in every run: its seed is derived from the run's seed, the
// game, the seat and the decision. The choices of a bot with a time limit depend on the machine, so functions with
// reproducible results reject it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::api {

struct PlayerPolicy {
  enum class Kind : std::uint8_t {
    uniform,
    sensible,   // uniform among sensible options; in a race, a player with a sensible option never waits
    named,   // declared in the rules
    bots,
    flat,
  };
  Kind kind = Kind::uniform;
  std::string name;   // name of a policy in the rules; otherwise empty
  std::uint64_t iterations = 0;   // for a bot: iterations per decision, at least 1; 0: `seconds` is the limit
  double seconds = 0;   // time limit if `iterations` is 0: from 0.001 to 86,400

  bool is_bot() const { return kind == Kind::bots || kind == Kind::flat; }
  bool is_timed() const { return is_bot() && iterations == 0; }
  friend bool operator==(const PlayerPolicy&, const PlayerPolicy&) = default;
};

// Returns the textual form, which `policy_from` reads: "sensible", "bots:200".
std::string text_of(const PlayerPolicy& policy);
// Parses the textual form. Throws Error(caller) if the text has none of the five forms.
PlayerPolicy policy_from(std::string_view text);
// Converts command arguments to policies by seat: "careful" applies to every seat, "a=bots:200" to one. Other seats are
// uniform. Without arguments, the result is an empty vector, which also means uniform. Throws Error(caller) for an
// invalid policy, or two policies for one seat.
std::vector<PlayerPolicy> policies_from(const std::vector<std::string>& given, int players);
// Returns the value of Configuration::policies that these arguments require: the names of the rules' policies in the
// order of the arguments, without duplicates; also `sensible` if only some seats use it, and `bots` if some seats are
// bots.
std::vector<std::string> policies_named(const std::vector<std::string>& given);

}   // namespace cardwright::api
