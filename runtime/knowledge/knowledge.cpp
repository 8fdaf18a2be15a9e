// Tracks what each player knows about hidden cards and variables while a game runs. knowledge.h describes the model;
// api/view and resample.cpp use it to create views and to sample worlds.
#include "runtime/knowledge/knowledge.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/ops/knowledge.h"
#include "runtime/ops/sinks.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright {

namespace {

Word mask_of(Int bit) { return bit < 0 ? 0 : Word{1} << bit; }
// hidden_mask() returns the hidden place of those cards in the instance that were not arranged. all_hidden() returns
// all hidden places of the instance.
Word hidden_mask(const Layout& l, Int instance) { return mask_of(l.instance[instance].hidden_bit); }
Word all_hidden(const Layout& l, Int instance) {
  return hidden_mask(l, instance) | mask_of(l.instance[instance].arranged_bit);
}
Word arranged_word(const Layout& l, const Byte* s, Int instance, Int w) {
  return l.instance[instance].arranged_bit < 0
             ? 0
             : read<Word>(s + l.arranged + 8 * w) & read<Word>(members_at(s, l, instance) + 8 * w);
}
bool sees(const Layout& l, Int player, Int instance) { return l.instance[instance].visible >> player & 1; }
constexpr Int kMaxNumbers = 1 << kMaxPlanes;
Int first_of(const Word* cards) {   // the set must not be empty
  Int w = 0;
  while (cards[w] == 0) ++w;
  return 64 * w + lowest_bit(cards[w]);
}
bool is_one_bit(Word mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

// The knowledge of one player.
class Knowledge {
 public:
  Knowledge(Byte* s, const Layout& l, Int player) : s_(s), l_(l), player_(player) {}

  bool knows(Int card) const { return !stored_has(unknown_at(s_, l_, player_), l_, card); }
  Word where(Int card) const { return knows(card) ? 0 : places(number(card), player_); }
  void unknown(Word* out) const { read_set(unknown_at(s_, l_, player_), l_, out); }
  // Finds the cards of the set that the player knows.
  void known(const Word* cards, Word* out) const {
    Word hidden[kMaxWords];
    unknown(hidden);
    for (Int w = 0; w < l_.words; ++w) out[w] = cards[w] & ~hidden[w];
  }
  Int numbers() const { return Int{1} << l_.where_planes; }
  // unknown_of() finds the cards with this number that the player does not know; places() returns their possible
  // places.
  bool unknown_of(Int number, Word* out) const { return unknown_of(number, player_, out); }
  Word places(Int number) const { return places(number, player_); }
  void set_places(Int number, Word where) { set_places(number, player_, where); }

  // Counts the cards with each number that the player does not know.
  void count(Int* of_number) const {
    for (Int number = 0; number < numbers(); ++number) of_number[number] = 0;
    for (Int w = 0; w < l_.words; ++w) {
      Word parts[kMaxNumbers];
      parts[0] = read<Word>(unknown_at(s_, l_, player_) + 8 * w);
      if (parts[0] == 0) continue;
      for (Int bit = 0, n = 1; bit < l_.where_planes; ++bit, n *= 2) {
        const Word of_bit = read<Word>(plane(bit) + 8 * w);
        for (Int i = 0; i < n; ++i) {
          parts[n + i] = parts[i] & of_bit;
          parts[i] &= ~of_bit;
        }
      }
      for (Int number = 0; number < numbers(); ++number)
        if (parts[number] != 0) of_number[number] += count_bits(parts[number]);
    }
  }
  // Counts the cards in that hidden place that the player does not know.
  Int count_in(Int bit) const {
    const Int instance = l_.hidden_instance[bit];
    const bool arranged = l_.instance[instance].arranged_bit == bit;
    Int count = 0;
    for (Int w = 0; w < l_.words; ++w) {
      const Word apart = arranged_word(l_, s_, instance, w),
                 there = arranged ? apart : read<Word>(members_at(s_, l_, instance) + 8 * w) & ~apart;
      count += count_bits(read<Word>(unknown_at(s_, l_, player_) + 8 * w) & there);
    }
    return count;
  }
  bool knows_all(const Word* cards) const {
    Word some[kMaxWords];
    copy_words(l_, cards, some);
    return !reduce_to_unknown(player_, some);
  }

  // Sets the possible places of these cards; an empty mask makes the cards known.
  void set(const Word* cards, Word where) {
    if (!any_in_set(l_, cards)) return;
    Byte* const at = unknown_at(s_, l_, player_);
    for (Int w = 0; w < l_.words; ++w) {
      const Word hidden = read<Word>(at + 8 * w);
      write(at + 8 * w, where == 0 ? hidden & ~cards[w] : hidden | cards[w]);
    }
    if (where == 0) return;
    Word rest[kMaxWords], some[kMaxWords];
    copy_words(l_, cards, rest);
    while (any_in_set(l_, rest)) {
      const Int its = number(first_of(rest));
      members(its, some);
      for (Int w = 0; w < l_.words; ++w) {
        some[w] &= rest[w];
        rest[w] &= ~some[w];
      }
      set_of_number(its, some, where);
    }
  }
  void set(Int card, Word where) {
    Word cards[kMaxWords];
    clear_set(l_, cards);
    set_bit(cards, card);
    set(cards, where);
  }

  // Replaces `where` by f(where) for all cards that the player does not know.
  template <class F>
  void change_unknown(F f) {
    for (Int number = 0; number < numbers(); ++number)
      if (const Word where = places(number); where != 0) set_places(number, f(where));
  }

  // Exchanges the knowledge of two identical copies. A player cannot distinguish them, so either may be the one that
  // was seen.
  void exchange(Int a, Int b) {
    const Word of_a = where(a), of_b = where(b);
    set(a, of_b);
    set(b, of_a);
  }

 private:
  Byte* plane(Int bit) const { return s_ + l_.where + 8 * l_.words * bit; }
  Byte* places_at(Int number, Int player) const {
    return s_ + l_.places + (number * l_.players + player) * l_.where_bytes;
  }
  Word places(Int number, Int player) const { return read_bytes(places_at(number, player), l_.where_bytes); }
  void set_places(Int number, Int player, Word where) { write_bytes(places_at(number, player), l_.where_bytes, where); }
  Int number(Int card) const {
    Int number = 0;
    for (Int bit = 0; bit < l_.where_planes; ++bit) number |= Int{stored_has(plane(bit), l_, card)} << bit;
    return number;
  }
  void members(Int number, Word* out) const {
    for (Int w = 0; w < l_.words; ++w) {
      out[w] = ~Word{0};
      for (Int bit = 0; bit < l_.where_planes; ++bit) {
        const Word of_bit = read<Word>(plane(bit) + 8 * w);
        out[w] &= (number >> bit & 1) != 0 ? of_bit : ~of_bit;
      }
    }
  }
  bool unknown_of(Int number, Int player, Word* out) const {
    members(number, out);
    return reduce_to_unknown(player, out);
  }
  bool reduce_to_unknown(Int player, Word* cards) const {
    for (Int w = 0; w < l_.words; ++w) cards[w] &= read<Word>(unknown_at(s_, l_, player) + 8 * w);
    return any_in_set(l_, cards);
  }

  // Sets the possible places of cards with this number, which the player does not know.
  void set_of_number(Int number, const Word* cards, Word where) {
    if (places(number) == where) return;
    Word all[kMaxWords];
    unknown_of(number, all);
    if (is_subset(all, cards)) return set_places(number, where);
    Word need[kMaxPlayers] = {};   // by player: the possible places of those cards that the player does not know
    for (Int p = 0; p < l_.players; ++p) {
      Word unknown[kMaxWords];
      copy_words(l_, cards, unknown);
      if (reduce_to_unknown(p, unknown)) need[p] = p == player_ ? where : places(number, p);
    }
    move_to(number_for(need), cards, need);
  }
  bool is_subset(const Word* some, const Word* all) const {
    Word beyond = 0;
    for (Int w = 0; w < l_.words; ++w) beyond |= some[w] & ~all[w];
    return beyond == 0;
  }
  void move_to(Int number, const Word* cards, const Word* need) {
    for (Int p = 0; p < l_.players; ++p) {
      Word unknown[kMaxWords];
      if (need[p] != 0) set_places(number, p, unknown_of(number, p, unknown) ? places(number, p) | need[p] : need[p]);
    }
    for (Int bit = 0; bit < l_.where_planes; ++bit)
      for (Int w = 0; w < l_.words; ++w) {
        const Word old = read<Word>(plane(bit) + 8 * w);
        write(plane(bit) + 8 * w, (number >> bit & 1) != 0 ? old | cards[w] : old & ~cards[w]);
      }
  }

  // Returns how much knowledge is lost if cards with the possible places `need` get this number: for each player, the
  // number of possible places that these cards, or those that already have the number, gain.
  Int loss(Int number, const Word* need) const {
    Int loss = 0;
    for (Int p = 0; p < l_.players; ++p) {
      Word unknown[kMaxWords];
      if (need[p] != 0 && unknown_of(number, p, unknown)) loss += count_bits(places(number, p) ^ need[p]);
    }
    return loss;
  }
  // Returns the number with the least loss. If no number is free of loss, first merges numbers with equal places.
  Int number_for(const Word* need) {
    const Int best = most_alike(need);
    return loss(best, need) > 0 && tidy() ? most_alike(need) : best;
  }
  Int most_alike(const Word* need) const {
    Int best = 0, least = loss(best, need);
    for (Int number = 1; number < numbers() && least > 0; ++number)
      if (const Int its = loss(number, need); its < least) best = number, least = its;
    return best;
  }
  bool tidy() {
    bool any = false;
    for (Int number = 1; number < numbers(); ++number) {
      Word cards[kMaxWords], need[kMaxPlayers] = {};
      members(number, cards);
      if (!any_in_set(l_, cards)) continue;
      for (Int p = 0; p < l_.players; ++p)
        if (Word unknown[kMaxWords]; unknown_of(number, p, unknown)) need[p] = places(number, p);
      for (Int other = 0; other < number; ++other)
        if (loss(other, need) == 0) {
          move_to(other, cards, need);
          any = true;
          break;
        }
    }
    return any;
  }

  Byte* s_;
  const Layout& l_;
  const Int player_;
};

template <class F>
void for_each_card(const Layout& l, const Word* cards, F f) {
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = cards[w]; rest != 0; rest &= rest - 1) f(64 * w + lowest_bit(rest));
}

// Exchanges a moved card with an identical copy if only the copy is known. Among identical copies the rules move the
// lowest id, but if a player knew another copy, that copy is treated as the moved card. `unknown` are the moved cards
// that the player does not know, and `others` the known cards that do not move.
template <class F>
void exchange_copies(const Program& program, const Layout& l, const Word* unknown, Word* others, F exchange) {
  if (!any_in_set(l, others)) return;
  for_each_card(l, unknown, [&](Int card) {
    const CardInfo& info = program.cards[static_cast<std::size_t>(card)];
    Int copy = kNone;
    for_each_card(l, others, [&](Int other) {
      const CardInfo& its = program.cards[static_cast<std::size_t>(other)];
      const bool same = its.look_alike == info.look_alike && its.kind == info.kind && its.label == info.label &&
                        its.attributes == info.attributes;
      if (copy == kNone && same) copy = other;
    });
    if (copy == kNone) return;
    exchange(card, copy);
    clear_bit(others, copy);
  });
}
void exchange_copies(const Program& program, Knowledge& k, const Byte* s, const Layout& l, const Move& move) {
  Word unknown[kMaxWords], others[kMaxWords];
  k.unknown(unknown);
  read_set(members_at(s, l, move.from), l, others);
  for (Int w = 0; w < l.words; ++w) {
    others[w] &= ~move.cards[w] & ~unknown[w];
    unknown[w] &= move.cards[w];
  }
  exchange_copies(program, l, unknown, others, [&](Int card, Int copy) { k.exchange(card, copy); });
}

// Draws conclusions from the sizes of zones: if all cards in a zone are known, no other card is there; and if exactly
// as many cards can be in a zone as it has unknown cards, all of them are in it. Runs before a move, because the move
// makes the knowledge less precise.
void tighten(Knowledge& k) {
  struct Alike {
    Int number, count;
    Word where;
  };   // the cards with one number that the player does not know
  Alike all[kMaxNumbers];
  Int size = 0, of_number[kMaxNumbers];
  Word open = 0;   // all places of cards that have more than one possible place
  k.count(of_number);
  for (Int number = 0; number < k.numbers(); ++number) {
    if (of_number[number] == 0) continue;
    all[size++] = {number, of_number[number], k.places(number)};
    if (!is_one_bit(all[size - 1].where)) open |= all[size - 1].where;
  }
  if (open == 0) return;
  // By place: the number of its unknown cards; how many of these are not certain to be there; and the number of cards
  // for which it is one of several possible places.
  Int room[kMaxHidden], free[kMaxHidden], wanted[kMaxHidden];
  for (Word rest = open; rest != 0; rest &= rest - 1) room[lowest_bit(rest)] = k.count_in(lowest_bit(rest));
  for (bool changed = true; changed;) {
    for (Word rest = open; rest != 0; rest &= rest - 1)
      free[lowest_bit(rest)] = room[lowest_bit(rest)], wanted[lowest_bit(rest)] = 0;
    for (const Alike* a = all; a < all + size; ++a) {
      if (is_one_bit(a->where)) {
        if ((a->where & open) != 0) free[lowest_bit(a->where)] -= a->count;
      } else {
        for (Word rest = a->where; rest != 0; rest &= rest - 1) wanted[lowest_bit(rest)] += a->count;
      }
    }
    Word full = 0, exact = 0;
    for (Word rest = open; rest != 0; rest &= rest - 1) {
      const Int bit = lowest_bit(rest);
      if (wanted[bit] > 0 && free[bit] == 0) full |= Word{1} << bit;
      if (wanted[bit] > 0 && free[bit] == wanted[bit]) exact |= Word{1} << bit;
    }
    changed = false;
    for (Alike* a = all; (full | exact) != 0 && a < all + size; ++a) {
      if (is_one_bit(a->where)) continue;   // place already certain
      const Word now = (a->where & exact) != 0 ? a->where & exact & (Word{0} - (a->where & exact)) : a->where & ~full;
      if (now == a->where || now == 0) continue;
      k.set_places(a->number, a->where = now);
      changed = true;
    }
  }
}

void forget_which(Knowledge& k, const Byte* s, const Layout& l, const Move& move, Word from, Word to) {
  if (!move.from_top) {
    Word there[kMaxWords];
    read_set(members_at(s, l, move.from), l, there);
    k.known(there, there);
    k.set(there, from);
  }
  k.change_unknown([=](Word where) { return where | ((where & from) != 0 ? to : 0); });
}

// Returns the hidden places from which the cards move. All players know which cards are arranged.
Word left_places(const Byte* s, const Layout& l, const Move& move) {
  if (l.instance[move.from].arranged_bit < 0 || takes_all(s, l, move)) return all_hidden(l, move.from);
  Word arranged = 0, others = 0;
  for (Int w = 0; w < l.words; ++w) {
    arranged |= move.cards[w] & arranged_word(l, s, move.from, w);
    others |= move.cards[w] & ~arranged_word(l, s, move.from, w);
  }
  return (arranged != 0 ? mask_of(l.instance[move.from].arranged_bit) : 0) |
         (others != 0 ? hidden_mask(l, move.from) : 0);
}
void take_out_of_arranged(Byte* s, const Layout& l, const Word* cards) {
  for (Int w = 0; w < l.words; ++w) write(s + l.arranged + 8 * w, read<Word>(s + l.arranged + 8 * w) & ~cards[w]);
}
// Makes arranged cards ordinary cards of the zone.
void forget_arranged(Byte* s, const Layout& l, Int instance) {
  const Word arranged = mask_of(l.instance[instance].arranged_bit), there = hidden_mask(l, instance);
  if (arranged == 0) return;
  for (Int p = 0; p < l.players; ++p)
    Knowledge(s, l, p).change_unknown(
        [=](Word where) { return (where & arranged) != 0 ? (where & ~arranged) | there : where; });
  Word members[kMaxWords];
  read_set(members_at(s, l, instance), l, members);
  take_out_of_arranged(s, l, members);
}

void note_for(Knowledge& k, const Program* program, const Byte* s, const Layout& l, Int player, const Move& move) {
  const Word from = left_places(s, l, move), to = hidden_mask(l, move.to);
  const bool sees_to = sees(l, player, move.to);
  if (sees_to || sees(l, player, move.from)) {
    if (!move.many_on_pile && k.knows_all(move.cards)) return;
    if (program != nullptr && move.by_choice) exchange_copies(*program, k, s, l, move);
    return k.set(move.cards, !sees_to && move.many_on_pile ? to : 0);
  }
  if (move.from == move.to) return;
  Word known[kMaxWords];
  k.known(move.cards, known);
  if (takes_all(s, l, move)) {
    k.change_unknown([=](Word where) { return (where & from) != 0 ? (where & ~from) | to : where; });
    if (move.many_on_pile) k.set(known, to);
    return;
  }
  // If the cards come from the top of a pile, the known ones stay known at their destination, unless they form a hidden
  // order there. Otherwise, the player does not know which cards moved.
  if (!move.from_top || count_set(l, known) < move.count) forget_which(k, s, l, move, from, to);
  if (move.many_on_pile && move.from_top) k.set(known, to);
}

// Records a move of cards out of one zone. `is_whole` is true if these are all cards of the move, so that the sizes of
// zones match the knowledge.
void note_group(Game& g, Byte* s, const Layout& l, const Word* cards, Int from, Int to, Int how, bool is_whole) {
  if (g.knowledge == kUnknownOnly) return note_unknown_move(g, s, l, cards, from, to, how);
  const Move move = move_out_of(s, l, cards, from, to, how);
  // In these cases, players do not know which of the arranged cards moved.
  if (from == to || !(move.from_top || takes_all(s, l, move))) forget_arranged(s, l, from);
  for (Int p = 0; p < l.players; ++p) {
    Knowledge k(s, l, p);
    if (is_whole && from != to && !sees(l, p, from) && !sees(l, p, to)) tighten(k);
    note_for(k, g.program, s, l, p, move);
  }
  if (l.instance[from].arranged_bit >= 0) take_out_of_arranged(s, l, cards);
}

// Marks the cards as unknown or known, in the mode kUnknownOnly.
void set_unknown(Byte* s, const Layout& l, Int player, const Word* cards, bool is_unknown) {
  Byte* const at = unknown_at(s, l, player);
  for (Int w = 0; w < l.words; ++w) {
    const Word old = read<Word>(at + 8 * w);
    write(at + 8 * w, is_unknown ? old | cards[w] : old & ~cards[w]);
  }
}

// Returns true for a card in the bag of a pile: its position is unknown even to a player who knows that it is in the
// pile.
bool has_open_position(const Byte* s, const Layout& l, Int card) {
  const Int at = find_zone(s, l, card);
  if (at == kNone || !l.instance[at].ordered) return false;
  Word bag[kMaxWords];
  read_bag(s, l, at, bag);
  return has_bit(bag, card) && count_set(l, bag) > 1;
}

void note_look(Game& g, Byte* s, const Layout& l, Int player, const Word* cards) {
  Knowledge k(s, l, player);
  for_each_card(l, cards, [&](Int card) {
    const Int at = is_card(l, card) ? find_zone(s, l, card) : kNone;
    if (at == kNone) return;
    const bool open = has_open_position(s, l, card) && !sees(l, player, at);
    if (g.knowledge == kUnknownOnly)
      return open ? add_to_stored(unknown_at(s, l, player), l, card)
                  : remove_from_stored(unknown_at(s, l, player), l, card);
    k.set(card, open ? hidden_mask(l, at) : 0);
  });
}

}   // namespace

