// Computes the values of the standard measures in a game from the notes that its Program records.
#include "api/game/figure_reader.h"

#include <algorithm>
#include <utility>

#include "runtime/state/state.h"

namespace cardwright::api::detail {

FigureReader::FigureReader(const Program& program, GameSums& sums)
    : program_(program),
      sums_(sums),
      start_(program.cards.size(), -1),
      start_sizes_(static_cast<std::size_t>(program.layout.instances)),
      is_hand_(start_sizes_.size()),
      where_(start_.size()),
      sizes_(start_sizes_.size()),
      since_(start_.size()),
      drawn_by_(static_cast<std::size_t>(program.layout.players)),
      others_since_(drawn_by_.size()),
      decided_before_(drawn_by_.size()) {
  for (std::size_t m = 0; m < rows_.size(); ++m) rows_[m] = sums.row(program.measures.size() + m);
  for (const ActionInfo& action : program.actions) bases_.push_back(action.base);
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
  options_.clear();
  draws_.clear();
  choices_.clear();
  refills_ = 0;
  decider_ = turn_player_ = -1;
  turn_ = 0;
  by_action_ = is_open_ = was_chosen_ = is_choice_ = own_decision_ = false;
}

void FigureReader::read(const Note* from, const Note* to) {
  const GameSums::Row actions = rows_[standard::action_taken];
  for (const Note* note = from; note != to; ++note) switch (static_cast<NoteOf>(note->of)) {
      case kNoteOffered: actions.add(static_cast<std::size_t>(note->cell), 0); break;
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
  options_.push_back(options);
  add(standard::options, 0, options);
  if (turn_player_ >= 0) add(standard::turn_decisions, 0, 1, 0);
  if (player == turn_player_) add(standard::own_decisions, 0, 1, 0), own_decision_ = true;
  const auto who = static_cast<std::size_t>(player);
  if (decided_before_[who]) add(standard::waiting, 0, others_since_[who]);
  decided_before_[who] = 1;
  for (Int& others : others_since_) ++others;
  others_since_[who] = 0;
}

void FigureReader::chosen(Int id) {
  const auto after = std::upper_bound(bases_.begin(), bases_.end(), id);
  if (after == bases_.begin()) return;
  const auto action = static_cast<std::size_t>(after - bases_.begin()) - 1;
  add(standard::action_taken, action, 1, 0);
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
  for (const standard::Index measure : {standard::turn_decisions, standard::own_decisions}) add(measure, 0, 0);
  add(standard::dead_turns, 0, !own_decision_);
}

// Handles the refill of an empty pile: all cards of the zone that refills it move to the pile.
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
  const bool blind = left.owner < 0 && left.visible == 0, out_of_hand = is_hand_[static_cast<std::size_t>(from)] != 0,
             into_hand = is_hand_[to] != 0;
  const auto owner = static_cast<std::uint8_t>(entered.owner);
  if (blind && entered.owner >= 0) {
    Int& k = drawn_by_[owner];
    const auto draw = std::min<std::size_t>(CardDraw::kDraws - 1, static_cast<std::size_t>(k++));
    const auto refills = std::min<std::size_t>(CardDraw::kRefills - 1, static_cast<std::size_t>(refills_));
    add(standard::card_drawn, kind, 1);
    draws_.push_back(
        {static_cast<std::uint16_t>(refills * CardDraw::kDraws + draw), static_cast<std::uint16_t>(kind), owner});
  } else if (into_hand && entered.owner != left.owner) {
    add(standard::card_taken, kind, 1);
  }
  // True if these are the first cards that a choice moves, and the player could see them before: in a row on the table,
  // or in a hand that is passed on during a draft.
  const bool chose = is_choice_ && entered.owner >= 0 && entered.owner == decider_ &&
                     (left.visible >> entered.owner & 1) != 0 && (left.owner != entered.owner || into_hand);
  if (chose) choices_.push_back({static_cast<std::uint16_t>(kind), owner});
  if (out_of_hand && !(into_hand && entered.owner == left.owner)) {
    if (by_action_ && decider_ == left.owner)
      add(standard::card_played, kind, 1);
    else if (entered.owner < 0)
      add(standard::card_discarded, kind, 1);
    add(standard::card_turns, kind, turn_ - since_[c]);
  }
  if (into_hand) since_[c] = turn_;
  --sizes_[static_cast<std::size_t>(from)];
  ++sizes_[to];
  where_[c] = to_;
}

void FigureReader::add_tenths() {
  constexpr std::size_t kTenths = 10;
  for (std::size_t tenth = 0, i = 0; tenth < kTenths; ++tenth) {
    // First decision of the next tenth.
    const std::size_t end = ((tenth + 1) * options_.size() + kTenths - 1) / kTenths;
    for (; i < end; ++i) add(standard::options_by_tenth, tenth, options_[i]);
  }
}

void FigureReader::finish(std::uint64_t winners, MeasuredGame& out) {
  end_turn();
  const std::size_t taken = program_.measures.size() + standard::action_taken;
  for (const NotedCell& action : sums_.touched(taken))
    add(standard::action_offered, action.cell, sums_.at(taken, action.cell).count);
  for (std::size_t c = 0; c < where_.size(); ++c)
    if (where_[c] >= 0 && is_hand_[static_cast<std::size_t>(where_[c])] != 0) add(standard::card_held, kind_of(c), 1);
  for (const Choice& choice : choices_)
    add(standard::card_chosen, choice.kind, static_cast<std::int64_t>(winners >> choice.player & 1));
  add_tenths();
  out.options.swap(options_);
  out.draws.swap(draws_);
  begin();
}

}   // namespace cardwright::api::detail
