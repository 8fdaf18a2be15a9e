// What each player knows of hidden cards, as things happen. See knowledge.h for the model; views are made in view.cpp,
// other worlds in resample.cpp.
#include "runtime/knowledge.h"

#include "runtime/ops/knowledge.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"
#include "runtime/sinks.h"

namespace cardwright {

namespace {

Byte* where_at(Byte* s, const Layout& l, Int player, Int card) { return s + l.where + (player * l.card_ids + card) * l.where_bytes; }
Word hidden_mask(const Layout& l, Int instance) {
  const Int bit = l.instance[instance].hidden_bit;
  return bit < 0 ? 0 : Word{1} << bit;
}
bool sees(const Layout& l, Int player, Int instance) { return l.instance[instance].visible >> player & 1; }

class Knowledge {
 public:
  Knowledge(Byte* s, const Layout& l) : s_(s), l_(l) {}

  Word where(Int player, Int card) const { return read_bytes(where_at(s_, l_, player, card), l_.where_bytes); }
  bool knows(Int player, Int card) const { return knows_mask(s_, l_, card) >> player & 1; }

  // An empty mask means: known.
  void set(Int player, Int card, Word where) {
    write_bytes(where_at(s_, l_, player, card), l_.where_bytes, where);
    const Word mask = knows_mask(s_, l_, card), bit = Word{1} << player;
    write(s_ + l_.knows + 2 * card, static_cast<std::uint16_t>(where == 0 ? mask | bit : mask & ~bit));
  }
  void learn(Int player, Int card) { set(player, card, 0); }

  // f(where) for every card that the player does not know.
  template <class F>
  void change_unknown(Int player, F f) {
    switch (l_.where_bytes) {
      case 1: return change_row<std::uint8_t>(player, f);
      case 2: return change_row<std::uint16_t>(player, f);
      case 4: return change_row<std::uint32_t>(player, f);
      default: return change_row<std::uint64_t>(player, f);
    }
  }

  // The copies are alike, so which of them a player has seen is nobody's question: they change their histories.
  void exchange(Int player, Int a, Int b) {
    const Word of_a = where(player, a), of_b = where(player, b);
    set(player, a, of_b);
    set(player, b, of_a);
  }

