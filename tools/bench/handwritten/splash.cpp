// Implements Splash (rulesets/splash) for five players, with all cards and attendees and the standard options.
//
// A set of cards is stored in two words. Cards have the compiler's order, but above every class of equal cards is an
// unused guard bit, and no class spans two words: 53 cards and 11 guards are in the lower word, the rest in the upper
// word. Therefore all cards that can be on a player's table are in the upper word.
#include "tools/bench/handwritten/hand.h"
#include "tools/bench/handwritten/references.h"

namespace handwritten {

namespace {

// ---- the deck

enum Kind : std::uint8_t {
  Splash,
  Miss,
  Chips,
  Claw,
  Slip,
  Lunchbox,
  Backpack,
  PartyFavors,
  Pizza,
  Hose,
  WaterBucket,
  BeachBall,
  Hat,
  Goggles,
  Skateboard,
  WaterBalloon,
  TimeOut,
  OZ6400,
  Gun2,
  Gun3,
  Gun4,
  Gun5,
  kKinds
};
enum Icon : std::uint8_t { Ducky, Bubble, Snorkel, Blank, kIcons };
enum Role : std::uint8_t { BirthdayKid, BestFriend, Classmate, Sibling, kRoles };
enum Attendee : std::uint8_t {
  Sen,
  Oscar,
  James,
  Darren,
  Jazzy,
  Hayley,
  Karen,
  Mika,
  LilBrudder,
  Marvin,
  LisaMaria,
  Kimmy,
  Adrian,
  Robert,
  Steven,
  Raymond,
  kAttendees
};

struct Class {
  Kind kind;
  Icon icon;
  unsigned copies;
};
constexpr Class kClasses[] = {
    {Splash, Ducky, 3},      {Splash, Bubble, 13},     {Splash, Blank, 9},     {Miss, Snorkel, 7},
    {Miss, Blank, 5},        {Chips, Ducky, 6},        {Claw, Ducky, 3},       {Claw, Bubble, 1},
    {Slip, Ducky, 1},        {Slip, Bubble, 3},        {Lunchbox, Snorkel, 2}, {Backpack, Ducky, 1},
    {PartyFavors, Blank, 2}, {Pizza, Ducky, 1},        {Hose, Ducky, 1},       {WaterBucket, Bubble, 2},
    {BeachBall, Bubble, 1},  {BeachBall, Blank, 2},    {Hat, Blank, 2},        {Goggles, Blank, 1},
    {Skateboard, Ducky, 2},  {WaterBalloon, Ducky, 1}, {TimeOut, Ducky, 1},    {TimeOut, Blank, 2},
    {OZ6400, Blank, 2},      {Gun2, Blank, 3},         {Gun3, Blank, 1},       {Gun4, Blank, 1},
    {Gun5, Snorkel, 1}};

struct Set {
  Word lo, hi;
};
constexpr Set operator|(Set a, Set b) { return {a.lo | b.lo, a.hi | b.hi}; }
constexpr Set operator&(Set a, Set b) { return {a.lo & b.lo, a.hi & b.hi}; }
constexpr Set operator^(Set a, Set b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }

struct Deck {
  Set kind[kKinds] = {}, icon[kIcons] = {}, all = {}, starts = {}, guards = {};
  Kind kind_of[128] = {};
  std::uint8_t number[128] = {};   // the compiler's number of each card, in which classes of one card have no guard
  constexpr Deck() {
    unsigned at = 0, theirs = 0;
    for (const Class& c : kClasses) {
      Word& starting = at < 64 ? starts.lo : starts.hi;
      starting |= Word{1} << at % 64;
      for (unsigned i = 0; i < c.copies; ++i, ++at) {
        const Set one = at < 64 ? Set{Word{1} << at, 0} : Set{0, Word{1} << (at - 64)};
        kind[c.kind] = kind[c.kind] | one;
        icon[c.icon] = icon[c.icon] | one;
        all = all | one;
        kind_of[at] = c.kind;
        number[at] = static_cast<std::uint8_t>(theirs++);
      }
      Word& guarding = at < 64 ? guards.lo : guards.hi;
      guarding |= Word{1} << at % 64;
      ++at;
      theirs += c.copies > 1;
    }
  }
};
constexpr Deck kDeck;
constexpr Word lower(Kind kind) { return kDeck.kind[kind].lo; }
constexpr Word upper(Kind kind) { return kDeck.kind[kind].hi; }
static_assert(lower(Lunchbox) != 0 && upper(Lunchbox) == 0 && lower(Backpack) == 0);

constexpr Word kSplashes = lower(Splash), kMisses = lower(Miss), kChips = lower(Chips), kClaws = lower(Claw),
               kSlips = lower(Slip), kLunchboxes = lower(Lunchbox);
constexpr Word kGuns = upper(OZ6400) | upper(Gun2) | upper(Gun3) | upper(Gun4) | upper(Gun5);
constexpr Word kPlainWater = upper(Backpack) | upper(PartyFavors) | upper(Pizza) | upper(Hose) | upper(WaterBucket);
constexpr Word kWorn = upper(Hat) | upper(Goggles) | upper(Skateboard) | upper(WaterBalloon);
constexpr Word kTargeted = upper(BeachBall) | upper(TimeOut);

// Returns one card of each class.
HAND_INLINE Word distinct_lower(Word h) { return h & ~((h | kDeck.guards.lo) - kDeck.starts.lo); }
HAND_INLINE Word distinct_upper(Word h) { return h & ~((h | kDeck.guards.hi) - kDeck.starts.hi); }
HAND_INLINE Set distinct(Set s) { return {distinct_lower(s.lo), distinct_upper(s.hi)}; }
HAND_INLINE unsigned size(Set s) { return count(s.lo) + count(s.hi); }
HAND_INLINE bool any(Set s) { return (s.lo | s.hi) != 0; }
HAND_INLINE Set nth(Set s, unsigned k) {
  const unsigned below = count(s.lo);
  const bool high = k >= below;
  const Word found = nth_bit(high ? s.hi : s.lo, high ? k - below : k);
  return {high ? 0 : found, high ? found : 0};
}
HAND_INLINE unsigned number_of(Set one) { return one.lo != 0 ? lowest(one.lo) : 64 + lowest(one.hi); }

// ---- the table

constexpr int kPlayers = 5;
constexpr unsigned kEverybody = (1u << kPlayers) - 1;
constexpr unsigned kMostTurns = 400;
constexpr int kNoPlayer = -1;

// Table of the seats within a distance, indexed by the mask of players in the game, the seat and the distance. Excludes
// the seat itself.
struct Near {
  std::uint8_t within[1 << kPlayers][kPlayers][3] = {};
  constexpr Near() {
    for (unsigned in = 0; in <= kEverybody; ++in)
      for (int from = 0; from < kPlayers; ++from)
        for (int to = 0; to < kPlayers; ++to) {
          if (from == to || !(in >> to & 1)) continue;
          int there = 1, back = 1;
          for (int p = (from + 1) % kPlayers; p != to; p = (p + 1) % kPlayers) there += in >> p & 1;
          for (int p = (to + 1) % kPlayers; p != from; p = (p + 1) % kPlayers) back += in >> p & 1;
          for (int d = there < back ? there : back; d < 3; ++d)
            within[in][from][d] |= static_cast<std::uint8_t>(1u << to);
        }
  }
};
constexpr Near kNear;

constexpr std::uint8_t kTowels[kAttendees] = {4, 4, 4, 4, 3, 4, 4, 4, 3, 4, 4, 4, 4, 4, 4, 4};
constexpr std::uint8_t kRolesDealt[kRoles] = {1, 1, 2, 1};
constexpr unsigned kReciprocal[] = {0, 65536, 32768, 21846, 16384, 13108};   // k / n == k * kReciprocal[n] >> 16

struct Soaked {
  int victim, by;
};

// The options of the main phase, in their order. For each kind of card, there is an option per card and seat.
struct Offers {
  Set all;   // one card of each class
  unsigned drying;
  Word thrown, chips, claws, slips, lunches, plain, balls, timeouts;
  unsigned near, robbed, slipped, rivals, resters;   // masks of seats
  unsigned splashing, clawing, slipping, rivalry, sending, total;
};

struct Table {
  Word chance, policy[kPlayers];
  Set hand[kPlayers + 1];   // the last one is never empty: the hand of an absent Karen
  Word on[kPlayers];   // cards on the players' tables
  Word worn[kPlayers];   // all cards of the kinds in `on`
  Set bag, fixed, discard, favors;   // `fixed` is the top card of the pile, if it is already determined
  unsigned in, decisions;
  int gun[kPlayers], sight[kPlayers];   // range of the gun; reduction of distances by Goggles
  unsigned boards, resting;   // masks of players with a Skateboard or a Time Out on the table
  unsigned discarded, jazzy;
  int towels[kPlayers], most[kPlayers];
  Role role[kPlayers];
  Attendee attendee[kPlayers];
  unsigned with_role[kRoles];
  int kid, karen, seat_of_marvin, seat_of_raymond;
  unsigned notified, rescues;   // `notified`: Karen was notified of her empty hand; `rescues`: number of open rescues
  unsigned splashes, turns;
  int active;
  unsigned soaked_count, winners;
  bool player_left, play_is_over;
  Soaked soaked[kPlayers];
  std::uint8_t order[80];   // order of the discards; the top card is last