bool knows_card(const Layout& l, const Byte* s, Int observer, Int card) {
  if (observer >= 0) return !stored_has(unknown_at(s, l, observer), l, card);
  for (Int p = 0; p < l.players && observer == kKnowsCommon; ++p)
    if (stored_has(unknown_at(s, l, p), l, card)) return false;
  return true;
}

Word where_card(const Layout& l, const Byte* s, Int player, Int card) {
  return Knowledge(const_cast<Byte*>(s), l, player).where(card);
}

Int hidden_place(const Layout& l, const Byte* s, Int card, Int instance) {
  const ZoneInstance& z = l.instance[instance];
  return z.arranged_bit >= 0 && stored_has(s + l.arranged, l, card) ? z.arranged_bit : z.hidden_bit;
}

void exchange_knowledge(const Layout& l, Byte* s, Int but, std::span<const Int> becomes) {
  std::vector<std::pair<Word, Int>> known_as[kMaxPlayers];   // pairs of possible places and the card that gets them
  for (Int p = 0; p < l.players; ++p) {
    if (p == but) continue;
    for (Int w = 0; w < l.words; ++w)
      for (Word rest = read<Word>(unknown_at(s, l, p) + 8 * w); rest != 0; rest &= rest - 1)
        if (const Int card = 64 * w + lowest_bit(rest); where_card(l, s, p, card) != 0)
          known_as[p].emplace_back(where_card(l, s, p, card), becomes[static_cast<std::size_t>(card)]);
    std::sort(known_as[p].begin(), known_as[p].end());
  }
  for (Int p = 0; p < l.players; ++p)   // cleared for all players first, so that numbers do not run out meanwhile
    if (p != but) std::memset(unknown_at(s, l, p), 0, static_cast<std::size_t>(8 * l.words));
  for (Int p = 0; p < l.players; ++p)
    for (auto at = known_as[p].begin(); at != known_as[p].end();) {
      Word cards[kMaxWords];
      clear_set(l, cards);
      const Word where = at->first;
      for (; at != known_as[p].end() && at->first == where; ++at) set_bit(cards, at->second);
      Knowledge(s, l, p).set(cards, where);
    }
}

