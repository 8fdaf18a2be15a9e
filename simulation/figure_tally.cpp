// Adds up the standard figures over many games.
#include "simulation/figure_tally.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulation/part_file.h"
#include "api/game/game_data.h"
#include "runtime/state/state.h"

namespace cardwright::api {

using detail::FiguredGame;
using detail::Json;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kStudent31 = 2.0395134;   // 97.5 % quantile of Student's t distribution with 31 degrees of freedom
constexpr std::size_t kTenths = 10;

}   // namespace

// ---- wins by drawn card

std::vector<DrawWins::Wins>& DrawWins::row(std::size_t batch, std::size_t stratum) {
  if (rows_.empty()) rows_.resize(kBatches * FiguredGame::kStrata);
  std::vector<Wins>& its = rows_[batch * FiguredGame::kStrata + stratum];
  if (its.empty()) its.resize(1 + kinds_);
  return its;
}

const std::vector<DrawWins::Wins>* DrawWins::seen(std::size_t batch, std::size_t stratum) const {
  if (rows_.empty()) return nullptr;
  const std::vector<Wins>& its = rows_[batch * FiguredGame::kStrata + stratum];
  return its.empty() ? nullptr : &its;
}

void DrawWins::add(std::uint64_t index, const FiguredGame& game, std::uint64_t winners) {
  for (const FiguredGame::Draw& draw : game.draws) {
    const std::uint64_t won = winners >> draw.player & 1;
    std::vector<Wins>& its = row(index % kBatches, draw.stratum);
    for (Wins* wins : {&its[0], &its[1 + draw.kind]}) ++wins->players, wins->wins += won;
  }
}

void DrawWins::add(const DrawWins& other) {
  if (other.rows_.empty()) return;
  rows_.resize(other.rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (other.rows_[i].empty()) continue;
    rows_[i].resize(1 + kinds_);
    for (std::size_t k = 0; k < rows_[i].size(); ++k)
      rows_[i][k].players += other.rows_[i][k].players, rows_[i][k].wins += other.rows_[i][k].wins;
  }
}

double DrawWins::effect(std::size_t kind, std::size_t from, std::size_t to) const {
  double sum = 0, weight = 0;
  for (std::size_t s = 0; s < FiguredGame::kStrata; ++s) {
    Wins its, all;
    for (std::size_t b = from; b < to; ++b)
      if (const std::vector<Wins>* row = seen(b, s)) {
        its.players += (*row)[1 + kind].players, its.wins += (*row)[1 + kind].wins;
        all.players += (*row)[0].players, all.wins += (*row)[0].wins;
      }
    if (its.players == 0) continue;
    sum += double(its.wins) - double(its.players) * double(all.wins) / double(all.players);
    weight += double(its.players);
  }
  return weight == 0 ? kNaN : sum / weight;
}

std::uint64_t DrawWins::least_draws(std::size_t kind) const {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t b = 0; b < kBatches; ++b) {
    std::uint64_t draws = 0;
    for (std::size_t s = 0; s < FiguredGame::kStrata; ++s)
      if (const std::vector<Wins>* row = seen(b, s)) draws += (*row)[1 + kind].players;
    least = std::min(least, draws);
  }
  return least;
}

// Writes for each existing row its number, then the players and wins by card type; the entry 0 is the total.
Json DrawWins::json() const {
  Json out = Json::array();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].empty()) continue;
    Json row = Json::array({i});
    for (std::size_t k = 0; k < rows_[i].size(); ++k)
      if (rows_[i][k].players)
        for (const std::uint64_t number : {std::uint64_t{k}, rows_[i][k].players, rows_[i][k].wins})
          row.push_back(number);
    out.push_back(std::move(row));
  }
  return out;
}

void DrawWins::add(const Json& json) {
  for (const Json& row : json) {
    const std::size_t i = row.at(0);
    if (i >= kBatches * FiguredGame::kStrata || row.size() % 3 != 1) detail::damaged("unknown draw");
    std::vector<Wins>& its = this->row(i / FiguredGame::kStrata, i % FiguredGame::kStrata);
    for (std::size_t at = 1; at < row.size(); at += 3) {
      Wins& wins = its.at(row[at].get<std::size_t>());
      wins.players += row[at + 1].get<std::uint64_t>(), wins.wins += row[at + 2].get<std::uint64_t>();
    }
  }
}

