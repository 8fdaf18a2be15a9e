// See figure_tally.h.
#include "api/figure_tally.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "play/game_data.h"
#include "runtime/state.h"

namespace cardwright::api {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kStudent31 = 2.0395134;   // 97.5 % of Student's t with 31 degrees of freedom

}  // namespace

FigureTally::FigureTally(const Program& program)
    : program_(program),
      kinds_(program.kinds.size()),
      start_(program.cards.size(), -1),
      start_sizes_(static_cast<std::size_t>(program.layout.instances)),
      offered_(program.actions.size()),
      taken_(offered_.size()),
      games_with_(offered_.size()),
      cards_(kinds_),
      tenth_sum_(10),
      tenth_count_(10),
      by_draw_(kBatches * kStrata),
      by_kind_(kBatches * kStrata * kinds_),
      offered_now_(offered_.size()),
      taken_now_(offered_.size()),
      cards_now_(kinds_),
      where_(start_.size()),
      sizes_(start_sizes_.size()),
      since_(start_.size()),
      drawn_by_(static_cast<std::size_t>(program.layout.players)),
      others_since_(drawn_by_.size()),
      decided_before_(drawn_by_.size()) {
  const Layout& l = program.layout;
  for (Int i = 0; i < l.instances; ++i)
    for (std::size_t card = 0; card < start_.size(); ++card) {
      const Byte* word = program.initial.data() + l.members + 8 * (l.words * i + static_cast<Int>(card) / 64);
      if (read<Word>(word) >> (card % 64) & 1) start_[card] = i, ++start_sizes_[static_cast<std::size_t>(i)];
    }
  start();
}

void FigureTally::start() {
  where_ = start_;
  sizes_ = start_sizes_;
  std::fill(since_.begin(), since_.end(), 0);
  std::fill(drawn_by_.begin(), drawn_by_.end(), 0);
  std::fill(others_since_.begin(), others_since_.end(), 0);
  std::fill(decided_before_.begin(), decided_before_.end(), false);
  for (const std::size_t a : touched_) offered_now_[a] = taken_now_[a] = 0;
  touched_.clear();
  std::fill(cards_now_.begin(), cards_now_.end(), Card{});
  pace_now_ = {};
  options_now_.clear();
  draws_.clear();
  refills_ = 0;
  decider_ = turn_player_ = -1;
  turn_ = 0;
  by_action_ = own_decision_ = false;
}

void FigureTally::forget() { start(); }

// ---- one note after the other

void FigureTally::note(const Note& note) {
  const auto touch = [&](std::size_t action) {
    if (offered_now_[action] == 0 && taken_now_[action] == 0) touched_.push_back(action);
  };
  switch (static_cast<NoteOf>(note.of)) {
    case kNoteOffered:
      if (note.value <= 0) return;
      touch(static_cast<std::size_t>(note.cell));
      ++offered_now_[static_cast<std::size_t>(note.cell)];
      return;
    case kNoteDecided: return decided(note.cell, note.value);
    case kNoteChosen: return chosen(note.value);
    case kNoteMoved: from_ = note.cell, to_ = note.value; return;
    case kNoteCard:
      if (note.cell >= 0 && note.cell < static_cast<Int>(where_.size())) moved(note.cell);
      return;
  }
}

void FigureTally::decided(Int player, Int options) {
  if (player < 0) return;   // a race that waits for its clock
  decider_ = player;
  by_action_ = false;
  if (options < 2) return;
  ++pace_now_.decisions;
  options_now_.push_back(options);
  if (turn_player_ >= 0) ++pace_now_.in_turns;
  if (player == turn_player_) ++pace_now_.own, own_decision_ = true;
  const auto who = static_cast<std::size_t>(player);
  if (decided_before_[who]) ++pace_now_.waits, pace_now_.waited += static_cast<std::uint64_t>(others_since_[who]);
  decided_before_[who] = true;
  for (Int& others : others_since_) ++others;
  others_since_[who] = 0;
}

void FigureTally::chosen(Int id) {
  const auto after = std::upper_bound(program_.actions.begin(), program_.actions.end(), id,
                                      [](Int x, const ActionInfo& action) { return x < action.base; });
  if (after == program_.actions.begin()) return;
  const auto action = static_cast<std::size_t>(after - program_.actions.begin()) - 1;
  if (offered_now_[action] == 0 && taken_now_[action] == 0) touched_.push_back(action);
  ++taken_now_[action];
  by_action_ = program_.actions[action].kind == ActionKind::play || program_.actions[action].kind == ActionKind::use;
}

