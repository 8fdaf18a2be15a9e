// Collects and formats diagnostics for the author of the rules. Each has a stable code (code.h), a source range, a
// message, and optionally help and notes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "support/code.h"
#include "support/source.h"

namespace cardwright {

struct Diagnostic {
  Code code;
  Severity severity;
  Range range;
  std::string message;   // uses the terms of the rules; lower case, no full stop, code in backticks
  std::string help;   // "did you mean `discard`?" or another fix; may be empty
  std::vector<std::pair<Range, std::string>> notes;   // related ranges, each with a message
};

// An `allow W0010 "reason"`, which suppresses that warning within `covered`, the declaration that follows.
struct Allowance {
  Code code;
  Range covered;
  Range at;   // range of the code, such as `W0010`
  std::string reason;
};
// A warning suppressed by an allowance.
struct AllowedWarning {
  Diagnostic warning;
  std::string reason;
};

class Diagnostics {
 public:
  explicit Diagnostics(SourceMap& sources) : sources_(&sources) {}

  // Adds a diagnostic; codes.def defines its severity. Returns it so that the caller can add help and notes; the
  // reference is valid until the next report. Diagnostics with equal code and range are reported only once.
  Diagnostic& report(Code code, Range range, std::string message, std::string help = {});

  // Suppresses all later warnings that these allowances cover, and collects them in allowed().
  void allow(const std::vector<Allowance>& allowances);
  const std::vector<AllowedWarning>& allowed() const { return allowed_; }
  // Returns the allowances that have not suppressed a warning so far.
  std::vector<Allowance> unused_allowances() const;

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  SourceMap& sources() { return *sources_; }

 private:
  SourceMap* sources_;
  std::vector<Diagnostic> all_;
  struct Allowed {
    Allowance allowance;
    bool used = false;
  };
  Allowed* allowance_for(Code code, Range range);
  std::vector<Allowed> allowances_;
  std::vector<AllowedWarning> allowed_;
  Diagnostic& repeated(Code code);
  std::optional<Diagnostic> repeated_;   // returned by report() for repeated diagnostics, which are dropped
  std::size_t errors_ = 0;
};

// Formats diagnostics as file:line:column: error[E0301]: message, source line, carets, help, notes. Diagnostics are
// sorted by file and position.
std::string render_text(const Diagnostics& diagnostics, const SourceMap& sources);
// Formats diagnostics as a JSON array of {code, severity, file, line, column, end_line, end_column, message, help,
// notes}; suppressed warnings come last, with the severity "allowed" and their reason.
std::string render_json(const Diagnostics& diagnostics, const SourceMap& sources);

// Returns the candidate nearest to `word` by edit distance, or an empty string if none is close enough to be a typo.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
inline constexpr std::string_view kGuess = "did you mean ";
// Returns "did you mean `x`?" for the result of nearest(), or an empty string.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);
// Like did_you_mean(), but lists all candidates if none is close enough.
std::string did_you_mean_one_of(std::string_view word, std::vector<std::string> candidates);

}   // namespace cardwright