namespace {

// Returns the offset of the mask of players who know a secret variable. All values of a list have one mask, stored at
// its first index.
Int knowledge_of(const Program& program, Int variable, Int index) {
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
  return program.layout.knows_variable + 2 * (info.secret_first + (info.list > 0 ? index - index % info.run() : index));
}
Word known_to(const Program& program, const Byte* s, Int variable, Int index) {
  return read<std::uint16_t>(s + knowledge_of(program, variable, index));
}

}   // namespace

bool knows_variable(const Program& program, const Byte* s, Int observer, Int variable, Int index) {
  if (observer == kKnowsAll || program.variable_infos[static_cast<std::size_t>(variable)].secret_first < 0) return true;
  const Word informed = known_to(program, s, variable, index), everybody = (Word{1} << program.layout.players) - 1;
  return observer == kKnowsCommon ? (informed & everybody) == everybody : (informed >> observer & 1) != 0;
}

namespace {

// Returns the owner who knows an instance of a secret variable from the start, or -1.
Int knowing_owner(const Program& program, Int variable, Int index) {
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
  if (!info.per_player || !info.owner_knows) return -1;
  const Int each = program.variables[static_cast<std::size_t>(variable)].count / program.layout.players;
  return each > 0 ? index / each : -1;
}
void set_known_to(const Program& program, Byte* s, Int variable, Int index, Word mask) {
  write(s + knowledge_of(program, variable, index), static_cast<std::uint16_t>(mask));
}

}   // namespace

