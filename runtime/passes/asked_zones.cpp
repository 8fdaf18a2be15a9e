// Finds the zones for which a playout must track knowledge: those that rules query, and those from which cards unknown
// to a player can reach them. Cards from public zones need no tracking, because they are known. The input is a folded
// playout with its notes. The output is ZoneInstance::asked, and the playout without notes that have no effect on those
// zones. tests/passes/asked_zones_test.cpp tests it.
#include <bitset>
#include <map>
#include <optional>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/dce.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"
#include "runtime/ops/knowledge.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

using ir::Op;

// The zone instances that an int can represent; the last bit represents none.
using Instances = std::bitset<kMaxInstances + 1>;
constexpr std::size_t kNowhere = kMaxInstances;

Instances instances_of(const ZoneSlot& zone) {
  Instances places;
  for (Int at = 0; at < zone.owners * zone.copies; ++at) places.set(static_cast<std::size_t>(zone.first + at));
  return places;
}

class Places {
 public:
  Places(const ir::Module& module, const Layout& layout, const std::vector<ZoneSlot>& zones,
         const ir::Function& function)
      : module_(module), layout_(layout), zones_(zones), places_(function.registers.size()) {
    for (const ir::Register r : function.parameters) places_[r].set();
    for (bool changed = true; changed;) {
      changed = false;
      for (const ir::Block& block : function.blocks)
        for (const ir::Instruction& i : block.code)
          if (i.result != ir::kNoRegister && shape_of(i.op).result() == 'i' && !places_[i.result].all())
            changed |= add(places_[i.result], result(i));
    }
  }

  const Instances& of(std::int64_t r) const { return places_[static_cast<std::size_t>(r)]; }

 private:
  static bool add(Instances& to, const Instances& more) {
    const Instances all = to | more;
    return std::exchange(to, all) != all;
  }
  Instances one(Int value) const {
    Instances places;
    if (value == kNone) return places.set(kNowhere);
    return value >= 0 && value < layout_.instances ? places.set(static_cast<std::size_t>(value)) : places.set();
  }
  Instances result(const ir::Instruction& i) const {
    switch (i.op) {
      case Op::const_int: return one(view::const_int(i).value());
      case Op::copy_int: return of(view::copy(i).from());
      case Op::select: return of(view::select(i).then()) | of(view::select(i).otherwise());
      case Op::add_small: return sums(of(view::pair(i).left()), of(view::pair(i).right()));
      case Op::zone_index:
      case Op::zone_known: return instances_of(zones_[view::zone_index(i).zone()]);
      case Op::table:
      case Op::table_known:
      case Op::table_small: return entries(module_.tables[view::look_up(i).table()]);
      default: return Instances().set();
    }
  }
  Instances entries(const std::vector<std::int64_t>& table) const {
    Instances places;
    for (const std::int64_t entry : table) places |= one(entry);
    return places;
  }
  static Instances sums(const Instances& a, const Instances& b) {
    Instances places;
    for (std::size_t by = 0; by < kMaxInstances; ++by)
      if (b[by]) places |= but_nowhere(a) << by;
    return (a | b)[kNowhere] ? places.set() : but_nowhere(places);
  }
  static Instances but_nowhere(Instances places) { return places.reset(kNowhere); }

  const ir::Module& module_;
  const Layout& layout_;
  const std::vector<ZoneSlot>& zones_;
  std::vector<Instances> places_;
};

// Returns true if this function queries knowledge or notes moves.
bool asks_or_notes(const ir::Function& function) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& i : block.code)
      if (shape_of(i.op).has('Q') || i.op == Op::note_move || i.op == Op::note_draw) return true;
  return false;
}

bool affects_only_log(Op op) { return shape_of(op).has('K') && !shape_of(op).has('W'); }

