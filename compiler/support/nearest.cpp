// Guessing what was meant: the candidate a typing slip away.
#include <algorithm>

#include "compiler/support/diagnostics.h"

namespace cardwright {
namespace {

constexpr std::size_t kLongestWord = 64;  // nobody mistypes longer ones, and the table is quadratic

// Damerau-Levenshtein (restricted): a letter too many, missing, changed, or two neighbours swapped.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::size_t slip = word.size() <= 2 ? 1 : word.size() <= 5 ? 2 : 3;  // first distance that is too far
  const std::string wanted = lower(word);
  std::string best;
  std::size_t best_distance = slip;
  for (const std::string& candidate : candidates) {
    if (candidate == word || candidate.size() > kLongestWord) continue;
    const std::size_t d = distance(wanted, lower(candidate));
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
  return fmt::format("there are `{}`{}", fmt::join(candidates, "`, `"), too_many ? " …" : "");
}

}  // namespace cardwright