void forget_all(const Program& program, Byte* s) {
  const Layout& l = program.layout;
  std::memset(s + l.unknown, 0, static_cast<std::size_t>(8 * l.words * l.players));
  std::memset(s + l.where, 0, static_cast<std::size_t>(l.size - l.where));
  for (Int p = 0; p < l.players; ++p)
    for (Int bit = 0; bit < l.hidden; ++bit) {
      const Int at = l.hidden_instance[bit];
      if (bit == l.instance[at].arranged_bit) continue;   // no card has been arranged
      Word there[kMaxWords];
      read_set(members_at(s, l, at), l, there);
      if (!sees(l, p, at) && any_in_set(l, there)) Knowledge(s, l, p).set(there, hidden_mask(l, at));
    }
  for (std::size_t v = 0; v < program.variable_infos.size(); ++v) {
    if (program.variable_infos[v].secret_first < 0) continue;
    for (Int i = 0; i < program.variables[v].count; ++i) {
      const Int owner = knowing_owner(program, static_cast<Int>(v), i);
      set_known_to(program, s, static_cast<Int>(v), i, owner < 0 ? 0 : Word{1} << owner);
    }
  }
}

// ---- notifications from operations

void cardwright_note_move(Game* g, Byte* s, const Layout* l, const Word* cards, Int from, Int to, Int how) {
  if (!is_instance(*l, to)) return;   // the move itself will trap
  if (g->log != nullptr) g->log->moved(*g, s, cards, from, to, how);
  if (g->knowledge == 0 || !any_in_set(*l, cards)) return;
  Word rest[kMaxWords];
  if (is_instance(*l, from)) {
    read_set(members_at(s, *l, from), *l, rest);
    if (op_set_within(*g, s, *l, cards, rest)) return note_group(*g, s, *l, cards, from, to, how, true);
  }
  copy_words(*l, cards, rest);
  // Cards from several zones are recorded as one move for each zone. The sizes of zones are used only before the first
  // of these, because no card is in its new zone until all moves have been recorded.
  for (Int p = 0; p < l->players && g->knowledge != kUnknownOnly; ++p) {
    Knowledge k(s, *l, p);
    tighten(k);
  }
  for (Int card; (card = op_set_first(*g, s, *l, rest)) != kNone;) {
    const Int at = is_card(*l, card) ? find_zone(s, *l, card) : kNone;
    if (at == kNone) {
      clear_bit(rest, card);
      continue;
    }
    Word group[kMaxWords];
    read_set(members_at(s, *l, at), *l, group);
    for (Int w = 0; w < l->words; ++w) group[w] &= rest[w], rest[w] &= ~group[w];
    note_group(*g, s, *l, group, at, to, how, false);
  }
}

