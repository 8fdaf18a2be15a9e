// Implements small queries that read the bytes of a State: winners, endings, zones and piles.
#include "api/game/game_data.h"
#include "runtime/program/words.h"
#include "runtime/ops/zones.h"

namespace cardwright::api::detail {

const EndingInfo* ending_of(const Program& program, const Byte* state) {
  const std::size_t ended_by = read<std::uint16_t>(state + program.layout.ended_by);
  return ended_by > 0 && ended_by <= program.endings.size() ? &program.endings[ended_by - 1] : nullptr;
}

std::uint64_t winners_of(const Program& program, const Byte* state) {
  return read<std::uint16_t>(state + program.layout.winners);
}
std::uint64_t players_in(const Program& program, const Byte* state) {
  return read<std::uint16_t>(state + program.layout.in_game);
}

Int zone_instance(const Program& program, Int zone, Int owner, Int copy) {
  const ZoneSlot& slot = program.zones[static_cast<std::size_t>(zone)];
  return slot.first + (slot.owners > 1 ? owner : 0) * slot.copies + copy;
}

std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance) {
  return cards_from_top(program.layout, state, instance);
}

std::string constant_label(const Program& program, Int enumeration, Int value) {
  return value_in_words(program, ValueKind::enumeration, enumeration, value);
}

}   // namespace cardwright::api::detail