  unsigned play(Word seed, Word game);

 private:
  // ---- random numbers and choices
  HAND_INLINE unsigned choose(int p, unsigned n) {
    ++decisions;
    return below(policy[p], n);
  }
  HAND_INLINE Set at_random(Set from) { return nth(from, below(chance, size(from))); }
  HAND_INLINE bool is_in(int p) const { return in >> p & 1; }
  HAND_INLINE int after(int p, unsigned among) const {   // returns the first seat of `among` to the left of p
    const unsigned beyond = among & (~1u << p);
    return static_cast<int>(lowest(beyond != 0 ? beyond : among));
  }

  // ---- moving cards
  HAND_INLINE void drop_one(Set card) {
    discard = discard | card;
    order[discarded++] = static_cast<std::uint8_t>(number_of(card));
  }
  HAND_INLINE void drop_lower(Word card) {
    discard.lo |= card;
    order[discarded++] = static_cast<std::uint8_t>(lowest(card));
  }
  HAND_INLINE void drop_played(int p, Word card) {
    hand[p].lo ^= card;
    drop_lower(card);
  }
  HAND_INLINE void drop_upper(Word card) {
    discard.hi |= card;
    order[discarded++] = static_cast<std::uint8_t>(64 + lowest(card));
  }
  void drop_all(Set cards) {
    discard = discard | cards;
    for (Word rest = cards.lo; rest != 0; rest &= rest - 1)
      order[discarded++] = static_cast<std::uint8_t>(lowest(rest));
    for (Word rest = cards.hi; rest != 0; rest &= rest - 1)
      order[discarded++] = static_cast<std::uint8_t>(64 + lowest(rest));
  }
  HAND_INLINE void drop_from_hand(int p, Set card) {
    hand[p] = hand[p] ^ card;
    drop_one(card);
  }
  [[gnu::noinline]] bool refill() {
    bag = discard;
    discard = {0, 0};
    discarded = 0;
    return any(bag);
  }
  [[gnu::noinline]] Set take_rarely() {
    if (any(fixed)) {
      const Set card = fixed;
      fixed = {0, 0};
      return card;
    }
    if (!refill()) return {0, 0};
    const Set card = at_random(bag);
    bag = bag ^ card;
    return card;
  }
  // Returns the top card of the pile; empty if there is none.
  HAND_INLINE Set take() {
    if (__builtin_expect(any(fixed) || !any(bag), 0)) return take_rarely();
    const Set card = at_random(bag);
    bag = bag ^ card;
    return card;
  }
  HAND_INLINE void draw(int p, int n) {
    for (; n > 0; --n) hand[p] = hand[p] | take();
  }
  // Removes and returns the top n cards.
  Set take_top(unsigned n) {
    Set top = {0, 0};
    for (; n > 0; --n) top = top | take();
    return top;
  }
  void see(int p) {   // called after a change of player p's table
    const Word cards = on[p];
    Word kinds = 0;
    for (const Kind k : {Hat, Goggles, Skateboard, WaterBalloon, OZ6400, Gun2, Gun3, Gun4, Gun5})
      if (cards & upper(k)) kinds |= upper(k);
    worn[p] = kinds;
    boards = (boards & ~(1u << p)) | static_cast<unsigned>((cards & upper(Skateboard)) != 0) << p;
    resting = (resting & ~(1u << p)) | static_cast<unsigned>((cards & upper(TimeOut)) != 0) << p;
    gun[p] = cards & upper(Gun2) ? 2 : cards & upper(Gun3) ? 3 : cards & upper(Gun4) ? 4 : cards & upper(Gun5) ? 5 : 1;
    sight[p] = ((cards & upper(Goggles)) != 0) + (attendee[p] == Hayley);
  }

