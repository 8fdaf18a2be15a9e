// Observes a scenario: stores a copy of the table directly after the last step and, if the Program has coverage notes,
// counts the rules that take effect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/scenarios/rule_counter.h"
#include "cardwright/cardwright.hpp"
#include "runtime/program/program.h"
#include "runtime/log.h"

namespace cardwright::api::detail {

class Witness final : public RuleCounter, public LogSink {
 public:
  // `program` and `log` must outlive the Witness.
  Witness(const Program& program, Log& log);
  ~Witness() override;
  Witness(const Witness&) = delete;

  void forget();   // called when a step begins
  void expect();   // called before a step takes an option; the next mark then stores the table
  const Byte* moment() const { return stored_ ? moment_.data() : nullptr; }
  const std::vector<std::string>& lines() const { return lines_; }   // log lines at that moment

  // These functions forward all events except marks to the log.
  void moved(cardwright::Game& g, const Byte* s, const Word* cards, Int from, Int to, Int how) override;
  void revealed(cardwright::Game& g, const Byte* s, const Word* cards) override;
  void peeked(cardwright::Game& g, const Byte* s, Int player, const Word* cards) override;
  void faces(cardwright::Game& g, const Byte* s, Int variable, Int dice, bool turned) override;
  void arranged(cardwright::Game& g, const Byte* s, Int player, Int pile, const Word* cards) override;
  void variable(cardwright::Game& g, const Byte* s, Int variable, Int index, bool to_all) override;
  void shown(cardwright::Game& g, const Byte* s, Int player, Int variable, Int index) override;
  void changed(cardwright::Game& g, const Byte* s, Int variable, Int index, Int old_value, Int new_value) override;
  void log_value(cardwright::Game& g, const Byte* s, Int value) override;
  void log_value(cardwright::Game& g, const Byte* s, const Word* set) override;
  void value_depends_on(cardwright::Game& g, const Byte* s, Int variable, Int index) override;
  void value_depends_on(cardwright::Game& g, const Byte* s, const Word* cards) override;
  void without_options(cardwright::Game& g, const Byte* s, Int player) override;
  void part(cardwright::Game& g, const Byte* s, Int text) override;
  void log_text(cardwright::Game& g, const Byte* s, Int text) override;

 private:
  void mark(const Byte* state);

  const Program& program_;
  Log& log_;
  cardwright::Log& sink_;
  Int mark_ = -1;   // index of the Program's text that marks steps
  std::vector<Byte> moment_;
  std::vector<std::string> lines_;
  bool expects_ = false, stored_ = false;
};

}   // namespace cardwright::api::detail
