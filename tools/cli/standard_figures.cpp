// Formats the standard figures as tables and as JSON.
#include "tools/cli/standard_figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/cli/measures.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

double share(std::uint64_t part, std::uint64_t of) { return of ? double(part) / double(of) : 0; }
std::string percent(double x) { return fmt::format("{:.2f} %", 100 * x); }
std::string points(double x) { return fmt::format("{:+.2f}", 100 * x); }
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

template <class T>
std::size_t widest_of(const std::vector<T>& all) {
  std::size_t widest = 12;
  for (const T& one : all) widest = std::max(widest, columns(one.name) + 2);
  return widest;
}

void print_actions(const api::StandardFigures& f) {
  const std::size_t widest = widest_of(f.actions);
  fmt::print("\n{}{:>14}{:>14}{:>12}{:>18}\n",
             padded(coloured(Colour::bold, "actions"), widest + 2 + coloured(Colour::bold, "").size()), "offered",
             "taken", "of offered", "games without");
  for (const api::ActionFigure& a : f.actions) {
    const std::string line =
        a.counted ? fmt::format("  {}{:>14}{:>14}{:>12}{:>18}", padded(a.name, widest), with_commas(a.offered),
                                with_commas(a.taken), percent(a.rate.value()), percent(share(a.games_without, f.games)))
                  : fmt::format("  {}{:>14}{:>14}", padded(a.name, widest), "", with_commas(a.taken));
    fmt::print("{}\n", a.counted && a.taken == 0 ? coloured(Colour::yellow, line) : line);
  }
}

void print_cards(const api::StandardFigures& f, bool uniform) {
  const std::size_t widest = widest_of(f.cards);
  fmt::print(
      "\n{}  per game: drawn, taken, played, discarded, held at the end; turns in hand; effect of a draw on winning\n",
      coloured(Colour::bold, "cards"));
  if (uniform)
    fmt::print("  {}\n",
               coloured(Colour::dim, "players choose at random, so card values do not influence their choices"));
  const auto a_game = [&](std::uint64_t n) { return fmt::format("{:.3f}", share(n, f.games)); };
  for (const api::CardFigure& c : f.cards)
    fmt::print("  {}{:>9}{:>9}{:>9}{:>11}{:>9}{:>9.2f}   {}\n", padded(c.name, widest), a_game(c.drawn),
               a_game(c.taken), a_game(c.played), a_game(c.discarded), a_game(c.held), c.turns_in_hand,
               std::isnan(c.effect) ? std::string("never drawn")
               : std::isnan(c.low)
                   ? points(c.effect) + " points, too few games for an interval"
                   : fmt::format("{} points ({} to {})", points(c.effect), points(c.low), points(c.high)));
}

void print_choices(const api::StandardFigures& f) {
  const auto is_chosen = [](const api::CardFigure& c) { return c.chosen > 0; };
  if (std::none_of(f.cards.begin(), f.cards.end(), is_chosen)) return;
  const std::size_t widest = widest_of(f.cards);
  fmt::print("  {}\n",
             coloured(Colour::dim,
                      "times chosen face up per game, and win rate of the player who chose the card (a correlation: "
                      "good cards are chosen by players who can use them)"));
  for (const api::CardFigure& c : f.cards)
    if (is_chosen(c))
      fmt::print("  {}{:>9}{:>12}\n", padded(c.name, widest), fmt::format("{:.3f}", share(c.chosen, f.games)),
                 percent(share(c.chosen_wins, c.chosen)));
}

void print_pace(const api::PaceFigures& p) {
  fmt::print("\n{}\n", coloured(Colour::bold, "pace"));
  fmt::print("  options per decision: mean {:.2f}, median {}, 95 % of decisions have at most {}\n", p.options.value(),
             p.median_options, p.most_options);
  const double most = *std::max_element(p.options_by_tenth.begin(), p.options_by_tenth.end());
  fmt::print("  by tenths of the game {}  {:.2f} to {:.2f}\n", line_of(p.options_by_tenth, 0, most),
             p.options_by_tenth.front(), p.options_by_tenth.back());
  if (p.turns)
    fmt::print(
        "  decisions per turn: {:.2f}, by the active player {:.2f}; dead turns (no decision by the active player): "
        "{}\n",
        p.per_turn.value(), p.own_per_turn.value(), percent(p.dead_turns.value()));
  fmt::print("  decisions of other players between two decisions of the same player: {:.2f}\n", p.waiting.value());
}

}   // namespace

