// Inserts the notes from which the standard figures are computed: decisions, chosen options and moved cards. They are
// derived from the knowledge and log operations before those are dropped from playouts.
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/passes.h"
#include "runtime/ops/note.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

using ir::Op;

ir::Instruction note(const ir::Instruction& at, Int of, std::int64_t cell, std::int64_t value) {
  return {Op::note, ir::kNoRegister, {of, cell, value}, at.where};
}

void add_notes(const ir::Instruction& in, std::vector<ir::Instruction>& out) {
  if (in.op == Op::decide) {
    const view::decide decision(in);
    out.push_back(note(in, kNoteDecided, decision.player(), decision.count()));
  } else if (in.op == Op::chosen) {
    const ir::Register option = view::chosen(in).option();
    out.push_back(note(in, kNoteChosen, option, option));
  } else if (in.op == Op::note_move || in.op == Op::note_draw) {
    const view::move_note move(in);
    out.push_back(note(in, kNoteMoved, move.from(), move.to()));
    if (in.op == Op::note_draw)
      out.push_back(note(in, kNoteCard, move.cards(), move.cards()));
    else
      out.push_back({Op::note_cards, ir::kNoRegister, {kNoteCard, move.cards()}, in.where});
  }
}

}   // namespace

void count_figures(ir::Module& module) {
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks) {
      std::vector<ir::Instruction> code;
      for (ir::Instruction& in : block.code) {
        code.push_back(in);
        add_notes(in, code);
      }
      block.code = std::move(code);
    }
}

}   // namespace cardwright::passes