 private:
  template <class T, class F>
  void change_row(Int player, F f) {
    Byte* row = where_at(s_, l_, player, 0);
    for (Int c = 0; c < l_.card_ids; ++c) write(row + c * Int{sizeof(T)}, static_cast<T>(f(Word{read<T>(row + c * Int{sizeof(T)})})));
  }
  Byte* s_;
  const Layout& l_;
};

template <class F>
void for_each_card(const Layout& l, const Word* cards, F f) {
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = cards[w]; rest != 0; rest &= rest - 1) f(64 * w + lowest_bit(rest));
}

// One move out of one zone, before it is made.
struct Move {
  const Word* cards;
  Int count, from, to;
  bool whole;                        // everything in `from`
  bool from_top;
  bool many_on_pile;                 // in an order that nobody sees
  bool by_choice;                    // neither drawn nor at random: some copy of what somebody named
};

// Of identical copies the rules move the lowest; for a player who knew another one of them, that one counts as gone.
void exchange_copies(const Program& program, Knowledge& k, const Byte* s, const Layout& l, Int player, const Move& move) {
  for_each_card(l, move.cards, [&](Int card) {
    if (k.knows(player, card)) return;
    const CardInfo& info = program.cards[static_cast<std::size_t>(card)];
    for (Int other = 0; other < static_cast<Int>(program.cards.size()); ++other) {
      const CardInfo& copy = program.cards[static_cast<std::size_t>(other)];
      if (copy.look_alike != info.look_alike || copy.kind != info.kind || s[l.location + other] != move.from) continue;
      if (has_bit(move.cards, other) || copy.label != info.label || copy.attributes != info.attributes) continue;
      if (k.knows(player, other)) return k.exchange(player, card, other);
    }
  });
}

// What follows from the sizes of zones: a zone whose cards are all accounted for holds no other; if no more cards may
// lie in a zone than it has room for, they do. Before a move that loosens what is known, nothing must be looser.
void tighten(Knowledge& k, const Byte* s, const Layout& l, Int player) {
  for (bool changed = true; changed;) {
    Int places[kMaxHidden] = {}, candidates[kMaxHidden] = {}, certain[kMaxHidden] = {};
    for (Int card = 0; card < l.card_ids; ++card) {
      const Word where = k.where(player, card);
      const Int at = s[l.location + card];
      if (where == 0 || at >= l.instances || l.instance[at].hidden_bit < 0) continue;
      ++places[l.instance[at].hidden_bit];
      if ((where & (where - 1)) == 0) ++certain[lowest_bit(where)];
      for (Word rest = where; rest != 0; rest &= rest - 1) ++candidates[lowest_bit(rest)];
    }
    Word full = 0, exact = 0;
    for (Int bit = 0; bit < l.hidden; ++bit) {
      if (candidates[bit] > certain[bit] && certain[bit] == places[bit]) full |= Word{1} << bit;
      if (candidates[bit] > certain[bit] && candidates[bit] == places[bit]) exact |= Word{1} << bit;
    }
    changed = false;
    for (Int card = 0; (full | exact) != 0 && card < l.card_ids; ++card) {
      const Word where = k.where(player, card);
      if ((where & (where - 1)) == 0) continue;             // known, or certain already
      const Word now = (where & exact) != 0 ? where & exact & (Word{0} - (where & exact)) : where & ~full;
      if (now == where || now == 0) continue;
      k.set(player, card, now);
      changed = true;
    }
  }
}

void forget_which(Knowledge& k, const Byte* s, const Layout& l, Int player, const Move& move, Word from, Word to) {
  if (!move.from_top)
    for (Int w = 0; w < l.words; ++w)
      for (Word rest = read<Word>(members_at(s, l, move.from) + 8 * w); rest != 0; rest &= rest - 1)
        if (const Int card = 64 * w + lowest_bit(rest); k.knows(player, card)) k.set(player, card, from);
  k.change_unknown(player, [=](Word where) { return where | ((where & from) != 0 ? to : 0); });
}

void note_for(Knowledge& k, const Program* program, const Byte* s, const Layout& l, Int player, const Move& move) {
  const Word from = hidden_mask(l, move.from), to = hidden_mask(l, move.to);
  const bool sees_to = sees(l, player, move.to);
  if (sees_to || sees(l, player, move.from)) {
    if (program != nullptr && move.by_choice) exchange_copies(*program, k, s, l, player, move);
    for_each_card(l, move.cards, [&](Int card) { k.set(player, card, !sees_to && move.many_on_pile ? to : 0); });
    return;
  }
  if (move.from == move.to) return;
  tighten(k, s, l, player);
  if (move.whole) {
    k.change_unknown(player, [=](Word where) { return (where & from) != 0 ? (where & ~from) | to : where; });
    if (move.many_on_pile)
      for_each_card(l, move.cards, [&](Int card) {
        if (k.knows(player, card)) k.set(player, card, to);
      });
    return;
  }
  // A known card on top of a pile is known where it goes to as well.
  bool known = move.from_top;
  for_each_card(l, move.cards, [&](Int card) { known = known && k.knows(player, card); });
  if (!known) {
    // Some of them may be known by their position, and stay so unless they come to an open one.
    forget_which(k, s, l, player, move, from, to);
  }
  if (move.many_on_pile && move.from_top)
    for_each_card(l, move.cards, [&](Int card) {
      if (k.knows(player, card)) k.set(player, card, to);
    });
}

void note_group(const Program* program, Byte* s, const Layout& l, const Word* cards, Int from, Int to, Int how) {
  Knowledge k(s, l);
  // Without an order there is no top: what is drawn may be any of them.
  Move move{cards, count_set(l, cards), from, to, false, (how & 2) != 0 && l.instance[from].ordered, false, (how & 3) == 0 && !l.instance[from].ordered};
  Int size = 0;
  for (Int w = 0; w < l.words; ++w) size += count_bits(read<Word>(members_at(s, l, from) + 8 * w));
  move.whole = move.count == size;
  // Several cards put on an ordered pile that somebody can't see into are in an order that is seen by nobody.
  move.many_on_pile = move.count > 1 && l.instance[to].ordered && l.instance[to].visible == 0;
  for (Int p = 0; p < l.players; ++p) note_for(k, program, s, l, p, move);
}

// In the bag of a pile nobody knows where a card lies, even who knows that it is there.
bool has_open_position(const Byte* s, const Layout& l, Int card) {
  const Int at = s[l.location + card];
  if (at == kNowhere || !l.instance[at].ordered) return false;
  const ZoneInstance& z = l.instance[at];
  Word bag[kMaxWords];
  read_set(s + z.bag, l, bag);
  return has_bit(bag, card) && count_set(l, bag) > 1;
}

void note_look(Byte* s, const Layout& l, Int player, const Word* cards) {
  Knowledge k(s, l);
  for_each_card(l, cards, [&](Int card) {
    if (!is_card(l, card) || s[l.location + card] == kNowhere) return;
    const Int at = s[l.location + card];
    k.set(player, card, has_open_position(s, l, card) && !sees(l, player, at) ? hidden_mask(l, at) : 0);
  });
}

}  // namespace

