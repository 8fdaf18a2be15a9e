// Infers hidden cards from observed decisions, which it replays in sampled worlds.
#include "runtime/search/inference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/program/words.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/random.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright::search {

namespace {

constexpr std::size_t kMostSeen = 64;
constexpr double kImpossible = 1e-3;   // likelihood given to a decision that was impossible in a world
constexpr double kLeastWeight = 1e-200;
constexpr int kPairs = 8;   // number of worlds that are run twice, with different random numbers
constexpr int kLooks = 12;   // number of worlds tried before a decision is treated as equally likely in all worlds
constexpr int kTries = 48;   // number of worlds tried to find one in which the decision was possible
constexpr int kInstead = 2;   // number of a player's places in which another card is tried

// Collects the cards that an option names. Returns false if the action is secret or a card is unknown to the actor.
bool cards_of(const Program& program, Int option, std::vector<Int>& cards) {
  const OptionParts parts = option_parts(program, option);
  if (!parts.action || parts.action->secret) return false;
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    if (parts.values[i] <= kUnseen && parts.values[i] > kUnseen - kMaxHidden) return false;
    if (parts.values[i] == kNone) continue;   // the empty choice of a set
    if (parts.action->parameters[i].kind == ValueKind::card) cards.push_back(parts.values[i]);
  }
  return true;
}

}   // namespace

Inference::Inference(const Resampler& resampler, Int observer)
    : resampler_(&resampler),
      observer_(observer),
      sight_(resampler.program()),
      trails_(static_cast<std::size_t>(resampler.program().layout.card_ids)),
      zones_(trails_.size(), kNone) {}

void Inference::saw(const Byte* s, Int player, Int site, Int option) {
  look(s, player, site);
  const Program& program = resampler_->program();
  if (program.race || site < 0 || program.sites[static_cast<std::size_t>(site)].secret) return;
  std::vector<Int> cards;
  if (!cards_of(program, option, cards)) return;
  if (seen_.size() == kMostSeen) seen_.erase(seen_.begin());
  seen_.push_back({{s, s + program.layout.where}, player, site, option, player == observer_ || cards.empty()});
  ++count_;
}

void Inference::look(const Byte* s, Int player, Int site) {
  informative_.clear();   // its indices become invalid when seen_ changes
  forget(s);
  note_trails(s);
  if (!seen_.empty() && !seen_.back().over) {
    seen_.back().over = true;
    seen_.back().after = {sight_.hash(s), player, site};
  }
  // Discard decisions whose option the observer still does not know. An observer who sees the played card knows it now.
  std::erase_if(seen_, [&](Seen& seen) { return !seen.sure && !(seen.sure = reveals_option(s, seen.option)); });
}

bool Inference::reveals_option(const Byte* s, Int option) const {
  const Layout& l = resampler_->program().layout;
  std::vector<Int> cards;
  return cards_of(resampler_->program(), option, cards) && std::all_of(cards.begin(), cards.end(), [&](Int card) {
           return card < 0 || knows_card(l, s, observer_, card);
         });
}

// Discards earlier decisions if a card was known and no longer is, because then hidden places hold other cards than at
// those decisions.
void Inference::forget(const Byte* s) {
  const Layout& l = resampler_->program().layout;
  std::vector<Word> known(static_cast<std::size_t>(l.words));
  bool lost = false;
  for (Int w = 0; w < l.words; ++w) {
    const auto at = static_cast<std::size_t>(w);
    known[at] = l.all_cards[w] & ~read<Word>(unknown_at(s, l, observer_) + 8 * w);
    lost = lost || (!known_.empty() && (known_[at] & ~known[at]) != 0);
  }
  known_ = std::move(known);
  if (lost) seen_.clear();
}

void Inference::note_trails(const Byte* s) {
  const Layout& l = resampler_->program().layout;
  for (Int card = 0; card < l.card_ids; ++card) {
    const auto at = static_cast<std::size_t>(card);
    if (!has_bit(l.all_cards, card)) continue;
    const Int zone = find_zone(s, l, card);
    if (zone == zones_[at]) continue;
    trails_[at] = mix_word(trails_[at] ^ mix_word(count_ * kMaxInstances + static_cast<Word>(zone + 1)));
    zones_[at] = zone;
  }
}

