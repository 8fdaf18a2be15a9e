// Shares one set_lookalikes of a set among all kinds of cards for which the set is searched.
#include "runtime/passes/lookalikes.h"

#include <map>
#include <span>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

// The instruction that sets a register, if there is only one. A parameter has no such instruction.
struct Definition {
  int times = 0;
  std::size_t block = 0, index = 0;
};

std::vector<Definition> find_definitions(const ir::Function& function) {
  std::vector<Definition> definitions(function.registers.size());
  for (std::size_t b = 0; b < function.blocks.size(); ++b)
    for (std::size_t i = 0; i < function.blocks[b].code.size(); ++i)
      if (const ir::Register r = set_by(function.blocks[b].code[i]); r != ir::kNoRegister)
        definitions[r] = {definitions[r].times + 1, b, i};
  // The caller also sets a parameter, so its `times` must not be 1.
  for (const ir::Register r : function.parameters) definitions[r].times += 2;
  return definitions;
}

bool has(std::span<const Word> set, Int card) { return set[static_cast<std::size_t>(card) / 64] >> (card % 64) & 1; }

// Returns true if each class of look-alikes, from its start to its guard, is entirely in the set or entirely outside.
bool is_whole_classes(std::span<const Word> set, const Layout& layout) {
  for (Int card = 0; card < 64 * layout.words; ++card) {
    if (!has(layout.lookalike_starts, card)) continue;
    for (Int other = card; other < 64 * layout.words && !has(layout.lookalike_guards, other); ++other)
      if (has(set, other) != has(set, card)) return false;
  }
  return true;
}

struct Use {
  std::size_t block, index;   // position of the set_lookalikes
  std::int64_t kind;   // register of the constant set
};

class Sharing {
 public:
  Sharing(const ir::Module& module, ir::Function& function, const Layout& layout)
      : module_(module), function_(function), layout_(layout), definitions_(find_definitions(function)) {}

  void run() {
    for (std::size_t b = 0; b < function_.blocks.size(); ++b)
      for (std::size_t i = 0; i < function_.blocks[b].code.size(); ++i)
        if (function_.blocks[b].code[i].op == ir::Op::set_lookalikes) consider(b, i);
    // Instructions to insert after these positions, in descending order.
    std::map<std::pair<std::size_t, std::size_t>, ir::Instruction, std::greater<>> to_insert;
    for (const auto& [whole, uses] : uses_) {
      if (uses.size() < 2) continue;
      const Definition& at = definitions_[whole];
      function_.registers.push_back(function_.registers[whole]);
      const auto shared = static_cast<ir::Register>(function_.registers.size() - 1);
      to_insert[{at.block, at.index}] = {ir::Op::set_lookalikes,
                                         shared,
                                         {static_cast<std::int64_t>(whole)},
                                         function_.blocks[at.block].code[at.index].where};
      for (const Use& use : uses) {
        ir::Instruction& instruction = function_.blocks[use.block].code[use.index];
        instruction.op = ir::Op::set_and;
        instruction.operands = {static_cast<std::int64_t>(shared), use.kind};
      }
    }
    for (auto& [at, instruction] : to_insert) {
      auto& code = function_.blocks[at.first].code;
      code.insert(code.begin() + static_cast<std::ptrdiff_t>(at.second) + 1, std::move(instruction));
    }
  }

 private:
  const ir::Instruction* only_definition(std::int64_t r) const {
    const Definition& definition = definitions_[static_cast<std::size_t>(r)];
    return definition.times == 1 ? &function_.blocks[definition.block].code[definition.index] : nullptr;
  }

  void consider(std::size_t block, std::size_t index) {
    const ir::Instruction* both = only_definition(function_.blocks[block].code[index].operands[0]);
    if (!both || both->op != ir::Op::set_and) return;
    for (const bool swapped : {false, true}) {
      const view::pair sets(both);
      const ir::Register whole = swapped ? sets.right() : sets.left(), kind = swapped ? sets.left() : sets.right();
      const ir::Instruction* constant = only_definition(kind);
      const ir::Instruction* origin = only_definition(whole);
      if (!constant || constant->op != ir::Op::const_set || !origin || origin->op != ir::Op::zone_cards) continue;
      if (!is_whole_classes(module_.sets[view::const_set(constant).set()], layout_)) continue;
      if (!is_available_at(definitions_[whole], *both, block, index)) continue;
      uses_[whole].push_back({block, index, kind});
      return;
    }
  }

  // Returns true if `both` is computed in this block, before `index`, from the current value of the set. If it is
  // computed elsewhere, the set could have changed in a loop.
  bool is_available_at(const Definition& whole, const ir::Instruction& both, std::size_t block,
                       std::size_t index) const {
    const Definition& at = definitions_[both.result];
    const bool set_in_between = whole.block == block && whole.index > at.index && whole.index < index;
    return at.block == block && at.index < index && !set_in_between;
  }

  const ir::Module& module_;
  ir::Function& function_;
  const Layout& layout_;
  std::vector<Definition> definitions_;
  std::map<ir::Register, std::vector<Use>> uses_;
};

}   // namespace

void cse_lookalikes(const ir::Module& module, ir::Function& function, const Layout& layout) {
  Sharing(module, function, layout).run();
}

}   // namespace cardwright::passes