// Computes, for each set register, the zones that may contain its cards. A move makes the result unknown. Analyzes a
// function block by block.
class CardZones {
 public:
  CardZones(const Places& places, const ir::Function& function) : places_(places), begins_(function.blocks.size()) {
    if (begins_.empty()) return;
    begins_[0].emplace();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < begins_.size(); ++b) {
        if (!begins_[b]) continue;
        enter(b);
        for (const ir::Instruction& i : function.blocks[b].code) look(i);
        for_each_target(function.blocks[b].code.back(),
                        [&](std::int64_t to) { changed |= join(begins_[static_cast<std::size_t>(to)]); });
      }
    }
  }

  void enter(std::size_t block) { in_ = begins_[block].value_or(Sets()); }
  void look(const ir::Instruction& i) {
    if (const ir::OpShape& shape = shape_of(i.op);
        is_call(i.op) || (shape.has('W') && !shape.has('K') && shape.operands().find('V') == shape.operands().npos))
      in_.clear();
    if (i.result == ir::kNoRegister || shape_of(i.op).result() != 's') return;
    const std::optional<Instances> in = result(i);
    in_.erase(i.result);
    if (in) in_.emplace(i.result, *in);
  }
  Instances of(std::int64_t set) const { return find(set).value_or(Instances().set()); }

 private:
  using Sets = std::map<ir::Register, Instances>;

  // Merges the state at the end of a predecessor into the start of a block.
  bool join(std::optional<Sets>& begin) const {
    if (!begin) return begin = in_, true;
    Sets both;
    for (const auto& [set, places] : *begin)
      if (const auto other = in_.find(set); other != in_.end()) both.emplace(set, places | other->second);
    const bool changed = both != *begin;
    begin = std::move(both);
    return changed;
  }
  std::optional<Instances> find(std::int64_t set) const {
    const auto at = in_.find(static_cast<ir::Register>(set));
    return at == in_.end() ? std::nullopt : std::optional(at->second);
  }
  std::optional<Instances> result(const ir::Instruction& i) const {
    switch (i.op) {
      case Op::zone_cards: return places_.of(view::zone_cards(i).instance());
      case Op::copy_set: return find(view::copy(i).from());
      case Op::set_without:
      case Op::set_remove:
      case Op::set_rest:
      case Op::set_lookalikes: return find(view::part_of_set(i).whole());
      case Op::set_known: return find(view::knows(i).what());
      case Op::set_or: return in_either(find(view::pair(i).left()), find(view::pair(i).right()));
      case Op::set_select: return in_either(find(view::select(i).then()), find(view::select(i).otherwise()));
      case Op::set_and: {
        const std::optional<Instances> first = find(view::pair(i).left());
        return first ? first : find(view::pair(i).right());
      }
      default: return std::nullopt;
    }
  }
  static std::optional<Instances> in_either(const std::optional<Instances>& a, const std::optional<Instances>& b) {
    return a && b ? std::optional(*a | *b) : std::nullopt;
  }

  const Places& places_;
  Sets in_;
  std::vector<std::optional<Sets>> begins_;   // by block
};

// Adds the other side of each pile whose cards can be face up or face down: such a pile has two instances, and the top
// card can be in either.
Instances with_other_sides(Instances in, const Layout& layout) {
  for (Int at = 0; at < layout.instances; ++at)
    if (const Int other = layout.instance[at].other_side; in[static_cast<std::size_t>(at)] && other >= 0)
      in.set(static_cast<std::size_t>(other));
  return in;
}

// Returns the zones whose cards this instruction queries.
Instances asked_by(const ir::Instruction& i, const Layout& layout, const std::vector<ZoneSlot>& zones,
                   const Places& places, const CardZones& card_zones) {
  if (!shape_of(i.op).has('Q') || i.op == Op::knows_value) return {};
  if (i.op == Op::set_known || i.op == Op::knows_cards) return card_zones.of(view::knows(i).what());
  if (i.op == Op::tops_unknown) {
    const view::tops tops(i);
    Instances asked = instances_of(zones[tops.zone()]) | instances_of(zones[tops.facedown()]);
    for (Int at = 0; at < layout.instances; ++at)
      if (all_see(layout, at)) asked.reset(static_cast<std::size_t>(at));
    return asked;
  }
  if (i.op == Op::knows_top) return with_other_sides(places.of(view::knows(i).what()), layout);
  return Instances().set();
}

// The possible source and target zones of a reported move.
struct MoveZones {
  Instances from, to;
  bool moves = false;
};
MoveZones zones_of_move(const ir::Instruction& i, const Places& places, const CardZones& card_zones) {
  if (i.op != Op::note_move && i.op != Op::note_draw) return {};
  const view::move_note note(i);
  MoveZones move{places.of(note.from()), places.of(note.to()), true};
  // If `from` can be none, the cards may come from several zones.
  if (move.from[kNowhere]) move.from = i.op == Op::note_move ? card_zones.of(note.cards()) : Instances().set();
  return move;
}

