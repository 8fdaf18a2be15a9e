// Collects diagnostics, and suppresses the warnings that the rules allow.
#include "support/diagnostics.h"

#include <algorithm>

namespace cardwright {

// The maximum number of stored diagnostics, which keeps the output readable.
static constexpr std::size_t kMaxDiagnostics = 500;

void Diagnostics::allow(const std::vector<Allowance>& allowances) {
  if (!allowances_.empty()) return;   // the allowances of this ruleset were already added
  for (const Allowance& a : allowances) allowances_.push_back({a});
}

std::vector<Allowance> Diagnostics::unused_allowances() const {
  std::vector<Allowance> unused;
  for (const Allowed& a : allowances_)
    if (!a.used) unused.push_back(a.allowance);
  return unused;
}

Diagnostics::Allowed* Diagnostics::allowance_for(Code code, Range range) {
  const auto found = std::ranges::find_if(allowances_, [&](const Allowed& a) {
    const Range& covered = a.allowance.covered;
    if (a.allowance.code != code) return false;
    if (!range.known()) return covered.begin == 0;   // covered by an allowance before the `game` line
    return covered.source == range.source && covered.begin <= range.begin && range.end <= covered.end;
  });
  return found == allowances_.end() ? nullptr : &*found;
}

Diagnostic& Diagnostics::repeated(Code code) { return repeated_.emplace(code, code.severity(), Range{}); }

Diagnostic& Diagnostics::report(Code code, Range range, std::string message, std::string help) {
  if (Allowed* const allowed = allowance_for(code, range)) {
    allowed->used = true;
    for (const AllowedWarning& w : allowed_)
      if (w.warning.code == code && w.warning.range == range) return repeated(code);
    allowed_.push_back(
        {{code, Severity::warning, range, std::move(message), std::move(help), {}}, allowed->allowance.reason});
    return allowed_.back().warning;
  }
  if (all_.size() >= kMaxDiagnostics) {
    const bool is_error = code.severity() == Severity::error;
    if (is_error && errors_++ == 0)
      all_.push_back({code, Severity::error, range, std::move(message), std::move(help), {}});
    return repeated(code);
  }
  for (const Diagnostic& earlier : all_) {
    const bool same_place = earlier.code == code && earlier.range == range;
    if (same_place && (range.known() || earlier.message == message)) return repeated(code);
  }
  all_.push_back({code, code.severity(), range, std::move(message), std::move(help), {}});
  if (all_.back().severity == Severity::error) ++errors_;
  if (all_.size() == kMaxDiagnostics)
    all_.back().notes.push_back({range, "too many messages; further ones are not shown"});
  return all_.back();
}

}   // namespace cardwright
