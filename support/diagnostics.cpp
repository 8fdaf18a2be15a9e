// Collects diagnostics, and looks up their codes in codes.def.
#include "support/diagnostics.h"

#include <algorithm>
#include <cctype>

namespace cardwright {
namespace {

struct CodeEntry {
  std::string_view id;
  Severity severity;
  std::string_view title;
  std::string_view text;
};

constexpr CodeEntry kCodes[] = {
#define CODE(id, name, severity, title, text) {#id, Severity::severity, title, text},
#include "support/codes.def"
#undef CODE
};

const CodeEntry& entry(Code code) { return kCodes[static_cast<std::size_t>(code)]; }

bool same_id(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::toupper(c); }, [](unsigned char c) { return std::toupper(c); });
}

}   // namespace

// Limits output for readability: only the first diagnostics are stored.
static constexpr std::size_t kMaxDiagnostics = 500;

void Diagnostics::allow(const std::vector<Allowance>& allowances) {
  if (!allowances_.empty()) return;   // the same ruleset was checked before
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
    if (!range.known()) return covered.begin == 0;   // an allowance before the `game` line covers it
    return covered.source == range.source && covered.begin <= range.begin && range.end <= covered.end;
  });
  return found == allowances_.end() ? nullptr : &*found;
}

Diagnostic& Diagnostics::report(Code code, Range range, std::string message, std::string help) {
  if (Allowed* const allowed = allowance_for(code, range)) {
    allowed->used = true;
    for (const AllowedWarning& w : allowed_)
      if (w.warning.code == code && w.warning.range == range) return repeated_ = {};
    allowed_.push_back(
        {{code, Severity::warning, range, std::move(message), std::move(help), {}}, allowed->allowance.reason});
    return allowed_.back().warning;
  }
  if (all_.size() >= kMaxDiagnostics) {
    const bool is_error = entry(code).severity == Severity::error;
    if (is_error && errors_++ == 0)
      all_.push_back({code, Severity::error, range, std::move(message), std::move(help), {}});
    return repeated_ = {};
  }
  for (const Diagnostic& earlier : all_) {
    const bool same_place = earlier.code == code && earlier.range == range;
    if (same_place && (range.known() || earlier.message == message)) return repeated_ = {};
  }
  all_.push_back({code, entry(code).severity, range, std::move(message), std::move(help), {}});
  if (all_.back().severity == Severity::error) ++errors_;
  if (all_.size() == kMaxDiagnostics) all_.back().notes.push_back({range, "too many messages; the rest is not shown"});
  return all_.back();
}

std::string_view code_id(Code code) { return entry(code).id; }
std::string_view code_title(Code code) { return entry(code).title; }
std::string_view code_text(Code code) { return entry(code).text; }

bool find_code(std::string_view id, Code& out) {
  const auto found = std::ranges::find_if(kCodes, [&](const CodeEntry& e) { return same_id(e.id, id); });
  if (found == std::end(kCodes)) return false;
  out = static_cast<Code>(found - std::begin(kCodes));
  return true;
}

}   // namespace cardwright