// ---- games

FigureTally::FigureTally(const Program& program)
    : program_(program),
      kinds_(program.kinds.size()),
      offered_(program.actions.size()),
      taken_(offered_.size()),
      games_with_(offered_.size()),
      cards_(kinds_),
      tenth_sum_(kTenths),
      tenth_count_(kTenths),
      draws_(kinds_) {}

template <class F>
void FigureTally::each_number(Card& card, F&& take) {
  for (std::uint64_t* number : {&card.drawn, &card.taken, &card.played, &card.discarded, &card.held, &card.left,
                                &card.turns, &card.chosen, &card.chosen_wins})
    take(*number);
}
template <class F>
void FigureTally::each_number(FiguredGame::Pace& pace, F&& take) {
  for (std::uint64_t* number :
       {&pace.decisions, &pace.turns, &pace.own, &pace.dead, &pace.waits, &pace.waited, &pace.in_turns})
    take(*number);
}

void FigureTally::add(std::uint64_t index, const FiguredGame& game, const Byte* state) {
  ++games_;
  for (const std::uint32_t a : game.actions) {
    offered_[a] += game.offered[a];
    taken_[a] += game.taken[a];
    ++games_with_[a];
  }
  for (std::size_t k = 0; k < kinds_; ++k) {
    Card& to = cards_[k];
    const FiguredGame::Card& from = game.cards[k];
    to.drawn += from.drawn, to.taken += from.taken, to.played += from.played, to.discarded += from.discarded;
    to.held += from.held, to.left += from.left, to.turns += from.turns;
  }
  const FiguredGame::Pace& pace = game.pace;
  pace_.decisions += pace.decisions, pace_.turns += pace.turns, pace_.own += pace.own, pace_.dead += pace.dead;
  pace_.waits += pace.waits, pace_.waited += pace.waited, pace_.in_turns += pace.in_turns;
  const std::size_t decisions = game.options.size();
  for (std::size_t tenth = 0, i = 0; tenth < kTenths; ++tenth) {
    const std::size_t end = ((tenth + 1) * decisions + kTenths - 1) / kTenths;   // the first decision of the next tenth
    tenth_count_[tenth] += end - i;
    for (; i < end; ++i) {
      options_.add(game.options[i]);
      tenth_sum_[tenth] += static_cast<std::uint64_t>(game.options[i]);
    }
  }
  const std::uint64_t winners = detail::winners_of(program_, state);
  for (const FiguredGame::Choice& choice : game.choices)
    ++cards_[choice.kind].chosen, cards_[choice.kind].chosen_wins += winners >> choice.player & 1;
  draws_.add(index, game, winners);
}

void FigureTally::add(const FigureTally& other) {
  games_ += other.games_;
  for (std::size_t a = 0; a < offered_.size(); ++a) {
    offered_[a] += other.offered_[a], taken_[a] += other.taken_[a];
    games_with_[a] += other.games_with_[a];
  }
  const auto add_numbers = [](auto& to, auto from) {
    std::vector<std::uint64_t> numbers;
    each_number(from, [&](std::uint64_t& number) { numbers.push_back(number); });
    each_number(to, [&, i = 0u](std::uint64_t& number) mutable { number += numbers[i++]; });
  };
  for (std::size_t k = 0; k < kinds_; ++k) add_numbers(cards_[k], other.cards_[k]);
  add_numbers(pace_, other.pace_);
  options_.add(other.options_);
  for (std::size_t t = 0; t < kTenths; ++t)
    tenth_sum_[t] += other.tenth_sum_[t], tenth_count_[t] += other.tenth_count_[t];
  draws_.add(other.draws_);
}

// ---- parts

Json FigureTally::json() const {
  const auto numbers_of = [](auto of) {
    Json out = Json::array();
    each_number(of, [&](std::uint64_t& number) { out.push_back(number); });
    return out;
  };
  Json cards = Json::array();
  for (const Card& card : cards_) cards.push_back(numbers_of(card));
  return {{"games", games_},
          {"offered", offered_},
          {"taken", taken_},
          {"games_with", games_with_},
          {"cards", std::move(cards)},
          {"pace", numbers_of(pace_)},
          {"options", options_.json()},
          {"tenths", {tenth_sum_, tenth_count_}},
          {"draws", draws_.json()}};
}