  // ---- playable cards
  // Returns the players within this distance of p. A Skateboard and Jazzy each add one to the distance.
  HAND_INLINE unsigned within(int p, int far) const {
    const std::uint8_t* near = kNear.within[in][p];
    const unsigned at = far < 2 ? near[far] : near[2];
    const unsigned one_less = far < 3 ? near[far - 1] : near[2];
    const unsigned two_less = far < 2 ? 0 : far < 4 ? near[far - 2] : near[2];
    const unsigned either = boards | jazzy, both = boards & jazzy;
    return (at & ~either) | (one_less & either & ~both) | (two_less & both);
  }
  HAND_INLINE unsigned lootable(int by) const {
    unsigned out = 0;
    for (int p = 0; p < kPlayers; ++p)
      out |= static_cast<unsigned>((on[p] | (p == by ? 0 : hand[p].lo | hand[p].hi)) != 0) << p;
    return out & in;
  }
  HAND_INLINE bool may_dry_off(int p) const {
    return attendee[p] == Kimmy && towels[p] < most[p] && size(hand[p]) >= 2;
  }

  // ---- events
  HAND_INLINE void gain(int p) { towels[p] = towels[p] + 1 < most[p] ? towels[p] + 1 : most[p]; }
  void dry_off(int p, Set first) {
    const Set others = distinct(hand[p] ^ first);
    const Set both = first | nth(others, choose(p, size(others)));
    hand[p] = hand[p] ^ both;
    drop_all(both);
    gain(p);
  }
  [[gnu::noinline]] Set flip_two(int p) {   // Lisa Maria
    const Set two = take_top(2);
    Set picked = {0, 0};
    if (any(two)) {
      const Set options = distinct(two);
      picked = nth(options, choose(p, size(options)));
      drop_all(two);
    }
    return picked;
  }
  HAND_INLINE Set flip(int p) {
    if (attendee[p] == LisaMaria) return flip_two(p);
    const Set card = take();
    if (any(card)) drop_one(card);
    return card;
  }
  HAND_INLINE static bool shows(Set card, Icon icon) { return any(card & kDeck.icon[icon]); }

