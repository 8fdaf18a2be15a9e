// See inference.h.
#include "search/inference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "program/words.h"
#include "runtime/knowledge.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/random.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright::search {

namespace {

constexpr std::size_t kMostSeen = 64;
constexpr double kImpossible = 1e-3;   // counts a decision that could not have been made
constexpr int kTries = 48;   // worlds, until one is found in which it could
constexpr int kInstead = 2;   // cards for which another has to stand, in turn

// Cards that an option names; false where it doesn't say which.
bool cards_of(const Program& program, Int option, std::vector<Int>& cards) {
  const OptionParts parts = option_parts(program, option);
  if (!parts.action || parts.action->secret) return false;
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    if (parts.values[i] <= kUnseen && parts.values[i] > kUnseen - kMaxHidden) return false;
    if (parts.action->parameters[i].kind == ValueKind::card) cards.push_back(parts.values[i]);
  }
  return true;
}

}  // namespace

Inference::Inference(const Resampler& resampler, Int observer)
    : resampler_(&resampler),
      observer_(observer),
      trails_(static_cast<std::size_t>(resampler.program().layout.card_ids)),
      zones_(trails_.size(), kNone) {}

void Inference::saw(const Byte* s, Int player, Int site, Int option) {
  look(s);
  const Program& program = resampler_->program();
  if (player == observer_ || program.race || site < 0 || program.sites[static_cast<std::size_t>(site)].secret) return;
  std::vector<Int> cards;
  if (!cards_of(program, option, cards)) return;
  if (seen_.size() == kMostSeen) seen_.erase(seen_.begin());
  seen_.push_back({{s, s + program.layout.where}, player, site, option, cards.empty()});
  ++count_;
}

void Inference::look(const Byte* s) {
  forget(s);
  note_trails(s);
  // Which card it was that was played, only those know who see it now.
  std::erase_if(seen_, [&](Seen& seen) { return !seen.sure && !(seen.sure = tells_option(s, seen.option)); });
}

bool Inference::tells_option(const Byte* s, Int option) const {
  const Layout& l = resampler_->program().layout;
  std::vector<Int> cards;
  return cards_of(resampler_->program(), option, cards) && std::all_of(cards.begin(), cards.end(), [&](Int card) {
           return card < 0 || knows_card(l, s, observer_, card);
         });
}

// Where a card was known and now isn't, hidden places hold others than those of which earlier decisions tell.
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

// As far as the observer did not know them then.
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

Int Inference::options_in(const Seen& seen, const Exchange& exchange, const Byte* world, World& scratch) const {
  scratch.take(seen.state.data(), seen.player);
  Byte* const s = scratch.bytes();
  if (resampler_->program().knowledge_in_playout)
    for (Int p = 0; p < resampler_->program().layout.players; ++p)
      if (p != observer_) exchange.map_set(unknown_at(s, resampler_->program().layout, p));
  exchange.carry_out(s);
  if (world != nullptr) copy_secrets(world, s);
  resampler_->finish(s, 1);
  scratch.step(-1);
  if (scratch.is_over() || scratch.player() != seen.player || scratch.site() != seen.site) return 0;
  const std::span<const Int> ids = scratch.list();
  return std::binary_search(ids.begin(), ids.end(), seen.option) ? static_cast<Int>(ids.size()) : 0;
}

double Inference::weight(std::span<const Int> becomes, const Byte* world, World& scratch) const {
  const Exchange exchange(resampler_->program(), resampler_->things(), becomes);
  double weight = 1;
  for (const Seen& seen : seen_) {
    const Int options = options_in(seen, exchange, world, scratch);
    weight *= options == 0 ? kImpossible : 1 / std::sqrt(static_cast<double>(options));
    weight = std::max(weight, 1e-200);
  }
  return weight;
}

void Inference::learn(Unseen& unseen, World& scratch, Word seed) const {
  for (std::size_t i = seen_.size(); i-- > 0;)
    learn_from(seen_[i], unseen, scratch, mix_word(seed + (i + 1) * kGoldenGamma));
}

void Inference::learn_from(const Seen& seen, Unseen& unseen, World& scratch, Word seed) const {
  const Program& program = resampler_->program();
  const Layout& l = program.layout;
  const auto is_possible = [&] {
    return options_in(seen, Exchange(program, resampler_->things(), unseen.becomes()), nullptr, scratch) != 0;
  };
  int possible = 0;
  for (int i = 0; i < kTries / 4; ++i) {
    unseen.assign(seed + static_cast<Word>(i));
    possible += is_possible();
  }
  if (possible == kTries / 4) return;   // it says nothing, or seldom anything
  bool found = false;
  for (int i = 0; i < kTries && !found; ++i) {
    unseen.assign(seed + static_cast<Word>(i));
    found = is_possible();
  }
  if (!found) return;
  std::vector<std::size_t> theirs, others;   // places whose cards that player held then, or not
  Word kinds = 0;
  for (std::size_t i = 0; i < unseen.places().size(); ++i) {
    const HiddenPlace& place = unseen.places()[i];
    const Int zone = find_zone(seen.state.data(), l, place.true_card);
    const bool held = zone != kNone && l.instance[zone].owner == seen.player;
    (held ? theirs : others).push_back(i);
    if (held) kinds |= Word{1} << place.kind;
  }
  if (theirs.empty()) return;
  std::vector<Int> out;   // cards that they can't have held
  for (const std::size_t other : others) {
    const Int card = unseen.places()[other].card;
    int tried = 0, impossible = 0;
    for (std::size_t i = 0; i < theirs.size() && tried < kInstead && impossible == tried; ++i) {
      const std::size_t own = theirs[(other + i) % theirs.size()];
      if (!unseen.exchange(own, other)) continue;
      ++tried;
      impossible += !is_possible();
      unseen.exchange(own, other);
    }
    if (tried > 0 && impossible == tried) out.push_back(card);
  }
  for (const Int card : out) unseen.keep_away(card, kinds);
}

}  // namespace cardwright::search