// Copies those secrets that the observer did not know at the time of the decision.
void Inference::copy_secrets(const Byte* from, Byte* to) const {
  const Program& program = resampler_->program();
  const auto copy = [&](Int variable) {
    const VariableSlot& slot = program.variables[static_cast<std::size_t>(variable)];
    const Int bytes = slot.is_set ? 8 * program.layout.words : slot.bytes;
    for (Int i = 0; i < slot.count; ++i)
      if (!knows_variable(program, to, observer_, variable, i))
        std::memcpy(to + slot.offset + i * bytes, from + slot.offset + i * bytes, static_cast<std::size_t>(bytes));
  };
  for (const Int variable : resampler_->things().made_up) copy(variable);
  for (const HiddenThings::Pool& pool : resampler_->things().pools)
    for (const Int variable : pool.dealt) copy(variable);
}

Int Inference::go_back(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past, Word chance,
                       Int& index) const {
  const Program& program = resampler_->program();
  ++past.trials;
  past.world.take(seen.state.data(), seen.player);
  Byte* const s = past.world.bytes();
  if (program.knowledge_in_playout)
    for (Int p = 0; p < program.layout.players; ++p)
      if (p != observer_) exchange.map_set(unknown_at(s, program.layout, p));
  exchange.apply(s);
  if (world != nullptr) copy_secrets(world, s);
  resampler_->finish(s, chance);
  past.world.step(-1);
  if (past.world.is_over() || past.world.player() != seen.player || past.world.site() != seen.site) return 0;
  const std::span<const Int> ids = past.world.list();
  const auto at = std::lower_bound(ids.begin(), ids.end(), seen.option);
  index = at - ids.begin();
  return at != ids.end() && *at == seen.option ? static_cast<Int>(ids.size()) : 0;
}

double Inference::likelihood(const Seen& seen, const Exchange& exchange, const Byte* world, Past& past) const {
  Int index = 0;
  const Int options = go_back(seen, exchange, world, past, 1, index);
  if (options == 0) return kImpossible;
  const double likely = seen.player == observer_ ? 1 : 1 / std::sqrt(static_cast<double>(options));
  if (!seen.over || seen.by_chance) return likely;
  past.world.step(index);
  const After after{past.sight.hash(past.world.bytes()), past.world.player(), past.world.site()};
  return after == seen.after ? likely : kImpossible;
}

double Inference::weight(std::span<const Int> becomes, const Byte* world, Past& past) const {
  const Exchange exchange(resampler_->program(), resampler_->things(), becomes);
  double weight = 1;
  for (const std::size_t at : informative_)
    weight = std::max(kLeastWeight, weight * likelihood(seen_[at], exchange, world, past));
  return weight;
}

// The result is deterministic: another call without new decisions gives the same result. Each decision is examined
// once, and its conclusions take effect after those from older decisions.
void Inference::learn(Unseen& unknown, Past& past, Word seed, const Effort& effort) {
  for (Seen& seen : seen_) {
    if (!seen.examined && seen.over && !effort.is_spent(past.trials)) {
      seen.examined = true;
      seen.by_chance = is_by_chance(seen, unknown, past, seed);
      seen.never = never_held(seen, unknown, past, seed);
    }
    keep_away(seen, unknown);
  }
  informative_.clear();
  // Recent decisions are the most informative.
  for (std::size_t i = seen_.size(); i-- > 0 && !effort.is_spent(past.trials);)
    if (is_informative(seen_[i], unknown, past, seed)) informative_.push_back(i);
}

void Inference::apply(Unseen& unknown) const {
  for (const Seen& seen : seen_) keep_away(seen, unknown);
}