void cardwright_exchange_unknown(Game* g, Byte* s, const Layout* l, Int player, const Word* cards, Int from) {
  Byte* const at = unknown_at(s, *l, player);
  Word unknown[kMaxWords], others[kMaxWords];
  read_set(members_at(s, *l, from), *l, others);
  for (Int w = 0; w < l->words; ++w) {
    const Word hidden = read<Word>(at + 8 * w);
    others[w] &= ~cards[w] & ~hidden;
    unknown[w] = cards[w] & hidden;
  }
  exchange_copies(*g->program, *l, unknown, others, [&](Int, Int copy) { add_to_stored(at, *l, copy); });
}

void cardwright_note_refill(Game* g, Byte* s, const Layout* l, Int pile, Int from) {
  if (g->knowledge == 0 || (g->knowledge == kUnknownOnly && !is_asked(*l, pile))) return;
  const Word old_place = all_hidden(*l, from), new_place = hidden_mask(*l, pile);
  for (Int p = 0; p < l->players; ++p) {
    Knowledge k(s, *l, p);
    Word cards[kMaxWords];
    read_set(members_at(s, *l, from), *l, cards);
    const bool sees_pile = sees(*l, p, pile);
    if (g->knowledge == kUnknownOnly) {
      set_unknown(s, *l, p, cards, !sees_pile);
      continue;
    }
    if (!sees_pile) k.known(cards, cards);
    k.change_unknown([=](Word where) { return (where & old_place) != 0 ? (where & ~old_place) | new_place : where; });
    k.set(cards, sees_pile ? 0 : new_place);
  }
  if (g->knowledge == kUnknownOnly || l->instance[from].arranged_bit < 0) return;
  Word gone[kMaxWords];
  read_set(members_at(s, *l, from), *l, gone);
  take_out_of_arranged(s, *l, gone);
}