  // Applies the rule of the attendee Karen: immediately if no event is being resolved, otherwise before the same window
  // asks her again.
  [[gnu::noinline]] void notify_karen() {
    if (any(hand[karen]) || rescues > 0) {
      notified = 0;
      return;
    }
    if (notified) return;
    notified = 1;
    draw(karen, 1);
    if (any(hand[karen])) notified = 0;
  }
  HAND_INLINE void look_at_karen() {
    if (!any(hand[karen]) || notified) notify_karen();
  }
  HAND_INLINE void before_asking_again(int p) {
    if (p == karen) look_at_karen();
  }

  // Called when no event is being resolved. Returns true if the game is over.
  [[gnu::noinline]] bool settle_soaked() {
    for (unsigned i = 0; i < soaked_count; ++i) {
      const auto [victim, by] = soaked[i];
      if (by == kNoPlayer || !is_in(by)) continue;
      if (role[victim] == Classmate) draw(by, 3);
      if (role[victim] == BestFriend && by == kid) {
        drop_all({hand[by].lo, hand[by].hi | on[by]});
        hand[by] = {0, 0};
        on[by] = 0;
        see(by);
      }
    }
    soaked_count = 0;
    look_at_karen();
    return ends();
  }
  HAND_INLINE bool settle() {
    if (soaked_count > 0) return settle_soaked();
    look_at_karen();
    return false;
  }
  bool ends() {
    const unsigned kid_alone = with_role[BirthdayKid];
    if (!(in & kid_alone)) {
      const bool sibling = (in & ~with_role[Sibling]) == 0 && count(in) == 1;
      winners = sibling ? in : with_role[Classmate];
      return true;
    }
    if (in & (with_role[Classmate] | with_role[Sibling])) return false;
    winners = kid_alone | with_role[BestFriend];
    return true;
  }

  void leave_all(int victim) {
    const Set all = {hand[victim].lo, hand[victim].hi | on[victim]};
    hand[victim] = {0, 0};
    on[victim] = 0;
    if (seat_of_marvin >= 0 && seat_of_marvin != victim && is_in(seat_of_marvin)) {
      hand[seat_of_marvin] = hand[seat_of_marvin] | all;
      return;
    }
    if (seat_of_raymond >= 0 && is_in(seat_of_raymond) && size(all) > 1) {
      const Set options = distinct(all);
      const Set top = nth(options, choose(victim, size(options)));
      drop_all(all ^ top);
      drop_one(top);
      return;
    }
    drop_all(all);
  }
  [[gnu::noinline]] void soak(int victim, int by) {
    towels[victim] = 0;
    leave_all(victim);
    see(victim);
    in &= ~(1u << victim);
    if (victim == karen) karen = kPlayers, notified = 0;
    soaked[soaked_count++] = {victim, by};
  }
  [[gnu::noinline]] bool rescue(int p) {
    ++rescues;
    bool saved = false;
    for (;;) {
      if (towels[p] >= 1) {
        saved = true;
        break;
      }
      const Set all = distinct(hand[p]);
      const unsigned drying = may_dry_off(p) ? size(all) : 0;
      const Word chips = count(in) > 2 ? all.lo & kChips : 0;
      const unsigned n = drying + count(chips);
      if (n == 0) break;
      const unsigned k = choose(p, n + 1);
      if (k < drying)
        dry_off(p, nth(all, k));
      else if (k < n) {
        drop_played(p, nth_bit(chips, k - drying));
        gain(p);
      } else
        break;
      if (towels[p] < 1) before_asking_again(p);
    }
    --rescues;
    return saved;
  }
  [[gnu::noinline]] void lose(int victim, int n, int by) {
    towels[victim] -= n;
    if (towels[victim] < 1 && !rescue(victim)) return soak(victim, by);
    if (attendee[victim] == Sen)
      draw(victim, n);
    else if (attendee[victim] == LilBrudder && by != kNoPlayer && by != victim)
      take_unseen(by, victim, static_cast<unsigned>(n));
  }
  void take_unseen(int from, int to, unsigned n) {
    Set taken = hand[from];
    if (const unsigned all = size(taken); n < all) {
      Set left = taken;
      for (unsigned i = 0; i < n; ++i) left = left ^ nth(left, below(chance, all - i));
      taken = taken ^ left;
    }
    hand[from] = hand[from] ^ taken;
    hand[to] = hand[to] | taken;
  }