bool knows_card(const Layout& l, const Byte* s, Int player, Int card) { return player < 0 || (knows_mask(s, l, card) >> player & 1); }

Word where_card(const Layout& l, const Byte* s, Int player, Int card) {
  return read_bytes(s + l.where + (player * l.card_ids + card) * l.where_bytes, l.where_bytes);
}

bool knows_variable(const Program& program, const Byte* s, Int player, Int variable, Int index) {
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
  if (player < 0 || info.secret_first < 0) return true;
  return read<std::uint16_t>(s + program.layout.knows_variable + 2 * (info.secret_first + index)) >> player & 1;
}

namespace {

// The owner of an instance of a variable, or -1.
Int owner_of(const Program& program, Int variable, Int index) {
  if (!program.variable_infos[static_cast<std::size_t>(variable)].per_player) return -1;
  const Int each = program.variables[static_cast<std::size_t>(variable)].count / program.layout.players;
  return each > 0 ? index / each : -1;
}
void set_known_to(const Program& program, Byte* s, Int variable, Int index, Word mask) {
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
  write(s + program.layout.knows_variable + 2 * (info.secret_first + index), static_cast<std::uint16_t>(mask));
}

}  // namespace

void forget_all(const Program& program, Byte* s) {
  const Layout& l = program.layout;
  Knowledge k(s, l);
  for (Int card = 0; card < l.card_ids; ++card) {
    const Int at = s[l.location + card];
    const bool nowhere = at >= l.instances || !has_bit(l.all_cards, card);
    for (Int p = 0; p < l.players; ++p) k.set(p, card, nowhere || sees(l, p, at) ? 0 : hidden_mask(l, at));
  }
  for (std::size_t v = 0; v < program.variable_infos.size(); ++v) {
    if (program.variable_infos[v].secret_first < 0) continue;
    for (Int i = 0; i < program.variables[v].count; ++i) {
      const Int owner = owner_of(program, static_cast<Int>(v), i);
      set_known_to(program, s, static_cast<Int>(v), i, owner < 0 ? 0 : Word{1} << owner);
    }
  }
}

// ---- what operations tell

void cardwright_note_move(Game* g, Byte* s, const Layout* l, const Word* cards, Int from, Int to, Int how) {
  if (!is_instance(*l, to)) return;                       // the move itself will trap
  if (g->log != nullptr) g->log->moved(*g, s, cards, from, to, how);
  if (g->knowledge == 0) return;
  Word rest[kMaxWords];
  copy_words(*l, cards, rest);
  // Zone by zone: cards that come from several are several moves.
  for (;;) {
    Int first = kNone;
    Word group[kMaxWords] = {};
    for_each_card(*l, rest, [&](Int card) {
      const Int at = is_card(*l, card) ? s[l->location + card] : kNowhere;
      if (at == kNowhere) return clear_bit(rest, card);
      if (first == kNone) first = at;
      if (at == first) set_bit(group, card);
    });
    if (first == kNone) return;
    note_group(g->program, s, *l, group, first, to, how);
    for (Int w = 0; w < l->words; ++w) rest[w] &= ~group[w];
  }
}