void FigureTally::add(const Json& json) {
  const auto add_numbers = [](auto& to, const Json& from) {
    std::size_t i = 0;
    each_number(to, [&](std::uint64_t& number) { number += from.at(i++).template get<std::uint64_t>(); });
  };
  games_ += json.at("games").get<std::uint64_t>();
  detail::add_all(offered_, json.at("offered"));
  detail::add_all(taken_, json.at("taken"));
  detail::add_all(games_with_, json.at("games_with"));
  if (json.at("cards").size() != kinds_) detail::damaged("different cards");
  for (std::size_t k = 0; k < kinds_; ++k) add_numbers(cards_[k], json.at("cards").at(k));
  add_numbers(pace_, json.at("pace"));
  options_.add(json.at("options"));
  detail::add_all(tenth_sum_, json.at("tenths").at(0));
  detail::add_all(tenth_count_, json.at("tenths").at(1));
  draws_.add(json.at("draws"));
}

// ---- results

CardFigure FigureTally::card_figure(std::size_t kind) const {
  const Card& card = cards_[kind];
  CardFigure out{program_.kinds[kind].label, card.drawn, card.taken, card.played, card.discarded, card.held};
  out.turns_in_hand = card.left ? double(card.turns) / double(card.left) : 0;
  out.chosen = card.chosen, out.chosen_wins = card.chosen_wins;
  out.effect = draws_.effect(kind);
  double mean = 0, squares = 0;
  for (std::size_t b = 0; b < DrawWins::kBatches; ++b) {
    const double one = draws_.effect(kind, b, b + 1);
    mean += one / DrawWins::kBatches, squares += one * one / DrawWins::kBatches;
  }
  const double half = kStudent31 * std::sqrt(std::max(0.0, squares - mean * mean) / (DrawWins::kBatches - 1));
  out.low = out.effect - half, out.high = out.effect + half;
  return out;
}

PaceFigures FigureTally::pace_figures() const {
  PaceFigures pace;
  pace.decisions = pace_.decisions, pace.turns = pace_.turns;
  const auto ratio = [](std::uint64_t a, std::uint64_t b) { return b ? double(a) / double(b) : 0; };
  pace.per_turn = ratio(pace_.in_turns, pace_.turns);
  pace.own_per_turn = ratio(pace_.own, pace_.turns);
  pace.dead_turns = ratio(pace_.dead, pace_.turns);
  pace.waiting = ratio(pace_.waited, pace_.waits);
  const Spread spread = options_.spread();
  pace.options = spread.mean;
  pace.median_options = spread.median;
  std::uint64_t below = 0;
  const std::uint64_t all = options_.count();
  for (const Spread::Bin& bin : spread.bins) {
    if (below * 20 < all * 19) pace.most_options = bin.from;
    below += bin.games;
  }
  for (std::size_t t = 0; t < kTenths; ++t) pace.options_by_tenth.push_back(ratio(tenth_sum_[t], tenth_count_[t]));
  return pace;
}

BuiltInFigures FigureTally::report() const {
  BuiltInFigures out;
  out.games = games_;
  for (std::size_t a = 0; a < program_.actions.size(); ++a) {
    const ActionInfo& info = program_.actions[a];
    const bool counted = info.kind == ActionKind::play || info.kind == ActionKind::use;
    if (!counted && taken_[a] == 0) continue;
    out.actions.push_back({info.name, counted, offered_[a], taken_[a], games_ - games_with_[a]});
  }
  std::stable_sort(out.actions.begin(), out.actions.end(), [](const ActionFigure& a, const ActionFigure& b) {
    const auto rank = [](const ActionFigure& f) { return f.counted ? f.offered == 0 ? 0 : f.taken == 0 ? 1 : 2 : 3; };
    return rank(a) < rank(b);
  });
  for (std::size_t k = 0; k < kinds_; ++k)
    if (std::any_of(program_.cards.begin(), program_.cards.end(),
                    [&](const CardInfo& c) { return c.kind == static_cast<Int>(k); }))
      out.cards.push_back(card_figure(k));
  std::stable_sort(out.cards.begin(), out.cards.end(), [](const CardFigure& a, const CardFigure& b) {
    return std::isnan(b.effect) ? !std::isnan(a.effect) : a.effect > b.effect;
  });
  out.pace = pace_figures();
  return out;
}

}   // namespace cardwright::api
