// Rules switched off one at a time: a scenario means something only if it fails without the rule that it is about.
#pragma once

#include <string>
#include <vector>

#include "api/scenarios.h"
#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

// Names of all rules that can be switched off, as disable() takes them: "after lose of LilBrudder at splash.rules:219".
std::vector<std::string> rules_of(const model::Model& model, const SourceMap& sources);
// Makes the rule say nothing: a trigger or modifier never applies, an action is never offered, an event does nothing.
// False if there is no such rule. `rule` may also be the beginning of a name.
bool disable(model::Model& model, const SourceMap& sources, const std::string& rule);
// Runs the scenario with `rule` switched off, on the interpreter. Nothing if the scenario holds all the same.
// Throws Error(caller) if there is no such scenario or rule.
std::optional<Refuted> run_without(const Ruleset& rules, const std::string& scenario, const std::string& rule);

}  // namespace cardwright::api::detail
