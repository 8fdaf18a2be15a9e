// Counts the rules and statements that take effect in games of a Program with coverage notes (sema::kCoverage).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "support/source.h"
#include "runtime/program/program.h"
#include "runtime/ops/note.h"

namespace cardwright::api::detail {

// A place in the rules: source, begin, end.
using PlaceKey = std::tuple<SourceId, std::uint32_t, std::uint32_t>;
inline PlaceKey key_of(const Range& range) { return {range.source, range.begin, range.end}; }

// Rules reached by some games.
struct Reached {
  struct Option {
    std::uint64_t offered = 0, taken = 0;   // number of decisions
  };
  std::map<PlaceKey, std::uint64_t> rules;   // number of times each rule or statement took effect
  std::map<PlaceKey, Option> options;   // keyed by the place of the action's declaration
};

// Receives the coverage notes of a game, and counts how often each rule takes effect.
class RuleCounter : public NoteBook {
 public:
  RuleCounter();
  RuleCounter(const RuleCounter&) = delete;
  RuleCounter& operator=(const RuleCounter&) = delete;
  // Moves all counts to `reached`.
  void add_to(Reached& reached);

  void turn_page() override;

 private:
  static constexpr std::size_t kPage = 256;
  std::vector<Note> page_;
  std::map<PlaceKey, std::uint64_t> rules_;
};

}   // namespace cardwright::api::detail
