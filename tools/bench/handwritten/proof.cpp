// Writes final states of handwritten games into the bytes of a State, and describes differences between two States.
#include "tools/bench/handwritten/proof.h"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"
#include "runtime/state/state.h"

namespace handwritten {

namespace {

using namespace cardwright;

[[noreturn]] void unknown(const char* what, const char* name) {
  throw std::runtime_error(fmt::format("the ruleset has no {} {}", what, name));
}

Int instance_of(const Program& program, const Final::Zone& zone) {
  for (std::size_t z = 0; z < program.zones.size(); ++z)
    if (program.zone_infos[z].name == zone.name)
      return program.zones[z].first + std::max(zone.owner, 0) * program.zones[z].copies;
  unknown("zone", zone.name);
}

const VariableSlot& variable(const Program& program, const char* name) {
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    if (program.variable_infos[v].name == name && program.variable_infos[v].rules_state) return program.variables[v];
  unknown("variable", name);
}

void write_zone(const Program& program, const Final::Zone& zone, Byte* s) {
  const Layout& l = program.layout;
  const Int i = instance_of(program, zone);
  const ZoneInstance& z = l.instance[i];
  Word bag[kMaxWords] = {};
  for (Int w = 0; w < l.words; ++w) write(members_at(s, l, i) + 8 * w, bag[w] = zone.cards[w]);
  if (!z.ordered) return;
  for (const std::uint8_t card : zone.top) clear_bit(bag, card);
  for (const std::uint8_t card : zone.bottom) clear_bit(bag, card);
  for (Int w = 0; w < l.words; ++w) write(s + l.loose + 8 * w, read<Word>(s + l.loose + 8 * w) | bag[w]);
  for (const std::uint8_t card : zone.top) push_top(s, l, z, card);
  for (const std::uint8_t card : zone.bottom) push_bottom(s, l, z, card);
}

}   // namespace

void write_final(const Program& program, const Final& final, Byte* s) {
  const Layout& l = program.layout;
  new_playout_state(program, s, 0, 0);
  for (Int i = 0; i < l.instances; ++i) {
    if (l.instance[i].ordered) {
      clear_order(s, l, i);
      std::memset(s + l.loose, 0, static_cast<std::size_t>(8 * l.words));
    }
    std::memset(members_at(s, l, i), 0, static_cast<std::size_t>(8 * l.words));
  }
  for (const Final::Zone& zone : final.zones) write_zone(program, zone, s);
  for (const Final::Value& value : final.values) {
    const VariableSlot& v = variable(program, value.name);
    write_bytes(variable_at(s, v, value.index), v.bytes,
                v.is_set ? static_cast<Word>(value.value) : encode_value(v, value.value));
  }
  write(s + l.in_game, static_cast<std::uint16_t>(final.in_game));
  write(s + l.winners, static_cast<std::uint16_t>(final.winners));
  s[l.over] = 1;
  for (std::size_t i = 0; i < final.streams.size(); ++i)
    write(s + l.streams + 8 * static_cast<Int>(i), final.streams[i]);
}

std::string difference(const Program& program, const Byte* expected, const Byte* found) {
  const Layout& l = program.layout;
  std::string out;
  const auto compare = [&](const std::string& what, const auto& a, const auto& b) {
    if (a != b) out += fmt::format("{}: {} instead of {}\n", what, b, a);
  };
  for (Int i = 0; i < l.instances; ++i) {
    const ZoneInstance& z = l.instance[i];
    const std::string name = fmt::format("{} {}", program.zone_infos[static_cast<std::size_t>(z.zone)].name, z.owner);
    compare(name, cards_in_zone(l, expected, i), cards_in_zone(l, found, i));
    if (z.ordered) compare("order of " + name, cards_from_top(l, expected, i), cards_from_top(l, found, i));
  }
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (!program.variable_infos[v].rules_state) continue;
    for (Int i = 0; i < program.variables[v].count; ++i)
      compare(fmt::format("{} {}", program.variable_infos[v].name, i),
              value_of_variable(program, expected, static_cast<Int>(v), i),
              value_of_variable(program, found, static_cast<Int>(v), i));
  }
  compare("players", read<std::uint16_t>(expected + l.in_game), read<std::uint16_t>(found + l.in_game));
  compare("winners", winners(l, expected), winners(l, found));
  for (Int i = 0; i <= l.players; ++i)
    compare(fmt::format("stream {}", i), read<Word>(expected + l.streams + 8 * i),
            read<Word>(found + l.streams + 8 * i));
  if (out.empty() && std::memcmp(expected, found, static_cast<std::size_t>(l.rules_end)) != 0)
    out = "the rules states differ\n";
  return out;
}

}   // namespace handwritten