void FigureTally::turn_began(Int player) {
  end_turn();
  turn_player_ = player;
  own_decision_ = false;
  ++turn_;
}

void FigureTally::end_turn() {
  if (turn_player_ < 0) return;
  ++pace_now_.turns;
  pace_now_.dead += !own_decision_;
}

bool FigureTally::is_hand(Int instance) const {
  if (instance < 0) return false;
  const ZoneInstance& zone = program_.layout.instance[instance];
  return zone.owner >= 0 && zone.visible != (Int{1} << program_.layout.players) - 1;
}

// The pile had run out: what it is refilled from lies under it now.
void FigureTally::refill(Int pile) {
  const Int from = program_.layout.instance[pile].refill;
  if (from < 0) return;
  ++refills_;
  for (Int& where : where_)
    if (where == from) where = pile;
  sizes_[static_cast<std::size_t>(pile)] += sizes_[static_cast<std::size_t>(from)];
  sizes_[static_cast<std::size_t>(from)] = 0;
}

void FigureTally::moved(Int card) {
  if (to_ < 0 || to_ >= program_.layout.instances) return;
  const auto c = static_cast<std::size_t>(card);
  const Int noted = from_ >= 0 && from_ < program_.layout.instances ? from_ : -1;
  if (noted >= 0 && where_[c] != noted && sizes_[static_cast<std::size_t>(noted)] == 0) refill(noted);
  const Int from = where_[c];
  if (from == to_ || from < 0) {
    where_[c] = to_;
    return;
  }
  const auto kind = static_cast<std::size_t>(std::max<Int>(0, program_.cards[c].kind));
  const ZoneInstance &left = program_.layout.instance[from], &entered = program_.layout.instance[to_];
  Card& its = cards_now_[kind];
  const bool blind = left.owner < 0 && left.visible == 0;
  if (blind && entered.owner >= 0) {
    ++its.drawn;
    Int& k = drawn_by_[static_cast<std::size_t>(entered.owner)];
    const auto draw = std::min<std::size_t>(kDraws - 1, static_cast<std::size_t>(k++));
    const auto refills = std::min<std::size_t>(kRefills - 1, static_cast<std::size_t>(refills_));
    draws_.push_back({static_cast<std::uint16_t>(refills * kDraws + draw), static_cast<std::uint16_t>(kind),
                      static_cast<std::uint8_t>(entered.owner)});
  } else if (is_hand(to_) && entered.owner != left.owner) {
    ++its.taken;
  }
  if (is_hand(from) && !(is_hand(to_) && entered.owner == left.owner)) {
    if (by_action_ && decider_ == left.owner)
      ++its.played;
    else if (entered.owner < 0)
      ++its.discarded;
    ++its.left;
    its.turns += static_cast<std::uint64_t>(turn_ - since_[c]);
  }
  if (is_hand(to_)) since_[c] = turn_;
  --sizes_[static_cast<std::size_t>(from)];
  ++sizes_[static_cast<std::size_t>(to_)];
  where_[c] = to_;
}

// ---- games

void FigureTally::finish(std::uint64_t index, const Byte* state) {
  end_turn();
  ++games_;
  for (const std::size_t a : touched_) {
    offered_[a] += offered_now_[a];
    taken_[a] += taken_now_[a];
    ++games_with_[a];
  }
  for (std::size_t c = 0; c < where_.size(); ++c)
    if (is_hand(where_[c])) ++cards_now_[static_cast<std::size_t>(std::max<Int>(0, program_.cards[c].kind))].held;
  for (std::size_t k = 0; k < kinds_; ++k) {
    Card& to = cards_[k];
    const Card& from = cards_now_[k];
    to.drawn += from.drawn, to.taken += from.taken, to.played += from.played, to.discarded += from.discarded;
    to.held += from.held, to.left += from.left, to.turns += from.turns;
  }
  pace_.decisions += pace_now_.decisions, pace_.turns += pace_now_.turns, pace_.own += pace_now_.own;
  pace_.dead += pace_now_.dead, pace_.waits += pace_now_.waits, pace_.waited += pace_now_.waited;
  pace_.in_turns += pace_now_.in_turns;
  for (std::size_t i = 0; i < options_now_.size(); ++i) {
    options_.add(options_now_[i]);
    const std::size_t tenth = i * 10 / options_now_.size();
    tenth_sum_[tenth] += static_cast<std::uint64_t>(options_now_[i]);
    ++tenth_count_[tenth];
  }
  const std::uint64_t winners = detail::winners_of(program_, state);
  const std::size_t batch = index % kBatches;
  for (const Draw& draw : draws_) {
    const std::uint32_t won = winners >> draw.player & 1;
    const std::size_t stratum = batch * kStrata + draw.stratum;
    ++by_draw_[stratum].players, by_draw_[stratum].wins += won;
    Wins& of = by_kind_[stratum * kinds_ + draw.kind];
    ++of.players, of.wins += won;
  }
  start();
}

