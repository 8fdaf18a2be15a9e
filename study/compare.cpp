// Two games, pair by pair on the same seeds, until it is decided what differs; see study.hpp.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "api/parallel.h"
#include "cardwright/study.hpp"
#include "study/looking.h"
#include "study/pairs.h"

namespace cardwright::study {

namespace {

// How alike the two games of a pair are, of the shares that both sides have, and what that saved.
void add_correlation(Comparison& out) {
  double sum = 0;
  std::size_t rows = 0;
  for (const FigureTable& table : out.figures.tables)
    for (const Figure& row : table.rows)
      if (table.title == "wins by seat" && !std::isnan(row.correlation)) sum += row.correlation, ++rows;
  if (rows == 0) return;
  out.correlation = sum / static_cast<double>(rows);
  const double games = 2 * static_cast<double>(out.pairs);
  if (out.correlation > 0 && out.correlation < 1)
    out.games_saved = static_cast<std::uint64_t>(games / (1 - out.correlation) - games);
}

void check(const CompareSettings& settings) {
  const auto need = [](double value, const char* what) {
    if (!(value > 0 && value < 1))
      throw api::Error(api::Blame::caller, fmt::format("{:g} is no {}: it is more than 0 and less than 1 ({:g} %)",
                                                       value, what, 100 * value));
  };
  need(settings.margin, "margin");
  if (settings.until != 0) need(settings.until, "precision");
  api::need_threads(settings.play.threads);
  if (settings.pairs < border(4))
    throw api::Error(api::Blame::caller, fmt::format("{} pairs are too few to compare: the first look is at {}",
                                                     settings.pairs, border(4)));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::none: return "";
    case Verdict::differs: return "differs";
    case Verdict::same: return "same within the margin";
    case Verdict::open: return "open";
  }
  return "";
}

std::string_view name_of(Stopped stopped) {
  switch (stopped) {
    case Stopped::decided: return "decided";
    case Stopped::precise: return "precise";
    case Stopped::exhausted: return "exhausted";
    case Stopped::interrupted: return "interrupted";
  }
  return "";
}

Comparison compare(const api::Game& a, const api::Game& b, const CompareSettings& settings) {
  check(settings);
  const auto start = std::chrono::steady_clock::now();
  const PairedRows rows = look_beforehand(a, b, settings);
  PairPlayers players(a, b, settings);
  Looking looking(rows, settings);
  looking.look();
  Comparison out;
  CompareProgress progress{0, settings.pairs, looking.open_rows(), looking.main_rows(), 0};
  const auto tell = [&](std::uint64_t pairs) {
    progress.pairs = pairs;
    if (settings.progress) settings.progress(progress);
  };
  std::uint64_t done = 0;
  for (std::size_t n = 0; done < settings.pairs; ++n) {
    const std::uint64_t next = std::min(border(n), settings.pairs);
    const auto batch = players.play(done, next, rows.both, tell);
    if (!batch) {
      out.stopped = Stopped::interrupted;
      break;
    }
    looking.add(*batch, done = next);
    if (!is_look(n) && done < settings.pairs) continue;
    ++out.looks;
    looking.look();
    progress = {done, settings.pairs, looking.open_rows(), looking.main_rows(), looking.estimate()};
    if (const auto end = looking.end()) {
      out.stopped = *end;
      break;
    }
  }
  out.figures = looking.figures();
  out.pairs = looking.pairs();
  out.discoveries = looking.found();
  out.tested = rows.both.size();
  out.margin = settings.margin;
  out.failures_a = looking.sum().failures_a.counts();
  out.failures_b = looking.sum().failures_b.counts();
  add_correlation(out);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace cardwright::study
