// Converts policies to and from their textual form, and command arguments to policies by seat.
#include "cardwright/policies.hpp"

#include <algorithm>
#include <charconv>
#include <cctype>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

namespace {

constexpr double kLeastSeconds = 0.001, kMostSeconds = 86'400;
constexpr std::uint64_t kMostIterations = 1'000'000'000;

[[noreturn]] void raise_unknown_policy(std::string_view text) {
  throw Error(
      Blame::caller,
      fmt::format("unknown policy `{}`: expected `uniform`, `sensible`, the name of a `policy` in the rules, or "
                  "`bots:200` or `bots:0.2s` (`flat:200`, `flat:0.2s`) for bots with this number of iterations or "
                  "seconds per decision",
                  text));
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  });
}

template <class Number>
bool read_whole(std::string_view text, Number& number) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  return wrong == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// Parses the part of a policy after the colon: "200" or "0.2s".
void read_budget(std::string_view text, std::string_view budget, PlayerPolicy& policy) {
  if (budget.ends_with('s')) {
    if (!read_whole(budget.substr(0, budget.size() - 1), policy.seconds)) raise_unknown_policy(text);
    if (!(policy.seconds >= kLeastSeconds && policy.seconds <= kMostSeconds))
      throw Error(Blame::caller, fmt::format("`{}`: seconds per decision are out of range: expected {:g} to {:.0f}",
                                             text, kLeastSeconds, kMostSeconds));
    return;
  }
  if (!read_whole(budget, policy.iterations)) raise_unknown_policy(text);
  if (policy.iterations < 1 || policy.iterations > kMostIterations)
    throw Error(Blame::caller,
                fmt::format("`{}`: iterations per decision are out of range: expected 1 to {}", text, kMostIterations));
}

// The text of a policy and its seat: "a=sensible" applies to seat 0, "sensible" to all seats.
struct Given {
  int seat = -1;   // -1: all seats
  std::string_view text;
};
Given given_from(std::string_view text) {
  if (text.size() < 2 || text[1] != '=') return {-1, text};
  return {text[0] - 'a', text.substr(2)};
}

}   // namespace

std::string text_of(const PlayerPolicy& policy) {
  const auto bot = [&](std::string_view which) {
    return policy.iterations != 0 ? fmt::format("{}:{}", which, policy.iterations)
                                  : fmt::format("{}:{}s", which, policy.seconds);
  };
  switch (policy.kind) {
    case PlayerPolicy::Kind::uniform: return "uniform";
    case PlayerPolicy::Kind::sensible: return "sensible";
    case PlayerPolicy::Kind::named: return policy.name;
    case PlayerPolicy::Kind::bots: return bot("bots");
    case PlayerPolicy::Kind::flat: return bot("flat");
  }
  return {};
}

PlayerPolicy policy_from(std::string_view text) {
  using Kind = PlayerPolicy::Kind;
  PlayerPolicy policy;
  if (text == "uniform") return policy;
  if (text == "sensible") return policy.kind = Kind::sensible, policy;
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view which = text.substr(0, colon);
    if (which != "bots" && which != "flat") raise_unknown_policy(text);
    policy.kind = which == "bots" ? Kind::bots : Kind::flat;
    read_budget(text, text.substr(colon + 1), policy);
    return policy;
  }
  if (!is_name(text) || text == "bots" || text == "flat") raise_unknown_policy(text);
  policy.kind = Kind::named;
  policy.name = text;
  return policy;
}

std::vector<PlayerPolicy> policies_from(const std::vector<std::string>& given, int players) {
  if (given.empty()) return {};
  std::vector<PlayerPolicy> by_seat(static_cast<std::size_t>(players));
  std::vector<bool> seen(static_cast<std::size_t>(players) + 1);   // the last entry is for all seats
  for (const bool seats : {false, true})
    for (const std::string& text : given) {
      const Given one = given_from(text);
      if ((one.seat >= 0) != seats && one.seat >= -1) continue;
      if (one.seat < -1 || one.seat >= players)
        throw Error(Blame::caller, fmt::format("`{}`: unknown seat `{}`; seats are a to {}", text, text[0],
                                               Game::seat_name(players - 1)));
      const std::size_t whom = static_cast<std::size_t>(one.seat < 0 ? players : one.seat);
      if (seen[whom])
        throw Error(Blame::caller, fmt::format("`{}`: duplicate policy for {}", text,
                                               one.seat < 0 ? "everybody" : "seat " + Game::seat_name(one.seat)));
      seen[whom] = true;
      const PlayerPolicy policy = policy_from(one.text);
      if (one.seat < 0)
        std::fill(by_seat.begin(), by_seat.end(), policy);
      else
        by_seat[whom] = policy;
    }
  return by_seat;
}

std::vector<std::string> policies_named(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  };
  bool sensible = false, others = false;
  for (const std::string& text : given) {
    const Given one = given_from(text);
    const PlayerPolicy policy = policy_from(one.text);
    sensible = sensible || policy.kind == PlayerPolicy::Kind::sensible;
    others = others || one.seat >= 0;
    if (policy.kind == PlayerPolicy::Kind::named) add(policy.name);
    if (policy.is_bot()) add("bots");
  }
  if (sensible && (others || !names.empty())) add("sensible");
  return names;
}

}   // namespace cardwright::api