bool hides_from_all(const Layout& layout, const Instances& in) {
  for (Int i = 0; i < layout.instances; ++i)
    if (in[static_cast<std::size_t>(i)] && layout.instance[i].visible == 0) return in.count() == 1;
  return false;
}

// Returns true if the pile to which cards are moved is shuffled next, so that no player knows them.
bool is_shuffled_next(const ir::Block& block, std::size_t at, const Layout& layout, const Places& places) {
  const Instances pile = places.of(view::move_note(block.code[at]).to());
  if (!hides_from_all(layout, pile)) return false;
  for (++at; at < block.code.size(); ++at) {
    const ir::Instruction& i = block.code[at];
    if (i.op == Op::shuffle && places.of(view::shuffle(i).pile()) == pile) return true;
    const bool joins_them = i.op == Op::note_move && places.of(view::move_note(i).to()) == pile;
    const bool is_reported = shape_of(i.op).has('K') && !affects_only_log(i.op);
    if (is_call(i.op) || shape_of(i.op).has('Q') || (is_reported && !joins_them)) return false;
  }
  return false;
}

bool keep_their_order(const Layout& layout, const Instances& in) {
  for (Int i = 0; i < layout.instances; ++i)
    if (in[static_cast<std::size_t>(i)] && layout.instance[i].ordered == 0) return false;
  return true;
}

}   // namespace

void find_asked_zones(const ir::Module& playout, Layout& layout, const std::vector<ZoneSlot>& zones) {
  Instances asked;
  std::vector<MoveZones> moves;
  for (const ir::Function& function : playout.functions) {
    if (!asks_or_notes(function)) continue;
    const Places places(playout, layout, zones, function);
    CardZones card_zones(places, function);
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      const ir::Block& block = function.blocks[b];
      card_zones.enter(b);
      for (std::size_t at = 0; at < block.code.size(); ++at) {
        asked |= asked_by(block.code[at], layout, zones, places, card_zones);
        card_zones.look(block.code[at]);
        const MoveZones move = zones_of_move(block.code[at], places, card_zones);
        if (move.moves && !is_shuffled_next(block, at, layout, places)) moves.push_back(move);
      }
    }
  }
  for (Instances before; before != asked;) {
    before = asked;
    for (const MoveZones& move : moves)
      for (Int from = 0; (move.to & asked).any() && from < layout.instances; ++from)
        if (move.from[static_cast<std::size_t>(from)] && !all_see(layout, from))
          asked.set(static_cast<std::size_t>(from));
  }
  for (Int i = 0; i < layout.instances; ++i) layout.instance[i].asked = asked[static_cast<std::size_t>(i)];
}

void drop_unasked_notes(ir::Module& module, const PassContext& context) {
  const Layout& layout = context.layout();
  Instances asked;
  for (Int i = 0; i < layout.instances; ++i) asked[static_cast<std::size_t>(i)] = layout.instance[i].asked != 0;
  for (ir::Function& function : module.functions) {
    if (!asks_or_notes(function)) continue;
    const Places places(module, layout, context.zones(), function);
    CardZones card_zones(places, function);
    bool changed = false;
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      ir::Block& block = function.blocks[b];
      std::vector<char> dropped(block.code.size());
      card_zones.enter(b);
      for (std::size_t at = 0; at < block.code.size(); ++at) {
        card_zones.look(block.code[at]);
        const MoveZones move = zones_of_move(block.code[at], places, card_zones);
        const bool leaves_them_alone =
            (move.from & asked).none() || (block.code[at].op == Op::note_draw && keep_their_order(layout, move.from));
        dropped[at] = move.moves &&
                      (((move.to & asked).none() && leaves_them_alone) || is_shuffled_next(block, at, layout, places));
      }
      std::size_t at = 0;
      changed |= std::erase_if(block.code, [&](const ir::Instruction&) { return dropped[at++] != 0; }) != 0;
    }
    while (changed) changed = dce(function);
  }
}

}   // namespace cardwright::passes