void FigureTally::add(const FigureTally& other) {
  games_ += other.games_;
  for (std::size_t a = 0; a < offered_.size(); ++a) {
    offered_[a] += other.offered_[a], taken_[a] += other.taken_[a];
    games_with_[a] += other.games_with_[a];
  }
  for (std::size_t k = 0; k < kinds_; ++k) {
    Card& to = cards_[k];
    const Card& from = other.cards_[k];
    to.drawn += from.drawn, to.taken += from.taken, to.played += from.played, to.discarded += from.discarded;
    to.held += from.held, to.left += from.left, to.turns += from.turns;
  }
  pace_.decisions += other.pace_.decisions, pace_.turns += other.pace_.turns, pace_.own += other.pace_.own;
  pace_.dead += other.pace_.dead, pace_.waits += other.pace_.waits, pace_.waited += other.pace_.waited;
  pace_.in_turns += other.pace_.in_turns;
  options_.add(other.options_);
  for (std::size_t t = 0; t < tenth_sum_.size(); ++t)
    tenth_sum_[t] += other.tenth_sum_[t], tenth_count_[t] += other.tenth_count_[t];
  const auto add_wins = [](std::vector<Wins>& to, const std::vector<Wins>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i].players += from[i].players, to[i].wins += from[i].wins;
  };
  add_wins(by_draw_, other.by_draw_);
  add_wins(by_kind_, other.by_kind_);
}

// ---- what is told

double FigureTally::effect(std::size_t kind, std::size_t from, std::size_t to) const {
  double sum = 0, weight = 0;
  for (std::size_t s = 0; s < kStrata; ++s) {
    std::uint64_t players = 0, wins = 0, all_players = 0, all_wins = 0;
    for (std::size_t b = from; b < to; ++b) {
      const Wins &its = of_kind(b, s, kind), &all = by_draw_[b * kStrata + s];
      players += its.players, wins += its.wins;
      all_players += all.players, all_wins += all.wins;
    }
    if (players == 0) continue;
    sum += double(wins) - double(players) * double(all_wins) / double(all_players);
    weight += double(players);
  }
  return weight == 0 ? kNaN : sum / weight;
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
  for (std::size_t k = 0; k < kinds_; ++k) {
    const Card& card = cards_[k];
    if (std::none_of(program_.cards.begin(), program_.cards.end(),
                     [&](const CardInfo& c) { return c.kind == static_cast<Int>(k); }))
      continue;
    CardFigure figure{program_.kinds[k].label, card.drawn, card.taken, card.played, card.discarded, card.held};
    figure.turns_in_hand = card.left ? double(card.turns) / double(card.left) : 0;
    figure.effect = effect(k, 0, kBatches);
    double mean = 0, squares = 0;
    for (std::size_t b = 0; b < kBatches; ++b) {
      const double one = effect(k, b, b + 1);
      mean += one / kBatches, squares += one * one / kBatches;
    }
    const double half = kStudent31 * std::sqrt(std::max(0.0, squares - mean * mean) / (kBatches - 1));
    figure.low = figure.effect - half, figure.high = figure.effect + half;
    out.cards.push_back(std::move(figure));
  }
  std::stable_sort(out.cards.begin(), out.cards.end(), [](const CardFigure& a, const CardFigure& b) {
    return std::isnan(b.effect) ? !std::isnan(a.effect) : a.effect > b.effect;
  });
  PaceFigures& pace = out.pace;
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
  for (std::size_t t = 0; t < tenth_sum_.size(); ++t)
    pace.options_by_tenth.push_back(ratio(tenth_sum_[t], tenth_count_[t]));
  return out;
}

}  // namespace cardwright::api