void cardwright_note_refill(Game* g, Byte* s, const Layout* l, Int pile, Int from) {
  if (g->knowledge == 0) return;
  Knowledge k(s, *l);
  const Word old_place = hidden_mask(*l, from), new_place = hidden_mask(*l, pile);
  for (Int p = 0; p < l->players; ++p) {
    const bool sees_pile = sees(*l, p, pile);
    k.change_unknown(p, [=](Word where) { return (where & old_place) != 0 ? (where & ~old_place) | new_place : where; });
    for (Int w = 0; w < l->words; ++w)
      for (Word rest = read<Word>(members_at(s, *l, from) + 8 * w); rest != 0; rest &= rest - 1) {
        const Int card = 64 * w + lowest_bit(rest);
        if (sees_pile) k.learn(p, card);
        else if (k.knows(p, card)) k.set(p, card, new_place);
      }
  }
}

void cardwright_note_shuffle(Game* g, Byte* s, const Layout* l, Int pile) {
  if (g->knowledge == 0) return;
  Knowledge k(s, *l);
  for (Int w = 0; w < l->words; ++w)
    for (Word rest = read<Word>(members_at(s, *l, pile) + 8 * w); rest != 0; rest &= rest - 1)
      for (Int p = 0; p < l->players; ++p)
        if (const Int card = 64 * w + lowest_bit(rest); !sees(*l, p, pile) && k.knows(p, card)) k.set(p, card, hidden_mask(*l, pile));
}

void cardwright_note_reveal(Game* g, Byte* s, const Layout* l, const Word* cards) {
  if (g->log != nullptr) g->log->revealed(*g, s, cards);
  if (g->knowledge == 0) return;
  for (Int p = 0; p < l->players; ++p) note_look(s, *l, p, cards);
}

void cardwright_note_peek(Game* g, Byte* s, const Layout* l, Int player, const Word* cards) {
  if (static_cast<Word>(player) >= static_cast<Word>(l->players)) return;
  if (g->log != nullptr) g->log->peeked(*g, s, player, cards);
  if (g->knowledge != 0) note_look(s, *l, player, cards);
}

void cardwright_note_turn(Game* g, Byte* s, const Layout* l, const Word* cards, Int faceup) {
  if (faceup != 0) cardwright_note_reveal(g, s, l, cards);   // turned down, what was seen stays known
}

void cardwright_note_variable(Game* g, Byte* s, const Layout* l, Int offset, Int index, Int to_all) {
  const Program& program = *g->program;
  const Int variable = variable_by_offset(program, offset);
  if (variable < 0 || !has_index(program.variables[static_cast<std::size_t>(variable)], index)) return;
  if (g->log != nullptr) g->log->variable(*g, s, variable, index, to_all != 0);
  if (g->knowledge == 0 || program.variable_infos[static_cast<std::size_t>(variable)].secret_first < 0) return;
  const Int owner = owner_of(program, variable, index);
  set_known_to(program, s, variable, index, to_all ? (Word{1} << l->players) - 1 : owner < 0 ? 0 : Word{1} << owner);
}

Int cardwright_knows_value(Game* g, const Byte* s, const Layout* l, Int player, Int offset, Int index) {
  const Int variable = variable_by_offset(*g->program, offset);
  if (variable < 0 || static_cast<Word>(player) >= static_cast<Word>(l->players)) return 0;
  if (!has_index(g->program->variables[static_cast<std::size_t>(variable)], index)) return 0;
  return knows_variable(*g->program, s, player, variable, index);
}

}  // namespace cardwright