  // ---- windows
  [[gnu::noinline]] bool incoming(int p, int needed) {
    int stopped = 0;
    bool hat_used = false, own_used = attendee[p] != Darren;
    const Word stops = attendee[p] == Mika ? kMisses | kSplashes : kMisses;
    for (;;) {
      if (stopped >= needed) return true;
      const unsigned hats = !hat_used && (on[p] & upper(Hat)) != 0, own = !own_used;
      const Word misses = distinct_lower(hand[p].lo) & stops;
      const unsigned drying = may_dry_off(p) ? size(distinct(hand[p])) : 0;
      const unsigned n = hats + own + drying + count(misses);
      if (n == 0) return false;
      unsigned k = choose(p, n + 1);
      if (k == n) return false;
      if (k < hats + own) {
        if (k < hats)
          hat_used = true;
        else
          own_used = true;
        stopped += shows(flip(p), Ducky);
      } else if ((k -= hats + own) < drying) {
        dry_off(p, nth(distinct(hand[p]), k));
      } else {
        drop_played(p, nth_bit(misses, k - drying));
        ++stopped;
      }
      if (stopped < needed) before_asking_again(p);
    }
  }
  [[gnu::noinline]] bool return_fire(int p) {
    const Word throws = attendee[p] == Mika ? kMisses | kSplashes : kSplashes;
    for (;;) {
      const Word splashes_held = distinct_lower(hand[p].lo) & throws;
      const unsigned throwing = count(splashes_held), drying = may_dry_off(p) ? size(distinct(hand[p])) : 0,
                     n = throwing + drying;
      if (n == 0) return false;
      const unsigned k = choose(p, n + 1);
      if (k == n) return false;
      if (k < throwing) {
        drop_played(p, nth_bit(splashes_held, k));
        return true;
      }
      dry_off(p, nth(distinct(hand[p]), k - throwing));
      before_asking_again(p);
    }
  }
  HAND_INLINE void last_look(int p) {
    while (may_dry_off(p)) {
      const Set all = distinct(hand[p]);
      const unsigned n = size(all), k = choose(p, n + 1);
      if (k == n) return;
      dry_off(p, nth(all, k));
    }
  }

  // ---- cards
  HAND_INLINE void hit(int p, int by, int needed) {
    if (!incoming(p, needed)) lose(p, 1, by);
  }
  // Takes a card from the victim's table or hand; returns an empty set if there is none.
  Set loot(int victim, int thief) {
    last_look(victim);
    const Word shown = distinct_upper(on[victim]);
    const bool hidden = victim != thief && any(hand[victim]);
    const unsigned n = count(shown) + hidden;
    if (n == 0) return {0, 0};
    const unsigned k = choose(thief, n);
    if (k < count(shown)) {
      const Word card = nth_bit(shown, k);
      on[victim] ^= card;
      see(victim);
      return {0, card};
    }
    const Set card = at_random(hand[victim]);
    hand[victim] = hand[victim] ^ card;
    return card;
  }
  void claw(int p, int victim) {
    const Set card = loot(victim, p);   // may change the hand of p
    hand[p] = hand[p] | card;
  }
  void slip(int p, int victim) {
    const Set card = loot(victim, p);
    if (any(card)) drop_one(card);
  }
  void party_favors(int p) {
    favors = take_top(count(in));
    unsigned left = in;
    for (int q = p; left != 0; left &= ~(1u << q), q = left ? after(q, left) : q) {
      const Set options = distinct(favors);
      if (!any(options)) continue;
      const Set card = nth(options, choose(q, size(options)));
      favors = favors ^ card;
      hand[q] = hand[q] | card;
    }
  }
  void hose(int p) {
    unsigned left = in & ~(1u << p);
    for (int q = p; left != 0; left &= ~(1u << q)) {
      q = after(q, left);
      if (is_in(q)) hit(q, p, 1);
    }
  }
  void water_bucket(int p) {
    unsigned left = in & ~(1u << p);
    for (int q = p; left != 0; left &= ~(1u << q)) {
      q = after(q, left);
      if (is_in(q) && !return_fire(q)) lose(q, 1, p);
    }
  }
  void beach_ball(int p, int rival) {
    int q = rival;
    for (int i = 0; i < 80 && return_fire(q); ++i) q = q == rival ? p : rival;
    lose(q, 1, q == rival ? p : kNoPlayer);
  }
  void put_on(int p, int whose, Word card, bool gun) {
    hand[p].hi ^= card;
    if (gun) {
      const Word old = on[whose] & kGuns;
      if (old) {
        on[whose] ^= old;
        drop_upper(old);
      }
    }
    on[whose] |= card;
    see(whose);
  }

