// Implements the host's loop, which all engines share, and records the rule stack of a trap.
#include "runtime/engine.h"

#include "runtime/ops/frames.h"
#include "runtime/ops/knowledge.h"
#include "runtime/state/state.h"

namespace cardwright {

void Engine::begin(Game& g, Int knowledge) const {
  g.program = &program_;
  g.fuel = g.fuel_per_decision;
  g.trap = Trap::none;
  g.about = About::nothing;
  g.trap_function = -1;
  g.trap_source = kNoSource;
  g.trap_begin = g.trap_end = 0;
  g.stack_size = 0;
  g.listing = 0;
  g.draws_decisions = 0;
  g.chosen_by_host = 0;
  g.knowledge = knowledge;
  if (g.supposing != 0) g.log = g.log_before;   // the previous game was stopped inside a `suppose`
  g.supposing = 0;
}

void Engine::begin_playout(Game& g) const {
  const bool observed = g.trace != nullptr || g.log != nullptr || (g.supposing != 0 && g.log_before != nullptr);
  begin(g, observed ? kAllKnowledge : program_.knowledge_in_playout ? kUnknownOnly : kNoKnowledge);
}

Status Engine::play_game(Game& g, Byte* s, Word run, Word game_index) {
  new_playout_state(program_, s, run, game_index);
  return playout(g, s);
}

Status Engine::loop(Game& g, Byte* s) {
  const Layout& l = program_.layout;
  while (const Int top = top_frame(s, l)) {
    // The function must be read before the step, after which the frame may no longer exist.
    const ir::FunctionIndex function = program_.waits[static_cast<std::size_t>(frame_wait(s, top))];
    const Status status = run_top(g, s);
    if (status == Status::trapped) push_frames_below(g, program_, s);
    if (status != Status::ok) return status;
    // In a game without decisions, `main` is an ordinary function, which has just returned.
    if (!program_.step.functions[function].suspends) op_frame_pop(g, s, l, program_.frames[function].size);
  }
  return Status::done;
}

Status Engine::step(Game& g, Byte* s) {
  if (g.knowledge_dropped != 0)
    begin_playout(g);
  else
    begin(g, kAllKnowledge);
  g.pending_player = -1;
  g.pending_options = 0;
  g.pending_site = -1;
  return loop(g, s);
}

Status Engine::list(Game& g, Byte* s, Int what) {
  begin(g, kNoKnowledge);
  g.listing = what;
  g.offers_count = 0;
  g.choice = -1;
  const Status status = top_frame(s, program_.layout) == 0 ? Status::done : run_top(g, s);
  if (status == Status::trapped) push_frames_below(g, program_, s);
  g.listing = 0;
  return status;
}

Status Engine::play_on(Game& g, Byte* s) {
  begin_playout(g);
  g.draws_decisions = 1;
  const Status status = loop(g, s);
  g.draws_decisions = 0;
  return status;
}

void push_levels(Game& g, const Program& program, ir::FunctionIndex function, ir::FunctionIndex of, Range where) {
  for (;;) {
    if (program.playout.functions[of].shown && g.stack_size < Game::kStack)
      g.stack[g.stack_size++] = {static_cast<std::int32_t>(of), where.source, where.begin, where.end};
    if (of == function || program.step.joined[of].caller == ir::kItself) return;
    const ir::Joined& call = program.step.joined[of];
    of = call.caller;
    where = call.where;
  }
}

void push_frames_below(Game& g, const Program& program, const Byte* s) {
  const Int top = top_frame(s, program.layout);
  if (top == 0) return;
  for (Int frame = frame_below(s, top); frame != 0; frame = frame_below(s, frame)) {
    const Int wait = frame_wait(s, frame);
    const ir::FunctionIndex function = program.waits[static_cast<std::size_t>(wait)];
    const ResumePoint& point = resume_point(program, wait);
    push_levels(g, program, function, point.of, point.where);
  }
}

}   // namespace cardwright
