// Formats the results of `test --coverage` and `test --mutants`, and runs the mutants with a progress bar.
#include "tools/cli/coverage.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;
using Fate = api::Mutant::Fate;

struct Share {
  std::size_t reached = 0, all = 0;
  std::string text() const {
    return fmt::format("{} of {} ({} %)", reached, all, all == 0 ? 100 : 100 * reached / all);
  }
};

template <class Things>
Share share_of(const Things& things, api::RuleOwner owner) {
  Share share;
  for (const auto& thing : things)
    if (thing.owner == owner) ++share.all, share.reached += thing.reached > 0;
  return share;
}

bool has_gap(const api::CoveredRule& rule) { return rule.reached == 0 || (rule.taken && *rule.taken == 0); }

std::string gap_text(const api::CoveredRule& rule) {
  std::string text = fmt::format("  {}:{}: {}", rule.file, rule.line, rule.name);
  if (!rule.offered) return text + "\n";
  if (*rule.offered == 0) return text + " (never offered)\n";
  return text + fmt::format(" (offered in {}, never taken)\n", plural(*rule.offered, "decision"));
}

std::string gaps(const api::Coverage& coverage, api::RuleOwner owner) {
  std::string out;
  for (const api::CoveredRule& rule : coverage.rules)
    if (rule.owner == owner && has_gap(rule)) out += gap_text(rule);
  return out;
}

std::string option_gaps(const api::Coverage& coverage) {
  std::string out;
  for (const api::CoveredOption& option : coverage.options)
    for (const auto& [value, scenarios] : option.values)
      if (scenarios == 0) out += fmt::format("  option {} = {} (in no scenario)\n", option.name, value);
  return out;
}

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::killed: return "killed";
    case Fate::survived: return "survived";
    case Fate::unreached: return "unreached";
    case Fate::invalid: return "invalid";
  }
  return {};
}

std::uint64_t count_of(const api::Mutation& mutation, Fate fate) {
  return static_cast<std::uint64_t>(std::count_if(mutation.mutants.begin(), mutation.mutants.end(),
                                                  [&](const api::Mutant& m) { return m.fate == fate; }));
}

}   // namespace

// ---- coverage

Json json_of(const api::Coverage& coverage, const std::string& file) {
  Json rules = Json::array(), statements = Json::array(), options = Json::array();
  for (const api::CoveredRule& rule : coverage.rules) {
    Json one = {{"kind", rule.kind}, {"name", rule.name},         {"file", rule.file},
                {"line", rule.line}, {"of", name_of(rule.owner)}, {"reached", rule.reached}};
    if (rule.offered) one["offered"] = *rule.offered, one["taken"] = *rule.taken;
    rules.push_back(std::move(one));
  }
  for (const api::CoveredStatement& s : coverage.statements)
    statements.push_back({{"file", s.file}, {"line", s.line}, {"of", name_of(s.owner)}, {"reached", s.reached}});
  for (const api::CoveredOption& option : coverage.options) {
    Json values = Json::object();
    for (const auto& [value, scenarios] : option.values) values[value] = scenarios;
    options.push_back({{"name", option.name}, {"scenarios", std::move(values)}});
  }
  return {{"file", file},
          {"scenarios", coverage.scenarios},
          {"rules", std::move(rules)},
          {"statements", std::move(statements)},
          {"options", std::move(options)}};
}

std::string text_of(const api::Coverage& coverage, const std::string& file, bool verbose) {
  using Owner = api::RuleOwner;
  if (coverage.scenarios == 0) return fmt::format("coverage of {}: no scenarios\n", file);
  std::string out =
      fmt::format("coverage of {}: {} rules, {} statements\n", file, share_of(coverage.rules, Owner::file).text(),
                  share_of(coverage.statements, Owner::file).text());
  const std::string own = gaps(coverage, Owner::file) + option_gaps(coverage);
  if (!own.empty()) out += "not reached:\n" + own;
  for (const Owner owner : {Owner::base, Owner::library}) {
    const Share rules = share_of(coverage.rules, owner);
    if (rules.all == 0) continue;
    const std::string whose = owner == Owner::base ? "the base" : "libraries", open = gaps(coverage, owner);
    out +=
        fmt::format("{}: {} rules, {} statements{}\n", whose, rules.text(), share_of(coverage.statements, owner).text(),
                    open.empty() || verbose ? "" : " (--verbose lists the rest)");
    if (verbose) out += open;
  }
  return out;
}

// ---- mutants

void add_mutants(CLI::App& command, MutantArguments& arguments) {
  command.add_option("--seconds", arguments.seconds, "for --mutants: time limit in seconds; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S")
      ->capture_default_str();
  add_number(command, "--seed", arguments.seed, "for --mutants: seed of the order in which mutants are tried");
  add_number(command, "--threads", arguments.threads, "for --mutants: number of threads; 0: one per core")
      ->check(CLI::Range(0, 1024));
}

api::Mutation run_mutants(const api::Ruleset& rules, const std::string& filter, const MutantArguments& arguments) {
  catch_signals();
  std::optional<ProgressBar> bar;
  api::MutationSettings settings;
  settings.filter = filter;
  settings.seconds = arguments.seconds;
  settings.seed = arguments.seed;
  settings.threads = static_cast<int>(arguments.threads);
  settings.stop = interrupt_flag();
  settings.progress = [&bar](std::uint64_t done, std::uint64_t total) {
    if (!bar) bar.emplace(total, "mutants");
    bar->show(done);
  };
  return api::test_mutants(rules, settings);
}

bool has_survivors(const api::Mutation& mutation) { return count_of(mutation, Fate::survived) > 0; }

Json json_of(const api::Mutation& mutation, const std::string& file) {
  Json mutants = Json::array();
  for (const api::Mutant& mutant : mutation.mutants) {
    Json one = {{"place", mutant.place}, {"change", mutant.change}, {"fate", name_of(mutant.fate)}};
    if (!mutant.by.empty()) one["by"] = mutant.by;
    mutants.push_back(std::move(one));
  }
  Json out = {{"file", file}, {"scenarios", mutation.scenarios}, {"total", mutation.total}};
  for (const Fate fate : {Fate::killed, Fate::survived, Fate::unreached, Fate::invalid})
    out[std::string(name_of(fate))] = count_of(mutation, fate);
  out["left"] = mutation.left;
  out["seconds"] = mutation.seconds;
  out["mutants"] = std::move(mutants);
  return out;
}

std::string text_of(const api::Mutation& mutation, const std::string& file, bool verbose) {
  std::string out;
  for (const api::Mutant& mutant : mutation.mutants) {
    if (!verbose && mutant.fate != Fate::survived) continue;
    const std::string fate =
        mutant.fate == Fate::survived ? coloured(Colour::yellow, "SURVIVED") : std::string(name_of(mutant.fate));
    out += fmt::format("{}  {}: {}{}\n", fate, mutant.place, mutant.change,
                       mutant.by.empty() ? "" : fmt::format(" (by \"{}\")", mutant.by));
  }
  out += fmt::format("mutants of {}: {} killed, {} survived, {} in rules that no scenario reaches", file,
                     count_of(mutation, Fate::killed), count_of(mutation, Fate::survived),
                     count_of(mutation, Fate::unreached));
  if (const auto invalid = count_of(mutation, Fate::invalid)) out += fmt::format(", {} don't compile", invalid);
  if (mutation.left > 0)
    out += fmt::format("; {} of {} not tried in {:.0f} s (--seconds 0 tries all of them)", mutation.left,
                       mutation.total, mutation.seconds);
  return out + "\n";
}

}   // namespace cardwright::cli
