// Computes the hash of a position from the parts that all players see.
#include "runtime/search/sight.h"

#include <algorithm>
#include <cstring>

#include "runtime/state/hash.h"
#include "runtime/ops/zones.h"

namespace cardwright::search {

namespace {

bool has_secret_variables(const Program& program) {
  return std::any_of(program.variable_infos.begin(), program.variable_infos.end(),
                     [](const VariableInfo& info) { return info.secret; });
}

}   // namespace

Sight::Sight(const Program& program) : program_(program) {
  const Layout& l = program.layout;
  perfect_ = l.hidden == 0 && !has_secret_variables(program) && program.at_once.empty() && !program.race;
  secret_actions_ = std::any_of(program.actions.begin(), program.actions.end(),
                                [](const ActionInfo& action) { return action.secret; });
  if (perfect_) return;
  const Word all = (Word{1} << l.players) - 1;
  add(l.in_game, 2);
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const VariableSlot& slot = program.variables[v];
    const VariableInfo& info = program.variable_infos[v];
    if (info.rules_state && !info.secret && !info.hidden && info.kind != ValueKind::card_set)
      add(slot.offset, slot.count * (slot.is_set ? 8 * l.words : slot.bytes));
  }
  for (Int i = 0; i < l.instances; ++i) {
    const ZoneInstance& zone = l.instance[i];
    if ((static_cast<Word>(zone.visible) & all) != all) {
      counted_.push_back(i);
      continue;
    }
    add(l.members + 8 * l.words * i, 8 * l.words);
    if (zone.ordered) add(zone.ends, 2 * l.card_bytes);
  }
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
  std::vector<Piece> joined;
  for (const Piece& piece : pieces_) {
    if (!joined.empty() && joined.back().offset + joined.back().bytes >= piece.offset)
      joined.back().bytes = std::max(joined.back().bytes, piece.offset + piece.bytes - joined.back().offset);
    else
      joined.push_back(piece);
  }
  pieces_ = std::move(joined);
  std::size_t room = 2 * counted_.size();
  for (const Piece& piece : pieces_) room += static_cast<std::size_t>(piece.bytes);
  seen_.resize(room);
}

void Sight::add(Int offset, Int bytes) {
  if (bytes > 0) pieces_.push_back({offset, bytes});
}

Word Sight::hash(const Byte* s) {
  const Layout& l = program_.layout;
  if (perfect_) return hash_bytes(s, l.rules_end);
  Byte* to = seen_.data();
  for (const Piece& piece : pieces_) {
    std::memcpy(to, s + piece.offset, static_cast<std::size_t>(piece.bytes));
    to += piece.bytes;
  }
  for (const Int zone : counted_) {
    Int count = 0;
    for (Int w = 0; w < l.words; ++w) count += count_bits(members_word(s, l, zone, w));
    write(to, static_cast<std::uint16_t>(count));
    to += 2;
  }
  return hash_bytes(seen_.data(), static_cast<Int>(seen_.size()));
}

bool Sight::is_secret(Int site, Int option) const {
  if (site >= 0 && program_.sites[static_cast<std::size_t>(site)].secret) return true;
  if (!secret_actions_) return false;
  const auto after = std::upper_bound(program_.actions.begin(), program_.actions.end(), option,
                                      [](Int id, const ActionInfo& action) { return id < action.base; });
  return after != program_.actions.begin() && std::prev(after)->secret;
}

}   // namespace cardwright::search