// Tests whether the public result of the decision often differs between runs of the same world with different random
// numbers.
bool Inference::is_by_chance(const Seen& seen, Unseen& unknown, Past& past, Word seed) const {
  int differ = 0;
  for (int i = 0; i < kPairs; ++i) {
    unknown.assign(seed + static_cast<Word>(i));
    const Exchange exchange(resampler_->program(), resampler_->things(), unknown.becomes());
    After after[2];
    for (const int chance : {0, 1}) {
      Int index = 0;
      if (go_back(seen, exchange, nullptr, past, 2 * static_cast<Word>(i) + static_cast<Word>(chance), index) == 0)
        continue;
      past.world.step(index);
      after[chance] = {past.sight.hash(past.world.bytes()), past.world.player(), past.world.site()};
    }
    differ += after[0] != after[1];
  }
  return differ > kPairs / 4;
}

// Tests whether the decision is more likely in some worlds than in others.
bool Inference::is_informative(const Seen& seen, Unseen& unknown, Past& past, Word seed) const {
  double first = -1;
  for (int i = 0; i < kLooks; ++i) {
    unknown.assign(seed + static_cast<Word>(i));
    const double likely =
        likelihood(seen, Exchange(resampler_->program(), resampler_->things(), unknown.becomes()), nullptr, past);
    if (first < 0) first = likely;
    if (likely != first) return true;
  }
  return false;
}

std::vector<Inference::Never> Inference::never_held(const Seen& seen, Unseen& unknown, Past& past, Word seed) const {
  const Program& program = resampler_->program();
  const auto is_possible = [&](int world) {
    unknown.assign(seed + static_cast<Word>(world));
    return likelihood(seen, Exchange(program, resampler_->things(), unknown.becomes()), nullptr, past) > kImpossible;
  };
  int possible = 0;
  for (int i = 0; i < kLooks; ++i) possible += is_possible(i);
  std::vector<Never> never;
  if (possible == kLooks) return never;   // rarely or never informative
  for (int i = 0; i < kTries; ++i) {
    if (!is_possible(i)) continue;
    for (Int owner = 0; owner < program.layout.players; ++owner)
      if (owner != observer_)
        if (std::vector<Int> cards = impossible_cards(seen, owner, unknown, past); !cards.empty())
          never.push_back({owner, std::move(cards)});
    break;
  }
  return never;
}

// Returns true if that player held the card of this place at the time of the decision, wherever it is now.
bool Inference::held(const Seen& seen, const HiddenPlace& place, Int owner) const {
  const Layout& l = resampler_->program().layout;
  const Int zone = find_zone(seen.state.data(), l, place.true_card);
  return zone != kNone && l.instance[zone].owner == owner;
}

// Returns the cards that make a decision impossible: it is possible in the assigned world, but not if the player holds
// such a card instead of another one.
std::vector<Int> Inference::impossible_cards(const Seen& seen, Int owner, Unseen& unknown, Past& past) const {
  const Program& program = resampler_->program();
  std::vector<std::size_t> theirs, others;   // places whose cards that player held at the time, and the other places
  for (std::size_t i = 0; i < unknown.places().size(); ++i)
    (held(seen, unknown.places()[i], owner) ? theirs : others).push_back(i);
  std::vector<Int> out;
  if (theirs.empty()) return out;
  for (const std::size_t other : others) {
    const Int card = unknown.places()[other].card;
    int tried = 0, impossible = 0;
    for (std::size_t i = 0; i < theirs.size() && tried < kInstead && impossible == tried; ++i) {
      const std::size_t own = theirs[(other + i) % theirs.size()];
      if (!unknown.exchange(own, other)) continue;
      ++tried;
      impossible +=
          likelihood(seen, Exchange(program, resampler_->things(), unknown.becomes()), nullptr, past) <= kImpossible;
      unknown.exchange(own, other);
    }
    if (tried > 0 && impossible == tried) out.push_back(card);
  }
  return out;
}

void Inference::keep_away(const Seen& seen, Unseen& unknown) const {
  for (const Never& never : seen.never) {
    Word kinds = 0;
    for (const HiddenPlace& place : unknown.places())
      if (held(seen, place, never.owner)) kinds |= Word{1} << place.kind;
    for (const Int card : never.cards) unknown.keep_away(card, kinds);
  }
}

}   // namespace cardwright::search
