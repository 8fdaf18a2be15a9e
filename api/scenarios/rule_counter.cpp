// Counts rules and statements by their place. A note encodes a place as two numbers: the source, and the begin and end
// in one number.
#include "api/scenarios/rule_counter.h"

#include "runtime/program/reached.h"

namespace cardwright::api::detail {

namespace {

PlaceKey place_of(Int source, Int range) {
  const auto ends = static_cast<std::uint64_t>(range);
  return {static_cast<SourceId>(source), static_cast<std::uint32_t>(ends >> 32), static_cast<std::uint32_t>(ends)};
}

}   // namespace

RuleCounter::RuleCounter() : page_(kPage) {
  next = page_.data();
  end = page_.data() + page_.size();
}

void RuleCounter::turn_page() {
  for (const Note* note = page_.data(); note != next; ++note)
    if (note->of == kNoteReached) ++rules_[place_of(note->cell, note->value)];
  next = page_.data();
}

void RuleCounter::add_to(Reached& reached) {
  turn_page();
  for (const auto& [place, count] : rules_) reached.rules[place] += count;
  rules_.clear();
}

}   // namespace cardwright::api::detail