void cardwright_note_shuffle(Game* g, Byte* s, const Layout* l, Int pile) {
  if (g->knowledge == 0 || (g->knowledge == kUnknownOnly && !is_asked(*l, pile))) return;
  if (g->knowledge != kUnknownOnly) forget_arranged(s, *l, pile);
  for (Int p = 0; p < l->players; ++p) {
    if (sees(*l, p, pile)) continue;
    Knowledge k(s, *l, p);
    Word cards[kMaxWords];
    read_set(members_at(s, *l, pile), *l, cards);
    if (g->knowledge == kUnknownOnly) {
      set_unknown(s, *l, p, cards, true);
      continue;
    }
    k.known(cards, cards);
    k.set(cards, hidden_mask(*l, pile));
  }
}

void cardwright_note_reveal(Game* g, Byte* s, const Layout* l, const Word* cards) {
  if (g->log != nullptr) g->log->revealed(*g, s, cards);
  if (g->knowledge == 0) return;
  for (Int p = 0; p < l->players; ++p) note_look(*g, s, *l, p, cards);
}

void cardwright_note_peek(Game* g, Byte* s, const Layout* l, Int player, const Word* cards) {
  if (static_cast<Word>(player) >= static_cast<Word>(l->players)) return;
  if (g->log != nullptr) g->log->peeked(*g, s, player, cards);
  if (g->knowledge != 0) note_look(*g, s, *l, player, cards);
}

