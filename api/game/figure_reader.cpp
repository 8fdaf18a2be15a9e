// Computes the standard figures of a game from the notes that its Program records.
#include "api/game/figure_reader.h"

#include <algorithm>
#include <utility>

#include "runtime/state/state.h"

namespace cardwright::api::detail {

FigureReader::FigureReader(const Program& program)
    : program_(program),
      start_(program.cards.size(), -1),
      start_sizes_(static_cast<std::size_t>(program.layout.instances)),
      is_hand_(start_sizes_.size()),
      where_(start_.size()),
      sizes_(start_sizes_.size()),
      since_(start_.size()),
      drawn_by_(static_cast<std::size_t>(program.layout.players)),
      others_since_(drawn_by_.size()),
      decided_before_(drawn_by_.size()) {
  const Layout& l = program.layout;
  for (Int i = 0; i < l.instances; ++i) {
    const ZoneInstance& zone = l.instance[i];
    is_hand_[static_cast<std::size_t>(i)] = zone.owner >= 0 && zone.visible != (Int{1} << l.players) - 1;
    for (std::size_t card = 0; card < start_.size(); ++card) {
      const Byte* word = program.initial.data() + l.members + 8 * (l.words * i + static_cast<Int>(card) / 64);
      if (cardwright::read<Word>(word) >> (card % 64) & 1)
        start_[card] = i, ++start_sizes_[static_cast<std::size_t>(i)];
    }
  }
  begin();
}

void FigureReader::begin() {
  where_ = start_;
  sizes_ = start_sizes_;
  std::fill(since_.begin(), since_.end(), 0);
  std::fill(drawn_by_.begin(), drawn_by_.end(), 0);
  std::fill(others_since_.begin(), others_since_.end(), 0);
  std::fill(decided_before_.begin(), decided_before_.end(), 0);
  for (const std::uint32_t a : game_.actions) game_.offered[a] = game_.taken[a] = 0;
  game_.actions.clear();
  game_.offered.resize(program_.actions.size());
  game_.taken.resize(program_.actions.size());
  game_.cards.assign(program_.kinds.size(), {});
  game_.pace = {};
  game_.options.clear();
  game_.draws.clear();
  game_.choices.clear();
  refills_ = 0;
  decider_ = turn_player_ = -1;
  turn_ = 0;
  by_action_ = is_open_ = was_chosen_ = is_choice_ = own_decision_ = false;
}

void FigureReader::read(const Note* from, const Note* to) {
  for (const Note* note = from; note != to; ++note) switch (static_cast<NoteOf>(note->of)) {
      case kNoteOffered:
        touch(static_cast<std::size_t>(note->cell));
        ++game_.offered[static_cast<std::size_t>(note->cell)];
        break;
      case kNoteDecided: decided(note->cell, note->value); break;
      case kNoteChosen: chosen(note->value); break;
      case kNoteMoved:
        from_ = note->cell, to_ = note->value;
        is_choice_ = std::exchange(was_chosen_, false);
        break;
      case kNoteCard:
        if (note->cell >= 0 && note->cell < static_cast<Int>(where_.size())) moved(note->cell);
        break;
    }
}

void FigureReader::decided(Int player, Int options) {
  if (player < 0) return;   // a race waits for its clock
  decider_ = player;
  by_action_ = false;
  was_chosen_ = is_choice_ = false;
  is_open_ = options >= 2;
  if (!is_open_) return;
  FiguredGame::Pace& pace = game_.pace;
  ++pace.decisions;
  game_.options.push_back(options);
  if (turn_player_ >= 0) ++pace.in_turns;
  if (player == turn_player_) ++pace.own, own_decision_ = true;
  const auto who = static_cast<std::size_t>(player);
  if (decided_before_[who]) ++pace.waits, pace.waited += static_cast<std::uint64_t>(others_since_[who]);
  decided_before_[who] = 1;
  for (Int& others : others_since_) ++others;
  others_since_[who] = 0;
}

void FigureReader::chosen(Int id) {
  const auto after = std::upper_bound(program_.actions.begin(), program_.actions.end(), id,
                                      [](Int x, const ActionInfo& action) { return x < action.base; });
  if (after == program_.actions.begin()) return;
  const auto action = static_cast<std::size_t>(after - program_.actions.begin()) - 1;
  touch(action);
  ++game_.taken[action];
  was_chosen_ = is_open_;
  by_action_ = program_.actions[action].kind == ActionKind::play || program_.actions[action].kind == ActionKind::use;
}

void FigureReader::turn_began(Int player) {
  end_turn();
  turn_player_ = player;
  own_decision_ = false;
  ++turn_;
}

void FigureReader::end_turn() {
  if (turn_player_ < 0) return;
  ++game_.pace.turns;
  game_.pace.dead += !own_decision_;
}

// Handles a refill of an empty pile: the cards that refill it are now in the pile.
void FigureReader::refill(Int pile) {
  const Int from = program_.layout.instance[pile].refill;
  if (from < 0) return;
  ++refills_;
  for (Int& where : where_)
    if (where == from) where = pile;
  sizes_[static_cast<std::size_t>(pile)] += sizes_[static_cast<std::size_t>(from)];
  sizes_[static_cast<std::size_t>(from)] = 0;
}

void FigureReader::moved(Int card) {
  if (to_ < 0 || to_ >= program_.layout.instances) return;
  const auto c = static_cast<std::size_t>(card), to = static_cast<std::size_t>(to_);
  const Int zone = from_ >= 0 && from_ < program_.layout.instances ? from_ : -1;
  if (zone >= 0 && where_[c] != zone && sizes_[static_cast<std::size_t>(zone)] == 0) refill(zone);
  const Int from = where_[c];
  if (from == to_ || from < 0) {
    where_[c] = to_;
    return;
  }
  const std::size_t kind = kind_of(c);
  const ZoneInstance &left = program_.layout.instance[from], &entered = program_.layout.instance[to_];
  FiguredGame::Card& its = game_.cards[kind];
  const bool blind = left.owner < 0 && left.visible == 0, out_of_hand = is_hand_[static_cast<std::size_t>(from)] != 0,
             into_hand = is_hand_[to] != 0;
  const auto owner = static_cast<std::uint8_t>(entered.owner);
  if (blind && entered.owner >= 0) {
    Int& k = drawn_by_[owner];
    const auto draw = std::min<std::size_t>(FiguredGame::kDraws - 1, static_cast<std::size_t>(k++));
    const auto refills = std::min<std::size_t>(FiguredGame::kRefills - 1, static_cast<std::size_t>(refills_));
    ++its.drawn;
    game_.draws.push_back(
        {static_cast<std::uint16_t>(refills * FiguredGame::kDraws + draw), static_cast<std::uint16_t>(kind), owner});
  } else if (into_hand && entered.owner != left.owner) {
    ++its.taken;
  }
  // True if these are the first cards that a choice moves, and the player saw them: in a row of the table, or during a
  // draft in a hand that is passed to the next player.
  const bool chose = is_choice_ && entered.owner >= 0 && entered.owner == decider_ &&
                     (left.visible >> entered.owner & 1) != 0 && (left.owner != entered.owner || into_hand);
  if (chose) game_.choices.push_back({static_cast<std::uint16_t>(kind), owner});
  if (out_of_hand && !(into_hand && entered.owner == left.owner)) {
    if (by_action_ && decider_ == left.owner)
      ++its.played;
    else if (entered.owner < 0)
      ++its.discarded;
    ++its.left;
    its.turns += static_cast<std::uint64_t>(turn_ - since_[c]);
  }
  if (into_hand) since_[c] = turn_;
  --sizes_[static_cast<std::size_t>(from)];
  ++sizes_[to];
  where_[c] = to_;
}

void FigureReader::finish(FiguredGame& out) {
  end_turn();
  for (std::size_t c = 0; c < where_.size(); ++c)
    if (where_[c] >= 0 && is_hand_[static_cast<std::size_t>(where_[c])] != 0) ++game_.cards[kind_of(c)].held;
  std::swap(out, game_);
  begin();
}

}   // namespace cardwright::api::detail