Json share_json(const api::Share& s) {
  const auto [low, high] = s.interval();
  return {{"name", s.name},   {"games", s.games}, {"wins", s.wins}, {"tables", s.tables},
          {"rate", s.rate()}, {"low", low},       {"high", high},   {"deviation", s.deviation}};
}

Json figures_json(const api::StandardFigures& f, const FigureChoice& choice) {
  Json out = {{"games", f.games}};
  if (choice.actions) {
    out["actions"] = Json::array();
    for (const api::ActionFigure& a : f.actions)
      out["actions"].push_back({{"name", a.name},
                                {"offered", a.counted ? Json(a.offered) : Json(nullptr)},
                                {"taken", a.taken},
                                {"games_without", a.games_without}});
  }
  if (choice.cards) {
    out["cards"] = Json::array();
    for (const api::CardFigure& c : f.cards)
      out["cards"].push_back({{"name", c.name},
                              {"drawn", c.drawn},
                              {"taken", c.taken},
                              {"played", c.played},
                              {"discarded", c.discarded},
                              {"held", c.held},
                              {"turns_in_hand", c.turns_in_hand},
                              {"chosen", c.chosen},
                              {"chosen_wins", c.chosen_wins},
                              {"effect", finite(c.effect)},
                              {"low", finite(c.low)},
                              {"high", finite(c.high)}});
  }
  if (choice.pace) {
    const api::PaceFigures& p = f.pace;
    out["pace"] = {{"decisions", p.decisions},
                   {"turns", p.turns},
                   {"per_turn", p.per_turn.value()},
                   {"own_per_turn", p.own_per_turn.value()},
                   {"dead_turns", p.dead_turns.value()},
                   {"options", p.options.value()},
                   {"median_options", p.median_options},
                   {"most_options", p.most_options},
                   {"options_by_tenth", p.options_by_tenth},
                   {"waiting", p.waiting.value()}};
  }
  return out;
}

Json tension_json(const api::TensionFigures& t) {
  const auto mean = [](const api::TensionFigures::Mean& m) { return Json{{"value", m.value}, {"half", m.half}}; };
  return {{"games", t.games},
          {"moments", t.moments},
          {"playouts", t.playouts},
          {"lead_changes", mean(t.lead_changes)},
          {"comeback", mean(t.comeback)},
          {"drama", mean(t.drama)},
          {"decided", mean(t.decided)},
          {"uncertainty", t.uncertainty}};
}

void print_tension(const api::TensionFigures& t) {
  fmt::print("\n{}  {} games, {} moments per game, {} playouts per moment; ± is the 95 % interval\n",
             coloured(Colour::bold, "tension"), t.games, t.moments, t.playouts);
  if (t.games == 0) return;
  fmt::print("  lead changes per game: {:.2f} ± {:.2f}\n", t.lead_changes.value, t.lead_changes.half);
  fmt::print("  comebacks: {:.1f} ± {:.1f} % (in the second half, the winner had less than half of a fair chance)\n",
             100 * t.comeback.value, 100 * t.comeback.half);
  fmt::print("  deficit of the winner behind the leader: {:.1f} ± {:.1f} points\n", 100 * t.drama.value,
             100 * t.drama.half);
  fmt::print("  decided after {:.0f} ± {:.0f} % of the game\n", 100 * t.decided.value, 100 * t.decided.half);
  if (!t.uncertainty.empty())
    fmt::print("  uncertainty by tenths of the game {}  {:.2f} to {:.2f}\n", line_of(t.uncertainty, 0, 1),
               t.uncertainty.front(), t.uncertainty.back());
}

void print_figures(const api::StandardFigures& figures, const FigureChoice& choice, bool uniform) {
  if (choice.actions) print_actions(figures);
  if (choice.cards) print_cards(figures, uniform), print_choices(figures);
  if (choice.pace) print_pace(figures.pace);
}

}   // namespace cardwright::cli