namespace {

// Marks the cards as arranged, so that they form a separate hidden place. For a player who does not see them,
// previously known cards are now at unknown positions among the arranged cards, and any unknown card of the zone may
// also be among them.
void note_arranged(Byte* s, const Layout& l, Int side, Int who, const Word* cards) {
  const Word there = hidden_mask(l, side), arranged = mask_of(l.instance[side].arranged_bit);
  for (Int p = 0; p < l.players; ++p) {
    if (p == who || sees(l, p, side)) continue;
    Knowledge k(s, l, p);
    Word known[kMaxWords];
    k.known(cards, known);
    k.change_unknown([=](Word where) { return where | ((where & there) != 0 ? arranged : 0); });
    k.set(known, arranged != 0 ? arranged : there);
  }
  if (arranged == 0) return;
  for (Int w = 0; w < l.words; ++w) write(s + l.arranged + 8 * w, read<Word>(s + l.arranged + 8 * w) | cards[w]);
}

}   // namespace

void cardwright_note_arrange(Game* g, Byte* s, const Layout* l, const Word* cards, Int pile, Int who, Int behind) {
  if (!is_instance(*l, pile) || static_cast<Word>(who) >= static_cast<Word>(l->players)) return;
  if (behind != 0) {
    if (g->log != nullptr) g->log->arranged(*g, s, who, pile, cards);
    return;
  }
  for (const Int side : {pile, l->instance[pile].other_side}) {
    if (side < 0 || g->knowledge == 0 || (g->knowledge == kUnknownOnly && !is_asked(*l, side))) continue;
    Word there[kMaxWords];
    read_set(members_at(s, *l, side), *l, there);
    for (Int w = 0; w < l->words; ++w) there[w] &= cards[w];
    if (g->knowledge != kUnknownOnly) {
      note_arranged(s, *l, side, who, there);
      continue;
    }
    for (Int p = 0; p < l->players; ++p)
      if (p != who && !sees(*l, p, side)) set_unknown(s, *l, p, there, true);
  }
}

