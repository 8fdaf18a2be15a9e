// Suggests the candidate that the user probably meant by a misspelled word.
#include <algorithm>
#include <array>

#include "support/diagnostics.h"

namespace cardwright {
namespace {

constexpr std::size_t kLongestWord = 64;   // longer words are not corrected, because the table is quadratic

// Returns the restricted Damerau-Levenshtein distance: the number of insertions, deletions, substitutions and swaps of
// adjacent characters. Distances above `most` may be returned as most + 1.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
  // The rows of the table for the current character of `a` and for the two before it.
  std::array<std::array<std::size_t, kLongestWord + 1>, 3> rows;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto &row = rows[i % 3], &before = rows[(i + 2) % 3], &swapped = rows[(i + 1) % 3];
    std::size_t least = row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], swapped[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > most + 1) return most + 1;   // `most + 1`: a swap adds only 1 to the row before the previous one
  }
  return rows[a.size() % 3][b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}   // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::size_t slip = word.size() <= 2 ? 1 : word.size() <= 5 ? 2 : 3;   // smallest distance that is too far
  const std::string wanted = lower(word);
  std::string best;
  std::size_t best_distance = slip;
  for (const std::string& candidate : candidates) {
    if (candidate == word || candidate.size() > kLongestWord) continue;
    const std::size_t d = distance(wanted, lower(candidate), best_distance);
    const bool nearer = d < best_distance || (d == best_distance && !best.empty() && candidate < best);
    if (nearer) best = candidate, best_distance = d;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string guess = nearest(word, candidates);
  return guess.empty() ? "" : fmt::format("{}`{}`?", kGuess, guess);
}

std::string did_you_mean_one_of(std::string_view word, std::vector<std::string> candidates) {
  constexpr std::size_t kMostListed = 12;
  if (std::string guess = did_you_mean(word, candidates); !guess.empty()) return guess;
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  if (candidates.empty()) return {};
  const bool too_many = candidates.size() > kMostListed;
  if (too_many) candidates.resize(kMostListed);
  return fmt::format("expected one of `{}`{}", fmt::join(candidates, "`, `"), too_many ? " …" : "");
}

}   // namespace cardwright