  void play_plain(int p, Word card);
  Offers offers(int p) const;
  void take_offer(int p, const Offers& o, unsigned k);
  void take_upper_offer(int p, const Offers& o, unsigned k);
  bool main_phase(int p);
  bool draw_phase(int p);
  bool discard_phase(int p);
  bool turn(int p);
  void set_up();
};

// ---- phases: return true if the game is over

// Plays a card that needs no target.
void Table::play_plain(int p, Word card) {
  const Kind kind = kDeck.kind_of[64 + lowest(card)];
  if (kind >= Hat) return put_on(p, p, card, kind >= OZ6400);
  drop_from_hand(p, {0, card});
  switch (kind) {
    case Backpack: return draw(p, 3);
    case PartyFavors: return party_favors(p);
    case Hose: return hose(p);
    case WaterBucket: return water_bucket(p);
    default:   // Pizza
      for (unsigned left = in; left != 0; left &= left - 1) gain(static_cast<int>(lowest(left)));
  }
}

HAND_INLINE Offers Table::offers(int p) const {
  Offers o;
  o.all = distinct(hand[p]);
  o.drying = may_dry_off(p) ? size(o.all) : 0;

  o.thrown = o.all.lo & (attendee[p] == Mika ? kSplashes | kMisses : kSplashes);
  o.near = o.splashing = 0;
  if (o.thrown != 0 && (splashes == 0 || attendee[p] == Oscar || on[p] & upper(OZ6400))) {
    o.near = within(p, gun[p] + sight[p]);
    o.splashing = count(o.thrown) * count(o.near);
  }
  o.chips = o.all.lo & kChips;
  o.claws = o.all.lo & kClaws;
  o.slips = o.all.lo & kSlips;
  o.lunches = o.all.lo & kLunchboxes;
  o.robbed = o.slipped = o.clawing = o.slipping = 0;
  if (o.claws | o.slips) {
    o.slipped = lootable(p);
    o.robbed = o.slipped & (within(p, 1 + sight[p]) | 1u << p);
    o.clawing = count(o.claws) * count(o.robbed);
    o.slipping = count(o.slips) * count(o.slipped);
  }
  o.plain = o.all.hi & ~kTargeted & ~worn[p];
  o.balls = o.all.hi & upper(BeachBall);
  o.timeouts = o.all.hi & upper(TimeOut);
  o.rivals = in & ~(1u << p);
  o.resters = o.rivals & ~resting & ~(1u << kid);
  o.rivalry = count(o.balls) * count(o.rivals);
  o.sending = count(o.timeouts) * count(o.resters);
  o.total = o.drying + o.splashing + count(o.chips) + o.clawing + o.slipping + count(o.lunches) + count(o.plain) +
            o.rivalry + o.sending;
  return o;
}

struct Aimed {
  Word card;
  int seat;
};
// Returns the k-th pair of a card and a seat, ordered by card.
HAND_INLINE Aimed aimed(Word cards, unsigned seats, unsigned k) {
  const unsigned each = count(seats), which = k * kReciprocal[each] >> 16;
  return {nth_bit(cards, which), static_cast<int>(lowest(nth_bit(seats, k - which * each)))};
}

HAND_INLINE void Table::take_offer(int p, const Offers& o, unsigned k) {
  if (k < o.drying) return dry_off(p, nth(o.all, k));
  if ((k -= o.drying) < o.splashing) {
    const Aimed a = aimed(o.thrown, o.near, k);
    drop_played(p, a.card);
    ++splashes;
    return hit(a.seat, p, attendee[p] == James ? 2 : 1);
  }
  if ((k -= o.splashing) < count(o.chips)) {
    drop_played(p, o.chips);
    if (count(in) > 2) gain(p);
    return;
  }
  if ((k -= count(o.chips)) < o.clawing) {
    const Aimed a = aimed(o.claws, o.robbed, k);
    drop_played(p, a.card);
    return claw(p, a.seat);
  }
  if ((k -= o.clawing) < o.slipping) {
    const Aimed a = aimed(o.slips, o.slipped, k);
    drop_played(p, a.card);
    return slip(p, a.seat);
  }
  if ((k -= o.slipping) < count(o.lunches)) {
    drop_played(p, o.lunches);
    return draw(p, 2);
  }
  k -= count(o.lunches);
  if ((o.balls | o.timeouts) == 0) return play_plain(p, nth_bit(o.plain, k));
  take_upper_offer(p, o, k);
}

HAND_INLINE void Table::take_upper_offer(int p, const Offers& o, unsigned k) {
  const Word water = o.plain & kPlainWater, things = o.plain & kWorn;
  if (k < count(water)) return play_plain(p, nth_bit(water, k));
  if ((k -= count(water)) < o.rivalry) {
    const Aimed a = aimed(o.balls, o.rivals, k);
    drop_from_hand(p, {0, a.card});
    return beach_ball(p, a.seat);
  }
  if ((k -= o.rivalry) < count(things)) return play_plain(p, nth_bit(things, k));
  if ((k -= count(things)) < o.sending) {
    const Aimed a = aimed(o.timeouts, o.resters, k);
    return put_on(p, a.seat, a.card, false);
  }
  play_plain(p, nth_bit(o.plain & kGuns, k - o.sending));
}

bool Table::main_phase(int p) {
  while (is_in(p)) {
    const Offers o = offers(p);
    if (o.total == 0) return false;
    const unsigned k = choose(p, o.total + 1);
    if (k == o.total) return false;
    take_offer(p, o, k);
    if (settle()) return true;
  }
  return settle();
}

bool Table::draw_phase(int p) {
  switch (attendee[p]) {
    case Raymond:
      if (any(discard) && choose(p, 2) == 0) {
        const unsigned card = order[--discarded];
        const Set top = card < 64 ? Set{bit(card), 0} : Set{0, bit(card - 64)};
        discard = discard ^ top;
        hand[p] = hand[p] | top;
        draw(p, 1);
        break;
      }
      draw(p, 2);
      break;
    case Steven: {
      unsigned victims = 0;
      for (unsigned left = in & ~(1u << p); left != 0; left &= left - 1)
        if (any(hand[lowest(left)])) victims |= left & -left;
      const unsigned n = count(victims);
      unsigned k = n;
      if (n > 0) k = choose(p, n + 1);
      if (k == n) {
        draw(p, 2);
        break;
      }
      const int victim = static_cast<int>(lowest(nth_bit(victims, k)));
      last_look(victim);
      take_unseen(victim, p, 1);
      look_at_karen();
      draw(p, 1);
      break;
    }
    case Robert: {
      const Set seen = take_top(3);
      Set left = seen;
      if (size(seen) < 2)
        left = {0, 0};
      else
        for (int i = 0; i < 2; ++i) {
          const Set options = distinct(left);
          left = left ^ nth(options, choose(p, size(options)));
        }
      fixed = left;
      hand[p] = hand[p] | (seen ^ left);
      break;
    }
    case Adrian: {
      draw(p, 1);
      const Set shown = take();
      hand[p] = hand[p] | shown;
      if (shows(shown, Ducky) || shows(shown, Bubble)) draw(p, 1);
      break;
    }
    default: draw(p, 2);
  }
  return settle();
}

bool Table::discard_phase(int p) {
  const int n = static_cast<int>(size(hand[p])) - towels[p];
  if (n > 0) {
    Set left = hand[p];
    for (int i = 0; i < n; ++i) {
      const Set options = distinct(left);
      left = left ^ nth(options, choose(p, size(options)));
    }
    drop_all(hand[p] ^ left);
    hand[p] = left;
  }
  return settle();
}

bool Table::turn(int p) {
  if (on[p] & upper(WaterBalloon)) {
    const Set card = flip(p);
    on[p] ^= upper(WaterBalloon);
    if (shows(card, Snorkel)) {
      see(p);
      drop_upper(upper(WaterBalloon));
      lose(p, 3, kNoPlayer);
    } else {
      const int left = after(p, in);
      on[left] |= upper(WaterBalloon);
      see(p);
      see(left);
    }
    if (settle()) return true;
    if (!is_in(p)) return false;
  }
  if (const Word rest = on[p] & upper(TimeOut); rest != 0) {
    const Set card = flip(p);
    on[p] ^= rest;
    see(p);
    drop_upper(rest);
    if (!shows(card, Ducky)) return settle();
  }
  if (draw_phase(p)) return true;
  if (main_phase(p)) return true;
  if (is_in(p) && discard_phase(p)) return true;
  return settle();
}

void Table::set_up() {
  for (int p = 0; p < kPlayers; ++p) hand[p] = {0, 0}, on[p] = 0, worn[p] = 0;
  hand[kPlayers] = {1, 0};
  bag = kDeck.all;
  fixed = discard = favors = {0, 0};
  in = kEverybody;
  decisions = discarded = boards = resting = jazzy = notified = rescues = splashes = turns = soaked_count = winners = 0;
  play_is_over = false;
  karen = kPlayers;
  seat_of_marvin = seat_of_raymond = kNoPlayer;

  std::uint8_t left[kRoles];
  for (int r = 0; r < kRoles; ++r) left[r] = kRolesDealt[r], with_role[r] = 0;
  for (int p = 0; p < kPlayers; ++p) {
    int k = static_cast<int>(below(chance, static_cast<unsigned>(kPlayers - p)));
    int r = 0;
    while ((k -= left[r]) >= 0) ++r;
    --left[r];
    role[p] = static_cast<Role>(r);
    with_role[r] |= 1u << p;
  }
  kid = static_cast<int>(lowest(with_role[BirthdayKid]));

  Word people = (Word{1} << kAttendees) - 1;
  for (int i = 0; i < kPlayers; ++i) {
    const int p = kid + i < kPlayers ? kid + i : kid + i - kPlayers;
    const Word who = nth_bit(people, below(chance, static_cast<unsigned>(kAttendees - i)));
    people ^= who;
    attendee[p] = static_cast<Attendee>(lowest(who));
    towels[p] = most[p] = kTowels[attendee[p]] + (p == kid);
    gun[p] = 1;
    sight[p] = attendee[p] == Hayley;
    if (attendee[p] == Jazzy) jazzy = 1u << p;
    if (attendee[p] == Karen) karen = p;
    if (attendee[p] == Marvin) seat_of_marvin = p;
    if (attendee[p] == Raymond) seat_of_raymond = p;
  }
  for (int i = 0; i < kPlayers; ++i) {
    const int p = kid + i < kPlayers ? kid + i : kid + i - kPlayers;
    draw(p, towels[p]);
  }
}

[[gnu::noinline]] unsigned Table::play(Word seed, Word game) {
  Word streams[1 + kPlayers];
  key_streams(streams, kPlayers, seed, game);
  chance = streams[0];
  for (int p = 0; p < kPlayers; ++p) policy[p] = streams[1 + p];
  set_up();
  for (int p = kid; turns < kMostTurns; p = after(p, in)) {
    ++turns;
    active = p;
    splashes = 0;
    if (turn(p)) return decisions;
  }
  active = kNoPlayer;
  play_is_over = true;
  return decisions;
}

Played play(Word seed, Word first_game, Word games) {
  Played played;
  Table t;
  for (Word i = 0; i < games; ++i) {
    played.decisions += t.play(seed, first_game + i);
    played.winners += t.winners;
  }
  return played;
}

// ---- conversion to the compiler's numbers

void translate(Set from, std::uint64_t to[2]) {
  to[0] = to[1] = 0;
  const auto add = [&](unsigned card) { to[kDeck.number[card] >> 6] |= bit(kDeck.number[card] & 63); };
  for (Word rest = from.lo; rest != 0; rest &= rest - 1) add(lowest(rest));
  for (Word rest = from.hi; rest != 0; rest &= rest - 1) add(64 + lowest(rest));
}

Final finish(Word seed, Word game) {
  Table t;
  Final final;
  final.decisions = t.play(seed, game);
  final.winners = t.winners;
  final.in_game = t.in;
  final.streams = {t.chance};
  final.streams.insert(final.streams.end(), t.policy, t.policy + kPlayers);
  const auto add_zone = [&](const char* name, int owner, Set cards) -> Final::Zone& {
    final.zones.push_back({name, owner, {}});
    translate(cards, final.zones.back().cards);
    return final.zones.back();
  };
  for (int p = 0; p < kPlayers; ++p) {
    add_zone("hand", p, t.hand[p]);
    add_zone("table", p, {0, t.on[p]});
    final.values.push_back({"role", p, t.role[p]});
    final.values.push_back({"attendee", p, t.attendee[p]});
    final.values.push_back({"towels", p, t.towels[p]});
    final.values.push_back({"most", p, t.most[p]});
    final.values.push_back({"Attendees", t.attendee[p], 0});
  }
  add_zone("favors", -1, t.favors);
  Final::Zone& draw = add_zone("draw", -1, t.bag | t.fixed);
  draw.pile = true;
  if (any(t.fixed)) draw.top = {kDeck.number[number_of(t.fixed)]};
  Final::Zone& discard = add_zone("discard", -1, t.discard);
  discard.pile = true;
  for (unsigned i = 0; i < t.discarded; ++i) discard.top.push_back(kDeck.number[t.order[i]]);
  for (int r = 0; r < kRoles; ++r) final.values.push_back({"Roles", r, 0});
  final.values.push_back({"birthday_kid", 0, t.kid});
  final.values.push_back({"splashes", 0, t.splashes});
  final.values.push_back({"turn_number", 0, t.turns});
  final.values.push_back({"play is over", 0, t.play_is_over});
  if (t.active != kNoPlayer) final.values.push_back({"active", 0, t.active});
  return final;
}

}   // namespace

const Reference kSplash{"splash", 5, play, finish};

}   // namespace handwritten