void cardwright_note_turn(Game* g, Byte* s, const Layout* l, const Word* cards, Int faceup) {
  if (faceup != 0) cardwright_note_reveal(g, s, l, cards);   // cards turned face down stay known
}

void cardwright_note_variable(Game* g, Byte* s, const Layout* l, Int offset, Int index, Int to_all) {
  const Program& program = *g->program;
  const Int variable = variable_by_offset(program, offset);
  if (variable < 0 || !has_index(program.variables[static_cast<std::size_t>(variable)], index)) return;
  if (g->log != nullptr) g->log->variable(*g, s, variable, index, to_all != 0);
  if (g->knowledge == 0 || program.variable_infos[static_cast<std::size_t>(variable)].secret_first < 0) return;
  const Int owner = knowing_owner(program, variable, index);
  set_known_to(program, s, variable, index, to_all ? (Word{1} << l->players) - 1 : owner < 0 ? 0 : Word{1} << owner);
}

void cardwright_note_faces(Game* g, Byte* s, const Layout*, Int offset, Int dice, Int turned) {
  const Program& program = *g->program;
  const Int variable = variable_by_offset(program, offset);
  if (variable < 0) return;
  for (Word rest = static_cast<Word>(dice); rest != 0; rest &= rest - 1) {
    const Int index = lowest_bit(rest) - 1;
    if (!has_index(program.variables[static_cast<std::size_t>(variable)], index)) return;
    if (g->knowledge == 0 || program.variable_infos[static_cast<std::size_t>(variable)].secret_first < 0) continue;
    const Int owner = knowing_owner(program, variable, index);
    set_known_to(program, s, variable, index, owner < 0 ? 0 : Word{1} << owner);
  }
  if (g->log != nullptr) g->log->faces(*g, s, variable, dice, turned != 0);
}

void cardwright_note_shown(Game* g, Byte* s, const Layout* l, Int player, Int offset, Int index) {
  const Program& program = *g->program;
  const Int variable = variable_by_offset(program, offset);
  if (variable < 0 || static_cast<Word>(player) >= static_cast<Word>(l->players)) return;
  if (!has_index(program.variables[static_cast<std::size_t>(variable)], index)) return;
  if (g->log != nullptr) g->log->shown(*g, s, player, variable, index);
  if (g->knowledge == 0 || program.variable_infos[static_cast<std::size_t>(variable)].secret_first < 0) return;
  set_known_to(program, s, variable, index, known_to(program, s, variable, index) | Word{1} << player);
}

Int cardwright_knows_value(Game* g, const Byte* s, const Layout* l, Int player, Int offset, Int index) {
  const Int variable = variable_by_offset(*g->program, offset);
  if (variable < 0 || static_cast<Word>(player) >= static_cast<Word>(l->players)) return 0;
  if (!has_index(g->program->variables[static_cast<std::size_t>(variable)], index)) return 0;
  return knows_variable(*g->program, s, player, variable, index);
}

}   // namespace cardwright
