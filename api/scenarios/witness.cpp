// Implements Witness, which stores a copy of the table directly after a step of a scenario.
#include "api/scenarios/witness.h"

#include <algorithm>

#include "api/game/log_data.h"
#include "runtime/program/reached.h"

namespace cardwright::api::detail {

Witness::Witness(const Program& program, Log& log) : program_(program), log_(log), sink_(log.data().log) {
  const std::vector<std::string>& texts = program.playout.texts;
  const auto mark = std::find(texts.begin(), texts.end(), kFlowMark);
  if (mark == texts.end()) return;
  mark_ = mark - texts.begin();
  log_.data().watcher = this;
}

Witness::~Witness() { log_.data().watcher = nullptr; }

void Witness::forget() { expects_ = stored_ = false; }

void Witness::expect() {
  expects_ = true;
  stored_ = false;
}

void Witness::mark(const Byte* state) {
  if (!expects_) return;
  moment_.assign(state, state + program_.layout.size);
  lines_ = log_.lines(-1);
  expects_ = false;
  stored_ = true;
}

void Witness::log_text(cardwright::Game& g, const Byte* s, Int text) {
  if (text == mark_)
    mark(s);
  else
    sink_.log_text(g, s, text);
}
void Witness::moved(cardwright::Game& g, const Byte* s, const Word* cards, Int from, Int to, Int how) {
  sink_.moved(g, s, cards, from, to, how);
}
void Witness::revealed(cardwright::Game& g, const Byte* s, const Word* cards) { sink_.revealed(g, s, cards); }
void Witness::peeked(cardwright::Game& g, const Byte* s, Int player, const Word* cards) {
  sink_.peeked(g, s, player, cards);
}
void Witness::faces(cardwright::Game& g, const Byte* s, Int variable, Int dice, bool turned) {
  sink_.faces(g, s, variable, dice, turned);
}
void Witness::arranged(cardwright::Game& g, const Byte* s, Int player, Int pile, const Word* cards) {
  sink_.arranged(g, s, player, pile, cards);
}
void Witness::variable(cardwright::Game& g, const Byte* s, Int variable, Int index, bool to_all) {
  sink_.variable(g, s, variable, index, to_all);
}
void Witness::shown(cardwright::Game& g, const Byte* s, Int player, Int variable, Int index) {
  sink_.shown(g, s, player, variable, index);
}
void Witness::changed(cardwright::Game& g, const Byte* s, Int variable, Int index, Int old_value, Int new_value) {
  sink_.changed(g, s, variable, index, old_value, new_value);
}
void Witness::log_value(cardwright::Game& g, const Byte* s, Int value) { sink_.log_value(g, s, value); }
void Witness::log_value(cardwright::Game& g, const Byte* s, const Word* set) { sink_.log_value(g, s, set); }
void Witness::readers(cardwright::Game& g, const Byte* s, Word players) { sink_.readers(g, s, players); }
void Witness::without_options(cardwright::Game& g, const Byte* s, Int player) { sink_.without_options(g, s, player); }
void Witness::part(cardwright::Game& g, const Byte* s, Int text) { sink_.part(g, s, text); }

}   // namespace cardwright::api::detail
