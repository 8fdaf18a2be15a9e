// Implements `Ruleset::check`: analyzes rules for several tables, plays random games at each, and collects the
// diagnostics.
#include <ctime>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/compile/engines.h"
#include "api/describe/theme.h"
#include "simulation/random_play.h"
#include "simulation/unreached.h"
#include "cardwright/tools.hpp"
#include "compiler/driver/driver.h"

namespace cardwright::api {

namespace {

constexpr double kMostSecondsForEffects = 4;   // processor time in seconds for games that record effects of rules
// Limit of processor time in seconds for all tables. Tables with non-default options are skipped after this time.
constexpr double kMostRandomSeconds = 3;

double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

class Check {
 public:
  Check(const std::shared_ptr<const detail::RulesetData>& rules, Diagnostics& say)
      : rules_(rules), say_(say), unreached_(rules), begin_(std::clock()) {}

  // Checks one table. Reports exceeded size limits and options that reveal secrets, and plays random games to find
  // runtime errors and endless games.
  void table(const sema::Configuration& configuration) {
    const auto compiled = compile(configuration);
    if (!compiled) return;
    const std::lock_guard lock(rules_->mutex);
    if (tables_ == 0) detail::read_look(*rules_, *compiled->program, say_);
    driver::report_offer_leaks(compiled->model(), say_);
    report_size(*compiled->program);
    const detail::RandomPlay played = detail::look_at_random_play(compiled, tables_ == 0, say_);
    ++tables_;
    unplayable_ = unplayable_ || played.all_failed;
    if (played.cut_short) left_out(configuration, played.games);
    if (seconds_since(begin_) < kMostSecondsForEffects)
      unreached_.play(configuration, detail::kRandomGames, 1, kMostSecondsForEffects / 4);
  }
  void left_out(const sema::Configuration& configuration, std::uint64_t games) {
    const std::string arguments = as_arguments({configuration.players, configuration.options});
    not_played_.push_back(fmt::format("{}: {} of {} games", arguments, games, detail::kRandomGames));
  }
  // Must be called last, after all other messages have been reported.
  void look_at_allowances() {
    const std::lock_guard lock(rules_->mutex);
    sema::report_unused_allowances(rules_->parsed(), say_);
  }
  Report report() {
    Report out = detail::report_of(say_, rules_->sources);
    out.unplayable = unplayable_;
    out.tables = tables_;
    out.not_played = std::move(not_played_);
    out.without_effect = unreached_.rules();
    return out;
  }

 private:
  // Reports that the JIT can't compile the game, once for all tables.
  void report_size(const Program& program) {
    const auto excess = too_large_ ? std::nullopt : too_large_for_jit(program);
    if (!excess) return;
    too_large_ = true;
    say_.report("too_large_for_jit"_code, excess->where, excess->what,
                "the interpreter plays this game, which is slower; move repeated statements into events or functions");
  }
  // Compiles the rules. If this fails, adds the errors to the diagnostics and returns null.
  std::shared_ptr<const detail::Compiled> compile(const sema::Configuration& configuration) {
    try {
      return detail::compile(rules_, configuration);
    } catch (const Error&) {
      const std::lock_guard lock(rules_->mutex);
      Diagnostics discarded(rules_->sources);
      if (auto model = sema::analyze(rules_->parsed(), configuration, discarded)) driver::make_program(*model, say_);
      return nullptr;
    }
  }

  const std::shared_ptr<const detail::RulesetData>& rules_;
  Diagnostics& say_;
  detail::UnreachedRules unreached_;
  std::clock_t begin_;
  std::size_t tables_ = 0;
  bool unplayable_ = false, too_large_ = false;
  std::vector<std::string> not_played_;
};

}   // namespace

Report Ruleset::check() const {
  Diagnostics diagnostics(data_->sources);
  std::vector<sema::Configuration> tables;
  {
    const std::lock_guard lock(data_->mutex);
    tables = sema::check_everything(data_->parsed(), diagnostics);
  }
  Check check(data_, diagnostics);
  if (diagnostics.has_errors()) return check.report();
  const std::clock_t begin = std::clock();
  for (const sema::Configuration& table : tables) {
    if (!table.options.empty() && seconds_since(begin) > kMostRandomSeconds)
      check.left_out(table, 0);
    else
      check.table(table);
  }
  check.look_at_allowances();
  return check.report();
}

Report find_errors(const Ruleset& rules) {
  const auto& data = rules.data();
  Diagnostics all(data->sources), errors(data->sources);
  {
    const std::lock_guard lock(data->mutex);
    sema::check_everything(data->parsed(), all);
  }
  for (const Diagnostic& d : all.all())
    if (d.severity == Severity::error) errors.report(d.code, d.range, d.message, d.help).notes = d.notes;
  if (errors.has_errors()) return detail::report_of(errors, data->sources);
  try {
    detail::compile(data, detail::complete(*data, {}));   // compiling also checks size limits
  } catch (const Error& error) {
    if (error.blame() == Blame::author) return error.report();
  }
  return {};
}

Report Ruleset::check(const Configuration& configuration) const {
  const sema::Configuration complete = detail::complete(*data_, configuration);
  Diagnostics diagnostics(data_->sources);
  {
    const std::lock_guard lock(data_->mutex);
    sema::analyze(data_->parsed(), complete, diagnostics);
  }
  Check check(data_, diagnostics);
  if (!diagnostics.has_errors()) check.table(complete);
  return check.report();
}

}   // namespace cardwright::api
